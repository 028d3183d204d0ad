//! The Slang front end: source text in, a module of `hl` and diagnostics out.
//!
//! The way: `modules` (`preprocess` → `scan` of each file) → `parse` (grammar in `grammar.pest`) →
//! `ast` → `sema` → checked tree → `lower`. The builtin functions are in `prelude/`, written in the
//! language. The library reads no file (see [`SourceLoader`]), knows no pass and no target, and
//! never panics on any text.

// The generated parser names it.
extern crate alloc;

use caustic_ir::codes;
pub mod ast;
mod indentation;
mod lower;
pub mod modules;
pub mod mutants;
mod parse;
mod prelude;
mod preprocess;
mod scan;
pub mod sema;
pub mod source;
pub mod version;

pub use source::{MemoryLoader, SourceLoader};

pub use prelude::has_file as is_library_file;

use caustic_ir::{CancelToken, Diagnostic, Module, Severity};
use source::{Origins, SourceMap, Span};
use std::time::{Duration, Instant};

/// Nesting is bounded (`scan::MAX_NESTING`), and this holds what the bound allows, in an
/// unoptimized build too.
const STACK_BYTES: usize = 1 << 30;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D NAME[=VALUE]`.
    pub defines: Vec<(String, Option<String>)>,
    /// `TYPE:INTERFACE[=ID]`: types that values of interfaces' types can hold, with the numbers
    /// that the host knows them by.
    pub conformances: Vec<String>,
    /// What the program's type parameters and its shader parameters of interface types are, in
    /// order.
    pub global_types: Vec<String>,
    /// Where nothing is given for a type parameter, the program's first conforming type stands in;
    /// for checking only.
    pub stand_ins: bool,
    /// Instances of generic functions that have derivatives are made for a gradient check, whether
    /// anything uses them or not.
    pub sample_generics: bool,
    /// Which generic entry point is made for which types.
    pub entry: Option<String>,
    pub entry_types: Vec<String>,
    /// The size of a group where the program does not say it.
    pub threads: Option<[u32; 3]>,
    /// How matrices lie in memory where nothing is written about it.
    pub matrix_layout: sema::types::MatrixLayout,
    /// What files are written in that do not say so.
    pub version: version::Version,
    /// Asked between the steps and for each function. A compilation that it ends gives neither
    /// module nor error.
    pub cancel: CancelToken,
}

/// What a compilation gives. `module` is there if nothing was wrong.
pub struct Compiled {
    pub module: Option<Module>,
    pub diagnostics: Vec<Diagnostic>,
    /// The files that were read, as name and text: for showing source lines in diagnostics.
    pub files: Vec<(String, std::sync::Arc<str>)>,
    /// For diagnostics that are found later: what their places do not say.
    pub origins: Origins,
    /// Functions of which `sample_generics` made no instance.
    pub unsampled: Vec<sema::samples::Unsampled>,
    /// The files of the main module, if there is a program.
    pub main_files: Vec<String>,
    /// Where the time went; what is measured never influences what is done.
    pub steps: Vec<(&'static str, Duration)>,
}

/// Measures steps, one after the other.
struct Clock {
    start: Instant,
    steps: Vec<(&'static str, Duration)>,
}

impl Clock {
    fn new() -> Clock {
        Clock { start: Instant::now(), steps: Vec::new() }
    }
    /// What ran since the last call was this step.
    fn lap(&mut self, step: &'static str) {
        let now = Instant::now();
        self.steps.push((step, now - std::mem::replace(&mut self.start, now)));
    }
}

/// Compiles `main_file`.
pub fn compile(sources: &mut dyn SourceLoader, main_file: &str, options: &Options) -> Compiled {
    let mut clock = Clock::new();
    let mut map = SourceMap::with(prelude::sources());
    let texts = modules::read(sources, main_file, options, &mut map);
    clock.lap("preprocess");
    // The front end recurses on nesting; its own thread gives it a stack that is known to suffice.
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).name("frontend".to_string());
    std::thread::scope(|scope| {
        let task = worker.spawn_scoped(scope, move || compile_texts(map, texts, options, clock));
        match task.map(|t| t.join()) {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => {
                let d = Diagnostic::internal(caustic_ir::Loc::unknown(), format!("cannot start a thread: {e}"));
                Compiled {
                    module: None,
                    diagnostics: vec![d],
                    files: Vec::new(),
                    origins: Origins::default(),
                    unsampled: Vec::new(),
                    main_files: Vec::new(),
                    steps: Vec::new(),
                }
            }
        }
    })
}

fn compile_texts(mut map: SourceMap, mut texts: modules::Texts, options: &Options, mut clock: Clock) -> Compiled {
    let mut diagnostics = std::mem::take(&mut texts.diagnostics);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return finish(map, diagnostics, None, clock);
    }
    if options.cancel.is_cancelled() {
        return finish(map, diagnostics, None, clock);
    }
    let (program, errors) = modules::parse(&texts, &map);
    clock.lap("parse");
    if options.cancel.is_cancelled() {
        return finish(map, Vec::new(), None, clock);
    }
    let syntax_errors = !errors.is_empty();
    diagnostics.extend(errors);
    let mut prelude = prelude::Prelude::default();
    let mut checker = sema::Checker::new(&mut map, &mut prelude);
    checker.check_program(&program, options);
    clock.lap("check types");
    let module = if syntax_errors || checker.failed() || options.cancel.is_cancelled() {
        None
    } else {
        match lower::lower(&mut checker) {
            Ok(module) => Some(module),
            Err(problems) => {
                checker.diags.extend(problems);
                None
            }
        }
    };
    // Of statements that could not be read nobody knows what they do.
    checker.diags.retain(|d| !syntax_errors || d.severity == Severity::Error);
    diagnostics.append(&mut checker.diags);
    let unsampled = std::mem::take(&mut checker.unsampled);
    clock.lap("lower to hl");
    if options.cancel.is_cancelled() {
        return finish(map, Vec::new(), None, clock);
    }
    Compiled { unsampled, main_files: texts.main_files(), ..finish(map, diagnostics, module, clock) }
}

fn scan_diagnostic(map: &SourceMap, base: u32, e: scan::ScanError) -> Diagnostic {
    use scan::ScanError::*;
    let loc = |at: usize| map.loc(Span::new(base + at as u32, base + at as u32 + 1));
    match e {
        Unclosed { at, found, open_at, open } => {
            let before = found.map_or("the end".to_string(), |c| format!("`{c}`"));
            let text = format!("`{open}` is not closed before {before}");
            // What a macro opens and does not close is wrong in the macro.
            let written = Span::new(base + open_at as u32, base + open_at as u32 + 1);
            match map.shown(written) {
                (opened, Some(_)) if opened != loc(open_at) => {
                    let d = map.diagnostic(written, |place| Diagnostic::error(codes::E0101, place, text));
                    d.with_label_at(loc(at), "not closed before this")
                }
                _ => Diagnostic::error(codes::E0101, loc(at), text).with_label_at(loc(open_at), "opened here"),
            }
        }
        Unopened { at, bracket } => {
            Diagnostic::error(codes::E0101, loc(at), format!("this `{bracket}` closes nothing"))
        }
        Lacking { at, open_at } => {
            let text = "`{` is not closed before this, which stands no further in";
            Diagnostic::error(codes::E0101, loc(at), text).with_label_at(loc(open_at), "opened here")
        }
        Surplus { at, open_at, end } => {
            let text = "this `}` closes a block that stands less far in, and another one then closes nothing";
            Diagnostic::error(codes::E0101, loc(at), text)
                .with_label_at(loc(open_at), "opened here")
                .with_label_at(loc(end), "this closes nothing")
        }
        Mismatched { at, found, open_at, open } => {
            Diagnostic::error(codes::E0101, loc(at), format!("`{found}` does not close `{open}`"))
                .with_label_at(loc(open_at), "opened here")
        }
        TooDeep { at } => Diagnostic::error(
            codes::E0102,
            loc(at),
            format!("this is nested too deeply: more than {} levels", scan::MAX_NESTING),
        ),
        UnclosedRawString { at } => Diagnostic::error(codes::E0103, loc(at), "this raw string does not end"),
        UnclosedComment { at } => Diagnostic::error(codes::E0103, loc(at), "this comment does not end"),
        UnclosedString { at } => Diagnostic::error(codes::E0103, loc(at), "this string does not end on its line"),
    }
}

fn finish(map: SourceMap, mut diagnostics: Vec<Diagnostic>, module: Option<Module>, clock: Clock) -> Compiled {
    // A cause may be found twice (a generic's body in two instances); it is reported once.
    let mut seen = rustc_hash::FxHashSet::default();
    diagnostics.retain(|d| seen.insert((d.code, d.loc, d.message.clone())));
    let (files, origins) = (map.texts(), map.into_origins());
    origins.explain_all(&mut diagnostics);
    let (unsampled, main_files) = (Vec::new(), Vec::new());
    Compiled { module, diagnostics, files, origins, unsampled, main_files, steps: clock.steps }
}

impl Compiled {
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}
