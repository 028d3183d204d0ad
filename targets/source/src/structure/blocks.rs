//! Where variables are visible: two whose blocks are not in each other may have one name.
//!
//! This module must not know: any language, names.

use crate::tree::{Function, Stmt, Var};

/// The function's own block.
const WHOLE: usize = 0;

/// The blocks in which a function's variables are declared.
pub struct Blocks {
    /// The block around each block.
    around: Vec<usize>,
    /// The block of each variable.
    of: Vec<Option<usize>>,
}

impl Blocks {
    pub fn of(function: &Function) -> Blocks {
        let mut blocks = Blocks { around: vec![WHOLE], of: vec![None; function.vars.len()] };
        function.params.iter().for_each(|(var, _)| blocks.declare(*var, WHOLE));
        blocks.list(&function.body, WHOLE);
        blocks
    }

    fn list(&mut self, stmts: &[Stmt], block: usize) {
        for stmt in stmts {
            if let Stmt::Declare(var, _) = stmt {
                self.declare(*var, block);
            }
            for (k, body) in stmt.bodies().enumerate() {
                let inner = self.around.len();
                self.around.push(block);
                if let (0, Stmt::For { counter, .. }) = (k, stmt) {
                    self.declare(*counter, inner);
                }
                self.list(body, inner);
            }
        }
    }

    /// What is declared in two blocks is of the function.
    fn declare(&mut self, var: Var, block: usize) {
        if let Some(of) = self.of.get_mut(var.0) {
            *of = Some(if of.is_some_and(|before| before != block) { WHOLE } else { block });
        }
    }

    /// Whether one of two variables may be visible where the other is declared.
    pub fn meet(&self, a: Var, b: Var) -> bool {
        let block = |var: Var| self.of.get(var.0).copied().flatten();
        let (Some(first), Some(second)) = (block(a), block(b)) else { return false };
        let within = |mut inner: usize, outer: usize| loop {
            match inner {
                _ if inner == outer => return true,
                WHOLE => return false,
                _ => inner = self.around[inner],
            }
        };
        within(first, second) || within(second, first)
    }
}
