//! Drawn programs on a GPU: our PTX beside `slangc`'s CUDA by `nvcc -O3`, with the same arguments.
//! Results are compared on few threads, and times are of many.
//!
//! Each program runs in a process of its own, since a kernel that fails takes all others of its
//! process with it.

use super::judge::{consistent, differ};
use super::program::{Drawn, Entry, Machine, Place, Slot};
use super::tool::call;
use super::write::Adds;
use super::{Asked, programs, same_floats};
use crate::gpu::median_time;
use crate::gradients::floats;
use caustic_cuda::{Argument, Device, DeviceBuffer};
use caustic_runtime::{Bindings, Description, Slot as Bound};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Launches of which the median is taken.
const TIMES: usize = 11;

/// Milliseconds that all launches of a kernel may take together.
const LONG: f32 = 400.0;

/// Which programs a folder holds.
pub struct Manifest {
    seed: u64,
    count: usize,
    one: String,
    only: String,
    arch: String,
    floats: String,
}

impl Manifest {
    #[cfg(feature = "llvm")]
    pub fn of(asked: &Asked) -> Manifest {
        let Asked { seed, count, one, only, arch, floats, .. } = asked.clone();
        let one = one.map_or(String::new(), |seed| seed.to_string());
        Manifest { seed, count, one, only, arch, floats }
    }
    #[cfg(feature = "llvm")]
    pub fn to_text(&self) -> String {
        let Manifest { seed, count, one, only, arch, floats } = self;
        format!("{seed}\n{count}\n{one}\n{only}\n{arch}\n{floats}\n")
    }
    /// What was asked for when the folder was made.
    fn read(folder: &Path) -> Result<Manifest, String> {
        let text =
            std::fs::read_to_string(folder.join("manifest")).map_err(|e| format!("{}: {e}", folder.display()))?;
        let lines: Vec<&str> = text.lines().collect();
        let &[seed, count, one, only, arch, floats] = &lines[..] else {
            return Err("the manifest is malformed".into());
        };
        let number = |text: &str| text.parse::<u64>().map_err(|e| e.to_string());
        Ok(Manifest {
            seed: number(seed)?,
            count: number(count)? as usize,
            one: one.into(),
            only: only.into(),
            arch: arch.into(),
            floats: floats.into(),
        })
    }
    fn programs(&self, asked: &Asked) -> Vec<Drawn> {
        let one = self.one.parse().ok();
        let asked = Asked { seed: self.seed, count: self.count, one, only: self.only.clone(), ..asked.clone() };
        programs(&asked, Adds::Atomic)
    }
}

