//! Calls that hardly ever happen, and must not slow down the code around them.
//!
//! An ordinary call may change most registers, so that whatever lives across it is kept in memory,
//! by the ways around the call too: a sum that a loop carries would be stored and loaded in every
//! iteration because an access after the loop could be out of range. A helper that is declared
//! `rare` is therefore called through a function of our own that keeps all registers. Such a
//! function returns nothing; what the helper returns is found in the context.

use crate::emit::{MEM, helper_signature};
use crate::module::{Built, ModuleCx};
use caustic_ir::{Diagnostic, Loc};
use caustic_native::Helper;
use cranelift_codegen::ir::{InstBuilder, Signature, UserFuncName, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{Linkage, Module as _};

/// Where the context keeps what a rare helper returned.
pub const ANSWER: i32 = std::mem::offset_of!(caustic_native::ThreadCtx, answer) as i32;

/// The signature of the function that stands for a rare helper: its parameters, of which the first
/// is the context.
pub fn signature(helper: Helper) -> Signature {
    let mut sig = helper_signature(helper, CallConv::PreserveAll);
    sig.returns.clear();
    sig
}

/// The name of that function.
pub fn symbol(helper: Helper) -> String {
    format!("rare {}", helper.symbol())
}

/// The functions that stand for the rare helpers that compiled code calls.
pub fn functions(cx: &mut ModuleCx<'_>) -> Result<Vec<Built>, Diagnostic> {
    let used: Vec<Helper> =
        Helper::ALL.iter().copied().filter(|h| h.is_rare() && cx.helper_ids.contains_key(h)).collect();
    used.into_iter().map(|helper| function(cx, helper)).collect()
}

fn function(cx: &mut ModuleCx<'_>, helper: Helper) -> Result<Built, Diagnostic> {
    let internal = |e: cranelift_module::ModuleError| Diagnostic::internal(Loc::unknown(), e.to_string());
    let sig = signature(helper);
    let id = cx.jit.declare_function(&symbol(helper), Linkage::Local, &sig).map_err(internal)?;
    let imported = helper_signature(helper, cx.call_conv);
    let imported = cx.jit.declare_function(helper.symbol(), Linkage::Import, &imported).map_err(internal)?;

    let mut context = cx.jit.make_context();
    context.func.signature = sig;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let mut builders = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut context.func, &mut builders);
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    let args = b.block_params(block).to_vec();
    let callee = cx.jit.declare_func_in_func(imported, b.func);
    let call = b.ins().call(callee, &args);
    let result: Option<Value> = b.inst_results(call).first().copied();
    if let (Some(result), Some(&ctx)) = (result, args.first()) {
        b.ins().store(MEM, result, ctx, ANSWER);
    }
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(cx.frontend_config());
    Ok(Built::new(id, Loc::unknown(), context))
}
