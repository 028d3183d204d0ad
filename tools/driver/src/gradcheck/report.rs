//! What a gradient check finds, as data.

use super::DOT_TOLERANCE;
use crate::value::{Value, from_val};
use caustic_dialects::reflect::{DataType, Scalar};
use caustic_dialects::signature::{PARAMS, Signature, WRITTEN};
use caustic_ir::eval::Val;
use caustic_ir::{SymbolOp, Type};
use std::fmt;

/// Values of parameters, by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs(pub Vec<(String, Value)>);

impl Inputs {
    /// The inputs of a function, with integers as the programmer wrote them.
    pub(crate) fn point(symbol: &SymbolOp, signature: &Signature, point: &[Val]) -> Inputs {
        let mut inputs = Inputs::of(signature, |i| Some((*signature.inputs.get(i)?, point.get(i)?.clone())));
        let entries = symbol.attr(PARAMS).and_then(|all| all.as_array()).unwrap_or_default();
        let with_input = entries.iter().zip(&signature.params).filter(|(_, p)| p.input.is_some());
        for ((_, value), (entry, _)) in inputs.0.iter_mut().zip(with_input) {
            if let Some(ty) = entry.get(WRITTEN).and_then(DataType::from_attr) {
                as_written(value, &ty);
            }
        }
        inputs
    }

    /// How the inputs with a derivative move.
    pub(crate) fn direction(signature: &Signature, moves: &[Option<Val>]) -> Inputs {
        Inputs::of(signature, |i| Some((signature.input_differential(i)?, moves.get(i)?.clone()?)))
    }

    fn of(signature: &Signature, value: impl Fn(usize) -> Option<(Type, Val)>) -> Inputs {
        let named = signature.params.iter().filter_map(|p| {
            let (ty, value) = value(p.input?)?;
            Some((p.name.to_string(), from_val(ty, &value)))
        });
        Inputs(named.collect())
    }
}

/// Takes integers as unsigned where the type says so.
fn as_written(value: &mut Value, ty: &DataType) {
    let parts = |value: &mut Value, types: &mut dyn Iterator<Item = &DataType>| {
        if let Value::List(parts) = value {
            parts.iter_mut().zip(types).for_each(|(part, ty)| as_written(part, ty));
        }
    };
    match ty {
        DataType::Scalar(scalar) => as_scalar(value, *scalar),
        DataType::Vector { elem, .. } | DataType::Matrix { elem, .. } => {
            each_scalar(value, &mut |value| as_scalar(value, *elem));
        }
        DataType::Array { elem, .. } => parts(value, &mut std::iter::repeat(&**elem)),
        DataType::Struct { fields, .. } => parts(value, &mut fields.iter().map(|(_, ty)| ty)),
        DataType::Resource(_) => {}
    }
}

fn each_scalar(value: &mut Value, f: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::List(parts) => parts.iter_mut().for_each(|part| each_scalar(part, f)),
        scalar => f(scalar),
    }
}

fn as_scalar(value: &mut Value, scalar: Scalar) {
    if let Value::Int(n) = *value
        && !scalar.is_signed()
        && !scalar.is_float()
    {
        let bits = n as u64 & u64::MAX >> (64 - 8 * scalar.size() as u32);
        *value = i64::try_from(bits).map_or(Value::Uint(bits), Value::Int);
    }
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.0.iter().enumerate() {
            write!(f, "{}{name} = {value}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// One of the ways to compute a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// With tangents.
    Forward,
    /// With cotangents.
    Reverse,
}

impl Mode {
    /// `forward` or `reverse`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
        }
    }
}

