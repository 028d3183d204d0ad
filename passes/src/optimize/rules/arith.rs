//! Rewrites of arithmetic. What a single op with constant operands folds to is in its row; here is what spans ops.

use crate::optimize::rewrite::{Rewriter, rewrites};
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate, constant_of};
use caustic_ir::attr::AttrKind;
use caustic_ir::{Attr, OpDef, OpId, Type, ValueId};

rewrites! {
    pub static REWRITES: [
        "constant-right" Exact [
            arith::AddI, arith::MulI, arith::AndI, arith::OrI, arith::XOrI, arith::MinSI, arith::MaxSI, arith::MinUI, arith::MaxUI,
            arith::AddF, arith::MulF, arith::MinimumF, arith::MaximumF, arith::MinNumF, arith::MaxNumF,
        ] "c op x => x op c" constant_right;
        "compare-constant-right" Exact [arith::CmpI, arith::CmpF] "c < x => x > c, and so on" compare_constant_right;
        "add-constants" Exact [arith::AddI] "(x + c) + d => x + (c + d)" add_constants;
        "mul-constants" Exact [arith::MulI] "(x * c) * d => x * (c * d)" mul_constants;
        "subtract-constant" Exact [arith::SubI] "x - c => x + -c" subtract_constant;
        "add-subtract" Exact [arith::SubI] "(x + y) - y => x, (x + y) - x => y, x - (x - y) => y" add_subtract;
        "subtract-add" Exact [arith::AddI] "(x - y) + y => x, y + (x - y) => x" subtract_add;
        "add-of-negative" Exact [arith::AddF] "x + -y => x - y" add_of_negative;
        "subtract-negative" Exact [arith::SubF] "x - -y => x + y" subtract_negative;
        "double-negative" Exact [arith::NegF] "--x => x" double_negative;
        "product-of-negatives" Exact [arith::MulF, arith::DivF] "-x * -y => x * y, -x / -y => x / y" product_of_negatives;
        "times-minus-one" Exact [arith::MulF, arith::DivF] "x * -1 => -x, x / -1 => -x" times_minus_one;
        "divide-by-power-of-two" Exact [arith::DivF] "x / 2^k => x * 2^-k" divide_by_power_of_two;
        "select-of-constants" Exact [arith::Select] "c ? true : false => c, c ? false : true => !c" select_of_constants;
        "select-of-not" Exact [arith::Select] "!c ? x : y => c ? y : x" select_of_not;
        "nested-select" Exact [arith::Select] "c ? (c ? x : y) : z => c ? x : z, c ? x : (c ? y : z) => c ? x : z" nested_select;
        "double-not" Exact [arith::XOrI] "!!c => c" double_not;
        "not-of-comparison" Exact [arith::XOrI] "!(x < y) => x >= y, and so on, NaN included" not_of_comparison;
        "compare-of-bool" Exact [arith::CmpI] "c == true => c, c != false => c, c == false => !c, c != true => !c" compare_of_bool;
        // Bit casts stay, either way round: bits that make a signaling NaN need not survive being a float, and the bits of a float carry no
        // derivative, which it would if it came back as itself.
        "cast-and-back" Exact [
            arith::IndexCast, arith::IndexCastUI, arith::TruncI, arith::TruncF,
        ] "a conversion that undoes one which loses nothing => x" cast_and_back;
    ]
}

fn operands(r: &Rewriter<'_>, op: OpId) -> (ValueId, ValueId) {
    (r.body.operand(op, 0), r.body.operand(op, 1))
}

/// The op that computes `value`, if it is one of row `def`.
fn made_by(r: &Rewriter<'_>, value: ValueId, def: &'static OpDef) -> Option<OpId> {
    r.body.def_op(value).filter(|&op| r.body.is(op, def))
}

/// The number that a constant holds in every lane.
fn splat(r: &Rewriter<'_>, value: ValueId) -> Option<Attr> {
    let attr = constant_of(r.body, value)?;
    match attr.kind() {
        AttrKind::Dense(items, _) => items.first().copied().filter(|first| items.iter().all(|a| a == first)),
        _ => Some(attr),
    }
}

