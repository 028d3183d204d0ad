//! Putting the arguments into one symbol: types of values, attributes, and the ops of generic code.

use super::instances::{Asker, Instances, ir_error};
use super::resolve::{Callee, Env, Fail};
use caustic_dialects::hl::expand::{self, Builtin};
use caustic_dialects::hl::generics::{FunctionRef, IntExpr, as_existential};
use caustic_dialects::hl::source::{erase, is_number};
use caustic_dialects::{agg, hl};
use caustic_ir::codes;
use caustic_ir::{Attr, AttrKind, Body, Builder, Diagnostic, OpId, SymbolOp, Type, TypeKind, ValueId};

/// Rewrites `symbol` in place for the arguments in `env`; what it needs is asked for.
pub fn rewrite(symbol: &mut SymbolOp, env: &Env, all: &mut Instances<'_>, asker: Asker) -> Result<(), Diagnostic> {
    let loc = symbol.loc;
    for (_, attr) in symbol.attrs.iter_mut() {
        *attr = types_in(*attr, env, all).map_err(ir_error(loc))?;
    }
    let body = &mut symbol.body;
    // Arguments have no op to blame.
    let args = body.entry().map(|block| body.args(block).to_vec()).unwrap_or_default();
    for value in args {
        set_type(body, value, env, all).map_err(ir_error(loc))?;
    }
    for op in body.walk_all() {
        let asker = Asker { loc: body.loc(op), ..asker };
        retype(body, op, env, all).map_err(ir_error(asker.loc))?;
        let def = body.op(op).def;
        if std::ptr::eq(def, hl::CallGeneric::DEF) {
            call(body, op, env, all, asker)?;
        } else if std::ptr::eq(def, hl::Poly::DEF) {
            poly(body, op, env, all)?;
        } else if std::ptr::eq(def, hl::MakeExistential::DEF) {
            make_existential(body, op, env, all)?;
        } else if let Some(ty) = asked_type(body, op).filter(|_| super::is_generic_op(def)) {
            let ty = all.resolver.ty(ty, env).map_err(ir_error(asker.loc))?;
            body.set_attr(op, "for", Attr::ty(ty));
        } else if std::ptr::eq(def, agg::Zero::DEF) && is_number(body.ty(body.result(op, 0))) {
            let ty = body.ty(body.result(op, 0));
            replace(body, op, |b| Ok(expand::zero(b, ty)))?;
        }
    }
    Ok(())
}

fn set_type(body: &mut Body, value: ValueId, env: &Env, all: &mut Instances<'_>) -> Result<(), Fail> {
    let old = body.ty(value);
    if matches!(old.kind(), TypeKind::Dialect { .. }) {
        let new = all.resolver.value_type(old, env)?;
        body.set_type(value, new);
    }
    Ok(())
}

/// The types of the results, of the arguments of regions, and in attributes.
fn retype(body: &mut Body, op: OpId, env: &Env, all: &mut Instances<'_>) -> Result<(), Fail> {
    for value in body.results(op).to_vec() {
        set_type(body, value, env, all)?;
    }
    for region in body.op(op).regions.clone() {
        for block in body.region(region).blocks.clone() {
            for value in body.args(block).to_vec() {
                set_type(body, value, env, all)?;
            }
        }
    }
    // What the ops of generic code say is read where they are rewritten.
    if super::is_generic_op(body.op(op).def) {
        return Ok(());
    }
    for (name, attr) in body.op(op).attrs.clone() {
        if matches!(attr.kind(), AttrKind::Type(_) | AttrKind::Array(_) | AttrKind::Dict(_)) {
            let new = types_in(attr, env, all)?;
            body.set_attr(op, &name, new);
        }
    }
    Ok(())
}

fn types_in(attr: Attr, env: &Env, all: &Instances<'_>) -> Result<Attr, Fail> {
    let new = all.resolver.types_in(attr, env)?;
    Ok(new.as_type().map_or(new, |ty| Attr::ty(erase(ty))))
}

