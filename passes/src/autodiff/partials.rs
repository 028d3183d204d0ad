//! The expressions of `AdRule::Partials`: one partial derivative per operand, as text in the op's
//! row.
//!
//! Grammar: numbers, operand names and `result`, `+ - * /`, unary `-`, `< <= > >= == !=` on floats,
//! `&& ||`, `select(c, a, b)`, and calls of any `math` or `arith` op by its short name (`sin(x)`,
//! `powf(x, y)`). Around a whole partial, `gated(p)` is one that is multiplied so that a zero
//! tangent annihilates, `gate(p)` one whose zero does, `strong(p)` both. All values have the type
//! of the op's result, so that one row serves scalars, vectors and matrices.

use crate::analysis::facts;
use crate::choices;
use crate::mutants::{self, Partial, PartialMutant};
use caustic_dialects::ad::Strong;
use caustic_dialects::{arith, math};
use caustic_ir::attr::AttrKind;
use caustic_ir::{Body, Builder, OpDef, OpId, Type, ValueId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::{OnceLock, RwLock};

/// The partials of a row, or what is wrong with one.
pub type Parsed = Result<Vec<Expr>, String>;

/// The partials of a row, parsed once: they are looked at for every op of the program.
pub fn of_row(texts: &'static [&'static str]) -> &'static Parsed {
    // By address: rows are statics, and two that share a table share its meaning.
    static ROWS: RwLock<FxHashMap<(usize, usize), &'static Parsed>> =
        RwLock::new(FxHashMap::with_hasher(rustc_hash::FxBuildHasher));
    let key = (texts.as_ptr().addr(), texts.len());
    if let Some(known) = ROWS.read().unwrap_or_else(|e| e.into_inner()).get(&key) {
        return known;
    }
    let parsed = texts.iter().map(|text| parse(text)).collect();
    // As many as there are rows.
    ROWS.write().unwrap_or_else(|e| e.into_inner()).entry(key).or_insert_with(|| Box::leak(Box::new(parsed)))
}

/// The partials of an op's row as derivatives are made of them: the row's own, unless a mutant of
/// the row is made.
pub fn as_made<'e>(def: &OpDef, exprs: &'e [Expr]) -> Cow<'e, [Expr]> {
    let Some(mutant) = mutants::of_partials(def) else { return Cow::Borrowed(exprs) };
    let wrong = |(i, expr): (usize, &Expr)| match mutant {
        PartialMutant::Bent => match expr {
            Expr::Number(_) => expr.clone(),
            _ => Expr::Call("*".into(), vec![expr.clone(), Expr::Number(1.000001)]),
        },
        PartialMutant::Of(n, _) if n != i => expr.clone(),
        PartialMutant::Of(_, Partial::Negated) => Expr::Call("neg".into(), vec![expr.clone()]),
        PartialMutant::Of(_, Partial::Dropped) => Expr::Number(0.0),
        PartialMutant::Of(_, Partial::Swapped) => exprs[(i + 1) % exprs.len()].clone(),
    };
    Cow::Owned(exprs.iter().enumerate().map(wrong).collect())
}

/// The op of `math`, else of `arith`, with this short name.
fn op_named(short: &str) -> Option<&'static OpDef> {
    static OPS: OnceLock<FxHashMap<&'static str, &'static OpDef>> = OnceLock::new();
    let ops = OPS.get_or_init(|| {
        let all = arith::DIALECT.all_ops().chain(math::DIALECT.all_ops());
        all.filter_map(|def| Some((def.name.split_once('.')?.1, def))).collect()
    });
    ops.get(short).copied()
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Number(f64),
    Name(String),
    Call(String, Vec<Expr>),
}

