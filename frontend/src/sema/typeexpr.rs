//! Resolves types as written: names, generic arguments, array sizes.

use super::generics::Subst;
use super::members::Member;
use super::types::{GArg, InterfaceRef, Resource, Scalar, TyKind, Val, builtin_type};
use super::*;
use ast::ExprKind as E;
use caustic_ir::codes;

/// The largest number of elements of an array. More is a mistake, and the IR counts in 32 bits.
const MAX_ARRAY: i64 = 1 << 28;

/// What a builtin type of several components is made of.
fn sizes_of(name: &str) -> Option<String> {
    match name {
        "vector" => Some("it has 1 to 4 components, which are numbers or bools".to_string()),
        "matrix" => Some("it has 1 to 4 rows and columns of numbers or bools".to_string()),
        _ => None,
    }
}

impl Checker<'_> {
    /// The type that `e` names; reports an error if it names none.
    pub(crate) fn resolve_type(&mut self, e: &ast::Expr) -> Ty {
        let known = self.diags.len();
        match self.try_type(e) {
            Some(ty) => ty,
            // The error has been reported.
            None if self.diags.get(known..).is_some_and(|new| !new.is_empty()) => Ty::error(),
            None => {
                match &e.kind {
                    E::Member { base, .. } if let Some(first) = self.undeclared_root(base) => {
                        self.undeclared(&first, false)
                    }
                    E::Member { name, .. } => {
                        self.error(codes::E0202, e.span, format!("`{}` is not a type", name.name));
                    }
                    E::Name { name, args } => {
                        if self.lookup(name.name).is_some() {
                            self.error(codes::E0202, name.span, format!("`{}` is not a type", name.name));
                        } else {
                            self.undeclared(name, args.is_some());
                        }
                    }
                    _ => {
                        self.error(codes::E0202, e.span, "this is not a type");
                    }
                }
                Ty::error()
            }
        }
    }

    /// The first name of a path, if nothing of that name is declared.
    fn undeclared_root(&mut self, e: &ast::Expr) -> Option<ast::Ident> {
        match &e.kind {
            E::Member { base, .. } => self.undeclared_root(base),
            E::Name { name, .. } if self.try_type(e).is_none() && self.lookup(name.name).is_none() => Some(*name),
            _ => None,
        }
    }

    /// The type that `e` names, or `None`, without a report, if it is no type. Errors inside of a
    /// type are reported.
    pub(crate) fn try_type(&mut self, e: &ast::Expr) -> Option<Ty> {
        let ty = self.type_as_written(e)?;
        Some(self.settled(ty))
    }

    fn type_as_written(&mut self, e: &ast::Expr) -> Option<Ty> {
        match &e.kind {
            E::Name { name, args } => self.named_type(*name, args.as_deref()),
            E::Paren(inner) => self.try_type(inner),
            E::Rooted(inner) => self.rooted_type(inner),
            E::Each(inner) => self.each_type(inner),
            E::Expand(inner) => self.expanded_type(inner, e.span),
            E::Call { callee, args } => match &callee.kind {
                E::Name { name, args: None } => self.pack_part_type(*name, args, e.span),
                _ => None,
            },
            E::Modified { ty, .. } => {
                if !self.cx.in_prelude {
                    self.error(codes::E0316, e.span, "`no_diff` is no part of a type")
                        .notes
                        .push("write it before a parameter, a result, a field, a variable or a property".to_string());
                }
                Some(self.resolve_type(ty))
            }
            E::ArrayType { elem, size } => {
                let elem_ty = self.resolve_type(elem);
                let count = match size {
                    None => None,
                    Some(s) => match self.array_size(s) {
                        Some(n) => Some(n),
                        None => return Some(Ty::error()),
                    },
                };
                Some(self.array_of(elem_ty, count, e.span))
            }
            // `float[3]` read as an expression.
            E::Index { base, args } if args.len() <= 1 => {
                let elem = self.try_type(base)?;
                match args.first() {
                    None => Some(self.array_of(elem, None, e.span)),
                    Some(s) => match self.array_size(s) {
                        Some(n) => Some(self.array_of(elem, Some(n), e.span)),
                        None => Some(Ty::error()),
                    },
                }
            }
            E::Member { base, name, args } => self.type_in(base, *name, args.as_deref(), e.span),
            // The layout only matters for types in memory (`layouts.rs`).
            E::Layout { ty, .. } => Some(self.resolve_type(ty)),
            E::SomeType(ty) | E::DynType(ty) => Some(self.resolve_type(ty)),
            E::PointerType(to) => {
                let layout = self.layout_in_type(to);
                let to = self.resolve_type(to).laid(layout);
                Some(self.pointer_type(to))
            }
            // As any other type than that of a parameter, it is the interface of callables with
            // this signature.
            E::FuncType { params, ret } if let Some(interface) = self.as_interface(params, ret, e.span) => {
                Some(self.resolve_type(&interface))
            }
            other @ (E::Unsupported(_) | E::FuncType { .. }) => {
                self.unsupported(e.span, other.words());
                Some(Ty::error())
            }
            _ => None,
        }
    }

    /// `base.name`, where `base` is a type or a namespace.
    fn type_in(&mut self, base: &ast::Expr, name: ast::Ident, args: Option<&[ast::Expr]>, span: Span) -> Option<Ty> {
        if name.name == *"Differential" && self.namespace_scope(base).is_none() {
            let t = self.try_type(base)?;
            if t.is_error() {
                return Some(t);
            }
            if let Some(d) = self.differential_member(t, span) {
                return Some(d);
            }
        }
        if let Some(ns) = self.namespace_scope(base) {
            let entries = self.seen_in(ns, name.name);
            let first = *entries.first()?;
            if !self.may_name(first, name) {
                return Some(Ty::error());
            }
            return self.entry_type(first, &Subst::default(), name, args);
        }
        let ty = match self.try_type(base) {
            Some(ty) => ty,
            None => self.interface_of_held(base)?,
        };
        if ty.is_error() {
            return Some(ty);
        }
        let found = self.type_members(ty, name.name);
        if let Some(first) = found.first()
            && !matches!(first.entry, Entry::Func(_))
            && !self.may_name(first.entry, name)
        {
            return Some(Ty::error());
        }
        // `Texture2D.Handle`: a handle has the type of its resource.
        if found.is_empty() && name.name == *"Handle" && (ty.is_resource() || matches!(ty.kind(), TyKind::Uniform(..)))
        {
            return Some(ty);
        }
        found.iter().find_map(|m| self.member_type(m, name, args))
    }

    /// The interface of which the variable `e` holds a value. Its associated types are those of the
    /// type that it holds.
    fn interface_of_held(&mut self, e: &ast::Expr) -> Option<Ty> {
        let E::Name { name, args: None } = &e.kind else { return None };
        let ty = match self.lookup(name.name)? {
            lookup::Found::Local(id) => self.cx.locals.get(id.0 as usize)?.ty,
            lookup::Found::Value(value) => value.ty,
            lookup::Found::Members(_) => return None,
        };
        self.interface_type(ty).map(|_| ty)
    }

    /// `::T`: looked up from the top of the module.
    fn rooted_type(&mut self, e: &ast::Expr) -> Option<Ty> {
        let E::Name { name, args } = &e.kind else { return self.try_type(e) };
        let root = self.module().map_or(ROOT, |m| m.ns);
        let found = self.lookup_from(root, name.name).map(lookup::Found::Members);
        self.type_found(found, *name, args.as_deref())
    }

    /// The namespace that an expression names.
    pub(crate) fn namespace_scope(&mut self, base: &ast::Expr) -> Option<NsId> {
        match &base.kind {
            E::Name { name, args: None } => match self.lookup(name.name)? {
                lookup::Found::Members(found) => match found.first()?.entry {
                    Entry::Namespace(ns) => Some(ns),
                    _ => None,
                },
                lookup::Found::Local(_) | lookup::Found::Value(_) => None,
            },
            E::Rooted(inner) => match &inner.kind {
                E::Name { name, args: None } => {
                    let root = self.module().map_or(ROOT, |m| m.ns);
                    match self.lookup_from(root, name.name)?.first()?.entry {
                        Entry::Namespace(ns) => Some(ns),
                        _ => None,
                    }
                }
                _ => None,
            },
            E::Member { base: outer, name, args: None } => {
                let ns = self.namespace_scope(outer)?;
                match self.seen_in(ns, name.name).first()? {
                    Entry::Namespace(inner) => Some(*inner),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn array_of(&mut self, elem: Ty, count: Option<Val>, span: Span) -> Ty {
        if elem.is_error() {
            return elem;
        }
        let bad = match elem.kind() {
            TyKind::Void => Some("an array of `void`"),
            TyKind::Array(_, None) => Some("an array of arrays without a size"),
            _ => None,
        };
        if let Some(what) = bad {
            self.error(codes::E0207, span, format!("{what} is not a type"));
            return Ty::error();
        }
        let ty = match count {
            Some(n) => Ty::array_of(elem, n),
            None => Ty::array(elem, None),
        };
        if self.scalar_count(ty) > super::structs::MAX_SCALARS {
            self.error(codes::E0207, span, "this array is too large");
            return Ty::error();
        }
        ty
    }

    fn array_size(&mut self, e: &ast::Expr) -> Option<Val> {
        let size = self.const_val(e, "an array size")?;
        let Some(n) = size.as_int() else { return Some(size) };
        if !(0..=MAX_ARRAY).contains(&n) {
            self.error(codes::E0207, e.span, format!("an array cannot have {n} elements"));
            return None;
        }
        Some(size)
    }

    fn named_type(&mut self, name: ast::Ident, args: Option<&[ast::Expr]>) -> Option<Ty> {
        let found = self.lookup(name.name);
        if args.is_none()
            && name.name == *"Differential"
            && let Some(own) = self.own_differential(&found)
        {
            return Some(own);
        }
        self.type_found(found, name, args)
    }

    /// `Differential` without a type before it, inside of a differentiable type: the derived
    /// differential, unless the type declares its own.
    fn own_differential(&mut self, found: &Option<lookup::Found>) -> Option<Ty> {
        let this = self.cx.this_ty?;
        match found {
            None => {}
            Some(lookup::Found::Members(found)) if !found.iter().any(|m| m.of_type) => {}
            Some(_) => return None,
        }
        let mut at = self.cx.ns;
        let mut ty = this;
        loop {
            let resolving = ty.as_struct().is_some_and(|id| self.structs[id.0 as usize].state == State::Busy);
            let own = if resolving { None } else { self.differential(ty) };
            if own.is_some() {
                return own;
            }
            // A type within a differentiable one.
            ty = loop {
                let space = &self.namespaces[at?.0 as usize];
                at = space.parent;
                match space.owner.map(|owner| self.this_type(owner)) {
                    Some(outer) if outer != ty && outer != this => break outer,
                    _ => {}
                }
            };
        }
    }

    fn type_found(&mut self, found: Option<lookup::Found>, name: ast::Ident, args: Option<&[ast::Expr]>) -> Option<Ty> {
        match found {
            Some(lookup::Found::Local(_) | lookup::Found::Value(_)) => return None,
            Some(lookup::Found::Members(found)) => {
                self.check_one(&found, name);
                let first: Member = found.into_iter().next()?;
                // A function may have the name of a builtin type, which the name still means where
                // a type is expected.
                if let (Entry::Func(_), None, Some(t)) = (first.entry, args, builtin_type(&name.name)) {
                    return Some(t);
                }
                if !matches!(first.entry, Entry::Func(_)) && !self.may_name(first.entry, name) {
                    return Some(Ty::error());
                }
                let mut only_read = false;
                let args = match args {
                    // The argument for the address space has no effect.
                    Some(args) if args.len() > 1 && self.is_builtin_pointer(name.name, first.entry) => {
                        only_read = self.check_pointer_access(&args[1]);
                        if let (to, Some(layout)) = (&args[0], args.get(3)) {
                            self.check_pointer_layout(to, layout);
                        }
                        Some(&args[..1])
                    }
                    Some([to, layout]) if name.name == *"LayoutPtr" => {
                        self.check_pointer_layout(to, layout);
                        args
                    }
                    args => args,
                };
                let ty = self.member_type(&first, name, args)?;
                return Some(if only_read { self.read_pointer(ty) } else { ty });
            }
            None => {}
        }
        match (name.name.as_str(), args) {
            ("This", None) => self.cx.this_ty,
            (text, None) => match builtin_type(text) {
                Some(t) => Some(t),
                None if text == "vector" => Some(Ty::vector(Scalar::F32, 4)),
                None if text == "matrix" => Some(Ty::matrix(Scalar::F32, 4, 4)),
                None if matches!(text, "string" | "String" | "NativeString") => Some(Ty::new(TyKind::Str)),
                None if is_generic_builtin(text) => {
                    self.error(codes::E0208, name.span, format!("`{text}` needs type arguments"));
                    Some(Ty::error())
                }
                None if let Some(found) = Resource::named(text, None) => Some(found.unwrap_or_else(|()| {
                    self.error(codes::E0208, name.span, format!("`{text}` needs a type argument"));
                    Ty::error()
                })),
                None => {
                    if let Some(what) = known_unsupported(text) {
                        self.unsupported(name.span, &format!("{what} (`{text}`)"));
                        return Some(Ty::error());
                    }
                    None
                }
            },
            (text, Some(args)) => self.generic_builtin(text, name.span, args),
        }
    }

    /// The type of an entry. `s` are the arguments of the generic parameters around its
    /// declaration.
    pub(crate) fn entry_type(
        &mut self,
        entry: Entry,
        s: &Subst,
        name: ast::Ident,
        args: Option<&[ast::Expr]>,
    ) -> Option<Ty> {
        match entry {
            Entry::Struct(id) => {
                let info = &self.structs[id.0 as usize];
                let (gens, declares) = (info.gens, info.declares_generics);
                if !declares {
                    self.takes_no_args(name, args)?;
                    return Some(Ty::new(TyKind::Struct(id)));
                }
                // Inside of the declaration, the name without arguments means the type itself.
                if args.is_none() && self.inside(gens) {
                    return Some(Ty::new(TyKind::Struct(id)));
                }
                let layout = match args {
                    Some([to]) if self.is_builtin_pointer(name.name, entry) => self.layout_in_type(to),
                    _ => None,
                };
                let Some(args) = self.written_args(gens, s, name, args) else { return Some(Ty::error()) };
                if let (Some(_), Some(GArg::Ty(to))) = (layout, args.first()) {
                    return Some(self.pointer_type(to.laid(layout)));
                }
                Some(Ty::new(TyKind::Struct(self.struct_instance(id, args))))
            }
            Entry::Enum(id) => {
                self.takes_no_args(name, args)?;
                Some(Ty::new(TyKind::Enum(id)))
            }
            Entry::Interface(id) => {
                let gens = self.interfaces[id.0 as usize].gens;
                let declares = !self.own_params(gens).is_empty();
                let args = if declares && !(args.is_none() && self.inside(gens)) {
                    let Some(args) = self.written_args(gens, s, name, args) else { return Some(Ty::error()) };
                    args
                } else {
                    Args::new(self.identity_args(gens))
                };
                Some(Ty::new(TyKind::Interface(InterfaceRef { id, args })))
            }
            Entry::Alias(id) => {
                let ty = self.resolve_alias(id);
                let info = &self.aliases[id.0 as usize];
                if !info.bounds.is_empty() {
                    let what =
                        if info.bounds.len() == 1 { "is a builtin interface" } else { "stands for several interfaces" };
                    let text = format!("`{}` {what}, and no type of values", name.name);
                    self.error(codes::E0208, name.span, text);
                    return Some(Ty::error());
                }
                if !info.declares_generics {
                    self.takes_no_args(name, args)?;
                    return Some(ty);
                }
                let gens = self.namespaces[info.ns.0 as usize].gens;
                let Some(args) = self.written_args(gens, s, name, args) else { return Some(Ty::error()) };
                let s = Subst::new(&self.all_params(gens), &args);
                let ty = self.subst(ty, &s);
                let ty = self.require_size(ty, name.span);
                Some(self.require_elements(ty, name.span))
            }
            Entry::Bound(t) => {
                self.takes_no_args(name, args)?;
                Some(t)
            }
            Entry::Assoc(a) => {
                self.takes_no_args(name, args)?;
                let id = self.assocs[a.0 as usize].interface;
                let info = &self.interfaces[id.0 as usize];
                let (gens, this) = (info.gens, info.this);
                let interface = InterfaceRef { id, args: Args::new(self.identity_args(gens)) };
                Some(self.assoc(Ty::new(TyKind::Param(this)), interface, name.name))
            }
            Entry::Unsupported => Some(Ty::error()),
            Entry::Open(open) => {
                self.report_open(open, name.span);
                Some(Ty::error())
            }
            Entry::Class => {
                self.unsupported(name.span, "a class");
                Some(Ty::error())
            }
            _ => None,
        }
    }

    /// Returns `None` after it reported generic arguments of something that takes none.
    fn takes_no_args(&mut self, name: ast::Ident, args: Option<&[ast::Expr]>) -> Option<()> {
        if args.is_some() {
            // `texture2D<float>` is `Texture2D<float>`.
            let near = self.differs_in_capitals(&name.name);
            let d = self.error(codes::E0208, name.span, format!("`{}` takes no generic arguments", name.name));
            d.notes.extend(near.map(|near| format!("there is `{near}`, which takes some")));
            return None;
        }
        Some(())
    }

    fn written_args(
        &mut self,
        gens: Option<GenId>,
        s: &Subst,
        name: ast::Ident,
        args: Option<&[ast::Expr]>,
    ) -> Option<Args> {
        let given = match args {
            Some(args) => self.generic_args(args)?,
            None if self.all_have_defaults(gens) => Vec::new(),
            None => {
                self.error(codes::E0208, name.span, format!("`{}` needs generic arguments", name.name));
                return None;
            }
        };
        self.complete_args(name.name, gens, s, &given, name.span)
    }

    /// Whether the code that is being checked is inside of the declaration with these parameters.
    fn inside(&self, gens: Option<GenId>) -> bool {
        let mut at = self.namespaces[self.current_ns().0 as usize].gens;
        while let Some(g) = at {
            if Some(g) == gens {
                return true;
            }
            at = self.generics[g.0 as usize].outer;
        }
        false
    }

    pub(crate) fn resolve_alias(&mut self, id: AliasId) -> Ty {
        let info = &mut self.aliases[id.0 as usize];
        match info.state {
            State::Done => return info.resolved.unwrap_or(Ty::error()),
            State::Busy => {
                // An extension that depends on what the alias stands for says nothing about it.
                let at = self.resolving.iter().position(|a| *a == id);
                if let Some(at) = at.filter(|at| self.deciding.is_some_and(|from| *at < from)) {
                    self.circular = Some(self.circular.map_or(at, |c| c.min(at)));
                    return Ty::error();
                }
                let name = self.aliases[id.0 as usize].name;
                let (name, span) = (name.name, name.span);
                self.error(codes::E0209, span, format!("`{name}` is defined in terms of itself"));
                return Ty::error();
            }
            State::New => {}
        }
        info.state = State::Busy;
        let (ty, ns) = (info.ty.clone(), info.ns);
        let outer = std::mem::take(&mut self.cx);
        self.cx.ns = Some(ns);
        self.cx.this_ty = self.this_type_of_ns(ns);
        self.cx.aliasing = Some(id);
        let (at, before) = (self.resolving.len(), self.circular.take());
        self.resolving.push(id);
        if let Some(g) = self.namespaces[ns.0 as usize].gens {
            self.ensure_generics(g);
        }
        let bounds = match &ty.kind {
            E::Binary { op: ast::BinOp::And, .. } => self.resolve_bounds(&ty),
            _ => match self.bounds_of_alias(&ty) {
                Some(bounds) => bounds,
                None => self.builtin_bound(&ty).into_iter().collect(),
            },
        };
        let resolved = if bounds.is_empty() { self.resolve_type(&ty) } else { Ty::error() };
        if !self.linkage.is_link(id) {
            self.check_exposed(Entry::Alias(id), ns, resolved, ty.span);
        }
        self.cx = outer;
        self.resolving.pop();
        // What was found without an extension that depends on an alias around this one is found
        // again when that is resolved.
        let around = self.circular.take().filter(|c| *c < at);
        self.circular = before.into_iter().chain(around).min();
        let info = &mut self.aliases[id.0 as usize];
        if around.is_some() {
            info.state = State::New;
            return Ty::error();
        }
        info.bounds = bounds;
        info.state = State::Done;
        info.resolved = Some(resolved);
        resolved
    }

    /// The declaration whose members the names of `ns` are.
    pub(crate) fn owner_of(&self, ns: NsId) -> Option<Owner> {
        let mut at = Some(ns);
        while let Some(id) = at {
            let space = &self.namespaces[id.0 as usize];
            if space.owner.is_some() {
                return space.owner;
            }
            at = space.parent;
        }
        None
    }

    /// Resolves generic arguments: types or constants.
    pub(crate) fn generic_args(&mut self, args: &[ast::Expr]) -> Option<Vec<GArg>> {
        let mut out = Vec::with_capacity(args.len());
        for a in args {
            match self.try_type(a) {
                Some(t) if t.is_error() => return None,
                Some(t) => out.push(self.each_argument(t)),
                None => out.push(GArg::Val(self.const_val(a, "a generic argument")?)),
            }
        }
        Some(out)
    }

    /// Whether a struct is a float that is only stored and converted: the prelude's interface of
    /// these says so.
    fn is_small_float(&mut self, ty: Ty) -> bool {
        let name = Name::new("__ISmallFloat");
        if ty.as_struct().is_none() {
            return false;
        }
        self.load_prelude(name);
        let entries = self.namespaces[ROOT.0 as usize].names.get(&name);
        let interface = entries.into_iter().flatten().find_map(|e| match e {
            Entry::Interface(id) => Some(*id),
            _ => None,
        });
        interface.is_some_and(|id| self.conforms(ty, InterfaceRef { id, args: Args::none() }))
    }

    /// Checks the layout that a buffer is given beside its type, if there is one. Returns whether
    /// it is a layout.
    fn check_buffer_layout(&mut self, args: &[GArg], span: Span) -> bool {
        let [GArg::Ty(t), GArg::Ty(layout)] = args else { return true };
        let fits = self.require_layout(*layout, span);
        if fits {
            self.check_data_layout(*t, *layout, span);
        }
        fits
    }

    /// A resource with type arguments.
    fn resource_type(&mut self, text: &str, span: Span, args: &[ast::Expr]) -> Option<Ty> {
        let Some(mut args) = self.memory_args(args) else { return Some(Ty::error()) };
        if matches!(text, "AppendStructuredBuffer" | "ConsumeStructuredBuffer") {
            if !self.check_buffer_layout(&args, span) {
                return Some(Ty::error());
            }
            if args.len() == 2 {
                args.truncate(1);
            }
        }
        let found = Resource::named(text, Some(&args))?;
        Some(found.unwrap_or_else(|()| {
            self.error(codes::E0208, span, format!("these are not the arguments that `{text}` takes"));
            Ty::error()
        }))
    }

    fn generic_builtin(&mut self, text: &str, span: Span, args: &[ast::Expr]) -> Option<Ty> {
        if !is_generic_builtin(text) {
            if Resource::named(text, None).is_some() {
                return self.resource_type(text, span, args);
            }
            if let Some(what) = known_unsupported(text) {
                self.unsupported(span, &format!("{what} (`{text}`)"));
                return Some(Ty::error());
            }
            return None;
        }
        let contents = !matches!(text, "vector" | "matrix" | "Array" | "DifferentialPair");
        let given = if contents { self.memory_args(args) } else { self.generic_args(args) };
        let Some(args) = given else { return Some(Ty::error()) };
        if let ("matrix", [_, _, _, GArg::Val(l)]) = (text, args.as_slice())
            && let types::ValKind::Param(p) = *l.kind()
        {
            self.params[p.0 as usize].layout = true;
        }
        let laid = matches!(text, "StructuredBuffer" | "RWStructuredBuffer" | STORAGE_BLOCK | "ConstantBuffer");
        if laid && !self.check_buffer_layout(&args, span) {
            return Some(Ty::error());
        }
        if let (Some(small), [GArg::Ty(t), sizes @ ..]) = (small_vector(text), args.as_slice())
            && self.is_small_float(*t)
            && sizes.iter().all(|size| matches!(size, GArg::Val(n) if is_size(*n)))
            && sizes.len() == small.1
        {
            return self
                .prelude_struct(small.0)
                .map(|base| Ty::new(TyKind::Struct(self.struct_instance(base, Args::new(args.clone())))));
        }
        let ty = match (text, args.as_slice()) {
            // Such vectors are indexed, and nothing else: so are arrays.
            ("vector", [GArg::Ty(t), GArg::Val(n)])
                if matches!(t.kind(), TyKind::Vector(..) | TyKind::VectorOf(..)) && is_size(*n) =>
            {
                Some(self.array_of(*t, Some(*n), span))
            }
            ("vector", [GArg::Ty(t), rest @ ..]) if matches!(rest, [] | [GArg::Val(_)]) => {
                let n = size_among(rest, 0);
                (can_be_element(*t) && is_size(n)).then(|| Ty::vector_of(*t, n))
            }
            ("matrix", [GArg::Ty(t), rest @ ..]) if matches!(rest, [] | [GArg::Val(_)]) => {
                let (r, c) = (size_among(rest, 0), size_among(rest, 1));
                (can_be_element(*t) && is_size(r)).then(|| Ty::matrix_of(*t, r, c))
            }
            (
                "matrix",
                [GArg::Ty(t), GArg::Val(r), GArg::Val(c)] | [GArg::Ty(t), GArg::Val(r), GArg::Val(c), GArg::Val(_)],
            ) => (can_be_element(*t) && is_size(*r) && is_size(*c)).then(|| Ty::matrix_of(*t, *r, *c)),
            ("Array", [GArg::Ty(t), GArg::Val(n)]) if n.as_int().is_none_or(|n| (0..=MAX_ARRAY).contains(&n)) => {
                Some(self.array_of(*t, Some(*n), span))
            }
            // A layout argument has no effect: buffers have C's layout.
            ("StructuredBuffer", [GArg::Ty(t)] | [GArg::Ty(t), GArg::Ty(_)]) => {
                Some(Ty::new(TyKind::Buffer { elem: *t, write: false }))
            }
            ("RWStructuredBuffer" | STORAGE_BLOCK, [GArg::Ty(t)] | [GArg::Ty(t), GArg::Ty(_)]) => {
                Some(Ty::new(TyKind::Buffer { elem: *t, write: true }))
            }
            ("ConstantBuffer", [GArg::Ty(t), GArg::Ty(_)])
            | ("ConstantBuffer" | "ParameterBlock" | "TextureBuffer", [GArg::Ty(t)]) => {
                Some(Ty::new(TyKind::Uniform(*t, types::Block::by_name(text))))
            }
            ("DescriptorHandle", [GArg::Ty(t)]) => {
                let is_bound = t.is_resource() || self.is_opaque(*t) || matches!(t.kind(), TyKind::Uniform(..));
                if !is_bound && !self.is_dependent(*t) {
                    let shown = self.show(*t);
                    self.error(codes::E0208, span, format!("`{shown}` is no resource; only those have handles"));
                    return Some(Ty::error());
                }
                Some(*t)
            }
            ("DifferentialPair", [GArg::Ty(t)]) => {
                if self.differential(*t).is_none() {
                    let shown = self.show(*t);
                    self.error(
                        codes::E0301,
                        span,
                        format!("`{shown}` is not differentiable, so it has no differential pair"),
                    )
                    .notes
                    .push("only types that conform to IDifferentiable have pairs".to_string());
                    return Some(Ty::error());
                }
                Some(Ty::pair(*t))
            }
            _ => None,
        };
        if ty.is_none() {
            let d = self.error(codes::E0208, span, format!("these are not the arguments that `{text}` takes"));
            d.notes.extend(sizes_of(text));
        }
        Some(ty.unwrap_or(Ty::error()))
    }
}

/// What vectors and matrices of floats that are only stored are, and how many sizes they have.
fn small_vector(text: &str) -> Option<(&'static str, usize)> {
    match text {
        "vector" => Some(("__SmallVector", 1)),
        "matrix" => Some(("__SmallMatrix", 2)),
        _ => None,
    }
}

/// Whether a type can be the element of a vector: a scalar, or a parameter that stands for one.
fn can_be_element(ty: Ty) -> bool {
    // The argument of a parameter decides later.
    matches!(ty.kind(), TyKind::Scalar(_) | TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. })
}

/// The size at this position among the arguments; 4 if it is left out.
fn size_among(args: &[GArg], at: usize) -> Val {
    match args.get(at) {
        Some(GArg::Val(n)) => *n,
        _ => Val::int(4),
    }
}

/// Whether a vector can have this size. A vector without elements is a type, but
/// `require_value_type` refuses variables of it.
fn is_size(n: Val) -> bool {
    n.as_int().is_none_or(|n| (0..=4).contains(&n))
}

/// The type of a buffer with one element: a variable of it stands for the element.
const STORAGE_BLOCK: &str = "GLSLShaderStorageBuffer";

/// Whether a type is written as that of a buffer with one element.
pub(super) fn is_storage_block(written: &ast::Expr) -> bool {
    matches!(&written.kind, ast::ExprKind::Name { name, .. } if *name.name == *STORAGE_BLOCK)
}

/// Generic types with names that are not declared anywhere.
pub(super) const GENERIC: [&str; 11] = [
    "vector",
    "matrix",
    "Array",
    "StructuredBuffer",
    "RWStructuredBuffer",
    STORAGE_BLOCK,
    "ConstantBuffer",
    "ParameterBlock",
    "TextureBuffer",
    "DifferentialPair",
    "DescriptorHandle",
];

fn is_generic_builtin(text: &str) -> bool {
    GENERIC.contains(&text)
}

/// Describes a type of Slang that is known but not implemented yet.
fn known_unsupported(text: &str) -> Option<&'static str> {
    (text == "Result").then_some("this generic type")
}
