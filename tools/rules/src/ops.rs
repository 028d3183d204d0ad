//! The ops that terms are made of, as the rows of ops say: pure, computed scalar by scalar, with a
//! result whose type follows from the operands.
//!
//! An op that works on several sorts of values, or that compares in several ways, is a symbol for
//! each. Must not know: any op by name but comparisons, which carry a predicate.

use caustic_dialects::arith::{CmpF, CmpI, FloatPredicate, IntPredicate};
use caustic_dialects::{arith, math};
use caustic_ir::eval::{Eval, ScalarFn, ScalarTypes, Val, normalize};
use caustic_ir::op::TypeRule;
use caustic_ir::{Attr, Name, OpDef, Type};
use caustic_passes::analysis::costs::{Costs, Machine};
use caustic_passes::rows::Compare;
use smallvec::SmallVec;

/// What a value is, whatever its width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Float,
    Bool,
    Int,
}

impl Sort {
    pub const ALL: [Sort; 3] = [Sort::Float, Sort::Bool, Sort::Int];
}

/// The types that sorts stand for.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    pub float: Type,
    pub int: Type,
}

impl Widths {
    /// The narrowest, in which terms are told apart.
    pub fn narrow() -> Widths {
        Widths { float: Type::f16(), int: Type::int(8) }
    }

    pub fn of(self, sort: Sort) -> Type {
        match sort {
            Sort::Float => self.float,
            Sort::Bool => Type::i1(),
            Sort::Int => self.int,
        }
    }
}

/// An op on values of certain sorts.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub def: &'static OpDef,
    pub compare: Option<Compare>,
    pub operands: SmallVec<[Sort; 3]>,
    pub result: Sort,
}

/// All symbols.
pub fn symbols() -> Vec<Symbol> {
    let dialects = [&arith::DIALECT, &math::DIALECT];
    dialects.iter().flat_map(|d| d.all_ops()).flat_map(of_op).collect()
}

/// The symbols of an op; none if it is not of those that rows can compute with.
fn of_op(def: &'static OpDef) -> Vec<Symbol> {
    let compares = std::ptr::eq(def, CmpI::DEF) || std::ptr::eq(def, CmpF::DEF);
    let plain = def.is_pure() && def.regions.is_empty() && (def.attrs.is_empty() || compares);
    let known = matches!(def.eval, Eval::Scalar(_)) && def.results.len() == 1 && (1..=3).contains(&def.operands.len());
    if !plain || !known || def.has_variadic_operands() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for choice in choices(def) {
        let operands: Option<SmallVec<[Sort; 3]>> = (0..def.operands.len()).map(|n| sort_of(def, n, &choice)).collect();
        let result = match def.results[0].rule {
            TypeRule::SameAs(n) => sort_of(def, n, &choice),
            TypeRule::BoolLike(_) => Some(Sort::Bool),
            _ => None,
        };
        let (Some(operands), Some(result)) = (operands, result) else { continue };
        for compare in ways_to_compare(def) {
            out.push(Symbol { def, compare, operands: operands.clone(), result });
        }
    }
    out
}

/// All ways to choose sorts for the operands whose types are free.
fn choices(def: &OpDef) -> Vec<Vec<Option<Sort>>> {
    let mut out: Vec<Vec<Option<Sort>>> = vec![Vec::new()];
    for operand in def.operands {
        let TypeRule::Class(class) = operand.rule else {
            out.iter_mut().for_each(|c| c.push(None));
            continue;
        };
        let fits = |s: &Sort| (class.contains)(Widths::narrow().of(*s));
        let sorts: Vec<Sort> = Sort::ALL.into_iter().filter(fits).collect();
        out = out.iter().flat_map(|c| sorts.iter().map(|&s| [c.as_slice(), &[Some(s)]].concat())).collect();
    }
    out
}

fn sort_of(def: &OpDef, n: usize, choice: &[Option<Sort>]) -> Option<Sort> {
    match def.operands.get(n)?.rule {
        TypeRule::Class(_) => choice.get(n).copied().flatten(),
        TypeRule::SameAs(m) if m < n => sort_of(def, m, choice),
        TypeRule::BoolLike(_) => Some(Sort::Bool),
        TypeRule::Exactly(ty) if ty().is_i1() => Some(Sort::Bool),
        _ => None,
    }
}

/// The predicates that compare: those that are always true or false do not.
fn ways_to_compare(def: &OpDef) -> Vec<Option<Compare>> {
    if std::ptr::eq(def, CmpI::DEF) {
        IntPredicate::ALL.iter().map(|&p| Some(Compare::Int(p))).collect()
    } else if std::ptr::eq(def, CmpF::DEF) {
        let idle = [FloatPredicate::False, FloatPredicate::True];
        let all = FloatPredicate::ALL.iter().filter(|p| !idle.contains(p));
        all.map(|&p| Some(Compare::Float(p))).collect()
    } else {
        vec![None]
    }
}

impl Symbol {
    /// The op's name behind its dialect.
    pub fn name(&self) -> &'static str {
        short_name(self.def)
    }

    /// Whether its result is the nearest number, on every machine that does not approximate. Of
    /// other ops the values that are seen here say nothing about those elsewhere.
    pub fn is_rounded(&self) -> bool {
        let exact = Machine::ALL.into_iter().filter(|m| *m != Machine::GpuFast);
        exact.into_iter().all(|m| Costs::of_machine(m).of(self.def, Type::f32(), &[]).ulps <= 0.5)
    }

    /// Whether nothing but operand `n` itself says of which type it is: a number there has none.
    pub fn is_untold(&self, n: usize) -> bool {
        let tells = |rule: TypeRule| matches!(rule, TypeRule::SameAs(m) if m == n);
        let rule = self.def.operands.get(n).map(|o| o.rule);
        let others = self.def.operands.iter().chain(self.def.results).any(|o| tells(o.rule));
        matches!(rule, Some(TypeRule::Class(_))) && !others
    }

    pub fn instance(&self, widths: Widths) -> Option<Instance> {
        let operands = self.operands.iter().map(|&s| widths.of(s)).collect();
        let compare = self.compare.and_then(|c| c.number(self.def, &[]));
        Instance::of(self.def, compare, operands, widths.of(self.result))
    }
}

pub fn short_name(def: &OpDef) -> &'static str {
    def.name.split_once('.').map_or(def.name, |(_, name)| name)
}

/// An op on scalars of certain types, ready to be evaluated.
#[derive(Clone)]
pub struct Instance {
    eval: ScalarFn,
    attrs: SmallVec<[(Name, Attr); 1]>,
    pub operands: SmallVec<[Type; 3]>,
    pub result: Type,
}

impl Instance {
    pub fn of(def: &OpDef, predicate: Option<i64>, operands: SmallVec<[Type; 3]>, result: Type) -> Option<Instance> {
        let Eval::Scalar(eval) = def.eval else { return None };
        let attrs = predicate.map(|p| (Name::new("predicate"), Attr::i64(p))).into_iter().collect();
        Some(Instance { eval, attrs, operands, result })
    }

    pub fn value(&self, args: &[Val]) -> Val {
        let types = ScalarTypes { operands: &self.operands, result: self.result, attrs: &self.attrs };
        normalize((self.eval)(args, &types), self.result)
    }
}
