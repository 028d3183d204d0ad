//! How values depend on which thread computes them: the same for all, or by a linear form in the
//! thread's numbers.
//!
//! A form is `sum of steps times numbers, plus a rest in a range`, modulo 2^32. Of two threads
//! whose numbers differ, forms tell that their values do, if every step is larger than all that
//! stands below it can make: [`Form::is_one_to_one`] builds the condition for that, which may
//! depend on the size of the dispatch.

use crate::analysis::ranges::{Range, range_of};
use caustic_dialects::arith::IntPredicate;
use caustic_dialects::simt;
use caustic_dialects::simt::WAVE_SIZE;
use caustic_dialects::{agg, arith, func, gpu, scf};
use caustic_ir::{Attr, Body, Builder, Name, OpId, Type, ValueDef, ValueId};
use rustc_hash::FxHashSet;

/// Ops that are looked through.
const FUEL: usize = 64;

/// A number of the thread, in one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Within the dispatch.
    Global(usize),
    /// Within the group.
    Local(usize),
    /// Of the group.
    Group(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Constant(i64),
    /// A value that is the same in all threads.
    Value(ValueId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    terms: Vec<(Number, Step)>,
    rest: Range,
}

/// What is known of the threads of a kernel.
pub struct Threads<'a> {
    pub body: &'a Body,
    /// Threads in a group, in each dimension.
    pub numthreads: [i64; 3],
    /// Buffers that nobody writes.
    pub constant: &'a dyn Fn(Name) -> bool,
}

fn dimension(attr: Option<Attr>) -> Option<usize> {
    (0..3).find(|&d| attr == Some(gpu::dim_attr(d)))
}

