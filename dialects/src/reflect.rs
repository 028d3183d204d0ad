//! Reflection: what a module says about itself to the host that runs it, carried as attributes
//! through every level.
//!
//! The front end writes it, passes keep it, targets read it; this file is the only place that knows
//! how it is encoded. A global shader parameter (or a uniform or resource parameter of an entry
//! point, which becomes a global of its own) has the attribute [`PARAM`] on its symbol; an entry
//! point has [`ENTRY`] on its function:
//!
//! ```text
//! reflect = {name = "gOut", kind = "rw_buffer", type = ["struct", "P", ["pos", ["vector", 3, "f32"]], ["id", "u32"]]}
//! entry = {stage = "compute", numthreads = [8, 8, 1]}
//! ```
//!
//! Unlike IR types, reflected types know signedness, for it decides how a host prints a value.

use crate::agg;
use caustic_ir::{Attr, Module, Name, SymbolOp, Type};
use std::fmt;

/// Attribute of a symbol that is a shader parameter; see [`Param`].
pub const PARAM: &str = "reflect";
/// Attribute of a resource symbol that is no parameter but memory that the threads of a group
/// share: zero when a group begins. The symbol's type is a buffer of one element.
pub const GROUPSHARED: &str = "groupshared";
/// Attribute of such memory, an array, that has a cell for each thread of a group: a pointer into
/// one does not lead to another.
pub const PRIVATE: &str = "private";
/// Attribute of a resource symbol that stands for an array of that many resources; unit until
/// [`size_arrays`] has said how many.
pub const COUNT: &str = "count";
/// Attribute of a resource that is a buffer here and a pointer in the program.
pub const AS_BUFFER: &str = "as_buffer";
/// Attribute of a resource in a parameter that has nothing but resources, and so is no symbol: the
/// name and the type of that parameter, by which a host names its parts; see [`Outer`].
pub const OUTER: &str = "outer";
/// Attribute of a function that is an entry point; see [`Entry`].
pub const ENTRY: &str = "entry";

/// The type of the resource that a symbol declares.
pub fn resource_type(symbol: &SymbolOp) -> Option<Type> {
    agg::Resource::of_symbol(symbol)?.type_(symbol)
}

/// Whether a symbol is a resource that a host binds, and one alone.
pub fn is_bound(symbol: &SymbolOp) -> bool {
    let apart = [COUNT, GROUPSHARED, PRIVATE].iter().any(|name| symbol.attr(name).is_some());
    !apart && Param::of(symbol).is_some()
}

/// Whether that is a pointer.
pub fn is_pointer(symbol: &SymbolOp) -> bool {
    is_bound(symbol) && Param::of(symbol).is_some_and(|p| p.kind == ParamKind::Pointer)
}

/// Whether it is one, or was before a pass made a buffer of it.
pub fn is_pointer_of_program(symbol: &SymbolOp) -> bool {
    is_pointer(symbol) || symbol.attr(AS_BUFFER).is_some()
}

/// Last in the encoding of a matrix that lies so.
const BY_COLUMNS: &str = "by columns";

