//! What can be run: code that reaches no function which is only declared, and entry points of this
//! machine's stage.
//!
//! A program may declare what it cannot run here (prototypes, functions of other stages), and is
//! checked all the same. This looks at `hl`, before any pass: there every call stands where the
//! program has it.

use crate::options::Target;
use caustic_dialects::ad;
use caustic_dialects::call_graph::{CallGraph, callee, mentioned};
use caustic_dialects::hl;
use caustic_dialects::reflect::ENTRY;
use caustic_dialects::signature::{
    BACKWARD_DERIVATIVE, ELSEWHERE, FORWARD_DERIVATIVE, LINKS, NO_QUADS, PRIMAL_SUBSTITUTE, QUADS, SYNTHESIZED,
    UNAVAILABLE, labels,
};
use caustic_ir::codes::{self, Code};
use caustic_ir::{Attr, Diagnostic, Loc, Module, Name, SymbolOp};
use std::collections::{HashMap, HashSet};

/// Why a symbol cannot be run.
#[derive(Clone)]
struct Reason {
    code: Code,
    why: String,
    /// Where in the program that is said.
    labels: Vec<(Loc, &'static str)>,
    note: Option<String>,
}

impl Reason {
    /// As an error at a place.
    fn at(&self, loc: Loc) -> Diagnostic {
        let labels = self.labels.iter().filter(|(at, _)| *at != loc);
        let plain = Diagnostic::error(self.code, loc, self.why.clone());
        let labelled = labels.fold(plain, |d, (at, text)| d.with_label_at(*at, *text));
        self.note.iter().fold(labelled, |d, note| d.with_note(note.clone()))
    }
}

/// Why a symbol is only declared.
fn unavailable_because(symbol: &SymbolOp) -> Option<Reason> {
    let attr = symbol.attr(UNAVAILABLE)?;
    let [code, why, places] = attr.as_array()? else { return None };
    let code = Code::named(code.as_str()?)?;
    Some(Reason { code, why: why.as_str()?.to_string(), labels: labels(*places), note: None })
}

/// Why an entry point is of no stage that runs here, or is for targets which are none of those
/// that code is made for.
fn elsewhere_because(symbol: &SymbolOp, target: Option<Target>) -> Option<Reason> {
    let attr = symbol.attr(ELSEWHERE)?;
    let [why, targets, places] = attr.as_array()? else { return None };
    let made_for = target.map(capability).unwrap_or_default();
    let fits = targets.as_array()?.iter().filter_map(|t| t.as_str()).any(|t| t == made_for);
    let note = match made_for {
        "" => "programs that run here are for cpp, c and llvm".to_string(),
        target => format!("code is made for {target} here"),
    };
    let why = why.as_str()?.to_string();
    (!fits).then(|| Reason { code: codes::E0282, why, labels: labels(*places), note: Some(note) })
}

/// The word of `[require]` for a target. Code for this machine is what runs here.
fn capability(target: Target) -> &'static str {
    match target {
        Target::Ptx | Target::CudaSource => "cuda",
        Target::Glsl => "glsl",
        Target::Hlsl => "hlsl",
        Target::Wgsl => "wgsl",
        Target::Metal => "metal",
        Target::Spirv | Target::SpirvAsm => "spirv",
        Target::LlvmIr | Target::Asm | Target::Obj | Target::So => "llvm",
        Target::Cpp => "cpp",
        // The program itself in other words.
        Target::Slang => "",
    }
}

/// Why code that begins at a symbol cannot compare the threads of a quad.
fn no_quads(root: Option<&SymbolOp>) -> Option<String> {
    match root {
        Some(root) if root.attr(ENTRY).is_some() => Some(root.attr(NO_QUADS)?.as_str()?.to_string()),
        _ => Some("a function that is called by itself has one thread".to_string()),
    }
}

/// Checks that `root` and all that it reaches can be run, here or by what `target` is for.
///
/// # Errors
/// Each place where something is named that is only declared.
pub(crate) fn check(module: &Module, root: Name, target: Option<Target>) -> Result<(), Vec<Diagnostic>> {
    check_reached(module, root, target, false)
}

/// The same for an entry point, whose derivatives are looked at again when they are made
/// ([`check_derived`]).
///
/// # Errors
/// Each place where something is named that is only declared.
pub(crate) fn check_kernel(module: &Module, root: Name, target: Option<Target>) -> Result<(), Vec<Diagnostic>> {
    check_reached(module, root, target, true)
}

