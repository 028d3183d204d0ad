//! `--op-costs`: what each op costs on each machine, measured, beside the table that passes decide
//! by (`passes/src/analysis/costs`).
//!
//! What is measured follows from the table: each row, for each of its ops, with the constants that
//! the row asks for, and what its ops share. The machine with the GPU need not have LLVM:
//! `--op-costs-build DIR` compiles for it, `--op-costs-run DIR` measures there.

mod gpu;
mod host;
mod loops;

use caustic_ir::op::OpDef;
use caustic_passes::analysis::costs::{Machine, ROWS, Row, SetUpKey, When};
use caustic_tool::arguments::given;
use loops::{CHAINS, Case, ITERATIONS, Loop};
use std::fmt::Write;
use std::time::Duration;

/// Runs a kernel once.
type Timer = Box<dyn FnMut() -> Result<Duration, String>>;

/// A kernel that can be timed, and how many threads a run has.
pub struct Prepared {
    timer: Timer,
    threads: usize,
}

/// How often a loop is timed; the best counts: what else the machine does only adds.
const TURNS: usize = 40;

/// A machine's way to run kernels.
struct Bench<'a> {
    machine: Machine,
    /// Threads of a group.
    group: usize,
    prepare: &'a dyn Fn(&Case, Loop, bool, &str) -> Result<Prepared, String>,
}

impl Bench<'_> {
    /// What the case's ops take together, in nanoseconds of a thread.
    fn time(&self, case: &Case, which: Loop) -> Result<f64, String> {
        let mut loops = Vec::new();
        for with in [true, false] {
            loops.push((self.prepare)(case, which, with, &case.kernel(which, with, self.group))?);
        }
        let mut best = [f64::INFINITY; 2];
        // In turn, so that what else the machine does comes over both.
        for _ in 0..TURNS {
            for (prepared, best) in loops.iter_mut().zip(&mut best) {
                let nanos = (prepared.timer)()?.as_secs_f64() * 1e9;
                *best = best.min(nanos / (prepared.threads * ITERATIONS) as f64);
            }
        }
        let ops = if which == Loop::Independent { CHAINS } else { 1 };
        Ok((best[0] - best[1]) / ops as f64)
    }
}

/// The types with which an op is measured: its kernel must be one that the verifier takes.
fn typed(ops: &[&'static OpDef], constant: Option<(usize, f64)>, shared: Option<usize>) -> Option<Case> {
    let truth = caustic_ir::Type::i1();
    let pairs = loops::types().into_iter().flat_map(|from| loops::types().map(|to| (from, to)));
    let fits = |&(from, to): &(caustic_ir::Type, caustic_ir::Type)| {
        let said = |def: &&&'static OpDef| loops::allows(def, from, to);
        let converts = |def: &&'static OpDef| {
            matches!(def.results.first().map(|r| r.rule), Some(caustic_ir::op::TypeRule::Class(_)))
        };
        let compares = |def: &&'static OpDef| {
            matches!(def.results.first().map(|r| r.rule), Some(caustic_ir::op::TypeRule::BoolLike(_)))
        };
        ops.iter().filter(said).count() == ops.len()
            && from != truth
            && (to == truth) == ops.iter().all(compares)
            && !(from == to && ops.iter().any(converts))
    };
    let cases = pairs.filter(fits).map(|(from, to)| Case { ops: ops.to_vec(), constant, shared, from, to });
    cases.into_iter().find(|case| host::parsed(&case.kernel(Loop::Independent, true, 1)).is_ok())
}

/// A line of the report: an op by a row of the table.
struct Line {
    row: &'static Row,
    def: &'static OpDef,
    case: Case,
}

/// A divisor that no power of two is.
const CONSTANT: f64 = 11.0;

fn lines(only: &str) -> Vec<Line> {
    let each = |row: &'static Row| {
        let constant = match row.when {
            When::Always => None,
            When::One(n) => Some((n, 1.0)),
            When::Constant(n) => Some((n, CONSTANT)),
        };
        row.ops.iter().filter_map(move |&def| Some(Line { row, def, case: typed(&[def], constant, None)? }))
    };
    ROWS.iter().flat_map(each).filter(|line| line.def.name.contains(only)).collect()
}

/// The ops of one operand that share something of it.
fn sharing(key: SetUpKey) -> Vec<&'static OpDef> {
    let shares = |row: &&Row| row.shared.is_some_and(|(k, _, _)| k == key);
    let ops = ROWS.iter().filter(shares).flat_map(|row| row.ops.iter().copied());
    ops.filter(|def| def.operands.len() == 1).collect()
}

/// Every loop that the report needs, for the step that compiles.
#[cfg(feature = "llvm")]
fn cases(only: &str) -> Vec<(Case, Loop)> {
    let mut out = vec![];
    out.extend(unit_case().map(|case| (case, Loop::Independent)));
    for line in lines(only) {
        out.extend(shared_case(&line).map(|case| (case, Loop::Independent)));
        if line.case.can_depend() {
            out.push((line.case.clone(), Loop::Dependent));
        }
        out.push((line.case, Loop::Independent));
    }
    out
}

