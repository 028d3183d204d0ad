//! Functions called by themselves: values, both derivatives, and what is refused.

use caustic_driver::{Backend, Error, Function, FunctionOptions, Options, Program, Session, Value};

const BACKENDS: &[Backend] = &[
    Backend::Interp,
    Backend::Cranelift,
    #[cfg(feature = "llvm")]
    Backend::Llvm,
];

fn program(text: &str) -> Program {
    let mut session = Session::new(Options::default());
    session.add_source("f.slang", text);
    session.compile("f.slang").unwrap_or_else(|error| panic!("{error}"))
}

fn function(program: &Program, name: &str, backend: Backend) -> Function {
    let mut options = FunctionOptions::default();
    options.backend = backend;
    program.function(name, &options).unwrap_or_else(|error| panic!("{backend:?}: {error}"))
}

fn refused(program: &Program, name: &str) -> String {
    let error = program.function(name, &FunctionOptions::default()).err();
    error.unwrap_or_else(|| panic!("`{name}` is accepted")).to_string()
}

fn by_name(values: &[(&str, Value)]) -> Vec<(String, Value)> {
    values.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}

#[test]
fn vectors_structs_and_arrays_are_lists() {
    let program = program(
        "struct S : IDifferentiable { float2 a; float b; no_diff float c; int n; }
         [Differentiable] float f(S s, float w[2]) { return s.a.x * s.a.y * w[0] + s.b * s.c * w[1] * s.n; }",
    );
    let s = Value::List(vec![[2.0, 3.0].into(), 5.0.into(), 7.0.into(), 2.into()]);
    for &backend in BACKENDS {
        let f = function(&program, "f", backend);
        let args = [s.clone(), [11.0, 13.0].into()];
        assert_eq!(f.call(&args).unwrap(), [Value::Float(976.0)], "{backend:?}");
        // Of a struct only what derivatives flow through has one.
        let gradient = f.gradient(&args).unwrap();
        let expected = [("s", Value::List(vec![[33.0, 22.0].into(), 182.0.into()])), ("w", [6.0, 70.0].into())];
        assert_eq!(gradient, by_name(&expected), "{backend:?}");
    }
}

#[test]
fn out_and_inout_parameters_are_results() {
    let program = program(
        "[Differentiable] float f(float x, inout float y, out float z, no_diff float k, int n)
         { float r = x * y; z = k * x * x; y = y * y * n; return r; }",
    );
    for &backend in BACKENDS {
        let f = function(&program, "f", backend);
        let inputs: Vec<bool> = f.parameters().iter().map(|p| p.is_input).collect();
        assert_eq!(inputs, [true, true, false, true, true]);
        let moves: Vec<bool> = f.parameters().iter().map(|p| p.is_differentiable).collect();
        assert_eq!(moves, [true, true, true, false, false]);
        let args = [2.0.into(), 3.0.into(), 5.0.into(), 4.into()];
        let results: [Value; 3] = [6.0.into(), 36.0.into(), 20.0.into()];
        assert_eq!(f.call(&args).unwrap(), results, "{backend:?}");
        let (values, changes) = f.jvp(&args, &[1.0.into(), 10.0.into()]).unwrap();
        assert_eq!(values, results, "{backend:?}");
        assert_eq!(changes, [23.0.into(), 240.0.into(), 20.0.into()] as [Value; 3], "{backend:?}");
        let gradients = f.vjp(&args, &[1.0.into(), 10.0.into(), 100.0.into()]).unwrap();
        assert_eq!(gradients, by_name(&[("x", 2003.0.into()), ("y", 242.0.into())]), "{backend:?}");
    }
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let program = program("[Differentiable] float2 f(float x, int n) { return float2(x, x * n); }");
    let f = function(&program, "f", Backend::Cranelift);
    let text = |found: Result<Vec<Value>, Error>| found.unwrap_err().to_string();
    assert!(text(f.call(&[1.0.into()])).contains("E0802]: `f` cannot be called so: it takes 2 arguments, not 1"));
    assert!(text(f.call(&[1.0.into(), 2.0.into()])).contains("`n` is a `i32`, and not Float(2.0)"));
    assert!(text(f.call(&[[1.0].into(), 2.into()])).contains("`x` is a `f32`"));
    let args = [1.0.into(), 2.into()];
    let text = |error: Error| error.to_string();
    assert!(text(f.vjp(&args, &[]).unwrap_err()).contains("it takes 1 cotangent, not 0"));
    assert!(text(f.jvp(&args, &[1.into()]).unwrap_err()).contains("a tangent is a `f32`"));
    assert!(text(f.gradient(&args).unwrap_err()).contains("`f` has no single number as its result"));
}

#[test]
fn what_cannot_be_called_by_itself_is_refused() {
    let program = program(
        "StructuredBuffer<float> w;
         groupshared float shared_sum;
         float plain(float x) { return x; }
         float of_buffer(StructuredBuffer<float> b) { return b[0]; }
         float reads(float x) { return x * w[0]; }
         float reads_below(float x) { return reads(x) + 1; }
         float shares(float x) { shared_sum = x; return shared_sum; }",
    );
    assert!(refused(&program, "plains").contains("there is no function `plains`; did you mean `plain`?"));
    let text = refused(&program, "of_buffer");
    assert!(text.contains("f.slang:4:") && text.contains("its parameter `b` is or holds a resource"), "{text}");
    for name in ["reads", "reads_below"] {
        let text = refused(&program, name);
        // The place is where the resource is used.
        assert!(text.contains("f.slang:5:") && text.contains("it uses `w`"), "{text}");
    }
    assert!(refused(&program, "shares").contains("it uses `shared_sum`"));
    let plain = function(&program, "plain", Backend::Cranelift);
    assert!(plain.gradient(&[1.0.into()]).unwrap_err().to_string().contains("`plain` has no backward derivative"));
    assert!(
        plain.vjp(&[1.0.into()], &[1.0.into()]).unwrap_err().to_string().contains("`plain` has no backward derivative")
    );
}

#[test]
fn a_trap_says_what_happened() {
    let program = program("int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }");
    for &backend in BACKENDS {
        let down = function(&program, "down", backend);
        let Err(Error::Trapped(trap)) = down.call(&[(-1).into()]) else {
            panic!("a recursion without an end is a trap")
        };
        assert!(trap.render().contains("f.slang:1:"), "{backend:?}: {}", trap.render());
        assert_eq!(down.call(&[6.into()]).unwrap(), [Value::Int(6)]);
    }
}

#[test]
fn derivatives_of_derivatives_are_functions_of_the_program() {
    let program = program(
        "[Differentiable] float cube(float x) { return x * x * x; }
         [Differentiable] float slope(float x) { return fwd_diff(cube)(diffPair(x, 1.0)).d; }",
    );
    for &backend in BACKENDS {
        let slope = function(&program, "slope", backend);
        assert_eq!(slope.call(&[2.0.into()]).unwrap(), [Value::Float(12.0)]);
        assert_eq!(slope.gradient(&[2.0.into()]).unwrap(), by_name(&[("x", 12.0.into())]), "{backend:?}");
    }
}
