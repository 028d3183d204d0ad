//! Derivatives at singular points: a table of the documentation (`docs/singular.md`) whose numbers
//! are computed in both modes and on every back end, which must agree to the last digit.

use crate::json;
use crate::runner::{BACKENDS, Suite};
use std::fmt::Write;

/// An expression in `x`, the point, and the reason for the value.
const POINTS: &[(&str, &str, &str)] = &[
    ("sqrt(x)", "0", "the limit from the right"),
    ("sqrt(1.0 - x)", "1", "the limit from inside"),
    ("sqrt(max(x, 1.0) - x)", "2", "an infinite partial meets a zero that was computed"),
    ("sqrt(x * x)", "0", "an infinite partial meets a zero that was computed"),
    ("rsqrt(x)", "0", "the limit from the right"),
    ("1.0 / x", "0", "the limit from both sides"),
    ("log(x)", "0", "the limit from the right"),
    ("log(x)", "-1", "1/x; the value itself is NaN"),
    ("exp(x)", "100", "overflows as the value does"),
    ("pow(x, 2.0)", "0", "exact"),
    ("pow(x, 2.0)", "-1", "exact for whole exponents"),
    ("pow(x, 1.0)", "0", "exact"),
    ("pow(x, 0.5)", "0", "the limit from the right"),
    ("pow(x, 0.0)", "0", "the power is 1 everywhere"),
    ("pow(0.0, x)", "1", "the limit: 0 to any positive power is 0"),
    ("pow(0.0, x)", "0", "as for positive exponents"),
    ("abs(x)", "0", "the middle of the subgradient"),
    ("sign(x)", "0", "constant on both sides"),
    ("max(x, 1.0)", "1", "ties: half to each side"),
    ("max(x, x)", "1", "ties: both halves come together"),
    ("min(x, 1.0)", "1", "ties: half to each side"),
    ("clamp(x, 0.0, 1.0)", "0", "the middle of the subgradient"),
    ("clamp(x, 0.0, 1.0)", "1", "the middle of the subgradient"),
    ("saturate(x)", "1", "as `clamp`"),
    ("asin(x)", "1", "the limit from inside"),
    ("acos(x)", "-1", "the limit from inside"),
    ("acos(x)", "2", "outside of the domain"),
    ("atan2(x, 0.0)", "0", "there is no limit"),
    ("atan2(0.0, x)", "0", "there is no limit"),
    ("length(float2(x, 0.0))", "0", "the middle of the subgradient"),
    ("distance(float2(x, 1.0), float2(0.0, 1.0))", "0", "as `length`"),
    ("normalize(float2(x, 0.0)).x", "0", "constant on both sides"),
    ("normalize(float2(0.0, x)).x", "0", "constant on both sides"),
    ("fmod(x, 1.0)", "1", "the same on both sides"),
    ("frac(x)", "1", "the same on both sides"),
    ("floor(x)", "1", "constant on both sides"),
    ("step(0.5, x)", "0.5", "constant on both sides"),
    ("smoothstep(0.0, 1.0, x)", "0", "exact"),
    ("smoothstep(x, x, 0.5)", "0.5", "no such edge"),
    ("x == 0.0 ? 1.0 : sin(x) / x", "0", "what is not taken has no part in it"),
    ("x > 0.5 ? sqrt(x) : 1.0", "0", "what is not taken has no part in it"),
    ("sqrt(x > 0.0 ? x : 0.0)", "-1", "what is not taken has no part in it"),
    ("sqrt(max(x, 0.0))", "-1", "what is not taken has no part in it"),
    ("max(sqrt(x), 1.0)", "0", "what is not taken has no part in it"),
    ("acos(clamp(x, -1.0, 1.0))", "2", "what is not taken has no part in it"),
];

pub const PAGE: &str = "docs/singular.md";

/// What stands above the table.
const HEAD: &str = "\
# Derivatives at singular points

Written by `cargo xtask bless singular` and held current by the test `singular/page`: both modes and every back end
give these numbers. A *singular point* is a point where the formula of a derivative is no number, or infinite, though
the function has a value. The numbers below are a convention. They belong to the rules of the ops and of the prelude's
functions. No hidden clamp changes them.

`--ad-singular ieee` (`caustic run`, `emit`, `gradcheck`; the option `singular=ieee` of the pass `differentiate`)
switches the convention off. The formula then stands, NaN included, and functions of the prelude that are branches
at such a point are their formulas. Rows say both as `singular(convention, formula)`.

| function | x | value | derivative | why | strict IEEE |
| --- | --- | --- | --- | --- | --- |
";

/// What stands below it.
const TAIL: &str = "\
\n## Exact zeros

A zero that control flow made is exact. It comes from what is not taken, not read, not run, or at an index out of range.
An exact zero annihilates infinite partials, with `--ad-singular ieee` too. So a branch that is not taken never spoils a
derivative.

A zero that was computed does not annihilate. `sqrt(s - x)` at `s = x` has the partials ∞ and -∞. In a direction in
which `s - x` stays zero, their sum is NaN in both modes. `caustic gradcheck` calls such a point singular and ends
with 1. (slangc gives 0 there, from a partial that it cuts off at 1581.)

A tangent that the program writes as zero (`diffPair(x, 0.0)`, `diffPair(x)`) is exact. Along `y`, `sqrt(x) + y` has the
derivative 1 at `x = 0`, in both modes. A direction that turns out to be zero when the program runs was computed.

