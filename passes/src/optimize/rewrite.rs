//! Rewrites that are functions, and the hands that apply them and the patterns of
//! [`super::pattern`].
//!
//! Arithmetic is rewritten by patterns, which are data ([`crate::rows`]). What spans regions,
//! loops, parts of aggregates or tangents is one [`Rewrite`] in one of the tables of
//! [`super::rules`]: a name, what it does in words, the ops it starts from, under which reading of
//! floats it is right, and a function that matches and rewrites. All that tools know of rewrites
//! (documentation, tracing, fuel) comes from the row.
//!
//! Invariant of every rewrite: a program computes the same afterwards, bit for bit, unless its
//! class says less.

use crate::rows::Class;
use caustic_dialects::{ad, agg, arith};
use caustic_ir::{Attr, Body, Builder, OpDef, OpId, Type, ValueId};
use smallvec::SmallVec;

/// A rewrite that is a function.
pub struct Rewrite {
    pub name: &'static str,
    /// `left => right`, and on what condition.
    pub doc: &'static str,
    /// The ops that the left side can start from.
    pub roots: &'static [&'static OpDef],
    pub class: Class,
    /// Rewrites at `op` if it matches; whether it did.
    pub apply: fn(&mut Rewriter<'_>, OpId) -> bool,
}

/// Declares a table of rewrites: `"name" class [Root, …] "doc" function;`
macro_rules! rewrites {
    ( $(#[$m:meta])* $vis:vis static $table:ident : [ $( $name:literal $class:ident [ $($root:path),+ $(,)? ] $doc:literal $apply:expr; )* ] ) => {
        $(#[$m])*
        $vis static $table: &[$crate::optimize::rewrite::Rewrite] = &[ $(
            $crate::optimize::rewrite::Rewrite {
                name: $name,
                doc: $doc,
                roots: &[$(<$root>::DEF),+],
                class: $crate::rows::Class::$class,
                apply: $apply,
            }
        ),* ];
    };
}
pub(crate) use rewrites;

/// A body being rewritten: every change goes through here, so that what it may enable is looked at
/// again.
pub struct Rewriter<'a> {
    pub body: &'a mut Body,
    work: Vec<OpId>,
    queued: Vec<bool>,
    /// Whether the rewrite that is being applied gives wrong values, for a test of the tests.
    pub wrong: bool,
}

impl<'a> Rewriter<'a> {
    /// With all ops of the body to be looked at, in order.
    pub fn new(body: &'a mut Body) -> Rewriter<'a> {
        let mut work = body.walk_all();
        work.reverse();
        let mut queued = vec![false; body.num_ops()];
        for &op in &work {
            queued[op.index()] = true;
        }
        Rewriter { body, work, queued, wrong: false }
    }

    /// The next op to look at.
    pub fn pop(&mut self) -> Option<OpId> {
        while let Some(op) = self.work.pop() {
            self.queued[op.index()] = false;
            if !self.body.is_erased(op) && self.body.op(op).block.is_some() {
                return Some(op);
            }
        }
        None
    }

    /// Has `op` looked at again; with a terminator, the op around it.
    pub fn touch(&mut self, op: OpId) {
        if op.index() >= self.queued.len() {
            self.queued.resize(self.body.num_ops(), false);
        }
        if !std::mem::replace(&mut self.queued[op.index()], true) {
            self.work.push(op);
        }
        if self.body.op(op).def.is_terminator() {
            self.touch_parent(op);
        }
    }

    fn touch_parent(&mut self, op: OpId) {
        if let Some(parent) = self.body.op(op).block.and_then(|b| self.body.parent_op(b)) {
            self.touch(parent);
        }
    }

    /// Has ops from number `first` on looked at: those that a rewrite has made.
    pub fn touch_new(&mut self, first: usize) {
        for op in (first..self.body.num_ops()).rev() {
            self.touch(OpId(op as u32));
        }
    }

    pub fn touch_users(&mut self, value: ValueId) {
        let users: SmallVec<[OpId; 4]> = self.body.uses(value).iter().map(|u| u.op).collect();
        for op in users.into_iter().rev() {
            self.touch(op);
        }
    }

    /// Has the op that computes `value` looked at: it may have lost its last use.
    pub fn touch_def(&mut self, value: ValueId) {
        if let Some(op) = self.body.def_op(value) {
            self.touch(op);
        }
    }

    /// Lets everything that reads `old` read `new`.
    pub fn replace_value(&mut self, old: ValueId, new: ValueId) {
        let new = if self.wrong { self.spoil(new) } else { new };
        self.touch_users(old);
        self.body.replace_uses(old, new);
    }

    /// Another value in the place of `value`: one more, or the other boolean; of an aggregate so in
    /// its first part, of a tangent its opposite, or one in place of zero.
    fn spoil(&mut self, value: ValueId) -> ValueId {
        let ty = self.body.ty(value);
        let Some(block) = self.body.def_block(value) else { return value };
        let before = match self.body.def_op(value) {
            Some(op) => self.body.next_op(op),
            None => self.body.first_op(block),
        };
        let mut b = Builder { body: self.body, block, before, loc: caustic_ir::Loc::unknown() };
        spoiled(&mut b, value, ty)
    }

    /// Puts `values` in the place of the results of `op`, which goes.
    pub fn replace_op(&mut self, op: OpId, values: &[ValueId]) -> bool {
        for (old, &new) in self.body.results(op).to_vec().into_iter().zip(values) {
            self.replace_value(old, new);
        }
        self.erase(op);
        true
    }

    /// Erases an op without uses, with what is nested in it.
    pub fn erase(&mut self, op: OpId) {
        let mut lost: Vec<ValueId> = self.body.operands(op).to_vec();
        for &region in &self.body.op(op).regions {
            for inner in self.body.walk(region) {
                lost.extend(self.body.operands(inner));
            }
        }
        // A region may have become empty.
        self.touch_parent(op);
        self.body.erase_op(op);
        for value in lost {
            self.touch_def(value);
        }
    }

    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        let old = self.body.operand(op, index);
        let value = if self.wrong { self.spoil(value) } else { value };
        self.body.set_operand(op, index, value);
        self.touch_def(old);
    }

    /// A builder in front of `op`, at its location.
    pub fn before(&mut self, op: OpId) -> Builder<'_> {
        let (block, loc) = (self.body.op(op).block, self.body.loc(op));
        // Ops that are looked at stand in a block.
        let block = block.or_else(|| self.body.entry()).unwrap_or(caustic_ir::BlockId(0));
        Builder { body: self.body, block, before: Some(op), loc }
    }

    /// A constant in front of `op`.
    pub fn constant(&mut self, op: OpId, value: Attr) -> Option<ValueId> {
        let ty = arith::attr_type(value)?;
        Some(arith::constant(&mut self.before(op), value, ty))
    }

    /// Moves the ops of region `region` of `op` in front of it, with `args` for the block's
    /// arguments. Gives what the region yields; `op` stays, without that code.
    pub fn inline_region(&mut self, op: OpId, region: usize, args: &[ValueId]) -> Option<Vec<ValueId>> {
        let block = self.body.region_block(op, region)?;
        let home = self.body.op(op).block?;
        let end = self.body.terminator(block)?;
        for (arg, &value) in self.body.args(block).to_vec().into_iter().zip(args) {
            self.replace_value(arg, value);
        }
        for inner in self.body.block_ops(block) {
            if inner != end {
                self.body.move_op(inner, home, Some(op));
                self.touch(inner);
            }
        }
        Some(self.body.operands(end).to_vec())
    }
}

