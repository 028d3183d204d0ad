//! Resources other than plain buffers: their types by name, and the operations on them. Their
//! methods are extensions in the prelude.

use super::types::{GArg, Scalar, Ty, TyKind};
use super::*;
use caustic_dialects::tex::Shape;
use caustic_ir::codes;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    ByteAddress {
        write: bool,
    },
    /// The elements of a byte-address buffer, by the offset of their first byte. Only the prelude
    /// uses this type.
    ByteView {
        elem: Ty,
        write: bool,
    },
    Append(Ty),
    Consume(Ty),
    Texture(Texture),
    Sampler {
        compare: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texture {
    pub shape: Shape,
    pub array: bool,
    pub write: bool,
    /// Whether it is combined with a sampler (`Sampler2D`).
    pub combined: bool,
    pub elem: Ty,
}

impl Texture {
    /// The type of a texel's coordinates, including the layer. The face of a cube counts as a
    /// layer.
    fn place(self) -> Ty {
        let dims = self.shape.dims() + (self.array || self.shape == Shape::Cube) as usize;
        if dims == 1 { Ty::int() } else { Ty::vector(types::Scalar::I32, dims as u32) }
    }
}

/// The textures: shape, whether it is an array, and the names of the read-only type, of the
/// writable one, and of the one with a sampler.
const TEXTURES: [(Shape, bool, [&str; 3]); 9] = [
    (Shape::D1, false, ["Texture1D", "RWTexture1D", "Sampler1D"]),
    (Shape::D1, true, ["Texture1DArray", "RWTexture1DArray", "Sampler1DArray"]),
    (Shape::D2, false, ["Texture2D", "RWTexture2D", "Sampler2D"]),
    (Shape::D2, true, ["Texture2DArray", "RWTexture2DArray", "Sampler2DArray"]),
    (Shape::D3, false, ["Texture3D", "RWTexture3D", "Sampler3D"]),
    (Shape::Cube, false, ["TextureCube", "RWTextureCube", "SamplerCube"]),
    (Shape::Samples, false, ["Texture2DMS", "RWTexture2DMS", "Sampler2DMS"]),
    (Shape::Samples, true, ["Texture2DMSArray", "RWTexture2DMSArray", "Sampler2DMSArray"]),
    (Shape::Cube, true, ["TextureCubeArray", "RWTextureCubeArray", "SamplerCubeArray"]),
];

impl Resource {
    /// The name of the type without its arguments.
    pub fn name(self) -> &'static str {
        match self {
            Resource::ByteAddress { write: false } => "ByteAddressBuffer",
            Resource::ByteAddress { write: true } => "RWByteAddressBuffer",
            Resource::ByteView { write: false, .. } => "__ByteView",
            Resource::ByteView { write: true, .. } => "__RWByteView",
            Resource::Append(_) => "AppendStructuredBuffer",
            Resource::Consume(_) => "ConsumeStructuredBuffer",
            Resource::Sampler { compare: false } => "SamplerState",
            Resource::Sampler { compare: true } => "SamplerComparisonState",
            Resource::Texture(t) => {
                let row = TEXTURES.iter().find(|(shape, array, _)| (*shape, *array) == (t.shape, t.array));
                row.map_or("Texture2D", |(_, _, names)| names[if t.combined { 2 } else { t.write as usize }])
            }
        }
    }

    pub fn elem(self) -> Option<Ty> {
        match self {
            Resource::ByteView { elem, .. } | Resource::Append(elem) | Resource::Consume(elem) => Some(elem),
            Resource::Texture(t) => Some(t.elem),
            Resource::ByteAddress { .. } | Resource::Sampler { .. } => None,
        }
    }

    pub fn with_elem(self, elem: Ty) -> Resource {
        match self {
            Resource::ByteView { write, .. } => Resource::ByteView { elem, write },
            Resource::Append(_) => Resource::Append(elem),
            Resource::Consume(_) => Resource::Consume(elem),
            Resource::Texture(t) => Resource::Texture(Texture { elem, ..t }),
            other => other,
        }
    }

    /// Whether `[i]` is a place that can be written to.
    pub fn writes_elements(self) -> bool {
        match self {
            Resource::ByteView { write, .. } => write,
            Resource::Texture(t) => t.write,
            _ => false,
        }
    }

    /// The names of resource types, and whether they can have arguments.
    pub fn names() -> impl Iterator<Item = (&'static str, bool)> {
        let plain =
            ["ByteAddressBuffer", "RWByteAddressBuffer", "SamplerState", "SamplerComparisonState"].map(|n| (n, false));
        let of = ["AppendStructuredBuffer", "ConsumeStructuredBuffer", "Buffer", "RWBuffer"].map(|n| (n, true));
        let textures = TEXTURES.iter().flat_map(|(_, _, names)| names.map(|n| (n, true)));
        plain.into_iter().chain(of).chain(textures)
    }

    /// The resource type of this name. The error means that the arguments do not fit it.
    pub fn named(text: &str, args: Option<&[GArg]>) -> Option<Result<Ty, ()>> {
        let name = match text.strip_prefix("RasterizerOrdered") {
            Some(rest) => Some(format!("RW{rest}")),
            // A write-only texture is treated like one that can also be read.
            None => text.strip_prefix("WTexture").map(|rest| format!("RWTexture{rest}")),
        };
        let name = name.as_deref().unwrap_or(text);
        // A depth texture is a read-only texture of floats.
        if let Some(rest) = name.strip_prefix("Depth").filter(|rest| rest.starts_with("Texture")) {
            let float = [GArg::Ty(Ty::float())];
            let known = args.is_none() && Resource::named(rest, None).is_some();
            return known.then(|| Resource::named(rest, Some(&float))).flatten();
        }
        let made = |r: Resource| Ty::new(TyKind::Resource(r));
        let plain = |ty: Ty| Some(if args.is_none() { Ok(ty) } else { Err(()) });
        let of = |make: &dyn Fn(Ty) -> Ty| match args {
            Some([GArg::Ty(t)]) => Some(Ok(make(*t))),
            _ => Some(Err(())),
        };
        match name {
            "ByteAddressBuffer" => plain(made(Resource::ByteAddress { write: false })),
            "RWByteAddressBuffer" => plain(made(Resource::ByteAddress { write: true })),
            "SamplerState" | "sampler" => plain(made(Resource::Sampler { compare: false })),
            "SamplerComparisonState" => plain(made(Resource::Sampler { compare: true })),
            "__ByteView" => of(&|elem| made(Resource::ByteView { elem, write: false })),
            "__RWByteView" => of(&|elem| made(Resource::ByteView { elem, write: true })),
            "AppendStructuredBuffer" => of(&|t| made(Resource::Append(t))),
            "ConsumeStructuredBuffer" => of(&|t| made(Resource::Consume(t))),
            "Buffer" => of(&|elem| Ty::new(TyKind::Buffer { elem, write: false })),
            "RWBuffer" | "RWStructuredBuffer" => of(&|elem| Ty::new(TyKind::Buffer { elem, write: true })),
            _ => {
                // A comparison sampler is treated like any other; its texels have one component by
                // default.
                let shadow = name.strip_suffix("Shadow").filter(|n| n.starts_with("Sampler"));
                let name = shadow.unwrap_or(name);
                let (shape, array, names) = TEXTURES.iter().find(|(_, _, names)| names.contains(&name))?;
                let (write, combined) = (names[1] == name, names[2] == name);
                let elem = match args {
                    None | Some([]) if shadow.is_some() => Ty::float(),
                    None | Some([]) => Ty::vector(types::Scalar::F32, 4),
                    // The bound texture decides the number of samples.
                    Some([GArg::Ty(t), GArg::Val(_)]) if *shape == Shape::Samples => *t,
                    Some([GArg::Ty(t)]) => *t,
                    _ => return Some(Err(())),
                };
                let suits = elem.is_error()
                    || elem.is_abstract()
                    || (matches!(elem.shape(), types::Shape::Scalar | types::Shape::Vector(_))
                        && elem.element_scalar().is_some_and(|s| s != types::Scalar::Bool));
                let texture = Texture { shape: *shape, array: *array, write, combined, elem };
                Some(if suits { Ok(made(Resource::Texture(texture))) } else { Err(()) })
            }
        }
    }
}

