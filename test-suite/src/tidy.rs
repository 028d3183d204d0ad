//! Rules about the source tree itself: heads, sizes, dependencies between crates, forbidden calls.
//!
//! Each rule is a function of the repository's root. Its error lists every place that breaks the
//! rule.

use std::collections::BTreeSet;
use std::path::Path;

/// A check of the tree below a root.
pub type Rule = fn(&Path) -> Result<(), String>;

/// A rule's name and its check.
pub const RULES: [(&str, Rule); 20] = [
    ("heads", heads),
    ("sizes", sizes),
    ("architecture", architecture),
    ("forbidden_calls", forbidden_calls),
    ("machine_paths", machine_paths),
    ("examples_are_tested", examples_are_tested),
    ("links", links),
    ("diagnostics", crate::declared::diagnostics),
    ("contract", crate::contract::contract),
    ("patterns", patterns),
    ("samples", samples),
    ("sections", sections),
    ("symbols", crate::symbols::rule),
    ("folders", crate::folders::rule),
    ("functions", crate::functions::rule),
    ("glossary", crate::glossary::rule),
    ("options", crate::options::rule),
    ("attributes", crate::attributes::rule),
    ("comments", crate::comments::rule),
    ("pages", crate::pages::rule),
];

const MAX_LINES: usize = 800;

/// The files of the tree, as paths relative to the root, without build outputs and version control.
pub(crate) fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(root.join(&folder)).map_err(|e| format!("cannot list {folder}: {e}"))?;
        for entry in entries {
            let entry = entry.map_err(|e| e.to_string())?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let kind = entry.file_type().map_err(|e| e.to_string())?;
            // In a second working tree of the repository, `.git` is a file.
            if matches!(name.as_str(), ".git" | "target") {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

pub(crate) fn read(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path)).map_err(|e| format!("cannot read {path}: {e}"))
}

fn rust_files(root: &Path) -> Result<Vec<String>, String> {
    let mut found = files(root)?;
    found.retain(|p| p.ends_with(".rs"));
    if found.is_empty() { Err("there are no Rust files; the root is wrong".into()) } else { Ok(found) }
}

pub(crate) fn listed(problems: Vec<String>) -> Result<(), String> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Every Rust file begins with a `//!` comment that states its purpose.
fn heads(root: &Path) -> Result<(), String> {
    let mut problems = Vec::new();
    for path in rust_files(root)? {
        if !read(root, &path)?.starts_with("//! ") {
            problems.push(format!("{path} does not begin with `//! `"));
        }
    }
    listed(problems)
}

/// No Rust file has more than [`MAX_LINES`] lines.
fn sizes(root: &Path) -> Result<(), String> {
    let mut problems = Vec::new();
    for path in rust_files(root)? {
        let lines = read(root, &path)?.lines().count();
        if lines > MAX_LINES {
            problems.push(format!("{path} has {lines} lines; {MAX_LINES} is the limit"));
        }
    }
    listed(problems)
}

/// The crate table of `docs/architecture.md` is correct: it has every crate of the workspace, with
/// its folder and exactly the crates of this repository that it depends on.
fn architecture(root: &Path) -> Result<(), String> {
    let table = parse_table(&read(root, "docs/architecture.md")?)?;
    let members = workspace_members(&read(root, "Cargo.toml")?);
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for folder in members {
        let manifest = read(root, &format!("{folder}/Cargo.toml"))?;
        let (name, depends) = parse_manifest(&manifest)?;
        seen.insert(name.clone());
        match table.iter().find(|row| row.name == name) {
            None => problems.push(format!("`{name}` ({folder}) is missing from the table")),
            Some(row) => {
                if row.folder.trim_end_matches('/') != folder {
                    problems.push(format!("`{name}` is in {folder}, not in {}", row.folder));
                }
                problems.extend(
                    depends
                        .difference(&row.depends)
                        .map(|d| format!("`{name}` depends on `{d}`, which the table does not allow")),
                );
                problems.extend(
                    row.depends
                        .difference(&depends)
                        .map(|d| format!("the table says that `{name}` depends on `{d}`; it does not")),
                );
            }
        }
    }
    problems
        .extend(table.iter().filter(|r| !seen.contains(&r.name)).map(|r| format!("there is no crate `{}`", r.name)));
    listed(problems)
}

