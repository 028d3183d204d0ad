//! Changes to programs as trees of tokens.
//!
//! Most of what they make is no program; the predicate says so, quickly. The order is what matters:
//! large pieces go first.

use crate::search::{Candidates, Pass};
use crate::tokens::{Group, Node, parse, print};

pub const PASSES: &[Pass] = &[chunks, unwrap, parameters, operands, simpler, nodes];

/// Where a group stands: the numbers of the groups around it among their siblings.
type Place = Vec<usize>;

fn groups(root: &Group) -> Vec<(Place, &Group)> {
    let mut out = vec![(Vec::new(), root)];
    let mut at = 0;
    while at < out.len() {
        let (place, group) = out[at].clone();
        for (i, child) in group.children.iter().enumerate() {
            if let Node::Group(inner) = child {
                let mut place = place.clone();
                place.push(i);
                out.push((place, inner));
            }
        }
        at += 1;
    }
    out
}

fn group_mut<'a>(root: &'a mut Group, place: &[usize]) -> Option<&'a mut Group> {
    let mut group = root;
    for &i in place {
        match group.children.get_mut(i)? {
            Node::Group(inner) => group = inner,
            Node::Token(_) => return None,
        }
    }
    Some(group)
}

/// The tree with `children` in the place of those of one group.
fn with_children(root: &Group, place: &[usize], children: Vec<Node>) -> String {
    let mut tree = root.clone();
    if let Some(group) = group_mut(&mut tree, place) {
        group.children = children;
    }
    print(&tree)
}

/// A change: the group, and what its children become.
type Change = (Place, Box<dyn Fn(&Group) -> Vec<Node> + Send + Sync>);

fn candidates(root: Group, changes: Vec<Change>) -> Candidates {
    Box::new(move |index| {
        let (place, change) = changes.get(index)?;
        let mut tree = root.clone();
        let group = group_mut(&mut tree, place)?;
        let children = change(group);
        Some(with_children(&root, place, children))
    })
}

fn without(group: &Group, from: usize, to: usize) -> Vec<Node> {
    group.children.iter().enumerate().filter(|(i, _)| !(from..to).contains(i)).map(|(_, n)| n.clone()).collect()
}

/// The items of a group, as ranges of its children: statements and declarations, or what commas
/// separate.
fn items(group: &Group) -> Vec<(usize, usize)> {
    let statements = group.open.is_empty() || group.open == "{";
    let (mut out, mut start) = (Vec::new(), 0);
    for (i, child) in group.children.iter().enumerate() {
        let next_is = |text: &str| group.children.get(i + 1).is_some_and(|n| n.is(text));
        let ends = child.is(",")
            || statements && child.is(";")
            || statements && child.group("{").is_some() && !next_is(";") && !next_is(",")
            || matches!(child, Node::Token(t) if t.starts_with('#') && t.len() > 1);
        if ends {
            out.push((start, i + 1));
            start = i + 1;
        }
    }
    if start < group.children.len() {
        out.push((start, group.children.len()));
    }
    out
}

/// Leaves out runs of items: halves of each list first, single ones last.
fn chunks(text: &str) -> Candidates {
    let root = parse(text);
    let mut changes: Vec<(usize, Change)> = Vec::new();
    for (place, group) in groups(&root) {
        let items = items(group);
        let mut size = items.len();
        while size > 0 {
            for chunk in items.chunks(size) {
                let (from, to) = (chunk[0].0, chunk[chunk.len() - 1].1);
                let tokens: usize = group.children[from..to].iter().map(Node::size).sum();
                let change = move |g: &Group| without(g, from, to);
                changes.push((tokens, (place.clone(), Box::new(change))));
            }
            size /= 2;
        }
    }
    changes.sort_by_key(|(tokens, _)| std::cmp::Reverse(*tokens));
    candidates(root, changes.into_iter().map(|(_, change)| change).collect())
}

/// Puts what stands in a block in the place of the statement that it belongs to, and what stands in
/// parentheses in the place of a call.
fn unwrap(text: &str) -> Candidates {
    let root = parse(text);
    let mut changes: Vec<Change> = Vec::new();
    for (place, group) in groups(&root) {
        for (from, to) in items(group) {
            let inner: Vec<usize> = (from..to).filter(|&i| group.children[i].group("{").is_some()).collect();
            for at in inner {
                changes.push((place.clone(), Box::new(move |g: &Group| spliced(g, from, to, at))));
            }
        }
        for (i, child) in group.children.iter().enumerate() {
            let Some(inner) = child.group("(") else { continue };
            let named = i > 0 && group.children[i - 1].is_word();
            let from = i - named as usize;
            for (first, last) in items(inner) {
                let change = move |g: &Group| {
                    let mut out = g.children[..from].to_vec();
                    if let Some(Node::Group(inner)) = g.children.get(i) {
                        let end = if inner.children.get(last - 1).is_some_and(|n| n.is(",")) { last - 1 } else { last };
                        out.extend_from_slice(&inner.children[first..end]);
                    }
                    out.extend_from_slice(&g.children[i + 1..]);
                    out
                };
                changes.push((place.clone(), Box::new(change)));
            }
        }
    }
    candidates(root, changes)
}

/// The group's children, with those of child `at` in the place of the range.
fn spliced(group: &Group, from: usize, to: usize, at: usize) -> Vec<Node> {
    let mut out = group.children[..from].to_vec();
    if let Some(Node::Group(inner)) = group.children.get(at) {
        out.extend_from_slice(&inner.children);
    }
    out.extend_from_slice(&group.children[to..]);
    out
}

