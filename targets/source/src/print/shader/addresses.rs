//! Pointers of shading languages: numbers that name a resource and a place in it, and functions
//! that load from, and store to, whichever they lead to.

use super::super::expr::Bound;
use super::super::place::ir_size;
use super::super::{Printer, Text};
use crate::lang::syntax::mentions;
use crate::tree::Buffer;
use crate::types::Ty;
use caustic_dialects::agg::{OFFSET_BITS, cell_shift};
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Name};

impl Printer<'_> {
    /// The function that loads from, or stores to, what pointers lead to; it is written when it is
    /// known which resources these are.
    pub(super) fn through_pointer(&mut self, what: &str, ty: &Ty) -> Text {
        let (word, name) = self.word_in_memory(ty)?;
        let (name, new) = self.made_name(&format!("pointer {what} {word}"), &format!("pointer_{what}_{name}"));
        if new {
            self.addressed_at.get_or_insert(self.loc);
            self.shading.pointers.push((what.to_string(), name.clone(), ty.clone()));
        }
        Ok(name)
    }

    /// The number that pointers into a resource begin with.
    pub(super) fn shader_address(&mut self, number: usize) -> Result<Bound, Diagnostic> {
        self.note_scalar(Scalar::I64, false)?;
        self.shading.addressed.insert(number);
        Ok(self.integer_literal(((number as u64 + 1) << OFFSET_BITS) as i64, Scalar::I64))
    }

    /// Functions through pointers: which resource it is, and where in it.
    pub(in super::super) fn write_pointers(&mut self) -> Result<(), Diagnostic> {
        if self.is_library() {
            self.refuse_addresses()?;
        }
        let mut at = 0;
        while let Some((what, name, ty)) = self.shading.pointers.get(at).cloned() {
            at += 1;
            let (word, zero) = (self.shader_ty(&ty, false)?, self.shader_zero(&ty, false)?);
            let mut cases = String::new();
            for number in self.shading.addressed.clone() {
                let (symbol, place) = self.addressed_memory(number, &ty)?;
                let words = self.words(&Buffer::Resource(symbol, None), what != "load")?;
                let text = match &what[..] {
                    "load" => format!("return {}({place})", self.load(&words, &ty, false)?),
                    "store" => format!("{}({place}, value)", self.store_bytes(&words, &ty, false)?),
                    kind => {
                        let args = if kind == "cas" { "expected, value" } else { "value" };
                        format!("return {}({place}, {args})", self.atomic_of_words(kind, &words, &ty)?)
                    }
                };
                let case = (self.statements().when)(&format!("number == {}u", number + 1), &format!("{text};"));
                cases += &format!("    {case}\n");
            }
            let given: &[&str] = match &what[..] {
                "load" => &[],
                "cas" => &["expected", "value"],
                _ => &["value"],
            };
            let (uint, wide, syntax) = (self.word(Scalar::U32), self.word(Scalar::I64), self.statements());
            let params: Vec<(&str, &str)> =
                std::iter::once((wide, "at")).chain(given.iter().map(|name| (&word[..], *name))).collect();
            let (shift, mask) = (OFFSET_BITS - 32, (1u32 << (OFFSET_BITS - 32)) - 1);
            let halves = (self.shader()?.syntax.halves)("at");
            let pair = (self.shader()?.vector)(2, Scalar::U32).unwrap_or_default();
            let mut lines = match cases.is_empty() {
                // Pointers lead nowhere.
                true if self.hands_over() => params.iter().map(|(_, name)| format!("(void){name};")).collect(),
                true => Vec::new(),
                false => vec![
                    (syntax.constant)(&pair, "halves", &halves),
                    (syntax.constant)(uint, "number", &format!("halves.y >> {shift}u")),
                    (syntax.constant)(uint, "rest", &format!("halves.y & {mask}u")),
                ],
            };
            if mentions(&cases, "place") {
                lines.push((syntax.constant)(uint, "place", &(syntax.choose)("rest == 0u", "halves.x", "0xffffffffu")));
            }
            let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
            let stores = what == "store";
            let last = if stores { String::new() } else { format!("    return {zero};\n") };
            let body = format!("\n{lines}{cases}{last}");
            let text = self.made_function(if stores { None } else { Some(&word) }, &name, &params, &body);
            self.shading.reaches.push(text);
        }
        Ok(())
    }

    /// The memory that pointers with a number lead to, and where in it the byte `rest` is. Memory
    /// that each thread has has cells, far apart in pointers.
    fn addressed_memory(&mut self, number: usize, ty: &Ty) -> Result<(Name, String), Diagnostic> {
        let interface = self.module.interface;
        if let Some(param) = interface.params.get(number) {
            return Ok((param.symbol, "place".to_string()));
        }
        let shared = interface.shared.get(number - interface.params.len());
        let shared = shared.ok_or_else(|| self.internal("a pointer to nothing"))?;
        if shared.cells <= 1 {
            return Ok((shared.symbol, "place".to_string()));
        }
        let (cells, cell) = (shared.cells, shared.bytes as u64 / shared.cells);
        let size = ir_size(ty).ok_or_else(|| self.refuse("a part without a size"))?;
        let last = (cell + 1).saturating_sub(size);
        // Above so many bits of an address is the number of the cell.
        let (number, offset, near) = match cell_shift(cells) {
            shift @ 32.. => {
                let (shift, mask) = (shift - 32, (1u32 << (shift - 32)) - 1);
                (format!("(rest >> {shift}u)"), "halves.x".to_string(), format!("(rest & {mask}u) == 0u && "))
            }
            shift => {
                let mask = (1u32 << shift) - 1;
                let number = format!("((rest << {}u) | (halves.x >> {shift}u))", 32 - shift);
                (number, format!("(halves.x & {mask}u)"), String::new())
            }
        };
        let inside = format!("({number} < {cells}u) && {near}({offset} < {last}u)");
        let place = (self.statements().choose)(&inside, &format!("({number}) * {cell}u + {offset}"), "0xffffffffu");
        Ok((shared.symbol, format!("({place})")))
    }
}
