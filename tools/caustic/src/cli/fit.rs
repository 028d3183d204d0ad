//! The options of `fit`, which are added to those of `run`.

use super::options::parse_named;
use super::parse::{HasSource, Opt};
use super::{RunOptions, SourceOptions};
use caustic_driver::fit::{Buffer, Parameters, Plan, Rule};
use caustic_runtime::output::ReadRequest;

/// Lines about the progress, if nobody says how many.
const LINES: u64 = 10;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitOptions {
    pub run: RunOptions,
    /// The buffers that change, and the type of their contents if it is not the declared one.
    pub params: Vec<ReadRequest>,
    /// The gradient of each of them.
    pub grads: Vec<ReadRequest>,
    /// It is there once the command line is parsed.
    pub loss: Option<ReadRequest>,
    /// Other buffers that are zero when a step begins.
    pub zeros: Vec<String>,
    /// It is there once the command line is parsed.
    pub steps: Option<u64>,
    pub every: Option<u64>,
    /// A uniform of 32 bits that is drawn in each step, and what it is drawn from.
    pub seed: Option<(String, u64)>,
    adam: Option<f64>,
    sgd: Option<f64>,
    betas: Option<[f64; 2]>,
}

impl HasSource for FitOptions {
    fn source(&mut self) -> &mut SourceOptions {
        &mut self.run.source
    }
}

impl FitOptions {
    pub fn rule(&self) -> Rule {
        match self.sgd {
            Some(rate) => Rule::Sgd { rate },
            None => {
                let (rate, betas) = (self.adam.unwrap_or(Rule::ADAM_RATE), self.betas.unwrap_or(Rule::ADAM_BETAS));
                Rule::Adam { rate, betas }
            }
        }
    }

    /// What the driver is to do. (That each of its parts is there once was looked at before.)
    pub fn plan(&self) -> Plan {
        let buffer = |r: &ReadRequest| Buffer { name: r.name.clone(), scalar: r.scalar };
        let both = self.params.iter().zip(&self.grads);
        let mut plan = Plan::new("", "", self.loss.as_ref().map_or_else(|| "".into(), buffer));
        plan.parameters = both.map(|(v, g)| Parameters { values: buffer(v), gradient: buffer(g) }).collect();
        plan.zeros = self.zeros.clone();
        plan.seed = self.seed.clone();
        plan.rule = self.rule();
        plan.dispatch = self.run.dispatch();
        plan
    }

    /// Steps from one line about the progress to the next.
    pub fn every(&self) -> u64 {
        self.every.unwrap_or(self.steps.unwrap_or(0).div_ceil(LINES)).max(1)
    }

    /// The buffers that the steps are about.
    pub fn requests(&self) -> impl Iterator<Item = &ReadRequest> + Clone {
        self.params.iter().chain(&self.grads).chain(&self.loss)
    }

    /// The names of what is bound, or has to be there.
    pub fn bound_names(&self) -> impl Iterator<Item = &str> + Clone {
        let zeros = self.zeros.iter().map(String::as_str);
        self.run.bound_names().chain(self.requests().map(|r| r.name.as_str())).chain(zeros)
    }

    /// Options that are missing, or do not go together.
    pub fn conflict(&self) -> Option<String> {
        let (params, grads) = (self.params.len(), self.grads.len());
        let names: Vec<&str> = self.requests().map(|r| r.name.as_str()).collect();
        let twice = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name));
        match self {
            _ if params == 0 => Some("`caustic fit` needs --param NAME: the buffer that is to change".into()),
            _ if params != grads => Some(format!(
                "each --param has its --grad, in the same order: there are {params} of the one and {grads} of the other"
            )),
            _ if self.loss.is_none() => {
                Some("`caustic fit` needs --loss NAME: the buffer whose sum is to become small".into())
            }
            _ if self.steps.is_none() => Some("`caustic fit` needs --steps N".into()),
            _ if twice.is_some() => twice.map(|(_, name)| format!("`{name}` has two parts to play")),
            _ if self.adam.is_some() && self.sgd.is_some() => Some("`--adam` and `--sgd` exclude each other".into()),
            _ if self.betas.is_some() && self.sgd.is_some() => Some("`--betas` are about `--adam`".into()),
            _ => self.run.conflict(),
        }
    }
}

