//! `legalize-total`: ops that are defined for all operands, written with such as a machine leaves
//! undefined for some.
//!
//! Each option is one sort of ops that a machine lacks: the quotient by zero, the shift beyond the
//! width, the float that no integer is near to, the order of numbers with one that is none, the
//! product in which a zero annihilates, functions of the bits of integers. What is written instead
//! computes the same for all operands, and uses ops with operands for which every machine defines
//! them.

mod floats;
mod ints;

use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::func;
use caustic_ir::{Body, Builder, OpDef, OpId, SymbolOp, Type, ValueId};

passes! {
    /// Writes ops that are defined for all operands with such as are not.
    ///
    /// An option is given for what a machine lacks.
    pub static LEGALIZE_TOTAL: "legalize-total" {
        level: function,
        options: TotalOptions {
            division: bool = "true", "Quotients and remainders of integers by zero, and of the least integer by -1; remainders of negative integers.";
            shifts: bool = "true", "Shifts by the width and more.";
            conversions: bool = "true", "Floats to integers where no integer is near.";
            extremes: bool = "true", "The lesser and the greater of floats, with zeros of both signs and with NaN.";
            products: bool = "true", "Products in which a zero annihilates.";
            bits: bool = "true", "Functions of the bits of integers that are not of 32 bits, and of floats.";
        },
        before: "any", after: "the same, without ops that the options name",
        statistics: [("legalized", "ops that were written with others")],
        run: run,
    }
}

fn run(symbol: &mut SymbolOp, _: &ModuleView<'_>, options: &TotalOptions, report: &mut PassReport) -> PassResult {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return Ok(Changed::No);
    }
    let body = &mut symbol.body;
    let mut changed = 0;
    // What is written may hold ops that are written with others in turn, but has none of the same
    // option again.
    for rule in rules(options) {
        for op in body.walk_all() {
            let Some(value) = Builder::before(body, op).and_then(|mut b| rule(&mut b, op)) else { continue };
            let result = body.result(op, 0);
            let hint = body.value(result).hint;
            if body.value(value).hint.is_none() {
                body.set_hint(value, hint);
            }
            body.replace_uses(result, value);
            body.erase_op(op);
            changed += 1;
        }
    }
    report.count("legalized", changed);
    Ok(Changed::from(changed > 0))
}

/// What is put for an op, if anything: ops before it, of which one gives the result.
type Rule = fn(&mut Builder<'_>, OpId) -> Option<ValueId>;

/// The rules of the options, in an order in which none makes work for one before it.
fn rules(options: &TotalOptions) -> impl Iterator<Item = Rule> {
    let all: [(bool, Rule); 6] = [
        (options.products, floats::product),
        (options.extremes, floats::extreme),
        (options.bits, ints::bits),
        (options.conversions, floats::to_integer),
        (options.division, ints::quotient),
        (options.shifts, ints::shift),
    ];
    all.into_iter().filter(|(wanted, _)| *wanted).map(|(_, rule)| rule)
}

/// The operands of an op that is one of these.
fn operands_of<const N: usize>(body: &Body, op: OpId, defs: &[&'static OpDef]) -> Option<[ValueId; N]> {
    let is = defs.iter().any(|def| body.is(op, def));
    if is { body.operands(op).try_into().ok() } else { None }
}

/// Integers of the width of the floats of a type.
fn bits_type(ty: Type) -> Option<Type> {
    Some(ty.with_elem(Type::int(ty.elem().float_kind()?.bits())))
}
