//! A driver for the fuzz targets that only needs a stable compiler: it mutates the corpus at
//! random, by tokens and subtrees ([`crate::mutate`]) and by bytes, for a number of minutes.
//!
//! The current input is written to a file, so that an input that ends the process can be found. On
//! systems that report the peak memory of the process, an input that needs more than [`MAX_MEMORY`]
//! is a failure.

use super::{TARGETS, Target, Tools, corpus};
use crate::mutate::{Edit, mutate};
use crate::random::Rng;
use std::path::Path;
use std::time::{Duration, Instant};

/// The most memory that an input may need, in kilobytes.
const MAX_MEMORY: u64 = 4 << 20;
/// The number of failures after which a run ends, because more are most likely duplicates.
const MAX_FAILURES: usize = 20;

/// Texts that have a meaning in options, for use in wrong places.
const OPTION_WORDS: &[&str] = &[
    "--buffer",
    "--uniform",
    "--texture",
    "--sampler",
    "--read",
    "--counter",
    "--dispatch",
    "--entry",
    "--conformance",
    "--global-type",
    "--entry-type",
    "--format",
    "--backend",
    "--std",
    "-D",
    "-I",
    "--",
    "f32:",
    "f16:",
    "i8:",
    "u64:",
    "zero:",
    "zero:1099511627776",
    "zero:-1",
    "zero:18446744073709551616",
    "nan",
    "inf",
    "-inf",
    "-1",
    "1e999",
    "18446744073709551615",
    "99999999999999999999",
    "4294967295,4294967295,4294967295",
    "0,0,0",
    "1,1",
    "r32f:",
    "rgba8u:1x1:",
    "r32f:100000x100000:1",
    "r32f:0:1",
    ":cube",
    ":array=4294967295",
    ":mips=33",
    "=",
    ":",
    ",",
    ".",
    "[",
    "]",
    "[0]",
    "[99999999999]",
    "interp",
    "cranelift",
    "json",
    "\u{e9}",
    "",
    "=ID",
    "<float>",
];

/// The result of a run.
pub struct Drive {
    pub tried: usize,
    /// The errors, each with its input.
    pub failures: Vec<(String, Vec<u8>)>,
}

/// Runs mutated inputs for this time. `current` is the file for the current input. `None` if there
/// is no such target.
pub fn drive(target: &str, root: &Path, tools: Tools, time: Duration, seed: u64, current: &Path) -> Option<Drive> {
    let (name, function, _) = TARGETS.iter().find(|(name, ..)| *name == target)?;
    let inputs = corpus::of(name, root, tools);
    let texts: Vec<String> = inputs.iter().map(|i| String::from_utf8_lossy(i).into_owned()).collect();
    let mut numbers = Rng::new(seed);
    let mut out = Drive { tried: 0, failures: Vec::new() };
    let start = Instant::now();
    while start.elapsed() < time && out.failures.len() < MAX_FAILURES && !texts.is_empty() {
        let input = changed(name, &texts, &mut numbers);
        out.tried += 1;
        let _ = std::fs::write(current, &input);
        if let Err(why) = tried(*function, tools, &input) {
            out.failures.push((why, input));
        }
    }
    let _ = std::fs::remove_file(current);
    Some(out)
}

fn tried(target: Target, tools: Tools, input: &[u8]) -> Result<(), String> {
    reset_peak();
    target(tools, input)?;
    match peak_memory() {
        Some(kilobytes) if kilobytes > MAX_MEMORY => Err(format!("it takes {} MiB of memory", kilobytes >> 10)),
        _ => Ok(()),
    }
}

/// The peak memory of the process since the last reset, in kilobytes, on systems that report it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn changed(target: &str, texts: &[String], numbers: &mut Rng) -> Vec<u8> {
    let of = numbers.below(texts.len());
    let (line, text) = match target {
        "pipeline" | "run" => texts[of].split_once('\n').unwrap_or(("", &texts[of])),
        _ => ("", texts[of].as_str()),
    };
    let mut out = match target {
        "pipeline" => {
            (0..1 + numbers.below(5)).map(|_| (numbers.draw() % 255 + 11) as u8).filter(|b| *b != b'\n').collect()
        }
        "run" => changed_options(line, texts, numbers).into_bytes(),
        _ => Vec::new(),
    };
    if matches!(target, "pipeline" | "run") {
        out.push(b'\n');
    }
    // `run` is mainly about options, so its programs are mostly kept.
    if target == "run" && numbers.below(8) != 0 {
        out.extend_from_slice(text.as_bytes());
        return out;
    }
    let edits: Vec<Edit> = (0..1 + numbers.below(4)).map(|_| Edit::draw(numbers)).collect();
    let mut body = match target {
        "pipeline" | "run" => mutate(&[&[text.to_string()], texts].concat(), 0, &edits),
        _ => mutate(texts, of, &edits),
    }
    .into_bytes();
    if numbers.below(4) == 0 {
        change_bytes(&mut body, numbers);
    }
    out.extend_from_slice(&body);
    out
}

/// Replaces, removes or inserts a few bytes.
fn change_bytes(body: &mut Vec<u8>, numbers: &mut Rng) {
    for _ in 0..1 + numbers.below(4) {
        let at = numbers.below(body.len());
        match numbers.below(4) {
            _ if body.is_empty() => body.push(numbers.draw() as u8),
            0 => body[at] = numbers.draw() as u8,
            1 => drop(body.remove(at)),
            2 => body.insert(at, numbers.draw() as u8),
            _ => body[at] ^= 1 << numbers.below(8),
        }
    }
}

fn changed_options(line: &str, texts: &[String], numbers: &mut Rng) -> String {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    for _ in 0..1 + numbers.below(4) {
        let at = numbers.below(words.len());
        let new = OPTION_WORDS[numbers.below(OPTION_WORDS.len())];
        match numbers.below(7) {
            _ if words.is_empty() => words.push(new.to_string()),
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 => words.insert(at, new.to_string()),
            3 => {
                let with = numbers.below(words.len());
                words.swap(at, with);
            }
            4 => {
                // Replaces a part of a word.
                let starts: Vec<usize> = words[at].char_indices().map(|(i, _)| i).collect();
                let cut = starts.get(numbers.below(starts.len())).copied().unwrap_or(0);
                let rest = if numbers.below(2) == 0 { words[at][cut..].to_string() } else { String::new() };
                words[at].truncate(cut);
                words[at] += new;
                words[at] += &rest;
            }
            5 => {
                // A value of another command line.
                let other = texts[numbers.below(texts.len())].lines().next().unwrap_or_default();
                let theirs: Vec<&str> = other.split_whitespace().collect();
                words.extend(theirs.get(numbers.below(theirs.len())).map(|w| w.to_string()));
            }
            _ => {
                let digits = words[at].find(|c: char| c.is_ascii_digit());
                if let Some(digit) = digits {
                    words[at].replace_range(digit..=digit, new);
                }
            }
        }
    }
    words.retain(|w| !w.contains('\n'));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_differ_and_can_be_made_again() {
        let texts = ["--read a --buffer a=f32:1,2\nint f(int x) { return x; }".to_string(), "x\ny".to_string()];
        for (target, ..) in TARGETS {
            let all = |seed| -> Vec<Vec<u8>> {
                let mut numbers = Rng::new(seed);
                (0..300).map(|_| changed(target, &texts, &mut numbers)).collect()
            };
            let (first, mut unique) = (all(1), all(1));
            assert_eq!(first, unique, "{target}");
            unique.sort();
            unique.dedup();
            assert!(unique.len() > 100, "{target}: {}", unique.len());
            assert!(all(2) != first);
        }
    }
}
