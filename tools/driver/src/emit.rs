//! Programs as text and as code for others: modules at a stage of compilation, kernels for a
//! target.

use crate::context::Context;
use crate::diagnostics::{Diagnostics, Failure, Texts};
use crate::library::interface_of;
use crate::options::{Bounds, EmitOptions, Target, TextForm, whole_file};
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::{GROUPSHARED, Param};
use caustic_dialects::{agg, simt};
use caustic_ir::codes;
use caustic_ir::text::{self, PrintOptions};
use caustic_ir::{Attr, Diagnostic, Loc, LocKind, Module, Name, OpId, SymbolOp};
use caustic_passes::pipelines::{self, Standard};
use caustic_runtime::KernelInterface;
use caustic_source::Offered;
use caustic_source::lang::Threads;
use std::collections::HashSet;

/// A kernel compiled for a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Emitted {
    /// The code, if it is text.
    pub text: String,
    /// What a launcher has to know of the kernel, as JSON.
    pub description: String,
    /// The code, if it is none, and the header for C that declares it, if C calls it.
    pub binary: Option<(Vec<u8>, String)>,
    /// Which line of the program each line of source text is from, as a source map, if that is
    /// wanted ([`EmitOptions::map`]).
    pub map: Option<String>,
    /// What of the program is left out.
    pub warnings: Diagnostics,
}

/// What code by itself cannot have: an array with as many elements as a run of it binds.
pub(crate) fn unknown_size(array: &SymbolOp) -> Option<Diagnostic> {
    let name = Param::of(array)?.name;
    let text = format!("how many elements `{name}` has is known only when something is bound to them");
    let d = Diagnostic::error(codes::E0853, array.loc, text).with_label("an array of resources without a size");
    Some(d.with_note("write its size, as in `many[4]`; `run` takes as many as are given"))
}

#[cfg(feature = "llvm")]
pub(crate) fn llvm_options(code: crate::options::CodeOptions, cx: &Context) -> caustic_llvm::Options {
    caustic_llvm::Options {
        cancel: cx.cancel.clone(),
        lanes: code.lanes,
        floats: code.freedom(),
        lines: code.lines,
        ..caustic_llvm::Options::default()
    }
}

/// What a target refuses in the language's own library is told where the program calls it, in code
/// that `root` reaches, a kernel or a function of a library; `module` is the program as checked.
pub(crate) fn told_of(module: &Module, root: Option<Name>, at: Loc, mut failure: Failure) -> Failure {
    if let Failure::Found(found) = &mut failure {
        for d in found.iter_mut().filter(|d| d.code == codes::E0853 && in_library(d.loc)) {
            let call = root.and_then(|root| call_of(module, root, d.loc));
            d.labels.push((
                std::mem::replace(&mut d.loc, call.unwrap_or(at)),
                "here, in a function of the language".to_string(),
            ));
            d.label = if call.is_some() { "this reaches it" } else { "this function reaches it" }.to_string();
        }
    }
    failure
}

/// Whether a place is in the language's own library.
fn in_library(loc: Loc) -> bool {
    match loc.source().kind() {
        LocKind::Span { file, .. } => caustic_frontend::is_library_file(file),
        _ => false,
    }
}

/// Where code that `root` reaches calls a function of the library which leads to what stands at
/// `place`.
fn call_of(module: &Module, root: Name, place: Loc) -> Option<Loc> {
    let graph = CallGraph::of_mentions(module);
    let holds = |s: &&SymbolOp| s.body.all_ops().any(|op| s.body.loc(op).source() == place.source());
    let leading = graph.reaching(module.symbols().iter().filter(holds).map(|s| s.name));
    let reached = graph.reachable([root]);
    module.symbols().iter().filter(|s| reached.contains(&s.name)).find_map(|symbol| {
        let body = &symbol.body;
        let leads = |op: &OpId| {
            let mut named = body.op(*op).attrs.iter().filter_map(|(_, attr): &(Name, Attr)| attr.as_symbol());
            named.any(|name| leading.contains(&name) && module.get(name).is_some_and(|s| in_library(s.loc)))
        };
        let known = |loc: &Loc| matches!(loc.source().kind(), LocKind::Span { .. }) && !in_library(*loc);
        body.walk_all().into_iter().filter(leads).map(|op| body.loc(op)).find(known)
    })
}

