//! Arithmetic of f64 in which functions are written: each op is one instruction, for as many
//! threads as the builder's scalars are of.

use crate::ir::{FloatCc, Ir, Opcode, Value};
use caustic_native::Leaf;

/// A number that pushes the integer nearest to another into its own low bits, when that is added:
/// between 2^52 and 2^53 floats are integers.
const MAGIC: f64 = 6_755_399_441_055_744.0;
/// The bits of a fraction.
pub const FRACTION: i64 = (1 << 52) - 1;
/// The bits of 1.
pub const ONE: i64 = 1023 << 52;

pub struct Calc<'i> {
    pub ir: &'i mut Ir,
}

/// A number as the nearest integer and the rest.
pub struct Split {
    /// The integer in the low bits, with other bits above.
    pub bits: Value,
    pub whole: Value,
    pub rest: Value,
}

impl Calc<'_> {
    pub fn n(&mut self, value: f64) -> Value {
        self.ir.float(Leaf::F64, value)
    }
    pub fn i(&mut self, value: i64) -> Value {
        self.ir.int(Leaf::I64, value)
    }
    pub fn add(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMFAdd, x, y)
    }
    pub fn sub(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMFSub, x, y)
    }
    pub fn mul(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMFMul, x, y)
    }
    pub fn div(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMFDiv, x, y)
    }
    pub fn add_n(&mut self, x: Value, y: f64) -> Value {
        let y = self.n(y);
        self.add(x, y)
    }
    pub fn mul_n(&mut self, x: Value, y: f64) -> Value {
        let y = self.n(y);
        self.mul(x, y)
    }
    fn intrinsic(&mut self, name: &str, args: &[Value]) -> Value {
        let double = self.ir.ty(Leaf::F64);
        self.ir.intrinsic(name, &[double], args)
    }
    /// `x * y + z`, rounded once.
    pub fn fma(&mut self, x: Value, y: Value, z: Value) -> Value {
        self.intrinsic("llvm.fma", &[x, y, z])
    }
    pub fn abs(&mut self, x: Value) -> Value {
        self.intrinsic("llvm.fabs", &[x])
    }
    pub fn sqrt(&mut self, x: Value) -> Value {
        self.intrinsic("llvm.sqrt", &[x])
    }
    /// The nearest integer, ties to even.
    pub fn nearest(&mut self, x: Value) -> Value {
        self.intrinsic("llvm.roundeven", &[x])
    }
    pub fn with_sign_of(&mut self, x: Value, sign: Value) -> Value {
        self.intrinsic("llvm.copysign", &[x, sign])
    }
    pub fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        self.ir.select(condition, x, y)
    }
    pub fn less(&mut self, x: Value, y: Value) -> Value {
        self.ir.fcmp(FloatCc::LLVMRealOLT, x, y)
    }
    pub fn less_n(&mut self, x: Value, y: f64) -> Value {
        let y = self.n(y);
        self.less(x, y)
    }
    pub fn above_n(&mut self, x: Value, y: f64) -> Value {
        let y = self.n(y);
        self.less(y, x)
    }
    pub fn equal(&mut self, x: Value, y: Value) -> Value {
        self.ir.fcmp(FloatCc::LLVMRealOEQ, x, y)
    }
    pub fn equal_n(&mut self, x: Value, y: f64) -> Value {
        let y = self.n(y);
        self.equal(x, y)
    }
    pub fn both(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMAnd, x, y)
    }
    pub fn either(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMOr, x, y)
    }
    /// `x` within `[-bound, bound]`; NaN stays NaN.
    pub fn clamp(&mut self, x: Value, bound: f64) -> Value {
        let (high, low) = (self.n(bound), self.n(-bound));
        let above = self.less(high, x);
        let x = self.select(above, high, x);
        let below = self.less(x, low);
        self.select(below, low, x)
    }
    /// `c[0] + c[1] x + c[2] x² + …`
    pub fn poly(&mut self, x: Value, coefficients: &[f64]) -> Value {
        let mut rest = coefficients.iter().rev();
        let last = rest.next().copied().unwrap_or(0.0);
        let mut sum = self.n(last);
        for &c in rest {
            let c = self.n(c);
            sum = self.fma(sum, x, c);
        }
        sum
    }

    // ----- bits

    pub fn bits(&mut self, x: Value) -> Value {
        let ty = self.ir.ty(Leaf::I64);
        self.ir.cast(Opcode::LLVMBitCast, x, ty)
    }
    pub fn of_bits(&mut self, x: Value) -> Value {
        let ty = self.ir.ty(Leaf::F64);
        self.ir.cast(Opcode::LLVMBitCast, x, ty)
    }
    pub fn plus(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMAdd, x, y)
    }
    pub fn minus(&mut self, x: Value, y: Value) -> Value {
        self.ir.binary(Opcode::LLVMSub, x, y)
    }
    pub fn and(&mut self, x: Value, bits: i64) -> Value {
        let bits = self.i(bits);
        self.ir.binary(Opcode::LLVMAnd, x, bits)
    }
    pub fn or(&mut self, x: Value, bits: i64) -> Value {
        let bits = self.i(bits);
        self.ir.binary(Opcode::LLVMOr, x, bits)
    }
    pub fn left(&mut self, x: Value, by: i64) -> Value {
        let by = self.i(by);
        self.ir.binary(Opcode::LLVMShl, x, by)
    }
    pub fn right(&mut self, x: Value, by: i64) -> Value {
        let by = self.i(by);
        self.ir.binary(Opcode::LLVMLShr, x, by)
    }
    /// `x` with the other sign where the lowest of `bits` is set.
    pub fn negated_if_odd(&mut self, x: Value, bits: Value) -> Value {
        let (sign, x) = (self.left(bits, 63), self.bits(x));
        let value = self.ir.binary(Opcode::LLVMXor, x, sign);
        self.of_bits(value)
    }

    // ----- integers

    /// For numbers of at most 50 bits before the point.
    pub fn split(&mut self, x: Value) -> Split {
        let pushed = self.add_n(x, MAGIC);
        let whole = self.add_n(pushed, -MAGIC);
        let rest = self.sub(x, whole);
        Split { bits: self.bits(pushed), whole, rest }
    }
    /// An integer of less than 52 bits as a float.
    pub fn float_of(&mut self, integer: Value) -> Value {
        const UNIT: f64 = 4_503_599_627_370_496.0;
        let bits = self.or(integer, UNIT.to_bits() as i64);
        let value = self.of_bits(bits);
        self.add_n(value, -UNIT)
    }
}
