//! The command line of `caustic-opt`: options and, as options too, every pass and pipeline.

use caustic_ir::text::PrintOptions;
use caustic_passes::manager::{PassRegistry, PassSet, RunOptions};
use caustic_tool::arguments::{self, flag, given, meant, option};
use caustic_tool::{Console, exit};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

/// The name of the tool.
const TOOL: &str = "caustic-opt";

pub struct Options {
    /// `-` is standard input.
    pub input: String,
    /// `-` is standard output.
    pub output: String,
    /// The text of the pipeline; empty for none.
    pub pipeline: String,
    pub split_input: bool,
    pub verify_diagnostics: bool,
    pub verify_roundtrip: bool,
    pub print: PrintOptions,
    pub run: RunOptions,
    pub tree_dir: Option<String>,
    pub reproducer: String,
    /// Take the pipeline from the first line of the input.
    pub run_reproducer: bool,
    pub timing: bool,
    pub statistics: bool,
    /// Print the pipeline as it runs, to standard error.
    pub dump_pipeline: bool,
}

const USAGE: &str = "caustic-opt [OPTIONS] [--PASS[=OPTIONS] | --PIPELINE]... [FILE]";

const ABOUT: &str = "\
Reads IR, runs passes, prints IR.

A pipeline is such as 'builtin.module(func.func(cse,canonicalize{stop-after=3}),inline)'. `any(…)` runs on every function; a \
pass of functions directly in a module means that. The name of a pipeline stands for its passes: \
'normalize,differentiate{machine=gpu},optimize'. A pass or a pipeline is an option as well: --normalize --cse \
--canonicalize='stop-after=3'. One hyphen does as well as two, and `--mlir-` may stand before any option.";

const EXIT_CODES: &str =
    "Exit codes: 0 success, 1 the input is rejected, 2 the command line is wrong, 4 the compiler contradicted itself.";

/// The options of the tool itself.
fn own() -> Vec<Arg> {
    let passes = |name, help| option(name, "PASS,…", help).action(ArgAction::Append).value_delimiter(',');
    vec![
        Arg::new("input").value_name("FILE").help("Without it, or with `-`, standard input"),
        Arg::new("output").short('o').value_name("FILE").help("Write the output there; `-` is standard output"),
        option("pass-pipeline", "PIPELINE", "The passes to run"),
        flag("dump-pass-pipeline", "Print the pipeline with all names of pipelines resolved, to standard error"),
        flag("split-input-file", "Each part between lines `// -----` is a file of its own"),
        flag("verify-diagnostics", "Compare errors with comments: // expected-error@+1 {{part of the message}}"),
        flag("verify-roundtrip", "What is printed must parse to the same IR"),
        option("verify-each", "true|false", "Verify after each pass (default: true)")
            .value_parser(["true", "false", "1", "0"])
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .conflicts_with("no-verify-each"),
        flag("no-verify-each", "The same as --verify-each=false"),
        flag("print-op-generic", "Print every op in the generic form"),
        flag("print-debuginfo", "Print locations"),
        passes("print-ir-before", "Dump the IR before these passes, to standard error"),
        passes("print-ir-after", "Dump the IR after these passes, to standard error"),
        flag("print-ir-before-all", "Dump the IR before each pass"),
        flag("print-ir-after-all", "Dump the IR after each pass"),
        flag("print-ir-after-change", "Dump the IR after each pass that changed it"),
        option("print-ir-tree-dir", "DIR", "One numbered file for the input and after each pass"),
        option("reproducer", "FILE", "Where an input that shows an internal error is written")
            .default_value("caustic-reproducer.mlir"),
        flag("run-reproducer", "Run the pipeline that the input's first line names"),
        flag("timing", "Where the time went, to standard error"),
        flag("statistics", "What the passes counted, to standard error").alias("pass-statistics"),
        option("threads", "N", "Threads for function passes; what comes out does not depend on it")
            .value_parser(value_parser!(u16).range(1..=1024)),
        flag("list-passes", "Print the passes, their options, and the pipelines"),
    ]
}

fn command(passes: &PassRegistry) -> Command {
    let own = own();
    let is_own = |name: &str| own.iter().any(|arg| arg.get_long() == Some(name));
    let named: Vec<&'static str> = passes.names().filter(|name| !is_own(name)).collect();
    let as_option = |name: &'static str| {
        let option = Arg::new(name).long(name).value_name("OPTIONS").action(ArgAction::Append);
        option.num_args(0..=1).require_equals(true).default_missing_value("").hide(true)
    };
    Command::new(TOOL)
        .override_usage(USAGE)
        .about(ABOUT)
        .after_help(format!("Passes:\n{}\n{EXIT_CODES}", passes.list()))
        .args(own.clone())
        .args(named.into_iter().map(as_option))
}

