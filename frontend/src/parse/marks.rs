//! Tells generic arguments with operators in them, `Mode<Fast && !Small, Depth - 1>`, from
//! comparisons before the text is parsed.
//!
//! A grammar without a symbol table cannot tell `a < b && c > (d)` from the call of a generic
//! function. So the `<` after a name that is declared with generic parameters is replaced by a mark
//! if the arguments are more than types, names and sums; the grammar allows all operators only
//! after a mark. And the `<` after a name that means a variable there (`scopes`) is replaced by
//! another mark if the grammar would read a call of a generic function. The text keeps its length.
//! A mark is not final: where the marked text does not parse as a list of arguments, the mark is
//! read as a `<`.

use super::TypeNames;
use super::scopes::{Meaning, NO_TYPES, Scopes};
use crate::scan;
use caustic_ir::Name;
use std::borrow::Cow;

/// The character that replaces a `<`.
pub(super) const MARK: &str = "\u{1}";

/// The character that replaces a `<` which is a comparison: `f(a < b, c > (d))`.
pub(super) const LESS: &str = "\u{2}";

/// The number of bytes within which the `>` of a list must stand.
const FARTHEST: usize = 4096;

/// Builtin types that take values as generic arguments.
const BUILTIN: [&str; 12] = [
    "vector",
    "matrix",
    "Array",
    "Conditional",
    "CoopVec",
    "Tuple",
    "RayQuery",
    "InputPatch",
    "OutputPatch",
    "OutputVertices",
    "OutputIndices",
    "OutputPrimitives",
];

/// Returns the word before `end`, with blanks between them skipped, and the offset at which it
/// begins.
fn word_before(text: &str, end: usize) -> Option<(&str, usize)> {
    let head = text[..end].trim_end();
    let length = head.bytes().rev().take_while(|b| scan::is_name_byte(*b)).count();
    let start = head.len() - length;
    let word = &head[start..];
    (!word.is_empty() && !word.as_bytes()[0].is_ascii_digit()).then_some((word, start))
}

/// The offsets of all `<` outside of literals that are no part of another operator.
fn angles(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            match scan::literal_end(bytes, at) {
                Some(end) => at = end,
                None => {
                    at += 1;
                    if bytes[at - 1] == b'<' {
                        match bytes.get(at) {
                            Some(b'<' | b'=') => at += 1,
                            _ => return Some(at - 1),
                        }
                    }
                }
            }
        }
        None
    })
}

/// Whether a `>` and a `(` follow the `<` at `open` in a way in which a list of generic arguments
/// could end.
fn is_called(text: &str, open: usize) -> bool {
    called_end(text, open).is_some()
}

/// The text between the `<` at `open` and the `>` before a `(`.
fn list_of(text: &str, open: usize) -> &str {
    called_end(text, open).map_or("", |end| &text[open + 1..end])
}

