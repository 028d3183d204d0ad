//! Whether contents suit the parameter that they are for, before they are bound.
//!
//! Contents are bytes, and bits may be meant: unsigned integers fill anything. What can only be a
//! mistake is refused: half an element, floats of another width. What is probably one is a warning.

use crate::bindings::Bindings;
use crate::diagnostics::{Diagnostics, Error, Texts};
use crate::options::{Options, whole_file};
use crate::session::judged;
use crate::value::{places_of, scalars_of};
use caustic_dialects::reflect::{DataType, ParamKind, Scalar};
use caustic_ir::Diagnostic;
use caustic_ir::codes;
use caustic_runtime::binding::named;
use caustic_runtime::{KernelParam, layout_of};

/// Contents, and what their giver says of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// As they are to lie in memory.
    pub bytes: &'a [u8],
    /// What they are, if something says it.
    pub scalar: Option<Scalar>,
    /// Whether scalars of another type may be meant for their bits.
    pub by_bits: bool,
    /// Whether nobody looked at the bytes: a file of any sort.
    pub unknown: bool,
    /// What they come from holds these as well, which the parameter has no place for.
    pub left_out: &'a [String],
}

/// A type as messages say it: its scalars.
fn shown(ty: &DataType) -> String {
    match ty {
        DataType::Scalar(s) => s.name().to_string(),
        DataType::Vector { len, elem } => format!("{len} {elem}"),
        DataType::Matrix { rows, cols, elem, .. } => format!("{rows}x{cols} {elem}"),
        DataType::Array { len, elem } => format!("{len} times {}", shown(elem)),
        DataType::Struct { name, .. } => format!("struct {name}"),
        DataType::Resource(_) => "a resource".to_string(),
    }
}

/// The types of the scalars in a type, each once.
fn held(ty: &DataType) -> Vec<Scalar> {
    let mut scalars = Vec::new();
    scalars_of(ty, &mut |scalar| {
        if !scalars.contains(&scalar) {
            scalars.push(scalar);
        }
    });
    scalars
}

fn names(scalars: &[Scalar]) -> String {
    scalars.iter().map(|s| s.name()).collect::<Vec<_>>().join(" and ")
}

impl Bindings {
    /// The warnings about contents for a buffer or a uniform, as the options say. A name that leads
    /// nowhere is left to who binds it.
    ///
    /// # Errors
    /// [`Error::Rejected`]: they cannot be meant for it.
    pub fn suits(&self, name: &str, given: Given<'_>, options: &Options) -> Result<Diagnostics, Error> {
        let interface = self.interface.clone();
        let Ok((param, ty)) = named(&interface, name) else { return Ok(Diagnostics::default()) };
        let found = match param.kind {
            ParamKind::Uniform => {
                let scalar = given.scalar.filter(|_| !given.by_bits);
                scalar.map_or(Ok(()), |scalar| self.holds(name, &ty, scalar))?;
                self.of_uniform(name, &ty, given)
            }
            ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer => Vec::new(),
            _ if param.is_buffer() => self.of_buffer(name, param, given),
            _ => Vec::new(),
        };
        let found = Diagnostics::new(judged(found, options), Texts::default());
        if found.has_errors() { Err(Error::Rejected(found)) } else { Ok(found) }
    }

    fn of_buffer(&self, name: &str, param: &KernelParam, given: Given<'_>) -> Vec<Diagnostic> {
        let stride = param.layout.size as usize;
        let count = given.bytes.len();
        // What a pointer leads to may end anywhere.
        let is_counted = param.kind != ParamKind::Pointer && !self.is_tensor(name);
        if is_counted && stride > 0 && !count.is_multiple_of(stride) {
            return vec![self.half_element(name, param, given)];
        }
        // A number of 64 bits that leads to bytes: nobody says what they are.
        let any = param.kind == ParamKind::Pointer && held(&param.ty) == [Scalar::U8];
        let odd = self.of_scalars(name, &param.ty, given).filter(|_| !any);
        odd.into_iter().chain(self.of_rest(name, &param.ty, given)).collect()
    }

    /// What the elements have no component for.
    fn of_rest(&self, name: &str, ty: &DataType, given: Given<'_>) -> Option<Diagnostic> {
        let (last, others) = given.left_out.split_last()?;
        let what = match others {
            [] => format!("{last} of the file is"),
            others => format!("{} and {last} of the file are", others.join(", ")),
        };
        let message = format!("`{name}` has elements of {}: {what} left out", shown(ty));
        Some(Diagnostic::warning(codes::W0802, whole_file(self.file()), message))
    }

