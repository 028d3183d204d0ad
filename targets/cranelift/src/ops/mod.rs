//! Code for each op that is no control flow.
//!
//! Elementwise ops are written once for a scalar and repeated for the lanes. An elementwise op without code of its own here calls its
//! row's reference evaluation, so that a new row runs at once and a function of floats is the interpreter's, bit for bit.

mod arith;
mod buffer;
mod cast;
mod gpu;
mod math;
mod storage;
mod texture;
mod value;

use crate::emit::{Emit, Flat, MEM};
use crate::machine::Clif;
use caustic_ir::eval::Eval;
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_native::Leaf;
use caustic_native::{Helper, ScalarCall};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;

/// One lane of an elementwise op.
pub struct Lane<'a> {
    pub name: &'static str,
    pub args: &'a [Value],
    /// Kinds of the operands and the result.
    pub from: &'a [Leaf],
    pub to: Leaf,
    /// `predicate` of a comparison.
    pub predicate: i64,
}

impl Emit<'_, '_> {
    /// Emits an op that is no control flow.
    pub fn op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        if self.value_op(op)?
            || self.storage_op(op)?
            || self.buffer_op(op)?
            || self.gpu_op(op)?
            || self.texture_op(op)?
        {
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

    fn lanes(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let data = self.body.op(op);
        let result = self.ty(self.body.result(op, 0));
        let to = self.leaf_of(self.body.result(op, 0))?;
        let mut from: SmallVec<[Leaf; 3]> = SmallVec::new();
        let mut operands: SmallVec<[Flat; 3]> = SmallVec::new();
        for &v in &data.operands {
            from.push(self.leaf_of(v)?);
            operands.push(self.get(v)?);
        }
        let predicate = self.body.attr(op, "predicate").and_then(|a| a.as_int()).unwrap_or(-1);
        let mut out = Flat::new();
        for i in 0..result.num_elements() {
            let args: SmallVec<[Value; 3]> =
                operands.iter().map(|o| if o.len() == 1 { o[0] } else { o[i.min(o.len() - 1)] }).collect();
            let lane = Lane { name: data.def.name, args: &args, from: &from, to, predicate };
            let value = match self.arith_lane(&lane).or_else(|| self.cast_lane(&lane)).or_else(|| self.math_lane(&lane))
            {
                Some(value) => value,
                None => self.reference_lane(op, &lane)?,
            };
            out.push(value);
        }
        self.set_result(op, out);
        Ok(())
    }

    /// A lane computed by the op's reference evaluation.
    fn reference_lane(&mut self, op: OpId, lane: &Lane<'_>) -> Result<Value, Diagnostic> {
        let data = self.body.op(op);
        let Eval::Scalar(f) = data.def.eval else { return Err(self.internal("no evaluation")) };
        let operands: Vec<Type> = data.operands.iter().map(|&v| self.ty(v).elem()).collect();
        let result = self.ty(self.body.result(op, 0)).elem();
        let call = self.cx.scalar_call(op, ScalarCall { f, operands, result, attrs: data.attrs.clone() });
        let call = self.i64(call);
        let floats = lane.to.is_float() && lane.from.iter().all(|l| l.is_float());
        let helper = match lane.args.len() {
            1 if floats => Helper::EvalUnary,
            2 if floats => Helper::EvalBinary,
            count => {
                let memory = self.stack_memory(count as u64 * 8);
                for (i, (&v, &leaf)) in lane.args.iter().zip(lane.from).enumerate() {
                    let word = self.word_of(leaf, v);
                    self.b.ins().store(MEM, word, memory, (i * 8) as i32);
                }
                let word = self.helper1(Helper::EvalScalar, &[call, memory]);
                return Ok(self.scalar_of(lane.to, word));
            }
        };
        let mut args: SmallVec<[Value; 3]> = SmallVec::from_slice(&[call]);
        for (&v, &leaf) in lane.args.iter().zip(lane.from) {
            args.push(self.widen(leaf, v));
        }
        let value = self.helper1(helper, &args);
        // The reference has rounded already.
        Ok(self.narrow_exact(lane.to, value))
    }

    /// A scalar as the word that helpers take: integers sign-extended (i1 as 0 or 1), floats as f64 bits.
    pub fn word_of(&mut self, leaf: Leaf, value: Value) -> Value {
        match leaf {
            Leaf::I64 => value,
            Leaf::I1 => self.b.ins().uextend(types::I64, value),
            Leaf::I8 | Leaf::I16 | Leaf::I32 => self.b.ins().sextend(types::I64, value),
            Leaf::F16 | Leaf::F32 | Leaf::F64 => {
                let wide = self.widen(leaf, value);
                self.b.ins().bitcast(types::I64, cranelift_codegen::ir::MemFlagsData::new(), wide)
            }
        }
    }

    pub fn scalar_of(&mut self, leaf: Leaf, word: Value) -> Value {
        match leaf {
            Leaf::I64 => word,
            Leaf::I1 => {
                let bit = self.b.ins().ireduce(types::I8, word);
                self.b.ins().band_imm_u(bit, 1)
            }
            Leaf::I8 | Leaf::I16 | Leaf::I32 => self.b.ins().ireduce(leaf.clif(), word),
            Leaf::F16 | Leaf::F32 | Leaf::F64 => {
                let wide = self.b.ins().bitcast(types::F64, cranelift_codegen::ir::MemFlagsData::new(), word);
                self.narrow_exact(leaf, wide)
            }
        }
    }

    /// A float as f64.
    pub fn widen(&mut self, leaf: Leaf, value: Value) -> Value {
        if leaf == Leaf::F64 { value } else { self.b.ins().fpromote(types::F64, value) }
    }

    /// An f64 rounded to the float type.
    pub fn narrow(&mut self, leaf: Leaf, value: Value) -> Value {
        match leaf {
            Leaf::F16 => self.helper1(Helper::NarrowF16, &[value]),
            leaf => self.narrow_exact(leaf, value),
        }
    }

    /// An f64 that is a value of the float type already; f32 is also right for values that are not.
    fn narrow_exact(&mut self, leaf: Leaf, value: Value) -> Value {
        if leaf == Leaf::F64 { value } else { self.b.ins().fdemote(types::F32, value) }
    }

    /// The result of f32 arithmetic rounded to the type: f32 holds more than twice the bits of f16 plus two, so that rounding
    /// twice is rounding once.
    pub fn round(&mut self, leaf: Leaf, value: Value) -> Value {
        if leaf == Leaf::F16 { self.helper1(Helper::RoundF16, &[value]) } else { value }
    }
}
