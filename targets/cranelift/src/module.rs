//! A module being compiled: its functions as machine signatures, and the tables that compiled code refers to by address or number.

use crate::emit::Emit;
use crate::flat::{self, Leaf, Leaves};
use crate::heap::Desc;
use crate::helpers::{AtomicCall, ConvergeCall, Helper, PrintCall, Ranges, Run, ScalarCall, TextureCall};
use caustic_dialects::reflect::{COUNT, Param};
use caustic_dialects::{agg, func};
use caustic_ir::{Diagnostic, Loc, Module, Name, OpId, SymbolOp, Type};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig, TargetIsa};
use cranelift_codegen::{CodegenError, Context};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module as _, ModuleReloc};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A function as compiled code calls it: `(context, [results], parameters…) -> (status, [result])`. A single scalar result is
/// returned in a register, several go to memory in words of eight bytes.
#[derive(Clone)]
pub struct Callee {
    pub id: FuncId,
    pub params: Arc<[Leaves]>,
    pub results: Leaves,
}

impl Callee {
    pub fn returns_in_memory(&self) -> bool {
        self.results.len() > 1
    }
    fn signature(&self, call_conv: CallConv) -> Signature {
        let mut sig = Signature::new(call_conv);
        sig.params.push(AbiParam::new(types::I64));
        if self.returns_in_memory() {
            sig.params.push(AbiParam::new(types::I64));
        }
        sig.params.extend(self.params.iter().flatten().map(|l| AbiParam::new(l.clif())));
        sig.returns.push(AbiParam::new(types::I32));
        if !self.returns_in_memory() {
            sig.returns.extend(self.results.iter().map(|l| AbiParam::new(l.clif())));
        }
        sig
    }
}

/// What compiled code refers to by address; boxed, so that addresses stay, and kept as long as the code.
#[derive(Default)]
#[expect(clippy::vec_box, reason = "compiled code holds the addresses, which must not change when a table grows")]
pub struct Tables {
    scalar_calls: Vec<Box<ScalarCall>>,
    print_calls: Vec<Box<PrintCall>>,
    converge_calls: Vec<Box<ConvergeCall>>,
    atomic_calls: Vec<Box<AtomicCall>>,
    texture_calls: Vec<Box<TextureCall>>,
    descs: Vec<Box<Desc>>,
    ranges: Vec<Box<Ranges>>,
    pub sites: Vec<Loc>,
    /// What messages call the resources, by number.
    pub globals: Vec<Name>,
    pub global_entries: Vec<GlobalEntry>,
    /// Bytes of zeros that compiled code reads from.
    pub zeros: u64,
}

/// A resource that compiled code refers to by number.
#[derive(Clone, Copy)]
pub struct GlobalEntry {
    pub symbol: Name,
    /// Which one of an array of resources.
    pub element: usize,
    /// Bytes of an element of a buffer, or of a uniform's contents; a texture or sampler has none.
    pub size: Option<u64>,
}

pub struct ModuleCx<'m> {
    pub module: &'m Module,
    /// Whether loops and recursive functions look at the context's `stop`.
    pub interruptible: bool,
    pub jit: JITModule,
    pub call_conv: CallConv,
    pub helper_ids: FxHashMap<Helper, FuncId>,
    pub tables: Tables,
    callees: FxHashMap<Name, Callee>,
    site_numbers: FxHashMap<Loc, u32>,
    global_numbers: FxHashMap<Name, usize>,
    desc_addresses: FxHashMap<Type, i64>,
    range_addresses: FxHashMap<Type, i64>,
    /// The evaluation that an op of the function being compiled calls; the lanes of one op share it.
    scalar_addresses: FxHashMap<OpId, i64>,
    builder: FunctionBuilderContext,
}

fn address<T>(table: &mut Vec<Box<T>>, item: T) -> i64 {
    let item = Box::new(item);
    let address = &*item as *const T as i64;
    table.push(item);
    address
}

