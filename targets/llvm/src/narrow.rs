//! Indices of 64 bits that are none, for NVIDIA's processors, whose registers have 32.
//!
//! What LLVM leaves compares and chooses indices as numbers of 64 bits, two instructions each,
//! though they were extended from 32. Last of all such comparisons, and choices between a scaled
//! index and zero, are made in 32 bits. An index with a sign is compared with a count as a number
//! without one: below zero it is greater than all that 31 bits hold.

use caustic_ir::{Diagnostic, Loc};
use inkwell::IntPredicate;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::IntType;
use inkwell::values::{BasicValue, InstructionOpcode, InstructionValue, IntValue};

fn internal(message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::internal(Loc::unknown(), format!("LLVM: {message}"))
}

fn operand(op: InstructionValue<'_>, i: u32) -> Option<IntValue<'_>> {
    op.get_operand(i)?.value().filter(|v| v.is_int_value()).map(|v| v.into_int_value())
}

fn is_word(op: InstructionValue<'_>) -> bool {
    op.get_type().is_int_type() && op.get_type().into_int_type().get_bit_width() == 64
}

/// A number of 32 bits.
enum Half<'c> {
    /// This one.
    Value(IntValue<'c>),
    /// The low half of this one.
    LowOf(IntValue<'c>),
}

/// `value` as the extension of 32 bits.
fn half<'c>(value: IntValue<'c>, half_type: IntType<'c>) -> Option<Half<'c>> {
    if let Some(constant) = value.get_zero_extended_constant() {
        return u32::try_from(constant).ok().map(|c| Half::Value(half_type.const_int(c.into(), false)));
    }
    let op = value.as_instruction()?;
    match op.get_opcode() {
        InstructionOpcode::ZExt => operand(op, 0).filter(|v| v.get_type() == half_type).map(Half::Value),
        InstructionOpcode::And => {
            let mask = operand(op, 1)?.get_zero_extended_constant()?;
            (mask == u64::from(u32::MAX)).then_some(Half::LowOf(operand(op, 0)?))
        }
        _ => None,
    }
}

impl<'c> Half<'c> {
    fn build(self, builder: &Builder<'c>, half_type: IntType<'c>) -> Result<IntValue<'c>, Diagnostic> {
        match self {
            Half::Value(value) => Ok(value),
            Half::LowOf(value) => builder.build_int_truncate(value, half_type, "").map_err(internal),
        }
    }
}

/// The 32 bits that `value` is with its sign.
fn signed_half<'c>(value: IntValue<'c>, half_type: IntType<'c>) -> Option<IntValue<'c>> {
    let op = value.as_instruction().filter(|op| op.get_opcode() == InstructionOpcode::SExt)?;
    operand(op, 0).filter(|v| v.get_type() == half_type)
}

/// The comparison of an index that has a sign with a count, both taken as numbers without one, in
/// 32 bits.
fn compare_signed<'c>(
    op: InstructionValue<'c>,
    builder: &Builder<'c>,
    half_type: IntType<'c>,
) -> Result<Option<IntValue<'c>>, Diagnostic> {
    use IntPredicate::*;
    let (Some(x), Some(y), Some(predicate)) = (operand(op, 0), operand(op, 1), op.get_icmp_predicate()) else {
        return Ok(None);
    };
    let (index, count, predicate) = match (signed_half(x, half_type), signed_half(y, half_type), predicate) {
        (Some(index), None, _) => (index, y, predicate),
        (None, Some(index), ULT) => (index, x, UGT),
        (None, Some(index), ULE) => (index, x, UGE),
        (None, Some(index), UGT) => (index, x, ULT),
        (None, Some(index), UGE) => (index, x, ULE),
        _ => return Ok(None),
    };
    // What no index without a sign reaches bounds the count as well.
    let most = match predicate {
        ULT | UGE => 1u64 << 31,
        ULE | UGT => (1 << 31) - 1,
        _ => return Ok(None),
    };
    if let Some(count) = count.get_zero_extended_constant() {
        builder.position_before(&op);
        let count = half_type.const_int(count.min(most), false);
        return builder.build_int_compare(predicate, index, count, "").map(Some).map_err(internal);
    }
    let Some(count) = half(count, half_type) else { return Ok(None) };
    builder.position_before(&op);
    let count = count.build(builder, half_type)?;
    let most = half_type.const_int(most, false);
    let less = builder.build_int_compare(ULT, count, most, "").map_err(internal)?;
    let count = builder.build_select(less, count, most, "").map_err(internal)?.into_int_value();
    builder.build_int_compare(predicate, index, count, "").map(Some).map_err(internal)
}

