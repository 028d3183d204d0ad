//! Members of types: those of the declaration, of its extensions, and of the interfaces that it
//! conforms to.

use super::bounds::Bound;
use super::generics::Subst;
use super::types::TyKind;
use super::*;

/// An entry, with the arguments of the generic parameters around its declaration.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub entry: Entry,
    pub subst: Subst,
    /// Whether it is a member of a type, as opposed to a global name.
    pub of_type: bool,
    /// Whether a `using` of the namespace that was named brings it.
    pub brought: bool,
}

impl Member {
    pub fn global(entry: Entry) -> Member {
        Member { entry, subst: Subst::default(), of_type: false, brought: false }
    }
    pub fn as_func(&self) -> Option<FuncId> {
        match self.entry {
            Entry::Func(f) => Some(f),
            _ => None,
        }
    }
}

impl Checker<'_> {
    /// The type of `this` in the members of a type.
    pub(crate) fn this_type(&self, owner: Owner) -> Ty {
        match owner {
            Owner::Struct(id) => Ty::new(TyKind::Struct(id)),
            Owner::Enum(id) => Ty::new(TyKind::Enum(id)),
            Owner::Interface(id) => Ty::new(TyKind::Param(self.interfaces[id.0 as usize].this)),
            Owner::Extension(id) => self.extensions[id.0 as usize].target,
        }
    }

    /// The type whose members are declared in or around `ns`.
    pub(crate) fn this_type_of_ns(&self, ns: NsId) -> Option<Ty> {
        self.owner_of(ns).map(|o| self.this_type(o))
    }

    /// All members of a type of this name. Members of its interfaces are included if the type
    /// itself has none.
    pub(crate) fn type_members(&mut self, ty: Ty, name: Name) -> Vec<Member> {
        self.members_of(ty, name, true)
    }

    pub(crate) fn members_of(&mut self, ty: Ty, name: Name, inherited: bool) -> Vec<Member> {
        let mut out = Vec::new();
        // Extensions of builtin types are read where one of their members is asked for.
        let declares = match name.as_str() {
            "maxValue" | "minValue" if ty.as_scalar().is_some() => Some("IRangedValue"),
            "Element" if matches!(ty.kind(), TyKind::Vector(..) | TyKind::VectorOf(..)) => Some("IArray"),
            _ => None,
        };
        if let Some(interface) = declares {
            self.load_prelude(Name::new(interface));
        }
        if let TyKind::Struct(id) = ty.kind() {
            let ns = self.structs[id.0 as usize].ns;
            let subst = self.struct_subst(*id);
            self.gather(ns, name, &subst, &mut out);
        }
        if let TyKind::Enum(id) = ty.kind() {
            let ns = self.enums[id.0 as usize].ns;
            self.gather(ns, name, &Subst::default(), &mut out);
        }
        for (id, subst) in self.extensions_of(ty) {
            let ns = self.extensions[id.0 as usize].ns;
            // Code that was checked already keeps what it found, wherever it is instantiated.
            if inherited && !self.imports_module_of(ns) {
                continue;
            }
            self.gather(ns, name, &subst, &mut out);
        }
        if is_inherited(name)
            && let Some(base) = self.base_of(ty)
        {
            self.gather_inherited(base, name, inherited, &mut out);
        }
        let unseen = !self.hidden.is_empty() && !out.iter().any(|m| self.sees(m.entry));
        // If extensions of a generic parameter have functions, the functions that its constraints
        // require are overloads of them.
        let overloads = matches!(ty.kind(), TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. })
            && out.iter().all(|m| matches!(m.entry, Entry::Func(_)));
        if !inherited || !(out.is_empty() || unseen || overloads) {
            return out;
        }
        // A member that may not be named here may provide a requirement that may.
        let mut own = std::mem::take(&mut out);
        match ty.kind() {
            TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } | TyKind::Interface(_) => {
                // If this is the interface's own `This`, the interface may not be resolved yet.
                for i in self.facts_of(ty).interfaces.clone() {
                    for b in self.with_bases(i, ty) {
                        if let Bound::Interface(i) = b {
                            self.gather_required(i, ty, name, &mut out);
                        }
                    }
                }
            }
            kind => {
                let s = match kind {
                    TyKind::Struct(id) => {
                        self.ensure_bases(*id);
                        self.struct_subst(*id)
                    }
                    _ => Subst::default(),
                };
                self.ensure_extensions();
                let head = self.head(ty);
                for c in self.by_head.get(&head).cloned().unwrap_or_default() {
                    let c = self.conformances[c as usize].clone();
                    let i = self.subst_ref(c.interface, &s);
                    if self.conforms(ty, i) {
                        self.gather_required(i, ty, name, &mut out);
                    }
                }
            }
        }
        if overloads || out.is_empty() {
            own.extend(out);
            return own;
        }
        out
    }

    /// Adds what a type finds in the struct that it inherits from. Functions and subscripts of both
    /// are overloads; whatever else the type declares hides what it would inherit.
    fn gather_inherited(&mut self, base: Ty, name: Name, inherited: bool, out: &mut Vec<Member>) {
        let overloads = |m: &Member| match m.entry {
            Entry::Func(_) => true,
            Entry::Property(_) => name == *properties::SUBSCRIPT,
            _ => false,
        };
        if out.is_empty() {
            *out = self.members_of(base, name, inherited);
        } else if properties::accessor_of(&name).is_none_or(|(of, _)| of == properties::SUBSCRIPT)
            && out.iter().all(overloads)
        {
            // What only an interface of the base provides is no overload of what a type declares.
            let more = self.members_of(base, name, false);
            for m in more.into_iter().filter(overloads) {
                if !inherited || self.imports_member(&m) {
                    out.push(m);
                }
            }
        }
    }

    /// Whether the code that is being checked imports what declares a member.
    fn imports_member(&mut self, m: &Member) -> bool {
        let owner = match m.entry {
            Entry::Func(f) => self.funcs[f.0 as usize].owner,
            Entry::Property(p) => {
                let info = &self.properties[p.0 as usize];
                info.get.or(info.set).and_then(|f| self.funcs[f.0 as usize].owner)
            }
            _ => None,
        };
        match owner {
            Some(Owner::Extension(id)) => self.imports_module_of(self.extensions[id.0 as usize].ns),
            _ => true,
        }
    }

    /// Whether `from` declares a struct that inherits from what `to` declares, whatever the generic
    /// arguments.
    pub(crate) fn declares_derived(&mut self, from: Owner, to: Owner) -> bool {
        let declared = |c: &Self, owner: Owner| {
            let id = c.this_type(owner).as_struct()?;
            Some(c.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base))
        };
        let (Some(mut at), Some(to)) = (declared(self, from), declared(self, to)) else { return false };
        while let Some(base) = self.base_of(Ty::new(TyKind::Struct(at))).and_then(|b| b.as_struct()) {
            at = self.structs[base.0 as usize].instance_of.map_or(base, |(base, _)| base);
            if at == to {
                return true;
            }
        }
        false
    }

    fn gather(&self, ns: NsId, name: Name, subst: &Subst, out: &mut Vec<Member>) {
        let Some(entries) = self.namespaces[ns.0 as usize].names.get(&name) else { return };
        for e in entries {
            if !out.iter().any(|m| m.entry == *e && m.subst == *subst) {
                out.push(Member { entry: *e, subst: subst.clone(), of_type: true, brought: false });
            }
        }
    }

    fn gather_required(&mut self, i: types::InterfaceRef, ty: Ty, name: Name, out: &mut Vec<Member>) {
        let ns = self.interfaces[i.id.0 as usize].ns;
        if self.namespaces[ns.0 as usize].names.contains_key(&name) {
            let s = self.interface_subst(i, ty);
            self.gather(ns, name, &s, out);
        }
    }

    /// The type that a member names.
    pub(crate) fn member_type(&mut self, m: &Member, name: ast::Ident, args: Option<&[ast::Expr]>) -> Option<Ty> {
        let ty = self.entry_type(m.entry, &m.subst, name, args)?;
        Some(self.subst(ty, &m.subst))
    }
}

/// Whether members of this name are inherited. A constructor is not, because it makes values of its
/// own type.
fn is_inherited(name: Name) -> bool {
    name != *"__init"
}
