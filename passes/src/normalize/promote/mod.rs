//! Step 2, `promote` (hl -> func + scf + agg): functions in SSA.
//!
//! A local variable becomes the current value of the whole variable, structs and arrays included;
//! an address becomes a path into it ([`place`]). Branches yield the variables that they assign,
//! loops carry those that their iterations assign ([`control`]), in the order of declaration. `out`
//! and `inout` parameters become inputs and results, calls copy in and out ([`boundary`]).
//!
//! The current values are one table with an undo log, so that entering a region costs nothing and
//! leaving it what was assigned in it. What is carried for nothing goes with `canonicalize` and
//! `dce`.

mod boundary;
mod control;
mod place;
mod variables;
mod written;

pub use boundary::{FUNCTION_TYPE, directions, directions_of, normalized_type};
pub use written::{Callee, Callees, callees};

use super::depth;
use crate::manager::{Changed, PassReport};
use crate::passes;
use caustic_dialects::hl;
use caustic_dialects::signature::{Direction, PARAMS, param_attr};
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, Loc, Module, Name, OpId, Result, SymbolOp, Type, ValueId};
use place::Place;
use rustc_hash::FxHashMap;
use variables::{Var, Variables};

passes! {
    /// Turns high-level functions into SSA: variables and addresses become values, `out` and
    /// `inout` parameters results.
    ///
    /// `hl.func` becomes `func.func`, `hl.if`, `hl.switch` and `hl.loop` become `scf`, accesses to
    /// parts of variables become `agg` and `vector` ops. Early exits must be gone.
    pub static PROMOTE: "promote" {
        level: module, options: none, before: "hl without early exits", after: "func scf arith math vector agg, ad.derivative",
        statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            // One pass over the module: a function's new type and the calls of it change together.
            super::promote_all(module).map(|()| Changed::Yes)
        },
    }
}

/// Turns an `hl.func` into a `func.func`, and rewrites the type of an `ad.derivative`; whether it
/// was one. Early exits must be gone.
pub fn run(symbol: &mut SymbolOp, callees: &Callees) -> Result<bool> {
    let Some((inputs, results)) = normalized_type(symbol) else { return Ok(false) };
    let function_type = Attr::ty(Type::function(&inputs, &results));
    if !std::ptr::eq(symbol.def, hl::Func::DEF) {
        write_directions(symbol);
        symbol.set_attr(FUNCTION_TYPE, function_type);
        return Ok(true);
    }
    depth::check(&symbol.body, symbol.loc)?;
    if let Some(entry) = symbol.body.entry() {
        let directions = directions_of(symbol).unwrap_or_default();
        symbol.body = Promoter::new(&symbol.body, callees).function(entry, &directions, &inputs, symbol.loc)?;
    }
    write_directions(symbol);
    symbol.def = caustic_dialects::func::Func::DEF;
    symbol.set_attr(FUNCTION_TYPE, function_type);
    Ok(true)
}

/// Writes down the directions that only the refs in the old type say.
fn write_directions(symbol: &mut SymbolOp) {
    let directions = directions_of(symbol).unwrap_or_default();
    if symbol.attr(PARAMS).is_none() && directions.iter().any(|&d| d != Direction::In) {
        let entry = |(i, &d): (usize, &Direction)| param_attr(&format!("arg{i}"), d, false);
        symbol.set_attr(PARAMS, Attr::array(directions.iter().enumerate().map(entry).collect()));
    }
}

struct Promoter<'a> {
    old: &'a Body,
    new: Body,
    callees: &'a Callees,
    variables: Variables,
    /// What a value became.
    values: Vec<Option<ValueId>>,
    places: FxHashMap<ValueId, Place>,
    /// The current value of each variable; `None` where it is not declared.
    env: Vec<Option<ValueId>>,
    /// What `env` held before each assignment.
    log: Vec<(Var, Option<ValueId>)>,
}

/// The variables that a region assigned, with their values at its end, by variable.
type Assigned = Vec<(Var, ValueId)>;

impl<'a> Promoter<'a> {
    fn new(old: &'a Body, callees: &'a Callees) -> Self {
        let variables = Variables::of(old);
        let env = vec![None; variables.len()];
        let values = vec![None; old.num_values()];
        Promoter {
            old,
            new: Body::new(),
            callees,
            variables,
            values,
            places: FxHashMap::default(),
            env,
            log: Vec::new(),
        }
    }

    fn function(mut self, entry: BlockId, directions: &[Direction], inputs: &[Type], loc: Loc) -> Result<Body> {
        let root = self.new.root();
        let block = self.new.add_block(root, inputs);
        let mut next = 0;
        let mut outs = Vec::new();
        for (i, &arg) in self.old.args(entry).iter().enumerate() {
            let hint = self.old.value(arg).hint;
            let mut input = || {
                let value = self.new.args(block).get(next).copied();
                next += 1;
                if let Some(value) = value {
                    self.new.set_hint(value, hint);
                }
                value.ok_or_else(|| Diagnostic::invalid_ir(loc, "the body's arguments are not those of function_type"))
            };
            let direction = directions.get(i).copied().unwrap_or(Direction::In);
            if direction == Direction::In {
                self.values[arg.index()] = Some(input()?);
                continue;
            }
            let Some(var) = self.variables.of_ref(arg) else {
                return Err(Diagnostic::invalid_ir(
                    loc,
                    format!("parameter {i} is {} but no ref", direction.keyword()),
                ));
            };
            let value = match direction {
                Direction::InOut => input()?,
                _ => self.zero(self.variables.ty(var), block, loc),
            };
            outs.push(var);
            self.assign(var, value);
            self.places.insert(arg, Place::variable(var));
        }
        let end = self.block(entry, block)?;
        if !hl::Return::is(self.old, end) {
            return Err(Diagnostic::invalid_ir(self.old.loc(end), "the function does not end with hl.return"));
        }
        let mut values = self.operands(end)?;
        for var in outs {
            values.push(self.current(var, self.old.loc(end))?);
        }
        let mut b = Builder::at_end(&mut self.new, block, self.old.loc(end));
        caustic_dialects::func::Return::build(&mut b, &values, &[]);
        Ok(self.new)
    }

