//! Collects declarations: gives every name its entry, and resolves nothing yet.

use super::*;
use ast::{Decl, DeclKind};
use caustic_ir::codes;

impl Checker<'_> {
    pub(crate) fn new_namespace(&mut self, parent: NsId, owner: Option<Owner>, name: &str) -> NsId {
        let outer = &self.namespaces[parent.0 as usize];
        let path = if outer.path.is_empty() { name.to_string() } else { format!("{}.{name}", outer.path) };
        let path = if name.is_empty() { outer.path.clone() } else { path };
        let (gens, module) = (outer.gens, outer.module);
        self.namespaces.push(Namespace { parent: Some(parent), owner, module, gens, path, ..Namespace::default() });
        NsId(self.namespaces.len() as u32 - 1)
    }

    /// A nested table of names at the same place.
    pub(crate) fn scope_namespace(&mut self, parent: NsId) -> NsId {
        let outer = &self.namespaces[parent.0 as usize];
        let (gens, path, module) = (outer.gens, outer.path.clone(), outer.module);
        self.namespaces.push(Namespace { parent: Some(parent), module, gens, path, ..Namespace::default() });
        NsId(self.namespaces.len() as u32 - 1)
    }

    /// The part of a namespace that one file writes, within `parent`.
    pub(crate) fn part_of_namespace(&mut self, whole: NsId, parent: NsId) -> NsId {
        let part = self.scope_namespace(whole);
        let space = &mut self.namespaces[part.0 as usize];
        (space.part_of, space.parent) = (Some(whole), Some(parent));
        part
    }

    /// The namespace in which what is declared in `ns` has its name.
    pub(crate) fn whole(&self, ns: NsId) -> NsId {
        self.namespaces[ns.0 as usize].part_of.unwrap_or(ns)
    }

    pub(crate) fn collect(&mut self, decls: &[Rc<Decl>], ns: NsId, owner: Option<Owner>) {
        let outer = self.declaring;
        for decl in decls {
            if let DeclKind::Typedef { name, generics, ty, .. } = &decl.kind
                && generics.is_empty()
            {
                self.written_aliases.insert((self.whole(ns), name.name), ty.clone());
            }
            self.note_aliases_ahead(decl, self.whole(ns), "");
        }
        for decl in decls {
            self.declaring = self.visibility_of(&decl.mods, ns, owner);
            self.check_visibility(decl, ns, owner);
            self.note_attributes(decl, ns);
            self.collect_one(decl, ns, owner);
        }
        self.declaring = outer;
    }

    pub(crate) fn unique(&mut self, ns: NsId, ident: ast::Ident) -> bool {
        let taken = self.namespaces[self.whole(ns).0 as usize].names.get(&ident.name).cloned();
        let Some(old) = taken.and_then(|e| e.first().copied()) else { return true };
        let earlier = self.entry_span(old);
        self.declared_twice(ident, earlier);
        false
    }

    fn declared_twice(&mut self, ident: ast::Ident, earlier: Option<Span>) {
        let text = format!("`{}` is declared twice", ident.name);
        let mut d = self.sources.diagnostic(ident.span, |loc| Diagnostic::error(codes::E0205, loc, text));
        if let Some(span) = earlier {
            d.labels.push((self.loc(span), "first declared here".to_string()));
        }
        self.push(d);
    }

    pub(crate) fn entry_span(&self, entry: Entry) -> Option<Span> {
        let of = |d: &Rc<Decl>| d.name().map_or(d.span, |n| n.span);
        Some(match entry {
            Entry::Func(f) => of(&self.funcs[f.0 as usize].decl),
            Entry::Struct(s) => self.structs[s.0 as usize].span,
            Entry::Enum(e) => self.enums[e.0 as usize].span,
            Entry::Case(e, i) => self.case_span(e, i)?,
            Entry::Interface(i) => self.interfaces[i.0 as usize].span,
            Entry::Assoc(a) => self.assocs[a.0 as usize].name.span,
            Entry::Alias(a) => self.aliases[a.0 as usize].name.span,
            Entry::Const(c) => of(&self.consts[c.0 as usize].decl),
            Entry::Global(g) => self.globals[g.0 as usize].span,
            Entry::Static(s) => self.statics[s.0 as usize].span,
            Entry::Property(p) => self.properties[p.0 as usize].name.span,
            _ => return None,
        })
    }

    pub(crate) fn collect_one(&mut self, decl: &Rc<Decl>, ns: NsId, owner: Option<Owner>) {
        match &decl.kind {
            DeclKind::Empty => {}
            DeclKind::Func(_) if decl.mods.elsewhere => {}
            DeclKind::Func(f) => self.collect_func(decl, f, ns, owner),
            DeclKind::Struct(s) => self.collect_struct(decl, s, ns, owner),
            DeclKind::Interface(i) => {
                if self.unique(ns, i.name) {
                    self.collect_interface(decl, i, ns);
                }
            }
            DeclKind::Extension(e) => self.collect_extension(decl, e, ns),
            DeclKind::Typedef { name, generics, constraints, ty } => {
                if !self.unique(ns, *name) {
                    return;
                }
                let inner = self.declare_generics(generics, constraints, ns);
                let id = self.new_alias(*name, ty.clone(), inner);
                self.aliases[id.0 as usize].declares_generics = inner != ns;
                self.define(ns, name.name, Entry::Alias(id));
            }
            DeclKind::AssocType(a) => {
                self.error(codes::E0235, a.name.span, "an associated type can only stand in an interface");
            }
            DeclKind::Var(v) => self.collect_var(decl, v, ns, owner),
            DeclKind::Namespace { path, members } => self.collect_namespace(path, members, ns),
            DeclKind::Enum(e) => self.collect_enum(decl, e, ns),
            DeclKind::CBuffer { name, members } => self.collect_constant_buffer(*name, members, ns, owner),
            DeclKind::Property(p) => self.collect_property(decl, p, ns, owner),
            DeclKind::Subscript(s) if owner.is_none() => {
                self.error(codes::E0285, s.word, "a subscript can only stand in a type");
            }
            DeclKind::Subscript(s) => self.collect_subscript(decl, s, ns, owner),
            DeclKind::TypeParam(p) => self.collect_type_param(p, ns),
            DeclKind::FuncExtension(e) if owner.is_some() => {
                self.error(codes::E0285, e.op.span, "a derivative is given from outside at the level of the module");
            }
            DeclKind::FuncExtension(_) => self.outside.pending.push((decl.clone(), ns)),
            DeclKind::Using(path) => {
                let in_file = self.namespaces[ns.0 as usize].path.is_empty();
                let ns = if in_file { ns } else { self.whole(ns) };
                self.pending_using.push((path.clone(), ns));
            }
            DeclKind::StaticAssert { .. } => self.pending.push((Pending::Assert, decl.clone(), ns)),
            // The loader has followed imports already.
            DeclKind::Module(_) | DeclKind::Import { .. } => {}
        }
    }

    fn collect_func(&mut self, decl: &Rc<Decl>, f: &ast::FuncDecl, ns: NsId, owner: Option<Owner>) {
        let name = f.name.name;
        if f.kind == ast::FuncKind::Constructor && owner.is_none() && !self.loading_prelude {
            self.error(codes::E0285, f.name.span, "a constructor can only stand in a type");
            return;
        }
        if let Some(generic) = self.with_callables(decl, f, ns) {
            return self.collect_one(&generic, ns, owner);
        }
        if let Some(generic) = self.with_sizes(decl, f) {
            return self.collect_one(&generic, ns, owner);
        }
        let taken = self.namespaces[self.whole(ns).0 as usize].names.get(&name).and_then(|e| e.first().copied());
        let overloads = |e: Entry| matches!(e, Entry::Func(_) | Entry::Unsupported | Entry::Open(_));
        if taken.is_some_and(|e| !overloads(e)) && !self.loading_prelude {
            self.unique(ns, f.name);
        }
        let inner = self.declare_generics(&f.generics, &f.constraints, ns);
        let id = self.new_func(name, decl, inner, owner);
        self.funcs[id.0 as usize].declares_generics = inner != ns;
        if f.kind == ast::FuncKind::Operator {
            self.operator_names.insert(name);
        }
        self.define(ns, name, Entry::Func(id));
        if owner.is_none() {
            self.note_linkage(decl, f.name, ns, Entry::Func(id));
        }
    }

    fn collect_struct(&mut self, decl: &Rc<Decl>, s: &ast::StructDecl, ns: NsId, owner: Option<Owner>) {
        let Some(name) = s.name else {
            return self.unsupported(decl.span, "a struct without a name");
        };
        // It declares an attribute, which has no effect here.
        if decl.mods.attr("__AttributeUsage").is_some() || decl.mods.attr("AttributeUsage").is_some() {
            let short = Name::new(name.name.strip_suffix("Attribute").unwrap_or(&name.name));
            if let Some(own) = self.own_attributes.get_mut(&short) {
                own.ns = Some(ns);
            }
            return;
        }
        if let Some(plain) = self.without_bit_fields(decl, s, ns) {
            return self.collect_one(&plain, ns, owner);
        }
        if !self.unique(ns, name) {
            return;
        }
        if s.is_class {
            return self.define(ns, name.name, Entry::Class);
        }
        // A struct without a body has no members, unless another module defines it.
        if s.link.is_some() || !s.has_body && decl.mods.has("extern") {
            return self.collect_linked_struct(decl, s, name, ns);
        }
        let id = self.new_struct(name.name, decl, ns);
        self.define(ns, name.name, Entry::Struct(id));
        self.note_linkage(decl, name, ns, Entry::Struct(id));
        self.collect_members(id);
    }

    fn collect_namespace(&mut self, path: &[ast::Ident], members: &[Rc<Decl>], ns: NsId) {
        let mut at = ns;
        for part in path {
            let whole = self.whole(at);
            let existing = self.namespaces[whole.0 as usize].names.get(&part.name).and_then(|e| e.first().copied());
            let inner = match existing {
                Some(Entry::Namespace(id)) => id,
                Some(_) => {
                    self.unique(at, *part);
                    return;
                }
                None => {
                    let id = self.new_namespace(whole, None, &part.name);
                    self.namespaces[id.0 as usize].declared = part.span;
                    self.define(whole, part.name, Entry::Namespace(id));
                    id
                }
            };
            at = if whole == at { inner } else { self.part_of_namespace(inner, at) };
        }
        self.collect(members, at, None);
    }

    /// The variables of a `cbuffer` are parameters of the program, which can also be named through
    /// the block.
    fn collect_constant_buffer(
        &mut self,
        name: Option<ast::Ident>,
        members: &[Rc<Decl>],
        ns: NsId,
        owner: Option<Owner>,
    ) {
        if let Some(name) = name
            && let Some(first) = self.blocks.insert((self.whole(ns), name.name), name.span)
        {
            self.declared_twice(name, Some(first));
        }
        for (at, m) in members.iter().enumerate() {
            // Two blocks may have variables of one name, as long as nothing uses it.
            let earlier = |v: &ast::Ident| members[..at].iter().find_map(|o| o.name().filter(|n| n.name == v.name));
            match &m.kind {
                DeclKind::Var(v) if let Some(first) = earlier(&v.name) => self.declared_twice(v.name, Some(first.span)),
                DeclKind::Var(v) if owner.is_none() => self.add_global(m, v, ns, name.map(|n| n.name)),
                DeclKind::Struct(_) | DeclKind::Enum(_) | DeclKind::Typedef { .. } | DeclKind::Func(_) => {
                    self.collect(std::slice::from_ref(m), ns, owner);
                }
                _ => self.unsupported(m.span, "this declaration in a constant buffer"),
            }
        }
    }

    fn collect_var(&mut self, decl: &Rc<Decl>, v: &ast::VarDecl, ns: NsId, owner: Option<Owner>) {
        // A constant for specialization keeps its value, because there is no later stage that could
        // set it.
        let specialized = ["vk::constant_id", "vk::specialization_constant", "SpecializationConstant"]
            .iter()
            .any(|a| decl.mods.attr(a).is_some());
        let is_const = decl.mods.has("static") && (decl.mods.has("const") || v.is_let)
            || decl.mods.has("constexpr")
            || specialized && owner.is_none() && v.init.is_some();
        if decl.mods.has("extern") && matches!(owner, Some(Owner::Extension(_))) {
            // An extension names an existing field again (`extensions`).
            return;
        }
        if owner.is_some() && !is_const && !decl.mods.has("static") {
            // `structs` resolves the type of a field.
            if !matches!(owner, Some(Owner::Struct(_))) {
                let note = match owner {
                    Some(Owner::Interface(_)) => {
                        "a requirement is a property, `property x : T { get; }`, or `static const`"
                    }
                    _ => "what is added to a type is a method, a property or `static`: its values stay as large",
                };
                self.error(codes::E0236, v.name.span, "only a struct has fields").notes.push(note.to_string());
                self.broken.insert(v.name.name);
            }
            return;
        }
        if !self.unique(ns, v.name) {
            return;
        }
        if is_const {
            let id = ConstId(self.consts.len() as u32);
            let info =
                ConstInfo { name: v.name.name, decl: decl.clone(), ns, value: None, linked: None, state: State::New };
            self.consts.push(info);
            self.define(ns, v.name.name, Entry::Const(id));
            if owner.is_none() {
                self.note_linkage(decl, v.name, ns, Entry::Const(id));
            }
        } else if decl.mods.has("static") && !decl.mods.has("groupshared") {
            let entry = self.new_static(decl, v, ns);
            self.define(ns, v.name.name, entry);
        } else if decl.mods.has("groupshared") {
            self.add_global(decl, v, ns, None);
            let gens = self.namespaces[ns.0 as usize].gens;
            if let Some(global) = self.globals.last_mut() {
                (global.groupshared, global.gens) = (true, gens);
            }
        } else {
            self.add_global(decl, v, ns, None);
        }
    }

    fn add_global(&mut self, decl: &Rc<Decl>, v: &ast::VarDecl, ns: NsId, block: Option<Name>) {
        if let Some(init) = &v.init {
            let note = "a constant is declared `static const`, a variable `static`".to_string();
            if decl.mods.has("groupshared") || decl.mods.has("const") || decl.mods.has("uniform") {
                let what = if decl.mods.has("groupshared") { "groupshared memory" } else { "a shader parameter" };
                self.error(codes::E0206, init.span, format!("{what} cannot have an initializer")).notes.push(note);
            } else {
                let text = format!("`{}` is a shader parameter: its initializer means nothing", v.name.name);
                self.warn(codes::W0206, init.span, text).notes.push(note);
            }
        }
        let id = GlobalId(self.globals.len() as u32);
        let path = self.namespaces[ns.0 as usize].path.clone();
        let name = if path.is_empty() { v.name.name } else { Name::new(&format!("{path}.{}", v.name.name)) };
        self.globals.push(Global {
            name,
            ty: Ty::error(),
            span: v.name.span,
            layout: None,
            uniform: true,
            groupshared: false,
            storage: false,
            gens: None,
            block,
            given: None,
            seen_as: None,
        });
        if let (Some(ty), false) = (&v.ty, decl.mods.has("groupshared")) {
            self.note_parameter(id, ty, ns);
        }
        self.define(ns, v.name.name, Entry::Global(id));
        self.pending.push((Pending::Global(id), decl.clone(), ns));
    }

    /// Checks globals and assertions, which have waited until all names are known.
    fn resolve_pending(&mut self) {
        for (what, decl, ns) in std::mem::take(&mut self.pending) {
            self.cx = BodyCx { ns: Some(ns), ..BodyCx::default() };
            match (what, &decl.kind) {
                (Pending::Attributes, _) => self.evaluate_attributes(&decl),
                (Pending::Assert, DeclKind::StaticAssert { cond, message }) => {
                    self.outer_assertion(cond, message.as_ref());
                }
                (Pending::Global(id), DeclKind::Var(v)) => {
                    let ty = match &v.ty {
                        Some(t) => self.resolve_type(t),
                        None => Ty::error(),
                    };
                    let ty = match (&v.ty, &v.init) {
                        // The initializer only completes the type with the size of the array.
                        (Some(_), Some(init)) if matches!(ty.kind(), types::TyKind::Array(_, None)) => {
                            self.type_of_initializer(init, Some(ty))
                        }
                        (None, Some(init)) => self.type_of_initializer(init, None),
                        (None, None) => {
                            self.error(codes::E0202, v.name.span, "a shader parameter needs a type");
                            Ty::error()
                        }
                        _ => ty,
                    };
                    let ty = match ty.kind() {
                        // The host decides how many resources there are.
                        types::TyKind::Array(t, None) if t.is_resource() && !decl.mods.has("groupshared") => ty,
                        types::TyKind::Array(t, None) if self.is_opaque(*t) => {
                            Ty::new(types::TyKind::Array(*t, Some(descriptors::MOST)))
                        }
                        types::TyKind::Void | types::TyKind::Array(_, None) => self.without_size(id, &decl, v, ty),
                        _ => ty,
                    };
                    if let Some(t) = &v.ty {
                        self.note_handle(v.name.span, t, ty);
                        self.check_exposed(Entry::Global(id), ns, ty, t.span);
                    }
                    self.check_register(v, ty);
                    let shared = self.globals[id.0 as usize].groupshared;
                    let given = self.given_type(id, ty, v.name.span);
                    if given.is_some() {
                        let of = match ty.kind() {
                            types::TyKind::Uniform(t, _) => *t,
                            _ => ty,
                        };
                        self.globals[id.0 as usize].seen_as = Some(of);
                    }
                    let ty = given.unwrap_or(ty);
                    let ty = if shared { self.shared_memory(ty, v.name.span) } else { ty };
                    let layout = v.ty.as_ref().and_then(|t| self.written_layout(&decl.mods, t, ty));
                    let storage = v.ty.as_ref().is_some_and(typeexpr::is_storage_block);
                    let global = &mut self.globals[id.0 as usize];
                    global.storage = storage && ty.is_resource();
                    global.layout = layout;
                    global.ty = ty;
                    global.uniform = !shared && !ty.is_resource();
                }
                _ => {}
            }
        }
        self.cx = BodyCx::default();
    }

    /// The type of a shader parameter that is declared as an array without a size: a buffer, of
    /// which the host decides how long it is.
    fn without_size(&mut self, id: GlobalId, decl: &Decl, v: &ast::VarDecl, ty: Ty) -> Ty {
        let (shared, block) = (decl.mods.has("groupshared"), self.globals[id.0 as usize].block);
        if let (types::TyKind::Array(elem, None), false, None) = (ty.kind(), shared, block) {
            return Ty::new(types::TyKind::Buffer { elem: *elem, write: false });
        }
        let (shown, what) = (self.show(ty), if shared { "groupshared memory" } else { "a shader parameter" });
        self.error(codes::E0207, v.name.span, format!("{what} cannot have type `{shown}`"));
        Ty::error()
    }

    fn type_of_initializer(&mut self, init: &ast::Expr, declared: Option<Ty>) -> Ty {
        let outer = std::mem::replace(&mut self.cx.const_only, true);
        let value = self.check_init(init, declared);
        self.cx.const_only = outer;
        value.ty
    }

    pub(crate) fn new_alias(&mut self, name: ast::Ident, ty: ast::Expr, ns: NsId) -> AliasId {
        self.aliases.push(AliasInfo {
            name,
            ty,
            ns,
            declares_generics: false,
            resolved: None,
            bounds: Vec::new(),
            state: State::New,
        });
        AliasId(self.aliases.len() as u32 - 1)
    }

    /// Resolves everything that the program declares, used or not, so that `check` finds every
    /// error. Bodies follow later.
    pub(crate) fn resolve_all(&mut self) {
        self.resolve_using();
        self.declare_func_extensions();
        for g in 0..self.generics.len() {
            self.ensure_generics(GenId(g as u32));
        }
        for e in 0..self.enums.len() {
            self.ensure_enum(EnumId(e as u32));
        }
        for i in 0..self.interfaces.len() {
            self.ensure_interface(InterfaceId(i as u32));
        }
        self.ensure_extensions();
        self.resolve_pending();
        let mut i = 0;
        while i < self.aliases.len() {
            self.resolve_alias(AliasId(i as u32));
            i += 1;
        }
        self.check_promises();
        let mut i = 0;
        while i < self.structs.len() {
            self.ensure_bases(StructId(i as u32));
            self.resolve_fields(StructId(i as u32));
            i += 1;
        }
        let mut i = 0;
        while i < self.consts.len() {
            let id = ConstId(i as u32);
            let ty = self.const_value(id).ty;
            let span = self.entry_span(Entry::Const(id)).unwrap_or_default();
            self.check_exposed(Entry::Const(id), self.consts[id.0 as usize].ns, ty, span);
            i += 1;
        }
        let mut i = 0;
        while i < self.statics.len() {
            self.ensure_static(StaticId(i as u32));
            i += 1;
        }
        let mut i = 0;
        while i < self.funcs.len() {
            let id = FuncId(i as u32);
            if !self.funcs[i].is_prelude {
                self.ensure_signature(id);
            }
            i += 1;
        }
        // Duplicates are decided before derivatives are attached to functions.
        self.check_duplicates();
        self.resolve_links();
        self.check_substitutes();
        self.link_func_extensions();
        self.check_conformances();
        self.check_arithmetic();
        self.check_fields_named_again();
        self.check_field_defaults();
        self.check_declared();
        for i in 0..self.funcs.len() {
            if !self.funcs[i].is_prelude {
                // Bodies of generic functions are checked too, used or not.
                self.need_body(FuncId(i as u32));
            }
        }
    }

    /// Checks the default values of fields even if no value is made of them.
    fn check_field_defaults(&mut self) {
        for i in 0..self.structs.len() {
            let info = &self.structs[i];
            // An instance has what its declaration has.
            let declared = info.instance_of.is_none_or(|(base, _)| base.0 as usize == i);
            if info.decl.is_some() && declared && !self.failed() {
                let span = info.span;
                self.default_fields(StructId(i as u32), span);
            }
        }
    }
}
