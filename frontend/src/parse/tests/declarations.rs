//! Tests of the nodes that declarations and statements become.

use super::*;

/// The only declaration of `text`, which has no errors.
fn decl(text: &str) -> Arc<Decl> {
    let (mut decls, errors) = parse(text);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    assert_eq!(decls.len(), 1, "{text}");
    decls.remove(0)
}

macro_rules! expect {
    ($decl:expr, $kind:ident) => {
        match $decl.kind {
            DeclKind::$kind(d) => d,
            other => panic!("{other:?}"),
        }
    };
}

fn list(items: &[Expr]) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show_generics(params: &[GenericParam]) -> String {
    let one = |p: &GenericParam| {
        let word = if p.is_value { "let " } else { "" };
        let each = if p.variadic { "each " } else { "" };
        let bounds = if p.bounds.is_empty() { String::new() } else { format!(" : {}", list(&p.bounds)) };
        let default = p.default.as_ref().map_or(String::new(), |d| format!(" = {}", show(d)));
        format!("{word}{each}{}{bounds}{default}", p.name.name)
    };
    params.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn show_constraints(constraints: &[Constraint]) -> String {
    let one = |c: &Constraint| match &c.kind {
        ConstraintKind::Conforms { subject, bounds, optional } => {
            format!("{}{} : {}", if *optional { "optional " } else { "" }, show(subject), list(bounds))
        }
        ConstraintKind::Counts { pack, count: Some(n) } => format!("countof({}) == {}", pack.name, show(n)),
        ConstraintKind::Counts { pack, count: None } => format!("nonempty({})", pack.name),
        ConstraintKind::Equals(a, b) => format!("{} == {}", show(a), show(b)),
        ConstraintKind::Converts { to, from, implicit } => {
            format!("{}({}){}", show(to), show(from), if *implicit { " implicit" } else { "" })
        }
    };
    constraints.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn func(text: &str) -> FuncDecl {
    expect!(Arc::unwrap_or_clone(decl(text)), Func)
}

/// The statements of a function with this body.
fn body(text: &str) -> Vec<Stmt> {
    func(&format!("void f() {{ {text} }}")).body.unwrap_or_default()
}

fn names(members: &[Arc<Decl>]) -> String {
    let one =
        |d: &Arc<Decl>| format!("{} {}", d.kind.words(), d.name().map_or("-".to_string(), |n| n.name.to_string()));
    members.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[test]
fn generic_parameters_of_every_kind() {
    let f = func("void f<T, U : I & J, let N : int, let M : uint = 4, int K, each P, each Q : I, V = float>(T x) {}");
    assert_eq!(
        show_generics(&f.generics),
        "T; U : I, J; let N : int; let M : uint = 4; let K : int; each P; each Q : I; V = float"
    );
    let f = func("__generic<T : I, let N : int = 2 * 3 + 1> T f<typename U>(T x);");
    assert_eq!(show_generics(&f.generics), "T : I; let N : int = ((2 * 3) + 1); U");
    let s = expect!(Arc::unwrap_or_clone(decl("__generic<T> struct S<U> {}")), Struct);
    assert_eq!(show_generics(&s.generics), "T; U");
    let e = expect!(Arc::unwrap_or_clone(decl("__generic<T> extension S<T> : I {}")), Extension);
    assert_eq!(show_generics(&e.generics), "T");
}

#[test]
fn where_clauses_of_every_kind() {
    let f = func(
        "T f<T, U>(T x) where T : I, J where U == T.D, T.E : K & L where optional T : M where T(U) implicit \
         where int(T) where countof(T) == N { return x; }",
    );
    assert_eq!(
        show_constraints(&f.constraints),
        "T : I, J; U == T.D; T.E : K, L; optional T : M; T(U) implicit; int(T); countof(T) == N"
    );
    let text = "where T : I";
    let all = [
        format!("struct S<T> {text} {{}}"),
        format!("interface S<T> {text} {{}}"),
        format!("extension<T> S<T> : J {text} {{}}"),
        format!("typealias S<T> {text} = T;"),
        format!("associatedtype S : J {text};"),
        format!("__subscript<T>(T i) -> int {text} {{ get; }}"),
        format!("__init<T>(T i) {text} {{}}"),
        format!("func f<T>(i : T) -> T {text} {{}}"),
    ];
    for text in &all {
        let constraints = match Arc::unwrap_or_clone(decl(text)).kind {
            DeclKind::Struct(d) => d.constraints,
            DeclKind::Interface(d) => d.constraints,
            DeclKind::Extension(d) => d.constraints,
            DeclKind::Typedef { constraints, .. } => constraints,
            DeclKind::AssocType(d) => d.constraints,
            DeclKind::Subscript(d) => d.constraints,
            DeclKind::Func(d) => d.constraints,
            _ => Vec::new(),
        };
        assert_eq!(show_constraints(&constraints), "T : I", "{text}");
    }
}

#[test]
fn interfaces_and_extensions() {
    let d = decl(
        "[anyValueSize(16)] public interface I<T : K> : J, L<T> {
            associatedtype A : IDifferentiable & K = float; static const int size; property float p { get; set; }
            __subscript(int i) -> T { get; } __init(T x); static This make(); This operator+(This other);
            [Differentiable] T f(no_diff T x) { return x; } typealias B = int; func g() -> A; }",
    );
    assert!(d.mods.attr("anyValueSize").is_some() && d.mods.has("public"));
    let i = expect!(Arc::unwrap_or_clone(d), Interface);
    assert_eq!((list(&i.bases).as_str(), show_generics(&i.generics).as_str()), ("J, L<T>", "T : K"));
    assert_eq!(
        names(&i.members),
        "an associated type A; a variable size; a property p; a subscript -; a function __init; a function make; \
         a function operator+; a function f; a type alias B; a function g"
    );
    let DeclKind::AssocType(a) = &i.members[0].kind else { panic!("{:?}", i.members[0]) };
    assert_eq!(
        (list(&a.bounds).as_str(), a.default.as_ref().map(show).as_deref()),
        ("IDifferentiable, K", Some("float"))
    );
    let e =
        expect!(Arc::unwrap_or_clone(decl("extension<T : I, let N : int> Foo<T, N> : J, K { int f(); }")), Extension);
    assert_eq!((show(&e.target).as_str(), list(&e.bases).as_str(), e.members.len()), ("Foo<T, N>", "J, K", 1));
}

#[test]
fn structs_links_and_enums() {
    let s = expect!(Arc::unwrap_or_clone(decl("export struct S<T> : Base<T>, I { T x; static int n; }")), Struct);
    assert_eq!((list(&s.bases).as_str(), s.has_body, s.link.is_none()), ("Base<T>, I", true, true));
    let s = expect!(Arc::unwrap_or_clone(decl("extern struct S : I = D<int>;")), Struct);
    assert_eq!((s.has_body, s.link.as_ref().map(show).as_deref()), (false, Some("D<int>")));
    let s = expect!(Arc::unwrap_or_clone(decl("extern struct S : I;")), Struct);
    assert!(!s.has_body && s.link.is_none());
    let e = decl("[Flags] enum class E : uint { [A] X = 1 << 2, Y, }");
    assert!(e.mods.attr("Flags").is_some());
    let e = expect!(Arc::unwrap_or_clone(e), Enum);
    assert!(e.is_class && e.base.is_some() && e.cases.len() == 2 && e.cases[0].attrs.len() == 1);
    assert_eq!(e.cases[0].value.as_ref().map(show).as_deref(), Some("(1 << 2)"));
}

#[test]
fn properties_and_subscripts() {
    let show_accessors = |list: &[Accessor]| {
        let one = |a: &Accessor| {
            let words: String = a.mods.attrs.iter().map(|w| format!("[{}] ", w.name.name)).collect();
            let param = a.param.as_ref().map_or(String::new(), |(name, ty)| {
                format!("({}{})", ty.as_ref().map_or(String::new(), |t| show(t) + " "), name.name)
            });
            format!("{words}{:?}{param}{}", a.kind, if a.body.is_some() { " {}" } else { "" })
        };
        list.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    for (text, expected) in [
        ("property p : T { get { return 1; } [nonmutating] set(v) { } }", "Get {}; [nonmutating] Set(v) {}"),
        ("property T p { get; set(T v); ref { } }", "Get; Set(T v); Modify {}"),
        ("property T p { set(v : T) { } modify { } }", "Set(T v) {}; Modify {}"),
        ("property p : T;", "Get"),
    ] {
        let p = expect!(Arc::unwrap_or_clone(decl(text)), Property);
        assert_eq!((show(&p.ty).as_str(), show_accessors(&p.accessors).as_str()), ("T", expected), "{text}");
    }
    let s = expect!(Arc::unwrap_or_clone(decl("__subscript(int i, uint j) -> T { get { } set; }")), Subscript);
    assert_eq!(
        (show_params(&s.params).as_str(), show_accessors(&s.accessors).as_str()),
        ("int i, uint j", "Get {}; Set")
    );
    let s = expect!(Arc::unwrap_or_clone(decl("__subscript(int i) -> T;")), Subscript);
    assert_eq!(show_accessors(&s.accessors), "Get");
}

#[test]
fn functions_and_operators() {
    let f = func("V operator + (V a, V b) { return a; }");
    assert_eq!((f.name.name.to_string().as_str(), f.kind), ("operator+", FuncKind::Operator));
    let f = func("float operator()(float x);");
    assert_eq!(f.name.name.to_string(), "operator()");
    assert!(decl("__postfix V operator++(V a);").mods.has("__postfix"));
    assert!(decl("__prefix V operator++(V a);").mods.has("__prefix"));
    let f = func("func g(x : inout float, y : no_diff int = 3) throws E -> T { }");
    assert_eq!(show_params(&f.params), "inout float x, no_diff int y");
    assert_eq!((f.throws.as_ref().map(show).as_deref(), f.ret.as_ref().map(show).as_deref()), (Some("E"), Some("T")));
    let f = func("void f(expand each T args, functype(int, inout float) -> void g, some I a, dyn J b, T* d);");
    assert_eq!(
        show_params(&f.params),
        "(expand (each T)) args, functype(int, inout float) -> void g, some I a, dyn J b, T* d"
    );
    for word in ["inline", "internal", "constexpr", "constref", "in", "__constref"] {
        assert!(decl(&format!("{word} int x;")).mods.has(word), "{word}");
    }
}

#[test]
fn modules() {
    let import = |text: &str| match Arc::unwrap_or_clone(decl(text)) {
        Decl { kind: DeclKind::Import { kind, path }, mods, .. } => {
            (kind, path.text.name.to_string(), path.quoted, mods.has("__exported"))
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(import("import a.b-c;"), (ImportKind::Import, "a.b-c".to_string(), false, false));
    assert_eq!(import("__exported import \"x/y.slang\";"), (ImportKind::Import, "x/y.slang".to_string(), true, true));
    assert_eq!(import("__include p;"), (ImportKind::Include, "p".to_string(), false, false));
    assert_eq!(import("implementing m;"), (ImportKind::Implementing, "m".to_string(), false, false));
    let m = expect!(Arc::unwrap_or_clone(decl("module m;")), Module);
    assert_eq!(m.text.name.to_string(), "m");
    let u = expect!(Arc::unwrap_or_clone(decl("using namespace a::b;")), Using);
    assert_eq!(show(&u), "a.b");
    let t = expect!(Arc::unwrap_or_clone(decl("type_param T : I = D;")), TypeParam);
    assert_eq!((list(&t.bounds).as_str(), t.default.is_some()), ("I", true));
}

#[test]
fn expressions_with_types() {
    assert_eq!(expr("a + b is T<int> && c"), "(((a + b) is T<int>) && c)");
    assert_eq!(expr("a as T"), "(a as T)");
    assert_eq!(expr("a == b as T"), "(a == (b as T))");
    assert_eq!(expr("expand f(each a) + 1"), "(expand (f((each a)) + 1))");
    assert_eq!(expr("f(expand each a, b)"), "f((expand (each a)), b)");
    assert_eq!(expr("f<expand Ptr<each T>>(b)"), "f<(expand Ptr<(each T)>)>(b)");
    assert_eq!(expr("sizeof(T*) + alignof(float[3])"), "(sizeof(T*) + alignof(float[3]))");
    assert_eq!(expr("countof(x.y)"), "countof(x.y)");
    assert_eq!(expr("(int x, inout float y) => x + 1"), "(int x, inout float y) => (x + 1)");
    assert_eq!(expr("f((x : int) => { return x; }, () => 2)"), "f((int x) => {1}, () => 2)");
    assert_eq!(expr("p->q.r"), "(*p).q.r");
    assert_eq!(expr("&a[1]"), "(&a[1])");
    assert_eq!(expr("try f(1) + 2"), "((try f(1)) + 2)");
    assert_eq!(expr("{1, {2, 3}, {},}"), "{1, {2, 3}, {}}");
    assert_eq!(expr("\"a\" \"b\\n\""), "\"ab\\n\"");
    assert_eq!(expr("(a, b).x"), "[(a, b)].x");
    assert_eq!(expr("expand + each"), "(expand + each)");
}

#[test]
fn statements() {
    let words = |text: &str| body(text).iter().map(|s| s.kind.words()).collect::<Vec<_>>().join("; ");
    assert_eq!(
        words("defer f(); discard; throw E.A; a: for (;;) break a; { break; } [branch] if (x) { } using namespace n;"),
        "`defer`; `discard`; `throw`; a labelled statement; a block; a statement with attributes; a declaration"
    );
    let s = body("if (let x = f() as T) { } else if (var y = g()) ;");
    let StmtKind::If { cond, other: Some(other), .. } = &s[0].kind else { panic!("{s:?}") };
    assert_eq!(show(cond), "let x = (f() as T)");
    assert!(matches!(&other.kind, StmtKind::If { cond, .. } if show(cond) == "var y = g()"));
    let s = body("__target_switch { case cuda: case cpp: f(); break; default: return; }");
    let StmtKind::TargetSwitch { by_stage: false, body: inner } = &s[0].kind else { panic!("{s:?}") };
    assert_eq!(inner.iter().filter(|s| matches!(s.kind, StmtKind::Case(_) | StmtKind::Default)).count(), 3);
    let s = body("$for (i in Range(1, n + 2)) { } $for (j in Range(4)) ;");
    assert!(
        matches!(&s[0].kind, StmtKind::CompileFor { from: Some(a), to, .. } if show(a) == "1" && show(to) == "(n + 2)")
    );
    assert!(matches!(&s[1].kind, StmtKind::CompileFor { from: None, .. }));
    let s = body("do { throw 1; } catch (e : E) { f(); } do f(); while (x); do { } catch { }");
    assert!(
        matches!(&s[0].kind, StmtKind::DoCatch { body, param: Some(_), handler } if body.len() + handler.len() == 2)
    );
    assert!(matches!(&s[1].kind, StmtKind::DoWhile { .. }));
    assert!(matches!(&s[2].kind, StmtKind::DoCatch { param: None, .. }));
    let s = body("int a[x.y<3 ? 4 : 5], b[2][3];");
    let StmtKind::Decl(decls) = &s[0].kind else { panic!("{s:?}") };
    let DeclKind::Var(v) = &decls[0].kind else { panic!("{decls:?}") };
    assert_eq!(v.ty.as_ref().map(show).as_deref(), Some("int[((x.y < 3) ? 4 : 5)]"));
}
