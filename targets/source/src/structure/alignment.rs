//! Which numbers of bytes are whole words: what is read and written there needs no parts of words.
//!
//! This module must not know: any language.

use caustic_dialects::arith;
use caustic_dialects::carried::bounds;
use caustic_dialects::scf;
use caustic_ir::{Body, ValueDef, ValueId};

/// Bytes of a word, as a power of two.
const WORD_BITS: i64 = 2;
/// Ops that a number is looked through.
const DEPTH: u32 = 12;

/// Whether an integer is a multiple of four. That it wraps changes nothing of it.
pub fn counts_words(body: &Body, value: ValueId) -> bool {
    is_whole(body, value, DEPTH)
}

fn is_whole(body: &Body, value: ValueId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let whole = |v: &ValueId| is_whole(body, *v, depth);
    let constant = |v: ValueId| arith::constant_of(body, v).and_then(|c| c.as_int());
    let op = match body.def(value) {
        ValueDef::Result { op, .. } => op,
        ValueDef::Arg { block, index } => {
            // A counter is where it starts, and some steps on.
            let of_loop = body.parent_op(block).filter(|&op| index == 0 && scf::For::is(body, op));
            return of_loop.is_some_and(|op| whole(&bounds(body, op)[0]) && whole(&bounds(body, op)[2]));
        }
    };
    let operands = body.operands(op);
    match body.op(op).def.name {
        arith::Constant::NAME => constant(value).is_some_and(|c| c & ((1 << WORD_BITS) - 1) == 0),
        arith::AddI::NAME | arith::SubI::NAME | arith::OrI::NAME | arith::XOrI::NAME => operands.iter().all(whole),
        arith::MulI::NAME | arith::AndI::NAME => operands.iter().any(whole),
        arith::ShLI::NAME => {
            whole(&operands[0]) || constant(operands[1]).is_some_and(|by| (WORD_BITS..32).contains(&by))
        }
        arith::Select::NAME => operands[1..].iter().all(whole),
        arith::ExtSI::NAME
        | arith::ExtUI::NAME
        | arith::TruncI::NAME
        | arith::IndexCast::NAME
        | arith::IndexCastUI::NAME => operands.iter().all(whole),
        _ => false,
    }
}
