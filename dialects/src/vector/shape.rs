//! Making vectors from scalars and scalars from vectors, and rearranging.

use crate::arith::num;
use crate::classes::{SCALAR, VECTOR};
use crate::facts::shape;
use caustic_ir::attr::AttrKind;
use caustic_ir::eval::{Eval, EvalResult, Trap, Val, normalize};
use caustic_ir::op::{AdRule, Asm, Fold, Folded, Mirror};
use caustic_ir::{Attr, Body, Builder, Diagnostic, OpId, Type, ValueId, ops};

fn fail(body: &Body, op: OpId, text: String) -> Result<(), Diagnostic> {
    Err(Diagnostic::invalid_ir(body.loc(op), format!("{}: {text}", body.op(op).def.name)))
}

fn result_type(body: &Body, op: OpId) -> Type {
    body.ty(body.result(op, 0))
}

fn one(args: Vec<Val>, body: &Body, op: OpId) -> Result<Val, Trap> {
    args.into_iter().next().ok_or_else(|| Trap::new(body.loc(op), "missing operand"))
}

// ----- broadcast, from_elements

fn verify_broadcast(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let (from, to) = (body.ty(Broadcast(op).source(body)), result_type(body, op));
    if from == to.elem() { Ok(()) } else { fail(body, op, format!("{from} is not the element type of {to}")) }
}

fn compute_broadcast(body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    Ok(vec![Val::agg(vec![one(args, body, op)?; result_type(body, op).num_elements()])])
}

fn verify_from_elements(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let ty = result_type(body, op);
    let elements = FromElements(op).elements(body);
    if elements.len() != ty.num_elements() {
        return fail(body, op, format!("{} elements for {ty}", elements.len()));
    }
    match elements.iter().find(|&&v| body.ty(v) != ty.elem()) {
        Some(&v) => fail(body, op, format!("an element of type {} for {ty}", body.ty(v))),
        None => Ok(()),
    }
}

fn compute_from_elements(_: &Body, _: OpId, args: Vec<Val>) -> EvalResult {
    Ok(vec![Val::agg(args)])
}

// ----- reduction

/// The kinds of reduction: the keyword, whether it takes floats, whether it takes integers.
const KINDS: &[(&str, bool, bool)] = &[
    ("add", true, true),
    ("mul", false, true),
    ("and", false, true),
    ("or", false, true),
    ("xor", false, true),
    ("minsi", false, true),
    ("minui", false, true),
    ("maxsi", false, true),
    ("maxui", false, true),
];

/// The attribute that names a kind of reduction, as upstream spells it.
pub fn kind_attr(keyword: &str) -> Attr {
    Attr::opaque(&format!("vector.kind<{keyword}>"))
}

/// The keyword of a reduction's kind.
pub fn reduction_kind(body: &Body, op: OpId) -> Option<&'static str> {
    body.attr(op, "kind").and_then(kind_of)
}

/// The keyword of an attribute that names a kind of reduction.
pub fn kind_of(attr: Attr) -> Option<&'static str> {
    match attr.kind() {
        AttrKind::Opaque(text) => text.as_str().strip_prefix("vector.kind<")?.strip_suffix('>'),
        _ => None,
    }
}

fn verify_reduction(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let ty = body.ty(Reduction(op).vector(body));
    if ty.shape().len() != 1 {
        return fail(body, op, format!("{ty} is not a vector of one dimension"));
    }
    let kind = reduction_kind(body, op);
    let Some((name, floats, ints)) = KINDS.iter().find(|(name, ..)| Some(*name) == kind) else {
        return fail(body, op, "the kind is none of add mul and or xor minsi minui maxsi maxui".to_string());
    };
    if if ty.elem().is_float() { *floats } else { *ints } {
        return Ok(());
    }
    fail(body, op, format!("the kind `{name}` does not apply to {ty}"))
}

