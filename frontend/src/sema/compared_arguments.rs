//! Generic arguments that look like none: `f<"a">(x)` is read as comparisons, and
//! `f<float, "a">(x)` as values with a comma between them. The errors say what the parameters take.

use super::expr::Res;
use super::lookup::Found;
use super::members::Member;
use super::types::ParamId;
use super::*;
use ast::{BinOp, ExprKind as E};
use caustic_ir::codes;

impl Checker<'_> {
    /// Reports `callee < arg` if it is the beginning of generic arguments.
    pub(super) fn reads_as_comparison(&mut self, callee: &ast::Expr, arg: &ast::Expr) -> bool {
        if matches!(arg.kind, E::Int { .. } | E::Bool(_) | E::Name { .. } | E::Member { .. }) {
            return false;
        }
        let Some((name, params)) = self.generic_callee(callee, arg) else { return false };
        let first = params.first().copied();
        first.inspect(|p| self.refuse_argument(name, *p, arg.span)).is_some()
    }

    /// Reports values of which the first and the last are the ends of generic arguments.
    pub(super) fn reads_as_values(&mut self, parts: &[ast::Expr]) -> bool {
        let [ast::Expr { kind: E::Binary { op: BinOp::Lt, lhs: callee, rhs, .. }, .. }, between @ .., last] = parts
        else {
            return false;
        };
        let mut end = last;
        let last = loop {
            match &end.kind {
                E::Binary { op: BinOp::Gt, lhs, .. } if matches!(lhs.kind, E::Str(_)) => break Some(&**lhs),
                E::Binary { lhs, .. } => end = lhs,
                _ => break None,
            }
        };
        let args = std::iter::once(&**rhs).chain(between).chain(last);
        let Some((at, text)) = args.enumerate().find(|(_, a)| matches!(a.kind, E::Str(_))) else { return false };
        let Some((name, params)) = self.generic_callee(callee, text) else { return false };
        params.get(at).inspect(|p| self.refuse_argument(name, **p, text.span)).is_some()
    }

    fn refuse_argument(&mut self, name: Name, p: ParamId, span: Span) {
        let (want, shown) = (self.kind_of_argument(p), self.params[p.0 as usize].name);
        self.error(codes::E0208, span, format!("generic parameter `{shown}` of `{name}` is {want}"));
    }

    /// The name and the parameters of something generic that stands in front of `arg`.
    fn generic_callee(&mut self, callee: &ast::Expr, arg: &ast::Expr) -> Option<(Name, Vec<ParamId>)> {
        let (name, found) = match &callee.kind {
            E::Name { name, args: None } => match self.lookup(name.name) {
                Some(Found::Members(found)) => (name, found),
                _ => return None,
            },
            // No value is compared with a text, so this resolves few members twice.
            E::Member { name, args: None, .. } if matches!(arg.kind, E::Str(_)) => match self.resolve(callee) {
                Res::Funcs(group) => (name, group.members),
                _ => return None,
            },
            _ => return None,
        };
        let gens = |m: &Member| match m.entry {
            Entry::Func(f) if !self.funcs[f.0 as usize].declares_generics => None,
            Entry::Func(f) => self.funcs[f.0 as usize].gens,
            Entry::Struct(s) => self.structs[s.0 as usize].gens,
            _ => None,
        };
        let gens = found.iter().find_map(gens);
        Some((name.name, self.own_params(gens).to_vec()))
    }
}
