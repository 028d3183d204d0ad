//! The preprocessor: `#define`, `#if` and their kin, `#include`, comments; and the way from its
//! output back to the files.
//!
//! Works line by line. Text that no macro touches is copied and keeps its own positions; what a
//! macro produced has the position of the macro's use. A file without directives and macros is
//! passed on as it is.

use caustic_ir::codes::{self, Code};
mod condition;
mod macros;
mod traced;
mod warnings;

use crate::scan::{self, ScanError};
use crate::source::{Arrival, Asked, Segment, SourceLoader, SourceMap, Span, Spelling};
use crate::version::Version;
use caustic_ir::{Diagnostic, Loc, Name};
use macros::{Macro, Macros};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use traced::{Traced, View};

/// The text to be parsed.
pub struct Unit {
    pub text: String,
    pub base: u32,
    /// As `#language` says.
    pub version: Option<Version>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Files within files, and output of one compilation; more is a file that includes itself or a
/// macro that explodes.
const MAX_INCLUDES: usize = 64;
/// Files that a text is made of, each counted as often as it is included.
const MAX_FILES: usize = 20_000;
const COMMENTED_LINE: char = scan::LINE_IN_DIRECTIVE as char;
/// Bytes of one file. What is made of a text takes hundreds of times as much memory, and memory
/// that is not there ends the process without a word.
const MAX_SOURCE: usize = 16 << 20;
const MAX_OUTPUT: usize = 256 << 20;

pub(crate) struct Preprocessor<'a> {
    loader: &'a mut dyn SourceLoader,
    map: &'a mut SourceMap,
    pub(crate) macros: Macros,
    out: String,
    segments: Vec<Segment>,
    /// Where what macros made is written.
    spelled: Vec<Spelling>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    once: FxHashSet<String>,
    depth: usize,
    /// How many more files may be included, in all.
    includes_left: usize,
    version: Option<Version>,
    warnings: warnings::Warnings,
    /// Where macros are defined.
    defined: FxHashMap<Name, Loc>,
}

/// One `#if` that is open.
struct Conditional {
    at: usize,
    /// This branch is read.
    active: bool,
    /// Some branch has been taken.
    taken: bool,
    outer: bool,
    seen_else: bool,
}

pub fn preprocess(
    loader: &mut dyn SourceLoader,
    main: &str,
    options: &crate::Options,
    map: &mut SourceMap,
) -> Result<Unit, Vec<Diagnostic>> {
    let text = match loader.load(main) {
        Ok(text) => text,
        Err(e) => {
            let loc = Loc::span(Name::new(main), (1, 1), (1, 1));
            return Err(vec![Diagnostic::error(codes::E0110, loc, format!("cannot read `{main}`: {e}"))]);
        }
    };
    let mut p = Preprocessor {
        loader,
        map,
        macros: Macros::default(),
        out: String::new(),
        segments: Vec::new(),
        spelled: Vec::new(),
        diagnostics: Vec::new(),
        once: FxHashSet::default(),
        depth: 0,
        includes_left: MAX_FILES,
        version: None,
        warnings: warnings::Warnings::default(),
        defined: FxHashMap::default(),
    };
    for (name, value) in &options.defines {
        let value = value.clone().unwrap_or_else(|| "1".to_string());
        p.macros.define(Name::new(name), Macro { params: None, body: Traced::nowhere(value) });
    }
    p.file(main, text);
    let Preprocessor { map, out, segments, spelled, mut diagnostics, version, warnings, .. } = p;
    let base = map.add_unit(out.len(), segments);
    map.note_spelled(base, &spelled);
    map.note_warnings(base, &warnings.changes);
    // Macro bodies were cleaned with their line; what is joined from pieces cannot start a comment.
    diagnostics.truncate(200);
    Ok(Unit { text: out, base, version, diagnostics })
}

