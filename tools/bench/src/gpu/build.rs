//! Compiles the programs: ours to PTX, with the time that took, and the same sources by `slangc` to CUDA, where there is one.

use super::programs::{ENTRIES, INCLUDED, INCLUDED_BY_HAND, PROGRAMS, Program, Variant};
use super::{Way, file};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How often a compilation is timed; the best counts.
const TIMES: usize = 3;

fn said(error: std::io::Error) -> String {
    error.to_string()
}

/// Writes all that is measured of the programs whose names contain `only` into `folder`; gives a table of the times of compilation.
pub fn build(folder: &Path, only: &str, arch: &str, slangc: Option<&str>) -> Result<String, String> {
    std::fs::create_dir_all(folder).map_err(said)?;
    for (name, text) in [INCLUDED, INCLUDED_BY_HAND] {
        std::fs::write(folder.join(name), text).map_err(said)?;
    }
    let mut table = String::from("| source to PTX, ms | primal | forward | reverse |\n| --- | ---: | ---: | ---: |\n");
    for program in PROGRAMS.iter().filter(|p| p.name.contains(only)) {
        let source = folder.join(program.name).with_extension("slang");
        std::fs::write(&source, program.source).map_err(said)?;
        if let Some(hand) = program.hand {
            std::fs::write(folder.join(format!("{}.hand.cu", program.name)), hand).map_err(said)?;
        }
        for (number, variant) in program.variants.iter().enumerate() {
            let mut row = format!("| {} {} |", program.name, variant.label);
            for entry in ENTRIES {
                let time = ours(folder, (program, number, entry), variant, arch)?;
                row += &format!(" {:.0} |", time.as_secs_f64() * 1e3);
                if let Some(slangc) = slangc {
                    by_slangc(slangc, folder, (program, number, entry), variant)?;
                }
            }
            table += &row;
            table.push('\n');
        }
    }
    Ok(table)
}

fn ours(
    folder: &Path,
    (program, number, entry): (&Program, usize, &str),
    variant: &Variant,
    arch: &str,
) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    let itself = std::env::current_exe().map_err(said)?;
    for (way, times) in [(Way::Ours, TIMES), (Way::OursContracted, 1), (Way::OursFast, 1)] {
        for _ in 0..times {
            let mut command = Command::new(&itself);
            command.args(["--caustic", "emit"]).arg(folder.join(program.name).with_extension("slang"));
            command.args(["--target", "ptx", "--arch", arch, "--entry", entry]);
            command.arg("-o").arg(file(folder, program.name, number, entry, way, "ptx"));
            command.args(variant.defines.iter().flat_map(|(n, v)| ["-D".to_string(), format!("{n}={v}")]));
            if way != Way::Ours {
                command.args(["--fp", way.word()]);
            }
            let start = Instant::now();
            let output = command.output().map_err(said)?;
            let time = start.elapsed();
            if !output.status.success() {
                let why = String::from_utf8_lossy(&output.stderr).into_owned();
                return Err(format!("{} {}, {entry}: {why}", program.name, variant.label));
            }
            if way == Way::Ours {
                best = best.min(time);
            }
        }
    }
    Ok(best)
}

fn by_slangc(
    slangc: &str,
    folder: &Path,
    (program, number, entry): (&Program, usize, &str),
    variant: &Variant,
) -> Result<(), String> {
    let mut command = Command::new(slangc);
    command.arg(folder.join(program.name).with_extension("slang"));
    command.args(["-target", "cuda", "-stage", "compute", "-entry", entry, "-DWAVE_SUM"]);
    command.args(variant.defines.iter().map(|(n, v)| format!("-D{n}={v}")));
    command.arg("-o").arg(file(folder, program.name, number, entry, Way::Slangc, "cu"));
    let output = command.output().map_err(|e| format!("{slangc}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("slangc, {} {}, {entry}: {}", program.name, variant.label, String::from_utf8_lossy(&output.stderr)))
}
