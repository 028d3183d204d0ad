//! Results that are off on purpose: how far may what a program computes be from the reference, if
//! its functions are as inexact as a language's specification allows?

use caustic_ir::eval::Val;
use caustic_ir::{FloatKind, Type, TypeKind};
use std::collections::BTreeMap;

/// How far an op's result may be off: the larger of so many units in the last place, and so much.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpError {
    pub ulps: f64,
    pub absolute: f64,
}

/// Errors of ops, and what draws their signs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Perturbation {
    /// All errors are upwards with 0, and downwards with 1.
    pub seed: u64,
    /// By the name of the op.
    pub ops: BTreeMap<String, OpError>,
}

impl Perturbation {
    /// `SEED:OP=ULPS/ABSOLUTE,…`, where `/ABSOLUTE` may be left out.
    pub fn parse(text: &str) -> Option<Perturbation> {
        let (seed, list) = text.split_once(':')?;
        let number = |n: &str| n.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        let mut ops = BTreeMap::new();
        for row in list.split(',').filter(|row| !row.is_empty()) {
            let (op, bounds) = row.split_once('=')?;
            let (ulps, absolute) = bounds.split_once('/').unwrap_or((bounds, "0"));
            ops.insert(op.to_string(), OpError { ulps: number(ulps)?, absolute: number(absolute)? });
        }
        Some(Perturbation { seed: seed.parse().ok()?, ops })
    }
}

/// The errors of one thread's ops.
pub(crate) struct Perturbed<'a> {
    given: &'a Perturbation,
    state: u64,
}

impl<'a> Perturbed<'a> {
    pub fn new(given: &'a Perturbation) -> Perturbed<'a> {
        Perturbed { given, state: given.seed }
    }

    /// What the op gives instead.
    pub fn result(&mut self, op: &str, value: Val, elem: Type) -> Val {
        let Some(error) = self.given.ops.get(op).copied() else { return value };
        match value {
            Val::Float(v) => self.float(v, error, elem),
            Val::Agg(parts) => Val::agg(parts.iter().map(|p| self.float(p.as_float(), error, elem)).collect()),
            other => other,
        }
    }

    fn float(&mut self, value: f64, error: OpError, elem: Type) -> Val {
        let TypeKind::Float(kind) = elem.kind() else { return Val::Float(value) };
        let digits = match kind {
            FloatKind::F16 => 11,
            FloatKind::F32 => 24,
            FloatKind::F64 => 53,
        };
        if !value.is_finite() {
            return Val::Float(value);
        }
        let unit = if value == 0.0 { 0.0 } else { value.abs().log2().floor().exp2() * 2f64.powi(1 - digits) };
        let by = (error.ulps * unit).max(error.absolute);
        let up = match self.given.seed {
            0 => true,
            1 => false,
            _ => self.draw() & 1 == 0,
        };
        Val::Float(caustic_ir::attr::round_to(if up { value + by } else { value - by }, *kind))
    }

    /// The next number of SplitMix64.
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_and_made() {
        let given = Perturbation::parse("0:math.sin=2,math.cos=1/0.5").expect("it is well formed");
        assert_eq!(given.ops["math.cos"], OpError { ulps: 1.0, absolute: 0.5 });
        let mut up = Perturbed::new(&given);
        let result = |p: &mut Perturbed<'_>, op: &str, v: f64| p.result(op, Val::Float(v), Type::f32()).as_float();
        assert_eq!(result(&mut up, "math.sin", 1.5), 1.5 + 2f64.powi(-22));
        assert_eq!(result(&mut up, "math.cos", 1.5), 2.0);
        assert_eq!(result(&mut up, "math.exp", 1.5), 1.5);
        let down = Perturbation { seed: 1, ..given };
        assert_eq!(result(&mut Perturbed::new(&down), "math.cos", 1.5), 1.0);
        assert!(["1", "x:a=1", "1:a", "1:a=-1", "1:a=1/x"].iter().all(|text| Perturbation::parse(text).is_none()));
    }
}