fn reduce(kind: &str, a: Val, b: Val, ty: Type) -> Val {
    let value = match (a, b) {
        (Val::Float(a), Val::Float(b)) => Val::Float(a + b),
        (a, b) => {
            let (a, b) = (a.as_int(), b.as_int());
            let (sa, sb) = (num::signed(a, ty), num::signed(b, ty));
            let (ua, ub) = (num::unsigned(a, ty), num::unsigned(b, ty));
            Val::Int(match kind {
                "mul" => a.wrapping_mul(b),
                "and" => a & b,
                "or" => a | b,
                "xor" => a ^ b,
                "minsi" => sa.min(sb),
                "maxsi" => sa.max(sb),
                "minui" => ua.min(ub) as i64,
                "maxui" => ua.max(ub) as i64,
                _ => a.wrapping_add(b),
            })
        }
    };
    normalize(value, ty)
}

fn compute_reduction(body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = result_type(body, op);
    let kind = reduction_kind(body, op).unwrap_or("add");
    let vector = one(args, body, op)?;
    let sum = vector.parts().iter().cloned().reduce(|a, b| reduce(kind, a, b, ty));
    sum.map(|v| vec![v]).ok_or_else(|| Trap::new(body.loc(op), "an empty vector"))
}

// ----- shape_cast, transpose

fn verify_shape_cast(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let (from, to) = (body.ty(ShapeCast(op).source(body)), result_type(body, op));
    if from.elem() == to.elem() && from.num_elements() == to.num_elements() {
        return Ok(());
    }
    fail(body, op, format!("{from} and {to} do not hold the same number of the same scalars"))
}

fn compute_shape_cast(_: &Body, _: OpId, args: Vec<Val>) -> EvalResult {
    Ok(args)
}

fn fold_shape_cast(body: &Body, op: OpId, constants: &[Option<Attr>]) -> Option<Folded> {
    let to = result_type(body, op);
    if body.ty(body.operand(op, 0)) == to {
        return Some(Folded::Operand(0));
    }
    super::fold_with(compute_shape_cast, body, op, constants)
}

fn permutation(body: &Body, op: OpId) -> Vec<i64> {
    body.attr(op, "permutation").and_then(|a| a.as_i64_array()).unwrap_or_default()
}

fn verify_transpose(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let (from, to) = (body.ty(Transpose(op).vector(body)), result_type(body, op));
    match (from.shape(), to.shape(), permutation(body, op).as_slice()) {
        ([a, b], [c, d], [1, 0]) if a == d && b == c && from.elem() == to.elem() => Ok(()),
        (_, _, [1, 0]) => fail(body, op, format!("{to} is not {from} with rows and columns exchanged")),
        (_, _, other) => fail(body, op, format!("the permutation is {other:?}, but only [1, 0] is supported")),
    }
}

fn transpose<T: Clone>(items: &[T], from: Type) -> Option<Vec<T>> {
    let &[rows, cols] = from.shape() else { return None };
    let at = |r: u32, c: u32| items.get((r * cols + c) as usize).cloned();
    (0..cols).flat_map(|c| (0..rows).map(move |r| (r, c))).map(|(r, c)| at(r, c)).collect()
}

fn compute_transpose(body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let from = body.ty(Transpose(op).vector(body));
    let value = one(args, body, op)?;
    let parts = transpose(value.parts(), from);
    parts.map(|p| vec![Val::agg(p)]).ok_or_else(|| Trap::new(body.loc(op), "not a matrix"))
}

