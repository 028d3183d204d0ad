//! What the builtin operations of the language on source types are made of: the ops of `arith`,
//! `math`, `vector`, `agg` and `ad` that a `+`, a conversion, a swizzle become once the types are
//! known.
//!
//! The one place with that knowledge: the front end calls it where it knows the types, `specialize`
//! calls it on `hl.poly` once it has put the arguments in. Functions that take a [`Type`] called
//! `from`, `of` or `to` take source types ([`super::source`]); the values that go in and come out
//! have erased ones. Each of these functions trusts the types that it is given: checking is the
//! front end's, and for `hl.poly` that of [`Builtin::expand`].

mod arith;
mod device;
mod linear;
mod poly;
mod shape;

pub use arith::*;
pub use device::perform;
pub use linear::*;
pub use poly::{Builtin, Components, PartIndex};
pub use shape::*;

use crate::vector;
use caustic_ir::{Builder, OpDef, Type, ValueId};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The op of that name in any of our dialects.
pub fn op_named(name: &str) -> Option<&'static OpDef> {
    static OPS: LazyLock<FxHashMap<&'static str, &'static OpDef>> =
        LazyLock::new(|| crate::all().iter().flat_map(|d| d.all_ops()).map(|def| (def.name, def)).collect());
    OPS.get(name).copied()
}

/// The op that the prelude calls `name`, with a result of type `to`. Some need attributes:
/// `vector.reduction<add>` has its kind in its name, `vector.transpose` exchanges rows and columns.
/// `None` if there is no such op.
pub fn intrinsic(b: &mut Builder<'_>, name: &str, values: &[ValueId], to: Type) -> Option<ValueId> {
    if let Some(kind) = name.strip_prefix("vector.reduction<").and_then(|t| t.strip_suffix('>'))
        && let [v] = values
    {
        return Some(vector::reduction(b, kind, *v));
    }
    match (name, values) {
        ("vector.transpose", [m]) => Some(vector::transposed(b, *m)),
        // Between types that are one in the IR.
        ("same", [v]) => Some(*v),
        _ => {
            let (op, variant) = device::split_variant(name);
            device::device_value(b, op, variant, values, to)
        }
    }
}
