//! Functions whose parameters are resources, and which buffers are for the derivatives of which.
//!
//! A function that takes buffers is checked by a function of the check's own that takes the other
//! arguments and calls it with buffers that are made for the purpose: to differentiation it is one
//! like any other.

use super::views;
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::arith;
use caustic_dialects::func;
use caustic_dialects::reflect::{DataType, PARAM, Param, ParamKind, Scalar};
use caustic_dialects::signature::{
    BACKWARD_DERIVATIVE, DIFFERENTIABLE, Direction, FORWARD_DERIVATIVE, NO_DIFF_RESULT, PARAMS, Signature,
    holds_handle, param_attr,
};
use caustic_dialects::tex;
use caustic_ir::{Attr, Body, Builder, FloatKind, Module, Name, OpId, SymbolOp, Type, TypeKind, ValueId};
use caustic_passes::analysis::{custom_derivatives, stage};
use caustic_passes::autodiff::pointers;
use std::collections::{BTreeSet, HashMap};

/// Resources of one array that are made.
const MOST_ELEMENTS: u64 = 64;

/// Whether a type is one of the views of the standard library that pair a buffer with that of its
/// derivatives: its first two fields are these. The third is that of its tangents, if it has one of
/// its own.
pub fn is_view(ty: Type) -> bool {
    StructType::of(ty).is_some_and(|s| match s.fields().count() {
        2 => s.name().starts_with("DiffBuffer<") || s.name().starts_with("DiffTensorView<"),
        4 => s.name().starts_with("SecondOrderDiffBuffer<"),
        _ => false,
    })
}

/// Whether a type is a view of a tensor: a buffer with its shape.
fn is_tensor(ty: Type) -> bool {
    use caustic_dialects::reflect::tensor_field::{BYTES, DATA, RANK, SIZES, STEPS};
    StructType::of(ty).is_some_and(|s| s.fields().map(|f| f.name).eq([DATA, RANK, SIZES, STEPS, BYTES]))
}

/// The numbers of a view of a tensor, for the tensors of the check: its dimensions, and along each
/// the size, the elements and the bytes between neighbours. They are its fields from `first` on.
pub fn shape(b: &mut Builder<'_>, ty: Type, first: usize) -> Option<Vec<ValueId>> {
    let s = StructType::of(ty)?;
    let mut parts = Vec::new();
    for (k, numbers) in [&SHAPE[..1], &SHAPE[1..6], &SHAPE[6..11], &SHAPE[11..]].into_iter().enumerate() {
        let ty = s.field(k + first)?.ty;
        let elem = agg::as_array(ty).map_or(ty, |(_, elem)| elem);
        let values: Vec<ValueId> = numbers.iter().map(|n| arith::build::int(b, *n, elem)).collect();
        parts.push(if values.len() > 1 { agg::Make::build(b, &values, ty, &[]) } else { values[0] });
    }
    Some(parts)
}

/// A tensor of 4 by 4 by 4 elements.
const SHAPE: [i64; 16] = [3, 4, 4, 4, 1, 1, 16, 4, 1, 1, 1, 64, 16, 4, 4, 4];

/// Two or three buffers that belong together, by their symbols: elements, derivatives, and tangents
/// where these are elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buffers {
    pub primal: Name,
    pub derivative: Name,
    pub tangent: Option<Name>,
}

