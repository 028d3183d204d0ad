//! The command line of `caustic-opt`.

use caustic_ir::nearest::nearest;
use caustic_ir::text::PrintOptions;
use caustic_passes::manager::{PassRegistry, PassSet, RunOptions};

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

pub enum Command {
    /// Prints this text and is done.
    Print(String),
    Run(Box<Options>),
}

const USAGE: &str = "\
caustic-opt: reads IR, runs passes, prints IR

usage: caustic-opt [options] [FILE]        without FILE, or with `-`, standard input

  -o FILE                       write the output there
  --pass-pipeline=PIPELINE      such as 'builtin.module(func.func(cse,canonicalize{stop-after=3}),inline)';
                                `any(…)` runs on every function; a pass of functions directly in a module means that
                                the name of a pipeline stands for its passes: 'normalize,differentiate{machine=gpu},optimize'
  --PASS[=OPTIONS], --PIPELINE  adds a pass or a pipeline: --normalize --cse --canonicalize='stop-after=3'
  --dump-pass-pipeline          print the pipeline with all names of pipelines resolved, to standard error
  --split-input-file            each part between lines `// -----` is a file of its own
  --verify-diagnostics          compare errors with comments: // expected-error@+1 {{part of the message}}
  --verify-roundtrip            what is printed must parse to the same IR
  --verify-each=true|false      verify after each pass (default: true)
  --mlir-print-op-generic       print every op in the generic form
  --mlir-print-debuginfo        print locations
  --print-ir-before=PASS,…      dump the IR before these passes, to standard error
  --print-ir-after=PASS,…       … after these passes
  --print-ir-before-all, --print-ir-after-all
  --print-ir-after-change       … after each pass that changed it
  --print-ir-tree-dir=DIR       one numbered file for the input and after each pass
  --reproducer=FILE             where an input that shows an internal error is written (default: caustic-reproducer.mlir)
  --run-reproducer              run the pipeline that the input's first line names
  --timing                      where the time went, to standard error
  --statistics                  what the passes counted, to standard error
  --threads=N                   threads for function passes; what comes out does not depend on it
  --list-passes                 the passes, their options, and the pipelines
  --help

Exit codes: 0 success, 1 the input is rejected, 2 the command line is wrong, 4 the compiler contradicted itself.
";

const FLAGS: [&str; 22] = [
    "--dump-pass-pipeline",
    "--pass-pipeline",
    "--split-input-file",
    "--verify-diagnostics",
    "--verify-roundtrip",
    "--verify-each",
    "--no-verify-each",
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
    "--print-ir-before",
    "--print-ir-after",
    "--print-ir-before-all",
    "--print-ir-after-all",
    "--print-ir-after-change",
    "--print-ir-tree-dir",
    "--reproducer",
    "--run-reproducer",
    "--timing",
    "--statistics",
    "--threads",
    "--list-passes",
    "--help",
];

impl Options {
    fn new() -> Options {
        Options {
            input: String::new(),
            output: "-".to_string(),
            pipeline: String::new(),
            split_input: false,
            verify_diagnostics: false,
            verify_roundtrip: false,
            print: PrintOptions::default(),
            run: RunOptions::default(),
            tree_dir: None,
            reproducer: "caustic-reproducer.mlir".to_string(),
            run_reproducer: false,
            timing: false,
            statistics: false,
            dump_pipeline: false,
        }
    }

    /// What follows from all arguments together; `flags` are passes as options.
    fn complete(mut self, flags: &[String]) -> Result<Options, String> {
        if !flags.is_empty() {
            if !self.pipeline.is_empty() {
                return Err(error("`--pass-pipeline` and passes as options exclude each other"));
            }
            self.pipeline = flags.join(",");
        }
        if self.run_reproducer && !self.pipeline.is_empty() {
            return Err(error("`--run-reproducer` takes its pipeline from the input"));
        }
        if self.input.is_empty() {
            self.input = "-".to_string();
        }
        self.run.print = self.print;
        Ok(self)
    }
}

