//! Making ops at an insertion point, and copying code between bodies.

use crate::attr::Attr;
use crate::body::{Attrs, BlockId, Body, OpId, RegionId, ValueId};
use crate::intern::Name;
use crate::loc::Loc;
use crate::op::OpDef;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Inserts ops into `block`, before `before` or at its end, at location `loc`.
pub struct Builder<'a> {
    pub body: &'a mut Body,
    pub block: BlockId,
    pub before: Option<OpId>,
    pub loc: Loc,
}

impl<'a> Builder<'a> {
    pub fn at_end(body: &'a mut Body, block: BlockId, loc: Loc) -> Self {
        Builder { body, block, before: None, loc }
    }
    /// Inserts before `op`, at its location. `op` must stand in a block.
    pub fn before(body: &'a mut Body, op: OpId) -> Option<Self> {
        let block = body.op(op).block?;
        let loc = body.loc(op);
        Some(Builder { body, block, before: Some(op), loc })
    }
    /// A builder at the end of another block of the same body.
    pub fn at(&mut self, block: BlockId) -> Builder<'_> {
        Builder { body: self.body, block, before: None, loc: self.loc }
    }
    /// A builder in front of the last op of the block.
    pub fn before_end(&mut self, block: BlockId) -> Builder<'_> {
        let before = self.body.last_op(block);
        Builder { body: self.body, block, before, loc: self.loc }
    }
    pub fn create(
        &mut self,
        def: &'static OpDef,
        operands: &[ValueId],
        result_types: &[Type],
        attrs: &[(&str, Attr)],
        num_regions: usize,
    ) -> OpId {
        let attrs: Attrs = attrs.iter().map(|(n, a)| (Name::new(n), *a)).collect();
        let op = self.body.create_op(def, operands, result_types, attrs, num_regions, self.loc);
        self.body.insert_op(op, self.block, self.before);
        op
    }
    /// An op with one result, whose value is returned.
    pub fn create_one(
        &mut self,
        def: &'static OpDef,
        operands: &[ValueId],
        result_type: Type,
        attrs: &[(&str, Attr)],
    ) -> ValueId {
        let op = self.create(def, operands, &[result_type], attrs, 0);
        self.body.result(op, 0)
    }
    pub fn ty(&self, value: ValueId) -> Type {
        self.body.ty(value)
    }
    /// Adds a block to region `index` of `op`.
    pub fn add_block(&mut self, op: OpId, index: usize, arg_types: &[Type]) -> BlockId {
        let region = self.body.op(op).regions[index];
        self.body.add_block(region, arg_types)
    }
}

/// Copies ops between bodies (or within one), mapping the values they read.
#[derive(Default, Clone)]
pub struct Cloner {
    pub map: FxHashMap<ValueId, ValueId>,
}

impl Cloner {
    pub fn new() -> Self {
        Self::default()
    }
    /// What `value` became; itself if it was not mapped (right only within one body).
    pub fn get(&self, value: ValueId) -> ValueId {
        self.map.get(&value).copied().unwrap_or(value)
    }
    pub fn insert(&mut self, old: ValueId, new: ValueId) {
        self.map.insert(old, new);
    }
    /// Copies `op` of `src`, with its regions, to the builder's place.
    pub fn clone_op(&mut self, src: &Body, op: OpId, b: &mut Builder<'_>) -> OpId {
        let data = src.op(op);
        let operands: Vec<ValueId> = data.operands.iter().map(|&v| self.get(v)).collect();
        let types: Vec<Type> = data.results.iter().map(|&v| src.ty(v)).collect();
        let new = b.body.create_op(data.def, &operands, &types, data.attrs.clone(), data.regions.len(), data.loc);
        b.body.insert_op(new, b.block, b.before);
        for (i, &r) in data.results.iter().enumerate() {
            let v = b.body.result(new, i);
            b.body.set_hint(v, src.value(r).hint);
            self.map.insert(r, v);
        }
        for (i, &region) in data.regions.iter().enumerate() {
            let dst = b.body.op(new).regions[i];
            self.clone_region(src, region, b.body, dst);
        }
        new
    }
    /// Copies an op with its regions to another place in the same body.
    pub fn clone_within(&mut self, body: &mut Body, op: OpId, block: BlockId, before: Option<OpId>) -> OpId {
        let data = body.op(op).clone();
        let operands: Vec<ValueId> = data.operands.iter().map(|&v| self.get(v)).collect();
        let types: Vec<Type> = data.results.iter().map(|&v| body.ty(v)).collect();
        let new = body.create_op(data.def, &operands, &types, data.attrs, data.regions.len(), data.loc);
        body.insert_op(new, block, before);
        for (i, &old) in data.results.iter().enumerate() {
            let value = body.result(new, i);
            let hint = body.value(old).hint;
            body.set_hint(value, hint);
            self.insert(old, value);
        }
        for (i, &region) in data.regions.iter().enumerate() {
            let target = body.op(new).regions[i];
            for old_block in body.region(region).blocks.clone() {
                let args = body.args(old_block).to_vec();
                let types: Vec<Type> = args.iter().map(|&v| body.ty(v)).collect();
                let new_block = body.add_block(target, &types);
                for (k, &arg) in args.iter().enumerate() {
                    let value = body.args(new_block)[k];
                    let hint = body.value(arg).hint;
                    body.set_hint(value, hint);
                    self.insert(arg, value);
                }
                for inner in body.block_ops(old_block) {
                    self.clone_within(body, inner, new_block, None);
                }
            }
        }
        new
    }
    /// Copies the blocks of `region` of `src` to the end of `dst`.
    pub fn clone_region(&mut self, src: &Body, region: RegionId, body: &mut Body, dst: RegionId) {
        for &block in &src.region(region).blocks {
            let types: Vec<Type> = src.args(block).iter().map(|&v| src.ty(v)).collect();
            let new = body.add_block(dst, &types);
            for (i, &arg) in src.args(block).iter().enumerate() {
                let v = body.args(new)[i];
                body.set_hint(v, src.value(arg).hint);
                self.map.insert(arg, v);
            }
            self.clone_block_ops(src, block, &mut Builder::at_end(body, new, Loc::unknown()));
        }
    }
    /// Copies the ops of `block` of `src` to the builder's place.
    pub fn clone_block_ops(&mut self, src: &Body, block: BlockId, b: &mut Builder<'_>) {
        let mut next = src.first_op(block);
        while let Some(op) = next {
            self.clone_op(src, op, b);
            next = src.next_op(op);
        }
    }
}
