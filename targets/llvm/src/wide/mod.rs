//! Kernels whose threads run together: the threads of a group become the lanes of vectors.
//!
//! [`assembler`] writes instructions for all of them at once, [`control`] structured control flow
//! under masks, [`memory`] and [`parts`] reads and writes, [`ids`] says who is who. Which values
//! are the same for all threads is known beforehand ([`caustic_codegen::Analysis`]). A function is
//! written once for each way in which it is called: which parameters vary, and whether all threads
//! take part.
//!
//! Threads go through the code in step, so that what one writes is seen by others earlier, or
//! later, than if they ran one after the other; only a program with a race can tell, or one that
//! looks at the results of atomic updates. Where all of them do the same update it is made in the
//! threads' order. Where threads wait for each other ([`waves`]) and a group has more than run
//! together, the host runs several such bundles side by side. A kernel that this cannot be done for
//! runs one thread after the other ([`plan`]).

mod assembler;
mod control;
mod exchange;
mod functions;
mod ids;
mod memory;
mod parts;
mod quotients;
mod updates;
mod value;
mod waves;

use crate::assembler::{Llvm, Machine, Unit};
use crate::host::Host;
use crate::ir::{Function, IntCc, Opcode, Ty, Value};
use assembler::Wide;
use caustic_codegen::{Analysis, Emit, Flat, Uniformity};
use caustic_dialects::simt;
use caustic_dialects::{agg, gpu};
use caustic_ir::{Diagnostic, Loc, Module, Name, OpDef};
use caustic_native::flat::{self, Leaves};
use caustic_native::{Leaf, ThreadCtx};
use caustic_runtime::KernelInterface;
use caustic_runtime::group::is_convergent;
use control::Control;
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::offset_of;
use std::rc::Rc;
use value::Val;

/// How the threads that run together lie in their group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The group has one dimension.
    Line,
    /// A row of the group is a multiple of them.
    Rows,
    Any,
}

/// The most that run together.
const MOST: usize = simt::WAVE_SIZE as usize;
/// As many as suit the registers.
const USUAL: usize = 16;
/// The fewest that are worth it, unless asked for.
const FEWEST: usize = 8;

/// A way in which a function is called.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    name: Name,
    /// Whether each parameter varies.
    params: Vec<bool>,
    masked: bool,
}

#[derive(Clone)]
struct Callee {
    function: Function,
    params: Rc<[Leaves]>,
    /// Each scalar of the results, and whether it varies.
    results: Rc<[(Leaf, bool)]>,
    record: Ty,
    uniformity: Rc<Uniformity>,
}

/// A kernel being compiled for threads that run together.
pub struct Group<'m> {
    pub numthreads: [u32; 3],
    pub shape: Shape,
    lanes: usize,
    /// Whether the host runs the threads that run together beside others of the group, for which
    /// they wait.
    pub apart: bool,
    analysis: Analysis<'m>,
    callees: FxHashMap<Key, Callee>,
    todo: Vec<Key>,
}

/// How a kernel's threads run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many run together.
    pub lanes: usize,
    /// Whether the host is to run those side by side; else a call runs the group.
    pub apart: bool,
}

