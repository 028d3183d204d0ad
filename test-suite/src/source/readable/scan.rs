//! Programs and texts as units: a function, a struct or another declaration each, with the names
//! that it declares. A scan of words and braces, which knows no grammar: what it has to do is to
//! find the same names in a program and in each language that is made of it.
//!
//! This module must not know: the compiler.

use crate::rename::scan::words;

/// A function, a struct, or another declaration outside of both.
#[derive(Debug)]
pub struct Unit {
    pub kind: Kind,
    /// What it declares first: its own name.
    pub name: String,
    /// The struct that a method is of.
    pub owner: Option<String>,
    /// Parameters and locals of a function, fields of a struct; what else is declared.
    pub declared: Vec<String>,
    /// All words in it, but for its attributes.
    pub mentioned: Vec<String>,
    /// The words of its attributes: which functions are its derivatives.
    pub attributes: Vec<String>,
    /// The words of its parameters.
    pub parameters: Vec<String>,
    /// Names that have a meaning for the machine: `id : SV_DispatchThreadID`.
    pub semantic: Vec<String>,
    /// Lines that hold something else than a comment.
    pub lines: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Function,
    Struct,
    Other,
}

/// Words that stand before a name and declare nothing.
const NO_TYPES: [&str; 14] = [
    "return",
    "else",
    "case",
    "in",
    "new",
    "struct",
    "interface",
    "extension",
    "typedef",
    "namespace",
    "break",
    "enum",
    "using",
    "goto",
];
/// Words that are no names.
const WORDS: [&str; 9] = ["for", "while", "if", "switch", "do", "return", "else", "layout", "void"];
const TYPES: [&str; 3] = ["struct", "interface", "extension"];

/// The text without comments, and without what is only for macros that are not defined.
pub fn plain(text: &str, included: &dyn Fn(&str) -> String) -> String {
    let (mut out, mut macros, mut active) = (String::new(), Vec::new(), vec![true]);
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let word = |at: usize| code.split_whitespace().nth(at).unwrap_or_default().to_string();
        let on = active.iter().all(|a| *a);
        match &*word(0) {
            "#ifdef" => active.push(macros.contains(&word(1))),
            "#ifndef" => active.push(!macros.contains(&word(1))),
            "#if" => active.push(false),
            "#else" => active.iter_mut().last().into_iter().for_each(|last| *last = !*last),
            "#endif" => {
                active.pop();
            }
            "#define" if on => macros.push(word(1)),
            "#include" if on => out += &plain(&included(word(1).trim_matches('"')), included),
            first if on && !first.starts_with('#') => {
                out += code;
                out.push('\n');
            }
            _ => {}
        }
    }
    out
}

/// The units of a text, those inside of structs and name spaces, too.
pub fn units(text: &str) -> Vec<Unit> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        let rest = text[at + 1..].trim_start();
        // A struct may end with `};`, and an array or a struct of values goes on.
        let ends = c == ';' || c == '}' && !rest.starts_with([';', ',', ')', '.']) && !is_named(rest);
        if depth == 0 && ends {
            unit(&text[start..=at], &mut found);
            start = at + 1;
        }
    }
    found
}

/// Where a declaration begins behind its attributes.
fn attributes(text: &str) -> usize {
    let mut at = text.len() - text.trim_start().len();
    while text[at..].starts_with('[') && !text[at..].starts_with("[[") {
        let Some(end) = text[at..].find(']') else { break };
        at += end + 1;
        at += text[at..].len() - text[at..].trim_start().len();
    }
    at
}

/// Whether a block's end is followed by the name of what it declares: `buffer b { … } name;`.
fn is_named(rest: &str) -> bool {
    let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    !word.is_empty() && rest[word.len()..].starts_with(';')
}

