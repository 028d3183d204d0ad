//! Moves of many bytes, for NVIDIA's processors: LLVM makes loops over bytes of them, each of which
//! is an instruction then, or the bytes themselves.
//!
//! Last of all a copy or a clearing whose size is known becomes loads and stores as wide as its
//! alignment allows. Places that are copied are the same or do not overlap. Very large ones stay as
//! they are.

use caustic_ir::{Diagnostic, Loc};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, CallSiteValue, InstructionOpcode, InstructionValue, PointerValue};

/// Loads and stores that one move may become.
const MOST: u64 = 128;
/// Bytes of the widest load.
const WIDEST: u64 = 16;

fn internal(message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::internal(Loc::unknown(), format!("LLVM: {message}"))
}

/// A copy, or a clearing of memory, of a known size.
struct Move<'c> {
    to: PointerValue<'c>,
    /// Nothing where zeros are written.
    from: Option<PointerValue<'c>>,
    size: u64,
    align: u64,
}

fn of<'c>(op: InstructionValue<'c>) -> Option<Move<'c>> {
    let call = CallSiteValue::try_from(op).ok()?;
    let name = call.get_called_fn_value()?.get_name().to_string_lossy().into_owned();
    let clears = name.starts_with("llvm.memset.");
    if !clears && !name.starts_with("llvm.memcpy.") && !name.starts_with("llvm.memmove.") {
        return None;
    }
    let operand = |i: u32| op.get_operand(i)?.value();
    let kind = Attribute::get_named_enum_kind_id("align");
    let align = |i: u32| call.get_enum_attribute(AttributeLoc::Param(i), kind).map_or(1, |a| a.get_enum_value().max(1));
    let size = operand(2)?.into_int_value().get_zero_extended_constant()?;
    if clears && operand(1)?.into_int_value().get_zero_extended_constant()? != 0 {
        return None;
    }
    let from = if clears { None } else { Some(operand(1)?.into_pointer_value()) };
    let align = if clears { align(0) } else { align(0).min(align(1)) };
    Some(Move { to: operand(0)?.into_pointer_value(), from, size, align: align.min(WIDEST) })
}

impl<'c> Move<'c> {
    /// The pieces, as offsets and sizes.
    fn pieces(&self) -> Vec<(u64, u64)> {
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < self.size {
            let mut piece = self.align;
            while at + piece > self.size {
                piece /= 2;
            }
            pieces.push((at, piece));
            at += piece;
        }
        pieces
    }

    fn build(&self, context: &'c Context, b: &Builder<'c>) -> Result<(), Diagnostic> {
        let byte = context.i8_type();
        let place = |pointer: PointerValue<'c>, at: u64| {
            let index = context.i64_type().const_int(at, false);
            // SAFETY: an offset within what the call would have moved.
            unsafe { b.build_in_bounds_gep(byte, pointer, &[index], "") }.map_err(internal)
        };
        for (at, piece) in self.pieces() {
            let ty: BasicTypeEnum<'c> = match piece {
                16 => context.i32_type().vec_type(4).into(),
                8 => context.i64_type().into(),
                4 => context.i32_type().into(),
                2 => context.i16_type().into(),
                _ => byte.into(),
            };
            let value = match self.from {
                Some(from) => {
                    let value = b.build_load(ty, place(from, at)?, "").map_err(internal)?;
                    let load = value.as_instruction_value().ok_or_else(|| internal("a load that is none"))?;
                    load.set_alignment(piece as u32).map_err(internal)?;
                    value
                }
                None => ty.const_zero(),
            };
            b.build_store(place(self.to, at)?, value)
                .map_err(internal)?
                .set_alignment(piece as u32)
                .map_err(internal)?;
        }
        Ok(())
    }
}

/// Spreads the moves of a module.
pub fn run<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), Diagnostic> {
    let builder = context.create_builder();
    let ops: Vec<InstructionValue<'c>> = module
        .get_functions()
        .flat_map(|f| f.get_basic_blocks())
        .flat_map(|block| block.get_instructions().collect::<Vec<_>>())
        .filter(|op| op.get_opcode() == InstructionOpcode::Call)
        .collect();
    for op in ops {
        let Some(found) = of(op).filter(|m| m.size / m.align <= MOST) else { continue };
        builder.position_before(&op);
        found.build(context, &builder)?;
        op.erase_from_basic_block();
    }
    Ok(())
}