/// A scalar of a resource's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// One byte, 0 or 1.
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Scalar {
    pub const ALL: [Scalar; 12] = [
        Scalar::Bool,
        Scalar::F16,
        Scalar::F32,
        Scalar::F64,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Bytes of one scalar; also its alignment.
    pub fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of the data in a buffer's element or a uniform, as the programmer declared it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataType {
    Scalar(Scalar),
    Vector {
        len: u32,
        elem: Scalar,
    },
    Matrix {
        rows: u32,
        cols: u32,
        elem: Scalar,
        /// Its columns lie one after the other, not its rows.
        by_columns: bool,
    },
    Array {
        len: u64,
        elem: Box<DataType>,
    },
    Struct {
        name: Name,
        fields: Vec<(Name, DataType)>,
    },
    /// A resource in a struct: a parameter of its own, with this symbol. It takes no bytes of the
    /// struct. Within arrays it stands for one of the parameter's resources, counted in the order
    /// of the indices on the way.
    Resource(Name),
}

/// The fields of a view of a tensor: its buffer, how many dimensions it has, and along each the
/// size and the distance of neighbours in elements and in bytes.
pub mod tensor_field {
    pub const DATA: &str = "__data";
    pub const RANK: &str = "__rank";
    pub const SIZES: &str = "__sizes";
    pub const STEPS: &str = "__steps";
    pub const BYTES: &str = "__bytes";
}

/// How many dimensions a tensor can have.
pub const TENSOR_DIMENSIONS: usize = 5;

/// Whether a struct with these fields is a view of a tensor, whose shape the host binds with its
/// contents.
pub fn is_tensor(fields: &[(Name, DataType)]) -> bool {
    use tensor_field::*;
    fields.iter().map(|(name, _)| name.as_str()).eq([DATA, RANK, SIZES, STEPS, BYTES])
}

impl DataType {
    pub fn to_attr(&self) -> Attr {
        let scalar = |s: Scalar| Attr::string(s.name());
        match self {
            DataType::Scalar(s) => scalar(*s),
            DataType::Vector { len, elem } => {
                Attr::array(vec![Attr::string("vector"), Attr::i64(*len as i64), scalar(*elem)])
            }
            DataType::Matrix { rows, cols, elem, by_columns } => {
                let mut items =
                    vec![Attr::string("matrix"), Attr::i64(*rows as i64), Attr::i64(*cols as i64), scalar(*elem)];
                if *by_columns {
                    items.push(Attr::string(BY_COLUMNS));
                }
                Attr::array(items)
            }
            DataType::Array { len, elem } => {
                Attr::array(vec![Attr::string("array"), Attr::i64(*len as i64), elem.to_attr()])
            }
            DataType::Resource(symbol) => Attr::array(vec![Attr::string("resource"), Attr::string(symbol)]),
            DataType::Struct { name, fields } => {
                let mut items = vec![Attr::string("struct"), Attr::string(name)];
                items.extend(fields.iter().map(|(n, ty)| Attr::array(vec![Attr::string(n), ty.to_attr()])));
                Attr::array(items)
            }
        }
    }

    pub fn from_attr(attr: Attr) -> Option<DataType> {
        if let Some(name) = attr.as_str() {
            return Scalar::from_name(name).map(DataType::Scalar);
        }
        let scalar = |a: &Attr| a.as_str().and_then(Scalar::from_name);
        let count = |a: &Attr| a.as_int().and_then(|n| u32::try_from(n).ok());
        let (head, rest) = attr.as_array()?.split_first()?;
        Some(match (head.as_str()?, rest) {
            ("vector", [len, elem]) => DataType::Vector { len: count(len)?, elem: scalar(elem)? },
            ("matrix", [rows, cols, elem, layout @ ..]) => {
                let by_columns = match layout {
                    [] => false,
                    [word] if word.as_str() == Some(BY_COLUMNS) => true,
                    _ => return None,
                };
                DataType::Matrix { rows: count(rows)?, cols: count(cols)?, elem: scalar(elem)?, by_columns }
            }
            ("array", [len, elem]) => {
                DataType::Array { len: u64::try_from(len.as_int()?).ok()?, elem: Box::new(DataType::from_attr(*elem)?) }
            }
            ("resource", [symbol]) => DataType::Resource(Name::new(symbol.as_str()?)),
            ("struct", [name, fields @ ..]) => DataType::Struct {
                name: Name::new(name.as_str()?),
                fields: fields
                    .iter()
                    .map(|field| match field.as_array()? {
                        [name, ty] => Some((Name::new(name.as_str()?), DataType::from_attr(*ty)?)),
                        _ => None,
                    })
                    .collect::<Option<Vec<_>>>()?,
            },
            _ => return None,
        })
    }
}

/// What sort of thing is bound to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// A uniform value, or a constant buffer or parameter block: its contents.
    Uniform,
    /// Elements of the type, read only.
    Buffer,
    /// Elements of the type.
    RwBuffer,
    /// Elements of the type, with a counter that counts up, or down.
    AppendBuffer,
    ConsumeBuffer,
    /// The address of elements of the type.
    Pointer,
    /// Bytes, read only.
    ByteAddressBuffer,
    RwByteAddressBuffer,
    /// Texels that are read as the type; the shape is that of the symbol's IR type.
    Texture,
    RwTexture,
    /// How textures are filtered; the type says nothing.
    Sampler,
    /// A kind of resource that reflection names and no target binds yet; the type is what the
    /// programmer wrote.
    Unsupported,
}

