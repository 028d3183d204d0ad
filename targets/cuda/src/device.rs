//! A device, its memory, modules, streams and events, each given back when it is dropped.
//!
//! `unsafe`: handles come from the driver and are used on the thread's current context, which every
//! call sets first.

use crate::driver::{Address, CudaError, Driver, Handle};
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;

/// A GPU with its primary context, which it shares with other libraries in the process.
pub struct Device {
    driver: &'static Driver,
    number: c_int,
    context: Handle,
}

// SAFETY: the driver's handles may be used on any thread.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: retained once in `open`.
        unsafe { (self.driver.context_release)(self.number) };
    }
}

const COMPUTE_MAJOR: c_int = 75;
const COMPUTE_MINOR: c_int = 76;

impl Device {
    /// The device of this number; the error says why there is none to use.
    pub fn open(number: u32) -> Result<Arc<Device>, CudaError> {
        Device::opened(number).map_err(|e| CudaError { unavailable: true, ..e })
    }

    fn opened(number: u32) -> Result<Arc<Device>, CudaError> {
        let driver = Driver::get()?;
        let (mut count, mut device, mut context) = (0, 0, std::ptr::null_mut());
        // SAFETY: the places are there.
        unsafe {
            driver.check((driver.device_count)(&mut count), "no devices")?;
            if i64::from(number) >= i64::from(count) {
                return Err(CudaError::new(format!("there is no device {number}: the machine has {count}")));
            }
            driver.check((driver.device_get)(&mut device, number as c_int), "no such device")?;
            driver.check((driver.context_retain)(&mut context, device), "the device cannot be used")?;
        }
        Ok(Arc::new(Device { driver, number: device, context }))
    }

