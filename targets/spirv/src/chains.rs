//! Long chains of branches: drivers lose what is far inside of others, and validators refuse it.
//!
//! A chain is written by pieces that stand one after the other:
//!
//! ```text
//! if a { A } else if b { B } else { C }   =>   switch 0 { default: if a { A; break }; done = 0 }
//!                                              switch done { default: if b { B } else { C }; case 1: }
//! ```
//!
//! Invariant: what a piece computes for later ones reaches them through the end of the piece, since
//! no other block of it is on all ways to them.

use crate::assembly::{Id, Inst, Number, Operand};
use crate::emit::Emit;
use crate::grammar::Op;
use caustic_dialects::agg::as_slot;
use caustic_dialects::scf;
use caustic_ir::{BlockId, Diagnostic, OpId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Branches of a piece.
pub const MOST_BRANCHES: usize = 32;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Whole,
    /// The number of 32 bits that is extended to it.
    Narrow,
}

type Carried = FxHashMap<(ValueId, Form), Id>;

/// A chain while it is written.
struct Chain {
    ops: Vec<OpId>,
    /// For each branch that was come through: what it yields where it does not hold.
    yields: Vec<Vec<ValueId>>,
    /// What a block gives that goes to the end of the piece.
    ends: Vec<(Vec<Id>, Id)>,
    merge: Id,
    /// Ops that are written.
    written: FxHashSet<OpId>,
    /// Values of the chain that later pieces may ask for.
    made: Vec<ValueId>,
}

