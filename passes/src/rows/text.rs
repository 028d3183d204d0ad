//! Parses the text of a row.

use super::condition::{Condition, find};
use super::row::Row;
use super::term::{Compare, MAX_PREDICATES, MAX_VARIABLES, NodeTerm, Parsed, Term};
use caustic_dialects::arith::{CmpF, CmpI, FloatPredicate, IntPredicate};
use caustic_ir::{Dialect, OpDef};

struct Reader<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    variables: Vec<String>,
    predicates: Vec<String>,
    dialects: &'static [&'static Dialect],
    /// Whether a word that is not known is a new variable.
    open: bool,
}

/// The op of `arith`, `math` or one of these dialects whose name without the dialect is `word`.
fn op_named(word: &str, dialects: &[&'static Dialect]) -> Option<&'static OpDef> {
    let known = [&caustic_dialects::arith::DIALECT, &caustic_dialects::math::DIALECT];
    let is_named = |op: &OpDef, dialect: &str| op.name.get(dialect.len() + 1..) == Some(word);
    known.iter().chain(dialects).flat_map(|d| d.all_ops()).find(|op| is_named(op, op.dialect()))
}

fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let n = if "(),@".contains(c) {
            c.len_utf8()
        } else {
            rest.find(|c: char| c.is_whitespace() || "(),@".contains(c)).unwrap_or(rest.len())
        };
        out.push(&rest[..n]);
        rest = rest[n..].trim_start();
    }
    out
}

pub(super) fn parse(row: &Row) -> Result<Parsed, String> {
    let mut r = Reader {
        tokens: tokens(row.left),
        at: 0,
        variables: Vec::new(),
        predicates: Vec::new(),
        dialects: row.dialects,
        open: true,
    };
    let left = r.whole_term()?;
    if !matches!(left, Term::Node(_)) {
        return Err("the left side is no op".into());
    }
    r.open = false;
    (r.tokens, r.at) = (tokens(row.right), 0);
    let right = r.whole_term()?;
    (r.tokens, r.at) = (tokens(row.when), 0);
    let mut when = Vec::new();
    while r.at < r.tokens.len() {
        when.push(r.condition()?);
        if r.peek() == Some(",") {
            r.at += 1;
        }
    }
    if r.variables.len() > MAX_VARIABLES || r.predicates.len() > MAX_PREDICATES {
        return Err("too many variables".into());
    }
    Ok(Parsed { left, right, when, variables: r.variables, predicates: r.predicates.len() })
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Result<&'a str, String> {
        let token = self.peek().ok_or("the term ends early")?;
        self.at += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let token = self.next()?;
        if token == wanted { Ok(()) } else { Err(format!("`{wanted}` is expected, and not `{token}`")) }
    }

    fn whole_term(&mut self) -> Result<Term, String> {
        let term = self.term()?;
        if self.at < self.tokens.len() { Err("something follows the term".into()) } else { Ok(term) }
    }

    fn term(&mut self) -> Result<Term, String> {
        let token = self.next()?;
        if token != "(" {
            return if self.peek() == Some("@") { self.labelled(token) } else { self.leaf(token) };
        }
        let head = self.next()?;
        if self.peek() == Some("@") {
            let term = self.labelled(head)?;
            self.expect(")")?;
            return Ok(term);
        }
        if self.peek() == Some(")") {
            self.at += 1;
            return self.leaf(head);
        }
        if head == "-" {
            let number = self.next()?;
            self.expect(")")?;
            let value: f64 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
            return Ok(Term::Literal(-value));
        }
        let def = op_named(head, self.dialects).ok_or_else(|| format!("there is no op `{head}`"))?;
        let compare = match (std::ptr::eq(def, CmpI::DEF), std::ptr::eq(def, CmpF::DEF)) {
            (false, false) => None,
            (is_int, _) => Some(self.compare(is_int)?),
        };
        let mut args = Vec::new();
        while self.peek() != Some(")") {
            args.push(self.term()?);
        }
        self.at += 1;
        if !def.has_variadic_operands() && args.len() != def.operands.len() {
            return Err(format!("`{head}` takes {} operands", def.operands.len()));
        }
        Ok(Term::Node(NodeTerm { def, compare, args, label: None }))
    }

    /// `m@(op …)`: the result of the op is also the variable `m`.
    fn labelled(&mut self, name: &str) -> Result<Term, String> {
        self.at += 1;
        if !self.open {
            return Err(format!("`{name}` is a name for a part of the left side"));
        }
        let Term::Node(mut node) = self.term()? else { return Err(format!("`{name}` is no name for an op")) };
        if self.variables.iter().any(|known| known == name) {
            return Err(format!("`{name}` stands for two things"));
        }
        node.label = Some(self.variable(name)?);
        Ok(Term::Node(node))
    }

    fn leaf(&mut self, word: &str) -> Result<Term, String> {
        match word {
            "true" => return Ok(Term::Literal(1.0)),
            "false" => return Ok(Term::Literal(0.0)),
            _ => {}
        }
        if let Ok(value) = word.parse::<f64>() {
            return Ok(Term::Literal(value));
        }
        self.variable(word).map(Term::Var)
    }

    fn variable(&mut self, word: &str) -> Result<u8, String> {
        let open = self.open;
        number(&mut self.variables, word, open)
    }

    fn compare(&mut self, is_int: bool) -> Result<Compare, String> {
        let word = self.next()?;
        if word == "(" {
            let change = self.next()?;
            let name = self.next()?;
            self.expect(")")?;
            let n = number(&mut self.predicates, name, false)?;
            return match change {
                "swapped" => Ok(Compare::Swapped(n)),
                "inverse" => Ok(Compare::Inverse(n)),
                _ => Err(format!("`{change}` does nothing to predicates")),
            };
        }
        let known = if is_int {
            IntPredicate::from_keyword(word).map(Compare::Int)
        } else {
            FloatPredicate::from_keyword(word).map(Compare::Float)
        };
        match known {
            Some(known) => Ok(known),
            None => {
                let open = self.open;
                number(&mut self.predicates, word, open).map(Compare::Any)
            }
        }
    }

    fn condition(&mut self) -> Result<Condition, String> {
        let name = self.next()?;
        let predicate = find(name).ok_or_else(|| format!("there is no predicate `{name}`"))?;
        self.expect("(")?;
        let mut vars = Vec::new();
        while self.peek() != Some(")") {
            let word = self.next()?;
            vars.push(self.variable(word)?);
            match self.peek() {
                Some(",") => self.at += 1,
                Some(")") => {}
                other => return Err(format!("`{}` does not belong into a condition", other.unwrap_or("the end"))),
            }
        }
        self.at += 1;
        if vars.len() != predicate.arity {
            return Err(format!("`{name}` takes {} variables", predicate.arity));
        }
        Ok(Condition { predicate, vars })
    }
}

/// The index of a name in a list. A name that is not in the list is added if `open` allows it.
fn number(names: &mut Vec<String>, word: &str, open: bool) -> Result<u8, String> {
    let at = match names.iter().position(|n| n == word) {
        Some(at) => at,
        None if open => {
            names.push(word.to_string());
            names.len() - 1
        }
        None => return Err(format!("`{word}` is no variable of the left side")),
    };
    u8::try_from(at).map_err(|_| "too many variables".to_string())
}