/// The lowered kernel for a target.
pub(crate) fn emit(
    module: &Module,
    interface: &KernelInterface,
    target: Target,
    options: &EmitOptions,
    file: &str,
    cx: &Context,
) -> Result<Emitted, Failure> {
    match target.language() {
        Some(language) => source(module, interface, language, options, file, cx),
        None if target.is_spirv() => spirv(module, interface, target, options, file, cx),
        None => compile(module, interface, target, options, cx),
    }
}

/// The kernel as source text.
fn source(
    module: &Module,
    interface: &KernelInterface,
    language: &'static caustic_source::Language,
    options: &EmitOptions,
    file: &str,
    cx: &Context,
) -> Result<Emitted, Failure> {
    let mut module = module.clone();
    prepare(&mut module, language, language.threads == Threads::Device, cx)?;
    let interface = interface.with_resources_of(&module).with_groups_of(&module);
    let interface = interface.map_err(|e| Diagnostic::error(codes::E0803, whole_file(file), e.to_string()))?;
    let prefix = options.prefix.as_ref().map_or_else(|| language.name_space(file), |name| language.free_name(name));
    let how = source_options(options, &format!("{prefix}.{}", language.name));
    let emit = || caustic_source::emit(&module, &interface, language, how, &prefix);
    cx.step("source", emit).map(written).map_err(Failure::from)
}

/// Functions as source text for others.
pub(crate) fn library(
    mut module: Module,
    offered: &[Offered],
    language: &'static caustic_source::Language,
    options: &EmitOptions,
    file: &str,
    cx: &Context,
) -> Result<Emitted, Failure> {
    // Which threads run together is not known.
    prepare(&mut module, language, false, cx)?;
    drop_unused_groups(&mut module);
    let interface = interface_of(&module)?;
    let prefix = options.prefix.as_ref().map_or_else(|| language.name_space(file), |name| language.free_name(name));
    let how = source_options(options, &format!("{prefix}.{}", language.name));
    let emit = || caustic_source::library(&module, &interface, offered, language, how, &prefix);
    cx.step("source", emit).map(written).map_err(Failure::from)
}

/// Memory of a group that no function of a library reaches is another function's.
fn drop_unused_groups(module: &mut Module) {
    let names =
        |s: &SymbolOp| -> Vec<Name> { s.body.all_ops().filter_map(|op| agg::resource_name(&s.body, op)).collect() };
    let used: HashSet<Name> = module.symbols().iter().flat_map(names).collect();
    module.retain(|s| s.attr(GROUPSHARED).is_none() || used.contains(&s.name));
}

fn source_options(options: &EmitOptions, own: &str) -> caustic_source::Options {
    let trusts_bounds = options.code.bounds == Bounds::Trust;
    let lines = (options.code.lines || options.map).then(|| caustic_source::Lines {
        own: Name::new(options.name.as_deref().unwrap_or(own)),
        directives: options.code.lines,
        map: options.map,
        is_library: caustic_frontend::is_library_file,
    });
    caustic_source::Options { trusts_bounds, prefixes_names: options.prefix.is_some(), lines }
}

fn written(made: caustic_source::Source) -> Emitted {
    let warnings = Diagnostics::new(made.warnings, Texts::default());
    Emitted { text: made.text, description: made.description, binary: None, map: made.map, warnings }
}

