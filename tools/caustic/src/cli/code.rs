//! The options about the code that is made of a lowered program.

use super::options::{EmitOptions, RunOptions, choose, set_name};
use super::parse::Opt;
use caustic_driver::{Bounds, CodeOptions, Floats, Rewrite};

pub(super) trait HasCode {
    fn code(&mut self) -> &mut CodeOptions;
}

impl HasCode for RunOptions {
    fn code(&mut self) -> &mut CodeOptions {
        &mut self.code
    }
}

impl HasCode for EmitOptions {
    fn code(&mut self) -> &mut CodeOptions {
        &mut self.code
    }
}

pub(super) const fn lanes<T: HasCode>() -> Opt<T> {
    Opt {
        name: "--lanes",
        value: "1|2|4|8|16|32",
        help: "Threads of a group that run together as one vector (with LLVM, on the CPU); default: chosen for the kernel (docs/llvm.md)",
        set: |o, v| {
            let lanes = v.parse().ok().filter(|n: &usize| n.is_power_of_two() && *n <= 32);
            o.code().lanes = Some(lanes.ok_or_else(|| format!("`{v}` is not 1, 2, 4, 8, 16 or 32"))?);
            Ok(())
        },
    }
}

pub(super) const fn lines<T: HasCode>() -> Opt<T> {
    Opt {
        name: "-g",
        value: "",
        help: "Keep source lines in code by LLVM and in SPIR-V, for debuggers and profilers, and as `#line` in source text, for messages of its compiler; the instructions are the same",
        set: |o, _| {
            o.code().lines = true;
            Ok(())
        },
    }
}

/// What the specification of source text calls `-g`.
pub(super) const fn lines_of_text() -> Opt<EmitOptions> {
    Opt {
        name: "--lines",
        value: "",
        help: "The same as `-g`",
        set: |o, _| {
            o.code.lines = true;
            Ok(())
        },
    }
}

pub(super) const fn source_map() -> Opt<EmitOptions> {
    Opt {
        name: "--source-map",
        value: "FILE",
        help: "Write to this file which line of the program each line of source text is from, as a source map (version 3); `-`: print that in place of the text",
        set: |o, v| set_name(&mut o.source_map, v),
    }
}

const REWRITES: [(&str, Rewrite); 3] = [("auto", Rewrite::Auto), ("on", Rewrite::On), ("off", Rewrite::Off)];

pub(super) const fn rewrite<T: HasCode>() -> Opt<T> {
    Opt {
        name: "--rewrite",
        value: "auto|on|off",
        help: "Whether the e-graph looks for cheaper ways to compute the same (docs/egraph.md); auto: on the CPU",
        set: |o, v| choose(&REWRITES, v).map(|rewrite| o.code().rewrite = rewrite),
    }
}

pub(super) const fn ulps<T: HasCode>() -> Opt<T> {
    Opt {
        name: "--fp-ulps",
        value: "N",
        help: "What `--fp contract` and `--fp fast` may change: rewrites whose error bounds add up to N units in the last place in each function, and nothing else (docs/egraph.md)",
        set: |o, v| {
            o.code().ulps = Some(v.parse().map_err(|_| format!("`{v}` is not a number of units in the last place"))?);
            Ok(())
        },
    }
}

/// An option about code that does nothing without another one.
pub(super) fn unused(code: &CodeOptions) -> Option<&'static str> {
    let bounded = code.ulps.is_some() && code.floats == Floats::Exact;
    bounded.then_some("`--fp-ulps` bounds what another option allows: give `--fp contract` or `--fp fast`")
}

pub(super) const fn bounds() -> Opt<EmitOptions> {
    Opt {
        name: "--bounds",
        value: "buffers|zero|trust|trap",
        help: "What an access does in emitted code whose index is out of range: of buffers it reads zero and writes nothing, and nothing looks at what raw pointers lead to (the default); all of them do; nothing looks at any; or it ends the dispatch, in PTX and objects (docs/buffers.md)",
        set: |o, v| choose(&Bounds::ALL, v).map(|bounds| o.code.bounds = bounds),
    }
}

pub(super) const fn fp<T: HasCode>() -> Opt<T> {
    Opt {
        name: "--fp",
        value: "exact|contract|fast",
        help: "Whether floats are computed as the program says (the default), a product and a sum may be rounded once, or other ways be taken that are about as good, on GPUs approximate instructions",
        set: |o, v| choose(&Floats::ALL, v).map(|floats| o.code().floats = floats),
    }
}