/// How threads of a kernel run together; `None` if it must be one after the other. `wanted` is how
/// many even if a group has fewer.
pub fn plan(
    module: &Module,
    interface: &KernelInterface,
    functions: &[Name],
    cyclic: &FxHashSet<Name>,
    wanted: Option<usize>,
) -> Option<Plan> {
    let threads = interface.numthreads.iter().try_fold(1u32, |n, &e| n.checked_mul(e)).unwrap_or(0);
    // Two registers of eight floats hide more than one; a row of the group is not to be broken.
    let [x, y, z] = interface.numthreads;
    let rows = |lanes: u32| y == 1 && z == 1 || x % lanes == 0;
    let usual = if threads >= USUAL as u32 && rows(USUAL as u32) { USUAL } else { FEWEST };
    let defs: Vec<_> = functions
        .iter()
        .filter_map(|&f| module.get(f))
        .flat_map(|s| s.body.walk_all().into_iter().map(|op| s.body.op(op).def))
        .collect();
    let is = |wanted: &'static OpDef| move |def: &&'static OpDef| std::ptr::eq(*def, wanted);
    let barriers = defs.iter().any(is(gpu::Barrier::DEF));
    let meets = defs.iter().any(|def| simt::converges(def));
    let waves = defs.iter().any(|def| simt::converges(def) && !is(gpu::Barrier::DEF)(def));
    // Those that wait for each other do so at no cost where all of them run together.
    let usual = match threads as usize {
        few @ ..=MOST if meets && few > FEWEST / 2 => few.next_power_of_two().max(FEWEST),
        // Fewer bundles have fewer to wait for.
        many if meets && many > MOST && (waves || rows(MOST as u32)) => MOST,
        _ => usual,
    };
    let enough = |lanes: usize| threads as usize >= lanes || meets && threads as usize > lanes / 2;
    let lanes = wanted.unwrap_or(usual).min(MOST).next_power_of_two();
    if lanes < 2 || threads == 0 || !cyclic.is_empty() || wanted.is_none() && !enough(lanes) {
        return None;
    }
    // Storage that all share is not laid out as that of threads that run together. Who waits must
    // be known to the host.
    if defs.iter().any(is(agg::GlobalSlot::DEF)) || meets && !is_convergent(module, interface.entry) {
        return None;
    }
    // Whole waves wait for nobody but at barriers.
    let apart = threads as usize > lanes && (barriers || waves && lanes < MOST);
    Some(Plan { lanes, apart })
}

impl<'m> Group<'m> {
    fn new(module: &'m Module, interface: &KernelInterface, plan: Plan) -> Group<'m> {
        let Plan { lanes, apart } = plan;
        let [x, y, z] = interface.numthreads;
        let shape = match (y.saturating_mul(z), x as usize % lanes) {
            (1, _) => Shape::Line,
            (_, 0) => Shape::Rows,
            _ => Shape::Any,
        };
        let ids = if shape == Shape::Any { [true; 3] } else { [true, false, false] };
        Group {
            numthreads: interface.numthreads,
            shape,
            lanes,
            apart,
            analysis: Analysis::new(module, ids),
            callees: FxHashMap::default(),
            todo: Vec::new(),
        }
    }

    fn callee(&mut self, unit: &mut Unit<'m>, key: &Key, loc: Loc) -> Result<Callee, Diagnostic> {
        if let Some(known) = self.callees.get(key) {
            return Ok(known.clone());
        }
        let symbol = unit.symbol(key.name, loc)?;
        let (inputs, outputs) =
            symbol.function_type().ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, "a function without a type"))?;
        let uniformity = self.analysis.of(key.name, &key.params);
        let ir = &mut unit.ir;
        let ty = |ir: &crate::ir::Ir, leaf: Leaf, varies: bool| match varies {
            true => ir.vector(ir.scalar(leaf), self.lanes),
            false => ir.scalar(leaf),
        };
        let mut types = vec![ir.scalar(Leaf::Addr), ir.scalar(Leaf::I64)];
        if key.masked {
            types.push(ty(ir, Leaf::I1, true));
        }
        let mut params = Vec::new();
        for (&input, &varies) in inputs.iter().zip(&key.params) {
            let leaves = flat::leaves_at(input, symbol.loc)?;
            types.extend(leaves.iter().map(|&leaf| ty(ir, leaf, varies)));
            params.push(leaves);
        }
        let mut results = Vec::new();
        for (i, &output) in outputs.iter().enumerate() {
            let varies = uniformity.results.get(i).copied().unwrap_or(true);
            results.extend(flat::leaves_at(output, symbol.loc)?.into_iter().map(|leaf| (leaf, varies)));
        }
        let mut parts = vec![ir.scalar(Leaf::I1)];
        parts.extend(results.iter().map(|&(leaf, varies)| ty(ir, leaf, varies)));
        let record = ir.record(&parts);
        let function_ty = ir.function_type(&types, record, false);
        let ways: String = key.params.iter().map(|&varies| if varies { 'v' } else { 'u' }).collect();
        let masked = if key.masked { "m" } else { "" };
        let function = ir.declare(&format!("lanes.{masked}{ways}.{}", key.name), function_ty);
        ir.internal(function);
        Host::attributes(ir, function);
        ir.describe(function, &key.name, symbol.loc);
        ir.attribute(function, 1, "noalias", 0);
        ir.attribute(function, 1, "nonnull", 0);
        let callee = Callee { function, params: params.into(), results: results.into(), record, uniformity };
        self.callees.insert(key.clone(), callee.clone());
        self.todo.push(key.clone());
        Ok(callee)
    }

    /// Writes the code of a function.
    fn build(&mut self, unit: &mut Unit<'m>, key: &Key) -> Result<(), Diagnostic> {
        unit.cancel.check()?;
        let symbol = unit.symbol(key.name, Loc::unknown())?;
        let callee = self.callee(unit, key, symbol.loc)?;
        let entry = symbol
            .body
            .entry()
            .ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, format!("the function @{} has no code", key.name)))?;
        let f = callee.function;
        let start = unit.ir.block(f);
        unit.ir.switch_to(start);
        let (first, mask) = (unit.ir.param(f, 1), key.masked.then(|| unit.ir.param(f, 2)));
        let mut next = 2 + key.masked as usize;
        let mut params: Vec<(_, Flat<Val>)> = Vec::new();
        for ((&param, leaves), &varies) in symbol.body.args(entry).iter().zip(callee.params.iter()).zip(&key.params) {
            let scalars = (0..leaves.len()).map(|i| {
                let v = unit.ir.param(f, next + i);
                if varies { Val::varying(v) } else { Val::uniform(v) }
            });
            let scalars: Flat<Val> = scalars.collect();
            next += leaves.len();
            params.push((param, scalars));
        }
        let results: Leaves = callee.results.iter().map(|r| r.0).collect();
        let lanes = self.lanes;
        let a = Wide {
            s: Llvm::new(unit, f, callee.record),
            group: self,
            lanes,
            first,
            mask,
            results: callee.results,
            saved: Vec::new(),
            lane: None,
            in_line: None,
            updates: Vec::new(),
            slots: Vec::new(),
        };
        let mut emit = Emit::new(a, &symbol.body, &params, results, symbol.loc);
        Control::new(&mut emit, callee.uniformity).function(entry)
    }
}

