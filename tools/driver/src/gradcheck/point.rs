//! A function and its derivatives at one point: what they are called with, and what they give.
//!
//! Of pairs of buffers that the function writes, the contents are results: they do not move along
//! the direction, and their derivatives are what forward mode leaves in the second buffer. Reverse
//! mode finds weights there.

use super::differences::apart;
use super::drawing::Drawn;
use super::memory::{Call, Called, Derivatives};
use super::values::{Random, derivative_scalars, differentiable_scalars, moved, of_held, scalars};
use super::{Checked, DIFFERENCE_TOLERANCE};
use caustic_dialects::signature::Signature;
use caustic_interp::Interp;
use caustic_ir::CancelToken;
use caustic_ir::eval::{Trap, Val};

/// What forward mode gives.
pub struct Forward {
    /// J v.
    pub tangents: Vec<f64>,
    /// The first scalar of the results that is not the function's: it is computed twice in f64, so
    /// what differs by more than rounding is another value.
    pub other_value: Option<OtherValue>,
}

/// A value that forward mode gives beside the derivative, and that is not the function's.
#[derive(Clone, Copy, Debug)]
pub struct OtherValue {
    /// The number of the scalar among those of the results, where there are several.
    pub result: Option<usize>,
    pub expected: f64,
    pub found: f64,
}

/// Where the weights of what functions leave in buffers start.
const LEFT_WEIGHTS: u64 = 7;

pub struct Point<'a, 'm> {
    interp: &'a Interp<'m>,
    what: &'a Checked,
    signature: &'a Signature,
    drawn: &'a Drawn,
    cancel: &'a CancelToken,
    /// What the function gives here.
    here: Called,
    /// By pair: how its elements move, and weights of what is left in it.
    along: Vec<Vec<f64>>,
    left_weights: Vec<Vec<f64>>,
    /// Weights of the results, as far as these hold something.
    pub w: Vec<Option<Val>>,
}

impl<'a, 'm> Point<'a, 'm> {
    pub fn new(
        interp: &'a Interp<'m>,
        what: &'a Checked,
        signature: &'a Signature,
        drawn: &'a Drawn,
        cancel: &'a CancelToken,
    ) -> Result<Point<'a, 'm>, Trap> {
        let here = Called { results: Vec::new(), derivatives: Vec::new(), left: Vec::new() };
        let along = drawn.along.clone();
        let (left_weights, w) = (Vec::new(), drawn.w.clone());
        let mut point = Point { interp, what, signature, drawn, cancel, here, along, left_weights, w };
        point.here = point.run(0.0)?;
        let results = signature.results.iter().zip(&point.here.results);
        for (weight, (ty, result)) in point.w.iter_mut().zip(results) {
            *weight = weight.as_ref().map(|w| of_held(*ty, result, w));
        }
        let weights = drawn.memory.directions(&|place| Random::of(&[LEFT_WEIGHTS, place as u64]));
        point.along = point.of_pairs(&drawn.along, false);
        point.left_weights = point.of_pairs(&weights, true);
        Ok(point)
    }

    fn is_written(&self, pair: usize) -> bool {
        self.here.left.get(pair).is_some_and(|(is_written, _)| *is_written)
    }

    /// Numbers of pairs, zero for those that are results, or for the others.
    fn of_pairs(&self, drawn: &[Vec<f64>], results: bool) -> Vec<Vec<f64>> {
        let one = |(k, d): (usize, &Vec<f64>)| {
            if self.is_written(k) == results { d.clone() } else { vec![0.0; d.len()] }
        };
        drawn.iter().enumerate().map(one).collect()
    }

    /// Those of pairs that are results.
    fn of_results(&self, all: &[Vec<f64>]) -> Vec<f64> {
        all.iter().enumerate().filter(|(k, _)| self.is_written(*k)).flat_map(|(_, d)| d.clone()).collect()
    }

    fn call(&self, call: Call<'_>) -> Result<Called, Trap> {
        self.drawn.memory.call(self.interp, call, self.cancel)
    }

