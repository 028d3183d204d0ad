//! Structs that a program declares to pair a buffer with that of its derivatives, such as tensors
//! of a library: they hold two buffers, and one is called so.

use caustic_dialects::agg::{self, StructType};
use caustic_dialects::{ad, signature};
use caustic_ir::{Body, Name, Type, ValueId};
use std::collections::HashMap;

/// What the name of a field has in it that holds derivatives.
const WORDS: [&str; 3] = ["grad", "deriv", "diff"];

/// The way to a buffer in a struct, field by field.
type Path = Vec<usize>;

/// A buffer in a struct.
struct Held {
    path: Path,
    elem: Type,
    of_derivatives: bool,
}

/// The ways to the buffer of values and to that of derivatives in such a struct.
pub(super) fn of(ty: Type) -> Option<(Path, Path)> {
    let mut held = Vec::new();
    collect(ty, &[], false, &mut held)?;
    held.sort_by_key(|h| h.of_derivatives);
    let [primal, derivative] = <[Held; 2]>::try_from(held).ok()?;
    let fits = derivative.elem == primal.elem || ad::differential_type(primal.elem) == Some(derivative.elem);
    (fits && !primal.of_derivatives && derivative.of_derivatives).then_some((primal.path, derivative.path))
}

/// Finds the buffers in a struct; `None` if it holds other resources, too many, or none.
fn collect(ty: Type, path: &[usize], of_derivatives: bool, out: &mut Vec<Held>) -> Option<()> {
    let s = StructType::of(ty)?;
    for (k, f) in s.fields().enumerate().filter(|(_, f)| signature::holds_handle(f.ty)) {
        let path: Path = path.iter().copied().chain([k]).collect();
        let name = f.name.to_ascii_lowercase();
        let of_derivatives = of_derivatives || WORDS.iter().any(|w| name.contains(w));
        match agg::as_buffer(f.ty).filter(|_| !agg::is_byte_view(f.ty)) {
            Some((elem, _)) => out.push(Held { path, elem, of_derivatives }),
            None => collect(f.ty, &path, of_derivatives, out)?,
        }
        if out.len() > 2 {
            return None;
        }
    }
    Some(())
}

/// The resource at the end of a way in a value that is made here.
pub(super) fn at(body: &Body, mut v: ValueId, path: &[usize], globals: &HashMap<ValueId, Name>) -> Option<Name> {
    for &k in path {
        let made = body.def_op(v).filter(|&op| agg::Make::is(body, op))?;
        v = *body.operands(made).get(k)?;
    }
    globals.get(&v).copied()
}
