//! Terms made ready to be evaluated on many inputs.

use crate::ops::Instance;
use caustic_ir::Type;
use caustic_ir::eval::Val;
use caustic_passes::rows::eval::literal;
use caustic_passes::rows::typing::{operand_type, result_type};
use caustic_passes::rows::{NodeTerm, Term};
use smallvec::SmallVec;

enum Step {
    Var(usize),
    Literal(Val),
    Apply(Instance),
}

/// A term in the order of its evaluation.
pub struct Program {
    steps: Vec<Step>,
}

impl Program {
    /// `None` if the term is no value of type `expected` where its variables have these types, or
    /// keeps a predicate open.
    pub fn of(term: &Term, vars: &[Type], expected: Type) -> Option<Program> {
        let mut program = Program { steps: Vec::new() };
        program.add(term, vars, expected)?;
        Some(program)
    }

    fn add(&mut self, term: &Term, vars: &[Type], expected: Type) -> Option<()> {
        match term {
            Term::Var(v) if vars.get(*v as usize) == Some(&expected) => self.steps.push(Step::Var(*v as usize)),
            Term::Var(_) => return None,
            Term::Literal(number) => self.steps.push(Step::Literal(literal(*number, expected))),
            Term::Node(node) => {
                let of = |v: u8| vars.get(v as usize).copied();
                if result_type(node, &of, Some(expected)) != Some(expected) {
                    return None;
                }
                let types = operand_types(node, &of, expected)?;
                for (arg, &ty) in node.args.iter().zip(&types) {
                    self.add(arg, vars, ty)?;
                }
                let predicate = match node.compare {
                    Some(compare) => Some(compare.number(node.def, &[])?),
                    None => None,
                };
                self.steps.push(Step::Apply(Instance::of(node.def, predicate, types, expected)?));
            }
        }
        Some(())
    }

    /// The value for these values of the variables. `stack` is room that is used again.
    pub fn run(&self, vars: &[Val], stack: &mut Vec<Val>) -> Option<Val> {
        stack.clear();
        for step in &self.steps {
            let value = match step {
                Step::Var(v) => vars.get(*v)?.clone(),
                Step::Literal(value) => value.clone(),
                Step::Apply(instance) => {
                    let at = stack.len().checked_sub(instance.operands.len())?;
                    let value = instance.value(&stack[at..]);
                    stack.truncate(at);
                    value
                }
            };
            stack.push(value);
        }
        stack.pop()
    }
}

fn operand_types(node: &NodeTerm, vars: &dyn Fn(u8) -> Option<Type>, result: Type) -> Option<SmallVec<[Type; 3]>> {
    (0..node.args.len()).map(|n| operand_type(node, n, vars, Some(result))).collect()
}

/// Whether two scalars are the same bits; a NaN is a NaN, whatever its payload.
pub fn same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Float(x), Val::Float(y)) => x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()),
        (Val::Int(x), Val::Int(y)) => x == y,
        _ => false,
    }
}
