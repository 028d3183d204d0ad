//! Functions that are handed what they reach: resources, memory of the group, ids of the thread.
//! In a language without variables of the program these are parameters of the entry point, and of
//! those functions alone that name them or call one that does.
//!
//! Invariant: names of what is handed are names of the whole text, so no variable of a function has
//! one of them.

use super::super::pruned::used;
use super::super::{Printer, Program};
use super::compact::compact;
use super::file::{MAIN, Resources};
use crate::lang::syntax::{Around, Begin, Declared, Entry, mentions};
use crate::tree::Function;
use caustic_ir::Diagnostic;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What functions are handed.
pub(super) struct Handed {
    name: String,
    /// As a parameter of a function.
    param: String,
    from: From,
    /// Its number, of a buffer.
    binding: Option<u32>,
}

/// Where the entry point has it from.
enum From {
    /// It is a parameter with this attribute.
    Attribute(String),
    /// It is a variable of the entry point, declared so.
    Declared(String),
}

/// A text of functions that are handed what they reach.
struct Parts {
    /// Structs and functions.
    text: String,
    /// The parameters and the statements of the entry point.
    params: Vec<String>,
    body: String,
    /// What each function is handed before its other arguments.
    handed: BTreeMap<String, Vec<String>>,
    resources: Resources,
}

/// Bytes of memory that a group has, and buffers that a kernel is given.
const MOST_GROUP: usize = 32768;
const MOST_BUFFERS: u32 = 31;

