//! Places: parts of variables and of resources, read and written where they are in range.
//!
//! A shader cannot hand over a resource or a reference, so a place is written out where it is used.
//! What is read of a resource by an index goes through a function of the resource (`kd_at(i)`),
//! what is written stands behind its check.

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer, Text};
use super::exact::computes;
use crate::lang::syntax::Uniforms;
use crate::tree::{Buffer, Expr, Kind, Literal, Place, Root, Step};
use crate::types::{Ty, is_integer};
use caustic_dialects::agg::{EXCHANGE, StructType, is_unsized_array};
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Name};

/// A step of a path.
enum Segment {
    /// The same whatever is computed: a field, a component.
    Fixed { text: String, word: String },
    /// By an index, below a bound, if it is not trusted to be; of a member that is an array, if it
    /// has a name.
    Index { index: String, simple: bool, bound: String, member: &'static str },
}

/// A place as text.
pub(super) struct Path {
    /// A variable, or the resource's name.
    root: String,
    /// Whether the root is a variable of the function.
    local: bool,
    /// Whether the root is memory of a group, and the place is written where it stands.
    shared: bool,
    /// Whether the place is an array, and not a struct that stands for one.
    bare: bool,
    segments: Vec<Segment>,
    /// The types before each segment, and at last, each with whether it is stored as in memory.
    types: Vec<(Ty, bool)>,
}

impl Path {
    /// The text with these indices.
    fn text(&self, count: usize, indices: &mut dyn FnMut(&str) -> String) -> String {
        self.segments[..count].iter().fold(self.root.clone(), |text, segment| match segment {
            Segment::Fixed { text: part, .. } => text + part,
            Segment::Index { index, member, .. } => format!("{text}{member}[{}]", indices(index)),
        })
    }

    /// The name of its resource, of a place in one.
    pub(super) fn name(&self) -> &str {
        &self.root
    }

    /// The type of the place.
    pub(super) fn ty(&self) -> &Ty {
        self.types.last().map_or(&crate::types::UINT, |(ty, _)| ty)
    }

    /// The number of the component that the place is of a vector, if it is one.
    fn component(&self) -> Option<usize> {
        let (Some(Segment::Fixed { text, .. }), [.., (ty, _), _]) = (self.segments.last(), &self.types[..]) else {
            return None;
        };
        let axis = text.strip_prefix('.').filter(|_| matches!(ty, Ty::Vector { .. }))?;
        super::instance::AXES.iter().position(|name| *name == axis)
    }

    /// The segments up to the last index that is checked.
    fn checked(&self) -> usize {
        let is_checked = |s: &Segment| matches!(s, Segment::Index { bound, .. } if bound != TRUSTED);
        self.segments.iter().rposition(is_checked).map_or(0, |at| at + 1)
    }
}

/// Names in functions that reach a resource.
pub(in super::super) const PARAMETERS: [&str; 18] = [
    "at",
    "value",
    "expected",
    "old",
    "bits",
    "both",
    "new",
    "next",
    "swapped",
    "low",
    "shift",
    "number",
    "rest",
    "place",
    "at_level",
    "at_layer",
    "at_offset",
    "at_texel",
];

/// The bound of an index that is in range in any case.
const TRUSTED: &str = "";

/// Names of indices in functions that reach resources.
const INDICES: [&str; 6] = ["i", "j", "k", "l", "m", "n"];

impl Printer<'_> {
    /// An index without a sign: a negative one is out of every range. The text is simple if it may
    /// be written twice.
    pub(super) fn unsigned_index(&mut self, f: &Frame<'_>, index: &Expr) -> Result<(String, bool), Diagnostic> {
        let (Bound(text, _), simple) = self.unsigned_bound(f, index)?;
        Ok((text, simple))
    }

    /// The same where an operator of this strength is around.
    pub(super) fn unsigned_term(&mut self, f: &Frame<'_>, index: &Expr, strength: u8) -> Text {
        Ok(self.unsigned_bound(f, index)?.0.within(strength))
    }

