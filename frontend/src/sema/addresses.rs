//! Pointers: `T*`, `Ptr<T>` and `nullptr`; how they are followed, moved, compared and made.
//!
//! `Ptr` is a struct of the prelude that holds an address as a number, so it is copied, passed and
//! stored like any other struct. A pointer points to element 0 of the buffer that `agg.pointee`
//! makes of the address.

use super::types::{MatrixLayout, Resource, Scalar, TyKind};
use super::*;
use crate::lower::private::LOCAL_ADDRESS;
use ast::BinOp;
use caustic_ir::codes;

/// The index of the address among the fields.
const ADDRESS: u32 = 0;

/// The prelude's name of `Ptr<T, Access.Read>`.
pub(super) const READ_ONLY: &str = "__ReadPtr";

fn u64_type() -> Ty {
    Ty::scalar(Scalar::U64)
}

fn wide(op: BinOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
    Expr { ty: u64_type(), span, kind: ExprKind::Binary { op, lhs: lhs.into(), rhs: rhs.into() } }
}

impl Checker<'_> {
    pub(crate) fn pointer_type(&mut self, to: Ty) -> Ty {
        self.prelude_type("Ptr", to)
    }

    /// The type that a pointer points to; `None` if `ty` is no pointer.
    pub(crate) fn pointee(&mut self, ty: Ty) -> Option<Ty> {
        self.prelude_argument("Ptr", ty).or_else(|| self.prelude_argument(READ_ONLY, ty))
    }

    /// The pointer of type `ty` through which nothing is written.
    pub(crate) fn read_pointer(&mut self, ty: Ty) -> Ty {
        match self.pointee(ty) {
            Some(to) => self.prelude_type(READ_ONLY, to),
            None => ty,
        }
    }

    /// Whether a place was reached through a pointer that only reads.
    pub(crate) fn is_only_read(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.is_only_read(base)
            }
            _ => self.address_of_pointee(place).is_some_and(|address| self.is_of_read_pointer(&address)),
        }
    }

    /// Whether a type is `Ptr<T, Access.Read>`.
    pub(super) fn is_read_pointer(&self, ty: Ty) -> bool {
        let of = ty.as_struct().and_then(|id| self.structs[id.0 as usize].instance_of);
        of.is_some_and(|(base, _)| self.structs[base.0 as usize].path == *READ_ONLY)
    }

    fn is_of_read_pointer(&self, address: &Expr) -> bool {
        match &address.kind {
            ExprKind::Field { base, .. } => self.is_read_pointer(base.ty),
            ExprKind::Binary { lhs, .. } => self.is_of_read_pointer(lhs),
            _ => false,
        }
    }

    /// Whether `Ptr` with these arguments is the builtin one. Its argument for the address space
    /// has no effect.
    pub(crate) fn is_builtin_pointer(&mut self, name: Name, found: Entry) -> bool {
        name == *"Ptr" && matches!(found, Entry::Struct(id) if self.prelude_struct("Ptr") == Some(id))
    }

    /// Checks `Access.X` as an argument of `Ptr`. Returns whether such a pointer only reads.
    pub(crate) fn check_pointer_access(&mut self, written: &ast::Expr) -> bool {
        const ACCESSES: [&str; 3] = ["Read", "ReadWrite", "Immutable"];
        let ast::ExprKind::Member { base, name, .. } = &written.kind else { return false };
        if base.is_name(Name::new("Access")) && !ACCESSES.iter().any(|a| name.name == **a) {
            let near = super::spelling::most_like(&name.name, ACCESSES.iter().copied());
            self.error(codes::E0217, name.span, format!("`Access` has no member `{}`", name.name))
                .notes
                .push(near.map_or(format!("there are `{}`", ACCESSES.join("`, `")), |a| format!("there is `{a}`")));
        }
        base.is_name(Name::new("Access")) && name.name != *"ReadWrite"
    }

    /// `nullptr`. The caller has found no declaration that hides it.
    pub(crate) fn null_pointer(&mut self, span: Span) -> Option<Expr> {
        let id = self.prelude_struct("__nullptr_t")?;
        Some(Expr { ty: Ty::new(TyKind::Struct(id)), span, kind: ExprKind::Zero })
    }

    pub(crate) fn is_null(&mut self, ty: Ty) -> bool {
        ty.as_struct().is_some_and(|id| {
            self.structs[id.0 as usize].name == *"__nullptr_t" && self.prelude_struct("__nullptr_t") == Some(id)
        })
    }

    fn address(&self, pointer: Expr) -> Expr {
        let span = pointer.span;
        Expr { ty: u64_type(), span, kind: ExprKind::Field { base: pointer.into(), index: ADDRESS } }
    }

    pub(super) fn pointer(&self, address: Expr, ty: Ty) -> Expr {
        let span = address.span;
        Expr { ty, span, kind: ExprKind::Construct(vec![address]) }
    }

    /// The place at an address.
    fn place_at(&mut self, address: Expr, to: Ty, span: Span) -> Expr {
        if to.is_void() {
            self.error(codes::E0266, span, "a `void*` leads to no value")
                .notes
                .push("cast it to the pointer that it is".into());
            return Expr::error(span);
        }
        let view = Ty::new(TyKind::Resource(Resource::ByteView { elem: to, write: true }));
        let op = Name::new("agg.pointee");
        let buffer = Expr { ty: view, span, kind: ExprKind::Intrinsic { op, args: vec![address] } };
        let index = Expr::int(0, Ty::int(), span);
        Expr { ty: to.as_value(), span, kind: ExprKind::BufferElem { buffer: buffer.into(), index: index.into() } }
    }

    /// The place of type `to` that the pointer in a variable points to.
    pub(crate) fn pointed_to(&mut self, pointer: LocalId, to: Ty, span: Span) -> Expr {
        let ty = self.pointer_type(to);
        let address = self.address(Expr { ty, span, kind: ExprKind::Local(pointer) });
        self.place_at(address, to, span)
    }

    /// The address of a place, if the place was made from an address.
    pub(crate) fn address_of_pointee(&self, place: &Expr) -> Option<Expr> {
        let ExprKind::BufferElem { buffer, .. } = &place.kind else { return None };
        match &buffer.kind {
            ExprKind::Intrinsic { op, args } if *op == *"agg.pointee" => args.first().cloned(),
            _ => None,
        }
    }

    /// A pointer to a variable.
    pub(crate) fn local_pointer(&self, variable: Expr, ty: Ty) -> Expr {
        let (op, span) = (Name::new(LOCAL_ADDRESS), variable.span);
        self.pointer(Expr { ty: u64_type(), span, kind: ExprKind::Intrinsic { op, args: vec![variable] } }, ty)
    }

    /// `*p`; `None` if `p` is no pointer.
    pub(crate) fn followed(&mut self, pointer: &Expr, span: Span) -> Option<Expr> {
        let to = self.pointee(pointer.ty)?;
        if let Some(place) = self.followed_place(pointer) {
            return Some(Expr { span, ..place });
        }
        let address = self.address(pointer.clone());
        Some(self.place_at(address, to, span))
    }

    /// `p[i]`.
    pub(crate) fn pointer_element(&mut self, pointer: &Expr, index: Expr, span: Span) -> Option<Expr> {
        let to = self.pointee(pointer.ty)?;
        if let Some(place) = self.followed_place(pointer)
            && matches!(self.fold(&index), Some(Const::Int(0)))
        {
            return Some(Expr { span, ..place });
        }
        let Some(address) = self.moved(pointer.clone(), BinOp::Add, index, to, span) else {
            return Some(Expr::error(span));
        };
        Some(self.place_at(address, to, span))
    }

    /// The address that lies `count` elements further on.
    fn moved(&mut self, pointer: Expr, op: BinOp, count: Expr, to: Ty, span: Span) -> Option<Expr> {
        let count = self.read_uniform(count);
        let count = self.enum_to_int(count);
        if count.ty.as_scalar().is_none_or(Scalar::is_float) {
            if !count.ty.is_error() {
                let shown = self.show(count.ty);
                self.error(codes::E0215, count.span, format!("an index must be an integer, this is `{shown}`"));
            }
            return None;
        }
        // Subtraction wraps: moving back is adding a large number.
        let count = self.convert(count, u64_type());
        let size = match to.is_void() {
            true => Expr::int(1, Ty::uint(), span),
            false => self.size_of(to, span),
        };
        let size = self.convert(size, u64_type());
        let distance = wide(BinOp::Mul, count, size, span);
        Some(wide(op, self.address(pointer), distance, span))
    }

    /// Arithmetic and comparisons with pointers; `None` if neither side is a pointer.
    pub(crate) fn pointer_binary(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<Expr> {
        let (left, right) = (self.pointee(lhs.ty), self.pointee(rhs.ty));
        if let (Some(to), BinOp::Add | BinOp::Sub, None) = (left, op, right)
            && rhs.ty.as_scalar().is_some()
        {
            let address = self.moved(lhs.clone(), op, rhs.clone(), to, span);
            return Some(address.map_or(Expr::error(span), |a| self.pointer(a, lhs.ty)));
        }
        if op.is_logical() && (left.is_some() || right.is_some()) {
            let mut truth = |e: &Expr| if self.pointee(e.ty).is_some() { self.is_set(e.clone()) } else { e.clone() };
            let (l, r) = (truth(lhs), truth(rhs));
            return Some(self.check_binary(op, l, r, span));
        }
        // As in slangc, a number is compared with the address.
        let address = |e: &Expr| e.ty.as_scalar().is_some_and(Scalar::is_int);
        if matches!(op, BinOp::Eq | BinOp::Ne) && (left.is_some() && address(rhs) || right.is_some() && address(lhs)) {
            let mut side = |e: &Expr, pointer: bool| match pointer {
                true => self.address(e.clone()),
                false => self.convert(e.clone(), u64_type()),
            };
            let (l, r) = (side(lhs, left.is_some()), side(rhs, right.is_some()));
            return Some(Expr { ty: Ty::bool(), span, kind: ExprKind::Binary { op, lhs: l.into(), rhs: r.into() } });
        }
        let null = (self.is_null(lhs.ty), self.is_null(rhs.ty));
        let compares = match (left, right) {
            (Some(a), Some(b)) => a == b,
            (Some(_), None) => null.1,
            (None, Some(_)) => null.0,
            (None, None) => return None,
        };
        if !op.is_comparison() || !compares {
            let (a, b) = (self.show(lhs.ty), self.show(rhs.ty));
            self.error(codes::E0212, span, format!("`{}` does not take `{a}` and `{b}`", op.text()));
            return Some(Expr::error(span));
        }
        let side = |c: &Self, e: &Expr, null: bool| match null {
            true => Expr::int(0, u64_type(), e.span),
            false => c.address(e.clone()),
        };
        let (l, r) = (side(self, lhs, null.0), side(self, rhs, null.1));
        Some(Expr { ty: Ty::bool(), span, kind: ExprKind::Binary { op, lhs: l.into(), rhs: r.into() } })
    }

    /// `++p`, `--p`, `p++` and `p--`.
    pub(crate) fn pointer_step(&mut self, inc: bool, prefix: bool, place: Expr, span: Span) -> Expr {
        let ty = place.ty;
        let (forth, back) = if inc { (BinOp::Add, BinOp::Sub) } else { (BinOp::Sub, BinOp::Add) };
        let Some(to) = self.pointee(ty) else { return Expr::error(span) };
        let one = Expr::int(1, Ty::int(), span);
        let old = self.hidden_local(ty, span);
        let current = Expr { ty, span, kind: ExprKind::Local(old) };
        let Some(address) = self.moved(current, forth, one.clone(), to, span) else { return Expr::error(span) };
        let value = self.pointer(address, ty);
        let new = Expr { ty, span, kind: ExprKind::Update { place: place.into(), old, value: value.into() } };
        if prefix {
            return new;
        }
        match self.moved(new, back, one, to, span) {
            Some(before) => self.pointer(before, ty),
            None => Expr::error(span),
        }
    }

    /// Whether a pointer is not null: `p != nullptr`.
    pub(crate) fn is_set(&mut self, pointer: Expr) -> Expr {
        let span = pointer.span;
        let (lhs, rhs) = (self.address(pointer), Expr::int(0, u64_type(), span));
        Expr { ty: Ty::bool(), span, kind: ExprKind::Binary { op: BinOp::Ne, lhs: lhs.into(), rhs: rhs.into() } }
    }

    /// The cost of an implicit conversion from or to a pointer.
    pub(crate) fn pointer_cost(&mut self, e: &Expr, to: Ty) -> Option<convert::Cost> {
        const FROM_NULL: convert::Cost = 1;
        const TO_BOOL: convert::Cost = 500;
        if self.is_null(e.ty) && self.pointee(to).is_some() {
            return Some(FROM_NULL);
        }
        (to == Ty::bool() && self.pointee(e.ty).is_some()).then_some(TO_BOOL)
    }

    /// Performs a conversion that `pointer_cost` allows.
    pub(crate) fn convert_pointer(&mut self, e: Expr, to: Ty) -> Expr {
        let span = e.span;
        if self.is_null(e.ty) { Expr { ty: to, span, kind: ExprKind::Zero } } else { self.is_set(e) }
    }

    /// A cast between pointers, and between pointers and integers; `None` if neither is a pointer.
    pub(crate) fn pointer_cast(&mut self, e: &Expr, to: Ty) -> Option<Expr> {
        let from_pointer = self.pointee(e.ty).is_some();
        if self.pointee(to).is_some() {
            let address = match e.ty.as_scalar() {
                _ if from_pointer => self.address(e.clone()),
                Some(s) if s.is_int() => self.convert(e.clone(), u64_type()),
                _ if self.is_null(e.ty) => Expr::int(0, u64_type(), e.span),
                _ => return None,
            };
            return Some(self.pointer(address, to));
        }
        if !from_pointer || to.as_scalar().is_none_or(Scalar::is_float) {
            return None;
        }
        if to == Ty::bool() {
            return Some(self.is_set(e.clone()));
        }
        let address = self.address(e.clone());
        Some(self.convert(address, to))
    }

    /// `&place` and `__getAddress(place)`.
    pub(crate) fn check_address_of(&mut self, place: &Expr, span: Span) -> Expr {
        if place.ty.is_error() {
            return Expr::error(span);
        }
        if self.is_only_read(place) {
            self.error(codes::E0266, span, "the address of this cannot be taken")
                .notes
                .push("it is reached through a pointer that only reads, and `&` makes one that writes".to_string());
            return Expr::error(span);
        }
        let place = &self.in_tensor(place.clone());
        let whole_matrix = matches!(structs::innermost(place.ty).kind(), TyKind::Matrix(..));
        if whole_matrix && self.layout_of_place(place) != self.layout {
            let shown = self.show(place.ty);
            self.error(codes::E0266, span, "the address of this cannot be taken").notes.push(format!(
                "it lies in another order than a pointer to `{shown}` finds; take the address of a component, or of what it is a field of"
            ));
            return Expr::error(span);
        }
        if let Some(pointer) = self.followed_pointer(place, span) {
            return pointer;
        }
        match self.address_of_place(place) {
            Some(address) => {
                let ty = self.pointer_type(place.ty);
                self.pointer(Expr { span, ..address }, ty)
            }
            None => {
                self.error(codes::E0266, span, "the address of this cannot be taken").notes.push(
                    "pointers lead into writable structured buffers, groupshared memory and variables".to_string(),
                );
                Expr::error(span)
            }
        }
    }

    /// The layout in memory of a matrix at a place.
    fn layout_of_place(&mut self, place: &Expr) -> MatrixLayout {
        let laid = |ty: Ty| if let TyKind::Laid(_, layout) = ty.kind() { Some(*layout) } else { None };
        let written = match &place.kind {
            ExprKind::BufferElem { buffer, .. } => match buffer.ty.kind() {
                TyKind::Buffer { elem, .. } | TyKind::Resource(Resource::ByteView { elem, .. }) => laid(*elem),
                _ => None,
            },
            ExprKind::Field { base, index } => {
                let field = base.ty.as_struct().and_then(|id| self.fields(id).get(*index as usize).cloned());
                field.and_then(|f| f.layout.or(laid(f.ty)))
            }
            ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => return self.layout_of_place(base),
            _ => None,
        };
        written.unwrap_or(self.layout)
    }

    /// The address of component (`row`, `column`) of a column-major matrix at a place; `None` for
    /// other matrices. The rows of a column-major matrix are not contiguous.
    fn address_in_columns(&mut self, matrix: &Expr, row: Expr, column: Expr) -> Option<Expr> {
        let span = matrix.span;
        let TyKind::Matrix(scalar, rows, _) = *matrix.ty.kind() else { return None };
        if self.layout_of_place(matrix) != MatrixLayout::Column {
            return None;
        }
        let size = self.size_and_align(Ty::scalar(scalar)).0;
        let constant = |n: u64| Expr::int(n as i64, u64_type(), span);
        let [row, column] = [row, column].map(|e| self.convert(e, u64_type()));
        let before = wide(BinOp::Mul, column, constant(rows as u64), span);
        let bytes = wide(BinOp::Mul, wide(BinOp::Add, before, row, span), constant(size), span);
        Some(wide(BinOp::Add, self.address_of_place(matrix)?, bytes, span))
    }

    pub(super) fn address_of_place(&mut self, place: &Expr) -> Option<Expr> {
        let span = place.span;
        // A component of a matrix, by its row and column or by its number.
        let number = |k: u32| Expr::int(k as i64, u64_type(), span);
        let component = match &place.kind {
            ExprKind::Index { base, index } => match &base.kind {
                ExprKind::Index { base: matrix, index: row } => Some((matrix, (**row).clone(), (**index).clone())),
                _ => None,
            },
            ExprKind::Swizzle { base, comps } if comps.len() == 1 => match (&base.kind, base.ty.kind()) {
                (_, TyKind::Matrix(_, _, cols)) => {
                    let k = comps[0] as u32;
                    Some((base, number(k / cols), number(k % cols)))
                }
                (ExprKind::Index { base: matrix, index: row }, _) => {
                    Some((matrix, (**row).clone(), number(comps[0] as u32)))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((matrix, row, column)) = component
            && let Some(address) = self.address_in_columns(matrix, row, column)
        {
            return Some(address);
        }
        let further = |from: Expr, bytes: Expr| wide(BinOp::Add, from, bytes, span);
        let constant = |bytes: u64| Expr::int(bytes as i64, u64_type(), span);
        match &place.kind {
            ExprKind::Local(local) if self.carries_derivative(*local) => None,
            ExprKind::Local(_) | ExprKind::Static { .. } => {
                let op = Name::new(LOCAL_ADDRESS);
                Some(Expr { ty: u64_type(), span, kind: ExprKind::Intrinsic { op, args: vec![place.clone()] } })
            }
            ExprKind::BufferElem { buffer, index } => match (&buffer.kind, buffer.ty.kind()) {
                (ExprKind::Intrinsic { op, args }, _) if *op == *"agg.pointee" => args.first().cloned(),
                (_, TyKind::Buffer { elem, write: true }) => {
                    let op = Name::new("agg.address");
                    let kind = ExprKind::Intrinsic { op, args: vec![(**buffer).clone()] };
                    let size = self.size_of(*elem, span);
                    let size = self.convert(size, u64_type());
                    let index = self.convert((**index).clone(), u64_type());
                    Some(further(Expr { ty: u64_type(), span, kind }, wide(BinOp::Mul, index, size, span)))
                }
                _ => None,
            },
            ExprKind::Field { base, index } => {
                let fields: Vec<Ty> = self.fields(base.ty.as_struct()?).iter().map(|f| f.ty).collect();
                let mut at = 0u64;
                for (k, ty) in fields.iter().enumerate() {
                    let (size, align) = self.size_and_align(*ty);
                    at = at.next_multiple_of(align.max(1));
                    if k == *index as usize {
                        break;
                    }
                    at += size;
                }
                Some(further(self.address_of_place(base)?, constant(at)))
            }
            // The row of a column-major matrix.
            ExprKind::Index { base, .. }
                if matches!(base.ty.kind(), TyKind::Matrix(..))
                    && self.layout_of_place(base) == MatrixLayout::Column =>
            {
                None
            }
            ExprKind::Index { base, index } => {
                let size = self.size_and_align(place.ty).0;
                let index = self.convert((**index).clone(), u64_type());
                Some(further(self.address_of_place(base)?, wide(BinOp::Mul, index, constant(size), span)))
            }
            ExprKind::Swizzle { base, comps } if comps.len() == 1 && base.ty.is_arith() => {
                let size = self.size_and_align(place.ty).0;
                Some(further(self.address_of_place(base)?, constant(size * comps[0] as u64)))
            }
            _ => None,
        }
    }
}
