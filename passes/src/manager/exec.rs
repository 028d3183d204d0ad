//! Running one pass, on the module or on many symbols at once, with panics caught.

use super::pipeline::{Anchor, PassRun};
use super::report::PassReport;
use super::row::{Changed, FunctionPass, PassDef, PassOptions, PassResult};
use super::view::ModuleView;
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name, SymbolOp};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Deep code is walked recursively in places; only what is used of a stack costs memory.
const STACK_BYTES: usize = 256 << 20;

/// If there are fewer ops than this beside the largest item, handing work to other threads costs
/// more than it saves.
const PARALLEL_FROM_OPS: usize = 4096;

/// The threads that function passes run on.
pub enum Threads {
    /// One for each core, shared by the whole process.
    Shared,
    One,
    Own(rayon::ThreadPool),
}

fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build().ok()
}

impl Threads {
    pub fn new(count: Option<usize>) -> Threads {
        match count {
            None => Threads::Shared,
            Some(0 | 1) => Threads::One,
            Some(n) => pool(n).map_or(Threads::One, Threads::Own),
        }
    }

    /// `work` for each item, which has so many ops, in parallel if they are worth it; results in
    /// order.
    fn map<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        ops: impl Fn(&T) -> usize,
        work: impl Fn(T) -> R + Sync + Send,
    ) -> Vec<R> {
        static SHARED: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
        let sizes = || items.iter().map(&ops);
        let beside = || sizes().sum::<usize>() - sizes().max().unwrap_or(0);
        let pool = match self {
            Threads::One => None,
            Threads::Own(pool) => Some(pool),
            Threads::Shared if beside() < PARALLEL_FROM_OPS => None,
            Threads::Shared => SHARED.get_or_init(|| pool(0)).as_ref(),
        };
        match pool {
            Some(pool) => pool.install(|| items.into_par_iter().map(work).collect()),
            None => items.into_iter().map(work).collect(),
        }
    }

    /// [`Self::map`] over the symbols of a module, read only.
    pub fn map_symbols<R: Send>(&self, symbols: Vec<&SymbolOp>, work: impl Fn(&SymbolOp) -> R + Sync + Send) -> Vec<R> {
        self.map(symbols, |s| s.body.num_ops(), work)
    }
}

/// What came of one pass over everything it ran on.
pub struct PassEnd {
    pub changed: Changed,
    /// The symbols that a function pass changed; None after a module pass.
    pub changed_symbols: Option<Vec<Name>>,
    /// Whether a function pass changed what other symbols may know of its symbol.
    pub heads_changed: bool,
    pub report: PassReport,
    pub errors: Vec<Diagnostic>,
    /// Whether the errors are the compiler's own.
    pub panicked: bool,
}

impl PassEnd {
    fn new() -> PassEnd {
        PassEnd {
            changed: Changed::No,
            changed_symbols: None,
            heads_changed: false,
            report: PassReport::default(),
            errors: Vec::new(),
            panicked: false,
        }
    }

    fn add(&mut self, pass: &PassDef, loc: Loc, result: Result<PassResult, String>) -> bool {
        match result {
            Ok(Ok(changed)) => {
                self.changed = self.changed.or(changed);
                return changed == Changed::Yes;
            }
            Ok(Err(errors)) => self.errors.extend(errors),
            Err(said) => {
                self.panicked = true;
                self.errors.push(Diagnostic::internal(loc, format!("pass `{}` panicked: {said}", pass.name)));
            }
        }
        false
    }
}

fn said(payload: Box<dyn Any + Send>) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|s| s.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "(no message)".to_string())
}

pub fn run_on_module(
    pass: &'static PassDef,
    f: super::row::ModulePass,
    module: &mut Module,
    options: &PassOptions,
    cancel: &CancelToken,
) -> PassEnd {
    let mut end = PassEnd::new();
    let mut report = PassReport::under(cancel.clone());
    let loc = module.symbols().first().map_or_else(Loc::unknown, |s| s.loc);
    let result = catch_unwind(AssertUnwindSafe(|| f(module, options, &mut report))).map_err(said);
    end.add(pass, loc, result);
    end.report = report;
    end
}

/// `view` is what the module is before.
pub fn run_on_symbols(
    run: &PassRun,
    f: FunctionPass,
    module: &mut Module,
    view: &ModuleView<'_>,
    anchor: Anchor,
    only: Option<&FxHashSet<Name>>,
    threads: &Threads,
    cancel: &CancelToken,
) -> PassEnd {
    let taken =
        |s: &SymbolOp| s.nested.is_none() && anchor.takes(s) && only.is_none_or(|names| names.contains(&s.name));
    let symbols: Vec<&mut SymbolOp> = module.symbols_mut().iter_mut().filter(|s| taken(s)).collect();
    let results = threads.map(
        symbols,
        |s| s.body.num_ops(),
        |symbol| {
            let mut report = PassReport::default();
            if cancel.is_cancelled() {
                return (symbol.name, symbol.loc, report, Ok(Ok(Changed::No)));
            }
            let result = catch_unwind(AssertUnwindSafe(|| f(symbol, view, &run.options, &mut report))).map_err(said);
            (symbol.name, symbol.loc, report, result)
        },
    );
    // Joined in the order of the symbols, whatever order they were finished in.
    let mut end = PassEnd::new();
    let mut changed = Vec::new();
    for (name, loc, report, result) in results {
        end.report.merge(report);
        if end.add(run.def, loc, result) {
            changed.push(name);
        }
    }
    end.changed_symbols = Some(changed);
    end.heads_changed = module.symbols().iter().zip(view.symbols()).any(|(s, head)| s.attrs != head.attrs);
    end
}
