//! Explains a syntax error: guesses the likely mistake from the text around the place where the
//! parser got stuck.
//!
//! Each guess is a function of [`CAUSES`]; the first one that recognizes the mistake gives the
//! message. The guesses read text only and change nothing that is parsed: they run when the text is
//! known to be wrong.

use super::errors::is_word;
use super::slips;
use crate::scan;
use caustic_ir::nearest::nearest;

/// Where the parser got stuck in a piece of text.
pub(super) struct Stuck<'a> {
    pub text: &'a str,
    pub at: usize,
    expected: &'a [&'static str],
    /// What stands in front of the place, without blanks at its end.
    pub before: &'a str,
    pub after: &'a str,
}

/// The explanation of a syntax error. Without `message`, the error lists what the grammar expected;
/// without `at`, it is placed where the parser got stuck.
pub(super) struct Cause {
    pub at: Option<usize>,
    pub message: Option<String>,
    pub label: &'static str,
    pub note: Option<String>,
}

impl Default for Cause {
    fn default() -> Cause {
        Cause { at: None, message: None, label: "unexpected here", note: None }
    }
}

impl Cause {
    pub fn note(text: impl Into<String>) -> Option<Cause> {
        Some(Cause { note: Some(text.into()), ..Cause::default() })
    }

    pub fn message(text: String) -> Option<Cause> {
        Some(Cause { message: Some(text), ..Cause::default() })
    }
}

impl<'a> Stuck<'a> {
    pub fn new(text: &'a str, at: usize, expected: &'a [&'static str]) -> Option<Stuck<'a>> {
        let (before, after) = (text.get(..at)?.trim_end(), text.get(at..)?);
        Some(Stuck { text, at, expected, before, after })
    }

    /// The word where the parser got stuck.
    pub fn word(&self) -> &'a str {
        leading_word(self.after)
    }

    /// The word that the piece begins with.
    pub fn first_word(&self) -> &'a str {
        leading_word(self.text.trim_start())
    }

    /// The word directly before the place where the parser got stuck, with its offset.
    pub fn word_before(&self) -> (usize, &'a str) {
        let start = self
            .before
            .rfind(|c: char| !is_name_char(c))
            .map_or(0, |i| i + self.before[i..].chars().next().map_or(1, char::len_utf8));
        (start, &self.before[start..])
    }

    /// The innermost bracket that is open where the parser got stuck.
    pub fn inside(&self) -> Option<u8> {
        open_brackets(self.before).last().copied()
    }
}

pub(super) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

pub(super) fn leading_word(text: &str) -> &str {
    &text[..text.find(|c: char| !is_name_char(c)).unwrap_or(text.len())]
}

/// The brackets that `text` opens and does not close. Brackets within string literals do not count.
pub(super) fn open_brackets(text: &str) -> Vec<u8> {
    let (bytes, mut open, mut i) = (text.as_bytes(), Vec::new(), 0);
    while i < bytes.len() {
        if let Some(end) = scan::literal_end(bytes, i) {
            i = end;
            continue;
        }
        match bytes[i] {
            b @ (b'(' | b'[' | b'{') => open.push(b),
            b')' | b']' | b'}' => {
                open.pop();
            }
            _ => {}
        }
        i += 1;
    }
    open
}

type Guess = fn(&Stuck) -> Option<Cause>;

/// The guesses, in the order in which they are tried: the most reliable ones come first.
const CAUSES: [Guess; 35] = [
    strange_character,
    text_as_argument,
    slips::import_of_names,
    slips::destructor,
    slips::try_block,
    slips::without_brackets,
    slips::declarations_by_comma,
    slips::half_a_clause,
    slips::value_of_jump,
    slips::outside_of_type,
    slips::lambda,
    slips::colon_for_arrow,
    decimal_comma,
    one_variable,
    open_angle,
    property_without_word,
    states_of_sampler,
    of_case,
    comma_too_many,
    word_as_name,
    open_character,
    misspelt_word,
    without_parenthesis,
    other_language,
    parts_of_for,
    type_after_name,
    reference,
    result_type,
    elements_of_subscript,
    arrow,
    else_alone,
    points_of_number,
    of_enum,
    left_out,
    between_values,
];

