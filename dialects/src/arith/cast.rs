//! Conversions, lane by lane: the shape stays, the scalar type changes.

use super::num;
use crate::classes::{FLOAT_LIKE, INT_LIKE, SCALAR_LIKE};
use crate::facts::convert;
use crate::facts::float::monotone;
use caustic_ir::eval::{Eval, ScalarTypes, Val};
use caustic_ir::op::{AdRule, Asm, Fold, Mirror};
use caustic_ir::{Body, Diagnostic, FloatKind, OpId, Type, ops};

/// What a conversion asks of its two scalar types.
#[derive(Clone, Copy)]
enum Widths {
    Any,
    /// Between fixed-width types, to a wider one.
    Wider,
    Narrower,
    Equal,
    /// Between `index` and an integer.
    Index,
}

fn verify_cast(body: &Body, op: OpId, widths: Widths) -> Result<(), Diagnostic> {
    let (from, to) = (body.ty(body.operand(op, 0)), body.ty(body.result(op, 0)));
    let name = body.op(op).def.name;
    let fail = |why: &str| Err(Diagnostic::invalid_ir(body.loc(op), format!("{name}: from {from} to {to}: {why}")));
    if from.shape() != to.shape() {
        return fail("the shapes differ");
    }
    let (a, b) = (from.elem(), to.elem());
    let bits = (num::width(a), num::width(b));
    let fixed = !a.is_index() && !b.is_index();
    match widths {
        Widths::Index if a.is_index() == b.is_index() => fail("exactly one of the types must be index"),
        Widths::Index => Ok(()),
        _ if !fixed => fail("index has its own conversions, arith.index_cast and arith.index_castui"),
        Widths::Wider if bits.0 >= bits.1 => fail("the result must be wider"),
        Widths::Narrower if bits.0 <= bits.1 => fail("the result must be narrower"),
        Widths::Equal if bits.0 != bits.1 => fail("the widths differ"),
        _ => Ok(()),
    }
}

fn types_of(types: &ScalarTypes<'_>) -> (Type, Type) {
    (types.operands.first().copied().unwrap_or(types.result), types.result)
}

fn kind(ty: Type) -> FloatKind {
    ty.float_kind().unwrap_or(FloatKind::F64)
}

/// The operand as the bits of its type.
fn to_bits(value: &Val, ty: Type) -> i64 {
    match value {
        Val::Float(v) => num::float_bits(*v, kind(ty)),
        other => other.as_int(),
    }
}

fn bitcast(value: &Val, from: Type, to: Type) -> Val {
    let bits = to_bits(value, from);
    if to.is_float() { Val::Float(num::float_from_bits(bits, kind(to))) } else { Val::Int(bits) }
}

/// Rows of conversions:
/// `name operand class -> result class, widths, evaluation, facts, derivative`.
macro_rules! casts {
    ( $( $(#[doc = $doc:literal])+ $view:ident $name:literal $from:ident -> $to:ident, $widths:ident, $f:expr, $facts:expr, $ad:expr; )* ) => {
        ops! { pub static CAST_OPS as CastView: [ $(
            $(#[doc = $doc])+
            $view $name {
                operands: (operand: Class(&$from)), results: one(Class(&$to)), attrs: (), regions: (),
                effects: Pure, commutative: false,
                asm: Asm::Format("$operand attr-dict `:` type($operand) `to` type($result)"),
                verify: Some(|body, op| verify_cast(body, op, Widths::$widths)),
                fold: Fold::Eval,
                eval: Eval::Scalar(|args, types| {
                    const F: fn(&Val, Type, Type) -> Val = $f;
                    let (from, to) = types_of(types);
                    args.first().map_or(Val::Int(0), |v| F(v, from, to))
                }),
                facts: $facts,
                ad: $ad,
            }
        )* ] }
    };
}

casts! {
    /// To a wider integer, repeating the sign; a set i1 becomes -1.
    /// `%b = arith.extsi %a : i8 to i32`
    ExtSI "arith.extsi" INT_LIKE -> INT_LIKE, Wider, |v, from, _| Val::Int(num::signed(v.as_int(), from)), convert::signed_to_int, AdRule::Inactive;
    /// To a wider integer, filling with zeros. `%b = arith.extui %a : i8 to i32`
    ExtUI "arith.extui" INT_LIKE -> INT_LIKE, Wider, |v, from, _| Val::Int(num::unsigned(v.as_int(), from) as i64), convert::unsigned_to_int, AdRule::Inactive;
    /// To a narrower integer, dropping the high bits. `%b = arith.trunci %a : i32 to i8`
    TruncI "arith.trunci" INT_LIKE -> INT_LIKE, Narrower, |v, _, _| v.clone(), convert::truncate, AdRule::Inactive;
    /// Signed integer to float, rounded to nearest. `%b = arith.sitofp %a : i32 to f32`
    SIToFP "arith.sitofp" INT_LIKE -> FLOAT_LIKE, Any,
        |v, from, to| Val::Float(num::signed_to_float(num::signed(v.as_int(), from), kind(to))), convert::signed_to_float, AdRule::Inactive;
    /// Unsigned integer to float, rounded to nearest. `%b = arith.uitofp %a : i32 to f32`
    UIToFP "arith.uitofp" INT_LIKE -> FLOAT_LIKE, Any,
        |v, from, to| Val::Float(num::unsigned_to_float(num::unsigned(v.as_int(), from), kind(to))), convert::unsigned_to_float, AdRule::Inactive;
    /// Float to signed integer, towards zero; saturates, and NaN becomes 0.
    /// `%b = arith.fptosi %a : f32 to i32`
    FPToSI "arith.fptosi" FLOAT_LIKE -> INT_LIKE, Any, |v, _, to| Val::Int(num::float_to_signed(v.as_float(), to)), convert::float_to_int, AdRule::Inactive;
    /// Float to unsigned integer, towards zero; saturates, and NaN becomes 0.
    /// `%b = arith.fptoui %a : f32 to i32`
    FPToUI "arith.fptoui" FLOAT_LIKE -> INT_LIKE, Any, |v, _, to| Val::Int(num::float_to_unsigned(v.as_float(), to)), convert::float_to_int, AdRule::Inactive;
    /// To a wider float; exact. `%b = arith.extf %a : f16 to f32`
    ExtF "arith.extf" FLOAT_LIKE -> FLOAT_LIKE, Wider, |v, _, _| v.clone(), monotone, AdRule::Mirror(Mirror::Cast);
    /// To a narrower float, rounded to nearest. `%b = arith.truncf %a : f64 to f32`
    TruncF "arith.truncf" FLOAT_LIKE -> FLOAT_LIKE, Narrower, |v, _, _| v.clone(), monotone, AdRule::Mirror(Mirror::Cast);
    /// The same bits as another type of the same width. `%b = arith.bitcast %a : f32 to i32`
    Bitcast "arith.bitcast" SCALAR_LIKE -> SCALAR_LIKE, Equal, bitcast, convert::bits, AdRule::Inactive;
    /// Between `index` and an integer, as signed. `%b = arith.index_cast %a : i32 to index`
    IndexCast "arith.index_cast" INT_LIKE -> INT_LIKE, Index, |v, from, _| Val::Int(num::signed(v.as_int(), from)), convert::signed_to_int, AdRule::Inactive;
    /// Between `index` and an integer, as unsigned. `%b = arith.index_castui %a : i32 to index`
    IndexCastUI "arith.index_castui" INT_LIKE -> INT_LIKE, Index,
        |v, from, _| Val::Int(num::unsigned(v.as_int(), from) as i64), convert::unsigned_to_int, AdRule::Inactive;
}
