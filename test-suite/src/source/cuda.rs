//! Runs kernels in CUDA, of which NVRTC has made PTX, on the GPU that the machine has.

use super::launch::{TEXTURE, launched, with_bound};
use caustic_cuda::{Argument, CudaError, Device, DeviceBuffer};
use caustic_runtime::texture::TEXTURE_BYTES;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What a parameter holds: its memory, that of its counter, and what the kernel is told itself.
struct Held {
    memory: Option<DeviceBuffer>,
    counter: Option<DeviceBuffer>,
    told: Vec<u8>,
}

fn device() -> Result<Arc<Device>, String> {
    static DEVICE: OnceLock<Result<Arc<Device>, String>> = OnceLock::new();
    DEVICE.get_or_init(|| Device::open(0).map_err(|e| e.message)).clone()
}

/// Runs a kernel over the data that `words` bind. Returns the output that the command would print;
/// what the kernel prints goes elsewhere.
pub fn run(root: &Path, json: &str, words: &[String], ptx: &str) -> Result<String, String> {
    let (device, kernel) = (device()?, launched(json)?);
    let said = |e: CudaError| e.message;
    with_bound(root, json, words, &mut |groups, before| {
        let module = device.load(ptx).map_err(said)?;
        let function = module.function(&kernel.name).map_err(said)?;
        let mut held = Vec::new();
        for ((bytes, _, counter, mark), letter) in before.iter().zip(kernel.params.chars()) {
            let upload = |bytes: &[u8]| device.upload(bytes).map_err(said);
            held.push(match letter {
                'v' if *mark == TEXTURE => {
                    let (told, texels) = bytes.split_at(TEXTURE_BYTES as usize);
                    let memory = upload(texels)?;
                    let told = [&memory.address().to_le_bytes(), &told[8..]].concat();
                    Held { memory: Some(memory), counter: None, told }
                }
                'v' => Held { memory: None, counter: None, told: bytes.clone() },
                _ => {
                    let counter = if letter == 'c' { Some(upload(&counter.to_le_bytes())?) } else { None };
                    Held { memory: Some(upload(bytes)?), counter, told: Vec::new() }
                }
            });
        }
        let mut arguments = Vec::new();
        for ((_, count, ..), h) in before.iter().zip(&held) {
            match &h.memory {
                Some(memory) if h.told.is_empty() => {
                    arguments.extend([Argument::Address(memory.address()), Argument::Count(*count)]);
                    arguments.extend(h.counter.as_ref().map(|c| Argument::Address(c.address())));
                }
                _ => arguments.push(Argument::Contents(&h.told)),
            }
        }
        // SAFETY: the arguments are those of the description, and live until the device is done.
        unsafe { function.launch(groups, kernel.threads, &arguments, None) }.map_err(said)?;
        device.synchronize().map_err(said)?;
        let mut after = Vec::new();
        for ((bytes, ..), h) in before.iter().zip(&held) {
            let contents = h.memory.as_ref().map(|m| m.read().map_err(said)).transpose()?;
            let length = bytes.len() - if h.told.is_empty() { 0 } else { h.told.len() };
            after.push(match contents {
                Some(contents) => [&h.told, &contents[..length]].concat(),
                None => bytes.clone(),
            });
        }
        Ok((String::new(), after))
    })
}
