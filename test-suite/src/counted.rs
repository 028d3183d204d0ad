//! Custom derivatives with side effects are called for each call of their function. Each pair of
//! programs consists of one with equal calls, and one in which a zero that is known at run time
//! only makes the calls differ. An optimization that merges, moves or shares equal calls produces
//! another log.

use crate::json;
use crate::runner::{BACKENDS, Suite};
use std::fmt::Write;

/// The bodies of functions of `x`. `CALL(n)` is a call of a function with a custom derivative: with
/// the argument `n`, or with `n` plus a zero of its own.
const BODIES: &[&str] = &[
    "return CALL(x) + 3.0 * CALL(x);",
    "float sum = 0.0; for (int i = 0; i < 3; i++) sum += float(i + 1) * CALL(x); return sum;",
    "float sum = 0.0; for (int i = 0; i < numbers[1]; i++) sum += float(i + 1) * CALL(x); return sum;",
    "float sum = 0.0; int i = 0; while (i < numbers[1]) { i++; if (i != 2) sum += CALL(x) * float(i); } return sum;",
    "float a = 0.0; if (x > 0.0) a = CALL(x); float b = 0.0; if (x > 0.0) b = CALL(x); return a + 5.0 * b;",
    "float a = CALL(x); if (numbers[1] > 0) a += 7.0 * CALL(x); return a;",
    "float a = x > 0.0 ? CALL(x) : 0.0; return a * CALL(x);",
    "return behind(CALL(x)) + behind(CALL(x)) * CALL(x);",
    "float a[2] = { CALL(x), CALL(x) }; return a[0] + 2.0 * a[numbers[2]];",
    "float2 v = float2(CALL(x), CALL(x)); return v.x + 2.0 * v.y;",
    "float unused = CALL(x); return CALL(x);",
];

/// The function with the custom derivative: it reads memory, or only its derivative writes memory.
const GIVEN: &[(&str, &str)] = &[
    ("float called(float x) { return 2.0 * x; }", "its derivative writes"),
    ("float called(float x) { return log[0] * x; }", "it reads what may change"),
];

/// The program, with a different zero in each call if `apart` is set.
fn source(given: &str, apart: bool) -> String {
    let mut functions = format!(
        "RWStructuredBuffer<float> log;\nRWStructuredBuffer<int> numbers;\n[BackwardDerivative(calledBwd)] {given}\n\
         void calledBwd(inout DifferentialPair<float> x, float d)\n{{\n    int at = int(log[1]);\n    log[at] = d;\n    log[1] = float(at + 1);\n    \
         x = diffPair(x.p, 2.0 * d);\n}}\n[Differentiable] float behind(float x) {{ return x * x; }}\n"
    );
    let mut calls = String::new();
    let mut zero = 3;
    for (i, body) in BODIES.iter().enumerate() {
        let mut text = body.to_string();
        while text.contains("CALL(x)") {
            let call = if apart { format!("called(x + float(numbers[{zero}]))") } else { "called(x)".to_string() };
            text = text.replacen("CALL(x)", &call, 1);
            zero += 1;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(functions, "[Differentiable] float f{i}(float x) {{ {text} }}");
        // A mark between the functions, and the gradient.
        let _ = writeln!(
            calls,
            "    x = diffPair(1.5); bwd_diff(f{i})(x, 1.0); log[int(log[1])] = 1000.0 + {i}.0; log[1] += 1.0; log[int(log[1])] = x.d; log[1] += 1.0;"
        );
    }
    format!(
        "{functions}[shader(\"compute\")]\n[numthreads(1, 1, 1)]\nvoid computeMain()\n{{\n    log[0] = 2.0; log[1] = 2.0; DifferentialPair<float> x;\n{calls}}}\n"
    )
}

/// Compares the logs of the two programs on each back end.
pub fn check(suite: &Suite) -> Result<(), String> {
    for (given, why) in GIVEN {
        let run = |backend: &str, apart: bool| {
            let numbers = format!("numbers=i32:0,3,1{}", ",0".repeat(40));
            let args =
                ["run", "-", "--backend", backend, "--buffer", "log=zero:800", "--buffer", &numbers, "--read", "log"];
            let args = args.iter().chain(&["--format", "json"]).map(|a| a.to_string()).collect::<Vec<_>>();
            suite.run_text("caustic", &args, &source(given, apart)).map(|text| json::first_list(&text))
        };
        let wanted = run(BACKENDS[0], true)?;
        for backend in BACKENDS {
            let found = run(backend, false)?;
            if let Some(i) = (0..wanted.len()).find(|&i| wanted.get(i) != found.get(i)) {
                let function = wanted.iter().take(i).filter(|n| n.starts_with("10")).count();
                return Err(format!(
                    "{why}, {backend}: the derivatives given in `{}` are not called as often as it calls\n{wanted:?}\n{found:?}",
                    BODIES.get(function).unwrap_or(&"?")
                ));
            }
        }
    }
    Ok(())
}
