//! Data layouts: the offsets of a type's fields by the rules of graphics APIs.
//!
//! Values are always laid out as in C (`size_and_align`). The other rules only serve
//! `sizeof(T, Layout)` and warnings about memory that a program declares to have a layout that
//! would differ from C's. This module places no values.

use super::types::{Scalar, TyKind, Val, ValKind};
use super::*;
use caustic_ir::codes;

/// The rules for laying out aggregates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    /// The layout of `sizeof` without a layout.
    Natural,
    C,
    /// Everything is aligned like its largest scalar; aggregates have no padding at the end.
    Scalar,
    /// Vectors are aligned to two or four scalars; an aggregate is padded only if something follows
    /// it.
    Std430,
    /// Like `Std430`, but arrays and structs are aligned to 16 bytes.
    Std140,
}

/// The types of the prelude that stand for rules.
const NAMED: [(&str, Rules); 5] = [
    ("DefaultDataLayout", Rules::Natural),
    ("CDataLayout", Rules::C),
    ("ScalarDataLayout", Rules::Scalar),
    ("Std430DataLayout", Rules::Std430),
    ("Std140DataLayout", Rules::Std140),
];

/// The interface that all of them conform to.
const INTERFACE: &str = "IBufferDataLayout";

/// The alignment of aggregates in `Std140`.
const PIECE: u64 = 16;

impl Rules {
    fn scalar(self, scalar: Scalar) -> u64 {
        match (scalar, self) {
            (Scalar::Bool, Rules::Std430 | Rules::Std140) => 4,
            (Scalar::Bool, _) => 1,
            _ => scalar.bits() as u64 / 8,
        }
    }

    fn vector(self, scalar: Scalar, count: u32) -> (u64, u64) {
        let each = self.scalar(scalar);
        let align = match (self, count) {
            (Rules::Std430 | Rules::Std140, 2) => 2 * each,
            (Rules::Std430 | Rules::Std140, 3 | 4) => 4 * each,
            _ => each,
        };
        (each * u64::from(count), align)
    }

    /// The alignment of an aggregate, given the largest alignment of its parts.
    fn aggregate(self, align: u64) -> u64 {
        if self == Rules::Std140 { align.next_multiple_of(PIECE) } else { align.max(1) }
    }

    /// Whether an aggregate is padded to its alignment, whatever follows it.
    fn fills(self) -> bool {
        matches!(self, Rules::C | Rules::Std140)
    }

    fn array(self, (size, align): (u64, u64), count: u32) -> (u64, u64) {
        let align = self.aggregate(align);
        let stride = size.next_multiple_of(align);
        let whole = stride.saturating_mul(u64::from(count));
        let end = if self.fills() || count == 0 { 0 } else { stride - size };
        (whole.saturating_sub(end), align)
    }
}

