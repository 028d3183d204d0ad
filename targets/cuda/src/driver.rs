//! The functions of the driver's library, by name.
//!
//! `unsafe`: signatures are those of the CUDA driver API, whose handles are addresses or numbers
//! that only the driver reads.

#![warn(missing_docs)]

use caustic_ir::Input;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::sync::OnceLock;

/// What the driver says went wrong, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CudaError {
    /// What went wrong.
    pub message: String,
    /// What can be done about it.
    pub note: Option<&'static str>,
    /// What the host would change.
    pub input: Option<Input>,
    /// Whether the machine has no GPU to use, so that nothing ran.
    pub unavailable: bool,
}

impl CudaError {
    /// An error that nothing is known to help against.
    pub fn new(message: impl Into<String>) -> CudaError {
        CudaError { message: message.into(), note: None, input: None, unavailable: false }
    }
}

impl fmt::Display for CudaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CudaError {}

pub type Handle = *mut c_void;
pub type Address = u64;

/// Declares the functions that are used: name in the library, and signature.
macro_rules! driver {
    ( $( $name:ident = $symbol:literal ( $($arg:ty),* ); )* ) => {
        pub struct Driver {
            $( pub $name: unsafe extern "C" fn($($arg),*) -> c_int, )*
            /// Keeps the functions.
            _library: Library,
        }
        impl Driver {
            fn load(library: Library) -> Result<Driver, CudaError> {
                Ok(Driver {
                    $( $name: {
                        // SAFETY: the signature is that of the driver's documentation.
                        let symbol = unsafe { library.get::<unsafe extern "C" fn($($arg),*) -> c_int>($symbol) };
                        *symbol.map_err(|e| CudaError::new(format!("the CUDA driver is too old: {e}")))?
                    }, )*
                    _library: library,
                })
            }
        }
    };
}

driver! {
    init = b"cuInit"(c_uint);
    error_text = b"cuGetErrorString"(c_int, *mut *const c_char);
    device_count = b"cuDeviceGetCount"(*mut c_int);
    device_get = b"cuDeviceGet"(*mut c_int, c_int);
    device_name = b"cuDeviceGetName"(*mut c_char, c_int, c_int);
    device_attribute = b"cuDeviceGetAttribute"(*mut c_int, c_int, c_int);
    context_retain = b"cuDevicePrimaryCtxRetain"(*mut Handle, c_int);
    context_release = b"cuDevicePrimaryCtxRelease_v2"(c_int);
    context_set = b"cuCtxSetCurrent"(Handle);
    context_synchronize = b"cuCtxSynchronize"();
    module_load = b"cuModuleLoadDataEx"(*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    module_unload = b"cuModuleUnload"(Handle);
    module_function = b"cuModuleGetFunction"(*mut Handle, Handle, *const c_char);
    function_attribute = b"cuFuncGetAttribute"(*mut c_int, c_int, Handle);
    alloc = b"cuMemAlloc_v2"(*mut Address, usize);
    free = b"cuMemFree_v2"(Address);
    to_device = b"cuMemcpyHtoD_v2"(Address, *const c_void, usize);
    to_host = b"cuMemcpyDtoH_v2"(*mut c_void, Address, usize);
    fill = b"cuMemsetD8_v2"(Address, u8, usize);
    launch = b"cuLaunchKernel"(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
    stream_create = b"cuStreamCreate"(*mut Handle, c_uint);
    stream_destroy = b"cuStreamDestroy_v2"(Handle);
    stream_synchronize = b"cuStreamSynchronize"(Handle);
    event_create = b"cuEventCreate"(*mut Handle, c_uint);
    event_destroy = b"cuEventDestroy_v2"(Handle);
    event_record = b"cuEventRecord"(Handle, Handle);
    event_synchronize = b"cuEventSynchronize"(Handle);
    event_elapsed = b"cuEventElapsedTime"(*mut f32, Handle, Handle);
}

/// Names under which systems have the library.
const LIBRARIES: [&str; 4] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll", "/usr/lib/wsl/lib/libcuda.so.1"];

impl Driver {
    /// The machine's driver, looked for once.
    pub fn get() -> Result<&'static Driver, CudaError> {
        static DRIVER: OnceLock<Result<Driver, CudaError>> = OnceLock::new();
        DRIVER.get_or_init(Driver::open).as_ref().map_err(Clone::clone)
    }

    fn open() -> Result<Driver, CudaError> {
        // SAFETY: the driver's own library, whose initialization does nothing that Rust would mind.
        let library = LIBRARIES.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
        let library = library.ok_or(CudaError {
            message: "there is no CUDA driver on this machine (libcuda.so.1 is not found)".into(),
            note: Some("install NVIDIA's driver, or run on the CPU"),
            input: Some(Input::Backend),
            unavailable: true,
        })?;
        let driver = Driver::load(library)?;
        // SAFETY: the flags must be 0.
        driver.check(unsafe { (driver.init)(0) }, "the CUDA driver cannot start").map_err(|e| CudaError {
            note: Some("is there a GPU in this machine, and does the driver fit it? `nvidia-smi` tells"),
            ..e
        })?;
        Ok(driver)
    }

    /// An error with the driver's text unless `code` says success.
    pub fn check(&self, code: c_int, what: &str) -> Result<(), CudaError> {
        if code == 0 {
            return Ok(());
        }
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the text is the driver's and stays.
        let text = unsafe {
            (self.error_text)(code, &mut text);
            if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy() }
        };
        Err(CudaError::new(format!("{what}: {text} (CUDA error {code})")))
    }
}
