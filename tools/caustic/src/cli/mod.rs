//! The command line: arguments in, plain structs out. Nothing here reads a file or knows a
//! compiler.
//!
//! Every option is one row of a table: its spelling, what it takes, what it is for, and how it
//! enters the struct; parsing, `--help` and the suggestions in error messages follow from the rows.
//! So is every command: its name, what it is for, and examples of its use.

mod code;
mod color;
mod commands;
mod derivatives;
mod explain;
mod fit;
mod help;
mod library;
mod model;
mod options;
mod parse;
mod tables;
mod write;

pub use color::Color;
pub use commands::{COMMANDS, CommandRow, Example};
pub use fit::FitOptions;
pub use options::{CheckOptions, EmitOptions, GradcheckOptions, RunOptions, SourceOptions};
pub use parse::UsageError;
pub use write::{FileForm, PictureRequest, WriteRequest};

use caustic_driver::TextForm;
use parse::parse_options;

/// What the user asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Run(RunOptions),
    Launch(RunOptions),
    Fit(Box<FitOptions>),
    Check(CheckOptions),
    Emit(EmitOptions),
    Gradcheck(GradcheckOptions),
    /// The folder that a first kernel is written to.
    Init(String),
    /// Text to print, and nothing else to do.
    Print(String),
}

/// Parses the arguments after the program's name.
pub fn parse(args: &[String]) -> Result<Command, UsageError> {
    let Some((first, rest)) = args.split_first() else {
        return Err(UsageError::new("no command given").with_note("run `caustic --help` for the commands"));
    };
    let wants_help = |rest: &[String]| rest.iter().take_while(|a| *a != "--").any(|a| a == "--help" || a == "-h");
    match first.as_str() {
        "--help" | "-h" => return Ok(Command::Print(help::overview())),
        "--version" | "-V" => return Ok(Command::Print(format!("caustic {}\n", env!("CARGO_PKG_VERSION")))),
        "help" => {
            return match rest {
                [] => Ok(Command::Print(help::overview())),
                [name, ..] => command_help(name).map(Command::Print).ok_or_else(|| unknown_command(name)),
            };
        }
        name if wants_help(rest) => {
            return command_help(name).map(Command::Print).ok_or_else(|| unknown_command(name));
        }
        _ => {}
    }
    let name = first.as_str();
    match name {
        "run" => {
            let run = parse_options(name, rest, &tables::run())?;
            run.conflict().map_or(Ok(Command::Run(run)), |text| Err(UsageError::new(text)))
        }
        "launch" => {
            let launch = parse_options(name, rest, &tables::launch())?;
            launch.conflict().map_or(Ok(Command::Launch(launch)), |text| Err(UsageError::new(text)))
        }
        "fit" => {
            let fit = Box::new(parse_options(name, rest, &tables::fit())?);
            fit.conflict().map_or(Ok(Command::Fit(fit)), |text| Err(UsageError::new(text)))
        }
        "check" => parse_options(name, rest, &tables::check()).map(Command::Check),
        "emit" => {
            let emit = parse_options(name, rest, &tables::emit())?;
            if emit.stage.is_none() && emit.target.is_none() && !emit.reports() {
                return Err(
                    UsageError::new("`emit` needs --stage STAGE or --target TARGET").with_note(options::stage_names())
                );
            }
            if emit.form == TextForm::Generic && (emit.target.is_some() || emit.reports()) {
                return Err(UsageError::new(
                    "`--generic` is about the text of a stage: give it with --stage STAGE alone",
                ));
            }
            match emit.conflict() {
                Some(text) => Err(UsageError::new(text)),
                None => Ok(Command::Emit(emit)),
            }
        }
        "gradcheck" => {
            let check = parse_options(name, rest, &tables::gradcheck())?;
            check.conflict().map_or(Ok(Command::Gradcheck(check)), |text| Err(UsageError::new(text)))
        }
        "init" => match rest {
            [] => Ok(Command::Init(".".into())),
            [word, ..] if word.starts_with('-') => {
                Err(UsageError::new(format!("`caustic init` has no option `{word}`")).with_note(help::hint(name)))
            }
            [folder] => Ok(Command::Init(folder.clone())),
            [_, second, ..] => Err(UsageError::new(format!("one folder is enough, and `{second}` is another"))),
        },
        "explain" => explain::explain(rest).map(Command::Print),
        "completions" => model::completions(rest).map(Command::Print),
        "man" => model::manual(rest).map(Command::Print),
        _ => Err(unknown_command(name)),
    }
}

fn command_help(name: &str) -> Option<String> {
    let row = COMMANDS.iter().find(|c| c.name == name)?;
    let (own, source) = match tables::of(name) {
        Some(tables) => (help::rows(&tables.own), help::rows(&tables.source)),
        None => (Vec::new(), Vec::new()),
    };
    Some(help::command(row, &own, &source))
}

fn unknown_command(name: &str) -> UsageError {
    let error = UsageError::new(format!("unknown command `{name}`"));
    match caustic_ir::nearest::nearest(name, COMMANDS.iter().map(|c| c.name)) {
        Some(near) => error.with_note(format!("did you mean `{near}`?")),
        None => error.with_note("run `caustic --help` for the commands"),
    }
}

#[cfg(test)]
mod tests;
