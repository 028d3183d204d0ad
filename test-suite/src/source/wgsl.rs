//! WGSL: texts are compiled by naga and judged by tint, both of which have to be here (`cargo xtask
//! setup` installs them): the program `tint`, or that of Dawn in npm's package `webgpu`.

use super::vulkan;
use std::path::Path;
use std::process::Command;

/// The package in the root of the project, and what asks it.
const PACKAGE: &str = "target/webgpu/node_modules/webgpu/index.js";
const SCRIPT: &str = "test-suite/wgsl/tint.mjs";

/// Has a text compiled and validated; its SPIR-V.
pub fn compile(folder: &Path, text: &str) -> Result<Vec<u8>, String> {
    let (from, to) = (folder.join("kernel.wgsl"), folder.join("kernel.spv"));
    std::fs::write(&from, text).map_err(|e| e.to_string())?;
    let mut naga = Command::new("naga");
    naga.arg(&from).arg(&to);
    vulkan::accepted(&mut [naga, vulkan::validator(&to), tint(&from)])?;
    std::fs::read(&to).map_err(|e| e.to_string())
}

/// What judges a text by tint.
fn tint(text: &Path) -> Command {
    let mut program = Command::new("tint");
    program.args(["--format", "wgsl"]).arg(text);
    if program.output().is_ok() {
        return program;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut script = Command::new("node");
    script.arg(root.join(SCRIPT)).arg(root.join(PACKAGE)).arg(text);
    script
}