impl<'m> ModuleCx<'m> {
    pub fn new(module: &'m Module, jit: JITModule, interruptible: bool) -> ModuleCx<'m> {
        ModuleCx {
            module,
            interruptible,
            call_conv: jit.isa().default_call_conv(),
            jit,
            helper_ids: FxHashMap::default(),
            tables: Tables::default(),
            callees: FxHashMap::default(),
            site_numbers: FxHashMap::default(),
            global_numbers: FxHashMap::default(),
            desc_addresses: FxHashMap::default(),
            range_addresses: FxHashMap::default(),
            scalar_addresses: FxHashMap::default(),
            builder: FunctionBuilderContext::new(),
        }
    }

    pub fn frontend_config(&self) -> TargetFrontendConfig {
        self.jit.target_config()
    }

    // ----- tables

    pub fn site(&mut self, loc: Loc) -> u32 {
        let sites = &mut self.tables.sites;
        *self.site_numbers.entry(loc).or_insert_with(|| {
            sites.push(loc);
            sites.len() as u32 - 1
        })
    }
    pub fn need_zeros(&mut self, size: u64) {
        self.tables.zeros = self.tables.zeros.max(size);
    }
    pub fn desc(&mut self, ty: Type) -> Option<i64> {
        if let Some(&known) = self.desc_addresses.get(&ty) {
            return Some(known);
        }
        let address = address(&mut self.tables.descs, Desc::of(ty)?);
        self.desc_addresses.insert(ty, address);
        Some(address)
    }
    pub fn ranges(&mut self, ty: Type) -> Option<i64> {
        if let Some(&known) = self.range_addresses.get(&ty) {
            return Some(known);
        }
        let mut runs = Vec::new();
        push_runs(ty, 0, &mut runs)?;
        let address = address(&mut self.tables.ranges, Ranges { runs });
        self.range_addresses.insert(ty, address);
        Some(address)
    }
    pub fn scalar_call(&mut self, op: OpId, call: ScalarCall) -> i64 {
        let table = &mut self.tables.scalar_calls;
        *self.scalar_addresses.entry(op).or_insert_with(|| address(table, call))
    }
    pub fn print_call(&mut self, call: PrintCall) -> i64 {
        address(&mut self.tables.print_calls, call)
    }
    pub fn converge_call(&mut self, call: ConvergeCall) -> i64 {
        address(&mut self.tables.converge_calls, call)
    }
    pub fn texture_call(&mut self, call: TextureCall) -> i64 {
        address(&mut self.tables.texture_calls, call)
    }
    pub fn atomic_call(&mut self, call: AtomicCall) -> i64 {
        address(&mut self.tables.atomic_calls, call)
    }
    /// Number of a resource, the first one of an array.
    pub fn global(&mut self, name: Name, loc: Loc) -> Result<usize, Diagnostic> {
        if let Some(&known) = self.global_numbers.get(&name) {
            return Ok(known);
        }
        let resource = self.module.get(name).filter(|s| std::ptr::eq(s.def, agg::Resource::DEF));
        let ty = resource.and_then(|s| s.attr("type")).and_then(|a| a.as_type());
        let ty = ty.ok_or_else(|| Diagnostic::invalid_ir(loc, format!("there is no resource @{name}")))?;
        let contents = agg::as_buffer(ty).map_or(ty, |(elem, _)| elem);
        let size = flat::layout(contents).filter(|_| !flat::is_object(ty)).map(|layout| layout.size);
        if size.is_none() && !flat::is_object(ty) {
            return Err(Diagnostic::internal(loc, format!("{ty} has no place in memory")));
        }
        let shown = resource.and_then(Param::of).map_or(name, |p| p.name);
        let count = resource.and_then(|s| s.attr(COUNT)).and_then(|a| a.as_int());
        let number = self.tables.globals.len();
        for element in 0..count.map_or(1, |n| usize::try_from(n).unwrap_or(1)) {
            let shown = if count.is_some() { Name::new(&format!("{shown}[{element}]")) } else { shown };
            self.tables.globals.push(shown);
            self.tables.global_entries.push(GlobalEntry { symbol: name, element, size });
        }
        self.global_numbers.insert(name, number);
        Ok(number)
    }

    // ----- functions

    fn function(&self, name: Name, loc: Loc) -> Result<&'m SymbolOp, Diagnostic> {
        match self.module.get(name) {
            Some(symbol) if std::ptr::eq(symbol.def, func::Func::DEF) => Ok(symbol),
            Some(symbol) => Err(Diagnostic::internal(loc, format!("`{}` @{name} cannot be called", symbol.def.name))
                .with_note("the passes before code generation have to replace it by a function")),
            None => Err(Diagnostic::invalid_ir(loc, format!("there is no function @{name}"))),
        }
    }

