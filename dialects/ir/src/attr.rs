//! Attributes: interned constants attached to ops and used as parameters of dialect types.

use crate::intern::{Interner, Name};
use crate::types::{FloatKind, Type};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrKind {
    Unit,
    /// An integer with its type; the value is kept sign-extended to 64 bits from the type's width,
    /// but for i1, which is 0 or 1. `true` and `false` are the i1 integers.
    Int(i64, Type),
    /// A float as the bits of its value in f64 (every f16 and f32 is exact there), with its type.
    Float(u64, Type),
    String(Name),
    Type(Type),
    /// `@name`
    Symbol(Name),
    Array(Vec<Attr>),
    /// `array<i64: 1, 2>`; distinct from an array of i64 attributes, as it is upstream.
    I64Array(Vec<i64>),
    /// Entries in the order written.
    Dict(Vec<(Name, Attr)>),
    /// A constant of vector type: one scalar attribute an element, row-major.
    Dense(Vec<Attr>, Type),
    /// An upstream dialect's own attribute, kept as its text without the `#`: `gpu<dim x>`.
    Opaque(Name),
}

/// An interned attribute; equality is identity (so `0.0` and `-0.0` differ, and a NaN equals
/// itself).
#[derive(Clone, Copy)]
pub struct Attr(&'static AttrKind);

static ATTRS: Interner<AttrKind> = Interner::new();

impl Attr {
    pub fn new(kind: AttrKind) -> Attr {
        Attr(ATTRS.intern(kind))
    }
    pub fn kind(self) -> &'static AttrKind {
        self.0
    }
    pub fn unit() -> Attr {
        Attr::new(AttrKind::Unit)
    }
    pub fn bool(value: bool) -> Attr {
        Attr::int(value as i64, Type::i1())
    }
    /// An integer of type `ty` (int or index), wrapped to its width.
    pub fn int(value: i64, ty: Type) -> Attr {
        Attr::new(AttrKind::Int(sign_extend(value, ty.scalar_bits().unwrap_or(64)), ty))
    }
    pub fn i64(value: i64) -> Attr {
        Attr::int(value, Type::i64())
    }
    /// A float of type `ty`, rounded to it.
    pub fn float(value: f64, ty: Type) -> Attr {
        Attr::new(AttrKind::Float(round_to(value, ty.float_kind().unwrap_or(FloatKind::F64)).to_bits(), ty))
    }
    pub fn string(text: &str) -> Attr {
        Attr::new(AttrKind::String(Name::new(text)))
    }
    pub fn ty(ty: Type) -> Attr {
        Attr::new(AttrKind::Type(ty))
    }
    pub fn symbol(name: Name) -> Attr {
        Attr::new(AttrKind::Symbol(name))
    }
    pub fn array(items: Vec<Attr>) -> Attr {
        Attr::new(AttrKind::Array(items))
    }
    pub fn dict(items: Vec<(Name, Attr)>) -> Attr {
        Attr::new(AttrKind::Dict(items))
    }
    /// One scalar attribute per element of the vector type `ty`.
    pub fn dense(items: Vec<Attr>, ty: Type) -> Attr {
        Attr::new(AttrKind::Dense(items, ty))
    }
    pub fn opaque(text: &str) -> Attr {
        Attr::new(AttrKind::Opaque(Name::new(text)))
    }
    pub fn i64_array(items: &[i64]) -> Attr {
        Attr::new(AttrKind::I64Array(items.to_vec()))
    }

    pub fn as_int(self) -> Option<i64> {
        match self.0 {
            AttrKind::Int(v, _) => Some(*v),
            _ => None,
        }
    }
    pub fn as_float(self) -> Option<f64> {
        match self.0 {
            AttrKind::Float(bits, _) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            AttrKind::Int(v, ty) if ty.is_i1() => Some(*v != 0),
            _ => None,
        }
    }
    pub fn as_str(self) -> Option<&'static str> {
        match self.0 {
            AttrKind::String(s) => Some(s.as_str()),
            _ => None,
        }
    }
    pub fn as_symbol(self) -> Option<Name> {
        match self.0 {
            AttrKind::Symbol(s) => Some(*s),
            _ => None,
        }
    }
    pub fn as_type(self) -> Option<Type> {
        match self.0 {
            AttrKind::Type(t) => Some(*t),
            _ => None,
        }
    }
    pub fn as_array(self) -> Option<&'static [Attr]> {
        match self.0 {
            AttrKind::Array(items) => Some(items),
            _ => None,
        }
    }
    pub fn as_dict(self) -> Option<&'static [(Name, Attr)]> {
        match self.0 {
            AttrKind::Dict(items) => Some(items),
            _ => None,
        }
    }
    pub fn get(self, key: &str) -> Option<Attr> {
        self.as_dict()?.iter().find(|(k, _)| *k == key).map(|(_, v)| *v)
    }
    /// The integers of either kind of array.
    pub fn as_i64_array(self) -> Option<Vec<i64>> {
        match self.0 {
            AttrKind::I64Array(items) => Some(items.clone()),
            AttrKind::Array(items) => items.iter().map(|a| a.as_int()).collect(),
            _ => None,
        }
    }
}

