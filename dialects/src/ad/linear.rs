//! The op rows of `ad` on tangents: all linear in their tangent operands. A row says what the op is
//! on values (`eval`) and which code it becomes (`AdRule::Linear`). Its transpose is stated in its
//! doc and built by `passes/autodiff/transpose`.

use super::{TANGENT, strip_tangent, tangent_type};
use crate::agg::{self, verify_path, zero_value};
use crate::classes::{ANY, BOOL_LIKE, FLOAT_LIKE, INT_OR_INDEX};
use crate::{arith, scf, strong, vector};
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val, normalize};
use caustic_ir::linear::{At, OnData};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Attr, Body, Builder, OpDef, OpId, Result, Type, ValueId, ops};

fn verify_tangent_extract(body: &Body, op: OpId) -> Result<()> {
    let v = TExtract(op);
    let (ty, part) = (strip_tangent(body.ty(v.aggregate(body))), strip_tangent(body.ty(body.result(op, 0))));
    verify_path(body, op, ty, part, v.indices(body).len())
}

fn verify_tangent_insert(body: &Body, op: OpId) -> Result<()> {
    let (part, ty) = (strip_tangent(body.ty(body.operand(op, 0))), strip_tangent(body.ty(body.operand(op, 1))));
    verify_path(body, op, ty, part, body.operands(op).len() - 2)
}

/// a + b over whole differentials; a tape may be shorter than the other, what is missing is zero.
pub fn add_values(ty: Type, a: &Val, b: &Val) -> Val {
    if ty.is_float() {
        return normalize(Val::Float(a.as_float() + b.as_float()), ty);
    }
    let (x, y) = (a.parts(), b.parts());
    let n = x.len().max(y.len());
    let part = |i: usize| if ty.is_vector() { Some(ty.elem()) } else { agg::part_type(ty, i as i64) };
    Val::agg(
        (0..n)
            .map(|i| match (x.get(i), y.get(i), part(i)) {
                (Some(p), Some(q), Some(t)) => add_values(t, p, q),
                (Some(p), _, _) | (None, Some(p), _) => p.clone(),
                _ => Val::Int(0),
            })
            .collect(),
    )
}

fn map_floats(ty: Type, v: &Val, f: &dyn Fn(f64) -> f64) -> Val {
    if ty.is_float() {
        return normalize(Val::Float(f(v.as_float())), ty);
    }
    let part = |i: usize| if ty.is_vector() { Some(ty.elem()) } else { agg::part_type(ty, i as i64) };
    Val::agg(v.parts().iter().enumerate().map(|(i, p)| part(i).map_or(p.clone(), |t| map_floats(t, p, f))).collect())
}

fn eval_add(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    Ok(vec![add_values(strip_tangent(body.ty(body.result(op, 0))), &args[0], &args[1])])
}

fn eval_neg(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    Ok(vec![map_floats(strip_tangent(body.ty(body.result(op, 0))), &args[0], &|x| -x)])
}

/// On an `ad.scale`: whose zero makes the product zero, whatever the other is.
const STRONG: &str = "strong";

/// Whose zero annihilates in an `ad.scale`: it may be one that nothing reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strong {
    /// The tangent's.
    Tangent,
    /// The factor's.
    Factor,
    /// Either one's.
    Both,
}

