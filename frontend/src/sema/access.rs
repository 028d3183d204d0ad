//! Access control: which code may name which declaration.
//!
//! A `public` declaration can be named everywhere, an `internal` one within its module, and a
//! `private` one by the members of its type, including those of extensions and of nested types.
//! Only declarations that are less than public are recorded, so a program that hides nothing pays
//! nothing.

use super::types::TyKind;
use super::*;
use caustic_ir::codes;

/// How far a declaration is visible; the greater, the farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visibility {
    Private,
    Internal,
    Public,
}

impl Visibility {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Visibility::Private => "private",
            Visibility::Internal => "internal",
            Visibility::Public => "public",
        }
    }

    fn written(mods: &ast::Modifiers) -> Option<(Visibility, ast::Ident)> {
        let all = [Visibility::Private, Visibility::Internal, Visibility::Public];
        mods.words.iter().find_map(|w| all.iter().find(|v| w.name == *v.word()).map(|v| (*v, *w)))
    }
}

/// A declaration that is less than public.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hidden {
    pub visibility: Visibility,
    /// The namespace that declares it.
    pub ns: NsId,
}

impl Checker<'_> {
    /// The visibility of a declaration, stated or implied.
    pub(crate) fn visibility_of(&self, mods: &ast::Modifiers, ns: NsId, owner: Option<Owner>) -> Visibility {
        let Some(module) = self.module_of(ns) else { return Visibility::Public };
        let around = owner.map(|o| self.owner_visibility(o));
        if let (Some(Owner::Interface(_)), Some(v)) = (owner, around) {
            return v;
        }
        let info = &self.modules[module.0 as usize];
        match (Visibility::written(mods), around) {
            (Some((v, _)), _) => v,
            (None, Some(v)) if info.members_follow && !matches!(owner, Some(Owner::Extension(_))) => v,
            (None, _) => info.default,
        }
    }

    /// The visibility of the type, or of the extension, that has these members.
    fn owner_visibility(&self, owner: Owner) -> Visibility {
        match owner {
            Owner::Struct(id) => self.entry_visibility(Entry::Struct(id)),
            Owner::Enum(id) => self.entry_visibility(Entry::Enum(id)),
            Owner::Interface(id) => self.entry_visibility(Entry::Interface(id)),
            Owner::Extension(id) => {
                let info = &self.extensions[id.0 as usize];
                self.visibility_of(info.modifiers(), info.ns, None)
            }
        }
    }

    pub(crate) fn entry_visibility(&self, entry: Entry) -> Visibility {
        self.hidden.get(&entry).map_or(Visibility::Public, |h| h.visibility)
    }

    /// Reports visibilities that make no sense where they are stated.
    pub(crate) fn check_visibility(&mut self, decl: &ast::Decl, ns: NsId, owner: Option<Owner>) {
        let Some((written, word)) = Visibility::written(&decl.mods) else { return };
        let second = decl
            .mods
            .words
            .iter()
            .find(|w| w.name != word.name && matches!(w.name.as_str(), "public" | "internal" | "private"));
        if let Some(second) = second {
            let text = format!("a declaration cannot be both `{}` and `{}`", word.name, second.name);
            self.error(codes::E0228, second.span, text);
            return;
        }
        let around = owner.map(|o| self.owner_visibility(o));
        let wrong = match (written, owner) {
            (Visibility::Private, None) if self.cx.ns.is_none() => Some("only a member of a type can be `private`"),
            (Visibility::Private, Some(Owner::Interface(_))) => {
                Some("a requirement of an interface cannot be `private`")
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            let d = self.error(codes::E0228, word.span, wrong);
            d.notes.push("`internal` hides it from other modules".to_string());
            return;
        }
        // A type within a type can only be named through that one.
        let is_type = matches!(
            decl.kind,
            ast::DeclKind::Struct(_)
                | ast::DeclKind::Enum(_)
                | ast::DeclKind::Interface(_)
                | ast::DeclKind::AssocType(_)
        );
        if let (Some(owner), Some(around)) = (owner, around)
            && written > around
            && !is_type
            && self.module_of(ns).is_some()
        {
            let what = match owner {
                Owner::Struct(_) | Owner::Enum(_) => "type",
                Owner::Interface(_) => "interface",
                Owner::Extension(_) => "extension",
            };
            let text = format!("a member cannot be {} where its {what} is {}", written.word(), around.word());
            let d = self.error(codes::E0228, word.span, text);
            if what == "extension" {
                d.notes.push(format!("write `{} extension`", written.word()));
            }
        }
    }

    /// Reports a type in a signature that is less visible than the declaration with the signature.
    pub(crate) fn check_exposed(&mut self, entry: Entry, ns: NsId, ty: Ty, span: Span) {
        if !self.hidden.is_empty() {
            let stated = self.linkage.visibility_of_export(entry);
            self.check_shown(stated.unwrap_or(self.entry_visibility(entry)), ns, ty, span);
        }
    }

    pub(crate) fn check_shown(&mut self, seen: Visibility, ns: NsId, ty: Ty, span: Span) {
        // A private declaration can use any type that its own type can name.
        if seen == Visibility::Private {
            return;
        }
        let Some((named, hidden)) = self.least_visible(ty) else { return };
        // What another module hides got here under a name that is `extern` here.
        if hidden.visibility >= seen || self.module_of(ns) != self.module_of(hidden.ns) {
            return;
        }
        let shown = self.show(named);
        let at = self.entry_of(named).and_then(|e| self.entry_span(e)).map(|s| self.loc(s));
        let text = format!("this is {}, but `{shown}` is {}", seen.word(), hidden.visibility.word());
        let d = self.error(codes::E0229, span, text);
        if let Some(at) = at {
            d.labels.push((at, "declared here".to_string()));
        }
        d.notes.push("who can name a declaration must be able to name the types in it".to_string());
    }

    fn entry_of(&self, ty: Ty) -> Option<Entry> {
        Some(match ty.kind() {
            TyKind::Struct(id) => Entry::Struct(self.structs[id.0 as usize].instance_of.map_or(*id, |(base, _)| base)),
            TyKind::Enum(id) => Entry::Enum(*id),
            TyKind::Interface(i) => Entry::Interface(i.id),
            _ => return None,
        })
    }

    /// The least visible of the declared types in `ty`.
    fn least_visible(&self, ty: Ty) -> Option<(Ty, Hidden)> {
        let mut least: Option<(Ty, Hidden)> = None;
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            if let Some(hidden) = self.entry_of(ty).and_then(|e| self.hidden.get(&e))
                && least.is_none_or(|(_, l)| hidden.visibility < l.visibility)
            {
                least = Some((ty, *hidden));
            }
            match ty.kind() {
                TyKind::Struct(id) => {
                    if let Some((_, args)) = self.structs[id.0 as usize].instance_of {
                        open.extend(args.iter().filter_map(|a| match a {
                            types::GArg::Ty(t) if *t != ty => Some(*t),
                            _ => None,
                        }));
                    }
                }
                TyKind::Array(t, _) | TyKind::ArrayOf(t, _) | TyKind::Uniform(t, _) | TyKind::Pair(t) => open.push(*t),
                TyKind::Buffer { elem, .. } => open.push(*elem),
                _ => {}
            }
        }
        least
    }

    /// Whether the code that is being checked belongs to the declaration of `ty`.
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

    fn may_see(&self, hidden: Hidden) -> bool {
        let here = self.module_of(self.current_ns());
        match hidden.visibility {
            Visibility::Public => true,
            Visibility::Internal => here.is_none() || here == self.module_of(hidden.ns),
            Visibility::Private => self.this_type_of_ns(hidden.ns).is_none_or(|ty| self.inside_of(ty)),
        }
    }

    /// Whether the code that is being checked may name the declaration.
    pub(crate) fn sees(&self, entry: Entry) -> bool {
        self.hidden.get(&entry).is_none_or(|h| self.may_see(*h))
    }

    fn refuse(&mut self, name: Name, hidden: Hidden, declared: Option<Span>, span: Span) {
        let at = declared.map(|s| self.loc(s));
        let module = self.module_of(hidden.ns).map(|m| self.modules[m.0 as usize].name);
        let owner = self.this_type_of_ns(hidden.ns);
        let (text, note) = match (hidden.visibility, owner, module) {
            (Visibility::Private, Some(ty), _) => {
                let shown = self.show(ty);
                (
                    format!("`{name}` is private to `{shown}`"),
                    "only members of that type, and of its extensions, can name it",
                )
            }
            (_, _, Some(module)) => {
                (format!("`{name}` is internal to module `{module}`"), "`public` lets other modules name it")
            }
            _ => (format!("`{name}` cannot be named here"), "it is not public"),
        };
        let d = self.error(codes::E0227, span, text);
        if let Some(at) = at {
            d.labels.push((at, "declared here".to_string()));
        }
        d.notes.push(note.to_string());
    }

    /// Returns whether a field may be named here; reports it otherwise.
    pub(crate) fn may_name_field(&mut self, id: StructId, name: ast::Ident) -> bool {
        let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
        self.check_deprecated_field(base, name);
        let info = &self.structs[base.0 as usize];
        let Some((_, visibility)) = info.hidden.iter().find(|(n, _)| *n == name.name).copied() else { return true };
        let hidden = Hidden { visibility, ns: info.ns };
        if self.may_see(hidden) {
            return true;
        }
        let info = &self.structs[base.0 as usize];
        let declared = info.field_index.get(&name.name).map(|i| info.fields[*i as usize].span);
        self.refuse(name.name, hidden, declared, name.span);
        false
    }

    /// An inherited field, if it may be named here; reports it otherwise.
    pub(crate) fn seen_field(&mut self, field: Expr, name: ast::Ident) -> Expr {
        let ExprKind::Field { base, .. } = &field.kind else { return field };
        match base.ty.as_struct() {
            Some(id) if !self.may_name_field(id, name) => Expr::error(field.span),
            _ => field,
        }
    }

    /// Whether an initializer list gives this field a value: it does if the field is as visible as
    /// its struct.
    pub(crate) fn is_initialized_by_list(&self, id: StructId, field: Name) -> bool {
        let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
        let of_struct = self.entry_visibility(Entry::Struct(base));
        let hidden = self.structs[base.0 as usize].hidden.iter().find(|(n, _)| *n == field);
        hidden.is_none_or(|(_, v)| *v >= of_struct)
    }

    /// Returns whether a function may be called here; reports it otherwise.
    pub(crate) fn may_call(&mut self, f: FuncId, span: Span) -> bool {
        // An accessor is reported under the name of its property.
        let name = self.funcs[f.0 as usize].name;
        let name = Name::new(name.split_once('.').map_or(name.as_str(), |(property, _)| property));
        self.may_name(Entry::Func(f), ast::Ident { name, span })
    }

    /// Returns whether a declaration may be named here; reports it otherwise.
    pub(crate) fn may_name(&mut self, entry: Entry, name: ast::Ident) -> bool {
        if !matches!(entry, Entry::Func(_)) {
            self.check_deprecated(entry, name.span);
        }
        let Some(hidden) = self.hidden.get(&entry).copied() else { return true };
        if self.may_see(hidden) {
            return true;
        }
        let declared = self.entry_span(entry);
        self.refuse(name.name, hidden, declared, name.span);
        false
    }
}