    /// The driver, with this device's context current on the thread.
    fn here(&self) -> Result<&'static Driver, CudaError> {
        // SAFETY: retained.
        self.driver.check(unsafe { (self.driver.context_set)(self.context) }, "the device cannot be used")?;
        Ok(self.driver)
    }

    /// `sm_90` and the like.
    pub fn arch(&self) -> Result<String, CudaError> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the places are there.
        unsafe {
            let driver = self.driver;
            driver.check((driver.device_attribute)(&mut major, COMPUTE_MAJOR, self.number), "no architecture")?;
            driver.check((driver.device_attribute)(&mut minor, COMPUTE_MINOR, self.number), "no architecture")?;
        }
        Ok(format!("sm_{major}{minor}"))
    }

    pub fn name(&self) -> String {
        let mut text = [0u8; 256];
        // SAFETY: the place has that size.
        unsafe { (self.driver.device_name)(text.as_mut_ptr().cast::<c_char>(), 256, self.number) };
        String::from_utf8_lossy(text.split(|b| *b == 0).next().unwrap_or_default()).into_owned()
    }

    /// Memory with unspecified contents, never without an address.
    pub fn alloc(self: &Arc<Device>, bytes: usize) -> Result<DeviceBuffer, CudaError> {
        let driver = self.here()?;
        let mut address = 0;
        // SAFETY: the place is there.
        let code = unsafe { (driver.alloc)(&mut address, bytes.max(16)) };
        driver.check(code, &format!("{bytes} bytes of the device's memory"))?;
        Ok(DeviceBuffer { device: self.clone(), address, bytes })
    }

    pub fn upload(self: &Arc<Device>, contents: &[u8]) -> Result<DeviceBuffer, CudaError> {
        let buffer = self.alloc(contents.len())?;
        buffer.write(contents)?;
        Ok(buffer)
    }

    /// Has the driver compile text in PTX, and keep the source lines that the text names.
    pub fn load(self: &Arc<Device>, ptx: &str) -> Result<Module, CudaError> {
        const ERROR_LOG: c_int = 5;
        const ERROR_LOG_BYTES: c_int = 6;
        const LINE_INFO: c_int = 13;
        let driver = self.here()?;
        let text = CString::new(ptx).map_err(|_| CudaError::new("the PTX has a zero byte in it"))?;
        let mut log = vec![0u8; 8192];
        let mut options = vec![ERROR_LOG, ERROR_LOG_BYTES];
        let mut values = vec![log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        if ptx.lines().any(|line| line.trim_start().starts_with(".file")) {
            options.push(LINE_INFO);
            values.push(std::ptr::without_provenance_mut(1));
        }
        let mut module = std::ptr::null_mut();
        // SAFETY: the text ends in zero, the log is as long as it says.
        let code = unsafe {
            (driver.module_load)(
                &mut module,
                text.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        driver.check(code, "the driver rejects the PTX").map_err(|e| {
            let log = String::from_utf8_lossy(log.split(|b| *b == 0).next().unwrap_or_default()).trim().to_string();
            CudaError { message: if log.is_empty() { e.message } else { format!("{}\n{log}", e.message) }, ..e }
        })?;
        Ok(Module { device: self.clone(), module })
    }

    pub fn synchronize(&self) -> Result<(), CudaError> {
        let driver = self.here()?;
        // SAFETY: nothing is passed.
        driver.check(unsafe { (driver.context_synchronize)() }, "the kernel stopped")
    }

    pub fn stream(self: &Arc<Device>) -> Result<Stream, CudaError> {
        let driver = self.here()?;
        let mut stream = std::ptr::null_mut();
        // SAFETY: the place is there.
        driver.check(unsafe { (driver.stream_create)(&mut stream, 1) }, "no stream")?;
        Ok(Stream { device: self.clone(), stream })
    }

    pub fn event(self: &Arc<Device>) -> Result<Event, CudaError> {
        let driver = self.here()?;
        let mut event = std::ptr::null_mut();
        // SAFETY: the place is there.
        driver.check(unsafe { (driver.event_create)(&mut event, 0) }, "no event")?;
        Ok(Event { device: self.clone(), event })
    }
}

/// Memory of the device.
pub struct DeviceBuffer {
    device: Arc<Device>,
    address: Address,
    bytes: usize,
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        if let Ok(driver) = self.device.here() {
            // SAFETY: allocated in `alloc`, freed once.
            unsafe { (driver.free)(self.address) };
        }
    }
}

impl DeviceBuffer {
    pub fn address(&self) -> u64 {
        self.address
    }
    pub fn bytes(&self) -> usize {
        self.bytes
    }
    /// Overwrites the first bytes.
    pub fn write(&self, contents: &[u8]) -> Result<(), CudaError> {
        let driver = self.device.here()?;
        let len = contents.len().min(self.bytes);
        // SAFETY: both have as many bytes.
        let code = unsafe { (driver.to_device)(self.address, contents.as_ptr().cast(), len) };
        driver.check(code, "contents cannot be copied to the device")
    }
    pub fn fill(&self, byte: u8) -> Result<(), CudaError> {
        let driver = self.device.here()?;
        // SAFETY: as above.
        driver.check(unsafe { (driver.fill)(self.address, byte, self.bytes) }, "memory cannot be filled")
    }
    pub fn read(&self) -> Result<Vec<u8>, CudaError> {
        let driver = self.device.here()?;
        let mut contents = vec![0u8; self.bytes];
        // SAFETY: as above.
        let code = unsafe { (driver.to_host)(contents.as_mut_ptr().cast(), self.address, self.bytes) };
        driver.check(code, "the kernel stopped, or contents cannot be copied from the device")?;
        Ok(contents)
    }
}

/// Code that the driver has compiled.
pub struct Module {
    device: Arc<Device>,
    module: Handle,
}

// SAFETY: as for `Device`.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Drop for Module {
    fn drop(&mut self) {
        if let Ok(driver) = self.device.here() {
            // SAFETY: loaded once, unloaded once; its functions borrow it.
            unsafe { (driver.module_unload)(self.module) };
        }
    }
}

const ATTRIBUTE_LOCAL_BYTES: c_int = 3;
const ATTRIBUTE_REGISTERS: c_int = 4;

/// An entry point of a module.
pub struct Function<'a> {
    module: &'a Module,
    function: Handle,
}

/// What an entry point is given: an address with its count of elements, or contents by value.
#[derive(Clone, Debug)]
pub enum Argument<'a> {
    Address(u64),
    Count(u64),
    Contents(&'a [u8]),
}

