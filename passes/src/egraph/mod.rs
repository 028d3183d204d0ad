//! `egraph`: of all the ways to write arithmetic that the rows know, the cheapest for a machine.
//!
//! A function is one graph with all its regions ([`build`]); the rows of [`crate::rows`] are applied until nothing is new or fuel ends
//! ([`search`]); a node is chosen for each class, where shared ones count once ([`extract`]); the code is written back
//! ([`elaborate`]). What costs no less than before is left as it was, to the letter.
//!
//! It stands between optimization and lowering, and never before or between rounds of differentiation: values at singular points
//! are those of the source.
//!
//! Must not know: any op by name but constants, choices and moves of scalars (what they mean to a graph), and any target.

pub mod ask;
mod build;
mod elaborate;
pub mod extract;
mod graph;
mod said;
mod search;
mod weigh;

use crate::analysis::costs::{Costs, Machine};
use crate::manager::{Changed, ModuleView, PassDef, PassReport, PassResult};
use crate::passes;
use crate::rows::{self, Class};
use caustic_dialects::func;
use caustic_ir::{Body, Diagnostic, SymbolOp};
use egg::Id;
use rustc_hash::FxHashMap;
use search::{Count, Fuel, Stop, Way};

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[&EGRAPH];

passes! {
    /// Chooses the cheapest of all ways to compute what a function computes that the rows of arithmetic know.
    ///
    /// One e-graph holds all regions of a function; what conditions of branches say is known within them. Rows of a class that is
    /// not asked for are left out. The result depends on nothing but the code and the options.
    pub static EGRAPH: "egraph" {
        level: function,
        options: EgraphOptions {
            class: String = "exact", "What may happen to floats: exact, contract, reassociate or fast.";
            costs: String = "cpu", "The machine whose costs count: interp, cpu, simd, gpu or gpu-fast.";
            nodes: i64 = "-1", "The most nodes of a graph; -1 for what its size allows.";
            rounds: i64 = "8", "How often all rows are looked for at most.";
            stop_after: i64 = "-1", "Stop after this many unions in a function; -1 for no limit. To find the one that breaks a program.";
            only: String = "", "Rows to apply, with | between them; all if empty.";
            without: String = "", "Rows not to apply, with | between them.";
        },
        before: "func scf arith math vector, without derivatives to be made", after: "the same",
        statistics: [
            ("nodes", "nodes of the graphs at the end"),
            ("unions", "equalities found"),
            ("cost-before", "what the code cost"),
            ("cost-after", "what it costs"),
            ("functions", "functions that were written anew"),
        ],
        run: run_egraph,
    }
}

/// Ops of a function that the graph is made of at most; larger ones are left alone.
const LARGEST: usize = 20_000;

/// What the pass is asked to do.
pub struct Settings<'a> {
    pub class: Class,
    pub costs: &'a Costs,
    pub nodes: Option<usize>,
    pub rounds: usize,
    pub unions: u64,
    pub only: Vec<&'a str>,
    pub without: Vec<&'a str>,
    /// Keep what is needed to tell why.
    pub explain: bool,
}

