//! Lowers functions: parameters, entry points, and bodies.

use super::Lowering;
use super::parameters::Parameter;
use super::uses::Uses;
use crate::ast;
use crate::sema::Elsewhere;
use crate::sema::Owner;
use crate::sema::tree::*;
use crate::sema::types::{Shape, Ty, TyKind};
use caustic_dialects::arith::{self, build};
use caustic_dialects::reflect::{ENTRY, Entry};
use caustic_dialects::signature::{self, DIFFERENTIABLE};
use caustic_dialects::{agg, func, gpu, hl, vector};
use caustic_ir::{Attr, BlockId, Body as IrBody, Diagnostic, Loc, Name, OpId, SymbolOp, Type, ValueId, codes};
use rustc_hash::FxHashMap;
use std::sync::Arc as Rc;

/// How a local is represented.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    None,
    Value(ValueId),
    Ref(ValueId),
}

pub(crate) struct FuncLower<'l, 'c, 'a> {
    pub lw: &'l mut Lowering<'c, 'a>,
    pub tree: Rc<Body>,
    pub body: IrBody,
    pub block: BlockId,
    /// The op before which new ops are inserted; `None` for the end of the block.
    pub before: Option<OpId>,
    pub loc: Loc,
    pub locals: Vec<Slot>,
    /// Locals that stand for parameters of an entry point, whose parts are read from symbols.
    pub parameters: FxHashMap<LocalId, Parameter>,
    /// The memory of variables whose address is taken.
    pub private: FxHashMap<LocalId, ValueId>,
    /// By local: whether it is written or lies in memory.
    pub written: Vec<bool>,
    pub addressed: Vec<bool>,
    /// By local: whether it is declared before the switch that its declaration stands in.
    pub hoisted: Vec<bool>,
    pub shared: FxHashMap<*const Expr, ValueId>,
    /// Whether such a constant is being computed.
    pub sharing: bool,
    pub entry: BlockId,
    /// Constants shared by the function stand before this op of the entry block.
    pub anchor: Option<OpId>,
}

impl FuncLower<'_, '_, '_> {
    /// Sets the location of the ops to come.
    pub(crate) fn at(&mut self, e: &Expr) {
        self.loc = self.lw.checker.loc(e.span);
    }
}

/// Why handles are neither made of numbers nor compared.
const NO_BITS: &str = "handles have no bits here: resources are bound by name";
/// Functions of the prelude that programs cannot name, and why they cannot be run.
const UNNAMED: &[(&str, &str)] = &[
    ("__discard", "`discard` is of fragment shaders, which cannot be run here"),
    ("__typedDescriptor", "there are no descriptor heaps here"),
    ("__descriptorFromBits", NO_BITS),
    ("__bitsOfDescriptor", NO_BITS),
    ("__areSameDescriptors", NO_BITS),
    ("__isDescriptorBefore", NO_BITS),
];

impl Lowering<'_, '_> {
    pub(crate) fn function(&mut self, id: FuncId) {
        let symbol = self.checker.symbol_of(id);
        let info = &self.checker.funcs[id.0 as usize];
        let span = info.decl.name().map_or(info.decl.span, |n| n.span);
        let loc = self.checker.loc(span);
        if info.attrs.host {
            let text = format!("`{}` is code of the host, and what runs here calls it", info.name);
            self.problems.push(Diagnostic::error(codes::E0303, loc, text));
            return;
        }
        let (params, ret, ret_no_diff) = (info.params.clone(), info.ret, info.ret_no_diff);
        let (numthreads, intrinsic) = (info.attrs.entry.as_ref().map(|e| e.numthreads), info.intrinsic);
        let mut tree = info.body.clone();
        let missing = tree.as_ref().and_then(|t| t.unavailable.clone());
        if missing.is_some() {
            tree = None;
        }
        let mut op = SymbolOp::new(hl::Func::DEF, symbol, loc);
        let info = &self.checker.funcs[id.0 as usize];
        let path = &self.checker.namespaces[info.ns.0 as usize].path;
        let alone = if path.is_empty() { info.name.to_string() } else { format!("{path}.{}", info.name) };
        if !info.is_prelude && info.instance_of.is_none() && *symbol != *alone {
            op.set_attr(signature::OVERLOADS, Attr::string(&alone));
        }
        let written: &[Param] = if numthreads.is_some() { &[] } else { &params };
        for (key, value) in self.signature_attrs(written, ret, ret_no_diff) {
            op.set_attr(key, value);
        }
        self.set_function_attrs(&mut op, id);
        let inputs: Vec<Type> = match op.function_type() {
            Some((inputs, _)) => inputs.to_vec(),
            None => Vec::new(),
        };
        let tree = match (tree, intrinsic) {
            (Some(t), _) => t,
            (None, Some(name)) => {
                // A function that consists of one op, so that its derivative can be taken.
                self.intrinsic_function(&mut op, name, &inputs, ret);
                return self.add(op);
            }
            (None, None) => {
                match missing {
                    Some(missing) => self.unavailable(&mut op, &missing, &inputs, ret),
                    None => self.declared_function(&mut op, id, &inputs, ret),
                }
                return self.add(op);
            }
        };
        if let Some(names) = self.unsigned_locals(&tree) {
            op.set_attr(signature::UNSIGNED, names);
        }
        let (ret, params) = ((!ret.is_void()).then_some(ret), params.as_slice());
        op.body = self.function_body(&tree, &inputs, loc, ret, |f| match numthreads {
            Some(numthreads) => f.entry_parameters(params, symbol, numthreads),
            None => f.parameters(params),
        });
        self.add(op);
    }

