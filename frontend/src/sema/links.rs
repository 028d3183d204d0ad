//! Custom derivatives and substitutes: `[ForwardDerivative]`, `[BackwardDerivative]`,
//! `[PrimalSubstitute]` and their `…Of` forms, which state the same at the derivative (user guide,
//! "User-Defined Derivative Functions").
//!
//! A link is stored with the primal function, with its target in terms of the primal's generic
//! parameters. The target is chosen by signature: that of `fwd_diff(f)` or `bwd_diff(f)`, or for a
//! substitute that of `f` itself.

use super::deriv::Sig;
use super::expr::{Group, Res};
use super::generics::Subst;
use super::members::Member;
use super::types::{Args, GArg, TyKind};
use super::*;
use caustic_ir::codes;

/// The functions that replace the derivatives that differentiation would make of a function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Links {
    pub forward: Option<FuncRef>,
    pub backward: Option<FuncRef>,
    pub substitute: Option<FuncRef>,
    /// For a generic function: whether some instances have a forward, or a backward, derivative
    /// that is attached from outside.
    pub outside: [bool; 2],
}

impl Links {
    pub fn any(&self) -> bool {
        self.forward.is_some() || self.backward.is_some() || self.substitute.is_some()
    }
    /// Whether there is a custom derivative.
    pub fn gives(&self) -> bool {
        self.forward.is_some() || self.backward.is_some()
    }
    /// Whether no derivative is made from the function's own code.
    pub fn replace_the_body(&self) -> bool {
        self.substitute.is_some() || self.forward.is_some() && self.backward.is_some()
    }
    pub fn each_mut(&mut self) -> [&mut Option<FuncRef>; 3] {
        [&mut self.forward, &mut self.backward, &mut self.substitute]
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Forward,
    Backward,
    Substitute,
}

/// The attributes, with the kind of link that each makes, and whether it is written at the
/// derivative instead of the primal function.
const ATTRIBUTES: [(&str, Kind, bool); 6] = [
    ("ForwardDerivative", Kind::Forward, false),
    ("BackwardDerivative", Kind::Backward, false),
    ("PrimalSubstitute", Kind::Substitute, false),
    ("ForwardDerivativeOf", Kind::Forward, true),
    ("BackwardDerivativeOf", Kind::Backward, true),
    ("PrimalSubstituteOf", Kind::Substitute, true),
];

pub(crate) fn is_link(attribute: &str) -> bool {
    ATTRIBUTES.iter().any(|(name, ..)| *name == attribute)
}

impl Checker<'_> {
    /// Resolves the links of all functions that were added since the last call, because the
    /// prelude's are loaded on demand. The signatures of the program's functions must be known.
    pub(crate) fn resolve_links(&mut self) {
        while self.linked < self.funcs.len() {
            let id = FuncId(self.linked as u32);
            self.linked += 1;
            let info = &self.funcs[id.0 as usize];
            if info.instance_of.is_some() {
                continue;
            }
            let decl = info.decl.clone();
            self.refuse_treating_requirement(id, &decl);
            // An attribute of a prototype is one of the function.
            let id = self.defined.get(&id).copied().unwrap_or(id);
            for a in &decl.mods.attrs {
                let found = ATTRIBUTES.iter().find(|(name, ..)| a.name.name == **name);
                if let Some(&(_, kind, reversed)) = found {
                    self.ensure_signature(id);
                    self.resolve_link(id, a, kind, reversed);
                }
            }
        }
    }

    /// Reports `[TreatAsDifferentiable]` on a requirement: it has no code, and its implementations
    /// decide.
    fn refuse_treating_requirement(&mut self, id: FuncId, decl: &ast::Decl) {
        let info = &self.funcs[id.0 as usize];
        let required = matches!(info.owner, Some(Owner::Interface(_))) && !info.is_prelude;
        let Some(a) = decl.mods.attr("TreatAsDifferentiable").filter(|_| required) else { return };
        let text =
            format!("`{}` is required by an interface: what implements it can be treated as differentiable", info.name);
        self.error(codes::E0307, a.span, text).notes.push(
            "mark the requirement `[Differentiable]`, and what implements it `[TreatAsDifferentiable]`".to_string(),
        );
    }

    /// Reports substitutes of functions with custom derivatives. A substitute is only
    /// differentiated where there is no custom derivative: with both there is nothing left for it,
    /// and with one the other derivative would be that of a different function.
    pub(crate) fn check_substitutes(&mut self) {
        for i in 0..self.funcs.len() {
            let info = &mut self.funcs[i];
            let links = &mut info.links;
            if links.substitute.is_none() || !links.gives() || info.is_prelude {
                continue;
            }
            if links.forward.is_some() && links.backward.is_some() {
                links.substitute = None;
                continue;
            }
            let (name, span) = (info.name, info.decl.name().map_or(info.decl.span, |n| n.span));
            let (has, lacks) = if links.forward.is_some() { ("forward", "backward") } else { ("backward", "forward") };
            let text = format!(
                "`{name}` is given a {has} derivative and a substitute, which would be another function's in each mode"
            );
            self.error(codes::E0307, span, text)
                .notes
                .push(format!("give it a {lacks} derivative, too, or leave the substitute out"));
        }
    }

