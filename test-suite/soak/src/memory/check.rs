//! Checks a program on every back end against the judge.

use super::judge::{Cell, End, Stop, judge};
use super::print::{RESULT, global_name, print};
use super::tree::{Kind, Program};
use crate::oracle::run::{Ready, apply_all, compile, cranelift, interp};
use crate::oracle::{COMPILES, Failure, PANICS};
use caustic_ir::Module;
use caustic_passes::pipelines::{self, Standard};
use caustic_runtime::Traps;
use caustic_test_suite::random::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A back end, with the pipelines that run before it and the function that makes its module ready.
pub struct Way {
    pub name: &'static str,
    pipelines: &'static [Standard],
    ready: for<'m> fn(&'m Module, &str) -> Result<Ready<'m>, String>,
}

const NONE: &[Standard] = &[pipelines::NORMALIZE, pipelines::INSTANCES];
const CPU: &[Standard] = &[pipelines::NORMALIZE, pipelines::DIFFERENTIATE, pipelines::OPTIMIZE];
const INTERP: &[Standard] =
    &[pipelines::NORMALIZE, pipelines::DIFFERENTIATE, pipelines::OPTIMIZE, pipelines::INSTANCES];
const GPU: &[Standard] = &[pipelines::NORMALIZE, pipelines::DIFFERENTIATE, pipelines::OPTIMIZE_GPU];

/// All ways to run a program.
pub const WAYS: &[Way] = &[
    Way { name: "interp, normalized", pipelines: NONE, ready: interp },
    Way { name: "interp", pipelines: INTERP, ready: interp },
    Way { name: "cranelift", pipelines: CPU, ready: cranelift },
    #[cfg(feature = "llvm")]
    Way { name: "llvm", pipelines: CPU, ready: |m, e| crate::oracle::run::llvm(m, e, 1) },
    #[cfg(feature = "llvm")]
    Way { name: "llvm with 8 lanes", pipelines: CPU, ready: |m, e| crate::oracle::run::llvm(m, e, 8) },
    #[cfg(feature = "llvm")]
    Way { name: "llvm with 16 lanes", pipelines: CPU, ready: |m, e| crate::oracle::run::llvm(m, e, 16) },
    Way { name: "cranelift, passes for GPUs", pipelines: GPU, ready: cranelift },
];

#[derive(Clone, Copy, Debug)]
pub enum Seen {
    /// The language does not define the program's results.
    Open(&'static str),
    Compared {
        runs: usize,
        bytes: usize,
        outside: usize,
    },
}

/// Checks everything about a program; only one way, if `only` names it.
pub fn check(program: &Program, seed: u64, only: Option<&str>) -> Result<Seen, Failure> {
    let end = match judge(program) {
        Ok(end) => end,
        Err(Stop::Open(why)) => return Ok(Seen::Open(why)),
        Err(Stop::Steps) => return Ok(Seen::Open("too many steps")),
        Err(Stop::Nonsense) => return Ok(Seen::Open("no program")),
    };
    let (text, globals) = print(program);
    let fail = |oracle: &'static str| move |detail: String| Failure { oracle, detail };
    let module = guarded(|| compile(&text)).map_err(|(name, e)| fail(name.unwrap_or(COMPILES))(e))?;
    let (mut runs, mut bytes) = (0, 0);
    // One number of lanes is drawn for each program.
    let mut rng = Rng::new(seed ^ 0x1a9e5);
    let lanes: Vec<&str> = WAYS.iter().map(|w| w.name).filter(|n| n.starts_with("llvm")).collect();
    let drawn = rng.pick(&lanes).copied();
    for way in WAYS {
        let asked = match only {
            Some(only) => only == way.name,
            None => !way.name.starts_with("llvm") || drawn == Some(way.name),
        };
        if !asked {
            continue;
        }
        let got = guarded(|| contents(way, &module, program, &globals));
        let got = got.map_err(|(name, e)| fail(name.unwrap_or(way.name))(format!("{}: {e}", way.name)))?;
        runs += 1;
        bytes += compare(program, &globals, &end, &got).map_err(fail(way.name))?;
    }
    Ok(Seen::Compared { runs, bytes, outside: end.outside })
}

/// Runs `work` and turns a panic into an error.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, (Option<&'static str>, String)> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|e| (None, e)),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            Err((Some(PANICS), said.unwrap_or_default()))
        }
    }
}

