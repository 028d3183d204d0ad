//! `caustic fit`: what it reaches, what it refuses, and what it prints.

use caustic_tool::{FileSystem, MemoryFiles};
use std::sync::atomic::AtomicBool;

/// The loss is (a - 3)^2 + (b - 0.5)^2, of a `half` and a `double`; `seen` counts runs, and `drawn`
/// holds the seeds.
const PAIR: &str = "
    RWStructuredBuffer<half> a;
    RWStructuredBuffer<double> b;
    RWStructuredBuffer<float> da;
    RWStructuredBuffer<double> db;
    RWStructuredBuffer<float> loss;
    RWStructuredBuffer<int> seen;
    RWStructuredBuffer<uint> drawn;
    uniform uint seed;
    [numthreads(1, 1, 1)] void computeMain()
    {
        float x = float(a[0]) - 3.0;
        double y = b[0] - 0.5;
        loss[0] = loss[0] + x * x;
        loss[1] = loss[1] + float(y * y);
        da[0] = da[0] + 2.0 * x;
        db[0] = db[0] + 2.0 * y;
        seen[0] = seen[0] + 1;
        drawn[seen[0] - 1] = seed;
        if (seen[0] == 2) printf(\"two\\n\");
    }";

/// The derivative is no number once the parameter is below zero.
const LOST: &str = "
    RWStructuredBuffer<float> p;
    RWStructuredBuffer<float> g;
    RWStructuredBuffer<float> loss;
    [numthreads(1, 1, 1)] void computeMain()
    {
        g[0] = 1.0 / sqrt(p[0]);
        if (p[0] < -7.0) loss[0] = sqrt(p[0]);
    }";

fn files() -> MemoryFiles {
    let line = include_str!("../../../examples/fit.slang");
    let files = [("line.slang", line), ("pair.slang", PAIR), ("lost.slang", LOST)];
    MemoryFiles::new(files.map(|(name, text)| (name, text.into())))
}

fn fit_on(files: &MemoryFiles, terminal: caustic::Terminal, line: &str) -> (i32, String, String) {
    let args: Vec<String> = ["fit"].into_iter().chain(line.split_whitespace()).map(str::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_on_terminal(&args, &mut out, &mut err, files, terminal);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn fit(line: &str) -> (i32, String, String) {
    fit_on(&files(), caustic::Terminal::default(), line)
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

const LINE: &str = "line.slang --param line --grad gradient --loss loss --buffer line=f32:0,0";
const TWO: &str = "pair.slang --param a --grad da --param b --grad db --loss loss --buffer loss=zero:8 \
                   --buffer a=f16:0 --buffer b=f64:0 --buffer seen=zero:4 --buffer drawn=zero:1024";

#[test]
fn a_line_is_found() {
    // What SGD leaves of an error: a factor of at most 1 - 0.5 * 2 * mean(x^2) = 0.667 each step,
    // so 1.6e-9 of it after 50; the rest is the rounding of f32. Adam goes around the place first;
    // what is left after 400 steps was measured to be less than 1e-5.
    for (how, tolerance) in [("--steps 50 --sgd 0.5", 1e-6), ("--steps 400 --adam 0.1", 1e-4)] {
        let files = files();
        let (code, out, err) =
            fit_on(&files, caustic::Terminal::default(), &format!("{LINE} {how} --write line=l.bin"));
        assert_eq!((code, err.as_str()), (0, ""));
        let found = floats(&files.read("l.bin").unwrap());
        assert!((found[0] - 2.0).abs() < tolerance && (found[1] - 1.0).abs() < tolerance, "{how}: {found:?}");
        assert_eq!(out.lines().count(), 11, "{out}");
        assert!(out.starts_with("step 0: loss 2.32812\n"), "{out}");
    }
}

#[test]
fn every_type_of_floats_and_several_parameters() {
    let (code, out, err) =
        fit(&format!("{TWO} --uniform seed=u32:0 --steps 100 --sgd 0.1 --read a --read b --read seen"));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // The kernel runs once more than there are steps, and prints where it comes to that. The loss
    // is of what was rounded to a half, which holds 3.
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines[0], lines[1]), ("step 0: loss 9.25", "two"));
    assert_eq!((lines[12], lines[14]), ("a: 3.0", "seen: 101"));
    let b: f64 = lines[13].strip_prefix("b: ").unwrap().parse().unwrap();
    assert!((b - 0.5).abs() < 1e-9, "{b}");
    // Small changes of a half add up: at this rate, none is as large as what it distinguishes.
    let start = TWO.replace("a=f16:0", "a=f16:2");
    let (_, out, _) = fit(&format!("{start} --steps 400 --sgd 1e-4 --read a"));
    let a: f64 = out.lines().find_map(|l| l.strip_prefix("a: ")).unwrap().parse().unwrap();
    let exact = 3.0 - (1.0f64 - 2e-4).powi(400);
    assert!((a - exact).abs() < 2e-3, "{a} {exact}");
}

#[test]
fn what_does_not_fit_is_refused() {
    for (line, code, part) in [
        (
            format!("{LINE} --steps 1 --buffer gradient=zero:12"),
            2,
            "`line` has 2 floats, and its gradient `gradient` has 3",
        ),
        ("line.slang --param line --grad gradient --loss loss --steps 1".into(), 2, "--buffer line=…"),
        (format!("{TWO} --steps 1 --param seen --grad drawn"), 2, "`seen` holds i32, not floats"),
        (format!("{LINE} --steps 1 --loss gradient"), 2, "`gradient` has two parts to play"),
        (format!("{LINE} --steps 1 --param loss"), 2, "2 of the one and 1 of the other"),
        (format!("{LINE} --steps 1 --param loss --grad loss"), 2, "`loss` has two parts to play"),
        (format!("{LINE} --steps 1 --adam 1 --sgd 1"), 2, "exclude each other"),
        (format!("{LINE} --steps 1 --sgd 1 --betas 0.5,0.5"), 2, "about `--adam`"),
        (format!("{LINE} --steps 1 --betas 0.5,1"), 2, "`0.5,1`"),
        (format!("{LINE} --steps 1 --sgd -1"), 2, "`-1` is not a rate"),
        (format!("{LINE} --steps 1 --every 0"), 2, "`0` is not a number of steps"),
        (LINE.into(), 2, "needs --steps"),
        (format!("{LINE} --steps 1 --zero los"), 1, "did you mean `loss`"),
        (format!("{TWO} --steps 1 --seed sed"), 1, "did you mean `seed`"),
    ] {
        let (found, _, err) = fit(&line);
        assert!(found == code && err.contains(part), "`{line}`: {found} {err}");
    }
}

#[test]
fn numbers_that_are_none_end_it() {
    let lost = "lost.slang --param p --grad g --loss loss --steps 9";
    let (code, out, err) = fit(&format!("{lost} --buffer p=f32:1 --sgd 1"));
    assert_eq!((code, out.as_str()), (3, "step 0: loss 0\nstep 1: loss 0\n"));
    assert!(err.contains("derivative 0 in `g` is not finite in step 1"), "{err}");
    let (code, _, err) = fit(&format!("{lost} --buffer p=f32:-8 --sgd 1"));
    assert!(code == 3 && err.contains("the loss is NaN in step 0"), "{code} {err}");
    let (code, out, err) = fit(&format!("{lost} --buffer p=f32:1 --sgd 1 --trap-nan --format json"));
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &document["losses"][0]["step"]), (3, &0.into()), "{out}");
    assert!(document["error"].is_string() && err.contains("this was in step 1 of the fit"), "{err}");
}

