//! A function through the e-graph: search, choice, and code again.

use super::bounds::{Bounds, Log};
use super::report::{self, FunctionReport};
use super::search::{self, Fuel, Stop, Ways};
use super::weigh::{self, Ledger, Weights};
use super::{Wanted, build, dot, elaborate, explain, extract, graph};
use crate::analysis::carried_facts::{Known, carried_facts};
use crate::analysis::costs::Costs;
use crate::rows::{self, Class, Row};
use caustic_dialects::func;
use caustic_ir::{Body, Diagnostic, SymbolOp};
use egg::Id;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Ops of a function that the graph is made of at most; larger ones are left alone.
const LARGEST: usize = 20_000;

/// The row that says that factors may be taken out of sums.
const FACTORS: &str = "common-factor";

/// Nodes that rows may add to any graph.
const LEAST: usize = 200;

/// Nodes that later rounds may look at.
const LOOKS: usize = 1_500;

/// Ops of a function of which one branch more or less is a small part.
const LARGE: usize = 400;

/// Percent of the cost at most that code has which is much cheaper than before.
const MUCH: u64 = 94;

/// What the pass is asked to do.
pub struct Settings<'a> {
    pub class: Class,
    pub costs: &'a Costs,
    pub nodes: Option<usize>,
    pub rounds: usize,
    pub unions: u64,
    pub only: Vec<&'a str>,
    pub without: Vec<&'a str>,
    /// The most that the bounds of rows may add up to.
    pub ulps: Option<u32>,
    /// Percent of the cost that must be gained.
    pub gain: u64,
    /// Rows of class contract may be used.
    pub fuse: bool,
    /// Tell what was done, by row and by line.
    pub report: bool,
    /// Tell why this is computed as it is.
    pub explain: Option<Wanted>,
    /// Tell the graph as a picture.
    pub dot: bool,
    /// Rows besides those of the tables.
    pub own: &'a [&'static [Row]],
}

/// What happened to a function, in numbers.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether the code was written anew.
    pub changed: bool,
    /// Nodes of the graph at the end.
    pub nodes: usize,
    pub classes: usize,
    pub rounds: usize,
    pub stop: Stop,
    /// Equalities found.
    pub unions: u64,
    /// What the code cost, and what it costs, in sixteenths of a simple operation.
    pub before: u64,
    pub after: u64,
}

/// Whether a derivative of this code is still to be made, or the code is none that runs.
fn is_early(body: &Body) -> bool {
    body.all_ops().any(|op| matches!(body.op(op).def.dialect(), "ad" | "hl"))
}

/// Nodes that a graph of so many ops may have. Exact rows find an end long before. The others do
/// not, and find most of what there is to find early; time grows with the nodes.
fn room(class: Class, ops: usize) -> usize {
    match class {
        Class::Exact | Class::Linear => (8 * ops + 2000).min(20_000),
        _ => (2 * ops + 400).min(10_000),
    }
}

