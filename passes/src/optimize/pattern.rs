//! Rows of arithmetic on a body: the one place that finds a row's left side there and puts its
//! right side in its place.
//!
//! Invariants: nothing is allocated and nothing changes before all of the left side, the types and
//! the conditions hold. Of a commutative op both orders of the operands match, the written one
//! first.

use super::rewrite::Rewriter;
use crate::rows::eval::{apply, literal};
use crate::rows::term::{MAX_PREDICATES, MAX_VARIABLES};
use crate::rows::typing::{fits, operand_type, result_type};
use crate::rows::{Compare, Known, NodeTerm, Parsed, Row, Term, holds};
use caustic_dialects::arith;
use caustic_dialects::arith::{NegF, constant_of};
use caustic_ir::attr::{AttrKind, round_to, sign_extend};
use caustic_ir::eval::Val;
use caustic_ir::fact::Fact;
use caustic_ir::{Attr, Body, OpDef, OpId, Type, ValueId};
use smallvec::SmallVec;

/// A row that the canonicalizer applies.
pub struct Pattern {
    pub row: &'static Row,
    parsed: &'static Parsed,
    root: &'static NodeTerm,
    /// How many ops of the left side may have their operands in either order.
    orders: u32,
    /// The variables that have to be constants, as bits.
    constants: u16,
    /// Whether what the left side computes on the way must have no other reader.
    alone: bool,
    /// Whether the op stays the same but for an operand, or the order of operands: then it keeps
    /// its name.
    keeps_name: bool,
}

/// What the left side stands for at a place.
struct Match {
    vars: [Option<ValueId>; MAX_VARIABLES],
    predicates: [i64; MAX_PREDICATES],
    /// The predicates that are known, as bits.
    kept: u8,
    /// For each op with two orders, in the order of their visits, whether its operands are
    /// exchanged.
    exchanged: u32,
    visited: u32,
}

impl Pattern {
    /// `None` for a row with a mistake, which a test of the tables finds.
    pub fn new(row: &'static Row) -> Option<Pattern> {
        let parsed = row.parsed()?;
        let root = parsed.root()?;
        let asks = |name: &str| parsed.when.iter().filter(|c| c.predicate.name == name).collect::<Vec<_>>();
        Some(Pattern {
            row,
            parsed,
            root,
            orders: orders(root),
            constants: asks("const").iter().flat_map(|c| &c.vars).fold(0, |bits, v| bits | 1 << v),
            alone: !asks("alone").is_empty(),
            keeps_name: keeps_name(root, &parsed.right),
        })
    }

    /// The op that the left side starts from.
    pub fn root(&self) -> &'static OpDef {
        self.root.def
    }

    /// Puts the right side in the place of `op`, if the left side matches there; whether it did.
    pub fn apply(&self, r: &mut Rewriter<'_>, op: OpId) -> bool {
        if !self.plausible(r.body, op) {
            return false;
        }
        let Some(found) = (0..1u32 << self.orders).find_map(|exchanged| self.matches(r.body, op, exchanged)) else {
            return false;
        };
        let ty = r.body.ty(r.body.result(op, 0));
        let Some(made) = make(r, op, &self.parsed.right, ty, &found) else { return false };
        let Some(value) = made.value(r, op) else { return false };
        if self.keeps_name {
            let hint = r.body.value(r.body.result(op, 0)).hint;
            r.body.set_hint(value, hint);
        }
        r.replace_op(op, &[value])
    }

    /// A quick look at the ops that the operands come from.
    fn plausible(&self, body: &Body, op: OpId) -> bool {
        let looks = |term: &Term, value: ValueId| match term {
            Term::Node(node) => body.def_op(value).is_some_and(|op| body.is(op, node.def)),
            Term::Literal(_) => constant_of(body, value).is_some(),
            Term::Var(v) => self.constants & (1 << v) == 0 || constant_of(body, value).is_some(),
        };
        match (&self.root.args[..], body.operands(op)) {
            ([a, b], &[x, y]) if self.root.def.commutative => {
                (looks(a, x) && looks(b, y)) || (looks(a, y) && looks(b, x))
            }
            (terms, values) => terms.len() == values.len() && terms.iter().zip(values).all(|(t, &v)| looks(t, v)),
        }
    }

    fn matches(&self, body: &Body, op: OpId, exchanged: u32) -> Option<Match> {
        let mut found =
            Match { vars: [None; MAX_VARIABLES], predicates: [0; MAX_PREDICATES], kept: 0, exchanged, visited: 0 };
        if !found.node(body, op, self.root) {
            return None;
        }
        let ty = body.ty(body.result(op, 0));
        let types = |v: u8| found.ty(body, v);
        let conditions = |found: &Match| {
            let known = |v: u8| found.known(body, v, ty);
            self.parsed.when.iter().all(|condition| holds(condition, &known))
        };
        let holds = fits(&self.parsed.right, &types, ty)
            && (!self.alone || inner_alone(body, op, self.root, false))
            && conditions(&found);
        holds.then_some(found)
    }
}

