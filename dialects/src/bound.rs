//! What the names of the buffers that a host is going to bind decide about a module in `hl`: how
//! many resources an array without a size has, and which numbers are addresses.
//!
//! A uniform of 64 bits is a number until a buffer is bound by its name: then it is the address of
//! that buffer's contents, as a pointer's is.
//!
//! This module must not know: what is bound, only by which names.

use crate::agg;
use crate::reflect::{self, DataType, PARAM, Param, ParamKind, Scalar};
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, Type};
use rustc_hash::FxHashSet;

/// Prepares a module for buffers of these names.
pub fn prepare<'n>(module: &mut Module, names: impl Iterator<Item = &'n str> + Clone) {
    reflect::size_arrays(module, names.clone());
    let names: FxHashSet<&str> = names.collect();
    let mut addresses = FxHashSet::default();
    for symbol in module.symbols_mut() {
        let Some(param) = Param::of(symbol).filter(|p| is_address(p) && names.contains(p.name.as_str())) else {
            continue;
        };
        let bytes = Param { kind: ParamKind::Pointer, ty: DataType::Scalar(Scalar::U8), ..param };
        symbol.set_attr("type", Attr::ty(contents()));
        symbol.set_attr(PARAM, bytes.to_attr());
        addresses.insert(symbol.name);
    }
    if addresses.is_empty() {
        return;
    }
    for symbol in module.symbols_mut() {
        take_addresses(&mut symbol.body, &addresses);
    }
}

/// Whether a parameter can be the address of what is bound to it.
fn is_address(p: &Param) -> bool {
    p.kind == ParamKind::Uniform && matches!(p.ty, DataType::Scalar(Scalar::U64 | Scalar::I64))
}

fn contents() -> Type {
    agg::buffer_type(Type::int(8), true)
}

/// Where a number was read that is an address now, it is taken.
fn take_addresses(body: &mut Body, addresses: &FxHashSet<Name>) {
    let names = |body: &Body, op: OpId| body.symbol_attr(op, "name").filter(|name| addresses.contains(name));
    let reads: Vec<OpId> = body.all_ops().filter(|&op| body.is(op, agg::Global::DEF)).collect();
    for op in reads {
        let (Some(name), Some(block)) = (names(body, op), body.op(op).block) else { continue };
        let (number, loc) = (body.result(op, 0), body.loc(op));
        let mut b = Builder { body, block, before: Some(op), loc };
        let buffer = agg::Global::build(&mut b, contents(), &[("name", Attr::symbol(name))]);
        let address = agg::Address::build(&mut b, buffer, Type::i64(), &[]);
        body.replace_uses(number, address);
        body.erase_op(op);
    }
}
