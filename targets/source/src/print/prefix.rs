//! Names that are chosen when the text is finished.
//!
//! A text whose language has no name spaces begins what is global with the name that the user
//! chose, so that two texts can stand in one. Names of the program, and of what is made for it, are
//! declared so. Snippets and what calls them are written without it, and get it in the finished
//! text.
//!
//! What the program calls as a snippet calls its own keeps its name: it is marked until the text is
//! finished, in which the snippet's becomes another one.

use super::shader::COUNTS;
use super::{Printer, Program};
use crate::lang::Threads;
use crate::names::{MARK, spell, unmarked};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// What becomes of words of a text.
struct Renames {
    /// Of helpers.
    helpers: FxHashMap<&'static str, String>,
    /// Whether helpers are no members of anything.
    free: bool,
}

impl Printer<'_> {
    /// A name for what is global.
    pub(super) fn global_name(&mut self, wanted: &str) -> String {
        self.names.declare(&format!("{}{}", self.prefix, spell(wanted)))
    }

    /// A name for what is global and the program's, which it keeps though a snippet has it.
    pub(super) fn own_name(&mut self, wanted: &str) -> String {
        self.names.declare_own(&format!("{}{}", self.prefix, spell(wanted)))
    }

    /// A name without the prefix of those that it is made of.
    pub(super) fn without_prefix(&self, name: &str) -> String {
        let name = name.replace(MARK, "_");
        match self.prefix.is_empty() {
            true => name,
            false => name.strip_prefix(&self.prefix).unwrap_or(&name).replace(&format!("_{}", self.prefix), "_"),
        }
    }

    /// A program with the names that it is to have.
    pub(super) fn finished(&self, mut program: Program) -> Program {
        let renames = self.renames(&program.text);
        let lines = program.text.split_inclusive('\n').map(|line| renames.line(line));
        program.text = lines.collect();
        program.launcher = renames.words(&program.launcher, false);
        program.names.iter_mut().for_each(|(name, _)| *name = renames.words(name, false));
        program.names.sort();
        program.described.iter_mut().for_each(|(key, value)| renames.json(key, value));
        program
    }

    /// The names that helpers get in a text: with the prefix, and none that the program wants.
    fn renames(&self, text: &str) -> Renames {
        let known: FxHashSet<&str> = text.split(|c| !is_part(c)).collect();
        let counts = self.hands_over().then_some(COUNTS);
        let names = self.language.snippets.iter().flat_map(|snippet| snippet.names).copied().chain(counts);
        let mut helpers: FxHashMap<&'static str, String> = FxHashMap::default();
        for name in names {
            // Snippets for different types have the same names.
            if helpers.contains_key(name) {
                continue;
            }
            let mut other = format!("{}{name}", self.prefix);
            if self.names.is_given_back(&other) {
                let is_free = |n: &String| !known.contains(&**n) && !helpers.values().any(|taken| taken == n);
                let others = (2..).map(|n| format!("{other}_{n}"));
                other = std::iter::once(format!("{other}_")).chain(others).find(is_free).unwrap_or_default();
            }
            if other != name {
                helpers.insert(name, other);
            }
        }
        Renames { helpers, free: self.language.threads == Threads::Shader }
    }
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl Renames {
    /// A line of a text. Comments and strings speak of the program, not of helpers.
    fn line(&self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let code = rest.find('"').into_iter().chain(rest.find("//")).min().unwrap_or(rest.len());
            let (before, other) = rest.split_at(code);
            out += &self.words(before, true);
            let end = match other.starts_with('"') {
                true => string_end(other),
                false => other.len(),
            };
            out += &self.words(&other[..end], false);
            rest = &other[end..];
        }
        out
    }

    /// A text with other words, in `code` those of helpers too.
    fn words(&self, text: &str, code: bool) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = match is_part(first) {
                true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
                false => rest.find(is_part).unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            // What is in a name space is another one, and so are members.
            let elsewhere = out.ends_with("::") || self.free && out.ends_with('.');
            let helper = self.helpers.get(word).filter(|_| code && !elsewhere);
            out += helper.map(String::as_str).or_else(|| unmarked(word)).unwrap_or(word);
            rest = after;
        }
        out
    }

    /// A value of a description, which names helpers in types alone, and functions in keys, too.
    fn json(&self, key: &str, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.words(text, matches!(key, "type" | "result")),
            Value::Array(all) => all.iter_mut().for_each(|value| self.json(key, value)),
            Value::Object(all) => {
                let renamed = std::mem::take(all).into_iter().map(|(key, mut value)| {
                    self.json(&key, &mut value);
                    (self.words(&key, false), value)
                });
                *all = renamed.collect();
            }
            _ => {}
        }
    }
}

/// Where a string ends that a text begins with.
fn string_end(text: &str) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_helpers_give_way_to_the_programs() {
        let helpers = [("add", "add_".to_string()), ("abs", "abs_2".to_string())].into_iter().collect();
        let mut renames = Renames { helpers, free: false };
        let line = "add(add__(x.add), std::abs(abs(y)), \"add \\\" abs\"); // add by abs, of add__\n";
        let wanted = "add_(add(x.add_), std::abs(abs_2(y)), \"add \\\" abs\"); // add by abs, of add\n";
        assert_eq!(renames.line(line), wanted);
        renames.free = true;
        assert_eq!(renames.line("x.add + x.add__ + add"), "x.add + x.add + add_");
        let parameters = serde_json::json!([{ "type": "add<abs>" }]);
        let mut told = serde_json::json!({ "of": "add", "name": "add__", "add__": 1, "parameters": parameters });
        renames.json("", &mut told);
        let parameters = serde_json::json!([{ "type": "add_<abs_2>" }]);
        let wanted = serde_json::json!({ "of": "add", "name": "add", "add": 1, "parameters": parameters });
        assert_eq!(told, wanted);
    }
}
