//! What an op costs on each machine: a row for each op, or for several that cost the same.
//!
//! A cost may have a part that ops share (a *set-up*): quotients by one number share what is done
//! to the divisor, powers of one base its logarithm. The cost of some code is the sum of what each
//! of its ops costs, and of the set-ups that are not the same.
//!
//! The numbers stand in [`table`](super::table).

use super::table::{ROWS, TAKE_SIGNS, WIDE, WIDE_ULPS};
use super::{Costs, Machine};
use caustic_dialects::{arith as a, math as m};
use caustic_ir::op::OpDef;
use caustic_ir::{Attr, Body, OpId, Type};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// What ops can share that have an operand in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SetUpKey {
    /// Of quotients by a number: its reciprocal, and the look at its size.
    Divisor,
    /// Of a number's root and its reciprocal.
    Root,
    /// Of powers of a base.
    Logarithm,
    /// Of functions of an angle: its distance from the nearest multiple of a right angle.
    Angle,
}

/// The part of an op's cost that is spent once for all ops with this key and this operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetUp {
    pub key: SetUpKey,
    /// The operand's number.
    pub operand: usize,
    pub cost: u32,
}

/// What an op costs, in simple operations on a scalar, and how far its result may be off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OpCost {
    /// For each execution.
    pub each: u32,
    /// Once for all that share it.
    pub set_up: Option<SetUp>,
    /// The most that the result is off, in units in the last place of its type; 0 of what is not
    /// rounded, infinite where it has no bound.
    pub ulps: f32,
}

impl OpCost {
    /// What one execution costs that shares nothing.
    pub fn alone(&self) -> u32 {
        self.each.saturating_add(self.set_up.map_or(0, |s| s.cost))
    }
}

/// For which executions of its ops a row is meant. Of the rows of an op the first one that fits
/// counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Always,
    /// This operand is the number 1.
    One(usize),
    /// This operand is a constant.
    Constant(usize),
}

/// One number a machine, in the order of [`Machine::ALL`].
pub type Cells<T> = [T; Machine::COUNT];

/// What some ops cost.
pub struct Row {
    pub ops: &'static [&'static OpDef],
    pub when: When,
    pub each: Cells<u32>,
    /// What is shared, by which operand, and what that costs on top.
    pub shared: Option<(SetUpKey, usize, Cells<u32>)>,
    pub ulps: Cells<f32>,
}

pub(super) const fn row(ops: &'static [&'static OpDef], ulps: Cells<f32>, each: Cells<u32>) -> Row {
    Row { ops, when: When::Always, each, shared: None, ulps }
}

impl Row {
    pub(super) const fn when(self, when: When) -> Row {
        Row { when, ..self }
    }
    pub(super) const fn set_up(self, key: SetUpKey, operand: usize, cost: Cells<u32>) -> Row {
        Row { shared: Some((key, operand, cost)), ..self }
    }

    fn fits(&self, constants: &[Option<Attr>]) -> bool {
        let constant = |n: usize| constants.get(n).copied().flatten();
        match self.when {
            When::Always => true,
            When::One(n) => constant(n).is_some_and(is_one),
            When::Constant(n) => constant(n).is_some(),
        }
    }
}

/// Whether a constant is 1 in every lane.
fn is_one(attr: Attr) -> bool {
    match attr.kind() {
        caustic_ir::AttrKind::Dense(items, _) => !items.is_empty() && items.iter().all(|&a| is_one(a)),
        _ => attr.as_float() == Some(1.0),
    }
}

/// The rows of each op, by its row's address.
fn rows_of(def: &OpDef) -> &'static [&'static Row] {
    static BY_OP: OnceLock<FxHashMap<usize, Vec<&'static Row>>> = OnceLock::new();
    let address = |def: &OpDef| std::ptr::from_ref(def) as usize;
    let all = BY_OP.get_or_init(|| {
        let mut all: FxHashMap<usize, Vec<&'static Row>> = FxHashMap::default();
        for row in ROWS {
            row.ops.iter().for_each(|op| all.entry(address(op)).or_default().push(row));
        }
        all
    });
    all.get(&address(def)).map_or(&[], Vec::as_slice)
}

/// Whether an op has costs of its own; others count as a simple operation on each scalar.
pub fn is_known(def: &OpDef) -> bool {
    !rows_of(def).is_empty()
}

/// Scalars that an op on this type works on.
fn lanes(ty: Type) -> u64 {
    match () {
        _ if ty.is_scalar() => 1,
        _ if ty.is_vector() => ty.num_elements() as u64,
        _ => (super::bytes(ty) / 4).max(1),
    }
}

