//! `caustic init`: the commands that it prints work on what it writes.

use caustic_tool::{FileSystem, MemoryFiles};

fn caustic(files: &MemoryFiles, line: &str) -> (i32, String, String) {
    let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, files);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn the_first_kernel_does_what_is_said() {
    for (line, path) in [("init", "kernel.slang"), ("init a/b/", "a/b/kernel.slang"), ("init .", "kernel.slang")] {
        let files = MemoryFiles::default();
        let (code, out, err) = caustic(&files, line);
        assert!(code == 0 && err.is_empty() && files.is_file(path), "{line}: {code} {err}");
        let commands: Vec<&str> = out.lines().filter_map(|l| l.strip_prefix("    caustic ")).collect();
        assert_eq!(commands.len(), 2, "{out}");
        let printed: Vec<String> = commands
            .iter()
            .map(|line| {
                let (code, out, err) = caustic(&files, line);
                assert!(code == 0 && err.is_empty(), "{line}: {code} {err}");
                out
            })
            .collect();
        assert!(printed[0].contains("area") && printed[1] == "gradient: 12.0, 9.0\n", "{printed:?}");
        let (code, _, err) = caustic(&files, line);
        assert!(code == 2 && err.contains(&format!("there is a `{path}` already")), "{err}");
    }
    assert_eq!(caustic(&MemoryFiles::default(), "init a b").0, 2);
    assert_eq!(caustic(&MemoryFiles::default(), "init --force").0, 2);
}
