//! Tests of checking: types of expressions, overloads, signatures of derivatives, and diagnostics;
//! also that accepted programs lower to modules that verify.

use crate::{Compiled, MemoryLoader, Options, compile};

fn run(text: &str) -> Compiled {
    compile(&mut MemoryLoader::new("t.slang", text), "t.slang", &Options::default())
}

fn found(text: &str) -> Vec<String> {
    run(text).diagnostics.iter().map(|d| d.to_string()).collect()
}

/// Asserts that the program has no diagnostics, and that its module verifies.
fn accepts(text: &str) {
    let out = run(text);
    let messages: Vec<String> = out.diagnostics.iter().map(|d| d.to_string()).collect();
    assert_eq!(messages, Vec::<String>::new(), "{text}");
    let wrong: Vec<String> = match &out.module {
        Some(m) => caustic_ir::verify::verify_module(m).iter().map(|d| d.to_string()).collect(),
        None => vec!["no module".to_string()],
    };
    assert_eq!(wrong, Vec::<String>::new(), "{text}");
}

/// Asserts that the program has exactly these diagnostics, each given as `LINE:COL CODE`.
fn finds(text: &str, expected: &[&str]) {
    let all = found(text);
    let short: Vec<String> = all
        .iter()
        .map(|m| {
            let place = m.strip_prefix("t.slang:").unwrap_or(m);
            let (place, rest) = place.split_once(": ").unwrap_or((place, ""));
            let code = rest.split_once('[').and_then(|(_, r)| r.split_once(']')).map_or("", |(c, _)| c);
            format!("{place} {code}")
        })
        .collect();
    assert_eq!(short, expected, "{text}\n{all:#?}");
}

/// The type of an expression, which overloads of a function tell.
fn type_of(e: &str) -> &'static str {
    const TYPES: &[&str] = &[
        "bool", "int8_t", "int16_t", "int", "int64_t", "uint8_t", "uint16_t", "uint", "uint64_t", "half", "float",
        "double", "float2", "float3", "int3", "bool3", "float2x2", "uint3", "half3",
    ];
    let mut text = String::new();
    for (i, t) in TYPES.iter().enumerate() {
        text += &format!("float{}x{} probe({t} x) {{ return 0; }}\n", i % 4 + 1, i / 4 % 4 + 1);
    }
    text += &format!(
        "void f(int8_t i8, uint8_t u8, int16_t i16, int i, uint u, int64_t l, half h, float x, double d, bool b, float3 v, int3 iv, half3 hv, float2x2 m) {{ probe({e}); }}"
    );
    let out = run(&text);
    let Some(module) = out.module else { return "an error" };
    let printed = caustic_ir::text::print_module(&module, &Default::default());
    let callee = printed.lines().find_map(|l| l.split_once("hl.call @probe").map(|(_, r)| r));
    let Some(rest) = callee else { return "no call" };
    let number = rest.strip_prefix('.').map_or(0, |r| {
        r.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0)
    });
    TYPES.get(number).copied().unwrap_or("no such overload")
}

