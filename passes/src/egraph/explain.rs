//! Why a value is computed as it is: from what stood in the code to what was chosen, one row at one
//! place after the other.
//!
//! The steps are those of `egg`'s proof. Constants that were computed are steps named `fold`,
//! branches that became choices `branch-as-select`, what a branch says of a value
//! `known-in-branch`, what was taken out of a whole sum `common-factors`.
//!
//! Invariant: two terms that follow each other differ by the named row at one place, and by nothing
//! else.

use super::build::Built;
use super::elaborate::Chosen;
use super::graph::{Children, EGraph, Head, Node, add};
use caustic_ir::text::Names;
use caustic_ir::{Attr, Attrs, Body, Loc, LocKind, Name, OpDef, OpId, Type};
use egg::{FlatTerm, Id};
use rustc_hash::FxHashMap;
use std::fmt;

/// Terms with more nodes are not explained: what is shared is written out in each place.
const LARGEST: u64 = 3000;

/// What is to be explained.
pub enum Wanted {
    /// A value by its name in the text, `%v`.
    Value(String),
    /// All that a source line computes: its number, and the end of the file's name if that matters.
    Line(Option<String>, u32),
}

impl Wanted {
    /// `%v`, `12` or `file.slang:12`.
    pub fn parse(text: &str) -> Option<Wanted> {
        if text.starts_with('%') {
            return Some(Wanted::Value(text.to_string()));
        }
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) => (Some(file.to_string()), line),
            None => (None, text),
        };
        Some(Wanted::Line(file, line.parse().ok()?))
    }

    fn is(&self, body: &Body, names: &Names, op: OpId) -> bool {
        match self {
            Wanted::Value(name) => body.results(op).iter().any(|&r| names.get(r) == *name),
            Wanted::Line(wanted, number) => match body.loc(op).source().kind() {
                LocKind::Span { file, line, .. } => {
                    line == number && wanted.as_ref().is_none_or(|w| file.as_str().ends_with(w.as_str()))
                }
                _ => false,
            },
        }
    }
}

/// A term of an explanation.
#[derive(Clone, Debug)]
pub enum Told {
    Op {
        def: &'static OpDef,
        attrs: Attrs,
        ty: Type,
        args: Vec<Told>,
    },
    Constant(Attr),
    /// A value that the graph does not look into, by its name.
    Leaf {
        name: String,
        ty: Type,
    },
    /// A result of a branch: of the condition and of what both sides yield.
    Branch {
        args: Vec<Told>,
    },
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, args: &[Told]| {
            args.iter().enumerate().try_for_each(|(i, a)| write!(f, "{}{a}", if i > 0 { ", " } else { "" }))
        };
        match self {
            Told::Op { def, attrs, args, .. } => {
                let (_, name) = def.name.split_once('.').unwrap_or(("", def.name));
                write!(f, "{name}")?;
                for (_, value) in attrs {
                    write!(f, "<{value}>")?;
                }
                f.write_str("(")?;
                list(f, args)?;
                f.write_str(")")
            }
            Told::Constant(value) => write!(f, "{value}"),
            Told::Leaf { name, .. } => f.write_str(name),
            Told::Branch { args } => {
                f.write_str("if(")?;
                list(f, args)?;
                f.write_str(")")
            }
        }
    }
}

/// A step: what a row made of the term before.
#[derive(Clone, Debug)]
pub struct Step {
    pub row: String,
    /// The row was used from right to left.
    pub reversed: bool,
    pub term: Told,
}

/// How a value came to be computed as it is.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Its name in the text before, and the lane if it is a vector's.
    pub value: String,
    pub loc: Loc,
    pub before: Told,
    pub steps: Vec<Step>,
    /// Too much to be written out.
    pub too_large: bool,
}

impl Explanation {
    /// Lines for people.
    pub fn to_text(&self) -> String {
        if self.too_large {
            return format!("  {} is too large to be explained: ask for a part of it\n", self.value);
        }
        let mut out = format!("  {} = {}\n", self.value, self.before);
        for step in &self.steps {
            let way = if step.reversed { " (from right to left)" } else { "" };
            out += &format!("    by {}{way}\n    = {}\n", step.row, step.term);
        }
        out
    }
}

