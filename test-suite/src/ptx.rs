//! Assembles the PTX of every case that runs with CUDA's assembler: cases for one of the
//! architectures in turn, examples for all of them and without spills.
//!
//! The assembler needs no GPU. It is `$PTXAS`, the one on the path or in `$CUDA_HOME`, or that of
//! the package nvidia-cuda-nvcc-cu12 of PyPI in `target/ptxas`, where `cargo xtask setup` puts it.
//! Without an assembler there are no such tests. A case that a GPU cannot run is refused, which is
//! no failure.

use crate::Suite;
use crate::case;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The oldest supported processors, the default, and the newest that LLVM 19 supports well.
pub const ARCHITECTURES: [&str; 3] = ["sm_70", "sm_80", "sm_90"];

/// The codes for programs that need features that GPUs, or this machine, lack.
pub(crate) const REFUSALS: [&str; 2] = ["E0853", "E0854"];

/// The path of the assembler.
pub fn assembler(root: &Path) -> Option<PathBuf> {
    let named = std::env::var_os("PTXAS").map(PathBuf::from);
    let home = std::env::var_os("CUDA_HOME").map(|home| Path::new(&home).join("bin/ptxas"));
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&on_path).map(|folder| folder.join("ptxas")).find(|p| p.is_file());
    let fetched = Some(root.join("target/ptxas/nvidia/cuda_nvcc/bin/ptxas"));
    [named, home, on_path, fetched].into_iter().flatten().find(|p| p.is_file())
}

/// The options in a tool's help, and whether each takes a value.
pub(crate) fn options(help: &str) -> Vec<(&str, bool)> {
    let lines = help.lines().filter_map(|l| l.strip_prefix("  ").filter(|l| l.starts_with('-')));
    lines
        .filter_map(|l| {
            l.split_whitespace()
                .next()
                .map(|name| (name, l[name.len()..].starts_with(" ") && !l[name.len()..].starts_with("  ")))
        })
        .collect()
}

/// The arguments of `run` that `emit` also takes. The format of results does not matter for code.
pub(crate) fn for_emit(words: &[String], run: &[(&str, bool)], emit: &[(&str, bool)]) -> Vec<String> {
    kept(words, run, &|name| name != "--format" && emit.iter().any(|(n, _)| *n == name))
}

/// The arguments of `run` whose options are taken.
pub(crate) fn kept(words: &[String], run: &[(&str, bool)], is_taken: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        // `-DNAME` and `--name=value` are one word.
        let name =
            if word.starts_with("--") { word.split('=').next() } else { word.get(..2).filter(|w| w.starts_with('-')) };
        let Some(name) = name else {
            out.push(word.clone());
            continue;
        };
        let value = run.iter().any(|(n, takes)| *n == name && *takes && word == name).then(|| words.next()).flatten();
        if is_taken(name) {
            out.push(word.clone());
            out.extend(value.cloned());
        }
    }
    out
}

/// A test for each case that runs, with the architectures in turn, and one for each example with
/// all of them.
pub fn jobs(
    suite: &Arc<Suite>,
    assembler: &Path,
    cases: &[String],
) -> Vec<(String, Box<dyn FnOnce() -> Result<(), String> + Send>)> {
    let mut out: Vec<(String, Box<dyn FnOnce() -> Result<(), String> + Send>)> = Vec::new();
    for (number, path) in cases.iter().enumerate() {
        for (i, arch) in ARCHITECTURES.into_iter().enumerate() {
            if path.contains("examples/") || number % ARCHITECTURES.len() == i {
                let (suite, assembler, path) = (suite.clone(), assembler.to_path_buf(), path.clone());
                let name = format!("{arch}/{}", path.trim_start_matches("test-suite/").trim_start_matches("cases/"));
                out.push((name, Box::new(move || assemble(&suite, &assembler, &path, arch))));
            }
        }
    }
    out
}

/// Assembles the code of the case's runs for one architecture.
pub fn assemble(suite: &Suite, assembler: &Path, path: &str, arch: &str) -> Result<(), String> {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let text = std::fs::read_to_string(suite.root.join(path)).map_err(|e| format!("cannot read {path}: {e}"))?;
    let case = case::parse(&text).map_err(|e| format!("{path}: {e}"))?;
    let help = |command: &str| suite.run_text("caustic", &[command.to_string(), "--help".to_string()], "");
    let (run_help, emit_help) = (help("run")?, help("emit")?);
    let (run, emit) = (options(&run_help), options(&emit_help));
    for step in case.steps.iter().filter(|s| s.command.contains("%backend") && s.expected_exit() == 0) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let values = [("%s", path), ("%S", folder), ("%examples", "examples"), ("%backend", "llvm")];
        let stages = step.stages(&values)?;
        let [stage, ..] = &stages[..] else { continue };
        let Some(words) = stage.args.strip_prefix(&["run".to_string()]).filter(|_| stage.tool == "caustic") else {
            continue;
        };
        let mut args: Vec<String> = ["emit", "--target", "ptx", "--arch", arch].map(String::from).to_vec();
        args.extend(for_emit(words, &run, &emit));
        let ptx = match suite.run_text("caustic", &args, "") {
            Ok(ptx) => ptx,
            Err(why) if REFUSALS.iter().any(|code| why.contains(code)) => continue,
            Err(why) => return Err(format!("{path}:{}: {}\n{why}", step.line, args.join(" "))),
        };
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("caustic-{}-{number}.ptx", std::process::id()));
        std::fs::write(&file, ptx).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        let done =
            Command::new(assembler).args(["-v", "-o", "/dev/null"]).arg(format!("-arch={arch}")).arg(&file).output();
        let done = done.map_err(|e| format!("{}: {e}", assembler.display()))?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
        let spills = path.contains("examples/")
            && said.contains(" spill")
            && !said.contains(" 0 bytes spill stores, 0 bytes spill loads");
        if !done.status.success() || spills {
            let what = if spills { "spills" } else { "is not taken by the assembler" };
            return Err(format!(
                "{path}:{}: {} for {arch} {what}: {}\n{said}",
                step.line,
                args.join(" "),
                file.display()
            ));
        }
        let _ = std::fs::remove_file(&file);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_emit_knows_is_handed_on() {
        let run = options(
            "Options:\n  --buffer NAME=V  What\n  --entry NAME     Which\n  --trap-oob       When\n  -D NAME          A macro\n",
        );
        assert_eq!(run, [("--buffer", true), ("--entry", true), ("--trap-oob", false), ("-D", true)]);
        let emit = [("--entry", true), ("-D", true)];
        let words =
            ["a.slang", "--buffer", "x=zero:4", "--trap-oob", "--entry", "f", "-DX=1", "-D", "Y"].map(String::from);
        assert_eq!(for_emit(&words, &run, &emit), ["a.slang", "--entry", "f", "-DX=1", "-D", "Y"]);
    }
}