#[test]
fn types_of_literals_and_operators() {
    for (e, ty) in [
        ("1", "int"),
        ("1u", "uint"),
        ("1l", "int"),
        ("1ll", "int64_t"),
        ("3000000000", "int64_t"),
        ("0xffffffff", "uint"),
        ("1.0", "float"),
        ("1.0h", "half"),
        ("1.0lf", "double"),
        ("-2147483648", "int"),
        ("i8 + i8", "int8_t"),
        ("i8 + u8", "uint8_t"),
        ("i8 + 1", "int"),
        ("h * 2", "half"),
        ("h * 2.0", "float"),
        ("l * 2.0", "float"),
        ("b + b", "int"),
        ("-b", "int"),
        ("~b", "bool"),
        ("1 + 1u", "uint"),
        ("l + 1u", "int64_t"),
        ("i8 << l", "int8_t"),
        ("1.0 + 1.0lf", "double"),
        ("-i8", "int8_t"),
        ("b ? 1 : 2.0", "float"),
        ("i8 * b", "int8_t"),
        ("i16 + u8", "int16_t"),
        ("1.0 * h", "float"),
        ("u << 1", "uint"),
        ("u * h", "half"),
        ("v * 2", "float3"),
        ("v < 1", "bool3"),
        ("v * iv", "float3"),
        ("iv + 1u", "uint3"),
        ("m * 2", "float2x2"),
        ("v.x", "float"),
        ("v.yx", "float2"),
        ("m[0]", "float2"),
        ("m._m01", "float"),
        ("x.xxx", "float3"),
        ("!v", "bool3"),
        ("i == 1 && x < 2", "bool"),
        ("hv * 2", "half3"),
        ("sin(1)", "float"),
        ("max(1, 2.0)", "float"),
        ("max(1, 2u)", "uint"),
        ("abs(i8)", "int8_t"),
        ("pow(2, 3)", "float"),
        ("sign(2.0)", "int"),
        ("min(h, 1.0)", "float"),
        ("lerp(0, 1, h)", "half"),
        ("max(v, 1)", "float3"),
        ("dot(v, v)", "float"),
        ("length(hv)", "half"),
        ("cross(v, v)", "float3"),
        ("mul(m, m)", "float2x2"),
        ("select(v < 1, v, v)", "float3"),
        ("asuint(v)", "uint3"),
        ("float3(1, v.xy)", "float3"),
        ("(int)x", "int"),
        ("diffPair(x).d", "float"),
        ("fwd_diff(sin)(diffPair(x, x)).p", "float"),
        ("transpose(m)", "float2x2"),
        ("determinant(m)", "float"),
    ] {
        assert_eq!(type_of(e), ty, "{e}");
    }
}

#[test]
fn programs_that_are_right() {
    accepts(
        "struct S : IDifferentiable { float a; int n; }; void f() { S s = { 1.0, 2 }; S.Differential d; d.a = 1; }",
    );
    accepts("float f(float4 v) { v.xy = v.zw; v.w += 1; return v.x; }");
    accepts(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; if (i > 7) break; s += i; } return s; }",
    );
    accepts(
        "int f(int n) { switch (n) { case 0: return 1; case 1: case 2: n++; default: n = 3; } do { n--; } while (n > 0); return n; }",
    );
    accepts(
        "static const float k[3] = { 1, 2, 3 }; static const int N = 2 * 2; float f(int i) { float a[N] = { k[0] }; return a[i] + k[i]; }",
    );
    accepts(
        "float sq(float x) { return x * x; } void g(inout float a, out float b) { b = a; a = sq(a); } float f() { float x = 1, y; g(x, y); float3 v; g(v.x, v[1]); return x + y; }",
    );
    accepts(
        "struct V { float x; __init(float a) { x = a; } [mutating] void add(float d) { this.x += d; } static V zero() { return V(0); } float get() { return x; } }; float f() { V v = V.zero(); v.add(2); return v.get() + V(3).get(); }",
    );
    accepts(
        "T twice<T : __BuiltinFloatingPointType>(T x) { return x + x; } float f() { return twice(2.0) + twice<float>(1.0); }",
    );
    accepts(
        "struct Two<T, let N : int> { T a[N]; T first() { return a[0]; } }; float f() { Two<float, 3> t; t.a[1] = 2; return t.first(); }",
    );
    accepts(
        "RWStructuredBuffer<float3x3> b; StructuredBuffer<int> c; void f(uint i) { b[i][0].x += 1; b[1]._m11 = c[i] * 2.0; uint n, s; b.GetDimensions(n, s); }",
    );
    accepts("namespace a.b { static const int k = 3; int f() { return k; } } int g() { return a::b::f() + a.b.k; }");
    accepts(
        "cbuffer C { float x; float3 v; }; uniform int u; struct P { float q; }; ConstantBuffer<P> p; float f() { return x + v.y + u + p.q; }",
    );
    accepts(
        "[Differentiable] float f(float x) { return x * x; } float g() { var p = diffPair(2.0); bwd_diff(f)(p, 1.0); return fwd_diff(fwd_diff(f))(diffPair(diffPair(1.0, 1.0), diffPair(1.0, 0.0))).d.d + p.d; }",
    );
    accepts("float f(float x) { return x; } float f(int x) { return 1; } float g() { return f(1) + f(2.0) + f(3u); }");
    accepts("typedef float real; typealias R3 = vector<real, 3>; real f(R3 v) { return (real)-v.x + real(2); }");
    accepts("float later() { return other(1); } float other(float x) { return x; }");
    accepts("float f(float x); float g() { return f(1); } float f(float x) { return x; }");
    accepts("int f(int a, int b = 2) { return a + b; } int g() { return f(1) + f(1, 3); }");
    accepts("int f() { const int n = 3; int a[n]; a[0] = 1; return a[0]; }");
    accepts("float f(bool2 b) { float2 r = b ? float2(1, 2) : 3; return r.x; }");
}

