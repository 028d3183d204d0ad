//! What becomes of each op: one row an op and sort of operands, with how exact its result is.
//!
//! Accuracies are those of Vulkan's environment for SPIR-V, for floats of 32 bits. Ops that are no
//! instruction on their operands (control flow, memory, parts) are in [`structured`].
//!
//! Invariant: every op of `caustic_dialects::all()` is a row, structured.

mod arith;
mod math;
mod structured;

pub use caustic_source::ops::Accuracy;
pub use structured::{Structured, structured};

use crate::grammar::{Op, Word};
use caustic_ir::{OpDef, Type};

/// How an op is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By an instruction.
    Inst(Op),
    /// By one that computes with floats, which is not fused with others.
    Float(Op),
    /// By a function of GLSL.std.450.
    Std450(Word),
    /// By a conversion to the type of the result.
    Cast(Cast),
    /// It is its first operand.
    Operand,
    /// A pass removes it, this one.
    Legalized(&'static str),
}

/// How a conversion reads its operand and makes its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// An integer to an integer, as signed.
    Signed,
    /// As unsigned, or to fewer bits.
    Unsigned,
    SignedToFloat,
    UnsignedToFloat,
    FloatToSigned,
    FloatToUnsigned,
    Float,
    Bits,
}

/// What the first operand is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Any,
    Float,
    Bool,
    /// An integer of 8 bits and more.
    Integer,
    /// One of 32 bits.
    Word,
}

impl On {
    pub fn holds(self, ty: Type) -> bool {
        let scalar = ty.elem();
        match self {
            On::Any => true,
            On::Float => scalar.is_float(),
            On::Bool => scalar.is_i1(),
            On::Integer => scalar.is_int_or_index() && !scalar.is_i1(),
            On::Word => scalar == Type::i32(),
        }
    }
}

/// A row.
pub struct Row {
    pub op: &'static OpDef,
    pub on: On,
    pub how: How,
    pub accuracy: Accuracy,
}

/// Declares a table: `View | View … [on] how, accuracy;`.
macro_rules! rows {
    ( $vis:vis static $table:ident: $( $( $view:path )|+ [$on:ident] $how:expr, $accuracy:expr; )* ) => {
        $vis static $table: &[$crate::ops::Row] = &[ $( $( $crate::ops::Row {
            op: <$view>::DEF,
            on: $crate::ops::On::$on,
            how: $how,
            accuracy: $accuracy,
        } ),+ ),* ];
    };
}
use rows;

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} on {:?}", self.op.name, self.on)
    }
}

static TABLES: [&[Row]; 2] = [arith::ROWS, math::ROWS];

/// The row of an op on operands of this type.
pub fn row(op: &'static OpDef, of: Type) -> Option<&'static Row> {
    rows_of(op).find(|row| row.on.holds(of))
}

/// All rows of an op.
pub fn rows_of(op: &'static OpDef) -> impl Iterator<Item = &'static Row> {
    TABLES.into_iter().flatten().filter(move |row| std::ptr::eq(row.op, op))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_is_a_row_structured_or_refused() {
        let ops = caustic_dialects::all().iter().flat_map(|d| d.ops.iter().flat_map(|list| list.iter()));
        let missing: Vec<&str> =
            ops.filter(|op| rows_of(op).next().is_none() && structured(op).is_none()).map(|op| op.name).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn no_op_is_in_both_tables() {
        let both: Vec<&Row> = TABLES.into_iter().flatten().filter(|row| structured(row.op).is_some()).collect();
        assert!(both.is_empty(), "{both:?}");
    }

    #[test]
    fn only_functions_and_quotients_of_floats_are_inexact() {
        for row in TABLES.into_iter().flatten().filter(|row| row.accuracy != Accuracy::Exact) {
            assert_eq!(row.on, On::Float, "{row:?}");
        }
    }
}
