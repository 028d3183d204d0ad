//! Chooses a node for each class so that what the roots need costs least, where shared nodes count
//! once.
//!
//! The start is the better of two choices: the code as it was, and the cheapest by sums over cost
//! sets (greedy over the DAG). From there single choices are changed as long as one gains, each
//! tried by what it adds and removes with all that only it needs; then those together that could
//! read the same ([`share`]). The number of steps is limited;
//! nothing depends on time or on addresses.
//!
//! Invariants: the choice has no cycle; it costs no more than the code as it was, or that is what
//! is chosen.
//!
//! This file knows no ops and no graph library: a [`Problem`] is numbers, so that it can be tested
//! against all choices.

mod share;

use smallvec::SmallVec;

/// A node that a class may be.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub children: SmallVec<[u32; 3]>,
    /// Cost of one execution.
    pub cost: u32,
    /// A part that nodes with the same number share, and what it costs.
    pub set_up: Option<(u32, u32)>,
    /// Bound of its rounding errors, for choices that cost the same.
    pub error: f32,
    /// Bound of what it is off from what the class stands for.
    pub bound: u32,
    /// How the class was computed before.
    pub original: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub classes: Vec<Vec<Candidate>>,
    /// How often what is computed for the class runs.
    pub runs: Vec<u64>,
    pub roots: Vec<u32>,
    /// How many set-ups there are.
    pub set_ups: usize,
    /// The most that all bounds together may be, if they may not be anything.
    pub cap: Option<u32>,
}

/// The candidate of each class; `None` for classes that cannot be computed.
pub type Choice = Vec<Option<u32>>;

/// What a choice costs: what its bounds are too large, then work, ops, errors, changes.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Cost {
    /// By how much the bounds exceed the cap.
    pub excess: u64,
    pub work: u64,
    /// Nodes that cost something.
    pub ops: u32,
    pub error: f32,
    pub changes: u32,
    /// All bounds together.
    pub bound: u64,
}

const NOTHING: Cost = Cost { excess: 0, work: 0, ops: 0, error: 0.0, changes: 0, bound: 0 };

/// The cheapest choice that was found, and its cost.
pub fn extract(problem: &Problem, steps: u64) -> Option<(Choice, Cost)> {
    let mut before = originals(problem);
    // What was found equal may have left a class its original nowhere where it can be computed, or
    // two classes each other's.
    if Used::new(problem, before.clone()).is_none() {
        before = constructed(problem);
    }
    let mut best = Used::new(problem, before.clone()).map(|used| (used.choice, used.cost));
    let greedy = greedy(problem);
    let mut steps = steps;
    // Parts that others compute in any case cost nothing, which the greedy choice does not see: it
    // takes each class by itself.
    let free = merged(&free(problem), &greedy);
    let mut starts = vec![merged(&greedy, &before), merged(&before, &greedy)];
    starts.push(merged(&free, &before));
    starts.dedup();
    for start in starts {
        let Some(mut used) = Used::new(problem, start) else { continue };
        used.climb(&mut steps);
        if best.as_ref().is_none_or(|b| used.cost < b.1) {
            best = Some((used.choice, used.cost));
        }
    }
    let (choice, cost) = best?;
    let Some(mut used) = Used::new(problem, choice.clone()) else { return Some((choice, cost)) };
    for _ in 0..TOGETHER {
        if !used.share(&mut steps) {
            break;
        }
        used.climb(&mut steps);
    }
    Some(if used.cost < cost { (used.choice, used.cost) } else { (choice, cost) })
}

/// How often choices are changed together.
const TOGETHER: usize = 4;

/// `first`, and where that says nothing `second`.
fn merged(first: &Choice, second: &Choice) -> Choice {
    first.iter().zip(second).map(|(a, b)| a.or(*b)).collect()
}

fn originals(problem: &Problem) -> Choice {
    problem.classes.iter().map(|c| c.iter().position(|n| n.original).map(|n| n as u32)).collect()
}

/// The originals that cost nothing.
fn free(problem: &Problem) -> Choice {
    let is_free = |n: &Candidate| n.original && n.cost == 0 && n.set_up.is_none();
    problem.classes.iter().map(|c| c.iter().position(is_free).map(|n| n as u32)).collect()
}

