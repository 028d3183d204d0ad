//! Lanes of a wave on a GPU that have the same value, the *peers* of each other: which they are,
//! and their sums.
//!
//! The machine finds peers by one instruction for 32 or 64 bits (`match.any`). Sums of peers take
//! as many rounds as the most peers have bits in their number, whatever the number of different
//! values: in each, every lane adds what its next peer has, then every second peer leaves (E.
//! Westphal, "Voting and shuffling to optimize atomic operations", 2015). Lanes without peers cost
//! the match and one vote.

use crate::converge::{self, Gpus, Waves};
use crate::ir::{FloatCc, IntCc, Opcode, Value};
use crate::lanes;
use caustic_codegen::Flat;
use caustic_dialects::arith;
use caustic_ir::{Diagnostic, OpId, ValueId};
use caustic_native::Leaf;

/// The mask of the lanes that have the same value, in all components.
pub fn matching(w: &mut Waves<'_>, mask: Value, own: &[Value]) -> Value {
    let zero = w.int(0);
    own.iter().fold(mask, |found, &value| {
        let mut bits = value;
        let mut is_number = None;
        if w.leaf.is_float() {
            // Equal as by `==`: zeros of both signs are, NaN is not even to itself.
            let nothing = w.zero();
            let is_zero = w.ir.fcmp(FloatCc::LLVMRealOEQ, value, nothing);
            let number = w.ir.select(is_zero, nothing, value);
            let ty = w.ir.ty(w.leaf.bits_leaf());
            bits = w.ir.cast(Opcode::LLVMBitCast, number, ty);
            is_number = Some(w.same(value, value));
        }
        let leaf = w.leaf.bits_leaf();
        let mut same = matching_bits(w, mask, leaf, bits);
        if let Some(is_number) = is_number {
            same = w.ir.select(is_number, same, zero);
        }
        w.ir.binary(Opcode::LLVMAnd, found, same)
    })
}

/// The mask of the lanes that have the same bits.
fn matching_bits(w: &mut Waves<'_>, mask: Value, leaf: Leaf, bits: Value) -> Value {
    if leaf == Leaf::I64 {
        return w.ir.intrinsic("llvm.nvvm.match.any.sync.i64", &[], &[mask, bits]);
    }
    let bits = lanes::resize(w.ir, leaf, Leaf::I32, bits, false);
    w.ir.intrinsic("llvm.nvvm.match.any.sync.i32", &[], &[mask, bits])
}

/// Of the lanes that take part and have the same key, the first gets the sums.
pub fn sums_by_key<'m>(emit: &mut Gpus<'_, 'm>, op: OpId, operands: &[Flat<Value>]) -> Result<(), Diagnostic> {
    let malformed = || Diagnostic::internal(emit.loc, "a malformed sum by key");
    let scalars: Vec<Value> = operands.iter().filter_map(|v| v.first().copied()).collect();
    let &[takes, key, ref values @ ..] = &scalars[..] else { return Err(malformed()) };
    let named = emit.body.operands(op);
    let (key_leaf, leaf, ty) = (emit.leaf_of(named[1])?, emit.leaf_of(named[2])?, emit.ty(named[2]));
    let function = emit.a.function;
    let mask = converge::mask(emit, op)?;
    let mut w = Waves { ir: &mut emit.a.unit.ir, function, leaf };
    let known = |v: ValueId| arith::constant_of(emit.body, v);
    let all_take = known(named[0]).is_some_and(|c| c.as_bool() == Some(true)) && known(named[1]).is_some();
    let results = if all_take {
        of_all(&mut w, ty, mask, values)
    } else {
        of_mask(&mut w, ty, mask, (takes, key_leaf, key), values)
    };
    let results = results.ok_or_else(|| Diagnostic::internal(emit.loc, "no such sum"))?;
    for (&result, value) in emit.body.results(op).iter().zip(results) {
        emit.set(result, Flat::from_slice(&[value]));
    }
    Ok(())
}

