//! The `caustic` program; everything it does is in the library.

use std::io::{IsTerminal, stderr, stdout};

fn main() {
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    // NO_COLOR counts if it is not empty (https://no-color.org).
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
        || std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    let color = stderr().is_terminal() && !plain;
    let files = &caustic_tool::RealFiles;
    std::process::exit(caustic::main_in_color(&args, &mut stdout(), &mut stderr(), files, color));
}
