//! The code for values of an interface's type, once their layout is known: making them, asking what
//! they hold, and choosing a function.

use super::dynamic::{Dispatcher, Layout};
use crate::mutants::{Site, mutant};
use caustic_dialects::agg;
use caustic_dialects::arith::{self, IntPredicate, build};
use caustic_dialects::hl;
use caustic_dialects::hl::expand::{self, Step};
use caustic_dialects::signature::{DIFFERENTIABLE, NO_DIFF_RESULT, PARAMS, WRITTEN_RESULT};
use caustic_ir::{Attr, Body, Builder, Name, OpId, SymbolOp, Type, TypeKind, ValueId};

/// Replaces an op that makes or asks a value; `which` is the conforming type that it speaks of,
/// `None` if that is no conforming one.
pub fn lay_out(body: &mut Body, op: OpId, layout: &Layout, which: Option<usize>) {
    let operand = body.operand(op, 0);
    let result = body.result(op, 0);
    let ty = body.ty(result);
    let def = body.op(op).def;
    let Some(mut b) = Builder::before(body, op) else { return };
    let b = &mut b;
    let id = which.and_then(|k| layout.ids.get(k)).copied();
    let new = if std::ptr::eq(def, hl::MakeExistential::DEF) {
        made(b, layout, which, id.unwrap_or(0), operand)
    } else if std::ptr::eq(def, hl::IsDynamic::DEF) {
        match id {
            Some(id) => {
                let held = expand::part(b, operand, Step::Constant(0), Type::i32());
                let asked = build::int(b, id, Type::i32());
                arith::cmpi(b, IntPredicate::Eq, held, asked)
            }
            None => build::bool(b, false),
        }
    } else {
        match which {
            Some(k) => expand::part(b, operand, Step::Constant(k as i64 + 1), ty),
            None => expand::zero(b, ty),
        }
    };
    body.replace_uses(result, new);
    body.erase_op(op);
}

fn made(b: &mut Builder<'_>, layout: &Layout, which: Option<usize>, id: i64, value: ValueId) -> ValueId {
    let parts = agg::part_types(layout.ty).unwrap_or_default();
    let mut values = Vec::with_capacity(parts.len());
    for (i, &ty) in parts.iter().enumerate() {
        values.push(match i {
            0 => build::int(b, id, Type::i32()),
            _ if which == Some(i - 1) => value,
            _ => expand::zero(b, ty),
        });
    }
    agg::Make::build(b, &values, layout.ty, &[])
}

/// Part `index` of an object: of a value a value, of a ref a ref.
fn part(b: &mut Builder<'_>, object: ValueId, index: usize, ty: Type) -> ValueId {
    if hl::as_ref(b.ty(object)).is_none() {
        return expand::part(b, object, Step::Constant(index as i64), ty);
    }
    hl::Field::build(b, object, hl::ref_type(ty), &[("index", Attr::i64(index as i64))])
}

/// The function that calls one of `d.functions` by the number in its first argument; a number that
/// is none gives zero and writes nothing.
pub fn function(d: &Dispatcher, ty: Type, layout: &Layout) -> SymbolOp {
    let loc = d.loc.derived(d.name);
    let mut symbol = SymbolOp::new(hl::Func::DEF, d.name, loc);
    symbol.set_attr("function_type", Attr::ty(ty));
    for name in [PARAMS, DIFFERENTIABLE, NO_DIFF_RESULT, WRITTEN_RESULT] {
        if let Some(value) = d.requirement.get(name) {
            symbol.set_attr(name, value);
        }
    }
    let (inputs, results): (&[Type], &[Type]) = match ty.kind() {
        TypeKind::Function { inputs, results } => (inputs, results),
        _ => (&[], &[]),
    };
    let body = &mut symbol.body;
    let root = body.root();
    let block = body.add_block(root, inputs);
    let args = body.args(block).to_vec();
    let written = d.requirement.get(PARAMS).and_then(|p| p.as_array()).unwrap_or(&[]);
    for (&arg, param) in args.iter().zip(written) {
        body.set_hint(arg, param.get("name").and_then(|n| n.as_str()).map(Name::new));
    }
    let Some((&object, rest)) = args.split_first() else { return symbol };
    let mut b = Builder::at_end(body, block, loc);
    let result = results.first().map(|&ty| (ty, hl::Var::build(&mut b, hl::ref_type(ty), &[])));
    let mut id = part(&mut b, object, 0, Type::i32());
    if hl::as_ref(b.ty(id)).is_some() {
        id = hl::Load::build(&mut b, id, Type::i32(), &[]);
    }
    let cases = [("cases", Attr::i64_array(&layout.ids))];
    let switch = b.create(hl::Switch::DEF, &[id], &[], &cases, layout.ids.len() + 1);
    let default = b.add_block(switch, 0, &[]);
    hl::Yield::build(&mut b.at(default), &[], &[]);
    let parts = agg::part_types(layout.ty).unwrap_or_default();
    let call = Call { functions: &d.functions, parts: &parts, object, rest, results, result: result.map(|r| r.1) };
    for k in 0..d.functions.len() {
        let case = b.add_block(switch, k + 1, &[]);
        call.build(&mut b.at(case), k);
    }
    let values: Vec<ValueId> = result.iter().map(|&(ty, v)| hl::Load::build(&mut b, v, ty, &[])).collect();
    hl::Return::build(&mut b, &values, &[]);
    symbol
}

/// A call of one of the functions that a requirement may stand for.
struct Call<'a> {
    functions: &'a [Name],
    /// The types of the parts of the value, which holds one object of these.
    parts: &'a [Type],
    object: ValueId,
    rest: &'a [ValueId],
    results: &'a [Type],
    /// Where the result goes.
    result: Option<ValueId>,
}

impl Call<'_> {
    /// The whole case of the `k`-th type.
    #[mutant(Site::DispatchFirst with k = 0)]
    fn build(&self, b: &mut Builder<'_>, k: usize) {
        if let (Some(&callee), Some(&held)) = (self.functions.get(k), self.parts.get(k + 1)) {
            let mut operands = vec![part(b, self.object, k + 1, held)];
            operands.extend_from_slice(self.rest);
            let call = hl::Call::build(b, &operands, self.results, &[("callee", Attr::symbol(callee))]);
            if let Some(variable) = self.result {
                let value = b.body.result(call, 0);
                hl::Store::build(b, value, variable, &[]);
            }
        }
        hl::Yield::build(b, &[], &[]);
    }
}