/// How many ops of a term may be matched with their operands in another order, which says something
/// else.
fn orders(node: &NodeTerm) -> u32 {
    let inner: u32 = node.args.iter().map(|arg| if let Term::Node(n) = arg { orders(n) } else { 0 }).sum();
    inner + has_two_orders(node) as u32
}

fn has_two_orders(node: &NodeTerm) -> bool {
    node.def.commutative && matches!(&node.args[..], [a, b] if a != b)
}

fn keeps_name(left: &NodeTerm, right: &Term) -> bool {
    let Term::Node(right) = right else { return false };
    let operands = || right.args.iter().zip(&left.args);
    let is_var = |term: &Term| matches!(term, Term::Var(_));
    std::ptr::eq(left.def, right.def)
        && (operands().any(|(a, b)| a == b && is_var(a)) || right.args.iter().all(|a| left.args.contains(a)))
}

/// Whether the ops of the left side below `op` have but one reader each.
fn inner_alone(body: &Body, op: OpId, node: &NodeTerm, inner: bool) -> bool {
    if inner && body.uses(body.result(op, 0)).len() != 1 {
        return false;
    }
    body.operands(op).iter().all(|&value| {
        let below = body.def_op(value);
        let term = below.and_then(|op| {
            let of = |arg: &&Term| matches!(arg, Term::Node(n) if body.is(op, n.def));
            node.args.iter().find(of)
        });
        match (below, term) {
            (Some(op), Some(Term::Node(node))) => inner_alone(body, op, node, true),
            _ => true,
        }
    })
}

impl Match {
    fn ty(&self, body: &Body, v: u8) -> Option<Type> {
        self.vars.get(v as usize).copied().flatten().map(|value| body.ty(value))
    }

    fn known(&self, body: &Body, v: u8, otherwise: Type) -> Known {
        let value = self.vars.get(v as usize).copied().flatten();
        let negated = value.and_then(|v| body.def_op(v)).filter(|&op| NegF::is(body, op));
        Known {
            ty: value.map_or(otherwise, |v| body.ty(v)),
            constant: value.and_then(|v| constant_of(body, v)),
            fact: Fact::None,
            id: value.map_or(u32::MAX, |v| v.0),
            negative_of: negated.map(|op| body.operand(op, 0).0),
        }
    }

    fn node(&mut self, body: &Body, op: OpId, node: &NodeTerm) -> bool {
        if !body.is(op, node.def) || !self.predicate(body, op, node) {
            return false;
        }
        let values = body.operands(op);
        let exchange = has_two_orders(node) && {
            self.visited += 1;
            self.exchanged >> (self.visited - 1) & 1 != 0
        };
        let in_order = match (exchange, values) {
            (true, &[a, b]) => [b, a].iter().zip(&node.args).all(|(&v, term)| self.term(body, v, term)),
            _ => values.len() == node.args.len() && values.iter().zip(&node.args).all(|(&v, t)| self.term(body, v, t)),
        };
        in_order && node.label.is_none_or(|label| self.bind(label, body.result(op, 0)))
    }

    fn term(&mut self, body: &Body, value: ValueId, term: &Term) -> bool {
        match term {
            Term::Var(v) => self.bind(*v, value),
            Term::Literal(number) => is_literal(body, value, *number),
            Term::Node(node) => body.def_op(value).is_some_and(|op| self.node(body, op, node)),
        }
    }

