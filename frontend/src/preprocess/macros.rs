//! Macros and their expansion.

use super::traced::{Pieces, Traced, View};
use crate::scan;
use caustic_ir::Name;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

#[derive(Clone, Debug)]
pub struct Macro {
    /// `None` for a macro without a parameter list.
    pub params: Option<Vec<Name>>,
    pub body: Traced,
}

pub struct Macros {
    table: FxHashMap<Name, Macro>,
    /// How many more bytes expansion may produce; macros can grow exponentially.
    fuel: Cell<usize>,
    /// Whether the program or the command line has defined any.
    any: bool,
    /// What `__LINE__` and `__FILE__` stand for where expansion is at work.
    place: RefCell<(u32, String)>,
    /// The first use with the wrong number of arguments that nobody has reported yet.
    mistake: RefCell<Option<String>>,
    /// The text is the condition of `#if`, where the name after `defined` stays as it is.
    in_condition: Cell<bool>,
}

/// What stands in the place of a macro.
struct Expansion {
    text: Traced,
    /// Where the text around it goes on.
    after: usize,
    /// Where in `text` a macro stands whose arguments are not, or not all, in `text`: they come
    /// from what follows.
    open: Option<usize>,
}

/// Expansions inside of each other; beyond that a name is left as it is.
const MAX_DEPTH: usize = 200;
const FUEL: usize = 16 << 20;

/// What a program can ask about its compiler. All of them, as `__LINE__` and `__FILE__`, begin with
/// two underscores.
const PREDEFINED: &[(&str, &str)] =
    &[("__SLANG__", "1"), ("__SLANG_COMPILER__", "1"), ("__HLSL__", "1"), ("__HLSL_VERSION", "2018")];

impl Default for Macros {
    fn default() -> Self {
        let plain = |value: &str| Macro { params: None, body: Traced::nowhere(value.to_string()) };
        Macros {
            table: PREDEFINED.iter().map(|(name, value)| (Name::new(name), plain(value))).collect(),
            any: false,
            place: RefCell::default(),
            fuel: Cell::new(FUEL),
            mistake: RefCell::default(),
            in_condition: Cell::default(),
        }
    }
}

/// The end of the word that starts at `at`.
pub fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && scan::is_name_byte(bytes[at]) {
        at += 1;
    }
    at
}

/// The end of the number that starts at `at`, with its suffix, which is no name: `1.0f`, `0x1F`,
/// `1e+5`. `None` if none starts there.
pub fn number_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if !(digit(at) || bytes.get(at) == Some(&b'.') && digit(at + 1)) {
        return None;
    }
    let hex = bytes.get(at + 1).is_some_and(|b| b.eq_ignore_ascii_case(&b'x'));
    while let Some(&b) = bytes.get(at) {
        let exponent =
            !hex && matches!(b, b'e' | b'E') && matches!(bytes.get(at + 1), Some(b'+' | b'-')) && digit(at + 2);
        if exponent {
            at += 2;
        } else if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.') {
            at += 1;
        } else {
            break;
        }
    }
    Some(at)
}

/// Whether two texts side by side would be read as something else than one after the other: `-` and
/// `-1`, `int` and `x`, `1` and `.5`.
pub fn glues(before: &str, after: &str) -> bool {
    let (Some(x), Some(y)) = (before.as_bytes().last(), after.as_bytes().first()) else { return false };
    match (x, y) {
        (b'.', b'.' | b'0'..=b'9') => true,
        (x, b'.') => scan::is_name_byte(*x) && ends_with_number(before),
        (b'.', y) => scan::is_name_byte(*y) && ends_with_number(before),
        (b'-' | b'=', b'>') => true,
        (x, b'=') => b"+-*/%&|^<>=!".contains(x),
        (x, y) if scan::is_name_byte(*x) => scan::is_name_byte(*y),
        (x, y) => x == y && b"+-&|<>:#/".contains(x),
    }
}

