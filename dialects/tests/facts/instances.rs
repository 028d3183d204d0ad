//! The ways in which rows can be used on scalars, and how wrong targets may compute them.

use super::random::Random;
use caustic_dialects::{arith, math, strong};
use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_lanes};
use caustic_ir::fact::{next_down, next_up};
use caustic_ir::{Attr, Body, Loc, Name, OpDef, Type, TypeRule};

pub const TYPES: fn() -> Vec<Type> = || {
    let mut types: Vec<Type> = [1, 8, 16, 32, 64].map(Type::int).to_vec();
    types.extend([Type::index(), Type::f16(), Type::f32(), Type::f64()]);
    types
};

/// A row with types and attributes.
#[derive(Clone)]
pub struct Instance {
    pub def: &'static OpDef,
    pub operands: Vec<Type>,
    pub result: Type,
    pub attrs: Vec<(Name, Attr)>,
}

impl Instance {
    pub fn eval(&self, args: &[Val]) -> Val {
        let Eval::Scalar(f) = self.def.eval else { return Val::Int(0) };
        let types = ScalarTypes { operands: &self.operands, result: self.result, attrs: &self.attrs };
        eval_lanes(f, args, self.result, &types)
    }

    /// Whether all targets give the same.
    pub fn is_exact(&self) -> bool {
        self.error() == 0
    }

    /// By how many floats a target may be off, as docs/functions-of-floats.md has measured or
    /// OpenCL allows.
    fn error(&self) -> usize {
        match self.def.name {
            "math.exp" | "math.exp2" | "math.log10" | "math.atan2" | "math.sinh" | "math.cosh" | "math.log" => 2,
            "math.sin" | "math.cos" | "math.asin" | "math.acos" | "math.atan" | "math.log2" => 1,
            "math.tan" | "math.expm1" => 3,
            "math.powf" | "math.asinh" | "math.acosh" => 4,
            "math.tanh" | "math.log1p" | "math.cbrt" | "math.rsqrt" => 2,
            "math.atanh" => 5,
            _ => 0,
        }
    }

    /// A value that some target may give: the reference's, off by as much as may be. Zeros,
    /// infinities and NaN are those of the reference.
    pub fn on_some_target(&self, args: &[Val], r: &mut Random) -> Val {
        let (value, most) = (self.eval(args), self.error());
        let (Val::Float(mut v), Some(format)) = (value.clone(), self.result.float_kind()) else { return value };
        // Whatever to the power of zero is one.
        let one = self.def.name == "math.powf" && args[1].as_float() == 0.0;
        let finite = !one && args.iter().all(|a| a.as_float().is_finite());
        if most == 0 || v == 0.0 || !finite {
            return value;
        }
        let (steps, up) = (r.below(most + 1), r.chance(2));
        for _ in 0..steps {
            let next = if up { next_up(v, format) } else { next_down(v, format) };
            // An error makes no number of an infinity that is exact, but one of an overflow; no
            // sign changes.
            let exact = v.is_infinite() && !self.def.name.contains("exp") && !self.def.name.ends_with('h');
            if exact || next.is_sign_negative() != v.is_sign_negative() {
                break;
            }
            v = next;
        }
        Val::Float(v)
    }
}

fn operand_types(def: &OpDef, free: Type) -> Option<Vec<Type>> {
    let mut known: Vec<Option<Type>> = vec![None; def.operands.len()];
    for _ in 0..def.operands.len() {
        for (i, spec) in def.operands.iter().enumerate() {
            if known[i].is_none() {
                known[i] = match spec.rule {
                    TypeRule::Class(class) if i == 0 && def.name == "arith.select" => {
                        Some(Type::i1()).filter(|t| (class.contains)(*t))
                    }
                    TypeRule::Class(class) => Some(free).filter(|t| (class.contains)(*t)),
                    rule => rule.infer(&known),
                };
            }
        }
    }
    known.into_iter().collect()
}

fn is_valid(x: &Instance) -> bool {
    let Some(verify) = x.def.verify else { return true };
    let mut body = Body::new();
    let root = body.root();
    let block = body.add_block(root, &x.operands);
    let args = body.args(block).to_vec();
    let op = body.create_op(x.def, &args, &[x.result], x.attrs.iter().copied().collect(), 0, Loc::unknown());
    body.insert_op(op, block, None);
    verify(&body, op).is_ok()
}

/// Every elementwise row on every type.
pub fn all() -> Vec<Instance> {
    let dialects = [&arith::DIALECT, &math::DIALECT, &strong::DIALECT];
    let mut out = Vec::new();
    for def in dialects.into_iter().flat_map(|d| d.all_ops()) {
        if !matches!(def.eval, Eval::Scalar(_)) {
            continue;
        }
        for operands in TYPES().into_iter().filter_map(|free| operand_types(def, free)) {
            let results = def.infer_results(&operands).unwrap_or_else(TYPES);
            let predicates = if def.attrs.is_empty() { 0..1 } else { 0..16 };
            for (result, p) in results.into_iter().flat_map(|t| predicates.clone().map(move |p| (t, p))) {
                let attrs = match def.attrs {
                    [] => vec![],
                    _ => vec![(Name::new("predicate"), Attr::i64(p))],
                };
                let x = Instance { def, operands: operands.clone(), result, attrs };
                let wanted = matches!(def.results[0].rule, TypeRule::Class(c) if !(c.contains)(result));
                if !wanted && is_valid(&x) {
                    out.push(x);
                }
            }
        }
    }
    out
}
