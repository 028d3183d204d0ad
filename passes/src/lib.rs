//! How programs change: normalization, differentiation, optimization, lowering, and the pass manager.
//!
//! Nothing here knows source syntax or a target.
pub mod autodiff;
pub mod normalize;
pub mod widen;
