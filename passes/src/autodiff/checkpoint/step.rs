//! The two steps over a module as passes, and the policy that their options describe.
//!
//! This module must not know: how a choice is made.

use super::{Policy, Report, choose_modes, mark_all};
use crate::analysis::costs::{CPU, GPU};
use crate::autodiff::Errors;
use crate::autodiff::ungate;
use crate::autodiff::verify::checked;
use crate::manager::PassReport;
use crate::{choices, passes};
use caustic_ir::Module;

choices! {
    /// The machine that derivatives are made for.
    pub enum Machine { Cpu = "cpu", Gpu = "gpu" }
}
/// The policy that the options of a pass describe.
pub fn policy(machine: Machine, snapshots: Option<i64>) -> Policy {
    let costs = match machine {
        Machine::Cpu => &CPU,
        Machine::Gpu => &GPU,
    };
    Policy { costs, snapshots, ..Policy::default() }
}

passes! {
    /// Carries tangents forward in loops into which few scalars with a derivative go, and keeps
    /// their Jacobian in place of a reverse sweep's residuals.
    ///
    /// Chosen by costs, which are the same for all machines: the choice decides what derivatives
    /// are at singular points. A function whose forward derivative is
    /// wanted too stays, with the chosen form beside it as a function of its own.
    pub static CHOOSE_MODES: "ad-choose-modes" {
        level: module,
        options: none,
        before: "linearized functions", after: "linearized functions", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let result = choose_modes_module(module, &Policy::default());
            checked(module, result)
        },
    }

    /// Chooses what the reverse pass stores and what it computes again, and marks the latter with
    /// `ad.recompute`.
    ///
    /// A minimum cut between what storing each value costs (bytes, as often as it is made) and what
    /// computing it again does. Loop state is stored; of an array that a loop changes the elements
    /// that are read are, never the array. The marks may be edited before the next step.
    pub static CHECKPOINT: "ad-checkpoint" {
        level: module,
        options: CheckpointOptions {
            machine: Machine = "cpu", "The machine whose costs decide.";
            snapshots: Option<i64> = "none", "States that a loop without a constant trip count keeps at most; without, it keeps each.";
        },
        before: "linearized functions", after: "linearized functions with marks", statistics: [],
        run: |module: &mut Module, options: &CheckpointOptions, _: &mut PassReport| {
            let result = checkpoint_module(module, &policy(options.machine, options.snapshots));
            checked(module, result)
        },
    }
}

/// Chooses a mode for each loop of every linearized function whose reverse derivative is wanted.
pub fn choose_modes_module(module: &mut Module, policy: &Policy) -> Result<bool, Errors> {
    let mut report = Report::default();
    choose_modes(module, policy, &mut report).map_err(|e| vec![e])?;
    Ok(ungate::free_module(module) | report.choices.iter().any(|c| c.forward))
}

/// Marks what the reverse pass computes again, in every linearized function whose reverse
/// derivative is wanted.
pub fn checkpoint_module(module: &mut Module, policy: &Policy) -> Result<bool, Errors> {
    mark_all(module, policy, &mut Report::default());
    Ok(true)
}
