//! From words to options: clap takes the words apart, and the rows of a table enter them.

use super::tables::Tables;
use super::{SourceOptions, help, model};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::fmt;

/// An option of a command whose options are collected in a `T`.
pub struct Opt<T> {
    /// `--name`, or `-X` for an option whose value may follow directly.
    pub name: &'static str,
    /// What it takes, as help shows it; empty for a flag. It ends with `...` if each one that is
    /// given counts; else the last one does.
    pub value: &'static str,
    pub help: &'static str,
    /// Enters the value (empty for a flag); the error says what is wrong with it.
    pub set: fn(&mut T, &str) -> Result<(), String>,
}

/// A row of a table as a command takes it: its options, a `T`, hold those that the table fills.
pub struct Row<T> {
    pub name: &'static str,
    pub value: &'static str,
    pub help: &'static str,
    set: Box<dyn Fn(&mut T, &str) -> Result<(), String>>,
}

impl<T> Row<T> {
    pub fn of<U>(row: &'static Opt<U>, part: fn(&mut T) -> &mut U) -> Row<T>
    where
        T: 'static,
    {
        let set = Box::new(move |options: &mut T, value: &str| (row.set)(part(options), value));
        Row { name: row.name, value: row.value, help: row.help, set }
    }
}

/// The options of a command hold those that say what to compile.
pub trait HasSource: Default + 'static {
    fn source(&mut self) -> &mut SourceOptions;
}

/// The command line is wrong: exit code 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError {
    pub message: String,
    pub note: String,
}

impl UsageError {
    pub fn new(message: impl Into<String>) -> UsageError {
        UsageError { message: message.into(), note: String::new() }
    }
    pub fn with_note(mut self, note: impl Into<String>) -> UsageError {
        self.note = note.into();
        self
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "caustic: error: {}", self.message)?;
        if self.note.is_empty() { Ok(()) } else { write!(f, "\n  note: {}", self.note) }
    }
}

/// The arguments that are no options.
const FILES: &str = "file";

/// Parses the arguments of `command`, which takes one file and the options of its tables.
pub fn parse_options<T: HasSource>(command: &str, args: &[String], tables: &Tables<T>) -> Result<T, UsageError> {
    let files = Arg::new(FILES).num_args(0..).action(ArgAction::Append);
    let known = Command::new("caustic").no_binary_name(true).disable_help_flag(true).disable_version_flag(true);
    let known = known.arg(files).args(tables.rows().map(|row| model::option(row.name, row.value)));
    let matches = known.try_get_matches_from(args).map_err(|error| refused(command, &error, tables))?;
    let mut options = T::default();
    for (row, value) in given(&matches, tables) {
        if row.value.is_empty() && value != model::SET {
            return Err(UsageError::new(format!("`{}` takes no value", row.name)));
        }
        (row.set)(&mut options, value).map_err(|why| UsageError::new(format!("in `{}`: {why}", row.name)))?;
    }
    let mut files = matches.get_many::<String>(FILES).into_iter().flatten();
    match (files.next(), files.next()) {
        (Some(file), None) => {
            options.source().file = file.clone();
            Ok(options)
        }
        (None, _) => Err(UsageError::new(format!("`caustic {command}` needs a file")).with_note(help::hint(command))),
        (_, Some(second)) => {
            Err(UsageError::new(format!("one file is enough, and `{second}` is another"))
                .with_note(help::hint(command)))
        }
    }
}

/// The options that were given with their values, in the order of the command line.
fn given<'m, T: HasSource>(matches: &'m ArgMatches, tables: &'m Tables<T>) -> Vec<(&'m Row<T>, &'m str)> {
    let mut found: Vec<(usize, &Row<T>, &str)> = Vec::new();
    for row in tables.rows() {
        let values = matches.get_many::<String>(row.name).into_iter().flatten();
        let places = matches.indices_of(row.name).into_iter().flatten();
        found.extend(places.zip(values).map(|(place, value)| (place, row, value.as_str())));
    }
    found.sort_by_key(|(place, ..)| *place);
    found.into_iter().map(|(_, row, value)| (row, value)).collect()
}

/// What is wrong with the options, in words.
fn refused<T: HasSource>(command: &str, error: &clap::Error, tables: &Tables<T>) -> UsageError {
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let name = argument.split([' ', '=']).next().unwrap_or_default();
    match (error.kind(), tables.rows().find(|row| row.name == name)) {
        (ErrorKind::UnknownArgument, _) if tables.elsewhere.names.contains(&name) => {
            let why = tables.elsewhere.why;
            UsageError::new(format!("`{name}` means nothing to `caustic {command}`: {why}"))
                .with_note(help::hint(command))
        }
        (ErrorKind::UnknownArgument, _) => {
            let known = tables.rows().map(|row| row.name).chain(["--help"]);
            let error = UsageError::new(format!("unknown option `{name}` of `caustic {command}`"));
            match caustic_ir::nearest::nearest(name, known) {
                Some(near) => error.with_note(format!("did you mean `{near}`?")),
                None => error.with_note(help::hint(command)),
            }
        }
        (_, Some(row)) => UsageError::new(format!("`{name}` needs a value: {name} {}", row.value)),
        _ => UsageError::new(error.to_string()).with_note(help::hint(command)),
    }
}
