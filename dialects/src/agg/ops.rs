//! The op rows of `agg`.

use super::{as_array, as_buffer, eval as paths, is_aggregate, num_parts, part_type, type_at_path, zero_value};
use crate::classes::{ANY, INDEX, INT_OR_INDEX};
use crate::signature::holds_handle;
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val};
use caustic_ir::op::{AdRule, Asm, Fold, Mirror, TypeClass};
use caustic_ir::{Body, Diagnostic, Name, OpId, Type, ops};

pub static AGGREGATE: TypeClass = TypeClass { desc: "a struct, array, vector, matrix or tape", contains: is_aggregate };
pub static TAPE: TypeClass = TypeClass { desc: "a tape", contains: |t| super::as_tape(t).is_some() };
pub static BUFFER: TypeClass = TypeClass { desc: "a buffer", contains: |t| as_buffer(t).is_some() };

/// The path of an op that has one, -1 for an index that is computed.
pub fn path_of(body: &Body, op: OpId) -> Vec<i64> {
    body.attr(op, "path").and_then(|a| a.as_i64_array()).unwrap_or_default()
}

/// Checks that the path of `op` leads from `ty` to `part`, with `indices` operands for its dynamic
/// steps.
pub(crate) fn verify_path(body: &Body, op: OpId, ty: Type, part: Type, indices: usize) -> Result<(), Diagnostic> {
    let path = path_of(body, op);
    let dynamic = path.iter().filter(|&&s| s < 0).count();
    let name = body.op(op).def.name;
    if dynamic != indices {
        let text = format!("{name}: the path has {dynamic} dynamic steps, but {indices} indices are given");
        return Err(Diagnostic::invalid_ir(body.loc(op), text));
    }
    match type_at_path(ty, &path) {
        Some(found) if found == part => Ok(()),
        Some(found) => {
            let text = format!("{name}: the path leads from {ty} to {found}, not to {part}");
            Err(Diagnostic::invalid_ir(body.loc(op), text))
        }
        None => Err(Diagnostic::invalid_ir(body.loc(op), format!("{name}: {ty} has no part at {path:?}"))),
    }
}

fn verify_extract(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let v = Extract(op);
    verify_path(body, op, body.ty(v.aggregate(body)), body.ty(body.result(op, 0)), v.indices(body).len())
}

fn verify_insert(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let v = Insert(op);
    verify_path(body, op, body.ty(v.aggregate(body)), body.ty(v.value(body)), v.indices(body).len())
}

fn verify_make(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let ty = body.ty(body.result(op, 0));
    let parts = body.operands(op);
    let fits = parts.len() == num_parts(ty)
        && parts.iter().enumerate().all(|(i, &v)| part_type(ty, i as i64) == Some(body.ty(v)));
    if fits {
        Ok(())
    } else {
        Err(Diagnostic::invalid_ir(body.loc(op), format!("agg.make: the operands are not the parts of {ty}")))
    }
}

fn verify_buffer_load(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let v = BufferLoad(op);
    let Some((elem, _)) = as_buffer(body.ty(v.buffer(body))) else { return Ok(()) };
    verify_path(body, op, elem, body.ty(body.result(op, 0)), v.indices(body).len())
}

fn verify_buffer_store(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let v = BufferStore(op);
    let Some((elem, writable)) = as_buffer(body.ty(v.buffer(body))) else { return Ok(()) };
    if !writable {
        return Err(Diagnostic::invalid_ir(body.loc(op), "agg.buffer_store: the buffer is read-only"));
    }
    verify_path(body, op, elem, body.ty(v.value(body)), v.indices(body).len())
}

fn verify_check_bounds(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let v = CheckBounds(op);
    let Some((elem, _)) = as_buffer(body.ty(v.buffer(body))) else { return Ok(()) };
    let part = type_at_path(elem, &path_of(body, op)).unwrap_or(elem);
    verify_path(body, op, elem, part, v.indices(body).len())
}

fn no_value(body: &Body, op: OpId) -> Trap {
    Trap::new(body.loc(op), format!("{}: the type has no value here", body.op(op).def.name))
}