/// A choice without a cycle of all that can be computed: originals as far as they go.
fn constructed(problem: &Problem) -> Choice {
    let n = problem.classes.len();
    let mut choice: Choice = vec![None; n];
    let mut readers: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
    let mut missing: Vec<Vec<usize>> = Vec::with_capacity(n);
    // Candidates of which all children are there.
    let (mut before, mut others) = (Vec::new(), std::collections::VecDeque::new());
    for (c, nodes) in problem.classes.iter().enumerate() {
        for (k, node) in nodes.iter().enumerate() {
            let at = (c as u32, k as u32);
            node.children.iter().for_each(|&child| readers[child as usize].push(at));
            match (node.children.is_empty(), node.original) {
                (true, true) => before.push(at),
                (true, false) => others.push_back(at),
                _ => {}
            }
        }
        missing.push(nodes.iter().map(|node| node.children.len()).collect());
    }
    while let Some((c, k)) = before.pop().or_else(|| others.pop_front()) {
        if choice[c as usize].is_some() {
            continue;
        }
        choice[c as usize] = Some(k);
        for &at in &readers[c as usize] {
            let left = &mut missing[at.0 as usize][at.1 as usize];
            *left -= 1;
            match (*left, problem.classes[at.0 as usize][at.1 as usize].original) {
                (0, true) => before.push(at),
                (0, false) => others.push_back(at),
                _ => {}
            }
        }
    }
    choice
}

/// More than any sum of costs that is told apart from another.
const LARGE: u64 = 1 << 62;

/// For each class the node whose set of classes below costs least; every set counts each class
/// once.
fn greedy(problem: &Problem) -> Choice {
    let n = problem.classes.len();
    let mut choice: Choice = vec![None; n];
    let mut costs = vec![u64::MAX; n];
    let exact = n <= 3000;
    let mut sets: Vec<Option<Set>> = vec![None; if exact { n } else { 0 }];
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (c, nodes) in problem.classes.iter().enumerate() {
        for node in nodes {
            for &child in &node.children {
                readers[child as usize].push(c as u32);
            }
        }
    }
    for r in &mut readers {
        r.sort_unstable();
        r.dedup();
    }
    let mut queue: std::collections::VecDeque<u32> = (0..n as u32).collect();
    let mut queued = vec![true; n];
    // What the chosen node of each class costs by itself.
    let mut own = vec![0u64; n];
    let mut union = Set(vec![0; if exact { n.div_ceil(64) } else { 0 }]);
    let mut fuel = 40 * n + 1000;
    while let Some(c) = queue.pop_front() {
        queued[c as usize] = false;
        if fuel == 0 {
            break;
        }
        fuel -= 1;
        let mut improved = false;
        for (k, node) in problem.classes[c as usize].iter().enumerate() {
            if node.children.iter().any(|&x| costs[x as usize] == u64::MAX || x == c) {
                continue;
            }
            let alone = u64::from(node.cost + node.set_up.map_or(0, |s| s.1)) * problem.runs[c as usize];
            let most = node.children.iter().map(|&x| costs[x as usize]).max().unwrap_or(0);
            // What costs no less than a child cannot gain where that costs as much already.
            if most.saturating_add(alone) >= costs[c as usize] {
                continue;
            }
            let total = if exact {
                if !union.becomes(node, &sets) || union.has(c) {
                    continue;
                }
                let total = alone.saturating_add(union.cost(&own));
                if total < costs[c as usize] {
                    sets[c as usize] = Some(union.with(c));
                }
                total
            } else {
                node.children.iter().fold(alone, |sum, &x| sum.saturating_add(costs[x as usize]))
            };
            // A node must cost something, or two classes could each be the other. Sums over trees
            // double with each level; a class that costs as much as it gets is none that has no
            // node.
            let total = total.min(LARGE).max(1 + most);
            if total < costs[c as usize] {
                costs[c as usize] = total;
                choice[c as usize] = Some(k as u32);
                own[c as usize] = alone;
                improved = true;
            }
        }
        if improved {
            for &r in &readers[c as usize] {
                if !std::mem::replace(&mut queued[r as usize], true) {
                    queue.push_back(r);
                }
            }
        }
    }
    choice
}

