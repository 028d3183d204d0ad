//! Derivatives must not depend on unrelated code: the same functions, at singular points and at
//! others, in programs with differences that must not matter.
//!
//! Every function is differentiated in both modes in a program that does nothing else, and again
//! with its plain value computed beside it, with other derivatives of it, with dead code, with its
//! statements in another order, behind another function, and so on: values and derivatives must be
//! the same to the last bit. In the plain program both modes must agree as `docs/singular.md`
//! states: in NaNs and infinities exactly, otherwise up to rounding.

use crate::json;
use crate::runner::{BACKENDS, Suite};
use std::fmt::Write;

/// A function of `x`: independent expressions, the result that is computed from them, and the
/// points.
struct Subject {
    parts: &'static [&'static str],
    result: &'static str,
    points: &'static [&'static str],
    modes: Modes,
}

/// Whether both modes must give the same numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modes {
    Agree,
    /// No: infinite terms of a sum cancel in one mode only, or a cotangent is not determined. The
    /// page names these cases.
    Differ,
}

const fn agree(parts: &'static [&'static str], result: &'static str, points: &'static [&'static str]) -> Subject {
    Subject { parts, result, points, modes: Modes::Agree }
}

const fn differ(parts: &'static [&'static str], result: &'static str, points: &'static [&'static str]) -> Subject {
    Subject { parts, result, points, modes: Modes::Differ }
}

