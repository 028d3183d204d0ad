//! Lowers the checked tree to a module of `hl`.
//!
//! This module decides nothing about types; it writes down in ops what the tree says. Every op
//! carries the location of the expression or statement that it comes from. An entry point becomes a
//! function without parameters: ops read the thread ids, and its uniform and resource parameters
//! become globals.

mod access;
mod arith;
mod assign;
mod atomic;
mod control;
mod existentials;
mod expr;
mod func;
mod handles;
mod memory;
mod parameters;
mod place;
pub(crate) mod private;
mod quads;
mod reinterpret;
mod tuple;
mod types;
mod uses;

use crate::Span;
use crate::ast;
use crate::sema::Checker;
use crate::sema::tree::*;
use crate::sema::types::{InterfaceRef, Scalar, Ty, TyKind};
use caustic_dialects::reflect::GROUPSHARED;
use caustic_dialects::signature::{
    Direction, NO_DIFF_RESULT, PARAMS, WRITTEN, WRITTEN_RESULT, default_param, param_attr, written_param,
};
use caustic_dialects::{ad, agg, hl};
use caustic_ir::{Attr, Diagnostic, Module, Name, SymbolOp, Type};
use memory::Stored;
use parameters::Parameter;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) struct Lowering<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
    pub module: Module,
    types: FxHashMap<Ty, Type>,
    derivatives: FxHashMap<(FuncId, Vec<Mode>), Name>,
    globals: FxHashMap<GlobalId, Parameter>,
    /// Functions to emit, in the order in which they were needed.
    queue: Vec<FuncId>,
    queued: FxHashMap<FuncId, ()>,
    /// The symbols of the interfaces that are types of values.
    interfaces: FxHashMap<InterfaceRef, Name>,
    /// By type: whether it contains column-major matrices.
    rearranged: FxHashMap<Ty, bool>,
    /// The structs in the elements of buffers, once something has asked.
    in_buffers: Option<FxHashSet<Ty>>,
    pub problems: Vec<Diagnostic>,
}

/// Lowers everything that the program declares, and the parts of the prelude that it uses.
pub(crate) fn lower(checker: &mut Checker<'_>) -> Result<Module, Vec<Diagnostic>> {
    let mut lowering = Lowering {
        checker,
        module: Module::new(),
        types: FxHashMap::default(),
        derivatives: FxHashMap::default(),
        globals: FxHashMap::default(),
        queue: Vec::new(),
        queued: FxHashMap::default(),
        interfaces: FxHashMap::default(),
        rearranged: FxHashMap::default(),
        in_buffers: None,
        problems: Vec::new(),
    };
    lowering.declare_globals();
    for i in 0..lowering.checker.funcs.len() {
        let info = &lowering.checker.funcs[i];
        if !info.is_prelude
            && info.body.is_some()
            && info.gens.is_none()
            && !info.attrs.host
            && (info.instance_of.is_none() || info.attrs.entry.is_some() || info.sampled)
        {
            lowering.need(FuncId(i as u32));
        }
    }
    let mut next = 0;
    while next < lowering.queue.len() || lowering.need_entries() || lowering.need_spaces() {
        let Some(f) = lowering.queue.get(next).copied() else { continue };
        next += 1;
        lowering.function(f);
        if lowering.checker.cancel.is_cancelled() {
            return Err(Vec::new());
        }
    }
    lowering.spaces();
    lowering.witness_tables();
    lowering.form_quads();
    if lowering.problems.is_empty() { Ok(lowering.module) } else { Err(lowering.problems) }
}

/// A literal of this type, perhaps with a sign.
fn literal(e: &ast::Expr, ty: Ty, negative: bool) -> Option<Attr> {
    let TyKind::Scalar(scalar) = ty.kind() else { return None };
    let float = |value: f64| Attr::float(if negative { -value } else { value }, Type::f64());
    Some(match &e.kind {
        ast::ExprKind::Unary { op: ast::UnOp::Neg, arg } if !negative => literal(arg, ty, true)?,
        ast::ExprKind::Int { value, .. } if scalar.is_int() => {
            let value = i64::try_from(*value).ok().filter(|v| *v <= i64::from(i32::MAX))?;
            Attr::i64(if negative { -value } else { value })
        }
        ast::ExprKind::Int { value, .. } if scalar.is_float() && *value < 1 << 20 => float(*value as f64),
        ast::ExprKind::Float { value, .. } if *scalar == Scalar::F32 => float(value.float),
        ast::ExprKind::Float { value, .. } if *scalar == Scalar::F64 => float(value.double),
        ast::ExprKind::Bool(value) if *scalar == Scalar::Bool && !negative => Attr::bool(*value),
        _ => return None,
    })
}

impl Lowering<'_, '_> {
    pub(crate) fn need(&mut self, f: FuncId) -> Name {
        if self.queued.insert(f, ()).is_none() {
            self.queue.push(f);
        }
        self.checker.symbol_of(f)
    }

    pub(crate) fn add(&mut self, symbol: SymbolOp) {
        if let Err(taken) = self.module.add(symbol) {
            let text = format!("two symbols are called @{}", taken.name);
            self.problems.push(Diagnostic::internal(taken.loc, text));
        }
    }

    /// Queues the programmer's functions for arithmetic on differentials, which derivatives call.
    /// Returns whether there were new ones.
    fn need_spaces(&mut self) -> bool {
        let before = self.queue.len();
        if !self.derivatives.is_empty() {
            for f in self.checker.spaces.clone().into_iter().flat_map(|s| [s.zero, s.add]).flatten() {
                self.need(f);
            }
        }
        self.queue.len() > before
    }