/// Where something of a program lies.
pub fn file(folder: &Path, number: usize, entry: &str, kind: &str) -> PathBuf {
    let dot = if entry.is_empty() { "" } else { "." };
    folder.join(format!("{number:03}{dot}{entry}.{kind}"))
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn cuda(error: caustic_cuda::CudaError) -> String {
    error.message
}

/// The table, worst ratios first; `results.csv` in the folder has the same rows.
pub fn run(asked: &Asked) -> Result<String, String> {
    let folder = Path::new(&asked.folder);
    let manifest = Manifest::read(folder)?;
    let all = manifest.programs(asked);
    let mut told = match &asked.beside {
        Some(_) => String::new(),
        None => by_nvcc(folder, all.len(), &manifest),
    };
    let itself = std::env::current_exe().map_err(said)?;
    let mut rows: Vec<(f64, String)> = Vec::new();
    for (number, drawn) in all.iter().enumerate() {
        let mut command = Command::new(&itself);
        command.args(["--drawn", "--gpu-one", &asked.folder, &number.to_string()]);
        command.args(asked.beside.iter().flat_map(|other| ["--beside", other]));
        match call(&mut command) {
            Ok(text) => {
                for line in text.lines() {
                    match line.strip_prefix("row,") {
                        Some(row) => {
                            rows.push((row.split(',').nth(5).and_then(|r| r.parse().ok()).unwrap_or(0.0), row.into()))
                        }
                        None => told += &format!("{line}\n"),
                    }
                }
            }
            Err(why) => told += &format!("FAILED: {} {}: {why}\n", drawn.kind, drawn.seed),
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let head = "kind,seed,entry,ours_ms,slangc_ms,ratio,ours_registers,ours_local,slangc_registers,slangc_local,agree";
    let csv: String = rows.iter().map(|(_, row)| format!("{row}\n")).collect();
    std::fs::write(folder.join("results.csv"), format!("{head}\n{csv}")).map_err(said)?;
    let device = Device::open(0).map_err(cuda)?;
    let mut out = format!(
        "### Drawn programs of seed {} on {}, `--fp {}`, median of {TIMES}\n\n| {} |\n|{}\n",
        manifest.seed,
        device.name(),
        manifest.floats,
        head.replace(',', " | "),
        " --- |".repeat(head.split(',').count())
    );
    for (_, row) in &rows {
        let _ = writeln!(out, "| {} |", row.replace(',', " | "));
    }
    let ratios: Vec<f64> = rows.iter().filter(|r| r.1.ends_with(",yes")).map(|r| r.0).collect();
    let above = |bound: f64| ratios.iter().filter(|&&r| r > bound).count();
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    let counts = format!("above 1.0: {}, above 1.1: {}", above(1.0), above(1.1));
    let _ = writeln!(out, "\n{} kernels that agree, median {median:.3}, {counts}\n{told}", ratios.len());
    Ok(out)
}

/// Compiles the CUDA of all programs; gives what failed.
fn by_nvcc(folder: &Path, count: usize, manifest: &Manifest) -> String {
    let floats = same_floats::nvcc(&manifest.floats);
    let arch = format!("-arch={}", manifest.arch);
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || {
            let mut failed = String::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= count {
                    return failed;
                }
                let (source, made) = (file(folder, number, "", "cu"), file(folder, number, "slangc", "ptx"));
                if !source.exists() || made.exists() {
                    continue;
                }
                let mut nvcc = Command::new("nvcc");
                nvcc.args(["-O3", "-ptx", "-w", "-std=c++17", &arch]).args(floats).arg("-o").arg(made).arg(source);
                if let Err(why) = call(&mut nvcc) {
                    failed += &format!("refused: {number:03}: nvcc: {why}\n");
                }
            }
        };
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running.into_iter().filter_map(|r| r.join().ok()).collect()
    })
}

/// Arguments of a program on the device, for some number of threads.
struct Memory<'a> {
    device: &'a Arc<Device>,
    drawn: &'a Drawn,
    threads: [u32; 2],
    buffers: HashMap<usize, DeviceBuffer>,
}

