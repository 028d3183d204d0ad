//! Functions of a program and their derivatives as source text for programs in another language:
//! there is no entry point.
//!
//! Invariant: what is offered runs for one thread alone. It neither asks which thread that is nor
//! shares memory of a group.

use crate::available;
use crate::diagnostics::{Error, Failure};
use crate::emit::{self, Emitted, no_function};
use crate::function::memory_named;
use crate::options::{Derivatives, EmitOptions, Machine, Stage, Target, whole_file};
use crate::pipeline;
use crate::program::Program;
use caustic_dialects::agg;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::gpu;
use caustic_dialects::reflect::{ENTRY, GROUPSHARED};
use caustic_dialects::signature::{
    BEGINS_STATIC, DIFFERENTIABLE, LAMBDA, SYNTHESIZED, Signature, VISIBILITY, holds_handle,
};
use caustic_ir::{Diagnostic, Fault, Loc, LocKind, Module, Name, SymbolOp, codes};
use caustic_passes::autodiff::derivative_symbol;
use caustic_passes::lower::apart;
use caustic_passes::optimize::symbol_dce::{self, Roots};
use caustic_passes::pipelines;
use caustic_runtime::KernelInterface;
use caustic_source::lang::Threads;
use caustic_source::{Language, Mode, Offered};
use std::collections::{HashMap, HashSet};

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
            let mut module = pipeline::lower(self.module.clone(), Stage::Ad, cx)?;
            cx.run(&mut module, pipelines::ADD_ATOMICALLY)?;
            let (chosen, mut warnings) = self.chosen(&module, library, language)?;
            warnings.extend(chosen.iter().filter_map(|&name| begins_anew(module.get(name)?)));
            pipeline::request_derivatives(&mut module, |s| chosen.contains(&s.name));
            let parts = self.parts(&module, &chosen, library)?;
            let machine = if language.threads == Threads::Host { options.derivatives.machine } else { Machine::Gpu };
            let how = Derivatives { machine, ..options.derivatives };
            let write = |parts: &[Offered]| {
                let mut module =
                    pipeline::library_for_source(only(module.clone(), parts), how, target.has_doubles(), cx)?;
                apart::set_apart(&mut module, &parts.iter().map(|part| part.symbol).collect::<Vec<Name>>());
                emit::library(module, parts, language, options, &self.file, cx)
            };
            carried(&self.module, &parts, warnings, library, &write)
        })?;
        self.judged(emitted)
    }

    /// What is offered of the functions that are chosen.
    fn parts(&self, module: &Module, chosen: &[Name], library: &LibraryOptions) -> Result<Vec<Offered>, Failure> {
        let mut offered = Vec::new();
        for symbol in chosen.iter().filter_map(|&name| module.get(name)) {
            let part =
                |symbol_of: Name, mode: Mode| Offered { symbol: symbol_of, of: symbol.name, loc: symbol.loc, mode };
            if library.primal {
                offered.push(part(symbol.name, Mode::Primal));
            }
            if symbol.attr(DIFFERENTIABLE).is_none() {
                continue;
            }
            let wanted = [(library.forward, Mode::Forward), (library.reverse, Mode::Reverse)];
            for (_, mode) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
                let derivative = derivative_symbol(symbol, mode == Mode::Forward).map(|s| s.name);
                offered.extend(derivative.filter(|&d| module.contains(d)).map(|d| part(d, mode)));
            }
        }
        if offered.is_empty() {
            let message = "none of the functions has such a derivative";
            return Err(Diagnostic::error(codes::E0803, whole_file(&self.file), message)
                .with_note("mark a function [Differentiable]")
                .into());
        }
        Ok(offered)
    }

    /// The functions that are offered, in the order of the program, and a warning for each that is
    /// not, though nobody chose among them.
    fn chosen(
        &self,
        module: &Module,
        library: &LibraryOptions,
        language: &Language,
    ) -> Result<(Vec<Name>, Vec<Diagnostic>), Failure> {
        let callable = |s: &&SymbolOp| s.body.entry().is_some() && Signature::of(s).is_some();
        let (bound, kept, arrays) = (bound_to_threads(module), reaching_statics(module), reaching_arrays(module));
        let not_alone = |s: &SymbolOp| {
            // A function of C is handed each resource that it reaches, and no array of them.
            let array = language.shader.is_none() && arrays.contains(&s.name);
            let why = array.then(|| (s.loc, "it reaches an array of resources".to_string()));
            let keeps = |variable: &Name| {
                (s.loc, format!("it changes the static variable `{variable}`, which a thread keeps from call to call"))
            };
            why.or_else(|| kept.get(&s.name).map(keeps)).or_else(|| why_not_alone(s, &bound, language))
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
                    && s.attr(LAMBDA).is_none()
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
            let told = |s: &&SymbolOp| Some(left_out(&[&s.name], not_alone(s)?, library));
            return Ok((offered, all.iter().filter_map(told).collect()));
        }
        let mut chosen = Vec::new();
        for name in &library.functions {
            available::check(&self.module, Name::new(name), None)?;
            let Some(symbol) = module.get(Name::new(name)).filter(callable) else {
                let known: Vec<&str> = module.symbols().iter().filter(callable).map(|s| s.name.as_str()).collect();
                return Err(self.about_function(no_function(name, &known)).into());
            };
            if let Some((loc, why)) = not_alone(symbol) {
                let message = match library.primal {
                    true => format!("`{name}` cannot be in a library: {why}"),
                    false => format!("no derivative of `{name}` can be written: {why}"),
                };
                return Err(Diagnostic::error(codes::E0853, loc, message).into());
            }
            if !chosen.contains(&symbol.name) {
                chosen.push(symbol.name);
            }
        }
        Ok((chosen, Vec::new()))
    }
}

