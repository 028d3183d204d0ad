//! The command: arguments in, courses, tables of text out.

use crate::courses::{COURSES, Course, Group};
use crate::find::{Budget, Finder, Outcome};
use crate::ops::symbols;
use crate::proof::follows;
use crate::rule::Rule;
use crate::samples::Amount;
use crate::{known, lowered};
use caustic_passes::analysis::costs::Machine;
use caustic_passes::egraph::ask::Theory;
use caustic_passes::rows::{Class, Row, Use, all};
use caustic_tool::{Console, exit, run_tool};
use std::fmt::Write as _;
use std::io::Write;

const HELP: &str = "\
Usage: caustic-rules [OPTIONS] [FILE|FOLDER]...

Looks for equalities of arithmetic that the rows do not make, and prints them as rows: those first that save most in these programs
(default: test-suite/bench, examples, test-suite/cases).

  --group float|choice|int  Only courses of this group; may be given again
  --course NAME             Only courses whose name contains this
  --size N                  Terms of at most this many ops
  --terms N                 At most this many terms of a course (default: 3000000)
  --costs MACHINE           By which costs: interp, cpu, simd, gpu or gpu-fast (default: cpu)
  --without ROW             As if this row were not there; may be given again
  --exhaustive              Two variables of f16 are tried with all their values
  --again                   Without any row: how many of the rows follow from what is found
  --unused                  Prints what no program holds, too
";

struct Options {
    groups: Vec<Group>,
    course: String,
    budget: Budget,
    machine: Machine,
    without: Vec<String>,
    again: bool,
    unused: bool,
    paths: Vec<String>,
}

/// The program. The exit code is that of all tools.
pub fn main_with(args: &[String], out: &mut (dyn Write + Send), err: &mut (dyn Write + Send)) -> i32 {
    run_tool("caustic-rules", out, err, |console| match parse(args) {
        Ok(None) => {
            console.out(HELP);
            exit::SUCCESS
        }
        Ok(Some(options)) => {
            if options.again {
                again(&options, console)
            } else {
                propose(&options, console)
            }
            exit::SUCCESS
        }
        Err(message) => {
            console.err(&format!("caustic-rules: error: {message}\n"));
            exit::USAGE
        }
    })
}

fn parse(args: &[String]) -> Result<Option<Options>, String> {
    let mut options = Options {
        groups: Vec::new(),
        course: String::new(),
        budget: Budget::default(),
        machine: Machine::Cpu,
        without: Vec::new(),
        again: false,
        unused: false,
        paths: Vec::new(),
    };
    let mut args = args.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("`{arg}` takes a value"));
        let number = |text: &str| text.parse::<usize>().map_err(|_| format!("`{text}` is no number"));
        match arg {
            "--help" | "-h" => return Ok(None),
            "--group" => {
                let name = value()?;
                let group = Group::ALL.into_iter().find(|g| g.name() == name);
                options.groups.push(group.ok_or_else(|| format!("there is no group `{name}`"))?);
            }
            "--course" => options.course = value()?.to_string(),
            "--size" => options.budget.size = number(value()?)?,
            "--terms" => options.budget.terms = number(value()?)?,
            "--costs" => {
                let name = value()?;
                options.machine = Machine::from_name(name).ok_or_else(|| format!("there is no machine `{name}`"))?;
            }
            "--without" => options.without.push(value()?.to_string()),
            "--exhaustive" => options.budget.amount = Amount { combinations: 1 << 32, random: 1 << 16 },
            "--again" => options.again = true,
            "--unused" => options.unused = true,
            _ if arg.starts_with('-') => return Err(format!("there is no option `{arg}`")),
            _ => options.paths.push(arg.to_string()),
        }
    }
    Ok(Some(options))
}

impl Options {
    fn courses(&self) -> impl Iterator<Item = &'static Course> {
        let asked =
            |c: &&Course| (self.groups.is_empty() || self.groups.contains(&c.group)) && c.name.contains(&self.course);
        COURSES.iter().filter(asked)
    }
}

fn line(course: &Course, o: &Outcome) -> String {
    let left = if o.left > 0 { format!(", {} not looked at", o.left) } else { String::new() };
    format!(
        "{}: size {}, {} terms, {} classes, {} candidates, {} proofs, {} refuted{left}, {} accepted\n",
        course.name, o.whole, o.terms, o.classes, o.candidates, o.proofs, o.refuted, o.accepted
    )
}

/// Runs the courses one after the other, each with what was found before.
fn run(finder: &mut Finder, options: &Options, console: &mut Console<'_>) {
    for course in options.courses() {
        let outcome = finder.run(course);
        console.err(&line(course, &outcome));
    }
}

