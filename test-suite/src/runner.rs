//! Runs cases: the tools of each step in this process, then all expectations of the case about
//! their output.

use crate::bless::rewrite;
use crate::case::{self, Case, ExactText, Step};
use crate::check::file_check;
use crate::{diagnostics, json};
use caustic_tool::FileSystem;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A tool as a function of arguments, output, errors and files.
pub type Tool = fn(&[String], &mut (dyn Write + Send), &mut (dyn Write + Send), &dyn FileSystem) -> i32;

/// The back ends.
pub const BACKENDS: &[&str] =
    if cfg!(feature = "llvm") { &["interp", "cranelift", "llvm"] } else { &["interp", "cranelift"] };

/// The values of `%backend`: each back end, threads that run together, and the code that a GPU
/// would get.
pub(crate) const RUNS: &[&str] = if cfg!(feature = "llvm") {
    &["interp", "cranelift", "llvm", "llvm --lanes 8", "cranelift --passes gpu"]
} else {
    &["interp", "cranelift", "cranelift --passes gpu"]
};

/// A set of cases and the tools they may run.
pub struct Suite {
    /// The root of the repository. Tools see paths relative to it, so that outputs contain no paths
    /// of the machine.
    pub root: PathBuf,
    pub tools: &'static [(&'static str, Tool)],
    /// Whether exact texts are rewritten instead of compared.
    pub bless: bool,
}

/// The files of the repository, with a text as standard input.
struct CaseFiles<'a> {
    root: &'a Path,
    stdin: &'a [u8],
}

impl FileSystem for CaseFiles<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == "-" { Ok(self.stdin.to_vec()) } else { std::fs::read(self.root.join(path)) }
    }
    fn is_file(&self, path: &str) -> bool {
        path == "-" || self.root.join(path).is_file()
    }
    fn is_folder(&self, path: &str) -> bool {
        self.root.join(path).is_dir()
    }
}

/// The output of a step's pipeline.
pub(crate) struct Output {
    pub stdout: String,
    pub stderr: String,
    pub exit: i32,
}