    fn bind(&mut self, v: u8, value: ValueId) -> bool {
        match self.vars.get_mut(v as usize) {
            Some(Some(known)) => *known == value,
            Some(place) => {
                *place = Some(value);
                true
            }
            None => false,
        }
    }

    fn predicate(&mut self, body: &Body, op: OpId, node: &NodeTerm) -> bool {
        let Some(compare) = node.compare else { return true };
        let Some(number) = arith::predicate_of(body, op) else { return false };
        match compare {
            Compare::Any(n) if self.kept & (1 << n) == 0 => {
                let Some(place) = self.predicates.get_mut(n as usize) else { return false };
                *place = number;
                self.kept |= 1 << n;
                true
            }
            other => other.number(node.def, &self.predicates) == Some(number),
        }
    }
}

/// Whether a value is a constant with this number in every lane; the signs of zeros differ.
fn is_literal(body: &Body, value: ValueId, number: f64) -> bool {
    let is = |attr: Attr| match attr.kind() {
        AttrKind::Float(bits, ty) => ty.float_kind().is_some_and(|kind| round_to(number, kind).to_bits() == *bits),
        AttrKind::Int(known, ty) => sign_extend(number as i64, ty.scalar_bits().unwrap_or(64)) == *known,
        _ => false,
    };
    match constant_of(body, value).map(Attr::kind) {
        Some(AttrKind::Dense(items, _)) => !items.is_empty() && items.iter().all(|&item| is(item)),
        Some(_) => constant_of(body, value).is_some_and(is),
        None => false,
    }
}

/// A part of a right side: constants become ops only where one is read.
enum Made {
    Value(ValueId),
    Constant(Attr),
}

impl Made {
    fn value(self, r: &mut Rewriter<'_>, op: OpId) -> Option<ValueId> {
        match self {
            Made::Value(value) => Some(value),
            Made::Constant(attr) => r.constant(op, attr),
        }
    }

    fn constant(&self, body: &Body) -> Option<Attr> {
        match self {
            Made::Value(value) => constant_of(body, *value),
            Made::Constant(attr) => Some(*attr),
        }
    }
}

/// A term of the right side in front of `op`; what is made of constants alone is folded by the op's
/// own evaluation.
fn make(r: &mut Rewriter<'_>, op: OpId, term: &Term, ty: Type, found: &Match) -> Option<Made> {
    let node = match term {
        Term::Var(v) => return found.vars.get(*v as usize).copied().flatten().map(Made::Value),
        Term::Literal(number) => return literal(*number, ty).to_attr(ty).map(Made::Constant),
        Term::Node(node) => node,
    };
    let types: SmallVec<[Option<Type>; MAX_VARIABLES]> =
        (0..MAX_VARIABLES as u8).map(|v| found.ty(r.body, v)).collect();
    let vars = |v: u8| types.get(v as usize).copied().flatten();
    let result = result_type(node, &vars, Some(ty))?;
    let mut args: SmallVec<[(Made, Type); 3]> = SmallVec::new();
    for (n, arg) in node.args.iter().enumerate() {
        let ty = operand_type(node, n, &vars, Some(result))?;
        args.push((make(r, op, arg, ty, found)?, ty));
    }
    let predicate = match node.compare {
        Some(compare) => Some(compare.number(node.def, &found.predicates)?),
        None => None,
    };
    let constants: Option<SmallVec<[Val; 3]>> =
        args.iter().map(|(arg, _)| arg.constant(r.body).and_then(Val::from_attr)).collect();
    if let Some(constants) = constants {
        let elems: SmallVec<[Type; 3]> = args.iter().map(|(_, ty)| ty.elem()).collect();
        return apply(node.def, predicate, &constants, &elems, result)?.to_attr(result).map(Made::Constant);
    }
    let mut values: SmallVec<[ValueId; 3]> = SmallVec::new();
    for (arg, _) in args {
        values.push(arg.value(r, op)?);
    }
    let attrs = predicate.map(|number| [("predicate", Attr::i64(number))]);
    let attrs = attrs.as_ref().map_or(&[][..], |a| a.as_slice());
    Some(Made::Value(r.before(op).create_one(node.def, &values, result, attrs)))
}