/// Puts what `make` builds in the place of an op with one result.
fn replace(
    body: &mut Body,
    op: OpId,
    make: impl FnOnce(&mut Builder<'_>) -> Result<ValueId, Diagnostic>,
) -> Result<(), Diagnostic> {
    let old = body.result(op, 0);
    let Some(mut b) = Builder::before(body, op) else { return Ok(()) };
    let new = make(&mut b)?;
    body.replace_uses(old, new);
    body.erase_op(op);
    Ok(())
}

fn call(body: &mut Body, op: OpId, env: &Env, all: &mut Instances<'_>, asker: Asker) -> Result<(), Diagnostic> {
    let loc = body.loc(op);
    let written = hl::CallGeneric(op).callee(body).unwrap_or_else(Attr::unit);
    let mut callee = all.resolver.function(written, env).map_err(ir_error(loc))?;
    // The type of an object that was made from a value just now is known.
    if let Callee::Dynamic { interface, key, args } = &callee
        && let Some((value, witness)) = known_object(body, op, *interface)
    {
        let direct = FunctionRef::witness(witness, key, args);
        callee = all.resolver.function(direct, env).map_err(ir_error(loc))?;
        body.set_operand(op, 0, value);
    }
    let name = all.callee(callee, asker)?;
    if let Some(TypeKind::Function { inputs, results }) = all.type_of(name).map(Type::kind) {
        let types = |values: &[ValueId]| values.iter().map(|&v| body.ty(v)).collect::<Vec<Type>>();
        let (passed, expected) = (types(body.operands(op)), types(body.results(op)));
        if passed != *inputs || expected != *results {
            let text = format!(
                "calls @{name} as a {}, but it is a {}",
                Type::function(&passed, &expected),
                Type::function(inputs, results)
            );
            return Err(Diagnostic::invalid_ir(loc, text));
        }
    }
    body.remove_attr(op, "callee");
    body.set_def(op, hl::Call::DEF);
    body.set_attr(op, "callee", Attr::symbol(name));
    Ok(())
}

/// The value that the first operand of a call was made from, and its witness, if that is of this
/// very interface.
fn known_object(body: &Body, op: OpId, interface: Attr) -> Option<(ValueId, Attr)> {
    let object = *body.operands(op).first()?;
    if as_existential(body.ty(object))? != interface {
        return None;
    }
    let made = hl::MakeExistential::cast(body, body.def_op(object)?)?;
    Some((made.value(body), made.witness(body)?))
}

fn poly(body: &mut Body, op: OpId, env: &Env, all: &mut Instances<'_>) -> Result<(), Diagnostic> {
    let loc = body.loc(op);
    let ir = |text: String| Diagnostic::invalid_ir(loc, format!("hl.poly: {text}"));
    let mut builtin = Builtin::of(body, op).map_err(ir)?;
    if let Builtin::Size(value) = builtin {
        let n = all.resolver.int(value, env).map_err(ir_error(loc))?;
        builtin = Builtin::Size(IntExpr::Known(n).to_attr());
    }
    let mut types = hl::poly_operand_types(body, op).ok_or_else(|| ir("`of` is no list of types".into()))?;
    types.push(hl::Poly(op).to(body).ok_or_else(|| ir("`to` is no type".into()))?);
    for ty in &mut types {
        *ty = all.resolver.ty(*ty, env).map_err(ir_error(loc))?;
    }
    let (to, of) = types.split_last().ok_or_else(|| ir("no result".into()))?;
    let operands = body.operands(op).to_vec();
    replace(body, op, |b| {
        builtin.expand(b, &operands, of, *to).map_err(|why| {
            Diagnostic::error(codes::E0502, loc, format!("the generic arguments do not allow this: {why}"))
                .with_note("constrain the parameter, or use another argument")
        })
    })
}

fn make_existential(body: &mut Body, op: OpId, env: &Env, all: &mut Instances<'_>) -> Result<(), Diagnostic> {
    let loc = body.loc(op);
    let ir = |text: &str| Diagnostic::invalid_ir(loc, format!("hl.make_existential: {text}"));
    let witness = hl::MakeExistential(op).witness(body).ok_or_else(|| ir("no witness"))?;
    let witness = all.resolver.witness(witness, env).map_err(ir_error(loc))?;
    let interface = as_existential(body.ty(body.result(op, 0))).ok_or_else(|| ir("no value of an interface's type"))?;
    let (table, table_env) = all.resolver.table(witness).map_err(ir_error(loc))?;
    let found = all.resolver.table_interface(table, &table_env).map_err(ir_error(loc))?;
    if found != interface {
        return Err(ir("the witness is one of another interface"));
    }
    let ty = all.resolver.table_type(table, &table_env).map_err(ir_error(loc))?;
    if erase(ty) != body.ty(body.operand(op, 0)) {
        return Err(ir("the witness is one of another type"));
    }
    all.dynamic.conforms(&all.resolver, interface, witness).map_err(ir_error(loc))?;
    body.set_attr(op, "witness", witness);
    body.set_attr(op, "for", Attr::ty(ty));
    Ok(())
}

/// The source type that an op on a value of an interface's type is about.
pub fn asked_type(body: &Body, op: OpId) -> Option<Type> {
    match hl::GenericView::of(body, op)? {
        hl::GenericView::MakeExistential(makes) => makes.for_(body),
        hl::GenericView::IsDynamic(asks) => asks.for_(body),
        hl::GenericView::AsDynamic(asks) => asks.for_(body),
        _ => None,
    }
}
