//! `egraph`: of all the ways to write arithmetic that the rows know, the cheapest for a machine.
//!
//! A function is one graph with all its regions ([`build`]); the rows of [`crate::rows`] are
//! applied until nothing is new or fuel ends ([`search`]); a node is chosen for each class, where
//! shared ones count once ([`extract`]); the code is written back ([`elaborate`]). What costs no
//! less than before is left as it was, to the letter.
//!
//! It stands between optimization and lowering, and never before or between rounds of
//! differentiation: values at singular points are those of the source.
//!
//! Must not know: any op by name but constants, choices and moves of scalars (what they mean to a
//! graph), and any target.

pub mod ask;
mod build;
mod dot;
mod elaborate;
mod explain;
pub mod extract;
mod graph;
mod matching;
mod report;
mod said;
mod search;
mod weigh;

use crate::analysis::costs::{Costs, Machine};
use crate::manager::{Changed, ModuleView, OptionKind, OptionType, PassDef, PassReport, PassResult, Value};
use crate::passes;
use crate::rows::{self, Class};
use caustic_dialects::func;
use caustic_ir::{Body, Diagnostic, SymbolOp};
use egg::Id;
pub use explain::{Explanation, Step, Told, Wanted};
pub use report::{FunctionReport, LineReport, RowReport};
use rustc_hash::FxHashMap;
pub use search::Stop;
use search::{Fuel, Way};
pub use weigh::simple;
use weigh::{Ledger, Weights};

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[&EGRAPH];

