//! Random programs as source text and SPIR-V: each is emitted for every target, and has to be taken
//! by the target's tools and to give what the interpreter gives.
//!
//! Half of the programs write memory, the others are differentiated. Some of these compute in
//! `double`, which not every target has; a refusal with a code is no failure.

use crate::generate::{Limits, program};
use crate::memory;
use crate::oracle::points::{batch, points};
use crate::oracle::run::TABLE;
use crate::oracle::{Case, Failure};
use crate::shrink::{Shrinker, signature};
use crate::soak::{Options, Running, each_seed, is_first, seed_of};
use crate::tree::names::renamed;
use crate::tree::print::{Layout, Style, print};
use caustic_test_suite::Suite;
use caustic_test_suite::random::Rng;
use caustic_test_suite::source::drawn::{Drawn, try_drawn};
use caustic_test_suite::source::{LANGUAGES, Language, Outcome};
use proptest::strategy::ValueTree;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many programs are compiled together.
const BATCH: u64 = 8;
/// Points at which a program is differentiated.
const POINTS: usize = 2;
/// One differentiated program of so many computes in `double`.
const WIDE: usize = 6;

/// How large programs are: compilers of shaders take minutes for long ones.
pub const LIMITS: Limits = Limits { funcs: 3, statements: 4, depth: 2, rounds: 24 };

/// A program of either kind.
#[derive(Clone)]
enum Subject {
    Differentiated(Box<Case>),
    Memory(Box<memory::tree::Program>),
}

/// The results of a run.
#[derive(Default, Debug)]
pub struct Report {
    pub programs: u64,
    /// By target: programs that are right, that were compiled and not run, and that were refused.
    pub targets: BTreeMap<&'static str, [u64; 3]>,
    /// Refusals, by target and message.
    pub refused: BTreeMap<String, u64>,
    pub took: Duration,
    /// Failures: their number, and the first program for each, reduced.
    pub failures: BTreeMap<String, (u64, String)>,
}

/// Whether there is a target of this name.
pub fn is_target(name: &str) -> bool {
    LANGUAGES.iter().any(|l| l.target == name)
}

fn languages(only: Option<&str>) -> impl Iterator<Item = Language> + '_ {
    LANGUAGES.into_iter().filter(move |l| only.is_none_or(|only| only == l.target))
}

fn suite() -> Suite {
    // The tools of some targets lie in the folder of the project.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Suite { root, tools: &[("caustic", caustic::main_with)], bless: false }
}

impl Subject {
    /// The program of a seed; `None` if the language does not define all of what it leaves.
    fn of(seed: u64) -> Option<Subject> {
        if Rng::new(seed).one_in(2) {
            let mut program = memory::generate::program(seed);
            whole_elements(&mut program);
            return memory::check::is_known(&program).then(|| Subject::Memory(Box::new(program)));
        }
        let mut case = Case { program: program(seed, LIMITS), seed };
        // Second derivatives are long, and their compilers slow.
        case.program.second &= Rng::new(seed ^ 0x2d).one_in(4);
        Some(Subject::Differentiated(Box::new(case)))
    }

    fn drawn(&self) -> Result<Drawn, String> {
        let (text, options) = match self {
            Subject::Memory(program) => {
                // Words keep the order of floats, bytes do not.
                let whole = program.globals.iter().all(|g| g.contents.len().is_multiple_of(4));
                let options = memory::check::options(program);
                (memory::print::print(program).0, if whole { options.replace(":u8", ":u32") } else { options })
            }
            Subject::Differentiated(case) => differentiated(case)?,
        };
        let args = ["run", "-", "--backend", "interp"].into_iter().chain(options.split(' ')).map(String::from);
        Ok(Drawn { text, args: args.collect() })
    }

    /// Smaller ones, each if the one before still fails.
    fn reduced(self, time: Duration, fails: &mut dyn FnMut(&Subject) -> bool) -> Subject {
        let start = Instant::now();
        match self {
            Subject::Differentiated(case) => {
                let mut tree = Shrinker::new(*case.clone());
                let (mut more, mut best) = (tree.simplify(), *case);
                while more && start.elapsed() < time {
                    let next = tree.current();
                    more = if fails(&Subject::Differentiated(Box::new(next.clone()))) {
                        best = next;
                        tree.simplify()
                    } else {
                        tree.complicate()
                    };
                }
                Subject::Differentiated(Box::new(best))
            }
            Subject::Memory(mut best) => {
                let (mut n, mut since) = (0, 0);
                // All edits once more after one was accepted, until none is.
                while start.elapsed() < time {
                    match memory::shrink::edited(&best, n) {
                        None if since == 0 => break,
                        None => (n, since) = (0, 0),
                        Some(next) => match next.map(Box::new) {
                            Some(p) if memory::check::is_known(&p) && fails(&Subject::Memory(p.clone())) => {
                                (best, since) = (p, since + 1);
                            }
                            _ => n += 1,
                        },
                    }
                }
                Subject::Memory(best)
            }
        }
    }
}

