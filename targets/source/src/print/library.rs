//! A library: functions of the program and their derivatives, which programs in the language
//! include and call. There is no entry point, so nothing may depend on which thread runs.
//!
//! In C++ resources are variables that the host sets, in CUDA members of the struct whose methods
//! the functions are, in shading languages what is bound.

use super::file::includes;
use super::kernel::Resources;
use super::{Printer, Program, Text};
use crate::Mode;
use crate::lang::syntax::Around;
use crate::tree::{Function, Passed};
use caustic_dialects::call_graph::CallGraph;
use caustic_ir::{Diagnostic, LocKind, Name};
use serde_json::{Value, json};
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn is_library(&self) -> bool {
        !self.module.offered.is_empty()
    }

    /// What stands before a function.
    pub(super) fn function_word(&self) -> &'static str {
        if self.is_library() { self.language.inline } else { self.language.function }
    }

    /// What is said above a function that is offered: what of the program it is.
    pub(super) fn origin(&self, symbol: Name) -> String {
        let Some(offered) = self.module.offered.iter().find(|o| o.symbol == symbol) else { return String::new() };
        let place = match offered.loc.source().kind() {
            LocKind::Span { file, line, .. } => format!(", {}:{line}", file_name(file)),
            _ => String::new(),
        };
        let of = &offered.of;
        match offered.mode {
            Mode::Primal => format!("// {of}{place}\n"),
            Mode::Forward => format!("// Forward derivative of {of}{place}: each `d` is the tangent of its `p`.\n"),
            Mode::Reverse => {
                format!("// Reverse derivative of {of}{place}: leaves in each `d` the gradient by its `p`.\n")
            }
        }
    }

    /// As a header in C++.
    pub(super) fn assemble_header(&mut self, functions: &[Function], prefix: &str) -> Result<Program, Diagnostic> {
        let resources = self.resources()?;
        let (heads, bodies) = self.functions(functions)?;
        self.refuse_addresses()?;
        let structs = self.structs()?;
        self.offer_arithmetic();
        let mut text = format!("namespace {prefix} {{\n\n{}", self.header(""));
        for part in [structs, self.tables_text(), resources, heads] {
            if !part.is_empty() {
                let _ = write!(text, "\n{part}");
            }
        }
        let _ = write!(text, "\n{bodies}}}  // namespace {prefix}\n");
        let out = format!("#pragma once\n\n{}\n{text}", includes(&text));
        self.library_of(out, functions, Vec::new())
    }

    /// As a header in CUDA: functions, or methods if they use resources.
    pub(super) fn assemble_methods(&mut self, functions: &[Function], prefix: &str) -> Result<Program, Diagnostic> {
        self.need("numbers");
        let (heads, mut bodies) = self.functions(functions)?;
        self.refuse_addresses()?;
        let mut resources = Resources::default();
        self.declare_resources(&mut resources)?;
        let structs = self.structs()?;
        self.offer_arithmetic();
        let mut out = format!("#pragma once\n\nnamespace {prefix} {{\n\n{}", self.header(""));
        for part in [structs, self.tables_text()].iter().filter(|part| !part.is_empty()) {
            let _ = write!(out, "\n{part}");
        }
        if resources.members.is_empty() {
            let gap = if heads.is_empty() { "" } else { "\n" };
            let _ = write!(out, "\n{heads}{gap}{bodies}");
        } else {
            let program = self.names.declare("Program");
            bodies = bodies.trim_end().lines().map(indented).collect();
            let _ = writeln!(
                out,
                "\n// What is bound to the program, and its functions.\nstruct {program} {{\n{}\n{bodies}}};\n",
                resources.members
            );
        }
        let _ = writeln!(out, "}}  // namespace {prefix}");
        let accuracy = ("accuracy", json!(self.inexact));
        self.library_of(out, functions, vec![accuracy])
    }

    /// As a text that a shader includes.
    pub(super) fn assemble_include(&mut self, functions: &[Function], prefix: &str) -> Result<Program, Diagnostic> {
        let recursive = CallGraph::of_calls(self.module.ir).recursive();
        let mut bodies = Vec::new();
        for function in functions {
            self.loc = function.loc;
            if recursive.contains(&function.symbol) {
                return Err(self.refuse(format!("`{}`, which calls itself,", function.symbol)));
            }
            bodies.push(self.function(function)?);
        }
        self.write_pointers()?;
        let parts = self.shader_parts()?;
        let around = self.shader()?.syntax.around;
        let bound = !self.module.interface.params.is_empty();
        let aliased = self.shading.aliased;
        let (begin, end) = around(Around { name: prefix, extensions: &mut self.shading.extensions, bound, aliased });
        let mut out = begin;
        for part in parts.text.iter().chain([&bodies.join("\n")]).filter(|part| !part.is_empty()) {
            let _ = write!(out, "{}{part}", if out.is_empty() { "" } else { "\n" });
        }
        out += &end;
        let mut described = parts.described;
        let enabled = described.iter_mut().filter(|(key, _)| *key == "requires");
        enabled.for_each(|(_, told)| *told = json!(self.shading.extensions));
        self.library_of(out, functions, described)
    }

    /// Nobody says what an address leads to where there is no kernel.
    pub(super) fn refuse_addresses(&mut self) -> Result<(), Diagnostic> {
        let Some(at) = self.addressed_at else { return Ok(()) };
        self.loc = at;
        Err(self.refuse("an access through a pointer in a library"))
    }

    pub(super) fn library_of(
        &mut self,
        text: String,
        functions: &[Function],
        mut described: Vec<(&'static str, Value)>,
    ) -> Result<Program, Diagnostic> {
        described.push(("functions", self.told_functions(functions)?));
        Ok(Program {
            text,
            launcher: String::new(),
            names: self.told_names(),
            described,
            warnings: std::mem::take(&mut self.warnings),
        })
    }

    /// What the description says of the functions that are offered.
    fn told_functions(&mut self, functions: &[Function]) -> Result<Value, Diagnostic> {
        let mut all = Vec::new();
        let offered = self.module.offered;
        for offered in offered {
            let Some(function) = functions.iter().find(|f| f.symbol == offered.symbol) else { continue };
            let frame = self.frame(function)?;
            let mut parameters = Vec::new();
            for (var, passed) in &function.params {
                let ty = match frame.bare.contains(var) {
                    true => self.var_ty(&frame, *var)?,
                    false => self.type_word(&function.vars[var.0].ty)?,
                };
                let name = frame.name(*var).trim_start_matches("(*").trim_end_matches(')');
                let mut told = json!({ "name": name, "type": ty, "passed": word(*passed) });
                if self.in_words() && *passed != Passed::Value {
                    told["pointer"] = json!(true);
                }
                parameters.push(told);
            }
            let result = match &function.result {
                Some(ty) => Value::String(self.type_word(ty)?),
                None => Value::Null,
            };
            all.push(json!({
                "name": self.known(offered.symbol)?, "of": &*offered.of, "mode": offered.mode.word(),
                "parameters": parameters, "result": result,
            }));
        }
        Ok(Value::Array(all))
    }

    fn type_word(&mut self, ty: &crate::types::Ty) -> Text {
        if self.language.shader.is_some() { self.shader_ty(ty, false) } else { self.ty(ty) }
    }
}

fn word(passed: Passed) -> &'static str {
    match passed {
        Passed::Value | Passed::Constant => "in",
        Passed::InOut => "inout",
        Passed::Out => "out",
    }
}

fn indented(line: &str) -> String {
    if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
