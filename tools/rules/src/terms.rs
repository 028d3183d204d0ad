//! Terms from small to large, told apart by their values on a list of inputs.
//!
//! Of all terms with the same values (the same *characteristic vector*) one is kept, the least in
//! an order of terms ([`Key`]); larger terms are made of kept ones only. What is equal to a kept
//! one is a candidate. Terms that an equality which is known makes smaller are not looked at: what
//! they equal follows.
//!
//! Must not know: rows, and what becomes of candidates.

use crate::ops::{Instance, Sort, Symbol, Widths};
use crate::reduce::Reducer;
use caustic_ir::eval::Val;
use caustic_passes::rows::{NodeTerm, Term};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::Hasher;

pub type Args = SmallVec<[u32; 3]>;

/// Orders terms: fewer ops first, then cheaper ones, then any way that is the same in every run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    pub size: u32,
    pub cost: u32,
    /// Symbols and leaves in the order of the text.
    pub tokens: SmallVec<[u16; 8]>,
}

/// An op on kept terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raw {
    pub symbol: u16,
    pub args: Args,
}

/// A kept term.
pub struct Node {
    /// `None` for a leaf.
    pub raw: Option<Raw>,
    pub sort: Sort,
    pub key: Key,
    /// Of the sort's narrow type; empty where nobody will ask.
    pub values: Box<[f32]>,
    pub is_constant: bool,
}

/// The terms of a course.
pub struct Terms {
    pub symbols: Vec<Symbol>,
    instances: Vec<Instance>,
    costs: Vec<u32>,
    pub nodes: Vec<Node>,
    /// The first nodes.
    pub leaves: Vec<Term>,
    /// Kept terms by their size, each list in the order of keys.
    pub levels: Vec<Vec<u32>>,
    classes: FxHashMap<(Sort, u64, u64), u32>,
    /// The values of the variables, by input.
    pub inputs: Vec<Vec<Val>>,
    /// How many terms were evaluated.
    pub evaluated: usize,
}

/// What making a level came to.
pub struct Level {
    /// Terms that equal a kept one.
    pub candidates: Vec<(Raw, u32)>,
    /// Whether there was room for all of it.
    pub is_whole: bool,
}

impl Terms {
    /// The leaves: variables of these sorts, and constants. `inputs` are values of the variables in
    /// their narrow types.
    pub fn new(
        symbols: Vec<Symbol>,
        costs: Vec<u32>,
        sorts: &[Sort],
        constants: &[(Sort, f64)],
        inputs: Vec<Vec<Val>>,
    ) -> Terms {
        let widths = Widths::narrow();
        let instances = symbols.iter().filter_map(|s| s.instance(widths)).collect();
        let mut terms = Terms {
            symbols,
            instances,
            costs,
            nodes: Vec::new(),
            leaves: Vec::new(),
            levels: vec![Vec::new()],
            classes: FxHashMap::default(),
            inputs,
            evaluated: 0,
        };
        for &(sort, number) in constants {
            let value = caustic_passes::rows::eval::literal(number, widths.of(sort));
            let values = vec![narrow(&value); terms.inputs.len()];
            terms.leaf(Term::Literal(number), sort, values, true);
        }
        for (v, &sort) in (0u8..).zip(sorts) {
            let values = terms.inputs.iter().map(|i| i.get(v as usize).map_or(f32::NAN, narrow)).collect();
            terms.leaf(Term::Var(v), sort, values, false);
        }
        terms
    }

    fn leaf(&mut self, term: Term, sort: Sort, values: Vec<f32>, is_constant: bool) {
        let number = self.nodes.len() as u32;
        let key = Key { size: 0, cost: 0, tokens: SmallVec::from_slice(&[number as u16]) };
        self.classes.entry(class_of(sort, &values)).or_insert(number);
        self.nodes.push(Node { raw: None, sort, key, values: values.into(), is_constant });
        self.leaves.push(term);
        self.levels[0].push(number);
    }

