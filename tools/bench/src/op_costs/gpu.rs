//! The loops on a GPU: compiled to PTX into a folder, and timed from there by the driver, which
//! needs no LLVM.

use super::host::contents;
use super::loops::{Case, Loop};
use super::{Bench, Prepared, Timer, table};
use caustic_cuda::{Argument, Device, DeviceBuffer};
use caustic_passes::analysis::costs::Machine;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Threads of a group.
const GROUP: usize = 256;
/// Groups of a launch: several for each processor of the largest GPUs.
const GROUPS: usize = 4096;
/// The two machines that one GPU is.
const MACHINES: [Machine; 2] = [Machine::Gpu, Machine::GpuFast];

/// The file of a loop. Its name is made of what the loop is, so that both steps find it.
fn file(folder: &Path, machine: Machine, case: &Case, which: Loop, with: bool) -> PathBuf {
    let names: Vec<&str> = case.ops.iter().map(|d| d.name).collect();
    let constant = case.constant.map_or(String::new(), |(n, value)| format!(".{n}is{value}"));
    let shared = case.shared.map_or(String::new(), |n| format!(".shared{n}"));
    let which = match which {
        Loop::Independent => "independent",
        Loop::Dependent => "dependent",
    };
    let with = if with { "with" } else { "without" };
    folder.join(format!("{}.{}{constant}{shared}.{which}.{with}.ptx", machine.name(), names.join("+")))
}

/// Compiles every loop.
#[cfg(feature = "llvm")]
pub fn build(folder: &Path, only: &str, arch: &str) -> Result<String, String> {
    use super::host::{parsed, told, wrong};
    use caustic_passes::pipelines::{self, MASKS, STORAGE};
    use caustic_runtime::Floats;
    std::fs::create_dir_all(folder).map_err(wrong)?;
    let mut count = 0;
    for (case, which) in super::cases(only) {
        for (machine, floats) in MACHINES.into_iter().zip([Floats::Exact, Floats::Fast]) {
            for with in [true, false] {
                let (mut module, interface) = parsed(&case.kernel(which, with, GROUP))?;
                for standard in [STORAGE, MASKS] {
                    pipelines::run(&mut module, standard, false).map_err(|found| told(&found))?;
                }
                let options = caustic_llvm::PtxOptions { arch: arch.into(), floats, ..Default::default() };
                // What the target lacks is not measured.
                let Ok(ptx) = caustic_llvm::compile_ptx(&module, &interface, &options) else { continue };
                std::fs::write(file(folder, machine, &case, which, with), ptx.text).map_err(wrong)?;
                count += 1;
            }
        }
    }
    Ok(format!("{count} kernels in {}\n", folder.display()))
}

#[cfg(not(feature = "llvm"))]
pub fn build(_: &Path, _: &str, _: &str) -> Result<String, String> {
    Err("this build has no LLVM: build with `--features llvm`".into())
}

fn prepare(device: &Arc<Device>, file: &Path, case: &Case) -> Result<Prepared, String> {
    let said = |e: caustic_cuda::CudaError| e.message;
    let text = std::fs::read_to_string(file).map_err(|_| "not compiled".to_string())?;
    let module = device.load(&text).map_err(said)?;
    let threads = GROUP * GROUPS;
    let mut buffers: Vec<(DeviceBuffer, u64)> = Vec::new();
    for (name, bytes) in contents(case, threads) {
        let buffer = device.alloc(bytes.len()).map_err(said)?;
        if name == "result" { buffer.fill(0) } else { buffer.write(&bytes) }.map_err(said)?;
        buffers.push((buffer, bytes.len() as u64 / 4));
    }
    let device = device.clone();
    let timer: Timer = Box::new(move || {
        let words: Vec<[u8; 8]> =
            buffers.iter().flat_map(|(b, count)| [b.address().to_le_bytes(), count.to_le_bytes()]).collect();
        let list: Vec<Argument<'_>> = words.iter().map(|w| Argument::Contents(w)).collect();
        let function = module.function("main").map_err(said)?;
        let (start, end) = (device.event().map_err(said)?, device.event().map_err(said)?);
        start.record(None).map_err(said)?;
        // SAFETY: the buffers have as many elements as they are said to have, enough for each
        // thread.
        unsafe { function.launch([GROUPS as u32, 1, 1], [GROUP as u32, 1, 1], &list, None) }.map_err(said)?;
        end.record(None).map_err(said)?;
        Ok(Duration::from_secs_f64(f64::from(end.since(&start).map_err(said)?) / 1e3))
    });
    Ok(Prepared { timer, threads })
}

/// Times what [`build`] left.
pub fn run(folder: &Path, only: &str) -> Result<String, String> {
    let device = Device::open(0).map_err(|e| e.message)?;
    let mut out = format!("{}\n", device.name());
    for machine in MACHINES {
        let prepare = |case: &Case, which: Loop, with: bool, _: &str| {
            prepare(&device, &file(folder, machine, case, which, with), case)
        };
        out += &format!("\n{}", table(&Bench { machine, group: GROUP, prepare: &prepare }, only)?);
    }
    Ok(out)
}

/// Both steps, where there is a GPU; nothing where there is none.
#[cfg(feature = "llvm")]
pub fn here(only: &str, arch: &str) -> Result<String, String> {
    if Device::open(0).is_err() {
        return Ok("\nThere is no NVIDIA GPU here.\n".into());
    }
    let folder = std::env::temp_dir().join(format!("caustic-op-costs-{}", std::process::id()));
    let made = build(&folder, only, arch).and_then(|_| run(&folder, only));
    // What is left behind in the folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    made
}
