//! Functions that compiled code calls: what is too long or too rare to be written out in place.
//!
//! A helper that can fail records a trap with the host and tells the caller, which returns at once;
//! nothing unwinds through compiled code.
//!
//! `unsafe`: they take raw addresses from compiled code, which passes what [`crate::context`] and
//! [`crate::heap`] ask for.

use crate::context::{self, Host, ThreadCtx, WideWords, Words};
use crate::heap::{Desc, Tape};
use crate::wide_tapes::{Lanes, WideDesc};
use Word::{Addr, F32, F64, I32, I64};
use caustic_dialects::agg;
use caustic_dialects::combine::combine;
use caustic_dialects::simt::{ActiveLane, WaveOp};
use caustic_dialects::tex::TextureOp;
use caustic_ir::attr::{round_to, sign_extend};
use caustic_ir::eval::{InstanceStep, ScalarFn, ScalarTypes, Scope, Val, normalize};
use caustic_ir::texels::Sampler;
use caustic_ir::{Attrs, FloatKind, Loc, Type};
use caustic_runtime::dispatch::{STOPPED_MESSAGE, out_of_range_message};
use caustic_runtime::group::{WAVE_SIZE, divergent_message};
use caustic_runtime::{PrintArg, Texture, format_printf};
use half::f16;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

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
        // A panic must not reach compiled code. It would be a defect in the op's row, which the
        // interpreter shows as such.
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

/// A barrier or wave operation.
pub struct ConvergeCall {
    /// `None` is a barrier.
    pub wave: Option<WaveOp>,
    pub instance: i64,
    /// Of the operands and the results; vectors and matrices pass their scalars, a word each.
    pub operands: Vec<Type>,
    pub results: Vec<Type>,
    /// How many threads call it together.
    pub lanes: u32,
    pub loc: Loc,
}

/// An atomic update that the machine has no instruction for.
pub struct AtomicCall {
    pub kind: String,
    pub ty: Type,
}

/// An access to a texture.
pub struct TextureCall {
    pub op: TextureOp,
    /// Of the operands but texture and sampler, and of the result.
    pub operands: Vec<Type>,
    pub result: Option<Type>,
    pub loc: Loc,
}

/// What helpers take and return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    I32,
    I64,
    F32,
    F64,
    Addr,
}

/// Declares the helpers: what compiled code calls them, their parameters and result. Those that are
/// `rare` are called where a program goes wrong, memory grows or something is printed, and must not
/// slow down the code around them. They take the context first, and return an integer, an address
/// or nothing; a target may have that put into the context's `answer`.
macro_rules! helpers {
    ( $( $name:ident = $f:ident ( $($p:ident),* ) $(-> $r:ident)? $(, $rare:ident)? ; )* ) => {
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
            pub fn params(self) -> &'static [Word] {
                match self { $(Helper::$name => &[$($p),*]),* }
            }
            pub fn result(self) -> Option<Word> {
                match self { $(Helper::$name => helpers!(@result $($r)?)),* }
            }
            pub fn is_rare(self) -> bool {
                match self { $(Helper::$name => helpers!(@rare $($rare)?)),* }
            }
        }
    };
    (@result) => { None };
    (@result $r:ident) => { Some($r) };
    (@rare) => { false };
    (@rare rare) => { true };
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
    EvalScalar = eval_scalar(I64, Addr) -> I64;
    OutOfRange = out_of_range(Addr, I64, I64, I32) -> I32, rare;
    BadIndex = bad_index(Addr, I64, I64, I32) -> I32, rare;
    Fail = fail(Addr, I32, I32) -> I32, rare;
    Alloc = alloc(Addr, I64, I32) -> Addr;
    Free = free(Addr, Addr, I64);
    Release = release(Addr, Addr, I64);
    Clear = clear(Addr, Addr, I64);
    CopyValue = copy_value(Addr, Addr, Addr, I64, I32) -> I32;
    CopyData = copy_data(Addr, Addr, I64);
    Grow = grow(Addr, Addr, I64, I64, I32) -> Addr, rare;
    Reserve = reserve(Addr, Addr, I64, I64, I32) -> Addr;
    ReleaseWide = release_wide(Addr, Addr, I64, I64);
    ClearWide = clear_wide(Addr, Addr, I64, I64, I64);
    CopyWide = copy_wide(Addr, Addr, Addr, I64, I64, I64, I32) -> I32;
    GrowWide = grow_wide(Addr, Addr, I64, I64, I64, I64, I32) -> I32;
    ReserveWide = reserve_wide(Addr, Addr, I64, I64, I64, I64, I32) -> I32;
    Print = print(Addr, I64, Addr), rare;
    InstanceStep = instance_step(Addr, I32, I64);
    Converge = converge(Addr, I64, Addr, Addr) -> I32;
    ConvergeWide = converge_wide(Addr, I64, I64, I64, Addr, Addr) -> I32;
    Texture = texture(Addr, I64, Addr, Addr) -> I32;
    AtomicCombine = atomic_combine(I64, Addr, I64) -> I64;
}

