//! Parses a case: the directives of a file, as steps with their expectations.

use crate::command::{self, Stage};
use crate::diagnostics::{Expected, Kind};
use crate::json::{self, Tolerance};

/// An exact text in the file: the lines after `//|` with their position (from 0), so that they can
/// be rewritten.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactText {
    pub stderr: bool,
    /// Line of the `STDOUT:` or `STDERR:` directive; the text's lines follow it.
    pub directive: usize,
    pub lines: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Line of the directive, from 1.
    pub line: usize,
    /// As written, before substitutions.
    pub command: String,
    pub exit: Option<i32>,
    pub json: Option<json::Object>,
    pub tolerance: Tolerance,
    pub diagnostics: Vec<Expected>,
    pub exact: Vec<ExactText>,
}

impl Step {
    /// The exit code that the step must end with.
    pub fn expected_exit(&self) -> i32 {
        let wants = |kind| self.diagnostics.iter().any(|f| f.kind == kind);
        self.exit.unwrap_or(if wants(Kind::Error) {
            1
        } else if wants(Kind::Trap) {
            3
        } else {
            0
        })
    }

    pub fn stages(&self, values: &[(&str, &str)]) -> Result<Vec<Stage>, String> {
        command::parse(&command::substitute(&self.command, values)).map_err(|e| format!("line {}: {e}", self.line))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Case {
    pub steps: Vec<Step>,
    /// Prefixes of check lines that occur in the file.
    pub check_prefixes: Vec<String>,
    /// Whether a step names its check lines itself; then the check lines apply to no other step.
    pub explicit_checks: bool,
    /// Whether the case is skipped because of how the tools are built (`REQUIRES`).
    pub left_out: bool,
}

impl Case {
    /// The stages of a step, and the prefix of the check lines for its output, if there are any.
    pub fn parts(&self, step: &Step, values: &[(&str, &str)]) -> Result<(Vec<Stage>, Option<String>), String> {
        let mut stages = step.stages(values)?;
        let prefix = if stages.last().is_some_and(|s| s.tool == "FileCheck") {
            stages.pop().map(|s| prefix_of(&s))
        } else {
            (!self.explicit_checks && !self.check_prefixes.is_empty()).then(|| "CHECK".to_string())
        };
        Ok((stages, prefix))
    }
}

const CHECK_SUFFIXES: [&str; 8] = ["", "-NEXT", "-SAME", "-NOT", "-DAG", "-LABEL", "-EMPTY", "-COUNT"];

/// The word and the text of a directive, if the line is a comment with one.
fn directive(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start().strip_prefix("//")?.trim_start();
    let (word, rest) = text.split_once(':')?;
    // A modifier of FileCheck, as in `CHECK{LITERAL}:`.
    let name = word.split_once('{').map_or(word, |(name, _)| name);
    let is_name = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-');
    is_name.then_some((name, rest.trim()))
}

/// The prefix of a check directive, if `word` is one of a prefix in `prefixes`.
fn check_prefix<'a>(word: &str, prefixes: &'a [String]) -> Option<(&'a str, &'static str)> {
    prefixes.iter().find_map(|prefix| {
        let suffix = word.strip_prefix(prefix.as_str())?;
        let suffix = match suffix.strip_prefix("-COUNT-") {
            Some(count) if !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()) => "-COUNT",
            _ => suffix,
        };
        CHECK_SUFFIXES.iter().find(|s| **s == suffix).map(|s| (prefix.as_str(), *s))
    })
}

/// The prefix that a `FileCheck` command looks for.
fn prefix_of(stage: &Stage) -> String {
    let mut args = stage.args.iter();
    while let Some(arg) = args.next() {
        for option in ["--check-prefix", "-check-prefix"] {
            if let Some(value) = arg.strip_prefix(option) {
                return match value.strip_prefix('=') {
                    Some(value) => value.to_string(),
                    None => args.next().cloned().unwrap_or_default(),
                };
            }
        }
    }
    "CHECK".to_string()
}

