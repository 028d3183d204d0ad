//! Binding contents to a kernel's parameters by name.
//!
//! A name is a parameter or a path into one: `a.b`, `a[3]`, `a.b[1].c`. `[k]` on a struct is its
//! k-th field, on a vector or matrix its k-th component or row. A resource in a struct is a
//! parameter of its own, to which the path leads. What nothing is bound to is zero: a uniform of
//! zeros, a buffer of no elements.

use crate::buffer::Buffer;
use crate::interface::{KernelInterface, KernelParam};
use crate::layout::{layout_of, struct_layout};
use crate::tensor;
use crate::texture::{Texture, TextureContents};
use caustic_dialects::reflect::{DataType, ParamKind};
use caustic_ir::codes::{self, Code};
use caustic_ir::texels::Sampler;
use caustic_ir::{Diagnostic, Input, Loc, Name};
use std::sync::atomic::Ordering::Relaxed;

/// The parameter that a name leads to does not exist or is of another sort.
pub const E_NO_SUCH_PARAM: Code = codes::E0801;
pub const E_WRONG_KIND: Code = codes::E0802;

/// What a parameter is bound to.
#[derive(Debug)]
pub enum Slot {
    /// The contents of a uniform, as many bytes as its type has.
    Uniform(Vec<u8>),
    Buffer(Buffer),
    Texture(Texture),
    Sampler(Sampler),
}

/// What the parameters of a kernel are bound to, in the interface's order.
#[derive(Debug)]
pub struct Bindings {
    slots: Vec<(Name, Slot)>,
}

impl Bindings {
    /// Everything zero.
    pub fn new(interface: &KernelInterface) -> Bindings {
        let slot = |p: &KernelParam| match p.texture {
            _ if p.is_buffer() => Slot::Buffer(Buffer::new(&[], stride(p))),
            _ if p.is_sampler() => Slot::Sampler(Sampler::default()),
            Some(ty) if p.is_texture() => Slot::Texture(Texture::empty(ty)),
            _ => Slot::Uniform(vec![0; size(p)]),
        };
        Bindings { slots: interface.params.iter().map(|p| (p.symbol, slot(p))).collect() }
    }

    /// Counts the elements of buffers as `interface` has them, in which some of the pointers of
    /// `bound` may be buffers: a last element of which a part is bound counts as one of these.
    pub fn count_as(&mut self, interface: &KernelInterface, bound: &KernelInterface) {
        for (((_, slot), now), before) in self.slots.iter_mut().zip(&interface.params).zip(&bound.params) {
            if let Slot::Buffer(buffer) = slot {
                buffer.set_stride(stride(now), before.is_pointer() && !now.is_pointer());
            }
        }
    }

    /// The slot of the `index`-th parameter of the interface.
    pub fn slot(&self, index: usize) -> Option<&Slot> {
        self.slots.get(index).map(|(_, slot)| slot)
    }

    /// The slot of the parameter with that symbol, the `element`-th one of an array of resources.
    pub fn of_symbol(&self, symbol: Name, element: usize) -> Option<&Slot> {
        self.slots.iter().filter(|(s, _)| *s == symbol).nth(element).map(|(_, slot)| slot)
    }

    /// Gives the `index`-th parameter of the interface, a buffer or a uniform, these bytes as its
    /// contents.
    pub fn set_contents(&mut self, interface: &KernelInterface, index: usize, contents: Vec<u8>) {
        let (Some(param), Some((_, slot))) = (interface.params.get(index), self.slots.get_mut(index)) else { return };
        match slot {
            Slot::Buffer(_) => *slot = Slot::Buffer(Buffer::new(&contents, stride(param))),
            Slot::Uniform(bytes) => *bytes = contents,
            Slot::Texture(_) | Slot::Sampler(_) => {}
        }
    }

    /// Gives the buffer or the tensor called `name` its contents.
    pub fn bind_buffer(&mut self, interface: &KernelInterface, name: &str, contents: &[u8]) -> Result<(), BindError> {
        self.bind_shaped(interface, name, contents, None)
    }

