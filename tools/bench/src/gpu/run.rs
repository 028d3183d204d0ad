//! Measures compiled kernels on the machine's first GPU, after comparing what they compute with
//! Cranelift's results on fewer threads.

use super::programs::{Data, ENTRIES, PROGRAMS, Program, Variant, compiled, numbers};
use super::{Asked, Way, ceilings, counters, file};
use caustic_cuda::{Argument, Device, DeviceBuffer};
use caustic_driver::pipeline;
use caustic_interp::Interp;
use caustic_passes::pipelines::{self, DIFFERENTIATE, INSTANCES, NORMALIZE, OPTIMIZE, STORAGE};
use caustic_runtime::{Bindings, Description, Executor, Grid, KernelInterface, Launch, PrintLog, Traps};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Launches of which the median is taken.
pub const TIMES: usize = 21;
/// Differences from the CPU, in parts of the largest number of a buffer, beyond which there is no
/// table: sums of floats in another order and approximate functions stay well below it.
const MOST: f32 = 0.01;

pub fn wrong(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A parameter's contents.
enum Given {
    Floats(Vec<f32>),
    Int(u32),
}

/// So many that all others repeat them.
const DIFFERENT: usize = 1 << 22;

fn random(count: usize, low: f32, high: f32) -> Vec<f32> {
    let mut out = numbers(count.min(DIFFERENT), low, high);
    while out.len() < count {
        out.extend_from_within(..(count - out.len()).min(DIFFERENT));
    }
    out
}

fn bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|w| f32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
}

fn given(program: &Program, variant: &Variant, name: &str, threads: [u32; 3]) -> Result<Given, String> {
    if let Some((_, value)) = variant.ints.iter().find(|(n, _)| *n == name) {
        return Ok(Given::Int(*value));
    }
    let (_, data) = program
        .data
        .iter()
        .find(|(n, _)| *n == name)
        .ok_or_else(|| format!("{}: nothing is known of `{name}`", program.name))?;
    let all = threads.iter().map(|&n| n as usize).product::<usize>();
    Ok(match data {
        Data::Own(each, low, high) => Given::Floats(random(each * all, *low, *high)),
        Data::Shared(count, low, high) => Given::Floats(random(*count, *low, *high)),
        Data::Made(make) => Given::Floats(make()),
        Data::Result(each) => Given::Floats(vec![0.0; each * all]),
        Data::Sums(count) => Given::Floats(vec![0.0; *count]),
        Data::Int(of) => Given::Int(of(threads)),
    })
}

fn is_result(program: &Program, name: &str) -> bool {
    program.data.iter().any(|(n, d)| *n == name && matches!(d, Data::Result(_) | Data::Sums(_)))
}

/// What is known of a kernel from the CPU.
struct Expected {
    /// Results by their names.
    results: Vec<(String, Vec<f32>)>,
    /// A thread's operations on floats.
    flops: f64,
}

