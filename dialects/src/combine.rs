//! Combining two numbers of one type by a named operation: what reductions, scans and atomic
//! updates have in common.
//!
//! The names are those of upstream's `gpu.all_reduce`; each stands for a row of `arith`, which says
//! what it computes.

use crate::arith;
use caustic_ir::attr::sign_extend;
use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_lanes};
use caustic_ir::{OpDef, Type};

/// The names, for messages.
pub const KINDS: [&str; 13] = [
    "add", "mul", "and", "or", "xor", "minsi", "minui", "maxsi", "maxui", "minimumf", "maximumf", "minnumf", "maxnumf",
];

/// The op that combines two scalars of type `elem`, if there is one of that name.
pub fn combine_def(kind: &str, elem: Type) -> Option<&'static OpDef> {
    let (int, float) = (elem.is_int_or_index(), elem.is_float());
    Some(match kind {
        "add" if float => arith::AddF::DEF,
        "add" if int => arith::AddI::DEF,
        "mul" if float => arith::MulF::DEF,
        "mul" if int => arith::MulI::DEF,
        "and" if int => arith::AndI::DEF,
        "or" if int => arith::OrI::DEF,
        "xor" if int => arith::XOrI::DEF,
        "minsi" if int => arith::MinSI::DEF,
        "minui" if int => arith::MinUI::DEF,
        "maxsi" if int => arith::MaxSI::DEF,
        "maxui" if int => arith::MaxUI::DEF,
        "minimumf" if float => arith::MinimumF::DEF,
        "maximumf" if float => arith::MaximumF::DEF,
        "minnumf" if float => arith::MinNumF::DEF,
        "maxnumf" if float => arith::MaxNumF::DEF,
        _ => return None,
    })
}

/// `a` and `b`, of type `ty`, combined component by component.
pub fn combine(kind: &str, ty: Type, a: &Val, b: &Val) -> Option<Val> {
    let elem = ty.elem();
    let Eval::Scalar(f) = combine_def(kind, elem)?.eval else { return None };
    let types = ScalarTypes { operands: &[elem, elem], result: elem, attrs: &[] };
    Some(eval_lanes(f, &[a.clone(), b.clone()], ty, &types))
}

/// The value that changes nothing, in each component.
pub fn identity(kind: &str, ty: Type) -> Option<Val> {
    let elem = ty.elem();
    combine_def(kind, elem)?;
    let bits = elem.scalar_bits().unwrap_or(64);
    let smallest = sign_extend(1i64.wrapping_shl(bits - 1), bits);
    let scalar = match kind {
        "add" if elem.is_float() => Val::Float(0.0),
        "mul" if elem.is_float() => Val::Float(1.0),
        "minimumf" | "minnumf" => Val::Float(f64::INFINITY),
        "maximumf" | "maxnumf" => Val::Float(f64::NEG_INFINITY),
        "mul" => Val::Int(sign_extend(1, bits)),
        "and" | "minui" => Val::Int(-1),
        "minsi" => Val::Int(!smallest),
        "maxsi" => Val::Int(smallest),
        _ => Val::Int(0),
    };
    // i1 is 0 or 1, not sign-extended.
    let scalar = if elem.is_i1() { Val::Int(scalar.as_int() & 1) } else { scalar };
    Some(if ty.is_vector() { Val::agg(vec![scalar; ty.num_elements()]) } else { scalar })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_changes_nothing() {
        for ty in [Type::i1(), Type::int(8), Type::i32(), Type::i64(), Type::f16(), Type::f32(), Type::f64()] {
            for kind in KINDS {
                let Some(identity) = identity(kind, ty) else { continue };
                let values = if ty.is_float() {
                    vec![Val::Float(-2.5), Val::Float(0.0), Val::Float(3.0)]
                } else if ty.is_i1() {
                    vec![Val::Int(0), Val::Int(1)]
                } else {
                    vec![Val::Int(-128), Val::Int(-1), Val::Int(0), Val::Int(127)]
                };
                for v in values {
                    let got = combine(kind, ty, &identity, &v);
                    assert_eq!(format!("{got:?}"), format!("{:?}", Some(v)), "{kind} {ty}");
                }
            }
        }
    }

    #[test]
    fn names_exist_for_the_types_they_suit() {
        assert!(KINDS.iter().all(|k| combine_def(k, Type::i32()).is_some() || combine_def(k, Type::f32()).is_some()));
        assert!(combine_def("and", Type::f32()).is_none());
        assert!(combine_def("minimumf", Type::i32()).is_none());
        assert!(combine_def("sub", Type::i32()).is_none());
    }
}