impl Expr {
    /// The number that the expression is, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Expr::Number(n) => Some(*n),
            Expr::Call(f, args) if f == "neg" => args.first()?.as_number().map(|n| -n),
            _ => None,
        }
    }

    /// Whose zero annihilates in the product of the partial and the tangent.
    pub fn strong(&self) -> Option<Strong> {
        match self {
            Expr::Call(f, _) => STRONG.iter().find(|(word, _)| word == f).map(|(_, strong)| *strong),
            _ => None,
        }
    }

    /// Whether it is a select one of whose ways ends in the number zero.
    pub fn may_be_zero(&self, singular: SingularPoints) -> bool {
        match self {
            Expr::Call(f, args) if f == "select" => args.iter().skip(1).any(|a| a.may_be_zero(singular)),
            Expr::Call(f, args) if f == "singular" => {
                args.get(usize::from(singular == SingularPoints::Ieee)).is_some_and(|a| a.may_be_zero(singular))
            }
            _ => self.as_number() == Some(0.0),
        }
    }

    /// Whether it may be infinite or no number. `known` gives the numbers that operands are for
    /// sure, `finite` whether they are numbers at all.
    pub fn may_be_infinite(&self, known: &dyn Fn(&str) -> Option<f64>, finite: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Expr::Number(n) => !n.is_finite(),
            Expr::Name(name) => !finite(name),
            // What a condition is does not matter, only what is chosen.
            Expr::Call(f, args) if f == "select" => args.iter().skip(1).any(|a| a.may_be_infinite(known, finite)),
            Expr::Call(f, args) => {
                let plain = ["+", "-", "*", "neg", "sin", "cos"];
                let divides = |d: &Expr| !d.number(known).is_some_and(|d| d.recip().is_finite());
                let raises = |e: &Expr| !e.number(known).is_some_and(|e| e >= 0.0);
                let whole = match (f.as_str(), &args[..]) {
                    ("/", [_, by]) => divides(by),
                    ("powf", [_, exponent]) => raises(exponent),
                    (name, _) => !plain.contains(&name),
                };
                whole || args.iter().any(|a| a.may_be_infinite(known, finite))
            }
        }
    }

    /// The number that it is, if that follows from what is known.
    fn number(&self, known: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        let args = match self {
            Expr::Number(n) => return Some(*n),
            Expr::Name(name) => return known(name),
            Expr::Call(_, args) => args.iter().map(|a| a.number(known)).collect::<Option<Vec<f64>>>()?,
        };
        let Expr::Call(name, _) = self else { return None };
        match (name.as_str(), &args[..]) {
            ("neg", [x]) => Some(-x),
            ("+", [x, y]) => Some(x + y),
            ("-", [x, y]) => Some(x - y),
            ("*", [x, y]) => Some(x * y),
            ("/", [x, y]) => Some(x / y),
            _ => None,
        }
    }
}

/// Words around a partial that say whose zero annihilates in its product with the tangent.
const STRONG: [(&str, Strong); 3] = [("strong", Strong::Both), ("gated", Strong::Tangent), ("gate", Strong::Factor)];

/// Parses one partial.
fn parse(text: &str) -> Result<Expr, String> {
    let mut p = Parser { rest: text };
    let expr = p.binary(0)?;
    p.skip();
    if p.rest.is_empty() { Ok(expr) } else { Err(format!("`{}` is left over in `{text}`", p.rest)) }
}

struct Parser<'a> {
    rest: &'a str,
}

/// Binary operators by precedence, loosest first; longer spellings before their prefixes.
const LEVELS: &[&[&str]] = &[&["||"], &["&&"], &["<=", ">=", "==", "!=", "<", ">"], &["+", "-"], &["*", "/"]];

