//! Reading and replacing the parts of a vector or matrix: a scalar, or a row of a matrix.

use crate::classes::{INDEX, SCALAR_LIKE, VECTOR};
use crate::facts::shape;
use caustic_ir::eval::{Eval, EvalResult, Trap, Val};
use caustic_ir::op::{AdRule, Asm, Fold, Mirror};
use caustic_ir::{Attr, Body, Builder, Diagnostic, OpId, Type, ValueId, ops};
use std::ops::Range;
use std::sync::Arc;

/// Stands in `static_position` for an index given by the next dynamic operand.
pub const DYNAMIC: i64 = i64::MIN;

/// The type of the part at a position of `rank` steps.
pub fn part_type(ty: Type, steps: usize) -> Option<Type> {
    let rest = ty.shape().get(steps..)?;
    Some(if rest.is_empty() { ty.elem() } else { Type::vector(rest, ty.elem()) })
}

/// The entries of `static_position`.
pub fn static_position(body: &Body, op: OpId) -> Vec<i64> {
    body.attr(op, "static_position").and_then(|a| a.as_i64_array()).unwrap_or_default()
}

/// One entry a step: the constant, or the value that computes it.
pub fn position(body: &Body, op: OpId, dynamic: &[ValueId]) -> Vec<Result<i64, ValueId>> {
    let mut dynamic = dynamic.iter();
    static_position(body, op)
        .into_iter()
        .filter_map(|step| if step == DYNAMIC { dynamic.next().map(|&v| Err(v)) } else { Some(Ok(step)) })
        .collect()
}

fn verify_position(body: &Body, op: OpId, ty: Type, part: Type, dynamic: usize) -> Result<(), Diagnostic> {
    let name = body.op(op).def.name;
    let fail = |text: String| Err(Diagnostic::invalid_ir(body.loc(op), format!("{name}: {text}")));
    let steps = static_position(body, op);
    let wanted = steps.iter().filter(|&&s| s == DYNAMIC).count();
    if wanted != dynamic {
        return fail(format!("the position has {wanted} dynamic entries, but {dynamic} operands are given"));
    }
    match part_type(ty, steps.len()) {
        Some(found) if steps.is_empty() || found != part => {
            return fail(format!("position {steps:?} of {ty} is {found}, not {part}"));
        }
        Some(_) => {}
        None => return fail(format!("position {steps:?} has more entries than {ty} has dimensions")),
    }
    for (&step, &size) in steps.iter().zip(ty.shape()) {
        if step != DYNAMIC && !(0..size as i64).contains(&step) {
            return fail(format!("position {step} is outside of {ty}"));
        }
    }
    Ok(())
}

/// The scalars that the position names in the flat list; `None` outside.
fn span(body: &Body, op: OpId, ty: Type, dynamic: &[Val]) -> Option<Range<usize>> {
    let shape = ty.shape();
    let steps = static_position(body, op);
    let mut dynamic = dynamic.iter();
    let (mut first, mut count) = (0usize, ty.num_elements());
    for (&step, &size) in steps.iter().zip(shape) {
        let step = if step == DYNAMIC { dynamic.next()?.as_int() } else { step };
        if !(0..size as i64).contains(&step) {
            return None;
        }
        count /= size as usize;
        first += step as usize * count;
    }
    Some(first..first + count)
}

fn compute_extract(body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = body.ty(Extract(op).vector(body));
    let result = body.ty(body.result(op, 0));
    let Some((vector, dynamic)) = args.split_first() else { return Err(Trap::new(body.loc(op), "missing operand")) };
    let part = span(body, op, ty, dynamic).and_then(|s| vector.parts().get(s));
    let value = match part {
        Some([scalar]) if !result.is_vector() => Some(scalar.clone()),
        Some(scalars) => Some(Val::agg(scalars.to_vec())),
        None => Val::zero(result, &|_| None),
    };
    value.map(|v| vec![v]).ok_or_else(|| Trap::new(body.loc(op), "a part without a value"))
}

