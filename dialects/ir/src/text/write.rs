//! Types, attributes and locations as text, in MLIR's syntax.
//!
//! The one place that knows their spelling: `Display` of [`Type`] and [`Attr`] and the module
//! printer all end here. What the parser reads is in `parse_attr`; the two must stay each other's
//! inverse.

use crate::attr::{Attr, AttrKind, float_text, is_bare_name, write_quoted, write_symbol};
use crate::intern::Name;
use crate::loc::{Loc, LocKind};
use crate::types::{FloatKind, Type, TypeKind};
use rustc_hash::FxHashMap;
use std::fmt::{Result, Write};

/// Types that are written by an alias (`!Ray`), without the `!`.
pub type Aliases = FxHashMap<Type, String>;

fn separated<T: Copy>(w: &mut dyn Write, items: &[T], mut each: impl FnMut(&mut dyn Write, T) -> Result) -> Result {
    for (i, &item) in items.iter().enumerate() {
        if i > 0 {
            w.write_str(", ")?;
        }
        each(w, item)?;
    }
    Ok(())
}

pub fn write_type(w: &mut dyn Write, ty: Type, aliases: &Aliases) -> Result {
    match aliases.get(&ty) {
        Some(alias) => write!(w, "!{alias}"),
        None => write_type_in_full(w, ty, aliases),
    }
}

/// The type itself even where it has an alias; its parts still by theirs.
pub fn write_type_in_full(w: &mut dyn Write, ty: Type, aliases: &Aliases) -> Result {
    match ty.kind() {
        TypeKind::Int(bits) => write!(w, "i{bits}"),
        TypeKind::UInt(bits) => write!(w, "ui{bits}"),
        TypeKind::Index => w.write_str("index"),
        TypeKind::Float(kind) => write!(w, "f{}", kind.bits()),
        TypeKind::Vector { shape, elem } => {
            w.write_str("vector<")?;
            for n in shape {
                write!(w, "{n}x")?;
            }
            write_type(w, *elem, aliases)?;
            w.write_str(">")
        }
        TypeKind::Function { inputs, results } => {
            w.write_str("(")?;
            write_types(w, inputs, aliases)?;
            w.write_str(") -> ")?;
            write_results(w, results, aliases)
        }
        TypeKind::Dialect { name, params } => {
            write!(w, "!{name}")?;
            if params.is_empty() {
                return Ok(());
            }
            w.write_str("<")?;
            separated(w, params, |w, p| write_attr(w, p, aliases))?;
            w.write_str(">")
        }
    }
}

pub fn write_types(w: &mut dyn Write, types: &[Type], aliases: &Aliases) -> Result {
    separated(w, types, |w, t| write_type(w, t, aliases))
}

/// What follows `->`: one type bare, any other number in parentheses.
pub fn write_results(w: &mut dyn Write, types: &[Type], aliases: &Aliases) -> Result {
    match types {
        // A function type would swallow what follows it.
        [one] if !matches!(one.kind(), TypeKind::Function { .. }) => write_type(w, *one, aliases),
        many => {
            w.write_str("(")?;
            write_types(w, many, aliases)?;
            w.write_str(")")
        }
    }
}

/// A number without its type.
fn write_scalar(w: &mut dyn Write, attr: Attr, aliases: &Aliases) -> Result {
    match attr.kind() {
        AttrKind::Int(v, ty) if ty.is_i1() => write!(w, "{}", *v != 0),
        AttrKind::Int(v, _) => write!(w, "{v}"),
        AttrKind::Float(bits, ty) => {
            w.write_str(&float_text(f64::from_bits(*bits), ty.float_kind().unwrap_or(FloatKind::F64)))
        }
        _ => write_attr(w, attr, aliases),
    }
}

fn write_elements(w: &mut dyn Write, items: &[Attr], shape: &[u32], aliases: &Aliases) -> Result {
    match shape {
        [] => items.first().map_or(Ok(()), |a| write_scalar(w, *a, aliases)),
        [n, rest @ ..] => {
            w.write_str("[")?;
            let row_len = (items.len() / (*n).max(1) as usize).max(1);
            for (i, row) in items.chunks(row_len).enumerate() {
                w.write_str(if i == 0 { "" } else { ", " })?;
                write_elements(w, row, rest, aliases)?;
            }
            w.write_str("]")
        }
    }
}

