//! Functions that return where the programmer returned.
//!
//! The IR has one return, at the end of a function: an early one sets a flag and leaves its loops,
//! and what follows asks for the flag. Where a loop is left, what runs from there to the end of the
//! function is followed; if that only computes, and flags decide all that it asks, the function
//! returns there.
//!
//! Invariant: what stands in the place of a `break` is what would run from there on.
//!
//! This module must not know: any language.

use super::build::negate;
use super::exits::{folded, learn, meets, specialized, truth};
use super::prune::prune;
use super::simplify::drop_empty_branches;
use crate::tree::{
    Expr, Function, Kind, Place, Root, Step, Stmt, UNNAMED, Var, Variable, any_gives, each_list, handed_over,
};
use crate::types::{BOOL, Ty};
use caustic_dialects::hints::{RESULT, RETURNED};
use rustc_hash::{FxHashMap, FxHashSet};

/// Statements of a function beyond which it stays: what follows a loop is kept for each.
const MOST: usize = 2000;
/// What may stand in front of a return, in statements, and in a returned value, in expressions.
const MOST_BEFORE: usize = 6;
const MOST_IN_VALUE: usize = 40;

/// How often it is asked which flags are never set.
const ROUNDS: usize = 3;

/// Returns where the programmer did.
pub fn return_as_written(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    if size(&body) <= MOST {
        let mut pass = Returns { params: &params, vars: &mut function.vars, changed: false };
        pass.list(&mut body, &mut Vec::new());
        if pass.changed {
            // A flag may have become another one.
            for _ in 0..ROUNDS {
                let known = constants(&mut body, &params, &function.vars);
                body = specialized(&body, &known);
            }
            drop_empty_branches(&mut body);
        }
    }
    prune(&mut body, &params);
    function.body = body;
}

/// Returns what is held only to be returned, in the branches that give it; `structs` too, where a
/// language makes them in expressions.
pub fn return_at_once(function: &mut Function, structs: bool) {
    if !structs && matches!(function.result, Some(Ty::Struct(_))) {
        return;
    }
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    sink_returns(&mut function.body, &params, &function.vars);
    prune(&mut function.body, &params);
}

fn size(body: &[Stmt]) -> usize {
    body.iter().map(|stmt| 1 + stmt.bodies().map(size).sum::<usize>()).sum()
}

/// What runs where a list of statements has ended.
struct Behind {
    rest: Vec<Stmt>,
    /// The loop whose list it is, if it is one's: `rest` runs where it is left, and not where it
    /// ends.
    of_loop: Option<Stmt>,
}

struct Returns<'a> {
    params: &'a FxHashSet<Var>,
    vars: &'a mut Vec<Variable>,
    changed: bool,
}

impl Returns<'_> {
    fn list(&mut self, list: &mut Vec<Stmt>, behind: &mut Vec<Behind>) {
        for at in 0..list.len() {
            if !leaves(&list[at]) {
                continue;
            }
            let of_loop = matches!(list[at], Stmt::While { .. } | Stmt::For { .. }).then(|| list[at].clone());
            // Threads that wait for each other leave a loop together.
            if of_loop.is_some() && meets(std::slice::from_ref(&list[at])) {
                continue;
            }
            behind.push(Behind { rest: list[at + 1..].to_vec(), of_loop });
            list[at].lists().into_iter().for_each(|inner| self.list(inner, behind));
            behind.pop();
        }
        if !matches!(list.last(), Some(Stmt::Break)) {
            return;
        }
        let end = list.len() - 1;
        let is_move =
            |stmt: &Stmt| matches!(stmt, Stmt::Assign(place, value) if place.whole().is_some() && !value.acts());
        let from = list[..end].iter().rposition(|stmt| !is_move(stmt)).map_or(0, |at| at + 1);
        // A loop that the programmer left without returning is left.
        let returns = |stmt: &Stmt| match stmt {
            Stmt::Assign(place, value) => {
                value.is_bool(true) && place.whole().is_some_and(|v| self.vars[v.0].name == RETURNED)
            }
            _ => false,
        };
        if !list[from..end].iter().any(returns) {
            return;
        }
        let mut trace =
            Trace { params: self.params, values: FxHashMap::default(), parts: FxHashSet::default(), out: vec![] };
        if let Some(out) = trace.follow(&list[from..end], behind, self.vars) {
            list.truncate(from);
            list.extend(out);
            self.changed = true;
        }
    }
}