impl Memory<'_> {
    fn buffer(&mut self, at: usize) -> Result<&DeviceBuffer, String> {
        if !self.buffers.contains_key(&at) {
            let buffer = self.device.upload(&self.drawn.contents(at, self.threads)).map_err(cuda)?;
            self.buffers.insert(at, buffer);
        }
        self.buffers.get(&at).ok_or_else(|| "no buffer".into())
    }

    /// Of a buffer its address and the number of elements, or bytes.
    fn words(&mut self, at: usize, by_bytes: bool) -> Result<[[u8; 8]; 2], String> {
        let stride = if by_bytes { 1 } else { self.drawn.arguments[at].stride };
        let buffer = self.buffer(at)?;
        Ok([buffer.address().to_le_bytes(), ((buffer.bytes() / stride) as u64).to_le_bytes()])
    }

    fn ours(&mut self, entry: &Entry, description: &Description) -> Result<Vec<Vec<u8>>, String> {
        let interface = &description.interface;
        let mut bindings = Bindings::new(interface);
        let by_path: HashMap<&str, usize> = entry.arguments().map(|at| (&*self.drawn.arguments[at].path, at)).collect();
        for (path, &at) in by_path.iter().filter(|&(_, &at)| self.drawn.arguments[at].place == Place::Scalar) {
            // A number that the kernel does not use is not there.
            let _ = bindings.bind_uniform(interface, path, &self.drawn.contents(at, self.threads));
        }
        let mut out = Vec::new();
        for (k, param) in interface.params.iter().enumerate() {
            if param.is_buffer() {
                let at = *by_path.get(&*param.name).ok_or_else(|| format!("nothing is known of `{}`", param.name))?;
                out.extend(self.words(at, param.is_pointer())?.map(|w| w.to_vec()));
            } else if let Some(Bound::Uniform(bytes)) = bindings.slot(k) {
                out.push(bytes.clone());
            } else {
                return Err(format!("`{}` cannot be given", param.name));
            }
        }
        Ok(out)
    }

    /// As `slangc` declares them: a buffer is a struct of address and count.
    fn theirs(&mut self, entry: &Entry) -> Result<Vec<Vec<u8>>, String> {
        let one = |memory: &mut Self, at: usize| -> Result<Vec<u8>, String> {
            Ok(match memory.drawn.arguments[at].place {
                Place::Scalar => memory.drawn.contents(at, memory.threads),
                Place::Pointer => memory.words(at, false)?[0].to_vec(),
                Place::Structured => memory.words(at, false)?.concat(),
            })
        };
        let mut out = Vec::new();
        for slot in &entry.slots {
            match slot {
                Slot::One(at) => out.push(one(self, *at)?),
                Slot::Struct(fields) => {
                    let mut bytes = Vec::new();
                    for &at in fields {
                        let field = one(self, at)?;
                        let align = field.len().min(8);
                        bytes.resize(bytes.len().next_multiple_of(align), 0);
                        bytes.extend(field);
                    }
                    bytes.resize(bytes.len().next_multiple_of(8), 0);
                    out.push(bytes);
                }
            }
        }
        Ok(out)
    }

    fn clear(&self) -> Result<(), String> {
        self.buffers.iter().filter(|&(&at, _)| self.drawn.is_result(at)).try_for_each(|(_, b)| b.fill(0).map_err(cuda))
    }

    fn results(&mut self, entry: &Entry) -> Result<Vec<Vec<f32>>, String> {
        let mut out = Vec::new();
        for at in entry.arguments().filter(|&at| self.drawn.is_result(at)).collect::<Vec<_>>() {
            out.push(floats(&self.buffer(at)?.read().map_err(cuda)?));
        }
        Ok(out)
    }
}

/// What a kernel gave on few threads, and its time on many.
struct Measured {
    results: Vec<Vec<f32>>,
    milliseconds: f32,
    registers: u32,
    local: u32,
}

fn measured(
    memory: &mut [Memory<'_>; 2],
    entry: &Entry,
    text: &str,
    description: Option<&Description>,
) -> Result<Measured, String> {
    let device = memory[0].device;
    let module = device.load(text).map_err(cuda)?;
    let name = description.map_or(entry.name.to_string(), |d| d.interface.entry.to_string());
    let function = module.function(&name).map_err(cuda)?;
    let numthreads = memory[0].drawn.numthreads;
    let (block, covers) =
        description.map_or((numthreads, numthreads), |d| (d.interface.numthreads, d.interface.covers));
    let launch = |memory: &Memory<'_>, words: &[Vec<u8>]| {
        let list: Vec<Argument<'_>> = words.iter().map(|w| Argument::Contents(w)).collect();
        let [x, y] = memory.threads;
        let groups = [x.div_ceil(covers[0]), y.div_ceil(covers[1]), 1];
        // SAFETY: the arguments are those that the kernel's description or its source text has.
        unsafe { function.launch(groups, block, &list, None) }.map_err(cuda)
    };
    let mut words = Vec::new();
    for memory in memory.iter_mut() {
        words.push(match description {
            Some(description) => memory.ours(entry, description)?,
            None => memory.theirs(entry)?,
        });
    }
    memory[1].clear()?;
    launch(&memory[1], &words[1])?;
    device.synchronize().map_err(cuda)?;
    let results = memory[1].results(entry)?;
    // What takes long is launched less often.
    let once = median_time(device, 1, &mut || launch(&memory[0], &words[0]))?;
    let milliseconds = match (LONG / once.max(0.001)) as usize {
        0..3 => once,
        times => median_time(device, times.min(TIMES), &mut || launch(&memory[0], &words[0]))?,
    };
    Ok(Measured { results, milliseconds, registers: function.registers(), local: function.local_bytes() })
}

