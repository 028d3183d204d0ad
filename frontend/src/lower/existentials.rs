//! Lowers values of interface types: emits interfaces with the requirements that are called, and
//! witness tables for the conforming types. The pass `specialize` lays the values out and makes the
//! functions that dispatch.

use super::Lowering;
use super::func::FuncLower;
use crate::sema::tree::{Dir, FuncId};
use crate::sema::types::{GArg, InterfaceRef, Ty, TyKind};
use caustic_dialects::hl::generics::{FunctionRef, existential_type, param_type};
use caustic_dialects::signature::{DIFFERENTIABLE, NO_DIFF_RESULT, PARAMS, WRITTEN_RESULT};
use caustic_dialects::{agg, hl};
use caustic_ir::{Attr, Name, OpId, SymbolOp, Type, TypeKind, ValueId};

impl Lowering<'_, '_> {
    /// The symbol of an interface that is the type of values.
    fn interface(&mut self, i: InterfaceRef) -> Name {
        if let Some(name) = self.interfaces.get(&i) {
            return *name;
        }
        let shown = self.checker.show_ref(i);
        let name = self.checker.fresh_symbol(&shown);
        self.interfaces.insert(i, name);
        name
    }

    pub(crate) fn existential(&mut self, i: InterfaceRef) -> Type {
        existential_type(self.interface(i), &[])
    }

    /// The callee of a call: a function, or a requirement that is dispatched by type.
    pub(crate) fn callee(&mut self, f: FuncId) -> Attr {
        let Some(at) = self.checker.funcs[f.0 as usize].dispatch else { return Attr::symbol(self.need(f)) };
        let d = &self.checker.existentials.dispatches[at as usize];
        let (interface, key) = (d.interface, d.key);
        FunctionRef::dynamic(Attr::symbol(self.interface(interface)), &key, &[])
    }

    /// Queues the functions that dispatched calls may choose. Returns whether there were new ones.
    pub(crate) fn need_entries(&mut self) -> bool {
        let before = self.queue.len();
        for at in 0..self.checker.existentials.dispatches.len() {
            let d = &self.checker.existentials.dispatches[at];
            if self.interfaces.contains_key(&d.interface) {
                for f in d.entries.clone() {
                    self.need(f);
                }
            }
        }
        self.queue.len() > before
    }

    /// Emits the interfaces that are types of values, and a witness table for each conforming type.
    pub(crate) fn witness_tables(&mut self) {
        let mut done = Vec::new();
        // A conforming type may contain values of other interfaces.
        loop {
            let mut open: Vec<(Name, InterfaceRef)> = self.interfaces.iter().map(|(i, n)| (*n, *i)).collect();
            open.retain(|(_, i)| !done.contains(i));
            open.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
            if open.is_empty() {
                return;
            }
            for (name, i) in open {
                self.tables_of(name, i);
                done.push(i);
            }
        }
    }

    fn tables_of(&mut self, name: Name, i: InterfaceRef) {
        let span = self.checker.interfaces[i.id.0 as usize].span;
        let loc = self.checker.loc(span);
        let mut requirements = Vec::new();
        let mut keys = Vec::new();
        for at in 0..self.checker.existentials.dispatches.len() {
            let d = &self.checker.existentials.dispatches[at];
            if d.interface == i {
                let (key, func, entries) = (d.key, d.func, d.entries.clone());
                requirements.push(self.requirement(key, func));
                keys.push((key, entries));
            }
        }
        let mut op = SymbolOp::new(hl::Interface::DEF, name, loc);
        op.set_attr("requirements", Attr::array(requirements));
        if self.checker.is_differentiable_type(Ty::new(TyKind::Interface(i))) {
            op.set_attr("differentiable", Attr::unit());
        }
        self.add(op);
        let conformers = self.checker.conformers(i).to_vec();
        for (k, c) in conformers.iter().enumerate() {
            let table = self.table(i, c.ty);
            let mut op = SymbolOp::new(hl::WitnessTable::DEF, table, loc);
            op.set_attr("interface", Attr::symbol(name));
            op.set_attr("for", Attr::ty(self.source(c.ty)));
            op.set_attr("id", Attr::i64(k as i64 + 1));
            let mut entries = Vec::with_capacity(keys.len());
            for (key, functions) in &keys {
                if let Some(f) = functions.get(k) {
                    entries.push((*key, Attr::symbol(self.need(*f))));
                }
            }
            op.set_attr("entries", Attr::dict(entries));
            self.add(op);
        }
    }

