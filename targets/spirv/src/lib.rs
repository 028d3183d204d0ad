//! Kernels as SPIR-V for Vulkan: a module in memory, which is written as a binary or as text.
//!
//! Functions of the program stay functions, with their names; structured control flow becomes
//! selections and loops with their merges; values stay values. Ops are one row each ([`ops`]). What
//! instructions leave open (quotients by zero, shifts beyond the width, places out of range) was
//! rewritten by the passes `legalize-…` before.
//!
//! This crate must not know: `hl`, `ad`, the syntax tree, any code generator, files, passes.

mod assembly;
mod atomic;
mod binary;
mod bytes;
mod calls;
mod chains;
mod control;
mod convert;
mod copies;
mod description;
mod emit;
mod grammar;
mod memory;
pub mod ops;
mod pointers;
mod printf;
mod resources;
mod shapes;
mod tables;
mod texels;
mod text;
mod textures;
mod types;
mod values;
mod waves;

use caustic_ir::{Diagnostic, Module};
use caustic_runtime::KernelInterface;

/// How code is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether instructions say which source lines they are from.
    pub lines: bool,
}

/// A kernel as SPIR-V.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spirv {
    pub binary: Vec<u8>,
    pub text: String,
    /// What a launcher has to know of it, as JSON.
    pub description: String,
}

/// The kernel of `interface`, which stands with what it needs in `module`.
///
/// # Errors
/// What SPIR-V has not, or this writer cannot say, at its place in the program.
pub fn emit(module: &Module, interface: &KernelInterface, options: Options) -> Result<Spirv, Vec<Diagnostic>> {
    let made = emit::program(module, interface, options)?;
    let description = description::of(interface, &made);
    Ok(Spirv { binary: binary::write(&made.module), text: text::write(&made.module), description })
}