pub(super) fn cause(stuck: &Stuck) -> Option<Cause> {
    CAUSES.iter().find_map(|guess| guess(stuck))
}

/// A character that begins nothing in the language.
fn strange_character(s: &Stuck) -> Option<Cause> {
    let c = s.after.chars().next()?;
    let note = match c {
        '\u{201c}' | '\u{201d}' | '\u{201e}' => Some("strings stand between the quotation marks `\"`".to_string()),
        '\u{2018}' | '\u{2019}' => Some("characters stand between the marks `'`".to_string()),
        '@' | '`' => None,
        // There may be a better explanation for what follows `operator`.
        '$' | '\\' if leading_word(&s.after[1..]) != "for" && s.word_before().1 != "operator" => None,
        _ if !c.is_ascii() && !is_name_char(c) => None,
        _ => return None,
    };
    let message = Some(format!("syntax error: `{c}` means nothing in the language"));
    Some(Cause { message, note, ..Cause::default() })
}

/// `Grid<"a"> g`
fn text_as_argument(s: &Stuck) -> Option<Cause> {
    // A `<` of generic arguments may have been marked.
    let name = s.before.strip_suffix(['<', '\u{01}'])?;
    (s.after.starts_with('"') && name.ends_with(is_name_char))
        .then(|| Cause::message("syntax error: a generic argument is a type or a number".to_string()))
        .flatten()
}

/// `float x = 1,5;`
fn decimal_comma(s: &Stuck) -> Option<Cause> {
    let (_, whole) = s.before.strip_suffix(',').and_then(|b| Some(b.split_at(b.rfind(|c| !is_name_char(c))? + 1)))?;
    let part = s.word();
    let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    (digits(whole) && digits(part) && s.text[..s.at].ends_with(','))
        .then(|| Cause::note(format!("a number has a point, not a comma: `{whole}.{part}`")))
        .flatten()
}

/// `struct E<T> : IA<T {`
fn open_angle(s: &Stuck) -> Option<Cause> {
    if !s.after.starts_with(|c: char| "{();=:".contains(c) || is_name_char(c)) {
        return None;
    }
    let mut closed = 0;
    for (at, c) in s.before.char_indices().rev() {
        match c {
            '>' if s.before[..at].ends_with('-') => return None,
            '>' => closed += 1,
            // A parser's mark of generic arguments.
            '<' | '\u{01}' if closed > 0 => closed -= 1,
            '<' | '\u{01}' => {
                let name = trailing_word(s.before[..at].trim_end());
                let declared = trailing_word(s.before[..at].trim_end().strip_suffix(name)?.trim_end());
                let declares = matches!(declared, "struct" | "interface" | "extension" | "typealias" | "func")
                    || !declared.is_empty() && !is_word(declared);
                let generic = name.starts_with(char::is_uppercase) || matches!(name, "vector" | "matrix") || declares;
                return (generic && !s.before[..at].contains('?')).then(|| Cause {
                    message: Some(format!("syntax error: expected `>`: the `<` behind `{name}` is not closed")),
                    ..Cause::default()
                });
            }
            c if is_name_char(c) || c.is_whitespace() || ",.:[]*".contains(c) => {}
            _ => return None,
        }
    }
    None
}

