//! The machine under the rows' reference semantics: frames, blocks, calls, memory and limits.

use crate::Limits;
use crate::code::{Code, Instr, Operand, Program};
use crate::memory;
use crate::observe::Observer;
use crate::overwrite::Overwrites;
use crate::perturb::{Perturbation, Perturbed};
use crate::watch::Watch;
use caustic_ir::eval::{
    Eval, EvalResult, Gathered, InstanceStep, Machine, RegionEnd, ScalarTypes, Scope, Trap, Val, eval_lanes,
};
use caustic_ir::texels::{Sampler, Texels};
use caustic_ir::{BlockId, Body, Loc, Name, Type, TypeKind};
use caustic_runtime::dispatch::{STOPPED_MESSAGE, out_of_range_message};
use caustic_runtime::group::{Instance, Rendezvous, WAVE_SIZE};
use caustic_runtime::resource_type;
use caustic_runtime::{
    Buffer, BufferView, Grid, KernelInterface, Launch, PrintArg, Slot, ThreadId, custom_backward_derivatives,
    format_printf, layout_of, place_at,
};
use smallvec::SmallVec;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, LazyLock};

/// What a dispatch gives to its threads.
pub(crate) struct Env<'a> {
    pub launch: &'a Launch<'a>,
    pub interface: &'a KernelInterface,
    /// Values of the resources, made when they are first read; by parameter.
    globals: Vec<Option<Val>>,
    /// The group's own memory, in the interface's order.
    shared: &'a [Buffer],
    pub thread: ThreadId,
    pub order: u64,
    /// The thread's number within its group.
    pub local: u64,
}

impl<'a> Env<'a> {
    pub fn new(launch: &'a Launch<'a>, interface: &'a KernelInterface, shared: &'a [Buffer]) -> Env<'a> {
        let globals = vec![None; interface.params.len()];
        Env { launch, interface, globals, shared, thread: launch.grid.thread(0), order: 0, local: 0 }
    }

    /// Makes this the environment of a group's thread.
    pub fn enter(&mut self, group: u64, local: u64) {
        let grid = self.launch.grid;
        (self.order, self.local) = (grid.order(group, local), local);
        self.thread = grid.thread(self.order);
    }
}

/// A resource as a value.
enum ResourceHandle {
    /// What the parameter of this number is bound to.
    Param(usize),
    /// The group's memory of this number.
    Shared(usize),
    /// The buffer of this number (first the parameters, then the group's memory) from that byte on.
    Tail(u64, u64),
}

/// Where a buffer value leads: `skip` bytes of the buffer are in front of it, and what can be
/// reached ends at byte `end`.
struct Found<'a> {
    buffer: &'a Buffer,
    name: Name,
    skip: u64,
    end: u64,
}

/// Ops between two looks at whether the dispatch shall end; a power of two.
const LOOK_EVERY: u64 = 1024;

/// What an address in no buffer leads to.
static NOWHERE: LazyLock<Buffer> = LazyLock::new(|| Buffer::new(&[], 1));

/// Where an access to a part leads.
enum Reach {
    Byte(usize),
    /// An index on the way is out of range, which is no access.
    Nowhere,
    /// Out of what is bound.
    Outside,
}

impl Reach {
    fn byte(self) -> Option<usize> {
        if let Reach::Byte(at) = self { Some(at) } else { None }
    }
}

pub(crate) struct Thread<'a, 'm> {
    program: &'a Program<'m>,
    limits: Limits,
    pub env: Option<Env<'a>>,
    /// How to wait for the other threads of the group, if they run side by side.
    pub rendezvous: Option<&'a Rendezvous<'a, Vec<Val>>>,
    instance: Instance,
    code: Option<&'a Code<'m>>,
    /// The frames of all active calls, one after the other; the current one starts at `base`.
    pub(crate) values: Vec<Option<Val>>,
    pub(crate) base: usize,
    depth: usize,
    steps: u64,
    float_ops: u64,
    /// Where values come from that are not finite, if that is asked for.
    pub(crate) watch: Option<Box<Watch>>,
    pub(crate) overwrites: Option<Box<Overwrites>>,
    perturbed: Option<Perturbed<'a>>,
    observer: Option<&'a dyn Observer>,
}