    /// Emits the programmer's functions for arithmetic on differentials, by type.
    fn spaces(&mut self) {
        if self.derivatives.is_empty() {
            return;
        }
        for space in self.checker.spaces.clone() {
            let ty = self.ty(space.ty);
            let name = self.checker.fresh_symbol(&format!("space({})", self.checker.show(space.ty)));
            let span = space.ty.as_struct().map_or(Span::default(), |id| self.checker.structs[id.0 as usize].span);
            let mut op = SymbolOp::new(ad::Space::DEF, name, self.checker.loc(span));
            op.set_attr("of", Attr::ty(ty));
            for (key, f) in [("zero", space.zero), ("add", space.add)] {
                if let Some(f) = f {
                    op.set_attr(key, self.callee(f));
                }
            }
            self.add(op);
        }
    }

    fn declare_globals(&mut self) {
        let globals = self.checker.globals.clone();
        let mut blocks: Vec<(Name, Vec<usize>)> = Vec::new();
        for (i, g) in globals.iter().enumerate() {
            if let Some(block) = g.block {
                match blocks.iter_mut().find(|(b, _)| *b == block) {
                    Some((_, members)) => members.push(i),
                    None => blocks.push((block, vec![i])),
                }
                continue;
            }
            // A generic global is used through its instances only.
            if g.gens.is_some() {
                continue;
            }
            if g.groupshared {
                let ir = self.ty(g.ty);
                let symbol = self.checker.fresh_symbol(&g.name);
                let mut op = SymbolOp::new(agg::Resource::DEF, symbol, self.checker.loc(g.span));
                op.set_attr("type", Attr::ty(ir));
                op.set_attr(GROUPSHARED, Attr::unit());
                let held = if let TyKind::Buffer { elem, .. } = g.ty.kind() { *elem } else { g.ty };
                if let Some(written) = self.written_unsigned(held) {
                    op.set_attr(WRITTEN, written.to_attr());
                }
                self.add(op);
                self.globals.insert(GlobalId(i as u32), Parameter::of_symbol(symbol));
                continue;
            }
            let parameter = self.parameter(g.name, self.declared(g.ty, g.layout), g.span, None);
            self.globals.insert(GlobalId(i as u32), parameter);
        }
        for (block, members) in blocks {
            let member = |&i: &usize| (globals[i].name, self.declared(globals[i].ty, globals[i].layout));
            let fields: Vec<(Name, Stored)> = members.iter().map(member).collect();
            let span = globals[members[0]].span;
            for (parameter, &i) in self.block(block, &fields, span).into_iter().zip(&members) {
                self.globals.insert(GlobalId(i as u32), parameter);
            }
        }
    }

    /// The attributes that describe a function's signature.
    fn signature_attrs(&mut self, params: &[Param], ret: Ty, ret_no_diff: bool) -> Vec<(&'static str, Attr)> {
        let mut inputs = Vec::new();
        let mut entries = Vec::new();
        for p in params {
            let ty = self.ty(p.ty);
            let dir = match p.dir {
                Dir::In => Direction::In,
                Dir::Out => Direction::Out,
                Dir::InOut => Direction::InOut,
            };
            inputs.push(if p.dir == Dir::In { ty } else { hl::ref_type(ty) });
            let entry = param_attr(&p.name, dir, p.no_diff);
            let written = self.written_unsigned(p.ty);
            let entry = written.map_or(entry, |written| written_param(entry, &written));
            let default = p.default.as_deref().and_then(|e| literal(e, p.ty, false));
            entries.push(default.map_or(entry, |value| default_param(entry, value)));
        }
        let results: Vec<Type> = if ret.is_void() { Vec::new() } else { vec![self.ty(ret)] };
        let mut out =
            vec![("function_type", Attr::ty(Type::function(&inputs, &results))), (PARAMS, Attr::array(entries))];
        if ret_no_diff {
            out.push((NO_DIFF_RESULT, Attr::unit()));
        }
        if let Some(written) = self.written_unsigned(ret) {
            out.push((WRITTEN_RESULT, written.to_attr()));
        }
        out
    }

    /// The symbol of the derivative of `f` by these modes, of which the last is applied last. Makes
    /// the derivatives of lower order that it needs.
    pub(crate) fn derivative(&mut self, f: FuncId, modes: &[Mode]) -> Name {
        if let Some(name) = self.derivatives.get(&(f, modes.to_vec())) {
            return *name;
        }
        let Some((last, inner)) = modes.split_last() else { return self.need(f) };
        let of = if inner.is_empty() { self.callee(f) } else { Attr::symbol(self.derivative(f, inner)) };
        let sig = self.checker.derived_signature(f, modes);
        let operator = match last {
            Mode::Forward => "fwd_diff",
            Mode::Backward => "bwd_diff",
        };
        let info = &self.checker.funcs[f.0 as usize];
        let span = info.decl.name().map_or(info.decl.span, |n| n.span);
        let shown = of.as_symbol().unwrap_or_else(|| self.checker.symbol_of(f));
        let name = self.checker.fresh_symbol(&format!("{operator}({shown})"));
        // A callee that is dispatched by type becomes a function only when generic code is gone;
        // its derivative is an op of `hl` until then.
        let def = if of.as_symbol().is_some() { ad::Derivative::DEF } else { hl::Derivative::DEF };
        let mut op = SymbolOp::new(def, name, self.checker.loc(span));
        op.set_attr("of", of);
        op.set_attr("mode", Attr::string(if *last == Mode::Forward { "fwd" } else { "bwd" }));
        for (key, value) in self.signature_attrs(&sig.params, sig.ret, sig.ret_no_diff) {
            op.set_attr(key, value);
        }
        self.add(op);
        self.derivatives.insert((f, modes.to_vec()), name);
        name
    }
}
