//! The pass rows of differentiation.

use super::{Policy, Report, SingularPoints, forms, pairs, rounds, verify};
use crate::analysis::costs::{CPU, GPU};
use crate::manager::{Changed, ModuleView, PassDef, PassReport, PassResult};
use crate::{choices, passes};
use caustic_ir::{Diagnostic, Module, SymbolOp};

/// The step's result, or what it broke.
fn checked(module: &Module, result: Result<bool, Vec<Diagnostic>>) -> PassResult {
    let changed = result?;
    let broken: Vec<Diagnostic> = module.symbols().iter().flat_map(verify::verify).collect();
    if broken.is_empty() { Ok(Changed::from(changed)) } else { Err(broken) }
}

choices! {
    /// The machine that derivatives are made for.
    pub enum Machine { Cpu = "cpu", Gpu = "gpu" }
}
choices! {
    /// What derivatives are at singular points.
    pub enum Singular {
        /// What docs/singular.md says.
        Convention = "convention",
        /// What IEEE arithmetic makes of the formula.
        Ieee = "ieee",
    }
}
choices! {
    /// How loops are differentiated in reverse.
    pub enum Modes {
        /// Backwards, or with tangents carried forward where that costs less.
        Choose = "choose",
        Reverse = "reverse",
    }
}

impl From<Singular> for SingularPoints {
    fn from(singular: Singular) -> SingularPoints {
        match singular {
            Singular::Convention => SingularPoints::Zero,
            Singular::Ieee => SingularPoints::Ieee,
        }
    }
}

/// The policy that the options of a pass describe.
fn policy(machine: Machine, snapshots: Option<i64>) -> Policy {
    let costs = match machine {
        Machine::Cpu => &CPU,
        Machine::Gpu => &GPU,
    };
    Policy { costs, snapshots, ..Policy::default() }
}

impl DifferentiateOptions {
    /// The policy that the options describe.
    pub fn policy(&self) -> Policy {
        Policy {
            singular: self.singular.into(),
            chooses_modes: self.modes == Modes::Choose,
            ..policy(self.machine, self.snapshots)
        }
    }
}

passes! {
    /// Turns differential pairs into structs with the fields `p` and `d`.
    static LOWER_PAIRS: "lower-pairs" {
        level: module, options: none, before: "any with ad.pair", after: "the same without pairs", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| Ok(Changed::from(!rounds::lower_pairs_module(module).is_empty())),
    }

    /// Makes the forward derivative of every function that a request for a derivative needs, with a tangent beside each active value.
    ///
    /// Serves the requests (`ad.derivative`) whose function contains no further one; makes the linearization of each of their functions and all that
    /// derivatives flow through.
    static LINEARIZE: "ad-linearize" {
        level: module,
        options: LinearizeOptions { singular: Singular = "convention", "What derivatives are at singular points."; },
        before: "func scf arith math vector agg, ad.derivative", after: "the same and linear ad ops", statistics: [],
        run: |module: &mut Module, options: &LinearizeOptions, _: &mut PassReport| {
            let result = rounds::linearize_module(module, options.singular.into());
            checked(module, result)
        },
    }

    /// Carries tangents forward in loops into which few scalars with a derivative go, and keeps their Jacobian in place of a reverse sweep's residuals.
    ///
    /// Chosen by the costs that also decide what is stored. A function whose forward derivative is wanted too stays, with the chosen form beside
    /// it as a function of its own.
    static CHOOSE_MODES: "ad-choose-modes" {
        level: module,
        options: ChooseModesOptions {
            machine: Machine = "cpu", "The machine whose costs decide.";
            snapshots: Option<i64> = "none", "States that a loop without a constant trip count keeps at most; without, it keeps each.";
        },
        before: "linearized functions", after: "linearized functions", statistics: [],
        run: |module: &mut Module, options: &ChooseModesOptions, _: &mut PassReport| {
            let result = rounds::choose_modes_module(module, &policy(options.machine, options.snapshots));
            checked(module, result)
        },
    }

    /// Chooses what the reverse pass stores and what it computes again, and marks the latter with `ad.recompute`.
    ///
    /// A minimum cut between what storing each value costs (bytes, as often as it is made) and what computing it again does. Loop state is stored;
    /// of an array that a loop changes the elements that are read are, never the array. The marks may be edited before the next step.
    static CHECKPOINT: "ad-checkpoint" {
        level: module,
        options: CheckpointOptions {
            machine: Machine = "cpu", "The machine whose costs decide.";
            snapshots: Option<i64> = "none", "States that a loop without a constant trip count keeps at most; without, it keeps each.";
        },
        before: "linearized functions", after: "linearized functions with marks", statistics: [],
        run: |module: &mut Module, options: &CheckpointOptions, _: &mut PassReport| {
            let result = rounds::checkpoint_module(module, &policy(options.machine, options.snapshots));
            checked(module, result)
        },
    }

    /// Splits linearized functions into primal code and linear code, with residuals between them.
    static UNZIP: "ad-unzip" {
        level: module, options: none, before: "linearized functions", after: "unzipped functions beside them", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let result = rounds::unzip_module(module);
            checked(module, result)
        },
    }

    /// Runs the linear code of unzipped functions backwards: cotangents of the results to cotangents of the inputs.
    static TRANSPOSE: "ad-transpose" {
        level: module, options: none, before: "unzipped functions", after: "transposed functions", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let result = forms::transpose_module(module);
            checked(module, result)
        },
    }

    /// Makes primal-with-context and backward functions of transposed ones and forward derivatives of linearized ones, all on plain data, and
    /// puts functions with the programmer's signatures in the place of the requests.
    static EXTRACT: "ad-extract" {
        level: module, options: none, before: "linearized and transposed functions", after: "func scf arith math vector agg", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let result = rounds::extract_module(module);
            checked(module, result)
        },
    }

    /// Serves all requests for derivatives: rounds of the steps above with `tidy` between them, until none is left.
    ///
    /// Nothing detaches any more then: `drop-detach` has run, too.
    pub static DIFFERENTIATE: "differentiate" {
        level: module,
        options: DifferentiateOptions [Copy] {
            machine: Machine = "cpu", "The machine whose costs decide what is stored.";
            snapshots: Option<i64> = "none", "States that a loop without a constant trip count keeps at most for its reverse derivative; without, it keeps each.";
            singular: Singular = "convention", "What derivatives are at singular points.";
            modes: Modes = "choose", "How loops are differentiated in reverse.";
        },
        before: "func scf arith math vector agg, ad.derivative", after: "func scf arith math vector agg", statistics: [],
        run: |module: &mut Module, options: &DifferentiateOptions, report: &mut PassReport| {
            // Who makes derivatives may ask what was decided about them: the pass tells it.
            let mut decisions = Report::default();
            rounds::differentiate_under(module, &options.policy(), &mut decisions, report.cancel())?;
            report.tell(decisions);
            module.symbols_mut().iter_mut().for_each(|symbol| _ = pairs::drop_detach(symbol));
            checked(module, Ok(true))
        },
    }

    /// Removes `ad.detach`, which is the identity once everything is differentiated.
    static DROP_DETACH: "drop-detach" {
        level: function, options: none, before: "differentiated code", after: "the same without ad.detach", statistics: [],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport| Ok(Changed::from(pairs::drop_detach(symbol))),
    }
}

/// In the order in which they run.
pub static PASSES: &[&PassDef] =
    &[&LOWER_PAIRS, &LINEARIZE, &CHOOSE_MODES, &CHECKPOINT, &UNZIP, &TRANSPOSE, &EXTRACT, &DIFFERENTIATE, &DROP_DETACH];
