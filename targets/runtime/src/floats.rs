//! How compiled code may compute floats.

#![warn(missing_docs)]

/// What code may do beside what the program says; only optimizing targets make use of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floats {
    /// Nothing: each operation is rounded by itself.
    #[default]
    Exact,
    /// A product and the sum that it goes into may be rounded once, as CUDA's compilers have it.
    Contracted,
    /// Sums may be taken in other orders, and functions and quotients be approximate.
    Fast,
}

impl Floats {
    /// Each by the name that users give it.
    pub const ALL: [(&'static str, Floats); 3] =
        [("exact", Floats::Exact), ("contract", Floats::Contracted), ("fast", Floats::Fast)];

    /// Whether code may be approximate.
    pub fn is_fast(self) -> bool {
        self == Floats::Fast
    }
}