/// `float x { get { … } }` in a struct.
fn property_without_word(s: &Stuck) -> Option<Cause> {
    let mut inside = s.after.strip_prefix('{')?.trim_start();
    while let Some(attribute) = inside.strip_prefix('[') {
        inside = attribute.split_once(']')?.1.trim_start();
    }
    let (start, name) = s.word_before();
    let begin = s.before[..start].rfind(['{', '}', ';', ']']).map_or(0, |i| i + 1);
    let mut ty = s.before[begin..start].trim();
    while matches!(leading_word(ty), "public" | "private" | "internal" | "static" | "override") {
        ty = ty[leading_word(ty).len()..].trim_start();
    }
    let at = s.before[..start].trim_end().len() - ty.len();
    let accessor = matches!(leading_word(inside), "get" | "set" | "ref" | "__ref" | "modify");
    let of_type =
        !ty.is_empty() && !ty.contains(['(', '=', ':']) && !matches!(leading_word(ty), "property" | "namespace");
    (accessor && of_type && !name.is_empty()).then(|| Cause {
        at: Some(at),
        message: Some("syntax error: a property begins with the word `property`".to_string()),
        label: "the word is missing here",
        note: Some(format!("`property {ty} {name} {{ … }}`")),
    })
}

/// `SamplerState s { Filter = …; }`, as effects of HLSL have it.
fn states_of_sampler(s: &Stuck) -> Option<Cause> {
    let first = s.before.split(|c| !is_name_char(c)).find(|w| {
        let modifier = matches!(*w, "" | "static" | "const" | "uniform" | "public" | "extern");
        !modifier
    })?;
    let of_states =
        matches!(first, "SamplerState" | "SamplerComparisonState" | "sampler" | "BlendState" | "DepthStencilState")
            || matches!(first, "RasterizerState" | "Texture2D" | "texture" | "sampler2D");
    let block =
        s.after.starts_with('{') || leading_word(s.after) == "sampler_state" || s.word_before().1 == "sampler_state";
    (of_states && block).then(|| Cause {
        message: Some("syntax error: a declaration has no block of states".to_string()),
        note: Some("the host sets the states of what it binds".to_string()),
        ..Cause::default()
    })
}

/// `var a = 1, b = 2;`, `typedef float A, B;`
fn one_variable(s: &Stuck) -> Option<Cause> {
    let outside = match open_brackets(s.before).len() {
        0 => s.before,
        _ => &s.before[s.before.rfind(['(', '{', ';'])? + 1..],
    };
    let word = outside.split_whitespace().find(|w| !matches!(*w, "static" | "const" | "public" | "internal"))?;
    let of_types = matches!(word, "typedef" | "typealias") && open_brackets(s.before).is_empty();
    if s.after.starts_with(',') && of_types {
        return Some(Cause {
            message: Some(format!("syntax error: `{word}` declares one name")),
            note: Some(format!("the next one is declared behind a `;`, by a `{word}` of its own")),
            ..Cause::default()
        });
    }
    (s.after.starts_with(',') && matches!(word, "var" | "let")).then(|| Cause {
        message: Some(format!("syntax error: `{word}` declares one variable")),
        note: Some(format!("the next one is declared behind a `;`, by a `{word}` of its own")),
        ..Cause::default()
    })
}

/// A label of a `switch` without its `:`.
fn of_case(s: &Stuck) -> Option<Cause> {
    let word = s.first_word();
    let only = || s.before.trim_start() == word;
    let text = match word {
        "case" if s.after.starts_with(':') && only() => "expected a value after `case`",
        "case" if !only() && open_brackets(s.before).is_empty() => "expected `:` after the value of a `case`",
        "default" if only() || s.before.trim().is_empty() => "expected `:` after `default`",
        _ => return None,
    };
    let at = (word == "default").then(|| s.text.len() - s.text.trim_start().len() + word.len());
    Some(Cause { at, message: Some(format!("syntax error: {text}")), ..Cause::default() })
}

/// `'a`
fn open_character(s: &Stuck) -> Option<Cause> {
    let rest = s.after.strip_prefix('\'')?;
    let line = rest.split('\n').next().unwrap_or(rest);
    Cause::message(match line.contains('\'') {
        true => "syntax error: a character literal holds one character".to_string(),
        false => "syntax error: this character literal does not end: expected `'`".to_string(),
    })
}

