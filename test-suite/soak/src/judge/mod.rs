//! An independent judge of derivatives: executes a program as the front end leaves it, and
//! differentiates what it executes.
//!
//! The judge uses no pass. Functions run over [`number`]s that carry derivatives (dual numbers and
//! tapes, nested in each other), so control flow, memory, calls and updates of parts need no rules
//! of differentiation: they are executed. The partial derivatives are written a second time in
//! [`math`]; a custom derivative is called as the language defines ([`derive`](mod@derive)). Every
//! number has a bound of its rounding error, which comparisons use.
//!
//! The judge shares the front end, the rows of integer ops, and the definition of differential
//! types with the compiler.
//!
//! Where the judge does not know the answer, it returns [`Unjudged`] and never guesses. The same
//! holds at points where the program is singular, has a kink, or where rounding decides a
//! condition.

mod derive;
mod eval;
pub mod math;
pub mod number;
mod ops;
mod value;

pub use eval::Judge;
pub use number::{Num, Real, SAFETY};
pub use value::Value;

/// The reason why there is no judgement.
#[derive(Clone, PartialEq, Debug)]
pub enum Unjudged {
    /// Nothing can be said at this point.
    Singular(String),
    /// The program contains something that the judge does not know.
    Unknown(String),
}

pub type Judged<T> = Result<T, Unjudged>;