    /// The function, declared if it was not yet.
    pub fn callee(&mut self, name: Name, loc: Loc) -> Result<Callee, Diagnostic> {
        if let Some(known) = self.callees.get(&name) {
            return Ok(known.clone());
        }
        let symbol = self.function(name, loc)?;
        let (inputs, outputs) =
            symbol.function_type().ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, "a function without a type"))?;
        let params = inputs.iter().map(|&t| flat::leaves_at(t, symbol.loc)).collect::<Result<_, _>>()?;
        let mut results = Leaves::new();
        for &ty in outputs {
            results.extend(flat::leaves_at(ty, symbol.loc)?);
        }
        let mut callee = Callee { id: FuncId::from_u32(0), params, results };
        let sig = callee.signature(self.call_conv);
        // The prefix keeps the program's names apart from the helpers'.
        let declared = self.jit.declare_function(&format!("@{name}"), Linkage::Local, &sig);
        callee.id = declared.map_err(|e| Diagnostic::internal(symbol.loc, e.to_string()))?;
        self.callees.insert(name, callee.clone());
        Ok(callee)
    }

    /// Builds the code of a function of the module.
    pub fn build(&mut self, name: Name, check_depth: bool) -> Result<Built, Diagnostic> {
        let symbol = self.function(name, Loc::unknown())?;
        let callee = self.callee(name, symbol.loc)?;
        let entry = symbol
            .body
            .entry()
            .ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, format!("the function @{name} has no code")))?;
        self.build_with(&callee, symbol.loc, |b, cx| {
            let params = symbol.body.args(entry);
            let mut emit = Emit::new(b, cx, &symbol.body, params, &callee, symbol.loc);
            emit.function(entry, check_depth)?;
            emit.b.seal_all_blocks();
            let config = emit.cx.frontend_config();
            emit.b.finalize(config);
            Ok(())
        })
    }

    /// Builds the code of a declared function.
    pub fn build_with(
        &mut self,
        callee: &Callee,
        loc: Loc,
        build: impl FnOnce(FunctionBuilder<'_>, &mut ModuleCx<'m>) -> Result<(), Diagnostic>,
    ) -> Result<Built, Diagnostic> {
        let mut context = self.jit.make_context();
        let mut builder = std::mem::take(&mut self.builder);
        self.scalar_addresses.clear();
        context.func.signature = callee.signature(self.call_conv);
        context.func.name = UserFuncName::user(0, callee.id.as_u32());
        build(FunctionBuilder::new(&mut context.func, &mut builder), self)?;
        // Only kept if it is empty again: what was begun and not finished cannot be used.
        self.builder = builder;
        Ok(Built { id: callee.id, loc, context })
    }

    /// Compiles functions, in parallel if that is worth it, and defines them in order; the sizes of their stack frames.
    pub fn define(&mut self, mut built: Vec<Built>) -> Result<Vec<u64>, Diagnostic> {
        let isa = self.jit.isa();
        let size: usize = built.iter().map(|f| f.context.func.dfg.num_insts()).sum();
        let compiled: Vec<CompileResult<u64>> = if built.len() < 2 || size < PARALLEL_FROM_INSTS {
            built.iter_mut().map(|f| f.compile(isa)).collect()
        } else {
            built.par_iter_mut().map(|f| f.compile(isa)).collect()
        };
        let mut frames = Vec::with_capacity(built.len());
        for (function, result) in built.iter().zip(compiled) {
            let internal = |text: String| Diagnostic::internal(function.loc, text);
            frames.push(result.map_err(|e| internal(describe(&e, &function.context)))?);
            let Some(code) = function.context.compiled_code() else { return Err(internal("no code".to_string())) };
            let relocs = code.buffer.relocs().iter();
            let relocs: Vec<ModuleReloc> =
                relocs.map(|r| ModuleReloc::from_mach_reloc(r, &function.context.func, function.id)).collect();
            let (alignment, bytes) = (code.buffer.alignment.into(), code.code_buffer());
            let defined = self.jit.define_function_bytes(function.id, alignment, bytes, &relocs);
            defined.map_err(|e| internal(format!("code generation failed: {e}")))?;
        }
        Ok(frames)
    }
}

/// Fewer instructions than this are compiled before other threads have started.
const PARALLEL_FROM_INSTS: usize = 2_000;

/// The code of a function that is not compiled yet.
pub struct Built {
    id: FuncId,
    loc: Loc,
    context: Context,
}

impl Built {
    /// Compiles it; the size of its stack frame.
    fn compile(&mut self, isa: &dyn TargetIsa) -> CompileResult<u64> {
        let compiled = self.context.compile(isa, &mut ControlPlane::default());
        let frame = compiled.map_err(|e| e.inner)?.buffer.frame_layout().map_or(0, |f| f.frame_to_fp_offset);
        // Return address and frame pointer stand above.
        Ok(u64::from(frame) + 16)
    }
}

type CompileResult<T> = Result<T, CodegenError>;