    pub fn leaf_of(&self, term: &Term, sort: Sort) -> Option<u32> {
        let same = |t: &Term| match (t, term) {
            (Term::Literal(a), Term::Literal(b)) => a.to_bits() == b.to_bits() || (a == b && sort != Sort::Float),
            (a, b) => a == b,
        };
        let found = self.leaves.iter().zip(&self.nodes).position(|(t, n)| n.sort == sort && same(t));
        found.map(|n| n as u32)
    }

    pub fn term(&self, id: u32) -> Term {
        let node = &self.nodes[id as usize];
        match &node.raw {
            Some(raw) => self.raw_term(raw),
            None => self.leaves[id as usize].clone(),
        }
    }

    pub fn raw_term(&self, raw: &Raw) -> Term {
        let symbol = &self.symbols[raw.symbol as usize];
        let args = raw.args.iter().map(|&a| self.term(a)).collect();
        Term::Node(NodeTerm { def: symbol.def, compare: symbol.compare, args, label: None })
    }

    /// The key of a symbol on terms with these keys.
    pub fn key(&self, symbol: u16, mut args: SmallVec<[Key; 3]>) -> Key {
        if self.symbols[symbol as usize].def.commutative && args.len() == 2 {
            args.sort();
        }
        let mut key = Key { size: 1, cost: self.costs[symbol as usize], tokens: SmallVec::new() };
        // Leaves have the least numbers.
        key.tokens.push(symbol.saturating_add(0x100));
        for arg in args {
            key.size += arg.size;
            key.cost += arg.cost;
            key.tokens.extend(arg.tokens);
        }
        key
    }

    pub fn raw_key(&self, raw: &Raw) -> Key {
        self.key(raw.symbol, raw.args.iter().map(|&a| self.nodes[a as usize].key.clone()).collect())
    }

    /// The values of an op on kept terms that have theirs.
    pub fn values(&self, raw: &Raw, out: &mut Vec<f32>) {
        let instance = &self.instances[raw.symbol as usize];
        let args: SmallVec<[&Node; 3]> = raw.args.iter().map(|&a| &self.nodes[a as usize]).collect();
        let mut vals: SmallVec<[Val; 3]> = SmallVec::new();
        out.clear();
        for n in 0..self.inputs.len() {
            vals.clear();
            vals.extend(args.iter().map(|a| wide(a.sort, a.values[n])));
            out.push(narrow(&instance.value(&vals)));
        }
    }

    /// Makes all terms of the next size. `keep` says whether their values will be needed; `room` is
    /// how many may be evaluated.
    pub fn grow(&mut self, reducer: &Reducer, keep: bool, room: usize) -> Level {
        let size = self.levels.len();
        let mut level = Level { candidates: Vec::new(), is_whole: true };
        let end = self.evaluated + room;
        self.levels.push(Vec::new());
        let mut values = Vec::new();
        for symbol in 0..self.symbols.len() as u16 {
            let arity = self.symbols[symbol as usize].operands.len();
            for sizes in compositions(size - 1, arity) {
                let lists = self.operands(symbol, &sizes);
                let total: usize = lists.iter().map(Vec::len).product();
                for n in 0..total {
                    let Some(raw) = self.combined(symbol, &sizes, &lists, n) else { continue };
                    if self.evaluated >= end {
                        level.is_whole = false;
                        self.close();
                        return level;
                    }
                    if reducer.is_reducible(self, &raw) {
                        continue;
                    }
                    self.evaluated += 1;
                    self.values(&raw, &mut values);
                    self.place(raw, &values, keep, &mut level);
                }
            }
        }
        self.close();
        level
    }

    fn close(&mut self) {
        let mut last = self.levels.pop().unwrap_or_default();
        last.sort_by(|&a, &b| self.nodes[a as usize].key.cmp(&self.nodes[b as usize].key));
        self.levels.push(last);
    }