impl Buffers {
    pub fn pair((primal, derivative): (Name, Name)) -> Buffers {
        Buffers { primal, derivative, tangent: None }
    }
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

/// What is checked in the place of a function that takes resources.
pub struct Instead {
    pub function: Name,
    /// Buffers that differentiable pointers lead to, each with that of its derivatives.
    pub pairs: Vec<(Name, Name)>,
}

/// The function of the check's own, if `function` takes resources; an error that says why they
/// cannot be made.
pub fn with_buffers(module: &mut Module, function: Name) -> Result<Option<Instead>, String> {
    let takes = |s: &Signature| s.inputs.iter().any(|&t| holds_handle(t));
    if !module.get(function).and_then(Signature::of).is_some_and(|s| takes(&s)) {
        return Ok(None);
    }
    // A differentiable pointer comes with the place of its derivative, in the paired form.
    let called = pointers::paired(module, function).map_err(|e| e.message)?;
    let (Some(symbol), name) = (module.get(called), module.fresh_name(&format!("gradcheck.{function}"))) else {
        return Ok(None);
    };
    let Some(signature) = Signature::of(symbol) else { return Ok(None) };
    if let Some(p) = signature.params.iter().find(|p| p.dir != Direction::In && holds_handle(p.ty)) {
        return Err(format!("its parameter '{}' hands out a resource", p.name));
    }
    let mut make =
        Make { name, resources: Vec::new(), paths: Vec::new(), leaves: Vec::new(), pairs: Vec::new(), view: None };
    // Types and names of what stands in the place of each input.
    let kept = |t: &Type| !holds_handle(*t);
    let mut inputs: Vec<Type> = signature.inputs.iter().copied().filter(kept).collect();
    let first_leaf = inputs.len();
    for p in signature.params.iter().filter(|p| holds_handle(p.ty)) {
        make.plan(p.ty, &p.name).map_err(|what| format!("its parameter '{}' {what}", p.name))?;
    }
    inputs.extend(make.leaves.iter().map(|(_, ty)| *ty));
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
    let mut made = Made { resources: &make.resources, leaves: &args[first_leaf..], view: None };
    let mut operands: Vec<ValueId> = Vec::new();
    for &ty in &signature.inputs {
        let value = if holds_handle(ty) { made.value(&mut b, ty, "") } else { plain.next() };
        operands.push(value.ok_or("it takes what the check cannot make")?);
    }
    let call = func::Call::build(&mut b, &operands, &signature.results, &[("callee", Attr::symbol(called))]);
    let results = b.body.results(call).to_vec();
    func::Return::build(&mut b, &results, &[]);
    for (symbol, ty) in make.resources {
        let Some((kind, data)) = described(ty) else { continue };
        let mut resource = SymbolOp::new(agg::Resource::DEF, symbol, out.loc);
        resource.set_attr("type", Attr::ty(ty));
        resource.set_attr(PARAM, Param { name: symbol, kind, ty: data, entry: None }.to_attr());
        module.put(resource);
    }
    module.put(out);
    Ok(Some(Instead { function: name, pairs: make.pairs }))
}

fn is_resource(ty: Type) -> bool {
    agg::as_buffer(ty).is_some() || tex::TextureType::of(ty).is_some() || tex::is_sampler(ty)
}

/// What reflection says of a resource of the check's own; `None` for what it cannot make. Elements
/// of one byte are taken as bytes: they are drawn so that floats can be read of them.
fn described(ty: Type) -> Option<(ParamKind, DataType)> {
    let of = |read, written, is_written| if is_written { written } else { read };
    if let Some(texture) = tex::TextureType::of(ty) {
        return Some((of(ParamKind::Texture, ParamKind::RwTexture, texture.writable), data_type(texture.elem)?));
    }
    if tex::is_sampler(ty) {
        return Some((ParamKind::Sampler, DataType::Scalar(Scalar::U32)));
    }
    let (elem, writable) = agg::as_buffer(ty).filter(|_| !agg::is_byte_view(ty))?;
    if elem == Type::int(8) {
        let kind = of(ParamKind::ByteAddressBuffer, ParamKind::RwByteAddressBuffer, writable);
        return Some((kind, DataType::Scalar(Scalar::U32)));
    }
    Some((of(ParamKind::Buffer, ParamKind::RwBuffer, writable), data_type(elem)?))
}

/// The halves of a pair of pointers.
fn halves(ty: Type) -> Option<(Type, Type)> {
    let s = StructType::of(ty).filter(|_| pointers::is_pointer_pair(ty))?;
    Some((s.field(0)?.ty, s.field(1)?.ty))
}

struct Make {
    name: Name,
    /// The buffers of the check's own, in order of use.
    resources: Vec<(Name, Type)>,
    /// The names of the fields that lead to each of them.
    paths: Vec<String>,
    /// Names and types of what stands beside them in structs: arguments. Both halves of a pair have
    /// the same.
    leaves: Vec<(Name, Type)>,
    pairs: Vec<(Name, Name)>,
    /// In a view that the program declares: the arguments so far, by name. The buffers of values
    /// and of derivatives lie in the same way, so numbers of one name are one.
    view: Option<Vec<(Name, Type)>>,
}

impl Make {
    fn plan(&mut self, ty: Type, path: &str) -> Result<(), &'static str> {
        if is_resource(ty) {
            if described(ty).is_none() {
                return Err("is a resource whose contents have no type to draw");
            }
            self.resources.push((Name::new(&format!("{}.{path}", self.name)), ty));
            self.paths.push(path.to_string());
        } else if is_tensor(ty) {
            let data = StructType::of(ty).and_then(|s| Some(s.field(0)?.ty)).ok_or("is a tensor without contents")?;
            self.plan(data, path)?;
        } else if !holds_handle(ty) {
            let name = Name::new(path.rsplit('.').next().unwrap_or_default());
            match &mut self.view {
                Some(known) if known.contains(&(name, ty)) => return Ok(()),
                Some(known) => known.push((name, ty)),
                None => {}
            }
            self.leaves.push((name, ty));
        } else if let Some((primal, derivative)) = halves(ty) {
            let (first, begin) = (self.resources.len(), self.leaves.len());
            self.plan(primal, path)?;
            let (second, leaves) = (self.resources.len(), self.leaves.len());
            let to = format!("{path}.d");
            self.plan(derivative, &to)?;
            let (primals, derivatives) = (&self.resources[first..second], &self.resources[second..]);
            let places =
                |paths: &[String], from: &str| paths.iter().map(|p| p[from.len()..].to_string()).collect::<Vec<_>>();
            let placed = || places(&self.paths[first..second], path) == places(&self.paths[second..], &to);
            let alike = primals.len() == derivatives.len()
                && primals.iter().zip(derivatives).all(|(p, d)| fit(p.1, d.1))
                && (primals.len() == 1 || placed())
                && self.leaves[begin..leaves] == self.leaves[leaves..];
            // Nothing says which parts of the one are for which of the other.
            if primal != derivative && !alike {
                return Err("is a pointer whose derivative is one of another type");
            }
            self.leaves.truncate(leaves);
            let is_written = |r: &(Name, Type)| agg::as_buffer(r.1).is_some_and(|(_, is_written)| is_written);
            // No derivative is added to what is only read, such as a table of constants.
            let any_is_written = derivatives.iter().any(is_written);
            let both = primals.iter().zip(derivatives).filter(|(_, d)| !any_is_written || is_written(d));
            self.pairs.extend(both.map(|(p, d)| (p.0, d.0)));
        } else if let Some(s) = StructType::of(ty) {
            let begins = self.view.is_none() && views::of(ty).is_some();
            if begins {
                self.view = Some(Vec::new());
            }
            s.fields().try_for_each(|f| self.plan(f.ty, &format!("{path}.{}", f.name)))?;
            if begins {
                self.view = None;
            }
        } else if let Some((len, elem)) = agg::as_array(ty) {
            if len > MOST_ELEMENTS {
                return Err("is an array of too many resources");
            }
            (0..len).try_for_each(|k| self.plan(elem, &format!("{path}.{k}")))?;
        } else {
            return Err("is no resource that can be made");
        }
        Ok(())
    }
}

