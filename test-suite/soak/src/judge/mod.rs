//! An independent judge of derivatives: runs a program as the front end leaves it and
//! differentiates what it executes.
//!
//! Nothing of the passes takes part. Functions run over [`number`]s that carry derivatives (dual
//! numbers and tapes, in each other), so control flow, memory, calls and updates of parts need no
//! rules: they are executed. The partial derivatives are written anew in [`math`]; a custom
//! derivative is called as the language says ([`derive`]). Every number has a bound of its rounding
//! error, by which it is compared.
//!
//! Shared with the compiler are the front end, the rows of ops on integers, and what the language
//! says a differential type is.
//!
//! What this does not know is [`Unjudged`], never a guess. So is a point at which the program is
//! singular, has a kink, or where rounding decides which way it goes.

mod derive;
mod eval;
pub mod math;
pub mod number;
mod ops;
mod value;

pub use eval::Judge;
pub use number::{Num, Real, SAFETY};
pub use value::Value;

/// Why there is no judgement.
#[derive(Clone, PartialEq, Debug)]
pub enum Unjudged {
    /// The point is one of those at which nothing can be said.
    Singular(String),
    /// The program has something that the judge does not know.
    Unknown(String),
}

pub type Judged<T> = Result<T, Unjudged>;