/// The struct that has the number of elements of each buffer, and its type.
pub(in super::super) const COUNTS: &str = "Lengths";
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
            out.handed.push(Handed { name: of.name.to_string(), param: text, from, binding: Some(of.binding) });
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
            all.push(Handed { name, param, from: From::Declared(declared), binding: None });
        }
        Ok(all)
    }

    /// A program whose functions are handed what they reach.
    pub(super) fn assemble_handed(&mut self, functions: &[Function]) -> Result<Program, Diagnostic> {
        let entry = self.module.interface.entry;
        self.refuse_recursion(functions)?;
        let bytes: usize = self.module.interface.shared.iter().map(|shared| shared.bytes).sum();
        if bytes > MOST_GROUP {
            return Err(self.refuse(format!("memory of a group of {bytes} bytes, of which there are {MOST_GROUP},")));
        }
        let (mut bodies, mut inside, mut name) = (Vec::new(), String::new(), self.known(entry)?);
        for function in functions {
            let text = self.function(function)?;
            if function.symbol != entry {
                bodies.push(text);
            } else if function.result.is_some() {
                inside = format!("    {name}();\n}}\n");
                name = self.names.declare(MAIN);
                bodies.push(text);
            } else {
                inside = text.split_once("{\n").map_or(String::new(), |(_, body)| body.to_string());
            }
        }
        self.write_pointers()?;
        // It is known now what is written.
        self.uniform_barriers(functions)?;
        let group = self.handed_group()?;
        let inside = self.shared_resources()?.1 + &inside;
        let mut parts = self.handed_parts(&bodies, &inside, group)?;
        if parts.resources.binding(false).binding > MOST_BUFFERS {
            return Err(self.refuse(format!("a kernel of more than {MOST_BUFFERS} buffers")));
        }
        let threads = self.module.interface.numthreads;
        let begin = (self.shader()?.syntax.begin)(Begin {
            extensions: &mut self.shading.extensions,
            floats: &self.shading.floats,
            aliased: false,
            threads,
        });
        let head = (self.shader()?.syntax.entry)(&Entry { name: &name, threads, inside: "", outside: "" }).head;
        let params: String = parts.params.iter().map(|param| format!("\n    {param},")).collect();
        let text = format!("{begin}{}\n{head}({}) {{\n{}", parts.text, params.trim_end_matches(','), parts.body);
        let described = vec![
            ("bindings", Value::Array(parts.resources.bindings)),
            ("subgroup", self.told_subgroup()),
            ("accuracy", self.told_accuracy()),
        ];
        let (names, warnings) = (self.told_names(), std::mem::take(&mut self.warnings));
        Ok(Program { text, launcher: name, names, described, warnings })
    }

    /// Functions for others, which hand them what they reach.
    pub(in super::super) fn assemble_handed_library(
        &mut self,
        functions: &[Function],
        prefix: &str,
    ) -> Result<Program, Diagnostic> {
        self.refuse_recursion(functions)?;
        let bodies = functions.iter().map(|function| self.function(function)).collect::<Result<Vec<_>, _>>()?;
        self.write_pointers()?;
        self.uniform_barriers(functions)?;
        let parts = self.handed_parts(&bodies, "", Vec::new())?;
        let around = self.shader()?.syntax.around;
        let extensions = &mut self.shading.extensions;
        let (begin, end) = around(Around { name: prefix, extensions, bound: false, aliased: false });
        let described = vec![
            ("bindings", Value::Array(parts.resources.bindings)),
            ("accuracy", self.told_accuracy()),
            ("handed", json!(parts.handed)),
        ];
        self.library_of(format!("{begin}{}{end}", parts.text), functions, described)
    }

    /// What stands before the entry point, when all functions have been printed, and that itself.
    fn handed_parts(&mut self, bodies: &[String], inside: &str, group: Vec<Handed>) -> Result<Parts, Diagnostic> {
        let mut resources = Resources::default();
        self.bound_resources(&mut resources)?;
        let structs = self.shader_structs()?;
        let each = |list: &[String]| list.iter().flat_map(|text| each_function(text)).collect::<Vec<_>>();
        let functions = [each(&self.shading.made), each(&self.shading.reaches), bodies.to_vec()];
        let mut parts = self.hand_over(&functions, inside, group, &mut resources)?;
        let tables = self.tables_text();
        let rest =
            [&tables, &resources.text, &parts.text, &parts.body, &parts.params.concat()].map(|text| &**text).concat();
        let structs = if self.is_library() { structs } else { used(&structs, &rest) };
        let before = [&structs, &tables, &resources.text, &parts.text].map(|part| part.trim_matches('\n'));
        parts.text = before.iter().filter(|part| !part.is_empty()).map(|part| format!("\n{part}\n")).collect();
        parts.resources = resources;
        Ok(parts)
    }

    /// Functions and the entry point, each with what it is handed: the functions' texts, the
    /// parameters of the entry point and its body.
    fn hand_over(
        &mut self,
        functions: &[Vec<String>; 3],
        inside: &str,
        group: Vec<Handed>,
        out: &mut Resources,
    ) -> Result<Parts, Diagnostic> {
        let ids = self.shader()?.syntax.ids;
        let lengths = lengths(&(functions.concat().concat() + inside), out);
        let mut handed = std::mem::take(&mut out.handed);
        handed.extend(lengths);
        handed.extend(group);
        handed.extend(ids.iter().map(|(name, attribute, ty)| Handed {
            name: name.to_string(),
            param: format!("{ty} {name}"),
            from: From::Attribute(attribute.to_string()),
            binding: None,
        }));
        // Callees come first; functions of one name are handed the same.
        let mut given: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        loop {
            let before: usize = given.values().map(BTreeSet::len).sum();
            for (text, is_made) in functions
                .iter()
                .zip([true, false, false])
                .flat_map(|(list, is_made)| list.iter().map(move |text| (text, is_made)))
            {
                let mut needs = needs(text, &params_of(text), &handed, &given);
                // What is made for types has names of its own, and reaches no resource.
                needs.retain(|&at| !is_made || ids.iter().any(|(name, ..)| *name == handed[at].name));
                given.entry(name_of(text)).or_default().extend(needs);
            }
            if given.values().map(BTreeSet::len).sum::<usize>() == before {
                break;
            }
        }
        let [made, reaches, bodies] = functions.each_ref().map(|list| {
            let text = |text: &String| with_arguments(text, name_of(text), &given, &handed);
            list.iter().map(text).collect::<Vec<_>>()
        });
        let [made, reaches] = [made, reaches].map(|list| list.iter().map(|text| compact(text)).collect::<Vec<_>>());
        let texts = [made.concat(), reaches.join("\n"), bodies.join("\n")];
        let text =
            texts.iter().filter(|text| !text.is_empty()).map(|text| format!("{}\n\n", text.trim_end())).collect();
        let (mut params, mut body) = (Vec::new(), String::new());
        for of in needs(inside, &[], &handed, &given).iter().map(|&at| &handed[at]) {
            match &of.from {
                From::Attribute(attribute) => params.push(format!("{} [[{attribute}]]", of.param)),
                From::Declared(declared) => {
                    let _ = writeln!(body, "    {declared}");
                }
            }
        }
        body += &with_arguments(inside, "", &given, &handed);
        let of = |needs: &BTreeSet<usize>| needs.iter().map(|&at| handed[at].name.clone()).collect();
        let told =
            given.iter().filter(|(_, needs)| !needs.is_empty()).map(|(name, needs)| (name.to_string(), of(needs)));
        Ok(Parts { text, params, body, handed: told.collect(), resources: Resources::default() })
    }
}

