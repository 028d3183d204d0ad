//! Differentiable pointers go through differentiated code in pairs with the pointers to their derivatives.
//!
//! A function that a derivative is asked of and that takes differentiable pointers (`agg.struct` with a pointer differential) is differentiated
//! in a *paired* form: these inputs are pairs, handed on as they are to what it calls, and read through their first half elsewhere. To the steps
//! that follow, a pair is a value without a derivative; the given derivatives that the pointers end in take pairs as their signature says
//! (seeds: user guide, "Differentiable Ptr types"; its reference section on `fwd_diff` and `bwd_diff`).
//!
//! Invariant: the paired form computes what the function computes. A pointer that is no copy of an input has no derivative part, and
//! to hand it on to where one is needed is an error.

use super::activity::Instance;
use super::given;
use caustic_dialects::ad::{self, pointer_pair};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::signature::{DIFFERENTIABLE, Direction, PRIMAL_SUBSTITUTE, PRIVATE, Signature, VISIBILITY};
use caustic_dialects::{arith, func};
use caustic_ir::{Attr, Builder, Diagnostic, Module, Name, OpId, Result, SymbolOp, Type, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

fn is_pointer(ty: Type) -> bool {
    StructType::of(ty).is_some_and(|s| s.is_pointer())
}

/// The inputs of a function that its derivatives take as pairs.
fn pointer_inputs(symbol: &SymbolOp) -> Vec<usize> {
    let Some(s) = Signature::of(symbol) else { return Vec::new() };
    let paired = s.params.iter().filter(|p| p.dir == Direction::In && !p.no_diff && is_pointer(p.ty));
    paired.filter_map(|p| p.input).collect()
}

fn paired_name(name: Name) -> Name {
    Name::new(&format!("{name}.paired"))
}

fn symbol_attr(symbol: &SymbolOp, name: &str) -> Option<Name> {
    symbol.attr(name).and_then(|a| a.as_symbol())
}

/// Puts paired functions in the place of those that requests name, and of all that derivatives flow through from there.
pub fn pair(module: &mut Module) -> Result<()> {
    let is_request = |s: &&SymbolOp| std::ptr::eq(s.def, ad::Derivative::DEF);
    let mut work: Vec<Name> = Vec::new();
    let mut asked: FxHashMap<Name, Name> = FxHashMap::default();
    for request in module.symbols().iter().filter(is_request) {
        let Some(of) = symbol_attr(request, "of").and_then(|n| module.get(n)) else { continue };
        if !is_request(&of) && !pointer_inputs(of).is_empty() {
            asked.insert(request.name, paired_name(of.name));
            work.push(of.name);
        }
    }
    if asked.is_empty() {
        return Ok(());
    }
    let mut made: FxHashSet<Name> = FxHashSet::default();
    while let Some(name) = work.pop() {
        if !made.insert(name) || module.get(paired_name(name)).is_some() {
            continue;
        }
        let Some(symbol) = module.get(name) else { continue };
        let paired = Pairing { module, needed: Vec::new() }.function(symbol)?;
        work.extend(paired.1);
        module.put(paired.0);
    }
    for request in module.symbols_mut() {
        if let Some(of) = asked.get(&request.name) {
            request.set_attr("of", Attr::symbol(*of));
        }
    }
    Ok(())
}

struct Pairing<'m> {
    module: &'m Module,
    /// The functions whose paired forms are called.
    needed: Vec<Name>,
}