fn expected(program: &Program, variant: &Variant, entry: &str, threads: [u32; 3]) -> Result<Expected, String> {
    let told = |found: Vec<caustic_ir::Diagnostic>| found.first().map_or_else(String::new, |d| d.to_string());
    let (mut module, interface) = compiled(program, variant, entry)?;
    pipeline::keep_only(&mut module, interface.entry);
    for standard in [NORMALIZE, DIFFERENTIATE, OPTIMIZE] {
        pipelines::run(&mut module, standard, false).map_err(told)?;
    }
    let bindings = || {
        let mut bindings = Bindings::new(&interface);
        for param in &interface.params {
            let bound = match given(program, variant, &param.name, threads)? {
                Given::Floats(contents) => bindings.bind_buffer(&interface, &param.name, &bytes(&contents)),
                Given::Int(value) => bindings.bind_uniform(&interface, &param.name, &value.to_le_bytes()),
            };
            bound.map_err(|e| format!("{e:?}"))?;
        }
        Ok::<_, String>(bindings)
    };
    let prints = PrintLog::default();
    let flops = {
        let grid = Grid { groups: [1; 3], numthreads: interface.numthreads };
        let mut module = module.clone();
        pipelines::run(&mut module, INSTANCES, false).map_err(told)?;
        let interp = Interp::new(&module);
        let launch = Launch { grid, bindings: &bindings()?, prints: &prints, traps: Traps::default() };
        caustic_interp::Kernel::new(&interp, &interface).run(&launch).map_err(wrong)?;
        interp.float_ops() as f64 / grid.threads_per_group() as f64
    };
    for standard in [STORAGE, INSTANCES] {
        pipelines::run(&mut module, standard, false).map_err(told)?;
    }
    let bindings = bindings()?;
    let kernel =
        caustic_cranelift::compile_kernel(&module, &interface, caustic_cranelift::Options::default()).map_err(wrong)?;
    let grid = Grid { groups: groups(threads, interface.numthreads), numthreads: interface.numthreads };
    kernel.run(&Launch { grid, bindings: &bindings, prints: &prints, traps: Traps::default() }).map_err(wrong)?;
    let results = interface.params.iter().filter(|p| is_result(program, &p.name));
    let read = |name: &str| -> Result<(String, Vec<f32>), String> {
        let (buffer, _) = bindings.read_buffer(&interface, name).map_err(|e| format!("{e:?}"))?;
        Ok((name.to_string(), floats(&buffer.to_bytes())))
    };
    Ok(Expected { results: results.map(|p| read(&p.name)).collect::<Result<_, _>>()?, flops })
}

fn groups(threads: [u32; 3], of: [u32; 3]) -> [u32; 3] {
    std::array::from_fn(|d| threads[d].div_ceil(of[d]))
}

/// Contents on the device, made once for all kernels that take them.
struct Memory<'a> {
    device: &'a Arc<Device>,
    program: &'a Program,
    variant: &'a Variant,
    threads: [u32; 3],
    buffers: HashMap<String, DeviceBuffer>,
}

/// What a kernel is given on the device: CUDA's text takes a buffer as a struct of address and
/// count, ours takes two parameters.
struct Arguments {
    words: Vec<Vec<u8>>,
    bytes: usize,
}

impl Memory<'_> {
    fn arguments(&mut self, interface: &KernelInterface, ours: bool) -> Result<Arguments, String> {
        let mut out = Arguments { words: Vec::new(), bytes: 0 };
        for param in &interface.params {
            let name = param.name.to_string();
            if !param.is_buffer() {
                let Given::Int(value) = given(self.program, self.variant, &name, self.threads)? else {
                    return Err(format!("{}: `{name}` is no number", self.program.name));
                };
                out.words.push(value.to_le_bytes().to_vec());
                continue;
            }
            if !self.buffers.contains_key(&name) {
                let Given::Floats(contents) = given(self.program, self.variant, &name, self.threads)? else {
                    return Err(format!("{}: `{name}` is no buffer", self.program.name));
                };
                let buffer = self.device.upload(&bytes(&contents)).map_err(|e| e.message)?;
                self.buffers.insert(name.clone(), buffer);
            }
            let buffer = &self.buffers[&name];
            let count = (buffer.bytes() / (param.layout.size as usize).max(1)) as u64;
            let words = [buffer.address().to_le_bytes().to_vec(), count.to_le_bytes().to_vec()];
            if ours {
                out.words.extend(words);
            } else {
                out.words.push(words.concat());
            }
            out.bytes += buffer.bytes();
        }
        Ok(out)
    }

    /// Results are zero again.
    fn clear(&self) -> Result<(), String> {
        for (name, buffer) in self.buffers.iter().filter(|(n, _)| is_result(self.program, n)) {
            buffer.fill(0).map_err(|e| format!("{name}: {}", e.message))?;
        }
        Ok(())
    }
}

/// Threads that a group of ours is launched with.
fn block_of(description: &Path) -> Option<[u32; 3]> {
    let text = std::fs::read_to_string(description).ok()?;
    Some(Description::parse(&text).ok()?.interface.numthreads)
}

