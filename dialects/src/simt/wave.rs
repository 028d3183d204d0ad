//! Wave operations: values exchanged between the lanes of a wave that execute the same dynamic
//! instance, its *active* lanes.
//!
//! What an op gives to a lane is a function of what the active lanes bring ([`WaveOp::eval`]); it
//! is the reference semantics and also what a compiling target without such instructions calls.
//! Counts of lanes and the like need no op of their own: `simt.wave_ballot` gives a mask, and
//! `math.ctpop` counts it.

use super::{WAVE_SIZE, instance_of};
use crate::classes::{BOOL, INT_OR_INDEX, SCALAR, SCALAR_LIKE};
use crate::combine::{combine, combine_def, identity};
use crate::gpu;
use caustic_ir::eval::{Eval, EvalResult, Machine, Scope, Trap, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Attr, Body, Diagnostic, OpId, Type, ValueId, ops};

/// What a wave op does with the values of the active lanes.
#[derive(Clone, Debug)]
pub struct WaveOp {
    pub kind: WaveKind,
    /// Of the value that is exchanged; `i1` where there is none.
    ty: Type,
}

/// Says of a wave op that its last operand is its mask: a bit for each lane that takes part.
pub const MASKED: &str = "masked";

/// The mask of a wave op, if it has one.
pub fn mask_of(body: &Body, op: OpId) -> Option<ValueId> {
    body.attr(op, MASKED)?;
    body.operands(op).last().copied()
}

/// What a lane brings to a wave op: its operands but for the mask.
pub fn brought(body: &Body, op: OpId) -> &[ValueId] {
    let operands = body.operands(op);
    match mask_of(body, op) {
        Some(_) => &operands[..operands.len() - 1],
        None => operands,
    }
}

/// The sort of a wave op, with what it is told by attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaveKind {
    Reduce(String),
    Scan { op: String, inclusive: bool },
    ReadFirst,
    ReadLane,
    Shuffle(String),
    Ballot,
    Vote { all: bool },
    AllEqual,
    Match,
    Elect,
    Sums,
    SumsByKey,
    Transpose,
}

/// An active lane: its number and the operands that it brings.
pub type ActiveLane = (u32, Vec<Val>);

/// `word` of `#gpu<name word>`.
fn enum_word(attr: Option<Attr>, name: &str) -> Option<String> {
    let text = attr?.to_string();
    let word = text.strip_prefix("#gpu<")?.strip_suffix('>')?.strip_prefix(name)?.trim();
    Some(word.to_string())
}

impl WaveOp {
    /// What `op` is, if it is a well-formed wave op.
    pub fn of(body: &Body, op: OpId) -> Option<WaveOp> {
        use {WaveView as V, gpu::WaveView as G};
        let brought = brought(body, op);
        let ty = brought.first().map_or_else(Type::i1, |&v| body.ty(v));
        let reduction = || {
            let kind = enum_word(body.attr(op, "op"), "all_reduce_op")?;
            combine_def(&kind, ty.elem()).map(|_| kind)
        };
        let mode = || body.attr(op, "mode").and_then(|a| a.as_str());
        let kind = match WaveView::of(body, op) {
            Some(V::WaveScan(_)) => {
                WaveKind::Scan { op: reduction()?, inclusive: body.attr(op, "inclusive").is_some() }
            }
            Some(V::WaveReadFirst(_)) => WaveKind::ReadFirst,
            Some(V::WaveReadLane(_)) => WaveKind::ReadLane,
            Some(V::WaveBallot(_)) => WaveKind::Ballot,
            Some(V::WaveVote(_)) => match mode()? {
                "any" => WaveKind::Vote { all: false },
                "all" => WaveKind::Vote { all: true },
                _ => return None,
            },
            Some(V::WaveAllEqual(_)) => WaveKind::AllEqual,
            Some(V::WaveMatch(_)) => WaveKind::Match,
            Some(V::WaveElect(_)) => WaveKind::Elect,
            Some(V::WaveSums(_)) => {
                let values = brought;
                let alike = values.iter().chain(body.results(op)).all(|&v| body.ty(v) == ty);
                let fits = (1..=WAVE_SIZE as usize).contains(&values.len()) && combine_def("add", ty).is_some();
                (alike && fits).then_some(WaveKind::Sums)?
            }
            Some(V::WaveTranspose(_)) => {
                let alike = brought.iter().chain(body.results(op)).all(|&v| body.ty(v) == ty);
                let fits = alike && !brought.is_empty() && brought.len() == body.results(op).len();
                let whole = body.attr(op, COMPLETE).is_some() && ty.scalar_bits().is_some_and(|bits| bits >= 8);
                (fits && whole).then_some(WaveKind::Transpose)?
            }
            Some(V::WaveSumsByKey(_)) => {
                let (values, results) = (brought.get(2..)?, body.results(op));
                let types = |values: &[ValueId]| values.iter().map(|&v| body.ty(v)).collect::<Vec<_>>();
                let (summed, found) = (types(values), types(results));
                let (first, sums) = found.split_first()?;
                let ty = *summed.first()?;
                let alike = summed.iter().chain(sums).all(|&t| t == ty) && sums.len() == summed.len();
                let fits = alike && *first == Type::i1() && combine_def("add", ty).is_some();
                return fits.then_some(WaveOp { kind: WaveKind::SumsByKey, ty });
            }
            None => match G::of(body, op) {
                Some(G::SubgroupReduce(_)) => WaveKind::Reduce(reduction()?),
                Some(G::Shuffle(_)) => {
                    let mode = enum_word(body.attr(op, "mode"), "shuffle_mode")?;
                    ["xor", "up", "down", "idx"].contains(&mode.as_str()).then_some(WaveKind::Shuffle(mode))?
                }
                None => return None,
            },
        };
        Some(WaveOp { kind, ty })
    }

