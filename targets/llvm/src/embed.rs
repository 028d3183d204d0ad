//! A kernel for programs in C: an object file whose one function runs groups of threads, and the
//! header that declares it.
//!
//! Nothing of this compiler is needed where it runs: the helpers that a kernel may call are written
//! into the object, and a kernel that needs others (text, textures, threads that wait for each
//! other and are more than run together, tapes) is refused. Resources are given in one struct, in
//! order of declaration. The memory of a group is on the stack.

use crate::assembler::{Machine, Unit};
use crate::host::{Built, Host, Options, wrapper};
use crate::ir::{Function, IntCc, Ir, Opcode, Value};
use crate::{gpu, host, names, wide};
use caustic_dialects::agg;
use caustic_dialects::gpu::{BarrierView, WaveView};
use caustic_dialects::reflect::ParamKind;
use caustic_dialects::simt::{self, WAVE_SIZE, WaveMatch, WaveSumsByKey};
use caustic_ir::codes;
use caustic_ir::{Body, Diagnostic, Loc, Module, Name, OpId};
use caustic_native::calls::{reachable, resources};
use caustic_native::{Global, Helper, Leaf, ThreadCtx, has_tapes};
use caustic_runtime::{KernelInterface, KernelParam};
use inkwell::context::Context;
use std::mem::{offset_of, size_of};

/// The memory of a group is on the stack of who calls: a GPU has no more either.
const MOST_SHARED: u64 = 64 << 10;

/// Where each parameter is in the struct of arguments.
fn places(interface: &KernelInterface, counted: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut end = 0u64;
    let mut places = Vec::new();
    for (i, param) in interface.params.iter().enumerate() {
        let (size, align) = match param.kind {
            ParamKind::Uniform => (param.layout.size, param.layout.align.max(1)),
            _ if param.is_buffer() => (if counted(i) { 24 } else { 16 }, 8),
            _ => (0, 1),
        };
        let at = end.next_multiple_of(align);
        places.push(at);
        end = at + size;
    }
    places
}

/// The module with the kernel under its own name.
pub fn build<'c>(
    context: &'c Context,
    module: &Module,
    interface: &KernelInterface,
    options: &Options,
) -> Result<Built<'c>, Diagnostic> {
    let loc = module.get(interface.entry).map_or(Loc::unknown(), |s| s.loc);
    let name = names::in_c(&interface.entry, loc)?;
    let refused_at = |what: &str, loc: Loc| {
        Diagnostic::error(codes::E0853, loc, format!("{what} cannot be compiled for programs in C"))
            .with_note("what needs this compiler's own run time is left out there; run it with `caustic run`")
    };
    if interface.shared.iter().map(|s| s.bytes as u64).sum::<u64>() > MOST_SHARED {
        return Err(refused_at("more memory of a group than 64 KiB", loc));
    }
    let llvm = context.create_module("caustic");
    // SAFETY: both outlive the unit, which ends here.
    let ir = unsafe { Ir::new(context.raw(), llvm.as_mut_ptr()) };
    let mut unit = host::unit(module, ir, interface.entry, &Options { interruptible: false, ..options.clone() });
    let (order, cyclic) = reachable(module, &[interface.entry]);
    unit.name_resources(resources(module, &order).into_iter())?;
    unit.context_changes();
    const GROUP: &str = "caustic.group";
    let lanes = options.lanes.or_else(|| all_that_wait(module, &order, interface));
    let together = wide::plan(module, interface, &order, &cyclic, lanes);
    match together {
        Some(plan) => wide::build(&mut unit, interface, plan, GROUP)?,
        None => {
            for &name in &order {
                unit.build::<Host>(name, cyclic.contains(&name))?;
            }
            wrapper(&mut unit, interface.entry, GROUP)?;
        }
    }
    if unit.ir.declared(&name).is_some() {
        return Err(names::refused_in_c(&name, loc));
    }
    entry(&mut unit, module, interface, [&name, GROUP], together.is_some())?;
    let alone = together.is_some_and(|plan| !plan.apart) && unit.tables.only_barriers();
    for &helper in Helper::ALL {
        if let Some(f) = unit.ir.declared(helper.symbol())
            && !define(&mut unit.ir, helper, f, alone)
        {
            if let Some(refused) = needs_tape(module, &order) {
                return Err(refused);
            }
            let (what, place) = needed_for(helper, module, &order, interface);
            return Err(refused_at(&what, place.filter(|place| *place != Loc::unknown()).unwrap_or(loc)));
        }
    }
    let tables = unit.tables;
    Ok(Built { module: llvm, tables, cyclic })
}

