//! Descriptors: types of the prelude that a host binds and that have no contents, and descriptor
//! heaps, whose entries become resources of the type that is asked for.

use super::types::{TyKind, Val, ValKind};
use super::*;

/// The number of opaque descriptors in an array without a size: as many as in a heap.
pub(crate) const MOST: u32 = 1 << 20;
/// The types of a heap's entry.
const UNTYPED: [&str; 2] = ["UntypedResourceHandle", "__DynamicResource"];
/// The function of the prelude that makes a resource of an entry.
const TYPED: &str = "__typedDescriptor";

/// `Buffer<T>.kind`: here such a buffer is a structured one, and its descriptor is another.
pub(super) fn of_texels(member: &ast::Expr, value: Expr) -> Expr {
    let ast::ExprKind::Member { base, name, .. } = &member.kind else { return value };
    let ast::ExprKind::Name { name: buffer, .. } = &base.kind else { return value };
    match (name.name.as_str(), buffer.name.as_str()) {
        ("kind", "Buffer") => Expr::int(7, value.ty, value.span),
        ("kind", "RWBuffer") => Expr::int(8, value.ty, value.span),
        _ => value,
    }
}

impl Checker<'_> {
    /// Whether the type is a struct of the prelude without fields, such as a scene.
    pub(crate) fn is_opaque(&self, ty: Ty) -> bool {
        self.opaque_name(ty).is_some()
    }

    /// The name under which the prelude declares such a struct.
    fn opaque_name(&self, ty: Ty) -> Option<Name> {
        let TyKind::Struct(id) = ty.kind() else { return None };
        let base = self.structs[id.0 as usize].instance_of.map_or(*id, |(base, _)| base);
        let info = &self.structs[base.0 as usize];
        let prelude = self.namespaces[info.ns.0 as usize].module.is_none();
        let ast::DeclKind::Struct(s) = &info.decl.as_ref()?.kind else { return None };
        let empty = !s.members.iter().any(|m| matches!(m.kind, ast::DeclKind::Var(_)));
        s.name.map(|name| name.name).filter(|_| prelude && empty)
    }

    /// Whether an entry of a heap converts implicitly to this type.
    pub(crate) fn is_descriptor_of(&self, from: Ty, to: Ty) -> bool {
        let is_entry = self.opaque_name(from).is_some_and(|name| UNTYPED.contains(&name.as_str()));
        is_entry && (to.is_resource() || self.is_opaque(to) || matches!(to.kind(), TyKind::Uniform(..)))
    }

    pub(crate) fn typed_descriptor(&mut self, e: Expr, to: Ty) -> Expr {
        let span = e.span;
        self.prelude_call(TYPED, &[to, e.ty], vec![e], to, span)
    }

    /// `T.kind` and `T.descriptorAccess`, of what a handle leads to.
    pub(crate) fn descriptor_member(&mut self, ty: Ty, name: Name, span: Span) -> Option<Expr> {
        let (kind, of) = match name.as_str() {
            "kind" => (ValKind::DescriptorKind(ty), "DescriptorKind"),
            "descriptorAccess" => (ValKind::DescriptorAccess(ty), "DescriptorAccess"),
            _ => return None,
        };
        if !self.is_described(ty) || !self.is_dependent(ty) && self.described(ty).is_none() {
            return None;
        }
        let of = Name::new(of);
        self.load_prelude(of);
        let found = self.namespaces[ROOT.0 as usize].names.get(&of).and_then(|e| e.first()).copied();
        let Some(Entry::Enum(id)) = found else { return None };
        let of = Ty::new(TyKind::Enum(id));
        let value = self.descriptor_val(Val::new(kind), ty);
        Some(match value.as_int() {
            Some(n) => Expr::int(n, of, span),
            None => Expr { ty: of, span, kind: ExprKind::ValueOf(value) },
        })
    }

    /// One of these of a type; it stays symbolic while that depends on generic arguments.
    pub(crate) fn descriptor_val(&mut self, v: Val, ty: Ty) -> Val {
        let known = if self.is_dependent(ty) { None } else { self.described(ty) };
        match (v.kind(), known) {
            (ValKind::DescriptorKind(_), Some((kind, _))) => Val::int(kind),
            (ValKind::DescriptorAccess(_), Some((_, access))) => Val::int(access),
            (ValKind::DescriptorKind(_), None) => Val::new(ValKind::DescriptorKind(ty)),
            _ => Val::new(ValKind::DescriptorAccess(ty)),
        }
    }

    /// Whether a descriptor can lead to something of this type.
    pub(crate) fn has_descriptor(&self, ty: Ty) -> bool {
        self.described(ty).is_some()
    }

    /// The kind and the access of a descriptor, as the enums of the prelude number them.
    fn described(&self, ty: Ty) -> Option<(i64, i64)> {
        use super::resources::Resource;
        let access = |write: bool| i64::from(write);
        Some(match ty.kind() {
            TyKind::Buffer { write, .. } => (4, access(*write)),
            TyKind::Resource(Resource::ByteAddress { write } | Resource::ByteView { write, .. }) => (4, access(*write)),
            TyKind::Resource(Resource::Append(_) | Resource::Consume(_)) => (4, 1),
            TyKind::Resource(Resource::Texture(t)) => (if t.combined { 2 } else { 1 }, access(t.write)),
            TyKind::Resource(Resource::Sampler { .. }) => (5, -1),
            TyKind::Uniform(_, types::Block::Texture) => (7, 0),
            TyKind::Uniform(_, types::Block::Constants) => (3, 0),
            TyKind::Struct(_) => match self.opaque_name(ty)?.as_str() {
                "RaytracingAccelerationStructure" => (6, 0),
                "FeedbackTexture2D" | "FeedbackTexture2DArray" => (1, 4),
                _ => return None,
            },
            _ => return None,
        })
    }
}
