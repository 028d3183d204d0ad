//! Functions made ready to run: blocks as flat lists of instructions, values as dense slots, and
//! where each value dies.
//!
//! A value that is dead after an op is moved into it instead of copied, so that updating an array
//! that nothing else holds happens in place. A use is the last one if nothing after it in its block
//! reads the value, nor anything after the enclosing ops up to the block that defines it, and no
//! loop stands in between.

use crate::memory::num_scalars;
use caustic_ir::eval::Eval;
use caustic_ir::{BlockId, Body, Loc, Module, Name, OpDef, OpId, SymbolOp, Type, Use, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Mutex, OnceLock};

/// The functions of a module, prepared when they are first called.
pub(crate) struct Program<'m> {
    pub module: &'m Module,
    code: Vec<OnceLock<Code<'m>>>,
    index: FxHashMap<Name, usize>,
    nesting: Mutex<FxHashMap<Name, Option<usize>>>,
}

impl<'m> Program<'m> {
    pub fn new(module: &'m Module) -> Program<'m> {
        let symbols = module.symbols();
        Program {
            module,
            code: symbols.iter().map(|_| OnceLock::new()).collect(),
            index: symbols.iter().enumerate().map(|(i, s)| (s.name, i)).collect(),
            nesting: Mutex::default(),
        }
    }

    /// How deep the blocks of `name` and of everything it may call are nested; `None` if calls
    /// recurse or the answer is over `limit`, which must be the same in all calls.
    pub fn nesting(&self, name: Name, limit: usize) -> Option<usize> {
        // A poisoned lock only means that another thread panicked between two complete insertions.
        let mut known = self.nesting.lock().unwrap_or_else(|e| e.into_inner());
        self.nesting_of(name, limit, 0, &mut known)
    }

    fn nesting_of(
        &self,
        name: Name,
        limit: usize,
        above: usize,
        known: &mut FxHashMap<Name, Option<usize>>,
    ) -> Option<usize> {
        if let Some(&found) = known.get(&name) {
            return found;
        }
        let Some(symbol) = self.symbol(name) else { return Some(0) };
        // While it is being computed it counts as recursive.
        known.insert(name, None);
        if above >= limit {
            return None;
        }
        let body = &symbol.body;
        let mut below = Some(0);
        let mut blocks = 1;
        for op in body.walk_all() {
            let mut depth = 1;
            let mut block = body.op(op).block;
            while let Some(outer) = block.and_then(|b| body.parent_op(b)) {
                depth += 1;
                if depth > limit {
                    return None;
                }
                block = body.op(outer).block;
            }
            blocks = blocks.max(depth);
            // Whatever an op names it may call.
            for callee in body.op(op).attrs.iter().filter_map(|(_, a)| a.as_symbol()) {
                let callee = self.nesting_of(callee, limit, above + depth, known);
                below = below.zip(callee).map(|(a, b)| a.max(b + depth));
            }
        }
        let total = below.map(|b| b.max(blocks)).filter(|&n| n <= limit);
        known.insert(name, total);
        total
    }

    pub fn symbol(&self, name: Name) -> Option<&'m SymbolOp> {
        self.index.get(&name).map(|&i| &self.module.symbols()[i])
    }

    /// The code of a function, if the symbol exists.
    pub fn code(&self, name: Name) -> Option<&Code<'m>> {
        let &i = self.index.get(&name)?;
        Some(self.code[i].get_or_init(|| Code::new(&self.module.symbols()[i].body)))
    }
}

pub(crate) struct Code<'m> {
    pub body: &'m Body,
    /// By block id; `None` for blocks of erased ops.
    blocks: Vec<Option<Block>>,
    pub num_slots: usize,
}

pub(crate) struct Block {
    /// Where the arguments go; `None` for one that nothing reads.
    pub args: SmallVec<[Option<u32>; 4]>,
    pub instrs: Vec<Instr>,
}