/// Whether the word at the end of a text, with its points, is a number.
fn ends_with_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let part = |b: &u8| scan::is_name_byte(*b) || *b == b'.';
    let start = bytes.iter().rposition(|b| !part(b)).map_or(0, |at| at + 1);
    // What begins with a point may be a member: of what, stands before it.
    let word = bytes[start..].iter().position(|b| *b != b'.').map_or(&[][..], |at| &bytes[start + at..]);
    word.first().is_some_and(u8::is_ascii_digit)
}

impl Macros {
    /// Whether a text has no macros in it, by a look that is quick.
    pub fn spare(&self, text: &str) -> bool {
        !self.any && !text.contains("__")
    }

    /// Says where in the files expansion is at work.
    pub fn stand_at(&self, line: u32, file: &str) {
        let mut place = self.place.borrow_mut();
        place.0 = line;
        if place.1 != file {
            place.1 = file.to_string();
        }
    }

    /// Expansion has been given up.
    pub fn exhausted(&self) -> bool {
        self.fuel.get() == 0
    }

    /// What is wrong with a use of a macro since the last call.
    pub fn take_mistake(&self) -> Option<String> {
        self.mistake.take()
    }

    fn spend(&self, bytes: usize) {
        self.fuel.set(self.fuel.get().saturating_sub(bytes));
    }

    /// Gives what was defined before.
    pub fn define(&mut self, name: Name, value: Macro) -> Option<Macro> {
        self.any = true;
        self.table.insert(name, value)
    }

    /// Whether there was such a macro.
    pub fn undefine(&mut self, name: Name) -> bool {
        self.table.remove(&name).is_some()
    }

    pub fn is_defined(&self, name: &str) -> bool {
        self.table.contains_key(&Name::new(name)) || matches!(name, "__LINE__" | "__FILE__")
    }

    /// If the word at `at..end` of `text` is a macro: what it stands for, and where the text goes
    /// on.
    pub fn expand_at(&self, text: View, at: usize, end: usize) -> Option<(Traced, usize)> {
        let found = self.expand_word(text, at, end, &mut Vec::new())?;
        Some((found.text, found.after))
    }

    fn expand_word(&self, text: View, at: usize, end: usize, active: &mut Vec<Name>) -> Option<Expansion> {
        let name = Name::new(&text.text[at..end]);
        let Some(found) = self.table.get(&name) else {
            let text = match name.as_str() {
                "__LINE__" => self.place.borrow().0.to_string(),
                "__FILE__" => quoted(&self.place.borrow().1),
                _ => return None,
            };
            return Some(Expansion { text: Traced::nowhere(text), after: end, open: None });
        };
        // A macro does not expand within itself.
        if active.contains(&name) || active.len() > MAX_DEPTH {
            return None;
        }
        let (body, after) = match &found.params {
            None => (substitute(found.body.view(), &[], &[], &[]), end),
            Some(params) => {
                let rest = &text.text[end..];
                let open = end + (rest.len() - rest.trim_start().len());
                if text.text.as_bytes().get(open) != Some(&b'(') {
                    return None;
                }
                let (args, after) = arguments(text, open)?;
                if let Some(mistake) = wrong_count(name, params, &args) {
                    self.mistake.borrow_mut().get_or_insert(mistake);
                    // An expression, so that nothing else is wrong here.
                    let zero = Traced::nowhere("0".to_string());
                    return Some(Expansion { text: zero, after, open: None });
                }
                // Arguments are expanded before they are put in, except next to `#` and `##`.
                let expanded: Vec<Traced> = args.iter().map(|a| self.expand_text(a.trim(), active).0).collect();
                let expanded: Vec<View> = expanded.iter().map(Traced::view).collect();
                (substitute(found.body.view(), params, &args, &expanded), after)
            }
        };
        active.push(name);
        let (out, open) = self.expand_text(body.view(), active);
        active.pop();
        Some(self.rescan(text, Expansion { text: out, after, open }, active))
    }

