//! A program that has been read and checked, and what can be made of it.

use crate::available;
use crate::bindings::Bindings;
use crate::context::Context;
use crate::diagnostics::{Diagnostics, Error, Failure, Texts, told};
use crate::emit;
use crate::function::{Function, FunctionOptions};
use crate::gradcheck::{self, GradcheckOptions};
use crate::kernel::{EntryPoint, Kernel};
use crate::options::{Derivatives, KernelOptions, Options, Stage, Target, TextForm, whole_file};
use crate::pipeline::{self, Errors};
use crate::stack;
use caustic_dialects::bound;
use caustic_dialects::reflect::Entry;
use caustic_dialects::signature::{DIFFERENTIABLE, ELSEWHERE};
use caustic_frontend::sema::samples::Unsampled;
use caustic_ir::codes::{self, Code};
use caustic_ir::{Diagnostic, Input, LocKind, Module, Name};
use caustic_passes::autodiff::{self, derivative_symbol, report};
use caustic_passes::manager::Timing;
use caustic_passes::optimize::symbol_dce::{self, Roots};
use caustic_runtime::KernelInterface;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What went wrong about the names that a host uses.
const E_ENTRY: Code = codes::E0803;

/// A program that [`Session::compile`](crate::Session::compile) has read.
pub struct Program {
    pub(crate) module: Module,
    pub(crate) file: String,
    /// The files of its own module: this one, and those that it joins by `__include`.
    own_files: Vec<String>,
    found: Diagnostics,
    pub(crate) texts: Texts,
    /// What it was read with.
    pub(crate) options: Options,
    pub(crate) cx: Context,
    timing: Timing,
    /// Generic functions without an instance for a gradient check.
    unsampled: Vec<Unsampled>,
}

impl Program {
    pub(crate) fn new(
        module: Module,
        (file, own_files): (&str, Vec<String>),
        found: Diagnostics,
        texts: Texts,
        unsampled: Vec<Unsampled>,
        (options, cx): (Options, Context),
    ) -> Program {
        let timing = cx.timing("front end");
        Program { module, file: file.to_string(), own_files, found, texts, options, cx, timing, unsampled }
    }

