//! `legalize-64bit`: integers of 64 bits that hold what 32 bits hold are computed in 32 bits.
//!
//! An index has 64 bits here, and so has the trip count of a loop. What machines index has 32, and
//! those that have integers of 64 bits at all are slow with them. A value is narrow if it is one of
//! 32 bits, sign-extended: as it stands, or since its range is known. Comparisons, loops whose
//! bounds are narrow, and indices are written with the narrow values.

use crate::analysis::ranges::range_of;
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate, cmpi, constant_of, int};
use caustic_dialects::carried::ForParts;
use caustic_dialects::place::places;
use caustic_dialects::{func, scf, vector};
use caustic_ir::{Body, Builder, OpId, SymbolOp, Type, ValueId};

/// Operations behind each other that are looked through.
const DEPTH: u32 = 12;

passes! {
    /// Computes in 32 bits what fits them: comparisons, counters of loops, and indices.
    pub static LEGALIZE_64BIT: "legalize-64bit" {
        level: function,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("loops", "loops that count in 32 bits"), ("comparisons", "comparisons and conversions"), ("indices", "indices")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| -> PassResult { Ok(run(symbol, report)) },
    }
}

fn run(symbol: &mut SymbolOp, report: &mut PassReport) -> Changed {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return Changed::No;
    }
    let body = &mut symbol.body;
    let (mut loops, mut comparisons, mut indices) = (0, 0, 0);
    // From the outside in: what a loop counts makes what stands in it narrow.
    for op in body.walk_all() {
        if body.is_erased(op) {
            continue;
        }
        if scf::For::is(body, op) {
            loops += u64::from(count_narrow(body, op).is_some());
        } else if arith::CmpI::is(body, op) {
            comparisons += u64::from(compare_narrow(body, op).is_some());
        } else if is_cut(body, op) {
            comparisons += u64::from(cut(body, op).is_some());
        } else {
            indices += index_narrow(body, op);
        }
    }
    report.count("loops", loops);
    report.count("comparisons", comparisons);
    report.count("indices", indices);
    Changed::from(loops + comparisons + indices > 0)
}

fn is_wide(ty: Type) -> bool {
    ty == Type::index() || ty == Type::i64()
}

fn fits(value: i64) -> bool {
    i32::try_from(value).is_ok()
}

/// Whether there is a number of 32 bits that a value is the sign extension of.
fn is_narrow(body: &Body, value: ValueId, depth: u32) -> bool {
    if !is_wide(body.ty(value)) || depth == 0 {
        return false;
    }
    if let Some(constant) = constant_of(body, value) {
        return constant.as_int().is_some_and(fits);
    }
    let Some(op) = body.def_op(value) else { return false };
    let operands = body.operands(op);
    let all = |from: usize| operands[from..].iter().all(|&v| is_narrow(body, v, depth - 1));
    match body.op(op).def {
        def if is(def, &[arith::ExtSI::DEF, arith::IndexCast::DEF]) => {
            let from = body.ty(operands[0]);
            from == Type::i32() || is_wide(from) && all(0)
        }
        def if is(def, &[arith::ExtUI::DEF, arith::IndexCastUI::DEF]) => {
            let from = body.ty(operands[0]);
            from == Type::i32() && range_of(body, operands[0]).0 >= 0 || is_wide(from) && all(0)
        }
        def if is(def, &[arith::MaxSI::DEF, arith::MinSI::DEF]) => all(0),
        def if is(def, &[arith::Select::DEF]) => body.ty(operands[0]).is_i1() && all(1),
        def if is(def, &[arith::AddI::DEF, arith::SubI::DEF, arith::MulI::DEF]) => {
            let (least, greatest) = range_of(body, value);
            fits(least) && fits(greatest) && all(0)
        }
        _ => false,
    }
}

fn is(def: &'static caustic_ir::OpDef, list: &[&'static caustic_ir::OpDef]) -> bool {
    list.iter().any(|d| std::ptr::eq(*d, def))
}

/// The number of 32 bits that a narrow value is the sign extension of.
fn narrow(b: &mut Builder<'_>, value: ValueId) -> Option<ValueId> {
    if let Some(constant) = constant_of(b.body, value) {
        return Some(int(b, constant.as_int()?, Type::i32()));
    }
    let op = b.body.def_op(value)?;
    let operands = b.body.operands(op).to_vec();
    let def = b.body.op(op).def;
    let casts = [arith::ExtSI::DEF, arith::IndexCast::DEF, arith::ExtUI::DEF, arith::IndexCastUI::DEF];
    if is(def, &casts) {
        return if b.ty(operands[0]) == Type::i32() { Some(operands[0]) } else { narrow(b, operands[0]) };
    }
    if is(def, &[arith::Select::DEF]) {
        let (x, y) = (narrow(b, operands[1])?, narrow(b, operands[2])?);
        return Some(arith::Select::build(b, operands[0], x, y, &[]));
    }
    let (x, y) = (narrow(b, operands[0])?, narrow(b, operands[1])?);
    Some(b.create_one(def, &[x, y], Type::i32(), &[]))
}

