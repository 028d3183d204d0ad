//! Checks initializers: `{ … }` for the type that it initializes, constructor-style casts, and
//! default values.

use super::types::{Shape, TyKind};
use super::*;
use crate::mutants::{Site, mutant};
use caustic_ir::codes;

/// Arrays that are longer are not written out element by element.
const MAX_LISTED: u32 = 4096;
/// The most elements that an array may have beyond its list.
const MOST_FILLED: u32 = 1 << 20;

impl Checker<'_> {
    /// Checks an initializer for a variable of type `ty`, or of the initializer's type if that is
    /// `None`.
    pub(crate) fn check_init(&mut self, init: &ast::Expr, ty: Option<Ty>) -> Expr {
        let e = match ty {
            Some(_) => self.check_expr(init),
            None => self.check_argument(init),
        };
        match ty {
            Some(t) => self.coerce_init(e, t),
            None if matches!(e.kind, ExprKind::InitList(_)) => {
                self.error(codes::E0202, init.span, "the type of a variable cannot be found from an initializer list");
                Expr::error(init.span)
            }
            None => e,
        }
    }

    /// Like `coerce`, but `T[]` takes its size from the value.
    pub(crate) fn coerce_init(&mut self, e: Expr, ty: Ty) -> Expr {
        if let TyKind::Array(elem, None) = ty.kind() {
            let n = match &e.kind {
                ExprKind::InitList(parts) if let Some(n) = self.count_with_packs(parts) => {
                    return self.coerce(e, Ty::array_of(*elem, n));
                }
                ExprKind::InitList(parts) => Some(parts.len() as u32),
                _ => match e.ty.kind() {
                    TyKind::ArrayOf(_, n) => return self.coerce(e.clone(), Ty::array_of(*elem, *n)),
                    TyKind::Array(_, n) => *n,
                    _ => None,
                },
            };
            return match n {
                Some(n) => self.coerce(e, Ty::array(*elem, Some(n))),
                _ => {
                    if !e.ty.is_error() {
                        self.error(codes::E0207, e.span, "the size of this array cannot be found from its initializer");
                    }
                    Expr::error(e.span)
                }
            };
        }
        self.coerce(e, ty)
    }

    /// Whether `{ parts }` can initialize a `to`. This is quick and lenient: `init_from_list`
    /// reports errors inside.
    pub(crate) fn init_list_fits(&mut self, parts: &[Expr], to: Ty) -> bool {
        let limit = match to.kind() {
            // Generic arguments decide the number of values.
            _ if parts.iter().any(|p| self.is_pack(p.ty)) => usize::MAX,
            TyKind::Scalar(_) | TyKind::Enum(_) | TyKind::Interface(_) => 1,
            TyKind::Vector(_, n) => *n as usize,
            TyKind::Matrix(_, r, c) => (*r * *c) as usize,
            TyKind::Array(..) | TyKind::Struct(_) => usize::MAX,
            TyKind::Pair(_) => 2,
            TyKind::VectorOf(..) | TyKind::MatrixOf(..) => usize::MAX,
            _ if to.is_abstract() && !self.type_members(to, Name::new("__init")).is_empty() => usize::MAX,
            _ if to.is_abstract() => 0,
            _ => return false,
        };
        parts.len() <= limit
    }

    pub(crate) fn init_from_list(&mut self, e: Expr, to: Ty) -> Expr {
        let span = e.span;
        let ExprKind::InitList(mut parts) = e.kind else { return e };
        if parts.iter().any(|p| self.is_pack(p.ty)) {
            self.check_expanded_elements(&mut parts, to);
            let list = Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(parts) };
            return Expr { ty: to, span, kind: ExprKind::ConvertAny(list.into()) };
        }
        if parts.is_empty() {
            // `{}` is zero for a parameter without a constraint that it has a default value.
            if to.is_abstract() && !self.has_default(to) {
                return Expr { ty: to, span, kind: ExprKind::Zero };
            }
            if self.misses_arguments(to, span) {
                return Expr::error(span);
            }
            return self.default_value(to, span);
        }
        // The value that an interface's variable holds, in braces of its own.
        if let (TyKind::Interface(_), [one]) = (to.kind(), parts.as_slice()) {
            return self.coerce(one.clone(), to);
        }
        if let TyKind::VectorOf(element, _) | TyKind::MatrixOf(element, ..) = *to.kind() {
            return self.list_for_abstract_vector(parts, element, to, span);
        }
        if let (TyKind::Vector(..) | TyKind::Matrix(..), Some(s)) = (to.kind(), to.element_scalar()) {
            if let [one] = parts.as_slice()
                && one.ty.is_arith()
                && one.ty.shape() == to.shape()
            {
                return self.coerce(one.clone(), to);
            }
            // A single number fills a vector or a matrix, within any number of braces.
            if let [one] = parts.as_slice()
                && (one.ty.as_scalar().is_some() || matches!(one.kind, ExprKind::InitList(_)))
            {
                let number = self.coerce(one.clone(), Ty::scalar(s));
                return self.coerce(number, to);
            }
            if let Some(types) = self.parts_of_constructor(to, &parts) {
                parts = parts.into_iter().zip(types).map(|(part, ty)| self.coerce(part, ty)).collect();
                return Expr { ty: to, span, kind: ExprKind::Construct(parts) };
            }
        }
        // A constraint of the parameter may require a constructor.
        if to.is_abstract() && !self.type_members(to, Name::new("__init")).is_empty() {
            return self.abstract_construct(to, parts, span);
        }
        if self.optional_of(to).is_some() {
            if let [one] = parts.as_slice() {
                return self.optional_of_one(one, to, span).unwrap_or(Expr::error(span));
            }
            let (at, shown) = (parts[1].span, self.show(to));
            self.error(codes::E0204, at, format!("too many values for `{shown}`"))
                .notes
                .push("what it holds has braces of its own: `{ { … } }`".to_string());
            return Expr::error(span);
        }
        if let TyKind::Struct(id) = to.kind()
            && let Some(call) = self.constructor_call(*id, &parts, span)
        {
            return call;
        }
        if let TyKind::Struct(id) = to.kind()
            && let Some(value) = self.memberwise(*id, &parts, false, span)
        {
            return value;
        }
        // A number of one value is the call of a constructor.
        if let (TyKind::Scalar(_), [one]) = (to.kind(), parts.as_slice())
            && one.ty.as_struct().is_some()
        {
            return self.cast(one.clone(), to, span);
        }
        let mut queue: std::collections::VecDeque<Expr> = parts.into();
        let value = self.take_init(&mut queue, to, span, true);
        if let Some(extra) = queue.front() {
            let at = extra.span;
            if !extra.ty.is_error() {
                self.too_many_values(to, at);
            }
            return Expr::error(span);
        }
        value
    }

    /// The memberwise constructor: a value for each of the first fields, to which it converts, if
    /// only as a number that fills a vector; others have their defaults. `None` if a value does not
    /// convert, or if there are more than fields: then the values are those of the fields' parts,
    /// but for structs that inherit, and if the constructor is called by name.
    fn memberwise(&mut self, id: StructId, parts: &[Expr], by_name: bool, span: Span) -> Option<Expr> {
        let ty = Ty::new(TyKind::Struct(id));
        let mut given = Vec::new();
        self.memberwise_types(id, &mut given);
        let converts = |c: &mut Self, (part, &ty): (&Expr, &Ty)| c.conversion_cost(part, ty).is_some();
        let fits = parts.len() <= given.len() && parts.iter().zip(&given).all(|pair| converts(self, pair));
        if !fits && !by_name && self.base_of(ty).is_none() {
            return None;
        }
        let value = self.memberwise_value(id, &mut parts.iter(), span);
        if let Some(extra) = parts.get(given.len()) {
            self.too_many_values(ty, extra.span);
            return Some(Expr::error(span));
        }
        Some(value)
    }

    /// The members that lists give no value to: those of what is inherited first.
    fn left_out_of_lists(&mut self, id: StructId, out: &mut Vec<Field>) {
        for f in self.fields(id).to_vec() {
            match self.inherited_plainly(&f) {
                Some(base) => self.left_out_of_lists(base, out),
                None if !self.is_initialized_by_list(id, f.name) => out.push(f),
                None => {}
            }
        }
    }

    /// Reports a value that a list has too many for `ty`, and the members that take none.
    fn too_many_values(&mut self, ty: Ty, at: Span) {
        let shown = self.show(ty);
        let mut text = format!("too many values for `{shown}`");
        let mut hidden = Vec::new();
        if let TyKind::Struct(id) = *ty.kind() {
            self.left_out_of_lists(id, &mut hidden);
        }
        let names: Vec<String> = hidden.iter().map(|f| format!("`{}`", f.name)).collect();
        match names.as_slice() {
            [] => {}
            [one] => text += &format!(": {one} is less visible than its struct, and takes none"),
            more => text += &format!(": {} are less visible than their struct, and take none", more.join(" and ")),
        }
        let places: Vec<Loc> = hidden.iter().map(|f| self.loc(f.span)).collect();
        let d = self.error(codes::E0204, at, text);
        d.labels.extend(places.into_iter().map(|at| (at, "takes no value of a list".to_string())));
        if !names.is_empty() {
            d.notes.push("declare the member as visible as the struct, or give the struct an `__init`".to_string());
        }
    }

    /// The types of the memberwise constructor's parameters: those of what is inherited first.
    fn memberwise_types(&mut self, id: StructId, out: &mut Vec<Ty>) {
        for f in self.fields(id).to_vec() {
            match self.inherited_plainly(&f) {
                Some(base) => self.memberwise_types(base, out),
                None if self.is_initialized_by_list(id, f.name) => out.push(f.ty),
                None => {}
            }
        }
    }

    /// The struct that a field stands for whose members are given one by one: an inherited one
    /// without constructors.
    fn inherited_plainly(&mut self, f: &Field) -> Option<StructId> {
        let base = f.ty.as_struct().filter(|_| f.name == *inherit::BASE_FIELD)?;
        self.own_members(f.ty, Name::new("__init")).is_empty().then_some(base)
    }

    fn memberwise_value(&mut self, id: StructId, parts: &mut std::slice::Iter<'_, Expr>, span: Span) -> Expr {
        let mut made = Vec::new();
        for f in self.fields(id).to_vec() {
            if let Some(base) = self.inherited_plainly(&f) {
                made.push(self.memberwise_value(base, parts, span));
                continue;
            }
            let part = if self.is_initialized_by_list(id, f.name) { parts.next() } else { None };
            made.push(match (part, &f.default) {
                (Some(part), _) => self.coerce(part.clone(), f.ty),
                (None, Some(default)) => self.check_default(id, default, f.ty),
                (None, None) if self.lacks_resource(id, &f, span) => Expr::error(span),
                (None, None) => self.default_value(f.ty, span),
            });
        }
        Expr { ty: Ty::new(TyKind::Struct(id)), span, kind: ExprKind::Construct(made) }
    }

    /// The number of values of a list with packs among its parts; `None` if there are no packs.
    fn count_with_packs(&mut self, parts: &[Expr]) -> Option<Val> {
        if !parts.iter().any(|p| self.is_pack(p.ty)) {
            return None;
        }
        let counts = parts.iter().map(|p| match self.is_pack(p.ty) {
            true => Val::new(types::ValKind::CountOf(p.ty)),
            false => Val::int(1),
        });
        counts.reduce(|a, b| Val::binary(ast::BinOp::Add, a, b))
    }

    /// Converts the values of packs in a list to the elements of an array. For other types, the
    /// arguments of the instance decide what the values are for.
    fn check_expanded_elements(&mut self, parts: &mut [Expr], to: Ty) {
        let (TyKind::Array(elem, _) | TyKind::ArrayOf(elem, _)) = to.kind() else { return };
        for part in parts.iter_mut() {
            match &mut part.kind {
                ExprKind::Expand { pattern, of } => {
                    let made = self.coerce((**pattern).clone(), *elem);
                    let of = *of;
                    part.ty = self.expand_type(made.ty, of);
                    **pattern = made;
                }
                _ if !self.is_pack(part.ty) => *part = self.coerce(part.clone(), *elem),
                _ => {}
            }
        }
    }

    /// Takes the values that a `to` needs from `queue`. Nested braces initialize one part; flat
    /// lists are distributed in order.
    fn take_init(&mut self, queue: &mut std::collections::VecDeque<Expr>, to: Ty, span: Span, top: bool) -> Expr {
        if !top {
            let Some(first) = queue.front() else { return self.default_value(to, span) };
            if let Some(value) = self.optional_of_one(first, to, span) {
                queue.pop_front();
                return value;
            }
            // A value of a matching type initializes the whole part.
            let first = first.clone();
            let whole = self.pointee(to).is_some()
                || matches!(first.kind, ExprKind::InitList(_))
                || first.ty == to
                || (to.as_scalar().is_some() && first.ty.is_arith())
                || (first.ty.as_scalar().is_none() && self.conversion_cost(&first, to).is_some())
                || (first.ty.shape() == to.shape() && first.ty.is_arith() && to.is_arith());
            if whole && let Some(first) = queue.pop_front() {
                return self.coerce(first, to);
            }
        }
        let parts = match to.kind() {
            TyKind::Array(elem, Some(n)) => {
                let mut parts = Vec::new();
                for _ in 0..*n {
                    if queue.is_empty() {
                        break;
                    }
                    parts.push(self.take_init(queue, *elem, span, false));
                }
                if (parts.len() as u32) < *n {
                    return self.padded_array(parts, *elem, *n, to, span);
                }
                parts
            }
            TyKind::Struct(id) => {
                let fields = self.fields(*id).to_vec();
                let mut parts = Vec::new();
                for f in fields {
                    let part = if queue.is_empty() || !self.is_initialized_by_list(*id, f.name) {
                        match &f.default {
                            Some(d) => self.check_default(*id, d, f.ty),
                            None if self.lacks_resource(*id, &f, span) => Expr::error(span),
                            None => self.default_value(f.ty, span),
                        }
                    } else {
                        self.take_init(queue, f.ty, span, false)
                    };
                    parts.push(part);
                }
                parts
            }
            TyKind::Pair(t) => {
                let d = self.differential_or_error(*t, span);
                vec![self.take_init(queue, *t, span, false), self.take_init(queue, d, span, false)]
            }
            TyKind::Vector(s, n) => {
                let (s, n) = (*s, *n);
                return self.take_components(queue, Ty::scalar(s), n, to, span);
            }
            TyKind::Matrix(s, r, c) => {
                let (s, r, c) = (*s, *r, *c);
                // A smaller matrix provides the first rows.
                if let Some(Shape::Matrix(rows, columns)) = queue.front().map(|f| f.ty.shape())
                    && columns == c
                    && rows < r
                    && let Some(first) = queue.pop_front()
                {
                    let mut parts = vec![self.convert(first, Ty::matrix(s, rows, c))];
                    for _ in rows..r {
                        parts.push(self.take_init(queue, Ty::vector(s, c), span, false));
                    }
                    return Expr { ty: to, span, kind: ExprKind::Construct(parts) };
                }
                let rows = (0..r).map(|_| self.take_init(queue, Ty::vector(s, c), span, false)).collect();
                return Expr { ty: to, span, kind: ExprKind::Construct(rows) };
            }
            _ => match queue.pop_front() {
                Some(first) => return self.coerce(first, to),
                None => return self.default_value(to, span),
            },
        };
        Expr { ty: to, span, kind: ExprKind::Construct(parts) }
    }

    /// Pads an array with zeros. Long arrays start from zero instead of a list of zeros.
    fn padded_array(&mut self, mut parts: Vec<Expr>, elem: Ty, n: u32, to: Ty, span: Span) -> Expr {
        if parts.is_empty() {
            return self.default_value(to, span);
        }
        if n > MOST_FILLED && (parts.len() as u32) < n {
            let text =
                format!("an array of {n} elements cannot be filled from a list; one begins with at most {MOST_FILLED}");
            self.error(codes::E0207, span, text);
            return Expr::error(span);
        }
        while (parts.len() as u32) < n {
            let zero = self.default_value(elem, span);
            parts.push(zero);
        }
        Expr { ty: to, span, kind: ExprKind::Construct(parts) }
    }

    /// Takes `count` scalars from the queue.
    fn take_components(
        &mut self,
        queue: &mut std::collections::VecDeque<Expr>,
        scalar: Ty,
        count: u32,
        to: Ty,
        span: Span,
    ) -> Expr {
        let mut parts = Vec::new();
        let mut have = 0;
        while have < count {
            let Some(first) = queue.pop_front() else { break };
            if first.ty.is_error() {
                queue.clear();
                return Expr::error(span);
            }
            have += 1;
            parts.push(self.coerce(first, scalar));
        }
        while have < count {
            parts.push(self.default_value(scalar, span));
            have += 1;
        }
        Expr { ty: to, span, kind: ExprKind::Construct(parts) }
    }

    /// The value of `{}`: the constructor without parameters, else the defaults of the fields, else
    /// zero.
    pub(crate) fn default_value(&mut self, ty: Ty, span: Span) -> Expr {
        if let TyKind::Param(_) | TyKind::Assoc { .. } | TyKind::Each(_) = ty.kind() {
            // The parameter may stand for a type that has a constructor for it.
            let list = Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(Vec::new()) };
            return Expr { ty, span, kind: ExprKind::ConvertAny(list.into()) };
        }
        if self.has_defaults(ty) {
            match ty.kind() {
                TyKind::Struct(id) => {
                    if self.cx.made != Some(ty)
                        && self.has_plain_constructor(*id)
                        && let Some(call) = self.constructor_call(*id, &[], span)
                    {
                        return call;
                    }
                    return self.default_fields(*id, span);
                }
                TyKind::Array(elem, Some(n)) if *n <= MAX_LISTED => {
                    let part = self.default_value(*elem, span);
                    let kind = ExprKind::Construct(vec![part; *n as usize]);
                    return Expr { ty, span, kind };
                }
                TyKind::Array(..) => self.unsupported(span, "a default value for so long an array of structs"),
                _ => {}
            }
        }
        Expr { ty, span, kind: if ty.is_error() { ExprKind::Error } else { ExprKind::Zero } }
    }

    /// The defaults of all fields; fields without one are zero.
    pub(crate) fn default_fields(&mut self, id: StructId, span: Span) -> Expr {
        let ty = Ty::new(TyKind::Struct(id));
        let fields = self.fields(id).to_vec();
        let mut parts = Vec::with_capacity(fields.len());
        for f in fields {
            parts.push(match &f.default {
                Some(d) => self.check_default(id, d, f.ty),
                None => self.default_value(f.ty, span),
            });
        }
        Expr { ty, span, kind: ExprKind::Construct(parts) }
    }

    /// The value that a constructor starts from: the defaults of the fields and of the inherited
    /// struct, and the results of the fields' own constructors without parameters. `None` if there
    /// are none of these.
    #[mutant(Site::InheritedDefaults if self.fields(id).iter().all(|f| f.default.is_none()) => None)]
    pub(crate) fn constructor_start(&mut self, id: StructId, span: Span) -> Option<Expr> {
        let fields = self.fields(id).to_vec();
        let says = fields.iter().any(|f| {
            let inherited = f.name == *inherit::BASE_FIELD && self.has_defaults(f.ty);
            inherited || f.default.is_some() || self.begins_initialized(f.ty)
        });
        says.then(|| self.default_fields(id, span))
    }

    /// Whether a variable of this type without an initializer is made by a constructor: its own
    /// without parameters, or because the type conforms to `IDefaultInitializable`.
    pub(crate) fn begins_initialized(&mut self, ty: Ty) -> bool {
        match ty.as_struct() {
            Some(id) => self.structs[id.0 as usize].default_initializable || self.has_plain_constructor(id),
            None => ty.is_abstract() && self.has_default(ty),
        }
    }

    /// Reports that this type, or a field of it, only has constructors with arguments, so that `{}`
    /// is not enough.
    pub(super) fn misses_arguments(&mut self, ty: Ty, span: Span) -> bool {
        let TyKind::Struct(id) = *ty.kind() else { return false };
        if self.cx.in_prelude || self.has_plain_constructor(id) {
            return false;
        }
        let shown = self.show(ty);
        if self.lacks_default(id) {
            let found = self.own_members(ty, Name::new("__init"));
            let at = found.first().and_then(|m| self.entry_span(m.entry)).map(|s| self.loc(s));
            let d = self.error(codes::E0204, span, format!("`{shown}` is made by a constructor that needs arguments"));
            d.labels.extend(at.map(|at| (at, "declared here".to_string())));
            return true;
        }
        let fields = self.fields(id).to_vec();
        // What a generic struct holds of its parameter's type is zero, whatever the argument is.
        let generic = self.structs[id.0 as usize].instance_of.map(|(base, _)| base);
        let declared: Vec<Ty> = generic.map(|g| self.fields(g).iter().map(|f| f.ty).collect()).unwrap_or_default();
        let of_parameter = |i: usize| declared.get(i).is_some_and(|ty| ty.is_abstract());
        let open = fields.iter().enumerate().filter(|(i, _)| !of_parameter(*i)).map(|(_, f)| f).find(|f| {
            let held = f.ty.as_struct();
            f.default.is_none() && held.is_some_and(|id| !self.has_plain_constructor(id) && self.lacks_default(id))
        });
        let Some(f) = open else { return self.lacks_resources(id, span) };
        let (at, name, held) = (self.loc(f.span), f.name, self.show(f.ty));
        let text =
            format!("`{shown}` needs a value for `{name}`: `{held}` is made by a constructor that needs arguments");
        self.error(codes::E0204, span, text).labels.push((at, "the field".to_string()));
        true
    }

    /// Whether the constraints of a generic parameter require a constructor without parameters.
    fn has_default(&mut self, ty: Ty) -> bool {
        if self.facts_of(ty).has_default {
            return true;
        }
        let found = self.type_members(ty, Name::new("__init"));
        self.takes_nothing(found)
    }

    pub(super) fn has_plain_constructor(&mut self, id: StructId) -> bool {
        let found = self.own_members(Ty::new(TyKind::Struct(id)), Name::new("__init"));
        self.takes_nothing(found)
    }

    fn takes_nothing(&mut self, found: Vec<members::Member>) -> bool {
        found.into_iter().any(|m| match m.entry {
            Entry::Func(f) => {
                self.ensure_signature(f);
                self.funcs[f.0 as usize].params.iter().all(|p| p.default.is_some())
            }
            _ => false,
        })
    }

    /// Checks a field's default in the scope of the struct's declaration, not of its use.
    pub(super) fn check_default(&mut self, id: StructId, e: &ast::Expr, ty: Ty) -> Expr {
        if self.open_defaults.contains(&e.span) {
            self.error(codes::E0209, e.span, "this default value is defined in terms of itself");
            return Expr::error(e.span);
        }
        self.open_defaults.push(e.span);
        let outer = std::mem::take(&mut self.cx);
        let ns = self.structs[id.0 as usize].ns;
        self.cx.ns = Some(ns);
        self.cx.this_ty = self.this_type_of_ns(ns);
        let v = self.check_expr(e);
        self.cx = outer;
        self.open_defaults.pop();
        let s = self.struct_subst(id);
        let v = self.subst_expr(&v, &s);
        self.coerce_init(v, ty)
    }

    /// Whether `{}` differs from zero for this type.
    pub(crate) fn has_defaults(&mut self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Array(elem, _) => self.has_defaults(*elem),
            TyKind::Struct(id) => {
                if let Some(known) = self.structs[id.0 as usize].has_defaults {
                    return known;
                }
                let fields = self.fields(*id).to_vec();
                let found = self.has_plain_constructor(*id)
                    || fields.iter().any(|f| f.default.is_some() || self.has_defaults(f.ty));
                self.structs[id.0 as usize].has_defaults = Some(found);
                found
            }
            _ => false,
        }
    }

    /// `T(args)` for a type `T`.
    pub(crate) fn construct(&mut self, ty: Ty, args: Vec<Expr>, span: Span) -> Expr {
        if ty.is_error() || args.iter().any(|a| a.ty.is_error()) {
            return Expr { ty, span, kind: ExprKind::Error };
        }
        let args: Vec<Expr> = args.into_iter().map(|a| self.read_uniform(a)).collect();
        if let (true, TyKind::Struct(id)) = (args.is_empty(), ty.kind())
            && self.needs_arguments(*id)
            && let Some(call) = self.constructor_call(*id, &[], span)
        {
            return call;
        }
        if args.is_empty() {
            return self.construct_empty(ty, span);
        }
        // As in slangc, a value of the type itself is copied, whatever constructors there are.
        if let (TyKind::Struct(_), [one]) = (ty.kind(), args.as_slice())
            && one.ty == ty
        {
            return Expr { span, ..one.clone() };
        }
        if let Some(call) = self.extended_construct(ty, &args, span) {
            return call;
        }
        if ty.is_abstract() {
            return self.abstract_construct(ty, args, span);
        }
        if ty.is_void() && args.len() == 1 {
            let mut args = args;
            return self.cast(args.remove(0), ty, span);
        }
        match ty.kind() {
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix(..) | TyKind::Enum(_) if args.len() == 1 => {
                let mut args = args;
                self.cast(args.remove(0), ty, span)
            }
            TyKind::Vector(..) | TyKind::Matrix(..) => self.construct_arith(ty, args, span),
            TyKind::Scalar(_) => {
                let shown = self.show(ty);
                self.error(codes::E0204, span, format!("`{shown}` is made from one value"));
                Expr::error(span)
            }
            TyKind::Struct(id) => {
                if let [arg] = args.as_slice()
                    && let Some(pointer) = self.pointer_cast(arg, ty)
                {
                    return Expr { span, ..pointer };
                }
                if let [one] = args.as_slice()
                    && let Some(value) = self.optional_of_one(one, ty, span)
                {
                    return value;
                }
                if let Some(call) = self.constructor_call(*id, &args, span) {
                    return call;
                }
                // A call is one of the memberwise constructor: only lists go on to parts of fields.
                match args.iter().any(|a| self.is_pack(a.ty)) {
                    true => {
                        let list = Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(args) };
                        self.init_from_list(list, ty)
                    }
                    false => self.memberwise(*id, &args, true, span).unwrap_or(Expr::error(span)),
                }
            }
            TyKind::Array(..) | TyKind::Pair(_) => {
                let list = Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(args) };
                self.coerce_init(list, ty)
            }
            _ if matches!(args.as_slice(), [one] if self.is_descriptor_of(one.ty, ty)) => {
                args.into_iter().next().map_or(Expr::error(span), |one| self.coerce(one, ty))
            }
            // The conversion to an interface, written out.
            _ if matches!(args.as_slice(), [one] if self.interface_type(ty).is_some() && !one.ty.is_error()) => {
                args.into_iter().next().map_or(Expr::error(span), |one| self.coerce(one, ty))
            }
            // A resource from its handle.
            _ if matches!(args.as_slice(), [one] if one.ty == ty && ty.is_resource()) => {
                args.into_iter().next().map_or(Expr::error(span), |one| self.cast(one, ty, span))
            }
            _ => {
                let shown = self.show(ty);
                self.error(codes::E0203, span, format!("a `{shown}` cannot be constructed"));
                Expr::error(span)
            }
        }
    }

    /// `T()`. Numbers have no such constructor, unless an extension declares one.
    fn construct_empty(&mut self, ty: Ty, span: Span) -> Expr {
        let number = matches!(ty.kind(), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix(..) | TyKind::Enum(_));
        if let TyKind::Struct(id) = *ty.kind()
            && self.lacks_resources(id, span)
        {
            return Expr::error(span);
        }
        if !number || self.loading_prelude {
            return self.default_value(ty, span);
        }
        if let Some(call) = self.extended_construct(ty, &[], span) {
            return call;
        }
        let shown = self.show(ty);
        let text = format!("`{shown}` has no constructor without arguments");
        let note = format!("`{shown}(0)` is the zero, and `= {{}}` initializes with it");
        self.error(codes::E0204, span, text).notes.push(note);
        Expr::error(span)
    }

    /// The types to which the arguments of a vector or matrix constructor convert. Vectors have a
    /// constructor for every way to compose them of numbers and shorter vectors; matrices have one
    /// that takes rows and one that takes numbers. A list of values fits any parameter, and
    /// spreading a number over a vector has a cost. `None` if no constructor fits, or if several
    /// fit equally well.
    fn parts_of_constructor(&mut self, ty: Ty, args: &[Expr]) -> Option<Vec<Ty>> {
        let s = ty.element_scalar().filter(|_| args.len() > 1)?;
        let made: Vec<Vec<u32>> = match ty.shape() {
            Shape::Vector(n) => compositions(n).into_iter().filter(|c| c.len() == args.len()).collect(),
            Shape::Matrix(r, c) => {
                [vec![c; r as usize], vec![1; (r * c) as usize]].into_iter().filter(|l| l.len() == args.len()).collect()
            }
            _ => return None,
        };
        let cost = |sizes: &Vec<u32>| {
            sizes.iter().zip(args).try_fold(0, |sum, (&n, a)| match (&a.kind, a.ty.shape()) {
                (ExprKind::InitList(_), _) => Some(sum),
                (_, Shape::Scalar) if a.ty.is_arith() => Some(sum + u32::from(n > 1)),
                (_, Shape::Vector(m)) if a.ty.is_arith() && m == n => Some(sum),
                _ => None,
            })
        };
        let least = made.iter().filter_map(cost).min()?;
        let mut best = made.iter().filter(|sizes| cost(sizes) == Some(least));
        let sizes = best.next().filter(|_| best.next().is_none())?;
        Some(sizes.iter().map(|&n| if n == 1 { Ty::scalar(s) } else { Ty::vector(s, n) }).collect())
    }

    /// `float3(a, b.xy)`, `float2x2(row, row)`, `float2x2(a, b, c, d)`.
    fn construct_arith(&mut self, ty: Ty, args: Vec<Expr>, span: Span) -> Expr {
        let Some(s) = ty.element_scalar() else { return Expr::error(span) };
        if let Some(types) = self.parts_of_constructor(ty, &args) {
            let parts = args.into_iter().zip(types).map(|(arg, ty)| match arg.kind {
                ExprKind::InitList(_) => self.coerce(arg, ty),
                // A constructor call converts explicitly, and as in slangc each of several parts
                // does so implicitly.
                _ => {
                    let lossy = |a: types::Scalar, b: types::Scalar| convert::scalar_cost(a, b) >= convert::LOSSY;
                    if !self.cx.in_prelude
                        && s != types::Scalar::Bool
                        && arg.ty.element_scalar().is_some_and(|f| lossy(f, s))
                    {
                        self.warn_lossy(&arg, ty);
                    }
                    self.convert(arg, ty)
                }
            });
            return Expr { ty, span, kind: ExprKind::Construct(parts.collect()) };
        }
        let mut parts = Vec::new();
        let mut have = 0;
        for a in args {
            let number = Ty::scalar(s);
            let rest = ty.shape().count().saturating_sub(have);
            let a = match self.makes_builtin(&a, number) {
                true => self.convert(a, number),
                // A vector of no more components than are missing.
                false => self.as_builtin(a, |t| t.element_scalar() == Some(s) && t.shape().count() <= rest),
            };
            // The rows of one matrix can be followed by those of another.
            let rows = match (a.ty.shape(), ty.shape()) {
                (Shape::Matrix(_, c), Shape::Matrix(_, columns)) => c == columns,
                (Shape::Matrix(..), _) => false,
                _ => true,
            };
            if !a.ty.is_arith() || !rows {
                let (shown, into) = (self.show(a.ty), self.show(ty));
                self.error(codes::E0203, a.span, format!("`{shown}` cannot be a part of `{into}`"));
                return Expr::error(span);
            }
            have += a.ty.shape().count();
            let part = a.ty.with_scalar(s);
            // A constructor call converts explicitly.
            parts.push(self.convert(a, part));
        }
        let want = ty.shape().count();
        if have != want {
            let shown = self.show(ty);
            let text = format!("`{shown}` has {want} components, but {have} are given");
            self.error(codes::E0204, span, text);
            return Expr::error(span);
        }
        Expr { ty, span, kind: ExprKind::Construct(parts) }
    }
}

/// The ways to compose `n` of positive numbers.
fn compositions(n: u32) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let rest = |first: u32| compositions(n - first).into_iter().map(move |c| [vec![first], c].concat());
    (1..=n).flat_map(rest).collect()
}