/// Why [`Helper::Fail`] is called.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Failure {
    Step,
    Depth,
    Stopped,
    /// An access out of range, where no host is told which.
    Bounds,
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

/// Any scalar function: a word for each argument (integers extended to 64 bits, floats as f64
/// bits), a word back.
unsafe extern "C" fn eval_scalar(call: *const ScalarCall, words: *const u64) -> u64 {
    let call = unsafe { &*call };
    let args: Vec<Val> =
        call.operands.iter().enumerate().map(|(i, ty)| word_value(*ty, unsafe { *words.add(i) })).collect();
    value_word(&call.eval(&args))
}

fn word_value(ty: Type, word: u64) -> Val {
    if ty.is_float() {
        Val::Float(f64::from_bits(word))
    } else {
        Val::Int(sign_extend(word as i64, ty.scalar_bits().unwrap_or(64)))
    }
}

/// An access to a resource that a check found out of range.
unsafe extern "C" fn out_of_range(ctx: *mut ThreadCtx, global: u64, index: i64, site: u32) -> u32 {
    let host = unsafe { host(ctx) };
    // SAFETY: compiled code numbers the resources by this table.
    let entry = unsafe { &*(*ctx).globals.add(global as usize) };
    let (len, size) = (entry.len as usize, entry.step as usize);
    // SAFETY: the table outlives the run.
    let name = unsafe { &*host.globals }.get(global as usize).map_or("", |n| n.as_str());
    let loc = host.site(site);
    unsafe { context::fail(ctx, loc, out_of_range_message(name, index, len, size)) };
    1
}

/// An index that a check found out of range.
unsafe extern "C" fn bad_index(ctx: *mut ThreadCtx, index: i64, count: i64, site: u32) -> u32 {
    unsafe { context::fail(ctx, host(ctx).site(site), agg::index_message(index, count)) };
    1
}

unsafe extern "C" fn fail(ctx: *mut ThreadCtx, failure: u32, site: u32) -> u32 {
    let message = match failure {
        f if f == Failure::Depth as u32 => "the calls are nested too deeply: the thread's stack is used up",
        f if f == Failure::Stopped as u32 => STOPPED_MESSAGE,
        f if f == Failure::Bounds as u32 => "an index is out of range",
        _ => "scf.for: the step must be positive",
    };
    unsafe { context::fail(ctx, host(ctx).site(site), message) };
    1
}

unsafe fn out_of_memory(ctx: *mut ThreadCtx, site: u32) {
    let host = unsafe { host(ctx) };
    let (limit, loc) = (host.heap.limit() >> 20, host.site(site));
    let message = match host.together {
        1 => format!("a thread needs more than the {limit} MiB of local storage that it may have"),
        n => {
            format!("{n} threads that run together need more than the {limit} MiB of local storage that they may have")
        }
    };
    unsafe { context::fail(ctx, loc, message) };
}