fn eval_make(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = body.ty(body.result(op, 0));
    if ty.shape().len() > 1 {
        return Ok(vec![Val::agg(args.iter().flat_map(|row| row.parts().to_vec()).collect())]);
    }
    Ok(vec![Val::agg(args)])
}

fn eval_extract(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[1..]);
    let ty = crate::ad::strip_tangent(body.ty(body.operand(op, 0)));
    Ok(vec![paths::get(&args[0], ty, &path).ok_or_else(|| no_value(body, op))?])
}

fn eval_insert(_: &mut dyn Machine, body: &Body, op: OpId, mut args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[2..]);
    let ty = crate::ad::strip_tangent(body.ty(body.operand(op, 1)));
    let value = args[0].clone();
    let mut aggregate = args.swap_remove(1);
    paths::update(&mut aggregate, ty, &path, &mut |part| *part = value.clone());
    Ok(vec![aggregate])
}

/// The index that `abort` checks, which is within no bounds.
pub const ABORT: i64 = i64::MIN;

/// What a trap says about an index of what has `count` elements.
pub fn index_message(index: i64, count: i64) -> String {
    if index == ABORT {
        return "the program aborts".to_string();
    }
    let s = if count == 1 { "" } else { "s" };
    format!("index {index} is out of range: there are {count} element{s}")
}

fn eval_check_index(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let count = body.attr(op, "count").and_then(|a| a.as_int()).unwrap_or(0);
    let index = args.first().map_or(0, Val::as_int);
    if (0..count).contains(&index) { Ok(Vec::new()) } else { Err(Trap::new(body.loc(op), index_message(index, count))) }
}

fn eval_zero(m: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    let ty = body.ty(body.result(op, 0));
    let zero = zero_of(m, ty).ok_or_else(|| no_value(body, op))?;
    Ok(vec![if body.attr(op, UNREAD).is_some() && !holds_handle(ty) { spoiled(&zero) } else { zero }])
}

/// What a program would not give the right results with, if it read it after all.
fn spoiled(value: &Val) -> Val {
    match value {
        Val::Float(_) => Val::Float(f64::NAN),
        Val::Int(_) => Val::Int(1),
        Val::Agg(parts) => Val::agg(parts.iter().map(spoiled).collect()),
        other => other.clone(),
    }
}

/// A buffer that no parameter is: it has no elements.
const NO_BUFFER: u64 = u64::MAX;

fn zero_of(m: &mut dyn Machine, ty: Type) -> Option<Val> {
    match super::types::part_types(ty) {
        _ if as_buffer(ty).is_some() => Some(m.buffer_tail(NO_BUFFER, 0)),
        Some(parts) if holds_handle(ty) => {
            Some(Val::agg(parts.into_iter().map(|t| zero_of(m, t)).collect::<Option<_>>()?))
        }
        _ => zero_value(ty),
    }
}

fn eval_global(m: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    let name = body.attr(op, "name").and_then(|a| a.as_symbol()).ok_or_else(|| no_value(body, op))?;
    Ok(vec![m.global(name, body.loc(op))?])
}

fn eval_buffer_load(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[2..]);
    Ok(vec![m.buffer_load(&args[0], body.ty(body.operand(op, 0)), args[1].as_int(), &path, body.loc(op))?])
}

fn eval_check_bounds(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[2..]);
    m.buffer_check(&args[0], body.ty(body.operand(op, 0)), args[1].as_int(), &path, body.loc(op))?;
    Ok(vec![])
}

fn eval_buffer_store(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[3..]);
    m.buffer_store(&args[1], body.ty(body.operand(op, 1)), args[2].as_int(), &path, &args[0], body.loc(op))?;
    Ok(vec![])
}

fn eval_buffer_len(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    Ok(vec![Val::Int(m.buffer_len(&args[0], body.ty(body.operand(op, 0))))])
}