impl Preprocessor<'_> {
    fn file(&mut self, name: &str, text: String) {
        if text.len() > MAX_SOURCE {
            let file = self.map.add_file(name, Arc::from(""));
            let megabytes = MAX_SOURCE >> 20;
            return self.error(codes::E0111, file, 0, 0, format!("this file is larger than {megabytes} MiB"));
        }
        let text: Arc<str> = text.into();
        let file = self.map.add_file(name, text.clone());
        let blanked = match scan::blank_comments(&text) {
            Ok(t) => t,
            Err(e) => {
                let (at, what) = match e {
                    ScanError::UnclosedComment { at } => (at, "comment"),
                    ScanError::UnclosedRawString { at } => (at, "raw string"),
                    _ => (0, "text"),
                };
                self.error(codes::E0103, file, at, at + 2, format!("this {what} does not end"));
                return;
            }
        };
        let blanked = join_lines(blanked);
        let mut open: Vec<Conditional> = Vec::new();
        let mut at = 0;
        while at < blanked.len() {
            let end = blanked[at..].find('\n').map_or(blanked.len(), |n| at + n + 1);
            let active = open.last().is_none_or(|c| c.active);
            if blanked[at..end].trim_start().starts_with('#') {
                let end = logical_end(&blanked, at);
                let line = logical_line(&blanked[at..end], file, at);
                self.directive(file, name, line.view(), at, &mut open);
                // The lines stay, empty, so that nothing moves within the output.
                let lines = blanked[at..end].matches(['\n', COMMENTED_LINE]).count();
                self.copy(file, end - lines.min(end), &"\n".repeat(lines));
                at = end;
                continue;
            }
            if active {
                at = self.text_line(file, &blanked, at, end);
            } else {
                self.copy(file, end - 1, "\n");
                at = end;
            }
            if self.out.len() > MAX_OUTPUT || self.macros.exhausted() {
                self.error(codes::E0111, file, at.saturating_sub(1), at, "macros and includes make this text too long");
                return;
            }
        }
        if let Some(c) = open.last() {
            // As of a brace, what is missing is missing at the end; which one it is, the label
            // says.
            let (opened, end) = (self.loc(file, c.at, c.at + 1), blanked.len());
            let d = Diagnostic::error(codes::E0112, self.loc(file, end, end), "this `#if` has no `#endif`");
            self.diagnostics.push(d.with_label_at(opened, "opened here"));
        }
    }

    /// Copies a line, macros replaced; a macro's arguments may go on over the lines that follow.
    /// Gives where to go on.
    fn text_line(&mut self, file: u32, text: &str, start: usize, end: usize) -> usize {
        if self.macros.spare(&text[start..end]) {
            self.copy(file, start, &text[start..end]);
            return end;
        }
        let bytes = text.as_bytes();
        let marks = [Spelling { at: 0, file: Some(file), from: 0 }];
        let whole = View::new(text, &marks);
        let (mut at, mut copied, mut end) = (start, start, end);
        while at < end {
            let b = bytes[at];
            if let Some(end) = scan::literal_end(bytes, at) {
                at = end;
                continue;
            }
            if b.is_ascii_digit() || !scan::is_name_byte(b) {
                // A number's suffix is not a name.
                at = macros::number_end(bytes, at).unwrap_or(at + 1);
                continue;
            }
            let word_end = macros::word_end(bytes, at);
            self.stand_at(file, at);
            match self.macros.expand_at(whole, at, word_end) {
                None => at = word_end,
                Some((replacement, after)) => {
                    self.copy(file, copied, &text[copied..at]);
                    self.segments.push(Segment {
                        at: self.out.len() as u32,
                        file,
                        from: at as u32,
                        len: (word_end - at) as u32,
                        verbatim: false,
                    });
                    if macros::glues(&self.out, &replacement.text) {
                        self.out.push(' ');
                    }
                    let shift = self.out.len() as u32;
                    self.spelled.extend(replacement.marks().iter().map(|m| Spelling { at: shift + m.at, ..*m }));
                    self.out.push_str(&replacement.text);
                    if macros::glues(&self.out, &text[after..]) {
                        self.out.push(' ');
                    }
                    let at_word = at;
                    let name = Name::new(&text[at..word_end]);
                    if let Some(defined) = self.defined.get(&name) {
                        self.map.note_expansion(file, at, name, *defined);
                    }
                    at = after;
                    copied = after;
                    if let Some(mistake) = self.macros.take_mistake() {
                        self.error(codes::E0112, file, at_word, word_end, mistake);
                    }
                    if after > end {
                        end = text[after..].find('\n').map_or(text.len(), |n| after + n + 1);
                    }
                }
            }
        }
        self.copy(file, copied, &text[copied..end]);
        end
    }

    /// Appends text that stands in `file` at `from`.
    fn copy(&mut self, file: u32, from: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let at = self.out.len() as u32;
        let follows =
            self.segments.last().is_some_and(|s| s.verbatim && s.file == file && s.from + (at - s.at) == from as u32);
        if !follows {
            let len = text.len() as u32;
            self.segments.push(Segment { at, file, from: from as u32, len, verbatim: true });
        }
        self.out.push_str(text);
    }

    fn directive(&mut self, file: u32, file_name: &str, whole: View, at: usize, open: &mut Vec<Conditional>) {
        let line = whole.text;
        let hash = line.find('#').unwrap_or(0);
        let rest = line[hash + 1..].trim();
        let name_end = rest.bytes().position(|b| !scan::is_name_byte(b)).unwrap_or(rest.len());
        let (name, arg) = (&rest[..name_end], rest[name_end..].trim());
        let active = open.last().is_none_or(|c| c.active);
        let span = (at + hash, at + line.trim_end().len());
        match name {
            "if" | "ifdef" | "ifndef" => {
                if active && name != "if" {
                    self.only_name(file, span, name, arg);
                }
                let holds = active
                    && match name {
                        "if" => self.condition(file, span, arg),
                        _ => self.macros.is_defined(first_word(arg)) == (name == "ifdef"),
                    };
                open.push(Conditional { at: at + hash, active: holds, taken: holds, outer: active, seen_else: false });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                let Some(c) = open.last() else {
                    return self.error(codes::E0112, file, span.0, span.1, format!("`#{name}` without `#if`"));
                };
                if name == "else" && c.outer && !arg.is_empty() {
                    self.error(codes::E0112, file, span.0, span.1, "`#else` takes nothing, and more stands here");
                }
                let (outer, taken, seen_else) = (c.outer, c.taken, c.seen_else);
                if seen_else {
                    return self.error(codes::E0112, file, span.0, span.1, format!("`#{name}` after `#else`"));
                }
                let holds = outer
                    && !taken
                    && match name {
                        "else" => true,
                        // As in slangc, which warns as well.
                        "elif" if arg.is_empty() => {
                            self.warn(codes::W0116, file, span, "this condition is missing: it does not hold".into());
                            false
                        }
                        "elif" => self.condition(file, span, arg),
                        _ => self.macros.is_defined(first_word(arg)) == (name == "elifdef"),
                    };
                if let Some(c) = open.last_mut() {
                    c.active = holds;
                    c.taken |= holds;
                    c.seen_else |= name == "else";
                }
            }
            "endif" => match open.pop() {
                None => self.error(codes::E0112, file, span.0, span.1, "`#endif` without `#if`"),
                Some(c) if c.outer && !arg.is_empty() => {
                    self.error(codes::E0112, file, span.0, span.1, "`#endif` takes nothing, and more stands here");
                }
                Some(_) => {}
            },
            _ if !active => {}
            "define" => self.define(file, span, whole.find(arg)),
            "undef" if !self.only_name(file, span, name, arg) => {}
            "undef" => {
                let name = first_word(arg);
                if !self.macros.undefine(Name::new(name)) {
                    self.warn(codes::W0115, file, span, format!("there is no macro `{name}` to undefine"));
                }
            }
            "include" => self.include(file, file_name, span, arg),
            "pragma" => self.pragma(file, file_name, span, arg),
            "error" => self.error(codes::E0113, file, span.0, span.1, format!("#error: {arg}")),
            "warning" => {
                self.warn(codes::W0113, file, span, format!("#warning: {arg}"));
            }
            "language" | "lang" => self.language(file, span, arg),
            "line" => self.line(file, span, arg),
            "version" if arg.split_ascii_whitespace().next().is_none_or(|n| n.parse::<u32>().is_err()) => {
                self.error(codes::E0112, file, span.0, span.1, "`#version` needs a number");
            }
            "version" | "extension" | "" => {}
            _ => self.error(codes::E0112, file, span.0, span.1, format!("there is no directive `#{name}`")),
        }
    }

    fn pragma(&mut self, file: u32, file_name: &str, span: (usize, usize), arg: &str) {
        let word = first_word(arg);
        if word.is_empty() {
            self.error(codes::E0112, file, span.0, span.1, "`#pragma` needs a name");
        } else if word == "warning" && !arg[word.len()..].trim_start().starts_with('(') {
            let text = "write `#pragma warning(SPECIFIER: NUMBERS)`, with parentheses";
            self.error(codes::E0112, file, span.0, span.1, text);
        } else if word == "once" && arg != word {
            self.error(codes::E0112, file, span.0, span.1, "`#pragma once` takes nothing, and more stands here");
        } else if word == "once" {
            self.once.insert(file_name.to_string());
        } else if word == "warning" {
            let text = arg[word.len()..].trim().trim_start_matches('(').trim_end_matches(')');
            for unknown in self.warnings.obey(text, self.out.len() as u32) {
                self.warn(codes::W0114, file, span, unknown);
            }
        } else {
            let text = format!("`#pragma {word}` means nothing here");
            self.warn(codes::W0114, file, span, text);
        }
    }

    /// Whether a directive is given one name and nothing else, as it must.
    fn only_name(&mut self, file: u32, span: (usize, usize), directive: &str, arg: &str) -> bool {
        let name = first_word(arg);
        let wrong = if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
            format!("`#{directive}` needs a name")
        } else if arg.trim() != name {
            format!("`#{directive}` takes one name, and more stands here")
        } else {
            return true;
        };
        self.error(codes::E0112, file, span.0, span.1, wrong);
        false
    }

    /// `#language slang 2026`.
    fn language(&mut self, file: u32, span: (usize, usize), arg: &str) {
        let mut words = arg.split_ascii_whitespace().peekable();
        if words.peek() == Some(&"slang") {
            words.next();
        }
        let (Some(version), None) = (words.next(), words.next()) else {
            return self.error(codes::E0112, file, span.0, span.1, "write `#language slang VERSION`");
        };
        match Version::named(version) {
            Some(v) => self.version = Some(v),
            None => {
                let text = format!("there is no version `{version}` of the language; there are {}", Version::names());
                self.error(codes::E0112, file, span.0, span.1, text);
            }
        }
    }

    fn define(&mut self, file: u32, span: (usize, usize), whole: View) {
        let arg = whole.text;
        let end = macros::word_end(arg.as_bytes(), 0);
        let name = &arg[..end];
        if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
            return self.error(codes::E0112, file, span.0, span.1, "`#define` needs a name");
        }
        let rest = &arg[end..];
        // Only a parenthesis right after the name opens parameters.
        let (params, body) = match rest.strip_prefix('(') {
            Some(list) => {
                let Some(close) = list.find(')') else {
                    return self.error(
                        codes::E0112,
                        file,
                        span.0,
                        span.1,
                        "the parameters of this macro are not closed",
                    );
                };
                let params: Vec<Name> = list[..close].split(',').map(str::trim).map(Name::new).collect();
                let params = if list[..close].trim().is_empty() { Vec::new() } else { params };
                (Some(params), list[close + 1..].trim())
            }
            None => (None, rest.trim()),
        };
        let new = Macro { params, body: whole.find(body).to_owned() };
        if let Some(wrong) = new.mistake() {
            return self.error(codes::E0112, file, span.0, span.1, wrong);
        }
        let at = self.loc(file, span.0, span.1);
        self.defined.insert(Name::new(name), at);
        if let Some(old) = self.macros.define(Name::new(name), new.clone())
            && !old.is_like(&new)
        {
            self.warn(codes::W0115, file, span, format!("the macro `{name}` was something else before"));
        }
    }

    /// `#line 10`, `#line 10 "file"`, `#line default`: what the lines that follow are called.
    fn line(&mut self, file: u32, span: (usize, usize), arg: &str) {
        self.stand_at(file, span.0);
        let arg = self.macros.expand(arg);
        let mut parts = arg.trim().splitn(2, char::is_whitespace);
        let (number, name) = (parts.next().unwrap_or(""), parts.next().map_or("", str::trim));
        if number == "default" && name.is_empty() {
            return self.map.files[file as usize].name_lines(span.1 as u32, None, None);
        }
        let quoted = name.len() >= 2 && name.starts_with('"') && name.ends_with('"');
        match number.parse::<u32>() {
            Ok(line) if name.is_empty() || quoted => {
                let name = quoted.then(|| Name::new(name.trim_matches('"')));
                self.map.files[file as usize].name_lines(span.1 as u32, Some(line), name);
            }
            _ => self.error(codes::E0112, file, span.0, span.1, "write `#line NUMBER` or `#line NUMBER \"FILE\"`"),
        }
    }

    /// Tells macros where in the files they are used.
    fn stand_at(&self, file: u32, at: usize) {
        let (name, line, _) = self.map.files[file as usize].place(at as u32);
        self.macros.stand_at(line, &name);
    }

    fn warn(&mut self, code: Code, file: u32, span: (usize, usize), text: String) {
        let d = Diagnostic::warning(code, self.loc(file, span.0, span.1), text);
        match self.warnings.asked_of(code) {
            Asked::Default => self.diagnostics.push(d),
            Asked::Error => self.diagnostics.push(Diagnostic { severity: caustic_ir::Severity::Error, ..d }),
            Asked::Silence => {}
        }
    }

    fn include(&mut self, file: u32, from: &str, span: (usize, usize), arg: &str) {
        // What is not quoted yet may be a macro for it.
        self.stand_at(file, span.0);
        let expanded = if arg.starts_with(['"', '<']) { arg.to_string() } else { self.macros.expand(arg) };
        let written = expanded.trim();
        let close = match written.chars().next() {
            Some('"') => '"',
            Some('<') => '>',
            first => {
                let text = match first {
                    None => "`#include` needs the name of a file".to_string(),
                    _ => format!("the name of a file is in quotes: write `#include \"{written}\"`"),
                };
                return self.error(codes::E0112, file, span.0, span.1, text);
            }
        };
        let Some((name, rest)) = written[1..].split_once(close) else {
            let text = format!("the name of the file does not end: `{written}`");
            return self.error(codes::E0112, file, span.0, span.1, text);
        };
        if !rest.trim().is_empty() {
            let text = format!("unexpected text after the name of the file: `{}`", rest.trim());
            return self.error(codes::E0112, file, span.0, span.1, text);
        }
        let name = name.trim();
        let found = self.loader.resolve(name, from);
        // As Windows writes paths.
        let found = found.or_else(|| self.loader.resolve(&name.replace('\\', "/"), from));
        let Some(found) = found else {
            self.error(codes::E0110, file, span.0, span.1, format!("there is no file `{name}` to include"));
            let folders = self.loader.folders(from);
            if let Some(d) = self.diagnostics.last_mut().filter(|_| !folders.is_empty()) {
                d.notes.push(format!("looked for in {}", folders.join(", ")));
                d.notes.extend((close == '>').then(|| "there are no headers of a system".to_string()));
            }
            return;
        };
        if self.once.contains(&found) {
            return;
        }
        // Once is enough: a file that includes itself twice would be read more often than anybody
        // could wait.
        if self.includes_left == 0 {
            return;
        }
        self.includes_left -= 1;
        if self.depth >= MAX_INCLUDES || self.includes_left == 0 {
            self.includes_left = 0;
            return self.error(codes::E0111, file, span.0, span.1, "files include each other without end");
        }
        match self.loader.load(&found) {
            Ok(text) => {
                self.depth += 1;
                let at = self.loc(file, span.0, span.1);
                self.map.note_arrival(&found, at, Arrival::Included);
                self.file(&found, text);
                self.depth -= 1;
                self.copy(file, span.1, "\n");
            }
            Err(e) => self.error(codes::E0110, file, span.0, span.1, format!("cannot read `{name}`: {e}")),
        }
    }

    fn condition(&mut self, file: u32, span: (usize, usize), text: &str) -> bool {
        self.stand_at(file, span.0);
        let from = self.map.files[file as usize].name;
        let loader = &mut *self.loader;
        let known = condition::resolve_has_include(text, &mut |name| loader.resolve(name, &from).is_some());
        match known.and_then(|text| condition::evaluate(&text, &self.macros)) {
            Ok(v) => v != 0,
            Err(e) => {
                self.error(codes::E0112, file, span.0, span.1, format!("this condition cannot be evaluated: {e}"));
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                let used = words.filter_map(|w| Some((w, *self.defined.get(&Name::new(w))?)));
                let labels: Vec<(Loc, String)> = used.map(|(w, at)| (at, format!("`{w}` is defined here"))).collect();
                if let Some(d) = self.diagnostics.last_mut() {
                    d.labels.extend(labels);
                }
                false
            }
        }
    }

    fn loc(&mut self, file: u32, start: usize, end: usize) -> Loc {
        let unit = self.map.add_verbatim(file, start as u32, end.saturating_sub(start));
        self.map.loc(Span::new(unit, unit + end.saturating_sub(start) as u32))
    }

    fn error(&mut self, code: Code, file: u32, start: usize, end: usize, text: impl Into<String>) {
        let loc = self.loc(file, start, end);
        self.diagnostics.push(Diagnostic::error(code, loc, text));
    }
}

