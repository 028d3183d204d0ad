//! `legalize-small`: arithmetic on numbers of 8 and 16 bits, written with that of 32 bits.
//!
//! A machine or a language that lacks small numbers holds them in wide ones. What is left of them
//! is converted, chosen, moved and stored: an op is done on its operands widened, and its result is
//! cut or rounded. A sum, product, quotient or root of two halves that is rounded to a float and
//! then to a half is the half that it would be rounded to at once, since a float has more than
//! twice as many digits.

use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate, int};
use caustic_dialects::combine::combine_def;
use caustic_dialects::{func, math, strong, vector};
use caustic_ir::{Body, Builder, FloatKind, OpDef, OpId, SymbolOp, Type, TypeKind, ValueId};

passes! {
    /// Computes with 32 bits what has 8 or 16.
    pub static LEGALIZE_SMALL: "legalize-small" {
        level: function,
        options: SmallOptions {
            floats: bool = "true", "Floats of 16 bits.";
            integers: bool = "true", "Integers of 8 and 16 bits.";
        },
        before: "any", after: "the same, with no arithmetic on the numbers that the options name",
        statistics: [("legalized", "ops that were written with others")],
        run: run,
    }
}

fn run(symbol: &mut SymbolOp, _: &ModuleView<'_>, options: &SmallOptions, report: &mut PassReport) -> PassResult {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return Ok(Changed::No);
    }
    let body = &mut symbol.body;
    let mut changed = 0;
    for op in body.walk_all() {
        let Some(mut b) = Builder::before(body, op) else { continue };
        let Some(value) = reduced(&mut b, op, options).or_else(|| widened(&mut b, op, options)) else { continue };
        let result = body.result(op, 0);
        let hint = body.value(result).hint;
        if body.value(value).hint.is_none() {
            body.set_hint(value, hint);
        }
        body.replace_uses(result, value);
        body.erase_op(op);
        changed += 1;
    }
    report.count("legalized", changed);
    Ok(Changed::from(changed > 0))
}

/// What an op's integers are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Integers {
    Signed,
    /// Without a sign, or with either.
    Unsigned,
}

fn is_in(def: &'static OpDef, list: &[&'static OpDef]) -> bool {
    list.iter().any(|d| std::ptr::eq(*d, def))
}

/// What the integers of an op are, if it is arithmetic.
fn integers_of(body: &Body, op: OpId) -> Option<Integers> {
    integers_of_def(body, op, body.op(op).def)
}

fn integers_of_def(body: &Body, op: OpId, def: &'static OpDef) -> Option<Integers> {
    let signed = [
        arith::DivSI::DEF,
        arith::RemSI::DEF,
        arith::ShRSI::DEF,
        arith::MinSI::DEF,
        arith::MaxSI::DEF,
        arith::SIToFP::DEF,
        arith::FPToSI::DEF,
        math::AbsI::DEF,
    ];
    if is_in(def, &signed) {
        return Some(Integers::Signed);
    }
    if std::ptr::eq(def, arith::CmpI::DEF) {
        use IntPredicate::{Sge, Sgt, Sle, Slt};
        let signed = matches!(IntPredicate::of(body, op)?, Slt | Sle | Sgt | Sge);
        return Some(if signed { Integers::Signed } else { Integers::Unsigned });
    }
    let conversions = [arith::UIToFP::DEF, arith::FPToUI::DEF, arith::CmpF::DEF];
    let arithmetic = is_in(def, arith::INT_OPS)
        || is_in(def, arith::FLOAT_OPS)
        || is_in(def, strong::PRODUCT_OPS)
        || math::DIALECT.ops.iter().any(|list| is_in(def, list))
        || is_in(def, &conversions);
    arithmetic.then_some(Integers::Unsigned)
}

/// Bits of a small integer.
fn small_integer(ty: Type, options: &SmallOptions) -> Option<u32> {
    match ty.elem().kind() {
        TypeKind::Int(bits @ (8 | 16)) if options.integers => Some(*bits),
        _ => None,
    }
}

fn is_half(ty: Type, options: &SmallOptions) -> bool {
    options.floats && ty.elem().float_kind() == Some(FloatKind::F16)
}

/// The type that an op has instead.
fn wide(ty: Type, options: &SmallOptions) -> Type {
    match small_integer(ty, options) {
        Some(_) => ty.with_elem(Type::int(32)),
        None if is_half(ty, options) => ty.with_elem(Type::f32()),
        None => ty,
    }
}

