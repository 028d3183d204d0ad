//! Expressions.

use super::func::{FuncLower, Slot};
use super::place::is_unsized_data;
use crate::sema::tree::*;
use crate::sema::types::{Ty, TyKind};
use caustic_dialects::arith::{self, build};
use caustic_dialects::hl::expand::{self, Step};
use caustic_dialects::{ad, agg, gpu, hl};
use caustic_ir::{Attr, Builder, Type, ValueId};
use std::sync::Arc as Rc;

impl FuncLower<'_, '_, '_> {
    /// Evaluates for the effects only.
    pub(crate) fn effect(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call { func, args } => {
                self.call(e, func.func, args, false);
            }
            ExprKind::CallDeriv { .. } => {
                self.call_derivative(e);
            }
            ExprKind::Comma(parts) => parts.iter().for_each(|p| self.effect(p)),
            ExprKind::Detach(inner) => match &inner.kind {
                ExprKind::Call { func, args } => {
                    self.call(inner, func.func, args, true);
                }
                _ => self.effect(inner),
            },
            ExprKind::Printf { format, args } => self.printf(e, format, args),
            ExprKind::Intrinsic { op, args } if e.ty.is_void() => {
                let values: Vec<ValueId> = args.iter().map(|a| self.value(a)).collect();
                self.at(e);
                self.perform(*op, &values);
            }
            // A name by itself has no effect.
            ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Zero | ExprKind::Shared(_) => {}
            _ if e.ty.is_void() && !matches!(e.kind, ExprKind::Assign { .. }) => {}
            _ => {
                self.value(e);
            }
        }
    }

    /// A value as one without a derivative; what has none needs no mark.
    fn detach(&mut self, v: ValueId, ty: Ty) -> ValueId {
        if self.lw.checker.differential(ty).is_none() {
            return v;
        }
        ad::Detach::build(&mut self.b(), v, &[])
    }

    fn detached_value(&mut self, e: &Expr) -> ValueId {
        let v = self.value(e);
        self.at(e);
        self.detach(v, e.ty)
    }

    pub(crate) fn value(&mut self, e: &Expr) -> ValueId {
        if let ExprKind::Binary { .. } = e.kind {
            return self.binary_chain(e);
        }
        if let Some(v) = self.parameter_value(e) {
            return v;
        }
        if !matches!(e.kind, ExprKind::Local(_)) && self.is_place(e) {
            let p = self.place(e);
            self.at(e);
            return self.load(&p);
        }
        self.at(e);
        let ty = e.ty;
        match &e.kind {
            ExprKind::Const(c) => self.constant(*c, ty),
            ExprKind::Zero => self.zero(ty),
            ExprKind::Local(l) => match self.locals[l.0 as usize] {
                Slot::Value(v) => v,
                Slot::Ref(_) => {
                    let p = self.place(e);
                    self.load(&p)
                }
                Slot::None => self.zero(ty),
            },
            // A parameter that has not been declared; reported there.
            ExprKind::Global(_) => self.zero(ty),
            ExprKind::Shared(inner) => self.shared(inner),
            ExprKind::Field { base, index } => {
                let base = self.value(base);
                self.at(e);
                self.extract(base, Step::Constant(*index as i64), ty)
            }
            ExprKind::Index { base, index } => {
                if is_unsized_data(base.ty) {
                    self.refuse_unsized(base.ty);
                    return self.zero(ty);
                }
                let b = self.value(base);
                let step = match index.kind {
                    ExprKind::Const(Const::Int(i)) => Step::Constant(i),
                    _ => {
                        let i = self.value(index);
                        self.at(e);
                        Step::Dynamic(self.index_value(i, index.ty))
                    }
                };
                self.at(e);
                self.extract(b, step, ty)
            }
            ExprKind::BufferElem { .. } => {
                let p = self.place(e);
                self.load(&p)
            }
            ExprKind::Swizzle { base, comps } => {
                let b = self.value(base);
                self.at(e);
                if base.ty.as_struct().is_some() {
                    return self.tuple_parts(b, base.ty, comps, ty);
                }
                self.swizzle(b, comps, ty)
            }
            ExprKind::PairPart { base, differential } => {
                let b = self.value(base);
                self.at(e);
                self.pair_part(b, *differential, ty)
            }
            ExprKind::Unary { op, arg } => {
                let v = self.value(arg);
                self.at(e);
                self.unary(*op, v, arg.ty)
            }
            ExprKind::Logical { and, lhs, rhs } => {
                let l = self.value(lhs);
                self.at(e);
                let ir = self.lw.ty(ty);
                let and = *and;
                self.if_value(
                    l,
                    ir,
                    |f| if and { f.value(rhs) } else { f.constant(Const::Bool(true), ty) },
                    |f| if and { f.constant(Const::Bool(false), ty) } else { f.value(rhs) },
                )
            }
            ExprKind::Ternary { cond, then, other } => {
                let c = self.value(cond);
                self.at(e);
                let ir = self.lw.ty(ty);
                self.if_value(c, ir, |f| f.value(then), |f| f.value(other))
            }
            ExprKind::Select { cond, then, other } => {
                let c = self.value(cond);
                let t = self.value(then);
                let o = self.value(other);
                self.at(e);
                let ir = self.lw.ty(ty);
                self.b().create_one(arith::Select::DEF, &[c, t, o], ir, &[])
            }
            ExprKind::Assign { place, value } => {
                let p = self.place(place);
                let v = self.value(value);
                self.at(e);
                self.store(&p, v);
                v
            }
            ExprKind::CompoundAssign { op, place, value, op_ty } => {
                let p = self.place(place);
                let v = self.value(value);
                self.at(e);
                let old = self.load(&p);
                let old = self.convert(old, place.ty, *op_ty);
                let result = self.binary(*op, old, v, *op_ty, value.ty);
                let new = self.convert(result, *op_ty, place.ty);
                self.store(&p, new);
                new
            }
            ExprKind::Update { place, old, value } => {
                let p = self.place(place);
                self.at(e);
                let before = self.load(&p);
                self.locals[old.0 as usize] = Slot::Value(before);
                let v = self.value(value);
                self.at(e);
                self.store(&p, v);
                v
            }
            ExprKind::Access(a) => self.read_access(e, a),
            ExprKind::IncDec { inc, prefix, place } => {
                let p = self.place(place);
                self.at(e);
                let old = self.load(&p);
                let of = self.lw.source(place.ty);
                let one = expand::one(&mut self.b(), of);
                let op = if *inc { crate::ast::BinOp::Add } else { crate::ast::BinOp::Sub };
                let new = self.binary(op, old, one, place.ty, place.ty);
                self.store(&p, new);
                if *prefix { new } else { old }
            }
            ExprKind::Convert(arg) => {
                let v = self.value(arg);
                self.at(e);
                self.convert(v, arg.ty, ty)
            }
            ExprKind::Retype(arg) => self.value(arg),
            ExprKind::Splat(arg) => {
                let ir = self.lw.ty(ty);
                if let (ExprKind::Const(c), Some(s)) = (&arg.kind, ty.element_scalar()) {
                    let attr = build::splat_attr(Self::constant_attr(*c, s), ir);
                    return build::constant(&mut self.b(), attr, ir);
                }
                let v = self.value(arg);
                self.at(e);
                expand::splat(&mut self.b(), v, ir)
            }
            ExprKind::TruncateMatrix(arg) => {
                let v = self.value(arg);
                self.at(e);
                let to = self.lw.source(ty);
                expand::truncate(&mut self.b(), v, to)
            }
            ExprKind::Construct(parts) => self.construct(e, parts),
            ExprKind::Bitcast(arg) => {
                let v = self.value(arg);
                self.at(e);
                let to = self.lw.source(ty);
                expand::bitcast(&mut self.b(), v, to)
            }
            ExprKind::Reinterpret(arg) => {
                let v = self.value(arg);
                self.at(e);
                self.reinterpret(v, arg.ty, ty)
            }
            ExprKind::Call { func, args } => match self.call(e, func.func, args, false) {
                Some(v) => v,
                None => self.zero(Ty::int()),
            },
            ExprKind::CallDeriv { .. } => match self.call_derivative(e) {
                Some(v) => v,
                None => self.zero(Ty::int()),
            },
            ExprKind::Intrinsic { op, args } if *op == *super::private::LOCAL_ADDRESS => {
                self.local_address(e, &args[0])
            }
            ExprKind::Intrinsic { op, args } => {
                let values: Vec<ValueId> = args.iter().map(|a| self.value(a)).collect();
                self.at(e);
                // The op chooses between numbers; `select` takes values of any type.
                if let ([cond, yes, no], false) = (&values[..], ty.is_arith())
                    && *op == *"arith.select"
                {
                    let ir = self.lw.ty(ty);
                    return self.if_value(*cond, ir, |_| *yes, |_| *no);
                }
                self.intrinsic(*op, &values, ty)
            }
            ExprKind::Atomic { op, place, args } => self.atomic(e, *op, place, args),
            ExprKind::Comma(parts) => match parts.split_last() {
                Some((last, first)) => {
                    first.iter().for_each(|p| self.effect(p));
                    if last.ty.is_void() {
                        self.effect(last);
                        return self.zero(Ty::int());
                    }
                    self.value(last)
                }
                None => self.zero(Ty::int()),
            },
            ExprKind::Detach(inner) => {
                let v = match &inner.kind {
                    ExprKind::Call { func, args } => match self.call(inner, func.func, args, true) {
                        Some(v) => v,
                        None => return self.zero(Ty::int()),
                    },
                    // Into such an op nothing may go that has a derivative.
                    ExprKind::Intrinsic { op, args } if from_elsewhere(op).is_some() => {
                        let values: Vec<ValueId> = args.iter().map(|a| self.detached_value(a)).collect();
                        self.at(inner);
                        self.intrinsic(*op, &values, inner.ty)
                    }
                    _ => self.value(inner),
                };
                self.at(e);
                self.detach(v, ty)
            }
            ExprKind::Upcast(arg) => {
                let v = self.value(arg);
                self.at(e);
                self.make_existential(v, arg.ty, ty)
            }
            ExprKind::IsType { value, of } => {
                let v = self.value(value);
                self.at(e);
                self.is_dynamic(v, *of)
            }
            ExprKind::Downcast { value, of } => {
                let v = self.value(value);
                self.at(e);
                self.as_dynamic(v, *of, ty)
            }
            ExprKind::DAdd(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.at(e);
                let of = self.lw.source(ty);
                expand::add_differentials(&mut self.b(), a, b, of)
            }
            ExprKind::DMul(s, x) => {
                let from = s.ty;
                let s = self.value(s);
                let x = self.value(x);
                self.at(e);
                let (from, of) = (self.lw.source(from), self.lw.source(ty));
                expand::scale_differential(&mut self.b(), s, from, x, of)
            }
            ExprKind::BufferLen(buffer) => {
                let b = self.value(buffer);
                self.at(e);
                let n = agg::BufferLen::build(&mut self.b(), b, Type::index(), &[]);
                self.index_to_u32(n)
            }
            ExprKind::Printf { format, args } => {
                self.printf(e, format, args);
                self.zero(Ty::int())
            }
            // What a string says is known where it is used; as a value it is a token.
            ExprKind::Str(_) => self.zero(ty),
            ExprKind::Binary { .. }
            | ExprKind::Static { .. }
            | ExprKind::InitList(_)
            | ExprKind::DZero
            | ExprKind::Each(_)
            | ExprKind::PackPart { .. }
            | ExprKind::Expand { .. }
            | ExprKind::ValueOf(_)
            | ExprKind::MakeDynamic(_)
            | ExprKind::CallOn { .. }
            | ExprKind::SizeOf(_)
            | ExprKind::RequiredConst { .. }
            | ExprKind::TypeIs { .. }
            | ExprKind::TypeMeets { .. }
            | ExprKind::ConvertAny(_)
            | ExprKind::Error => {
                let text = "an expression that checking should have refused".to_string();
                self.lw.problems.push(caustic_ir::Diagnostic::internal(self.loc, text));
                self.zero(Ty::int())
            }
        }
    }

    /// Long chains `a + b + c + …` without recursion.
    fn binary_chain(&mut self, e: &Expr) -> ValueId {
        let mut chain = Vec::new();
        let mut at = e;
        while let ExprKind::Binary { op, lhs, rhs } = &at.kind {
            chain.push((*op, &**lhs, &**rhs, at));
            at = lhs;
        }
        let mut value = self.value(at);
        while let Some((op, lhs, rhs, node)) = chain.pop() {
            let r = self.value(rhs);
            self.at(node);
            value = self.binary(op, value, r, lhs.ty, rhs.ty);
        }
        value
    }

    /// The value of a constant is made once a function, at its start.
    fn shared(&mut self, inner: &Rc<Expr>) -> ValueId {
        let key = Rc::as_ptr(inner);
        if let Some(v) = self.shared.get(&key) {
            return *v;
        }
        let outer = (self.block, self.before);
        (self.block, self.before) = (self.entry, self.anchor);
        let v = self.value(inner);
        (self.block, self.before) = outer;
        self.shared.insert(key, v);
        v
    }

    fn construct(&mut self, e: &Expr, parts: &[Expr]) -> ValueId {
        let ty = e.ty;
        let ir = self.lw.ty(ty);
        if ty.is_arith() {
            let s = ty.element_scalar();
            let constants: Option<Vec<Attr>> = parts
                .iter()
                .map(|p| match (&p.kind, s) {
                    (ExprKind::Const(c), Some(s)) => Some(Self::constant_attr(*c, s)),
                    _ => None,
                })
                .collect();
            if let Some(items) = constants
                && items.len() == ir.num_elements()
            {
                return build::constant(&mut self.b(), Attr::dense(items, ir), ir);
            }
            let values: Vec<ValueId> = parts.iter().map(|p| self.value(p)).collect();
            self.at(e);
            return expand::construct(&mut self.b(), &values, ir);
        }
        let values: Vec<ValueId> = parts.iter().map(|p| self.value(p)).collect();
        self.at(e);
        match (ty.kind(), values.as_slice()) {
            (TyKind::Pair(_), [p, d]) => ad::MakePair::build(&mut self.b(), *p, *d, ir, &[]),
            _ => agg::Make::build(&mut self.b(), &values, ir, &[]),
        }
    }

    fn printf(&mut self, e: &Expr, format: &str, args: &[Expr]) {
        let values: Vec<ValueId> = args.iter().map(|a| self.value(a)).collect();
        self.at(e);
        gpu::Printf::build(&mut self.b(), &values, &[("format", Attr::string(format))]);
    }

    // ---- calls ------------------------------------------------------------------------------------------------------

    /// Arguments for parameters of these directions; what has to be copied back after the call.
    fn arguments(&mut self, args: &[Expr], dirs: &[Dir]) -> (Vec<ValueId>, Vec<(super::place::Place, ValueId, Ty)>) {
        let mut operands = Vec::with_capacity(args.len());
        let mut back = Vec::new();
        for (a, dir) in args.iter().zip(dirs) {
            if *dir == Dir::In {
                operands.push(self.value(a));
                continue;
            }
            let p = self.place(a);
            self.at(a);
            if let super::place::Place::Ref { reference, .. } = p {
                operands.push(reference);
                continue;
            }
            let ir = self.lw.ty(a.ty);
            let reference = hl::Var::build(&mut self.b(), hl::ref_type(ir), &[]);
            if *dir == Dir::InOut {
                let v = self.load(&p);
                hl::Store::build(&mut self.b(), v, reference, &[]);
            }
            operands.push(reference);
            back.push((p, reference, a.ty));
        }
        (operands, back)
    }

    fn finish_call(&mut self, e: &Expr, callee: Attr, args: &[Expr], dirs: &[Dir], no_diff: bool) -> Option<ValueId> {
        let (operands, back) = self.arguments(args, dirs);
        self.at(e);
        let results = if e.ty.is_void() { Vec::new() } else { vec![self.lw.ty(e.ty)] };
        let op = self.call_op(callee, &operands, &results, no_diff);
        for (p, reference, ty) in back {
            let ir = self.lw.ty(ty);
            let v = hl::Load::build(&mut self.b(), reference, ir, &[]);
            self.store(&p, v);
        }
        (!results.is_empty()).then(|| self.body.result(op, 0))
    }

    fn call(&mut self, e: &Expr, func: FuncId, args: &[Expr], no_diff: bool) -> Option<ValueId> {
        let callee = self.lw.callee(func);
        let dirs: Vec<Dir> = self.lw.checker.funcs[func.0 as usize].params.iter().map(|p| p.dir).collect();
        self.finish_call(e, callee, args, &dirs, no_diff)
    }

    fn call_derivative(&mut self, e: &Expr) -> Option<ValueId> {
        let ExprKind::CallDeriv { func, modes, dirs, args } = &e.kind else { return None };
        let callee = self.lw.derivative(func.func, modes);
        self.finish_call(e, Attr::symbol(callee), args, dirs, false)
    }

    pub(crate) fn b(&mut self) -> Builder<'_> {
        Builder { body: &mut self.body, block: self.block, before: self.before, loc: self.loc }
    }
}
