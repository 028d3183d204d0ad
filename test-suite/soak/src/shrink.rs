//! Reduces failing programs by edits of the tree, as a strategy of proptest.
//!
//! An edit may make a program that the compiler refuses. Such a program does not fail in the same
//! way, so the edit is rejected.

use crate::generate::{Limits, program};
use crate::oracle::{Case, Failure, check};
use crate::soak::Running;
use crate::tree::{FuncKind, Kind, Node, Program, ROOT, Ty};
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::time::{Duration, Instant};

/// The strategy that generates random programs.
#[derive(Clone, Debug, Default)]
pub struct Programs(pub Limits);

impl Strategy for Programs {
    type Tree = Shrinker;
    type Value = Case;
    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = runner.rng().next_u64();
        Ok(Shrinker::new(Case { program: program(seed, self.0), seed }))
    }
}

/// A change that makes a program smaller.
#[derive(Clone, Debug, PartialEq)]
enum Edit {
    Function(usize),
    /// Moves a function out of its struct or namespace.
    Home(usize),
    FirstOrder,
    Attributes(usize),
    /// Removes some statements of a block.
    Statements {
        func: usize,
        node: usize,
        start: usize,
        len: usize,
    },
    /// Replaces a node by one of its children.
    Kid {
        func: usize,
        node: usize,
        kid: usize,
    },
    /// Replaces an expression by a number.
    Number {
        func: usize,
        node: usize,
    },
    Parameter(usize, usize),
    Field(usize, usize),
}

/// Goes through the edits of the best program so far. A program that still fails becomes the best
/// one.
#[derive(Clone, Debug)]
pub struct Shrinker {
    best: Case,
    current: Case,
    edits: Vec<Edit>,
    next: usize,
    /// Whether an edit was accepted since the first one was last tried.
    progress: bool,
    trying: bool,
}

impl Shrinker {
    pub fn new(case: Case) -> Shrinker {
        let edits = edits(&case.program);
        Shrinker { current: case.clone(), best: case, edits, next: 0, progress: false, trying: false }
    }

    /// Moves to the next edit that makes the program smaller.
    fn advance(&mut self) -> bool {
        loop {
            while let Some(edit) = self.edits.get(self.next) {
                self.next += 1;
                if let Some(program) = apply(&self.best.program, edit)
                    && program.size() + usize::from(program.second)
                        < self.best.program.size()
                            + usize::from(self.best.program.second)
                            + usize::from(matches!(edit, Edit::Attributes(_) | Edit::Parameter(..)))
                {
                    self.current = Case { program, seed: self.best.seed };
                    self.trying = true;
                    return true;
                }
            }
            if !self.progress {
                self.current = self.best.clone();
                self.trying = false;
                return false;
            }
            self.progress = false;
            self.next = 0;
            self.edits = edits(&self.best.program);
        }
    }
}

impl ValueTree for Shrinker {
    type Value = Case;
    fn current(&self) -> Case {
        self.current.clone()
    }
    fn simplify(&mut self) -> bool {
        if self.trying {
            self.best = self.current.clone();
            self.progress = true;
            // The edits after the accepted one have moved forward.
            self.edits = edits(&self.best.program);
            self.next = self.next.saturating_sub(1).min(self.edits.len());
        }
        self.advance()
    }
    fn complicate(&mut self) -> bool {
        self.advance()
    }
}

/// The signature of a failure. Failures with equal signatures count as the same.
pub fn signature(f: &Failure) -> String {
    let line = f.detail.lines().next().unwrap_or_default();
    // The code of a diagnostic is more significant than its place.
    let from = line.find("E0").or_else(|| line.find("E9")).filter(|_| line.contains("error"));
    let words: String = match from {
        Some(at) => {
            line[at..].chars().take(60).filter(|c| !c.is_ascii_digit() || line[at..].starts_with('E')).collect()
        }
        None => line.chars().take_while(|c| !c.is_ascii_digit()).take(60).collect(),
    };
    let words: String = words.chars().filter(|c| *c != '-').collect();
    format!("{}: {}", f.oracle, words.split(['`', '\'']).next().unwrap_or_default())
}

/// The smallest program that is found within the time and fails like `failure`.
pub(crate) fn shrink(case: &Case, failure: &Failure, time: Duration, running: &Running) -> (Case, Failure) {
    let (start, wanted) = (Instant::now(), signature(failure));
    let mut tree = Shrinker::new(case.clone());
    let mut last = failure.clone();
    let mut more = tree.simplify();
    while more && start.elapsed() < time {
        running.is(case.seed, || tree.current().text().unwrap_or_default());
        more = match check(&tree.current(), Some(failure.oracle)) {
            Err(f) if signature(&f) == wanted => {
                last = f;
                tree.simplify()
            }
            _ => tree.complicate(),
        };
    }
    (tree.best, last)
}

