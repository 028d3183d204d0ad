//! Warns about what is allowed and probably a mistake: values that a comma drops, `if (c);`, loops
//! that count away from their end, statements behind a jump, and uses of what is deprecated.

use super::*;
use ast::{BinOp, StmtKind as S};
use caustic_ir::codes;

/// What is kept for warnings.
#[derive(Default)]
pub(super) struct Noted {
    /// Whether anything is marked `[deprecated]`.
    pub any_deprecated: bool,
    /// Warnings that are given if there are no errors.
    pub late: Vec<untouched::Late>,
    /// The last warning that a `#pragma` silences.
    pub silenced: Option<Diagnostic>,
    /// Where the statement begins that is checked.
    pub statement: u32,
    /// The warnings about values that are held constant since their type has no derivative.
    pub held: Vec<(Ty, Loc)>,
    /// The errors about structs that carry no derivative of what is assigned to their fields.
    pub lost: Vec<(Ty, Loc)>,
    /// The types of which an error says that they have to be differentiable.
    pub undifferentiable: rustc_hash::FxHashSet<Ty>,
}

impl Checker<'_> {
    /// Values with commas between them, of which the last one counts.
    pub(super) fn check_comma(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        if self.reads_as_values(parts) {
            return Expr::error(span);
        }
        if !self.cx.in_prelude {
            let changes = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Assign { .. } | ast::ExprKind::IncDec { .. });
            let (text, note) = match parts.split_last() {
                Some((_, others)) if others.iter().all(changes) => {
                    ("these are done one after the other, and the last one is the value", "a `;` ends a statement")
                }
                _ => (
                    "of these values only the last one counts, and the others are dropped",
                    "a vector is made by its type: `float2(a, b)`",
                ),
            };
            self.warn(codes::W0214, span, text).notes.push(note.to_string());
        }
        self.comma(parts, span)
    }

    fn comma(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        let parts: Vec<Expr> = parts.iter().map(|p| self.check_expr(p)).collect();
        let ty = parts.last().map_or(Ty::void(), |p| p.ty);
        Expr { ty, span, kind: ExprKind::Comma(parts) }
    }

    /// An expression in the head of a `for`, where commas separate what is done.
    pub(super) fn check_in_head(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            ast::ExprKind::Comma(parts) if !self.module().is_some_and(|m| m.tuples_in_parentheses) => {
                self.comma(parts, e.span)
            }
            _ => self.check_expr(e),
        }
    }

    /// Warns about `if (c);`.
    pub(super) fn check_not_empty(&mut self, branch: &ast::Stmt) {
        if matches!(branch.kind, S::Empty) && !self.cx.in_prelude {
            self.warn(codes::W0244, branch.span, "this `;` is all that depends on the condition")
                .notes
                .push("write `{}` if nothing is meant".to_string());
        }
    }

    /// Warns about `a < b < c`, where what the first comparison gives is compared with a number.
    pub(super) fn check_compared(&mut self, before: Option<BinOp>, op: BinOp, lhs: &Expr, rhs: &Expr) {
        let number = rhs.ty.as_scalar().is_some() && rhs.ty != Ty::bool();
        if before.is_some_and(BinOp::is_comparison) && op.is_comparison() && lhs.ty == Ty::bool() && number {
            self.warn(codes::W0253, lhs.span, "this is true or false, and is compared with a number")
                .notes
                .push("two comparisons are joined by `&&`: `a < b && b < c`".to_string());
        }
    }

    /// Warns about the first statement behind a jump.
    /// Returns whether there is one.
    pub(super) fn check_reached(&mut self, before: &ast::Stmt, rest: &[ast::Stmt]) -> bool {
        let Some(next) = rest.iter().find(|s| !matches!(s.kind, S::Empty)).filter(|_| jumps(before)) else {
            return false;
        };
        // A `break` at the end of a case may be written always.
        let is_usual = matches!(next.kind, S::Case(_) | S::Default | S::Labeled { .. } | S::Break(_));
        if !is_usual {
            self.warn_never_run(next.span);
        }
        !is_usual
    }

    /// Warns about a loop that ends before its first iteration, since its variable starts beyond
    /// the end.
    pub(super) fn check_runs(&mut self, init: &[Stmt], cond: Option<&Expr>) {
        let ([Stmt { kind: StmtKind::Var { local: counter, init: Some(first) }, .. }], Some(cond)) = (init, cond)
        else {
            return;
        };
        let ExprKind::Binary { op, lhs, rhs } = &cond.kind else { return };
        let value = |side: &Expr| match local(side) == Some(*counter) {
            // The variable may be read as another type.
            true => Some(consts::convert_const(self.fold(first)?, first.ty.as_scalar()?, side.ty.as_scalar()?)),
            false => self.fold(side),
        };
        let compared = local(lhs) == Some(*counter) || local(rhs) == Some(*counter);
        let (Some(left), Some(right), Some(s)) = (value(lhs), value(rhs), lhs.ty.as_scalar()) else { return };
        if compared && !self.cx.in_prelude && consts::fold_binary(*op, left, right, s) == Some(Const::Bool(false)) {
            let name = self.cx.locals[counter.0 as usize].name;
            self.warn(
                codes::W0246,
                cond.span,
                format!("this loop never runs: the condition does not hold for the first `{name}`"),
            );
        }
    }

    /// Warns about a loop whose step leads away from where its condition ends it. Returns whether
    /// it does.
    pub(super) fn check_direction(&mut self, cond: Option<&Expr>, step: Option<&Expr>) -> bool {
        let (Some(cond), Some(step)) = (cond, step) else { return false };
        let ExprKind::Binary { op, lhs, rhs } = &cond.kind else { return false };
        let (counter, by) = match &step.kind {
            ExprKind::IncDec { inc, place, .. } => (local(place), Some(if *inc { 1 } else { -1 })),
            ExprKind::CompoundAssign { op: op @ (BinOp::Add | BinOp::Sub), place, value, .. } => {
                let by = match self.fold(value) {
                    Some(Const::Int(n)) if *op == BinOp::Add => Some(n),
                    Some(Const::Int(n)) => n.checked_neg(),
                    _ => None,
                };
                (local(place), by)
            }
            _ => return false,
        };
        let (Some(counter), Some(by)) = (counter, by) else { return false };
        let of = &self.cx.locals[counter.0 as usize];
        // A number without a sign may be meant to wrap around.
        if !of.ty.as_scalar().is_some_and(|s| s.is_signed_int()) {
            return false;
        }
        let up = match (local(lhs) == Some(counter), local(rhs) == Some(counter), op) {
            (true, false, BinOp::Lt | BinOp::Le) | (false, true, BinOp::Gt | BinOp::Ge) => true,
            (true, false, BinOp::Gt | BinOp::Ge) | (false, true, BinOp::Lt | BinOp::Le) => false,
            _ => return false,
        };
        let (name, span) = (of.name, step.span);
        let text = match (by.signum(), up) {
            (0, _) => format!("this does not change `{name}`"),
            (1, false) => format!("`{name}` grows, and the loop ends when it is too small"),
            (-1, true) => format!("`{name}` falls, and the loop ends when it is too large"),
            _ => return false,
        };
        self.warn(codes::W0245, span, text);
        true
    }

    /// Warns about a shift by a constant number of bits that the type does not have.
    pub(super) fn check_shift_count(&mut self, shifted: Ty, count: &Expr) {
        let Some(s) = shifted.element_scalar().filter(|_| !self.cx.in_prelude) else { return };
        let bits = i64::from(s.bits());
        // Of a vector each part has a count of its own.
        let mut parts = vec![count];
        while let Some(part) = parts.pop() {
            match (&part.kind, self.fold(part)) {
                (_, Some(Const::Int(by))) if !(0..bits).contains(&by) => {
                    let text = format!("a shift by {by} of `{}`, which has {bits} bits", s.name());
                    let taken = by.rem_euclid(bits);
                    self.warn(codes::W0252, count.span, text)
                        .notes
                        .push(format!("the number is taken modulo {bits}: this shifts by {taken}"));
                    return;
                }
                (ExprKind::Splat(of) | ExprKind::Convert(of), None) => parts.push(of),
                (ExprKind::Construct(of), None) => parts.extend(of),
                _ => {}
            }
        }
    }

    /// Warns about the use of a declaration that is marked `[deprecated]`.
    pub(super) fn check_deprecated(&mut self, entry: Entry, span: Span) {
        if self.noted.any_deprecated && !self.cx.in_prelude {
            let decl = match entry {
                Entry::Func(f) => Some(self.funcs[f.0 as usize].decl.clone()),
                Entry::Struct(s) => self.structs[s.0 as usize].decl.clone(),
                Entry::Interface(i) => self.interfaces[i.0 as usize].decl.clone(),
                Entry::Const(c) => Some(self.consts[c.0 as usize].decl.clone()),
                _ => None,
            };
            if let Some(decl) = decl {
                self.warn_deprecated(&decl, span);
            }
        }
    }

    /// The same for a field.
    pub(super) fn check_deprecated_field(&mut self, of: StructId, name: ast::Ident) {
        let Some(decl) = self.structs[of.0 as usize].decl.clone().filter(|_| self.noted.any_deprecated) else { return };
        let ast::DeclKind::Struct(s) = &decl.kind else { return };
        let is_field = |m: &&Rc<ast::Decl>| matches!(&m.kind, ast::DeclKind::Var(v) if v.name.name == name.name);
        if let Some(field) = s.members.iter().find(is_field) {
            self.warn_deprecated(field, name.span);
        }
    }

    fn warn_deprecated(&mut self, decl: &ast::Decl, span: Span) {
        let Some(a) = decl.mods.attr("deprecated") else { return };
        let name = decl.name().map_or(Name::new(""), |n| n.name);
        let instead = a.args.first().and_then(ast::Expr::text);
        let at = self.loc(decl.name().map_or(decl.span, |n| n.span));
        let d = self.warn(codes::W0221, span, format!("`{name}` is deprecated"));
        d.labels.push((at, "declared here".to_string()));
        d.notes.extend(instead.map(|text| text.to_string()));
    }
}

/// The variable that is read or written, maybe as another type.
fn local(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Local(l) => Some(*l),
        ExprKind::Convert(inner) => local(inner),
        _ => None,
    }
}

/// Whether control does not go on behind a statement, whatever values there are.
fn jumps(s: &ast::Stmt) -> bool {
    match &s.kind {
        S::Return(_) | S::Break(_) | S::Continue | S::Throw(_) => true,
        S::Block(b) => b.last().is_some_and(jumps),
        _ => false,
    }
}
