//! Launching kernels on NVIDIA's GPUs through the driver of the machine, which is looked for when
//! it is first needed.
//!
//! No toolkit and no compiler is part of this: a kernel is text in PTX, which the driver turns into
//! the device's instructions. This crate must not know how such text is made.

mod device;
mod driver;
mod kernel;

pub use device::{Argument, Device, DeviceBuffer, Event, Function, Module, Stream};
pub use driver::CudaError;
pub use kernel::Kernel;
