//! Optimized programs with LLVM in them stand at a fixed address, so that no process relocates it
//! (`targets/llvm/build.rs`).

fn main() {
    println!("cargo:rerun-if-changed=../fixed_address.rs");
    let optimized = std::env::var("PROFILE").is_ok_and(|p| p == "release");
    let linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if optimized && linux && std::env::var_os("CARGO_FEATURE_LLVM").is_some() {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
