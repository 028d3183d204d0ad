//! Zero masks: where the cotangents of a linear half are exact zeros. Found before it is
//! transposed.
//!
//! A product with an infinite partial depends on whether a zero is an exact one, which control flow
//! made, or one that was computed. So the analysis goes through the linear code as cotangents will,
//! backwards, and says of each:
//!  - [`Mask::Zero`]: nothing flows to it, it is an exact zero;
//!  - [`Mask::Masked`] by a predicate: an exact zero where that does not hold;
//!  - [`Mask::Dense`]: no condition makes it zero;
//!
//! and which of its parts are dense where its mask lets something through ([`Known`]): all of them
//! came from results there, so that a zero among them was computed. Some parts are exact zeros,
//! whatever the mask says. Others may be, and no predicate says when.
//!
//! Predicates are symbols ([`Predicates`]): a reached flag that only transposed code gives is one,
//! too. What is known of a cotangent grows as one use after the other adds to it, so there is an
//! entry for each use ([`Flow`]): the cotangent that comes by it, the sum after it, and the selects
//! that the sum needs.
//!
//! A product of a masked cotangent with a partial may be NaN where the mask is zero. Products are
//! taken as they come, and the mask of such a cotangent is *pending*. It is applied (a select)
//! before the cotangent is added to one behind another mask, changes its shape, or leaves the
//! block. So a chain of products takes one select, at its end.
//!
//! Invariant: the entries are those of the transposition of the same code, which meets each op once
//! and in the same order. This module must not know: how transposed code is built.

mod arrays;
mod flow;
mod function;
mod known;
mod parts;
mod predicates;
mod regions;
mod rules;
mod sweep;

use super::space::Spaces;
use crate::analysis::derivative_links::Form;
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{is_tangent, strip_tangent};
use caustic_ir::{BlockId, Body, Diagnostic, Name, OpId, Result, Type, ValueId};
pub use function::Unzipped;
use known::Parts;
pub use known::{Given, Known, has_other_forms};
pub use predicates::{Condition, ConditionId, Predicate, Predicates};
pub use rules::part_path;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a cotangent, or a part of one, is an exact zero. Each says less than the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mask {
    /// Everywhere.
    Zero,
    /// Where the predicate does not hold.
    Masked(Predicate),
    /// Nowhere that is known.
    Dense,
}

impl Mask {
    fn of(predicate: Option<Predicate>) -> Mask {
        predicate.map_or(Mask::Dense, Mask::Masked)
    }

    pub fn predicate(self) -> Option<Predicate> {
        if let Mask::Masked(p) = self { Some(p) } else { None }
    }
}

/// What is known of the calls of derivatives that are transposed together.
#[derive(Default)]
pub struct Calls {
    /// Instances whose derivatives are differentiated again.
    pub nested: FxHashSet<Name>,
    /// Of each half, by instance and form: what is known of the parts of the cotangents that it
    /// gives, wherever their reached flag is set.
    pub gives: FxHashMap<(Name, Form), Vec<Given>>,
}

impl Calls {
    /// What is known of what a half gives. Of one that is asked for the first time all that can be:
    /// less would be taken for true of who asks, and would stay. `None` where a programmer made it.
    fn gives(&self, instance: Name, form: Form) -> Option<Vec<Given>> {
        let known = self.gives.get(&(instance, form)).cloned();
        known.or_else(|| Some(vec![Given::nothing_came(); self.gives.get(&(instance, Form::SURE))?.len()]))
    }
}

/// A cotangent of the code that is to be made, by its number. A value that flows to several places
/// keeps its number.
pub type CotangentId = usize;

/// What is known of a cotangent.
#[derive(Clone)]
pub struct Cotangent {
    pub mask: Mask,
    /// The mask is yet to be applied: the cotangent may be NaN where it should be zero.
    pub pending: bool,
    known: Known,
}

impl Cotangent {
    /// Whether all of it is dense where its mask lets something through.
    pub fn is_whole(&self) -> bool {
        self.known.is_dense()
    }

    pub fn parts(&self) -> &Known {
        &self.known
    }

    fn is_dense(&self) -> bool {
        self.is_whole() && self.mask == Mask::Dense
    }
}

