//! Infers generic arguments from the types of a call's arguments, and matches types with patterns.

use super::generics::Subst;
use super::types::{GArg, InterfaceRef, ParamId, Scalar, TyKind, Val, ValKind};
use super::*;

/// The arguments of generic parameters that are inferred so far.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    params: Vec<ParamId>,
    found: Vec<Option<GArg>>,
    /// By parameter: whether the argument comes from a scalar where the pattern has a vector, so
    /// that any other takes precedence.
    weak: Vec<bool>,
    /// By parameter: whether the argument is written in the program.
    fixed: Vec<bool>,
}

impl Slots {
    pub fn new(params: Vec<ParamId>) -> Slots {
        let n = params.len();
        Slots { params, found: vec![None; n], weak: vec![false; n], fixed: vec![false; n] }
    }
    pub fn fix(&mut self, p: ParamId, a: GArg) {
        if let Some(i) = self.index(p) {
            self.found[i] = Some(a);
            self.fixed[i] = true;
        }
    }
    /// Whether `p` is to be inferred and is not yet.
    pub fn is_open(&self, p: ParamId) -> bool {
        self.index(p).is_some_and(|i| self.found[i].is_none())
    }
    /// Sets an argument that is used if no other is inferred.
    fn presume(&mut self, i: usize, a: GArg) {
        (self.found[i], self.weak[i]) = (Some(a), true);
    }
    fn index(&self, p: ParamId) -> Option<usize> {
        self.params.iter().position(|q| *q == p)
    }
    /// The arguments that are inferred so far.
    fn so_far(&self) -> Subst {
        let mut s = Subst::default();
        for (p, a) in self.params.iter().zip(&self.found) {
            if let Some(a) = a {
                s.set(*p, *a);
            }
        }
        s
    }
    /// Whether a value depends on arguments that are not inferred yet.
    fn leave_open(&self, v: Val) -> bool {
        match v.kind() {
            ValKind::Int(_) | ValKind::Each(_) => false,
            ValKind::Param(p) => self.index(*p).is_some_and(|i| self.found[i].is_none()),
            ValKind::Binary(_, a, b) => self.leave_open(*a) || self.leave_open(*b),
            ValKind::Choice(c, a, b) => [c, a, b].into_iter().any(|v| self.leave_open(*v)),
            _ => self.found.contains(&None),
        }
    }
    /// All arguments; `None` if some are missing.
    pub fn complete(&self) -> Option<Subst> {
        let args: Option<Vec<GArg>> = self.found.iter().copied().collect();
        Some(Subst::new(&self.params, &args?))
    }
}

/// The reason why generic arguments could not be inferred.
pub(crate) enum NotInferred {
    Unknown(ParamId),
    /// A type is given for a number, or a number for a type.
    OtherKind(ParamId),
    Constraint(generics::Constraint),
    /// More arguments are written than there are parameters; this is the number of parameters.
    TooMany(usize),
}

