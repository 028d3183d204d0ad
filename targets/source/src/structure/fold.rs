//! Which values are written where they are used, as parts of larger expressions.
//!
//! A value that is used once, is computed without an effect and has no name of the programmer's
//! goes into its user. What costs nothing to write again (constants, ids, fields and components,
//! names of resources) goes into all of them. Everything else is a variable.
//!
//! Invariant: an expression stands where it gives what its op gives: no loop lies between that the
//! op is not in, and, if it reads memory, nothing between that writes. That the variables it reads
//! still hold the same there is for `variables` to see to, which is told where it stands
//! ([`Folding::sites`]).

use super::Module;
use super::effects::Effect;
use super::order::{Order, ancestor_in, loops_between, parent};
use super::signature::Plan;
use crate::ops;
use crate::types::Ty;
use caustic_dialects::{agg, arith, func, gpu, scf, simt, tex, vector};
use caustic_ir::op::Effects;
use caustic_ir::{AttrKind, Body, OpId, Use, ValueDef, ValueId};

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Variable,
    /// In its only use.
    Once,
    /// In each use.
    Always,
}

pub struct Folding {
    values: Vec<Fold>,
    /// Ops of two regions that are choices between expressions.
    choices: Vec<bool>,
}

/// What folding has to know of an op.
enum Sort {
    /// It is no expression.
    Statement,
    /// It costs nothing to write.
    Free,
    /// A part of its first operand, or that in another type.
    Access,
    Pure,
    Reads,
}

fn sort(body: &Body, op: OpId, module: &Module<'_>, choices: &[bool]) -> Sort {
    let data = body.op(op);
    let [result] = data.results[..] else { return Sort::Statement };
    let handle = matches!(Ty::of(body.ty(result), false), Some(Ty::Handle(_)));
    let is_static = |indices: &[ValueId]| if indices.is_empty() { Sort::Access } else { Sort::Pure };
    if let Some(view) = agg::AggView::of(body, op) {
        use agg::AggView as V;
        return match view {
            V::Global(_) | V::Zero(_) => Sort::Free,
            V::BufferLen(_) | V::View(_) => Sort::Access,
            V::Extract(v) => is_static(v.indices(body)),
            V::GlobalElement(_) if handle => Sort::Access,
            V::GlobalElement(_) | V::Make(_) | V::Length(_) => Sort::Pure,
            V::BufferLoad(_) => Sort::Reads,
            V::Insert(_)
            | V::BufferCount(_)
            | V::BufferStore(_)
            | V::CheckBounds(_)
            | V::CheckIndex(_)
            | V::Resource(_) => Sort::Statement,
        };
    }
    if let Some(view) = agg::StorageView::of(body, op) {
        use agg::StorageView as V;
        return match view {
            V::GlobalSlot(_) => Sort::Free,
            V::Load(_) | V::SlotLength(_) => Sort::Reads,
            V::Alloca(_) | V::Store(_) | V::Clear(_) | V::Copy(_) | V::ReadBuffer(_) | V::WriteBuffer(_) => {
                Sort::Statement
            }
        };
    }
    if let Some(view) = agg::PointerView::of(body, op) {
        return match view {
            agg::PointerView::Address(_) => Sort::Free,
            agg::PointerView::Pointee(_) => Sort::Access,
        };
    }
    match vector::AccessView::of(body, op) {
        Some(vector::AccessView::Extract(v)) => return is_static(v.dynamic_position(body)),
        Some(vector::AccessView::Insert(_)) => return Sort::Statement,
        None => {}
    }
    if arith::Constant::is(body, op) || simt::AggregationOf::is(body, op) {
        return Sort::Free;
    }
    if let Some(view) = gpu::IdView::of(body, op) {
        return if matches!(view, gpu::IdView::Printf(_)) { Sort::Statement } else { Sort::Free };
    }
    if scf::If::is(body, op) {
        if !choices[op.index()] {
            return Sort::Statement;
        }
        return if module.summary.all(body, op) == Effect::Pure { Sort::Pure } else { Sort::Reads };
    }
    if func::Call::is(body, op) {
        return match module.summary.op(body, op) {
            _ if module.callee(body, op).is_none_or(Plan::takes_places) => Sort::Statement,
            Effect::Pure => Sort::Pure,
            Effect::Reads => Sort::Reads,
            Effect::Writes => Sort::Statement,
        };
    }
    if tex::TexView::of(body, op).is_some() {
        return if data.def.effects == Effects::Writes { Sort::Statement } else { Sort::Reads };
    }
    let cheap = arith::IndexCast::is(body, op) || arith::IndexCastUI::is(body, op) || vector::Broadcast::is(body, op);
    match () {
        () if cheap => Sort::Access,
        () if ops::rows_of(data.def).next().is_some() && data.def.is_pure() => Sort::Pure,
        () if vector::ShapeView::of(body, op).is_some() || arith::CmpView::of(body, op).is_some() => Sort::Pure,
        () => Sort::Statement,
    }
}

