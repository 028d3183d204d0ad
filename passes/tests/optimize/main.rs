//! Optimization, judged by the reference evaluator: random programs compute the same, bit for bit,
//! after every pass.

mod generate;
mod large;
mod laws;
mod rewrites;

use caustic_ir::{Module, Registry};

pub fn print(module: &Module) -> String {
    caustic_ir::text::print_module(module, &Default::default())
}

pub fn parse(text: &str) -> Module {
    match caustic_ir::text::parse_module(text, "test.mlir", &Registry::new(caustic_dialects::all())) {
        Ok(module) => module,
        Err(found) => panic!("{found:?}\n{text}"),
    }
}

/// The module after a pipeline, verified after each pass.
pub fn optimized(mut module: Module, pipeline: &str) -> Module {
    use caustic_passes::manager::{RunOptions, parse_pipeline, run_pipeline};
    let registry = caustic_passes::registry();
    let pipeline = match parse_pipeline(pipeline, &registry) {
        Ok(pipeline) => pipeline,
        Err(e) => panic!("{e}"),
    };
    let options = RunOptions { verify_each: true, reproducer: false, ..RunOptions::default() };
    let before = print(&module);
    let outcome = run_pipeline(&mut module, &pipeline, &options, &mut ());
    assert!(outcome.ok, "{:?}\nbefore:\n{before}\nafter:\n{}", outcome.diagnostics, print(&module));
    module
}