struct Row {
    name: String,
    folder: String,
    depends: BTreeSet<String>,
}

/// Rows of the table whose first column is `crate`: crate, folder, job, may depend on, must not
/// know.
fn parse_table(text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let mut in_table = false;
    for line in text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if !line.trim_start().starts_with('|') {
            in_table = false;
        } else if cells[0] == "crate" {
            in_table = true;
        } else if in_table && !cells[0].starts_with("---") {
            let [name, folder, _job, depends, _must_not_know] = cells[..] else {
                return Err(format!("a row of the crate table has not five cells: {line}"));
            };
            let plain = |text: &str| text.replace('`', "");
            let depends =
                plain(depends).split([',', ' ']).filter(|d| !d.is_empty() && *d != "-").map(str::to_string).collect();
            rows.push(Row { name: plain(name), folder: plain(folder), depends });
        }
    }
    if rows.is_empty() { Err("docs/architecture.md has no crate table".into()) } else { Ok(rows) }
}

fn workspace_members(manifest: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|l| !l.starts_with("members")).skip(1).take_while(|l| !l.starts_with(']'));
    lines.map(|l| l.trim().trim_matches(['"', ',', ' ']).to_string()).filter(|l| !l.is_empty()).collect()
}

/// The name of a crate, and the crates of this repository that its code, apart from tests, depends
/// on.
fn parse_manifest(manifest: &str) -> Result<(String, BTreeSet<String>), String> {
    let mut section = "";
    let mut name = None;
    let mut depends = BTreeSet::new();
    for line in manifest.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim();
            if section == "[package]" && key == "name" {
                name = Some(value.trim().trim_matches('"').to_string());
            }
            let dependency = key.split('.').next().unwrap_or(key);
            if matches!(section, "[dependencies]" | "[build-dependencies]") && dependency.starts_with("caustic") {
                depends.insert(dependency.to_string());
            }
        }
    }
    Ok((name.ok_or("a manifest has no name")?, depends))
}

/// Calls that turn an input into a panic, or that write where a library must not. Tools are no
/// exception, because they write to streams that they are given.
const FORBIDDEN: [&str; 9] = [
    ".unwrap()",
    ".expect(\"",
    "panic!(",
    "todo!(",
    "unimplemented!(",
    "println!(",
    "eprintln!(",
    "dbg!(",
    "process::exit(",
];

/// Places where such a call is right: the file, the call, and the reason.
const ALLOWED: [(&str, &str, &str); 13] = [
    ("tools/caustic/src/main.rs", "process::exit(", "the program's only way to return its exit code"),
    ("tools/caustic-opt/src/main.rs", "process::exit(", "the program's only way to return its exit code"),
    ("tools/caustic-reduce/src/main.rs", "process::exit(", "the program's only way to return its exit code"),
    ("tools/rules/src/main.rs", "process::exit(", "the program's only way to return its exit code"),
    ("dialects/ir/src/rows.rs", "panic!(", "in a const function: it fails the build, never a run"),
    ("examples/embed/src/main.rs", "println!(", "a host program shows what it computes"),
    ("test-suite/soak/src/main.rs", "eprintln!(", "a chore for developers, with no streams of its own"),
    ("test-suite/soak/src/main.rs", "println!(", "a chore for developers, with no streams of its own"),
    ("test-suite/src/source/coverage.rs", "eprintln!(", "counts of a test, which are asked for by a variable"),
    ("test-suite/src/source/readable/mod.rs", "eprintln!(", "counts of a test, which are asked for by a variable"),
    ("tools/xtask/src/main.rs", "eprintln!(", "a chore for developers, with no streams of its own"),
    ("tools/xtask/src/mutants/mod.rs", "println!(", "a chore for developers, with no streams of its own"),
    ("tools/xtask/src/main.rs", "println!(", "a chore for developers, with no streams of its own"),
];

