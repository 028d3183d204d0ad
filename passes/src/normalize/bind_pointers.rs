//! `bind-pointers`: functions are told which resource each of their pointers leads to, and which
//! each of their buffers is that may be written.
//!
//! A kernel hands its pointers and buffers on, often as parts of a struct, to functions that read
//! and write through them. Inside of such a function a pointer may lead anywhere, so that a store
//! through one may change what another one reads: differentiation would have to keep what was read,
//! iteration by iteration. Where a call hands on the begin of a resource, or a buffer, the callee's
//! parameter is put together anew from the address of that resource; a function that is called with
//! different resources becomes one for each. Where it hands on a place behind the begin (`p + 4`),
//! the parameter is that address and its distance from it, which `resolve-pointers` takes for an
//! offset in the resource. Derivatives that are given or asked for are bound as
//! the function they belong to: their parameters of the same type at the same place hold the same
//! pointers.
//!
//! The program is that of one entry point: where others may call the functions of a module, any
//! pointer may come. A module with two functions that nothing mentions is left as it is.
//!
//! Invariant: every function computes what it did. Signatures stay as they are.
//!
//! This module must not know: how accesses are resolved (`resolve-pointers`), what derivatives are.

use crate::manager::{Changed, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::call_graph::{callee, mentioned};
use caustic_dialects::reflect::is_pointer;
use caustic_dialects::signature::LINKS;
use caustic_dialects::{agg, arith, func};
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, SymbolOp, Type, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Puts the addresses of resources, and buffers, in the place of parameters that always hold
    /// them.
    pub static BIND_POINTERS: "bind-pointers" {
        level: module, options: none,
        before: "func scf arith strong math vector agg gpu simt ad", after: "the same",
        statistics: [("parameters", "pointers and buffers in parameters that are known"), ("copies", "functions that were copied for other resources")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

/// How far back a value is followed.
const FUEL: u32 = 32;
/// Parts of a parameter beyond these are not looked at.
const MAX_LEAVES: usize = 64;
/// A program that needs more functions, one for each choice of resources, is left as it is.
const MAX_FUNCTIONS: usize = 256;

/// A number in a parameter: which one, and the way to it.
type Part = (usize, Vec<i64>);

/// What a part of a parameter is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Leads {
    /// The resource that it leads into, or the buffer that it is.
    to: Name,
    /// Whether to its begin.
    begin: bool,
}

impl Leads {
    #[mutant(Site::BindOffset => self)]
    fn at_an_offset(self) -> Leads {
        Leads { begin: false, ..self }
    }
}

/// Where parts of a function's parameters lead to, in the order of the parts.
type Binding = Vec<(Part, Leads)>;

/// A function under a binding, and what it leads to.
struct Bound {
    function: usize,
    binding: Binding,
    calls: Vec<(OpId, usize)>,
    links: Vec<(Name, usize)>,
}

struct Search<'m> {
    module: &'m Module,
    index: FxHashMap<Name, usize>,
    resources: FxHashSet<Name>,
    found: Vec<Bound>,
    known: FxHashMap<(usize, Binding), usize>,
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let resources: FxHashSet<Name> = module.symbols().iter().filter(|s| is_pointer(s)).map(|s| s.name).collect();
    let root = root(module);
    let written = |s: &SymbolOp| agg::Resource::of_symbol(s).and_then(|r| r.type_(s)).is_some_and(is_written);
    let some = !resources.is_empty() || module.symbols().iter().any(written);
    let Some(root) = root.filter(|_| some) else { return Ok(Changed::No) };
    let index = module.symbols().iter().enumerate().map(|(i, s)| (s.name, i)).collect();
    let mut search = Search { module, index, resources, found: Vec::new(), known: FxHashMap::default() };
    search.roots(root);
    let mut next = 0;
    while next < search.found.len() {
        if search.found.len() > MAX_FUNCTIONS {
            return Ok(Changed::No);
        }
        search.visit(next);
        next += 1;
    }
    let found = search.found;
    let parts: usize = found.iter().map(|b| b.binding.len()).sum();
    if parts == 0 {
        return Ok(Changed::No);
    }
    report.count("parameters", parts as u64);
    report.count("copies", rewrite(module, &found));
    Ok(Changed::Yes)
}

/// The function that nothing in the module mentions, if there is one alone.
fn root(module: &Module) -> Option<usize> {
    let mut known = FxHashSet::default();
    for symbol in module.symbols() {
        mentioned(symbol, &mut |name| {
            known.insert(name);
        });
    }
    let mut roots = (0..module.symbols().len()).filter(|&i| {
        let symbol = &module.symbols()[i];
        symbol.function_type().is_some() && !known.contains(&symbol.name)
    });
    roots.next().filter(|_| roots.next().is_none())
}

impl Search<'_> {
    fn roots(&mut self, root: usize) {
        self.ask_at(root, Binding::new());
        for symbol in self.module.symbols().iter().filter(|s| s.function_type().is_none()) {
            // What data mention is called with whatever there is.
            let mut names = Vec::new();
            mentioned(symbol, &mut |name| names.push(name));
            for name in names {
                self.ask(name, Binding::new());
            }
        }
    }

    fn ask(&mut self, name: Name, binding: Binding) -> Option<usize> {
        let at = *self.index.get(&name)?;
        self.module.symbols()[at].function_type()?;
        Some(self.ask_at(at, binding))
    }

    fn ask_at(&mut self, function: usize, binding: Binding) -> usize {
        let next = self.found.len();
        *self.known.entry((function, binding.clone())).or_insert_with(|| {
            self.found.push(Bound { function, binding, calls: Vec::new(), links: Vec::new() });
            next
        })
    }

    fn visit(&mut self, at: usize) {
        let module = self.module;
        let (symbol, binding) = (&module.symbols()[self.found[at].function], self.found[at].binding.clone());
        let body = &symbol.body;
        for op in body.walk_all() {
            let called = callee(body, op);
            if let Some(name) = called {
                let handed = self.handed(body, op, &binding);
                if let Some(to) = self.ask(name, handed) {
                    self.found[at].calls.push((op, to));
                }
            }
            for (name, attr) in &body.op(op).attrs {
                if called.is_none() || *name != *"callee" {
                    self.mention(*attr);
                }
            }
        }
        for &(name, attr) in symbol.attrs.iter() {
            let link = attr.as_symbol().filter(|_| is_link(&name));
            match link.and_then(|other| Some((other, self.module.get(other)?))) {
                Some((other, target)) => {
                    let shared = shared(symbol, target, &binding);
                    if let Some(to) = self.ask(other, shared) {
                        self.found[at].links.push((name, to));
                    }
                }
                None => self.mention(attr),
            }
        }
    }

    /// Functions that something names without calling them.
    fn mention(&mut self, attr: Attr) {
        match attr.kind() {
            caustic_ir::AttrKind::Symbol(name) => {
                self.ask(*name, Binding::new());
            }
            caustic_ir::AttrKind::Array(items) => items.iter().for_each(|a| self.mention(*a)),
            caustic_ir::AttrKind::Dict(entries) => entries.iter().for_each(|(_, a)| self.mention(*a)),
            _ => {}
        }
    }

    /// What a call hands on, under the binding of its own function.
    fn handed(&self, body: &Body, call: OpId, binding: &Binding) -> Binding {
        self.handed_within(body, call, binding, FUEL)
    }

    fn handed_within(&self, body: &Body, call: OpId, binding: &Binding, fuel: u32) -> Binding {
        let mut found = Binding::new();
        for (n, &value) in body.operands(call).iter().enumerate() {
            for path in leaves(body.ty(value)) {
                if let Some(leads) = self.leads(body, value, &path, binding, fuel) {
                    found.push(((n, path), leads));
                }
            }
        }
        found
    }

    /// Where a part of a value leads to.
    fn leads(&self, body: &Body, value: ValueId, path: &[i64], binding: &Binding, fuel: u32) -> Option<Leads> {
        let fuel = fuel.checked_sub(1)?;
        let op = match body.def(value) {
            ValueDef::Result { op, index } if func::Call::is(body, op) => {
                // A constructor, or a function that hands on what it is given.
                let callee = &self.module.get(callee(body, op)?)?.body;
                let returned = *callee.operands(callee.terminator(callee.entry()?)?).get(index as usize)?;
                // Half of the fuel: what several calls are made of may be asked for each of them.
                let handed = self.handed_within(body, op, binding, fuel / 2);
                return self.leads(callee, returned, path, &handed, fuel);
            }
            ValueDef::Result { op, .. } => op,
            ValueDef::Arg { block, index } => {
                let is_input = body.entry() == Some(block);
                let same = |part: &Part| part.0 == index as usize && part.1 == path;
                return binding.iter().find(|(part, _)| is_input && same(part)).map(|&(_, leads)| leads);
            }
        };
        let operand = |n: usize| self.leads(body, body.operand(op, n), &[], binding, fuel);
        let begin = |to: Name| Leads { to, begin: true };
        if agg::Global::is(body, op) && path.is_empty() && is_written(body.ty(value)) {
            agg::resource_name(body, op).map(begin)
        } else if agg::Address::is(body, op) && path.is_empty() {
            let global = body.def_op(body.operand(op, 0)).filter(|&g| agg::Global::is(body, g))?;
            agg::resource_name(body, global).filter(|name| self.resources.contains(name)).map(begin)
        } else if agg::Make::is(body, op) {
            let (&first, rest) = path.split_first()?;
            let part = *body.operands(op).get(usize::try_from(first).ok()?)?;
            self.leads(body, part, rest, binding, fuel)
        } else if agg::Extract::is(body, op) && body.operands(op).len() == 1 {
            let whole = [agg::path_of(body, op), path.to_vec()].concat();
            self.leads(body, body.operand(op, 0), &whole, binding, fuel)
        } else if agg::Insert::is(body, op) && body.operands(op).len() == 2 {
            let inserted = agg::path_of(body, op);
            match path.strip_prefix(&inserted[..]) {
                Some(rest) => self.leads(body, body.operand(op, 0), rest, binding, fuel),
                None => self.leads(body, body.operand(op, 1), path, binding, fuel),
            }
        } else if arith::AddI::is(body, op) && path.is_empty() {
            // Of two addresses the sum is none.
            match (operand(0), operand(1)) {
                (Some(leads), None) | (None, Some(leads)) => Some(leads.at_an_offset()),
                _ => None,
            }
        } else if arith::SubI::is(body, op) && path.is_empty() {
            let leads = operand(0).filter(|_| operand(1).is_none())?;
            Some(leads.at_an_offset())
        } else {
            None
        }
    }
}

