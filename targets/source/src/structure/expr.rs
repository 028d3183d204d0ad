//! Expressions: what the ops of values give, as text computes it.

use super::build::{Build, negate};
use super::fold::Fold;
use crate::ops::{self, Sign, Spelling};
use crate::tree::{Arg, Compare, Expr, Id, Kind, Literal, Place, Root, Step};
use crate::types::{BOOL, INDEX, Ty, UINT, is_integer};
use caustic_dialects::arith::{FloatPredicate, IntPredicate};
use caustic_dialects::reflect::Scalar;
use caustic_dialects::{agg, arith, combine, func, gpu, scf, simt, tex, vector};
use caustic_ir::{Attr, AttrKind, Diagnostic, OpDef, OpId, ValueId};

impl Build<'_> {
    /// A value where it is used.
    pub fn expr(&mut self, value: ValueId) -> Result<Expr, Diagnostic> {
        if self.folding.value(value) == Fold::Variable {
            let var = self.var(value)?;
            return Ok(Expr::var(var, self.var_ty(var)).at(self.loc));
        }
        let op = self.body.def_op(value).ok_or_else(|| self.internal("an argument that is no variable"))?;
        let loc = std::mem::replace(&mut self.loc, self.body.loc(op));
        let made = self.op_expr(op);
        self.loc = loc;
        made
    }

    /// A value in a type that differs by signs at most.
    pub fn expr_as(&mut self, value: ValueId, ty: &Ty) -> Result<Expr, Diagnostic> {
        let value = self.expr(value)?;
        self.coerce(value, ty)
    }

    pub fn coerce(&self, value: Expr, ty: &Ty) -> Result<Expr, Diagnostic> {
        if value.ty == *ty {
            return Ok(value);
        }
        let kind = match value.kind {
            kind @ (Kind::Zero | Kind::Literal(Literal::Int(_))) => kind,
            Kind::Convert(inner) if inner.ty == *ty => return Ok(*inner),
            Kind::Make(parts) if ty.is_vector() => {
                let part = self.part_ty(ty, &[Step::Part(0)])?;
                Kind::Make(parts.into_iter().map(|p| self.coerce(p, &part)).collect::<Result<_, _>>()?)
            }
            Kind::Splat(inner) if ty.is_vector() && inner.literal().is_some() => {
                let scalar = ty.scalar().map_or_else(|| inner.ty.clone(), |s| inner.ty.with_scalar(s));
                Kind::Splat(Box::new(self.coerce(*inner, &scalar)?))
            }
            kind => {
                let scalars = (value.ty.scalar(), ty.scalar());
                if !matches!(scalars, (Some(a), Some(b)) if a.size() == b.size()) {
                    return Err(self.internal(format!("{:?} is no {ty:?}", value.ty)));
                }
                return Ok(converted(Expr { ty: value.ty, kind, loc: value.loc }, ty));
            }
        };
        Ok(Expr::new(ty.clone(), kind))
    }

    /// What an op with one result gives.
    pub fn op_expr(&mut self, op: OpId) -> Result<Expr, Diagnostic> {
        let made = self.expr_of_op(op)?;
        Ok(made.at(self.body.loc(op)))
    }

    fn expr_of_op(&mut self, op: OpId) -> Result<Expr, Diagnostic> {
        let body = self.body;
        if let Some(v) = arith::Constant::cast(body, op) {
            let value = v.value(body).ok_or_else(|| self.internal("a constant without a value"))?;
            return self.constant(value, &self.ty(body.result(op, 0))?);
        }
        if let Some(view) = agg::AggView::of(body, op) {
            return self.agg_expr(op, view);
        }
        if let Some(view) = agg::AtomicView::of(body, op) {
            return self.atomic(op, view);
        }
        if let Some(view) = agg::PointerView::of(body, op) {
            return match view {
                agg::PointerView::Address(v) => self.address(v),
                agg::PointerView::Pointee(_) => self.handle(op),
            };
        }
        if let Some(view) = agg::StorageView::of(body, op) {
            return self.storage_expr(op, view);
        }
        if let Some(view) = vector::AccessView::of(body, op) {
            let vector::AccessView::Extract(v) = view else { return Err(self.internal("an insertion is a statement")) };
            let steps = self.position(op, v.dynamic_position(body))?;
            return self.part(v.vector(body), steps);
        }
        if let Some(view) = vector::ShapeView::of(body, op) {
            return self.shape_expr(op, view);
        }
        if let Some(view) = arith::CmpView::of(body, op) {
            return self.compare_expr(op, view);
        }
        if let Some(view) = gpu::IdView::of(body, op) {
            return self.id_expr(op, view);
        }
        if simt::AggregationOf::is(body, op) {
            return Ok(Expr::bool(false));
        }
        if simt::is_wave_op(body.op(op).def) {
            return self.wave_expr(op, 0);
        }
        if let Some(v) = scf::If::cast(body, op) {
            return self.choice(v);
        }
        if func::Call::is(body, op) {
            return self.call_expr(op);
        }
        if tex::TexView::of(body, op).is_some() {
            return self.texture_expr(op);
        }
        self.row_expr(op)
    }

    fn constant(&self, value: Attr, ty: &Ty) -> Result<Expr, Diagnostic> {
        let scalar = |attr: Attr, ty: &Ty| {
            let literal = match attr.kind() {
                AttrKind::Int(v, _) if *ty == BOOL => Literal::Bool(*v != 0),
                AttrKind::Int(v, _) => Literal::Int(*v),
                AttrKind::Float(bits, _) => Literal::Float(f64::from_bits(*bits)),
                _ => return Err(self.internal("not a constant")),
            };
            Ok(Expr::new(ty.clone(), Kind::Literal(literal)))
        };
        let AttrKind::Dense(items, _) = value.kind() else { return scalar(value, ty) };
        let elem = Ty::Scalar(ty.scalar().ok_or_else(|| self.internal("not a vector"))?);
        if let Some((first, rest)) = items.split_first()
            && rest.iter().all(|a| a == first)
        {
            return Ok(Expr::new(ty.clone(), Kind::Splat(Box::new(scalar(*first, &elem)?))));
        }
        let parts = items.iter().map(|&a| scalar(a, &elem)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.of_scalars(parts, ty))
    }

    /// A vector or matrix of its scalars.
    fn of_scalars(&self, scalars: Vec<Expr>, ty: &Ty) -> Expr {
        let Ty::Vector { shape, elem } = ty else { return Expr::new(ty.clone(), Kind::Make(scalars)) };
        let [_, rest @ ..] = &shape[..] else { return Expr::new(ty.clone(), Kind::Make(scalars)) };
        if rest.is_empty() {
            return Expr::new(ty.clone(), Kind::Make(scalars));
        }
        let row = Ty::Vector { shape: rest.to_vec(), elem: *elem };
        let width = rest.iter().map(|&n| n as usize).product::<usize>().max(1);
        let rows = scalars.chunks(width).map(|row_of| self.of_scalars(row_of.to_vec(), &row)).collect();
        Expr::new(ty.clone(), Kind::Make(rows))
    }

    fn handle(&mut self, op: OpId) -> Result<Expr, Diagnostic> {
        let result = self.body.result(op, 0);
        let buffer = self.buffer(result)?;
        Ok(Expr::new(self.ty(result)?, Kind::Handle(buffer)))
    }

    fn agg_expr(&mut self, op: OpId, view: agg::AggView) -> Result<Expr, Diagnostic> {
        use agg::AggView as V;
        let body = self.body;
        let ty = |b: &Self| b.ty(body.result(op, 0));
        match view {
            V::Global(v) => {
                let of = ty(self)?;
                if matches!(of, Ty::Handle(_)) {
                    return self.handle(op);
                }
                let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
                let of = self.module.contents(name).unwrap_or(of);
                self.read(Place { root: Root::Uniform(name, None), steps: Vec::new(), of })
            }
            V::GlobalElement(v) => {
                let of = ty(self)?;
                if matches!(of, Ty::Handle(_)) {
                    return self.handle(op);
                }
                let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
                let index = Some(Box::new(self.expr(v.index(body))?));
                let of = self.module.contents(name).unwrap_or(of);
                self.read(Place { root: Root::Uniform(name, index), steps: Vec::new(), of })
            }
            V::View(_) => self.handle(op),
            V::Zero(_) => match ty(self)? {
                Ty::Handle(_) => self.handle(op),
                ty => Ok(Expr::new(ty, Kind::Zero)),
            },
            V::BufferLen(v) => {
                let buffer = self.buffer(v.buffer(body))?;
                Ok(Expr::new(INDEX, Kind::Length(buffer)))
            }
            V::Extract(v) => {
                let steps = self.steps(&v.path(body).unwrap_or_default(), v.indices(body))?;
                self.part(v.aggregate(body), steps)
            }
            V::Make(v) => {
                let ty = ty(self)?;
                // Nothing is read for what holds nothing.
                if ty.is_empty() {
                    return Ok(Expr::new(ty, Kind::Zero));
                }
                let mut parts = Vec::new();
                for (k, &part) in v.parts(body).iter().enumerate() {
                    let of = self.module.signs.part(&ty, k as i64).ok_or_else(|| self.internal("no such part"))?;
                    parts.push(self.expr_as(part, &of)?);
                }
                Ok(Expr::new(ty, Kind::Make(parts)))
            }
            V::BufferLoad(v) => {
                let place = self.buffer_place(op, v.buffer(body), v.index(body))?;
                self.read(place)
            }
            V::BufferCount(v) => {
                let buffer = self.buffer(v.buffer(body))?;
                let delta = v.delta(body).unwrap_or(0);
                let count = Expr::new(UINT, Kind::Count(buffer, delta));
                self.coerce(count, &ty(self)?)
            }
            V::Length(_) => Err(self.internal("a tape outside of storage")),
            V::Insert(_) | V::BufferStore(_) | V::CheckBounds(_) | V::CheckIndex(_) | V::Resource(_) => {
                Err(self.internal("a statement is no expression"))
            }
        }
    }

    fn storage_expr(&mut self, op: OpId, view: agg::StorageView) -> Result<Expr, Diagnostic> {
        use agg::StorageView as V;
        let body = self.body;
        match view {
            V::Load(v) => {
                let mut place = self.slot_place(v.slot(body))?;
                place.steps = self.steps(&v.path(body).unwrap_or_default(), v.indices(body))?;
                self.read(place)
            }
            V::SlotLength(v) => Ok(Expr::new(INDEX, Kind::TapeLength(self.slot_place(v.slot(body))?))),
            V::GlobalSlot(_) => {
                let place = self.slot_place(body.result(op, 0))?;
                self.read(place)
            }
            V::Alloca(_) | V::Store(_) | V::Clear(_) | V::Copy(_) | V::ReadBuffer(_) | V::WriteBuffer(_) => {
                Err(self.internal("a statement is no expression"))
            }
        }
    }

    fn shape_expr(&mut self, op: OpId, view: vector::ShapeView) -> Result<Expr, Diagnostic> {
        use vector::ShapeView as V;
        let body = self.body;
        let ty = self.ty(body.result(op, 0))?;
        let elem = ty.scalar().ok_or_else(|| self.internal("not a vector"))?;
        match view {
            V::Broadcast(v) => {
                let scalar = self.expr_as(v.source(body), &Ty::Scalar(elem))?;
                Ok(Expr::new(ty, Kind::Splat(Box::new(scalar))))
            }
            V::FromElements(v) => {
                let parts = v.elements(body).iter().map(|&e| self.expr_as(e, &Ty::Scalar(elem)));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(self.of_scalars(parts, &ty))
            }
            V::ShapeCast(v) => {
                let scalars = self.scalars(v.source(body))?;
                let scalars = scalars.into_iter().map(|s| self.coerce(s, &Ty::Scalar(elem)));
                let scalars = scalars.collect::<Result<Vec<_>, _>>()?;
                Ok(self.of_scalars(scalars, &ty))
            }
            V::Transpose(v) => {
                let matrix = v.vector(body);
                let &[rows, cols] = body.ty(matrix).shape() else { return Err(self.internal("not a matrix")) };
                let (rows, cols) = (rows as usize, cols as usize);
                let scalars = self.scalars(matrix)?;
                let turned = (0..rows * cols).map(|i| scalars[i % rows * cols + i / rows].clone());
                let turned = turned.map(|s| self.coerce(s, &Ty::Scalar(elem))).collect::<Result<Vec<_>, _>>()?;
                Ok(self.of_scalars(turned, &ty))
            }
            V::Reduction(v) => {
                let kind = vector::reduction_kind(body, op).unwrap_or("add");
                let scalar = body.ty(v.vector(body)).elem();
                let def = combine::combine_def(kind, scalar).ok_or_else(|| self.internal("no such reduction"))?;
                let mut scalars = self.scalars(v.vector(body))?.into_iter();
                let mut sum = scalars.next().ok_or_else(|| self.internal("an empty vector"))?;
                for next in scalars {
                    sum = self.row_of(def, vec![sum, next], &Ty::Scalar(elem))?;
                }
                self.coerce(sum, &ty)
            }
        }
    }

    /// All scalars of a vector or matrix, in order.
    fn scalars(&mut self, value: ValueId) -> Result<Vec<Expr>, Diagnostic> {
        let whole = self.expr(value)?;
        let shape = self.body.ty(value).shape().to_vec();
        let mut steps: Vec<Vec<usize>> = vec![Vec::new()];
        for &n in &shape {
            let longer = |at: &Vec<usize>| (0..n as usize).map(|k| [&at[..], &[k]].concat()).collect::<Vec<_>>();
            steps = steps.iter().flat_map(longer).collect();
        }
        let part = |at: Vec<usize>| self.part_of(whole.clone(), at.into_iter().map(Step::Part).collect());
        steps.into_iter().map(part).collect()
    }

    fn compare_expr(&mut self, op: OpId, view: arith::CmpView) -> Result<Expr, Diagnostic> {
        let body = self.body;
        let result = self.ty(body.result(op, 0))?;
        match view {
            arith::CmpView::Select(v) => {
                let condition = self.expr(v.condition(body))?;
                let (yes, no) =
                    (self.expr_as(v.true_value(body), &result)?, self.expr_as(v.false_value(body), &result)?);
                Ok(Expr::new(result, Kind::Choose(Box::new(condition), Box::new(yes), Box::new(no))))
            }
            arith::CmpView::CmpI(v) => {
                use IntPredicate as P;
                let predicate = IntPredicate::of(body, op).ok_or_else(|| self.internal("no such predicate"))?;
                let (compare, unsigned) = match predicate {
                    P::Eq => (Compare::Equal, None),
                    P::Ne => (Compare::NotEqual, None),
                    P::Slt => (Compare::Less, Some(false)),
                    P::Sle => (Compare::LessEqual, Some(false)),
                    P::Sgt => (Compare::Greater, Some(false)),
                    P::Sge => (Compare::GreaterEqual, Some(false)),
                    P::Ult => (Compare::Less, Some(true)),
                    P::Ule => (Compare::LessEqual, Some(true)),
                    P::Ugt => (Compare::Greater, Some(true)),
                    P::Uge => (Compare::GreaterEqual, Some(true)),
                };
                let (a, b) = (self.expr(v.lhs(body))?, self.expr(v.rhs(body))?);
                if unsigned.is_some() && a.ty.scalar() == Some(Scalar::Bool) {
                    return Err(self.refuse("an order of truth values"));
                }
                let literal = matches!(a.kind, Kind::Literal(_) | Kind::Splat(_));
                let ty = match unsigned {
                    Some(unsigned) => a.ty.with_sign(unsigned),
                    None if literal => b.ty.clone(),
                    None => a.ty.clone(),
                };
                let (a, b) = (self.coerce(a, &ty)?, self.coerce(b, &ty)?);
                Ok(Expr::new(result, Kind::Compare(compare, Box::new(a), Box::new(b))))
            }
            arith::CmpView::CmpF(v) => {
                let predicate = FloatPredicate::of(body, op).ok_or_else(|| self.internal("no such predicate"))?;
                let (a, b) = (self.expr(v.lhs(body))?, self.expr(v.rhs(body))?);
                Ok(float_compare(predicate, a, b, result))
            }
        }
    }

    fn id_expr(&mut self, op: OpId, view: gpu::IdView) -> Result<Expr, Diagnostic> {
        use gpu::IdView as V;
        let body = self.body;
        let (id, dimension) = match view {
            V::ThreadId(v) => (Id::Thread, v.dimension(body)),
            V::BlockId(v) => (Id::Group, v.dimension(body)),
            V::BlockDim(v) => (Id::GroupSize, v.dimension(body)),
            V::GridDim(v) => (Id::Groups, v.dimension(body)),
            V::GlobalId(v) => (Id::Global, v.dimension(body)),
            V::LaneId(_) => (Id::Lane, Some(gpu::dim_attr(0))),
            V::SubgroupId(_) => (Id::Wave, Some(gpu::dim_attr(0))),
            V::NumSubgroups(_) => (Id::Waves, Some(gpu::dim_attr(0))),
            V::SubgroupSize(_) => {
                return Ok(Expr::new(INDEX, Kind::Literal(Literal::Int(i64::from(simt::WAVE_SIZE)))));
            }
            V::Printf(_) => return Err(self.internal("a statement is no expression")),
        };
        let dimension = (0..3).find(|&d| dimension == Some(gpu::dim_attr(d)));
        let dimension = dimension.ok_or_else(|| self.internal("a dimension that is none of x, y, z"))?;
        if let Some(called) = body.value(body.result(op, 0)).hint
            && !self.ids.iter().any(|(known, _)| *known == id)
        {
            self.ids.push((id, called));
        }
        let id = Expr::new(UINT, Kind::Id(id, dimension));
        Ok(Expr::new(INDEX, Kind::Convert(Box::new(id))))
    }

    pub fn wave_expr(&mut self, op: OpId, index: usize) -> Result<Expr, Diagnostic> {
        let body = self.body;
        let wave = simt::WaveOp::of(body, op).ok_or_else(|| self.internal("a malformed wave operation"))?;
        let brought = simt::brought(body, op).to_vec();
        let mut args = brought.iter().map(|&v| self.expr(v)).collect::<Result<Vec<_>, _>>()?;
        let ty = self.ty(body.result(op, index))?;
        let word = match &wave.kind {
            simt::WaveKind::Reduce(word) | simt::WaveKind::Shuffle(word) => word.clone(),
            simt::WaveKind::Scan { op, inclusive: false } => op.clone(),
            simt::WaveKind::Scan { op, inclusive: true } => format!("inclusive {op}"),
            simt::WaveKind::Vote { all } => if *all { "all" } else { "any" }.to_string(),
            _ => String::new(),
        };
        let signed = word.ends_with("si");
        if signed || word.ends_with("ui") {
            let to = args[0].ty.with_sign(!signed);
            let first = args.remove(0);
            args.insert(0, self.coerce(first, &to)?);
        }
        let result = args.first().map(|a| a.ty.clone()).filter(|t| t.with_sign(false) == ty.with_sign(false));
        let mask = simt::mask_of(body, op);
        if let Some(mask) = mask {
            args.push(self.expr_as(mask, &UINT)?);
        }
        let (name, instance) = (body.op(op).def.name, simt::instance_of(body, op));
        let kind =
            Kind::Wave { op: name, word, instance, args, masked: mask.is_some(), result: index, loc: body.loc(op) };
        let made = Expr::new(result.unwrap_or_else(|| ty.clone()), kind);
        self.coerce(made, &ty)
    }

    fn texture_expr(&mut self, op: OpId) -> Result<Expr, Diagnostic> {
        let body = self.body;
        if let Some(v) = tex::SamplerState::cast(body, op) {
            let texture = Box::new(self.expr(v.sampler(body))?);
            let ty = self.ty(body.result(op, 0))?;
            return Ok(Expr::new(ty, Kind::Texture { op: tex::SamplerState::NAME, texture, args: Vec::new() }));
        }
        let access = tex::TextureOp::of(body, op).ok_or_else(|| self.refuse("this access to a texture"))?;
        let mut operands = body.operands(op).to_vec();
        let texture = operands.remove(access.texture_at);
        let texture = Box::new(self.expr(texture)?);
        let args = operands.into_iter().map(|v| self.expr(v)).collect::<Result<Vec<_>, _>>()?;
        let ty = self.ty(body.result(op, 0))?;
        let kind = match access.kind {
            tex::Kind::Update(kind) => Some(kind),
            tex::Kind::Exchange => Some("cas"),
            _ => None,
        };
        if let Some(kind) = kind {
            // What is compared decides the sign, whatever the number is in memory.
            let of = if kind.ends_with("si") || kind.ends_with("ui") {
                ty.with_sign(kind.ends_with("ui"))
            } else {
                ty.clone()
            };
            let mut args = args;
            let place = args.pop().ok_or_else(|| self.internal("an update without a place"))?;
            let mut all = args.into_iter().map(|a| self.coerce(a, &of)).collect::<Result<Vec<_>, _>>()?;
            all.push(place);
            let made = Expr::new(of, Kind::TexelUpdate { kind, texture, args: all });
            return self.coerce(made, &ty);
        }
        Ok(Expr::new(ty, Kind::Texture { op: body.op(op).def.name, texture, args }))
    }

    fn call_expr(&mut self, op: OpId) -> Result<Expr, Diagnostic> {
        let body = self.body;
        let plan = self.module.callee(body, op).ok_or_else(|| self.internal("a call of nothing"))?;
        let callee = body.callee(op).ok_or_else(|| self.internal("a call of nothing"))?;
        let mut args = Vec::new();
        for param in &plan.params {
            let &value =
                param.input.and_then(|i| body.operands(op).get(i)).ok_or_else(|| self.internal("no argument"))?;
            args.push(Arg::Value(self.expr_as(value, &param.ty)?));
        }
        let (_, ty) = plan.returned.clone().ok_or_else(|| self.internal("a call for nothing"))?;
        Ok(Expr::new(ty, Kind::Call(callee, args)))
    }

    /// A branch of expressions.
    fn choice(&mut self, view: scf::If) -> Result<Expr, Diagnostic> {
        let body = self.body;
        let ty = self.ty(body.result(view.0, 0))?;
        let condition = self.expr(view.condition(body))?;
        let mut sides = Vec::new();
        for region in 0..2 {
            let end = body.region_block(view.0, region).and_then(|block| body.terminator(block));
            let &value = end
                .and_then(|end| body.operands(end).first())
                .ok_or_else(|| self.internal("a branch without an end"))?;
            sides.push(self.expr_as(value, &ty)?);
        }
        let (Some(no), Some(yes)) = (sides.pop(), sides.pop()) else { return Err(self.internal("two branches")) };
        let boxed = Box::new;
        let kind = if ty != BOOL {
            Kind::Choose(boxed(condition), boxed(yes), boxed(no))
        } else if no.is_bool(false) {
            Kind::And(boxed(condition), boxed(yes))
        } else if yes.is_bool(true) {
            Kind::Or(boxed(condition), boxed(no))
        } else if yes.is_bool(false) {
            Kind::And(boxed(negate(condition)), boxed(no))
        } else if no.is_bool(true) {
            Kind::Or(boxed(negate(condition)), boxed(yes))
        } else {
            Kind::Choose(boxed(condition), boxed(yes), boxed(no))
        };
        Ok(Expr::new(ty, kind))
    }

    /// An op that is a row.
    fn row_expr(&mut self, op: OpId) -> Result<Expr, Diagnostic> {
        let body = self.body;
        let data = body.op(op);
        let args = data.operands.iter().map(|&v| self.expr(v)).collect::<Result<Vec<_>, _>>()?;
        let &result = data.results.first().ok_or_else(|| self.refuse(format!("`{}`", data.def.name)))?;
        let ty = self.ty(result)?;
        self.row_of(data.def, args, &ty)
    }

    /// A row's op on these operands; `wanted` is the type of the result but for its sign.
    fn row_of(&mut self, def: &'static OpDef, args: Vec<Expr>, wanted: &Ty) -> Result<Expr, Diagnostic> {
        let refused = || self.refuse(format!("`{}`", def.name));
        let first = args.first().ok_or_else(refused)?;
        let sign = ops::rows_of(def).next().ok_or_else(refused)?.sign;
        let unsigned = match sign {
            Sign::Tied => Some(wanted.is_unsigned()),
            _ => sign.operands(),
        };
        let from = unsigned.map_or_else(|| first.ty.clone(), |u| first.ty.with_sign(u));
        let row = ops::row(def, &from).ok_or_else(refused)?;
        let args = args.into_iter().map(|a| {
            let to = unsigned.map_or_else(|| a.ty.clone(), |u| a.ty.with_sign(u));
            self.coerce(a, &to)
        });
        let mut args = args.collect::<Result<Vec<_>, _>>()?;
        if matches!(row.cpp, Spelling::Convert) && args.len() == 1 {
            let only = args.remove(0);
            if only.ty == *wanted {
                return Ok(only);
            }
            return Ok(converted(only, wanted));
        }
        // The bits of all ones turn a truth value over.
        if std::ptr::eq(def, arith::XOrI::DEF) && *wanted == BOOL {
            let (b, a) = (args.pop(), args.pop());
            if let (Some(a), Some(b)) = (a, b) {
                if b.is_bool(true) {
                    return Ok(negate(a));
                }
                args = vec![a, b];
            }
        }
        let ty = match sign {
            Sign::Signed | Sign::Unsigned | Sign::Tied => wanted.with_sign(unsigned.unwrap_or(false)),
            Sign::FromSigned | Sign::FromUnsigned | Sign::Free => wanted.clone(),
        };
        let made = Expr::new(ty, Kind::Op { row, args });
        self.coerce(made, wanted)
    }
}

