//! What exchanges between lanes are made of: the value of another lane, and the lanes in which a
//! condition holds.
//!
//! A language has functions of subgroups for that, or a value goes through memory of the group:
//! all threads of it write theirs, wait, read what they want, and wait again. The second asks that
//! they come to the exchange together, which `barriers.rs` sees to.

use super::super::expr::{Bound, atom};
use super::super::{Printer, Text};
use crate::lang::Exchange;
use crate::types::{BOOL, Ty, UINT};
use caustic_dialects::reflect::Scalar;
use caustic_dialects::simt::WAVE_SIZE;
use caustic_ir::Diagnostic;

impl Printer<'_> {
    /// Notes that lanes exchange values; the function that finds the lowest bit that is set.
    pub(super) fn exchanging(&mut self) -> Result<&'static str, Diagnostic> {
        let lanes = self.shader()?.lanes;
        if let Exchange::Subgroup { extensions, .. } = lanes.exchange {
            self.shading.waves = true;
            self.shading.extensions.extend(extensions);
        }
        Ok(lanes.first_bit)
    }

    /// Notes that values of a type are exchanged.
    pub(super) fn exchanged(&mut self, ty: &Ty) -> Result<(), Diagnostic> {
        let scalar = ty.scalar().ok_or_else(|| self.refuse("an exchange of such values"))?;
        self.note_scalar(scalar, false)?;
        if let Exchange::Subgroup { extended, .. } = self.shader()?.lanes.exchange {
            self.shading.extensions.extend(extended(scalar));
        }
        Ok(())
    }

    /// What stands before and behind the statements of a function that read what other lanes have
    /// in its parameter `own`.
    pub(super) fn published(&mut self, ty: &Ty) -> Result<[String; 2], Diagnostic> {
        let shader = self.shader()?;
        if let Exchange::Subgroup { .. } = shader.lanes.exchange {
            return Ok(Default::default());
        }
        let (word, name) = (self.shader_ty(ty, false)?, self.wave_name("values", ty)?);
        if self.shading.seen.insert(format!("wave_values {word}")) {
            let array = (self.statements().array)(&word, &[u64::from(self.threads())]);
            let declared = format!(
                "// What lanes tell each other: a value of each thread of the group.\n{} {name}: {array};\n",
                shader.syntax.memory.shared
            );
            self.shading.made.push(declared);
        }
        let wait = format!("    {}\n", shader.waiting.group_barrier);
        Ok([format!("    {name}[{}] = own;\n{wait}", shader.thread_number), wait])
    }

    /// The value that a lane of this wave has in `own`.
    pub(super) fn lane_value(&mut self, ty: &Ty, own: &str, lane: &str) -> Text {
        let shader = self.shader()?;
        if let Exchange::Subgroup { read, all, .. } = shader.lanes.exchange {
            return if all { Ok(format!("{read}({own}, {lane})")) } else { self.lane_word(ty, read, (own, lane)) };
        }
        let name = self.wave_name("values", ty)?;
        Ok(match self.threads() <= WAVE_SIZE {
            true => format!("{name}[{lane}]"),
            false => format!("{name}[{} / 32u * 32u + {}]", shader.thread_number, operand(lane)),
        })
    }

    /// The same where lanes exchange only numbers of up to 32 bits.
    fn lane_word(&mut self, ty: &Ty, read: &str, (own, lane): (&str, &str)) -> Text {
        let scalar = ty.scalar().ok_or_else(|| self.internal("no scalar"))?;
        match scalar {
            Scalar::Bool => {
                let numbers = self.shader_ty(&ty.with_scalar(Scalar::U32), false)?;
                Ok(format!("{}({read}({numbers}({own}), {lane}))", self.shader_ty(ty, false)?))
            }
            Scalar::I64 | Scalar::U64 if ty.is_scalar() => {
                let words = format!("{read}({}, {lane})", (self.shader()?.syntax.halves)(own));
                let bits =
                    (self.shader()?.bits_as)(Scalar::F64, scalar).ok_or_else(|| self.internal("no such bits"))?;
                Ok(format!("{bits}({words})"))
            }
            _ if scalar.size() == 8 => Err(self.refuse("an exchange of vectors of 64 bits")),
            _ => Ok(format!("{read}({own}, {lane})")),
        }
    }

    /// The same of a lane that there may not be, by the condition for that.
    pub(super) fn any_lane(&mut self, ty: &Ty, (own, lane): (&str, &str), there: &str) -> Text {
        let active = (self.statements().choose)(there, lane, &format!("{} % 32u", self.shader()?.thread_number));
        let lane = format!("{} & 31u", operand(lane));
        match self.shader()?.lanes.exchange {
            Exchange::Subgroup { all: false, .. } => self.lane_value(ty, own, &active),
            Exchange::Memory if !self.threads().is_multiple_of(WAVE_SIZE) => {
                let (number, last) = (self.shader()?.thread_number, self.threads() - 1);
                let name = self.wave_name("values", ty)?;
                Ok(format!("{name}[min({number} / 32u * 32u + ({lane}), {last}u)]"))
            }
            _ => self.lane_value(ty, own, &lane),
        }
    }

    /// Threads of a group.
    fn threads(&self) -> u32 {
        self.module.interface.numthreads.iter().product()
    }

    /// The lanes among those of a mask in which a condition holds, as the operator `&` gives it.
    pub(super) fn ballot(&mut self, mask: &str, condition: &str) -> Text {
        if let Exchange::Subgroup { ballot, .. } = self.shader()?.lanes.exchange {
            return Ok(format!("{} & {}", ballot(condition), operand(mask)));
        }
        let name = self.wave_name("ballot", &BOOL)?;
        if self.shading.seen.insert("wave_ballot".to_string()) {
            let (value, [begin, end]) = (self.lane_value(&BOOL, "own", "source")?, self.published(&BOOL)?);
            let (syntax, unsigned, truth) = (self.statements(), self.word(Scalar::U32), self.word(Scalar::Bool));
            let body = [
                format!("\n{begin}    {}\n", (syntax.variable)(unsigned, "lanes", "0u")),
                self.each_lane()?,
                format!(
                    "        {}\n    }}\n{end}    return lanes;\n",
                    (syntax.when)(&value, "lanes |= 1u << source;")
                ),
            ];
            let params = [(unsigned, "mask"), (truth, "own")];
            let text = self.made_function(Some(unsigned), &name, &params, &body.concat());
            self.shading.made.push(text);
        }
        Ok(format!("{name}({mask}, {condition})"))
    }

    /// The head of a loop over the lanes that take part, and the lane's number.
    pub(super) fn each_lane(&self) -> Text {
        let (unsigned, syntax) = (self.word(Scalar::U32), self.statements());
        let lane = format!("{unsigned}({}(left))", self.shader()?.lanes.first_bit);
        let left = (syntax.variable)(unsigned, "left", "mask");
        let lane = (syntax.unassigned)(unsigned, "source", &lane);
        Ok(format!("    for ({left} left != 0u; left &= left - 1u) {{\n        {lane}\n"))
    }

    /// The value of a lane that takes part.
    pub(super) fn of_lane(&mut self, value: &str, ty: &Ty, lane: &str) -> Result<Bound, Diagnostic> {
        self.exchanged(ty)?;
        let given = [(value.to_string(), ty.clone()), (lane.to_string(), UINT)];
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], ty: &Ty| match p.shader()?.lanes.exchange {
            Exchange::Subgroup { .. } => Ok(atom(p.lane_value(ty, &texts[0], &texts[1])?)),
            Exchange::Memory => Ok(atom(format!("{}({})", p.shuffle(ty)?, texts.join(", ")))),
        };
        if self.is_native(ty) {
            return one(self, &given.each_ref().map(|(text, _)| text.clone()), &[], ty);
        }
        self.lifted_call("wave_row", &given, ty, &mut one)
    }

    /// The function that gives the value of a lane, and of no lane the thread's own.
    pub(super) fn shuffle(&mut self, ty: &Ty) -> Text {
        self.exchanged(ty)?;
        let (word, name) = (self.shader_ty(ty, false)?, self.wave_name("shuffle", ty)?);
        if self.shading.seen.insert(format!("wave_shuffle {word}")) {
            let ([begin, end], value) = (self.published(ty)?, self.any_lane(ty, ("own", "source"), "source < 32u")?);
            let (syntax, unsigned) = (self.statements(), self.word(Scalar::U32));
            let value = (syntax.unassigned)(&word, "value", &value);
            let found = (syntax.choose)("source < 32u", "value", "own");
            let params = [(&word[..], "own"), (unsigned, "source")];
            let body = format!("\n{begin}    {value}\n{end}    return {found};\n");
            let text = self.made_function(Some(&word), &name, &params, &body);
            self.shading.made.push(text);
        }
        Ok(name)
    }
}

/// A text as an operand of any operator.
pub(super) fn operand(text: &str) -> String {
    match text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        true => text.to_string(),
        false => format!("({text})"),
    }
}
