//! Linearizes ops with regions: ifs, switches and loops become the same op with more results.
//!
//! The values are followed by the tangents of those that are active, then by flags that tell
//! whether these tangents were reached, where that matters and no condition at hand implies it,
//! then by the flag that tells whether a `while` ran. Loops carry all of these.

use super::{Linearizer, hint_tangent};
use crate::autodiff::reach::flags;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::tangent_of;
use caustic_dialects::{arith, scf};
use caustic_ir::{BlockId, Body, Builder, Diagnostic, OpId, Result, Type, ValueId};

/// The results that the new op has in addition to those of the old one.
struct Added {
    /// The indices of the results with a tangent.
    active: Vec<usize>,
    /// Those of them whose tangents have reached flags.
    flagged: Vec<usize>,
    /// Types of the tangents, and of the flags.
    tangents: Vec<Type>,
    flags: Vec<Type>,
    /// Whether there is a flag that tells whether the loop ran.
    ran: bool,
    /// The index of the first operand that a loop carries; `None` for a branch.
    loop_inits: Option<usize>,
}

impl Added {
    fn types(&self) -> Vec<Type> {
        let ran = self.ran.then(Type::i1);
        self.tangents.iter().chain(&self.flags).copied().chain(ran).collect()
    }

    /// The index of a block's first carried argument; the counter of a `for` stands before it.
    fn first_arg(&self, src: &Body, op: OpId) -> usize {
        if scf::For::is(src, op) { 1 } else { 0 }
    }
}