/// A cotangent as it comes by one use of a value.
#[derive(Clone, Copy)]
pub struct Flow {
    pub own: CotangentId,
    /// What the sum is known to be, if something came before.
    pub sum: Option<Sum>,
}

#[derive(Clone, Copy)]
pub struct Sum {
    pub sum: CotangentId,
    /// The pending masks that are applied to what came before, and to what is added.
    pub apply_before: Option<Predicate>,
    pub apply_own: Option<Predicate>,
}

/// What comes by a use: of a struct that is made in the same block, the parts go to what it is made
/// of.
pub enum Flows {
    /// An exact zero.
    Nothing,
    Whole(Flow),
    Parts(Vec<Flows>),
}

/// Of a value that is taken apart, or of a part of it.
#[derive(Clone)]
pub struct PartFlow {
    pub mask: Mask,
    known: Known,
}

/// A captured tangent where regions end.
pub struct Join {
    /// What is known at the end of each region.
    pub ends: Vec<Mask>,
    /// The reached flag that the regions have to give.
    pub flag: Option<ConditionId>,
    pub after: CotangentId,
}

/// A branch in the transposed code.
pub struct BranchMasks {
    /// Tangents from outside that its regions read.
    pub captured: Vec<ValueId>,
    /// Of each result that is taken apart: its parts.
    pub parts: Vec<Vec<PartFlow>>,
    pub joins: Vec<Join>,
}

/// The branch around an op all of whose cotangents stand behind one predicate.
pub struct Guard {
    /// The condition of the branch.
    pub condition: ConditionId,
    /// What has no mask within the branch.
    pub opened: Vec<(ValueId, CotangentId)>,
    pub branch: BranchMasks,
}

/// When an op need not be transposed at all.
#[derive(Default)]
pub struct Skip {
    /// Cotangents that get a predicate which asks their value.
    pub by_value: Vec<(ValueId, CotangentId)>,
    /// The one predicate of all cotangents.
    pub predicate: Option<Predicate>,
    pub guard: Option<Guard>,
}

/// A call of a backward half.
pub struct CallMasks {
    pub form: Form,
    /// What the call gives is zero elsewhere, and is not guarded.
    pub predicate: Option<Predicate>,
    /// Of the parts of its results, where it takes flags of them.
    pub handed: Vec<Mask>,
    /// Of the parts of the tangents that it gives: the flag, and what is known.
    pub flags: Vec<ConditionId>,
    pub given: Vec<Vec<PartFlow>>,
}

/// A reverse sweep.
pub struct SweepMasks {
    pub captured: Vec<ValueId>,
    /// Of each captured tangent before the sweep, and at the end of an iteration.
    pub before: Vec<Mask>,
    pub ends: Vec<Mask>,
    /// The sums for captured tangents, in the sweep's block and after it.
    pub sums: Vec<CotangentId>,
    pub sums_after: Vec<CotangentId>,
    /// Of each sum: its reached flag in the block. There is none where all was reached before.
    pub flags: Vec<Option<ConditionId>>,
    /// Of each sum: its reached flag after the sweep, if that is what masks it.
    pub flags_after: Vec<Option<ConditionId>>,
}

impl SweepMasks {
    /// Of what is known of each captured tangent, that of those whose sums have a reached flag.
    pub fn flagged<'s, T>(&'s self, all: &'s [T]) -> impl Iterator<Item = &'s T> {
        all.iter().zip(&self.flags).filter(|(_, flag)| flag.is_some()).map(|(one, _)| one)
    }
}

/// What is known of one form of a linear half.
#[derive(Default)]
pub struct ZeroMasks {
    pub predicates: Predicates,
    cotangents: Vec<Cotangent>,
    /// By op and number of the operand.
    flows: FxHashMap<(OpId, usize), Flows>,
    /// By op.
    skips: FxHashMap<OpId, Skip>,
    calls: FxHashMap<OpId, CallMasks>,
    branches: FxHashMap<OpId, BranchMasks>,
    sweeps: FxHashMap<OpId, SweepMasks>,
    /// The flags of the function's results and their parts.
    pub result_flags: Vec<ConditionId>,
    /// By operand of the linear code: of the parts of what flows to it.
    inputs: FxHashMap<usize, Vec<Mask>>,
    /// Of the parts of the cotangents of the function's active inputs: as in [`Calls::gives`].
    pub gives: Vec<(Type, Given)>,
    /// The halves that it calls.
    pub called: Vec<(Name, Form)>,
}

