//! What accompanies all work of a session: the flag that ends it, where dumps go, how long the
//! steps took.

use crate::backend::Backend;
use crate::options::{CodeOptions, Rewrite};
use caustic_ir::text::PrintOptions;
use caustic_ir::{CancelToken, Diagnostic, Module, Name};
use caustic_passes::egraph::{EGRAPH, EgraphOptions, FunctionReport};
use caustic_passes::manager::{Dump, Outcome, PassDef, PassSet, Pipeline, RunOptions, Sink, Timing, When};
use caustic_passes::optimize::canonicalize::CanonicalizeOptions;
use caustic_passes::optimize::symbol_dce::SymbolDceOptions;
use caustic_passes::pipelines::{self, Standard};
use caustic_passes::rows::Class;
use caustic_runtime::Floats;
use std::sync::{Arc, Mutex};

/// Which passes are watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watched {
    /// The module before these passes.
    pub before: PassSet,
    /// The module after these.
    pub after: PassSet,
    /// The module after each pass that changed it.
    pub after_change: bool,
}

/// The text of a module at some point of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassDump {
    /// The pipeline's name.
    pub pipeline: &'static str,
    /// The pass's name.
    pub pass: String,
    /// The number of the pass in the pipeline, from 0.
    pub index: usize,
    /// Whether it is from before the pass.
    pub before: bool,
    /// The module.
    pub text: String,
}

/// Where a session's dumps go. They may come from several threads.
pub trait PassSink: Send + Sync {
    /// Takes the text of a module before or after a pass.
    fn dump(&self, dump: PassDump);
}

/// See the head of the file. One is made for each piece of work, so that its times are its own.
#[derive(Clone, Default)]
pub struct Context {
    pub(crate) cancel: CancelToken,
    pub(crate) watched: Watched,
    pub(crate) sink: Option<Arc<dyn PassSink>>,
    /// What the e-graph may do, and for which machine.
    rewriting: EgraphOptions,
    /// Whether it runs at all.
    rewrites: bool,
    /// The pass in its place, with rows of somebody's own.
    pub(crate) egraph: Option<&'static PassDef>,
    /// Whether code is folded that makes a NaN or an infinity of finite numbers.
    keep_non_finite: bool,
    /// Whether an access out of range ends the program.
    pub(crate) checks_bounds: bool,
    /// The function that alone is of use, with what it calls; all are if there is none.
    kernel: Option<Name>,
    /// What it did in the last pipeline that it stood in, if it is asked to tell.
    rewritten: Arc<Mutex<Vec<FunctionReport>>>,
    times: Arc<Mutex<Vec<Timing>>>,
}

struct OfPipeline<'a>(&'static str, &'a dyn PassSink);

impl Sink for OfPipeline<'_> {
    fn dump(&mut self, dump: Dump<'_>) {
        let Dump { when, pass, index, text } = dump;
        let (pass, before) = (pass.to_string(), when == When::Before);
        self.1.dump(PassDump { pipeline: self.0, pass, index, before, text });
    }
}

impl Context {
    /// The same without any times.
    pub(crate) fn fresh(&self) -> Context {
        Context { times: Arc::default(), rewritten: Arc::default(), ..self.clone() }
    }

    /// The same, where what the e-graph did is told.
    pub(crate) fn reporting(&self) -> Context {
        Context { rewriting: EgraphOptions { report: true, ..self.rewriting.clone() }, ..self.clone() }
    }

    /// The same for a module of which only this function is of use.
    pub(crate) fn of_kernel(&self, kernel: Name) -> Context {
        Context { kernel: Some(kernel), ..self.clone() }
    }

    /// What the e-graph did.
    pub(crate) fn rewritten(&self) -> Vec<FunctionReport> {
        std::mem::take(&mut *self.rewritten.lock().unwrap_or_else(|e| e.into_inner()))
    }

    /// The same for code that a back end runs.
    pub(crate) fn rewriting(&self, code: CodeOptions, backend: Backend) -> Context {
        let costs = backend.machine(code.freedom());
        let rewrites = match code.rewrite {
            Rewrite::Auto => self.rewriting.report || backend.is_rewritten() || code.ulps.is_some(),
            Rewrite::On => true,
            Rewrite::Off => false,
        };
        let class = match code.floats {
            Floats::Exact => Class::Exact,
            Floats::Contracted => Class::Contract,
            Floats::Fast => Class::Fast,
        };
        let fuse = !backend.fuses() || code.ulps.is_some();
        let ulps = code.ulps.map(i64::from);
        let gain = backend.least_gain();
        let rewriting = EgraphOptions { class, costs, ulps, gain, fuse, ..self.rewriting.clone() };
        Context { rewriting, rewrites, ..self.clone() }
    }

