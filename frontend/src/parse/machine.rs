//! The parser: runs the grammar over a text and returns pairs, each a rule with the text that it
//! matched. The crate `caustic-grammar` makes tables of the grammar, on which this runs.
//!
//! It accepts what the parser accepts that `pest` generates from the same grammar: ordered choice,
//! blanks between items outside of atomic rules, no pairs inside of atomic rules and of lookahead.
//! It tries nothing that cannot begin with the next byte, and records nothing about attempts that
//! failed. When it fails, [`parse`] reads the text once more, tries everything and records how far
//! it came and what could have stood there (`attempts`), as the generated parser does.
//!
//! Invariant: an attempt that fails leaves the position and the pairs as they were.
//!
//! This module must not know what any rule is for.

use super::attempts::{Attempts, SyntaxError};

/// A set of bytes.
struct Bytes([u64; 4]);

impl Bytes {
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }
}

/// An expression of the grammar.
struct Node {
    /// The set in `SETS` of the bytes with which a match can begin; the end of the text counts as
    /// 0.
    begin: u16,
    /// Whether it matches one character, and each of these bytes below 128 is one that it matches.
    class: bool,
    kind: Kind,
}

const fn node(begin: u16, class: bool, kind: Kind) -> Node {
    Node { begin, class, kind }
}

/// What an expression matches. Numbers are indices of `NODES`.
enum Kind {
    Text(&'static str),
    /// A character of this range.
    Chars(char, char),
    Property(fn(char) -> bool),
    Any,
    Start,
    End,
    Seq(&'static [u16]),
    Choice(&'static [u16]),
    Opt(u16),
    Rep(u16),
    Ahead(u16),
    NotAhead(u16),
    Rule {
        rule: Rule,
        atomic: bool,
        inner: u16,
    },
}

include!("../grammar.tables");

/// A rule that matched. The matches of its parts follow it in the list, up to index `next`.
#[derive(Clone, Copy)]
struct Matched {
    rule: Rule,
    start: u32,
    end: u32,
    next: u32,
}

/// The matches in a text, each before those of its parts.
pub(crate) struct Tree<'i> {
    text: &'i str,
    matched: Vec<Matched>,
}

/// A rule and the text that it matched.
#[derive(Clone)]
pub(crate) struct Pair<'i> {
    tree: &'i Tree<'i>,
    at: u32,
}

/// An iterator over pairs that are parts of one pair.
#[derive(Clone)]
pub(crate) struct Pairs<'i> {
    tree: &'i Tree<'i>,
    at: u32,
    end: u32,
}

impl<'i> Tree<'i> {
    /// The outermost pairs.
    pub(crate) fn pairs(&'i self) -> Pairs<'i> {
        Pairs { tree: self, at: 0, end: self.matched.len() as u32 }
    }
}

impl<'i> Pair<'i> {
    fn matched(&self) -> &'i Matched {
        &self.tree.matched[self.at as usize]
    }
    pub(crate) fn as_rule(&self) -> Rule {
        self.matched().rule
    }
    /// The offset of its text in the whole text.
    pub(crate) fn start(&self) -> usize {
        self.matched().start as usize
    }
    pub(crate) fn as_str(&self) -> &'i str {
        let Matched { start, end, .. } = *self.matched();
        &self.tree.text[start as usize..end as usize]
    }
    /// What stands behind it on the line where it ends.
    pub(crate) fn rest_of_line(&self) -> &'i str {
        let rest = &self.tree.text[self.start() + self.as_str().trim_end().len()..];
        rest.split_once('\n').map_or(rest, |(line, _)| line)
    }
    /// The first token behind the offset `end`, and where it is, if it stands on a later line.
    pub(crate) fn next_line(&self, end: usize) -> Option<(usize, &'i str)> {
        let rest = self.tree.text.get(end..)?;
        let token = rest.trim_start();
        let at = end + (rest.len() - token.len());
        let word = token.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(token.len());
        let len = if word > 0 { word } else { token.chars().next()?.len_utf8() };
        self.tree.text[end..at].contains('\n').then(|| (at, &token[..len]))
    }
    /// Whether nothing stands between the offset `end` and its text.
    pub(crate) fn follows(&self, end: usize) -> bool {
        self.tree.text.get(end..self.start()).is_some_and(|between| between.trim().is_empty())
    }
    /// The pairs of its parts.
    pub(crate) fn into_inner(self) -> Pairs<'i> {
        Pairs { tree: self.tree, at: self.at + 1, end: self.matched().next }
    }
}

impl<'i> Iterator for Pairs<'i> {
    type Item = Pair<'i>;

    fn next(&mut self) -> Option<Pair<'i>> {
        if self.at >= self.end {
            return None;
        }
        let pair = Pair { tree: self.tree, at: self.at };
        self.at = pair.matched().next;
        Some(pair)
    }
}