/// How many elements buffers have, if a text asks for that, and their binding.
fn lengths(text: &str, out: &mut Resources) -> Option<Handed> {
    let prefix = format!("{LENGTHS}.");
    let asked = out.handed.iter().filter(|h| mentions(text, &format!("{prefix}{}", h.name)));
    let asked: Vec<(String, u32)> = asked.filter_map(|h| Some((h.name.clone(), h.binding?))).collect();
    if asked.is_empty() {
        return None;
    }
    let members: String = asked.iter().map(|(name, _)| format!("    uint {name};\n")).collect();
    let of: Vec<u32> = asked.iter().map(|(_, binding)| *binding).collect();
    out.text += &format!("// How many elements buffers have.\nstruct {COUNTS} {{\n{members}}};\n");
    let binding = out.binding(false).binding;
    out.bindings.push(json!({
        "name": LENGTHS, "kind": "lengths", "set": 0, "binding": binding, "access": "read", "of": of,
    }));
    let from = From::Attribute(format!("buffer({binding})"));
    Some(Handed { name: LENGTHS.to_string(), param: format!("constant {COUNTS}& {LENGTHS}"), from, binding: None })
}

/// The functions of a text of several.
fn each_function(text: &str) -> Vec<String> {
    let (mut all, mut one) = (Vec::new(), String::new());
    for line in text.split_inclusive('\n') {
        one += line;
        let inside = line.starts_with([' ', '/']) || !line.trim_end().ends_with('}');
        if !inside {
            all.push(std::mem::take(&mut one).trim_start().to_string());
        }
    }
    all.extend((!one.trim().is_empty()).then_some(one));
    all
}

/// The name of a function, which stands before its parameters.
fn name_of(text: &str) -> &str {
    let head = text.lines().find(|line| !line.starts_with("//") && !line.is_empty()).unwrap_or_default();
    let before = head.split('(').next().unwrap_or_default();
    before.rsplit(' ').next().unwrap_or_default()
}

/// The names of a function's parameters.
fn params_of(text: &str) -> Vec<&str> {
    let head = text.lines().find(|line| !line.starts_with("//") && !line.is_empty()).unwrap_or_default();
    let inside = head.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inside, _)| inside);
    inside.split(',').filter_map(|param| words(param).last().map(|(_, name)| name)).collect()
}

/// What a text names, itself or by what it calls, by number; members of structs, and names of its
/// `own`, are no others.
fn needs(text: &str, own: &[&str], handed: &[Handed], given: &BTreeMap<&str, BTreeSet<usize>>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (at, word) in words(text) {
        if !text[..at].ends_with('.') && !own.contains(&word) {
            found.extend(handed.iter().position(|h| h.name == word));
        }
        if text[at + word.len()..].starts_with('(') {
            found.extend(given.get(word).into_iter().flatten());
        }
    }
    found
}

/// The words of a text that are not in comments, each with where it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let start = at + rest.find(part)?;
            let comment = rest.find("//").map(|n| at + n).filter(|&comment| comment < start);
            if let Some(comment) = comment {
                at = comment + text[comment..].find('\n')?;
                continue;
            }
            at = text[start..].find(|c| !part(c)).map_or(text.len(), |n| start + n);
            return Some((start, &text[start..at]));
        }
    })
}

/// A text in which what calls are to be handed stands before their other arguments, and what
/// function `own` is handed before its parameters.
fn with_arguments(text: &str, own: &str, given: &BTreeMap<&str, BTreeSet<usize>>, handed: &[Handed]) -> String {
    let (mut out, mut done, mut head) = (String::new(), 0, true);
    for (start, word) in words(text) {
        let end = start + word.len();
        let needs = given.get(word).filter(|needs| !needs.is_empty() && text[end..].starts_with('('));
        let Some(needs) = needs else { continue };
        let is_head = head && word == own;
        head &= !is_head;
        let one = |&at: &usize| if is_head { &handed[at].param[..] } else { &handed[at].name };
        out += &text[done..=end];
        out += &needs.iter().map(one).collect::<Vec<_>>().join(", ");
        done = end + 1;
        if !text[done..].starts_with(')') {
            out += ", ";
        }
    }
    out + &text[done..]
}