const SUBJECTS: &[Subject] = &[
    agree(&["exp(-1.0 / (x * x + 1e-30))", "x * x"], "p0 + p1", &["0", "0.5", "3"]),
    agree(&["1.0 / (x * x + 1e-30)", "x"], "p0 * p1", &["0", "0.5"]),
    agree(&["sqrt(x)", "x"], "p0 * p1", &["0", "2", "-1"]),
    agree(&["sqrt(x * x)", "x * x"], "p0 - p1", &["0", "2", "-1"]),
    agree(&["rsqrt(x)", "x"], "p0 * p1", &["0", "2"]),
    agree(&["log(x)", "x"], "p0 * p1", &["0", "1", "-1"]),
    agree(&["log(x * x)", "sin(x)"], "p0 + p1", &["0", "2"]),
    agree(&["sin(x)", "x"], "p0 / p1", &["0", "1"]),
    agree(&["1.0 / x", "1.0 / (1.0 + x)"], "p0 * p1", &["0", "-1", "2"]),
    agree(&["x * x", "x * x + x"], "p0 / p1", &["0", "1"]),
    agree(&["pow(x, 2.0)", "pow(x, 0.5)"], "p0 + p1", &["0", "2", "-1"]),
    agree(&["pow(x, 0.0)", "pow(0.0, x)"], "p0 * p1", &["0", "1", "2"]),
    agree(&["pow(x * x, 0.25)"], "p0", &["0", "2"]),
    agree(&["pow(abs(x), x)"], "p0", &["0", "2"]),
    agree(&["exp(x)", "exp(-x)"], "p0 * p1", &["100", "-100", "1"]),
    agree(&["exp(x * x)", "x"], "p1 / p0", &["100", "0", "1"]),
    agree(&["exp2(x)", "log2(x)"], "p0 + p1", &["200", "0", "1"]),
    agree(&["normalize(float2(x, 0.0)).x", "normalize(float2(0.0, x)).x"], "p0 + p1", &["0", "1"]),
    agree(&["normalize(float3(x, x * x, sin(x))).y"], "p0", &["0", "1"]),
    agree(&["length(float2(x, x * x))", "distance(float2(x, 1.0), float2(0.0, 1.0))"], "p0 + p1", &["0", "1"]),
    agree(&["atan2(x, 0.0)", "atan2(0.0, x)"], "p0 + p1", &["0", "1"]),
    agree(&["atan2(x, x * x)"], "p0", &["0", "1"]),
    agree(&["asin(x)", "acos(x)"], "p0 + 2.0 * p1", &["1", "-1", "2", "0.5"]),
    agree(&["abs(x)", "sign(x)"], "p0 + p1", &["0", "1"]),
    agree(&["max(x, 1.0)", "min(x, 1.0)"], "p0 * p1", &["1", "0", "2"]),
    agree(&["clamp(x, 0.0, 1.0)", "saturate(x)"], "p0 * p1", &["0", "1", "0.5", "2"]),
    agree(&["acos(clamp(x, -1.0, 1.0))", "sqrt(max(x, 0.0))"], "p0 + p1", &["2", "-1", "1", "0.5"]),
    agree(&["sqrt(x > 0.0 ? x : 0.0)", "x > 0.5 ? sqrt(x) : 1.0"], "p0 + p1", &["0", "-1", "0.5", "2"]),
    agree(&["x == 0.0 ? 1.0 : sin(x) / x", "fmod(x, 1.0)"], "p0 + p1", &["0", "1"]),
    agree(&["smoothstep(0.0, 1.0, x)", "frac(x)"], "p0 * p1", &["0", "1", "0.5"]),
    agree(&["sqrt(max(x, 1.0) - x)"], "p0", &["2", "0"]),
    agree(&["sqrt(1.0 - x)", "log(1.0 - x)"], "p0 * p1", &["1", "0"]),
    agree(&["tan(x)", "sinh(x)", "tanh(x)"], "p0 + p1 * p2", &["0", "100", "1"]),
    agree(&["root(x)", "x * x"], "p0 + p1", &["0", "-1", "2"]),
    agree(&["root(x) * root(x)"], "p0", &["0", "2"]),
    agree(&["early(x)", "x"], "p0 * p1", &["0", "-1", "2"]),
    agree(&["both(x).x", "both(x).y"], "p0 / p1", &["0", "1"]),
    agree(&["sqrt(power(x, 3))"], "p0", &["0", "2"]),
    agree(&["power(sqrt(x), count)", "x"], "p0 + p1", &["0", "2"]),
    agree(&["sqrt(cut(x))", "x"], "p0 + p1", &["0", "-1", "2"]),
    agree(&["log(1.0 + sqrt(cut(x))) + sqrt(cut(1.0 - x))"], "p0", &["0", "1", "0.5"]),
    agree(&["deep(x)", "deep(x * x)"], "pow(p0, 0.5) * p1", &["0", "-1", "2"]),
    agree(&["rooted(cut(x), x)", "rooted(x, cut(x))"], "p0 * p1", &["0", "2"]),
    agree(&["swept(x, count)", "swept(cut(x), count)"], "p0 + p1", &["0", "-1", "2"]),
    agree(&["sqrt(sifted(x, count))", "x"], "p0 + p1", &["0", "1", "2"]),
    agree(&["sqrt(waited(x, count))", "x"], "p0 * p1", &["0", "1", "3"]),
    agree(&["sqrt(part(x).a)", "part(x).b"], "p0 + p1", &["0", "1", "2"]),
    agree(&["sqrt(sum(part(x)))", "sqrt(sum(part(cut(x))))"], "p0 + p1", &["0", "1", "2"]),
    agree(&["sqrt(placed(x))", "sqrt(told(x, count))"], "p0 + p1", &["0", "1", "2"]),
    agree(&["sqrt(chosen(x, count))", "sqrt(chosen(cut(x), count - 3))"], "p0 + x * p1", &["0", "1", "2"]),
    agree(&["sqrt(given(cut(x), x))", "x"], "p0 + p1", &["0", "2"]),
    agree(&["sqrt(shape(x, count).area())", "sqrt(shape(x, count - 2).area())"], "p0 + p1 + x", &["0", "1", "2"]),
    agree(&["sqrt(both(cut(x)).y)", "sqrt(lanes(x).y)"], "p0 + p1 + x", &["0", "2"]),
    agree(&["sqrt(lane(lanes(x), count))", "sqrt(lane(lanes(x).yx, count))"], "p0 + p1 + x", &["1", "2"]),
    agree(&["length(turned(lanes(x), count) * float2(x, 1.0))"], "p0 + x", &["0", "2"]),
    agree(&["dot(sqrt(turned(lanes(x), count)), float2(1.0, x))"], "p0 + x", &["0", "2"]),
    agree(&["sqrt(nested(x).inner.a) + nested(x).other", "sqrt(nested(cut(x)).v.y)"], "p0 + p1 + x", &["0", "1", "2"]),
    agree(
        &["sqrt(rebuilt(nested(x), count).v.x)", "sqrt(rebuilt(nested(x), count).inner.b)"],
        "p0 + p1 + x",
        &["1", "2"],
    ),
    agree(&["sqrt(stored(x))", "x"], "p0 + p1", &["0", "2"]),
    agree(&["steps(x, count)"], "p0 + x", &["0", "2"]),
    differ(&["picked(x)", "x"], "p0 + p1", &["0", "2"]),
    differ(&["skipped(x, count)"], "p0", &["0", "2"]),
    differ(&["sqrt(2.0 * x - x)"], "p0", &["0", "2"]),
    differ(&["x * x * 1e30"], "p0 * 1e30", &["0", "2"]),
];

