//! Instructions for a lane of an elementwise op.

mod arith;
mod cast;
mod math;

use crate::emit::Clifs;
use caustic_codegen::Assembler;
use caustic_native::{Helper, Leaf};
use cranelift_codegen::ir::Value;

impl Clifs<'_, '_> {
    /// An f64 rounded to the float type.
    fn round_to(&mut self, leaf: Leaf, value: Value) -> Value {
        match leaf {
            Leaf::F16 => self.helper1(Helper::NarrowF16, &[value]),
            leaf => self.narrow(leaf, value),
        }
    }

    /// The result of f32 arithmetic rounded to the type: f32 holds more than twice the bits of f16
    /// plus two, so that rounding twice is rounding once.
    fn round(&mut self, leaf: Leaf, value: Value) -> Value {
        if leaf == Leaf::F16 { self.helper1(Helper::RoundF16, &[value]) } else { value }
    }
}
