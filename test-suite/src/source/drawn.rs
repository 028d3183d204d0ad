//! Programs that were drawn, as source text. Who draws them is the soak.

use super::vulkan::UNENDING;
use super::{COMPILERS, Language, Outcome, Run, try_all};
use crate::Suite;
use crate::command::Stage;

/// A program, and the arguments of `caustic run` that run it from standard input.
pub struct Drawn {
    pub text: String,
    pub args: Vec<String>,
}

/// What comes of each program, which the language's tools compile together where they can.
///
/// # Errors
/// The tools cannot be asked.
pub fn try_drawn(
    suite: &Suite,
    programs: &[Drawn],
    language: Language,
    compiler: usize,
) -> Result<Vec<Outcome>, String> {
    let run = |(line, program): (usize, &Drawn)| {
        let stage = Stage { tool: "caustic".to_string(), args: program.args.clone(), merge_stderr: false };
        Run { path: "drawn".to_string(), line, text: program.text.clone(), stage }
    };
    let runs: Vec<Run> = programs.iter().enumerate().map(run).collect();
    let mut found = try_all(suite, &runs, language, COMPILERS[compiler % COMPILERS.len()])?;
    let number = |place: &str| place.rsplit(':').next().and_then(|n| n.parse::<usize>().ok());
    found.sort_by_key(|(place, _)| number(place));
    Ok(found.into_iter().map(|(_, outcome)| slow(outcome)).collect())
}

/// A long program is one that lavapipe compiles for longer than a shader may run; whether it ends
/// the other languages show, whose programs run on the machine itself.
fn slow(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Failed(why) if why.starts_with(UNENDING) => Outcome::Accepted(why),
        other => other,
    }
}
