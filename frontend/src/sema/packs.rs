//! Packs: variadic generic parameters, `each`, `expand`, and the arguments that a pack parameter
//! takes together.
//!
//! A variadic parameter `P` stands for a list of types. As a type, `P` is the list itself, `each P`
//! is one of its elements, and `expand X` is the list of the types that `X` becomes for the
//! elements. The argument of such a parameter is one generic argument, a [`Pack`]. When the
//! arguments are known, a value of pack type is a tuple, so that signatures keep their number of
//! parameters: a call puts the arguments of a pack together.
//!
//! [`Pack`]: TyKind::Pack

use super::generics::Subst;
use super::types::{Args, GArg, ParamId, TyKind, ValKind};
use super::*;
use caustic_ir::codes;

/// What an `expand` has been checked to.
enum Expanded {
    /// A value for each element of a tuple.
    Parts(Vec<Expr>),
    /// The pattern for the elements of a list that is not known here.
    Pattern(Expr, Ty),
    Whole(Expr),
}

/// The element of tuples with known types for which the pattern of an `expand` is being checked.
#[derive(Clone, Default)]
pub(crate) struct Spread {
    index: usize,
    /// How many elements they have, once one has been seen.
    count: Option<usize>,
    /// The variables that hold tuples which must not be evaluated again, by where these stand.
    held: Vec<(Span, LocalId)>,
}

/// The types in a list.
pub(crate) fn types_in(list: &[GArg]) -> impl Iterator<Item = Ty> {
    list.iter().filter_map(|a| match a {
        GArg::Ty(t) => Some(*t),
        GArg::Val(_) => None,
    })
}

/// The list that an `each` inside of a constant iterates over.
fn pack_named_by(v: Val) -> Option<Ty> {
    match v.kind() {
        ValKind::Each(p) => Some(Ty::new(TyKind::Param(*p))),
        ValKind::Binary(_, a, b) => pack_named_by(*a).or_else(|| pack_named_by(*b)),
        ValKind::Choice(cond, a, b) => pack_named_by(*cond).or_else(|| pack_named_by(*a)).or_else(|| pack_named_by(*b)),
        _ => None,
    }
}

/// Whether an error may be that something is no single value, and has no note about packs.
fn takes_one_value(d: &Diagnostic) -> bool {
    matches!(d.code, codes::E0203 | codes::E0212 | codes::E0215) && d.notes.iter().all(|n| !n.contains("each"))
}

