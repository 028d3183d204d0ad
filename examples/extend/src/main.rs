//! `caustic-opt` with a dialect of its own: an op with its derivative, a pass that makes it, one
//! that takes it away, a pipeline that runs both, and an equality about the op.

mod op;
mod pass;
mod rows;

use caustic_ir::{Dialect, Registry};
use caustic_passes::manager::Standard;
use caustic_tool::RealFiles;
use std::io::{stderr, stdout};
use std::process::ExitCode;

/// From a program as it was read to code that runs.
const SMOOTH: Standard = Standard {
    name: "smooth",
    doc: "Differentiates with softplus as one op.",
    text: "normalize,find-softplus,differentiate,expand-softplus,optimize",
};

fn main() -> ExitCode {
    let mut dialects: Vec<&'static Dialect> = caustic_dialects::all().to_vec();
    dialects.push(&op::DIALECT);
    let mut passes = caustic_passes::registry();
    passes.add(&pass::FIND);
    passes.add(&pass::EXPAND);
    passes.add(&rows::EGRAPH);
    passes.add_pipeline(SMOOTH);
    let args: Vec<String> = std::env::args().skip(1).collect();
    let dialects = Registry::new(&dialects);
    let code = caustic_opt::main_with_registries(&args, &mut stdout(), &mut stderr(), &RealFiles, &dialects, &passes);
    ExitCode::from(code as u8)
}
