//! Source text and positions: files, spans, and the way from a byte offset back to a line and
//! column.
//!
//! All texts of one compilation, the prelude's included, share one space of offsets: a [`Span`] is
//! two `u32`s and needs no file id. Texts that all compilations have ([`Shared`]) lie at the end of
//! that space, at the same offsets in each. A text may be the result of preprocessing; then its
//! segments say which part of which file it came from. Nothing here reads files: the caller of the
//! library brings a [`SourceLoader`].

use caustic_ir::codes::Code;
use caustic_ir::{Diagnostic, Loc, LocKind, Name};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A place, and what to say of another one.
pub type Shown = (Loc, Option<(Loc, String)>);

/// Half-open range of offsets in the offset space of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi }
    }

    pub fn to(self, end: Span) -> Span {
        Span { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }
}

/// The line on which a place begins; 0 where nothing is known of it.
pub fn line_of(loc: Loc) -> u32 {
    match loc.source().kind() {
        LocKind::Span { line, .. } => *line,
        _ => 0,
    }
}

/// Where the front end gets its texts from.
pub trait SourceLoader {
    /// The text of the file called `name`, or what is wrong.
    fn load(&mut self, name: &str) -> Result<String, String>;

    /// The name under which `included`, as written in `from`, can be loaded; `None` if there is no
    /// such file.
    fn resolve(&mut self, included: &str, from: &str) -> Option<String> {
        let _ = (included, from);
        None
    }

    /// The folders in which it looks for what is included in `from`, in order; none if there are no
    /// folders.
    fn folders(&self, from: &str) -> Vec<String> {
        let _ = from;
        Vec::new()
    }
}

/// A loader over texts held in memory.
#[derive(Default)]
pub struct MemoryLoader {
    pub files: Vec<(String, String)>,
}

impl MemoryLoader {
    pub fn new(name: &str, text: &str) -> Self {
        MemoryLoader { files: vec![(name.to_string(), text.to_string())] }
    }
}

impl SourceLoader for MemoryLoader {
    fn load(&mut self, name: &str) -> Result<String, String> {
        match self.files.iter().find(|(n, _)| n == name) {
            Some((_, text)) => Ok(text.clone()),
            None => Err(format!("no file `{name}`")),
        }
    }

    fn resolve(&mut self, included: &str, _from: &str) -> Option<String> {
        self.files.iter().any(|(n, _)| n == included).then(|| included.to_string())
    }
}

/// A file as the user wrote it, with the starts of its lines.
#[derive(Debug)]
pub struct File {
    pub name: Name,
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// Then columns need no counting.
    ascii: bool,
    /// From which offsets on lines have other numbers, or the file another name: `#line`.
    named: Vec<(u32, i64, Option<Name>)>,
}

impl File {
    pub fn new(name: &str, text: Arc<str>) -> File {
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let ascii = text.is_ascii();
        File { name: Name::new(name), text, line_starts, ascii, named: Vec::new() }
    }

    /// The line after the one at `offset` is called `line`, and the file `name`, until told
    /// otherwise.
    pub fn name_lines(&mut self, offset: u32, line: Option<u32>, name: Option<Name>) {
        let (here, _) = self.line_col(offset);
        let by = line.map_or(0, |line| i64::from(line) - i64::from(here) - 1);
        let earlier = self.named.last().and_then(|n| n.2);
        self.named.push((offset, by, if line.is_some() { name.or(earlier) } else { None }));
    }

    /// File, line and column as the program calls them.
    pub fn place(&self, offset: u32) -> (Name, u32, u32) {
        let (line, column) = self.line_col(offset);
        match self.named.iter().rfind(|n| n.0 <= offset) {
            None => (self.name, line, column),
            Some((_, by, name)) => (name.unwrap_or(self.name), (i64::from(line) + by).max(1) as u32, column),
        }
    }

    /// Line and column, both from 1; the column counts characters.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&s| s <= offset).saturating_sub(1);
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        if self.ascii {
            return (line as u32 + 1, end.saturating_sub(start) as u32 + 1);
        }
        let col = self.text.get(start..end).map_or(end.saturating_sub(start), |t| t.chars().count());
        (line as u32 + 1, col as u32 + 1)
    }
}