    fn place(&mut self, raw: Raw, values: &[f32], keep: bool, level: &mut Level) {
        let sort = self.symbols[raw.symbol as usize].result;
        let key = self.raw_key(&raw);
        let class = class_of(sort, values);
        let Some(&known) = self.classes.get(&class) else {
            let id = self.nodes.len() as u32;
            self.classes.insert(class, id);
            let values: Box<[f32]> = if keep { values.into() } else { Box::default() };
            self.nodes.push(Node { raw: Some(raw), sort, key, values, is_constant: false });
            if let Some(last) = self.levels.last_mut() {
                last.push(id);
            }
            return;
        };
        let node = &mut self.nodes[known as usize];
        let mut other = raw;
        // Nothing is made of terms of this size yet, so the lesser one may take the place.
        if let Some(kept) = node.raw.as_mut().filter(|_| key < node.key) {
            std::mem::swap(kept, &mut other);
            node.key = key;
        }
        level.candidates.push((other, known));
    }

    /// The kept terms of these sizes that may be the operands of a symbol.
    fn operands(&self, symbol: u16, sizes: &[usize]) -> Vec<Vec<u32>> {
        let operands = &self.symbols[symbol as usize].operands;
        let fits = |sort: Sort, size: usize| {
            let level = self.levels[size].iter().copied();
            level.filter(|&id| self.nodes[id as usize].sort == sort).collect()
        };
        operands.iter().zip(sizes).map(|(&sort, &size)| fits(sort, size)).collect()
    }

    /// A way to apply a symbol to these terms. None that is another one with operands exchanged,
    /// and none of constants alone or with a constant to choose by, which are left to folding.
    fn combined(&self, symbol: u16, sizes: &[usize], lists: &[Vec<u32>], n: usize) -> Option<Raw> {
        let mut rest = n;
        let mut at: SmallVec<[usize; 3]> = SmallVec::new();
        for list in lists {
            at.push(rest % list.len());
            rest /= list.len();
        }
        if self.symbols[symbol as usize].def.commutative && lists.len() == 2 && (sizes[0], at[0]) > (sizes[1], at[1]) {
            return None;
        }
        let args: Args = lists.iter().zip(&at).map(|(l, &i)| l[i]).collect();
        let is_constant = |a: u32| self.nodes[a as usize].is_constant;
        let untold = (0..args.len()).any(|i| is_constant(args[i]) && self.symbols[symbol as usize].is_untold(i));
        (!untold && !args.iter().all(|&a| is_constant(a))).then_some(Raw { symbol, args })
    }
}

/// All lists of `parts` numbers with this sum.
fn compositions(sum: usize, parts: usize) -> Vec<Vec<usize>> {
    if parts == 1 {
        return vec![vec![sum]];
    }
    let first = |n: usize| compositions(sum - n, parts - 1).into_iter().map(move |rest| [vec![n], rest].concat());
    (0..=sum).flat_map(first).collect()
}

/// What tells terms apart: the sort, and a hash of the values in 128 bits.
fn class_of(sort: Sort, values: &[f32]) -> (Sort, u64, u64) {
    class_where(sort, values, &mut |_| true)
}

/// [`class_of`] by some of the inputs.
pub fn class_where(sort: Sort, values: &[f32], counts: &mut dyn FnMut(usize) -> bool) -> (Sort, u64, u64) {
    let (mut a, mut b) = (FxHasher::default(), 0xcbf2_9ce4_8422_2325u64);
    for (n, value) in values.iter().enumerate() {
        if counts(n) {
            let bits = if value.is_nan() { u32::MAX } else { value.to_bits() };
            a.write_u32(bits);
            b = (b ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
    }
    (sort, a.finish(), b)
}

/// Values of narrow types are numbers of `f32`, too.
fn narrow(value: &Val) -> f32 {
    match value {
        Val::Float(x) => *x as f32,
        Val::Int(n) => *n as f32,
        _ => f32::NAN,
    }
}

pub fn wide(sort: Sort, value: f32) -> Val {
    if sort == Sort::Float { Val::Float(f64::from(value)) } else { Val::Int(value as i64) }
}
