//! Libraries: the functions of cases, with their derivatives, as source text for others.
//!
//! In C++ each is called at a random point with random directions, and gives what the interpreter
//! gives, to the last bit ([`numbers`]): functions whose values are made of scalars of 32 bits. In
//! Slang the text is compiled again and does the same ([`slang`]). The other languages' compilers
//! take the text, and what calls it ([`callers`]). `LIBRARY=1` takes all cases, by default
//! one of sixteen is chosen by `SOURCE_SEED`; `SOURCE_CASE=WORD` takes those whose path has it.

mod callers;
mod numbers;
mod slang;

use caustic_driver::{EmitOptions, Error, FileLoader, LibraryOptions, Options, Session, Target, codes};
use caustic_test_suite::{Suite, source};
use std::path::Path;
use std::sync::Arc;

type Job = (String, Box<dyn FnOnce() -> Result<(), String> + Send>);

/// A default run takes one case of this many.
const ONE_IN: u64 = 16;
/// Cases of nested derivatives that nobody needs: a library would offer each, and take minutes.
const TOWERS: [&str; 1] = ["autodiff/tower_not_needed.slang"];
/// The number of libraries in one program.
const BATCH: usize = 12;

/// Languages whose compilers judge a text alone: as the command says it.
const JUDGED: [(&str, Target); 5] = [
    ("cuda", Target::CudaSource),
    ("glsl", Target::Glsl),
    ("hlsl", Target::Hlsl),
    ("wgsl", Target::Wgsl),
    ("metal", Target::Metal),
];

pub fn jobs(suite: &Arc<Suite>, cases: &[String]) -> Vec<Job> {
    let mut chosen = source::chosen(cases, "LIBRARY", ONE_IN);
    chosen.retain(|path| path.ends_with(".slang") && !TOWERS.iter().any(|tower| path.ends_with(tower)));
    let mut jobs = callers::jobs(suite);
    let batches = chosen.chunks(BATCH).enumerate();
    jobs.extend(batches.flat_map(|(number, batch)| {
        let job = |what: &str, run: fn(&Suite, &[String]) -> Result<(), String>| -> Job {
            let (suite, batch) = (suite.clone(), batch.to_vec());
            (format!("library/{what}/{number:02}"), Box::new(move || run(&suite, &batch)))
        };
        [job("numbers", numbers::check), job("slang", slang::check), job("accepted", accepted)]
    }));
    jobs
}

/// A library of a case in a language: its text and description; the reason, where it is refused.
fn library(
    suite: &Suite,
    path: &str,
    target: Target,
    prefix: &str,
) -> Result<Result<(String, String), String>, String> {
    let session = session(suite);
    let Ok(program) = session.compile(path) else { return Ok(Err("no program by itself".to_string())) };
    let mut options = EmitOptions::default();
    options.prefix = Some(prefix.to_string());
    match program.library(target, &LibraryOptions::default(), &options) {
        Ok(made) => Ok(Ok((made.text, made.description))),
        Err(error) => {
            let said = error.to_string();
            // What a language cannot say, what no function can be taken of, and derivatives of a
            // function that is itself a derivative of too high an order.
            let refusals = [codes::E0853, codes::E0803, codes::E0852, codes::E0605];
            let refused = matches!(&error, Error::Rejected(found)
                if found.iter().any(|d| refusals.contains(&d.code)));
            // Derivatives that cannot be made are the case's own subject.
            if refused || session.check(path).is_err() { Ok(Err(said)) } else { Err(format!("{path}: {said}")) }
        }
    }
}

fn session(suite: &Suite) -> Session<'_> {
    Session::new(Options::default()).with_loader(Rooted(&suite.root))
}

/// Files below the root of the repository.
struct Rooted<'s>(&'s Path);

impl caustic_driver::SourceLoader for Rooted<'_> {
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        FileLoader.read(&self.0.join(path).to_string_lossy())
    }

    fn is_file(&self, path: &str) -> bool {
        FileLoader.is_file(&self.0.join(path).to_string_lossy())
    }
}

/// The compilers of the other languages take each text, and two of them in one.
fn accepted(suite: &Suite, cases: &[String]) -> Result<(), String> {
    let mut wrong = String::new();
    for path in cases {
        for (name, target) in JUDGED {
            match library(suite, path, target, "lib") {
                Ok(Err(_)) => {}
                Ok(Ok((mut text, _))) => {
                    // A text of CUDA is one file.
                    if target != Target::CudaSource
                        && let Ok(Ok((other, _))) = library(suite, path, target, "other")
                    {
                        text += &other;
                    }
                    if let Err(why) = source::accepts(suite, name, &text) {
                        wrong += &format!("{path}: {name}: {why}\n");
                    }
                }
                Err(why) => wrong += &format!("{name}: {why}\n"),
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