/// A run of parsed text that was copied from `file` at `from`; text that a macro produced has
/// `verbatim` false and belongs as a whole to the place of the macro's use.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub at: u32,
    pub file: u32,
    pub from: u32,
    /// Length, in the file, of what the whole segment stands for; only used when it is not
    /// verbatim.
    pub len: u32,
    pub verbatim: bool,
}

/// From `at` on, a text that macros made is written in `file` from `from` on; without a file,
/// nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    pub at: u32,
    pub file: Option<u32>,
    pub from: u32,
}

struct Unit {
    base: u32,
    segments: Vec<Segment>,
}

/// Files that all compilations of a process have.
pub struct Shared {
    /// Each with the offset at which it lies, in order.
    files: Vec<(u32, SharedFile)>,
}

struct SharedFile {
    name: &'static str,
    text: &'static str,
    /// Made when it is first asked for.
    file: OnceLock<File>,
}

impl Shared {
    /// From names and texts.
    pub fn new(files: &[(&'static str, &'static str)]) -> Shared {
        // An offset between two files belongs to the end of the first.
        let room: usize = files.iter().map(|(_, text)| text.len() + 1).sum();
        let mut next = u32::MAX - room as u32;
        let mut place = |&(name, text): &(&'static str, &'static str)| {
            let base = next;
            next += text.len() as u32 + 1;
            (base, SharedFile { name, text, file: OnceLock::new() })
        };
        Shared { files: files.iter().map(&mut place).collect() }
    }

    /// Where a file lies in the offset space.
    pub fn base(&self, file: usize) -> u32 {
        self.files[file].0
    }

    fn file(&self, file: usize) -> &File {
        let SharedFile { name, text, file } = &self.files[file].1;
        file.get_or_init(|| File::new(name, (*text).into()))
    }

    fn place(&self, offset: u32) -> Option<(&File, u32)> {
        let file = self.files.partition_point(|(base, _)| *base <= offset).checked_sub(1)?;
        Some((self.file(file), offset - self.base(file)))
    }
}

/// All texts of a compilation.
#[derive(Default)]
pub struct SourceMap {
    pub files: Vec<File>,
    shared: Option<&'static Shared>,
    /// The shared files that the compilation uses.
    used: BTreeSet<usize>,
    units: Vec<Unit>,
    next: u32,
    /// By the name of a file: where it was first asked for, and in what way.
    arrivals: FxHashMap<Name, (Loc, Arrival)>,
    expansions: Vec<Expansion>,
    /// Where what macros made is written; by offset.
    spelled: Vec<Spelling>,
    /// What the program asks of a warning, from an offset on; by offset.
    warnings: Vec<(u32, Code, Asked)>,
}

/// What a program asks of a warning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    #[default]
    Default,
    /// It is not given.
    Silence,
    /// It is an error.
    Error,
}

/// A use of a macro.
#[derive(Debug)]
struct Expansion {
    file: u32,
    at: u32,
    name: Name,
    /// Where the macro is defined.
    defined: Loc,
}

/// What a place in a file does not say: through what the file came into the program, and which
/// macro made the text.
#[derive(Debug, Default)]
pub struct Origins {
    files: Vec<File>,
    arrivals: FxHashMap<Name, (Loc, Arrival)>,
    expansions: Vec<Expansion>,
}

/// In what way a file came into a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    Imported,
    Included,
}

/// Diagnostics that say what their places do not; nobody reads more.
const MOST_EXPLAINED: usize = 64;

/// Files that a message names on the way back to the main file.
const MOST_ARRIVALS: usize = 8;

impl Origins {
    /// Says of diagnostics what their places do not.
    pub fn explain_all(&self, diagnostics: &mut [Diagnostic]) {
        diagnostics.iter_mut().take(MOST_EXPLAINED).for_each(|d| self.explain(d));
    }

