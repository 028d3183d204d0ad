//! Structs: their fields, the instances of generic ones, and the types that a variable can have.

use super::access::Visibility;
use super::types::TyKind;
use super::*;
use ast::DeclKind;
use caustic_ir::codes;

/// The most scalars in a type. This limits `struct`s whose size grows exponentially by nesting.
pub(crate) const MAX_SCALARS: u64 = 1 << 28;

impl Checker<'_> {
    pub(crate) fn new_struct(&mut self, name: Name, decl: &Rc<ast::Decl>, ns: NsId) -> StructId {
        let (generics, constraints) = match &decl.kind {
            DeclKind::Struct(s) => (&s.generics[..], &s.constraints[..]),
            _ => (&[][..], &[][..]),
        };
        let outer = self.declare_generics(generics, constraints, ns);
        let id = StructId(self.structs.len() as u32);
        let inner = self.new_namespace(outer, Some(Owner::Struct(id)), &name);
        let path = Name::new(&self.namespaces[inner.0 as usize].path);
        let gens = self.namespaces[inner.0 as usize].gens;
        let mut info = StructInfo::new(Some(decl.clone()), decl.name().map_or(decl.span, |n| n.span), inner);
        info.name = path;
        info.path = path;
        info.gens = gens;
        info.declares_generics = outer != ns;
        if gens.is_some() {
            let args = Args::new(self.identity_args(gens));
            info.instance_of = Some((id, args));
            info.instances.insert(args, id);
            let texts: Vec<String> = args.iter().map(|a| self.show_arg(*a)).collect();
            info.name = Name::new(&format!("{path}<{}>", texts.join(", ")));
        }
        self.structs.push(info);
        if self.loading_prelude && name == *"Tuple" {
            self.tuple = Some(id);
        }
        id
    }

    /// Declares methods, nested types and static constants.
    pub(crate) fn collect_members(&mut self, id: StructId) {
        let info = &self.structs[id.0 as usize];
        let ns = info.ns;
        let Some(decl) = info.decl.clone() else { return };
        let DeclKind::Struct(s) = &decl.kind else { return };
        self.collect(&s.members, ns, Some(Owner::Struct(id)));
    }

    /// Reports a struct that is a part of itself, at the one whose field closes the circle: that
    /// which is being read.
    fn closes_a_circle(&mut self, id: StructId, first: Span) {
        let reader = self.cx.this_ty.and_then(|t| t.as_struct()).unwrap_or(id);
        let (name, span) = (self.structs[reader.0 as usize].name, self.structs[reader.0 as usize].span);
        let at = self.loc(first);
        let d = self.error(codes::E0209, span, format!("struct `{name}` contains itself"));
        if reader != id {
            d.labels.push((at, "through this one".to_string()));
        }
    }

    pub(crate) fn resolve_fields(&mut self, id: StructId) {
        let info = &mut self.structs[id.0 as usize];
        match info.state {
            State::Done => return,
            State::Busy => {
                let first = info.span;
                self.closes_a_circle(id, first);
                return;
            }
            State::New => info.state = State::Busy,
        }
        if let Some((base, _)) = info.instance_of
            && self.tuple == Some(base)
        {
            return self.resolve_tuple(id);
        }
        let info = &self.structs[id.0 as usize];
        if let Some((base, _)) = info.instance_of
            && base != id
        {
            return self.resolve_instance(id, base);
        }
        let (Some(decl), ns, gens) = (info.decl.clone(), info.ns, info.gens) else { return };
        let DeclKind::Struct(s) = &decl.kind else { return };
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        let outer = std::mem::take(&mut self.cx);
        self.cx.ns = Some(ns);
        self.cx.this_ty = Some(Ty::new(TyKind::Struct(id)));
        let (mut fields, mut field_index) = (Vec::new(), FxHashMap::default());
        if let Some(base) = self.base_field(id)
            && let TyKind::Struct(inner) = base.ty.kind()
        {
            self.resolve_fields(*inner);
            // A struct that inherits from itself has been reported.
            if self.structs[inner.0 as usize].state != State::Busy {
                fields.push(base);
            }
        }
        for m in &s.members {
            let DeclKind::Var(v) = &m.kind else { continue };
            if m.mods.has("static") || m.mods.has("constexpr") {
                continue;
            }
            let no_diff = m.mods.has("no_diff");
            let ty = match &v.ty {
                Some(t) => self.resolve_type(t),
                None => {
                    self.error(codes::E0202, v.name.span, "a field needs a type");
                    Ty::error()
                }
            };
            let ty = self.require_value_type(ty, v.name.span, "a field");
            if let TyKind::Struct(inner) = held(ty).kind() {
                self.resolve_fields(*inner);
                if self.structs[inner.0 as usize].state == State::Busy {
                    continue;
                }
            }
            let member = m.mods.attrs.iter().find(|a| a.name.name == *"DerivativeMember").cloned().map(Rc::new);
            let others = self.namespaces[ns.0 as usize].names.get(&v.name.name);
            // Methods of a local struct find its name among the members.
            let other = others.and_then(|e| e.iter().find(|e| **e != Entry::Struct(id)).copied());
            if let Some(entry) = other {
                let text = format!("`{}` is declared as a field and as another member", v.name.name);
                let other = self.entry_span(entry).unwrap_or_default();
                // The second one is reported; a property beside a field is found at the field.
                let swapped = !matches!(entry, Entry::Property(_)) && other.lo > v.name.span.lo;
                let (first, second) = if swapped { (v.name.span, other) } else { (other, v.name.span) };
                let first = self.loc(first);
                self.error(codes::E0205, second, text).labels.push((first, "the other declaration".to_string()));
            }
            if field_index.contains_key(&v.name.name) {
                self.error(codes::E0205, v.name.span, format!("field `{}` is declared twice", v.name.name));
                continue;
            }
            let seen = self.visibility_of(&m.mods, ns, Some(Owner::Struct(id)));
            if let Some(t) = &v.ty {
                let of_struct = self.entry_visibility(Entry::Struct(id));
                self.check_shown(seen.min(of_struct), ns, ty, t.span);
            }
            let hidden = (seen < Visibility::Public).then_some((v.name.name, seen));
            self.structs[id.0 as usize].hidden.extend(hidden);
            let default = v.init.clone().map(Rc::new);
            let layout = v.ty.as_ref().and_then(|t| self.written_layout(&m.mods, t, ty));
            v.ty.iter().for_each(|t| self.note_handle(v.name.span, t, ty));
            field_index.insert(v.name.name, fields.len() as u32);
            let (name, span, is_const) = (v.name.name, v.name.span, m.mods.has("const") || v.is_let);
            fields.push(Field { name, ty, no_diff, span, default, is_const, member, layout });
        }
        self.cx = outer;
        self.ensure_bases(id);
        let info = &mut self.structs[id.0 as usize];
        info.fields = fields;
        info.field_index = field_index;
        info.state = State::Done;
        self.measure(id);
    }

    /// Resolves the fields of an instance: those of the declaration, with arguments in place of
    /// parameters.
    fn resolve_instance(&mut self, id: StructId, base: StructId) {
        if self.instance_depth >= generics::MAX_INSTANCE_DEPTH {
            let (name, span) = (self.structs[base.0 as usize].name, self.structs[base.0 as usize].span);
            self.too_many_instances(name, span);
            self.structs[id.0 as usize].state = State::Done;
            return;
        }
        let (name, span) = (self.structs[base.0 as usize].name, self.structs[base.0 as usize].span);
        let args = self.structs[id.0 as usize].instance_of.map_or(Args::none(), |(_, args)| args);
        if self.has_too_large_arguments(name, &args, span) {
            self.structs[id.0 as usize].state = State::Done;
            return;
        }
        self.instance_depth += 1;
        self.resolve_fields(base);
        let s = self.struct_subst(id);
        let mut fields = self.structs[base.0 as usize].fields.clone();
        let mut circular = false;
        for f in &mut fields {
            f.ty = self.subst(f.ty, &s);
            if let TyKind::Struct(inner) = innermost(f.ty).kind() {
                self.resolve_fields(*inner);
                circular |= self.structs[inner.0 as usize].state == State::Busy;
            }
        }
        // The cycle has been reported; without fields, nothing can follow it.
        if circular {
            fields.clear();
        }
        self.instance_depth -= 1;
        self.ensure_bases(base);
        let index = match circular {
            true => FxHashMap::default(),
            false => self.structs[base.0 as usize].field_index.clone(),
        };
        let (differentiable, default) =
            (self.structs[base.0 as usize].differentiable, self.structs[base.0 as usize].default_initializable);
        // An `Optional`, a `Conditional`, a cooperative vector, or the result of a throwing
        // function is differentiable if the value that it holds is.
        let ty = Ty::new(TyKind::Struct(id));
        let held =
            self.optional_of(ty).or_else(|| self.thrown(ty).map(|t| t.value)).or_else(|| self.conditional_of(ty));
        let held = held.or_else(|| self.cooperative_of(ty));
        let differentiable = differentiable || held.is_some_and(|t| self.is_differentiable_type(t));
        let info = &mut self.structs[id.0 as usize];
        info.fields = fields;
        info.field_index = index;
        info.differentiable = differentiable;
        info.default_initializable = default;
        info.state = State::Done;
        self.measure(id);
    }

    /// The type of the numbers in a cooperative vector.
    fn cooperative_of(&mut self, ty: Ty) -> Option<Ty> {
        let (base, args) = self.structs[ty.as_struct()?.0 as usize].instance_of?;
        let known = self.structs[base.0 as usize].name.starts_with("CoopVec<");
        match args.first() {
            Some(types::GArg::Ty(t)) if known && self.prelude_struct("CoopVec") == Some(base) => Some(*t),
            _ => None,
        }
    }

    /// Whether values of the type end with an array without a size, which they can only do in
    /// memory.
    pub(crate) fn ends_unsized(&self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Array(t, None) => !t.is_resource(),
            TyKind::Struct(id) => self.structs[id.0 as usize].fields.last().is_some_and(|f| self.ends_unsized(f.ty)),
            _ => false,
        }
    }

    pub(crate) fn measure(&mut self, id: StructId) {
        let fields = &self.structs[id.0 as usize].fields;
        let (_, first) = fields.split_last().unzip();
        let wrong = first.and_then(|f: &[Field]| f.iter().find(|f| self.ends_unsized(f.ty)).map(|f| (f.name, f.span)));
        if let Some((name, span)) = wrong {
            self.error(codes::E0207, span, format!("`{name}` has no size, so that it can only be the last field"));
        }
        let count =
            self.structs[id.0 as usize].fields.iter().fold(0u64, |n, f| n.saturating_add(self.scalar_count(f.ty)));
        let large = |f: &&Field| self.scalar_count(f.ty) > MAX_SCALARS && matches!(f.ty.kind(), TyKind::Array(..));
        let largest = self.structs[id.0 as usize].fields.iter().find(large).map(|f| f.name);
        self.structs[id.0 as usize].scalars = count;
        if count > MAX_SCALARS {
            let (span, name) = (self.structs[id.0 as usize].span, self.show(Ty::new(TyKind::Struct(id))));
            let negative = |f: &Field| matches!(innermost_count(f.ty), Some(u32::MAX));
            if let Some(f) = self.structs[id.0 as usize].fields.iter().find(|f| negative(f)).map(|f| f.name) {
                let text = format!("the field `{f}` of `{name}` cannot have this number of elements");
                self.error(codes::E0207, span, text).notes.push("it is negative, or too large".to_string());
                let info = &mut self.structs[id.0 as usize];
                info.fields.iter_mut().for_each(|f| f.ty = Ty::error());
                info.scalars = 0;
                return;
            }
            let d = self.error(codes::E0207, span, format!("`{name}` is too large"));
            d.notes.extend(largest.map(|f| format!("its field `{f}` has too many elements")));
            let info = &mut self.structs[id.0 as usize];
            info.fields.iter_mut().for_each(|f| f.ty = Ty::error());
            info.scalars = 0;
        }
    }

    /// The number of scalars in a value; saturates.
    pub(crate) fn scalar_count(&self, ty: Ty) -> u64 {
        match ty.kind() {
            TyKind::Array(t, n) => self.scalar_count(*t).saturating_mul(n.unwrap_or(0) as u64),
            TyKind::Struct(id) => self.structs[id.0 as usize].scalars,
            TyKind::Pair(t) => self.scalar_count(*t).saturating_mul(2),
            _ => ty.shape().count() as u64,
        }
    }

    /// Reports an array whose size cannot be, which arguments of a generic can cause.
    pub(crate) fn require_size(&mut self, ty: Ty, span: Span) -> Ty {
        match ty.kind() {
            TyKind::Array(..) if self.scalar_count(ty) > MAX_SCALARS => {
                self.error(codes::E0207, span, "this array has too many elements, or fewer than none");
                Ty::error()
            }
            _ => ty,
        }
    }

    /// Reports vectors whose elements are not numbers, which arguments of a generic can cause.
    pub(crate) fn require_elements(&mut self, ty: Ty, span: Span) -> Ty {
        match innermost(ty).kind() {
            TyKind::VectorOf(t, _) | TyKind::MatrixOf(t, ..) if t.as_scalar().is_none() && !self.is_dependent(*t) => {
                let shown = self.show(*t);
                self.error(codes::E0208, span, format!("`{shown}` cannot be the element of a vector or matrix"));
                Ty::error()
            }
            _ => ty,
        }
    }

    /// Reports types that a variable cannot have.
    pub(crate) fn require_value_type(&mut self, ty: Ty, span: Span, what: &str) -> Ty {
        let ty = self.require_elements(ty, span);
        match innermost(ty).kind() {
            TyKind::Void => {
                self.error(codes::E0207, span, format!("{what} cannot have type `void`"));
                Ty::error()
            }
            _ if has_no_elements(ty) => {
                let shown = self.show(ty);
                self.error(codes::E0207, span, format!("{what} cannot have type `{shown}`, which has no elements"));
                Ty::error()
            }
            _ => ty,
        }
    }

    pub(crate) fn fields(&mut self, id: StructId) -> &[Field] {
        self.resolve_fields(id);
        &self.structs[id.0 as usize].fields
    }
}