    /// The same with the sizes of a tensor along its dimensions; to a buffer they say nothing.
    pub fn bind_shaped(
        &mut self,
        interface: &KernelInterface,
        name: &str,
        contents: &[u8],
        shape: Option<&[u32]>,
    ) -> Result<(), BindError> {
        match tensor::inside(interface, name) {
            Some(path) => self.bind_tensor(interface, &path, contents, shape),
            None => self.bind_plain(interface, name, contents),
        }
    }

    /// A part of a uniform.
    pub(crate) fn uniform_part(&self, interface: &KernelInterface, name: &str) -> Option<&[u8]> {
        let target = find(interface, name, |p| p.kind == ParamKind::Uniform).ok()?;
        let (len, at) = (layout_of(&target.ty)?.size as usize, target.offset as usize);
        match self.slot(target.index)? {
            Slot::Uniform(bytes) => bytes.get(at..at + len),
            _ => None,
        }
    }

    pub(crate) fn bind_plain(
        &mut self,
        interface: &KernelInterface,
        name: &str,
        contents: &[u8],
    ) -> Result<(), BindError> {
        let (index, param) = find_buffer(interface, name)?;
        let buffer = Buffer::new(contents, stride(param));
        if let Slot::Buffer(old) = &self.slots[index].1 {
            buffer.counter().store(old.counter().load(Relaxed), Relaxed);
        }
        self.slots[index].1 = Slot::Buffer(buffer);
        Ok(())
    }

    /// Sets the hidden counter of the buffer called `name`.
    pub fn set_counter(&mut self, interface: &KernelInterface, name: &str, count: u32) -> Result<(), BindError> {
        let (index, _) = find_buffer(interface, name)?;
        if let Slot::Buffer(buffer) = &self.slots[index].1 {
            buffer.counter().store(count, Relaxed);
        }
        Ok(())
    }

    /// Gives the uniform, or the part of one, called `name` its contents. Contents shorter than it
    /// leave the rest zero; longer ones are cut.
    pub fn bind_uniform(&mut self, interface: &KernelInterface, name: &str, contents: &[u8]) -> Result<(), BindError> {
        let Target { index, param, offset, ty, stride, .. } = find(interface, name, |p| p.kind == ParamKind::Uniform)?;
        if let Some((what, input)) = resource_kind(param) {
            let error = BindError::new(E_WRONG_KIND, format!("`{name}` is a {what}, not a uniform"));
            return Err(error.with_input(input));
        }
        let len = layout_of(&ty).map_or(0, |l| l.size as usize);
        let Some((_, Slot::Uniform(bytes))) = self.slots.get_mut(index) else { return Ok(()) };
        if let (Some(stride), DataType::Vector { len, elem }) = (stride, &ty) {
            let given: Vec<&[u8]> = contents.chunks_exact(elem.size()).collect();
            for k in 0..*len as usize {
                let at = offset as usize + k * stride as usize;
                let Some(part) = bytes.get_mut(at..at + elem.size()) else { continue };
                part.fill(0);
                if let Some(value) = given.get(k) {
                    part.copy_from_slice(value);
                }
            }
            return Ok(());
        }
        if let Some(part) = bytes.get_mut(offset as usize..offset as usize + len) {
            part.fill(0);
            let count = contents.len().min(len);
            part[..count].copy_from_slice(&contents[..count]);
        }
        Ok(())
    }

    /// Gives the texture called `name` its contents.
    pub fn bind_texture(
        &mut self,
        interface: &KernelInterface,
        name: &str,
        contents: &TextureContents,
    ) -> Result<(), BindError> {
        let target = find(interface, name, KernelParam::is_texture)?;
        let Some(ty) = target.param.texture.filter(|_| target.beyond == 0) else {
            return Err(BindError::new(E_WRONG_KIND, format!("`{name}` is not a texture")));
        };
        if let Some(misfit) = contents.misfit(ty) {
            return Err(BindError::new(
                E_WRONG_KIND,
                format!("the contents do not suit the texture `{name}`: {misfit}"),
            ));
        }
        self.slots[target.index].1 = Slot::Texture(Texture::new(contents));
        Ok(())
    }

