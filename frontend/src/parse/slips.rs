//! More guesses of `causes`: heads of statements with a misspelt word, values behind jumps, members
//! that are written outside of their type, lambda expressions and arrows.

use super::causes::{Cause, Stuck, is_name_char, leading_word, trailing_word};
use super::errors::is_word;
use super::{Rule, machine};

use caustic_ir::nearest::nearest;

/// Words in front of parentheses that a statement follows.
const HEADS: [&str; 3] = ["if", "while", "switch"];

/// What stands in the parentheses at the beginning, and the text behind them.
fn parenthesized(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 0;
    let end = inner.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    })?;
    Some((&inner[..end], &inner[end + 1..]))
}

/// The word that `text` probably begins with a misspelling of, if what follows is the rest of such
/// a statement: `fi (x > 0) { … }`, `fro (int i = 0; i < n; i++) …`.
pub(super) fn meant_head(text: &str) -> Option<&'static str> {
    let word = leading_word(text);
    let (inside, rest) = parenthesized(text[word.len()..].trim_start())?;
    if word.is_empty() || is_word(word) || !word.starts_with(is_name_char) {
        return None;
    }
    // Only one statement has its parts in parentheses.
    if inside.contains(';') && !inside.contains('{') {
        return Some("for");
    }
    // A statement on the next line may follow a call that lacks its `;`.
    let (behind, here) = (rest.trim_start(), rest.trim_start_matches(' '));
    let body = behind.starts_with('{') || here.starts_with(|c: char| is_name_char(c) && !c.is_ascii_digit());
    let swapped = |head: &&str| head.len() == 2 && word.chars().rev().eq(head.chars());
    let found = HEADS.into_iter().find(swapped).or_else(|| nearest(word, HEADS));
    found.filter(|_| body && !matches!(leading_word(behind), "throws" | "where" | "is" | "as"))
}

/// The place of the `try` in front of a block at `at`, as other languages have it.
pub(super) fn try_of_block(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?.trim_end();
    (text[at..].starts_with('{') && trailing_word(before) == "try").then(|| before.len() - "try".len())
}

/// The same, as a guess.
pub(super) fn try_block(s: &Stuck) -> Option<Cause> {
    let at = try_of_block(s.text, s.at);
    at.is_some().then(|| Cause {
        at,
        message: Some("syntax error: `try` stands in front of a call, and has no block".to_string()),
        note: Some("errors are caught by `do { … } catch (E error) { … }`".to_string()),
        ..Cause::default()
    })
}

/// `~S() { }`
pub(super) fn destructor(s: &Stuck) -> Option<Cause> {
    let begins = s.before.is_empty() || s.before.ends_with(['{', '}', ';']);
    let named = s.after.strip_prefix('~').is_some_and(|rest| rest.starts_with(is_name_char));
    (begins && named).then(|| Cause {
        message: Some("syntax error: there are no destructors".to_string()),
        note: Some("a value has no end at which code runs; `defer` runs a statement at the end of a block".to_string()),
        ..Cause::default()
    })
}

/// `Differentiable float f(float x) { … }`
pub(super) fn without_brackets(s: &Stuck) -> Option<Cause> {
    const USUAL: [&str; 10] = [
        "Differentiable",
        "ForwardDifferentiable",
        "BackwardDifferentiable",
        "TreatAsDifferentiable",
        "ForceInline",
        "ForceUnroll",
        "MaxIters",
        "mutating",
        "numthreads",
        "unroll",
    ];
    let word = s.first_word();
    (USUAL.contains(&word) && !s.before.is_empty()).then(|| Cause {
        message: Some(format!("syntax error: an attribute stands in brackets: `[{word}]`")),
        ..Cause::default()
    })
}

/// `float x, float y;`
pub(super) fn declarations_by_comma(s: &Stuck) -> Option<Cause> {
    let (start, ty) = s.word_before();
    let (before, next) = (s.before[..start].trim_end(), s.word());
    let first = s.first_word();
    let named = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let declares = named(ty) && named(next) && !is_word(next) && !is_word(ty) && named(first) && first != "enum";
    let within = before.strip_suffix(',')?;
    let open = super::causes::open_brackets(within).is_empty() && within.contains(' ');
    let ends = s.after[next.len()..].trim_start().starts_with([';', ',', '=', '[']);
    (declares && open && ends).then(|| Cause {
        message: Some(format!("syntax error: expected `;` before `{ty} {next}`: commas join names of one type")),
        ..Cause::default()
    })
}

/// The text with a `;` in place of each comma between two declarations, of which the first stands
/// in front of `at`. Offsets stay valid.
pub(super) fn semicolons_for_commas(text: &str, mut at: usize, rule: Rule) -> Option<String> {
    let (mut out, mut begin) = (text.to_string(), 0);
    while let Some(stuck) = Stuck::new(&text[begin..], at, &[]).filter(|s| declarations_by_comma(s).is_some()) {
        let comma = begin + stuck.before[..stuck.word_before().0].rfind(',')?;
        out.replace_range(comma..=comma, ";");
        begin = comma + 1;
        match machine::parse(rule, &text[begin..]) {
            Ok(_) => break,
            Err(e) => at = e.at,
        }
    }
    (begin > 0).then_some(out)
}

/// `where T I`
pub(super) fn half_a_clause(s: &Stuck) -> Option<Cause> {
    let (start, ty) = s.word_before();
    let asks = trailing_word(s.before[..start].trim_end()) == "where";
    let bound = s.word();
    (asks && !ty.is_empty() && !bound.is_empty()).then(|| Cause {
        message: Some(format!("syntax error: expected `:` or `==` behind `{ty}`")),
        note: Some(format!("write `where {ty} : {bound}`")),
        ..Cause::default()
    })
}

