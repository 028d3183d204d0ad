//! The page `docs/extending.md` has this crate's files, and its commands print what it says.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A block of the page, by what stands behind its fence.
fn block<'p>(page: &'p str, head: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("```{head}\n")).unwrap_or_else(|| panic!("there is no `{head}`"));
    rest.split_once("```").unwrap().0
}

/// What a command of the page prints.
fn run(folder: &Path, command: &str) -> String {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("extend") => {
            // A shell takes the quotes.
            let args = words.map(|word| word.replace('\'', ""));
            let run = Command::new(env!("CARGO_BIN_EXE_extend")).args(args).current_dir(folder).output().unwrap();
            assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
            String::from_utf8(run.stdout).unwrap()
        }
        Some("caustic") => {
            let in_folder = |word: &str| match word.ends_with(".slang") || word.ends_with(".mlir") {
                true => folder.join(word).display().to_string(),
                false => word.to_string(),
            };
            let args: Vec<String> = words.map(in_folder).collect();
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let code = caustic::main_with(&args, &mut out, &mut err, &caustic_tool::RealFiles);
            assert_eq!(code, 0, "{command}: {}", String::from_utf8_lossy(&err));
            String::from_utf8(out).unwrap()
        }
        _ => panic!("no command of this page: {command}"),
    }
}

#[test]
fn the_page_is_this_crate() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(here.join("../../docs/extending.md")).unwrap();
    for file in ["src/op.rs", "src/pass.rs", "src/rows.rs", "src/main.rs"] {
        let own = std::fs::read_to_string(here.join(file)).unwrap();
        assert!(block(&page, &format!("rust {file}")) == own, "docs/extending.md has another {file}");
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("extending");
    std::fs::create_dir_all(&folder).unwrap();
    for file in ["soft.slang", "odd.slang"] {
        std::fs::write(folder.join(file), block(&page, &format!("slang {file}"))).unwrap();
    }
    let mut count = 0;
    for block in page.split("```console\n").skip(1).map(|rest| rest.split_once("```").unwrap().0) {
        for part in block.split("$ ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap();
            assert_eq!(run(&folder, command), expected, "{command}");
            count += 1;
        }
    }
    assert_eq!(count, 7);
    // Nothing is left of both functions but the number itself.
    let equal = std::fs::read_to_string(folder.join("equal.mlir")).unwrap();
    assert!(!equal.contains("soft.plus") && !equal.contains("arith.subf"), "{equal}");
    // The pipeline as a list of passes.
    let list = page.split_once("cargo run -- ").unwrap().1.trim().replace('\'', "");
    assert!(run(&folder, &format!("extend {list}")).contains("soft.plus"));
}
