//! The command line of `caustic-reduce`.

use crate::predicate::Predicate;
use caustic_tool::Console;
use caustic_tool::arguments::{self, flag, given, option};
use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};
use std::time::Duration;

/// The name of the tool.
const TOOL: &str = "caustic-reduce";

const USAGE: &str = "caustic-reduce FILE FAULT [OPTIONS] [-- ARGUMENTS]";

const ABOUT: &str = "\
Makes a program smaller as long as it shows a fault.

FILE is a `.slang` program or a `.mlir` module. ARGUMENTS are those of `caustic`, with %s for the file; default: `check %s`.";

const EXIT_CODES: &str = "Exit codes: 0 success, 1 the file does not show the fault, 2 the command line is wrong.";

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

fn command() -> Command {
    let fault = |arg: Arg| arg.help_heading("What the fault is, one of").group("fault");
    Command::new(TOOL)
        .override_usage(USAGE)
        .about(ABOUT)
        .after_help(EXIT_CODES)
        .arg(Arg::new("file").value_name("FILE").required(true).help("The program that shows it"))
        .arg(Arg::new("arguments").value_name("ARGUMENTS").last(true).num_args(0..).help("What is run"))
        .group(ArgGroup::new("fault").multiple(false))
        .arg(fault(option(
            "error",
            "TEXT",
            "`caustic ARGUMENTS` says TEXT on standard error: an internal error, a panic, a diagnostic",
        )))
        .arg(fault(flag("signal", "`caustic ARGUMENTS` ends by a signal (a stack overflow, say)")))
        .arg(fault(
            option("gradient", "FUNCTION", "`caustic gradcheck` finds a wrong derivative")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value(""),
        ))
        .arg(fault(
            option(
                "miscompare",
                "A,B",
                "`caustic ARGUMENTS` prints other numbers with `--backend A` than with `--backend B`",
            )
            .value_delimiter(',')
            .num_args(1),
        ))
        .arg(fault(
            option(
                "pipelines",
                "P",
                "The same for a `.mlir` file after two pipelines of `caustic-opt`, on the interpreter",
            )
            .num_args(2)
            .value_names(["P", "Q"]),
        ))
        .arg(fault(option(
            "verifier",
            "P",
            "`caustic-opt` with pipeline P ends with an internal error: a pass left invalid IR",
        )))
        .arg(fault(option("script", "COMMAND", "COMMAND FILE exits with 0")))
        .arg(
            Arg::new("output").short('o').value_name("FILE").help(
                "Where the result goes; default: FILE with `.reduced` before its extension; `-` for standard output",
            ),
        )
        .arg(
            option("jobs", "N", "Programs tried at once; the result does not depend on it")
                .value_parser(value_parser!(u16).range(1..=256)),
        )
        .arg(
            option("seconds", "S", "A try that takes longer does not show the fault")
                .default_value("10")
                .value_parser(value_parser!(f64)),
        )
        .arg(
            option("tolerance", "R", "Relative difference from which numbers differ")
                .default_value("1e-3")
                .value_parser(value_parser!(f64)),
        )
}

/// The arguments as clap reads them: the function that may stand behind `--gradient` is its value.
fn spelled(args: &[String]) -> Vec<String> {
    let own = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let is_function = |arg: &String| !arg.starts_with('-') && !arg.ends_with(".slang") && !arg.ends_with(".mlir");
    let mut found: Vec<String> = Vec::new();
    for (i, arg) in args.iter().enumerate() {
        match found.last_mut() {
            Some(before) if before == "--gradient" && i < own && is_function(arg) => {
                *before = format!("--gradient={arg}")
            }
            _ => found.push(arg.clone()),
        }
    }
    found
}

fn predicate(matches: &ArgMatches) -> Result<Predicate, String> {
    if !matches.contains_id("fault") {
        return Err("what the fault is is not said: --error, --signal, --gradient, --miscompare, --pipelines, --verifier or --script".into());
    }
    let text = |name: &str| given(matches, name).map(str::to_string);
    let two = |name: &str| match matches.get_many::<String>(name).map(|all| all.cloned().collect::<Vec<_>>()).as_deref()
    {
        Some([a, b]) => Some((a.clone(), b.clone())),
        _ => None,
    };
    let found = text("error").map(Predicate::Error);
    let found = found.or_else(|| text("gradient").map(|f| Predicate::Gradient((!f.is_empty()).then_some(f))));
    let found = found.or_else(|| two("pipelines").map(|(p, q)| Predicate::Pipelines(p, q)));
    let found = found.or_else(|| text("verifier").map(Predicate::Verifier));
    let found = found.or_else(|| text("script").map(Predicate::Script));
    let found = found.or_else(|| two("miscompare").map(|(a, b)| Predicate::Miscompare(a, b)));
    match found {
        Some(found) => Ok(found),
        None if matches.get_flag("signal") => Ok(Predicate::Signal),
        None => Err("what `--miscompare` takes is of the form A,B".into()),
    }
}

/// What the arguments ask for.
///
/// # Errors
/// There is nothing to make smaller: the exit code, once everything is said.
pub fn parse(args: &[String], console: &mut Console<'_>) -> Result<Options, i32> {
    let matches = arguments::parse(command(), &spelled(args), console)?;
    options(&matches).map_err(|message| arguments::wrong(TOOL, &message, None, console))
}

fn options(matches: &ArgMatches) -> Result<Options, String> {
    let predicate = predicate(matches)?;
    let file = given(matches, "file").unwrap_or_default().to_string();
    let needs_ir = matches!(predicate, Predicate::Pipelines(..) | Predicate::Verifier(_));
    if needs_ir && !file.ends_with(".mlir") {
        return Err("this fault is one of a `.mlir` file".into());
    }
    let number = |name: &str| matches.get_one::<f64>(name).copied().unwrap_or_default();
    let (seconds, tolerance) = (number("seconds"), number("tolerance"));
    if !(seconds > 0.0 && seconds < 1e6) {
        return Err(format!("in `--seconds`: `{seconds}` is no time"));
    }
    if tolerance.is_nan() || tolerance < 0.0 {
        return Err(format!("in `--tolerance`: `{tolerance}` is no tolerance"));
    }
    let arguments = matches.get_many::<String>("arguments").map(|all| all.cloned().collect());
    let jobs = matches.get_one::<u16>("jobs").map(|n| usize::from(*n));
    Ok(Options {
        file,
        predicate,
        arguments: arguments.unwrap_or_else(|| vec!["check".to_string(), "%s".to_string()]),
        output: given(matches, "output").map(str::to_string),
        jobs: jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        limit: Duration::from_secs_f64(seconds),
        tolerance,
    })
}
