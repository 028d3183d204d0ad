//! Variables that hold what another one holds wherever they are read.
//!
//! What a loop carries becomes a variable, and what its condition hands to its body another: each
//! iteration begins with copies. Where a copy is read only while it is one, the original is read.
//!
//! This module must not know: any language.

use super::prune::prune;
use crate::tree::{Expr, Function, Named, Place, Root, Stmt, UNNAMED, Var, Variable, handed_over, visit_all};
use rustc_hash::{FxHashMap, FxHashSet};

/// Statements of a function beyond which copies stay: each candidate is looked for in all of them.
const MOST: usize = 4000;

/// Reads originals in the place of copies.
pub fn forward_copies(function: &mut Function) {
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    let mut left = 256;
    while left > 0 {
        let all = skeleton(&function.body);
        if count(&all) > MOST {
            return;
        }
        let found = candidates(&function.body, &function.vars, &params);
        let Some((copy, original)) = found.into_iter().find(|&pair| holds(&all, pair)) else { break };
        replace(&mut function.body, copy, original);
        let (old, new) = (function.vars[copy.0].name.clone(), &mut function.vars[original.0].name);
        if new == UNNAMED && old != UNNAMED {
            *new = old;
        }
        left -= 1;
    }
    prune(&mut function.body, &params);
}

/// What of a statement matters here.
enum Node {
    Reads(FxHashSet<Var>),
    /// The first becomes what the second is.
    Copy(Var, Var),
    Assign(Var),
    Declare(Var),
    Branches(Vec<Vec<Node>>),
    /// A loop, with the counter that it assigns.
    Loop(Option<Var>, Vec<Node>, bool),
    Break,
    Return,
}

fn skeleton(body: &[Stmt]) -> Vec<Node> {
    let mut out = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::If { condition, then, otherwise } => {
                reads(condition, &mut out);
                out.push(Node::Branches(vec![skeleton(then), skeleton(otherwise)]));
            }
            Stmt::Switch { value, cases, default } => {
                reads(value, &mut out);
                let all = cases.iter().map(|(_, body)| body).chain([default]).map(|body| skeleton(body)).collect();
                out.push(Node::Branches(all));
            }
            Stmt::For { counter, from, below, step, body, .. } => {
                out.push(Node::Reads(named(from)));
                let mut inner = vec![Node::Reads(named(below).into_iter().chain(named(step)).collect())];
                inner.extend(skeleton(body));
                out.push(Node::Loop(Some(*counter), inner, true));
            }
            Stmt::While { condition, body } => {
                let mut inner = Vec::new();
                condition.iter().for_each(|e| reads(e, &mut inner));
                inner.extend(skeleton(body));
                out.push(Node::Loop(None, inner, condition.is_some()));
            }
            Stmt::Break => out.push(Node::Break),
            Stmt::Return(value) => {
                value.iter().for_each(|e| reads(e, &mut out));
                out.push(Node::Return);
            }
            Stmt::Declare(var, value) => {
                value.iter().for_each(|e| reads(e, &mut out));
                out.push(Node::Declare(*var));
                out.extend(value.as_ref().and_then(Expr::variable).map(|of| Node::Copy(*var, of)));
            }
            Stmt::Assign(place, value) => {
                let mut inside = FxHashSet::default();
                let mut place = place.clone();
                place.visit_inside(&mut |n| {
                    if let Named::Var(var) = n {
                        inside.insert(*var);
                    }
                });
                reads(value, &mut out);
                out.push(Node::Reads(inside));
                if let Root::Var(var) = place.root {
                    out.push(match value.variable().filter(|_| place.steps.is_empty()) {
                        Some(of) => Node::Copy(var, of),
                        None => Node::Assign(var),
                    });
                }
            }
            other => {
                let mut all = FxHashSet::default();
                visit_all(&mut [other.clone()], &mut |n| {
                    if let Named::Var(var) = n {
                        all.insert(*var);
                    }
                });
                out.extend(handed_over(std::slice::from_ref(other)).into_iter().map(Node::Assign));
                out.push(Node::Reads(all));
            }
        }
    }
    out
}

/// What an expression reads. What it hands over may be changed before all is read.
fn reads(e: &Expr, out: &mut Vec<Node>) {
    out.extend(handed_over(&[Stmt::Do(e.clone())]).into_iter().map(Node::Assign));
    out.push(Node::Reads(named(e)));
}

fn count(nodes: &[Node]) -> usize {
    let inner = |node: &Node| match node {
        Node::Branches(all) => all.iter().map(|body| count(body)).sum(),
        Node::Loop(_, body, _) => count(body),
        _ => 0,
    };
    nodes.iter().map(|node| 1 + inner(node)).sum()
}

fn named(e: &Expr) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    e.clone().visit(&mut |n| {
        if let Named::Var(var) = n {
            found.insert(*var);
        }
    });
    found
}

