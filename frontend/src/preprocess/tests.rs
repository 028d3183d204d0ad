//! Tests of the preprocessor.

use super::*;
use crate::source::MemoryLoader;

fn options() -> crate::Options {
    crate::Options { defines: vec![("D".to_string(), None)], ..crate::Options::default() }
}

fn run(text: &str) -> (String, Vec<String>) {
    let mut map = SourceMap::default();
    let mut loader = MemoryLoader::new("a.slang", text);
    loader.files.push(("b.h".to_string(), "#pragma once\nint b;\n".to_string()));
    let unit = preprocess(&mut loader, "a.slang", &options(), &mut map).unwrap_or_else(|_| Unit {
        text: String::new(),
        base: 0,
        version: None,
        diagnostics: Vec::new(),
    });
    let text: Vec<&str> = unit.text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    (text.join("|"), unit.diagnostics.iter().map(|d| d.to_string()).collect())
}

fn ok(text: &str) -> String {
    let (out, errors) = run(text);
    assert_eq!(errors, Vec::<String>::new());
    out
}

#[test]
fn conditions_choose_lines() {
    assert_eq!(ok("#if 1\na\n#else\nb\n#endif\nc"), "a|c");
    assert_eq!(ok("#ifdef D\na\n#elif 1\nb\n#endif"), "a");
    assert_eq!(ok("#ifndef D\na\n#elif defined(D) && D == 1\nb\n#else\nc\n#endif"), "b");
    assert_eq!(ok("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"), "c");
    assert_eq!(ok("#if (1 + 2) * 3 == 9 && !defined X\na\n#endif"), "a");
}

#[test]
fn macros_are_replaced() {
    assert_eq!(ok("#define N 3\nint a[N]; N2 \"N\""), "int a[3]; N2 \"N\"");
    assert_eq!(ok("#define ADD(a, b) ((a) + (b))\nADD(1, f(2, 3))"), "((1) + (f(2, 3)))");
    assert_eq!(ok("#define CAT(a, b) a ## b\nCAT(x, 1)"), "x1");
    assert_eq!(ok("#define S(a) #a\nS(x + y)"), "\"x + y\"");
    assert_eq!(ok("#define A B\n#define B A\nA"), "A");
    assert_eq!(ok("#define F(x, y) x\nF(1,\n 2) F"), "1 F");
    assert_eq!(ok("#define LONG a \\\n b\nLONG"), "a  b");
}

#[test]
fn files_are_included_once_if_they_say_so() {
    assert_eq!(ok("#include \"b.h\"\n#include <b.h>\nx"), "int b;|x");
    assert!(run("#include \"c.h\"").1[0].starts_with("a.slang:1:1: error[E0110]"));
}

#[test]
fn positions_survive() {
    let text = "#define N 3\nint N x;\n";
    let mut map = SourceMap::default();
    let mut loader = MemoryLoader::new("a.slang", text);
    let unit = preprocess(&mut loader, "a.slang", &crate::Options::default(), &mut map).ok();
    let unit = unit.as_ref();
    let at = |needle: &str| unit.and_then(|u| u.text.find(needle).map(|i| u.base + i as u32)).unwrap_or(0);
    assert_eq!(map.loc(Span::new(at("x;"), at("x;") + 1)).start_text(), "a.slang:2:7");
    assert_eq!(map.loc(Span::new(at("3"), at("3") + 1)).start_text(), "a.slang:2:5");
    assert_eq!(map.loc(Span::new(at("int"), at("int") + 1)).start_text(), "a.slang:2:1");
}

#[test]
fn wrong_directives_are_reported() {
    assert!(run("#if 1\n").1[0].contains("no `#endif`"));
    assert!(run("#endif\n").1[0].starts_with("a.slang:1:1: error[E0112]"));
    assert!(run("  #nonsense\n").1[0].starts_with("a.slang:1:3: error[E0112]"));
    assert!(run("#if 1 /\n#endif\n").1[0].contains("ends too early"));
    assert!(run("#error stop\n").1[0].contains("#error: stop"));
}