    /// Says how the sampler called `name` filters.
    pub fn bind_sampler(&mut self, interface: &KernelInterface, name: &str, sampler: Sampler) -> Result<(), BindError> {
        let target = find(interface, name, KernelParam::is_sampler)?;
        if !target.param.is_sampler() || target.beyond > 0 {
            return Err(BindError::new(E_WRONG_KIND, format!("`{name}` is not a sampler")));
        }
        self.slots[target.index].1 = Slot::Sampler(sampler);
        Ok(())
    }

    /// The buffer called `name` and its parameter, to be read after a dispatch.
    pub fn read_buffer<'a>(
        &'a self,
        interface: &'a KernelInterface,
        name: &str,
    ) -> Result<(&'a Buffer, &'a KernelParam), BindError> {
        let (index, param) = find_buffer(interface, name)?;
        match self.slot(index) {
            Some(Slot::Buffer(buffer)) => Ok((buffer, param)),
            _ => Err(BindError::new(E_WRONG_KIND, format!("`{name}` is not bound to a buffer"))),
        }
    }

    /// The texture called `name`, to be read after a dispatch.
    pub fn read_texture(&self, interface: &KernelInterface, name: &str) -> Result<&Texture, BindError> {
        let target = find(interface, name, KernelParam::is_texture)?;
        match self.slot(target.index) {
            Some(Slot::Texture(texture)) if target.beyond == 0 => Ok(texture),
            _ => Err(BindError::new(E_WRONG_KIND, format!("`{name}` is not a texture"))),
        }
    }
}

/// The parameter that `name` leads to, and the type of the part of it that is meant.
pub fn named<'a>(interface: &'a KernelInterface, name: &str) -> Result<(&'a KernelParam, DataType), BindError> {
    let data = tensor::data(interface, name);
    find_any(interface, data.as_deref().unwrap_or(name)).map(|target| (target.param, target.ty))
}

/// Whether `name` leads to a view of a tensor.
pub fn is_tensor(interface: &KernelInterface, name: &str) -> bool {
    tensor::data(interface, name).is_some()
}

/// The type of the part that `name` leads to.
pub(crate) fn named_part(interface: &KernelInterface, name: &str) -> Option<DataType> {
    find_any(interface, name).ok().filter(|target| target.beyond == 0).map(|target| target.ty)
}

fn size(param: &KernelParam) -> usize {
    param.layout.size as usize
}

/// Distance between the elements of a buffer; byte-address buffers and what pointers lead to are
/// counted by bytes.
fn stride(param: &KernelParam) -> usize {
    match param.kind {
        ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer | ParamKind::Pointer => 1,
        _ => size(param),
    }
}

/// A name leads to what cannot be bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindError {
    pub code: Code,
    pub message: String,
    pub notes: Vec<String>,
    /// What binds it.
    pub input: Option<Input>,
}

impl BindError {
    pub(crate) fn new(code: Code, message: String) -> BindError {
        BindError { code, message, notes: Vec::new(), input: None }
    }
    fn with_input(self, input: Input) -> BindError {
        BindError { input: Some(input), ..self }
    }
    fn with_note(mut self, note: impl Into<String>) -> BindError {
        self.notes.push(note.into());
        self
    }
    /// The error as a diagnostic about the program at `loc`.
    pub fn into_diagnostic(self, loc: Loc) -> Diagnostic {
        let found = Diagnostic { input: self.input, ..Diagnostic::error(self.code, loc, self.message) };
        self.notes.into_iter().fold(found, Diagnostic::with_note)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Field(String),
    Index(u64),
}

/// The steps of `.b[1].c`; `None` if it is not such a path.
fn parse_steps(mut rest: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            rest = after;
        } else {
            let inside = rest.strip_prefix('.')?;
            let end = inside.find(['.', '[']).unwrap_or(inside.len());
            let (field, after) = inside.split_at(end);
            if field.is_empty() {
                return None;
            }
            steps.push(Step::Field(field.to_string()));
            rest = after;
        }
    }
    Some(steps)
}

