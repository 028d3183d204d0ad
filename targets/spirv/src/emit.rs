//! A program as a module: its functions, the entry point, and what belongs to the whole.
//!
//! Invariant: an instruction goes to the function that is being written ([`Code`]); types,
//! constants and variables of the module go to its [`Assembly`].

use crate::Options;
use crate::assembly::{Assembly, Finished, Id, Inst, Operand};
use crate::grammar::{Op, Word, capability, decoration, mode, storage};
use crate::ops::{self, Accuracy};
use crate::pointers::PointerFunction;
use crate::resources::Resources;
use crate::tables::Tables;
use caustic_dialects::agg::as_slot;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::{func, math, simt};
use caustic_ir::{BlockId, Body, Diagnostic, Loc, LocKind, Module, Name, OpDef, OpId, SymbolOp, Type, ValueId, codes};
use caustic_runtime::KernelInterface;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The name of the entry point.
pub const MAIN: &str = "main";

/// What is made of a program.
pub struct Made {
    pub module: Finished,
    pub bindings: Vec<Value>,
    pub accuracy: BTreeMap<&'static str, Accuracy>,
    pub names: BTreeMap<String, String>,
    /// Whether lanes of a wave exchange values.
    pub waves: bool,
}

/// The function that is being written.
#[derive(Default)]
pub struct Code {
    pub insts: Vec<Inst>,
    /// Its variables, which stand at the beginning.
    pub variables: Vec<Inst>,
    /// The block that is being written.
    pub label: Id,
    /// What stands for the values of the program.
    pub values: FxHashMap<ValueId, Id>,
    /// Numbers of 32 bits that stand for values of 64: as which they are extended (as signed ones
    /// or not), where someone asks for it.
    pub narrow: FxHashMap<ValueId, (Id, bool)>,
    /// Slots that hold constants.
    pub tables: Tables,
    /// The line that was told last.
    line: Option<(Id, u32, u32)>,
}

/// A function that is made while others are written.
#[derive(Clone, Copy)]
pub struct Helper {
    pub id: Id,
    pub result: Id,
}

/// How many parameters a function has at most.
const MOST_PARAMS: usize = 255;

/// What is known while a program is written.
pub struct Emit<'m> {
    pub ir: &'m Module,
    pub interface: &'m KernelInterface,
    options: Options,
    pub out: Assembly,
    pub code: Code,
    pub body: &'m Body,
    pub loc: Loc,
    pub functions: FxHashMap<Name, Id>,
    pub registers: FxHashMap<Type, Id>,
    pub in_memory: FxHashMap<Type, Id>,
    pub results: FxHashMap<Vec<Type>, Id>,
    pub resources: Resources,
    pub helpers: FxHashMap<String, Helper>,
    pub pointers: Vec<PointerFunction>,
    pub addressed: BTreeSet<usize>,
    pub accuracy: BTreeMap<&'static str, Accuracy>,
    pub floats: BTreeSet<u32>,
    pub variables: Vec<Id>,
    pub built_ins: FxHashMap<Word, Id>,
    /// Whether threads wait for what others write to buffers.
    pub coherent: bool,
    /// Whether lanes of a wave exchange values.
    pub waves: bool,
    names: BTreeMap<String, String>,
}