fn comma_too_many(s: &Stuck) -> Option<Cause> {
    match s.after.chars().next()? {
        ',' if s.before.ends_with([',', '(', '[', '<', '{']) => Cause::note("this comma is one too many"),
        ')' | ']' | '}' | '>' | ';' | '{' if s.before.ends_with(',') => {
            Cause::note("the comma before it is one too many, or something is missing behind it")
        }
        _ => None,
    }
}

/// Words that begin a statement or a declaration and are long enough for a misspelling to be
/// recognized.
const BEGINNINGS: [&str; 24] = [
    "associatedtype",
    "break",
    "cbuffer",
    "class",
    "const",
    "continue",
    "default",
    "discard",
    "else",
    "enum",
    "extension",
    "groupshared",
    "import",
    "interface",
    "namespace",
    "property",
    "return",
    "static",
    "struct",
    "switch",
    "typealias",
    "typedef",
    "uniform",
    "while",
];

/// Returns the word of [`BEGINNINGS`] that `word` is probably a misspelling of.
pub(crate) fn meant(word: &str) -> Option<&'static str> {
    (word.len() > 3 && !is_word(word)).then(|| nearest(word, BEGINNINGS).filter(|w| *w != word)).flatten()
}

/// Whether a piece begins with a misspelt keyword or with a keyword of another language. Such a
/// piece is not an expression that lacks its `;`.
pub(super) fn begins_otherwise(text: &str) -> bool {
    let text = text.trim_start();
    let word = leading_word(text);
    meant(word).is_some() || slips::meant_head(text).is_some() || slips::imports_otherwise(text) || word == "template"
}

fn misspelt_word(s: &Stuck) -> Option<Cause> {
    let begin = s.text.len() - s.text.trim_start().len();
    let (before, word) = s.word_before();
    let places = [(begin, s.first_word()), (before, word)];
    let head = places.into_iter().find_map(|(at, word)| Some((at, word, slips::meant_head(&s.text[at..])?)));
    let found = places.into_iter().find_map(|(at, word)| Some((at, word, meant(word)?)));
    head.or(found).map(|(at, word, meant)| {
        let message = Some(format!("syntax error: `{word}` begins nothing: did you mean `{meant}`?"));
        Cause { at: Some(at), message, label: "no word of the language", note: None }
    })
}

/// `if x {`: the parentheses of the condition are missing.
fn without_parenthesis(s: &Stuck) -> Option<Cause> {
    let word = s.word();
    let rest = s.after.get(word.len()..)?;
    let blank = rest.len() - rest.trim_start().len();
    let missing = matches!(word, "if" | "while" | "for" | "switch") && !rest.trim_start().starts_with('(');
    missing.then(|| Cause {
        at: Some(s.at + word.len() + blank),
        message: Some(format!("syntax error: expected `(` after `{word}`")),
        ..Cause::default()
    })
}