    /// Whether all active lanes get the same.
    pub fn gives_all_alike(&self) -> bool {
        matches!(
            self.kind,
            WaveKind::Reduce(_) | WaveKind::ReadFirst | WaveKind::Ballot | WaveKind::Vote { .. } | WaveKind::AllEqual
        )
    }

    /// The results for lane `me`, which is one of `lanes`; these stand in rising order.
    pub fn eval(&self, lanes: &[ActiveLane], me: u32) -> Vec<Val> {
        let values = || lanes.iter().filter_map(|(number, v)| Some((*number, v.first()?)));
        let own = |i: usize| lanes.iter().find(|(n, _)| *n == me).and_then(|(_, v)| v.get(i)).cloned();
        let own_value = || own(0).unwrap_or(Val::Int(0));
        let of_lane = |lane: i64| values().find(|(n, _)| *n as i64 == lane).map(|(_, v)| v.clone());
        let zero = || crate::agg::zero_value(self.ty).unwrap_or(Val::Int(0));
        let mask = |wanted: &dyn Fn(&Val) -> bool| {
            let bits = values().filter(|(_, v)| wanted(v)).fold(0u32, |m, (n, _)| m | 1u32.wrapping_shl(n));
            Val::Int(bits as i32 as i64)
        };
        let combined = |op: &str, mut parts: Box<dyn Iterator<Item = Val> + '_>| {
            // The first value as it is: not even -0 is changed by being combined with the identity.
            let Some(first) = parts.next() else { return identity(op, self.ty).unwrap_or_else(zero) };
            parts.fold(first, |a, b| combine(op, self.ty, &a, &b).unwrap_or(a))
        };
        let fold = |op: &str, until: &dyn Fn(u32) -> bool| {
            combined(op, Box::new(values().take_while(|(n, _)| until(*n)).map(|(_, v)| v.clone())))
        };
        match &self.kind {
            WaveKind::Reduce(op) => vec![fold(op, &|_| true)],
            WaveKind::Scan { op, inclusive } => vec![fold(op, &|n| n < me || (*inclusive && n == me))],
            WaveKind::ReadFirst => vec![values().next().map_or_else(zero, |(_, v)| v.clone())],
            WaveKind::ReadLane => vec![of_lane(own(1).map_or(-1, |v| v.as_int())).unwrap_or_else(zero)],
            WaveKind::Shuffle(mode) => {
                let (offset, width) = (own(1).map_or(0, |v| v.as_int()), own(2).map_or(0, |v| v.as_int()));
                let lane = match mode.as_str() {
                    "xor" => me as i64 ^ offset,
                    "up" => me as i64 - offset,
                    "down" => me as i64 + offset,
                    _ => offset,
                };
                let inside = width > 0 && lane.div_euclid(width) == (me as i64).div_euclid(width);
                let found = if inside { of_lane(lane) } else { None };
                let valid = found.is_some();
                vec![found.unwrap_or_else(own_value), Val::bool(valid)]
            }
            WaveKind::Ballot => vec![mask(&|v| v.as_bool())],
            WaveKind::Vote { all: true } => vec![Val::bool(values().all(|(_, v)| v.as_bool()))],
            WaveKind::Vote { all: false } => vec![Val::bool(values().any(|(_, v)| v.as_bool()))],
            WaveKind::AllEqual => {
                let first = values().next().map_or_else(zero, |(_, v)| v.clone());
                let same = |pick: &dyn Fn(&Val) -> Val| Val::bool(values().all(|(_, v)| same(&pick(v), &pick(&first))));
                if !self.ty.is_vector() {
                    return vec![same(&|v| v.clone())];
                }
                let component = |i: usize| move |v: &Val| v.parts().get(i).cloned().unwrap_or(Val::Int(0));
                vec![Val::agg((0..self.ty.num_elements()).map(|i| same(&component(i))).collect())]
            }
            WaveKind::Match => {
                let mine = own_value();
                vec![mask(&|v| same(v, &mine))]
            }
            WaveKind::Elect => vec![Val::bool(lanes.first().is_some_and(|(n, _)| *n == me))],
            WaveKind::Sums => {
                let count = lanes.first().map_or(1, |(_, v)| v.len());
                let number = me as usize / lanes_of_sum(count);
                if number >= count {
                    return vec![zero()];
                }
                vec![combined("add", Box::new(lanes.iter().filter_map(move |(_, v)| v.get(number)).cloned()))]
            }
            WaveKind::Transpose => {
                let count = lanes.first().map_or(0, |(_, v)| v.len());
                let word = |at: usize| {
                    let (_, values) = lanes.iter().find(|(n, _)| *n as usize == at / count)?;
                    values.get(at % count).cloned()
                };
                (0..count).map(|row| word(row * WAVE_SIZE as usize + me as usize).unwrap_or_else(zero)).collect()
            }
            WaveKind::SumsByKey => {
                let takes = |v: &[Val]| v.first().is_some_and(Val::as_bool);
                let key = own(1).unwrap_or(Val::Int(0));
                let is_peer = |v: &[Val]| takes(v) && v.get(1).is_some_and(|k| same(k, &key));
                let peers: Vec<&ActiveLane> = lanes.iter().filter(|(_, v)| is_peer(v)).collect();
                let count = lanes.first().map_or(0, |(_, v)| v.len()).saturating_sub(2);
                let leads = peers.first().is_some_and(|(number, _)| *number == me);
                let sum = |i: usize| match leads {
                    true => combined("add", Box::new(peers.iter().filter_map(move |(_, v)| v.get(i)).cloned())),
                    false => zero(),
                };
                std::iter::once(Val::bool(leads)).chain((2..2 + count).map(sum)).collect()
            }
        }
    }
}

