//! Rewrites of `scf.if` and `scf.index_switch`, and of choices under one condition.

use crate::analysis::access::{build_zero, is_zero};
use crate::optimize::rewrite::{Rewriter, rewrites};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::carried::{branch_ends, defined_outside, remove_branch_results};
use caustic_dialects::{arith, scf, simt};
use caustic_ir::{Attr, Builder, Effects, OpId, Type, Use, ValueId};
use smallvec::SmallVec;

/// A condition with more readers than this is not followed into the branches.
const MANY_USES: usize = 128;
/// Uses that are followed from a choice to those that cover it.
const COVERED_USES: usize = 48;

rewrites! {
    pub static REWRITES: [
        "branch-known" Exact [scf::If, scf::IndexSwitch] "a branch on a constant => the region it takes" branch_known;
        "branch-empty" Exact [scf::If, scf::IndexSwitch] "a branch whose regions do nothing => nothing" branch_empty;
        "branch-same" Exact [scf::If, scf::IndexSwitch] "a result that is the same in all regions => that value" branch_same;
        "branch-unused" Exact [scf::If, scf::IndexSwitch] "a branch with results that nobody reads => without them" branch_unused;
        "branch-to-select" Exact [scf::If] "if c yield x else yield y => c ? x : y, for values from outside" branch_to_select;
        "condition-known" Exact [scf::If] "c within `if c` => true, in its other region => false" condition_known;
        "choice-known" Exact [scf::If] "c ? x : y within `if c` => x, in its other region => y" choice_known;
        "choice-covered" Exact [arith::Select] "c ? x : y of which only `c ? … : z` is made => x" choice_covered;
        "parts-of-condition-known" Exact [scf::If] "a within `if (a and b)` => true; in the other region of `if (a or b)` => false" parts_of_condition_known;
    ]
}

fn branch_known(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(value) = arith::constant_of(r.body, r.body.operand(op, 0)).and_then(|a| a.as_int()) else { return false };
    if branch_ends(r.body, op).is_none() {
        return false;
    }
    let region = scf::chosen_region(r.body, op, value);
    if r.body.region_block(op, region).is_none() {
        // The missing else of an if without results.
        let nothing = scf::If::is(r.body, op) && r.body.results(op).is_empty();
        return nothing && r.replace_op(op, &[]);
    }
    let Some(values) = r.inline_region(op, region, &[]) else { return false };
    r.replace_op(op, &values)
}

fn branch_empty(r: &mut Rewriter<'_>, op: OpId) -> bool {
    if !r.body.results(op).is_empty() {
        return false;
    }
    let Some(ends) = branch_ends(r.body, op) else { return false };
    // A rewrite that gives no values is wrong by what it takes away.
    let empty = r.wrong || ends.iter().all(|&end| r.body.prev_op(end).is_none());
    empty && r.replace_op(op, &[])
}

/// A value that can be made again anywhere.
#[derive(PartialEq, Clone, Copy)]
enum Remade {
    Constant(Attr),
    Zero(Type),
}

fn remade(r: &Rewriter<'_>, value: ValueId) -> Option<Remade> {
    if let Some(attr) = arith::constant_of(r.body, value) {
        return Some(Remade::Constant(attr));
    }
    is_zero(r.body, value).then(|| Remade::Zero(r.body.ty(value)))
}

fn make_again(r: &mut Rewriter<'_>, op: OpId, what: Remade) -> Option<ValueId> {
    match what {
        Remade::Constant(attr) => r.constant(op, attr),
        Remade::Zero(ty) => Some(build_zero(&mut r.before(op), ty)),
    }
}

fn branch_same(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(ends) = branch_ends(r.body, op) else { return false };
    let mut changed = false;
    for k in 0..r.body.results(op).len() {
        let result = r.body.result(op, k);
        if r.body.is_unused(result) {
            continue;
        }
        let yielded: Vec<ValueId> = ends.iter().map(|&end| r.body.operand(end, k)).collect();
        let first = yielded[0];
        let same = yielded.iter().all(|&v| v == first) && defined_outside(r.body, first, op);
        let value = if same {
            Some(first)
        } else {
            let again = remade(r, first).filter(|&a| yielded[1..].iter().all(|&v| remade(r, v) == Some(a)));
            match again {
                Some(again) => make_again(r, op, again),
                None => condition_as_value(r, op, &yielded),
            }
        };
        if let Some(value) = value {
            r.replace_value(result, value);
            changed = true;
        }
    }
    changed
}

