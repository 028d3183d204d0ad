//! Someone who looks at what ops are given, as they run.

use crate::code::{Code, Instr};
use crate::machine::Thread;
use caustic_ir::eval::{RegionEnd, Trap, Val};
use caustic_ir::{Body, OpDef, OpId};
use smallvec::SmallVec;

/// Sees the operands of the ops that it asks for.
pub trait Observer: Sync {
    fn asks_for(&self, def: &'static OpDef) -> bool;
    /// An op of a function's body is about to run.
    fn sees(&self, body: &Body, op: OpId, operands: &[&Val]);
}

impl<'a, 'm> Thread<'a, 'm> {
    /// What [`Thread::run_instrs`] does, observed.
    pub(crate) fn run_observed(
        &mut self,
        code: &'a Code<'m>,
        instrs: &'a [Instr],
        observer: &'a dyn Observer,
    ) -> Result<Option<RegionEnd>, Trap> {
        for instr in instrs {
            if observer.asks_for(instr.def) {
                let slots = instr.operands.iter().map(|o| self.base + o.slot as usize);
                let operands: SmallVec<[&Val; 3]> = slots.filter_map(|slot| self.values.get(slot)?.as_ref()).collect();
                observer.sees(code.body, instr.op, &operands);
            }
            if let Some(end) = self.run_instr(code, instr)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }
}
