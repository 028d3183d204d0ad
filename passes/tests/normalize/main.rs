//! Normalization, judged by the reference evaluator: what a program computes is what its source
//! says, whatever exits it takes, and what comes out is in normalized form.

mod cases;
mod counts;
mod emit;
mod program;
mod random;

use caustic_interp::Interp;
use caustic_ir::eval::Val;
use caustic_ir::{Module, Registry};

pub fn registry() -> Registry {
    Registry::new(caustic_dialects::all())
}

pub fn parse(text: &str) -> Module {
    match caustic_ir::text::parse_module(text, "test.mlir", &registry()) {
        Ok(module) => module,
        Err(found) => panic!("{found:?}\n{text}"),
    }
}

pub fn print(module: &Module) -> String {
    caustic_ir::text::print_module(module, &Default::default())
}

/// Normalized by the steps alone.
pub fn normalized(mut module: Module) -> Module {
    let before = print(&module);
    if let Err(found) = caustic_passes::normalize::run(&mut module) {
        panic!("{found:?}\n{before}\n{}", print(&module));
    }
    module
}

/// Normalized as tools do it, with simplification between the steps and the verifier behind each.
pub fn normalized_by_passes(mut module: Module) -> Module {
    let before = print(&module);
    if let Err(found) = caustic_passes::pipelines::run(&mut module, caustic_passes::pipelines::NORMALIZE, true) {
        panic!("{found:?}\n{before}\n{}", print(&module));
    }
    module
}

pub fn call(module: &Module, name: &str, args: &[i64]) -> Vec<i64> {
    let args = args.iter().map(|&v| Val::Int(v)).collect();
    match Interp::new(module).call(name, args) {
        Ok(results) => results.iter().map(|v| v.as_int()).collect(),
        Err(trap) => panic!("{}\n{}", trap.message, print(module)),
    }
}