/// All edits; those that remove most come first.
fn edits(p: &Program) -> Vec<Edit> {
    let mut out = Vec::new();
    if p.second {
        out.push(Edit::FirstOrder);
    }
    let (mut blocks, mut rest) = (Vec::new(), Vec::new());
    for (func, f) in p.funcs.iter().enumerate().rev() {
        let Some(f) = f else { continue };
        if f.name != ROOT {
            out.push(Edit::Function(func));
        }
        if f.home.is_some() {
            out.push(Edit::Home(func));
        }
        if !f.attrs.is_empty() {
            out.push(Edit::Attributes(func));
        }
        let mut node = 0;
        f.body.walk(&mut |n| {
            if n.kind == Kind::Block {
                let mut len = n.kids.len();
                while len > 0 {
                    blocks.extend((0..=n.kids.len() - len).rev().map(|start| Edit::Statements {
                        func,
                        node,
                        start,
                        len,
                    }));
                    len = if len == 1 { 0 } else { len.div_ceil(2).min(len - 1) };
                }
            }
            for (kid, k) in n.kids.iter().enumerate() {
                if k.is_statement() == n.is_statement() && (n.is_statement() || k.ty == n.ty) && n.kind != Kind::Block {
                    rest.push(Edit::Kid { func, node, kid });
                }
            }
            let is_number = matches!(n.ty, Ty::Real | Ty::Low | Ty::Int | Ty::Uint | Ty::Bool);
            if !n.is_statement() && is_number && !matches!(n.kind, Kind::Lit(_) | Kind::Bool(_) | Kind::Int(_)) {
                rest.push(Edit::Number { func, node });
            }
            node += 1;
        });
    }
    out.extend(blocks);
    out.extend(rest);
    for (func, f) in p.funcs.iter().enumerate() {
        if let Some(f) =
            f.as_ref().filter(|f| f.name != ROOT && matches!(f.kind, FuncKind::Free | FuncKind::Method(..)))
        {
            out.extend((0..f.params.len()).map(|i| Edit::Parameter(func, i)));
        }
    }
    for (s, def) in p.structs.iter().enumerate() {
        if def.fields.len() > 1 {
            out.extend((0..def.fields.len()).map(|i| Edit::Field(s, i)));
        }
    }
    out
}

/// The `index`-th node of the tree below `n`, which is included. Parents come before their
/// children.
fn nth(n: &mut Node, index: usize) -> Option<&mut Node> {
    fn go<'a>(n: &'a mut Node, left: &mut usize) -> Option<&'a mut Node> {
        if *left == 0 {
            return Some(n);
        }
        *left -= 1;
        n.kids.iter_mut().find_map(|k| go(k, left))
    }
    go(n, &mut { index })
}

/// A number that replaces an expression; `None` for other types.
fn number(ty: &Ty) -> Option<Node> {
    Some(match ty {
        Ty::Real | Ty::Low => Node::leaf(Kind::Lit(0.5), ty.clone()),
        Ty::Int | Ty::Uint => Node::leaf(Kind::Int(1), ty.clone()),
        Ty::Bool => Node::leaf(Kind::Bool(true), Ty::Bool),
        Ty::Vec(_) => Node::new(Kind::Make, ty.clone(), vec![Node::lit(0.5)]),
        _ => return None,
    })
}

/// The program after an edit; `None` if the edit changes nothing.
fn apply(p: &Program, edit: &Edit) -> Option<Program> {
    let mut p = p.clone();
    match *edit {
        Edit::FirstOrder => p.second = false,
        Edit::Function(func) => {
            // Where possible, its calls become numbers.
            p.funcs[func] = None;
            for f in p.funcs.iter_mut().flatten() {
                f.body.change(&mut |n| {
                    if n.kind == Kind::Call(func)
                        && let Some(value) = number(&n.ty)
                    {
                        *n = value;
                    }
                    if n.kind == Kind::Block {
                        n.kids.retain(|s| !(s.kind == Kind::Expr && s.kids[0].kind == Kind::Call(func)));
                    }
                });
            }
        }
        Edit::Home(func) => p.funcs[func].as_mut()?.home = None,
        Edit::Attributes(func) => p.funcs[func].as_mut()?.attrs.clear(),
        Edit::Statements { func, node, start, len } => {
            let block = nth(&mut p.funcs[func].as_mut()?.body, node)?;
            block.kids.drain(start..start + len);
        }
        Edit::Kid { func, node, kid } => {
            let n = nth(&mut p.funcs[func].as_mut()?.body, node)?;
            *n = n.kids.get(kid)?.clone();
        }
        Edit::Number { func, node } => {
            let n = nth(&mut p.funcs[func].as_mut()?.body, node)?;
            *n = number(&n.ty)?;
        }
        Edit::Parameter(func, index) => {
            let f = p.funcs[func].as_mut()?;
            let is_method = matches!(f.kind, FuncKind::Method(..));
            let gone = f.params.remove(index);
            let value = number(&gone.ty)?;
            f.body.change(&mut |n| {
                if matches!(&n.kind, Kind::Var(name) if *name == gone.name) {
                    *n = value.clone();
                }
            });
            for f in p.funcs.iter_mut().flatten() {
                f.body.change(&mut |n| {
                    if n.kind == Kind::Call(func) && index + usize::from(is_method) < n.kids.len() {
                        n.kids.remove(index + usize::from(is_method));
                    }
                });
            }
        }
        Edit::Field(s, index) => {
            let gone = p.structs[s].fields.remove(index);
            for f in p.funcs.iter_mut().flatten() {
                f.body.change(&mut |n| match &n.kind {
                    Kind::Field(name) if *name == gone.name && n.kids[0].ty == Ty::Struct(s) => {
                        if let Some(value) = number(&n.ty) {
                            *n = value;
                        }
                    }
                    Kind::Braces if n.ty == Ty::Struct(s) && index < n.kids.len() => {
                        n.kids.remove(index);
                    }
                    _ => {}
                });
            }
        }
    }
    Some(p)
}
