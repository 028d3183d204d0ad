//! Drawn programs on one core: ours by LLVM, with 16 lanes and with one thread after the other,
//! beside what `slangc` and a C++ compiler make of them. Results must agree.

use super::judge::{self, differ};
use super::program::{Drawn, Entry, Machine, Place};
use super::write::Adds;
use super::{Asked, SLANGC, programs, slangc};
use caustic_driver::{Context, Derivatives, Stage, pipeline};
use caustic_frontend::{MemoryLoader, Options};
use caustic_passes::pipelines::{self, INSTANCES, OPTIMIZE_LLVM, STORAGE};
use caustic_runtime::{Bindings, Executor, Floats, Grid, KernelInterface, Launch, PrintLog, Traps};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const LANES: [usize; 2] = [16, 1];
/// For at least this long together launches are timed.
const LONG_ENOUGH: Duration = Duration::from_millis(150);

struct Row {
    name: String,
    /// Of ours with 16 lanes and with one, and of theirs with plain and with atomic additions.
    times: [f64; 4],
}

impl Row {
    fn ratio(&self) -> f64 {
        self.times[0].min(self.times[1]) / self.times[3]
    }
}

#[derive(Default)]
struct Found {
    rows: Vec<Row>,
    refused: Vec<String>,
    failed: Vec<String>,
    /// What only ours has right, as forward derivatives tell.
    theirs: Vec<String>,
}

pub fn report(asked: &Asked) -> Result<String, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
    let folder = std::env::temp_dir().join(format!("caustic-drawn-{}", std::process::id()));
    let found = pool.install(|| all(asked, &folder));
    // What is left behind in the folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    found.map(|found| table(asked, found))
}

fn all(asked: &Asked, folder: &Path) -> Result<Found, String> {
    let mut found = Found::default();
    let serial = programs(asked, Adds::Host);
    for (atomic, serial) in programs(asked, Adds::Atomic).iter().zip(&serial) {
        one(asked, folder, (atomic, serial), &mut found);
    }
    Ok(found)
}

fn one(asked: &Asked, folder: &Path, (drawn, serial): (&Drawn, &Drawn), found: &mut Found) {
    let slangc = asked.slangc.as_deref().unwrap_or(SLANGC);
    let title = format!("{} {}", drawn.kind, drawn.seed);
    let threads = drawn.threads(Machine::Core);
    let module = match module_of(drawn) {
        Ok(module) => Some(module),
        Err(why) => {
            found.refused.push(format!("{title}: ours: {why}"));
            None
        }
    };
    if let Err(why) = slangc::compile(slangc, folder, serial, &asked.floats) {
        found.refused.push(format!("{title}: {why}"));
        return;
    }
    let Some(module) = module else { return };
    let mut runs = Vec::new();
    for entry in &drawn.entries {
        match run(asked, folder, (drawn, &module), entry, threads) {
            Ok(run) => runs.push(run),
            Err(why) => found.refused.push(format!("{title} {}: {why}", entry.name)),
        }
    }
    let of = |ours: bool| {
        let results = |name| runs.iter().find(|r| r.entry.name == name).map(|r| r.results(ours));
        judge::consistent(drawn, threads, results("forward"), results("backward"))
    };
    let [ours_hold, theirs_hold] = [of(true), of(false)];
    let only_ours = ours_hold && !theirs_hold;
    for run in &runs {
        let name = format!("{title} {}", run.entry.name);
        let row = Row { name: name.clone(), times: run.times };
        match &run.wrong {
            None => found.rows.push(row),
            Some(why) if run.nearer.unwrap_or(only_ours) && run.entry.name != "value" => {
                found.theirs.push(format!("{name}: {why} (ours {:.3} of its time)", row.ratio()));
            }
            Some(why) => found.failed.push(format!(
                "{name}: {why}; forward and backward agree: ours {ours_hold}, slangc's {theirs_hold}; \
                 difference quotient: {}",
                run.nearer.map_or("open", |ours| if ours { "ours" } else { "slangc's" })
            )),
        }
    }
}