    fn unsigned_bound(&mut self, f: &Frame<'_>, index: &Expr) -> Result<(Bound, bool), Diagnostic> {
        if let Some(Literal::Int(value)) = index.literal() {
            let value = u32::try_from(value).unwrap_or(u32::MAX);
            return Ok((atom(format!("{value}u")), true));
        }
        let scalar = index.ty.scalar().ok_or_else(|| self.internal("an index that is no number"))?;
        // A word that was widened is as wide as it was: as a word without a sign a negative one is
        // larger than any array.
        let narrow = match &index.kind {
            Kind::Convert(inner) if matches!(inner.ty, Ty::Scalar(Scalar::U32 | Scalar::I32)) => &**inner,
            _ => index,
        };
        let (bound, simple) = (self.bound(f, narrow)?, Self::is_simple(index));
        let text = &bound.0;
        Ok(match narrow.ty.scalar().unwrap_or(scalar) {
            Scalar::U32 => (bound, simple),
            Scalar::I64 | Scalar::U64 => {
                self.instance("to_index", narrow.ty.scalar().unwrap_or(scalar), Scalar::I64)?;
                (atom(format!("to_index({text})")), simple)
            }
            Scalar::I32 => (atom(format!("{}({text})", self.word(Scalar::U32))), simple),
            other if is_integer(other) => {
                (atom(format!("{}({}({text}))", self.word(Scalar::U32), self.word(Scalar::I32))), simple)
            }
            _ => return Err(self.internal("an index that is no number")),
        })
    }

    /// Whether a resource is bytes in the program, words in the text.
    pub(super) fn is_bytes(&self, name: Name) -> bool {
        self.shading.worded.contains(&name) || self.counts_bytes(name)
    }

    /// Whether a resource has no elements in the program, but bytes.
    pub(super) fn counts_bytes(&self, name: Name) -> bool {
        use caustic_dialects::reflect::ParamKind::{ByteAddressBuffer, Pointer, RwByteAddressBuffer};
        let param = self.module.interface.param_of_symbol(name).map(|k| &self.module.interface.params[k]);
        param.is_some_and(|p| matches!(p.kind, ByteAddressBuffer | RwByteAddressBuffer | Pointer))
    }

    /// The array that a buffer is in the text, of elements of this type.
    fn base(&mut self, buffer: &Buffer, elem: &Ty) -> Result<(String, Name), Diagnostic> {
        match buffer {
            Buffer::Resource(name, None) if !self.is_bytes(*name) => {
                if self.module.contents(*name).as_ref().is_some_and(|ty| ty != elem) && !self.in_words() {
                    return Ok((self.view(*name, elem)?, *name));
                }
                Ok((self.known(*name)?, *name))
            }
            Buffer::Resource(..) => Err(self.refuse("one of several resources, chosen by an index,")),
            Buffer::Value(_) => Err(self.refuse("a resource as a value")),
            Buffer::Retyped(of, _) => match &**of {
                Buffer::Resource(name, None) if self.in_words() => {
                    // Another round finds it to be words.
                    self.shading.worded.insert(*name);
                    Ok((self.known(*name)?, *name))
                }
                Buffer::Resource(name, None) if !self.is_shared(*name) => Ok((self.view(*name, elem)?, *name)),
                other => self.base(other, elem),
            },
            Buffer::View(_) | Buffer::Pointee(_) => Err(self.refuse("a pointer")),
            Buffer::None => Err(self.refuse("a buffer that is none")),
        }
    }

    pub(super) fn path(&mut self, f: &Frame<'_>, place: &Place, written: bool) -> Result<Path, Diagnostic> {
        self.path_of(f, place, written, true)
    }

    /// The same; with `here` it is written where the place stands, else in a function.
    fn path_of(&mut self, f: &Frame<'_>, place: &Place, written: bool, here: bool) -> Result<Path, Diagnostic> {
        let mut path = Path {
            root: String::new(),
            local: false,
            shared: false,
            bare: false,
            segments: Vec::new(),
            types: vec![(place.of.clone(), false)],
        };
        match &place.root {
            Root::Var(var) => {
                path.root = f.name(*var).to_string();
                path.local = true;
                path.bare = f.bare.contains(var);
            }
            Root::Uniform(name, None) => {
                path.root = self.uniform_name(*name)?;
                path.types[0].1 = !matches!(self.shader()?.syntax.uniforms, Uniforms::Words { .. });
            }
            Root::Uniform(_, Some(_)) => return Err(self.refuse("one of several resources, chosen by an index,")),
            Root::Element { buffer: Buffer::Resource(name, None), .. } if self.is_shared(*name) => {
                path.root = self.known(*name)?;
                path.shared = here;
                path.bare = self.shading.bare.is_shared(*name);
            }
            Root::Element { buffer, index, .. } => {
                let (base, name) = self.base(buffer, &place.of)?;
                if written {
                    self.shading.written.insert(name);
                }
                let (index, simple) = self.unsigned_index(f, index)?;
                let bound = match self.module.options.trusts_bounds {
                    true => TRUSTED.to_string(),
                    false => self.length_of(&base)?,
                };
                path.segments.push(Segment::Index { index, simple, bound, member: "" });
                path.root = base;
                path.types.insert(0, (place.of.clone(), true));
                path.types[1].1 = true;
            }
        }
        self.steps_of_path(f, &mut path, &place.steps)?;
        Ok(path)
    }

