//! Overload resolution: chooses the candidate whose conversions cost least, summed over all
//! arguments.

use super::convert::Cost;
use super::deriv::Sig;
use super::expr::Group;
use super::generics::{Constraint, Subst};
use super::infer::NotInferred;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;

/// What a generic function of the program costs more that converts an argument for the sake of its
/// constraints: whatever else fits is preferred.
const PROMOTED: Cost = 5000;
/// A value of an interface for a parameter of that interface: a generic function that takes the
/// value's own type is preferred, and a conversion to a base is not.
const SAME_INTERFACE: Cost = 45;

/// What reverse mode takes in place of an argument.
const PAIR_VARIABLE: &str = "declare `var x = diffPair(…);` and pass `x`: the derivative is left in `x.d`";
const NO_DIFF_INSTEAD: &str =
    "mark the parameter `no_diff` if it is an input without a derivative: it is then passed as it is";

/// A function that could be called, with the signature for this call.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub func: FuncRef,
    pub sig: Sig,
    pub generic: bool,
    /// Whether a generic argument is of another type than all that it is inferred from, because of
    /// what its parameter must be.
    promoted: bool,
    /// Whether it is no function of the namespace that was named, which only uses another one.
    brought: bool,
    /// The arguments with those of packs put together; `None` if there are no packs, so that the
    /// call's own arguments are used.
    pub args: Option<Vec<Expr>>,
}

/// The reason why a candidate does not apply.
enum Misfit {
    Count { least: usize, most: usize },
    Type { index: usize },
    Place { index: usize },
    Reference { index: usize },
}

/// A generic function whose generic arguments could not be inferred.
struct Unfit {
    func: FuncId,
    why: NotInferred,
}