/// An entry point that both have run.
struct Run<'a> {
    entry: &'a Entry,
    times: [f64; 4],
    /// How results differ.
    wrong: Option<String>,
    /// Whether ours is nearer to a difference quotient, where derivatives differ.
    nearer: Option<bool>,
    ours: Vec<Vec<f32>>,
    theirs: Vec<Vec<f32>>,
}

impl Run<'_> {
    fn results(&self, ours: bool) -> &[Vec<f32>] {
        if ours { &self.ours } else { &self.theirs }
    }
}

fn run<'a>(
    asked: &Asked,
    folder: &Path,
    (drawn, module): (&Drawn, &caustic_ir::Module),
    entry: &'a Entry,
    threads: [u32; 2],
) -> Result<Run<'a>, String> {
    let [plain, atomic] = slangc::HARNESSES.map(|h| h.0);
    let by = |harness| slangc::run(folder, drawn, entry, threads, harness).map_err(|why| format!("slangc's: {why}"));
    let theirs = by(plain)?;
    let time = theirs.0.as_secs_f64();
    let again = if drawn.adds() { by(atomic)?.0.as_secs_f64() } else { time };
    let mut run =
        Run { entry, times: [0.0, 0.0, time, again], wrong: None, nearer: None, ours: Vec::new(), theirs: theirs.1 };
    let names: Vec<&str> =
        entry.arguments().filter(|&at| drawn.is_result(at)).map(|at| &*drawn.arguments[at].path).collect();
    for (at, lanes) in LANES.into_iter().enumerate() {
        let (time, results) = ours(drawn, module, entry, threads, (lanes, &asked.floats), None)
            .map_err(|why| format!("ours, {lanes} lanes: {why}"))?;
        run.times[at] = time.as_secs_f64();
        for ((name, ours), theirs) in names.iter().zip(&results).zip(&run.theirs) {
            if let (Some((index, why)), None) = (differ(ours, theirs), &run.wrong) {
                run.wrong = Some(format!("{lanes} lanes: `{name}` {why}"));
                run.nearer = nearer(drawn, module, threads, name, index, [ours[index], theirs[index]]);
            }
        }
        run.ours = results;
    }
    Ok(run)
}

/// Whether our derivative is nearer to the quotient of differences of the function than theirs;
/// nothing if that does not tell.
fn nearer(
    drawn: &Drawn,
    module: &caustic_ir::Module,
    threads: [u32; 2],
    result: &str,
    index: usize,
    [ours_found, theirs_found]: [f32; 2],
) -> Option<bool> {
    let argument = drawn.arguments.iter().find(|a| a.path == result)?;
    let of = argument.derivatives_of.as_ref()?;
    let by = drawn.arguments.iter().position(|a| &a.path == of)?;
    let value = drawn.entries.iter().find(|e| e.name == "value")?;
    let step = 0.01f32;
    let at = |by_step: f32| {
        let change = Some(Change { argument: by, index, by: by_step });
        let (_, results) = ours(drawn, module, value, threads, (1, "exact"), change).ok()?;
        Some(judge::forward_sum(drawn, &results, threads))
    };
    let quotient = (at(step)? - at(-step)?) / (2.0 * f64::from(step));
    let [a, b] = [ours_found, theirs_found].map(|x| (f64::from(x) - quotient).abs());
    (a.max(b) > 4.0 * a.min(b)).then_some(a < b)
}

/// A number that is not what the seed says.
struct Change {
    argument: usize,
    index: usize,
    by: f32,
}

fn module_of(drawn: &Drawn) -> Result<caustic_ir::Module, String> {
    const FILE: &str = "drawn.slang";
    let compiled = caustic_frontend::compile(&mut MemoryLoader::new(FILE, &drawn.text), FILE, &Options::default());
    compiled
        .module
        .ok_or_else(|| compiled.diagnostics.first().map_or_else(|| "nothing was found".into(), |d| d.to_string()))
}

