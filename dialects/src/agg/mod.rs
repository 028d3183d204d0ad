//! `agg`: structs and arrays as values, and views of buffers.
//!
//! A *path* leads from an aggregate to a part of it: the attribute `path` holds one entry a step, a
//! field or element number, or -1 for an index that is given by the next of the trailing `indices`
//! operands (arrays, vectors, matrices and tapes only). Reading outside of an array gives zero,
//! writing there does nothing: as with buffers, no program has undefined behaviour.

mod atomic;
pub mod eval;
mod no_tape;
mod ops;
mod pointer;
mod storage;
mod types;

pub use atomic::*;
pub use no_tape::no_tape;
pub use ops::*;
pub use pointer::*;
pub use storage::*;
pub use types::*;

use caustic_ir::Dialect;

/// Mark of a read or write of a part: no index on its path is outside.
pub const INSIDE: &str = "inside";
/// Mark of an access in the version of a kernel that looks at indices: it has no other.
pub const LOOKS: &str = "looks";

pub static DIALECT: Dialect = Dialect {
    name: "agg",
    doc: "Structs and arrays as values, paths into them, and the resources a kernel is bound to.",
    ops: &[AGG_OPS, ATOMIC_OPS, POINTER_OPS, STORAGE_OPS],
    types: &[
        (
            "struct",
            "`!agg.struct<\"Name\", differentiable, [[\"field\", type, no_diff], …]>`: a struct with named fields; the second parameter is 1 if it conforms to IDifferentiable, 2 if it is the layout of a differential pair, a field's third is 1 if it is `no_diff`, and the first field's fourth says which number stands for which of the others where the struct holds one of them; a field's fourth is 1 if it says whether the others hold anything (`Optional`).",
        ),
        (
            "array",
            "`!agg.array<count, type>`: a fixed number of values of one type; `!agg.array<0, type, \"unsized\">` at the end of what lies in memory: as many as there are.",
        ),
        ("slot", "`!agg.slot<type>`: local storage that holds a value of the type, as an address."),
        (
            "buffer",
            "`!agg.buffer<type, \"rw\" | \"ro\">`: a bound sequence of elements in memory; with a third parameter `\"bytes\"` an element's index is the offset of its first byte; with `\"parts\"` so it is, and a part that is read or written is in range if its own bytes are.",
        ),
    ],
};
