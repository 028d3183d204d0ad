//! The constant that a value is, by evaluating the pure elementwise ops that it is computed with.

use caustic_dialects::arith;
use caustic_ir::eval::{Eval, Val, eval_scalar_op};
use caustic_ir::{Attr, Body, ValueId};
use rustc_hash::FxHashMap;

/// Remembers what it has found out; valid as long as the ops it looked at stay as they are.
#[derive(Default)]
pub struct Constants {
    known: FxHashMap<ValueId, Option<Attr>>,
}

impl Constants {
    pub fn get(&mut self, body: &Body, value: ValueId) -> Option<Attr> {
        let mut stack = vec![value];
        while let Some(&v) = stack.last() {
            if self.known.contains_key(&v) {
                stack.pop();
                continue;
            }
            let pending = match (arith::constant_of(body, v), body.def_op(v)) {
                (Some(constant), _) => {
                    self.known.insert(v, Some(constant));
                    continue;
                }
                (None, Some(op)) if matches!(body.op(op).def.eval, Eval::Scalar(_)) => {
                    body.operands(op).iter().copied().find(|o| !self.known.contains_key(o)).ok_or(op)
                }
                _ => {
                    self.known.insert(v, None);
                    continue;
                }
            };
            match pending {
                Ok(operand) => stack.push(operand),
                Err(op) => {
                    let found = self.evaluate(body, op, v);
                    self.known.insert(v, found);
                }
            }
        }
        self.known.get(&value).copied().flatten()
    }

    pub fn int(&mut self, body: &Body, value: ValueId) -> Option<i64> {
        self.get(body, value)?.as_int()
    }

    fn evaluate(&self, body: &Body, op: caustic_ir::OpId, result: ValueId) -> Option<Attr> {
        let Eval::Scalar(f) = body.op(op).def.eval else { return None };
        let args: Option<Vec<Val>> =
            body.operands(op).iter().map(|o| self.known.get(o).copied().flatten().and_then(Val::from_attr)).collect();
        eval_scalar_op(body, op, f, &args?).to_attr(body.ty(result))
    }
}
