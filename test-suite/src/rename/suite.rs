//! Runs the suite's programs with other names: their output, their results and their errors must
//! stay the same, to the last bit.

use super::vocabulary::Vocabulary;
use super::{Renaming, traps};
use crate::command::Stage;
use crate::random::Rng;
use crate::runner::{Output, RUNS};
use crate::{Suite, case, json};
use caustic_tool::FileSystem;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Mutex;

/// Cases whose names are not only names, with the reason.
pub const LEFT_OUT: &[(&str, &str)] = &[
    ("declarations/macros.slang", "`##` makes names of parts of names"),
    ("declarations/preprocessor.slang", "`##` makes names of parts of names"),
    ("preprocessor/arguments_after_the_expansion.slang", "`##` makes names of parts of names"),
    ("preprocessor/tokens_of_macros.slang", "`##` makes names of parts of names"),
    ("preprocessor/tokens_over_lines.slang", "parts of names stand on lines of their own"),
    ("preprocessor/stringized_rest.slang", "makes strings of names"),
    ("preprocessor/spaces_in_stringized_arguments.slang", "makes strings of names"),
    ("language/modules/glsl_threads.slang", "declares what the module glsl computes with"),
    ("language/stages/tessellation.slang", "names a function in a string"),
    ("language/stages/system_values.slang", "names a function in a string"),
    ("diagnostics/attribute_values.slang", "names a function in a string"),
    ("diagnostics/capitals_of_attributes.slang", "is about names that are spelled almost like others"),
    ("autodiff/gradcheck_declared_views.slang", "knows views by names of their buffers"),
    ("autodiff/gradcheck_wrong_declared_view.slang", "knows views by names of their buffers"),
    ("cli/gradcheck_json.slang", "names a function almost as it is spelled"),
    ("diagnostics/misspelt_statements.slang", "is about names that are spelled almost like others"),
    ("diagnostics/lambda_without_types.slang", "asks whether a name is spelled almost like a type"),
    ("gpu/masks/sphere_tracer.slang", "adds numbers of threads in any order"),
    ("diagnostics/misspelt_attribute.slang", "warns because a name is spelled almost like another"),
];

/// Options whose value is or contains names, with the end of the names.
const NAMING: [(&str, Until); 14] = [
    ("--gradient", Until::End),
    ("--buffer", Until::Mark('=')),
    ("--uniform", Until::Mark('=')),
    ("--texture", Until::Mark('=')),
    ("--sampler", Until::Mark('=')),
    ("--counter", Until::Mark('=')),
    ("--read", Until::Mark(':')),
    ("--write", Until::Mark('=')),
    ("--function", Until::End),
    ("--entry", Until::End),
    ("--entry-type", Until::End),
    ("--global-type", Until::End),
    ("--conformance", Until::End),
    ("-D", Until::End),
];

#[derive(Clone, Copy)]
enum Until {
    Mark(char),
    End,
}

/// The repository's files. For files in the language: the texts that were read, and the renaming of
/// their contents.
struct Files<'a> {
    root: &'a Path,
    renaming: Option<&'a Renaming>,
    read: Mutex<BTreeMap<String, String>>,
}

impl FileSystem for Files<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = std::fs::read(self.root.join(path))?;
        let in_language = [".slang", ".slangh", ".h", ".hlsl"].iter().any(|end| path.ends_with(end));
        match String::from_utf8(bytes) {
            Ok(text) if in_language => {
                let renamed = self.renaming.map_or_else(|| text.clone(), |r| r.source(&text));
                self.read.lock().unwrap_or_else(|e| e.into_inner()).insert(path.to_string(), text);
                Ok(renamed.into_bytes())
            }
            Ok(text) => Ok(text.into_bytes()),
            Err(e) => Ok(e.into_bytes()),
        }
    }
    fn is_file(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }
}

/// How much of a case is renamed. Names affect what all back ends share, so each step runs on one
/// back end, chosen by the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One step, chosen by the seed.
    One,
    All,
}

