//! Tells generic arguments with operators in them, `Mode<Fast && !Small, Depth - 1>`, from
//! comparisons before the text is parsed.
//!
//! A grammar without a symbol table cannot tell `a < b && c > (d)` from the call of a generic
//! function. So the `<` after a name that is declared with generic parameters is replaced by a mark
//! if the arguments are more than types, names and sums; the grammar allows all operators only
//! after a mark. And the `<` after a name that is declared only as a variable is replaced by
//! another mark if the grammar would read a call of a generic function. The text keeps its length.
//! A mark is not final: where the marked text does not parse as a list of arguments, the mark is
//! read as a `<`.

use super::TypeNames;
use crate::scan;
use caustic_ir::Name;
use rustc_hash::FxHashSet;
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

/// Words that may stand before a name without declaring it.
const NO_TYPES: [&str; 8] = ["return", "case", "else", "in", "is", "as", "throw", "do"];

/// Returns the word before `end`, with blanks between them skipped, and the offset at which it
/// begins.
fn word_before(text: &str, end: usize) -> Option<(&str, usize)> {
    let head = text[..end].trim_end();
    let length = head.bytes().rev().take_while(|b| scan::is_name_byte(*b)).count();
    let start = head.len() - length;
    let word = &head[start..];
    (!word.is_empty() && !word.as_bytes()[0].is_ascii_digit()).then_some((word, start))
}

/// The offsets of all `<` outside of literals.
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
                        return Some(at - 1);
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
    let bytes = text.as_bytes();
    let (mut brackets, mut at) = (0usize, open + 1);
    while at < bytes.len().min(open + FARTHEST) {
        match bytes[at] {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => match brackets.checked_sub(1) {
                Some(left) => brackets = left,
                None => return false,
            },
            b'{' | b'}' | b';' | b'"' => return false,
            b'>' if brackets == 0 && bytes[at - 1] != b'-' && text[at + 1..].trim_start().starts_with('(') => {
                return true;
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// The names that a text declares as variables, parameters or fields: those between a type and what
/// may follow the name of a variable.
fn variables_of(text: &str) -> FxHashSet<&str> {
    let bytes = text.as_bytes();
    let (mut out, mut at, mut typed) = (FxHashSet::default(), 0, false);
    while at < bytes.len() {
        if let Some(end) = scan::literal_end(bytes, at) {
            (at, typed) = (end, false);
        } else if scan::is_name_byte(bytes[at]) {
            let start = at;
            at += bytes[at..].iter().take_while(|b| scan::is_name_byte(**b)).count();
            let rest = text[at..].trim_start();
            let is_name = typed && !bytes[start].is_ascii_digit();
            if is_name && rest.starts_with(['=', ';', ',', ')', '[', ':']) && !rest.starts_with("==") {
                out.insert(&text[start..at]);
            }
            // Of several declared together, the others follow a comma.
            typed = !NO_TYPES.contains(&&text[start..at]) && !bytes[start].is_ascii_digit();
        } else {
            typed = bytes[at].is_ascii_whitespace() && typed || b">],".contains(&bytes[at]);
            at += 1;
        }
    }
    out
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
        let mut variables = None;
        let mut mark = |at: usize| {
            let (name, _) = word_before(text, at)?;
            if self.is_generic(name) {
                return self.has_operators(text, at).then_some((at, MARK));
            }
            let compares = is_called(text, at) && variables.get_or_insert_with(|| variables_of(text)).contains(name);
            compares.then_some((at, LESS))
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

    /// Whether the list that begins at `open` ends, and contains operators or parentheses.
    fn has_operators(&self, text: &str, open: usize) -> bool {
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
                    None => return false,
                },
                b'{' | b'}' | b';' | b'"' => return false,
                b'-' if next == Some(b'>') => at += 1,
                b'<' if brackets == 0 => {
                    if matches!(next, Some(b'<' | b'=')) {
                        at += 1;
                        found = true;
                    } else {
                        // A `<` before a number is a comparison; any other more often begins a list
                        // of types or names.
                        let rest = text[at + 1..].trim_start();
                        let known = word_before(text, at).is_some_and(|(name, _)| self.is_generic(name));
                        if known || !rest.starts_with(|c: char| c.is_ascii_digit()) { lists += 1 } else { found = true }
                    }
                }
                b'>' if brackets == 0 => match lists.checked_sub(1) {
                    Some(left) => lists = left,
                    None => return found,
                },
                b'&' | b'|' | b'^' | b'=' | b'!' | b'?' | b'+' | b'-' | b'*' | b'/' | b'%' | b'~' => found = true,
                _ => {}
            }
            at += 1;
        }
        false
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
        assert_eq!(compared("int g<T, U>(U x); void f(int a) { int g; h(g<int, int>(a), bit_cast<int>(a)); }"), 0);
        assert_eq!(marks("struct M<int n> {} int f<int n>() { return f<M<1>.x - M<2>.y>(); }"), 1);
    }
}
