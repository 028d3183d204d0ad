//! Every type that holds a derivative, passed on in every way: each pair is one function of a
//! generated program.
//!
//! A number is stored in a holder, the holder is passed on in one way, and the number is read
//! again. The function is 3 x² in all of them. The value, both first derivatives and three second
//! derivatives are compared, so that a way that loses a derivative or counts it twice is noticed.
//! None may be refused.

use super::{numbers, test_name};
use crate::runner::Suite;

const POINT: f64 = 3.0;
/// The expected value, `fwd`, `bwd`, `fwd∘bwd`, `bwd∘fwd`, `bwd∘bwd`.
const WANTED: [f64; 6] = [27.0, 18.0, 18.0, 6.0, 6.0, 6.0];
/// A `half` has eleven significant bits, so numbers up to 32 are rounded to multiples of 2⁻⁶. The
/// numbers of other holders are exact.
const TOLERANCE: f64 = 1.0 / 64.0;

const HEAD: &str = "\
RWStructuredBuffer<float> output;
struct S : IDifferentiable { float a; float b; };
struct N : IDifferentiable { S s; float c[2]; no_diff float z; int k; };
struct G<T : IDifferentiable> : IDifferentiable { T v; };
struct BF : IDifferentiable { int k : 4; float a; uint m : 3; };
interface IV : IDifferentiable { [Differentiable] float get(); }
struct V1 : IV { float a; [Differentiable] float get() { return a * a * 3; } };
struct V2 : IV { float a; float b; [Differentiable] float get() { return a * b; } };
struct DC : IDifferentiable { typealias Differential = DD; [DerivativeMember(DD.u)] float a; };
struct DD : IDifferentiable { float u; static DD dzero() { DD d; d.u = 0; return d; } static DD dadd(DD p, DD q) { DD d; d.u = p.u + q.u; return d; } };
enum Failure { Bad };
";

/// The holders: the description, the type, and how `c` of that type is made from `x` and read, as a
/// product of `x`, `x` and 3.
const HOLDERS: &[(&str, &str, &str, &str)] = &[
    ("a `float`", "float", "T c = x * x;", "c * 3"),
    ("a `double`", "double", "T c = double(x) * x;", "float(c * 3)"),
    ("a `half`", "half", "T c = half(x) * half(x);", "float(c) * 3"),
    ("a vector", "float2", "T c = float2(x, x);", "c.x * c.y * 3"),
    ("a vector of one", "vector<float,1>", "T c = vector<float,1>(x * x);", "c.x * 3"),
    ("a matrix", "float2x2", "T c = float2x2(x, 1, 2, x);", "c[0][0] * c._m11 * 3"),
    ("a matrix of one row", "matrix<float,1,2>", "T c = matrix<float,1,2>(x, x);", "c[0][0] * c[0][1] * 3"),
    ("an array", "float[2]", "float[2] c; c[0] = x; c[1] = x;", "c[0] * c[1] * 3"),
    ("an `Array`", "Array<float,2>", "Array<float,2> c; c[0] = x; c[1] = x;", "c[0] * c[1] * 3"),
    ("a struct", "S", "S c = { x, x };", "c.a * c.b * 3"),
    (
        "a struct of structs, arrays, `no_diff` fields and integers",
        "N",
        "N c; c.s.a = x; c.s.b = 1; c.c[0] = 2; c.c[1] = x; c.z = 0.5; c.k = 2;",
        "c.s.a * c.c[1] * 3 * c.k * c.z",
    ),
    ("a generic struct", "G<float>", "G<float> c = { x };", "c.v * c.v * 3"),
    ("a generic struct of a struct", "G<S>", "G<S> c; c.v.a = x; c.v.b = x;", "c.v.a * c.v.b * 3"),
    (
        "a generic struct of generic structs",
        "G<G<float2>>",
        "G<G<float2>> c; c.v.v = float2(x);",
        "c.v.v.x * c.v.v.y * 3",
    ),
    ("a struct with bit fields", "BF", "BF c; c.k = 3; c.a = x; c.m = 1;", "c.a * c.a * c.k"),
    ("a tuple", "Tuple<float,float>", "T c = makeTuple(x, x);", "c._0 * c._1 * 3"),
    (
        "a tuple of a struct and a vector",
        "Tuple<S,float2>",
        "S s = { x, 1 }; Tuple<S,float2> c = makeTuple(s, float2(1, x));",
        "c._0.a * c._1.y * 3",
    ),
    ("an `Optional`", "Optional<float>", "Optional<float> c = x;", "c.value * c.value * 3"),
    ("an `Optional` struct", "Optional<S>", "S s = { x, x }; Optional<S> c = s;", "c.value.a * c.value.b * 3"),
    (
        "a `Conditional`",
        "Conditional<float,true>",
        "Conditional<float,true> c = x;",
        "c.get().value * c.get().value * 3",
    ),
    ("a pair", "DifferentialPair<float>", "T c = diffPair(x, x);", "c.p * c.d * 3"),
    ("a value of an interface", "IV", "V1 v = { x }; IV c = v;", "c.get()"),
    ("a struct that implements an interface", "V1", "V1 c = { x };", "c.get()"),
    ("an array of structs", "S[2]", "S[2] c; c[0].a = x; c[0].b = 1; c[1].a = 2; c[1].b = x;", "c[0].a * c[1].b * 3"),
    (
        "an array of arrays",
        "float[2][2]",
        "float[2][2] c; c[0][0] = 1; c[0][1] = x; c[1][0] = x; c[1][1] = 2;",
        "c[0][1] * c[1][0] * 3",
    ),
    ("a struct with a chosen differential", "DC", "DC c; c.a = x;", "c.a * c.a * 3"),
    (
        "an array of structs with chosen differentials",
        "DC[2]",
        "DC[2] c; c[0].a = x; c[1].a = x;",
        "c[0].a * c[1].a * 3",
    ),
];

