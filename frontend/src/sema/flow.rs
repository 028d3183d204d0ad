//! A pass over a body in the order of execution: what is known where control flows part and meet.
//!
//! A check says what is known at a place ([`Flow::State`]), how expressions change it, and what a
//! loop does to it. It must not know: what is checked.

use super::*;

pub(super) trait Flow {
    /// What is known at a place. `None` stands for code that is not reached.
    type State: Clone;

    /// What is known where two ways meet.
    fn meet(a: Self::State, b: &Self::State) -> Self::State;

    fn expr(&mut self, e: &Expr, at: &mut Self::State);

    /// What is known after a statement.
    fn stmt(&mut self, s: &Stmt, at: Self::State) -> Option<Self::State>;

    /// By enclosing loop or switch: what is known at the jumps out of it.
    fn breaks(&mut self) -> &mut Vec<Option<Self::State>>;

    fn join(a: Option<Self::State>, b: Option<Self::State>) -> Option<Self::State> {
        match (a, b) {
            (Some(a), Some(b)) => Some(Self::meet(a, &b)),
            (a, b) => a.or(b),
        }
    }

    fn stmts(&mut self, list: &[Stmt], mut at: Option<Self::State>) -> Option<Self::State> {
        for s in list {
            at = Some(self.stmt(s, at?)?);
        }
        at
    }

    fn branch(&mut self, cond: &Expr, [then, other]: [&[Stmt]; 2], mut at: Self::State) -> Option<Self::State> {
        self.expr(cond, &mut at);
        let decided = reach::decided(Some(cond));
        let then = self.stmts(then, (decided != Some(false)).then(|| at.clone()));
        let other = self.stmts(other, (decided != Some(true)).then_some(at));
        Self::join(then, other)
    }

    fn switch(&mut self, value: &Expr, groups: &[SwitchGroup], mut at: Self::State) -> Option<Self::State> {
        self.expr(value, &mut at);
        self.breaks().push(None);
        let mut end = None;
        for g in groups {
            // A group can fall through to the next.
            end = self.stmts(&g.body, Self::join(Some(at.clone()), end));
        }
        let out = self.breaks().pop().flatten();
        let otherwise = (!groups.iter().any(|g| g.is_default)).then_some(at);
        Self::join(Self::join(end, out), otherwise)
    }

    /// A `break`.
    fn leave(&mut self, at: Self::State) {
        if let Some(b) = self.breaks().last_mut() {
            *b = Self::join(b.take(), Some(at));
        }
    }
}