/// The passes that a language's text is written after; with `together` what threads add to one
/// place comes together first.
fn prepare(
    module: &mut Module,
    language: &caustic_source::Language,
    together: bool,
    cx: &Context,
) -> Result<(), Failure> {
    let on_device = language.threads != Threads::Host;
    cx.run(module, if on_device { pipelines::OPTIMIZE_SHADER } else { pipelines::OPTIMIZE_HOST })?;
    if language.threads == Threads::Shader {
        cx.run(module, pipelines::NAME_RESOURCES)?;
        cx.run(module, pipelines::UNNEST)?;
    }
    if together {
        cx.run(module, pipelines::AGGREGATE_SOURCE)?;
    }
    cx.run(module, pipelines::STORAGE)?;
    if language.computes_in_words() {
        cx.run(module, pipelines::LEGALIZE_WORDS)?;
    }
    if simt::has_convergent_ops(module) {
        // Lanes of a machine wait for those of a mask.
        cx.run(module, if on_device { pipelines::MASKS } else { pipelines::INSTANCES })?;
    }
    if language.lacks_small_numbers() {
        cx.run(module, pipelines::LEGALIZE_SMALL)?;
    }
    cx.run(module, pipelines::LATEST_VERSIONS)?;
    Ok(())
}

/// What marks the accesses that nothing looks at.
fn trusted(bounds: Bounds) -> Option<Standard> {
    match bounds {
        Bounds::Buffers => Some(pipelines::TRUST_POINTERS),
        // What a check comes before is looked at once more, which costs little beside it.
        Bounds::Zero | Bounds::Trap => None,
        Bounds::Trust => Some(pipelines::TRUST),
    }
}

/// A description that tells whoever launches the kernel which indices it looks at.
fn with_bounds(description: &str, bounds: Bounds) -> String {
    let end = description.trim_end().strip_suffix('}').unwrap_or(description).trim_end();
    format!("{end},\n  \"bounds\": \"{}\"\n}}\n", bounds.name())
}

/// The kernel as SPIR-V.
fn spirv(
    module: &Module,
    interface: &KernelInterface,
    target: Target,
    options: &EmitOptions,
    file: &str,
    cx: &Context,
) -> Result<Emitted, Failure> {
    let mut module = module.clone();
    let first = [pipelines::OPTIMIZE_SHADER, pipelines::NAME_RESOURCES, pipelines::UNNEST];
    for pipeline in first.into_iter().chain([pipelines::STORAGE, pipelines::LEGALIZE_SPIRV]) {
        cx.run(&mut module, pipeline)?;
    }
    if let Some(trusting) = trusted(options.code.bounds) {
        cx.run(&mut module, trusting)?;
    }
    if simt::has_convergent_ops(&module) {
        cx.run(&mut module, pipelines::MASKS)?;
    }
    let interface = interface.with_resources_of(&module).with_groups_of(&module);
    let interface = interface.map_err(|e| Diagnostic::error(codes::E0803, whole_file(file), e.to_string()))?;
    let how = caustic_spirv::Options { lines: options.code.lines };
    let made = cx.step("SPIR-V", || caustic_spirv::emit(&module, &interface, how)).map_err(Failure::from)?;
    let binary = (target == Target::Spirv).then(|| (made.binary, String::new()));
    let description = with_bounds(&made.description, options.code.bounds);
    Ok(Emitted { text: made.text, description, binary, map: None, warnings: Diagnostics::default() })
}

