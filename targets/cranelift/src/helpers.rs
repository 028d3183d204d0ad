//! Functions that compiled code calls: what is too long or too rare to be written out in place.
//!
//! A helper that can fail records a trap with the host and tells the caller, which returns at once; nothing unwinds through
//! compiled code.
//!
//! `unsafe`: they take raw addresses from compiled code, which passes what [`crate::context`] and [`crate::heap`] ask for.

use crate::context::{Host, ThreadCtx};
use crate::heap::{Desc, Tape};
use caustic_ir::attr::{round_to, sign_extend};
use caustic_ir::eval::{ScalarFn, ScalarTypes, Val, normalize};
use caustic_ir::{Attrs, FloatKind, Type};
use caustic_runtime::dispatch::out_of_range_message;
use caustic_runtime::{PrintArg, format_printf};
use cranelift_codegen::ir::{Type as ClifType, types::*};
use half::f16;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reference evaluation of one lane of an op.
pub struct ScalarCall {
    pub f: ScalarFn,
    pub operands: Vec<Type>,
    pub result: Type,
    pub attrs: Attrs,
}

impl ScalarCall {
    fn eval(&self, args: &[Val]) -> Val {
        let types = ScalarTypes { operands: &self.operands, result: self.result, attrs: &self.attrs };
        // A panic must not reach compiled code. It would be a defect in the op's row, which the interpreter shows as such.
        let value = catch_unwind(AssertUnwindSafe(|| normalize((self.f)(args, &types), self.result)));
        value.unwrap_or(Val::Int(0))
    }
}

/// A `printf`: the format and the kinds of its arguments.
pub struct PrintCall {
    pub format: String,
    /// Scalar type of each argument, vectors and matrices as their scalars.
    pub args: Vec<Type>,
}

/// Declares the helpers: what compiled code calls them, their parameters and result in machine types.
macro_rules! helpers {
    ( $( $name:ident = $f:ident ( $($p:ident),* ) $(-> $r:ident)? ; )* ) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Helper { $($name),* }
        impl Helper {
            pub const ALL: &'static [Helper] = &[$(Helper::$name),*];
            pub fn symbol(self) -> &'static str {
                match self { $(Helper::$name => concat!("caustic_", stringify!($f))),* }
            }
            pub fn address(self) -> *const u8 {
                match self { $(Helper::$name => $f as *const u8),* }
            }
            pub fn params(self) -> &'static [ClifType] {
                match self { $(Helper::$name => &[$($p),*]),* }
            }
            pub fn result(self) -> Option<ClifType> {
                match self { $(Helper::$name => helpers!(@result $($r)?)),* }
            }
        }
    };
    (@result) => { None };
    (@result $r:ident) => { Some($r) };
}

helpers! {
    RoundF16 = round_f16(F32) -> F32;
    NarrowF16 = narrow_f16(F64) -> F32;
    F16ToBits = f16_to_bits(F32) -> I32;
    F16FromBits = f16_from_bits(I32) -> F32;
    Fmod = fmod(F64, F64) -> F64;
    FmaF32 = fma_f32(F32, F32, F32) -> F32;
    FmaF64 = fma_f64(F64, F64, F64) -> F64;
    EvalUnary = eval_unary(I64, F64) -> F64;
    EvalBinary = eval_binary(I64, F64, F64) -> F64;
    EvalScalar = eval_scalar(I64, I64) -> I64;
    OutOfRange = out_of_range(I64, I64, I64, I32) -> I32;
    Fail = fail(I64, I32, I32) -> I32;
    Alloc = alloc(I64, I64, I32) -> I64;
    Free = free(I64, I64, I64);
    Release = release(I64, I64, I64);
    Clear = clear(I64, I64, I64);
    CopyValue = copy_value(I64, I64, I64, I64, I32) -> I32;
    CopyData = copy_data(I64, I64, I64);
    Grow = grow(I64, I64, I64, I64, I32) -> I64;
    Print = print(I64, I64, I64);
}

/// Why [`Helper::Fail`] is called.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Failure {
    Step,
    Depth,
}

unsafe fn host<'a>(ctx: *mut ThreadCtx) -> &'a mut Host {
    // SAFETY: compiled code passes on the context that it was called with, and one thread uses it.
    unsafe { &mut *(*ctx).host }
}

