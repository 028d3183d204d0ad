//! Warns about parameters of differentiable functions whose floats are read although the type has
//! no derivative, since it does not conform to `IDifferentiable`, and no `no_diff` states that this
//! is intended. Derivatives that results lose are reported by `diffcheck`.

use super::types::TyKind;
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// Warns about the parameters and the object of a function that is declared differentiable.
    /// `read` tells, by parameter, whether floats are read from it.
    pub(crate) fn check_held_constant(&mut self, f: FuncId, read: &[bool]) {
        let info = &self.funcs[f.0 as usize];
        if info.attrs.zero_derivative {
            return;
        }
        let (params, name) = (info.params.clone(), info.name);
        let (has_this, no_diff_this) = (info.this.is_some(), info.attrs.no_diff_this);
        let declared = self.entry_span(Entry::Func(f)).unwrap_or_default();
        for p in params.iter().filter(|p| p.no_diff) {
            self.idle_no_diff(p.ty, p.span, p.name);
        }
        for (i, (p, _)) in params.iter().zip(read).enumerate().filter(|(_, (_, read))| **read) {
            let is_this = i == 0 && has_this;
            if p.no_diff || p.dir == Dir::Out || is_this && no_diff_this {
                continue;
            }
            match is_this {
                true => {
                    self.held_constant(p.ty, declared, &format!("the object of `{name}`"), "mark it `[NoDiffThis]`")
                }
                false => self.held_constant(p.ty, p.span, &format!("`{}`", p.name), "mark the parameter `no_diff`"),
            }
        }
    }

    /// Warns about `no_diff` before a parameter whose type adds to derivatives by itself.
    fn idle_no_diff(&mut self, ty: Ty, span: Span, name: Name) {
        let Some(adds) = self.adds_derivatives(ty) else { return };
        let text =
            format!("`no_diff` changes nothing: what is read from `{}` still adds to its derivative", self.show(adds));
        let note = format!("write `no_diff(…)` or `detach(…)` around what is read from `{name}`");
        self.warn(codes::W0220, span, text).notes.push(note);
    }

    /// A struct in a type that reads a buffer by functions with a derivative of their own, which
    /// adds to a buffer.
    fn adds_derivatives(&mut self, ty: Ty) -> Option<Ty> {
        match ty.kind() {
            TyKind::Array(t, _) | TyKind::ArrayOf(t, _) => self.adds_derivatives(*t),
            TyKind::Struct(id) => {
                let fields = self.fields(*id).to_vec();
                let holds_buffer = fields.iter().any(|f| matches!(f.ty.kind(), TyKind::Buffer { write: true, .. }));
                if holds_buffer && self.has_custom_derivatives(*id) {
                    return Some(ty);
                }
                fields.iter().find_map(|f| self.adds_derivatives(f.ty))
            }
            _ => None,
        }
    }

    fn has_custom_derivatives(&self, id: StructId) -> bool {
        let info = &self.structs[id.0 as usize];
        let declared = info.instance_of.map_or(info, |(base, _)| &self.structs[base.0 as usize]);
        let Some(ast::DeclKind::Struct(decl)) = declared.decl.as_ref().map(|d| &d.kind) else { return false };
        decl.members.iter().any(|m| m.mods.attrs.iter().any(|a| a.name.name == *"BackwardDerivative"))
    }

    fn held_constant(&mut self, ty: Ty, span: Span, what: &str, or: &str) {
        let Some(holder) = self.holder_of_floats(ty) else { return };
        if self.may_have_any_member(holder) {
            return;
        }
        let shown = self.show(holder);
        let text = format!("{what} is held constant: `{shown}` holds floats and does not conform to `IDifferentiable`");
        let declare = match self.struct_to_declare(holder) {
            Some(name) => format!("declare `struct {name} : IDifferentiable`, or "),
            None => String::new(),
        };
        let adds = self.adds_derivatives(ty).is_some();
        let d = self.warn(codes::W0312, span, text);
        let told = (holder, d.loc);
        let notes = &mut d.notes;
        notes.push(format!("{declare}{or} if that is meant"));
        if adds {
            notes.push("what is read from its buffers adds to their derivatives in any case".to_string());
        }
        self.noted.held.push(told);
    }

    /// Reports, once for each struct, that a derivative is assigned to a field of a struct that
    /// carries none because it does not say that it is differentiable. Returns whether this is what
    /// is wrong there.
    pub(super) fn lost_in_struct(&mut self, ty: Ty, value: Span) -> bool {
        let Some(name) = self.struct_to_declare(ty) else { return false };
        if self.noted.lost.iter().any(|(known, _)| *known == ty) {
            return true;
        }
        let Some(at) = ty.as_struct().and_then(|id| self.entry_span(Entry::Struct(id))) else { return false };
        let value = self.loc(value);
        let text =
            format!("`{name}` does not conform to `IDifferentiable`, and loses the derivatives that it is given");
        let d = self.error(codes::E0310, at, text);
        d.labels.push((value, "one is lost here".to_string()));
        d.notes.push(format!(
            "declare `struct {name} : IDifferentiable`, or write `detach(…)` where a derivative is meant to end"
        ));
        let told = (ty, d.loc);
        self.noted.lost.push(told);
        true
    }

    /// Drops what follows from errors that say which types have to be differentiable: it is one
    /// mistake.
    pub(super) fn drop_told_constants(&mut self) {
        let noted = &mut self.noted;
        let (held, told) = (std::mem::take(&mut noted.held), std::mem::take(&mut noted.undifferentiable));
        let lost = std::mem::take(&mut noted.lost);
        let again = |of: &[(Ty, Loc)], known: &dyn Fn(&Ty) -> bool| -> Vec<Loc> {
            of.iter().filter(|(ty, _)| known(ty)).map(|(_, at)| *at).collect()
        };
        let assigned = again(&lost, &|ty| told.contains(ty));
        let read = again(&held, &|ty| told.contains(ty) || lost.iter().any(|(known, _)| known == ty));
        self.diags.retain(|d| {
            !(d.code == codes::W0312 && read.contains(&d.loc) || d.code == codes::E0310 && assigned.contains(&d.loc))
        });
    }

    /// The type without derivatives that contains parts with derivatives.
    fn holder_of_floats(&mut self, ty: Ty) -> Option<Ty> {
        if self.is_differentiable_type(ty) || self.pointee(ty).is_some() {
            return None;
        }
        match ty.kind() {
            TyKind::Array(t, _) | TyKind::ArrayOf(t, _) => self.holder_of_floats(*t),
            TyKind::Struct(id) => {
                let fields = self.fields(*id).to_vec();
                fields.iter().any(|f| !f.no_diff && self.holds_floats(f.ty)).then_some(ty)
            }
            _ => None,
        }
    }

    /// Whether values of a type contain floats that could carry a derivative.
    pub(crate) fn holds_floats(&mut self, ty: Ty) -> bool {
        self.is_differentiable_type(ty) || self.holder_of_floats(ty).is_some()
    }

    /// The name of a struct of the program, which could be declared differentiable.
    pub(crate) fn struct_to_declare(&self, ty: Ty) -> Option<Name> {
        let info = &self.structs[ty.as_struct()?.0 as usize];
        let declared = info.instance_of.map_or(info, |(base, _)| &self.structs[base.0 as usize]);
        // The prelude is no module.
        let own = declared.decl.is_some() && self.namespaces[declared.ns.0 as usize].module.is_some();
        own.then_some(declared.name)
    }
}
