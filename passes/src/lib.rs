//! How programs change: specialization, normalization, differentiation, optimization, lowering, and
//! the pass manager.
//!
//! Nothing here knows source syntax or a target.
pub mod analysis;
pub mod autodiff;
pub mod egraph;
pub mod gpu;
pub mod lower;
pub mod manager;
pub mod mutants;
pub mod normalize;
pub mod optimize;
pub mod pipelines;
pub mod rows;
pub mod specialize;
pub mod widen;

use manager::{PassDef, PassRegistry};
use std::sync::LazyLock;

/// Every pass and pipeline of this crate; a tool may add its own.
pub fn registry() -> PassRegistry {
    PassRegistry::new(all()).with_pipelines(pipelines::ALL)
}

/// Every pass of this crate. A folder of passes is listed here once, as the array of its rows.
pub fn all() -> &'static [&'static PassDef] {
    static ALL: LazyLock<Vec<&'static PassDef>> = LazyLock::new(|| {
        [
            specialize::PASSES,
            normalize::PASSES,
            autodiff::PASSES,
            optimize::PASSES,
            egraph::PASSES,
            lower::PASSES,
            gpu::PASSES,
        ]
        .concat()
    });
    &ALL
}