ops! { pub static SHAPE_OPS as ShapeView: [
    /// A vector or matrix with the scalar in every lane.
    ///
    /// `%v = vector.broadcast %s : f32 to vector<3xf32>`
    Broadcast "vector.broadcast" {
        operands: (source: Class(&SCALAR)), results: one(Class(&VECTOR)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$source attr-dict `:` type($source) `to` type($result)"),
        verify: Some(verify_broadcast), fold: computed!(fold compute_broadcast), eval: computed!(eval compute_broadcast), facts: shape::moved,
        ad: AdRule::Mirror(Mirror::Splat),
    }
    /// A vector or matrix of these scalars; a matrix row by row.
    ///
    /// `%v = vector.from_elements %x, %y : vector<2xf32>`
    FromElements "vector.from_elements" {
        operands: (; elements: Class(&SCALAR)), results: one(Class(&VECTOR)), attrs: (), regions: (),
        effects: Pure, memory: (elements: Becomes), commutative: false, asm: Asm::Format("$elements attr-dict `:` type($result)"),
        verify: Some(verify_from_elements), fold: computed!(fold compute_from_elements), eval: computed!(eval compute_from_elements), facts: shape::collected,
        ad: AdRule::Mirror(Mirror::Make),
    }
    /// All scalars of a vector combined from the first to the last, each step rounded: `add` for
    /// floats; `add mul and or xor minsi minui maxsi maxui` for integers.
    ///
    /// `%s = vector.reduction <add>, %v : vector<3xf32> into f32`
    Reduction "vector.reduction" {
        operands: (vector: Class(&VECTOR)), results: infer(ElemOf(0)), attrs: (kind: Opaque), regions: (),
        effects: Pure, commutative: false,
        asm: Asm::Format("` ` `<` wrapped($kind, `vector.kind<`, `>`) `>` `,` $vector attr-dict `:` type($vector) `into` type($result)"),
        verify: Some(verify_reduction), fold: computed!(fold compute_reduction), eval: computed!(eval compute_reduction), facts: shape::reduced,
        ad: AdRule::Mirror(Mirror::Sum),
    }
    /// The same scalars in the same order in another shape.
    ///
    /// `%m = vector.shape_cast %v : vector<6xf32> to vector<2x3xf32>`
    ShapeCast "vector.shape_cast" {
        operands: (source: Class(&VECTOR)), results: one(Class(&VECTOR)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$source attr-dict `:` type($source) `to` type($result)"),
        verify: Some(verify_shape_cast), fold: Fold::With(fold_shape_cast),
        eval: computed!(eval compute_shape_cast), facts: shape::moved,
        ad: AdRule::Mirror(Mirror::Reshape),
    }
    /// A matrix with rows and columns exchanged.
    ///
    /// `%t = vector.transpose %m, [1, 0] : vector<2x3xf32> to vector<3x2xf32>`
    Transpose "vector.transpose" {
        operands: (vector: Class(&VECTOR)), results: one(Class(&VECTOR)), attrs: (permutation: IntArray), regions: (),
        effects: Pure, commutative: false,
        asm: Asm::Format("$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"),
        verify: Some(verify_transpose), fold: computed!(fold compute_transpose), eval: computed!(eval compute_transpose), facts: shape::moved,
        ad: AdRule::Mirror(Mirror::Reshape),
    }
] }

/// Builds a broadcast; the scalar itself if `ty` is no vector.
pub fn broadcast(b: &mut Builder<'_>, source: ValueId, ty: Type) -> ValueId {
    if ty.is_vector() { Broadcast::build(b, source, ty, &[]) } else { source }
}

pub fn from_elements(b: &mut Builder<'_>, elements: &[ValueId], ty: Type) -> ValueId {
    FromElements::build(b, elements, ty, &[])
}

pub fn reduction(b: &mut Builder<'_>, kind: &str, vector: ValueId) -> ValueId {
    Reduction::build(b, vector, &[("kind", kind_attr(kind))])
}

pub fn shape_cast(b: &mut Builder<'_>, source: ValueId, ty: Type) -> ValueId {
    ShapeCast::build(b, source, ty, &[])
}

/// Builds the transpose of a matrix.
pub fn transposed(b: &mut Builder<'_>, matrix: ValueId) -> ValueId {
    let ty = b.ty(matrix);
    let shape: Vec<u32> = ty.shape().iter().rev().copied().collect();
    Transpose::build(b, matrix, Type::vector(&shape, ty.elem()), &[("permutation", Attr::i64_array(&[1, 0]))])
}