passes! {
    /// Chooses the cheapest of all ways to compute what a function computes that the rows of
    /// arithmetic know.
    ///
    /// One e-graph holds all regions of a function; what conditions of branches say is known within
    /// them. Rows of a class that is not asked for are left out. The result depends on nothing but
    /// the code and the options.
    pub static EGRAPH: "egraph" {
        level: function,
        options: EgraphOptions {
            class: Class = "exact", "What may happen to floats.";
            costs: Machine = "cpu", "The machine whose costs count.";
            nodes: i64 = "-1", "The most nodes of a graph; -1 for what its size allows.";
            rounds: i64 = "8", "How often all rows are looked for at most.";
            stop_after: i64 = "-1", "Stop after this many unions in a function; -1 for no limit. To find the one that breaks a program.";
            only: String = "", "Rows to apply, with | between them; all if empty.";
            without: String = "", "Rows not to apply, with | between them.";
            fuse: bool = "true", "Use the rows of class contract; false for a compiler that fuses products and sums itself.";
            report: bool = "false", "Tell what was done to each function, by row and by source line.";
            explain: String = "", "Tell why a value `%v` or a source line, `12` or `file.slang:12`, is computed as it is.";
            dot: bool = "false", "Tell the graph of each function as a picture for Graphviz.";
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

/// Which rows may be used; those of class linear are for tangents, and nothing here says which
/// values those are.
impl OptionType for Class {
    const KIND: OptionKind = OptionKind::Choice(&["exact", "contract", "reassociate", "fast"]);
    fn of(value: Option<&Value>) -> Class {
        let named = |v: &Value| if let Value::Text(t) = v { Class::from_keyword(t) } else { None };
        value.and_then(named).unwrap_or(Class::Exact)
    }
    fn value(&self) -> Value {
        Value::Text(self.keyword().to_string())
    }
}

impl OptionType for Machine {
    const KIND: OptionKind = OptionKind::Choice(&Machine::NAMES);
    fn of(value: Option<&Value>) -> Machine {
        let named = |v: &Value| if let Value::Text(t) = v { Machine::from_name(t) } else { None };
        value.and_then(named).unwrap_or(Machine::Cpu)
    }
    fn value(&self) -> Value {
        Value::Text(self.name().to_string())
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
    /// Rows of class contract may be used.
    pub fuse: bool,
    /// Tell what was done, by row and by line.
    pub report: bool,
    /// Tell why this is computed as it is.
    pub explain: Option<Wanted>,
    /// Tell the graph as a picture.
    pub dot: bool,
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

fn run_egraph(
    symbol: &mut SymbolOp,
    _: &ModuleView<'_>,
    options: &EgraphOptions,
    report: &mut PassReport,
) -> PassResult {
    let list = |text: &str| text.split('|').filter(|t| !t.is_empty()).map(str::to_string).collect::<Vec<String>>();
    let (only, without) = (list(&options.only), list(&options.without));
    for name in only.iter().chain(&without) {
        if !rows::all().any(|r| r.name == name) {
            let message = format!("egraph: no row is called `{name}`; docs/rewrites.md has them");
            return Err(vec![Diagnostic::invalid_ir(symbol.loc, message)]);
        }
    }
    let explain = match &options.explain[..] {
        "" => None,
        text => Some(Wanted::parse(text).ok_or_else(|| {
            let message =
                format!("egraph: `{text}` is neither a value, as `%v`, nor a line, as `12` or `file.slang:12`");
            vec![Diagnostic::invalid_ir(symbol.loc, message)]
        })?),
    };
    let settings = Settings {
        class: options.class,
        costs: Costs::of_machine(options.costs),
        nodes: usize::try_from(options.nodes).ok(),
        rounds: usize::try_from(options.rounds).unwrap_or(0),
        unions: u64::try_from(options.stop_after).unwrap_or(u64::MAX),
        only: only.iter().map(String::as_str).collect(),
        without: without.iter().map(String::as_str).collect(),
        fuse: options.fuse,
        report: options.report,
        explain,
        dot: options.dot,
    };
    let Some((outcome, told)) = optimize(symbol, &settings).map_err(|e| vec![e])? else { return Ok(Changed::No) };
    if let Some(told) = told {
        report.tell(told);
    }
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
    let ways = ways(settings);
    // A branch that is never taken says what is false, which may turn up only once rows have found
    // it: then numbers that differ are equal, and all is done again without what branches say.
    let search = |listens| searched(symbol, settings, &ways, ops, listens);
    let found = search(true).or_else(|| search(false));
    let Some((mut built, searched)) = found else { return Ok(None) };
    let weights = Weights { costs: settings.costs, signs_are_free: settings.class >= Class::Contract };
    let weighed = weigh::weigh(&symbol.body, &built, weights);
    let steps = if settings.class == Class::Exact { 400_000 } else { 2_000_000 };
    let Some((choice, cost)) = extract::extract(&weighed.problem, steps) else {
        // The code as it stood is always a choice.
        let fault = || Diagnostic::internal(symbol.loc, "egraph: a value of the code cannot be chosen");
        return if cfg!(debug_assertions) { Err(fault()) } else { Ok(None) };
    };
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
    if cost.work < weighed.before {
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
        let report = FunctionReport::new(symbol, &built, &chosen, &search, &ledger, outcome.clone());
        FunctionReport { explanations, dot, ..report }
    });
    Ok(Some((outcome, report)))
}

/// The graph of a function with all that was found equal; `None` if it is nested too deeply, or
/// contradicts itself.
fn searched(
    symbol: &SymbolOp,
    settings: &Settings<'_>,
    ways: &[Way<'_>],
    ops: usize,
    listens: bool,
) -> Option<(build::Built, search::Searched)> {
    let mut graph = graph::EGraph::new(graph::Knowledge::new(symbol.loc));
    if settings.explain.is_some() {
        graph = graph.with_explanations_enabled();
    }
    let mut built = build::build(&symbol.body, graph, listens)?;
    let fuel = Fuel {
        nodes: settings.nodes.unwrap_or_else(|| room(settings.class, ops)),
        rounds: settings.rounds,
        matches: 600,
        unions: settings.unions,
    };
    let searched = search::saturate(&mut built.graph, ways, fuel);
    (!graph::contradicts_itself(&built.graph)).then_some((built, searched))
}

fn ways(settings: &Settings<'_>) -> Vec<Way<'static>> {
    // Rows for tangents hold where a zero is known to be one; nothing here says which values those
    // are.
    let allows =
        |class: Class| class <= settings.class && class != Class::Linear && (settings.fuse || class != Class::Contract);
    search::ways(rows::all(), allows, &settings.only, &settings.without)
}
