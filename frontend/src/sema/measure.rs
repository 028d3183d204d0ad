//! Sizes (`sizeof`, `alignof`, `countof`), and `bit_cast` and `reinterpret`, which read the bytes
//! of a value as another type.

use super::types::{GArg, TyKind, Val, ValKind};
use super::*;
use crate::mutants::{Site, mutant};
use caustic_ir::codes;

impl ExprKind {
    /// Whether it may become a constant when generic arguments are known.
    pub(crate) fn is_decided_later(&self) -> bool {
        let known = |e: &Expr| matches!(e.kind, ExprKind::Const(_)) || e.kind.is_decided_later();
        match self {
            ExprKind::ValueOf(_)
            | ExprKind::RequiredConst { .. }
            | ExprKind::TypeIs { .. }
            | ExprKind::TypeMeets { .. } => true,
            ExprKind::Shared(e, _) => e.kind.is_decided_later(),
            ExprKind::Unary { arg: e, .. } | ExprKind::Convert(e) | ExprKind::ConvertAny(e) => {
                e.kind.is_decided_later()
            }
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Logical { lhs, rhs, .. } => {
                [lhs, rhs].into_iter().all(|e| known(e))
            }
            ExprKind::Ternary { cond, then, other } => [cond, then, other].into_iter().all(|e| known(e)),
            _ => false,
        }
    }
}

