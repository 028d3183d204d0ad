//! Differentiation, in the steps of section 5 of the paper: linearize, checkpoint, unzip,
//! transpose, extract. (Step 1, normalize, is `passes/normalize`.)
//!
//! Derivative functions are asked for by `ad.derivative` symbols. A *round* serves those whose
//! function contains no further request; its results are ordinary functions, so that the next round
//! can differentiate them: derivatives nest to any depth, in any mix of modes. Nothing that is not
//! asked for is made.
//!
//! Invariants: input functions are normalized. Each step leaves valid IR that can be printed,
//! parsed and continued; what a step requires and leaves is said in its file's head and checked by
//! [`verify`].
//!
//! This module must not know: source syntax, targets, and ops by name beyond `ad`, `agg`, `scf`,
//! `func` and constants; what others do to derivatives is in their rows.

mod activity;
mod barriers;
mod boundary;
mod checkpoint;
pub mod custom;
mod endless;
mod extract;
mod forms;
mod forward;
mod gates;
mod generators;
mod instances;
mod keep_alive;
mod linearize;
mod lower_linear;
mod meet;
mod mirror;
mod own_partials;
mod pairs;
mod partials;
pub mod pointers;
mod reach;
mod requests;
mod rounds;
mod serve;
mod space;
mod still;
mod transpose;
mod ungate;
mod unzip;
pub mod verify;
mod zero_masks;

use crate::manager::PassDef;
use caustic_ir::Diagnostic;

pub use activity::{Activities, Activity, Instance};
pub use boundary::derivative_symbol;
pub use checkpoint::schedule::Schedule;
pub use checkpoint::step::{Machine, checkpoint_module, choose_modes_module};
pub use checkpoint::{Callee, Facts, Policy, Prefer, Report, Strategy, minimum_cut, report};
pub use forms::transpose_module;
pub use forward::Choice;
pub use linearize::step::linearize_module;
pub use own_partials::wrong_partials;
pub use pairs::lower_pairs_module;
pub use partials::SingularPoints;
pub use rounds::{DifferentiateOptions, Modes, differentiate, differentiate_under};
pub use serve::extract_module;
pub use unzip::unzip_module;

/// What a step over a module found wrong.
type Errors = Vec<Diagnostic>;

/// The passes of this folder, in the order in which they run.
pub static PASSES: &[&PassDef] = &[
    &pairs::LOWER_PAIRS,
    &linearize::step::LINEARIZE,
    &checkpoint::step::CHOOSE_MODES,
    &checkpoint::step::CHECKPOINT,
    &unzip::UNZIP,
    &forms::TRANSPOSE,
    &serve::EXTRACT,
    &rounds::DIFFERENTIATE,
    &pairs::DROP_DETACH,
];
