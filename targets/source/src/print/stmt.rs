//! Statements and functions.

use super::expr::atom;
use super::{Frame, Printer, Text};
use crate::ops::prec;
use crate::tree::{Expr, Function, InstanceStep, Kind, Literal, Passed, Stmt};
use caustic_ir::Diagnostic;
use std::fmt::Write;

impl Printer<'_> {
    /// What is before a function's body.
    pub(super) fn head(&mut self, function: &Function) -> Text {
        let result = match &function.result {
            Some(ty) => self.ty(ty)?,
            None => "void".to_string(),
        };
        let mut params = Vec::new();
        for (var, passed) in &function.params {
            let variable = &function.vars[var.0];
            let ty = self.ty(&variable.ty)?;
            params.push(match passed {
                Passed::Value => format!("{ty} {}", variable.name),
                Passed::Constant => format!("const {ty}& {}", variable.name),
                Passed::InOut | Passed::Out => format!("{ty}& {}", variable.name),
            });
        }
        let name = self.known(function.symbol)?;
        Ok(format!("static {result} {name}({})", params.join(", ")))
    }

    pub(super) fn function(&mut self, function: &Function) -> Text {
        self.loc = function.loc;
        let mut out = format!("{} {{\n", self.head(function)?);
        let used = used(function);
        for (var, _) in function.params.iter().filter(|(var, _)| !used.contains(&var.0)) {
            let _ = writeln!(out, "    (void){};", function.vars[var.0].name);
        }
        self.block(&Frame { function }, &function.body, 1, &mut out)?;
        out.push_str("}\n");
        Ok(out)
    }

    fn block(&mut self, f: &Frame<'_>, stmts: &[Stmt], depth: usize, out: &mut String) -> Result<(), Diagnostic> {
        stmts.iter().try_for_each(|stmt| self.stmt(f, stmt, depth, out))
    }

    fn stmt(&mut self, f: &Frame<'_>, stmt: &Stmt, depth: usize, out: &mut String) -> Result<(), Diagnostic> {
        let pad = "    ".repeat(depth);
        match stmt {
            Stmt::Declare(var, value) => {
                let ty = f.function.vars[var.0].ty.clone();
                let (word, name) = (self.ty(&ty)?, f.name(*var));
                match value {
                    Some(value) => {
                        let value = self.expr(f, value)?;
                        let _ = writeln!(out, "{pad}{word} {name} = {value};");
                    }
                    None => {
                        let _ = writeln!(out, "{pad}{word} {name}{{}};");
                    }
                }
            }
            Stmt::Assign(place, value) => {
                let text = self.assignment(f, place, value)?;
                let _ = writeln!(out, "{pad}{text}");
            }
            Stmt::Do(value) => {
                let text = self.expr(f, value)?;
                let _ = writeln!(out, "{pad}{text};");
            }
            Stmt::If { condition, then, otherwise } => self.branch(f, (condition, then, otherwise), depth, out)?,
            Stmt::For { counter, from, below, step, body } => {
                let name = f.name(*counter).to_string();
                let word = self.ty(&f.function.vars[counter.0].ty.clone())?;
                let (from, below) = (self.expr(f, from)?, self.bound(f, below)?.within(prec::COMPARE + 1));
                let next = match step.literal() {
                    Some(Literal::Int(1)) => format!("{name}++"),
                    _ => format!("{name} += {}", self.expr(f, step)?),
                };
                let _ = writeln!(out, "{pad}for ({word} {name} = {from}; {name} < {below}; {next}) {{");
                self.block(f, body, depth + 1, out)?;
                let _ = writeln!(out, "{pad}}}");
            }
            Stmt::While { condition, body } => {
                let condition = match condition {
                    Some(condition) => self.expr(f, condition)?,
                    None => "true".to_string(),
                };
                let _ = writeln!(out, "{pad}while ({condition}) {{");
                self.block(f, body, depth + 1, out)?;
                let _ = writeln!(out, "{pad}}}");
            }
            Stmt::Switch { value, cases, default } => self.switch(f, value, cases, default, depth, out)?,
            Stmt::Break => {
                let _ = writeln!(out, "{pad}break;");
            }
            Stmt::Return(None) => {
                let _ = writeln!(out, "{pad}return;");
            }
            Stmt::Return(Some(value)) => {
                let value = self.expr(f, value)?;
                let _ = writeln!(out, "{pad}return {value};");
            }
            Stmt::Barrier { instance } => {
                self.need("group");
                let _ = writeln!(out, "{pad}barrier({instance});");
            }
            Stmt::Instance(step) => {
                self.need("group");
                let text = match step {
                    InstanceStep::Begin(number) => format!("fiber->in.emplace_back({number}, 0);"),
                    InstanceStep::Next => "fiber->in.back().second++;".to_string(),
                    InstanceStep::End => "fiber->in.pop_back();".to_string(),
                };
                let _ = writeln!(out, "{pad}{text}");
            }
            Stmt::Print { format, args } => {
                let text = self.printed(f, format, args)?;
                let _ = writeln!(out, "{pad}{text}");
            }
            Stmt::TexelStore { .. } => return Err(self.refuse("a store to a texture")),
        }
        Ok(())
    }

    fn branch(
        &mut self,
        f: &Frame<'_>,
        (condition, then, otherwise): (&Expr, &[Stmt], &[Stmt]),
        depth: usize,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let pad = "    ".repeat(depth);
        let (mut condition, mut then, mut otherwise) = (condition, then, otherwise);
        let mut start = pad.clone();
        loop {
            let text = self.expr(f, condition)?;
            // A jump alone stands beside its condition.
            if otherwise.is_empty()
                && start == pad
                && let [jump @ (Stmt::Break | Stmt::Return(_))] = then
            {
                let mut line = String::new();
                self.stmt(f, jump, 0, &mut line)?;
                let _ = write!(out, "{start}if ({text}) {line}");
                return Ok(());
            }
            let _ = writeln!(out, "{start}if ({text}) {{");
            self.block(f, then, depth + 1, out)?;
            match otherwise {
                [] => {
                    let _ = writeln!(out, "{pad}}}");
                    return Ok(());
                }
                [Stmt::If { condition: c, then: t, otherwise: o }] => {
                    start = format!("{pad}}} else ");
                    (condition, then, otherwise) = (c, t, o);
                }
                _ => {
                    let _ = writeln!(out, "{pad}}} else {{");
                    self.block(f, otherwise, depth + 1, out)?;
                    let _ = writeln!(out, "{pad}}}");
                    return Ok(());
                }
            }
        }
    }

    fn switch(
        &mut self,
        f: &Frame<'_>,
        value: &Expr,
        cases: &[(i64, Vec<Stmt>)],
        default: &[Stmt],
        depth: usize,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let (pad, inner) = ("    ".repeat(depth), "    ".repeat(depth + 1));
        let text = self.expr(f, value)?;
        let _ = writeln!(out, "{pad}switch ({text}) {{");
        let all = cases.iter().map(|(n, body)| (Some(*n), &body[..])).chain([(None, default)]);
        for (number, body) in all {
            let label = match number {
                Some(n) => format!(
                    "case {}",
                    self.literal(Literal::Int(n), &value.ty).unwrap_or_else(|_| atom(n.to_string())).0
                ),
                None => "default".to_string(),
            };
            let _ = writeln!(out, "{inner}{label}: {{");
            self.block(f, body, depth + 2, out)?;
            if !matches!(body.last(), Some(Stmt::Return(_))) {
                let _ = writeln!(out, "{inner}    break;");
            }
            let _ = writeln!(out, "{inner}}}");
        }
        let _ = writeln!(out, "{pad}}}");
        Ok(())
    }
}