fn check_reached(module: &Module, root: Name, target: Option<Target>, is_kernel: bool) -> Result<(), Vec<Diagnostic>> {
    if let Some(symbol) = module.get(root)
        && let Some(reason) = elsewhere_because(symbol, target).or_else(|| unavailable_because(symbol))
    {
        return Err(vec![reason.at(symbol.loc)]);
    }
    let declared = declared(module, no_quads(module.get(root)).as_deref());
    let mut interfaces = without_types(module);
    if declared.is_empty() && interfaces.is_empty() {
        return Ok(());
    }
    let mut found = Vec::new();
    let reached = CallGraph::of_mentions(module).reachable([root]);
    let derived = Derived::of(module, root, &declared);
    interfaces.retain(|&name| {
        module.symbols().iter().any(|s| reached.contains(&s.name) && gives_from_words(s) == Some(name))
    });
    for symbol in module.symbols().iter().filter(|s| reached.contains(&s.name)) {
        found.extend(asked_without_types(symbol, &interfaces));
    }
    for symbol in module.symbols().iter().filter(|s| reached.contains(&s.name) && !declared.contains_key(&s.name)) {
        for (named, at) in named_by(symbol) {
            let Some(declared) = declared.get(&named) else { continue };
            if !(is_kernel && derived.leaves_out(symbol.name, named)) {
                told_once(&mut found, module, named, at, declared);
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Checks that code with all its derivatives made calls nothing that is only declared: a derivative
/// may need the value of a function whose derivatives are given.
///
/// # Errors
/// Each place where something is called that is only declared.
pub(crate) fn check_derived(module: &Module, root: Name) -> Result<(), Vec<Diagnostic>> {
    let declared = declared(module, None);
    let mut found = Vec::new();
    if declared.is_empty() {
        return Ok(());
    }
    let reached = CallGraph::of_calls(module).reachable([root]);
    for symbol in module.symbols().iter().filter(|s| reached.contains(&s.name) && !declared.contains_key(&s.name)) {
        for op in symbol.body.walk_all() {
            let Some(named) = callee(&symbol.body, op) else { continue };
            if let Some(declared) = declared.get(&named) {
                told_once(&mut found, module, named, symbol.body.loc(op).source(), declared);
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Adds that something is only declared; one reason for each place.
fn told_once(found: &mut Vec<Diagnostic>, module: &Module, named: Name, at: Loc, declared: &(Reason, Loc)) {
    let (reason, loc) = declared;
    if !found.iter().any(|d: &Diagnostic| d.loc == at) {
        let has_body = !reason.labels.is_empty() || module.get(named).is_some_and(|s| s.attr(QUADS).is_some());
        let label = if has_body { "declared here" } else { "only declared here" };
        let found_here = reason.at(at);
        found.push(if *loc == at { found_here } else { found_here.with_label_at(*loc, label) });
    }
}

/// The functions of which a root reaches derivatives, and never the functions themselves.
struct Derived {
    /// By mode: forward, and reverse.
    only: [HashSet<Name>; 2],
    plain: HashSet<Name>,
    /// What is only declared, and has a derivative that is given, by mode.
    given: [HashSet<Name>; 2],
}

impl Derived {
    fn of(module: &Module, root: Name, declared: &HashMap<Name, (Reason, Loc)>) -> Derived {
        let is_given = |key: &'static str| {
            let with = module.symbols().iter().filter(|s| declared.contains_key(&s.name));
            with.filter(|s| s.attr(key).is_some()).map(|s| s.name).collect()
        };
        let given = [FORWARD_DERIVATIVE, BACKWARD_DERIVATIVE].map(is_given);
        let mut derived = Derived { only: Default::default(), plain: HashSet::new(), given };
        // Where code of its own begins, and of what a derivative is made, by mode.
        let mut open: Vec<(Name, Option<usize>)> = vec![(root, None)];
        while let Some((name, mode)) = open.pop() {
            let reached = mode.map_or(&mut derived.plain, |mode| &mut derived.only[mode]);
            let Some(symbol) = module.get(name).filter(|_| reached.insert(name)) else { continue };
            if let (None, Some(of)) = (mode, ad::requested(symbol)) {
                open.push((of, Some(usize::from(!ad::asks_forward(symbol)))));
                continue;
            }
            // Of what is given, the code stands elsewhere.
            let mode = mode.filter(|_| ad::requested(symbol).is_none() && symbol.body.entry().is_some());
            mentioned(symbol, &mut |named| {
                let is_function = module.get(named).is_some_and(|s| s.function_type().is_some());
                let is_derived = mode.is_some() && is_function && LINKS.iter().all(|key| !links(symbol, key, named));
                open.push((named, mode.filter(|_| is_derived)));
            });
        }
        derived
    }

    /// Whether a function is reached for derivatives alone, which call what is given in the place
    /// of another function.
    fn leaves_out(&self, caller: Name, named: Name) -> bool {
        let mut modes = (0..2).filter(|&mode| self.only[mode].contains(&caller)).peekable();
        !self.plain.contains(&caller) && modes.peek().is_some() && modes.all(|mode| self.given[mode].contains(&named))
    }
}

/// Whether an attribute of a symbol names another one.
fn links(symbol: &SymbolOp, key: &str, named: Name) -> bool {
    symbol.attr(key).and_then(|a| a.as_symbol()) == Some(named)
}

/// The interfaces that no type conforms to: a value of such a type holds nothing.
fn without_types(module: &Module) -> Vec<Name> {
    let conformed: Vec<Name> = module
        .symbols()
        .iter()
        .filter_map(|s| hl::WitnessTable::of_symbol(s)?.interface(s).and_then(interface_name))
        .collect();
    let interfaces = module.symbols().iter().filter(|s| std::ptr::eq(s.def, hl::Interface::DEF));
    interfaces.map(|s| s.name).filter(|name| !conformed.contains(name)).collect()
}

/// The name of an interface, without its arguments.
fn interface_name(interface: Attr) -> Option<Name> {
    interface.as_symbol().or_else(|| interface.as_array()?.first()?.as_symbol())
}

/// The interface of whose type a function makes a value from what the host gives. Without such
/// values, what is asked of an interface's type that nothing conforms to is never reached.
fn gives_from_words(symbol: &SymbolOp) -> Option<Name> {
    symbol.attr(SYNTHESIZED)?;
    let (_, results) = symbol.function_type()?;
    results.first().and_then(|&ty| hl::generics::as_existential(ty)).and_then(interface_name)
}

/// The calls of requirements on values of these interfaces' types.
fn asked_without_types(symbol: &SymbolOp, interfaces: &[Name]) -> Vec<Diagnostic> {
    let body = &symbol.body;
    let calls = body.walk_all().into_iter().filter(|&op| hl::CallGeneric::is(body, op));
    let asked = |op| {
        let ty = body.ty(*body.operands(op).first()?);
        let interface = hl::generics::as_existential(hl::as_ref(ty).unwrap_or(ty)).and_then(interface_name)?;
        let name = interfaces.contains(&interface).then_some(interface)?;
        let text = format!("no type conforms to `{name}`, so there is no value of that type to ask");
        Some(
            Diagnostic::error(codes::E0506, body.loc(op), text)
                .with_note(format!("declare a struct that conforms to `{name}`, or import the module that has one")),
        )
    };
    calls.filter_map(asked).collect()
}

/// For each function that reaches something which is only declared: why.
pub(crate) fn unavailable(module: &Module) -> HashMap<Name, String> {
    let mut out = HashMap::new();
    let declared = declared(module, no_quads(None).as_deref());
    if declared.is_empty() {
        return out;
    }
    let graph = CallGraph::of_mentions(module);
    for symbol in module.symbols() {
        let Some((Reason { why, .. }, _)) = declared.get(&symbol.name) else { continue };
        let why = match symbol.attr(QUADS) {
            Some(_) => why.clone(),
            None => format!("it needs what is only declared: {why}"),
        };
        for caller in graph.reaching([symbol.name]) {
            out.entry(caller).or_insert_with(|| why.clone());
        }
    }
    out
}

/// The functions that are only declared, and their derivatives unless these are given: why, and
/// where each is declared. So are those that compare the threads of a quad, if there are none.
fn declared(module: &Module, no_quads: Option<&str>) -> HashMap<Name, (Reason, Loc)> {
    let alone = |s: &SymbolOp| {
        let (name, why) = (s.attr(QUADS)?, no_quads?);
        let why = format!("`{}` compares the threads of a quad, and {why}", name.as_str()?);
        Some(Reason { code: codes::E0303, why, labels: Vec::new(), note: None })
    };
    let own = module.symbols().iter().filter_map(|s| {
        let reason = unavailable_because(s).or_else(|| alone(s))?;
        Some((s.name, (reason, s.loc)))
    });
    let mut out: HashMap<Name, (Reason, Loc)> = own.collect();
    // A derivative stands behind what it is of.
    for symbol in module.symbols() {
        let Some(of) = ad::requested(symbol) else { continue };
        let given = module.get(of).is_some_and(|of| {
            let backward = !ad::asks_forward(symbol);
            let has = |key: &str| of.attr(key).is_some();
            has(PRIMAL_SUBSTITUTE) || has(FORWARD_DERIVATIVE) || backward && has(BACKWARD_DERIVATIVE)
        });
        if let Some(found) = out.get(&of).cloned().filter(|_| !given) {
            out.insert(symbol.name, found);
        }
    }
    out
}

/// What a symbol's code names, and where; what its attributes name, at the symbol.
fn named_by(symbol: &SymbolOp) -> Vec<(Name, Loc)> {
    let mut out = Vec::new();
    for op in symbol.body.walk_all() {
        let op = symbol.body.op(op);
        out.extend(op.attrs.iter().filter_map(|(_, a): &(Name, Attr)| Some((a.as_symbol()?, op.loc))));
    }
    // What a derivative is of need not be run for it.
    out.extend(
        symbol.attrs.iter().filter(|(key, _)| *key != "of").filter_map(|(_, a)| Some((a.as_symbol()?, symbol.loc))),
    );
    out
}
