//! Places, buffers, and what is done to them.

use super::expr::{Bound, atom, is_index};
use super::{Frame, Printer, Text};
use crate::lang::Threads;
use crate::lang::syntax::bare;
use crate::ops::{Spelling, prec};
use crate::tree::{Access, Buffer, Expr, Kind, Literal, Place, Root, Step, Stmt, handed_over};
use crate::types::{BOOL, Ty, is_integer};
use caustic_dialects::agg::{EXCHANGE, StructType, as_buffer, is_byte_view, is_unsized_array};
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Name};
use caustic_runtime::layout::{layout_of, struct_layout};

impl Printer<'_> {
    /// A place; `written` if it is changed.
    pub(super) fn place(&mut self, f: &Frame<'_>, place: &Place, written: bool) -> Text {
        let (text, rest) = match &place.root {
            Root::Var(var) => (f.name(*var).to_string(), &place.steps[..]),
            Root::Uniform(name, None) => (self.known(*name)?, &place.steps[..]),
            Root::Uniform(name, Some(index)) => {
                self.need("pick");
                let (name, index) = (self.known(*name)?, self.expr(f, index)?);
                (format!("pick({name}, {index})"), &place.steps[..])
            }
            Root::Element { buffer: Buffer::Resource(name, None), index, how: Access::Elements, .. }
                if self.is_shared(*name) && matches!(index.kind, Kind::Literal(Literal::Int(0)) | Kind::Zero) =>
            {
                (self.known(*name)?, &place.steps[..])
            }
            Root::Element { buffer, index, how: Access::Elements, .. } => {
                let buffer = self.buffer(f, buffer)?;
                let index = self.index(f, index)?;
                (self.at(&buffer, &index, written, &place.of)?, &place.steps[..])
            }
            Root::Element { buffer, index, how, .. } => {
                let buffer = self.bytes(f, buffer)?;
                let (offset, ty, rest) = self.offset(f, index, place, *how)?;
                let word = self.ty(&ty)?;
                if written {
                    return Err(self.refuse("a place in bytes that is handed over"));
                }
                if ty == BOOL {
                    return Ok(format!("(load<uint8_t>({buffer}, {offset}) != 0)"));
                }
                let text = format!("load<{word}>({buffer}, {offset})");
                return self.steps(f, text, &ty, rest, written);
            }
        };
        self.steps(f, text, &place.of, rest, written)
    }

    /// Whether a resource is memory of a group.
    pub(super) fn is_shared(&self, name: Name) -> bool {
        self.module.interface.shared_of_symbol(name).is_some()
    }

    pub(super) fn index(&mut self, f: &Frame<'_>, index: &Expr) -> Text {
        if let Some(Literal::Int(value)) = index.literal() {
            return Ok(value.to_string());
        }
        let text = self.bound(f, index)?;
        Ok(if is_index(&index.ty) { text.0 } else { format!("int64_t({})", text.0) })
    }

    /// The part of a value that steps lead to.
    pub(super) fn steps(&mut self, f: &Frame<'_>, text: String, of: &Ty, steps: &[Step], written: bool) -> Text {
        let (mut text, mut ty) = (text, of.clone());
        for step in steps {
            let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
            let part = self.module.signs.part(&ty, number).ok_or_else(|| self.internal("no such part"))?;
            match (&ty, step) {
                (Ty::Struct(of), Step::Part(k))
                    if StructType(*of).field(*k).is_some_and(|f| is_unsized_array(f.ty)) =>
                {
                    return Err(self.refuse("an array without a size, which goes on behind its struct,"));
                }
                (Ty::Struct(of), Step::Part(k)) => text = format!("{text}.{}", self.field_name(*of, *k)?),
                (Ty::Vector { shape, .. }, Step::Part(k)) if shape.len() == 1 && (2..=4).contains(&shape[0]) => {
                    text = format!("{text}.{}", ["x", "y", "z", "w"].get(*k).copied().unwrap_or("x"));
                }
                (Ty::Tape(_), Step::Index(index)) if !written => {
                    text = format!("{text}.read({})", self.index(f, index)?);
                }
                (_, Step::Part(k)) => text = self.at(&text, &k.to_string(), written, &part)?,
                (_, Step::Index(index)) => {
                    let index = self.index(f, index)?;
                    text = self.at(&text, &index, written, &part)?;
                }
            }
            ty = part;
        }
        Ok(text)
    }

    /// A part by an index. Where nobody can give each thread a place for what is lost, what is
    /// written is told from what is read.
    pub(super) fn at(&mut self, whole: &str, index: &str, written: bool, part: &Ty) -> Text {
        match self.language.threads {
            Threads::Device if written => {
                self.lost = self.lost.max(self.most_bytes(part));
                Ok(format!("{whole}.at({index})"))
            }
            _ => Ok(format!("{whole}[{index}]")),
        }
    }

    /// At least as many bytes as a value has in text.
    fn most_bytes(&self, ty: &Ty) -> u64 {
        match ty {
            Ty::Struct(of) => {
                let fields = (0..StructType(*of).num_fields()).filter_map(|k| self.module.signs.field(*of, k));
                fields.map(|f| self.most_bytes(&f).next_multiple_of(8)).sum()
            }
            Ty::Array(count, elem) => self.most_bytes(elem).saturating_mul(*count),
            Ty::Handle(_) => MOST_OF_HANDLE,
            other => ir_size(other).unwrap_or(MOST_OF_HANDLE),
        }
    }

    /// A value that is read from a place. Where a host may have written it, truth values may be any
    /// byte, of which all but 0 hold; no variable has others than 0 and 1.
    pub(super) fn read_truths(&mut self, place: &Place, text: String, ty: &Ty) -> Text {
        if !self.has_truths(ty) || !self.may_be_any_byte(place) {
            return Ok(text);
        }
        match ty.scalar() {
            Some(_) => Ok(self.set_truths(text, ty)),
            None => self.loaded_value(&text, ty),
        }
    }

    /// Whether what a place holds may have come from memory as it is.
    fn may_be_any_byte(&self, place: &Place) -> bool {
        match &place.root {
            Root::Element { buffer, .. } => !buffer.resource().is_some_and(|name| self.is_shared(name)),
            Root::Uniform(..) => true,
            Root::Var(_) => false,
        }
    }

    /// A place that a callee is given. What the host wrote is read by it as a variable.
    pub(super) fn handed(&mut self, f: &Frame<'_>, place: &Place) -> Text {
        let text = self.place(f, place, true)?;
        match (&place.root, self.module.part(&place.of, &place.steps)) {
            (Root::Uniform(..), Some(ty)) => self.read_truths(place, text, &ty),
            _ => Ok(text),
        }
    }

    // ----- buffers

    pub(super) fn buffer(&mut self, f: &Frame<'_>, buffer: &Buffer) -> Text {
        Ok(match buffer {
            Buffer::Resource(name, None) if self.is_shared(*name) => {
                let (name, ty) = (self.known(*name)?, self.module.contents(*name));
                self.need("buffer");
                let ty = ty.ok_or_else(|| self.internal("a resource without a type"))?;
                format!("Buffer<{}>{{&{name}, 1, nullptr}}", self.ty(&ty)?)
            }
            Buffer::Resource(name, None) => self.known(*name)?,
            Buffer::Resource(name, Some(index)) => {
                self.need("pick");
                format!("pick({}, {})", self.known(*name)?, self.expr(f, index)?)
            }
            Buffer::Value(value) => self.bound(f, value)?.within(prec::POSTFIX),
            Buffer::Retyped(of, elem) => {
                self.need("retyped");
                let (of, elem) = (self.buffer(f, of)?, self.ty(elem)?);
                format!("retyped<{elem}>({of})")
            }
            Buffer::View(_) | Buffer::Pointee(_) => self.bytes(f, buffer)?,
            Buffer::None => return Err(self.refuse("a buffer that is none")),
        })
    }

    /// A resource as a value of this type.
    pub(super) fn handle_value(&mut self, f: &Frame<'_>, buffer: &Buffer, ty: &Ty) -> Text {
        let Ty::Handle(of) = ty else { return Err(self.internal("no handle")) };
        let word = self.ty(ty)?;
        if matches!(buffer, Buffer::None) {
            return Ok(format!("{word}{{}}"));
        }
        if as_buffer(*of).is_none() {
            return self.buffer(f, buffer);
        }
        let Some((elem, _)) = as_buffer(*of).filter(|_| !is_byte_view(*of)) else { return self.bytes(f, buffer) };
        let text = self.buffer(f, buffer)?;
        let elem = Ty::of(elem, false);
        match buffer {
            Buffer::Resource(name, _) if self.module.contents(*name) != elem => {
                self.need("retyped");
                let elem = elem.ok_or_else(|| self.internal("elements of no type"))?;
                Ok(format!("retyped<{}>({text})", self.ty(&elem)?))
            }
            _ => Ok(text),
        }
    }

    /// A buffer by its bytes.
    pub(super) fn bytes(&mut self, f: &Frame<'_>, buffer: &Buffer) -> Text {
        self.need("bytes");
        Ok(match buffer {
            Buffer::View(of) => {
                self.need("bytes_of");
                self.need("buffer");
                format!("bytes_of({})", self.buffer(f, of)?)
            }
            Buffer::Pointee(address) => {
                self.need("pointee");
                self.addressed_at.get_or_insert(self.loc);
                format!("pointee({})", self.expr(f, address)?)
            }
            Buffer::Resource(..) | Buffer::Retyped(..) => {
                self.need("bytes_of");
                self.need("buffer");
                format!("bytes_of({})", self.buffer(f, buffer)?)
            }
            Buffer::Value(value) => self.bound(f, value)?.within(prec::POSTFIX),
            Buffer::None => "Bytes{}".to_string(),
        })
    }

    pub(super) fn length(&mut self, f: &Frame<'_>, buffer: &Buffer) -> Result<Bound, Diagnostic> {
        Ok(match buffer {
            Buffer::Resource(name, None) if self.is_shared(*name) => atom("int64_t(1)"),
            Buffer::None => atom("int64_t(0)"),
            _ => atom(format!("{}.size", self.buffer(f, buffer)?)),
        })
    }

    /// Where in a buffer's bytes an access begins, of which type, and what is left of the steps.
    pub(super) fn offset<'p>(
        &mut self,
        f: &Frame<'_>,
        index: &Expr,
        place: &'p Place,
        how: Access,
    ) -> Result<(String, Ty, &'p [Step]), Diagnostic> {
        let at = self.index(f, index)?;
        let endless = beyond(&place.of, &place.steps, &self.module.signs);
        if how == Access::Bytes && !endless {
            return Ok((at, place.of.clone(), &place.steps));
        }
        let (mut ty, mut fixed, mut terms) = (place.of.clone(), 0u64, Vec::new());
        for step in &place.steps {
            let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
            let part = self.module.signs.part(&ty, number).ok_or_else(|| self.internal("no such part"))?;
            let size = |t: &Ty| ir_size(t).ok_or(());
            let bytes = size(&part).map_err(|()| self.refuse("a part without a size"))?;
            match (step, &ty) {
                (Step::Part(k), Ty::Struct(of)) => {
                    let fields: Vec<_> = StructType(*of).fields().map(|f| f.ty).collect();
                    let offsets = struct_layout(&fields).map(|(_, offsets)| offsets);
                    let offset = offsets.and_then(|o| o.get(*k).copied());
                    fixed += offset.ok_or_else(|| self.refuse("a struct without a layout"))?;
                }
                (Step::Part(k), _) => fixed += *k as u64 * bytes,
                (Step::Index(index), ty) => {
                    let count = ty.len().filter(|&n| n > 0).map_or(ENDLESS.to_string(), |n| n.to_string());
                    terms.push(format!("within({}, {count}, {bytes})", self.index(f, index)?));
                }
            }
            ty = part;
        }
        let mut text = at;
        if fixed > 0 {
            text = if text == "0" { fixed.to_string() } else { format!("{text} + {fixed}") };
        }
        for term in terms {
            text = if text == "0" { term } else { format!("{text} + {term}") };
        }
        Ok((text, ty, &[]))
    }

    /// An assignment.
    pub(super) fn assignment(&mut self, f: &Frame<'_>, place: &Place, value: &Expr) -> Text {
        if let Root::Element { buffer, index, how, .. } = &place.root
            && *how != Access::Elements
        {
            let buffer = self.bytes(f, buffer)?;
            let (offset, ty, rest) = self.offset(f, index, place, *how)?;
            let (word, value) = (self.ty(&ty)?, self.expr(f, value)?);
            let by_parts = self.is_written_by_parts(place);
            if rest.is_empty() && !by_parts {
                return Ok(format!("store<{word}>({buffer}, {offset}, {value});"));
            }
            if rest.is_empty() {
                return self.put_at(&buffer, &offset, &value, &ty);
            }
            let part = self.steps(f, "whole".to_string(), &ty, rest, true)?;
            let set = match self.module.part(&ty, rest) {
                Some(ty) if by_parts => self.put(&part, &value, &ty)?,
                _ => format!("{part} = {value};"),
            };
            return Ok(format!("update<{word}>({buffer}, {offset}, [&]({word}& whole) {{ {set} }});"));
        }
        let to = self.place(f, place, true)?;
        if self.is_written_by_parts(place)
            && let Some(ty) = self.module.part(&place.of, &place.steps)
        {
            // What writes by parts asks of each truth value whether it holds.
            let text = match &value.kind {
                Kind::Read(from) if value.ty == ty => self.place(f, from, false)?,
                _ => self.plain(f, value)?.0,
            };
            return self.put(&to, &text, &ty);
        }
        let text = self.plain(f, value)?.0;
        // Halves of the text have no such operators.
        if value.ty.scalar() == Some(Scalar::F16) {
            return Ok(format!("{to} = {text};"));
        }
        if value.ty.is_vector() {
            let updated = self.updated(&to, place, value, &text).filter(|text| text.contains("= "));
            if let (Some(sign), Kind::Op { args, .. }) = (updated.as_ref().and(self.sign_of(value)), &value.kind) {
                self.lift_update(sign, args.iter().all(|arg| arg.ty.is_vector()));
            }
            return Ok(updated.unwrap_or_else(|| format!("{to} = {text};")));
        }
        Ok(self.given(&to, (place, value), &text))
    }

    /// The operator that an expression is, on two operands.
    fn sign_of(&self, value: &Expr) -> Option<&'static str> {
        let Kind::Op { row, .. } = &value.kind else { return None };
        match (self.language.spelled)(row) {
            Spelling::Infix(sign, _) | Spelling::Guarded(sign, ..) => Some(sign),
            _ => None,
        }
    }

    /// What gives a variable, or a part of one, a value; by an operator where it is an operand.
    pub(super) fn given(&self, to: &str, (place, value): (&Place, &Expr), text: &str) -> String {
        self.updated(to, place, value, text).unwrap_or_else(|| format!("{to} = {text};"))
    }

    fn updated(&self, to: &str, place: &Place, value: &Expr, text: &str) -> Option<String> {
        let Kind::Op { row, args } = &value.kind else { return None };
        let (Spelling::Infix(sign, _) | Spelling::Guarded(sign, ..), [a, b]) =
            ((self.language.spelled)(row), &args[..])
        else {
            return None;
        };
        // No comparison assigns, and nothing that joins truth values.
        if !["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"].contains(&sign) || value.ty.scalar() == BOOL.scalar() {
            return None;
        }
        // The texts tell whether both are the same part.
        let is_own = |e: &Expr| match (&e.kind, &place.root) {
            (Kind::Read(Place { root: Root::Var(read), .. }), Root::Var(var)) => read == var,
            _ => false,
        };
        if is_own(a)
            && let Some(by) = text.strip_prefix(&format!("{to} {sign} "))
        {
            return Some(match (sign, by) {
                ("+", "1" | "1u" | "1i") => format!("{to}++;"),
                ("-", "1" | "1u" | "1i") => format!("{to}--;"),
                _ => format!("{to} {sign}= {};", bare(by)),
            });
        }
        let by = text.strip_suffix(&format!(" {sign} {to}")).filter(|_| is_own(b))?;
        // What is called may change what it is given.
        let Root::Var(var) = place.root else { return None };
        if handed_over(&[Stmt::Do(a.clone())]).contains(&var) {
            return None;
        }
        matches!(sign, "+" | "*").then(|| format!("{to} {sign}= {};", bare(by)))
    }

    pub(super) fn atomic(
        &mut self,
        f: &Frame<'_>,
        kind: &'static str,
        place: &Place,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let word = self.ty(ty)?;
        let at = match &place.root {
            Root::Element { buffer, index, how, .. } if *how != Access::Elements => {
                let buffer = self.bytes(f, buffer)?;
                let (offset, of, rest) = self.offset(f, index, place, Access::Parts)?;
                let _ = (of, rest);
                format!("element<{word}>({buffer}, {offset})")
            }
            _ => self.place(f, place, true)?,
        };
        let number = self.module.part(&place.of, &place.steps).filter(|t| t != ty);
        let at = if number.is_some() { format!("reinterpret_cast<{word}&>({at})") } else { at };
        let texts = args.iter().map(|a| self.expr(f, a)).collect::<Result<Vec<_>, _>>()?;
        self.atomic_at(kind, &at, &texts.join(", "), ty)
    }

    /// An atomic update of a number by a value, or an exchange if it is the expected one.
    pub(super) fn atomic_at(&mut self, kind: &str, at: &str, value: &str, ty: &Ty) -> Result<Bound, Diagnostic> {
        let word = self.ty(ty)?;
        if let Some(function) = native(kind, ty).filter(|f| self.has(f)) {
            self.need(function);
            return Ok(atom(format!("{function}<{word}>({at}, {value})")));
        }
        self.need("atomic");
        if kind == "cas" {
            return Ok(atom(format!("atomic_cas<{word}>({at}, {value})")));
        }
        let new = self.combined(kind, "old", value, ty)?;
        let old = if kind == EXCHANGE { "" } else { " old" };
        Ok(atom(format!("atomic_update({at}, [&]({word}{old}) {{ return {new}; }})")))
    }

    /// Two numbers combined as an atomic update or a wave operation does.
    pub(super) fn combined(&mut self, kind: &str, a: &str, b: &str, ty: &Ty) -> Text {
        let word = self.ty(ty)?;
        let float = ty.is_float();
        Ok(match kind {
            EXCHANGE => format!("{word}({b})"),
            "add" if float => format!("{word}({a} + ({b}))"),
            "mul" if float => format!("{word}({a} * ({b}))"),
            "add" | "mul" => {
                self.need("wrap");
                format!("{kind}<{word}>({a}, {b})")
            }
            "and" => format!("{word}({a} & ({b}))"),
            "or" => format!("{word}({a} | ({b}))"),
            "xor" => format!("{word}({a} ^ ({b}))"),
            "minsi" | "minui" => {
                self.need("min");
                format!("min<{word}>({a}, {b})")
            }
            "maxsi" | "maxui" => {
                self.need("max");
                format!("max<{word}>({a}, {b})")
            }
            "minnumf" => {
                self.need("min");
                format!("min<{word}>({a}, {b})")
            }
            "maxnumf" => {
                self.need("max");
                format!("max<{word}>({a}, {b})")
            }
            "minimumf" => {
                self.need("minimum");
                format!("minimum<{word}>({a}, {b})")
            }
            "maximumf" => {
                self.need("maximum");
                format!("maximum<{word}>({a}, {b})")
            }
            other => return Err(self.refuse(format!("an update by `{other}`"))),
        })
    }
}