impl Linearizer<'_> {
    /// Linearizes an if, a switch or a loop: the same op with a tangent result for each active one,
    /// and for loops a carried tangent.
    pub(super) fn region_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let (src, data) = (self.src, self.src.op(op));
        let added = self.added(op);
        let operands = self.region_operands(op, &added, b)?;
        let mut types: Vec<Type> = data.results.iter().map(|&r| src.ty(r)).collect();
        types.extend(added.types());
        let new = b.body.create_op(data.def, &operands, &types, data.attrs.clone(), data.regions.len(), data.loc);
        b.body.insert_op(new, b.block, b.before);
        for k in 0..data.regions.len() {
            let Some(block) = src.region_block(op, k) else { continue };
            let region = b.body.op(new).regions[k];
            let mut arg_types: Vec<Type> = src.args(block).iter().map(|&a| src.ty(a)).collect();
            if added.loop_inits.is_some() {
                arg_types.extend(added.types());
            }
            let new_block = b.body.add_block(region, &arg_types);
            let new_args = b.body.args(new_block).to_vec();
            self.region_args(op, &added, block, &new_args, b);
            let end = src.terminator(block);
            let end = end.ok_or_else(|| Diagnostic::invalid_ir(data.loc, "a region without a terminator"))?;
            let mut inner = Builder::at_end(b.body, new_block, data.loc);
            self.block(block, &mut inner)?;
            let ran = new_args.last().copied().filter(|_| added.ran);
            self.end_region(&added, end, ran, &mut inner)?;
        }
        self.region_results(op, &added, new, b);
        Ok(())
    }

    fn added(&self, op: OpId) -> Added {
        let (src, data) = (self.src, self.src.op(op));
        let active: Vec<usize> =
            (0..data.results.len()).filter(|&i| self.activity.is_active(data.results[i])).collect();
        let flagged: Vec<usize> =
            active.iter().copied().filter(|&i| self.reach.carries(src, self.activity, op, i)).collect();
        let loop_inits = match () {
            _ if scf::For::is(src, op) => Some(3),
            _ if scf::While::is(src, op) => Some(0),
            _ => None,
        };
        let tangents = active.iter().filter_map(|&i| tangent_of(src.ty(data.results[i]))).collect();
        let flags = flagged.iter().flat_map(|&i| flags(src, data.results[i])).collect();
        let ran = self.carries_ran(op, active.iter().filter(|i| !flagged.contains(i)));
        Added { active, flagged, tangents, flags, ran, loop_inits }
    }

    fn region_operands(&mut self, op: OpId, added: &Added, b: &mut Builder<'_>) -> Result<Vec<ValueId>> {
        let data = self.src.op(op);
        let mut operands: Vec<ValueId> = data.operands.iter().map(|&v| self.primal.get(v)).collect();
        if let Some(first) = added.loop_inits {
            for &i in &added.active {
                let init = data.operands[first + i];
                operands.push(self.initial_tangent(b, init)?);
            }
            for &i in &added.flagged {
                let flags = self.flags(b, data.operands[first + i]);
                operands.extend(flags);
            }
        }
        if added.ran {
            operands.push(arith::bool(b, false));
        }
        Ok(operands)
    }

    /// The tangent that a loop starts with.
    #[mutant(Site::LinearizeLoopInit => self.zero_tangent(b, value))]
    fn initial_tangent(&mut self, b: &mut Builder<'_>, value: ValueId) -> Result<ValueId> {
        self.tangent_or_zero(b, value)
    }

    /// The tangent that a region ends with.
    #[mutant(Site::LinearizeYield => self.zero_tangent(b, value))]
    fn yielded_tangent(&mut self, b: &mut Builder<'_>, value: ValueId) -> Result<ValueId> {
        self.tangent_or_zero(b, value)
    }

    /// Binds the arguments of a region's block; those of a loop include tangents and their flags.
    fn region_args(&mut self, op: OpId, added: &Added, block: BlockId, new_args: &[ValueId], b: &mut Builder<'_>) {
        let src = self.src;
        let args = src.args(block);
        for (&arg, &new) in args.iter().zip(new_args) {
            b.body.set_hint(new, src.value(arg).hint);
            self.primal.insert(arg, new);
        }
        if added.loop_inits.is_none() {
            return;
        }
        let carried = &args[added.first_arg(src, op)..];
        for (&i, &t) in added.active.iter().zip(&new_args[args.len()..]) {
            hint_tangent(b.body, t, src, carried[i]);
            self.tangents.insert(carried[i], t);
        }
        let mut next = args.len() + added.active.len();
        for &i in &added.flagged {
            next = self.set_reached_by_flags(carried[i], new_args, next);
        }
    }

    /// Ends a region's block. `ran` is the argument that tells whether the loop ran, if there is
    /// one.
    fn end_region(&mut self, added: &Added, end: OpId, ran: Option<ValueId>, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let condition = scf::Condition::cast(src, end);
        let given = condition.map_or_else(|| src.operands(end), |condition| condition.args(src));
        let mut yielded: Vec<ValueId> = src.operands(end).iter().map(|&v| self.primal.get(v)).collect();
        for &i in &added.active {
            yielded.push(self.yielded_tangent(b, given[i])?);
        }
        for &i in &added.flagged {
            let flags = self.flags(b, given[i]);
            yielded.extend(flags);
        }
        if let Some(ran) = ran {
            yielded.push(if condition.is_some() { ran } else { arith::bool(b, true) });
        }
        b.loc = src.loc(end);
        b.create(src.op(end).def, &yielded, &[], &[], 0);
        Ok(())
    }

    fn region_results(&mut self, op: OpId, added: &Added, new: OpId, b: &mut Builder<'_>) {
        let (src, data) = (self.src, self.src.op(op));
        let results = b.body.results(new).to_vec();
        for (&r, &value) in data.results.iter().zip(&results) {
            b.body.set_hint(value, src.value(r).hint);
            self.primal.insert(r, value);
        }
        let ran = results.last().copied().filter(|_| added.ran);
        for (&i, &t) in added.active.iter().zip(&results[data.results.len()..]) {
            hint_tangent(b.body, t, src, data.results[i]);
            self.tangents.insert(data.results[i], t);
            let gate = if added.flagged.contains(&i) { None } else { self.region_gate(b, op, i, ran) };
            self.gates.extend(gate.map(|g| (t, g)));
        }
        let mut next = data.results.len() + added.active.len();
        for &i in &added.flagged {
            next = self.set_reached_by_flags(data.results[i], &results, next);
        }
    }
}
