//! The parts of derivatives that are summed in memory: floats of one type, each of which is added
//! on its own.
//!
//! `IAccumulable` is not declared: a type conforms by the parts of its differential. A type with a
//! sum of the programmer's (`dadd`) does not conform, because such a sum is of whole values, which
//! cannot be added atomically.

use super::types::TyKind;
use super::*;

impl Checker<'_> {
    /// The type of the floats that the differential of `ty` consists of (a parameter, if that is
    /// not known yet), or the reason why there is no such type.
    pub(crate) fn summands(&mut self, ty: Ty) -> Result<Ty, String> {
        if ty.is_error() {
            return Ok(ty);
        }
        if self.is_known_to_sum(ty) {
            return Ok(ty);
        }
        if ty.is_abstract() {
            return Err(self.unknown(ty));
        }
        match self.differential(ty) {
            Some(d) => self.floats_of(d),
            None => Err(format!("`{}` is not differentiable", self.show(ty))),
        }
    }

    fn unknown(&self, ty: Ty) -> String {
        format!(
            "nothing is known of what `{}` is made of: `IAccumulable` as its bound says what is needed",
            self.show(ty)
        )
    }

    fn is_known_to_sum(&mut self, ty: Ty) -> bool {
        let facts = ty.is_abstract().then(|| self.facts_of(ty));
        facts.is_some_and(|f| f.accumulable || f.builtin.is_some_and(bounds::TypeSet::only_floats))
    }

    fn floats_of(&mut self, d: Ty) -> Result<Ty, String> {
        if self.is_known_to_sum(d) {
            return Ok(d);
        }
        match d.kind() {
            TyKind::Error => Ok(d),
            TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix(s, _, _) if s.is_float() => Ok(Ty::scalar(*s)),
            TyKind::VectorOf(t, _) | TyKind::MatrixOf(t, ..) => self.summands(*t),
            TyKind::Array(t, Some(_)) | TyKind::ArrayOf(t, _) => self.floats_of(*t),
            TyKind::Pair(t) => {
                let shown = self.show(d);
                let of = *t;
                let parts: Vec<Ty> = std::iter::once(of).chain(self.differential(of)).collect();
                self.same_floats(&parts, &shown)
            }
            // The differential of a parameter that conforms.
            TyKind::Assoc { base, interface, .. } if interface.id == DIFFERENTIABLE => {
                let base = *base;
                if self.is_known_to_sum(base) { Ok(d) } else { Err(self.unknown(base)) }
            }
            TyKind::Struct(id) => {
                let id = *id;
                let shown = self.show(d);
                if self.space_function(d, "dadd").is_some() {
                    return Err(format!("the sum of `{shown}` is the program's own `dadd`"));
                }
                let fields: Vec<Ty> = self.fields(id).iter().map(|f| f.ty).collect();
                self.same_floats(&fields, &shown)
            }
            _ => Err(format!("`{}` is not made of floats", self.show(d))),
        }
    }

    /// The type of the floats in all of these parts, or the reason why they differ.
    fn same_floats(&mut self, parts: &[Ty], of: &str) -> Result<Ty, String> {
        let mut found: Option<Ty> = None;
        for &part in parts {
            let next = self.floats_of(part)?;
            match found {
                Some(first) if first != next => {
                    let (a, b) = (self.show(first), self.show(next));
                    return Err(format!("`{of}` is made of floats of several types, `{a}` and `{b}`"));
                }
                _ => found = Some(next),
            }
        }
        found.ok_or_else(|| format!("`{of}` is not made of floats"))
    }
}
