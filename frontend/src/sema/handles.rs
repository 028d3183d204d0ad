//! Handles of resources, `Texture2D.Handle` and `DescriptorHandle<…>`.
//!
//! A handle and its resource have the same type here, since every resource is bound by name.
//! Programs may overload functions for both, and the declaration of an argument decides which
//! overload a call means. So this module records the spans of declarations of handles.

use super::overload::Candidate;
use super::*;
use ast::ExprKind as E;

/// Whether a type is written as the type of a handle.
fn is_written_as_handle(ty: &ast::Expr) -> bool {
    match &ty.kind {
        E::Member { name, .. } => name.name == *"Handle",
        E::Name { name, .. } => name.name == *"DescriptorHandle",
        E::Paren(ty) | E::Modified { ty, .. } => is_written_as_handle(ty),
        E::ArrayType { elem, .. } => is_written_as_handle(elem),
        _ => false,
    }
}

impl Checker<'_> {
    /// Records that a variable, a parameter or a field is declared as a handle.
    pub(super) fn note_handle(&mut self, declared: Span, ty: &ast::Expr) {
        if is_written_as_handle(ty) {
            self.handles.insert(declared);
        }
    }

    pub(super) fn is_handle(&mut self, e: &Expr) -> bool {
        if self.handles.is_empty() {
            return false;
        }
        let declared = match &e.kind {
            ExprKind::Local(id) => self.cx.locals.get(id.0 as usize).map(|l| l.span),
            ExprKind::Global(id) => self.globals.get(id.0 as usize).map(|g| g.span),
            ExprKind::Field { base, index } => match base.ty.as_struct() {
                Some(id) => self.fields(id).get(*index as usize).map(|f| f.span),
                None => None,
            },
            ExprKind::Index { base, .. } => return self.is_handle(base),
            _ => None,
        };
        declared.is_some_and(|span| self.handles.contains(&span))
    }

    /// The resource that a handle converts to; the result is no longer a handle.
    pub(super) fn resource_of_handle(&mut self, e: Expr) -> Expr {
        match self.is_handle(&e) {
            true => Expr { ty: e.ty, span: e.span, kind: ExprKind::Comma(vec![e]) },
            false => e,
        }
    }

    /// Keeps, of functions that differ only in handles and resources, those that fit the arguments.
    pub(super) fn keep_by_handles<C>(&mut self, best: &mut Vec<(C, Candidate)>, args: &[Expr]) {
        if best.len() < 2 || self.handles.is_empty() {
            return;
        }
        let given: Vec<bool> = args.iter().map(|a| self.is_handle(a)).collect();
        let differing = |c: &Self, found: &Candidate| {
            let f = &c.funcs[found.func.func.0 as usize];
            let params = f.params.iter().skip(usize::from(f.this.is_some()));
            params.zip(&given).filter(|(p, is)| c.handles.contains(&p.span) != **is).count()
        };
        let least = best.iter().map(|(_, c)| differing(self, c)).min();
        best.retain(|(_, c)| Some(differing(self, c)) == least);
    }
}