fn splat_int(r: &Rewriter<'_>, value: ValueId) -> Option<i64> {
    splat(r, value)?.as_int()
}

fn splat_float(r: &Rewriter<'_>, value: ValueId) -> Option<f64> {
    splat(r, value)?.as_float()
}

/// Puts a new op of row `def` in the place of `op`.
fn replace_by(
    r: &mut Rewriter<'_>,
    op: OpId,
    def: &'static OpDef,
    operands: &[ValueId],
    attrs: &[(&str, Attr)],
) -> bool {
    let ty = r.body.ty(r.body.result(op, 0));
    let new = r.before(op).create_one(def, operands, ty, attrs);
    r.replace_op(op, &[new])
}

fn negated(r: &Rewriter<'_>, value: ValueId) -> Option<ValueId> {
    made_by(r, value, arith::NegF::DEF).map(|op| r.body.operand(op, 0))
}

/// `x` of `x xor true`.
fn inverted(r: &Rewriter<'_>, value: ValueId) -> Option<ValueId> {
    let op = made_by(r, value, arith::XOrI::DEF)?;
    let (x, c) = operands(r, op);
    (r.body.ty(x).elem().is_i1() && splat_int(r, c) == Some(1)).then_some(x)
}

fn invert(r: &mut Rewriter<'_>, op: OpId, condition: ValueId) -> bool {
    let ty = r.body.ty(condition);
    let one = arith::int(&mut r.before(op), 1, ty);
    replace_by(r, op, arith::XOrI::DEF, &[condition, one], &[])
}

fn exchange(r: &mut Rewriter<'_>, op: OpId, a: ValueId, b: ValueId) {
    r.set_operand(op, 0, b);
    r.set_operand(op, 1, a);
}

fn constant_right(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    let swap = constant_of(r.body, a).is_some() && constant_of(r.body, b).is_none();
    if swap {
        exchange(r, op, a, b);
    }
    swap
}

fn compare_constant_right(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    if constant_of(r.body, a).is_none() || constant_of(r.body, b).is_some() {
        return false;
    }
    let swapped = if arith::CmpI::is(r.body, op) {
        IntPredicate::of(r.body, op).map(|p| swapped_int(p).attr())
    } else {
        FloatPredicate::of(r.body, op).map(|p| swapped_float(p).attr())
    };
    let Some(predicate) = swapped else { return false };
    exchange(r, op, a, b);
    r.body.set_attr(op, "predicate", predicate);
    true
}

/// The keyword with the order turned around: `lt` and `gt`, `le` and `ge`.
fn turned(keyword: &str) -> String {
    let (head, order) = keyword.split_at(1);
    match order {
        "lt" => format!("{head}gt"),
        "gt" => format!("{head}lt"),
        "le" => format!("{head}ge"),
        "ge" => format!("{head}le"),
        _ => keyword.to_string(),
    }
}

fn swapped_int(p: IntPredicate) -> IntPredicate {
    IntPredicate::from_keyword(&turned(p.keyword())).unwrap_or(p)
}

fn swapped_float(p: FloatPredicate) -> FloatPredicate {
    FloatPredicate::from_keyword(&turned(p.keyword())).unwrap_or(p)
}

fn add_constants(r: &mut Rewriter<'_>, op: OpId) -> bool {
    combine_constants(r, op, arith::AddI::DEF, i64::wrapping_add)
}

fn mul_constants(r: &mut Rewriter<'_>, op: OpId) -> bool {
    combine_constants(r, op, arith::MulI::DEF, i64::wrapping_mul)
}