/// Says of a wave op that all lanes of the wave come to it.
pub const COMPLETE: &str = "complete";

/// How the rows name the mask, where it is an operand of its own.
const MASK_OPERAND: &str = "mask";

/// Lanes beside each other that get the same sum of `simt.wave_sums`, of so many values.
pub fn lanes_of_sum(values: usize) -> usize {
    (WAVE_SIZE as usize / values.next_power_of_two()).max(1)
}

/// Equality of numbers, in all components.
fn same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Float(a), Val::Float(b)) => a == b,
        (Val::Agg(a), Val::Agg(b)) => a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        _ => a.as_int() == b.as_int(),
    }
}

pub(crate) fn eval_wave(m: &mut dyn Machine, body: &Body, op: OpId, mut args: Vec<Val>) -> EvalResult {
    let malformed = || Trap::new(body.loc(op), format!("{}: malformed", body.op(op).def.name));
    let wave = WaveOp::of(body, op).ok_or_else(malformed)?;
    let mask = match mask_of(body, op) {
        Some(_) => Some(args.pop().ok_or_else(malformed)?.as_int() as u32),
        None => body.attr(op, COMPLETE).map(|_| u32::MAX),
    };
    let lanes = m.converge(Scope::Wave, instance_of(body, op), mask, args, body.loc(op))?;
    let here = lanes.iter().fold(0u32, |m, (lane, _)| m | 1u32.wrapping_shl(*lane));
    if let Some(mask) = mask.filter(|&mask| mask != here) {
        let text = format!("{} is for the lanes {mask:#010x}, and {here:#010x} come to it", body.op(op).def.name);
        return Err(Trap::new(body.loc(op), text));
    }
    Ok(wave.eval(&lanes, m.thread_index("lane_id", 0) as u32))
}