fn propose(options: &Options, console: &mut Console<'_>) {
    let rows = all().filter(|r| !options.without.iter().any(|w| w == r.name)).collect();
    let mut finder = Finder::new(Some(rows), options.machine, options.budget);
    run(&mut finder, options, console);
    let left_out = finder.minimize();
    console.err(&format!("{left_out} of these follow from the rest\n"));
    let mut theory = Theory::default();
    for rule in &finder.found {
        theory.add("found", Class::Exact, Use::EGraph, &rule.parsed);
    }
    let default = ["test-suite/bench", "examples", "test-suite/cases"];
    let mut paths: Vec<&str> = options.paths.iter().map(String::as_str).collect();
    if paths.is_empty() {
        paths.extend(default);
    }
    let mut uses = vec![0; finder.found.len()];
    let mut programs = 0;
    for file in lowered::sources(&paths) {
        if let Some(module) = lowered::module(&file) {
            programs += 1;
            lowered::occurrences(&module, &theory, &mut uses);
        }
    }
    console.out(&table(&finder, &uses, options.unused));
    let used = uses.iter().filter(|n| **n > 0).count();
    console.out(&format!(
        "{} equalities found; the left sides of {used} stand in one of {programs} programs\n",
        finder.found.len()
    ));
}

/// What was found, as rows. In front of each: how often its left side occurs, and what each
/// occurrence saves.
fn table(finder: &Finder, uses: &[u64], unused: bool) -> String {
    let saved = |rule: &Rule| i64::from(finder.cost(&rule.parsed.left)) - i64::from(finder.cost(&rule.parsed.right));
    let mut lines: Vec<(u64, i64, usize)> = Vec::new();
    for (n, (rule, &uses)) in finder.found.iter().zip(uses).enumerate() {
        if unused || uses > 0 {
            lines.push((uses, saved(rule), n));
        }
    }
    let worth = |uses: u64, saves: i64| i64::try_from(uses).unwrap_or(i64::MAX).saturating_mul(saves);
    lines.sort_by_key(|&(uses, saves, n)| (-worth(uses, saves), std::cmp::Reverse(uses), n));
    let mut out = String::from("   uses saves\n");
    for (uses, saves, n) in lines {
        let rule = &finder.found[n];
        let way = if saves > 0 || rule.parsed.left.size() > rule.parsed.right.size() { "EGraph" } else { "Both" };
        let _ = writeln!(out, "{uses:>7} {saves:>5}  \"found-{n}\" Exact {way} {};", rule.text());
    }
    out
}

/// Finds without any row, and asks of each row of the sizes that were looked at whether it follows
/// from that.
fn again(options: &Options, console: &mut Console<'_>) {
    let mut finder = Finder::new(None, options.machine, options.budget);
    run(&mut finder, options, console);
    let theory = finder.theory();
    let (mut found, mut missed, mut others) = (0, Vec::new(), Vec::new());
    for row in all().filter(|r| r.class == Class::Exact) {
        match known::rule_of(row, &symbols()) {
            Some(rule) if options.courses().any(|c| covers(c, &rule, options.budget.size)) => {
                if follows(&theory, &rule, options.budget.effort) { found += 1 } else { missed.push(row) }
            }
            _ => others.push(row),
        }
    }
    let list = |rows: &[&Row]| rows.iter().map(|r| r.name).collect::<Vec<_>>().join(", ");
    console.out(&format!(
        "{} equalities found without a row; {found} of {} rows within the courses follow from them\n",
        finder.found.len(),
        found + missed.len()
    ));
    console.out(&format!("not found again: {}\n", list(&missed)));
    console.out(&format!("beyond the courses: {}\n", list(&others)));
}

/// Whether both sides of a rule are terms of the course, what it assumes included.
fn covers(course: &Course, rule: &Rule, size: usize) -> bool {
    let parsed = &rule.parsed;
    let most = if parsed.when.iter().all(|c| c.predicate.about != caustic_passes::rows::About::Values) {
        course.size
    } else {
        course.size_assuming
    };
    let mut sorts = course.variables.to_vec();
    let mut has_sort = |s: &crate::ops::Sort| sorts.iter().position(|o| o == s).map(|at| sorts.remove(at)).is_some();
    let sides = [&parsed.left, &parsed.right];
    let has_ops = sides.iter().all(|t| known::ops(t).iter().all(|op| course.has_op(op)));
    sides.iter().all(|t| t.size() <= most.min(size)) && has_ops && rule.sorts.iter().all(&mut has_sort)
}