fn forbidden_calls(root: &Path) -> Result<(), String> {
    let all = rust_files(root)?;
    let mut texts = Vec::new();
    for path in &all {
        texts.push((path.as_str(), read(root, path)?));
    }
    let test_files = test_files(texts.iter().map(|(path, text)| (*path, text.as_str())));
    let mut problems = Vec::new();
    for (path, text) in &texts {
        // This file contains the patterns.
        if test_files.contains(*path)
            || path.contains("/tests/")
            || path.contains("/benches/")
            || *path == "test-suite/src/tidy.rs"
            // A build script talks to cargo by printing.
            || path.ends_with("/build.rs")
            || *path == "tools/fixed_address.rs"
        {
            continue;
        }
        for (number, line) in code_lines(text) {
            for call in FORBIDDEN {
                let allowed = ALLOWED.iter().any(|(p, c, _)| p == path && *c == call);
                if !allowed && line.match_indices(call).any(|(at, _)| is_call(call, &line[..at])) {
                    problems.push(format!("{path}:{number}: `{call}`: {}", line.trim()));
                }
            }
        }
    }
    listed(problems)
}

/// Whether a match of `call` after `before` is that call: `eprintln!(` contains `println!(`, and a
/// parser's own `expect` returns a result.
fn is_call(call: &str, before: &str) -> bool {
    match call {
        "println!(" => !before.ends_with('e'),
        ".expect(\"" => {
            !before.ends_with(|c: char| c.is_alphanumeric()) || !["self", "p"].iter().any(|w| is_last_word(before, w))
        }
        _ => true,
    }
}

fn is_last_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.'))
}

/// The files of all modules that these files declare for tests only.
pub(crate) fn test_files<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeSet<String> {
    texts.flat_map(|(path, text)| test_modules(path, text)).collect()
}

/// The files of the modules that `text`, in the file `path`, declares for tests only.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let folder = match path.rsplit_once('/') {
        Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder.to_string(),
        _ => path.trim_end_matches(".rs").to_string(),
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter(|w| w[0] == "#[cfg(test)]").filter_map(|w| module_declared(w[1]));
    declared.flat_map(|name| [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")]).collect()
}

/// The `name` in `mod name;`.
fn module_declared(line: &str) -> Option<&str> {
    line.strip_prefix("pub(crate) ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';')
}

/// The lines of a file that are neither comments nor tests, numbered from 1. Tests are a module at
/// the end of the file, or in a file of its own.
pub(crate) fn code_lines(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((i, line)) = lines.next() {
        if line.trim() == "#[cfg(test)]" && lines.peek().is_some_and(|(_, next)| module_declared(next.trim()).is_none())
        {
            break;
        }
        out.push((i + 1, line.split("//").next().unwrap_or(line)));
    }
    out
}

/// No file contains a path of somebody's machine.
fn machine_paths(root: &Path) -> Result<(), String> {
    // The paths are built here, so that this file does not contain them.
    let roots = ["work", "root", "home", "Users"].map(|name| format!("/{name}/"));
    let mut problems = Vec::new();
    for path in files(root)? {
        let skip = [".lock", ".whl", ".so", ".bin", ".png"].iter().any(|end| path.ends_with(end));
        if skip {
            continue;
        }
        let Ok(text) = read(root, &path) else { continue };
        for (i, line) in text.lines().enumerate() {
            for hit in roots.iter().filter_map(|r| line.find(r.as_str())) {
                // A folder of this name inside a longer path is not a path from the root.
                let starts =
                    line[..hit].chars().next_back().is_none_or(|c| !(c.is_alphanumeric() || "._-/~*}".contains(c)));
                if starts {
                    problems.push(format!("{path}:{}: {}", i + 1, line.trim()));
                }
            }
        }
    }
    listed(problems)
}

/// A case runs every example.
fn examples_are_tested(root: &Path) -> Result<(), String> {
    let all = files(root)?;
    let mut cases = String::new();
    for path in all.iter().filter(|p| p.starts_with("test-suite/cases/")) {
        cases.push_str(&read(root, path).unwrap_or_default());
    }
    let examples = all.iter().filter_map(|p| p.strip_prefix("examples/")).filter(|p| p.ends_with(".slang"));
    let untested = examples.filter(|e| !cases.contains(&format!("%examples/{e}")));
    listed(untested.map(|e| format!("no case runs examples/{e}")).collect())
}

/// Links between pages have a target.
fn links(root: &Path) -> Result<(), String> {
    let mut problems = Vec::new();
    for path in files(root)?.into_iter().filter(|p| p.ends_with(".md")) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for link in read(root, &path)?.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link)
        {
            let target = link.split('#').next().unwrap_or(link);
            let is_path = !target.is_empty() && !target.contains("://") && !target.contains(char::is_whitespace);
            if is_path && !root.join(folder).join(target).exists() {
                problems.push(format!("{path}: there is no `{target}`"));
            }
        }
    }
    listed(problems)
}

