//! The options by which other compilers treat floats as ours do in a mode, so that both may do the
//! same.

/// Options of `nvcc`, which contracts unless it is told not to.
pub fn nvcc(mode: &str) -> &'static [&'static str] {
    match mode {
        "exact" => &["-fmad=false"],
        "fast" => &["-use_fast_math"],
        _ => &[],
    }
}

/// Options of a C++ compiler.
#[cfg(feature = "llvm")]
pub fn cpp(mode: &str) -> &'static [&'static str] {
    match mode {
        "exact" => &["-ffp-contract=off"],
        "fast" => &["-ffast-math"],
        _ => &["-ffp-contract=fast"],
    }
}
