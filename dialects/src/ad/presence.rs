//! Flags in differentials: a struct in which a field says whether the others hold anything (an
//! `Optional`) has such a field in its differential, too.
//!
//! Invariant: a differential that differentiation hands to the program has the flags of its primal
//! value; one that the program makes keeps its own. Inside of derivatives flags are what sums and
//! zeros make of them, and nothing asks for them.

use super::{as_pair, differential_fields, differential_type};
use crate::agg::{self, StructType, as_array};
use crate::{arith, scf};
use caustic_ir::{Attr, Builder, Type, ValueId};

/// Arrays up to this many elements are gone through element by element, longer ones in a loop.
const UNROLLED: u64 = 8;

/// Whether values of the type have a flag that says whether something is there.
pub fn has_presence(ty: Type) -> bool {
    if let Some((_, elem)) = as_array(ty) {
        return has_presence(elem);
    }
    if let Some(primal) = as_pair(ty) {
        return has_presence(primal);
    }
    StructType::of(ty).is_some_and(|s| s.presence().is_some() || s.fields().any(|f| has_presence(f.ty)))
}

/// The differential `d` of a value of type `of`, with the flags of that value; pairs in it are
/// structs by now.
pub fn with_presence(b: &mut Builder<'_>, d: ValueId, primal: ValueId, of: Type) -> ValueId {
    if !has_presence(of) {
        return d;
    }
    if let Some((count, elem)) = as_array(of) {
        return of_array(b, d, primal, (count, elem));
    }
    let Some(s) = StructType::of(of).filter(|s| s.differentiable()) else { return d };
    let mut out = d;
    for p in differential_fields(s) {
        let Some(field) = s.field(p.field).filter(|f| has_presence(f.ty)) else { continue };
        let held = agg::Extract::build(b, primal, &[], field.ty, &at(&[p.field as i64]));
        let part = agg::Extract::build(b, out, &[], p.ty, &at(&[p.place as i64]));
        let part = with_presence(b, part, held, field.ty);
        out = agg::Insert::build(b, part, out, &[], &at(&[p.place as i64]));
    }
    let flag_of = |ty: Type| StructType::of(ty).and_then(StructType::presence);
    if let (Some(from), Some(to)) = (s.presence(), differential_type(of).and_then(flag_of)) {
        let flag = agg::Extract::build(b, primal, &[], Type::i1(), &at(&[from as i64]));
        out = agg::Insert::build(b, flag, out, &[], &at(&[to as i64]));
    }
    out
}

fn of_array(b: &mut Builder<'_>, d: ValueId, primal: ValueId, (count, elem): (u64, Type)) -> ValueId {
    let Some(ty) = differential_type(elem) else { return d };
    let one = |b: &mut Builder<'_>, into: ValueId, index: i64, dynamic: &[ValueId]| {
        let held = agg::Extract::build(b, primal, dynamic, elem, &at(&[index]));
        let part = agg::Extract::build(b, into, dynamic, ty, &at(&[index]));
        let part = with_presence(b, part, held, elem);
        agg::Insert::build(b, part, into, dynamic, &at(&[index]))
    };
    if count <= UNROLLED {
        return (0..count as i64).fold(d, |into, i| one(b, into, i, &[]));
    }
    let whole = b.ty(d);
    let [lower, upper, step] = [0, count as i64, 1].map(|n| arith::index(b, n));
    let new = scf::For::build(b, lower, upper, step, &[d], &[whole], &[]);
    let block = b.add_block(new, 0, &[Type::index(), whole]);
    let (k, into) = (b.body.args(block)[0], b.body.args(block)[1]);
    let mut inner = b.at(block);
    let out = one(&mut inner, into, -1, &[k]);
    scf::Yield::build(&mut inner, &[out], &[]);
    b.body.result(new, 0)
}

fn at(path: &[i64]) -> [(&'static str, Attr); 1] {
    [("path", Attr::i64_array(path))]
}
