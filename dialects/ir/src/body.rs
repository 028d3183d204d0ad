//! The arena of one symbol's code: ops, values, blocks and regions, with def-use chains.
//!
//! Invariants: ids are dense `u32`s and never reused within a body; every operand has an entry in
//! the use list of the value it names, kept by the mutators here and nowhere else; control flow is
//! structured (a block has no successors). Erased ops and values stay as dead slots until the body
//! is rebuilt.
//!
//! A body shares nothing with other bodies, so passes over symbols run in parallel.

use crate::attr::Attr;
use crate::intern::Name;
use crate::loc::Loc;
use crate::op::OpDef;
use crate::types::Type;
use smallvec::SmallVec;

macro_rules! id {
    ($(#[$m:meta])* $name:ident) => {
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id!(OpId);
id!(ValueId);
id!(BlockId);
id!(RegionId);

/// One place where a value is read: operand `index` of `op`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    pub op: OpId,
    pub index: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    Result { op: OpId, index: u32 },
    Arg { block: BlockId, index: u32 },
}

#[derive(Clone, Debug)]
pub struct ValueData {
    pub ty: Type,
    pub def: ValueDef,
    pub uses: SmallVec<[Use; 2]>,
    /// What the programmer called it; a hint for printing only.
    pub hint: Option<Name>,
}

pub type Attrs = SmallVec<[(Name, Attr); 2]>;

#[derive(Clone, Debug)]
pub struct OpData {
    pub def: &'static OpDef,
    pub operands: SmallVec<[ValueId; 3]>,
    pub results: SmallVec<[ValueId; 1]>,
    pub attrs: Attrs,
    pub regions: SmallVec<[RegionId; 2]>,
    pub loc: Loc,
    /// `None` when detached or erased.
    pub block: Option<BlockId>,
    prev: Option<OpId>,
    next: Option<OpId>,
    erased: bool,
}

#[derive(Clone, Debug)]
pub struct BlockData {
    pub args: SmallVec<[ValueId; 2]>,
    pub region: RegionId,
    first: Option<OpId>,
    last: Option<OpId>,
}

#[derive(Clone, Debug, Default)]
pub struct RegionData {
    pub blocks: SmallVec<[BlockId; 1]>,
    /// `None` for the root region of the body.
    pub parent: Option<OpId>,
}

/// The code of one symbol. A body always has a root region; a declaration's has no blocks.
#[derive(Clone, Debug)]
pub struct Body {
    ops: Vec<OpData>,
    values: Vec<ValueData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
}

impl Default for Body {
    fn default() -> Self {
        Self::new()
    }
}

impl Body {
    pub fn new() -> Body {
        Body { ops: Vec::new(), values: Vec::new(), blocks: Vec::new(), regions: vec![RegionData::default()] }
    }

    // ----- reading

    pub fn root(&self) -> RegionId {
        RegionId(0)
    }
    /// The first block of the root region, if the symbol has code.
    pub fn entry(&self) -> Option<BlockId> {
        self.regions[0].blocks.first().copied()
    }
    pub fn op(&self, op: OpId) -> &OpData {
        &self.ops[op.index()]
    }
    pub fn value(&self, value: ValueId) -> &ValueData {
        &self.values[value.index()]
    }
    pub fn block(&self, block: BlockId) -> &BlockData {
        &self.blocks[block.index()]
    }
    pub fn region(&self, region: RegionId) -> &RegionData {
        &self.regions[region.index()]
    }
    /// Upper bounds of the ids handed out so far, for side tables.
    pub fn num_ops(&self) -> usize {
        self.ops.len()
    }
    pub fn num_values(&self) -> usize {
        self.values.len()
    }
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.index()].ty
    }
    pub fn def(&self, value: ValueId) -> ValueDef {
        self.values[value.index()].def
    }
    /// The op that computes `value`, unless it is a block argument.
    pub fn def_op(&self, value: ValueId) -> Option<OpId> {
        match self.def(value) {
            ValueDef::Result { op, .. } => Some(op),
            ValueDef::Arg { .. } => None,
        }
    }
    pub fn uses(&self, value: ValueId) -> &[Use] {
        &self.values[value.index()].uses
    }
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.uses(value).is_empty()
    }
    pub fn operands(&self, op: OpId) -> &[ValueId] {
        &self.op(op).operands
    }
    pub fn operand(&self, op: OpId, index: usize) -> ValueId {
        self.op(op).operands[index]
    }
    pub fn results(&self, op: OpId) -> &[ValueId] {
        &self.op(op).results
    }
    pub fn result(&self, op: OpId, index: usize) -> ValueId {
        self.op(op).results[index]
    }
    pub fn attr(&self, op: OpId, name: &str) -> Option<Attr> {
        self.op(op).attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| *a)
    }
    /// The symbol that the attribute of this name holds, for ops of several kinds; one kind has an
    /// accessor in its row.
    pub fn symbol_attr(&self, op: OpId, name: &str) -> Option<Name> {
        self.attr(op, name)?.as_symbol()
    }
    /// The symbol that a call names: every row with the effects of a call has the attribute
    /// `callee`.
    pub fn callee(&self, op: OpId) -> Option<Name> {
        self.symbol_attr(op, "callee")
    }
    pub fn loc(&self, op: OpId) -> Loc {
        self.op(op).loc
    }
    /// Whether `op` is the op `def` declares.
    pub fn is(&self, op: OpId, def: &'static OpDef) -> bool {
        std::ptr::eq(self.op(op).def, def)
    }
    pub fn is_erased(&self, op: OpId) -> bool {
        self.op(op).erased
    }
    /// The only block of region `index` of `op`.
    pub fn region_block(&self, op: OpId, index: usize) -> Option<BlockId> {
        self.region(*self.op(op).regions.get(index)?).blocks.first().copied()
    }
    pub fn args(&self, block: BlockId) -> &[ValueId] {
        &self.block(block).args
    }
    pub fn first_op(&self, block: BlockId) -> Option<OpId> {
        self.block(block).first
    }
    pub fn last_op(&self, block: BlockId) -> Option<OpId> {
        self.block(block).last
    }
    pub fn next_op(&self, op: OpId) -> Option<OpId> {
        self.op(op).next
    }
    pub fn prev_op(&self, op: OpId) -> Option<OpId> {
        self.op(op).prev
    }
    /// The ops of `block` in order. The list is taken now: the body may be changed while going
    /// through it.
    pub fn block_ops(&self, block: BlockId) -> Vec<OpId> {
        let mut ops = Vec::new();
        let mut next = self.first_op(block);
        while let Some(op) = next {
            ops.push(op);
            next = self.next_op(op);
        }
        ops
    }
    /// The terminator, if the block's last op is one.
    pub fn terminator(&self, block: BlockId) -> Option<OpId> {
        self.last_op(block).filter(|&op| self.op(op).def.is_terminator())
    }
    /// The op whose region holds `block`; `None` at the root.
    pub fn parent_op(&self, block: BlockId) -> Option<OpId> {
        self.region(self.block(block).region).parent
    }
    /// The block in which `value` is defined.
    pub fn def_block(&self, value: ValueId) -> Option<BlockId> {
        match self.def(value) {
            ValueDef::Result { op, .. } => self.op(op).block,
            ValueDef::Arg { block, .. } => Some(block),
        }
    }
    /// Whether `inner` is `outer` or nested in it at any depth.
    pub fn is_block_within(&self, inner: BlockId, outer: BlockId) -> bool {
        let mut block = inner;
        loop {
            if block == outer {
                return true;
            }
            match self.parent_op(block).and_then(|op| self.op(op).block) {
                Some(up) => block = up,
                None => return false,
            }
        }
    }
    /// All ops below `region`, each before the ops nested in it, without recursion.
    pub fn walk(&self, region: RegionId) -> Vec<OpId> {
        let mut out = Vec::with_capacity(if region == self.root() { self.ops.len() } else { 0 });
        // Where to go on after what is nested: blocks that were not begun, and ops in the middle of
        // one.
        enum Next {
            Block(BlockId),
            Op(OpId),
        }
        let push_blocks = |region: RegionId, stack: &mut Vec<Next>| {
            stack.extend(self.region(region).blocks.iter().rev().map(|&b| Next::Block(b)));
        };
        let mut stack = Vec::new();
        push_blocks(region, &mut stack);
        while let Some(next) = stack.pop() {
            let mut cursor = match next {
                Next::Block(block) => self.first_op(block),
                Next::Op(op) => Some(op),
            };
            while let Some(op) = cursor {
                out.push(op);
                let data = self.op(op);
                cursor = data.next;
                if !data.regions.is_empty() {
                    stack.extend(cursor.take().map(Next::Op));
                    for &region in data.regions.iter().rev() {
                        push_blocks(region, &mut stack);
                    }
                }
            }
        }
        out
    }
    pub fn walk_all(&self) -> Vec<OpId> {
        self.walk(self.root())
    }
    /// All ops that stand in a block, in no particular order: cheaper than [`Self::walk_all`],
    /// where order does not matter.
    pub fn all_ops(&self) -> impl Iterator<Item = OpId> + '_ {
        let standing = |(_, data): &(usize, &OpData)| !data.erased && data.block.is_some();
        self.ops.iter().enumerate().filter(standing).map(|(i, _)| OpId(i as u32))
    }

    // ----- building

    pub fn add_block(&mut self, region: RegionId, arg_types: &[Type]) -> BlockId {
        let block = BlockId(self.blocks.len() as u32);
        self.blocks.push(BlockData { args: SmallVec::new(), region, first: None, last: None });
        self.regions[region.index()].blocks.push(block);
        for &ty in arg_types {
            self.add_arg(block, ty);
        }
        block
    }
    pub fn add_arg(&mut self, block: BlockId, ty: Type) -> ValueId {
        let index = self.blocks[block.index()].args.len() as u32;
        let value = self.new_value(ty, ValueDef::Arg { block, index });
        self.blocks[block.index()].args.push(value);
        value
    }
    /// Removes the arguments for which `remove` is true; they must have no uses left.
    pub fn remove_args(&mut self, block: BlockId, remove: impl Fn(usize) -> bool) {
        let old = std::mem::take(&mut self.blocks[block.index()].args);
        let kept: SmallVec<[ValueId; 2]> =
            old.into_iter().enumerate().filter(|(i, _)| !remove(*i)).map(|(_, v)| v).collect();
        for (i, &v) in kept.iter().enumerate() {
            self.values[v.index()].def = ValueDef::Arg { block, index: i as u32 };
        }
        self.blocks[block.index()].args = kept;
    }
    fn new_value(&mut self, ty: Type, def: ValueDef) -> ValueId {
        let value = ValueId(self.values.len() as u32);
        self.values.push(ValueData { ty, def, uses: SmallVec::new(), hint: None });
        value
    }
    /// A new op that stands in no block yet, with `num_regions` regions without blocks.
    pub fn create_op(
        &mut self,
        def: &'static OpDef,
        operands: &[ValueId],
        result_types: &[Type],
        attrs: Attrs,
        num_regions: usize,
        loc: Loc,
    ) -> OpId {
        let op = OpId(self.ops.len() as u32);
        self.ops.push(OpData {
            def,
            operands: SmallVec::from_slice(operands),
            results: SmallVec::new(),
            attrs,
            regions: SmallVec::new(),
            loc,
            block: None,
            prev: None,
            next: None,
            erased: false,
        });
        for (i, &v) in operands.iter().enumerate() {
            self.values[v.index()].uses.push(Use { op, index: i as u32 });
        }
        for (i, &ty) in result_types.iter().enumerate() {
            let value = self.new_value(ty, ValueDef::Result { op, index: i as u32 });
            self.ops[op.index()].results.push(value);
        }
        for _ in 0..num_regions {
            let region = RegionId(self.regions.len() as u32);
            self.regions.push(RegionData { blocks: SmallVec::new(), parent: Some(op) });
            self.ops[op.index()].regions.push(region);
        }
        op
    }
    /// Adds a region without blocks to an op that exists.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let region = RegionId(self.regions.len() as u32);
        self.regions.push(RegionData { blocks: SmallVec::new(), parent: Some(op) });
        self.ops[op.index()].regions.push(region);
        region
    }
    /// Adds a result to an op that exists (used while regions are being filled).
    pub fn add_result(&mut self, op: OpId, ty: Type) -> ValueId {
        let index = self.ops[op.index()].results.len() as u32;
        let value = self.new_value(ty, ValueDef::Result { op, index });
        self.ops[op.index()].results.push(value);
        value
    }
    /// Removes the results for which `remove` is true; they must have no uses left.
    pub fn remove_results(&mut self, op: OpId, remove: impl Fn(usize) -> bool) {
        let old = std::mem::take(&mut self.ops[op.index()].results);
        let kept: SmallVec<[ValueId; 1]> =
            old.into_iter().enumerate().filter(|(i, _)| !remove(*i)).map(|(_, v)| v).collect();
        for (i, &v) in kept.iter().enumerate() {
            self.values[v.index()].def = ValueDef::Result { op, index: i as u32 };
        }
        self.ops[op.index()].results = kept;
    }
    /// Puts a detached op into `block`, before `before` or at the end.
    pub fn insert_op(&mut self, op: OpId, block: BlockId, before: Option<OpId>) {
        let prev = match before {
            Some(b) => self.ops[b.index()].prev,
            None => self.blocks[block.index()].last,
        };
        let data = &mut self.ops[op.index()];
        data.block = Some(block);
        data.prev = prev;
        data.next = before;
        match prev {
            Some(p) => self.ops[p.index()].next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        match before {
            Some(b) => self.ops[b.index()].prev = Some(op),
            None => self.blocks[block.index()].last = Some(op),
        }
    }
    /// Takes an op out of its block; it keeps its operands and results.
    pub fn detach_op(&mut self, op: OpId) {
        let (block, prev, next) = {
            let data = &mut self.ops[op.index()];
            (data.block.take(), data.prev.take(), data.next.take())
        };
        let Some(block) = block else { return };
        match prev {
            Some(p) => self.ops[p.index()].next = next,
            None => self.blocks[block.index()].first = next,
        }
        match next {
            Some(n) => self.ops[n.index()].prev = prev,
            None => self.blocks[block.index()].last = prev,
        }
    }
    pub fn move_op(&mut self, op: OpId, block: BlockId, before: Option<OpId>) {
        self.detach_op(op);
        self.insert_op(op, block, before);
    }
    /// Erases an op and everything nested in it. Its results must have no uses outside of itself.
    pub fn erase_op(&mut self, op: OpId) {
        self.detach_op(op);
        let mut stack = vec![op];
        while let Some(op) = stack.pop() {
            let operands = std::mem::take(&mut self.ops[op.index()].operands);
            for (i, v) in operands.into_iter().enumerate() {
                self.drop_use(v, Use { op, index: i as u32 });
            }
            self.ops[op.index()].erased = true;
            for region in self.ops[op.index()].regions.clone() {
                for block in self.regions[region.index()].blocks.clone() {
                    stack.extend(self.block_ops(block));
                }
            }
        }
    }
    fn drop_use(&mut self, value: ValueId, u: Use) {
        let uses = &mut self.values[value.index()].uses;
        // From the end: code is mostly taken apart from the end too, and a value may have many
        // thousands of uses.
        if let Some(at) = uses.iter().rposition(|x| *x == u) {
            uses.swap_remove(at);
        }
    }

    // ----- changing

    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        let old = self.ops[op.index()].operands[index];
        if old == value {
            return;
        }
        let u = Use { op, index: index as u32 };
        self.drop_use(old, u);
        self.ops[op.index()].operands[index] = value;
        self.values[value.index()].uses.push(u);
    }
    /// Replaces the whole operand list.
    pub fn set_operands(&mut self, op: OpId, operands: &[ValueId]) {
        let old = std::mem::take(&mut self.ops[op.index()].operands);
        for (i, v) in old.into_iter().enumerate() {
            self.drop_use(v, Use { op, index: i as u32 });
        }
        for (i, &v) in operands.iter().enumerate() {
            self.values[v.index()].uses.push(Use { op, index: i as u32 });
        }
        self.ops[op.index()].operands = SmallVec::from_slice(operands);
    }
    pub fn replace_uses(&mut self, old: ValueId, new: ValueId) {
        if old == new {
            return;
        }
        let uses = std::mem::take(&mut self.values[old.index()].uses);
        for u in &uses {
            self.ops[u.op.index()].operands[u.index as usize] = new;
        }
        self.values[new.index()].uses.extend(uses);
        if self.values[new.index()].hint.is_none() {
            self.values[new.index()].hint = self.values[old.index()].hint;
        }
    }
    pub fn set_type(&mut self, value: ValueId, ty: Type) {
        self.values[value.index()].ty = ty;
    }
    pub fn set_hint(&mut self, value: ValueId, hint: Option<Name>) {
        self.values[value.index()].hint = hint;
    }
    pub fn set_attr(&mut self, op: OpId, name: &str, attr: Attr) {
        set_attr(&mut self.ops[op.index()].attrs, name, attr);
    }
    /// Replaces all attributes.
    pub fn set_attrs(&mut self, op: OpId, attrs: Attrs) {
        self.ops[op.index()].attrs = attrs;
    }
    pub fn remove_attr(&mut self, op: OpId, name: &str) {
        self.ops[op.index()].attrs.retain(|(n, _)| *n != name);
    }
    pub fn set_loc(&mut self, op: OpId, loc: Loc) {
        self.ops[op.index()].loc = loc;
    }
    /// Makes `op` an instance of another row with the same shape.
    pub fn set_def(&mut self, op: OpId, def: &'static OpDef) {
        self.ops[op.index()].def = def;
    }
}

pub fn set_attr(attrs: &mut Attrs, name: &str, attr: Attr) {
    match attrs.iter_mut().find(|(n, _)| *n == name) {
        Some(entry) => entry.1 = attr,
        None => attrs.push((Name::new(name), attr)),
    }
}
