//! Programs that are too large or too deeply nested to be written to a file: they must lead to a
//! diagnostic or a result within a time limit, and never to a crash.
//!
//! A row is a tool, a program as a function, and the expected outcome: the code of a diagnostic, or
//! none. The texts are made when they are run.

use crate::runner::Tool;
use caustic_tool::FileSystem;
use std::io;
use std::time::{Duration, Instant};

/// The expected outcome of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Accepted,
    /// Refused, with this code at any line.
    Refused(&'static str),
    /// Either of the two, as long as the tool ends.
    Ends,
}

use Outcome::{Accepted, Ends, Refused};

/// The name, the tool, the program, and the outcome.
pub type Limit = (&'static str, &'static str, fn() -> String, Outcome);

/// The time limit: far more than any of them needs, even on a busy machine.
const TIME: Duration = Duration::from_secs(60);
const DEEP: usize = 100_000;

/// `before`, then `open` `DEEP` times, `inside`, `close` as many times, `after`.
fn nest(before: &str, open: &str, inside: &str, close: &str, after: &str) -> String {
    format!("{before}{}{inside}{}{after}\n", open.repeat(DEEP), close.repeat(DEEP))
}

fn each(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

const CHECK: &str = "caustic";
const OPT: &str = "caustic-opt";

/// All limits. The test of a limit is `limits/NAME`.
pub const LIMITS: &[Limit] = &[
    ("parentheses", CHECK, || nest("int f() { return ", "(", "1", ")", "; }"), Refused("E0102")),
    ("blocks", CHECK, || nest("void f() { ", "{", "", "}", " }"), Refused("E0102")),
    ("types", CHECK, || nest("", "Optional<", "int", ">", " f() { return none; }"), Refused("E0102")),
    ("ifs", CHECK, || nest("int f(int x) { ", "if (x > 0) ", "return 0;", "", " return 1; }"), Refused("E0102")),
    ("minus", CHECK, || nest("int f(int x) { return ", "- ", "x", "", "; }"), Refused("E0102")),
    ("members", CHECK, || nest("struct A { A* a; } void f(A a) { a", ".a", "", "", "; }"), Refused("E0102")),
    ("lambdas", CHECK, || nest("void f() { let g = ", "(int x) => ", "x", "", "; }"), Refused("E0102")),
    ("initializers", CHECK, || nest("void f() { int x[1] = ", "{", "1", "}", "; }"), Refused("E0102")),
    ("name_spaces", CHECK, || nest("", "namespace n { ", "", "}", ""), Refused("E0102")),
    ("structs", CHECK, || nest("", "struct A { ", "", "};", ""), Refused("E0102")),
    ("calls", CHECK, || nest("int f(int x) { return ", "f(", "x", ")", "; }"), Refused("E0102")),
    ("conditions", CHECK, || nest("#if ", "(", "1", ")", "\n#endif\n"), Ends),
    ("negations", CHECK, || nest("#if ", "!", "1", "", "\n#endif\n"), Ends),
    (
        "undeclared",
        CHECK,
        || each(3000, |i| format!("float f{i}(float x) {{ return name{i}less + x; }}\n")),
        Refused("E0201"),
    ),
    ("open_ifs", CHECK, || "#if 1\n".repeat(DEEP), Refused("E0112")),
    ("sum", CHECK, || format!("int f(int x) {{ return {}x; }}\n", "x + ".repeat(5000)), Accepted),
    ("tokens", CHECK, || format!("void f() {{ {} }}\n", ";".repeat(30_000)), Accepted),
    ("array", CHECK, || "static float a[1099511627776]; float f() { return a[0]; }\n".into(), Refused("E0207")),
    (
        "arrays_of_arrays",
        CHECK,
        || "typedef float A[1 << 28]; typedef A B[1 << 28]; float f(B b) { return b[0][0]; }\n".into(),
        Refused("E0207"),
    ),
    (
        "doubling_structs",
        CHECK,
        || {
            let doubled = each(59, |i| format!("struct A{} {{ A{i} a; A{i} b; }}\n", i + 1));
            format!("struct A0 {{ int x; }}\n{doubled}int f(A59 a) {{ return 0; }}\n")
        },
        Refused("E0207"),
    ),
    (
        "unrolling",
        CHECK,
        || "float f(float x) { [ForceUnroll] for (int i = 0; i < 2147483647; i++) x = x * x; return x; }\n".into(),
        Refused("E0403"),
    ),
    ("copies", CHECK, || "void f() { $for (i in Range(0, 2147483647)) { } }\n".into(), Refused("E0264")),
    ("string", CHECK, || format!("void f() {{ printf(\"{}\"); }}\n", "a".repeat(3_000_000)), Accepted),
    ("number", CHECK, || format!("int f() {{ return {}; }}\n", "1".repeat(1_000_000)), Refused("E0210")),
    ("source", CHECK, || "int f() { return 1; }\n".repeat(1 << 20), Refused("E0111")),
    ("name", CHECK, || format!("int {}() {{ return 1; }}\n", "a".repeat(1_000_000)), Accepted),
    (
        "macros",
        CHECK,
        || format!("{}#define A0 x\nA60\n", each(60, |i| format!("#define A{} A{i} A{i}\n", i + 1))),
        Refused("E0111"),
    ),
    ("macros_of_themselves", CHECK, || "#define A B B\n#define B A A\nint A;\n".into(), Ends),
    (
        "labels",
        CHECK,
        || {
            let cases = each(3000, |i| format!("case {i}: return {};\n", i * 7));
            format!("int f(int x) {{ switch (x) {{ {cases} default: return 1; }} }}\n")
        },
        Ends,
    ),
    (
        "cases_of_an_enum",
        CHECK,
        || format!("enum E {{ {} }};\nint f(E e) {{ return (int)e; }}\n", each(20_000, |i| format!("e{i},\n"))),
        Accepted,
    ),
    (
        "bases",
        CHECK,
        || format!("struct A0 {{ int x; }}\n{}", each(300, |i| format!("struct A{} : A{i} {{ }}\n", i + 1))),
        Ends,
    ),
    ("elements_of_a_tuple", CHECK, || format!("void f(Tuple<{}int> x) {{ }}\n", "int, ".repeat(3000)), Ends),
    (
        "growing_types",
        CHECK,
        || "struct P<T> { T a; } int f<T>(T x) { P<T> p; p.a = x; return f(p); } int g() { return f(1); }\n".into(),
        Refused("E0231"),
    ),
    (
        "counting",
        CHECK,
        || "int f<let N : int>() { return f<N + 1>(); } int g() { return f<0>(); }\n".into(),
        Refused("E0231"),
    ),
    ("errors", CHECK, || each(500, |i| format!("x{i} y{i} = z{i};\n")), Refused("E0201")),
    ("unclosed_comments", CHECK, || "/*".repeat(DEEP), Refused("E0103")),
    (
        "ir_regions",
        OPT,
        || nest("func.func @f(%c: i1) {\n", "scf.if %c {\n", "", "}\n", "func.return\n}"),
        Refused("E9001"),
    ),
    ("ir_types", OPT, || nest("func.func @f(%c: ", "tuple<", "i1", ">", ") {\nfunc.return\n}"), Refused("E9001")),
    (
        "ir_arrays",
        OPT,
        || nest("func.func @f(%c: ", "!agg.array<2, ", "i1", ">", ") {\nfunc.return\n}"),
        Refused("E9001"),
    ),
    (
        "ir_attributes",
        OPT,
        || nest("func.func @f() attributes {a = ", "[", "", "]", "} {\nfunc.return\n}"),
        Refused("E9001"),
    ),
    (
        "ir_dense",
        OPT,
        || nest("func.func @f() attributes {a = dense<", "[", "1", "]", "> : vector<1xi32>} {\nfunc.return\n}"),
        Refused("E9001"),
    ),
    (
        "ir_locations",
        OPT,
        || nest("func.func @f() {\nfunc.return loc(", "fused[", "\"a\"", "]", ")\n}"),
        Refused("E9001"),
    ),
    ("ir_modules", OPT, || nest("", "builtin.module {\n", "", "}\n", ""), Refused("E9001")),
    (
        "ir_aliases",
        OPT,
        || {
            format!(
                "!A0 = f32\n{}func.func @f(%x: !A60) {{ func.return }}\n",
                each(60, |i| format!("!A{} = !agg.struct<\"S{i}\", 0, [[\"a\", !A{i}], [\"b\", !A{i}]]>\n", i + 1))
            )
        },
        Ends,
    ),
    (
        "ir_ops",
        OPT,
        || {
            let ops = each(50_000, |i| format!("%{} = arith.addi %{i}, %{i} : i32\n", i + 1));
            format!("func.func @f(%0: i32) {{\n{ops}func.return\n}}\n")
        },
        Accepted,
    ),
    ("ir_vector", OPT, || "func.func @f(%x: vector<99999999999xf32>) {\nfunc.return\n}\n".into(), Ends),
    (
        "ir_constant",
        OPT,
        || "func.func @f() {\n%0 = arith.constant dense<0.0> : vector<4294967295xf32>\nfunc.return\n}\n".into(),
        Ends,
    ),
];

struct OneFile(String);

impl FileSystem for OneFile {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }
    fn is_file(&self, path: &str) -> bool {
        path.starts_with("limit.")
    }
}

