//! Running pipelines: passes in order, and around each of them verification, dumps, timing and
//! statistics.

#![warn(missing_docs)]

use super::exec::{PassEnd, Threads, run_on_module, run_on_symbols};
use super::pipeline::{Anchor, Item, PassRun, Pipeline};
use super::row::{Changed, Run};
use super::timing::Timing;
use super::view::ModuleView;
use crate::mutants::Mutation;
use caustic_ir::codes;
use caustic_ir::text::{PrintOptions, print_module};
use caustic_ir::verify::{SymbolTable, verify_symbol};
use caustic_ir::{CancelToken, Diagnostic, Fault, Module, Name, SymbolOp};
use rustc_hash::FxHashSet;
use std::any::Any;

/// Some passes, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PassSet {
    /// No pass.
    #[default]
    None,
    /// Every pass.
    All,
    /// The passes of these names.
    Named(Vec<String>),
}

impl PassSet {
    /// Whether the pass of this name is one of them.
    pub fn contains(&self, pass: &str) -> bool {
        match self {
            PassSet::None => false,
            PassSet::All => true,
            PassSet::Named(names) => names.iter().any(|n| n == pass),
        }
    }
    /// Adds the pass of this name.
    pub fn add(&mut self, pass: &str) {
        match self {
            PassSet::All => {}
            PassSet::None => *self = PassSet::Named(vec![pass.to_string()]),
            PassSet::Named(names) => names.push(pass.to_string()),
        }
    }
}

/// How a pipeline is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Verify what each pass changed.
    pub verify_each: bool,
    /// Dump before these passes.
    pub print_before: PassSet,
    /// Dump after these passes.
    pub print_after: PassSet,
    /// Dump after each pass that changed the text of the module.
    pub print_after_change: bool,
    /// How dumps are printed.
    pub print: PrintOptions,
    /// On an internal error, make the input that shows it.
    pub reproducer: bool,
    /// Threads for function passes; one for each core if not given. Never changes what comes out.
    pub threads: Option<usize>,
    /// Function passes run on the functions of these names only, if given.
    pub only: Option<FxHashSet<Name>>,
    /// Asked before each pass, and by passes that take long. A run that it ends is not `ok` and has
    /// no diagnostic for it.
    pub cancel: CancelToken,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            verify_each: true,
            print_before: PassSet::None,
            print_after: PassSet::None,
            print_after_change: false,
            print: PrintOptions::default(),
            reproducer: true,
            threads: None,
            only: None,
            cancel: CancelToken::default(),
        }
    }
}

/// Which side of a pass a dump is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before it.
    Before,
    /// After it.
    After,
    /// After a pass that failed, or after which the module is not valid.
    AfterFailure,
}

/// The text of the module at some point of the pipeline.
pub struct Dump<'a> {
    /// Which side of the pass it is from.
    pub when: When,
    /// The pass's name.
    pub pass: &'a str,
    /// The number of the pass in the pipeline, from 0.
    pub index: usize,
    /// The module.
    pub text: String,
}

/// Where a run's by-products go; what does not matter to the caller may be dropped.
pub trait Sink {
    /// Takes the text of the module before or after a pass.
    fn dump(&mut self, _dump: Dump<'_>) {}
    /// A file that shows an internal error in `pass`; gives back where it was put, if anywhere.
    fn reproducer(&mut self, _pass: &str, _text: &str) -> Option<String> {
        None
    }
}
impl Sink for () {}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// No pass failed and everything verified.
    pub ok: bool,
    /// Whether a pass changed the module.
    pub changed: Changed,
    /// Errors and warnings, in an order that depends on the module and the pipeline only.
    pub diagnostics: Vec<Diagnostic>,
    /// A child for each pass that ran.
    pub timing: Timing,
    /// Pass, statistic, count; in the order of the passes.
    pub statistics: Vec<(&'static str, &'static str, u64)>,
    /// What passes told of their own, in the order of the passes.
    pub told: Vec<Box<dyn Any + Send>>,
}

impl Outcome {
    /// The last thing of this type that a pass told.
    pub fn take_told<T: Any>(&mut self) -> Option<T> {
        let at = self.told.iter().rposition(|told| told.is::<T>())?;
        self.told.remove(at).downcast().ok().map(|told| *told)
    }
}