impl ZeroMasks {
    pub fn get(&self, id: CotangentId) -> &Cotangent {
        &self.cotangents[id]
    }

    /// What comes by an operand of an op.
    pub fn flows(&self, src: &Body, by: (OpId, usize)) -> Result<&Flows> {
        self.flows.get(&by).ok_or_else(|| unforeseen(src, by.0))
    }

    /// The same, where it does not come in parts.
    pub fn flow(&self, src: &Body, by: (OpId, usize)) -> Result<Option<Flow>> {
        match self.flows(src, by)? {
            Flows::Nothing => Ok(None),
            Flows::Whole(flow) => Ok(Some(*flow)),
            Flows::Parts(_) => Err(unforeseen(src, by.0)),
        }
    }

    /// When an op need not be transposed. There is none where it surely is.
    pub fn skip(&self, op: OpId) -> Option<&Skip> {
        self.skips.get(&op)
    }

    pub fn call(&self, src: &Body, op: OpId) -> Result<&CallMasks> {
        self.calls.get(&op).ok_or_else(|| unforeseen(src, op))
    }

    pub fn branch(&self, src: &Body, op: OpId) -> Result<&BranchMasks> {
        self.branches.get(&op).ok_or_else(|| unforeseen(src, op))
    }

    pub fn sweep(&self, src: &Body, op: OpId) -> Result<&SweepMasks> {
        self.sweeps.get(&op).ok_or_else(|| unforeseen(src, op))
    }

    /// Of the parts of what flows to an operand of the linear code.
    pub fn input(&self, operand: usize) -> &[Mask] {
        self.inputs.get(&operand).map(Vec::as_slice).unwrap_or_default()
    }
}

fn unforeseen(src: &Body, op: OpId) -> Diagnostic {
    Diagnostic::internal(src.loc(op), format!("{} is transposed otherwise than was foreseen", src.op(op).def.name))
}

/// What flowed to an input or result that `parts` takes apart.
struct SplitFlow {
    /// To the whole, before its parts were looked at.
    whole: PartFlow,
    /// To parts by themselves, by number.
    parts: FxHashMap<usize, PartFlow>,
}

struct Analysis<'a> {
    src: &'a Body,
    function: &'a Unzipped,
    spaces: &'a Spaces,
    callees: &'a Calls,
    /// The derivative is differentiated again.
    differentiated_again: bool,
    /// The cotangent so far of each tangent. Absent means zero.
    now: FxHashMap<ValueId, CotangentId>,
    /// What flowed to inputs and results whose parts were reached by now.
    split: FxHashMap<ValueId, SplitFlow>,
    /// Ops that read an element whose cotangent is dense wherever they run.
    dense_reads: FxHashSet<OpId>,
    /// Ops that write an element of an array to which no other iteration of the loop around writes,
    /// where the array's cotangent is dense after the loop: so the element's is, where the op runs.
    dense_writes: FxHashSet<OpId>,
    masks: ZeroMasks,
}

/// The masks of a linear half whose results' cotangents come as `handed` says. `nested`: its
/// derivative is differentiated again.
#[mutant(Site::FormsShared with handed = Form::UNSURE)]
pub fn find(function: &Unzipped, spaces: &Spaces, callees: &Calls, handed: Form, nested: bool) -> Result<ZeroMasks> {
    let mut analysis = Analysis {
        src: &function.body,
        function,
        spaces,
        callees,
        differentiated_again: nested,
        now: FxHashMap::default(),
        split: FxHashMap::default(),
        dense_reads: FxHashSet::default(),
        dense_writes: FxHashSet::default(),
        masks: ZeroMasks::default(),
    };
    analysis.flow_from_results(handed)?;
    analysis.block(function.linear_block)?;
    analysis.reach_inputs();
    Ok(analysis.masks)
}

