//! Lowers expressions to values.

use super::func::{FuncLower, Slot};
use super::place::{constant_index, is_unsized_data};
use crate::sema::strings::stable_hash;
use crate::sema::tree::*;
use crate::sema::types::{Ty, TyKind};
use caustic_dialects::arith::{self, build};
use caustic_dialects::hl::expand::{self, Step};
use caustic_dialects::{ad, agg, gpu, hl};
use caustic_ir::{Attr, Builder, Name, OpId, Type, ValueId};
use std::sync::Arc as Rc;

impl FuncLower<'_, '_, '_> {
    /// Evaluates an expression for its effects only.
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
            ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Zero | ExprKind::Shared(..) => {}
            ExprKind::Assign { place, value } => {
                self.assigned_place(e, place, value);
            }
            _ if e.ty.is_void() && !matches!(e.kind, ExprKind::Unavailable(_)) => {}
            _ => {
                self.value(e);
            }
        }
    }

    /// The value without its derivative. A type without a differential needs no mark.
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
        if let Some(v) = self.lost_buffer(e) {
            return v;
        }
        if !matches!(e.kind, ExprKind::Local(_)) && self.is_place(e) {
            let p = self.place(e);
            self.at(e);
            return self.load(&p);
        }
        self.at(e);
        self.node(e)
    }

    /// The value of an expression that is no place, by its kind.
    fn node(&mut self, e: &Expr) -> ValueId {
        let ty = e.ty;
        match &e.kind {
            ExprKind::Const(c) => self.constant(*c, ty),
            ExprKind::Zero => self.zero(ty),
            ExprKind::Str(text) => self.constant(Const::Int(i64::from(stable_hash(text))), Ty::int()),
            ExprKind::Local(l) => self.local_value(e, *l),
            // A parameter whose declaration failed; the error is reported there.
            ExprKind::Global(_) => self.zero(ty),
            ExprKind::Shared(inner, name) => self.shared(inner, *name),
            ExprKind::Field { base, index } => {
                self.with(base, e, |f, base| f.extract(base, Step::Constant(*index as i64), ty))
            }
            ExprKind::Index { base, index } => self.element(e, base, index),
            ExprKind::BufferElem { .. } => {
                let p = self.place(e);
                self.load(&p)
            }
            ExprKind::Swizzle { base, comps } => {
                let b = self.operand(base, e);
                match base.ty.as_struct() {
                    Some(_) => self.tuple_parts(b, base.ty, comps, ty),
                    None => self.swizzle(b, comps, ty),
                }
            }
            ExprKind::PairPart { base, differential } => self.with(base, e, |f, b| f.pair_part(b, *differential, ty)),
            ExprKind::Unary { op, arg } => self.with(arg, e, |f, v| f.unary(*op, v, arg.ty)),
            ExprKind::Logical { and, lhs, rhs } => self.logical(e, *and, lhs, rhs),
            ExprKind::Ternary { cond, then, other } => self.ternary(e, cond, then, other),
            ExprKind::Select { cond, then, other } => self.select(e, [cond, then, other]),
            ExprKind::Assign { place, value } => self.assign(e, place, value),
            ExprKind::CompoundAssign { op, place, value, op_ty } => self.compound_assign(e, *op, place, value, *op_ty),
            ExprKind::Update { place, old, value } => self.update(e, place, *old, value),
            ExprKind::Access(a) => self.read_access(e, a),
            ExprKind::IncDec { inc, prefix, place } => self.increment(e, *inc, *prefix, place),
            ExprKind::Convert(arg) => self.with(arg, e, |f, v| f.convert(v, arg.ty, ty)),
            ExprKind::Retype(arg) => self.value(arg),
            ExprKind::Splat(arg) => self.splat(e, arg),
            ExprKind::TruncateMatrix(arg) => {
                let (v, to) = (self.operand(arg, e), self.lw.source(ty));
                expand::truncate(&mut self.b(), v, to)
            }
            ExprKind::Construct(parts) => self.construct(e, parts),
            ExprKind::Bitcast(arg) => {
                let (v, to) = (self.operand(arg, e), self.lw.source(ty));
                expand::bitcast(&mut self.b(), v, to)
            }
            ExprKind::Reinterpret(arg) => self.with(arg, e, |f, v| f.reinterpret(v, arg.ty, ty)),
            ExprKind::Call { func, args } => {
                if let Some(v) = self.handle_call(e, func.func, args) {
                    return v;
                }
                let result = self.call(e, func.func, args, false);
                self.or_nothing(result)
            }
            ExprKind::CallDeriv { .. } => {
                let result = self.call_derivative(e);
                self.or_nothing(result)
            }
            ExprKind::Intrinsic { op, args } => self.intrinsic_value(e, *op, args),
            ExprKind::Atomic { op, place, args } => self.atomic(e, *op, place, args),
            ExprKind::Comma(parts) => self.sequence(parts),
            ExprKind::Detach(inner) => self.without_derivative(e, inner),
            ExprKind::Upcast(arg) => self.with(arg, e, |f, v| f.make_existential(v, arg.ty, ty)),
            ExprKind::Unavailable(missing) => self.unavailable(e, missing),
            ExprKind::IsType { value, of } => self.with(value, e, |f, v| f.is_dynamic(v, *of)),
            ExprKind::Downcast { value, of } => self.with(value, e, |f, v| f.as_dynamic(v, *of, ty)),
            ExprKind::DAdd(a, b) => self.differential_sum(e, a, b),
            ExprKind::DMul(s, x) => self.scaled_differential(e, s, x),
            ExprKind::BufferLen(buffer) => {
                let b = self.operand(buffer, e);
                let n = agg::BufferLen::build(&mut self.b(), b, Type::index(), &[]);
                self.index_to_u32(n)
            }
            ExprKind::Printf { format, args } => {
                self.printf(e, format, args);
                self.zero(Ty::int())
            }
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
            | ExprKind::Error => self.left_by_checking(),
        }
    }

    /// Reports an internal error: checking should have refused or replaced the expression.
    fn left_by_checking(&mut self) -> ValueId {
        let text = "an expression that checking should have refused".to_string();
        self.lw.problems.push(caustic_ir::Diagnostic::internal(self.loc, text));
        self.zero(Ty::int())
    }

    /// The value of a part of `e`. Ops that are built next belong to `e` again.
    pub(super) fn operand(&mut self, part: &Expr, e: &Expr) -> ValueId {
        let v = self.value(part);
        self.at(e);
        v
    }

    /// Applies `build` to the value of a part of `e`.
    fn with(&mut self, part: &Expr, e: &Expr, build: impl FnOnce(&mut Self, ValueId) -> ValueId) -> ValueId {
        let v = self.operand(part, e);
        build(self, v)
    }

    /// A value that is only declared: a call of a function that is marked as unavailable.
    pub(super) fn unavailable(&mut self, e: &Expr, missing: &Missing) -> ValueId {
        self.at(e);
        let at = self.lw.checker.loc(missing.declared);
        let attrs = [("callee", Attr::symbol(self.lw.unavailable_value(missing, e.ty, at)))];
        if e.ty.is_void() {
            self.b().create(hl::Call::DEF, &[], &[], &attrs, 0);
            return self.or_nothing(None);
        }
        let ir = self.lw.ty(e.ty);
        self.b().create_one(hl::Call::DEF, &[], ir, &attrs)
    }

    /// The result of a call. A call without a result is represented by a value that nothing uses.
    fn or_nothing(&mut self, result: Option<ValueId>) -> ValueId {
        match result {
            Some(v) => v,
            None => self.zero(Ty::int()),
        }
    }

    fn local_value(&mut self, e: &Expr, local: LocalId) -> ValueId {
        match self.locals[local.0 as usize] {
            Slot::Value(v) => v,
            Slot::Ref(_) => {
                let p = self.place(e);
                self.load(&p)
            }
            Slot::None => self.zero(e.ty),
        }
    }

    fn element(&mut self, e: &Expr, base: &Expr, index: &Expr) -> ValueId {
        if is_unsized_data(base.ty) {
            self.refuse_unsized(base.ty);
            return self.zero(e.ty);
        }
        // What a property holds is read after the index, which may change it.
        if matches!((&base.kind, &index.kind), (ExprKind::Access(_), i) if !matches!(i, ExprKind::Const(_))) {
            let p = self.place(e);
            return self.load(&p);
        }
        let b = self.value(base);
        let step = match constant_index(base.ty, index) {
            Some(i) => Step::Constant(i),
            None => {
                let i = self.operand(index, e);
                Step::Dynamic(self.index_value(i, index.ty))
            }
        };
        self.at(e);
        self.extract(b, step, e.ty)
    }

    fn splat(&mut self, e: &Expr, arg: &Expr) -> ValueId {
        let ir = self.lw.ty(e.ty);
        if let (ExprKind::Const(c), Some(s)) = (&arg.kind, e.ty.element_scalar()) {
            let attr = build::splat_attr(Self::constant_attr(*c, s), ir);
            return build::constant(&mut self.b(), attr, ir);
        }
        let v = self.operand(arg, e);
        expand::splat(&mut self.b(), v, ir)
    }

    fn logical(&mut self, e: &Expr, and: bool, lhs: &Expr, rhs: &Expr) -> ValueId {
        let (l, ty) = (self.operand(lhs, e), e.ty);
        let ir = self.lw.ty(ty);
        self.if_value(
            l,
            ir,
            |f| if and { f.value(rhs) } else { f.constant(Const::Bool(true), ty) },
            |f| if and { f.constant(Const::Bool(false), ty) } else { f.value(rhs) },
        )
    }

    fn ternary(&mut self, e: &Expr, cond: &Expr, then: &Expr, other: &Expr) -> ValueId {
        let c = self.operand(cond, e);
        let ir = self.lw.ty(e.ty);
        self.if_value(c, ir, |f| f.value(then), |f| f.value(other))
    }

    fn select(&mut self, e: &Expr, operands: [&Expr; 3]) -> ValueId {
        let values = operands.map(|o| self.value(o));
        self.at(e);
        let ir = self.lw.ty(e.ty);
        self.b().create_one(arith::Select::DEF, &values, ir, &[])
    }

    fn intrinsic_value(&mut self, e: &Expr, op: Name, args: &[Expr]) -> ValueId {
        if op == *super::private::LOCAL_ADDRESS || op == *super::private::FOLLOWED_ADDRESS {
            return self.local_address(e, &args[0]);
        }
        let values: Vec<ValueId> = args.iter().map(|a| self.value(a)).collect();
        self.at(e);
        // The op chooses between numbers, but the language's `select` takes values of any type.
        if let ([cond, yes, no], false) = (&values[..], e.ty.is_arith())
            && op == *"arith.select"
        {
            let ir = self.lw.ty(e.ty);
            return self.if_value(*cond, ir, |_| *yes, |_| *no);
        }
        self.intrinsic(op, &values, e.ty)
    }

    /// The value of the last part, after the effects of the others.
    fn sequence(&mut self, parts: &[Expr]) -> ValueId {
        let Some((last, first)) = parts.split_last() else { return self.zero(Ty::int()) };
        first.iter().for_each(|p| self.effect(p));
        if last.ty.is_void() {
            self.effect(last);
            return self.zero(Ty::int());
        }
        self.value(last)
    }

    /// The value of `inner` without its derivative.
    fn without_derivative(&mut self, e: &Expr, inner: &Expr) -> ValueId {
        let v = match &inner.kind {
            ExprKind::Call { func, args } => match self.call(inner, func.func, args, true) {
                Some(v) => v,
                None => return self.zero(Ty::int()),
            },
            // The operands of such an op must not have a derivative.
            ExprKind::Intrinsic { op, args } if from_elsewhere(op).is_some() => {
                let values: Vec<ValueId> = args.iter().map(|a| self.detached_value(a)).collect();
                self.at(inner);
                self.intrinsic(*op, &values, inner.ty)
            }
            _ => self.value(inner),
        };
        self.at(e);
        self.detach(v, e.ty)
    }

    fn differential_sum(&mut self, e: &Expr, a: &Expr, b: &Expr) -> ValueId {
        let (a, b) = (self.value(a), self.value(b));
        self.at(e);
        let of = self.lw.source(e.ty);
        expand::add_differentials(&mut self.b(), a, b, of)
    }

    fn scaled_differential(&mut self, e: &Expr, scale: &Expr, x: &Expr) -> ValueId {
        let (s, x) = (self.value(scale), self.value(x));
        self.at(e);
        let (from, of) = (self.lw.source(scale.ty), self.lw.source(e.ty));
        expand::scale_differential(&mut self.b(), s, from, x, of)
    }

    /// Lowers long chains `a + b + c + …` without recursion.
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

    /// The value of a constant, which is computed once per function, at its start.
    fn shared(&mut self, inner: &Rc<Expr>, name: Name) -> ValueId {
        let key = Rc::as_ptr(inner);
        if let Some(v) = self.shared.get(&key) {
            return *v;
        }
        // What the branch of another shared constant needs stands in front of that branch.
        let place = if self.sharing { self.branch_at_start().or(self.before) } else { self.anchor };
        let outer = (self.block, self.before, self.sharing);
        (self.block, self.before, self.sharing) = (self.entry, place, true);
        let v = self.value(inner);
        (self.block, self.before, self.sharing) = outer;
        // Numbers and vectors are shared by all that compute with them.
        if matches!(inner.ty.kind(), TyKind::Array(..)) && self.body.value(v).hint.is_none() {
            self.body.set_hint(v, Some(name));
        }
        self.shared.insert(key, v);
        v
    }

    /// The op of the first block in which the current block stands.
    fn branch_at_start(&self) -> Option<OpId> {
        let mut around = self.body.parent_op(self.block);
        while let Some(op) = around.filter(|&op| self.body.op(op).block != Some(self.entry)) {
            around = self.body.op(op).block.and_then(|block| self.body.parent_op(block));
        }
        around
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

    // ---- calls ----------------------------------------------------------------------------------

    /// The operands for parameters of these directions, and the places that the call's results are
    /// copied back to.
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