/// Whether a loop is left somewhere in a statement.
fn leaves(stmt: &Stmt) -> bool {
    stmt.bodies().any(|body| body.iter().any(|stmt| matches!(stmt, Stmt::Break) || leaves(stmt)))
}

/// How a list of statements ends.
enum End {
    Through,
    Left,
    Returned(Option<Expr>),
}

/// What runs behind a place, with what variables hold as it was there.
struct Trace<'a> {
    params: &'a FxHashSet<Var>,
    values: FxHashMap<Var, Expr>,
    /// Parameters parts of which have been given in `out`.
    parts: FxHashSet<Var>,
    out: Vec<Stmt>,
}

impl Trace<'_> {
    fn follow(&mut self, moves: &[Stmt], behind: &[Behind], vars: &mut Vec<Variable>) -> Option<Vec<Stmt>> {
        self.run(moves)?;
        let mut end = End::Left;
        for outer in behind.iter().rev() {
            if let (End::Through, Some(around)) = (&end, &outer.of_loop) {
                end = self.next_iteration(around)?;
            }
            end = match (end, outer.of_loop.is_some()) {
                (End::Through, false) | (End::Left, true) => self.run(&outer.rest)?,
                (end, _) => end,
            };
        }
        match end {
            End::Through => self.finish(None, vars),
            End::Returned(value) => self.finish(value, vars),
            End::Left => None,
        }
    }

    /// What a loop does that begins its next iteration: it is left by its condition.
    fn next_iteration(&mut self, around: &Stmt) -> Option<End> {
        let Stmt::While { condition, body } = around else { return None };
        if let Some(condition) = condition {
            let condition = folded(self.value(condition)?, &FxHashMap::default());
            return (truth(&condition, &FxHashMap::default()) == Some(false)).then_some(End::Left);
        }
        match self.run(body)? {
            End::Through => None,
            end => Some(end),
        }
    }

    fn run(&mut self, stmts: &[Stmt]) -> Option<End> {
        for stmt in stmts {
            match stmt {
                Stmt::Declare(var, Some(value)) => {
                    let value = self.value(value)?;
                    self.values.insert(*var, value);
                }
                Stmt::Assign(place, value) => self.assign(place, value)?,
                Stmt::If { condition, then, otherwise } => {
                    let condition = folded(self.value(condition)?, &FxHashMap::default());
                    let taken = if truth(&condition, &FxHashMap::default())? { then } else { otherwise };
                    match self.run(taken)? {
                        End::Through => {}
                        end => return Some(end),
                    }
                }
                Stmt::Break => return Some(End::Left),
                Stmt::Return(None) => return Some(End::Returned(None)),
                Stmt::Return(Some(value)) => return Some(End::Returned(Some(self.value(value)?))),
                _ => return None,
            }
        }
        Some(End::Through)
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Option<()> {
        let Root::Var(var) = place.root else { return None };
        let value = self.value(value)?;
        if place.steps.is_empty() {
            self.parts.remove(&var);
            self.values.insert(var, value);
            return Some(());
        }
        if !self.params.contains(&var) || self.values.contains_key(&var) {
            return None;
        }
        let mut place = place.clone();
        for step in &mut place.steps {
            if let Step::Index(index) = step {
                **index = self.value(index)?;
            }
        }
        self.parts.insert(var);
        self.out.push(Stmt::Assign(place, value));
        Some(())
    }

    /// An expression as it is where the trace begins.
    fn value(&self, e: &Expr) -> Option<Expr> {
        if e.acts() || self.parts.iter().any(|&var| e.reads(var)) {
            return None;
        }
        let mut e = e.clone();
        let mut fine = true;
        e.each_mut(&mut |inner| match &mut inner.kind {
            Kind::Read(place) => {
                let Root::Var(var) = place.root else { return };
                let Some(held) = self.values.get(&var) else { return };
                let steps = std::mem::take(&mut place.steps);
                match (&held.kind, steps.is_empty()) {
                    (_, true) => *inner = held.clone(),
                    (Kind::Read(of), false) => {
                        let mut of = of.clone();
                        of.steps.extend(steps);
                        inner.kind = Kind::Read(of);
                    }
                    _ => inner.kind = Kind::Part(Box::new(held.clone()), steps),
                }
            }
            Kind::TapeLength(Place { root: Root::Var(var), .. }) => fine &= !self.values.contains_key(var),
            _ => {}
        });
        let mut parts = 0;
        e.each(&mut |_| parts += 1);
        (fine && parts <= MOST_IN_VALUE).then_some(e)
    }

    /// The statements that give the parameters what they become, and return.
    fn finish(&mut self, returned: Option<Expr>, vars: &mut Vec<Variable>) -> Option<Vec<Stmt>> {
        let mut out = std::mem::take(&mut self.out);
        let mut moves: Vec<(Var, Expr)> = self.values.drain().filter(|(var, _)| self.params.contains(var)).collect();
        moves.retain(|(var, value)| value.variable() != Some(*var));
        moves.sort_by_key(|(var, _)| var.0);
        let given: FxHashSet<Var> = moves.iter().map(|(var, _)| *var).chain(self.parts.iter().copied()).collect();
        let changed = |e: &Expr| given.iter().any(|&var| e.reads(var));
        if moves.len() + out.len() > MOST_BEFORE || moves.iter().any(|(_, value)| changed(value)) {
            return None;
        }
        let returned = returned.map(|value| {
            if !changed(&value) {
                return value;
            }
            let (var, ty) = (Var(vars.len()), value.ty.clone());
            vars.push(Variable::unnamed(ty.clone()));
            out.insert(0, Stmt::Declare(var, Some(value)));
            Expr::var(var, ty)
        });
        out.extend(moves.into_iter().map(|(var, value)| Stmt::Assign(Place::var(var, value.ty.clone()), value)));
        out.push(Stmt::Return(returned));
        Some(out)
    }
}