/// The snippet for an atomic update of such a number by an instruction, if machines have one.
fn native(kind: &str, ty: &Ty) -> Option<&'static str> {
    let scalar = ty.scalar()?;
    let wide = scalar.size() >= 4;
    let integer = is_integer(scalar) && wide;
    Some(match kind {
        "add" if integer || scalar.is_float() && wide => "atomic_add",
        EXCHANGE if integer || scalar == Scalar::F32 => "atomic_exchange",
        "and" if integer => "atomic_and",
        "or" if integer => "atomic_or",
        "xor" if integer => "atomic_xor",
        "minsi" | "minui" if integer => "atomic_min",
        "maxsi" | "maxui" if integer => "atomic_max",
        _ => return None,
    })
}

/// The largest handle is a texture.
const MOST_OF_HANDLE: u64 = 32;

/// More elements than an array without a size can have, and few enough for their bytes to be
/// counted.
const ENDLESS: i64 = i64::MAX / 65536;

/// The size of a type in memory.
pub(super) fn ir_size(ty: &Ty) -> Option<u64> {
    match ty {
        Ty::Scalar(s) => Some(s.size() as u64),
        Ty::Vector { shape, elem } => Some(shape.iter().map(|&n| u64::from(n)).product::<u64>() * elem.size() as u64),
        Ty::Struct(of) => layout_of(of).map(|l| l.size),
        Ty::Array(count, elem) => ir_size(elem)?.checked_mul(*count),
        Ty::Tape(_) | Ty::Handle(_) => None,
    }
}

/// Whether a path leads into an array without a size, which goes on behind the element.
fn beyond(of: &Ty, steps: &[Step], signs: &crate::types::Signs) -> bool {
    let mut ty = of.clone();
    for step in steps {
        if let (Ty::Struct(of), Step::Part(k)) = (&ty, step)
            && StructType(*of).field(*k).is_some_and(|f| is_unsized_array(f.ty))
        {
            return true;
        }
        let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
        let Some(part) = signs.part(&ty, number) else { return false };
        ty = part;
    }
    false
}
