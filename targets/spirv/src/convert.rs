//! Rows: instructions on operands, comparisons, and conversions.

use crate::assembly::Id;
use crate::emit::Emit;
use crate::grammar::{Op, Word};
use crate::ops::{self, Accuracy, Cast, How};
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate};
use caustic_dialects::math;
use caustic_ir::{Diagnostic, OpDef, OpId, Type};

impl Emit<'_> {
    /// An op that is a row.
    pub fn row_op(&mut self, op: OpId) -> Result<Id, Diagnostic> {
        let body = self.body;
        let operands = body.operands(op).to_vec();
        let types: Vec<Type> = operands.iter().map(|&v| body.ty(v)).collect();
        let result = body.ty(body.result(op, 0));
        // An index that is a number of 32 bits anyway is cut to it, or converted from it.
        if let &[v] = &operands[..]
            && let Some(&(narrow, signed)) = self.code.narrow.get(&v)
        {
            if result == Type::i32() {
                return Ok(narrow);
            }
            if result.is_float() {
                let ty = self.ty(result)?;
                return Ok(self.op(if signed { Op::ConvertSToF } else { Op::ConvertUToF }, ty, &[narrow]));
            }
        }
        let ids = operands.into_iter().map(|v| self.value(v)).collect::<Result<Vec<Id>, _>>()?;
        self.row_of(body.op(op).def, &ids, &types, result)
    }

    /// What a row's op gives.
    pub fn row_of(&mut self, def: &'static OpDef, ids: &[Id], types: &[Type], result: Type) -> Result<Id, Diagnostic> {
        let of = types.first().copied().unwrap_or(result);
        let Some(row) = ops::row(def, of) else {
            return Err(self.refuse(format!("`{}`", def.name)));
        };
        if row.accuracy != Accuracy::Exact {
            self.states(def, row.accuracy, result.elem() == Type::f64());
        }
        let how = row.how;
        self.lift(ids, types, result, &mut |e, ids, types, result| {
            let ty = e.ty(result)?;
            Ok(match how {
                How::Inst(inst) => e.op(inst, ty, ids),
                How::Float(inst) => e.exact(inst, ty, ids),
                How::Operand => ids[0],
                How::Std450(function) => {
                    let double = result.elem() == Type::f64();
                    if double && !has_doubles(def) && row.accuracy != Accuracy::Exact {
                        return Err(e.internal(format!("`{}` of doubles is a pass's", def.name)));
                    }
                    e.function_of_floats(function, ids, result, row.accuracy == Accuracy::Exact)?
                }
                How::Cast(cast) => e.cast(cast, ids[0], types[0], result)?,
                How::Legalized(pass) => return Err(e.internal(format!("`{}` is removed by `{pass}`", def.name))),
            })
        })
    }

    /// A function of GLSL.std.450; of halves it is that of floats, rounded.
    fn function_of_floats(&mut self, f: Word, ids: &[Id], ty: Type, exact: bool) -> Result<Id, Diagnostic> {
        let id = self.ty(ty)?;
        if ty.elem() != Type::f16() || exact {
            return Ok(self.std450(f, id, ids));
        }
        let wide = self.ty(ty.with_elem(Type::f32()))?;
        let widened: Vec<Id> = ids.iter().map(|&v| self.op(Op::FConvert, wide, &[v])).collect();
        let value = self.std450(f, wide, &widened);
        Ok(self.op(Op::FConvert, id, &[value]))
    }

    // ----- comparisons

    pub fn compare_op(&mut self, op: OpId, view: arith::CmpView) -> Result<Id, Diagnostic> {
        let body = self.body;
        let result = body.ty(body.result(op, 0));
        match view {
            arith::CmpView::Select(v) => {
                let ids = [v.condition(body), v.true_value(body), v.false_value(body)];
                let types = ids.map(|v| body.ty(v));
                let mut values = Vec::new();
                for v in ids {
                    values.push(self.value(v)?);
                }
                if !types[0].is_vector() && !result.is_scalar() {
                    // One condition for all.
                    let ty = self.ty(result)?;
                    return Ok(self.op(Op::Select, ty, &values));
                }
                self.lift(&values, &types, result, &mut |e, ids, _, result| {
                    let ty = e.ty(result)?;
                    Ok(e.op(Op::Select, ty, ids))
                })
            }
            arith::CmpView::CmpI(v) => {
                let predicate = IntPredicate::of(body, op).ok_or_else(|| self.internal("no such predicate"))?;
                let of = body.ty(v.lhs(body));
                let ids = [self.value(v.lhs(body))?, self.value(v.rhs(body))?];
                self.lift(&ids, &[of, of], result, &mut |e, ids, types, result| {
                    let ty = e.ty(result)?;
                    if types[0].elem().is_i1() {
                        return Ok(e.compare_truth(predicate, ids, ty));
                    }
                    Ok(e.op(compare_ints(predicate), ty, ids))
                })
            }
            arith::CmpView::CmpF(v) => {
                let predicate = FloatPredicate::of(body, op).ok_or_else(|| self.internal("no such predicate"))?;
                let of = body.ty(v.lhs(body));
                let ids = [self.value(v.lhs(body))?, self.value(v.rhs(body))?];
                self.lift(&ids, &[of, of], result, &mut |e, ids, types, _| e.compare_floats(predicate, ids, types[0]))
            }
        }
    }

    /// An order of truth values: as signed, a set one is the least.
    fn compare_truth(&mut self, predicate: IntPredicate, ids: &[Id], ty: Id) -> Id {
        use IntPredicate as P;
        let (a, b) = (ids[0], ids[1]);
        let (low, high, or_equal) = match predicate {
            P::Eq => return self.op(Op::LogicalEqual, ty, ids),
            P::Ne => return self.op(Op::LogicalNotEqual, ty, ids),
            // Holds where the first is clear and the second set.
            P::Ult | P::Sgt => (a, b, false),
            P::Ugt | P::Slt => (b, a, false),
            P::Ule | P::Sge => (a, b, true),
            P::Uge | P::Sle => (b, a, true),
        };
        let clear = self.op(Op::LogicalNot, ty, &[low]);
        self.op(if or_equal { Op::LogicalOr } else { Op::LogicalAnd }, ty, &[clear, high])
    }

    fn compare_floats(&mut self, predicate: FloatPredicate, ids: &[Id], of: Type) -> Result<Id, Diagnostic> {
        use FloatPredicate as P;
        let truth = of.with_elem(Type::i1());
        let ty = self.ty(truth)?;
        let same = ids[0] == ids[1];
        let inst = match predicate {
            P::False | P::True => return self.int_constant(i64::from(predicate == P::True), truth),
            // Whether a number is none is asked of its bits, which no compiler takes to be any
            // number.
            P::Oeq | P::Ord | P::Ueq | P::Une | P::Uno | P::One if same => {
                if matches!(predicate, P::Ueq | P::One) {
                    return self.int_constant(i64::from(predicate == P::Ueq), truth);
                }
                let none = self.is_nan(ids[0], of)?;
                let not = matches!(predicate, P::Oeq | P::Ord);
                return Ok(if not { self.op(Op::LogicalNot, ty, &[none]) } else { none });
            }
            P::Ord | P::Uno => {
                let (a, b) = (self.is_nan(ids[0], of)?, self.is_nan(ids[1], of)?);
                let either = self.op(Op::LogicalOr, ty, &[a, b]);
                return Ok(if predicate == P::Uno { either } else { self.op(Op::LogicalNot, ty, &[either]) });
            }
            P::Oeq => Op::FOrdEqual,
            P::Ogt => Op::FOrdGreaterThan,
            P::Oge => Op::FOrdGreaterThanEqual,
            P::Olt => Op::FOrdLessThan,
            P::Ole => Op::FOrdLessThanEqual,
            P::One => Op::FOrdNotEqual,
            P::Ueq => Op::FUnordEqual,
            P::Ugt => Op::FUnordGreaterThan,
            P::Uge => Op::FUnordGreaterThanEqual,
            P::Ult => Op::FUnordLessThan,
            P::Ule => Op::FUnordLessThanEqual,
            P::Une => Op::FUnordNotEqual,
        };
        Ok(self.op(inst, ty, ids))
    }

    /// Whether floats are no numbers, by their bits.
    pub fn is_nan(&mut self, value: Id, of: Type) -> Result<Id, Diagnostic> {
        let kind = of.elem().float_kind().ok_or_else(|| self.internal("no float"))?;
        let bits = of.with_elem(Type::int(kind.bits()));
        let infinity = caustic_ir::real::bits_of(f64::INFINITY, kind) as i64;
        let magnitude = (1u64 << (kind.bits() - 1)) - 1;
        let (word, truth) = (self.ty(bits)?, self.ty(of.with_elem(Type::i1()))?);
        let (mask, infinity) = (self.int_constant(magnitude as i64, bits)?, self.int_constant(infinity, bits)?);
        let raw = self.op(Op::Bitcast, word, &[value]);
        let magnitude = self.op(Op::BitwiseAnd, word, &[raw, mask]);
        Ok(self.op(Op::UGreaterThan, truth, &[magnitude, infinity]))
    }

    // ----- conversions

    fn cast(&mut self, how: Cast, value: Id, from: Type, to: Type) -> Result<Id, Diagnostic> {
        let (from_ty, ty) = (self.ty(from)?, self.ty(to)?);
        if from_ty == ty && !matches!(how, Cast::Float) {
            return Ok(value);
        }
        if from.elem().is_i1() && how != Cast::Bits {
            let signed = matches!(how, Cast::Signed | Cast::SignedToFloat);
            let set = if signed { -1 } else { 1 };
            let (set, clear) = match to.elem().is_float() {
                true => (self.float_constant(f64::from(set), to)?, self.float_constant(0.0, to)?),
                false => (self.int_constant(i64::from(set), to)?, self.int_constant(0, to)?),
            };
            return Ok(self.op(Op::Select, ty, &[value, set, clear]));
        }
        if to.elem().is_i1() && matches!(how, Cast::Signed | Cast::Unsigned) {
            // The last bit.
            let (one, zero) = (self.int_constant(1, from)?, self.int_constant(0, from)?);
            let bit = self.op(Op::BitwiseAnd, from_ty, &[value, one]);
            return Ok(self.op(Op::INotEqual, ty, &[bit, zero]));
        }
        let inst = match how {
            Cast::Signed => Op::SConvert,
            Cast::Unsigned => Op::UConvert,
            Cast::SignedToFloat => Op::ConvertSToF,
            Cast::UnsignedToFloat => Op::ConvertUToF,
            Cast::FloatToSigned => Op::ConvertFToS,
            Cast::FloatToUnsigned => Op::ConvertFToU,
            Cast::Float => Op::FConvert,
            Cast::Bits => Op::Bitcast,
        };
        Ok(self.op(inst, ty, &[value]))
    }

    /// The nearest integer towards zero that there is; 0 for what is no number.
    pub fn nearest(&mut self, (value, of): (Id, Type), to: Type, signed: bool) -> Result<Id, Diagnostic> {
        let (from, ty, bool) = (self.ty(of)?, self.ty(to)?, self.out.bool());
        let bits = to.scalar_bits().unwrap_or(64);
        let unsigned_most = if bits >= 64 { -1 } else { (1i64 << bits) - 1 };
        // The first float beyond, and the last one on the other side.
        let (high, low, least, most) = match signed {
            true => {
                let high = 2f64.powi(bits as i32 - 1);
                (high, -high, -1i64 << (bits - 1), !(-1i64 << (bits - 1)))
            }
            false => (2f64.powi(bits as i32), 0.0, 0, unsigned_most),
        };
        let (high, low) = (self.float_constant(high, of)?, self.float_constant(low, of)?);
        let (most, least) = (self.int_constant(most, to)?, self.int_constant(least, to)?);
        let under = self.op(Op::FOrdLessThan, bool, &[value, high]);
        let over = self.op(Op::FOrdGreaterThan, bool, &[value, low]);
        let inside = self.op(Op::LogicalAnd, bool, &[under, over]);
        let zero = self.out.null(from);
        let near = self.op(Op::Select, from, &[inside, value, zero]);
        let near = self.op(if signed { Op::ConvertFToS } else { Op::ConvertFToU }, ty, &[near]);
        let above = self.op(Op::FOrdGreaterThanEqual, bool, &[value, high]);
        let below = self.op(Op::FOrdLessThanEqual, bool, &[value, low]);
        let near = self.op(Op::Select, ty, &[above, most, near]);
        Ok(self.op(Op::Select, ty, &[below, least, near]))
    }
}

/// Whether GLSL.std.450 has a function of doubles.
fn has_doubles(def: &'static OpDef) -> bool {
    [math::Sqrt::DEF, math::Rsqrt::DEF].into_iter().any(|d| std::ptr::eq(d, def))
}

fn compare_ints(predicate: IntPredicate) -> Op {
    use IntPredicate as P;
    match predicate {
        P::Eq => Op::IEqual,
        P::Ne => Op::INotEqual,
        P::Slt => Op::SLessThan,
        P::Sle => Op::SLessThanEqual,
        P::Sgt => Op::SGreaterThan,
        P::Sge => Op::SGreaterThanEqual,
        P::Ult => Op::ULessThan,
        P::Ule => Op::ULessThanEqual,
        P::Ugt => Op::UGreaterThan,
        P::Uge => Op::UGreaterThanEqual,
    }
}