/// Whether a buffer can hold the derivatives of what another one holds.
fn fit(primal: Type, derivative: Type) -> bool {
    let elem = |ty: Type| agg::as_buffer(ty).map(|(elem, _)| elem);
    let (Some(p), Some(d)) = (elem(primal), elem(derivative)) else { return primal == derivative };
    p == d || caustic_dialects::ad::differential_type(p) == Some(d)
}

/// What values that hold resources are made of, as planned.
struct Made<'a> {
    resources: &'a [(Name, Type)],
    leaves: &'a [ValueId],
    view: Option<Vec<(Name, ValueId)>>,
}

impl Made<'_> {
    fn value(&mut self, b: &mut Builder<'_>, ty: Type, name: &str) -> Option<ValueId> {
        if is_resource(ty) {
            let (&(name, ty), rest) = self.resources.split_first()?;
            self.resources = rest;
            return Some(agg::Global::build(b, ty, &[("name", Attr::symbol(name))]));
        }
        if is_tensor(ty) {
            let data = self.value(b, StructType::of(ty)?.field(0)?.ty, name)?;
            let mut parts = vec![data];
            parts.extend(shape(b, ty, 1)?);
            return Some(agg::Make::build(b, &parts, ty, &[]));
        }
        if !holds_handle(ty) {
            let same = |&&(n, v): &&(Name, ValueId)| *n == *name && b.body.ty(v) == ty;
            if let Some(&(_, known)) = self.view.iter().flatten().find(same) {
                return Some(known);
            }
            let (&leaf, rest) = self.leaves.split_first()?;
            self.leaves = rest;
            if let Some(known) = &mut self.view {
                known.push((Name::new(name), leaf));
            }
            return Some(leaf);
        }
        if let Some((primal, derivative)) = halves(ty) {
            let leaves = self.leaves;
            let p = self.value(b, primal, name)?;
            // The derivative of an element stands where the element does.
            self.leaves = leaves;
            let d = self.value(b, derivative, name)?;
            return Some(agg::Make::build(b, &[p, d], ty, &[]));
        }
        let fields: Vec<(Type, String)> = match (StructType::of(ty), agg::as_array(ty)) {
            (Some(s), _) => s.fields().map(|f| (f.ty, f.name.to_string())).collect(),
            (_, Some((len, elem))) => vec![(elem, name.to_string()); len as usize],
            _ => return None,
        };
        let begins = self.view.is_none() && views::of(ty).is_some();
        if begins {
            self.view = Some(Vec::new());
        }
        let parts: Option<Vec<ValueId>> = fields.iter().map(|(t, name)| self.value(b, *t, name)).collect();
        if begins {
            self.view = None;
        }
        let parts = parts?;
        Some(agg::Make::build(b, &parts, ty, &[]))
    }
}

