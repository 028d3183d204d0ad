//! Looks up names: in the scopes of a body, then in the namespaces around it, then in the prelude.

use super::access::{Hidden, Visibility};
use super::members::Member;
use super::*;
use caustic_ir::codes;

/// The result of looking up a name.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Local(LocalId),
    /// A captured variable, or a pointer that is another name of a place.
    Value(Expr),
    Members(Vec<Member>),
}

impl Checker<'_> {
    pub(crate) fn push_scope(&mut self) {
        self.cx.scopes.push(Vec::new());
    }

    pub(crate) fn pop_scope(&mut self) {
        for name in self.cx.scopes.pop().unwrap_or_default() {
            if let Some(stack) = self.cx.names.get_mut(&name) {
                stack.pop();
            }
        }
    }

    fn bind(&mut self, name: Name, entry: LocalEntry) {
        self.cx.names.entry(name).or_default().push(entry);
        if let Some(scope) = self.cx.scopes.last_mut() {
            scope.push(name);
        }
    }

    /// Declares a local variable in the innermost scope.
    pub(crate) fn declare_local(&mut self, local: Local) -> LocalId {
        let id = LocalId(self.cx.locals.len() as u32);
        let (name, span) = (local.name, local.span);
        // A parameter without a name cannot be named.
        if name.is_empty() {
            self.cx.locals.push(local);
            return id;
        }
        if let Some(scope) = self.cx.scopes.last()
            && scope.contains(&name)
            && let Some(LocalEntry::Var(old)) = self.cx.names.get(&name).and_then(|s| s.last()).copied()
        {
            let earlier = self.loc(self.cx.locals[old.0 as usize].span);
            let d = self.error(codes::E0205, span, format!("`{name}` is declared twice in this scope"));
            d.labels.push((earlier, "first declared here".to_string()));
        }
        self.cx.locals.push(local);
        self.bind(name, LocalEntry::Var(id));
        id
    }

    /// Declares another name of a variable of the body.
    pub(crate) fn name_local(&mut self, name: Name, local: LocalId) {
        self.bind(name, LocalEntry::Var(local));
    }

    /// Declares a pointer that is another name of a place.
    pub(crate) fn declare_pointer(&mut self, name: Name, pointer: Expr) {
        self.cx.pointers.push(pointer);
        self.bind(name, LocalEntry::Pointer(self.cx.pointers.len() - 1));
    }

    pub(crate) fn declare_local_item(&mut self, name: Name, entry: Entry) {
        // The members of a local type are as visible as it is.
        let ns = self.current_ns();
        let visibility = self.module_of(ns).map_or(Visibility::Public, |m| self.modules[m.0 as usize].default);
        if matches!(entry, Entry::Struct(_)) && visibility < Visibility::Public {
            self.hidden.entry(entry).or_insert(Hidden { visibility, ns });
        }
        self.bind(name, LocalEntry::Item(entry));
    }

    pub(crate) fn current_ns(&self) -> NsId {
        self.cx.ns.unwrap_or(ROOT)
    }

    /// Adds a name to a namespace. Functions of one name are overloads.
    pub(crate) fn define(&mut self, ns: NsId, name: Name, entry: Entry) {
        let ns = self.whole(ns);
        self.namespaces[ns.0 as usize].names.entry(name).or_default().push(entry);
        // A namespace itself is visible everywhere; only its names can be hidden.
        if self.declaring < Visibility::Public && !matches!(entry, Entry::Namespace(_)) {
            self.hidden.entry(entry).or_insert(Hidden { visibility: self.declaring, ns });
        }
    }

    pub(crate) fn lookup(&mut self, name: Name) -> Option<Found> {
        if let Some(found) = self.local_name(name) {
            return Some(found);
        }
        self.lookup_from(self.current_ns(), name).map(Found::Members)
    }

    /// A name that a body declares, or the body around a lambda.
    pub(crate) fn local_name(&mut self, name: Name) -> Option<Found> {
        match self.cx.names.get(&name).and_then(|s| s.last()).copied() {
            Some(LocalEntry::Var(id)) => Some(Found::Local(id)),
            Some(LocalEntry::Pointer(n)) => self.cx.pointers.get(n).cloned().map(Found::Value),
            Some(LocalEntry::Item(e)) => Some(Found::Members(vec![Member::global(e)])),
            None => self.capture_name(name),
        }
    }

    /// Looks in `ns` and outwards. Functions are collected from all namespaces; anything else ends
    /// the search and hides what is further out. A declaration that may not be named here is only
    /// found if there is no other; for functions, overload resolution decides that.
    pub(crate) fn lookup_from(&mut self, ns: NsId, name: Name) -> Option<Vec<Member>> {
        self.load_prelude(name);
        let mut found: Vec<Member> = Vec::new();
        let mut out_of_sight: Vec<Member> = Vec::new();
        let mut at = Some(ns);
        while let Some(id) = at {
            let space = &self.namespaces[id.0 as usize];
            let (parent, owner) = (space.parent, space.owner);
            let own = self.names_in(id, name);
            let mut here = match owner {
                // Another extension may declare a type of the same name for another interface.
                Some(Owner::Extension(_)) if matches!(own.first(), Some(Entry::Alias(_))) => {
                    own.into_iter().map(|e| Member { of_type: true, ..Member::global(e) }).collect()
                }
                // While the interface or the extension is being resolved, it has only the names
                // that it declares.
                Some(owner) if self.is_resolved(owner) => {
                    let ty = self.this_type(owner);
                    self.type_members(ty, name)
                }
                _ => {
                    let of_type = owner.is_some();
                    own.into_iter().map(|e| Member { of_type, ..Member::global(e) }).collect()
                }
            };
            if let Some(alias) = self.cx.aliasing {
                here.retain(|m| m.entry != Entry::Alias(alias));
            }
            if !self.hidden.is_empty() {
                let (seen, unseen) =
                    here.into_iter().partition(|m| matches!(m.entry, Entry::Func(_)) || self.sees(m.entry));
                here = seen;
                out_of_sight.extend::<Vec<Member>>(unseen);
            }
            if let Some(first) = here.first() {
                let functions = matches!(first.entry, Entry::Func(_));
                if functions && !found.is_empty() {
                    // A namespace that is used further out can contain what was found already.
                    here.retain(|m| !found.iter().any(|f| f.entry == m.entry));
                }
                if functions || found.is_empty() {
                    found.extend(here);
                }
                if !functions {
                    break;
                }
            }
            at = parent;
        }
        if found.is_empty() {
            found = out_of_sight;
        }
        (!found.is_empty()).then_some(found)
    }

    fn is_resolved(&self, owner: Owner) -> bool {
        match owner {
            // The members of a struct are looked up by name together with those of its extensions,
            // which is only necessary if there are any.
            Owner::Struct(id) => self.says_bases(id) || !self.extensions.is_empty() || self.interfaces.len() > 1,
            Owner::Enum(_) => true,
            Owner::Interface(id) => self.interfaces[id.0 as usize].is_resolved(),
            Owner::Extension(id) => !self.extensions[id.0 as usize].target.is_error(),
        }
    }

    /// Parses and declares the prelude's declarations under `name`, once.
    pub(crate) fn load_prelude(&mut self, name: Name) {
        if !self.prelude.has(name) {
            return;
        }
        let (decls, errors) = self.prelude.take(name, self.sources);
        self.diags.extend_from_slice(errors);
        let outer = std::mem::replace(&mut self.loading_prelude, true);
        // Scopes of the body that is being checked must not be visible to the prelude.
        let cx = std::mem::take(&mut self.cx);
        self.collect(decls, ROOT, None);
        self.cx = cx;
        self.loading_prelude = outer;
    }

    /// Reports a name that stands for several declarations that are no overloads: imports do not
    /// hide each other.
    pub(crate) fn check_one(&mut self, found: &[Member], name: ast::Ident) {
        let [first, second, ..] = found else { return };
        if first.of_type || matches!(first.entry, Entry::Func(_)) && matches!(second.entry, Entry::Func(_)) {
            return;
        }
        let places: Vec<Loc> =
            found.iter().filter_map(|m| self.entry_span(m.entry)).map(|s| self.sources.loc(s)).collect();
        let d = self.error(codes::E0230, name.span, format!("`{}` could be one of several declarations", name.name));
        d.labels.extend(places.into_iter().map(|at| (at, "could be this".to_string())));
        d.notes.push("name spaces keep the names of modules apart".to_string());
    }
}