/// A set of classes.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    /// Becomes all that a node needs; whether it is known.
    fn becomes(&mut self, node: &Candidate, sets: &[Option<Set>]) -> bool {
        self.0.fill(0);
        for &child in &node.children {
            let Some(set) = sets[child as usize].as_ref() else { return false };
            for (o, s) in self.0.iter_mut().zip(&set.0) {
                *o |= s;
            }
        }
        true
    }
    fn has(&self, c: u32) -> bool {
        self.0[c as usize / 64] >> (c % 64) & 1 == 1
    }
    fn with(&self, c: u32) -> Set {
        let mut out = self.clone();
        out.0[c as usize / 64] |= 1 << (c % 64);
        out
    }
    fn cost(&self, own: &[u64]) -> u64 {
        let mut sum = 0u64;
        for (w, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                sum = sum.saturating_add(own[w * 64 + rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
        sum
    }
}

/// A choice with how often each class is read by what is used.
#[derive(Clone)]
struct Used<'a> {
    problem: &'a Problem,
    choice: Choice,
    reads: Vec<u32>,
    /// How many used nodes need a set-up, and in what runs most.
    set_ups: Vec<SmallVec<[(u64, u32); 2]>>,
    cost: Cost,
    /// Which classes a search has met: twice its number where it has begun, and one more where it
    /// has ended.
    met: Vec<u64>,
    searches: u64,
    /// Where used classes stand in an order of children first, which holds for all edges between
    /// them; 0 for what was not used when it was made.
    ranks: Vec<u32>,
}

impl<'a> Used<'a> {
    /// `None` if a root cannot be computed, or a choice has a cycle.
    fn new(problem: &'a Problem, choice: Choice) -> Option<Used<'a>> {
        let n = problem.classes.len();
        let mut used = Used {
            problem,
            choice,
            reads: vec![0; n],
            set_ups: vec![SmallVec::new(); problem.set_ups],
            cost: NOTHING,
            met: vec![0; n],
            searches: 0,
            ranks: Vec::new(),
        };
        used.order()?;
        for &root in &problem.roots {
            used.add(root);
        }
        Some(used)
    }

    fn node(&self, c: u32) -> Option<&'a Candidate> {
        self.choice[c as usize].and_then(|k| self.problem.classes[c as usize].get(k as usize))
    }

    /// The used classes, children first; `None` where there is a cycle or a class without a node.
    fn order(&self) -> Option<Vec<u32>> {
        let mut state = vec![0u8; self.problem.classes.len()];
        let mut out = Vec::new();
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for &root in &self.problem.roots {
            if state[root as usize] == 0 {
                state[root as usize] = 1;
                stack.push((root, 0));
            }
            while let Some(&(c, at)) = stack.last() {
                let node = self.node(c)?;
                match node.children.get(at) {
                    Some(&child) => {
                        if let Some(top) = stack.last_mut() {
                            top.1 += 1;
                        }
                        match state[child as usize] {
                            0 => {
                                state[child as usize] = 1;
                                stack.push((child, 0));
                            }
                            1 => return None,
                            _ => {}
                        }
                    }
                    None => {
                        state[c as usize] = 2;
                        out.push(c);
                        stack.pop();
                    }
                }
            }
        }
        Some(out)
    }

    /// One more reader of a class, and of what it needs if it is the first.
    fn add(&mut self, c: u32) {
        let mut pending = vec![c];
        while let Some(c) = pending.pop() {
            self.reads[c as usize] += 1;
            if self.reads[c as usize] == 1
                && let Some(node) = self.node(c)
            {
                self.count(c, node, true);
                pending.extend(&node.children);
            }
        }
    }

    /// One reader less.
    fn remove(&mut self, c: u32) {
        let mut pending = vec![c];
        while let Some(c) = pending.pop() {
            self.reads[c as usize] -= 1;
            if self.reads[c as usize] == 0
                && let Some(node) = self.node(c)
            {
                self.count(c, node, false);
                pending.extend(&node.children);
            }
        }
    }

    fn count(&mut self, c: u32, node: &Candidate, comes: bool) {
        let runs = self.problem.runs[c as usize];
        let own = u64::from(node.cost) * runs;
        let changes = u32::from(!node.original);
        let mut shared = (0u64, 0u64);
        if let Some((key, cost)) = node.set_up {
            let users = &mut self.set_ups[key as usize];
            shared.0 = users.iter().map(|u| u.0).max().unwrap_or(0) * u64::from(cost);
            match users.iter_mut().position(|u| u.0 == runs) {
                Some(at) if comes => users[at].1 += 1,
                Some(at) => {
                    users[at].1 -= 1;
                    if users[at].1 == 0 {
                        users.swap_remove(at);
                    }
                }
                None => users.push((runs, 1)),
            }
            shared.1 = users.iter().map(|u| u.0).max().unwrap_or(0) * u64::from(cost);
        }
        self.cost.work = self.cost.work.wrapping_add(shared.1).wrapping_sub(shared.0);
        if comes {
            self.cost.work = self.cost.work.wrapping_add(own);
            self.cost.ops += u32::from(node.cost > 0);
            self.cost.error += node.error;
            self.cost.changes += changes;
            self.cost.bound += u64::from(node.bound);
        } else {
            self.cost.work = self.cost.work.wrapping_sub(own);
            self.cost.ops -= u32::from(node.cost > 0);
            self.cost.error -= node.error;
            self.cost.changes -= changes;
            self.cost.bound -= u64::from(node.bound);
        }
        if let Some(cap) = self.problem.cap {
            self.cost.excess = self.cost.bound.saturating_sub(u64::from(cap));
        }
    }

    /// Takes another node for a used class.
    fn switch(&mut self, c: u32, k: u32) {
        let Some(old) = self.node(c) else { return };
        let Some(new) = self.problem.classes[c as usize].get(k as usize) else { return };
        for &child in &new.children {
            self.add(child);
        }
        self.count(c, old, false);
        self.choice[c as usize] = Some(k);
        self.count(c, new, true);
        for &child in &old.children {
            self.remove(child);
        }
    }

    /// Numbers the used classes, children first.
    fn rank(&mut self, order: &[u32]) {
        self.ranks.clear();
        self.ranks.resize(self.problem.classes.len(), 0);
        for (rank, &c) in (1..).zip(order) {
            self.ranks[c as usize] = rank;
        }
    }

    /// Whether a class stands before the one with this rank: nothing that it needs leads there.
    fn is_before(&self, class: u32, rank: u32) -> bool {
        (1..rank).contains(&self.ranks[class as usize])
    }

    /// Whether what `node` needs leads back to `c` or into a cycle, or cannot be computed.
    fn leads_back(&mut self, c: u32, node: &Candidate, steps: &mut u64) -> bool {
        self.searches += 1;
        let rank = self.ranks[c as usize];
        let (begun, ended) = (2 * self.searches, 2 * self.searches + 1);
        let mut stack: SmallVec<[(u32, usize); 32]> = SmallVec::new();
        for &child in &node.children {
            if child == c {
                return true;
            }
            if self.met[child as usize] < begun && !self.is_before(child, rank) {
                self.met[child as usize] = begun;
                stack.push((child, 0));
            }
            while let Some(&(at, n)) = stack.last() {
                *steps = steps.saturating_sub(1);
                if *steps == 0 {
                    return true;
                }
                let Some(here) = self.node(at) else { return true };
                match here.children.get(n) {
                    Some(&next) => {
                        if let Some(top) = stack.last_mut() {
                            top.1 += 1;
                        }
                        if next == c {
                            return true;
                        }
                        match self.met[next as usize] {
                            met if met == begun => return true,
                            met if met == ended => {}
                            _ if self.is_before(next, rank) => {}
                            _ => {
                                self.met[next as usize] = begun;
                                stack.push((next, 0));
                            }
                        }
                    }
                    None => {
                        self.met[at as usize] = ended;
                        stack.pop();
                    }
                }
            }
        }
        false
    }

    /// Changes single choices while that gains.
    fn climb(&mut self, steps: &mut u64) {
        loop {
            let Some(order) = self.order() else { return };
            self.rank(&order);
            let mut gained = false;
            for &c in order.iter().rev() {
                let nodes = self.problem.classes[c as usize].len();
                if nodes < 2 {
                    continue;
                }
                let mut alone = None;
                for k in 0..nodes as u32 {
                    if *steps == 0 {
                        return;
                    }
                    *steps -= 1;
                    let old = self.choice[c as usize];
                    if old == Some(k) || self.reads[c as usize] == 0 {
                        continue;
                    }
                    let (Some(old), Some(node)) = (old, self.problem.classes[c as usize].get(k as usize)) else {
                        continue;
                    };
                    let own = self.node(c).map_or(0, |n| n.cost + n.set_up.map_or(0, |s| s.1));
                    // What only moves work to what is not used yet can gain no more than the node
                    // itself and what it alone needs.
                    let is_dear = node.cost > own
                        && node.cost > own.saturating_add(*alone.get_or_insert_with(|| self.alone(c, 64)))
                        && self.cost.excess == 0;
                    if is_dear || self.leads_back(c, node, steps) {
                        continue;
                    }
                    let before = self.cost;
                    self.switch(c, k);
                    let is_less = self.cost < before;
                    if is_less || (self.cost.excess > 0 && self.repair(c, before, steps)) {
                        (gained, alone) = (true, None);
                        // Ranks stay right where nothing is used that has none.
                        let rank = self.ranks[c as usize];
                        if !is_less || !node.children.iter().all(|&child| self.is_before(child, rank)) {
                            let Some(order) = self.order() else { return };
                            self.rank(&order);
                        }
                    } else {
                        self.switch(c, old);
                        self.cost = before;
                    }
                }
            }
            if !gained {
                return;
            }
        }
    }

    /// After a change of `c` that exceeds the cap, takes back other nodes that are off, those first
    /// that cost least to take back. Whether the cost is less than `before` then; if not, all is as
    /// it was.
    fn repair(&mut self, c: u32, before: Cost, steps: &mut u64) -> bool {
        let mut tried = self.clone();
        let Some(order) = self.order() else { return false };
        tried.rank(&order);
        while tried.cost.excess > 0 && tried.cost.work < before.work {
            let mut best: Option<(Cost, u32, u32)> = None;
            for &other in &order {
                let (Some(now), Some(old)) = (tried.node(other), tried.choice[other as usize]) else { continue };
                if now.bound == 0 || other == c || tried.reads[other as usize] == 0 {
                    continue;
                }
                for (k, node) in self.problem.classes[other as usize].iter().enumerate() {
                    *steps = steps.saturating_sub(1);
                    if node.bound >= now.bound || *steps == 0 || tried.leads_back(other, node, steps) {
                        continue;
                    }
                    let here = tried.cost;
                    tried.switch(other, k as u32);
                    let then = tried.cost;
                    tried.switch(other, old);
                    tried.cost = here;
                    if then.excess < here.excess && best.is_none_or(|b| then.work < b.0.work) {
                        best = Some((then, other, k as u32));
                    }
                }
            }
            let Some((_, other, k)) = best else { return false };
            tried.switch(other, k);
            let Some(order) = tried.order() else { return false };
            tried.rank(&order);
        }
        let gains = tried.cost < before;
        if gains {
            *self = tried;
        }
        gains
    }

    /// An upper bound of what goes if a class is computed otherwise: its children that nobody else
    /// reads, and theirs.
    fn alone(&self, c: u32, mut most: u32) -> u32 {
        let mut sum = 0u32;
        let mut pending: SmallVec<[u32; 16]> = SmallVec::new();
        pending.push(c);
        while let Some(at) = pending.pop() {
            let Some(node) = self.node(at) else { continue };
            for &child in &node.children {
                if self.reads[child as usize] <= 2 && most > 0 {
                    most -= 1;
                    sum = sum.saturating_add(self.node(child).map_or(0, |n| n.cost + n.set_up.map_or(0, |s| s.1)));
                    pending.push(child);
                }
            }
        }
        sum
    }
}

/// The classes that a choice uses, children first.
pub fn order(problem: &Problem, choice: &Choice) -> Option<Vec<u32>> {
    let used = Used {
        problem,
        choice: choice.clone(),
        reads: Vec::new(),
        set_ups: Vec::new(),
        cost: NOTHING,
        met: Vec::new(),
        searches: 0,
        ranks: Vec::new(),
    };
    used.order()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);
    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }
    }

    fn drawn(seed: u64) -> Problem {
        let mut r = Random(seed);
        let n = 3 + r.below(8) as usize;
        let mut problem = Problem { set_ups: 2, ..Problem::default() };
        for c in 0..n {
            let mut nodes = Vec::new();
            for k in 0..1 + r.below(3) {
                // The first node reads classes before it only, as code does.
                let most = if k == 0 { c as u64 } else { n as u64 };
                let children = (0..r.below(3)).filter(|_| most > 0).map(|_| r.below(most.max(1)) as u32).collect();
                let set_up = (r.below(4) == 0).then(|| (r.below(2) as u32, 3));
                nodes.push(Candidate {
                    children,
                    cost: r.below(6) as u32,
                    set_up,
                    error: 0.0,
                    bound: 0,
                    original: k == 0,
                });
            }
            problem.classes.push(nodes);
            problem.runs.push(1 + r.below(3));
        }
        problem.roots = vec![n as u32 - 1, r.below(n as u64) as u32];
        problem
    }

    fn all(problem: &Problem) -> u64 {
        let n = problem.classes.len();
        let mut choice: Vec<u32> = vec![0; n];
        let mut best = u64::MAX;
        loop {
            if let Some(used) = Used::new(problem, choice.iter().map(|&k| Some(k)).collect()) {
                best = best.min(used.cost.work);
            }
            let mut at = 0;
            while at < n {
                choice[at] += 1;
                if (choice[at] as usize) < problem.classes[at].len() {
                    break;
                }
                choice[at] = 0;
                at += 1;
            }
            if at == n {
                return best;
            }
        }
    }

    /// Where originals are in a circle, and where costs of trees leave the range of numbers, there
    /// is a choice as long as one exists.
    #[test]
    fn always_a_choice() {
        let node = |children: &[u32], original| Candidate {
            children: children.iter().copied().collect(),
            cost: 1,
            set_up: None,
            error: 0.0,
            bound: 0,
            original,
        };
        for n in [4u32, 4000] {
            let mut problem = Problem::default();
            // 0 and 1 were each other; then each class reads the one before it twice.
            problem.classes.push(vec![node(&[1], true), node(&[], false)]);
            problem.classes.push(vec![node(&[0], true)]);
            problem.classes.extend((2..n).map(|c| vec![node(&[c - 1, c - 1], true)]));
            problem.runs = vec![1; n as usize];
            problem.roots = vec![n - 1];
            let (choice, cost) = extract(&problem, 100_000).expect("no choice");
            assert_eq!((choice[0], cost.work), (Some(1), u64::from(n)));
        }
    }

    /// Of what costs the same, the one with fewer rounding errors; of what is off, no more than is
    /// allowed, and the best of that.
    #[test]
    fn errors_and_bounds() {
        let node = |cost, error, bound| Candidate {
            children: SmallVec::new(),
            cost,
            set_up: None,
            error,
            bound,
            original: bound == 0 && error == 1.0,
        };
        let class = |nodes: &[Candidate]| nodes.to_vec();
        let mut problem = Problem { runs: vec![1; 3], roots: vec![0, 1, 2], ..Problem::default() };
        problem.classes.push(class(&[node(5, 1.0, 0), node(5, 0.5, 0)]));
        problem.classes.push(class(&[node(5, 1.0, 0), node(4, 0.5, 1)]));
        problem.classes.push(class(&[node(9, 1.0, 0), node(6, 0.5, 2)]));
        let chosen = |cap| {
            let problem = Problem { cap, ..problem.clone() };
            let (choice, cost) = extract(&problem, 100_000).expect("no choice");
            (choice.into_iter().map(Option::unwrap).collect::<Vec<u32>>(), cost.work, cost.bound)
        };
        assert_eq!(chosen(None), (vec![1, 1, 1], 15, 3));
        assert_eq!(chosen(Some(3)), (vec![1, 1, 1], 15, 3));
        assert_eq!(chosen(Some(2)), (vec![1, 0, 1], 16, 2));
        assert_eq!(chosen(Some(1)), (vec![1, 1, 0], 18, 1));
        assert_eq!(chosen(Some(0)), (vec![1, 0, 0], 19, 0));
    }

    /// Never a cycle, never more than the code as it was, and hardly ever more than the best of all
    /// choices.
    #[test]
    fn choices_against_all_choices() {
        let (mut exact, mut total) = (0, 0);
        for seed in 0..3000 {
            let problem = drawn(seed);
            let before = Used::new(&problem, originals(&problem)).expect("a cycle").cost;
            let Some((choice, cost)) = extract(&problem, 100_000) else { panic!("seed {seed}: no choice") };
            let again = Used::new(&problem, choice).expect("a cycle");
            assert_eq!(again.cost.work, cost.work, "seed {seed}: the cost is not that of the choice");
            assert!(cost.work <= before.work, "seed {seed}: worse than before");
            let best = all(&problem);
            assert!(best <= cost.work, "seed {seed}: below the best");
            total += 1;
            exact += u32::from(best == cost.work);
        }
        assert!(exact * 100 >= total * 97, "only {exact} of {total} are the best");
    }
}