    fn resolve_link(&mut self, on: FuncId, a: &ast::Attribute, kind: Kind, reversed: bool) {
        let [named] = a.args.as_slice() else {
            self.error(codes::E0220, a.span, format!("`[{}]` takes the name of a function", a.name.name));
            return;
        };
        let ns = self.funcs[on.0 as usize].ns;
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let group = self.resolve(named);
        let hidden = match &group {
            Res::Funcs(g) if g.members.iter().all(|m| !self.sees(m.entry)) => {
                g.members.iter().find_map(|m| m.as_func())
            }
            _ => None,
        };
        let seen = hidden.is_none_or(|f| self.may_call(f, named.span));
        self.cx = outer;
        if !seen {
            return self.note_misspelt_link(on, kind, reversed);
        }
        let mut group = match group {
            Res::Funcs(g) => g,
            Res::Val(v) if v.ty.is_error() => {
                self.note_misspelt_link(on, kind, reversed);
                return;
            }
            _ => {
                self.error(codes::E0220, named.span, format!("`[{}]` takes the name of a function", a.name.name));
                return;
            }
        };
        let builtin = |m: &members::Member| m.as_func().is_some_and(|f| self.funcs[f.0 as usize].is_prelude);
        // As in calls, a function of the program takes precedence over builtins of the same name.
        if !group.members.iter().all(builtin) {
            group.members.retain(|m| !builtin(m));
        }
        if reversed && group.members.iter().any(builtin) {
            let name = group.name.name;
            self.error(codes::E0307, named.span, format!("`{name}` is a builtin function, whose derivative is known"))
                .notes
                .push(format!("give the derivative to a function of your own that calls `{name}`"));
            return;
        }
        let mut fitting: Vec<(FuncId, FuncRef)> = Vec::new();
        for m in &group.members {
            let Entry::Func(other) = m.entry else { continue };
            self.ensure_signature(other);
            let (primal, target) = if reversed { (other, on) } else { (on, other) };
            let written = if reversed { None } else { group.explicit.as_deref() };
            if let Some(link) = self.fits(primal, target, kind, written, true) {
                fitting.push((primal, link));
            }
        }
        if fitting.is_empty() && kind != Kind::Substitute {
            fitting.extend(self.nearly_fitting(on, &group, kind, reversed));
        }
        match fitting.as_slice() {
            [] => self.report_misfit(on, &group, named.span, kind, reversed),
            [(primal, link), ..] => self.link(*primal, *link, kind, reversed, a.span),
        }
    }

    /// The first function of a group whose parameters the arguments of a derivative convert to.
    fn nearly_fitting(&mut self, on: FuncId, group: &Group, kind: Kind, reversed: bool) -> Option<(FuncId, FuncRef)> {
        group.members.iter().filter_map(|m| m.as_func()).find_map(|other| {
            let (primal, target) = if reversed { (other, on) } else { (on, other) };
            let written = if reversed { None } else { group.explicit.as_deref() };
            let outside = |f: FuncId| self.funcs[f.0 as usize].owner.is_none();
            if outside(target) != outside(primal) {
                return None;
            }
            let link = self.fits(primal, target, kind, written, false)?;
            let wanted = self.wanted(primal, kind);
            // As in slangc, `…Of` takes no single derivative of the result where the function takes
            // several.
            let have: Vec<Ty> = self.funcs[target.0 as usize].params.iter().map(|p| p.ty).collect();
            if reversed && have.iter().zip(&wanted.params).any(|(ty, w)| ty.shape() != w.ty.shape()) {
                return None;
            }
            self.warn_lossy_link(target, &wanted);
            let link = self.converting_derivative(primal, link, &wanted);
            Some((primal, link))
        })
    }

    /// Warns where a custom derivative takes less than what it is given.
    fn warn_lossy_link(&mut self, target: FuncId, wanted: &Sig) {
        for (p, w) in self.funcs[target.0 as usize].params.clone().iter().zip(&wanted.params) {
            let given = Expr { ty: w.ty, span: p.span, kind: ExprKind::Zero };
            if self.conversion_cost(&given, p.ty).is_some_and(|cost| cost >= convert::LOSSY) {
                self.warn_lossy(&given, p.ty);
            }
        }
    }

