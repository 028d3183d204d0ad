//! A module being compiled: its functions as machine signatures, and the tables that compiled code
//! refers to by address or number.

use crate::emit::Clifs;
use crate::machine::Clif;
use caustic_codegen::Emit;
use caustic_dialects::func;
use caustic_ir::{Diagnostic, Loc, Module, Name, SymbolOp};
use caustic_native::flat::{self, Leaves};
use caustic_native::{Helper, Tables};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig, TargetIsa};
use cranelift_codegen::{CodegenError, Context};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module as _, ModuleReloc};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A function as compiled code calls it: `(context, [results], parameters…) -> (status, [result])`.
/// A single scalar result is returned in a register, several go to memory in words of eight bytes.
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

pub struct ModuleCx<'m> {
    pub module: &'m Module,
    /// Whether loops and recursive functions look at the context's `stop`.
    pub interruptible: bool,
    pub jit: JITModule,
    pub call_conv: CallConv,
    pub helper_ids: FxHashMap<Helper, FuncId>,
    pub tables: Tables,
    callees: FxHashMap<Name, Callee>,
    builder: FunctionBuilderContext,
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
            builder: FunctionBuilderContext::new(),
        }
    }

    pub fn frontend_config(&self) -> TargetFrontendConfig {
        self.jit.target_config()
    }

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
            let (a, scalars) = Clifs::new(b, cx, &callee);
            let mut scalars = scalars.into_iter();
            let params = symbol.body.args(entry).iter().zip(callee.params.iter());
            let params: Vec<_> = params.map(|(&p, l)| (p, scalars.by_ref().take(l.len()).collect())).collect();
            let mut emit = Emit::new(a, &symbol.body, &params, callee.results.clone(), symbol.loc);
            emit.function(entry, check_depth)?;
            emit.a.finish();
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
        context.func.signature = callee.signature(self.call_conv);
        context.func.name = UserFuncName::user(0, callee.id.as_u32());
        build(FunctionBuilder::new(&mut context.func, &mut builder), self)?;
        // Only kept if it is empty again: what was begun and not finished cannot be used.
        self.builder = builder;
        Ok(Built { id: callee.id, loc, context })
    }

    /// Compiles functions, in parallel if that is worth it, and defines them in order; the sizes of
    /// their stack frames.
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
    pub fn new(id: FuncId, loc: Loc, context: Context) -> Built {
        Built { id, loc, context }
    }
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