/// Writes all functions of the kernel.
pub fn program(ir: &Module, interface: &KernelInterface, options: Options) -> Result<Made, Vec<Diagnostic>> {
    let one = |d: Diagnostic| vec![d];
    let entry = ir.get(interface.entry).ok_or_else(|| one(Diagnostic::internal(Loc::unknown(), "no entry point")))?;
    let mut e = Emit {
        ir,
        interface,
        options,
        out: Assembly::default(),
        code: Code::default(),
        body: &entry.body,
        loc: entry.loc,
        functions: FxHashMap::default(),
        registers: FxHashMap::default(),
        in_memory: FxHashMap::default(),
        results: FxHashMap::default(),
        resources: Resources::default(),
        helpers: FxHashMap::default(),
        pointers: Vec::new(),
        addressed: BTreeSet::new(),
        accuracy: BTreeMap::new(),
        floats: BTreeSet::new(),
        variables: Vec::new(),
        built_ins: FxHashMap::default(),
        coherent: false,
        waves: false,
        names: BTreeMap::new(),
    };
    e.out.capability(capability::SHADER);
    e.number_resources().map_err(one)?;
    let graph = CallGraph::of_calls(ir);
    let recursive = graph.recursive();
    let functions = graph.post_order_from([interface.entry]).into_iter().filter_map(|name| ir.get(name));
    let functions: Vec<&SymbolOp> = functions.filter(|s| is_function(s)).collect();
    for symbol in &functions {
        let id = e.out.id();
        e.functions.insert(symbol.name, id);
    }
    let exchanges = |s: &&SymbolOp| s.body.all_ops().any(|op| simt::is_wave_op(s.body.op(op).def));
    e.waves = functions.iter().any(exchanges);
    let mut wrong = Vec::new();
    for symbol in functions {
        e.loc = symbol.loc;
        let made = match recursive.contains(&symbol.name) {
            true => Err(e.refuse(format!("`{}`, which calls itself,", symbol.name))),
            false => e.function(symbol),
        };
        wrong.extend(made.err());
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    e.write_pointer_functions().map_err(one)?;
    e.entry_point(entry).map_err(one)?;
    let bindings = e.bindings().map_err(one)?;
    Ok(Made { module: e.out.finish(), bindings, accuracy: e.accuracy, names: e.names, waves: e.waves })
}

fn is_function(symbol: &SymbolOp) -> bool {
    func::Func::of_symbol(symbol).is_some() && symbol.body.entry().is_some()
}

impl<'m> Emit<'m> {
    pub fn refuse(&self, what: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::error(codes::E0853, self.loc, format!("{what} cannot be written in SPIR-V"))
            .with_note("run it on the CPU, or leave out what needs it")
    }

    pub fn internal(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::internal(self.loc, message)
    }

    // ----- instructions

    pub fn push(&mut self, inst: Inst) {
        self.code.insts.push(inst);
    }

    /// An instruction with a result.
    pub fn op(&mut self, op: Op, ty: Id, operands: &[Id]) -> Id {
        self.op_of(op, ty, operands.iter().map(|&id| Operand::Id(id)).collect())
    }

    pub fn op_of(&mut self, op: Op, ty: Id, operands: Vec<Operand>) -> Id {
        let result = self.out.id();
        self.push(Inst { op, ty: Some(ty), result: Some(result), operands });
        result
    }

    /// An instruction without one.
    pub fn run(&mut self, op: Op, operands: &[Id]) {
        self.push(Inst::new(op, operands.iter().map(|&id| Operand::Id(id)).collect()));
    }

    /// An instruction whose result no compiler may compute otherwise.
    pub fn exact(&mut self, op: Op, ty: Id, operands: &[Id]) -> Id {
        let result = self.op(op, ty, operands);
        self.out.decorate(result, decoration::NO_CONTRACTION, None);
        result
    }

    /// A function of GLSL.std.450.
    pub fn std450(&mut self, function: Word, ty: Id, operands: &[Id]) -> Id {
        let set = self.out.set("GLSL.std.450");
        self.of_set((set, function), ty, operands)
    }

    /// An instruction of a set.
    pub fn of_set(&mut self, (set, word): (Id, Word), ty: Id, operands: &[Id]) -> Id {
        let head = [Operand::Id(set), word.into()];
        let operands = head.into_iter().chain(operands.iter().map(|&id| Operand::Id(id))).collect();
        self.op_of(Op::ExtInst, ty, operands)
    }

    /// Begins a block.
    pub fn begin(&mut self, label: Id) {
        self.push(Inst { op: Op::Label, ty: None, result: Some(label), operands: Vec::new() });
        self.code.label = label;
        self.code.line = None;
    }

    pub fn branch(&mut self, to: Id) {
        self.run(Op::Branch, &[to]);
    }

    /// A variable of the function.
    pub fn variable(&mut self, ty: Id) -> Id {
        self.variable_of(ty, None)
    }

    /// The same, with a constant that it begins with.
    pub fn variable_of(&mut self, ty: Id, first: Option<Id>) -> Id {
        let pointer = self.out.pointer(storage::FUNCTION, ty);
        let result = self.out.id();
        let operands = [Operand::from(storage::FUNCTION)].into_iter().chain(first.map(Operand::Id)).collect();
        self.code.variables.push(Inst { op: Op::Variable, ty: Some(pointer), result: Some(result), operands });
        result
    }

    /// Says which line comes next, if that is wanted.
    fn tell_line(&mut self) {
        if !self.options.lines {
            return;
        }
        let LocKind::Span { file, line, col, .. } = self.loc.source().kind() else { return };
        let at = (self.out.source(file), *line, *col);
        if self.code.line != Some(at) {
            self.code.line = Some(at);
            let operands = vec![Operand::Id(at.0), Operand::Literal(at.1), Operand::Literal(at.2)];
            self.push(Inst::new(Op::Line, operands));
        }
    }

    // ----- functions

    /// A function that stands for an op is as exact as the op's row says.
    fn states_accuracy(&mut self, name: &str) {
        let Some((op, double)) = math::of_library(name) else { return };
        let Some(row) = ops::row(op, Type::f32()).filter(|row| row.accuracy != Accuracy::Exact) else { return };
        self.states(op, row.accuracy, double);
    }

    /// The description says of a function how exact it is; of two widths, of the less exact one.
    pub fn states(&mut self, op: &'static OpDef, accuracy: Accuracy, double: bool) {
        if double {
            self.accuracy.entry(op.name).or_insert(accuracy.of_doubles());
        } else {
            self.accuracy.insert(op.name, accuracy);
        }
    }

    fn function(&mut self, symbol: &'m SymbolOp) -> Result<(), Diagnostic> {
        let internal = |e: &Self, what: &str| e.internal(what);
        self.body = &symbol.body;
        let id = self.functions.get(&symbol.name).copied().ok_or_else(|| internal(self, "no function"))?;
        let (inputs, results) = symbol.function_type().ok_or_else(|| internal(self, "no type of a function"))?;
        let block = symbol.body.entry().ok_or_else(|| internal(self, "no code"))?;
        if inputs.len() > MOST_PARAMS {
            let text = format!(
                "`{}`, a function of {} parameters, of which {MOST_PARAMS} are allowed,",
                symbol.name,
                inputs.len()
            );
            return Err(self.refuse(text));
        }
        let params = inputs.iter().map(|&ty| self.param_ty(ty)).collect::<Result<Vec<Id>, _>>()?;
        let result = self.result_ty(results)?;
        self.out.name(id, &symbol.name);
        self.names.insert(caustic_source::names::spell(&symbol.name), symbol.name.to_string());
        self.states_accuracy(&symbol.name);
        self.code = Code { tables: Tables::of(self.ir, &symbol.body), ..Code::default() };
        let mut heads = vec![function_head(id, result, self.out.function_type(result, &params))];
        for (&arg, &ty) in symbol.body.args(block).iter().zip(&params) {
            let param = self.out.id();
            heads.push(Inst { op: Op::FunctionParameter, ty: Some(ty), result: Some(param), operands: Vec::new() });
            if let Some(hint) = symbol.body.value(arg).hint {
                self.out.name(param, &hint);
            }
            self.code.values.insert(arg, param);
        }
        let label = self.out.id();
        self.begin(label);
        if symbol.name == self.interface.entry {
            self.clear_shared()?;
        }
        let end = self.block(block)?;
        let returned = symbol.body.operands(end).to_vec();
        self.loc = symbol.body.loc(end);
        let returned = returned.into_iter().map(|v| self.value(v)).collect::<Result<Vec<Id>, _>>()?;
        match returned[..] {
            [] => self.run(Op::Return, &[]),
            [one] => self.run(Op::ReturnValue, &[one]),
            _ => {
                let all = self.op(Op::CompositeConstruct, result, &returned);
                self.run(Op::ReturnValue, &[all]);
            }
        }
        self.end_function(heads);
        Ok(())
    }

    /// Puts the function that was written into the module.
    fn end_function(&mut self, heads: Vec<Inst>) {
        let Code { mut insts, variables, .. } = std::mem::take(&mut self.code);
        // Variables stand behind the first label.
        insts.splice(1..1, variables);
        self.out.functions.extend(heads);
        self.out.functions.extend(insts);
        self.out.functions.push(Inst::new(Op::FunctionEnd, Vec::new()));
    }

    /// A function of the writer's own, made once for a key: `write` gives its result.
    pub fn helper(
        &mut self,
        key: String,
        name: &str,
        (params, result): (&[Id], Id),
        write: impl FnOnce(&mut Self, &[Id]) -> Result<Option<Id>, Diagnostic>,
    ) -> Result<Helper, Diagnostic> {
        if let Some(&known) = self.helpers.get(&key) {
            return Ok(known);
        }
        let made = Helper { id: self.out.id(), result };
        self.helpers.insert(key, made);
        self.write_helper(made, name, params, write)?;
        Ok(made)
    }

    pub fn write_helper(
        &mut self,
        made: Helper,
        name: &str,
        params: &[Id],
        write: impl FnOnce(&mut Self, &[Id]) -> Result<Option<Id>, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let outer = std::mem::take(&mut self.code);
        self.out.name(made.id, name);
        let mut heads = vec![function_head(made.id, made.result, self.out.function_type(made.result, params))];
        let mut ids = Vec::new();
        for &ty in params {
            let param = self.out.id();
            heads.push(Inst { op: Op::FunctionParameter, ty: Some(ty), result: Some(param), operands: Vec::new() });
            ids.push(param);
        }
        let label = self.out.id();
        self.begin(label);
        match write(self, &ids)? {
            None => self.run(Op::Return, &[]),
            Some(value) => self.run(Op::ReturnValue, &[value]),
        }
        self.end_function(heads);
        self.code = outer;
        Ok(())
    }

    pub fn call_helper(&mut self, helper: Helper, args: &[Id]) -> Id {
        let operands: Vec<Id> = std::iter::once(helper.id).chain(args.iter().copied()).collect();
        self.op(Op::FunctionCall, helper.result, &operands)
    }

    fn param_ty(&mut self, ty: Type) -> Result<Id, Diagnostic> {
        match as_slot(ty) {
            Some(held) => {
                let held = self.ty(held)?;
                Ok(self.out.pointer(storage::FUNCTION, held))
            }
            None => self.ty(ty),
        }
    }

    /// The type of what a function returns.
    pub fn result_ty(&mut self, results: &[Type]) -> Result<Id, Diagnostic> {
        match results {
            [] => Ok(self.out.void()),
            [one] => self.ty(*one),
            _ => {
                if let Some(&known) = self.results.get(results) {
                    return Ok(known);
                }
                let parts = results.iter().map(|&ty| self.ty(ty)).collect::<Result<Vec<Id>, _>>()?;
                let id = self.out.distinct(Op::TypeStruct, None, parts.into_iter().map(Operand::Id).collect());
                self.results.insert(results.to_vec(), id);
                Ok(id)
            }
        }
    }

    /// The ops of a block up to its last one, which is given back.
    pub fn block(&mut self, block: BlockId) -> Result<OpId, Diagnostic> {
        let end = self.body.terminator(block).ok_or_else(|| self.internal("a block without an end"))?;
        self.block_before(block, end)?;
        Ok(end)
    }

    /// The ops of a block that stand before one of it.
    pub fn block_before(&mut self, block: BlockId, end: OpId) -> Result<(), Diagnostic> {
        let body = self.body;
        let mut next = body.first_op(block);
        while let Some(op) = next.filter(|&op| op != end) {
            self.loc = body.loc(op);
            self.tell_line();
            self.statement(op)?;
            next = body.next_op(op);
        }
        Ok(())
    }

    // ----- the entry point

    fn entry_point(&mut self, entry: &SymbolOp) -> Result<(), Diagnostic> {
        let called = self.functions.get(&entry.name).copied().ok_or_else(|| self.internal("no entry point"))?;
        let returns = entry.function_type().is_some_and(|(_, results)| !results.is_empty());
        let mut main = called;
        if returns {
            let (_, results) = entry.function_type().unwrap_or_default();
            let (result, void) = (self.result_ty(results)?, self.out.void());
            main = self.out.id();
            let helper = Helper { id: main, result: void };
            self.write_helper(helper, MAIN, &[], |e, _| {
                e.op(Op::FunctionCall, result, &[called]);
                Ok(None)
            })?;
        }
        let mut variables: Vec<Id> = self.variables.clone();
        let mut seen = FxHashSet::default();
        variables.retain(|v| seen.insert(*v));
        let head = [("GLCompute", 5).into(), Operand::Id(main), Operand::Text(MAIN.to_string())];
        let operands = head.into_iter().chain(variables.into_iter().map(Operand::Id)).collect();
        self.out.entry.push(Inst::new(Op::EntryPoint, operands));
        let size = match self.interface.numthreads {
            [x, y, z] if self.in_a_row() => [x * y * z, 1, 1],
            size => size,
        };
        let mut modes = vec![(mode::LOCAL_SIZE, size.to_vec())];
        if !self.floats.is_empty() {
            self.out.capability(capability::SIGNED_ZERO_INF_NAN_PRESERVE);
            self.out.capability(capability::ROUNDING_MODE_RTE);
        }
        for &width in &self.floats {
            modes.push((mode::SIGNED_ZERO_INF_NAN_PRESERVE, vec![width]));
            modes.push((mode::ROUNDING_MODE_RTE, vec![width]));
        }
        for (which, values) in modes {
            let head = [Operand::Id(main), which.into()];
            let operands = head.into_iter().chain(values.into_iter().map(Operand::Literal)).collect();
            self.out.modes.push(Inst::new(Op::ExecutionMode, operands));
        }
        Ok(())
    }
}

fn function_head(id: Id, result: Id, ty: Id) -> Inst {
    let operands = vec![("None", 0).into(), Operand::Id(ty)];
    Inst { op: Op::Function, ty: Some(result), result: Some(id), operands }
}