impl<'m> Wide<'_, 'm> {
    fn call_wide(&mut self, name: Name, loc: Loc, args: &[Val]) -> Result<(Val, Flat<Val>), Diagnostic> {
        let symbol = self.s.unit.symbol(name, loc)?;
        let (inputs, _) =
            symbol.function_type().ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, "a function without a type"))?;
        let mut counts = Vec::new();
        for &input in inputs {
            counts.push(flat::leaves_at(input, symbol.loc)?.len());
        }
        let mut left = args;
        let mut params = Vec::new();
        for &count in &counts {
            let (mine, rest) = left.split_at(count.min(left.len()));
            params.push(mine.iter().any(|x| x.varying));
            left = rest;
        }
        let key = Key { name, params, masked: self.mask.is_some() };
        let callee = self.group.callee(self.s.unit, &key, loc)?;
        let mut all = vec![self.context_value(), self.first];
        all.extend(self.mask);
        let varies = key.params.iter().zip(&counts).flat_map(|(&varies, &count)| std::iter::repeat_n(varies, count));
        for (&arg, varies) in args.iter().zip(varies) {
            all.push(if varies { self.vector(arg) } else { arg.v });
        }
        let ir = &mut self.s.unit.ir;
        let record = ir.call(callee.function, &all);
        let stopped = Val::uniform(ir.extract(record, 0));
        let results = callee.results.iter().enumerate().map(|(i, &(_, varies))| {
            let v = ir.extract(record, i + 1);
            if varies { Val::varying(v) } else { Val::uniform(v) }
        });
        Ok((stopped, results.collect()))
    }

    fn return_wide(&mut self, values: Option<&[Val]>) {
        let mut record = self.s.unit.ir.undef(self.s.record);
        let stopped = self.s.unit.ir.flag(values.is_none());
        record = self.s.unit.ir.insert(record, stopped, 0);
        let kinds = self.results.clone();
        for (i, (&value, &(_, varies))) in values.into_iter().flatten().zip(kinds.iter()).enumerate() {
            let value = if varies { self.vector(value) } else { self.one(value) };
            record = self.s.unit.ir.insert(record, value, i + 1);
        }
        self.s.unit.ir.ret(Some(record));
    }
}