/// Helpers of some functions. The buffer provides an index and a trip count that are known at run
/// time only.
const HELPERS: &str = "
RWStructuredBuffer<float> output;
StructuredBuffer<int> numbers;
[Differentiable] float root(float x) { return sqrt(x); }
[Differentiable] float2 both(float x) { return float2(log(x), sqrt(x)); }
[Differentiable] float early(float x) { if (x < 0.0) return x; float r = sqrt(x); return r * r; }
[Differentiable] float power(float x, int n) { float r = 1.0; for (int i = 0; i < n; i++) r = r * x; return r; }
[Differentiable] float picked(float x)
{
    float a[3] = { sqrt(x), log(x), x };
    float weight[3] = { 0.0, 0.0, 1.0 };
    float sum = 0.0;
    for (int i = 0; i < 3; i++) sum += a[numbers[i]] * weight[i];
    return sum;
}
[Differentiable] float cut(float x) { if (x <= 0.0) return 0.0; return x; }
[Differentiable] float deep(float x) { if (x > 1.0) { if (x > 1.5) return cut(x); return 1.0; } return cut(cut(x)); }
[Differentiable] float rooted(float a, float b) { return sqrt(a) + b; }
[Differentiable] float swept(float x, int n)
{
    float r = 0.0;
    for (int i = 0; i < n; i++) r = rooted(r, cut(x));
    return r;
}
[Differentiable] float sifted(float x, int n)
{
    float r = 0.0;
    for (int i = 0; i < n; i++) { if (x > float(i)) r += x; else if (i > 5) r = sqrt(r); }
    return r;
}
[Differentiable] float waited(float x, int n)
{
    float r = 0.0;
    int i = 0;
    while (true) { if (i >= n) break; i++; if (x < 1.0) continue; if (x > 2.5) return r; r = r + x; }
    return r;
}
struct Part : IDifferentiable { float a; float b; };
[Differentiable] Part part(float x) { Part p; p.a = 0.0; p.b = x; if (x > 1.0) p.a = x * x; return p; }
[Differentiable] float sum(Part p) { float s = 0.0; if (p.b > 0.5) s = p.a + 1.0; return s; }
[Differentiable] void place(inout float y, out float z, float x) { z = x; if (x > 1.0) y = x; else y = 0.0; }
[Differentiable] float placed(float x) { float y = x; float z; place(y, z, x); return y; }
[Differentiable] float told(float x, int n)
{
    Part p = part(x);
    for (int i = 0; i < n; i++) { if (x > 1.0) p.a = p.a + p.b; p.b = x; }
    return p.a;
}
[Differentiable] float chosen(float x, int n)
{
    switch (n) { case 0: return 0.0; case 1: return x; case 2: return cut(x); default: break; }
    return x > 1.0 ? cut(x) : 0.0;
}
[ForwardDerivative(givenForward)] [BackwardDerivative(givenBackward)]
float given(float a, float b) { return a * b; }
[Differentiable] DifferentialPair<float> givenForward(DifferentialPair<float> a, DifferentialPair<float> b)
{
    return diffPair(a.p * b.p, a.d * b.p + a.p * b.d);
}
[Differentiable] void givenBackward(inout DifferentialPair<float> a, inout DifferentialPair<float> b, float d)
{
    a = diffPair(a.p, d * b.p);
    b = diffPair(b.p, d * a.p);
}
interface IShape : IDifferentiable { [Differentiable] float area(); }
struct Square : IShape { float side; [Differentiable] float area() { return cut(side - 1.0); } };
struct Disk : IShape { float radius; float scale; [Differentiable] float area() { return radius * scale; } };
[Differentiable] IShape shape(float x, int n)
{
    if (n > 1) { Square s; s.side = x; return s; }
    Disk d; d.radius = cut(x); d.scale = 0.0; return d;
}
[Differentiable] float2 lanes(float x) { float2 v = float2(x, 0.0); if (x > 1.0) v.y = x; return v; }
[Differentiable] float lane(float2 v, int n) { v[n - 3] = cut(v[n - 3] - 1.0); return v[n - 3] + v[n - 2]; }
[Differentiable] float2 turned(float2 v, int n)
{
    for (int i = 0; i < n; i++) { v = v.yx; if (v.x > 1.0) v += float2(0.0, v.x); }
    return v;
}
struct Nested : IDifferentiable { Part inner; float other; float2 v; };
[Differentiable] Nested nested(float x) { Nested n; n.inner = part(x); n.other = x; n.v = lanes(x); return n; }
[Differentiable] Nested rebuilt(Nested n, int k)
{
    for (int i = 0; i < k; i++) { n.v.x = cut(n.other - 1.0); n.inner.b = n.v.x; if (i > 1) n.inner = part(n.other); }
    return n;
}
[Differentiable] float norm(float a[9])
{
    float s = 0.0;
    for (int i = 0; i < 9; i++) { float r = sqrt(a[i]); s += r * r; }
    return s;
}
[Differentiable] float skipped(float x, int n)
{
    float a[9];
    for (int i = 0; i < 9; i++) a[i] = x;
    float s = x;
    for (int i = 0; i < n; i++) { float r = sqrt(a[i]); s += r * r; }
    float pair[3] = { s, norm(a), 0.0 };
    return pair[n - 3] + pair[n - 2];
}
[Differentiable] float stored(float x) { float a[2] = { 0.0, 0.0 }; if (x > 1.0) a[0] = x; return a[0] + a[1]; }
[Differentiable] float steps(float x, int n)
{
    float s = x;
    for (int i = 0; i < n; i++) s = rooted(cut(x * float(i)), s);
    return s;
}
";