    /// Translates the ops of `from` to the end of `to`, but for the terminator, which is returned.
    fn block(&mut self, from: BlockId, to: BlockId) -> Result<OpId> {
        let mut next = self.old.first_op(from);
        while let Some(op) = next {
            next = self.old.next_op(op);
            if self.old.op(op).def.is_terminator() && next.is_none() {
                return Ok(op);
            }
            self.op(op, to)?;
        }
        let loc = self.old.parent_op(from).map_or(Loc::unknown(), |op| self.old.loc(op));
        Err(Diagnostic::invalid_ir(loc, "a block without a terminator"))
    }

    fn op(&mut self, op: OpId, to: BlockId) -> Result<()> {
        let old = self.old;
        let loc = old.loc(op);
        if hl::Var::is(old, op) {
            let result = old.result(op, 0);
            let Some(var) = self.variables.of_ref(result) else {
                return Err(Diagnostic::internal(loc, "a variable without a number"));
            };
            let value = self.zero(self.variables.ty(var), to, loc);
            self.places.insert(result, Place::variable(var));
            self.assign(var, value);
            return Ok(());
        }
        if let Some(load) = hl::Load::cast(old, op) {
            let place = self.place(load.reference(old), loc)?;
            let value = self.read(&place, to, loc)?;
            return self.define(op, 0, value);
        }
        if let Some(store) = hl::Store::cast(old, op) {
            let place = self.place(store.reference(old), loc)?;
            let value = self.value(store.value(old), loc)?;
            return self.write(&place, value, to, loc);
        }
        if hl::Field::is(old, op) || hl::Element::is(old, op) || hl::BufferElement::is(old, op) {
            return self.address(op, to);
        }
        if hl::If::is(old, op) {
            return self.branch(op, to);
        }
        if hl::Switch::is(old, op) {
            return self.switch(op, to);
        }
        if hl::Loop::is(old, op) {
            return self.loop_op(op, to);
        }
        if hl::Call::is(old, op) {
            return self.call(op, to);
        }
        let data = old.op(op);
        if data.def.dialect() == "hl" || !data.regions.is_empty() {
            return Err(Diagnostic::invalid_ir(loc, format!("{} cannot stand here", data.def.name)));
        }
        let operands = self.operands(op)?;
        let types: Vec<Type> = data.results.iter().map(|&v| old.ty(v)).collect();
        let copy = self.new.create_op(data.def, &operands, &types, data.attrs.clone(), 0, loc);
        self.new.insert_op(copy, to, None);
        for i in 0..types.len() {
            let value = self.new.result(copy, i);
            self.define(op, i, value)?;
        }
        Ok(())
    }

    /// Result `index` of `op` is `value` from now on.
    fn define(&mut self, op: OpId, index: usize, value: ValueId) -> Result<()> {
        let Some(&result) = self.old.results(op).get(index) else {
            return Err(Diagnostic::invalid_ir(
                self.old.loc(op),
                format!("{}: a result is missing", self.old.op(op).def.name),
            ));
        };
        self.values[result.index()] = Some(value);
        self.hint(value, self.old.value(result).hint);
        Ok(())
    }

    /// Names a value that has no name yet.
    fn hint(&mut self, value: ValueId, hint: Option<Name>) {
        if self.new.value(value).hint.is_none() {
            self.new.set_hint(value, hint);
        }
    }

    fn value(&self, value: ValueId, loc: Loc) -> Result<ValueId> {
        self.values[value.index()].ok_or_else(|| Diagnostic::invalid_ir(loc, "an address is used as a value"))
    }

    fn operands(&self, op: OpId) -> Result<Vec<ValueId>> {
        self.old.operands(op).iter().map(|&v| self.value(v, self.old.loc(op))).collect()
    }

    fn current(&self, var: Var, loc: Loc) -> Result<ValueId> {
        self.env[var.index()].ok_or_else(|| Diagnostic::invalid_ir(loc, "a variable is used outside of its scope"))
    }

    fn assign(&mut self, var: Var, value: ValueId) {
        let old = self.env[var.index()].replace(value);
        self.log.push((var, old));
        self.hint(value, self.variables.name(var));
    }

    fn open_scope(&self) -> usize {
        self.log.len()
    }

    /// Undoes the assignments since `mark`; returns those to variables that live on.
    fn close_scope(&mut self, mark: usize) -> Assigned {
        let mut vars: Vec<Var> = self.log[mark..].iter().map(|&(var, _)| var).collect();
        vars.sort_unstable();
        vars.dedup();
        let finals: Vec<Option<ValueId>> = vars.iter().map(|var| self.env[var.index()]).collect();
        for (var, old) in self.log.drain(mark..).rev() {
            self.env[var.index()] = old;
        }
        let pairs = vars.into_iter().zip(finals);
        pairs.filter(|(var, _)| self.env[var.index()].is_some()).filter_map(|(var, v)| v.map(|v| (var, v))).collect()
    }
}