impl Analysis<'_> {
    /// The cotangents of the function's active results flow to what gives these results.
    fn flow_from_results(&mut self, handed: Form) -> Result<()> {
        let src = self.src;
        let &Unzipped { linear, linear_block, end, .. } = self.function;
        let bad = |text: &str| Diagnostic::invalid_ir(src.loc(linear), text);
        let yields = src.terminator(linear_block).ok_or_else(|| bad("linear code without a yield"))?;
        let returned: Vec<ValueId> = src.operands(end).iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        // Of a single one without parts there is no flag: the half is called where it has come.
        let flagged = !stage::result_flags(returned.iter().map(|&v| strip_tangent(src.ty(v)))).is_empty();
        let types: Vec<Type> = returned.iter().flat_map(|&v| stage::flagged_parts(strip_tangent(src.ty(v)))).collect();
        let mut known = known::known_by(handed, &types).into_iter();
        for (i, returned) in returned.into_iter().enumerate() {
            let Some(k) = src.results(linear).iter().position(|&r| r == returned) else {
                return Err(bad("a returned tangent that the linear code does not give"));
            };
            let ty = strip_tangent(src.ty(returned));
            let parts: Vec<Known> = known.by_ref().take(stage::flags(ty)).collect();
            let cotangent = self.new_cotangent(None, of_parts(ty, &parts));
            let mut flows = Vec::new();
            for known in parts.into_iter().filter(|_| flagged) {
                let flag = self.masks.predicates.scalar(Condition::Flag);
                self.masks.result_flags.push(flag.condition);
                flows.push(PartFlow { mask: Mask::Masked(flag), known });
            }
            self.flow_parts((end, i), src.operands(yields)[k], cotangent, &flows, Some(linear_block));
        }
        Ok(())
    }

    /// What is known of the cotangents of the function's active inputs.
    fn reach_inputs(&mut self) {
        let (src, function) = (self.src, self.function);
        for &arg in src.args(function.entry).iter().filter(|&&a| is_tangent(src.ty(a))) {
            // An input can reach the linear op as several operands, or not at all.
            let types = stage::flagged_parts(strip_tangent(src.ty(arg)));
            let mut given: Vec<Option<Given>> = vec![None; types.len()];
            for (i, &operand) in src.operands(function.linear).iter().enumerate() {
                let inside = src.args(function.linear_block)[i];
                if operand != arg || !self.now.contains_key(&inside) {
                    continue;
                }
                self.apply(inside);
                let flows: Vec<PartFlow> = (0..types.len()).map(|part| self.part_flow(inside, part)).collect();
                for ((given, &ty), flow) in given.iter_mut().zip(&types).zip(&flows) {
                    let here = Given { known: flow.known.clone(), surely: is_surely_reached(flow.mask) };
                    // It is reached if it is by one of its ways.
                    *given = Some(match given.take() {
                        None => here,
                        Some(other) => {
                            Given { known: other.known.both(ty, &here.known), surely: other.surely || here.surely }
                        }
                    });
                }
                self.masks.inputs.insert(i, flows.into_iter().map(|f| f.mask).collect());
            }
            let given = given.into_iter().map(|given| given.unwrap_or_else(Given::nothing_came));
            self.masks.gives.extend(types.into_iter().zip(given));
        }
    }

    /// The ops of a block whose results' cotangents are known.
    fn block(&mut self, block: BlockId) -> Result<()> {
        let src = self.src;
        for op in src.block_ops(block).into_iter().rev().filter(|&op| is_linear(src, op)) {
            self.op(op)?;
        }
        Ok(())
    }
}

/// What is known of a struct whose flagged parts come behind flags of their own: which parts are
/// exact zeros. Of a single part all is known.
fn of_parts(ty: Type, parts: &[Known]) -> Known {
    if let [one] = parts {
        return one.clone();
    }
    let mut absent = Parts::none();
    for (path, part) in stage::flagged_paths(ty).iter().zip(parts) {
        absent.put(ty, path, &part.absent);
    }
    Known { dense: Parts::none(), absent }
}

#[mutant(Site::FormsSurely => true)]
fn is_surely_reached(mask: Mask) -> bool {
    mask == Mask::Dense
}

/// Whether an op of a block has a transpose: it touches tangents, and does not end the block.
pub fn is_linear(src: &Body, op: OpId) -> bool {
    let data = src.op(op);
    let touches = data.operands.iter().chain(&data.results).any(|&v| is_tangent(src.ty(v)));
    touches && !data.def.is_terminator()
}
