//! Parsing, running and printing, for each part of the input.

use crate::cli::Options;
use crate::expect;
use caustic_ir::diag::render;
use caustic_ir::equal::first_difference;
use caustic_ir::nearest::nearest;
use caustic_ir::text::{MODULE, PrintOptions, parse_module, print_module};
use caustic_ir::verify::verify_module;
use caustic_ir::{Diagnostic, Dialect, Loc, Module, Name, Registry, codes};
use caustic_passes::autodiff::wrong_partials;
use caustic_passes::manager::{
    Anchor, Dump, Item, Outcome, PassRegistry, Pipeline, Sink, Timing, When, parse::FILE, parse_pipeline, run_pipeline,
};
use caustic_tool::{Console, FileSystem, exit};

/// What is wrong with the derivative of an op that is not of this project.
fn wrong_op(dialects: &Registry) -> Option<String> {
    let own = |d: &&Dialect| caustic_dialects::all().iter().any(|own| std::ptr::eq(*own, *d));
    dialects.dialects().iter().copied().filter(|d| !own(d)).flat_map(|d| d.all_ops()).find_map(wrong_partials)
}

const SPLIT: &str = "// -----";
/// How a reproducer starts; the pipeline and a quote follow.
const REPRODUCER: &str = "// caustic-opt --pass-pipeline='";

pub fn run(
    options: &Options,
    console: &mut Console<'_>,
    files: &dyn FileSystem,
    dialects: &Registry,
    passes: &PassRegistry,
) -> i32 {
    let file = if options.input == "-" { "<stdin>" } else { options.input.as_str() };
    let source = match files.read(&options.input).map(String::from_utf8) {
        Ok(Ok(source)) => source,
        Ok(Err(_)) => {
            console.err(&format!("caustic-opt: error: {file} is not UTF-8\n"));
            return exit::REJECTED;
        }
        Err(error) => {
            console.err(&format!("caustic-opt: error: cannot read {file}: {error}\n"));
            return exit::USAGE;
        }
    };

    if let Some(wrong) = wrong_op(dialects) {
        console.err(&format!("caustic-opt: error: the row of {wrong}\n"));
        return exit::USAGE;
    }
    let first_line = source.lines().next().unwrap_or("");
    let text = if options.run_reproducer {
        match first_line.strip_prefix(REPRODUCER).and_then(|rest| rest.strip_suffix('\'')) {
            Some(text) => text,
            None => {
                console.err(&format!("caustic-opt: error: the first line of {file} is not `{REPRODUCER}…'`\n"));
                return exit::REJECTED;
            }
        }
    } else {
        options.pipeline.as_str()
    };
    let pipeline = match parse_pipeline(text, passes) {
        Ok(pipeline) => pipeline,
        Err(d) => {
            console.err(&render(&d, &|name| (name == FILE).then(|| text.to_string())));
            return exit::USAGE;
        }
    };
    if let Some(d) = unknown_anchor(&pipeline, text, dialects) {
        console.err(&render(&d, &|name| (name == FILE).then(|| text.to_string())));
        return exit::USAGE;
    }

    if options.dump_pipeline {
        console.err(&format!("Pass Manager with {} passes:\n{pipeline}\n", pipeline.passes().len()));
    }
    let mut job = Job { options, console, files, dialects, pipeline: &pipeline, file, source: &source, part: 0 };
    let start = std::time::Instant::now();
    let mut timing = Timing::new("total");
    let mut code = exit::SUCCESS;
    let mut output = String::new();
    let parts = if options.split_input { split(&source) } else { vec![source.clone()] };
    for (i, part) in parts.iter().enumerate() {
        job.part = i;
        if i > 0 && !options.verify_diagnostics {
            output += &format!("{SPLIT}\n");
        }
        match job.process(part, &mut timing) {
            Ok(text) => output += &text,
            Err(failed) => code = code.max(failed),
        }
    }
    if options.timing {
        timing.wall = start.elapsed();
        let table = timing.table();
        console.err(&format!("{}\n{table}", banner("time")));
    }
    // A file that is half done is worse than none; on the terminal, the parts that worked are of
    // use.
    if options.output == "-" {
        console.out(&output);
    } else if code == exit::SUCCESS
        && let Err(error) = files.write(&options.output, output.as_bytes())
    {
        console.err(&format!("caustic-opt: error: cannot write {}: {error}\n", options.output));
        code = exit::USAGE;
    }
    code
}

