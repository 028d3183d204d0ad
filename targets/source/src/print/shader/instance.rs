//! Snippets that are written once for each type that a program uses them for, and functions on
//! vectors, matrices and arrays that are made of those on their parts.
//!
//! A snippet is text in which words stand for what follows from its type:
//!
//! | word | |
//! | --- | --- |
//! | `$T`, `$R` | the type, and that of the result where a snippet converts |
//! | `$U`, `$I` | the integers as wide as it |
//! | `$to`, `$from` | functions from a float to its bits, and back |
//! | `$inf`, `$sign`, `$mantissa` | the bits of infinity and of the sign, how many bits the fraction has |
//! | `$last` | the number of its last bit |
//! | `$odd` | from this float on all are even integers |
//! | `$min`, `$max` | as floats, the least integer of the result's type and the first beyond it |
//! | `$minimum`, `$maximum` | the least and greatest integer of the result's type |

use super::super::expr::{Bound, atom};
use super::super::{Printer, Text};
use crate::types::{Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

/// The names of a vector's parts.
pub(super) const AXES: [&str; 4] = ["x", "y", "z", "w"];

/// Names of the parameters of functions that are made.
pub(super) const PARAMS: [&str; 3] = ["a", "b", "c"];

impl Printer<'_> {
    /// Makes a snippet for these types, after what it needs.
    pub(super) fn instance(&mut self, id: &'static str, of: Scalar, result: Scalar) -> Result<(), Diagnostic> {
        if id.is_empty() {
            return Ok(());
        }
        // Some are written otherwise for doubles.
        let on_doubles = (of == Scalar::F64).then(|| format!("{id}_f64"));
        let other = on_doubles.and_then(|id| self.language.snippets.iter().find(|s| s.id == id));
        let row = other.or_else(|| self.language.snippets.iter().find(|s| s.id == id));
        let row = row.ok_or_else(|| self.internal(format!("no snippet `{id}`")))?;
        let key = match row.text.contains('$') {
            true => format!("{} {} {}", row.id, (self.language.scalar)(of), (self.language.scalar)(result)),
            false => row.id.to_string(),
        };
        if !self.shading.seen.insert(key) {
            return Ok(());
        }
        self.snippets.insert(id);
        for &need in row.needs {
            self.instance(need, of, of)?;
        }
        let text = (self.shader()?.syntax.rewritten)(row.text);
        let text = self.with_types(&text, of, result)?;
        self.shading.made.push(text);
        Ok(())
    }

    fn with_types(&mut self, text: &str, of: Scalar, result: Scalar) -> Text {
        let mut words: Vec<(&str, String)> = Vec::new();
        for scalar in [of, result] {
            self.note_scalar(scalar, false)?;
        }
        if is_integer(result) {
            let bits = 8 * result.size() as u32;
            let (low, high) = if result.is_signed() {
                let high = 2f64.powi(bits as i32 - 1);
                (format!("{:?}", -high), format!("{high:?}"))
            } else {
                ("0.0".to_string(), format!("{:?}", 2f64.powi(bits as i32)))
            };
            let (least, most) = if result.is_signed() {
                (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))
            } else {
                (0, (u64::MAX >> (64 - bits)) as i64)
            };
            words.push(("$minimum", self.integer_literal(least, result).0));
            words.push(("$maximum", self.integer_literal(most, result).0));
            words.push(("$min", low));
            words.push(("$max", high));
        }
        // A half that is held in a float has a float's bits.
        let bits_of = if of == Scalar::F16 && self.is_held(of) { Scalar::F32 } else { of };
        if let Some(float) = (self.shader()?.words)(bits_of) {
            if text.contains("$U") || text.contains("$to") || text.contains("$sign") {
                self.note_scalar(float.unsigned, false)?;
            }
            if text.contains("$from")
                && let Some(own) = self.language.snippets.iter().find(|s| s.id == float.from_bits)
            {
                self.instance(own.id, of, of)?;
            }
            words.push(("$mantissa", float.mantissa.to_string()));
            words.push(("$from", float.from_bits.to_string()));
            words.push(("$inf", float.infinity.to_string()));
            words.push(("$sign", float.sign.to_string()));
            words.push(("$to", float.to_bits.to_string()));
            words.push(("$odd", format!("{:?}", 2f64.powi(float.mantissa as i32 + 1))));
            words.push(("$U", (self.language.scalar)(float.unsigned).to_string()));
            words.push(("$I", (self.language.scalar)(float.signed).to_string()));
        }
        if is_integer(of) {
            let unsigned = if of.size() == 8 { Scalar::U64 } else { Scalar::U32 };
            words.push(("$U", self.word(unsigned).to_string()));
        }
        words.push(("$last", (8 * of.size() - 1).to_string()));
        words.push(("$T", (self.language.scalar)(of).to_string()));
        words.push(("$R", (self.language.scalar)(result).to_string()));
        if text.contains("double") && self.texel_float() == Scalar::F64 {
            self.note_scalar(Scalar::F64, false)?;
        }
        Ok(words.into_iter().fold(text.to_string(), |text, (word, by)| text.replace(word, &by)))
    }

    /// A function of several values of one type that does to their parts what `one` does: `one` is
    /// given the parts as text and their type.
    pub(super) fn lift(
        &mut self,
        name: &str,
        (args, result): (&[Ty], &Ty),
        exact: bool,
        one: &mut dyn FnMut(&mut Self, &[String], &[Ty], &Ty) -> Result<Bound, Diagnostic>,
    ) -> Text {
        let words = args.iter().map(|a| self.shader_ty(a, false)).collect::<Result<Vec<_>, _>>()?;
        let word = self.shader_ty(result, false)?;
        let name = self.typed_name(name, &words);
        if !self.shading.seen.insert(format!("lifted {name} {} {word}", words.join(" "))) {
            return Ok(name);
        }
        let count = result.len().unwrap_or(1);
        let part = |p: &Self, ty: &Ty| {
            let part = if ty.is_scalar() { Some(ty.clone()) } else { p.module.signs.part(ty, -1) };
            part.ok_or_else(|| p.internal("no parts"))
        };
        let parts = args.iter().map(|a| part(self, a)).collect::<Result<Vec<_>, _>>()?;
        let inner = part(self, result)?;
        let mut texts = Vec::new();
        for k in 0..count as usize {
            let operands: Vec<String> = args.iter().zip(PARAMS).map(|(ty, name)| self.part_text(name, ty, k)).collect();
            texts.push(one(self, &operands, &parts, &inner)?.0);
        }
        let params: Vec<(&str, &str)> = words.iter().map(String::as_str).zip(PARAMS).collect();
        let precise = if exact && result.is_float() { self.statements().precise } else { "" };
        let made = self.makes_values() && !self.is_native(result);
        let body = if made {
            let (part_word, exact) =
                (self.shader_ty(&inner, false)?, if self.is_native(&inner) { precise } else { "" });
            let mut set = String::new();
            for (k, text) in texts.iter().enumerate() {
                set += &format!("    {exact}{part_word} part{k} = {text};\n");
                set += &format!("    {} = part{k};\n", self.part_text("made", result, k));
            }
            format!("\n    {word} made;\n{set}    return made;\n")
        } else {
            format!(" return {}; ", self.construct(result, false, &texts)?)
        };
        // What is exact is no struct.
        let word = if made { word } else { format!("{precise}{word}") };
        let text = self.made_function(Some(&word), &name, &params, &body);
        self.shading.made.push(text);
        Ok(name)
    }

    /// The name of a function that is made, for whichever types; those of snippets are taken.
    pub(super) fn function_name(&mut self, name: &str) -> String {
        if self.language.snippets.iter().any(|s| s.names.contains(&name)) {
            return name.to_string();
        }
        self.made_name(&format!("function {name}"), name).0
    }

    /// The name of the variable of a loop, which no other loop of a function has: in HLSL it lives
    /// on behind its loop.
    pub(super) fn loop_name(&mut self, wanted: &str) -> String {
        let number = self.shading.loops.entry(wanted.to_string()).or_insert(0);
        *number += 1;
        let wanted = if *number == 1 { wanted.to_string() } else { format!("{wanted}_{number}") };
        self.function_name(&wanted)
    }

    /// The name of a function for some types, where others of its name may be there for others.
    pub(super) fn typed_name(&mut self, name: &str, words: &[String]) -> String {
        if self.statements().overloads {
            return self.function_name(name);
        }
        let mut distinct = words.to_vec();
        distinct.dedup();
        self.made_name(&format!("function {name} {}", words.join(" ")), &format!("{name}_{}", distinct.join("_"))).0
    }

    /// A part of a value by its number; a scalar is each of its parts.
    pub(super) fn part_text(&self, whole: &str, ty: &Ty, part: usize) -> String {
        match ty {
            Ty::Scalar(_) => whole.to_string(),
            Ty::Vector { .. } if self.is_native(ty) => format!("{whole}.{}", AXES.get(part).unwrap_or(&"x")),
            _ => self.item(whole, ty, &part.to_string()),
        }
    }

    /// A call of a function that is made for scalars and is applied to all parts of its operands.
    pub(super) fn lifted_call(
        &mut self,
        name: &str,
        args: &[(String, Ty)],
        result: &Ty,
        one: &mut dyn FnMut(&mut Self, &[String], &[Ty], &Ty) -> Result<Bound, Diagnostic>,
    ) -> Result<Bound, Diagnostic> {
        let texts: Vec<String> = args.iter().map(|(text, _)| text.clone()).collect();
        let types: Vec<Ty> = args.iter().map(|(_, ty)| ty.clone()).collect();
        if !result.is_vector() {
            return one(self, &texts, &types, result);
        }
        let mut inside = |p: &mut Self, texts: &[String], types: &[Ty], inner: &Ty| {
            let args: Vec<(String, Ty)> = texts.iter().cloned().zip(types.iter().cloned()).collect();
            p.lifted_call(name, &args, inner, one)
        };
        let name = self.lift(name, (&types, result), true, &mut inside)?;
        Ok(atom(format!("{name}({})", texts.join(", "))))
    }

    /// A part by an index that is computed: zero out of range.
    pub(super) fn part_at(&mut self, whole: &str, ty: &Ty, stored: bool, index: &str) -> Text {
        self.item_at(whole, (ty, false), stored, index)
    }

    /// The same of what may be an array where others are structs.
    pub(super) fn item_at(&mut self, whole: &str, (ty, bare): (&Ty, bool), stored: bool, index: &str) -> Text {
        let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
        if self.is_packed(ty, stored) && part.is_scalar() {
            let whole = self.repacked(whole, ty, false)?;
            return self.part_at(&whole, ty, false, index);
        }
        let word = if bare { self.bare_ty(ty)? } else { self.shader_ty(ty, stored)? };
        let inside = self.stores(ty, stored);
        let (result, zero) = (self.shader_ty(&part, inside)?, self.shader_zero(&part, inside)?);
        let name = self.typed_name("at", std::slice::from_ref(&word));
        if self.shading.seen.insert(format!("at {word}")) {
            let count = ty.len().unwrap_or(0);
            let item = if bare { "a[i]".to_string() } else { self.item("a", ty, "i") };
            let when = (self.statements().when)(&format!("i < {count}u"), &format!("return {item};"));
            let body = format!("\n    {when}\n    return {zero};\n");
            let params = [(&word[..], "a"), (self.word(Scalar::U32), "i")];
            let text = self.made_function(Some(&result), &name, &params, &body);
            self.shading.made.push(text);
        }
        Ok(format!("{name}({whole}, {index})"))
    }

    /// One of two values of a type that the language does not choose among.
    pub(super) fn pick(&mut self, ty: &Ty) -> Text {
        let word = self.shader_ty(ty, false)?;
        let name = self.typed_name("pick", std::slice::from_ref(&word));
        if self.shading.seen.insert(format!("pick {word}")) {
            let when = (self.statements().when)("c", "return a;");
            let params = [(self.word(Scalar::Bool), "c"), (&word[..], "a"), (&word[..], "b")];
            let text = self.made_function(Some(&word), &name, &params, &format!("\n    {when}\n    return b;\n"));
            self.shading.made.push(text);
        }
        Ok(name)
    }
}