impl Module {
    pub fn function(&self, name: &str) -> Result<Function<'_>, CudaError> {
        let driver = self.device.here()?;
        let text = CString::new(name).map_err(|_| CudaError::new("a name with a zero byte"))?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded.
        let code = unsafe { (driver.module_function)(&mut function, self.module, text.as_ptr()) };
        driver.check(code, &format!("there is no kernel `{name}`"))?;
        Ok(Function { module: self, function })
    }
}

impl Function<'_> {
    fn attribute(&self, which: c_int) -> u32 {
        let mut value = 0;
        if let Ok(driver) = self.module.device.here() {
            // SAFETY: the place is there.
            unsafe { (driver.function_attribute)(&mut value, which, self.function) };
        }
        value.max(0) as u32
    }
    /// Registers of a thread.
    pub fn registers(&self) -> u32 {
        self.attribute(ATTRIBUTE_REGISTERS)
    }
    /// Bytes of a thread's local memory: arrays, and registers that did not fit.
    pub fn local_bytes(&self) -> u32 {
        self.attribute(ATTRIBUTE_LOCAL_BYTES)
    }

    /// Puts a launch into the queue of `stream`, or of the device's default stream.
    ///
    /// # Safety
    /// The arguments are those of the kernel, in order; addresses stay valid until the launch is
    /// done.
    pub unsafe fn launch(
        &self,
        groups: [u32; 3],
        threads: [u32; 3],
        arguments: &[Argument<'_>],
        stream: Option<&Stream>,
    ) -> Result<(), CudaError> {
        let driver = self.module.device.here()?;
        let words: Vec<u64> = arguments
            .iter()
            .map(|a| match a {
                Argument::Address(v) | Argument::Count(v) => *v,
                Argument::Contents(_) => 0,
            })
            .collect();
        let mut places: Vec<*mut c_void> = arguments
            .iter()
            .zip(&words)
            .map(|(a, word)| match a {
                // What has no bytes takes one in the kernel's list: the word's.
                Argument::Contents(bytes) if !bytes.is_empty() => bytes.as_ptr().cast_mut().cast(),
                _ => (&raw const *word).cast_mut().cast(),
            })
            .collect();
        let ([gx, gy, gz], [x, y, z]) = (groups, threads);
        let stream = stream.map_or(std::ptr::null_mut(), |s| s.stream);
        // SAFETY: the caller's; the driver copies the arguments before it returns.
        let code = unsafe {
            (driver.launch)(self.function, gx, gy, gz, x, y, z, 0, stream, places.as_mut_ptr(), std::ptr::null_mut())
        };
        driver.check(code, "the kernel cannot be launched")
    }
}

/// A queue of launches.
pub struct Stream {
    device: Arc<Device>,
    stream: Handle,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Ok(driver) = self.device.here() {
            // SAFETY: created once, destroyed once.
            unsafe { (driver.stream_destroy)(self.stream) };
        }
    }
}

impl Stream {
    pub fn synchronize(&self) -> Result<(), CudaError> {
        let driver = self.device.here()?;
        // SAFETY: the stream is there.
        driver.check(unsafe { (driver.stream_synchronize)(self.stream) }, "the kernel stopped")
    }
}

/// A point in a queue, with its time.
pub struct Event {
    device: Arc<Device>,
    event: Handle,
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Ok(driver) = self.device.here() {
            // SAFETY: created once, destroyed once.
            unsafe { (driver.event_destroy)(self.event) };
        }
    }
}

impl Event {
    pub fn record(&self, stream: Option<&Stream>) -> Result<(), CudaError> {
        let driver = self.device.here()?;
        let stream = stream.map_or(std::ptr::null_mut(), |s| s.stream);
        // SAFETY: both are there.
        driver.check(unsafe { (driver.event_record)(self.event, stream) }, "the event")
    }

    /// Milliseconds from `earlier` to this, once both have happened.
    pub fn since(&self, earlier: &Event) -> Result<f32, CudaError> {
        let driver = self.device.here()?;
        let mut time = 0.0;
        // SAFETY: as above.
        unsafe {
            driver.check((driver.event_synchronize)(self.event), "the kernel stopped")?;
            driver.check((driver.event_elapsed)(&mut time, earlier.event, self.event), "the time")?;
        }
        Ok(time)
    }
}
