//! How what many threads add to a buffer comes together.

use crate::agg::BUFFER;
use crate::classes::INT_OR_INDEX;
use caustic_ir::eval::{Eval, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Body, Diagnostic, OpId, Type, ops};

/// What can be asked about adding to an element of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aggregation {
    /// No other thread of the dispatch touches the element.
    Exclusive,
}

impl Aggregation {
    pub fn of(body: &Body, op: OpId) -> Option<Aggregation> {
        match body.attr(op, "kind")?.as_str()? {
            "exclusive" => Some(Aggregation::Exclusive),
            _ => None,
        }
    }
}

fn verify(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let known = Aggregation::of(body, op).is_some();
    known.then_some(()).ok_or_else(|| Diagnostic::invalid_ir(body.loc(op), "simt.aggregation: no such kind"))
}

ops! { pub static AGGREGATE_OPS as AggregateView: [
    /// Whether adding to an element of a buffer may be done, where this op stands, in a cheaper way
    /// than by an atomic operation of each thread: `exclusive` if no other thread of the dispatch
    /// touches the element.
    ///
    /// The pass `choose-aggregation` puts the answer in its place. Until then it is no.
    ///
    /// `%plain = simt.aggregation "exclusive" %buffer[%index] : (!agg.buffer<f32, "rw">, index) -> i1`
    AggregationOf "simt.aggregation" {
        operands: (buffer: Class(&BUFFER), index: Class(&INT_OR_INDEX)), results: one(Exactly(Type::i1)), attrs: (kind: String), regions: (),
        effects: Writes, memory: (buffer[index]: Asks), commutative: false, asm: Asm::Format("$kind $buffer `[` $index `]` attr-dict `:` functional-type"),
        verify: Some(verify), fold: Fold::None, eval: Eval::Full(|_, _, _, _| Ok(vec![Val::Int(0)])), ad: AdRule::Inactive,
    }
] }
