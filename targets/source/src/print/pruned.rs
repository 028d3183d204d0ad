//! The header of a text, down to what the text names: a snippet declares several things, of which a
//! program may use one.
//!
//! Invariant: what is left out is named by nothing that is left. What this module does not
//! understand stays.
//!
//! This module must not know: any language, any snippet.

use rustc_hash::FxHashSet;

/// A declaration with the comment before it.
struct Item<'t> {
    text: &'t str,
    /// What it declares; nothing, if it stays in any case.
    name: Option<&'t str>,
    /// The number that it is declared for, as `2` in `struct vec<T, 2>`.
    only: Option<&'t str>,
}

/// The declarations of a header that `rest`, which follows it, uses.
pub fn used(header: &str, rest: &str) -> String {
    let items = items(header);
    let mut live: Vec<bool> = items.iter().map(|item| item.name.is_none()).collect();
    let mut known: FxHashSet<&str> = words(rest).collect();
    let stays = items.iter().zip(&live).filter(|(_, live)| **live);
    stays.for_each(|(item, _)| known.extend(words(item.text)));
    loop {
        let before = live.clone();
        for (k, item) in items.iter().enumerate() {
            let asked = item.name.is_some_and(|name| known.contains(name));
            let numbered = item.only.is_none_or(|number| {
                let number = format!(", {number}>");
                let others = items.iter().zip(&before).filter(|(i, live)| **live && i.name != item.name);
                rest.contains(&number) || others.into_iter().any(|(i, _)| i.text.contains(&number))
            });
            if !live[k] && asked && numbered {
                live[k] = true;
                known.extend(words(item.text));
            }
        }
        if live == before {
            let kept = items.iter().zip(&live).filter(|(_, live)| **live);
            return kept.map(|(item, _)| item.text).collect();
        }
    }
}

/// The identifiers of a text, those in comments as well.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    parts.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

fn items(header: &str) -> Vec<Item<'_>> {
    let (mut items, mut begin, mut depth, mut at) = (Vec::new(), 0, 0i32, 0);
    for line in header.split_inclusive('\n') {
        at += line.len();
        if line.trim_start().starts_with("//") {
            continue;
        }
        depth +=
            line.chars().map(|c| i32::from(matches!(c, '{' | '(')) - i32::from(matches!(c, '}' | ')'))).sum::<i32>();
        if depth == 0 && (line.starts_with('#') || line.trim_end().ends_with([';', '}'])) {
            items.push(item(&header[begin..at]));
            begin = at;
        }
    }
    if begin < header.len() {
        items.push(Item { text: &header[begin..], name: None, only: None });
    }
    items
}

fn item(text: &str) -> Item<'_> {
    let mut code = text;
    while code.starts_with("//") {
        code = code.split_once('\n').map_or("", |(_, rest)| rest);
    }
    while let Some(rest) = code.strip_prefix("template <") {
        code = after_angle(rest).trim_start();
    }
    let (name, only) = declared(code);
    Item { text, name, only }
}

/// What follows the bracket that closes one before the text.
fn after_angle(text: &str) -> &str {
    let mut open = 1;
    for (at, c) in text.char_indices() {
        open += i32::from(c == '<') - i32::from(c == '>');
        if open == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

/// The name that a declaration has, and the number in its brackets.
fn declared(code: &str) -> (Option<&str>, Option<&str>) {
    if code.starts_with('#') || code.starts_with("[[") {
        return (None, None);
    }
    if let Some(rest) = code.strip_prefix("struct ") {
        let name = words(rest).next();
        let head = rest.split('{').next().unwrap_or_default();
        let number = head.split_once(", ").and_then(|(_, last)| last.split_once('>')).map(|(number, _)| number);
        let number = number.filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
        return (name, number);
    }
    if let Some(rest) = code.strip_prefix("using ") {
        return (words(rest).next(), None);
    }
    let head = code.split(['(', '=', ';', '{', '[']).next().unwrap_or_default();
    // Operators are called by no name.
    if words(head).any(|word| word == "operator") {
        return (None, None);
    }
    (words(head).last(), None)
}

#[cfg(test)]
mod tests {
    use super::used;

    const HEADER: &str = "\
// Two of a kind.
template <class T, int N> struct vec {
    T e[N];
};
template <class T> struct vec<T, 2> {
    T x, y;
};
template <class T> struct vec<T, 3> {
    T x, y, z;
};
template <class T> T twice(T x) {
    return x + x;
}
// Four times.
template <class T> T four(T x) { return twice(twice(x)); }
using uint = unsigned int;
static thread_local vec<uint, 3> thread;
";

    #[test]
    fn what_is_named_stays_with_what_it_names() {
        let text = used(HEADER, "four(1);");
        assert!(text.contains("T four") && text.contains("T twice") && text.contains("// Four times."), "{text}");
        assert!(!text.contains("struct vec") && !text.contains("uint"), "{text}");
    }

    #[test]
    fn a_struct_for_a_number_stays_with_the_number() {
        let text = used(HEADER, "thread.x = 1;");
        assert!(text.contains("vec<T, 3>") && text.contains("using uint") && !text.contains("vec<T, 2>"), "{text}");
    }

    #[test]
    fn what_is_not_understood_stays() {
        let text = used("#if A\n#endif\nalignas(16) static char lost[4];\nint f(int x) { return x; }\n", "");
        assert!(text.contains("#if A") && !text.contains("int f"), "{text}");
    }
}
