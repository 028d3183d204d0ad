//! What the compiler writes of itself: the generated pages of the book that need all of it (the
//! passes, the walk of `myPow` through every step), and the functions of floats that a pass puts
//! into programs. With `BLESS=1` they are written anew; otherwise one that is out of date fails.

use caustic_ir::text::{PrintOptions, print_symbol};
use caustic_ir::{Module, Registry};
use caustic_passes::manager::{RunOptions, parse, run_pipeline};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

fn check(page: &str, text: &str) {
    check_file(&format!("docs/{page}"), text);
}

fn check_file(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    if std::env::var("BLESS").is_ok_and(|v| v == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{file} is out of date: run `cargo xtask docs`");
}

/// What the command prints of a file at a stage.
fn emitted(file: &str, stage: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let args = ["emit", &root.join(file).display().to_string(), "--stage", stage].map(str::to_string);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut stdout, &mut stderr, &caustic_tool::RealFiles);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

#[test]
fn passes() {
    check("passes.md", &caustic_passes::registry().book_page());
}

/// What `--help` prints.
fn help(command: &str) -> String {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let args = [command, "--help"].map(str::to_string);
    let args = if command.is_empty() { &args[1..] } else { &args };
    assert_eq!(caustic::main_with(args, &mut stdout, &mut stderr, &caustic_tool::RealFiles), 0);
    String::from_utf8(stdout).unwrap()
}

#[test]
fn command_line() {
    let mut page = String::from(
        "# The command line\n\nGenerated: what `caustic --help` and `caustic COMMAND --help` print. The options of the source come after the \
         others of a command, and are told once here.\n",
    );
    let _ = write!(page, "\n```text\n{}```\n", help(""));
    let mut source = String::new();
    for command in &caustic::cli::COMMANDS {
        let text = help(command.name);
        // All commands with a source have the same options about it, but for `launch`.
        let about = text.find("\nOptions about the source:").map(|at| (at, text.find("\nExamples:").unwrap()));
        let own = match about {
            Some((from, to)) if command.name != "launch" => {
                source = text[from + 1..to].to_string();
                format!("{}{}", &text[..from], &text[to..])
            }
            _ => text,
        };
        let _ = write!(page, "\n## {}\n\n```text\n{own}```\n", command.name);
    }
    let _ = write!(page, "\n## Options about the source\n\n```text\n{source}```\n");
    check("command-line.md", &page);
}

#[test]
fn rewrites() {
    check("rewrites.md", &caustic_passes::optimize::book::page());
}

/// The functions of the module that have to do with `myPow`, as text.
fn shown(module: &Module, names: &[&str]) -> String {
    let options = PrintOptions::default();
    let wanted = module.symbols().iter().filter(|s| names.contains(&s.name.as_str()));
    wanted.map(|s| print_symbol(s, &options).trim_end().to_string()).collect::<Vec<_>>().join("\n")
}

struct Step {
    title: &'static str,
    pipeline: &'static str,
    show: &'static [&'static str],
    text: &'static str,
}

const STEPS: &[Step] = &[
    Step {
        title: "High-level code",
        pipeline: "",
        show: &["myPow", "bwd_diff(myPow)"],
        text: "What the front end makes of the source. The loop is as written; `result` and `i` are variables. The derivative that the \
               program calls is a symbol without code.",
    },
    Step {
        title: "Normalized",
        pipeline: "any(normalize-exits),promote,any(canonicalize,cse,dce,uplift-while-to-for)",
        show: &["myPow"],
        text: "Step 1 (Fig. 5a): variables are values, and the loop counts from 0 by 1 to a trip count computed before it.",
    },
    Step {
        title: "Linearized",
        pipeline: "ad-linearize,any(canonicalize,cse,dce)",
        show: &["myPow.jvp"],
        text: "Step 2 (Fig. 5b): beside each active value stands its tangent. Tangents have a type of their own, and only linear ops take it. This \
               is the forward derivative.",
    },
    Step {
        title: "Checkpoint decisions",
        pipeline: "ad-checkpoint",
        show: &["myPow.jvp"],
        text: "Step 5 is taken here, where the decision is a mark on an op: what is marked is computed again, the rest is stored. The new \
               `result` of an iteration would be computed again, if the reverse pass read it; the old one is loop state, and stored.",
    },
    Step {
        title: "Unzipped",
        pipeline: "ad-unzip",
        show: &["myPow.rev"],
        text: "Step 3 (Fig. 5c): primal code, then linear code. `result` of each iteration is a residual; the trip count is known at run time \
               only, so it goes to a tape. The linear code still runs forwards.",
    },
    Step {
        title: "Transposed",
        pipeline: "ad-transpose,any(canonicalize,cse,dce)",
        show: &["myPow.rev"],
        text: "Step 4 (Figs. 6d and 6e): the linear code runs backwards, from the cotangent of the result to that of `x`. The loop counts \
               down.",
    },
    Step {
        title: "Extracted",
        pipeline: "ad-extract,any(canonicalize,cse,dce,drop-detach)",
        show: &["myPow.primal", "myPow.bwd", "bwd_diff(myPow)"],
        text: "Step 6 (Listing 8): two functions joined by a context, on plain data; and the function that the program calls, with the \
               signature of appendix E.",
    },
];