/// The value of a reduction of small numbers: each step is cut or rounded.
fn reduced(b: &mut Builder<'_>, op: OpId, options: &SmallOptions) -> Option<ValueId> {
    let vector = vector::Reduction::cast(b.body, op)?.vector(b.body);
    let (of, ty) = (b.ty(vector), b.ty(b.body.result(op, 0)));
    if wide(ty, options) == ty {
        return None;
    }
    let def = combine_def(vector::reduction_kind(b.body, op)?, ty)?;
    let integers = integers_of_def(b.body, op, def)?;
    let mut places: Vec<Vec<i64>> = vec![Vec::new()];
    for &n in of.shape() {
        places = places.iter().flat_map(|at| (0..i64::from(n)).map(move |k| [&at[..], &[k]].concat())).collect();
    }
    let mut sum = None;
    for place in places {
        let part = vector::extract(b, vector, &place);
        sum = Some(match sum {
            None => part,
            Some(before) => {
                let operands = [before, part].map(|value| widen(b, value, integers, options));
                let value = b.create_one(def, &operands, wide(ty, options), &[]);
                narrowed(b, value, ty, def, options)
            }
        });
    }
    sum
}

/// The value of an op, done with wide numbers.
fn widened(b: &mut Builder<'_>, op: OpId, options: &SmallOptions) -> Option<ValueId> {
    let [result] = b.body.results(op)[..] else { return None };
    let integers = integers_of(b.body, op)?;
    let (ty, def) = (b.ty(result), b.body.op(op).def);
    let given = b.body.operands(op).to_vec();
    if wide(ty, options) == ty && given.iter().all(|&v| wide(b.ty(v), options) == b.ty(v)) {
        return None;
    }
    let attrs = b.body.op(op).attrs.clone();
    let attrs: Vec<(&str, caustic_ir::Attr)> = attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
    let bits = given.first().and_then(|&v| small_integer(b.ty(v), options));
    let mut operands = Vec::new();
    for value in given {
        operands.push(widen(b, value, integers, options));
    }
    let shifts = [arith::ShLI::DEF, arith::ShRSI::DEF, arith::ShRUI::DEF];
    if let (Some(bits), true, [_, amount]) = (bits, is_in(def, &shifts), &mut operands[..]) {
        // Amounts count modulo the width that there was.
        let mask = int(b, i64::from(bits) - 1, b.ty(*amount));
        *amount = arith::AndI::build(b, *amount, mask, &[]);
    }
    if let (Some(bits), true, [value]) = (bits, std::ptr::eq(def, math::CountTrailingZeros::DEF), &mut operands[..]) {
        // A bit behind the last one is where the count ends.
        let end = int(b, 1 << bits, b.ty(*value));
        *value = arith::OrI::build(b, *value, end, &[]);
    }
    let mut value = b.create_one(def, &operands, wide(ty, options), &attrs);
    if let (Some(bits), true) = (bits, std::ptr::eq(def, math::CountLeadingZeros::DEF)) {
        let more = int(b, 32 - i64::from(bits), b.ty(value));
        value = arith::SubI::build(b, value, more, &[]);
    }
    Some(narrowed(b, value, ty, def, options))
}

fn widen(b: &mut Builder<'_>, value: ValueId, integers: Integers, options: &SmallOptions) -> ValueId {
    let (ty, to) = (b.ty(value), wide(b.ty(value), options));
    if to == ty {
        return value;
    }
    match (to.is_float() || to.elem().is_float(), integers) {
        (true, _) => arith::ExtF::build(b, value, to, &[]),
        (_, Integers::Signed) => arith::ExtSI::build(b, value, to, &[]),
        (_, Integers::Unsigned) => arith::ExtUI::build(b, value, to, &[]),
    }
}

/// A wide result as a small one.
fn narrowed(b: &mut Builder<'_>, value: ValueId, ty: Type, def: &'static OpDef, options: &SmallOptions) -> ValueId {
    if b.ty(value) == ty {
        return value;
    }
    let Some(bits) = small_integer(ty, options) else { return arith::TruncF::build(b, value, ty, &[]) };
    let of = b.ty(value);
    let mut value = value;
    // A float beyond all integers of the type becomes the nearest one.
    if std::ptr::eq(def, arith::FPToSI::DEF) {
        let (least, most) = (int(b, -(1 << (bits - 1)), of), int(b, (1 << (bits - 1)) - 1, of));
        value = arith::MaxSI::build(b, value, least, &[]);
        value = arith::MinSI::build(b, value, most, &[]);
    } else if std::ptr::eq(def, arith::FPToUI::DEF) {
        let most = int(b, (1 << bits) - 1, of);
        value = arith::MinUI::build(b, value, most, &[]);
    }
    arith::TruncI::build(b, value, ty, &[])
}
