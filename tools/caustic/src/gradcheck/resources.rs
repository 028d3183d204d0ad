//! Functions whose parameters are resources, and which buffers are for the derivatives of which.
//!
//! A function that takes buffers is checked by a function of the check's own that takes the other arguments and calls it with buffers that are made for
//! the purpose: to differentiation it is one like any other.

use caustic_dialects::agg::{self, StructType};
use caustic_dialects::func;
use caustic_dialects::reflect::{DataType, PARAM, Param, ParamKind, Scalar};
use caustic_dialects::signature::{
    DIFFERENTIABLE, Direction, NO_DIFF_RESULT, PARAMS, Signature, holds_handle, param_attr,
};
use caustic_ir::{Attr, Body, Builder, FloatKind, Module, Name, SymbolOp, Type, TypeKind, ValueId};
use std::collections::HashMap;

/// The view of the standard library that pairs a buffer with that of its derivatives.
fn is_view(ty: Type) -> bool {
    StructType::of(ty).is_some_and(|s| s.name().starts_with("DiffBuffer<") && s.fields().count() == 2)
}

/// What reflection says of a type in memory; `None` for types without a place there.
fn data_type(ty: Type) -> Option<DataType> {
    let scalar = |ty: Type| {
        Some(match ty.kind() {
            TypeKind::Int(1) => Scalar::Bool,
            TypeKind::Int(8) => Scalar::I8,
            TypeKind::Int(16) => Scalar::I16,
            TypeKind::Int(32) => Scalar::I32,
            TypeKind::Int(64) => Scalar::I64,
            TypeKind::Float(FloatKind::F16) => Scalar::F16,
            TypeKind::Float(FloatKind::F32) => Scalar::F32,
            TypeKind::Float(FloatKind::F64) => Scalar::F64,
            _ => return None,
        })
    };
    Some(match ty.shape() {
        [] => match (agg::as_array(ty), StructType::of(ty)) {
            (Some((len, elem)), _) => DataType::Array { len, elem: Box::new(data_type(elem)?) },
            (_, Some(s)) => DataType::Struct {
                name: Name::new(s.name()),
                fields: s.fields().map(|f| Some((Name::new(f.name), data_type(f.ty)?))).collect::<Option<_>>()?,
            },
            _ => DataType::Scalar(scalar(ty)?),
        },
        &[len] => DataType::Vector { len, elem: scalar(ty.elem())? },
        &[rows, cols] => DataType::Matrix { rows, cols, elem: scalar(ty.elem())?, by_columns: false },
        _ => return None,
    })
}

/// The function of the check's own, if `function` takes resources; `None` if it does not, or if they cannot be made.
pub fn with_buffers(module: &mut Module, function: Name) -> Option<Name> {
    let symbol = module.get(function)?;
    let signature = Signature::of(symbol)?;
    if !signature.inputs.iter().any(|&t| holds_handle(t)) {
        return None;
    }
    // A differentiable pointer comes with the place of its derivative, which only a caller of the derivative has.
    let is_pointer = |ty: Type| StructType::of(ty).is_some_and(|s| s.is_pointer());
    if signature.params.iter().any(|p| is_pointer(p.ty) || p.dir != Direction::In && holds_handle(p.ty)) {
        return None;
    }
    let name = module.fresh_name(&format!("gradcheck.{function}"));
    let mut make = Make { name, resources: Vec::new(), leaves: Vec::new() };
    // Types and names of what stands in the place of each input.
    let kept = |t: &Type| !holds_handle(*t);
    let mut inputs: Vec<Type> = signature.inputs.iter().copied().filter(kept).collect();
    let first_leaf = inputs.len();
    for p in signature.params.iter().filter(|p| holds_handle(p.ty)) {
        make.plan(p.ty, &p.name)?;
    }
    inputs.extend(&make.leaves);
    let mut out = SymbolOp::new(func::Func::DEF, name, symbol.loc);
    out.set_attr("function_type", Attr::ty(Type::function(&inputs, &signature.results)));
    out.set_attr(DIFFERENTIABLE, Attr::string("both"));
    if let Some(attr) = symbol.attr(NO_DIFF_RESULT) {
        out.set_attr(NO_DIFF_RESULT, attr);
    }
    let mut params: Vec<Attr> = signature
        .params
        .iter()
        .filter(|p| !holds_handle(p.ty))
        .map(|p| param_attr(&p.name, p.dir, p.no_diff))
        .collect();
    params.extend((0..make.leaves.len()).map(|k| param_attr(&format!("part{k}"), Direction::In, true)));
    out.set_attr(PARAMS, Attr::array(params));
    out.body = Body::new();
    let root = out.body.root();
    let block = out.body.add_block(root, &inputs);
    let args = out.body.args(block).to_vec();
    let mut b = Builder::at_end(&mut out.body, block, symbol.loc);
    let mut plain = args[..first_leaf].iter().copied();
    let mut leaves = args[first_leaf..].iter().copied();
    let mut made = make.resources.iter().map(|(name, ty)| (*name, *ty));
    let mut operands: Vec<ValueId> = Vec::new();
    for &ty in &signature.inputs {
        operands.push(if holds_handle(ty) { value(&mut b, ty, &mut made, &mut leaves)? } else { plain.next()? });
    }
    let call = func::Call::build(&mut b, &operands, &signature.results, &[("callee", Attr::symbol(function))]);
    let results = b.body.results(call).to_vec();
    func::Return::build(&mut b, &results, &[]);
    for (symbol, ty) in make.resources {
        let (elem, writable) = agg::as_buffer(ty)?;
        let mut resource = SymbolOp::new(agg::Resource::DEF, symbol, out.loc);
        resource.set_attr("type", Attr::ty(ty));
        let kind = if writable { ParamKind::RwBuffer } else { ParamKind::Buffer };
        let param = Param { name: symbol, kind, ty: data_type(elem)?, entry: None };
        resource.set_attr(PARAM, param.to_attr());
        module.put(resource);
    }
    module.put(out);
    Some(name)
}

