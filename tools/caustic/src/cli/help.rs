//! The texts of `--help`, made from the tables.

use super::tables::RowText;
use super::{COMMANDS, CommandRow};
use std::fmt::Write;

/// Exit codes, for the overview; the code that returns them is in `caustic_tool::exit`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  the program is rejected or lacks a name that the command line gives, or a gradient check fails
  2  the command line is wrong by itself, a file cannot be read or written, or the machine has no GPU for it
  3  the program trapped while running, or the numbers of a fit are not finite
  4  the compiler contradicted itself: please report it
  130  a fit was interrupted; what it had reached is written
";

pub fn overview() -> String {
    let mut out = String::from("Caustic compiles, differentiates and runs shading programs written in Slang.\n\n");
    out.push_str("Usage: caustic COMMAND [options]\n\nCommands:\n");
    for row in &COMMANDS {
        let _ = writeln!(out, "  {:<12} {}", row.name, row.summary);
    }
    out.push_str(
        "\n`caustic COMMAND --help` tells the options of a command. One whose value is followed by `...` can be given several \
                  times; of any other the last one given counts.\n\n",
    );
    out.push_str(EXIT_CODES);
    out
}

pub fn hint(command: &str) -> String {
    format!("run `caustic {command} --help` for its options")
}

/// Spelling and explanation of each row.
pub fn rows(options: &[RowText]) -> Vec<(String, &'static str)> {
    options
        .iter()
        .map(|o| {
            let space = if o.value.is_empty() { "" } else { " " };
            (format!("{}{space}{}", o.name, o.value), o.help)
        })
        .collect()
}

pub fn command(row: &CommandRow, own: &[(String, &str)], source: &[(String, &str)]) -> String {
    let mut out = format!("{}.\n\nUsage: caustic {} {}\n", row.summary, row.name, row.arguments);
    for (title, rows) in [("Options", own), ("Options about the source", source)] {
        if rows.is_empty() {
            continue;
        }
        let _ = write!(out, "\n{title}:\n");
        for (spelling, help) in rows {
            if spelling.len() < 28 {
                let _ = writeln!(out, "  {spelling:<28} {help}");
            } else {
                let _ = writeln!(out, "  {spelling}\n  {:<28} {help}", "");
            }
        }
    }
    let _ = write!(out, "\nExamples:\n{}", examples(row));
    out
}

/// The examples of a command, a line each with what it is for below it.
pub fn examples(row: &CommandRow) -> String {
    row.examples.iter().map(|example| format!("  caustic {}\n      {}\n", example.line, example.text)).collect()
}