impl Costs {
    /// What an op with this row and a result of this type costs. `constants` are the operands that
    /// are constants, as folding has them. Each scalar of a vector counts.
    pub fn of(&self, def: &OpDef, result: Type, constants: &[Option<Attr>]) -> OpCost {
        let lanes = u32::try_from(lanes(result)).unwrap_or(u32::MAX);
        let Some(row) = rows_of(def).iter().find(|r| r.fits(constants)) else {
            let none = def.is_terminator() || def.operands.is_empty();
            return OpCost { each: if none { 0 } else { lanes }, set_up: None, ulps: 0.0 };
        };
        let wide = result.elem().float_kind().is_some() && result.elem().scalar_bits() == Some(64);
        // Approximate instructions are of f32 only.
        let machine = if wide && self.machine == Machine::GpuFast { Machine::Gpu } else { self.machine } as usize;
        let factor = if wide { WIDE[machine] } else { 1 };
        let scaled = |cost: u32| cost.saturating_mul(factor).saturating_mul(lanes);
        let set_up = row.shared.map(|(key, operand, cost)| SetUp { key, operand, cost: scaled(cost[machine]) });
        let ulps = row.ulps[machine];
        let ulps = if wide && ulps > 0.5 { WIDE_ULPS } else { ulps };
        OpCost { each: scaled(row.each[machine]), set_up: set_up.filter(|s| s.cost > 0), ulps }
    }

    /// What a sign or a magnitude costs, for which an op of this row is free, if `reader` reads it:
    /// instructions take in those of their operands, other code does not.
    pub fn unfolded(&self, def: &OpDef, reader: Option<&OpDef>) -> u32 {
        let folds = [a::NegF::DEF, m::AbsF::DEF].into_iter().any(|d| std::ptr::eq(d, def)) && self.machine.is_gpu();
        let takes_in = |r: &OpDef| TAKE_SIGNS.iter().any(|d| std::ptr::eq(*d, r));
        u32::from(folds && !reader.is_some_and(takes_in))
    }

    /// One execution of an op, without what its regions do.
    pub fn work(&self, body: &Body, op: OpId) -> u64 {
        self.once(body, op, |cost| cost.alone())
    }

    /// One execution of an op that runs again for its derivative: what it could share is there,
    /// since its partials need the same (of `a / b` the reciprocal of `b`, of `sin(x)` the reduced
    /// angle).
    pub fn work_again(&self, body: &Body, op: OpId) -> u64 {
        self.once(body, op, |cost| cost.each)
    }

    fn once(&self, body: &Body, op: OpId, of: impl Fn(OpCost) -> u32) -> u64 {
        let data = body.op(op);
        if data.def.is_terminator() || data.operands.is_empty() {
            return 0;
        }
        let constants: Vec<Option<Attr>> = data.operands.iter().map(|&v| a::constant_of(body, v)).collect();
        let of = |ty: Type| u64::from(of(self.of(data.def, ty, &constants)));
        data.results.iter().map(|&r| of(body.ty(r))).max().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::strong;
    use caustic_ir::FloatKind;

    fn f32() -> Type {
        Type::float(FloatKind::F32)
    }

    fn constant(value: f64) -> Option<Attr> {
        Some(Attr::float(value, f32()))
    }

    /// A new op must say what it costs.
    #[test]
    fn every_pure_op_of_numbers_has_costs() {
        let dialects = [&a::DIALECT, &m::DIALECT, &strong::DIALECT];
        for def in dialects.iter().flat_map(|d| d.ops).copied().flatten() {
            assert!(!def.is_pure() || is_known(def), "{} has no row in analysis/costs/ops.rs", def.name);
        }
    }

    #[test]
    fn set_ups_are_of_operands_that_there_are() {
        for row in ROWS {
            for def in row.ops {
                assert!(row.shared.is_none_or(|(_, n, _)| n < def.operands.len()), "{}", def.name);
            }
        }
    }
    #[test]
    fn quotients_share_what_is_done_to_the_divisor() {
        let gpu = Costs::of_machine(Machine::Gpu);
        let of = |constants: &[Option<Attr>]| gpu.of(a::DivF::DEF, f32(), constants);
        let (plain, reciprocal) = (of(&[None, None]), of(&[constant(1.0), None]));
        assert_eq!(plain.set_up, reciprocal.set_up);
        assert!(reciprocal.alone() < plain.alone());
        assert_eq!(of(&[constant(2.0), None]), plain);
        assert!(of(&[None, constant(3.0)]).alone() < plain.alone());
        // Eight quotients of vectors are eight times as much, and have eight set-ups.
        let vector = gpu.of(a::DivF::DEF, Type::vector(&[8], f32()), &[None, None]);
        assert_eq!(vector.alone(), 8 * plain.alone());
    }

    #[test]
    fn approximate_instructions_are_of_narrow_floats_only() {
        let f64 = Type::float(FloatKind::F64);
        let [exact, fast] = [Machine::Gpu, Machine::GpuFast].map(Costs::of_machine);
        assert_eq!(exact.of(m::Exp::DEF, f64, &[None]), fast.of(m::Exp::DEF, f64, &[None]));
        assert!(exact.of(m::Exp::DEF, f32(), &[None]).each > fast.of(m::Exp::DEF, f32(), &[None]).each);
    }

    #[test]
    fn signs_are_free_where_a_reader_takes_them_in() {
        let gpu = Costs::of_machine(Machine::Gpu);
        assert_eq!(gpu.of(a::NegF::DEF, f32(), &[None]).alone(), 0);
        assert_eq!(gpu.unfolded(a::NegF::DEF, Some(a::MulF::DEF)), 0);
        assert_eq!(gpu.unfolded(a::NegF::DEF, None), 1);
        assert_eq!(Costs::of_machine(Machine::Cpu).unfolded(a::NegF::DEF, None), 0);
    }
}