/// `if c yield true else yield false` is c.
fn condition_as_value(r: &mut Rewriter<'_>, op: OpId, yielded: &[ValueId]) -> Option<ValueId> {
    if !scf::If::is(r.body, op) {
        return None;
    }
    let known = |v: ValueId| arith::constant_of(r.body, v).and_then(|a| a.as_bool());
    let condition = r.body.operand(op, 0);
    match (known(yielded[0])?, known(*yielded.get(1)?)?) {
        (true, false) => Some(condition),
        (false, true) => {
            let mut b = r.before(op);
            let one = arith::bool(&mut b, true);
            Some(arith::XOrI::build(&mut b, condition, one, &[]))
        }
        _ => None,
    }
}

fn branch_unused(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(ends) = branch_ends(r.body, op) else { return false };
    let unused: Vec<bool> = r.body.results(op).iter().map(|&v| r.body.is_unused(v)).collect();
    if !unused.contains(&true) {
        return false;
    }
    if r.wrong && !unused.contains(&false) {
        return r.replace_op(op, &[]);
    }
    let lost: Vec<ValueId> = ends.iter().flat_map(|&end| r.body.operands(end).to_vec()).collect();
    remove_branch_results(r.body, op, &ends, &|k| unused[k]);
    lost.into_iter().for_each(|v| r.touch_def(v));
    true
}

/// Values that are computed whether the branch is taken or not. For linear code and before
/// differentiation this is also the form whose derivative keeps an exact zero for what is not
/// taken.
fn branch_to_select(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(ends) = branch_ends(r.body, op) else { return false };
    let [then, otherwise] = ends[..] else { return false };
    let condition = r.body.operand(op, 0);
    let mut changed = false;
    for k in 0..r.body.results(op).len() {
        let result = r.body.result(op, k);
        let ty = r.body.ty(result);
        let (x, y) = (r.body.operand(then, k), r.body.operand(otherwise, k));
        let selectable = ty.is_scalar() || ty.is_vector() || is_tangent(ty);
        if !selectable || r.body.is_unused(result) {
            continue;
        }
        let (Some(x), Some(y)) = (outside_value(r, x, op), outside_value(r, y, op)) else { continue };
        let (x, y) = (place(r, x, op), place(r, y, op));
        let (Some(x), Some(y)) = (x, y) else { continue };
        let mut b = r.before(op);
        let value = match is_tangent(ty) {
            true => ad::TSelect::build(&mut b, condition, x, y, &[]),
            false => arith::Select::build(&mut b, condition, x, y, &[]),
        };
        r.replace_value(result, value);
        changed = true;
    }
    changed
}

enum Outside {
    Value(ValueId),
    Again(Remade),
}

fn outside_value(r: &Rewriter<'_>, value: ValueId, op: OpId) -> Option<Outside> {
    if defined_outside(r.body, value, op) {
        return Some(Outside::Value(value));
    }
    remade(r, value).map(Outside::Again)
}

fn place(r: &mut Rewriter<'_>, value: Outside, op: OpId) -> Option<ValueId> {
    match value {
        Outside::Value(value) => Some(value),
        Outside::Again(what) => make_again(r, op, what),
    }
}

/// The uses of a value within a region of an op; none of a value with many.
fn uses_within(r: &Rewriter<'_>, value: ValueId, op: OpId, region: usize) -> Vec<Use> {
    let Some(block) = r.body.region_block(op, region) else { return Vec::new() };
    let uses = r.body.uses(value);
    if uses.len() > MANY_USES {
        return Vec::new();
    }
    let inside = |u: &&Use| r.body.op(u.op).block.is_some_and(|b| r.body.is_block_within(b, block));
    uses.iter().filter(inside).copied().collect()
}

