//! Updates of memory in a language whose functions for it are given a pointer, and whose exchange
//! of what is as expected may fail without a reason.

use super::super::{Printer, Text};
use crate::lang::syntax::mentions;
use crate::types::Ty;
use caustic_dialects::agg::EXCHANGE;
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

/// In which order other threads see an update: in any.
const ORDER: &str = "memory_order_relaxed";

impl Printer<'_> {
    /// Whether functions that update memory are given a pointer.
    pub(super) fn updates_by_pointer(&self) -> bool {
        self.language.shader.is_some_and(|s| s.syntax.pointed.is_some())
    }

    /// A place that is updated, as functions of the language are given it.
    pub(super) fn updated_place(&self, place: &str, word: &str) -> Text {
        let pointed = self.shader()?.syntax.pointed;
        Ok(pointed.map_or(place.to_string(), |pointed| pointed(self.is_of_group(place), word, place)))
    }

    /// A component of a vector as an element of what a pointer leads to.
    pub(super) fn component_place(&self, vector: &str, word: &str, component: usize) -> Text {
        let place = self.updated_place(vector, word)?.replacen("atomic_", "", 1);
        Ok(format!("({place})[{component}]"))
    }

    /// Whether a place is in the memory of a group.
    fn is_of_group(&self, place: &str) -> bool {
        let shared = &self.module.interface.shared;
        shared.iter().any(|s| self.known(s.symbol).is_ok_and(|name| mentions(place, &name)))
    }

    /// The statements that update what is at a place by `value` and return what was there.
    pub(super) fn pointed_update(&mut self, kind: &str, at: &str, ty: &Ty) -> Text {
        let scalar = ty.scalar().ok_or_else(|| self.internal("an update of no scalar"))?;
        if scalar.size() != 4 {
            let what = if scalar.size() == 8 { "64 bits" } else { "a small number" };
            return Err(self.refuse_update(what, scalar.size()));
        }
        let word = self.word(scalar);
        let native = (self.shader()?.atomic)(kind).filter(|_| kind != "cas");
        if let Some(function) = native.filter(|_| !scalar.is_float() || kind == "add" && !self.is_of_group(at)) {
            return Ok(format!("    return {function}({}, value, {ORDER});\n", self.updated_place(at, word)?));
        }
        let float = (self.shader()?.words)(scalar);
        let (from, to, held) = match &float {
            Some(float) => (float.from_bits, float.to_bits, self.word(float.unsigned)),
            None => ("", "", word),
        };
        let cast = |function: &str, text: &str| match function {
            "" => text.to_string(),
            _ => format!("{function}({text})"),
        };
        let place = self.updated_place(at, held)?;
        if kind == EXCHANGE {
            let call = format!("{}({place}, {}, {ORDER})", self.updates(EXCHANGE)?, cast(to, "value"));
            return Ok(format!("    return {};\n", cast(from, &call)));
        }
        let space = place.split_once('*').map_or("", |(pointer, _)| pointer.trim_start_matches('('));
        let (swap, old) = (self.updates("cas")?, cast(from, "bits"));
        let swapped = |new: &str| format!("{swap}(place, &bits, {new}, {ORDER}, {ORDER})");
        let begin = format!(
            "    {space}* place = {place};\n    {held} bits = {};\n",
            match (kind, scalar.is_float()) {
                ("cas", false) => "expected".to_string(),
                _ => format!("atomic_load_explicit(place, {ORDER})"),
            }
        );
        if kind == "cas" {
            // The expected float may have other bits than the one that is there.
            let rest = match scalar.is_float() {
                true => format!("    while ({old} == expected && !{}) {{}}\n", swapped(&cast(to, "value"))),
                false => format!("    while (!{} && bits == expected) {{}}\n", swapped("value")),
            };
            return Ok(format!("{begin}{rest}    return {old};\n"));
        }
        let new = self.combined_values(kind, scalar)?;
        Ok(format!(
            "{begin}    for (;;) {{\n        {word} old = {old};\n        {word} next = {new};\n        \
             if ({}) return old;\n    }}\n",
            swapped(&cast(to, "next"))
        ))
    }

    /// The statements that update a small number, which is a part of a word at byte `at` of an
    /// array of words, and return what was there.
    pub(super) fn pointed_part(&mut self, kind: &str, words: &str, scalar: Scalar) -> Result<String, Diagnostic> {
        let bits = 8 * scalar.size() as u32;
        let unsigned = if bits == 16 { Scalar::U16 } else { Scalar::U8 };
        let word = self.word(scalar);
        let part = self.word(unsigned);
        let as_bits = |from: Scalar, to: Scalar| {
            (self.language.shader.and_then(|s| (s.bits_as)(from, to))).unwrap_or(self.word(to))
        };
        let (from, to) = (as_bits(unsigned, scalar), as_bits(scalar, unsigned));
        let uint = self.word(Scalar::U32);
        let place = self.updated_place(&format!("{words}[at >> 2]"), uint)?;
        let space = place.split_once('*').map_or("", |(pointer, _)| pointer.trim_start_matches('('));
        let (swap, new) = (self.updates("cas")?, self.combined_values(kind, scalar)?);
        let (low, mask) = (4 - scalar.size(), u32::MAX >> (32 - bits));
        Ok(format!(
            "    {space}* place = {place};\n    {uint} shift = (at & {low}u) * 8u;\n    \
             {uint} bits = atomic_load_explicit(place, {ORDER});\n    for (;;) {{\n        \
             {word} old = {from}({part}(bits >> shift & {mask}u));\n        {word} next = {new};\n        \
             {uint} low = (bits & ~({mask}u << shift)) | ({uint}({to}(next)) & {mask}u) << shift;\n        \
             if ({swap}(place, &bits, low, {ORDER}, {ORDER})) return old;\n    }}\n"
        ))
    }
}
