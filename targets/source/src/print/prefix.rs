//! Names of a text whose language has no name spaces: what is global begins with the name that the
//! user chose, so that two texts can stand in one.
//!
//! Names of the program, and of what is made for it, are declared so. Snippets and what calls them
//! are written without it, and get it in the finished text, where nothing else has their names.

use super::shader::COUNTS;
use super::{Printer, Program};
use crate::names::spell;

impl Printer<'_> {
    /// A name for what is global.
    pub(super) fn global_name(&mut self, wanted: &str) -> String {
        self.names.declare(&format!("{}{}", self.prefix, spell(wanted)))
    }

    /// A name without the prefix of those that it is made of.
    pub(super) fn without_prefix(&self, name: &str) -> String {
        match self.prefix.is_empty() {
            true => name.to_string(),
            false => name.strip_prefix(&self.prefix).unwrap_or(name).replace(&format!("_{}", self.prefix), "_"),
        }
    }

    /// The names that get the prefix in the finished text.
    pub(super) fn snippet_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let snippets = if self.prefix.is_empty() { &[] } else { self.language.snippets };
        let counts = (self.hands_over() && !self.prefix.is_empty()).then_some(COUNTS);
        snippets.iter().flat_map(|snippet| snippet.names).copied().chain(counts)
    }

    pub(super) fn with_prefix(&self, mut program: Program) -> Program {
        let names: Vec<&str> = self.snippet_names().collect();
        if !names.is_empty() {
            let lines = program.text.split_inclusive('\n').map(|line| self.prefixed(line, &names));
            program.text = lines.collect();
        }
        program
    }

    /// A line in which the names begin with the prefix; comments stay.
    fn prefixed(&self, line: &str, names: &[&str]) -> String {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
        let mut out = String::new();
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            let end = match part(first) {
                true => rest.find(|c| !part(c)).unwrap_or(rest.len()),
                false => rest.find(part).unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            if names.contains(&word) {
                out += &self.prefix;
            }
            out += word;
            rest = after;
        }
        out + comment
    }
}
