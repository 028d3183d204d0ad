//! Slots that hold the same constants whenever they are read: variables that begin so.
//!
//! What is written to such a slot are constants, all in one block, and whoever reads it stands
//! behind them in that block, or in a region of an op that does.

use crate::assembly::{Id, Operand};
use crate::emit::Emit;
use crate::grammar::Op;
use crate::types::is_empty;
use caustic_dialects::agg::{self, StorageParams, as_slot, part_type};
use caustic_dialects::arith;
use caustic_ir::{BlockId, Body, Diagnostic, Module, OpId, Type, ValueId};
use rustc_hash::FxHashMap;

/// What a slot holds.
#[derive(Clone)]
pub enum Constant {
    Zero,
    /// What an `arith.constant` gives.
    Value(ValueId),
    Parts(Vec<Constant>),
}

/// The slots of a function that never change.
#[derive(Default)]
pub struct Tables {
    known: FxHashMap<ValueId, Constant>,
}

impl Tables {
    pub fn of(ir: &Module, body: &Body) -> Tables {
        let places: FxHashMap<OpId, usize> = body.walk_all().into_iter().enumerate().map(|(at, op)| (op, at)).collect();
        let slots = body.walk_all().into_iter().filter(|&op| agg::Alloca::is(body, op)).map(|op| body.result(op, 0));
        let mut open: Vec<ValueId> = slots.collect();
        let mut tables = Tables::default();
        loop {
            let before = open.len();
            open.retain(|&slot| match tables.constant(ir, body, slot, &places) {
                Some(constant) => tables.known.insert(slot, constant).is_some(),
                None => true,
            });
            // What is copied from a table may be one.
            if open.len() == before {
                return tables;
            }
        }
    }

    pub fn get(&self, slot: ValueId) -> Option<&Constant> {
        self.known.get(&slot)
    }

    /// What a slot holds, if that never changes.
    fn constant(&self, ir: &Module, body: &Body, slot: ValueId, places: &FxHashMap<OpId, usize>) -> Option<Constant> {
        let at = |op: &OpId| places.get(op).copied();
        let (mut writes, mut reads) = (Vec::new(), Vec::new());
        for site in body.uses(slot) {
            match writes_slot(ir, body, site.op, site.index as usize) {
                Some(true) => writes.push(site.op),
                Some(false) => reads.push(site.op),
                None => return None,
            }
        }
        writes.sort_by_key(at);
        let (first, last) = (*writes.first()?, *writes.last()?);
        let block = body.op(first).block?;
        let behind = |op: &OpId| ancestor_in(body, *op, block).is_some_and(|op| at(&op) > at(&last));
        if writes.iter().any(|&op| body.op(op).block != Some(block)) || !reads.iter().all(behind) {
            return None;
        }
        let ty = as_slot(body.ty(slot))?;
        let mut all = Constant::Zero;
        for op in writes {
            let (path, value) = self.written(body, op)?;
            set(&mut all, ty, &path, value)?;
        }
        Some(all)
    }

    /// Where an op writes, and which constant.
    fn written(&self, body: &Body, op: OpId) -> Option<(Vec<i64>, Constant)> {
        use agg::StorageView as V;
        match agg::StorageView::of(body, op)? {
            V::Store(v) if v.indices(body).is_empty() => {
                let value = v.value(body);
                body.def_op(value).filter(|&op| arith::Constant::is(body, op))?;
                Some((v.path(body).unwrap_or_default(), Constant::Value(value)))
            }
            V::Clear(v) if v.indices(body).is_empty() => Some((v.path(body).unwrap_or_default(), Constant::Zero)),
            V::Copy(v) if v.indices(body).is_empty() => {
                let from = v.path(body).unwrap_or_default();
                let value = part_of(self.known.get(&v.src(body))?, &from)?;
                Some((v.dst_path(body).unwrap_or_default(), value))
            }
            _ => None,
        }
    }
}

/// Whether an op writes the slot that is its operand, or only reads it; `None` if it may do both.
fn writes_slot(ir: &Module, body: &Body, op: OpId, operand: usize) -> Option<bool> {
    use agg::StorageView as V;
    if let Some(view) = agg::StorageView::of(body, op) {
        return match view {
            V::Store(_) if operand == 1 => Some(true),
            V::Clear(_) if operand == 0 => Some(true),
            V::Copy(v) if v.dst(body) != v.src(body) => Some(operand == 0),
            V::Load(_) | V::WriteBuffer(_) => Some(false),
            _ => None,
        };
    }
    // A callee leaves results in the slots that carry them.
    let carried = StorageParams::of(ir.get(body.callee(op)?)?)?.results;
    carried.get(operand)?.is_none().then_some(false)
}

fn ancestor_in(body: &Body, op: OpId, block: BlockId) -> Option<OpId> {
    let mut op = op;
    while body.op(op).block != Some(block) {
        op = body.op(op).block.and_then(|inner| body.parent_op(inner))?;
    }
    Some(op)
}

fn count(ty: Type) -> Option<usize> {
    let struct_of = || agg::StructType::of(ty).map(|of| of.num_fields());
    let array = || agg::as_array(ty).and_then(|(n, _)| usize::try_from(n).ok());
    struct_of().or_else(array).or_else(|| ty.shape().first().map(|&n| n as usize))
}

fn set(constant: &mut Constant, ty: Type, path: &[i64], value: Constant) -> Option<()> {
    let [first, rest @ ..] = path else {
        *constant = value;
        return Some(());
    };
    if matches!(constant, Constant::Zero) {
        *constant = Constant::Parts(vec![Constant::Zero; count(ty)?]);
    }
    let Constant::Parts(parts) = constant else { return None };
    set(parts.get_mut(usize::try_from(*first).ok()?)?, part_type(ty, *first)?, rest, value)
}

fn part_of(constant: &Constant, path: &[i64]) -> Option<Constant> {
    match (path, constant) {
        ([], all) => Some(all.clone()),
        (_, Constant::Zero) => Some(Constant::Zero),
        ([first, rest @ ..], Constant::Parts(parts)) => part_of(parts.get(usize::try_from(*first).ok()?)?, rest),
        _ => None,
    }
}

impl Emit<'_> {
    /// A table as a constant of the module.
    pub fn table(&mut self, constant: &Constant, ty: Type) -> Result<Id, Diagnostic> {
        match constant {
            Constant::Zero => self.null(ty),
            Constant::Value(value) => {
                let constant = arith::constant_of(self.body, *value).ok_or_else(|| self.internal("no constant"))?;
                self.constant(constant, ty)
            }
            Constant::Parts(_) if is_empty(ty) => self.null(ty),
            Constant::Parts(parts) => {
                let mut all = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    let of = part_type(ty, at as i64).ok_or_else(|| self.internal("no part"))?;
                    all.push(Operand::Id(self.table(part, of)?));
                }
                let id = self.ty(ty)?;
                Ok(self.out.unique(Op::ConstantComposite, Some(id), all))
            }
        }
    }
}