impl Checker<'_> {
    /// `sizeof(T)` and the like. A value stands for its type.
    pub(crate) fn check_measure(&mut self, name: ast::Ident, args: &[ast::Expr], span: Span) -> Expr {
        if let ([ty, layout], "sizeof" | "alignof") = (args, name.name.as_str()) {
            return self.check_measure_by(name, [ty, layout], span);
        }
        let [arg] = args else {
            self.error(codes::E0204, span, format!("`{}` takes one type", name.name));
            return Expr::error(span);
        };
        // `x[0]` is written like the type of an array.
        let element = match &arg.kind {
            ast::ExprKind::ArrayType { elem, size: Some(size) } => match &elem.kind {
                ast::ExprKind::Name { name, .. } if self.local_name(name.name).is_some() => {
                    let kind = ast::ExprKind::Index { base: elem.clone(), args: vec![(**size).clone()] };
                    Some(ast::Expr { span: arg.span, kind })
                }
                _ => None,
            },
            _ => None,
        };
        let arg = element.as_ref().unwrap_or(arg);
        let ty = match element.as_ref().map_or_else(|| self.try_type(arg), |_| None) {
            Some(t) => t,
            None => self.check_value(arg).ty,
        };
        if ty.is_error() {
            return Expr::error(span);
        }
        let (kind, result) = match name.name.trim_start_matches('_').to_ascii_lowercase().as_str() {
            "sizeof" => (ValKind::SizeOf(ty), Ty::uint()),
            "alignof" => (ValKind::AlignOf(ty), Ty::uint()),
            "floatsize" => (ValKind::FloatOf(ty), Ty::uint()),
            _ => (ValKind::CountOf(ty), Ty::uint()),
        };
        if matches!(kind, ValKind::CountOf(_)) && !self.is_counted(ty) {
            let shown = self.show(ty);
            self.error(codes::E0203, arg.span, format!("`{shown}` has no elements to count"))
                .notes
                .push("`countof` takes an array, a tuple or a pack of types".to_string());
            return Expr::error(span);
        }
        let v = self.measure_val(Val::new(kind), ty);
        match v.as_int() {
            Some(n) => Expr::int(n, result, span),
            None => Expr { ty: result, span, kind: ExprKind::ValueOf(v) },
        }
    }

    /// The measure `v` of type `ty`. It stays symbolic while it depends on generic arguments.
    pub(crate) fn measure_val(&mut self, v: Val, ty: Ty) -> Val {
        let counted = match v.kind() {
            ValKind::CountOf(_) => match ty.kind() {
                TyKind::ArrayOf(_, n) | TyKind::VectorOf(_, n) => return *n,
                _ => self.count_of(ty),
            },
            _ if self.is_dependent(ty) => None,
            ValKind::SizeOf(_) => Some(self.natural_size(ty).0 as i64),
            ValKind::FloatOf(_) => Some(self.summands(ty).map_or(0, |t| self.natural_size(t).0 as i64)),
            _ => Some(self.natural_size(ty).1 as i64),
        };
        match (counted, v.kind()) {
            (Some(n), _) => Val::int(n),
            (None, ValKind::SizeOf(_)) => Val::new(ValKind::SizeOf(ty)),
            (None, ValKind::AlignOf(_)) => Val::new(ValKind::AlignOf(ty)),
            (None, ValKind::FloatOf(_)) => Val::new(ValKind::FloatOf(ty)),
            (None, _) => Val::new(ValKind::CountOf(ty)),
        }
    }

    /// Whether `countof` takes the type: not a vector, as it is in slangc.
    fn is_counted(&mut self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Array(_, Some(_)) | TyKind::ArrayOf(..) | TyKind::Pack(_) | TyKind::Expand(..) => true,
            _ => self.is_pack(ty) || self.tuple_pack(ty).is_some(),
        }
    }

    pub(crate) fn count_of(&mut self, ty: Ty) -> Option<i64> {
        match ty.kind() {
            TyKind::Array(_, Some(n)) | TyKind::Vector(_, n) => Some(*n as i64),
            TyKind::Matrix(_, r, _) => Some(*r as i64),
            TyKind::Pack(list) if !packs::types_in(list).any(|t| self.is_pack(t)) => Some(list.len() as i64),
            _ => self.tuple_elements(ty).map(|t| t.len() as i64),
        }
    }

    /// Size and alignment as `sizeof` gives them: like in C, but without padding at the end.
    pub(crate) fn natural_size(&mut self, ty: Ty) -> (u64, u64) {
        match ty.kind() {
            TyKind::Laid(t, _) => self.natural_size(*t),
            TyKind::Array(t, n) => {
                let (size, align) = self.natural_size(*t);
                match u64::from(n.unwrap_or(0)) {
                    0 => (0, align),
                    n => (size.next_multiple_of(align) * (n - 1) + size, align),
                }
            }
            TyKind::Struct(id) => {
                if let Some(known) = self.structs[id.0 as usize].natural {
                    return known;
                }
                // As for `layout`, this stops the recursion for types that contain themselves.
                self.structs[id.0 as usize].natural = Some((0, 1));
                let found = self.natural_struct(ty, *id);
                self.structs[id.0 as usize].natural = Some(found);
                found
            }
            TyKind::Pair(t) => {
                let d = self.differential(*t).unwrap_or(*t);
                self.natural_fields(&[*t, d])
            }
            TyKind::Buffer { .. } => (16, 8),
            _ => self.size_and_align(ty),
        }
    }

    #[mutant(Site::SizeOfNull if self.is_null(ty) => (0, 1))]
    fn natural_struct(&mut self, ty: Ty, id: StructId) -> (u64, u64) {
        // In slangc's C++ this is one of the few types whose size includes the padding at the end.
        if let Some(value) = self.optional_of(ty) {
            let (size, align) = self.natural_fields(&[value, Ty::bool()]);
            return (size.next_multiple_of(align), align);
        }
        let fields: Vec<Ty> = self.fields(id).iter().map(|f| f.ty).collect();
        self.natural_fields(&fields)
    }

    fn natural_fields(&mut self, fields: &[Ty]) -> (u64, u64) {
        let (mut at, mut most) = (0u64, 1u64);
        for f in fields {
            let (size, align) = self.natural_size(*f);
            at = at.next_multiple_of(align) + size;
            most = most.max(align);
        }
        (at, most)
    }

    /// `bit_cast<T>(value)` and `reinterpret<T>(value)`.
    pub(crate) fn check_reinterpret(
        &mut self,
        name: ast::Ident,
        to: &[ast::Expr],
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let ([arg], Some(types)) = (args, self.generic_args(to)) else {
            if args.len() != 1 {
                self.error(codes::E0204, span, format!("`{}` takes one value", name.name));
            }
            return Expr::error(span);
        };
        let Some(GArg::Ty(ty)) = types.first().copied() else {
            self.error(codes::E0208, name.span, format!("`{}` needs the type of its result", name.name));
            return Expr::error(span);
        };
        let ty = self.require_value_type(ty, span, "a result");
        let value = self.check_value(arg);
        let value = match types.get(1) {
            Some(GArg::Ty(from)) => self.coerce(value, *from),
            _ => self.read_uniform(value),
        };
        if value.ty.is_error() || ty.is_error() {
            return Expr::error(span);
        }
        self.reinterpreted(value, ty, name.name == *"reinterpret", span)
    }

    /// The bytes of a value as another type. `loose`: the smaller of the two is padded with zeros.
    fn reinterpreted(&mut self, value: Expr, ty: Ty, loose: bool, span: Span) -> Expr {
        if value.ty == ty {
            return value;
        }
        if self.without_bits(value.ty, span) || self.without_bits(ty, span) {
            return Expr::error(span);
        }
        if !self.is_dependent(value.ty) && !self.is_dependent(ty) && !loose {
            let (a, b) = (self.natural_size(value.ty).0, self.natural_size(ty).0);
            if a != b {
                let (from, to) = (self.show(value.ty), self.show(ty));
                self.error(codes::E0203, span, format!("`{from}` has {a} bytes and `{to}` has {b}"))
                    .notes
                    .push("`bit_cast` reads the bytes of a value as a type of the same size".to_string());
                return Expr::error(span);
            }
        }
        Expr { ty, span, kind: ExprKind::Reinterpret(value.into()) }
    }

    /// Returns whether values of a type are not plain data, after reporting it.
    fn without_bits(&mut self, ty: Ty, span: Span) -> bool {
        let Some(part) = self.part_without_bits(ty) else { return false };
        let (shown, held) = (self.show(ty), self.show(part));
        let d = self.error(
            codes::E0203,
            span,
            format!("`{shown}` is not plain data, whose bytes could be read as another type"),
        );
        if part != ty {
            d.notes.push(format!("it holds `{held}`"));
        }
        true
    }

    /// The part of a type, or the type itself, that is not plain data.
    pub(super) fn part_without_bits(&mut self, ty: Ty) -> Option<Ty> {
        if self.is_dependent(ty) || self.scalar_of(ty).is_some() {
            return None;
        }
        match ty.kind() {
            TyKind::Interface(_) | TyKind::Error => None,
            // All elements have the same type.
            TyKind::Array(t, Some(_)) => self.part_without_bits(*t),
            _ => match self.part_types(ty) {
                Some(parts) => parts.into_iter().find_map(|part| self.part_without_bits(part)),
                None => Some(ty),
            },
        }
    }

    /// Records that the bytes of a value are read as another type.
    pub(crate) fn need_bits(&mut self, from: Ty, to: Ty, span: Span) {
        if self.without_bits(from, span) || self.without_bits(to, span) {
            return;
        }
        let mut found = Vec::new();
        self.interfaces_in(from, &mut found);
        self.interfaces_in(to, &mut found);
        for i in found {
            self.need_packer(Ty::new(TyKind::Interface(i)), span);
        }
    }
}