impl Checker<'_> {
    /// The rules that a type stands for; `None` if it stands for none.
    fn data_layout(&mut self, ty: Ty) -> Option<Rules> {
        let id = ty.as_struct()?;
        let name = self.structs[id.0 as usize].name;
        let (text, rules) = NAMED.iter().find(|(n, _)| name == **n)?;
        (self.prelude_struct(text) == Some(id)).then_some(*rules)
    }

    /// Size and alignment of a type by these rules.
    fn size_by(&mut self, ty: Ty, rules: Rules) -> (u64, u64) {
        let ty = ty.as_value();
        match ty.kind() {
            _ if rules == Rules::Natural => self.natural_size(ty),
            TyKind::Scalar(s) => (rules.scalar(*s), rules.scalar(*s)),
            TyKind::Vector(s, n) => rules.vector(*s, *n),
            TyKind::Matrix(s, rows, columns) => {
                let (lines, each) = match self.layout {
                    types::MatrixLayout::Row => (*rows, *columns),
                    types::MatrixLayout::Column => (*columns, *rows),
                };
                rules.array(rules.vector(*s, each), lines)
            }
            TyKind::Enum(id) => {
                let base = self.enum_base(*id);
                self.size_by(base, rules)
            }
            TyKind::Array(t, n) => {
                let of = self.size_by(*t, rules);
                rules.array(of, n.unwrap_or(0))
            }
            // A struct that contains itself is reported elsewhere, and has size 0 in
            // `size_and_align`.
            TyKind::Struct(_) if self.size_and_align(ty).0 == 0 => (0, 1),
            TyKind::Struct(_) | TyKind::Pair(_) => {
                let fields = self.parts(ty);
                let (_, size, align) = self.offsets_by(&fields, rules);
                (size, align)
            }
            _ => self.size_and_align(ty),
        }
    }

    /// The types of a value's named parts.
    fn parts(&mut self, ty: Ty) -> Vec<Ty> {
        match ty.kind() {
            TyKind::Struct(id) => self.fields(*id).iter().map(|f| f.ty).collect(),
            TyKind::Pair(t) => vec![*t, self.differential(*t).unwrap_or(*t)],
            _ => Vec::new(),
        }
    }

    /// The offsets of fields, and the size and alignment of all together.
    fn offsets_by(&mut self, fields: &[Ty], rules: Rules) -> (Vec<u64>, u64, u64) {
        let (mut at, mut most) = (0u64, 1);
        let mut offsets = Vec::with_capacity(fields.len());
        for f in fields {
            let (size, align) = self.size_by(*f, rules);
            let alone = matches!(f.as_value().kind(), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Enum(_));
            let filled = !alone && rules == Rules::Std430;
            // The padding of an aggregate is only kept where another field follows.
            let last = offsets.len() + 1 == fields.len();
            at = at.next_multiple_of(align.max(1));
            offsets.push(at);
            at = at.saturating_add(if filled && !last { size.next_multiple_of(align.max(1)) } else { size });
            most = most.max(align);
        }
        let align = rules.aggregate(most);
        (offsets, if rules.fills() { at.next_multiple_of(align) } else { at }, align)
    }

    /// `sizeof(T, Layout)`, `alignof(T, Layout)`.
    pub(super) fn check_measure_by(&mut self, name: ast::Ident, args: [&ast::Expr; 2], span: Span) -> Expr {
        let [ty, layout] = args.map(|e| self.resolve_type(e));
        if ty.is_error() || layout.is_error() {
            return Expr::error(span);
        }
        if !self.is_dependent(layout) && self.data_layout(layout).is_none() {
            let shown = self.show(layout);
            self.error(codes::E0203, args[1].span, format!("`{shown}` is no layout of data"))
                .notes
                .push("layouts are `ScalarDataLayout`, `Std430DataLayout` and so on".to_string());
            return Expr::error(span);
        }
        let v = self.measure_by(name.name == *"alignof", ty, layout);
        match v.as_int() {
            Some(n) => Expr::int(n, Ty::uint(), span),
            None => Expr { ty: Ty::uint(), span, kind: ExprKind::ValueOf(v) },
        }
    }

    /// The size or the alignment of `ty`; symbolic while it or the layout depends on generic
    /// arguments.
    pub(super) fn measure_by(&mut self, align: bool, ty: Ty, layout: Ty) -> Val {
        let known = !self.is_dependent(ty);
        match self.data_layout(layout).filter(|_| known) {
            Some(rules) => {
                let (size, alignment) = self.size_by(ty, rules);
                Val::int(if align { alignment } else { size } as i64)
            }
            None => Val::new(ValKind::LaidBy { align, ty, layout }),
        }
    }

    /// Returns whether a type is a data layout; reports it otherwise.
    pub(super) fn require_layout(&mut self, layout: Ty, span: Span) -> bool {
        let name = Name::new(INTERFACE);
        self.load_prelude(name);
        let known = self.namespaces[ROOT.0 as usize].names.get(&name);
        let interface = known.into_iter().flatten().find_map(|e| match e {
            Entry::Interface(id) => Some(types::InterfaceRef { id: *id, args: types::Args::new(Vec::new()) }),
            _ => None,
        });
        if layout.is_error() || interface.is_none_or(|i| self.conforms(layout, i)) {
            return true;
        }
        let shown = self.show(layout);
        self.error(codes::E0232, span, format!("`{shown}` does not say how data lie: it is no `{INTERFACE}`"));
        false
    }

    /// Warns if memory is declared to have a layout that differs from the actual one.
    pub(super) fn check_data_layout(&mut self, elem: Ty, layout: Ty, span: Span) {
        let Some(rules) = self.data_layout(layout).filter(|_| !self.is_dependent(elem)) else { return };
        if rules == Rules::Natural {
            return;
        }
        if self.stride(elem, Rules::C) == self.stride(elem, rules) && self.lies_as_in_c(elem, rules) {
            return;
        }
        let (elem, layout) = (self.show(elem), self.show(layout));
        let text = format!("`{layout}` changes nothing here: `{elem}` lies as in C");
        self.warn(codes::W0220, span, text).notes.push("bind its bytes as C has them".to_string());
    }

    /// [`Self::check_data_layout`] for the memory that a pointer points to.
    pub(super) fn check_pointer_layout(&mut self, to: &ast::Expr, layout: &ast::Expr) {
        if let (Some(elem), Some(by)) = (self.try_type(to), self.try_type(layout)) {
            self.check_data_layout(elem, by, layout.span);
        }
    }

    /// The distance between adjacent elements of an array.
    fn stride(&mut self, ty: Ty, rules: Rules) -> u64 {
        let (size, align) = self.size_by(ty, rules);
        size.next_multiple_of(align.max(1))
    }

    /// Whether all parts of a value have the offsets that they have in C.
    fn lies_as_in_c(&mut self, ty: Ty, rules: Rules) -> bool {
        match ty.as_value().kind() {
            TyKind::Array(t, _) => self.stride(*t, Rules::C) == self.stride(*t, rules) && self.lies_as_in_c(*t, rules),
            TyKind::Struct(_) | TyKind::Pair(_) => {
                let fields = self.parts(ty.as_value());
                self.offsets_by(&fields, Rules::C).0 == self.offsets_by(&fields, rules).0
                    && fields.into_iter().all(|f| self.lies_as_in_c(f, rules))
            }
            _ => self.size_by(ty, Rules::C).0 == self.size_by(ty, rules).0,
        }
    }
}