    /// Says of a diagnostic what its place does not, once.
    pub fn explain(&self, d: &mut Diagnostic) {
        let LocKind::Span { file, line, col, .. } = d.loc.source().kind() else { return };
        let made = self.expansions.iter().find(|e| {
            let f = &self.files[e.file as usize];
            f.name == *file && f.place(e.at) == (*file, *line, *col)
        });
        if let Some(Expansion { name, defined, .. }) = made
            && d.labels.iter().all(|(at, _)| at != defined)
        {
            d.labels.push((*defined, format!("in the expansion of `{name}`, defined here")));
        }
        let (mut file, mut way) = (*file, Vec::new());
        while let Some((at, how)) = self.arrivals.get(&file).filter(|_| way.len() < MOST_ARRIVALS) {
            let how = match how {
                Arrival::Imported => "imported",
                Arrival::Included => "included",
            };
            way.push(format!("`{file}` is {how} at {}", at.start_text()));
            let LocKind::Span { file: from, .. } = at.kind() else { break };
            file = *from;
        }
        way.retain(|step| !d.notes.contains(step));
        d.notes.extend(way);
    }
}

impl SourceMap {
    /// A map that has these files, too.
    pub fn with(shared: &'static Shared) -> SourceMap {
        SourceMap { shared: Some(shared), ..SourceMap::default() }
    }

    /// Notes that the compilation uses a shared file.
    pub fn note_used(&mut self, file: usize) {
        self.used.insert(file);
    }

    /// The files that the compilation uses, as name and text.
    pub fn texts(&self) -> Vec<(String, Arc<str>)> {
        let shared = self.shared.into_iter().flat_map(|shared| self.used.iter().map(|&file| shared.file(file)));
        self.files.iter().chain(shared).map(|f| (f.name.to_string(), f.text.clone())).collect()
    }

    pub fn add_file(&mut self, name: &str, text: Arc<str>) -> u32 {
        self.files.push(File::new(name, text));
        self.files.len() as u32 - 1
    }

    /// Notes where a file is asked for, the first time.
    pub fn note_arrival(&mut self, file: &str, at: Loc, how: Arrival) {
        self.arrivals.entry(Name::new(file)).or_insert((at, how));
    }

    /// Notes that a macro is used.
    pub fn note_expansion(&mut self, file: u32, at: usize, name: Name, defined: Loc) {
        self.expansions.push(Expansion { file, at: at as u32, name, defined });
    }

    /// Notes where what macros made in the unit at `base` is written.
    pub fn note_spelled(&mut self, base: u32, spelled: &[Spelling]) {
        self.spelled.extend(spelled.iter().map(|s| Spelling { at: base + s.at, ..*s }));
    }

    /// What can be said of places once the texts are gone.
    pub fn into_origins(self) -> Origins {
        Origins { files: self.files, arrivals: self.arrivals, expansions: self.expansions }
    }

    /// Gives a parsed text of `len` bytes its place in the offset space.
    pub fn add_unit(&mut self, len: usize, segments: Vec<Segment>) -> u32 {
        let base = self.next;
        self.next = base.saturating_add(len as u32).saturating_add(1);
        self.units.push(Unit { base, segments });
        base
    }

    /// A parsed text that is `file`'s own from `from` on.
    pub fn add_verbatim(&mut self, file: u32, from: u32, len: usize) -> u32 {
        self.add_unit(len, vec![Segment { at: 0, file, from, len: len as u32, verbatim: true }])
    }

    /// Notes what the unit at `base` asks of warnings.
    pub fn note_warnings(&mut self, base: u32, changes: &[(u32, Code, Asked)]) {
        self.warnings.extend(changes.iter().map(|(at, code, asked)| (base + at, *code, *asked)));
    }

    /// What the program asks of a warning at an offset.
    pub fn asked_of(&self, code: Code, offset: u32) -> Asked {
        let unit = self.units.partition_point(|u| u.base <= offset).checked_sub(1).map_or(0, |u| self.units[u].base);
        let here = |(at, of, _): &&(u32, Code, Asked)| *of == code && (unit..=offset).contains(at);
        self.warnings.iter().rev().find(here).map_or(Asked::Default, |(_, _, asked)| *asked)
    }

