//! Checks CHECK lines with the FileCheck of the crate `litcheck-filecheck`.

use litcheck_filecheck::litcheck::Symbol;
use litcheck_filecheck::litcheck::diagnostics::{FileName, SourceLanguage};
use litcheck_filecheck::litcheck::reporting::PrintDiagnostic;
use litcheck_filecheck::{Config, Options, Test};

/// Checks `output` against the lines of `checks` that begin with `prefix`. The error is a readable
/// report.
pub fn file_check(checks: &str, prefix: &str, output: &str) -> Result<(), String> {
    let options = Options { check_prefixes: vec![Symbol::intern(prefix)], ..Options::default() };
    let config = Config { options, ..Config::default() };
    let source = |name: &str, text: &str| {
        config.source_manager().load(SourceLanguage::Unknown, FileName::from(name.to_string()), text.to_string())
    };
    let (output, checks) = (source("output", output), source("case", checks));
    match Test::new(checks, &config).verify(output) {
        Ok(_) => Ok(()),
        Err(report) => Err(PrintDiagnostic::new_without_color(report).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The behaviour that the suite relies on, each with an output that passes and one that must
    /// not.
    #[test]
    fn the_kept_implementation_does_what_we_rely_on() {
        let func = "func @f(%arg0: f32) {\n  %0 = mul %arg0, %arg0\n  return %0\n}\n";
        for (name, checks, good, bad) in [
            ("order", "// CHECK: a\n// CHECK: b", "a\nx\nb\n", "b\na\n"),
            ("next", "// CHECK: a\n// CHECK-NEXT: b", "a\nb\n", "a\nx\nb\n"),
            ("same", "// CHECK: a\n// CHECK-SAME: b", "a b\n", "a\nb\n"),
            ("not", "// CHECK: a\n// CHECK-NOT: q\n// CHECK: b", "a\nb\n", "a\nq\nb\n"),
            ("not at the end", "// CHECK: a\n// CHECK-NOT: q", "a\nb\n", "a\nb\nq\n"),
            ("dag", "// CHECK-DAG: b\n// CHECK-DAG: a\n// CHECK: c", "a\nb\nc\n", "a\nc\n"),
            ("label", "// CHECK-LABEL: f\n// CHECK: x\n// CHECK-LABEL: g", "f\nx\ng\n", "f\ng\nx\n"),
            ("count", "// CHECK-COUNT-2: a\n// CHECK-NOT: a", "a\na\n", "a\na\na\n"),
            ("empty", "// CHECK: a\n// CHECK-EMPTY:\n// CHECK-NEXT: b", "a\n\nb\n", "a\nx\nb\n"),
            ("literal", "// CHECK{LITERAL}: [[1]]", "[[1]]\n", "[1]\n"),
            (
                "variables",
                "// CHECK: func @f(%[[X:[a-z0-9]+]]: f32)\n// CHECK-NEXT: %[[R:.*]] = mul %[[X]], %[[X]]\n// CHECK-NEXT: return %[[R]]",
                func,
                "func @f(%arg0: f32) {\n  %0 = mul %arg0, %arg1\n  return %0\n}\n",
            ),
        ] {
            assert_eq!(file_check(checks, "CHECK", good), Ok(()), "{name}");
            assert!(file_check(checks, "CHECK", bad).is_err(), "{name}: `{bad}` must fail");
        }
    }

    #[test]
    fn prefixes_are_kept_apart() {
        let checks = "// RUN: something\n// FWD: a\n// BWD: b\n";
        assert_eq!(file_check(checks, "FWD", "a\n"), Ok(()));
        assert!(file_check(checks, "BWD", "a\n").is_err());
        assert!(file_check(checks, "NONE", "a\n").is_err());
        assert!(file_check("// CHECK-NOT: a", "CHECK", "").is_err(), "no output proves nothing");
    }
}
