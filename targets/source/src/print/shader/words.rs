//! Memory of languages in which only scalars of 32 bits and structs of these are laid out as C lays
//! them out: vectors in memory are structs of their components, what is updated is declared so, and
//! all else is words.

use super::super::{Printer, Text};
use super::instance::AXES;
use super::place::Path;
use crate::tree::{Buffer, Place, Root};
use crate::types::{Ty, is_integer};
use caustic_dialects::agg::{self, EXCHANGE, StructType, as_buffer, ends_unsized};
use caustic_dialects::reflect::{Scalar, resource_type};
use caustic_dialects::tex;
use caustic_ir::{Body, Diagnostic, Loc, LocKind, Name, OpId, Type};

impl Printer<'_> {
    /// Whether memory holds words and structs of words only.
    pub(in super::super) fn in_words(&self) -> bool {
        self.language.shader.is_some_and(|s| s.syntax.memory.words)
    }

    /// Resources whose contents cannot be declared by their type.
    pub(super) fn undeclarable(&self) -> Vec<Name> {
        let params = self.module.interface.params.iter().map(|p| p.symbol);
        params.filter(|&p| self.module.contents(p).is_some_and(|ty| self.has_small(&ty))).collect()
    }

    /// The buffers whose elements go on behind their struct: no declaration says how far.
    pub(super) fn unsized_buffers(&self) -> Vec<Name> {
        let params = self.module.interface.params.iter().map(|p| p.symbol);
        let ends = |name: Name| {
            let ty = self.module.ir.get(name).and_then(resource_type)?;
            as_buffer(ty).filter(|(elem, _)| ends_unsized(*elem))
        };
        params.filter(|&name| ends(name).is_some()).collect()
    }

    /// Whether there are scalars of another size than a word in a type.
    pub(super) fn has_small(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Scalar(s) | Ty::Vector { elem: s, .. } => s.size() != 4,
            Ty::Struct(of) => (0..StructType(*of).num_fields())
                .filter_map(|k| self.module.signs.field(*of, k))
                .any(|field| self.has_small(&field)),
            Ty::Array(_, elem) => self.has_small(elem),
            Ty::Tape(_) | Ty::Handle(_) => true,
        }
    }

    /// Whether a value of this type is another one in memory.
    pub(super) fn is_packed(&self, ty: &Ty, stored: bool) -> bool {
        stored && (self.is_packed_struct(ty, stored) || self.has_packed(ty))
    }

    /// Whether it is a struct of ours.
    pub(super) fn is_packed_struct(&self, ty: &Ty, stored: bool) -> bool {
        stored && self.in_words() && self.has_native_rows(ty) && ty.scalar() != Some(Scalar::Bool)
    }

    /// Whether it is of vectors that the language has for memory.
    pub(super) fn has_packed(&self, ty: &Ty) -> bool {
        self.has_native_rows(ty) && self.language.shader.is_some_and(|s| s.syntax.memory.packed.is_some())
    }

    /// Whether a vector, or the rows of a matrix, are the language's.
    fn has_native_rows(&self, ty: &Ty) -> bool {
        let Ty::Vector { shape, elem } = ty else { return false };
        self.language.shader.zip(shape.last()).is_some_and(|(s, &n)| (s.vector)(n, *elem).is_some())
    }

    /// The struct that stands for a vector in memory.
    pub(super) fn packed_word(&mut self, size: u64, elem: Scalar) -> String {
        let word = match self.word(elem) {
            word if word == self.word(Scalar::F32) => "float",
            word if word == self.word(Scalar::I32) => "int",
            _ => "uint",
        };
        let wanted = format!("packed_{word}{size}");
        let (name, new) = self.made_name(&wanted, &wanted);
        if new {
            let scalar = self.word(elem);
            let fields: Vec<String> =
                AXES[..size as usize].iter().map(|axis| (self.statements().param)(scalar, axis)).collect();
            self.shading.packed.push(format!("struct {name} {{ {} }}\n", fields.join(", ")));
        }
        name
    }

    /// A value of memory as one of registers, or the other way around.
    pub(super) fn repacked(&mut self, text: &str, ty: &Ty, to_memory: bool) -> Text {
        if self.has_packed(ty) && self.is_native(ty) {
            return self.repacked_vector(text, ty, to_memory);
        }
        let (from, to) = (self.shader_ty(ty, !to_memory)?, self.shader_ty(ty, to_memory)?);
        let word = if to_memory { "pack" } else { "unpack" };
        let wanted = format!("{word}_{}", if to_memory { &from } else { &to });
        let (name, new) = self.made_name(&format!("{word} {from}"), &wanted);
        if new {
            let mut parts = Vec::new();
            for k in 0..ty.len().unwrap_or(0) as usize {
                let part = self.part_text("a", ty, k);
                let row = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                parts.push(if row.is_vector() { self.repacked(&part, &row, to_memory)? } else { part });
            }
            let body = format!(" return {}; ", self.listed(&to, true, &parts)?);
            let text = self.made_function(Some(&to), &name, &[(&from, "a")], &body);
            self.shading.made.push(text);
        }
        Ok(format!("{name}({text})"))
    }

    /// The same of a vector of the language, which becomes one of memory by itself.
    fn repacked_vector(&mut self, text: &str, ty: &Ty, to_memory: bool) -> Text {
        let of_truth = ty.scalar() == Some(Scalar::Bool);
        let numbers = self.shader_ty(&ty.with_scalar(self.truth_scalar()), false)?;
        let word = self.shader_ty(ty, false)?;
        Ok(match (to_memory, of_truth) {
            (true, false) => text.to_string(),
            (true, true) => format!("{numbers}({text})"),
            (false, false) => format!("{word}({text})"),
            (false, true) => format!("{word}({numbers}({text}))"),
        })
    }

    // ----- what is updated

    /// Whether a resource's scalars are updated, so that all reads and writes of them are.
    pub(super) fn is_updated(&self, name: &str) -> bool {
        self.in_words() && self.shading.updated.contains(name)
    }

    pub(super) fn note_updated(&mut self, name: &str) {
        if self.in_words() {
            self.shading.updated.insert(name.to_string());
        }
    }

    /// Several updated scalars are not read or written at once: their memory becomes words.
    pub(super) fn note_whole(&mut self, place: &Place, path: &Path) {
        if let Root::Element { buffer, .. } = &place.root
            && let Some(name) = buffer.resource()
            && !path.ty().is_scalar()
            && self.is_updated(path.name())
        {
            self.shading.worded.insert(name);
        }
    }

    /// The type of a scalar in memory that is updated, if it is.
    pub(super) fn updated_ty(&self, name: &str, word: String) -> String {
        if self.is_updated(name) { format!("atomic<{word}>") } else { word }
    }

    /// What reads a scalar of a resource at a place.
    pub(super) fn loaded(&self, name: &str, place: &str) -> String {
        if self.is_updated(name) { format!("atomicLoad(&{place})") } else { place.to_string() }
    }

    /// What writes it.
    pub(super) fn stored(&self, name: &str, place: &str, value: &str) -> String {
        match self.is_updated(name) {
            true => format!("atomicStore(&{place}, {value});"),
            false => format!("{place} = {value};"),
        }
    }

    /// Whether a place that is updated is an integer that memory is declared to be made of; if not,
    /// the memory becomes words.
    pub(super) fn updates_declared(&mut self, place: &Place, path: &Path, ty: &Ty) -> bool {
        if !self.in_words() {
            return true;
        }
        let Root::Element { buffer, .. } = &place.root else { return true };
        let Some(name) = buffer.resource() else { return true };
        let scalar = |ty: &Ty| ty.is_scalar() && ty.scalar().is_some_and(is_integer);
        let contents = self.module.contents(name);
        let declared = match contents {
            Some(Ty::Array(_, elem)) if self.is_shared(name) => scalar(&elem) && scalar(path.ty()),
            Some(held) => scalar(&held) && place.steps.is_empty() && !matches!(buffer, Buffer::Retyped(..)),
            None => false,
        };
        if declared && scalar(ty) {
            self.note_updated(path.name());
            return true;
        }
        self.shading.worded.insert(name);
        false
    }

    /// The statements that update what is at a place by `value` and return what was there, in a
    /// language whose exchange may fail. `held` is the word for what memory holds.
    pub(super) fn weak_update(&mut self, kind: &str, at: &str, ty: &Ty, (held, by_bits): (&str, bool)) -> Text {
        let scalar = ty.scalar().ok_or_else(|| self.internal("an update of no scalar"))?;
        let word = self.word(scalar);
        if scalar.size() != 4 {
            return Err(self.refuse_update("such a number", scalar.size()));
        }
        let same = held == word;
        let (from, to) = if by_bits { ("bitcast<f32>", "bitcast<u32>") } else { (word, held) };
        let wrapped = |function: &str, text: &str| if same { text.to_string() } else { format!("{function}({text})") };
        let (value, swap) = (wrapped(to, "value"), self.updates("cas")?);
        if kind == "cas" && !by_bits {
            let expected = wrapped(to, "expected");
            return Ok(format!(
                "    var old = {expected};\n    loop {{\n        let swapped = {swap}(&{at}, {expected}, {value});\n        \
                 old = swapped.old_value;\n        if (swapped.exchanged || (old != {expected})) {{ break; }}\n    }}\n    \
                 return {};\n",
                wrapped(from, "old")
            ));
        }
        let old = wrapped(from, "bits");
        if kind == "cas" {
            // The expected float may have other bits than the one that is there.
            return Ok(format!(
                "    var bits = atomicLoad(&{at});\n    while ({old} == expected) {{\n        \
                 let swapped = {swap}(&{at}, bits, {value});\n        if (swapped.exchanged) {{ break; }}\n        \
                 bits = swapped.old_value;\n    }}\n    return {old};\n"
            ));
        }
        let compared = kind.ends_with("si") || kind.ends_with("ui");
        let native = (self.shader()?.atomic)(kind);
        if let Some(function) = native.filter(|_| kind == EXCHANGE || (!by_bits && (same || !compared))) {
            return Ok(format!("    return {};\n", wrapped(from, &format!("{function}(&{at}, {value})"))));
        }
        let (new, next) = (self.combined_values(kind, scalar)?, wrapped(to, "next"));
        Ok(format!(
            "    var bits = atomicLoad(&{at});\n    loop {{\n        let old = {old};\n        let next = {new};\n        \
             let swapped = {swap}(&{at}, bits, {next});\n        if (swapped.exchanged) {{ break; }}\n        \
             bits = swapped.old_value;\n    }}\n    return {old};\n"
        ))
    }

    pub(super) fn refuse_missing(&self, scalar: Scalar) -> Result<(), Diagnostic> {
        let Some(what) = self.language.shader.and_then(|s| (s.lacks)(scalar)) else { return Ok(()) };
        let refused = self.refuse(what);
        Err(Diagnostic { loc: self.place_of_doubles().unwrap_or(refused.loc), ..refused })
    }

    /// Where the program first computes a double.
    fn place_of_doubles(&self) -> Option<Loc> {
        let is_double = |ty: Type| ty.elem() == Type::f64();
        self.place_of(&|body, op| body.results(op).iter().any(|&v| is_double(body.ty(v))))
    }

    /// Where the program first does what an op is.
    pub(in crate::print) fn place_of(&self, is: &dyn Fn(&Body, OpId) -> bool) -> Option<Loc> {
        self.module.functions().into_iter().find_map(|symbol| {
            let body = &symbol.body;
            let mut places = body.walk_all().into_iter().filter(|&op| is(body, op)).map(|op| body.loc(op).source());
            places.find(|loc| matches!(loc.kind(), LocKind::Span { .. }))
        })
    }

    /// Refuses an atomic update of a number of so many bytes, where it is.
    pub(super) fn refuse_update(&self, of: &str, size: usize) -> Diagnostic {
        let refused = self.refuse(format!("an atomic update of {of}"));
        let is = |body: &Body, op: OpId| {
            let updates = agg::AtomicView::of(body, op).is_some();
            updates && body.results(op).iter().any(|&v| body.ty(v).scalar_bits() == Some(8 * size as u32))
        };
        Diagnostic { loc: self.place_of(&is).unwrap_or(refused.loc), ..refused }
    }

    /// Refuses accesses to textures where texels cannot be read: before what they are made of is.
    pub(super) fn refuse_textures(&self) -> Result<(), Diagnostic> {
        if !self.lacks_texels()? {
            return Ok(());
        }
        match self.place_of(&|body, op| tex::TexView::of(body, op).is_some() || tex::Store::is(body, op)) {
            Some(loc) => Err(Diagnostic { loc, ..self.refuse("an access to a texture") }),
            None => Ok(()),
        }
    }
}
