//! Statements and functions.

use super::lines::unmarked;
use super::{Frame, Printer, Text};
use crate::lang::Threads;
use crate::lang::syntax::bare;
use crate::ops::prec;
use crate::structure::{Blocks, Ranges, nested, wanted_names};
use crate::tree::{
    Arg, Case, Compare, Expr, Function, InstanceStep, Kind, Literal, Named, Passed, Place, Root, Stmt, Var,
};
use crate::tree::{each_expr, visit_all};
use caustic_dialects::reflect::Scalar;
use caustic_dialects::simt;
use caustic_ir::{Body, Diagnostic, Name, OpId};
use rustc_hash::FxHashSet;
use std::fmt::Write;

impl Printer<'_> {
    /// What is before a function's body.
    pub(super) fn head(&mut self, f: &Frame<'_>, declares: bool) -> Text {
        if self.language.threads == Threads::Shader {
            return self.shader_head(f);
        }
        let function = f.function;
        let result = match &function.result {
            Some(ty) => self.ty(ty)?,
            None => "void".to_string(),
        };
        let mut params = Vec::new();
        let defaults = if declares { Vec::new() } else { self.defaults(function) };
        for (k, (var, passed)) in function.params.iter().enumerate() {
            let variable = &function.vars[var.0];
            let ty = self.ty(&variable.ty)?;
            params.push(match passed {
                Passed::Value => match defaults.get(k) {
                    Some(Some(value)) => format!("{ty} {} = {value}", f.name(*var)),
                    _ => format!("{ty} {}", f.name(*var)),
                },
                Passed::Constant => format!("const {ty}& {}", f.name(*var)),
                Passed::InOut | Passed::Out => format!("{ty}& {}", f.name(*var)),
            });
        }
        let name = self.known(function.symbol)?;
        Ok(format!("{}{result} {name}({})", self.function_word(), params.join(", ")))
    }

    /// Names for a function's variables, of which none hides what is global.
    pub(super) fn frame<'f>(&mut self, function: &'f Function) -> Result<Frame<'f>, Diagnostic> {
        function.vars.iter().try_for_each(|v| self.ty(&v.ty).map(|_| ()))?;
        let mut scope = self.names.clone();
        self.aliases.keys().for_each(|alias| scope.reserve(alias));
        let called = |name: Name| self.called(name);
        let wanted = wanted_names(function, &called);
        let blocks = Blocks::of(function);
        let mut names: Vec<String> = scope.declare_apart(&wanted, &|a, b| blocks.meet(Var(a), Var(b)));
        if self.in_words() {
            // What is read or changed in place is behind a pointer.
            for (var, _) in function.params.iter().filter(|(_, passed)| *passed != Passed::Value) {
                if let Some(name) = names.get_mut(var.0) {
                    *name = format!("(*{name})");
                }
            }
        }
        for (var, value) in &function.tables {
            names[var.0] = self.table_name(&function.vars[var.0].ty, value)?;
        }
        let exact = match self.language.threads {
            Threads::Shader => self.exact_variables(function),
            Threads::Host | Threads::Device => FxHashSet::default(),
        };
        let bare = self.shading.bare.vars(function.symbol);
        let threads = Some(self.module.interface.numthreads).filter(|_| !self.is_library());
        let ranges = Ranges::of_kernel(function, threads);
        Ok(Frame { function, names, exact, assigned: assigned(function), ranges, bare })
    }

    pub(super) fn function(&mut self, function: &Function) -> Text {
        self.loc = function.loc;
        if let Some(most) = self.statements().most_nested
            && nested(&function.body) > most
        {
            return Err(self.refuse(format!("a function with more than {most} blocks in each other")));
        }
        self.shading.loops.clear();
        let frame = self.frame(function)?;
        let (origin, mark) = (self.origin(function.symbol), self.mark(function.loc));
        let mut out = format!("{origin}{mark}{} {{\n", self.head(&frame, false)?);
        let used = used(function);
        // Compilers of C++ warn of a parameter that nobody reads.
        let warned = self.language.threads != Threads::Shader || self.hands_over();
        for (var, _) in function.params.iter().filter(|(var, _)| warned && !used.contains(var)) {
            let _ = writeln!(out, "    (void){};", frame.name(*var));
        }
        self.block(&frame, &function.body, 1, &mut out)?;
        out.push_str("}\n");
        out.push_str(self.mark_end());
        Ok(out)
    }

    fn block(&mut self, f: &Frame<'_>, stmts: &[Stmt], depth: usize, out: &mut String) -> Result<(), Diagnostic> {
        let known = f.ranges.known();
        for stmt in stmts {
            self.stmt(f, stmt, depth, out)?;
            // What follows a condition that leaves runs where it does not hold.
            if let Stmt::If { condition, then, otherwise } = stmt
                && otherwise.is_empty()
                && matches!(then.last(), Some(Stmt::Break | Stmt::Return(_)))
            {
                f.ranges.learn(condition, false);
            }
        }
        f.ranges.forget(known);
        Ok(())
    }

    /// A block that runs where a condition holds, or does not.
    fn block_where(
        &mut self,
        f: &Frame<'_>,
        (condition, holds): (&Expr, bool),
        stmts: &[Stmt],
        depth: usize,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let known = f.ranges.learn(condition, holds);
        let written = self.block(f, stmts, depth, out);
        f.ranges.forget(known);
        written
    }

    fn stmt(&mut self, f: &Frame<'_>, stmt: &Stmt, depth: usize, out: &mut String) -> Result<(), Diagnostic> {
        let pad = "    ".repeat(depth);
        out.push_str(&self.mark_statement(stmt));
        if self.language.threads == Threads::Shader
            && let Some(text) = self.shader_statement(f, stmt)?
        {
            text.iter().for_each(|line| out.push_str(&format!("{pad}{line}\n")));
            return Ok(());
        }
        match stmt {
            Stmt::Declare(var, value) => self.declaration(f, *var, value.as_ref(), &pad, out)?,
            Stmt::Assign(place, value) => {
                let text = match self.language.threads {
                    Threads::Shader => self.shader_assignment(f, place, value)?,
                    Threads::Host | Threads::Device => self.assignment(f, place, value)?,
                };
                let _ = writeln!(out, "{pad}{text}");
            }
            Stmt::Do(value) => {
                let value = if self.language.threads == Threads::Shader { without_casts(value) } else { value };
                let text = self.expr(f, value)?;
                // Compilers warn of a conversion that nobody reads, and not of a call.
                let converted = matches!(value.kind, Kind::Convert(_)) && self.language.threads != Threads::Shader;
                let unread = match &value.kind {
                    _ if converted => "(void)",
                    Kind::Call(..) | Kind::Atomic { .. } | Kind::Count(..) => "",
                    _ if self.in_words() => "_ = ",
                    _ => "",
                };
                let _ = writeln!(out, "{pad}{unread}{text};");
            }
            Stmt::If { condition, then, otherwise } => self.branch(f, (condition, then, otherwise), depth, out)?,
            Stmt::For { counter, from, test, below, step, body } => {
                let head = self.counted(f, *counter, from, (*test, below), step)?;
                let _ = writeln!(out, "{pad}for ({head}) {{");
                self.block(f, body, depth + 1, out)?;
                let _ = writeln!(out, "{pad}}}");
            }
            Stmt::While { condition, body } => {
                let head = match condition {
                    Some(condition) => format!("while ({})", self.condition(f, condition)?),
                    None => self.statements().forever.to_string(),
                };
                let _ = writeln!(out, "{pad}{head} {{");
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
                let value = self.plain(f, value)?.0;
                let _ = writeln!(out, "{pad}return {value};");
            }
            Stmt::Barrier { .. } if self.language.threads == Threads::Device => {
                let _ = writeln!(out, "{pad}__syncthreads();");
            }
            Stmt::Fence { group } if self.language.threads == Threads::Device => {
                let _ = writeln!(out, "{pad}__threadfence{}();", if *group { "_block" } else { "" });
            }
            // Threads that run one after the other see what the ones before did.
            Stmt::Fence { .. } => {}
            Stmt::Barrier { instance, .. } => {
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
            Stmt::Print { format, args, .. } => {
                let text = self.printed(f, format, args)?;
                let _ = writeln!(out, "{pad}{text}");
            }
            Stmt::TexelStore { texture, args } => {
                let text = self.texel_store(f, texture, args)?;
                let _ = writeln!(out, "{pad}{text}");
            }
        }
        Ok(())
    }

    /// The lines of what a shader says otherwise.
    fn shader_statement(&mut self, f: &Frame<'_>, stmt: &Stmt) -> Result<Option<Vec<String>>, Diagnostic> {
        let lines = |all: &[&str]| all.iter().map(|line| line.to_string()).collect();
        Ok(Some(match stmt {
            Stmt::TexelStore { .. } if self.language.shader.is_some() && self.lacks_texels()? => {
                return Err(self.refuse("a write to a texture"));
            }
            Stmt::Fence { .. } if self.shader()?.waiting.memory.is_empty() => {
                let refused = self.refuse("an order of accesses without a barrier");
                let is = |body: &Body, op: OpId| simt::Fence::cast(body, op).is_some();
                return Err(Diagnostic { loc: self.place_of(&is).unwrap_or(refused.loc), ..refused });
            }
            Stmt::Barrier { .. } => lines(self.shader()?.waiting.barrier),
            Stmt::Fence { group: true } => lines(self.shader()?.waiting.group),
            Stmt::Fence { group: false } => lines(self.shader()?.waiting.memory),
            Stmt::Instance(_) => Vec::new(),
            Stmt::Print { format, args, loc } => self.shader_print(f, (format, *loc), args)?,
            Stmt::TexelStore { texture, args } => vec![self.shader_texel_store(f, texture, args)?],
            _ => return Ok(None),
        }))
    }

    /// A condition in parentheses of its own.
    fn condition(&mut self, f: &Frame<'_>, condition: &Expr) -> Text {
        let text = self.expr(f, condition)?;
        Ok(if self.statements().strict { bare(&text).to_string() } else { text })
    }

    fn declaration(
        &mut self,
        f: &Frame<'_>,
        var: Var,
        value: Option<&Expr>,
        pad: &str,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        if f.bare.contains(&var) {
            let lines = self.bare_declaration(f, var, value)?;
            lines.iter().for_each(|line| out.push_str(&format!("{pad}{line}\n")));
            return Ok(());
        }
        let ty = f.function.vars[var.0].ty.clone();
        let (mut word, name) = (self.ty(&ty)?, f.name(var));
        if f.exact.contains(&var) {
            word.insert_str(0, self.statements().precise);
        }
        let empty = matches!(value.map(|v| &v.kind), None | Some(Kind::Zero));
        if empty
            && self.language.threads == Threads::Shader
            && let Some(cleared) = self.cleared(name, &ty, false)?
        {
            let _ = writeln!(out, "{pad}{word} {name};\n{pad}{cleared}");
            return Ok(());
        }
        match value {
            Some(value) => {
                let syntax = self.statements();
                let declare = if f.assigned.contains(&var) { syntax.variable } else { syntax.unassigned };
                let value = self.plain(f, value)?.0;
                let _ = writeln!(out, "{pad}{}", declare(&word, name, &value));
            }
            None if self.language.threads == Threads::Shader => {
                let zero = self.expr(f, &Expr::new(ty, Kind::Zero))?;
                let _ = writeln!(out, "{pad}{}", (self.statements().variable)(&word, name, &zero));
            }
            None => {
                let _ = writeln!(out, "{pad}{word} {name}{{}};");
            }
        }
        Ok(())
    }

    /// The head of a loop that counts.
    fn counted(
        &mut self,
        f: &Frame<'_>,
        counter: Var,
        from: &Expr,
        (test, bound): (Compare, &Expr),
        step: &Expr,
    ) -> Result<String, Diagnostic> {
        let (var, name, ty) = (counter, f.name(counter).to_string(), f.function.vars[counter.0].ty.clone());
        let word = self.ty(&ty)?;
        let (from, bound) = (self.plain(f, from)?.0, self.plain(f, bound)?.within(prec::COMPARE + 1));
        let counter = (self.statements().variable)(&word, &name, &from);
        if matches!(step.kind, Kind::Op { .. }) {
            // It is what the counter is next.
            let variable = Place { root: Root::Var(var), steps: Vec::new(), of: ty };
            let next = self.plain(f, step)?.0;
            let next = self.given(&name, (&variable, step), &next);
            return Ok(format!("{counter} {name} {} {bound}; {}", test.symbol(), next.trim_end_matches(';')));
        }
        if self.is_wide(&ty) {
            let step = self.expr(f, step)?;
            let (condition, next) = self.wide_steps((&name, &bound), &step, &ty)?;
            return Ok(format!("{counter} {condition}; {next}"));
        }
        let next = match step.literal() {
            Some(Literal::Int(1)) => format!("{name}++"),
            Some(Literal::Int(-1)) => format!("{name}--"),
            Some(Literal::Int(down)) if down < 0 => {
                let step = Expr::new(step.ty.clone(), Kind::Literal(Literal::Int(-down)));
                format!("{name} -= {}", self.expr(f, &step)?)
            }
            _ => format!("{name} += {}", self.expr(f, step)?),
        };
        Ok(format!("{counter} {name} {} {bound}; {next}", test.symbol()))
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
            let text = self.condition(f, condition)?;
            // A jump alone stands beside its condition.
            if otherwise.is_empty()
                && start == pad
                && let [jump @ (Stmt::Break | Stmt::Return(_))] = then
            {
                let mut line = String::new();
                self.stmt(f, jump, 0, &mut line)?;
                let line = unmarked(&line);
                let _ = writeln!(out, "{start}{}", (self.statements().when)(&text, line.trim_end()));
                return Ok(());
            }
            let _ = writeln!(out, "{start}if ({text}) {{");
            self.block_where(f, (condition, true), then, depth + 1, out)?;
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
                    self.block_where(f, (condition, false), otherwise, depth + 1, out)?;
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
        cases: &[Case],
        default: &[Stmt],
        depth: usize,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let (pad, inner) = ("    ".repeat(depth), "    ".repeat(depth + 1));
        let text = self.expr(f, value)?;
        // Small numbers are no values of a switch in a shading language, and become `int` in C++.
        let small = value.ty.scalar().is_some_and(|s| s.size() < 4);
        let cast = small && self.language.threads == Threads::Shader;
        let text = match value.ty.scalar() {
            Some(scalar) if cast && !(self.in_words() && scalar.is_signed()) => {
                format!("{}({text})", self.word(Scalar::I32))
            }
            _ => text,
        };
        let _ = writeln!(out, "{pad}switch ({text}) {{");
        let all = cases.iter().map(|(labels, body)| (&labels[..], &body[..])).chain([(&[][..], default)]);
        // What does nothing for other numbers says so only where it has to.
        let all = all.filter(|(labels, body)| self.in_words() || !labels.is_empty() || !body.is_empty());
        for (labels, body) in all.collect::<Vec<_>>() {
            let mut texts = Vec::new();
            for &label in labels {
                texts.push(match value.ty.scalar() {
                    _ if small => label.to_string(),
                    Some(scalar) if self.language.threads == Threads::Shader => self.integer_literal(label, scalar).0,
                    _ => self.literal(Literal::Int(label), &value.ty)?.0,
                });
            }
            let head = match labels {
                [] => "default:".to_string(),
                _ => (self.statements().labels)(&texts),
            };
            let _ = writeln!(out, "{inner}{head} {{");
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

/// What is converted: a cast is no statement of a shading language.
fn without_casts(value: &Expr) -> &Expr {
    if let Kind::Convert(inner) = &value.kind { without_casts(inner) } else { value }
}

/// The variables that a function changes, after they are declared.
pub(super) fn assigned(function: &Function) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    let mut body = function.body.clone();
    each_expr(&mut body, &mut |e| {
        if let Kind::Call(_, args) = &e.kind {
            found.extend(args.iter().filter_map(|arg| match arg {
                Arg::Place(Place { root: Root::Var(var), .. }) => Some(*var),
                _ => None,
            }));
        }
    });
    let mut open: Vec<&Stmt> = function.body.iter().collect();
    while let Some(stmt) = open.pop() {
        if let Stmt::Assign(Place { root: Root::Var(var), .. }, _) | Stmt::For { counter: var, .. } = stmt {
            found.insert(*var);
        }
        open.extend(stmt.bodies().flatten());
    }
    found
}

/// The variables that a function's text names.
fn used(function: &Function) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    let mut body = function.body.clone();
    visit_all(&mut body, &mut |named| {
        if let Named::Var(var) = named {
            found.insert(*var);
        }
    });
    let mut open: Vec<&Stmt> = function.body.iter().collect();
    while let Some(stmt) = open.pop() {
        match stmt {
            Stmt::Assign(place, _) => found.extend(match place.root {
                Root::Var(var) => Some(var),
                _ => None,
            }),
            other => open.extend(other.bodies().flatten()),
        }
    }
    found
}