impl Strong {
    const ALL: [(Strong, &'static str); 3] =
        [(Strong::Tangent, "tangent"), (Strong::Factor, "factor"), (Strong::Both, "both")];

    pub fn of(body: &Body, op: OpId) -> Option<Strong> {
        let word = body.attr(op, STRONG)?.as_str()?;
        Strong::ALL.into_iter().find(|(_, w)| *w == word).map(|(strong, _)| strong)
    }

    /// The one that speaks for the tangent, for the factor, or for both.
    pub fn from_sides(tangent: bool, factor: bool) -> Option<Strong> {
        match (tangent, factor) {
            (true, true) => Some(Strong::Both),
            (true, false) => Some(Strong::Tangent),
            (false, true) => Some(Strong::Factor),
            (false, false) => None,
        }
    }

    pub fn tangent(self) -> bool {
        self != Strong::Factor
    }

    pub fn factor(self) -> bool {
        self != Strong::Tangent
    }

    /// The attribute that says so.
    pub fn attrs(strong: Option<Strong>) -> Vec<(&'static str, Attr)> {
        let word = Strong::ALL.into_iter().find(|(s, _)| Some(*s) == strong).map(|(_, word)| word);
        word.map(|word| (STRONG, Attr::string(word))).into_iter().collect()
    }
}

fn eval_scale(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = strip_tangent(body.ty(body.result(op, 0)));
    let product: fn(f64, f64) -> f64 = match Strong::of(body, op) {
        None => |x, y| x * y,
        Some(Strong::Tangent) => strong::gated_mul,
        Some(Strong::Factor) => |x, y| strong::gated_mul(y, x),
        Some(Strong::Both) => strong::mul,
    };
    Ok(vec![scaled(ty, &args[0], &args[1], product)])
}

/// The tangent times a number, or lane by lane times a vector.
fn scaled(ty: Type, tangent: &Val, factor: &Val, product: fn(f64, f64) -> f64) -> Val {
    match factor {
        Val::Agg(lanes) if ty.is_vector() => {
            let lane = |(t, f): (&Val, &Val)| scaled(ty.elem(), t, f, product);
            Val::agg(tangent.parts().iter().zip(lanes.iter()).map(lane).collect())
        }
        _ => map_floats(ty, tangent, &|x| product(x, factor.as_float())),
    }
}

fn eval_tzero(_: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    let zero = zero_value(body.ty(body.result(op, 0)));
    Ok(vec![zero.ok_or_else(|| Trap::new(body.loc(op), "ad.zero: the type has no zero"))?])
}

fn eval_textract(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = agg::eval::resolve_path(body.attr(op, "path"), &args[1..]);
    let part = agg::eval::get(&args[0], strip_tangent(body.ty(body.operand(op, 0))), &path);
    Ok(vec![part.ok_or_else(|| Trap::new(body.loc(op), "ad.extract: no such part"))?])
}

fn eval_update(body: &Body, op: OpId, mut args: Vec<Val>, add: bool) -> EvalResult {
    let path = agg::eval::resolve_path(body.attr(op, "path"), &args[2..]);
    let part_ty = strip_tangent(body.ty(body.operand(op, 0)));
    let part = args[0].clone();
    let mut aggregate = args.swap_remove(1);
    let ty = strip_tangent(body.ty(body.operand(op, 1)));
    agg::eval::update(&mut aggregate, ty, &path, &mut |p| {
        *p = if add { add_values(part_ty, p, &part) } else { part.clone() };
    });
    Ok(vec![aggregate])
}

fn eval_tmake(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = strip_tangent(body.ty(body.result(op, 0)));
    if ty.shape().len() > 1 {
        // A matrix is made of its rows or of all its scalars.
        let scalars = args.iter().flat_map(|r| if r.parts().is_empty() { vec![r.clone()] } else { r.parts().to_vec() });
        return Ok(vec![Val::agg(scalars.collect())]);
    }
    Ok(vec![Val::agg(args)])
}

fn eval_splat(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let n = strip_tangent(body.ty(body.result(op, 0))).num_elements();
    Ok(vec![Val::agg(vec![args[0].clone(); n])])
}

fn eval_sum(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = strip_tangent(body.ty(body.result(op, 0)));
    let sum = args[0].parts().iter().fold(Val::Float(0.0), |acc, p| add_values(ty, &acc, p));
    Ok(vec![sum])
}

fn eval_select(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = strip_tangent(body.ty(body.result(op, 0)));
    if let (Val::Agg(conds), true) = (&args[0], ty.is_vector()) {
        let lanes = conds.iter().zip(args[1].parts().iter().zip(args[2].parts()));
        return Ok(vec![Val::agg(lanes.map(|(c, (a, b))| if c.as_bool() { a.clone() } else { b.clone() }).collect())]);
    }
    Ok(vec![if args[0].as_bool() { args[1].clone() } else { args[2].clone() }])
}

fn eval_cast(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = strip_tangent(body.ty(body.result(op, 0)));
    Ok(vec![map_floats(ty, &args[0], &|x| x)])
}

fn scale_on_data(b: &mut Builder<'_>, t: OnData<'_>) -> Result<ValueId> {
    let (factor, strong) = (t.args[1], Strong::of(t.src, t.op));
    t.differentials.map_floats(b, t.ty, t.args[0], &|b, v| {
        let vt = b.ty(v);
        let f = if vt == b.ty(factor) { factor } else { vector::Broadcast::build(b, factor, vt, &[]) };
        match strong {
            None => arith::MulF::build(b, v, f, &[]),
            Some(Strong::Tangent) => strong::GatedMulF::build(b, v, f, &[]),
            Some(Strong::Factor) => strong::GatedMulF::build(b, f, v, &[]),
            Some(Strong::Both) => strong::MulF::build(b, v, f, &[]),
        }
    })
}

fn extract_on_data(b: &mut Builder<'_>, t: OnData<'_>) -> Result<ValueId> {
    let path = TExtract(t.op).path(t.src).unwrap_or_default();
    Ok(t.differentials.extract(b, t.args[0], At { path: &path, indices: &t.args[1..] }, t.ty))
}

fn insert_on_data(b: &mut Builder<'_>, t: OnData<'_>) -> Result<ValueId> {
    let path = TInsert(t.op).path(t.src).unwrap_or_default();
    Ok(t.differentials.insert(b, t.args[0], t.args[1], At { path: &path, indices: &t.args[2..] }))
}

fn accumulate_on_data(b: &mut Builder<'_>, t: OnData<'_>) -> Result<ValueId> {
    let path = TAccumulate(t.op).path(t.src).unwrap_or_default();
    t.differentials.accumulate(b, t.args[0], t.args[1], At { path: &path, indices: &t.args[2..] })
}

fn sum_on_data(b: &mut Builder<'_>, t: OnData<'_>) -> Result<ValueId> {
    let v = t.args[0];
    let ty = b.ty(v);
    let flat = Type::vector(&[ty.num_elements() as u32], ty.elem());
    let v = if ty == flat { v } else { vector::ShapeCast::build(b, v, flat, &[]) };
    Ok(vector::Reduction::build(b, v, &[("kind", Attr::opaque("vector.kind<add>"))]))
}

fn select_on_data(b: &mut Builder<'_>, t: OnData<'_>) -> Result<ValueId> {
    let (condition, x, y) = (t.args[0], t.args[1], t.args[2]);
    if t.ty.is_scalar() || t.ty.is_vector() {
        return Ok(arith::Select::build(b, condition, x, y, &[]));
    }
    let new = scf::If::build(b, condition, &[t.ty], &[]);
    for (k, v) in [x, y].into_iter().enumerate() {
        let block = b.add_block(new, k, &[]);
        scf::Yield::build(&mut b.at(block), &[v], &[]);
    }
    Ok(b.body.result(new, 0))
}

fn cast_on_data(b: &mut Builder<'_>, t: OnData<'_>) -> Result<ValueId> {
    let v = t.args[0];
    let bits = |t: Type| t.elem().scalar_bits().unwrap_or(0);
    let def: &'static OpDef = match bits(b.ty(v)).cmp(&bits(t.ty)) {
        std::cmp::Ordering::Less => arith::ExtF::DEF,
        std::cmp::Ordering::Equal => return Ok(v),
        std::cmp::Ordering::Greater => arith::TruncF::DEF,
    };
    Ok(b.create_one(def, &[v], t.ty, &[]))
}

/// The tangent type of a part: what `ad.extract` of `path` gives.
pub fn tangent_part(aggregate: Type, path: &[i64]) -> Option<Type> {
    agg::type_at_path(strip_tangent(aggregate), path).map(tangent_type)
}

ops! { pub static LINEAR_OPS as LinearView: [
    /// The zero tangent. Transpose: its cotangent is dropped.
    TZero "ad.zero" {
        operands: (), results: one(Class(&TANGENT)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("attr-dict `:` type($result)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_tzero),
        ad: AdRule::Linear(|b, t| Ok(t.differentials.zero(b, t.ty))),
    }
    /// a + b (`dadd`). Transpose: the cotangent goes to both.
    TAdd "ad.add" {
        operands: (lhs: Class(&TANGENT), rhs: SameAs(0)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: true, asm: Asm::Format("$lhs `,` $rhs attr-dict `:` type($lhs)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_add),
        ad: AdRule::Linear(|b, t| t.differentials.add(b, t.ty, t.args[0], t.args[1])),
    }
    /// -a. Transpose: itself.
    TNeg "ad.neg" {
        operands: (tangent: Class(&TANGENT)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$tangent attr-dict `:` type($tangent)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_neg),
        ad: AdRule::Linear(|b, t| t.differentials.map_floats(b, t.ty, t.args[0], &|b, v| arith::NegF::build(b, v, &[]))),
    }
    /// The tangent times a primal factor (`dmul`): a scalar, or for vectors and matrices one factor
    /// a component. `strong` says whose zero makes the product zero, whatever the other is:
    /// `"tangent"`, `"factor"` or `"both"`.
    /// Transpose: itself.
    TScale "ad.scale" {
        operands: (tangent: Class(&TANGENT), factor: Class(&FLOAT_LIKE)), results: infer(SameAs(0)), attrs: (strong: String [optional]), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$tangent `,` $factor attr-dict `:` type($tangent) `,` type($factor)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_scale), ad: AdRule::Linear(scale_on_data),
    }
    /// The part of an aggregate's tangent at `path` (as `agg.extract`). Transpose: `ad.accumulate`.
    TExtract "ad.extract" {
        operands: (aggregate: Class(&TANGENT); indices: Class(&INT_OR_INDEX)), results: one(Class(&TANGENT)),
        attrs: (path: IntArray), regions: (), effects: Pure, memory: (aggregate: Projects at path), commutative: false,
        asm: Asm::Format("$aggregate `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_tangent_extract), fold: Fold::None, eval: Eval::Full(eval_textract),
        ad: AdRule::Linear(extract_on_data),
    }
    /// The aggregate's tangent with the part at `path` replaced. Transpose: the part gets what
    /// stands at `path`, the aggregate the cotangent with a zero there (load, then clear).
    TInsert "ad.insert" {
        operands: (part: Class(&TANGENT), aggregate: Class(&TANGENT); indices: Class(&INT_OR_INDEX)), results: infer(SameAs(1)),
        attrs: (path: IntArray), regions: (), effects: Pure, memory: (part: Becomes at path, aggregate: Replaces at path), commutative: false,
        asm: Asm::Format("$part `,` $aggregate `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_tangent_insert), fold: Fold::None,
        eval: Eval::Full(|_, body, op, args| eval_update(body, op, args, false)),
        ad: AdRule::Linear(insert_on_data),
    }
    /// The aggregate's tangent with `part` added at `path`: one indexed add, however large the
    /// aggregate. Transpose: the part gets what stands at `path`, the aggregate the whole
    /// cotangent.
    TAccumulate "ad.accumulate" {
        operands: (part: Class(&TANGENT), aggregate: Class(&TANGENT); indices: Class(&INT_OR_INDEX)), results: infer(SameAs(1)),
        attrs: (path: IntArray), regions: (), effects: Pure, memory: (part: Becomes at path, aggregate: Adds at path), commutative: false,
        asm: Asm::Format("$part `,` $aggregate `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_tangent_insert), fold: Fold::None,
        eval: Eval::Full(|_, body, op, args| eval_update(body, op, args, true)),
        ad: AdRule::Linear(accumulate_on_data),
    }
    /// An aggregate's tangent from those of its parts (of a matrix: its rows, or all its scalars).
    /// Transpose: each part gets its part.
    TMake "ad.make" {
        operands: (; parts: Class(&TANGENT)), results: one(Class(&TANGENT)), attrs: (), regions: (), effects: Pure, memory: (parts: Becomes), commutative: false,
        asm: Asm::Format("$parts attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_tmake),
        ad: AdRule::Linear(|b, t| Ok(t.differentials.make(b, t.args, t.ty))),
    }
    /// A scalar's tangent in every component of a vector or matrix. Transpose: `ad.sum`.
    TSplat "ad.splat" {
        operands: (scalar: Class(&TANGENT)), results: one(Class(&TANGENT)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$scalar attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_splat),
        ad: AdRule::Linear(|b, t| Ok(vector::Broadcast::build(b, t.args[0], t.ty, &[]))),
    }
    /// The sum of the components. Transpose: `ad.splat`.
    TSum "ad.sum" {
        operands: (vector: Class(&TANGENT)), results: one(Class(&TANGENT)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$vector attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_sum), ad: AdRule::Linear(sum_on_data),
    }
    /// `a` where the condition holds, else `b`. Transpose: the cotangent to the one taken; what is
    /// not taken gets a strong zero, one that stays zero times an infinite partial.
    TSelect "ad.select" {
        operands: (condition: Class(&BOOL_LIKE), a: Class(&TANGENT), b: SameAs(1)), results: infer(SameAs(1)), attrs: (), regions: (),
        effects: Pure, commutative: false,
        asm: Asm::Format("$condition `,` $a `,` $b attr-dict `:` type($condition) `,` type($a)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_select), ad: AdRule::Linear(select_on_data),
    }
    /// The tangent in another float type. Transpose: the cast back.
    TCast "ad.cast" {
        operands: (tangent: Class(&TANGENT)), results: one(Class(&TANGENT)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$tangent attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_cast), ad: AdRule::Linear(cast_on_data),
    }
    /// Calls the linear half of `callee`: its context and primal operands, then tangents; gives the
    /// tangents of its active results. Transpose: `ad.transpose_call`.
    LinearCall "ad.linear_call" {
        operands: (; operands: Class(&ANY)), results: many(Class(&TANGENT)),
        attrs: (callee: Symbol, active: IntArray, active_results: IntArray), regions: (),
        effects: Call, commutative: false, asm: Asm::Format("$callee `(` $operands `)` attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// Calls the transposed linear half of `callee`: its context and primal operands, then
    /// cotangents of its active results; gives the cotangents of its active parameters, and for
    /// each whether anything reached it.
    TransposeCall "ad.transpose_call" {
        operands: (; operands: Class(&ANY)), results: many(Class(&ANY)),
        attrs: (callee: Symbol, active: IntArray, active_results: IntArray), regions: (),
        effects: Call, commutative: false, asm: Asm::Format("$callee `(` $operands `)` attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
] }
