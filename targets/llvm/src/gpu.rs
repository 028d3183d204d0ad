//! LLVM for NVIDIA's processors: a kernel as PTX.
//!
//! A kernel's parameters are those of the program in order of declaration: of a buffer the address
//! of its first element (a multiple of 16) and the number of elements, of a uniform its contents,
//! by value. They are put into a [`ThreadCtx`] of the thread's own, as a host would make one; once
//! everything is inlined nothing of it is left but the parameters that are used.

use crate::assembler::{Llvm, Machine, Unit};
use crate::debug::Lines;
use crate::ir::{Function, IntCc, Ir, Opcode, Ty, Value};
use crate::transpose::Exchange;
use crate::{
    approximate, budget, conditions, converge, counters, moves, names, narrow, optimize, sink, splice, texels,
};
use caustic_codegen::Emit;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::ParamKind;
use caustic_dialects::simt;
use caustic_dialects::tex::TextureOp;
use caustic_dialects::{agg, func, gpu};
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name, OpId, SymbolOp, Type};
use caustic_native::calls::{reachable, resources};
use caustic_native::{Failure, Global, Leaf, ThreadCtx};
use caustic_runtime::texture::{SAMPLER_BYTES, TEXTURE_BYTES};
use caustic_runtime::{Floats, KernelInterface, KernelParam};
use inkwell::context::Context;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct PtxOptions {
    /// As in [`crate::Options`].
    pub cancel: CancelToken,
    /// `sm_70` and up.
    pub arch: String,
    /// Functions of floats come from this file of LLVM bitcode, in the way of CUDA's libdevice;
    /// else from libclc's.
    pub libdevice: Option<PathBuf>,
    /// `Fast` takes the machine's approximate instructions.
    pub floats: Floats,
    /// Whether the text names the source line of each instruction.
    pub lines: bool,
}

impl Default for PtxOptions {
    fn default() -> PtxOptions {
        PtxOptions {
            cancel: CancelToken::new(),
            arch: "sm_80".into(),
            libdevice: None,
            floats: Floats::Exact,
            lines: false,
        }
    }
}

/// A kernel as text for the driver, and what its launcher has to know.
pub struct Ptx {
    pub text: String,
    /// As the passes for GPUs left it.
    pub interface: KernelInterface,
    pub params: Vec<PtxParam>,
    /// Bytes that the threads of a group share.
    pub shared_bytes: u64,
    /// What it took to make LLVM's module, to optimize it, and to make the text.
    pub times: [Duration; 3],
}

/// A parameter in the kernel's list: of a buffer 16 bytes, address and count, and 8 more for a
/// counter; of a uniform its contents; of a texture its description, of a sampler its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxParam {
    pub name: Name,
    pub offset: u64,
    pub size: u64,
    /// Whether the address of the buffer's hidden counter follows.
    pub counter: bool,
}

impl Ptx {
    /// What a launcher has to know, as JSON: the program's parameters, and where each is in the
    /// kernel's list.
    pub fn description(&self) -> String {
        let mut out = self.interface.to_json();
        let end = out.trim_end().len() - 1;
        out.truncate(end);
        out.truncate(out.trim_end().len());
        let places: Vec<String> = self.params.iter().map(|p| format!("[{}, {}]", p.offset, p.size)).collect();
        let counters: Vec<String> = self.params.iter().map(|p| p.counter.to_string()).collect();
        let _ = write!(
            out,
            ",\n  \"arguments\": [{}],\n  \"counters\": [{}],\n  \"shared_bytes\": {}\n}}\n",
            places.join(", "),
            counters.join(", "),
            self.shared_bytes
        );
        out
    }
}

/// NVIDIA's machine.
pub struct Gpu;

impl Machine for Gpu {
    const HOSTED: bool = false;
    const ORDERS_ZEROS: bool = true;
    const ADDS_TO_ADDRESSES: bool = true;
    const ROOTS: bool = true;

