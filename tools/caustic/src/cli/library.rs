//! The options about libraries: what `emit` writes for others to include.

use super::code::unused;
use super::options::EmitOptions;
use caustic_driver::{LibraryOptions, Stage, Target};
use caustic_runtime::output::Format;

pub(super) fn set_derivatives(o: &mut EmitOptions, value: &str) -> Result<(), String> {
    let mut offered = LibraryOptions::default();
    let words: Vec<&str> = value.split(',').collect();
    match words[..] {
        ["none"] => (offered.forward, offered.reverse) = (false, false),
        ["fwd"] => offered.reverse = false,
        ["bwd"] => offered.forward = false,
        ["fwd", "bwd"] | ["bwd", "fwd"] => {}
        _ => return Err(format!("`{value}` names no derivatives: none, fwd, bwd or fwd,bwd")),
    }
    o.offered = Some(offered);
    Ok(())
}

impl EmitOptions {
    /// The options of the library that holds the derivatives of a stage, if it is wanted as Slang.
    pub fn stage_as_slang(&self) -> Option<EmitOptions> {
        let stage = self.stage.filter(|_| self.as_slang)?;
        let mut offered = LibraryOptions::default();
        offered.primal = false;
        (offered.forward, offered.reverse) = (stage == Stage::Forward, stage == Stage::Reverse);
        Some(EmitOptions {
            stage: None,
            target: Some(Target::Slang),
            library: true,
            offered: Some(offered),
            ..self.clone()
        })
    }

    /// Options that do not go together.
    pub fn conflict(&self) -> Option<&'static str> {
        let language = self.target.is_some_and(Target::is_source) && !self.reports();
        let spirv = matches!(self.target, Some(Target::Spirv | Target::SpirvAsm));
        let ptx = self.target == Some(Target::Ptx);
        match self {
            _ if self.stage.is_some() && self.target.is_some() => {
                Some("a stage is printed, or a target compiled for: give `--stage` or `--target` alone")
            }
            _ if self.stage.is_some() && self.reports() => {
                Some("a report stands in place of a stage: leave out `--stage`")
            }
            _ if self.library && spirv => Some(
                "no language of shaders calls functions of a SPIR-V module: give `--target glsl` or `hlsl`, and compile the \
                 library with what calls it",
            ),
            _ if self.library && !language => Some("`--library` is source text: give a language with `--target`"),
            _ if self.library && self.entry.is_some() => Some("a library has no entry point: leave out `--entry`"),
            _ if self.offered.is_some() && !self.library => {
                Some("`--derivatives` is about a library: give `--library`")
            }
            _ if self.as_slang && !matches!(self.stage, Some(Stage::Forward | Stage::Reverse)) => {
                Some("`--as slang` writes derivatives: give it with `--stage forward` or `--stage reverse`")
            }
            _ if self.target == Some(Target::Slang) && !self.library => Some(
                "a kernel in Slang is the program itself: give `--library`, or for its derivatives `--stage reverse --as slang`",
            ),
            _ if self.stage.is_some() && self.format == Format::Json => {
                Some("a stage has no description: `--format json` is about a report or a target")
            }
            _ if self.prefix.is_some() && !language && !self.as_slang => {
                Some("`--prefix` is about source text: give a language with `--target`")
            }
            _ if self.source_map.is_some() && !language && !self.as_slang => {
                Some("`--source-map` is about source text: give a language with `--target`")
            }
            _ if self.source_map.is_some() && self.entries().is_some() => {
                Some("a source map is of one kernel: give one `--entry`")
            }
            _ if self.source_map.as_deref() == Some("-") && self.output.is_some() => {
                Some("a source map on the standard output stands in place of the text: leave out `-o`")
            }
            _ if self.code.lines && self.target == Some(Target::Wgsl) && !self.reports() => {
                Some("WGSL has no directive that says a line: give `--source-map FILE` in place of `-g`")
            }
            _ if self.arch.is_some() && !ptx => Some("`--arch` is about GPUs: give it with `--target ptx`"),
            _ if self.libdevice.is_some() && !ptx => Some("`--libdevice` is about GPUs: give it with `--target ptx`"),
            _ if !self.functions.is_empty() && self.target.is_some() && !self.library && !self.reports() => {
                Some("`--function` is about a stage, a report or a library; `--entry` names what a target compiles")
            }
            _ if self.functions.len() > 1 && !self.library && !self.as_slang => {
                Some("several functions are for a library: give one `--function`")
            }
            _ => unused(&self.code),
        }
    }
}
