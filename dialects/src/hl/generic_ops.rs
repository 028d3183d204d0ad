//! The op rows of generic code, and the builders that know whether the types are settled.

use super::expand::Builtin;
use super::generics::{FunctionRef, Witness, as_existential, attr_is_dependent, is_dependent};
use super::source::erase;
use crate::classes::{ANY, BOOL};
use crate::structure::error;
use caustic_ir::eval::Eval;
use caustic_ir::op::{AdRule, Asm, AsmShape, Fold, TypeClass};
use caustic_ir::{Attr, Body, Builder, Diagnostic, OpId, Type, ValueId, ops};

pub static EXISTENTIAL: TypeClass =
    TypeClass { desc: "a value of an interface's type", contains: |t| as_existential(t).is_some() };

const GONE: AdRule = AdRule::Refuse("generic code is specialized before it is differentiated");

/// The source types that an `hl.poly` lists for its operands.
pub fn poly_operand_types(body: &Body, op: OpId) -> Option<Vec<Type>> {
    body.attr(op, "of")?.as_array()?.iter().map(|a| a.as_type()).collect()
}

fn verify_poly(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let builtin = Builtin::of(body, op).or_else(|why| error(body, op, why))?;
    let operands = body.operands(op);
    if let Some(n) = builtin.operands().filter(|&n| n != operands.len()) {
        return error(body, op, format!("takes {n} operands, not {}", operands.len()));
    }
    let Some(of) = poly_operand_types(body, op) else { return error(body, op, "`of` is no list of types") };
    if of.len() != operands.len() {
        return error(body, op, format!("`of` lists {} types for {} operands", of.len(), operands.len()));
    }
    let to = body.attr(op, "to").and_then(|a| a.as_type());
    let found = operands.iter().map(|&v| body.ty(v)).chain([body.ty(body.result(op, 0))]);
    match found.zip(of.into_iter().chain(to)).find(|(value, source)| *value != erase(*source)) {
        Some((value, source)) => error(body, op, format!("a value of type {value} is said to be a {source}")),
        None => Ok(()),
    }
}

fn verify_call(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let callee = body.attr(op, "callee").and_then(FunctionRef::of);
    if callee.is_some() && body.results(op).len() <= 1 {
        return Ok(());
    }
    error(body, op, "calls no function, or one with several results")
}

fn verify_make(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    match body.attr(op, "witness").and_then(Witness::of) {
        Some(_) => Ok(()),
        None => error(body, op, "the witness is none"),
    }
}