impl Checker<'_> {
    /// Slots for the arguments of these parameters.
    pub(crate) fn slots(&self, params: Vec<ParamId>) -> Slots {
        let mut slots = Slots::new(params);
        for i in 0..slots.params.len() {
            if self.params[slots.params[i].0 as usize].layout {
                slots.presume(i, GArg::Val(Val::int(layouts::ROW)));
            }
        }
        slots
    }

    /// The arguments of a generic function's own parameters for a call with these arguments. `s`
    /// are the arguments of the declarations around it; `patterns` are the types of the function's
    /// parameters.
    pub(crate) fn infer(
        &mut self,
        f: FuncId,
        s: &Subst,
        explicit: &[GArg],
        patterns: &[Ty],
        args: &[Ty],
    ) -> Result<Subst, NotInferred> {
        let gens = self.funcs[f.0 as usize].gens;
        let own = self.own_of(f);
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        let mut slots = self.slots(own.clone());
        let written: Vec<ParamId> = own.iter().copied().filter(|p| !self.params[p.0 as usize].added).collect();
        let explicit = self.pack_given(&written, explicit, false);
        if explicit.len() > written.len() {
            return Err(NotInferred::TooMany(written.len()));
        }
        for (p, a) in written.iter().zip(explicit) {
            let a = self.in_shape_of_argument(*p, a, patterns, args);
            slots.fix(*p, a);
        }
        for (p, a) in patterns.iter().zip(args) {
            let pattern = self.subst(*p, s);
            self.unify(pattern, *a, &mut slots, true);
        }
        self.infer_from_constraints(gens, s, &mut slots);
        let mut subst = s.clone();
        for (i, p) in own.iter().enumerate() {
            let arg = match slots.found[i] {
                Some(a) => a,
                None if self.is_variadic(*p) => GArg::Ty(self.make_pack([])),
                None => match self.default_arg(*p, gens, &subst) {
                    Some(a) => a,
                    None => return Err(NotInferred::Unknown(*p)),
                },
            };
            let arg = match arg {
                GArg::Ty(ty) if !slots.fixed[i] => GArg::Ty(self.fit_bounds(*p, ty)),
                other => other,
            };
            if self.takes_value(*p) != matches!(arg, GArg::Val(_)) {
                return Err(NotInferred::OtherKind(*p));
            }
            if !self.is_list_for(*p, arg) {
                return Err(NotInferred::Unknown(*p));
            }
            subst.set(*p, arg);
        }
        match self.broken_constraint(gens, &subst) {
            Some(c) => Err(NotInferred::Constraint(c)),
            None => Ok(subst),
        }
    }

    /// Infers parameters that only constraints mention: `L : IModel<I, O>` determines `I` and `O`
    /// once `L` is known.
    pub(crate) fn infer_from_constraints(&mut self, gens: Option<GenId>, outer: &Subst, slots: &mut Slots) {
        let Some(g) = gens.filter(|_| slots.found.contains(&None)) else { return };
        for c in self.generics[g.0 as usize].constraints.clone() {
            let bounds::Bound::Interface(i) = c.bound else { continue };
            let known = slots.so_far();
            let ty = self.subst(c.ty, outer);
            let ty = self.subst(ty, &known);
            if i.args.is_empty() || matches!(ty.kind(), TyKind::Param(p) if slots.index(*p).is_some()) {
                continue;
            }
            let wanted = self.subst_args(i.args, outer);
            for found in self.conformances_to(ty, i.id) {
                let mut tried = slots.clone();
                if wanted.iter().zip(found.args.iter()).all(|(a, b)| self.unify_args(*a, *b, &mut tried, false)) {
                    *slots = tried;
                    break;
                }
            }
        }
    }

    /// The written argument in the shape of the call's argument: a parameter that is internal to
    /// the prelude stands for scalars, vectors and matrices, while programs name the scalar
    /// (`sincos<T>(v, s, c)` for vectors of `T`).
    fn in_shape_of_argument(&mut self, p: ParamId, given: GArg, patterns: &[Ty], args: &[Ty]) -> GArg {
        let own = Ty::new(TyKind::Param(p));
        let GArg::Ty(scalar) = given else { return given };
        if !self.facts_of(own).builtin.is_some_and(bounds::TypeSet::is_own) {
            return given;
        }
        let found = patterns.iter().zip(args).find(|(pattern, _)| **pattern == own).map(|(_, arg)| *arg);
        match found {
            Some(arg) if arg != scalar && arg.element() == Some(scalar) => GArg::Ty(arg),
            _ => given,
        }
    }

    /// Converts an inferred builtin type to one that satisfies the parameter's bounds (`sin(1)`
    /// takes a `float`, and so does `diffPair(1, 2)`).
    fn fit_bounds(&mut self, p: ParamId, ty: Ty) -> Ty {
        let facts = self.facts_of(Ty::new(TyKind::Param(p)));
        if let Some(set) = facts.builtin {
            return set.nearest(ty).unwrap_or(ty);
        }
        if ty.as_scalar().is_none() {
            return ty;
        }
        // The cheapest conversions first.
        let wider = [Scalar::I32, Scalar::U32, Scalar::F32, Scalar::F64, Scalar::F16];
        let candidates = std::iter::once(ty).chain(wider.map(Ty::scalar));
        let mut fitting = candidates.filter(|t| {
            (!facts.differentiable || self.is_differentiable_type(*t))
                && facts.interfaces.iter().all(|i| self.conforms(*t, *i))
        });
        fitting.next().unwrap_or(ty)
    }

    fn put(&mut self, slots: &mut Slots, p: ParamId, arg: GArg, weak: bool, loose: bool) -> bool {
        let Some(i) = slots.index(p) else {
            // A parameter that is not being inferred matches itself.
            return self.param_arg(p) == arg;
        };
        if slots.fixed[i] {
            return loose || slots.found[i] == Some(arg);
        }
        match (slots.found[i], arg) {
            (None, _) => {
                slots.found[i] = Some(arg);
                slots.weak[i] = weak;
                true
            }
            (Some(old), new) if old == new => {
                slots.weak[i] &= weak;
                true
            }
            // As in slangc, a `bool` that comes first is not joined with a float.
            (Some(GArg::Ty(a)), GArg::Ty(b)) if loose && (!slots.weak[i] || weak) && ops::keeps_bool(a, b) => true,
            (Some(GArg::Ty(a)), GArg::Ty(b)) if loose => {
                if let Some(joined) = ops::join(a, b) {
                    slots.found[i] = Some(GArg::Ty(joined));
                    slots.weak[i] &= weak;
                } else if slots.weak[i] && !weak {
                    slots.found[i] = Some(arg);
                    slots.weak[i] = false;
                }
                true
            }
            (Some(GArg::Val(_)), GArg::Val(_)) if slots.weak[i] && !weak => {
                (slots.found[i], slots.weak[i]) = (Some(arg), false);
                true
            }
            _ => loose,
        }
    }

    fn unify_val(&mut self, pattern: Val, v: Val, slots: &mut Slots, loose: bool) -> bool {
        match pattern.kind() {
            ValKind::Param(p) => self.put(slots, *p, GArg::Val(v), false, loose),
            ValKind::Each(_) => true,
            _ if pattern == v || loose => true,
            // An expression is no source of arguments, as in slangc. It has to become the value
            // once the arguments are known, which callers check.
            _ => {
                let known = slots.so_far();
                let made = self.subst_val(pattern, &known);
                made == v || slots.leave_open(made)
            }
        }
    }

    pub(crate) fn unify_args(&mut self, pattern: GArg, arg: GArg, slots: &mut Slots, loose: bool) -> bool {
        match (pattern, arg) {
            (GArg::Ty(p), GArg::Ty(a)) => self.unify(p, a, slots, loose),
            (GArg::Val(p), GArg::Val(a)) => self.unify_val(p, a, slots, loose),
            _ => false,
        }
    }

    /// Infers the parameters in `pattern` so that it becomes `ty`. Returns whether it can. With
    /// `loose`, for arguments of calls, other types can still be converted and a scalar can stand
    /// for a vector.
    pub(crate) fn unify(&mut self, pattern: Ty, ty: Ty, slots: &mut Slots, loose: bool) -> bool {
        let count = |n: u32| Val::int(n as i64);
        match (pattern.kind(), ty.kind()) {
            (TyKind::Param(p), kind) => {
                if matches!(kind, TyKind::InitList | TyKind::Error) {
                    return loose;
                }
                self.put(slots, *p, GArg::Ty(ty), false, loose)
            }
            (_, TyKind::Uniform(t, _)) if loose && !matches!(pattern.kind(), TyKind::Uniform(..)) => {
                self.unify(pattern, t.as_value(), slots, loose)
            }
            (TyKind::VectorOf(t, n), TyKind::Vector(s, m)) => {
                self.unify(*t, Ty::scalar(*s), slots, loose) && self.unify_val(*n, count(*m), slots, loose)
            }
            (TyKind::MatrixOf(t, r, c), TyKind::Matrix(s, rows, cols)) => {
                self.unify(*t, Ty::scalar(*s), slots, loose)
                    && self.unify_val(*r, count(*rows), slots, loose)
                    && self.unify_val(*c, count(*cols), slots, loose)
            }
            (TyKind::VectorOf(t, _) | TyKind::MatrixOf(t, ..), TyKind::Scalar(_)) if loose => {
                // A vector with one component, if nothing determines their number.
                if let TyKind::VectorOf(_, n) = pattern.kind()
                    && let ValKind::Param(n) = n.kind()
                {
                    self.put(slots, *n, GArg::Val(count(1)), true, loose);
                }
                match t.kind() {
                    TyKind::Param(p) => self.put(slots, *p, GArg::Ty(ty), true, loose),
                    _ => true,
                }
            }
            (TyKind::VectorOf(t, n), TyKind::VectorOf(u, m)) | (TyKind::ArrayOf(t, n), TyKind::ArrayOf(u, m)) => {
                self.unify(*t, *u, slots, loose) && self.unify_val(*n, *m, slots, loose)
            }
            (TyKind::MatrixOf(t, r, c), TyKind::MatrixOf(u, rows, cols)) => {
                self.unify(*t, *u, slots, loose)
                    && self.unify_val(*r, *rows, slots, loose)
                    && self.unify_val(*c, *cols, slots, loose)
            }
            (TyKind::ArrayOf(t, n), TyKind::Array(u, Some(m))) => {
                self.unify(*t, *u, slots, loose) && self.unify_val(*n, count(*m), slots, loose)
            }
            (TyKind::Array(t, n), TyKind::Array(u, m)) => self.unify(*t, *u, slots, loose) && (loose || n == m),
            (TyKind::Pair(t), TyKind::Pair(u)) => self.unify(*t, *u, slots, loose),
            (TyKind::Uniform(t, a), TyKind::Uniform(u, b)) => a == b && self.unify(*t, *u, slots, loose),
            (TyKind::Buffer { elem: t, write: a }, TyKind::Buffer { elem: u, write: b }) => {
                a == b && self.unify(*t, *u, slots, loose)
            }
            (TyKind::Resource(a), TyKind::Resource(b)) => match (a.elem(), b.elem()) {
                (Some(t), Some(u)) => a.with_elem(u) == *b && self.unify(t, u, slots, loose),
                _ => a == b,
            },
            // The generic declaration itself matches too: its parameters stand for themselves.
            (TyKind::Struct(a), TyKind::Struct(b)) if a != b || self.structs[a.0 as usize].instance_of.is_some() => {
                let (a, b) = (self.structs[a.0 as usize].instance_of, self.structs[b.0 as usize].instance_of);
                match (a, b) {
                    (Some((x, given)), Some((y, found))) if x == y => {
                        given.iter().zip(found.iter()).all(|(p, q)| self.unify_args(*p, *q, slots, loose))
                    }
                    _ => loose,
                }
            }
            (TyKind::Each(of), _) => match of.kind() {
                TyKind::Param(p) => self.put(slots, *p, GArg::Ty(ty), false, loose),
                _ => loose,
            },
            (TyKind::Expand(pattern, of), _) => self.unify_expansion(*pattern, *of, ty, slots, loose),
            (TyKind::Pack(a), TyKind::Pack(b)) => self.unify_packs(a, b, slots, loose),
            (TyKind::Pack(a), _) if self.is_pack(ty) => self.unify_packs(a, &[GArg::Ty(ty)], slots, loose),
            (TyKind::Interface(a), TyKind::Interface(b)) => self.unify_refs(*a, *b, slots, loose),
            // The value converts to the interface, with the arguments with which its type conforms.
            (TyKind::Interface(i), _) if loose && self.args_dependent(i.args) => {
                for found in self.conformances_to(ty, i.id) {
                    let mut tried = slots.clone();
                    if self.unify_refs(*i, found, &mut tried, false) {
                        *slots = tried;
                        break;
                    }
                }
                true
            }
            (TyKind::Interface(_), _) => loose,
            // An associated type follows from the other parameters.
            (TyKind::Assoc { .. } | TyKind::Part(..), _) => true,
            _ => pattern == ty || loose,
        }
    }

    /// Infers the list `of` so that the expanded pattern becomes the types of another list.
    fn unify_expansion(&mut self, pattern: Ty, of: Ty, ty: Ty, slots: &mut Slots, loose: bool) -> bool {
        let (TyKind::Param(p), TyKind::Pack(list)) = (of.kind(), ty.kind()) else { return loose };
        let mut types = Vec::with_capacity(list.len());
        for t in packs::types_in(list) {
            let mut one = Slots::new(vec![*p]);
            if !self.unify(pattern, t, &mut one, loose) {
                return false;
            }
            match one.found[0] {
                Some(GArg::Ty(t)) => types.push(t),
                _ => return loose,
            }
        }
        let list = self.make_pack(types);
        self.put(slots, *p, GArg::Ty(list), false, loose)
    }

    /// Matches lists of types. At most one element of the pattern is a list itself, and it takes
    /// all types that the others leave.
    fn unify_packs(&mut self, pattern: &[GArg], list: &[GArg], slots: &mut Slots, loose: bool) -> bool {
        let is_list = |a: &GArg| matches!(a, GArg::Ty(t) if self.is_pack(*t));
        let Some(at) = pattern.iter().position(is_list) else {
            return pattern.len() == list.len()
                && pattern.iter().zip(list).all(|(p, a)| self.unify_args(*p, *a, slots, loose));
        };
        let after = pattern.len() - at - 1;
        if list.len() < pattern.len() - 1 {
            return false;
        }
        let (head, rest) = list.split_at(at);
        let (middle, tail) = rest.split_at(rest.len() - after);
        let middle = GArg::Ty(self.make_list(middle.iter().copied()));
        pattern[..at].iter().zip(head).all(|(p, a)| self.unify_args(*p, *a, slots, loose))
            && self.unify_args(pattern[at], middle, slots, loose)
            && pattern[at + 1..].iter().zip(tail).all(|(p, a)| self.unify_args(*p, *a, slots, loose))
    }

    fn unify_refs(&mut self, a: InterfaceRef, b: InterfaceRef, slots: &mut Slots, loose: bool) -> bool {
        a.id == b.id && a.args.iter().zip(b.args.iter()).all(|(p, q)| self.unify_args(*p, *q, slots, loose))
    }
}