/// The ways: the description, the declarations, and how `d` is made from `c`. `T` is the holder's
/// type, and `n` is 3.
const WAYS: &[(&str, &str, &str)] = &[
    ("a copy", "", "T d = c;"),
    ("a generic function", "[Differentiable] X id<X : IDifferentiable>(X a) { return a; }", "T d = id<T>(c);"),
    ("a function", "[Differentiable] T pf(T a) { T q = a; return q; }", "T d = pf(c);"),
    (
        "an `inout` parameter",
        "[Differentiable] void iof(inout T a, T b) { T q = a; a = b; a = q; }",
        "T d = c; iof(d, c);",
    ),
    ("an `out` parameter", "[Differentiable] void of(T a, out T b) { b = a; }", "T d; of(c, d);"),
    (
        "an `out` parameter of a generic function",
        "[Differentiable] void og<X : IDifferentiable>(X a, out X b) { b = a; }",
        "T d; og<T>(c, d);",
    ),
    ("a loop", "", "T d = c; for (int i = 0; i < n; i++) { T q = d; d = q; }"),
    (
        "two that change places in a loop",
        "",
        "T d = c; T e = c; for (int i = 0; i < n; i++) { T q = d; d = e; e = q; }",
    ),
    ("the branches of an `if`", "", "T d; if (n > 2) d = c; else { T q = c; d = q; }"),
    (
        "the branches of a `switch`",
        "",
        "T d; switch (n) { case 1: d = c; break; case 3: { T q = c; d = q; } break; default: d = c; }",
    ),
    ("a choice by `?:`", "", "T e = c; T d = n > 2 ? c : e;"),
    ("a field", "struct Wr : IDifferentiable { T v; float z; };", "Wr w; w.v = c; w.z = 1; Wr w2 = w; T d = w2.v;"),
    (
        "a field of a generic struct, by methods",
        "struct Wg<X : IDifferentiable> : IDifferentiable { X v; [Differentiable] X get() { return v; } [mutating][Differentiable] void set(X q) { v = q; } };",
        "Wg<T> w; w.set(c); T d = w.get();",
    ),
    ("elements of an array", "", "T a[3]; a[0] = c; a[1] = c; a[n % 3] = c; a[2] = a[1]; T d = a[(n + 1) % 3];"),
    ("an `Optional`", "", "Optional<T> q = c; T d = q.value;"),
    (
        "an `Optional` that may be none",
        "",
        "Optional<T> q = none; if (n > 0) q = c; T d; if (let z = q) d = z; else d = c;",
    ),
    ("a tuple", "", "let t = makeTuple(c, 1.0f); T d = t._0;"),
    ("a `Conditional`", "", "Conditional<T, true> q; q.set(c); T d = q.get().value;"),
    (
        "a property",
        "struct Pw : IDifferentiable { T v; property T q { [Differentiable] get { return v; } [Differentiable] set { v = newValue; } } };",
        "Pw w; w.q = c; T d = w.q;",
    ),
    (
        "a subscript",
        "struct Sw : IDifferentiable { T v[2]; __subscript(int i) -> T { [Differentiable] get { return v[i]; } [Differentiable] set { v[i] = newValue; } } };",
        "Sw w; w[n & 1] = c; w[1 - (n & 1)] = c; T d = w[1];",
    ),
    (
        "a constructor",
        "struct Cw : IDifferentiable { T v; [Differentiable] __init(T q) { v = q; } };",
        "Cw w = Cw(c); T d = w.v;",
    ),
    ("an initializer list", "struct Lw : IDifferentiable { T v; int k; };", "Lw w = { c, n }; T d = w.v;"),
    ("a static method", "struct Tw { [Differentiable] static T st(T q) { return q; } };", "T d = Tw.st(c);"),
    (
        "a requirement, called generically",
        "interface IR { [Differentiable] T rq(T q); } struct Rw : IR { [Differentiable] T rq(T q) { return q; } }; [Differentiable] T via<R : IR>(R r, T q) { return r.rq(q); }",
        "Rw r; T d = via(r, c);",
    ),
    (
        "a requirement, called dynamically",
        "interface IR2 { [Differentiable] T rq(T q); } struct Rw2 : IR2 { int k; [Differentiable] T rq(T q) { return q; } }; [Differentiable] T via2(IR2 r, T q) { return r.rq(q); }",
        "Rw2 r = { 1 }; T d = via2(r, c);",
    ),
    (
        "an associated type",
        "interface IR3 { associatedtype A : IDifferentiable; [Differentiable] A mk(A q); } struct Rw3 : IR3 { typealias A = T; [Differentiable] A mk(A q) { return q; } }; [Differentiable] R.A via3<R : IR3>(R r, R.A q) { R.A z = r.mk(q); return z; }",
        "Rw3 r; T d = via3(r, c);",
    ),
    ("a lambda", "", "let g = (T q) => q; T d = g(c);"),
    ("what a lambda captures", "", "let g = (float q) => { T z = c; return z; }; T d = g(1);"),
    (
        "a function that may throw",
        "[Differentiable] T th(T q, int n) throws Failure { if (n > 9) throw Failure.Bad; return q; }",
        "T d = c; do { d = try th(c, n); } catch (e : Failure) { }",
    ),
    ("`reinterpret`", "", "T d = reinterpret<T>(c);"),
    (
        "a return out of a loop",
        "[Differentiable] T ea(T q, int n) { for (int i = 0; i < 5; i++) { if (i == n) return q; } T z = q; return z; }",
        "T d = ea(c, n);",
    ),
    (
        "a method of an extension",
        "struct Xw { int k; }; extension Xw { [Differentiable] T xf(T q) { return q; } }",
        "Xw w; w.k = 1; T d = w.xf(c);",
    ),
    ("a pair", "", "var p = diffPair(c); T d = p.p;"),
    ("`defer`", "", "T d; { T q; defer d = q; q = c; }"),
    ("a loop that does not run", "", "T d = c; for (int i = 0; i < 0; i++) d = c;"),
    ("an assignment of an assignment", "", "T d; T e; d = e = c;"),
    (
        "calls in calls",
        "[Differentiable] T g0(T q) { return q; } [Differentiable] T g1(T q) { return g0(g0(q)); }",
        "T d = g1(g1(c));",
    ),
    (
        "a function with custom derivatives",
        "[ForwardDerivative(gvf)] [BackwardDerivative(gvb)] T gv(T q) { return q; } [Differentiable] DifferentialPair<T> gvf(DifferentialPair<T> q) { return q; } [Differentiable] void gvb(inout DifferentialPair<T> q, T.Differential d) { q = DifferentialPair<T>(q.p, d); }",
        "T d = gv(c);",
    ),
    (
        "a primal substitute",
        "[PrimalSubstitute(sbs)] T sb(T q) { return q; } [Differentiable] T sbs(T q) { return q; }",
        "T d = sb(c);",
    ),
];