fn parse_rate(value: &str) -> Result<f64, String> {
    let rate = value.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
    rate.ok_or_else(|| format!("`{value}` is not a rate, a number above 0"))
}

fn parse_betas(value: &str) -> Result<[f64; 2], String> {
    let betas = value.split_once(',').and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    let inside = betas.filter(|betas: &[f64; 2]| betas.iter().all(|b| (0.0..1.0).contains(b)));
    inside.ok_or_else(|| format!("`{value}` is not of the form B1,B2, two numbers from 0 up to 1, which is left out"))
}

fn parse_count(value: &str, least: u64) -> Result<u64, String> {
    let count = value.parse().ok().filter(|n| *n >= least);
    count.ok_or_else(|| format!("`{value}` is not a number of steps"))
}

pub const FIT: &[Opt<FitOptions>] = &[
    Opt {
        name: "--param",
        value: "NAME[:TYPE] ...",
        help: "A buffer of floats that is to change",
        set: |o, v| ReadRequest::parse(v).map(|r| o.params.push(r)),
    },
    Opt {
        name: "--grad",
        value: "NAME[:TYPE] ...",
        help: "The buffer where the kernel puts the derivatives of the loss by it, as many floats; zero when a step begins, and made if it is not bound. With several: in the order of --param",
        set: |o, v| ReadRequest::parse(v).map(|r| o.grads.push(r)),
    },
    Opt {
        name: "--loss",
        value: "NAME[:TYPE]",
        help: "The buffer whose sum is to become small; zero when a step begins, and one float if it is not bound",
        set: |o, v| ReadRequest::parse(v).map(|r| o.loss = Some(r)),
    },
    Opt {
        name: "--zero",
        value: "NAME ...",
        help: "Another buffer that is zero when a step begins",
        set: |o, v| {
            o.zeros.push(v.to_string());
            Ok(())
        },
    },
    Opt {
        name: "--steps",
        value: "N",
        help: "How often the parameters change; the kernel runs once more, for the loss that is left",
        set: |o, v| parse_count(v, 0).map(|n| o.steps = Some(n)),
    },
    Opt {
        name: "--adam",
        value: "RATE",
        help: "Change them by Adam at this rate; the default, at 0.01",
        set: |o, v| parse_rate(v).map(|rate| o.adam = Some(rate)),
    },
    Opt {
        name: "--betas",
        value: "B1,B2",
        help: "How much Adam keeps of its two averages in a step; default 0.9,0.999",
        set: |o, v| parse_betas(v).map(|betas| o.betas = Some(betas)),
    },
    Opt {
        name: "--sgd",
        value: "RATE",
        help: "Change them by the gradient times this rate",
        set: |o, v| parse_rate(v).map(|rate| o.sgd = Some(rate)),
    },
    Opt {
        name: "--every",
        value: "K",
        help: "Print every K-th step; default: about ten in all",
        set: |o, v| parse_count(v, 1).map(|n| o.every = Some(n)),
    },
    Opt {
        name: "--seed",
        value: "NAME[=S]",
        help: "A uniform of 32 bits that is drawn in each step, from S (default 0), for a kernel that samples",
        set: |o, v| {
            let (name, seed) = if v.contains('=') { parse_named(v)? } else { (v.to_string(), "0".into()) };
            let seed = seed.parse().map_err(|_| format!("`{seed}` is not a seed (an integer from 0)"))?;
            o.seed = Some((name, seed));
            Ok(())
        },
    },
];
