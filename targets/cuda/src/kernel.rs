//! A kernel in PTX with the program's parameters, dispatched as on every other target.

use crate::device::{Argument, Device, DeviceBuffer};
use crate::driver::CudaError;
use caustic_runtime::dispatch::{Launch, STOPPED_MESSAGE};
use caustic_runtime::texture::sampler_description;
use caustic_runtime::{Buffer, KernelInterface, Slot};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The entry point of an interface as text in PTX; its parameters are the interface's in order: of
/// a buffer the address, the number of elements and, where `counters` says so, the address of the
/// hidden counter; of a uniform its contents; of a texture and a sampler what
/// [`caustic_runtime::texture`] says.
pub struct Kernel<'a> {
    device: Arc<Device>,
    ptx: &'a str,
    interface: &'a KernelInterface,
    counters: &'a [bool],
}

impl<'a> Kernel<'a> {
    pub fn new(device: Arc<Device>, ptx: &'a str, interface: &'a KernelInterface, counters: &'a [bool]) -> Kernel<'a> {
        Kernel { device, ptx, interface, counters }
    }

    /// Copies what is bound to the device, runs the kernel, and copies buffers back. Between these
    /// steps it looks whether the dispatch is to end ([`Traps::stop`](caustic_runtime::Traps)); a
    /// kernel that runs does not.
    pub fn dispatch(&self, launch: &Launch<'_>) -> Result<(), CudaError> {
        let module = self.device.load(self.ptx)?;
        goes_on(launch)?;
        let function = module.function(&self.interface.entry)?;
        // Of textures and samplers what the kernel is told of them, and a texture's texels.
        let mut described: Vec<(Option<DeviceBuffer>, Vec<u8>)> = Vec::new();
        for i in 0..self.interface.params.len() {
            described.push(match launch.bindings.slot(i) {
                Some(Slot::Texture(texture)) => {
                    let texels = self.device.upload(&texture.to_texels())?;
                    let description = texture.description(texels.address()).to_vec();
                    (Some(texels), description)
                }
                Some(Slot::Sampler(sampler)) => (None, sampler_description(*sampler).to_vec()),
                _ => (None, Vec::new()),
            });
        }
        let mut held: Vec<(&Buffer, DeviceBuffer, Option<DeviceBuffer>)> = Vec::new();
        let mut arguments: Vec<Argument<'_>> = Vec::new();
        for (i, param) in self.interface.params.iter().enumerate() {
            match launch.bindings.slot(i) {
                Some(Slot::Buffer(buffer)) => {
                    if !param.is_pointer() && u32::try_from(buffer.len()).is_err() {
                        return Err(CudaError::new(format!("`{}` has 2^32 elements or more", param.name)));
                    }
                    let bytes = buffer.to_bytes();
                    // A kernel may look at a first element that is not there, though it does not
                    // use it.
                    let contents = self.device.alloc(bytes.len().max(param.layout.size as usize))?;
                    contents.write(&bytes)?;
                    arguments.extend([Argument::Address(contents.address()), Argument::Count(buffer.len() as u64)]);
                    let counter = match self.counters.get(i) {
                        Some(true) => {
                            let count = buffer.counter().load(Relaxed);
                            let counter = self.device.upload(&count.to_le_bytes())?;
                            arguments.push(Argument::Address(counter.address()));
                            Some(counter)
                        }
                        _ => None,
                    };
                    held.push((buffer, contents, counter));
                }
                Some(Slot::Uniform(bytes)) => arguments.push(Argument::Contents(bytes)),
                Some(Slot::Texture(_) | Slot::Sampler(_)) => arguments.push(Argument::Contents(&described[i].1)),
                None => return Err(CudaError::new(format!("`{}` cannot be given to a kernel yet", param.name))),
            }
        }
        goes_on(launch)?;
        // SAFETY: the arguments are those of the interface, and live until the device is done.
        unsafe { function.launch(launch.grid.groups, launch.grid.numthreads, &arguments, None)? };
        self.device.synchronize()?;
        goes_on(launch)?;
        for (buffer, contents, counter) in &held {
            buffer.write(0, &contents.read()?[..buffer.byte_len()]);
            if let Some(counter) = counter {
                let bytes = counter.read()?;
                let count = bytes.first_chunk().map_or(0, |b| u32::from_le_bytes(*b));
                buffer.counter().store(count, Relaxed);
            }
        }
        for (i, (texels, _)) in described.iter().enumerate() {
            if let (Some(Slot::Texture(texture)), Some(texels)) = (launch.bindings.slot(i), texels)
                && self.interface.params[i].texture.is_some_and(|ty| ty.writable)
            {
                texture.set_texels(&texels.read()?);
            }
        }
        Ok(())
    }
}

fn goes_on(launch: &Launch<'_>) -> Result<(), CudaError> {
    let stop = launch.traps.stop.is_some_and(|stop| stop.load(Relaxed) != 0);
    if stop { Err(CudaError::new(STOPPED_MESSAGE)) } else { Ok(()) }
}