/// The difference between a program and the plain one.
#[derive(Clone, Copy, Default)]
struct Change {
    name: &'static str,
    /// Text before each call of a derivative.
    before: &'static str,
    after: &'static str,
    /// Text before the statements of the functions, and after them.
    dead_first: &'static str,
    dead_last: &'static str,
    reversed: bool,
    /// Whether there are an additional parameter and a local that are unrelated to `x`.
    unrelated: bool,
    behind: bool,
    /// Additional text after the functions, for each.
    more: &'static str,
    /// Attributes of the helpers.
    helpers: &'static str,
    /// Whether derivatives are summed in another order or made in another mode, so that finite ones
    /// may be rounded differently.
    rounds: bool,
}

const PLAIN: Change = Change {
    name: "",
    before: "",
    after: "",
    dead_first: "",
    dead_last: "",
    reversed: false,
    unrelated: false,
    behind: false,
    more: "",
    helpers: "",
    rounds: false,
};

/// The changes. `F` is the function, `x` its point.
const CHANGES: &[Change] = &[
    Change { name: "the value in front of it", before: "sink += F(x);", ..PLAIN },
    Change { name: "the value behind it", after: "sink += F(x);", ..PLAIN },
    Change {
        name: "both modes twice",
        before: "q = diffPair(x); bwd_diff(F)(q, 3.0); sink += q.d; sink += fwd_diff(F)(diffPair(x, 2.0)).d;",
        after: "q = diffPair(x); bwd_diff(F)(q, 2.0); sink += q.d;",
        ..PLAIN
    },
    Change {
        name: "second derivatives",
        more: "[Differentiable] float along_F(float x) { return fwd_diff(F)(diffPair(x, 1.0)).d; }
[Differentiable] float back_F(float x) { var p = diffPair(x); bwd_diff(F)(p, 1.0); return p.d; }
",
        before: "sink += fwd_diff(along_F)(diffPair(x, 1.0)).d; sink += fwd_diff(back_F)(diffPair(x, 1.0)).d;",
        after: "q = diffPair(x); bwd_diff(along_F)(q, 1.0); sink += q.d; q = diffPair(x); bwd_diff(back_F)(q, 1.0); sink += q.d;",
        ..PLAIN
    },
    Change {
        name: "second derivatives and the value",
        more: "[Differentiable] float along_F(float x) { return fwd_diff(F)(diffPair(x, 1.0)).d; }
",
        after: "sink += F(x); q = diffPair(x); bwd_diff(along_F)(q, 1.0); sink += q.d;",
        ..PLAIN
    },
    Change {
        name: "dead code",
        dead_first: "float dead = sqrt(x) / x; dead = dead * (x * x); ",
        dead_last: "dead = pow(dead, x * x); if (dead > 3.0) dead = log(x); ",
        ..PLAIN
    },
    Change { name: "the statements in another order", reversed: true, rounds: true, ..PLAIN },
    Change { name: "an unrelated parameter", unrelated: true, ..PLAIN },
    Change { name: "behind another function", behind: true, rounds: true, ..PLAIN },
    Change { name: "inlined helpers", helpers: "[ForceInline] ", rounds: true, ..PLAIN },
    Change { name: "helpers that run again", helpers: "[PreferRecompute] ", rounds: true, ..PLAIN },
    Change {
        name: "a caller that may not use it",
        more:
            "[Differentiable] float chosen_F(float x) { float a[2] = { F(x), F(x + 1.0) }; return a[numbers[1]] * x; }
",
        before: "q = diffPair(x); bwd_diff(chosen_F)(q, 1.0); sink += q.d; sink += fwd_diff(chosen_F)(diffPair(x, 1.0)).d;",
        ..PLAIN
    },
];

