//! Functions that are handed what they reach: resources, memory of the group, ids of the thread.
//! In a language without variables of the program these are parameters of the entry point, and of
//! those functions alone that name them or call one that does.
//!
//! Invariant: names of what is handed are names of the whole text, so no variable of a function has
//! one of them.

use super::super::{Printer, Program};
use super::file::Resources;
use crate::lang::syntax::{Declared, mentions};
use caustic_ir::Diagnostic;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What functions are handed.
pub(super) struct Handed {
    name: String,
    /// As a parameter of a function.
    param: String,
    from: From,
}

/// Where the entry point has it from.
enum From {
    /// It is a parameter with this attribute.
    Attribute(String),
    /// It is a variable of the entry point, declared so.
    Declared(String),
}

/// A function's text and what it is handed, by number.
struct Needs {
    name: String,
    text: String,
    needs: BTreeSet<usize>,
}

/// The struct that has the number of elements of each buffer.
const LENGTHS: &str = "lengths";

impl Printer<'_> {
    /// Whether functions are handed what they reach.
    pub(in super::super) fn hands_over(&self) -> bool {
        self.language.shader.is_some_and(|s| s.syntax.handed)
    }

    /// Declares a buffer before all functions, or has it handed over.
    pub(super) fn declared_buffer(&self, out: &mut Resources, of: &Declared<'_>) -> Result<(), Diagnostic> {
        let text = (self.shader()?.syntax.buffer)(of);
        if self.hands_over() {
            let from = From::Attribute(format!("buffer({})", of.binding));
            out.handed.push(Handed { name: of.name.to_string(), param: text, from });
        } else {
            out.text += &text;
        }
        Ok(())
    }

    /// Memory of a group.
    pub(super) fn handed_group(&mut self) -> Result<Vec<Handed>, Diagnostic> {
        let mut all = Vec::new();
        for shared in &self.module.interface.shared {
            let ty = self.module.contents(shared.symbol).ok_or_else(|| self.internal("memory without a type"))?;
            if ty.is_empty() {
                continue;
            }
            let name = self.known(shared.symbol)?;
            let word = match self.shading.worded.contains(&shared.symbol) {
                true => format!("array<uint, {}>", shared.bytes.div_ceil(4)),
                false => self.shader_ty(&ty, false)?,
            };
            let space = self.shader()?.syntax.memory.shared;
            let (param, declared) = (format!("{space} {word}& {name}"), format!("{space} {word} {name};"));
            all.push(Handed { name, param, from: From::Declared(declared) });
        }
        Ok(all)
    }

    /// The functions of a text and its entry point, each with what it is handed: the text of the
    /// functions, the parameters of the entry point and its body.
    pub(super) fn hand_over(
        &mut self,
        functions: &[String],
        inside: &str,
        group: Vec<Handed>,
        out: &mut Resources,
    ) -> Result<(String, String, String), Diagnostic> {
        let ids = self.shader()?.syntax.ids;
        let lengths = lengths(&(functions.concat() + inside), out);
        let mut handed = std::mem::take(&mut out.handed);
        handed.extend(lengths);
        handed.extend(group);
        handed.extend(ids.iter().map(|(name, attribute, ty)| Handed {
            name: name.to_string(),
            param: format!("{ty} {name}"),
            from: From::Attribute(attribute.to_string()),
        }));
        let mut all: Vec<Needs> = functions
            .iter()
            .map(|text| Needs { name: name_of(text), text: text.clone(), needs: mentioned(text, &handed) })
            .collect();
        // Callees come first.
        for at in 0..all.len() {
            let called: Vec<usize> = all[..at]
                .iter()
                .filter(|f| mentions(&all[at].text, &f.name))
                .flat_map(|f| f.needs.iter().copied())
                .collect();
            all[at].needs.extend(called);
        }
        let given: BTreeMap<&str, &BTreeSet<usize>> =
            all.iter().filter(|f| !f.needs.is_empty()).map(|f| (&f.name[..], &f.needs)).collect();
        let text: String = all.iter().map(|f| with_arguments(&f.text, &f.name, &given, &handed) + "\n").collect();
        let mut needs = mentioned(inside, &handed);
        for (name, more) in &given {
            if mentions(inside, name) {
                needs.extend(*more);
            }
        }
        let mut params = Vec::new();
        let mut body = String::new();
        for of in needs.iter().map(|&at| &handed[at]) {
            match &of.from {
                From::Attribute(attribute) => params.push(format!("{} [[{attribute}]]", of.param)),
                From::Declared(declared) => {
                    let _ = writeln!(body, "    {declared}");
                }
            }
        }
        body += &with_arguments(inside, "", &given, &handed);
        Ok((text, params.join(",\n    "), body))
    }

    /// That a function offered to others cannot be written.
    pub(in super::super) fn refuse_library(&self) -> Result<Program, Diagnostic> {
        Err(self.refuse("a function for others, which are to hand it its resources,"))
    }
}

/// How many elements buffers have, if a text asks for that, and their binding.
fn lengths(text: &str, out: &mut Resources) -> Option<Handed> {
    let prefix = format!("{LENGTHS}.");
    let asked: Vec<String> =
        out.handed.iter().map(|h| h.name.clone()).filter(|name| mentions(text, &format!("{prefix}{name}"))).collect();
    if asked.is_empty() {
        return None;
    }
    let members: String = asked.iter().map(|name| format!("    uint {name};\n")).collect();
    out.text += &format!("// How many elements buffers have.\nstruct Lengths {{\n{members}}};\n");
    let binding = out.binding(false).binding;
    out.bindings.push(json!({
        "name": LENGTHS, "kind": "lengths", "set": 0, "binding": binding, "access": "read", "of": asked,
    }));
    let from = From::Attribute(format!("buffer({binding})"));
    Some(Handed { name: LENGTHS.to_string(), param: format!("constant Lengths& {LENGTHS}"), from })
}

/// The name of a function, which stands before its parameters.
fn name_of(text: &str) -> String {
    let head = text.lines().find(|line| !line.starts_with("//")).unwrap_or_default();
    let before = head.split('(').next().unwrap_or_default();
    before.rsplit(' ').next().unwrap_or_default().to_string()
}

/// What a text names, by number; members of structs are no names of its own.
fn mentioned(text: &str, handed: &[Handed]) -> BTreeSet<usize> {
    let named: BTreeSet<&str> =
        words(text).filter(|(at, _)| !text[..*at].ends_with('.')).map(|(_, word)| word).collect();
    handed.iter().enumerate().filter(|(_, h)| named.contains(&h.name[..])).map(|(at, _)| at).collect()
}

/// The words of a text, each with where it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(part)?;
        at = text[start..].find(|c| !part(c)).map_or(text.len(), |n| start + n);
        Some((start, &text[start..at]))
    })
}

/// A text in which what calls are to be handed stands before their other arguments, and what
/// function `own` is handed before its parameters.
fn with_arguments(text: &str, own: &str, given: &BTreeMap<&str, &BTreeSet<usize>>, handed: &[Handed]) -> String {
    let (mut out, mut done, mut head) = (String::new(), 0, true);
    for (start, word) in words(text) {
        let end = start + word.len();
        let Some(needs) = given.get(word).filter(|_| text[end..].starts_with('(')) else { continue };
        let is_head = head && word == own;
        head &= !is_head;
        let all: Vec<&str> =
            needs.iter().map(|&at| if is_head { &handed[at].param[..] } else { &handed[at].name }).collect();
        out += &text[done..=end];
        out += &all.join(", ");
        done = end + 1;
        if !text[done..].starts_with(')') {
            out += ", ";
        }
    }
    out + &text[done..]
}
