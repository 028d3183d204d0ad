//! Values as memory holds them: what is written leaves padding alone, and truth values that are
//! copied from memory, where they may be any byte, are 0 or 1 in what is written.

use super::place::ir_size;
use super::{Printer, Text};
use crate::tree::{Place, Root};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;
use caustic_runtime::layout::struct_layout;
use std::fmt::Write;

/// Names of counters of loops in each other.
const COUNTERS: [&str; 6] = ["i", "j", "k", "l", "m", "n"];

/// What a function does that writes values by their parts, in the order in which the functions
/// stand: what loads uses what writes a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Held {
    Place,
    Bytes,
    Loaded,
}

/// Where a value is written.
enum To {
    Place(String),
    /// At a byte, and so many bytes behind it.
    Bytes(String, u64),
}

impl Printer<'_> {
    /// Whether there are truth values in a type.
    pub(super) fn has_truths(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(of) => self.fields(*of).iter().any(|field| self.has_truths(field)),
            Ty::Array(_, elem) => self.has_truths(elem),
            _ => ty.scalar() == Some(Scalar::Bool),
        }
    }

    /// Whether a type has bytes in memory that belong to none of its scalars.
    fn has_padding(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(of) => {
                let fields = self.fields(*of);
                let sizes: Option<u64> = fields.iter().map(ir_size).sum();
                sizes != ir_size(ty) || fields.iter().any(|field| self.has_padding(field))
            }
            Ty::Array(_, elem) => self.has_padding(elem),
            _ => false,
        }
    }

    fn fields(&self, of: caustic_ir::Type) -> Vec<Ty> {
        (0..StructType(of).num_fields()).filter_map(|k| self.module.signs.field(of, k)).collect()
    }

    fn is_aggregate(ty: &Ty) -> bool {
        matches!(ty, Ty::Struct(_) | Ty::Array(..))
    }

    /// Whether a place is in a resource, and its type one that is written by its parts.
    pub(super) fn is_written_by_parts(&self, place: &Place) -> bool {
        let Root::Element { buffer, .. } = &place.root else { return false };
        let ty = self.module.part(&place.of, &place.steps).filter(Self::is_aggregate);
        let shared = buffer.resource().is_some_and(|name| self.is_shared(name));
        !shared && ty.is_some_and(|ty| self.has_truths(&ty) || self.has_padding(&ty))
    }

    /// The statement that writes a value to a place by its parts.
    pub(super) fn put(&mut self, to: &str, value: &str, ty: &Ty) -> Text {
        self.declare_put(&To::Place("to".to_string()), ty)?;
        Ok(format!("put({to}, {value});"))
    }

    /// The statement that writes a value at a byte of some bytes by its parts, if all its bytes are
    /// inside.
    pub(super) fn put_at(&mut self, bytes: &str, at: &str, value: &str, ty: &Ty) -> Text {
        self.declare_put(&To::Bytes("at".to_string(), 0), ty)?;
        Ok(format!("put({bytes}, {at}, {value});"))
    }

    /// Declares the function that writes values of a type.
    fn declare_put(&mut self, to: &To, ty: &Ty) -> Result<(), Diagnostic> {
        self.need("put");
        let word = self.ty(ty)?;
        let (held, parameters, mut body) = match to {
            To::Place(place) => (Held::Place, format!("{word}& {place}"), String::new()),
            To::Bytes(at, _) => {
                let outside = format!("    if (!to.holds({at}, sizeof({word}))) return;\n");
                (Held::Bytes, format!("Bytes to, int64_t {at}"), outside)
            }
        };
        let key = (held, word.clone());
        if !self.puts.contains_key(&key) {
            self.put_parts(to, "from", ty, 1, &mut body)?;
            let text = format!("$fn inline void put({parameters}, const {word}& from) {{\n{body}}}\n");
            self.puts.insert(key, self.language.snippet(&text));
        }
        Ok(())
    }

    fn put_parts(&mut self, to: &To, from: &str, ty: &Ty, depth: usize, out: &mut String) -> Result<(), Diagnostic> {
        let pad = "    ".repeat(depth);
        match ty {
            _ if ty.is_empty() => {}
            Ty::Struct(of) => {
                let offsets = match to {
                    To::Place(_) => vec![0; StructType(*of).num_fields()],
                    To::Bytes(..) => {
                        let fields: Vec<_> = StructType(*of).fields().map(|f| f.ty).collect();
                        let layout = struct_layout(&fields);
                        layout.ok_or_else(|| self.refuse("a struct without a layout"))?.1
                    }
                };
                for (index, offset) in offsets.into_iter().enumerate() {
                    let field = self.field_ty(*of, index)?;
                    if !field.is_empty() {
                        let name = self.field_name(*of, index)?;
                        let to = match to {
                            To::Place(place) => To::Place(format!("{place}.{name}")),
                            To::Bytes(at, fixed) => To::Bytes(at.clone(), fixed + offset),
                        };
                        self.put_parts(&to, &format!("{from}.{name}"), &field, depth, out)?;
                    }
                }
            }
            Ty::Array(count, elem) if self.has_truths(elem) || self.has_padding(elem) => {
                let i = COUNTERS.get(depth - 1).copied().unwrap_or("o");
                let to = match to {
                    To::Place(place) => To::Place(self.at(place, i, true, elem)?),
                    To::Bytes(at, fixed) => {
                        let size = ir_size(elem).ok_or_else(|| self.refuse("a part without a size"))?;
                        To::Bytes(format!("{at} + {i} * {size}"), *fixed)
                    }
                };
                let _ = writeln!(out, "{pad}for (int64_t {i} = 0; {i} < {count}; {i}++) {{");
                self.put_parts(&to, &format!("{from}[{i}]"), elem, depth + 1, out)?;
                let _ = writeln!(out, "{pad}}}");
            }
            _ => {
                let truths = ty.scalar() == Some(Scalar::Bool);
                let from = if truths { self.set_truths(from.to_string(), ty) } else { from.to_string() };
                let _ = match to {
                    To::Place(place) => writeln!(out, "{pad}{place} = {from};"),
                    To::Bytes(at, fixed) => {
                        let at = if *fixed == 0 { at.clone() } else { format!("{at} + {fixed}") };
                        writeln!(out, "{pad}store<{}>(to, {at}, {from});", self.ty(ty)?)
                    }
                };
            }
        }
        Ok(())
    }

    /// Truth values that are none but 0 and 1.
    pub(super) fn set_truths(&mut self, text: String, ty: &Ty) -> String {
        self.need("is_set");
        if ty.is_vector() {
            self.lift_function("is_set", 1);
        }
        format!("is_set({text})")
    }

    /// A struct or an array as it is in memory, with truth values that are none but 0 and 1.
    pub(super) fn loaded_value(&mut self, text: &str, ty: &Ty) -> Text {
        let word = self.ty(ty)?;
        self.put("", "", ty)?;
        let key = (Held::Loaded, word.clone());
        if !self.puts.contains_key(&key) {
            let text = format!(
                "$fn inline {word} loaded(const {word}& value) {{\n    {word} result{{}};\n    put(result, value);\n    return result;\n}}\n"
            );
            self.puts.insert(key, self.language.snippet(&text));
        }
        Ok(format!("loaded({text})"))
    }

    /// The functions that write values by their parts.
    pub(super) fn put_functions(&self) -> String {
        self.puts.values().map(String::as_str).collect()
    }
}
