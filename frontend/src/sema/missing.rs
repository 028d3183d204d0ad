//! Declarations that cannot be run: code in the language of another target, switches over targets
//! without a case for this one, and constants that no module exports.
//!
//! To declare them is no error, nor is a function that uses them: which functions run is only known
//! when an entry point is chosen. A function with such code is marked as a whole; a constant
//! becomes a value that states why it is missing. The driver (`available`) refuses entry points
//! that reach either. If the compiler itself needs the value, it is an error at once.

use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// Reports a feature of the language that this compiler does not have yet.
    pub(crate) fn unsupported(&mut self, span: Span, what: &str) {
        self.error(codes::E0900, span, format!("{what} is not supported yet"));
    }

    /// Marks the function that is being checked as one that cannot be run. The first reason counts.
    pub(crate) fn cannot_run(&mut self, why: String, span: Span) {
        if self.cx.const_only {
            self.error(codes::E0261, span, why);
            return;
        }
        self.cx.unavailable.get_or_insert_with(|| Missing { code: codes::E0303, why, declared: span }.into());
    }

    /// Code in the language of one target, by its keyword.
    pub(crate) fn target_code(&mut self, word: &str, span: Span) {
        self.cannot_run(format!("{word} is code of another target"), span);
    }

    /// Code in SPIR-V: checks what it takes from the program. Without a result it has no value.
    pub(crate) fn assembly(&mut self, code: &ast::Assembly, span: Span) -> Expr {
        for e in &code.values {
            self.check_value(e);
        }
        for ty in &code.types {
            self.resolve_type(ty);
        }
        self.target_code("`spirv_asm`", span);
        let ty = if code.has_result { Ty::error() } else { Ty::void() };
        Expr { ty, span, kind: ExprKind::Error }
    }

    pub(crate) fn is_unavailable(&self) -> bool {
        self.cx.unavailable.is_some()
    }

    /// At the end of checking a body: if the function cannot be run, the statements are dropped.
    pub(crate) fn end_unavailable(&mut self, body: &mut Body) {
        body.unavailable = self.cx.unavailable.take();
        if body.unavailable.is_some() {
            body.stmts.clear();
        }
    }

    /// Returns whether a value that the compiler needs is unknown because it is missing, after
    /// reporting it.
    pub(crate) fn report_missing(&mut self, e: &Expr) -> bool {
        let Some((missing, span)) = missing_in(e) else { return false };
        let at = self.loc(missing.declared);
        let d = self.error(missing.code, span, missing.why.clone());
        d.labels.push((at, "declared here".to_string()));
        d.notes.push("give it a default, or import a module that declares it with `export`".to_string());
        true
    }
}

/// The first part of a value that is missing.
pub(crate) fn missing_in(e: &Expr) -> Option<(Rc<Missing>, Span)> {
    match &e.kind {
        ExprKind::Unavailable(missing) => Some((missing.clone(), e.span)),
        ExprKind::Shared(value, _) => missing_in(value),
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