    fn steps_of_path(&mut self, f: &Frame<'_>, path: &mut Path, steps: &[Step]) -> Result<(), Diagnostic> {
        for (at, step) in steps.iter().enumerate() {
            let (ty, stored) = path.types.last().cloned().ok_or_else(|| self.internal("no type"))?;
            let bare = path.bare;
            path.bare = match (step, &ty) {
                (Step::Part(k), Ty::Struct(of)) => self.is_bare_field(*of, *k),
                _ => false,
            };
            let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
            let part = self.module.signs.part(&ty, number).ok_or_else(|| self.internal("no such part"))?;
            let segment = match (step, &ty) {
                (Step::Part(k), Ty::Struct(of)) => {
                    self.refuse_unsized(*of, *k)?;
                    let field = self.field_name(*of, *k)?;
                    Segment::Fixed { text: format!(".{field}"), word: format!("_{field}") }
                }
                (Step::Part(k), _) => {
                    let text = if bare { format!("[{k}]") } else { self.part_text("", &ty, *k) };
                    let word = format!("_{}", text.trim_start_matches(".at").trim_matches(['.', '[', ']']));
                    Segment::Fixed { text, word }
                }
                (Step::Index(index), _) => {
                    let count = ty.len().ok_or_else(|| self.refuse("an array that grows"))?;
                    let member = if bare { "" } else { self.member(&ty) };
                    if let Some(Literal::Int(value)) = index.literal()
                        && u64::try_from(value).is_ok_and(|v| v < count)
                    {
                        Segment::Fixed { text: format!("{member}[{value}]"), word: format!("_{value}") }
                    } else if index.literal().is_some() {
                        // Compilers refuse a constant that is out of range.
                        Segment::Index { index: "0u".to_string(), simple: true, bound: "0u".to_string(), member }
                    } else if let Some(index) = {
                        // What a function reaches by another index is named by indices alone.
                        let is_last = steps[at + 1..].iter().all(|step| matches!(step, Step::Part(_)));
                        let local = path.local || path.shared && path.checked() == 0 && is_last;
                        self.proved_index(f, (local, &ty, count), index)?
                    } {
                        Segment::Fixed { text: format!("{member}[{index}]"), word: String::new() }
                    } else {
                        let (index, simple) = self.unsigned_index(f, index)?;
                        Segment::Index { index, simple, bound: format!("{count}u"), member }
                    }
                }
            };
            path.segments.push(segment);
            path.types.push((part, self.stores(&ty, stored)));
        }
        Ok(())
    }

    /// Refuses a field that goes on behind its struct.
    pub(super) fn refuse_unsized(&self, of: caustic_ir::Type, field: usize) -> Result<(), Diagnostic> {
        match is_unsized_field(of, field) {
            true => Err(self.refuse("an array without a size, which goes on behind its struct,")),
            false => Ok(()),
        }
    }

    // ----- reads

    pub(super) fn read(&mut self, f: &Frame<'_>, place: &Place, ty: &Ty) -> Result<Bound, Diagnostic> {
        if let Some(in_bytes) = self.by_bytes(place) {
            return self.read_bytes(f, place, in_bytes, ty);
        }
        if let Root::Uniform(name, None) = &place.root
            && let Some(offset) = self.uniform_in_words(*name)
        {
            return self.read_uniform(f, place, offset);
        }
        if let Some((Step::Index(index), before)) = place.steps.split_last()
            && !matches!(place.root, Root::Var(_))
            && let Some(vector) = self.module.part(&place.of, before).filter(|ty| self.is_packed(ty, true))
            && ty.is_scalar()
        {
            let whole = Place { root: place.root.clone(), steps: before.to_vec(), of: place.of.clone() };
            let (whole, index) = (self.read(f, &whole, &vector)?.0, self.unsigned_index(f, index)?.0);
            return Ok(atom(self.part_at(&whole, &vector, false, &index)?));
        }
        let path = self.path(f, place, false)?;
        self.note_whole(place, &path);
        let checked = path.checked();
        let (_, stored) = path.types.last().cloned().ok_or_else(|| self.internal("no type"))?;
        if checked == 0 && !path.local {
            let text = path.text(path.segments.len(), &mut str::to_string);
            return self.in_registers(atom(self.loaded(&path.root, &text)), ty, stored);
        }
        let mut text = match checked {
            0 => atom(path.root.clone()),
            _ if path.local => self.read_local(&path, checked)?,
            _ => self.read_resource(&path, checked)?,
        };
        // What a function gives is as registers have it.
        let stored = stored && (checked == 0 || path.local || !self.has_packed(&path.types[checked].0));
        let rest = &path.segments[checked..];
        if !rest.is_empty() {
            let inner = text.within(crate::ops::prec::POSTFIX);
            let rest: String =
                rest.iter().map(|s| if let Segment::Fixed { text, .. } = s { &text[..] } else { "" }).collect();
            text = atom(inner + &rest);
        }
        self.in_registers(text, ty, stored)
    }

