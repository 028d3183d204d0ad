//! Executes ops without regions or places: arithmetic, parts of values, pairs.

use super::eval::Judge;
use super::math::{Binary, Numbers, Unary};
use super::number::SAFETY;
use super::value::{Value, get, set, unknown, zero};
use super::{Judged, Unjudged};
use caustic_dialects::combine::combine;
use caustic_dialects::vector;
use caustic_ir::eval::{Eval, ScalarTypes, eval_lanes};
use caustic_ir::{Body, OpId, Type, TypeKind};

/// Whether a comparison of floats holds, by the number of its predicate:
/// `false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true`.
fn holds(predicate: i64, a: f64, b: f64) -> Judged<bool> {
    let unordered = a.is_nan() || b.is_nan();
    Ok(match predicate {
        0 => false,
        1..=7 if unordered => false,
        8..=14 if unordered => true,
        1 | 8 => a == b,
        2 | 9 => a > b,
        3 | 10 => a >= b,
        4 | 11 => a < b,
        5 | 12 => a <= b,
        6 | 13 => a != b,
        7 | 15 => true,
        14 => false,
        _ => return unknown("a comparison without a predicate"),
    })
}

/// One lane of an operand. A scalar counts as every lane.
fn lane(value: &Value, i: usize) -> Judged<&Value> {
    match value {
        Value::Agg(parts) => parts.get(i).ok_or_else(|| Unjudged::Unknown("a lane is missing".into())),
        scalar => Ok(scalar),
    }
}

/// The path of an op with its dynamic steps filled in.
fn path(body: &Body, op: OpId, dynamic: &[Value]) -> Judged<Vec<i64>> {
    let mut dynamic = dynamic.iter();
    let (attr, is_dynamic): (_, fn(i64) -> bool) = match body.attr(op, "static_position") {
        Some(attr) => (Some(attr), |step| step == vector::DYNAMIC),
        None => (body.attr(op, "path"), |step| step < 0),
    };
    let steps = attr.and_then(|a| a.as_i64_array()).unwrap_or_default();
    let step = |step: i64| {
        if !is_dynamic(step) {
            return Ok(step);
        }
        match dynamic.next() {
            Some(v) => v.int().map(|i| if i < 0 { i64::MAX } else { i }),
            None => unknown("an index is missing"),
        }
    };
    steps.into_iter().map(step).collect()
}

