//! Descriptors: types of the prelude that a host binds and that have no contents, and descriptor
//! heaps, whose entries become resources of the type that is asked for.

use super::types::{Args, GArg, TyKind};
use super::*;

/// The number of opaque descriptors in an array without a size: as many as in a heap.
pub(crate) const MOST: u32 = 1 << 20;
/// The type of a heap's entry.
const UNTYPED: &str = "UntypedResourceHandle";
/// The function of the prelude that makes a resource of an entry.
const TYPED: &str = "__typedDescriptor";

impl Checker<'_> {
    /// Whether the type is a struct of the prelude without fields, such as a scene.
    pub(crate) fn is_opaque(&self, ty: Ty) -> bool {
        let TyKind::Struct(id) = ty.kind() else { return false };
        let info = &self.structs[id.0 as usize];
        let prelude = self.namespaces[info.ns.0 as usize].module.is_none();
        let empty = info.decl.as_ref().is_some_and(|d| match &d.kind {
            ast::DeclKind::Struct(s) => !s.members.iter().any(|m| matches!(m.kind, ast::DeclKind::Var(_))),
            _ => false,
        });
        prelude && empty
    }

    /// Whether an entry of a heap converts implicitly to this type.
    pub(crate) fn is_descriptor_of(&self, from: Ty, to: Ty) -> bool {
        let TyKind::Struct(id) = from.kind() else { return false };
        let is_entry = *self.structs[id.0 as usize].name == *UNTYPED && self.is_opaque(from);
        is_entry && (to.is_resource() || self.is_opaque(to) || matches!(to.kind(), TyKind::Uniform(..)))
    }

    pub(crate) fn typed_descriptor(&mut self, e: Expr, to: Ty) -> Expr {
        let span = e.span;
        let name = Name::new(TYPED);
        self.load_prelude(name);
        let Some(Entry::Func(func)) =
            self.namespaces[ROOT.0 as usize].names.get(&name).and_then(|e| e.first()).copied()
        else {
            let found = Diagnostic::internal(self.loc(span), format!("the prelude has no `{name}`"));
            self.diags.push(found);
            return Expr::error(span);
        };
        self.ensure_signature(func);
        let func = FuncRef { func, args: Args::new(vec![GArg::Ty(to)]) };
        Expr { ty: to, span, kind: ExprKind::Call { func, args: vec![e] } }
    }
}
