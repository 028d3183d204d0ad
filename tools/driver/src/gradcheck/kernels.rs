//! Kernels that are marked differentiable. A kernel whose code reads or writes by functions with
//! derivatives of their own is checked as the function that it is, called by one thread: what its
//! parameters hold is memory, of which the buffers in views move.

use super::resources;
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::reflect::{ENTRY, PARAM, Param, resource_type, tensor_field};
use caustic_dialects::signature::DIFFERENTIABLE;
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, SymbolOp, Type, ValueId};
use caustic_passes::analysis::custom_derivatives;
use std::collections::HashMap;

/// Makes functions of such kernels.
pub fn as_functions(module: &mut Module) {
    let reading = custom_derivatives::sources(module);
    let is_asked =
        |s: &SymbolOp| s.attr(ENTRY).is_some() && s.attr(DIFFERENTIABLE).is_some() && reading.contains(&s.name);
    let kernels: Vec<Name> = module.symbols().iter().filter(|s| is_asked(s)).map(|s| s.name).collect();
    if kernels.is_empty() {
        return;
    }
    // What a kernel is launched with is drawn like what the program declares for all.
    let mut uniforms: HashMap<Name, Type> = HashMap::new();
    for symbol in module.symbols_mut() {
        let Some(param) = Param::of(symbol).filter(|p| p.entry.is_some_and(|e| kernels.contains(&e))) else { continue };
        symbol.set_attr(PARAM, Param { entry: None, ..param }.to_attr());
        if let Some(ty) = resource_type(symbol).filter(|&ty| has_shape(ty)) {
            uniforms.insert(symbol.name, ty);
        }
    }
    for symbol in module.symbols_mut().iter_mut().filter(|s| kernels.contains(&s.name)) {
        symbol.remove_attr(ENTRY);
        give_shapes(&mut symbol.body, &uniforms);
    }
}

/// Whether a type is what is left of a view of a tensor without its buffer.
fn is_shape(ty: Type) -> bool {
    use tensor_field::{BYTES, RANK, SIZES, STEPS};
    StructType::of(ty).is_some_and(|s| s.fields().map(|f| f.name).eq([RANK, SIZES, STEPS, BYTES]))
}

fn has_shape(ty: Type) -> bool {
    is_shape(ty)
        || agg::as_array(ty).is_some_and(|(_, elem)| has_shape(elem))
        || StructType::of(ty).is_some_and(|s| s.fields().any(|f| has_shape(f.ty)))
}

/// Shapes of tensors are no numbers to be drawn: they are those of the check's buffers.
fn give_shapes(body: &mut Body, uniforms: &HashMap<Name, Type>) {
    let globals: Vec<(OpId, Type)> = body
        .all_ops()
        .filter(|&op| agg::Global::is(body, op))
        .filter_map(|op| Some((op, *uniforms.get(&agg::Global(op).name(body)?)?)))
        .collect();
    for (op, ty) in globals {
        let (old, next) = (body.result(op, 0), body.next_op(op));
        let uses = body.uses(old).to_vec();
        let Some(mut b) = next.and_then(|next| Builder::before(body, next)) else { continue };
        let Some(made) = with_shapes(&mut b, old, ty, &mut Vec::new()) else { continue };
        for used in uses {
            body.set_operand(used.op, used.index as usize, made);
        }
    }
}

/// The part of a value at `path`, which has type `ty`, with the shapes of the check's tensors.
fn with_shapes(b: &mut Builder<'_>, whole: ValueId, ty: Type, path: &mut Vec<i64>) -> Option<ValueId> {
    if is_shape(ty) {
        let parts = resources::shape(b, ty, 0)?;
        return Some(agg::Make::build(b, &parts, ty, &[]));
    }
    if !has_shape(ty) {
        return Some(agg::Extract::build(b, whole, &[], ty, &[("path", Attr::i64_array(path))]));
    }
    let parts: Vec<Type> = match (StructType::of(ty), agg::as_array(ty)) {
        (Some(s), _) => s.fields().map(|f| f.ty).collect(),
        (_, Some((len, elem))) => vec![elem; len as usize],
        _ => return None,
    };
    let mut made = Vec::with_capacity(parts.len());
    for (k, part) in parts.into_iter().enumerate() {
        path.push(k as i64);
        let value = with_shapes(b, whole, part, path);
        path.pop();
        made.push(value?);
    }
    Some(agg::Make::build(b, &made, ty, &[]))
}