/// Source text has no elements and no words of which only a part is bound.
fn whole_elements(program: &mut memory::tree::Program) {
    for g in 0..program.globals.len() {
        let size = program.layout(&program.globals[g].ty).size.max(1);
        let unit = (1..=4).map(|n| n * size).find(|unit| unit.is_multiple_of(4)).unwrap_or(size);
        let contents = &mut program.globals[g].contents;
        contents.resize(contents.len().next_multiple_of(unit), 0);
    }
}

/// The text of a program with its derivatives, and the options that run it.
fn differentiated(case: &Case) -> Result<(String, String), String> {
    let mut rng = Rng::new(case.seed ^ 0xe717);
    let narrow = !rng.one_in(WIDE);
    let style = Style { narrow, grouped: rng.one_in(4), ..Style::default() };
    let mut text = print(&case.program, &style);
    if rng.one_in(2) {
        text = renamed(&case.program, &text, case.seed)?;
    }
    let layout = Layout::of(&case.program);
    let batch = batch(&points(&layout, POINTS, case.seed));
    let reals = |values: &[f64]| -> String {
        let one = |v: &f64| if narrow { format!("{:?}", *v as f32) } else { format!("{v:?}") };
        values.iter().map(one).collect::<Vec<_>>().join(",")
    };
    let (ty, bytes) = if narrow { ("f32", 4) } else { ("f64", 8) };
    let ints: Vec<String> = batch.ints.iter().map(i32::to_string).collect();
    let options = format!(
        "--entry gradMain --dispatch {},1,1 --buffer table={ty}:{} --buffer data={ty}:{} --buffer ints=i32:{} \
         --buffer result=zero:{} --read result",
        if style.grouped { batch.threads.div_ceil(2) } else { batch.threads },
        reals(&TABLE),
        reals(&batch.data),
        ints.join(","),
        bytes * layout.result_stride() * batch.threads,
    );
    Ok((text, options))
}

/// What an outcome is called, if it is a failure.
fn failure(language: Language, outcome: &Outcome) -> Option<Failure> {
    match outcome {
        Outcome::Failed(why) => Some(Failure { oracle: language.target, detail: why.clone() }),
        _ => None,
    }
}

/// The name of a failure: of a compiler's message, the words around what the program names.
fn name_of(failure: &Failure) -> String {
    let said = failure.detail.lines().find(|l| l.to_lowercase().contains("error") && !l.contains("NVRTC"));
    let detail =
        said.map_or_else(|| failure.detail.clone(), |line| line[line.find("error").unwrap_or(0)..].to_string());
    signature(&Failure { detail, ..failure.clone() })
}

/// What comes of one program, in one language.
fn outcome(suite: &Suite, subject: &Subject, language: Language, compiler: usize) -> Option<Failure> {
    let drawn = subject.drawn().ok()?;
    let outcomes = try_drawn(suite, &[drawn], language, compiler);
    outcomes.ok()?.first().and_then(|outcome| failure(language, outcome))
}

/// Runs until the time is over or all programs are done.
pub fn run(options: &Options, only: Option<&str>) -> Report {
    let (report, suite) = (Mutex::new(Report::default()), suite());
    let batches = Options { programs: options.programs.div_ceil(BATCH), ..options.clone() };
    let took = each_seed(&batches, "emit", |n, _, running| {
        some(options, n, (&suite, only), &report, running);
        report.lock().is_ok_and(|r| !r.failures.is_empty())
    });
    let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.took = took;
    report
}

