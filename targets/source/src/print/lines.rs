//! Which line of the program a line of the text is from: directives in the text, or a source map
//! beside it.
//!
//! While a text is put together, comments that nobody writes mark where a statement begins, where
//! one follows of which nothing is known, and where the program's code ends. They are taken out
//! when the text is complete.
//!
//! Invariant: without the marks the text is the one that nobody wanted lines of.
//!
//! This module must not know: any language.

use super::Printer;
use crate::Lines;
use crate::tree::{Expr, Place, Root, Step, Stmt};
use caustic_ir::{Loc, LocKind, Module, Name};
use serde_json::json;
use std::fmt::Write;

/// What a mark begins with. No program has such a comment in its text.
const MARK: &str = "//\u{1}";
/// A mark of a statement of which no place is known.
const SAME: &str = "=";

/// Files of the program that code is from, in the order of their names.
pub fn files(module: &Module, lines: Lines) -> Vec<Name> {
    let of = |loc: Loc| span(loc).map(|(file, ..)| file).filter(|file| !(lines.is_library)(file));
    let ops = module.symbols().iter().flat_map(|s| s.body.walk_all().into_iter().map(|op| s.body.loc(op)));
    let mut files: Vec<Name> = module.symbols().iter().map(|s| s.loc).chain(ops).filter_map(of).collect();
    files.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    files.dedup();
    files
}

fn span(loc: Loc) -> Option<(Name, u32, u32)> {
    match loc.source().kind() {
        LocKind::Span { file, line, col, .. } => Some((*file, *line, *col)),
        _ => None,
    }
}

impl Printer<'_> {
    /// Where the program's code for a function begins.
    pub(super) fn mark(&self, loc: Loc) -> String {
        let number = |file: Name| self.module.files.iter().position(|f| *f == file);
        let known = span(loc).and_then(|(file, line, col)| Some((number(file)?, line, col)));
        known.map_or_else(String::new, |(file, line, col)| format!("{MARK}{file} {line} {col}\n"))
    }

    /// Where a statement is from; if it does not say, it goes on where the one before was.
    pub(super) fn mark_statement(&self, stmt: &Stmt) -> String {
        if self.module.options.lines.is_none() {
            return String::new();
        }
        let mut found = String::new();
        let mut look = |loc: Loc| {
            if found.is_empty() {
                found = self.mark(loc);
            }
        };
        places(stmt, &mut look);
        if found.is_empty() { format!("{MARK}{SAME}\n") } else { found }
    }

    /// The program's code ends.
    pub(super) fn mark_end(&self) -> &'static str {
        if self.module.options.lines.is_some() { "//\u{1}\n" } else { "" }
    }
}

/// A text without marks.
pub fn unmarked(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with(MARK)).collect()
}

/// The places of a statement, the best first.
fn places(stmt: &Stmt, f: &mut dyn FnMut(Loc)) {
    match stmt {
        Stmt::Declare(_, value) | Stmt::Return(value) => value.iter().for_each(|value| in_expr(value, f)),
        Stmt::Assign(place, value) => {
            in_expr(value, f);
            in_place(place, f);
        }
        Stmt::Do(value) | Stmt::Switch { value, .. } | Stmt::If { condition: value, .. } => in_expr(value, f),
        Stmt::For { from, below, step, .. } => [from, below, step].into_iter().for_each(|part| in_expr(part, f)),
        Stmt::While { condition, .. } => condition.iter().for_each(|condition| in_expr(condition, f)),
        Stmt::Barrier { loc, .. } | Stmt::Print { loc, .. } => f(*loc),
        Stmt::TexelStore { texture, args } => {
            args.iter().for_each(|arg| in_expr(arg, f));
            in_expr(texture, f);
        }
        Stmt::Break | Stmt::Fence { .. } | Stmt::Instance(_) => {}
    }
}

/// The expression's own place first.
fn in_expr(e: &Expr, f: &mut dyn FnMut(Loc)) {
    let mut all = Vec::new();
    e.each(&mut |part| all.extend(part.loc));
    all.into_iter().rev().for_each(f);
}

fn in_place(place: &Place, f: &mut dyn FnMut(Loc)) {
    match &place.root {
        Root::Var(_) => {}
        Root::Uniform(_, index) => index.iter().for_each(|index| in_expr(index, f)),
        Root::Element { index, .. } => in_expr(index, f),
    }
    for step in &place.steps {
        if let Step::Index(index) = step {
            in_expr(index, f);
        }
    }
}

/// A place in the program: the file by its number, line and column.
type At = (usize, u32, u32);

/// What a mark says: a place, that of the statement before, or that the code ends.
enum Mark {
    At(At),
    Same,
    End,
}

fn mark(line: &str) -> Option<Mark> {
    let said = line.trim_start().strip_prefix(MARK)?.trim_end();
    let mut numbers = said.split(' ').map(str::parse);
    Some(match (said, numbers.next(), numbers.next(), numbers.next()) {
        (SAME, ..) => Mark::Same,
        (_, Some(Ok(file)), Some(Ok(line)), Some(Ok(col))) => Mark::At((file as usize, line, col)),
        _ => Mark::End,
    })
}

