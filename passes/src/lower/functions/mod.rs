//! `legalize-functions`: functions of floats that a machine lacks become functions of the program.
//!
//! They are written in the language itself (`library.slang`) and stand here as what the front end
//! and the first passes make of it (`library.mlir`: the program after differentiation, through
//! [`MADE_BY`]; `cargo xtask docs` writes it, and a test fails while it is behind). A machine that
//! lacks functions of doubles has at least their roots, roundings and absolute values. Functions of
//! halves are those of floats, rounded.
//!
//! Invariant: the library's functions have names that no program has.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::signature::{PRIVATE, VISIBILITY};
use caustic_dialects::{arith, func, math, vector};
use caustic_ir::text::parse_module;
use caustic_ir::{Attr, Body, Builder, Diagnostic, Module, Name, OpDef, OpId, Registry, Type, ValueId};
use std::collections::BTreeSet;

passes! {
    /// Puts functions of the program in the place of functions of floats that a machine lacks.
    pub static LEGALIZE_FUNCTIONS: "legalize-functions" {
        level: module,
        options: FunctionsOptions {
            doubles: bool = "true", "All functions of doubles but roots, absolute values and roundings.";
            rare: bool = "true", "Of floats and halves those that are defined for fewer operands, or missing, in shading languages.";
            remainders: bool = "true", "Remainders of floats of any width.";
            fused: bool = "true", "Of floats and halves products with a sum that are rounded once.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("calls", "ops that became calls"), ("functions", "functions that were added")],
        run: |module: &mut Module, options: &FunctionsOptions, report: &mut PassReport| run(module, options, report),
    }
}

/// The passes that `library.mlir` has gone through after differentiation.
pub const MADE_BY: &str = "inline{small=24,once=0},any(canonicalize,cse,share-branches,dce)";

const LIBRARY: &str = include_str!("library.mlir");

/// Functions that shading languages have for floats, for all operands.
const COMMON: [&OpDef; 16] = [
    math::Sin::DEF,
    math::Cos::DEF,
    math::Tan::DEF,
    math::Asin::DEF,
    math::Acos::DEF,
    math::Atan::DEF,
    math::Sinh::DEF,
    math::Cosh::DEF,
    math::Tanh::DEF,
    math::Asinh::DEF,
    math::Acosh::DEF,
    math::Atanh::DEF,
    math::Exp::DEF,
    math::Exp2::DEF,
    math::Log::DEF,
    math::Log2::DEF,
];

/// Those that they lack, or have for fewer operands.
const RARE: [&OpDef; 6] =
    [math::Cbrt::DEF, math::ExpM1::DEF, math::Log10::DEF, math::Log1p::DEF, math::Atan2::DEF, math::PowF::DEF];

/// Whether an op on floats of this type becomes a call.
fn is_wanted(def: &'static OpDef, ty: Type, options: &FunctionsOptions) -> bool {
    let is_in = |list: &[&'static OpDef]| list.iter().any(|d| std::ptr::eq(*d, def));
    let double = ty.elem() == Type::f64();
    let fused = is_in(&[math::Fma::DEF]);
    (is_in(&[arith::RemF::DEF]) && options.remainders)
        || (double && options.doubles && (is_in(&COMMON) || is_in(&RARE) || fused))
        || (!double && (options.rare && is_in(&RARE) || options.fused && fused))
}

fn run(module: &mut Module, options: &FunctionsOptions, report: &mut PassReport) -> PassResult {
    let mut needed: BTreeSet<String> = BTreeSet::new();
    let mut calls = 0;
    for symbol in module.symbols_mut().iter_mut().filter(|s| func::Func::of_symbol(s).is_some()) {
        let body = &mut symbol.body;
        for op in body.walk_all() {
            let Some(&first) = body.results(op).first() else { continue };
            let (def, ty) = (body.op(op).def, body.ty(first));
            if is_wanted(def, ty, options)
                && let Some(function) = call(body, op, ty)
            {
                needed.insert(function);
                calls += 1;
            }
        }
    }
    report.count("calls", calls);
    if needed.is_empty() {
        return Ok(Changed::No);
    }
    let added = add(module, &needed).map_err(|d| vec![d])?;
    report.count("functions", added);
    Ok(Changed::Yes)
}

/// Puts a call for each scalar in the place of an op; the library's name of the function.
fn call(body: &mut Body, op: OpId, ty: Type) -> Option<String> {
    let single = ty.elem() != Type::f64();
    let name = body.op(op).def.name.rsplit('.').next()?;
    let function = format!("{name}_{}", if single { "f32" } else { "f64" });
    let callee = Attr::symbol(Name::new(&format!("{}{function}", math::LIBRARY)));
    let operands = body.operands(op).to_vec();
    let result = body.result(op, 0);
    let mut b = Builder::before(body, op)?;
    let compute = if single { Type::f32() } else { Type::f64() };
    let one = |b: &mut Builder<'_>, args: &[ValueId]| -> ValueId {
        let half = ty.elem() == Type::f16();
        let mut wide = args.to_vec();
        if half {
            wide = args.iter().map(|&v| arith::ExtF::build(b, v, compute, &[])).collect();
        }
        let call = func::Call::build(b, &wide, &[compute], &[("callee", callee)]);
        let value = b.body.result(call, 0);
        if half { arith::TruncF::build(b, value, ty.elem(), &[]) } else { value }
    };
    let value = if ty.is_vector() {
        let columns: Vec<Vec<ValueId>> = operands.iter().map(|&v| scalars(&mut b, v)).collect();
        let elements: Vec<ValueId> = (0..ty.num_elements())
            .map(|k| {
                let args: Vec<ValueId> = columns.iter().map(|c| c[k]).collect();
                one(&mut b, &args)
            })
            .collect();
        vector::from_elements(&mut b, &elements, ty)
    } else {
        one(&mut b, &operands)
    };
    let hint = body.value(result).hint;
    body.set_hint(value, hint);
    body.replace_uses(result, value);
    body.erase_op(op);
    Some(function)
}

/// All scalars of a vector or matrix, in order.
fn scalars(b: &mut Builder<'_>, value: ValueId) -> Vec<ValueId> {
    let ty = b.ty(value);
    let mut places: Vec<Vec<i64>> = vec![Vec::new()];
    for &n in ty.shape() {
        let longer = |at: &Vec<i64>| (0..i64::from(n)).map(|k| [&at[..], &[k]].concat()).collect::<Vec<_>>();
        places = places.iter().flat_map(longer).collect();
    }
    let one =
        |at: Vec<i64>| vector::Extract::build(b, value, &[], ty.elem(), &[("static_position", Attr::i64_array(&at))]);
    places.into_iter().map(one).collect()
}

/// Adds functions of the library with what they call; how many.
fn add(module: &mut Module, needed: &BTreeSet<String>) -> Result<u64, Diagnostic> {
    let registry = Registry::new(caustic_dialects::all());
    let library = parse_module(LIBRARY, "library.mlir", &registry);
    let library = library.map_err(|mut all| all.swap_remove(0))?;
    let names = needed.iter().map(|n| Name::new(n));
    let order = CallGraph::of_calls(&library).post_order_from(names);
    let renamed = |name: Name| Name::new(&format!("{}{name}", math::LIBRARY));
    let mut added = 0;
    for name in order {
        let Some(symbol) = library.get(name) else { continue };
        let mut symbol = symbol.clone();
        symbol.name = renamed(name);
        symbol.set_attr(VISIBILITY, Attr::string(PRIVATE));
        for op in symbol.body.walk_all() {
            if let Some(callee) = symbol.body.callee(op) {
                symbol.body.set_attr(op, "callee", Attr::symbol(renamed(callee)));
            }
        }
        // One that is there was added before.
        added += u64::from(module.add(symbol).is_ok());
    }
    Ok(added)
}