impl Pairing<'_> {
    fn function(mut self, symbol: &SymbolOp) -> Result<(SymbolOp, Vec<Name>)> {
        let mut out = symbol.clone();
        out.name = paired_name(symbol.name);
        out.set_attr(VISIBILITY, Attr::string(PRIVATE));
        for entry in ["entry", "sym_name"] {
            out.remove_attr(entry);
        }
        if let Some(substitute) = symbol_attr(symbol, PRIMAL_SUBSTITUTE) {
            out.set_attr(PRIMAL_SUBSTITUTE, Attr::symbol(paired_name(substitute)));
            self.needed.push(substitute);
        }
        let inputs = pointer_inputs(symbol);
        let (Some((types, results)), Some(entry)) = (symbol.function_type(), symbol.body.entry()) else {
            return Err(Diagnostic::invalid_ir(symbol.loc, "a function without code"));
        };
        let mut types = types.to_vec();
        for &i in &inputs {
            let arg = out.body.args(entry)[i];
            if let Some(pair) = pointer_pair(types[i]) {
                types[i] = pair;
                out.body.set_type(arg, pair);
            }
        }
        out.set_attr("function_type", Attr::ty(Type::function(&types, results)));
        self.carried(&mut out);
        for op in out.body.walk_all() {
            self.op(&mut out, op)?;
        }
        Ok((out, self.needed))
    }

    /// Pointers that control flow hands on are pairs as well.
    fn carried(&self, out: &mut SymbolOp) {
        for index in 0..out.body.num_values() {
            let value = ValueId(index as u32);
            let hands_on = match out.body.def(value) {
                ValueDef::Result { op, .. } => !out.body.op(op).regions.is_empty() || arith::Select::is(&out.body, op),
                ValueDef::Arg { block, .. } => out.body.entry() != Some(block),
            };
            if hands_on && let Some(pair) = pointer_pair(out.body.ty(value)) {
                out.body.set_type(value, pair);
            }
        }
    }

    fn op(&mut self, out: &mut SymbolOp, op: OpId) -> Result<()> {
        let operands = out.body.operands(op).to_vec();
        let is_pair = |out: &SymbolOp, v: ValueId| is_pointer_pair(out.body.ty(v));
        if !operands.iter().any(|&v| is_pair(out, v) || is_pointer(out.body.ty(v))) {
            return Ok(());
        }
        let hands_on = !out.body.op(op).regions.is_empty()
            || out.body.op(op).def.is_terminator()
            || arith::Select::is(&out.body, op);
        let callee = out.body.attr(op, "callee").and_then(|a| a.as_symbol()).and_then(|n| self.module.get(n));
        let callee = callee.filter(|_| func::Call::is(&out.body, op));
        let wanted: Vec<usize> = match callee {
            Some(f) if f.attr(DIFFERENTIABLE).is_some() || given::any(f) => pointer_inputs(f),
            _ if hands_on => (0..operands.len()).collect(),
            _ => Vec::new(),
        };
        for (i, &v) in operands.iter().enumerate() {
            match (is_pair(out, v), wanted.contains(&i)) {
                (true, false) => {
                    let Some(mut b) = Builder::before(&mut out.body, op) else { continue };
                    let Some(primal) = StructType::of(b.ty(v)).and_then(|s| s.field(0)) else { continue };
                    let path = [("path", Attr::i64_array(&[0]))];
                    let half = agg::Extract::build(&mut b, v, &[], primal.ty, &path);
                    out.body.set_operand(op, i, half);
                }
                (false, true) if is_pointer(out.body.ty(v)) => return Err(no_derivative_part(out, op)),
                _ => {}
            }
        }
        if let (Some(f), false) = (callee, wanted.is_empty()) {
            out.body.set_attr(op, "callee", Attr::symbol(paired_name(f.name)));
            self.needed.push(f.name);
        }
        Ok(())
    }
}

/// The error of a call of a function with a given derivative from code that is not paired: the pointers that it hands on have come in a struct or an
/// array, or without a derivative.
pub fn check_call(module: &Module, caller: &SymbolOp, op: OpId, callee: &Instance) -> Option<Diagnostic> {
    let takes_pointers = module.get(callee.func).is_some_and(|f| !pointer_inputs(f).is_empty());
    takes_pointers.then(|| no_derivative_part(caller, op))
}

fn is_pointer_pair(ty: Type) -> bool {
    let primal = StructType::of(ty).and_then(|s| s.field(0));
    primal.is_some_and(|p| pointer_pair(p.ty) == Some(ty))
}

fn no_derivative_part(out: &SymbolOp, op: OpId) -> Diagnostic {
    Diagnostic::error("E0608", out.body.loc(op), "this differentiable pointer has no derivative part")
        .with_label("its derivative is needed here")
        .with_note("only parameters of a differentiable pointer type and copies of them have one, not what stands in structs or arrays; pass the pointer itself, or write `no_diff` in front of the call if it shall have none")
}
