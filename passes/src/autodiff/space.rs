//! The vector space that the values of a differential type form: its zero and its sum, by the parts
//! of the type, or by the functions that the programmer gives (`dzero`, `dadd`; seeds: AD types,
//! "interface IDifferentiable").
//!
//! Invariant: a zero made by `zero` is neutral for `add`, so that adding one may be left out.

use crate::mutants::{Site, mutant};
use caustic_dialects::agg::{self, StructType, as_array, as_tape};
use caustic_dialects::signature::DIFFERENTIABLE;
use caustic_dialects::{ad, arith, func, scf, vector};
use caustic_ir::linear::{At, Differentials, MapFn};
use caustic_ir::{Attr, Builder, Diagnostic, Module, Name, Result, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;

/// Arrays up to this many elements are added element by element, longer ones in a loop.
const UNROLLED: u64 = 8;

/// The functions that the programmer gives for one type.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    zero: Option<Name>,
    add: Option<Name>,
}

/// The spaces of a module.
#[derive(Clone, Debug, Default)]
pub struct Spaces {
    of: FxHashMap<Type, Given>,
}

pub fn is_space(symbol: &SymbolOp) -> bool {
    std::ptr::eq(symbol.def, ad::Space::DEF)
}

/// Sums that the programmer gives are differentiated where derivatives are: a derivative calls
/// them, and its own derivative goes through these calls whether or not the sum was written to be
/// differentiated. The code that it was written in calls it as before.
pub fn differentiate_sums(module: &mut Module) {
    let sums: Vec<Name> = module.symbols().iter().filter_map(|s| ad::Space::of_symbol(s)?.add(s)).collect();
    for name in sums {
        if let Some(sum) = module.get_mut(name).filter(|s| s.attr(DIFFERENTIABLE).is_none()) {
            sum.set_attr(DIFFERENTIABLE, Attr::string("both"));
        }
    }
}

impl Spaces {
    pub fn of(module: &Module) -> Spaces {
        let given = module.symbols().iter().filter_map(|s| {
            let space = ad::Space::of_symbol(s)?;
            Some((ad::lower_pairs(space.of(s)?), Given { zero: space.zero(s), add: space.add(s) }))
        });
        Spaces { of: given.collect() }
    }

    /// Whether the programmer gives a zero or a sum of the type, or of a part of it.
    pub fn is_given(&self, ty: Type) -> bool {
        if self.of.is_empty() {
            return false;
        }
        self.of.contains_key(&ty)
            || match (as_array(ty), StructType::of(ty)) {
                (Some((_, elem)), _) => self.is_given(elem),
                (_, Some(s)) => s.fields().any(|f| self.is_given(f.ty)),
                _ => false,
            }
    }

    /// Whether a zero of the type is made by a function somewhere inside.
    #[mutant(Site::SpaceGivenZero => false)]
    fn has_given_zero(&self, ty: Type) -> bool {
        if self.of.is_empty() {
            return false;
        }
        if self.of.get(&ty).is_some_and(|g| g.zero.is_some()) {
            return true;
        }
        match (as_array(ty), StructType::of(ty)) {
            (Some((_, elem)), _) => self.has_given_zero(elem),
            (_, Some(s)) => s.fields().any(|f| self.has_given_zero(f.ty)),
            _ => false,
        }
    }

    /// Zero of a differential type.
    pub fn zero(&self, b: &mut Builder<'_>, ty: Type) -> ValueId {
        if ty.is_scalar() || ty.is_vector() {
            return arith::zero(b, ty);
        }
        if !self.has_given_zero(ty) {
            return agg::Zero::build(b, ty, &[]);
        }
        if let Some(zero) = self.of.get(&ty).and_then(|g| g.zero) {
            let call = func::Call::build(b, &[], &[ty], &[("callee", Attr::symbol(zero))]);
            return b.body.result(call, 0);
        }
        let count = agg::num_parts(ty) as i64;
        let parts: Vec<ValueId> = (0..count).filter_map(|i| agg::part_type(ty, i)).map(|t| self.zero(b, t)).collect();
        make(b, &parts, ty)
    }

    fn part(&self, b: &mut Builder<'_>, from: ValueId, at: At<'_>, ty: Type) -> ValueId {
        if is_zero(b, from) {
            return self.zero(b, ty);
        }
        agg::Extract::build(b, from, at.indices, ty, &path_attr(at.path))
    }

    /// A part of a differential, once something is added to it.
    #[mutant(Site::SpaceRest => Ok(added))]
    fn accumulated(&self, b: &mut Builder<'_>, ty: Type, old: ValueId, added: ValueId) -> Result<ValueId> {
        self.add(b, ty, old, added)
    }

    /// The programmer's sum.
    #[mutant(Site::SpaceGivenAdd => None)]
    fn given_add(&self, ty: Type) -> Option<Name> {
        self.of.get(&ty).and_then(|s| s.add)
    }

    /// a + b on differentials (`dadd`).
    #[mutant(Site::SpaceAdd => Ok(x))]
    pub fn add(&self, b: &mut Builder<'_>, ty: Type, x: ValueId, y: ValueId) -> Result<ValueId> {
        if is_flag(ty) {
            return Ok(arith::OrI::build(b, x, y, &[]));
        }
        if ty.is_scalar() || ty.is_vector() {
            return Ok(arith::AddF::build(b, x, y, &[]));
        }
        if is_zero(b, x) || is_zero(b, y) {
            return Ok(if is_zero(b, x) { y } else { x });
        }
        if let Some(add) = self.given_add(ty) {
            let call = func::Call::build(b, &[x, y], &[ty], &[("callee", Attr::symbol(add))]);
            return Ok(b.body.result(call, 0));
        }
        self.zip_parts(b, ty, &[x, y], &|b, t, v| self.add(b, t, v[0], v[1]))
    }