fn combine_constants(r: &mut Rewriter<'_>, op: OpId, def: &'static OpDef, f: fn(i64, i64) -> i64) -> bool {
    let (inner, d) = operands(r, op);
    let Some(inner) = made_by(r, inner, def) else { return false };
    let (x, c) = operands(r, inner);
    let (Some(c), Some(d)) = (splat_int(r, c), splat_int(r, d)) else { return false };
    let ty = r.body.ty(x);
    let both = arith::int(&mut r.before(op), f(c, d), ty);
    replace_by(r, op, def, &[x, both], &[])
}

fn subtract_constant(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (x, c) = operands(r, op);
    let Some(c) = splat_int(r, c) else { return false };
    let ty = r.body.ty(x);
    let negative = arith::int(&mut r.before(op), c.wrapping_neg(), ty);
    replace_by(r, op, arith::AddI::DEF, &[x, negative], &[])
}

fn add_subtract(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    if let Some(sum) = made_by(r, a, arith::AddI::DEF) {
        let (x, y) = operands(r, sum);
        if y == b || x == b {
            return r.replace_op(op, &[if y == b { x } else { y }]);
        }
    }
    match made_by(r, b, arith::SubI::DEF).map(|d| operands(r, d)) {
        Some((x, y)) if x == a => r.replace_op(op, &[y]),
        _ => false,
    }
}

fn subtract_add(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    for (difference, other) in [(a, b), (b, a)] {
        if let Some((x, y)) = made_by(r, difference, arith::SubI::DEF).map(|d| operands(r, d))
            && y == other
        {
            return r.replace_op(op, &[x]);
        }
    }
    false
}

fn add_of_negative(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    match (negated(r, a), negated(r, b)) {
        (_, Some(y)) => replace_by(r, op, arith::SubF::DEF, &[a, y], &[]),
        (Some(x), _) => replace_by(r, op, arith::SubF::DEF, &[b, x], &[]),
        _ => false,
    }
}

fn subtract_negative(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    negated(r, b).is_some_and(|y| replace_by(r, op, arith::AddF::DEF, &[a, y], &[]))
}

fn double_negative(r: &mut Rewriter<'_>, op: OpId) -> bool {
    negated(r, r.body.operand(op, 0)).is_some_and(|x| r.replace_op(op, &[x]))
}

fn product_of_negatives(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    let def = r.body.op(op).def;
    match (negated(r, a), negated(r, b)) {
        (Some(x), Some(y)) => replace_by(r, op, def, &[x, y], &[]),
        _ => false,
    }
}

fn times_minus_one(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    splat_float(r, b) == Some(-1.0) && replace_by(r, op, arith::NegF::DEF, &[a], &[])
}

fn divide_by_power_of_two(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    let Some(c) = splat_float(r, b) else { return false };
    let ty = r.body.ty(a);
    // Both it and its inverse have to be normal numbers of the type, or flushing and rounding would differ.
    let (least, greatest) = match ty.elem().scalar_bits() {
        Some(16) => (-14, 14),
        Some(32) => (-126, 126),
        _ => (-1022, 1022),
    };
    let exponent = ((c.to_bits() >> 52) & 0x7ff) as i64 - 1023;
    let is_power = c.to_bits() & ((1 << 52) - 1) == 0 && (least..=greatest).contains(&exponent) && exponent != 0;
    if !is_power {
        return false;
    }
    let inverse = arith::float(&mut r.before(op), 1.0 / c, ty);
    replace_by(r, op, arith::MulF::DEF, &[a, inverse], &[])
}

fn select_of_constants(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let condition = r.body.operand(op, 0);
    let ty = r.body.ty(r.body.result(op, 0));
    if ty != r.body.ty(condition) {
        return false;
    }
    match (splat_int(r, r.body.operand(op, 1)), splat_int(r, r.body.operand(op, 2))) {
        (Some(1), Some(0)) => r.replace_op(op, &[condition]),
        (Some(0), Some(1)) => invert(r, op, condition),
        _ => false,
    }
}

fn select_of_not(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let data = r.body.operands(op).to_vec();
    let Some(c) = inverted(r, data[0]) else { return false };
    replace_by(r, op, arith::Select::DEF, &[c, data[2], data[1]], &[])
}

