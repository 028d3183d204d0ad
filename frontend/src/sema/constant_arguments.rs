//! Arguments that have to be known at compile time: those of `constexpr` parameters, to which the
//! offsets of texels belong.
//!
//! Only what surely is not known is reported: what comes from a parameter, a uniform, a buffer or a
//! function of the program.

use super::walk::{Part, Visitor};
use super::*;
use caustic_ir::codes;

/// The methods of textures that are ops; the last argument is the offset.
const OFFSET_LAST: [(&str, &str); 3] =
    [("tex.sample", "SampleBias"), ("tex.sample_level", "SampleLevel"), ("tex.sample_grad", "SampleGrad")];

/// Why an argument is not known.
#[derive(Clone, Copy)]
enum Unknown {
    /// The argument itself.
    Argument,
    /// The value that its variable has been given here.
    Value(Span),
}

/// Looks for what is not known in one body.
struct Search<'a> {
    body: &'a Body,
    /// The parameters that are known.
    known: &'a [LocalId],
    /// What is stored in each variable.
    stored: &'a [(LocalId, Expr)],
    /// Variables that have been looked at.
    seen: Vec<LocalId>,
    is_prelude: &'a dyn Fn(FuncId) -> bool,
}

impl Checker<'_> {
    /// Checks the arguments of all calls. All bodies must have been checked.
    pub(crate) fn check_constant_arguments(&mut self) {
        self.check_assertions_of_calls();
        let mut found = Vec::new();
        for i in 0..self.funcs.len() {
            let info = &self.funcs[i];
            if !info.is_prelude && info.instance_of.is_none() && info.body.is_some() {
                self.unknown_arguments(FuncId(i as u32), &mut found);
            }
        }
        for (name, arg, unknown) in found {
            let text = format!("`{name}` takes a value here that is known at compile time");
            match unknown {
                Unknown::Argument => drop(self.error(codes::E0261, arg, text)),
                Unknown::Value(span) => {
                    let at = self.loc(arg);
                    self.error(codes::E0261, span, text).labels.push((at, "the argument".to_string()));
                }
            }
        }
    }

    /// The indices of the parameters that are `constexpr`.
    pub(super) fn constant_params(&self, f: FuncId) -> Vec<usize> {
        let info = &self.funcs[f.0 as usize];
        let ast::DeclKind::Func(decl) = &info.decl.kind else { return Vec::new() };
        let first = usize::from(info.this.is_some());
        let constant = |(i, p): (usize, &ast::Param)| p.mods.has("constexpr").then_some(i + first);
        decl.params.iter().enumerate().filter_map(constant).collect()
    }

    fn unknown_arguments(&self, f: FuncId, out: &mut Vec<(Name, Span, Unknown)>) {
        let Some(body) = &self.funcs[f.0 as usize].body else { return };
        let mut calls = Vec::new();
        for s in &body.stmts {
            s.for_each_expr(&mut |e| self.constant_calls(e, &mut calls));
        }
        if calls.is_empty() {
            return;
        }
        let known: Vec<LocalId> =
            self.constant_params(f).into_iter().filter_map(|i| body.params.get(i).copied()).collect();
        let mut stored = Stored::default();
        body.stmts.iter().for_each(|s| stored.stmt(s));
        for (name, arg) in calls {
            let is_prelude = &|f: FuncId| self.funcs[f.0 as usize].is_prelude;
            let mut search = Search { body, known: &known, stored: &stored.0, seen: Vec::new(), is_prelude };
            out.extend(search.unknown(&arg).map(|why| (name, arg.span, why)));
        }
    }

    /// The arguments in an expression that have to be known, with the names of the functions.
    fn constant_calls(&self, e: &Expr, out: &mut Vec<(Name, Expr)>) {
        if let ExprKind::Call { func, args } = &e.kind {
            let name = self.funcs[func.func.0 as usize].name;
            out.extend(self.constant_params(func.func).into_iter().filter_map(|i| Some((name, args.get(i)?.clone()))));
        }
        if let ExprKind::Intrinsic { op, args } = &e.kind
            && let Some((_, name)) = OFFSET_LAST.iter().find(|(of, _)| *op == **of)
        {
            // Without an offset, the last one is a number with a point.
            let offset = args.last().filter(|a| a.ty.element_scalar().is_some_and(|s| s.is_int()));
            out.extend(offset.map(|a| (Name::new(name), a.clone())));
        }
        e.for_each_part(&mut |part| self.constant_calls(part, out));
    }
}

/// What is stored in the variables of a body.
#[derive(Default)]
struct Stored(Vec<(LocalId, Expr)>);

impl Visitor for Stored {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } = &e.kind
            && let ExprKind::Local(local) = place.kind
        {
            self.0.push((local, (**value).clone()));
        }
        e.kind.visit(self);
    }

    fn stmt(&mut self, s: &Stmt) {
        if let StmtKind::Var { local, init: Some(init) } = &s.kind {
            self.0.push((*local, init.clone()));
        }
        s.kind.visit(self);
    }
}

impl Search<'_> {
    /// Why a value is not known; `None` if it may be.
    fn unknown(&mut self, e: &Expr) -> Option<Unknown> {
        let unknown = Some(Unknown::Argument);
        match &e.kind {
            ExprKind::Local(local) => self.unknown_local(*local),
            ExprKind::Global(_) | ExprKind::BufferElem { .. } => unknown,
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } if !matches!(base.kind, ExprKind::Local(l) if !self.body.params.contains(&l)) => {
                self.unknown(base)
            }
            ExprKind::Call { func, .. } if !(self.is_prelude)(func.func) => unknown,
            ExprKind::Call { args, .. } | ExprKind::Construct(args) => args.iter().find_map(|a| self.unknown(a)),
            ExprKind::Swizzle { base: arg, .. }
            | ExprKind::Unary { arg, .. }
            | ExprKind::Convert(arg)
            | ExprKind::Splat(arg) => self.unknown(arg),
            ExprKind::Binary { lhs, rhs, .. } => self.unknown(lhs).or_else(|| self.unknown(rhs)),
            _ => None,
        }
    }

    fn unknown_local(&mut self, local: LocalId) -> Option<Unknown> {
        if self.known.contains(&local) || self.seen.contains(&local) {
            return None;
        }
        self.seen.push(local);
        if self.body.params.contains(&local) {
            return Some(Unknown::Argument);
        }
        let stored = self.stored;
        stored.iter().filter(|(of, _)| *of == local).find_map(|(_, v)| {
            self.unknown(v).map(|why| match why {
                Unknown::Argument => Unknown::Value(v.span),
                value => value,
            })
        })
    }
}
