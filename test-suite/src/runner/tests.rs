//! Tests of the runner with simple tools: every kind of failing case must fail.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes the contents of the file that its argument names, except for comment lines.
fn cat(args: &[String], out: &mut (dyn Write + Send), err: &mut (dyn Write + Send), files: &dyn FileSystem) -> i32 {
    match files.read(args.first().map_or("-", String::as_str)) {
        Ok(bytes) => {
            for line in String::from_utf8_lossy(&bytes).lines().filter(|l| !l.trim_start().starts_with("//")) {
                let _ = writeln!(out, "{line}");
            }
            0
        }
        Err(error) => {
            let _ = writeln!(err, "{error}");
            2
        }
    }
}

/// Writes its second and later arguments to standard error, one per line, and returns its first
/// argument as the exit code.
fn fail(args: &[String], _: &mut (dyn Write + Send), err: &mut (dyn Write + Send), _: &dyn FileSystem) -> i32 {
    for line in args.iter().skip(1) {
        let _ = writeln!(err, "{line}");
    }
    args.first().and_then(|a| a.parse().ok()).unwrap_or(9)
}

/// Writes its arguments as one line.
fn echo(args: &[String], out: &mut (dyn Write + Send), _: &mut (dyn Write + Send), _: &dyn FileSystem) -> i32 {
    let _ = writeln!(out, "{}", args.join(" "));
    0
}