    /// Notes which functions lack a derivative because the name in the attribute is not declared:
    /// that they are not differentiable is no other mistake.
    fn note_misspelt_link(&mut self, on: FuncId, kind: Kind, reversed: bool) {
        if !reversed {
            self.misdeclared.insert(on);
            return;
        }
        for i in 0..self.funcs.len() {
            let primal = FuncId(i as u32);
            if !self.funcs[i].is_prelude && primal != on && self.fits(primal, on, kind, None, true).is_some() {
                self.misdeclared.insert(primal);
            }
        }
    }

    /// Whether a function may stand for another one where this is differentiated. As in slangc,
    /// this is asked only where the substitute names the function.
    fn may_substitute(&mut self, primal: FuncId, substitute: FuncId, span: Span) -> bool {
        let [of, own] = [primal, substitute].map(|f| &self.funcs[f.0 as usize]);
        let (name, attrs) = (own.name, &own.attrs);
        if !of.attrs.differentiable || attrs.differentiable || attrs.zero_derivative {
            return true;
        }
        let text = format!("`{name}` stands for `{}` where this is differentiated, and is not differentiable", of.name);
        self.error(codes::E0307, span, text).notes.push(format!(
            "mark `{name}` `[Differentiable]`, or `[TreatAsDifferentiable]` if its derivatives are zero"
        ));
        false
    }

    fn link(&mut self, primal: FuncId, link: FuncRef, kind: Kind, reversed: bool, span: Span) {
        if link.func == primal {
            self.error(codes::E0307, span, "a function cannot be its own derivative");
            return;
        }
        let info = &self.funcs[primal.0 as usize];
        if matches!(info.owner, Some(Owner::Interface(_))) && !info.is_prelude {
            let text = format!(
                "`{}` is required by an interface: what implements it has a derivative, not the requirement",
                info.name
            );
            self.error(codes::E0307, span, text).notes.push(
                "mark the requirement `[Differentiable]`, and give the derivative where it is implemented".to_string(),
            );
            return;
        }
        let outside = |f: FuncId, c: &Self| {
            let info = &c.funcs[f.0 as usize];
            info.owner.is_none() && !info.is_prelude
        };
        if outside(link.func, self) && !outside(primal, self) {
            let (name, own) = (self.funcs[primal.0 as usize].name, self.funcs[link.func.0 as usize].name);
            let at = self.entry_span(Entry::Func(primal)).map(|s| self.loc(s));
            let text = format!("`{name}` is a member, and `{own}`, which is given for it, is none");
            let d = self.error(codes::E0307, span, text);
            d.labels.extend(at.map(|at| (at, "the member".to_string())));
            d.notes.push(format!("declare `{own}` in the same type, or in an extension of it, as a `static` function"));
            return;
        }
        if kind == Kind::Substitute && reversed && !self.may_substitute(primal, link.func, span) {
            return;
        }
        let links = &mut self.funcs[primal.0 as usize].links;
        let slot = match kind {
            Kind::Forward => &mut links.forward,
            Kind::Backward => &mut links.backward,
            Kind::Substitute => &mut links.substitute,
        };
        if let Some(old) = slot.replace(link).filter(|old| *old != link) {
            let name = self.funcs[primal.0 as usize].name;
            let at = self.entry_span(Entry::Func(old.func)).unwrap_or_default();
            let at = self.loc(at);
            self.error(codes::E0307, span, format!("`{name}` is given two derivatives of this kind"))
                .labels
                .push((at, "the other one".to_string()));
        }
    }

    /// The signature that a linked function must have.
    fn wanted(&mut self, primal: FuncId, kind: Kind) -> Sig {
        let modes: &[Mode] = match kind {
            Kind::Forward => &[Mode::Forward],
            Kind::Backward => &[Mode::Backward],
            Kind::Substitute => &[],
        };
        self.derived_signature(primal, modes)
    }