    /// The last element is not whole. A file of whatever bytes is none of such elements; memory to
    /// write to may be larger than what is needed.
    fn half_element(&self, name: &str, param: &KernelParam, given: Given<'_>) -> Diagnostic {
        let (stride, count) = (param.layout.size as usize, given.bytes.len());
        let message =
            format!("`{name}` has elements of {stride} bytes ({}), and {count} bytes are given", shown(&param.ty));
        let place = whole_file(self.file());
        let below = count - count % stride;
        let whole = if below == 0 { format!("{stride}") } else { format!("{below} or {}", below + stride) };
        let note = match given.scalar {
            Some(scalar) if stride.is_multiple_of(scalar.size()) => {
                format!("an element takes {} values of {scalar}", stride / scalar.size())
            }
            _ => format!("{whole} bytes make whole elements"),
        };
        let found = match given.unknown {
            true => Diagnostic::error(codes::E0802, place, message),
            false => Diagnostic::warning(codes::W0802, place, message + ": the last element is not whole"),
        };
        found.with_note(note)
    }

    fn of_uniform(&self, name: &str, ty: &DataType, given: Given<'_>) -> Vec<Diagnostic> {
        let Some(size) = layout_of(ty).map(|layout| layout.size as usize) else { return Vec::new() };
        let wrong = self.of_scalars(name, ty, given).or_else(|| self.of_fields(name, ty, given));
        let count = given.bytes.len();
        let cut = given.bytes.get(size..).unwrap_or_default();
        let end = match count < size {
            // The first fields alone may be meant.
            true if matches!(ty, DataType::Struct { .. }) => return wrong.into_iter().collect(),
            true => "the rest is zero",
            false if cut.iter().any(|byte| *byte != 0) => "the others are left out",
            false => return wrong.into_iter().collect(),
        };
        if wrong.is_some() {
            return wrong.into_iter().collect();
        }
        let message = format!("`{name}` has {size} bytes ({}), and {count} are given: {end}", shown(ty));
        vec![Diagnostic::warning(codes::W0802, whole_file(self.file()), message)]
    }

    /// Whether scalars that are written down can be meant for these.
    fn of_scalars(&self, name: &str, ty: &DataType, given: Given<'_>) -> Option<Diagnostic> {
        let scalar = given.scalar.filter(|_| given.by_bits && !given.bytes.is_empty())?;
        let held = held(ty);
        let is_meant = held.is_empty() || held.contains(&scalar) || !scalar.is_float() && !scalar.is_signed();
        let floats = held.iter().all(|s| s.is_float());
        if is_meant || !scalar.is_float() && !floats {
            return None;
        }
        let place = whole_file(self.file());
        let wanted = names(&held);
        let note = match &held[..] {
            [one] => {
                format!("write `{one}:`; for bits write them as an unsigned integer, such as `u{}:`", 8 * one.size())
            }
            _ => "write the values as one of these types; for bits write them as unsigned integers".to_string(),
        };
        // Nobody means the first half of a float's bits.
        if scalar.is_float() && floats {
            let message = format!("`{name}` holds {wanted}, not {scalar}");
            return Some(Diagnostic::error(codes::E0802, place, message).with_note(note));
        }
        let message = format!("`{name}` holds {wanted}, which are given the bits of {scalar}");
        Some(Diagnostic::warning(codes::W0802, place, message).with_note(note))
    }

    /// Whether floats can be meant for the fields of a uniform: an integer is given the bits of
    /// one. (Zeros are zeros of every type, and who writes integers may mean the bits of floats.)
    fn of_fields(&self, name: &str, ty: &DataType, given: Given<'_>) -> Option<Diagnostic> {
        let scalar = given.scalar.filter(|scalar| scalar.is_float() && held(ty).contains(scalar))?;
        let mut places = Vec::new();
        places_of(ty, 0, &mut places);
        let is_odd = |(at, held): &&(usize, Scalar)| {
            let bytes = given.bytes.get(*at..at + held.size()).unwrap_or_default();
            !held.is_float() && bytes.iter().any(|byte| *byte != 0)
        };
        let (at, held) = places.iter().find(is_odd)?;
        let message = format!("`{name}` holds {held} at byte {at}, which is given the bits of {scalar}");
        let note = "give each field its contents by its own name; for bits write the values as unsigned integers";
        Some(Diagnostic::warning(codes::W0802, whole_file(self.file()), message).with_note(note))
    }
}