#[cfg(feature = "llvm")]
fn compile(
    module: &Module,
    interface: &KernelInterface,
    target: Target,
    options: &EmitOptions,
    cx: &Context,
) -> Result<Emitted, Failure> {
    let mut module = module.clone();
    let (bounds, trusting) = (options.code.bounds, trusted(options.code.bounds));
    // The way to a GPU has steps like these.
    if target != Target::Ptx && bounds != Bounds::Trust {
        if let Some(trusting) = trusting {
            cx.run(&mut module, trusting)?;
        }
        cx.run(&mut module, pipelines::OPTIMIZE_LLVM)?;
    }
    cx.run(&mut module, pipelines::STORAGE)?;
    if let Some(trusting) = trusting {
        cx.run(&mut module, trusting)?;
    }
    let last = if target == Target::Ptx { pipelines::MASKS } else { pipelines::INSTANCES };
    cx.run(&mut module, last)?;
    cx.step("LLVM", || match target {
        Target::Ptx => {
            let mut ptx_options = caustic_llvm::PtxOptions::default();
            ptx_options.cancel = cx.cancel.clone();
            ptx_options.libdevice = options.libdevice.clone().map(Into::into);
            ptx_options.arch = options.arch.clone().unwrap_or(ptx_options.arch);
            ptx_options.floats = options.code.freedom();
            ptx_options.lines = options.code.lines;
            let interface = interface.with_resources_of(&module);
            let ptx = caustic_llvm::compile_ptx(&module, &interface, &ptx_options)?;
            Ok(Emitted {
                description: with_bounds(&ptx.description(), bounds),
                text: ptx.text,
                binary: None,
                map: None,
                warnings: Diagnostics::default(),
            })
        }
        Target::LlvmIr | Target::Asm => {
            let assembly = target == Target::Asm;
            let text = caustic_llvm::compile_text(&module, interface, assembly, llvm_options(options.code, cx))?;
            let description = with_bounds(&interface.to_json(), bounds);
            Ok(Emitted { text, description, binary: None, map: None, warnings: Diagnostics::default() })
        }
        Target::Obj | Target::So => {
            // Passes may have given groups memory.
            let interface = interface.with_groups_of(&module);
            let interface = interface.map_err(|e| Diagnostic::error(codes::E0803, Loc::unknown(), e.to_string()))?;
            let object = caustic_llvm::compile_object(&module, &interface, llvm_options(options.code, cx))?;
            let bytes = if target == Target::So { shared_library(&[object.bytes])? } else { object.bytes };
            let (text, description) = (String::new(), with_bounds(&interface.to_json(), bounds));
            Ok(Emitted {
                text,
                description,
                binary: Some((bytes, object.header)),
                map: None,
                warnings: Diagnostics::default(),
            })
        }
        Target::Cpp
        | Target::CudaSource
        | Target::Glsl
        | Target::Hlsl
        | Target::Wgsl
        | Target::Metal
        | Target::Slang
        | Target::Spirv
        | Target::SpirvAsm => Err(Diagnostic::internal(Loc::unknown(), "source text is not compiled").into()),
    })
}

/// Several kernels, each an object with its header or a text, as one, which is called `own` if it
/// says its lines.
pub(crate) fn together(parts: Vec<Emitted>, target: Target, own: Option<&str>) -> Result<Emitted, Diagnostic> {
    let (mut texts, mut objects, mut header, mut descriptions) = (Vec::new(), Vec::new(), String::new(), Vec::new());
    for part in parts {
        match part.binary {
            Some((object, declared)) => {
                objects.push(object);
                header.push_str(&declared);
            }
            None => texts.push(part.text),
        }
        descriptions.push(part.description.trim_end().to_string());
    }
    let binary = if objects.is_empty() { None } else { Some((together_in_one(&objects, target)?, header)) };
    let description = format!("{{\"kernels\": [\n{}\n]}}\n", descriptions.join(",\n"));
    let text = own.map_or_else(|| texts.join("\n"), |own| caustic_source::renumbered(&texts.join("\n"), own));
    Ok(Emitted { text, description, binary, map: None, warnings: Diagnostics::default() })
}

#[cfg(feature = "llvm")]
fn together_in_one(objects: &[Vec<u8>], target: Target) -> Result<Vec<u8>, Diagnostic> {
    if target == Target::So { shared_library(objects) } else { linked(objects, &["-r", "-nostdlib"], &[]) }
}

#[cfg(not(feature = "llvm"))]
fn together_in_one(_: &[Vec<u8>], _: Target) -> Result<Vec<u8>, Diagnostic> {
    Err(Diagnostic::internal(Loc::unknown(), "this build has no LLVM"))
}

#[cfg(feature = "llvm")]
fn shared_library(objects: &[Vec<u8>]) -> Result<Vec<u8>, Diagnostic> {
    linked(objects, &["-shared"], &["-Wl,--as-needed", "-lmvec", "-lm"])
}

