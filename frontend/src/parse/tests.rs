//! Tests of the syntax: which texts parse, how expressions group, and which errors other texts
//! give.

use super::*;
use crate::ast::*;

fn parse(text: &str) -> (Vec<Arc<Decl>>, Vec<Diagnostic>) {
    let mut map = crate::source::SourceMap::default();
    let file = map.add_file("t.slang", text.into());
    let base = map.add_verbatim(file, 0, text.len());
    let mut types = TypeNames::default();
    types.add(text);
    let parsed = parse_file(text, base, &types, &|span| map.shown(span));
    (parsed.decls, parsed.errors)
}

fn errors(text: &str) -> Vec<String> {
    parse(text).1.iter().map(|d| d.to_string()).collect()
}

/// An expression as text, with parentheses around every group.
fn show(e: &Expr) -> String {
    let list = |items: &[Expr]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    let generic = |args: &Option<Vec<Expr>>| args.as_ref().map_or(String::new(), |a| format!("<{}>", list(a)));
    match &e.kind {
        ExprKind::Int { value, suffix, .. } => format!("{value}{suffix}"),
        ExprKind::Float { value, suffix } => format!("{:?}{suffix}", value.double),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Str(s) => format!("{s:?}"),
        ExprKind::Rooted(inner) => format!("::{}", show(inner)),
        ExprKind::Name { name, args } => format!("{}{}", name.name, generic(args)),
        ExprKind::Member { base, name, args } => format!("{}.{}{}", show(base), name.name, generic(args)),
        ExprKind::Index { base, args } => format!("{}[{}]", show(base), list(args)),
        ExprKind::Call { callee, args } => format!("{}({})", show(callee), list(args)),
        ExprKind::Unary { op, arg } => {
            let op = match op {
                UnOp::Plus => "+",
                UnOp::Neg => "-",
                UnOp::Not => "!",
                UnOp::BitNot => "~",
                UnOp::Deref => "*",
                UnOp::AddrOf => "&",
            };
            format!("({op}{})", show(arg))
        }
        ExprKind::IncDec { inc, prefix, arg } => {
            let op = if *inc { "++" } else { "--" };
            if *prefix { format!("({op}{})", show(arg)) } else { format!("({}{op})", show(arg)) }
        }
        ExprKind::Binary { op, lhs, rhs, .. } => format!("({} {} {})", show(lhs), op.text(), show(rhs)),
        ExprKind::Assign { op, lhs, rhs } => {
            format!("({} {}= {})", show(lhs), op.map_or("", BinOp::text), show(rhs))
        }
        ExprKind::Ternary { cond, then, other } => format!("({} ? {} : {})", show(cond), show(then), show(other)),
        ExprKind::Comma(parts) => format!("({})", list(parts)),
        ExprKind::Tuple(parts) => format!("(tuple {})", list(parts)),
        ExprKind::Cast { ty, arg } => format!("cast<{}>{}", show(ty), show(arg)),
        ExprKind::Paren(inner) => format!("[{}]", show(inner)),
        ExprKind::Init(parts) => format!("{{{}}}", list(parts)),
        ExprKind::NoDiff(arg) => format!("no_diff {}", show(arg)),
        ExprKind::ArrayType { elem, size } => {
            format!("{}[{}]", show(elem), size.as_ref().map_or(String::new(), |s| show(s)))
        }
        ExprKind::Modified { ty, .. } => format!("no_diff {}", show(ty)),
        ExprKind::Layout { row_major, ty } => {
            format!("{} {}", if *row_major { "row_major" } else { "column_major" }, show(ty))
        }
        ExprKind::PointerType(t) => format!("{}*", show(t)),
        ExprKind::SomeType(t) => format!("some {}", show(t)),
        ExprKind::DynType(t) => format!("dyn {}", show(t)),
        ExprKind::FuncType { params, ret } => format!("functype({}) -> {}", show_params(params), show(ret)),
        ExprKind::Expand(e) => format!("(expand {})", show(e)),
        ExprKind::Each(e) => format!("(each {})", show(e)),
        ExprKind::Is { value, ty } => format!("({} is {})", show(value), show(ty)),
        ExprKind::As { value, ty } => format!("({} as {})", show(value), show(ty)),
        ExprKind::Let { name, is_let, value } => {
            format!("{} {} = {}", if *is_let { "let" } else { "var" }, name.name, show(value))
        }
        ExprKind::Lambda(l) => match &l.body {
            LambdaBody::Expr(e) => format!("({}) => {}", show_params(&l.params), show(e)),
            LambdaBody::Block { stmts, .. } => format!("({}) => {{{}}}", show_params(&l.params), stmts.len()),
        },
        ExprKind::Try(e) => format!("(try {})", show(e)),
        ExprKind::Assembly(_) => "<`spirv_asm`>".to_string(),
        ExprKind::TargetCode(what) | ExprKind::Unsupported(what) => format!("<{what}>"),
    }
}

