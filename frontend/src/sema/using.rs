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
        let mut needs = Vec::new();
        for (path, ns) in std::mem::take(&mut self.pending_using) {
            self.cx = BodyCx { ns: Some(ns), ..BodyCx::default() };
            if let Some(used) = self.used_namespace(&path) {
                self.namespaces[ns.0 as usize].using.push(used);
                if !self.namespaces[ns.0 as usize].path.is_empty() {
                    let ns = self.whole(ns);
                    self.each_space_in(&path, &mut |named| needs.push((ns, named)));
                }
            }
        }
        self.cx = BodyCx::default();
        self.check_circular_using(&needs);
    }

    /// The namespaces that a path names, one within the other.
    fn each_space_in(&mut self, path: &ast::Expr, f: &mut dyn FnMut(NsId)) {
        if let ast::ExprKind::Member { base, .. } = &path.kind {
            self.each_space_in(base, f);
        }
        if let Some(named) = self.namespace_scope(path) {
            f(self.whole(named));
        }
    }

    /// Reports a namespace that names itself in its `using` declarations, or in those of one that
    /// it names. Lookups could tell what is meant, but each needs what the other uses.
    fn check_circular_using(&mut self, needs: &[(NsId, NsId)]) {
        // The number of a namespace is the order in which they are declared.
        let mut from: Vec<NsId> = needs.iter().map(|(ns, _)| *ns).collect();
        from.sort_by_key(|ns| ns.0);
        from.dedup();
        let mut left: Vec<NsId> = Vec::new();
        for start in from {
            let (mut way, mut open) = (Vec::new(), vec![(start, 0)]);
            while let Some((ns, depth)) = open.pop() {
                way.truncate(depth);
                if way.contains(&ns) {
                    return self.report_circular_using(ns, &way);
                }
                if left.contains(&ns) {
                    continue;
                }
                left.push(ns);
                way.push(ns);
                open.extend(needs.iter().rev().filter(|(of, _)| *of == ns).map(|(_, named)| (*named, depth + 1)));
            }
        }
    }

    fn report_circular_using(&mut self, ns: NsId, way: &[NsId]) {
        let (span, path) = (self.namespaces[ns.0 as usize].declared, self.namespaces[ns.0 as usize].path.clone());
        let between: Vec<String> = way
            .iter()
            .skip_while(|at| **at != ns)
            .skip(1)
            .map(|at| format!("`{}`", self.namespaces[at.0 as usize].path))
            .collect();
        let text = match between.is_empty() {
            true => format!("the name space `{path}` uses itself"),
            false => format!("the name space `{path}` uses itself, through {}", between.join(", ")),
        };
        self.error(codes::E0209, span, text);
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
