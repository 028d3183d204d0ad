//! Parts of values: structs, arrays, vectors and matrices as values, and instructions on all parts
//! of a vector or matrix that the machine does not have.

use crate::assembly::{Id, Operand};
use crate::emit::Emit;
use crate::grammar::Op;
use crate::memory::Step;
use crate::types::{is_empty, is_native};
use caustic_dialects::agg::part_type;
use caustic_dialects::{combine, vector};
use caustic_ir::{Diagnostic, OpId, Type, ValueId};

/// What computes one part: of operands of the machine's types, the result.
pub type One<'f, 'm> = dyn FnMut(&mut Emit<'m>, &[Id], &[Type], Type) -> Result<Id, Diagnostic> + 'f;

impl<'m> Emit<'m> {
    /// An instruction on values that may be no vectors of the machine: on each part.
    pub fn lift(
        &mut self,
        operands: &[Id],
        types: &[Type],
        result: Type,
        one: &mut One<'_, 'm>,
    ) -> Result<Id, Diagnostic> {
        if is_native(result) {
            return one(self, operands, types, result);
        }
        let part = |ty: Type| part_type(ty, 0).unwrap_or(ty);
        let part_result = part(result);
        let mut parts = Vec::new();
        for k in 0..result.shape().first().copied().unwrap_or(0) {
            let mut taken = Vec::new();
            for (&id, &ty) in operands.iter().zip(types) {
                taken.push(if ty.is_vector() { self.taken(id, ty, &[k])?.0 } else { id });
            }
            let types: Vec<Type> = types.iter().map(|&ty| part(ty)).collect();
            parts.push(self.lift(&taken, &types, part_result, one)?);
        }
        let ty = self.ty(result)?;
        Ok(self.op(Op::CompositeConstruct, ty, &parts))
    }

    /// The part of a value at a path of constants.
    pub fn taken(&mut self, value: Id, of: Type, path: &[u32]) -> Result<(Id, Type), Diagnostic> {
        let mut ty = of;
        for &k in path {
            ty = part_type(ty, i64::from(k)).ok_or_else(|| self.internal(format!("{ty} has no part {k}")))?;
        }
        if path.is_empty() {
            return Ok((value, ty));
        }
        if is_empty(ty) {
            return Ok((self.null(ty)?, ty));
        }
        let id = self.ty(ty)?;
        let operands = std::iter::once(Operand::Id(value)).chain(path.iter().map(|&k| Operand::Literal(k))).collect();
        Ok((self.op_of(Op::CompositeExtract, id, operands), ty))
    }

    /// The part of a value at any path.
    pub fn extracted(&mut self, op: OpId, value: ValueId, steps: &[Step]) -> Result<Id, Diagnostic> {
        let of = self.body.ty(value);
        let id = self.value(value)?;
        if let Some(path) = constants(steps) {
            return Ok(self.taken(id, of, &path)?.0);
        }
        self.inside(op)?;
        if let ([Step::Index(index)], true) = (steps, is_native(of)) {
            let (index, ty) = (self.index(*index)?, self.ty(of.elem())?);
            return Ok(self.op(Op::VectorExtractDynamic, ty, &[id, index]));
        }
        let place = self.spilled(id, of)?;
        let part = self.walk(place, steps)?;
        self.load(part)
    }

    /// A value with the part at a path replaced.
    pub fn inserted(&mut self, op: OpId, part: Id, value: ValueId, steps: &[Step]) -> Result<Id, Diagnostic> {
        let of = self.body.ty(value);
        let id = self.value(value)?;
        let ty = self.ty(of)?;
        if let Some(path) = constants(steps) {
            if path.is_empty() {
                return Ok(part);
            }
            let head = [Operand::Id(part), Operand::Id(id)];
            let operands = head.into_iter().chain(path.into_iter().map(Operand::Literal)).collect();
            return Ok(self.op_of(Op::CompositeInsert, ty, operands));
        }
        self.inside(op)?;
        let place = self.spilled(id, of)?;
        let at = self.walk(place, steps)?;
        self.store(at, part)?;
        self.load(place)
    }

    /// The steps of `vector.extract` and `vector.insert`.
    pub fn position(&self, op: OpId, dynamic: &[ValueId]) -> Result<Vec<Step>, Diagnostic> {
        let path: Vec<i64> = vector::static_position(self.body, op).into_iter().map(|k| k.max(-1)).collect();
        self.steps(&path, dynamic)
    }

    pub fn access_op(&mut self, op: OpId, view: vector::AccessView) -> Result<Id, Diagnostic> {
        let body = self.body;
        match view {
            vector::AccessView::Extract(v) => {
                let steps = self.position(op, v.dynamic_position(body))?;
                self.extracted(op, v.vector(body), &steps)
            }
            vector::AccessView::Insert(v) => {
                let steps = self.position(op, v.dynamic_position(body))?;
                let source = self.value(v.source(body))?;
                let of = body.ty(v.dest(body));
                let part = vector::part_type(of, steps.len()).ok_or_else(|| self.internal("no such part"))?;
                // A scalar for a row fills it.
                let filled = part.is_vector() && body.ty(v.source(body)).is_scalar();
                let source = if filled { self.filled(source, part)? } else { source };
                self.inserted(op, source, v.dest(body), &steps)
            }
        }
    }

    /// A vector or matrix with a scalar in each place.
    pub fn filled(&mut self, scalar: Id, ty: Type) -> Result<Id, Diagnostic> {
        let Some(&count) = ty.shape().first() else { return Ok(scalar) };
        let part = part_type(ty, 0).ok_or_else(|| self.internal("no parts"))?;
        let part = self.filled(scalar, part)?;
        let id = self.ty(ty)?;
        Ok(self.op(Op::CompositeConstruct, id, &vec![part; count as usize]))
    }

    /// A vector or matrix of its scalars.
    pub fn of_scalars(&mut self, scalars: &[Id], ty: Type) -> Result<Id, Diagnostic> {
        let id = self.ty(ty)?;
        let [_, rest @ ..] = ty.shape() else {
            return scalars.first().copied().ok_or_else(|| self.internal("no scalars"));
        };
        if rest.is_empty() {
            return Ok(self.op(Op::CompositeConstruct, id, scalars));
        }
        let row = Type::vector(rest, ty.elem());
        let width = row.num_elements().max(1);
        let mut rows = Vec::new();
        for part in scalars.chunks(width) {
            rows.push(self.of_scalars(part, row)?);
        }
        Ok(self.op(Op::CompositeConstruct, id, &rows))
    }

    /// All scalars of a vector or matrix, in order.
    pub fn scalars(&mut self, value: Id, ty: Type) -> Result<Vec<Id>, Diagnostic> {
        let mut paths: Vec<Vec<u32>> = vec![Vec::new()];
        for &n in ty.shape() {
            let longer = |at: &Vec<u32>| (0..n).map(|k| [&at[..], &[k]].concat()).collect::<Vec<_>>();
            paths = paths.iter().flat_map(longer).collect();
        }
        paths.into_iter().map(|path| Ok(self.taken(value, ty, &path)?.0)).collect()
    }

    pub fn shape_op(&mut self, op: OpId, view: vector::ShapeView) -> Result<Id, Diagnostic> {
        use vector::ShapeView as V;
        let body = self.body;
        let ty = body.ty(body.result(op, 0));
        match view {
            V::Broadcast(v) => {
                let scalar = self.value(v.source(body))?;
                self.filled(scalar, ty)
            }
            V::FromElements(v) => {
                let scalars = v.elements(body).iter().map(|&e| self.value(e)).collect::<Result<Vec<Id>, _>>()?;
                self.of_scalars(&scalars, ty)
            }
            V::ShapeCast(v) => {
                let source = self.value(v.source(body))?;
                let scalars = self.scalars(source, body.ty(v.source(body)))?;
                self.of_scalars(&scalars, ty)
            }
            V::Transpose(v) => {
                let matrix = body.ty(v.vector(body));
                let &[rows, cols] = matrix.shape() else { return Err(self.internal("not a matrix")) };
                let (rows, cols) = (rows as usize, cols as usize);
                let source = self.value(v.vector(body))?;
                let scalars = self.scalars(source, matrix)?;
                let turned: Vec<Id> = (0..rows * cols).map(|i| scalars[i % rows * cols + i / rows]).collect();
                self.of_scalars(&turned, ty)
            }
            V::Reduction(v) => {
                let kind = vector::reduction_kind(body, op).unwrap_or("add");
                let of = body.ty(v.vector(body));
                let def = combine::combine_def(kind, of.elem());
                let def = def.ok_or_else(|| self.internal("no such reduction"))?;
                let source = self.value(v.vector(body))?;
                let mut scalars = self.scalars(source, of)?.into_iter();
                let mut sum = scalars.next().ok_or_else(|| self.internal("an empty vector"))?;
                for next in scalars {
                    sum = self.row_of(def, &[sum, next], &[of.elem(); 2], ty)?;
                }
                Ok(sum)
            }
        }
    }
}

/// The steps as numbers, if none of them is computed.
fn constants(steps: &[Step]) -> Option<Vec<u32>> {
    let number = |step: &Step| match step {
        Step::Part(k) => Some(*k),
        Step::Index(_) => None,
    };
    steps.iter().map(number).collect()
}