/// The variables that a function's text names.
fn used(function: &Function) -> rustc_hash::FxHashSet<usize> {
    let mut found = rustc_hash::FxHashSet::default();
    each(
        &function.body,
        &mut |e: &mut Expr| {
            e.visit(&mut |var| {
                found.insert(var.0);
            })
        },
        true,
    );
    found
}

/// Calls `f` with each expression of some statements, places that are written included.
fn each(stmts: &[Stmt], f: &mut dyn FnMut(&mut Expr), places: bool) {
    let place_of = |place: &crate::tree::Place| Expr::new(place.of.clone(), Kind::Read(place.clone()));
    for stmt in stmts {
        match stmt {
            Stmt::Declare(_, value) | Stmt::Return(value) => value.clone().iter_mut().for_each(&mut *f),
            Stmt::Assign(place, value) => {
                if places {
                    f(&mut place_of(place));
                }
                f(&mut value.clone());
            }
            Stmt::Do(value) => f(&mut value.clone()),
            Stmt::If { condition, then, otherwise } => {
                f(&mut condition.clone());
                each(then, f, places);
                each(otherwise, f, places);
            }
            Stmt::For { from, below, step, body, .. } => {
                [from, below, step].into_iter().for_each(|e| f(&mut e.clone()));
                each(body, f, places);
            }
            Stmt::While { condition, body } => {
                condition.clone().iter_mut().for_each(&mut *f);
                each(body, f, places);
            }
            Stmt::Switch { value, cases, default } => {
                f(&mut value.clone());
                cases.iter().for_each(|(_, body)| each(body, f, places));
                each(default, f, places);
            }
            Stmt::Print { args, .. } => args.clone().iter_mut().for_each(&mut *f),
            Stmt::TexelStore { texture, args } => {
                f(&mut texture.clone());
                args.clone().iter_mut().for_each(&mut *f);
            }
            Stmt::Break | Stmt::Barrier { .. } | Stmt::Instance(_) => {}
        }
    }
}
