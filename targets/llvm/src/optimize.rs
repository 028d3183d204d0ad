//! Target machines, LLVM's pipeline of passes, and objects.

use crate::{pressure, sink};
use caustic_ir::{Diagnostic, Loc};
use inkwell::OptimizationLevel;
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::llvm_sys::target::LLVMStoreSizeOfType;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use std::ffi::CStr;
use std::sync::Once;

fn internal(message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::internal(Loc::unknown(), format!("LLVM: {message}"))
}

/// LLVM moves what only one way behind a branch reads into that way, however far it is. What a
/// kernel computes is read behind its last check, where it is stored: sums then wait for all their
/// terms, each in a register. `sink` does less for GPUs; on CPUs the same code runs as fast.
const SETTINGS: [&CStr; 3] = [c"caustic", c"-instcombine-code-sinking=0", c"-disable-machine-sink"];

/// Settings of the whole process, which LLVM reads once.
fn configure() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let args = SETTINGS.map(CStr::as_ptr);
        // SAFETY: as many strings as are said, which LLVM copies.
        unsafe { LLVMParseCommandLineOptions(args.len() as i32, args.as_ptr(), std::ptr::null()) };
    });
}

/// This machine with everything that it can do.
pub fn host_machine() -> Result<TargetMachine, Diagnostic> {
    configure();
    Target::initialize_native(&InitializationConfig::default()).map_err(internal)?;
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(internal)?;
    let (cpu, features) = (TargetMachine::get_host_cpu_name(), TargetMachine::get_host_cpu_features());
    target
        .create_target_machine(
            &triple,
            &cpu.to_string(),
            &features.to_string(),
            OptimizationLevel::Aggressive,
            RelocMode::PIC,
            CodeModel::Default,
        )
        .ok_or_else(|| internal("there is no target machine for this computer"))
}

/// NVIDIA's machine of that architecture.
pub fn nvptx_machine(arch: &str) -> Result<TargetMachine, Diagnostic> {
    configure();
    Target::initialize_nvptx(&InitializationConfig::default());
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let target = Target::from_triple(&triple).map_err(internal)?;
    // More makes the assembler's work no smaller, and takes longer.
    let level = OptimizationLevel::Default;
    let machine = target.create_target_machine(&triple, arch, "+ptx70", level, RelocMode::Default, CodeModel::Default);
    machine.ok_or_else(|| internal(format!("there is no machine `{arch}`")))
}

fn check(module: &Module<'_>) -> Result<(), Diagnostic> {
    if std::env::var_os("CAUSTIC_LLVM_DUMP").is_some() {
        module.print_to_stderr();
    }
    // As after our own passes: a development build looks.
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    module.verify().map_err(|e| internal(format!("the module that was made is invalid: {e}")))
}

/// What is worth its time for a kernel that our own passes have optimized: half of what
/// `default<O3>` takes, and what the machine's assembler makes of the result is no longer. Loads
/// that find what was stored or loaded before, and equal values, are `early-cse`'s to see: `gvn`
/// takes longer and finds nothing that is left in the machine's code. Arrays become registers after
/// their loops are unrolled; `infer-alignment` lets loads of neighbours be one.
const FOR_GPU: [&str; 4] = [
    // Which memory an address is of has to be told before equal code for different ones is merged.
    "function(sroa,early-cse<memssa>,simplifycfg,infer-address-spaces,instcombine<no-verify-fixpoint>,infer-address-spaces,early-cse<memssa>)",
    "cgscc(inline)",
    "function(loop-mssa(loop-rotate<header-duplication>,licm<allowspeculation>,simple-loop-unswitch<no-nontrivial;trivial>))",
    "function(loop(indvars,loop-deletion),loop-unroll<O3;no-partial;no-runtime>,sroa,early-cse<memssa>,memcpyopt)",
];

/// After `sink`, since a choice may be made where it is read.
const LAST_FOR_GPU: &str =
    "function(instcombine<no-verify-fixpoint>,dse,adce,loop-unroll<O3>,simplifycfg,infer-alignment)";