fn suite(bless: bool) -> Suite {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("caustic-suite-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let root = std::env::temp_dir().join(name);
    std::fs::create_dir_all(root.join("cases")).unwrap();
    Suite { root, tools: &[("cat", cat), ("fail", fail), ("echo", echo), ("caustic", fail)], bless }
}

fn run(text: &str) -> Result<(), String> {
    let suite = suite(false);
    std::fs::write(suite.root.join("cases/a.slang"), text).unwrap();
    let result = suite.run("cases/a.slang");
    std::fs::remove_dir_all(&suite.root).unwrap();
    result
}

fn passes(text: &str) {
    assert_eq!(run(text), Ok(()), "{text}");
}

fn fails(text: &str, why: &str) {
    let error = run(text).expect_err(text);
    assert!(error.contains(why), "{text}\n{error}");
}

#[test]
fn exit_codes() {
    passes("// RUN: echo a\n");
    passes("// RUN: fail 2\n// EXIT: 2\n");
    fails("// RUN: fail 2\n", "expected exit code 0, got 2");
    fails("// RUN: echo a\n// EXIT: 1\n", "expected exit code 1, got 0");
    fails("// RUN: nonesuch\n", "there is no tool `nonesuch`");
    fails("// RUN: fail 3 | cat -\n", "`fail` ended with 3");
}

#[test]
fn check_lines() {
    passes("// RUN: cat %s\n// CHECK: one\n// CHECK-NEXT: two\none\ntwo\n");
    fails("// RUN: cat %s\n// CHECK: one\n// CHECK-NEXT: three\none\ntwo\n", "pattern at this location");
    passes(
        "// RUN: cat %s | cat - | FileCheck %s --check-prefix=FWD\n// RUN: echo b | FileCheck %s --check-prefix BWD\n// FWD: one\n// BWD: b\none\n",
    );
    fails("// RUN: cat %s | FileCheck %s --check-prefix=FWD\n// FWD: two\none\n", "not matched");
    fails("// RUN: echo one\n// RUN: echo two\n// CHECK: one\n", "echo two");
    passes("// RUN: fail 0 oops 2>&1 | FileCheck %s\n// CHECK: oops\n");
}

#[test]
fn json() {
    passes("// RUN: echo '{\"a\": [1.0, 2]}'\n// EXPECT-JSON: {\"a\": [1.0, 2]}\n");
    fails("// RUN: echo '{\"a\": [1.5]}'\n// EXPECT-JSON: {\"a\": [1.0]}\n", "expected 1.0, got 1.5");
    passes("// RUN: echo '{\"a\": [1.5]}'\n// EXPECT-JSON: {\"a\": [1.0]}\n// TOLERANCE: abs=1 why=test\n");
    fails("// RUN: echo nothing\n// EXPECT-JSON: {\"a\": [1.0]}\n", "no line of JSON");
}

#[test]
fn skipped_gradient_checks_fail() {
    // The tool `caustic` of these tests writes to standard error and returns its first argument as
    // the exit code, which is no number here.
    let table = "// RUN: caustic gradcheck %s\n// EXIT: 9\n// STDERR:\n";
    passes(&format!("{table}//| cases/a.slang\n"));
    let suite = Suite { tools: &[("caustic", echo)], ..suite(false) };
    let path = suite.root.join("cases/a.slang");
    std::fs::write(&path, "// GRADCHECK: f skipped: why\n").unwrap();
    assert!(suite.run("cases/a.slang").is_err_and(|e| e.contains("a function was skipped")));
    std::fs::write(&path, "// GRADCHECK: f skipped: why\n// STDOUT:\n//| gradcheck cases/a.slang f skipped: why\n")
        .unwrap();
    assert_eq!(suite.run("cases/a.slang"), Ok(()));
    std::fs::remove_dir_all(&suite.root).unwrap();
}

#[test]
fn diagnostics_on_standard_error() {
    let error = "'cases/a.slang:3:1: error[E0001]: no such thing'";
    passes(&format!("// RUN: fail 1 {error}\n// EXPECT-ERROR: @+1:1 E0001 such\nx\n"));
    fails(&format!("// RUN: fail 1 {error}\n// EXPECT-ERROR: @+2:1 E0001 such\nx\n"), "missing");
    fails(&format!("// RUN: fail 0 {error}\n// EXPECT-ERROR: @+1:1 E0001 such\nx\n"), "expected exit code 1, got 0");
    fails(&format!("// RUN: fail 0 {error}\n"), "standard error is not empty");
    passes("// RUN: fail 0 'cases/a.slang:1:1: warning[W0001]: hm'\n// EXPECT-WARNING: 1:1 W0001 hm\n");
    passes("// RUN: fail 3 'cases/a.slang:1:1: trap: index 3'\n// EXPECT-TRAP: 1:1 index 3\n");
}

#[test]
fn exact_texts_and_blessing() {
    let file = "// RUN: cat %s\n// STDOUT:\n//| one\n//| two\none\ntwo\n";
    passes(file);
    fails(&file.replace("//| two", "//| three"), "cargo xtask bless");
    fails(&file.replace("//| two\n", ""), "<end>");

    let suite = suite(true);
    let path = suite.root.join("cases/a.slang");
    std::fs::write(&path, file.replace("//| two\n", "//| 2\n//| 3\n")).unwrap();
    assert_eq!(suite.run("cases/a.slang"), Ok(()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), file);
    // Blessing does not hide other failures.
    std::fs::write(&path, format!("{file}// EXIT: 1\n")).unwrap();
    assert!(suite.run("cases/a.slang").is_err());
    std::fs::remove_dir_all(&suite.root).unwrap();
}

#[test]
fn backends_run_one_by_one() {
    passes("// RUN: echo %backend\n// CHECK: {{interp|cranelift|llvm}}\n");
    fails("// RUN: echo %backend\n// CHECK: interp\n", "(with cranelift)");
}

#[test]
fn discovery_finds_cases_and_refuses_strays() {
    let suite = suite(false);
    let make = |path: &str| {
        let path = suite.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    };
    make("cases/b/x.slang");
    make("cases/a.mlir");
    make("cases/b/inputs/lib.slang");
    assert_eq!(suite.discover("cases").unwrap(), ["cases/a.mlir", "cases/b/x.slang"]);
    make("cases/b/x.slagn");
    assert!(suite.discover("cases").is_err());
    std::fs::remove_dir_all(&suite.root).unwrap();
}