    fn math(ir: &mut Ir, name: &'static str, leaf: Leaf, args: &[Value]) -> Option<Value> {
        let name = crate::math::function(name)?;
        let ty = ir.ty(leaf);
        let ty = ir.function_type(&vec![ty; args.len()], ty, false);
        // Which library's it is, is decided once the module is done.
        let call = |ir: &mut Ir, name: &str, args: &[Value]| {
            let f = ir.declare(&crate::math::placeholder(name, leaf), ty);
            ir.call(f, args)
        };
        if let (Leaf::F32, "pow", &[x, y]) = (leaf, name, args) {
            let of_size = |ir: &mut Ir| {
                let size = ir.intrinsic("llvm.fabs", &[ir.ty(leaf)], &[x]);
                call(ir, crate::math::POWER_OF_SIZE, &[size, y])
            };
            if let Some(power) = crate::math::constant_power(ir, x, y, of_size) {
                return Some(power);
            }
        }
        Some(call(ir, name, args))
    }

    fn round_to_f16(ir: &mut Ir, value: Value) -> Value {
        let half = ir.ty(Leaf::F16);
        ir.cast(Opcode::LLVMFPTrunc, value, half)
    }

    fn fail(ir: &mut Ir, _: Value, _: Failure, _: u32) {
        ir.intrinsic("llvm.trap", &[], &[]);
    }

    fn align(leaf: Leaf) -> u32 {
        leaf.size() as u32
    }

    fn special<'m>(emit: &mut Emit<'m, Llvm<'_, 'm, Self>>, op: OpId) -> Result<bool, Diagnostic> {
        use simt::ConvergeView as V;
        match V::of(emit.body, op) {
            Some(V::Fence(_)) => {
                emit.a.unit.ir.intrinsic("llvm.nvvm.membar.gl", &[], &[]);
                return Ok(true);
            }
            // The hardware knows by itself which threads are together.
            Some(V::InstanceBegin(_) | V::InstanceNext(_) | V::InstanceEnd(_)) => return Ok(true),
            None => {}
        }
        if TextureOp::of(emit.body, op).is_some() {
            return texels::access(emit, op);
        }
        if gpu::Printf::is(emit.body, op) {
            return converge::printf(emit, op).map(|()| true);
        }
        if simt::converges(emit.body.op(op).def) {
            return converge::converge(emit, op).map(|()| true);
        }
        Ok(false)
    }

    fn attributes(ir: &Ir, f: Function) {
        ir.attribute(f, -1, "nounwind", 0);
    }
}

/// The first architecture on which one instruction combines the integers of a wave.
const REDUX: u32 = 80;

