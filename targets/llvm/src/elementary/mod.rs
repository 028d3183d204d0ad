//! Functions of f32 on this machine, as code of our own.
//!
//! The same code is written for one thread and for several at once, so that a float has the same
//! bits however many threads run together. It computes in f64, by instructions that are rounded as
//! IEEE asks, fused multiply-adds among them; results are the correctly rounded ones but where the
//! exact one lies within a hundredth of an ulp of the middle between two floats. NaN, infinities
//! and zeros with their signs are as C has them. A function that is in [`build_of`] is here, all
//! others and those of f64 are the C library's. `caustic-bench --ulps` measures all arguments.
//!
//! Each function is a function of LLVM's, `caustic.NAME.xLANES`, made when it is first called. It
//! must not know what a thread is.

mod calc;
mod circular;
mod exponential;
mod inverse;
mod logarithm;

use crate::ir::{FloatCc, Function, IntCc, Ir, Opcode, Value};
use calc::Calc;
use caustic_dialects::math as m;
use caustic_native::Leaf;
use caustic_runtime::Floats;

/// Code of f64 for arguments that were f32.
type Build = fn(&mut Calc<'_>, &[Value]) -> Value;

/// How a function is written: for all arguments, or for those that are not far from zero, and for
/// those by themselves.
enum Code {
    All(Build),
    Near { near: Build, far: Build },
}

fn build_of(op: &str) -> Option<Code> {
    Some(Code::All(match op {
        m::Exp::NAME => exponential::exp,
        m::Exp2::NAME => exponential::exp2,
        m::ExpM1::NAME => exponential::expm1,
        m::Sinh::NAME => exponential::sinh,
        m::Cosh::NAME => exponential::cosh,
        m::Tanh::NAME => exponential::tanh,
        m::PowF::NAME => logarithm::pow,
        m::Log::NAME => logarithm::log,
        m::Log2::NAME => logarithm::log2,
        m::Log10::NAME => logarithm::log10,
        m::Log1p::NAME => logarithm::log1p,
        m::Asinh::NAME => logarithm::asinh,
        m::Acosh::NAME => logarithm::acosh,
        m::Atanh::NAME => logarithm::atanh,
        m::Cbrt::NAME => logarithm::cbrt,
        m::Asin::NAME => inverse::asin,
        m::Acos::NAME => inverse::acos,
        m::Atan::NAME => inverse::atan,
        m::Atan2::NAME => inverse::atan2,
        m::Sin::NAME => return Some(Code::Near { near: circular::sin, far: circular::sin_far }),
        m::Cos::NAME => return Some(Code::Near { near: circular::cos, far: circular::cos_far }),
        m::Tan::NAME => return Some(Code::Near { near: circular::tan, far: circular::tan_far }),
        _ => return None,
    }))
}

/// Whether the op of f32 is written here.
pub fn has(op: &str) -> bool {
    build_of(op).is_some()
}

/// The op on f32, of as many threads as the builder's scalars are of.
pub fn call(ir: &mut Ir, op: &str, args: &[Value]) -> Option<Value> {
    let (code, name) = (build_of(op)?, crate::math::function(op)?);
    let lanes = ir.width();
    let symbol = format!("caustic.{name}.x{lanes}");
    let f = match ir.declared(&symbol) {
        Some(f) => f,
        None => {
            let (here, floats) = (ir.here(), std::mem::replace(&mut ir.floats, Floats::Exact));
            let f = declare(ir, &symbol, args.len());
            match code {
                Code::All(build) => all(ir, f, args.len(), build),
                Code::Near { near, far } => parted(ir, f, near, far, &format!("caustic.{name}.far")),
            }
            ir.switch_to(here);
            ir.floats = floats;
            f
        }
    };
    Some(ir.call(f, args))
}

fn declare(ir: &mut Ir, symbol: &str, args: usize) -> Function {
    let float = ir.ty(Leaf::F32);
    let ty = ir.function_type(&vec![float; args], float, false);
    let f = ir.declare(symbol, ty);
    ir.internal(f);
    for attribute in ["nounwind", "willreturn", "nofree", "nosync", "nocallback"] {
        ir.attribute(f, -1, attribute, 0);
    }
    ir.attribute(f, -1, "memory", 0);
    f
}

/// The code of f64 between conversions.
fn computed(ir: &mut Ir, f: Function, args: usize, build: Build) -> Value {
    let (double, float) = (ir.ty(Leaf::F64), ir.ty(Leaf::F32));
    let args: Vec<Value> = (0..args)
        .map(|i| {
            let x = ir.param(f, i);
            ir.cast(Opcode::LLVMFPExt, x, double)
        })
        .collect();
    let value = build(&mut Calc { ir }, &args);
    ir.cast(Opcode::LLVMFPTrunc, value, float)
}

fn all(ir: &mut Ir, f: Function, args: usize, build: Build) {
    ir.attribute(f, -1, "alwaysinline", 0);
    let start = ir.block(f);
    ir.switch_to(start);
    let value = computed(ir, f, args, build);
    ir.ret(Some(value));
}

/// Arguments far from zero are so rare that they are computed for one thread after the other.
fn parted(ir: &mut Ir, f: Function, near: Build, far: Build, far_symbol: &str) {
    let lanes = ir.width();
    let slow = match ir.declared(far_symbol) {
        Some(slow) => slow,
        None => ir.wide(1, |ir| {
            let slow = declare(ir, far_symbol, 1);
            ir.attribute(slow, -1, "noinline", 0);
            ir.attribute(slow, -1, "cold", 0);
            let start = ir.block(slow);
            ir.switch_to(start);
            let value = computed(ir, slow, 1, far);
            ir.ret(Some(value));
            slow
        }),
    };
    ir.attribute(f, -1, "alwaysinline", 0);
    let (start, aside, join) = (ir.block(f), ir.block(f), ir.block(f));
    ir.mark_cold(aside);
    ir.switch_to(start);
    let value = computed(ir, f, 1, near);
    let x = ir.param(f, 0);
    let float = ir.ty(Leaf::F32);
    let size = ir.intrinsic("llvm.fabs", &[float], &[x]);
    let end = ir.float(Leaf::F32, circular::FAR);
    let is_far = ir.fcmp(FloatCc::LLVMRealUGE, size, end);
    let any = match lanes {
        1 => is_far,
        _ => {
            let bits = ir.bits(lanes);
            let mask = ir.cast(Opcode::LLVMBitCast, is_far, bits);
            let none = ir.constant_int(bits, 0);
            ir.icmp(IntCc::LLVMIntNE, mask, none)
        }
    };
    ir.branch(any, (aside, &[]), (join, &[]));
    ir.switch_to(aside);
    let other = match lanes {
        1 => ir.call(slow, &[x]),
        _ => (0..lanes).fold(value, |so_far, i| {
            let at = ir.wide(1, |ir| ir.int(Leaf::I64, i as i64));
            let one = ir.element(x, at);
            let one = ir.call(slow, &[one]);
            ir.with_element(so_far, one, at)
        }),
    };
    let other = ir.select(is_far, other, value);
    ir.jump(join, &[]);
    ir.switch_to(join);
    let value = ir.phi_here(float, &[(value, start), (other, aside)]);
    ir.ret(Some(value));
}