/// What a name leads to.
struct Target<'a> {
    index: usize,
    param: &'a KernelParam,
    /// The part of a uniform.
    offset: u64,
    ty: DataType,
    /// Bytes between its components, where it is a row of a matrix that lies by columns.
    stride: Option<u64>,
    /// Steps that go on into something that has no parts to bind.
    beyond: usize,
}

/// What a resource is called, and what binds it.
fn resource_kind(param: &KernelParam) -> Option<(&'static str, Input)> {
    match param.kind {
        ParamKind::Uniform | ParamKind::Unsupported => None,
        ParamKind::Texture | ParamKind::RwTexture => Some(("texture", Input::Texture)),
        ParamKind::Sampler => Some(("sampler", Input::Sampler)),
        _ => Some(("buffer", Input::Buffer)),
    }
}

/// The parameter or part that `name` leads to. Of several parameters with one name (a texture and
/// its sampler) a `wanted` one.
fn find<'a>(
    interface: &'a KernelInterface,
    name: &str,
    wanted: impl Fn(&KernelParam) -> bool,
) -> Result<Target<'a>, BindError> {
    let mut target = find_any(interface, name)?;
    if !wanted(target.param)
        && let Some(index) = interface.params.iter().position(|p| p.name == target.param.name && wanted(p))
    {
        (target.index, target.param) = (index, &interface.params[index]);
    }
    Ok(target)
}

fn find_any<'a>(interface: &'a KernelInterface, name: &str) -> Result<Target<'a>, BindError> {
    // Names of resources in structs and arrays contain `.` and `[`: the longest one that fits is
    // meant.
    let rest_after = |param: &KernelParam| {
        let rest = name.strip_prefix(param.name.as_str())?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest.len())
    };
    let fits = interface.params.iter().enumerate().filter_map(|(i, p)| Some((i, rest_after(p)?)));
    let Some((index, rest)) = fits.min_by_key(|(_, rest)| *rest) else {
        let root = name.split(['.', '[']).next().unwrap_or("");
        if root.is_empty() {
            return Err(no_path(name));
        }
        if let Some(found) = find_in_outer(interface, name) {
            return found;
        }
        let known: Vec<&str> = interface.params.iter().map(|p| p.name.as_str()).collect();
        let message = format!("the program has no parameter `{root}`");
        // The part of a parameter goes by the names on the way to it.
        if let Some(path) = interface.params.iter().find_map(|p| path_to(&p.ty, p.name.as_str(), root)) {
            let rest = &name[root.len()..];
            return Err(BindError::new(E_NO_SUCH_PARAM, message).with_note(format!("did you mean `{path}{rest}`?")));
        }
        return Err(unknown(message, root, &known));
    };
    let steps = parse_steps(&name[name.len() - rest..]).ok_or_else(|| no_path(name))?;
    resolve(interface, index, &steps, name)
}

/// What `name` leads to if it begins with a parameter that has nothing but resources.
fn find_in_outer<'a>(interface: &'a KernelInterface, name: &str) -> Option<Result<Target<'a>, BindError>> {
    let root = name.split(['.', '[']).next()?;
    let outer = interface.outer.iter().find(|o| o.name == *root)?;
    let Some(steps) = parse_steps(&name[root.len()..]) else { return Some(Err(no_path(name))) };
    let (mut ty, mut element) = (outer.ty.clone(), 0i64);
    for (at, step) in steps.iter().enumerate() {
        if let (DataType::Array { len, .. }, Step::Index(k)) = (&ty, step) {
            element = element.saturating_mul(*len as i64).saturating_add(*k as i64);
        }
        ty = match step_into(&ty, step, name) {
            Ok((_, part)) => part,
            Err(error) => return Some(Err(error)),
        };
        if let DataType::Resource(symbol) = ty {
            let Some(index) = interface.element_of_symbol(symbol, element) else {
                return Some(Err(unused(name)));
            };
            return Some(resolve(interface, index, &steps[at + 1..], name));
        }
    }
    let known = interface.params.iter().map(|p| p.name.as_str());
    let within: Vec<&str> = known.filter(|p| p.strip_prefix(root).is_some_and(|p| p.starts_with(['.', '[']))).collect();
    let error = BindError::new(E_NO_SUCH_PARAM, format!("`{name}` has resources in it, which are bound one by one"));
    Some(Err(error.with_note(format!("there are: {}", within.join(", ")))))
}