impl Checker<'_> {
    pub(crate) fn is_variadic(&self, p: ParamId) -> bool {
        self.params[p.0 as usize].variadic
    }

    /// Whether a type is a list of types.
    pub(crate) fn is_pack(&self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Pack(_) | TyKind::Expand(..) | TyKind::Part(..) => true,
            TyKind::Param(p) => self.is_variadic(*p),
            _ => false,
        }
    }

    /// The list of these types. Lists among them are flattened.
    pub(crate) fn make_pack(&self, types: impl IntoIterator<Item = Ty>) -> Ty {
        self.make_list(types.into_iter().map(GArg::Ty))
    }

    /// The list of these types or values. Lists among them are flattened.
    pub(crate) fn make_list(&self, parts: impl IntoIterator<Item = GArg>) -> Ty {
        let mut list = Vec::new();
        for a in parts {
            match a {
                GArg::Ty(t) if let TyKind::Pack(inner) = t.kind() => list.extend(inner.iter().copied()),
                _ => list.push(a),
            }
        }
        match list.as_slice() {
            [GArg::Ty(one)] if self.is_pack(*one) => *one,
            _ => Ty::new(TyKind::Pack(Args::new(list))),
        }
    }

    /// The type of `each` of a list of types.
    pub(crate) fn element_of(&self, ty: Ty) -> Ty {
        match ty.kind() {
            TyKind::Expand(pattern, _) => *pattern,
            TyKind::Param(p) if self.is_variadic(*p) => Ty::new(TyKind::Each(ty)),
            TyKind::Part(..) => Ty::new(TyKind::Each(ty)),
            _ => ty,
        }
    }

    /// The list of the types that `pattern` becomes for the elements of the list `of`.
    pub(crate) fn expand_type(&self, pattern: Ty, of: Ty) -> Ty {
        if pattern.is_error() || self.element_of(of) == pattern {
            return if pattern.is_error() { pattern } else { of };
        }
        Ty::new(TyKind::Expand(pattern, of))
    }

    /// The list whose length decides the number of elements of this type.
    fn source_of(&self, ty: Ty) -> Ty {
        match ty.kind() {
            TyKind::Expand(_, of) => *of,
            _ => ty,
        }
    }

    /// The list that an `each` inside of a type iterates over.
    pub(crate) fn pack_named_in(&self, ty: Ty) -> Option<Ty> {
        match ty.kind() {
            TyKind::Each(p) => match p.kind() {
                // A single element is one type.
                TyKind::Part(_, part) if part.is_single() => None,
                _ => Some(*p),
            },
            TyKind::VectorOf(t, n) | TyKind::ArrayOf(t, n) => self.pack_named_in(*t).or_else(|| pack_named_by(*n)),
            TyKind::MatrixOf(t, r, c) => {
                self.pack_named_in(*t).or_else(|| pack_named_by(*r)).or_else(|| pack_named_by(*c))
            }
            TyKind::Array(t, _) => self.pack_named_in(*t),
            TyKind::Pair(t) | TyKind::Uniform(t, _) | TyKind::Assoc { base: t, .. } => self.pack_named_in(*t),
            TyKind::Struct(id) => {
                let info = &self.structs[id.0 as usize];
                if let Some(of) = info.differential_of {
                    return self.pack_named_in(of);
                }
                let (_, args) = info.instance_of?;
                args.iter().find_map(|a| match a {
                    GArg::Ty(t) => self.pack_named_in(*t),
                    GArg::Val(v) => pack_named_by(*v),
                })
            }
            TyKind::Pack(list) => types_in(list).find_map(|t| self.pack_named_in(t)),
            TyKind::Interface(i) => types_in(&i.args).find_map(|t| self.pack_named_in(t)),
            _ => None,
        }
    }

    // ---- substitution ---------------------------------------------------------------------------

    pub(crate) fn subst_each(&mut self, of: Ty, s: &Subst) -> Ty {
        let list = self.subst(of, &s.without_element());
        let single = matches!(of.kind(), TyKind::Part(_, part) if part.is_single());
        let element = if single { Some(0) } else { s.element };
        match (list.kind(), element) {
            (TyKind::Pack(list), Some(i)) => match list.get(i as usize) {
                Some(GArg::Ty(t)) => self.element_of(*t),
                _ => Ty::error(),
            },
            _ if self.is_pack(list) => self.element_of(list),
            _ => Ty::new(TyKind::Each(list)),
        }
    }

    pub(crate) fn subst_expand(&mut self, pattern: Ty, of: Ty, s: &Subst) -> Ty {
        let outer = s.without_element();
        let list = self.subst(of, &outer);
        let TyKind::Pack(list) = list.kind() else {
            let pattern = self.subst(pattern, &outer);
            return self.expand_type(pattern, list);
        };
        let mut out = Vec::with_capacity(list.len());
        for (i, a) in list.iter().enumerate() {
            let one = self.subst(pattern, &outer.with_element(i));
            out.push(match a {
                GArg::Ty(t) if self.is_pack(*t) => self.expand_type(one, self.source_of(*t)),
                _ => one,
            });
        }
        self.make_pack(out)
    }

    /// The value of `each` of a list of values.
    pub(crate) fn subst_each_value(&mut self, p: ParamId, s: &Subst) -> Val {
        match (s.get(p), s.element) {
            (Some(GArg::Ty(list)), element) => match (list.kind(), element) {
                (TyKind::Pack(list), Some(i)) => match list.get(i as usize) {
                    Some(GArg::Val(v)) => *v,
                    Some(GArg::Ty(t)) if let TyKind::Param(q) = t.kind() => Val::new(ValKind::Each(*q)),
                    _ => Val::new(ValKind::Each(p)),
                },
                (TyKind::Param(q), _) => Val::new(ValKind::Each(*q)),
                _ => Val::new(ValKind::Each(p)),
            },
            _ => Val::new(ValKind::Each(p)),
        }
    }

    /// A generic argument, where `each N` of a list of values is a value.
    pub(crate) fn each_argument(&self, t: Ty) -> GArg {
        match t.kind() {
            TyKind::Each(of) => match of.kind() {
                TyKind::Param(p) if self.params[p.0 as usize].value.is_some() => GArg::Val(Val::new(ValKind::Each(*p))),
                _ => GArg::Ty(t),
            },
            _ => GArg::Ty(t),
        }
    }

    /// Whether the argument of a variadic parameter is a list of the parameter's kind: values or
    /// types.
    pub(crate) fn is_list_for(&self, p: ParamId, arg: GArg) -> bool {
        let info = &self.params[p.0 as usize];
        match arg {
            GArg::Ty(t) if info.variadic => match t.kind() {
                TyKind::Pack(list) => list.iter().all(|a| match a {
                    GArg::Val(_) => info.value.is_some(),
                    GArg::Ty(t) => info.value.is_none() || self.is_pack(*t),
                }),
                _ => true,
            },
            _ => true,
        }
    }

    /// The type of values of a type: values of a list of types are tuples.
    pub(crate) fn value_type(&mut self, ty: Ty) -> Ty {
        match ty.kind() {
            TyKind::Pack(_) => self.tuple_type(ty),
            _ => ty,
        }
    }

    // ---- generic arguments ----------------------------------------------------------------------

    /// The written arguments, with those of a variadic parameter put together.
    pub(crate) fn pack_given(&self, own: &[ParamId], given: &[GArg], all: bool) -> Vec<GArg> {
        let variadic: Vec<usize> = (0..own.len()).filter(|i| self.is_variadic(own[*i])).collect();
        let Some(&first) = variadic.first() else { return given.to_vec() };
        let is_list = |a: &GArg| matches!(a, GArg::Ty(t) if self.is_pack(*t));
        if given.len() == own.len() && variadic.len() > 1 && variadic.iter().all(|i| is_list(&given[*i])) {
            return given.to_vec();
        }
        if given.len() < first || (!all && given.len() == first) {
            return given.to_vec();
        }
        let rest = (given.len() + variadic.len()).saturating_sub(own.len());
        let share = rest / variadic.len();
        let mut out = Vec::with_capacity(own.len());
        let mut left = given;
        for (i, _) in own.iter().enumerate() {
            let n = if variadic.contains(&i) { share.min(left.len()) } else { 1.min(left.len()) };
            let (mine, after) = left.split_at(n);
            left = after;
            match (variadic.contains(&i), mine) {
                (true, _) => out.push(GArg::Ty(self.make_list(mine.iter().copied()))),
                (_, [one, ..]) => out.push(*one),
                _ => return out,
            }
        }
        out.extend_from_slice(left);
        out
    }

    // ---- arguments of calls ---------------------------------------------------------------------

    /// The arguments of a call, with those for parameters of pack type put together; `None` if
    /// there are no such parameters.
    pub(crate) fn pack_arguments(&mut self, params: &[Ty], s: &Subst, args: &[Expr]) -> Option<Vec<Expr>> {
        if !params.iter().any(|p| self.is_pack(*p)) {
            return None;
        }
        let counts: Vec<Option<usize>> = params
            .iter()
            .map(|p| {
                if !self.is_pack(*p) {
                    return Some(1);
                }
                match self.subst(*p, s).kind() {
                    TyKind::Pack(list) if !types_in(list).any(|t| self.is_pack(t)) => Some(list.len()),
                    _ => None,
                }
            })
            .collect();
        let known: usize = counts.iter().flatten().sum();
        let open = counts.iter().filter(|c| c.is_none()).count();
        let share = args.len().saturating_sub(known).checked_div(open).unwrap_or(0);
        let mut out = Vec::with_capacity(params.len());
        let mut left = args;
        for (p, count) in params.iter().zip(counts) {
            let (mine, after) = left.split_at(count.unwrap_or(share).min(left.len()));
            left = after;
            if self.is_pack(*p) {
                out.push(self.packed(mine));
            } else {
                out.extend(mine.iter().cloned());
            }
        }
        out.extend(left.iter().cloned());
        Some(out)
    }

    fn packed(&mut self, args: &[Expr]) -> Expr {
        let span = match args {
            [] => Span::default(),
            [first, ..] => first.span.to(args[args.len() - 1].span),
        };
        let ty = self.make_pack(args.iter().map(|a| a.ty));
        match args {
            [one] if one.ty == ty => one.clone(),
            _ => Expr { ty, span, kind: ExprKind::Construct(args.to_vec()) },
        }
    }

    pub(crate) fn pack_cost(&mut self, e: &Expr, to: Ty) -> Option<convert::Cost> {
        let (ExprKind::Construct(parts), TyKind::Pack(list)) = (&e.kind, to.kind()) else { return None };
        if parts.len() != list.len() {
            return None;
        }
        let mut sum = 0;
        for (p, t) in parts.iter().zip(types_in(list)) {
            sum += self.conversion_cost(p, t)?;
        }
        Some(sum)
    }

    pub(crate) fn convert_pack(&mut self, e: Expr, to: Ty) -> Expr {
        let span = e.span;
        match (e.kind, to.kind()) {
            (ExprKind::Construct(parts), TyKind::Pack(list)) => {
                let parts = parts.into_iter().zip(types_in(list)).map(|(p, t)| self.coerce(p, t)).collect();
                Expr { ty: to, span, kind: ExprKind::Construct(parts) }
            }
            (kind, _) => Expr { ty: to, span, kind },
        }
    }

    // ---- `each` and `expand` --------------------------------------------------------------------

    /// Records that the innermost `expand` iterates over this list.
    fn capture(&mut self, of: Ty) {
        if let Some(slot @ None) = self.cx.expands.last_mut() {
            *slot = Some(of);
        }
    }

    pub(crate) fn each_type(&mut self, inner: &ast::Expr) -> Option<Ty> {
        let ty = self.try_type(inner)?;
        if ty.is_error() {
            return Some(ty);
        }
        let list = self.tuple_pack(ty).unwrap_or(ty);
        if !self.is_pack(list) {
            let shown = self.show(ty);
            self.error(codes::E0265, inner.span, format!("`{shown}` is no pack"))
                .notes
                .push("`each` takes a generic parameter that is declared with `each`".to_string());
            return Some(Ty::error());
        }
        self.capture(self.source_of(list));
        Some(self.element_of(list))
    }

    pub(crate) fn expanded_type(&mut self, inner: &ast::Expr, span: Span) -> Option<Ty> {
        let pattern = self.try_type(inner)?;
        if pattern.is_error() {
            return Some(pattern);
        }
        match self.pack_named_in(pattern) {
            Some(of) => Some(self.expand_type(pattern, of)),
            // `expand T`, where `T` is a pack, is the pack itself.
            None if self.is_pack(pattern) => Some(pattern),
            None => {
                self.error(codes::E0265, span, "`expand` needs a pack: `each` stands nowhere inside of it");
                Some(Ty::error())
            }
        }
    }

    /// `each N` for a generic parameter `N` that is a list of values.
    pub(crate) fn each_of_values(&mut self, inner: &ast::Expr, span: Span) -> Option<Expr> {
        let ast::ExprKind::Name { name, args: None } = &inner.kind else { return None };
        let lookup::Found::Members(found) = self.lookup(name.name)? else { return None };
        let Entry::Bound(list) = found.first()?.entry else { return None };
        let TyKind::Param(p) = *list.kind() else { return None };
        if self.params[p.0 as usize].value.is_none() || self.cx.expands.is_empty() {
            return None;
        }
        self.capture(list);
        let ty = self.value_param_type(p);
        Some(Expr { ty, span, kind: ExprKind::ValueOf(Val::new(ValKind::Each(p))) })
    }

    pub(crate) fn each_value(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        let value = self.check_value(inner);
        if value.ty.is_error() {
            return value;
        }
        if self.cx.spread.is_some()
            && let Some(types) = self.tuple_elements(value.ty)
        {
            return self.spread_element(value, &types, span);
        }
        let list = self.tuple_pack(value.ty).unwrap_or(value.ty);
        let list = match list.kind() {
            // A tuple whose elements all have one type, or come from one list.
            TyKind::Pack(types) => match types.as_ref() {
                [GArg::Ty(first), rest @ ..] if rest.iter().all(|t| *t == GArg::Ty(*first)) => {
                    Ty::new(TyKind::Expand(*first, list))
                }
                _ => list,
            },
            _ => list,
        };
        let open = matches!(list.kind(), TyKind::Expand(..) | TyKind::Part(..));
        if !open && !matches!(list.kind(), TyKind::Param(_) if self.is_pack(list)) {
            let shown = self.show(value.ty);
            self.error(codes::E0265, inner.span, format!("`each` takes a pack of values, this is `{shown}`"));
            return Expr::error(span);
        }
        if self.cx.expands.is_empty() {
            self.error(codes::E0265, span, "`each` stands only inside of `expand`")
                .notes
                .push("`expand f(each values)` calls `f` for every value".to_string());
            return Expr::error(span);
        }
        self.capture(self.source_of(list));
        Expr { ty: self.element_of(list), span, kind: ExprKind::Each(value.into()) }
    }

    /// Checks one written value of a list: an argument, an index, a part of a tuple or of `{ … }`.
    /// An `expand` over a tuple with known types gives a value for each of its elements.
    pub(crate) fn check_spread(&mut self, e: &ast::Expr) -> Vec<Expr> {
        let ast::ExprKind::Expand(inner) = &e.kind else { return vec![self.check_argument(e)] };
        let nothing = |c: &mut Self, done: Expr| match done.ty.is_void() {
            // What has no value becomes a tuple without elements, so that it is still counted.
            true => {
                let none = c.make_tuple(Vec::new(), e.span);
                Expr { ty: none.ty, span: e.span, kind: ExprKind::Comma(vec![done, none]) }
            }
            false => done,
        };
        match self.expanded(inner, true, e.span) {
            Expanded::Parts(parts) => parts.into_iter().map(|part| nothing(self, part)).collect(),
            Expanded::Pattern(pattern, of) => {
                let pattern = nothing(self, pattern);
                let ty = self.expand_type(pattern.ty, of);
                vec![Expr { ty, span: e.span, kind: ExprKind::Expand { pattern: pattern.into(), of } }]
            }
            Expanded::Whole(value) if value.ty.is_void() => {
                self.error(codes::E0213, e.span, "this has no value: the function returns `void`");
                vec![Expr::error(e.span)]
            }
            Expanded::Whole(value) => vec![value],
        }
    }

    /// Like `check_spread`, where names of functions are no values.
    pub(crate) fn check_part(&mut self, e: &ast::Expr) -> Vec<Expr> {
        match e.kind {
            ast::ExprKind::Expand(_) => self.check_spread(e),
            _ => vec![self.check_value(e)],
        }
    }

    pub(crate) fn expanded_value(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        match self.expanded(inner, true, span) {
            Expanded::Whole(value) => value,
            Expanded::Pattern(pattern, of) => {
                let ty = if pattern.ty.is_void() { pattern.ty } else { self.expand_type(pattern.ty, of) };
                Expr { ty, span, kind: ExprKind::Expand { pattern: pattern.into(), of } }
            }
            Expanded::Parts(parts) if parts.iter().all(|part| part.ty.is_void()) => {
                Expr { ty: Ty::void(), span, kind: ExprKind::Comma(parts) }
            }
            Expanded::Parts(parts) => self.make_tuple(parts, span),
        }
    }

    /// Checks the pattern of an `expand`; with `spreads`, once for each element of its tuples.
    fn expanded(&mut self, inner: &ast::Expr, spreads: bool, span: Span) -> Expanded {
        let outer = std::mem::replace(&mut self.cx.spread, spreads.then(Spread::default));
        self.cx.expands.push(None);
        let mark = self.tries();
        let known = self.diags.len();
        let pattern = self.check_expr(inner);
        let of = self.cx.expands.last().copied().flatten();
        let count = self.cx.spread.as_ref().and_then(|s| s.count);
        if let (None, Some(count)) = (of, count) {
            let parts = self.other_elements(inner, pattern, count, known);
            self.cx.expands.pop();
            self.cx.spread = outer;
            return Expanded::Parts(parts);
        }
        self.cx.expands.pop();
        self.cx.spread = outer;
        let tried = self.tried_since(mark);
        if count.is_some() {
            // A tuple beside a pack whose length is not known here.
            self.diags.truncate(known);
            return self.expanded(inner, false, span);
        }
        if pattern.ty.is_error() {
            // A pack is taken for one value where its `each` is missing.
            if let Some(d) = self.diags.get_mut(known).filter(|d| of.is_none() && takes_one_value(d)) {
                d.notes.push("no `each` is inside of this `expand`: `each xs` is an element of the pack `xs`".into());
            }
            return Expanded::Whole(pattern);
        }
        let Some(of) = of else {
            self.error(codes::E0265, span, "`expand` needs a pack: `each` stands nowhere inside of it");
            return Expanded::Whole(Expr::error(span));
        };
        match tried.is_empty() {
            true => Expanded::Pattern(pattern, of),
            false => Expanded::Whole(self.expand_trying(pattern, of, tried, span)),
        }
    }

    /// The pattern for all elements of the tuples in it, once it has been checked for the first.
    fn other_elements(&mut self, inner: &ast::Expr, first: Expr, count: usize, known: usize) -> Vec<Expr> {
        if count == 0 {
            self.diags.truncate(known);
            return Vec::new();
        }
        let failed = first.ty.is_error();
        let mut parts = vec![first];
        for index in 1..count {
            if failed {
                break;
            }
            if let Some(spread) = &mut self.cx.spread {
                spread.index = index;
            }
            parts.push(self.check_expr(inner));
        }
        parts
    }

    /// The element of a tuple for which the pattern of an `expand` is being checked. What is no
    /// place is evaluated with the first element only.
    fn spread_element(&mut self, value: Expr, types: &[Ty], span: Span) -> Expr {
        let Some(spread) = &mut self.cx.spread else { return Expr::error(span) };
        let index = spread.index;
        let count = *spread.count.get_or_insert(types.len());
        if count != types.len() {
            let text = format!("this tuple has {} elements, and the one before it has {count}", types.len());
            self.error(codes::E0265, span, text);
            return Expr::error(span);
        }
        let Some(&ty) = types.get(index) else { return Expr::error(span) };
        let held = spread.held.iter().find(|(at, _)| *at == value.span).map(|(_, local)| *local);
        let (tuple, base) = (value.ty, value.span);
        let local = match held {
            Some(local) => local,
            None if self.cx.const_only || self.is_repeatable(&value) || self.holds_resource(tuple) => {
                return Expr { ty, span, kind: ExprKind::Field { base: value.into(), index: index as u32 } };
            }
            None => self.jump_local("spread", tuple, base),
        };
        let place = Expr { ty: tuple, span: base, kind: ExprKind::Local(local) };
        let element =
            |place: Expr| Expr { ty, span, kind: ExprKind::Field { base: place.into(), index: index as u32 } };
        if held.is_some() {
            return element(place);
        }
        if let Some(spread) = &mut self.cx.spread {
            spread.held.push((base, local));
        }
        self.declare_before(local, span);
        let kind = ExprKind::Assign { place: place.clone().into(), value: value.into() };
        let set = Expr { ty: tuple, span, kind };
        Expr { ty, span, kind: ExprKind::Comma(vec![set, element(place)]) }
    }

    /// Whether evaluating an expression several times is the same as evaluating it once.
    fn is_repeatable(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Field { base, .. } => self.is_repeatable(base),
            ExprKind::Index { base, index } => self.is_repeatable(base) && self.is_repeatable(index),
            ExprKind::BufferElem { buffer, index } => self.is_repeatable(buffer) && self.is_repeatable(index),
            ExprKind::Convert(value) | ExprKind::Each(value) => self.is_repeatable(value),
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Static { .. } | ExprKind::Const(_) => true,
            ExprKind::Shared(..) | ExprKind::ValueOf(_) => true,
            _ => false,
        }
    }

    /// Appends the parts of a value of pack type, once it is a tuple.
    pub(crate) fn splice(&mut self, value: Expr, out: &mut Vec<Expr>) {
        match value.kind {
            ExprKind::Construct(parts) => out.extend(parts),
            _ => {
                let Some(id) = value.ty.as_struct() else { return out.push(value) };
                let span = value.span;
                for (i, f) in self.fields(id).to_vec().into_iter().enumerate() {
                    let kind = ExprKind::Field { base: Box::new(value.clone()), index: i as u32 };
                    out.push(Expr { ty: f.ty, span, kind });
                }
            }
        }
    }
}