    fn map_floats(&self, b: &mut Builder<'_>, ty: Type, x: ValueId, f: &MapFn<'_>) -> Result<ValueId> {
        if is_flag(ty) {
            return Ok(x);
        }
        if ty.is_scalar() || ty.is_vector() {
            return Ok(f(b, x));
        }
        self.zip_parts(b, ty, &[x], &|b, t, v| self.map_floats(b, t, v[0], f))
    }

    /// Applies `f` to corresponding parts of structs or arrays.
    fn zip_parts(
        &self,
        b: &mut Builder<'_>,
        ty: Type,
        values: &[ValueId],
        f: &dyn Fn(&mut Builder<'_>, Type, &[ValueId]) -> Result<ValueId>,
    ) -> Result<ValueId> {
        let long_array = as_array(ty).filter(|(n, _)| *n > UNROLLED);
        if let Some(elem) = as_tape(ty).or(long_array.map(|(_, elem)| elem)) {
            // The first tape grows by what the last one is longer; what it is longer itself has
            // zeros to meet.
            let upper = match (long_array, values.last()) {
                (None, Some(&last)) => agg::Length::build(b, last, Type::index(), &[]),
                (array, _) => arith::index(b, array.map_or(0, |(n, _)| n as i64)),
            };
            let (lower, step) = (arith::index(b, 0), arith::index(b, 1));
            let new = scf::For::build(b, lower, upper, step, &[values[0]], &[ty], &[]);
            let block = b.add_block(new, 0, &[Type::index(), ty]);
            let (k, acc) = (b.body.args(block)[0], b.body.args(block)[1]);
            let mut inner = b.at(block);
            let at = At { path: &[-1], indices: &[k] };
            let mut parts = vec![self.part(&mut inner, acc, at, elem)];
            parts.extend(values[1..].iter().map(|&v| self.part(&mut inner, v, at, elem)));
            let part = f(&mut inner, elem, &parts)?;
            let acc = insert(&mut inner, part, acc, at);
            scf::Yield::build(&mut inner, &[acc], &[]);
            return Ok(b.body.result(new, 0));
        }
        if StructType::of(ty).is_none() && as_array(ty).is_none() {
            return Err(Diagnostic::internal(b.loc, format!("no arithmetic on differentials of type {ty}")));
        }
        let mut parts = Vec::new();
        for i in 0..agg::num_parts(ty) as i64 {
            let Some(part_ty) = agg::part_type(ty, i) else { continue };
            let at = At { path: &[i], indices: &[] };
            let inputs: Vec<ValueId> = values.iter().map(|&v| self.part(b, v, at, part_ty)).collect();
            parts.push(f(b, part_ty, &inputs)?);
        }
        Ok(make(b, &parts, ty))
    }
}

impl Differentials for Spaces {
    fn zero(&self, b: &mut Builder<'_>, ty: Type) -> ValueId {
        self.zero(b, ty)
    }

    fn add(&self, b: &mut Builder<'_>, ty: Type, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.add(b, ty, x, y)
    }

    fn map_floats(&self, b: &mut Builder<'_>, ty: Type, x: ValueId, f: &MapFn<'_>) -> Result<ValueId> {
        self.map_floats(b, ty, x, f)
    }

    fn extract(&self, b: &mut Builder<'_>, from: ValueId, at: At<'_>, ty: Type) -> ValueId {
        self.part(b, from, at, ty)
    }

    fn insert(&self, b: &mut Builder<'_>, part: ValueId, into: ValueId, at: At<'_>) -> ValueId {
        insert(b, part, into, at)
    }

    fn accumulate(&self, b: &mut Builder<'_>, part: ValueId, into: ValueId, at: At<'_>) -> Result<ValueId> {
        let ty = b.ty(part);
        let old = self.part(b, into, at, ty);
        let new = self.accumulated(b, ty, old, part)?;
        Ok(insert(b, new, into, at))
    }

    fn make(&self, b: &mut Builder<'_>, parts: &[ValueId], ty: Type) -> ValueId {
        make(b, parts, ty)
    }
}

/// Whether the part says that there is a value: of a sum, where one of the two has one. Nothing
/// scales it.
fn is_flag(ty: Type) -> bool {
    ty == Type::i1()
}

fn path_attr(path: &[i64]) -> [(&'static str, Attr); 1] {
    [("path", Attr::i64_array(path))]
}

/// Whether `value` is a zero that was just made.
fn is_zero(b: &Builder<'_>, value: ValueId) -> bool {
    b.body.def_op(value).is_some_and(|op| agg::Zero::is(b.body, op))
}

fn insert(b: &mut Builder<'_>, part: ValueId, into: ValueId, at: At<'_>) -> ValueId {
    agg::Insert::build(b, part, into, at.indices, &path_attr(at.path))
}

fn make(b: &mut Builder<'_>, parts: &[ValueId], ty: Type) -> ValueId {
    let scalars = parts.first().is_some_and(|&p| b.ty(p).is_scalar());
    if ty.is_vector() && scalars {
        vector::FromElements::build(b, parts, ty, &[])
    } else {
        agg::Make::build(b, parts, ty, &[])
    }
}
