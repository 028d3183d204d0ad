//! The rule that the sources use every code of a diagnostic, and that a case shows it. (The
//! compiler checks that each code that they use has a row.)
//!
//! Cases show a diagnostic by `EXPECT-ERROR`, `EXPECT-WARNING`, `expected-error [CODE]`, or in a
//! text that they check.

use crate::tidy::{code_lines, files, listed, read, test_files};
use caustic_ir::codes::{CODES, row};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The code of internal errors, which no program should cause.
const WITHOUT_CASE: &str = "E9999";
const TABLE: &str = "dialects/ir/src/codes.rs";

pub fn diagnostics(root: &Path) -> Result<(), String> {
    let (mut texts, mut shown) = (Vec::new(), BTreeSet::new());
    for path in files(root)? {
        let is_case = path.starts_with("test-suite/cases/");
        if is_case && [".slang", ".mlir", ".test"].iter().any(|end| path.ends_with(end)) {
            shown.extend(codes_of_case(&read(root, &path)?));
        } else if path.ends_with(".rs") && !path.starts_with("test-suite/") && path != TABLE {
            texts.push((path.clone(), read(root, &path)?));
        }
    }
    let tests = test_files(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut made: BTreeMap<String, String> = BTreeMap::new();
    for (path, text) in texts.iter().filter(|(path, _)| !path.contains("/tests/") && !tests.contains(path)) {
        for (number, line) in code_lines(text) {
            for code in named_codes(line) {
                made.entry(code).or_insert_with(|| format!("{path}:{number}"));
            }
        }
    }
    listed(problems(&made, &shown))
}

fn problems(made: &BTreeMap<String, String>, shown: &BTreeSet<String>) -> Vec<String> {
    let undeclared = made.iter().filter(|(code, _)| row(code).is_none());
    let mut problems: Vec<String> = undeclared.map(|(code, at)| format!("{at}: {code} is not in {TABLE}")).collect();
    problems.extend(
        shown.iter().filter(|c| row(c).is_none()).map(|c| format!("a case shows {c}, which is not in {TABLE}")),
    );
    for row in CODES {
        if !made.contains_key(row.code.as_str()) {
            problems.push(format!("{} is in {TABLE}, and nothing can find it", row.code));
        }
        if !shown.contains(row.code.as_str()) && row.code != WITHOUT_CASE {
            problems.push(format!("no case shows {}: {}", row.code, row.meaning));
        }
    }
    problems
}

fn is_code(word: &str) -> bool {
    word.len() == 5 && word.starts_with(['E', 'W']) && word[1..].bytes().all(|b| b.is_ascii_digit())
}

/// The codes that a line of Rust names, by their constants or in string literals.
fn named_codes(line: &str) -> Vec<String> {
    let quoted = line.split('"').skip(1).step_by(2);
    let constants = line.split("codes::").skip(1).map(|rest| rest.get(..5).unwrap_or(rest));
    quoted.chain(constants).filter(|w| is_code(w)).map(str::to_string).collect()
}

/// The codes that a case expects.
fn codes_of_case(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for line in text.lines() {
        let directive = ["EXPECT-ERROR:", "EXPECT-WARNING:"].iter().find_map(|d| line.split_once(d));
        if let Some((_, rest)) = directive {
            out.extend(rest.split_whitespace().nth(1).filter(|w| is_code(w)).map(str::to_string));
        } else if line.trim_start().starts_with("//") {
            let bracketed = line.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(inside, _)| inside);
            out.extend(bracketed.filter(|w| is_code(w)).map(str::to_string));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_from_cases_and_sources() {
        let case = "// EXPECT-ERROR: @+1:3 E0201 no\nint E0202;\n  // expected-error@+1 [E9001] {{x}}\n// CHECK: error[E0011]: y\n";
        let found: Vec<String> = codes_of_case(case).into_iter().collect();
        assert_eq!(found, ["E0011", "E0201", "E9001"]);
        assert_eq!(named_codes("f(\"E0201\", \"x E0202\", codes::W0211)"), ["E0201", "W0211"]);
    }

    /// The rule must be able to fail, in each of its parts.
    #[test]
    fn what_is_missing_is_noticed() {
        let all: BTreeSet<String> = CODES.iter().map(|r| r.code.to_string()).collect();
        let made: BTreeMap<String, String> = all.iter().map(|c| (c.clone(), "x.rs:1".to_string())).collect();
        assert!(problems(&made, &all).is_empty());
        let without = |code: &str| all.iter().filter(|c| *c != code).cloned().collect::<BTreeSet<String>>();
        assert_eq!(problems(&made, &without("E0201")).len(), 1);
        assert!(problems(&made, &without("E9999")).is_empty());
        let mut more = made.clone();
        more.insert("E0000".into(), "x.rs:2".into());
        assert_eq!(problems(&more, &all), ["x.rs:2: E0000 is not in dialects/ir/src/codes.rs"]);
        let mut fewer = made;
        fewer.remove("W0211");
        assert!(problems(&fewer, &all)[0].contains("nothing can find it"));
    }
}