    /// `target` with the generic arguments for which it has the signature that a link of `primal`
    /// needs; `None` if there are none. `written` are the arguments that the attribute states.
    ///
    /// A parameter that no type in the signature tells is the parameter of `primal` at the same
    /// place, as in `T f<T, let N : int>(T x)`. If the signature need not be `exact`, arguments may
    /// be converted.
    fn fits(
        &mut self,
        primal: FuncId,
        target: FuncId,
        kind: Kind,
        written: Option<&[GArg]>,
        exact: bool,
    ) -> Option<FuncRef> {
        let wanted = self.wanted(primal, kind);
        let info = &self.funcs[target.0 as usize];
        let (params, ret, gens) = (info.params.clone(), info.ret, info.gens);
        if params.len() != wanted.params.len() {
            return None;
        }
        let around = self.all_params(self.funcs[primal.0 as usize].gens);
        let all = self.all_params(gens);
        let mut slots = self.slots(all.iter().copied().filter(|p| !around.contains(p)).collect());
        let own = self.own_params(gens).to_vec();
        for (p, a) in own.iter().zip(written.unwrap_or_default()) {
            slots.fix(*p, *a);
        }
        for (p, w) in params.iter().zip(&wanted.params) {
            if p.dir != w.dir || !self.unify(p.ty, w.ty, &mut slots, false) && exact {
                return None;
            }
        }
        self.unify(ret, wanted.ret, &mut slots, false);
        let of_primal = self.own_params(self.funcs[primal.0 as usize].gens).to_vec();
        if own.len() == of_primal.len() {
            for (p, q) in own.into_iter().zip(of_primal) {
                if slots.is_open(p) && self.takes_value(p) == self.takes_value(q) {
                    slots.fix(p, self.param_arg(q));
                }
            }
        }
        let found = slots.complete()?;
        let args: Vec<GArg> = all.iter().map(|p| found.get(*p).unwrap_or_else(|| self.param_arg(*p))).collect();
        let s = Subst::new(&all, &args);
        for (p, w) in params.iter().zip(&wanted.params) {
            let ty = self.subst(p.ty, &s);
            if ty != w.ty && (exact || !self.converts_to_parameter(w.ty, ty, p.dir, p.span)) {
                return None;
            }
        }
        (self.subst(ret, &s) == wanted.ret).then(|| FuncRef { func: target, args: Args::new(args) })
    }

    /// The declaration that a link of `primal` needs. Where the object is not differentiated, it is
    /// a method's, and a static function takes all others.
    fn show_wanted(&mut self, primal: FuncId, name: &str, wanted: &Sig) -> String {
        let info = &self.funcs[primal.0 as usize];
        let (member, has_this) = (info.owner.is_some(), info.this.is_some());
        let of_object = has_this && wanted.params.first().is_some_and(|p| !matches!(p.ty.kind(), TyKind::Pair(_)));
        let word = if member && !of_object { "static " } else { "" };
        let ret = self.show(wanted.ret);
        format!("{word}{ret} {}", self.show_signature(name, &wanted.params[usize::from(of_object)..]))
    }

    fn report_misfit(&mut self, on: FuncId, group: &Group, span: Span, kind: Kind, reversed: bool) {
        let name = group.name.name;
        let primal = match (reversed, group.members.iter().find_map(|m| m.as_func())) {
            (true, Some(f)) => f,
            _ => on,
        };
        let wanted = self.wanted(primal, kind);
        // What is wrong about a type that is not known has been reported.
        let unknown = |c: &Self, f: FuncId| {
            let info = &c.funcs[f.0 as usize];
            info.params.iter().map(|p| p.ty).chain([info.ret]).any(mentions_unknown)
        };
        let given = group.members.iter().filter_map(Member::as_func);
        if given.chain([on]).any(|f| unknown(self, f)) {
            return;
        }
        let target = if reversed { self.funcs[on.0 as usize].name } else { name };
        let shown = self.show_wanted(primal, &target, &wanted);
        let what = match kind {
            Kind::Forward => "the forward derivative",
            Kind::Backward => "the backward derivative",
            Kind::Substitute => "a substitute",
        };
        let of = self.funcs[primal.0 as usize].name;
        let text = format!("`{target}` does not have the signature of {what} of `{of}`");
        let declared = self.entry_span(Entry::Func(if reversed { on } else { primal })).unwrap_or_default();
        // If only the result is wrong, the error is reported at the function with that result.
        let only_result = match group.members.as_slice() {
            [one] if !reversed => one.as_func().filter(|f| {
                let found = &self.funcs[f.0 as usize].params;
                found.len() == wanted.params.len()
                    && found.iter().zip(&wanted.params).all(|(p, w)| p.ty == w.ty && p.dir == w.dir)
            }),
            _ => None,
        };
        self.misdeclared.insert(primal);
        let wrong = only_result.and_then(|f| self.entry_span(Entry::Func(f)));
        let at = self.loc(if wrong.is_some() { span } else { declared });
        let word = if wrong.is_some() { "given here" } else { "declared here" };
        let d = self.error(codes::E0306, wrong.unwrap_or(span), text);
        d.labels.push((at, word.to_string()));
        d.notes.push(format!("it must be `{shown}`"));
    }
}

/// Whether a type is one that is not known, or made of one.
fn mentions_unknown(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Pair(t) | TyKind::Array(t, _) | TyKind::ArrayOf(t, _) => mentions_unknown(*t),
        _ => ty.is_error(),
    }
}

#[cfg(test)]
mod tests {
    use super::ATTRIBUTES;

    #[test]
    fn every_form_has_its_reverse() {
        for (name, kind, reversed) in ATTRIBUTES {
            let other = if reversed { name.trim_end_matches("Of").to_string() } else { format!("{name}Of") };
            assert!(ATTRIBUTES.iter().any(|(n, k, r)| *n == other && *k == kind && *r != reversed), "{name}");
        }
    }
}
