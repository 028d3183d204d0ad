//! The types of `tex`.

use caustic_ir::{Attr, Type};

/// The dimensions of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    D1,
    D2,
    D3,
    /// Six square faces: +x, -x, +y, -y, +z, -z.
    Cube,
    /// Two dimensions with several samples a texel, which count as a third.
    Samples,
}

const SHAPES: [(Shape, &str); 5] =
    [(Shape::D1, "1d"), (Shape::D2, "2d"), (Shape::D3, "3d"), (Shape::Cube, "cube"), (Shape::Samples, "2dms")];

impl Shape {
    pub fn name(self) -> &'static str {
        SHAPES.iter().find(|(s, _)| *s == self).map_or("", |(_, n)| n)
    }
    pub fn from_name(name: &str) -> Option<Shape> {
        SHAPES.iter().find(|(_, n)| *n == name).map(|(s, _)| *s)
    }
    /// Numbers that say where a sample is taken, the layer of an array aside.
    pub fn coords(self) -> usize {
        match self {
            Shape::D1 => 1,
            Shape::D2 => 2,
            Shape::D3 | Shape::Cube | Shape::Samples => 3,
        }
    }
    /// Dimensions of an image of it.
    pub fn dims(self) -> usize {
        if self == Shape::Cube { 2 } else { self.coords() }
    }
}

/// View of `!tex.texture`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureType {
    pub shape: Shape,
    pub array: bool,
    pub writable: bool,
    /// What reading gives: a scalar, or a vector of up to four.
    pub elem: Type,
}

impl TextureType {
    pub fn of(ty: Type) -> Option<TextureType> {
        let [shape, elem, access, rest @ ..] = ty.dialect_params("tex.texture")? else { return None };
        let array = match rest {
            [] => false,
            [word] => word.as_str().filter(|w| *w == "array").map(|_| true)?,
            _ => return None,
        };
        let writable = match access.as_str()? {
            "rw" => true,
            "ro" => false,
            _ => return None,
        };
        let elem = elem.as_type().filter(|t| is_texel(*t))?;
        Some(TextureType { shape: Shape::from_name(shape.as_str()?)?, array, writable, elem })
    }

    pub fn ty(self) -> Type {
        let access = if self.writable { "rw" } else { "ro" };
        let mut params = vec![Attr::string(self.shape.name()), Attr::ty(self.elem), Attr::string(access)];
        if self.array {
            params.push(Attr::string("array"));
        }
        Type::dialect("tex.texture", params)
    }

    /// Components of a coordinate, with the layer.
    pub fn coords(self) -> usize {
        self.shape.coords() + self.array as usize
    }

    /// Components of the place of a texel, with the layer; the face of a cube is a layer.
    pub fn indices(self) -> usize {
        self.shape.dims() + (self.array || self.shape == Shape::Cube) as usize
    }
}

/// A number, or up to four in a vector.
fn is_texel(ty: Type) -> bool {
    let number = ty.elem().is_float() || (ty.elem().is_int_or_index() && !ty.elem().is_index());
    number && (ty.is_scalar() || (ty.is_vector() && ty.shape().len() == 1 && ty.num_elements() <= 4))
}

/// `!tex.sampler`
pub fn sampler_type() -> Type {
    Type::dialect("tex.sampler", vec![])
}

pub fn is_sampler(ty: Type) -> bool {
    ty.dialect_params("tex.sampler").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_survive_the_encoding() {
        for (shape, _) in SHAPES {
            for (array, writable) in [(false, false), (true, false), (false, true), (true, true)] {
                let ty = TextureType { shape, array, writable, elem: Type::vector(&[4], Type::f32()) };
                assert_eq!(TextureType::of(ty.ty()), Some(ty));
            }
        }
        assert_eq!(TextureType::of(sampler_type()), None);
        assert!(is_sampler(sampler_type()));
        let matrix =
            TextureType { shape: Shape::D2, array: false, writable: false, elem: Type::vector(&[2, 2], Type::f32()) };
        assert_eq!(TextureType::of(matrix.ty()), None);
    }
}