/// The explanations of what is wanted and was not left as it stood. The graph keeps explanations.
pub fn explain(body: &Body, built: &mut Built, chosen: &Chosen, order: &[Id], wanted: &Wanted) -> Vec<Explanation> {
    let names = Names::of_body(body);
    let anew = terms(&mut built.graph, chosen, order);
    let of: Vec<_> = built.originals.iter().filter(|o| wanted.is(body, &names, o.op)).collect();
    // What another wanted value is made of is explained with that.
    let inner: rustc_hash::FxHashSet<Id> =
        of.iter().flat_map(|o| &o.nodes).flat_map(|(_, node)| node.children.iter().copied()).collect();
    let mut found: Vec<(OpId, usize, Id, Id)> = Vec::new();
    for original in of {
        for (lane, (id, _)) in original.nodes.iter().enumerate() {
            if let Some(&new) = anew.get(&built.graph.find(*id)).filter(|_| !inner.contains(id)) {
                found.push((original.op, lane, *id, new));
            }
        }
    }
    let mut out = Vec::new();
    for (op, lane, old, new) in found {
        let result = body.results(op).first().copied();
        let vector = result.is_some_and(|r| body.ty(r).is_vector());
        let name = result.map(|r| names.get(r)).unwrap_or_default();
        let value = if vector { format!("{name}[{lane}]") } else { name };
        let large = [old, new].iter().any(|&id| size(&built.graph, id) > LARGEST);
        if large {
            let before = Told::Leaf { name: value.clone(), ty: built.graph[old].data.ty };
            out.push(Explanation { value, loc: body.loc(op), before, steps: Vec::new(), too_large: true });
            continue;
        }
        let mut proof = built.graph.explain_id_equivalence(old, new);
        let terms = proof.make_flat_explanation();
        let told = |t: &FlatTerm<Node>| tell(&built.graph, &names, t);
        let Some(before) = terms.first().map(told) else { continue };
        let steps: Vec<Step> = terms
            .iter()
            .skip(1)
            .filter_map(|t| rule(t).map(|(row, reversed)| Step { row, reversed, term: told(t) }))
            .collect();
        if !steps.is_empty() {
            out.push(Explanation { value, loc: body.loc(op), before, steps, too_large: false });
        }
    }
    out
}

/// The chosen code as terms, by class.
fn terms(graph: &mut EGraph, chosen: &Chosen, order: &[Id]) -> FxHashMap<Id, Id> {
    let mut out: FxHashMap<Id, Id> = FxHashMap::default();
    for &class in order {
        let Some(node) = chosen.get(&class) else { continue };
        let children: Children = node.children.iter().map(|&c| out.get(&graph.find(c)).copied().unwrap_or(c)).collect();
        let head = graph.analysis.head(node.head).clone();
        let id = add(graph, head, &children);
        out.insert(class, id);
    }
    graph.rebuild();
    out.into_iter().map(|(class, id)| (graph.find(class), id)).collect()
}

/// Nodes of a term where nothing is shared.
fn size(graph: &EGraph, id: Id) -> u64 {
    let mut sizes: FxHashMap<Id, u64> = FxHashMap::default();
    let mut stack = vec![(id, false)];
    while let Some((id, ready)) = stack.pop() {
        if sizes.contains_key(&id) {
            continue;
        }
        let Some(node) = graph.nodes().get(usize::from(id)) else { return 0 };
        if ready {
            let sum = node.children.iter().map(|c| sizes.get(c).copied().unwrap_or(0)).fold(1u64, u64::saturating_add);
            sizes.insert(id, sum);
        } else {
            stack.push((id, true));
            stack.extend(node.children.iter().map(|&c| (c, false)));
        }
    }
    sizes.get(&id).copied().unwrap_or(0)
}

/// The rule that made a term of the one before, wherever in it.
fn rule(term: &FlatTerm<Node>) -> Option<(String, bool)> {
    let own = term.forward_rule.map(|r| (r.to_string(), false));
    let own = own.or_else(|| term.backward_rule.map(|r| (r.to_string(), true)));
    own.or_else(|| term.children.iter().find_map(rule))
}