impl Parser<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }
    fn eat(&mut self, token: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
    fn binary(&mut self, level: usize) -> Result<Expr, String> {
        let Some(ops) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(op) = ops.iter().find(|op| self.eat(op)) {
            let right = self.binary(level + 1)?;
            left = Expr::Call(op.to_string(), vec![left, right]);
        }
        Ok(left)
    }
    fn unary(&mut self) -> Result<Expr, String> {
        if self.eat("-") {
            return Ok(Expr::Call("neg".into(), vec![self.unary()?]));
        }
        if self.eat("(") {
            let inner = self.binary(0)?;
            return if self.eat(")") { Ok(inner) } else { Err("`)` is missing".into()) };
        }
        self.skip();
        let word: String =
            self.rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')).collect();
        if word.is_empty() {
            return Err(format!("an operand is missing at `{}`", self.rest));
        }
        self.rest = &self.rest[word.len()..];
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            // A float such as 1e-7 has a sign inside.
            let mut number = word;
            if number.ends_with(['e', 'E']) && (self.rest.starts_with('-') || self.rest.starts_with('+')) {
                let tail: String = self
                    .rest
                    .chars()
                    .enumerate()
                    .take_while(|(i, c)| *i == 0 || c.is_ascii_digit())
                    .map(|(_, c)| c)
                    .collect();
                self.rest = &self.rest[tail.len()..];
                number.push_str(&tail);
            }
            return number.parse().map(Expr::Number).map_err(|_| format!("`{number}` is no number"));
        }
        if !self.eat("(") {
            return Ok(Expr::Name(word));
        }
        let mut args = Vec::new();
        while !self.eat(")") {
            args.push(self.binary(0)?);
            if !self.eat(",") && !self.rest.trim_start().starts_with(')') {
                return Err(format!("`,` or `)` is missing at `{}`", self.rest));
            }
        }
        Ok(Expr::Call(word, args))
    }
}

/// The operand of an op, or its result, that a partial calls by this name.
fn named(body: &Body, op: OpId, name: &str) -> Option<ValueId> {
    let at = body.op(op).def.operands.iter().position(|o| o.name == name);
    at.map_or_else(|| (name == "result").then(|| body.result(op, 0)), |at| body.operands(op).get(at).copied())
}

/// Whether what a partial of an op calls by this name is a number and no infinity, whatever comes.
pub fn is_finite(body: &Body, op: OpId, name: &str) -> bool {
    named(body, op, name).is_some_and(|value| facts::is_finite(body, value))
}

/// The number that an operand of an op is, if the code says so; of lanes the one that they all are.
pub fn known(body: &Body, op: OpId, name: &str) -> Option<f64> {
    number_of(body, named(body, op, name)?)
}

/// The number that a value is, if the code says so; of lanes the one that they all are.
pub fn number_of(body: &Body, value: ValueId) -> Option<f64> {
    let value = arith::constant_of(body, value)?;
    match value.kind() {
        AttrKind::Dense(items, _) => {
            let first = items.first()?.as_float()?;
            items.iter().all(|i| i.as_float() == Some(first)).then_some(first)
        }
        _ => value.as_float(),
    }
}

choices! {
    /// What derivatives are where their formula is no number though the function is:
    /// `singular(zero, ieee)` in a row.
    pub enum SingularPoints {
        /// What docs/singular.md says, most often zero.
        Convention = "convention",
        /// What IEEE arithmetic makes of the formula.
        Ieee = "ieee",
    }
}