fn eval_global_element(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let name = body.attr(op, "name").and_then(|a| a.as_symbol()).ok_or_else(|| no_value(body, op))?;
    Ok(vec![m.global_element(name, args[0].as_int(), body.loc(op))?])
}

fn eval_count(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let delta = body.attr(op, "delta").and_then(|a| a.as_int()).unwrap_or(0);
    Ok(vec![Val::Int(m.buffer_count(&args[0], delta, body.loc(op))?)])
}

fn verify_view(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let (from, to) = (body.ty(body.operand(op, 0)), body.ty(body.result(op, 0)));
    let (Some((_, from_writable)), Some((_, to_writable))) = (as_buffer(from), as_buffer(to)) else { return Ok(()) };
    let floats = |(from, to): (Type, Type)| to.is_float() && super::scalars_of(from).is_some_and(|t| t.is_float());
    let elements =
        !super::is_byte_view(from) && as_buffer(from).zip(as_buffer(to)).is_some_and(|(f, t)| floats((f.0, t.0)));
    if (super::is_byte_view(to) || elements) && (from_writable || !to_writable) {
        return Ok(());
    }
    let text =
        format!("agg.view: {to} is neither a view by bytes of {from} nor one of its floats, with no more access");
    Err(Diagnostic::invalid_ir(body.loc(op), text))
}

/// Attribute of zeros that nobody reads.
pub const UNREAD: &str = "unread";