fn compute_insert(body: &Body, op: OpId, mut args: Vec<Val>) -> EvalResult {
    if args.len() < 2 {
        return Err(Trap::new(body.loc(op), "missing operand"));
    }
    let ty = body.ty(Insert(op).dest(body));
    let at = span(body, op, ty, &args[2..]);
    let mut dest = args.swap_remove(1);
    let source = args.swap_remove(0);
    if let (Val::Agg(scalars), Some(at)) = (&mut dest, at)
        && let Some(part) = Arc::make_mut(scalars).get_mut(at)
    {
        match &source {
            Val::Agg(new) if new.len() == part.len() => part.clone_from_slice(new),
            Val::Agg(_) => return Err(Trap::new(body.loc(op), "a part of another size")),
            scalar => part.fill(scalar.clone()),
        }
    }
    Ok(vec![dest])
}

ops! { pub static ACCESS_OPS as AccessView: [
    /// A scalar of a vector or matrix, or a row of a matrix. The position has one entry a step; an
    /// entry is a number or a value of type `index`. Outside of the vector, where only a computed
    /// entry can lead, the result is 0.
    ///
    /// `%x = vector.extract %v[2] : f32 from vector<3xf32>`,
    /// `%r = vector.extract %m[%i] : vector<4xf32> from vector<3x4xf32>`
    Extract "vector.extract" {
        operands: (vector: Class(&VECTOR); dynamic_position: Class(&INDEX)), results: one(Class(&SCALAR_LIKE)),
        attrs: (static_position: IntArray), regions: (), effects: Pure, memory: (vector: Projects at static_position), commutative: false,
        asm: Asm::Format("$vector `` positions($dynamic_position, $static_position) attr-dict `:` type($result) `from` type($vector)"),
        verify: Some(|body, op| {
            let v = Extract(op);
            verify_position(body, op, body.ty(v.vector(body)), body.ty(body.result(op, 0)), v.dynamic_position(body).len())
        }),
        fold: computed!(fold compute_extract), eval: computed!(eval compute_extract), facts: shape::part, ad: AdRule::Mirror(Mirror::Extract),
    }
    /// The vector or matrix with one scalar, or one row of a matrix, replaced. Outside of the
    /// vector nothing is replaced.
    ///
    /// `%w = vector.insert %x, %v [2] : f32 into vector<3xf32>`
    Insert "vector.insert" {
        operands: (source: Class(&SCALAR_LIKE), dest: Class(&VECTOR); dynamic_position: Class(&INDEX)),
        results: infer(SameAs(1)), attrs: (static_position: IntArray), regions: (), effects: Pure, memory: (source: Becomes at static_position, dest: Replaces at static_position), commutative: false,
        asm: Asm::Format("$source `,` $dest ` ` positions($dynamic_position, $static_position) attr-dict `:` type($source) `into` type($dest)"),
        verify: Some(|body, op| {
            let v = Insert(op);
            verify_position(body, op, body.ty(v.dest(body)), body.ty(v.source(body)), v.dynamic_position(body).len())
        }),
        fold: computed!(fold compute_insert), eval: computed!(eval compute_insert), facts: shape::replaced, ad: AdRule::Mirror(Mirror::Insert),
    }
] }

/// Builds the extraction of the part at a constant position.
pub fn extract(b: &mut Builder<'_>, vector: ValueId, position: &[i64]) -> ValueId {
    let ty = b.ty(vector);
    // A position with too many entries is left to the verifier.
    let part = part_type(ty, position.len()).unwrap_or_else(|| ty.elem());
    Extract::build(b, vector, &[], part, &[("static_position", Attr::i64_array(position))])
}

/// Builds the extraction of the part at a position computed at run time.
pub fn extract_at(b: &mut Builder<'_>, vector: ValueId, position: &[ValueId]) -> ValueId {
    let ty = b.ty(vector);
    let part = part_type(ty, position.len()).unwrap_or_else(|| ty.elem());
    let dynamic = vec![DYNAMIC; position.len()];
    Extract::build(b, vector, position, part, &[("static_position", Attr::i64_array(&dynamic))])
}

/// Builds the replacement of the part at a constant position.
pub fn insert(b: &mut Builder<'_>, source: ValueId, dest: ValueId, position: &[i64]) -> ValueId {
    Insert::build(b, source, dest, &[], &[("static_position", Attr::i64_array(position))])
}

/// Builds the replacement of the part at a position computed at run time.
pub fn insert_at(b: &mut Builder<'_>, source: ValueId, dest: ValueId, position: &[ValueId]) -> ValueId {
    let dynamic = vec![DYNAMIC; position.len()];
    Insert::build(b, source, dest, position, &[("static_position", Attr::i64_array(&dynamic))])
}
