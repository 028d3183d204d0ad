//! The command line as `clap` knows it, made from the rows of the tables, and the texts that follow
//! from it: completions of shells and the manual page. Which commands and options there are stands
//! in the tables alone.

use super::tables::{self, RowText};
use super::{COMMANDS, UsageError, help};
use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;

/// What stands for the value of an option that takes none.
pub const SET: &str = "";

/// An option by its name and what it takes; it can be given several times.
pub fn option(name: &'static str, takes: &'static str) -> Arg {
    let arg = Arg::new(name).action(ArgAction::Append);
    let arg = match name.strip_prefix("--") {
        Some(long) => arg.long(long),
        None => arg.short(name.chars().nth(1)),
    };
    match takes {
        "" => arg.num_args(0..=1).require_equals(true).default_missing_value(SET),
        takes => arg.value_name(takes).allow_hyphen_values(true),
    }
}

/// An option as `clap` describes it.
fn arg(row: &RowText, heading: &'static str) -> Arg {
    let arg = option(row.name, row.value).help(row.help).help_heading(heading);
    if row.value.is_empty() {
        return arg.action(ArgAction::Count).num_args(0).require_equals(false);
    }
    let words: Vec<&str> = row.value.split('|').collect();
    let word = |w: &&str| w.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    match words.len() > 1 && words.iter().all(word) {
        true => arg.value_parser(words),
        false => arg,
    }
}

fn args(rows: &[RowText], heading: &'static str) -> Vec<Arg> {
    rows.iter().map(|row| arg(row, heading)).collect()
}

/// The tool with all its commands.
pub fn tool() -> Command {
    let commands = COMMANDS.iter().map(|row| {
        let command = Command::new(row.name).about(row.summary);
        let command = command.after_help(format!("Examples:\n{}", help::examples(row)));
        let Some(tables) = tables::of(row.name) else {
            return command.arg(Arg::new("what").value_name(row.arguments));
        };
        let file = Arg::new("file").value_name("FILE").required(true).value_hint(clap::ValueHint::FilePath);
        command.arg(file).args(args(&tables.own, "Options")).args(args(&tables.source, "Options about the source"))
    });
    Command::new("caustic")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Compiles, differentiates and runs shading programs written in Slang")
        .after_help(help::EXIT_CODES)
        .subcommand_required(true)
        .subcommands(commands)
}

/// What a shell reads to complete command lines.
pub fn completions(args: &[String]) -> Result<String, UsageError> {
    let names = ["bash", "elvish", "fish", "powershell", "zsh"];
    let [shell] = args else {
        return Err(
            UsageError::new("`caustic completions` needs a shell").with_note(format!("one of {}", names.join(", ")))
        );
    };
    let Ok(known) = shell.parse::<Shell>() else {
        let error = UsageError::new(format!("`{shell}` is not one of {}", names.join(", ")));
        return Err(match caustic_ir::nearest::nearest(shell, names) {
            Some(near) => error.with_note(format!("did you mean `{near}`?")),
            None => error,
        });
    };
    let mut text = Vec::new();
    clap_complete::generate(known, &mut tool(), "caustic", &mut text);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The manual page of the tool, or of one of its commands.
pub fn manual(args: &[String]) -> Result<String, UsageError> {
    let tool = tool();
    let page = match args {
        [] => tool,
        [name] => {
            let found = tool.find_subcommand(name).ok_or_else(|| super::unknown_command(name))?;
            found.clone().display_name(format!("caustic-{name}")).bin_name(format!("caustic {name}"))
        }
        [_, second, ..] => return Err(UsageError::new(format!("one command is enough, and `{second}` is another"))),
    };
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(page).render(&mut text);
    written.map_err(|error| UsageError::new(format!("the page cannot be written: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
