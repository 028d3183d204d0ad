//! Runs compilers and other tools.

use std::process::Command;

/// Runs a tool. The error is the first line of what it says is wrong.
pub fn call(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|l| l.contains("error")).or(text.lines().next()).unwrap_or("no message");
    Err(match output.status.code() {
        Some(_) => line.to_string(),
        None => format!("{}: {line}", output.status),
    })
}
