//! The op rows of local storage: what `lower-storage` turns arrays and tapes into.
//!
//! A slot is a place in a thread's memory that holds one value of its type. Slots do not alias: two
//! different ones never share memory, and a slot passed to a function is not reachable there in
//! another way. Paths are those of the value ops.
//!
//! In the interpreter a slot is a handle of a [`SlotCell`]; reading a slot that was never written
//! is a trap there, so that tests catch code that relies on it.

use super::{as_buffer, as_slot, eval as paths, verify_path, zero_value};
use crate::classes::{ANY, INDEX, INT_OR_INDEX};
use crate::scf;
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val};
use caustic_ir::op::{AdRule, Asm, Fold, TypeClass};
use caustic_ir::{Attr, Body, Diagnostic, Name, OpId, SymbolOp, Type, ops};
use std::sync::{Arc, Mutex};

pub static SLOT: TypeClass = TypeClass { desc: "a storage slot", contains: |t| as_slot(t).is_some() };

/// The contents of a slot in the interpreter; `None` until it is written.
#[derive(Default)]
pub struct SlotCell(pub Mutex<Option<Val>>);

impl SlotCell {
    pub fn handle(value: Option<Val>) -> Val {
        Val::Handle(Arc::new(SlotCell(Mutex::new(value))))
    }
    pub fn get(&self) -> Option<Val> {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }
    pub fn set(&self, value: Val) {
        *self.0.lock().unwrap_or_else(|e| e.into_inner()) = Some(value);
    }
    /// Changes the contents in place.
    fn update(&self, f: impl FnOnce(&mut Val)) -> bool {
        let mut guard = self.0.lock().unwrap_or_else(|e| e.into_inner());
        guard.as_mut().map(f).is_some()
    }
}

/// The loop that writes a slot with a tape; the slot itself if none does.
pub fn tape_writer(body: &Body, slot: OpId) -> OpId {
    let mut found = slot;
    let writes = |op: OpId| !Load::is(body, op) && !SlotLength::is(body, op);
    for user in body.uses(body.result(slot, 0)).iter().filter(|user| writes(user.op)) {
        let mut block = body.op(user.op).block;
        while let Some(outer) = block.and_then(|b| body.parent_op(b)) {
            if scf::For::is(body, outer) || scf::While::is(body, outer) {
                found = outer;
                break;
            }
            block = body.op(outer).block;
        }
    }
    found
}

/// The cell that a slot value is.
pub fn slot_cell(value: &Val) -> Option<&SlotCell> {
    match value {
        Val::Handle(handle) => handle.downcast_ref(),
        _ => None,
    }
}

fn trap(body: &Body, op: OpId, what: &str) -> Trap {
    Trap::new(body.loc(op), format!("{}: {what}", body.op(op).def.name))
}

fn cell<'a>(body: &Body, op: OpId, value: &'a Val) -> Result<&'a SlotCell, Trap> {
    slot_cell(value).ok_or_else(|| trap(body, op, "not a slot"))
}

fn slot_type(body: &Body, op: OpId, operand: usize) -> Result<Type, Trap> {
    as_slot(body.ty(body.operand(op, operand))).ok_or_else(|| trap(body, op, "not a slot"))
}

fn read(body: &Body, op: OpId, slot: &Val, ty: Type, path: &[i64]) -> Result<Val, Trap> {
    let whole = cell(body, op, slot)?.get().ok_or_else(|| trap(body, op, "the slot was never written"))?;
    paths::get(&whole, ty, path).ok_or_else(|| trap(body, op, "no such part"))
}

fn write(body: &Body, op: OpId, slot: &Val, ty: Type, path: &[i64], value: Val) -> Result<(), Trap> {
    let cell = cell(body, op, slot)?;
    if path.is_empty() {
        cell.set(value);
        return Ok(());
    }
    if cell.update(|whole| paths::update(whole, ty, path, &mut |part| *part = value.clone())) {
        return Ok(());
    }
    // Filling a slot part by part starts from nothing: what is not written yet is not defined, zero
    // is as good as anything.
    let mut whole = zero_value(ty).ok_or_else(|| trap(body, op, "the type has no value"))?;
    paths::update(&mut whole, ty, path, &mut |part| *part = value.clone());
    cell.set(whole);
    Ok(())
}

