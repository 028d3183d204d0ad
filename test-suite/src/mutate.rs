//! Mutated programs: the suite's own, changed at random by tokens and by subtrees.
//!
//! A change is a few numbers ([`Edit`]). Any numbers are a valid change, so a generator of numbers
//! is a generator of programs, and failing programs can be made smaller. A subtree is the text
//! between two matching brackets, or a statement.

use crate::random::Rng;
use crate::rename::traps;

/// One change. `at` and `from` are taken modulo the number of tokens or programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    pub kind: u8,
    /// The place of the change.
    pub at: u32,
    /// The place that the new text comes from, in the same program or another one.
    pub from: u32,
    pub amount: u8,
}

impl Edit {
    pub fn draw(random: &mut Rng) -> Edit {
        let (a, b) = (random.draw(), random.draw());
        Edit { kind: a as u8, at: (a >> 32) as u32, from: b as u32, amount: (b >> 40) as u8 }
    }
}

/// Words of the language, for use in wrong places.
const WORDS: &[&str] = &[
    "struct",
    "interface",
    "extension",
    "enum",
    "namespace",
    "using",
    "import",
    "module",
    "typealias",
    "typedef",
    "associatedtype",
    "property",
    "__subscript",
    "__init",
    "__generic",
    "type_param",
    "where",
    "let",
    "var",
    "const",
    "static",
    "extern",
    "export",
    "public",
    "private",
    "internal",
    "uniform",
    "groupshared",
    "in",
    "out",
    "inout",
    "no_diff",
    "this",
    "This",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "defer",
    "discard",
    "each",
    "expand",
    "is",
    "as",
    "none",
    "some",
    "dyn",
    "try",
    "throw",
    "catch",
    "functype",
    "operator",
    "void",
    "float",
    "int",
    "uint",
    "bool",
    "half",
    "double",
    "float3",
    "float4x4",
    "vector<float, 3>",
    "matrix<int, 2, 2>",
    "Optional<int>",
    "Tuple<int, float>",
    "DifferentialPair<float>",
    "StructuredBuffer<int>",
    "ConstantBuffer<float>",
    "Texture2D",
    "IDifferentiable",
    "IFloat",
    "fwd_diff",
    "bwd_diff",
    "[Differentiable]",
    "[ForceUnroll]",
    "[mutating]",
    "detach",
    "sizeof",
    "cbuffer",
    "static_assert",
    "$for",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999999999",
    "0x7f",
    "1e38",
    "1e-45",
    "1e999",
    "0.0",
    "1.",
    ".5",
    "3h",
    "1u",
    "1ll",
    "2.0lf",
    "1000000000",
];

const MARKS: &[&str] = &[
    "(", ")", "[", "]", "{", "}", "<", ">", ";", ",", ":", "::", ".", "->", "=>", "=", "==", "!=", "<=", ">=", "+",
    "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", "&&", "||", "<<", ">>", "++", "--", "+=", "#", "\"", "'", "\\",
    "@", "$", "\u{e9}", "\u{0}",
];

/// Constructs that nest without limit: opening, inside and closing.
const NESTS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("{", "", "}"),
    ("[", "0", "]"),
    ("if (true) ", ";", ""),
    ("for (;;) ", ";", ""),
    ("- ", "1", ""),
    ("1 + (", "2", ")"),
    ("f(", "x", ")"),
    ("(int x) => ", "x", ""),
    ("(int x) => { return ", "x", "; }"),
    ("Optional<", "int", ">"),
    ("float3(", "1", ", 2, 3)"),
    ("true ? ", "1", " : 2"),
    ("struct A { ", "", " };"),
    ("namespace n { ", "", " }"),
    ("(float)", "x", ""),
    ("no_diff ", "x", ""),
    ("{ {", "1", "}, 2 }"),
    ("a.b", "", ""),
    ("a<b", "", ""),
    ("int x = {", "", "}"),
    ("defer ", ";", ""),
    ("do ", ";", " while (true);"),
    ("!", "x", ""),
    ("(int x) => (int y) => {", "", ""),
    ("f<", "x", ""),
    ("[", "", "("),
];

/// The tokens of a text: words, numbers, strings, marks. White space belongs to the token before
/// it, and comments are dropped.
pub fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        if bytes[at..].starts_with(b"//") {
            while at < bytes.len() && bytes[at] != b'\n' {
                at += 1;
            }
            while at < bytes.len() && bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            continue;
        }
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' && bytes[at] != b'\n' {
                    at += 1;
                }
                at = (at + 1).min(bytes.len());
            }
            b if word(b) => {
                while at < bytes.len() && word(bytes[at]) {
                    at += 1;
                }
            }
            b if b.is_ascii_whitespace() => at += 1,
            // A preprocessor directive is one token, with its whole line.
            b'#' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        while !text.is_char_boundary(at) {
            at += 1;
        }
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        out.push(&text[start..at]);
    }
    out
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

/// The range of the subtree that begins at the first bracket or statement from `at` on.
fn subtree(tokens: &[&str], at: usize) -> std::ops::Range<usize> {
    let closes = |open: &str| match open.trim() {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        "<" => Some(">"),
        _ => None,
    };
    let Some(start) = (at..tokens.len()).find(|i| closes(tokens[*i]).is_some() || tokens[*i].trim() == ";") else {
        return at..tokens.len();
    };
    let Some(close) = closes(tokens[start]) else {
        // A statement: the text up to the end of the next one.
        let end = (start + 1..tokens.len()).find(|i| matches!(tokens[*i].trim(), ";" | "{" | "}"));
        return start + 1..end.map_or(tokens.len(), |e| e + 1);
    };
    let open = tokens[start].trim();
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        let token = token.trim();
        if token == open {
            depth += 1;
        } else if token == close {
            depth -= 1;
            if depth == 0 {
                return start..i + 1;
            }
        }
    }
    start..tokens.len().min(start + 20)
}