    fn table(&mut self, i: InterfaceRef, ty: Ty) -> Name {
        Name::new(&format!("{}:{}", self.checker.symbol_of_arg(GArg::Ty(ty)), self.interface(i)))
    }

    fn requirement(&mut self, key: Name, func: FuncId) -> Attr {
        let info = &self.checker.funcs[func.0 as usize];
        let (params, ret, no_diff) = (info.params.clone(), info.ret, info.ret_no_diff);
        let (differentiable, forward) = (info.attrs.differentiable, info.attrs.forward_only);
        let mut out = vec![(Name::new("key"), Attr::string(&key)), (Name::new("kind"), Attr::string("function"))];
        for (name, value) in self.signature_attrs(&params, ret, no_diff) {
            match name {
                PARAMS | NO_DIFF_RESULT | WRITTEN_RESULT => out.push((Name::new(name), value)),
                _ => out.push((Name::new("type"), Self::with_this(value, params.first().map(|p| p.dir)))),
            }
        }
        if differentiable {
            out.push((Name::new(DIFFERENTIABLE), Attr::string(if forward { "forward" } else { "both" })));
        }
        Attr::dict(out)
    }

    /// A function type with the type parameter `This` in place of the object's type.
    fn with_this(function: Attr, dir: Option<Dir>) -> Attr {
        let this = param_type("This");
        match function.as_type().map(Type::kind) {
            Some(TypeKind::Function { inputs, results }) if !inputs.is_empty() => {
                let mut inputs = inputs.clone();
                inputs[0] = if dir == Some(Dir::In) { this } else { hl::ref_type(this) };
                Attr::ty(Type::function(&inputs, results))
            }
            _ => function,
        }
    }
}

impl FuncLower<'_, '_, '_> {
    /// Calls a function, or a requirement that is dispatched by type.
    pub(crate) fn call_op(&mut self, callee: Attr, operands: &[ValueId], results: &[Type], no_diff: bool) -> OpId {
        let mut attrs = vec![("callee", callee)];
        if no_diff {
            attrs.push(("no_diff", Attr::unit()));
        }
        match callee.as_symbol() {
            Some(_) => hl::Call::build(&mut self.b(), operands, results, &attrs),
            None => hl::CallGeneric::build(&mut self.b(), operands, results, &attrs),
        }
    }

    pub(crate) fn make_existential(&mut self, v: ValueId, from: Ty, to: Ty) -> ValueId {
        let TyKind::Interface(i) = to.kind() else { return v };
        let (ir, source) = (self.lw.ty(to), self.lw.source(from));
        let table = self.lw.table(*i, from);
        let attrs = [("for", Attr::ty(source)), ("witness", Attr::symbol(table))];
        hl::MakeExistential::build(&mut self.b(), v, ir, &attrs)
    }

    pub(crate) fn is_dynamic(&mut self, v: ValueId, of: Ty) -> ValueId {
        let source = self.lw.source(of);
        hl::IsDynamic::build(&mut self.b(), v, Type::i1(), &[("for", Attr::ty(source))])
    }

    /// The value of type `of` that `v` holds. If `ty` is an `Optional`, the result says whether `v`
    /// holds one.
    pub(crate) fn as_dynamic(&mut self, v: ValueId, of: Ty, ty: Ty) -> ValueId {
        let (ir, source) = (self.lw.ty(of), self.lw.source(of));
        let held = hl::AsDynamic::build(&mut self.b(), v, ir, &[("for", Attr::ty(source))]);
        if ty == of {
            return held;
        }
        let is = self.is_dynamic(v, of);
        let optional = self.lw.ty(ty);
        agg::Make::build(&mut self.b(), &[held, is], optional, &[])
    }
}