/// The indices of the bound variables among the program's used global variables.
fn bound(program: &Program, globals: &[usize]) -> Vec<usize> {
    let is_bound = |g: &usize| !matches!(program.globals[*g].kind, Kind::Shared | Kind::Static);
    globals.iter().copied().filter(is_bound).collect()
}

/// The contents of the result and of the bound buffers after the run.
fn contents(way: &Way, module: &Module, program: &Program, globals: &[usize]) -> Result<Vec<Vec<u8>>, String> {
    let mut module = module.clone();
    for pipeline in way.pipelines {
        apply_all(&mut module, *pipeline)?;
    }
    let bound = bound(program, globals);
    let names: Vec<String> = bound.iter().map(|g| global_name(*g)).collect();
    let threads = program.threads * program.groups;
    let mut contents = vec![(RESULT, vec![0; 4 * threads])];
    contents.extend(names.iter().zip(&bound).map(|(n, g)| (n.as_str(), program.globals[*g].contents.clone())));
    let read: Vec<&str> = contents.iter().map(|(n, _)| *n).collect();
    let ready = (way.ready)(&module, "computeMain")?;
    ready.dispatch_with(threads, &contents, &read, Traps::default())
}

/// Compares the contents. Returns the number of compared bytes.
fn compare(program: &Program, globals: &[usize], end: &End, got: &[Vec<u8>]) -> Result<usize, String> {
    let sums = end.sums.iter().flat_map(|s| s.to_le_bytes()).map(Cell::Byte).collect();
    let mut wanted: Vec<(String, Vec<Cell>)> = vec![(RESULT.to_string(), sums)];
    wanted.extend(bound(program, globals).into_iter().map(|g| (global_name(g), end.globals[g].clone())));
    let mut bytes = 0;
    for ((name, cells), got) in wanted.iter().zip(got) {
        if cells.len() != got.len() {
            return Err(format!("{name} has {} bytes, not {}", got.len(), cells.len()));
        }
        for (at, (cell, got)) in cells.iter().zip(got).enumerate() {
            match cell {
                Cell::Byte(byte) if byte != got => {
                    return Err(format!("byte {at} of {name} is {got}, not {byte}"));
                }
                Cell::Byte(_) => bytes += 1,
                Cell::Pointer(_) | Cell::Unknown => {}
            }
        }
    }
    Ok(bytes)
}

/// The results by the judge, buffer by buffer. Bytes that are not defined are `?`.
pub fn wanted(program: &Program) -> String {
    let end = match judge(program) {
        Ok(end) => end,
        Err(stop) => return format!("{stop:?}\n"),
    };
    let mut out = format!("{RESULT}: {:?}\n", end.sums);
    for g in bound(program, &print(program).1) {
        let shown = end.globals[g].iter().map(|c| match c {
            Cell::Byte(b) => format!(" {b}"),
            Cell::Pointer(_) | Cell::Unknown => " ?".to_string(),
        });
        out.push_str(&format!("{}:{}\n", global_name(g), shown.collect::<String>()));
    }
    out
}

/// Whether the judge knows every byte that the program leaves.
pub(crate) fn is_known(program: &Program) -> bool {
    let Ok(end) = judge(program) else { return false };
    let bound = bound(program, &print(program).1);
    bound.into_iter().flat_map(|g| &end.globals[g]).all(|cell| matches!(cell, Cell::Byte(_)))
}

/// The options with which the command runs the program.
pub fn options(program: &Program) -> String {
    let (_, globals) = print(program);
    let threads = program.threads * program.groups;
    let mut out = format!("--dispatch {},1,1 --buffer {RESULT}=zero:{}", program.groups, 4 * threads);
    let mut read = format!(" --read {RESULT}");
    for g in bound(program, &globals) {
        let (name, contents) = (global_name(g), &program.globals[g].contents);
        let bytes: Vec<String> = contents.iter().map(u8::to_string).collect();
        out.push_str(&match contents.iter().all(|b| *b == 0) {
            true => format!(" --buffer {name}=zero:{}", contents.len()),
            false => format!(" --buffer {name}=u8:{}", bytes.join(",")),
        });
        read.push_str(&format!(" --read {name}:u8"));
    }
    out + &read
}
