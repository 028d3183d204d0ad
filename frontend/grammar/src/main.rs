//! Turns the grammar (`frontend/src/grammar.pest`) into the tables that the parser runs on
//! (`frontend/src/parse/machine.rs`): a node for each expression of the grammar, with the bytes
//! that it can begin with, so that what cannot fit the next byte is not tried.
//!
//! Writes the tables as `grammar.tables` beside the grammar. They are kept there because reading a
//! grammar takes crates that a build of the compiler does not need otherwise. A test holds them
//! current.
//!
//! For each node there are two sets of bytes: those with which it may match something (`takes`),
//! and those before which it may match without taking anything (`skips`). They are the least sets
//! that satisfy the equations of the grammar; a set that is too large costs time, one that is too
//! small would refuse programs. The end of the text counts as byte 0.
//!
//! This must not know: what a rule means.

use pest_meta::ast::RuleType;
use pest_meta::optimizer::{OptimizedExpr, OptimizedRule};
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;

const GRAMMAR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/grammar.pest");
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/grammar.tables");

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Default)]
struct Bytes([u64; 4]);

impl Bytes {
    const ALL: Bytes = Bytes([u64::MAX; 4]);

    fn of(bytes: impl IntoIterator<Item = u8>) -> Bytes {
        let mut out = Bytes::default();
        bytes.into_iter().for_each(|b| out.0[usize::from(b >> 6)] |= 1 << (b & 63));
        out
    }
    /// The bytes that characters may begin with.
    fn of_chars(first: char, last: char) -> Bytes {
        let ascii = Bytes::of((0..128).filter(|b| (first..=last).contains(&char::from(*b))));
        if last.is_ascii() { ascii } else { ascii.or(Bytes::beyond_ascii()) }
    }
    fn beyond_ascii() -> Bytes {
        Bytes([0, 0, u64::MAX, u64::MAX])
    }
    fn or(self, other: Bytes) -> Bytes {
        Bytes(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
    fn and(self, other: Bytes) -> Bytes {
        Bytes(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// What a node matches; numbers are nodes.
enum Kind {
    Text(String),
    Chars(char, char),
    Property(&'static str),
    Any,
    Start,
    End,
    Seq(Vec<usize>),
    Choice(Vec<usize>),
    Opt(usize),
    Rep(usize),
    Ahead(usize),
    NotAhead(usize),
    Rule {
        name: String,
        atomic: bool,
        inner: usize,
    },
    /// The node of a silent rule, which gives no pair.
    Same(usize),
}

struct Node {
    kind: Kind,
    takes: Bytes,
    skips: Bytes,
}

/// Classes of characters that the grammar uses and does not define: the property's function and its
/// characters below 128.
const PROPERTIES: [(&str, fn(u8) -> bool); 2] =
    [("XID_START", |b| b.is_ascii_alphabetic()), ("XID_CONTINUE", |b| b.is_ascii_alphanumeric() || b == b'_')];

struct Compiler {
    nodes: Vec<Node>,
    /// The node of each rule.
    rules: HashMap<String, usize>,
}

/// The first of a list and the rest, if an expression is one.
type Pair<'p> = &'p dyn Fn(&OptimizedExpr) -> Option<(&OptimizedExpr, &OptimizedExpr)>;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

impl Compiler {
    fn add(&mut self, kind: Kind) -> usize {
        self.nodes.push(Node { kind, takes: Bytes::default(), skips: Bytes::default() });
        self.nodes.len() - 1
    }

    fn expr(&mut self, expr: &OptimizedExpr) -> Result<usize> {
        use OptimizedExpr as E;
        let kind = match expr {
            E::Str(text) => Kind::Text(text.clone()),
            E::Range(first, last) => Kind::Chars(one_char(first)?, one_char(last)?),
            E::Ident(name) => return self.named(name),
            E::PosPred(inner) => Kind::Ahead(self.expr(inner)?),
            E::NegPred(inner) => Kind::NotAhead(self.expr(inner)?),
            E::Opt(inner) => Kind::Opt(self.expr(inner)?),
            E::Rep(inner) => Kind::Rep(self.expr(inner)?),
            E::Seq(..) => Kind::Seq(self.list(expr, &|e| if let E::Seq(a, b) = e { Some((a, b)) } else { None })?),
            E::Choice(..) => {
                Kind::Choice(self.list(expr, &|e| if let E::Choice(a, b) = e { Some((a, b)) } else { None })?)
            }
            other => return Err(format!("{GRAMMAR}: the parser's machine does not know {other:?}").into()),
        };
        Ok(self.add(kind))
    }

    /// The nodes of a list that is a chain of pairs.
    fn list(&mut self, mut expr: &OptimizedExpr, pair: Pair) -> Result<Vec<usize>> {
        let mut items = Vec::new();
        while let Some((first, rest)) = pair(expr) {
            items.push(self.expr(first)?);
            expr = rest;
        }
        items.push(self.expr(expr)?);
        Ok(items)
    }

    /// The node of a rule, or of what every grammar has.
    fn named(&mut self, name: &str) -> Result<usize> {
        if let Some(&node) = self.rules.get(name) {
            return Ok(node);
        }
        let kind = match name {
            "ANY" => Kind::Any,
            "SOI" => Kind::Start,
            "EOI" => {
                let inner = self.add(Kind::End);
                Kind::Rule { name: name.to_string(), atomic: false, inner }
            }
            "ASCII_DIGIT" => Kind::Chars('0', '9'),
            "ASCII_HEX_DIGIT" => {
                let ranges = [('0', '9'), ('a', 'f'), ('A', 'F')];
                Kind::Choice(ranges.map(|(first, last)| self.add(Kind::Chars(first, last))).into())
            }
            _ => match PROPERTIES.iter().find(|(known, _)| *known == name) {
                Some((known, _)) => Kind::Property(known),
                None => return Err(format!("{GRAMMAR}: the parser's machine does not know `{name}`").into()),
            },
        };
        let node = self.add(kind);
        self.rules.insert(name.to_string(), node);
        Ok(node)
    }

    fn rule(&mut self, rule: &OptimizedRule) -> Result<()> {
        let inner = self.expr(&rule.expr)?;
        let node = self.rules[&rule.name];
        let atomic = matches!(rule.ty, RuleType::Atomic);
        self.nodes[node].kind = match rule.ty {
            RuleType::Silent => Kind::Same(inner),
            RuleType::Normal | RuleType::Atomic => Kind::Rule { name: rule.name.clone(), atomic, inner },
            _ => return Err(format!("{GRAMMAR}: `{}` is of a sort that the machine does not know", rule.name).into()),
        };
        Ok(())
    }

    /// What a node takes and skips, as far as it is known of its parts.
    fn sets(&self, node: usize, blanks: Bytes) -> (Bytes, Bytes) {
        let begin = |n: usize| self.nodes[n].takes.or(self.nodes[n].skips);
        let none = Bytes::default();
        match &self.nodes[node].kind {
            Kind::Text(text) => match text.bytes().next() {
                Some(first) => (Bytes::of([first]), none),
                None => (none, Bytes::ALL),
            },
            Kind::Chars(first, last) => (Bytes::of_chars(*first, *last), none),
            Kind::Property(name) => {
                let below = |b: u8| PROPERTIES.iter().any(|(known, holds)| known == name && holds(b));
                (Bytes::of((0..128).filter(|b| below(*b))).or(Bytes::beyond_ascii()), none)
            }
            Kind::Any => (Bytes::ALL, none),
            Kind::Start => (Bytes::ALL, Bytes::ALL),
            Kind::End => (none, Bytes::of([0])),
            Kind::Seq(items) => {
                // Blanks may lie between two items.
                let (mut takes, mut skips) = (none, Bytes::ALL);
                for (i, &item) in items.iter().enumerate() {
                    let between = if i > 0 { blanks } else { none };
                    takes = takes.or(skips.and(self.nodes[item].takes.or(between)));
                    skips = skips.and(self.nodes[item].skips);
                }
                (takes, skips)
            }
            Kind::Choice(items) => items.iter().fold((none, none), |(takes, skips), &item| {
                (takes.or(self.nodes[item].takes), skips.or(self.nodes[item].skips))
            }),
            Kind::Opt(inner) | Kind::Rep(inner) => (self.nodes[*inner].takes, Bytes::ALL),
            Kind::Ahead(inner) => (none, begin(*inner)),
            Kind::NotAhead(_) => (none, Bytes::ALL),
            Kind::Rule { inner, .. } | Kind::Same(inner) => (self.nodes[*inner].takes, self.nodes[*inner].skips),
        }
    }

    /// Sets grow until they satisfy the equations.
    fn solve(&mut self, blanks: Bytes) {
        loop {
            let mut settled = true;
            for node in 0..self.nodes.len() {
                let (takes, skips) = self.sets(node, blanks);
                settled &= takes == self.nodes[node].takes && skips == self.nodes[node].skips;
                (self.nodes[node].takes, self.nodes[node].skips) = (takes, skips);
            }
            if settled {
                return;
            }
        }
    }

    /// Without the nodes of silent rules in between.
    fn target(&self, mut node: usize) -> usize {
        while let Kind::Same(inner) = self.nodes[node].kind {
            node = inner;
        }
        node
    }

    /// Whether a node takes one character whenever its first byte is below 128 and in its set.
    fn is_class(&self, node: usize) -> bool {
        match &self.nodes[self.target(node)].kind {
            Kind::Text(text) => text.len() == 1,
            Kind::Chars(..) | Kind::Property(_) => true,
            Kind::Choice(items) => items.iter().all(|&item| {
                let beyond = self.nodes[item].takes.and(Bytes([u64::MAX, u64::MAX, 0, 0])) == Bytes::default();
                let takes_only = self.nodes[item].skips == Bytes::default();
                self.is_class(item) || beyond && takes_only
            }),
            _ => false,
        }
    }

    fn kind_text(&self, node: usize) -> String {
        let list = |items: &[usize]| items.iter().map(|&n| self.target(n).to_string()).collect::<Vec<_>>().join(", ");
        match &self.nodes[node].kind {
            Kind::Text(text) => format!("Text({text:?})"),
            Kind::Chars(first, last) => format!("Chars({first:?}, {last:?})"),
            Kind::Property(name) => format!(
                "Property(unicode_ident::{})",
                if *name == "XID_START" { "is_xid_start" } else { "is_xid_continue" }
            ),
            Kind::Any => "Any".to_string(),
            Kind::Start => "Start".to_string(),
            Kind::End => "End".to_string(),
            Kind::Seq(items) => format!("Seq(&[{}])", list(items)),
            Kind::Choice(items) => format!("Choice(&[{}])", list(items)),
            Kind::Opt(inner) => format!("Opt({})", self.target(*inner)),
            Kind::Rep(inner) => format!("Rep({})", self.target(*inner)),
            Kind::Ahead(inner) => format!("Ahead({})", self.target(*inner)),
            Kind::NotAhead(inner) => format!("NotAhead({})", self.target(*inner)),
            Kind::Rule { name, atomic, inner } => {
                format!("Rule {{ rule: Rule::r#{name}, atomic: {atomic}, inner: {} }}", self.target(*inner))
            }
            Kind::Same(inner) => format!("Choice(&[{}])", self.target(*inner)),
        }
    }

    fn tables(&self, rules: &[OptimizedRule]) -> Result<String> {
        let mut sets: Vec<Bytes> = Vec::new();
        let mut nodes = String::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let begin = node.takes.or(node.skips);
            let set = sets.iter().position(|s| *s == begin).unwrap_or_else(|| {
                sets.push(begin);
                sets.len() - 1
            });
            writeln!(nodes, "node({set}, {}, Kind::{}),", self.is_class(i), self.kind_text(i))?;
        }
        let mut out = "// Made from grammar.pest by `cargo run -p caustic-grammar`.\n".to_string();
        out.push_str("/// A rule of the grammar; some are only reported.\n#[allow(missing_docs, dead_code, non_camel_case_types, clippy::upper_case_acronyms)]\n");
        out.push_str("#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]\npub(crate) enum Rule {\nEOI,\n");
        for rule in rules {
            writeln!(out, "r#{},", rule.name)?;
        }
        writeln!(out, "}}\nstatic SETS: [Bytes; {}] = [", sets.len())?;
        for Bytes(words) in &sets {
            writeln!(out, "Bytes({words:?}),")?;
        }
        writeln!(out, "];\nstatic NODES: [Node; {}] = [\n{nodes}];", self.nodes.len())?;
        writeln!(out, "/// The node of a rule.\nfn root(rule: Rule) -> u16 {{\nmatch rule {{")?;
        for name in ["EOI"].into_iter().chain(rules.iter().map(|rule| &*rule.name)) {
            writeln!(out, "Rule::r#{name} => {},", self.target(self.rules[name]))?;
        }
        writeln!(out, "}}\n}}\n/// The node of what may lie between two items.")?;
        writeln!(out, "const BLANK: u16 = {};", self.target(self.rules["WHITESPACE"]))?;
        Ok(out)
    }
}

fn one_char(text: &str) -> Result<char> {
    text.chars().next().ok_or_else(|| format!("{GRAMMAR}: a range without an end").into())
}

/// The tables of the grammar, as text.
fn tables() -> Result<String> {
    let grammar = std::fs::read_to_string(GRAMMAR)?;
    let told = |errors: Vec<_>| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let (_, rules) = pest_meta::parse_and_optimize(&grammar).map_err(told)?;
    let mut compiler = Compiler { nodes: Vec::new(), rules: HashMap::new() };
    for rule in &rules {
        let node = compiler.add(Kind::Any);
        compiler.rules.insert(rule.name.clone(), node);
    }
    rules.iter().try_for_each(|rule| compiler.rule(rule))?;
    compiler.solve(Bytes::of([b' ', b'\n']));
    compiler.tables(&rules)
}

fn main() -> Result<()> {
    Ok(std::fs::write(TABLES, tables()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_grammar() -> Result<()> {
        let current = std::fs::read_to_string(TABLES)? == tables()?;
        assert!(current, "grammar.tables is not made from grammar.pest: `cargo run -p caustic-grammar` writes it");
        Ok(())
    }
}
