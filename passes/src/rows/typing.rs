//! Infers the types of terms from those of the variables, as far as the declarations of the ops
//! determine them.
//!
//! A literal has the type that its place asks for, and a conversion the type that is expected of
//! it.

use super::term::{NodeTerm, Term};
use caustic_ir::Type;
use caustic_ir::op::TypeRule;

/// The types of variables, by number.
pub type VarTypes<'a> = &'a dyn Fn(u8) -> Option<Type>;

/// The type of a term in a place that expects type `expected`, if that is known.
pub fn type_of(term: &Term, vars: VarTypes<'_>, expected: Option<Type>) -> Option<Type> {
    match term {
        Term::Var(v) => vars(*v),
        Term::Literal(_) => expected,
        Term::Node(node) => result_type(node, vars, expected),
    }
}

/// The type of an op's only result.
pub fn result_type(node: &NodeTerm, vars: VarTypes<'_>, expected: Option<Type>) -> Option<Type> {
    match node.def.results.first()?.rule {
        TypeRule::Class(_) => expected.or_else(|| node.label.and_then(vars)),
        TypeRule::SameAs(n) => operand_type(node, n, vars, None).or(expected),
        TypeRule::BoolLike(n) => operand_type(node, n, vars, None).map(|t| t.with_elem(Type::i1())),
        TypeRule::ElemOf(n) => operand_type(node, n, vars, None).map(|t| t.elem()),
        TypeRule::Exactly(ty) => Some(ty()),
    }
}

/// The type of operand `n`: its own, that of another operand that the op's declaration requires to
/// be the same, or that of the result, `result`.
pub fn operand_type(node: &NodeTerm, n: usize, vars: VarTypes<'_>, result: Option<Type>) -> Option<Type> {
    let group = group(node, n);
    let same = (0..node.args.len()).filter(|&i| self::group(node, i) == group);
    let found = same.filter_map(|i| type_of(node.args.get(i)?, vars, None)).next();
    found.or_else(|| match node.def.results.first()?.rule {
        TypeRule::SameAs(n) if self::group(node, n) == group => result,
        _ => truth(node, n),
    })
}

/// The type of a literal that can be nothing but a truth value.
fn truth(node: &NodeTerm, n: usize) -> Option<Type> {
    match (node.args.get(n), node.def.operands.get(n).map(|o| o.rule)) {
        (Some(Term::Literal(_)), Some(TypeRule::Class(class))) => {
            ((class.contains)(Type::i1()) && !(class.contains)(Type::i32())).then(Type::i1)
        }
        _ => None,
    }
}

/// The first operand that has the type of operand `n` by the op's declaration.
fn group(node: &NodeTerm, n: usize) -> usize {
    match node.def.operands.get(n).map(|o| o.rule) {
        Some(TypeRule::SameAs(m)) if m < n => group(node, m),
        _ => n,
    }
}

/// Whether a term has a value of type `expected`, and all terms in it have the types that the
/// declarations of the ops ask for.
pub fn fits(term: &Term, vars: VarTypes<'_>, expected: Type) -> bool {
    let node = match term {
        Term::Var(v) => return vars(*v) == Some(expected),
        Term::Literal(_) => return expected.is_scalar() || expected.is_vector(),
        Term::Node(node) => node,
    };
    result_type(node, vars, Some(expected)) == Some(expected)
        && node.args.iter().enumerate().all(|(n, arg)| {
            operand_type(node, n, vars, Some(expected)).is_some_and(|ty| allows(node, n, ty) && fits(arg, vars, ty))
        })
}

fn allows(node: &NodeTerm, n: usize, ty: Type) -> bool {
    match node.def.operands.get(n).map(|o| o.rule) {
        Some(TypeRule::Class(class)) => (class.contains)(ty),
        _ => true,
    }
}