/// Optimizes a function, and reports if it shall; `None` if it is none that the pass looks at.
pub fn optimize(
    symbol: &mut SymbolOp,
    settings: &Settings<'_>,
) -> Result<Option<(Outcome, Option<FunctionReport>)>, Diagnostic> {
    if !std::ptr::eq(symbol.def, func::Func::DEF) || is_early(&symbol.body) {
        return Ok(None);
    }
    let ops = symbol.body.all_ops().filter(|&op| symbol.body.op(op).def.is_pure()).count();
    if !(2..=LARGEST).contains(&ops) {
        return Ok(None);
    }
    let mut ways = self::ways(settings, settings.ulps.unwrap_or(u32::MAX));
    let mut found = select(symbol, settings, &ways, ops)?;
    // Where no choice keeps to the bound, rows that have none are what is left.
    if found.as_ref().is_some_and(|f| f.cost.excess > 0) {
        ways = self::ways(settings, 0);
        found = select(symbol, settings, &ways, ops)?.filter(|f| f.cost.excess == 0);
    }
    let Some(Selected { mut built, searched, bounds, weighed, choice, cost }) = found else { return Ok(None) };
    let weights = Weights::new(settings, &bounds);
    let mut outcome = Outcome {
        changed: false,
        nodes: built.graph.total_size(),
        classes: weighed.classes.len(),
        rounds: searched.rounds,
        stop: searched.stop,
        unions: searched.applied.len() as u64,
        before: weighed.before,
        after: weighed.before,
    };
    let mut chosen: elaborate::Chosen = FxHashMap::default();
    let (mut ledger, mut picture, mut explanations) = (None, None, Vec::new());
    let most = u128::from(weighed.before) * u128::from(100 - settings.gain.min(100));
    if cost.work < weighed.before && u128::from(cost.work) * 100 <= most {
        let Some(order) = extract::order(&weighed.problem, &choice) else { return Ok(None) };
        for &c in &order {
            let node = choice[c as usize].and_then(|k| weighed.nodes[c as usize].get(k as usize));
            let Some(node) = node else { return Ok(None) };
            chosen.insert(weighed.classes[c as usize], node.clone());
        }
        ledger = settings.report.then(|| Ledger::of(&symbol.body, &built, &weighed, &choice, &order, weights));
        let ids: Vec<Id> = order.iter().map(|&c| weighed.classes[c as usize]).collect();
        if let Some(wanted) = &settings.explain {
            explanations = explain::explain(&symbol.body, &mut built, &chosen, &ids, wanted);
        }
        picture = settings.dot.then(|| dot::dot(symbol.name, &symbol.body, &built, &chosen));
        let mut body = symbol.body.clone();
        match elaborate::elaborate(&mut body, &built, &chosen, &ids, &weighed.sharing(&choice, &order)) {
            Ok(changed) => outcome.changed = changed,
            // The code as it stood is right; a build for tests says what is wrong with this pass.
            Err(fault) if cfg!(debug_assertions) => return Err(fault),
            Err(_) => {}
        }
        if outcome.changed {
            symbol.body = body;
        }
    }
    if outcome.changed {
        outcome.after = cost.work;
    } else {
        chosen.clear();
    }
    let tells = settings.report || settings.dot || settings.explain.is_some();
    let report = tells.then(|| {
        let search = report::Search { ways: &ways, searched: &searched };
        let ledger = ledger.filter(|_| outcome.changed).unwrap_or_default();
        let dot = picture
            .or_else(|| settings.dot.then(|| dot::dot(symbol.name, &symbol.body, &built, &FxHashMap::default())));
        let bound = chosen.values().map(|node| u64::from(bounds.of(&built.graph, node))).sum();
        let report = FunctionReport::new(symbol, &built, &chosen, &search, (&ledger, bound), outcome.clone());
        FunctionReport { explanations, dot, ..report }
    });
    Ok(Some((outcome, report)))
}

/// The graph of a function, and what was chosen of it.
struct Selected {
    built: build::Built,
    searched: search::Searched,
    bounds: Bounds,
    weighed: weigh::Weighed,
    choice: extract::Choice,
    cost: extract::Cost,
}

fn select(
    symbol: &SymbolOp,
    settings: &Settings<'_>,
    ways: &Ways<'_>,
    ops: usize,
) -> Result<Option<Selected>, Diagnostic> {
    let carried = carried_facts(&symbol.body);
    let code = Code { symbol, carried: &carried, ops };
    let found = select_of(&code, settings, ways, true)?;
    // Branches that are made one no longer become choices one by one: the better of both, unless
    // much is gained, or the difference can only be small.
    let Some(moved) = found.as_ref().filter(|f| f.built.moved) else { return Ok(found) };
    let gains = moved.cost.work < moved.weighed.before;
    if moved.cost.work < moved.weighed.before / 100 * MUCH || gains && ops > LARGE {
        return Ok(found);
    }
    let plain = select_of(&code, settings, ways, false)?;
    let is_better = plain.as_ref().is_some_and(|p| p.cost < moved.cost);
    Ok(if is_better { plain } else { found })
}