    /// Gives a macro that an expansion ends with its arguments, which follow the expansion in
    /// `text`.
    fn rescan(&self, text: View, mut found: Expansion, active: &mut Vec<Name>) -> Expansion {
        while let Some(open) = found.open
            && !self.exhausted()
        {
            let Some(end) = list_end(&found.text.text[open..], text.text, found.after) else { break };
            let head = found.text.view();
            let mut joined = Pieces { out: head.part(open..head.text.len()).to_owned(), seam: true };
            joined.copy(text.part(found.after..end));
            let joined = joined.out;
            let word = word_end(joined.text.as_bytes(), 0);
            let Some(next) = self.expand_word(joined.view(), 0, word, active) else { break };
            self.spend(joined.text.len());
            found.text.truncate(open);
            let mut out = Pieces { out: found.text, seam: true };
            let start = out.put(next.text.view());
            found.text = out.out;
            found.after = end;
            found.open = next.open.map(|at| start + at);
        }
        found
    }

    /// Whether the word would be expanded if arguments followed.
    fn takes_arguments(&self, word: &str, active: &[Name]) -> bool {
        let name = Name::new(word);
        let takes = self.table.get(&name).is_some_and(|m| m.params.is_some());
        takes && !active.contains(&name) && active.len() <= MAX_DEPTH
    }

    /// `text` with all macros expanded.
    pub fn expand(&self, text: &str) -> String {
        self.expand_text(View::new(text, &[]), &mut Vec::new()).0.text
    }

    /// The condition of `#if` with all macros expanded.
    pub fn expand_condition(&self, text: &str) -> String {
        self.in_condition.set(true);
        let out = self.expand(text);
        self.in_condition.set(false);
        out
    }

    /// Expands a text. Gives as well where in the result a macro stands that lacks arguments.
    fn expand_text(&self, whole: View, active: &mut Vec<Name>) -> (Traced, Option<usize>) {
        let text = whole.text;
        let bytes = text.as_bytes();
        let mut out = Pieces::default();
        let (mut at, mut open) = (0, None);
        self.spend(text.len() + 1);
        while at < bytes.len() && !self.exhausted() {
            let b = bytes[at];
            if let Some(end) = scan::literal_end(bytes, at) {
                out.copy(whole.part(at..end));
                at = end;
            } else if !b.is_ascii_digit() && scan::is_name_byte(b) {
                let end = word_end(bytes, at);
                if self.in_condition.get() && &text[at..end] == "defined" {
                    let end = operand_end(text, end);
                    out.copy(whole.part(at..end));
                    at = end;
                    continue;
                }
                match self.expand_word(whole, at, end, active) {
                    Some(found) => {
                        let start = out.put(found.text.view());
                        at = found.after;
                        // In the middle of the text it is just a name.
                        let last = found.open.filter(|_| text[at..].trim().is_empty());
                        open = open.or(last.map(|o| start + o));
                    }
                    None => {
                        let rest = text[end..].trim_start();
                        out.copy(whole.part(at..end));
                        if open.is_none()
                            && (rest.is_empty() || rest.starts_with('('))
                            && self.takes_arguments(&text[at..end], active)
                        {
                            open = Some(out.out.text.len() - (end - at));
                        }
                        at = end;
                    }
                }
            } else {
                // Whole characters, and numbers with their suffixes.
                let mut end = number_end(bytes, at).unwrap_or(at + 1);
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                out.copy(whole.part(at..end));
                at = end;
            }
        }
        (out.out, open)
    }
}

/// The end of the name after `defined`, with its parentheses.
fn operand_end(text: &str, at: usize) -> usize {
    let skip = |at: usize| at + (text[at..].len() - text[at..].trim_start().len());
    let start = skip(at);
    let parens = text[start..].starts_with('(');
    let end = word_end(text.as_bytes(), if parens { skip(start + 1) } else { start });
    let close = skip(end);
    if parens && text[close..].starts_with(')') { close + 1 } else { end }
}

