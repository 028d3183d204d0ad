//! The constructor without parameters that a struct has because an interface asks for it, although
//! the struct declares only others.

use super::bounds::Bound;
use super::types::Args;
use super::*;

impl Checker<'_> {
    /// The function that provides a required `__init()`. It sets the fields to their initial
    /// values.
    pub(super) fn default_constructor(&mut self, ty: Ty, required: FuncId) -> Option<FuncRef> {
        let info = &self.funcs[required.0 as usize];
        let (id, span) = (ty.as_struct()?, info.decl.span);
        if *info.name != *"__init" || !info.params.is_empty() || info.declares_generics || !self.needs_arguments(id) {
            return None;
        }
        if let Some(known) = self.wrappers.get(&(ty, required)) {
            return Some(FuncRef { func: *known, args: Args::none() });
        }
        let made = self.new_synthesized(Name::new("__init"), Vec::new(), ty, span);
        self.wrappers.insert((ty, required), made);
        let value = self.default_fields(id, span);
        let stmts = vec![Stmt { span, kind: StmtKind::Return(Some(value)) }];
        let info = &mut self.funcs[made.0 as usize];
        (info.body, info.state) = (Some(Rc::new(Body { stmts, ..Body::default() })), State::Done);
        Some(FuncRef { func: made, args: Args::none() })
    }

    /// Whether a value of the struct is made by a constructor that needs arguments.
    pub(super) fn lacks_default(&mut self, id: StructId) -> bool {
        self.needs_arguments(id) && !self.is_asked_for_default(id)
    }

    /// Whether an interface that the struct conforms to requires `__init()`.
    pub(super) fn is_asked_for_default(&mut self, id: StructId) -> bool {
        let ty = Ty::new(types::TyKind::Struct(id));
        self.ensure_bases(id);
        self.ensure_extensions();
        let s = self.struct_subst(id);
        let head = self.head(ty);
        for c in self.by_head.get(&head).cloned().unwrap_or_default() {
            let asked = self.conformances[c as usize].interface;
            let asked = self.subst_ref(asked, &s);
            for b in self.with_bases(asked, ty) {
                let Bound::Interface(i) = b else { continue };
                let ns = self.interfaces[i.id.0 as usize].ns;
                let found = self.namespaces[ns.0 as usize].names.get(&Name::new("__init")).cloned();
                for e in found.unwrap_or_default() {
                    let Entry::Func(f) = e else { continue };
                    self.ensure_signature(f);
                    if self.funcs[f.0 as usize].params.is_empty() && self.conforms(ty, asked) {
                        return true;
                    }
                }
            }
        }
        false
    }
}
