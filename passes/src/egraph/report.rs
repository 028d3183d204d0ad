//! What the pass did to a function, as data: rows by name, costs by source line.
//!
//! A row *was chosen* as often as the code that was written computes something in the way that the
//! row added first, or takes what the row found equal for what stood there before. So the numbers
//! say which rows matter, not how often each was looked at.
//!
//! Must not know: how the report is asked for, and where it is printed.

use super::build::Built;
use super::elaborate::Chosen;
use super::graph::{Node, canonical};
use super::search::{Applied, Searched, Way};
use super::weigh::{self, Ledger};
use super::{Explanation, Outcome};
use caustic_ir::{Loc, LocKind, Name, SymbolOp};
use egg::Id;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What happened to a function.
#[derive(Clone, Debug)]
pub struct FunctionReport {
    pub function: Name,
    pub loc: Loc,
    pub outcome: Outcome,
    /// The most that the chosen code may be off by rows above exact, in units in the last place of
    /// what each node stands for.
    pub bound: u64,
    /// Rows that matched, in the order of the tables.
    pub rows: Vec<RowReport>,
    /// Source lines whose code changed, in their order.
    pub lines: Vec<LineReport>,
    /// Why values are computed as they are, where that was asked for.
    pub explanations: Vec<Explanation>,
    /// The graph for Graphviz, if it was asked for.
    pub dot: Option<String>,
}

/// What a row did.
#[derive(Clone, Debug)]
pub struct RowReport {
    pub row: &'static str,
    pub matches: u64,
    pub unions: u64,
    /// In the code that was written.
    pub chosen: u64,
    /// Matches that a condition refused, by the condition's name.
    pub refused: Vec<(&'static str, u64)>,
}

/// What happened to the code of a source line.
#[derive(Clone, Debug)]
pub struct LineReport {
    /// A place on it.
    pub loc: Loc,
    /// Costs, as those of an [`Outcome`].
    pub before: u64,
    pub after: u64,
    /// Rows that its code was chosen by.
    pub rows: Vec<&'static str>,
}

/// What the search left behind that says which row a choice is from.
pub struct Search<'a> {
    pub ways: &'a [Way<'static>],
    pub searched: &'a Searched,
}

/// The rows that the chosen code is from, by class.
fn origins(built: &Built, chosen: &Chosen, applied: &[Applied]) -> FxHashMap<Id, usize> {
    let graph = &built.graph;
    let canonical = |node: &Node| canonical(graph, node);
    let original: rustc_hash::FxHashSet<Node> =
        built.originals.iter().flat_map(|o| &o.nodes).map(|(_, node)| canonical(node)).collect();
    let mut added: FxHashMap<Node, usize> = FxHashMap::default();
    let mut joined: FxHashMap<Id, usize> = FxHashMap::default();
    for step in applied {
        for id in step.added.clone() {
            if let Some(node) = graph.nodes().get(id) {
                added.entry(canonical(node)).or_insert(step.way);
            }
        }
        if step.added.is_empty() {
            joined.entry(graph.find(step.class)).or_insert(step.way);
        }
    }
    let mut out = FxHashMap::default();
    for (&id, node) in chosen {
        let node = canonical(node);
        if original.contains(&node) && !joined.contains_key(&id) {
            continue;
        }
        if let Some(&way) = added.get(&node).or_else(|| joined.get(&id)) {
            out.insert(id, way);
        }
    }
    out
}

fn by_row(search: &Search<'_>, origins: &FxHashMap<Id, usize>) -> Vec<RowReport> {
    let mut times: Vec<u64> = vec![0; search.ways.len()];
    origins.values().for_each(|&way| times[way] += 1);
    let mut rows: Vec<RowReport> = Vec::new();
    for ((way, count), &chosen) in search.ways.iter().zip(&search.searched.counts).zip(&times) {
        // Both ways of a row stand one after the other.
        if rows.last().is_none_or(|r| r.row != way.name) {
            rows.push(RowReport { row: way.name, matches: 0, unions: 0, chosen: 0, refused: Vec::new() });
        }
        let Some(row) = rows.last_mut() else { continue };
        row.matches += count.matches;
        row.unions += count.unions;
        row.chosen += chosen;
        for &(name, n) in &count.refused {
            match row.refused.iter_mut().find(|r| r.0 == name) {
                Some(known) => known.1 += n,
                None => row.refused.push((name, n)),
            }
        }
    }
    rows.retain(|r| r.matches > 0);
    rows
}

fn by_line(built: &Built, ledger: &Ledger, search: &Search<'_>, origins: &FxHashMap<Id, usize>) -> Vec<LineReport> {
    let mut lines: BTreeMap<(String, u32), LineReport> = BTreeMap::new();
    let mut line = |loc: Loc, change: &dyn Fn(&mut LineReport)| {
        if let LocKind::Span { file, line, .. } = loc.source().kind() {
            let new = || LineReport { loc, before: 0, after: 0, rows: Vec::new() };
            change(lines.entry((file.to_string(), *line)).or_insert_with(new));
        }
    };
    ledger.before.iter().for_each(|&(loc, cost)| line(loc, &|l| l.before += cost));
    ledger.after.iter().for_each(|&(loc, cost)| line(loc, &|l| l.after += cost));
    let mut named: Vec<(usize, Id)> = origins.iter().map(|(&id, &way)| (way, id)).collect();
    named.sort_unstable();
    for (way, id) in named {
        let name = search.ways[way].name;
        line(built.graph[id].data.loc, &|l| {
            if !l.rows.contains(&name) {
                l.rows.push(name);
            }
        });
    }
    lines.into_values().filter(|l| l.before != l.after || !l.rows.is_empty()).collect()
}

impl FunctionReport {
    /// The report of a function of which `chosen` was written.
    pub fn new(
        symbol: &SymbolOp,
        built: &Built,
        chosen: &Chosen,
        search: &Search<'_>,
        (ledger, bound): (&Ledger, u64),
        outcome: Outcome,
    ) -> FunctionReport {
        let origins = origins(built, chosen, &search.searched.applied);
        FunctionReport {
            function: symbol.name,
            loc: symbol.loc,
            outcome,
            bound,
            rows: by_row(search, &origins),
            lines: by_line(built, ledger, search, &origins),
            explanations: Vec::new(),
            dot: None,
        }
    }

    /// Lines for people; `place` words a place.
    pub fn to_text(&self, place: &dyn Fn(Loc) -> String) -> String {
        let o = &self.outcome;
        let mut out = format!("{} ({})\n", self.function, place(self.loc));
        let whole = |cost: u64| weigh::simple(cost);
        out += &format!("  cost {} -> {}", whole(o.before), whole(o.after));
        if self.bound > 0 {
            out += &format!(", rounding within {} ulp", self.bound);
        }
        out += &format!(
            "\n  graph: {} nodes, {} classes, {} equalities in {} rounds, ended by {}\n",
            o.nodes,
            o.classes,
            o.unions,
            o.rounds,
            o.stop.keyword()
        );
        for line in &self.lines {
            let rows = line.rows.join(", ");
            out += &format!("  {}: {} -> {}", place(line.loc), whole(line.before), whole(line.after));
            out += &if rows.is_empty() { "\n".to_string() } else { format!("  by {rows}\n") };
        }
        for row in &self.rows {
            out += &format!("  row {}: {} matches, {} new, {} chosen", row.row, row.matches, row.unions, row.chosen);
            for (name, n) in &row.refused {
                out += &format!(", {n} not {name}");
            }
            out += "\n";
        }
        self.explanations.iter().for_each(|e| out += &e.to_text());
        out
    }
}
