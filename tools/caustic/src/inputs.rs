//! What the inputs are called on the command line that a library's diagnostics speak of.

use caustic_driver::{Diagnostic, Loc, LocKind};
use caustic_ir::codes::{self, Code};
use caustic_ir::{Input, Name};

/// What is wrong with the command line, not with the program.
const ABOUT_OPTIONS: [Code; 5] = [codes::E0801, codes::E0802, codes::E0804, codes::E0805, codes::W0802];

/// Whether it is about what the command line gives, or about a name that it does not give.
fn is_about_options(d: &Diagnostic) -> bool {
    let is_named = matches!(d.input, Some(Input::Entry | Input::Function));
    ABOUT_OPTIONS.contains(&d.code) || d.code == codes::E0803 && is_named
}

/// The diagnostic at the place where the mistake is: one about what the command line gives is about
/// no line of the program.
pub fn placed(d: &Diagnostic) -> Diagnostic {
    let is_whole = matches!(d.loc.kind(), LocKind::Span { line: 1, col: 1, end_line: 1, end_col: 1, .. });
    let mut placed = d.clone();
    if is_whole && is_about_options(d) {
        placed.loc = Loc::span(Name::new("<command-line>"), (1, 1), (1, 1));
    }
    placed
}

/// How an input that would change is given: a note in addition to what the library says.
pub fn note(input: Input) -> &'static str {
    match input {
        Input::Buffer => "it is bound with `--buffer`",
        Input::Uniform => "it is bound with `--uniform`",
        Input::Texture => "it is bound with `--texture`, and written to a file with `--write NAME=FILE`",
        Input::Sampler => "it is bound with `--sampler`",
        Input::Entry => "choose one with `--entry`",
        Input::Function => "it is named with `--function`",
        Input::EntryTypes => "`--entry-type` gives them",
        Input::GlobalTypes => "`--global-type` gives them, once for each, in their order",
        Input::Threads => "leave out `--threads`, or the number in the program",
        Input::Gradient => "`--gradient` takes the names of two buffers",
        Input::Backend => "`--backend cranelift` runs it on the CPU",
        Input::Target => "`--target obj` asks for one",
        Input::Libdevice => "`--libdevice` names it",
        Input::CheckpointReport => {
            "`--report-checkpoint --target ptx` says where; `--trust-max-iters` keeps as many iterations as `[MaxIters]` says"
        }
    }
}