/// The line of a directive, which starts in `file` at `from`, without what joins it to the next
/// ones.
fn logical_line(text: &str, file: u32, from: usize) -> Traced {
    let marks = [Spelling { at: 0, file: Some(file), from: from as u32 }];
    let whole = View::new(text, &marks);
    let mut line = Traced::default();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let joint = ["\r\\\n", "\\\n"].iter().find(|j| rest.starts_with(**j)).map_or(0, |j| j.len());
        let next = rest[joint..].find(['\r', '\\', COMMENTED_LINE]).map_or(text.len(), |n| at + joint + n);
        if joint == 0 && next == at {
            let other = rest.starts_with(COMMENTED_LINE);
            line.push(if other { View::new(" ", &[]) } else { whole.part(at..at + 1) });
            at += 1;
            continue;
        }
        line.push(whole.part(at + joint..next));
        at = next;
    }
    line
}

/// The end of the line at `at`, lines joined by a backslash taken as one.
fn logical_end(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let line = text[end..].find('\n').map_or(text.len(), |n| end + n + 1);
        let joined = text[end..line].trim_end_matches(['\n', '\r']).ends_with('\\');
        end = line;
        if !joined || end >= text.len() {
            return end;
        }
    }
}

/// Takes the `\` away from the ends of the lines of text that go on; those of directives, which are
/// lines of their own, stay. What goes on in the middle of a token ends before the line end, so
/// that all else keeps its place.
fn join_lines(text: String) -> String {
    if !text.contains("\\\n") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let line = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
        let is_directive = text[at..line].trim_start().starts_with('#');
        let end = if is_directive { logical_end(&text, at) } else { line };
        match text[at..end].strip_suffix("\\\n").filter(|_| !is_directive) {
            Some(kept) => {
                out.push_str(kept.trim_end_matches('\r'));
                at = end;
                while let Some(c) = text[at..].chars().next()
                    && macros::glues(&out, &text[at..at + c.len_utf8()])
                {
                    out.push(c);
                    at += c.len_utf8();
                }
                out.push_str(if kept.ends_with('\r') { "  \n" } else { " \n" });
            }
            None => {
                out.push_str(&text[at..end]);
                at = end;
            }
        }
    }
    out
}

fn first_word(text: &str) -> &str {
    &text[..macros::word_end(text.as_bytes(), 0)]
}

#[cfg(test)]
mod tests;