/// Variables that are assigned one other variable and nothing else, with that one.
fn candidates(body: &[Stmt], vars: &[Variable], params: &FxHashSet<Var>) -> Vec<(Var, Var)> {
    let mut original: FxHashMap<Var, Option<Var>> = FxHashMap::default();
    let handed: FxHashSet<Var> = handed_over(body).into_iter().collect();
    let mut order = Vec::new();
    let mut note = |var: Var, value: Option<Var>| {
        let known = original.entry(var).or_insert_with(|| {
            order.push(var);
            value
        });
        if *known != value {
            *known = None;
        }
    };
    let mut work: Vec<&Stmt> = body.iter().rev().collect();
    while let Some(stmt) = work.pop() {
        match stmt {
            Stmt::Declare(var, Some(value)) => note(*var, value.variable()),
            Stmt::Assign(place, value) => {
                if let Root::Var(var) = place.root {
                    // A copy of itself says nothing.
                    let of = value.variable().filter(|_| place.steps.is_empty());
                    note(var, of);
                }
            }
            Stmt::For { counter, body, .. } => {
                note(*counter, None);
                work.extend(body.iter().rev());
            }
            Stmt::If { then, otherwise, .. } => work.extend(then.iter().chain(otherwise).rev()),
            Stmt::While { body, .. } => work.extend(body.iter().rev()),
            Stmt::Switch { cases, default, .. } => {
                work.extend(cases.iter().flat_map(|(_, body)| body).chain(default).rev());
            }
            _ => {}
        }
    }
    let pair = |var: Var| {
        let of = (*original.get(&var)?)?;
        // What a callee makes of a copy is no copy.
        let plain = !params.contains(&var) && !handed.contains(&var);
        (plain && var != of && vars[var.0].ty == vars[of.0].ty).then_some((var, of))
    };
    order.into_iter().filter_map(pair).collect()
}

/// Whether a copy is what the original is, where a place can be reached; `None` where it cannot.
type State = Option<bool>;

fn join(a: State, b: State) -> State {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) => Some(a && b),
    }
}

/// Whether a copy is read only while it is one.
fn holds(body: &[Node], pair: (Var, Var)) -> bool {
    let mut walk = Walk { pair, fine: true, breaks: Vec::new() };
    walk.block(body, Some(false));
    walk.fine
}

struct Walk {
    pair: (Var, Var),
    fine: bool,
    /// For each loop around, the states in which it is left.
    breaks: Vec<State>,
}

impl Walk {
    fn block(&mut self, body: &[Node], mut state: State) -> State {
        let (copy, original) = self.pair;
        let mut ends = false;
        for node in body {
            match node {
                Node::Reads(vars) => self.fine &= state != Some(false) || !vars.contains(&copy),
                Node::Copy(to, of) if (*to, *of) == (copy, original) => state = state.map(|_| true),
                // The original becomes what it is.
                Node::Copy(to, of) if (*to, *of) == (original, copy) => {}
                Node::Copy(to, _) | Node::Assign(to) => {
                    if *to == copy || *to == original {
                        state = state.map(|_| false);
                    }
                }
                Node::Declare(var) => {
                    ends |= *var == original;
                    if *var == copy || *var == original {
                        state = state.map(|_| false);
                    }
                }
                Node::Branches(all) => {
                    state = all.iter().map(|body| self.block(body, state)).fold(None, join);
                }
                Node::Loop(counter, body, conditional) => {
                    let mut begin = state;
                    if counter.is_some_and(|c| c == original || c == copy) {
                        begin = begin.map(|_| false);
                    }
                    loop {
                        self.breaks.push(None);
                        let end = self.block(body, begin);
                        let left = self.breaks.pop().flatten();
                        let next = join(begin, end);
                        if next == begin {
                            state = join(left, if *conditional { begin } else { None });
                            break;
                        }
                        begin = next;
                    }
                    if counter.is_some_and(|c| c == original || c == copy) {
                        state = state.map(|_| false);
                    }
                }
                Node::Break => {
                    if let Some(left) = self.breaks.last_mut() {
                        *left = join(*left, state);
                    }
                    state = None;
                }
                Node::Return => state = None,
            }
        }
        // Behind the block the original is not to be seen.
        if ends { state.map(|_| false) } else { state }
    }
}

fn replace(body: &mut Vec<Stmt>, copy: Var, original: Var) {
    for stmt in body.iter_mut() {
        match stmt {
            Stmt::If { then, otherwise, .. } => {
                replace(then, copy, original);
                replace(otherwise, copy, original);
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } => replace(body, copy, original),
            Stmt::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, body)| replace(body, copy, original));
                replace(default, copy, original);
            }
            _ => {}
        }
    }
    body.retain(|stmt| match stmt {
        Stmt::Declare(var, _) => *var != copy,
        Stmt::Assign(Place { root: Root::Var(var), .. }, _) if *var == copy => false,
        // What it is already.
        Stmt::Assign(place, value) => {
            let itself = matches!(place.root, Root::Var(var) if var == original) && place.steps.is_empty();
            !(itself && value.variable().is_some_and(|of| of == copy || of == original))
        }
        _ => true,
    });
    visit_all(body, &mut |n| match n {
        Named::Var(var) if *var == copy => *var = original,
        _ => {}
    });
}