/// Checks the module and leaves only what the kernel needs, optimized.
pub fn run_for_gpu(module: &Module<'_>, machine: &TargetMachine, kernel: &str) -> Result<(), Diagnostic> {
    check(module)?;
    // What functions that stay do not use they are not given, so that the thread's ids need no
    // place in memory.
    let passes = format!("internalize<preserve-gv={kernel}>,globaldce,always-inline,deadargelim,{}", FOR_GPU.join(","));
    module.run_passes(&passes, machine, PassBuilderOptions::create()).map_err(internal)?;
    sink::run(module);
    pressure::run(module);
    module.run_passes(LAST_FOR_GPU, machine, PassBuilderOptions::create()).map_err(internal)
}

/// Inlines and merges what stands for single instructions of an optimized module.
pub fn tidy_for_gpu(module: &Module<'_>, machine: &TargetMachine, kernel: &str) -> Result<(), Diagnostic> {
    check(module)?;
    let merge = "function(early-cse,instsimplify,simplifycfg)";
    let passes = format!("internalize<preserve-gv={kernel}>,globaldce,always-inline,globaldce,{merge}");
    module.run_passes(&passes, machine, PassBuilderOptions::create()).map_err(internal)
}

/// Takes away what nobody uses any more. What is computed twice the code generator merges.
pub fn sweep_for_gpu(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Diagnostic> {
    check(module)?;
    module.run_passes("function(adce)", machine, PassBuilderOptions::create()).map_err(internal)
}

/// The module as text for the machine's assembler.
pub fn assembly(module: &Module<'_>, machine: &TargetMachine) -> Result<String, Diagnostic> {
    let buffer = machine.write_to_memory_buffer(module, FileType::Assembly).map_err(internal)?;
    let text = buffer.as_slice();
    Ok(String::from_utf8_lossy(text.strip_suffix(&[0]).unwrap_or(text)).into_owned())
}

/// Checks the module and runs the pipeline of -O3 on it.
pub fn run(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Diagnostic> {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    check(module)?;
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_unrolling(true);
    options.set_loop_interleaving(true);
    module.run_passes("default<O3>", machine, options).map_err(internal)
}

pub fn object(module: &Module<'_>, machine: &TargetMachine) -> Result<MemoryBuffer<'static>, Diagnostic> {
    machine.write_to_memory_buffer(module, FileType::Object).map_err(internal)
}

/// More bytes than all functions together can have in their frames: a place for each value, and
/// what is allocated.
pub fn frame_bound(module: &Module<'_>) -> u64 {
    let mut bytes = 0u64;
    // SAFETY: the module is alive and not changed meanwhile.
    unsafe {
        let layout = inkwell::llvm_sys::target::LLVMGetModuleDataLayout(module.as_mut_ptr());
        let mut f = LLVMGetFirstFunction(module.as_mut_ptr());
        while !f.is_null() {
            bytes += 256;
            let mut block = LLVMGetFirstBasicBlock(f);
            while !block.is_null() {
                let mut op = LLVMGetFirstInstruction(block);
                while !op.is_null() {
                    let alloca = LLVMIsAAllocaInst(op);
                    let ty = if alloca.is_null() { LLVMTypeOf(op) } else { LLVMGetAllocatedType(op) };
                    if !matches!(
                        LLVMGetTypeKind(ty),
                        LLVMTypeKind::LLVMVoidTypeKind
                            | LLVMTypeKind::LLVMLabelTypeKind
                            | LLVMTypeKind::LLVMTokenTypeKind
                            | LLVMTypeKind::LLVMMetadataTypeKind
                    ) {
                        bytes += LLVMStoreSizeOfType(layout, ty).next_multiple_of(8);
                    }
                    op = LLVMGetNextInstruction(op);
                }
                block = LLVMGetNextBasicBlock(block);
            }
            f = LLVMGetNextFunction(f);
        }
    }
    bytes
}