/// Runs the pipeline on a module that is valid. If the outcome is not `ok`, the module is as the
/// failing pass left it.
pub fn run_pipeline(module: &mut Module, pipeline: &Pipeline, options: &RunOptions, sink: &mut dyn Sink) -> Outcome {
    let passes = pipeline.passes().len();
    let original = (options.reproducer && passes > 0).then(|| module.clone());
    let mut runner = Runner {
        options,
        threads: Threads::new(options.threads),
        sink,
        outcome: Outcome {
            ok: true,
            changed: Changed::No,
            diagnostics: Vec::new(),
            timing: Timing::new("passes"),
            statistics: Vec::new(),
            told: Vec::new(),
        },
        failed: None,
        view: None,
        changed: FxHashSet::default(),
    };
    let start = std::time::Instant::now();
    let mut next = 0;
    runner.items(module, pipeline, &mut next, Around::default());
    runner.outcome.timing.wall = start.elapsed();
    let (failed, mut outcome) = (runner.failed, runner.outcome);
    if let (Some((index, pass)), Some(original)) = (failed, original) {
        let text = reproducer(original, pipeline, index);
        if let Some(place) = sink.reproducer(pass, &text)
            && let Some(last) = outcome.diagnostics.last_mut()
        {
            last.notes.push(format!("an input that shows it is in {place}"));
        }
    }
    outcome
}

/// The module before pass `index`, and the rest of the pipeline in a comment that `caustic-opt` can
/// be given.
fn reproducer(mut original: Module, pipeline: &Pipeline, index: usize) -> String {
    let options = RunOptions { verify_each: false, reproducer: false, threads: Some(1), ..RunOptions::default() };
    run_pipeline(&mut original, &pipeline.prefix(index), &options, &mut ());
    let rest = pipeline.slice(index..index + 1).to_string().replace('\'', "\"");
    format!("// caustic-opt --pass-pipeline='{rest}'\n{}", print_module(&original, &PrintOptions::default()))
}

/// What stands around a nested module.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    view: Option<&'a ModuleView<'a>>,
    table: Option<&'a SymbolTable<'a>>,
}

struct Runner<'r> {
    options: &'r RunOptions,
    threads: Threads,
    sink: &'r mut dyn Sink,
    outcome: Outcome,
    /// The pass in which the compiler itself failed.
    failed: Option<(usize, &'static str)>,
    /// What passes know of the module that nothing stands around, until one changes more than code
    /// of symbols.
    view: Option<ModuleView<'static>>,
    /// The symbols whose code changed since.
    changed: FxHashSet<Name>,
}