const PARAM_KINDS: [(ParamKind, &str); 12] = [
    (ParamKind::Uniform, "uniform"),
    (ParamKind::Buffer, "buffer"),
    (ParamKind::RwBuffer, "rw_buffer"),
    (ParamKind::AppendBuffer, "append_buffer"),
    (ParamKind::ConsumeBuffer, "consume_buffer"),
    (ParamKind::Pointer, "pointer"),
    (ParamKind::ByteAddressBuffer, "byte_address_buffer"),
    (ParamKind::RwByteAddressBuffer, "rw_byte_address_buffer"),
    (ParamKind::Texture, "texture"),
    (ParamKind::RwTexture, "rw_texture"),
    (ParamKind::Sampler, "sampler"),
    (ParamKind::Unsupported, "unsupported"),
];

impl ParamKind {
    pub fn name(self) -> &'static str {
        PARAM_KINDS.iter().find(|(k, _)| *k == self).map_or("unsupported", |(_, n)| n)
    }
    pub fn from_name(name: &str) -> Option<ParamKind> {
        PARAM_KINDS.iter().find(|(_, n)| *n == name).map(|(k, _)| *k)
    }
}

/// A shader parameter: the value of [`PARAM`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// As the programmer wrote it; the symbol may be called otherwise.
    pub name: Name,
    pub kind: ParamKind,
    /// Of an element, or of the contents of a uniform; `u32` for byte-address buffers.
    pub ty: DataType,
    /// A parameter of this entry point only; `None` is a global.
    pub entry: Option<Name>,
}

impl Param {
    pub fn to_attr(&self) -> Attr {
        let mut items = vec![
            (Name::new("name"), Attr::string(&self.name)),
            (Name::new("kind"), Attr::string(self.kind.name())),
            (Name::new("type"), self.ty.to_attr()),
        ];
        if let Some(entry) = self.entry {
            items.push((Name::new("entry"), Attr::string(&entry)));
        }
        Attr::dict(items)
    }

    /// The parameter that `symbol` is, if it is one and says so correctly.
    pub fn of(symbol: &SymbolOp) -> Option<Param> {
        let attr = symbol.attr(PARAM)?;
        Some(Param {
            name: Name::new(attr.get("name")?.as_str()?),
            kind: ParamKind::from_name(attr.get("kind")?.as_str()?)?,
            ty: DataType::from_attr(attr.get("type")?)?,
            entry: attr.get("entry").and_then(|a| a.as_str()).map(Name::new),
        })
    }
}

/// A parameter that has nothing but resources: the value of [`OUTER`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outer {
    pub name: Name,
    pub ty: DataType,
}

impl Outer {
    pub fn to_attr(&self) -> Attr {
        let items = vec![(Name::new("name"), Attr::string(&self.name)), (Name::new("type"), self.ty.to_attr())];
        Attr::dict(items)
    }

    /// The parameter that the resource `symbol` is in, if it is in one.
    pub fn of(symbol: &SymbolOp) -> Option<Outer> {
        let attr = symbol.attr(OUTER)?;
        Some(Outer { name: Name::new(attr.get("name")?.as_str()?), ty: DataType::from_attr(attr.get("type")?)? })
    }
}