/// Whether a symbol's attribute names a function with the same parameters, or derivatives of them.
fn is_link(name: &Name) -> bool {
    // What a request for a derivative is one of.
    *name == *"of" || LINKS.iter().any(|link| *name == **link)
}

/// What is known of the parameters that two functions share.
fn shared(of: &SymbolOp, with: &SymbolOp, binding: &Binding) -> Binding {
    let inputs = |s: &SymbolOp| s.function_type().map(|(inputs, _)| inputs.to_vec()).unwrap_or_default();
    let (own, other) = (inputs(of), inputs(with));
    let same = |part: &Part| own.get(part.0).is_some_and(|ty| other.get(part.0) == Some(ty));
    binding.iter().filter(|(part, _)| same(part)).cloned().collect()
}

/// Whether a value of this type is a buffer that may be written: what nobody writes is the same
/// whoever reads it.
fn is_written(ty: Type) -> bool {
    agg::as_buffer(ty).is_some_and(|(_, writable)| writable)
}

/// The ways to the buffers in a type, and to the numbers that may be addresses.
fn leaves(ty: Type) -> Vec<Vec<i64>> {
    let (mut found, mut work) = (Vec::new(), vec![(ty, Vec::new())]);
    while let Some((ty, path)) = work.pop() {
        if found.len() >= MAX_LEAVES {
            break;
        }
        if ty == Type::i64() || is_written(ty) {
            found.push(path);
        } else if let Some(s) = agg::StructType::of(ty) {
            for (i, field) in s.fields().enumerate() {
                work.push((field.ty, [&path[..], &[i as i64]].concat()));
            }
        }
    }
    found.sort();
    found
}