/// What is wrong with a group of the pipeline whose symbols no dialect has: nothing would run.
fn unknown_anchor(pipeline: &Pipeline, text: &str, dialects: &Registry) -> Option<Diagnostic> {
    let groups = pipeline.items.iter().filter_map(|item| match item {
        Item::Group(group) => Some(group),
        Item::Pass(_) => None,
    });
    if let Anchor::Op(name) = pipeline.anchor
        && dialects.op(name.as_str()).is_none()
    {
        let at = text.find(name.as_str()).unwrap_or(0);
        let column = |at: usize| text[..at].chars().count() as u32 + 1;
        let end = at + name.as_str().len().min(text.len() - at);
        let loc = Loc::span(Name::new(FILE), (1, column(at)), (1, column(end)));
        let d =
            Diagnostic::error(codes::E0011, loc, format!("there is no op `{name}` whose symbols passes could run on"));
        let known = ["any", "module", MODULE]
            .into_iter()
            .chain(dialects.dialects().iter().flat_map(|d| d.all_ops()).map(|op| op.name));
        return Some(match nearest(name.as_str(), known) {
            Some(near) => d.with_note(format!("did you mean `{near}`?")),
            None => d,
        });
    }
    groups.into_iter().find_map(|group| unknown_anchor(group, text, dialects))
}

fn banner(what: &str) -> String {
    format!("// -----// {what} //----- //")
}