/// Writes the kernel and a function, `name`, with which the host runs all threads of a group, or
/// those from a number on.
pub fn build<'m>(unit: &mut Unit<'m>, interface: &KernelInterface, plan: Plan, name: &str) -> Result<(), Diagnostic> {
    let lanes = plan.lanes;
    let mut group = Group::new(unit.module, interface, plan);
    let threads: u64 = interface.numthreads.iter().map(|&e| u64::from(e)).product();
    let (together, rest) = (threads / lanes as u64, threads % lanes as u64);
    let entry = |masked: bool| Key { name: interface.entry, params: Vec::new(), masked };
    let loc = unit.module.get(interface.entry).map_or(Loc::unknown(), |s| s.loc);
    let full = if together > 0 { Some(group.callee(unit, &entry(false), loc)?) } else { None };
    let part = if rest > 0 { Some(group.callee(unit, &entry(true), loc)?) } else { None };
    while let Some(key) = group.todo.pop() {
        group.build(unit, &key)?;
    }

    let ir = &mut unit.ir;
    let (pointer, status, word) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I32), ir.ty(Leaf::I64));
    let ty = ir.function_type(&[pointer; 3], status, false);
    let f = ir.declare(name, ty);
    Host::attributes(ir, f);
    ir.describe(f, name, loc);
    ir.attribute(f, 1, "noalias", 0);
    let start = ir.block(f);
    let (end, stop) = (ir.block(f), ir.block(f));
    let context = ir.param(f, 0);
    ir.switch_to(start);
    let [zero, step] = [0, lanes as i64].map(|v| ir.int(Leaf::I64, v));
    // After each call: whether the dispatch is to end.
    let trapped = |ir: &mut crate::ir::Ir, record: Value| {
        let stopped = ir.extract(record, 0);
        let at = ir.int(Leaf::I64, offset_of!(ThreadCtx, trapped) as i64);
        let at = ir.at(context, at);
        let trapped = ir.load(status, at, 4);
        let none = ir.int(Leaf::I32, 0);
        let trapped = ir.icmp(IntCc::LLVMIntNE, trapped, none);
        ir.binary(Opcode::LLVMOr, stopped, trapped)
    };
    if plan.apart {
        let words = ir.param(f, 1);
        let first = ir.load(word, words, 8);
        let (whole, last) = (ir.block(f), ir.block(f));
        let bound = ir.int(Leaf::I64, (together * lanes as u64) as i64);
        let all = ir.icmp(IntCc::LLVMIntULT, first, bound);
        ir.branch(all, (whole, &[]), (last, &[]));
        ir.switch_to(whole);
        if let Some(full) = full {
            let record = ir.call(full.function, &[context, first]);
            let trapped = trapped(ir, record);
            ir.branch(trapped, (stop, &[]), (end, &[]));
        } else {
            ir.jump(end, &[]);
        }
        ir.switch_to(last);
    } else if let Some(full) = full {
        let (looped, done, next) = (ir.block(f), ir.block(f), ir.block(f));
        ir.jump(looped, &[]);
        ir.switch_to(looped);
        let first = ir.phi_here(word, &[(zero, start)]);
        let record = ir.call(full.function, &[context, first]);
        let trapped = trapped(ir, record);
        ir.branch(trapped, (stop, &[]), (next, &[]));
        ir.switch_to(next);
        let following = ir.binary(Opcode::LLVMAdd, first, step);
        let bound = ir.int(Leaf::I64, (together * lanes as u64) as i64);
        let again = ir.icmp(IntCc::LLVMIntULT, following, bound);
        let here = ir.here();
        ir.add_incoming(first, following, here);
        ir.branch(again, (looped, &[]), (done, &[]));
        ir.switch_to(done);
    }
    if let Some(part) = part {
        let first = ir.int(Leaf::I64, (together * lanes as u64) as i64);
        let active: Vec<Value> = (0..lanes as u64).map(|i| ir.flag(i < rest)).collect();
        let mask = ir.constants(&active);
        let record = ir.call(part.function, &[context, first, mask]);
        let trapped = trapped(ir, record);
        ir.branch(trapped, (stop, &[]), (end, &[]));
    } else {
        ir.jump(end, &[]);
    }
    for (block, value) in [(end, 0), (stop, 1)] {
        ir.switch_to(block);
        let value = ir.int(Leaf::I32, value);
        ir.ret(Some(value));
    }
    Ok(())
}
