//! `ad`: differentiation made visible. Derivative functions as symbols, pairs, tangents, and the
//! linear ops on them.
//!
//! Invariant: a value of type `!ad.tangent<T>` is produced and consumed by linear ops, structured
//! control flow and calls of derivative functions only. Whatever computes on tangents is therefore
//! linear in them, by type.

mod linear;
mod ops;
mod presence;
mod request;
mod types;

pub use linear::*;
pub use ops::*;
pub use presence::*;
pub use request::*;
pub use types::*;

use caustic_ir::Dialect;

pub static DIALECT: Dialect = Dialect {
    name: "ad",
    doc: "Differentiation made visible: derivative functions as symbols, pairs, tangents and linear code.",
    ops: &[AD_OPS, LINEAR_OPS],
    types: &[
        ("pair", "`!ad.pair<T>`: a primal value of type T with a differential of type D(T)."),
        (
            "tangent",
            "`!ad.tangent<D>`: an element of the tangent or cotangent space with representation D (the two spaces are identified by the standard inner product); only linear ops take it.",
        ),
        (
            "tape",
            "`!ad.tape<T>`: an array that grows when it is written past its end; holds a residual of each iteration of a loop without a static bound.",
        ),
        ("context", "`!ad.context<@f, …>`: the residuals of a call of `f`, before they are laid out."),
    ],
};
