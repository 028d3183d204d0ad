//! The pass manager: pipelines as text, what runs on what, the same result for any number of
//! threads, failures blamed on the pass and shown by a reproducer.

use caustic_ir::text::{PrintOptions, parse_module, print_module};
use caustic_ir::verify::verify_module;
use caustic_ir::{Attr, Diagnostic, Fault, Module, Registry, SymbolOp};
use caustic_passes::manager::{
    Changed, Dump, ModuleView, Outcome, PassRegistry, PassReport, PassResult, PassSet, RunOptions, Sink, When,
    parse_pipeline, run_pipeline,
};
use caustic_passes::passes;

fn mark(symbol: &mut SymbolOp, view: &ModuleView<'_>, options: &MarkOptions, report: &mut PassReport) -> PassResult {
    report.count("marked", 1);
    let others = view.symbols().len() as i64;
    symbol.set_attr("test.mark", Attr::i64(options.value + others));
    if options.text != "x" {
        symbol.set_attr("test.text", Attr::string(&options.text));
    }
    report.warn(Diagnostic::warning(caustic_ir::codes::W0211, symbol.loc, format!("marked {}", symbol.name)));
    Ok(Changed::Yes)
}

fn keep(_: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport) -> PassResult {
    Ok(Changed::No)
}

/// Leaves functions called `bad…` with a terminator less.
fn spoil(symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport) -> PassResult {
    let last = symbol.body.entry().and_then(|b| symbol.body.last_op(b));
    match last.filter(|_| symbol.name.starts_with("bad")) {
        Some(op) => {
            symbol.body.erase_op(op);
            Ok(Changed::Yes)
        }
        None => Ok(Changed::No),
    }
}

fn explode(symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport) -> PassResult {
    assert!(!symbol.name.starts_with("bad"), "no way");
    Ok(Changed::No)
}

fn reject(symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport) -> PassResult {
    Err(vec![Diagnostic::error(caustic_ir::codes::E0011, symbol.loc, format!("not {}", symbol.name))])
}

fn drop_last(module: &mut Module, _: &mut PassReport) -> PassResult {
    let Some(name) = module.symbols().last().map(|s| s.name) else { return Ok(Changed::No) };
    module.remove(name);
    Ok(Changed::Yes)
}

passes! {
    /// Marks.
    static MARK: "mark" {
        level: function,
        options: MarkOptions { value: i64 = "1", "What to add."; text: String = "x", "A text."; on_and_on: bool = "true", "A flag." },
        before: "any", after: "the same", statistics: [("marked", "symbols")], run: mark,
    }
    /// Nothing.
    static KEEP: "keep" {
        level: function, options: none, before: "any", after: "the same", statistics: [], run: keep,
    }
    /// Spoils.
    static SPOIL: "spoil" {
        level: function, options: none, before: "any", after: "nothing good", statistics: [], run: spoil,
    }
    /// Panics.
    static EXPLODE: "explode" {
        level: function, options: none, before: "any", after: "the same", statistics: [], run: explode,
    }
    /// Finds fault.
    static REJECT: "reject" {
        level: function, options: none, before: "any", after: "the same", statistics: [], run: reject,
    }
    /// Drops.
    static DROP_LAST: "drop-last" {
        level: module, options: none, before: "any", after: "the same", statistics: [], run: drop_last,
    }
}

fn registry() -> PassRegistry {
    PassRegistry::new(&[&MARK, &KEEP, &SPOIL, &EXPLODE, &REJECT, &DROP_LAST])
}

fn module(text: &str) -> Module {
    let module = parse_module(text, "m.mlir", &Registry::new(caustic_dialects::all())).unwrap();
    assert_eq!(verify_module(&module), vec![]);
    module
}

fn functions(names: impl IntoIterator<Item = String>) -> Module {
    let ops = "  %0 = arith.addf %x, %x : f32\n".repeat(60).replace("%0", "%");
    let body: String = ops.lines().enumerate().map(|(i, l)| l.replacen('%', &format!("%{i}"), 1) + "\n").collect();
    let text: String = names
        .into_iter()
        .map(|n| format!("func.func @{n}(%x: f32) -> f32 {{\n{body}  func.return %x : f32\n}}\n"))
        .collect();
    module(&text)
}

fn run(module: &mut Module, pipeline: &str, options: &RunOptions, sink: &mut dyn Sink) -> Outcome {
    let pipeline = parse_pipeline(pipeline, &registry()).unwrap();
    run_pipeline(module, &pipeline, options, sink)
}

