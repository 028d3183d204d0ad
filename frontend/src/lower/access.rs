//! Lowers properties and subscripts: a read calls the getter, a write the setter. The object and
//! the arguments are evaluated once.

use super::Lowering;
use super::func::FuncLower;
use super::place::Place;
use crate::sema::tree::{Access, Dir, Expr, ExprKind, FuncId};
use crate::sema::types::Ty;
use caustic_dialects::hl;
use caustic_ir::codes;
use caustic_ir::{Diagnostic, ValueId};

/// A property of an object, ready to be read and written.
#[derive(Clone)]
pub(crate) struct Accessed {
    get: Option<FuncId>,
    set: Option<FuncId>,
    object: Object,
    args: Vec<ValueId>,
    get_statics: Vec<ValueId>,
    set_statics: Vec<ValueId>,
    pub ty: Ty,
}

#[derive(Clone)]
enum Object {
    None,
    /// The object as a value, because neither accessor changes it.
    Value(ValueId),
    Place(Place),
}

impl Lowering<'_, '_> {
    /// Whether a method takes its object by reference.
    pub(crate) fn changes_this(&self, f: FuncId) -> bool {
        self.checker.funcs[f.0 as usize].this == Some(Dir::InOut)
    }
}

impl FuncLower<'_, '_, '_> {
    /// The value of a property that is only read.
    pub(crate) fn read_access(&mut self, e: &Expr, a: &Access) -> ValueId {
        let changes = a.get.is_some_and(|f| self.lw.changes_this(f.func));
        let object = match a.args.first() {
            Some(this) if a.has_this && (changes || self.is_read_after_indices(this, a)) => {
                Object::Place(self.place(this))
            }
            Some(this) if a.has_this => Object::Value(self.value(this)),
            _ => Object::None,
        };
        let accessed = self.accessed(e, a, object);
        self.at(e);
        self.load_access(&accessed)
    }

    /// Whether the object of a subscript is read after its indices, which may change it.
    fn is_read_after_indices(&self, this: &Expr, a: &Access) -> bool {
        a.args.len() > 1 && (self.is_place(this) || matches!(this.kind, ExprKind::Access(_)))
    }

    pub(crate) fn access_place(&mut self, e: &Expr, a: &Access) -> Place {
        let changes = [a.get, a.set].iter().flatten().any(|f| self.lw.changes_this(f.func));
        let object = match a.args.first() {
            Some(this) if a.has_this && changes => Object::Place(self.place(this)),
            Some(this) if a.has_this => Object::Value(self.value(this)),
            _ => Object::None,
        };
        Place::Access(self.accessed(e, a, object).into())
    }

    fn accessed(&mut self, e: &Expr, a: &Access, object: Object) -> Accessed {
        let args = a.args[usize::from(a.has_this)..].iter().map(|p| self.value(p)).collect();
        let (get, set) = (a.get.map(|f| f.func), a.set.map(|f| f.func));
        let get_statics = self.statics_of(get, &a.get_statics);
        let set_statics = self.statics_of(set, &a.set_statics);
        Accessed { get, set, object, args, get_statics, set_statics, ty: e.ty }
    }

    /// The static variables that an accessor takes as its last parameters: pointers by value, all
    /// others by reference.
    fn statics_of(&mut self, accessor: Option<FuncId>, statics: &[Expr]) -> Vec<ValueId> {
        let Some(f) = accessor else { return Vec::new() };
        let params = &self.lw.checker.funcs[f.0 as usize].params;
        let dirs: Vec<Dir> = params.iter().rev().take(statics.len()).rev().map(|p| p.dir).collect();
        let mut out = Vec::with_capacity(statics.len());
        for (s, dir) in statics.iter().zip(dirs) {
            if dir == Dir::In {
                out.push(self.value(s));
            } else if let Place::Ref { reference, .. } = self.place(s) {
                out.push(reference);
            }
        }
        out
    }

    pub(crate) fn load_access(&mut self, a: &Accessed) -> ValueId {
        let Some(get) = a.get else {
            let d = Diagnostic::error(codes::E0218, self.loc, "this property can only be written: it has no `get`");
            self.lw.problems.push(d);
            return self.zero(Ty::int());
        };
        let ty = a.ty;
        match self.call_accessor(get, a, &a.get_statics, None, Some(ty)) {
            Some(v) => v,
            None => self.zero(ty),
        }
    }

    pub(crate) fn store_access(&mut self, a: &Accessed, value: ValueId) {
        if let Some(set) = a.set {
            self.call_accessor(set, a, &a.set_statics, Some(value), None);
        }
    }

    fn call_accessor(
        &mut self,
        f: FuncId,
        a: &Accessed,
        statics: &[ValueId],
        value: Option<ValueId>,
        ret: Option<Ty>,
    ) -> Option<ValueId> {
        let by_reference = self.lw.changes_this(f);
        let mut back = None;
        let mut operands = Vec::with_capacity(a.args.len() + 2);
        match &a.object {
            Object::None => {}
            Object::Value(v) => operands.push(*v),
            Object::Place(p) if !by_reference => operands.push(self.load(p)),
            Object::Place(Place::Ref { reference, .. }) => operands.push(*reference),
            Object::Place(p) => {
                let v = self.load(p);
                if let Place::Ref { reference, .. } = self.temporary(v, p.ty()) {
                    operands.push(reference);
                    back = Some((p.clone(), reference));
                }
            }
        }
        operands.extend(a.args.iter().copied().chain(value).chain(statics.iter().copied()));
        let callee = self.lw.callee(f);
        let results: Vec<_> = ret.into_iter().map(|t| self.lw.ty(t)).collect();
        let op = self.call_op(callee, &operands, &results, false);
        if let Some((place, reference)) = back {
            let ir = self.lw.ty(place.ty());
            let v = hl::Load::build(&mut self.b(), reference, ir, &[]);
            self.store(&place, v);
        }
        (!results.is_empty()).then(|| self.body.result(op, 0))
    }
}