/// Truth values that never become another one.
fn constants(body: &mut Vec<Stmt>, params: &FxHashSet<Var>, vars: &[Variable]) -> FxHashMap<Var, bool> {
    let handed = handed_over(body);
    let mut found: FxHashMap<Var, Option<bool>> = FxHashMap::default();
    each_list(body, &mut |list| {
        for stmt in list.iter() {
            let (var, value) = match stmt {
                Stmt::Declare(var, None) => (*var, Some(false)),
                Stmt::Declare(var, Some(value)) => (*var, truth(value, &FxHashMap::default())),
                Stmt::Assign(Place { root: Root::Var(var), .. }, value) => (*var, truth(value, &FxHashMap::default())),
                _ => continue,
            };
            let known = found.entry(var).or_insert(value);
            if *known != value {
                *known = None;
            }
        }
    });
    let is_flag = |var: Var| vars[var.0].ty == BOOL && !params.contains(&var) && !handed.contains(&var);
    found.into_iter().filter(|(var, _)| is_flag(*var)).filter_map(|(var, value)| Some((var, value?))).collect()
}

/// The same of a list of statements and those at the ends of it.
fn sink_returns(list: &mut Vec<Stmt>, params: &FxHashSet<Var>, vars: &[Variable]) {
    let Some(Stmt::Return(Some(value))) = list.last() else { return };
    let Some(var) = value.variable().filter(|var| !params.contains(var)) else { return };
    if !matches!(vars[var.0].name.as_str(), RESULT | UNNAMED) || list.len() < 2 {
        return;
    }
    let at = list.len() - 2;
    let gives = |stmt: &Stmt| match stmt {
        Stmt::Assign(place, _) => place.whole() == Some(var),
        Stmt::Declare(declared, Some(_)) => *declared == var,
        _ => false,
    };
    if gives(&list[at]) {
        let Some(Stmt::Declare(_, Some(value)) | Stmt::Assign(_, value)) = list.get(at).cloned() else { return };
        list.truncate(at);
        list.push(Stmt::Return(Some(value)));
        return;
    }
    if let Stmt::Switch { cases, .. } = &list[at]
        && vars[var.0].name == RESULT
        && cases.iter().all(|(_, body)| body.last().is_some_and(|stmt| ends_by(stmt, &gives)))
    {
        return sink_into_cases(list, params, vars);
    }
    let Stmt::If { then, otherwise, .. } = &list[at] else { return };
    let ends = [then, otherwise].map(|branch| branch.last().is_some_and(|stmt| ends_by(stmt, &gives)));
    // What it holds where no branch gives it.
    let before = at.checked_sub(1).and_then(|k| match &list[k] {
        Stmt::Declare(declared, value) if *declared == var => {
            Some(value.clone().unwrap_or_else(|| Expr::new(vars[var.0].ty.clone(), Kind::Zero)))
        }
        Stmt::Assign(place, value) if place.whole() == Some(var) => Some(value.clone()),
        _ => None,
    });
    let Stmt::If { condition, .. } = &list[at] else { return };
    // What it is in a branch: a literal, or a truth that the condition tells.
    let held = |holds: bool| {
        let value = before.as_ref()?;
        let mut known = FxHashMap::default();
        learn(condition, holds, &mut known);
        match truth(value, &known) {
            Some(told) => Some(Expr::bool(told)),
            None => (value.literal().is_some() || matches!(value.kind, Kind::Zero)).then(|| value.clone()),
        }
    };
    let held = [held(true), held(false)];
    let given = |branch: &[Stmt]| any_gives(branch, var);
    let fits = |k: usize, branch: &Vec<Stmt>| ends[k] || held[k].is_some() && !given(branch);
    let by_condition = held[0].is_some() && held[1].is_some() && !given(then) && !given(otherwise);
    let tells = by_condition && before.as_ref().is_some_and(|value| value.literal().is_none());
    if vars[var.0].name != RESULT || !(ends[0] || ends[1] || tells) || !fits(0, then) || !fits(1, otherwise) {
        return;
    }
    let (Some(end), Some(Stmt::If { condition, mut then, mut otherwise })) = (list.pop(), list.pop()) else { return };
    for (k, branch) in [&mut then, &mut otherwise].into_iter().enumerate() {
        branch.push(match &held[k] {
            Some(value) if !ends[k] => Stmt::Return(Some(value.clone())),
            _ => end.clone(),
        });
        sink_returns(branch, params, vars);
    }
    let negated = matches!(condition.kind, Kind::Not(_)) && then.len() == 1;
    let (condition, then, otherwise) = match (then.len() > 1 || negated) && otherwise.len() == 1 {
        true => (negate(condition), otherwise, then),
        false => (condition, then, otherwise),
    };
    list.push(Stmt::If { condition, then, otherwise: Vec::new() });
    list.extend(otherwise);
}

/// The same of a switch before the return: what other numbers do stands behind it.
fn sink_into_cases(list: &mut Vec<Stmt>, params: &FxHashSet<Var>, vars: &[Variable]) {
    let (Some(end), Some(Stmt::Switch { value, mut cases, mut default })) = (list.pop(), list.pop()) else { return };
    for (_, body) in &mut cases {
        body.push(end.clone());
        sink_returns(body, params, vars);
    }
    list.push(Stmt::Switch { value, cases, default: Vec::new() });
    default.push(end);
    sink_returns(&mut default, params, vars);
    list.append(&mut default);
}

/// Whether the last that a statement does is to give a variable its value, on all ways.
fn ends_by(stmt: &Stmt, gives: &dyn Fn(&Stmt) -> bool) -> bool {
    match stmt {
        Stmt::If { then, otherwise, .. } => {
            [then, otherwise].iter().all(|branch| branch.last().is_some_and(|stmt| ends_by(stmt, gives)))
        }
        _ => gives(stmt),
    }
}
