//! The book's pages on dialects are what their rows say. With `BLESS=1` they are written anew.

use caustic_ir::markdown::dialect_markdown;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/dialects")
}

#[test]
fn pages_are_current() {
    let bless = std::env::var("BLESS").is_ok_and(|v| v == "1");
    let folder = folder();
    if bless {
        std::fs::create_dir_all(&folder).expect("docs/dialects can be made");
    }
    let mut stale = Vec::new();
    let mut names = Vec::new();
    for dialect in caustic_dialects::all() {
        let page = dialect_markdown(dialect);
        let path = folder.join(format!("{}.md", dialect.name));
        names.push(format!("{}.md", dialect.name));
        if bless {
            std::fs::write(&path, &page).expect("the page can be written");
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(page.as_str()) {
            stale.push(dialect.name);
        }
    }
    for entry in std::fs::read_dir(&folder).expect("docs/dialects exists").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(names.contains(&name), "docs/dialects/{name} is the page of no dialect");
    }
    assert!(stale.is_empty(), "the pages of {stale:?} are out of date: run `cargo xtask docs`");
}