An overflow counts as infinite. `exp(-1.0 / (x * x + 1e-30))` at 0 has in `float` the partials 0, -∞ and 0, and NaN as
its derivative; in `double` the derivative is 0. If every zero annihilated, it would be 0 in `float` too. But then
`pow(x * x * x, 1.0 / 3.0)` at 0, whose derivative is 1, would also be 0.

Which zeros are exact follows from the function that is differentiated and from what it calls. It does not depend on
what stands beside it: the plain value, other derivatives, other callers, dead code, the order of statements. The test
`singular/beside` holds this. [Zero masks](zero-masks.md) explains how.

## Programs in which the modes differ

The reverse derivative may be made of forward ones where that costs less. It is then the forward number. In three kinds
of programs the two modes give other numbers at a singular point. One of them is then NaN or infinite.

**The distributive law.** Forward mode adds what comes to a value, then multiplies by the value's partial. Reverse mode
adds what leaves it. Infinities do not obey the distributive law.

| function | at | forward | reverse |
| --- | --- | --- | --- |
| `s * y + s` with `s = sqrt(x)` | (0, 0) | ∞ · 0 and ∞ | (0 + 1) · ∞ |
| `sqrt(x * (x + 1.0))` | 0 | ∞ | NaN |
| `sqrt(2.0 * x - x)` | 0 | ∞ | ∞ - ∞ |

The same holds for products that overflow from one side only (`x * x * 1e30 * 1e30` at 0), and where a value goes into
several lanes, arguments or iterations.

**Parts that reverse mode does not tell apart.** There a cotangent that was computed to be zero annihilates:

- elements of an array by an index that only the running program knows;
- lanes of a vector that come under conditions of their own and leave the function together
  (`normalize(float2(1.0, sqrt(x))).x` at 0);
- parts of which a condition decides which come;
- results of a call with more than 60 scalars of which not all come, or more than 32 parts;
- a loop that is carried forward, where a condition or an index decides about its tangents. Which loops these are, costs
  choose that are the same for all machines.

**Parts that forward mode does not tell apart.** There a tangent that nothing reached counts as computed: an element of
an array with more than 64 elements, read by an index, if another was reached; or a part of a struct with more than 64
parts, the lanes of a vector being one.
";

fn source() -> String {
    let mut functions = "RWStructuredBuffer<float> output;\n".to_string();
    let mut calls = String::new();
    for (i, (expression, point, _)) in POINTS.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(functions, "[Differentiable] float f{i}(float x) {{ return {expression}; }}");
        let _ = writeln!(calls, "    x = diffPair(float({point})); bwd_diff(f{i})(x, 1.0); output[{}] = x.d;", 3 * i);
        let _ = writeln!(calls, "    y = fwd_diff(f{i})(diffPair(float({point}), 1.0));");
        let _ = writeln!(calls, "    output[{}] = y.d; output[{}] = y.p;", 3 * i + 1, 3 * i + 2);
    }
    format!(
        "{functions}[shader(\"compute\")]\n[numthreads(1, 1, 1)]\nvoid computeMain()\n{{\n    DifferentialPair<float> x;\n    \
         DifferentialPair<float> y;\n{calls}}}\n"
    )
}

/// The reverse derivative, the forward derivative and the value of each expression. An error if
/// modes or back ends disagree.
fn numbers(suite: &Suite, singular: &str) -> Result<Vec<String>, String> {
    let mut numbers: Option<Vec<String>> = None;
    for backend in BACKENDS {
        let output = format!("output=zero:{}", POINTS.len() * 12);
        let args = [
            "run",
            "-",
            "--backend",
            backend,
            "--ad-singular",
            singular,
            "--buffer",
            &output,
            "--read",
            "output",
            "--format",
            "json",
        ];
        let args: Vec<String> = args.iter().map(|a| a.to_string()).collect();
        let text = suite.run_text("caustic", &args, &source())?;
        let found = json::first_list(&text);
        if found.len() != POINTS.len() * 3 {
            return Err(format!("{backend} gives {} numbers", found.len()));
        }
        for (i, (expression, point, _)) in POINTS.iter().enumerate() {
            let (reverse, forward) = (&found[3 * i], &found[3 * i + 1]);
            if reverse != forward {
                return Err(format!("{expression} at {point} on {backend}: {forward} forward, {reverse} in reverse"));
            }
        }
        match &numbers {
            Some(before) if *before != found => return Err(format!("{backend} gives {found:?}, not {before:?}")),
            _ => numbers = Some(found),
        }
    }
    Ok(numbers.unwrap_or_default())
}

/// The page as this compiler generates it.
fn page(suite: &Suite) -> Result<String, String> {
    let (numbers, strict) = (numbers(suite, "zero")?, numbers(suite, "ieee")?);
    let mut out = HEAD.to_string();
    for (i, (expression, point, why)) in POINTS.iter().enumerate() {
        let other = if strict[3 * i] == numbers[3 * i] { "the same" } else { &strict[3 * i] };
        let (value, derivative) = (&numbers[3 * i + 2], &numbers[3 * i]);
        let _ = writeln!(out, "| `{expression}` | {point} | {value} | {derivative} | {why} | {other} |");
    }
    out.push_str(TAIL);
    Ok(out)
}

/// Compares the page with the generated one, or writes it.
pub fn check_page(suite: &Suite) -> Result<(), String> {
    let page = page(suite)?;
    let path = suite.root.join(PAGE);
    if suite.bless {
        return std::fs::write(&path, page).map_err(|e| format!("cannot write {PAGE}: {e}"));
    }
    match std::fs::read_to_string(&path) {
        Ok(text) if text == page => Ok(()),
        _ => Err(format!("{PAGE} is out of date; write it with `cargo xtask bless singular`")),
    }
}
