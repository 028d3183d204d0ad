//! Mutated programs must not crash the compiler: the suite's programs, changed at random, go
//! through `caustic check`.
//!
//! A mutated program may be refused or accepted. Panics, stack overflows, internal errors and
//! checks that do not end are failures. `MUTATIONS=100000` sets the number of programs
//! (`cargo xtask mutate COUNT SEED`), `MUTATION_SEED` the seed. Each thread leaves its current
//! program in the folder for temporary files, so that one that ends the process can be found.

use caustic_test_suite::mutate::{Edit, mutate};
use caustic_test_suite::random::Rng;
use caustic_tool::{FileSystem, RealFiles};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The time limit: far more than a check of such a small program needs, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);

/// The real files, with one replaced.
struct Overlay<'a> {
    path: &'a str,
    text: &'a str,
}

impl FileSystem for Overlay<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == self.path { Ok(self.text.as_bytes().to_vec()) } else { RealFiles.read(path) }
    }
    fn is_file(&self, path: &str) -> bool {
        path == self.path || RealFiles.is_file(path)
    }
}

fn programs(folder: &Path, out: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            programs(&path, out);
        } else if path.extension().is_some_and(|e| e == "slang")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            out.push((path.to_string_lossy().into_owned(), text));
        }
    }
}

/// The problem with the check of a program, if there is one.
fn check(path: &str, text: &str) -> Result<(), String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let args = ["check", path, "-I", &format!("{folder}/inputs"), "-D", "SCALE=1"].map(str::to_string);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let code = caustic::main_with(&args, &mut out, &mut err, &Overlay { path, text });
    let (took, err) = (start.elapsed(), String::from_utf8_lossy(&err).into_owned());
    let internal = err.lines().find(|l| l.contains("E9999"));
    match (code, internal) {
        (_, Some(line)) => Err(format!("an internal error: {line}")),
        (0 | 1 | 3, None) if took > LIMIT => Err(format!("it took {took:?}")),
        (0 | 1 | 3, None) => Ok(()),
        (code, None) => Err(format!("exit code {code}\n{err}")),
    }
}

#[test]
fn changed_programs_are_checked() {
    let number = |name: &str, default: usize| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (count, seed) = (number("MUTATIONS", 2000), number("MUTATION_SEED", 1));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let root = std::env::var_os("MUTATION_ROOT").map_or(root, Into::into);
    let mut found = Vec::new();
    programs(&root.join("test-suite/cases"), &mut found);
    programs(&root.join("examples"), &mut found);
    let (paths, texts): (Vec<String>, Vec<String>) = found.into_iter().unzip();
    assert!(texts.len() > 100, "no programs below {}", root.display());

    let (done, well) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = number("MUTATION_THREADS", std::thread::available_parallelism().map_or(1, usize::from));
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (paths, texts, done, well, failures) = (&paths, &texts, &done, &well, &failures);
            scope.spawn(move || {
                let left = std::env::temp_dir().join(format!("caustic-mutation-{}-{thread}.slang", std::process::id()));
                loop {
                    let at = done.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    let mut numbers = Rng::new((seed as u64) << 40 | at as u64);
                    let of = numbers.draw() as usize % texts.len();
                    let mut edits: Vec<Edit> = (0..1 + numbers.draw() % 6).map(|_| Edit::draw(&mut numbers)).collect();
                    let run = |edits: &[Edit]| {
                        let text = mutate(texts, of, edits);
                        let _ = std::fs::write(&left, format!("// {}\n{text}", paths[of]));
                        check(&paths[of], &text).map_err(|e| (paths[of].clone(), e, text))
                    };
                    let Err(mut failure) = run(&edits) else {
                        well.fetch_add(1, Ordering::Relaxed);
                        continue;
                    };
                    // Reduces the program to as few changes as possible.
                    let mut leave = 0;
                    while leave < edits.len() {
                        let mut fewer = edits.clone();
                        fewer.remove(leave);
                        match run(&fewer) {
                            Err(smaller) => (failure, edits) = (smaller, fewer),
                            Ok(()) => leave += 1,
                        }
                    }
                    if let Ok(mut all) = failures.lock() {
                        all.push(failure);
                    }
                }
                let _ = std::fs::remove_file(left);
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_default();
    eprintln!("{} programs were checked", well.into_inner() + failures.len());
    let shown: Vec<String> =
        failures.iter().map(|(path, error, text)| format!("==== {path}: {error}\n{text}\n")).collect();
    assert!(shown.is_empty(), "{} programs failed\n{}", shown.len(), shown.join("\n"));
}