/// Builds the expression for values of type `ty`; `lookup` knows the operands and `result`.
pub fn build(
    b: &mut Builder<'_>,
    expr: &Expr,
    ty: Type,
    singular: SingularPoints,
    lookup: &dyn Fn(&str) -> Option<ValueId>,
) -> Result<ValueId, String> {
    let (name, args) = match expr {
        Expr::Number(n) => return Ok(arith::float(b, *n, ty)),
        Expr::Name(name) => return lookup(name).ok_or_else(|| format!("`{name}` is no operand")),
        Expr::Call(name, args) => (name.as_str(), args),
    };
    if let ("singular", [zero, ieee]) = (name, &args[..]) {
        return build(b, if singular == SingularPoints::Convention { zero } else { ieee }, ty, singular, lookup);
    }
    let vals: Vec<ValueId> = args.iter().map(|a| build(b, a, ty, singular, lookup)).collect::<Result<_, _>>()?;
    let two = || match vals[..] {
        [x, y] => Ok((x, y)),
        _ => Err(format!("`{name}` takes two operands")),
    };
    use arith::FloatPredicate as P;
    let compare = |b: &mut Builder<'_>, p: P| two().map(|(x, y)| arith::cmpf(b, p, x, y));
    match name {
        // Says how it is multiplied with the tangent.
        _ if expr.strong().is_some() => vals.first().copied().ok_or_else(|| format!("`{name}` takes one operand")),
        "+" => two().map(|(x, y)| arith::AddF::build(b, x, y, &[])),
        "-" => two().map(|(x, y)| arith::SubF::build(b, x, y, &[])),
        "*" => two().map(|(x, y)| arith::MulF::build(b, x, y, &[])),
        "/" => two().map(|(x, y)| arith::DivF::build(b, x, y, &[])),
        "&&" => two().map(|(x, y)| arith::AndI::build(b, x, y, &[])),
        "||" => two().map(|(x, y)| arith::OrI::build(b, x, y, &[])),
        "<" => compare(b, P::Olt),
        "<=" => compare(b, P::Ole),
        ">" => compare(b, P::Ogt),
        ">=" => compare(b, P::Oge),
        "==" => compare(b, P::Oeq),
        "!=" => compare(b, P::Une),
        "neg" => match vals[..] {
            [x] => Ok(arith::NegF::build(b, x, &[])),
            _ => Err("`-` takes one operand".into()),
        },
        "select" => match vals[..] {
            [c, x, y] => Ok(arith::Select::build(b, c, x, y, &[])),
            _ => Err("`select` takes three operands".into()),
        },
        _ => {
            let def = op_named(name).ok_or_else(|| format!("there is no op `{name}`"))?;
            if def.operands.len() != vals.len() || def.results.len() != 1 {
                return Err(format!("`{name}` takes {} operands", def.operands.len()));
            }
            Ok(caustic_ir::rows::build_inferred(b, def, &vals, &[]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_ir::{AdRule, Loc};

    #[test]
    fn precedence_and_numbers() {
        let e = parse("-a * 2 + 1e-3").unwrap();
        let product =
            Expr::Call("*".into(), vec![Expr::Call("neg".into(), vec![Expr::Name("a".into())]), Expr::Number(2.0)]);
        assert_eq!(e, Expr::Call("+".into(), vec![product, Expr::Number(1e-3)]));
        assert!(parse("f(a").is_err() && parse("a b").is_err() && parse("").is_err());
    }

    #[test]
    fn every_row_s_partials_can_be_built() {
        for def in caustic_dialects::all().iter().flat_map(|d| d.all_ops()) {
            let AdRule::Partials(texts) = def.ad else { continue };
            assert_eq!(texts.len(), def.operands.len(), "{}", def.name);
            let types = [Type::f32(), Type::vector(&[2, 3], Type::f64())];
            for (ty, singular) in
                types.into_iter().flat_map(|t| [(t, SingularPoints::Convention), (t, SingularPoints::Ieee)])
            {
                let mut body = Body::new();
                let block = body.add_block(body.root(), &vec![ty; texts.len() + 1]);
                let args = body.args(block).to_vec();
                let mut b = Builder::at_end(&mut body, block, Loc::unknown());
                let exprs = of_row(texts).as_ref().unwrap_or_else(|e| panic!("{}: {e}", def.name));
                for expr in exprs {
                    let names = |n: &str| {
                        let at = def.operands.iter().position(|o| o.name == n);
                        at.map(|i| args[i]).or((n == "result").then_some(args[texts.len()]))
                    };
                    let value =
                        build(&mut b, expr, ty, singular, &names).unwrap_or_else(|e| panic!("{}: {e}", def.name));
                    assert_eq!(b.ty(value), ty, "{}", def.name);
                }
            }
        }
    }
}
