//! What asks for a GPU on a machine that has none. (On one that has, it runs.)

#![cfg(feature = "llvm")]

use caustic_tool::MemoryFiles;

const PROGRAM: &str = "
    RWStructuredBuffer<float> o;
    [numthreads(1, 1, 1)] void computeMain() { o[0] = 2.0; }";

fn run(files: &MemoryFiles, line: &str) -> (i32, String, String) {
    let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, files);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn without_a_gpu_the_command_line_is_wrong() {
    let files = MemoryFiles::new([("a.slang", PROGRAM.into())]);
    assert_eq!(run(&files, "emit a.slang --target ptx -o a.ptx").0, 0);
    for line in ["run a.slang --backend cuda --buffer o=zero:4 --read o", "launch a.ptx --buffer o=zero:4 --read o"] {
        let (code, out, err) = run(&files, line);
        match code {
            2 => assert!(out.is_empty() && err.starts_with("caustic: error: "), "{line}: {out} {err}"),
            code => assert_eq!((code, out.as_str()), (0, "o: 2.0\n"), "{line}: {err}"),
        }
    }
}
