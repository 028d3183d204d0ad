//! WGSL: texts are compiled by naga, which has to be here (`cargo xtask setup` installs it), and
//! judged by tint, too, where it is here: no registry has it as a program.

use super::vulkan;
use std::path::Path;
use std::process::Command;

/// Has a text compiled and validated; its SPIR-V.
pub fn compile(folder: &Path, text: &str) -> Result<Vec<u8>, String> {
    let (from, to) = (folder.join("kernel.wgsl"), folder.join("kernel.spv"));
    std::fs::write(&from, text).map_err(|e| e.to_string())?;
    let mut naga = Command::new("naga");
    naga.arg(&from).arg(&to);
    vulkan::accepted(&mut [naga, vulkan::validator(&to)])?;
    let mut tint = Command::new("tint");
    tint.args(["--format", "wgsl"]).arg(&from);
    if tint.output().is_ok() {
        vulkan::accepted(&mut [tint])?;
    }
    std::fs::read(&to).map_err(|e| e.to_string())
}
