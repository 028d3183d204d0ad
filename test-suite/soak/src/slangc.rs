//! Runs the same programs through an installed `slangc`, with its C++ target and a C++ compiler,
//! and tells which compiler is right where they differ.
//!
//! This measures both compilers and never decides whether a program fails. Finite differences of
//! the program itself, in `double`, decide which one is right.

use crate::generate::{Limits, program};
use crate::oracle::points::{self, OFFSETS, Parts, close, difference};
use crate::oracle::run::{self, Numbers};
use crate::oracle::{Case, FIRST, check};
use crate::soak::seed_of;
use crate::tree::print::{Layout, Style, print};
use crate::tree::{FuncKind, Kind, Program};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The paths of the tools.
#[derive(Clone, Debug)]
pub struct Tools {
    pub slangc: PathBuf,
    pub cxx: PathBuf,
    pub folder: PathBuf,
}

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub agree: u64,
    /// The number of programs that `slangc` refused, by the first line of its message.
    pub refused: std::collections::BTreeMap<String, u64>,
    /// Seeds of programs for which the derivative by `slangc` differs from the finite differences,
    /// and ours does not.
    pub slangc_wrong: Vec<u64>,
    pub ours_wrong: Vec<u64>,
    pub open: Vec<u64>,
}

/// Reads the buffers, runs the kernel over a line of threads, and writes the result.
const HARNESS: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "kernel.cpp"
static std::vector<char> contents(const char* path)
{
    std::vector<char> out;
    FILE* f = fopen(path, "rb");
    if (!f) exit(3);
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) out.insert(out.end(), part, part + n);
    fclose(f);
    return out;
}
int main(int, char** args)
{
    struct Slot { void* data; size_t count; };
    std::vector<char> files[4];
    Slot slots[4];
    const size_t sizes[4] = { 8, 8, 4, 8 };
    for (int i = 0; i < 4; i++)
    {
        files[i] = contents(args[i + 1]);
        slots[i] = { files[i].data(), files[i].size() / sizes[i] };
    }
    unsigned threads[6] = { 0, 0, 0, (unsigned)atoi(args[5]), 1, 1 };
    char none[256] = {};
    gradMain((ComputeVaryingInput*)threads, none, slots);
    FILE* f = fopen(args[4], "wb");
    fwrite(files[3].data(), 1, files[3].size(), f);
    return fclose(f);
}
"#;

/// Compares programs until the time is over.
pub fn compare(tools: &Tools, seed: u64, limits: Limits, time: Duration, say: fn(&str)) -> Result<Tally, String> {
    std::fs::create_dir_all(&tools.folder).map_err(|e| e.to_string())?;
    let (start, mut tally) = (Instant::now(), Tally::default());
    for n in 0.. {
        if start.elapsed() >= time {
            break;
        }
        let seed = seed_of(seed, n);
        let mut case = Case { program: program(seed, limits), seed };
        // The C++ target of `slangc` is only usable for first derivatives.
        case.program.second = false;
        if case.program.detaches() || is_beyond(&case.program) || check(&case, Some(FIRST)).is_err() {
            continue;
        }
        one(tools, &case, &mut tally)?;
        if tally.agree.is_multiple_of(50) && tally.agree > 0 {
            say(&format!("{} agree, {} of slangc wrong", tally.agree, tally.slangc_wrong.len()));
        }
    }
    Ok(tally)
}

/// Whether the program uses something for which `slangc` has no derivative, or that needs bounds
/// which idioms do not state.
fn is_beyond(p: &Program) -> bool {
    let mut found = false;
    for f in p.functions() {
        found |= matches!(f.kind, FuncKind::Idiom(_));
        f.body.walk(&mut |n| found |= matches!(n.kind, Kind::Spell(text) if text.contains("step(")));
    }
    found
}

