//! Handles of resources, `Texture2D.Handle` and `DescriptorHandle<…>`.
//!
//! A handle and its resource have the same type here, since every resource is bound by name.
//! Programs may overload functions for both, and the declaration of an argument decides which
//! overload a call means. So this module records the spans of declarations of handles.
//!
//! Only a handle in memory has bits here: what else makes one of bits, or looks at them, cannot
//! run.

use super::lookup::Found;
use super::overload::Candidate;
use super::types::{Args, GArg, Scalar, TyKind};
use super::*;
use ast::{BinOp, ExprKind as E};

/// The functions of the prelude that make a handle of its bits, give its bits, and compare handles.
pub(crate) const FROM_BITS: &str = "__descriptorFromBits";
pub(crate) const TO_BITS: &str = "__bitsOfDescriptor";
pub(crate) const SAME: &str = "__areSameDescriptors";
pub(crate) const BEFORE: &str = "__isDescriptorBefore";
/// Aliases of aliases that are followed.
const DEEPEST_ALIAS: usize = 16;

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
    /// Records that a variable, a parameter or a field of type `ty` is declared as a handle.
    pub(super) fn note_handle(&mut self, declared: Span, written: &ast::Expr, ty: Ty) {
        let mut of = ty;
        while let TyKind::Array(elem, _) | TyKind::ArrayOf(elem, _) = of.kind() {
            of = *elem;
        }
        if self.is_described(of) && self.names_handle(written) {
            self.handles.insert(declared);
        }
    }

    /// The same of a variable, which may take its type from its value.
    pub(super) fn note_handle_or_value(&mut self, declared: Span, ty: Option<(&ast::Expr, Ty)>, value: Option<&Expr>) {
        match (ty, value) {
            (Some((written, ty)), _) => self.note_handle(declared, written, ty),
            (None, Some(value)) if self.is_handle(value) => drop(self.handles.insert(declared)),
            _ => {}
        }
    }

    /// Whether a type is written as that of a handle, or by another name of one.
    fn names_handle(&mut self, ty: &ast::Expr) -> bool {
        let mut ty = ty.clone();
        for _ in 0..DEEPEST_ALIAS {
            if is_written_as_handle(&ty) {
                return true;
            }
            let name = match &ty.kind {
                E::Name { name, .. } => *name,
                E::Paren(inner) | E::Modified { ty: inner, .. } | E::ArrayType { elem: inner, .. } => {
                    ty = (**inner).clone();
                    continue;
                }
                _ => return false,
            };
            let Some(Found::Members(found)) = self.lookup(name.name) else { return false };
            let Some(Entry::Alias(id)) = found.first().map(|m| m.entry) else { return false };
            ty = self.aliases[id.0 as usize].ty.clone();
        }
        false
    }

    /// A conversion that is written out between a handle and its bits.
    pub(super) fn handle_conversion(&mut self, written: &ast::Expr, to: Ty, args: &[Expr], span: Span) -> Option<Expr> {
        let [one] = args else { return None };
        let are_bits = |ty: Ty| ty == Ty::vector(Scalar::U32, 2) || ty.as_scalar() == Some(Scalar::U64);
        if are_bits(to) && self.is_described(one.ty) && self.is_handle(one) {
            return Some(self.prelude_call(TO_BITS, &[one.ty, to], vec![one.clone()], to, span));
        }
        if !self.is_described(to) || self.is_described(one.ty) || !self.names_handle(written) {
            return None;
        }
        let wide = one.ty.as_scalar().is_some_and(|s| matches!(s, Scalar::U64 | Scalar::I64));
        let bits = if wide { Ty::scalar(Scalar::U64) } else { Ty::vector(Scalar::U32, 2) };
        self.conversion_cost(one, bits)?;
        let bits = self.convert(one.clone(), bits);
        Some(self.prelude_call(FROM_BITS, &[to, bits.ty], vec![bits], to, span))
    }

    /// A handle that is declared with its bits in a list: `H h = { bits };`.
    pub(super) fn handle_of_list(&mut self, v: &ast::VarDecl, to: Ty, init: &ast::Expr) -> Option<Expr> {
        let (E::Init(parts), Some(written)) = (&init.kind, &v.ty) else { return None };
        let [one] = parts.as_slice() else { return None };
        if !self.is_described(to) || !self.names_handle(written) {
            return None;
        }
        let one = self.check_expr(one);
        self.handle_conversion(written, to, &[one], init.span)
    }

    /// A comparison of handles.
    pub(super) fn handle_binary(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<Expr> {
        let are_handles = lhs.ty == rhs.ty && self.is_described(lhs.ty) && self.is_handle(lhs) && self.is_handle(rhs);
        let (name, swapped, negated) = match op {
            _ if !are_handles => return None,
            BinOp::Eq => (SAME, false, false),
            BinOp::Ne => (SAME, false, true),
            BinOp::Lt => (BEFORE, false, false),
            BinOp::Gt => (BEFORE, true, false),
            BinOp::Le => (BEFORE, true, true),
            BinOp::Ge => (BEFORE, false, true),
            _ => return None,
        };
        let args = if swapped { vec![rhs.clone(), lhs.clone()] } else { vec![lhs.clone(), rhs.clone()] };
        let found = self.prelude_call(name, &[lhs.ty], args, Ty::bool(), span);
        Some(match negated {
            true => self.check_unary(ast::UnOp::Not, found, span),
            false => found,
        })
    }

    /// A call of a generic function of the prelude.
    pub(super) fn prelude_call(&mut self, name: &str, of: &[Ty], args: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        let name = Name::new(name);
        self.load_prelude(name);
        let Some(Entry::Func(func)) =
            self.namespaces[ROOT.0 as usize].names.get(&name).and_then(|e| e.first()).copied()
        else {
            let found = Diagnostic::internal(self.loc(span), format!("the prelude has no `{name}`"));
            self.diags.push(found);
            return Expr::error(span);
        };
        self.ensure_signature(func);
        let func = FuncRef { func, args: Args::new(of.iter().map(|t| GArg::Ty(*t)).collect()) };
        Expr { ty, span, kind: ExprKind::Call { func, args } }
    }

    /// Whether a type is one of those that handles lead to.
    pub(super) fn is_described(&mut self, ty: Ty) -> bool {
        ty.is_resource()
            || matches!(ty.kind(), TyKind::Uniform(..))
            || self.is_opaque(ty)
            || ty.is_abstract() && self.facts_of(ty).opaque
    }

    pub(super) fn is_handle(&mut self, e: &Expr) -> bool {
        let declared = match &e.kind {
            ExprKind::Local(id) => self.cx.locals.get(id.0 as usize).map(|l| l.span),
            ExprKind::Global(id) => self.globals.get(id.0 as usize).map(|g| g.span),
            ExprKind::Field { base, index } => match base.ty.as_struct() {
                Some(id) => self.fields(id).get(*index as usize).map(|f| f.span),
                None => None,
            },
            ExprKind::Index { base, .. } => return self.is_handle(base),
            // Nothing else of such a type lies in memory.
            ExprKind::BufferElem { buffer, .. } => return buffer.ty.as_texture().is_none(),
            ExprKind::Call { func, .. } => {
                let f = &self.funcs[func.func.0 as usize];
                if f.is_prelude && *f.name == *FROM_BITS {
                    return true;
                }
                let returned = match &f.decl.kind {
                    ast::DeclKind::Func(f) => f.ret.clone(),
                    _ => None,
                };
                return returned.is_some_and(|ty| self.names_handle(&ty));
            }
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
