//! Quotients of many dividends by one number whose reciprocal is asked for, too.
//!
//! A processor divides vectors as slowly as it does scalars, one division after the other, and two
//! in an iteration are most of what a short loop does. Of a number whose reciprocal is there a
//! quotient is a product and one correction (P. Markstein, "Computation of elementary functions on
//! the IBM RISC System/6000 processor", 1990): with y the reciprocal and q0 = a y, both rounded,
//! q0 + (a - q0 b) y is rounded to a / b where nothing overflows or vanishes on the way. (Of f32
//! all 180 million pairs of significands whose quotients lie within 31 / 2^25 parts of a unit in
//! the last place of where rounding changes were computed; others are further from there than the
//! error.) Which op that is for has been marked ([`arith::BY_RECIPROCAL`]): its dividend does not
//! change while a loop runs, so that its exponents are looked at before it.

use super::assembler::Wide;
use super::value::Val;
use crate::ir::{FloatCc, Opcode};
use caustic_codegen::{Assembler, Emit, Flat};
use caustic_dialects::arith;
use caustic_ir::{Diagnostic, OpId};
use caustic_native::Leaf;
use inkwell::targets::TargetMachine;
use std::sync::OnceLock;

/// Dividends and divisors between these, of either sign the first, keep all that comes of them in
/// range: a remainder is at least 2^-48 of the dividend.
const LEAST: f64 = 1.0 / (1u64 << 60) as f64;
const MOST: f64 = (1u64 << 60) as f64;

/// Whether this machine multiplies and adds with one rounding.
fn fuses() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        TargetMachine::get_host_cpu_features().to_str().is_ok_and(|f| f.split(',').any(|f| f == "+fma"))
    })
}

/// A marked quotient of dividends that differ by a number that is the same for all; false leaves
/// the op to the common code.
pub fn by_reciprocal<'m>(emit: &mut Emit<'m, Wide<'_, 'm>>, op: OpId) -> Result<bool, Diagnostic> {
    if emit.body.attr(op, arith::BY_RECIPROCAL).is_none() || !fuses() {
        return Ok(false);
    }
    let (a, b) = (emit.get1(emit.body.operand(op, 0))?, emit.get1(emit.body.operand(op, 1))?);
    let w = &mut emit.a;
    // Computed fast, a quotient is that product anyway.
    if !a.varying || b.varying || w.lane.is_some() || w.s.unit.ir.floats.is_fast() {
        return Ok(false);
    }
    let lanes = w.lanes;
    let (least, most) = (w.s.float(Leaf::F32, LEAST), w.s.float(Leaf::F32, MOST));
    let ir = &mut w.s.unit.ir;
    let above = ir.fcmp(FloatCc::LLVMRealOGE, b.v, least);
    let below = ir.fcmp(FloatCc::LLVMRealOLE, b.v, most);
    let fits = ir.binary(Opcode::LLVMAnd, above, below);
    let ty = w.wide_ty(Leaf::F32);
    let ir = &mut w.s.unit.ir;
    let (low, high) = (ir.splat(least, lanes), ir.splat(most, lanes));
    let size = ir.intrinsic("llvm.fabs", &[ty], &[a.v]);
    let above = ir.fcmp(FloatCc::LLVMRealOGE, size, low);
    let below = ir.fcmp(FloatCc::LLVMRealOLE, size, high);
    let all_fit = ir.binary(Opcode::LLVMAnd, above, below);
    let outside = w.not(all_fit);
    let outside = w.and_mask(outside);
    let outside = w.any(outside);
    let ir = &mut w.s.unit.ir;
    let yes = ir.int(Leaf::I1, 1);
    let inside = ir.binary(Opcode::LLVMXor, outside, yes);
    let fits = ir.binary(Opcode::LLVMAnd, fits, inside);

    let (short, long, done) = (w.block(), w.cold_block(), w.block());
    let ir = &mut w.s.unit.ir;
    let result = ir.phi(done, ty);
    ir.branch(fits, (short, &[]), (long, &[]));
    ir.switch_to(short);
    let one = ir.float(Leaf::F32, 1.0);
    let reciprocal = ir.binary(Opcode::LLVMFDiv, one, b.v);
    let (y, divisor) = (ir.splat(reciprocal, lanes), ir.splat(b.v, lanes));
    let about = ir.binary(Opcode::LLVMFMul, a.v, y);
    let minus = ir.fneg(about);
    let rest = ir.intrinsic("llvm.fma", &[ty], &[minus, divisor, a.v]);
    let quotient = ir.intrinsic("llvm.fma", &[ty], &[rest, y, about]);
    ir.jump(done, &[quotient]);
    ir.switch_to(long);
    let divisor = ir.splat(b.v, lanes);
    let quotient = ir.binary(Opcode::LLVMFDiv, a.v, divisor);
    ir.jump(done, &[quotient]);
    ir.switch_to(done);
    emit.set_result(op, Flat::from_slice(&[Val::varying(result)]));
    Ok(true)
}