/// Checks the programs of one batch.
fn some(
    options: &Options,
    batch: u64,
    (suite, only): (&Suite, Option<&str>),
    report: &Mutex<Report>,
    running: &Running,
) {
    let lock = || report.lock().unwrap_or_else(|e| e.into_inner());
    let seeds = (batch * BATCH..((batch + 1) * BATCH).min(options.programs)).map(|n| seed_of(options.seed, n));
    let subjects: Vec<(u64, Subject)> = seeds.filter_map(|seed| Subject::of(seed).map(|s| (seed, s))).collect();
    let made: Vec<(u64, Subject, Drawn)> =
        subjects.into_iter().filter_map(|(seed, s)| s.drawn().ok().map(|drawn| (seed, s, drawn))).collect();
    let (programs, subjects): (Vec<Drawn>, Vec<(u64, Subject)>) =
        made.into_iter().map(|(seed, subject, drawn)| (drawn, (seed, subject))).unzip();
    lock().programs += programs.len() as u64;
    for language in languages(only) {
        running.is(batch, || programs.iter().map(|p| format!("// {}\n{}\n", p.args.join(" "), p.text)).collect());
        let outcomes = match try_drawn(suite, &programs, language, batch as usize) {
            Ok(outcomes) => outcomes,
            Err(why) => vec![Outcome::Failed(why)],
        };
        for (outcome, (seed, subject)) in outcomes.iter().zip(&subjects) {
            {
                let mut r = lock();
                let counts = r.targets.entry(language.target).or_default();
                match outcome {
                    Outcome::Right => counts[0] += 1,
                    Outcome::Accepted(_) => counts[1] += 1,
                    Outcome::Refused(why) => {
                        counts[2] += 1;
                        let why = why.split("error").last().unwrap_or(why);
                        *r.refused.entry(format!("{} {why}", language.target)).or_default() += 1;
                    }
                    Outcome::Failed(_) => {}
                }
            }
            if let Some(failure) = failure(language, outcome) {
                failed(options, (*seed, subject), (suite, language, batch as usize), failure, report);
            }
        }
    }
    let r = lock();
    (options.say)(&format!("{} programs, {} sorts of failure", r.programs, r.failures.len()));
}

/// Counts a failure; the first of its sort is reduced and written.
fn failed(
    options: &Options,
    (seed, subject): (u64, &Subject),
    (suite, language, compiler): (&Suite, Language, usize),
    found: Failure,
    report: &Mutex<Report>,
) {
    let name = name_of(&found);
    let lock = || report.lock().unwrap_or_else(|e| e.into_inner());
    if !is_first(&mut lock().failures, &name) || options.until_failure {
        return;
    }
    (options.say)(&format!("failed (seed {seed}): {name}"));
    let mut last = found;
    let small = subject.clone().reduced(options.shrink, &mut |next| match outcome(suite, next, language, compiler) {
        Some(failure) if name_of(&failure) == name => {
            last = failure;
            true
        }
        _ => false,
    });
    let text = told(&small, seed, &last);
    if let Some(folder) = &options.folder {
        let _ = std::fs::write(folder.join(format!("{seed:016x}.{}.slang", language.target)), &text);
    }
    lock().failures.entry(name).or_default().1 = text;
}

/// The program, preceded by comments with its command line and its failure.
fn told(subject: &Subject, seed: u64, failure: &Failure) -> String {
    let detail: String = failure.detail.lines().map(|l| format!("// {l}\n")).collect();
    match subject.drawn() {
        Ok(drawn) => {
            format!(
                "// seed {seed}\n// {}\n{detail}// caustic {}\n{}",
                failure.oracle,
                drawn.args.join(" "),
                drawn.text
            )
        }
        Err(why) => why,
    }
}

/// The program of a seed, and what comes of it in each language, or in one.
pub fn shown(seed: u64, only: Option<&str>) -> String {
    let Some(subject) = Subject::of(seed) else { return "not all of its results are defined\n".to_string() };
    let drawn = match subject.drawn() {
        Ok(drawn) => drawn,
        Err(why) => return why,
    };
    let mut out = format!("// caustic {}\n{}", drawn.args.join(" "), drawn.text);
    for language in languages(only) {
        let said = match outcome(&suite(), &subject, language, 0) {
            Some(failure) => failure.detail.lines().map(|l| format!("// {l}\n")).collect(),
            None => "// well\n".to_string(),
        };
        out += &format!("// {}\n{said}", language.target);
    }
    out
}

impl Report {
    pub fn to_text(&self) -> String {
        let mut out = format!("{} programs in {:.0} s\n", self.programs, self.took.as_secs_f64());
        for (target, [right, accepted, refused]) in &self.targets {
            out += &format!("{target:6} {right} right, {accepted} compiled and not run, {refused} refused\n");
        }
        for (why, count) in &self.refused {
            out += &format!("{count:6} refused: {why}\n");
        }
        for (name, (count, text)) in &self.failures {
            out += &format!("\n==== {count} × {name}\n{text}");
        }
        out
    }
}