/// The kernel's text, if this way made one: what is CUDA is compiled here.
fn ptx(folder: &Path, program: &Program, variant: usize, entry: &str, way: Way, arch: &str) -> Option<String> {
    let made = file(folder, program.name, variant, entry, way, "ptx");
    if way.is_ours() {
        return std::fs::read_to_string(made).ok();
    }
    let source: PathBuf = match way {
        Way::Slangc | Way::Source | Way::SourceContracted => file(folder, program.name, variant, entry, way, "cu"),
        _ => folder.join(format!("{}.hand.cu", program.name)),
    };
    if !source.exists() {
        return None;
    }
    // What an earlier run compiled, if the source was not written anew since.
    let time = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).ok();
    if time(&made) > time(&source) {
        return std::fs::read_to_string(made).ok();
    }
    let mut nvcc = Command::new("nvcc");
    nvcc.args(["-O3", "-ptx", "-w", &format!("-arch={arch}"), "-o"]).arg(&made).arg(source);
    match way {
        Way::HandFast => nvcc.arg("-use_fast_math"),
        Way::Source => nvcc.args(["-std=c++17", "-fmad=false"]),
        Way::SourceContracted => nvcc.arg("-std=c++17"),
        _ => &mut nvcc,
    };
    if matches!(way, Way::Hand | Way::HandFast) {
        nvcc.args(program.variants[variant].defines.iter().map(|(n, v)| format!("-D{n}={v}")));
    }
    let output = nvcc.output().ok()?;
    output.status.success().then(|| std::fs::read_to_string(made).ok()).flatten()
}

/// Why kernels are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// They are compared with the CPU and measured.
    Time,
    /// They are compared with the CPU, on few threads (for `compute-sanitizer`).
    Check,
    /// Each is launched once, for a profiler that counts.
    Count,
}

impl Purpose {
    /// The option that asks for it.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Purpose::Time => None,
            Purpose::Check => Some("--check"),
            Purpose::Count => Some("--count"),
        }
    }
}

struct Measured {
    /// How what it computes differs from the CPU's results, if more than a little.
    wrong: Option<String>,
    milliseconds: f32,
    registers: u32,
    local: u32,
    bytes: usize,
    flops: f64,
}

