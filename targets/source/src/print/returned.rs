//! Functions that return arrays, in a language whose functions can: storage that a caller hands
//! over becomes a result again.
//!
//! Invariant: a call is a statement, so that it is made once.

use crate::tree::{Arg, Expr, Function, Kind, Place, Stmt, each_list};
use crate::types::Ty;
use caustic_ir::Name;
use rustc_hash::FxHashMap;

/// Gives functions back the results that are parameters.
pub(super) fn return_own_results(functions: &mut [Function]) {
    let mut own: FxHashMap<Name, (usize, Ty)> = FxHashMap::default();
    for function in functions.iter_mut() {
        own.extend(returned(function).map(|result| (function.symbol, result)));
    }
    for function in functions {
        each_list(&mut function.body, &mut |list| list.iter_mut().for_each(|stmt| by_result(stmt, &own)));
    }
}

/// Makes a parameter the result.
fn returned(function: &mut Function) -> Option<(usize, Ty)> {
    let at = function.own_result.take().filter(|_| function.result.is_none())?;
    let (var, _) = function.params.remove(at);
    let ty = function.vars[var.0].ty.clone();
    let value = || Expr::new(ty.clone(), Kind::Read(Place::var(var, ty.clone())));
    each_list(&mut function.body, &mut |list| {
        list.iter_mut()
            .filter(|stmt| matches!(stmt, Stmt::Return(_)))
            .for_each(|stmt| *stmt = Stmt::Return(Some(value())));
    });
    if !matches!(function.body.last(), Some(Stmt::Return(_))) {
        function.body.push(Stmt::Return(Some(value())));
    }
    function.body.insert(0, Stmt::Declare(var, None));
    function.result = Some(ty.clone());
    Some((at, ty))
}

fn by_result(stmt: &mut Stmt, own: &FxHashMap<Name, (usize, Ty)>) {
    let Stmt::Do(call) = stmt else { return };
    let Kind::Call(callee, args) = &mut call.kind else { return };
    let Some((at, ty)) = own.get(callee) else { return };
    if let Arg::Place(place) = args.remove(*at) {
        let call = Expr::new(ty.clone(), std::mem::replace(&mut call.kind, Kind::Read(place.clone())));
        *stmt = Stmt::Assign(place, call);
    }
}
