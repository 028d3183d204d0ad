//! Exit codes, and what decides between them.

use caustic_ir::{Diagnostic, Fault, Severity};

pub const SUCCESS: i32 = 0;
/// The program is rejected, or a gradient check fails.
pub const REJECTED: i32 = 1;
/// The command line is wrong, or what it names cannot be read or written, or is not there.
pub const USAGE: i32 = 2;
/// The program trapped while it ran.
pub const TRAP: i32 = 3;
/// The compiler contradicted itself. Never 101, which is what an uncaught panic would give.
pub const INTERNAL: i32 = 4;

/// The code for a run that ended with these diagnostics.
pub fn code_of(diagnostics: &[Diagnostic]) -> i32 {
    let errors = || diagnostics.iter().filter(|d| d.severity == Severity::Error);
    // What the user can mend comes first: an internal error after a rejected program is likely its
    // consequence.
    if errors().any(|d| d.fault == Fault::User) {
        REJECTED
    } else if errors().next().is_some() {
        INTERNAL
    } else {
        SUCCESS
    }
}