fn unused(name: &str) -> BindError {
    BindError::new(E_NO_SUCH_PARAM, format!("`{name}` is a resource that the entry point does not use"))
}

/// The path to the first field called so in a type that `from` leads to.
fn path_to(ty: &DataType, from: &str, field: &str) -> Option<String> {
    let DataType::Struct { fields, .. } = ty else { return None };
    let inside = |name: &Name| format!("{from}.{name}");
    let here = fields.iter().find(|(name, _)| name == field).map(|(name, _)| inside(name));
    here.or_else(|| fields.iter().find_map(|(name, ty)| path_to(ty, &inside(name), field)))
}

fn no_path(name: &str) -> BindError {
    BindError::new(E_NO_SUCH_PARAM, format!("`{name}` is not a parameter name or a path into one"))
}

/// Follows `steps` from a parameter, through resources in structs to the parameters that these are.
fn resolve<'a>(
    interface: &'a KernelInterface,
    index: usize,
    steps: &[Step],
    name: &str,
) -> Result<Target<'a>, BindError> {
    let param = &interface.params[index];
    let mut target = Target { index, param, offset: 0, ty: param.ty.clone(), stride: None, beyond: 0 };
    // Which element of a resource within arrays is meant.
    let mut element = 0i64;
    for (at, step) in steps.iter().enumerate() {
        if resource_kind(target.param).is_some() {
            target.beyond = steps.len() - at;
            break;
        }
        let (mut skip, part) = step_into(&target.ty, step, name)?;
        // A row is not in one piece where the columns are, and its components are as far apart as
        // these.
        if let DataType::Matrix { rows, elem, by_columns: true, .. } = &target.ty {
            (skip, target.stride) =
                (skip_of(&part, skip) * elem.size() as u64, Some(*rows as u64 * elem.size() as u64));
        } else if let Some(stride) = target.stride.take() {
            skip = skip_of(&part, skip) * stride;
        }
        if let (DataType::Array { len, .. }, Step::Index(k)) = (&target.ty, step) {
            element = element.saturating_mul(*len as i64).saturating_add(*k as i64);
        }
        target.offset += skip;
        target.ty = part;
        if let DataType::Resource(symbol) = &target.ty {
            let Some(index) = interface.element_of_symbol(*symbol, element) else {
                return Err(unused(name));
            };
            let param = &interface.params[index];
            (target, element) = (Target { index, param, offset: 0, ty: param.ty.clone(), stride: None, beyond: 0 }, 0);
        }
    }
    Ok(target)
}

fn find_buffer<'a>(interface: &'a KernelInterface, name: &str) -> Result<(usize, &'a KernelParam), BindError> {
    let data = tensor::data(interface, name);
    let Target { index, param, beyond, .. } = find(interface, data.as_deref().unwrap_or(name), KernelParam::is_buffer)?;
    let wrong = |message| BindError::new(E_WRONG_KIND, message);
    match param.kind {
        ParamKind::Unsupported => Err(wrong(format!(
            "`{name}` is a kind of resource that cannot be bound yet: only buffers and uniforms can"
        ))),
        ParamKind::Uniform => Err(wrong(format!("`{name}` is a uniform, not a buffer")).with_input(Input::Uniform)),
        _ if !param.is_buffer() => {
            let error = |(what, input)| wrong(format!("`{name}` is a {what}, not a buffer")).with_input(input);
            Err(resource_kind(param).map_or_else(|| wrong(format!("`{name}` is not a buffer")), error))
        }
        _ if beyond > 0 => {
            Err(wrong(format!("`{name}` is a part of a buffer: only the whole `{}` has a name here", param.name)))
        }
        _ => Ok((index, param)),
    }
}

