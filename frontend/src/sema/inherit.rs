//! Structs that inherit from a struct: the inherited struct is their first part, and its members
//! are found through it.

use super::types::TyKind;
use super::*;
use caustic_ir::codes;

/// The name of that part. No name in a program begins like this.
pub(crate) const BASE_FIELD: &str = "__base";

impl Checker<'_> {
    /// The struct that a struct inherits from, in terms of its own parameters.
    fn written_base(&mut self, id: StructId) -> Option<Ty> {
        let info = &self.structs[id.0 as usize];
        let (decl, ns) = (info.decl.clone()?, info.ns);
        let ast::DeclKind::Struct(s) = &decl.kind else { return None };
        let first = s.bases.first()?;
        let cx = BodyCx { ns: self.namespaces[ns.0 as usize].parent, ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        // A base that is not a type is reported when conformances are resolved.
        let before = self.diags.len();
        let ty = match &first.kind {
            ast::ExprKind::Name { .. } | ast::ExprKind::Member { .. } => self.try_type(first),
            _ => None,
        };
        self.diags.truncate(before);
        self.cx = outer;
        ty.filter(|t| t.as_struct().is_some())
    }

    /// Whether the struct has anything after its `:`.
    pub(crate) fn says_bases(&self, id: StructId) -> bool {
        let decl = self.structs[id.0 as usize].decl.as_deref();
        matches!(decl.map(|d| &d.kind), Some(ast::DeclKind::Struct(s)) if !s.bases.is_empty())
    }

    /// The field that holds the inherited struct.
    pub(crate) fn base_field(&mut self, id: StructId) -> Option<Field> {
        let ty = self.written_base(id)?;
        let span = self.structs[id.0 as usize].span;
        let name = Name::new(BASE_FIELD);
        Some(Field { name, ty, no_diff: false, span, default: None, is_const: false, member: None, layout: None })
    }

    /// The struct that values of type `ty` inherit from.
    pub(crate) fn base_of(&mut self, ty: Ty) -> Option<Ty> {
        let id = ty.as_struct()?;
        let info = &self.structs[id.0 as usize];
        if info.state == State::Done {
            let first = info.fields.first()?;
            return (first.name == *BASE_FIELD).then_some(first.ty);
        }
        // The fields may be just being resolved, and their types may have inherited names.
        let declared = info.instance_of.map_or(id, |(base, _)| base);
        let base = self.known_base(declared)?;
        let s = self.struct_subst(id);
        Some(self.subst(base, &s))
    }

    /// The struct that a declaration inherits from. `None` as well for one that inherits from
    /// itself, which is reported when its fields are resolved.
    fn known_base(&mut self, id: StructId) -> Option<Ty> {
        if let Some(known) = self.structs[id.0 as usize].base {
            return known;
        }
        if !self.says_bases(id) {
            return None;
        }
        self.structs[id.0 as usize].base = Some(None);
        let base = self.written_base(id);
        let mut at = base;
        while let Some(inner) = at.and_then(|t| t.as_struct()) {
            let declared = self.structs[inner.0 as usize].instance_of.map_or(inner, |(base, _)| base);
            if declared == id {
                return None;
            }
            at = self.known_base(declared);
        }
        // What is just being resolved around this may be the reason that nothing was found.
        self.structs[id.0 as usize].base = base.map(Some);
        base
    }

    /// The part of a value that has type `to`, if its type inherits from that.
    pub(crate) fn as_base(&mut self, e: Expr, to: Ty) -> Expr {
        let (mut at, span) = (e.clone(), e.span);
        while at.ty != to {
            let Some(ty) = self.base_of(at.ty) else { return e };
            at = Expr { ty, span, kind: ExprKind::Field { base: at.into(), index: 0 } };
        }
        at
    }

    /// The object of a method: the part of the value that has the method.
    pub(crate) fn object_for(&mut self, object: Expr, method: FuncRef) -> Expr {
        if self.base_of(object.ty).is_none() {
            return object;
        }
        let info = &self.funcs[method.func.0 as usize];
        let (Some(this), gens) = (info.params.first().map(|p| p.ty), info.gens) else { return object };
        let s = generics::Subst::new(&self.all_params(gens), &method.args);
        let this = self.subst(this, &s);
        self.as_base(object, this)
    }

    /// The number of inheritance steps from one type to the other; `None` if it does not inherit
    /// from it.
    pub(crate) fn inherits(&mut self, from: Ty, to: Ty) -> Option<u32> {
        if !matches!((from.kind(), to.kind()), (TyKind::Struct(_), TyKind::Struct(_))) {
            return None;
        }
        let (mut at, mut steps) = (from, 0);
        while at != to {
            at = self.base_of(at)?;
            steps += 1;
        }
        Some(steps)
    }

    /// An inherited field, as a part of `e`.
    pub(crate) fn inherited_field(&mut self, e: &Expr, name: Name) -> Option<Expr> {
        let span = e.span;
        let mut at = e.clone();
        loop {
            let ty = self.base_of(at.ty)?;
            at = Expr { ty, span, kind: ExprKind::Field { base: at.into(), index: 0 } };
            let id = ty.as_struct()?;
            self.resolve_fields(id);
            if let Some(index) = self.structs[id.0 as usize].field_index.get(&name).copied() {
                let ty = self.structs[id.0 as usize].fields[index as usize].ty;
                return Some(Expr { ty, span, kind: ExprKind::Field { base: at.into(), index } });
            }
        }
    }
}

impl Checker<'_> {
    /// The name of the module of `ns`, if the code that is being checked belongs to another one.
    fn other_module(&self, ns: NsId) -> Option<Name> {
        let (there, here) = (self.module_of(ns)?, self.module_of(self.current_ns())?);
        (there != here).then(|| self.modules[there.0 as usize].name)
    }

    /// Reports a conformance to an interface that another module keeps to itself.
    pub(crate) fn check_sealed(&mut self, bound: bounds::Bound, span: Span) {
        let bounds::Bound::Interface(i) = bound else { return };
        let info = &self.interfaces[i.id.0 as usize];
        let sealed = info.decl.as_ref().is_some_and(|d| d.mods.attr("sealed").is_some());
        let (ns, at) = (info.ns, info.span);
        if let Some(module) = self.other_module(ns).filter(|_| sealed) {
            let text =
                format!("`{}` is `[sealed]`: only in module `{module}` something conforms to it", self.show_ref(i));
            let at = self.loc(at);
            self.error(codes::E0285, span, text).labels.push((at, "declared here".to_string()));
        }
    }

    /// Reports a struct that inherits from one of another module which is not `[open]`.
    pub(crate) fn check_open(&mut self, base: Ty, span: Span) {
        let Some(id) = base.as_struct() else { return };
        let info = &self.structs[id.0 as usize];
        let says = |name: &str| info.decl.as_ref().is_some_and(|d| d.mods.attr(name).is_some());
        let (open, sealed, ns, at) = (says("open"), says("sealed"), info.ns, info.span);
        if open && !sealed {
            return;
        }
        let Some(module) = self.other_module(ns) else { return };
        let (shown, at) = (self.show(base), self.loc(at));
        let why = if sealed { "is `[sealed]`" } else { "is not `[open]`" };
        let text = format!("`{shown}` {why}: only in module `{module}` something inherits from it");
        self.error(codes::E0285, span, text).labels.push((at, "declared here".to_string()));
    }
}
