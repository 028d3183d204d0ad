//! How much each language can say: every step of every case that runs a kernel is emitted in each
//! language, and nothing else is done to the text. A step is emitted, or refused with a code at a
//! place in the program; so many of a hundred have to be emitted. Steps that are drawn are emitted
//! again by another thread: the text and its description are the same.

use super::{Job, LANGUAGES, Language, Run, runs};
use crate::Suite;
use crate::ptx::{REFUSALS, for_emit, options};
use crate::random::Rng;
use std::sync::Arc;

/// The least part of steps that is emitted, in percent.
const FLOORS: [(&str, usize); 7] =
    [("cpp", 97), ("cuda", 92), ("glsl", 92), ("spirv", 92), ("hlsl", 90), ("metal", 80), ("wgsl", 80)];

/// One step of so many is emitted twice.
const TWICE: u64 = 16;

pub fn jobs(suite: &Arc<Suite>, cases: &[String]) -> Vec<Job> {
    let cases = Arc::new(cases.to_vec());
    let job = |language: Language| -> Job {
        let (suite, cases) = (suite.clone(), cases.clone());
        (format!("source/coverage/{}", language.target), Box::new(move || check(&suite, &cases, language)))
    };
    LANGUAGES.into_iter().map(job).collect()
}

fn check(suite: &Suite, cases: &[String], language: Language) -> Result<(), String> {
    let help = |command: &str| suite.run_text("caustic", &[command.to_string(), "--help".to_string()], "");
    let (run_help, emit_help) = (help("run")?, help("emit")?);
    let (known_run, known_emit) = (options(&run_help), options(&emit_help));
    let (mut emitted, mut refused, mut wrong) = (0, 0, String::new());
    for (number, run) in runs(suite, cases).iter().enumerate() {
        let mut words = for_emit(&run.stage.args[1..], &known_run, &known_emit);
        words.retain(|word| language.target != "wgsl" || word != "-g");
        let head = ["emit", "--target", language.text].map(String::from);
        let args: Vec<String> = head.into_iter().chain(words).collect();
        match suite.run_text("caustic", &args, &run.text) {
            Ok(text) => {
                emitted += 1;
                let drawn = Rng::new(number as u64).draw().is_multiple_of(TWICE);
                if let Err(why) = if drawn { again(suite, run, &args, &text) } else { Ok(()) } {
                    wrong += &format!("{}: {why}\n", run.place());
                }
            }
            Err(why) if is_refusal(&why) => refused += 1,
            Err(why) => wrong += &format!("{}: {}\n", run.place(), why.lines().next().unwrap_or_default()),
        }
    }
    let floor = FLOORS.iter().find(|(target, _)| *target == language.target).map_or(100, |(_, floor)| *floor);
    let all = emitted + refused;
    if std::env::var_os("READABLE").is_some() {
        eprintln!("{}: {emitted} of {all} steps are emitted", language.target);
    }
    if emitted * 100 < floor * all {
        wrong += &format!("{emitted} of {all} steps are emitted, which is less than {floor} in a hundred\n");
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Whether a message is a refusal: a code, at a line and a column.
fn is_refusal(why: &str) -> bool {
    let place = |line: &str| {
        let before = line.split(": error[").next().unwrap_or_default();
        let mut parts = before.rsplit(':');
        let mut number = || parts.next().is_some_and(|n| n.parse::<u32>().is_ok_and(|n| n > 0));
        number() && number()
    };
    why.lines().any(|line| REFUSALS.iter().any(|code| line.contains(code)) && place(line))
}

/// Emits a text once more, by another thread, and compares it and its description.
fn again(suite: &Suite, run: &Run, args: &[String], text: &str) -> Result<(), String> {
    let json: Vec<String> = args.iter().cloned().chain(["--format", "json"].map(String::from)).collect();
    let first = suite.run_text("caustic", &json, &run.text)?;
    let other = std::thread::scope(|scope| {
        let all = || Ok((suite.run_text("caustic", args, &run.text)?, suite.run_text("caustic", &json, &run.text)?));
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, all);
        let done = thread.map_err(|e| e.to_string())?.join();
        done.unwrap_or_else(|_| Err("it panics".to_string()))
    })?;
    match other {
        (ref again, _) if again != text => Err("its text is another each time".to_string()),
        (_, ref again) if *again != first => Err("its description is another each time".to_string()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_a_code_and_a_place() {
        assert!(is_refusal("a.slang:3:5: error[E0853]: it cannot be written"));
        assert!(!is_refusal("a.slang: error[E0853]: it cannot be written"));
        assert!(!is_refusal("a.slang:3:5: error[E9999]: internal"));
    }
}