impl Folding {
    pub fn of(body: &Body, order: &Order, module: &Module<'_>) -> Folding {
        let mut folding =
            Folding { values: vec![Fold::Variable; body.num_values()], choices: vec![false; body.num_ops()] };
        // Users come before what they use, and what is in a region before the op around it.
        for &op in order.ops.iter().rev() {
            folding.choices[op.index()] = folding.is_choice(body, op);
            if let [result] = body.results(op)[..] {
                folding.values[result.index()] = folding.decide(body, op, result, module);
            }
        }
        // An access was taken to be one of a variable. Of an expression it is written once.
        for &op in &order.ops {
            let [result] = body.results(op)[..] else { continue };
            let Some(&of) = body.operands(op).first() else { continue };
            let access = matches!(sort(body, op, module, &folding.choices), Sort::Access);
            if access && folding.values[result.index()] == Fold::Always && folding.values[of.index()] == Fold::Once {
                let sites = folding.sites(body, result).len();
                if sites > 1 {
                    folding.values[of.index()] = Fold::Variable;
                }
            }
        }
        folding
    }

    pub fn value(&self, value: ValueId) -> Fold {
        self.values[value.index()]
    }

    /// Whether the op, a branch, is written as a choice between expressions.
    pub fn is_choice_op(&self, op: OpId) -> bool {
        self.choices[op.index()]
    }

    /// Whether nothing is written for the op where it stands.
    pub fn is_folded(&self, body: &Body, op: OpId) -> bool {
        matches!(body.results(op), [result] if self.value(*result) != Fold::Variable)
    }

    fn decide(&self, body: &Body, op: OpId, result: ValueId, module: &Module<'_>) -> Fold {
        let named = body.value(result).hint.is_some();
        let uses = body.uses(result);
        let handle = matches!(Ty::of(body.ty(result), false), Some(Ty::Handle(_)));
        match sort(body, op, module, &self.choices) {
            Sort::Statement => Fold::Variable,
            // A number is shared by all that compute with it: whatever name it has is not theirs.
            Sort::Free if named && arith::Constant::is(body, op) && !is_number(body, result) => Fold::Variable,
            Sort::Free => Fold::Always,
            Sort::Access if handle || is_own(body, op, result) => Fold::Always,
            Sort::Access if !named => Fold::Always,
            Sort::Access | Sort::Pure | Sort::Reads if named || uses.len() != 1 => Fold::Variable,
            Sort::Access => Fold::Once,
            sort @ (Sort::Pure | Sort::Reads) => {
                let reads = matches!(sort, Sort::Reads);
                let sites = self.sites(body, result);
                let [site] = sites[..] else { return Fold::Variable };
                let stays = !takes_parts(body, uses[0].op) && self.may_stand_at(body, op, site, reads, module);
                if stays { Fold::Once } else { Fold::Variable }
            }
        }
    }