fn text(module: &Module) -> String {
    print_module(module, &PrintOptions::default())
}

#[test]
fn pipelines_print_as_they_parse() {
    for (written, printed) in [
        ("", "builtin.module()"),
        ("mark", "builtin.module(any(mark))"),
        ("mark,keep,drop-last", "builtin.module(any(mark,keep),drop-last)"),
        ("builtin.module(func.func(mark{value=3}),drop-last)", "builtin.module(func.func(mark{value=3}),drop-last)"),
        (
            " any( mark{ value=1 text='a b' on-and-on=false } ) ",
            "builtin.module(any(mark{text='a b' on-and-on=false}))",
        ),
        ("mark{on_and_on=0}", "builtin.module(any(mark{on-and-on=false}))"),
        ("builtin.module(builtin.module(hl.func(keep)))", "builtin.module(builtin.module(hl.func(keep)))"),
    ] {
        let pipeline = parse_pipeline(written, &registry()).unwrap();
        assert_eq!(pipeline.to_string(), printed);
        assert_eq!(parse_pipeline(printed, &registry()).unwrap().to_string(), printed);
    }
}

#[test]
fn mistakes_in_pipelines_have_a_place_and_a_hint() {
    for (written, column, message, hint) in [
        ("mark,kep", 6, "there is no pass `kep`", "did you mean `keep`?"),
        ("func.func", 1, "there is no pass `func.func`", "a group needs its passes in parentheses: `func.func(…)`"),
        ("func.func(mark", 15, "expected `,` or `)`", ""),
        ("mark)", 5, "expected `,` or the end of the pipeline", ""),
        ("mark{valu=3}", 6, "`mark` has no option `valu`", "did you mean `value`?"),
        ("mark{value=x}", 11, "`x` is no value of `value`, which is int", ""),
        ("mark{value=3", 13, "expected an option or `}`", ""),
        ("any(drop-last)", 5, "`drop-last` is a pass of modules and cannot run on `any`", ""),
        ("mark,,keep", 6, "expected a pass or a group, as in `func.func(cse)`", ""),
        ("mark{text='a}", 12, "the value is not closed", ""),
    ] {
        let d = parse_pipeline(written, &registry()).unwrap_err();
        assert_eq!(d.loc.start_text(), format!("<pass-pipeline>:1:{column}"), "{written}");
        assert_eq!(d.message, message);
        assert_eq!(d.notes.first().map_or("", String::as_str), hint);
    }
    assert!(parse_pipeline(&"any(".repeat(100_000), &registry()).is_err());
}

