//! Structs: fields, conformance to `IDifferentiable`, differential types.

use super::types::{Scalar, TyKind};
use super::*;
use ast::DeclKind;

/// How many scalars a type may be made of; guards against `struct`s that grow exponentially by nesting.
const MAX_SCALARS: u64 = 1 << 28;

impl Checker<'_> {
    /// `parent` overrides the namespace in which members are looked up from (instances of generics).
    pub(crate) fn new_struct(&mut self, name: Name, decl: &Rc<ast::Decl>, ns: NsId, shown: Option<Name>) -> StructId {
        let id = StructId(self.structs.len() as u32);
        let inner = self.new_namespace(ns, Some(id), &name);
        let shown = shown.unwrap_or_else(|| Name::new(&self.namespaces[inner.0 as usize].path));
        let span = decl.name().map_or(decl.span, |n| n.span);
        self.structs.push(StructInfo {
            name: shown,
            decl: Some(decl.clone()),
            span,
            ns: inner,
            fields: Vec::new(),
            field_index: FxHashMap::default(),
            differentiable: false,
            default_initializable: false,
            synthesized: false,
            instance_of: None,
            scalars: 0,
            layout: None,
            has_defaults: None,
            differential: None,
            state: State::New,
        });
        id
    }

    /// Declares methods, nested types and static constants.
    pub(crate) fn collect_members(&mut self, id: StructId) {
        let info = &self.structs[id.0 as usize];
        let ns = info.ns;
        let Some(decl) = info.decl.clone() else { return };
        let DeclKind::Struct(s) = &decl.kind else { return };
        self.collect(&s.members, ns, Some(id));
    }

    pub(crate) fn resolve_fields(&mut self, id: StructId) {
        let info = &mut self.structs[id.0 as usize];
        match info.state {
            State::Done => return,
            State::Busy => {
                let (name, span) = (info.name, info.span);
                self.error("E0209", span, format!("struct `{name}` contains itself"));
                return;
            }
            State::New => info.state = State::Busy,
        }
        let (Some(decl), ns) = (info.decl.clone(), info.ns) else { return };
        let DeclKind::Struct(s) = &decl.kind else { return };
        let outer = std::mem::take(&mut self.cx);
        self.cx.ns = Some(ns);
        self.cx.owner = Some(id);
        let mut differentiable = false;
        for base in &s.bases {
            match &base.kind {
                ast::ExprKind::Name { name, args: None } if name.name == *"IDifferentiable" => differentiable = true,
                ast::ExprKind::Name { name, .. } if name.name == *"IDefaultInitializable" => {
                    self.structs[id.0 as usize].default_initializable = true;
                }
                ast::ExprKind::Name { name, .. } => {
                    let text = format!("conformance to `{}`", name.name);
                    self.unsupported(base.span, &text);
                }
                _ => self.unsupported(base.span, "this base"),
            }
        }
        let (mut fields, mut field_index) = (Vec::new(), FxHashMap::default());
        for m in &s.members {
            let DeclKind::Var(v) = &m.kind else { continue };
            if m.mods.has("static") || m.mods.has("constexpr") {
                continue;
            }
            self.refuse_layout(m);
            let mut no_diff = m.mods.has("no_diff");
            let ty = match &v.ty {
                Some(t) => {
                    no_diff |= matches!(t.kind, ast::ExprKind::Modified { no_diff: true, .. });
                    self.resolve_type(t)
                }
                None => {
                    self.error("E0202", v.name.span, "a field needs a type");
                    Ty::error()
                }
            };
            let ty = self.require_value_type(ty, v.name.span, "a field");
            if let TyKind::Struct(inner) = innermost(ty).kind() {
                self.resolve_fields(*inner);
                if self.structs[inner.0 as usize].state == State::Busy {
                    continue;
                }
            }
            for a in &m.mods.attrs {
                if a.name.name == *"DerivativeMember" {
                    self.unsupported(a.span, "`[DerivativeMember]`");
                }
            }
            if field_index.insert(v.name.name, fields.len() as u32).is_some() {
                self.error("E0205", v.name.span, format!("field `{}` is declared twice", v.name.name));
                continue;
            }
            let default = v.init.clone().map(Rc::new);
            fields.push(Field { name: v.name.name, ty, no_diff, span: v.name.span, default });
        }
        self.cx = outer;
        let custom = differentiable && self.has_own_differential(ns, id);
        if custom {
            let span = self.structs[id.0 as usize].span;
            self.unsupported(span, "a hand-written `Differential`");
        }
        let info = &mut self.structs[id.0 as usize];
        info.fields = fields;
        info.field_index = field_index;
        info.differentiable = differentiable;
        info.state = State::Done;
        let count =
            self.structs[id.0 as usize].fields.iter().fold(0u64, |n, f| n.saturating_add(self.scalar_count(f.ty)));
        self.structs[id.0 as usize].scalars = count;
        if count > MAX_SCALARS {
            let span = self.structs[id.0 as usize].span;
            self.error("E0207", span, "this struct is too large");
            self.structs[id.0 as usize].fields.clear();
            self.structs[id.0 as usize].field_index.clear();
        }
    }

    /// A `Differential` written by the user, other than the struct itself.
    fn has_own_differential(&mut self, ns: NsId, id: StructId) -> bool {
        let entries = self.namespaces[ns.0 as usize].names.get(&Name::new("Differential")).cloned();
        let own = match entries.and_then(|e| e.first().copied()) {
            None => false,
            Some(Entry::Alias(a)) => self.resolve_alias(a) != Ty::new(TyKind::Struct(id)),
            Some(_) => true,
        };
        own || ["dzero", "dadd", "dmul"]
            .iter()
            .any(|m| self.namespaces[ns.0 as usize].names.contains_key(&Name::new(m)))
    }

    /// How many scalars a value has, saturating.
    pub(crate) fn scalar_count(&self, ty: Ty) -> u64 {
        match ty.kind() {
            TyKind::Array(t, n) => self.scalar_count(*t).saturating_mul(n.unwrap_or(0) as u64),
            TyKind::Struct(id) => self.structs[id.0 as usize].scalars,
            TyKind::Pair(t) => self.scalar_count(*t).saturating_mul(2),
            _ => ty.shape().count() as u64,
        }
    }

    /// Refuses types that no variable can have.
    pub(crate) fn require_value_type(&mut self, ty: Ty, span: Span, what: &str) -> Ty {
        match innermost(ty).kind() {
            TyKind::Void => {
                self.error("E0207", span, format!("{what} cannot have type `void`"));
                Ty::error()
            }
            TyKind::Buffer { .. } | TyKind::Uniform(_) => {
                self.unsupported(span, &format!("{what} that is a resource"));
                Ty::error()
            }
            _ => ty,
        }
    }

    pub(crate) fn fields(&mut self, id: StructId) -> &[Field] {
        self.resolve_fields(id);
        &self.structs[id.0 as usize].fields
    }

    /// The differential type of `ty`; `None` if values of it carry no derivative.
    pub(crate) fn differential(&mut self, ty: Ty) -> Option<Ty> {
        match ty.kind() {
            TyKind::Error => Some(ty),
            TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix(s, _, _) => s.is_float().then_some(ty),
            TyKind::Array(t, n) => self.differential(*t).map(|d| Ty::array(d, *n)),
            TyKind::Pair(t) => self.differential(*t).map(Ty::pair),
            TyKind::Struct(id) => self.struct_differential(*id),
            _ => None,
        }
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
        let this = Ty::new(TyKind::Struct(id));
        let fields = info.fields.clone();
        let mut parts = Vec::new();
        for f in &fields {
            if !f.no_diff
                && let Some(d) = self.differential(f.ty)
            {
                parts.push(Field { ty: d, no_diff: false, default: None, ..f.clone() });
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
            let ns = self.new_namespace(ns, Some(new), "Differential");
            let field_index = parts.iter().enumerate().map(|(i, f)| (f.name, i as u32)).collect();
            let ty = Ty::new(TyKind::Struct(new));
            self.structs.push(StructInfo {
                name,
                decl: None,
                span,
                ns,
                fields: parts,
                field_index,
                differentiable: true,
                default_initializable: false,
                synthesized: true,
                instance_of: None,
                scalars: 0,
                layout: None,
                has_defaults: Some(false),
                differential: Some(Some(ty)),
                state: State::Done,
            });
            ty
        };
        self.structs[id.0 as usize].differential = Some(Some(result));
        Some(result)
    }

    pub(crate) fn is_differentiable_type(&mut self, ty: Ty) -> bool {
        self.differential(ty).is_some()
    }

    pub(crate) fn differential_or_error(&mut self, ty: Ty, span: Span) -> Ty {
        match self.differential(ty) {
            Some(d) => d,
            None => {
                let shown = self.show(ty);
                let d = self.error("E0301", span, format!("`{shown}` is not differentiable: it has no `Differential`"));
                if matches!(ty.kind(), TyKind::Struct(_)) {
                    d.notes.push(format!("declare it as `struct {shown} : IDifferentiable`"));
                }
                Ty::error()
            }
        }
    }
}

/// The element type under all arrays.
pub(crate) fn innermost(mut ty: Ty) -> Ty {
    while let TyKind::Array(t, _) = ty.kind() {
        ty = *t;
    }
    ty
}

/// The smallest float type at least as wide in range as what an integer argument needs: `sin(1)` is `float`.
pub(crate) fn float_of(s: Scalar) -> Scalar {
    if s.is_float() { s } else { Scalar::F32 }
}
