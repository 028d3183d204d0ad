//! Passes places that functions update atomically.
//!
//! An `inout` argument is copied in and out, and an update of a copy would not be atomic. So a
//! parameter that a function updates atomically, or passes on to one that does, becomes a pointer
//! to the argument, which has to be in a buffer or in groupshared memory. This runs after generics
//! are gone. Programs without such parameters pay nothing.

use super::*;
use caustic_ir::codes;
use std::collections::BTreeMap;

/// By function: the parameters that it updates, with the places of updates.
type Updated = BTreeMap<FuncId, BTreeMap<usize, Span>>;

/// A parameter that is passed on: by a function, as which of its parameters, to which parameter.
type PassedOn = (FuncId, usize, FuncId, usize);

impl Checker<'_> {
    /// All bodies must be specialized.
    pub(crate) fn pass_places(&mut self) {
        if !self.updates_parameters {
            return;
        }
        let updated = self.updated_parameters();
        if updated.is_empty() {
            return;
        }
        for (f, params) in &updated {
            self.check_updating(*f, params);
        }
        for (f, params) in &updated {
            self.take_pointers(*f, params);
        }
        for f in 0..self.funcs.len() {
            let info = &self.funcs[f];
            let (None, Some(body)) = (info.gens, info.body.clone()) else { continue };
            let mut found = false;
            for s in &body.stmts {
                s.for_each_expr(&mut |e| found = found || calls(e, &updated));
            }
            if !found {
                continue;
            }
            let mut body = (*body).clone();
            for s in &mut body.stmts {
                s.for_each_expr_mut(&mut |e| self.pass_pointers(e, &updated));
            }
            self.funcs[f].body = Some(Rc::new(body));
        }
    }

    fn updated_parameters(&self) -> Updated {
        let mut updated = Updated::new();
        let mut passed: Vec<PassedOn> = Vec::new();
        for (f, info) in self.funcs.iter().enumerate() {
            let (None, Some(body)) = (info.gens, &info.body) else { continue };
            for s in &body.stmts {
                s.for_each_expr(&mut |e| self.note_update(e, FuncId(f as u32), body, &mut updated, &mut passed));
            }
        }
        let mut more = true;
        while more {
            more = false;
            for (caller, from, callee, to) in &passed {
                let Some(span) = updated.get(callee).and_then(|p| p.get(to)).copied() else { continue };
                more |= updated.entry(*caller).or_default().insert(*from, span).is_none();
            }
        }
        updated
    }

    fn note_update(&self, e: &Expr, f: FuncId, body: &Body, updated: &mut Updated, passed: &mut Vec<PassedOn>) {
        // The parameter that a place is a part of, if it is the caller's.
        let parameter = |place: &Expr| {
            let at = body.params.iter().position(|p| Some(*p) == root(place))?;
            (self.funcs[f.0 as usize].params.get(at)?.dir != Dir::In).then_some(at)
        };
        match &e.kind {
            ExprKind::Atomic { place, .. } => {
                if let Some(at) = parameter(place) {
                    updated.entry(f).or_default().entry(at).or_insert(e.span);
                }
            }
            ExprKind::Call { func, args } => {
                for (to, arg) in args.iter().enumerate() {
                    passed.extend(parameter(written(arg)).map(|from| (f, from, func.func, to)));
                }
            }
            _ => {}
        }
        e.for_each_part(&mut |part| self.note_update(part, f, body, updated, passed));
    }

    /// Reports a function that cannot take a pointer instead.
    fn check_updating(&mut self, f: FuncId, params: &BTreeMap<usize, Span>) {
        let info = &self.funcs[f.0 as usize];
        let linked = self.funcs.iter().any(|g| {
            let links = [g.links.forward, g.links.backward, g.links.substitute];
            links.iter().flatten().any(|l| l.func == f)
        });
        let why = if info.attrs.entry.is_some() {
            "an entry point has a copy of what the host gives it"
        } else if info.is_differentiable() || linked {
            "a function with derivatives has a copy of its argument"
        } else if self.existentials.dispatches.iter().any(|d| d.func == f || d.entries.contains(&f)) {
            "a method that is called on a value of an interface has a copy of its argument"
        } else {
            return;
        };
        for (at, span) in params {
            let p = &self.funcs[f.0 as usize].params[*at];
            let (name, declared) = (p.name, p.span);
            let declared = self.loc(declared);
            let text = format!("`{name}` cannot be updated atomically: {why}");
            self.error(codes::E0225, *span, text).labels.push((declared, "the parameter".to_string()));
        }
    }

    /// Makes parameters of a function pointers, and follows them in its body.
    fn take_pointers(&mut self, f: FuncId, params: &BTreeMap<usize, Span>) {
        let Some(body) = self.funcs[f.0 as usize].body.clone() else { return };
        let mut body = (*body).clone();
        let mut pointers: FxHashMap<LocalId, Ty> = FxHashMap::default();
        for at in params.keys() {
            let local = body.params[*at];
            let to = body.locals[local.0 as usize].ty;
            let ty = self.pointer_type(to);
            body.locals[local.0 as usize].ty = ty;
            let info = &mut self.funcs[f.0 as usize];
            (info.params[*at].ty, info.params[*at].dir, info.params[*at].no_diff) = (ty, Dir::In, true);
            if *at == 0 && info.this.is_some() {
                info.this = Some(Dir::In);
            }
            pointers.insert(local, to);
        }
        for s in &mut body.stmts {
            s.for_each_expr_mut(&mut |e| self.follow(e, &pointers));
        }
        self.funcs[f.0 as usize].body = Some(Rc::new(body));
    }

    fn follow(&mut self, e: &mut Expr, pointers: &FxHashMap<LocalId, Ty>) {
        match &e.kind {
            ExprKind::Local(l) => {
                if let Some(to) = pointers.get(l) {
                    *e = Expr { ty: e.ty, ..self.pointed_to(*l, *to, e.span) };
                }
            }
            _ => e.for_each_part_mut(&mut |part| self.follow(part, pointers)),
        }
    }

    /// Passes pointers to the places that calls update.
    fn pass_pointers(&mut self, e: &mut Expr, updated: &Updated) {
        e.for_each_part_mut(&mut |part| self.pass_pointers(part, updated));
        let span = e.span;
        match &mut e.kind {
            ExprKind::Call { func, args } => {
                let Some(params) = updated.get(&func.func) else { return };
                for (at, update) in params {
                    let Some(arg) = args.get_mut(*at) else { continue };
                    let ty = self.funcs[func.func.0 as usize].params[*at].ty;
                    *arg = self.pointer_to(written(arg), ty, func.func, *update);
                }
            }
            ExprKind::CallDeriv { func, .. } | ExprKind::CallOn { func, .. } => {
                let Some(update) = updated.get(&func.func).and_then(|p| p.values().next()) else { return };
                self.not_passed(span, func.func, *update, "this call passes a copy");
            }
            ExprKind::Access(a) => {
                for f in [a.get, a.set].into_iter().flatten() {
                    let Some(update) = updated.get(&f.func).and_then(|p| p.values().next()) else { continue };
                    self.not_passed(span, f.func, *update, "an accessor has a copy of its object");
                }
            }
            _ => {}
        }
    }

    /// A pointer of type `ty` to a place that function `f` updates.
    fn pointer_to(&mut self, place: &Expr, ty: Ty, f: FuncId, update: Span) -> Expr {
        let known = self.diags.len();
        let place = place.clone();
        let of_thread = match root(&place) {
            Some(_) => true,
            None => is_static(&place),
        };
        if !of_thread {
            let pointer = self.check_address_of(&place, place.span);
            if !pointer.ty.is_error() {
                return Expr { ty, ..pointer };
            }
            self.diags.truncate(known);
        }
        let note = match of_thread {
            true => "other threads cannot see a variable of the thread",
            false => "a texel, a property and a part of a packed matrix have no place of their own in memory",
        };
        self.not_passed(place.span, f, update, note);
        Expr::error(place.span)
    }

    fn not_passed(&mut self, span: Span, f: FuncId, update: Span, note: &str) {
        let (name, update) = (self.funcs[f.0 as usize].name, self.loc(update));
        let text =
            format!("`{name}` updates this atomically, which needs a place in a buffer or in groupshared memory");
        let d = self.error(codes::E0225, span, text);
        d.labels.push((update, "updated here".to_string()));
        d.notes.push(note.to_string());
    }
}

/// The variable that a place is a part of.
pub(super) fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(l) => Some(*l),
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => root(base),
        ExprKind::Swizzle { base, comps } if comps.len() == 1 => root(base),
        _ => None,
    }
}

/// A place without the conversion to an integer of the other sign, which has the same bits.
fn written(place: &Expr) -> &Expr {
    match &place.kind {
        ExprKind::Convert(inner) | ExprKind::Retype(inner) => written(inner),
        _ => place,
    }
}

fn is_static(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Static { .. } => true,
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => is_static(base),
        _ => false,
    }
}

/// Whether an expression calls one of these functions.
fn calls(e: &Expr, updated: &Updated) -> bool {
    let called = |f: &FuncRef| updated.contains_key(&f.func);
    let mut found = match &e.kind {
        ExprKind::Call { func, .. } | ExprKind::CallDeriv { func, .. } | ExprKind::CallOn { func, .. } => called(func),
        ExprKind::Access(a) => [a.get, a.set].iter().flatten().any(called),
        _ => false,
    };
    e.for_each_part(&mut |part| found = found || calls(part, updated));
    found
}
