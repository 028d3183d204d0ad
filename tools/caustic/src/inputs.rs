//! What the inputs are called on the command line that a library's diagnostics speak of.

use caustic_ir::Input;

/// How an input that would change is given: a note in addition to what the library says.
pub fn note(input: Input) -> &'static str {
    match input {
        Input::Buffer => "it is bound with `--buffer`",
        Input::Uniform => "it is bound with `--uniform`",
        Input::Texture => "it is bound with `--texture`",
        Input::Sampler => "it is bound with `--sampler`",
        Input::Entry => "choose one with `--entry`",
        Input::EntryTypes => "`--entry-type` gives them",
        Input::GlobalTypes => "`--global-type` gives them, once for each, in their order",
        Input::Threads => "leave out `--threads`, or the number in the program",
        Input::Gradient => "`--gradient` takes the names of two buffers",
        Input::Backend => "`--backend cranelift` runs it on the CPU",
        Input::Target => "`--target obj` asks for one",
        Input::Libdevice => "`--libdevice` names it",
        Input::CheckpointReport => "`--report-checkpoint --target ptx` says where",
    }
}
