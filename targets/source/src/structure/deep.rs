//! Expressions that are too deep for compilers: parts of them become variables of their own, in
//! front of the statement.
//!
//! This module must not know: any language.

use crate::tree::{Arg, Buffer, Expr, Function, Kind, Named, Place, Root, Step, Stmt, Var, Variable, each_list};
use crate::types::Ty;

/// How many brackets may be around a part, and how many operators a sum may have. Compilers take
/// 128 and 512 at least; what an op is written as may have several brackets.
const MOST_BRACKETS: usize = 36;
const MOST_OPERATORS: usize = 200;

/// Splits what is deeper than compilers take.
pub fn split_deep(function: &mut Function) {
    let vars = &mut function.vars;
    each_list(&mut function.body, &mut |list| split_list(list, vars));
}

fn split_list(list: &mut Vec<Stmt>, vars: &mut Vec<Variable>) {
    if list.iter().all(|stmt| own(stmt).into_iter().all(fits)) {
        return;
    }
    for mut stmt in std::mem::take(list) {
        end_inside(&mut stmt, vars);
        for e in own_mut(&mut stmt) {
            split(e, vars, list);
        }
        list.push(stmt);
    }
}

fn fits(e: &Expr) -> bool {
    let Depth { brackets, operators } = depth(e);
    brackets <= MOST_BRACKETS && operators <= MOST_OPERATORS
}

/// A condition that is asked again each time is asked inside of its loop.
fn end_inside(stmt: &mut Stmt, vars: &mut Vec<Variable>) {
    let Stmt::While { condition, body } = stmt else { return };
    if condition.as_ref().is_none_or(fits) {
        return;
    }
    let Some(asked) = condition.take() else { return };
    let condition = super::build::negate(asked);
    body.insert(0, Stmt::If { condition, then: vec![Stmt::Break], otherwise: Vec::new() });
    split_list(body, vars);
}

/// Gives parts that are deep variables, inner ones first.
fn split(e: &mut Expr, vars: &mut Vec<Variable>, before: &mut Vec<Stmt>) {
    e.each_mut(&mut |e| {
        if fits(e) || changes(e) || matches!(e.ty, Ty::Handle(_) | Ty::Tape(_)) || e.ty.is_empty() {
            return;
        }
        vars.push(Variable::unnamed(e.ty.clone()));
        let var = Var(vars.len() - 1);
        let value = std::mem::replace(e, Expr::var(var, e.ty.clone()));
        before.push(Stmt::Declare(var, Some(value)));
    });
}

/// Whether something is changed where it is evaluated.
fn changes(e: &Expr) -> bool {
    let mut found = false;
    e.clone().visit(&mut |named| found |= matches!(named, Named::Effect));
    found
}