/// Compiles the entry point of `interface` and whatever it calls.
pub fn compile_ptx(module: &Module, interface: &KernelInterface, options: &PtxOptions) -> Result<Ptx, Diagnostic> {
    let start = Instant::now();
    let machine = optimize::nvptx_machine(&options.arch)?;
    let own = interface.with_groups_of(module).map_err(|e| Diagnostic::internal(Loc::unknown(), e.to_string()))?;
    let interface = &own;
    let name = names::in_ptx(&interface.entry, module.get(interface.entry).map_or(Loc::unknown(), |s| s.loc))?;
    let context = Context::create();
    let llvm = context.create_module("caustic");
    llvm.set_triple(&machine.get_triple());
    llvm.set_data_layout(&machine.get_target_data().get_data_layout());
    // SAFETY: both outlive the unit, which ends below.
    let ir = unsafe { Ir::new(context.raw(), llvm.as_mut_ptr()) };
    let mut unit = Unit::new(module, ir, false, options.cancel.clone());
    unit.ir.floats = options.floats;
    let loc = module.get(interface.entry).map_or(Loc::unknown(), |s| s.loc);
    if options.lines {
        unit.ir.keep_lines(Lines::Directives, loc);
    }
    // Letters behind the number are features, as in `sm_90a`.
    let number = options.arch.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic).parse::<u32>();
    unit.ir.redux = number.as_ref().is_ok_and(|&n| n >= REDUX);
    let (order, cyclic) = reachable(module, &[interface.entry]);
    let bodies = order.iter().filter_map(|&name| module.get(name)).map(|s| &s.body);
    unit.ir.exchange = Exchange::of(bodies, interface.numthreads.iter().map(|&n| u64::from(n)).product());
    let waiting = waiting(module, &order);
    unit.name_resources(resources(module, &order).into_iter())?;
    for &name in &order {
        unit.build::<Gpu>(name, false)?;
        let function = unit.callee::<Gpu>(name, Loc::unknown())?.function;
        if waiting.contains(&name) {
            // Which threads call it together must not change.
            unit.ir.attribute(function, -1, "convergent", 0);
        }
        let kept = module.get(name).is_some_and(|s| s.attr(func::NO_INLINE).is_some());
        if !cyclic.contains(&name) {
            unit.ir.attribute(function, -1, if kept { "noinline" } else { "alwaysinline" }, 0);
        }
    }
    // Lines stand in the functions that they are of, and a function that calls itself, or is kept,
    // is one.
    let kept = module.get(interface.entry).is_some_and(|s| s.attr(func::NO_INLINE).is_some());
    let moves = !options.lines && !kept && !cyclic.contains(&interface.entry);
    let (params, shared_bytes) = kernel(&mut unit, interface, &name, &counted(module, &order), moves, loc)?;
    let shared_bytes = shared_bytes + unit.ir.exchange.bytes();
    drop(unit);
    texels::link(&context, &llvm)?;
    let mut bodies = order.iter().filter_map(|&name| module.get(name)).map(|s| &s.body);
    let machine_tanh = options.floats.is_fast()
        && number.is_ok_and(|n| n >= approximate::MACHINE_TANH.1)
        && !bodies.any(crate::math::subtracts_squares);
    crate::math::link(&context, &llvm, options, machine_tanh).map_err(|e| Diagnostic { loc, ..e })?;
    let made = start.elapsed();
    options.cancel.check()?;
    optimize::run_for_gpu(&llvm, &machine, &name)?;
    options.cancel.check()?;
    approximate::lower(&context, &llvm, &machine, &name, options.floats.is_fast())?;
    conditions::compare_each(&llvm);
    narrow::run(&context, &llvm)?;
    moves::run(&context, &llvm)?;
    sink::run(&llvm);
    optimize::sweep_for_gpu(&llvm, &machine)?;
    counters::run(&llvm);
    conditions::keep_whole(&llvm);
    budget::run(&context, &llvm, &name, interface.numthreads);
    let optimized = start.elapsed();
    options.cancel.check()?;
    let text = optimize::assembly(&llvm, &machine)?;
    let times = [made, optimized - made, start.elapsed() - optimized];
    // Who launches it finds it by its name there.
    let interface = KernelInterface { entry: Name::new(&name), ..own };
    Ok(Ptx { text, interface, params, shared_bytes, times })
}

/// The functions, of those of a kernel, in which threads wait for each other.
fn waiting(module: &Module, functions: &[Name]) -> FxHashSet<Name> {
    let waits = |symbol: &&SymbolOp| symbol.body.all_ops().any(|op| simt::converges(symbol.body.op(op).def));
    let waiting = functions.iter().filter_map(|&f| module.get(f)).filter(waits).map(|s| s.name);
    CallGraph::of_calls(module).reaching(waiting)
}

/// The buffers whose hidden counters are used; where it cannot be told which of an array, all of
/// it, and where one is chosen while the kernel runs, all of its type.
pub(crate) fn counted(module: &Module, functions: &[Name]) -> FxHashSet<Name> {
    let bodies = || functions.iter().filter_map(|&f| module.get(f)).map(|symbol| &symbol.body);
    let mut found = FxHashSet::default();
    let mut chosen: Vec<Type> = Vec::new();
    for body in bodies() {
        for op in body.walk_all().into_iter().filter(|&op| agg::BufferCount::is(body, op)) {
            let Some(&buffer) = body.operands(op).first() else { continue };
            match body.def_op(buffer).and_then(|b| agg::resource_name(body, b)) {
                Some(name) => _ = found.insert(name),
                None => chosen.push(body.ty(buffer)),
            }
        }
    }
    for body in bodies().filter(|_| !chosen.is_empty()) {
        let of_type = |&op: &OpId| body.results(op).iter().any(|&r| chosen.contains(&body.ty(r)));
        found.extend(body.all_ops().filter(of_type).filter_map(|op| agg::resource_name(body, op)));
    }
    found
}