impl Runner<'_> {
    /// Runs the items of a group on the symbols of `module`; `next` counts passes. Stops when
    /// something fails.
    fn items(&mut self, module: &mut Module, group: &Pipeline, next: &mut usize, around: Around<'_>) {
        for item in &group.items {
            match item {
                Item::Pass(run) => {
                    let index = *next;
                    *next += 1;
                    self.pass(module, run, group.anchor, index, around);
                }
                Item::Group(inner) => {
                    let start = *next;
                    *next += inner.passes().len();
                    if inner.anchor != Anchor::Module {
                        self.items(module, inner, &mut start.clone(), around);
                    }
                    self.nested(module, inner, start, around);
                }
            }
            if !self.outcome.ok {
                return;
            }
        }
    }

    /// Runs a group on the modules nested in `module` that its anchor takes.
    fn nested(&mut self, module: &mut Module, group: &Pipeline, start: usize, around: Around<'_>) {
        if !module.symbols().iter().any(|s| s.nested.is_some() && group.anchor.takes(s)) {
            return;
        }
        let view = ModuleView::of(module, around.view);
        let table = SymbolTable::of(module, around.table);
        let inner = Around { view: Some(&view), table: Some(&table) };
        let items = Pipeline { anchor: Anchor::Module, items: group.items.clone() };
        for symbol in module.symbols_mut().iter_mut().filter(|s| group.anchor.takes(s)) {
            if let Some(nested) = &mut symbol.nested {
                self.items(nested, &items, &mut start.clone(), inner);
            }
            if !self.outcome.ok {
                return;
            }
        }
    }

    fn pass(&mut self, module: &mut Module, run: &PassRun, anchor: Anchor, index: usize, around: Around<'_>) {
        if self.options.cancel.is_cancelled() {
            self.outcome.ok = false;
            return;
        }
        let name = run.def.name;
        let before = self.options.print_after_change.then(|| self.text(module));
        if self.options.print_before.contains(name) {
            self.dump(module, When::Before, name, index);
        }
        let mutation = Mutation::before(name, module);
        let mut timing = std::mem::replace(&mut self.outcome.timing, Timing::new(""));
        let end = timing.measure(name, |_| match run.def.run {
            Run::Module(f) => run_on_module(run.def, f, module, &run.options, &self.options.cancel),
            Run::Function(f) => {
                // Directly in a module's group, a function pass runs on all functions.
                let anchor = if anchor == Anchor::Module { Anchor::Any } else { anchor };
                let only = self.options.only.as_ref();
                if around.view.is_some() {
                    let view = ModuleView::of(module, around.view);
                    return run_on_symbols(run, f, module, &view, anchor, only, &self.threads, &self.options.cancel);
                }
                let changed = std::mem::take(&mut self.changed);
                let view = match &mut self.view {
                    Some(view) => {
                        view.update(module, &changed);
                        debug_assert_eq!(
                            *view,
                            ModuleView::of(module, None),
                            "a pass before `{name}` changed the module and did not say so"
                        );
                        view
                    }
                    none => none.insert(ModuleView::of(module, None)),
                };
                run_on_symbols(run, f, module, view, anchor, only, &self.threads, &self.options.cancel)
            }
        });
        match &end.changed_symbols {
            Some(symbols) if !end.heads_changed => self.changed.extend(symbols),
            _ if end.changed == Changed::Yes => self.view = None,
            _ => {}
        }
        if mutation.after(module) {
            self.view = None;
        }
        let invalid = if self.options.verify_each && end.errors.is_empty() && end.changed == Changed::Yes {
            timing.measure(format!("{name}: verify"), |_| self.verify(module, &end, around))
        } else {
            Vec::new()
        };
        self.outcome.timing = timing;

        self.outcome.changed = self.outcome.changed.or(end.changed);
        for &(statistic, count) in end.report.counts() {
            self.outcome.statistics.push((name, statistic, count));
        }
        self.outcome.diagnostics.extend(end.report.diagnostics);
        self.outcome.told.extend(end.report.told);
        if end.panicked || !invalid.is_empty() {
            self.failed = Some((index, name));
        }
        // What a pass left undone when the end was asked for is no result.
        let cancelled = self.options.cancel.is_cancelled();
        self.outcome.ok = end.errors.is_empty() && invalid.is_empty() && !cancelled;
        self.outcome.diagnostics.extend(end.errors);
        self.outcome.diagnostics.extend(invalid.into_iter().map(|d| blamed(d, name)));
        if !self.outcome.ok {
            if self.options.print_after.contains(name) || self.options.print_after_change {
                self.dump(module, When::AfterFailure, name, index);
            }
            return;
        }
        let changed = before.is_some_and(|text| end.changed == Changed::Yes && text != self.text(module));
        if self.options.print_after.contains(name) || changed {
            self.dump(module, When::After, name, index);
        }
    }

    fn text(&self, module: &Module) -> String {
        print_module(module, &self.options.print)
    }

    fn dump(&mut self, module: &Module, when: When, pass: &str, index: usize) {
        let text = self.text(module);
        self.sink.dump(Dump { when, pass, index, text });
    }

    /// Everything that is wrong after a pass. A function pass that left all heads alone can only
    /// have broken what it changed.
    fn verify(&self, module: &Module, end: &PassEnd, around: Around<'_>) -> Vec<Diagnostic> {
        let table = SymbolTable::of(module, around.table);
        let changed: Option<FxHashSet<_>> = end.changed_symbols.as_ref().map(|names| names.iter().copied().collect());
        let asked: Vec<&SymbolOp> = match changed {
            Some(names) if !end.heads_changed => module.symbols().iter().filter(|s| names.contains(&s.name)).collect(),
            _ => module.symbols().iter().collect(),
        };
        self.threads.map_symbols(asked, |symbol| verify_symbol(symbol, &table)).into_iter().flatten().collect()
    }
}

/// A diagnostic of the verifier as the fault of the pass that it came after.
fn blamed(diagnostic: Diagnostic, pass: &str) -> Diagnostic {
    Diagnostic {
        fault: Fault::Internal,
        code: codes::E9999,
        message: format!("after pass `{pass}` the code is not valid: {}", diagnostic.message),
        ..diagnostic
    }
}