impl Checker<'_> {
    /// The functions of a group; generic ones with the arguments that were inferred for this call.
    fn candidates(&mut self, group: &Group, args: &[Expr]) -> (Vec<Candidate>, Vec<Unfit>) {
        let (mut out, mut unfit) = (Vec::new(), Vec::new());
        for m in &group.members {
            let Entry::Func(func) = m.entry else { continue };
            self.ensure_signature(func);
            let info = &self.funcs[func.0 as usize];
            let (generic, gens, is_method) = (info.declares_generics, info.gens, info.this.is_some());
            if group.explicit.is_some() && !generic {
                continue;
            }
            let mut params = info.params.clone();
            let (ret, ret_no_diff) = (info.ret, info.ret_no_diff);
            // A method that is named without an object. Only a static one can be called like this;
            // others are kept to report that.
            let no_object = is_method && group.this.is_none() && group.modes.is_empty();
            let drop_this = no_object && (group.through_type || self.this_value().is_none());
            let mut s = m.subst.clone();
            let first = usize::from(is_method && (group.this.is_some() || drop_this));
            let declared: Vec<Ty> = params.iter().skip(first).map(|p| p.ty).collect();
            let packed = self.pack_arguments(&declared, &s, args);
            let args = packed.as_deref().unwrap_or(args);
            let mut promoted = false;
            if generic {
                let explicit = group.explicit.as_deref().unwrap_or(&[]);
                // The object of a method is a parameter, but not an argument of the call.
                let patterns = declared;
                let mut types: Vec<Ty> = args.iter().map(|a| self.primal_type(a.ty, &group.modes)).collect();
                if self.takes_numbers(func) {
                    types.iter_mut().for_each(|ty| *ty = self.number_of_enum(*ty));
                }
                match self.infer(func, &s, explicit, &patterns, &types) {
                    Ok(found) => {
                        promoted = explicit.is_empty() && self.is_promoted(func, &patterns, &types, &found);
                        s = found;
                    }
                    Err(why) => {
                        unfit.push(Unfit { func, why });
                        continue;
                    }
                }
            }
            if drop_this {
                params.remove(0);
            }
            for p in &mut params {
                p.no_diff |= self.is_inactive_to_all(p.ty);
                p.ty = self.subst(p.ty, &s);
                p.ty = self.settled(p.ty);
            }
            let ret_no_diff = ret_no_diff || self.is_inactive_to_all(ret);
            let ret = self.subst(ret, &s);
            let mut sig = Sig { params, ret: self.settled(ret), ret_no_diff };
            for mode in &group.modes {
                sig = self.derive(&sig, *mode);
            }
            if sig.params.first().is_some_and(|p| p.name == *"this") && group.this.is_some() {
                sig.params.remove(0);
            }
            let func = FuncRef { func, args: self.args_of(gens, &s) };
            out.push(Candidate { func, sig, generic, promoted, brought: m.brought, args: packed });
        }
        (out, unfit)
    }

    /// Whether a generic function of the standard library is one of numbers, which enums become.
    fn takes_numbers(&mut self, f: FuncId) -> bool {
        let is_set = |b: bounds::TypeSet| b.only_numbers();
        self.funcs[f.0 as usize].is_prelude
            && self.own_of(f).iter().any(|p| self.facts_of(Ty::new(TyKind::Param(*p))).builtin.is_some_and(is_set))
    }

    fn number_of_enum(&mut self, ty: Ty) -> Ty {
        match ty.kind() {
            TyKind::Enum(id) => self.enum_base(*id),
            _ => ty,
        }
    }

    fn is_promoted(&mut self, f: FuncId, patterns: &[Ty], types: &[Ty], found: &Subst) -> bool {
        self.own_of(f).iter().any(|p| {
            let own = Ty::new(TyKind::Param(*p));
            let made = self.subst(own, found);
            let mut from =
                patterns.iter().zip(types).filter(|(pattern, _)| **pattern == own).map(|(_, ty)| *ty).peekable();
            from.peek().is_some() && made.element_scalar().is_some() && from.all(|ty| ty != made)
        })
    }

    /// What a generic's parameter is compared with: for a derivative, the type of the primal
    /// argument.
    fn primal_type(&mut self, mut ty: Ty, modes: &[Mode]) -> Ty {
        for _ in modes {
            if let TyKind::Pair(p) = ty.kind() {
                ty = *p;
            }
        }
        ty
    }

    fn rank(&mut self, c: &Candidate, args: &[Expr]) -> Result<Cost, Misfit> {
        let mut total = self.conversions(c, args)?;
        for (p, a) in c.sig.params.iter().zip(args) {
            if p.dir == Dir::In && a.ty == p.ty && !c.generic && self.interface_type(a.ty).is_some() {
                total = total.saturating_add(SAME_INTERFACE);
            }
        }
        // What a generic function of the program leaves open counts as a conversion does.
        let own = c.generic && !self.funcs[c.func.func.0 as usize].is_prelude;
        let promoted = if c.promoted { PROMOTED } else { 0 };
        Ok(if own { total.saturating_add(self.openness(c.func.func)).saturating_add(promoted) } else { total })
    }

    /// What converting the arguments costs.
    fn conversions(&mut self, c: &Candidate, args: &[Expr]) -> Result<Cost, Misfit> {
        let most = c.sig.params.len();
        let least = c.sig.params.iter().position(|p| p.default.is_some()).unwrap_or(most);
        if args.len() > most || args.len() < least {
            return Err(Misfit::Count { least, most });
        }
        let mut total: Cost = 0;
        for (index, (p, a)) in c.sig.params.iter().zip(args).enumerate() {
            let cost = match p.dir {
                Dir::In => self.conversion_cost(a, p.ty),
                // An argument that is written to must have the parameter's type, up to the
                // signedness of integers, or inherit from it.
                _ => match self.place_cost(a, p.ty) {
                    Some(_) if !self.is_place(a) => return Err(Misfit::Place { index }),
                    Some(_) if p.by_reference && self.is_accessed(a) => return Err(Misfit::Reference { index }),
                    cost => cost,
                },
            };
            match cost {
                Some(c) => total = total.saturating_add(c),
                None => return Err(Misfit::Type { index }),
            }
        }
        Ok(total)
    }

    /// The cost of using a place as one of another type, for reading and writing.
    fn place_cost(&mut self, place: &Expr, to: Ty) -> Option<Cost> {
        let from = place.ty;
        if from == to || from.is_error() || to.is_error() || self.canonical(from) == self.canonical(to) {
            return Some(0);
        }
        let integers = |t: Ty| t.element_scalar().filter(|s| s.is_int());
        if let Some(steps) = self.inherits(from, to) {
            return Some(convert::TO_BASE * steps);
        }
        let (f, t) = (integers(from)?, integers(to)?);
        if f.bits() != t.bits() || from.shape() != to.shape() {
            return None;
        }
        self.conversion_cost(place, to)
    }

    fn is_place(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(_) | ExprKind::BufferElem { .. } | ExprKind::Static { .. } | ExprKind::Error => true,
            ExprKind::Access(a) => a.set.is_some(),
            ExprKind::Assign { place: base, .. }
            | ExprKind::Field { base, .. }
            | ExprKind::Index { base, .. }
            | ExprKind::PairPart { base, .. }
            | ExprKind::Swizzle { base, .. } => self.is_place(base),
            _ => false,
        }
    }

    /// Whether a place is read and written by accessors, none of which gives a reference: a
    /// property, a subscript, or a bit field.
    fn is_accessed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Access(a) => a.set.as_ref().is_some_and(|set| !self.ref_accessors.contains(&set.func)),
            ExprKind::Field { base, .. }
            | ExprKind::Index { base, .. }
            | ExprKind::PairPart { base, .. }
            | ExprKind::Swizzle { base, .. } => self.is_accessed(base),
            _ => false,
        }
    }

    /// Whether a function of the group takes the arguments; with `exactly`, without a conversion.
    pub(crate) fn applies(&mut self, group: &Group, args: &[Expr], exactly: bool) -> bool {
        if group.members.is_empty() {
            return false;
        }
        let (candidates, _) = self.candidates(group, args);
        candidates.iter().any(|c| self.conversions(c, args).is_ok_and(|cost| !exactly || cost == 0))
    }

    /// Returns the candidate to call, or `None` after it reported why there is none.
    pub(crate) fn choose(&mut self, group: &Group, args: &[Expr], span: Span) -> Option<Candidate> {
        let (candidates, unfit) = self.candidates(group, args);
        let mut best: Vec<(Cost, Candidate)> = Vec::new();
        let mut misfits = Vec::new();
        // Functions that may not be named here only count if no other fits.
        let (seen, unseen): (Vec<_>, Vec<_>) = match self.hidden.is_empty() {
            true => (candidates, Vec::new()),
            false => candidates.into_iter().partition(|c| self.sees(Entry::Func(c.func.func))),
        };
        let some_seen = seen.len();
        // Between the program's functions and the library's only conversions count. Functions of
        // the library that do not take the arguments do not take part.
        let all_own = seen.iter().chain(&unseen).all(|c| {
            let given = c.args.as_deref().unwrap_or(args);
            !self.is_library(c) || self.conversions(c, given).is_err()
        });
        for (i, c) in seen.into_iter().chain(unseen).enumerate() {
            if i == some_seen && !best.is_empty() {
                break;
            }
            let own = c.args.clone();
            let given = own.as_deref().unwrap_or(args);
            match if all_own { self.rank(&c, given) } else { self.conversions(&c, given) } {
                Ok(cost) => match best.first() {
                    Some((b, _)) if cost > *b => {}
                    Some((b, _)) if cost == *b => best.push((cost, c)),
                    _ => best = vec![(cost, c)],
                },
                Err(m) => misfits.push((c, m)),
            }
        }
        if best.len() > 1 {
            // Functions that are not generic, and functions that the program declares, are
            // preferred.
            if best.iter().any(|(_, c)| !c.generic) {
                best.retain(|(_, c)| !c.generic);
            }
            let some_own = best.iter().any(|(_, c)| !self.is_library(c));
            best.retain(|(_, c)| !some_own || !self.is_library(c));
            // A namespace that is named gives its own functions first.
            if best.iter().any(|(_, c)| !c.brought) {
                best.retain(|(_, c)| !c.brought);
            }
            // A function that is declared nearer hides others that take the same arguments.
            if best.len() > 1 {
                let nearest = best.iter().map(|(_, c)| self.distance_to(c.func.func)).min();
                best.retain(|(_, c)| Some(self.distance_to(c.func.func)) == nearest);
            }
            // Members of a type are preferred to requirements of its interfaces.
            let required =
                |c: &Checker<'_>, f: FuncRef| matches!(c.funcs[f.func.0 as usize].owner, Some(Owner::Interface(_)));
            if best.iter().any(|(_, c)| !required(self, c.func)) {
                best.retain(|(_, c)| !required(self, c.func));
            }
            // Members that the type declares are preferred to those of extensions, and among
            // extensions the one for the fewest types.
            let rank = best.iter().map(|(_, c)| self.extension_rank_of(c.func.func)).min();
            best.retain(|(_, c)| Some(self.extension_rank_of(c.func.func)) == rank);
            self.keep_derived(&mut best);
            self.keep_outermost(&mut best);
            self.keep_by_handles(&mut best, args);
            // Of the functions of a generic type, one that is declared with the generic parameter
            // is preferred to one whose type only becomes the same.
            let dependent =
                |c: &Checker<'_>, f: FuncRef| c.funcs[f.func.0 as usize].params.iter().any(|p| c.is_dependent(p.ty));
            if best.len() > 1 && best.iter().any(|(_, c)| dependent(self, c.func)) {
                best.retain(|(_, c)| dependent(self, c.func));
            }
            let all_own = best.iter().all(|(_, c)| c.generic && !self.is_library(c));
            if best.len() > 1 && all_own {
                self.keep_least_generic(&mut best);
            }
            self.keep_highest_rank(&mut best);
            if best.len() > 1 && all_own {
                self.keep_most_derived(&mut best);
            }
            // A vector pattern is more specific than a bare parameter.
            if best.len() > 1 && best.iter().all(|(_, c)| c.generic && self.is_library(c)) {
                self.keep_narrowest(&mut best);
                let detail = |c: &Candidate| self.pattern_detail(c.func.func);
                let most = best.iter().map(|(_, c)| detail(c)).max().unwrap_or(0);
                best.retain(|(_, c)| self.pattern_detail(c.func.func) == most);
            }
        }
        match best.len() {
            1 => best.pop().map(|(_, c)| c),
            // An error in a parameter has been reported, and the failure of the call is a
            // consequence.
            0 | 2.. if self.failed() && self.has_wrong_parameter(group) => None,
            0 => {
                self.report_misfits(group, args, misfits, &unfit, span);
                None
            }
            _ => {
                self.report_ambiguous(group.name.name, &best, span);
                None
            }
        }
    }

    fn report_ambiguous(&mut self, name: Name, best: &[(Cost, Candidate)], span: Span) {
        // Extensions of several types may declare the same.
        let mut found: Vec<(String, Loc)> = Vec::new();
        for (_, c) in best {
            let text = self.show_signature(&name, &c.sig.params);
            let place = self.loc(self.entry_span(Entry::Func(c.func.func)).unwrap_or_default());
            if !found.iter().any(|known| *known == (text.clone(), place)) {
                found.push((text, place));
            }
        }
        // Of functions with the same parameters no conversion chooses.
        let same = found.windows(2).all(|w| w[0].0 == w[1].0);
        let paths = best.iter().filter_map(|(_, c)| self.space_of(c.func.func)).find(|path| !path.is_empty());
        let note = match (same, paths) {
            (false, _) => Some("convert an argument explicitly to choose one".to_string()),
            (true, Some(path)) => Some(format!("the name space chooses one, as in `{path}::{name}`")),
            (true, None) => None,
        };
        let d = self.error(codes::E0219, span, format!("the call of `{name}` is ambiguous"));
        d.labels.extend(found.into_iter().map(|(text, place)| (place, format!("could be `{text}`"))));
        d.notes.extend(note);
    }

    /// The name of the namespace around a function that is no member of a type.
    fn space_of(&self, f: FuncId) -> Option<String> {
        let info = &self.funcs[f.0 as usize];
        info.owner.is_none().then(|| self.namespaces[info.ns.0 as usize].path.clone())
    }

    /// Whether the standard library declares it.
    fn is_library(&self, c: &Candidate) -> bool {
        self.funcs[c.func.func.0 as usize].is_prelude
    }

    /// Whether a function of this name has a parameter of unknown type.
    fn has_wrong_parameter(&self, group: &Group) -> bool {
        let funcs = group.members.iter().filter_map(members::Member::as_func);
        funcs.into_iter().any(|f| self.funcs[f.0 as usize].params.iter().any(|p| p.ty.is_error()))
    }

    /// Keeps, of generic functions of the program that fit equally well, those whose parameters are
    /// the most specific, by the weights that slangc uses.
    fn keep_least_generic(&mut self, best: &mut Vec<(Cost, Candidate)>) {
        let open: Vec<u32> = best.iter().map(|(_, c)| self.openness(c.func.func)).collect();
        let least = open.iter().copied().min();
        let mut each = open.into_iter();
        best.retain(|_| each.next() == least);
    }

    /// Keeps the functions with the highest `[OverloadRank(n)]`, which decides between functions
    /// that are equally good without it.
    fn keep_highest_rank(&self, best: &mut Vec<(Cost, Candidate)>) {
        let rank = |c: &Candidate| self.funcs[c.func.func.0 as usize].attrs.overload_rank;
        let highest = best.iter().map(|(_, c)| rank(c)).max();
        best.retain(|(_, c)| Some(rank(c)) == highest);
    }

    /// Keeps, of generic functions that ask for one interface each, those whose interface is no
    /// base of another's: an interface that inherits from another one is more specific.
    fn keep_most_derived(&mut self, best: &mut Vec<(Cost, Candidate)>) {
        let asked: Vec<Vec<types::InterfaceRef>> = best.iter().map(|(_, c)| self.asked_of(c.func.func)).collect();
        let singles: Option<Vec<types::InterfaceRef>> =
            asked.iter().map(|a| <[_; 1]>::try_from(a.clone()).ok().map(|[i]| i)).collect();
        let Some(singles) = singles else { return };
        let below: Vec<Vec<InterfaceId>> = singles.iter().map(|i| self.all_bases(*i)).collect();
        let mut each = singles.iter();
        best.retain(|_| each.next().is_some_and(|i| !below.iter().any(|b| b.contains(&i.id))));
    }

    /// Keeps members that no struct declares again which inherits from theirs.
    fn keep_derived(&mut self, best: &mut Vec<(Cost, Candidate)>) {
        if best.len() < 2 {
            return;
        }
        let owners: Vec<_> = best.iter().map(|(_, c)| self.funcs[c.func.func.0 as usize].owner).collect();
        let mut each = owners.iter();
        best.retain(|_| {
            let own = each.next().copied().flatten();
            !own.is_some_and(|own| owners.iter().flatten().any(|other| self.declares_derived(*other, own)))
        });
    }

    /// Of functions that `using` brings in, those in the fewest namespaces are preferred.
    fn keep_outermost(&self, best: &mut Vec<(Cost, Candidate)>) {
        let depth = |c: &Candidate| {
            let up = |ns: &NsId| self.namespaces[ns.0 as usize].parent;
            std::iter::successors(Some(self.whole(self.funcs[c.func.func.0 as usize].ns)), up).count()
        };
        let least = best.iter().map(|(_, c)| depth(c)).min();
        best.retain(|(_, c)| Some(depth(c)) == least);
    }

    /// Keeps, of generic functions of the prelude, those whose parameter allows the fewest builtin
    /// types.
    fn keep_narrowest(&mut self, best: &mut Vec<(Cost, Candidate)>) {
        let mut sets = Vec::with_capacity(best.len());
        for (_, c) in best.iter() {
            let first = self.own_of(c.func.func).first().copied();
            sets.push(first.and_then(|p| self.facts_of(Ty::new(TyKind::Param(p))).builtin));
        }
        let mut each = sets.iter();
        best.retain(|_| {
            let own = each.next().copied().flatten();
            !own.is_some_and(|own| sets.iter().flatten().any(|other| other.is_narrower(own)))
        });
    }

    /// How much the generic parameters of a function leave open; a smaller number is more specific.
    fn openness(&self, f: FuncId) -> u32 {
        let (variadic, unbounded, bounded, number) = (500, 20, 3, 2);
        let gens = self.funcs[f.0 as usize].gens;
        let constraints = gens.map_or(&[][..], |g| &self.generics[g.0 as usize].constraints);
        let of = |p: &types::ParamId| {
            let info = &self.params[p.0 as usize];
            let is_bounded = || constraints.iter().any(|c| matches!(c.ty.kind(), TyKind::Param(q) if q == p));
            match info {
                _ if info.variadic => variadic,
                _ if info.value.is_some() => number,
                _ if is_bounded() => bounded,
                _ => unbounded,
            }
        };
        self.own_params(gens).iter().map(of).sum()
    }

    /// The interfaces in the constraints of a function.
    fn asked_of(&self, f: FuncId) -> Vec<types::InterfaceRef> {
        let Some(g) = self.funcs[f.0 as usize].gens else { return Vec::new() };
        let named = |c: &Constraint| match c.bound {
            bounds::Bound::Interface(i) => Some(i),
            _ => None,
        };
        self.generics[g.0 as usize].constraints.iter().filter_map(named).collect()
    }

    /// All interfaces that an interface inherits from, without itself.
    fn all_bases(&mut self, i: types::InterfaceRef) -> Vec<InterfaceId> {
        let this = Ty::new(TyKind::Param(self.interfaces[i.id.0 as usize].this));
        let all = self.with_bases(i, this);
        let ids = all.into_iter().filter_map(|b| match b {
            bounds::Bound::Interface(b) if b.id != i.id => Some(b.id),
            _ => None,
        });
        ids.collect()
    }

    /// The number of namespaces between this place and the declaration of a function. Imports are
    /// outside of the module.
    fn distance_to(&self, f: FuncId) -> usize {
        let mut around = Vec::new();
        let mut at = Some(self.current_ns());
        while let Some(id) = at.filter(|id| *id != ROOT) {
            around.push(self.whole(id));
            at = self.namespaces[id.0 as usize].parent;
        }
        let mut at = Some(self.funcs[f.0 as usize].ns);
        while let Some(id) = at.map(|id| self.whole(id)) {
            if let Some(distance) = around.iter().position(|a| *a == id) {
                return distance;
            }
            at = self.namespaces[id.0 as usize].parent;
        }
        around.len()
    }

    fn pattern_detail(&self, f: FuncId) -> usize {
        match &self.funcs[f.0 as usize].decl.kind {
            ast::DeclKind::Func(d) => {
                d.params.iter().filter(|p| matches!(p.ty.kind, ast::ExprKind::Name { args: Some(_), .. })).count()
            }
            _ => 0,
        }
    }

    fn report_misfits(
        &mut self,
        group: &Group,
        args: &[Expr],
        misfits: Vec<(Candidate, Misfit)>,
        unfit: &[Unfit],
        span: Span,
    ) {
        let name = group.name.name;
        let packed = match misfits.as_slice() {
            [(c, _)] => c.args.clone(),
            _ => None,
        };
        let args = packed.as_deref().unwrap_or(args);
        if self.report_no_numbers(group, args, span) {
            return;
        }
        // If one generic function was meant, or several with the same unsatisfied constraint,
        // report the constraint.
        if let ([], [Unfit { why: NotInferred::Constraint(c), .. }, others @ ..]) = (misfits.as_slice(), unfit)
            && others.iter().all(|u| matches!(&u.why, NotInferred::Constraint(o) if (o.ty, o.bound) == (c.ty, c.bound)))
        {
            let c: Constraint = c.clone();
            return self.report_constraint(&c, span);
        }
        if let ([], [Unfit { why: NotInferred::TooMany(most), func }]) = (misfits.as_slice(), unfit) {
            let (plural, most) = (if *most == 1 { "" } else { "s" }, *most);
            let at = self.entry_span(Entry::Func(*func)).unwrap_or_default();
            let at = self.loc(at);
            let text = format!("`{name}` has {most} generic parameter{plural}, and more arguments are written");
            self.error(codes::E0208, group.span, text).labels.push((at, "declared here".to_string()));
            return;
        }
        for (c, misfit) in &misfits {
            if let Misfit::Type { index } = misfit
                && self.conformance_unknown(args[*index].ty, c.sig.params[*index].ty)
            {
                return;
            }
        }
        // What a kernel cannot give a derivative to was reported at its parameter.
        if let ([(c, Misfit::Type { index })], false) = (misfits.as_slice(), group.modes.is_empty())
            && let attrs = &self.funcs[c.func.func.0 as usize].attrs
            && attrs.kernel
            && attrs.differentiable
            && matches!(c.sig.params[*index].ty.kind(), TyKind::Pair(_))
        {
            return;
        }
        let generic = |f: FuncId| self.funcs[f.0 as usize].declares_generics;
        if group.explicit.is_some() && !group.members.iter().filter_map(members::Member::as_func).any(generic) {
            let at = group.members.iter().find_map(|m| self.entry_span(m.entry)).map(|s| self.loc(s));
            let d = self.error(codes::E0208, group.span, format!("`{name}` is not generic, and `<…>` stands here"));
            d.labels.extend(at.map(|at| (at, "declared here".to_string())));
            return;
        }
        let derived = match group.modes.last() {
            Some(Mode::Forward) => format!("fwd_diff({name})"),
            Some(Mode::Backward) => format!("bwd_diff({name})"),
            None => name.to_string(),
        };
        let notes: Vec<(Loc, String, bool)> = misfits
            .iter()
            .take(6)
            .map(|(c, _)| {
                let info = &self.funcs[c.func.func.0 as usize];
                let place = self.loc(self.entry_span(Entry::Func(c.func.func)).unwrap_or_default());
                (place, self.show_signature(&derived, &c.sig.params), info.is_prelude)
            })
            .collect();
        let as_many: Vec<_> = misfits.iter().filter(|(_, m)| !matches!(m, Misfit::Count { .. })).collect();
        let mut d = match misfits.as_slice() {
            [(c, m)] => self.misfit(&derived, c, m, args, span),
            // Only one takes as many arguments.
            _ if as_many.len() == 1 => self.misfit(&derived, &as_many[0].0, &as_many[0].1, args, span),
            _ => {
                let shown: Vec<String> = args.iter().map(|a| self.show(a.ty)).collect();
                let text = format!("no `{derived}` takes ({})", shown.join(", "));
                self.sources.diagnostic(span, |loc| Diagnostic::error(codes::E0203, loc, text))
            }
        };
        for (place, text, prelude) in notes {
            if prelude {
                d.notes.push(format!("candidate: `{text}`"));
            } else {
                d.labels.push((place, format!("candidate: `{text}`")));
            }
        }
        for u in unfit {
            if let NotInferred::Constraint(Constraint { bound: bounds::Bound::Counts(n), .. }) = u.why {
                d.notes.push(format!("candidate: `{derived}` with {} arguments", self.show_val(n)));
            }
        }
        if misfits.is_empty() {
            self.note_not_inferred(&mut d, group, args.len(), unfit);
        }
        self.push(d);
    }

    /// Says why no function of a group could be told its generic arguments by so many arguments.
    fn note_not_inferred(&mut self, d: &mut Diagnostic, group: &Group, args: usize, unfit: &[Unfit]) {
        let name = group.name.name;
        let taken = (0..args).find_map(|i| self.shapes_taken(group, i));
        match self.not_inferred(unfit).as_slice() {
            // The library's parameters are of no interest.
            _ if taken.is_some() && group.explicit.is_none() => {
                d.notes.extend(taken.map(|taken| format!("it takes {taken}")));
            }
            [(p, at, None)] if self.is_unwritten_size(*p) => {
                d.labels
                    .push((*at, "this takes an array, and the size of none can be found from these arguments".into()));
            }
            [(p, at, None)] => {
                let p = self.params[p.0 as usize].name;
                d.labels.push((*at, format!("`{p}` cannot be found from these arguments")));
                d.notes.push(format!("give it in the call: `{name}<…>(…)`"));
            }
            [(p, at, Some(kinds))] => {
                let p = self.params[p.0 as usize].name;
                d.labels.push((*at, format!("`{p}` {kinds}")));
            }
            _ => d.notes.push(format!("`{name}` is generic; its parameters cannot be found from these arguments")),
        }
    }

    /// The diagnostic that tells why the arguments do not fit the only candidate, which is shown as
    /// `derived`.
    fn misfit(&mut self, derived: &str, c: &Candidate, m: &Misfit, args: &[Expr], span: Span) -> Diagnostic {
        match m {
            Misfit::Count { least, most } => {
                let want = match (least, most) {
                    (l, m) if l == m => format!("{m}"),
                    (l, m) => format!("{l} to {m}"),
                };
                let plural = if *most == 1 { "" } else { "s" };
                let be = if args.len() == 1 { "is" } else { "are" };
                let text = format!("`{derived}` takes {want} argument{plural}, {} {be} given", args.len());
                let d = self.sources.diagnostic(span, |loc| Diagnostic::error(codes::E0204, loc, text));
                let cotangent = derived.starts_with("bwd_diff(") && args.len() + 1 == *least;
                if cotangent { d.with_note("the last argument is the derivative of the result") } else { d }
            }
            Misfit::Type { index } => {
                let p = &c.sig.params[*index];
                // A list takes all that is given from its place on.
                if let TyKind::Pack(list) = p.ty.kind()
                    && !list.iter().any(|a| matches!(a, types::GArg::Ty(t) if self.is_pack(*t)))
                    && list.len() + index != args.len()
                {
                    let most = list.len() + index;
                    let count = Misfit::Count { least: most, most };
                    return self.misfit(derived, c, &count, args, span);
                }
                let (want, found) = (self.show(p.ty), self.show(args[*index].ty));
                // A variable of its type is what it takes, whatever the value is.
                if !matches!(p.dir, Dir::In) && !self.is_place(&args[*index]) && !matches!(p.ty.kind(), TyKind::Pair(_))
                {
                    let dir = if p.dir == Dir::Out { "out" } else { "inout" };
                    let at = index + 1;
                    let text =
                        format!("argument {at} of `{derived}` must be a variable of type `{want}`: it is `{dir}`");
                    return self
                        .sources
                        .diagnostic(args[*index].span, |loc| Diagnostic::error(codes::E0218, loc, text));
                }
                let text = format!("argument {} of `{derived}` must be `{want}`, this is `{found}`", index + 1);
                let d = self.sources.diagnostic(args[*index].span, |loc| Diagnostic::error(codes::E0203, loc, text));
                match (p.ty.kind(), p.dir) {
                    _ if matches!(args[*index].ty.kind(), TyKind::Pair(_)) => d,
                    (TyKind::Pair(_), Dir::In) => d.with_note("`diffPair(primal, differential)` makes a pair"),
                    (TyKind::Pair(_), _) => d.with_note(PAIR_VARIABLE).with_note(NO_DIFF_INSTEAD),
                    _ => d,
                }
            }
            Misfit::Reference { index } => {
                let text = format!("argument {} of `{derived}` must have a place in memory: it is `__ref`", index + 1);
                let d = self.sources.diagnostic(args[*index].span, |loc| Diagnostic::error(codes::E0218, loc, text));
                d.with_note("a property and a bit field have none; `inout` takes them, too")
            }
            Misfit::Place { index } => {
                let p = &c.sig.params[*index];
                let dir = if p.dir == Dir::Out { "out" } else { "inout" };
                let text = format!("argument {} of `{derived}` must be a variable: it is `{dir}`", index + 1);
                let d = self.sources.diagnostic(args[*index].span, |loc| Diagnostic::error(codes::E0218, loc, text));
                if matches!(p.ty.kind(), TyKind::Pair(_)) { d.with_note(PAIR_VARIABLE) } else { d }
            }
        }
    }

    /// The generic parameters that the arguments do not determine, with the locations of their
    /// functions, and what is wrong with an argument that is given.
    fn not_inferred(&mut self, unfit: &[Unfit]) -> Vec<(types::ParamId, Loc, Option<&'static str>)> {
        let mut out = Vec::new();
        for u in unfit {
            let (p, kinds) = match u.why {
                NotInferred::Unknown(p) => (p, None),
                NotInferred::OtherKind(p) if self.takes_value(p) => {
                    (p, Some("is a number, and a type is given for it"))
                }
                NotInferred::OtherKind(p) => (p, Some("is a type, and a number is given for it")),
                NotInferred::Constraint(_) | NotInferred::TooMany(_) => continue,
            };
            let at = self.entry_span(Entry::Func(u.func)).unwrap_or_default();
            out.push((p, self.loc(at), kinds));
        }
        out
    }
}
