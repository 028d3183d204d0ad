//! Left sides of rows as the matcher reads them: ops have numbers, and each operand says by bits
//! what its class has to hold, so that most classes are passed over at a glance.

use crate::rows::{Compare, Term};
use caustic_ir::OpDef;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The bit of classes that are a constant.
pub const CONSTANT: u64 = 1 << 63;

/// Numbers of the ops that patterns name, in the order in which they come up; by their addresses.
#[derive(Default)]
pub struct Numbers(FxHashMap<usize, u32>);

impl Numbers {
    pub fn of(&self, def: &OpDef) -> Option<u32> {
        self.0.get(&std::ptr::from_ref(def).addr()).copied()
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    fn add(&mut self, def: &'static OpDef) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(std::ptr::from_ref(def).addr()).or_insert(next)
    }

    /// The bit of classes that hold an op; beyond 63 ops some share one.
    pub fn bit(op: u32) -> u64 {
        1 << (op % 63)
    }
}

/// An op and its operands.
pub struct Pattern {
    pub op: u32,
    pub commutes: bool,
    pub compare: Option<Compare>,
    pub label: Option<u8>,
    pub args: SmallVec<[Arg; 3]>,
    /// What the class of each operand has to hold.
    pub needs: SmallVec<[u64; 3]>,
}

pub enum Arg {
    Var(u8),
    Literal(f64),
    Node(Box<Pattern>),
}

impl Pattern {
    /// `None` for what is no op.
    pub fn of(term: &Term, numbers: &mut Numbers) -> Option<Pattern> {
        let Term::Node(node) = term else { return None };
        let op = numbers.add(node.def);
        let (mut args, mut needs) = (SmallVec::new(), SmallVec::new());
        for arg in &node.args {
            let (arg, bits) = match arg {
                Term::Var(v) => (Arg::Var(*v), 0),
                Term::Literal(value) => (Arg::Literal(*value), CONSTANT),
                Term::Node(_) => {
                    let inner = Pattern::of(arg, numbers)?;
                    let bit = Numbers::bit(inner.op);
                    (Arg::Node(Box::new(inner)), bit)
                }
            };
            args.push(arg);
            needs.push(bits);
        }
        let commutes = node.def.commutative;
        Some(Pattern { op, commutes, compare: node.compare, label: node.label, args, needs })
    }
}