impl Ty {
    pub fn is_resource(self) -> bool {
        matches!(self.kind(), TyKind::Buffer { .. } | TyKind::Resource(_))
    }
    pub fn as_texture(self) -> Option<Texture> {
        match self.kind() {
            TyKind::Resource(Resource::Texture(t)) => Some(*t),
            _ => None,
        }
    }
    /// Whether the elements that `[i]` accesses can be written to.
    pub fn writes_elements(self) -> bool {
        match self.kind() {
            TyKind::Buffer { write, .. } => *write,
            TyKind::Resource(r) => r.writes_elements(),
            _ => false,
        }
    }
}

/// The register classes that this kind of resource can have; `None` if all classes are allowed.
fn register_classes(ty: Ty, written: &ast::Expr) -> Option<&'static str> {
    Some(match ty.kind() {
        TyKind::Array(elem, _) => return register_classes(*elem, written),
        TyKind::Buffer { write: true, .. } => "u",
        TyKind::Buffer { .. } => "t",
        TyKind::Uniform(..) => {
            let ast::ExprKind::Name { name, .. } = &written.kind else { return None };
            return (name.name == *"ConstantBuffer").then_some("b");
        }
        TyKind::Resource(r) => match r {
            Resource::Texture(t) if t.combined => "ts",
            Resource::ByteAddress { write: true } | Resource::Texture(Texture { write: true, .. }) => "u",
            Resource::ByteAddress { .. } | Resource::Texture(_) => "t",
            Resource::Append(_) | Resource::Consume(_) => "u",
            Resource::Sampler { .. } => "s",
            Resource::ByteView { .. } => return None,
        },
        _ => return None,
    })
}