    /// The function, so far along the direction.
    fn run(&self, step: f64) -> Result<Called, Trap> {
        let Drawn { point, v, .. } = self.drawn;
        let args = (0..self.signature.inputs.len()).map(|i| match &v[i] {
            Some(d) => moved(self.signature.inputs[i], &point[i], d, step),
            None => point[i].clone(),
        });
        let (args, derivatives) = (args.collect(), Derivatives::Zero);
        self.call(Call { name: &self.what.measured, args, before: None, along: (&self.along, step), derivatives })
    }

    /// All that has a derivative of what a call gives.
    fn values_of(&self, called: &Called) -> Vec<f64> {
        let mut all = Vec::new();
        for (i, v) in called.results.iter().enumerate() {
            if self.signature.result_differential(i).is_some() {
                differentiable_scalars(self.signature.results[i], v, &mut all);
            }
        }
        let left: Vec<Vec<f64>> = called.left.iter().map(|(_, left)| left.clone()).collect();
        all.extend(self.of_results(&left));
        all
    }

    pub fn values_here(&self) -> Vec<f64> {
        self.values_of(&self.here)
    }

    pub fn values(&self, step: f64) -> Result<Vec<f64>, Trap> {
        self.run(step).map(|called| self.values_of(&called))
    }

    /// Of the values, in their order.
    pub fn weights(&self) -> Vec<f64> {
        let mut weights = Vec::new();
        self.w.iter().flatten().for_each(|weight| derivative_scalars(weight, &mut weights));
        weights.extend(self.of_results(&self.left_weights));
        weights
    }

    /// What forward mode gives, if there is a forward derivative.
    pub fn forward(&self, args: Vec<Val>) -> Result<Option<Forward>, Trap> {
        let Some(name) = &self.what.forward else { return Ok(None) };
        let derivatives = Derivatives::Tangents;
        let called = self.call(Call { name, args, before: None, along: (&self.along, 0.0), derivatives })?;
        let (mut tangents, mut found, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for ((result, value), weight) in called.results.iter().zip(&self.here.results).zip(&self.w) {
            if weight.is_some() {
                derivative_scalars(result.parts().get(1).unwrap_or(&Val::Float(0.0)), &mut tangents);
            }
            scalars(if weight.is_some() { result.parts().first().unwrap_or(value) } else { result }, &mut found);
            scalars(value, &mut expected);
        }
        tangents.extend(self.of_results(&called.derivatives));
        let several = expected.len() > 1;
        let is_other = |e: f64, f: f64| {
            let far = apart(e, f);
            e != f && !(e.is_nan() && f.is_nan()) && (far.is_nan() || far > DIFFERENCE_TOLERANCE)
        };
        let mut values = expected.into_iter().zip(found).enumerate();
        let other_value = values.find(|&(_, (expected, found))| is_other(expected, found));
        let other_value =
            other_value.map(|(k, (expected, found))| OtherValue { result: several.then_some(k), expected, found });
        Ok(Some(Forward { tangents, other_value }))
    }

    /// Jᵀ w and the direction, if there is a backward derivative.
    pub fn backward(&self, args: Vec<Val>) -> Result<Option<(Vec<f64>, Vec<f64>)>, Trap> {
        let Some(name) = &self.what.backward else { return Ok(None) };
        // A custom one finds the state that the function leaves in memory.
        let before = self.what.custom_backward.then(|| (&*self.what.function, self.drawn.point.clone()));
        let derivatives = Derivatives::Cotangents(&self.left_weights);
        let called = self.call(Call { name, args, before, along: (&self.along, 0.0), derivatives })?;
        let (mut cotangents, mut direction) = (Vec::new(), Vec::new());
        let with_pairs = self.signature.params.iter().filter(|p| p.input.is_some() && p.differential().is_some());
        for (p, result) in with_pairs.zip(&called.results) {
            derivative_scalars(result.parts().get(1).unwrap_or(&Val::Float(0.0)), &mut cotangents);
            if let Some(d) = p.input.and_then(|i| self.drawn.v[i].as_ref()) {
                derivative_scalars(d, &mut direction);
            }
        }
        // What the function itself adds to buffers of derivatives is none of its own.
        let added = self.here.derivatives.iter().flatten();
        cotangents.extend(called.derivatives.iter().flatten().zip(added).map(|(all, own)| all - own));
        direction.extend(self.along.iter().flatten());
        Ok(Some((cotangents, direction)))
    }
}