    /// The names of variables that are declared unsigned, unless others of their names are signed.
    fn unsigned_locals(&self, tree: &Body) -> Option<Attr> {
        let integers = |unsigned: bool| {
            let is = move |ty: Ty| match ty.kind() {
                TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix(s, ..) => {
                    s.is_int() && s.is_unsigned() == unsigned
                }
                _ => false,
            };
            tree.locals.iter().filter(move |l| is(l.ty)).map(|l| l.name)
        };
        let signed: Vec<Name> = integers(false).collect();
        let mut names: Vec<Name> = integers(true).filter(|name| !signed.contains(name)).collect();
        names.sort_by_key(|name| name.to_string());
        names.dedup();
        (!names.is_empty()).then(|| Attr::array(names.iter().map(|name| Attr::string(name)).collect()))
    }

    /// Sets the attributes of a function that follow from its attributes in the program and from
    /// its links to derivatives.
    fn set_function_attrs(&mut self, op: &mut SymbolOp, id: FuncId) {
        let info = &self.checker.funcs[id.0 as usize];
        let (attrs, mut links, intrinsic, name) = (info.attrs.clone(), info.links, info.intrinsic, info.name);
        if attrs.entry.is_some() {
            // Nothing calls an entry point, whose parameters are no more: what asks for a kernel's
            // derivative asks the function of its name.
            links = Default::default();
        }
        let synthesized = info.attrs.takes_statics || matches!(info.decl.kind, ast::DeclKind::Empty);
        let derivatives = match () {
            // A custom derivative takes precedence over the derivative zero.
            _ if attrs.zero_derivative && links.gives() => Some(signature::CUSTOM),
            _ if attrs.zero_derivative => Some(signature::ZERO),
            _ if attrs.forward_only => Some("forward"),
            _ if attrs.differentiable || intrinsic.is_some() => Some("both"),
            _ if links.any() => Some(signature::CUSTOM),
            _ => None,
        };
        if let Some(kind) = derivatives {
            op.set_attr(DIFFERENTIABLE, Attr::string(kind));
        }
        for (key, link) in [
            (signature::FORWARD_DERIVATIVE, links.forward),
            (signature::BACKWARD_DERIVATIVE, links.backward),
            (signature::PRIMAL_SUBSTITUTE, links.substitute),
        ] {
            if let Some(link) = link {
                let name = self.need(link.func);
                op.set_attr(key, Attr::symbol(name));
            }
        }
        if synthesized {
            op.set_attr(signature::SYNTHESIZED, Attr::unit());
        }
        if attrs.of_lambda {
            op.set_attr(signature::LAMBDA, Attr::unit());
        }
        if let Some(name) = attrs.begins_static {
            op.set_attr(signature::BEGINS_STATIC, Attr::string(&name));
        }
        if attrs.compares_quad {
            op.set_attr(signature::QUADS, Attr::string(&name));
        }
        if attrs.force_inline {
            op.set_attr("force_inline", Attr::unit());
        }
        if attrs.prefer_checkpoint {
            op.set_attr("prefer", Attr::string("checkpoint"));
        } else if attrs.prefer_recompute {
            op.set_attr("prefer", Attr::string("recompute"));
        }
        let of_stage = |stage| Elsewhere {
            why: Name::new(&format!("this entry point is of the stage `{stage}`, and cannot be run here")),
            targets: Vec::new(),
            labels: Vec::new(),
        };
        if let Some(Elsewhere { why, targets, labels }) = attrs.other_stage.map(of_stage).or(attrs.elsewhere.clone()) {
            let targets = targets.into_iter().map(Attr::string).collect::<Vec<_>>();
            let labels = labels.iter().filter_map(|(loc, text)| signature::label(*loc, text)).collect::<Vec<_>>();
            let all = vec![Attr::string(&why), Attr::array(targets), Attr::array(labels)];
            op.set_attr(signature::ELSEWHERE, Attr::array(all));
        }
        if let Some(missing) = &attrs.open_size {
            let why = format!("{}, and this entry point's number of threads depends on it", missing.why);
            let labels = signature::label(self.checker.loc(missing.declared), "this has no value").into_iter();
            let labels = Attr::array(labels.collect());
            let all = vec![Attr::string(&missing.code), Attr::string(&why), labels];
            op.set_attr(signature::UNAVAILABLE, Attr::array(all));
        }
        if let Some(e) = &attrs.entry {
            let entry = Entry { stage: Name::new("compute"), numthreads: e.numthreads, covers: e.numthreads };
            op.set_attr(ENTRY, entry.to_attr());
        }
    }

