//! Fits: a kernel that is compiled once and run again and again, whose parameters follow the
//! gradient that it computes.
//!
//! The kernel does one step: it reads buffers of parameters, and adds to a buffer of losses and to
//! the buffers of their gradients. A [`Plan`] names these buffers, a [`Fit`] does the rest.
//!
//! ```
//! use caustic_driver::fit::{Fit, Plan, Rule};
//! use caustic_driver::{KernelOptions, Options, Session};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut session = Session::new(Options::default());
//! session.add_source(
//!     "bowl.slang",
//!     "RWStructuredBuffer<float> at; RWStructuredBuffer<float> slope; RWStructuredBuffer<float> loss;
//!      [Differentiable] float bowl(float x) { return (x - 3.0) * (x - 3.0); }
//!      [numthreads(1, 1, 1)] void computeMain()
//!      {
//!          var x = diffPair(at[0]);
//!          bwd_diff(bowl)(x, 1.0);
//!          slope[0] += x.d;
//!          loss[0] += bowl(at[0]);
//!      }",
//! );
//! let kernel = session.compile("bowl.slang")?.kernel(None, &KernelOptions::default())?;
//! let mut bindings = kernel.bindings();
//! bindings.set("at", &[0.0f32])?;
//! let mut fit = Fit::new(Plan::new("at", "slope", "loss").with_rule(Rule::adam(0.1)), &mut bindings)?;
//! let losses = (0..300).map(|_| Ok(fit.step(&kernel, &mut bindings)?.loss));
//! let losses: Vec<f64> = losses.collect::<Result<_, caustic_driver::fit::Error>>()?;
//! assert!(losses[299] < 1e-4 * losses[0] && (bindings.read::<f32>("at")?[0] - 3.0).abs() < 0.02);
//! # Ok(())
//! # }
//! ```
//!
//! Parameters are kept as `f64` besides the buffer, so that changes too small for its type add up.
//! It must not know: how a fit is told of, and when it ends.

mod floats;
mod optimizer;

use crate::bindings::Bindings;
use crate::diagnostics;
use crate::kernel::Kernel;
use crate::options::Dispatch;
use caustic_dialects::reflect::Scalar;
pub use optimizer::{Optimizer, Rule};
use std::fmt;

/// A buffer of floats: its name, and the type of its contents if it is not the declared one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// A parameter of the kernel, or a path into one.
    pub name: String,
    /// [`Scalar::F16`], [`Scalar::F32`] or [`Scalar::F64`]; `None` for what is declared.
    pub scalar: Option<Scalar>,
}

impl From<&str> for Buffer {
    fn from(name: &str) -> Buffer {
        Buffer { name: name.to_string(), scalar: None }
    }
}

/// A buffer that changes, and the one with its gradient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// What changes. It has contents when the fit begins.
    pub values: Buffer,
    /// The derivatives of the loss by each of them: as many floats, in the same order. Zero when a
    /// step begins, and made if it is not bound.
    pub gradient: Buffer,
}

/// What a fit is about. [`Plan::new`] makes one, with fields to be set after that.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// At least one; no buffer has two parts to play.
    pub parameters: Vec<Parameters>,
    /// The buffer whose sum is to become small. Zero when a step begins, and one float if it is
    /// not bound.
    pub loss: Buffer,
    /// Other buffers that are zero when a step begins.
    pub zeros: Vec<String>,
    /// A uniform of 32 bits that is drawn anew for each step, and what it is drawn from.
    pub seed: Option<(String, u64)>,
    /// How the parameters change.
    pub rule: Rule,
    /// The groups of threads that one step takes.
    pub dispatch: Dispatch,
}

impl Plan {
    /// One buffer of parameters, changed by [`Rule::default`]; a step is one group of threads.
    pub fn new(values: impl Into<Buffer>, gradient: impl Into<Buffer>, loss: impl Into<Buffer>) -> Plan {
        Plan {
            parameters: vec![Parameters { values: values.into(), gradient: gradient.into() }],
            loss: loss.into(),
            zeros: Vec::new(),
            seed: None,
            rule: Rule::default(),
            dispatch: Dispatch::groups(1, 1, 1),
        }
    }

    /// The same with another rule.
    pub fn with_rule(mut self, rule: Rule) -> Plan {
        self.rule = rule;
        self
    }

    /// The same with other groups of threads.
    pub fn with_dispatch(mut self, dispatch: Dispatch) -> Plan {
        self.dispatch = dispatch;
        self
    }
}

