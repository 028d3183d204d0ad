//! From a gradient to a change of parameters. Numbers only: no buffer, no kernel.

/// What Adam adds to a square root before it divides by it.
const ADAM_EPSILON: f64 = 1e-8;

/// How parameters follow from their gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// Adam (Kingma and Ba, 2015). A parameter changes by about `rate` a step, in its own unit,
    /// whatever the size of the gradient.
    Adam {
        /// Above 0.
        rate: f64,
        /// What is kept of the averages of the gradient and of its squares; from 0 up to 1, which
        /// is left out.
        betas: [f64; 2],
    },
    /// The gradient times `rate`, subtracted.
    Sgd {
        /// Above 0.
        rate: f64,
    },
}

impl Rule {
    /// The rate of Adam that suits parameters of size 1.
    pub const ADAM_RATE: f64 = 0.01;
    /// The betas that Adam's paper proposes.
    pub const ADAM_BETAS: [f64; 2] = [0.9, 0.999];

    /// Adam at this rate, with the betas of its paper.
    pub fn adam(rate: f64) -> Rule {
        Rule::Adam { rate, betas: Rule::ADAM_BETAS }
    }
}

impl Default for Rule {
    fn default() -> Rule {
        Rule::adam(Rule::ADAM_RATE)
    }
}

/// What a rule keeps of one list of parameters from step to step. It knows numbers only, so it
/// serves loops of one's own as well:
///
/// ```
/// use caustic_driver::fit::{Optimizer, Rule};
///
/// let (mut optimizer, mut params) = (Optimizer::new(Rule::adam(0.1), 1), [3.0]);
/// for _ in 0..500 {
///     let gradient = [2.0 * params[0]];
///     optimizer.step(&mut params, &gradient);
/// }
/// assert!(params[0].abs() < 1e-3);
/// ```
#[derive(Clone, Debug)]
pub struct Optimizer {
    rule: Rule,
    steps: i32,
    /// The averages of the gradient and of its squares; nothing without Adam.
    means: Vec<f64>,
    squares: Vec<f64>,
}

impl Optimizer {
    /// For `count` parameters, before the first step.
    pub fn new(rule: Rule, count: usize) -> Optimizer {
        let kept = if matches!(rule, Rule::Adam { .. }) { count } else { 0 };
        Optimizer { rule, steps: 0, means: vec![0.0; kept], squares: vec![0.0; kept] }
    }

    /// Changes the parameters by their gradient. Both have as many numbers as was said; what is
    /// more of either is left as it is.
    pub fn step(&mut self, params: &mut [f64], grads: &[f64]) {
        self.steps = self.steps.saturating_add(1);
        let Rule::Adam { rate, betas: [b1, b2] } = self.rule else {
            let Rule::Sgd { rate } = self.rule else { return };
            params.iter_mut().zip(grads).for_each(|(p, g)| *p -= rate * g);
            return;
        };
        // The averages begin at zero, of which these are free.
        let (c1, c2) = (1.0 - b1.powi(self.steps), 1.0 - b2.powi(self.steps));
        let kept = self.means.iter_mut().zip(&mut self.squares);
        for ((p, g), (mean, square)) in params.iter_mut().zip(grads).zip(kept) {
            *mean = b1 * *mean + (1.0 - b1) * g;
            *square = b2 * *square + (1.0 - b2) * g * g;
            *p -= rate * (*mean / c1) / ((*square / c2).sqrt() + ADAM_EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sgd_is_the_gradient_times_the_rate() {
        let (mut sgd, mut params) = (Optimizer::new(Rule::Sgd { rate: 0.5 }, 2), [1.0, 2.0]);
        sgd.step(&mut params, &[2.0, -4.0]);
        assert_eq!(params, [0.0, 4.0]);
    }

    #[test]
    fn adam_is_what_its_paper_says() {
        let mut adam = Optimizer::new(Rule::Adam { rate: 0.1, betas: [0.5, 0.75] }, 2);
        let mut params = [0.0, 0.0];
        // In the first step the averages are the gradient and its square, whatever the betas.
        adam.step(&mut params, &[4.0, 0.0]);
        assert!((params[0] + 0.1).abs() < 1e-9 && params[1] == 0.0, "{params:?}");
        // mean = 0.5 * 2 + 0.5 * 1 = 1.5, over 0.75
        // square = 0.75 * 4 + 0.25 * 1 = 3.25, over 0.4375
        adam.step(&mut params, &[1.0, 0.0]);
        let second = 0.1 * 2.0 / (3.25f64 / 0.4375).sqrt();
        assert!((params[0] + 0.1 + second).abs() < 1e-9 && params[1] == 0.0, "{params:?}");
    }
}