impl Checker<'_> {
    /// `__sizeOf<T>()`, `__sizeOf(x)` and the like: the size as in C, with padding up to the
    /// alignment.
    pub(crate) fn check_c_measure(&mut self, call: super::builtins::Written<'_>) -> Expr {
        let super::builtins::Written { name, generic, args, span } = call;
        let ty = match (generic, args) {
            ([ty], []) => self.resolve_type(ty),
            ([], [of]) => match self.try_type(of) {
                Some(ty) => ty,
                None => self.check_value(of).ty,
            },
            _ => {
                self.error(codes::E0204, span, format!("`{}` takes one type, or one value", name.name));
                Ty::error()
            }
        };
        if ty.is_error() {
            return Expr::error(span);
        }
        if name.name == *"__sizeOf" {
            return self.size_of(ty, span);
        }
        let v = self.measure_val(Val::new(ValKind::AlignOf(ty)), ty);
        match v.as_int() {
            Some(n) => Expr::int(n, Ty::uint(), span),
            None => Expr { ty: Ty::uint(), span, kind: ExprKind::ValueOf(v) },
        }
    }

    /// `__offsetOf(x, x.f)`: the offset of a field in a variable, in bytes.
    pub(crate) fn check_offset(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [of, field] = args else {
            self.error(codes::E0204, span, "`__offsetOf` takes a variable and a field of it");
            return Expr::error(span);
        };
        let (of, field) = (self.check_value(of), self.check_value(field));
        if of.ty.is_error() || field.ty.is_error() {
            return Expr::error(span);
        }
        let (mut at, mut offset) = (&field, 0u64);
        while at.ty != of.ty {
            let ExprKind::Field { base, index } = &at.kind else {
                self.error(codes::E0203, field.span, "`__offsetOf` takes a field of the variable before it");
                return Expr::error(span);
            };
            let types: Vec<Ty> = match base.ty.as_struct() {
                Some(id) => self.fields(id).iter().map(|f| f.ty).collect(),
                None => Vec::new(),
            };
            if types.iter().any(|t| self.is_dependent(*t)) {
                self.unsupported(span, "the offset of a field in a type that depends on generic arguments");
                return Expr::error(span);
            }
            let mut here = 0;
            for (i, ty) in types.into_iter().enumerate() {
                let (size, align) = self.size_and_align(ty);
                here = u64::next_multiple_of(here, align);
                if i == *index as usize {
                    break;
                }
                here += size;
            }
            offset += here;
            at = base;
        }
        Expr::int(offset as i64, Ty::uint(), span)
    }
}