#[test]
fn the_result_does_not_depend_on_the_threads() {
    let names = || (0..300).map(|i| format!("f{i}"));
    let mut seen = Vec::new();
    for threads in [None, Some(1), Some(2), Some(8)] {
        let mut module = functions(names());
        let options = RunOptions { threads, ..RunOptions::default() };
        let outcome = run(&mut module, "mark,keep,any(mark{value=7})", &options, &mut ());
        assert!(outcome.ok && outcome.changed == Changed::Yes);
        assert_eq!(outcome.statistics, vec![("mark", "marked", 300), ("mark", "marked", 300)]);
        let failed = run(&mut module.clone(), "reject", &options, &mut ());
        assert!(!failed.ok && failed.diagnostics.len() == 300);
        seen.push((text(&module), outcome.diagnostics, failed.diagnostics));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(seen[0].2[1].message, "not f1");
}

#[test]
fn groups_choose_what_passes_run_on() {
    let source = "module {\n  func.func @f() {\n    func.return\n  }\n  hl.func @h() {\n    hl.return\n  }\n  \
                  func.func private @d()\n  module @inner {\n    func.func @g() {\n      func.return\n    }\n  }\n}\n";
    let marked = |pipeline: &str| {
        let mut module = module(source);
        assert!(run(&mut module, pipeline, &RunOptions::default(), &mut ()).ok);
        let mut names = Vec::new();
        let mut visit = vec![&module];
        while let Some(m) = visit.pop() {
            names.extend(m.symbols().iter().filter(|s| s.attr("test.mark").is_some()).map(|s| s.name.as_str()));
            visit.extend(m.symbols().iter().filter_map(|s| s.nested.as_deref()));
        }
        names
    };
    assert_eq!(marked("mark"), ["f", "h"]);
    assert_eq!(marked("func.func(mark)"), ["f", "d"]);
    assert_eq!(marked("hl.func(mark)"), ["h"]);
    assert_eq!(marked("builtin.module(builtin.module(mark))"), ["g"]);
    assert_eq!(marked("builtin.module(builtin.module(func.func(mark)),hl.func(mark))"), ["h", "g"]);
    assert_eq!(marked("drop-last,drop-last,drop-last,mark"), ["f"]);
}

#[derive(Default)]
struct Kept {
    dumps: Vec<(When, String, usize)>,
    reproducers: Vec<(String, String)>,
}

impl Sink for Kept {
    fn dump(&mut self, dump: Dump<'_>) {
        self.dumps.push((dump.when, dump.pass.to_string(), dump.index));
    }
    fn reproducer(&mut self, pass: &str, text: &str) -> Option<String> {
        self.reproducers.push((pass.to_string(), text.to_string()));
        Some("there.mlir".to_string())
    }
}

#[test]
fn a_pass_that_breaks_the_code_is_blamed_and_reproduced() {
    for (pass, message) in [
        (
            "spoil",
            "after pass `spoil` the code is not valid: arith.addf: stands last in a block of func.func @bad, but is no terminator",
        ),
        ("explode", "pass `explode` panicked: no way"),
    ] {
        let mut module = functions(["a", "bad", "z"].map(String::from));
        let mut kept = Kept::default();
        let pipeline = format!("mark,keep,{pass},mark{{value=100}}");
        let outcome = run(&mut module, &pipeline, &RunOptions::default(), &mut kept);
        assert!(!outcome.ok);
        let error = outcome.diagnostics.last().unwrap();
        assert_eq!((error.fault, error.message.as_str()), (Fault::Internal, message));
        assert_eq!(error.notes, ["an input that shows it is in there.mlir"]);
        // The file shows it: its first line says how.
        let (blamed, file) = &kept.reproducers[0];
        assert_eq!((blamed.as_str(), kept.reproducers.len()), (pass, 1));
        let (first, rest) = file.split_once('\n').unwrap();
        let line = first.strip_prefix("// caustic-opt --pass-pipeline='").unwrap().strip_suffix('\'').unwrap();
        assert_eq!(line, format!("builtin.module(any({pass}))"));
        assert!(rest.contains("test.mark = 4"), "the passes before it have run");
        let mut again = self::module(file);
        let outcome = run(&mut again, line, &RunOptions::default(), &mut ());
        assert_eq!(outcome.diagnostics.last().unwrap().message, message);
    }
    let quiet = RunOptions { verify_each: false, ..RunOptions::default() };
    assert!(run(&mut functions(["bad".to_string()]), "spoil", &quiet, &mut ()).ok);
}

#[test]
fn dumps_are_made_where_asked() {
    let dumps = |options: RunOptions| {
        let mut kept = Kept::default();
        run(&mut functions(["f".to_string()]), "mark,keep,mark", &options, &mut kept);
        kept.dumps
    };
    let at = |when, pass: &str, index| (when, pass.to_string(), index);
    assert_eq!(dumps(RunOptions::default()), []);
    let named = PassSet::Named(vec!["keep".to_string()]);
    assert_eq!(
        dumps(RunOptions { print_before: named, print_after: PassSet::All, ..RunOptions::default() }),
        [
            at(When::After, "mark", 0),
            at(When::Before, "keep", 1),
            at(When::After, "keep", 1),
            at(When::After, "mark", 2)
        ]
    );
    // The second `mark` changes nothing in the text.
    assert_eq!(dumps(RunOptions { print_after_change: true, ..RunOptions::default() }), [at(When::After, "mark", 0)]);
}

#[test]
fn rows_give_help_and_documentation() {
    let list = registry().list();
    assert!(list.contains("--mark       Marks. (function pass)"), "{list}");
    assert!(list.contains("on-and-on=<true|false>  A flag. [true]"), "{list}");
    assert!(registry().book_page().contains("| `value` (int) | `1` | What to add. |"));
    for pass in caustic_passes::all() {
        assert!(!pass.summary().is_empty() && pass.summary().ends_with('.'), "{}: {}", pass.name, pass.summary());
        for option in pass.options {
            assert!(option.kind.parse(option.default).is_some(), "{}: default of {}", pass.name, option.name);
        }
    }
    assert_eq!(MarkOptions::default(), MarkOptions { value: 1, text: "x".to_string(), on_and_on: true });
}