fn describe(error: &CodegenError, context: &Context) -> String {
    match error {
        CodegenError::Verifier(errors) => {
            let text = cranelift_codegen::print_errors::pretty_verifier_error(&context.func, None, errors.clone());
            format!("code generation made invalid code: {text}")
        }
        error => format!("code generation failed: {error}"),
    }
}

/// The bytes of a type that are not padding, neighbouring scalars as one run.
fn push_runs(ty: Type, at: u64, runs: &mut Vec<Run>) -> Option<()> {
    let plain = |offset, len| Run { offset, count: 1, stride: 0, len, inner: None };
    if ty.is_scalar() || ty.is_vector() {
        let len = Leaf::of(ty.elem())?.size() * ty.num_elements() as u64;
        match runs.last_mut() {
            Some(last) if last.inner.is_none() && last.count == 1 && last.offset + last.len == at => last.len += len,
            _ => runs.push(plain(at, len)),
        }
        return Some(());
    }
    if let Some((count, elem)) = agg::as_array(ty) {
        let stride = flat::layout(elem)?.size;
        let mut inner = Vec::new();
        push_runs(elem, 0, &mut inner)?;
        match inner.as_slice() {
            [] => {}
            // Elements without padding are one run.
            [one] if one.inner.is_none() && one.count == 1 && one.offset == 0 && one.len == stride => {
                runs.push(plain(at, stride * count));
            }
            _ => runs.push(Run { offset: at, count, stride, len: 0, inner: Some(Ranges { runs: inner }) }),
        }
        return Some(());
    }
    let s = agg::StructType::of(ty)?;
    for i in 0..s.num_fields() {
        let (offset, field) = flat::part_offset(ty, i as i64)?;
        push_runs(field, at + offset, runs)?;
    }
    Some(())
}

/// The functions that `roots` reach, callees before callers where no cycle forbids it, and those that are part of a cycle or
/// reach one.
pub fn reachable(module: &Module, roots: &[Name]) -> (Vec<Name>, FxHashSet<Name>) {
    let mut calls: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    let mut found: Vec<Name> = Vec::new();
    let mut todo: Vec<Name> = roots.iter().rev().copied().collect();
    while let Some(name) = todo.pop() {
        if calls.contains_key(&name) {
            continue;
        }
        let mut callees = Vec::new();
        if let Some(symbol) = module.get(name) {
            for op in symbol.body.walk_all() {
                if func::Call::is(&symbol.body, op) {
                    callees.extend(symbol.body.attr(op, "callee").and_then(|a| a.as_symbol()));
                }
            }
        }
        todo.extend(callees.iter().rev());
        calls.insert(name, callees);
        found.push(name);
    }
    // Peels off functions whose callees are all done; what stays is in a cycle or leads to one.
    let mut callers: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    let mut open: FxHashMap<Name, usize> = FxHashMap::default();
    for &name in &found {
        let mut distinct: Vec<Name> = calls[&name].clone();
        distinct.sort();
        distinct.dedup();
        open.insert(name, distinct.len());
        for callee in distinct {
            callers.entry(callee).or_default().push(name);
        }
    }
    let mut order: Vec<Name> = found.iter().copied().filter(|n| open[n] == 0).collect();
    let mut done = 0;
    while let Some(&name) = order.get(done) {
        done += 1;
        for &caller in callers.get(&name).map_or(&[][..], |c| c.as_slice()) {
            if let Some(count) = open.get_mut(&caller) {
                *count -= 1;
                if *count == 0 {
                    order.push(caller);
                }
            }
        }
    }
    let finished: FxHashSet<Name> = order.iter().copied().collect();
    let cyclic: FxHashSet<Name> = found.iter().copied().filter(|n| !finished.contains(n)).collect();
    order.extend(found.iter().copied().filter(|n| cyclic.contains(n)));
    (order, cyclic)
}

/// The most native stack that `root` needs, without cycles: its frame and the deepest of its callees'.
pub fn stack_need(module: &Module, order: &[Name], frames: &FxHashMap<Name, u64>) -> FxHashMap<Name, u64> {
    let mut need: FxHashMap<Name, u64> = FxHashMap::default();
    for &name in order {
        let Some(symbol) = module.get(name) else { continue };
        let mut deepest = 0;
        for op in symbol.body.walk_all() {
            if func::Call::is(&symbol.body, op) {
                let callee = symbol.body.attr(op, "callee").and_then(|a| a.as_symbol());
                deepest = deepest.max(callee.and_then(|c| need.get(&c)).copied().unwrap_or(0));
            }
        }
        need.insert(name, frames.get(&name).copied().unwrap_or(0) + deepest);
    }
    need
}
