//! Integer and float arithmetic, comparison and selection: a lane each.

use crate::emit::Clifs;
use crate::machine::Clif;
use caustic_codegen::{Assembler, Lane};
use caustic_dialects::arith as a;
use caustic_dialects::arith::{FloatPredicate, IntPredicate};
use caustic_dialects::strong;
use caustic_native::Helper;
use caustic_native::Leaf;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl Clifs<'_, '_> {
    pub(crate) fn arith_lane(&mut self, lane: &Lane<'_, Value>) -> Option<Value> {
        match (lane.args, lane.to) {
            (&[c, x, y], _) if lane.name == a::Select::NAME => Some(self.b.ins().select(c, x, y)),
            (&[x, y], _) if lane.name == a::CmpI::NAME => self.compare_ints(lane, x, y),
            (&[x, y], _) if lane.name == a::CmpF::NAME => self.compare_floats(lane, x, y),
            (&[x, y], to) if to.is_float() => self.float_binary(lane, x, y),
            (&[x], to) if to.is_float() && lane.name == a::NegF::NAME => Some(self.b.ins().fneg(x)),
            (&[x, y], Leaf::I1) => {
                // As a byte that is -1 or 0 where the op reads a sign.
                let signed = matches!(lane.name, a::DivSI::NAME | a::RemSI::NAME | a::MinSI::NAME | a::MaxSI::NAME);
                if matches!(lane.name, a::ShLI::NAME | a::ShRSI::NAME | a::ShRUI::NAME) {
                    // The amount modulo 1 is 0.
                    return Some(x);
                }
                let (x, y) = if signed { (self.b.ins().ineg(x), self.b.ins().ineg(y)) } else { (x, y) };
                let byte = self.int_binary(lane.name, Leaf::I8, x, y)?;
                Some(self.b.ins().band_imm_u(byte, 1))
            }
            (&[x, y], to) => self.int_binary(lane.name, to, x, y),
            _ => None,
        }
    }

    fn int_binary(&mut self, name: &str, leaf: Leaf, x: Value, y: Value) -> Option<Value> {
        Some(match name {
            a::AddI::NAME => self.b.ins().iadd(x, y),
            a::SubI::NAME => self.b.ins().isub(x, y),
            a::MulI::NAME => self.b.ins().imul(x, y),
            a::AndI::NAME => self.b.ins().band(x, y),
            a::OrI::NAME => self.b.ins().bor(x, y),
            a::XOrI::NAME => self.b.ins().bxor(x, y),
            // The amount is taken modulo the width by the instruction.
            a::ShLI::NAME => self.b.ins().ishl(x, y),
            a::ShRSI::NAME => self.b.ins().sshr(x, y),
            a::ShRUI::NAME => self.b.ins().ushr(x, y),
            a::MinSI::NAME => self.b.ins().smin(x, y),
            a::MaxSI::NAME => self.b.ins().smax(x, y),
            a::MinUI::NAME => self.b.ins().umin(x, y),
            a::MaxUI::NAME => self.b.ins().umax(x, y),
            a::DivSI::NAME | a::RemSI::NAME | a::DivUI::NAME | a::RemUI::NAME => self.divide(name, leaf, x, y),
            _ => return None,
        })
    }

    /// The machine's division faults for a zero divisor and for the one overflow; both are
    /// divisions by 1 here, put right afterwards.
    fn divide(&mut self, name: &str, leaf: Leaf, x: Value, y: Value) -> Value {
        let signed = matches!(name, a::DivSI::NAME | a::RemSI::NAME);
        let ty = leaf.clif();
        let narrow = ty.bits() < 32;
        let (mut x, mut y, mut wide) = (x, y, leaf);
        if narrow {
            wide = Leaf::I32;
            (x, y) = match signed {
                true => (self.b.ins().sextend(types::I32, x), self.b.ins().sextend(types::I32, y)),
                false => (self.b.ins().uextend(types::I32, x), self.b.ins().uextend(types::I32, y)),
            };
        }
        let (one, zero) = (self.int(wide, 1), self.int(wide, 0));
        let by_zero = self.b.ins().icmp(IntCC::Equal, y, zero);
        let result = if signed {
            let all_ones = self.int(wide, -1);
            let by_minus_one = self.b.ins().icmp(IntCC::Equal, y, all_ones);
            let special = self.b.ins().bor(by_zero, by_minus_one);
            let divisor = self.b.ins().select(special, one, y);
            if name == a::RemSI::NAME {
                self.b.ins().srem(x, divisor)
            } else {
                let quotient = self.b.ins().sdiv(x, divisor);
                let negated = self.b.ins().ineg(x);
                let quotient = self.b.ins().select(by_minus_one, negated, quotient);
                self.b.ins().select(by_zero, zero, quotient)
            }
        } else {
            let divisor = self.b.ins().select(by_zero, one, y);
            if name == a::RemUI::NAME {
                self.b.ins().urem(x, divisor)
            } else {
                let quotient = self.b.ins().udiv(x, divisor);
                self.b.ins().select(by_zero, zero, quotient)
            }
        };
        if narrow { self.b.ins().ireduce(ty, result) } else { result }
    }

    fn float_binary(&mut self, lane: &Lane<'_, Value>, x: Value, y: Value) -> Option<Value> {
        let value = match lane.name {
            a::AddF::NAME => self.b.ins().fadd(x, y),
            a::SubF::NAME => self.b.ins().fsub(x, y),
            a::MulF::NAME => self.b.ins().fmul(x, y),
            a::DivF::NAME => self.b.ins().fdiv(x, y),
            strong::MulF::NAME => {
                let zero = self.float(lane.to, 0.0);
                let product = self.b.ins().fmul(x, y);
                let x_zero = self.b.ins().fcmp(FloatCC::Equal, x, zero);
                let y_zero = self.b.ins().fcmp(FloatCC::Equal, y, zero);
                let any = self.b.ins().bor(x_zero, y_zero);
                self.b.ins().select(any, zero, product)
            }
            strong::GatedMulF::NAME => {
                let zero = self.float(lane.to, 0.0);
                let product = self.b.ins().fmul(x, y);
                let closed = self.b.ins().fcmp(FloatCC::Equal, x, zero);
                self.b.ins().select(closed, zero, product)
            }
            // Exact, whatever it is computed in.
            a::RemF::NAME => {
                let (x, y) = (self.widen(lane.to, x), self.widen(lane.to, y));
                let rest = self.helper1(Helper::Fmod, &[x, y]);
                return Some(self.round_to(lane.to, rest));
            }
            a::MinimumF::NAME => return Some(self.b.ins().fmin(x, y)),
            a::MaximumF::NAME => return Some(self.b.ins().fmax(x, y)),
            a::MinNumF::NAME | a::MaxNumF::NAME => {
                let both =
                    if lane.name == a::MinNumF::NAME { self.b.ins().fmin(x, y) } else { self.b.ins().fmax(x, y) };
                let x_nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
                let y_nan = self.b.ins().fcmp(FloatCC::Unordered, y, y);
                let value = self.b.ins().select(x_nan, y, both);
                return Some(self.b.ins().select(y_nan, x, value));
            }
            _ => return None,
        };
        Some(self.round(lane.to, value))
    }

    fn compare_ints(&mut self, lane: &Lane<'_, Value>, x: Value, y: Value) -> Option<Value> {
        let (cc, signed) = match IntPredicate::from_number(lane.predicate)? {
            IntPredicate::Eq => (IntCC::Equal, false),
            IntPredicate::Ne => (IntCC::NotEqual, false),
            IntPredicate::Slt => (IntCC::SignedLessThan, true),
            IntPredicate::Sle => (IntCC::SignedLessThanOrEqual, true),
            IntPredicate::Sgt => (IntCC::SignedGreaterThan, true),
            IntPredicate::Sge => (IntCC::SignedGreaterThanOrEqual, true),
            IntPredicate::Ult => (IntCC::UnsignedLessThan, false),
            IntPredicate::Ule => (IntCC::UnsignedLessThanOrEqual, false),
            IntPredicate::Ugt => (IntCC::UnsignedGreaterThan, false),
            IntPredicate::Uge => (IntCC::UnsignedGreaterThanOrEqual, false),
        };
        let (x, y) = match lane.from.first() {
            // A set i1 is -1 as signed.
            Some(Leaf::I1) if signed => (self.b.ins().ineg(x), self.b.ins().ineg(y)),
            _ => (x, y),
        };
        Some(self.b.ins().icmp(cc, x, y))
    }

    fn compare_floats(&mut self, lane: &Lane<'_, Value>, x: Value, y: Value) -> Option<Value> {
        let cc = match FloatPredicate::from_number(lane.predicate)? {
            FloatPredicate::False => return Some(self.int(Leaf::I1, 0)),
            FloatPredicate::True => return Some(self.int(Leaf::I1, 1)),
            FloatPredicate::Oeq => FloatCC::Equal,
            FloatPredicate::Ogt => FloatCC::GreaterThan,
            FloatPredicate::Oge => FloatCC::GreaterThanOrEqual,
            FloatPredicate::Olt => FloatCC::LessThan,
            FloatPredicate::Ole => FloatCC::LessThanOrEqual,
            FloatPredicate::One => FloatCC::OrderedNotEqual,
            FloatPredicate::Ord => FloatCC::Ordered,
            FloatPredicate::Ueq => FloatCC::UnorderedOrEqual,
            FloatPredicate::Ugt => FloatCC::UnorderedOrGreaterThan,
            FloatPredicate::Uge => FloatCC::UnorderedOrGreaterThanOrEqual,
            FloatPredicate::Ult => FloatCC::UnorderedOrLessThan,
            FloatPredicate::Ule => FloatCC::UnorderedOrLessThanOrEqual,
            FloatPredicate::Une => FloatCC::NotEqual,
            FloatPredicate::Uno => FloatCC::Unordered,
        };
        Some(self.b.ins().fcmp(cc, x, y))
    }
}
