//! Scalars as Cranelift's types.

use caustic_native::{Leaf, Word};
use cranelift_codegen::ir::{Type, types};

/// The type in a register.
pub trait Clif {
    fn clif(self) -> Type;
}

impl Clif for Leaf {
    fn clif(self) -> Type {
        match self {
            Leaf::I1 | Leaf::I8 => types::I8,
            Leaf::I16 => types::I16,
            Leaf::I32 => types::I32,
            Leaf::I64 | Leaf::Addr => types::I64,
            Leaf::F16 | Leaf::F32 => types::F32,
            Leaf::F64 => types::F64,
        }
    }
}

impl Clif for Word {
    fn clif(self) -> Type {
        match self {
            Word::I32 => types::I32,
            Word::I64 | Word::Addr => types::I64,
            Word::F32 => types::F32,
            Word::F64 => types::F64,
        }
    }
}