fn spoiled(b: &mut Builder<'_>, value: ValueId, ty: Type) -> ValueId {
    if let Some(primal) = ad::as_tangent(ty) {
        let is_zero = b.body.def_op(value).is_some_and(|op| ad::TZero::is(b.body, op));
        if is_zero && primal.elem().is_float() {
            let one = arith::float(b, 1.0, primal);
            return ad::Wrap::build(b, one, ty, &[]);
        }
        return ad::TNeg::build(b, value, &[]);
    }
    if let Some((primal, differential)) = ad::as_pair(ty).and_then(|p| Some((p, ad::differential_type(p)?))) {
        let (old, rest) =
            (ad::Primal::build(b, value, primal, &[]), ad::Differential::build(b, value, differential, &[]));
        let new = spoiled(b, old, primal);
        return ad::MakePair::build(b, new, rest, ty, &[]);
    }
    if ty.elem().is_float() {
        let one = arith::float(b, 1.0, ty);
        return arith::AddF::build(b, value, one, &[]);
    }
    if ty.is_i1() {
        let one = arith::bool(b, true);
        return arith::XOrI::build(b, value, one, &[]);
    }
    if ty.is_int_or_index() {
        let one = arith::int(b, 1, ty);
        return arith::AddI::build(b, value, one, &[]);
    }
    // Of a tape nobody knows whether it has parts.
    let (None, Some(part)) = (agg::as_tape(ty), agg::part_type(ty, 0)) else { return value };
    let path = [("path", Attr::i64_array(&[0]))];
    let old = agg::Extract::build(b, value, &[], part, &path);
    let new = spoiled(b, old, part);
    agg::Insert::build(b, new, value, &[], &path)
}
