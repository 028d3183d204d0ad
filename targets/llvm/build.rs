//! Links LLVM: into the program itself in optimized builds, as a shared library in others, whose
//! many test programs would each have a copy.
//!
//! A shared LLVM is relocated by each process that loads it, 310,000 addresses of 8 MB that become
//! the process's own: 14 ms of the 30 that a small kernel takes from source to PTX. Of LLVM in a
//! program at a fixed address nothing is left to relocate, and what is not used is not there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What is used of LLVM: code for this machine in memory and as objects, NVIDIA's text, passes, and
/// reading text and bitcode.
const COMPONENTS: [&str; 8] = ["native", "nvptx", "passes", "mcjit", "orcjit", "irreader", "bitreader", "linker"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    // Without LLVM the crates over it say what is missing.
    let Some(config) = llvm_config() else { return };
    println!("cargo:rustc-link-search=native={}", said(&config, &["--libdir"]).unwrap_or_default());
    let optimized = std::env::var("PROFILE").is_ok_and(|p| p == "release");
    if !(optimized && link_static(&config).is_some()) {
        println!("cargo:rustc-link-lib=dylib=LLVM-19");
    }
}

fn said(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Where `llvm-sys` looks for it, too.
fn llvm_config() -> Option<PathBuf> {
    let named = std::env::var_os("LLVM_SYS_191_PREFIX").map(|prefix| Path::new(&prefix).join("bin/llvm-config"));
    let usual = ["llvm-config-19", "llvm-config"].map(PathBuf::from);
    let is_ours = |config: &PathBuf| said(config, &["--version"]).is_some_and(|v| v.starts_with("19."));
    named.into_iter().chain(usual).find(is_ours)
}

/// `None`, with nothing said, if a library is missing.
fn link_static(config: &Path) -> Option<()> {
    let found = said(config, &[&["--link-static", "--libs"], &COMPONENTS[..]].concat())?;
    let found: Vec<&str> = found.split_whitespace().filter_map(|word| word.strip_prefix("-l")).collect();
    let compiler = Path::new("cc");
    let folder = |name: &str| {
        let path = said(compiler, &[&format!("-print-file-name=lib{name}.a")])?;
        // The compiler repeats a name that it does not find.
        Some(Path::new(&path).parent().filter(|p| p.is_absolute())?.to_path_buf())
    };
    let others = ["stdc++", "zstd", "z"];
    let folders: Vec<PathBuf> = others.iter().map(|name| folder(name)).collect::<Option<_>>()?;
    for folder in folders {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
    for name in found.into_iter().chain(others) {
        println!("cargo:rustc-link-lib=static:-bundle={name}");
    }
    Some(())
}
