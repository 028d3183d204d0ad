//! Functions of a program and their derivatives as source text for programs in another language:
//! there is no entry point.
//!
//! Invariant: what is offered runs for one thread alone. It neither asks which thread that is nor
//! shares memory of a group.

use crate::available;
use crate::context::Context;
use crate::diagnostics::{Error, Failure};
use crate::emit::{self, Emitted, no_function};
use crate::function::memory_named;
use crate::options::{Derivatives, EmitOptions, Machine, Stage, Target, whole_file};
use crate::pipeline;
use crate::program::Program;
use caustic_dialects::agg::{self, StorageParams};
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::gpu;
use caustic_dialects::reflect::{ENTRY, GROUPSHARED};
use caustic_dialects::signature::{DIFFERENTIABLE, Param, SYNTHESIZED, Signature, VISIBILITY, holds_handle};
use caustic_ir::{Diagnostic, Loc, LocKind, Module, Name, SymbolOp, codes};
use caustic_passes::autodiff::derivative_symbol;
use caustic_passes::optimize::symbol_dce::{self, Roots};
use caustic_passes::pipelines;
use caustic_runtime::KernelInterface;
use caustic_source::lang::Threads;
use caustic_source::{Language, Mode, Offered};
use std::collections::HashSet;

/// What a library has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibraryOptions {
    /// The functions, by name; without any all of the program's file that can be called alone.
    pub functions: Vec<String>,
    /// Whether the functions themselves are there, and not their derivatives alone.
    pub primal: bool,
    /// Whether their forward derivatives come with them, of those that have one.
    pub forward: bool,
    /// Whether their reverse derivatives do.
    pub reverse: bool,
}

impl Default for LibraryOptions {
    fn default() -> Self {
        LibraryOptions { functions: Vec::new(), primal: true, forward: true, reverse: true }
    }
}

impl Program {
    /// Writes functions and their derivatives as source text for a target.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such function, it cannot be called alone, or the language
    /// cannot say it.
    pub fn library(&self, target: Target, library: &LibraryOptions, options: &EmitOptions) -> Result<Emitted, Error> {
        let emitted = self.work(|cx| {
            let language = target.language().ok_or_else(|| {
                let message = "a library is source text: C++, CUDA, GLSL, HLSL, WGSL, Metal or Slang";
                Diagnostic::error(codes::E0853, whole_file(&self.file), message)
            })?;
            let cx = &cx.rewriting(options.code, target.backend());
            let (module, offered) = self.offered(library, language, options, cx)?;
            emit::library(module, &offered, language, options, &self.file, cx)
        })?;
        self.judged(emitted)
    }

    /// The functions and the module that has them, with their derivatives.
    fn offered(
        &self,
        library: &LibraryOptions,
        language: &Language,
        options: &EmitOptions,
        cx: &Context,
    ) -> Result<(Module, Vec<Offered>), Failure> {
        let mut module = pipeline::lower(self.module.clone(), Stage::Ad, cx)?;
        cx.run(&mut module, pipelines::ADD_ATOMICALLY)?;
        let chosen = self.chosen(&module, library, language)?;
        pipeline::request_derivatives(&mut module, |s| chosen.contains(&s.name));
        let mut offered = Vec::new();
        for &name in &chosen {
            let Some(symbol) = module.get(name) else { continue };
            let mut offer = |symbol: Name, mode: Mode, loc: Loc| offered.push(Offered { symbol, of: name, loc, mode });
            if library.primal {
                offer(name, Mode::Primal, symbol.loc);
            }
            if symbol.attr(DIFFERENTIABLE).is_none() {
                continue;
            }
            for (wanted, mode) in [(library.forward, Mode::Forward), (library.reverse, Mode::Reverse)] {
                let derivative = derivative_symbol(symbol, mode == Mode::Forward).map(|s| s.name);
                if let Some(derivative) = derivative.filter(|&d| wanted && module.contains(d)) {
                    let signature = module.get(derivative).and_then(Signature::of);
                    if let Some(param) = signature.as_ref().and_then(overwritten) {
                        let message =
                            format!("a result of `{derivative}` would take the place of its parameter `{param}`");
                        return Err(Diagnostic::error(codes::E0853, symbol.loc, message)
                            .with_note("choose the derivatives that a library has")
                            .into());
                    }
                    offer(derivative, mode, symbol.loc);
                }
            }
        }
        if offered.is_empty() {
            let message = "none of the functions has such a derivative";
            return Err(Diagnostic::error(codes::E0803, whole_file(&self.file), message)
                .with_note("mark a function [Differentiable]")
                .into());
        }
        let roots: Vec<Name> = offered.iter().map(|o| o.symbol).collect();
        for symbol in module.symbols_mut() {
            symbol.remove_attr(ENTRY);
            if roots.contains(&symbol.name) {
                symbol.remove_attr(VISIBILITY);
            }
        }
        symbol_dce::run(&mut module, &Roots { entries_only: true, named: roots });
        let machine = if language.threads == Threads::Host { options.derivatives.machine } else { Machine::Gpu };
        let how = Derivatives { machine, ..options.derivatives };
        Ok((pipeline::library_for_source(module, how, cx)?, offered))
    }