extern "C" fn round_f16(x: f32) -> f32 {
    f16::from_f32(x).to_f32()
}
extern "C" fn narrow_f16(x: f64) -> f32 {
    round_to(x, FloatKind::F16) as f32
}
extern "C" fn f16_to_bits(x: f32) -> u32 {
    f16::from_f32(x).to_bits() as u32
}
extern "C" fn f16_from_bits(bits: u32) -> f32 {
    f16::from_bits(bits as u16).to_f32()
}
extern "C" fn fmod(a: f64, b: f64) -> f64 {
    a % b
}
extern "C" fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}
extern "C" fn fma_f64(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// A function of one float to a float.
unsafe extern "C" fn eval_unary(call: *const ScalarCall, a: f64) -> f64 {
    unsafe { &*call }.eval(&[Val::Float(a)]).as_float()
}
unsafe extern "C" fn eval_binary(call: *const ScalarCall, a: f64, b: f64) -> f64 {
    unsafe { &*call }.eval(&[Val::Float(a), Val::Float(b)]).as_float()
}

/// Any scalar function: a word for each argument (integers extended to 64 bits, floats as f64 bits), a word back.
unsafe extern "C" fn eval_scalar(call: *const ScalarCall, words: *const u64) -> u64 {
    let call = unsafe { &*call };
    let args: Vec<Val> =
        call.operands.iter().enumerate().map(|(i, ty)| word_value(*ty, unsafe { *words.add(i) })).collect();
    match call.eval(&args) {
        Val::Float(v) => v.to_bits(),
        other => other.as_int() as u64,
    }
}

fn word_value(ty: Type, word: u64) -> Val {
    if ty.is_float() {
        Val::Float(f64::from_bits(word))
    } else {
        Val::Int(sign_extend(word as i64, ty.scalar_bits().unwrap_or(64)))
    }
}

/// A buffer access out of range; 1 if that is a trap.
unsafe extern "C" fn out_of_range(ctx: *mut ThreadCtx, global: u64, index: i64, site: u32) -> u32 {
    let host = unsafe { host(ctx) };
    if host.trap_oob {
        // SAFETY: compiled code numbers the resources by this table.
        let len = unsafe { (*(*ctx).globals.add(global as usize)).count };
        // SAFETY: the table outlives the run.
        let name = unsafe { &*host.globals }.get(global as usize).map_or("", |n| n.as_str());
        host.fail(site, out_of_range_message(name, index, len as usize));
    }
    host.trap_oob as u32
}

unsafe extern "C" fn fail(ctx: *mut ThreadCtx, failure: u32, site: u32) -> u32 {
    let message = if failure == Failure::Depth as u32 {
        "the calls are nested too deeply: the thread's stack is used up"
    } else {
        "scf.for: the step must be positive"
    };
    unsafe { host(ctx) }.fail(site, message);
    1
}

fn out_of_memory(host: &mut Host, site: u32) {
    let limit = host.heap.limit() >> 20;
    host.fail(site, format!("a thread needs more than the {limit} MiB of local storage that it may have"));
}

unsafe extern "C" fn alloc(ctx: *mut ThreadCtx, size: u64, site: u32) -> *mut u8 {
    let host = unsafe { host(ctx) };
    host.heap.alloc(size).unwrap_or_else(|| {
        out_of_memory(host, site);
        std::ptr::null_mut()
    })
}

unsafe extern "C" fn free(ctx: *mut ThreadCtx, at: *mut u8, size: u64) {
    unsafe { host(ctx) }.heap.free(at, size);
}

unsafe extern "C" fn release(ctx: *mut ThreadCtx, at: *mut u8, desc: *const Desc) {
    unsafe { host(ctx).heap.release(&*desc, at) }
}

unsafe extern "C" fn clear(ctx: *mut ThreadCtx, at: *mut u8, desc: *const Desc) {
    unsafe { host(ctx).heap.clear(&*desc, at) }
}

unsafe extern "C" fn copy_value(
    ctx: *mut ThreadCtx,
    to: *mut u8,
    from: *const u8,
    desc: *const Desc,
    site: u32,
) -> u32 {
    let host = unsafe { host(ctx) };
    let done = unsafe { host.heap.copy(&*desc, to, from) };
    if !done {
        out_of_memory(host, site);
    }
    !done as u32
}

/// Copies the byte ranges of a type that are not padding.
unsafe extern "C" fn copy_data(to: *mut u8, from: *const u8, ranges: *const Ranges) {
    unsafe { (*ranges).copy(to, from) }
}

/// Address of a tape's element, which exists afterwards; null if there is no memory for it.
unsafe extern "C" fn grow(ctx: *mut ThreadCtx, tape: *mut Tape, index: u64, desc: *const Desc, site: u32) -> *mut u8 {
    let host = unsafe { host(ctx) };
    let Desc::Tape { elem, elem_size } = (unsafe { &*desc }) else { return std::ptr::null_mut() };
    match unsafe { host.heap.grow(elem, *elem_size, tape, index) } {
        // An element of no bytes has no address either.
        Some(at) if at.is_null() => std::ptr::dangling_mut(),
        Some(at) => at,
        None => {
            out_of_memory(host, site);
            std::ptr::null_mut()
        }
    }
}

unsafe extern "C" fn print(ctx: *mut ThreadCtx, call: *const PrintCall, words: *const u64) {
    let (host, call) = unsafe { (host(ctx), &*call) };
    let args: Vec<PrintArg> = call
        .args
        .iter()
        .enumerate()
        .map(|(i, ty)| match word_value(*ty, unsafe { *words.add(i) }) {
            Val::Float(v) => PrintArg::Float(v),
            other => PrintArg::Int(other.as_int(), ty.scalar_bits().unwrap_or(64)),
        })
        .collect();
    if let Some(log) = unsafe { host.prints.as_ref() } {
        log.print(host.order, format_printf(&call.format, &args));
    }
}

/// The bytes of a type that are not padding, as runs.
pub struct Ranges {
    pub runs: Vec<Run>,
}

/// `count` runs of `len` bytes at `offset`, `offset + stride`, … , or of what `inner` says.
pub struct Run {
    pub offset: u64,
    pub count: u64,
    pub stride: u64,
    pub len: u64,
    pub inner: Option<Ranges>,
}

impl Ranges {
    /// # Safety
    /// Both are valid for the type and do not overlap.
    unsafe fn copy(&self, to: *mut u8, from: *const u8) {
        for run in &self.runs {
            for i in 0..run.count {
                let at = (run.offset + i * run.stride) as usize;
                unsafe {
                    match &run.inner {
                        Some(inner) => inner.copy(to.add(at), from.add(at)),
                        None => to.add(at).copy_from_nonoverlapping(from.add(at), run.len as usize),
                    }
                }
            }
        }
    }
}
