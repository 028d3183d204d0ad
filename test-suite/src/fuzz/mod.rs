//! The fuzz targets: entry points of the compiler that must handle any input, as functions of
//! bytes.
//!
//! Two drivers call them: `cargo fuzz` through the crate in `fuzz/`, which needs a nightly
//! compiler, and [`drive`], which does not (`cargo xtask fuzz TARGET`). An error describes a
//! problem: an internal error, an undefined exit code, or too long a time. Panics are caught by the
//! tools and end as internal errors; a stack overflow ends the process.
//!
//! This module must not know any tool: they are passed to it.

pub mod corpus;
pub mod drive;

use crate::runner::Tool;
use caustic_tool::FileSystem;
use std::io;
use std::time::{Duration, Instant};

/// The tools.
#[derive(Clone, Copy)]
pub struct Tools {
    pub caustic: Tool,
    pub opt: Tool,
}

pub type Target = fn(Tools, &[u8]) -> Result<(), String>;

/// The targets: name, function, and the meaning of the bytes.
pub const TARGETS: [(&str, Target, &str); 4] = [
    ("check", check, "a program"),
    ("ir", ir, "IR, which is verified, printed in every form and read again"),
    ("pipeline", pipeline, "IR after a line with the numbers of passes"),
    ("run", run, "a program after a line of options"),
];

/// The time limit: far more than such small inputs need, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(30);

/// A file system with one file, in memory.
struct OneFile<'a> {
    name: &'a str,
    text: &'a [u8],
}

impl FileSystem for OneFile<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if self.is_file(path) { Ok(self.text.to_vec()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
    fn is_file(&self, path: &str) -> bool {
        path == self.name
    }
}

/// Runs a tool on one file and checks its exit code, which must be one of `codes`.
fn hold(
    tool: Tool,
    args: &[&str],
    name: &str,
    text: &[u8],
    codes: std::ops::RangeInclusive<i32>,
) -> Result<(), String> {
    let args: Vec<String> = args.iter().map(|a| (*a).to_string()).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let code = tool(&args, &mut out, &mut err, &OneFile { name, text });
    let (took, err) = (start.elapsed(), String::from_utf8_lossy(&err).into_owned());
    let shown = args.join(" ");
    // Lines that show the source are skipped, since they may contain any text, including this one.
    let internal = |l: &&str| !l.contains('│') && (l.contains(": error[E9999]: ") || l.contains("panicked at "));
    if let Some(line) = err.lines().find(internal) {
        return Err(format!("`{shown}` ends with an internal error: {line}\n{err}"));
    }
    if !codes.contains(&code) {
        return Err(format!("`{shown}` ends with {code}\n{err}"));
    }
    if took > LIMIT { Err(format!("`{shown}` takes {took:?}")) } else { Ok(()) }
}

pub fn check(tools: Tools, bytes: &[u8]) -> Result<(), String> {
    hold(tools.caustic, &["check", "fuzz.slang"], "fuzz.slang", bytes, 0..=1)
}

pub fn ir(tools: Tools, bytes: &[u8]) -> Result<(), String> {
    hold(tools.opt, &["fuzz.mlir", "--verify-roundtrip"], "fuzz.mlir", bytes, 0..=1)
}

/// Passes that can run in any order, and some standard pipelines.
const PASSES: &[&str] = &[
    "specialize",
    "any(normalize-exits)",
    "promote",
    "inline-forced",
    "any(uplift-while-to-for)",
    "any(unroll)",
    "any(canonicalize)",
    "any(cse)",
    "any(dce)",
    "any(licm)",
    "inline",
    "symbol-dce",
    "differentiate",
    "lower-pairs",
    "any(drop-detach)",
    "specialize,any(normalize-exits),promote,any(canonicalize,cse,dce,uplift-while-to-for),differentiate",
];

pub fn pipeline(tools: Tools, bytes: &[u8]) -> Result<(), String> {
    let (line, text) = split_line(bytes);
    let chosen: Vec<&str> = line.iter().take(8).map(|b| PASSES[usize::from(*b) % PASSES.len()]).collect();
    let passes = format!("--pass-pipeline={}", chosen.join(","));
    hold(tools.opt, &["fuzz.mlir", &passes, "--threads=1"], "fuzz.mlir", text, 0..=1)
}

pub fn run(tools: Tools, bytes: &[u8]) -> Result<(), String> {
    let (line, text) = split_line(bytes);
    let line = String::from_utf8_lossy(line).into_owned();
    let mut args = vec!["run", "fuzz.slang", "--time-limit", "2"];
    // Files of the machine must not be read.
    args.extend(line.split(' ').filter(|w| !w.is_empty() && !w.contains('@')));
    hold(tools.caustic, &args, "fuzz.slang", text, 0..=3)
}

/// The first line and the rest.
fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|b| *b == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fine(_: &[String], _: &mut (dyn io::Write + Send), _: &mut (dyn io::Write + Send), _: &dyn FileSystem) -> i32 {
        0
    }
    fn broken(
        _: &[String],
        _: &mut (dyn io::Write + Send),
        err: &mut (dyn io::Write + Send),
        _: &dyn FileSystem,
    ) -> i32 {
        let _ = err.write_all(b"f:1:1: error[E9999]: no\n");
        4
    }
    fn lost(_: &[String], _: &mut (dyn io::Write + Send), _: &mut (dyn io::Write + Send), _: &dyn FileSystem) -> i32 {
        101
    }

    /// Each target must be able to fail.
    #[test]
    fn internal_errors_and_wrong_codes_are_noticed() {
        for (name, target, _) in TARGETS {
            assert_eq!(target(Tools { caustic: fine, opt: fine }, b"a\nb"), Ok(()), "{name}");
            assert!(
                target(Tools { caustic: broken, opt: broken }, b"").is_err_and(|e| e.contains("internal")),
                "{name}"
            );
            assert!(target(Tools { caustic: lost, opt: lost }, b"a\n").is_err_and(|e| e.contains("101")), "{name}");
        }
    }

    #[test]
    fn files_of_the_machine_are_not_read() {
        let files = OneFile { name: "a", text: b"x" };
        assert!(files.read("a").is_ok() && files.read("Cargo.toml").is_err());
    }
}