    /// The functions that are offered, in the order of the program.
    fn chosen(&self, module: &Module, library: &LibraryOptions, language: &Language) -> Result<Vec<Name>, Failure> {
        let callable = |s: &&SymbolOp| s.body.entry().is_some() && Signature::of(s).is_some();
        let (bound, arrays) = (bound_to_threads(module), reaching_arrays(module));
        let not_alone = |s: &SymbolOp| {
            // A function of C is handed each resource that it reaches, and no array of them.
            let array = language.shader.is_none() && arrays.contains(&s.name);
            let why = array.then(|| (s.loc, "it reaches an array of resources".to_string()));
            why.or_else(|| why_not_alone(s, &bound, language))
        };
        if library.functions.is_empty() {
            let unavailable = available::unavailable(&self.module);
            let here = |s: &&SymbolOp| {
                let source = s.loc.source();
                matches!(source.kind(), LocKind::Span { file, .. } if *file == self.file.as_str())
                    && s.loc == source
                    && s.attr(ENTRY).is_none()
                    && s.attr(VISIBILITY).is_none()
                    && s.attr(SYNTHESIZED).is_none()
                    && !unavailable.contains_key(&s.name)
            };
            let all: Vec<&SymbolOp> = module.symbols().iter().filter(callable).filter(here).collect();
            let offered: Vec<Name> = all.iter().filter(|s| not_alone(s).is_none()).map(|s| s.name).collect();
            if offered.is_empty() {
                let message = "the program has no function that could be called by itself";
                // One reason shows more than none.
                let why = all.first().and_then(|s| Some((s.name, not_alone(s)?)));
                return Err(why
                    .map_or_else(
                        || Diagnostic::error(codes::E0803, whole_file(&self.file), message),
                        |(name, (loc, why))| {
                            Diagnostic::error(codes::E0803, loc, format!("{message}: `{name}`: {why}"))
                        },
                    )
                    .into());
            }
            return Ok(offered);
        }
        let mut chosen = Vec::new();
        for name in &library.functions {
            available::check(&self.module, Name::new(name))?;
            let Some(symbol) = module.get(Name::new(name)).filter(callable) else {
                let known: Vec<&str> = module.symbols().iter().filter(callable).map(|s| s.name.as_str()).collect();
                return Err(self.about_function(no_function(name, &known)).into());
            };
            if let Some((loc, why)) = not_alone(symbol) {
                let message = format!("`{name}` cannot be in a library: {why}");
                return Err(Diagnostic::error(codes::E0853, loc, message).into());
            }
            if !chosen.contains(&symbol.name) {
                chosen.push(symbol.name);
            }
        }
        Ok(chosen)
    }
}

/// Why a function cannot be called by itself, and where.
fn why_not_alone(symbol: &SymbolOp, bound: &HashSet<Name>, language: &Language) -> Option<(Loc, String)> {
    if bound.contains(&symbol.name) {
        return Some((symbol.loc, "what it does depends on the thread or the group that runs it".to_string()));
    }
    let signature = Signature::of(symbol)?;
    if let Some(param) = overwritten(&signature) {
        return Some((
            symbol.loc,
            format!("its result would take the place of its parameter `{param}`, which holds an array"),
        ));
    }
    // Languages whose resources are values hand them over.
    let param = signature.params.iter().find(|p| holds_handle(p.ty)).filter(|_| language.shader.is_some())?;
    Some((
        symbol.loc,
        format!(
            "its parameter `{}` is or holds a resource, which no function of a library in {} takes; let it read a global one",
            param.name,
            language.title()
        ),
    ))
}

/// A parameter that is only given, and in whose storage a result is left.
fn overwritten(signature: &Signature) -> Option<Name> {
    let carried = StorageParams::of_types(&signature.inputs, &signature.results).results;
    let taken =
        |p: &&Param| p.input.and_then(|i| carried.get(i).copied().flatten()).is_some_and(|k| p.result != Some(k));
    signature.params.iter().find(taken).map(|p| p.name)
}

/// The functions that ask which thread runs them, wait for others, or reach the memory of a group.
fn bound_to_threads(module: &Module) -> HashSet<Name> {
    let shared: HashSet<Name> =
        module.symbols().iter().filter(|s| s.attr(GROUPSHARED).is_some()).map(|s| s.name).collect();
    let graph = CallGraph::of_mentions(module);
    let bound = module.symbols().iter().filter(|s| {
        let ops = s.body.walk_all();
        ops.into_iter().any(|op| {
            let of_threads = matches!(s.body.op(op).def.dialect(), "gpu" | "simt");
            of_threads && !gpu::Printf::is(&s.body, op)
        })
    });
    let roots = bound.map(|s| s.name).chain(shared.iter().copied());
    graph.reaching(roots).into_iter().collect()
}

/// The functions that choose from an array of resources.
fn reaching_arrays(module: &Module) -> HashSet<Name> {
    let chooses = |s: &&SymbolOp| s.body.all_ops().any(|op| agg::GlobalElement::is(&s.body, op));
    let roots = module.symbols().iter().filter(chooses).map(|s| s.name);
    CallGraph::of_mentions(module).reaching(roots).into_iter().collect()
}

/// The resources that functions of the module use, as a host sees them.
pub(crate) fn interface_of(module: &Module) -> Result<KernelInterface, Diagnostic> {
    let interface = KernelInterface::of_resources(module);
    let mut interface = interface.map_err(|e| Diagnostic::error(codes::E0803, Loc::unknown(), e.to_string()))?;
    let used: HashSet<Name> = module.symbols().iter().flat_map(memory_named).map(|(name, _)| name).collect();
    interface.params.retain(|p| used.contains(&p.symbol));
    Ok(interface)
}