/// Reads the directives of a file.
pub fn parse(text: &str) -> Result<Case, String> {
    let mut case = Case::default();
    let prefixes = declared_prefixes(text);
    let lines: Vec<&str> = text.lines().collect();
    let mut dags: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let number = at + 1;
        let Some((word, rest)) = directive(lines[at]) else {
            at += 1;
            continue;
        };
        at += 1;
        let wrong = |why: String| format!("line {number}: {word}: {why}");
        if let Some((prefix, suffix)) = check_prefix(word, &prefixes) {
            if !case.check_prefixes.iter().any(|p| p == prefix) {
                case.check_prefixes.push(prefix.to_string());
            }
            // The implementation of FileCheck lets equal lines of one group match the same text, so
            // one of them would check nothing.
            if suffix != "-DAG" {
                dags.clear();
            } else if dags.contains(&rest) {
                return Err(wrong("the same line stands twice in one group".into()));
            } else {
                dags.push(rest);
            }
            continue;
        }
        match word {
            "NOTE" => {}
            "REQUIRES" => {
                let there = cfg!(feature = "llvm");
                case.left_out |= match rest {
                    "llvm" => !there,
                    "!llvm" => there,
                    _ => return Err(wrong(format!("`{rest}` is neither `llvm` nor `!llvm`"))),
                };
            }
            "RUN" | "GRADCHECK" => {
                let mut command = rest.to_string();
                while let Some(head) = command.strip_suffix('\\') {
                    let next = lines.get(at).and_then(|l| directive(l));
                    let Some(("RUN", more)) = next else {
                        return Err(wrong("the line is continued by nothing".into()));
                    };
                    command = format!("{} {more}", head.trim_end());
                    at += 1;
                }
                if word == "GRADCHECK" {
                    command = format!("caustic gradcheck %s {command}");
                }
                case.steps.push(Step { line: number, command, ..Step::default() });
            }
            "EXPECT-ERROR" | "EXPECT-WARNING" | "EXPECT-TRAP" => {
                let kind = match word {
                    "EXPECT-ERROR" => Kind::Error,
                    "EXPECT-WARNING" => Kind::Warning,
                    _ => Kind::Trap,
                };
                if case.steps.is_empty() {
                    case.steps.push(Step { line: number, command: "caustic check %s".into(), ..Step::default() });
                }
                let diagnostic = Expected::parse(kind, rest, number).map_err(wrong)?;
                case.steps.last_mut().into_iter().for_each(|s| s.diagnostics.push(diagnostic.clone()));
            }
            "EXIT" | "EXPECT-JSON" | "TOLERANCE" | "STDOUT" | "STDERR" => {
                let Some(step) = case.steps.last_mut() else { return Err(wrong("there is no RUN above".into())) };
                match word {
                    "EXIT" => step.exit = Some(rest.parse().map_err(|_| wrong(format!("`{rest}` is no exit code")))?),
                    "EXPECT-JSON" => step.json = Some(json::parse(rest).map_err(wrong)?),
                    "TOLERANCE" => step.tolerance = Tolerance::parse(rest).map_err(wrong)?,
                    _ => {
                        let texts = lines[at..].iter().map_while(|l| l.trim_start().strip_prefix("//|"));
                        let texts: Vec<String> = texts.map(|t| t.strip_prefix(' ').unwrap_or(t).to_string()).collect();
                        let directive = at - 1;
                        at += texts.len();
                        step.exact.push(ExactText { stderr: word == "STDERR", directive, lines: texts });
                    }
                }
            }
            _ => return Err(wrong("this is no directive; reword the line if it is a comment".into())),
        }
    }
    validate(case)
}

/// `CHECK`, and the prefixes that commands of the file name.
fn declared_prefixes(text: &str) -> Vec<String> {
    let mut prefixes = vec!["CHECK".to_string()];
    for line in text.lines() {
        if let Some(("RUN", rest)) = directive(line)
            && let Ok(stages) = command::parse(rest)
        {
            prefixes.extend(stages.iter().filter(|s| s.tool == "FileCheck").map(prefix_of));
        }
    }
    // Longer prefixes first, so that `FWD-NEXT` as a prefix takes precedence over the suffix
    // `-NEXT` of `FWD`.
    prefixes.sort_by_key(|p| std::cmp::Reverse(p.len()));
    prefixes.dedup();
    prefixes
}

