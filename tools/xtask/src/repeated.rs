//! Runs a command whose output goes through, and keeps the lines that tell of failures: whoever
//! sees only the end of a long log sees them there.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

/// Words of lines that tell of a failed test, a panic or a failed build.
const TELLING: &[&str] = &["... FAILED", "panicked at", "error: test failed", "error: could not compile", "error["];
/// What a panic says stands on the line after it.
const NEXT_TOO: &str = "panicked at";
const MOST_LINES: usize = 60;

/// Whether the command succeeded, and the lines that tell of failures.
pub fn run(mut command: Command) -> (bool, Vec<String>) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return (false, vec![format!("cannot run the command: {error}")]),
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let mut lines = std::thread::scope(|scope| {
        let errors = scope.spawn(|| err.map(|stream| forward(stream, std::io::stderr())).unwrap_or_default());
        let mut lines = out.map(|stream| forward(stream, std::io::stdout())).unwrap_or_default();
        lines.extend(errors.join().unwrap_or_default());
        lines
    });
    lines.truncate(MOST_LINES);
    (child.wait().is_ok_and(|status| status.success()), lines)
}

fn forward(from: impl Read, mut to: impl Write) -> Vec<String> {
    let (mut kept, mut next) = (Vec::new(), false);
    let mut lines = BufReader::new(from);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        // A closed stream is no reason to stop the tests.
        let _ = to.write_all(&line);
        let text = String::from_utf8_lossy(&line);
        let telling = TELLING.iter().any(|word| text.contains(word));
        if telling || next {
            kept.push(text.trim_end().to_string());
        }
        next = text.contains(NEXT_TOO);
        line.clear();
    }
    kept
}