/// A warning of functions that are not written, and why.
fn left_out(names: &[&str], (loc, why): (Loc, String), library: &LibraryOptions) -> Diagnostic {
    let all = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let what = match (library.primal, names.len()) {
        (true, 1) => format!("{all} is left out of the library"),
        (true, _) => format!("{all} are left out of the library"),
        // Nobody asked for a library.
        (false, _) => format!("no derivative of {all} is written"),
    };
    Diagnostic::warning(codes::W0854, loc, format!("{what}: {why}"))
}

/// The module with what is offered, and what that needs.
fn only(mut module: Module, offered: &[Offered]) -> Module {
    let roots: Vec<Name> = offered.iter().map(|o| o.symbol).collect();
    for symbol in module.symbols_mut() {
        symbol.remove_attr(ENTRY);
        if roots.contains(&symbol.name) {
            symbol.remove_attr(VISIBILITY);
        }
    }
    symbol_dce::run(&mut module, &Roots { entries_only: true, named: roots });
    module
}

/// A library of all parts that its language can carry. Parts that were named are all needed.
fn carried(
    module: &Module,
    parts: &[Offered],
    mut warnings: Vec<Diagnostic>,
    library: &LibraryOptions,
    write: &dyn Fn(&[Offered]) -> Result<Emitted, Failure>,
) -> Result<Emitted, Failure> {
    let made = match write(parts) {
        Err(failure) if is_refusal(&failure) => {
            let mut refused = Vec::new();
            let rest = without_refused(parts, write, &mut refused)?;
            if !library.functions.is_empty() || rest.is_empty() {
                return Err(refusals(module, refused, failure));
            }
            warnings.extend(warnings_of(&refused, library));
            write(&rest)?
        }
        made => made?,
    };
    let found = warnings.into_iter().chain(made.warnings.iter().cloned()).collect::<Vec<_>>().into();
    Ok(Emitted { warnings: found, ..made })
}

/// Whether the program, and not the compiler or who stopped it, is why there is no text.
fn is_refusal(failure: &Failure) -> bool {
    matches!(failure, Failure::Found(found) if !found.is_empty() && found.iter().all(|d| d.fault == Fault::User))
}