/// The threads of a small group that wait for each other: one by one they could not, for want of a
/// host. Larger groups run together anyway.
fn all_that_wait(module: &Module, order: &[Name], interface: &KernelInterface) -> Option<usize> {
    let mut ops =
        order.iter().filter_map(|&f| module.get(f)).flat_map(|s| s.body.all_ops().map(|op| s.body.op(op).def));
    let threads: u64 = interface.numthreads.iter().map(|&n| u64::from(n)).product();
    let few = (1..=4).contains(&threads) && ops.any(simt::converges);
    few.then(|| (threads as usize).next_power_of_two().max(2))
}

/// Why a loop needs memory that grows, if one does.
fn needs_tape(module: &Module, order: &[Name]) -> Option<Diagnostic> {
    let mut bodies = order.iter().filter_map(|&name| module.get(name)).map(|s| &s.body);
    bodies.find_map(|body| {
        let grows = |op: &OpId| agg::as_slot(body.ty(body.result(*op, 0))).is_some_and(has_tapes);
        let slot = body.walk_all().into_iter().find(|op| agg::Alloca::is(body, *op) && grows(op))?;
        Some(agg::no_tape(Some(module), body, agg::tape_writer(body, slot)))
    })
}

/// What of the program calls a helper, and where that stands.
fn needed_for(helper: Helper, module: &Module, order: &[Name], interface: &KernelInterface) -> (String, Option<Loc>) {
    let find = |is: &dyn Fn(&Body, OpId) -> bool| {
        let mut bodies = order.iter().filter_map(|&name| module.get(name)).map(|s| &s.body);
        bodies.find_map(|body| body.walk_all().into_iter().find(|&op| is(body, op)).map(|op| body.loc(op).source()))
    };
    let threads: u64 = interface.numthreads.iter().map(|&n| u64::from(n)).product();
    match helper {
        Helper::Print => ("`printf`".into(), find(&caustic_dialects::gpu::Printf::is)),
        Helper::Texture => ("a texture".into(), find(&|body, op| body.op(op).def.dialect() == "tex")),
        Helper::AtomicCombine => {
            ("an atomic update of `half`".into(), find(&|body, op| body.op(op).def.name.contains("atomic")))
        }
        Helper::Converge | Helper::ConvergeWide | Helper::InstanceStep => {
            let barrier = find(&|body, op| BarrierView::of(body, op).is_some());
            // One wave meets at a barrier without help.
            let comparing = find(&|body, op| WaveMatch::is(body, op) || WaveSumsByKey::is(body, op));
            match (barrier, comparing) {
                (barrier, Some(place)) if threads <= u64::from(WAVE_SIZE) || barrier.is_none() => (
                    "what finds lanes of a wave with equal values (`WaveMatch`, `WaveAggregation`)".into(),
                    Some(place),
                ),
                (Some(place), _) => (format!("a barrier in a group of {threads} threads"), Some(place)),
                (None, _) => {
                    let wave = find(&|body, op| WaveView::of(body, op).is_some());
                    (format!("a wave operation in a group of {threads} threads"), wave)
                }
            }
        }
        _ => ("what needs memory that grows, or functions of this compiler,".into(), None),
    }
}

/// That a parameter is memory: a program in C has neither textures nor samplers.
fn require_memory(param: &KernelParam, module: &Module) -> Result<(), Diagnostic> {
    if param.kind == ParamKind::Uniform || param.is_buffer() {
        return Ok(());
    }
    let loc = module.get(param.symbol).map_or(Loc::unknown(), |s| s.loc);
    let message = format!("`{}` is a texture or a sampler, which a program in C cannot give", param.name);
    Err(Diagnostic::error(codes::E0853, loc, message))
}