#[test]
fn walk_through() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = std::fs::read_to_string(root.join("examples/mypow.slang")).unwrap();
    let body = &source[source.find("[Differentiable]").unwrap()..source.find("// Thread n").unwrap()];
    let mut out = String::from(
        "# myPow, step by step\n\nGenerated by the compiler from `examples/mypow.slang`; the figures are those of the SLANG.D paper.\n\n",
    );
    let _ = write!(out, "```hlsl\n{}```\n", body.trim_end().to_string() + "\n");

    let registry = Registry::new(caustic_dialects::all());
    let passes = caustic_passes::registry();
    let mut text = emitted("examples/mypow.slang", "hl");
    for step in STEPS {
        // Each step starts from the text of the one before: what is printed is all there is.
        let mut module = caustic_ir::text::parse_module(&text, "mypow.mlir", &registry).unwrap();
        let pipeline = parse::parse_pipeline(step.pipeline, &passes).unwrap();
        let outcome = run_pipeline(&mut module, &pipeline, &RunOptions::default(), &mut ());
        assert!(outcome.ok, "{}: {:?}", step.title, outcome.diagnostics);
        let _ = write!(out, "\n## {}\n\n{}\n\n", step.title, step.text);
        if !step.pipeline.is_empty() {
            let _ = write!(out, "    caustic-opt --pass-pipeline='builtin.module({})'\n\n", step.pipeline);
        }
        let shown = shown(&module, step.show);
        assert!(!shown.is_empty(), "{}", step.title);
        let _ = write!(out, "```mlir\n{shown}\n```\n");
        text = caustic_ir::text::print_module(&module, &PrintOptions::default());
    }
    check("mypow.md", &out);
}

/// The functions of floats, as the pass `legalize-functions` reads them.
#[test]
fn functions_of_floats() {
    let folder = "passes/src/lower/functions";
    let text = emitted(&format!("{folder}/library.slang"), "ad");
    let registry = Registry::new(caustic_dialects::all());
    let mut module = caustic_ir::text::parse_module(&text, "library.mlir", &registry).unwrap();
    let pipeline = parse::parse_pipeline(caustic_passes::lower::functions::MADE_BY, &caustic_passes::registry());
    let outcome = run_pipeline(&mut module, &pipeline.unwrap(), &RunOptions::default(), &mut ());
    assert!(outcome.ok, "{:?}", outcome.diagnostics);
    // How the source passes parameters says nothing to who calls functions of IR.
    module.symbols_mut().iter_mut().for_each(|symbol| symbol.remove_attr("params"));
    check_file(&format!("{folder}/library.mlir"), &caustic_ir::text::print_module(&module, &PrintOptions::default()));
}

#[test]
fn diagnostics() {
    check("diagnostics.md", &caustic_ir::codes::book_page());
}

/// The cells of a line of a CSV file. A cell in quotes may hold commas, and a quote twice.
fn cells(line: &str) -> Vec<String> {
    let (mut found, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => found.push(String::new()),
            c => found.last_mut().unwrap().push(c),
        }
    }
    found
}

/// Lines of one table: what was measured (one or two names behind the table's), the value, the
/// unit.
type Lines = Vec<(Vec<String>, String, String)>;

/// A table of one name and value a line, or, where there are two names, of rows and columns.
fn table(lines: &Lines) -> String {
    let units: Vec<&String> = lines.iter().map(|(_, _, unit)| unit).collect();
    let one_unit = units.windows(2).all(|w| w[0] == w[1]);
    let mut out = if one_unit { format!(" Unit: {}.\n\n", units[0]) } else { "\n\n".to_string() };
    let shown = |value: &str, unit: &str| if one_unit { value.to_string() } else { format!("{value} {unit}") };
    if lines.iter().any(|(names, ..)| names.len() < 2) {
        let _ = write!(out, "| | |\n| --- | ---: |\n");
        for (names, value, unit) in lines {
            let _ = writeln!(out, "| {} | {} |", names.join(" / "), shown(value, unit));
        }
        return out;
    }
    let (mut rows, mut columns): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut values: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for (names, value, unit) in lines {
        let (row, column) = (names[0].as_str(), names[1].as_str());
        if !rows.contains(&row) {
            rows.push(row);
        }
        if !columns.contains(&column) {
            columns.push(column);
        }
        let told = values.entry((row, column)).or_default();
        *told = if told.is_empty() { shown(value, unit) } else { format!("{told}, {}", shown(value, unit)) };
    }
    let _ = write!(out, "| | {} |\n| --- |{}\n", columns.join(" | "), " ---: |".repeat(columns.len()));
    for row in rows {
        let cells = columns.iter().map(|c| values.get(&(row, *c)).map_or("", String::as_str));
        let _ = writeln!(out, "| {row} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    out
}

/// The measurements of `evidence/*.csv`, as tables. What was measured is `TABLE / ROW` or
/// `TABLE / ROW / COLUMN`.
#[test]
fn evidence() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evidence");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut page = String::from(
        "# Measurements\n\nGenerated from `evidence/*.csv`. Each table names the command that measured it, and where it was measured.\n",
    );
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut tables: Vec<([String; 3], Lines)> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = cells(line);
            let [what, command, value, unit, place] = &line[..] else { panic!("evidence/{name}:{}", number + 1) };
            if number == 0 {
                assert_eq!(line.join(","), "what,command,value,unit,where", "evidence/{name}");
                continue;
            }
            // Names of types would be tags of HTML.
            let mut names: Vec<String> = what.split(" / ").map(|name| name.replace('<', "\\<")).collect();
            assert!(matches!(names.len(), 2 | 3), "evidence/{name}:{}: `{what}`", number + 1);
            let key = [names.remove(0), command.clone(), place.clone()];
            match tables.iter_mut().find(|(known, _)| *known == key) {
                Some((_, lines)) => lines.push((names, value.clone(), unit.clone())),
                None => tables.push((key, vec![(names, value.clone(), unit.clone())])),
            }
        }
        let _ = write!(page, "\n## {}\n", name.trim_end_matches(".csv"));
        for ([title, command, place], lines) in &tables {
            let _ = write!(page, "\n### {title}\n\nCommand: `{command}`. Measured on: {place}.{}", table(lines));
        }
    }
    check("evidence.md", &page);
}