/// Whether a type is a vector or a matrix without elements, or an array of these.
fn has_no_elements(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Array(t, _) => has_no_elements(*t),
        TyKind::VectorOf(_, n) => n.as_int() == Some(0),
        TyKind::MatrixOf(_, r, c) => [r, c].iter().any(|n| n.as_int() == Some(0)),
        _ => match ty.shape() {
            types::Shape::Vector(n) => n == 0,
            types::Shape::Matrix(r, c) => r == 0 || c == 0,
            types::Shape::Scalar => false,
        },
    }
}

/// The type that a field's type contains directly, through arrays and resources: the type of a
/// resource contains that of its elements, so a struct that has a resource of itself would be
/// endless. A pointer is a number and contains nothing.
fn held(mut ty: Ty) -> Ty {
    loop {
        ty = match ty.kind() {
            TyKind::Array(t, _) | TyKind::Laid(t, _) | TyKind::Uniform(t, _) | TyKind::Buffer { elem: t, .. } => *t,
            _ => return ty,
        }
    }
}

/// The size of an array in which a size stands that no array can have.
fn innermost_count(mut ty: Ty) -> Option<u32> {
    let mut found = None;
    while let TyKind::Array(t, n) = ty.kind() {
        found = if *n == Some(u32::MAX) { *n } else { found.or(*n) };
        ty = *t;
    }
    found
}

/// The element type under all arrays.
pub(crate) fn innermost(mut ty: Ty) -> Ty {
    while let TyKind::Array(t, _) = ty.kind() {
        ty = *t;
    }
    ty
}