/// The parts between the marks, each after as many empty lines as stand before it, so that places
/// stay right.
fn split(source: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for (i, line) in source.lines().enumerate() {
        if line.trim_end() == SPLIT {
            parts.push("\n".repeat(i + 1));
        } else if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

struct Job<'j, 'c> {
    options: &'j Options,
    console: &'j mut Console<'c>,
    files: &'j dyn FileSystem,
    dialects: &'j Registry,
    pipeline: &'j Pipeline,
    file: &'j str,
    source: &'j str,
    /// The number of the part of the input.
    part: usize,
}

impl Job<'_, '_> {
    /// The output for one part of the input, or the exit code of its failure.
    fn process(&mut self, text: &str, timing: &mut Timing) -> Result<String, i32> {
        let mut found = Vec::new();
        let result = self.compile(text, timing, &mut found);
        if self.options.verify_diagnostics {
            let differences = expect::differences(self.file, text, &found);
            for difference in &differences {
                self.console.err(&format!("{difference}\n"));
            }
            return if differences.is_empty() { Ok(String::new()) } else { Err(exit::REJECTED) };
        }
        let source = |name: &str| {
            if name == self.file {
                return Some(self.source.to_string());
            }
            self.files.read(name).ok().and_then(|bytes| String::from_utf8(bytes).ok())
        };
        // A text that ends too early lacks several brackets at one place.
        let mut shown: Vec<String> = found.iter().map(|d| render(d, &source)).collect();
        shown.dedup();
        self.console.err(&shown.concat());
        result
    }

    fn compile(&mut self, text: &str, timing: &mut Timing, found: &mut Vec<Diagnostic>) -> Result<String, i32> {
        let parsed = timing.measure("parse", |_| parse_module(text, self.file, self.dialects));
        let mut module = parsed.map_err(|errors| {
            found.extend(errors);
            exit::REJECTED
        })?;
        let errors = timing.measure("verify", |_| verify_module(&module));
        if !errors.is_empty() {
            found.extend(errors);
            return Err(exit::REJECTED);
        }
        if self.options.verify_roundtrip {
            timing.measure("round trip", |_| self.round_trip(&module, found))?;
        }
        self.tree_file(0, "input", &module);
        let outcome = self.run_pipeline(&mut module);
        timing.children.push(outcome.timing);
        if self.options.statistics {
            let rows: String = outcome.statistics.iter().map(|(p, s, n)| format!("  {n:>8}  {p}: {s}\n")).collect();
            self.console.err(&format!("{}\n{rows}", banner("statistics")));
        }
        for told in &outcome.told {
            if let Some(report) = told.downcast_ref::<caustic_passes::egraph::FunctionReport>() {
                match &report.dot {
                    Some(picture) => self.console.err(picture),
                    None => self.console.err(&report.to_text(&|loc| loc.source().start_text())),
                }
            }
        }
        let code = if outcome.ok { exit::SUCCESS } else { exit::code_of(&outcome.diagnostics).max(exit::REJECTED) };
        found.extend(outcome.diagnostics);
        if code != exit::SUCCESS {
            return Err(code);
        }
        if self.options.verify_roundtrip && !self.pipeline.items.is_empty() {
            timing.measure("round trip", |_| self.round_trip(&module, found))?;
        }
        Ok(timing.measure("print", |_| print_module(&module, &self.options.print)))
    }

    fn run_pipeline(&mut self, module: &mut Module) -> Outcome {
        let mut options = self.options.run.clone();
        let after_all = self.options.tree_dir.is_some();
        if after_all {
            options.print_after = caustic_passes::manager::PassSet::All;
        }
        let mut sink = Dumps {
            asked: &self.options.run,
            tree_dir: self.options.tree_dir.as_deref(),
            reproducer: &self.options.reproducer,
            part: self.part,
            console: self.console,
            files: self.files,
        };
        run_pipeline(module, self.pipeline, &options, &mut sink)
    }

    fn tree_file(&mut self, index: usize, pass: &str, module: &Module) {
        if let Some(dir) = &self.options.tree_dir {
            let text = print_module(module, &self.options.print);
            write_tree_file(dir, self.part, index, pass, &text, self.files, self.console);
        }
    }

    /// Prints the module in every form, and parses that again.
    fn round_trip(&self, module: &Module, found: &mut Vec<Diagnostic>) -> Result<(), i32> {
        for (generic, locations) in [(false, false), (true, false), (false, true), (true, true)] {
            let text = print_module(module, &PrintOptions { generic, locations, aliases: !generic });
            let form = if generic { "generic" } else { "pretty" };
            match parse_module(&text, "<printed>", self.dialects) {
                Ok(again) => {
                    if let Some(difference) = first_difference(module, &again, locations) {
                        let message = format!("what is printed in {form} form parses to something else: {difference}");
                        found.push(Diagnostic::internal(Loc::unknown(), message));
                        return Err(exit::INTERNAL);
                    }
                }
                Err(errors) => {
                    let error = errors.into_iter().next().map(|d| d.to_string()).unwrap_or_default();
                    let message = format!("what is printed in {form} form does not parse: {error}");
                    found.push(Diagnostic::internal(Loc::unknown(), message));
                    return Err(exit::INTERNAL);
                }
            }
        }
        Ok(())
    }
}

fn write_tree_file(
    dir: &str,
    part: usize,
    index: usize,
    pass: &str,
    text: &str,
    files: &dyn FileSystem,
    console: &mut Console<'_>,
) {
    let part = if part == 0 { String::new() } else { format!("part{part}-") };
    let path = format!("{dir}/{part}{index:03}-{pass}.mlir");
    if let Err(error) = files.write(&path, text.as_bytes()) {
        console.err(&format!("caustic-opt: warning: cannot write {path}: {error}\n"));
    }
}

/// Where dumps and reproducers go.
struct Dumps<'d, 'c> {
    /// What was asked to be printed, apart from the tree of files.
    asked: &'d caustic_passes::manager::RunOptions,
    tree_dir: Option<&'d str>,
    reproducer: &'d str,
    part: usize,
    console: &'d mut Console<'c>,
    files: &'d dyn FileSystem,
}

impl Sink for Dumps<'_, '_> {
    fn dump(&mut self, dump: Dump<'_>) {
        if let Some(dir) = self.tree_dir
            && dump.when != When::Before
        {
            write_tree_file(dir, self.part, dump.index + 1, dump.pass, &dump.text, self.files, self.console);
        }
        let (words, asked) = match dump.when {
            When::Before => ("Before", true),
            When::After => ("After", self.asked.print_after.contains(dump.pass) || self.asked.print_after_change),
            When::AfterFailure => ("After Failed", true),
        };
        if asked {
            self.console.err(&format!("{}\n{}\n", banner(&format!("IR Dump {words} {}", dump.pass)), dump.text));
        }
    }

    fn reproducer(&mut self, _pass: &str, text: &str) -> Option<String> {
        match self.files.write(self.reproducer, text.as_bytes()) {
            Ok(()) => Some(self.reproducer.to_string()),
            Err(_) => None,
        }
    }
}
