//! Declares functions, and resolves their signatures.

use super::types::TyKind;
use super::*;
use ast::{DeclKind, FuncKind};
use caustic_ir::Input;
use caustic_ir::codes;

impl Checker<'_> {
    pub(crate) fn new_func(&mut self, name: Name, decl: &Rc<ast::Decl>, ns: NsId, owner: Option<Owner>) -> FuncId {
        let id = FuncId(self.funcs.len() as u32);
        let has_body = matches!(&decl.kind, DeclKind::Func(f) if f.body.is_some());
        if decl.mods.intrinsic.is_some() && !self.loading_prelude {
            self.error(codes::E0283, decl.span, "`__intrinsic` is for the compiler's own library")
                .notes
                .push("give the function a body".to_string());
        }
        let is_constructor = matches!(&decl.kind, DeclKind::Func(f) if f.kind == FuncKind::Constructor);
        self.funcs.push(FuncInfo {
            name,
            symbol: name,
            named: false,
            decl: decl.clone(),
            ns,
            owner,
            gens: self.namespaces[ns.0 as usize].gens,
            declares_generics: false,
            this: None,
            params: Vec::new(),
            ret: Ty::void(),
            ret_no_diff: false,
            attrs: FuncAttrs::default(),
            links: links::Links::default(),
            intrinsic: decl.mods.intrinsic.filter(|_| self.loading_prelude),
            is_prelude: self.loading_prelude,
            has_body,
            is_constructor,
            instance_of: None,
            dispatch: None,
            sampled: false,
            generation: 0,
            body: None,
            signature: State::New,
            state: State::New,
        });
        id
    }

    /// Resolves the types of parameters and result, and the attributes, once.
    pub(crate) fn ensure_signature(&mut self, id: FuncId) {
        let info = &mut self.funcs[id.0 as usize];
        if info.signature != State::New {
            return;
        }
        info.signature = State::Busy;
        let (decl, ns, owner, gens) = (info.decl.clone(), info.ns, info.owner, info.gens);
        let DeclKind::Func(f) = &decl.kind else { return };
        let outer = std::mem::take(&mut self.cx);
        if matches!(owner, Some(Owner::Extension(_))) {
            self.ensure_extensions();
        }
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        let this_ty = owner.map(|o| self.this_type(o));
        self.cx.ns = Some(ns);
        self.cx.this_ty = this_ty;
        let attrs = self.func_attrs(&decl.mods);
        let mut params = Vec::new();
        let mut this = None;
        let is_static = decl.mods.has("static");
        if let Some(ty) = this_ty
            && !is_static
            && f.kind != FuncKind::Constructor
        {
            let dir = if attrs.mutating { Dir::InOut } else { Dir::In };
            this = Some(dir);
            params.push(Param {
                name: Name::new("this"),
                ty,
                dir,
                no_diff: attrs.no_diff_this,
                span: f.name.span,
                semantic: None,
                uniform: false,
                by_reference: false,
                default: None,
                layout: None,
            });
        }
        let mut seen_default = false;
        for (i, p) in f.params.iter().enumerate() {
            let is_assigned = properties::is_assigned(f, i);
            let param = self.param(p);
            if param.dir != Dir::In
                && let Some(default) = &p.default
            {
                self.error(codes::E0206, default.span, "an `out` or `inout` parameter cannot have a default value");
            }
            if seen_default && param.default.is_none() && !is_assigned {
                self.error(
                    codes::E0221,
                    p.span,
                    "a parameter after one with a default value needs a default value too",
                );
            }
            seen_default |= param.default.is_some();
            params.push(param);
        }
        let ret = match (&f.ret, f.kind) {
            (_, FuncKind::Constructor) => this_ty.unwrap_or(Ty::error()),
            (Some(t), _) => self.resolve_type(t),
            (None, _) => Ty::void(),
        };
        let ret = match ret.kind() {
            types::TyKind::Void => ret,
            types::TyKind::Array(_, None) => {
                self.error(codes::E0207, f.name.span, "a function cannot return an array without a size");
                Ty::error()
            }
            _ => self.require_value_type(ret, f.name.span, "a result"),
        };
        let ret = match &f.throws {
            Some(error) => {
                let error = self.resolve_type(error);
                self.thrown_type(ret, error)
            }
            None => ret,
        };
        let mut attrs = attrs;
        self.check_entry_values(&mut attrs, &mut params, ret, f, owner);
        if let Some(stage) = attrs.other_stage.filter(|_| attrs.says_stage) {
            self.check_stage_values(stage, f, &params, ret);
            self.check_stage_attributes(stage, &decl.mods, f, ns);
        }
        self.cx = outer;
        self.name_symbol(id);
        let shown = params.iter().map(|p| (p.ty, p.span)).skip(usize::from(this.is_some()));
        for (ty, span) in shown.chain([(ret, f.ret.as_ref().map_or(f.name.span, |r| r.span))]).collect::<Vec<_>>() {
            self.check_exposed(Entry::Func(id), ns, ty, span);
        }
        let info = &mut self.funcs[id.0 as usize];
        info.this = this;
        info.params = params;
        info.ret = ret;
        info.ret_no_diff = decl.mods.has("no_diff");
        info.attrs = attrs;
        info.signature = State::Done;
    }

    /// Like `check_entry`. The host gives an entry point the value that is in a block of constants.
    fn check_entry_values(
        &mut self,
        attrs: &mut FuncAttrs,
        params: &mut Vec<Param>,
        ret: Ty,
        f: &ast::FuncDecl,
        owner: Option<Owner>,
    ) {
        let values: Vec<Param> = params.iter().map(|p| Param { ty: self.read_type(p.ty), ..p.clone() }).collect();
        self.check_entry(attrs, &values, ret, f, owner);
        if attrs.entry.is_some() || attrs.other_stage.is_some() {
            *params = values;
        }
    }

    /// Decides whether a function is an entry point: a marked one, one that reads thread ids, or
    /// `computeMain`.
    fn check_entry(
        &mut self,
        attrs: &mut FuncAttrs,
        params: &[Param],
        ret: Ty,
        f: &ast::FuncDecl,
        owner: Option<Owner>,
    ) {
        let system = |p: &Param| p.semantic.is_some_and(|s| s.to_ascii_uppercase().starts_with("SV_"));
        let is_marked = attrs.entry.is_some() && !attrs.kernel;
        // A function that uses values of another stage is an entry point of that stage, or none.
        let of_compute =
            |p: &Param| p.dir == Dir::In && (!system(p) || p.semantic.is_some_and(|s| most_numbers(s).is_some()));
        let asks = params.iter().any(system) && params.iter().all(of_compute);
        let implied = owner.is_none() && ret.is_void() && (f.name.name == *"computeMain" || asks);
        if attrs.entry.is_none() && implied && attrs.other_stage.is_none() {
            attrs.entry = Some(EntryInfo { numthreads: [1; 3], sized: false });
        }
        self.check_host(attrs, params, ret, f);
        let Some(entry) = &mut attrs.entry else { return };
        if let Some(threads) = self.threads {
            if !entry.sized {
                entry.numthreads = threads;
            } else if self.entry.as_ref().is_none_or(|e| f.name.name == **e) {
                let text = "the program says how many threads a group has, and so does who runs it";
                self.error(codes::E0804, f.name.span, text).input = Some(Input::Threads);
            }
        }
        if !ret.is_void() && !ret.is_error() {
            self.error(codes::E0223, f.name.span, "a compute entry point returns nothing");
        }
        let known = self.diags.len();
        self.check_outputs(capabilities::STAGE, params);
        let said = self.diags.len() > known;
        for p in params {
            if p.dir != Dir::In && !said {
                self.error(codes::E0223, p.span, "a parameter of an entry point cannot be `out` or `inout`");
            }
            for (semantic, ty) in self.system_fields(p.ty).into_iter().flatten().flatten() {
                self.check_system_value(semantic, ty, p.span);
            }
            if is_marked && p.semantic.is_none() && !p.uniform && !self.is_bound_by_host(p.ty) {
                let text = format!("`{}` has no semantic: it is a shader parameter", p.name);
                self.warn(codes::W0282, p.span, text)
                    .notes
                    .push("write `uniform` before it if that is meant".to_string());
            }
            let Some(semantic) = p.semantic.filter(|_| system(p)) else { continue };
            self.check_system_value(semantic, p.ty, p.span);
        }
    }

    /// Whether nobody takes a parameter of this type for a value of the stage.
    fn is_bound_by_host(&mut self, ty: Ty) -> bool {
        let of_stage = |fields: Vec<Option<(Name, Ty)>>| fields.iter().any(Option::is_some);
        match ty.kind() {
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix(..) => false,
            // What the library declares is for the host, or for another stage.
            TyKind::Struct(id) if self.module_of(self.structs[id.0 as usize].ns).is_none() => true,
            TyKind::Struct(_) => self.holds_resource(ty) || self.system_fields(ty).is_some_and(of_stage),
            _ => true,
        }
    }

    /// For a struct with fields that are thread ids: the semantic of each such field.
    pub(crate) fn system_fields(&mut self, ty: Ty) -> Option<Vec<Option<(Name, Ty)>>> {
        let id = ty.as_struct()?;
        let decl = self.structs[id.0 as usize].decl.clone()?;
        let DeclKind::Struct(s) = &decl.kind else { return None };
        let semantic = |name: Name| {
            s.members.iter().find_map(|m| match &m.kind {
                DeclKind::Var(v) if v.name.name == name => v.semantic.map(|s| s.name),
                _ => None,
            })
        };
        let asks = |n: &Name| n.to_ascii_uppercase().starts_with("SV_");
        let fields = self.fields(id).to_vec();
        let found: Vec<_> = fields.iter().map(|f| semantic(f.name).filter(asks).map(|name| (name, f.ty))).collect();
        found.iter().any(Option::is_some).then_some(found)
    }

    fn check_system_value(&mut self, semantic: Name, ty: Ty, span: Span) {
        let Some(most) = most_numbers(semantic) else {
            return self.check_compute_value(ast::Ident { name: semantic, span });
        };
        let fits = ty.element_scalar().is_some_and(types::Scalar::is_int)
            && !matches!(ty.shape(), types::Shape::Matrix(..))
            && ty.shape().count() <= most;
        if !fits && !ty.is_error() {
            let shown = self.show(ty);
            self.error(codes::E0223, span, format!("`{semantic}` does not fit `{shown}`"));
        }
    }

    /// Sets the function's symbol, which is its path: `S.eval`.
    fn name_symbol(&mut self, id: FuncId) {
        let info = &self.funcs[id.0 as usize];
        let path = &self.namespaces[info.ns.0 as usize].path;
        let base = if path.is_empty() { info.name.to_string() } else { format!("{path}.{}", info.name) };
        let symbol = self.fresh_symbol(&base);
        let info = &mut self.funcs[id.0 as usize];
        info.symbol = symbol;
        info.named = true;
    }

    /// A symbol that is not in use, made from `base`. If `base` is in use, a number is appended in
    /// a way that no name of a program ends, so that a later declaration can still get the symbol
    /// with its own name.
    pub(crate) fn fresh_symbol(&mut self, base: &str) -> Name {
        let name = Name::new(base);
        let Some(n) = self.symbols.get_mut(&name) else {
            self.symbols.insert(name, 0);
            return name;
        };
        *n += 1;
        let next = format!("{base}.{n}");
        self.fresh_symbol(&next)
    }

    /// The function's name in the IR.
    pub(crate) fn symbol_of(&mut self, id: FuncId) -> Name {
        if !self.funcs[id.0 as usize].named {
            self.name_symbol(id);
        }
        self.funcs[id.0 as usize].symbol
    }

    pub(crate) fn param(&mut self, p: &ast::Param) -> Param {
        self.check_has_type(p);
        let ty = self.resolve_type(&p.ty);
        let layout = self.written_layout(&p.mods, &p.ty, ty);
        let span = p.name.map_or(p.span, |n| n.span);
        self.note_handle(span, &p.ty, ty);
        let mut dir = Dir::In;
        for w in &p.mods.words {
            match w.name.as_str() {
                "inout" => dir = Dir::InOut,
                "in" if dir == Dir::Out => dir = Dir::InOut,
                "out" => dir = if p.mods.has("in") { Dir::InOut } else { Dir::Out },
                "ref" | "__ref" => dir = Dir::InOut,
                _ => {}
            }
        }
        if dir == Dir::In
            && let Some(w) = p.mods.words.iter().find(|w| w.name == *"groupshared")
        {
            self.warn(codes::W0224, w.span, "`groupshared` means nothing here: this parameter is a copy")
                .notes
                .push("write `inout` where what is assigned to it has to reach the argument".to_string());
        }
        let ty = match ty.kind() {
            types::TyKind::Void => {
                self.error(codes::E0207, span, "a parameter cannot have type `void`");
                Ty::error()
            }
            types::TyKind::Array(_, None) => {
                self.unsupported(span, "a parameter that is an array without a size");
                Ty::error()
            }
            types::TyKind::Uniform(..) if dir != Dir::In => {
                self.error(codes::E0222, span, "a block of constants can only be an `in` parameter");
                Ty::error()
            }
            _ if dir != Dir::In && self.is_pack(ty) => {
                self.error(codes::E0265, span, "a pack can only be an `in` parameter");
                Ty::error()
            }
            _ => ty,
        };
        Param {
            name: p.name.map_or(Name::new(""), |n| n.name),
            ty,
            dir,
            // Nothing is differentiated with respect to constants.
            no_diff: p.mods.has("no_diff") || matches!(ty.kind(), types::TyKind::Uniform(..)),
            span,
            semantic: p.semantic.map(|s| s.name),
            uniform: p.mods.has("uniform"),
            by_reference: p.mods.has("ref") || p.mods.has("__ref"),
            default: p.default.clone().map(Rc::new),
            layout,
        }
    }
}

/// The largest number of components of a system value of compute shaders; `None` for others.
fn most_numbers(semantic: Name) -> Option<u32> {
    match semantic.to_ascii_uppercase().as_str() {
        "SV_DISPATCHTHREADID" | "SV_GROUPID" | "SV_GROUPTHREADID" => Some(3),
        "SV_GROUPINDEX" | "SV_WAVEINDEX" | "SV_WAVELANECOUNT" | "SV_WAVELANEINDEX" | "SV_DEVICEINDEX" => Some(1),
        _ => None,
    }
}