/// A function, what is known of its loops, and its pure ops.
struct Code<'a> {
    symbol: &'a SymbolOp,
    carried: &'a Known,
    ops: usize,
}

fn select_of(
    code: &Code<'_>,
    settings: &Settings<'_>,
    ways: &Ways<'_>,
    moves: bool,
) -> Result<Option<Selected>, Diagnostic> {
    let symbol = code.symbol;
    // A branch that is never taken says what is false, which may turn up only once rows have found
    // it: then numbers that differ are equal, and all is done again without what branches say.
    let search = |listens| searched(code, settings, ways, build::How { listens, moves });
    let found = search(true).or_else(|| search(false));
    let Some((built, searched)) = found else { return Ok(None) };
    // Where each class is one node, and no two ops compute the same, there is nothing to choose.
    let tells = settings.report || settings.dot || settings.explain.is_some();
    if !tells && built.graph.number_of_classes() == built.graph.total_size() && !built.computes_twice() {
        return Ok(None);
    }
    let bounds = searched.log.as_ref().map(|log| Bounds::new(&built, log)).unwrap_or_default();
    let weighed = weigh::weigh(&symbol.body, &built, Weights::new(settings, &bounds));
    let steps = if settings.class == Class::Exact { 400_000 } else { 2_000_000 };
    match extract::extract(&weighed.problem, steps) {
        Some((choice, cost)) => Ok(Some(Selected { built, searched, bounds, weighed, choice, cost })),
        // The code as it stood is always a choice.
        None if cfg!(debug_assertions) => {
            Err(Diagnostic::internal(symbol.loc, "egraph: a value of the code cannot be chosen"))
        }
        None => Ok(None),
    }
}

/// The graph of a function with all that was found equal; `None` if it is nested too deeply, or
/// contradicts itself.
fn searched(
    code: &Code<'_>,
    settings: &Settings<'_>,
    ways: &Ways<'_>,
    how: build::How,
) -> Option<(build::Built, search::Searched)> {
    let mut graph = graph::EGraph::new(graph::Knowledge::new(code.symbol.loc));
    if settings.explain.is_some() {
        graph = graph.with_explanations_enabled();
    }
    let mut built = build::build(&code.symbol.body, code.carried, graph, how)?;
    let fuel = Fuel {
        // Leaves and branches are nodes that `ops` does not count: some room is left in any case.
        nodes: settings.nodes.unwrap_or_else(|| room(settings.class, code.ops).max(built.graph.total_size() + LEAST)),
        rounds: settings.rounds,
        looks: LOOKS,
        matches: 600,
        unions: settings.unions,
    };
    let log = (settings.report || settings.ulps.is_some()).then(Log::default);
    // Reordering is what taking out factors stands for.
    let factors = ways.iter().position(|way| way.name == FACTORS);
    let searched = search::saturate(&mut built.graph, ways, factors, fuel, log);
    (!graph::contradicts_itself(&built.graph)).then_some((built, searched))
}

/// The ways that the settings allow, of rows whose bounds are at most `most`. Those of the tables
/// are made once.
fn ways(settings: &Settings<'_>, most: u32) -> Arc<Ways<'static>> {
    type Known = FxHashMap<(Class, u32, bool), Arc<Ways<'static>>>;
    static KNOWN: Mutex<Known> = Mutex::new(FxHashMap::with_hasher(FxBuildHasher));
    // Rows for tangents hold where a zero is known to be one; nothing here says which values those
    // are.
    let allows = |row: &Row| {
        let is_fit = row.class <= settings.class && row.class != Class::Linear && row.ulps <= most;
        is_fit && (settings.fuse || row.class != Class::Contract)
    };
    let all = || rows::all().chain(settings.own.iter().copied().flatten());
    let make = || Arc::new(search::ways(all(), allows, &settings.only, &settings.without));
    if !(settings.only.is_empty() && settings.without.is_empty() && settings.own.is_empty()) {
        return make();
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry((settings.class, most, settings.fuse)).or_insert_with(make).clone()
}
