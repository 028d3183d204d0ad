//! The initial corpus of the fuzz targets: the cases of the suite.
//!
//! Programs are cases, IR is taken from IR cases and from the stages of compiling some programs,
//! and command lines are those of `RUN` lines. Nothing is stored; the corpus is read from the tree
//! when it is needed.

use super::Tools;
use caustic_tool::{FileSystem, RealFiles};
use std::path::Path;

const STAGES: [&str; 4] = ["hl", "ad", "reverse", "lowered"];
/// Longer inputs take more time without finding more.
const MAX_TEXT: usize = 6000;

/// The inputs for a target.
pub fn of(target: &str, root: &Path, tools: Tools) -> Vec<Vec<u8>> {
    let mut cases = Vec::new();
    read_cases(&root.join("test-suite/cases"), &mut cases);
    let programs = || cases.iter().filter(|(path, text)| path.ends_with(".slang") && text.len() < MAX_TEXT);
    match target {
        "check" => programs().map(|(_, text)| text.clone().into_bytes()).collect(),
        "run" => programs().flat_map(|(_, text)| command_lines(text)).collect(),
        _ => {
            let written = cases.iter().filter(|(path, _)| path.ends_with(".mlir"));
            let parts = written.flat_map(|(_, text)| text.split("// -----").map(str::to_string).collect::<Vec<_>>());
            // Every ninth program, each at another stage.
            let made = programs().enumerate().filter(|(i, _)| i % 9 == 0);
            let made = made.filter_map(|(i, (path, _))| stage(tools, path, STAGES[i / 9 % STAGES.len()]));
            let all = parts.chain(made).filter(|t| t.len() < 2 * MAX_TEXT);
            let line: &[u8] = if target == "pipeline" { b"\x06\x07\x08\n" } else { b"" };
            all.map(|t| [line, t.as_bytes()].concat()).collect()
        }
    }
}

fn read_cases(folder: &Path, out: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_cases(&path, out);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            out.push((path.to_string_lossy().into_owned(), text));
        }
    }
}

fn stage(tools: Tools, path: &str, stage: &str) -> Option<String> {
    let args = ["emit", path, "--stage", stage].map(str::to_string);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let files: &dyn FileSystem = &RealFiles;
    let code = (tools.caustic)(&args, &mut out, &mut err, files);
    (code == 0).then(|| String::from_utf8(out).ok()).flatten()
}

/// The options of each `caustic run` in a case, followed by its program.
fn command_lines(text: &str) -> Vec<Vec<u8>> {
    let joined = text.replace("\\\n// RUN:", " ");
    let lines = joined.lines().filter_map(|l| l.strip_prefix("// RUN: caustic run %s"));
    let options = lines.map(|l| {
        let words = l.split_whitespace().take_while(|w| !matches!(*w, "|" | "2>&1"));
        words.collect::<Vec<_>>().join(" ").replace("%backend", "interp")
    });
    options.map(|o| format!("{o}\n{text}").into_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_stand_before_their_program() {
        let text =
            "// RUN: caustic run %s --read a \\\n// RUN:   --backend %backend\n// RUN: caustic check %s\nint x;\n";
        let found = command_lines(text);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with(b"--read a --backend interp\n// RUN"));
    }
}