pub(crate) fn verify_wave(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let rows = body.op(op).def.operands;
    let masked = body.attr(op, MASKED).is_some();
    // Of ops that bring any number of values the mask is the last one.
    let own_row = rows.last().is_some_and(|o| o.name == MASK_OPERAND);
    let fits = !own_row || body.operands(op).len() == rows.len() - usize::from(!masked);
    if !fits || masked && mask_of(body, op).is_none_or(|mask| body.ty(mask) != Type::i32()) {
        let text =
            format!("{}: the last operand of an op that is `masked`, and of no other, is a mask", body.op(op).def.name);
        return Err(Diagnostic::invalid_ir(body.loc(op), text));
    }
    if WaveOp::of(body, op).is_some() {
        return Ok(());
    }
    let of = body.operands(op).first().map_or_else(|| "nothing".to_string(), |&v| body.ty(v).to_string());
    let text = format!("{}: no such operation on {of}", body.op(op).def.name);
    Err(Diagnostic::invalid_ir(body.loc(op), text))
}

pub(crate) const REFUSE: &str = "the value comes from other threads, and a derivative would have to go back to them; \
     call `detach` on what goes into the wave operation, or give the function a derivative of its own";

ops! { pub static WAVE_OPS as WaveView: [
    /// The values of the active lanes before this one combined, with `inclusive` also its own; the
    /// identity for the first lane.
    ///
    /// `%s = simt.wave_scan add %x : f32`
    WaveScan "simt.wave_scan" {
        operands: (value: Class(&SCALAR_LIKE); mask: Exactly(Type::i32)), results: infer(SameAs(0)),
        attrs: (op: Opaque, inclusive: Unit [optional], complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("wrapped($op, `gpu<all_reduce_op `, `>`) $value (`mask` $mask^)? attr-dict `:` type($value)"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
    /// The value of the first active lane.
    WaveReadFirst "simt.wave_read_first" {
        operands: (value: Class(&SCALAR_LIKE); mask: Exactly(Type::i32)), results: infer(SameAs(0)), attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (),
        effects: Writes, commutative: false, asm: Asm::Format("$value (`mask` $mask^)? attr-dict `:` type($value)"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
    /// The value of lane `lane`; zero if that is not active.
    WaveReadLane "simt.wave_read_lane" {
        operands: (value: Class(&SCALAR_LIKE), lane: Class(&INT_OR_INDEX); mask: Exactly(Type::i32)), results: infer(SameAs(0)),
        attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("$value `,` $lane (`mask` $mask^)? attr-dict `:` type($value) `,` type($lane)"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
    /// A bit for each active lane whose predicate holds.
    WaveBallot "simt.wave_ballot" {
        operands: (predicate: Class(&BOOL); mask: Exactly(Type::i32)), results: one(Exactly(Type::i32)), attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (),
        effects: Writes, commutative: false, asm: Asm::Format("$predicate (`mask` $mask^)? attr-dict"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Inactive,
    }
    /// Whether the predicate holds in `any` or in `all` active lanes.
    WaveVote "simt.wave_vote" {
        operands: (predicate: Class(&BOOL); mask: Exactly(Type::i32)), results: one(Exactly(Type::i1)), attrs: (mode: String, complete: Unit [optional], masked: Unit [optional], instance: Int [optional]),
        regions: (), effects: Writes, commutative: false, asm: Asm::Format("$mode $predicate (`mask` $mask^)? attr-dict"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Inactive,
    }
    /// Whether the value is the same in all active lanes, component by component.
    WaveAllEqual "simt.wave_all_equal" {
        operands: (value: Class(&SCALAR_LIKE); mask: Exactly(Type::i32)), results: one(BoolLike(0)), attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (),
        effects: Writes, commutative: false, asm: Asm::Format("$value (`mask` $mask^)? attr-dict `:` type($value)"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Inactive,
    }
    /// A bit for each active lane that has the same value as this one.
    WaveMatch "simt.wave_match" {
        operands: (value: Class(&SCALAR_LIKE); mask: Exactly(Type::i32)), results: one(Exactly(Type::i32)), attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (),
        effects: Writes, commutative: false, asm: Asm::Format("$value (`mask` $mask^)? attr-dict `:` type($value)"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Inactive,
    }
    /// Whether this is the first active lane.
    WaveElect "simt.wave_elect" {
        operands: (; mask: Exactly(Type::i32)), results: one(Exactly(Type::i1)), attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (),
        effects: Writes, commutative: false, asm: Asm::Format("(`mask` $mask^)? attr-dict"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Inactive,
    }
    /// Several sums over the active lanes, of which each lane gets one: of n values, P the next
    /// power of two, lane l gets the sum of value l * P / 32, or zero if there is none. A complete
    /// wave that runs in step needs P + 5 exchanges for it, not 5 n.
    WaveSums "simt.wave_sums" {
        operands: (; values: Class(&SCALAR)), results: one(Class(&SCALAR)),
        attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (),
        effects: Writes, commutative: false, asm: Asm::Format("$values attr-dict `:` functional-type"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
    /// Sums over those active lanes that take part (`takes`) and have the same key: whether this is
    /// the first of them, and if so the sum of each value. All other lanes get zeros. A wave that
    /// runs in step finds lanes of one key by one instruction, and halves their number in each
    /// round of exchanges.
    ///
    /// `%first, %x, %y = simt.wave_sums_by_key %takes, %key, %a, %b : (i1, i32, f32, f32) -> (i1, f32, f32)`
    WaveSumsByKey "simt.wave_sums_by_key" {
        operands: (takes: Exactly(Type::i1), key: Class(&INT_OR_INDEX); values: Class(&SCALAR)), results: many(Class(&SCALAR)),
        attrs: (complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("$takes `,` $key `,` $values attr-dict `:` functional-type"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
    /// The n values of each lane, one lane's behind the other's, dealt out again in rows: result j
    /// of lane l is number 32 j + l of them. So lanes that have n fields of a struct each get what
    /// stands beside each other in memory. All lanes have to be there.
    ///
    /// `%p, %q = simt.wave_transpose %a, %b {complete} : (f32, f32) -> (f32, f32)`
    WaveTranspose "simt.wave_transpose" {
        operands: (; values: Class(&SCALAR)), results: many(Class(&SCALAR)),
        attrs: (complete: Unit, instance: Int [optional]), regions: (),
        effects: Writes, commutative: false, asm: Asm::Format("$values attr-dict `:` functional-type"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
] }

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(lanes: &[(u32, i64)]) -> Vec<ActiveLane> {
        lanes.iter().map(|&(n, v)| (n, vec![Val::Int(v)])).collect()
    }

    fn run(kind: WaveKind, lanes: &[(u32, i64)]) -> Vec<String> {
        let wave = WaveOp { kind, ty: Type::i32() };
        let lanes = ints(lanes);
        lanes.iter().map(|(n, _)| format!("{:?}", wave.eval(&lanes, *n)[0])).collect()
    }

    #[test]
    fn scans_leave_out_inactive_lanes() {
        let lanes = [(1, 5), (2, 7), (31, 1)];
        assert_eq!(run(WaveKind::Scan { op: "add".into(), inclusive: false }, &lanes), ["0", "5", "12"]);
        assert_eq!(run(WaveKind::Scan { op: "mul".into(), inclusive: true }, &lanes), ["5", "35", "35"]);
        assert_eq!(run(WaveKind::Reduce("maxsi".into()), &lanes), ["7", "7", "7"]);
        assert_eq!(run(WaveKind::Match, &[(0, 4), (3, 9), (31, 4)]), ["-2147483647", "8", "-2147483647"]);
        assert_eq!(run(WaveKind::Elect, &lanes), ["1", "0", "0"]);
    }

    #[test]
    fn sums_by_key_leave_out_lanes_that_take_no_part() {
        let wave = WaveOp { kind: WaveKind::SumsByKey, ty: Type::i32() };
        let lane = |n: u32, takes: bool, key: i64, x: i64| (n, vec![Val::bool(takes), Val::Int(key), Val::Int(x)]);
        let lanes = [lane(0, false, 7, 100), lane(3, true, 7, 1), lane(4, true, 9, 10), lane(31, true, 7, 2)];
        let of = |me: u32| wave.eval(&lanes, me).iter().map(Val::as_int).collect::<Vec<_>>();
        assert_eq!([of(0), of(3), of(4), of(31)], [[0, 0], [1, 3], [1, 10], [0, 0]]);
    }

    #[test]
    fn a_transpose_deals_out_rows_of_a_wave() {
        let wave = WaveOp { kind: WaveKind::Transpose, ty: Type::i32() };
        let lane = |n: u32| (n, (0..3).map(|k| Val::Int(i64::from(n * 3 + k))).collect());
        let lanes: Vec<ActiveLane> = (0..WAVE_SIZE).map(lane).collect();
        let of = |me: u32| wave.eval(&lanes, me).iter().map(Val::as_int).collect::<Vec<_>>();
        assert_eq!([of(0), of(1), of(31)], [[0, 32, 64], [1, 33, 65], [31, 63, 95]]);
    }
}
