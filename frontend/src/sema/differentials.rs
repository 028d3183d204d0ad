//! Differential types: those derived from the parts of a type, and those that the programmer
//! chooses (seeds: user guide, "Differentiable Type System"; AD types, "Derivative member
//! associations").
//!
//! A chosen differential is any struct that is its own differential. The fields of the type state
//! where their derivatives are in it (`[DerivativeMember]`), unless the type is its own
//! differential. Its `dzero` and `dadd`, or those of the type whose differential it is, replace the
//! zero and the sum that are made part by part.

use super::types::{InterfaceRef, TyKind};
use super::*;
use caustic_ir::codes;

/// The differential that the programmer chooses for a struct.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub ty: Ty,
    /// By field: the index of its derivative's field in the differential.
    pub places: Vec<Option<usize>>,
}

/// The programmer's functions for arithmetic on a differential type.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    pub ty: Ty,
    pub zero: Option<FuncId>,
    pub add: Option<FuncId>,
}

impl Checker<'_> {
    /// The differential type of `ty`; `None` if values of it carry no derivative.
    pub(crate) fn differential(&mut self, ty: Ty) -> Option<Ty> {
        match ty.kind() {
            TyKind::Error => Some(ty),
            TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix(s, _, _) => s.is_float().then_some(ty),
            TyKind::Array(t, n) => self.differential(*t).map(|d| Ty::array(d, *n)),
            TyKind::Pair(t) => self.differential(*t).map(Ty::pair),
            TyKind::Struct(id) => self.struct_differential(*id),
            TyKind::VectorOf(t, _) | TyKind::MatrixOf(t, ..) => {
                self.element_set(*t).is_some_and(bounds::TypeSet::only_floats).then_some(ty)
            }
            TyKind::ArrayOf(t, n) => self.differential(*t).map(|d| Ty::array_of(d, *n)),
            TyKind::Pack(list) => {
                let parts: Option<Vec<Ty>> = packs::types_in(list).map(|t| self.differential(t)).collect();
                parts.map(|p| self.make_pack(p))
            }
            TyKind::Expand(pattern, of) => self.differential(*pattern).map(|d| self.expand_type(d, *of)),
            TyKind::Param(p) if self.is_variadic(*p) => {
                let one = self.element_of(ty);
                self.differential(one).map(|d| self.expand_type(d, ty))
            }
            TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } => self.abstract_differential(ty),
            TyKind::Interface(i) => self.interface_differential(*i),
            _ => None,
        }
    }

    /// The differential of a generic parameter: the type itself if it stands for floats, else the
    /// associated type.
    fn abstract_differential(&mut self, ty: Ty) -> Option<Ty> {
        // A clause may state which type the parameter is.
        let known = self.canonical(ty);
        if known != ty {
            return self.differential(known);
        }
        let facts = self.facts_of(ty);
        if facts.builtin.is_some_and(bounds::TypeSet::only_floats) {
            return Some(ty);
        }
        if !facts.differentiable {
            return None;
        }
        // The differential of a differential is itself.
        if let TyKind::Assoc { interface, .. } = ty.kind()
            && interface.id == DIFFERENTIABLE
        {
            return Some(ty);
        }
        let interface = InterfaceRef { id: DIFFERENTIABLE, args: Args::none() };
        Some(self.canonical(Ty::new(TyKind::Assoc { base: ty, interface, name: Name::new("Differential") })))
    }

    fn struct_differential(&mut self, id: StructId) -> Option<Ty> {
        self.resolve_fields(id);
        let info = &self.structs[id.0 as usize];
        if !info.differentiable {
            return None;
        }
        if let Some(known) = info.differential {
            return known;
        }
        if let Some(chosen) = self.choose_differential(id) {
            return Some(chosen);
        }
        let info = &self.structs[id.0 as usize];
        let this = Ty::new(TyKind::Struct(id));
        let fields = info.fields.clone();
        if let Some(attr) = fields.iter().find_map(|f| f.member.clone()).filter(|_| info.instance_of.is_none()) {
            let (name, text) =
                (info.name, "`[DerivativeMember]` names a field of the differential that a struct declares");
            let note = format!(
                "`{name}` declares none: write `typealias Differential = …;` in it, or leave the attribute out"
            );
            self.error(codes::E0314, attr.span, text).notes.push(note);
        }
        let mut parts = Vec::new();
        for f in &fields {
            if !f.no_diff
                && let Some(d) = self.differential(f.ty)
            {
                let plain = Field { no_diff: false, default: None, is_const: false, member: None, ..f.clone() };
                parts.push(Field { ty: d, ..plain });
            }
        }
        let itself = parts.len() == fields.len() && parts.iter().zip(&fields).all(|(p, f)| p.ty == f.ty);
        let result = if itself {
            this
        } else {
            let (name, span, ns) = {
                let info = &self.structs[id.0 as usize];
                (Name::new(&format!("{}.Differential", info.name)), info.span, info.ns)
            };
            let new = StructId(self.structs.len() as u32);
            let ns = self.new_namespace(ns, Some(Owner::Struct(new)), "Differential");
            let field_index = parts.iter().enumerate().map(|(i, f)| (f.name, i as u32)).collect();
            let ty = Ty::new(TyKind::Struct(new));
            let made = StructInfo {
                name,
                fields: parts,
                field_index,
                differentiable: true,
                synthesized: true,
                has_defaults: Some(false),
                differential_of: self.is_dependent(this).then_some(this),
                differential: Some(Some(ty)),
                bases: State::Done,
                state: State::Done,
                ..StructInfo::new(None, span, ns)
            };
            self.structs.push(made);
            ty
        };
        self.structs[id.0 as usize].differential = Some(Some(result));
        Some(result)
    }

    pub(crate) fn is_differentiable_type(&mut self, ty: Ty) -> bool {
        // While its fields are resolved, a struct is what it declares to be: a constraint that is
        // asked then must not ask for the fields.
        if let TyKind::Struct(id) = ty.kind()
            && self.structs[id.0 as usize].state == State::Busy
        {
            self.ensure_bases(*id);
            return self.structs[id.0 as usize].differentiable;
        }
        self.differential(ty).is_some()
    }

    /// Whether a value that a function converts to this type may contain floats that lose their
    /// derivatives by that: the type is only known elsewhere, or is an interface. With `told`,
    /// structs that are not differentiable do not count, since a function with derivatives reports
    /// what is lost in them.
    pub(crate) fn may_hide_floats(&mut self, ty: Ty, told: bool) -> bool {
        !self.is_differentiable_type(ty)
            && match ty.kind() {
                TyKind::Array(t, _) | TyKind::ArrayOf(t, _) => self.may_hide_floats(*t, told),
                TyKind::Struct(id) if !told => {
                    let fields: Vec<Ty> = self.fields(*id).iter().map(|f| f.ty).collect();
                    fields.into_iter().any(|t| self.is_differentiable_type(t) || self.may_hide_floats(t, told))
                }
                TyKind::Interface(_) => true,
                _ => self.is_inactive_to_all(ty),
            }
    }

    pub(crate) fn differential_or_error(&mut self, ty: Ty, span: Span) -> Ty {
        match self.differential(ty) {
            Some(d) => d,
            None => {
                let (shown, declared) = (self.show(ty), self.struct_to_declare(ty));
                let d = self.error(
                    codes::E0301,
                    span,
                    format!("`{shown}` is not differentiable: it has no `Differential`"),
                );
                d.notes.extend(declared.map(|name| format!("declare it as `struct {name} : IDifferentiable`")));
                Ty::error()
            }
        }
    }

    /// The `Differential` that a struct or an extension of it declares.
    fn choose_differential(&mut self, id: StructId) -> Option<Ty> {
        if self.structs[id.0 as usize].synthesized {
            return None;
        }
        let this = Ty::new(TyKind::Struct(id));
        let name = Name::new("Differential");
        if let Some(of) = self.optional_of(this) {
            return self.differential_of_optional(id, of);
        }
        let found = self.own_members(this, name);
        let ident = ast::Ident { name, span: self.structs[id.0 as usize].span };
        let chosen = found.iter().find_map(|m| self.member_type(m, ident, None))?;
        self.structs[id.0 as usize].differential = Some(Some(chosen));
        if chosen.is_error() {
            return Some(chosen);
        }
        if let Some((base, _)) = self.structs[id.0 as usize].instance_of
            && base != id
        {
            // The places of the fields' derivatives are found once, for the declaration.
            self.struct_differential(base);
            let places = self.structs[base.0 as usize].chosen.as_ref().map(|c| c.places.clone());
            self.structs[id.0 as usize].chosen = places.map(|places| Chosen { ty: chosen, places });
            return Some(chosen);
        }
        let of_chosen = self.differential(chosen);
        // What is wrong about it has been reported.
        if of_chosen.is_some_and(Ty::is_error) {
            self.structs[id.0 as usize].differential = Some(Some(Ty::error()));
            return Some(Ty::error());
        }
        if of_chosen != Some(chosen) {
            let (shown, of) = (self.show(chosen), self.show(this));
            let name = self.struct_to_declare(chosen);
            let text = format!("`{shown}` cannot be the differential of `{of}`: it is not its own differential");
            let note = match name {
                Some(name) => {
                    format!("declare it as `struct {name} : IDifferentiable` with `typealias Differential = {name};`")
                }
                None => "a differential is made of floats: `float`, a vector, or a struct of such".to_string(),
            };
            self.error(codes::E0313, ident.span, text).notes.push(note);
            self.structs[id.0 as usize].differential = Some(Some(Ty::error()));
            return Some(Ty::error());
        }
        let places = self.places(id, chosen);
        self.structs[id.0 as usize].chosen = Some(Chosen { ty: chosen, places });
        if let Some(d) = chosen.as_struct() {
            self.structs[d.0 as usize].space_of.get_or_insert(this);
        }
        Some(chosen)
    }

    /// The differential of an `Optional<T>`, which is an `Optional<T.Differential>`.
    fn differential_of_optional(&mut self, id: StructId, of: Ty) -> Option<Ty> {
        let d = self.differential(of)?;
        let chosen = self.optional_type(d);
        self.structs[id.0 as usize].differential = Some(Some(chosen));
        self.structs[id.0 as usize].chosen = Some(Chosen { ty: chosen, places: vec![Some(0), None] });
        if let Some(has_value) = self.structs[id.0 as usize].fields.get_mut(1) {
            has_value.no_diff = true;
        }
        Some(chosen)
    }

    fn places(&mut self, id: StructId, chosen: Ty) -> Vec<Option<usize>> {
        let this = Ty::new(TyKind::Struct(id));
        let parts = match chosen.as_struct() {
            Some(d) => self.fields(d).to_vec(),
            None => Vec::new(),
        };
        let fields = self.structs[id.0 as usize].fields.clone();
        let mut places = Vec::with_capacity(fields.len());
        for (i, f) in fields.iter().enumerate() {
            let d = if f.no_diff { None } else { self.differential(f.ty) };
            let Some(d) = d else {
                // A field whose place is only wrong is to have a derivative: nothing is lost in it.
                self.structs[id.0 as usize].fields[i].no_diff = true;
                places.push(None);
                continue;
            };
            let member = f.member.clone().or_else(|| self.derivative_member_given(id, f.name));
            let place = match &member {
                Some(attr) => self.named_place(id, attr, chosen, &parts),
                None if chosen == this => Some(i),
                None => {
                    let (shown, name) = (self.show(chosen), f.name);
                    let text = format!("nothing says where in `{shown}` the derivative of field `{name}` is");
                    let note = format!("write `[DerivativeMember({shown}.…)]` in front of it, or mark it `no_diff`");
                    self.error(codes::E0314, f.span, text).notes.push(note);
                    None
                }
            };
            if let Some(part) = place.and_then(|p| parts.get(p))
                && part.ty != d
            {
                let (shown, wanted) = (self.show(part.ty), self.show(d));
                let text =
                    format!("field `{}` is of type `{shown}`, the derivative of `{}` of `{wanted}`", part.name, f.name);
                self.error(codes::E0314, f.span, text);
            }
            places.push(place);
        }
        places
    }

    /// The index of the field of the differential that an attribute names.
    fn named_place(&mut self, id: StructId, attr: &ast::Attribute, chosen: Ty, parts: &[Field]) -> Option<usize> {
        if let [ast::Expr { kind: ast::ExprKind::Member { base, .. }, span }] = attr.args.as_slice() {
            let named = self.resolve_type_in(id, base);
            if named != chosen && !named.is_error() {
                let (named, chosen) = (self.show(named), self.show(chosen));
                self.error(codes::E0314, *span, format!("the differential is `{chosen}`, and not `{named}`"));
                return None;
            }
        }
        let name = match attr.args.as_slice() {
            [ast::Expr { kind: ast::ExprKind::Member { name, .. }, .. }] => *name,
            [ast::Expr { kind: ast::ExprKind::Name { name, args: None }, .. }] => {
                let shown = self.show(chosen);
                let text = format!("`[DerivativeMember]` names a field with its type: `{shown}.{}`", name.name);
                self.error(codes::E0314, name.span, text);
                return None;
            }
            _ => {
                self.error(codes::E0314, attr.span, "`[DerivativeMember]` names one field of the differential");
                return None;
            }
        };
        let found = parts.iter().position(|p| p.name == name.name);
        if found.is_none() {
            let shown = self.show(chosen);
            self.error(codes::E0314, name.span, format!("`{shown}` has no field `{}`", name.name));
        }
        found
    }

    /// Resolves a type that is written among the members of a struct.
    fn resolve_type_in(&mut self, id: StructId, ty: &ast::Expr) -> Ty {
        let this_ty = Some(Ty::new(TyKind::Struct(id)));
        let cx = BodyCx { ns: Some(self.structs[id.0 as usize].ns), this_ty, ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let found = self.resolve_type(ty);
        self.cx = outer;
        found
    }

    /// The differential that the programmer chooses for a struct, if there is one.
    pub(crate) fn chosen_differential(&mut self, id: StructId) -> Option<&Chosen> {
        self.struct_differential(id);
        self.structs[id.0 as usize].chosen.as_ref()
    }

    /// The function `name` (`dzero`, `dadd`) that the programmer declares for a differential type,
    /// in the type itself or in the type whose differential it is.
    pub(crate) fn space_function(&mut self, d: Ty, name: &str) -> Option<FuncRef> {
        let id = d.as_struct()?;
        if self.structs[id.0 as usize].synthesized {
            return None;
        }
        self.struct_differential(id);
        let owner = self.structs[id.0 as usize].space_of;
        let count = if name == "dzero" { 0 } else { 2 };
        for of in std::iter::once(d).chain(owner) {
            for m in self.own_members(of, Name::new(name)) {
                let Entry::Func(f) = m.entry else { continue };
                self.ensure_signature(f);
                let info = &self.funcs[f.0 as usize];
                let (params, ret, gens) = (info.params.clone(), info.ret, info.gens);
                let fits = info.this.is_none()
                    && params.len() == count
                    && self.subst(ret, &m.subst) == d
                    && params.iter().all(|p| p.dir == Dir::In && self.subst(p.ty, &m.subst) == d);
                if fits {
                    let args = self.args_of(gens, &m.subst);
                    return Some(FuncRef { func: f, args });
                }
            }
        }
        None
    }

    /// Whether `ty` itself has a member of this name.
    pub(crate) fn declares_member(&mut self, ty: Ty, name: Name) -> bool {
        ty.as_struct().is_some() && !self.own_members(ty, name).is_empty()
    }

    /// Makes the programmer's functions for all types that are their own differential. Returns
    /// whether there were new types.
    pub(crate) fn complete_spaces(&mut self) -> bool {
        let first = std::mem::replace(&mut self.spaces_of, self.structs.len());
        for i in first..self.structs.len() {
            let (ty, info) = (Ty::new(TyKind::Struct(StructId(i as u32))), &self.structs[i]);
            let span = info.span;
            if !info.differentiable || info.synthesized || self.is_dependent(ty) || self.differential(ty) != Some(ty) {
                continue;
            }
            let [zero, add] = ["dzero", "dadd"].map(|name| {
                let f = self.space_function(ty, name)?;
                self.instance(f, span, 0)
            });
            if zero.is_some() || add.is_some() {
                self.spaces.push(Space { ty, zero, add });
            }
        }
        first < self.structs.len()
    }

    /// Replaces a zero or a sum of differentials by a call of the programmer's function, if there
    /// is one.
    pub(crate) fn in_space(&mut self, e: &mut Expr) {
        let name = match &e.kind {
            ExprKind::DZero => "dzero",
            ExprKind::DAdd(..) => "dadd",
            _ => return,
        };
        let func = self.space_function(e.ty, name);
        e.kind = match (std::mem::replace(&mut e.kind, ExprKind::Zero), func) {
            (ExprKind::DZero, Some(func)) => ExprKind::Call { func, args: Vec::new() },
            (ExprKind::DAdd(a, b), Some(func)) => ExprKind::Call { func, args: vec![*a, *b] },
            (ExprKind::DZero, None) => ExprKind::Zero,
            (by_parts, _) => by_parts,
        };
    }
}
