//! Variables of the module in a language whose memory is words: uniforms, memory of a group, and
//! what a function has to have variables for.

use super::super::{Printer, Text};
use crate::lang::syntax::Uniforms;
use crate::structure::Module;
use crate::tree::{Arg, Expr, Function, Kind, Passed, Place, Root, Stmt, Var, Variable, each_expr};
use crate::types::Ty;
use caustic_dialects::reflect::{COUNT, ParamKind, resource_type};
use caustic_ir::Name;
use caustic_runtime::layout::layout_of;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

impl Printer<'_> {
    /// The variable that holds all uniforms.
    pub(super) fn uniforms(&mut self) -> String {
        self.made_name("uniforms", "uniforms").0
    }

    /// A uniform in the text.
    pub(super) fn uniform_name(&mut self, name: Name) -> Text {
        let known = self.known(name)?;
        Ok(match self.shader()?.syntax.uniforms {
            Uniforms::Variable => format!("{}.{known}", self.uniforms()),
            Uniforms::Block { .. } | Uniforms::Words { .. } => known,
        })
    }

    /// Where a uniform begins in the words that all uniforms are, if they are words: since one of
    /// them holds scalars of another size.
    pub(super) fn uniform_in_words(&self, name: Name) -> Option<u64> {
        if !self.in_words() {
            return None;
        }
        let (mut offset, mut found, mut small) = (0u64, None, false);
        let mut seen = FxHashSet::default();
        for param in self.module.interface.params.iter().filter(|p| p.kind == ParamKind::Uniform) {
            let (Some(contents), Some(symbol)) = (self.module.contents(param.symbol), self.module.ir.get(param.symbol))
            else {
                continue;
            };
            if contents.is_empty() || symbol.attr(COUNT).is_some() || !seen.insert(param.symbol) {
                continue;
            }
            let layout = resource_type(symbol).and_then(|ty| layout_of(&ty))?;
            offset = offset.next_multiple_of(layout.align.max(1));
            if param.symbol == name {
                found = Some(offset);
            }
            offset += layout.size;
            small |= self.has_small(&contents);
        }
        found.filter(|_| small)
    }

    /// Memory of a group, which is zero when it begins.
    pub(super) fn group_variables(&mut self) -> Text {
        let mut out = String::new();
        let declared = self.shader()?.syntax.memory.shared;
        for shared in &self.module.interface.shared {
            let ty = self.module.contents(shared.symbol).ok_or_else(|| self.internal("memory without a type"))?;
            if ty.is_empty() {
                continue;
            }
            let name = self.known(shared.symbol)?;
            let word = match &ty {
                _ if self.shading.worded.contains(&shared.symbol) => {
                    let word = self.updated_ty(&name, "u32".to_string());
                    format!("array<{word}, {}>", shared.bytes.div_ceil(4))
                }
                Ty::Array(count, elem) if self.is_updated(&name) => {
                    let word = self.shader_ty(elem, true)?;
                    format!("array<{}, {count}>", self.updated_ty(&name, word))
                }
                _ => {
                    let word = self.shader_ty(&ty, false)?;
                    self.updated_ty(&name, word)
                }
            };
            let _ = writeln!(out, "{declared} {name}: {word};");
        }
        Ok(out)
    }
}

/// Gives a function variables for places that are no variables and that a callee changes: a
/// pointer or a reference leads to a variable.
pub fn own_places(module: &Module<'_>, passed: &FxHashMap<Name, Vec<Passed>>, function: &mut Function) {
    let body = std::mem::take(&mut function.body);
    function.body = handed((module, passed), body, &mut function.vars);
}