impl Threads<'_> {
    /// Whether all threads of the dispatch, or of the group, that compute the value compute the
    /// same. With `in_step`, in the same iteration of the loops around; else in any.
    pub fn is_uniform(&self, value: ValueId, in_step: bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            if !seen.insert(value) {
                continue;
            }
            if seen.len() > FUEL {
                return false;
            }
            let body = self.body;
            let op = match body.def(value) {
                ValueDef::Result { op, .. } => op,
                ValueDef::Arg { block, index } => {
                    // The counter of a loop that begins alike everywhere; what else a loop carries
                    // is not followed.
                    let counter = body.parent_op(block).filter(|&op| in_step && index == 0 && scf::For::is(body, op));
                    let Some(op) = counter else { return false };
                    let counted = scf::For(op);
                    work.extend([counted.lower(body), counted.step(body)]);
                    continue;
                }
            };
            let data = body.op(op);
            let constant_memory = |buffer: ValueId| {
                let source = body.def_op(buffer).filter(|&op| agg::Global::is(body, op));
                let name = source.and_then(|op| agg::Global(op).name(body));
                name.is_some_and(|name| (self.constant)(name))
            };
            let same = match () {
                _ if gpu::BlockDim::is(body, op) || gpu::GridDim::is(body, op) => true,
                _ if gpu::BlockId::is(body, op) => in_step,
                _ if simt::AggregationOf::is(body, op) || !data.regions.is_empty() || func::Call::is(body, op) => false,
                _ if agg::BufferLoad::is(body, op) => constant_memory(body.operand(op, 0)),
                _ if agg::Global::is(body, op) => true,
                _ => data.def.is_pure() && !simt::is_thread_op(data.def),
            };
            if !same {
                return false;
            }
            work.extend(&data.operands);
        }
        true
    }

    /// Whether the lanes of a wave have values that follow their numbers, so that few of them, if
    /// any, share one: sums, multiples by what is the same for all, and bounds, which only lanes at
    /// an edge meet. A guess, not a proof.
    pub fn follows_lanes(&self, value: ValueId) -> bool {
        let mut threads = 1;
        let follows = self.followed(value, &mut FUEL.clone());
        self.numthreads.into_iter().enumerate().all(|(d, size)| {
            // Lanes are numbered along the first dimension first.
            let differ = size > 1 && threads % i64::from(WAVE_SIZE) != 0;
            threads *= size;
            !differ || follows.is_some_and(|follows| follows[d])
        })
    }

    /// The dimensions whose numbers a value follows; `None` if it depends on the thread in another
    /// way.
    fn followed(&self, value: ValueId, fuel: &mut usize) -> Option<[bool; 3]> {
        if self.is_uniform(value, true) {
            return Some([false; 3]);
        }
        *fuel = fuel.checked_sub(1)?;
        let body = self.body;
        let op = body.def_op(value)?;
        use gpu::IdView as V;
        match V::of(body, op) {
            Some(V::GlobalId(id)) => return dimension(id.dimension(body)).map(|d| std::array::from_fn(|k| k == d)),
            Some(V::ThreadId(id)) => return dimension(id.dimension(body)).map(|d| std::array::from_fn(|k| k == d)),
            Some(_) => return None,
            None => {}
        }
        let bounds = [arith::MaxSI::DEF, arith::MinSI::DEF, arith::MaxUI::DEF, arith::MinUI::DEF];
        match () {
            _ if arith::IndexCast::is(body, op)
                || arith::IndexCastUI::is(body, op)
                || arith::ExtSI::is(body, op)
                || arith::ExtUI::is(body, op)
                || arith::TruncI::is(body, op) =>
            {
                self.followed(body.operand(op, 0), fuel)
            }
            _ if arith::AddI::is(body, op) || arith::SubI::is(body, op) => self.either_followed(op, fuel),
            _ if arith::MulI::is(body, op) || bounds.iter().any(|def| std::ptr::eq(*def, body.op(op).def)) => {
                let same = |n: usize| self.is_uniform(body.operand(op, n), true);
                if same(0) || same(1) { self.either_followed(op, fuel) } else { None }
            }
            _ => None,
        }
    }

    /// The dimensions whose numbers one of two operands follows.
    fn either_followed(&self, op: OpId, fuel: &mut usize) -> Option<[bool; 3]> {
        let a = self.followed(self.body.operand(op, 0), fuel)?;
        let b = self.followed(self.body.operand(op, 1), fuel)?;
        Some(std::array::from_fn(|d| a[d] || b[d]))
    }

    /// The value as a form; `None` if it depends on the thread in another way.
    pub fn form(&self, value: ValueId) -> Option<Form> {
        self.form_within(value, FUEL)
    }

    fn form_within(&self, value: ValueId, fuel: usize) -> Option<Form> {
        let body = self.body;
        let bounded = || {
            let range = range_of(body, value);
            (range.1.checked_sub(range.0)? < 1 << 31).then(|| Form { terms: vec![], rest: range })
        };
        let Some(op) = body.def_op(value) else { return bounded() };
        let fuel = fuel.checked_sub(1)?;
        let operand = |n: usize| self.form_within(body.operand(op, n), fuel / 2);
        let wide = |v: ValueId| body.ty(v).is_scalar() && body.ty(v).scalar_bits().is_none_or(|bits| bits >= 32);
        let number = |of: fn(usize) -> Number, dim: Option<Attr>| {
            let term = (of(dimension(dim)?), Step::Constant(1));
            Some(Form { terms: vec![term], rest: (0, 0) })
        };
        use gpu::IdView as V;
        let id = match V::of(body, op) {
            Some(V::GlobalId(id)) => number(Number::Global, id.dimension(body)),
            Some(V::ThreadId(id)) => number(Number::Local, id.dimension(body)),
            Some(V::BlockId(id)) => number(Number::Group, id.dimension(body)),
            Some(V::BlockDim(_) | V::GridDim(_) | V::SubgroupSize(_) | V::NumSubgroups(_)) => None,
            Some(V::LaneId(_) | V::SubgroupId(_) | V::Printf(_)) | None => None,
        };
        let form = match () {
            _ if id.is_some() => id,
            _ if !wide(value) || !body.operands(op).iter().all(|&v| wide(v)) => None,
            // Modulo 2^32 these change nothing.
            _ if arith::IndexCast::is(body, op)
                || arith::IndexCastUI::is(body, op)
                || arith::ExtSI::is(body, op)
                || arith::ExtUI::is(body, op)
                || arith::TruncI::is(body, op) =>
            {
                operand(0)
            }
            _ if arith::AddI::is(body, op) => operand(0).zip(operand(1)).and_then(|(a, b)| a.plus(b)),
            _ if arith::SubI::is(body, op) => {
                let negative = |b: Form| b.terms.is_empty().then(|| b.rest.1.checked_neg().zip(b.rest.0.checked_neg()));
                let rest = operand(1).and_then(negative).flatten();
                operand(0).zip(rest).and_then(|(a, rest)| a.plus(Form { terms: vec![], rest }))
            }
            _ if arith::MulI::is(body, op) => [0, 1].into_iter().find_map(|n| {
                let factor = body.operand(op, 1 - n);
                operand(n)?.times(self.step(factor)?)
            }),
            _ => None,
        };
        form.or_else(bounded)
    }

    fn step(&self, value: ValueId) -> Option<Step> {
        let body = self.body;
        if let Some(constant) = arith::constant_of(body, value) {
            return constant.as_int().map(Step::Constant);
        }
        // A cast of a number of the dispatch's size is looked through by nobody: what fits 32 bits
        // is taken as it is.
        let narrow = body.ty(value).scalar_bits() == Some(32);
        (narrow && self.is_uniform(value, false)).then_some(Step::Value(value))
    }
}

