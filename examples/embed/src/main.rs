//! Uses Caustic in a host program: compiles a differentiable program from a string, runs it, and
//! prints values and gradients.

use caustic_driver::{Dispatch, Error, FunctionOptions, KernelOptions, Options, Session};

const PROGRAM: &str = r#"
    /// The height of a bump of this width, at x.
    [Differentiable]
    float bump(float x, float width)
    {
        float t = x / width;
        return exp(-t * t);
    }

    StructuredBuffer<float> positions;
    RWStructuredBuffer<float> heights;
    RWStructuredBuffer<float> slopes;
    uniform float width;

    [shader("compute")] [numthreads(4, 1, 1)]
    void main(uint3 id : SV_DispatchThreadID)
    {
        var x = diffPair(positions[id.x]);
        var w = diffPair(width);
        bwd_diff(bump)(x, w, 1.0);
        heights[id.x] = bump(positions[id.x], width);
        slopes[id.x] = x.d;
    }
"#;

fn main() -> Result<(), Error> {
    // Errors and warnings about a program are returned as data, with their places; nothing is
    // printed.
    let mut session = Session::new(Options::default());
    session.add_source("typo.slang", "float f(float x) { return y; }");
    if let Err(error) = session.compile("typo.slang") {
        print!("a wrong program:\n{error}\n");
    }
    session.add_source("bump.slang", PROGRAM);
    let program = session.compile("bump.slang")?;
    println!("\na right one, with {} warnings", program.diagnostics().len());

    // A function of the program, and its derivatives with respect to its parameters.
    let bump = program.function("bump", &FunctionOptions::default())?;
    let at = [0.5.into(), 1.0.into()];
    println!("bump(0.5, 1.0) = {:?}", bump.call(&at)?);
    for (parameter, derivative) in bump.gradient(&at)? {
        println!("    by {parameter}: {derivative:?}");
    }

    // An entry point of the program, for every element of a buffer. It is compiled once and can be
    // dispatched any number of times.
    let kernel = program.kernel(Some("main"), &KernelOptions::default())?;
    let mut bindings = kernel.bindings();
    bindings.set("positions", &[-1.0f32, 0.0, 0.5, 1.0])?;
    bindings.set("width", &[1.0f32])?;
    bindings.set("heights", &[0.0f32; 4])?;
    bindings.set("slopes", &[0.0f32; 4])?;
    kernel.dispatch(&mut bindings, Dispatch::groups(1, 1, 1))?;
    println!("heights {:?}", bindings.read::<f32>("heights")?);
    println!("slopes  {:?}", bindings.read::<f32>("slopes")?);
    Ok(())
}