pub(crate) struct Instr {
    pub op: OpId,
    pub def: &'static OpDef,
    pub eval: Eval,
    pub operands: SmallVec<[Operand; 3]>,
    pub results: SmallVec<[Option<u32>; 1]>,
    /// Values that die here without being moved: their last use is in a region of this op, or is a
    /// copy.
    pub drops: SmallVec<[u32; 1]>,
    /// What an elementwise evaluation sees of the types.
    pub operand_elems: SmallVec<[Type; 3]>,
    pub result_type: Type,
    pub result_elem: Type,
    pub loc: Loc,
    /// Another number of operands than the row has.
    pub malformed: bool,
    /// Scalars of the largest result.
    pub result_scalars: u64,
    /// Operations on floats; see [`float_ops`].
    pub float_ops: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct Operand {
    pub slot: u32,
    /// Nothing reads the value afterwards.
    pub last: bool,
}

/// What happens to a value when an op has read it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Death {
    /// Moved into this operand.
    Operand(u32),
    /// Dropped after the op.
    After,
}

impl<'m> Code<'m> {
    fn new(body: &'m Body) -> Code<'m> {
        let ops = body.walk_all();
        let mut position = vec![0u32; body.num_ops()];
        let mut next: FxHashMap<BlockId, u32> = FxHashMap::default();
        for &op in &ops {
            if let Some(block) = body.op(op).block {
                let n = next.entry(block).or_insert(0);
                position[op.index()] = *n;
                *n += 1;
            }
        }
        let mut slots = Slots { of: vec![None; body.num_values()], count: 0 };
        let mut deaths: FxHashMap<OpId, Vec<(ValueId, Death)>> = FxHashMap::default();
        let mut code = Code { body, blocks: Vec::new(), num_slots: 0 };
        for &block in &body.region(body.root()).blocks {
            code.enter(block, &mut slots, &position, &mut deaths);
        }
        for &op in &ops {
            for &result in body.results(op) {
                find_deaths(body, result, &position, &mut deaths);
                slots.assign(body, result);
            }
            for &region in &body.op(op).regions {
                for &block in &body.region(region).blocks {
                    code.enter(block, &mut slots, &position, &mut deaths);
                }
            }
        }
        for &op in &ops {
            let Some(block) = body.op(op).block else { continue };
            let instr = instr(body, op, &slots, deaths.get(&op).map_or(&[], |d| d.as_slice()));
            if let Some(Some(block)) = code.blocks.get_mut(block.index()) {
                block.instrs.push(instr);
            }
        }
        code.num_slots = slots.count as usize;
        code
    }

    fn enter(
        &mut self,
        block: BlockId,
        slots: &mut Slots,
        position: &[u32],
        deaths: &mut FxHashMap<OpId, Vec<(ValueId, Death)>>,
    ) {
        let body = self.body;
        let args = body.args(block).iter().map(|&arg| {
            find_deaths(body, arg, position, deaths);
            slots.assign(body, arg)
        });
        let prepared = Block { args: args.collect(), instrs: Vec::new() };
        if self.blocks.len() <= block.index() {
            self.blocks.resize_with(block.index() + 1, || None);
        }
        self.blocks[block.index()] = Some(prepared);
    }

    pub fn block(&self, block: BlockId) -> Option<&Block> {
        self.blocks.get(block.index())?.as_ref()
    }
}

struct Slots {
    of: Vec<Option<u32>>,
    count: u32,
}

impl Slots {
    /// A slot for a value that something reads.
    fn assign(&mut self, body: &Body, value: ValueId) -> Option<u32> {
        if body.is_unused(value) {
            return None;
        }
        let slot = self.count;
        self.count += 1;
        self.of[value.index()] = Some(slot);
        Some(slot)
    }
}

/// The chain of (block, op) from a use outwards, up to the block that defines the value.
fn chain(body: &Body, from: OpId, home: BlockId) -> Option<SmallVec<[(BlockId, OpId); 4]>> {
    let mut out = SmallVec::new();
    let mut op = from;
    loop {
        let block = body.op(op).block?;
        out.push((block, op));
        if block == home {
            return Some(out);
        }
        op = body.parent_op(block)?;
    }
}

fn find_deaths(body: &Body, value: ValueId, position: &[u32], deaths: &mut FxHashMap<OpId, Vec<(ValueId, Death)>>) {
    let Some(home) = body.def_block(value) else { return };
    let mut last: SmallVec<[(BlockId, OpId); 4]> = SmallVec::new();
    let mut chains: SmallVec<[(Use, SmallVec<[(BlockId, OpId); 4]>); 2]> = SmallVec::new();
    for &u in body.uses(value) {
        // A use outside of the value's scope is left to fail when it runs.
        let Some(chain) = chain(body, u.op, home) else { continue };
        for &(block, op) in &chain {
            match last.iter_mut().find(|(b, _)| *b == block) {
                Some((_, known)) if position[known.index()] < position[op.index()] => *known = op,
                Some(_) => {}
                None => last.push((block, op)),
            }
        }
        chains.push((u, chain));
    }
    let is_last = |block: BlockId, op: OpId| last.iter().any(|&(b, o)| b == block && o == op);
    for (u, chain) in &chains {
        let ends = chain.iter().all(|&(block, op)| is_last(block, op));
        let no_loop = chain.iter().skip(1).all(|&(_, op)| body.op(op).def.runs_regions_once());
        let final_index = body.operands(u.op).iter().rposition(|&v| v == value) == Some(u.index as usize);
        // An op that reads the value in its regions too still needs it when they run.
        let read_inside = chains.iter().any(|(_, other)| other.iter().skip(1).any(|&(_, op)| op == u.op));
        if ends && no_loop && final_index && !read_inside {
            deaths.entry(u.op).or_default().push((value, Death::Operand(u.index)));
        }
    }
    if let Some(&(_, op)) = last.iter().find(|(block, _)| *block == home) {
        let list = deaths.entry(op).or_default();
        if !list.iter().any(|(v, _)| *v == value) {
            list.push((value, Death::After));
        }
    }
}

fn instr(body: &Body, op: OpId, slots: &Slots, deaths: &[(ValueId, Death)]) -> Instr {
    let data = body.op(op);
    let def = data.def;
    let fixed = def.operands.iter().filter(|o| !o.variadic).count();
    // A value without a slot is defined nowhere; its number makes the frame say so.
    let slot = |v: ValueId| slots.of[v.index()].unwrap_or(u32::MAX);
    let operands = data.operands.iter().enumerate();
    let result_type = data.results.first().map_or_else(Type::index, |&r| body.ty(r));
    Instr {
        op,
        def,
        eval: def.eval,
        operands: operands
            .map(|(i, &v)| Operand { slot: slot(v), last: deaths.contains(&(v, Death::Operand(i as u32))) })
            .collect(),
        results: data.results.iter().map(|&r| slots.of[r.index()]).collect(),
        drops: deaths.iter().filter(|(_, d)| *d == Death::After).map(|(v, _)| slot(*v)).collect(),
        operand_elems: data.operands.iter().map(|&v| body.ty(v).elem()).collect(),
        result_type,
        result_elem: result_type.elem(),
        loc: data.loc,
        malformed: data.operands.len() < fixed || (!def.has_variadic_operands() && data.operands.len() > fixed),
        result_scalars: data.results.iter().map(|&r| num_scalars(body.ty(r))).max().unwrap_or(0),
        float_ops: float_ops(body, op),
    }
}

/// What an op of floats alone counts for: one for each scalar of its result and each operand that
/// it joins to the one before, so that a multiply-add counts twice and a function of one number,
/// whatever it takes, once. Comparisons and choices are not counted.
fn float_ops(body: &Body, op: OpId) -> u64 {
    let (operands, results) = (body.operands(op), body.results(op));
    let [result] = results else { return 0 };
    let elementwise = matches!(body.op(op).def.eval, Eval::Scalar(_));
    if !elementwise || operands.is_empty() || !operands.iter().chain([result]).all(|&v| body.ty(v).elem().is_float()) {
        return 0;
    }
    num_scalars(body.ty(*result)) * (operands.len() as u64 - 1).max(1)
}
