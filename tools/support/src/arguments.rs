//! Command lines of tools, by clap: what is wrong with one is told in a sentence, with the nearest
//! name in a note, and every tool has `--help`, `--version` and `--completions SHELL`.
//!
//! It must not know: what any tool does.

use crate::{Console, exit};
use caustic_ir::nearest::nearest;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use clap_complete::Shell;

/// The option that all tools have besides help and version.
const COMPLETIONS: &str = "completions";
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// What the arguments say, without the program's name.
///
/// # Errors
/// There is nothing more to do: the exit code, once help or what is wrong is printed.
pub fn parse(command: Command, args: &[String], console: &mut Console<'_>) -> Result<ArgMatches, i32> {
    let name = command.get_name().to_string();
    let shell = option(COMPLETIONS, "SHELL", "Print what a shell reads to complete command lines");
    let shell = shell.value_parser(SHELLS).exclusive(true);
    let mut command = command.version(env!("CARGO_PKG_VERSION")).arg(shell).no_binary_name(true);
    command.build();
    let matches = command.clone().try_get_matches_from(args).map_err(|error| refused(&command, &error, console))?;
    let Some(shell) = given(&matches, COMPLETIONS).and_then(|name| name.parse::<Shell>().ok()) else {
        return Ok(matches);
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut text);
    console.out(&String::from_utf8_lossy(&text));
    Err(exit::SUCCESS)
}

/// Tells what is wrong with the arguments of a tool, and returns the exit code for it.
pub fn wrong(tool: &str, message: &str, note: Option<&str>, console: &mut Console<'_>) -> i32 {
    console.err(&format!("{tool}: error: {message}\n"));
    if let Some(note) = note {
        console.err(&format!("  note: {note}\n"));
    }
    exit::USAGE
}

/// The note that names what was probably meant.
pub fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{near}`?"))
}

/// Whether a command takes these words, and why not. For tests of command lines: asks clap, too,
/// whether the command is well made.
///
/// # Errors
/// What clap says is wrong.
pub fn takes(command: Command, words: &str) -> Result<(), String> {
    let command = command.no_binary_name(true);
    command.clone().debug_assert();
    command.try_get_matches_from(words.split_whitespace()).map(|_| ()).map_err(|e| e.to_string())
}

/// An option without a value.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// An option with a value.
pub fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// The text of an option or an argument, if it was given.
pub fn given<'m>(matches: &'m ArgMatches, name: &str) -> Option<&'m str> {
    matches.try_get_one::<String>(name).ok().flatten().map(String::as_str)
}

/// Prints help, or what is wrong.
fn refused(command: &Command, error: &clap::Error, console: &mut Console<'_>) -> i32 {
    if !error.use_stderr() {
        console.out(&error.to_string());
        return exit::SUCCESS;
    }
    let (message, note) = told(command, error);
    let lists = format!("`{} --help` lists what there is", command.get_name());
    wrong(command.get_name(), &message, Some(note.as_deref().unwrap_or(&lists)), console)
}

/// A sentence about what is wrong, and what was probably meant.
fn told(command: &Command, error: &clap::Error) -> (String, Option<String>) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let option = argument.split([' ', '=', '[']).next().unwrap_or_default().to_string();
    match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            let known = options(command);
            (format!("there is no option `{option}`"), meant(&option, known.iter().map(String::as_str)))
        }
        ErrorKind::UnknownArgument => (format!("`{argument}` is one argument too many"), None),
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand);
            let known = command.get_subcommands().map(Command::get_name);
            (format!("there is no task `{word}`"), meant(&word, known))
        }
        ErrorKind::InvalidValue if value.is_empty() => (format!("`{option}` needs a value: {argument}"), None),
        ErrorKind::InvalidValue => {
            let known = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(known)) => known.as_slice(),
                _ => &[],
            };
            let message = format!("in `{option}`: `{value}` is not one of {}", known.join(", "));
            (message, meant(&value, known.iter().map(String::as_str)))
        }
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map_or_else(String::new, |why| format!(": {why}"));
            (format!("in `{option}`: `{value}` is not a value for it{why}"), None)
        }
        _ => {
            // clap's own sentence, with our quotation marks.
            let whole = error.to_string().replace('\'', "`");
            let sentence = whole.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
            (sentence.split_whitespace().collect::<Vec<_>>().join(" "), None)
        }
    }
}

/// The options of a command and of its tasks, as they are written.
fn options(command: &Command) -> Vec<String> {
    let of = |command: &Command| -> Vec<String> {
        let flags = command.get_long_flag().into_iter();
        let longs = command.get_arguments().filter_map(Arg::get_long);
        flags.chain(longs).map(|long| format!("--{long}")).collect()
    };
    let mut found = of(command);
    found.extend(command.get_subcommands().flat_map(of));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool() -> Command {
        Command::new("tool")
            .arg(flag("verify-each", "Verifies"))
            .arg(option("costs", "MACHINE", "Which").value_parser(["cpu", "gpu"]))
            .arg(option("jobs", "N", "How many").value_parser(clap::value_parser!(u16).range(1..=256)))
            .arg(Arg::new("file").value_name("FILE"))
    }

    fn run(args: &str) -> (Result<(), i32>, String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let args: Vec<String> = args.split_whitespace().map(str::to_string).collect();
        let mut done = Ok(());
        crate::run_tool("tool", &mut out, &mut err, |console| {
            done = parse(tool(), &args, console).map(|_| ());
            exit::SUCCESS
        });
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (done, text(out), text(err))
    }

    #[test]
    fn what_is_wrong_is_told_with_the_nearest_name() {
        for (args, message) in [
            (
                "--verify-eech",
                "tool: error: there is no option `--verify-eech`\n  note: did you mean `--verify-each`?\n",
            ),
            ("--costs cup", "tool: error: in `--costs`: `cup` is not one of cpu, gpu\n  note: did you mean `cpu`?\n"),
            ("--costs", "tool: error: `--costs` needs a value: --costs <MACHINE>\n"),
            ("a b", "tool: error: `b` is one argument too many\n"),
            ("--jobs 0", "tool: error: in `--jobs`: `0` is not a value for it: 0 is not in 1..=256"),
            ("--completions bsh", "`bsh` is not one of bash, elvish"),
        ] {
            let (done, out, err) = run(args);
            assert!(done == Err(exit::USAGE) && out.is_empty() && err.contains(message), "{args}: {err}");
        }
    }

    #[test]
    fn help_and_completions_are_printed() {
        let (done, out, err) = run("--help");
        assert!(done == Err(exit::SUCCESS) && err.is_empty() && out.contains("--costs <MACHINE>"), "{out}");
        assert!(run("--version").1.starts_with("tool "));
        let (done, out, _) = run("--completions bash");
        assert!(done == Err(exit::SUCCESS) && out.contains("--verify-each"), "{out}");
        assert_eq!(run("--costs gpu --jobs 3 x").0, Ok(()));
    }
}