/// The parts of a library that is refused which are not, and why the others are. Most libraries
/// have few of those, so halves are tried.
fn without_refused(
    parts: &[Offered],
    write: &dyn Fn(&[Offered]) -> Result<Emitted, Failure>,
    refused: &mut Vec<(Offered, Failure)>,
) -> Result<Vec<Offered>, Failure> {
    let mut rest = Vec::new();
    let (first, second) = parts.split_at(parts.len() / 2);
    for half in [first, second].into_iter().filter(|half| !half.is_empty()) {
        match (write(half), half) {
            (Ok(_), _) => rest.extend_from_slice(half),
            (Err(failure), _) if !is_refusal(&failure) => return Err(failure),
            (Err(failure), [part]) => refused.push((part.clone(), failure)),
            (Err(_), _) => rest.extend(without_refused(half, write, refused)?),
        }
    }
    Ok(rest)
}

/// All errors of parts that are refused, or of them together if none is by itself.
fn refusals(module: &Module, refused: Vec<(Offered, Failure)>, together: Failure) -> Failure {
    let mut all: Vec<Diagnostic> = Vec::new();
    for (part, failure) in refused {
        if let Failure::Found(found) = emit::told_of(module, Some(part.of), part.loc, failure) {
            let new = found.into_iter().filter(|d| !all.iter().any(|a| (a.loc, &a.message) == (d.loc, &d.message)));
            let new: Vec<Diagnostic> = new.collect();
            all.extend(new);
        }
    }
    if all.is_empty() { together } else { Failure::Found(all) }
}

/// A warning for each function and each reason.
fn warnings_of(refused: &[(Offered, Failure)], library: &LibraryOptions) -> Vec<Diagnostic> {
    let mut all: Vec<(&Offered, &Diagnostic, Vec<&str>)> = Vec::new();
    for (part, failure) in refused {
        let Failure::Found(found) = failure else { continue };
        let Some(why) = found.first() else { continue };
        // Of what is written alone it is the derivative that is told.
        let name = if library.primal { &*part.symbol } else { &*part.of };
        match all.iter_mut().find(|(of, d, _)| of.of == part.of && d.message == why.message) {
            Some((.., names)) => names.push(name),
            None => all.push((part, why, vec![name])),
        }
    }
    let told = |(part, why, names): (&Offered, &Diagnostic, Vec<&str>)| {
        let told = left_out(&names, (part.loc, why.message.clone()), library);
        if why.loc == part.loc { told } else { told.with_label_at(why.loc, "here") }
    };
    all.into_iter().map(told).collect()
}

/// A warning if a function begins a static variable anew that the program changes: to a kernel it
/// is the thread's.
fn begins_anew(symbol: &SymbolOp) -> Option<Diagnostic> {
    let variable = symbol.attr(BEGINS_STATIC)?.as_str()?;
    let text = format!("each call of `{}` in a library begins the static variable `{variable}` anew", symbol.name);
    let note = "hand its value from call to call by an `inout` parameter, if it is to stay";
    Some(Diagnostic::warning(codes::W0855, symbol.loc, text).with_note(note))
}

/// Why a function cannot be called by itself, and where.
fn why_not_alone(symbol: &SymbolOp, bound: &HashSet<Name>, language: &Language) -> Option<(Loc, String)> {
    if bound.contains(&symbol.name) {
        return Some((symbol.loc, "what it does depends on the thread or the group that runs it".to_string()));
    }
    let signature = Signature::of(symbol)?;
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

/// The functions that reach a static variable that is memory of its thread, with its name.
fn reaching_statics(module: &Module) -> HashMap<Name, Name> {
    let graph = CallGraph::of_mentions(module);
    let private =
        module.symbols().iter().filter(|s| s.attr(caustic_dialects::reflect::PRIVATE).is_some()).map(|s| s.name);
    private.flat_map(|variable| graph.reaching([variable]).into_iter().map(move |of| (of, variable))).collect()
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
