//! Evaluates terms through the semantics in the rows of their ops.

use super::term::{Compare, NodeTerm, Parsed, Term};
use super::typing::{operand_type, result_type};
use caustic_dialects::arith::{CmpI, FloatPredicate, IntPredicate};
use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_lanes, normalize};
use caustic_ir::{Attr, Name, OpDef, Type};
use smallvec::SmallVec;
use std::sync::LazyLock;

/// The values of variables and the predicates that are kept.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pub vars: Vec<Val>,
    pub types: Vec<Type>,
    /// The predicates that are kept, as numbers of the attribute `predicate`.
    pub predicates: Vec<i64>,
}

impl Values {
    /// The value of a term in a place that expects type `expected`. `None` if the term has no type
    /// or its op no value.
    pub fn of(&self, term: &Term, expected: Option<Type>) -> Option<Val> {
        match term {
            Term::Var(v) => self.vars.get(*v as usize).cloned(),
            Term::Literal(number) => Some(literal(*number, expected?)),
            Term::Node(node) => self.of_node(node, expected),
        }
    }

    fn of_node(&self, node: &NodeTerm, expected: Option<Type>) -> Option<Val> {
        let vars = |v: u8| self.types.get(v as usize).copied();
        let result = result_type(node, &vars, expected)?;
        let mut args: SmallVec<[Val; 4]> = SmallVec::new();
        let mut types: SmallVec<[Type; 4]> = SmallVec::new();
        for (n, arg) in node.args.iter().enumerate() {
            let ty = operand_type(node, n, &vars, Some(result))?;
            args.push(self.of(arg, Some(ty))?);
            types.push(ty.elem());
        }
        let predicate = match node.compare {
            Some(compare) => Some(compare.number(node.def, &self.predicates)?),
            None => None,
        };
        apply(node.def, predicate, &args, &types, result)
    }

    /// Computes the value and the type of each labelled part of the left side, and stores them
    /// behind those of the variables.
    pub fn label(&mut self, parsed: &Parsed, result: Type) {
        self.vars.resize(parsed.variables.len(), Val::Int(0));
        self.types.resize(parsed.variables.len(), Type::index());
        if let Some(root) = parsed.root() {
            self.label_parts(root, Some(result));
        }
    }

    fn label_parts(&mut self, node: &NodeTerm, expected: Option<Type>) {
        for arg in &node.args {
            if let Term::Node(inner) = arg {
                self.label_parts(inner, None);
            }
        }
        let Some(label) = node.label else { return };
        let types = self.types.clone();
        // The type of a conversion was chosen before, as that of its label.
        let own = types.get(label as usize).copied();
        let ty = result_type(node, &|v| types.get(v as usize).copied(), expected.or(own));
        if let (Some(ty), Some(value)) = (ty, ty.and_then(|ty| self.of_node(node, Some(ty)))) {
            self.types[label as usize] = ty;
            self.vars[label as usize] = value;
        }
    }
}

/// A number as a value of type `ty`, in every lane.
pub fn literal(number: f64, ty: Type) -> Val {
    let elem = ty.elem();
    let scalar = normalize(if elem.is_float() { Val::Float(number) } else { Val::Int(number as i64) }, elem);
    if ty.is_vector() { Val::agg(vec![scalar; ty.num_elements()]) } else { scalar }
}

/// The value of an elementwise op. `types` are the scalar types of the operands, `result` is the
/// full type of the result.
pub fn apply(def: &OpDef, predicate: Option<i64>, args: &[Val], types: &[Type], result: Type) -> Option<Val> {
    static PREDICATE: LazyLock<Name> = LazyLock::new(|| Name::new("predicate"));
    let Eval::Scalar(f) = def.eval else { return None };
    let attrs = predicate.map(|number| [(*PREDICATE, Attr::i64(number))]);
    let attrs = attrs.as_ref().map_or(&[][..], |a| a.as_slice());
    Some(eval_lanes(f, args, result, &ScalarTypes { operands: types, result: result.elem(), attrs }))
}

impl Compare {
    /// The number of the predicate of a comparison `def`, given the numbers of the kept ones.
    pub fn number(self, def: &OpDef, kept: &[i64]) -> Option<i64> {
        let kept = |n: u8| kept.get(n as usize).copied();
        let ints = std::ptr::eq(def, CmpI::DEF);
        let int = |n: u8| kept(n).and_then(IntPredicate::from_number);
        let float = |n: u8| kept(n).and_then(FloatPredicate::from_number);
        match self {
            Compare::Int(p) => Some(p.number()),
            Compare::Float(p) => Some(p.number()),
            Compare::Any(n) => kept(n),
            Compare::Swapped(n) if ints => int(n).map(|p| p.swapped().number()),
            Compare::Swapped(n) => float(n).map(|p| p.swapped().number()),
            Compare::Inverse(n) if ints => int(n).map(|p| p.inverse().number()),
            Compare::Inverse(n) => float(n).map(|p| p.inverse().number()),
        }
    }
}
