//! Tensors as parameters: a name that leads to a view of one binds its contents and its shape at
//! once.
//!
//! A view is a struct (`reflect::is_tensor`); a struct that begins with one stands for it, so that
//! a view with derivatives is bound by its own name, and its derivatives by `NAME.diff`.
//! Derivatives that nothing is bound to are zeros in the shape of the values.

use crate::binding::{BindError, Bindings, E_WRONG_KIND, named_part};
use crate::interface::KernelInterface;
use caustic_dialects::reflect::{DataType, TENSOR_DIMENSIONS, is_tensor, tensor_field};

/// The parts of a view with derivatives, as the language has them.
const PRIMAL: &str = "primal";
const DIFF: &str = "diff";

/// The path to the view that `name` leads to, if it leads to one.
pub(crate) fn inside(interface: &KernelInterface, name: &str) -> Option<String> {
    let mut ty = named_part(interface, name)?;
    let mut path = name.to_string();
    loop {
        let DataType::Struct { fields, .. } = ty else { return None };
        if is_tensor(&fields) {
            return Some(path);
        }
        let (first, inner) = fields.into_iter().next()?;
        path = format!("{path}.{first}");
        ty = inner;
    }
}

/// The buffer of the view that `name` leads to, if it leads to one.
pub(crate) fn data(interface: &KernelInterface, name: &str) -> Option<String> {
    inside(interface, name).map(|path| format!("{path}.{}", tensor_field::DATA))
}

/// The paths of the values and of the derivatives that belong together, of which `path` is one.
fn pair(interface: &KernelInterface, path: &str) -> Option<(String, String)> {
    path.rmatch_indices('.').find_map(|(at, _)| {
        let whole = &path[..at];
        let primal = inside(interface, &format!("{whole}.{PRIMAL}"))?;
        let diff = inside(interface, &format!("{whole}.{DIFF}"))?;
        (primal == path || diff == path).then_some((primal, diff))
    })
}

fn product(shape: &[u32]) -> usize {
    shape.iter().fold(1usize, |n, size| n.saturating_mul(*size as usize))
}

fn shown(shape: &[u32]) -> String {
    format!("[{}]", shape.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
}

impl Bindings {
    /// The sizes of the tensor that `name` leads to; `None` if it leads to none, or to one that has
    /// none.
    #[must_use]
    pub fn tensor_shape(&self, interface: &KernelInterface, name: &str) -> Option<Vec<u32>> {
        let path = inside(interface, name)?;
        Some(self.shape_of(interface, &path)).filter(|shape| !shape.is_empty())
    }

    /// Gives the view at `path` its contents. Without a shape, derivatives have that of their
    /// values if they are as many; all else is one row.
    pub(crate) fn bind_tensor(
        &mut self,
        interface: &KernelInterface,
        path: &str,
        contents: &[u8],
        shape: Option<&[u32]>,
    ) -> Result<(), BindError> {
        let stride = self.stride_of(interface, path)?;
        let pair = pair(interface, path);
        let of_values = pair
            .as_ref()
            .filter(|(_, diff)| diff == path && shape.is_none())
            .map(|(primal, _)| self.shape_of(interface, primal));
        let count = contents.len() / stride;
        let of_values = of_values.filter(|shape| product(shape) == count && !shape.is_empty());
        let row = [u32::try_from(count).unwrap_or(u32::MAX)];
        let shape = shape.or(of_values.as_deref()).unwrap_or(&row);
        self.bind_shape(interface, path, contents.len(), shape, stride)?;
        self.bind_plain(interface, &format!("{path}.{}", tensor_field::DATA), contents)?;
        // Derivatives of values that have a place.
        let Some((_, diff)) = pair.filter(|(primal, _)| primal == path) else { return Ok(()) };
        if self.shape_of(interface, &diff).is_empty() {
            let stride = self.stride_of(interface, &diff)?;
            let bytes = vec![0; product(shape).saturating_mul(stride)];
            self.bind_shape(interface, &diff, bytes.len(), shape, stride)?;
            self.bind_plain(interface, &format!("{diff}.{}", tensor_field::DATA), &bytes)?;
        }
        Ok(())
    }

    /// Bytes from one element of a view to the next.
    fn stride_of(&self, interface: &KernelInterface, path: &str) -> Result<usize, BindError> {
        let (_, param) = self.read_buffer(interface, path)?;
        Ok((param.layout.size as usize).max(1))
    }

    /// The sizes that a view was bound with; none of one that was not.
    fn shape_of(&self, interface: &KernelInterface, path: &str) -> Vec<u32> {
        let number = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
        let field = |name: &str| self.uniform_part(interface, &format!("{path}.{name}")).unwrap_or_default();
        let rank = number(field(tensor_field::RANK)) as usize;
        field(tensor_field::SIZES).chunks_exact(4).take(rank).map(number).collect()
    }

    /// Writes the shape of a view whose elements take `stride` bytes, of `len` bytes in all.
    fn bind_shape(
        &mut self,
        interface: &KernelInterface,
        path: &str,
        len: usize,
        shape: &[u32],
        stride: usize,
    ) -> Result<(), BindError> {
        let refuse = |text: String| Err(BindError::new(E_WRONG_KIND, text));
        if shape.len() > TENSOR_DIMENSIONS {
            return refuse(format!(
                "a tensor has at most {TENSOR_DIMENSIONS} dimensions, {} has {}",
                shown(shape),
                shape.len()
            ));
        }
        let count = product(shape);
        let unit = len.checked_div(count).unwrap_or(stride);
        // The last dimension may be the components of an element.
        let components = match shape {
            _ if unit == stride => false,
            [.., last] if unit.saturating_mul(*last as usize) == stride => true,
            _ => {
                return refuse(format!(
                    "the tensor at `{path}` has elements of {stride} bytes, and {} of {unit} bytes does not make them",
                    shown(shape)
                ));
            }
        };
        let (mut steps, mut bytes) = ([0u32; TENSOR_DIMENSIONS], [0u32; TENSOR_DIMENSIONS]);
        let (mut step, mut apart) = (1u32, unit as u32);
        for d in (0..shape.len()).rev() {
            bytes[d] = apart;
            apart = apart.saturating_mul(shape[d]);
            if components && d + 1 == shape.len() {
                continue;
            }
            steps[d] = step;
            step = step.saturating_mul(shape[d]);
        }
        let mut sizes = [0u32; TENSOR_DIMENSIONS];
        sizes[..shape.len()].copy_from_slice(shape);
        let rank = [shape.len() as u32];
        for (field, numbers) in [
            (tensor_field::RANK, &rank[..]),
            (tensor_field::SIZES, &sizes),
            (tensor_field::STEPS, &steps),
            (tensor_field::BYTES, &bytes),
        ] {
            let raw: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            self.bind_uniform(interface, &format!("{path}.{field}"), &raw)?;
        }
        Ok(())
    }
}
