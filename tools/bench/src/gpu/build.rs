//! Compiles the programs: ours to PTX, with the time that took, and the same sources by `slangc` to
//! CUDA, where there is one.

use super::programs::{ENTRIES, INCLUDED, INCLUDED_BY_HAND, PROGRAMS, Program, Variant};
use super::{Asked, Way, ceilings, errors, file, phases};
use crate::functions::FUNCTIONS;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How often a compilation is timed; the best counts.
const TIMES: usize = 3;

fn said(error: std::io::Error) -> String {
    error.to_string()
}

/// Writes all that is measured of the programs whose names contain `only` into `folder`; gives a
/// table of the times of compilation.
pub fn build(folder: &Path, asked: &Asked<'_>) -> Result<String, String> {
    let Asked { only, arch, slangc, .. } = *asked;
    std::fs::create_dir_all(folder).map_err(said)?;
    if asked.errors {
        return functions(folder, only, arch);
    }
    for (name, text) in [INCLUDED, INCLUDED_BY_HAND] {
        std::fs::write(folder.join(name), text).map_err(said)?;
    }
    for entry in ceilings::ENTRIES {
        std::fs::write(folder.join("ceilings.slang"), ceilings::SOURCE).map_err(said)?;
        let mut command = Command::new(std::env::current_exe().map_err(said)?);
        command.args(["--caustic", "emit"]).arg(folder.join("ceilings.slang"));
        command.args(["--target", "ptx", "--fp", "contract", "--arch", arch, "--entry", entry]);
        succeeded(command.arg("-o").arg(ceilings::file(folder, entry))).map_err(|why| format!("{entry}: {why}"))?;
    }
    let mut table = String::from("| source to PTX, ms | primal | forward | reverse |");
    table += &phases::STEPS.map(|s| format!(" {s} |")).concat();
    table += " loading it, reading, writing |\n| --- | ---: | ---: | ---: |";
    table += &" ---: |".repeat(phases::STEPS.len() + 1);
    table.push('\n');
    for program in PROGRAMS.iter().filter(|p| p.name.contains(only)) {
        let source = folder.join(program.name).with_extension("slang");
        std::fs::write(&source, program.source).map_err(said)?;
        if let Some(hand) = program.hand {
            std::fs::write(folder.join(format!("{}.hand.cu", program.name)), hand).map_err(said)?;
        }
        for (number, variant) in program.variants.iter().enumerate() {
            let mut row = format!("| {} {} |", program.name, variant.label);
            let mut total = 0.0;
            for entry in ENTRIES {
                let time = ours(folder, (program, number, entry), variant, asked)?;
                total = time.as_secs_f64() * 1e3;
                row += &format!(" {:.0} |", time.as_secs_f64() * 1e3);
                emitted(folder, (program, number, entry), variant)?;
                if let Some(slangc) = slangc {
                    by_slangc(slangc, folder, (program, number, entry), variant)?;
                }
            }
            // Of the last, the reverse derivative.
            let steps = steps(program, number, ENTRIES[2], arch)?;
            row += &steps.map(|ms| format!(" {ms:.1} |")).concat();
            row += &format!(" {:.0} |", (total - steps.iter().sum::<f64>()).max(0.0));
            table += &row;
            table.push('\n');
        }
    }
    Ok(table)
}

/// Kernels that ask each function for many numbers.
fn functions(folder: &Path, only: &str, arch: &str) -> Result<String, String> {
    let source = folder.join("errors.slang");
    std::fs::write(&source, errors::SOURCE).map_err(said)?;
    let named = FUNCTIONS.iter().filter(|f| f.name.contains(only));
    for (function, apply) in named.filter_map(|f| Some((f, f.apply?))) {
        for double in [false, true] {
            let mut command = Command::new(std::env::current_exe().map_err(said)?);
            command.args(["--caustic", "emit"]).arg(&source).args(["--target", "ptx", "--arch", arch]);
            command.args(["-D".into(), format!("APPLY={apply}")]);
            command.args(["-D", if double { "REAL=double" } else { "REAL=float" }]);
            command.arg("-o").arg(errors::file(folder, function, double));
            succeeded(&mut command).map_err(|why| format!("{}: {why}", function.name))?;
        }
    }
    Ok(String::new())
}

/// What it writes to its standard output.
fn succeeded(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(said)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Milliseconds of each step, of the compilation with the least sum.
fn steps(program: &Program, number: usize, entry: &str, arch: &str) -> Result<[f64; phases::STEPS.len()], String> {
    let mut best: Option<[f64; phases::STEPS.len()]> = None;
    for _ in 0..TIMES {
        let mut command = Command::new(std::env::current_exe().map_err(said)?);
        command.args(["--gpu-phases", program.name, &number.to_string(), entry, arch]);
        let found = phases::read(&succeeded(&mut command)?).ok_or("the steps could not be read")?;
        let sum = |steps: &[f64]| steps.iter().sum::<f64>();
        if best.is_none_or(|best| sum(&found) < sum(&best)) {
            best = Some(found);
        }
    }
    best.ok_or_else(|| "nothing was measured".to_string())
}

fn ours(
    folder: &Path,
    (program, number, entry): (&Program, usize, &str),
    variant: &Variant,
    asked: &Asked<'_>,
) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    let itself = std::env::current_exe().map_err(said)?;
    for (way, times) in [(Way::Ours, TIMES), (Way::OursContracted, 1), (Way::OursFast, 1)] {
        for _ in 0..times {
            let mut command = Command::new(&itself);
            command.args(["--caustic", "emit"]).arg(folder.join(program.name).with_extension("slang"));
            command.args(["--target", "ptx", "--arch", asked.arch, "--rewrite", asked.rewrite, "--entry", entry]);
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

/// The CUDA that is emitted; nothing if a program cannot be written so.
fn emitted(folder: &Path, (program, number, entry): (&Program, usize, &str), variant: &Variant) -> Result<(), String> {
    for way in [Way::Source, Way::SourceContracted] {
        let mut command = Command::new(std::env::current_exe().map_err(said)?);
        command.args(["--caustic", "emit"]).arg(folder.join(program.name).with_extension("slang"));
        command.args(["--target", "cuda", "--entry", entry]);
        command.args(variant.defines.iter().flat_map(|(n, v)| ["-D".to_string(), format!("{n}={v}")]));
        command.arg("-o").arg(file(folder, program.name, number, entry, way, "cu"));
        if let Err(why) = succeeded(&mut command) {
            eprintln!("emitted CUDA, {} {}, {entry}: {why}", program.name, variant.label);
            break;
        }
    }
    Ok(())
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
