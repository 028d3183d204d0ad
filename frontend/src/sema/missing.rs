//! What is declared and cannot be run: code in the language of another target, switches over
//! targets without a case for this one, and constants that nothing exports.
//!
//! Declaring it is no error, and nor is a function that has it: which functions run is known only
//! where an entry point is chosen. A function with such code is marked as a whole; a constant is a
//! value of its type that says why it has none. What runs and reaches either is refused then
//! (`available` of the driver). Where the compiler itself needs the value, it is an error at once.

use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// The function that is being checked cannot be run here. The first reason counts.
    pub(crate) fn cannot_run(&mut self, why: String, span: Span) {
        if self.cx.const_only {
            self.error(codes::E0261, span, why);
            return;
        }
        self.cx.unavailable.get_or_insert_with(|| Missing { code: codes::E0303, why, declared: span }.into());
    }

    /// Code in the language of one target, by its word.
    pub(crate) fn target_code(&mut self, word: &str, span: Span) {
        self.cannot_run(format!("{word} is code of another target"), span);
    }

    pub(crate) fn is_unavailable(&self) -> bool {
        self.cx.unavailable.is_some()
    }

    /// The body has been checked: if it cannot be run, its statements say nothing.
    pub(crate) fn end_unavailable(&mut self, body: &mut Body) {
        body.unavailable = self.cx.unavailable.take();
        if body.unavailable.is_some() {
            body.stmts.clear();
        }
    }

    /// Reports that a value which the compiler needs is not there, if that is why it is not known.
    pub(crate) fn report_missing(&mut self, e: &Expr) -> bool {
        let Some((missing, span)) = missing_in(e) else { return false };
        let at = self.loc(missing.declared);
        let d = self.error(missing.code, span, missing.why.clone());
        d.labels.push((at, "declared here".to_string()));
        d.notes.push("give it a default, or import a module that declares it with `export`".to_string());
        true
    }
}

/// The first part of a value that is only declared.
fn missing_in(e: &Expr) -> Option<(Rc<Missing>, Span)> {
    match &e.kind {
        ExprKind::Unavailable(missing) => Some((missing.clone(), e.span)),
        ExprKind::Shared(value) => missing_in(value),
        _ => {
            let mut found = None;
            e.for_each_part(&mut |part| {
                if found.is_none() {
                    found = missing_in(part);
                }
            });
            found
        }
    }
}
