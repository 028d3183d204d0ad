//! The `myPow` of the SLANG.D paper, from `hl` to the extracted functions one pass at a time: every
//! call of `caustic-opt` reads what the one before it printed, and the driver goes on from each of
//! these texts to the same numbers, on both targets.

use caustic_passes::pipelines::{self, NORMALIZE, TIDY};
use caustic_tool::{FileSystem, RealFiles};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// Files in memory.
struct Files(HashMap<String, String>);

impl FileSystem for Files {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).map(|text| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn is_file(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }
}

type Main = fn(&[String], &mut (dyn io::Write + Send), &mut (dyn io::Write + Send), &dyn FileSystem) -> i32;

/// What a tool prints; it must succeed.
fn run(tool: Main, args: &[&str], files: &dyn FileSystem, step: &str) -> String {
    let args: Vec<String> = args.iter().map(|a| a.to_string()).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = tool(&args, &mut out, &mut err, files);
    assert_eq!(code, 0, "{step}: {args:?}\n{}", String::from_utf8_lossy(&err));
    String::from_utf8(out).unwrap()
}

/// The passes on the way, in order.
fn way() -> Vec<&'static str> {
    let of = |standard| pipelines::pipeline(standard).unwrap().passes().iter().map(|p| p.def.name).collect::<Vec<_>>();
    let (normalize, tidy) = (of(NORMALIZE), of(TIDY));
    let steps: [&[&str]; 8] = [
        &normalize,
        &["ad-linearize"],
        &tidy,
        &["ad-checkpoint", "ad-unzip", "ad-transpose"],
        &tidy,
        &["ad-extract"],
        &tidy,
        &["drop-detach"],
    ];
    steps.concat()
}

/// The numbers of a JSON object's only list.
fn numbers(json: &str) -> Vec<f64> {
    let list = json.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(list, _)| list);
    list.unwrap_or_else(|| panic!("no list in {json}")).split(',').map(|n| n.trim().parse().unwrap()).collect()
}

/// The driver's gradients of x^n at 2, for n from 0 to 12, from the program as it is after `step`.
fn check(text: &str, step: &str) {
    let files = Files(HashMap::from([("mypow.mlir".to_string(), text.to_string())]));
    // n * 2^(n-1): every step of the computation is exact in f32.
    let expected: Vec<f64> = (0..=12).map(|n: i32| f64::from(n) * 2f64.powi(n - 1)).collect();
    for backend in ["interp", "cranelift"] {
        for buffer in ["forward", "backward"] {
            let (forward, backward) = ("forward=zero:52", "backward=zero:52");
            let args = [
                "run",
                "mypow.mlir",
                "--backend",
                backend,
                "--buffer",
                forward,
                "--buffer",
                backward,
                "--read",
                buffer,
                "--format",
                "json",
            ];
            let found = numbers(&run(caustic::main_with, &args, &files, step));
            assert_eq!(found, expected, "{buffer} on {backend} after {step}");
        }
    }
}

#[test]
fn every_level_gives_the_gradient() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mypow.slang").display().to_string();
    let mut text = run(caustic::main_with, &["emit", &source, "--stage", "hl"], &RealFiles, "the front end");
    check(&text, "the front end");
    let mut extracted = false;
    for pass in way() {
        let files = Files(HashMap::from([("in.mlir".to_string(), text)]));
        let pipeline = format!("--pass-pipeline=builtin.module({pass})");
        text = run(caustic_opt::main_with, &["in.mlir", &pipeline], &files, pass);
        check(&text, pass);
        extracted |= pass == "ad-extract";
        assert_eq!(text.contains("func.func private @myPow.bwd"), extracted, "{pass}");
        assert_ne!(text.contains("ad.derivative"), extracted, "{pass}");
    }
    assert!(extracted);
}