/// Path attributes of `op`: `dst_path` takes the first of the dynamic indices, `path` the rest.
fn two_paths(body: &Body, op: OpId, indices: &[Val]) -> (Vec<i64>, Vec<i64>) {
    let dst = body.attr(op, "dst_path");
    let dynamic = dst.and_then(|a| a.as_i64_array()).map_or(0, |p| p.iter().filter(|&&s| s < 0).count());
    let (first, rest) = indices.split_at(dynamic.min(indices.len()));
    (paths::resolve_path(dst, first), paths::resolve_path(body.attr(op, "path"), rest))
}

fn eval_alloca(_: &mut dyn Machine, _: &Body, _: OpId, _: Vec<Val>) -> EvalResult {
    Ok(vec![SlotCell::handle(None)])
}

fn eval_global_slot(m: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    let name = body.attr(op, "name").and_then(|a| a.as_symbol()).ok_or_else(|| trap(body, op, "no name"))?;
    Ok(vec![SlotCell::handle(Some(m.global(name, body.loc(op))?))])
}

fn eval_load(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[1..]);
    Ok(vec![read(body, op, &args[0], slot_type(body, op, 0)?, &path)?])
}

fn eval_slot_length(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let tape = read(body, op, &args[0], slot_type(body, op, 0)?, &[])?;
    Ok(vec![Val::Int(tape.parts().len() as i64)])
}

fn eval_store(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[2..]);
    write(body, op, &args[1], slot_type(body, op, 1)?, &path, args[0].clone())?;
    Ok(vec![])
}

fn eval_clear(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[1..]);
    let ty = slot_type(body, op, 0)?;
    let steps = body.attr(op, "path").and_then(|a| a.as_i64_array()).unwrap_or_default();
    let part = super::type_at_path(ty, &steps).and_then(zero_value).ok_or_else(|| trap(body, op, "no such part"))?;
    write(body, op, &args[0], ty, &path, part)?;
    Ok(vec![])
}

fn eval_copy(_: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let (dst, src) = two_paths(body, op, &args[2..]);
    let value = read(body, op, &args[1], slot_type(body, op, 1)?, &src)?;
    write(body, op, &args[0], slot_type(body, op, 0)?, &dst, value)?;
    Ok(vec![])
}

fn eval_read_buffer(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[3..]);
    let value = m.buffer_load(&args[1], body.ty(body.operand(op, 1)), args[2].as_int(), &path, body.loc(op))?;
    cell(body, op, &args[0])?.set(value);
    Ok(vec![])
}

fn eval_write_buffer(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let path = paths::resolve_path(body.attr(op, "path"), &args[3..]);
    let value = read(body, op, &args[0], slot_type(body, op, 0)?, &[])?;
    m.buffer_store(&args[1], body.ty(body.operand(op, 1)), args[2].as_int(), &path, &value, body.loc(op))?;
    Ok(vec![])
}

fn invalid(body: &Body, op: OpId, what: &str) -> Result<(), Diagnostic> {
    Err(Diagnostic::invalid_ir(body.loc(op), format!("{}: {what}", body.op(op).def.name)))
}

fn slot_of(body: &Body, op: OpId, operand: usize) -> Type {
    let ty = body.ty(body.operand(op, operand));
    as_slot(ty).unwrap_or(ty)
}

fn verify_alloca(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    match body.op(op).block {
        Some(block) if body.block(block).region == body.root() => Ok(()),
        // One execution, one slot: storage that is made again and again would need an owner to end
        // it.
        _ => invalid(body, op, "must stand in the function's own block"),
    }
}

fn verify_load(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    verify_path(body, op, slot_of(body, op, 0), body.ty(body.result(op, 0)), body.operands(op).len() - 1)
}

fn verify_store(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    verify_path(body, op, slot_of(body, op, 1), body.ty(body.operand(op, 0)), body.operands(op).len() - 2)
}

fn verify_clear(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let steps = body.attr(op, "path").and_then(|a| a.as_i64_array()).unwrap_or_default();
    match super::type_at_path(slot_of(body, op, 0), &steps) {
        Some(part) => verify_path(body, op, slot_of(body, op, 0), part, body.operands(op).len() - 1),
        None => invalid(body, op, "the path leads nowhere"),
    }
}

