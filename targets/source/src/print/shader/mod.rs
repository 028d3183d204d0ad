//! What languages without templates, references and memory of their own print otherwise: shading
//! languages.
//!
//! Types are the language's own vectors, arrays of these, and structs: a matrix is the array of its
//! rows, in registers and in memory. A truth value is a byte in arrays and in structs that come
//! from memory.
//!
//! Invariant: what is made while a function is printed (functions for a type, functions that reach
//! a resource) stands before all functions of the program.

mod addresses;
mod bare;
mod barriers;
mod bytes;
mod carried;
mod compact;
mod constant;
mod emulated;
mod exact;
mod exchange;
mod expr;
mod file;
mod handed;
mod instance;
mod layout;
mod length;
mod members;
mod outward;
mod padding;
mod place;
mod pointed;
mod printf;
mod shift;
mod small;
mod texture;
mod truths;
mod uniforms;
mod value;
mod variables;
mod wave;
mod wide;
mod words;

pub(super) use carried::split_carried;
pub(super) use exact::{Inexact, isolate};
pub(super) use handed::COUNTS;
pub(super) use place::PARAMETERS;
pub(super) use texture::TEXEL_VARIABLES;
pub(super) use variables::{own_params, own_places, take_values};

use super::{Printer, Text};
use crate::lang::Shader;
use crate::lang::syntax::{C, Statements};
use crate::ops::Accuracy;
use crate::tree::{Function, Var};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Name, Type};
use caustic_runtime::layout::{layout_of, struct_layout};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// What a shader's printer collects.
#[derive(Default)]
pub(super) struct State {
    /// Constants and functions for types, in the order in which they are declared.
    made: Vec<String>,
    /// Structs that stand for vectors in memory.
    packed: Vec<String>,
    seen: FxHashSet<String>,
    /// Functions that reach resources.
    reaches: Vec<String>,
    /// Structs that arrays are members of, each with how many structs of the program stand before.
    arrays: Vec<(usize, String)>,
    /// Arrays that are no structs.
    pub(super) bare: bare::Bare,
    /// Names of both, by what they are for. Those of a first round are kept in a second one, so
    /// that no variable of a function has them.
    names: FxHashMap<String, String>,
    /// How many loops the function that is printed has, by what their variables are to be called.
    pub(super) loops: FxHashMap<String, usize>,
    pub(super) extensions: BTreeSet<&'static str>,
    accuracy: BTreeMap<&'static str, Accuracy>,
    /// Textures and samplers that are reached.
    textures: FxHashSet<Name>,
    /// Whether lanes exchange values.
    waves: bool,
    /// The widths of floats.
    floats: BTreeSet<usize>,
    /// Resources that results of arithmetic are written to.
    exact: FxHashSet<Name>,
    /// Resources that are written, and other views of their memory.
    written: FxHashSet<Name>,
    views: BTreeMap<String, (Name, Ty)>,
    /// Whether memory is declared several times.
    pub(super) aliased: bool,
    /// Functions through pointers: what they do, their names, and of which type; and the resources
    /// that pointers lead to, by number.
    pointers: Vec<(String, String, Ty)>,
    addressed: BTreeSet<usize>,
    /// Memory that is words in the text, since it is not only reached by its type: of groups, and
    /// what pointers lead to.
    pub(super) worded: FxHashSet<Name>,
    /// Resources, by their names in the text, whose scalars are updated.
    pub(super) updated: FxHashSet<String>,
}

/// Elements that an array may have in WGSL.
const MOST_ELEMENTS: u64 = 65535;