impl Emit<'_> {
    /// A branch, and those of which each is the last op of what is done otherwise in the one
    /// before.
    pub fn chain(&self, op: OpId) -> Vec<OpId> {
        let (body, mut chain) = (self.body, vec![op]);
        let mut last = op;
        while let Some(end) = body.region_block(last, 1).and_then(|block| body.terminator(block))
            && let Some(next) = body.prev_op(end).filter(|&next| scf::If::is(body, next))
        {
            chain.push(next);
            last = next;
        }
        chain
    }

    pub fn chain_op(&mut self, ops: Vec<OpId>) -> Result<(), Diagnostic> {
        let body = self.body;
        let types = body.results(ops[0]).iter().map(|&r| self.ty(body.ty(r))).collect::<Result<Vec<Id>, _>>()?;
        let (uint, begins, is_done) = (self.out.int(32), self.out.word(0), self.out.word(1));
        let mut results: Vec<Id> = types.iter().map(|&ty| self.out.null(ty)).collect();
        let nothing = results.clone();
        let (mut done, mut carried) = (begins, Carried::default());
        let mut chain = Chain {
            ops,
            yields: Vec::new(),
            ends: Vec::new(),
            merge: self.out.id(),
            written: FxHashSet::default(),
            made: Vec::new(),
        };
        for first in (0..chain.ops.len()).step_by(MOST_BRANCHES) {
            let end = chain.ops.len().min(first + MOST_BRANCHES);
            let (begin, before) = (self.out.id(), self.code.label);
            chain.merge = self.out.id();
            chain.ends.clear();
            self.begin_selection(chain.merge);
            let mut operands = vec![Operand::Id(done), Operand::Id(begin)];
            if first > 0 {
                operands.extend([Operand::Number(Number::Int(1, 32)), Operand::Id(chain.merge)]);
                chain.ends.push((results.clone(), before));
            }
            self.push(Inst::new(Op::Switch, operands));
            self.begin(begin);
            for k in first..end {
                self.chained(&mut chain, k)?;
            }
            let rest = (end < chain.ops.len()).then_some(self.code.label);
            let wanted = if rest.is_some() { self.wanted(&mut chain) } else { Carried::default() };
            if let Some(label) = rest {
                chain.ends.push((nothing.clone(), label));
                self.branch(chain.merge);
            }
            self.begin(chain.merge);
            results = types.iter().enumerate().map(|(k, &ty)| self.chosen(&chain, ty, |values, _| values[k])).collect();
            if rest.is_none() {
                break;
            }
            done = self.chosen(&chain, uint, |_, label| if Some(label) == rest { begins } else { is_done });
            carried = self.carry_on(&chain, wanted, &carried, [Some(before).filter(|_| first > 0), rest])?;
        }
        self.bind_results(chain.ops[0], results);
        Ok(())
    }

    /// A value at the end of a piece, by what it is in each block that goes there.
    fn chosen(&mut self, chain: &Chain, ty: Id, of: impl Fn(&[Id], Id) -> Id) -> Id {
        let operands: Vec<Id> = chain.ends.iter().flat_map(|(values, label)| [of(values, *label), *label]).collect();
        self.op(Op::Phi, ty, &operands)
    }

    /// A branch of a chain, and what is before the next one.
    fn chained(&mut self, chain: &mut Chain, k: usize) -> Result<(), Diagnostic> {
        let (body, op) = (self.body, chain.ops[k]);
        let condition = self.value(body.operand(op, 0))?;
        let (yes, no) = (self.out.id(), self.out.id());
        self.begin_selection(no);
        self.run(Op::BranchConditional, &[condition, yes, no]);
        self.begin(yes);
        self.last_branch(chain, k, body.region_block(op, 0))?;
        self.begin(no);
        let otherwise = body.region_block(op, 1);
        let (Some(block), Some(&next)) = (otherwise, chain.ops.get(k + 1)) else {
            return self.last_branch(chain, k, otherwise);
        };
        self.block_before(block, next)?;
        let end = body.terminator(block).ok_or_else(|| self.internal("a block without an end"))?;
        chain.yields.push(body.operands(end).to_vec());
        chain.written.insert(op);
        chain.written.extend(body.op(op).regions.first().into_iter().flat_map(|&then| body.walk(then)));
        let mut at = body.first_op(block);
        while let Some(op) = at.filter(|&op| op != next) {
            chain.written.insert(op);
            chain.written.extend(body.op(op).regions.iter().flat_map(|&region| body.walk(region)));
            chain.made.extend(body.results(op));
            at = body.next_op(op);
        }
        Ok(())
    }

    /// What branch `k` of a chain does last, and the way to the end of the piece.
    fn last_branch(&mut self, chain: &mut Chain, k: usize, block: Option<BlockId>) -> Result<(), Diagnostic> {
        let body = self.body;
        let mut values = match block {
            Some(block) => self.region(block)?,
            None => Vec::new(),
        };
        for (&inner, outer) in chain.ops[1..=k].iter().zip(&chain.yields).rev() {
            let of_inner = |v: ValueId| body.results(inner).iter().position(|&result| result == v);
            let through = outer.iter().map(|&v| match of_inner(v) {
                Some(at) => Ok(values[at]),
                None => self.value(v),
            });
            values = through.collect::<Result<Vec<Id>, Diagnostic>>()?;
        }
        chain.ends.push((values, self.code.label));
        self.branch(chain.merge);
        Ok(())
    }

    /// What of a chain's values is asked for behind the piece.
    fn wanted(&self, chain: &mut Chain) -> Carried {
        let body = self.body;
        let known = |v: ValueId| self.code.values.contains_key(&v) || self.code.narrow.contains_key(&v);
        // An op without a value is computed where its result is used.
        let later = |op: OpId| !chain.written.contains(&op) || body.results(op).iter().any(|&v| !known(v));
        let is_wanted = |&v: &ValueId| as_slot(body.ty(v)).is_none() && body.uses(v).iter().any(|u| later(u.op));
        let made: Vec<ValueId> = chain.made.iter().copied().filter(is_wanted).collect();
        let mut all = Carried::default();
        for &v in &made {
            all.extend(self.code.values.get(&v).map(|&id| ((v, Form::Whole), id)));
            all.extend(self.code.narrow.get(&v).map(|&(id, _)| ((v, Form::Narrow), id)));
        }
        chain.made = made;
        all
    }

    /// Takes values through the end of a piece: those from before come from its beginning, all from
    /// its last block.
    fn carry_on(
        &mut self,
        chain: &Chain,
        wanted: Carried,
        before: &Carried,
        [begin, rest]: [Option<Id>; 2],
    ) -> Result<Carried, Diagnostic> {
        let mut all: Vec<((ValueId, Form), Id)> = wanted.into_iter().collect();
        all.sort_by_key(|((v, form), _)| (v.index(), *form == Form::Narrow));
        let mut carried = Carried::default();
        for (key @ (v, form), id) in all {
            let ty = match form {
                Form::Whole => self.ty(self.body.ty(v))?,
                Form::Narrow => self.out.int(32),
            };
            let none = self.out.null(ty);
            let early = before.get(&key).copied().unwrap_or(none);
            let phi = self.chosen(chain, ty, |_, label| match Some(label) {
                label if label == rest => id,
                label if label == begin => early,
                _ => none,
            });
            match form {
                Form::Whole => {
                    self.code.values.insert(v, phi);
                }
                Form::Narrow => {
                    self.code.narrow.entry(v).and_modify(|(id, _)| *id = phi);
                }
            }
            carried.insert(key, phi);
        }
        Ok(carried)
    }
}