impl Suite {
    /// Every case below `folder`, as paths relative to the root, in order.
    pub fn discover(&self, folder: &str) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_string()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(self.root.join(&folder))? {
                let entry = entry?;
                let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
                let is_case = [".slang", ".mlir", ".test"].iter().any(|end| path.ends_with(end));
                if entry.file_type()?.is_dir() {
                    // `inputs` contains files that cases import or include.
                    if !path.ends_with("/inputs") {
                        folders.push(path);
                    }
                } else if is_case {
                    found.push(path);
                } else {
                    return Err(io::Error::other(format!(
                        "{path} is no case; what cases read belongs into a folder `inputs`"
                    )));
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Runs the case at `path`. The error lists everything that is wrong.
    pub fn run(&self, path: &str) -> Result<(), String> {
        let text = std::fs::read_to_string(self.root.join(path)).map_err(|e| format!("cannot read {path}: {e}"))?;
        let case = case::parse(&text).map_err(|e| format!("{path}: {e}"))?;
        if case.left_out {
            return Ok(());
        }
        let mut problems = Vec::new();
        let mut blessed: Vec<(ExactText, String)> = Vec::new();
        for step in &case.steps {
            let backends: &[&str] = if step.command.contains("%backend") { RUNS } else { &[""] };
            for (i, backend) in backends.iter().enumerate() {
                let bless = if self.bless && i == 0 { Some(&mut blessed) } else { None };
                if let Err(why) = self.run_step(path, &text, &case, step, backend, bless) {
                    let with = if backend.is_empty() { String::new() } else { format!(" (with {backend})") };
                    problems.push(format!("{path}:{}: {}{with}\n{why}", step.line, step.command));
                }
            }
        }
        // A program that runs is also checked: the derivatives of all its functions are made, and
        // verified in a debug build.
        if path.ends_with(".slang") && case.steps.iter().any(|s| s.command.contains("%backend")) {
            problems.extend(self.check_whole(path, &text).err());
        }
        if !blessed.is_empty() {
            let new = rewrite(&text, &blessed);
            if new != text {
                std::fs::write(self.root.join(path), new).map_err(|e| format!("cannot write {path}: {e}"))?;
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n\n")) }
    }

    /// Checks that `caustic check` accepts or rejects the program without an internal error.
    fn check_whole(&self, path: &str, text: &str) -> Result<(), String> {
        let Some((_, run)) = self.tools.iter().find(|(name, _)| *name == "caustic") else { return Ok(()) };
        let files = CaseFiles { root: &self.root, stdin: text.as_bytes() };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = run(&["check".to_string(), path.to_string()], &mut out, &mut err, &files);
        let ended = format!("{path}: `caustic check` ends with {exit}\n{}", String::from_utf8_lossy(&err));
        const INTERNAL_ERROR: i32 = 4;
        if exit == INTERNAL_ERROR { Err(ended) } else { Ok(()) }
    }

    /// The output of a tool with `text` as its standard input. The error is the tool's own, if it
    /// fails.
    pub fn run_text(&self, tool: &str, args: &[String], text: &str) -> Result<String, String> {
        self.run_warned(tool, args, text).map(|(out, _)| out)
    }

    /// Like [`Self::run_text`], with the diagnostics.
    pub fn run_warned(&self, tool: &str, args: &[String], text: &str) -> Result<(String, String), String> {
        let Some((_, run)) = self.tools.iter().find(|(name, _)| *name == tool) else {
            return Err(format!("there is no tool `{tool}`"));
        };
        let files = CaseFiles { root: &self.root, stdin: text.as_bytes() };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = run(args, &mut out, &mut err, &files);
        let err = String::from_utf8_lossy(&err).into_owned();
        if exit != 0 {
            return Err(format!("`{tool}` ended with {exit}\n{err}\n{text}"));
        }
        let out = String::from_utf8(out).map_err(|_| format!("`{tool}` wrote what is not UTF-8"))?;
        Ok((out, err))
    }

    pub(crate) fn run_step(
        &self,
        path: &str,
        text: &str,
        case: &Case,
        step: &Step,
        backend: &str,
        bless: Option<&mut Vec<(ExactText, String)>>,
    ) -> Result<(), String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let values = [("%s", path), ("%S", folder), ("%examples", "examples"), ("%backend", backend)];
        let (stages, prefix) = case.parts(step, &values)?;
        let merged = stages.last().is_some_and(|s| s.merge_stderr);
        let output = self.run_pipeline(&stages)?;
        judge(path, text, step, prefix, merged, &output, bless)
    }

    fn run_pipeline(&self, stages: &[crate::command::Stage]) -> Result<Output, String> {
        let mut output = Output { stdout: String::new(), stderr: String::new(), exit: 0 };
        for (i, stage) in stages.iter().enumerate() {
            let Some((_, tool)) = self.tools.iter().find(|(name, _)| *name == stage.tool) else {
                return Err(format!("there is no tool `{}`", stage.tool));
            };
            let files = CaseFiles { root: &self.root, stdin: output.stdout.as_bytes() };
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let exit = tool(&stage.args, &mut out, &mut err, &files);
            let utf8 =
                |bytes| String::from_utf8(bytes).map_err(|_| format!("`{}` wrote what is not UTF-8", stage.tool));
            let (mut stdout, stderr) = (utf8(out)?, utf8(err)?);
            let last = i + 1 == stages.len();
            if exit != 0 && !last {
                return Err(format!("`{}` ended with {exit}\n--- stderr\n{stderr}", stage.tool));
            }
            let mut errors = std::mem::take(&mut output.stderr);
            if stage.merge_stderr {
                stdout.push_str(&stderr);
            } else {
                errors.push_str(&stderr);
            }
            output = Output { stdout, stderr: errors, exit };
        }
        Ok(output)
    }
}

/// Checks a step's output against the expectations of its case. The error lists everything that is
/// wrong.
pub(crate) fn judge(
    path: &str,
    text: &str,
    step: &Step,
    prefix: Option<String>,
    merged: bool,
    output: &Output,
    bless: Option<&mut Vec<(ExactText, String)>>,
) -> Result<(), String> {
    let shown = || format!("--- stdout\n{}--- stderr\n{}", output.stdout, output.stderr);

    let mut problems = Vec::new();
    if output.exit != step.expected_exit() {
        // Other expectations about the output do not apply if the exit code is wrong.
        return Err(format!("expected exit code {}, got {}\n{}", step.expected_exit(), output.exit, shown()));
    }
    if !step.diagnostics.is_empty() {
        let found = diagnostics::parse_all(if merged { &output.stdout } else { &output.stderr });
        problems.extend(diagnostics::compare(&step.diagnostics, &found, path).err());
    } else if step.expected_exit() == 0 && !output.stderr.is_empty() && !step.exact.iter().any(|e| e.stderr) {
        problems.push(format!("standard error is not empty:\n{}", output.stderr));
    }
    // A gradient check that skips a function is a failure, unless the case gives the whole output.
    if step.command.starts_with("caustic gradcheck") && output.stdout.contains("skipped:") && step.exact.is_empty() {
        problems.push(format!("a function was skipped\n{}", shown()));
    }
    if let Some(expected) = &step.json {
        problems.extend(match json::last_object(&output.stdout) {
            Some(actual) => json::compare(expected, &actual, &step.tolerance).err(),
            None => Some(format!("the output has no line of JSON\n{}", shown())),
        });
    }
    if let Some(prefix) = prefix {
        problems.extend(file_check(text, &prefix, &output.stdout).err());
    }
    let mut bless = bless;
    for exact in &step.exact {
        let actual = if exact.stderr { &output.stderr } else { &output.stdout };
        if let Some(blessed) = &mut bless {
            blessed.push((exact.clone(), actual.clone()));
        } else {
            problems.extend(compare_exact(exact, actual).err());
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn compare_exact(exact: &ExactText, actual: &str) -> Result<(), String> {
    let actual: Vec<&str> = actual.lines().collect();
    if exact.lines == actual {
        return Ok(());
    }
    let name = if exact.stderr { "standard error" } else { "standard output" };
    let at = (0..).find(|&i| exact.lines.get(i).map(String::as_str) != actual.get(i).copied()).unwrap_or(0);
    let show = |line: Option<&str>| line.map_or("<end>".to_string(), |l| format!("`{l}`"));
    Err(format!(
        "{name} differs in line {}:\n  expected {}\n  got      {}\nwrite the new text into the file with `cargo xtask bless`\n--- all of it\n{}",
        at + 1,
        show(exact.lines.get(at).map(String::as_str)),
        show(actual.get(at).copied()),
        actual.join("\n")
    ))
}

#[cfg(test)]
mod tests;
