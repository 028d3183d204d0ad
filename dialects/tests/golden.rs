//! The elementary functions against values from another implementation (`text/golden.txt`).

use caustic_dialects::math;
use caustic_ir::Type;
use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_lanes};

const GOLDEN: &str = include_str!("text/golden.txt");

fn bits(word: &str) -> u64 {
    u64::from_str_radix(word, 16).expect("hexadecimal digits")
}

/// Floats between the two, counted in the order of the type.
fn distance(a: u64, b: u64, width: u32) -> u64 {
    let sign = 1i64 << (width - 1);
    let order = |v: u64| if v as i64 & sign != 0 { sign.wrapping_sub(v as i64) } else { v as i64 };
    order(a).abs_diff(order(b))
}

#[test]
fn elementary_functions_match_another_implementation() {
    let mut functions = std::collections::BTreeSet::new();
    let mut worst: (u64, &str) = (0, "");
    for line in GOLDEN.lines().filter(|l| !l.starts_with('#')) {
        let (call, result) = line.split_once(" = ").expect("a result");
        let mut words = call.split(' ');
        let (name, width) = (words.next().expect("a name"), words.next().expect("a type"));
        let args: Vec<Val> = words.map(|w| Val::Float(f64::from_bits(bits(w)))).collect();
        let def = math::DIALECT.all_ops().find(|op| op.name == name).expect("an op of that name");
        let ty = if width == "f32" { Type::f32() } else { Type::f64() };
        let Eval::Scalar(f) = def.eval else { panic!("{name} is not elementwise") };
        let operands = vec![ty; args.len()];
        let value = eval_lanes(f, &args, ty, &ScalarTypes { operands: &operands, result: ty, attrs: &[] }).as_float();
        functions.insert(name);
        let off = match width {
            "f32" => {
                distance((value as f32).to_bits() as i32 as i64 as u64, bits(result) as u32 as i32 as i64 as u64, 32)
            }
            _ => distance(value.to_bits(), bits(result), 64),
        };
        // In f32 the result is rounded once from more bits, but that `rsqrt` rounds its root, too;
        // in f64 the last bit is the host's library's affair.
        let allowed = match (width, name) {
            ("f32", "math.rsqrt") => 1,
            ("f32", _) => 0,
            _ => 2,
        };
        assert!(off <= allowed, "{line}: {value:e} is {off} floats away");
        if off > worst.0 {
            worst = (off, line);
        }
    }
    assert!(functions.len() >= 24, "only {functions:?}");
    println!("worst: {worst:?}");
}