fn verify_copy(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let part = |name: &str, operand: usize| {
        let steps = body.attr(op, name).and_then(|a| a.as_i64_array()).unwrap_or_default();
        let dynamic = steps.iter().filter(|&&s| s < 0).count();
        super::type_at_path(slot_of(body, op, operand), &steps).map(|ty| (ty, dynamic))
    };
    match (part("dst_path", 0), part("path", 1)) {
        (Some((a, n)), Some((b, m))) if a == b && n + m + 2 == body.operands(op).len() => Ok(()),
        _ => invalid(body, op, "the paths do not lead to parts of one type, or the number of indices is wrong"),
    }
}

fn verify_buffer(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    match as_buffer(body.ty(body.operand(op, 1))) {
        Some((elem, _)) => verify_path(body, op, elem, slot_of(body, op, 0), body.operands(op).len() - 3),
        None => invalid(body, op, "not a buffer"),
    }
}

/// Attribute of a function whose parameters or results are in storage; see [`StorageParams`].
pub const STORAGE: &str = "storage";

/// How a function with values in storage is called, the value of [`STORAGE`]: parameters keep their
/// place, those of a type that is kept in storage are slots. A result of such a type is left in a
/// slot too: in that of the parameter that carries it (which holds the parameter on entry), or in
/// one of the slots that follow the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageParams {
    /// The parameters that the function had before.
    pub inputs: usize,
    /// For each parameter, the number of the result that its slot holds at the end. A slot without
    /// one must not be written.
    pub results: Vec<Option<usize>>,
}

impl StorageParams {
    pub fn to_attr(&self) -> Attr {
        let results: Vec<i64> = self.results.iter().map(|r| r.map_or(-1, |r| r as i64)).collect();
        Attr::dict(vec![
            (Name::new("inputs"), Attr::i64(self.inputs as i64)),
            (Name::new("results"), Attr::i64_array(&results)),
        ])
    }
    /// What `symbol` says; a function without the attribute has nothing in storage.
    pub fn of(symbol: &SymbolOp) -> Option<StorageParams> {
        Self::of_attr(&symbol.attr(STORAGE)?)
    }
    /// What [`StorageParams::to_attr`] made.
    pub fn of_attr(attr: &Attr) -> Option<StorageParams> {
        let results = attr.get("results")?.as_i64_array()?;
        Some(StorageParams {
            inputs: usize::try_from(attr.get("inputs")?.as_int()?).ok()?,
            results: results.into_iter().map(|r| usize::try_from(r).ok()).collect(),
        })
    }
    /// How a function of these types is called once its arrays and tapes are in storage; a result
    /// is carried by the first parameter of its type that carries none yet. It follows from the
    /// types alone, so that callers and callee need not meet.
    pub fn of_types(inputs: &[Type], outputs: &[Type]) -> StorageParams {
        let mut results: Vec<Option<usize>> = vec![None; inputs.len()];
        for (k, &ty) in outputs.iter().enumerate().filter(|(_, ty)| super::needs_storage(**ty)) {
            match (0..inputs.len()).find(|&i| inputs[i] == ty && results[i].is_none()) {
                Some(i) => results[i] = Some(k),
                None => results.push(Some(k)),
            }
        }
        StorageParams { inputs: inputs.len(), results }
    }
}

const NOT_DIFFERENTIABLE: AdRule =
    AdRule::Refuse("storage comes after differentiation: differentiate before `lower-storage`");