/// "There is no such thing", with the nearest of the names that exist.
fn unknown(message: String, name: &str, known: &[&str]) -> BindError {
    let error = BindError::new(E_NO_SUCH_PARAM, message);
    match (caustic_ir::nearest::nearest(name, known.iter().copied()), known) {
        (Some(near), _) => error.with_note(format!("did you mean `{near}`?")),
        (None, []) => error.with_note("there are none to bind"),
        (None, known) => error.with_note(format!("there are: {}", known.join(", "))),
    }
}

/// Which one a part is, that begins `bytes` after the first of its kind.
fn skip_of(part: &DataType, bytes: u64) -> u64 {
    layout_of(part).and_then(|l| bytes.checked_div(l.size)).unwrap_or(0)
}

/// Whether a type has neither data nor resources: it is a struct without fields, or has only such.
fn holds_nothing(ty: &DataType) -> bool {
    match ty {
        DataType::Struct { fields, .. } => fields.iter().all(|(_, ty)| holds_nothing(ty)),
        DataType::Array { elem, .. } => holds_nothing(elem),
        _ => false,
    }
}

fn step_into(ty: &DataType, step: &Step, name: &str) -> Result<(u64, DataType), BindError> {
    let element = |len: u64, elem: DataType, index: u64| {
        if index >= len {
            return Err(BindError::new(
                E_NO_SUCH_PARAM,
                format!("index {index} in `{name}` is out of range: there are {len} elements"),
            ));
        }
        Ok((layout_of(&elem).map_or(0, |l| l.size) * index, elem))
    };
    let is_not = |what: &str| Err(BindError::new(E_NO_SUCH_PARAM, format!("`{name}` goes into {what}")));
    match (ty, step) {
        (DataType::Struct { name: struct_name, fields }, step) => {
            let at = match step {
                // Fields that hold nothing do not count.
                Step::Index(k) => {
                    let mut held = (0..fields.len()).filter(|&i| !holds_nothing(&fields[i].1));
                    usize::try_from(*k).ok().and_then(|k| held.nth(k))
                }
                Step::Field(field) => fields.iter().position(|(n, _)| n == field.as_str()),
            };
            let types: Vec<DataType> = fields.iter().map(|(_, t)| t.clone()).collect();
            match (at, struct_layout(&types), step) {
                (Some(at), Some((_, offsets)), _) => Ok((offsets[at], types[at].clone())),
                (_, _, Step::Field(field)) => {
                    let known: Vec<&str> = fields.iter().map(|(n, _)| n.as_str()).collect();
                    Err(unknown(format!("`{struct_name}` in `{name}` has no field `{field}`"), field, &known))
                }
                (_, _, Step::Index(k)) => {
                    let held = fields.iter().filter(|(_, ty)| !holds_nothing(ty)).count();
                    let text = format!("`{struct_name}` in `{name}` has {held} fields, so there is no [{k}]");
                    Err(BindError::new(E_NO_SUCH_PARAM, text))
                }
            }
        }
        (DataType::Array { len, elem }, Step::Index(k)) => element(*len, (**elem).clone(), *k),
        (DataType::Matrix { rows, cols, elem, .. }, Step::Index(k)) => {
            element(*rows as u64, DataType::Vector { len: *cols, elem: *elem }, *k)
        }
        (DataType::Vector { len, elem }, Step::Index(k)) => element(*len as u64, DataType::Scalar(*elem), *k),
        (DataType::Vector { len, elem }, Step::Field(field)) => {
            let component = |set: &str| if field.len() == 1 { set.find(field.as_str()) } else { None };
            match component("xyzw").or_else(|| component("rgba")) {
                Some(k) => element(*len as u64, DataType::Scalar(*elem), k as u64),
                None => is_not(&format!("a vector, which has no component `{field}`")),
            }
        }
        (DataType::Array { .. } | DataType::Matrix { .. }, Step::Field(field)) => {
            is_not(&format!("an array or a matrix, whose parts have indices and not names like `{field}`"))
        }
        (DataType::Resource(_), _) => is_not("a resource"),
        (DataType::Scalar(scalar), _) => is_not(&format!("a scalar ({scalar}), which has no parts")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::reflect::Scalar;

    fn interface() -> KernelInterface {
        let light = DataType::Struct {
            name: Name::new("Light"),
            fields: vec![
                (Name::new("on"), DataType::Scalar(Scalar::Bool)),
                (Name::new("pos"), DataType::Vector { len: 3, elem: Scalar::F32 }),
                (Name::new("m"), DataType::Matrix { rows: 2, cols: 2, elem: Scalar::F32, by_columns: false }),
            ],
        };
        let param = |name: &str, kind, ty: DataType| KernelParam {
            symbol: Name::new(&format!("sym_{name}")),
            declared: Name::new(&format!("sym_{name}")),
            name: Name::new(name),
            kind,
            layout: layout_of(&ty).unwrap(),
            ty,
            texture: None,
        };
        let group = DataType::Struct {
            name: Name::new("Group"),
            fields: vec![
                (Name::new("scale"), DataType::Scalar(Scalar::F32)),
                (
                    Name::new("data"),
                    DataType::Array { len: 2, elem: Box::new(DataType::Resource(Name::new("sym_data"))) },
                ),
            ],
        };
        let groups = DataType::Array { len: 3, elem: Box::new(group) };
        let element = |k: usize| KernelParam {
            symbol: Name::new("sym_data"),
            declared: Name::new("sym_data"),
            ..param(&format!("data[{k}]"), ParamKind::Buffer, DataType::Scalar(Scalar::U32))
        };
        let mut interface = KernelInterface {
            entry: Name::new("computeMain"),
            numthreads: [1, 1, 1],
            covers: [1, 1, 1],
            params: vec![
                param("gOut", ParamKind::RwBuffer, DataType::Scalar(Scalar::F32)),
                param("scene", ParamKind::Uniform, DataType::Array { len: 2, elem: Box::new(light) }),
                param("tex", ParamKind::Unsupported, DataType::Scalar(Scalar::F32)),
            ],
            outer: Vec::new(),
            shared: Vec::new(),
        };
        interface.params.push(param("groups", ParamKind::Uniform, groups));
        interface.params.extend((0..6).map(element));
        interface
    }

    #[test]
    fn resources_in_structs_are_parameters() {
        let interface = interface();
        let mut bindings = Bindings::new(&interface);
        let read = |bindings: &Bindings, name: &str| bindings.read_buffer(&interface, name).map(|(b, _)| b.to_bytes());
        for (k, path) in
            ["groups[0].data[0]", "groups[0].data[1]", "groups[1][1][0]", "groups[2].data[1]"].iter().enumerate()
        {
            bindings.bind_buffer(&interface, path, &[k as u8; 4]).unwrap();
        }
        for (name, value) in [("data[0]", 0), ("data[1]", 1), ("data[2]", 2), ("data[5]", 3)] {
            assert_eq!(read(&bindings, name).unwrap(), [value; 4], "{name}");
        }
        // The resources take no bytes: a Group is its scale.
        bindings.bind_uniform(&interface, "groups[2].scale", &[9]).unwrap();
        let Some(Slot::Uniform(bytes)) = bindings.slot(3) else { panic!("no uniform") };
        assert_eq!((bytes.len(), bytes[8]), (12, 9));
        bindings.set_counter(&interface, "data[5]", 7).unwrap();
        bindings.bind_buffer(&interface, "data[5]", &[]).unwrap();
        let count = |name| bindings.read_buffer(&interface, name).unwrap().0.counter().load(Relaxed);
        assert_eq!((count("data[5]"), count("data[4]")), (7, 0));
        assert_eq!(bindings.read_buffer(&interface, "groups[0].data[2]").unwrap_err().code, E_NO_SUCH_PARAM);
        assert_eq!(bindings.read_buffer(&interface, "groups[0].data[0].x").unwrap_err().code, E_WRONG_KIND);
    }

    fn uniform(bindings: &Bindings) -> &[u8] {
        match bindings.slot(1) {
            Some(Slot::Uniform(bytes)) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn paths_lead_to_their_bytes() {
        let interface = interface();
        let mut bindings = Bindings::new(&interface);
        // A Light is bool, padding, float3 at 4, float2x2 at 16: 32 bytes.
        assert_eq!(uniform(&bindings).len(), 64);
        for (name, at) in [
            ("scene", 0),
            ("scene[1]", 32),
            ("scene[1].pos", 36),
            ("scene[1].pos.z", 44),
            ("scene[1].pos[2]", 44),
            ("scene[1][1][2]", 44),
            ("scene[0].m[1]", 24),
            ("scene[0].m[1][1]", 28),
        ] {
            bindings.bind_uniform(&interface, "scene", &[]).unwrap();
            bindings.bind_uniform(&interface, name, &[7]).unwrap();
            assert_eq!(uniform(&bindings).iter().position(|&b| b == 7), Some(at), "{name}");
        }
    }

    #[test]
    fn contents_are_cut_and_filled_with_zeros() {
        let interface = interface();
        let mut bindings = Bindings::new(&interface);
        bindings.bind_uniform(&interface, "scene", &[9; 100]).unwrap();
        bindings.bind_uniform(&interface, "scene[0].pos", &[1; 100]).unwrap();
        bindings.bind_uniform(&interface, "scene[0].m", &[2; 3]).unwrap();
        let bytes = uniform(&bindings);
        assert_eq!(&bytes[0..4], [9; 4]);
        assert_eq!(&bytes[4..16], [1; 12]);
        assert_eq!(&bytes[16..32], [2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(&bytes[32..64], [9; 32]);
    }

    #[test]
    fn wrong_names_are_explained() {
        let interface = interface();
        let mut bindings = Bindings::new(&interface);
        let error = bindings.bind_buffer(&interface, "gout", &[]).unwrap_err();
        assert_eq!((error.code, error.notes), (E_NO_SUCH_PARAM, vec!["did you mean `gOut`?".to_string()]));
        let message = |bindings: &mut Bindings, name| bindings.bind_uniform(&interface, name, &[]).unwrap_err();
        assert_eq!(message(&mut bindings, "scene[0].psos").notes, ["did you mean `pos`?"]);
        assert!(message(&mut bindings, "scene[2]").message.contains("out of range"));
        assert!(message(&mut bindings, "scene[0][3]").message.contains("3 fields"));
        assert!(message(&mut bindings, "scene[0].pos.w").message.contains("out of range"));
        assert!(message(&mut bindings, "scene[0].on.x").message.contains("scalar"));
        assert!(message(&mut bindings, "scene.pos").message.contains("indices"));
        assert_eq!(message(&mut bindings, "gOut").input, Some(Input::Buffer));
        for name in ["scene[", "scene[x]", "scene..a", ".a", "", "scene]"] {
            assert_eq!(message(&mut bindings, name).code, E_NO_SUCH_PARAM, "{name}");
        }
        assert_eq!(bindings.bind_buffer(&interface, "scene", &[]).unwrap_err().code, E_WRONG_KIND);
        assert_eq!(bindings.bind_buffer(&interface, "gOut[0]", &[]).unwrap_err().code, E_WRONG_KIND);
        assert!(bindings.bind_buffer(&interface, "tex", &[]).unwrap_err().message.contains("cannot be bound yet"));
    }

    #[test]
    fn unbound_buffers_are_empty() {
        let interface = interface();
        let mut bindings = Bindings::new(&interface);
        assert_eq!(bindings.read_buffer(&interface, "gOut").unwrap().0.len(), 0);
        bindings.bind_buffer(&interface, "gOut", &[0; 10]).unwrap();
        assert_eq!(bindings.read_buffer(&interface, "gOut").unwrap().0.len(), 2);
    }
}
