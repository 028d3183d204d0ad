//! The runner of the test suite: one file, one case.
//!
//! A case is a `.slang` or `.mlir` program, or a `.test` file about other files, with directives in
//! its comments. Tools run in this process, which is faster than starting processes. A directive
//! stands on a line of its own:
//!
//! ```text
//! // RUN: caustic run %s --backend %backend --read gOut --format json
//! // EXIT: 0
//! // EXPECT-JSON: {"gOut": [1.0, 2.0]}
//! // TOLERANCE: rel=1e-6 why=the reference was computed in f64
//! // CHECK-LABEL: func.func @f
//! // GRADCHECK: --function f
//! // EXPECT-ERROR: 12:5 E0123 no such name
//! // STDOUT:
//! //| exact text, rewritten by `cargo xtask bless`
//! ```
//!
//! - `RUN` runs a command, or several joined by `|`; a line that ends with `\` is continued by the
//!   next `RUN`. `%s` is the case, `%S` its folder, `%examples` the folder of the examples; with
//!   `%backend` the step runs once for every back end. `2>&1` adds standard error to standard
//!   output.
//! - The other directives belong to the last `RUN` above. `EXIT` is its exit code (the default is
//!   0, or 1 if an error is expected, or 3 if a trap is). Standard error must be empty unless a
//!   directive is about it.
//! - `CHECK` lines (FileCheck's) apply to the output of every `RUN` of the file;
//!   `| FileCheck %s --check-prefix=X` at the end of a command gives it lines of its own.
//! - `EXPECT-JSON` is compared with the last line of output that is a JSON object, by number:
//!   integers and floats exactly, unless `TOLERANCE` states otherwise, with the reason.
//! - `GRADCHECK` is `RUN: caustic gradcheck %s` with these arguments. A function that is skipped is
//!   a failure, unless `STDOUT` gives the whole table.
//! - `EXPECT-ERROR: LINE:COL CODE text` (also `EXPECT-WARNING`; `EXPECT-TRAP` without a code)
//!   expects that diagnostic; a case with such lines must have no other diagnostics. `@`, `@+1`,
//!   `@-1` is the directive's own line, or one near it. Without a `RUN` above, the step is
//!   `caustic check %s`.
//! - `STDOUT` and `STDERR` give the whole text, with a line after each `//|`.
//! - `REQUIRES: llvm` skips the case if the tools are built without LLVM, `REQUIRES: !llvm` if they
//!   are built with it.
//! - `NOTE` is a remark. Any other word in capitals before a colon is an error, so that a mistyped
//!   directive cannot pass for a comment; so are a file without directives and check lines that no
//!   step uses.
//!
//! The runner must not know any tool: they are passed to it as functions.

pub mod attributes;
pub mod beside;
pub mod bits;
pub mod bless;
pub mod case;
pub mod check;
pub mod command;
pub mod comments;
pub mod contract;
pub mod counted;
pub mod declared;
pub mod diagnostics;
pub mod folders;
pub mod functions;
pub mod fuzz;
pub mod glossary;
pub mod gpu;
pub mod json;
pub mod legalized;
pub mod limits;
pub mod matrix;
pub mod mutate;
pub mod options;
pub mod pages;
pub mod ptx;
pub mod random;
pub mod rename;
pub mod rewrites;
pub mod runner;
pub mod scheduled;
pub mod singular;
pub mod source;
pub mod symbols;
pub mod tidy;

pub use runner::{Suite, Tool};
