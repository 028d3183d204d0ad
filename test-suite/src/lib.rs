//! The runner of the test suite: one file, one case.
//!
//! A case is a `.slang` or `.mlir` program, or a `.test` file about other files, with directives in
//! its comments. Tools run in process, so a thousand cases take seconds. A directive stands on a
//! line of its own:
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
//! - `RUN` runs a command, or several joined by `|`; a line that ends with `\` goes on with the
//!   next `RUN`. `%s` is the case, `%S` its folder, `%examples` the folder of the examples; with
//!   `%backend` the step runs once for every back end. `2>&1` sends standard error the way of
//!   standard output.
//! - What follows belongs to the last `RUN` above. `EXIT` is its exit code (0, or 1 where an error
//!   is expected, or 3 where a trap is). Standard error must be empty unless something is said
//!   about it.
//! - `CHECK` lines (FileCheck's) hold for the output of every `RUN` of the file;
//!   `| FileCheck %s --check-prefix=X` at the end of a command gives it lines of its own.
//! - `EXPECT-JSON` compares the last line of output that is a JSON object, number by number:
//!   integers and floats exactly, unless `TOLERANCE` says otherwise, and why.
//! - `GRADCHECK` is `RUN: caustic gradcheck %s` with these arguments. A function that is skipped is
//!   a failure, unless `STDOUT` gives the whole table.
//! - `EXPECT-ERROR: LINE:COL CODE text` (also `EXPECT-WARNING`; `EXPECT-TRAP` without a code) wants
//!   that diagnostic; a case with such lines has no other diagnostics. `@`, `@+1`, `@-1` is the
//!   directive's own line, or one near it. Without a `RUN` above, the step is `caustic check %s`.
//! - `STDOUT` and `STDERR` give the whole text, a line after each `//|`.
//! - `REQUIRES: llvm` leaves the case out where the tools are built without LLVM, `REQUIRES: !llvm`
//!   where they are built with it.
//! - `NOTE` is a remark. Any other word in capitals before a colon is an error, so that a mistyped
//!   directive cannot pass for a comment; so are a file without directives and check lines that no
//!   step uses.
//!
//! The runner knows no tool: they are handed in as functions.

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
pub mod limits;
pub mod matrix;
pub mod mutate;
pub mod options;
pub mod ptx;
pub mod random;
pub mod rename;
pub mod runner;
pub mod scheduled;
pub mod singular;
pub mod source;
pub mod symbols;
pub mod tidy;

pub use runner::{Suite, Tool};