/// Puts the functions in place, each under its bindings; how many were copied.
fn rewrite(module: &mut Module, found: &[Bound]) -> u64 {
    // What is known of nothing keeps its name, else what was found first.
    let mut own: FxHashMap<usize, usize> = FxHashMap::default();
    for (i, bound) in found.iter().enumerate() {
        let first = own.entry(bound.function).or_insert(i);
        if bound.binding.is_empty() {
            *first = i;
        }
    }
    let originals = module.symbols().to_vec();
    let mut names = Vec::new();
    for (i, bound) in found.iter().enumerate() {
        let original = &originals[bound.function];
        names.push(match own.get(&bound.function) == Some(&i) {
            true => original.name,
            false => {
                let name = module.fresh_name(&format!("{}.{}", original.name, named_after(&bound.binding)));
                module.put(SymbolOp { name, ..original.clone() });
                name
            }
        });
    }
    let type_of = |s: &SymbolOp| agg::Resource::of_symbol(s)?.type_(s);
    let globals: FxHashMap<Name, Type> = originals.iter().filter_map(|s| Some((s.name, type_of(s)?))).collect();
    for (bound, &name) in found.iter().zip(&names) {
        let original = &originals[bound.function];
        let Some(symbol) = module.get_mut(name) else { continue };
        if name != original.name {
            symbol.loc = original.loc.derived(name);
        }
        for &(op, to) in &bound.calls {
            symbol.body.set_attr(op, "callee", Attr::symbol(names[to]));
        }
        for &(link, to) in &bound.links {
            symbol.set_attr(&link, Attr::symbol(names[to]));
        }
        bind(&mut symbol.body, &bound.binding, &globals);
    }
    names.iter().zip(found).filter(|(name, bound)| **name != originals[bound.function].name).count() as u64
}

