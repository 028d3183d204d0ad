//! Integers of 64 bits as two words, the lower first, where a language has no others: ops on them
//! are functions of ours, by the names of the snippets that rows have for others. Where memory is
//! words it is `emulated.rs` that finds the function.

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer, Text};
use crate::ops::{Spelling, prec};
use crate::tree::{Compare, Expr};
use crate::types::{Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

impl Printer<'_> {
    /// Whether a scalar is two words in the text.
    pub(super) fn is_words(&self, scalar: Scalar) -> bool {
        matches!(scalar, Scalar::I64 | Scalar::U64) && self.language.shader.is_some_and(|s| s.syntax.wide_words)
    }

    pub(in super::super) fn is_wide(&self, ty: &Ty) -> bool {
        ty.scalar().is_some_and(|scalar| self.is_words(scalar))
    }

    /// Two words.
    pub(super) fn pair(&self, low: &str, high: &str) -> String {
        format!("{}({low}, {high})", (self.language.scalar)(Scalar::U64))
    }

    /// A snippet of the language, if it is there.
    fn snippet_id(&self, id: &str) -> Option<&'static str> {
        self.language.snippets.iter().find(|s| s.id == id).map(|s| s.id)
    }

    /// A function of ours on words, by the name that it has for those without a sign.
    fn wide_function(&mut self, name: &str, of: Scalar) -> Result<&'static str, Diagnostic> {
        let signed = if of.is_signed() { self.snippet_id(&format!("{name}_signed")) } else { None };
        let id = signed.or_else(|| self.snippet_id(name));
        let id = id.ok_or_else(|| self.refuse(format!("`{name}`")))?;
        self.instance(id, of, of)?;
        Ok(id)
    }

    /// An op on words; a function is made for it, or the operator is the language's on vectors.
    pub(super) fn wide_row(
        &mut self,
        f: &Frame<'_>,
        spelling: Spelling,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let texts = self.typed(f, args)?;
        let scalar = ty.scalar().ok_or_else(|| self.internal("no scalar"))?;
        let name = match spelling {
            Spelling::Infix(sign, strength) => match sign {
                "+" => "wide_add".to_string(),
                "-" => "wide_sub".to_string(),
                "*" => "wide_mul".to_string(),
                _ => {
                    let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
                        Ok(Bound(format!("({}) {sign} ({})", texts[0], texts[1]), strength))
                    };
                    let name = match sign {
                        "&" => "wide_and",
                        "|" => "wide_or",
                        _ => "wide_xor",
                    };
                    return self.lifted_call(name, &texts, ty, &mut one);
                }
            },
            Spelling::Snippet(_, id) | Spelling::Guarded(_, _, _, _, id) => {
                format!("wide_{}", id.trim_end_matches("_signed"))
            }
            // Of a float, or of a truth value, which is -1 as a signed number.
            Spelling::Template(_, "saturate") => "saturate_to_wide".to_string(),
            Spelling::Template(..) => {
                let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
                    let of_int = p.wide_function("wide_of_int", Scalar::I32)?;
                    Ok(atom(format!("{of_int}(-int({}))", texts[0])))
                };
                return self.lifted_call("wide_from_truth", &texts, ty, &mut one);
            }
            _ => return Err(self.refuse("such an operation on integers of 64 bits")),
        };
        let mut one = |p: &mut Self, texts: &[String], types: &[Ty], _: &Ty| {
            let from = types.first().and_then(Ty::scalar).unwrap_or(scalar);
            let id = match from.is_float() {
                true => p.wide_of_float(&name, scalar, from)?,
                false => p.wide_function(&name, scalar)?,
            };
            Ok(atom(format!("{id}({})", texts.join(", "))))
        };
        self.lifted_call(&format!("{name}_{}", scalar.name()), &texts, ty, &mut one)
    }

    /// The function that makes an integer of a float.
    fn wide_of_float(&mut self, name: &str, to: Scalar, from: Scalar) -> Result<&'static str, Diagnostic> {
        let name = if to.is_signed() { format!("{name}_signed") } else { name.to_string() };
        let id = self.snippet_id(&name).filter(|_| from != Scalar::F16);
        let id = id.ok_or_else(|| self.refuse("such a float as an integer of 64 bits"))?;
        self.instance(id, from, from)?;
        Ok(id)
    }

    /// A comparison of words.
    pub(super) fn wide_compare(
        &mut self,
        how: Compare,
        args: &[(String, Ty)],
        truth: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let mut one = |p: &mut Self, texts: &[String], types: &[Ty], _: &Ty| {
            let scalar = types.first().and_then(Ty::scalar).unwrap_or(Scalar::I64);
            let (name, swapped, not) = match how {
                Compare::Equal => ("wide_equal", false, false),
                Compare::NotEqual => ("wide_equal", false, true),
                Compare::Less => ("wide_less", false, false),
                Compare::LessEqual => ("wide_less", true, true),
                Compare::Greater => ("wide_less", true, false),
                Compare::GreaterEqual => ("wide_less", false, true),
            };
            let name = p.wide_function(name, scalar)?;
            let (a, b) = if swapped { (&texts[1], &texts[0]) } else { (&texts[0], &texts[1]) };
            Ok(match not {
                true => Bound(format!("!{name}({a}, {b})"), prec::UNARY),
                false => atom(format!("{name}({a}, {b})")),
            })
        };
        let scalar = args.first().and_then(|(_, ty)| ty.scalar()).unwrap_or(Scalar::I64);
        let name = format!("wide_{how:?}_{}", scalar.name()).to_lowercase();
        self.lifted_call(&name, args, truth, &mut one)
    }

    /// A word of two.
    pub(super) fn word_of(text: &str, axis: &str) -> String {
        let simple = text.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
        if simple { format!("{text}.{axis}") } else { format!("({text}).{axis}") }
    }

    /// A scalar as another, of which one is two words.
    pub(super) fn wide_convert(&mut self, text: &str, from: Scalar, to: Scalar) -> Result<Bound, Diagnostic> {
        let low = Self::word_of(text, "x");
        let word = (self.language.scalar)(to);
        Ok(match (self.is_words(from), self.is_words(to)) {
            (true, true) => Bound(text.to_string(), prec::CHOOSE),
            (true, false) => match to {
                Scalar::Bool => Bound(format!("({low} & 1u) != 0u"), prec::EQUAL),
                Scalar::U32 => atom(low),
                Scalar::F32 => {
                    let name = self.wide_function("wide_to_float", from)?;
                    atom(format!("{name}({text})"))
                }
                Scalar::F64 => {
                    self.instance("wide_to_double", from, from)?;
                    atom(format!("wide_to_double{}({text})", if from.is_signed() { "_signed" } else { "" }))
                }
                _ if self.is_held(to) && is_integer(to) => atom(self.cut(&low, to)?),
                _ if is_integer(to) => atom(format!("{word}({low})")),
                _ => return Err(self.refuse("an integer of 64 bits as such a float")),
            },
            _ => match from {
                Scalar::Bool => atom(self.pair(&format!("uint({text})"), "0u")),
                _ if is_integer(from) && from.is_signed() => {
                    let name = self.wide_function("wide_of_int", Scalar::I32)?;
                    atom(format!("{name}({text})"))
                }
                _ if is_integer(from) => atom(self.pair(text, "0u")),
                _ => return Err(self.refuse("such a float as an integer of 64 bits")),
            },
        })
    }

    /// Numbers of 64 bits, added.
    pub(super) fn wide_sum(&mut self, terms: Vec<String>) -> Text {
        if !self.is_words(Scalar::I64) {
            return Ok(terms.join(" + "));
        }
        let add = if self.in_words() { "add64" } else { "wide_add" };
        let add = self.wide_function(add, Scalar::I64)?;
        let sum = terms.into_iter().reduce(|sum, term| format!("{add}({sum}, {term})"));
        sum.ok_or_else(|| self.internal("a sum of nothing"))
    }

    /// `old` and `value`, combined; both are words.
    pub(super) fn wide_combined(&mut self, kind: &str, scalar: Scalar) -> Text {
        let name = match kind {
            "and" => return Ok("old & value".to_string()),
            "or" => return Ok("old | value".to_string()),
            "xor" => return Ok("old ^ value".to_string()),
            kind if self.in_words() => return self.emulated_combined(kind),
            "add" => "wide_add",
            "mul" => "wide_mul",
            "minsi" | "minui" => "wide_least",
            "maxsi" | "maxui" => "wide_most",
            other => return Err(self.refuse(format!("an update by `{other}`"))),
        };
        Ok(format!("{}(old, value)", self.wide_function(name, scalar)?))
    }

    /// The condition of a loop whose counter is two words, and what counts it.
    pub(in super::super) fn wide_steps(
        &mut self,
        (name, below): (&str, &str),
        step: &str,
        ty: &Ty,
    ) -> Result<(String, String), Diagnostic> {
        let next = format!("{name} = {}", self.wide_sum(vec![name.to_string(), step.to_string()])?);
        if self.in_words() {
            return Ok((self.emulated_compare(Compare::Less, (name, below), !ty.is_unsigned())?, next));
        }
        let less = self.wide_function("wide_less", ty.scalar().unwrap_or(Scalar::I64))?;
        Ok((format!("{less}({name}, {below})"), next))
    }
}