pub fn parse(args: &[String], passes: &PassRegistry) -> Result<Command, String> {
    let mut options = Options::new();
    let mut flags: Vec<String> = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "-" || !arg.starts_with('-') {
            if !options.input.is_empty() {
                return Err(error(&format!("two inputs, `{}` and `{arg}`", options.input)));
            }
            options.input = arg.clone();
            continue;
        }
        // One hyphen does as well as two, as in LLVM's tools.
        let arg = if arg.starts_with("--") { arg.clone() } else { format!("-{arg}") };
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (arg.clone(), None),
        };
        let pass = passes.get(&name[2..]).map(|p| p.name).or_else(|| Some(passes.pipeline(&name[2..])?.name));
        let mut given = |what: &str| match value.clone().or_else(|| args.next().cloned()) {
            Some(value) => Ok(value),
            None => Err(error(&format!("`{name}` needs {what}"))),
        };
        let names = |set: &mut PassSet, text: String| -> Result<(), String> {
            for pass in text.split(',') {
                if passes.get(pass).is_none() {
                    return Err(unknown("pass", pass, passes.all().iter().map(|p| p.name)));
                }
                set.add(pass);
            }
            Ok(())
        };
        let bare = name.strip_prefix("--mlir-").map_or(name.clone(), |rest| format!("--{rest}"));
        match bare.as_str() {
            "--o" => options.output = given("a file")?,
            "--pass-pipeline" => options.pipeline = given("a pipeline")?,
            "--split-input-file" => options.split_input = true,
            "--verify-diagnostics" => options.verify_diagnostics = true,
            "--verify-roundtrip" => options.verify_roundtrip = true,
            "--verify-each" => options.run.verify_each = boolean(&name, value.as_deref())?,
            "--no-verify-each" => options.run.verify_each = false,
            "--print-op-generic" => options.print.generic = true,
            "--print-debuginfo" => options.print.locations = true,
            "--print-ir-before" => names(&mut options.run.print_before, given("passes")?)?,
            "--print-ir-after" => names(&mut options.run.print_after, given("passes")?)?,
            "--print-ir-before-all" => options.run.print_before = PassSet::All,
            "--print-ir-after-all" => options.run.print_after = PassSet::All,
            "--print-ir-after-change" => options.run.print_after_change = true,
            "--print-ir-tree-dir" => options.tree_dir = Some(given("a folder")?),
            "--reproducer" => options.reproducer = given("a file")?,
            "--run-reproducer" => options.run_reproducer = true,
            "--dump-pass-pipeline" => options.dump_pipeline = true,
            "--timing" => options.timing = true,
            "--statistics" | "--pass-statistics" => options.statistics = true,
            "--threads" => {
                let text = given("a number")?;
                let threads = text.parse().ok().filter(|n| (1..=1024).contains(n));
                options.run.threads = Some(threads.ok_or_else(|| error(&format!("`{text}` is no number of threads")))?);
            }
            "--list-passes" => return Ok(Command::Print(passes.list())),
            "--help" | "--h" => return Ok(Command::Print(format!("{USAGE}\nPasses:\n{}", passes.list()))),
            _ => match pass {
                Some(pass) => flags.push(match value {
                    Some(values) => format!("{pass}{{{values}}}"),
                    None => pass.to_string(),
                }),
                None => {
                    let pass_flags: Vec<String> = passes.names().map(|name| format!("--{name}")).collect();
                    let known = FLAGS.into_iter().chain(pass_flags.iter().map(String::as_str));
                    return Err(unknown("option or pass", &name, known));
                }
            },
        }
    }
    Ok(Command::Run(Box::new(options.complete(&flags)?)))
}

fn error(text: &str) -> String {
    format!("caustic-opt: error: {text}\n  note: `caustic-opt --help` lists the options")
}

fn unknown<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("caustic-opt: error: there is no {what} `{word}`\n  note: did you mean `{near}`?"),
        None => error(&format!("there is no {what} `{word}`")),
    }
}

fn boolean(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value {
        None | Some("true" | "1") => Ok(true),
        Some("false" | "0") => Ok(false),
        Some(other) => Err(error(&format!("`{name}` is true or false, not `{other}`"))),
    }
}
