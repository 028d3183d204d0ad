//! From words to options, by the rows of a table.

use super::tables::Tables;
use super::{SourceOptions, help};
use std::fmt;

/// An option of a command whose options are collected in a `T`.
pub struct Opt<T> {
    /// `--name`, or `-X` for an option whose value may follow directly.
    pub name: &'static str,
    /// What it takes, as help shows it; empty for a flag.
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

/// One word of the command line that is an option, taken apart.
struct Word<'a> {
    name: &'a str,
    attached: Option<&'a str>,
}

fn split(word: &str) -> Word<'_> {
    if word.starts_with("--") {
        match word.split_once('=') {
            Some((name, value)) => Word { name, attached: Some(value) },
            None => Word { name: word, attached: None },
        }
    } else {
        // `-DNAME`, `-Idir`: one letter, then perhaps the value.
        let end = word.char_indices().nth(2).map_or(word.len(), |(i, _)| i);
        let (name, value) = word.split_at(end);
        Word { name, attached: (!value.is_empty()).then_some(value) }
    }
}

/// Parses the arguments of `command`, which takes one file and the options of its tables.
pub fn parse_options<T: HasSource>(command: &str, args: &[String], tables: &Tables<T>) -> Result<T, UsageError> {
    let mut options = T::default();
    let mut files: Vec<&str> = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            files.extend(args.by_ref().map(String::as_str));
            break;
        }
        if !arg.starts_with('-') || arg == "-" {
            files.push(arg);
            continue;
        }
        let word = split(arg);
        let mut take = |name: &str, takes: &str| -> Result<String, UsageError> {
            match (takes.is_empty(), word.attached) {
                (true, None) => Ok(String::new()),
                (true, Some(_)) => Err(UsageError::new(format!("`{name}` takes no value"))),
                (false, Some(value)) => Ok(value.to_string()),
                (false, None) => args
                    .next()
                    .cloned()
                    .ok_or_else(|| UsageError::new(format!("`{name}` needs a value: {name} {takes}"))),
            }
        };
        let refused = |name: &str, why: String| UsageError::new(format!("in `{name}`: {why}"));
        if let Some(row) = tables.rows().find(|o| o.name == word.name) {
            let value = take(row.name, row.value)?;
            (row.set)(&mut options, &value).map_err(|why| refused(row.name, why))?;
        } else {
            let known = tables.rows().map(|o| o.name).chain(["--help"]);
            let error = UsageError::new(format!("unknown option `{}` of `caustic {command}`", word.name));
            return Err(match caustic_ir::nearest::nearest(word.name, known) {
                Some(near) => error.with_note(format!("did you mean `{near}`?")),
                None => error.with_note(help::hint(command)),
            });
        }
    }
    match files.as_slice() {
        [file] => {
            options.source().file = file.to_string();
            Ok(options)
        }
        [] => Err(UsageError::new(format!("`caustic {command}` needs a file")).with_note(help::hint(command))),
        [_, second, ..] => {
            Err(UsageError::new(format!("one file is enough, and `{second}` is another"))
                .with_note(help::hint(command)))
        }
    }
}
