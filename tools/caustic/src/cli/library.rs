//! The options about libraries: what `emit` writes for others to include.

use super::options::EmitOptions;
use caustic_driver::{LibraryOptions, Stage, Target};

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
        match self {
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
            _ if self.functions.len() > 1 && !self.library && !self.as_slang => Some("`--function` is given twice"),
            _ => None,
        }
    }
}