/// Where a derivative is wrong, and how.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// The input at which it is.
    pub point: Inputs,
    /// Along which it is taken. Elements of buffers move as well, and are not listed.
    pub direction: Inputs,
    /// What is wrong.
    pub mode: Mode,
    /// The value that forward mode gives beside the derivative is wrong, not the derivative.
    pub value: bool,
    /// The scalar of the results that is compared, by its number, where there are several and it is
    /// one of them.
    pub result: Option<usize>,
    /// The weights of the scalars of the results, where a sum of them is compared.
    pub weights: Vec<f64>,
    /// The derivative along the direction as differences give it, or else the other mode; or the
    /// function's value.
    pub expected: f64,
    /// What the mode gives for it.
    pub found: f64,
    /// The programmer gives the function's derivative.
    pub custom: bool,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { point, direction, mode, value, result, weights, expected, found, custom } = self;
        if !point.0.is_empty() {
            write!(f, "at {point}: ")?;
        }
        let by = if *custom { "by the custom derivative " } else { "" };
        let what = if *value { "the value " } else { "" };
        write!(f, "expected {what}{expected:?}, found {found:?} {by}in {} mode", mode.name())?;
        if let Some(result) = result {
            write!(f, ", of the result's number {result}")?;
        }
        if !weights.is_empty() {
            write!(f, ", of the results by the weights {weights:?}")?;
        }
        if !direction.0.is_empty() && !value {
            write!(f, ", in the direction {direction}")?;
        }
        Ok(())
    }
}

/// What a gradient check says of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All samples agree.
    Passed,
    /// They do not.
    Failed(Box<Failure>),
    /// They do not, and as far as can be told only because it calls this function, whose given
    /// derivative is wrong.
    Inherited(String, Box<Failure>),
    /// With an input at which both derivatives are no number, though differences are one: an
    /// infinite partial meets a zero that was computed, or another infinite one.
    Singular(Inputs),
    /// It has no derivative though it should: the diagnostic, with its place.
    Underivable(String),
    /// Nothing was checked, because …
    Skipped(String),
}

impl Verdict {
    /// One word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed(_) => "failed",
            Verdict::Inherited(..) => "inherited",
            Verdict::Singular(_) => "singular",
            Verdict::Underivable(_) => "underivable",
            Verdict::Skipped(_) => "skipped",
        }
    }
}

/// One function's result.
#[derive(Clone, Debug)]
pub struct Row {
    /// As the program calls it.
    pub function: String,
    /// Random inputs at which it was checked.
    pub samples: u32,
    /// How far the two modes are apart at most.
    pub worst_dot: f64,
    /// How far the modes may be apart, at the point where they round most.
    pub dot_tolerance: f64,
    /// How far derivatives and differences are apart at most.
    pub worst_difference: f64,
    /// Differences disagree, as they may where derivatives are ended on purpose.
    pub detached: bool,
    /// There is a derivative in one mode only: it was held against differences.
    pub one_mode: bool,
    /// Something was compared: an argument or a buffer moved.
    pub moved: bool,
    /// No derivative that was found is other than zero: the points tell little.
    pub all_zero: bool,
    /// It leads to a function with a substitute: what was compared calls the substitute there, as
    /// derivatives do.
    pub substituted: bool,
    /// Parameters that were not compared: the program chooses differentials for them with parts
    /// that are derivatives of no field.
    pub not_compared: Vec<String>,
    /// What the check may not have been told, where it found a derivative wrong or nothing to
    /// compare.
    pub unnamed: Option<Unnamed>,
    /// What is said of it.
    pub verdict: Verdict,
}

/// A custom derivative that may be one with respect to the elements of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unnamed {
    /// The function with the derivative.
    pub function: String,
    /// The buffer that it reads.
    pub primal: String,
    /// The buffer that its derivative uses.
    pub derivative: String,
}

impl Row {
    pub(crate) fn new(function: &str) -> Row {
        let verdict = Verdict::Skipped("nothing was checked".into());
        Row {
            function: function.into(),
            samples: 0,
            worst_dot: 0.0,
            dot_tolerance: DOT_TOLERANCE,
            worst_difference: 0.0,
            detached: false,
            one_mode: false,
            moved: false,
            all_zero: false,
            substituted: false,
            not_compared: Vec::new(),
            unnamed: None,
            verdict,
        }
    }
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One for each function, in the order of the program.
    pub rows: Vec<Row>,
    /// Whether a generic function was left out, for want of types to check it with.
    pub lacks_types: bool,
}

impl Report {
    /// Whether something was checked, nothing failed, and every derivative is a number.
    pub fn passed(&self) -> bool {
        let right = |r: &Row| matches!(r.verdict, Verdict::Passed | Verdict::Skipped(_));
        self.checked() && self.rows.iter().all(right)
    }

    /// Whether something was checked.
    pub fn checked(&self) -> bool {
        self.rows.iter().any(|r| !matches!(r.verdict, Verdict::Skipped(_)))
    }
}