ops! { pub static STORAGE_OPS as StorageView: [
    /// Local storage for one value, for as long as the function runs. What it holds at first is not
    /// specified.
    ///
    /// `%s = agg.alloca : !agg.slot<!agg.array<4096, f32>>`
    Alloca "agg.alloca" {
        operands: (), results: one(Class(&SLOT)), attrs: (), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("attr-dict `:` type($result)"),
        verify: Some(verify_alloca), fold: Fold::None, eval: Eval::Full(eval_alloca), ad: NOT_DIFFERENTIABLE,
    }
    /// The contents of a uniform as storage, which must not be written.
    ///
    /// `%s = agg.global_slot @params : !agg.slot<!agg.array<16, f32>>`
    GlobalSlot "agg.global_slot" {
        operands: (), results: one(Class(&SLOT)), attrs: (name: Symbol), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$name attr-dict `:` type($result)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_global_slot), ad: NOT_DIFFERENTIABLE,
    }
    /// Reads the part of a slot at `path`; zero outside, as `agg.extract`. The mark `inside`, which
    /// `mark-ranges` sets, says that no index is outside, here and on `agg.store`.
    ///
    /// `%x = agg.load %s[%i] {path = [-1]} : (!agg.slot<!agg.array<4, f32>>, index) -> f32`
    Load "agg.load" {
        operands: (slot: Class(&SLOT); indices: Class(&INT_OR_INDEX)), results: one(Class(&ANY)), attrs: (path: IntArray), regions: (),
        effects: Reads, memory: (slot: Reads at path), commutative: false,
        asm: Asm::Format("$slot `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_load), fold: Fold::None, eval: Eval::Full(eval_load), ad: NOT_DIFFERENTIABLE,
    }
    /// How many elements the tape in a slot holds, as `agg.length`.
    ///
    /// `%n = agg.slot_length %s : !agg.slot<!ad.tape<f32>>`
    SlotLength "agg.slot_length" {
        operands: (slot: Class(&SLOT)), results: one(Exactly(Type::index)), attrs: (), regions: (), effects: Reads, memory: (slot: Reads), commutative: false,
        asm: Asm::Format("$slot attr-dict `:` type($slot)"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_slot_length), ad: NOT_DIFFERENTIABLE,
    }
    /// Writes the part of a slot at `path`; nothing happens outside of an array, a tape grows, as
    /// with `agg.insert`.
    ///
    /// `agg.store %x, %s[%i] {path = [-1]} : (f32, !agg.slot<!agg.array<4, f32>>, index) -> ()`
    Store "agg.store" {
        operands: (value: Class(&ANY), slot: Class(&SLOT); indices: Class(&INT_OR_INDEX)), results: none, attrs: (path: IntArray), regions: (),
        effects: Writes, memory: (slot: Writes at path), commutative: false,
        asm: Asm::Format("$value `,` $slot `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_store), fold: Fold::None, eval: Eval::Full(eval_store), ad: NOT_DIFFERENTIABLE,
    }
    /// Sets the part of a slot at `path` to zero; to anything, where it is `unread` (see
    /// `agg.zero`).
    ///
    /// `agg.clear %s[] {path = []} : (!agg.slot<!agg.array<4, f32>>) -> ()`
    Clear "agg.clear" {
        operands: (slot: Class(&SLOT); indices: Class(&INT_OR_INDEX)), results: none, attrs: (path: IntArray, unread: Unit [optional]), regions: (),
        effects: Writes, memory: (slot: Writes at path), commutative: false,
        asm: Asm::Format("$slot `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_clear), fold: Fold::None, eval: Eval::Full(eval_clear), ad: NOT_DIFFERENTIABLE,
    }
    /// Copies the part of the slot `src` at `path` to the part of `dst` at `dst_path`. The indices
    /// are those of `dst_path`, then those of `path`.
    ///
    /// `agg.copy %dst, %src[%i] {dst_path = [], path = [-1]} : (…) -> ()`
    Copy "agg.copy" {
        operands: (dst: Class(&SLOT), src: Class(&SLOT); indices: Class(&INT_OR_INDEX)), results: none, attrs: (dst_path: IntArray, path: IntArray), regions: (),
        effects: Writes, memory: (dst: Writes at dst_path, src: Reads at path), commutative: false,
        asm: Asm::Format("$dst `,` $src `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_copy), fold: Fold::None, eval: Eval::Full(eval_copy), ad: NOT_DIFFERENTIABLE,
    }
    /// `agg.buffer_load` into a slot.
    ReadBuffer "agg.read_buffer" {
        operands: (slot: Class(&SLOT), buffer: Class(&super::BUFFER), index: Class(&INDEX); indices: Class(&INT_OR_INDEX)), results: none,
        attrs: (path: IntArray), regions: (), effects: Writes, memory: (slot: Writes, buffer[index]: Reads at path), commutative: false,
        asm: Asm::Format("$slot `,` $buffer `,` $index `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_buffer), fold: Fold::None, eval: Eval::Full(eval_read_buffer), ad: NOT_DIFFERENTIABLE,
    }
    /// `agg.buffer_store` from a slot.
    WriteBuffer "agg.write_buffer" {
        operands: (slot: Class(&SLOT), buffer: Class(&super::BUFFER), index: Class(&INDEX); indices: Class(&INT_OR_INDEX)), results: none,
        attrs: (path: IntArray), regions: (), effects: Writes, memory: (slot: Reads, buffer[index]: Writes at path), commutative: false,
        asm: Asm::Format("$slot `,` $buffer `,` $index `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_buffer), fold: Fold::None, eval: Eval::Full(eval_write_buffer), ad: NOT_DIFFERENTIABLE,
    }
] }