/// Syntax of other languages.
fn other_language(s: &Stuck) -> Option<Cause> {
    let (_, before) = s.word_before();
    // Words that stand where modifiers do.
    let is_modifier = |w: &str| matches!(w, "virtual" | "abstract" | "explicit" | "protected" | "friend" | "final");
    let begins = |at: usize| s.text[..at].trim_end().is_empty() || s.text[..at].trim_end().ends_with(['{', '}', ';']);
    let stands = s.text.match_indices(is_letter_start).map(|(at, _)| at).filter(|at| *at < s.at && begins(*at));
    if let Some(word) = stands.map(|at| leading_word(&s.text[at..])).rfind(|w| is_modifier(w)) {
        return Cause::message(format!("syntax error: there is no modifier `{word}`"));
    }
    if matches!(s.first_word(), "technique" | "technique10" | "technique11") {
        return Cause::message("syntax error: there are no techniques: the host chooses entry points".to_string());
    }
    let note = match (s.first_word(), before, s.word()) {
        ("fn" | "function" | "def" | "fun", ..) => {
            "a function is written `float f(float x)` or `func f(x: float) -> float`"
        }
        ("template", ..) => "generic parameters follow the name: `T f<T>(T x)`",
        (_, "let", "mut") | (_, "mut", _) => "`var` declares a variable that changes, `let` one that does not",
        (_, "public" | "private" | "protected", _) if s.after.starts_with(':') => {
            "the word stands in front of each member: `private float x;`"
        }
        (_, _, "const") if s.before.ends_with(')') => {
            "methods change nothing unless they are `[mutating]`; `const` is not written"
        }
        (_, _, "") if s.before.ends_with("**") && s.after.starts_with('=') => {
            "there is no operator for powers: `x = pow(x, y)`"
        }
        (_, _, "and") => "did you mean `&&`?",
        (_, _, "or") => "did you mean `||`?",
        (_, "not", _) => "did you mean `!`?",
        _ => return None,
    };
    Cause::note(note)
}

fn is_name_start(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_letter_start(c: char) -> bool {
    c.is_ascii_lowercase()
}

fn word_as_name(s: &Stuck) -> Option<Cause> {
    let word = s.word();
    (s.expected.contains(&"a name") && is_word(word))
        .then(|| Cause::note(format!("`{word}` is a word of the language and no name here")))
        .flatten()
}

fn parts_of_for(s: &Stuck) -> Option<Cause> {
    let head = s.text.trim_start().strip_prefix("for")?.trim_start().strip_prefix('(')?;
    // Up to the parenthesis that closes the head.
    let mut depth = 0;
    let end = head.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    })?;
    let (parts, over) = (head[..end].matches(';').count(), head[..end].contains(':'));
    let text = match (parts, over) {
        (2, _) => return None,
        (0, true) => "syntax error: there is no `for` over the elements of something",
        _ => "syntax error: expected `;` between the parts of a `for`",
    };
    Some(Cause {
        message: Some(text.to_string()),
        note: Some("a `for` has three parts with two `;` between them: `for (int i = 0; i < n; i++)`".to_string()),
        ..Cause::default()
    })
}

/// `a: float;` in place of a field.
fn type_after_name(s: &Stuck) -> Option<Cause> {
    let (start, name) = s.word_before();
    let alone = !name.is_empty() && s.before[..start].trim().is_empty();
    let ty = leading_word(s.after.strip_prefix(':')?.trim_start());
    if alone && ty.starts_with(|c: char| c.is_ascii_digit()) {
        let text = format!("syntax error: bits are left out by a field with a name, as in `{name} unused : {ty}`");
        return Cause::message(text);
    }
    (alone && !ty.is_empty()).then(|| Cause::note(format!("the type stands first: `{ty} {name}`"))).flatten()
}

/// `float& x` as a parameter.
fn reference(s: &Stuck) -> Option<Cause> {
    let name = leading_word(s.after.strip_prefix('&')?.trim_start());
    let (_, ty) = s.word_before();
    (s.inside() == Some(b'(') && s.expected.contains(&"a name") && !name.is_empty())
        .then(|| Cause::note(format!("there are no references; a parameter that is changed is `inout {ty} {name}`")))
        .flatten()
}

/// `f(float x) { … }`: the function's result type is missing.
fn result_type(s: &Stuck) -> Option<Cause> {
    let (start, name) = s.word_before();
    let body = s.text.trim_end().ends_with('}');
    let lone = s.before[..start].split_whitespace().all(|w| matches!(w, "static" | "inline" | "public" | "internal"));
    (s.after.starts_with('(') && s.expected.contains(&"a name") && !name.is_empty() && body && lone).then(|| Cause {
        at: Some(start),
        message: Some(format!("syntax error: the type of the result is missing in front of `{name}`")),
        label: "`void`, if it returns nothing",
        note: Some("a constructor is called `__init`".to_string()),
    })
}

