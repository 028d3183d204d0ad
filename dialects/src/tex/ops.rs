//! The op rows of `tex`.

use super::{TextureOp, TextureType, is_sampler};
use crate::classes::{ANY, FLOAT_LIKE, INT_LIKE, SCALAR};
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val};
use caustic_ir::op::{AdRule, Asm, Fold, TypeClass};
use caustic_ir::texels::Sampler;
use caustic_ir::{Body, Diagnostic, OpId, Type, ops};

pub static TEXTURE: TypeClass = TypeClass { desc: "a texture", contains: |t| TextureType::of(t).is_some() };
pub static SAMPLER: TypeClass = TypeClass { desc: "a sampler", contains: is_sampler };

fn verify(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    if TextureOp::of(body, op).is_some() {
        return Ok(());
    }
    let types: Vec<String> = body.operands(op).iter().map(|&v| body.ty(v).to_string()).collect();
    let text = format!("{}: no such access with operands of types {}", body.op(op).def.name, types.join(", "));
    Err(Diagnostic::invalid_ir(body.loc(op), text))
}

fn eval(m: &mut dyn Machine, body: &Body, op: OpId, mut args: Vec<Val>) -> EvalResult {
    let malformed = || Trap::new(body.loc(op), format!("{}: malformed", body.op(op).def.name));
    let access = TextureOp::of(body, op).ok_or_else(malformed)?;
    let texture = args.remove(access.texture_at);
    let sampler =
        if access.samples { m.sampler(&args.remove(access.texture_at), body.loc(op))? } else { Sampler::default() };
    let texels = m.texels(&texture, body.loc(op))?;
    Ok(access.eval(texels, sampler, &args).into_iter().collect())
}

fn eval_state(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    Ok([Val::Int(m.sampler(&args[0], body.loc(op))?.state())].into_iter().collect())
}

const REFUSE: &str = "an atomic update of a texture has no derivative; call `detach` on its operand, or give the function \
     a derivative of its own";

