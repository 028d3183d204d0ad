//! What a buffer or a texture holds, as an array of numbers of one type.

use caustic_dialects::reflect::{DataType, ParamKind, Scalar};
use caustic_runtime::{KernelParam, layout_of};

/// Numbers of one type, and their shape. The last index moves fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// What each number is.
    pub scalar: Scalar,
    /// Of a buffer the number of elements (or the sizes of a tensor), then the components of an
    /// element: of a vector its length, of a matrix rows and columns (columns and rows, if its
    /// columns lie one after the other). Of a texture layers and depth, if there are several, then
    /// rows, columns and components, of the largest level.
    pub shape: Vec<usize>,
    /// As they lie in memory. There may be some more at the end of a buffer, which make no whole
    /// element.
    pub bytes: Vec<u8>,
    /// Whether it is a texture.
    pub texture: bool,
    /// How many sizes of the shape come before those of an element.
    pub outer: usize,
}

impl Array {
    /// The contents of a buffer, which has these sizes if it is a tensor's.
    pub(crate) fn of_buffer(param: &KernelParam, bytes: Vec<u8>, sizes: Option<&[u32]>) -> Array {
        let is_bytes = matches!(param.kind, ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer);
        let (scalar, inner) = if is_bytes { (Scalar::U32, Vec::new()) } else { element(&param.ty) };
        let size = inner.iter().fold(scalar.size(), |n, k| n.saturating_mul(*k)).max(1);
        let count = bytes.len() / size;
        let sizes = sizes.map(|sizes| sizes.iter().map(|n| *n as usize).collect::<Vec<usize>>());
        let all = |sizes: &[usize]| sizes.iter().try_fold(1usize, |n, k| n.checked_mul(*k)) == Some(count);
        // The last sizes of a file's array may be those of an element.
        let elements = |sizes: Vec<usize>| match sizes.strip_suffix(&inner[..]) {
            Some(outer) if !outer.is_empty() && all(outer) => Some(outer.to_vec()),
            _ => Some(sizes).filter(|sizes| all(sizes)),
        };
        let outer = sizes.and_then(elements).unwrap_or_else(|| vec![count]);
        let number = outer.len();
        Array { scalar, shape: [outer, inner].concat(), bytes, texture: false, outer: number }
    }

    /// How many elements there are, or texels.
    pub fn count(&self) -> usize {
        self.shape.iter().take(self.outer).product()
    }

    /// The sizes of an element.
    pub fn element(&self) -> &[usize] {
        self.shape.get(self.outer..).unwrap_or_default()
    }
}

/// The numbers of an element, and their shape. What has several types of them, or gaps, is bytes.
pub(crate) fn element(ty: &DataType) -> (Scalar, Vec<usize>) {
    match ty {
        DataType::Scalar(scalar) => (*scalar, Vec::new()),
        DataType::Vector { len, elem } => (*elem, vec![*len as usize]),
        DataType::Matrix { rows, cols, elem, by_columns } => {
            let (outer, inner) = if *by_columns { (cols, rows) } else { (rows, cols) };
            (*elem, vec![*outer as usize, *inner as usize])
        }
        DataType::Array { len, elem } => {
            let (scalar, inner) = element(elem);
            (scalar, [vec![*len as usize], inner].concat())
        }
        DataType::Struct { .. } | DataType::Resource(_) => {
            let mut scalars = Vec::new();
            scalars_in(ty, 1, &mut scalars);
            let size = layout_of(ty).map_or(0, |layout| layout.size as usize);
            let count: usize = scalars.iter().map(|(_, count)| count).sum();
            match scalars.first() {
                Some(&(first, _)) if scalars.iter().all(|(s, _)| *s == first) && count * first.size() == size => {
                    (first, vec![count])
                }
                _ => (Scalar::U8, vec![size]),
            }
        }
    }
}

/// The scalars of a type, each with its number, times `copies`.
fn scalars_in(ty: &DataType, copies: usize, out: &mut Vec<(Scalar, usize)>) {
    match ty {
        DataType::Scalar(scalar) => out.push((*scalar, copies)),
        DataType::Vector { len, elem } => out.push((*elem, copies.saturating_mul(*len as usize))),
        DataType::Matrix { rows, cols, elem, .. } => {
            out.push((*elem, copies.saturating_mul(*rows as usize * *cols as usize)));
        }
        DataType::Array { len, elem } => scalars_in(elem, copies.saturating_mul(*len as usize), out),
        DataType::Struct { fields, .. } => fields.iter().for_each(|(_, ty)| scalars_in(ty, copies, out)),
        DataType::Resource(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_ir::Name;

    fn of(fields: &[DataType]) -> DataType {
        DataType::Struct { name: Name::new("S"), fields: fields.iter().map(|f| (Name::new("f"), f.clone())).collect() }
    }

    #[test]
    fn elements_have_the_shape_of_their_type() {
        let float2 = DataType::Vector { len: 2, elem: Scalar::F32 };
        let float = DataType::Scalar(Scalar::F32);
        let array = DataType::Array { len: 3, elem: Box::new(float2.clone()) };
        let columns = DataType::Matrix { rows: 2, cols: 3, elem: Scalar::F16, by_columns: true };
        for (ty, expected) in [
            (float.clone(), (Scalar::F32, vec![])),
            (array.clone(), (Scalar::F32, vec![3, 2])),
            (columns, (Scalar::F16, vec![3, 2])),
            (of(&[float2, float.clone(), array]), (Scalar::F32, vec![9])),
            (of(&[float, DataType::Scalar(Scalar::I32)]), (Scalar::U8, vec![8])),
        ] {
            assert_eq!(element(&ty), expected, "{ty:?}");
        }
    }
}