#[test]
fn a_document_has_losses_and_values() {
    let (code, out, err) = fit(&format!("{TWO} --steps 5 --every 2 --seed seed=7 --format json --read a --read drawn"));
    // What the kernel prints does not come between.
    assert_eq!((code, err.as_str()), (0, "two\n"));
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let steps: Vec<u64> = document["losses"].as_array().unwrap().iter().map(|l| l["step"].as_u64().unwrap()).collect();
    assert_eq!(steps, [0, 2, 4, 5]);
    assert_eq!((&document["steps"], &document["loss"]), (&5.into(), &document["losses"][3]["loss"]));
    let drawn = document["read"]["drawn"].as_array().unwrap()[..6].to_vec();
    assert!(drawn.iter().enumerate().all(|(i, seed)| !drawn[..i].contains(seed)), "{drawn:?}");
    let (_, again, _) = fit(&format!("{TWO} --steps 5 --every 2 --seed seed=7 --format json --read a --read drawn"));
    let (_, other, _) = fit(&format!("{TWO} --steps 5 --every 2 --seed seed --format json --read a --read drawn"));
    assert!(again == out && other != out);
    // What is to be zero is, and the rest stays.
    let (_, out, _) = fit(&format!("{TWO} --steps 5 --zero seen --read seen"));
    assert!(out.ends_with("seen: 1\n"), "{out}");
}

#[test]
fn an_interrupted_fit_keeps_what_it_has() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let terminal = caustic::Terminal { stop: Some(&STOP), ..Default::default() };
    let files = files();
    let (code, out, err) = fit_on(&files, terminal, &format!("{LINE} --steps 1000000 --write line=l.bin"));
    assert_eq!((code, out.as_str()), (130, "step 0: loss 2.32812\n"), "{err}");
    assert!(err.contains("interrupted") && floats(&files.read("l.bin").unwrap()) == [0.0, 0.0]);
}