fn unit(text: &str, found: &mut Vec<Unit>) {
    let head = text.split('{').next().unwrap_or_default();
    let all = words(text);
    let word = |at: usize| &text[all[at].range.clone()];
    let opening = |word: &str| words(head).iter().position(|w| &head[w.range.clone()] == word);
    if (opening("namespace").is_some() || opening("extern").is_some() && head.contains('"'))
        && let Some((open, close)) = text.find('{').zip(text.rfind('}'))
    {
        return found.extend(units(&text[open + 1..close]));
    }
    let of_type = TYPES.iter().find_map(|word| opening(word)).filter(|_| text.contains('{') && !head.contains('('));
    let name = match of_type {
        Some(at) if at + 1 < all.len() => word(at + 1).to_string(),
        _ => String::new(),
    };
    let mut inner = Vec::new();
    if !name.is_empty()
        && let Some((open, close)) = text.find('{').zip(text.rfind('}'))
    {
        inner = units(&text[open + 1..close]);
    }
    let methods: Vec<Unit> = inner.into_iter().filter(|u| u.kind == Kind::Function).collect();
    let mut declared = declarations(text);
    let is_function = name.is_empty() && head.contains('(') && text.trim_end().ends_with('}') && !declared.is_empty();
    let kind = if !name.is_empty() {
        Kind::Struct
    } else if is_function {
        Kind::Function
    } else {
        Kind::Other
    };
    let own = match kind {
        Kind::Function => declared.remove(0),
        Kind::Struct => name.clone(),
        Kind::Other => declared.first().cloned().unwrap_or_default(),
    };
    if kind == Kind::Struct {
        // What its methods declare is theirs.
        declared.retain(|name| !methods.iter().any(|m| m.name == *name || m.declared.contains(name)));
    }
    let lines = text.lines().filter(|l| !l.trim().is_empty() && !l.trim_start().starts_with("//")).count();
    let body = attributes(text);
    let list = |text: &str| words(text).iter().map(|w| text[w.range.clone()].to_string()).collect::<Vec<_>>();
    let parameters = text[body..].find('(').and_then(|open| Some(list(text[body + open..].split_once(['{', ';'])?.0)));
    let follows = |at: usize| text[all[at].range.end..].trim_start().strip_prefix(':').map(str::trim_start);
    let machine = |at: &usize| follows(*at).is_some_and(|rest| rest.starts_with("SV_"));
    found.push(Unit {
        kind,
        name: own,
        owner: None,
        declared,
        mentioned: list(&text[body..]),
        attributes: list(&text[..body]),
        parameters: parameters.unwrap_or_default(),
        semantic: (0..all.len()).filter(machine).map(|at| word(at).to_string()).collect(),
        lines,
    });
    found.extend(methods.into_iter().map(|m| Unit { owner: Some(name.clone()), ..m }));
}

/// The names that a text declares, each once: a word behind a type, or behind `let` and the like.
fn declarations(text: &str) -> Vec<String> {
    let all = words(text);
    let mut found: Vec<String> = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let name = &text[word.range.clone()];
        let before = text[..word.range.start].trim_end();
        let after = text[word.range.end..].trim_start();
        let last = at.checked_sub(1).map(|b| &all[b]).filter(|b| before.len() == b.range.end);
        let type_before = match last {
            Some(last) => !NO_TYPES.contains(&&text[last.range.clone()]),
            None => before.ends_with(['>', '&', ']']) && !before.ends_with("&&") && !before.ends_with("->"),
        };
        // `x: f32` of WGSL, but no `case 1:`, no `a ? b : c`, and no `id : SV_DispatchThreadID`.
        let typed = after.starts_with(':') && !after.starts_with("::") && before.ends_with(['(', ',', '{', ')']);
        let follows = after.starts_with(['(', ',', ';', '=', ')', '[', ':', '{']) && !after.starts_with("==");
        let constant = before.ends_with("const") || before.lines().last().is_some_and(|l| l.contains("static const"));
        if !word.member
            && !WORDS.contains(&name)
            && (type_before && follows || typed)
            && !constant
            && !found.iter().any(|f| f == name)
        {
            found.push(name.to_string());
        }
    }
    found
}