/// A word for a binding in the names of copies.
fn named_after(binding: &Binding) -> String {
    binding.first().map(|(_, leads)| leads.to.to_string()).unwrap_or_default()
}

/// Puts parameters together anew, with the addresses in them.
fn bind(body: &mut Body, binding: &Binding, globals: &FxHashMap<Name, Type>) -> Option<()> {
    let entry = body.entry()?;
    let first = body.first_op(entry)?;
    let mut inputs: Vec<usize> = binding.iter().map(|((input, _), _)| *input).collect();
    inputs.dedup();
    for input in inputs {
        let param = body.args(entry)[input];
        let uses = body.uses(param).to_vec();
        let mut value = param;
        for ((_, path), leads) in binding.iter().filter(|((n, _), _)| *n == input) {
            let mut b = Builder::before(body, first)?;
            let ty = path.iter().try_fold(b.ty(param), |ty, &step| agg::part_type(ty, step))?;
            let resource = if is_written(ty) { ty } else { *globals.get(&leads.to)? };
            let mut part = agg::Global::build(&mut b, resource, &[("name", Attr::symbol(leads.to))]);
            if !is_written(ty) {
                part = agg::Address::build(&mut b, part, Type::i64(), &[]);
            }
            if !leads.begin {
                let handed = match path.is_empty() {
                    true => param,
                    false => agg::Extract::build(&mut b, param, &[], ty, &[("path", Attr::i64_array(path))]),
                };
                let distance = arith::SubI::build(&mut b, handed, part, &[]);
                part = arith::AddI::build(&mut b, part, distance, &[]);
            }
            value = match path.is_empty() {
                true => part,
                false => agg::Insert::build(&mut b, part, value, &[], &[("path", Attr::i64_array(path))]),
            };
        }
        for u in uses {
            body.set_operand(u.op, u.index as usize, value);
        }
    }
    Some(())
}