fn nested_select(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let data = r.body.operands(op).to_vec();
    for (n, taken) in [(1, 1), (2, 2)] {
        if let Some(inner) = made_by(r, data[n], arith::Select::DEF)
            && r.body.operand(inner, 0) == data[0]
        {
            let value = r.body.operand(inner, taken);
            r.set_operand(op, n, value);
            return true;
        }
    }
    false
}

fn double_not(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let found = inverted(r, r.body.result(op, 0)).and_then(|x| inverted(r, x));
    found.is_some_and(|c| r.replace_op(op, &[c]))
}

fn not_of_comparison(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(x) = inverted(r, r.body.result(op, 0)) else { return false };
    // With other readers both comparisons would stay.
    if r.body.uses(x).len() != 1 {
        return false;
    }
    let Some(comparison) = r.body.def_op(x) else { return false };
    let (a, b) = match r.body.operands(comparison) {
        &[a, b] => (a, b),
        _ => return false,
    };
    if arith::CmpI::is(r.body, comparison) {
        let Some(p) = IntPredicate::of(r.body, comparison) else { return false };
        return replace_by(r, op, arith::CmpI::DEF, &[a, b], &[("predicate", opposite_int(p).attr())]);
    }
    if arith::CmpF::is(r.body, comparison) {
        let Some(p) = FloatPredicate::of(r.body, comparison) else { return false };
        return replace_by(r, op, arith::CmpF::DEF, &[a, b], &[("predicate", opposite_float(p).attr())]);
    }
    false
}

fn opposite_int(p: IntPredicate) -> IntPredicate {
    use IntPredicate::*;
    match p {
        Eq => Ne,
        Ne => Eq,
        Slt => Sge,
        Sle => Sgt,
        Sgt => Sle,
        Sge => Slt,
        Ult => Uge,
        Ule => Ugt,
        Ugt => Ule,
        Uge => Ult,
    }
}

fn opposite_float(p: FloatPredicate) -> FloatPredicate {
    use FloatPredicate::*;
    match p {
        False => True,
        True => False,
        Ord => Uno,
        Uno => Ord,
        // From `oeq` to `une` the numbers mirror each other.
        _ => FloatPredicate::from_number(Une.number() + Oeq.number() - p.number()).unwrap_or(p),
    }
}

fn compare_of_bool(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = operands(r, op);
    if !r.body.ty(a).elem().is_i1() {
        return false;
    }
    let (Some(p), Some(c)) = (IntPredicate::of(r.body, op), splat_int(r, b)) else { return false };
    match (p, c) {
        (IntPredicate::Eq, 1) | (IntPredicate::Ne, 0) => r.replace_op(op, &[a]),
        (IntPredicate::Eq, 0) | (IntPredicate::Ne, 1) => invert(r, op, a),
        _ => false,
    }
}

fn cast_and_back(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(first) = r.body.def_op(r.body.operand(op, 0)) else { return false };
    let [from] = r.body.operands(first)[..] else { return false };
    let (start, middle, end) = (r.body.ty(from), r.body.ty(r.body.operand(op, 0)), r.body.ty(r.body.result(op, 0)));
    if start != end {
        return false;
    }
    let is = |op: OpId, def: &'static OpDef| r.body.is(op, def);
    let bits = |ty: Type| ty.elem().scalar_bits().unwrap_or(0);
    let undone = if is(op, arith::TruncI::DEF) {
        is(first, arith::ExtSI::DEF) || is(first, arith::ExtUI::DEF)
    } else if is(op, arith::TruncF::DEF) {
        is(first, arith::ExtF::DEF)
    } else {
        // A detour through a type that is at least as wide; which bits fill the rest does not matter.
        (is(first, arith::IndexCast::DEF) || is(first, arith::IndexCastUI::DEF)) && bits(middle) >= bits(start)
    };
    undone && r.replace_op(op, &[from])
}