/// The views that the program declares: their buffers are read by functions with derivatives of
/// their own. Other structs may hold two buffers as well.
pub fn declared_views(module: &Module) -> Vec<Type> {
    let given = |s: &&SymbolOp| s.attr(BACKWARD_DERIVATIVE).is_some() || s.attr(FORWARD_DERIVATIVE).is_some();
    let taken = module.symbols().iter().filter(given).filter_map(Signature::of).flat_map(|s| s.inputs);
    let mut all: Vec<Type> = Vec::new();
    for ty in taken {
        if !all.contains(&ty) && !is_view(ty) && views::of(ty).is_some() {
            all.push(ty);
        }
    }
    all
}

/// The buffers that views are made of, each with that of its derivatives.
pub fn pairs(module: &Module) -> Vec<Buffers> {
    let mut found: Vec<Buffers> = Vec::new();
    let declared = declared_views(module);
    for symbol in module.symbols() {
        let body = &symbol.body;
        let globals: HashMap<ValueId, Name> = body
            .all_ops()
            .filter(|&op| agg::Global::is(body, op))
            .filter_map(|op| Some((body.result(op, 0), agg::Global(op).name(body)?)))
            .collect();
        for op in body.all_ops().filter(|&op| agg::Make::is(body, op)) {
            let made = body.result(op, 0);
            if let Some((p, d)) = views::of(body.ty(made)).filter(|_| declared.contains(&body.ty(made)))
                && let (Some(primal), Some(derivative)) =
                    (views::at(body, made, &p, &globals), views::at(body, made, &d, &globals))
                && !found.contains(&Buffers::pair((primal, derivative)))
            {
                found.push(Buffers::pair((primal, derivative)));
            }
        }
        for op in body.all_ops().filter(|&op| agg::Make::is(body, op) && is_view(body.ty(body.result(op, 0)))) {
            // Of what a view of tensors is made of, the first part of the first part is the buffer.
            let buffer = |mut v: ValueId| loop {
                if let Some(name) = globals.get(&v) {
                    return Some(*name);
                }
                let made = body.def_op(v).filter(|&op| agg::Make::is(body, op))?;
                v = *body.operands(made).first()?;
            };
            if let [p, d, others @ ..] = body.operands(op)
                && let (Some(primal), Some(derivative)) = (buffer(*p), buffer(*d))
            {
                let tangent = others.first().and_then(|t| buffer(*t));
                let buffers = Buffers { primal, derivative, tangent };
                if !found.contains(&buffers) {
                    found.push(buffers);
                }
            }
        }
    }
    for pair in module.symbols().iter().filter_map(|s| of_places(module, s)).map(Buffers::pair) {
        if !found.contains(&pair) {
            found.push(pair);
        }
    }
    found
}

/// The buffer that a function of a differentiable pointer reads, and the one that its derivatives
/// access beside it.
fn of_places(module: &Module, symbol: &SymbolOp) -> Option<(Name, Name)> {
    let signature = Signature::of(symbol)?;
    signature.params.iter().find_map(pointers::of_parameter)?;
    let globals = |s: &SymbolOp| -> BTreeSet<Name> {
        let body = &s.body;
        let global = |op| agg::Global::is(body, op).then(|| agg::Global(op).name(body)).flatten();
        let is_buffer = |op: &OpId| agg::as_buffer(body.ty(body.result(*op, 0))).is_some();
        body.all_ops().filter(|&op| agg::Global::is(body, op)).filter(is_buffer).filter_map(global).collect()
    };
    let own = globals(symbol);
    let given = [stage::FORWARD, stage::REVERSE].map(|mode| custom_derivatives::derivative(symbol, mode));
    let given = given.into_iter().flatten().filter_map(|name| module.get(name));
    let others: BTreeSet<Name> = given.flat_map(globals).filter(|name| !own.contains(name)).collect();
    Some((*own.first().filter(|_| own.len() == 1)?, *others.first().filter(|_| others.len() == 1)?))
}