    /// The body of a function: its parameters, its statements, and a zero of the result's type if
    /// the end is reached.
    fn function_body(
        &mut self,
        tree: &Rc<Body>,
        inputs: &[Type],
        loc: Loc,
        ret: Option<Ty>,
        parameters: impl FnOnce(&mut FuncLower<'_, '_, '_>),
    ) -> IrBody {
        let (body, block) = body_with(inputs);
        let count = tree.locals.len();
        let uses = Uses::of(tree, self);
        let mut f = FuncLower {
            lw: self,
            tree: tree.clone(),
            body,
            block,
            before: None,
            loc,
            locals: vec![Slot::None; count],
            parameters: FxHashMap::default(),
            private: FxHashMap::default(),
            addressed: uses.addressed,
            written: uses.written,
            hoisted: vec![false; count],
            shared: FxHashMap::default(),
            sharing: false,
            entry: block,
            anchor: None,
        };
        // Marks the place for shared constants; removed at the end if nothing needs it.
        let anchor = f.b().create(hl::Var::DEF, &[], &[hl::ref_type(Type::i1())], &[], 0);
        f.anchor = Some(anchor);
        parameters(&mut f);
        // The last statement can be an `if` that never completes: the block needs a terminator
        // though control does not reach it.
        if f.stmts(&tree.stmts) || f.body.terminator(block).is_none() {
            let values: Vec<ValueId> = ret.map(|ret| f.zero(ret)).into_iter().collect();
            hl::Return::build(&mut f.b(), &values, &[]);
        }
        f.body.erase_op(anchor);
        f.body
    }

    /// The reason why a function without a body cannot be run.
    fn why_declared(&self, id: FuncId) -> String {
        let info = &self.checker.funcs[id.0 as usize];
        if let Some((_, why)) = UNNAMED.iter().find(|(name, _)| info.is_prelude && *info.name == **name) {
            return why.to_string();
        }
        let shown = match info.owner {
            Some(Owner::Struct(of)) if info.name.starts_with('[') => {
                format!("{}[…]", self.checker.structs[of.0 as usize].name.trim_start_matches('_'))
            }
            _ => info.name.to_string(),
        };
        match info.is_prelude {
            true => format!("`{shown}` is of stages that cannot be run here"),
            false => format!("`{shown}` has no body"),
        }
    }

    /// A function that is only declared. Code that runs must not reach it; its body returns zero.
    fn declared_function(&mut self, op: &mut SymbolOp, id: FuncId, inputs: &[Type], ret: Ty) {
        let why = self.why_declared(id);
        let missing = Missing { code: codes::E0303, why, declared: crate::source::Span::default() };
        self.unavailable(op, &missing, inputs, ret);
    }

    /// Marks a function as unavailable, with the reason, and gives it a body that returns zero.
    fn unavailable(&mut self, op: &mut SymbolOp, missing: &Missing, inputs: &[Type], ret: Ty) {
        let at = self.checker.loc(missing.declared);
        let is_elsewhere = missing.declared != crate::source::Span::default();
        let here = signature::label(at, "this cannot run").filter(|_| is_elsewhere).into_iter().collect();
        let why = Attr::array(vec![Attr::string(&missing.code), Attr::string(&missing.why), Attr::array(here)]);
        op.set_attr(signature::UNAVAILABLE, why);
        // Where a derivative calls it, that has to be seen.
        op.set_attr(func::NO_INLINE, Attr::unit());
        let mut f = self.plain_lowerer(op.loc, inputs);
        let values: Vec<ValueId> = (!ret.is_void()).then(|| f.zero(ret)).into_iter().collect();
        hl::Return::build(&mut f.b(), &values, &[]);
        op.body = f.body;
    }

    /// The symbol of an unavailable function that returns a value which is only declared.
    pub(super) fn unavailable_value(&mut self, missing: &Missing, ty: Ty, at: Loc) -> Name {
        let symbol = self.checker.fresh_symbol("unavailable");
        let mut op = SymbolOp::new(hl::Func::DEF, symbol, at);
        for (key, value) in self.signature_attrs(&[], ty, false) {
            op.set_attr(key, value);
        }
        self.unavailable(&mut op, missing, &[], ty);
        self.add(op);
        symbol
    }

    fn intrinsic_function(&mut self, op: &mut SymbolOp, name: Name, inputs: &[Type], ret: Ty) {
        let mut f = self.plain_lowerer(op.loc, inputs);
        let args = f.body.args(f.entry).to_vec();
        let values = if ret.is_void() {
            f.perform(name, &args);
            Vec::new()
        } else {
            vec![f.intrinsic(name, &args, ret)]
        };
        hl::Return::build(&mut f.b(), &values, &[]);
        op.body = f.body;
    }
}

impl<'c, 'a> Lowering<'c, 'a> {
    /// The state for a function whose body is not written in the language.
    fn plain_lowerer(&mut self, loc: Loc, inputs: &[Type]) -> FuncLower<'_, 'c, 'a> {
        let (body, block) = body_with(inputs);
        FuncLower {
            lw: self,
            tree: Rc::default(),
            body,
            block,
            before: None,
            loc,
            locals: Vec::new(),
            parameters: FxHashMap::default(),
            private: FxHashMap::default(),
            addressed: Vec::new(),
            written: Vec::new(),
            hoisted: Vec::new(),
            shared: FxHashMap::default(),
            sharing: false,
            entry: block,
            anchor: None,
        }
    }
}