/// `int NAME(arguments, groups, first, last)`.
fn entry(
    unit: &mut Unit<'_>,
    module: &Module,
    interface: &KernelInterface,
    [name, group]: [&str; 2],
    whole: bool,
) -> Result<(), Diagnostic> {
    let counted = gpu::counted(module, &reachable(module, &[interface.entry]).0);
    let places = places(interface, |i| counted.contains(&interface.params[i].symbol));
    let entries = unit.tables.global_entries.clone();
    let zeros_size = unit.tables.zero_bytes();
    let ir = &mut unit.ir;
    let (pointer, word, status) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I64), ir.ty(Leaf::I32));
    let group_ty = ir.function_type(&[pointer; 3], status, false);
    let group = ir.declare(group, group_ty);
    ir.internal(group);
    let ty = ir.function_type(&[pointer, pointer, word, word], status, false);
    let f = ir.declare(name, ty);
    Host::attributes(ir, f);
    ir.describe(f, &interface.entry, module.get(interface.entry).map_or(Loc::unknown(), |s| s.loc));
    let start = ir.block(f);
    ir.switch_to(start);
    let [arguments, groups, first, last] = [0, 1, 2, 3].map(|i| ir.param(f, i));
    let context = ir.alloca(f, size_of::<ThreadCtx>() as u64, 16);
    let table = ir.alloca(f, (size_of::<Global>() * entries.len().max(1)) as u64, 16);
    let words = ir.alloca(f, 16, 16);
    let zeros = ir.zeros(zeros_size);
    ir.memset(context, size_of::<ThreadCtx>() as u64, 1);
    ir.memset(table, (size_of::<Global>() * entries.len().max(1)) as u64, 1);
    let mut shared = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        if let Some(memory) = interface.shared_of_symbol(entry.symbol).and_then(|i| interface.shared.get(i)) {
            let bytes = memory.bytes as u64;
            let data = ir.alloca(f, bytes.max(1), 16);
            let (one, step) = (ir.int(Leaf::I64, 1), ir.int(Leaf::I64, bytes as i64));
            let base = number * size_of::<Global>();
            field(ir, table, base + offset_of!(Global, data), data);
            field(ir, table, base + offset_of!(Global, len), one);
            field(ir, table, base + offset_of!(Global, step), step);
            shared.push((data, bytes));
            continue;
        }
        let index = interface.element_of_symbol(entry.symbol, entry.element as i64);
        let index =
            index.ok_or_else(|| Diagnostic::internal(Loc::unknown(), format!("@{} is no parameter", entry.symbol)))?;
        let param = &interface.params[index];
        require_memory(param, module)?;
        let place = at(ir, arguments, places[index]);
        let slot = (table, number * size_of::<Global>());
        resource(ir, param, place, slot, zeros, entry.size.unwrap_or(0), counted.contains(&param.symbol))?;
    }
    let count = ir.int(Leaf::I64, entries.len().max(1) as i64);
    let threads: u64 = interface.numthreads.iter().map(|&e| u64::from(e)).product();
    let [threads, one] = [threads as i64, 1].map(|v| ir.int(Leaf::I64, v));
    field(ir, context, offset_of!(ThreadCtx, globals), table);
    field(ir, context, offset_of!(ThreadCtx, num_globals), count);
    field(ir, context, offset_of!(ThreadCtx, zeros), zeros);
    field(ir, context, offset_of!(ThreadCtx, stop), zeros);
    field(ir, words, 0, threads);
    let extents = fill_extents(ir, context, groups, interface.numthreads);

    let [head, body, next, done, failed] = [(); 5].map(|()| ir.block(f));
    ir.jump(head, &[]);
    ir.switch_to(head);
    let number = ir.phi_here(word, &[(first, start)]);
    let more = ir.icmp(IntCc::LLVMIntULT, number, last);
    ir.branch(more, (body, &[]), (done, &[]));
    ir.switch_to(body);
    let x = ir.binary(Opcode::LLVMURem, number, extents[0]);
    let rest = ir.binary(Opcode::LLVMUDiv, number, extents[0]);
    let y = ir.binary(Opcode::LLVMURem, rest, extents[1]);
    let z = ir.binary(Opcode::LLVMUDiv, rest, extents[1]);
    for (dim, value) in [x, y, z].into_iter().enumerate() {
        field(ir, context, offset_of!(ThreadCtx, block_id) + dim * 8, value);
    }
    for (data, bytes) in shared {
        ir.memset(data, bytes, 1);
    }
    if whole {
        let result = ir.call(group, &[context, words, words]);
        let zero = ir.int(Leaf::I32, 0);
        let wrong = ir.icmp(IntCc::LLVMIntNE, result, zero);
        ir.branch(wrong, (failed, &[]), (next, &[]));
    } else {
        threads_of(ir, f, interface, (context, words), [x, y, z], threads, group, (next, failed));
    }
    ir.switch_to(next);
    let following = ir.binary(Opcode::LLVMAdd, number, one);
    let here = ir.here();
    ir.add_incoming(number, following, here);
    ir.jump(head, &[]);
    for (block, value) in [(done, 0), (failed, 1)] {
        ir.switch_to(block);
        let value = ir.int(Leaf::I32, value);
        ir.ret(Some(value));
    }
    Ok(())
}