/// `__subscript(int i) { … }`
fn elements_of_subscript(s: &Stuck) -> Option<Cause> {
    let head = &s.before[s.before.rfind(['{', '}', ';']).map_or(0, |i| i + 1)..];
    let is_subscript = head.split(|c| !is_name_char(c)).any(|w| w == "__subscript");
    let rest = s.after.trim_start_matches(')').trim_start();
    let ends = s.after.starts_with(')') || s.before.ends_with(')');
    (is_subscript && ends && rest.starts_with(['{', ';'])).then(|| Cause {
        at: Some(s.text.len() - rest.len()),
        message: Some("syntax error: expected `->` and the type of the elements".to_string()),
        ..Cause::default()
    })
}

/// `(float x) -> x` as a lambda expression.
fn arrow(s: &Stuck) -> Option<Cause> {
    let head = s.before.split('(').next().unwrap_or_default();
    let declares = s.before.ends_with(')') && !head.contains('=') && head.split_whitespace().count() > 1;
    if declares && s.first_word() == "func" && is_name_start(s.after) {
        return Cause::message("syntax error: expected `->` and the type of the result".to_string());
    }
    if declares && s.after.starts_with("->") && s.inside().is_none() && s.first_word() != "return" {
        return Some(Cause {
            message: Some("syntax error: the type of the result stands in front of the name".to_string()),
            note: Some("or behind the `->` of a `func`: `func f(x: float) -> float`".to_string()),
            ..Cause::default()
        });
    }
    (s.after.starts_with("->") && s.before.ends_with(')'))
        .then(|| Cause::note("a lambda expression is written `(float x) => x * 2`"))
        .flatten()
}

fn else_alone(s: &Stuck) -> Option<Cause> {
    let condition = s.after.strip_prefix("else").and_then(|rest| rest.trim_start().strip_prefix("if"));
    if let Some(rest) = condition.map(str::trim_start)
        && s.before.is_empty()
        && !rest.starts_with('(')
        && !rest.is_empty()
    {
        let at = Some(s.text.len() - rest.len());
        let message = Some("syntax error: expected a condition in parentheses after `else if`".to_string());
        return Some(Cause { at, message, ..Cause::default() });
    }
    (s.word() == "else" && s.before.is_empty())
        .then(|| Cause::message("syntax error: this `else` has no `if` in front of it".to_string()))
        .flatten()
}

/// `1.2.3`
fn points_of_number(s: &Stuck) -> Option<Cause> {
    let number = s.before.rsplit(|c: char| c != '.' && !is_name_char(c)).next()?;
    let points = number.matches('.').count() + usize::from(s.after.starts_with('.'));
    (points > 1 && number.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| Cause::message("syntax error: a number has one point".to_string()))
        .flatten()
}

/// What stands among the cases of an enum and is none.
fn of_enum(s: &Stuck) -> Option<Cause> {
    let (head, cases) = s.before.split_once('{')?;
    let mut words = head.split_whitespace().filter(|w| !matches!(*w, "public" | "internal" | "private"));
    if words.next() != Some("enum") || open_brackets(cases).last().is_some() {
        return None;
    }
    // Where the parser gave up a case, it stands in front of it.
    let rest = s.after.strip_prefix(s.word())?.trim_start();
    let next = leading_word(rest);
    let is_function = rest.strip_prefix(next).is_some_and(|r| !next.is_empty() && r.trim_start().starts_with('('));
    let text = match s.word() {
        _ if s.after.starts_with(';') || rest.starts_with(';') => "cases of an enum have `,` between them",
        "public" | "internal" | "private" => "a case is as visible as its enum: it has no word of its own",
        "" => return None,
        _ if is_function => "an enum has cases and nothing else; an extension gives it methods",
        _ if !next.is_empty() || !s.before.ends_with([',', '{']) => {
            let at = Some(s.text.len() - rest.len()).filter(|_| !next.is_empty());
            let message = Some("syntax error: expected `,` between two cases".to_string());
            return Some(Cause { at, message, ..Cause::default() });
        }
        _ => return None,
    };
    Cause::message(format!("syntax error: {text}"))
}

