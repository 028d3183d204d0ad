//! The boundary of a function: `out` and `inout` parameters as results, and calls that copy in and
//! out.

use super::Promoter;
use super::written::Callee;
use caustic_dialects::signature::{Direction, PARAMS};
use caustic_dialects::{func, hl};
use caustic_ir::{Attr, BlockId, Diagnostic, OpId, Result, SymbolOp, Type, TypeKind};

pub const FUNCTION_TYPE: &str = "function_type";

/// The direction of each parameter as written; a ref that no attribute explains is `inout`.
pub fn directions(function_type: Option<Attr>, params: Option<Attr>) -> Option<Vec<Direction>> {
    let TypeKind::Function { inputs, .. } = function_type?.as_type()?.kind() else { return None };
    let written = params.and_then(|a| a.as_array()).and_then(|entries| {
        entries.iter().map(|e| e.get("dir").and_then(|d| d.as_str()).and_then(Direction::from_keyword)).collect()
    });
    let of_type = |&ty: &Type| if hl::as_ref(ty).is_some() { Direction::InOut } else { Direction::In };
    Some(written.unwrap_or_else(|| inputs.iter().map(of_type).collect()))
}

/// The directions of a symbol's parameters; `None` for what is no function.
pub fn directions_of(symbol: &SymbolOp) -> Option<Vec<Direction>> {
    directions(symbol.attr(FUNCTION_TYPE), symbol.attr(PARAMS))
}

/// Inputs and results of the normalized function, for a symbol whose type still has refs or that is
/// an `hl.func`.
pub fn normalized_type(symbol: &SymbolOp) -> Option<(Vec<Type>, Vec<Type>)> {
    let (written, returned) = symbol.function_type()?;
    let has_refs = written.iter().any(|&ty| hl::as_ref(ty).is_some());
    if !has_refs && !std::ptr::eq(symbol.def, hl::Func::DEF) {
        return None;
    }
    let mut inputs = Vec::new();
    let mut results = returned.to_vec();
    for (&ty, direction) in written.iter().zip(directions_of(symbol)?) {
        let inner = hl::as_ref(ty).unwrap_or(ty);
        if direction != Direction::Out {
            inputs.push(inner);
        }
        if direction != Direction::In {
            results.push(inner);
        }
    }
    Some((inputs, results))
}

impl Promoter<'_> {
    pub(super) fn call(&mut self, op: OpId, to: BlockId) -> Result<()> {
        let (old, loc) = (self.old, self.old.loc(op));
        let callee = old.callee(op);
        let Some(Callee { directions, written }) = callee.and_then(|name| self.callees.get(&name)) else {
            let name = callee.map_or("", |n| n.as_str());
            return Err(Diagnostic::invalid_ir(loc, format!("hl.call: there is no function @{name}")));
        };
        if directions.len() != old.operands(op).len() {
            let text = format!("hl.call: {} arguments for {} parameters", old.operands(op).len(), directions.len());
            return Err(Diagnostic::invalid_ir(loc, text));
        }
        let mut operands = Vec::new();
        let mut types: Vec<Type> = old.results(op).iter().map(|&v| old.ty(v)).collect();
        let num_returned = types.len();
        let mut copied_out = Vec::new();
        for (k, (&operand, &direction)) in old.operands(op).iter().zip(directions).enumerate() {
            if direction == Direction::In {
                operands.push(self.value(operand, loc)?);
                continue;
            }
            let Some(ty) = hl::as_ref(old.ty(operand)) else {
                let text = format!("hl.call: the argument of an {} parameter is no ref", direction.keyword());
                return Err(Diagnostic::invalid_ir(loc, text));
            };
            let place = self.place(operand, loc)?;
            if direction == Direction::InOut {
                operands.push(self.read_in_place(&place, to, loc)?);
            }
            types.push(ty);
            let parts = written.as_ref().and_then(|w| w.get(k)).filter(|_| direction == Direction::InOut);
            copied_out.push((place, parts));
        }
        let call = self.new.create_op(func::Call::DEF, &operands, &types, old.op(op).attrs.clone(), 0, loc);
        self.new.insert_op(call, to, None);
        for i in 0..num_returned {
            let value = self.new.result(call, i);
            self.define(op, i, value)?;
        }
        for (k, (place, parts)) in copied_out.iter().enumerate() {
            let value = self.new.result(call, num_returned + k);
            match parts {
                Some(parts) if place.is_in_memory() => self.write_parts(place, value, parts, to, loc)?,
                _ => self.write(place, value, to, loc)?,
            }
        }
        Ok(())
    }
}