/// What happened to a function.
#[derive(Debug)]
pub struct Outcome {
    pub changed: bool,
    pub nodes: usize,
    pub classes: usize,
    pub rounds: usize,
    pub stop: Stop,
    pub unions: u64,
    pub before: u64,
    pub after: u64,
    pub counts: Vec<(&'static str, Count)>,
}

fn run_egraph(
    symbol: &mut SymbolOp,
    _: &ModuleView<'_>,
    options: &EgraphOptions,
    report: &mut PassReport,
) -> PassResult {
    let wrong = |what: &str, given: &str, known: String| {
        vec![Diagnostic::invalid_ir(symbol.loc, format!("egraph: {what} is `{given}`, which is none of {known}"))]
    };
    let class = Class::from_keyword(&options.class).filter(|c| *c != Class::Linear);
    let Some(class) = class else {
        return Err(wrong("class", &options.class, "exact, contract, reassociate, fast".into()));
    };
    let Some(costs) = Costs::of_name(&options.costs) else {
        let known: Vec<&str> = Machine::ALL.iter().map(|m| m.name()).collect();
        return Err(wrong("costs", &options.costs, known.join(", ")));
    };
    let list = |text: &str| text.split('|').filter(|t| !t.is_empty()).map(str::to_string).collect::<Vec<String>>();
    let (only, without) = (list(&options.only), list(&options.without));
    for name in only.iter().chain(&without) {
        if !rows::all().any(|r| r.name == name) {
            return Err(wrong("a row", name, "the rows of docs/rewrites.md".into()));
        }
    }
    let settings = Settings {
        class,
        costs,
        nodes: usize::try_from(options.nodes).ok(),
        rounds: usize::try_from(options.rounds).unwrap_or(0),
        unions: u64::try_from(options.stop_after).unwrap_or(u64::MAX),
        only: only.iter().map(String::as_str).collect(),
        without: without.iter().map(String::as_str).collect(),
        explain: false,
    };
    let Some(outcome) = optimize(symbol, &settings).map_err(|e| vec![e])? else { return Ok(Changed::No) };
    report.count("nodes", outcome.nodes as u64);
    report.count("unions", outcome.unions);
    report.count("cost-before", outcome.before);
    report.count("cost-after", outcome.after);
    report.count("functions", u64::from(outcome.changed));
    Ok(Changed::from(outcome.changed))
}

/// Whether a derivative of this code is still to be made, or the code is none that runs.
fn is_early(body: &Body) -> bool {
    body.all_ops().any(|op| matches!(body.op(op).def.dialect(), "ad" | "hl"))
}

/// Optimizes a function; `None` if it is none that the pass looks at.
pub fn optimize(symbol: &mut SymbolOp, settings: &Settings<'_>) -> Result<Option<Outcome>, Diagnostic> {
    if !std::ptr::eq(symbol.def, func::Func::DEF) || is_early(&symbol.body) {
        return Ok(None);
    }
    let ops = symbol.body.all_ops().filter(|&op| symbol.body.op(op).def.is_pure()).count();
    if !(2..=LARGEST).contains(&ops) {
        return Ok(None);
    }
    let knowledge = graph::Knowledge::new(symbol.loc);
    let mut graph = graph::EGraph::new(knowledge);
    if settings.explain {
        graph = graph.with_explanations_enabled();
    }
    let Some(mut built) = build::build(&symbol.body, graph) else { return Ok(None) };
    let fuel = Fuel {
        nodes: settings.nodes.unwrap_or_else(|| (8 * ops + 2000).min(20_000)),
        rounds: settings.rounds,
        matches: 600,
        unions: settings.unions,
    };
    let ways = ways(settings);
    let mut counts = vec![Count::default(); ways.len()];
    let (stop, rounds, unions) = search::saturate(&mut built.graph, &ways, fuel, &mut counts);
    let weighed = weigh::weigh(&symbol.body, &built, settings.costs, settings.class >= Class::Contract);
    let steps = if settings.class == Class::Exact { 400_000 } else { 2_000_000 };
    let Some((choice, cost)) = extract::extract(&weighed.problem, steps) else { return Ok(None) };
    let before = weighed.before;
    let mut outcome = Outcome {
        changed: false,
        nodes: built.graph.total_size(),
        classes: weighed.classes.len(),
        rounds,
        stop,
        unions,
        before,
        after: cost.work,
        counts: ways.iter().map(|w| w.name).zip(counts).collect(),
    };
    if cost.work >= before {
        outcome.after = before;
        return Ok(Some(outcome));
    }
    let Some(order) = extract::order(&weighed.problem, &choice) else { return Ok(None) };
    let mut chosen: elaborate::Chosen = FxHashMap::default();
    for &c in &order {
        let node = choice[c as usize].and_then(|k| weighed.nodes[c as usize].get(k as usize));
        let Some(node) = node else { return Ok(None) };
        chosen.insert(weighed.classes[c as usize], node.clone());
    }
    let order: Vec<Id> = order.iter().map(|&c| weighed.classes[c as usize]).collect();
    outcome.changed = elaborate::elaborate(&mut symbol.body, &built, &chosen, &order)?;
    if !outcome.changed {
        outcome.after = outcome.before;
    }
    Ok(Some(outcome))
}

fn ways(settings: &Settings<'_>) -> Vec<Way<'static>> {
    // Rows for tangents hold where a zero is known to be one; nothing here says which values those are.
    let allows = |class: Class| class <= settings.class && class != Class::Linear;
    search::ways(rows::all(), allows, &settings.only, &settings.without)
}
