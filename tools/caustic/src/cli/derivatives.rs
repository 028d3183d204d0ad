//! The options that say how derivatives are made, of all commands that make some.

use super::options::{EmitOptions, GradcheckOptions, RunOptions, choose};
use super::parse::Opt;
use caustic_driver::{Derivatives, SingularPoints};

/// Options of a command that makes derivatives.
pub(super) trait HasDerivatives {
    fn derivatives(&mut self) -> &mut Derivatives;
}

impl HasDerivatives for RunOptions {
    fn derivatives(&mut self) -> &mut Derivatives {
        &mut self.derivatives
    }
}

impl HasDerivatives for EmitOptions {
    fn derivatives(&mut self) -> &mut Derivatives {
        &mut self.derivatives
    }
}

impl HasDerivatives for GradcheckOptions {
    fn derivatives(&mut self) -> &mut Derivatives {
        &mut self.check.derivatives
    }
}

pub(super) const fn snapshots<T: HasDerivatives>() -> Opt<T> {
    Opt {
        name: "--snapshots",
        value: "N",
        help: "Loops without a constant trip count keep N states for reverse derivatives, not one an iteration",
        set: |o, v| parse_slots(v).map(|n| o.derivatives().snapshots = Some(n.into())),
    }
}

pub(super) const fn trust_max_iters<T: HasDerivatives>() -> Opt<T> {
    Opt {
        name: "--trust-max-iters",
        value: "",
        help: "Where nothing can be allocated, a loop that cannot run again keeps as many iterations as [MaxIters] says; its derivative is wrong if it has more",
        set: |o, _| {
            o.derivatives().trust_max_iters = true;
            Ok(())
        },
    }
}

const SINGULARS: [(&str, SingularPoints); 2] = [("zero", SingularPoints::Convention), ("ieee", SingularPoints::Ieee)];

pub(super) const fn ad_singular<T: HasDerivatives>() -> Opt<T> {
    Opt {
        name: "--ad-singular",
        value: "zero|ieee",
        help: "What derivatives are at corners: zero (docs/singular.md, the default), or what IEEE arithmetic gives",
        set: |o, v| choose(&SINGULARS, v).map(|singular| o.derivatives().singular = singular),
    }
}

fn parse_slots(value: &str) -> Result<u32, String> {
    value.parse().ok().filter(|&n| n > 0).ok_or_else(|| format!("`{value}` is not a number of states (from 1)"))
}
