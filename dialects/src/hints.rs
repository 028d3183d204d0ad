//! Names that the compiler gives to variables of its own, as hints for who reads code.
//!
//! Only what lays out text may ask for them: which of several equal texts is written may depend on
//! them, and never what it computes.

/// The flag that an early return sets.
pub const RETURNED: &str = "returned";
/// The variable that holds what an early return gives.
pub const RESULT: &str = "result";