/// Leaves out one parameter of a function together with the argument of each call.
fn parameters(text: &str) -> Candidates {
    let root = parse(text);
    let mut wanted: Vec<(String, usize)> = Vec::new();
    for (_, group) in groups(&root) {
        for pair in group.children.windows(3) {
            if let [Node::Token(name), list, body] = pair
                && pair[0].is_word()
                && let Some(list) = list.group("(")
                && body.group("{").is_some()
            {
                wanted.extend((0..items(list).len()).map(|n| (name.clone(), n)));
            }
        }
    }
    Box::new(move |index| {
        let (name, n) = wanted.get(index)?;
        let mut tree = root.clone();
        drop_argument(&mut tree, name, *n);
        Some(print(&tree))
    })
}

fn drop_argument(group: &mut Group, name: &str, n: usize) {
    for i in 0..group.children.len() {
        let called = i > 0 && group.children[i - 1].is(name);
        let Node::Group(inner) = &mut group.children[i] else { continue };
        if called
            && inner.open == "("
            && let list = items(inner)
            && let Some(&(from, to)) = list.get(n)
        {
            // The last one takes the comma before it along.
            let from = if n + 1 == list.len() && from > 0 { from - 1 } else { from };
            inner.children.drain(from..to);
        }
        drop_argument(inner, name, n);
    }
}

const BINARY: &[&str] =
    &["+", "-", "*", "/", "%", "&&", "||", "==", "!=", "<", ">", "<=", ">=", "&", "|", "^", "<<", ">>", "?", ":", "="];

/// Leaves only one operand of an operator: what stands left or right of it up to the next one.
fn operands(text: &str) -> Candidates {
    let root = parse(text);
    let mut changes: Vec<Change> = Vec::new();
    for (place, group) in groups(&root) {
        let is_operator = |i: usize| BINARY.iter().any(|op| group.children[i].is(op));
        let is_end = |i: usize| is_operator(i) || [",", ";", "return"].iter().any(|t| group.children[i].is(t));
        for i in (0..group.children.len()).filter(|&i| is_operator(i)) {
            let left = (0..i).rev().find(|&k| is_end(k)).map_or(0, |k| k + 1);
            let right = (i + 1..group.children.len()).find(|&k| is_end(k)).unwrap_or(group.children.len());
            changes.push((place.clone(), Box::new(move |g: &Group| without(g, left, i + 1))));
            changes.push((place.clone(), Box::new(move |g: &Group| without(g, i, right))));
        }
    }
    candidates(root, changes)
}

/// What a token may become: something shorter of its sort.
fn shorter(token: &str) -> Vec<String> {
    let first = token.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() || first == '.' {
        let point = token.contains('.');
        return if point { vec!["0.0".into(), "1.0".into()] } else { vec!["0".into(), "1".into(), "2".into()] };
    }
    let Some(digits) = token.find(|c: char| c.is_ascii_digit()) else { return Vec::new() };
    match &token[..digits] {
        // A vector or matrix: the type of its scalars, or a smaller one.
        scalar @ ("float" | "double" | "half" | "int" | "uint" | "bool") => vec![scalar.into(), format!("{scalar}2")],
        _ => Vec::new(),
    }
}

/// Simpler tokens in the place of others, everywhere at once and one by one.
fn simpler(text: &str) -> Candidates {
    let root = parse(text);
    let mut changes: Vec<Change> = Vec::new();
    for (place, group) in groups(&root) {
        for (i, child) in group.children.iter().enumerate() {
            let Node::Token(token) = child else { continue };
            for new in shorter(token).into_iter().filter(|new| new != token) {
                let change = move |g: &Group| {
                    let mut out = g.children.clone();
                    out[i] = Node::Token(new.clone());
                    out
                };
                changes.push((place.clone(), Box::new(change)));
            }
        }
    }
    candidates(root, changes)
}

/// Leaves out single tokens and groups, and pairs of neighbours.
fn nodes(text: &str) -> Candidates {
    let root = parse(text);
    let mut changes: Vec<Change> = Vec::new();
    for (place, group) in groups(&root) {
        for len in [2, 1] {
            for i in 0..(group.children.len() + 1).saturating_sub(len) {
                changes.push((place.clone(), Box::new(move |g: &Group| without(g, i, i + len))));
            }
        }
    }
    candidates(root, changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{State, run};

    fn reduced(text: &str, holds: impl Fn(&str) -> bool + Sync) -> String {
        let mut state = State::new(text.to_string(), 1);
        run(&mut state, PASSES, &holds);
        state.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_not_needed_goes() {
        let text = "struct S { int a; };\nfloat g(float x) { return x; }\nfloat f(float x, int n) { float s = 0.0; \
                    if (n > 3) { for (int i = 0; i < n; i++) { s += sin(x * 2.5); } } return s + g(x); }\n";
        // The predicate stands for a compiler: brackets have to match anyway, and the call has to
        // be in a loop of `f`.
        let holds = |t: &str| t.contains("sin(") && t.contains("for (") && t.contains(" f(");
        let out = reduced(text, holds);
        assert!(out.len() < 40, "{out}");
    }

    #[test]
    fn a_parameter_goes_with_its_arguments() {
        let text = "int f(int a, int b) { return b; }\nint g() { return f(1, 2); }\n";
        let all: Vec<String> = (0..).map_while(|i| parameters(text)(i)).collect();
        assert!(all.iter().any(|t| t.contains("int f(int b)") && t.contains("f(2)")), "{all:?}");
        assert!(all.iter().any(|t| t.contains("int f(int a)") && t.contains("f(1)")), "{all:?}");
    }

    #[test]
    fn blocks_are_unwrapped() {
        let text = "void f() { if (c) { a(); } else { b(); } }\n";
        let all: Vec<String> = (0..).map_while(|i| unwrap(text)(i)).collect();
        assert!(all.iter().any(|t| !t.contains("if") && t.contains("a();")), "{all:?}");
    }
}