struct Make {
    name: Name,
    /// The buffers of the check's own, in order of use.
    resources: Vec<(Name, Type)>,
    /// Types of what stands beside them in structs: arguments.
    leaves: Vec<Type>,
}

impl Make {
    fn plan(&mut self, ty: Type, path: &str) -> Option<()> {
        if let Some((elem, _)) = agg::as_buffer(ty) {
            data_type(elem).filter(|_| !agg::is_byte_view(ty))?;
            self.resources.push((Name::new(&format!("{}.{path}", self.name)), ty));
        } else if !holds_handle(ty) {
            self.leaves.push(ty);
        } else if let Some(s) = StructType::of(ty) {
            s.fields().try_for_each(|f| self.plan(f.ty, &format!("{path}.{}", f.name)))?;
        } else {
            let (len, elem) = agg::as_array(ty)?;
            (0..len.min(64)).try_for_each(|k| self.plan(elem, &format!("{path}.{k}")))?;
        }
        Some(())
    }
}

/// A value that holds resources, from those planned.
fn value(
    b: &mut Builder<'_>,
    ty: Type,
    made: &mut dyn Iterator<Item = (Name, Type)>,
    leaves: &mut dyn Iterator<Item = ValueId>,
) -> Option<ValueId> {
    if agg::as_buffer(ty).is_some() {
        let (name, ty) = made.next()?;
        return Some(agg::Global::build(b, ty, &[("name", Attr::symbol(name))]));
    }
    if !holds_handle(ty) {
        return leaves.next();
    }
    let types: Vec<Type> = match (StructType::of(ty), agg::as_array(ty)) {
        (Some(s), _) => s.fields().map(|f| f.ty).collect(),
        (_, Some((len, elem))) => vec![elem; len as usize],
        _ => return None,
    };
    let parts: Vec<ValueId> = types.into_iter().map(|t| value(b, t, made, leaves)).collect::<Option<_>>()?;
    Some(agg::Make::build(b, &parts, ty, &[]))
}

/// The buffers that views are made of, each with that of its derivatives.
pub fn pairs(module: &Module) -> Vec<(Name, Name)> {
    let mut found: Vec<(Name, Name)> = Vec::new();
    for symbol in module.symbols() {
        let body = &symbol.body;
        let globals: HashMap<ValueId, Name> = body
            .all_ops()
            .filter(|&op| agg::Global::is(body, op))
            .filter_map(|op| Some((body.result(op, 0), body.attr(op, "name")?.as_symbol()?)))
            .collect();
        for op in body.all_ops().filter(|&op| agg::Make::is(body, op) && is_view(body.ty(body.result(op, 0)))) {
            if let [p, d] = body.operands(op)
                && let (Some(&p), Some(&d)) = (globals.get(p), globals.get(d))
                && !found.contains(&(p, d))
            {
                found.push((p, d));
            }
        }
    }
    found
}