/// A value in another type. An integer that was widened before is converted from what it was: its
/// low bits are the same.
fn converted(value: Expr, ty: &Ty) -> Expr {
    let integer = |t: &Ty| t.scalar().filter(|&s| is_integer(s));
    if let Kind::Convert(inner) = &value.kind
        && let (Some(from), Some(through), Some(to)) = (integer(&inner.ty), integer(&value.ty), integer(ty))
        && from.size() <= through.size()
        && to.size() <= through.size()
    {
        return if inner.ty == *ty { (**inner).clone() } else { converted((**inner).clone(), ty) };
    }
    Expr::new(ty.clone(), Kind::Convert(Box::new(value)))
}

/// A comparison of floats: those that hold for numbers that are none are the opposites of others.
fn float_compare(predicate: FloatPredicate, a: Expr, b: Expr, result: Ty) -> Expr {
    use FloatPredicate as P;
    let compare = |how: Compare, a: &Expr, b: &Expr| {
        Expr::new(result.clone(), Kind::Compare(how, Box::new(a.clone()), Box::new(b.clone())))
    };
    let both = |x: Expr, y: Expr, or: bool| {
        let (x, y) = (Box::new(x), Box::new(y));
        Expr::new(result.clone(), if or { Kind::Or(x, y) } else { Kind::And(x, y) })
    };
    let not = |x: Expr| Expr::new(result.clone(), Kind::Not(Box::new(x)));
    let constant = |value: bool| {
        let literal = Expr::bool(value);
        if result.is_vector() { Expr::new(result.clone(), Kind::Splat(Box::new(literal))) } else { literal }
    };
    match predicate {
        P::False => constant(false),
        P::True => constant(true),
        P::Oeq => compare(Compare::Equal, &a, &b),
        P::Ogt => compare(Compare::Greater, &a, &b),
        P::Oge => compare(Compare::GreaterEqual, &a, &b),
        P::Olt => compare(Compare::Less, &a, &b),
        P::Ole => compare(Compare::LessEqual, &a, &b),
        P::One => both(compare(Compare::Less, &a, &b), compare(Compare::Greater, &a, &b), true),
        P::Ord => both(compare(Compare::Equal, &a, &a), compare(Compare::Equal, &b, &b), false),
        P::Ueq => not(both(compare(Compare::Less, &a, &b), compare(Compare::Greater, &a, &b), true)),
        P::Ugt => not(compare(Compare::LessEqual, &a, &b)),
        P::Uge => not(compare(Compare::Less, &a, &b)),
        P::Ult => not(compare(Compare::GreaterEqual, &a, &b)),
        P::Ule => not(compare(Compare::Greater, &a, &b)),
        P::Une => compare(Compare::NotEqual, &a, &b),
        P::Uno => both(compare(Compare::NotEqual, &a, &a), compare(Compare::NotEqual, &b, &b), true),
    }
}