    /// The same for code whose numbers are watched: each is computed where the program computes it,
    /// so that its place is the program's.
    pub(crate) fn watching(&self) -> Context {
        Context { rewrites: false, keep_non_finite: true, ..self.clone() }
    }

    /// The same for a program that an access out of range ends, if that is `wanted`.
    pub(crate) fn checking(&self, wanted: bool) -> Context {
        Context { checks_bounds: wanted, ..self.clone() }
    }

    /// Runs a pipeline. A debug build checks the module after every pass.
    ///
    /// # Errors
    /// What is wrong; nothing if the run was cancelled.
    pub fn run(&self, module: &mut Module, standard: Standard) -> Result<(), Vec<Diagnostic>> {
        let pipeline = pipelines::pipeline(standard).map_err(|e| vec![e])?;
        let pipeline = match (self.rewrites, self.kernel) {
            // What was inlined everywhere need not be rewritten.
            (true, Some(kernel)) => {
                let unused = SymbolDceOptions { entries_only: true, keep: kernel.to_string() };
                pipeline.with_before(&EGRAPH, (&unused).into()).with(&(&self.rewriting).into())
            }
            (true, None) => pipeline.with(&(&self.rewriting).into()),
            (false, _) => pipeline.without(&EGRAPH),
        };
        let folding = CanonicalizeOptions { keep_non_finite: self.keep_non_finite, ..CanonicalizeOptions::default() };
        let pipeline = if self.keep_non_finite { pipeline.with(&(&folding).into()) } else { pipeline };
        let pipeline = match self.egraph {
            Some(own) => pipeline.in_place_of(&EGRAPH, own),
            None => pipeline,
        };
        let outcome = self.run_pipeline(module, standard.name, &pipeline, cfg!(debug_assertions))?;
        let told: Vec<FunctionReport> =
            outcome.told.into_iter().filter_map(|t| t.downcast().ok()).map(|report| *report).collect();
        if !told.is_empty() {
            *self.rewritten.lock().unwrap_or_else(|e| e.into_inner()) = told;
        }
        Ok(())
    }

    /// Runs a pipeline under a name. The steps that it took are the context's, not the outcome's.
    ///
    /// # Errors
    /// What is wrong; nothing if the run was cancelled.
    pub(crate) fn run_pipeline(
        &self,
        module: &mut Module,
        name: &'static str,
        pipeline: &Pipeline,
        verify_each: bool,
    ) -> Result<Outcome, Vec<Diagnostic>> {
        let mut options = RunOptions { verify_each, cancel: self.cancel.clone(), ..RunOptions::default() };
        let mut outcome = match &self.sink {
            Some(sink) => {
                options.print_before = self.watched.before.clone();
                options.print_after = self.watched.after.clone();
                options.print_after_change = self.watched.after_change;
                options.print = PrintOptions::default();
                pipelines::run_as(module, pipeline, options, &mut OfPipeline(name, &**sink))
            }
            None => pipelines::run_as(module, pipeline, options, &mut ()),
        }?;
        let timing = std::mem::replace(&mut outcome.timing, Timing::new(""));
        self.took(Timing { name: name.to_string(), ..timing });
        Ok(outcome)
    }

    /// Runs `work` as a step of this name.
    pub(crate) fn step<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        let mut timing = Timing::new("");
        let result = timing.measure(name, |_| work());
        timing.children.into_iter().for_each(|step| self.took(step));
        result
    }

    pub(crate) fn took(&self, step: Timing) {
        self.times.lock().unwrap_or_else(|e| e.into_inner()).push(step);
    }

    /// The steps so far as one of this name.
    pub(crate) fn timing(&self, name: &str) -> Timing {
        let children = self.times.lock().unwrap_or_else(|e| e.into_inner()).clone();
        Timing { name: name.to_string(), wall: children.iter().map(|c| c.wall).sum(), children }
    }
}