#[test]
fn wrong_names_types_and_places() {
    finds("float f() { return y; }", &["1:20 E0201"]);
    finds("float f(float value) { return valeu; }", &["1:31 E0201"]);
    assert!(run("float f(float value) { return valeu; }").diagnostics[0].notes[0].contains("`value`"));
    finds("float f(float3 v) { return v; }", &["1:28 E0203"]);
    finds("void f() { float3 a = float4(1, 2, 3, 4); }", &["1:23 E0203"]);
    finds("void f() { float2 a = float3(1, 2); }", &["1:23 E0204"]);
    finds("float g(float x) { return x; } float f() { return g(1, 2); }", &["1:51 E0204"]);
    finds("float g(float3 x) { return x.x; } float f() { return g(float2(1, 2)); }", &["1:56 E0203"]);
    finds("void f() { int a[3]; a[3] = 1; a[-1] = 2; }", &["1:24 E0216", "1:34 E0216"]);
    finds("void f() { const int a = 1; a = 2; let b = 3; b++; 3 = 4; }", &["1:29 E0218", "1:47 E0218", "1:52 E0218"]);
    finds("struct S { int a; void f() { a = 1; } };", &["1:30 E0218"]);
    finds("struct S { int a; }; void f(S s) { s.b = 1; }", &["1:38 E0217"]);
    finds("float f(float x, float x) { return x; }", &["1:24 E0205"]);
    finds("void f() { break; continue; }", &["1:12 E0243", "1:19 E0243"]);
    finds("int f() { return; } void g() { return 1; }", &["1:11 E0244", "1:39 E0244"]);
    finds("float f(float x) { return x; } int f(float y) { return 1; }", &["1:36 E0205"]);
    finds("void g(inout float x) {} void f() { g(1.0); }", &["1:39 E0218"]);
    finds("StructuredBuffer<float> b; void f() { b[0] = 1; }", &["1:39 E0218"]);
    finds("struct A { B b; }; struct B { A a; };", &["1:27 E0209"]);
    finds("static const int a = b; static const int b = a;", &["1:18 E0209"]);
    finds("void f(float2 a, float3 b) { a + b; a & 1; }", &["1:30 E0212", "1:37 E0212"]);
    finds("void f() { int x = 1; { int x = 2; } int x = 3; }", &["1:42 E0205"]);
    finds("void f(int n) { int a[n]; }", &["1:23 E0261"]);
    finds("void f(float3 v) { if (v) {} }", &["1:24 E0203"]);
    finds("int f(int n) { switch (n) { case 1: case 1: return 1; } return n; }", &["1:42 E0242"]);
    finds("void f() { int x = 1 / 0; }", &["1:20 E0240"]);
    finds("int i = 3;", &["1:9 W0206"]);
    finds("uniform int i = 3;", &["1:17 E0206"]);
    finds("static_assert(1 > 2, \"no\");", &["1:15 E0260"]);
}

#[test]
fn lossy_conversions_are_warned_about() {
    finds("int f(float x) { int i = x; half h = 1.5; return i; }", &["1:26 W0211"]);
    finds("int f() { int i = 1.5; int j = 2.0; return i + j; }", &["1:19 W0211"]);
    finds("float f(bool c) { if (c) return 1; }", &["1:36 W0241"]);
}

