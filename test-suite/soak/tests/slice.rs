//! A part of the soak with fixed seeds, and tests of the soak itself: it finds a wrong program, and
//! reduces failures.

use caustic_dialects::math;
use caustic_ir::{Module, Name};
use caustic_soak::emit;
use caustic_soak::generate::{Limits, program};
use caustic_soak::judge::number::Mode;
use caustic_soak::judge::{Judge, Unjudged, Value};
use caustic_soak::memory;
use caustic_soak::memory::judge::{Stop, judge};
use caustic_soak::memory::tree::{Func, Num, Stmt, Ty};
use caustic_soak::oracle::functions::judge_functions;
use caustic_soak::oracle::run::compile;
use caustic_soak::oracle::views::check_view;
use caustic_soak::oracle::{Case, FIRST, JUDGED, TRANSPOSES, check, check_spoiled};
use caustic_soak::shrink::{Programs, Shrinker};
use caustic_soak::soak::{Options, run};
use caustic_soak::tree::idioms::{IDIOMS, alone};
use caustic_soak::tree::print::{Style, print};
use caustic_soak::tree::views::{VIEWS, WRONG};
use caustic_soak::tree::{CUSTOM, FuncKind, Kind};
use caustic_test_suite::random::of_name;
use caustic_test_suite::rename::traps::Traps;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// `SOAK_PROGRAMS` sets how many programs are checked.
#[test]
fn fixed_seeds_are_well() {
    let programs = std::env::var("SOAK_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let options = Options {
        time: Duration::from_secs(600),
        programs,
        seed: 2026,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        folder: None,
        shrink: Duration::from_secs(30),
        limits: Limits { funcs: 2, statements: 4, depth: 2, rounds: 32 },
        until_failure: false,
        only: None,
        say: |_| {},
    };
    let report = run(&options);
    let shown: Vec<String> =
        report.failures.iter().map(|(name, found)| format!("{name}\n{}", found.to_text())).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert_eq!(report.programs, programs);
    // A run that compares nothing proves nothing.
    assert!(report.differences > programs, "{} differences", report.differences);
    assert!(report.judged > 10 * programs, "{} numbers judged", report.judged);
}

/// `MEMORY_PROGRAMS` sets how many programs are checked.
#[test]
fn memory_is_as_the_judge_says() {
    let programs = std::env::var("MEMORY_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let options = Options {
        time: Duration::from_secs(600),
        programs,
        seed: 2027,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        folder: None,
        shrink: Duration::from_secs(30),
        limits: Limits::default(),
        until_failure: false,
        only: None,
        say: |_| {},
    };
    let report = memory::run(&options);
    assert!(report.failures.is_empty(), "{}", report.to_text());
    assert_eq!(report.programs, programs);
    // A run that compares nothing proves nothing.
    let open: u64 = report.open.values().sum();
    assert!(2 * open < programs && report.bytes > 100 * programs, "{}", report.to_text());
    assert!(report.outside > programs, "{} accesses led nowhere", report.outside);
}

/// `EMIT_PROGRAMS` sets how many programs are checked.
#[test]
fn programs_are_well_as_source_text() {
    let programs = std::env::var("EMIT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    let options = Options {
        time: Duration::from_secs(600),
        programs,
        seed: 2028,
        threads: 1,
        folder: None,
        shrink: Duration::from_secs(30),
        limits: emit::LIMITS,
        until_failure: false,
        only: None,
        say: |_| {},
    };
    let report = emit::run(&options, None);
    assert!(report.failures.is_empty(), "{}", report.to_text());
    // A run that compares nothing proves nothing.
    let right: u64 = report.targets.values().map(|counts| counts[0]).sum();
    assert!(2 * report.programs > programs && right > 5 * report.programs, "{}", report.to_text());
}

/// Twins move functions. A function that cannot be moved must not be reported as a failure.
#[test]
fn idioms_and_custom_derivatives_stand_in_name_spaces_and_structs() {
    for (row, (name, _)) in IDIOMS.iter().enumerate() {
        let mut p = alone(row);
        assert!(p.house(true, &[0, 1], &mut Traps::new(row as u64, BTreeSet::new())), "{name}");
        compile(&print(&p, &Style::default())).unwrap_or_else(|e| panic!("{name}: {e}"));
        p = alone(row);
        assert!(!p.house(false, &[0, 1], &mut Traps::new(row as u64, BTreeSet::new())), "{name}");
        p.funcs[0].as_mut().unwrap().kind = FuncKind::Custom(row % CUSTOM.len());
        assert!(p.house(false, &[0, 1], &mut Traps::new(row as u64, BTreeSet::new())), "{name}");
        p.funcs[1].as_mut().unwrap().body.change(&mut |n| {
            if n.kind == Kind::Call(0) {
                n.kids.pop();
            }
        });
        compile(&print(&p, &Style::default())).unwrap_or_else(|e| panic!("given {row}: {e}"));
    }
}