impl Judge<'_> {
    /// The result of an op of a dialect other than `hl`.
    pub(super) fn compute(&mut self, body: &Body, op: OpId, name: &str, args: &[Value]) -> Judged<Option<Value>> {
        let types = || body.operands(op).iter().map(|&v| body.ty(v));
        let Some(result) = body.results(op).first().map(|&r| body.ty(r)) else {
            // Ops that have an effect but no result.
            return match name {
                "gpu.barrier" | "simt.fence" => Ok(None),
                _ => unknown(name),
            };
        };
        if let Some(kind) = result.elem().float_kind() {
            self.levels.kind = kind;
        }
        let arg = |i: usize| args.get(i).ok_or_else(|| Unjudged::Unknown(format!("{name} lacks an operand")));
        let ty = |i: usize| types().nth(i).ok_or_else(|| Unjudged::Unknown(format!("{name} lacks an operand")));
        Ok(Some(match name {
            "arith.constant" => constant(body, op)?,
            "arith.select" => {
                let (c, a, b) = (arg(0)?, arg(1)?, arg(2)?);
                match c {
                    Value::Int(c) => (if c & 1 != 0 { a } else { b }).clone(),
                    _ => self
                        .lanes(result, |_, i| Ok(lane(if lane(c, i)?.int()? & 1 != 0 { a } else { b }, i)?.clone()))?,
                }
            }
            "arith.cmpf" => {
                let predicate = body.attr(op, "predicate").and_then(|a| a.as_int()).unwrap_or(-1);
                let (a, b) = (arg(0)?, arg(1)?);
                self.lanes(result, |judge, i| {
                    let (a, b) = judge.levels.compared(lane(a, i)?.num()?, lane(b, i)?.num()?);
                    Ok(Value::Int(i64::from(holds(predicate, a, b)?)))
                })?
            }
            "arith.extf" | "arith.truncf" => {
                let a = arg(0)?;
                let Some(from) = ty(0)?.elem().float_kind() else { return unknown("a conversion of what is no float") };
                self.lanes(result, |judge, i| Ok(Value::Num(judge.levels.converted(lane(a, i)?.num()?, from))))?
            }
            "arith.fptosi" | "arith.fptoui" => {
                for i in 0..result.num_elements().max(1) {
                    let x = lane(arg(0)?, i)?.num()?.base();
                    if x.error > 0.0 && Unary::Trunc.to_jump(x.value) <= SAFETY * x.error {
                        self.levels.stop("rounding decides an integer");
                    }
                }
                self.by_row(body, op, args, result)?
            }
            // The result is rounded to its type, because integers are known exactly.
            "arith.sitofp" | "arith.uitofp" => self.by_row(body, op, args, result)?,
            "math.fma" => {
                let (a, b, c) = (arg(0)?, arg(1)?, arg(2)?);
                self.lanes(result, |judge, i| {
                    let (a, b, c) = (lane(a, i)?.num()?, lane(b, i)?.num()?, lane(c, i)?.num()?);
                    Ok(Value::Num(judge.levels.fused(a, b, c)))
                })?
            }
            "vector.extract" | "agg.extract" => get(arg(0)?, ty(0)?, &path(body, op, &args[1..])?)?,
            "vector.insert" | "agg.insert" => {
                let mut into = arg(1)?.clone();
                set(&mut into, ty(1)?, &path(body, op, &args[2..])?, arg(0)?.clone())?;
                into
            }
            "vector.broadcast" => Value::agg(vec![arg(0)?.clone(); result.num_elements()]),
            "vector.from_elements" => Value::agg(args.to_vec()),
            "agg.make" if result.shape().len() > 1 => {
                let rows: Vec<&[Value]> = args.iter().map(Value::parts).collect::<Judged<_>>()?;
                Value::agg(rows.concat())
            }
            "agg.make" | "ad.make_pair" => Value::agg(args.to_vec()),
            "ad.primal" => get(arg(0)?, ty(0)?, &[0])?,
            "ad.differential" => get(arg(0)?, ty(0)?, &[1])?,
            "ad.detach" => arg(0)?.detached(),
            "ad.singular_zero" => Value::Int(1),
            "agg.zero" => zero(result)?,
            "vector.shape_cast" => arg(0)?.clone(),
            "vector.transpose" => {
                let &[rows, columns] = ty(0)?.shape() else { return unknown("a transpose of what is no matrix") };
                let parts = arg(0)?.parts()?;
                let at = |i: usize| parts.get(i % rows as usize * columns as usize + i / rows as usize).cloned();
                let turned = (0..parts.len()).map(at).collect::<Option<Vec<_>>>();
                Value::agg(turned.ok_or_else(|| Unjudged::Unknown("a matrix lacks scalars".into()))?)
            }
            "vector.reduction" => self.reduced(body, op, result, arg(0)?)?,
            "gpu.global_id" => {
                let first = body.attr(op, "dimension").is_some_and(|a| a.to_string().contains("dim x"));
                Value::Int(if first { self.thread } else { 0 })
            }
            "agg.global" => match body.attr(op, "name").and_then(|a| a.as_symbol()) {
                Some(symbol) => Value::Buffer(symbol),
                None => return unknown("a resource without a name"),
            },
            _ => self.elementwise(body, op, name, args, result)?,
        }))
    }

    /// A value of the type, with each lane computed by `f`.
    fn lanes(&mut self, ty: Type, mut f: impl FnMut(&mut Self, usize) -> Judged<Value>) -> Judged<Value> {
        if !ty.is_vector() {
            return f(self, 0);
        }
        Ok(Value::agg((0..ty.num_elements()).map(|i| f(self, i)).collect::<Judged<_>>()?))
    }

    fn elementwise(&mut self, body: &Body, op: OpId, name: &str, args: &[Value], ty: Type) -> Judged<Value> {
        match (Unary::of(name), Binary::of(name), args) {
            (Some(f), _, [a]) => self.lanes(ty, |judge, i| Ok(Value::Num(judge.levels.unary(f, lane(a, i)?.num()?)))),
            (_, Some(f), [a, b]) => self
                .lanes(ty, |judge, i| Ok(Value::Num(judge.levels.binary(f, lane(a, i)?.num()?, lane(b, i)?.num()?)))),
            _ if ty.elem().is_float() || body.operands(op).iter().any(|&v| body.ty(v).elem().is_float()) => {
                unknown(name)
            }
            _ => self.by_row(body, op, args, ty),
        }
    }

    /// The result of an op on integers, by the op's row.
    fn by_row(&self, body: &Body, op: OpId, args: &[Value], ty: Type) -> Judged<Value> {
        let data = body.op(op);
        let Eval::Scalar(f) = data.def.eval else { return unknown(data.def.name) };
        let vals = args.iter().map(Value::to_val).collect::<Judged<Vec<_>>>()?;
        let operands: Vec<Type> = data.operands.iter().map(|&v| body.ty(v).elem()).collect();
        let types = ScalarTypes { operands: &operands, result: ty.elem(), attrs: &data.attrs };
        Value::of_val(&eval_lanes(f, &vals, ty, &types))
    }

    fn reduced(&mut self, body: &Body, op: OpId, ty: Type, vector: &Value) -> Judged<Value> {
        let kind = vector::reduction_kind(body, op).unwrap_or_default();
        let mut parts = vector.parts()?.iter().cloned();
        let Some(mut sum) = parts.next() else { return unknown("a reduction of nothing") };
        // From the first lane to the last, in the order of the op.
        let of_floats = match kind {
            "add" => Some(Binary::Add),
            "mul" => Some(Binary::Mul),
            "minimumf" | "minnumf" => Some(Binary::Min),
            "maximumf" | "maxnumf" => Some(Binary::Max),
            _ => None,
        };
        for part in parts {
            sum = match (&sum, &part, of_floats) {
                (Value::Num(a), Value::Num(b), Some(f)) => Value::Num(self.levels.binary(f, a, b)),
                (Value::Num(_), ..) => return unknown(format!("a reduction by {kind}")),
                _ => {
                    let all = combine(kind, ty, &sum.to_val()?, &part.to_val()?);
                    Value::of_val(&all.ok_or_else(|| Unjudged::Unknown(format!("a reduction by {kind}")))?)?
                }
            };
        }
        Ok(sum)
    }
}

fn constant(body: &Body, op: OpId) -> Judged<Value> {
    let ty = body.ty(body.result(op, 0));
    let attr = body.attr(op, "value").and_then(caustic_ir::eval::Val::from_attr);
    let Some(val) = attr else { return unknown("a constant without a value") };
    let value = Value::of_val(&val)?;
    match (&value, ty.kind()) {
        (Value::Agg(_), _) | (_, TypeKind::Int(_) | TypeKind::Index | TypeKind::Float(_)) => Ok(value),
        (scalar, _) => Ok(Value::agg(vec![scalar.clone(); ty.num_elements()])),
    }
}
