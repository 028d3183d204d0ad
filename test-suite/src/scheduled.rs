//! Runs cases with threads that wait for each other in orders in which a GPU might run them:
//! `--passes gpu --schedule SEED`, with several seeds.
//!
//! The expectations of a case hold in each order. The processor that runs the suite has only one
//! order, and its lanes run together, which a GPU does not guarantee; with a schedule, they come
//! together as they might on a GPU.

use crate::Suite;
use crate::case;
use std::sync::Arc;

/// The seeds of the orders.
const SEEDS: [&str; 3] = ["1", "2", "3"];

/// Whether a program has groups of more than one thread.
fn has_groups(text: &str) -> bool {
    let number = |word: &str| word.trim().parse::<u64>().ok();
    let sizes = |rest: &str, end: char| -> Option<u64> {
        rest.split_once(end)?.0.split(',').map(number).try_fold(1u64, |all, n| Some(all.saturating_mul(n?)))
    };
    let written =
        |before: &str, end: char| text.split(before).skip(1).any(|rest| sizes(rest, end).is_none_or(|n| n > 1));
    written("numthreads(", ')') || written("numthreads = array<i64:", '>')
}

/// A test for each case that runs groups of threads.
pub fn jobs(suite: &Arc<Suite>, cases: &[String]) -> Vec<(String, Box<dyn FnOnce() -> Result<(), String> + Send>)> {
    let runs = |path: &&String| {
        let text = std::fs::read_to_string(suite.root.join(path)).unwrap_or_default();
        text.contains("%backend") && has_groups(&text)
    };
    let job = |path: &String| -> (String, Box<dyn FnOnce() -> Result<(), String> + Send>) {
        let name = format!("scheduled/{}", path.trim_start_matches("test-suite/").trim_start_matches("cases/"));
        let (suite, path) = (suite.clone(), path.clone());
        (name, Box::new(move || run(&suite, &path)))
    };
    cases.iter().filter(runs).map(job).collect()
}

/// Runs the successful steps of a case in each order.
fn run(suite: &Suite, path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(suite.root.join(path)).map_err(|e| format!("cannot read {path}: {e}"))?;
    let case = case::parse(&text).map_err(|e| format!("{path}: {e}"))?;
    if case.left_out {
        return Ok(());
    }
    for step in case.steps.iter().filter(|s| s.command.contains("%backend") && s.expected_exit() == 0) {
        for seed in SEEDS {
            let backend = format!("interp --passes gpu --schedule {seed}");
            suite
                .run_step(path, &text, &case, step, &backend, None)
                .map_err(|why| format!("{path}:{}: {} (with {backend})\n{why}", step.line, step.command))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_seen_in_both_languages() {
        let groups = ["[numthreads(64, 1, 1)]", "numthreads = array<i64: 1, 2, 1>", "[numthreads(N, 1, 1)]"];
        assert!(groups.into_iter().all(has_groups));
        assert!(!["[numthreads(1, 1, 1)]", "numthreads = array<i64: 1, 1, 1>", ""].into_iter().any(has_groups));
    }
}
