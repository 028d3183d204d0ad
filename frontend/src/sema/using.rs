//! Names of one name space seen in another: `using`, and what a module imports.

use super::*;

impl Checker<'_> {
    /// Everything called `name` in a name space and in those it uses. What is no function hides what comes by `using`.
    pub(crate) fn names_in(&self, ns: NsId, name: Name) -> Entries {
        let space = &self.namespaces[ns.0 as usize];
        let mut found = space.names.get(&name).cloned().unwrap_or_default();
        if space.using.is_empty() || found.iter().any(|e| !matches!(e, Entry::Func(_))) {
            return found;
        }
        // Uses may be circular.
        let mut seen = vec![ns];
        let mut open: Vec<NsId> = space.using.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let space = &self.namespaces[id.0 as usize];
            for e in space.names.get(&name).into_iter().flatten() {
                if !found.contains(e) {
                    found.push(*e);
                }
            }
            open.extend(space.using.iter().rev());
        }
        found
    }

    /// Looks up what `using` declarations name, once all names are collected.
    pub(crate) fn resolve_using(&mut self) {
        for (path, ns) in std::mem::take(&mut self.pending_using) {
            self.cx = BodyCx { ns: Some(ns), ..BodyCx::default() };
            if let Some(used) = self.used_namespace(&path) {
                self.namespaces[ns.0 as usize].using.push(used);
            }
        }
        self.cx = BodyCx::default();
    }

    /// `using` among statements: holds to the end of the block.
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
                ast::ExprKind::Name { name, .. } if self.lookup(name.name).is_none() => self.undeclared(name),
                _ => {
                    self.error("E0202", path.span, "`using` takes a name space");
                }
            }
        }
        found
    }
}