/// The program and the number of its results: for each point the derivative in reverse mode, the
/// one in forward mode, and the value.
fn source(change: &Change) -> (String, usize) {
    let helpers = HELPERS.replace("\n[Differentiable] ", &format!("\n{}[Differentiable] ", change.helpers));
    let (mut functions, mut calls, mut count) = (helpers, String::new(), 0);
    for (i, s) in SUBJECTS.iter().enumerate() {
        let mut parts: Vec<String> = s.parts.iter().enumerate().map(|(k, p)| format!("float p{k} = {p}; ")).collect();
        if change.reversed {
            parts.reverse();
        }
        let (parameter, local) =
            if change.unrelated { (", float y", "float z = sqrt(y) * y; z = z * z; ") } else { ("", "") };
        let body = format!("{}{local}{}{}", change.dead_first, parts.concat(), change.dead_last);
        // Writing to a string cannot fail.
        let inner = if change.behind { format!("g{i}") } else { format!("f{i}") };
        let round = if s.parts.iter().any(|p| p.contains("count")) { "int count = numbers[2]; " } else { "" };
        let _ = writeln!(
            functions,
            "[Differentiable] float {inner}(float x{parameter}) {{ {round}{body}return {}; }}",
            s.result
        );
        if change.behind {
            let _ = writeln!(functions, "[Differentiable] float f{i}(float x) {{ return g{i}(x); }}");
        }
        let name = format!("f{i}");
        functions.push_str(&change.more.replace('F', &name));
        for point in s.points {
            let (before, after) = (change.before.replace('F', &name), change.after.replace('F', &name));
            let (reverse, argument) = match change.unrelated {
                true => (format!("var u = diffPair(0.0); bwd_diff({name})(p, u, 1.0);"), ", diffPair(0.0, 0.0)"),
                false => (format!("bwd_diff({name})(p, 1.0);"), ""),
            };
            let value = format!("fwd_diff({name})(diffPair(x, 1.0){argument})");
            let _ = writeln!(
                calls,
                "    {{ float x = asfloat(numbers[3]) + {point}; {before} var p = diffPair(x); {reverse} var v = {value}; {after}\n      \
                 output[{count}] = p.d; output[{}] = v.d; output[{}] = v.p; }}",
                count + 1,
                count + 2
            );
            count += 3;
        }
    }
    let text = format!(
        "{functions}[shader(\"compute\")]\n[numthreads(1, 1, 1)]\nvoid computeMain()\n{{\n    float sink = 0.0; DifferentialPair<float> q = diffPair(0.0);\n\
         {calls}    output[{count}] = sink + q.d;\n}}\n"
    );
    (text, count)
}

