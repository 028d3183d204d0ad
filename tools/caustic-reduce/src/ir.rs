//! Changes to modules of IR. What comes out is valid: it is verified before it is tried.

use crate::search::{Candidates, Pass};
use caustic_dialects::{agg, arith};
use caustic_ir::text::{PrintOptions, parse_module, print_module};
use caustic_ir::verify::verify_module;
use caustic_ir::{Body, Builder, Module, OpId, Registry, Type, ValueId};

pub const PASSES: &[Pass] = &[symbols, regions, ops, operands, attributes];

fn read(text: &str) -> Option<Module> {
    parse_module(text, "reduce.mlir", &Registry::new(caustic_dialects::all())).ok()
}

/// The text of a changed module if it is valid, else nothing.
fn written(module: &Module) -> String {
    if verify_module(module).is_empty() { print_module(module, &PrintOptions::default()) } else { String::new() }
}

/// A change of one op of the symbol with that number; whether there was something to change.
type Change = fn(&mut Body, OpId, usize) -> bool;

/// Candidates by (symbol, op, variant), the outermost and last ops first.
fn by_op(text: &str, variants: usize, change: Change) -> Candidates {
    let Some(module) = read(text) else { return Box::new(|_| None) };
    let mut places: Vec<(usize, OpId, usize)> = Vec::new();
    for (s, symbol) in module.symbols().iter().enumerate() {
        let ops = symbol.body.walk_all();
        let ops = ops.into_iter().rev().filter(|&op| !symbol.body.op(op).def.is_terminator());
        places.extend(ops.flat_map(|op| (0..variants).map(move |v| (s, op, v))));
    }
    Box::new(move |index| {
        let &(s, op, variant) = places.get(index)?;
        let mut changed = module.clone();
        let body = &mut changed.symbols_mut()[s].body;
        Some(if change(body, op, variant) { written(&changed) } else { String::new() })
    })
}

/// Leaves out symbols.
fn symbols(text: &str) -> Candidates {
    let Some(module) = read(text) else { return Box::new(|_| None) };
    Box::new(move |index| {
        let gone = module.symbols().get(index)?.name;
        let mut changed = Module::new();
        for symbol in module.symbols().iter().filter(|s| s.name != gone) {
            changed.put(symbol.clone());
        }
        Some(written(&changed))
    })
}

/// The zero of a type in front of `op`, if it has one.
fn zero(body: &mut Body, op: OpId, ty: Type) -> Option<ValueId> {
    let mut b = Builder::before(body, op)?;
    if ty.elem().is_float() || ty.elem().is_int_or_index() {
        return Some(arith::zero(&mut b, ty));
    }
    (agg::part_types(ty).is_some() || agg::as_array(ty).is_some()).then(|| agg::Zero::build(&mut b, ty, &[]))
}

/// Leaves out an op: its results become zeros, or the first value of their type that it reads.
fn ops(text: &str) -> Candidates {
    by_op(text, 2, |body, op, variant| {
        for result in body.results(op).to_vec() {
            let ty = body.ty(result);
            if body.is_unused(result) {
                continue;
            }
            let read = body.operands(op).iter().copied().find(|&v| body.ty(v) == ty);
            let new = if variant == 0 { read } else { zero(body, op, ty) };
            let Some(new) = new else { return false };
            body.replace_uses(result, new);
        }
        body.erase_op(op);
        true
    })
}

/// Puts the code of one region in the place of an op with regions: one way of a branch, one round
/// of a loop.
fn regions(text: &str) -> Candidates {
    by_op(text, 3, |body, op, k| {
        let (Some(block), Some(home)) = (body.region_block(op, k), body.op(op).block) else { return false };
        let Some(end) = body.terminator(block) else { return false };
        let mut given: Vec<ValueId> = body.operands(op).to_vec();
        for arg in body.args(block).to_vec() {
            // The operand of that type that is left, else a zero.
            let ty = body.ty(arg);
            let value = match given.iter().position(|&v| body.ty(v) == ty) {
                Some(at) => given.remove(at),
                None => match zero(body, op, ty) {
                    Some(zero) => zero,
                    None => return false,
                },
            };
            body.replace_uses(arg, value);
        }
        let yielded = body.operands(end).to_vec();
        let skip = yielded.len().saturating_sub(body.results(op).len());
        for inner in body.block_ops(block) {
            if inner != end {
                body.move_op(inner, home, Some(op));
            }
        }
        for (result, &value) in body.results(op).to_vec().into_iter().zip(&yielded[skip..]) {
            if body.ty(result) != body.ty(value) {
                return false;
            }
            body.replace_uses(result, value);
        }
        body.erase_op(op);
        true
    })
}

/// Lets an op read zeros.
fn operands(text: &str) -> Candidates {
    by_op(text, 4, |body, op, k| {
        let Some(&operand) = body.operands(op).get(k) else { return false };
        if body.def_op(operand).is_some_and(|d| arith::Constant::is(body, d) || agg::Zero::is(body, d)) {
            return false;
        }
        let Some(zero) = zero(body, op, body.ty(operand)) else { return false };
        body.set_operand(op, k, zero);
        true
    })
}

/// Leaves out attributes of symbols.
fn attributes(text: &str) -> Candidates {
    let Some(module) = read(text) else { return Box::new(|_| None) };
    let each = |(s, symbol): (usize, &caustic_ir::SymbolOp)| {
        symbol.attrs.iter().map(move |(name, _)| (s, *name)).collect::<Vec<_>>()
    };
    let places: Vec<_> = module.symbols().iter().enumerate().flat_map(each).collect();
    Box::new(move |index| {
        let &(s, name) = places.get(index)?;
        let mut changed = module.clone();
        changed.symbols_mut()[s].remove_attr(&name);
        Some(written(&changed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{State, run};

    #[test]
    fn a_module_keeps_what_the_fault_needs() {
        let text = "module {\n  func.func @other(%x: f32) -> f32 {\n    func.return %x : f32\n  }\n  func.func @f(%x: f32, %c: i1) -> f32 {\n    \
                    %0 = arith.addf %x, %x : f32\n    %1 = scf.if %c -> (f32) {\n      %2 = math.sin %0 : f32\n      scf.yield %2 : f32\n    } else {\n      \
                    scf.yield %0 : f32\n    }\n    %3 = arith.mulf %1, %0 : f32\n    func.return %3 : f32\n  }\n}\n";
        assert!(read(text).is_some(), "{text}");
        let mut state = State::new(text.to_string(), 1);
        run(&mut state, PASSES, &|t| t.contains("math.sin"));
        assert!(!state.text.contains("@other") && !state.text.contains("scf.if"), "{}", state.text);
        assert!(!state.text.contains("mulf") && !state.text.contains("addf"), "{}", state.text);
        assert!(read(&state.text).is_some());
    }
}