/// The expressions of a statement that are evaluated once, in front of what is in it.
fn own_mut(stmt: &mut Stmt) -> Vec<&mut Expr> {
    match stmt {
        Stmt::Declare(_, value) | Stmt::Return(value) => value.iter_mut().collect(),
        Stmt::Assign(place, value) => {
            let mut all = vec![value];
            if let Root::Element { index, .. } = &mut place.root {
                all.push(index);
            }
            all.extend(
                place.steps.iter_mut().filter_map(|s| if let Step::Index(i) = s { Some(&mut **i) } else { None }),
            );
            all
        }
        Stmt::Do(value) | Stmt::If { condition: value, .. } | Stmt::Switch { value, .. } => vec![value],
        Stmt::For { from, below, step, .. } => vec![from, below, step],
        Stmt::Print { args, .. } | Stmt::TexelStore { args, .. } => args.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// The same, and what a loop asks each time.
fn own(stmt: &Stmt) -> Vec<&Expr> {
    match stmt {
        Stmt::Declare(_, value) | Stmt::Return(value) => value.iter().collect(),
        Stmt::Assign(place, value) => [value].into_iter().chain(of_place(place)).collect(),
        Stmt::Do(value) | Stmt::If { condition: value, .. } | Stmt::Switch { value, .. } => vec![value],
        Stmt::For { from, below, step, .. } => vec![from, below, step],
        Stmt::While { condition, .. } => condition.iter().collect(),
        Stmt::Print { args, .. } | Stmt::TexelStore { args, .. } => args.iter().collect(),
        _ => Vec::new(),
    }
}

fn of_place(place: &Place) -> Vec<&Expr> {
    let mut all = Vec::new();
    match &place.root {
        Root::Var(_) => {}
        Root::Uniform(_, index) => all.extend(index.as_deref()),
        Root::Element { buffer, index, .. } => {
            all.push(&**index);
            all.extend(of_buffer(buffer));
        }
    }
    all.extend(of_steps(&place.steps));
    all
}

fn of_steps(steps: &[Step]) -> impl Iterator<Item = &Expr> {
    steps.iter().filter_map(|step| if let Step::Index(index) = step { Some(&**index) } else { None })
}

fn of_buffer(buffer: &Buffer) -> Option<&Expr> {
    match buffer {
        Buffer::Resource(_, index) => index.as_deref(),
        Buffer::Value(value) | Buffer::Pointee(value) => Some(value),
        Buffer::View(of) | Buffer::Retyped(of, _) => of_buffer(of),
        Buffer::None => None,
    }
}

/// The expressions right below one.
fn below(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        Kind::Literal(_) | Kind::Zero | Kind::Id(..) | Kind::Address(_) => Vec::new(),
        Kind::Read(place) | Kind::TapeLength(place) => of_place(place),
        Kind::Op { args, .. } | Kind::Make(args) | Kind::Wave { args, .. } => args.iter().collect(),
        Kind::Compare(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => vec![a, b],
        Kind::Not(a) | Kind::Convert(a) | Kind::Splat(a) | Kind::Swizzle(a, _) => vec![a],
        Kind::Choose(a, b, c) => vec![a, b, c],
        Kind::Part(a, steps) => [&**a].into_iter().chain(of_steps(steps)).collect(),
        Kind::Call(_, args) => args.iter().flat_map(of_arg).collect(),
        Kind::Length(buffer) | Kind::Handle(buffer) | Kind::Count(buffer, _) => of_buffer(buffer).into_iter().collect(),
        Kind::Atomic { place, args, .. } => of_place(place).into_iter().chain(args).collect(),
        Kind::TexelUpdate { texture, args, .. } | Kind::Texture { texture, args, .. } => {
            [&**texture].into_iter().chain(args).collect()
        }
    }
}

fn of_arg(arg: &Arg) -> Vec<&Expr> {
    match arg {
        Arg::Value(value) => vec![value],
        Arg::Place(place) => of_place(place),
    }
}

#[derive(Clone, Copy, Default)]
struct Depth {
    brackets: usize,
    operators: usize,
}

/// How deep an expression is: the left side of an operator needs no bracket of its own.
fn depth(e: &Expr) -> Depth {
    let left =
        matches!(&e.kind, Kind::Op { args, .. } if args.len() == 2) || matches!(e.kind, Kind::And(..) | Kind::Or(..));
    let mut all = Depth::default();
    for (at, part) in below(e).into_iter().enumerate() {
        let inner = depth(part);
        let plain = left && at == 0 && is_like(e, part);
        all.brackets = all.brackets.max(inner.brackets + usize::from(!plain));
        all.operators = all.operators.max(inner.operators + 1);
    }
    all
}

/// Whether both are the same operator.
fn is_like(e: &Expr, other: &Expr) -> bool {
    match (&e.kind, &other.kind) {
        (Kind::Op { row, .. }, Kind::Op { row: with, .. }) => std::ptr::eq(*row, *with),
        (Kind::And(..), Kind::And(..)) | (Kind::Or(..), Kind::Or(..)) => true,
        _ => false,
    }
}
