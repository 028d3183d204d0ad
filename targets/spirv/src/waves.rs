//! Exchanges between the lanes of a wave: the lanes that take part are those of a mask, a value of
//! the program, and all of them come to the exchange together.
//!
//! A lane is a thread of the group by its number, modulo 32; floats are combined in the order of
//! the lanes, as the reference does. The machine is asked for the value of another lane and for a
//! ballot, of which everything else is made. What it gives for a lane that is none, or is not here,
//! is never used.

use crate::assembly::{Id, Operand};
use crate::emit::{Emit, Helper};
use crate::grammar::{Op, capability, std450};
use caustic_dialects::combine;
use caustic_dialects::simt::{self, WaveKind, WaveOp};
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, OpId, Type};

/// The scope of a subgroup.
const SUBGROUP: u32 = 3;

/// No lane.
const NO_LANE: u32 = simt::WAVE_SIZE;

/// A value that a lane brings.
type Brought = (Id, Type);

impl Emit<'_> {
    /// Whether the threads of a group are in a row for the machine, so that those of a wave are
    /// lanes of a subgroup.
    pub fn in_a_row(&self) -> bool {
        self.waves && self.interface.numthreads[1..] != [1, 1]
    }

    pub fn wave_op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let body = self.body;
        let wave = WaveOp::of(body, op).ok_or_else(|| self.internal("no such exchange"))?;
        let mask = match simt::mask_of(body, op) {
            Some(mask) => self.value(mask)?,
            None => self.out.word(u32::MAX),
        };
        let mut brought = Vec::new();
        for &value in simt::brought(body, op) {
            brought.push((self.value(value)?, body.ty(value)));
        }
        let results = match (&wave.kind, &brought[..]) {
            (WaveKind::Elect, []) => vec![self.leads(mask)?],
            (WaveKind::Sums, values) => vec![self.sums(mask, values)?],
            (WaveKind::SumsByKey, [takes, key, values @ ..]) => self.sums_by_key(mask, takes.0, *key, values)?,
            (WaveKind::Shuffle(mode), [value, offset, width]) => {
                self.shuffled(mode, mask, *value, (offset.0, width.0))?
            }
            (WaveKind::ReadLane, [value, _]) => {
                let lane = self.index_as(simt::brought(body, op)[1], Type::i32())?;
                vec![self.of_any_lane(mask, *value, lane)?]
            }
            (kind, [value]) => vec![self.exchange(kind, mask, *value)?],
            _ => return Err(self.internal("an exchange of nothing")),
        };
        for (k, id) in results.into_iter().enumerate() {
            self.bind_value(body.result(op, k), id);
        }
        Ok(())
    }

    /// An exchange of one value with one result.
    fn exchange(&mut self, kind: &WaveKind, mask: Id, value: Brought) -> Result<Id, Diagnostic> {
        let (uint, bool, zero) = (self.out.int(32), self.out.bool(), self.out.word(0));
        Ok(match kind {
            WaveKind::Reduce(op) => self.folded(op, mask, value, mask)?,
            WaveKind::Scan { op, inclusive } => {
                let (lane, one) = (self.lane()?, self.out.word(1));
                let end = self.out.word(if *inclusive { 2 } else { 1 });
                let end = self.op(Op::ShiftLeftLogical, uint, &[end, lane]);
                let before = self.op(Op::ISub, uint, &[end, one]);
                let some = self.op(Op::BitwiseAnd, uint, &[mask, before]);
                self.folded(op, mask, value, some)?
            }
            WaveKind::ReadFirst => {
                let first = self.first_of(mask);
                self.of_lane(value, first)?
            }
            WaveKind::Ballot => self.ballot(mask, value.0),
            WaveKind::Vote { all } => {
                let asked = if *all { self.op(Op::LogicalNot, bool, &[value.0]) } else { value.0 };
                let found = self.ballot(mask, asked);
                self.op(if *all { Op::IEqual } else { Op::INotEqual }, bool, &[found, zero])
            }
            WaveKind::Match => self.matching(mask, value)?,
            WaveKind::AllEqual => {
                let (parts, mut same) = (self.scalars(value.0, value.1)?, Vec::new());
                for part in parts {
                    let found = self.matching(mask, (part, value.1.elem()))?;
                    same.push(self.op(Op::IEqual, bool, &[found, mask]));
                }
                self.of_scalars(&same, value.1.with_elem(Type::i1()))?
            }
            _ => return Err(self.internal("an exchange of several values")),
        })
    }

    // ----- what the machine gives

    fn lane(&mut self) -> Result<Id, Diagnostic> {
        self.part_of_index(Op::UMod)
    }

    /// The lowest lane of a mask.
    fn first_of(&mut self, mask: Id) -> Id {
        let uint = self.out.int(32);
        self.std450(std450::FIND_I_LSB, uint, &[mask])
    }

    /// Whether this is the lowest lane of a mask, which may be empty.
    fn leads(&mut self, mask: Id) -> Result<Id, Diagnostic> {
        let (bool, first, lane) = (self.out.bool(), self.first_of(mask), self.lane()?);
        Ok(self.op(Op::IEqual, bool, &[first, lane]))
    }

    /// A bit for each lane of a mask for which a condition holds.
    fn ballot(&mut self, mask: Id, condition: Id) -> Id {
        self.out.capability(capability::GROUP_NON_UNIFORM);
        self.out.capability(capability::GROUP_NON_UNIFORM_BALLOT);
        let (uint, scope) = (self.out.int(32), self.out.word(SUBGROUP));
        let four = self.out.vector(uint, 4);
        let all = self.op(Op::GroupNonUniformBallot, four, &[scope, condition]);
        let first = self.op_of(Op::CompositeExtract, uint, vec![Operand::Id(all), Operand::Literal(0)]);
        self.op(Op::BitwiseAnd, uint, &[first, mask])
    }

    /// The value of a lane that takes part.
    fn of_lane(&mut self, (value, ty): Brought, lane: Id) -> Result<Id, Diagnostic> {
        self.out.capability(capability::GROUP_NON_UNIFORM);
        self.out.capability(capability::GROUP_NON_UNIFORM_SHUFFLE);
        self.lift(&[value, lane], &[ty, Type::i32()], ty, &mut |e, ids, _, part| {
            let (scope, part) = (e.out.word(SUBGROUP), e.ty(part)?);
            Ok(e.op(Op::GroupNonUniformShuffle, part, &[scope, ids[0], ids[1]]))
        })
    }

    /// Whether a lane, of which only the last bits are taken, is one of a mask.
    fn has_lane(&mut self, mask: Id, lane: Id) -> Id {
        let (uint, bool, one, zero) = (self.out.int(32), self.out.bool(), self.out.word(1), self.out.word(0));
        let last = self.out.word(simt::WAVE_SIZE - 1);
        let lane = self.op(Op::BitwiseAnd, uint, &[lane, last]);
        let bit = self.op(Op::ShiftRightLogical, uint, &[mask, lane]);
        let bit = self.op(Op::BitwiseAnd, uint, &[bit, one]);
        self.op(Op::INotEqual, bool, &[bit, zero])
    }

    // ----- what is made of it

    /// The value of a lane that is given by any number; zero, if it does not take part.
    fn of_any_lane(&mut self, mask: Id, value: Brought, lane: Id) -> Result<Id, Diagnostic> {
        let (uint, bool) = (self.out.int(32), self.out.bool());
        let (size, last) = (self.out.word(simt::WAVE_SIZE), self.out.word(simt::WAVE_SIZE - 1));
        let inside = self.op(Op::ULessThan, bool, &[lane, size]);
        let known = self.op(Op::BitwiseAnd, uint, &[lane, last]);
        let there = self.has_lane(mask, known);
        let found = self.op(Op::LogicalAnd, bool, &[inside, there]);
        let (theirs, ty, zero) = (self.of_lane(value, known)?, self.ty(value.1)?, self.null(value.1)?);
        Ok(self.op(Op::Select, ty, &[found, theirs, zero]))
    }

    /// A value from a lane within rows of lanes, and whether there is one.
    fn shuffled(
        &mut self,
        mode: &str,
        mask: Id,
        value: Brought,
        (offset, width): (Id, Id),
    ) -> Result<Vec<Id>, Diagnostic> {
        let (uint, bool, lane) = (self.out.int(32), self.out.bool(), self.lane()?);
        let from = match mode {
            "xor" => self.op(Op::BitwiseXor, uint, &[lane, offset]),
            "up" => self.op(Op::ISub, uint, &[lane, offset]),
            "down" => self.op(Op::IAdd, uint, &[lane, offset]),
            _ => offset,
        };
        let function = self.source_function()?;
        let source = self.call_helper(function, &[mask, from, width]);
        let (none, last) = (self.out.word(NO_LANE), self.out.word(simt::WAVE_SIZE - 1));
        let found = self.op(Op::INotEqual, bool, &[source, none]);
        let known = self.op(Op::BitwiseAnd, uint, &[source, last]);
        let (theirs, ty) = (self.of_lane(value, known)?, self.ty(value.1)?);
        Ok(vec![self.op(Op::Select, ty, &[found, theirs, value.0]), found])
    }

    /// The function that says which lane a value comes from: one that takes part, in the same row
    /// of so many.
    fn source_function(&mut self) -> Result<Helper, Diagnostic> {
        let uint = self.out.int(32);
        self.helper("wave source".to_string(), "wave.source", (&[uint; 3], uint), |e, args| {
            let [mask, source, width] = [args[0], args[1], args[2]];
            let (bool, zero, one) = (e.out.bool(), e.out.word(0), e.out.word(1));
            let (last, none, lane) = (e.out.word(simt::WAVE_SIZE - 1), e.out.word(NO_LANE), e.lane()?);
            let some = e.op(Op::SGreaterThan, bool, &[width, zero]);
            let width = e.op(Op::Select, uint, &[some, width, one]);
            let row = e.op(Op::UDiv, uint, &[lane, width]);
            let start = e.op(Op::IMul, uint, &[row, width]);
            let within = e.op(Op::ISub, uint, &[source, start]);
            let tests = [
                e.op(Op::SGreaterThanEqual, bool, &[source, start]),
                e.op(Op::SLessThanEqual, bool, &[source, last]),
                e.op(Op::SLessThan, bool, &[within, width]),
                e.has_lane(mask, source),
            ];
            let found = tests.into_iter().fold(some, |all, test| e.op(Op::LogicalAnd, bool, &[all, test]));
            Ok(Some(e.op(Op::Select, uint, &[found, source, none])))
        })
    }

    /// A bit for each lane that has the same value as this one.
    fn matching(&mut self, mask: Id, (value, ty): Brought) -> Result<Id, Diagnostic> {
        let (uint, held) = (self.out.int(32), self.ty(ty)?);
        let title = format!("wave.match.{ty}");
        let function = self.helper(format!("wave match {ty}"), &title, (&[uint, held], uint), |e, args| {
            let (bool, zero, one) = (e.out.bool(), e.out.word(0), e.out.word(1));
            let equal = match ty.elem() {
                elem if elem.is_float() => Op::FOrdEqual,
                elem if elem.is_i1() => Op::LogicalEqual,
                _ => Op::IEqual,
            };
            let own = e.scalars(args[1], ty)?;
            let found = e.each_bit(args[0], &[(uint, zero)], &mut |e, source, carried| {
                let theirs = e.of_lane((args[1], ty), source)?;
                let mut same = e.out.truth(true);
                for (theirs, &own) in e.scalars(theirs, ty)?.into_iter().zip(&own) {
                    let one = e.op(equal, bool, &[theirs, own]);
                    same = e.op(Op::LogicalAnd, bool, &[same, one]);
                }
                let bit = e.op(Op::ShiftLeftLogical, uint, &[one, source]);
                let bit = e.op(Op::Select, uint, &[same, bit, zero]);
                Ok(vec![e.op(Op::BitwiseOr, uint, &[carried[0], bit])])
            })?;
            Ok(Some(found[0]))
        })?;
        Ok(self.call_helper(function, &[mask, value]))
    }

    /// Those of the lanes that take part that are `some`, combined in their order.
    fn folded(&mut self, kind: &str, mask: Id, (value, ty): Brought, some: Id) -> Result<Id, Diagnostic> {
        self.lift(&[mask, value, some], &[Type::i32(), ty, Type::i32()], ty, &mut |e, ids, _, part| {
            let function = e.fold_function(kind, part)?;
            Ok(e.call_helper(function, ids))
        })
    }

    fn fold_function(&mut self, kind: &str, ty: Type) -> Result<Helper, Diagnostic> {
        let (uint, held) = (self.out.int(32), self.ty(ty)?);
        let title = format!("wave.{kind}.{ty}");
        self.helper(format!("wave {kind} {ty}"), &title, (&[uint, held, uint], held), |e, args| {
            let (bool, none, first) = (e.out.bool(), e.nothing_combined(kind, ty)?, e.out.truth(true));
            let sum = e.each_bit(args[0], &[(held, none), (bool, first)], &mut |e, source, carried| {
                let value = e.of_lane((args[1], ty), source)?;
                let takes = e.has_lane(args[2], source);
                let both = e.combined(kind, carried[0], value, ty)?;
                // The first one as it is: not even -0 is combined with the identity.
                let new = e.op(Op::Select, held, &[carried[1], value, both]);
                let new = e.op(Op::Select, held, &[takes, new, carried[0]]);
                let passed = e.op(Op::LogicalNot, bool, &[takes]);
                Ok(vec![new, e.op(Op::LogicalAnd, bool, &[carried[1], passed])])
            })?;
            Ok(Some(sum[0]))
        })
    }

    /// What combining no numbers gives.
    fn nothing_combined(&mut self, kind: &str, ty: Type) -> Result<Id, Diagnostic> {
        match combine::identity(kind, ty.elem()) {
            Some(Val::Float(value)) => self.float_constant(value, ty),
            Some(value) => self.int_constant(value.as_int(), ty),
            None => Err(self.internal(format!("an exchange by `{kind}`"))),
        }
    }

    /// Two numbers combined.
    pub fn combined(&mut self, kind: &str, a: Id, b: Id, ty: Type) -> Result<Id, Diagnostic> {
        if ty.elem().is_float() && !["add", "mul"].contains(&kind) {
            return self.extreme(kind, a, b, ty);
        }
        let def = combine::combine_def(kind, ty.elem());
        let def = def.ok_or_else(|| self.internal(format!("an exchange by `{kind}`")))?;
        self.row_of(def, &[a, b], &[ty, ty], ty)
    }

    /// The lesser or the greater of two floats, as `legalize-total` writes it.
    fn extreme(&mut self, kind: &str, a: Id, b: Id, ty: Type) -> Result<Id, Diagnostic> {
        let (least, number) = match kind {
            "minnumf" => (true, true),
            "maxnumf" => (false, true),
            "minimumf" => (true, false),
            "maximumf" => (false, false),
            other => return Err(self.internal(format!("an exchange of floats by `{other}`"))),
        };
        let (held, truth) = (self.ty(ty)?, self.ty(ty.with_elem(Type::i1()))?);
        let bits = ty.with_elem(Type::int(ty.elem().scalar_bits().unwrap_or(32)));
        let (word, zero) = (self.ty(bits)?, self.null(bits)?);
        let before = self.op(if least { Op::FOrdLessThan } else { Op::FOrdGreaterThan }, truth, &[a, b]);
        let equal = self.op(Op::FOrdEqual, truth, &[a, b]);
        // Of two zeros the negative one is the lesser.
        let raw = self.op(Op::Bitcast, word, &[if least { a } else { b }]);
        let negative = self.op(Op::SLessThan, truth, &[raw, zero]);
        let by_sign = self.op(Op::LogicalAnd, truth, &[equal, negative]);
        let takes = self.op(Op::LogicalOr, truth, &[before, by_sign]);
        if number {
            let missing = self.is_nan(b, ty)?;
            let takes = self.op(Op::LogicalOr, truth, &[takes, missing]);
            return Ok(self.op(Op::Select, held, &[takes, a, b]));
        }
        let chosen = self.op(Op::Select, held, &[takes, a, b]);
        let missing = self.is_nan(a, ty)?;
        Ok(self.op(Op::Select, held, &[missing, a, chosen]))
    }

    /// Several sums, of which each lane is given one.
    fn sums(&mut self, mask: Id, values: &[Brought]) -> Result<Id, Diagnostic> {
        let ty = values.first().ok_or_else(|| self.internal("an exchange of nothing"))?.1;
        let (uint, bool, held) = (self.out.int(32), self.out.bool(), self.ty(ty)?);
        let (lane, each) = (self.lane()?, self.out.word(simt::lanes_of_sum(values.len()) as u32));
        let number = self.op(Op::UDiv, uint, &[lane, each]);
        let mut own = self.null(ty)?;
        for (k, &value) in values.iter().enumerate() {
            let sum = self.folded("add", mask, value, mask)?;
            let k = self.out.word(k as u32);
            let mine = self.op(Op::IEqual, bool, &[number, k]);
            own = self.op(Op::Select, held, &[mine, sum, own]);
        }
        Ok(own)
    }

    /// Whether this is the first of the lanes that take part and have the same key, and if so their
    /// sums.
    fn sums_by_key(&mut self, mask: Id, takes: Id, key: Brought, values: &[Brought]) -> Result<Vec<Id>, Diagnostic> {
        let (uint, bool, zero) = (self.out.int(32), self.out.bool(), self.out.word(0));
        let same = self.matching(mask, key)?;
        let all = self.ballot(same, takes);
        let peers = self.op(Op::Select, uint, &[takes, all, zero]);
        let some = self.op(Op::INotEqual, bool, &[peers, zero]);
        let first = self.leads(peers)?;
        let leads = self.op(Op::LogicalAnd, bool, &[some, first]);
        let mut results = vec![leads];
        for &value in values {
            let sum = self.folded("add", mask, value, peers)?;
            let (held, zero) = (self.ty(value.1)?, self.null(value.1)?);
            results.push(self.op(Op::Select, held, &[leads, sum, zero]));
        }
        Ok(results)
    }
}
