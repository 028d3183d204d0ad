//! Building functions by hand, random values, and comparing the interpreter with compiled code.
#![allow(dead_code)]

pub mod programs;

use caustic_cranelift::{Options, compile};
use caustic_dialects::{agg, func};
use caustic_interp::Interp;
use caustic_ir::eval::Val;
use caustic_ir::{Attr, Builder, FloatKind, Loc, Module, Name, SymbolOp, Type, TypeKind, ValueId};
use caustic_native::Code;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// A function whose body `build` writes; what it returns is returned.
pub fn function(
    name: &str,
    inputs: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) -> SymbolOp {
    let mut symbol = SymbolOp::new(func::Func::DEF, Name::new(name), Loc::unknown());
    let root = symbol.body.root();
    let block = symbol.body.add_block(root, inputs);
    let args = symbol.body.args(block).to_vec();
    let mut b = Builder::at_end(&mut symbol.body, block, Loc::unknown());
    let results = build(&mut b, &args);
    func::Return::build(&mut b, &results, &[]);
    let outputs: Vec<Type> = results.iter().map(|&v| symbol.body.ty(v)).collect();
    symbol.set_attr("function_type", Attr::ty(Type::function(inputs, &outputs)));
    symbol
}

pub fn module(symbols: Vec<SymbolOp>) -> Module {
    let mut module = Module::new();
    symbols.into_iter().for_each(|s| module.put(s));
    module
}

pub fn jit(module: &Module, roots: &[&str]) -> Code {
    let roots: Vec<Name> = roots.iter().map(|n| Name::new(n)).collect();
    compile(module, &roots, Options { verify: true, ..Options::default() }).unwrap_or_else(|d| panic!("{d} {d:?}"))
}

pub fn rng(seed: u64) -> TestRng {
    let mut bytes = [7u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

/// A random value, the odd ones often.
pub fn random(ty: Type, rng: &mut TestRng) -> Val {
    match ty.kind() {
        TypeKind::Int(_) | TypeKind::Index => {
            let bits = ty.scalar_bits().unwrap_or(64);
            let raw = match rng.next_u32() % 8 {
                0 => 0,
                1 => -1,
                2 => 1,
                3 => 1i64.wrapping_shl(bits - 1),
                4 => 1i64.wrapping_shl(bits - 1).wrapping_sub(1),
                5 => (rng.next_u32() % 8) as i64,
                _ => rng.next_u64() as i64,
            };
            Val::Int(caustic_ir::attr::sign_extend(raw, bits))
        }
        TypeKind::Float(kind) => {
            const ODD: [f64; 14] = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                2.5,
                -1.5,
                1e-7,
                6e4,
                -3e9,
                1e20,
            ];
            let raw = match rng.next_u32() % 3 {
                0 => ODD[rng.next_u32() as usize % ODD.len()],
                1 => (rng.next_u32() as i32 as f64) / 2f64.powi(28),
                _ => match kind {
                    FloatKind::F64 => f64::from_bits(rng.next_u64()),
                    FloatKind::F32 => f32::from_bits(rng.next_u32()) as f64,
                    FloatKind::F16 => (rng.next_u32() as i32 as f64) / 2f64.powi(16),
                },
            };
            Val::Float(caustic_ir::attr::round_to(raw, *kind))
        }
        TypeKind::Vector { elem, .. } => Val::agg((0..ty.num_elements()).map(|_| random(*elem, rng)).collect()),
        _ if agg::as_tape(ty).is_some() => {
            let elem = agg::as_tape(ty).unwrap();
            Val::agg((0..rng.next_u32() % 4).map(|_| random(elem, rng)).collect())
        }
        _ => Val::agg(agg::part_types(ty).expect("a data type").into_iter().map(|t| random(t, rng)).collect()),
    }
}

/// Bit equality, but for NaNs, which are all alike; -0 differs from 0.
pub fn same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a == b,
        (Val::Float(a), Val::Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Val::Agg(a), Val::Agg(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        _ => false,
    }
}

pub fn all_same(a: &[Val], b: &[Val]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// Runs `name` of both modules, which are to mean the same, and compares.
pub fn compare(reference: &Module, compiled: &Code, name: &str, args: &[Val]) {
    let expected = Interp::new(reference).call(name, args.to_vec()).unwrap_or_else(|t| panic!("interp: {t:?}"));
    let got = compiled.call(name, args).unwrap_or_else(|t| panic!("cranelift: {t:?}"));
    assert!(all_same(&expected, &got), "@{name}{args:?}\n interp    {expected:?}\n cranelift {got:?}");
}
