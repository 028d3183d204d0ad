//! Tests of the way from the main file to all files.

use super::*;
use crate::source::MemoryLoader;

/// The modules with what they declare and import, and the diagnostics.
fn load(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let mut loader = MemoryLoader { files: files.iter().map(|(n, t)| (n.to_string(), t.to_string())).collect() };
    let mut map = SourceMap::default();
    let options = crate::Options { defines: vec![("D".to_string(), None)], ..crate::Options::default() };
    let texts = read(&mut loader, files[0].0, &options, &mut map);
    let mut diagnostics: Vec<String> = texts.diagnostics.iter().map(|d| d.to_string()).collect();
    let (program, errors) = parse(&texts, &map);
    diagnostics.extend(errors.iter().map(|d| d.to_string()));
    let show = |m: &Module| {
        let names: Vec<String> = m.decls.iter().filter_map(|d| d.name()).map(|n| n.name.to_string()).collect();
        let import = |i: &Import| {
            let mark = if i.exported { "+" } else { "" };
            format!("{mark}{}", program.modules[i.module.0 as usize].name)
        };
        let imports: Vec<String> = m.imports.iter().map(import).collect();
        format!("{} [{}] ({})", m.name, names.join(" "), imports.join(" "))
    };
    (program.modules.iter().map(show).collect(), diagnostics)
}

fn ok(files: &[(&str, &str)]) -> Vec<String> {
    let (modules, diagnostics) = load(files);
    assert_eq!(diagnostics, Vec::<String>::new());
    modules
}

#[test]
fn modules_come_after_what_they_import() {
    let found = ok(&[
        ("main.slang", "import a; import b_c; int m;"),
        ("a.slang", "module other; __exported import sub.d; int a;"),
        ("b-c.slang", "import \"sub/d.slang\"; int b;"),
        ("sub/d.slang", "int d;"),
    ]);
    assert_eq!(found, ["d [d] ()", "other [a] (+d)", "b-c [b] (d)", "main [m] (other b-c)"]);
}

#[test]
fn a_module_may_have_several_files_that_include_each_other() {
    let found = ok(&[
        ("m.slang", "module m; __include a; int x;"),
        ("a.slang", "implementing m; __include b; import c; int y;"),
        ("b.slang", "implementing m; __include a; int z;"),
        ("c.slang", ""),
    ]);
    assert_eq!(found, ["c [] ()", "m [x y z] (c)"]);
}

#[test]
fn macros_stay_in_their_file() {
    let found = ok(&[
        ("m.slang", "#define N n\n__include a; import b; int N;"),
        ("a.slang", "implementing m;\n#ifdef N\nint wrong;\n#elif D\nint right;\n#endif"),
        ("b.slang", "int N;"),
    ]);
    assert_eq!(found, ["b [N] ()", "m [n right] (b)"]);
}

#[test]
fn types_of_other_files_settle_casts() {
    let text = "import a; void f() { x = (T)-y; }";
    let mut map = SourceMap::default();
    let mut loader = MemoryLoader::new("m.slang", text);
    loader.files.push(("a.slang".to_string(), "struct T {}".to_string()));
    let texts = read(&mut loader, "m.slang", &crate::Options::default(), &mut map);
    let (program, _) = parse(&texts, &map);
    assert!(format!("{:?}", program.modules[1].decls).contains("Cast"));
}

#[test]
fn what_cannot_be_loaded_is_reported_where_it_is_named() {
    let wrong = |files: &[(&str, &str)]| load(files).1.join("\n");
    let found = wrong(&[("m.slang", "int x;\nimport a_b;\n")]);
    assert!(found.starts_with("m.slang:2:8: error[E0114]: there is no module `a_b`"), "{found}");
    let found = wrong(&[("m.slang", "import a;"), ("a.slang", "import b;"), ("b.slang", "import a;")]);
    assert!(found.starts_with("b.slang:1:8: error[E0116]: module `a` imports itself, by way of `a`, `b`"), "{found}");
    let found = wrong(&[("m.slang", "__include a;"), ("a.slang", "\nimplementing other;")]);
    assert!(found.starts_with("m.slang:1:11: error[E0115]: `a.slang` implements `other`, but `m`"), "{found}");
    let found = wrong(&[("m.slang", "__include a; import a;"), ("a.slang", "")]);
    assert!(found.contains("error[E0115]: `a.slang` is a part of module `m`, not a module"), "{found}");
    let found = wrong(&[("m.slang", "import a;"), ("a.slang", "\n}")]);
    assert!(found.starts_with("a.slang:2:1: error[E0101]"), "{found}");
    let found = wrong(&[("m.slang", "import m;")]);
    assert!(found.starts_with("m.slang:1:8: error[E0116]"), "{found}");
}

#[test]
fn the_same_file_by_two_names_is_one() {
    assert_eq!(clean("a/./b/../c.slang"), "a/c.slang");
    assert_eq!(clean("../../a.slang"), "../../a.slang");
    assert_eq!(clean("/a/../../b"), "/b");
}
