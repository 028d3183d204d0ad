//! Calls, ids of threads, and what threads do together.

use crate::assembly::{Id, Operand};
use crate::emit::Emit;
use crate::grammar::{Op, Word, built_in, storage};
use caustic_dialects::agg::as_slot;
use caustic_dialects::{gpu, simt};
use caustic_ir::{Diagnostic, OpId, Type};

/// Scopes.
const DEVICE: u32 = 1;
const WORKGROUP: u32 = 2;

/// What barriers order: everything before them with everything after them, in these memories.
const ACQUIRE_RELEASE: u32 = 0x8;
const UNIFORM_MEMORY: u32 = 0x40;
const WORKGROUP_MEMORY: u32 = 0x100;

impl Emit<'_> {
    pub fn call_op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let body = self.body;
        let name = body.callee(op).ok_or_else(|| self.internal("a call of nothing"))?;
        let callee = self.functions.get(&name).copied().ok_or_else(|| self.refuse(format!("a call of `{name}`")))?;
        let results: Vec<Type> = body.results(op).iter().map(|&r| body.ty(r)).collect();
        let result = self.result_ty(&results)?;
        let mut operands = vec![callee];
        for &arg in body.operands(op) {
            operands.push(match as_slot(body.ty(arg)) {
                None => self.value(arg)?,
                Some(held) => {
                    let place = self.slot(arg)?;
                    if place.memory {
                        // A function takes memory of its own kind only.
                        let ty = self.ty(held)?;
                        let pointer = self.variable(ty);
                        let copy = crate::memory::Place::whole(pointer, storage::FUNCTION, false, held);
                        self.copy(copy, place)?;
                        pointer
                    } else {
                        place.pointer
                    }
                }
            });
        }
        let value = self.op(Op::FunctionCall, result, &operands);
        match results[..] {
            [] => {}
            [_] => self.bind_value(body.result(op, 0), value),
            _ => {
                for (k, ty) in results.into_iter().enumerate() {
                    let ty = self.ty(ty)?;
                    let part =
                        self.op_of(Op::CompositeExtract, ty, vec![Operand::Id(value), Operand::Literal(k as u32)]);
                    self.bind_value(body.result(op, k), part);
                }
            }
        }
        Ok(())
    }

    // ----- ids

    /// A variable that the machine sets.
    fn built_in(&mut self, which: Word, ty: Id) -> Id {
        let variable = match self.built_ins.get(&which) {
            Some(&known) => known,
            None => {
                let pointer = self.out.pointer(storage::INPUT, ty);
                let id = self.out.distinct(Op::Variable, Some(pointer), vec![storage::INPUT.into()]);
                self.out.name(id, which.0);
                self.out.decorate_built_in(id, which);
                self.variables.push(id);
                self.built_ins.insert(which, id);
                id
            }
        };
        self.op(Op::Load, ty, &[variable])
    }

    /// The thread's number in its group.
    pub fn local_index(&mut self) -> Result<Id, Diagnostic> {
        let uint = self.out.int(32);
        Ok(self.built_in(built_in::LOCAL_INVOCATION_INDEX, uint))
    }

    /// An id, in 32 bits.
    pub fn id_op(&mut self, op: OpId, view: gpu::IdView) -> Result<Id, Diagnostic> {
        use gpu::IdView as V;
        let body = self.body;
        let (which, dimension) = match view {
            V::ThreadId(v) => (built_in::LOCAL_INVOCATION_ID, v.dimension(body)),
            V::BlockId(v) => (built_in::WORKGROUP_ID, v.dimension(body)),
            V::GridDim(v) => (built_in::NUM_WORKGROUPS, v.dimension(body)),
            V::GlobalId(v) => (built_in::GLOBAL_INVOCATION_ID, v.dimension(body)),
            V::BlockDim(_) => {
                let size = gpu::dimension(body, op).and_then(|d| self.interface.numthreads.get(d));
                let size = size.copied().ok_or_else(|| self.internal("no such dimension"))?;
                return Ok(self.out.word(size));
            }
            V::LaneId(_) => return self.part_of_index(Op::UMod),
            V::SubgroupId(_) => return self.part_of_index(Op::UDiv),
            V::NumSubgroups(_) => {
                let threads: u32 = self.interface.numthreads.iter().product();
                return Ok(self.out.word(threads.div_ceil(simt::WAVE_SIZE)));
            }
            V::SubgroupSize(_) => return Ok(self.out.word(simt::WAVE_SIZE)),
            V::Printf(_) => return Err(self.internal("a statement is no id")),
        };
        let dimension = (0..3).find(|&d| dimension == Some(gpu::dim_attr(d)));
        let dimension = dimension.ok_or_else(|| self.internal("a dimension that is none of x, y, z"))?;
        let uint = self.out.int(32);
        if self.in_a_row() && matches!(view, V::ThreadId(_) | V::GlobalId(_)) {
            let thread = self.thread_in_a_row(dimension)?;
            if matches!(view, V::ThreadId(_)) {
                return Ok(thread);
            }
            let (group, size) = (self.dimension_of(built_in::WORKGROUP_ID, dimension), self.group_size(dimension));
            let before = self.op(Op::IMul, uint, &[group, size]);
            return Ok(self.op(Op::IAdd, uint, &[before, thread]));
        }
        Ok(self.dimension_of(which, dimension))
    }

    fn dimension_of(&mut self, which: Word, dimension: usize) -> Id {
        let uint = self.out.int(32);
        let three = self.out.vector(uint, 3);
        let all = self.built_in(which, three);
        self.op_of(Op::CompositeExtract, uint, vec![Operand::Id(all), Operand::Literal(dimension as u32)])
    }

    fn group_size(&mut self, dimension: usize) -> Id {
        self.out.word(self.interface.numthreads[dimension])
    }

    /// The thread's number in the group in a dimension, where the machine has one row of them.
    fn thread_in_a_row(&mut self, dimension: usize) -> Result<Id, Diagnostic> {
        let uint = self.out.int(32);
        let (index, size) = (self.local_index()?, self.group_size(dimension));
        let before: u32 = self.interface.numthreads[..dimension].iter().product();
        let before = self.out.word(before);
        let rest = self.op(Op::UDiv, uint, &[index, before]);
        Ok(self.op(Op::UMod, uint, &[rest, size]))
    }

    /// The thread's number in the group divided by the lanes of a wave, or what is left.
    pub fn part_of_index(&mut self, how: Op) -> Result<Id, Diagnostic> {
        let uint = self.out.int(32);
        let (me, lanes) = (self.local_index()?, self.out.word(simt::WAVE_SIZE));
        Ok(self.op(how, uint, &[me, lanes]))
    }

    // ----- barriers

    fn ordered(&mut self, memory: &str) -> (Id, Id) {
        let (scope, memories) = match memory {
            "device" => (DEVICE, UNIFORM_MEMORY),
            "all" => (DEVICE, UNIFORM_MEMORY | WORKGROUP_MEMORY),
            _ => (WORKGROUP, WORKGROUP_MEMORY),
        };
        self.coherent |= scope == DEVICE;
        (self.out.word(scope), self.out.word(ACQUIRE_RELEASE | memories))
    }

    /// Waits for all threads of the group.
    pub fn barrier(&mut self, memory: &str) {
        let group = self.out.word(WORKGROUP);
        let (scope, semantics) = self.ordered(memory);
        self.run(Op::ControlBarrier, &[group, scope, semantics]);
    }

    pub fn fence(&mut self, memory: &str) {
        let (scope, semantics) = self.ordered(memory);
        self.run(Op::MemoryBarrier, &[scope, semantics]);
    }
}