fn run(suite: &Suite, change: &Change, backend: &str, singular: &str) -> Result<Vec<String>, String> {
    let (text, count) = source(change);
    let output = format!("output=zero:{}", 4 * (count + 1));
    let args = [
        "run",
        "-",
        "--backend",
        backend,
        "--ad-singular",
        singular,
        "--buffer",
        &output,
        "--buffer",
        "numbers=i32:2,1,3,0",
    ];
    let args = args.iter().chain(&["--read", "output", "--format", "json"]);
    let mut found =
        json::first_list(&suite.run_text("caustic", &args.map(|a| a.to_string()).collect::<Vec<_>>(), &text)?);
    if found.len() != count + 1 {
        return Err(format!("{backend} gives {} numbers", found.len()));
    }
    found.truncate(count);
    Ok(found)
}

/// Describes the result at `index`: its function, its point, and which of the three numbers it is.
fn place(index: usize) -> String {
    let points = SUBJECTS.iter().flat_map(|s| s.points.iter().map(move |p| (s, p)));
    let what = ["in reverse", "forward", "as value"][index % 3];
    match points.clone().nth(index / 3) {
        Some((s, point)) => format!("{} with {} at {point}, {what}", s.result, s.parts.join(", ")),
        None => "?".into(),
    }
}

fn compare(before: &[String], now: &[String], change: &Change) -> Vec<String> {
    let modes = SUBJECTS.iter().flat_map(|s| s.points.iter().map(|_| s.modes));
    let differs = |i: usize, x: &str, y: &str| match change.rounds {
        false => x != y,
        // The function may be differentiated in the other mode within another function.
        true => modes.clone().nth(i / 3) == Some(Modes::Agree) && !same(x, y),
    };
    let differ = before.iter().zip(now).enumerate().filter(|(i, (x, y))| differs(*i, x, y));
    differ.map(|(i, (x, y))| format!("{}: {x}, but {y} with {}", place(i), change.name)).collect()
}

/// Whether two numbers are the same for both modes, which sum in different orders.
fn same(reverse: &str, forward: &str) -> bool {
    if reverse == forward {
        return true;
    }
    let (Ok(x), Ok(y)) = (reverse.parse::<f64>(), forward.parse::<f64>()) else { return false };
    x.is_finite() && y.is_finite() && (x - y).abs() <= 1e-5 * x.abs().max(1.0)
}

/// Returns everything that is wrong under one convention for singular points.
pub fn check(suite: &Suite, singular: &str) -> Result<(), String> {
    let plain = run(suite, &PLAIN, BACKENDS[0], singular)?;
    let mut wrong = Vec::new();
    for backend in &BACKENDS[1..] {
        wrong.extend(compare(&plain, &run(suite, &PLAIN, backend, singular)?, &Change { name: backend, ..PLAIN }));
    }
    let modes = SUBJECTS.iter().flat_map(|s| s.points.iter().map(|_| s.modes));
    for (i, (mode, numbers)) in modes.zip(plain.chunks(3)).enumerate() {
        if mode == Modes::Agree && !same(&numbers[0], &numbers[1]) {
            wrong.push(format!("{}: {}, but {} forward", place(3 * i), numbers[0], numbers[1]));
        }
    }
    for change in CHANGES {
        wrong.extend(compare(&plain, &run(suite, change, BACKENDS[0], singular)?, change));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
