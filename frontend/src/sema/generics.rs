//! Generic functions and structs, by substitution: an instance is the declaration checked again in a name space where the
//! parameters are bound to the arguments. Constraints are checked at the use.

use super::types::{Scalar, Shape, TyKind};
use super::*;
use ast::DeclKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GArg {
    Ty(Ty),
    Int(i64),
}

/// Instances within instances; more means that a generic needs itself at ever new arguments.
const MAX_INSTANCE_DEPTH: u32 = 64;

/// What is known of a parameter while arguments are looked at.
#[derive(Clone, Copy, Default)]
struct Slot {
    arg: Option<GArg>,
    /// From a scalar where the pattern wants a vector: gives way to anything better.
    weak: bool,
}

impl Checker<'_> {
    fn generic_params(&self, t: TemplateId) -> Vec<ast::GenericParam> {
        match &self.templates[t.0 as usize].decl.kind {
            DeclKind::Func(f) => f.generics.clone(),
            DeclKind::Struct(s) => s.generics.clone(),
            _ => Vec::new(),
        }
    }

    /// The namespace in which the parameters of `t` are bound to `args`.
    fn bind_params(&mut self, t: TemplateId, args: &[GArg]) -> NsId {
        let params = self.generic_params(t);
        let template = &self.templates[t.0 as usize];
        let (outer, owner, name) = (template.ns, template.owner, template.name);
        let texts: Vec<String> = args
            .iter()
            .map(|a| match a {
                GArg::Ty(ty) => self.show(*ty),
                GArg::Int(n) => n.to_string(),
            })
            .collect();
        let shown = format!("{name}.{}", texts.join("."));
        let ns = self.new_namespace(outer, owner, &shown);
        for (p, a) in params.iter().zip(args) {
            let entry = match a {
                GArg::Ty(ty) => Entry::Bound(*ty),
                GArg::Int(n) => Entry::BoundInt(*n, Ty::int()),
            };
            self.define(ns, p.name.name, entry);
        }
        ns
    }

    pub(crate) fn instantiate_func(&mut self, t: TemplateId, args: Vec<GArg>, span: Span) -> Option<FuncId> {
        if let Some(Entry::Func(f)) = self.templates[t.0 as usize].instances.get(&args) {
            return Some(*f);
        }
        let generation = self.cx.generation + 1;
        if self.instance_depth >= MAX_INSTANCE_DEPTH || generation > MAX_INSTANCE_DEPTH {
            let name = self.templates[t.0 as usize].name;
            self.error("E0231", span, format!("`{name}` needs instances of itself without end"));
            return None;
        }
        let ns = self.bind_params(t, &args);
        let template = &self.templates[t.0 as usize];
        let (name, decl, owner, prelude) = (template.name, template.decl.clone(), template.owner, template.is_prelude);
        let f = self.new_func(name, &decl, ns, owner);
        self.funcs[f.0 as usize].template = Some(t);
        self.funcs[f.0 as usize].generation = generation;
        self.funcs[f.0 as usize].is_prelude = prelude;
        self.templates[t.0 as usize].instances.insert(args, Entry::Func(f));
        self.instance_depth += 1;
        self.ensure_signature(f);
        self.instance_depth -= 1;
        Some(f)
    }

    pub(crate) fn instantiate_struct(&mut self, t: TemplateId, args: Vec<GArg>, span: Span) -> Ty {
        let params = self.generic_params(t);
        let args = match self.complete_args(t, &params, args, span) {
            Some(a) => a,
            None => return Ty::error(),
        };
        if let Some(Entry::Struct(s)) = self.templates[t.0 as usize].instances.get(&args) {
            return Ty::new(TyKind::Struct(*s));
        }
        if self.instance_depth >= MAX_INSTANCE_DEPTH {
            let name = self.templates[t.0 as usize].name;
            self.error("E0231", span, format!("`{name}` needs instances of itself without end"));
            return Ty::error();
        }
        let ns = self.bind_params(t, &args);
        let template = &self.templates[t.0 as usize];
        let (name, decl) = (template.name, template.decl.clone());
        let texts: Vec<String> = args
            .iter()
            .map(|a| match a {
                GArg::Ty(ty) => self.show(*ty),
                GArg::Int(n) => n.to_string(),
            })
            .collect();
        let shown = Name::new(&format!("{name}<{}>", texts.join(", ")));
        let id = self.new_struct(name, &decl, ns, Some(shown));
        self.structs[id.0 as usize].instance_of = Some((t, args.clone()));
        self.templates[t.0 as usize].instances.insert(args, Entry::Struct(id));
        self.instance_depth += 1;
        self.collect_members(id);
        self.resolve_fields(id);
        self.instance_depth -= 1;
        Ty::new(TyKind::Struct(id))
    }

    /// Checks the number and kind of written arguments and the constraints; fills in defaults.
    fn complete_args(
        &mut self,
        t: TemplateId,
        params: &[ast::GenericParam],
        mut args: Vec<GArg>,
        span: Span,
    ) -> Option<Vec<GArg>> {
        let name = self.templates[t.0 as usize].name;
        if let Some(p) = params.iter().find(|p| p.variadic) {
            self.unsupported(p.name.span, "a variadic generic parameter");
            return None;
        }
        while args.len() < params.len() {
            let Some(d) = params[args.len()].default.clone() else { break };
            let ns = self.bind_params(t, &args);
            let outer = std::mem::replace(&mut self.cx, BodyCx { ns: Some(ns), ..BodyCx::default() });
            let more = self.generic_args(std::slice::from_ref(&d));
            self.cx = outer;
            args.extend(more?);
        }
        if args.len() != params.len() {
            let text = format!("`{name}` takes {} generic arguments, {} are given", params.len(), args.len());
            self.error("E0208", span, text);
            return None;
        }
        for (p, a) in params.iter().zip(&args) {
            if p.is_value != matches!(a, GArg::Int(_)) {
                let want = if p.is_value { "an integer" } else { "a type" };
                self.error("E0208", span, format!("generic parameter `{}` of `{name}` is {want}", p.name.name));
                return None;
            }
            if let GArg::Ty(ty) = a {
                for b in p.bounds.clone() {
                    match self.conforms(*ty, &b) {
                        Some(true) => {}
                        Some(false) => {
                            let (shown, bound) = (self.show(*ty), bound_name(&b));
                            let at = self.loc(b.span);
                            self.error("E0232", span, format!("`{shown}` does not conform to `{bound}`"))
                                .labels
                                .push((at, "required here".to_string()));
                            return None;
                        }
                        None => {
                            let what = format!("the constraint `{}`", bound_name(&b));
                            self.unsupported(b.span, &what);
                            return None;
                        }
                    }
                }
            }
        }
        Some(args)
    }

    /// Whether `ty` satisfies a constraint; `None` for a constraint that is not known.
    pub(crate) fn conforms(&mut self, ty: Ty, bound: &ast::Expr) -> Option<bool> {
        let scalar = ty.element_scalar();
        let is_scalar = ty.as_scalar().is_some();
        let float = scalar.is_some_and(Scalar::is_float);
        let int = scalar.is_some_and(Scalar::is_int);
        Some(match bound_name(bound).as_str() {
            "IDifferentiable" => self.is_differentiable_type(ty),
            "__BuiltinType" => is_scalar,
            "__BuiltinArithmeticType" => is_scalar && (float || int),
            "__BuiltinFloatingPointType" => is_scalar && float,
            "__BuiltinRealType" => is_scalar && float,
            "__BuiltinSignedArithmeticType" => is_scalar && (float || scalar.is_some_and(Scalar::is_signed_int)),
            "__BuiltinIntegerType" => is_scalar && int,
            "__BuiltinLogicalType" => is_scalar && (int || scalar == Some(Scalar::Bool)),
            "IFloat" => float && !matches!(ty.shape(), Shape::Matrix(..)),
            "IInteger" => int,
            "IArithmetic" => float || int,
            "IDefaultInitializable" => true,
            // The prelude's own: scalars, vectors and matrices alike.
            "__AnyFloat" => float,
            "__AnyInteger" => int,
            "__AnySignedInteger" => scalar.is_some_and(Scalar::is_signed_int),
            "__AnyUnsignedInteger" => scalar.is_some_and(Scalar::is_unsigned),
            "__AnyArithmetic" => float || int,
            "__Bits16" => is_scalar && scalar.is_some_and(|s| s.bits() == 16),
            "__Bits32" => is_scalar && scalar.is_some_and(|s| s.bits() == 32),
            _ => return None,
        })
    }

    /// The arguments of template `t` for a call with arguments of these types; `None` if they cannot be found.
    pub(crate) fn infer(&mut self, t: TemplateId, explicit: Option<&[GArg]>, arg_types: &[Ty]) -> Option<Vec<GArg>> {
        let decl = self.templates[t.0 as usize].decl.clone();
        let DeclKind::Func(f) = &decl.kind else { return None };
        let mut slots = vec![Slot::default(); f.generics.len()];
        let explicit = explicit.unwrap_or(&[]);
        if explicit.len() > slots.len() {
            return None;
        }
        for (slot, a) in slots.iter_mut().zip(explicit) {
            slot.arg = Some(*a);
        }
        let fixed = explicit.len();
        for (p, &ty) in f.params.iter().zip(arg_types) {
            self.unify(&p.ty, ty, &f.generics, &mut slots, fixed);
        }
        let ns = self.templates[t.0 as usize].ns;
        let mut args = Vec::with_capacity(slots.len());
        for (slot, p) in slots.iter().zip(&f.generics) {
            if p.variadic {
                return None;
            }
            let arg = match slot.arg {
                Some(a) => a,
                None => {
                    let d = p.default.clone()?;
                    let outer = std::mem::replace(&mut self.cx, BodyCx { ns: Some(ns), ..BodyCx::default() });
                    let found = self.generic_args(std::slice::from_ref(&d));
                    self.cx = outer;
                    *found?.first()?
                }
            };
            let arg = self.fit_bounds(arg, p)?;
            args.push(arg);
        }
        Some(args)
    }

    /// Adjusts an inferred scalar to its constraint (`sin(1)` is of `float`); `None` if the constraint cannot hold.
    fn fit_bounds(&mut self, arg: GArg, p: &ast::GenericParam) -> Option<GArg> {
        let GArg::Ty(ty) = arg else { return p.is_value.then_some(arg) };
        if p.is_value {
            return None;
        }
        let mut ty = ty;
        for b in &p.bounds {
            if self.conforms(ty, b)? {
                continue;
            }
            // Integers become floats, bools become integers, where that is what is asked for.
            let s = ty.element_scalar()?;
            let tries = if s == Scalar::Bool {
                [Scalar::I32, Scalar::F32]
            } else {
                [structs::float_of(s), structs::float_of(s)]
            };
            let mut found = None;
            for candidate in tries {
                if s.is_float() {
                    break;
                }
                let candidate = ty.with_scalar(candidate);
                if self.conforms(candidate, b) == Some(true) {
                    found = Some(candidate);
                    break;
                }
            }
            ty = found?;
        }
        Some(GArg::Ty(ty))
    }

    fn put(&mut self, slots: &mut [Slot], fixed: usize, i: usize, arg: GArg, weak: bool) {
        if i < fixed {
            return;
        }
        let slot = &mut slots[i];
        match (slot.arg, arg) {
            (None, _) => *slot = Slot { arg: Some(arg), weak },
            (Some(GArg::Ty(a)), GArg::Ty(b)) => {
                if let Some(joined) = ops::join(a, b) {
                    slot.arg = Some(GArg::Ty(joined));
                    slot.weak &= weak;
                } else if slot.weak && !weak {
                    *slot = Slot { arg: Some(arg), weak };
                }
            }
            _ => {}
        }
    }

    fn unify(&mut self, pattern: &ast::Expr, ty: Ty, params: &[ast::GenericParam], slots: &mut [Slot], fixed: usize) {
        use ast::ExprKind as E;
        let param = |e: &ast::Expr| match &e.kind {
            E::Name { name, args: None } => params.iter().position(|p| p.name.name == name.name),
            _ => None,
        };
        if let Some(i) = param(pattern) {
            if !params[i].is_value && *ty.kind() != TyKind::InitList {
                self.put(slots, fixed, i, GArg::Ty(ty), false);
            }
            return;
        }
        match &pattern.kind {
            E::Modified { ty: inner, .. } => self.unify(inner, ty, params, slots, fixed),
            E::ArrayType { elem, size } => {
                if let TyKind::Array(t, n) = ty.kind() {
                    self.unify(elem, *t, params, slots, fixed);
                    if let (Some(n), Some(i)) = (n, size.as_deref().and_then(param)) {
                        self.put(slots, fixed, i, GArg::Int(*n as i64), false);
                    }
                }
            }
            E::Name { name, args: Some(args) } => {
                let sizes: SmallVec<[i64; 2]> = match (name.name.as_str(), ty.kind()) {
                    ("vector", TyKind::Vector(_, n)) => smallvec::smallvec![*n as i64],
                    ("matrix", TyKind::Matrix(_, r, c)) => smallvec::smallvec![*r as i64, *c as i64],
                    ("Array", TyKind::Array(_, Some(n))) => smallvec::smallvec![*n as i64],
                    _ => SmallVec::new(),
                };
                let Some(first) = args.first() else { return };
                match (name.name.as_str(), ty.kind()) {
                    ("vector", TyKind::Scalar(s)) | ("matrix", TyKind::Scalar(s)) => {
                        if let Some(i) = param(first) {
                            self.put(slots, fixed, i, GArg::Ty(Ty::scalar(*s)), true);
                        }
                    }
                    ("vector", TyKind::Vector(s, _)) | ("matrix", TyKind::Matrix(s, ..)) => {
                        self.unify(first, Ty::scalar(*s), params, slots, fixed);
                    }
                    ("Array", TyKind::Array(t, _)) | ("DifferentialPair", TyKind::Pair(t)) => {
                        self.unify(first, *t, params, slots, fixed);
                    }
                    ("RWStructuredBuffer", TyKind::Buffer { elem, write: true })
                    | ("StructuredBuffer", TyKind::Buffer { elem, write: false }) => {
                        self.unify(first, *elem, params, slots, fixed);
                    }
                    (text, TyKind::Struct(id)) => {
                        let Some((t, given)) = self.structs[id.0 as usize].instance_of.clone() else { return };
                        if self.templates[t.0 as usize].name != *text {
                            return;
                        }
                        for (a, g) in args.iter().zip(given) {
                            match (param(a), g) {
                                (Some(i), g) => self.put(slots, fixed, i, g, false),
                                (None, GArg::Ty(inner)) => self.unify(a, inner, params, slots, fixed),
                                _ => {}
                            }
                        }
                        return;
                    }
                    _ => return,
                }
                for (a, n) in args[1..].iter().zip(sizes) {
                    if let Some(i) = param(a) {
                        self.put(slots, fixed, i, GArg::Int(n), false);
                    }
                }
            }
            _ => {}
        }
    }
}

fn bound_name(b: &ast::Expr) -> String {
    match &b.kind {
        ast::ExprKind::Name { name, .. } => name.name.to_string(),
        _ => "this constraint".to_string(),
    }
}
