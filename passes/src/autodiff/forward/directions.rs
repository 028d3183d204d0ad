//! The directions of a loop: the scalars with a derivative that go into it, and what each of them
//! reaches.

use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::agg;
use caustic_ir::{Body, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// One scalar of what goes into the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Direction {
    /// A tangent from outside of the loop.
    pub source: ValueId,
    /// Which of its scalars.
    pub path: Vec<i64>,
}

/// All directions of a loop.
pub struct Directions {
    all: Vec<Direction>,
    /// By direction: the tangents of the loop and its regions that depend on it.
    reached: Vec<FxHashSet<ValueId>>,
    /// Tangents that are parts of a source which the loop reads no other way: what they are a part
    /// of, and where.
    pub parts: FxHashMap<ValueId, (ValueId, Vec<i64>)>,
}

/// The paths to the scalars of a type, if there are few. Flags are none.
fn leaves(ty: Type, limit: usize) -> Option<Vec<Vec<i64>>> {
    let mut out = Vec::new();
    let mut stack = vec![(ty, Vec::new())];
    while let Some((ty, path)) = stack.pop() {
        if ty == Type::i1() {
            continue;
        }
        if ty.is_scalar() {
            out.push(path);
        } else {
            for i in (0..agg::num_parts(ty) as i64).rev() {
                let mut inner: Vec<i64> = path.clone();
                inner.push(i);
                stack.push((agg::part_type(ty, i)?, inner));
            }
        }
        if out.len() + stack.len() > limit || agg::as_tape(ty).is_some() {
            return None;
        }
    }
    Some(out)
}

fn is_zero(body: &Body, value: ValueId) -> bool {
    body.def_op(value).is_some_and(|op| ad::TZero::is(body, op))
}

/// More scalars than this in one input are not taken apart.
const MOST_SCALARS: usize = 16;

impl Directions {
    pub fn of(body: &Body, op: OpId) -> Option<Directions> {
        let data = body.op(op);
        let inner: Vec<OpId> = data.regions.iter().flat_map(|&r| body.walk(r)).collect();
        let mut blocks: FxHashSet<caustic_ir::BlockId> = FxHashSet::default();
        for &o in inner.iter().chain([&op]) {
            blocks.extend(body.op(o).regions.iter().flat_map(|&r| body.region(r).blocks.iter().copied()));
        }
        let outside = |v: ValueId| is_tangent(body.ty(v)) && body.def_block(v).is_none_or(|b| !blocks.contains(&b));
        let mut sources: Vec<ValueId> = Vec::new();
        // Sources that are read as a whole, not only by known parts.
        let mut whole: FxHashSet<ValueId> = FxHashSet::default();
        let mut parts: FxHashMap<ValueId, (ValueId, Vec<i64>)> = FxHashMap::default();
        let mut add = |v: ValueId| {
            if !sources.contains(&v) {
                sources.push(v);
            }
        };
        for &v in data.operands.iter().filter(|&&v| outside(v) && !is_zero(body, v)) {
            add(v);
            whole.insert(v);
        }
        for &o in &inner {
            let path = part_path(body, o);
            for (i, &v) in body.operands(o).iter().enumerate() {
                if !outside(v) || is_zero(body, v) {
                    continue;
                }
                add(v);
                match &path {
                    Some(path) if i == 0 => {
                        parts.insert(body.result(o, 0), (v, path.clone()));
                    }
                    _ => {
                        whole.insert(v);
                    }
                }
            }
        }
        parts.retain(|_, (source, _)| !whole.contains(source));
        let mut all: Vec<Direction> = Vec::new();
        for source in sources {
            let ty = strip_tangent(body.ty(source));
            let mut add = |path: Vec<i64>| {
                let direction = Direction { source, path };
                if !all.contains(&direction) {
                    all.push(direction);
                }
            };
            if whole.contains(&source) {
                leaves(ty, MOST_SCALARS)?.into_iter().for_each(&mut add);
                continue;
            }
            let mut read: Vec<(ValueId, &Vec<i64>)> =
                parts.iter().filter(|(_, (s, _))| *s == source).map(|(&v, (_, p))| (v, p)).collect();
            read.sort();
            for (_, path) in read {
                for leaf in leaves(agg::type_at_path(ty, path)?, MOST_SCALARS)? {
                    add(path.iter().copied().chain(leaf).collect());
                }
            }
        }
        let mut found = Directions { all, reached: Vec::new(), parts };
        found.reached = (0..found.all.len()).map(|d| found.reach(body, op, &inner, d)).collect();
        Some(found)
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }
    pub fn all(&self) -> &[Direction] {
        &self.all
    }
    pub fn reaches(&self, direction: usize, value: ValueId) -> bool {
        self.reached[direction].contains(&value)
    }
    /// How many directions an op's results depend on.
    pub fn reaching(&self, body: &Body, op: OpId) -> usize {
        let results = body.results(op);
        (0..self.all.len()).filter(|&d| results.iter().any(|r| self.reaches(d, *r))).count()
    }