struct Machine<'i> {
    text: &'i str,
    at: usize,
    matched: Vec<Matched>,
    /// Whether this is inside of an atomic rule, which has no blanks between items and no pairs.
    atomic: bool,
    /// Whether this is inside of a lookahead, which has no pairs.
    ahead: bool,
    /// Whether what matches here is what must not stand here.
    negative: bool,
    /// What failed, where that is recorded.
    attempts: Option<Attempts>,
}

impl Machine<'_> {
    fn next_byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn take_char(&mut self, is_taken: impl Fn(char) -> bool) -> bool {
        let next = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let taken = next.filter(|c| is_taken(*c));
        self.at += taken.map_or(0, char::len_utf8);
        taken.is_some()
    }

    /// Skips the blanks that may stand between two items.
    fn blanks(&mut self) {
        if self.atomic {
            return;
        }
        self.atomic = true;
        while self.run(BLANK) {}
        self.atomic = false;
    }

    /// Matches a node at the current position, or changes nothing.
    fn run(&mut self, node: u16) -> bool {
        let Node { begin, class, kind } = &NODES[usize::from(node)];
        let next = self.next_byte();
        let all = self.attempts.is_some();
        if !all && !SETS[usize::from(*begin)].has(next) {
            return false;
        }
        if *class && !all && next < 128 && self.at < self.text.len() {
            self.at += 1;
            return true;
        }
        match *kind {
            Kind::Text(text) => {
                let found = self.text.as_bytes()[self.at..].starts_with(text.as_bytes());
                self.at += if found { text.len() } else { 0 };
                found
            }
            Kind::Chars(first, last) => self.take_char(|c| (first..=last).contains(&c)),
            Kind::Property(holds) => self.take_char(holds),
            Kind::Any => self.take_char(|_| true),
            Kind::Start => self.at == 0,
            Kind::End => self.at == self.text.len(),
            Kind::Seq(items) => self.seq(items),
            Kind::Choice(items) => items.iter().any(|&item| self.run(item)),
            Kind::Opt(inner) => {
                self.run(inner);
                true
            }
            Kind::Rep(inner) => {
                let mut end = self.at;
                while self.run(inner) {
                    end = self.at;
                    self.blanks();
                }
                self.at = end;
                true
            }
            Kind::Ahead(inner) => self.look(inner, false),
            Kind::NotAhead(inner) => !self.look(inner, true),
            Kind::Rule { rule, atomic, inner } => self.rule(rule, atomic, inner),
        }
    }

    fn seq(&mut self, items: &[u16]) -> bool {
        let (at, matched) = (self.at, self.matched.len());
        for (i, &item) in items.iter().enumerate() {
            if i > 0 {
                self.blanks();
            }
            if !self.run(item) {
                self.at = at;
                self.matched.truncate(matched);
                return false;
            }
        }
        true
    }

    /// Whether a node would match at the current position.
    fn look(&mut self, inner: u16, unwanted: bool) -> bool {
        let (at, ahead, negative) = (self.at, self.ahead, self.negative);
        self.ahead = true;
        self.negative ^= unwanted;
        let found = self.run(inner);
        (self.at, self.ahead, self.negative) = (at, ahead, negative);
        found
    }

    fn rule(&mut self, rule: Rule, atomic: bool, inner: u16) -> bool {
        let (index, start, shown) = (self.matched.len(), self.at as u32, !self.ahead && !self.atomic);
        if shown {
            self.matched.push(Matched { rule, start, end: start, next: 0 });
        }
        let (outer, at) = (self.atomic, self.at);
        let before = self.attempts.as_ref().map(|a| a.count_at(at));
        self.atomic |= atomic;
        let found = self.run(inner);
        self.atomic = outer;
        if let Some((attempts, before)) = self.attempts.as_mut().zip(before)
            && found == self.negative
            && !self.atomic
        {
            attempts.note(rule, at, self.negative, before);
        }
        if shown {
            if found {
                let (end, next) = (self.at as u32, self.matched.len() as u32);
                let own = &mut self.matched[index];
                (own.end, own.next) = (end, next);
            } else {
                self.matched.truncate(index);
            }
        }
        found
    }
}

impl<'i> Machine<'i> {
    fn new(text: &'i str, attempts: Option<Attempts>) -> Machine<'i> {
        // An estimate for programs with usual spacing, so that the vector seldom grows.
        let matched = Vec::with_capacity(text.len() / 2);
        Machine { text, at: 0, matched, atomic: false, ahead: false, negative: false, attempts }
    }
}

/// Parses the beginning of `text` as `rule`. Returns `None` if it does not match.
pub(crate) fn read(rule: Rule, text: &str) -> Option<Tree<'_>> {
    let mut machine = Machine::new(text, None);
    machine.run(root(rule)).then_some(Tree { text, matched: machine.matched })
}