/// Whether a piece is an import as other languages have it: `import m as n`, `from m import f`.
pub(super) fn imports_otherwise(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    matches!(words[..], ["import", _, "as"] | ["from", _, "import"])
}

/// The same, as a guess.
pub(super) fn import_of_names(s: &Stuck) -> Option<Cause> {
    let begin = s.text.len() - s.text.trim_start().len();
    let second = s.text[begin..].split_whitespace().nth(1)?;
    imports_otherwise(s.text).then(|| Cause {
        at: Some(begin + s.text[begin..].find(second).unwrap_or_default()),
        message: Some("syntax error: an import names a module and nothing else".to_string()),
        note: Some("its public declarations are then known by their own names: `import m;`".to_string()),
        ..Cause::default()
    })
}

/// `discard x;`, `continue 3;`: a jump has no value.
pub(super) fn value_of_jump(s: &Stuck) -> Option<Cause> {
    let word = s.word();
    let rest = s.after.get(word.len()..)?;
    let behind = rest.trim_start();
    let value = behind.starts_with(|c: char| is_name_char(c) || "\"-!(".contains(c));
    let jump = matches!(word, "discard" | "continue" | "break");
    // A statement that begins on the next line lacks the `;` in front of it.
    if !jump || !value || rest[..rest.len() - behind.len()].contains('\n') {
        return None;
    }
    let note = match word {
        "break" => "`break` may name the label of a loop or a `switch`, and has no value",
        "continue" if behind.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            "`continue` takes no label: it goes on with the innermost loop"
        }
        "continue" => "`continue` goes on with the innermost loop, and has no value",
        _ => "`discard` ends the thread, and has no value: the condition stands in an `if` around it",
    };
    Some(Cause {
        at: Some(s.at + word.len() + rest.len() - behind.len()),
        message: Some(format!("syntax error: expected `;` after `{word}`")),
        note: Some(note.to_string()),
        ..Cause::default()
    })
}

/// `float S::f() { … }`, `S::S() { … }`, `static int S::count = 3;`
pub(super) fn outside_of_type(s: &Stuck) -> Option<Cause> {
    let is_path = |c: char| is_name_char(c) || ":.".contains(c);
    let around = s.text[..s.at].rfind(|c| !is_path(c)).map_or(0, |i| i + 1);
    let path = &s.text[around..];
    let path = &path[..path.find(|c| !is_path(c)).unwrap_or(path.len())];
    let cut = path.rfind("::").map(|i| (i, 2)).or_else(|| path.rfind('.').map(|i| (i, 1)));
    let (at, long) = cut?;
    let (ty, member) = (&path[..at], &path[at + long..]);
    let names = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let (rest, head) = (s.text[around + path.len()..].trim_start(), s.text[..around].trim());
    let own = trailing_word(ty);
    if !names(ty) || !names(member) || head.contains(['=', '(', '{', ';']) {
        return None;
    }
    let is_function = parenthesized(rest).is_some_and(|(_, behind)| !behind.trim_start().starts_with(';'));
    let makes = member == own || member == "__init";
    let declares = match is_function {
        // A constructor has no type in front of it, and a call has neither.
        true => !head.is_empty() && head != "return" || makes,
        false => !head.is_empty() && rest.starts_with(['=', ';']) && !is_word(trailing_word(head)),
    };
    declares.then(|| Cause {
        at: Some(around + at),
        message: Some("syntax error: a member is declared in its type".to_string()),
        note: Some(match makes {
            true => format!("write `__init` in `struct {own} {{ … }}`, or in `extension {ty} {{ … }}`"),
            false => format!("write `{member}` in `struct {own} {{ … }}`, or in `extension {ty} {{ … }}`"),
        }),
        ..Cause::default()
    })
}

/// `x => x`, and lambda expressions as C++ writes them.
pub(super) fn lambda(s: &Stuck) -> Option<Cause> {
    let form = "a lambda expression is written `(float x) => x * 2`";
    let of_c = ["[]", "[=]", "[&]", "[this]"].into_iter().any(|capture| {
        let rest = s.after.strip_prefix(capture).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['(', '{']))
    });
    if of_c {
        return Cause::note(format!("{form}; it captures what it names"));
    }
    let head = s.text[..s.at].strip_suffix('=').filter(|_| s.after.starts_with('>'))?.trim_end();
    if head.ends_with(is_name_char) {
        let name = trailing_word(head);
        return Some(Cause {
            at: Some(head.len() - name.len()),
            message: Some("syntax error: the parameters of a lambda expression stand in parentheses".to_string()),
            note: Some(form.to_string()),
            ..Cause::default()
        });
    }
    Cause::note(form)
}

/// `func f() : float { … }`
pub(super) fn colon_for_arrow(s: &Stuck) -> Option<Cause> {
    let head = &s.before[s.before.rfind(['{', '}', ';']).map_or(0, |i| i + 1)..];
    let is_func = head.split(|c| !is_name_char(c)).any(|w| w == "func") && head.contains('(');
    let marks = [":", "=>"].into_iter().find(|m| s.after.starts_with(m) && !s.after.starts_with("::"));
    let ty = leading_word(s.after.strip_prefix(marks?)?.trim_start());
    if !is_func || ty.is_empty() {
        return None;
    }
    let arrow = head.contains("->");
    Some(Cause {
        message: Some(match arrow {
            true => "syntax error: no semantic stands behind the result of a `func`".to_string(),
            false => "syntax error: expected `->` and the type of the result".to_string(),
        }),
        note: Some(match arrow {
            true => format!("the type stands in front of a function with a semantic: `float f() : {ty}`"),
            false => format!("write `-> {ty}`"),
        }),
        ..Cause::default()
    })
}