impl Checker<'_> {
    /// Checks the register that is written for a shader parameter against the kind of resource. The
    /// register has no other effect.
    pub(crate) fn check_register(&mut self, v: &ast::VarDecl, ty: Ty) {
        let (Some(register), Some(written)) = (v.register, &v.ty) else { return };
        let Some(classes) = register_classes(ty, written) else { return };
        if classes.chars().any(|c| register.name.starts_with(c)) {
            return;
        }
        let (shown, wanted) = (self.show(ty), classes.chars().next().unwrap_or('t'));
        self.error(codes::E0286, register.span, format!("`{}` is no register for `{shown}`", register.name))
            .notes
            .push(format!("its registers are `{wanted}0`, `{wanted}1` and so on"));
    }

    /// The distance in bytes between adjacent elements of a buffer.
    pub(crate) fn size_of(&mut self, elem: Ty, span: Span) -> Expr {
        if self.is_dependent(elem) {
            return Expr { ty: Ty::uint(), span, kind: ExprKind::SizeOf(elem) };
        }
        Expr::int(self.size_and_align(elem).0 as i64, Ty::uint(), span)
    }

    /// Whether `place` are the coordinates of a texel. Other indices are handled by subscripts of
    /// the prelude.
    pub(crate) fn is_texel_place(&self, texture: Ty, place: Ty) -> bool {
        let texture = texture.as_texture().filter(|t| !t.combined);
        let int = place.element_scalar().is_some_and(|s| s.is_int());
        int && texture.is_some_and(|t| place.shape() == t.place().shape())
    }

    /// `texture[place]`: a texel of mip level 0.
    pub(crate) fn texel(&mut self, texture: Texture, base: Expr, index: Expr, span: Span) -> Expr {
        let place = texture.place();
        // A single number is used for all dimensions, as for an argument; floats are converted.
        let floats = index.ty.element_scalar().is_some_and(Scalar::is_float) && index.ty.shape() == place.shape();
        if floats || index.ty.as_scalar().is_some() && place.as_scalar().is_none() {
            let index = self.coerce(index, place);
            let kind = ExprKind::BufferElem { buffer: base.into(), index: index.into() };
            return Expr { ty: texture.elem, span, kind };
        }
        if !self.is_texel_place(base.ty, index.ty) {
            let (shown, wanted) = (self.show(index.ty), self.show(place));
            let text = format!("a texel of `{}` is found by `{wanted}`, this is `{shown}`", self.show(base.ty));
            self.error(codes::E0215, index.span, text);
            return Expr::error(span);
        }
        let index = self.convert(index, place);
        let kind = ExprKind::BufferElem { buffer: base.into(), index: index.into() };
        Expr { ty: texture.elem, span, kind }
    }
}
