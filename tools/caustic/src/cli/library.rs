//! The options about libraries: what `emit` writes for others to include.

use super::options::EmitOptions;
use caustic_driver::{LibraryOptions, Target};

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
            _ if self.functions.len() > 1 && !self.library => Some("`--function` is given twice"),
            _ => None,
        }
    }
}
