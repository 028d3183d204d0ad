//! Runs compilers and other tools.

use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Some compilers do not end for some programs.
const LIMIT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(2);

/// What a tool gives, unless it takes longer than [`LIMIT`].
fn output(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let said = |e: std::io::Error| format!("{program}: {e}");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(said)?;
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
            bytes
        })
    };
    let stdout = reader(child.stdout.take().map(|p| Box::new(p) as _));
    let stderr = reader(child.stderr.take().map(|p| Box::new(p) as _));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(said)? {
            break status;
        }
        if start.elapsed() > LIMIT {
            _ = child.kill();
            _ = child.wait();
            return Err(format!("{program}: it did not end within {} seconds", LIMIT.as_secs()));
        }
        thread::sleep(PAUSE);
    };
    Ok(Output { status, stdout: stdout.join().unwrap_or_default(), stderr: stderr.join().unwrap_or_default() })
}

/// Runs a tool. The error is the first line of what it says is wrong.
pub fn call(command: &mut Command) -> Result<String, String> {
    let output = output(command)?;
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