/// Objects as one file, by the system's linker.
#[cfg(feature = "llvm")]
fn linked(objects: &[Vec<u8>], before: &[&str], after: &[&str]) -> Result<Vec<u8>, Diagnostic> {
    let failed = |why: String| {
        Diagnostic::error(codes::E0853, Loc::unknown(), format!("the code cannot be linked here: {why}"))
            .with_note("it takes a C compiler, `cc`; an object file of one entry point takes none")
            .with_input(caustic_ir::Input::Target)
    };
    let link = || -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let to = folder.path().join("kernel");
        let mut cc = std::process::Command::new("cc");
        cc.args(before).arg("-o").arg(&to);
        for (number, object) in objects.iter().enumerate() {
            let from = folder.path().join(format!("{number}.o"));
            std::fs::write(&from, object).map_err(|e| e.to_string())?;
            cc.arg(from);
        }
        let run = cc.args(after).output().map_err(|e| e.to_string())?;
        if !run.status.success() {
            return Err(String::from_utf8_lossy(&run.stderr).into_owned());
        }
        std::fs::read(&to).map_err(|e| e.to_string())
    };
    link().map_err(failed)
}

#[cfg(not(feature = "llvm"))]
fn compile(_: &Module, _: &KernelInterface, _: Target, _: &EmitOptions, _: &Context) -> Result<Emitted, Failure> {
    Err(Diagnostic::internal(Loc::unknown(), "this build has no LLVM").into())
}

/// The module as text; with a name only that function, those that are named after it, and what
/// differentiation made of others for them: what `is_made` tells. The error says what there is
/// instead.
pub(crate) fn print(
    module: &Module,
    function: Option<&str>,
    form: TextForm,
    is_made: &dyn Fn(Name) -> bool,
) -> Result<String, String> {
    let options = PrintOptions { generic: form == TextForm::Generic, ..PrintOptions::default() };
    let Some(function) = function else { return Ok(text::print_module(module, &options)) };
    let own = module.symbols().iter().filter(|s| belongs_to(&s.name, function)).map(|s| s.name);
    let reached = CallGraph::of_mentions(module).reachable(own);
    let mut only = Module::new();
    for symbol in module.symbols() {
        if belongs_to(&symbol.name, function) || reached.contains(&symbol.name) && is_made(symbol.name) {
            only.put(symbol.clone());
        }
    }
    if !only.symbols().is_empty() {
        return Ok(text::print_module(&only, &options));
    }
    Err(no_function(function, &function_names(module)))
}

/// The functions of a module, as far as their names are words of a program.
pub(crate) fn function_names(module: &Module) -> Vec<&str> {
    let functions = module.symbols().iter().filter(|s| s.function_type().is_some());
    functions.map(|s| s.name.as_str()).collect()
}

/// There is no such function; what there is instead.
pub(crate) fn no_function(function: &str, known: &[&str]) -> String {
    match caustic_ir::nearest::nearest(function, known.iter().copied()) {
        Some(near) => format!("there is no function `{function}`; did you mean `{near}`?"),
        None => format!("there is no function `{function}`; there are {}", known.join(", ")),
    }
}

/// Whether `symbol` is `function`, or is named after it: `f.primal`, `bwd_diff(f)`.
fn belongs_to(symbol: &str, function: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    symbol
        .match_indices(function)
        .any(|(at, _)| !symbol[..at].ends_with(is_word) && !symbol[at + function.len()..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::belongs_to;

    #[test]
    fn derivatives_belong_to_their_function() {
        for symbol in ["f", "f.primal", "bwd_diff(f)", "fwd_diff(bwd_diff(f))"] {
            assert!(belongs_to(symbol, "f"), "{symbol}");
        }
        for symbol in ["ff", "f2", "bwd_diff(g)", "g_f", ""] {
            assert!(!belongs_to(symbol, "f"), "{symbol}");
        }
    }
}