#[test]
fn lost_derivatives() {
    finds("float g(float x) { return x; }\n[Differentiable] float f(float x) { return g(x); }", &["2:44 E0311"]);
    accepts("float g(float x) { return x; } [Differentiable] float f(float x) { return no_diff g(x) + g(2.0) + x; }");
    accepts("int g(float x) { return (int)x; } [Differentiable] float f(float x) { return x * g(x); }");
    finds(
        "struct M : IDifferentiable { no_diff float m; float n; };\n[Differentiable] float f(float x) { M t; t.m = x * x; t.n = x; return t.m; }",
        &["2:48 E0310"],
    );
    accepts(
        "struct M : IDifferentiable { no_diff float m; }; [Differentiable] float f(float x) { M t; t.m = detach(x * x); return t.m + x; }",
    );
    finds("struct M { float a; float b; };\n[Differentiable] void f(inout M m, float x) { m.a = x; }", &["1:8 E0310"]);
    accepts("[Differentiable] float f(float x) { let y = x * x; let z = dot(y.xx, y.xx); return z; }");
    finds("RWStructuredBuffer<float> b;\n[Differentiable] void f(float x) { b[0] = x; }", &["2:43 E0310"]);
    accepts("RWStructuredBuffer<float> b; [Differentiable] float f(float x) { b[0] = detach(x); return x * b[1]; }");
}

#[test]
fn wrong_uses_of_derivatives() {
    finds("float g(float x) { return x; }\nvoid f() { var p = diffPair(1.0); bwd_diff(g)(p, 1.0); }", &["2:35 E0302"]);
    finds(
        "[ForwardDifferentiable] float g(float x) { return x; }\nvoid f() { var p = diffPair(1.0); bwd_diff(g)(p, 1.0); }",
        &["2:35 E0302"],
    );
    finds("[Differentiable] float g(float x) { return x; }\nvoid f() { fwd_diff(g)(1.0); }", &["2:24 E0203"]);
    finds(
        "[Differentiable] float g(float x) { return x; }\nvoid f() { bwd_diff(g)(diffPair(1.0), 1.0); }",
        &["2:24 E0218"],
    );
    finds("DifferentialPair<int> f();", &["1:1 E0301"]);
    finds("struct S { float x; }; void f() { S.Differential d; }", &["1:35 E0301"]);
    accepts(
        "struct T : IDifferentiable { float a; int b; }; struct ND { float x; };\n\
         [Differentiable] T g(T p0, out T p1, inout T p2, no_diff ND p3, out ND p4, inout ND p5) { p1 = p0; p4 = p3; return p2; }\n\
         void f() { var a = diffPair(T(1, 2)); T.Differential d = {}; var c = diffPair(T(3, 4)); ND n = {}; bwd_diff(g)(a, d, c, n, n, d); }",
    );
}

#[test]
fn what_is_missing_is_said_so() {
    let all = found("class C { int a; }; void f() { C c; }");
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(all[0].starts_with("t.slang:1:32: error[E0900]"), "{}", all[0]);
}

#[test]
fn the_prelude_is_right_as_a_whole() {
    // Every builtin can be parsed and checked; instances force their bodies to be checked.
    let mut prelude = crate::prelude::Prelude::default();
    let mut map = crate::source::SourceMap::with(crate::prelude::sources());
    let names: Vec<_> = prelude.names().collect();
    assert!(names.len() > 80);
    for name in names {
        let (decls, errors) = prelude.take(name, &mut map);
        assert!(errors.is_empty() && !decls.is_empty(), "{name}: {errors:?}");
    }
}

#[test]
fn every_body_of_the_prelude_checks() {
    let mut sources = crate::source::SourceMap::with(crate::prelude::sources());
    let mut prelude = crate::prelude::Prelude::default();
    let names: Vec<_> = prelude.names().collect();
    let mut checker = super::Checker::new(&mut sources, &mut prelude);
    for name in names {
        checker.load_prelude(name);
    }
    checker.ensure_extensions();
    for i in 0..checker.funcs.len() {
        checker.ensure_signature(super::FuncId(i as u32));
    }
    for i in 0..checker.funcs.len() {
        checker.need_body(super::FuncId(i as u32));
    }
    checker.check_pending();
    let found: Vec<String> = checker.diags.iter().map(|d| d.to_string()).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(checker.funcs.iter().filter(|f| f.body.is_some()).count() > 150);
}
