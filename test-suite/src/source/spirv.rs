//! SPIR-V: the text is assembled and validated by SPIRV-Tools, and the binary, which the compiler
//! writes by itself, has to be what the assembler makes of the text.

use super::vulkan;
use crate::Suite;
use caustic_tool::FileSystem;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// The word of a module that says who wrote it.
const GENERATOR: std::ops::Range<usize> = 8..12;

/// Has a text assembled and validated; its SPIR-V.
pub fn assemble(folder: &Path, text: &str) -> Result<Vec<u8>, String> {
    let (from, to) = (folder.join("kernel.spvasm"), folder.join("assembled.spv"));
    std::fs::write(&from, text).map_err(|e| e.to_string())?;
    let mut assembler = Command::new("spirv-as");
    assembler.args(["--target-env", "spv1.5", "-o"]).arg(&to).arg(&from);
    vulkan::accepted(&mut [assembler, vulkan::validator(&to)])?;
    let code = std::fs::read(&to).map_err(|e| e.to_string())?;
    match vulkan::inexact(&code) {
        0 => Ok(code),
        count => Err(format!("{count} operations on floats may be contracted")),
    }
}

/// Compares the binary that the compiler writes with what the assembler makes of its text.
pub fn same_binary(suite: &Suite, args: &[String], program: &str, text: &str, folder: &Path) -> Result<(), String> {
    let mut assembled = assemble(folder, text)?;
    let path = "kernel.spv".to_string();
    let args: Vec<String> = args
        .iter()
        .map(|a| if a == "spirv-asm" { "spirv".to_string() } else { a.clone() })
        .chain(["-o".to_string(), path.clone()])
        .collect();
    let files = Written { root: &suite.root, stdin: program.as_bytes(), written: Mutex::default() };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let (_, tool) = suite.tools.iter().find(|(name, _)| *name == "caustic").ok_or("there is no compiler")?;
    if tool(&args, &mut out, &mut err, &files) != 0 {
        return Err(format!("the binary is not written: {}", String::from_utf8_lossy(&err)));
    }
    let written = files.written.into_inner().map_err(|e| e.to_string())?;
    let (_, mut binary) = written.into_iter().find(|(name, _)| *name == path).ok_or("no binary is written")?;
    for code in [&mut assembled, &mut binary] {
        code.get_mut(GENERATOR).ok_or("a module without a head")?.fill(0);
    }
    if assembled == binary { Ok(()) } else { Err("the text and the binary are not the same".to_string()) }
}

/// The suite's files; what is written is kept.
struct Written<'a> {
    root: &'a Path,
    stdin: &'a [u8],
    written: Mutex<Vec<(String, Vec<u8>)>>,
}

impl FileSystem for Written<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == "-" { Ok(self.stdin.to_vec()) } else { std::fs::read(self.root.join(path)) }
    }
    fn is_file(&self, path: &str) -> bool {
        path == "-" || self.root.join(path).is_file()
    }
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if let Ok(mut written) = self.written.lock() {
            written.push((path.to_string(), bytes.to_vec()));
        }
        Ok(())
    }
}