ops! { pub static TEX_OPS as TexView: [
    /// A sample where the machine chooses the level by how the coordinates change from pixel to
    /// pixel; `bias` is added to it. Without pixels that is level 0. A last operand is an offset in
    /// texels, here and in the other ops.
    ///
    /// `%c = tex.sample %t, %s, %uv, %bias [] : (!tex.texture<"2d", vector<4xf32>, "ro">, !tex.sampler, vector<2xf32>, f32) -> vector<4xf32>`
    Sample "tex.sample" {
        operands: (texture: Class(&TEXTURE), sampler: Class(&SAMPLER), coords: Class(&FLOAT_LIKE), bias: Exactly(Type::f32); offset: Class(&INT_LIKE)),
        results: one(Class(&ANY)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$texture `,` $sampler `,` $coords `,` $bias `[` $offset `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// A sample of the given level; between levels both are interpolated.
    SampleLevel "tex.sample_level" {
        operands: (texture: Class(&TEXTURE), sampler: Class(&SAMPLER), coords: Class(&FLOAT_LIKE), level: Exactly(Type::f32); offset: Class(&INT_LIKE)),
        results: one(Class(&ANY)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$texture `,` $sampler `,` $coords `,` $level `[` $offset `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// A sample of the level that suits coordinates which change by `ddx` and `ddy` from pixel to
    /// pixel.
    SampleGrad "tex.sample_grad" {
        operands: (texture: Class(&TEXTURE), sampler: Class(&SAMPLER), coords: Class(&FLOAT_LIKE), ddx: Class(&FLOAT_LIKE), ddy: Class(&FLOAT_LIKE); offset: Class(&INT_LIKE)),
        results: one(Class(&ANY)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$texture `,` $sampler `,` $coords `,` $ddx `,` $ddy `[` $offset `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// How much of the filtered texels is greater than `reference`: each counts as 1 or 0.
    SampleCompare "tex.sample_compare" {
        operands: (texture: Class(&TEXTURE), sampler: Class(&SAMPLER), coords: Class(&FLOAT_LIKE), reference: Exactly(Type::f32), level: Exactly(Type::f32); offset: Class(&INT_LIKE)),
        results: one(Exactly(Type::f32)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$texture `,` $sampler `,` $coords `,` $reference `,` $level `[` $offset `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// One component of each of the four texels that a linear sample of level 0 would read: lower
    /// left, lower right, upper right, upper left.
    Gather "tex.gather" {
        operands: (texture: Class(&TEXTURE), sampler: Class(&SAMPLER), coords: Class(&FLOAT_LIKE); offset: Class(&INT_LIKE)),
        results: one(Class(&ANY)), attrs: (component: Int), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$texture `,` $sampler `,` $coords `[` $offset `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// `tex.gather` of the first component, each compared as in `tex.sample_compare`.
    GatherCompare "tex.gather_compare" {
        operands: (texture: Class(&TEXTURE), sampler: Class(&SAMPLER), coords: Class(&FLOAT_LIKE), reference: Exactly(Type::f32); offset: Class(&INT_LIKE)),
        results: one(Class(&ANY)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$texture `,` $sampler `,` $coords `,` $reference `[` $offset `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// The texel at a place; zero where there is none.
    ///
    /// `%c = tex.load %t, %at, %level [] : (!tex.texture<"2d", f32, "ro">, vector<2xi32>, i32) -> f32`
    Load "tex.load" {
        operands: (texture: Class(&TEXTURE), place: Class(&INT_LIKE), level: Class(&INT_LIKE); offset: Class(&INT_LIKE)),
        results: one(Class(&ANY)), attrs: (), regions: (), effects: Reads, commutative: false,
        asm: Asm::Format("$texture `,` $place `,` $level `[` $offset `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// All four components of the texel at a place as numbers of any type, those that its format
    /// lacks as 0, 0, 0, 1; zero where there is none. What samples are made of where code filters.
    ///
    /// `%c = tex.texel %t, %at, %level : (!tex.texture<"2d", f32, "ro">, vector<2xi32>, i32) -> vector<4xf64>`
    Texel "tex.texel" {
        operands: (texture: Class(&TEXTURE), place: Class(&INT_LIKE), level: Class(&INT_LIKE)),
        results: one(Class(&ANY)), attrs: (), regions: (), effects: Reads, commutative: false,
        asm: Asm::Format("$texture `,` $place `,` $level attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// What is bound to a sampler, as a number: 1 if it is linear, and twice what becomes of
    /// coordinates outside (0 they wrap, 1 mirror, 2 clamp, 3 there is nothing).
    SamplerState "tex.sampler_state" {
        operands: (sampler: Class(&SAMPLER)), results: one(Exactly(Type::i32)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$sampler attr-dict"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_state), ad: AdRule::Inactive,
    }
    /// Writes a texel of level 0; where there is none it does nothing.
    ///
    /// `tex.store %c, %t, %at : (f32, !tex.texture<"2d", f32, "rw">, vector<2xi32>) -> ()`
    Store "tex.store" {
        operands: (value: Class(&ANY), texture: Class(&TEXTURE), place: Class(&INT_LIKE)),
        results: none, attrs: (), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("$value `,` $texture `,` $place attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
    /// Combines the number at a place with `value` and gives the number before, so that no other
    /// thread comes between. `kind` is that of `agg.atomic_rmw`. Zero where there is no texel.
    ///
    /// `%old = tex.atomic_rmw "add" %x, %t, %at : (i32, !tex.texture<"2d", i32, "rw">, vector<2xi32>) -> i32`
    AtomicRmw "tex.atomic_rmw" {
        operands: (value: Class(&SCALAR), texture: Class(&TEXTURE), place: Class(&INT_LIKE)), results: infer(SameAs(0)),
        attrs: (kind: String), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("$kind $value `,` $texture `,` $place attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Refuse(REFUSE),
    }
    /// Replaces the number at a place by `value` if its bits are those of `expected`; gives the
    /// number before.
    AtomicCas "tex.atomic_cas" {
        operands: (expected: Class(&SCALAR), value: SameAs(0), texture: Class(&TEXTURE), place: Class(&INT_LIKE)),
        results: infer(SameAs(0)), attrs: (), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("$expected `,` $value `,` $texture `,` $place attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Refuse(REFUSE),
    }
    /// Width and height of a level, its depth or the number of layers (of cubes), and the number of
    /// levels.
    ///
    /// `%n = tex.size %t, %level : !tex.texture<"2d", f32, "ro">, i32`
    Size "tex.size" {
        operands: (texture: Class(&TEXTURE), level: Class(&INT_LIKE)),
        results: one(Exactly(|| Type::vector(&[4], Type::i32()))), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$texture `,` $level attr-dict `:` type($texture) `,` type($level)"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(eval), ad: AdRule::Inactive,
    }
] }
