//! The programs of `explain`: the wrong one has the diagnostic and no other, the right one none.

use caustic_ir::codes::CODES;
use caustic_tool::FileSystem;
use std::io;

struct One(&'static str);

impl FileSystem for One {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if self.is_file(path) { Ok(self.0.into()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
    fn is_file(&self, path: &str) -> bool {
        path == "a.slang"
    }
}

/// The exit code of `check`, and the codes that it finds.
fn check(program: &'static str) -> (i32, Vec<String>) {
    let args = ["check", "a.slang", "--format", "json"].map(str::to_string);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, &One(program));
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let found = document["diagnostics"].as_array().unwrap();
    (code, found.iter().map(|d| d["code"].as_str().unwrap().to_string()).collect())
}

#[test]
fn the_programs_are_wrong_and_right() {
    let mut explained = 0;
    for (row, explanation) in CODES.iter().filter_map(|row| Some((row, row.explanation?))) {
        let (code, found) = check(explanation.wrong);
        assert_eq!(code, i32::from(row.name.is_empty()), "{}: the wrong program", row.code);
        assert!(!found.is_empty() && found.iter().all(|c| row.code == *c), "{}: {found:?}", row.code);
        assert_eq!(check(explanation.right), (0, Vec::new()), "{}: the right program", row.code);
        explained += usize::from(row.name.is_empty());
    }
    assert!(explained >= 40, "only {explained} errors are explained");
}