/// The name of each holder's test, with the holder's index.
pub fn rows() -> Vec<(String, usize)> {
    HOLDERS.iter().enumerate().map(|(i, (about, ..))| (format!("matrix/carried/{}", test_name(about)), i)).collect()
}

/// The section of the page about holders.
pub fn section() -> String {
    let list = |items: Vec<&str>| items.join("; ");
    format!(
        "\n## Whatever holds a derivative, however it is passed on\n\nEach of these holders in each of these ways, {} functions (`test-suite/src/matrix/carried.rs`): the value, \
         both modes and their second orders are right.\n\n- Held by {}.\n- Passed on by {}.\n",
        HOLDERS.len() * WAYS.len(),
        list(HOLDERS.iter().map(|h| h.0).collect()),
        list(WAYS.iter().map(|w| w.0).collect()),
    )
}

/// Runs a holder in all ways. Only the interpreter is used, because what is tested is independent
/// of the back end.
pub fn run(suite: &Suite, holder: usize) -> Result<(), String> {
    let text = program(holder);
    let text = if holder.is_multiple_of(2) { text } else { super::renamed(&text, holder as u64)? };
    let buffer = format!("output=zero:{}", WAYS.len() * WANTED.len() * 4);
    let args = ["run", "-", "--backend", "interp", "--buffer", &buffer, "--read", "output", "--format", "json"];
    let output = suite.run_text("caustic", &args.map(String::from), &text)?;
    let numbers = numbers(&output);
    compare(&numbers).map_err(|why| format!("{}, {why}", HOLDERS[holder].0))
}