ops! { pub static AGG_OPS as AggView: [
    /// A struct, array, vector or matrix from its parts, in order.
    ///
    /// `%s = agg.make %a, %b : (f32, i32) -> !agg.struct<…>`
    Make "agg.make" {
        operands: (; parts: Class(&ANY)), results: one(Class(&AGGREGATE)), attrs: (), regions: (),
        effects: Pure, memory: (parts: Becomes), commutative: false,
        asm: Asm::Format("$parts attr-dict `:` functional-type"),
        verify: Some(verify_make), fold: Fold::None, eval: Eval::Full(eval_make), ad: AdRule::Mirror(Mirror::Make),
    }
    /// The part of an aggregate at `path`; zero if a dynamic index is out of range.
    ///
    /// `%x = agg.extract %s[%i] {path = [1, -1]} : !agg.struct<…>, index -> f32`
    Extract "agg.extract" {
        operands: (aggregate: Class(&AGGREGATE); indices: Class(&INT_OR_INDEX)), results: one(Class(&ANY)),
        attrs: (path: IntArray), regions: (), effects: Pure, memory: (aggregate: Projects at path), commutative: false,
        asm: Asm::Format("$aggregate `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_extract), fold: Fold::None, eval: Eval::Full(eval_extract), ad: AdRule::Mirror(Mirror::Extract),
    }
    /// The aggregate with the part at `path` replaced; unchanged if a dynamic index is out of
    /// range.
    ///
    /// `%t = agg.insert %v, %s[%i] {path = [1, -1]} : (f32, !agg.struct<…>, index) -> !agg.struct<…>`
    Insert "agg.insert" {
        operands: (value: Class(&ANY), aggregate: Class(&AGGREGATE); indices: Class(&INT_OR_INDEX)), results: infer(SameAs(1)),
        attrs: (path: IntArray), regions: (), effects: Pure, memory: (value: Becomes at path, aggregate: Replaces at path), commutative: false,
        asm: Asm::Format("$value `,` $aggregate `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_insert), fold: Fold::None, eval: Eval::Full(eval_insert), ad: AdRule::Mirror(Mirror::Insert),
    }
    /// The value of a type whose scalars are all zero; a tape is empty.
    ///
    /// `unread` promises that the program reads no scalar of it: each is replaced before. Where
    /// clearing memory costs something it may hold anything then.
    ///
    /// `%z = agg.zero : !agg.array<4096, f32>`
    Zero "agg.zero" {
        operands: (), results: one(Class(&ANY)), attrs: (unread: Unit [optional]), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("attr-dict `:` type($result)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_zero), ad: AdRule::Inactive,
    }
    /// How many elements a tape holds.
    ///
    /// `%n = agg.length %t : !ad.tape<f32>`
    Length "agg.length" {
        operands: (tape: Class(&TAPE)), results: one(Exactly(Type::index)), attrs: (), regions: (), effects: Pure, memory: (tape: Asks), commutative: false,
        asm: Asm::Format("$tape attr-dict `:` type($tape)"),
        verify: None, fold: Fold::None,
        eval: Eval::Full(|_, _, _, args| Ok(vec![Val::Int(args.first().map_or(0, |t| t.parts().len() as i64))])),
        ad: AdRule::Inactive,
    }
    /// A resource or uniform parameter of the program, as declared: a buffer, or the contents of a
    /// uniform. With `groupshared` it is memory of the group's own: a buffer of one element, zero
    /// when a group begins; with `private`, an array with a cell for each thread, and no pointer
    /// into one cell leads to another. With `count` it is an array of that many resources, or (a
    /// unit attribute) of as many as are bound. With `as_buffer` it is a pointer in the program,
    /// and has no length there.
    Resource "agg.resource" {
        operands: (), results: none, attrs: (sym_name: String, type_: Type, reflect: Dict [optional], groupshared: Unit [optional], private: Unit [optional], count: Any [optional], as_buffer: Unit [optional]), regions: (),
        effects: Symbol, commutative: false, asm: Asm::Shape(caustic_ir::AsmShape::Symbol),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Inactive,
    }
    /// The buffer, or the contents of the uniform, that the symbol names. The same for all threads
    /// of a dispatch.
    ///
    /// `%b = agg.global @output : !agg.buffer<f32, "rw">`
    Global "agg.global" {
        operands: (), results: one(Class(&ANY)), attrs: (name: Symbol), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$name attr-dict `:` type($result)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_global), ad: AdRule::Inactive,
    }
    /// One of an array of resources (a symbol with a `count`); an index out of range gives the last
    /// one.
    ///
    /// `%b = agg.global_element @inputs %i : index, !agg.buffer<f32, "ro">`
    GlobalElement "agg.global_element" {
        operands: (index: Class(&INT_OR_INDEX)), results: one(Class(&ANY)), attrs: (name: Symbol), regions: (), effects: Pure,
        commutative: false, asm: Asm::Format("$name $index attr-dict `:` type($index) `,` type($result)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_global_element), ad: AdRule::Inactive,
    }
    /// The contents of a buffer as elements of another type, each at the offset of its first byte:
    /// typed access to a byte-address buffer. An element is out of range unless all of its bytes
    /// are within the buffer. Elements that are made of floats of one type may also be seen as
    /// floats, which are counted.
    ///
    /// `%v = agg.view %b : !agg.buffer<i8, "rw"> -> !agg.buffer<vector<3xf32>, "rw", "bytes">`
    ///
    /// `%f = agg.view %b : !agg.buffer<vector<3xf32>, "rw"> -> !agg.buffer<f32, "rw">`
    View "agg.view" {
        operands: (buffer: Class(&BUFFER)), results: one(Class(&BUFFER)), attrs: (), regions: (), effects: Pure, memory: (buffer: Views), commutative: false,
        asm: Asm::Format("$buffer attr-dict `:` type($buffer) `->` type($result)"),
        verify: Some(verify_view), fold: Fold::None, eval: Eval::Full(|_, _, _, args| Ok(args)), ad: AdRule::Inactive,
    }
    /// Adds `delta` to the buffer's hidden counter, so that no other thread comes between, and
    /// gives the count before. Appending takes the element of that number; consuming (`delta = -1`)
    /// the one before it.
    ///
    /// `%n = agg.buffer_count %b {delta = 1} : !agg.buffer<f32, "rw">`
    BufferCount "agg.buffer_count" {
        operands: (buffer: Class(&BUFFER)), results: one(Exactly(Type::i32)), attrs: (delta: Int), regions: (), effects: Writes, memory: (buffer: Updates),
        commutative: false, asm: Asm::Format("$buffer attr-dict `:` type($buffer)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_count), ad: AdRule::Inactive,
    }
    /// Reads an element of a buffer, or the part of it at `path`. Out of range it reads zero (as
    /// D3D does). Of what a pointer leads to (`"parts"`), and in an array without a size, the bytes
    /// of the part decide whether it is in range. Resources are not differentiable (seeds:
    /// "Restrictions"): the value carries no derivative.
    ///
    /// `%x = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "ro">, index) -> f32`
    BufferLoad "agg.buffer_load" {
        operands: (buffer: Class(&BUFFER), index: Class(&INDEX); indices: Class(&INT_OR_INDEX)), results: one(Class(&ANY)),
        attrs: (path: IntArray), regions: (), effects: Reads, memory: (buffer[index]: Reads at path), commutative: false,
        asm: Asm::Format("$buffer `,` $index `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_buffer_load), fold: Fold::None, eval: Eval::Full(eval_buffer_load), ad: AdRule::Inactive,
    }
    /// Writes an element of a buffer, or the part of it at `path`. Out of range, which is as for
    /// reading, it does nothing.
    ///
    /// `agg.buffer_store %x, %b, %i[] {path = []} : (f32, !agg.buffer<f32, "rw">, index) -> ()`
    BufferStore "agg.buffer_store" {
        operands: (value: Class(&ANY), buffer: Class(&BUFFER), index: Class(&INDEX); indices: Class(&INT_OR_INDEX)),
        results: none, attrs: (path: IntArray), regions: (), effects: Writes, memory: (buffer[index]: Writes at path), commutative: false,
        asm: Asm::Format("$value `,` $buffer `,` $index `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_buffer_store), fold: Fold::None, eval: Eval::Full(eval_buffer_store), ad: AdRule::Inactive,
    }
    /// Traps unless the index is one of the first `count` from 0 on. The pass `check-indices` puts
    /// it before accesses.
    ///
    /// `agg.check_index %i {count = 4} : i32`
    CheckIndex "agg.check_index" {
        operands: (index: Class(&INT_OR_INDEX)), results: none, attrs: (count: Int), regions: (), effects: Writes,
        commutative: false, asm: Asm::Format("$index attr-dict `:` type($index)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_check_index), ad: AdRule::Inactive,
    }
    /// Traps where a read of the part at `path` of an element of a buffer would read nothing. The
    /// pass `check-bounds` puts it before accesses.
    ///
    /// `agg.check_bounds %b, %i[] {path = []} : (!agg.buffer<f32, "ro">, index) -> ()`
    CheckBounds "agg.check_bounds" {
        operands: (buffer: Class(&BUFFER), index: Class(&INDEX); indices: Class(&INT_OR_INDEX)), results: none,
        attrs: (path: IntArray), regions: (), effects: Writes, memory: (buffer[index]: Asks at path), commutative: false,
        asm: Asm::Format("$buffer `,` $index `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_check_bounds), fold: Fold::None, eval: Eval::Full(eval_check_bounds), ad: AdRule::Inactive,
    }
    /// The number of elements that are bound; of a view by bytes, the number of bytes.
    BufferLen "agg.buffer_len" {
        operands: (buffer: Class(&BUFFER)), results: one(Exactly(Type::index)), attrs: (), regions: (), effects: Pure, memory: (buffer: Asks), commutative: false,
        asm: Asm::Format("$buffer attr-dict `:` type($buffer)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_buffer_len), ad: AdRule::Inactive,
    }
] }

/// Whether `ty` is or holds an array or tape, which targets keep in memory.
/// The resource that an op gives, or one of which it gives.
pub fn resource_name(body: &Body, op: OpId) -> Option<Name> {
    match AggView::of(body, op) {
        Some(AggView::Global(v)) => v.name(body),
        Some(AggView::GlobalElement(v)) => v.name(body),
        _ => None,
    }
}

pub fn needs_storage(ty: Type) -> bool {
    as_array(ty).is_some()
        || super::as_tape(ty).is_some()
        || super::StructType::of(ty).is_some_and(|s| s.fields().any(|f| needs_storage(f.ty)))
}
