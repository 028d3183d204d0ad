//! Makes the names of one namespace visible in another: `using`, and the imports of a module (see
//! `modules`).

use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// All entries called `name` in a namespace, in those that it uses, and in the namespaces of
    /// other modules that are a part of it here. An entry that is no function hides entries from
    /// elsewhere.
    pub(crate) fn names_in(&self, ns: NsId, name: Name) -> Entries {
        let (used, whole) = (&self.namespaces[ns.0 as usize].using, self.whole(ns));
        let space = &self.namespaces[whole.0 as usize];
        let used: &[NsId] = if whole == ns { &[] } else { used };
        let mut found = space.names.get(&name).cloned().unwrap_or_default();
        // The namespaces that a namespace of another module uses, but not those that the module
        // itself does.
        let used_there = |id: &NsId| {
            let there = &self.namespaces[id.0 as usize];
            there.using.iter().filter(|_| !there.path.is_empty()).copied().collect::<Vec<_>>()
        };
        let alone = used.is_empty() && space.using.is_empty() && space.imports.is_empty();
        if alone || found.iter().any(|e| !matches!(e, Entry::Func(_))) {
            return found;
        }
        let mut add = |id: NsId| {
            for e in self.namespaces[id.0 as usize].names.get(&name).into_iter().flatten() {
                if !found.contains(e) {
                    found.push(*e);
                }
            }
        };
        // The `using` declarations may be circular.
        let mut seen = vec![whole];
        space.imports.iter().for_each(|i| add(*i));
        let mut open: Vec<NsId> = used.iter().chain(&space.using).rev().copied().collect();
        open.extend(space.imports.iter().flat_map(used_there));
        while let Some(id) = open.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            add(id);
            let space = &self.namespaces[id.0 as usize];
            let own = space.names.get(&name);
            if !own.is_some_and(|own| own.iter().any(|e| !matches!(e, Entry::Func(_)))) {
                space.imports.iter().for_each(|i| add(*i));
            }
            open.extend(space.imports.iter().flat_map(used_there));
            open.extend(space.using.iter().rev());
        }
        found
    }

    /// Whether a function that is found in a namespace is one of its own.
    pub(crate) fn declares(&self, ns: NsId, e: Entry) -> bool {
        match e {
            Entry::Func(f) => self.whole(self.funcs[f.0 as usize].ns) == self.whole(ns),
            _ => true,
        }
    }

    /// The entries of a namespace that may be named here. If there are none, all entries, so that
    /// the use is reported.
    pub(crate) fn seen_in(&self, ns: NsId, name: Name) -> Entries {
        let found = self.names_in(ns, name);
        if self.hidden.is_empty() {
            return found;
        }
        let seen: Entries = found.iter().copied().filter(|e| matches!(e, Entry::Func(_)) || self.sees(*e)).collect();
        if seen.is_empty() { found } else { seen }
    }

    /// Resolves the namespaces that `using` declarations name, once all names are collected.
    pub(crate) fn resolve_using(&mut self) {
        for (path, ns) in std::mem::take(&mut self.pending_using) {
            self.cx = BodyCx { ns: Some(ns), ..BodyCx::default() };
            if let Some(used) = self.used_namespace(&path) {
                self.namespaces[ns.0 as usize].using.push(used);
            }
        }
        self.cx = BodyCx::default();
    }

    /// A `using` among statements, which holds up to the end of the block.
    pub(crate) fn use_in_body(&mut self, path: &ast::Expr) {
        let Some(used) = self.used_namespace(path) else { return };
        let ns = self.scope_namespace(self.current_ns());
        self.namespaces[ns.0 as usize].using.push(used);
        self.cx.ns = Some(ns);
    }

    fn used_namespace(&mut self, path: &ast::Expr) -> Option<NsId> {
        let found = self.namespace_scope(path);
        if found.is_none() {
            match &path.kind {
                ast::ExprKind::Name { name, .. } if self.lookup(name.name).is_none() => self.undeclared(name, false),
                _ => {
                    self.error(codes::E0202, path.span, "`using` takes a name space");
                }
            }
        }
        found
    }
}
