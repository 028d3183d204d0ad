//! A finished module as the text that `spirv-as` takes and `spirv-dis` gives.
//!
//! Ids have the names of what they are where there is one, made different from each other; others
//! have their numbers.

use crate::assembly::{Finished, Id, Inst, Number, Operand};
use crate::grammar::Op;
use caustic_source::names::{Scope, spell};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Columns before the sign `=`.
const INDENT: usize = 15;

pub fn write(module: &Finished) -> String {
    let names = names(module);
    let mut out = String::from("; SPIR-V\n; Version: 1.5\n");
    let _ = writeln!(out, "; Bound: {}\n; Schema: 0", module.bound);
    for inst in &module.insts {
        if inst.op == Op::Function {
            out.push('\n');
        }
        let result = inst.result.map(|id| format!("{} = ", name(&names, id))).unwrap_or_default();
        let _ = write!(out, "{result:>width$}{}", inst.op.name(), width = INDENT + 3);
        if let Some(id) = inst.ty {
            let _ = write!(out, " {}", name(&names, id));
        }
        for operand in &inst.operands {
            out.push(' ');
            write_operand(&mut out, &names, operand);
        }
        out.push('\n');
    }
    out
}

fn write_operand(out: &mut String, names: &FxHashMap<Id, String>, operand: &Operand) {
    let _ = match operand {
        Operand::Id(id) => write!(out, "{}", name(names, *id)),
        Operand::Literal(n) => write!(out, "{n}"),
        Operand::Word((word, _)) => write!(out, "{word}"),
        Operand::Number(Number::Int(bits, _)) => write!(out, "{bits}"),
        Operand::Number(Number::Float(bits, width)) => write!(out, "{}", float(*bits, *width)),
        Operand::Text(text) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            write!(out, "\"{text}\"")
        }
    };
}

fn name(names: &FxHashMap<Id, String>, id: Id) -> String {
    names.get(&id).map_or_else(|| format!("%{id}"), |name| format!("%{name}"))
}

fn names(module: &Finished) -> FxHashMap<Id, String> {
    let mut scope = Scope::default();
    let mut names = FxHashMap::default();
    let named = module.insts.iter().filter(|i| i.op == Op::Name);
    for inst in named {
        if let [Operand::Id(id), Operand::Text(text)] = &inst.operands[..] {
            names.insert(*id, scope.declare(&spell(text)));
        }
    }
    for inst in &module.insts {
        let Some(id) = inst.result.filter(|id| !names.contains_key(id)) else { continue };
        if let Some(word) = described(inst, &names) {
            names.insert(id, scope.declare(&word));
        }
    }
    names
}

/// What a type or constant without a name is called.
fn described(inst: &Inst, names: &FxHashMap<Id, String>) -> Option<String> {
    let of = |operand: &Operand| match operand {
        Operand::Id(id) => names.get(id).cloned(),
        Operand::Literal(n) => Some(n.to_string()),
        Operand::Word((word, _)) => Some(word.to_string()),
        _ => None,
    };
    let all: Vec<Option<String>> = inst.operands.iter().map(of).collect();
    let ty = || inst.ty.and_then(|ty| names.get(&ty).cloned());
    Some(match (inst.op, &all[..]) {
        (Op::TypeVoid, _) => "void".to_string(),
        (Op::TypeBool, _) => "bool".to_string(),
        (Op::TypeInt, [Some(bits), _]) if bits == "32" => "uint".to_string(),
        (Op::TypeInt, [Some(bits), _]) => format!("u{bits}"),
        (Op::TypeFloat, [Some(bits)]) if bits == "32" => "float".to_string(),
        (Op::TypeFloat, [Some(bits)]) if bits == "64" => "double".to_string(),
        (Op::TypeFloat, _) => "half".to_string(),
        (Op::TypeVector, [Some(of), Some(count)]) => format!("v{count}{of}"),
        (Op::TypePointer, [Some(class), Some(of)]) => format!("ptr_{class}_{of}"),
        (Op::TypeRuntimeArray, [Some(of)]) => format!("runtimearr_{of}"),
        (Op::TypeArray, [Some(of), _]) => format!("arr_{of}"),
        (Op::ConstantTrue, _) => "true".to_string(),
        (Op::ConstantFalse, _) => "false".to_string(),
        (Op::Constant, _) => match (&inst.operands[..], ty()?) {
            ([Operand::Number(Number::Int(bits, _))], ty) => format!("{ty}_{bits}"),
            ([Operand::Number(Number::Float(bits, width))], ty) => {
                let text = float(*bits, *width).replace('-', "n").replace('+', "");
                format!("{ty}_{}", spell(&text).trim_start_matches('n'))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// A float in digits that give it back: decimal ones, or hexadecimal ones where it is not finite or
/// subnormal.
fn float(bits: u64, width: u32) -> String {
    let (digits, exponent_bits): (u32, u32) = match width {
        16 => (10, 5),
        32 => (23, 8),
        _ => (52, 11),
    };
    let negative = bits >> (width - 1) & 1 != 0;
    let sign = if negative { "-" } else { "" };
    let mantissa = bits & ((1 << digits) - 1);
    let top = (1u64 << exponent_bits) - 1;
    let exponent = bits >> digits & top;
    let bias = (top / 2) as i64;
    if exponent == top {
        return format!("{sign}0x1{}p+{}", fraction(mantissa, digits), bias + 1);
    }
    if exponent == 0 && mantissa != 0 {
        let first = 63 - mantissa.leading_zeros();
        let rest = mantissa & !(1 << first);
        let power = 1 - bias - i64::from(digits) + i64::from(first);
        return format!("{sign}0x1{}p{power}", fraction(rest, first));
    }
    match width {
        16 => {
            let value = 2f32.powi((exponent as i64 - bias) as i32) * (1.0 + mantissa as f32 / 1024.0);
            if exponent == 0 { format!("{sign}0") } else { format!("{sign}{value}") }
        }
        32 => {
            let value = f32::from_bits(bits as u32);
            if is_long(f64::from(value)) { format!("{value:e}") } else { format!("{value}") }
        }
        _ => {
            let value = f64::from_bits(bits);
            if is_long(value) { format!("{value:e}") } else { format!("{value}") }
        }
    }
}

/// Whether a number has many zeros unless it is written with an exponent.
fn is_long(value: f64) -> bool {
    value != 0.0 && !(1e-5..1e16).contains(&value.abs())
}

/// Hexadecimal digits behind the point.
fn fraction(mantissa: u64, digits: u32) -> String {
    if mantissa == 0 {
        return String::new();
    }
    let width = digits.div_ceil(4);
    let text = format!("{:0width$x}", mantissa << (width * 4 - digits), width = width as usize);
    format!(".{}", text.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn floats_have_digits_that_give_them_back() {
        let of = |value: f32| float(u64::from(value.to_bits()), 32);
        assert_eq!([of(1.5), of(-0.0), of(0.1)], ["1.5", "-0", "0.1"]);
        assert_eq!([of(f32::INFINITY), of(f32::NEG_INFINITY), of(f32::NAN)], ["0x1p+128", "-0x1p+128", "0x1.8p+128"]);
        assert_eq!([of(f32::from_bits(1)), of(f32::from_bits(3))], ["0x1p-149", "0x1.8p-148"]);
        assert_eq!([float(0x3c01, 16), float(0x7c00, 16), float(0x1, 16)], ["1.0009766", "0x1p+16", "0x1p-24"]);
        assert_eq!([float(0x7ff8 << 48, 64), float(1, 64)], ["0x1.8p+1024", "0x1p-1074"]);
    }
}