    /// A part of a variable.
    fn read_local(&mut self, path: &Path, checked: usize) -> Result<Bound, Diagnostic> {
        let mut text = path.root.clone();
        for (segment, (ty, stored)) in path.segments[..checked].iter().zip(&path.types) {
            let member = |member: &str| member.is_empty() && self.makes_values() && matches!(ty, Ty::Array(..));
            let bare = matches!(segment, Segment::Index { member: name, .. } if member(name));
            text = match segment {
                Segment::Fixed { text: part, .. } => text + part,
                // An array is not handed over where it may be long.
                Segment::Index { index, simple: true, bound, .. } if bare || ty.len().is_some_and(|n| n > 4) => {
                    let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                    if !self.is_native(&part) || self.is_packed(&part, self.stores(ty, *stored)) {
                        self.item_at(&text, (&ty.clone(), bare), *stored, index)?
                    } else {
                        let zero = self.shader_zero(&part, self.stores(ty, *stored))?;
                        let by_call = self.statements().chooses_by_call;
                        // A call evaluates both.
                        let inside = match by_call {
                            true => format!("min({index}, {}u)", ty.len().unwrap_or(1).max(1) - 1),
                            false => index.clone(),
                        };
                        let inside = if bare { format!("{text}[{inside}]") } else { self.item(&text, ty, &inside) };
                        let chosen = (self.statements().choose)(&format!("{index} < {bound}"), &inside, &zero);
                        if by_call { chosen } else { format!("({chosen})") }
                    }
                }
                Segment::Index { index, .. } => self.item_at(&text, (ty, bare), *stored, index)?,
            };
        }
        Ok(atom(text))
    }

    /// The words of a path, as part of a name.
    fn words_of(&self, path: &Path, checked: usize) -> String {
        let fixed = |s: &Segment| if let Segment::Fixed { word, .. } = s { word.clone() } else { String::new() };
        path.root.trim_end_matches('_').to_string() + &path.segments[..checked].iter().map(fixed).collect::<String>()
    }

    /// The names of the parameters of a function that takes the path's indices, the conditions that
    /// they are in range, the place by them, and the indices themselves.
    fn reaching(&self, path: &Path, checked: usize) -> (Vec<String>, String, String, Vec<String>) {
        let (mut params, mut checks, mut args) = (Vec::new(), Vec::new(), Vec::new());
        for segment in &path.segments[..checked] {
            if let Segment::Index { index, bound, .. } = segment {
                let mut free = INDICES.iter().filter(|&&name| name != path.root).skip(params.len());
                let name = free.next().map_or_else(|| format!("i{}", params.len()), |n| n.to_string());
                if bound != TRUSTED {
                    checks.push(format!("{name} < {bound}"));
                }
                params.push(name);
                args.push(index.clone());
            }
        }
        let mut names = params.clone().into_iter();
        let text = path.text(checked, &mut |_| names.next().unwrap_or_default());
        (params, checks.join(" && "), text, args)
    }

    fn read_resource(&mut self, path: &Path, checked: usize) -> Result<Bound, Diagnostic> {
        let (params, checks, text, args) = self.reaching(path, checked);
        let (ty, stored) = path.types[checked].clone();
        let packed = stored && self.has_packed(&ty);
        let stored = stored && !packed;
        let (word, zero) = (self.shader_ty(&ty, stored)?, self.shader_zero(&ty, stored)?);
        let (name, new) = self.made_name(&format!("read {text}"), &format!("{}_at", self.words_of(path, checked)));
        if new {
            let params: Vec<(&str, &str)> = params.iter().map(|p| (self.word(Scalar::U32), &p[..])).collect();
            let text = self.loaded(&path.root, &text);
            let text = if packed { self.repacked(&text, &ty, false)? } else { text };
            let when = (self.statements().when)(&checks, &format!("return {text};"));
            let body = format!("\n    {when}\n    return {zero};\n");
            let text = self.made_function(Some(&word), &name, &params, &body);
            self.shading.reaches.push(text);
        }
        Ok(atom(format!("{name}({})", args.join(", "))))
    }