fn at(ir: &mut Ir, base: Value, offset: u64) -> Value {
    let offset = ir.int(Leaf::I64, offset as i64);
    ir.at(base, offset)
}

/// Writes a field of the context or of the table of resources.
fn field(ir: &mut Ir, base: Value, offset: usize, value: Value) {
    let at = at(ir, base, offset as u64);
    ir.store(value, at, 8);
}

/// Fills in what the table of resources says of a parameter, at `base`, from its place among the
/// arguments.
fn resource(
    ir: &mut Ir,
    param: &KernelParam,
    place: Value,
    (table, base): (Value, usize),
    zeros: Value,
    step: u64,
    counted: bool,
) -> Result<(), Diagnostic> {
    if param.kind == ParamKind::Uniform {
        field(ir, table, base + offset_of!(Global, data), place);
        return Ok(());
    }
    let (pointer, word) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I64));
    let data = ir.load(pointer, place, 8);
    let count_at = at(ir, place, 8);
    let len = ir.load(word, count_at, 8);
    // An empty buffer is read all the same, and the value not used.
    let none = ir.int(Leaf::I64, 0);
    let empty = ir.icmp(IntCc::LLVMIntEQ, len, none);
    let data = ir.select(empty, zeros, data);
    field(ir, table, base + offset_of!(Global, data), data);
    field(ir, table, base + offset_of!(Global, len), len);
    let step = ir.int(Leaf::I64, step as i64);
    field(ir, table, base + offset_of!(Global, step), step);
    if counted {
        let counter_at = at(ir, place, 16);
        let counter = ir.load(pointer, counter_at, 8);
        field(ir, table, base + offset_of!(Global, counter), counter);
    }
    Ok(())
}

/// Fills in how many groups there are and how large each is; by what a group's number is divided.
fn fill_extents(ir: &mut Ir, context: Value, groups: Value, numthreads: [u32; 3]) -> Vec<Value> {
    let (word, half) = (ir.ty(Leaf::I64), ir.ty(Leaf::I32));
    let [zero, one] = [0, 1].map(|v| ir.int(Leaf::I64, v));
    let mut extents = Vec::new();
    for dim in 0..3u64 {
        let at = at(ir, groups, dim * 4);
        let extent = ir.load(half, at, 4);
        let extent = ir.cast(Opcode::LLVMZExt, extent, word);
        // Nothing is divided by zero where there is nothing to run.
        let none = ir.icmp(IntCc::LLVMIntEQ, extent, zero);
        extents.push(ir.select(none, one, extent));
        field(ir, context, offset_of!(ThreadCtx, grid_dim) + dim as usize * 8, extent);
        let size = ir.int(Leaf::I64, i64::from(numthreads[dim as usize]));
        field(ir, context, offset_of!(ThreadCtx, block_dim) + dim as usize * 8, size);
    }
    extents
}

