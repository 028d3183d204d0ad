//! The `caustic` program; everything it does is in the library.

use caustic::Terminal;
use std::io::{IsTerminal, stderr, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when the user asks for the end of a fit.
static STOP: AtomicBool = AtomicBool::new(false);

/// What shells give for a program that the user has interrupted.
const INTERRUPTED: i32 = 130;

fn main() {
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    // NO_COLOR counts if it is not empty (https://no-color.org).
    let is_dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) || is_dumb;
    let mut terminal = Terminal::default();
    (terminal.color, terminal.live) = (stderr().is_terminal() && !plain, stderr().is_terminal() && !is_dumb);
    terminal.output = stdout().is_terminal();
    // A fit keeps what it has reached. Who asks twice does not want to wait for that.
    if args.first().is_some_and(|command| command == "fit") {
        let asked = || {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        };
        terminal.stop = ctrlc::set_handler(asked).is_ok().then_some(&STOP);
    }
    let files = &caustic_tool::RealFiles;
    std::process::exit(caustic::main_on_terminal(&args, &mut stdout(), &mut stderr(), files, terminal));
}
