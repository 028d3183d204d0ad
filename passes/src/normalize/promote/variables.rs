//! The local variables of a function: numbered in the order of declaration, with what each loop
//! assigns.

use caustic_dialects::hl;
use caustic_ir::{BlockId, Body, Name, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(u32);

impl Var {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

struct Variable {
    ty: Type,
    name: Option<Name>,
    declared_in: BlockId,
}

/// All variables: `out` and `inout` parameters first, then the others.
#[derive(Default)]
pub struct Variables {
    vars: Vec<Variable>,
    /// The variable that a ref leads into.
    roots: FxHashMap<ValueId, Var>,
    /// For each loop the variables that live outside of it and that an iteration may assign, in
    /// order.
    assigned: FxHashMap<OpId, Vec<Var>>,
}

impl Variables {
    pub fn of(body: &Body) -> Variables {
        let mut this = Variables::default();
        let Some(entry) = body.entry() else { return this };
        for &arg in body.args(entry) {
            if let Some(ty) = hl::as_ref(body.ty(arg)) {
                this.declare(arg, ty, body.value(arg).hint, entry);
            }
        }
        let mut pairs: FxHashSet<(OpId, Var)> = FxHashSet::default();
        for op in body.walk_all() {
            let data = body.op(op);
            if let Some(var) = hl::Var::cast(body, op) {
                let result = body.result(op, 0);
                let name = var.name(body).map(Name::new);
                if let (Some(ty), Some(block)) = (hl::as_ref(body.ty(result)), data.block) {
                    this.declare(result, ty, name.or(body.value(result).hint), block);
                }
            } else if hl::Field::is(body, op) || hl::Element::is(body, op) {
                if let Some(&root) = this.roots.get(&body.operand(op, 0)) {
                    this.roots.insert(body.result(op, 0), root);
                }
            } else if hl::Store::is(body, op) || hl::Call::is(body, op) {
                let skip = if hl::Store::is(body, op) { 1 } else { 0 };
                for reference in data.operands.iter().skip(skip) {
                    if let Some(&var) = this.roots.get(reference) {
                        this.note(body, op, var, &mut pairs);
                    }
                }
            }
        }
        for vars in this.assigned.values_mut() {
            vars.sort_unstable();
        }
        this
    }

    fn declare(&mut self, reference: ValueId, ty: Type, name: Option<Name>, declared_in: BlockId) {
        self.roots.insert(reference, Var(self.vars.len() as u32));
        self.vars.push(Variable { ty, name, declared_in });
    }

    /// Records that `op` may assign `var`, for the loops between the two.
    fn note(&mut self, body: &Body, op: OpId, var: Var, pairs: &mut FxHashSet<(OpId, Var)>) {
        let home = self.vars[var.index()].declared_in;
        let mut block = body.op(op).block;
        while let Some(at) = block.filter(|&b| b != home) {
            let Some(parent) = body.parent_op(at) else { return };
            if hl::Loop::is(body, parent) {
                if !pairs.insert((parent, var)) {
                    // The loops further out know it already.
                    return;
                }
                self.assigned.entry(parent).or_default().push(var);
            }
            block = body.op(parent).block;
        }
    }

    pub fn len(&self) -> usize {
        self.vars.len()
    }
    pub fn of_ref(&self, reference: ValueId) -> Option<Var> {
        self.roots.get(&reference).copied()
    }
    pub fn ty(&self, var: Var) -> Type {
        self.vars[var.index()].ty
    }
    pub fn name(&self, var: Var) -> Option<Name> {
        self.vars[var.index()].name
    }
    pub fn declared_in(&self, var: Var) -> BlockId {
        self.vars[var.index()].declared_in
    }
    pub fn assigned_in(&self, op: OpId) -> &[Var] {
        self.assigned.get(&op).map_or(&[], |vars| vars)
    }
}