/// What measures a row's set-up: several ops with the operand in common.
fn shared_case(line: &Line) -> Option<Case> {
    let (key, operand, _) = line.row.shared?;
    if line.case.constant.is_some_and(|(n, _)| n == operand) {
        return None;
    }
    if line.def.operands.len() > 1 {
        return Some(Case { shared: Some(operand), ..line.case.clone() });
    }
    let ops = sharing(key);
    if ops.len() > 1 { typed(&ops, None, Some(operand)) } else { None }
}

/// A sum of two f32: the unit.
fn unit_case() -> Option<Case> {
    typed(&[caustic_dialects::arith::AddF::DEF], None, None)
}

/// What a set-up takes, of what ops take alone and together.
fn set_up(bench: &Bench<'_>, line: &Line, alone: f64) -> Result<Option<f64>, String> {
    let Some(case) = shared_case(line) else { return Ok(None) };
    let together = bench.time(&case, Loop::Independent)?;
    if case.ops.len() == 1 {
        let chains = CHAINS as f64;
        return Ok(Some((alone - together) * chains / (chains - 1.0)));
    }
    let mut sum = 0.0;
    for &def in &case.ops {
        sum += match typed(&[def], None, None) {
            Some(one) => bench.time(&one, Loop::Independent)?,
            None => 0.0,
        };
    }
    Ok(Some((sum - together) / (case.ops.len() - 1) as f64))
}

/// Measured and table differ by so much, and by more than one operation: the line is marked.
const FAR: f64 = 1.7;

fn table(bench: &Bench<'_>, only: &str) -> Result<String, String> {
    let unit_case = unit_case().ok_or("a sum cannot be measured")?;
    let unit = bench.time(&unit_case, Loop::Independent)?;
    let mut out =
        format!("### {}\n\nThe unit, a sum of two `f32`: {unit:.3} ns of a thread.\n\n", bench.machine.name());
    out += "| op | table | measured | | set-up, table | measured | dependent |\n| --- | ---: | ---: | --- | ---: | ---: | ---: |\n";
    let column = bench.machine as usize;
    for line in lines(only) {
        let alone = match bench.time(&line.case, Loop::Independent) {
            Ok(time) => time,
            // A target may lack an op.
            Err(why) => {
                let _ = writeln!(out, "| {} | {why} | | | | | |", line.case.title());
                continue;
            }
        };
        let shared = line.row.shared.map(|(_, _, cost)| cost[column]);
        let listed = f64::from(line.row.each[column] + shared.unwrap_or(0)) + line.case.hidden(bench.machine);
        let measured = alone / unit;
        let far = (measured / listed.max(0.5)).max(listed / measured.max(0.5)) > FAR && (measured - listed).abs() > 1.0;
        let set_up = set_up(bench, &line, alone)?.map_or(String::new(), |time| format!("{:.1}", time / unit));
        let dependent = match line.case.can_depend() {
            true => format!("{:.1}", bench.time(&line.case, Loop::Dependent)? / unit),
            false => String::new(),
        };
        let _ = writeln!(
            out,
            "| {} | {listed} | {measured:.1} | {} | {} | {set_up} | {dependent} |",
            line.case.title(),
            if far { "far" } else { "" },
            shared.filter(|&s| s > 0).map_or(String::new(), |s| s.to_string()),
        );
    }
    Ok(out)
}

/// The tables of all machines that are here, of ops whose name contains `only`.
fn here(only: &str, arch: &str) -> Result<String, String> {
    let mut out = String::new();
    let interp = |case: &Case, _: Loop, _: bool, text: &str| host::interp(case, text);
    out += &table(&Bench { machine: Machine::Interp, group: 1, prepare: &interp }, only)?;
    let cpu = |case: &Case, _: Loop, _: bool, text: &str| host::cranelift(case, text, CPU_GROUP);
    out += &format!("\n{}", table(&Bench { machine: Machine::Cpu, group: CPU_GROUP, prepare: &cpu }, only)?);
    #[cfg(feature = "llvm")]
    {
        let simd = |case: &Case, _: Loop, _: bool, text: &str| host::lanes(case, text, SIMD_GROUP);
        out += &format!("\n{}", table(&Bench { machine: Machine::Simd, group: SIMD_GROUP, prepare: &simd }, only)?);
        out += &gpu::here(only, arch)?;
    }
    let _ = arch;
    Ok(out)
}

/// Threads of the group that is timed.
const CPU_GROUP: usize = 16;
#[cfg(feature = "llvm")]
const SIMD_GROUP: usize = 256;

/// The report. `step` is the option with which it was asked for.
pub fn report(task: &str, matches: &clap::ArgMatches) -> Result<String, String> {
    let text = |name: &str| given(matches, name).unwrap_or_default();
    let (only, folder) = (text("word"), std::path::Path::new(text("folder")));
    match task {
        "op-costs-build" => gpu::build(folder, only, text("arch")),
        "op-costs-run" => gpu::run(folder, only),
        _ => here(only, text("arch")),
    }
}