/// Functions that others call take by value what they only read, as the program says it: who calls
/// them has no pointers.
pub fn take_values(module: &Module<'_>, functions: &mut [Function]) {
    let roots = module.roots();
    let mut by_value: FxHashMap<Name, Vec<bool>> = FxHashMap::default();
    for function in functions.iter_mut().filter(|f| roots.contains(&f.symbol)) {
        let read = |(_, passed): &(Var, Passed)| *passed == Passed::Constant;
        by_value.insert(function.symbol, function.params.iter().map(read).collect());
        let params = function.params.iter_mut().filter(|(_, passed)| *passed == Passed::Constant);
        params.for_each(|(_, passed)| *passed = Passed::Value);
    }
    for function in functions {
        each_expr(&mut function.body, &mut |e| {
            let Kind::Call(callee, args) = &mut e.kind else { return };
            let Some(by_value) = by_value.get(callee) else { return };
            for (arg, _) in args.iter_mut().zip(by_value).filter(|(_, by_value)| **by_value) {
                if let Arg::Place(place) = arg
                    && let Some(ty) = module.part(&place.of, &place.steps)
                {
                    *arg = Arg::Value(Expr::new(ty, Kind::Read(place.clone())));
                }
            }
        });
    }
}

/// Gives a function variables for parameters that it changes, where what is handed over by value is
/// a constant.
pub fn own_params(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let changed = super::super::stmt::assigned(&Function { body: body.clone(), ..function.clone() });
    for (var, passed) in &mut function.params {
        if *passed == Passed::Value && changed.contains(var) {
            let old = function.vars[var.0].clone();
            let given = Var(function.vars.len());
            body.insert(0, Stmt::Declare(*var, Some(Expr::var(given, old.ty.clone()))));
            function.vars.push(old);
            *var = given;
        }
    }
    function.body = body;
}

/// What is known besides: types of parts, and how callees are handed their arguments.
type Known<'a> = (&'a Module<'a>, &'a FxHashMap<Name, Vec<Passed>>);

fn handed(known: Known<'_>, body: Vec<Stmt>, vars: &mut Vec<Variable>) -> Vec<Stmt> {
    let mut out = Vec::new();
    for mut stmt in body {
        let mut after = Vec::new();
        match &mut stmt {
            Stmt::Do(value) | Stmt::Declare(_, Some(value)) | Stmt::Assign(_, value) => {
                hand_over(known, value, vars, (&mut out, &mut after));
            }
            Stmt::If { then, otherwise, .. } => {
                *then = handed(known, std::mem::take(then), vars);
                *otherwise = handed(known, std::mem::take(otherwise), vars);
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } => *body = handed(known, std::mem::take(body), vars),
            Stmt::Switch { cases, default, .. } => {
                for (_, body) in cases {
                    *body = handed(known, std::mem::take(body), vars);
                }
                *default = handed(known, std::mem::take(default), vars);
            }
            _ => {}
        }
        out.push(stmt);
        out.extend(after);
    }
    out
}

/// Puts variables for the places of a call that are parts of others, or of memory.
fn hand_over(
    (module, passed): Known<'_>,
    value: &mut Expr,
    vars: &mut Vec<Variable>,
    (before, after): (&mut Vec<Stmt>, &mut Vec<Stmt>),
) {
    let Kind::Call(callee, args) = &mut value.kind else { return };
    let how = passed.get(callee).map_or(&[][..], |list| list);
    for (number, arg) in args.iter_mut().enumerate() {
        let Arg::Place(place) = arg else { continue };
        if matches!(place.root, Root::Var(_)) && place.steps.is_empty() {
            continue;
        }
        let Some(ty) = module.part(&place.of, &place.steps) else { continue };
        let var = Var(vars.len());
        vars.push(Variable::unnamed(ty.clone()));
        let own = Place { root: Root::Var(var), steps: Vec::new(), of: ty.clone() };
        let part = std::mem::replace(place, own);
        before.push(Stmt::Declare(var, Some(Expr::new(ty.clone(), Kind::Read(part.clone())))));
        if how.get(number) != Some(&Passed::Constant) {
            after.push(Stmt::Assign(part, Expr::var(var, ty)));
        }
    }
}