/// The threads of a group, one after the other.
#[expect(clippy::too_many_arguments, reason = "one place calls it")]
fn threads_of(
    ir: &mut Ir,
    f: Function,
    interface: &KernelInterface,
    (context, words): (Value, Value),
    group_id: [Value; 3],
    threads: Value,
    code: Function,
    (next, failed): (crate::ir::Block, crate::ir::Block),
) {
    let word = ir.ty(Leaf::I64);
    let before = ir.here();
    let (head, again) = (ir.block(f), ir.block(f));
    let [zero, one] = [0, 1].map(|v| ir.int(Leaf::I64, v));
    ir.jump(head, &[]);
    ir.switch_to(head);
    let local = ir.phi_here(word, &[(zero, before)]);
    let [nx, ny, _] = interface.numthreads.map(|n| ir.int(Leaf::I64, i64::from(n)));
    let x = ir.binary(Opcode::LLVMURem, local, nx);
    let rest = ir.binary(Opcode::LLVMUDiv, local, nx);
    let y = ir.binary(Opcode::LLVMURem, rest, ny);
    let z = ir.binary(Opcode::LLVMUDiv, rest, ny);
    for (dim, value) in [x, y, z].into_iter().enumerate() {
        let size = ir.int(Leaf::I64, i64::from(interface.numthreads[dim]));
        let first = ir.binary(Opcode::LLVMMul, group_id[dim], size);
        let global = ir.binary(Opcode::LLVMAdd, first, value);
        let bits = ir.int(Leaf::I64, i64::from(u32::MAX));
        let global = ir.binary(Opcode::LLVMAnd, global, bits);
        for (offset, value) in [(offset_of!(ThreadCtx, thread_id), value), (offset_of!(ThreadCtx, global_id), global)] {
            let offset = ir.int(Leaf::I64, (offset + dim * 8) as i64);
            let at = ir.at(context, offset);
            ir.store(value, at, 8);
        }
    }
    let result = ir.call(code, &[context, words, words]);
    let none = ir.int(Leaf::I32, 0);
    let wrong = ir.icmp(IntCc::LLVMIntNE, result, none);
    ir.branch(wrong, (failed, &[]), (again, &[]));
    ir.switch_to(again);
    let following = ir.binary(Opcode::LLVMAdd, local, one);
    ir.add_incoming(local, following, again);
    let more = ir.icmp(IntCc::LLVMIntULT, following, threads);
    ir.branch(more, (head, &[]), (next, &[]));
}

/// Gives a helper a body that needs nothing; false if it has none. `alone`: threads wait for each
/// other only at barriers of groups that run together as a whole.
fn define(ir: &mut Ir, helper: Helper, f: Function, alone: bool) -> bool {
    let result = match helper {
        Helper::OutOfRange | Helper::BadIndex | Helper::Fail => 1,
        // Called only where some threads of the group do not come to the barrier.
        Helper::ConvergeWide if alone => 1,
        Helper::Alloc | Helper::Free => {
            let block = ir.block(f);
            ir.switch_to(block);
            let (pointer, word, void) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I64), ir.void());
            if helper == Helper::Alloc {
                let ty = ir.function_type(&[word], pointer, false);
                let (malloc, size) = (ir.declare("malloc", ty), ir.param(f, 1));
                let memory = ir.call(malloc, &[size]);
                ir.ret(Some(memory));
            } else {
                let ty = ir.function_type(&[pointer], void, false);
                let (free, memory) = (ir.declare("free", ty), ir.param(f, 1));
                ir.call(free, &[memory]);
                ir.ret(None);
            }
            ir.private(f);
            return true;
        }
        _ => return false,
    };
    let block = ir.block(f);
    ir.switch_to(block);
    let value = ir.int(Leaf::I32, result);
    if result == 1 {
        let offset = ir.int(Leaf::I64, offset_of!(ThreadCtx, trapped) as i64);
        let context = ir.param(f, 0);
        let at = ir.at(context, offset);
        ir.store(value, at, 4);
    }
    ir.ret(Some(value));
    ir.private(f);
    true
}