/// A text without its marks, with a directive before each line of the program's that does not
/// follow the one before. `own` is the text's name, for what is the text's own.
pub fn with_directives(text: &str, files: &[Name], own: &str) -> String {
    let (mut out, mut number) = (String::new(), 1u32);
    // Where code is from, and what a compiler takes the next line to be.
    let (mut place, mut next): (Option<At>, (Option<usize>, u32)) = (None, (None, 1));
    let mut begins = true;
    for line in text.split_inclusive('\n') {
        if let Some(mark) = mark(line) {
            match mark {
                Mark::At(at) => place = Some(at),
                Mark::Same => {}
                Mark::End => place = None,
            }
            begins = true;
            continue;
        }
        let blank = line.trim().is_empty();
        let wanted = place.map_or((None, number), |(file, line, _)| (Some(file), line));
        if begins && !blank && next != wanted {
            let (name, line) = match place {
                Some((file, line, _)) => (files[file].as_str(), line),
                None => (own, number + 1),
            };
            let _ = writeln!(out, "#line {line} \"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
            number += 1;
            next = (wanted.0, line);
        }
        begins &= blank;
        out += line;
        number += 1;
        next.1 += 1;
    }
    out
}

/// Directives about the text's own lines, of a text that has become a part of another one.
pub fn renumbered(text: &str, own: &str) -> String {
    let tail = format!(" \"{own}\"");
    let one = |(number, line): (usize, &str)| match line.trim_end().ends_with(&tail) && line.starts_with("#line ") {
        true => format!("#line {}{tail}\n", number + 2),
        false => line.to_string(),
    };
    text.split_inclusive('\n').enumerate().map(one).collect()
}

/// The source map (version 3) of a text with marks, which is of the text without them.
pub fn map(text: &str, files: &[Name], own: &str) -> String {
    let mut mappings = String::new();
    let mut place: Option<At> = None;
    // What numbers are told in relation to: the file, line and column of the last segment.
    let mut last = [0i64; 3];
    for line in text.split_inclusive('\n') {
        match mark(line) {
            Some(Mark::At(at)) => place = Some(at),
            Some(Mark::Same) => {}
            Some(Mark::End) => place = None,
            None => {
                let indent = line.chars().take_while(|c| *c == ' ').count();
                if let Some((file, line_number, col)) = place.filter(|_| !line.trim().is_empty()) {
                    let now = [file as i64, i64::from(line_number) - 1, i64::from(col) - 1];
                    mappings += &base64(indent as i64);
                    now.iter().zip(&last).for_each(|(now, last)| mappings += &base64(now - last));
                    last = now;
                }
                mappings.push(';');
            }
        }
    }
    let sources: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
    let mappings = mappings.trim_end_matches(';');
    let map = json!({ "version": 3, "file": own, "sources": sources, "names": [], "mappings": mappings });
    format!("{map}\n")
}

/// A number as source maps have it: groups of five bits, the lowest first, the sign as the lowest
/// bit.
fn base64(number: i64) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut left = (number.unsigned_abs() << 1) | u64::from(number < 0);
    let mut out = String::new();
    loop {
        let more = left > 31;
        out.push(char::from(DIGITS[(left & 31) as usize | usize::from(more) << 5]));
        left >>= 5;
        if !more {
            return out;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "own\n//\u{1}0 7 1\nf {\n    //\u{1}0 8 5\n    a;\n//\u{1}0 12 5\n    b\n        c;\n//\u{1}=\n    d;\n}\n//\u{1}\n\nown\nown\n";

    #[test]
    fn directives_stand_where_lines_do_not_follow() {
        let files = [Name::new("k.slang")];
        let wanted = "own\n#line 7 \"k.slang\"\nf {\n    a;\n#line 12 \"k.slang\"\n    b\n        c;\n#line 12 \"k.slang\"\n    d;\n}\n\n\
                      #line 13 \"k.cpp\"\nown\nown\n";
        let text = with_directives(TEXT, &files, "k.cpp");
        assert_eq!(text, wanted);
        assert_eq!(text.lines().nth(13 - 1), Some("own"));
    }

    #[test]
    fn a_part_of_a_text_counts_in_the_whole() {
        assert_eq!(renumbered("a\nb\n#line 2 \"k.cpp\"\nc\n", "k.cpp"), "a\nb\n#line 4 \"k.cpp\"\nc\n");
    }

    #[test]
    fn numbers_of_maps() {
        assert_eq!([0, 1, -1, 15, 16, -16, 511].map(base64), ["A", "C", "D", "e", "gB", "hB", "+f"]);
    }

    #[test]
    fn a_map_says_each_line() {
        let map = map(TEXT, &[Name::new("k.slang")], "k.cpp");
        let mappings = ";AAMA;IACI;IAIA;QAAA;IAAA;AAAA";
        assert!(map.contains(&format!("\"mappings\":\"{mappings}\"")), "{map}");
    }
}