fn tell(graph: &EGraph, names: &Names, term: &FlatTerm<Node>) -> Told {
    let args = || term.children.iter().map(|c| tell(graph, names, c)).collect::<Vec<Told>>();
    match graph.analysis.head(term.node.head) {
        Head::Op { def, attrs, ty } => Told::Op { def, attrs: attrs.clone(), ty: *ty, args: args() },
        Head::Constant(value) => Told::Constant(*value),
        Head::Leaf { value, lane, vector, ty } => {
            let name = names.get(*value);
            Told::Leaf { name: if *vector { format!("{name}[{lane}]") } else { name }, ty: *ty }
        }
        // What is assumed of a value is the value.
        Head::Assumed { ty, .. } => {
            args().pop().unwrap_or(Told::Leaf { name: Name::new("assumed").to_string(), ty: *ty })
        }
        Head::Branch { .. } => Told::Branch { args: args() },
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, optimize};
    use super::*;
    use crate::analysis::costs::{Costs, Machine};
    use crate::rows::Class;
    use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_lanes};
    use caustic_ir::{Registry, text};

    fn value(term: &Told, leaves: &dyn Fn(&str) -> f64) -> Option<Val> {
        match term {
            Told::Constant(attr) => Val::from_attr(*attr),
            Told::Leaf { name, .. } => Some(Val::Float(leaves(name))),
            Told::Branch { .. } => None,
            Told::Op { def, attrs, ty, args } => {
                let Eval::Scalar(eval) = def.eval else { return None };
                let values: Vec<Val> = args.iter().map(|a| value(a, leaves)).collect::<Option<_>>()?;
                let types: Vec<Type> = args
                    .iter()
                    .map(|a| match a {
                        Told::Op { ty, .. } | Told::Leaf { ty, .. } => *ty,
                        Told::Constant(attr) => caustic_dialects::arith::attr_type(*attr).unwrap_or(*ty),
                        Told::Branch { .. } => *ty,
                    })
                    .collect();
                Some(eval_lanes(eval, &values, *ty, &ScalarTypes { operands: &types, result: *ty, attrs }))
            }
        }
    }

    fn bits(term: &Told, leaves: &dyn Fn(&str) -> f64) -> u64 {
        match value(term, leaves) {
            Some(Val::Float(v)) if v.is_nan() => f64::NAN.to_bits(),
            Some(Val::Float(v)) => v.to_bits(),
            other => panic!("{other:?}"),
        }
    }

    /// The derivative of a logistic function: every step has the same value, and its row exists.
    #[test]
    fn steps_can_be_replayed() {
        let source = "builtin.module {\n  func.func @f(%x: f32, %w: f32) -> f32 {\n    %one = arith.constant 1.0 : f32\n    \
            %n = arith.negf %x : f32\n    %m = arith.negf %w : f32\n    %p = arith.mulf %n, %m : f32\n    \
            %q = arith.negf %p : f32\n    %r = arith.mulf %q, %x : f32\n    func.return %r : f32\n  }\n}\n";
        let registry = Registry::new(caustic_dialects::all());
        let mut module = text::parse_module(source, "f.mlir", &registry).expect("the text is IR");
        let symbol = &mut module.symbols_mut()[0];
        let settings = Settings {
            class: Class::Exact,
            costs: Costs::of_machine(Machine::Cpu),
            nodes: None,
            rounds: 8,
            unions: u64::MAX,
            only: Vec::new(),
            without: Vec::new(),
            ulps: None,
            gain: 0,
            own: &[],
            fuse: true,
            report: true,
            explain: Some(Wanted::Value("%r".into())),
            dot: false,
        };
        let (outcome, report) = optimize(symbol, &settings).expect("no error").expect("a function");
        assert!(outcome.changed);
        let report = report.expect("a report");
        let [explanation] = &report.explanations[..] else { panic!("{:?}", report.explanations) };
        assert!(!explanation.steps.is_empty());
        for (x, w) in [(1.5, -2.25), (-0.0, 3.0), (f64::INFINITY, 2.0)] {
            let leaves = |name: &str| if name == "%x" { x } else { w };
            let first = bits(&explanation.before, &leaves);
            for step in &explanation.steps {
                assert!(crate::rows::all().any(|r| r.name == step.row), "{}", step.row);
                assert_eq!(bits(&step.term, &leaves), first, "{}", step.term);
            }
        }
    }
}
