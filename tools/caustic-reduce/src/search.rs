//! The search: passes over the text, each a list of changes, until none keeps the fault.

use std::collections::HashSet;

/// The changes that a pass can make to a text: the results, the most promising first. `None` once
/// `index` is past the last one; a change that makes nothing sensible is an empty text.
pub type Candidates = Box<dyn Fn(usize) -> Option<String> + Sync>;

/// A sort of change: all of its changes to a text.
pub type Pass = fn(&str) -> Candidates;

pub struct State {
    pub text: String,
    jobs: usize,
    /// Texts that were tried, and do not show the fault.
    failed: HashSet<String>,
}

impl State {
    pub fn new(text: String, jobs: usize) -> State {
        State { text, jobs: jobs.max(1), failed: HashSet::new() }
    }
}

/// Rounds of all passes, at most: each one that changes something makes the text smaller.
const ROUNDS: usize = 64;

/// Applies the passes until none of their changes keeps the fault; how many texts were tried.
pub fn run(state: &mut State, passes: &[Pass], holds: &(dyn Fn(&str) -> bool + Sync)) -> usize {
    let mut tried = 0;
    for _ in 0..ROUNDS {
        let before = state.text.clone();
        for pass in passes {
            tried += run_pass(state, *pass, holds);
        }
        if state.text == before {
            break;
        }
    }
    tried
}

fn run_pass(state: &mut State, pass: Pass, holds: &(dyn Fn(&str) -> bool + Sync)) -> usize {
    let mut candidates = pass(&state.text);
    let (mut index, mut tried) = (0, 0);
    loop {
        let batch: Vec<Option<String>> = (index..index + state.jobs).map(&candidates).collect();
        if batch.first().is_none_or(Option::is_none) {
            return tried;
        }
        let open: Vec<bool> = batch
            .iter()
            .map(|text| text.as_ref().is_some_and(|t| smaller(t, &state.text) && !state.failed.contains(t)))
            .collect();
        let keeps = |text: &Option<String>, open: bool| open && text.as_ref().is_some_and(|t| holds(t));
        tried += open.iter().filter(|open| **open).count();
        let verdicts: Vec<bool> = if state.jobs == 1 {
            batch.iter().zip(&open).map(|(text, &open)| keeps(text, open)).collect()
        } else {
            // Threads of our own: the tools wait for work of the shared pool, so they must not take
            // up its threads.
            std::thread::scope(|scope| {
                let keeps = &keeps;
                let tries: Vec<_> =
                    batch.iter().zip(&open).map(|(text, &open)| scope.spawn(move || keeps(text, open))).collect();
                // A panic in a try is a defect of ours, and no fault of the program's.
                tries.into_iter().map(|t| t.join().unwrap_or(false)).collect()
            })
        };
        let lost = batch.iter().zip(&verdicts).zip(&open).filter(|((_, kept), open)| **open && !**kept);
        state.failed.extend(lost.filter_map(|((text, _), _)| text.clone()));
        match verdicts.iter().position(|v| *v) {
            Some(first) => {
                state.text = batch.into_iter().nth(first).flatten().unwrap_or_default();
                // What stood behind the change has its number now.
                index += first;
                candidates = pass(&state.text);
            }
            None => index += state.jobs,
        }
    }
}

/// Progress that cannot go in circles: fewer characters that are no blanks, or as many and earlier
/// in the alphabet.
fn smaller(new: &str, old: &str) -> bool {
    let size = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    !new.is_empty() && (size(new), new) < (size(old), old)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drop_char(text: &str) -> Candidates {
        let text = text.to_string();
        Box::new(move |i| (i < text.len()).then(|| format!("{}{}", &text[..i], &text[i + 1..])))
    }

    #[test]
    fn the_result_does_not_depend_on_the_jobs() {
        let holds = |t: &str| t.contains('x') && t.matches('y').count() >= 2;
        for jobs in [1, 3, 16] {
            let mut state = State::new("aybxcydyex".into(), jobs);
            run(&mut state, &[drop_char], &holds);
            assert_eq!(state.text.len(), 3, "{}", state.text);
            assert!(holds(&state.text));
        }
        let result = |jobs| {
            let mut state = State::new("aybxcydyex".into(), jobs);
            run(&mut state, &[drop_char], &holds);
            state.text
        };
        assert_eq!(result(1), result(5));
    }
}
