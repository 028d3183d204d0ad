//! A session: texts, options, and what accompanies the work on them.

use crate::context::{Context, PassSink, Watched};
use crate::diagnostics::{Diagnostics, Error, Failure, Texts, told};
use crate::options::{Options, WarningLevel};
use crate::program::Program;
use crate::sources::{NoFiles, Search, SourceLoader};
use crate::{pipeline, stack};
use caustic_ir::{CancelToken, Diagnostic, Loc, Severity};
use caustic_passes::manager::PassDef;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Texts and how they are compiled. Sessions know nothing of each other, and a session can be used
/// by several threads.
pub struct Session<'l> {
    options: Options,
    memory: BTreeMap<String, String>,
    files: Box<dyn SourceLoader + 'l>,
    cx: Context,
}

impl<'l> Session<'l> {
    /// A session without any text, which reads no files.
    pub fn new(options: Options) -> Session<'l> {
        Session { options, memory: BTreeMap::new(), files: Box::new(NoFiles), cx: Context::default() }
    }

    /// Texts that were not added come from `loader`, such as [`FileLoader`](crate::FileLoader).
    pub fn with_loader(mut self, loader: impl SourceLoader + 'l) -> Session<'l> {
        self.files = Box::new(loader);
        self
    }

    /// Once `cancel` is set, all work of the session and of what was made in it ends with
    /// [`Error::Cancelled`].
    pub fn with_cancel(mut self, cancel: CancelToken) -> Session<'l> {
        self.cx.cancel = cancel;
        self
    }

    /// Gives the module before and after the passes that are watched to `sink`.
    pub fn with_sink(mut self, watched: Watched, sink: Arc<dyn PassSink>) -> Session<'l> {
        (self.cx.watched, self.cx.sink) = (watched, Some(sink));
        self
    }

    /// The e-graph is this pass, which `caustic_passes::egraph_with!` declares: it knows rows of
    /// somebody's own beside the built-in ones.
    pub fn with_egraph(mut self, pass: &'static PassDef) -> Session<'l> {
        self.cx.egraph = Some(pass);
        self
    }

    /// Adds a text, in the place of an earlier one of this name and before what a loader has. A
    /// name that ends with `.mlir` is a module as text; any other is a program in Slang.
    pub fn add_source(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.memory.insert(name.into(), text.into());
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Reads a program and what it imports, and checks it but for what only its derivatives show.
    ///
    /// # Errors
    /// [`Error::Rejected`], with the warnings among its diagnostics.
    pub fn compile(&self, file: &str) -> Result<Program, Error> {
        self.compile_with(file, &self.options)
    }

    /// Runs every check of the language on a program, those about derivatives included. It needs no
    /// entry point, and types of type parameters need not be given. The result are the warnings.
    ///
    /// # Errors
    /// [`Error::Rejected`]
    pub fn check(&self, file: &str) -> Result<Diagnostics, Error> {
        let mut options = self.options.clone();
        options.stand_ins = true;
        let program = self.compile_with(file, &options)?;
        program.check_derivatives()?;
        Ok(program.diagnostics().clone())
    }

    fn compile_with(&self, file: &str, options: &Options) -> Result<Program, Error> {
        let cx = self.cx.fresh();
        let none = Texts::default();
        let front = stack::with_room(|| {
            let include_dirs = &options.include_dirs;
            let mut sources = Search::new(&self.memory, &*self.files, include_dirs, file);
            Ok(pipeline::front_end(file, options, &mut sources, &cx))
        });
        let front = front.map_err(|failure| told(failure, &cx.cancel, &none))?;
        let texts = Texts::new(front.files, front.origins);
        let found = judged(front.diagnostics, options);
        let failed = found.iter().any(|d| d.severity == Severity::Error);
        match front.module {
            Some(module) if !failed && !cx.cancel.is_cancelled() => {
                let found = Diagnostics::new(found, texts.clone());
                Ok(Program::new(module, (file, front.own_files), found, texts, front.unsampled, (options.clone(), cx)))
            }
            _ if failed => Err(told(Failure::Found(found), &cx.cancel, &texts)),
            _ => {
                let found = Diagnostic::internal(Loc::unknown(), "the front end gave neither module nor error");
                Err(told(found.into(), &cx.cancel, &texts))
            }
        }
    }
}

/// The diagnostics without the warnings that are allowed, and with those that are denied as errors.
pub(crate) fn judged(found: Vec<Diagnostic>, options: &Options) -> Vec<Diagnostic> {
    let judge = |mut d: Diagnostic| {
        if d.severity == Severity::Warning {
            match options.warning(&d.code) {
                Some(WarningLevel::Allow) => return None,
                Some(WarningLevel::Deny) => d.severity = Severity::Error,
                None => {}
            }
        }
        Some(d)
    };
    found.into_iter().filter_map(judge).collect()
}
