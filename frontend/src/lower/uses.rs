//! Finds the locals of a function that are written, and those whose address is taken: both need
//! memory.

use super::Lowering;
use super::private::LOCAL_ADDRESS;
use crate::sema::tree::*;

/// How the locals of a function are used.
pub(super) struct Uses {
    /// Whether it is assigned, passed as `out` or `inout`, or in memory.
    pub written: Vec<bool>,
    /// Whether its address is taken.
    pub addressed: Vec<bool>,
}

impl Uses {
    pub fn of(tree: &Body, lw: &Lowering<'_, '_>) -> Uses {
        let count = tree.locals.len();
        let mut uses = Uses { written: vec![false; count], addressed: vec![false; count] };
        for s in &tree.stmts {
            s.for_each_expr(&mut |e| uses.expr(e, lw));
        }
        uses
    }

    fn expr(&mut self, e: &Expr, lw: &Lowering<'_, '_>) {
        let mut at = e;
        // Long chains are nested in their left operands; a loop walks them without recursion.
        while let ExprKind::Binary { lhs, rhs, .. } = &at.kind {
            self.expr(rhs, lw);
            at = lhs;
        }
        match &at.kind {
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Update { place, .. }
            | ExprKind::IncDec { place, .. } => self.place(place, lw),
            ExprKind::Access(a) => self.access(a, lw),
            ExprKind::Call { func, args } => {
                let params = &lw.checker.funcs[func.func.0 as usize].params;
                args.iter().zip(params).filter(|(_, p)| p.dir != Dir::In).for_each(|(a, _)| self.place(a, lw));
            }
            ExprKind::CallDeriv { args, dirs, .. } => {
                args.iter().zip(dirs).filter(|(_, d)| **d != Dir::In).for_each(|(a, _)| self.place(a, lw));
            }
            ExprKind::Intrinsic { op, args } if *op == *LOCAL_ADDRESS => {
                if let [Expr { kind: ExprKind::Local(l), .. }] = args.as_slice() {
                    self.written[l.0 as usize] = true;
                    self.addressed[l.0 as usize] = true;
                }
                return;
            }
            _ => {}
        }
        at.for_each_part(&mut |p| self.expr(p, lw));
    }

    /// An accessor can change its object, and takes static variables after its arguments.
    fn access(&mut self, a: &Access, lw: &Lowering<'_, '_>) {
        if a.has_this && a.get.is_some_and(|f| lw.changes_this(f.func)) {
            self.place(&a.args[0], lw);
        }
        for s in a.get_statics.iter().chain(&a.set_statics) {
            // A pointer is passed by value, so it is not written.
            match s.kind {
                ExprKind::Local(_) => self.place(s, lw),
                _ => self.expr(s, lw),
            }
        }
    }

    /// Marks the local that a place is a part of as written.
    fn place(&mut self, e: &Expr, lw: &Lowering<'_, '_>) {
        match &e.kind {
            ExprKind::Local(l) => self.written[l.0 as usize] = true,
            ExprKind::Field { base, .. }
            | ExprKind::Index { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::Convert(base)
            | ExprKind::Retype(base)
            | ExprKind::PairPart { base, .. } => self.place(base, lw),
            ExprKind::Access(a) if a.has_this && a.set.is_some_and(|f| lw.changes_this(f.func)) => {
                self.place(&a.args[0], lw);
            }
            _ => {}
        }
    }
}
