//! Access control: what is `private` is named only by members of its own type, those of extensions included.

use super::members::Member;
use super::types::TyKind;
use super::*;

impl Checker<'_> {
    /// Whether what is being checked belongs to the declaration of `ty`.
    fn inside_of(&self, ty: Ty) -> bool {
        let mut at = Some(self.current_ns());
        while let Some(id) = at {
            let space = &self.namespaces[id.0 as usize];
            if space.owner.is_some_and(|o| self.head(self.this_type(o)) == self.head(ty)) {
                return true;
            }
            at = space.parent;
        }
        false
    }

    fn refuse_private(&mut self, name: Name, ty: Ty, declared: Option<Span>, span: Span) {
        let shown = self.show(ty);
        let at = declared.map(|s| self.loc(s));
        let d = self.error("E0227", span, format!("`{name}` is private to `{shown}`"));
        if let Some(at) = at {
            d.labels.push((at, "declared here".to_string()));
        }
        d.notes.push("only members of that type, and of its extensions, can name it".to_string());
    }

    /// Reports a private field that is named from outside; whether it may be.
    pub(crate) fn may_name_field(&mut self, id: StructId, name: ast::Ident) -> bool {
        let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
        let ty = Ty::new(TyKind::Struct(id));
        if !self.structs[base.0 as usize].private.contains(&name.name) || self.inside_of(ty) {
            return true;
        }
        let info = &self.structs[base.0 as usize];
        let declared = info.field_index.get(&name.name).map(|i| info.fields[*i as usize].span);
        self.refuse_private(name.name, ty, declared, name.span);
        false
    }

    /// Reports a private function that is called from outside; whether it may be.
    pub(crate) fn may_call(&mut self, f: FuncId, span: Span) -> bool {
        let info = &self.funcs[f.0 as usize];
        let (Some(owner), true) = (info.owner, info.decl.mods.has("private")) else { return true };
        let name = info.name;
        let ty = self.this_type(owner);
        if self.inside_of(ty) {
            return true;
        }
        let declared = self.entry_span(Entry::Func(f));
        self.refuse_private(name, ty, declared, span);
        false
    }

    /// Reports a private constant, variable or type that is named from outside; whether it may be.
    pub(crate) fn may_name(&mut self, m: &Member, name: ast::Ident) -> bool {
        let (ns, private) = match m.entry {
            Entry::Const(c) => (self.consts[c.0 as usize].ns, self.consts[c.0 as usize].decl.mods.has("private")),
            Entry::Static(s) => (self.statics[s.0 as usize].ns, self.statics[s.0 as usize].is_private()),
            _ => return true,
        };
        let Some(ty) = self.this_type_of_ns(ns).filter(|t| private && !self.inside_of(*t)) else { return true };
        let declared = self.entry_span(m.entry);
        self.refuse_private(name.name, ty, declared, name.span);
        false
    }
}
