//! The hosts of `examples/engines`: each includes a library, is compiled, and gives what the kernel
//! beside it gives. Nothing else is done to their texts than what an include does, but that HLSL's
//! registers are said as places of Vulkan.

use super::{ARCHITECTURE, FLAGS, Folder, Job, LANGUAGES, Outcome, nvrtc, runs, try_texts};
use crate::Suite;
use std::process::Command;
use std::sync::Arc;

const FOLDER: &str = "examples/engines";
/// The case that runs the kernel.
const CASE: &str = "test-suite/cases/examples/engines.test";

/// Languages whose hosts are shaders: their files, and what stands for the library in them.
const SHADERS: [(&str, &str, &str); 4] = [
    ("glsl", "vulkan.comp", "#include \"surface.glsl\"\n"),
    ("hlsl", "unity.compute", "#include \"surface.hlsl\"\n"),
    ("wgsl", "webgpu.wgsl", ""),
    ("metal", "kernel.metal", "#include \"surface.metal\"\n"),
];

/// Registers, and the places that they are with Vulkan.
const REGISTERS: [(&str, u32); 3] = [(" : register(t0)", 0), (" : register(t1)", 1), (" : register(u0)", 2)];

pub fn jobs(suite: &Arc<Suite>) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for (target, file, include) in SHADERS {
        let suite = suite.clone();
        jobs.push((format!("engines/{target}"), Box::new(move || shader(&suite, target, (file, include)))));
    }
    let (for_cpp, for_cuda) = (suite.clone(), suite.clone());
    jobs.push(("engines/cpp".to_string(), Box::new(move || fit(&for_cpp))));
    jobs.push(("engines/cuda".to_string(), Box::new(move || extension(&for_cuda))));
    jobs
}

/// The library that a host includes.
fn library(suite: &Suite, target: &str) -> Result<String, String> {
    let file = format!("{FOLDER}/surface.slang");
    let words = ["emit", &file, "--target", target, "--library", "--function", "loss", "--derivatives", "bwd"];
    suite.run_text("caustic", &words.map(String::from), "")
}

fn host(suite: &Suite, file: &str) -> Result<String, String> {
    let path = suite.root.join(FOLDER).join(file);
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

/// A text with a library in the place of what includes it.
fn included(text: &str, include: &str, library: &str) -> Result<String, String> {
    if include.is_empty() {
        return Ok(format!("{library}\n{text}"));
    }
    if !text.contains(include) {
        return Err(format!("it does not include its library by `{}`", include.trim()));
    }
    Ok(text.replacen(include, library, 1))
}

fn shader(suite: &Suite, target: &str, (file, include): (&str, &str)) -> Result<(), String> {
    let language = LANGUAGES.into_iter().find(|l| l.target == target).ok_or("no such language")?;
    let mut text = included(&host(suite, file)?, include, &library(suite, target)?)?;
    if target == "hlsl" {
        text = text.lines().map(|line| placed(line) + "\n").collect();
    }
    let outcomes = try_texts(suite, &runs(suite, &[CASE.to_string()]), language, "", &|_| text.clone())?;
    match &outcomes[..] {
        [(_, Outcome::Right)] => Ok(()),
        [(_, Outcome::Failed(why) | Outcome::Refused(why) | Outcome::Accepted(why))] => Err(why.clone()),
        _ => Err(format!("{CASE} has not one run")),
    }
}

fn placed(line: &str) -> String {
    let found = REGISTERS.iter().find(|(register, _)| line.contains(register));
    found.map_or(line.to_string(), |(register, place)| {
        format!("[[vk::binding({place}, 0)]] {}", line.replace(register, ""))
    })
}

/// The program in C++ finds the surface.
fn fit(suite: &Suite) -> Result<(), String> {
    let folder = Folder::new()?;
    let file = |name: &str| folder.0.join(name);
    std::fs::write(file("surface.h"), library(suite, "cpp")?).map_err(|e| e.to_string())?;
    std::fs::write(file("fit.cpp"), host(suite, "fit.cpp")?).map_err(|e| e.to_string())?;
    let compiler = Command::new("g++").args(FLAGS).arg("-O1").arg(file("fit.cpp")).arg("-o").arg(file("fit")).output();
    let compiler = compiler.map_err(|e| e.to_string())?;
    if !compiler.status.success() {
        return Err(String::from_utf8_lossy(&compiler.stderr).into_owned());
    }
    let ran = Command::new(file("fit")).output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    if said == "loss 0.000000, roughness 0.450\n" { Ok(()) } else { Err(format!("it finds {said}")) }
}

/// NVIDIA's compiler takes the kernel of the extension: what is around it needs PyTorch's headers.
fn extension(suite: &Suite) -> Result<(), String> {
    let text = host(suite, "torch.cu")?;
    let kernel = text.find("__global__").zip(text.find("std::vector<torch::Tensor>"));
    let (from, to) = kernel.ok_or("no kernel before the extension's functions")?;
    let library = library(suite, "cuda")?.replacen("#pragma once\n", "", 1);
    let flags = ["--std=c++17", "--fmad=false"].map(String::from);
    nvrtc::compile(&suite.root, &format!("{library}\n{}", &text[from..to]), ARCHITECTURE, &flags).map(|_| ())
}