/// Reads another value in the place of one, within a region of an op; whether it was read there.
fn replace_within(r: &mut Rewriter<'_>, value: ValueId, other: ValueId, (op, region): (OpId, usize)) -> bool {
    let inside = uses_within(r, value, op, region);
    for u in &inside {
        r.body.set_operand(u.op, u.index as usize, other);
        r.touch(u.op);
    }
    if !inside.is_empty() {
        r.touch_def(value);
    }
    !inside.is_empty()
}

fn condition_known(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let condition = r.body.operand(op, 0);
    if r.body.uses(condition).len() < 2 {
        return false;
    }
    let (then, otherwise) = (!r.wrong, r.wrong);
    let known = known_within(r, condition, then, (op, 0));
    known_within(r, condition, otherwise, (op, 1)) || known
}

/// Reads a truth value in the place of a condition, within a region of an op.
fn known_within(r: &mut Rewriter<'_>, condition: ValueId, value: bool, (op, region): (OpId, usize)) -> bool {
    if arith::constant_of(r.body, condition).is_some() || uses_within(r, condition, op, region).is_empty() {
        return false;
    }
    let Some(block) = r.body.region_block(op, region) else { return false };
    let (first, loc) = (r.body.first_op(block), r.body.loc(op));
    let known = arith::bool(&mut Builder { body: r.body, block, before: first, loc }, value);
    replace_within(r, condition, known, (op, region))
}

fn choice_known(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let condition = r.body.operand(op, 0);
    let uses = r.body.uses(condition);
    if uses.len() < 2 || uses.len() > MANY_USES {
        return false;
    }
    let chosen = uses.iter().filter(|u| u.index == 0 && arith::Select::is(r.body, u.op)).map(|u| u.op);
    let mut changed = false;
    for select in chosen.collect::<Vec<_>>() {
        for region in 0..2 {
            let taken = r.body.operand(select, if r.wrong { 2 - region } else { 1 + region });
            changed |= replace_within(r, r.body.result(select, 0), taken, (op, region));
        }
    }
    changed
}

/// Derivatives make such choices: each partial has its own, and so has the sum at the end.
fn choice_covered(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let condition = r.body.operand(op, 0);
    // Without another choice under the condition nothing covers this one.
    let choices = r.body.uses(condition).iter().filter(|u| u.index == 0 && arith::Select::is(r.body, u.op));
    if choices.take(2).count() < 2 {
        return false;
    }
    let taken = r.body.operand(op, if r.wrong { 2 } else { 1 });
    let mut work: SmallVec<[Use; 16]> = r.body.uses(r.body.result(op, 0)).iter().copied().collect();
    let mut seen: SmallVec<[OpId; 16]> = SmallVec::new();
    if work.is_empty() {
        return false;
    }
    let mut left = COVERED_USES;
    while let Some(u) = work.pop() {
        let covers = arith::Select::is(r.body, u.op) && u.index == 1 && r.body.operand(u.op, 0) == condition;
        if covers || seen.contains(&u.op) {
            continue;
        }
        let data = r.body.op(u.op);
        let computes = data.def.effects == Effects::Pure && data.regions.is_empty() && !data.results.is_empty();
        // What other threads read is not covered by a condition of this one.
        if !computes || simt::is_thread_op(data.def) || left == 0 {
            return false;
        }
        left -= 1;
        seen.push(u.op);
        work.extend(data.results.iter().flat_map(|&v| r.body.uses(v).iter().copied()));
    }
    r.replace_op(op, &[taken])
}

fn parts_of_condition_known(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(joins) = r.body.def_op(r.body.operand(op, 0)) else { return false };
    // Where both hold, and where none does.
    let (region, value) = match () {
        () if arith::AndI::is(r.body, joins) => (0, true),
        () if arith::OrI::is(r.body, joins) => (1, false),
        () => return false,
    };
    let parts = r.body.operands(joins).to_vec();
    let value = value != r.wrong;
    let mut changed = false;
    for part in parts {
        changed |= known_within(r, part, value, (op, region));
    }
    changed
}
