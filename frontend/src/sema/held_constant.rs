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

    fn held_constant(&mut self, ty: Ty, span: Span, what: &str, or: &str) {
        let Some(holder) = self.holder_of_floats(ty) else { return };
        let shown = self.show(holder);
        let text = format!("{what} is held constant: `{shown}` holds floats and does not conform to `IDifferentiable`");
        let declare = match self.struct_to_declare(holder) {
            Some(name) => format!("declare `struct {name} : IDifferentiable`, or "),
            None => String::new(),
        };
        self.warn(codes::W0312, span, text).notes.push(format!("{declare}{or} if that is meant"));
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