/// The number of known patterns for which users of other tools got wrong derivatives.
const PATTERNS: usize = 35;

/// Each of these patterns has a case that names it in its first line.
fn patterns(root: &Path) -> Result<(), String> {
    let mut named: BTreeSet<String> = BTreeSet::new();
    for path in files(root)?.into_iter().filter(|p| p.starts_with("test-suite/cases/patterns/p")) {
        let text = read(root, &path)?;
        let words = text.lines().next().unwrap_or_default().split(|c: char| !c.is_alphanumeric());
        named.extend(words.filter(|w| w.starts_with('P')).map(str::to_string));
    }
    let missing = (1..=PATTERNS).map(|n| format!("P{n}")).filter(|p| !named.contains(p));
    listed(missing.map(|p| format!("no case in test-suite/cases/patterns is of {p}")).collect())
}

/// The list of samples has every case for a sample of the specification. ([`links`] checks that the
/// listed cases exist.)
fn samples(root: &Path) -> Result<(), String> {
    let list = read(root, "docs/samples.md")?;
    let cases = files(root)?.into_iter().filter(|p| p.starts_with("test-suite/cases/samples/"));
    let unlisted = cases.filter(|p| !list.contains(&format!("](../{p})")));
    listed(unlisted.map(|p| format!("docs/samples.md does not name {p}")).collect())
}

/// The chapters whose sections docs/sections.md covers.
const CHAPTERS: [&str; 13] = [
    "Guide 2",
    "Guide 3",
    "Guide 4",
    "Guide 5",
    "Guide 6",
    "Guide 7",
    "Guide 10",
    "Guide, language versions",
    "Reference: structure",
    "Reference: types",
    "Reference: expressions",
    "Reference: statements",
    "Reference: declarations",
];