/// An attribute; numbers of the types that MLIR assumes (i64, f64, i1) without their type.
pub fn write_attr(w: &mut dyn Write, attr: Attr, aliases: &Aliases) -> Result {
    match attr.kind() {
        AttrKind::Int(_, ty) if *ty == Type::i64() => write_scalar(w, attr, aliases),
        // The hexadecimal form of infinities and NaNs reads as an integer if no type says
        // otherwise.
        AttrKind::Float(bits, ty) if *ty == Type::f64() && f64::from_bits(*bits).is_finite() => {
            write_scalar(w, attr, aliases)
        }
        _ => write_typed_attr(w, attr, aliases),
    }
}

/// An attribute with its type even where MLIR would assume it.
pub fn write_typed_attr(w: &mut dyn Write, attr: Attr, aliases: &Aliases) -> Result {
    match attr.kind() {
        AttrKind::Unit => w.write_str("unit"),
        AttrKind::Int(_, ty) if ty.is_i1() => write_scalar(w, attr, aliases),
        AttrKind::Int(_, ty) | AttrKind::Float(_, ty) => {
            write_scalar(w, attr, aliases)?;
            w.write_str(" : ")?;
            write_type(w, *ty, aliases)
        }
        AttrKind::String(s) => write_quoted(w, s),
        AttrKind::Type(t) => write_type(w, *t, aliases),
        AttrKind::Symbol(s) => write_symbol(w, s),
        AttrKind::Array(items) => {
            w.write_str("[")?;
            separated(w, items, |w, a| write_attr(w, a, aliases))?;
            w.write_str("]")
        }
        AttrKind::I64Array(items) => {
            w.write_str(if items.is_empty() { "array<i64" } else { "array<i64: " })?;
            separated(w, items, |w, n| write!(w, "{n}"))?;
            w.write_str(">")
        }
        AttrKind::Dict(items) => write_dict(w, items, aliases),
        AttrKind::Opaque(text) => write!(w, "#{text}"),
        AttrKind::Dense(items, ty) => {
            w.write_str("dense<")?;
            match items.as_slice() {
                [first, rest @ ..] if rest.iter().all(|a| a == first) => write_scalar(w, *first, aliases)?,
                _ => write_elements(w, items, ty.shape(), aliases)?,
            }
            w.write_str("> : ")?;
            write_type(w, *ty, aliases)
        }
    }
}

pub fn write_dict(w: &mut dyn Write, items: &[(Name, Attr)], aliases: &Aliases) -> Result {
    w.write_str("{")?;
    separated(w, items, |w, (key, value)| {
        write_key(w, key)?;
        if matches!(value.kind(), AttrKind::Unit) {
            return Ok(());
        }
        w.write_str(" = ")?;
        write_attr(w, value, aliases)
    })?;
    w.write_str("}")
}

fn write_key(w: &mut dyn Write, key: Name) -> Result {
    if is_bare_name(&key) { w.write_str(&key) } else { write_quoted(w, &key) }
}

/// `loc(…)`. A span is the fusion of its first and last place, for MLIR 19 has no ranges; a derived
/// location is a named one.
pub fn write_loc(w: &mut dyn Write, loc: Loc) -> Result {
    w.write_str("loc(")?;
    write_loc_inside(w, loc)?;
    w.write_str(")")
}

fn write_loc_inside(w: &mut dyn Write, loc: Loc) -> Result {
    match loc.kind() {
        LocKind::Unknown => w.write_str("unknown"),
        LocKind::Span { file, line, col, end_line, end_col } => {
            let place = |w: &mut dyn Write, line: u32, col: u32| {
                write_quoted(w, file)?;
                write!(w, ":{line}:{col}")
            };
            if (line, col) == (end_line, end_col) {
                return place(w, *line, *col);
            }
            w.write_str("fused[")?;
            place(w, *line, *col)?;
            w.write_str(", ")?;
            place(w, *end_line, *end_col)?;
            w.write_str("]")
        }
        LocKind::Derived { from, why } => {
            write_quoted(w, why)?;
            w.write_str("(")?;
            write_loc_inside(w, *from)?;
            w.write_str(")")
        }
    }
}
