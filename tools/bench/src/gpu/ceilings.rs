//! What the GPU gives at most, measured like the programs: bytes moved from memory to memory, and
//! multiply-adds (`test-suite/bench/ceilings.slang`).

use super::run::{TIMES, median_time};
use caustic_cuda::{Argument, Device};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg_attr(not(feature = "llvm"), expect(dead_code, reason = "only the step that compiles writes it"))]
pub const SOURCE: &str = include_str!("../../../../test-suite/bench/ceilings.slang");
/// The entry points.
pub const ENTRIES: [&str; 2] = ["move", "multiplyAdd"];
/// As the sources say.
const GROUP: u32 = 256;
const FLOPS_A_THREAD: f64 = 2.0 * 8.0 * 1024.0;
const BYTES_OF_ELEMENT: usize = 16;
/// Elements moved: 1 GiB, more than any cache.
const ELEMENTS: usize = 1 << 26;
/// Enough for all processors many times over.
const THREADS: usize = 1 << 20;

pub fn file(folder: &Path, entry: &str) -> PathBuf {
    folder.join(format!("ceilings.{entry}.ptx"))
}

pub struct Ceilings {
    pub bytes_a_second: f64,
    pub flops_a_second: f64,
}

/// `None` if they were not compiled.
pub fn measure(folder: &Path, device: &Arc<Device>) -> Result<Option<Ceilings>, String> {
    let said = |e: caustic_cuda::CudaError| e.message;
    let Ok(texts) =
        ENTRIES.iter().map(|e| std::fs::read_to_string(file(folder, e))).collect::<Result<Vec<String>, _>>()
    else {
        return Ok(None);
    };
    let from = device.alloc(ELEMENTS * BYTES_OF_ELEMENT).map_err(said)?;
    let to = device.alloc(ELEMENTS * BYTES_OF_ELEMENT).map_err(said)?;
    from.fill(0).map_err(said)?;
    let count = (ELEMENTS as u64).to_le_bytes();
    let words = [from.address().to_le_bytes(), count, to.address().to_le_bytes(), count];
    let mut seconds = [0.0; 2];
    for (i, (entry, text)) in ENTRIES.iter().zip(&texts).enumerate() {
        let threads = if i == 0 { ELEMENTS } else { THREADS };
        let module = device.load(text).map_err(said)?;
        let function = module.function(entry).map_err(said)?;
        let list: Vec<Argument<'_>> = words.iter().map(|w| Argument::Contents(w)).collect();
        let groups = [threads as u32 / GROUP, 1, 1];
        let milliseconds = median_time(device, TIMES, &mut || {
            // SAFETY: both buffers have as many elements as they are said to have, and each thread
            // an element.
            unsafe { function.launch(groups, [GROUP, 1, 1], &list, None) }.map_err(said)
        })?;
        seconds[i] = f64::from(milliseconds) / 1e3;
    }
    Ok(Some(Ceilings {
        bytes_a_second: 2.0 * (ELEMENTS * BYTES_OF_ELEMENT) as f64 / seconds[0],
        flops_a_second: FLOPS_A_THREAD * THREADS as f64 / seconds[1],
    }))
}