/// The ids of a thread, as the machine's registers and the fields of the context.
const IDS: [(&str, usize, i64); 4] = [
    ("tid", offset_of!(ThreadCtx, thread_id), 1 << 10),
    ("ctaid", offset_of!(ThreadCtx, block_id), 1 << 31),
    ("ntid", offset_of!(ThreadCtx, block_dim), (1 << 10) + 1),
    ("nctaid", offset_of!(ThreadCtx, grid_dim), 1 << 31),
];

/// A register of 32 bits.
fn half_id(ir: &mut Ir, register: &str, bound: i64) -> Value {
    let value = ir.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{register}"), &[], &[]);
    ir.range(value, 0, bound);
    value
}

fn id(ir: &mut Ir, register: &str, bound: i64) -> Value {
    let (value, word) = (half_id(ir, register, bound), ir.ty(Leaf::I64));
    ir.cast(Opcode::LLVMZExt, value, word)
}

/// The number of a buffer's elements: less than 2^32, as the launcher sees to, so that indices of
/// 32 bits are compared as such.
fn element_count(ir: &mut Ir, f: Function, param: usize) -> Value {
    let (half, word) = (ir.ty(Leaf::I32), ir.ty(Leaf::I64));
    let count = ir.param(f, param);
    let low = ir.cast(Opcode::LLVMTrunc, count, half);
    ir.cast(Opcode::LLVMZExt, low, word)
}

/// How the launcher gives each parameter.
fn kernel_params(interface: &KernelInterface, counted: &FxHashSet<Name>) -> Vec<PtxParam> {
    let mut params: Vec<PtxParam> = Vec::new();
    let mut end = 0u64;
    for param in &interface.params {
        let counter = counted.contains(&param.symbol);
        let (size, align) = match param.kind {
            // LLVM aligns what is given by value to 8 at least.
            ParamKind::Uniform => (param.layout.size.max(1), param.layout.align.max(8)),
            _ if param.is_texture() => (TEXTURE_BYTES, 8),
            _ if param.is_sampler() => (SAMPLER_BYTES, 8),
            _ if param.is_buffer() => (if counter { 24 } else { 16 }, 8),
            _ => (0, 1),
        };
        let offset = end.next_multiple_of(align);
        params.push(PtxParam { name: param.name, offset, size, counter });
        end = offset + size;
    }
    params
}

/// The types of the kernel's arguments, and which is the first of each parameter.
fn arguments(ir: &Ir, interface: &KernelInterface, params: &[PtxParam]) -> (Vec<Ty>, Vec<usize>) {
    let (word, pointer, global_pointer) = (ir.ty(Leaf::I64), ir.ty(Leaf::Addr), ir.pointer(1));
    let mut types = Vec::new();
    let mut first_of: Vec<usize> = Vec::new();
    for (param, place) in interface.params.iter().zip(params) {
        first_of.push(types.len());
        match param.kind {
            kind if is_by_value(kind) => types.push(pointer),
            _ if !param.is_buffer() => {}
            _ if place.counter => types.extend([global_pointer, word, global_pointer]),
            _ => types.extend([global_pointer, word]),
        }
    }
    (types, first_of)
}

