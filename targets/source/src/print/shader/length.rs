//! How many elements buffers have, and their counters.

use super::super::expr::{Bound, atom};
use super::super::place::ir_size;
use super::super::{Printer, Text};
use crate::tree::Buffer;
use crate::types::Ty;
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Name};

impl Printer<'_> {
    /// Counts a buffer's hidden counter.
    pub(super) fn shader_count(&mut self, buffer: &Buffer, delta: i64) -> Result<Bound, Diagnostic> {
        let Buffer::Resource(name, None) = buffer else { return Err(self.refuse("the counter of such a buffer")) };
        self.note_counter(buffer);
        let counter = self.counter(*name)?;
        let uint = self.word(Scalar::U32);
        let (add, new) = self.made_name(&format!("count {counter}"), &format!("{counter}_add"));
        if new {
            let at = if self.shader()?.syntax.memory.single { counter } else { format!("{counter}[0]") };
            let at = self.updated_place(&at, uint)?;
            let update = (self.shader()?.syntax.update)(self.updates("add")?, &at, "value", Some((uint, "old")));
            let body = format!("\n    {update}\n    return old;\n");
            let text = self.made_function(Some(uint), &add, &[(uint, "value")], &body);
            self.shading.reaches.push(text);
        }
        Ok(atom(format!("{add}({}u)", delta as u32)))
    }

    /// The variable that counts a buffer.
    pub(super) fn counter(&mut self, name: Name) -> Text {
        let known = self.known(name)?;
        Ok(self.made_name(&format!("counter {known}"), &format!("{}_count", known.trim_end_matches('_'))).0)
    }

    /// How many elements the text's buffer has.
    pub(super) fn length_of(&mut self, buffer: &str) -> Text {
        let shader = self.shader()?;
        let Some(text) = shader.syntax.length else { return Ok((shader.length)(buffer)) };
        let (name, new) =
            self.made_name(&format!("length {buffer}"), &format!("{}_length", buffer.trim_end_matches('_')));
        if new {
            self.shading.reaches.push(text(&name, buffer));
        }
        Ok((shader.length)(&name))
    }

    /// How many elements a buffer has whose memory is words in a language of such.
    fn length_of_words(&mut self, buffer: &Buffer) -> Result<Option<String>, Diagnostic> {
        let (name, size) = match buffer {
            Buffer::Resource(name, None) if self.is_bytes(*name) => {
                let elem = self.module.contents(*name).and_then(|ty| ir_size(&ty));
                (*name, self.shading.worded.contains(name).then_some(elem).flatten())
            }
            Buffer::Retyped(inner, elem) => match &**inner {
                Buffer::Resource(name, None) => {
                    let size = ir_size(elem).ok_or_else(|| self.refuse("the length of such a buffer"))?;
                    (*name, Some(size))
                }
                _ => return Ok(None),
            },
            Buffer::View(inner) => match &**inner {
                Buffer::Resource(name, None) => (*name, None),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        if self.is_shared(name) {
            return Ok(None);
        }
        if !matches!(buffer, Buffer::Resource(..)) {
            self.shading.worded.insert(name);
        }
        let bytes = self.bytes_of_words(name)?;
        Ok(Some(size.map_or(bytes.clone(), |size| format!("{bytes} / {size}u"))))
    }

    /// How many elements a buffer has, in 64 bits or, cut, in 32.
    pub(super) fn shader_length(&mut self, buffer: &Buffer, ty: &Ty) -> Result<Bound, Diagnostic> {
        let number = |n: usize| format!("{n}u");
        let refused = |p: &Self| p.refuse("the length of such a buffer");
        if self.in_words()
            && let Some(text) = self.length_of_words(buffer)?
        {
            let word = self.shader_ty(ty, false)?;
            return Ok(atom(if self.is_wide(ty) { self.pair(&text, "0u") } else { format!("{word}({text})") }));
        }
        let text = match buffer {
            Buffer::Resource(name, None) if self.is_shared(*name) => number(1),
            Buffer::None => number(0),
            Buffer::Resource(name, None) if self.shading.worded.contains(name) && !self.counts_bytes(*name) => {
                let elem = self.module.contents(*name).and_then(|ty| ir_size(&ty));
                let elem = elem.filter(|n| n.is_multiple_of(4)).ok_or_else(|| refused(self))? as usize;
                let words = self.known(*name)?;
                format!("{} / {}", self.bytes_in(&words)?, number(elem))
            }
            Buffer::Resource(name, None) if self.is_bytes(*name) => {
                let words = self.known(*name)?;
                self.bytes_in(&words)?
            }
            Buffer::Resource(name, None) => {
                let known = self.known(*name)?;
                self.length_of(&known)?
            }
            Buffer::Retyped(inner, elem) => match &**inner {
                Buffer::Resource(name, None) if self.shading.worded.contains(name) => {
                    let size = ir_size(elem).ok_or_else(|| refused(self))? as usize;
                    let words = self.known(*name)?;
                    format!("{} / {}", self.bytes_in(&words)?, number(size))
                }
                Buffer::Resource(name, None) => {
                    let view = self.view(*name, elem)?;
                    self.length_of(&view)?
                }
                _ => return Err(refused(self)),
            },
            Buffer::View(inner) => match &**inner {
                Buffer::Resource(name, None) if !self.is_shared(*name) && self.shading.worded.contains(name) => {
                    let words = self.known(*name)?;
                    self.bytes_in(&words)?
                }
                Buffer::Resource(name, None) if !self.is_shared(*name) => {
                    let view = self.view(*name, &Ty::Scalar(Scalar::U8))?;
                    self.length_of(&view)?
                }
                Buffer::Resource(name, None) => {
                    let shared = &self.module.interface.shared;
                    number(shared.iter().find(|s| s.symbol == *name).map_or(0, |s| s.bytes))
                }
                _ => return Err(refused(self)),
            },
            _ => return Err(refused(self)),
        };
        let word = self.shader_ty(ty, false)?;
        Ok(atom(match self.is_wide(ty) {
            true => self.pair(&text, "0u"),
            false => format!("{word}({text})"),
        }))
    }
}