/// The same where all lanes take part with one key: no search, and lanes one after the other, which
/// is less code.
fn of_all(w: &mut Waves<'_>, ty: caustic_ir::Type, mask: Value, values: &[Value]) -> Option<Vec<Value>> {
    let (me, first) = (w.me(), w.first(mask));
    let leads = w.ir.icmp(IntCc::LLVMIntEQ, me, first);
    let (sums, zero) = (w.sums_of_all(ty, mask, values)?, w.zero());
    let sums: Vec<Value> = sums.into_iter().map(|sum| w.ir.select(leads, sum, zero)).collect();
    Some([&[leads], &sums[..]].concat())
}

/// The same for the lanes of a mask: whether a lane is the first, then its sums.
fn of_mask(
    w: &mut Waves<'_>,
    ty: caustic_ir::Type,
    mask: Value,
    (takes, key_leaf, key): (Value, Leaf, Value),
    values: &[Value],
) -> Option<Vec<Value>> {
    let (none, one) = (w.int(0), w.int(1));
    let same = matching_bits(w, mask, key_leaf, key);
    let taking = w.vote("ballot", mask, takes);
    let peers = w.ir.binary(Opcode::LLVMAnd, same, taking);
    let peers = w.ir.select(takes, peers, none);
    let before = w.ir.intrinsic("llvm.nvvm.read.ptx.sreg.lanemask.lt", &[], &[]);
    let behind = w.ir.intrinsic("llvm.nvvm.read.ptx.sreg.lanemask.gt", &[], &[]);
    let (before, rest) = (w.ir.binary(Opcode::LLVMAnd, peers, before), w.ir.binary(Opcode::LLVMAnd, peers, behind));
    let word = w.ir.ty(Leaf::I32);
    let rank = w.ir.intrinsic("llvm.ctpop", &[word], &[before]);
    let is_first = w.ir.icmp(IntCc::LLVMIntEQ, before, none);
    let leads = w.ir.binary(Opcode::LLVMAnd, takes, is_first);

    let (head, round, done) = (w.block(), w.block(), w.block());
    let scalar = w.ir.ty(w.leaf);
    let rest_now = w.ir.phi(head, word);
    let rank_now = w.ir.phi(head, word);
    let sums: Vec<Value> = values.iter().map(|_| w.ir.phi(head, scalar)).collect();
    w.ir.jump(head, &[&[rest, rank], values].concat());
    w.ir.switch_to(head);
    let has_next = w.ir.icmp(IntCc::LLVMIntNE, rest_now, none);
    let go_on = w.vote("any", mask, has_next);
    w.ir.branch(go_on, (round, &[]), (done, &[]));
    w.ir.switch_to(round);
    let next = w.first(rest_now);
    let me = w.me();
    let next = w.ir.select(has_next, next, me);
    let mut added = Vec::new();
    for &sum in &sums {
        let theirs = w.of_lane(mask, sum, next);
        let both = w.combine("add", ty, sum, theirs)?;
        added.push(w.ir.select(has_next, both, sum));
    }
    // Whoever has an odd rank has been added to its neighbour.
    let odd = w.ir.binary(Opcode::LLVMAnd, rank_now, one);
    let odd = w.ir.icmp(IntCc::LLVMIntNE, odd, none);
    let odd = w.vote("ballot", mask, odd);
    let all = w.int(-1);
    let even = w.ir.binary(Opcode::LLVMXor, odd, all);
    let left = w.ir.binary(Opcode::LLVMAnd, rest_now, even);
    let rank = w.ir.binary(Opcode::LLVMLShr, rank_now, one);
    w.ir.jump(head, &[&[left, rank], &added[..]].concat());
    w.ir.switch_to(done);
    let zero = w.zero();
    let sums = sums.into_iter().map(|sum| w.ir.select(leads, sum, zero)).collect::<Vec<_>>();
    Some([&[leads], &sums[..]].concat())
}