/// The kernel: its parameters as a context, then the entry point, as a call or (`moves`) its code.
fn kernel(
    unit: &mut Unit<'_>,
    interface: &KernelInterface,
    name: &str,
    counted: &FxHashSet<Name>,
    moves: bool,
    loc: Loc,
) -> Result<(Vec<PtxParam>, u64), Diagnostic> {
    let params = kernel_params(interface, counted);
    let callee = unit.callee::<Gpu>(interface.entry, Loc::unknown())?;
    let entries = unit.tables.global_entries.clone();
    let ir = &mut unit.ir;
    let (types, first_of) = arguments(ir, interface, &params);
    let ty = ir.function_type(&types, ir.void(), false);
    let f = ir.declare(name, ty);
    ir.kernel(f);
    ir.describe(f, &interface.entry, loc);
    // Also of what is never read: the places of those behind it in the list are told to hosts.
    for ((param, given), &first) in interface.params.iter().zip(&params).zip(&first_of) {
        if is_by_value(param.kind) {
            ir.by_value(f, first, given.size, param.layout.align.max(1));
        }
    }
    let block = ir.block(f);
    ir.switch_to(block);

    let context = ir.alloca(f, size_of::<ThreadCtx>() as u64, 8);
    let table = ir.alloca(f, (size_of::<Global>() * entries.len().max(1)) as u64, 8);
    let local = fill_ids(ir, context, interface.numthreads);
    field(ir, context, offset_of!(ThreadCtx, globals), table);
    let count = ir.int(Leaf::I64, entries.len() as i64);
    field(ir, context, offset_of!(ThreadCtx, num_globals), count);

    let threads = interface.numthreads.iter().map(|n| i64::from(*n)).product();
    let mut shared_bytes = 0u64;
    for (number, entry) in entries.iter().enumerate() {
        let at = number * size_of::<Global>();
        let step = ir.int(Leaf::I64, entry.size.unwrap_or(0) as i64);
        let (data, len) = if let Some(k) = interface.shared_of_symbol(entry.symbol) {
            let bytes = interface.shared[k].bytes as u64;
            shared_bytes += bytes;
            let data = ir.shared(&format!("shared.{number}"), bytes);
            clear_shared(ir, f, data, bytes, local, threads);
            (data, ir.int(Leaf::I64, 1))
        } else {
            let index = interface.element_of_symbol(entry.symbol, entry.element as i64);
            let index = index
                .ok_or_else(|| Diagnostic::internal(Loc::unknown(), format!("@{} is no parameter", entry.symbol)))?;
            if params[index].counter {
                let pointer = ir.ty(Leaf::Addr);
                let counter = ir.param(f, first_of[index] + 2);
                let counter = ir.cast(Opcode::LLVMAddrSpaceCast, counter, pointer);
                field(ir, table, at + offset_of!(Global, counter), counter);
            }
            resource(ir, f, &interface.params[index], first_of[index])
        };
        field(ir, table, at + offset_of!(Global, data), data);
        field(ir, table, at + offset_of!(Global, len), len);
        field(ir, table, at + offset_of!(Global, step), step);
    }
    if shared_bytes > 0 {
        ir.intrinsic("llvm.nvvm.barrier0", &[], &[]);
    }
    if moves {
        splice::end_with(ir, f, callee.function, &[context]);
    } else {
        ir.call(callee.function, &[context]);
        ir.ret(None);
    }
    Ok((params, shared_bytes))
}

/// Writes a field of the context or of the table of resources.
fn field(ir: &mut Ir, base: Value, offset: usize, value: Value) {
    let offset = ir.int(Leaf::I64, offset as i64);
    let at = ir.at(base, offset);
    ir.store(value, at, 8);
}

