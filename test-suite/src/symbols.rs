//! The rule that the text of a symbol has no meaning: no pass and no target takes it apart to learn
//! what the symbol is.
//!
//! Names belong to the program: a method `of1` or a namespace `gpu` is nothing special. Properties
//! of a symbol are its attributes. The rule checks lines for the typical code: a search in a text
//! for a mark with a `.`, or such a mark by itself.

use crate::tidy::{code_lines, files, listed, read, test_files};
use std::path::Path;

/// The folders with code that reads symbols which programs name.
const FOLDERS: [&str; 8] = [
    "passes/src/",
    "targets/llvm/src/",
    "targets/cranelift/src/",
    "targets/codegen/src/",
    "targets/native/src/",
    "targets/interp/src/",
    "targets/cuda/src/",
    "tools/driver/src/",
];

const CALLS: [&str; 15] = [
    ".find(",
    ".rfind(",
    ".split(",
    ".rsplit(",
    ".splitn(",
    ".split_once(",
    ".rsplit_once(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".starts_with(",
    ".ends_with(",
    ".contains(",
    ".match_indices(",
    ".trim_start_matches(",
    ".trim_end_matches(",
];

/// Lines about other texts: the file, a part of the line, and the reason.
const ALLOWED: [(&str, &str, &str); 15] = [
    ("passes/src/manager/", "", "texts of pipelines and options, and documentation"),
    ("passes/src/analysis/derivative_links.rs", "text.find(mask)", "the fault that does so on purpose"),
    ("passes/src/autodiff/extract.rs", "n.starts_with(\"ad.\")", "the names of attributes"),
    ("passes/src/autodiff/partials.rs", "", "formulas of derivatives, and names of ops"),
    ("targets/cuda/src/device.rs", ".file", "text in PTX"),
    (
        "targets/llvm/src/approximate.rs",
        "caustic.",
        "functions of the compiler's own library, which no program's function is called like",
    ),
    ("targets/llvm/src/families.rs", "", "text of the compiler's own library"),
    (
        "targets/llvm/src/math.rs",
        "PREFIX",
        "placeholders that the same file makes, which no program's function is called like",
    ),
    ("targets/llvm/src/moves.rs", "llvm.mem", "LLVM's own intrinsics"),
    ("targets/llvm/src/converge.rs", "", "names of instructions"),
    ("tools/driver/src/bindings.rs", "n.strip_prefix(name)", "a resource that a user names, with its fields"),
    ("tools/driver/src/gradcheck/mod.rs", "written", "a function that a user names, with its instances"),
    ("tools/driver/src/gradcheck/resources.rs", "path.rsplit", "paths of fields"),
    ("tools/driver/src/pipeline.rs", "file", "names of files"),
    ("tools/driver/src/program.rs", "strip_prefix(function)", "a function that a user names, with its instances"),
];

/// The problem of a line, if it has one.
fn problem(line: &str) -> Option<&'static str> {
    // The name of an op is declared by its row.
    if line.contains("def.name") {
        return None;
    }
    let searched = |call: &&&str| {
        line.match_indices(**call).any(|(at, _)| {
            let argument = line[at + call.len()..].trim_start_matches(['&', '[']);
            let argument = argument.split(')').next().unwrap_or_default();
            argument.starts_with(['"', '\'']) && argument.contains('.')
        })
    };
    if CALLS.iter().find(searched).is_some() {
        return Some("a text is searched for a mark with a `.`");
    }
    let mut literals = line.split('"').skip(1).step_by(2);
    let mark = |l: &str| l.strip_prefix('.').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_lowercase()));
    literals.any(|l| mark(l) && !l.contains(['{', ' '])).then_some("a mark that begins with a `.`")
}

/// Reports code that takes the text of a symbol apart.
pub fn rule(root: &Path) -> Result<(), String> {
    let mut texts = Vec::new();
    for path in files(root)?.into_iter().filter(|p| p.ends_with(".rs") && FOLDERS.iter().any(|f| p.starts_with(f))) {
        let text = read(root, &path)?;
        texts.push((path, text));
    }
    let tests = test_files(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut problems = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| !tests.contains(path) && !path.contains("/tests/")) {
        for (number, line) in code_lines(text) {
            let Some(why) = problem(line) else { continue };
            if !ALLOWED.iter().any(|(p, part, _)| path.starts_with(p) && line.contains(part)) {
                problems.push(format!("{path}:{number}: {why}: what a symbol is, its attributes say: {}", line.trim()));
            }
        }
    }
    listed(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_in_names_are_seen() {
        for bad in [
            "let masks = [\".wrt0\", \".of1\"].into_iter().filter_map(|mark| key.find(mark));",
            "name.split('.').next()",
            "symbol.as_str().strip_suffix(\".jvp\")",
            "name.contains(['.', '$'])",
            "key.ends_with(\"x.bwd\")",
            "name.match_indices('.').any(|(at, _)| known(&name[..at]))",
        ] {
            assert!(problem(bad).is_some(), "{bad}");
        }
        for good in [
            "list.contains(&x.name)",
            "module.fresh_name(&format!(\"{buffer}.tile\"))",
            "data.def.name.starts_with(\"gpu.\")",
            "values.iter().find(|(k, _)| *k == 1.0)",
            "text.starts_with('x')",
        ] {
            assert_eq!(problem(good), None, "{good}");
        }
    }
}