/// The end in `text` of the list of arguments of the macro that `head` starts with. The list starts
/// in `head`, or in `text` at `at`.
fn list_end(head: &str, text: &str, at: usize) -> Option<usize> {
    let mut depth = 0usize;
    if list_closes(head.as_bytes(), 0, &mut depth).is_some() {
        return None;
    }
    if depth == 0 && !text[at..].trim_start().starts_with('(') {
        return None;
    }
    list_closes(text.as_bytes(), at, &mut depth)
}

/// The offset after the parenthesis that closes a list which is open `depth` times.
fn list_closes(bytes: &[u8], mut at: usize, depth: &mut usize) -> Option<usize> {
    while at < bytes.len() {
        if let Some(end) = scan::literal_end(bytes, at) {
            at = end;
            continue;
        }
        match bytes[at] {
            b'(' | b'[' | b'{' => *depth += 1,
            b')' | b']' | b'}' => {
                *depth = depth.checked_sub(1)?;
                if *depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

impl Macro {
    /// Whether the two stand for the same, wherever they are written.
    pub fn is_like(&self, other: &Macro) -> bool {
        self.params == other.params && self.body.text == other.body.text
    }

    /// What is wrong with how the macro is defined, if something is.
    pub fn mistake(&self) -> Option<String> {
        let params = self.params.as_deref().unwrap_or_default();
        for (i, p) in params.iter().enumerate() {
            let is_rest = *p == *"...";
            if is_rest && i + 1 < params.len() {
                return Some("`...` can only be the last parameter of a macro".to_string());
            }
            let starts_name = p.bytes().next().is_some_and(|b| scan::is_name_byte(b) && !b.is_ascii_digit());
            let is_name = starts_name && p.trim_end_matches('.').bytes().all(scan::is_name_byte);
            if p.is_empty() {
                return Some("between two commas the name of a parameter is missing".to_string());
            }
            if !is_rest && !is_name {
                return Some(format!("`{p}` cannot be the name of a macro's parameter"));
            }
            if params[..i].contains(p) {
                return Some(format!("there are two parameters `{p}`"));
            }
        }
        if self.body.text.starts_with("##") || self.body.text.ends_with("##") {
            return Some("`##` joins what stands on both sides of it".to_string());
        }
        wrong_hash(&self.body.text, params)
    }
}

/// A `#` that stands before no parameter.
fn wrong_hash(body: &str, params: &[Name]) -> Option<String> {
    let bytes = body.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(end) = scan::literal_end(bytes, at) {
            at = end;
        } else if bytes[at] != b'#' {
            at += 1;
        } else if bytes.get(at + 1) == Some(&b'#') {
            at += 2;
        } else {
            let rest = body[at + 1..].trim_start();
            let word = &rest[..word_end(rest.as_bytes(), 0)];
            let known = params.iter().any(|p| *p == *word || word == "__VA_ARGS__" && p.ends_with("..."));
            if !known {
                let text = "`#` stands before a parameter of the macro";
                return Some(match word {
                    "" => format!("{text}, and nothing follows it"),
                    _ => format!("{text}, and `{word}` is none"),
                });
            }
            at += 1;
        }
    }
    None
}

/// What is wrong with the number of arguments, if something is.
fn wrong_count(name: Name, params: &[Name], args: &[View]) -> Option<String> {
    let given = if params.is_empty() && args.len() == 1 && args[0].text.trim().is_empty() { 0 } else { args.len() };
    let (want, fits) = match params.last() {
        Some(p) if *p == *"..." => (params.len() - 1, given + 1 >= params.len()),
        _ => (params.len(), given == params.len()),
    };
    let plural = if want == 1 { "" } else { "s" };
    let be = if given == 1 { "is" } else { "are" };
    (!fits).then(|| format!("macro `{name}` takes {want} argument{plural}, {given} {be} given"))
}

/// The arguments of the list that opens at `open`, with the spaces around them, and the offset
/// after it.
fn arguments(text: View<'_>, open: usize) -> Option<(Vec<View<'_>>, usize)> {
    let bytes = text.text.as_bytes();
    let (mut args, mut start, mut at) = (Vec::new(), open + 1, open);
    let mut brackets = Vec::new();
    while at < bytes.len() {
        if let Some(end) = scan::literal_end(bytes, at) {
            at = end;
            continue;
        }
        match bytes[at] {
            b @ (b'(' | b'[' | b'{') => brackets.push(b),
            b @ (b')' | b']' | b'}') => {
                // Where a parenthesis is missing, what follows is no argument.
                brackets.pop().filter(|open| scan::closing(*open) == b)?;
                if brackets.is_empty() {
                    args.push(text.part(start..at));
                    return Some((args, at + 1));
                }
            }
            b',' if brackets.len() == 1 => {
                args.push(text.part(start..at));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The body with parameters replaced by arguments, and with what stands beside `##` joined.
fn substitute(whole: View, params: &[Name], args: &[View], expanded: &[View]) -> Traced {
    let body = whole.text;
    let bytes = body.as_bytes();
    let variadic = params.last().is_some_and(|p| *p == *"...");
    // What is given for the word at `from..to`, as written or expanded.
    let given = |word: &str, args: &[View]| match params.iter().position(|p| *p == *word) {
        _ if word == "__VA_ARGS__" && variadic => Some(rest(args.get(params.len().saturating_sub(1)..))),
        Some(i) => Some(args.get(i).map_or(Traced::default(), |a| a.trim().to_owned())),
        None => None,
    };
    let mut pieces = Pieces::default();
    let (mut at, mut joined) = (0, false);
    while at < bytes.len() {
        let b = bytes[at];
        if bytes[at..].starts_with(b"##") {
            pieces.out.truncate(pieces.out.text.trim_end().len());
            at += 2;
            at += body[at..].len() - body[at..].trim_start().len();
            joined = true;
            continue;
        }
        let is_word = !b.is_ascii_digit() && scan::is_name_byte(b);
        let mut end = match scan::literal_end(bytes, at) {
            Some(end) => end,
            None if is_word => word_end(bytes, at),
            None => number_end(bytes, at).unwrap_or(at + 1),
        };
        while !body.is_char_boundary(end) {
            end += 1;
        }
        let operand = body[end..].len() - body[end..].trim_start().len() + end;
        let operand = operand..word_end(bytes, operand);
        if b == b'#'
            && let Some(given) = given(&body[operand.clone()], args)
        {
            pieces.copy(View::new(&quoted(&single_spaced(&given.text)), &[]));
            (at, joined) = (operand.end, false);
            continue;
        }
        let joins = body[end..].trim_start().starts_with("##");
        let from = if joined || joins { args } else { expanded };
        match given(&body[at..end], from).filter(|_| is_word) {
            // Joined, the two are one token; an argument that is empty leaves the other as it is.
            Some(given) if joined => {
                pieces.out.push(given.view());
                pieces.seam |= !given.text.is_empty();
            }
            None if joined => {
                pieces.out.push(whole.part(at..end));
                pieces.seam = false;
            }
            Some(given) => drop(pieces.put(given.view())),
            None => pieces.copy(whole.part(at..end)),
        }
        (at, joined) = (end, false);
    }
    pieces.out
}

/// The arguments for `...`, with commas between them.
fn rest(args: Option<&[View]>) -> Traced {
    let mut out = Traced::default();
    for (i, arg) in args.unwrap_or(&[]).iter().enumerate() {
        if i > 0 {
            out.push_str(",");
        }
        out.push(*arg);
    }
    out.view().trim().to_owned()
}

/// A text with one space for all white space between two tokens; comments are white space by now.
fn single_spaced(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let mut end = scan::literal_end(bytes, at).unwrap_or(at + 1);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if !bytes[at].is_ascii_whitespace() {
            out.push_str(&text[at..end]);
        } else if at > 0 && !bytes[at - 1].is_ascii_whitespace() {
            out.push(' ');
        }
        at = end;
    }
    out
}

/// A text as a string literal.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
