//! Pointers: the address of a buffer as a number, and the buffer that a number leads to.
//!
//! An address is 64 bits: the number of the buffer, counted from 1, above [`OFFSET_BITS`] bits of
//! offset in bytes. So pointers are kept, compared, moved and cast like any number, zero is null,
//! and nothing outside of a buffer can be reached: what an address leads to is looked up among the
//! buffers of the run and starts at the offset.

use super::{BUFFER, as_array, as_buffer, is_pointee};
use crate::reflect::PRIVATE;
use caustic_ir::eval::{Eval, EvalResult, Machine, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Body, Diagnostic, OpId, SymbolOp, Type, ops};

/// How many of an address's bits, the lowest, are the offset in bytes.
pub const OFFSET_BITS: u32 = 40;

/// The address of byte `offset` of the buffer of that number.
pub fn address_of(number: u64, offset: u64) -> i64 {
    (number.wrapping_add(1) << OFFSET_BITS).wrapping_add(offset) as i64
}

/// The number of a buffer, which may not exist, and the offset in it.
pub fn split_address(address: i64) -> (u64, u64) {
    let address = address as u64;
    ((address >> OFFSET_BITS).wrapping_sub(1), address & ((1 << OFFSET_BITS) - 1))
}

/// How many cells private memory has, unless it has but one, which is a buffer like any other.
///
/// An address in it is that of a cell's number, shifted by [`cell_shift`], with the offset in the
/// cell: so there is as much room between two cells as there can be, and what has left one is in
/// none.
pub fn private_cells(resource: &SymbolOp) -> Option<u64> {
    resource.attr(PRIVATE)?;
    let (contents, _) = as_buffer(resource.attr("type")?.as_type()?)?;
    as_array(contents).map(|(count, _)| count).filter(|&count| count > 1)
}

/// The bits of an address below the number of a cell, of so many.
pub fn cell_shift(cells: u64) -> u32 {
    OFFSET_BITS - (u64::BITS - cells.saturating_sub(1).leading_zeros()).min(OFFSET_BITS)
}

fn eval_address(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    if m.buffer_len(&args[0], body.ty(body.operand(op, 0))) == 0 {
        return Ok(vec![Val::Int(0)]);
    }
    let number = m.buffer_number(&args[0], body.loc(op))?;
    Ok(vec![Val::Int(address_of(number, 0))])
}

fn eval_pointee(m: &mut dyn Machine, _: &Body, _: OpId, args: Vec<Val>) -> EvalResult {
    let (number, offset) = split_address(args[0].as_int());
    Ok(vec![m.buffer_tail(number, offset)])
}

fn verify_pointee(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let ty = body.ty(body.result(op, 0));
    if is_pointee(ty) {
        return Ok(());
    }
    Err(Diagnostic::invalid_ir(body.loc(op), format!("agg.pointee: {ty} is not a view by parts")))
}

ops! { pub static POINTER_OPS as PointerView: [
    /// The address of a buffer's first byte, as a number; zero, the null pointer, if the buffer is
    /// empty.
    ///
    /// `%p = agg.address %b : !agg.buffer<f32, "rw">`
    Address "agg.address" {
        operands: (buffer: Class(&BUFFER)), results: one(Exactly(Type::i64)), attrs: (), regions: (), effects: Pure, memory: (buffer: Exposes), commutative: false,
        asm: Asm::Format("$buffer attr-dict `:` type($buffer)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_address), ad: AdRule::Inactive,
    }
    /// What lies at an address: the bytes of its buffer from there on. An address that is in no
    /// buffer gives an empty one. The type of the elements may be larger than what is there: a part
    /// of one needs its own bytes only.
    ///
    /// `%b = agg.pointee %p : !agg.buffer<f32, "rw", "parts">`
    Pointee "agg.pointee" {
        operands: (address: Exactly(Type::i64)), results: one(Class(&BUFFER)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$address attr-dict `:` type($result)"),
        verify: Some(verify_pointee), fold: Fold::None, eval: Eval::Full(eval_pointee), ad: AdRule::Inactive,
    }
] }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_numbers() {
        assert_eq!(split_address(address_of(3, 100)), (3, 100));
        let below = address_of(3, 0).wrapping_sub(4);
        assert_eq!(split_address(below).0, 2, "below a buffer is the far end of the one before");
        assert!(split_address(below).1 > 1 << 39);
        assert_eq!(below.wrapping_add(4), address_of(3, 0));
        assert_eq!(split_address(0).0, u64::MAX, "null is in no buffer");
    }

    #[test]
    fn cells_are_far_apart() {
        assert_eq!([1, 2, 3, 4, 64, 96].map(cell_shift), [40, 39, 38, 38, 34, 33]);
        assert!((96u64 << cell_shift(96)) < 1 << OFFSET_BITS);
    }
}
