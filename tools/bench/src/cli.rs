//! The command line of `caustic-bench`: each measurement is a task, `--TASK`, with options of its
//! own; without one, the compiler is measured on generated programs.

use crate::measure::What;
use caustic_tool::arguments::{flag, option};
use clap::{Arg, Command, value_parser};

/// The name of the tool.
pub const TOOL: &str = "caustic-bench";

const ABOUT: &str = "\
Prints time, speed and memory of the compiler on generated programs of N lines, and the time of `caustic run` on a kernel of \
ten lines. docs/performance.md says more of the tasks.";

fn word(about: &'static str) -> Arg {
    Arg::new("word").value_name("WORD").help(about)
}

fn arch() -> Arg {
    option("arch", "sm_NN", "The GPU to compile for").default_value("sm_90")
}

fn slangc() -> Arg {
    option("slangc", "PATH", "Measure this compiler beside ours")
}

fn folder() -> Arg {
    Arg::new("folder").value_name("DIR").required(true).help("What goes from one machine to the other")
}

/// A task is an option of the tool, with options behind it.
fn task(name: &'static str, about: &'static str) -> Command {
    Command::new(name).long_flag(name).about(about)
}

/// How this program calls itself.
fn own(name: &'static str, arguments: &[&'static str]) -> Command {
    let arguments = arguments.iter().map(|name| Arg::new(*name).required(true));
    Command::new(name).long_flag(name).hide(true).args(arguments)
}

fn drawn() -> Command {
    task("drawn", "Draws kernels as users write them, and compares ours with slangc's, on one core or on a GPU")
        .arg(Arg::new("seed").value_name("SEED").default_value("1").value_parser(value_parser!(u64)).help("Which ones"))
        .arg(option("count", "N", "How many").default_value("20").value_parser(value_parser!(usize)))
        .arg(option("kind", "WORD", "Only kinds whose name contains it"))
        .arg(option("one", "PROGRAM", "Only the program with this seed of its own").value_parser(value_parser!(u64)))
        .arg(
            option("fp", "MODEL", "How exact floats are")
                .value_parser(["exact", "contract", "fast"])
                .default_value("exact"),
        )
        .arg(slangc())
        .arg(arch())
        .arg(flag("text", "Print the programs: the default").group("mode"))
        .arg(flag("cpu", "Measure them on one core").group("mode"))
        .arg(option("gpu-build", "DIR", "Compile them for a machine with a GPU").group("mode"))
        .arg(option("gpu-run", "DIR", "Measure them there").group("mode"))
        .arg(option("beside", "DIR", "With `--gpu-run`: beside our own code of that pack, in place of slangc's"))
        .arg(option("gpu-one", "DIR", "").num_args(2).hide(true).group("mode"))
        .group(clap::ArgGroup::new("mode").multiple(false))
}

fn gpu(command: Command) -> Command {
    command
        .arg(word("Only programs whose name contains it"))
        .arg(arch())
        .arg(slangc())
        .arg(flag("check", "Only compare ours with the CPU, on few threads (for `compute-sanitizer`)"))
        .arg(flag("count", "").hide(true))
        .arg(flag("counters", "Ask Nsight Compute (`ncu`) what each kernel does"))
        .arg(flag("errors", "Measure how far functions of floats are off on the GPU"))
        .arg(
            option("rewrite", "MODE", "What the e-graph does")
                .value_parser(["auto", "on", "off"])
                .default_value("auto"),
        )
}

fn op_costs(command: Command) -> Command {
    command.arg(word("Only ops whose name contains it")).arg(arch())
}

pub fn command() -> Command {
    let measured = What::ALL.map(What::name).into_iter().chain(["kernel"]);
    let files = Arg::new("files").value_name("FILE").num_args(0..).help("Programs whose functions are measured");
    Command::new(TOOL)
        .about(ABOUT)
        .disable_help_subcommand(true)
        .arg(
            option("lines", "N,N,…", "Lines of the programs")
                .value_delimiter(',')
                .default_value("1000,2000,5000,10000,20000")
                .value_parser(value_parser!(usize)),
        )
        .arg(
            option("repeat", "N", "Runs, of which the best counts")
                .default_value("3")
                .value_parser(value_parser!(usize)),
        )
        .arg(option("what", "WHAT", "Only this").value_parser(measured.collect::<Vec<_>>()))
        .arg(flag("steps", "Add the time of each step, and its growth between the last two sizes"))
        .subcommand(
            task("program", "Prints the program that is generated for a measurement")
                .arg(Arg::new("what").value_name("WHAT").required(true).value_parser(What::ALL.map(What::name)))
                .arg(Arg::new("lines").value_name("N").required(true).value_parser(value_parser!(usize))),
        )
        .subcommand(task("costs", "Prints what derivatives cost beside the functions of these files").arg(files))
        .subcommand(drawn())
        .subcommand(
            task("gradients", "Measures reverse derivatives beside the same written by hand")
                .arg(word("Only programs whose title contains it")),
        )
        .subcommand(
            task(
                "rewrites",
                "Measures how long the e-graph takes for the programs of test-suite/bench, and what it gains",
            )
            .arg(word("Only programs whose name contains it")),
        )
        .subcommand(
            task("lanes", "Measures kernels with many threads on one core; needs LLVM")
                .arg(word("Only programs whose title contains it")),
        )
        .subcommand(
            task("ulps", "Compares functions of f32 with f64; needs LLVM").arg(
                Arg::new("words")
                    .value_name("N|WORD")
                    .num_args(0..=2)
                    .help("N times fewer arguments than all; only functions whose name contains WORD"),
            ),
        )
        .subcommand(op_costs(task("op-costs", "Measures what ops cost, beside the table that passes decide by")))
        .subcommand(op_costs(task("op-costs-build", "Compiles that for a machine with a GPU").arg(folder())))
        .subcommand(op_costs(task("op-costs-run", "Measures it there").arg(folder())))
        .subcommand(gpu(task(
            "gpu",
            "Measures the programs of test-suite/bench on an NVIDIA GPU, beside slangc and code by hand",
        )))
        .subcommand(gpu(task("gpu-build", "Compiles them for a machine with a GPU").arg(folder())))
        .subcommand(gpu(task("gpu-run", "Measures them there").arg(folder())))
        .subcommand(gpu(own("gpu-variant", &["folder", "gpu", "program", "variant"])))
        .subcommand(own("gpu-phases", &["program", "variant", "entry", "gpu"]))
        .subcommand(own("measure", &["what", "lines"]))
        .subcommand(own("kernel", &["file"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_tool::arguments::takes;

    #[test]
    fn the_command_line_is_one() {
        for line in [
            "--lines 10,20 --what check --steps",
            "--program generic 10",
            "--costs a.slang b.slang",
            "--drawn 7 --count 3 --cpu --slangc x",
            "--drawn --gpu-one DIR 3",
            "--ulps 1000 sin",
            "--gpu --arch sm_80 --slangc x sine",
            "--gpu-build DIR --rewrite off sine",
            "--gpu-variant DIR sm_90 sine 3 --check",
            "--op-costs-build DIR --arch sm_80 add",
            "--measure check 10",
        ] {
            assert_eq!(takes(command(), line), Ok(()), "{line}");
        }
        for line in ["--lines x", "--what chek", "--gpu-build", "--drawn 7 --cpu --text", "--gpus", "--costs --x"] {
            assert!(takes(command(), line).is_err(), "{line}");
        }
    }
}