/// Fills in the fields of the context that say which thread this is; its place in the group.
fn fill_ids(ir: &mut Ir, context: Value, numthreads: [u32; 3]) -> Value {
    for (register, offset, bound) in IDS {
        for (dim, letter) in ["x", "y", "z"].into_iter().enumerate() {
            let value = match register {
                "ntid" => ir.int(Leaf::I64, i64::from(numthreads[dim])),
                _ => id(ir, &format!("{register}.{letter}"), bound),
            };
            field(ir, context, offset + dim * 8, value);
        }
    }
    let thread: [Value; 3] = ["x", "y", "z"].map(|letter| id(ir, &format!("tid.{letter}"), 1 << 10));
    for (dim, letter) in ["x", "y", "z"].into_iter().enumerate() {
        // Slang's has 32 bits, and so wraps around like this one.
        let block = half_id(ir, &format!("ctaid.{letter}"), 1 << 31);
        let inner = half_id(ir, &format!("tid.{letter}"), 1 << 10);
        let size = ir.int(Leaf::I32, i64::from(numthreads[dim]));
        let first = ir.binary(Opcode::LLVMMul, block, size);
        let (sum, word) = (ir.binary(Opcode::LLVMAdd, first, inner), ir.ty(Leaf::I64));
        let global = ir.cast(Opcode::LLVMZExt, sum, word);
        field(ir, context, offset_of!(ThreadCtx, global_id) + dim * 8, global);
    }
    // The place in the group, by which threads form waves.
    let [nx, ny, nz] = numthreads.map(i64::from);
    let (rows, planes) = (ir.int(Leaf::I64, nx), ir.int(Leaf::I64, nx * ny));
    let (row, plane) = (ir.binary(Opcode::LLVMMul, thread[1], rows), ir.binary(Opcode::LLVMMul, thread[2], planes));
    let local = ir.binary(Opcode::LLVMAdd, thread[0], row);
    let local = ir.binary(Opcode::LLVMAdd, local, plane);
    let (five, mask) = (ir.int(Leaf::I64, 5), ir.int(Leaf::I64, 31));
    let lane = ir.binary(Opcode::LLVMAnd, local, mask);
    let wave = ir.binary(Opcode::LLVMLShr, local, five);
    let threads = nx * ny * nz;
    let waves = ir.int(Leaf::I64, threads.div_euclid(32) + i64::from(threads % 32 != 0));
    field(ir, context, offset_of!(ThreadCtx, lane_id), lane);
    field(ir, context, offset_of!(ThreadCtx, subgroup_id), wave);
    field(ir, context, offset_of!(ThreadCtx, num_subgroups), waves);
    local
}

/// Whether the kernel gets a copy of the parameter's bytes.
fn is_by_value(kind: ParamKind) -> bool {
    matches!(kind, ParamKind::Uniform | ParamKind::Texture | ParamKind::RwTexture | ParamKind::Sampler)
}

/// The address and the number of elements of a parameter whose first argument is `first`.
fn resource(ir: &mut Ir, f: Function, param: &KernelParam, first: usize) -> (Value, Value) {
    let data = ir.param(f, first);
    match param.kind {
        kind if is_by_value(kind) => (data, ir.int(Leaf::I64, 0)),
        kind => {
            ir.attribute(f, first as i32 + 1, "noalias", 0);
            ir.attribute(f, first as i32 + 1, "align", 16);
            if matches!(kind, ParamKind::Buffer | ParamKind::ByteAddressBuffer) {
                ir.attribute(f, first as i32 + 1, "readonly", 0);
            }
            // Bytes may be more than elements can.
            let len = match kind {
                ParamKind::Pointer => ir.param(f, first + 1),
                _ => element_count(ir, f, first + 1),
            };
            let pointer = ir.ty(Leaf::Addr);
            (ir.cast(Opcode::LLVMAddrSpaceCast, data, pointer), len)
        }
    }
}

/// Memory of a group is zero when the group begins: its threads share the work.
fn clear_shared(ir: &mut Ir, f: Function, data: Value, bytes: u64, local: Value, threads: i64) {
    let (entry, body, done) = (ir.here(), ir.block(f), ir.block(f));
    let _ = entry;
    let word = ir.ty(Leaf::I64);
    let index = ir.phi(body, word);
    let count = ir.int(Leaf::I64, bytes.div_ceil(4) as i64);
    let any = ir.icmp(IntCc::LLVMIntULT, local, count);
    ir.branch(any, (body, &[local]), (done, &[]));
    ir.switch_to(body);
    let four = ir.int(Leaf::I64, 4);
    let offset = ir.binary(Opcode::LLVMMul, index, four);
    let (at, zero) = (ir.at(data, offset), ir.int(Leaf::I32, 0));
    ir.store(zero, at, 4);
    let step = ir.int(Leaf::I64, threads);
    let next = ir.binary(Opcode::LLVMAdd, index, step);
    let more = ir.icmp(IntCc::LLVMIntULT, next, count);
    ir.branch(more, (body, &[next]), (done, &[]));
    ir.switch_to(done);
}
