//! What a kernel's parameters are bound to, and what it left there.

use crate::array::{self, Array};
use crate::diagnostics::{Diagnostics, Error, Texts};
use crate::options::whole_file;
use crate::value::{Element, Value, decode, places_of, scalars_of};
use caustic_dialects::reflect::{DataType, ParamKind, Scalar};
use caustic_ir::Diagnostic;
use caustic_ir::codes;
use caustic_ir::texels::Sampler;
use caustic_runtime::binding::{is_tensor, named};
use caustic_runtime::output::default_scalar;
use caustic_runtime::value::print_scalar;
use caustic_runtime::{BindError, KernelInterface, KernelParam, TextureContents};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The contents of a kernel's parameters, by their names.
///
/// A name is that of a parameter or a path into one: `a.b`, `a[3]`, `a.b[1].c`. What is not bound
/// is zero: a uniform of zeros, a buffer of no elements, a texture of zeros. A dispatch changes
/// buffers in place; after one that failed or was cancelled they may hold anything.
#[derive(Debug)]
pub struct Bindings {
    pub(crate) interface: Arc<KernelInterface>,
    pub(crate) slots: caustic_runtime::Bindings,
    file: String,
    bound: BTreeSet<String>,
    /// The sizes of tensors, as they were given.
    sizes: BTreeMap<String, Vec<u32>>,
}

impl Bindings {
    pub(crate) fn new(interface: &Arc<KernelInterface>, file: &str) -> Bindings {
        Bindings {
            interface: interface.clone(),
            slots: caustic_runtime::Bindings::new(interface),
            file: file.to_string(),
            bound: BTreeSet::new(),
            sizes: BTreeMap::new(),
        }
    }