/// `programs[of]` with all `edits` made.
pub fn mutate(programs: &[String], of: usize, edits: &[Edit]) -> String {
    let Some(text) = programs.get(of % programs.len().max(1)) else { return String::new() };
    let mut now: Vec<&str> = tokens(text);
    let mut nested: Vec<String> = Vec::new();
    let nests = |e: &&Edit| e.kind % 16 == 15;
    for e in edits.iter().filter(nests) {
        let (open, inside, close) = NESTS[e.from as usize % NESTS.len()];
        let times = [2, 8, 40, 300][usize::from(e.amount) % 4];
        nested.push(format!("{}{inside}{}", open.repeat(times), close.repeat(times)));
    }
    let mut next_nest = 0;
    for e in edits {
        if now.is_empty() {
            break;
        }
        let at = e.at as usize % now.len();
        let other = programs[e.from as usize % programs.len()].as_str();
        match e.kind % 16 {
            0 => {
                now.remove(at);
            }
            1 => now.insert(at, now[at]),
            2 => {
                let with = e.from as usize % now.len();
                now.swap(at, with);
            }
            3 => now.insert(at, WORDS[e.from as usize % WORDS.len()]),
            4 => now.insert(at, MARKS[e.from as usize % MARKS.len()]),
            // Replaces a name by another name of the program, a trap, or a word of the language.
            5 | 6 => {
                let (goal, source) = (next_of(&now, at, is_word), next_of(&now, e.from as usize % now.len(), is_word));
                if let (Some(goal), Some(source)) = (goal, source) {
                    now[goal] = match e.amount % 4 {
                        0 => WORDS[e.from as usize % WORDS.len()],
                        1 => traps::all().nth(e.from as usize % traps::all().count()).unwrap_or(now[source]),
                        _ => now[source],
                    };
                }
            }
            7 => {
                if let Some(goal) = next_of(&now, at, is_number) {
                    now[goal] = NUMBERS[e.from as usize % NUMBERS.len()];
                }
            }
            8 => {
                let gone = subtree(&now, at);
                now.drain(gone);
            }
            9 => {
                let copied = now[subtree(&now, at)].to_vec();
                let to = e.from as usize % now.len();
                now.splice(to..to, copied);
            }
            10 => {
                let (a, b) = (subtree(&now, at), subtree(&now, e.from as usize % now.len()));
                let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
                if first.end <= second.start {
                    let (left, right) = (now[first.clone()].to_vec(), now[second.clone()].to_vec());
                    now.splice(second, left);
                    now.splice(first, right);
                }
            }
            // Puts a subtree of another program before a subtree of this one, or in its place.
            11 | 12 => {
                let theirs = tokens(other);
                if !theirs.is_empty() {
                    let part = theirs[subtree(&theirs, usize::from(e.amount) * 7 % theirs.len())].to_vec();
                    let place = if e.kind % 16 == 11 { at..at } else { subtree(&now, at) };
                    now.splice(place, part);
                }
            }
            13 => now.truncate(at),
            14 => {
                let from = at.min(now.len() - 1);
                let upto = (from + usize::from(e.amount) % 12).min(now.len());
                now.drain(from..upto);
            }
            _ => {
                if let Some(text) = nested.get(next_nest) {
                    now.insert(at, text.as_str());
                    next_nest += 1;
                }
            }
        }
        // Limits the length of the text, since copies of copies grow fast.
        now.truncate(20_000);
    }
    // A space separates tokens that were not adjacent; a directive begins a line.
    let mut out = String::new();
    for token in now {
        out.push(if token.starts_with('#') { '\n' } else { ' ' });
        out.push_str(token);
    }
    out
}

fn next_of(tokens: &[&str], at: usize, is: fn(&str) -> bool) -> Option<usize> {
    (at..tokens.len()).chain(0..at).find(|i| is(tokens[*i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_strings_and_marks() {
        let found: Vec<&str> = tokens("int a = f(\"x y\"); // no\n#if A B\nb").iter().map(|t| t.trim()).collect();
        assert_eq!(found, ["int", "a", "=", "f", "(", "\"x y\"", ")", ";", "#if A B", "b"]);
    }

    #[test]
    fn every_edit_can_be_made() {
        let programs = ["int f(int x) { return (x + 1); }".to_string(), "".to_string(), "}".to_string()];
        let changed = (0..=255u8).filter(|kind| {
            let edit = Edit { kind: *kind, at: 5, from: 3 * u32::from(*kind), amount: *kind };
            (0..3).for_each(|of| drop(mutate(&programs, of, &[edit, edit])));
            tokens(&mutate(&programs, 0, &[edit])).concat() != tokens(&programs[0]).concat()
        });
        assert!(changed.count() > 150);
    }

    #[test]
    fn subtrees_end_with_their_brackets() {
        let all = tokens("f(a[1], (b)); { c; } d;");
        let text = |at| all[subtree(&all, at)].concat();
        assert_eq!(text(0).trim(), "(a[1], (b))");
        assert_eq!(text(3).trim(), "[1]");
    }
}