/// The arguments as clap reads them: one hyphen does as well as two, as in LLVM's tools, and
/// `mlir-` may stand before a name.
fn spelled(arg: &str) -> String {
    let Some(name) = arg.strip_prefix('-').filter(|rest| rest.len() > 1) else { return arg.to_string() };
    let name = name.strip_prefix('-').unwrap_or(name);
    if name.is_empty() { arg.to_string() } else { format!("--{}", name.strip_prefix("mlir-").unwrap_or(name)) }
}

/// The passes and pipelines that stand as options, in the order in which they are written.
fn as_options(matches: &ArgMatches, passes: &PassRegistry) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for name in passes.names() {
        let Ok(Some(values)) = matches.try_get_many::<String>(name) else { continue };
        let places = matches.indices_of(name).into_iter().flatten();
        found.extend(places.zip(values).map(|(place, options)| match options.as_str() {
            "" => (place, name.to_string()),
            options => (place, format!("{name}{{{options}}}")),
        }));
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, text)| text).collect()
}

/// What the arguments ask for.
///
/// # Errors
/// There is nothing to run: the exit code, once everything is said.
pub fn parse(args: &[String], passes: &PassRegistry, console: &mut Console<'_>) -> Result<Options, i32> {
    let args: Vec<String> = args.iter().map(|arg| spelled(arg)).collect();
    let matches = arguments::parse(command(passes), &args, console)?;
    let is_set = |name: &str| matches.get_flag(name);
    if is_set("list-passes") {
        console.out(&passes.list());
        return Err(exit::SUCCESS);
    }
    let text = |name: &str| given(&matches, name).unwrap_or_default().to_string();
    let wrong = |message: &str, console: &mut Console<'_>| Err(arguments::wrong(TOOL, message, None, console));
    let flags = as_options(&matches, passes);
    let pipeline = if flags.is_empty() { text("pass-pipeline") } else { flags.join(",") };
    if !flags.is_empty() && given(&matches, "pass-pipeline").is_some() {
        return wrong("`--pass-pipeline` and passes as options exclude each other", console);
    }
    if is_set("run-reproducer") && !pipeline.is_empty() {
        return wrong("`--run-reproducer` takes its pipeline from the input", console);
    }
    let print = PrintOptions {
        generic: is_set("print-op-generic"),
        locations: is_set("print-debuginfo"),
        ..PrintOptions::default()
    };
    let mut run = RunOptions {
        print,
        verify_each: !is_set("no-verify-each") && !matches!(given(&matches, "verify-each"), Some("false" | "0")),
        print_after_change: is_set("print-ir-after-change"),
        threads: matches.get_one::<u16>("threads").map(|n| usize::from(*n)),
        ..RunOptions::default()
    };
    run.print_before = dumped("print-ir-before", "print-ir-before-all", &matches, passes, console)?;
    run.print_after = dumped("print-ir-after", "print-ir-after-all", &matches, passes, console)?;
    Ok(Options {
        input: given(&matches, "input").unwrap_or("-").to_string(),
        output: given(&matches, "output").unwrap_or("-").to_string(),
        pipeline,
        split_input: is_set("split-input-file"),
        verify_diagnostics: is_set("verify-diagnostics"),
        verify_roundtrip: is_set("verify-roundtrip"),
        print,
        run,
        tree_dir: given(&matches, "print-ir-tree-dir").map(str::to_string),
        reproducer: text("reproducer"),
        run_reproducer: is_set("run-reproducer"),
        timing: is_set("timing"),
        statistics: is_set("statistics"),
        dump_pipeline: is_set("dump-pass-pipeline"),
    })
}

/// The passes around which the IR is dumped: those that an option names, or all.
fn dumped(
    some: &str,
    all: &str,
    matches: &ArgMatches,
    passes: &PassRegistry,
    console: &mut Console<'_>,
) -> Result<PassSet, i32> {
    if matches.get_flag(all) {
        return Ok(PassSet::All);
    }
    let mut set = PassSet::default();
    for pass in matches.get_many::<String>(some).into_iter().flatten() {
        if passes.get(pass).is_none() {
            let note = meant(pass, passes.all().iter().map(|p| p.name));
            return Err(arguments::wrong(TOOL, &format!("there is no pass `{pass}`"), note.as_deref(), console));
        }
        set.add(pass);
    }
    Ok(set)
}
