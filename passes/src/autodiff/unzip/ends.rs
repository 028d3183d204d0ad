//! What an iteration hands on, if another one follows.
//!
//! A `break` or a `return` in a loop has become a flag that the loop carries and whose condition
//! asks for it: what follows in the body stands behind the flag, steps of counters and of
//! generators too. Where the flag is set no iteration follows, so what the next one gets is what
//! they are without it.

use crate::mutants::{Site, mutant};
use caustic_dialects::{arith, scf};
use caustic_ir::{BlockId, Body, OpId, Type, ValueDef, ValueId};

/// How far conditions are followed.
const MOST_STEPS: usize = 6;

/// `next` as the iteration after gets it: of selects, and of branches if it may be a value that
/// stands in one, by flags that end the loop `op`, whose body is `block`, the side that goes on.
pub fn going_on(body: &Body, op: OpId, block: BlockId, mut next: ValueId, in_branches: bool) -> ValueId {
    while let Some((condition, sides)) = sides(body, next, in_branches) {
        next = match () {
            _ if ends(body, op, block, condition, true) => side_where(sides, false),
            _ if ends(body, op, block, condition, false) => side_where(sides, true),
            _ => break,
        };
    }
    next
}

/// The side of a condition that is `holds`.
#[mutant(Site::UnzipEndsFlipped with holds = !holds)]
fn side_where(sides: [ValueId; 2], holds: bool) -> ValueId {
    sides[usize::from(!holds)]
}

/// What a value is where a condition holds, and where it does not.
fn sides(body: &Body, value: ValueId, in_branches: bool) -> Option<(ValueId, [ValueId; 2])> {
    let ValueDef::Result { op, index } = body.def(value) else { return None };
    if arith::Select::is(body, op) {
        return Some((body.operand(op, 0), [body.operand(op, 1), body.operand(op, 2)]));
    }
    let arm = |k: usize| body.operands(body.terminator(body.region_block(op, k)?)?).get(index as usize).copied();
    (in_branches && scf::If::is(body, op)).then(|| Some((body.operand(op, 0), [arm(0)?, arm(1)?])))?
}

/// Whether no iteration follows one in which `condition` is `when`.
fn ends(body: &Body, op: OpId, block: BlockId, condition: ValueId, when: bool) -> bool {
    let Some(before) = body.region_block(op, 0).filter(|_| scf::While::is(body, op)) else { return false };
    let (Some(asks), Some(end)) = (body.terminator(before), body.terminator(block)) else { return false };
    let Some(&goes_on) = body.operands(asks).first() else { return false };
    let mut flags = body.operands(end).iter().zip(body.args(before));
    flags.any(|(&yielded, &arg)| {
        body.ty(arg) == Type::i1()
            && [true, false].into_iter().any(|is| {
                implies(body, (condition, when), (yielded, is), MOST_STEPS)
                    && implies(body, (arg, is), (goes_on, false), MOST_STEPS)
            })
    })
}

/// Whether `then` has its value wherever `given` has the one it is given with.
fn implies(body: &Body, given: (ValueId, bool), then: (ValueId, bool), depth: usize) -> bool {
    let (value, is) = then;
    if given == then {
        return true;
    }
    if let Some(constant) = arith::constant_of(body, value).and_then(|a| a.as_bool()) {
        return constant == is;
    }
    let ValueDef::Result { op, .. } = body.def(value) else { return false };
    let Some(depth) = depth.checked_sub(1) else { return false };
    let of = |operand: ValueId, is: bool| implies(body, given, (operand, is), depth);
    match *body.operands(op) {
        [a, b] if arith::AndI::is(body, op) => {
            if is {
                of(a, true) && of(b, true)
            } else {
                of(a, false) || of(b, false)
            }
        }
        [a, b] if arith::OrI::is(body, op) => {
            if is {
                of(a, true) || of(b, true)
            } else {
                of(a, false) && of(b, false)
            }
        }
        [a, b] if arith::XOrI::is(body, op) => {
            let constant = |v: ValueId| arith::constant_of(body, v).and_then(|c| c.as_bool());
            constant(b).is_some_and(|b| of(a, is != b)) || constant(a).is_some_and(|a| of(b, is != a))
        }
        _ => sides(body, value, true).is_some_and(|(condition, values)| {
            // A condition that stands in a branch is one where that was taken.
            let within = |arm: usize| {
                let of_arm = body.region_block(op, arm);
                of_arm.zip(body.def_block(given.0)).is_some_and(|(arm, at)| body.is_block_within(at, arm))
            };
            (0..2).all(|k| of(condition, k == 1) || within(1 - k) || of(values[k], is))
        }),
    }
}