fn compare(numbers: &[f64]) -> Result<(), String> {
    let mut wrong = Vec::new();
    for (i, (way, ..)) in WAYS.iter().enumerate() {
        let got = numbers.get(i * WANTED.len()..(i + 1) * WANTED.len()).unwrap_or_default();
        let right = |(g, w): (&f64, &f64)| (g - w).abs() <= TOLERANCE;
        if got.len() != WANTED.len() || !got.iter().zip(&WANTED).all(right) {
            wrong.push(format!("by {way}: {got:?}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

/// The program with all ways of one holder, each in a namespace of its own.
fn program(holder: usize) -> String {
    let (_, ty, make, read) = HOLDERS[holder];
    let (mut text, mut calls) = (HEAD.to_string(), String::new());
    for (i, (_, declared, pass)) in WAYS.iter().enumerate() {
        text.push_str(&format!(
            "namespace n{i} {{ typealias T = {ty}; {declared} \
             [Differentiable] float f(float x, no_diff int n) {{ {make} {pass} {{ T c = d; return {read}; }} }} \
             [Differentiable] float forward(float x, no_diff int n) {{ return fwd_diff(f)(diffPair(x, 1.0), n).d; }} \
             [Differentiable] float reverse(float x, no_diff int n) {{ var p = diffPair(x); bwd_diff(f)(p, n, 1.0); return p.d; }} }}\n"
        ));
        let at = i * WANTED.len();
        calls.push_str(&format!(
            "x = diffPair({POINT:?}); output[{at}] = n{i}::f(x.p, n); output[{}] = n{i}::forward(x.p, n); output[{}] = n{i}::reverse(x.p, n); \
             output[{}] = fwd_diff(n{i}::reverse)(diffPair(x.p, 1.0), n).d; bwd_diff(n{i}::forward)(x, n, 1.0); output[{}] = x.d; \
             x = diffPair(x.p); bwd_diff(n{i}::reverse)(x, n, 1.0); output[{}] = x.d;\n",
            at + 1, at + 2, at + 3, at + 4, at + 5
        ));
    }
    text + "[shader(\"compute\")] [numthreads(1, 1, 1)] void computeMain() { int n = 3; var x = diffPair(0.0);\n"
        + &calls
        + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derivative_that_is_lost_is_found() {
        let mut numbers = WANTED.repeat(WAYS.len());
        assert!(compare(&numbers).is_ok());
        numbers[WANTED.len() + 2] = 0.0;
        assert!(compare(&numbers).unwrap_err().starts_with(&format!("by {}", WAYS[1].0)));
        assert!(compare(&numbers[1..]).is_err());
    }
}