    /// The names of the parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.interface.params.iter().map(|p| p.name.as_str())
    }

    /// Gives a buffer or a uniform its contents as scalars of the type that it is declared with, in
    /// the order in which they lie in memory. A uniform's that are too few leave the rest zero.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such parameter, or it does not hold scalars of this type
    /// alone.
    pub fn set<T: Element>(&mut self, name: &str, contents: &[T]) -> Result<(), Error> {
        let bytes: Vec<u8> = contents.iter().flat_map(|v| v.to_bytes()).collect();
        let interface = self.interface.clone();
        let (param, ty) = named(&interface, name).map_err(|e| self.refused(e))?;
        self.typed::<T>(name, &ty)?;
        if param.is_buffer() { self.buffer(name, &bytes) } else { self.uniform(name, &bytes) }
    }

    /// Gives a buffer its contents as bytes.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn buffer(&mut self, name: &str, contents: &[u8]) -> Result<(), Error> {
        self.slots.bind_buffer(&self.interface, name, contents).map_err(|e| self.refused(e))?;
        self.bound.insert(name.to_string());
        Ok(())
    }

    /// Writes bytes over the first ones of a buffer, which keeps its length, its counter and its
    /// sizes; what is longer than the buffer is cut.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn overwrite(&mut self, name: &str, contents: &[u8]) -> Result<(), Error> {
        let (buffer, _) = self.slots.read_buffer(&self.interface, name).map_err(|e| self.refused(e))?;
        buffer.write(0, &contents[..contents.len().min(buffer.byte_len())]);
        Ok(())
    }

    /// Gives a tensor its contents as bytes, and its sizes along its dimensions; to a buffer these
    /// say nothing. What the bytes are is compared with what the parameter holds, if it is said.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer or tensor, or these do not suit it.
    pub fn shaped(
        &mut self,
        name: &str,
        contents: &[u8],
        shape: Option<&[u32]>,
        scalar: Option<Scalar>,
    ) -> Result<(), Error> {
        if let Some(scalar) = scalar {
            let interface = self.interface.clone();
            let (param, ty) = named(&interface, name).map_err(|e| self.refused(e))?;
            if param.is_buffer() {
                self.holds(name, &ty, scalar)?;
            }
        }
        self.slots.bind_shaped(&self.interface, name, contents, shape).map_err(|e| self.refused(e))?;
        if let Some(shape) = shape {
            self.sizes.insert(name.to_string(), shape.to_vec());
        }
        self.bound.insert(name.to_string());
        Ok(())
    }

    /// Gives a uniform, a constant buffer or a part of one its contents as bytes.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such uniform.
    pub fn uniform(&mut self, name: &str, contents: &[u8]) -> Result<(), Error> {
        self.slots.bind_uniform(&self.interface, name, contents).map_err(|e| self.refused(e))?;
        self.bound.insert(name.to_string());
        Ok(())
    }

    /// Gives a texture its contents.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such texture, or the contents do not suit it.
    pub fn texture(&mut self, name: &str, contents: &TextureContents) -> Result<(), Error> {
        self.slots.bind_texture(&self.interface, name, contents).map_err(|e| self.refused(e))
    }

    /// Says how a sampler filters.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such sampler.
    pub fn sampler(&mut self, name: &str, sampler: Sampler) -> Result<(), Error> {
        self.slots.bind_sampler(&self.interface, name, sampler).map_err(|e| self.refused(e))
    }

    /// Sets the hidden counter of an append or consume buffer.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn counter(&mut self, name: &str, count: u32) -> Result<(), Error> {
        self.slots.set_counter(&self.interface, name, count).map_err(|e| self.refused(e))
    }

    /// That there is a buffer of this name.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is none.
    pub fn require_buffer(&self, name: &str) -> Result<(), Error> {
        self.slots.read_buffer(&self.interface, name).map(|_| ()).map_err(|e| self.refused(e))
    }

    /// The contents of a buffer as bytes.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, Error> {
        self.read_param(name).map(|(bytes, _)| bytes)
    }

    /// The contents of a buffer as the scalars that it is declared with, in the order in which they
    /// lie in memory.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer, or it does not hold scalars of this type
    /// alone.
    pub fn read<T: Element>(&self, name: &str) -> Result<Vec<T>, Error> {
        let (bytes, param) = self.read_param(name)?;
        self.typed::<T>(name, &param.ty)?;
        Ok(bytes.chunks_exact(T::SCALAR.size()).map(T::from_bytes).collect())
    }

    /// The elements of a buffer as they are declared: vectors, matrices, arrays and structs are
    /// lists.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn values(&self, name: &str) -> Result<Vec<Value>, Error> {
        let (bytes, param) = self.read_param(name)?;
        let stride = (param.layout.size as usize).max(1);
        Ok(bytes.chunks_exact(stride).map(|element| decode(&param.ty, element)).collect())
    }

    /// A buffer's contents, and the scalar as which they are shown when nobody says otherwise.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn raw(&self, name: &str) -> Result<(Vec<u8>, Scalar), Error> {
        self.read_param(name).map(|(bytes, param)| (bytes, default_scalar(param)))
    }

    /// The scalars of a buffer of structs or arrays as text, each as its field is declared; `None`
    /// of a buffer of other elements.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn fields_text(&self, name: &str) -> Result<Option<String>, Error> {
        let (bytes, param) = self.read_param(name)?;
        let is_bytes = matches!(param.kind, ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer);
        if is_bytes || !matches!(param.ty, DataType::Struct { .. } | DataType::Array { .. }) {
            return Ok(None);
        }
        let mut places = Vec::new();
        places_of(&param.ty, 0, &mut places);
        let mut text = String::new();
        for element in bytes.chunks_exact((param.layout.size as usize).max(1)) {
            for (at, scalar) in &places {
                text.push_str(if text.is_empty() { "" } else { ", " });
                print_scalar(*scalar, element.get(*at..at + scalar.size()).unwrap_or_default(), &mut text);
            }
        }
        Ok(Some(text))
    }

    /// What a buffer or a texture holds, as an array of numbers.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer or texture.
    pub fn array(&self, name: &str) -> Result<Array, Error> {
        if named(&self.interface, name).is_ok_and(|(param, _)| param.is_texture()) {
            let texture = self.slots.read_texture(&self.interface, name).map_err(|e| self.refused(e))?;
            let (scalar, shape, bytes) = texture.array();
            let outer = shape.len().saturating_sub(1);
            return Ok(Array { scalar, shape, bytes, texture: true, outer });
        }
        let (bytes, param) = self.read_param(name)?;
        // Derivatives that nobody gave have the shape of the values.
        let sizes = self.sizes.get(name).cloned().or_else(|| self.slots.tensor_shape(&self.interface, name));
        Ok(Array::of_buffer(param, bytes, sizes.as_deref()))
    }

    /// The numbers of an element of a buffer, and their shape: of a vector its length. A struct of
    /// several types of them is bytes.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such buffer.
    pub fn element(&self, name: &str) -> Result<(Scalar, Vec<usize>), Error> {
        self.require_buffer(name)?;
        let (_, ty) = named(&self.interface, name).map_err(|e| self.refused(e))?;
        Ok(array::element(&ty))
    }

    /// Whether the name leads to a tensor, which has a shape.
    pub fn is_tensor(&self, name: &str) -> bool {
        is_tensor(&self.interface, name)
    }

    /// Whether the name is that of a buffer of bytes, which takes elements of any type.
    pub fn is_bytes(&self, name: &str) -> bool {
        let kinds = [ParamKind::ByteAddressBuffer, ParamKind::RwByteAddressBuffer];
        self.interface.params.iter().any(|p| p.name == *name && kinds.contains(&p.kind))
    }

    /// Whether contents were given to the parameter or to a part of it: a part is named `a.b` or
    /// `a[1]`.
    pub fn is_given(&self, name: &str) -> bool {
        let part =
            |n: &String| n.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        self.bound.iter().any(part)
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    fn read_param(&self, name: &str) -> Result<(Vec<u8>, &KernelParam), Error> {
        let (buffer, param) = self.slots.read_buffer(&self.interface, name).map_err(|e| self.refused(e))?;
        Ok((buffer.to_bytes(), param))
    }

    /// That contents of a type are scalars of the type `T` alone.
    fn typed<T: Element>(&self, name: &str, ty: &DataType) -> Result<(), Error> {
        self.holds(name, ty, T::SCALAR)
    }

    /// The same of a scalar that is not known before.
    pub(crate) fn holds(&self, name: &str, ty: &DataType, scalar: Scalar) -> Result<(), Error> {
        let mut scalars = BTreeSet::new();
        scalars_of(ty, &mut |scalar| {
            scalars.insert(scalar.name());
        });
        let wanted = scalar.name();
        if scalars.iter().all(|&name| name == wanted) {
            return Ok(());
        }
        let float = scalar.is_float() && scalars.iter().all(|s| Scalar::from_name(s).is_some_and(Scalar::is_float));
        let held = scalars.into_iter().collect::<Vec<_>>().join(" and ");
        let message = format!("`{name}` holds {held}, not {wanted}");
        let numpy = Scalar::from_name(&held).filter(|_| float).map(|s| format!("float{}", 8 * s.size()));
        let note = match numpy {
            Some(numpy) => format!("convert the numbers, in NumPy by `.astype(\"{numpy}\")`"),
            None => "give and take its contents as bytes, or take them as values".to_string(),
        };
        let found = Diagnostic::error(codes::E0802, whole_file(&self.file), message).with_note(note);
        Err(Error::Rejected(Diagnostics::new(vec![found], Texts::default())))
    }

    fn refused(&self, error: BindError) -> Error {
        let found = error.into_diagnostic(whole_file(&self.file));
        Error::Rejected(Diagnostics::new(vec![found], Texts::default()))
    }
}
