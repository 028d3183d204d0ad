//! Code for each op that is no control flow.
//!
//! Elementwise ops are written once for a scalar and repeated for the lanes. An elementwise op that
//! the assembler has no instructions for calls its row's reference evaluation, so that a new row
//! runs at once and a function of floats is the interpreter's, bit for bit.

use caustic_ir::codes;
pub(crate) mod buffer;
mod gpu;
pub(crate) mod pinned;
mod storage;
mod tape;
mod texture;
pub(crate) mod value;

use crate::assembler::{Assembler, Flat, Lane, Memory};
use crate::emit::Emit;
use caustic_dialects::{agg, arith, vector};
use caustic_ir::eval::Eval;
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_native::{Helper, Leaf, ScalarCall};
use smallvec::SmallVec;

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// Emits an op that is no control flow.
    pub fn op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        if A::special(self, op)? || self.listed(op)? || self.gpu_op(op)? || self.texture_op(op)? {
            return Ok(());
        }
        let def = self.body.op(op).def;
        match def.eval {
            Eval::Scalar(_) => self.lanes(op),
            _ => Err(self
                .internal(format!("`{}` reached code generation", def.name))
                .with_note("the lowering passes have to replace it before")),
        }
    }

    /// Code for the ops on memory and on parts of values; false for others, and for those that
    /// lowering has to replace.
    fn listed(&mut self, op: OpId) -> Result<bool, Diagnostic> {
        let body = self.body;
        if let Some(view) = agg::AggView::of(body, op) {
            return self.aggregate(op, view);
        }
        if let Some(view) = arith::Select::cast(body, op) {
            return self.select_op(view);
        }
        if let Some(view) = arith::Constant::cast(body, op) {
            self.constant_op(view)?;
        } else if let Some(view) = vector::AccessView::of(body, op) {
            self.vector_access(op, view)?;
        } else if let Some(view) = vector::ShapeView::of(body, op) {
            self.vector_shape(op, view)?;
        } else if let Some(view) = agg::StorageView::of(body, op) {
            self.storage_op(op, view)?;
        } else if let Some(view) = agg::AtomicView::of(body, op) {
            self.atomic_op(view)?;
        } else if let Some(view) = agg::PointerView::of(body, op) {
            self.pointer_op(op, view)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn aggregate(&mut self, op: OpId, view: agg::AggView) -> Result<bool, Diagnostic> {
        use agg::AggView as V;
        let body = self.body;
        let out = match view {
            V::Make(v) => self.get_all(v.parts(body))?,
            V::Zero(_) => {
                let leaves = self.leaves(self.ty(body.result(op, 0)))?;
                self.zeros(&leaves)
            }
            V::Extract(v) => {
                let path = self.path(op, v.path(body), v.indices(body))?;
                self.extract(v.aggregate(body), &path)?
            }
            V::Insert(v) => {
                let path = self.path(op, v.path(body), v.indices(body))?;
                self.insert(v.value(body), v.aggregate(body), &path)?
            }
            V::Global(v) => return self.global_op(v).map(|()| true),
            V::GlobalElement(v) => return self.global_element_op(v).map(|()| true),
            V::View(v) => return self.buffer_view(v).map(|()| true),
            V::BufferCount(v) => return self.buffer_count(v).map(|()| true),
            V::BufferLoad(v) => return self.buffer_load(v).map(|()| true),
            V::BufferStore(v) => return self.buffer_store(v).map(|()| true),
            V::CheckBounds(v) => return self.check_bounds(v).map(|()| true),
            V::CheckIndex(v) => return self.check_index(v).map(|()| true),
            V::BufferLen(v) => return self.buffer_len(v).map(|()| true),
            // Tapes are kept in storage; a resource is a symbol.
            V::Length(_) | V::Resource(_) => return Ok(false),
        };
        self.set_result(op, out);
        Ok(true)
    }

    fn lanes(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let data = self.body.op(op);
        let result = self.ty(self.body.result(op, 0));
        let to = self.leaf_of(self.body.result(op, 0))?;
        let mut from: SmallVec<[Leaf; 3]> = SmallVec::new();
        let mut operands: SmallVec<[Flat<A::Value>; 3]> = SmallVec::new();
        for &v in &data.operands {
            from.push(self.leaf_of(v)?);
            operands.push(self.get(v)?);
        }
        let predicate = arith::predicate_of(self.body, op).unwrap_or(-1);
        let mut out = Flat::new();
        for i in 0..result.num_elements() {
            // A single scalar stands for all lanes.
            let lane = |o: &Flat<A::Value>| o.get(i).or(o.last()).copied();
            let args: Option<SmallVec<[A::Value; 3]>> = operands.iter().map(lane).collect();
            let Some(args) = args else {
                return Err(self.internal(format!("an operand of `{}` has no scalars", data.def.name)));
            };
            let lane = Lane { name: data.def.name, args: &args, from: &from, to, predicate };
            let value = match self.a.lane(&lane) {
                Some(value) => value,
                None => {
                    let value = A::each(self, None, &[to], &mut |e| {
                        e.reference_lane(op, &lane).map(|v| Flat::from_slice(&[v]))
                    })?;
                    value[0]
                }
            };
            out.push(value);
        }
        self.set_result(op, out);
        Ok(())
    }

    /// A lane computed by the op's reference evaluation.
    fn reference_lane(&mut self, op: OpId, lane: &Lane<'_, A::Value>) -> Result<A::Value, Diagnostic> {
        let data = self.body.op(op);
        let Eval::Scalar(f) = data.def.eval else { return Err(self.internal("no evaluation")) };
        let operands: Vec<Type> = data.operands.iter().map(|&v| self.ty(v).elem()).collect();
        let result = self.ty(self.body.result(op, 0)).elem();
        if !A::HOSTED {
            return Err(self.unsupported(op));
        }
        let call = match self.scalar_calls.get(&op) {
            Some(&known) => known,
            None => {
                let call = ScalarCall { f, operands, result, attrs: data.attrs.clone() };
                let call = self.a.tables().scalar_call(call);
                self.scalar_calls.insert(op, call);
                call
            }
        };
        let call = self.i64(call);
        let floats = lane.to.is_float() && lane.from.iter().all(|l| l.is_float());
        let helper = match lane.args.len() {
            1 if floats => Helper::EvalUnary,
            2 if floats => Helper::EvalBinary,
            count => {
                let memory = self.a.stack_memory(count as u64 * 8);
                for (i, (&v, &leaf)) in lane.args.iter().zip(lane.from).enumerate() {
                    let word = self.a.word_of(leaf, v);
                    self.a.store(Leaf::I64, word, memory, i as i64 * 8, Memory::Words);
                }
                let word = self.helper1(Helper::EvalScalar, &[call, memory]);
                return Ok(self.a.scalar_of(lane.to, word));
            }
        };
        let mut args: SmallVec<[A::Value; 3]> = SmallVec::from_slice(&[call]);
        for (&v, &leaf) in lane.args.iter().zip(lane.from) {
            args.push(self.a.widen(leaf, v));
        }
        let value = self.helper1(helper, &args);
        // The reference has rounded already.
        Ok(self.a.narrow(lane.to, value))
    }

    /// The machine cannot do what the op asks for.
    pub fn unsupported(&self, op: OpId) -> Diagnostic {
        let name = self.body.op(op).def.name;
        Diagnostic::error(codes::E0853, self.loc, format!("`{name}` cannot be compiled for this target"))
            .with_note("run it on the CPU, or leave out what needs it")
    }
}