/// A comparison of narrow numbers, which have the same order as signed and as unsigned ones.
fn compare_narrow(body: &mut Body, op: OpId) -> Option<()> {
    let [lhs, rhs] = *body.operands(op) else { return None };
    if !is_narrow(body, lhs, DEPTH) || !is_narrow(body, rhs, DEPTH) {
        return None;
    }
    let predicate = IntPredicate::of(body, op)?;
    let mut b = Builder::before(body, op)?;
    let (lhs, rhs) = (narrow(&mut b, lhs)?, narrow(&mut b, rhs)?);
    let value = cmpi(&mut b, predicate, lhs, rhs);
    replace(body, op, value);
    Some(())
}

/// Whether an op cuts a number of 64 bits to 32.
fn is_cut(body: &Body, op: OpId) -> bool {
    let cuts = [arith::TruncI::is, arith::IndexCast::is, arith::IndexCastUI::is].iter().any(|is| is(body, op));
    cuts && body.ty(body.result(op, 0)) == Type::i32()
}

fn cut(body: &mut Body, op: OpId) -> Option<()> {
    let wide = body.operand(op, 0);
    if !is_narrow(body, wide, DEPTH) {
        return None;
    }
    let value = narrow(&mut Builder::before(body, op)?, wide)?;
    replace(body, op, value);
    Some(())
}

fn replace(body: &mut Body, op: OpId, value: ValueId) {
    let result = body.result(op, 0);
    body.replace_uses(result, value);
    body.erase_op(op);
}

/// A loop by 1 up to a narrow bound counts in 32 bits.
fn count_narrow(body: &mut Body, op: OpId) -> Option<()> {
    let parts = ForParts::of(body, op)?;
    let v = scf::For(op);
    let (lower, upper, step) = (v.lower(body), v.upper(body), v.step(body));
    // One that counts by more may count on past the greatest number.
    let by_one = constant_of(body, step).and_then(|a| a.as_int()) == Some(1);
    if !by_one || !is_narrow(body, lower, DEPTH) || !is_narrow(body, upper, DEPTH) {
        return None;
    }
    let wide = body.ty(lower);
    let mut b = Builder::before(body, op)?;
    let (lower, upper) = (narrow(&mut b, lower)?, narrow(&mut b, upper)?);
    let one = int(&mut b, 1, Type::i32());
    for (k, value) in [lower, upper, one].into_iter().enumerate() {
        body.set_operand(op, k, value);
    }
    let counter = body.args(parts.body)[0];
    let first = body.first_op(parts.body)?;
    body.set_type(counter, Type::i32());
    let mut b = Builder::before(body, first)?;
    let def = if wide == Type::index() { arith::IndexCast::DEF } else { arith::ExtSI::DEF };
    // The new value reads the counter, all others read the new value.
    let placeholder = b.create_one(def, &[lower], wide, &[]);
    body.replace_uses(counter, placeholder);
    let cast = body.def_op(placeholder)?;
    body.set_operand(cast, 0, counter);
    Some(())
}

/// Indices that are narrow become casts of the narrow numbers.
fn index_narrow(body: &mut Body, op: OpId) -> u64 {
    let is_access = |body: &Body| {
        scf::IndexSwitch::is(body, op)
            || vector::Extract::is(body, op)
            || vector::Insert::is(body, op)
            || places(body, op).iter().any(|p| p.element.is_some() || !p.indices.is_empty())
    };
    let candidates: Vec<usize> = (0..body.operands(op).len())
        .filter(|&k| body.ty(body.operand(op, k)) == Type::index() && !is_plain(body, body.operand(op, k)))
        .collect();
    if candidates.is_empty() || !is_access(body) {
        return 0;
    }
    let mut changed = 0;
    for k in candidates {
        let index = body.operand(op, k);
        if !is_narrow(body, index, DEPTH) {
            continue;
        }
        let Some(mut b) = Builder::before(body, op) else { continue };
        let Some(value) = narrow(&mut b, index) else { continue };
        let cast = arith::IndexCast::build(&mut b, value, Type::index(), &[]);
        body.set_operand(op, k, cast);
        changed += 1;
    }
    changed
}

/// Whether an index is a number, or one of 32 bits as it is.
fn is_plain(body: &Body, index: ValueId) -> bool {
    let cast = |op: &OpId| arith::IndexCast::is(body, *op) || arith::IndexCastUI::is(body, *op);
    let narrow = body.def_op(index).filter(cast).map(|op| body.ty(body.operand(op, 0)));
    constant_of(body, index).is_some() || narrow == Some(Type::i32())
}
