//! Tuples: structs of the prelude whose fields `_0`, `_1`, … follow from the generic arguments.

use super::packs::types_in;
use super::types::{Args, GArg, TyKind};
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// The tuple of the types in a list.
    pub(crate) fn tuple_type(&mut self, list: Ty) -> Ty {
        self.load_prelude(Name::new("Tuple"));
        match self.tuple {
            Some(base) => Ty::new(TyKind::Struct(self.struct_instance(base, Args::new(vec![GArg::Ty(list)])))),
            None => Ty::error(),
        }
    }

    /// The list of a tuple's types; `None` if the type is no tuple.
    pub(crate) fn tuple_pack(&self, ty: Ty) -> Option<Ty> {
        let (base, args) = self.structs[ty.as_struct()?.0 as usize].instance_of?;
        if self.tuple != Some(base) {
            return None;
        }
        match args.first()? {
            GArg::Ty(t) => Some(*t),
            GArg::Val(_) => None,
        }
    }

    /// The types of a tuple, if their number is known.
    pub(crate) fn tuple_elements(&self, ty: Ty) -> Option<Vec<Ty>> {
        match self.tuple_pack(ty)?.kind() {
            TyKind::Pack(list) if !types_in(list).any(|t| self.is_pack(t)) => Some(types_in(list).collect()),
            _ => None,
        }
    }

    /// Resolves the fields of a tuple. It has none while its types are a generic parameter.
    pub(crate) fn resolve_tuple(&mut self, id: StructId) {
        let ty = Ty::new(TyKind::Struct(id));
        let elements = self.tuple_elements(ty).unwrap_or_default();
        let span = self.structs[id.0 as usize].span;
        let field = |(i, ty): (usize, Ty)| Field {
            name: Name::new(&format!("_{i}")),
            ty,
            no_diff: false,
            span,
            default: None,
            is_const: false,
            member: None,
            layout: None,
        };
        let fields: Vec<Field> = elements.iter().copied().enumerate().map(field).collect();
        for t in &elements {
            if let TyKind::Struct(inner) = structs::innermost(*t).kind() {
                self.resolve_fields(*inner);
            }
        }
        let each = match self.tuple_pack(ty) {
            Some(list) if elements.is_empty() => self.is_pack(list) && self.is_differentiable_type(list),
            _ => elements.iter().all(|t| self.is_differentiable_type(*t)),
        };
        let info = &mut self.structs[id.0 as usize];
        info.field_index = fields.iter().enumerate().map(|(i, f)| (f.name, i as u32)).collect();
        info.fields = fields;
        info.differentiable = each;
        info.state = State::Done;
        self.measure(id);
    }

    /// `makeTuple(a, b, …)` and `makeTuple<A, B, …>(a, b, …)`.
    pub(crate) fn check_make_tuple(&mut self, types: &[ast::Expr], args: &[ast::Expr], span: Span) -> Expr {
        let mut args: Vec<Expr> = args.iter().flat_map(|a| self.check_part(a)).collect();
        if !types.is_empty() {
            let Some(types) = self.generic_args(types) else { return Expr::error(span) };
            if types.len() != args.len() || types.iter().any(|t| matches!(t, GArg::Val(_))) {
                let text = format!("`makeTuple` has {} types here, and {} values", types.len(), args.len());
                self.error(codes::E0204, span, text);
                return Expr::error(span);
            }
            let types = super::packs::types_in(&types).collect::<Vec<_>>();
            args = args.into_iter().zip(types).map(|(a, ty)| self.coerce_init(a, ty)).collect();
        }
        self.make_tuple(args, span)
    }

    /// A tuple of these values.
    pub(crate) fn make_tuple(&mut self, args: Vec<Expr>, span: Span) -> Expr {
        if args.iter().any(|a| a.ty.is_error()) {
            return Expr::error(span);
        }
        let args: Vec<Expr> = args.into_iter().map(|a| self.read_uniform(a)).collect();
        if let Some(list) = args.iter().find(|a| matches!(a.ty.kind(), TyKind::InitList | TyKind::Str | TyKind::Void)) {
            let (at, shown) = (list.span, self.show(list.ty));
            self.error(codes::E0203, at, format!("{shown} cannot be a part of a tuple"));
            return Expr::error(span);
        }
        let list = self.make_pack(args.iter().map(|a| a.ty));
        let ty = self.tuple_type(list);
        Expr { ty, span, kind: ExprKind::Construct(args) }
    }

    /// `t._1_0`: some of the elements, as another tuple.
    pub(crate) fn tuple_swizzle(&mut self, base: &Expr, name: &str) -> Option<Expr> {
        let elements = self.tuple_elements(base.ty)?;
        let comps: Option<SmallVec<[u8; 4]>> = name
            .strip_prefix('_')?
            .split('_')
            .map(|part| part.parse::<u8>().ok().filter(|i| (*i as usize) < elements.len()))
            .collect();
        let comps = comps.filter(|c| c.len() > 1)?;
        let list = self.make_pack(comps.iter().map(|i| elements[*i as usize]));
        let ty = self.tuple_type(list);
        Some(Expr { ty, span: base.span, kind: ExprKind::Swizzle { base: base.clone().into(), comps } })
    }

    /// `t == u` and `t < u` for tuples of one type, in lexicographic order.
    pub(crate) fn compare_tuples(&mut self, op: ast::BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<Expr> {
        let elements = self.tuple_elements(lhs.ty)?;
        if !op.is_comparison() || lhs.ty != rhs.ty {
            return None;
        }
        let ordered = !matches!(op, ast::BinOp::Eq | ast::BinOp::Ne);
        for t in elements {
            let fits = t.as_scalar().is_some()
                || !ordered && t.is_arith()
                || self.tuple_elements(t).is_some()
                || self.element_set(t).is_some_and(bounds::TypeSet::only_scalars) && t.is_abstract();
            if !fits {
                let (shown, part) = (self.show(lhs.ty), self.show(t));
                self.error(codes::E0212, span, format!("`{}` does not take `{shown}`", op.text()))
                    .notes
                    .push(format!("its element of type `{part}` cannot be compared so"));
                return Some(Expr::error(span));
            }
        }
        let (lhs, rhs) = (Box::new(lhs.clone()), Box::new(rhs.clone()));
        Some(Expr { ty: Ty::bool(), span, kind: ExprKind::Binary { op, lhs, rhs } })
    }
}