impl<'a, 'm> Thread<'a, 'm> {
    pub fn new(program: &'a Program<'m>, limits: Limits, env: Option<Env<'a>>) -> Thread<'a, 'm> {
        let (rendezvous, instance) = (None, Instance::default());
        let traps = env.as_ref().map(|env| env.launch.traps).unwrap_or_default();
        let watch = traps.non_finite.then(Box::default);
        let given = || custom_backward_derivatives(program.module);
        let overwrites = traps.overwritten.then(|| Box::new(Overwrites::new(given())));
        Thread {
            program,
            limits,
            env,
            rendezvous,
            instance,
            code: None,
            values: Vec::new(),
            base: 0,
            depth: 0,
            steps: 0,
            float_ops: 0,
            watch,
            overwrites,
            perturbed: None,
            observer: None,
        }
    }

    pub fn perturbed(self, given: Option<&'a Perturbation>) -> Thread<'a, 'm> {
        Thread { perturbed: given.map(Perturbed::new), ..self }
    }

    pub fn observed(self, observer: Option<&'a dyn Observer>) -> Thread<'a, 'm> {
        Thread { observer, ..self }
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn float_ops(&self) -> u64 {
        self.float_ops
    }

    pub fn call_function(&mut self, name: Name, args: Vec<Val>, loc: Loc) -> EvalResult {
        let program = self.program;
        let (Some(symbol), Some(code)) = (program.symbol(name), program.code(name)) else {
            return Err(Trap::new(loc, format!("the function @{name} does not exist")));
        };
        let Some(entry) = code.body.entry() else {
            return Err(Trap::new(loc, format!("@{name} ({}) has no code at this level", symbol.def.name)));
        };
        let outer = (self.code.replace(code), self.base);
        self.base = self.values.len();
        self.resize_frames(self.base + code.num_slots);
        if let Some(overwrites) = &mut self.overwrites {
            overwrites.enter(name);
        }
        let result = self.run_block(code.body, entry, args).map(|end| end.values);
        self.resize_frames(self.base);
        if let Some(overwrites) = &mut self.overwrites {
            overwrites.leave();
        }
        (self.code, self.base) = outer;
        result
    }

    fn resize_frames(&mut self, to: usize) {
        self.values.resize(to, None);
        if let Some(watch) = &mut self.watch {
            watch.resize(to);
        }
    }

    #[inline]
    fn get(&mut self, operand: Operand) -> Option<Val> {
        let slot = self.values.get_mut(self.base + operand.slot as usize)?;
        if operand.last { slot.take() } else { slot.clone() }
    }

    #[inline]
    fn set(&mut self, slot: Option<u32>, value: Val) {
        if let Some(slot) = slot
            && let Some(place) = self.values.get_mut(self.base + slot as usize)
        {
            *place = Some(value);
        }
    }

    /// Hands the operands of `instr` to `push`.
    #[inline]
    fn gather(&mut self, instr: &Instr, mut push: impl FnMut(Val)) -> Result<(), Trap> {
        for &operand in &instr.operands {
            match self.get(operand) {
                Some(value) => push(value),
                None => {
                    let text = format!("{}: a value is read before it is defined", instr.def.name);
                    return Err(Trap::new(instr.loc, text));
                }
            }
        }
        Ok(())
    }

    fn gather_vec(&mut self, instr: &Instr) -> Result<Vec<Val>, Trap> {
        let mut values = Vec::with_capacity(instr.operands.len());
        self.gather(instr, |v| values.push(v))?;
        Ok(values)
    }

    #[inline]
    fn count_step(&mut self, instr: &Instr) -> Result<(), Trap> {
        let look = self.steps & (LOOK_EVERY - 1) == 0;
        if look && self.is_stopped() {
            return Err(Trap::new(instr.loc, STOPPED_MESSAGE));
        }
        if self.steps < self.limits.steps && !instr.malformed && instr.result_scalars <= self.limits.value_scalars {
            self.steps += 1;
            self.float_ops += instr.float_ops;
            return Ok(());
        }
        Err(self.refuse(instr))
    }

    #[cold]
    fn is_stopped(&self) -> bool {
        let stop = self.env.as_ref().and_then(|env| env.launch.traps.stop);
        stop.is_some_and(|stop| stop.load(Relaxed) != 0)
    }

    #[cold]
    fn refuse(&self, instr: &Instr) -> Trap {
        let name = instr.def.name;
        let text = if self.steps >= self.limits.steps {
            format!("stopped after {} operations", self.limits.steps)
        } else if instr.malformed {
            format!("{name}: wrong number of operands")
        } else {
            format!("{name}: a value of {} scalars is too large to run", instr.result_scalars)
        };
        Trap::new(instr.loc, text)
    }

    /// Runs the ops of a block; `None` if it ends without a terminator.
    fn run_instrs(&mut self, code: &'a Code<'m>, instrs: &'a [Instr]) -> Result<Option<RegionEnd>, Trap> {
        if self.watch.is_some() {
            return self.run_watched(code, instrs);
        }
        if let Some(observer) = self.observer {
            return self.run_observed(code, instrs, observer);
        }
        for instr in instrs {
            if let Some(end) = self.run_instr(code, instr)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Runs one op; a terminator ends its block.
    #[inline]
    pub(crate) fn run_instr(&mut self, code: &'a Code<'m>, instr: &'a Instr) -> Result<Option<RegionEnd>, Trap> {
        self.count_step(instr)?;
        match instr.eval {
            Eval::Scalar(f) => {
                let mut args: SmallVec<[Val; 3]> = SmallVec::new();
                self.gather(instr, |v| args.push(v))?;
                let attrs = &code.body.op(instr.op).attrs;
                let types = ScalarTypes { operands: &instr.operand_elems, result: instr.result_elem, attrs };
                let mut value = eval_lanes(f, &args, instr.result_type, &types);
                if let Some(perturbed) = &mut self.perturbed {
                    value = perturbed.result(instr.def.name, value, instr.result_elem);
                }
                self.set(instr.results.first().copied().flatten(), value);
            }
            Eval::Full(f) => {
                let args = self.gather_vec(instr)?;
                let results = f(self, code.body, instr.op, args)?;
                if results.len() != instr.results.len() {
                    return Err(Trap::new(instr.loc, format!("{}: wrong number of results", instr.def.name)));
                }
                for (&slot, value) in instr.results.iter().zip(results) {
                    self.set(slot, value);
                }
            }
            Eval::Terminator => {
                return Ok(Some(RegionEnd { terminator: instr.op, values: self.gather_vec(instr)? }));
            }
            Eval::None => {
                let text = format!("{} cannot be run: it has to be lowered first", instr.def.name);
                return Err(Trap::new(instr.loc, text));
            }
        }
        for &slot in &instr.drops {
            if let Some(place) = self.values.get_mut(self.base + slot as usize) {
                *place = None;
            }
        }
        Ok(None)
    }

    /// What the parameter is bound to that the value stands for.
    fn slot(&self, value: &Val) -> Option<&'a Slot> {
        let (Val::Handle(handle), Some(env)) = (value, &self.env) else { return None };
        match handle.downcast_ref::<ResourceHandle>()? {
            ResourceHandle::Param(i) => env.launch.bindings.slot(*i),
            ResourceHandle::Shared(_) | ResourceHandle::Tail(..) => None,
        }
    }

    fn buffer(&self, value: &Val, loc: Loc) -> Result<Found<'a>, Trap> {
        let found = match (value, &self.env) {
            (Val::Handle(handle), Some(env)) => handle.downcast_ref::<ResourceHandle>().and_then(|h| match *h {
                ResourceHandle::Param(i) => self.numbered(env, i, None),
                ResourceHandle::Shared(i) => self.numbered(env, env.interface.params.len() + i, None),
                ResourceHandle::Tail(number, skip) => {
                    let number = usize::try_from(number).unwrap_or(usize::MAX);
                    let nowhere = || Found { buffer: &NOWHERE, name: Name::new("a pointer"), skip: 0, end: 0 };
                    Some(self.numbered(env, number, Some(skip)).unwrap_or_else(nowhere))
                }
            }),
            _ => None,
        };
        found.ok_or_else(|| Trap::new(loc, "the value is not a buffer that is bound"))
    }

    /// The buffer of that number: first the parameters, then the group's memory; from a byte on
    /// where a pointer leads there.
    fn numbered(&self, env: &Env<'a>, number: usize, tail: Option<u64>) -> Option<Found<'a>> {
        let (bindings, interface, skip) = (&env.launch.bindings, env.interface, tail.unwrap_or(0));
        if let Some(param) = interface.params.get(number) {
            let Some(Slot::Buffer(buffer)) = bindings.slot(number) else { return None };
            return Some(Found { buffer, name: param.name, skip, end: whole(buffer) as u64 });
        }
        let number = number - interface.params.len();
        let (buffer, memory) = (env.shared.get(number)?, interface.shared.get(number)?);
        let (skip, end) = match tail {
            Some(offset) => memory.reach(offset)?,
            None => (0, whole(buffer) as u64),
        };
        Some(Found { buffer, name: memory.symbol, skip, end })
    }

    /// The value of type `ty` at a byte of a buffer; zero where there is none.
    fn read_at(&mut self, found: &Found<'a>, ty: Type, at: Option<usize>, loc: Loc) -> Result<Val, Trap> {
        let no_value = || Trap::new(loc, format!("{ty} has no place in memory"));
        let mut bytes = vec![0; layout_of(&ty).ok_or_else(no_value)?.size as usize];
        if let Some(at) = at {
            found.buffer.read(at, &mut bytes);
            if let Some(overwrites) = &mut self.overwrites {
                overwrites.read(found.buffer.as_ptr() as usize, at..at + bytes.len(), &found.name, loc)?;
            }
        }
        memory::read(ty, &bytes).ok_or_else(no_value)
    }

    /// Writes a value of type `ty` to a byte of a buffer, for an access to element `index`.
    fn write_at(
        &mut self,
        found: &Found<'a>,
        ty: Type,
        at: usize,
        index: i64,
        value: &Val,
        loc: Loc,
    ) -> Result<(), Trap> {
        let no_value = || Trap::new(loc, format!("the value is no {ty}"));
        let mut bytes = vec![0; layout_of(&ty).ok_or_else(no_value)?.size as usize];
        // Padding keeps what it held; threads run one after the other here.
        found.buffer.read(at, &mut bytes);
        memory::write(ty, value, &mut bytes).ok_or_else(no_value)?;
        if let Some(trap) = self.watch.as_ref().and_then(|w| w.stored(value, &found.name, index, loc)) {
            return Err(trap);
        }
        if let Some(overwrites) = &mut self.overwrites {
            overwrites.write(found.buffer.as_ptr() as usize, at..at + bytes.len(), loc);
        }
        found.buffer.write(at, &bytes);
        Ok(())
    }

    /// Where the part at `path` of element `index` lies: its type, and its first byte unless it is
    /// out of range. Where elements are counted, one exists or does not; of what a pointer leads
    /// to, and in an array without a size, the bytes of the part decide.
    fn locate(&self, found: &Found<'_>, ty: Type, index: i64, path: &[i64], loc: Loc) -> Result<(Type, Reach), Trap> {
        let no_part = || Trap::new(loc, format!("{ty} has no such part in memory"));
        let view = BufferView::of(ty).ok_or_else(no_part)?;
        let place = place_at(view.elem, path).ok_or_else(no_part)?;
        let size = |ty: &Type| layout_of(ty).map(|l| l.size).ok_or_else(no_part);
        let (whole_size, part_size) = (size(&view.elem)?, size(&place.ty)?);
        let of_part = view.by_parts || place.beyond;
        // An index on the way that is out of range leads nowhere, which is no access.
        let Some(offset) = place.offset.or((!of_part).then_some(0)) else { return Ok((place.ty, Reach::Nowhere)) };
        let first = u64::try_from(index).ok().and_then(|index| match view.by_bytes {
            true => index.checked_add(found.skip),
            false => index.checked_mul(whole_size),
        });
        let (from, bytes) = if of_part { (offset, part_size) } else { (0, whole_size) };
        let fits = |first: &u64| {
            let end = first.checked_add(from).and_then(|at| at.checked_add(bytes));
            end.is_some_and(|end| end <= found.end)
        };
        // Elements of no bytes are counted all the same: there are none.
        let exists = of_part || whole_size > 0;
        let Some(first) = first.filter(|first| exists && fits(first)) else { return Ok((place.ty, Reach::Outside)) };
        let at = place.offset.and_then(|offset| usize::try_from(first + offset).ok());
        Ok((place.ty, at.map_or(Reach::Nowhere, Reach::Byte)))
    }
}

/// Bytes of a buffer's elements.
fn whole(buffer: &Buffer) -> usize {
    buffer.len() * buffer.stride()
}

impl Machine for Thread<'_, '_> {
    fn run_block(&mut self, body: &Body, block: BlockId, args: Vec<Val>) -> Result<RegionEnd, Trap> {
        let Some(code) = self.code else { return Err(Trap::new(Loc::unknown(), "no function is running")) };
        let loc = || body.first_op(block).map_or_else(Loc::unknown, |op| body.loc(op));
        let prepared = code.block(block).filter(|b| b.args.len() == args.len());
        let Some(prepared) = prepared else {
            let text = format!("a block is entered with {} values, but takes {}", args.len(), body.args(block).len());
            return Err(Trap::new(loc(), text));
        };
        if self.depth >= self.limits.depth {
            return Err(Trap::new(loc(), format!("calls and blocks are nested more than {} deep", self.limits.depth)));
        }
        let count = prepared.args.len();
        for (index, (&slot, value)) in prepared.args.iter().zip(args).enumerate() {
            if let Some(watch) = &mut self.watch {
                watch.argument(slot.map(|s| self.base + s as usize), &value, index, count);
            }
            self.set(slot, value);
        }
        self.depth += 1;
        let end = self.run_instrs(code, &prepared.instrs);
        self.depth -= 1;
        if let Some(watch) = &mut self.watch {
            watch.left_block();
        }
        end?.ok_or_else(|| Trap::new(loc(), "a block ends without a terminator"))
    }

    fn call(&mut self, callee: Name, args: Vec<Val>, loc: Loc) -> EvalResult {
        self.call_function(callee, args, loc)
    }

    fn global(&mut self, name: Name, loc: Loc) -> Result<Val, Trap> {
        self.global_element(name, 0, loc)
    }

    fn global_element(&mut self, name: Name, element: i64, loc: Loc) -> Result<Val, Trap> {
        let ty = self.program.symbol(name).and_then(resource_type);
        let unbound = || Trap::new(loc, format!("nothing is bound to @{name}"));
        let env = self.env.as_mut().ok_or_else(unbound)?;
        if let Some(shared) = env.interface.shared_of_symbol(name) {
            return Ok(Val::Handle(Arc::new(ResourceHandle::Shared(shared))));
        }
        let index = env.interface.element_of_symbol(name, element).ok_or_else(unbound)?;
        if let Some(Some(value)) = env.globals.get(index) {
            return Ok(value.clone());
        }
        let value = match env.launch.bindings.slot(index).ok_or_else(unbound)? {
            Slot::Buffer(_) | Slot::Texture(_) | Slot::Sampler(_) => {
                Val::Handle(Arc::new(ResourceHandle::Param(index)))
            }
            Slot::Uniform(bytes) => ty.and_then(|ty| memory::read(ty, bytes)).ok_or_else(unbound)?,
        };
        if let Some(place) = env.globals.get_mut(index) {
            *place = Some(value.clone());
        }
        Ok(value)
    }

    fn instance(&mut self, step: InstanceStep) {
        self.instance.step(step);
    }

    fn converge(
        &mut self,
        scope: Scope,
        number: i64,
        mask: Option<u32>,
        values: Vec<Val>,
        loc: Loc,
    ) -> Result<Gathered, Trap> {
        let Some(rendezvous) = self.rendezvous else {
            return Err(Trap::new(loc, "only the threads of a kernel can wait for each other or exchange values"));
        };
        let gathered = rendezvous.wait_for(scope, self.instance.at(number), mask, values, loc);
        gathered.ok_or_else(|| Trap::new(loc, "another thread of the group has trapped"))
    }

    fn thread_index(&self, what: &str, dim: usize) -> i64 {
        let wave = WAVE_SIZE as u64;
        let (local, threads) = self.env.as_ref().map_or((0, 1), |env| (env.local, env.launch.grid.threads_per_group()));
        match what {
            "lane_id" => return (local % wave) as i64,
            "subgroup_id" => return (local / wave) as i64,
            "num_subgroups" => return threads.div_ceil(wave) as i64,
            "subgroup_size" => return wave as i64,
            _ => {}
        }
        let one_thread = Grid { groups: [1; 3], numthreads: [1; 3] };
        let (grid, id) = match &self.env {
            Some(env) => (env.launch.grid, env.thread),
            None => (one_thread, one_thread.thread(0)),
        };
        let extent = match what {
            "thread_id" => id.local,
            "block_id" => id.group,
            "block_dim" => grid.numthreads,
            "grid_dim" => grid.groups,
            "global_id" => id.global(&grid),
            _ => return 0,
        };
        extent.get(dim).map_or(0, |&n| n as i64)
    }

    fn buffer_load(&mut self, buffer: &Val, ty: Type, index: i64, path: &[i64], loc: Loc) -> Result<Val, Trap> {
        let found = self.buffer(buffer, loc)?;
        let (ty, at) = self.locate(&found, ty, index, path, loc)?;
        let at = at.byte();
        self.read_at(&found, ty, at, loc)
    }

    fn buffer_check(&mut self, buffer: &Val, ty: Type, index: i64, path: &[i64], loc: Loc) -> Result<(), Trap> {
        let found = self.buffer(buffer, loc)?;
        match self.locate(&found, ty, index, path, loc)? {
            (_, Reach::Outside) => {
                let (len, size) = (found.buffer.len(), found.buffer.stride());
                Err(Trap::new(loc, out_of_range_message(&found.name, index, len, size)))
            }
            _ => Ok(()),
        }
    }

    fn buffer_store(
        &mut self,
        buffer: &Val,
        ty: Type,
        index: i64,
        path: &[i64],
        value: &Val,
        loc: Loc,
    ) -> Result<(), Trap> {
        let found = self.buffer(buffer, loc)?;
        let (ty, at) = self.locate(&found, ty, index, path, loc)?;
        let at = at.byte();
        let Some(at) = at else { return Ok(()) };
        self.write_at(&found, ty, at, index, value, loc)
    }

    fn buffer_update(
        &mut self,
        buffer: &Val,
        ty: Type,
        index: i64,
        path: &[i64],
        change: &mut dyn FnMut(&Val) -> Option<Val>,
        loc: Loc,
    ) -> Result<Val, Trap> {
        let found = self.buffer(buffer, loc)?;
        let by_bytes = BufferView::of(ty).is_some_and(|view| view.by_bytes);
        let (ty, at) = self.locate(&found, ty, index, path, loc)?;
        let at = at.byte();
        // As in D3D, the last bits of an address that is not a multiple of the number's size do not
        // count.
        let size = layout_of(&ty).map_or(1, |l| l.size.max(1) as usize);
        let at = at.map(|at| if by_bytes { at - at % size } else { at });
        // One thread runs at a time here, so reading and then writing is one step.
        let old = self.read_at(&found, ty, at, loc)?;
        if let (Some(new), Some(at)) = (change(&old), at) {
            self.write_at(&found, ty, at, index, &new, loc)?;
        }
        Ok(old)
    }

    fn buffer_len(&mut self, buffer: &Val, ty: Type) -> i64 {
        let Some(view) = BufferView::of(ty) else { return 0 };
        let Ok(found) = self.buffer(buffer, Loc::unknown()) else { return 0 };
        if view.by_bytes {
            return found.end.saturating_sub(found.skip) as i64;
        }
        let size = layout_of(&view.elem).map_or(0, |l| l.size as usize);
        let is_own = size == found.buffer.stride();
        (if is_own { found.buffer.len() } else { whole(found.buffer) / size.max(1) }) as i64
    }

    fn buffer_count(&mut self, buffer: &Val, delta: i64, loc: Loc) -> Result<i64, Trap> {
        let found = self.buffer(buffer, loc)?;
        Ok(found.buffer.counter().fetch_add(delta as u32, Relaxed) as i32 as i64)
    }

    fn buffer_number(&mut self, buffer: &Val, loc: Loc) -> Result<u64, Trap> {
        let params = self.env.as_ref().map_or(0, |env| env.interface.params.len());
        let handle = if let Val::Handle(handle) = buffer { handle.downcast_ref::<ResourceHandle>() } else { None };
        match handle {
            Some(ResourceHandle::Param(i)) => Ok(*i as u64),
            Some(ResourceHandle::Shared(i)) => Ok((params + i) as u64),
            Some(ResourceHandle::Tail(number, _)) => Ok(*number),
            None => Err(Trap::new(loc, "the value is not a buffer that is bound")),
        }
    }

    fn buffer_tail(&mut self, number: u64, skip: u64) -> Val {
        Val::Handle(Arc::new(ResourceHandle::Tail(number, skip)))
    }

    fn texels(&mut self, texture: &Val, loc: Loc) -> Result<&dyn Texels, Trap> {
        match self.slot(texture) {
            Some(Slot::Texture(texture)) => Ok(texture),
            _ => Err(Trap::new(loc, "the value is not a texture that is bound")),
        }
    }

    fn sampler(&mut self, sampler: &Val, loc: Loc) -> Result<Sampler, Trap> {
        match self.slot(sampler) {
            Some(Slot::Sampler(sampler)) => Ok(*sampler),
            _ => Err(Trap::new(loc, "the value is not a sampler that is bound")),
        }
    }

    fn print(&mut self, format: &str, args: &[(Val, Type)]) {
        let Some(env) = &self.env else { return };
        let mut scalars = Vec::new();
        for (value, ty) in args {
            print_args(value, *ty, &mut scalars);
        }
        env.launch.prints.print(env.order, format_printf(format, &scalars));
    }
}

fn print_args(value: &Val, ty: Type, out: &mut Vec<PrintArg>) {
    match (value, ty.kind()) {
        (Val::Float(v), _) => out.push(PrintArg::Float(*v)),
        (Val::Int(v), _) => out.push(PrintArg::Int(*v, ty.scalar_bits().unwrap_or(64))),
        (Val::Agg(parts), TypeKind::Vector { elem, .. }) => parts.iter().for_each(|p| print_args(p, *elem, out)),
        _ => {}
    }
}