    /// Whether what `op` computes may be computed at `site`.
    fn may_stand_at(&self, body: &Body, op: OpId, site: Use, reads: bool, module: &Module<'_>) -> bool {
        let Some(block) = body.op(op).block else { return false };
        if loops_between(body, site.op, block).is_none_or(|loops| !loops.is_empty()) {
            return false;
        }
        if !reads {
            return true;
        }
        let Some(top) = ancestor_in(body, site.op, block) else { return false };
        // The end of a loop that counts is looked at in each iteration.
        let is_bound = scf::For::is(body, site.op) && BOUND.contains(&site.index);
        if is_bound || (top != site.op && module.summary.all(body, top) == Effect::Writes) {
            return false;
        }
        let mut next = body.next_op(op);
        while let Some(between) = next.filter(|&between| between != top) {
            if module.summary.all(body, between) == Effect::Writes {
                return false;
            }
            next = body.next_op(between);
        }
        true
    }

    /// The statements in which a value is written, as part of which of their operands.
    pub fn sites(&self, body: &Body, value: ValueId) -> Vec<Use> {
        let mut sites = Vec::new();
        let mut seen: Vec<OpId> = Vec::new();
        let mut open: Vec<Use> = body.uses(value).to_vec();
        while let Some(site) = open.pop() {
            // What ends a branch that is a choice stands where the choice does.
            let choice = parent(body, site.op).filter(|&p| scf::Yield::is(body, site.op) && self.choices[p.index()]);
            let through = choice.unwrap_or(site.op);
            if self.is_folded(body, through) {
                if !seen.contains(&through) {
                    seen.push(through);
                    open.extend(body.uses(body.result(through, 0)));
                }
            } else if sites.len() < MOST_SITES && !sites.contains(&site) {
                sites.push(Use { op: through, index: if choice.is_some() { 0 } else { site.index } });
            }
        }
        sites
    }

    /// Whether a branch is a choice between two expressions: all in it is written in what it
    /// yields.
    fn is_choice(&self, body: &Body, op: OpId) -> bool {
        if !scf::If::is(body, op) || body.results(op).len() != 1 {
            return false;
        }
        let storage = Ty::of(body.ty(body.result(op, 0)), false);
        if !matches!(storage, Some(Ty::Scalar(_) | Ty::Vector { .. } | Ty::Struct(_))) {
            return false;
        }
        (0..2).all(|region| {
            let Some(block) = body.region_block(op, region) else { return false };
            let ops = body.block_ops(block);
            let Some((end, rest)) = ops.split_last() else { return false };
            let short = rest.len() <= LARGEST_CHOICE;
            short && scf::Yield::is(body, *end) && rest.iter().all(|&inner| self.is_folded(body, inner))
        })
    }
}

/// Whether a constant is a number, or the same one in each component.
fn is_number(body: &Body, value: ValueId) -> bool {
    let constant = body.def_op(value).and_then(|op| arith::Constant::cast(body, op)).and_then(|c| c.value(body));
    let alike = constant.is_some_and(|attr| match attr.kind() {
        AttrKind::Dense(items, _) => items.iter().all(|item| Some(item) == items.first()),
        _ => false,
    });
    alike || matches!(Ty::of(body.ty(value), false), Some(Ty::Scalar(_)))
}

/// Whether a part of a parameter is called as the parameter is: a pair's value, which needs no
/// variable of its own.
fn is_own(body: &Body, op: OpId, result: ValueId) -> bool {
    let Some(&of) = body.operands(op).first() else { return false };
    let name = body.value(of).hint;
    let is_parameter = matches!(body.def(of), ValueDef::Arg { block, .. } if body.entry() == Some(block));
    is_parameter && name.is_some() && name == body.value(result).hint
}

/// Whether an op is written as several parts of its operand, which is a variable then.
fn takes_parts(body: &Body, op: OpId) -> bool {
    use vector::ShapeView as V;
    match vector::ShapeView::of(body, op) {
        Some(V::ShapeCast(_) | V::Transpose(_) | V::Reduction(_)) => true,
        Some(V::Broadcast(_) | V::FromElements(_)) | None => false,
    }
}

/// The operands of a loop that counts which are looked at in each iteration.
pub const BOUND: std::ops::Range<u32> = 1..3;

/// The most places that a value is looked for in; what has more is read to the end anyway.
const MOST_SITES: usize = 4096;

/// Ops in a branch that is written as a choice.
const LARGEST_CHOICE: usize = 8;