/// Runs the steps of the case at `path` unchanged and with other names. The error lists the
/// differences.
pub fn run(suite: &Suite, vocabulary: &Vocabulary, path: &str, seed: u64, extent: Extent) -> Result<(), String> {
    let text = std::fs::read_to_string(suite.root.join(path)).map_err(|e| format!("cannot read {path}: {e}"))?;
    let case = case::parse(&text).map_err(|e| format!("{path}: {e}"))?;
    if case.left_out {
        return Ok(());
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let seed = path.bytes().fold(seed, |s, b| s.wrapping_mul(0x100_0000_01b3) ^ u64::from(b));
    let mut rng = Rng::new(seed);
    let mut runs: Vec<(usize, Stage)> = Vec::new();
    for step in &case.steps {
        let backend = RUNS[rng.below(RUNS.len())];
        let values = [("%s", path), ("%S", folder), ("%examples", "examples"), ("%backend", backend)];
        let (stages, _) = case.parts(step, &values)?;
        // Later stages of a pipeline check texts.
        if let [stage, ..] = &stages[..]
            && stage.tool == "caustic"
            && matches!(stage.args.first().map(String::as_str), Some("run" | "gradcheck" | "check"))
            && !stage.args.iter().any(|a| a == "-o" || a == "--help")
        {
            runs.push((step.line, stage.clone()));
        }
    }
    if extent == Extent::One && !runs.is_empty() {
        runs = vec![runs.swap_remove(rng.below(runs.len()))];
    }
    let mut problems = Vec::new();
    for (line, stage) in runs {
        if let Err(why) = compare(suite, vocabulary, &stage, seed) {
            problems.push(format!("{path}:{line}: caustic {}\n{why}", stage.args.join(" ")));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n\n")) }
}

fn compare(suite: &Suite, vocabulary: &Vocabulary, stage: &Stage, seed: u64) -> Result<(), String> {
    let plain = Files { root: &suite.root, renaming: None, read: Mutex::default() };
    let before = ask(suite, &stage.args, &plain)?;
    let texts = plain.read.into_inner().unwrap_or_else(|e| e.into_inner());
    let texts: Vec<&str> = texts.values().map(String::as_str).collect();
    // The diagnostics about a name in a wrong program depend on whether a builtin has that name.
    let builtins =
        if before.exit == 1 { traps::all().filter(|n| vocabulary.knows(n, false)).collect() } else { Vec::new() };
    let taken = builtins.into_iter().map(str::to_string).collect();
    let renaming = Renaming::of(&texts, &staying(&texts, &stage.args), taken, vocabulary, seed);
    let args = renamed_args(&stage.args, &renaming);
    let files = Files { root: &suite.root, renaming: Some(&renaming), read: Mutex::default() };
    let after = ask(suite, &args, &files)?;
    differ(&before, &after, &renaming).map_err(|why| {
        let names: Vec<String> = renaming.pairs().map(|(old, new)| format!("{old} -> {new}")).collect();
        format!("with other names: caustic {}\n{why}\nnames: {}", args.join(" "), names.join(", "))
    })
}

/// `computeMain` must stay where it selects one of several entry points, or makes an entry point of
/// a function without attributes.
fn staying(texts: &[&str], args: &[String]) -> Vec<&'static str> {
    let entries: usize = texts.iter().map(|t| t.to_ascii_lowercase().matches("numthreads").count()).sum();
    let chosen = args.iter().any(|a| a.starts_with("--entry"));
    if entries == 0 || entries > 1 && !chosen { vec!["computeMain"] } else { Vec::new() }
}

fn ask(suite: &Suite, args: &[String], files: &Files<'_>) -> Result<Output, String> {
    let Some((_, tool)) = suite.tools.iter().find(|(name, _)| *name == "caustic") else {
        return Err("there is no tool `caustic`".into());
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = tool(args, &mut out, &mut err, files);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Output { stdout: text(out), stderr: text(err), exit })
}

/// The arguments with the new names.
fn renamed_args(args: &[String], renaming: &Renaming) -> Vec<String> {
    let value = |until: Until, text: &str| match until {
        Until::Mark(mark) => match text.split_once(mark) {
            Some((name, rest)) => format!("{}{mark}{rest}", renaming.text(name)),
            None => renaming.text(text),
        },
        Until::End => renaming.text(text),
    };
    let (mut out, mut pending) = (Vec::new(), None);
    for arg in args {
        if let Some(until) = pending.take() {
            out.push(value(until, arg));
            continue;
        }
        pending = NAMING.iter().find(|(option, _)| option == arg).map(|(_, until)| *until);
        let joined = NAMING.iter().find_map(|(option, until)| {
            let rest = arg.strip_prefix(option)?;
            let rest = if *option == "-D" { rest } else { rest.strip_prefix('=')? };
            (!rest.is_empty()).then(|| format!("{}{}", &arg[..arg.len() - rest.len()], value(*until, rest)))
        });
        out.push(joined.unwrap_or_else(|| arg.clone()));
    }
    out
}

/// The codes of the diagnostics in a text, in order.
fn codes(text: &str) -> Vec<&str> {
    let after = text.split("error[").skip(1).chain(text.split("warning[").skip(1));
    after.filter_map(|t| t.split_once(']')).map(|(code, _)| code).collect()
}

fn differ(before: &Output, after: &Output, renaming: &Renaming) -> Result<(), String> {
    let (codes_before, codes_after) = (codes(&before.stderr), codes(&after.stderr));
    if before.exit != after.exit || codes_before != codes_after {
        let said = format!("{}{}", after.stdout, after.stderr);
        return Err(format!(
            "exit code {} {codes_before:?} became {} {codes_after:?}\n{said}",
            before.exit, after.exit
        ));
    }
    if let Some(expected) = json::last_object(&before.stdout) {
        let found = json::last_object(&after.stdout).ok_or("the line of JSON is gone")?;
        let found: json::Object = found.into_iter().map(|(name, numbers)| (renaming.back(&name), numbers)).collect();
        // Compared as texts, so that every bit counts.
        return if expected == found { Ok(()) } else { Err(format!("{expected:?}\nbecame\n{found:?}")) };
    }
    // The widths of columns depend on names. The words that a program prints itself stay the same.
    let words = |text: &str| without_columns(text).split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let (expected, found) =
        (words(&renaming.back(&renaming.text(&before.stdout))), words(&renaming.back(&after.stdout)));
    if expected == found { Ok(()) } else { Err(format!("{}\nbecame\n{}", before.stdout, after.stdout)) }
}

/// The text without columns of places (`file.slang:3:14`, `"column":14`): they depend on the
/// lengths of the names before them in the line.
fn without_columns(text: &str) -> String {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = [".slang:", "\"column\":"].iter().filter_map(|m| Some(rest.find(m)? + m.len())).min() {
        let line = if rest[..at].ends_with(".slang:") { digits(&rest[at..]) } else { 0 };
        let column = at + line + usize::from(line > 0 && rest[at + line..].starts_with(':'));
        out += &rest[..column];
        rest = &rest[column + digits(&rest[column..])..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_on_the_command_line_are_changed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let vocabulary = Vocabulary::of_tree(root).unwrap();
        let renaming = Renaming::of(
            &["RWStructuredBuffer<float> gOut; int f32x; int SCALE; struct S9 { }"],
            &[],
            BTreeSet::new(),
            &vocabulary,
            3,
        );
        let args =
            ["run", "gOut.slang", "--buffer", "gOut=f32:1", "--read=gOut:f32", "-DSCALE=2", "--function", "S9.gOut"];
        let renamed = renamed_args(&args.map(String::from), &renaming);
        let [buffer, scale, s9] = ["gOut", "SCALE", "S9"].map(|n| renaming.name(n));
        let wanted = [
            "run".to_string(),
            "gOut.slang".to_string(),
            "--buffer".to_string(),
            format!("{buffer}=f32:1"),
            format!("--read={buffer}:f32"),
            format!("-D{scale}=2"),
            "--function".to_string(),
            format!("{s9}.{buffer}"),
        ];
        assert_eq!(renamed, wanted);
    }

    #[test]
    fn columns_depend_on_names() {
        let text = "a.slang:3:14: error {\"line\":3,\"column\":7} a.slang:5 b.slang: 12";
        assert_eq!(without_columns(text), "a.slang:3:: error {\"line\":3,\"column\":} a.slang:5 b.slang: 12");
    }

    #[test]
    fn differences_are_told() {
        let output = |stdout: &str, exit| Output { stdout: stdout.into(), stderr: String::new(), exit };
        let renaming = Renaming::default();
        let plain = output("{\"a\": [1.0]}\n", 0);
        assert!(differ(&plain, &output("{\"a\": [1.0]}\n", 0), &renaming).is_ok());
        assert!(differ(&plain, &output("{\"a\": [1.0000001]}\n", 0), &renaming).is_err());
        assert!(differ(&plain, &output("{\"a\": [1.0]}\n", 1), &renaming).is_err());
        assert!(differ(&output("ok f 1\n", 0), &output("ok   f 2\n", 0), &renaming).is_err());
    }
}
