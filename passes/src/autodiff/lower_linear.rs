//! Tangents become data: the end of a derivative function's way.
//!
//! Every linear op is replaced by ordinary ops on the differential type, every tangent type by that
//! type, `ad.linear` by its contents, and calls of derivative halves by calls of the functions made
//! for them. Nothing of `ad` is left in the function but tapes.

use super::space::Spaces;
use crate::analysis::derivative_links::Links;
use crate::analysis::stage;
use caustic_dialects::ad::{self, is_tangent, map_parts, strip_tangent};
use caustic_dialects::func;
use caustic_ir::linear::OnData;
use caustic_ir::{
    AdRule, Attr, BlockId, Body, Builder, Cloner, Diagnostic, Name, OpId, Result, SymbolOp, Type, ValueId,
};

/// The type without tangents in it, contexts replaced through `context`.
pub fn data_type(ty: Type, context: &dyn Fn(Name) -> Option<Type>) -> Type {
    if is_tangent(ty) {
        return data_type(strip_tangent(ty), context);
    }
    if let Some(found) = ad::as_context(ty).and_then(context) {
        return found;
    }
    map_parts(ty, &|t| data_type(t, context))
}

/// The function with its linear ops lowered.
pub fn lower_linear(
    symbol: &SymbolOp,
    context: &dyn Fn(Name) -> Option<Type>,
    spaces: &Spaces,
    links: &Links,
) -> Result<SymbolOp> {
    let (Some((inputs, results)), Some(entry)) = (symbol.function_type(), symbol.body.entry()) else {
        return Err(Diagnostic::invalid_ir(symbol.loc, "a function without code"));
    };
    let types = |tys: &[Type]| tys.iter().map(|&t| data_type(t, context)).collect::<Vec<_>>();
    let mut out = stage::new_func(symbol.name, &types(inputs), &types(results), symbol.loc);
    for (name, value) in &symbol.attrs {
        if *name != "function_type" {
            out.set_attr(name, *value);
        }
    }
    let Some(block) = out.body.entry() else { return Err(Diagnostic::internal(symbol.loc, "no entry block")) };
    let mut lowering = Lowering { src: &symbol.body, map: Cloner::new(), context, spaces, links };
    for (&old, new) in symbol.body.args(entry).iter().zip(out.body.args(block).to_vec()) {
        out.body.set_hint(new, symbol.body.value(old).hint);
        lowering.map.insert(old, new);
    }
    lowering.block(entry, &mut Builder::at_end(&mut out.body, block, symbol.loc), true)?;
    Ok(out)
}

struct Lowering<'a> {
    src: &'a Body,
    map: Cloner,
    context: &'a dyn Fn(Name) -> Option<Type>,
    spaces: &'a Spaces,
    links: &'a Links,
}