impl Printer<'_> {
    /// Takes over from the round before: names that it gave to what it made, and what it found out
    /// of memory.
    pub(super) fn keep(&mut self, before: State) {
        before.names.values().for_each(|name| self.names.reserve(name));
        (self.shading.names, self.shading.worded, self.shading.waves) = (before.names, before.worded, before.waves);
        self.shading.updated = before.updated;
        for (name, ..) in self.language.shader.map_or(&[][..], |s| s.syntax.ids) {
            self.names.reserve(name);
            self.names.reserve(&format!("{name}_"));
        }
        self.shading.worded.extend(self.unsized_buffers());
        if self.in_words() {
            self.shading.worded.extend(self.undeclarable());
        } else {
            self.note_words();
        }
    }

    /// The variables of a function that are declared `precise`: no structs, where arithmetic goes
    /// into their members by variables.
    pub(super) fn exact_variables(&self, function: &Function) -> FxHashSet<Var> {
        let mut found = exact::exact_variables(function);
        // What is zero by a function is a struct that a function gives.
        let large = |var: &Var| self.scalars_in(&function.vars[var.0].ty) > value::MOST_WRITTEN;
        found.extend(exact::cleared_structs(function).into_iter().filter(large));
        if self.makes_values() {
            found.retain(|var| exact::is_plain(&function.vars[var.0].ty));
        }
        found
    }

    /// Memory whose declaration keeps no arithmetic exact, as far as it is known before.
    pub(super) fn inexact_memory(&self) -> Inexact<'_> {
        match self.language.shader.is_some_and(|s| !s.syntax.memory.precise) {
            true => Inexact::All,
            false => Inexact::Words(&self.shading.worded),
        }
    }

    pub(super) fn shader(&self) -> Result<&'static Shader, Diagnostic> {
        self.language.shader.ok_or_else(|| self.internal("no shading language"))
    }

    /// How the language writes statements.
    pub(super) fn statements(&self) -> &'static Statements {
        self.language.shader.map_or(&C, |shader| &shader.syntax.statements)
    }

    /// A function that is made: its result, name and parameters (types and names), and its body.
    fn made_function(&self, result: Option<&str>, name: &str, params: &[(&str, &str)], body: &str) -> String {
        let syntax = self.statements();
        let params: Vec<String> = params.iter().map(|(ty, name)| (syntax.param)(ty, name)).collect();
        format!("{} {{{body}}}\n", (syntax.head)(result, name, &params))
    }

    /// The language's word for a scalar.
    pub(super) fn word(&self, scalar: Scalar) -> &'static str {
        (self.language.scalar)(scalar)
    }

    /// The name of what is made for `key`, and whether it is new.
    fn made_name(&mut self, key: &str, wanted: &str) -> (String, bool) {
        let new = self.shading.seen.insert(key.to_string());
        if let Some(name) = self.shading.names.get(key) {
            return (name.clone(), new);
        }
        let name = self.global_name(&self.without_prefix(wanted));
        self.shading.names.insert(key.to_string(), name.clone());
        (name, new)
    }

    // ----- types

    /// The scalar that stands for this one in memory.
    fn stored_scalar(&self, scalar: Scalar, stored: bool) -> Scalar {
        if stored && scalar == Scalar::Bool { self.truth_scalar() } else { scalar }
    }

    /// What holds a truth value in memory.
    pub(super) fn truth_scalar(&self) -> Scalar {
        self.language.shader.map_or(Scalar::U8, |s| s.syntax.truth)
    }

    fn note_scalar(&mut self, scalar: Scalar, stored: bool) -> Result<(), Diagnostic> {
        self.refuse_missing(scalar)?;
        let extensions = (self.shader()?.extensions)(scalar, stored);
        self.shading.extensions.extend(extensions);
        if scalar.is_float() {
            self.shading.floats.insert(8 * scalar.size());
        }
        Ok(())
    }

    /// A type, as it is in registers or `stored` in memory.
    pub(super) fn shader_ty(&mut self, ty: &Ty, stored: bool) -> Text {
        let (word, sizes) = self.parts_of_ty(ty, stored)?;
        Ok((self.statements().array)(&word, &sizes))
    }

    /// A type's innermost word, and the sizes of the arrays around it.
    pub(super) fn parts_of_ty(&mut self, ty: &Ty, stored: bool) -> Result<(String, Vec<u64>), Diagnostic> {
        let (mut word, sizes) = self.arrays_of_ty(ty, stored)?;
        if !self.makes_values() {
            return Ok((word, sizes));
        }
        for &count in sizes.iter().rev() {
            word = self.array_struct(&word, count);
        }
        Ok((word, Vec::new()))
    }

    fn arrays_of_ty(&mut self, ty: &Ty, stored: bool) -> Result<(String, Vec<u64>), Diagnostic> {
        Ok(match ty {
            Ty::Scalar(s) => {
                let scalar = self.stored_scalar(*s, stored);
                self.note_scalar(scalar, stored)?;
                ((self.language.scalar)(scalar).to_string(), Vec::new())
            }
            Ty::Vector { shape, elem } => {
                let scalar = self.stored_scalar(*elem, stored);
                self.note_scalar(scalar, stored)?;
                let sizes: Vec<u64> = shape.iter().map(|&n| u64::from(n)).collect();
                let (&last, rest) = sizes.split_last().ok_or_else(|| self.internal("a vector without a size"))?;
                if self.is_packed_struct(ty, stored) {
                    return Ok((self.packed_word(last, scalar), rest.to_vec()));
                }
                if let ([rows], Some(matrix)) = (rest, self.shader()?.syntax.matrix) {
                    return Ok((matrix(*rows, last, (self.language.scalar)(scalar)), Vec::new()));
                }
                let packed = self.shader()?.syntax.memory.packed.filter(|_| stored).unwrap_or_default();
                match (self.shader()?.vector)(u32::try_from(last).unwrap_or(0), scalar) {
                    Some(word) => (format!("{packed}{word}"), rest.to_vec()),
                    None => ((self.language.scalar)(scalar).to_string(), sizes),
                }
            }
            Ty::Struct(of) => (self.structure(*of)?, Vec::new()),
            Ty::Array(count, _) if *count > MOST_ELEMENTS && self.in_words() => {
                return Err(self.refuse(format!("an array of {count} elements")));
            }
            Ty::Array(count, elem) => {
                let (word, mut sizes) = self.parts_of_ty(elem, true)?;
                // There are no arrays of nothing.
                sizes.insert(0, (*count).max(1));
                (word, sizes)
            }
            Ty::Tape(_) => return Err(self.refuse("an array that grows")),
            Ty::Handle(of) => {
                let what = match caustic_dialects::agg::as_buffer(*of) {
                    Some(_) => "a buffer".to_string(),
                    None if caustic_dialects::tex::TextureType::of(*of).is_some() => "a texture".to_string(),
                    None => format!("a value of type {of}"),
                };
                return Err(self.refuse(format!("a variable or an array that holds {what}")));
            }
        })
    }

    /// A name for a type as part of other names.
    pub(super) fn word_of_ty(&mut self, ty: &Ty, stored: bool) -> Text {
        let (word, sizes) = self.parts_of_ty(ty, stored)?;
        Ok(word + &sizes.iter().map(|n| format!("_{n}")).collect::<String>())
    }

    /// Whether the language has the type without an array or a struct.
    fn is_native(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Scalar(_) => true,
            Ty::Vector { shape, elem } => {
                shape.len() == 1 && self.language.shader.is_some_and(|s| (s.vector)(shape[0], *elem).is_some())
            }
            _ => false,
        }
    }

    /// Whether a part of a value of this type is stored as in memory.
    fn stores(&self, ty: &Ty, stored: bool) -> bool {
        match ty {
            Ty::Struct(of) => self.held.contains(of),
            Ty::Array(..) => true,
            _ => stored,
        }
    }

    /// A field's type in the struct.
    fn stored_field(&mut self, of: Type, index: usize) -> Text {
        let field = self.field_ty(of, index)?;
        if self.is_bare_field(of, index) {
            return self.bare_ty(&field);
        }
        let stored = self.held.contains(&of);
        self.shader_ty(&field, stored)
    }

    /// Bytes that a struct has behind its last field, if it may be in memory.
    fn padding(&self, of: Type) -> Option<u64> {
        if !self.held.contains(&of) || !self.language.shader.is_some_and(|s| s.syntax.memory.pads) {
            return None;
        }
        let fields: Vec<Type> = StructType(of).fields().map(|f| f.ty).collect();
        let (_, offsets) = struct_layout(&fields)?;
        let end = offsets.last()? + layout_of(fields.last()?)?.size;
        let whole = layout_of(&of)?.size;
        whole.checked_sub(end).filter(|&n| n > 0)
    }

    /// The type and the size of the field that pads a struct.
    fn padding_field(&mut self, of: Type) -> Result<Option<Ty>, Diagnostic> {
        let Some(bytes) = self.padding(of) else { return Ok(None) };
        let scalar = match bytes % 4 {
            0 => Scalar::U32,
            2 => Scalar::U16,
            _ => Scalar::U8,
        };
        self.note_scalar(scalar, true)?;
        let count = bytes / scalar.size() as u64;
        Ok(Some(if count == 1 { Ty::Scalar(scalar) } else { Ty::Array(count, Box::new(Ty::Scalar(scalar))) }))
    }
}