/// Something that has to stand between what is before and what is behind.
fn left_out(s: &Stuck) -> Option<Cause> {
    let (at, word) = s.word_before();
    let next = s.after.chars().next()?;
    let text = match (word, next) {
        ("import" | "module" | "implementing" | "__include", ';') => "expected the name of a module",
        ("operator", _) => "expected an operator that can be declared, such as `+` or `()`, after `operator`",
        ("where", _) => "expected what is required after `where`, such as `T : IDifferentiable`",
        ("", ')') if s.before.ends_with('(') => match trailing_word(s.before[..at].trim_end_matches(['(', ' '])) {
            "while" | "if" => "expected a condition between `(` and `)`",
            "switch" => "expected a value between `(` and `)`",
            _ => return None,
        },
        ("", ']') if s.before.ends_with('[') && s.before.trim_start() == "[" => "expected the name of an attribute",
        ("", ')' | ',' | '{' | ';') if s.before.ends_with(':') => "expected a name after `:`",
        (_, ';' | ')') if lacks_other_value(s.before) => "expected `:` and the other value of `? :`",
        ("", _) if s.before.ends_with('.') && !s.before.ends_with("..") => "expected the name of a member after `.`",
        ("", _) if s.before.ends_with('{') && is_of_property(s.before) => "expected `get`, `set` or `ref`",
        _ if is_behind_accessor(s.before) => "expected `get`, `set` or `ref`, or the end of the property",
        _ => return None,
    };
    Cause::message(format!("syntax error: {text}"))
}

/// Whether the innermost brackets around the end of `text` hold a `?` without its `:`.
fn lacks_other_value(text: &str) -> bool {
    let mut depth = 0;
    let here = text.chars().rev().take_while(|c| {
        depth += i32::from(matches!(c, ')' | ']' | '}')) - i32::from(matches!(c, '(' | '[' | '{'));
        depth >= 0 && *c != ';'
    });
    let marks: String = here.filter(|c| matches!(c, '?' | ':')).collect();
    marks.matches('?').count() > marks.replace("::", "").matches(':').count()
}

/// Whether the bracket at the end of `text` opens the accessors of a property or a subscript.
fn is_of_property(text: &str) -> bool {
    let head = &text[text[..text.len() - 1].rfind(['{', '}', ';']).map_or(0, |i| i + 1)..];
    head.split_whitespace().any(|w| w == "property" || w.starts_with("__subscript"))
}

/// Whether `text` ends behind an accessor, among those of a property or a subscript.
fn is_behind_accessor(text: &str) -> bool {
    let ends = text.ends_with(['}', ';']);
    let mut depth = 0;
    let open = text.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == '}') - i32::from(*c == '{');
        depth < 0
    });
    ends && open.is_some_and(|(at, _)| is_of_property(&text[..=at]))
}

pub(super) fn trailing_word(text: &str) -> &str {
    &text[text.rfind(|c: char| !is_name_char(c)).map_or(0, |i| i + 1)..]
}

/// Two values in brackets without a comma between them.
fn between_values(s: &Stuck) -> Option<Cause> {
    let close = match s.inside()? {
        b'(' => "`)`",
        b'[' => "`]`",
        _ => "`}`",
    };
    let value = s.after.starts_with(|c: char| is_name_char(c) || matches!(c, '"' | '{'));
    if !value || !(s.expected.contains(&"an operator") || s.before.ends_with(is_name_char)) {
        return None;
    }
    Cause::message(format!(
        "syntax error: expected `,` or {close}{}",
        match s.expected.contains(&"an operator") {
            true => ", or an operator",
            false => "",
        }
    ))
}
