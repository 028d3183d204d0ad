//! The op rows of `ad` that stand in code a programmer could have written: pairs, detach,
//! derivative functions, boundaries.

use super::{as_pair, as_tangent, is_tangent};
use crate::classes::ANY;
use crate::structure::{block_with, ends_with, types};
use caustic_ir::eval::{Eval, EvalResult, Machine, Val};
use caustic_ir::op::{AdRule, Asm, Fold, Mirror, TypeClass};
use caustic_ir::{Body, Diagnostic, OpId, Type, ops};

pub static PAIR: TypeClass = TypeClass { desc: "a differential pair", contains: |t| as_pair(t).is_some() };
pub static TANGENT: TypeClass = TypeClass { desc: "a tangent", contains: is_tangent };
pub static DATA: TypeClass = TypeClass { desc: "a type that is no tangent", contains: |t| as_tangent(t).is_none() };

fn eval_make_pair(_: &mut dyn Machine, _: &Body, _: OpId, args: Vec<Val>) -> EvalResult {
    Ok(vec![Val::agg(args)])
}
fn eval_part(args: &[Val], index: usize) -> EvalResult {
    Ok(args[0].parts().get(index).cloned().into_iter().collect())
}
fn eval_identity(_: &mut dyn Machine, _: &Body, _: OpId, args: Vec<Val>) -> EvalResult {
    Ok(args)
}

fn verify_linear(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let (operands, results) = (types(body, body.operands(op)), types(body, body.results(op)));
    ends_with(body, block_with(body, op, 0, &operands)?, Yield::DEF, 0, &results)
}