/// Refuses a case that cannot fail.
fn validate(mut case: Case) -> Result<Case, String> {
    if case.steps.is_empty() {
        return Err(if case.check_prefixes.is_empty() {
            "the file has no directives".into()
        } else {
            "the file has check lines and no RUN to check".into()
        });
    }
    let mut used: Vec<String> = Vec::new();
    for step in &case.steps {
        for stage in step.stages(&[])? {
            if stage.tool == "FileCheck" {
                used.push(prefix_of(&stage));
            }
        }
    }
    case.explicit_checks = !used.is_empty();
    if case.explicit_checks {
        if let Some(unused) = case.check_prefixes.iter().find(|p| !used.contains(p)) {
            return Err(format!("no RUN uses the lines of `{unused}`"));
        }
        if let Some(missing) = used.iter().find(|p| !case.check_prefixes.contains(p)) {
            return Err(format!("a RUN looks for lines of `{missing}` and there are none"));
        }
    }
    Ok(case)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        parse(text).expect_err("a malformed case must be refused")
    }

    #[test]
    fn directives_become_steps() {
        let case = parse(
            "// RUN: caustic run %s \\\n// RUN:   --read a\n// EXPECT-JSON: {\"a\": [1]}\n// TOLERANCE: rel=1e-3 why=x\n\
             float f; // an ordinary comment: nothing\n// GRADCHECK: --function f\n// STDOUT:\n//| one\n//|\n//|  two\n// EXIT: 1\n",
        )
        .unwrap();
        assert_eq!(case.steps.len(), 2);
        assert_eq!(case.steps[0].command, "caustic run %s --read a");
        assert!(case.steps[0].json.is_some());
        assert_eq!(case.steps[1].command, "caustic gradcheck %s --function f");
        assert_eq!(case.steps[1].exact[0].lines, ["one", "", " two"]);
        assert_eq!(case.steps[1].expected_exit(), 1);
    }

    #[test]
    fn expected_diagnostics_imply_a_step_and_an_exit_code() {
        let case = parse("// EXPECT-ERROR: @+1:3 E0001 oops\n").unwrap();
        assert_eq!(case.steps[0].command, "caustic check %s");
        assert_eq!(case.steps[0].expected_exit(), 1);
        let case = parse("// RUN: caustic run %s\n// EXPECT-TRAP: 3:1 out of range\n").unwrap();
        assert_eq!(case.steps[0].expected_exit(), 3);
    }

    #[test]
    fn cases_that_cannot_fail_are_refused() {
        assert!(refused("float f;\n").contains("no directives"));
        assert!(refused("// CHECK: x\n").contains("no RUN"));
        assert!(refused("// RUN: a | FileCheck %s --check-prefix=FWD\n// FWD: x\n// CHECK: y\n").contains("`CHECK`"));
        assert!(refused("// RUN: a | FileCheck %s --check-prefix=FWD\n// CHECK: y\n").contains("`CHECK`"));
        assert!(refused("// RUN: a | FileCheck %s\n").contains("there are none"));
        assert!(refused("// RUN: a\n// CHECK-NXT: x\n").contains("no directive"));
        assert!(refused("// RUN: a\n// CHEK: x\n").contains("no directive"));
        assert!(refused("// RUN: a\n// EXPECT-JSN: {}\n").contains("no directive"));
        assert!(refused("// RUN: a\n// CHECK-DAG: x\n// CHECK-DAG: x\n").contains("twice"));
        assert!(refused("// RUN: a \\\nfloat f;\n").contains("continued"));
        assert!(refused("// EXIT: 1\n").contains("no RUN"));
        assert!(refused("// RUN: a\n// TOLERANCE: rel=1e-3\n").contains("why"));
        assert!(refused("// RUN: 'a\n").contains("quote"));
    }

    #[test]
    fn check_lines_of_every_kind_are_known() {
        let case = parse(
            "// RUN: a\n// CHECK: x\n// CHECK-DAG: x\n// CHECK-LABEL: y\n// CHECK-DAG: x\n// CHECK-COUNT-2: z\n// CHECK{LITERAL}: [[\n// NOTE: fine\n",
        );
        assert_eq!(case.unwrap().check_prefixes, ["CHECK"]);
    }
}