fn one(tools: &Tools, case: &Case, tally: &mut Tally) -> Result<(), String> {
    let layout = Layout::of(&case.program);
    let points = points::points(&layout, 2, case.seed);
    let text = print(&case.program, &Style { bounds: true, ..Style::default() });
    let theirs = match theirs(tools, &text, &points::batch(&points), &layout) {
        Ok(numbers) => numbers,
        Err(said) => {
            // Names and numbers differ between programs, so they are removed.
            let line: String = said.chars().filter(|c| !c.is_ascii_digit()).take(100).collect();
            *tally.refused.entry(line).or_default() += 1;
            return Ok(());
        }
    };
    let ours = ours(&text, &points::batch(&points), &layout)?;
    let moved = ours_moved(&text, &points, &layout)?;
    let (mut agree, mut slangc_wrong, mut ours_wrong, mut open) = (true, false, false, false);
    for i in 0..points.len() {
        let (a, b) = (Parts::of(&ours[i], &layout), Parts::of(&theirs[i], &layout));
        for (k, (&here, &there)) in a.along.iter().zip(b.along).enumerate() {
            if close(here, there, 1e-6) {
                continue;
            }
            agree = false;
            match difference(std::array::from_fn(|o| moved[i * OFFSETS.len() + o][k])) {
                Some(n) if close(here, n, 1e-4) => slangc_wrong = true,
                Some(n) if close(there, n, 1e-4) => ours_wrong = true,
                _ => open = true,
            }
        }
        // Our gradient is the transpose of the derivative that was just compared.
        let active = layout.active();
        if (0..layout.reals).any(|k| active[k] && !close(a.gradient[k], b.gradient[k], 1e-6)) {
            slangc_wrong |= agree;
            agree = false;
        }
    }
    match () {
        _ if agree => tally.agree += 1,
        _ if ours_wrong => tally.ours_wrong.push(case.seed),
        _ if slangc_wrong => tally.slangc_wrong.push(case.seed),
        _ if open => tally.open.push(case.seed),
        _ => {}
    }
    Ok(())
}

fn ours(text: &str, batch: &run::Batch, layout: &Layout) -> Result<Numbers, String> {
    run::compiled(&run::lowered(text)?, "gradMain")?.run(batch, layout, false)
}

fn ours_moved(text: &str, points: &[points::Point], layout: &Layout) -> Result<Numbers, String> {
    ours(text, &points::moved(points, layout, 0), layout)
}

/// Runs a tool. The error is its output, if it fails.
fn call(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("cannot run {:?}: {e}", command.get_program()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let line = said.lines().find(|l| l.contains("error")).or(said.lines().next()).unwrap_or("no message");
    Err(line.rsplit_once(": error").map_or(line, |(_, rest)| rest).to_string())
}

fn theirs(tools: &Tools, text: &str, batch: &run::Batch, layout: &Layout) -> Result<Numbers, String> {
    let at = |name: &str| tools.folder.join(name);
    let write = |path: &Path, bytes: &[u8]| std::fs::write(path, bytes).map_err(|e| e.to_string());
    write(&at("program.slang"), text.as_bytes())?;
    write(&at("harness.cpp"), HARNESS.as_bytes())?;
    let mut slangc = Command::new(&tools.slangc);
    slangc.arg(at("program.slang")).args(["-target", "cpp", "-entry", "gradMain", "-stage", "compute", "-o"]);
    call(slangc.arg(at("kernel.cpp"))).map_err(|e| format!("slangc: {e}"))?;
    let mut cxx = Command::new(&tools.cxx);
    cxx.args(["-std=c++17", "-O0", "-w", "-o"]).arg(at("kernel")).arg(at("harness.cpp"));
    call(&mut cxx).map_err(|e| format!("C++: {e}"))?;
    let result = vec![0.0; layout.result_stride() * batch.threads];
    let ints: Vec<u8> = batch.ints.iter().flat_map(|v| v.to_le_bytes()).collect();
    let files = [("table", run::bytes(&run::TABLE, false)), ("data", run::bytes(&batch.data, false)), ("ints", ints)];
    for (name, bytes) in files.iter().map(|(n, b)| (*n, b)).chain([("result", &run::bytes(&result, false))]) {
        write(&at(name), bytes)?;
    }
    let mut kernel = Command::new(at("kernel"));
    kernel.args(["table", "data", "ints", "result"].map(at)).arg(batch.threads.to_string());
    call(&mut kernel).map_err(|e| format!("its kernel: {e}"))?;
    let bytes = std::fs::read(at("result")).map_err(|e| e.to_string())?;
    Ok(run::reals(&bytes, false).chunks(layout.result_stride()).map(<[f64]>::to_vec).collect())
}

impl Tally {
    pub fn to_text(&self) -> String {
        let refused: u64 = self.refused.values().sum();
        let mut out = format!(
            "{} agree, {refused} refused by slangc, {} wrong by slangc {:?}, {} wrong by us {:?}, {} open {:?}\n",
            self.agree,
            self.slangc_wrong.len(),
            self.slangc_wrong,
            self.ours_wrong.len(),
            self.ours_wrong,
            self.open.len(),
            self.open
        );
        for (said, count) in &self.refused {
            out.push_str(&format!("{count:6}  {said}\n"));
        }
        out
    }
}