impl Lowering<'_> {
    fn ty(&self, value: ValueId) -> Type {
        data_type(self.src.ty(value), self.context)
    }

    fn block(&mut self, block: BlockId, b: &mut Builder<'_>, terminator: bool) -> Result<()> {
        for op in self.src.block_ops(block) {
            if self.src.op(op).def.is_terminator() && !terminator {
                break;
            }
            b.loc = self.src.loc(op);
            self.op(op, b)?;
        }
        Ok(())
    }

    fn op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let args: Vec<ValueId> = data.operands.iter().map(|&v| self.map.get(v)).collect();
        if ad::Linear::is(src, op) {
            let Some(block) = src.region_block(op, 0) else { return Ok(()) };
            for (&arg, value) in src.args(block).iter().zip(&args) {
                self.map.insert(arg, *value);
            }
            self.block(block, b, false)?;
            if let Some(end) = src.terminator(block) {
                for (&r, &v) in data.results.iter().zip(src.operands(end)) {
                    let new = self.map.get(v);
                    self.map.insert(r, new);
                }
            }
            return Ok(());
        }
        if let Some(name) = self.call_target(op)? {
            let types: Vec<Type> = data.results.iter().map(|&r| self.ty(r)).collect();
            let new = func::Call::build(b, &args, &types, &[("callee", Attr::symbol(name))]);
            for (i, &r) in data.results.iter().enumerate() {
                let value = b.body.result(new, i);
                b.body.set_hint(value, src.value(r).hint);
                self.map.insert(r, value);
            }
            return Ok(());
        }
        if let Some(&result) = data.results.first()
            && data.def.dialect() == "ad"
        {
            let ty = self.ty(result);
            // Detached values stay so for the derivatives of this derivative.
            let Some(value) = on_data(self.spaces, b, src, op, &args, ty)? else { return self.generic(op, b) };
            if b.body.value(value).hint.is_none() {
                b.body.set_hint(value, src.value(result).hint);
            }
            self.map.insert(result, value);
            return Ok(());
        }
        self.generic(op, b)
    }

    /// The function that a call of a derivative half becomes a call of.
    fn call_target(&self, op: OpId) -> Result<Option<Name>> {
        let src = self.src;
        if !(ad::JvpCall::is(src, op) || ad::PrimalCall::is(src, op) || ad::TransposeCall::is(src, op)) {
            return Ok(None);
        }
        let callee = src.callee(op);
        let Some(forms) = callee.and_then(|c| self.links.forms(c)) else {
            return Err(Diagnostic::invalid_ir(src.loc(op), "a call of a derivative that names no `ad.instance`"));
        };
        Ok(Some(match () {
            _ if ad::JvpCall::is(src, op) => forms.forward(src.attr(op, stage::GATED).is_some()),
            _ if ad::PrimalCall::is(src, op) => forms.primal,
            _ => {
                let unnamed =
                    || Diagnostic::invalid_ir(src.loc(op), "a call of a backward half that no `ad.half` names");
                self.links.backward(forms.instance, stage::form_of(src, op)).ok_or_else(unnamed)?
            }
        }))
    }

    fn generic(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let operands: Vec<ValueId> = data.operands.iter().map(|&v| self.map.get(v)).collect();
        let types: Vec<Type> = data.results.iter().map(|&r| self.ty(r)).collect();
        let mut attrs = data.attrs.clone();
        attrs.retain(|(n, _)| !stage::DECISIONS.iter().any(|mark| *n == *mark));
        let new = b.body.create_op(data.def, &operands, &types, attrs, data.regions.len(), data.loc);
        b.body.insert_op(new, b.block, b.before);
        for (k, &region) in data.regions.iter().enumerate() {
            for &block in &src.region(region).blocks {
                let arg_types: Vec<Type> = src.args(block).iter().map(|&a| self.ty(a)).collect();
                let dst = b.body.op(new).regions[k];
                let new_block = b.body.add_block(dst, &arg_types);
                for (&arg, value) in src.args(block).iter().zip(b.body.args(new_block).to_vec()) {
                    b.body.set_hint(value, src.value(arg).hint);
                    self.map.insert(arg, value);
                }
                self.block(block, &mut Builder::at_end(b.body, new_block, data.loc), true)?;
            }
        }
        for (i, &r) in data.results.iter().enumerate() {
            let value = b.body.result(new, i);
            b.body.set_hint(value, src.value(r).hint);
            self.map.insert(r, value);
        }
        Ok(())
    }
}

/// What a linear op does, on plain data, as its row says; `ty` is what the result becomes. `None`
/// for an op that is not linear.
pub fn on_data(
    spaces: &Spaces,
    b: &mut Builder<'_>,
    src: &Body,
    op: OpId,
    args: &[ValueId],
    ty: Type,
) -> Result<Option<ValueId>> {
    match src.op(op).def.ad {
        AdRule::Linear(build) => build(b, OnData { src, op, args, ty, differentials: spaces }).map(Some),
        _ if ad::Wrap::is(src, op) || ad::Unwrap::is(src, op) => Ok(Some(args[0])),
        _ => Ok(None),
    }
}
