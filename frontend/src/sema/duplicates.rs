//! Functions that are declared twice: a prototype and its function, or a mistake.

use super::generics::{Constraint, Subst};
use super::types::ParamId;
use super::*;
use caustic_ir::codes;

/// The types of parameters, how they are passed, and whether they are handles of resources.
type Parameters = Vec<(Ty, Dir, bool)>;

impl Checker<'_> {
    /// Checks functions with the same parameters: one of them may be a prototype of the other;
    /// everything else is an error.
    pub(crate) fn check_duplicates(&mut self) {
        let mut seen: FxHashMap<(NsId, Name, bool, Parameters), FuncId> = FxHashMap::default();
        for i in 0..self.funcs.len() {
            let f = &self.funcs[i];
            // Only a call of constructors can be ambiguous.
            if f.is_prelude || f.declares_generics || f.is_constructor {
                continue;
            }
            // Parameters of unknown types can have different types.
            if f.params.iter().any(|p| p.ty.is_error()) {
                continue;
            }
            let id = FuncId(i as u32);
            let key = (self.whole(f.ns), f.name, f.decl.mods.has("__postfix"), self.parameters_of(id));
            let Some(&old) = seen.get(&key) else {
                seen.insert(key, id);
                continue;
            };
            match (self.funcs[old.0 as usize].has_body, self.funcs[i].has_body) {
                (true, true) => self.defined_twice(old, id),
                (false, true) => {
                    self.same_result(old, id);
                    self.same_derivatives(old, id);
                    self.join_defaults(old, id, id);
                    self.drop_prototype(old);
                    self.defined.insert(old, id);
                    seen.insert(key, id);
                }
                (_, false) => {
                    self.same_result(old, id);
                    self.same_derivatives(id, old);
                    self.join_defaults(old, id, old);
                    self.drop_prototype(id);
                    self.defined.insert(id, old);
                }
            }
        }
        self.check_same_calls();
    }

    fn parameters_of(&self, f: FuncId) -> Parameters {
        let params = &self.funcs[f.0 as usize].params;
        params.iter().map(|p| (p.ty, p.dir, self.handles.contains(&p.span))).collect()
    }

    /// Reports functions with bodies that no call could tell apart: those that differ only in
    /// `static`, `[mutating]` or in `out` for `inout`, and generic ones with the same parameters
    /// and bounds under other names.
    fn check_same_calls(&mut self) {
        let mut seen: FxHashMap<(NsId, Name, bool, usize), Vec<FuncId>> = FxHashMap::default();
        for i in 0..self.funcs.len() {
            let f = &self.funcs[i];
            if f.is_prelude || !f.has_body || f.is_constructor || f.instance_of.is_some() {
                continue;
            }
            if f.params.iter().any(|p| p.ty.is_error()) {
                continue;
            }
            let around = match f.declares_generics {
                true => self.namespaces[f.ns.0 as usize].parent.unwrap_or(f.ns),
                false => f.ns,
            };
            let around = self.whole(around);
            let own = if f.declares_generics { self.own_params(f.gens).len() } else { 0 };
            let (id, key) = (FuncId(i as u32), (around, f.name, f.decl.mods.has("__postfix"), own));
            let earlier = seen.entry(key).or_default().clone();
            match earlier.into_iter().find(|old| self.called_alike(*old, id)) {
                // The other check has reported it.
                Some(old) if own == 0 && self.parameters_of(old) == self.parameters_of(id) => {}
                Some(old) => self.defined_twice(old, id),
                None => seen.entry(key).or_default().push(id),
            }
        }
    }

    /// Whether two functions of one scope take the same arguments.
    fn called_alike(&mut self, old: FuncId, new: FuncId) -> bool {
        let (a, b) = (&self.funcs[old.0 as usize], &self.funcs[new.0 as usize]);
        let written = |f: &FuncInfo| f.params[usize::from(f.this.is_some())..].to_vec();
        let (mine, others) = (written(b), written(a));
        if mine.len() != others.len() || a.decl.mods.has("__prefix") != b.decl.mods.has("__prefix") {
            return false;
        }
        let mut s = Subst::default();
        if a.declares_generics != b.declares_generics {
            return false;
        }
        if b.declares_generics {
            let (gens, of_old) = (b.gens, a.gens);
            let (own, to) = (self.own_params(gens).to_vec(), self.own_params(of_old).to_vec());
            let alike = |p: &ParamId, q: &ParamId| {
                let (p, q) = (&self.params[p.0 as usize], &self.params[q.0 as usize]);
                p.value == q.value && p.variadic == q.variadic
            };
            if !own.iter().zip(&to).all(|(p, q)| alike(p, q)) {
                return false;
            }
            let args: Vec<_> = to.iter().map(|p| self.param_arg(*p)).collect();
            s = Subst::new(&own, &args);
            if !self.same_constraints(gens, of_old, &s) {
                return false;
            }
        }
        let passed = |d: Dir| d == Dir::In;
        mine.iter().zip(&others).all(|(p, q)| {
            let handles = self.handles.contains(&p.span) == self.handles.contains(&q.span);
            handles && passed(p.dir) == passed(q.dir) && self.subst(p.ty, &s) == q.ty
        })
    }

    /// Whether two generic declarations have the same constraints, in any order.
    fn same_constraints(&mut self, new: Option<GenId>, old: Option<GenId>, s: &Subst) -> bool {
        let of = |c: &Self, g: Option<GenId>| -> Vec<Constraint> {
            g.map_or(Vec::new(), |g| c.generics[g.0 as usize].constraints.clone())
        };
        let (new, old) = (of(self, new), of(self, old));
        let moved: Vec<_> = new.iter().map(|c| (self.subst(c.ty, s), self.subst_bound(c.bound, s))).collect();
        moved.len() == old.len() && old.iter().all(|c| moved.iter().any(|(ty, b)| *ty == c.ty && *b == c.bound))
    }

    fn defined_twice(&mut self, old: FuncId, new: FuncId) {
        let (span, earlier) = (self.entry_span(Entry::Func(new)), self.entry_span(Entry::Func(old)));
        let text = format!("`{}` is defined twice with the same parameters", self.funcs[new.0 as usize].name);
        let earlier = self.loc(earlier.unwrap_or_default());
        let d = self.error(codes::E0205, span.unwrap_or_default(), text);
        d.labels.push((earlier, "first defined here".to_string()));
        // A call of it would be ambiguous, which is no other mistake.
        self.drop_prototype(new);
    }

    /// Gives the declaration that is kept the default values of both. The first one that gives a
    /// parameter a default value decides, as in slangc.
    fn join_defaults(&mut self, first: FuncId, second: FuncId, kept: FuncId) {
        for i in 0..self.funcs[kept.0 as usize].params.len() {
            let of = |f: FuncId| self.funcs[f.0 as usize].params.get(i).and_then(|p| p.default.clone());
            let default = of(first).or_else(|| of(second));
            self.funcs[kept.0 as usize].params[i].default = default;
        }
    }

    /// Checks that a prototype and its function have the same result.
    fn same_result(&mut self, old: FuncId, new: FuncId) {
        let (had, has) = (self.funcs[old.0 as usize].ret, self.funcs[new.0 as usize].ret);
        if had == has || had.is_error() || has.is_error() {
            return;
        }
        let (had, has, name) = (self.show(had), self.show(has), self.funcs[new.0 as usize].name);
        let earlier = self.entry_span(Entry::Func(old)).unwrap_or_default();
        let (earlier, span) = (self.loc(earlier), self.entry_span(Entry::Func(new)).unwrap_or_default());
        self.error(codes::E0205, span, format!("`{name}` returns `{has}`, and was declared to return `{had}`"))
            .labels
            .push((earlier, "first declared here".to_string()));
    }

    /// Checks that a prototype and its function declare the same derivatives.
    fn same_derivatives(&mut self, prototype: FuncId, function: FuncId) {
        let says = |c: &Self, f: FuncId| {
            let info = &c.funcs[f.0 as usize];
            let without: Vec<bool> = info.params.iter().map(|p| p.no_diff).collect();
            let a = &info.attrs;
            (a.differentiable, a.forward_only, a.zero_derivative, a.no_diff_this, info.ret_no_diff, without)
        };
        if says(self, prototype) == says(self, function) {
            return;
        }
        let name = self.funcs[function.0 as usize].name;
        let earlier = self.entry_span(Entry::Func(prototype)).unwrap_or_default();
        let (earlier, span) = (self.loc(earlier), self.entry_span(Entry::Func(function)).unwrap_or_default());
        let d = self.error(
            codes::E0205,
            span,
            format!("`{name}` is declared twice, and differently as to its derivatives"),
        );
        d.labels.push((earlier, "the other declaration".to_string()));
        d.notes.push("write `[Differentiable]`, `[NoDiffThis]` and `no_diff` at both, or at neither".to_string());
    }

    fn drop_prototype(&mut self, f: FuncId) {
        let info = &self.funcs[f.0 as usize];
        let (mut ns, name) = (info.ns, info.name);
        if info.declares_generics {
            ns = self.namespaces[ns.0 as usize].parent.unwrap_or(ns);
        }
        let ns = self.whole(ns);
        if let Some(entries) = self.namespaces[ns.0 as usize].names.get_mut(&name) {
            entries.retain(|e| *e != Entry::Func(f));
        }
    }
}