    /// Its warnings.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.found
    }

    /// Where the front end's time went.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// The names of its entry points.
    pub fn entry_points(&self) -> Vec<String> {
        let entries = self.module.symbols().iter().filter(|s| Entry::of(s).is_some());
        entries.map(|s| s.name.to_string()).collect()
    }

    /// Makes the derivatives of all differentiable functions of the program's file, whether they
    /// are used or not: some of the language's rules can only be checked so.
    ///
    /// # Errors
    /// [`Error::Rejected`]
    pub fn check_derivatives(&self) -> Result<(), Error> {
        self.work(|cx| {
            let all = self.at(Stage::Reverse, None, Derivatives::default(), cx);
            match all.map(|_| ()) {
                Err(found) if found.iter().all(|d| d.code == codes::E0605) => Ok(self.check_needed(cx)?),
                all => Ok(all?),
            }
        })
    }

    /// Makes the derivatives that the entry points need. Those of nested derivatives that nobody
    /// asks for may be too many, which is no mistake.
    fn check_needed(&self, cx: &Context) -> Result<(), Errors> {
        let mut module = pipeline::lower(self.module.clone(), Stage::Ad, cx)?;
        symbol_dce::run(&mut module, &Roots { entries_only: true, named: Vec::new() });
        let module = pipeline::differentiate(module, Derivatives::default(), cx)?;
        pipeline::continue_from(module, Stage::Ad, Stage::Reverse, cx).map(|_| ())
    }

    /// An entry point, to be compiled. Without a name it is the only one, else `computeMain`; a
    /// function without parameters can be named too, and runs once.
    ///
    /// `bound` are the names that will be bound: they say how many resources an array without a
    /// size has.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such entry point.
    pub fn entry_point<'n>(
        &self,
        name: Option<&str>,
        bound: impl IntoIterator<Item = &'n str, IntoIter: Clone>,
    ) -> Result<EntryPoint, Error> {
        let mut module = self.module.clone();
        bound::prepare(&mut module, bound.into_iter());
        let interface = self.interface_of(&module, name, None).map_err(|found| self.told(found.into()))?;
        Ok(EntryPoint::new(module, interface, self))
    }

    /// Compiles an entry point; see [`Program::entry_point`].
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such entry point, or it cannot be compiled.
    /// [`Error::Device`]: there is no GPU.
    pub fn kernel(&self, name: Option<&str>, options: &KernelOptions) -> Result<Kernel, Error> {
        self.entry_point(name, [])?.compile(options)
    }

    /// Compiles a function of the program, and its derivatives if it has any; there need be no
    /// entry point.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such function, or it cannot be called by itself.
    pub fn function(&self, name: &str, options: &FunctionOptions) -> Result<Function, Error> {
        self.work(|cx| Function::compile(self, name, options, cx))
    }

    /// The program at a stage of its compilation as text, or a function of it with what
    /// differentiation made of it. From [`Stage::Forward`] to [`Stage::Reverse`] it has every
    /// derivative that could be asked for, not only those that it uses.
    ///
    /// # Errors
    /// [`Error::Rejected`]: a pass refuses the program, or there is no such function.
    pub fn print(
        &self,
        stage: Stage,
        function: Option<&str>,
        how: Derivatives,
        form: TextForm,
    ) -> Result<String, Error> {
        self.work(|cx| {
            let (module, written) = match stage {
                Stage::Forward | Stage::Reverse => self.at(stage, function, how, cx)?,
                _ => (pipeline::lower(self.module.clone(), stage, cx)?, HashSet::new()),
            };
            let is_made = |name: Name| !written.is_empty() && !written.contains(&name);
            Ok(emit::print(&module, function, form, &is_made).map_err(|message| self.about_function(message))?)
        })
    }

    /// What the reverse derivatives of the program's functions, or of one of them, store.
    ///
    /// # Errors
    /// [`Error::Rejected`]: a derivative cannot be made.
    pub fn checkpoints(&self, function: Option<&str>, how: Derivatives) -> Result<CheckpointReport, Error> {
        self.work(|cx| {
            let mut module = pipeline::lower(self.module.clone(), Stage::Ad, cx)?;
            if let Some(function) = function {
                self.require_differentiable(&module, function)?;
            }
            self.request(&mut module, function);
            let mut report = pipeline::checkpoints(module, how, cx)?;
            if let Some(function) = function {
                let own = |key: &str| is_of(key, function);
                report.stored.retain(|r| own(&r.function));
                report.choices.retain(|c| own(&c.function));
                report.schedules.retain(|s| own(&s.function));
            }
            Ok(CheckpointReport(report))
        })
    }

    /// The program made ready for a gradient check. `bound` are the names that will be bound.
    ///
    /// # Errors
    /// [`Error::Rejected`]: a pass refuses the program.
    pub fn gradient_check<'n>(
        &self,
        bound: impl IntoIterator<Item = &'n str, IntoIter: Clone>,
    ) -> Result<GradientCheck<'_>, Error> {
        let mut module = self.work(|cx| Ok(pipeline::lower(self.module.clone(), Stage::Ad, cx)?))?;
        bound::prepare(&mut module, bound.into_iter());
        let interface = KernelInterface::of_resources(&module);
        let interface = interface.map_err(|e| self.told(self.about_names(e).into()))?;
        let unavailable = available::unavailable(&self.module);
        Ok(GradientCheck { program: self, module, interface: Arc::new(interface), unavailable })
    }

    /// The program at one of the stages of differentiation, with the derivatives of one function,
    /// or of each one in the program's file; and what there was before differentiation.
    fn at(
        &self,
        stage: Stage,
        function: Option<&str>,
        how: Derivatives,
        cx: &Context,
    ) -> Result<(Module, HashSet<Name>), Errors> {
        let mut module = pipeline::lower(self.module.clone(), Stage::Ad, cx)?;
        let written = module.symbols().iter().map(|s| s.name).collect();
        let asked = function.and_then(|function| module.get(Name::new(function)));
        let forward = asked.and_then(|symbol| derivative_symbol(symbol, true)).map(|s| s.name);
        let forward = forward.filter(|name| stage == Stage::Reverse && !module.contains(*name));
        self.request(&mut module, function);
        // Who asks for the reverse derivative of a function does not ask for the other.
        if let Some(forward) = forward {
            module.remove(forward);
        }
        if stage != Stage::Forward {
            module = pipeline::differentiate(module, how, cx)?;
        }
        Ok((pipeline::continue_from(module, Stage::Ad, stage, cx)?, written))
    }

    /// Asks for the derivatives of one function, or of each one in the program's file.
    fn request(&self, module: &mut Module, function: Option<&str>) {
        pipeline::request_derivatives(module, |symbol| match function {
            Some(function) => symbol.name == function,
            None => matches!(symbol.loc.source().kind(), LocKind::Span { file, .. } if *file == self.file.as_str()),
        });
    }

    /// How an entry point that can be run, here or by what `target` is for, is launched.
    pub(crate) fn interface_of(
        &self,
        module: &Module,
        name: Option<&str>,
        target: Option<Target>,
    ) -> Result<KernelInterface, Errors> {
        // An entry point of another stage has parameters, which is not what is wrong with it.
        let elsewhere = |name: &Name| module.get(*name).is_some_and(|s| s.attr(ELSEWHERE).is_some());
        if let Some(name) = name.map(Name::new).filter(elsewhere) {
            available::check(module, name, target)?;
        }
        let interface = KernelInterface::of_module(module, name)
            .map_err(|e| vec![Diagnostic { input: e.input(), ..self.about_names(e) }])?;
        available::check_kernel(module, interface.entry, target)?;
        Ok(interface)
    }

    /// That a normalized module has a function of this name, or instances of it, and that it can be
    /// differentiated.
    fn require_differentiable(&self, module: &Module, function: &str) -> Result<(), Diagnostic> {
        let mut own = module.symbols().iter().filter(|s| is_of(&s.name, function)).peekable();
        let Some(first) = own.peek() else {
            return Err(self.about_function(emit::no_function(function, &emit::function_names(module))));
        };
        let loc = first.loc;
        if own.any(|s| s.attr(DIFFERENTIABLE).is_some()) {
            return Ok(());
        }
        let message = format!("`{function}` is not differentiable, and has no reverse derivative");
        Err(Diagnostic::error(E_ENTRY, loc, message).with_note("mark it [Differentiable]"))
    }

    /// Something about the name of a function that a host uses.
    pub(crate) fn about_function(&self, message: impl ToString) -> Diagnostic {
        self.about_names(message).with_input(Input::Function)
    }

    /// Something about the names that a host uses.
    pub(crate) fn about_names(&self, message: impl ToString) -> Diagnostic {
        Diagnostic::error(E_ENTRY, whole_file(&self.file), message.to_string())
    }

    pub(crate) fn told(&self, failure: Failure) -> Error {
        told(failure, &self.cx.cancel, &self.texts)
    }

    /// Runs `work` where it has room.
    pub(crate) fn work<T: Send>(&self, work: impl FnOnce(&Context) -> Result<T, Failure> + Send) -> Result<T, Error> {
        let cx = self.cx.fresh();
        stack::with_room(|| work(&cx)).map_err(|failure| self.told(failure))
    }
}

