//! Values of a wave that change places through the memory of the group.
//!
//! Each lane writes its n values beside each other and reads rows of 32. Memory has 32 banks: where
//! n is a multiple of eight, a word that nobody uses stands behind each row, so that lanes that
//! write at once meet different banks; else four lanes at most meet one. Each wave has a place of
//! its own, and waits for nobody else.

use crate::converge::Gpus;
use crate::ir::{Ir, Opcode, Value};
use caustic_codegen::Flat;
use caustic_dialects::simt::{self, WAVE_SIZE};
use caustic_ir::{Body, Diagnostic, OpId};
use caustic_native::{Leaf, ThreadCtx};
use std::mem::offset_of;

/// Memory in which the waves of a group exchange values.
#[derive(Clone, Copy)]
pub struct Exchange {
    /// Made when it is needed.
    pub memory: Option<Value>,
    /// Bytes of one wave.
    pub of_wave: u64,
    pub waves: u64,
}

impl Exchange {
    /// What the wave ops of these functions need, in groups of so many threads.
    pub fn of<'m>(bodies: impl Iterator<Item = &'m Body>, threads: u64) -> Exchange {
        let mut of_wave = 0;
        for body in bodies {
            for op in body.all_ops().filter(|&op| simt::WaveTranspose::is(body, op)) {
                let values = simt::brought(body, op);
                let leaf = values.first().and_then(|&v| Leaf::of(body.ty(v)));
                of_wave = of_wave.max(words(values.len()) * leaf.map_or(8, |leaf| leaf.size()));
            }
        }
        Exchange { memory: None, of_wave: of_wave.next_multiple_of(16), waves: threads.div_ceil(u64::from(WAVE_SIZE)) }
    }

    pub fn bytes(&self) -> u64 {
        self.of_wave * self.waves
    }

    fn memory(&mut self, make: impl FnOnce(u64) -> Value) -> Value {
        let bytes = self.bytes();
        *self.memory.get_or_insert_with(|| make(bytes))
    }
}

fn is_padded(count: usize) -> bool {
    count.is_multiple_of(8)
}

/// The places that the n values of all lanes take.
fn words(count: usize) -> u64 {
    let row = WAVE_SIZE as usize + usize::from(is_padded(count));
    (count * row) as u64
}

pub fn transpose<'m>(emit: &mut Gpus<'_, 'm>, op: OpId, operands: &[Flat<Value>]) -> Result<(), Diagnostic> {
    let own: Vec<Value> = operands.iter().filter_map(|v| v.first().copied()).collect();
    let leaf = emit.leaf_of(simt::brought(emit.body, op)[0])?;
    let wave = emit.context_field(Leaf::I64, offset_of!(ThreadCtx, subgroup_id));
    let rows = rows(&mut emit.a.unit.ir, leaf, wave, &own);
    for (&result, row) in emit.body.results(op).iter().zip(rows) {
        emit.set(result, Flat::from_slice(&[row]));
    }
    Ok(())
}

fn rows(ir: &mut Ir, leaf: Leaf, wave: Value, own: &[Value]) -> Vec<Value> {
    let (count, size) = (own.len(), leaf.size() as i64);
    let mut exchange = ir.exchange;
    let memory = exchange.memory(|bytes| ir.shared("shared.waves", bytes));
    ir.exchange = exchange;
    let lane = ir.intrinsic("llvm.nvvm.read.ptx.sreg.laneid", &[], &[]);
    ir.range(lane, 0, i64::from(WAVE_SIZE));
    let long = ir.ty(Leaf::I64);
    let lane = ir.cast(Opcode::LLVMZExt, lane, long);
    let times = |ir: &mut Ir, value: Value, factor: i64| {
        let factor = ir.int(Leaf::I64, factor);
        ir.binary(Opcode::LLVMMul, value, factor)
    };
    let start = times(ir, wave, exchange.of_wave as i64);
    let tile = ir.at(memory, start);
    let wait = |ir: &mut Ir| {
        let all = ir.int(Leaf::I32, -1);
        ir.intrinsic("llvm.nvvm.bar.warp.sync", &[], &[all]);
    };
    // What was read last time has been read.
    wait(ir);
    let padding = |ir: &mut Ir, place: Value| {
        let five = ir.int(Leaf::I64, 5);
        let rows = ir.binary(Opcode::LLVMLShr, place, five);
        ir.binary(Opcode::LLVMAdd, place, rows)
    };
    // What stands in one row is behind the same padding.
    let in_a_row = (WAVE_SIZE as usize).is_multiple_of(count);
    let mut first = times(ir, lane, count as i64);
    if is_padded(count) && in_a_row {
        first = padding(ir, first);
    }
    for (k, &value) in own.iter().enumerate() {
        let offset = ir.int(Leaf::I64, k as i64);
        let mut place = ir.binary(Opcode::LLVMAdd, first, offset);
        if is_padded(count) && !in_a_row {
            place = padding(ir, place);
        }
        let bytes = times(ir, place, size);
        let at = ir.at(tile, bytes);
        ir.store(value, at, size as u32);
    }
    wait(ir);
    let column = times(ir, lane, size);
    let column = ir.at(tile, column);
    let (ty, pitch) = (ir.ty(leaf), i64::from(WAVE_SIZE) + i64::from(is_padded(count)));
    let read = |j: usize| {
        let offset = ir.int(Leaf::I64, j as i64 * pitch * size);
        let at = ir.at(column, offset);
        ir.load(ty, at, size as u32)
    };
    (0..count).map(read).collect()
}
