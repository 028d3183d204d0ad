//! What an op that is linear in its tangents is on plain data: the part of its row that ends a
//! tangent's way.
//!
//! A tangent's type stands for an element of a differential type, on which an op does the same as
//! code. A row says so with a function ([`OnDataFn`]) that builds this code. Sums and zeros of a
//! type may be the programmer's own, so they are asked for ([`Differentials`]).
//!
//! This module must not know: any op, and who keeps the programmer's sums.

use crate::body::{Body, OpId, ValueId};
use crate::builder::Builder;
use crate::diag::Result;
use crate::types::Type;

/// The arithmetic of differential types, as code.
pub trait Differentials {
    fn zero(&self, b: &mut Builder<'_>, ty: Type) -> ValueId;

    /// x + y, the programmer's sum where there is one.
    fn add(&self, b: &mut Builder<'_>, ty: Type, x: ValueId, y: ValueId) -> Result<ValueId>;

    /// `f` of each float in a value: of a scalar, or of a whole vector or matrix at once.
    fn map_floats(&self, b: &mut Builder<'_>, ty: Type, x: ValueId, f: &MapFn<'_>) -> Result<ValueId>;

    /// The part of type `ty` at a path with these dynamic indices.
    fn extract(&self, b: &mut Builder<'_>, from: ValueId, at: At<'_>, ty: Type) -> ValueId;

    /// `into` with the part at a path replaced.
    fn insert(&self, b: &mut Builder<'_>, part: ValueId, into: ValueId, at: At<'_>) -> ValueId;

    /// `into` with something added to the part at a path.
    fn accumulate(&self, b: &mut Builder<'_>, part: ValueId, into: ValueId, at: At<'_>) -> Result<ValueId>;

    /// A value of type `ty` of its parts.
    fn make(&self, b: &mut Builder<'_>, parts: &[ValueId], ty: Type) -> ValueId;
}

/// A function of a float, vector or matrix.
pub type MapFn<'f> = dyn Fn(&mut Builder<'_>, ValueId) -> ValueId + 'f;

/// Where in an aggregate: the steps of a path, and the indices of those that are computed.
#[derive(Clone, Copy)]
pub struct At<'a> {
    pub path: &'a [i64],
    pub indices: &'a [ValueId],
}

/// An op on tangents whose code on data is asked for.
#[derive(Clone, Copy)]
pub struct OnData<'a> {
    pub src: &'a Body,
    pub op: OpId,
    /// Its operands in the new code.
    pub args: &'a [ValueId],
    /// What the type of its result becomes.
    pub ty: Type,
    pub differentials: &'a dyn Differentials,
}

/// Builds what an op on tangents is on plain data, and gives its result.
pub type OnDataFn = fn(&mut Builder<'_>, OnData<'_>) -> Result<ValueId>;
