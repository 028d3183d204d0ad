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
mod bounds;
mod build;
mod dot;
mod elaborate;
mod explain;
pub mod extract;
mod factors;
mod graph;
mod matching;
mod optimize;
mod pattern;
mod report;
mod said;
mod search;
mod weigh;

use crate::analysis::costs::{Costs, Machine};
use crate::manager::{
    Changed, ModuleView, OptionKind, OptionType, PassDef, PassOptions, PassReport, PassResult, Refusal, Value,
};
use crate::passes;
use crate::rows::{self, Class, Row};
use caustic_ir::nearest::nearest;
use caustic_ir::{Diagnostic, SymbolOp};
pub use explain::{Explanation, Step, Told, Wanted};
pub use optimize::{Outcome, Settings, optimize};
pub use report::{FunctionReport, LineReport, RowReport};
use rustc_hash::FxHashSet;
pub use search::Stop;
pub use weigh::simple;

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
            ulps: Option<i64> = "none", "The most that the bounds of the rows may add up to in a function, in units in the last place.";
            gain: i64 = "0", "Percent of the cost of a function that must be gained; otherwise it is left as it was.";
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
        check: |options| check(options, &[]),
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

/// Declares a pass that is `egraph` with rows of one's own beside the built-in ones:
///
/// ```
/// use caustic_passes::rows::rows;
///
/// rows! {
///     static ROWS: [ "cube" Fast EGraph (powf x 3) = (mulf x (mulf x x)) within 4 ulp; ]
/// }
/// caustic_passes::egraph_with! { static EGRAPH: "egraph" = [ROWS] }
///
/// caustic_passes::registry().add(&EGRAPH);
/// ```
///
/// Under its name it takes the place of the built-in one in all pipelines of a registry.
#[macro_export]
macro_rules! egraph_with {
    ($(#[$meta:meta])* $vis:vis static $pass:ident: $name:literal = [ $($table:path),+ $(,)? ]) => {
        $(#[$meta])*
        $vis static $pass: $crate::manager::PassDef = $crate::manager::PassDef {
            name: $name,
            run: $crate::manager::Run::Function(|symbol, _, options, report| {
                $crate::egraph::run_with(symbol, options, report, &[$($table),+])
            }),
            check: |options| $crate::egraph::check_with(options, &[$($table),+]),
            ..$crate::egraph::EGRAPH
        };
    };
}

/// The pass with more rows, which belong to whoever declares it with [`egraph_with!`].
///
/// # Errors
/// An option, or a row, is wrong.
pub fn run_with(
    symbol: &mut SymbolOp,
    options: &PassOptions,
    report: &mut PassReport,
    own: &[&'static [Row]],
) -> PassResult {
    run(symbol, &EgraphOptions::from_values(options), report, own)
}

/// Whether the pass with more rows takes its options.
///
/// # Errors
/// Why it does not.
pub fn check_with(options: &PassOptions, own: &[&'static [Row]]) -> Result<(), Refusal> {
    check(&EgraphOptions::from_values(options), own)
}

fn check(options: &EgraphOptions, own: &[&'static [Row]]) -> Result<(), Refusal> {
    let known = || rows::all().chain(own.iter().copied().flatten()).map(|row| row.name);
    for name in names(&options.only).chain(names(&options.without)) {
        if !known().any(|row| row == name) {
            let note = match nearest(name, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "docs/rewrites.md has them all".to_string(),
            };
            return Err(Refusal { message: format!("no row is called `{name}`"), note: Some(note) });
        }
    }
    let explain = &options.explain;
    if !explain.is_empty() && Wanted::parse(explain).is_none() {
        let message = format!("`{explain}` is neither a value, as `%v`, nor a line, as `12` or `file.slang:12`");
        return Err(Refusal::new(message));
    }
    let within = |name: &str, value: i64, least: i64, most: i64| match value {
        value if value < least => Err(Refusal::new(format!("`{name}` is at least {least}, not {value}"))),
        value if value > most => Err(Refusal::new(format!("`{name}` is at most {most}, not {value}"))),
        _ => Ok(()),
    };
    within("ulps", options.ulps.unwrap_or(0), 0, i64::from(u32::MAX))?;
    within("nodes", options.nodes, -1, i64::MAX)?;
    within("rounds", options.rounds, 0, i64::MAX)?;
    within("stop-after", options.stop_after, -1, i64::MAX)?;
    within("gain", options.gain, 0, 100)
}

/// The names in the text of an option.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').filter(|name| !name.is_empty())
}

/// What is wrong with rows of somebody's own.
fn mistake(own: &[&'static [Row]]) -> Option<String> {
    let mut names: FxHashSet<&str> = rows::all().map(|row| row.name).collect();
    own.iter().copied().flatten().find_map(|row| match row.checked() {
        Err(why) => Some(format!("egraph: the row `{}` is wrong: {why}", row.name)),
        Ok(_) if !names.insert(row.name) => Some(format!("egraph: two rows are called `{}`", row.name)),
        Ok(_) => None,
    })
}

fn run_egraph(
    symbol: &mut SymbolOp,
    _: &ModuleView<'_>,
    options: &EgraphOptions,
    report: &mut PassReport,
) -> PassResult {
    run(symbol, options, report, &[])
}

fn run(symbol: &mut SymbolOp, options: &EgraphOptions, report: &mut PassReport, own: &[&'static [Row]]) -> PassResult {
    if let Some(message) = mistake(own) {
        return Err(vec![Diagnostic::invalid_ir(symbol.loc, message)]);
    }
    // A pipeline that is no text was not asked yet.
    check(options, own).map_err(|refusal| {
        let found = Diagnostic::invalid_ir(symbol.loc, format!("egraph: {}", refusal.message));
        vec![refusal.note.into_iter().fold(found, Diagnostic::with_note)]
    })?;
    let settings = Settings {
        class: options.class,
        costs: Costs::of_machine(options.costs),
        nodes: usize::try_from(options.nodes).ok(),
        rounds: usize::try_from(options.rounds).unwrap_or(0),
        unions: u64::try_from(options.stop_after).unwrap_or(u64::MAX),
        only: names(&options.only).collect(),
        without: names(&options.without).collect(),
        ulps: options.ulps.and_then(|ulps| u32::try_from(ulps).ok()),
        gain: u64::try_from(options.gain).unwrap_or(0),
        fuse: options.fuse,
        report: options.report,
        explain: Wanted::parse(&options.explain),
        dot: options.dot,
        own,
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
