//! Differentiation, in the steps of section 5 of the paper: linearize, checkpoint, unzip, transpose, extract. (Step 1, normalize, is
//! `passes/normalize`.)
//!
//! Derivative functions are asked for by `ad.derivative` symbols. A *round* serves those whose function contains no further
//! request; its results are ordinary functions, so that the next round can differentiate them: derivatives nest to any depth,
//! in any mix of modes. Nothing that is not asked for is made.
//!
//! Invariants: input functions are normalized. Each step leaves valid IR that can be printed, parsed and continued;
//! what a step requires and leaves is said in its file's head and checked by [`verify`].
//!
//! This module must not know: source syntax, targets, and ops by name beyond `ad`, `agg`, `scf`, `func` and constants; what others
//! do to derivatives is in their rows.

mod activity;

mod barriers;
mod boundary;
mod checkpoint;
pub mod custom;
mod extract;
mod forms;
mod forward;
mod gates;
mod generators;
mod instances;
mod keep_alive;
mod linearize;
mod lower_linear;
mod mirror;
mod pairs;
mod partials;
mod passes;
pub mod pointers;
mod reach;
mod requests;
mod rounds;
mod space;
mod still;
mod transpose;
mod ungate;
mod unzip;
pub mod verify;
mod zero_masks;

pub use activity::{Activities, Activity, Instance};
pub use boundary::derivative_symbol;
pub use checkpoint::schedule::Schedule;
pub use checkpoint::{Callee, Facts, Policy, Prefer, Report, Strategy, minimum_cut, report};
pub use forms::transpose_module;
pub use forward::Choice;
pub use partials::SingularPoints;
pub use passes::{DifferentiateOptions, Machine, Modes, PASSES, Singular};
pub use rounds::{
    checkpoint_module, choose_modes_module, differentiate, differentiate_under, extract_module, linearize_module,
    lower_pairs_module, unzip_module,
};
