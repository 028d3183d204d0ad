//! Drawn programs by `slangc`: its C++ through a C++ compiler, run on one core in a process of its
//! own.

use super::program::{Drawn, Entry, Place, Slot};
use super::same_floats;
use super::tool::call;
use crate::gradients::floats;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const HARNESS: &str = include_str!("harness.cpp");
const COMPILERS: [&str; 3] = ["clang++-19", "clang++", "g++"];

/// Programs of the host, and by what define: with additions that are right on one core only, and
/// with atomic ones.
pub const HARNESSES: [(&str, &str); 2] = [("plain", "-DPLAIN"), ("atomic", "-DATOMIC")];

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Compiles a program, whose additions are plain, to a program of the host.
pub fn compile(slangc: &str, folder: &Path, drawn: &Drawn, floats: &str) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(said)?;
    std::fs::write(folder.join("program.slang"), &drawn.text).map_err(said)?;
    std::fs::write(folder.join("harness.cpp"), HARNESS).map_err(said)?;
    let mut command = Command::new(slangc);
    command.arg(folder.join("program.slang")).args(["-target", "cpp", "-o"]).arg(folder.join("program.cpp"));
    call(&mut command).map_err(|why| format!("slangc: {why}"))?;
    let compiler = COMPILERS.iter().find(|c| Command::new(c).arg("--version").output().is_ok());
    let compiler = compiler.ok_or("there is no C++ compiler")?;
    for (name, define) in HARNESSES {
        let mut command = Command::new(compiler);
        command.args(["-std=c++17", "-O3", "-march=native", "-w", define]).args(same_floats::cpp(floats));
        command.arg("-o").arg(folder.join(name)).arg(folder.join("harness.cpp"));
        call(&mut command).map_err(|why| format!("C++: {why}"))?;
        // Without additions both are the same.
        if !drawn.adds() {
            break;
        }
    }
    Ok(())
}

/// The time of the fastest launch, and the floats of each result in order.
pub fn run(
    folder: &Path,
    drawn: &Drawn,
    entry: &Entry,
    threads: [u32; 2],
    harness: &str,
) -> Result<(Duration, Vec<Vec<f32>>), String> {
    let (given, out) = (folder.join("arguments"), folder.join("results"));
    std::fs::write(&given, arguments(drawn, entry, threads)).map_err(said)?;
    let mut command = Command::new(folder.join(harness));
    command.arg(entry.name).arg(&given).arg(&out).args(drawn.groups(threads).map(|n| n.to_string()));
    let nanos: f64 = call(&mut command)?.trim().parse().map_err(said)?;
    let bytes = std::fs::read(&out).map_err(said)?;
    let floats = floats(&bytes);
    let mut results = Vec::new();
    let mut rest = &floats[..];
    for at in entry.arguments().filter(|&at| drawn.is_result(at)) {
        let (own, after) = rest.split_at_checked(drawn.contents(at, threads).len() / 4).ok_or("too few results")?;
        results.push(own.to_vec());
        rest = after;
    }
    Ok((Duration::from_secs_f64(nanos * 1e-9), results))
}

/// What the harness reads: for each argument how it is passed, and its contents.
fn arguments(drawn: &Drawn, entry: &Entry, threads: [u32; 2]) -> Vec<u8> {
    let mut out = Vec::new();
    let part = |out: &mut Vec<u8>, kind: u32, is_result: bool, bytes: &[u8], elements: usize| {
        out.extend(kind.to_le_bytes());
        out.extend(u32::from(is_result).to_le_bytes());
        out.extend((bytes.len() as u64).to_le_bytes());
        out.extend((elements as u64).to_le_bytes());
        out.extend(bytes);
    };
    let one = |out: &mut Vec<u8>, at: usize| {
        let argument = &drawn.arguments[at];
        let bytes = drawn.contents(at, threads);
        let kind = match argument.place {
            Place::Pointer => 0,
            Place::Structured => 1,
            Place::Scalar => 2,
        };
        part(out, kind, drawn.is_result(at), &bytes, bytes.len() / argument.stride);
    };
    for slot in &entry.slots {
        match slot {
            Slot::One(at) => one(&mut out, *at),
            // Structs here hold addresses: they begin and end at multiples of 8.
            Slot::Struct(fields) => {
                fields.iter().for_each(|&at| one(&mut out, at));
                part(&mut out, 3, false, &[], 0);
            }
        }
    }
    out
}
