//! The tasks of `cargo xtask`, with their options. What a task hands on to another program is a
//! list of words.

use caustic_tool::arguments::option;
use clap::{Arg, Command, value_parser};

/// As it is called.
pub const TOOL: &str = "xtask";

fn task(name: &'static str, about: &'static str) -> Command {
    Command::new(name).about(about)
}

/// Words that are handed on, options among them.
fn words(name: &'static str, help: &'static str) -> Arg {
    Arg::new("words").value_name(name).num_args(0..).allow_hyphen_values(true).trailing_var_arg(true).help(help)
}

const MUTANTS: &str = "\
Options, one line of these:
  [--total SECONDS] [WORD…]            runs the suite against each mutant, or those named so; all must be found
  --patterns                           runs the generator of programs against the mutants that model what users of other compilers were given
  --pack DIR                           writes what both take into an archive, for a machine without Rust and LLVM
  --run DIR [--total SECONDS] [WORD…]  runs them there, of the unpacked archive; the page is in its tree";

const GPU_SUITE: &str = "\
Options, one line of these:
  --pack DIR [--target ptx|cuda] [--arch sm_NN] [WORD]
                                       compiles the suite's cases for a GPU into a folder
  --run DIR [--under COMMAND] [--limit SECONDS] [--total SECONDS] [--jobs N] [WORD]
                                       runs them from there on this machine's GPU; needs no LLVM";

pub fn command() -> Command {
    let fuzz = task("fuzz", "Tries changed inputs")
        .arg(Arg::new("target").value_name("TARGET").required(true).value_parser(["check", "ir", "pipeline", "run"]))
        .arg(option("minutes", "N", "How long"))
        .arg(option("seed", "S", "Which changes"))
        .arg(option("corpus", "DIR", "Write what it begins with there"));
    let mutate = task("mutate", "Checks randomly changed programs of the suite, optimized; nothing may crash")
        .arg(Arg::new("count").value_name("COUNT").required(true).value_parser(value_parser!(u64)).help("How many"))
        .arg(Arg::new("seed").value_name("SEED").default_value("1").help("Which ones"));
    Command::new(TOOL)
        .bin_name("cargo xtask")
        .about("The project's chores")
        .disable_help_subcommand(true)
        .subcommand(task("setup", "Installs the Debian packages that tests need, if they are missing and it may"))
        .subcommand(task("lint", "Looks for what clippy finds"))
        .subcommand(task("test", "Runs every test, after setup; the suite comes last"))
        .subcommand(
            task("bless", "Runs the suite and writes the exact texts of its cases anew")
                .arg(words("FILTER", "Only cases whose name contains it")),
        )
        .subcommand(mutate)
        .subcommand(
            task("soak", "Checks random programs; `cargo xtask soak --help` says more")
                .disable_help_flag(true)
                .arg(words("OPTIONS", "The soak's")),
        )
        .subcommand(
            task("mutants", "Looks for tests that find no mistake")
                .arg(words("OPTIONS", "See below"))
                .after_help(MUTANTS),
        )
        .subcommand(fuzz)
        .subcommand(
            task("gpu-suite", "Compiles the suite's cases for a GPU, or runs them there")
                .arg(words("OPTIONS", "See below"))
                .after_help(GPU_SUITE),
        )
        .subcommand(
            task(
                "find-rules",
                "Looks for equalities that the rows do not make; `cargo xtask find-rules --help` says more",
            )
            .disable_help_flag(true)
            .arg(words("OPTIONS", "The finder's")),
        )
        .subcommand(task("docs", "Writes the generated pages of the book anew"))
        .subcommand(task("pictures", "Writes the pictures of the book anew"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_tool::arguments::takes;

    #[test]
    fn the_command_line_is_one() {
        for line in [
            "test",
            "bless loops/",
            "mutate 100 7",
            "soak --minutes 60 --seed 7",
            "mutants --run DIR --total 5 word",
            "fuzz check --minutes 1",
            "gpu-suite --pack DIR --target cuda",
            "find-rules --exhaustive",
            "pictures",
        ] {
            assert_eq!(takes(command(), line), Ok(()), "{line}");
        }
        for line in ["tset", "fuzz chek", "docs x", "mutate many"] {
            assert!(takes(command(), line).is_err(), "{line}");
        }
    }
}
