//! The rule that a case uses every form of the command line that other programs may rely on.
//!
//! A form is a command, an option and a pattern for its value (`*` matches anything, `!` in front
//! negates). The table below is the contract, form by form. It is compared with the words of every
//! `RUN` line below `test-suite/cases`.

use crate::tidy::{files, listed, read};
use std::path::Path;

const RUN: &[(&str, &[&str])] = &[
    ("--entry", &["*", "main"]),
    ("--dispatch", &["*,*,*"]),
    ("--groups", &["*", "*,*,*"]),
    ("--threads", &["*", "*,*"]),
    ("--backend", &["%backend", "cranelift", "llvm", "interp", "cuda"]),
    (
        "--buffer",
        &[
            "*=f16:*", "*=f32:*", "*=f64:*", "*=i8:*", "*=i16:*", "*=i32:*", "*=i64:*", "*=u8:*", "*=u16:*", "*=u32:*",
            "*=u64:*", "*=@*", "*=zero:*", "*=*[*]:*", "*=@*.npy", "*.*=*", "*[*]=*", "*nan*", "*inf*", "*-inf*",
        ],
    ),
    (
        "--uniform",
        &["*=f32:*", "*=i32:*", "*=u32:*", "*=u8:*", "*.*=*", "*[*]=*", "*.*[*]=*", "*.*[*].*=*", "*[*][*]=*"],
    ),
    (
        "--texture",
        &[
            "*=*:?:*",
            "*=*:*x*:*",
            "*=*:*x*x*:*",
            "*:cube:*",
            "*:cube:array=*",
            "*:array=*",
            "*:mips=*",
            "*:array=*:mips=*",
        ],
    ),
    ("--sampler", &["*=linear", "*=point", "*=point,compare", "*=linear,clamp"]),
    ("--conformance", &["*:*=*", "*<*>:*=*", "!*=*"]),
    ("--matrix-layout", &["row", "column"]),
    ("--std", &["*"]),
    ("--global-type", &["*", "*<*>"]),
    ("--entry-type", &["*", "*<*>"]),
    ("--counter", &["*=*"]),
    (
        "--read",
        &[
            "*", "*.*", "*[*]*", "*:f16", "*:f32", "*:f64", "*:i8", "*:i16", "*:i32", "*:i64", "*:u8", "*:u16",
            "*:u32", "*:u64",
        ],
    ),
    ("--format", &["text", "json"]),
    ("-D", &["*", "*=*"]),
    ("-I", &["*"]),
];

const CHECK: &[(&str, &[&str])] = &[("-D", &["*=*"]), ("-I", &["*"]), ("--std", &["*"])];

/// The exit codes that a case can expect: `EXIT: N`, or implied by the directives about diagnostics
/// and traps.
const EXITS: [&str; 3] = ["EXPECT-ERROR:", "EXIT: 2", "EXPECT-TRAP:"];

pub fn contract(root: &Path) -> Result<(), String> {
    let (mut used, mut exits) = (Vec::new(), Vec::new());
    for path in files(root)?.into_iter().filter(|p| p.starts_with("test-suite/cases/")) {
        let Ok(text) = read(root, &path) else { continue };
        used.extend(uses(&text));
        exits.extend(EXITS.into_iter().filter(|e| text.contains(e)));
    }
    let mut problems = missing(&used);
    problems.extend(EXITS.iter().filter(|e| !exits.contains(e)).map(|e| format!("no case has `{e}`")));
    listed(problems)
}

/// The command, option and value of every option in the `RUN` lines of a case.
fn uses(text: &str) -> Vec<(String, String, String)> {
    let text = text.replace("\\\n// RUN:", " ").replace("\\\n//", " ");
    let mut out = Vec::new();
    for line in text.lines().filter_map(|l| l.trim_start().strip_prefix("// RUN: caustic ")) {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else { continue };
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=').filter(|_| word.starts_with("--")) {
                Some((option, value)) => (option, value),
                None if word.starts_with("--") => (word, words.next().unwrap_or_default()),
                None if word.starts_with("-D") || word.starts_with("-I") => match word.split_at(2) {
                    (option, "") => (option, words.next().unwrap_or_default()),
                    attached => attached,
                },
                None => continue,
            };
            out.push((command.to_string(), option.to_string(), value.trim_matches(['\'', '"']).to_string()));
        }
    }
    out
}

fn missing(used: &[(String, String, String)]) -> Vec<String> {
    let mut out = Vec::new();
    for (command, table) in [("run", RUN), ("check", CHECK)] {
        for (option, patterns) in table {
            let values = || used.iter().filter(|(c, o, _)| c == command && o == option).map(|(.., v)| v);
            for pattern in *patterns {
                if !values().any(|v| is_form(pattern, v)) {
                    out.push(format!("no case runs `caustic {command} {option} {pattern}`"));
                }
            }
        }
    }
    out
}

fn is_form(pattern: &str, value: &str) -> bool {
    match pattern.strip_prefix('!') {
        Some(other) => !fits(other.as_bytes(), value.as_bytes()),
        None => fits(pattern.as_bytes(), value.as_bytes()),
    }
}

/// Whether the text matches the pattern, in which `*` is any text and `?` any one byte.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|at| fits(rest, &text[at..])),
        Some((b'?', rest)) => !text.is_empty() && fits(rest, &text[1..]),
        Some((c, rest)) => text.first() == Some(c) && fits(rest, &text[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_uses_are_read() {
        for (pattern, text, want) in
            [("*", "", true), ("*=f16:*", "a=f16:1", true), ("*=f16:*", "a=f32:1", false), ("?", "ab", false)]
        {
            assert_eq!(fits(pattern.as_bytes(), text.as_bytes()), want, "{pattern} {text}");
        }
        assert!(is_form("!*=*", "a") && !is_form("!*=*", "a=1"));
        let found = uses("// RUN: caustic run %s --read a \\\n// RUN:   -DX=1 -I inc --format=json\n// --read b\n");
        let shown: Vec<String> = found.iter().map(|(c, o, v)| format!("{c} {o} {v}")).collect();
        assert_eq!(shown, ["run --read a", "run -D X=1", "run -I inc", "run --format json"]);
    }

    #[test]
    fn what_no_case_uses_is_noticed() {
        let all: usize = [RUN, CHECK].iter().flat_map(|t| t.iter()).map(|(_, patterns)| patterns.len()).sum();
        assert_eq!(missing(&[]).len(), all);
        assert_eq!(missing(&uses("// RUN: caustic run %s --counter c=1\n")).len(), all - 1);
    }
}