    /// A place that a function changes.
    pub(super) fn place_for_callee(&mut self, f: &Frame<'_>, place: &Place) -> Text {
        let path = self.path(f, place, true)?;
        if self.in_words() && path.segments.is_empty() && path.local {
            // A parameter that is a pointer is one already.
            return Ok(match path.root.strip_prefix("(*") {
                Some(name) => name.trim_end_matches(')').to_string(),
                None => format!("&{}", path.root),
            });
        }
        if path.checked() > 0
            || path.types.last().is_some_and(|(ty, stored)| *stored && ty.scalar() == Some(Scalar::Bool))
        {
            return Err(self.refuse("a place in memory that is handed over"));
        }
        Ok(path.text(path.segments.len(), &mut str::to_string))
    }

    // ----- writes

    pub(in super::super) fn shader_assignment(&mut self, f: &Frame<'_>, place: &Place, value: &Expr) -> Text {
        if let Some(in_bytes) = self.by_bytes(place) {
            return self.write_bytes(f, place, in_bytes, value);
        }
        if let Root::Element { buffer, .. } = &place.root
            && let Some(name) = buffer.resource()
            && computes(value)
        {
            self.shading.exact.insert(name);
        }
        let path = self.path(f, place, true)?;
        self.note_whole(place, &path);
        let (ty, stored) = path.types.last().cloned().ok_or_else(|| self.internal("no type"))?;
        if let (true, 0, Kind::Zero, Ty::Array(count, elem)) = (path.bare, path.checked(), &value.kind, &ty) {
            let text = path.text(path.segments.len(), &mut str::to_string);
            return self.bare_cleared(&text, *count, elem);
        }
        if path.checked() == 0
            && matches!(value.kind, Kind::Zero)
            && (path.local || !self.is_padded(&ty))
            && let Some(text) = self.cleared(&path.text(path.segments.len(), &mut str::to_string), &ty, stored)?
        {
            return Ok(text);
        }
        let written = value;
        let value = if stored { self.stored_value(f, value, true)? } else { self.plain(f, value)?.0 };
        let value = self.written_truths(place, value, &ty)?;
        let count = path.segments.len();
        if count > 0 && path.checked() == count && {
            let (of, stored) = &path.types[count - 1];
            ty.is_scalar() && self.is_packed_struct(of, *stored)
        } {
            return self.write_component(&path, &value);
        }
        if path.checked() == 0 {
            let text = path.text(count, &mut str::to_string);
            return if path.local {
                Ok(self.given(&text, (place, written), &value))
            } else {
                self.write(place, (&path.root, &text), &value, &ty)
            };
        }
        let (mut temporaries, mut checks, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for segment in &path.segments {
            let Segment::Index { index, simple, bound, .. } = segment else { continue };
            let name = if *simple {
                index.clone()
            } else {
                let name = self.function_name(
                    ["place", "place_2", "place_3", "place_4"].get(temporaries.len()).copied().unwrap_or("place"),
                );
                temporaries.push((self.statements().constant)(self.word(Scalar::U32), &name, index));
                name
            };
            if bound != TRUSTED {
                checks.push(format!("{name} < {bound}"));
            }
            names.push(name);
        }
        let mut names = names.into_iter();
        let text = path.text(count, &mut |_| names.next().unwrap_or_default());
        let write = match path.local {
            true => self.given(&text, (place, written), &value),
            false => self.write(place, (&path.root, &text), &value, &ty)?,
        };
        let write = (self.statements().when)(&checks.join(" && "), &write);
        Ok(if temporaries.is_empty() { write } else { format!("{{ {} {write} }}", temporaries.join(" ")) })
    }

    /// A component, chosen by an index, of a vector that is a struct in memory: each is asked.
    fn write_component(&mut self, path: &Path, value: &str) -> Text {
        let count = path.segments.len();
        let Some(Segment::Index { index, .. }) = path.segments.last() else { return Err(self.internal("no index")) };
        let (mut lines, mut checks, mut names) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(Segment::Index { bound, .. }) = path.segments.last()
            && bound == "0u"
        {
            checks.push("false".to_string());
        }
        for segment in &path.segments[..count - 1] {
            let Segment::Index { index, bound, .. } = segment else { continue };
            let name = self.function_name(&format!("place_{}", names.len() + 2));
            lines.push((self.statements().constant)(self.word(Scalar::U32), &name, index));
            if bound != TRUSTED {
                checks.push(format!("({name} < {bound})"));
            }
            names.push(name);
        }
        let chosen = self.function_name("place");
        lines.push((self.statements().constant)(self.word(Scalar::U32), &chosen, index));
        let mut names = names.into_iter();
        let whole = path.text(count - 1, &mut |_| names.next().unwrap_or_default());
        let components = path.types[count - 1].0.len().unwrap_or(0);
        for (k, axis) in super::instance::AXES.iter().enumerate().take(components as usize) {
            let mut all = checks.clone();
            all.push(format!("({chosen} == {k}u)"));
            lines.push((self.statements().when)(&all.join(" && "), &format!("{whole}.{axis} = {value};")));
        }
        Ok(format!("{{ {} }}", lines.join(" ")))
    }

    /// A loop that makes an array zero, which is no constant: compilers write out constants.
    pub(in super::super) fn cleared(&mut self, name: &str, ty: &Ty, _: bool) -> Result<Option<String>, Diagnostic> {
        let Ty::Array(count, elem) = ty else { return Ok(None) };
        if self.shader()?.syntax.zero.is_some_and(|zero| zero.large) {
            return Ok(None);
        }
        if self.scalars_in(ty) <= super::value::MOST_WRITTEN {
            return Ok(None);
        }
        let (counter, zero) = (self.loop_name("n"), self.shader_zero(elem, true)?);
        let item = self.item(name, ty, &counter);
        Ok(Some(format!("for (uint {counter} = 0u; {counter} < {count}u; {counter}++) {item} = {zero};")))
    }

    // ----- atomic updates

    pub(super) fn shader_atomic(
        &mut self,
        f: &Frame<'_>,
        kind: &str,
        place: &Place,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let of_group = match &place.root {
            Root::Element { buffer, .. } => buffer.resource().is_some_and(|name| self.is_shared(name)),
            _ => false,
        };
        if of_group && ty.is_float() && !self.updates_by_pointer() || self.by_bytes(place).is_some() {
            return self.atomic_in_bytes(f, kind, place, args, ty);
        }
        let path = self.path_of(f, place, true, false)?;
        if !self.updates_declared(place, &path, ty) {
            return self.atomic_in_bytes(f, kind, place, args, ty);
        }
        let whole = path.segments.len();
        let (params, checks, mut text, mut given) = self.reaching(&path, whole);
        if self.updates_by_pointer()
            && let Some(component) = path.component()
        {
            // A component of a vector has no address.
            let vector = self.reaching(&path, whole - 1).2;
            text = self.component_place(&vector, self.word(ty.scalar().unwrap_or(Scalar::U32)), component)?;
        }
        let scalar = ty.scalar().ok_or_else(|| self.internal("an update of no scalar"))?;
        let texts = args.iter().map(|a| self.expr(f, a)).collect::<Result<Vec<_>, _>>()?;
        given.extend(texts);
        if scalar.is_float() && !self.updates_by_pointer() {
            let words = self.word_of_float(&path, place, scalar, &params)?;
            return self.reaching_atomic(kind, (&path, params, checks, words), given, ty, true);
        }
        let held = path.types.last().and_then(|(ty, _)| ty.scalar()).unwrap_or(scalar);
        let text = if held == scalar { text } else { format!("{text}|{}", (self.language.scalar)(held)) };
        self.reaching_atomic(kind, (&path, params, checks, text), given, ty, false)
    }

    /// The word in which a float is, for functions of the path's indices.
    fn word_of_float(&mut self, path: &Path, place: &Place, scalar: Scalar, names: &[String]) -> Text {
        let Root::Element { buffer, .. } = &place.root else {
            return Err(self.refuse("an atomic update of a float there"));
        };
        let view = match (scalar, buffer.resource()) {
            (Scalar::F32, _) => self.words(buffer, true)?,
            (Scalar::F64, Some(name)) => {
                self.shading.written.insert(name);
                self.view(name, &Ty::Scalar(Scalar::U64))?
            }
            _ => return Err(self.refuse_update("such a float", scalar.size())),
        };
        let unit = scalar.size() as u64;
        let elem = super::super::place::ir_size(&place.of).ok_or_else(|| self.refuse("a part without a size"))?;
        let name = |at: usize| names.get(at).cloned().unwrap_or_default();
        let mut terms = vec![(name(0), elem / unit)];
        let (mut fixed, mut ty, mut dynamic) = (0, place.of.clone(), 1);
        for (step, _) in place.steps.iter().zip(&path.segments) {
            let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
            let part = self.module.signs.part(&ty, number).ok_or_else(|| self.internal("no such part"))?;
            let bytes = super::super::place::ir_size(&part).ok_or_else(|| self.refuse("a part without a size"))?;
            match (step, &ty) {
                (Step::Part(k), Ty::Struct(of)) => fixed += self.field_offset(*of, *k)? / unit,
                (Step::Part(k), _) => fixed += *k as u64 * bytes / unit,
                (Step::Index(index), _) => match index.literal() {
                    Some(Literal::Int(k)) if ty.len().is_some_and(|n| u64::try_from(k).is_ok_and(|k| k < n)) => {
                        fixed += k as u64 * bytes / unit;
                    }
                    _ => {
                        terms.push((name(dynamic), bytes / unit));
                        dynamic += 1;
                    }
                },
            }
            ty = part;
        }
        let mut text: Vec<String> =
            terms.into_iter().map(|(name, by)| if by == 1 { name } else { format!("{name} * {by}u") }).collect();
        if fixed > 0 {
            text.push(format!("{fixed}u"));
        }
        Ok(format!("{view}[{}]", text.join(" + ")))
    }

    pub(super) fn field_offset(&self, of: caustic_ir::Type, field: usize) -> Result<u64, Diagnostic> {
        let fields: Vec<_> = StructType(of).fields().map(|f| f.ty).collect();
        let offsets = caustic_runtime::layout::struct_layout(&fields).map(|(_, offsets)| offsets);
        offsets.and_then(|o| o.get(field).copied()).ok_or_else(|| self.refuse("a struct without a layout"))
    }

    /// A resource's memory as elements of another type.
    pub(super) fn view(&mut self, name: Name, elem: &Ty) -> Text {
        let (known, word) = (self.known(name)?, self.word_of_ty(elem, true)?);
        if !self.shader()?.syntax.memory.views {
            // The next round knows that it is words.
            self.shading.worded.insert(name);
            return Ok(known);
        }
        // What it is in the program is declared anyhow.
        if !self.is_bytes(name) && self.module.contents(name).is_some_and(|ty| ty == *elem) {
            return Ok(known);
        }
        let wanted = format!("{}_{word}s", known.trim_end_matches('_'));
        let (view, _) = self.made_name(&format!("view {known} {word}"), &wanted);
        self.shading.views.insert(view.clone(), (name, elem.clone()));
        Ok(view)
    }

    /// A function that updates a number at a path, and its call. The place is a word, if the number
    /// is a float.
    fn reaching_atomic(
        &mut self,
        kind: &str,
        (path, params, checks, place): (&Path, Vec<String>, String, String),
        given: Vec<String>,
        ty: &Ty,
        by_bits: bool,
    ) -> Result<Bound, Diagnostic> {
        let word = self.shader_ty(ty, false)?;
        let zero = self.shader_zero(ty, false)?;
        let given_names: &[&str] = if kind == "cas" { &["expected", "value"] } else { &["value"] };
        let (text, held) = match place.split_once('|') {
            Some((text, held)) => (text.to_string(), held.to_string()),
            None => (place, word.clone()),
        };
        let body = self.atomic_body(kind, &text, ty, (&held, by_bits))?;
        let wanted = format!("{}_{}", self.words_of(path, path.segments.len()), atomic_name(kind));
        let (name, new) = self.made_name(&format!("atomic {kind} {text} {word}"), &wanted);
        if new {
            let check = match checks.is_empty() {
                true => String::new(),
                false => {
                    format!("    {}\n", (self.statements().when)(&format!("!({checks})"), &format!("return {zero};")))
                }
            };
            let indices = params.iter().map(|p| (self.word(Scalar::U32), &p[..]));
            let params: Vec<(&str, &str)> = indices.chain(given_names.iter().map(|n| (&word[..], *n))).collect();
            let text = self.made_function(Some(&word), &name, &params, &format!("\n{check}{body}"));
            self.shading.reaches.push(text);
        }
        Ok(atom(format!("{name}({})", given.join(", "))))
    }

    /// The statements that update what is at a place by `value` and return what was there.
    pub(super) fn atomic_body(&mut self, kind: &str, at: &str, ty: &Ty, (held, by_bits): (&str, bool)) -> Text {
        if self.in_words() {
            return self.weak_update(kind, at, ty, (held, by_bits));
        }
        if self.updates_by_pointer() {
            return self.pointed_update(kind, at, ty);
        }
        let scalar = ty.scalar().ok_or_else(|| self.internal("an update of no scalar"))?;
        let word = (self.language.scalar)(scalar);
        let native = (self.shader()?.atomic)(kind);
        if scalar.size() == 8 {
            if self.is_words(scalar) {
                return Err(self.refuse_update("64 bits", 8));
            }
            self.shading.extensions.extend(self.shader()?.syntax.wide_updates);
        } else if scalar.size() < 4 {
            return Err(self.refuse_update("a small number", scalar.size()));
        }
        let update = self.shader()?.syntax.update;
        let compared = kind.ends_with("si") || kind.ends_with("ui");
        if let Some(function) = native.filter(|_| !by_bits && (held == word || !compared)) {
            let args = if kind == "cas" { "expected, value" } else { "value" };
            let args: Vec<String> =
                args.split(", ").map(|a| if held == word { a.to_string() } else { format!("{held}({a})") }).collect();
            let call = update(function, at, &args.join(", "), Some((held, "old")));
            let old = if held == word { "old".to_string() } else { format!("{word}(old)") };
            return Ok(format!("    {call}\n    return {old};\n"));
        }
        // By comparison and exchange: of floats the bits.
        let bits = (self.shader()?.words)(scalar).filter(|_| by_bits);
        let (from, to, held) = match &bits {
            Some(bits) => (bits.from_bits, bits.to_bits, (self.language.scalar)(bits.unsigned)),
            None => (word, held, held),
        };
        if kind == EXCHANGE {
            let call = update(self.updates(EXCHANGE)?, at, &format!("{to}(value)"), Some((held, "old")));
            return Ok(format!("    {call}\n    return {from}(old);\n"));
        }
        let swap = self.updates("cas")?;
        let swapped = |by: &str| update(swap, at, &format!("bits, {to}({by})"), Some((held, "low")));
        if kind == "cas" {
            // The expected float may have other bits than the one that is there.
            return Ok(format!(
                "    for (;;) {{\n        {held} bits = {at};\n        if ({from}(bits) != expected) return {from}(bits);\n        \
                 {}\n        if (low == bits) return {from}(bits);\n    }}\n",
                swapped("value")
            ));
        }
        let (new, precise) = (self.combined_values(kind, scalar)?, self.statements().precise);
        Ok(format!(
            "    for (;;) {{\n        {held} bits = {at};\n        {word} old = {from}(bits);\n        {precise}{word} both = {new};\n        \
             {}\n        if (low == bits) return old;\n    }}\n",
            swapped("both")
        ))
    }

    /// The function of the language that updates an integer so.
    pub(super) fn updates(&self, kind: &str) -> Result<&'static str, Diagnostic> {
        (self.shader()?.atomic)(kind).ok_or_else(|| self.refuse(format!("an update by `{kind}`")))
    }