/// `value` cut to `bits` and sign-extended back; a value of one bit is 0 or 1.
pub fn sign_extend(value: i64, bits: u32) -> i64 {
    match bits {
        1 => value & 1,
        2..=63 => (value << (64 - bits)) >> (64 - bits),
        _ => value,
    }
}

/// `value` rounded to the precision of `kind` (to nearest, ties to even).
pub fn round_to(value: f64, kind: FloatKind) -> f64 {
    match kind {
        _ if value.is_nan() => crate::real::of_bits(crate::real::bits_of(value, kind), kind),
        FloatKind::F16 => half::f16::from_f32(round_to_odd(value)).to_f64(),
        FloatKind::F32 => value as f32 as f64,
        FloatKind::F64 => value,
    }
}

/// `value` in f32, with the last bit set if it is not exact: rounding that to a narrower type is
/// rounding once. (`f16::from_f64` rounds twice on some machines and drops bits on others.)
fn round_to_odd(value: f64) -> f32 {
    let near = value as f32;
    if near as f64 == value || value.is_nan() {
        return near;
    }
    let below = if (near as f64).abs() > value.abs() { near.to_bits() - 1 } else { near.to_bits() };
    f32::from_bits(below | 1)
}

impl PartialEq for Attr {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Attr {}
impl std::hash::Hash for Attr {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 as *const AttrKind as usize).hash(state);
    }
}

/// A float literal as MLIR reads it: decimal with a point or an exponent, or the bits in
/// hexadecimal where decimal cannot say it (infinities, NaNs).
pub fn float_text(value: f64, kind: FloatKind) -> String {
    if !value.is_finite() {
        let bits = crate::real::bits_of(value, kind);
        return format!("0x{bits:0digits$X}", digits = kind.bits() as usize / 4);
    }
    // The shortest decimal that reads back as the same value of that type.
    let text = match kind {
        FloatKind::F64 => format!("{value:e}"),
        _ => format!("{:e}", value as f32),
    };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-5..16).contains(&exponent) {
        let plain = match kind {
            FloatKind::F64 => format!("{value}"),
            _ => format!("{}", value as f32),
        };
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{point}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// A string literal with MLIR's escapes.
pub fn write_quoted(f: &mut (impl fmt::Write + ?Sized), text: &str) -> fmt::Result {
    f.write_char('"')?;
    for byte in text.bytes() {
        match byte {
            b'"' => f.write_str("\\22")?,
            b'\\' => f.write_str("\\\\")?,
            0x20..=0x7e => f.write_char(byte as char)?,
            _ => write!(f, "\\{byte:02X}")?,
        }
    }
    f.write_char('"')
}

/// Whether `text` can stand without quotes as a symbol or dictionary key.
pub fn is_bare_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

pub fn write_symbol(f: &mut (impl fmt::Write + ?Sized), name: &str) -> fmt::Result {
    f.write_char('@')?;
    if is_bare_name(name) { f.write_str(name) } else { write_quoted(f, name) }
}

/// MLIR's syntax.
impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::text::write::write_attr(f, *self, &Default::default())
    }
}

impl fmt::Debug for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