impl Form {
    fn plus(mut self, other: Form) -> Option<Form> {
        for (number, step) in other.terms {
            match self.terms.iter_mut().find(|(n, _)| *n == number) {
                Some((_, Step::Constant(a))) => match step {
                    Step::Constant(b) => *a = a.checked_add(b)?,
                    Step::Value(_) => return None,
                },
                Some(_) => return None,
                None => self.terms.push((number, step)),
            }
        }
        self.rest = (self.rest.0.checked_add(other.rest.0)?, self.rest.1.checked_add(other.rest.1)?);
        Some(self)
    }

    fn times(mut self, factor: Step) -> Option<Form> {
        match factor {
            Step::Constant(c @ 0..) => {
                for (_, step) in &mut self.terms {
                    let Step::Constant(a) = step else { return None };
                    *a = a.checked_mul(c)?;
                }
                self.rest = (self.rest.0.checked_mul(c)?, self.rest.1.checked_mul(c)?);
                Some(self)
            }
            Step::Value(v) if self.rest == (0, 0) => match &mut self.terms[..] {
                [(_, step @ Step::Constant(1))] => {
                    *step = Step::Value(v);
                    Some(self)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A form whose values include those of both, if they differ in the rest only.
    pub fn joined(mut self, other: &Form) -> Option<Form> {
        let same = self.terms.len() == other.terms.len() && self.terms.iter().all(|t| other.terms.contains(t));
        self.rest = (self.rest.0.min(other.rest.0), self.rest.1.max(other.rest.1));
        same.then_some(self)
    }

    /// A condition, built before `b`'s place, under which no two threads of a dispatch have the
    /// same value; `None` if there is none.
    pub fn is_one_to_one(&self, b: &mut Builder<'_>, numthreads: [i64; 3]) -> Option<ValueId> {
        let mut conditions = Vec::new();
        for (d, &size) in numthreads.iter().enumerate() {
            let has = |n: Number| self.terms.iter().any(|t| t.0 == n);
            match (has(Number::Global(d)), has(Number::Local(d)), has(Number::Group(d))) {
                (true, false, false) | (false, true, true) => {}
                (false, false, true) if size == 1 => {}
                (false, local, false) if local || size == 1 => {
                    let (groups, one) = (grid(b, d), int(b, 1));
                    conditions.push(compare(b, IntPredicate::Eq, groups, one));
                }
                _ => return None,
            }
        }
        let mut terms = self.terms.clone();
        terms.sort_by_key(|&(number, step)| match (step, number) {
            (Step::Constant(c), _) => (0, c),
            (_, Number::Local(d)) => (1, d as i64),
            (_, Number::Global(d) | Number::Group(d)) => (1, d as i64 + 3),
        });
        let largest = int(b, (1 << 31) - 1);
        let one = int(b, 1);
        let mut below = int(b, self.rest.1.checked_sub(self.rest.0)?);
        for (number, step) in terms {
            let count = match number {
                Number::Local(d) => int(b, numthreads[d]),
                Number::Group(d) => grid(b, d),
                Number::Global(d) => {
                    let (groups, size) = (grid(b, d), int(b, numthreads[d]));
                    conditions.push(compare(b, IntPredicate::Sle, groups, largest));
                    arith::MulI::build(b, groups, size, &[])
                }
            };
            let step = match step {
                Step::Constant(c) => int(b, c),
                Step::Value(v) => arith::ExtUI::build(b, v, Type::int(64), &[]),
            };
            conditions.push(compare(b, IntPredicate::Sgt, step, below));
            conditions.push(compare(b, IntPredicate::Sle, count, largest));
            let last = arith::SubI::build(b, count, one, &[]);
            let reach = arith::MulI::build(b, step, last, &[]);
            below = arith::AddI::build(b, below, reach, &[]);
            conditions.push(compare(b, IntPredicate::Sle, below, largest));
        }
        conditions.into_iter().reduce(|a, c| arith::AndI::build(b, a, c, &[])).or_else(|| Some(arith::bool(b, true)))
    }
}

fn int(b: &mut Builder<'_>, value: i64) -> ValueId {
    arith::int(b, value, Type::int(64))
}

/// Groups of the dispatch in a dimension.
fn grid(b: &mut Builder<'_>, dim: usize) -> ValueId {
    let groups = gpu::build_id(b, gpu::GridDim::DEF, dim);
    arith::IndexCast::build(b, groups, Type::int(64), &[])
}

fn compare(b: &mut Builder<'_>, predicate: IntPredicate, x: ValueId, y: ValueId) -> ValueId {
    arith::cmpi(b, predicate, x, y)
}