fn measured(
    memory: &mut [Memory<'_>; 2],
    interface: &KernelInterface,
    (text, block): (&str, [u32; 3]),
    (ours, purpose): (bool, Purpose),
    expected: &Expected,
) -> Result<Option<Measured>, String> {
    let said = |e: caustic_cuda::CudaError| e.message;
    let [full, small] = memory;
    let device = full.device;
    let module = device.load(text).map_err(said)?;
    let Ok(function) = module.function(&interface.entry) else { return Ok(None) };
    let launch = |threads: [u32; 3], given: &Arguments| {
        let list: Vec<Argument<'_>> = given.words.iter().map(|w| Argument::Contents(w)).collect();
        let groups = groups(threads, interface.numthreads);
        // SAFETY: the arguments follow from the interface, of which all versions of a kernel take
        // the same.
        unsafe { function.launch(groups, block, &list, None) }.map_err(said)
    };
    let (registers, local) = (function.registers(), function.local_bytes());
    if purpose == Purpose::Count {
        launch(full.threads, &full.arguments(interface, ours)?)?;
        device.synchronize().map_err(said)?;
        return Ok(Some(Measured { wrong: None, milliseconds: f32::NAN, registers, local, bytes: 0, flops: 0.0 }));
    }
    let few = small.arguments(interface, ours)?;
    small.clear()?;
    launch(small.threads, &few)?;
    device.synchronize().map_err(said)?;
    let mut wrong = None;
    for (name, expected) in &expected.results {
        let Some(buffer) = small.buffers.get(name) else { continue };
        let found = floats(&buffer.read().map_err(said)?);
        let scale = expected.iter().fold(1e-6f32, |m, x| m.max(x.abs()));
        let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        let worst = differences.fold(0.0f32, |m, d| if d <= m { m } else { d });
        if worst.is_nan() || worst > MOST * scale {
            wrong = Some(format!("`{name}` differs from the CPU's by {worst} (its largest number is {scale})"));
        }
    }
    if purpose == Purpose::Check {
        return Ok(Some(Measured { wrong, milliseconds: f32::NAN, registers, local, bytes: 0, flops: 0.0 }));
    }
    let many = full.arguments(interface, ours)?;
    let milliseconds = median_time(device, TIMES, &mut || launch(full.threads, &many))?;
    let flops = expected.flops * full.threads.iter().map(|&n| f64::from(n)).product::<f64>();
    Ok(Some(Measured { wrong, milliseconds, registers, local, bytes: many.bytes, flops }))
}

/// Milliseconds of the machine's own clock.
pub fn median_time(
    device: &Arc<Device>,
    times: usize,
    launch: &mut dyn FnMut() -> Result<(), String>,
) -> Result<f32, String> {
    let said = |e: caustic_cuda::CudaError| e.message;
    let mut found = Vec::new();
    for _ in 0..times + 2 {
        let (start, end) = (device.event().map_err(said)?, device.event().map_err(said)?);
        start.record(None).map_err(said)?;
        launch()?;
        end.record(None).map_err(said)?;
        found.push(end.since(&start).map_err(said)?);
    }
    // The first two find caches and clocks cold.
    found.drain(..2);
    found.sort_by(f32::total_cmp);
    Ok(found[found.len() / 2])
}

/// Each variant in a process of its own, since a kernel that fails takes all others of its process
/// with it.
pub fn run(folder: &Path, asked: &Asked<'_>) -> Result<String, String> {
    let device = Device::open(0).map_err(|e| e.message)?;
    let mut out = format!("{}, median of {TIMES}\n", device.name());
    if let Some(most) = if asked.purpose == Purpose::Time { ceilings::measure(folder, &device)? } else { None } {
        let (bytes, flops) = (most.bytes_a_second / 1e9, most.flops_a_second / 1e9);
        let _ = writeln!(
            out,
            "At most {bytes:.0} GB/s (reading and writing at once) and {flops:.0} Gflop/s (multiply-adds of floats) were reached.\n\
             GB/s of a derivative are its buffers' bytes, each once, in its time; Gflop/s the operations on floats that its optimized code has, as the \
             interpreter counts them in one group: `+ - * /` and functions one each."
        );
    }
    drop(device);
    let mut failed = false;
    let itself = std::env::current_exe().map_err(wrong)?;
    for program in PROGRAMS.iter().filter(|p| p.name.contains(asked.only)) {
        for number in 0..program.variants.len() {
            let mut command = Command::new(&itself);
            command.arg("--gpu-variant").arg(folder).args([asked.arch, program.name, &number.to_string()]);
            command.args(asked.purpose.word());
            let output = command.output().map_err(wrong)?;
            out += &String::from_utf8_lossy(&output.stdout);
            out += &String::from_utf8_lossy(&output.stderr);
            failed |= !output.status.success();
            // What has been measured is there even if the rest takes too long.
            std::fs::write(folder.join("tables.md"), &out).map_err(wrong)?;
        }
    }
    if failed { Err(out) } else { Ok(out) }
}

/// The table of one variant.
pub fn run_variant(folder: &Path, arch: &str, program: &str, number: &str, purpose: Purpose) -> Result<String, String> {
    let program = PROGRAMS.iter().find(|p| p.name == program).ok_or("there is no such program")?;
    let number: usize = number.parse().map_err(wrong)?;
    let variant = program.variants.get(number).ok_or("there is no such variant")?;
    let device = Device::open(0).map_err(|e| e.message)?;
    let label = if variant.label.is_empty() { String::new() } else { format!(", {}", variant.label) };
    let mut out = format!("\n### {}{label}\n\n", program.title);
    out +=
        "| | primal, ms | forward, ms | reverse, ms | reverse / primal | GB/s | Gflop/s | registers | local bytes |\n";
    out += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    let [_, small] = program.threads;
    let mut kernels = Vec::new();
    for entry in ENTRIES {
        // Counting takes long, and forward derivatives are like their functions.
        if (purpose, entry) == (Purpose::Count, "forward") {
            continue;
        }
        let results = match purpose {
            Purpose::Count => Expected { results: Vec::new(), flops: 0.0 },
            _ => expected(program, variant, entry, small)?,
        };
        kernels.push((entry, compiled(program, variant, entry)?.1, results));
    }
    let ways = Way::ALL.into_iter().filter(|w| w.is_ours() || purpose != Purpose::Check);
    let asked: Vec<(Way, &'static str)> = ways.flat_map(|w| ENTRIES.map(|e| (w, e))).collect();
    let texts: Vec<Option<String>> = std::thread::scope(|scope| {
        let compile =
            |&(way, entry): &(Way, &'static str)| scope.spawn(move || ptx(folder, program, number, entry, way, arch));
        let running: Vec<_> = asked.iter().map(compile).collect();
        running.into_iter().map(|t| t.join().ok().flatten()).collect()
    });
    let mut memory =
        program.threads.map(|threads| Memory { device: &device, program, variant, threads, buffers: HashMap::new() });
    let (mut failed, mut notes) = (String::new(), String::new());
    let mut rows: Vec<(Way, String)> = Vec::new();
    // What others made comes last: if it breaks the device, ours has been measured.
    let last = [Way::Hand, Way::HandFast, Way::Slangc];
    for way in Way::ALL.into_iter().filter(|way| !last.contains(way)).chain(last) {
        let mut cells: Vec<Option<Measured>> = Vec::new();
        for (entry, interface, results) in &kernels {
            let ours = way.is_ours();
            let text = asked.iter().zip(&texts).find(|(a, _)| **a == (way, *entry)).and_then(|(_, t)| t.as_deref());
            let block = if ours { block_of(&file(folder, program.name, number, entry, way, "json")) } else { None };
            let block = block.unwrap_or(interface.numthreads);
            let takes_as_ours = way.takes_as_ours();
            let found = text.map(|t| measured(&mut memory, interface, (t, block), (takes_as_ours, purpose), results));
            let (cell, why) = match found.transpose() {
                Ok(cell) => {
                    let cell = cell.flatten();
                    let why = cell.as_ref().and_then(|c| c.wrong.clone());
                    (cell, why)
                }
                Err(why) => (None, Some(why)),
            };
            if let (Purpose::Count, Some(found)) = (purpose, &cell) {
                let (way, registers, local) = (way.word(), found.registers, found.local);
                let _ = writeln!(out, "{} {way} {entry} {registers} {local}", counters::LAUNCHED);
            }
            cells.push(cell);
            if let Some(why) = why {
                // That others are wrong, or stop, is told and no reason to fail.
                let to = if way.takes_as_ours() { &mut failed } else { &mut notes };
                let _ = writeln!(to, "{}, {entry}: {why}", way.title());
            }
        }
        if cells.iter().any(Option::is_some) {
            rows.push((way, row(way, &cells)));
        }
    }
    for way in Way::ALL {
        rows.iter().filter(|(w, _)| *w == way).for_each(|(_, row)| out += row);
    }
    if !notes.is_empty() {
        out += &format!("\n{notes}");
    }
    if failed.is_empty() { Ok(out) } else { Err(format!("{out}\n{failed}")) }
}

fn row(way: Way, cells: &[Option<Measured>]) -> String {
    let mut row = format!("| {} |", way.title());
    for cell in cells {
        let _ = match cell {
            Some(m) if m.wrong.is_some() => write!(row, " {:.3} (wrong) |", m.milliseconds),
            Some(m) => write!(row, " {:.3} |", m.milliseconds),
            None => write!(row, " |"),
        };
    }
    if let [primal, _, Some(reverse)] = cells {
        let ratio = primal.as_ref().map_or(String::new(), |p| format!("{:.2}", reverse.milliseconds / p.milliseconds));
        let speed = reverse.bytes as f32 / (reverse.milliseconds * 1e6);
        let flops = reverse.flops / (f64::from(reverse.milliseconds) * 1e6);
        let _ = write!(row, " {ratio} | {speed:.0} | {flops:.0} | {} | {} |", reverse.registers, reverse.local);
    } else {
        row += " | | | | |";
    }
    row.push('\n');
    row
}