    /// Where a tangent is the direction's own scalar: the path of that within the tangent. `None`
    /// if it is not part of it.
    pub fn seed(&self, direction: usize, value: ValueId) -> Option<&[i64]> {
        let Direction { source, path } = &self.all[direction];
        if *source == value {
            return Some(path);
        }
        let (whole, at) = self.parts.get(&value)?;
        path.strip_prefix(&at[..]).filter(|_| whole == source)
    }

    /// The tangents that are the direction's own scalar.
    pub fn scalars(&self, direction: usize) -> Vec<ValueId> {
        let all = self.parts.keys().copied().chain([self.all[direction].source]);
        all.filter(|&v| self.seed(direction, v).is_some_and(|path| path.is_empty())).collect()
    }

    /// Scalars in the results that somebody uses, for each direction that reaches them.
    pub fn entries(&self, body: &Body, op: OpId) -> u64 {
        let used = body.results(op).iter().filter(|&&r| is_tangent(body.ty(r)) && !body.is_unused(r));
        used.map(|&r| {
            let scalars = leaves(strip_tangent(body.ty(r)), 64).map_or(1 << 20, |l| l.len() as u64);
            scalars * (0..self.all.len()).filter(|&d| self.reaches(d, r)).count() as u64
        })
        .fold(0, u64::saturating_add)
    }

    fn reach(&self, body: &Body, op: OpId, inner: &[OpId], direction: usize) -> FxHashSet<ValueId> {
        let source = self.all[direction].source;
        let mut reached: FxHashSet<ValueId> = FxHashSet::default();
        if !self.parts.values().any(|(s, _)| *s == source) {
            reached.insert(source);
        }
        reached.extend(self.parts.keys().filter(|&&v| self.seed(direction, v).is_some()));
        loop {
            let before = reached.len();
            for &o in inner.iter().chain([&op]) {
                self.step(body, o, &mut reached);
            }
            if reached.len() == before {
                return reached;
            }
        }
    }

    fn step(&self, body: &Body, op: OpId, reached: &mut FxHashSet<ValueId>) {
        let data = body.op(op);
        let tangents = |vs: &[ValueId]| vs.iter().copied().filter(|&v| is_tangent(body.ty(v))).collect::<Vec<_>>();
        if data.regions.is_empty() {
            // Parts of sources are where directions begin.
            let begins = data.results.first().is_some_and(|r| self.parts.contains_key(r));
            if !begins && data.operands.iter().any(|v| reached.contains(v)) {
                reached.extend(tangents(&data.results));
            }
            return;
        }
        let results = tangents(&data.results);
        let carries = crate::analysis::costs::is_loop(body, op);
        let inits = if carries { tangents(&data.operands) } else { Vec::new() };
        for (i, &r) in results.iter().enumerate() {
            let mut slots = vec![r];
            let mut from = inits.get(i).is_some_and(|v| reached.contains(v));
            for k in 0..data.regions.len() {
                let Some(block) = body.region_block(op, k) else { continue };
                if carries {
                    slots.extend(tangents(body.args(block)).get(i));
                }
                let ends = body.terminator(block).map(|t| tangents(body.operands(t))).unwrap_or_default();
                from |= ends.get(i).is_some_and(|v| reached.contains(v));
            }
            if from || slots.iter().any(|v| reached.contains(v)) {
                reached.extend(slots);
            }
        }
    }
}

/// The path of an op that reads a known part of a tangent.
fn part_path(body: &Body, op: OpId) -> Option<Vec<i64>> {
    let path = ad::TExtract::cast(body, op)?.path(body)?;
    let known = body.operands(op).len() == 1 && path.iter().all(|&s| s >= 0);
    known.then_some(path)
}