impl FuncLower<'_, '_, '_> {
    fn parameters(&mut self, params: &[Param]) {
        let args = self.body.args(self.entry).to_vec();
        let locals = self.tree.params.clone();
        for ((p, &arg), local) in params.iter().zip(&args).zip(locals) {
            self.body.set_hint(arg, Some(p.name));
            let l = local.0 as usize;
            if p.dir != Dir::In {
                self.locals[l] = Slot::Ref(arg);
            } else if self.written[l] {
                let reference = self.declare(local);
                hl::Store::build(&mut self.b(), arg, reference, &[]);
            } else {
                self.locals[l] = Slot::Value(arg);
            }
        }
    }

    fn entry_parameters(&mut self, params: &[Param], symbol: Name, sizes: [u32; 3]) {
        let locals = self.tree.params.clone();
        for (p, local) in params.iter().zip(locals) {
            self.loc = self.lw.checker.loc(p.span);
            let v = match p.semantic {
                Some(s) if s.to_ascii_uppercase().starts_with("SV_") => self.system_value((&s, p.name), p.ty, sizes),
                _ if let Some(fields) = self.lw.checker.system_fields(p.ty) => self.system_struct(p.ty, fields, sizes),
                _ => {
                    let parameter = self.lw.parameter(p.name, self.lw.declared(p.ty, p.layout), p.span, Some(symbol));
                    self.parameters.insert(local, parameter);
                    // A parameter that is written is a variable, with the parameter's value as its
                    // initial value.
                    let value = !self.lw.has_resources(p.ty)
                        || self.lw.checker.pointee(p.ty).is_some()
                        || p.ty.as_struct().is_some()
                        || matches!(p.ty.kind(), TyKind::Array(_, Some(_)));
                    if self.written[local.0 as usize] && value {
                        let whole = Expr { ty: p.ty, span: p.span, kind: ExprKind::Local(local) };
                        let v = self.value(&whole);
                        self.parameters.remove(&local);
                        v
                    } else {
                        continue;
                    }
                }
            };
            let l = local.0 as usize;
            if self.written[l] {
                let reference = self.declare(local);
                hl::Store::build(&mut self.b(), v, reference, &[]);
            } else {
                self.locals[l] = Slot::Value(v);
            }
        }
    }

    /// A struct with fields that are thread ids; the others are zero.
    fn system_struct(&mut self, ty: Ty, fields: Vec<Option<(Name, Ty)>>, sizes: [u32; 3]) -> ValueId {
        let declared: Vec<(Name, Ty)> = match ty.as_struct() {
            Some(id) => self.lw.checker.fields(id).iter().map(|f| (f.name, f.ty)).collect(),
            None => Vec::new(),
        };
        let parts: Vec<ValueId> = fields
            .into_iter()
            .zip(declared)
            .map(|(asked, (field, ty))| match asked {
                Some((name, ty)) => self.system_value((&name, field), ty, sizes),
                None => self.zero(ty),
            })
            .collect();
        let ir = self.lw.ty(ty);
        agg::Make::build(&mut self.b(), &parts, ir, &[])
    }

    /// A thread id, in the type that the parameter asks for, by its semantic. Checking has accepted
    /// that. The ids that it is made of are called as the parameter is.
    fn system_value(&mut self, (semantic, called): (&str, Name), ty: Ty, sizes: [u32; 3]) -> ValueId {
        let name = semantic.to_ascii_uppercase();
        let scalar = ty.with_scalar(crate::sema::types::Scalar::U32);
        let of_wave = match name.as_str() {
            "SV_WAVEINDEX" => Some("gpu.subgroup_id"),
            "SV_WAVELANECOUNT" => Some("gpu.subgroup_size"),
            "SV_WAVELANEINDEX" => Some("gpu.lane_id"),
            _ => None,
        };
        if let Some(op) = of_wave {
            let v = self.intrinsic(Name::new(op), &[], Ty::uint());
            return self.convert(v, scalar, ty);
        }
        // There is one device.
        if name == "SV_DEVICEINDEX" {
            return self.zero(ty);
        }
        let v = if name == "SV_GROUPINDEX" {
            let mut sum: Option<ValueId> = None;
            for dim in (0..3).rev() {
                let id = gpu::build_id(&mut self.b(), gpu::ThreadId::DEF, dim);
                sum = Some(match sum {
                    None => id,
                    Some(s) => {
                        let n = build::index(&mut self.b(), sizes[dim] as i64);
                        let scaled = self.b().create_one(arith::MulI::DEF, &[s, n], Type::index(), &[]);
                        self.b().create_one(arith::AddI::DEF, &[scaled, id], Type::index(), &[])
                    }
                });
            }
            match sum {
                Some(s) => {
                    let index = self.index_to_u32(s);
                    self.body.set_hint(index, Some(called));
                    index
                }
                None => self.zero(Ty::uint()),
            }
        } else {
            let def = match name.as_str() {
                "SV_GROUPID" => gpu::BlockId::DEF,
                "SV_GROUPTHREADID" => gpu::ThreadId::DEF,
                _ => gpu::GlobalId::DEF,
            };
            let n = match ty.shape() {
                Shape::Vector(n) => n as usize,
                _ => 1,
            };
            let mut parts = Vec::new();
            for dim in 0..n.min(3) {
                let id = gpu::build_id(&mut self.b(), def, dim);
                self.body.set_hint(id, Some(called));
                parts.push(self.index_to_u32(id));
            }
            match (parts.as_slice(), ty.shape()) {
                ([one], Shape::Scalar) => *one,
                _ => {
                    let ir = self.lw.ty(scalar);
                    vector::from_elements(&mut self.b(), &parts, ir)
                }
            }
        };
        self.convert(v, scalar, ty)
    }
}

/// A body with one block, which takes values of these types.
fn body_with(inputs: &[Type]) -> (IrBody, BlockId) {
    let mut body = IrBody::new();
    let root = body.root();
    let block = body.add_block(root, inputs);
    (body, block)
}
