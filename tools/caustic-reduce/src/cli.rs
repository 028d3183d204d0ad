//! The command line of `caustic-reduce`.

use crate::predicate::Predicate;
use std::time::Duration;

const USAGE: &str = "\
caustic-reduce: makes a program smaller as long as it shows a fault

usage: caustic-reduce FILE PREDICATE [options] [-- ARGUMENTS]

FILE is a `.slang` program or a `.mlir` module. ARGUMENTS are those of `caustic`, with %s for the file; default: `check %s`.

What the fault is, one of:
  --error TEXT           `caustic ARGUMENTS` says TEXT on standard error: an internal error, a panic, a diagnostic
  --signal               `caustic ARGUMENTS` ends by a signal (a stack overflow, say)
  --gradient [FUNCTION]  `caustic gradcheck` finds a wrong derivative
  --miscompare A,B       `caustic ARGUMENTS` prints other numbers with `--backend A` than with `--backend B`
  --pipelines 'P' 'Q'    the same for a `.mlir` file after two pipelines of `caustic-opt`, on the interpreter
  --verifier 'P'         `caustic-opt` with pipeline P ends with an internal error: a pass left invalid IR
  --script COMMAND       COMMAND FILE exits with 0

Options:
  -o FILE                where the result goes; default: FILE with `.reduced` before its extension; `-` for standard output
  --jobs N               programs tried at once; the result does not depend on it
  --seconds S            a try that takes longer does not show the fault; default 10
  --tolerance R          relative difference from which numbers differ; default 1e-3
  --help

Exit codes: 0 success, 1 the file does not show the fault, 2 the command line is wrong.
";

#[derive(Debug)]
pub struct Options {
    pub file: String,
    pub predicate: Predicate,
    /// Of `caustic`, with `%s` for the file.
    pub arguments: Vec<String>,
    output: Option<String>,
    pub jobs: usize,
    pub limit: Duration,
    pub tolerance: f64,
}

impl Options {
    pub fn output(&self) -> String {
        if let Some(output) = &self.output {
            return output.clone();
        }
        match self.file.rsplit_once('.') {
            Some((stem, extension)) => format!("{stem}.reduced.{extension}"),
            None => format!("{}.reduced", self.file),
        }
    }
}

pub enum Command {
    /// Prints this text and is done.
    Print(String),
    Reduce(Options),
}

type Words<'a> = std::iter::Peekable<std::slice::Iter<'a, String>>;

fn value(args: &mut Words<'_>, option: &str) -> Result<String, String> {
    args.next().cloned().ok_or_else(|| format!("`{option}` needs a value"))
}

pub fn parse(args: &[String]) -> Result<Command, String> {
    let (own, arguments) = match args.iter().position(|a| a == "--") {
        Some(at) => (&args[..at], args[at + 1..].to_vec()),
        None => (args, vec!["check".to_string(), "%s".to_string()]),
    };
    let mut file = None;
    let mut predicate = None;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut options = Options {
        file: String::new(),
        predicate: Predicate::Signal,
        arguments,
        output: None,
        jobs,
        limit: Duration::from_secs(10),
        tolerance: 1e-3,
    };
    let mut args: Words<'_> = own.iter().peekable();
    while let Some(arg) = args.next() {
        let name = arg.as_str();
        let found = match name {
            "--help" | "-h" => return Ok(Command::Print(USAGE.to_string())),
            "--error" => Some(Predicate::Error(value(&mut args, name)?)),
            "--signal" => Some(Predicate::Signal),
            "--gradient" => {
                let is_file = |a: &str| a.ends_with(".slang") || a.ends_with(".mlir");
                let function = args.next_if(|a| !a.starts_with('-') && !is_file(a)).cloned();
                Some(Predicate::Gradient(function))
            }
            "--miscompare" => {
                let text = value(&mut args, name)?;
                let (a, b) = text.split_once(',').ok_or_else(|| format!("`{text}` is not of the form A,B"))?;
                Some(Predicate::Miscompare(a.to_string(), b.to_string()))
            }
            "--pipelines" => {
                let (first, second) = (value(&mut args, name)?, value(&mut args, name)?);
                Some(Predicate::Pipelines(first, second))
            }
            "--verifier" => Some(Predicate::Verifier(value(&mut args, name)?)),
            "--script" => Some(Predicate::Script(value(&mut args, name)?)),
            "-o" => {
                options.output = Some(value(&mut args, name)?);
                None
            }
            "--jobs" => {
                let text = value(&mut args, name)?;
                let jobs = text.parse().ok().filter(|n| (1..=256).contains(n));
                options.jobs = jobs.ok_or_else(|| format!("`{text}` is no number of jobs"))?;
                None
            }
            "--seconds" => {
                let text = value(&mut args, name)?;
                let seconds = text.parse().ok().filter(|s: &f64| *s > 0.0 && *s < 1e6);
                options.limit = Duration::from_secs_f64(seconds.ok_or_else(|| format!("`{text}` is no time"))?);
                None
            }
            "--tolerance" => {
                let text = value(&mut args, name)?;
                let tolerance = text.parse().ok().filter(|t: &f64| *t >= 0.0);
                options.tolerance = tolerance.ok_or_else(|| format!("`{text}` is no tolerance"))?;
                None
            }
            _ if name.starts_with('-') => return Err(format!("unknown option `{name}`; `--help` lists them")),
            _ if file.is_none() => {
                file = Some(name.to_string());
                None
            }
            _ => return Err(format!("two files, `{}` and `{name}`", file.unwrap_or_default())),
        };
        if let Some(found) = found {
            if predicate.is_some() {
                return Err(format!("`{name}`: what the fault is was said already"));
            }
            predicate = Some(found);
        }
    }
    options.file = file.ok_or("no file is given; `--help` says how to call it")?;
    options.predicate = predicate.ok_or("what the fault is is not said: --error, --signal, --gradient, --miscompare, --pipelines, --verifier or --script")?;
    let needs_ir = matches!(options.predicate, Predicate::Pipelines(..) | Predicate::Verifier(_));
    if needs_ir && !options.file.ends_with(".mlir") {
        return Err("this fault is one of a `.mlir` file".into());
    }
    Ok(Command::Reduce(options))
}