    /// `old` and `value`, combined.
    pub(super) fn combined_values(&mut self, kind: &str, scalar: Scalar) -> Text {
        if self.is_words(scalar) {
            return self.wide_combined(kind, scalar);
        }
        let function = match kind {
            "add" => return Ok("old + value".to_string()),
            "mul" => return Ok("old * value".to_string()),
            "and" => return Ok("old & value".to_string()),
            "or" => return Ok("old | value".to_string()),
            "xor" => return Ok("old ^ value".to_string()),
            "cas" => return Ok("old == expected ? value : old".to_string()),
            EXCHANGE => return Ok("value".to_string()),
            "minnumf" => "min_num",
            "maxnumf" => "max_num",
            "minimumf" => "minimum",
            "maximumf" => "maximum",
            "minsi" | "minui" if self.in_words() => return Ok("min(old, value)".to_string()),
            "maxsi" | "maxui" if self.in_words() => return Ok("max(old, value)".to_string()),
            "minsi" | "minui" => "least",
            "maxsi" | "maxui" => "most",
            other => return Err(self.refuse(format!("an update by `{other}`"))),
        };
        self.instance(function, scalar, scalar)?;
        Ok(format!("{function}(old, value)"))
    }
}

pub(super) fn atomic_name(kind: &str) -> &str {
    match kind {
        EXCHANGE => "exchange",
        "cas" => "compare_exchange",
        "minsi" | "minui" | "minnumf" | "minimumf" => "atomic_min",
        "maxsi" | "maxui" | "maxnumf" | "maximumf" => "atomic_max",
        "add" => "atomic_add",
        "mul" => "atomic_multiply",
        "and" => "atomic_and",
        "or" => "atomic_or",
        _ => "atomic_xor",
    }
}

/// Whether a field goes on behind its struct.
pub(super) fn is_unsized_field(of: caustic_ir::Type, field: usize) -> bool {
    StructType(of).field(field).is_some_and(|f| is_unsized_array(f.ty))
}