/// Whether it is this function or an instance of it, which is named after it.
fn is_of(symbol: &str, function: &str) -> bool {
    symbol.strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What reverse derivatives store, and why: [`Program::checkpoints`].
pub struct CheckpointReport(autodiff::Report);

impl CheckpointReport {
    /// Lines for people.
    pub fn to_text(&self) -> String {
        report::to_text(&self.0, &|loc| loc.source().start_text())
    }

    /// The same as JSON, with places as `FILE:LINE:COL`.
    pub fn to_json(&self) -> String {
        report::to_json(&self.0, &|loc| loc.source().start_text())
    }
}

/// A program made ready for a gradient check: [`Program::gradient_check`].
pub struct GradientCheck<'p> {
    program: &'p Program,
    module: Module,
    interface: Arc<KernelInterface>,
    /// The functions that cannot be run, and why.
    unavailable: HashMap<Name, String>,
}

impl GradientCheck<'_> {
    /// Contents for the program's resources, of which none is bound. What stays so is drawn at
    /// random.
    pub fn bindings(&self) -> Bindings {
        Bindings::new(&self.interface, &self.program.file)
    }

    /// Compares forward mode, reverse mode and finite differences of every differentiable function
    /// of the program's file.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is nothing of that name to check, or what is wrong is no single
    /// function's fault.
    pub fn run(&self, bindings: &Bindings, options: &GradcheckOptions) -> Result<gradcheck::Report, Error> {
        self.run_told(bindings, options, &|_, _| {})
    }

    /// The same. After each function `told` is given how many are done, and how many there are; it
    /// is called from several threads.
    ///
    /// # Errors
    /// Those of [`GradientCheck::run`].
    pub fn run_told(
        &self,
        bindings: &Bindings,
        options: &GradcheckOptions,
        told: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<gradcheck::Report, Error> {
        self.program.work(|cx| {
            let request = gradcheck::Request {
                function: options.function.as_deref(),
                file: &self.program.file,
                own_files: &self.program.own_files,
                samples: options.samples,
                seed: options.seed,
                range: options.range,
                steps: options.steps,
                derivatives: options.derivatives,
                interface: &self.interface,
                bindings,
                gradients: &options.gradients,
                unavailable: &self.unavailable,
                unsampled: &self.program.unsampled,
                told,
            };
            Ok(gradcheck::run(self.module.clone(), &request, cx)?)
        })
    }
}