ops! { pub static GENERIC_OPS as GenericView: [
    /// What types must have to conform: `requirements` lists `{key, kind}`, where `kind` is
    /// `"function"`, `"type"`, `"witness"` (of a conformance: to a base, or of an associated type)
    /// or `"constant"`. A function requirement may have `type`, `params`, `differentiable` and
    /// `no_diff_result` as functions have them, with `!hl.param<"This">` for the conforming type; a
    /// value of the interface's type can be called by those that have. `differentiable` says that
    /// values of the interface's type are. `any_value_size` is the programmer's bound on the bytes
    /// of conforming types.
    ///
    /// `hl.interface @IShape attributes {requirements = [{key = "area", kind = "function"}]}`
    Interface "hl.interface" {
        operands: (), results: none,
        attrs: (sym_name: String, generics: Array [optional], requirements: Array, differentiable: Unit [optional], any_value_size: Int [optional]),
        regions: (), effects: Symbol, commutative: false, asm: Asm::Shape(AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// How a type conforms to an interface: an entry for each requirement's key, a function (see
    /// `hl.call_generic`), a type, a witness or an integer. With `generics` it is the conformance
    /// of a generic type. `id` is the number that values of the interface's type tell the
    /// conforming type by; the others count up from 0.
    ///
    /// `hl.witness_table @"float:INumber" attributes {interface = @INumber, for = f32, entries = {twice = @"float.twice"}}`
    WitnessTable "hl.witness_table" {
        operands: (), results: none,
        attrs: (sym_name: String, generics: Array [optional], interface: Any, for_: Type, entries: Dict, id: Int [optional]),
        regions: (), effects: Symbol, commutative: false, asm: Asm::Shape(AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// `ad.derivative` of a function that generic arguments decide: a generic function, or what a
    /// witness has for a requirement.
    ///
    /// `hl.derivative @"fwd_diff(f)" attributes {generics = […], of = [@f, !hl.param<"T">], mode = "fwd", function_type = …, params = […]}`
    Derivative "hl.derivative" {
        operands: (), results: none,
        attrs: (sym_name: String, generics: Array [optional], of: Any, mode: String, function_type: Type, params: Array [optional]),
        regions: (), effects: Symbol, commutative: false, asm: Asm::Shape(AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Calls a function that generic arguments decide; the operands are as for `hl.call`. The
    /// callee is a generic function with its arguments, what a witness has for a requirement, or
    /// the choice by the value of an interface's type.
    ///
    /// `%y = hl.call_generic [@twice, f32, @"float:INumber"] (%x) : (f32) -> f32`,
    /// `%y = hl.call_generic {witness = "T:INumber", key = "twice"}(%x) : (!hl.param<"T">) -> !hl.param<"T">`,
    /// `%a = hl.call_generic {interface = @IShape, key = "area"}(%s) : (!hl.existential<@IShape>) -> f32`
    CallGeneric "hl.call_generic" {
        operands: (; operands: Class(&ANY)), results: many(Class(&ANY)), attrs: (callee: Any, no_diff: Unit [optional]), regions: (),
        effects: Call, commutative: false, asm: Asm::Format("$callee `(` $operands `)` attr-dict `:` functional-type"),
        verify: Some(verify_call), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// A builtin operation on types that generic arguments decide. `of` lists the source types of
    /// the operands (with `ui32` for an unsigned integer), `to` is that of the result. `kind` is
    /// one of
    /// `unary binary convert construct zero one select swizzle with_swizzle part with_part bitcast to_index from_index intrinsic dadd dmul size`;
    /// `op`, `components`, `index` and `value` say more.
    ///
    /// `%s = hl.poly "binary"(%a, %b) {op = "add", of = [!T, !T], to = !T} : (!T, !T) -> !T`
    Poly "hl.poly" {
        operands: (; operands: Class(&ANY)), results: one(Class(&ANY)),
        attrs: (kind: String, of: Array, to: Type, op: String [optional], components: IntArray [optional], index: Int [optional], value: Any [optional]),
        regions: (), effects: Pure, commutative: false, asm: Asm::Format("$kind `(` $operands `)` attr-dict `:` functional-type"),
        verify: Some(verify_poly), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// A value of an interface's type from one of a conforming type; `for` is its source type.
    ///
    /// `%s = hl.make_existential %c {for = !Circle, witness = @"Circle:IShape"} : (!Circle) -> !hl.existential<@IShape>`
    MakeExistential "hl.make_existential" {
        operands: (value: Class(&ANY)), results: one(Class(&EXISTENTIAL)), attrs: (for_: Type, witness: Any), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$value attr-dict `:` functional-type"),
        verify: Some(verify_make), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Whether the value of an interface's type holds one of the source type `for`.
    ///
    /// `%b = hl.is_dynamic %s {for = !Circle} : (!hl.existential<@IShape>) -> i1`
    IsDynamic "hl.is_dynamic" {
        operands: (value: Class(&EXISTENTIAL)), results: one(Class(&BOOL)), attrs: (for_: Type), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$value attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// The value of the source type `for` that a value of an interface's type holds; zero if it
    /// holds another.
    ///
    /// `%c = hl.as_dynamic %s {for = !Circle} : (!hl.existential<@IShape>) -> !Circle`
    AsDynamic "hl.as_dynamic" {
        operands: (value: Class(&EXISTENTIAL)), results: one(Class(&ANY)), attrs: (for_: Type), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$value attr-dict `:` functional-type"),
        verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
] }

/// Builds an `hl.poly`.
pub fn poly(b: &mut Builder<'_>, builtin: &Builtin, operands: &[ValueId], of: &[Type], to: Type) -> ValueId {
    let (kind, detail) = builtin.parts();
    let types = Attr::array(of.iter().map(|&t| Attr::ty(t)).collect());
    let mut attrs = vec![("kind", Attr::string(kind)), ("of", types), ("to", Attr::ty(to))];
    attrs.extend(detail);
    Poly::build(b, operands, erase(to), &attrs)
}

/// Builds a builtin operation: its ops if the source types are settled, else an `hl.poly`. The
/// error says why settled types do not have it.
pub fn builtin(
    b: &mut Builder<'_>,
    builtin: &Builtin,
    operands: &[ValueId],
    of: &[Type],
    to: Type,
) -> Result<ValueId, String> {
    let open_size = matches!(builtin, Builtin::Size(n) if attr_is_dependent(*n));
    if open_size || of.iter().chain([&to]).any(|&t| is_dependent(t)) {
        return Ok(poly(b, builtin, operands, of, to));
    }
    builtin.expand(b, operands, of, to)
}