/// Each section of the language's documentation has a program, or a reason why it is refused. (The
/// rule about links checks that the programs exist.)
fn sections(root: &Path) -> Result<(), String> {
    let page = read(root, "docs/sections.md")?;
    let mut problems: Vec<String> = CHAPTERS
        .iter()
        .filter(|c| !page.lines().any(|l| l.starts_with("## ") && l[3..].starts_with(**c)))
        .map(|c| format!("docs/sections.md has no chapter `{c}`"))
        .collect();
    let rows = page.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| section |") && !l.starts_with("| ---"));
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [_, shown] = cells.as_slice() else {
            problems.push(format!("docs/sections.md: not a row of two cells: {row}"));
            continue;
        };
        if !shown.starts_with("refused, because ") && !shown.contains("](../test-suite/cases/") {
            problems.push(format!("docs/sections.md: nothing shows {row}"));
        }
    }
    listed(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"caustic-b\"\n[dependencies]\ncaustic-a.workspace = true\nother = \"1\"\n\
                            [dev-dependencies]\ncaustic-c = { path = \"x\" }\n";

    #[test]
    fn manifests_and_tables_are_read() {
        let (name, depends) = parse_manifest(MANIFEST).unwrap();
        assert_eq!((name.as_str(), depends), ("caustic-b", BTreeSet::from(["caustic-a".to_string()])));
        assert_eq!(workspace_members("[workspace]\nmembers = [\n    \"a\",\n    \"b/c\",\n]\n"), ["a", "b/c"]);
        let rows = parse_table("| crate | folder | job | may depend on | must not know |\n| --- | --- | --- | --- | --- |\n| `caustic-b` | `b/` | x | `caustic-a`, `caustic-c` | y |\n").unwrap();
        assert_eq!((rows[0].name.as_str(), rows[0].depends.len()), ("caustic-b", 2));
        assert!(parse_table("nothing").is_err());
        assert!(parse_table("| crate | folder |\n| a | b |\n").is_err());
    }

    #[test]
    fn tests_and_parsers_are_told_from_code() {
        assert_eq!(test_modules("a/src/lib.rs", "#[cfg(test)]\nmod t;\nmod u;\n"), ["a/src/t.rs", "a/src/t/mod.rs"]);
        assert_eq!(test_modules("a/src/x.rs", "#[cfg(test)]\nmod t;\n")[0], "a/src/x/t.rs");
        assert_eq!(code_lines("#[cfg(test)]\nmod t;\nfn f() {} // x\n#[cfg(test)]\nmod tests {\n").len(), 3);
        for (before, found) in [("self", false), ("    p", false), ("map.get(k)", true), ("x.p", true), ("stop", true)]
        {
            assert_eq!(is_call(".expect(\"", before), found, "{before}");
        }
        assert!(is_call("println!(", "  ") && !is_call("println!(", "  e"));
    }

    /// Each rule must be able to fail.
    #[test]
    fn broken_trees_are_noticed() {
        let root = std::env::temp_dir().join(format!("caustic-tidy-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("Cargo.toml", "[workspace]\nmembers = [\n    \"b\",\n]\n");
        write("b/Cargo.toml", MANIFEST);
        let table = |depends: &str| {
            write(
                "docs/architecture.md",
                &format!(
                    "| crate | folder | job | may depend on | must not know |\n| `caustic-b` | `b` | x | {depends} | y |\n"
                ),
            );
        };
        write(
            "b/src/lib.rs",
            "//! Head.\nfn f() {}\n// x.unwrap()\n#[cfg(test)]\nmod tests { fn g() { None::<u8>.unwrap(); } }\n",
        );
        write("examples/e.slang", "");
        write("README.md", "[a](b/Cargo.toml#x) [b](https://example.org/) f[i](x y)\n");
        write("test-suite/cases/e.test", "// RUN: x %examples/e.slang\n");
        let all: String = (1..=PATTERNS).map(|n| format!(" P{n}")).collect();
        write("test-suite/cases/patterns/p.slang", &format!("//{all}\n"));
        write("test-suite/cases/samples/s.slang", "");
        write("docs/samples.md", "[s](../test-suite/cases/samples/s.slang)\n");
        let chapters: String = CHAPTERS.iter().map(|c| format!("## {c}\n")).collect();
        write("docs/sections.md", &format!("{chapters}| a | [s](../test-suite/cases/samples/s.slang) |\n"));
        table("`caustic-a`");
        // These are about tables and files that this tree lacks; they have tests of their own.
        let by_themselves = ["diagnostics", "contract", "folders", "functions", "glossary", "options", "pages"];
        for (name, rule) in RULES.iter().filter(|(name, _)| !by_themselves.contains(name)) {
            assert_eq!(rule(&root), Ok(()), "{name}");
        }

        table("-");
        assert!(architecture(&root).unwrap_err().contains("does not allow"));
        table("`caustic-a`, `caustic-z`");
        assert!(architecture(&root).unwrap_err().contains("it does not"));
        write(
            "b/src/lib.rs",
            &format!("fn f() {{ x.unwrap(); // in {}\n{}}}\n", ["", "work", "x"].join("/"), "\n".repeat(MAX_LINES)),
        );
        write("examples/new.slang", "");
        write("test-suite/cases/patterns/p.slang", "// P1\n");
        write("test-suite/cases/samples/new.slang", "");
        write("docs/page.md", "[a](b/Cargo.toml)\n");
        let code = "fn f(name: &str) -> bool { name.ends_with(\".jvp\") }\nfn g() { s.attr(\"of\"); }\n";
        write("passes/src/x.rs", &["//! X.\n", code, "// ", &"word ".repeat(30), "\n"].concat());
        write("docs/sections.md", &format!("{chapters}| a | is there |\n"));
        for (name, rule) in RULES.iter().filter(|(name, _)| *name != "architecture") {
            assert!(rule(&root).is_err(), "{name}");
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
