//! Metal: clang judges texts with headers of ours (`test-suite/metal`) and makes programs of them,
//! since Apple's compiler runs on no machine of the tests. What the judge has to take and to reject
//! is a test of its own.
//!
//! Functions of floats are the reference's there, so that results are compared to the last bit; the
//! errors of a GPU's own functions are not seen here.

use super::Kernel;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Has the judge look at its own programs: all of `accepted` and `rejected`.
pub fn judge(root: &Path) -> Result<(), String> {
    script(root, &[Path::new("judge")])
}

/// Has the judge look at a kernel's text and make a program of it.
pub fn build(root: &Path, folder: &Path, kernel: &Kernel<'_>) -> Result<PathBuf, String> {
    let [program, text, json] = ["kernel", "kernel.metal", "kernel.json"].map(|name| folder.join(name));
    std::fs::write(&text, &kernel.text).map_err(|e| e.to_string())?;
    std::fs::write(&json, &kernel.json).map_err(|e| e.to_string())?;
    script(root, &[Path::new("build"), &program, &text, &json])?;
    Ok(program)
}

/// Has the judge look at a text.
pub fn check(root: &Path, folder: &Path, text: &str) -> Result<(), String> {
    let path = folder.join("library.metal");
    std::fs::write(&path, text).map_err(|e| e.to_string())?;
    script(root, &[Path::new("check"), &path])
}

/// Runs the judge.
fn script(root: &Path, words: &[&Path]) -> Result<(), String> {
    let mut script = Command::new("python3");
    script.arg(root.join("test-suite/metal/msl.py")).args(words);
    let ran = script.output().map_err(|e| format!("python3: {e}"))?;
    if ran.status.success() {
        return Ok(());
    }
    let said = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
    Err(said.lines().take(30).collect::<Vec<_>>().join("\n"))
}
