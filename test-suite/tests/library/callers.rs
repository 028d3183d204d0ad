//! Texts that call the functions of a library by the names that the program gives them, which are
//! names of what the library itself brings, too.

use super::Job;
use caustic_test_suite::{Suite, source};
use std::process::Command;
use std::sync::Arc;

const CASE: &str = "test-suite/cases/source/library_helpers.slang";

/// What the functions give, called with these arguments: all are exact.
const CALLS: [(&str, &str); 6] = [
    ("lib::add(1.5f, 2.25f)", "4.25"),
    ("lib::div(3.0f, 2.0f)", "1.5"),
    ("lib::gated_mul(0.0f, 2.0f)", "-2"),
    ("lib::is_nan(4.0f)", "12"),
    ("lib::max_num(4.0f, 3.0f)", "3"),
    ("lib::array(lib::vec{1.0f, 2.0f})", "3"),
];

/// Callers in the other languages. None turns an integer into a float by itself but HLSL.
const CALLERS: [(&str, &str); 5] = [
    ("cuda", "__device__ float caller() { return lib::add(1.5f, 2.25f) + lib::array(lib::vec{1.0f, 2.0f}); }\n"),
    ("glsl", "float caller() { vec v = vec(1.0, 2.0); return add(1.5, 2.25) + div(v.add, v.div) + array(v); }\n"),
    ("hlsl", "float caller() { return add(1.5, 2.25) + div(3.0, 2.0) + gated_mul(0.0, 2.0); }\n"),
    ("wgsl", "fn caller() -> f32 { return add(1.5, 2.25) + div(3.0, 2.0) + is_nan(4.0); }\n"),
    ("metal", "inline float caller() { return add(1.5f, 2.25f) + div(3.0f, 2.0f); }\n"),
];

pub fn jobs(suite: &Arc<Suite>) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for (target, caller) in CALLERS {
        let suite = suite.clone();
        jobs.push((format!("library/callers/{target}"), Box::new(move || accepted(&suite, target, caller))));
    }
    let suite = suite.clone();
    jobs.push(("library/callers/cpp".to_string(), Box::new(move || runs(&suite))));
    jobs
}

fn library(suite: &Suite, target: &str) -> Result<String, String> {
    let mut words = vec!["emit", CASE, "--target", target, "--library"];
    if ["cpp", "cuda"].contains(&target) {
        words.extend(["--prefix", "lib"]);
    }
    let words: Vec<String> = words.into_iter().map(String::from).collect();
    suite.run_text("caustic", &words, "")
}

fn accepted(suite: &Suite, target: &str, caller: &str) -> Result<(), String> {
    source::accepts(suite, target, &(library(suite, target)? + caller))
}

fn runs(suite: &Suite) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("caustic-callers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let calls: String = CALLS.iter().map(|(call, _)| format!("    printf(\"%g\\n\", double({call}));\n")).collect();
    let host = format!("#include <cstdio>\nint main() {{\n{calls}}}\n");
    let text = library(suite, "cpp")?.replacen("#pragma once\n", "", 1) + &host;
    let (file, program) = (folder.join("caller.cpp"), folder.join("caller"));
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let made = Command::new("g++").arg("-std=c++17").arg(&file).arg("-o").arg(&program).output();
    let made = made.map_err(|e| e.to_string())?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).into_owned());
    }
    let ran = Command::new(&program).output().map_err(|e| e.to_string())?;
    let _ = std::fs::remove_dir_all(&folder);
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let wanted: String = CALLS.iter().map(|(_, value)| format!("{value}\n")).collect();
    if said == wanted { Ok(()) } else { Err(format!("wanted\n{wanted}it gives\n{said}")) }
}
