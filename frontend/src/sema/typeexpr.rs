//! Types as written: names, generic arguments, array sizes.

use super::generics::GArg;
use super::types::{Scalar, TyKind, builtin_type};
use super::*;
use ast::ExprKind as E;

/// The largest number of elements of an array; more is a mistake, and the IR counts in 32 bits.
const MAX_ARRAY: i64 = 1 << 28;

impl Checker<'_> {
    /// The type that `e` names; reports if it names none.
    pub(crate) fn resolve_type(&mut self, e: &ast::Expr) -> Ty {
        match self.try_type(e) {
            Some(ty) => ty,
            None => {
                match &e.kind {
                    E::Name { name, .. } => {
                        if self.lookup(name.name).is_some() {
                            self.error("E0202", name.span, format!("`{}` is not a type", name.name));
                        } else {
                            self.undeclared(name);
                        }
                    }
                    _ => {
                        self.error("E0202", e.span, "this is not a type");
                    }
                }
                Ty::error()
            }
        }
    }

    /// The type that `e` names, or `None` (silently) if it is not a type. Errors inside a type are reported.
    pub(crate) fn try_type(&mut self, e: &ast::Expr) -> Option<Ty> {
        match &e.kind {
            E::Name { name, args } => self.named_type(*name, args.as_deref()),
            E::Paren(inner) => self.try_type(inner),
            E::Modified { ty, .. } => Some(self.resolve_type(ty)),
            E::ArrayType { elem, size } => {
                let elem_ty = self.resolve_type(elem);
                let count = match size {
                    None => None,
                    Some(s) => match self.array_size(s) {
                        Some(n) => Some(n),
                        None => return Some(Ty::error()),
                    },
                };
                Some(self.array_of(elem_ty, count, e.span))
            }
            // `float[3]` read as an expression.
            E::Index { base, args } if args.len() <= 1 => {
                let elem = self.try_type(base)?;
                match args.first() {
                    None => Some(self.array_of(elem, None, e.span)),
                    Some(s) => match self.array_size(s) {
                        Some(n) => Some(self.array_of(elem, Some(n), e.span)),
                        None => Some(Ty::error()),
                    },
                }
            }
            E::Member { base, name, args } => {
                if name.name == *"Differential" {
                    let t = self.try_type(base)?;
                    if t.is_error() {
                        return Some(t);
                    }
                    return Some(self.differential_or_error(t, e.span));
                }
                let ns = self.type_or_namespace_scope(base)?;
                let entries = self.namespaces[ns.0 as usize].names.get(&name.name).cloned()?;
                self.entry_type(*entries.first()?, *name, args.as_deref())
            }
            other @ (E::Unsupported(_)
            | E::Layout { .. }
            | E::PointerType(_)
            | E::OptionalType(_)
            | E::SomeType(_)
            | E::DynType(_)
            | E::FuncType { .. }
            | E::Expand(_)
            | E::Each(_)) => {
                self.unsupported(e.span, other.words());
                Some(Ty::error())
            }
            _ => None,
        }
    }

    /// The names inside a namespace or a struct.
    pub(crate) fn type_or_namespace_scope(&mut self, base: &ast::Expr) -> Option<NsId> {
        if let E::Name { name, args: None } = &base.kind
            && let Some(lookup::Found::Entries(entries)) = self.lookup(name.name)
            && let Some(Entry::Namespace(ns)) = entries.first()
        {
            return Some(*ns);
        }
        if let E::Member { base: outer, name, args: None } = &base.kind
            && let Some(ns) = self.type_or_namespace_scope(outer)
            && let Some(entries) = self.namespaces[ns.0 as usize].names.get(&name.name)
            && let Some(Entry::Namespace(inner)) = entries.first()
        {
            return Some(*inner);
        }
        let ty = self.try_type(base)?;
        Some(self.structs[ty.as_struct()?.0 as usize].ns)
    }

    fn array_of(&mut self, elem: Ty, count: Option<u32>, span: Span) -> Ty {
        if elem.is_error() {
            return elem;
        }
        let bad = match elem.kind() {
            TyKind::Void => Some("an array of `void`"),
            TyKind::Array(_, None) => Some("an array of arrays without a size"),
            _ => None,
        };
        if let Some(what) = bad {
            self.error("E0207", span, format!("{what} is not a type"));
            return Ty::error();
        }
        if matches!(elem.kind(), TyKind::Buffer { .. } | TyKind::Uniform(_)) {
            self.unsupported(span, "an array of resources");
            return Ty::error();
        }
        Ty::array(elem, count)
    }

    fn array_size(&mut self, e: &ast::Expr) -> Option<u32> {
        let n = self.const_int(e, "an array size")?;
        if !(0..=MAX_ARRAY).contains(&n) {
            self.error("E0207", e.span, format!("an array cannot have {n} elements"));
            return None;
        }
        if n == 0 {
            self.error("E0207", e.span, "an array needs at least one element");
            return None;
        }
        Some(n as u32)
    }

    fn named_type(&mut self, name: ast::Ident, args: Option<&[ast::Expr]>) -> Option<Ty> {
        let found = self.lookup(name.name);
        match found {
            Some(lookup::Found::Local(_)) => return None,
            Some(lookup::Found::Entries(entries)) => {
                return self.entry_type(*entries.first()?, name, args);
            }
            None => {}
        }
        match (name.name.as_str(), args) {
            ("This", None) => {
                let owner = self.cx.owner?;
                Some(Ty::new(TyKind::Struct(owner)))
            }
            (text, None) => match builtin_type(text) {
                Some(t) => Some(t),
                None if text == "vector" => Some(Ty::vector(Scalar::F32, 4)),
                None if text == "matrix" => Some(Ty::matrix(Scalar::F32, 4, 4)),
                None if is_generic_builtin(text) => {
                    self.error("E0208", name.span, format!("`{text}` needs type arguments"));
                    Some(Ty::error())
                }
                None => {
                    if let Some(what) = known_unsupported(text) {
                        self.unsupported(name.span, &format!("{what} (`{text}`)"));
                        return Some(Ty::error());
                    }
                    None
                }
            },
            (text, Some(args)) => self.generic_builtin(text, name.span, args),
        }
    }

    fn entry_type(&mut self, entry: Entry, name: ast::Ident, args: Option<&[ast::Expr]>) -> Option<Ty> {
        match entry {
            Entry::Struct(id) if args.is_none() => Some(Ty::new(TyKind::Struct(id))),
            Entry::Bound(t) if args.is_none() => Some(t),
            Entry::Alias(id) if args.is_none() => Some(self.resolve_alias(id)),
            Entry::Template(t) if matches!(self.templates[t.0 as usize].decl.kind, ast::DeclKind::Struct(_)) => {
                let Some(args) = args else {
                    self.error("E0208", name.span, format!("`{}` needs generic arguments", name.name));
                    return Some(Ty::error());
                };
                let args = self.generic_args(args)?;
                Some(self.instantiate_struct(t, args, name.span))
            }
            Entry::Unsupported => Some(Ty::error()),
            Entry::Struct(_) | Entry::Bound(_) | Entry::Alias(_) => {
                self.error("E0208", name.span, format!("`{}` takes no generic arguments", name.name));
                Some(Ty::error())
            }
            _ => None,
        }
    }

    pub(crate) fn resolve_alias(&mut self, id: AliasId) -> Ty {
        let info = &mut self.aliases[id.0 as usize];
        match info.state {
            State::Done => return info.resolved.unwrap_or(Ty::error()),
            State::Busy => {
                let (name, span) = (info.name.name, info.name.span);
                self.error("E0209", span, format!("`{name}` is defined in terms of itself"));
                return Ty::error();
            }
            State::New => {}
        }
        info.state = State::Busy;
        let (ty, ns) = (info.ty.clone(), info.ns);
        let outer = std::mem::take(&mut self.cx);
        self.cx.ns = Some(ns);
        self.cx.owner = self.owner_of(ns);
        let resolved = self.resolve_type(&ty);
        self.cx = outer;
        let info = &mut self.aliases[id.0 as usize];
        info.state = State::Done;
        info.resolved = Some(resolved);
        resolved
    }

    /// The struct that `ns` is inside of.
    pub(crate) fn owner_of(&self, ns: NsId) -> Option<StructId> {
        let mut at = Some(ns);
        while let Some(id) = at {
            let space = &self.namespaces[id.0 as usize];
            if space.owner.is_some() {
                return space.owner;
            }
            at = space.parent;
        }
        None
    }

    /// A generic argument: a type, or a constant.
    pub(crate) fn generic_args(&mut self, args: &[ast::Expr]) -> Option<Vec<GArg>> {
        let mut out = Vec::with_capacity(args.len());
        for a in args {
            match self.try_type(a) {
                Some(t) if t.is_error() => return None,
                Some(t) => out.push(GArg::Ty(t)),
                None => out.push(GArg::Int(self.const_int(a, "a generic argument")?)),
            }
        }
        Some(out)
    }

    fn generic_builtin(&mut self, text: &str, span: Span, args: &[ast::Expr]) -> Option<Ty> {
        if !is_generic_builtin(text) {
            if let Some(what) = known_unsupported(text) {
                self.unsupported(span, &format!("{what} (`{text}`)"));
                return Some(Ty::error());
            }
            return None;
        }
        let Some(args) = self.generic_args(args) else { return Some(Ty::error()) };
        let size = |n: i64| (1..=4).contains(&n).then_some(n as u32);
        let scalar = |a: &GArg| match a {
            GArg::Ty(t) => t.as_scalar(),
            GArg::Int(_) => None,
        };
        let ty = match (text, args.as_slice()) {
            ("vector", [t, GArg::Int(n)]) => scalar(t).zip(size(*n)).map(|(s, n)| Ty::vector(s, n)),
            ("matrix", [t, GArg::Int(r), GArg::Int(c)]) => {
                scalar(t).zip(size(*r).zip(size(*c))).map(|(s, (r, c))| Ty::matrix(s, r, c))
            }
            ("Array", [GArg::Ty(t), GArg::Int(n)]) if (1..=MAX_ARRAY).contains(n) => {
                Some(self.array_of(*t, Some(*n as u32), span))
            }
            ("StructuredBuffer", [GArg::Ty(t)]) => Some(Ty::new(TyKind::Buffer { elem: *t, write: false })),
            ("RWStructuredBuffer", [GArg::Ty(t)]) => Some(Ty::new(TyKind::Buffer { elem: *t, write: true })),
            ("ConstantBuffer" | "ParameterBlock", [GArg::Ty(t)]) => Some(Ty::new(TyKind::Uniform(*t))),
            ("DifferentialPair", [GArg::Ty(t)]) => {
                if self.differential(*t).is_none() {
                    let shown = self.show(*t);
                    self.error(
                        "E0301",
                        span,
                        format!("`{shown}` is not differentiable, so it has no differential pair"),
                    )
                    .notes
                    .push("only types that conform to IDifferentiable have pairs".to_string());
                    return Some(Ty::error());
                }
                Some(Ty::pair(*t))
            }
            _ => None,
        };
        if ty.is_none() {
            self.error("E0208", span, format!("these are not the arguments that `{text}` takes"));
        }
        Some(ty.unwrap_or(Ty::error()))
    }
}

fn is_generic_builtin(text: &str) -> bool {
    matches!(
        text,
        "vector"
            | "matrix"
            | "Array"
            | "StructuredBuffer"
            | "RWStructuredBuffer"
            | "ConstantBuffer"
            | "ParameterBlock"
            | "DifferentialPair"
    )
}

/// What of Slang's own types is known but not built yet.
fn known_unsupported(text: &str) -> Option<&'static str> {
    Some(match text {
        "String" | "NativeString" => "a string type",
        "Optional" | "Tuple" | "Result" => "this generic type",
        "Ptr" | "DifferentialPtrPair" => "a pointer type",
        "ByteAddressBuffer"
        | "RWByteAddressBuffer"
        | "Buffer"
        | "RWBuffer"
        | "AppendStructuredBuffer"
        | "ConsumeStructuredBuffer"
        | "TextureBuffer" => "this kind of buffer",
        "SamplerState" | "SamplerComparisonState" => "a sampler",
        "Atomic" => "an atomic type",
        _ if text.starts_with("Texture") || text.starts_with("RWTexture") || text.starts_with("Sampler") => {
            "a texture type"
        }
        _ => return None,
    })
}
