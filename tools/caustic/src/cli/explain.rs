//! `explain`: what a diagnostic means, as the row says that declares it.

use super::UsageError;
use caustic_ir::codes::{self, CODES, CodeRow};
use std::fmt::Write;

/// The text about a code, or about a warning by its name.
pub fn explain(args: &[String]) -> Result<String, UsageError> {
    let word = match args {
        [word] => word,
        [] => {
            return Err(
                UsageError::new("`caustic explain` needs the code of a diagnostic").with_note("such as `E0302`")
            );
        }
        [_, second, ..] => return Err(UsageError::new(format!("one code is enough, and `{second}` is another"))),
    };
    let is_meant = |row: &&CodeRow| row.code.eq_ignore_ascii_case(word) || !row.name.is_empty() && row.name == word;
    match CODES.iter().find(is_meant) {
        Some(row) => Ok(text(row)),
        None => {
            let error = UsageError::new(format!("there is no diagnostic `{word}`"));
            let names = codes::warnings().map(|row| row.name);
            let near = codes::nearest(word).map(|row| row.code.as_str());
            Err(match near.or_else(|| caustic_ir::nearest::nearest(word, names)) {
                Some(near) => error.with_note(format!("the nearest is `{near}`")),
                None => error.with_note("codes are like `E0302` and `W0211`"),
            })
        }
    }
}

fn text(row: &CodeRow) -> String {
    let mut out = format!("{}: {}\n", row.code, row.meaning);
    if !row.name.is_empty() {
        let name = row.name;
        let _ = write!(out, "\n`--allow {name}` silences this warning, `--deny {name}` makes it an error.\n");
    }
    if let Some(explanation) = row.explanation {
        let _ = write!(out, "\n{}\n", explanation.text);
        for (title, program) in [("Wrong", explanation.wrong), ("Right", explanation.right)] {
            let _ = write!(out, "\n{title}:\n\n");
            program.lines().for_each(|line| out.push_str(&format!("    {line}\n")));
        }
    }
    out
}