fn called_end(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut brackets, mut at) = (0usize, open + 1);
    while at < bytes.len().min(open + FARTHEST) {
        match bytes[at] {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => match brackets.checked_sub(1) {
                Some(left) => brackets = left,
                None => return None,
            },
            b'{' | b'}' | b';' | b'"' => return None,
            b'>' if brackets == 0 && bytes[at - 1] != b'-' && text[at + 1..].trim_start().starts_with('(') => {
                return Some(at);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether brackets are open at the end of a text: a `<` there needs no mark.
fn is_bracketed(text: &str) -> bool {
    let count = |set: [char; 2]| text.matches(set).count();
    count(['(', '[']) > count([')', ']'])
}

/// Whether a name is that of components of a vector or of elements of a matrix.
fn is_swizzle(name: &str) -> bool {
    let all = |set: &str| name.len() <= 4 && name.chars().all(|c| set.contains(c));
    all("xyzw") || all("rgba") || name.starts_with("_m") || name.starts_with("_1")
}

impl TypeNames {
    /// Adds the names that are declared with generic parameters: those before a `<` that have a
    /// type, a word or a `>` before them.
    pub(super) fn note_generic(&mut self, text: &str) {
        for at in angles(text) {
            let Some((name, start)) = word_before(text, at).filter(|(name, _)| *name != "operator") else { continue };
            let declared = match word_before(text, start) {
                Some((word, _)) => !NO_TYPES.contains(&word),
                None => text[..start].trim_end().ends_with(['>', ']']),
            };
            if declared {
                self.generic.insert(Name::new(name));
            }
        }
    }

    fn is_generic(&self, name: &str) -> bool {
        BUILTIN.contains(&name) || self.generic.contains(&Name::new(name))
    }

    /// Returns the text with a mark in place of each `<` that begins generic arguments with
    /// operators.
    pub(super) fn marked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains(MARK) || text.contains(LESS) {
            return Cow::Borrowed(text);
        }
        let mut scopes = None;
        // Where the list begins and ends that was marked last.
        let mut within = 0..0;
        let mut mark = |at: usize| {
            let (name, start) = word_before(text, at)?;
            // In a list with operators a variable is compared: `K<Depth < 4>`.
            if within.contains(&at) && !self.is_generic(name) && !is_bracketed(&text[within.start..at]) {
                let scopes = scopes.get_or_insert_with(|| Scopes::new(text));
                let compares = scopes.meaning(name, start) == Meaning::Variable || scopes.has_variable(name);
                return compares.then_some((at, LESS));
            }
            let (generic, called) = (self.is_generic(name), is_called(text, at));
            let end = self.end_with_operators(text, at).filter(|_| generic);
            let operators = end.is_some();
            if !called && !operators {
                return None;
            }
            let scopes = scopes.get_or_insert_with(|| Scopes::new(text));
            let compares = match scopes.meaning(name, start) {
                Meaning::Variable => true,
                Meaning::Generic => false,
                Meaning::Unknown if BUILTIN.contains(&name) => false,
                Meaning::Unknown if generic => scopes.has_local(list_of(text, at), at),
                Meaning::Unknown => scopes.has_variable(name) || text[..start].ends_with('.') && is_swizzle(name),
            };
            match compares {
                true => called.then_some((at, LESS)),
                false => end.map(|end| {
                    within = at + 1..end;
                    (at, MARK)
                }),
            }
        };
        let places: Vec<(usize, &str)> = angles(text).filter_map(&mut mark).collect();
        if places.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (at, mark) in places {
            out.push_str(&text[done..at]);
            out.push_str(mark);
            done = at + 1;
        }
        out.push_str(&text[done..]);
        Cow::Owned(out)
    }

    /// Where the list that begins at `open` ends, if it contains operators or parentheses.
    fn end_with_operators(&self, text: &str, open: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let (mut brackets, mut lists, mut found) = (0usize, 0usize, false);
        let mut at = open + 1;
        while at < bytes.len().min(open + FARTHEST) {
            let next = bytes.get(at + 1).copied();
            match bytes[at] {
                b'(' | b'[' => {
                    brackets += 1;
                    found = true;
                }
                b')' | b']' => match brackets.checked_sub(1) {
                    Some(left) => brackets = left,
                    None => return None,
                },
                b'{' | b'}' | b';' | b'"' => return None,
                b'-' if next == Some(b'>') => at += 1,
                b'<' if brackets == 0 => {
                    if matches!(next, Some(b'<' | b'=')) {
                        at += 1;
                        found = true;
                    } else {
                        // A `<` before a number is a comparison; any other more often begins a list
                        // of types or names.
                        let rest = text[at + 1..].trim_start();
                        let name = word_before(text, at);
                        let known = name.is_some_and(|(name, _)| self.is_generic(name));
                        // What a number or a bracket stands before is compared, and so is a number.
                        let is_list = known || name.is_some() && !rest.starts_with(|c: char| c.is_ascii_digit());
                        if is_list { lists += 1 } else { found = true }
                    }
                }
                b'>' if brackets == 0 => match lists.checked_sub(1) {
                    Some(left) => lists = left,
                    None => return found.then_some(at),
                },
                b'&' | b'|' | b'^' | b'=' | b'!' | b'?' | b'+' | b'-' | b'*' | b'/' | b'%' | b'~' => found = true,
                _ => {}
            }
            at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> usize {
        let mut names = TypeNames::default();
        names.add(text);
        names.marked(text).matches(MARK).count()
    }

    #[test]
    fn arguments_with_operators_are_marked_and_comparisons_are_not() {
        assert_eq!(marks("struct M<bool b, int n> {} M<a && b, c - 1> x;"), 1);
        assert_eq!(marks("int pick<bool b>() { return pick<!q || d == 6>(); }"), 1);
        assert_eq!(marks("bool f(int a, int b, int c) { return a < b && c > (b); }"), 0);
        assert_eq!(marks("struct M<int n> {} M<3> x; M<n> y;"), 0);
        let compared = |text: &str| {
            let mut names = TypeNames::default();
            names.add(text);
            names.marked(text).matches(LESS).count()
        };
        assert_eq!(compared("void f(int a, int b) { g(a < b, b > (a)); }"), 1);
        assert_eq!(compared("int z = 0, a = 1; int t[2] = { a < z, z > (a) };"), 1);
        assert_eq!(compared("int g<T, U>(U x); void f(int a) { h(g<int, int>(a), bit_cast<int>(a)); }"), 0);
        assert_eq!(compared("int g<T>(T x); void f(int g, int b) { h(g < b, b > (g)); }"), 1);
        assert_eq!(compared("int g<T>(T x); struct S { int g; } void f(S s, int b) { h(s.g < b, b > (1)); }"), 1);
        assert_eq!(compared("int g<T>(T x); void f(int b) { { int g; } h(g<int, int>(b)); }"), 0);
        assert_eq!(compared("void f(int a, int b) { g(a << 1 < b, b > (a)); }"), 0);
        assert_eq!(marks("struct M<int n> {} int f<int n>() { return f<M<1>.x - M<2>.y>(); }"), 1);
    }
}