/// Runs one limit.
pub fn run(tools: &[(&str, Tool)], limit: &Limit) -> Result<(), String> {
    let (_, tool, program, outcome) = limit;
    let (_, function) =
        tools.iter().find(|(name, _)| name == tool).ok_or_else(|| format!("there is no tool `{tool}`"))?;
    let args: &[&str] = if *tool == CHECK { &["check", "limit.slang"] } else { &["limit.mlir", "--canonicalize"] };
    let args: Vec<String> = args.iter().map(|a| (*a).to_string()).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let files = OneFile(program());
    let start = Instant::now();
    let code = function(&args, &mut out, &mut err, &files);
    judge(*outcome, code, &String::from_utf8_lossy(&err), start.elapsed())
}

fn judge(outcome: Outcome, code: i32, err: &str, took: Duration) -> Result<(), String> {
    let shown: String = err.chars().take(600).collect();
    if took > TIME {
        return Err(format!("it takes {took:?}"));
    }
    if code > 1 || err.contains("E9999") {
        return Err(format!("it ends with {code}: {shown}"));
    }
    match outcome {
        Ends => Ok(()),
        Accepted if code == 0 => Ok(()),
        Accepted => Err(format!("it is refused: {shown}")),
        Refused(wanted) if code == 1 && err.lines().any(|l| l.contains(&format!(": error[{wanted}]: "))) => Ok(()),
        Refused(wanted) => Err(format!("it is not refused with {wanted}: {shown}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_judged() {
        let (soon, found) = (Duration::ZERO, "limit.slang:1:1: error[E0102]: deep\n");
        assert!(judge(Refused("E0102"), 1, found, soon).is_ok() && judge(Accepted, 0, "", soon).is_ok());
        assert!(judge(Refused("E0103"), 1, found, soon).is_err() && judge(Refused("E0102"), 0, "", soon).is_err());
        assert!(judge(Accepted, 1, found, soon).is_err() && judge(Ends, 4, "", soon).is_err());
        assert!(judge(Ends, 1, "f:1:1: error[E9999]: no", soon).is_err() && judge(Ends, 0, "", TIME * 2).is_err());
    }
}
