//! NVIDIA's compiler of CUDA as a library, which needs no GPU: it judges texts, and makes PTX of
//! them.
//!
//! The library is `$NVRTC`, or that of the package nvidia-cuda-nvrtc-cu12 of PyPI in
//! `target/nvrtc`, where `cargo xtask setup` puts it.
//!
//! `unsafe`: signatures are those of NVRTC's documentation; a program is an address that only the
//! library reads.

use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The library within the package's folder.
const FETCHED: &str = "target/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12";

type Program = *mut c_void;

struct Nvrtc {
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
    log_size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    log: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    ptx_size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    ptx: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    _library: Library,
}

impl Nvrtc {
    fn load(path: &Path) -> Result<Nvrtc, String> {
        let missing = |e: libloading::Error| {
            format!("NVRTC is not here: {e}; `cargo xtask setup` fetches it, or set NVRTC to libnvrtc.so")
        };
        // SAFETY: the library's initialization does nothing that Rust would mind, and signatures
        // are those of its documentation.
        unsafe {
            let library = Library::new(path).map_err(missing)?;
            Ok(Nvrtc {
                create: *library.get(b"nvrtcCreateProgram").map_err(missing)?,
                compile: *library.get(b"nvrtcCompileProgram").map_err(missing)?,
                log_size: *library.get(b"nvrtcGetProgramLogSize").map_err(missing)?,
                log: *library.get(b"nvrtcGetProgramLog").map_err(missing)?,
                ptx_size: *library.get(b"nvrtcGetPTXSize").map_err(missing)?,
                ptx: *library.get(b"nvrtcGetPTX").map_err(missing)?,
                destroy: *library.get(b"nvrtcDestroyProgram").map_err(missing)?,
                _library: library,
            })
        }
    }

    /// A text that one function gives the size of and another the bytes.
    fn text(
        program: Program,
        size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
        get: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    ) -> String {
        let mut bytes = 0usize;
        // SAFETY: the program is one that exists, and the buffer as long as the library says.
        let buffer = unsafe {
            size(program, &mut bytes);
            let mut buffer = vec![0u8; bytes + 1];
            get(program, buffer.as_mut_ptr().cast());
            buffer
        };
        let end = buffer.iter().position(|&b| b == 0).unwrap_or(buffer.len());
        String::from_utf8_lossy(&buffer[..end]).into_owned()
    }
}

/// The PTX of a text for an architecture such as `compute_80`, or what NVRTC says against it;
/// warnings are said against it too.
///
/// # Errors
/// What NVRTC says, or why there is none.
pub fn compile(root: &Path, text: &str, arch: &str, options: &[String]) -> Result<String, String> {
    static NVRTC: OnceLock<Result<Nvrtc, String>> = OnceLock::new();
    let path = || std::env::var_os("NVRTC").map_or_else(|| root.join(FETCHED), PathBuf::from);
    let nvrtc = NVRTC.get_or_init(|| Nvrtc::load(&path())).as_ref().map_err(Clone::clone)?;
    let source = CString::new(text).map_err(|e| e.to_string())?;
    let arch = format!("--gpu-architecture={arch}");
    let all = std::iter::once(&arch).chain(options);
    let all = all.map(|o| CString::new(o.as_str()).map_err(|e| e.to_string())).collect::<Result<Vec<_>, _>>()?;
    let words: Vec<*const c_char> = all.iter().map(|o| o.as_ptr()).collect();
    let mut program: Program = std::ptr::null_mut();
    // SAFETY: all texts live until the program is destroyed.
    unsafe {
        let none = std::ptr::null();
        let made = (nvrtc.create)(&mut program, source.as_ptr(), c"kernel.cu".as_ptr(), 0, none, none);
        if made != 0 {
            return Err(format!("NVRTC makes no program (error {made})"));
        }
        let code = (nvrtc.compile)(program, words.len() as c_int, words.as_ptr());
        let log = Nvrtc::text(program, nvrtc.log_size, nvrtc.log);
        let ptx = if code == 0 { Nvrtc::text(program, nvrtc.ptx_size, nvrtc.ptx) } else { String::new() };
        (nvrtc.destroy)(&mut program);
        if code == 0 && log.trim().is_empty() {
            return Ok(ptx);
        }
        let first: Vec<&str> = log.lines().filter(|l| !l.trim().is_empty()).take(30).collect();
        Err(format!("NVRTC (error {code}) says\n{}", first.join("\n")))
    }
}

/// The alignment and size of each parameter of a kernel in PTX.
///
/// # Errors
/// There is no such kernel, or a parameter that is not understood.
pub fn parameters(ptx: &str, kernel: &str) -> Result<Vec<(u64, u64)>, String> {
    let head = format!(".entry {kernel}(");
    let (_, rest) = ptx.split_once(&head).ok_or_else(|| format!("the PTX has no kernel `{kernel}`"))?;
    let list = rest.split(')').next().unwrap_or("");
    let parameter = |text: &str| -> Option<(u64, u64)> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [".param", ".align", align, ".b8", name] => {
                let size = name.split_once('[')?.1.strip_suffix(']')?;
                Some((align.parse().ok()?, size.parse().ok()?))
            }
            [".param", ty, _] => {
                let bits: u64 = ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
                Some((bits / 8, bits / 8))
            }
            _ => None,
        }
    };
    let all = list.split(',').map(str::trim).filter(|text| !text.is_empty());
    all.map(|text| parameter(text).ok_or_else(|| format!("`{text}` is no parameter"))).collect()
}

#[cfg(test)]
mod tests {
    use super::parameters;

    #[test]
    fn parameters_are_read() {
        let ptx = ".visible .entry f(\n\t.param .u64 f_param_0,\n\t.param .align 4 .b8 f_param_1[12],\n\t.param .f32 f_param_2\n)\n{";
        assert_eq!(parameters(ptx, "f"), Ok(vec![(8, 8), (4, 12), (4, 4)]));
        assert_eq!(parameters(".entry g()", "g"), Ok(Vec::new()));
        assert!(parameters(ptx, "h").is_err());
    }
}
