//! What is known before anything is looked for: the rows of the tables, and what the rows of ops
//! say about folding.
//!
//! Folding is a function; what it says of variables and constants is written down as equalities, by
//! asking it.

use crate::ops::{Sort, Symbol, Widths, short_name};
use crate::rule::Rule;
use caustic_dialects::arith;
use caustic_ir::eval::Val;
use caustic_ir::op::Folded;
use caustic_ir::{Attr, Body, Builder, Loc, Type};
use caustic_passes::optimize::canonicalize::folded;
use caustic_passes::rows::eval::literal;
use caustic_passes::rows::typing::fits;
use caustic_passes::rows::{About, Compare, NodeTerm, Row, Term};

/// The numbers that terms may hold.
pub const CONSTANTS: &[(Sort, f64)] = &[
    (Sort::Float, 0.0),
    (Sort::Float, -0.0),
    (Sort::Float, 1.0),
    (Sort::Float, -1.0),
    (Sort::Float, 2.0),
    (Sort::Float, 0.5),
    (Sort::Bool, 1.0),
    (Sort::Bool, 0.0),
    (Sort::Int, 0.0),
    (Sort::Int, 1.0),
    (Sort::Int, -1.0),
    (Sort::Int, 2.0),
];

/// What the ops of these symbols fold to where an operand is a constant, or two are the same.
pub fn folds(symbols: &[Symbol]) -> Vec<Rule> {
    symbols.iter().flat_map(of_symbol).collect()
}

fn of_symbol(symbol: &Symbol) -> Vec<Rule> {
    let arity = symbol.operands.len() as u8;
    // A variable of its own for each operand, or the same for two of them.
    let mut found: Vec<(Vec<Term>, Rule)> = Vec::new();
    let mut lists: Vec<Vec<Term>> = vec![Vec::new()];
    for (n, &sort) in (0u8..).zip(&symbol.operands) {
        let constants = CONSTANTS.iter().filter(|c| c.0 == sort).map(|c| Term::Literal(c.1));
        let before = (0..n).filter(|&m| symbol.operands[m as usize] == sort);
        let all: Vec<Term> = std::iter::once(n).chain(before).map(Term::Var).chain(constants).collect();
        lists =
            lists.iter().flat_map(|l| all.iter().map(|t| [l.as_slice(), std::slice::from_ref(t)].concat())).collect();
    }
    lists.retain(|l| (0..arity).any(|v| l.contains(&Term::Var(v))));
    // The most general ones first: of what they say nothing more is said.
    lists.sort_by_key(|l| std::cmp::Reverse(l.iter().filter(|t| matches!(t, Term::Var(_))).count()));
    for args in lists {
        if found.iter().any(|(general, _)| is_instance(&args, general)) {
            continue;
        }
        let Some(right) = folded_of(symbol, &args) else { continue };
        let node = NodeTerm { def: symbol.def, compare: symbol.compare, args: args.clone(), label: None };
        let rule = Rule::new(&Term::Node(node), &right, &[], &symbol.operands, symbol.result);
        found.extend(rule.map(|r| (args, r)));
    }
    found.into_iter().map(|(_, rule)| rule).collect()
}

/// Whether leaves are what other ones say, with something in the place of each variable.
fn is_instance(args: &[Term], general: &[Term]) -> bool {
    args.iter().zip(general).all(|(arg, g)| match g {
        Term::Var(_) => args.iter().zip(general).all(|(a, other)| other != g || a == arg),
        literal => literal == arg,
    })
}

/// What the op folds to. Types do not matter to folding, but that the sort has them.
fn folded_of(symbol: &Symbol, args: &[Term]) -> Option<Term> {
    let widths = Widths { float: Type::f32(), int: Type::i32() };
    let types: Vec<Type> = symbol.operands.iter().map(|&s| widths.of(s)).collect();
    let mut body = Body::new();
    let root = body.root();
    let entry = body.add_block(root, &types);
    let params = body.args(entry).to_vec();
    let mut b = Builder::at_end(&mut body, entry, Loc::unknown());
    let mut operands = Vec::new();
    for (arg, &ty) in args.iter().zip(&types) {
        operands.push(match arg {
            Term::Var(v) => *params.get(*v as usize)?,
            Term::Literal(n) => b.create_one(arith::Constant::DEF, &[], ty, &[("value", literal(*n, ty).to_attr(ty)?)]),
            Term::Node(_) => return None,
        });
    }
    let predicate: Option<Attr> = symbol.compare.and_then(|c: Compare| c.number(symbol.def, &[])).map(Attr::i64);
    let attrs: Vec<(&str, Attr)> = predicate.map(|p| ("predicate", p)).into_iter().collect();
    let value = b.create_one(symbol.def, &operands, widths.of(symbol.result), &attrs);
    let op = body.def_op(value)?;
    match folded(&body, op)? {
        Folded::Operand(n) => args.get(n).cloned(),
        Folded::Constant(value) => match Val::from_attr(value)? {
            Val::Float(x) => Some(Term::Literal(x)),
            Val::Int(n) => Some(Term::Literal(n as f64)),
            _ => None,
        },
    }
}

/// A row as a rule over symbols; `None` if its ops are none of them. A row that stands for several
/// sorts is one for the first that fits.
pub fn rule_of(row: &Row, symbols: &[Symbol]) -> Option<Rule> {
    let parsed = row.parsed()?;
    let known =
        ops(&parsed.left).into_iter().chain(ops(&parsed.right)).all(|op| symbols.iter().any(|s| s.name() == op));
    if !known {
        return None;
    }
    let widths = Widths::narrow();
    let count = parsed.variables.len();
    let total = Sort::ALL.len().pow(u32::try_from(count).ok()?);
    let sorts = |code: usize| -> Vec<Sort> {
        (0..count as u32).map(|v| Sort::ALL[code / Sort::ALL.len().pow(v) % Sort::ALL.len()]).collect()
    };
    (0..total).map(sorts).find_map(|sorts| {
        let of = |v: u8| sorts.get(v as usize).map(|&s| widths.of(s));
        let types: Vec<Type> = sorts.iter().map(|&s| widths.of(s)).collect();
        let by_types = parsed.when.iter().filter(|c| c.predicate.about == About::Types);
        let fits_types = by_types.into_iter().all(|c| {
            let own: Vec<Type> = c.vars.iter().filter_map(|&v| types.get(v as usize).copied()).collect();
            (c.predicate.by_value)(&[], &own)
        });
        let result = Sort::ALL
            .into_iter()
            .find(|&r| fits(&parsed.left, &of, widths.of(r)) && fits(&parsed.right, &of, widths.of(r)))?;
        fits_types.then(|| Rule { parsed: parsed.clone(), sorts: sorts.clone(), result })
    })
}

/// The names of the ops of a term, behind their dialects.
pub fn ops(term: &Term) -> Vec<&'static str> {
    match term {
        Term::Node(node) => node.args.iter().flat_map(ops).chain([short_name(node.def)]).collect(),
        _ => Vec::new(),
    }
}