/// An entry point: the value of [`ENTRY`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub stage: Name,
    /// Threads of a group, as they are launched.
    pub numthreads: [u32; 3],
    /// Threads of the program whose work a group does: the same, unless a pass lets one thread do
    /// that of several.
    pub covers: [u32; 3],
}

impl Entry {
    pub fn to_attr(&self) -> Attr {
        let sizes = |of: [u32; 3]| Attr::i64_array(&of.map(i64::from));
        let mut parts =
            vec![(Name::new("stage"), Attr::string(&self.stage)), (Name::new("numthreads"), sizes(self.numthreads))];
        if self.covers != self.numthreads {
            parts.push((Name::new("covers"), sizes(self.covers)));
        }
        Attr::dict(parts)
    }

    /// The entry point that `symbol` is, if it is one and says so correctly.
    pub fn of(symbol: &SymbolOp) -> Option<Entry> {
        let attr = symbol.attr(ENTRY)?;
        let sizes = |name: &str| -> Option<[u32; 3]> {
            let sizes = attr.get(name)?.as_i64_array()?;
            let size = |i: usize| u32::try_from(*sizes.get(i)?).ok();
            Some([size(0)?, size(1)?, size(2)?])
        };
        let numthreads = sizes("numthreads")?;
        let covers = sizes("covers").unwrap_or(numthreads);
        Some(Entry { stage: Name::new(attr.get("stage")?.as_str()?), numthreads, covers })
    }
}

/// Gives each array of resources without a size as many elements as the names on the host's side
/// ask for: `many[3]` asks for four. There is always one.
pub fn size_arrays<'n>(module: &mut Module, names: impl Iterator<Item = &'n str> + Clone) {
    for symbol in module.symbols_mut() {
        if symbol.attr(COUNT).is_none_or(|count| count.as_int().is_some()) {
            continue;
        }
        let Some(Param { name, .. }) = Param::of(symbol) else { continue };
        let index = |text: &str| text.strip_prefix(name.as_str())?.strip_prefix('[')?.split_once(']')?.0.parse().ok();
        let last: Option<i64> = names.clone().filter_map(index).max();
        let count = last.map_or(1, |k| k.saturating_add(1)).clamp(1, MOST_ELEMENTS);
        symbol.set_attr(COUNT, Attr::i64(count));
    }
}

/// Arrays of resources without a size that [`size_arrays`] has not been asked about.
pub fn unsized_arrays(module: &Module) -> impl Iterator<Item = &SymbolOp> {
    module.symbols().iter().filter(|s| s.attr(COUNT).is_some_and(|count| count.as_int().is_none()))
}

/// How many resources an array without a size can have.
const MOST_ELEMENTS: i64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_survive_the_encoding() {
        let inner = DataType::Struct {
            name: Name::new("P"),
            fields: vec![
                (Name::new("pos"), DataType::Vector { len: 3, elem: Scalar::F32 }),
                (Name::new("on"), DataType::Scalar(Scalar::Bool)),
                (Name::new("m"), DataType::Matrix { rows: 2, cols: 4, elem: Scalar::F16, by_columns: false }),
                (Name::new("n"), DataType::Matrix { rows: 3, cols: 1, elem: Scalar::I32, by_columns: true }),
            ],
        };
        let ty = DataType::Array { len: 7, elem: Box::new(inner) };
        assert_eq!(DataType::from_attr(ty.to_attr()), Some(ty));
        assert_eq!(DataType::from_attr(Attr::string("f31")), None);
        assert_eq!(DataType::from_attr(Attr::array(vec![])), None);
        assert_eq!(DataType::from_attr(Attr::array(vec![Attr::string("vector"), Attr::i64(-1)])), None);
    }

    #[test]
    fn kinds_have_distinct_names() {
        for (kind, name) in PARAM_KINDS {
            assert_eq!(kind.name(), name);
            assert_eq!(ParamKind::from_name(name), Some(kind));
        }
        for scalar in Scalar::ALL {
            assert_eq!(Scalar::from_name(scalar.name()), Some(scalar));
        }
    }
}
