//! An unzipped function as its transposition reads it: the structs of its linear code are taken
//! apart.

use super::parts;
use crate::autodiff::space::Spaces;
use caustic_dialects::ad;
use caustic_ir::{BlockId, Body, Diagnostic, OpId, Result, SymbolOp, ValueId};
use rustc_hash::FxHashMap;

/// The code, and the ops and blocks that transposition asks for.
pub struct Unzipped {
    pub body: Body,
    pub entry: BlockId,
    /// The linear half, and its block.
    pub linear: OpId,
    pub linear_block: BlockId,
    /// The function's return.
    pub end: OpId,
    /// Ops that read a part of an input or result, with that value and the part's number; see
    /// [`parts`].
    pub part_reads: FxHashMap<OpId, (ValueId, usize)>,
}

impl Unzipped {
    pub fn of(symbol: &SymbolOp, spaces: &Spaces) -> Result<Unzipped> {
        let mut body = symbol.body.clone();
        let bad = |text: &str| Diagnostic::invalid_ir(symbol.loc, text);
        let entry = body.entry().ok_or_else(|| bad("an unzipped function without code"))?;
        let end = body.terminator(entry).ok_or_else(|| bad("a function without a return"))?;
        let linear = body.block_ops(entry).into_iter().find(|&op| ad::Linear::is(&body, op));
        let linear = linear.ok_or_else(|| bad("an unzipped function without linear code"))?;
        let linear_block = body.region_block(linear, 0).ok_or_else(|| bad("linear code without a block"))?;
        let insides = body.args(linear_block).to_vec();
        let region = body.op(linear).regions[0];
        let part_reads = parts::split(&mut body, region, linear_block, &insides, spaces);
        Ok(Unzipped { body, entry, linear, linear_block, end, part_reads })
    }
}