/// The soak combines idioms; here each is checked alone, so that a failure is easy to locate.
#[test]
fn every_idiom_is_well() {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let work = || {
                while let Some((name, text)) = IDIOMS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = IDIOMS.iter().position(|i| i.0 == *name).unwrap_or(0);
                    let mut case = Case { program: alone(row), seed: row as u64 };
                    case.program.second = false;
                    for oracle in [FIRST, JUDGED] {
                        let found = match check(&case, Some(oracle)) {
                            Err(f) => format!("==== {name}: {}: {}\n{text}", f.oracle, f.detail),
                            Ok(seen) if oracle == JUDGED && seen.judged == 0 => {
                                format!("==== {name}: not judged\n{text}")
                            }
                            Ok(_) => continue,
                        };
                        wrong.lock().unwrap_or_else(|e| e.into_inner()).push(found);
                    }
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(|e| e.into_inner());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs are a strategy of proptest, and shrinking keeps the failure.
#[test]
fn programs_shrink_to_what_matters() {
    let mut runner = TestRunner::deterministic();
    let has_loop = |case: &Case| {
        let mut found = false;
        case.program.functions().for_each(|f| f.body.walk(&mut |n| found |= matches!(n.kind, Kind::For(_))));
        found
    };
    let mut tree = (0..50)
        .filter_map(|_| Programs::default().new_tree(&mut runner).ok())
        .find(|t: &Shrinker| has_loop(&t.current()))
        .expect("one in 50 programs has a loop");
    let before = tree.current().program.size();
    let mut more = tree.simplify();
    let mut smallest = before;
    while more {
        more = if has_loop(&tree.current()) {
            smallest = smallest.min(tree.current().program.size());
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    assert!(has_loop(&tree.current()));
    assert!(smallest < 30 && smallest <= before, "from {before} nodes to {smallest}");
}

/// A program with a wrong derivative must be noticed: without that, an error such as confusing two
/// values with one name would stay hidden.
#[test]
fn a_wrong_derivative_is_told() {
    let mut told = 0;
    for seed in 0..200 {
        let mut case = Case { program: program(seed, Limits { funcs: 3, ..Limits::default() }), seed };
        let Some(node) = case.program.spoil() else { continue };
        told += usize::from(check(&case, None).is_err());
        assert!(!node.is_empty());
        if told > 0 {
            return;
        }
    }
    panic!("no spoiled program was told");
}

/// The judge must notice a wrong partial derivative that both modes share, so that they agree with
/// each other.
#[test]
fn an_error_of_both_modes_is_told() {
    // The derivative of the sine becomes the sine. The program itself has no cosine.
    let spoil = |module: &mut Module| {
        for symbol in module.symbols_mut() {
            let body = &mut symbol.body;
            let cosines: Vec<_> = body.all_ops().filter(|&op| math::Cos::is(body, op)).collect();
            cosines.into_iter().for_each(|op| body.set_def(op, math::Sin::DEF));
        }
    };
    let row = IDIOMS.iter().position(|(_, text)| text.contains("sin(") && !text.contains("cos(")).expect("a row");
    let mut case = Case { program: alone(row), seed: 1 };
    case.program.second = false;
    assert!(check_spoiled(&case, Some(JUDGED), None).is_ok_and(|seen| seen.judged > 0));
    assert!(check_spoiled(&case, Some(TRANSPOSES), Some(spoil)).is_ok());
    let told = check_spoiled(&case, Some(JUDGED), Some(spoil)).expect_err("it is told");
    assert!(told.detail.starts_with("forward derivative"), "{}", told.detail);
}

/// The bound of a derivative holds for its terms in every order, even if the judge's order does not
/// round. The result of converting an exact number is known, so it decides comparisons.
#[test]
fn the_judge_counts_the_roundings_of_the_program() {
    let functions = [
        // All sums of the terms w, -w / 4 and -v of the first gradient may be exact except for that
        // of the first two.
        "[Differentiable] float2 f(float a, float b) { return float2(lerp(a, b, 0.25), -a); }",
        "[Differentiable] float f(float a) { if (float(half(a)) < a) { return a * a; } return -a; }",
        "[Differentiable] half f(half a, float b) { return a * half(b) - half(float(a) * 0.75); }",
    ];
    for text in functions {
        let hl = compile(text).expect("it is valid");
        let mut numbers = 0;
        for seed in 0..100 {
            let seen = judge_functions(&hl, seed).expect("it is differentiated");
            assert!(seen.wrong.is_empty() && seen.unknown.is_empty(), "{text}: {:?} {:?}", seen.wrong, seen.unknown);
            numbers += seen.numbers;
        }
        assert!(numbers > 100, "{text}: {numbers} numbers");
    }
}

/// The judge refuses code that does not end, without exhausting its stack or its memory.
#[test]
fn the_judges_have_limits() {
    let texts = [
        ("[Differentiable] double f(double x) { return x * f(x * 0.5); }", "calls are nested too deep"),
        ("[Differentiable] double f(double x) { while (x * 0 == 0) x += 1; return x; }", "it takes too long"),
        (
            "[Differentiable] double f(double x) { return x * fwd_diff(f)(diffPair(x * x, 1.0)).d; }",
            "derivatives are nested too deep",
        ),
        (
            "[Differentiable] double f(double x) { DifferentialPair<double> p = diffPair(x * x); bwd_diff(f)(p, x); return p.d; }",
            "derivatives are nested too deep",
        ),
    ];
    let judged = |text: &str| {
        let hl = compile(text).expect("it is valid");
        let pair = Value::agg(vec![Value::real(0.5), Value::real(1.0)]);
        Judge::new(&hl, 0).derivative_of(Name::new("f"), Mode::Forward, vec![pair])
    };
    for (text, why) in texts {
        // A small stack: a thread may have less left than a new thread has.
        let small = std::thread::Builder::new().stack_size(16 << 20);
        let got = std::thread::scope(|s| small.spawn_scoped(s, || judged(text).err()).unwrap().join().unwrap());
        assert_eq!(got, Some(Unjudged::Unknown(why.to_string())), "{text}");
    }
    let calls = |body: Vec<Stmt>| memory::tree::Program {
        funcs: vec![Func { params: Vec::new(), ret: None, body, result: None }],
        vars: vec![Ty::Num(Num::I32)],
        main: vec![Stmt::Call(None, 0, Vec::new())],
        threads: 1,
        groups: 1,
        ..Default::default()
    };
    for body in [Stmt::Call(None, 0, Vec::new()), Stmt::For(0, usize::MAX, Vec::new())] {
        assert_eq!(judge(&calls(vec![body])), Err(Stop::Steps));
    }
}

/// The derivatives of the suite's programs and of the examples equal the judge's, for functions of
/// plain values: all examples and one program in eight, or all of them with `SOAK_FUNCTIONS` set,
/// which then also prints what the judge does not know.
#[test]
fn functions_of_the_suite_are_what_the_judge_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["cases", "regressions", "../examples"] {
        slang_files(&root.join(folder), &mut files);
    }
    files.sort();
    let all = std::env::var("SOAK_FUNCTIONS").is_ok();
    let is_example = |f: &Path| f.to_string_lossy().contains("examples");
    // In the first, the custom derivative does not hold constant what its function holds; in the
    // second, derivatives are in coordinates of the program's choice.
    let left_out = ["given_without_no_diff.slang", "gradcheck_own_coordinates.slang"];
    files.retain(|f| !left_out.iter().any(|name| f.ends_with(Path::new("cases/autodiff").join(name))));
    let drawn = |f: &Path| of_name(&f.strip_prefix(&root).unwrap_or(f).to_string_lossy(), 1).is_multiple_of(8);
    files.retain(|f| all || is_example(f) || drawn(f));
    let (next, found) = (AtomicUsize::new(0), Mutex::new((0, 0, Vec::new())));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let work = || {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Files that do not compile alone are skipped.
                    let Ok(text) = std::fs::read_to_string(file) else { continue };
                    let Ok(seen) = compile(&text).and_then(|hl| judge_functions(&hl, 1)) else { continue };
                    if all {
                        seen.unknown.iter().for_each(|(name, why)| eprintln!("{}: @{name}: {why}", file.display()));
                        seen.wrong.iter().for_each(|w| eprintln!("{}: wrong: {w}", file.display()));
                    }
                    let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
                    found.0 += seen.functions;
                    found.1 += seen.numbers;
                    found.2.extend(seen.wrong.iter().map(|w| format!("{}: {w}", file.display())));
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let (functions, numbers, wrong) = found.into_inner().unwrap_or_else(|e| e.into_inner());
    assert!(wrong.is_empty(), "{} of {numbers} numbers of {functions} functions:\n{}", wrong.len(), wrong.join("\n"));
    assert!(functions > 30, "{functions} functions");
}

fn slang_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => slang_files(&path, out),
            Some("slang") => out.push(path),
            _ => {}
        }
    }
}

/// Every view of a buffer is right in some programs that read through it, and a wrong view is
/// noticed.
#[test]
fn views_are_well_and_a_wrong_one_is_told() {
    let limits = Limits { funcs: 2, statements: 3, depth: 2, rounds: 16 };
    let cases = (0..).map(|seed| Case { program: program(seed, limits), seed });
    let mut reading = cases.filter(|c| c.program.reads() && !c.program.nests() && !c.program.detaches());
    let some: Vec<Case> = reading.by_ref().take(3).collect();
    for view in &VIEWS {
        let compared: usize = some.iter().map(|c| check_view(view, c).unwrap_or_else(|e| panic!("{e}"))).sum();
        assert!(compared > 0, "{}: nothing was compared", view.name);
    }
    // Not every program uses the values that it reads.
    assert!(
        some.into_iter().chain(reading.take(20)).any(|c| check_view(&WRONG, &c).is_err()),
        "a wrong view was not told"
    );
}