/// Our code of an entry in a pack, with its description, if it was compiled.
fn compiled(folder: &Path, number: usize, entry: &Entry) -> Result<Option<(String, Option<Description>)>, String> {
    let read = |kind| std::fs::read_to_string(file(folder, number, entry.name, kind)).ok();
    let Some((text, description)) = read("ptx").zip(read("json")) else { return Ok(None) };
    Ok(Some((text, Some(Description::parse(&description)?))))
}

/// The rows of one program, and what is to be told of it.
pub fn one(asked: &Asked, number: &str) -> Result<String, String> {
    let folder = Path::new(&asked.folder);
    let number: usize = number.parse().map_err(said)?;
    let all = Manifest::read(folder)?.programs(asked);
    let drawn = all.get(number).ok_or("there is no such program")?;
    let device = Device::open(0).map_err(cuda)?;
    let mut memory = [Machine::Gpu, Machine::Core].map(|machine| Memory {
        device: &device,
        drawn,
        threads: drawn.threads(machine),
        buffers: HashMap::new(),
    });
    let title = format!("{} {}", drawn.kind, drawn.seed);
    let (mut out, mut runs) = (String::new(), Vec::new());
    for entry in &drawn.entries {
        let theirs = match &asked.beside {
            Some(other) => compiled(Path::new(other), number, entry)?,
            None => std::fs::read_to_string(file(folder, number, "slangc", "ptx")).ok().map(|text| (text, None)),
        };
        let (Some(ours), Some(theirs)) = (compiled(folder, number, entry)?, theirs) else { continue };
        let mut time = |(text, description): (String, Option<Description>)| {
            measured(&mut memory, entry, &text, description.as_ref())
        };
        let ours = time(ours).map_err(|why| format!("{}: {why}", entry.name))?;
        let theirs = match time(theirs) {
            Ok(theirs) => theirs,
            Err(why) => {
                let _ = writeln!(out, "refused: {title} {}: slangc's: {why}", entry.name);
                break;
            }
        };
        runs.push((entry, ours, theirs));
    }
    let of = |ours: bool| {
        let results = |name| {
            let run = runs.iter().find(|r| r.0.name == name)?;
            Some(if ours { &run.1.results[..] } else { &run.2.results[..] })
        };
        consistent(drawn, memory[1].threads, results("forward"), results("backward"))
    };
    let only_ours = of(true) && !of(false);
    for (entry, ours, theirs) in &runs {
        let why = ours.results.iter().zip(&theirs.results).find_map(|(a, b)| differ(a, b));
        let agree = match &why {
            None => "yes",
            Some(_) if only_ours && entry.name != "value" => "slangc wrong",
            Some(_) => "FAILED",
        };
        if let Some((_, why)) = why {
            let _ = writeln!(out, "{agree}: {title} {}: {why}", entry.name);
        }
        let _ = writeln!(
            out,
            "row,{},{},{},{:.4},{:.4},{:.3},{},{},{},{},{agree}",
            drawn.kind,
            drawn.seed,
            entry.name,
            ours.milliseconds,
            theirs.milliseconds,
            ours.milliseconds / theirs.milliseconds,
            ours.registers,
            ours.local,
            theirs.registers,
            theirs.local
        );
    }
    Ok(out)
}