/// Like [`read`], but returns the syntax error if `text` does not match.
pub(crate) fn parse(rule: Rule, text: &str) -> Result<Tree<'_>, SyntaxError> {
    read(rule, text).ok_or_else(|| {
        let mut machine = Machine::new(text, Some(Attempts::default()));
        machine.run(root(rule));
        machine.attempts.unwrap_or_default().error()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pest::Parser;
    use pest::error::{ErrorVariant, InputLocation};

    mod pest_parser {
        #[derive(pest_derive::Parser)]
        #[grammar = "grammar.pest"]
        pub struct Grammar;
    }

    /// Pairs with their names and places, or where the text could not be read, and what could have
    /// stood there.
    type Shown = Result<Vec<(String, usize, usize)>, (usize, Vec<String>)>;

    fn ours(rule: Rule, text: &str) -> Shown {
        fn flatten(pairs: Pairs, out: &mut Vec<(String, usize, usize)>) {
            for pair in pairs {
                out.push((format!("{:?}", pair.as_rule()), pair.start(), pair.start() + pair.as_str().len()));
                flatten(pair.into_inner(), out);
            }
        }
        let tree = parse(rule, text).map_err(|e| (e.at, e.expected.iter().map(|r| format!("{r:?}")).collect()))?;
        let mut out = Vec::new();
        flatten(tree.pairs(), &mut out);
        Ok(out)
    }

    fn generated(rule: pest_parser::Rule, text: &str) -> Shown {
        let pairs = pest_parser::Grammar::parse(rule, text).map_err(|e| {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = e.location;
            let ErrorVariant::ParsingError { positives, .. } = e.variant else { return (at, Vec::new()) };
            (at, positives.iter().map(|r| format!("{r:?}")).collect())
        })?;
        let shown = pairs.flatten().map(|p| (format!("{:?}", p.as_rule()), p.as_span().start(), p.as_span().end()));
        Ok(shown.collect())
    }

    /// Samples of each kind of declaration and statement, with some that are wrong or unusual.
    const PIECES: &str = "\
        import a.b_c; namespace n.m { int x = 0x1Fu + 1.5e3 - .5h; } using namespace n;
        [a(1, \"s\")] [[b::c]] public static const float3 v[2][], *w = { 1, {2.0}, }, q : S(c0);
        struct S<let N : int = 3, T : I & J = int> : B where T : K { T t; __init() { } } s;
        enum class E : uint { A = 1, B, } interface I { associatedtype D : I; property int p { get; set { } } }
        extension<T> G<T> : H { __subscript(int i) -> T { get { return this[i]; } } }
        func f<each T>(expand each T x, inout float y = 2) throws E -> int { return try g<int>(x) ? 1 : a < b; }
        typedef vector<float, (3 + 1)> F; typealias A<T> = T[2]; __generic<T> T id(T x) : SV_Id;
        void main(uint3 id : SV_DispatchThreadID, void) { for (int i = 0; i < 4; ++i) { if (let a = b) break; else c++; }
            switch (x) { case 1: default: discard; } do { x = (float)-y; } while (x is float); [unroll] while (!b) { }
            defer z(); l: no_diff f(x); $for(i in Range(0, 3)) { } x = (int x) => x + 1; y = G\u{1}a && b>::c(\u{1}); }
        int \u{fc}ber = '\\n' ; int \u{2022} = ; float4 c = float4(1, 2, 3, 4.xx).xyz; int else = 4; } ; struct { int a
        }; x.y->z[1, 2]::w(&a, *b); return; (a, b,); sizeof(int); expand(f(each x)); __target_switch { case cpp: }";

    fn same(text: &str) {
        use pest_parser::Rule as Pest;
        for (rule, same) in [
            (Rule::file, Pest::file),
            (Rule::one_decl, Pest::one_decl),
            (Rule::one_stmt, Pest::one_stmt),
            (Rule::stmts, Pest::stmts),
            (Rule::expr, Pest::expr),
            (Rule::kw_any, Pest::kw_any),
            (Rule::reserved, Pest::reserved),
        ] {
            assert_eq!(ours(rule, text), generated(same, text), "{rule:?} of {text:?}");
        }
    }

    #[test]
    fn the_machine_reads_what_the_generated_parser_reads() {
        let places: Vec<usize> = PIECES.char_indices().map(|(i, _)| i).collect();
        for (n, &from) in places.iter().enumerate().step_by(7) {
            let length = [3, 11, 40, 150, 700][n % 5];
            let to = places.get(n + length).copied().unwrap_or(PIECES.len());
            same(&PIECES[from..to]);
        }
        same(PIECES);
        same("");
    }
}
