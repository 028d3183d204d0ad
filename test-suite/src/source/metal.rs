//! Metal: clang judges texts with headers of ours (`test-suite/metal`), since Apple's compiler runs
//! on no machine of the tests. What the judge has to take and to reject is a test of its own.

use std::path::Path;
use std::process::Command;

/// Has the judge look at its own programs: all of `accepted` and `rejected`.
pub fn judge(root: &Path) -> Result<(), String> {
    let mut script = Command::new("python3");
    script.arg(root.join("test-suite/metal/msl.py")).arg("judge");
    let ran = script.output().map_err(|e| format!("python3: {e}"))?;
    if ran.status.success() {
        return Ok(());
    }
    Err(format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr)))
}