/// Why a fit does not begin, or does not go on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A buffer of the plan holds what are no floats.
    NoFloats {
        /// The buffer.
        name: String,
        /// What it holds, or is said to hold.
        held: Scalar,
    },
    /// This buffer of parameters has nothing to begin with.
    NoContents(String),
    /// The plan does not suit the bindings in another way: a gradient of another length, say.
    Unsuited(String),
    /// What the driver found: a name that the program lacks, a trap, no GPU.
    Failed(diagnostics::Error),
    /// The loss or a derivative is not finite. The parameters are those before the step.
    NotFinite {
        /// The step, from 0.
        step: u64,
        /// What is not finite.
        what: NotFinite,
    },
}

/// A number that ends a fit.
#[derive(Clone, Debug, PartialEq)]
pub enum NotFinite {
    /// The sum of the losses, of a run that printed this.
    Loss(f64, String),
    /// The derivative of this number in this buffer.
    Derivative(String, usize),
}

impl From<diagnostics::Error> for Error {
    fn from(error: diagnostics::Error) -> Error {
        Error::Failed(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoFloats { name, held } => write!(f, "`{name}` holds {}, not floats", held.name()),
            Error::NoContents(name) => write!(f, "`{name}` has no contents to begin with"),
            Error::Unsuited(why) => f.write_str(why),
            Error::Failed(error) => error.fmt(f),
            Error::NotFinite { step, what: NotFinite::Loss(loss, _) } => write!(f, "the loss is {loss} in step {step}"),
            Error::NotFinite { step, what: NotFinite::Derivative(name, at) } => {
                write!(f, "derivative {at} in `{name}` is not finite in step {step}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// What a run of the kernel gave.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Evaluated {
    /// The sum of the buffer of losses, which is finite.
    pub loss: f64,
    /// What the kernel printed.
    pub printed: String,
}

/// A fit under way. It belongs to the bindings that it was made with.
#[derive(Debug)]
pub struct Fit {
    followed: Vec<Followed>,
    loss: Floats,
    /// What is zero when a step begins, with its bytes.
    zeros: Vec<(String, usize)>,
    seed: Option<(String, u64)>,
    dispatch: Dispatch,
    steps: u64,
}

impl Fit {
    /// Begins one. Gradients and losses that are not bound are made; nothing runs yet.
    ///
    /// # Errors
    /// [`Error::NoFloats`], [`Error::NoContents`], [`Error::Unsuited`]; [`Error::Failed`]: the
    /// program lacks a name.
    pub fn new(plan: Plan, bindings: &mut Bindings) -> Result<Fit, Error> {
        if plan.parameters.is_empty() {
            return Err(Error::Unsuited("there are no parameters to fit".into()));
        }
        let followed = plan.parameters.iter().map(|given| Followed::new(given, plan.rule, bindings));
        let followed: Vec<Followed> = followed.collect::<Result<_, _>>()?;
        let loss = Floats::of(&plan.loss, 1, bindings)?;
        let own = followed.iter().map(|p| &p.gradient.name).chain([&loss.name]);
        let mut zeros = Vec::new();
        for name in own.chain(&plan.zeros) {
            zeros.push((name.clone(), bindings.bytes(name)?.len()));
        }
        let fit = Fit { followed, loss, zeros, seed: plan.seed, dispatch: plan.dispatch, steps: 0 };
        fit.draw(bindings)?;
        Ok(fit)
    }

    /// How often the parameters have changed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs the kernel on the parameters as they are: losses and gradients are those of this run
    /// alone.
    ///
    /// # Errors
    /// [`Error::Failed`]: what [`Kernel::dispatch`] says; [`Error::NotFinite`]: the loss.
    pub fn evaluate(&mut self, kernel: &Kernel, bindings: &mut Bindings) -> Result<Evaluated, Error> {
        for (name, size) in &self.zeros {
            bindings.overwrite(name, &vec![0; *size])?;
        }
        self.draw(bindings)?;
        let printed = kernel.dispatch(bindings, self.dispatch)?.printed;
        let loss: f64 = self.loss.read(bindings)?.iter().sum();
        match loss.is_finite() {
            true => Ok(Evaluated { loss, printed }),
            false => Err(Error::NotFinite { step: self.steps, what: NotFinite::Loss(loss, printed) }),
        }
    }

    /// Changes the parameters by the gradients of the last [`Fit::evaluate`].
    ///
    /// # Errors
    /// [`Error::NotFinite`]: a derivative; no parameter has changed.
    pub fn update(&mut self, bindings: &mut Bindings) -> Result<(), Error> {
        let mut gradients = Vec::new();
        for Followed { gradient, .. } in &self.followed {
            let found = gradient.read(bindings)?;
            if let Some(at) = found.iter().position(|g| !g.is_finite()) {
                let what = NotFinite::Derivative(gradient.name.clone(), at);
                return Err(Error::NotFinite { step: self.steps, what });
            }
            gradients.push(found);
        }
        for (followed, gradient) in self.followed.iter_mut().zip(gradients) {
            followed.step(&gradient, bindings)?;
        }
        self.steps += 1;
        Ok(())
    }

    /// One step: [`Fit::evaluate`], then [`Fit::update`]. The loss is that before the change.
    ///
    /// # Errors
    /// Those of the two.
    pub fn step(&mut self, kernel: &Kernel, bindings: &mut Bindings) -> Result<Evaluated, Error> {
        let evaluated = self.evaluate(kernel, bindings)?;
        self.update(bindings)?;
        Ok(evaluated)
    }

    /// Draws the uniform of the seed for the step.
    fn draw(&self, bindings: &mut Bindings) -> Result<(), diagnostics::Error> {
        match &self.seed {
            Some((name, seed)) => bindings.uniform(name, &drawn(*seed, self.steps).to_le_bytes()),
            None => Ok(()),
        }
    }
}

/// The floats of a buffer.
#[derive(Debug)]
struct Floats {
    name: String,
    scalar: Scalar,
    count: usize,
}

impl Floats {
    /// Those of a buffer; it is made of `count` zeros if it holds nothing.
    fn of(buffer: &Buffer, count: usize, bindings: &mut Bindings) -> Result<Floats, Error> {
        let name = buffer.name.clone();
        let array = bindings.array(&name)?;
        let scalar = buffer.scalar.unwrap_or(array.scalar);
        if !floats::is_float(scalar) {
            return Err(Error::NoFloats { name, held: scalar });
        }
        // Only where the declaration says no type of floats is there one to be chosen.
        if let Ok((declared, _)) = bindings.element(&name)
            && floats::is_float(declared)
            && declared != scalar
        {
            return Err(Error::Unsuited(format!("`{name}` holds {}, not {}", declared.name(), scalar.name())));
        }
        let mut bytes = array.bytes;
        if bytes.is_empty() {
            bytes = vec![0; count * scalar.size()];
            bindings.buffer(&name, &bytes)?;
        }
        if bytes.len() % scalar.size() != 0 {
            let (size, held) = (bytes.len(), scalar.name());
            return Err(Error::Unsuited(format!("`{name}` has {size} bytes, which are no whole number of {held}")));
        }
        Ok(Floats { name, scalar, count: bytes.len() / scalar.size() })
    }

    fn read(&self, bindings: &Bindings) -> Result<Vec<f64>, diagnostics::Error> {
        Ok(floats::decode(self.scalar, &bindings.bytes(&self.name)?))
    }
}

/// A buffer that changes, with its gradient.
#[derive(Debug)]
struct Followed {
    values: Floats,
    gradient: Floats,
    /// What it holds before it is rounded to its type: small changes of small floats add up.
    exact: Vec<f64>,
    optimizer: Optimizer,
}

impl Followed {
    fn new(given: &Parameters, rule: Rule, bindings: &mut Bindings) -> Result<Followed, Error> {
        let values = Floats::of(&given.values, 0, bindings)?;
        let (name, count) = (&values.name, values.count);
        if count == 0 {
            return Err(Error::NoContents(name.clone()));
        }
        let gradient = Floats::of(&given.gradient, count, bindings)?;
        if gradient.count != count {
            let (other, others) = (&gradient.name, gradient.count);
            return Err(Error::Unsuited(format!(
                "`{name}` has {count} floats, and its gradient `{other}` has {others}"
            )));
        }
        let exact = values.read(bindings)?;
        Ok(Followed { values, gradient, exact, optimizer: Optimizer::new(rule, count) })
    }

    fn step(&mut self, gradient: &[f64], bindings: &mut Bindings) -> Result<(), diagnostics::Error> {
        // A kernel may change its parameters as well, to keep them within bounds.
        let rounded = floats::decode(self.values.scalar, &floats::encode(self.values.scalar, &self.exact));
        for ((exact, rounded), held) in self.exact.iter_mut().zip(rounded).zip(self.values.read(bindings)?) {
            if rounded != held {
                *exact = held;
            }
        }
        self.optimizer.step(&mut self.exact, gradient);
        bindings.overwrite(&self.values.name, &floats::encode(self.values.scalar, &self.exact))
    }
}

/// The bits of a step: those of SplitMix64.
fn drawn(seed: u64, step: u64) -> u32 {
    let mut z = seed.wrapping_add(step.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 32) as u32
}