ops! { pub static AD_OPS as AdView: [
    /// A derivative function as an entity of the program: the symbol names the `mode` derivative
    /// (`"fwd"` or `"bwd"`) of `of`, with the signature of the paper's appendix E in
    /// `function_type` and the parameter directions in `params`. It is called like any function;
    /// differentiation replaces it by the function itself. Nested operators are derivatives of
    /// derivatives.
    ///
    /// With `wrt`, 0 or 1 for each input, the derivative is with respect to those inputs alone.
    ///
    /// `ad.derivative @"bwd_diff(f)" of @f "bwd"`
    Derivative "ad.derivative" {
        operands: (), results: none,
        attrs: (sym_name: String, of: Symbol, mode: String, function_type: Type, params: Array [optional], result: Dict [optional], wrt: IntArray [optional]), regions: (),
        effects: Symbol, commutative: false, asm: Asm::Shape(caustic_ir::AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// A function to be differentiated with respect to the inputs marked in `active`, for the
    /// results marked in `wanted`; those marked in `active_results` have a derivative. The other
    /// attributes are links to its forms, each of which may be yet to be made or gone again: the
    /// linearization (`jvp`), unzipped and then transposed (`rev`), the forward derivative on data
    /// (`fwd`), the half that computes the primal results and the context (`primal`), the half that
    /// takes the context and cotangents (`bwd`; `unsure` where a zero among these may be one that
    /// nothing reached), the forward derivative that takes and gives whether tangents were reached
    /// (`gated`). `shown` is what messages call it, if not by the function's name. Calls of
    /// derivatives name the instance.
    Instance "ad.instance" {
        operands: (), results: none,
        attrs: (sym_name: String, of: Symbol, active: IntArray, wanted: IntArray, active_results: IntArray, jvp: MaybeSymbol, rev: MaybeSymbol, fwd: MaybeSymbol, primal: MaybeSymbol, bwd: MaybeSymbol, unsure: MaybeSymbol, gated: MaybeSymbol, shown: String [optional]),
        regions: (), effects: Symbol, commutative: false, asm: Asm::Shape(caustic_ir::AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// A backward half of an instance (`of`) for callers that know more of the cotangents that they
    /// hand it, and which function it is. `known` holds two numbers, a bit of each for every scalar
    /// of the cotangents: those in which a zero was computed, and those that are exact zeros.
    Half "ad.half" {
        operands: (), results: none, attrs: (sym_name: String, of: Symbol, known: IntArray, function: MaybeSymbol), regions: (),
        effects: Symbol, commutative: false, asm: Asm::Shape(caustic_ir::AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// What a step has made of a function, to be differentiated in its place: `function` is `of` in
    /// a `role`. For an op that orders memory `of` is the op.
    Variant "ad.variant" {
        operands: (), results: none, attrs: (sym_name: String, of: MaybeSymbol, role: String, function: Symbol), regions: (),
        effects: Symbol, commutative: false, asm: Asm::Shape(caustic_ir::AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// The functions that the programmer gives for the vector space of a differential type (user
    /// guide, `IDifferentiable`): `zero() -> of`, `add(of, of) -> of`. What is not given is found
    /// by the parts of the type. Differentiation calls them and removes the symbol.
    Space "ad.space" {
        operands: (), results: none,
        attrs: (sym_name: String, of: Type, zero: Symbol [optional], add: Symbol [optional]), regions: (),
        effects: Symbol, commutative: false, asm: Asm::Shape(caustic_ir::AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// A pair of a primal value and its differential.
    MakePair "ad.make_pair" {
        operands: (primal: Class(&ANY), differential: Class(&ANY)), results: one(Class(&PAIR)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$primal `,` $differential attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_make_pair), ad: AdRule::Mirror(Mirror::Make),
    }
    /// The primal half of a pair.
    Primal "ad.primal" {
        operands: (pair: Class(&PAIR)), results: one(Class(&ANY)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$pair attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(|_, _, _, a| eval_part(&a, 0)), ad: AdRule::Mirror(Mirror::Extract),
    }
    /// The differential half of a pair.
    Differential "ad.differential" {
        operands: (pair: Class(&PAIR)), results: one(Class(&ANY)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$pair attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(|_, _, _, a| eval_part(&a, 1)), ad: AdRule::Mirror(Mirror::Extract),
    }
    /// The same value without a derivative: `detach(x)` and `no_diff` as written.
    Detach "ad.detach" {
        operands: (value: Class(&ANY)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$value attr-dict `:` type($value)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_identity), ad: AdRule::Mirror(Mirror::Detach),
    }
    /// Whether functions are zero where the formula of their derivative is no number, as
    /// docs/singular.md says, or are what IEEE arithmetic makes of it. Decided when derivatives are
    /// made.
    SingularZero "ad.singular_zero" {
        operands: (), results: one(Exactly(Type::i1)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("attr-dict `:` type($result)"),
        verify: None, fold: Fold::None, eval: Eval::Full(|_, _, _, _| Ok(vec![Val::Int(1)])), ad: AdRule::Inactive,
    }
    /// Takes a differential as a tangent: where a derivative enters linear code.
    Wrap "ad.wrap" {
        operands: (differential: Class(&DATA)), results: one(Class(&TANGENT)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$differential attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_identity), ad: AdRule::Custom,
    }
    /// Takes a tangent as plain data: where a derivative leaves linear code.
    Unwrap "ad.unwrap" {
        operands: (tangent: Class(&TANGENT)), results: one(Class(&DATA)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$tangent attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_identity), ad: AdRule::Custom,
    }
    /// Calls the linearization of `callee`: primal operands, then one tangent for each parameter
    /// marked in `active`. Results: the primal ones, then the tangents of those marked in
    /// `active_results`. `plain` is the function itself, for a call that needs no derivative. With
    /// `ad.gated` whether these tangents were reached stands in front of them, in both.
    JvpCall "ad.jvp_call" {
        operands: (; operands: Class(&ANY)), results: many(Class(&ANY)),
        attrs: (callee: Symbol, active: IntArray, active_results: IntArray, plain: Symbol [optional]), regions: (),
        effects: Call, commutative: false, asm: Asm::Format("$callee `(` $operands `)` attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// Calls the primal half of `callee`: its results, then the context that its linear half needs.
    PrimalCall "ad.primal_call" {
        operands: (; operands: Class(&ANY)), results: many(Class(&ANY)),
        attrs: (callee: Symbol, active: IntArray, active_results: IntArray), regions: (),
        effects: Call, commutative: false, asm: Asm::Format("$callee `(` $operands `)` attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// Linear code: takes tangents, gives tangents, reads primal values from around it. Transposed
    /// it also gives, for each, whether anything reached it.
    Linear "ad.linear" {
        operands: (; tangents: Class(&TANGENT)), results: many(Class(&ANY)), attrs: (), regions: (body),
        effects: Regions, commutative: false, asm: Asm::Format("`(` $tangents `)` attr-dict `:` functional-type regions"),
        verify: Some(verify_linear), fold: Fold::None,
        eval: Eval::Full(|m, body, op, args| match body.region_block(op, 0) {
            Some(block) => m.run_block(body, block, args).map(|end| end.values),
            None => Ok(vec![]),
        }),
        ad: AdRule::Custom,
    }
    /// A loop of linear code whose primal values are computed along with it: for k from 0 to the
    /// count (the first operand), `step` takes k and the primal state to the next state, and `body`
    /// takes k, the same state and the tangents to the next tangents. Its transpose keeps at most
    /// `slots` states at a time and computes the others again from them, by a binomial schedule.
    Replay "ad.replay" {
        operands: (; operands: Class(&ANY)), results: many(Class(&TANGENT)), attrs: (slots: Int), regions: (step, body),
        effects: Regions, commutative: false, asm: Asm::Format("`(` $operands `)` attr-dict `:` functional-type regions"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// The state of a loop of primal code in the iteration that this stands in, at the head of the
    /// loop's linear counterpart: `last` is what the loop ends with, and the region takes the state
    /// after an iteration to that before it. Transposition, which goes through iterations from the
    /// last one, carries it along.
    Undo "ad.undo" {
        operands: (last: Class(&ANY)), results: one(Class(&ANY)), attrs: (), regions: (step),
        effects: Regions, commutative: false, asm: Asm::Format("$last attr-dict `:` functional-type regions"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// States of a loop of primal code in the iteration that this stands in, at the head of the
    /// loop's linear counterpart: the operands are what the loop begins with, and the region takes
    /// the number of an iteration and the states before it to those after it. Its transpose keeps
    /// at most `slots` states at a time and computes the others again from them, as that of
    /// `ad.replay` does.
    Again "ad.again" {
        operands: (; inits: Class(&ANY)), results: many(Class(&ANY)), attrs: (slots: Int), regions: (step),
        effects: Regions, commutative: false, asm: Asm::Format("`(` $inits `)` attr-dict `:` functional-type regions"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// Ends linear code.
    Yield "ad.yield" {
        operands: (; values: Class(&ANY)), results: none, attrs: (), regions: (),
        effects: Terminator, commutative: false, asm: Asm::Shape(caustic_ir::AsmShape::Terminator),
        verify: None, fold: Fold::None, eval: Eval::Terminator, ad: AdRule::Custom,
    }
] }
