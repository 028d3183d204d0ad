//! Runs cases twice with the interpreter: as they are lowered, and after the passes that write ops
//! which are defined for all operands with such as are not (`legalize-…`). What comes out has to be
//! the same, to the last bit.
//!
//! A default run takes one case of eight; `LEGALIZED=1` takes all. Functions of floats that a
//! machine lacks are another matter: their errors are stated, and a case of its own holds them to
//! it (`passes/legalize_functions.slang`).

use crate::Suite;
use crate::case;
use crate::ptx::{for_emit, options};
use crate::random::of_name;
use caustic_tool::FileSystem;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A default run takes one case of this many.
const ONE_IN: u64 = 8;

/// What has to change nothing. Arrays of resources stay as a host binds them. Loops that count in
/// 32 bits (`legalize-64bit`) are not read back: the soak's modules of IR judge that pass.
const PASSES: &str = "legalize-resources{arrays=false},any(mark-ranges,lower-storage,legalize-atomics,legalize-total),legalize-bounds,any(legalize-small)";

/// Cases whose lowered code is no input of `caustic run`, and why.
const NOT_RESUMED: [(&str, &str); 5] = [
    ("language/resources/local_arrays.slang", "a resource in local storage has no value for the interpreter"),
    ("language/torch/kernel_derivatives.slang", "a resource in local storage has no value for the interpreter"),
    ("language/torch/once.slang", "a resource in local storage has no value for the interpreter"),
    ("language/torch/threads_of_a_group.slang", "the command line says again how many threads a group has"),
    ("run/large_locals.slang", "a condition of a loop reads storage, which code is not written with"),
];

/// The name of the module that is run.
const MODULE: &str = "legalized.mlir";

type Job = (String, Box<dyn FnOnce() -> Result<(), String> + Send>);

/// A test for each chosen case.
pub fn jobs(suite: &Arc<Suite>, cases: &[String]) -> Vec<Job> {
    let all = std::env::var_os("LEGALIZED").is_some_and(|v| v == "1");
    // Cases about these passes are always taken.
    let drawn = |path: &str| of_name(path, 7).is_multiple_of(ONE_IN);
    let resumed = |path: &&String| !NOT_RESUMED.iter().any(|(case, _)| path.ends_with(case));
    let asked = |path: &&String| all || path.contains("/legalize_") || drawn(path);
    let chosen = cases.iter().filter(resumed).filter(asked);
    let job = |path: &String| -> Job {
        let name = format!("legalized/{}", path.trim_start_matches("test-suite/").trim_start_matches("cases/"));
        let (suite, path) = (suite.clone(), path.clone());
        (name, Box::new(move || run(&suite, &path)))
    };
    chosen.map(job).collect()
}

/// The suite's files, and a module.
struct WithModule<'a> {
    root: &'a Path,
    module: &'a str,
}

impl FileSystem for WithModule<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == MODULE { Ok(self.module.as_bytes().to_vec()) } else { std::fs::read(self.root.join(path)) }
    }
    fn is_file(&self, path: &str) -> bool {
        path == MODULE || self.root.join(path).is_file()
    }
}

/// Runs the successful steps of a case.
fn run(suite: &Suite, path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(suite.root.join(path)).map_err(|e| format!("cannot read {path}: {e}"))?;
    let case = case::parse(&text).map_err(|e| format!("{path}: {e}"))?;
    if case.left_out {
        return Ok(());
    }
    let help = |command: &str| suite.run_text("caustic", &[command.to_string(), "--help".to_string()], "");
    let (run_help, emit_help) = (help("run")?, help("emit")?);
    let (known_run, known_emit) = (options(&run_help), options(&emit_help));
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let values = [("%s", path), ("%S", folder), ("%examples", "examples"), ("%backend", "interp")];
    for step in case.steps.iter().filter(|s| s.command.contains("%backend") && s.expected_exit() == 0) {
        let Ok((stages, _)) = case.parts(step, &values) else { continue };
        let [stage] = &stages[..] else { continue };
        if stage.tool != "caustic" || stage.args.first().is_none_or(|a| a != "run") {
            continue;
        }
        let words = &stage.args[1..];
        let head = ["emit", "--stage", "lowered"].map(String::from);
        let emitted: Vec<String> = head.into_iter().chain(for_emit(words, &known_run, &known_emit)).collect();
        let lowered = suite.run_text("caustic", &emitted, &text)?;
        let passes = [format!("--pass-pipeline={PASSES}"), "-".to_string()];
        let legalized = suite.run_text("caustic-opt", &passes, &lowered)?;
        let given = [&lowered, &legalized].map(|module| interpret(suite, path, words, module));
        let [wanted, given] = given;
        if wanted != given {
            let show = |r: Result<String, String>| r.unwrap_or_else(|why| why);
            let (wanted, given) = (show(wanted), show(given));
            return Err(format!("{path}:{}\n--- wanted\n{wanted}--- given\n{given}", step.line));
        }
    }
    Ok(())
}

/// What a module gives with a case's data.
fn interpret(suite: &Suite, path: &str, words: &[String], module: &str) -> Result<String, String> {
    // What the front end was told is in the module.
    let mut args = vec!["run".to_string()];
    let mut skip = false;
    for word in words {
        if std::mem::take(&mut skip) {
            continue;
        }
        let of_source = ["--conformance", "--global-type", "--entry-type", "--std", "--matrix-layout", "-I", "-D"];
        if of_source.contains(&word.as_str()) {
            skip = true;
        } else if !word.starts_with("-D") && !word.starts_with("-I") {
            args.push(if word == path { MODULE.to_string() } else { word.clone() });
        }
    }
    let files = WithModule { root: &suite.root, module };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let (_, tool) = suite.tools.iter().find(|(name, _)| *name == "caustic").ok_or("there is no compiler")?;
    let exit = tool(&args, &mut out, &mut err, &files);
    if exit != 0 {
        return Err(format!("it ends with {exit}: {}", String::from_utf8_lossy(&err)));
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}