fn show_params(params: &[Param]) -> String {
    let one = |p: &Param| {
        let words = p.mods.words.iter().map(|w| w.name.to_string());
        let name = p.name.map(|n| n.name.to_string());
        words.chain([show(&p.ty)]).chain(name).collect::<Vec<_>>().join(" ")
    };
    params.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn expr(text: &str) -> String {
    let (decls, errors) = parse(&format!("struct T {{}}; void f() {{ x = {text}; }}"));
    assert!(errors.is_empty(), "{text}: {errors:?}");
    for d in &decls {
        if let DeclKind::Func(f) = &d.kind
            && let Some([stmt]) = f.body.as_deref()
            && let StmtKind::Expr(Expr { kind: ExprKind::Assign { rhs, .. }, .. }) = &stmt.kind
        {
            return show(rhs);
        }
    }
    format!("no expression in {decls:?}")
}

#[test]
fn operators_group_by_precedence() {
    assert_eq!(expr("a + b * c - d"), "((a + (b * c)) - d)");
    assert_eq!(expr("a || b && c == d"), "(a || (b && (c == d)))");
    assert_eq!(expr("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
    assert_eq!(expr("b = c += d"), "(b = (c += d))");
    assert_eq!(expr("a << b + c & d"), "((a << (b + c)) & d)");
    assert_eq!(expr("-a.b[i]++"), "(-(a.b[i]++))");
    assert_eq!(expr("a - -b - --c"), "((a - (-b)) - (--c))");
    assert_eq!(expr("!a && ~b != 0"), "((!a) && ((~b) != 0))");
}

#[test]
fn casts_and_parentheses() {
    assert_eq!(expr("(float)y"), "cast<float>y");
    assert_eq!(expr("(float)-y"), "cast<float>(-y)");
    assert_eq!(expr("(T)-y * z"), "(cast<T>(-y) * z)");
    assert_eq!(expr("a + (T)-y"), "(a + cast<T>(-y))");
    assert_eq!(expr("(y)-z"), "([y] - z)");
    assert_eq!(expr("(y) * z"), "([y] * z)");
    assert_eq!(expr("(y)(z)"), "cast<y>[z]");
    assert_eq!(expr("(float[3])y"), "cast<float[3]>y");
    assert_eq!(expr("(a.b + c) * d"), "([(a.b + c)] * d)");
    assert_eq!(expr("(a) != b"), "([a] != b)");
    assert_eq!(expr("(a) && b"), "([a] && b)");
    assert_eq!(expr("(S){1, {2}}"), "cast<S>{1, {2}}");
}

#[test]
fn generic_application_or_comparison() {
    assert_eq!(expr("f<A, B>(c)"), "f<A, B>(c)");
    assert_eq!(expr("a < b"), "(a < b)");
    assert_eq!(expr("a < b && c > d"), "((a < b) && (c > d))");
    assert_eq!(expr("g(a < b, c > d)"), "g((a < b), (c > d))");
    assert_eq!(expr("f<vector<float, 3>>(c)"), "f<vector<float, 3>>(c)");
    assert_eq!(expr("a < b + c[i < 3]"), "(a < (b + c[(i < 3)]))");
    assert_eq!(expr("bwd_diff(f<N + 1>)(a)"), "bwd_diff(f<(N + 1)>)(a)");
    assert_eq!(expr("Foo<int>.make().x"), "Foo<int>.make().x");
    assert_eq!(expr("a < b > c"), "((a < b) > c)");
}

#[test]
fn literals() {
    assert_eq!(expr("1.5f + .5 + 1. + 1e3 + 2.0h"), "((((1.5f + 0.5) + 1.0) + 1000.0) + 2.0h)");
    assert_eq!(expr("0x1Fu + 0b11 + 10ull"), "((31u + 3) + 10ull)");
    assert_eq!(expr("2.0.xxx + 1.x"), "(2.0.xxx + 1.x)");
    assert_eq!(expr("0x1e5"), "485");
}

#[test]
fn the_whole_language_parses() {
    let text = r#"
        module m;
        import a.b;
        __include "file";
        interface I<T> : J where T : K { associatedtype D : I; [Differentiable] D f(no_diff float x); static int n(); property float p { get; set; } __init(int x); }
        extension<T : I> Foo<T> : I where T.D == float { float g() { return 1; } }
        extension float3 : I {}
        struct Foo<T, let N : int = 4> : I, K { T a[N]; static const int k = 1; __init(T x) { a[0] = x; } property x : T { get { return a[0]; } [nonmutating] set(v) { a[0] = v; } }
            __subscript(int i) -> T { get { return a[i]; } set { a[i] = newValue; } } [mutating] void m() {} typealias D = float; };
        enum E : uint { A = 1, B, C = A + 2, }
        enum class F { X }
        namespace n.k { int f(); }
        using namespace n;
        typedef float real; typealias R3 = vector<real, 3>;
        cbuffer C : register(b0) { float4x4 m; row_major float3x4 n; };
        [[vk::binding(0, 1)]] RWStructuredBuffer<float> b : register(u0);
        type_param TM : I;
        func modern<T>(x : T, y : int = 3) -> T where T : I { return x; }
        T gen<T : I & K, let N : int>(T x, float y[N]) { let z : float = 1; var w = x; return w; }
        __generic<T> T old(T x);
        float3 operator+(V a, V b) { return a; }
        static_assert(1 < 2, "ok");
        groupshared float gs[64];
        uniform float u;
        float f(in out float a, inout float b, out float c : SV_X, const float d = 2, float);
        [shader("compute")] [numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID, uniform float* p) {
            [MaxIters(5)] for (int i = 0, j = 1; i < 3; i++, j--) { if (i == 2) continue; else break; }
            [ForceUnroll] while (true) do { ; } while (x < 3);
            switch (i) { case 0: case 1: f(); break; default: return; }
            int a[3] = { 1, 2, 3 }, k = 4; float3x4 m; m._m01_m11 = v.xy; int[3] z; Foo<int>.D d; A::B c;
            let l = (int x) => x + 1; if (let q = o) {} defer f(); try g(); label: for (;;) { break label; }
            a is B; x = y as Z; p->q = *r; discard;
        }
    "#;
    assert_eq!(errors(text), Vec::<String>::new());
}

#[test]
fn several_errors_are_found_with_their_places() {
    let text = "float f() { return 1 + ; }\nfloat g() {\n  int x = 3\n  int y = 4;\n  y = ;\n  return y;\n}\nstruct { int ; };\n";
    let found = errors(text);
    let places: Vec<&str> = found.iter().filter_map(|e| e.split(": error").next()).collect();
    assert_eq!(places, ["t.slang:1:24", "t.slang:4:3", "t.slang:5:7", "t.slang:8:14"], "{found:#?}");
    assert!(found[0].contains("expected"), "{}", found[0]);
    let (decls, _) = parse(text);
    assert!(decls.iter().filter(|d| matches!(d.kind, DeclKind::Func(_))).count() == 2);
}

#[test]
fn mutated_text_never_panics() {
    let text = "[Differentiable] float f<T : I>(T x, float y[3]) { for (int i = 0; i < 3; i++) { y[i] = (float)x * f<int>(x); } return a < b ? c : d; }";
    let alphabet = ["<", ">", "(", ")", "{", "}", "[", "]", ";", ",", "=", "if", "struct", "\"", "1.", "::", "é", "#"];
    let mut seed = 1u64;
    for _ in 0..400 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let at = (seed >> 33) as usize % text.len();
        let word = alphabet[(seed >> 20) as usize % alphabet.len()];
        let cut = (seed >> 45) as usize % 4;
        let end = (at + cut).min(text.len());
        let mutated = format!("{}{word}{}", &text[..at], &text[end..]);
        crate::compile(&mut crate::MemoryLoader::new("m.slang", &mutated), "m.slang", &crate::Options::default());
    }
}

/// A program of about `lines` lines, made of common declarations and statements.
fn long_program(lines: usize) -> String {
    let mut text = String::new();
    for i in 0..lines / 20 {
        text.push_str(&format!(
            "struct Material{i} : IMaterial\n{{\n    float3 albedo;\n    float roughness = 0.5;\n    [mutating] void set(float r) {{ roughness = clamp(r, 0.0, 1.0); }}\n\
            [Differentiable]\n    float3 eval(float3 n, float3 l, no_diff float3 v)\n    {{\n        let h = normalize(l + v);\n        float d = max(dot(n, h), 0.0f) * roughness / (1.0 + float(i) * 2);\n\
            for (int k = 0; k < 4; k++)\n        {{\n            if (k == 2 && d < 1.0) continue;\n            d += albedo[k % 3] * pow<float>(d, 2.0);\n        }}\n        return (float3)d + albedo * (d > 0.5 ? 1.0 : 0.0);\n    }}\n}}\n\
            float use{i}<T : IMaterial>(T m, float x) {{ return m.eval(float3(x), float3(0, 1, 0), float3(1)).x + vector<float, 2>(x).y; }}\n\n"
        ));
    }
    text
}

/// Run in release:
/// `cargo test --release -p caustic-frontend long_program -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn a_long_program_parses_in_linear_time() {
    let time = |lines: usize| {
        let text = long_program(lines);
        let best = (0..5).map(|_| {
            let start = std::time::Instant::now();
            assert_eq!(errors(&text), Vec::<String>::new());
            start.elapsed()
        });
        best.min().unwrap_or_default()
    };
    let (half, whole) = (time(10_000), time(20_000));
    println!("10,000 lines: {half:?}; 20,000 lines: {whole:?}");
    assert!(whole < half * 3);
}

mod declarations;
