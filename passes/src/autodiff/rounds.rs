//! Rounds of the steps until no derivative is asked for.

use super::checkpoint::step::{Machine, policy};
use super::checkpoint::{self, Policy, Report};
use super::linearize::step::{linearize_ready, resolve_singular_points};
use super::pairs::{self, lower_pairs_module};
use super::partials::SingularPoints;
use super::requests::reverse_roots;
use super::serve::extract_module;
use super::space::is_space;
use super::unzip::unzip_module;
use super::verify::checked;
use super::{endless, forms, meet, ungate};
use crate::analysis::derivative_links::is_link;
use crate::autodiff::Errors;
use crate::manager::PassReport;
use crate::optimize::tidy::tidy;
use crate::{choices, passes};
use caustic_dialects::ad::is_request;
use caustic_ir::codes;
use caustic_ir::{CancelToken, Diagnostic, Module, Name, SymbolOp};
use rustc_hash::FxHashSet;

/// Rounds that one module may need; each serves one more level of nested operators.
const MAX_ROUNDS: usize = 16;
/// Each level of nesting multiplies the code; these bound what all levels make of a small and of a
/// large program.
const MAX_OPS: usize = 60_000;
const MAX_GROWTH: usize = 16;

choices! {
    /// How loops are differentiated in reverse.
    pub enum Modes {
        /// Backwards, or with tangents carried forward where that costs less.
        Choose = "choose",
        Reverse = "reverse",
    }
}

passes! {
    /// Serves all requests for derivatives: rounds of the steps above with `tidy` between them,
    /// until none is left.
    ///
    /// Nothing detaches any more then: `drop-detach` has run, too.
    pub static DIFFERENTIATE: "differentiate" {
        level: module,
        options: DifferentiateOptions [Copy] {
            machine: Machine = "cpu", "The machine whose costs decide what is stored.";
            snapshots: Option<i64> = "none", "States that a loop without a constant trip count keeps at most for its reverse derivative; without, it keeps each.";
            trust_max_iters: bool = "false", "With `snapshots`: a loop that cannot run again keeps as many iterations as `[MaxIters]` says. The derivative of one that has more is wrong: often NaN, but not in all its parts.";
            singular: SingularPoints = "convention", "What derivatives are at singular points.";
            modes: Modes = "choose", "How loops are differentiated in reverse.";
            keep_non_finite: bool = "false", "Fold nothing on the way that makes a NaN or an infinity of finite numbers.";
        },
        before: "func scf arith math vector agg, ad.derivative", after: "func scf arith math vector agg", statistics: [],
        run: |module: &mut Module, options: &DifferentiateOptions, report: &mut PassReport| {
            // Who makes derivatives may ask what was decided about them: the pass tells it.
            let mut decisions = Report::default();
            differentiate_under(module, &options.policy(), &mut decisions, report.cancel())?;
            report.tell(decisions);
            module.symbols_mut().iter_mut().for_each(|symbol| _ = pairs::drop_detach(symbol));
            checked(module, Ok(true))
        },
    }
}

impl DifferentiateOptions {
    /// The policy that the options describe.
    pub fn policy(&self) -> Policy {
        Policy {
            singular: self.singular,
            trust_max_iters: self.trust_max_iters,
            chooses_modes: self.modes == Modes::Choose,
            keep_non_finite: self.keep_non_finite,
            ..policy(self.machine, self.snapshots)
        }
    }
}

/// Serves all requests, round after round. What is not needed goes after each linearization and
/// each round: dead code must go before a step looks at it. It runs on what the round has made or
/// changed.
pub fn differentiate(module: &mut Module, policy: &Policy) -> Result<(), Errors> {
    differentiate_under(module, policy, &mut Report::default(), &CancelToken::default())
}

/// [`differentiate`], and what was decided about the reverse derivatives; `cancel` ends it.
pub fn differentiate_under(
    module: &mut Module,
    policy: &Policy,
    report: &mut Report,
    cancel: &CancelToken,
) -> Result<(), Errors> {
    let size = |m: &Module| m.symbols().iter().map(|s| s.body.all_ops().count()).sum::<usize>();
    let most = MAX_OPS + MAX_GROWTH * size(module);
    let tidy = |module: &mut Module, only, cancel: &CancelToken| tidy(module, only, cancel, policy.keep_non_finite);
    for _ in 0..MAX_ROUNDS {
        if let Some(left) = module.symbols().iter().find(|s| is_request(s))
            && size(module) > most
        {
            return Err(vec![too_deep(left, format!("nested derivatives make more than {most} operations"))]);
        }
        let mut settled: FxHashSet<Name> = module.symbols().iter().filter(|s| !is_request(s)).map(|s| s.name).collect();
        for changed in lower_pairs_module(module) {
            settled.remove(&changed);
        }
        for changed in resolve_singular_points(module, policy.singular) {
            settled.remove(&changed);
        }
        let fresh = |m: &Module| m.symbols().iter().map(|s| s.name).filter(|n| !settled.contains(n)).collect();
        if !linearize_ready(module, policy.singular)? {
            module.retain(|s| !is_space(s) && !is_link(s));
            meet::run(module);
            return endless::check(module);
        }
        tidy(module, fresh(module), cancel)?;
        let carried = checkpoint::choose_modes(module, policy, report).map_err(|e| vec![e])?;
        let freed = ungate::free_module(module);
        if carried || freed {
            tidy(module, fresh(module), cancel)?;
        }
        if carried {
            checkpoint::forget_unused(module, reverse_roots(module));
        }
        checkpoint::mark_all(module, policy, report);
        unzip_module(module)?;
        forms::transpose_module(module)?;
        tidy(module, fresh(module), cancel)?;
        extract_module(module)?;
        tidy(module, fresh(module), cancel)?;
    }
    let left = module.symbols().iter().find(|s| is_request(s));
    match left {
        None => Ok(()),
        Some(s) => Err(vec![too_deep(s, format!("derivatives are nested more than {MAX_ROUNDS} deep"))]),
    }
}

fn too_deep(request: &SymbolOp, text: String) -> Diagnostic {
    Diagnostic::error(codes::E0605, request.loc, text)
        .with_label(format!("'{}' is yet to be made", request.name))
        .with_note("use fewer nested fwd_diff and bwd_diff operators")
}
