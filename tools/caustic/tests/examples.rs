//! The examples of `--help`: each is run, but for `launch`, which needs a GPU.

use caustic::cli::{COMMANDS, parse};
use caustic_tool::{FileSystem, MemoryFiles};

const PROGRAM: &str = "
    RWStructuredBuffer<float> result;

    [Differentiable]
    float square(float x)
    {
        return x * x;
    }

    [numthreads(4, 1, 1)]
    void computeMain(uint3 id : SV_DispatchThreadID)
    {
        result[id.x] = square(result[id.x]);
    }";

fn files() -> MemoryFiles {
    let values: Vec<u8> = (0..16).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let array = caustic_runtime::npy::write(caustic_driver::Scalar::F32, &[16], &values);
    let fit = include_str!("../../../examples/fit.slang");
    let files = [("k.slang", PROGRAM.into()), ("-", PROGRAM.into()), ("fit.slang", fit.into()), ("in.npy", array)];
    MemoryFiles::new(files)
}

#[test]
fn examples_work() {
    for command in &COMMANDS {
        assert!((2..=4).contains(&command.examples.len()), "{}", command.name);
        for example in command.examples {
            let args: Vec<String> = example.line.split_whitespace().map(str::to_string).collect();
            assert_eq!(args[0], command.name);
            if command.name == "launch" {
                assert!(parse(&args).is_ok(), "{}", example.line);
                continue;
            }
            let (files, mut out, mut err) = (files(), Vec::new(), Vec::new());
            let before = files.count();
            let code = caustic::main_with(&args, &mut out, &mut err, &files);
            let message = String::from_utf8_lossy(&err);
            assert!(code == 0 && err.is_empty(), "{}: {code} {message}", example.line);
            let written = files.count() - before;
            let does_something =
                !out.is_empty() || written > 0 || example.line.contains("check") || example.line.contains("--trap");
            assert!(does_something, "`{}` prints and writes nothing", example.line);
            for named in args.iter().filter_map(|arg| arg.split(['=', ':']).find(|part| part.starts_with("out."))) {
                assert!(files.is_file(named), "`{}` does not write {named}", example.line);
            }
        }
    }
}