fn ours(
    drawn: &Drawn,
    module: &caustic_ir::Module,
    entry: &Entry,
    threads: [u32; 2],
    (lanes, floats): (usize, &str),
    change: Option<Change>,
) -> Result<(Duration, Vec<Vec<f32>>), String> {
    let told = |found: Vec<caustic_ir::Diagnostic>| found.first().map_or_else(String::new, |d| d.to_string());
    let wrong = |e: &dyn std::fmt::Display| e.to_string();
    let interface = KernelInterface::of_module(module, Some(entry.name)).map_err(|e| wrong(&e))?;
    let cx = Context::default();
    let how = Derivatives::default();
    let mut module = pipeline::lower_kernel(module.clone(), interface.entry, how, Stage::Lowered, &cx).map_err(told)?;
    for standard in [OPTIMIZE_LLVM, STORAGE, INSTANCES] {
        pipelines::run(&mut module, standard, false).map_err(told)?;
    }
    let mut bindings = Bindings::new(&interface);
    for at in entry.arguments() {
        let argument = &drawn.arguments[at];
        let mut contents = drawn.contents(at, threads);
        if let Some(change) = change.as_ref().filter(|c| c.argument == at)
            && let Some(word) = contents.as_chunks_mut::<4>().0.get_mut(change.index)
        {
            *word = (f32::from_le_bytes(*word) + change.by).to_le_bytes();
        }
        let bound = match argument.place {
            Place::Scalar => bindings.bind_uniform(&interface, &argument.path, &contents),
            _ => bindings.bind_buffer(&interface, &argument.path, &contents),
        };
        bound.map_err(|e| format!("{e:?}"))?;
    }
    let floats = match floats {
        "fast" => Floats::Fast,
        "contract" => Floats::Contracted,
        _ => Floats::Exact,
    };
    let options = caustic_llvm::Options { lanes: Some(lanes), floats, ..caustic_llvm::Options::default() };
    let kernel = caustic_llvm::compile_kernel(&module, &interface, options).map_err(|e| wrong(&e))?;
    let prints = PrintLog::default();
    let grid = Grid { groups: drawn.groups(threads), numthreads: interface.numthreads };
    let launch = Launch { grid, bindings: &bindings, prints: &prints, traps: Traps::default() };
    kernel.run(&launch).map_err(|e| wrong(&e))?;
    let mut results = Vec::new();
    for at in entry.arguments().filter(|&at| drawn.is_result(at)) {
        let path = &drawn.arguments[at].path;
        let (buffer, _) = bindings.read_buffer(&interface, path).map_err(|e| format!("{e:?}"))?;
        results.push(crate::gradients::floats(&buffer.to_bytes()));
    }
    if change.is_some() {
        return Ok((Duration::ZERO, results));
    }
    let (mut time, mut all, mut times) = (Duration::MAX, Duration::ZERO, 0);
    while times < 3 || all < LONG_ENOUGH {
        let start = Instant::now();
        kernel.run(&launch).map_err(|e| wrong(&e))?;
        let once = start.elapsed();
        (time, all, times) = (time.min(once), all + once, times + 1);
    }
    Ok((time, results))
}

fn table(asked: &Asked, mut found: Found) -> String {
    found.rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let mut out = format!(
        "### Drawn programs of seed {} on one core, `--fp {}`\n\n| program | ours, 16 lanes, ms | one lane, ms | \
         slangc, C++ -O3, plain additions, ms | atomic, ms | best / atomic | best / plain |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        asked.seed, asked.floats
    );
    for row in &found.rows {
        let [many, one, plain, atomic] = row.times.map(|t| t * 1e3);
        let (name, ratio, other) = (&row.name, row.ratio(), many.min(one) / plain);
        let _ = writeln!(out, "| {name} | {many:.3} | {one:.3} | {plain:.3} | {atomic:.3} | {ratio:.3} | {other:.3} |");
    }
    let ratios: Vec<f64> = found.rows.iter().map(Row::ratio).collect();
    let above = |bound: f64| ratios.iter().filter(|&&r| r > bound).count();
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    let _ = writeln!(
        out,
        "\n{} kernels, median {median:.3}, above 1.0: {}, above 1.1: {}; {} refused, {} wrong by slangc, {} FAILED",
        ratios.len(),
        above(1.0),
        above(1.1),
        found.refused.len(),
        found.theirs.len(),
        found.failed.len()
    );
    for line in &found.refused {
        let _ = writeln!(out, "refused: {line}");
    }
    for line in &found.theirs {
        let _ = writeln!(out, "wrong by slangc: {line}");
    }
    for line in &found.failed {
        let _ = writeln!(out, "FAILED: {line}");
    }
    out
}