unsafe extern "C" fn alloc(ctx: *mut ThreadCtx, size: u64, site: u32) -> *mut u8 {
    let block = unsafe { host(ctx) }.heap.alloc(size);
    block.unwrap_or_else(|| {
        unsafe { out_of_memory(ctx, site) };
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
    let done = unsafe { host(ctx).heap.copy(&*desc, to, from) };
    if !done {
        unsafe { out_of_memory(ctx, site) };
    }
    !done as u32
}

/// Copies the byte ranges of a type that are not padding.
unsafe extern "C" fn copy_data(to: *mut u8, from: *const u8, ranges: *const Ranges) {
    unsafe { (*ranges).copy(to, from) }
}

/// Address of a tape's element, which exists afterwards; null if there is no memory for it.
unsafe extern "C" fn grow(ctx: *mut ThreadCtx, tape: *mut Tape, index: u64, desc: *const Desc, site: u32) -> *mut u8 {
    let Desc::Tape { elem, elem_size } = (unsafe { &*desc }) else { return std::ptr::null_mut() };
    match unsafe { host(ctx).heap.grow(elem, *elem_size, tape, index) } {
        // An element of no bytes has no address either.
        Some(at) if at.is_null() => std::ptr::dangling_mut(),
        Some(at) => at,
        None => {
            unsafe { out_of_memory(ctx, site) };
            std::ptr::null_mut()
        }
    }
}

/// Address of a tape's elements, of which there are so many plain ones afterwards; null if there is
/// no memory for them.
unsafe extern "C" fn reserve(
    ctx: *mut ThreadCtx,
    tape: *mut Tape,
    count: u64,
    desc: *const Desc,
    site: u32,
) -> *mut u8 {
    let Desc::Tape { elem_size, .. } = (unsafe { &*desc }) else { return std::ptr::null_mut() };
    match unsafe { host(ctx).heap.reserve(*elem_size, tape, count) } {
        Some(at) if at.is_null() => std::ptr::dangling_mut(),
        Some(at) => at,
        None => {
            unsafe { out_of_memory(ctx, site) };
            std::ptr::null_mut()
        }
    }
}

unsafe extern "C" fn release_wide(ctx: *mut ThreadCtx, at: *mut u8, desc: *const WideDesc, lanes: u64) {
    unsafe { host(ctx).heap.release_wide(&*desc, at, lanes) }
}

unsafe extern "C" fn clear_wide(ctx: *mut ThreadCtx, at: *mut u8, desc: *const WideDesc, who: u64, lanes: u64) {
    unsafe { host(ctx).heap.clear_wide(&*desc, at, Lanes { who, lanes }) }
}

unsafe extern "C" fn copy_wide(
    ctx: *mut ThreadCtx,
    to: *mut u8,
    from: *const u8,
    desc: *const WideDesc,
    who: u64,
    lanes: u64,
    site: u32,
) -> u32 {
    let done = unsafe { host(ctx).heap.copy_wide(&*desc, to, from, Lanes { who, lanes }) };
    if !done {
        unsafe { out_of_memory(ctx, site) };
    }
    !done as u32
}

/// Makes a tape's element exist for some of the threads; 1 if there is no memory for it.
unsafe extern "C" fn grow_wide(
    ctx: *mut ThreadCtx,
    tape: *mut u8,
    index: u64,
    desc: *const WideDesc,
    who: u64,
    lanes: u64,
    site: u32,
) -> u32 {
    let WideDesc::Tape { elem, elem_size } = (unsafe { &*desc }) else { return 0 };
    let done = unsafe { host(ctx).heap.grow_wide(elem, *elem_size, tape, index, Lanes { who, lanes }) };
    if !done {
        unsafe { out_of_memory(ctx, site) };
    }
    !done as u32
}

/// Makes the tapes of some of the threads so long; 1 if there is no memory for it.
unsafe extern "C" fn reserve_wide(
    ctx: *mut ThreadCtx,
    tape: *mut u8,
    count: u64,
    desc: *const WideDesc,
    who: u64,
    lanes: u64,
    site: u32,
) -> u32 {
    let WideDesc::Tape { elem_size, .. } = (unsafe { &*desc }) else { return 0 };
    let done = unsafe { host(ctx).heap.reserve_wide(*elem_size, tape, count, Lanes { who, lanes }) };
    if !done {
        unsafe { out_of_memory(ctx, site) };
    }
    !done as u32
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
        // A thread that has trapped prints nothing any more, though it may go on beside others.
        let caller = unsafe { (*ctx).caller };
        if host.trap.is_none() || caller < host.trap_of {
            log.print(host.order + caller, format_printf(&call.format, &args));
        }
    }
}

unsafe extern "C" fn instance_step(ctx: *mut ThreadCtx, step: u32, number: i64) {
    unsafe { host(ctx) }.instance.step(match step {
        0 => InstanceStep::Enter(number),
        1 => InstanceStep::Next,
        _ => InstanceStep::Leave,
    });
}

/// Waits for other threads and works out what they give this one; 1 if the thread must stop.
unsafe extern "C" fn converge(ctx: *mut ThreadCtx, call: *const ConvergeCall, words: *const u64, out: *mut u64) -> u32 {
    let (host, call) = unsafe { (host(ctx), &*call) };
    // SAFETY: set by the kernel that runs this thread, for as long as it runs.
    let Some(rendezvous) = (unsafe { host.rendezvous.as_ref() }) else {
        let text = "only the threads of a kernel can wait for each other or exchange values";
        unsafe { context::fail(ctx, call.loc, text) };
        return 1;
    };
    let count: usize = call.operands.iter().map(|ty| ty.num_elements()).sum();
    let brought: Words = (0..count).map(|i| unsafe { *words.add(i) }).collect();
    let scope = if call.wave.is_some() { Scope::Wave } else { Scope::Group };
    let Some(lanes) = rendezvous.wait(scope, host.instance.at(call.instance), brought, call.loc) else { return 1 };
    let Some(wave) = &call.wave else { return 0 };
    let lanes: Vec<ActiveLane> = lanes.iter().map(|(lane, words)| (*lane, values(&call.operands, words))).collect();
    let me = unsafe { (*ctx).lane_id } as u32;
    // A panic must not reach compiled code; see `ScalarCall::eval`.
    let results = catch_unwind(AssertUnwindSafe(|| wave.eval(&lanes, me))).unwrap_or_default();
    unsafe { write_words(&call.results, &results, out) };
    0
}

/// [`converge`] for threads that run together, of which those whose bits are set in `who` are here;
/// `first` is the number of the first of them within the group. `words` and `out` hold each scalar
/// for all of them, side by side. 1 if they must stop.
unsafe extern "C" fn converge_wide(
    ctx: *mut ThreadCtx,
    call: *const ConvergeCall,
    first: u64,
    who: u64,
    words: *const u64,
    out: *mut u64,
) -> u32 {
    let (host, call) = unsafe { (host(ctx), &*call) };
    // Who has trapped waits for nobody.
    if host.trap.is_some() {
        return 1;
    }
    let (lanes, who) = (call.lanes as usize, who as u32);
    let count = call.operands.iter().map(|ty| ty.num_elements()).sum::<usize>() * lanes;
    let words = (0..count).map(|i| unsafe { *words.add(i) }).collect();
    let brought = WideWords { who, words };
    let scope = if call.wave.is_some() { Scope::Wave } else { Scope::Group };
    // SAFETY: set by the kernel that runs these threads, for as long as they run.
    let gathered = match unsafe { host.wide_rendezvous.as_ref() } {
        Some(meet) => match meet.wait_together(scope, host.instance.at(call.instance), who, brought, call.loc) {
            Some(gathered) => gathered,
            None => return 1,
        },
        // The group has no others.
        None if call.wave.is_some() => Arc::new(vec![(0, brought)]),
        None => {
            let threads = unsafe { (*ctx).block_dim }.iter().product::<i64>() as u64;
            if u64::from(who.count_ones()) == threads {
                return 0;
            }
            unsafe {
                (*ctx).caller = first + u64::from(who.trailing_zeros());
                context::fail(ctx, call.loc, divergent_message(who.count_ones(), threads));
            }
            return 1;
        }
    };
    let Some(wave) = &call.wave else { return 0 };
    let mut active: Vec<ActiveLane> = Vec::with_capacity(WAVE_SIZE as usize);
    for (start, brought) in gathered.iter() {
        for lane in (0..lanes).filter(|lane| brought.who & 1 << lane != 0) {
            let own: Vec<u64> = brought.words.iter().skip(lane).step_by(lanes).copied().collect();
            active.push((start + lane as u32, values(&call.operands, &own)));
        }
    }
    let scalars = call.results.iter().map(|ty| ty.num_elements()).sum();
    let mut own = vec![0u64; scalars];
    for (i, lane) in (0..lanes).filter(|lane| who & 1 << lane != 0).enumerate() {
        if i == 0 || !wave.gives_all_alike() {
            let me = (first as usize + lane) as u32 % WAVE_SIZE;
            // A panic must not reach compiled code; see `ScalarCall::eval`.
            let results = catch_unwind(AssertUnwindSafe(|| wave.eval(&active, me))).unwrap_or_default();
            unsafe { write_words(&call.results, &results, own.as_mut_ptr()) };
        }
        for (i, word) in own.iter().enumerate() {
            unsafe { *out.add(i * lanes + lane) = *word };
        }
    }
    0
}

/// The scalars of values, a word each.
unsafe fn write_words(types: &[Type], values: &[Val], out: *mut u64) {
    let mut next = 0;
    for (ty, value) in types.iter().zip(values) {
        let scalars = if ty.is_vector() { value.parts() } else { std::slice::from_ref(value) };
        for scalar in scalars {
            unsafe { *out.add(next) = value_word(scalar) };
            next += 1;
        }
    }
}

/// An access to a texture: `words` are the addresses of texture and sampler and the scalars of the
/// other operands; 1 if it is a trap.
unsafe extern "C" fn texture(ctx: *mut ThreadCtx, call: *const TextureCall, words: *const u64, out: *mut u64) -> u32 {
    let call = unsafe { &*call };
    // SAFETY: what the kernel has put in for resources of these types; null where nothing is bound.
    let (texels, sampler) =
        unsafe { ((*words as *const Texture).as_ref(), (*words.add(1) as *const Sampler).as_ref()) };
    let bound = texels.filter(|_| sampler.is_some() || !call.op.samples);
    let Some(texels) = bound else {
        unsafe { context::fail(ctx, call.loc, "the value is not a texture that is bound") };
        return 1;
    };
    let count: usize = call.operands.iter().map(|ty| ty.num_elements()).sum();
    let brought: Vec<u64> = (0..count).map(|i| unsafe { *words.add(2 + i) }).collect();
    let args = values(&call.operands, &brought);
    let sampler = sampler.copied().unwrap_or_default();
    // A panic must not reach compiled code; see `ScalarCall::eval`.
    let result = catch_unwind(AssertUnwindSafe(|| call.op.eval(texels, sampler, &args))).ok().flatten();
    if let (Some(ty), Some(value)) = (call.result, result) {
        unsafe { write_words(&[ty], &[value], out) };
    }
    0
}

/// Values of these types from their scalars.
fn values(types: &[Type], words: &[u64]) -> Vec<Val> {
    let mut words = words.iter().copied();
    let value = |ty: &Type| {
        let mut scalars = words.by_ref().take(ty.num_elements()).map(|w| word_value(ty.elem(), w));
        if ty.is_vector() { Val::agg(scalars.collect()) } else { scalars.next().unwrap_or(Val::Int(0)) }
    };
    types.iter().map(value).collect()
}

fn value_word(value: &Val) -> u64 {
    match value {
        Val::Float(v) => v.to_bits(),
        other => other.as_int() as u64,
    }
}

/// Combines the number at `at` with `word` (see [`word_value`]) so that no other thread comes
/// between; the bits before.
unsafe extern "C" fn atomic_combine(call: *const AtomicCall, at: *mut u8, word: u64) -> u64 {
    let call = unsafe { &*call };
    let ty = call.ty;
    let new = word_value(ty, word);
    let next = |bits: u64| {
        let old = match ty.float_kind() {
            Some(FloatKind::F16) => Val::Float(f16::from_bits(bits as u16).to_f64()),
            Some(FloatKind::F32) => Val::Float(f32::from_bits(bits as u32) as f64),
            _ => word_value(ty, bits),
        };
        // A panic must not reach compiled code; see `ScalarCall::eval`.
        let combined = catch_unwind(AssertUnwindSafe(|| combine(&call.kind, ty, &old, &new)));
        match (combined.ok().flatten(), ty.float_kind()) {
            (None, _) => bits,
            (Some(v), Some(FloatKind::F16)) => f16::from_f64(v.as_float()).to_bits() as u64,
            (Some(v), Some(FloatKind::F32)) => (v.as_float() as f32).to_bits() as u64,
            (Some(v), _) => value_word(&v),
        }
    };
    macro_rules! update {
        ($cell:ty, $word:ty) => {{
            // SAFETY: compiled code has found the number in range and aligned to its size; all who
            // share it use atomics.
            let cell = unsafe { <$cell>::from_ptr(at.cast()) };
            let old = cell.fetch_update(Relaxed, Relaxed, |bits| Some(next(bits as u64) as $word));
            old.unwrap_or_else(|bits| bits) as u64
        }};
    }
    match ty.scalar_bits() {
        Some(8) => update!(AtomicU8, u8),
        Some(16) => update!(AtomicU16, u16),
        Some(32) => update!(AtomicU32, u32),
        _ => update!(AtomicU64, u64),
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
