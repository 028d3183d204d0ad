//! The `caustic-rules` program; everything it does is in the library.

use std::io::{stderr, stdout};

fn main() {
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    std::process::exit(caustic_rules::main_with(&args, &mut stdout(), &mut stderr()));
}