    fn place(&self, offset: u32, end: bool) -> Option<(&File, u32)> {
        if let Some(found) = self.shared.and_then(|shared| shared.place(offset)) {
            return Some(found);
        }
        let unit = &self.units[self.units.partition_point(|u| u.base <= offset).checked_sub(1)?];
        let at = offset - unit.base;
        // An end offset belongs to the segment of the character before it.
        let probe = if end { at.saturating_sub(1) } else { at };
        let seg = unit.segments.get(unit.segments.partition_point(|s| s.at <= probe).saturating_sub(1))?;
        let offset = match (seg.verbatim, end) {
            (true, _) => seg.from + (at - seg.at.min(at)),
            (false, false) => seg.from,
            (false, true) => seg.from + seg.len,
        };
        Some((&self.files[seg.file as usize], offset))
    }

    /// Where to show what is wrong with the program: what a macro made is shown where it is
    /// written. Gives as well what to say of another place.
    pub fn shown(&self, span: Span) -> Shown {
        let used = self.loc(span);
        self.spelled_at(span, used).unwrap_or((used, None))
    }

    /// A diagnostic at the place where it is to be shown.
    pub fn diagnostic(&self, span: Span, make: impl FnOnce(Loc) -> Diagnostic) -> Diagnostic {
        let (loc, label) = self.shown(span);
        let mut d = make(loc);
        d.labels.extend(label);
        d
    }

    fn spelled_at(&self, span: Span, used: Loc) -> Option<Shown> {
        if self.spelled.is_empty() || self.shared.is_some_and(|shared| shared.place(span.lo).is_some()) {
            return None;
        }
        let unit = &self.units[self.units.partition_point(|u| u.base <= span.lo).checked_sub(1)?];
        let index = unit.segments.partition_point(|s| s.at <= span.lo - unit.base).checked_sub(1)?;
        let seg = unit.segments.get(index).filter(|s| !s.verbatim)?;
        let within = |s: &&Spelling| s.at >= unit.base + seg.at;
        let find = |offset: u32| {
            let mark = self.spelled.get(self.spelled.partition_point(|s| s.at <= offset).checked_sub(1)?);
            mark.filter(within).and_then(|m| Some((m.file?, m.from + (offset - m.at))))
        };
        let (file, lo) = find(span.lo)?;
        let next = unit.segments.get(index + 1);
        let last = next.map_or(span.hi, |n| (unit.base + n.at).min(span.hi)).max(span.lo + 1) - 1;
        let hi = find(last).filter(|(f, hi)| *f == file && *hi >= lo).map_or(lo, |(_, hi)| hi) + 1;
        let written = &self.files[file as usize];
        let (name, line, column) = written.place(lo);
        let (_, end_line, end_column) = written.place(hi);
        let loc = Loc::span(name, (line, column), (end_line, end_column));
        let made = self.expansions.iter().find(|e| e.file == seg.file && e.at == seg.from)?;
        let after = next.filter(|n| n.verbatim && n.file == seg.file).map_or(u32::MAX, |n| n.from);
        let is_argument = file == seg.file && (seg.from..after).contains(&lo);
        let label = match is_argument {
            true => (made.defined, format!("in the expansion of `{}`, defined here", made.name)),
            false => (used, format!("in the expansion of `{}` here", made.name)),
        };
        Some((loc, Some(label)))
    }

    pub fn loc(&self, span: Span) -> Loc {
        let (Some((file, lo)), Some((end_file, hi))) = (self.place(span.lo, false), self.place(span.hi, true)) else {
            return Loc::unknown();
        };
        let (name, line, column) = file.place(lo);
        let start = (line, column);
        let (_, line, column) = file.place(hi);
        let end = if std::ptr::eq(end_file, file) && hi >= lo { (line, column) } else { start };
        Loc::span(name, start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_map_to_lines_and_columns() {
        let mut map = SourceMap::default();
        let f = map.add_file("a.slang", "ab\ncd\u{e9}f\n".into());
        let base = map.add_verbatim(f, 0, 9);
        assert_eq!(map.loc(Span::new(base + 3, base + 4)).start_text(), "a.slang:2:1");
        assert_eq!(map.loc(Span::new(base + 7, base + 8)).start_text(), "a.slang:2:4");
        let g = map.add_file("b.slang", "xyz".into());
        let base = map.add_verbatim(g, 1, 2);
        assert_eq!(map.loc(Span::new(base, base + 1)).start_text(), "b.slang:1:2");
    }
}
