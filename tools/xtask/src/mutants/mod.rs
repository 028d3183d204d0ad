//! `cargo xtask mutants`: who finds each mutant (`caustic-mutants`), and the page of the book that
//! says so.
//!
//! The tests are built once with the mutants in them. Each mutant is tried on the suite, until its
//! first failure, and on the tests of the passes' rows and rewrites; what nobody finds there, the
//! generator of random programs looks for. What found a mutant last time is asked first. A process
//! has a limit of processor time, so that a machine that does much else changes nothing; what is
//! over it counts as found, since a mutant may make a loop endless.
//!
//! `--pack` and `--run` build and search on different machines ([`pack`]). `--total SECONDS` ends a
//! search; of what it leaves out the page says what it said. `--patterns` asks the generator alone,
//! about the [`patterns`] that users of other compilers were given wrong derivatives in.

mod finders;
mod pack;
mod page;
mod patterns;

use crate::say;
use finders::{Deadline, Finders};
use page::Page;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The mutants that there are, each with what goes wrong.
pub struct List(Vec<Mutant>);

struct Mutant {
    name: String,
    what: String,
}

impl List {
    /// Of lines with a name, a tab, and what goes wrong.
    fn parse(text: &str) -> List {
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        List(lines.map(|(name, what)| Mutant { name: name.into(), what: what.into() }).collect())
    }

    fn to_text(&self) -> String {
        self.0.iter().map(|mutant| format!("{}\t{}\n", mutant.name, mutant.what)).collect()
    }
}

/// Does as the words say: mutants whose names contain one of them, or all; see the head. Whether
/// all that was to be found is.
pub fn run(words: &[&str]) -> bool {
    match words {
        ["--pack", folder] => Finders::build().is_some_and(|(finders, list)| {
            let packed = pack::pack(&finders, &list, Path::new(folder));
            packed.map_err(|why| say(&why)).is_ok()
        }),
        ["--run", folder, words @ ..] => match pack::open(Path::new(folder)) {
            Ok((finders, list)) => ask(&finders, list, words),
            Err(why) => {
                say(&why);
                false
            }
        },
        _ => Finders::build().is_some_and(|(finders, list)| ask(&finders, list, words)),
    }
}

/// Asks about mutants or patterns, and writes the page.
fn ask(finders: &Finders, List(mutants): List, words: &[&str]) -> bool {
    let (total, words) = match words {
        ["--total", seconds, rest @ ..] => match seconds.parse() {
            Ok(seconds) => (Some(seconds), rest),
            Err(_) => {
                say(&format!("--total takes seconds, not {seconds}"));
                return false;
            }
        },
        _ => (None, words),
    };
    let mut page = Page::read();
    let lost = match words {
        ["--patterns"] => patterns::run(finders, &mut page),
        _ => {
            page.mutants.retain(|name, _| mutants.iter().any(|f| f.name == *name));
            let wanted = |f: &Mutant| words.is_empty() || words.iter().any(|w| f.name.contains(w));
            let mutants = mutants.into_iter().filter(wanted).collect();
            let deadline = total.map(|seconds| Instant::now() + Duration::from_secs(seconds));
            search(finders, mutants, deadline, &mut page)
        }
    };
    if let Err(error) = page.write() {
        say(&format!("cannot write {}: {error}", page::PATH));
        return false;
    }
    lost == 0
}

/// Asks about every mutant, and prints those that nobody finds or that there is no time for; how
/// many there are of both.
fn search(finders: &Finders, mut mutants: Vec<Mutant>, deadline: Deadline, page: &mut Page) -> usize {
    let known: BTreeMap<String, String> =
        page.mutants.iter().filter_map(|(name, row)| Some((name.clone(), row.finder.clone()?))).collect();
    // What takes longest begins first.
    mutants.sort_by_key(|mutant| known.get(&mutant.name).is_some_and(|finder| !finders::is_generator(finder)));
    let found: Mutex<BTreeMap<String, Option<String>>> = Mutex::default();
    let next = Mutex::new(mutants.iter());
    let workers = std::env::var("FAULT_JOBS").ok().and_then(|n| n.parse().ok());
    let workers = workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let is_over = || deadline.is_some_and(|at| Instant::now() >= at);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while !is_over() {
                    let Some(mutant) = next.lock().ok().and_then(|mut it| it.next()) else { return };
                    let start = Instant::now();
                    let finder = finders.find(&mutant.name, known.get(&mutant.name), deadline);
                    // The end may be what a test failed of, and why the generator found nothing.
                    if is_over() {
                        return;
                    }
                    let seconds = start.elapsed().as_secs_f64();
                    say(&format!("{seconds:7.1} s  {}: {}", mutant.name, finder.as_deref().unwrap_or("NOT FOUND")));
                    if let Ok(mut found) = found.lock() {
                        found.insert(mutant.name.clone(), finder);
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_else(|e| e.into_inner());
    let lost = found.values().filter(|f| f.is_none()).count();
    let unasked = mutants.len() - found.len();
    say(&format!("{} mutants, {lost} not found, {unasked} not asked", mutants.len()));
    for mutant in mutants {
        match found.get(&mutant.name) {
            None => println!("not asked: {}", mutant.name),
            Some(finder) => {
                if finder.is_none() {
                    println!("not found: {}", mutant.name);
                }
                page.mutants.insert(mutant.name, page::Row { what: mutant.what, finder: finder.clone() });
            }
        }
    }
    lost + unasked
}