/// The comparison in 32 bits.
fn compare<'c>(
    op: InstructionValue<'c>,
    builder: &Builder<'c>,
    half_type: IntType<'c>,
) -> Result<Option<IntValue<'c>>, Diagnostic> {
    use IntPredicate::*;
    // Both are positive as numbers of 64 bits, so that signs do not matter there.
    let predicate = match op.get_icmp_predicate() {
        Some(SLT) => ULT,
        Some(SLE) => ULE,
        Some(SGT) => UGT,
        Some(SGE) => UGE,
        Some(other) => other,
        None => return Ok(None),
    };
    let halves = |i| operand(op, i).filter(|v| v.get_type().get_bit_width() == 64).and_then(|v| half(v, half_type));
    let (Some(x), Some(y)) = (halves(0), halves(1)) else { return compare_signed(op, builder, half_type) };
    builder.position_before(&op);
    let (x, y) = (x.build(builder, half_type)?, y.build(builder, half_type)?);
    builder.build_int_compare(predicate, x, y, "").map(Some).map_err(internal)
}

/// A choice between zero and an index, shifted, chosen before it is shifted.
fn choose<'c>(
    op: InstructionValue<'c>,
    builder: &Builder<'c>,
    half_type: IntType<'c>,
) -> Result<Option<IntValue<'c>>, Diagnostic> {
    let (Some(condition), Some(yes), Some(no)) = (operand(op, 0), operand(op, 1), operand(op, 2)) else {
        return Ok(None);
    };
    let is_zero = |v: IntValue<'c>| v.get_zero_extended_constant() == Some(0);
    let scaled = match (is_zero(yes), is_zero(no)) {
        (false, true) => yes,
        (true, false) => no,
        _ => return Ok(None),
    };
    let shift = scaled.as_instruction().filter(|s| s.get_opcode() == InstructionOpcode::Shl);
    let by = shift.and_then(|s| operand(s, 1)).filter(|amount| amount.is_const());
    let index = match (shift, by) {
        (Some(shift), Some(_)) => operand(shift, 0),
        _ => Some(scaled),
    };
    let signed = index.and_then(|v| signed_half(v, half_type));
    let Some(index) = signed.map(Half::Value).or_else(|| index.and_then(|v| half(v, half_type))) else {
        return Ok(None);
    };
    builder.position_before(&op);
    let (index, none) = (index.build(builder, half_type)?, half_type.const_zero());
    let (yes, no) = if is_zero(no) { (index, none) } else { (none, index) };
    let chosen = builder.build_select(condition, yes, no, "").map_err(internal)?.into_int_value();
    let word = yes.get_type().get_context().i64_type();
    let wide = match signed {
        Some(_) => builder.build_int_s_extend(chosen, word, ""),
        None => builder.build_int_z_extend(chosen, word, ""),
    };
    let wide = wide.map_err(internal)?;
    match by {
        Some(by) => builder.build_left_shift(wide, by, "").map(Some).map_err(internal),
        None => Ok(Some(wide)),
    }
}

/// Rewrites the module.
pub fn run<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), Diagnostic> {
    let half_type = context.i32_type();
    let builder = context.create_builder();
    let blocks = module.get_functions().flat_map(|f| f.get_basic_blocks());
    let instructions: Vec<InstructionValue<'c>> = blocks.flat_map(|b| b.get_instructions()).collect();
    for op in instructions {
        let narrowed = match op.get_opcode() {
            InstructionOpcode::ICmp => compare(op, &builder, half_type)?,
            InstructionOpcode::Select if is_word(op) => choose(op, &builder, half_type)?,
            _ => None,
        };
        if let Some(value) = narrowed.and_then(|v| v.as_instruction_value()) {
            op.replace_all_uses_with(&value);
            op.erase_from_basic_block();
        }
    }
    Ok(())
}
