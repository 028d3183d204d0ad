//! Checks the places of attributes and modifiers, and the arguments of attributes, by the rows of
//! `attribute_rows`, for everything that a program declares, used or not.
//!
//! This module looks at the syntax tree only. It must not know what an attribute means.

use super::attribute_rows::{self as rows, Takes, place};
use super::*;
use ast::{Accessor, Attribute, Decl, DeclKind, FuncKind, Modifiers, Stmt, StmtKind};
use caustic_ir::codes;
use caustic_ir::nearest::nearest;

/// What surrounds the declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Module,
    Type,
    Interface,
    Body,
}

/// An attribute that the program declares,
/// `[__AttributeUsage(_AttributeTargets.Struct)] struct NameAttribute { … }`.
pub(crate) struct OwnAttribute {
    places: u32,
    /// The types of its fields as written, and the name space that declares it.
    pub fields: Vec<ast::Expr>,
    pub ns: Option<NsId>,
    pub span: Span,
}

/// The places that the cases of `_AttributeTargets` stand for.
const TARGETS: &[(&str, u32)] =
    &[("Struct", place::STRUCT), ("Var", place::VARIABLE), ("Function", place::CODE), ("Param", rows::PARAMETER)];

impl Checker<'_> {
    pub(crate) fn check_placement(&mut self, decls: &[Rc<Decl>]) {
        self.note_own_attributes(decls);
        self.placed_decls(decls, Around::Module);
    }

    fn note_own_attributes(&mut self, decls: &[Rc<Decl>]) {
        for d in decls {
            let s = match &d.kind {
                DeclKind::Namespace { members, .. } => {
                    self.note_own_attributes(members);
                    continue;
                }
                DeclKind::Struct(s) => s,
                _ => continue,
            };
            let usage = d.mods.attr("__AttributeUsage").or(d.mods.attr("AttributeUsage"));
            let (Some(usage), Some(name)) = (usage, s.name) else { continue };
            let target = match usage.args.as_slice() {
                [ast::Expr { kind: ast::ExprKind::Member { name, .. }, .. }]
                    if TARGETS.iter().any(|(t, _)| name.name == **t) =>
                {
                    Some(name.name)
                }
                [] => {
                    self.error(
                        codes::E0220,
                        usage.span,
                        format!("`[{}]` says what the attribute is for", usage.name.name),
                    )
                    .notes
                    .push("as in `[__AttributeUsage(_AttributeTargets.Struct)]`".to_string());
                    None
                }
                [other] => {
                    self.error(codes::E0220, other.span, format!("this is no place for `[{}]`", usage.name.name))
                        .notes
                        .push("write a case of `_AttributeTargets`".to_string());
                    None
                }
                _ => None,
            };
            if let Some(p) = s.generics.first() {
                self.error(codes::E0220, p.name.span, "a struct that declares an attribute has no parameters");
            }
            let places =
                TARGETS.iter().find(|(t, _)| target.is_some_and(|name| name == **t)).map_or(u32::MAX, |(_, p)| *p);
            let fields = s.members.iter().filter_map(|m| match &m.kind {
                DeclKind::Var(v) => v.ty.clone(),
                _ => None,
            });
            let own = OwnAttribute { places, fields: fields.collect(), ns: None, span: name.span };
            let short = name.name.strip_suffix("Attribute").unwrap_or(&name.name);
            self.own_attributes.insert(Name::new(short), own);
        }
    }

    /// Warns about an attribute that neither the language nor the program has: it means nothing.
    fn unknown_attribute(&mut self, a: &Attribute) {
        let name = a.name.name.as_str();
        // If it were skipped, groups would have one thread, which is not what a program with a size
        // means.
        if name.eq_ignore_ascii_case("numthreads") {
            let d = self.error(codes::E0220, a.span, format!("there is no attribute `[{name}]`"));
            d.notes.push("write `[numthreads(x, y, z)]`: capitals matter".to_string());
            return;
        }
        let own: Vec<Name> = self.own_attributes.keys().copied().collect();
        let known = rows::ATTRIBUTES.iter().map(|r| r.name).filter(|n| !n.starts_with("__"));
        let near = nearest(name, known.chain(own.iter().map(|n| n.as_str())));
        let d = self.warn(codes::W0224, a.span, format!("there is no attribute `[{name}]`"));
        d.notes.extend(near.map(|near| format!("did you mean `[{near}]`?")));
    }

    /// Checks the use of an attribute that the program declares.
    fn placed_own(&mut self, a: &Attribute, at: u32) {
        let Some(own) = self.own_attributes.get(&a.name.name) else { return };
        let (declared, name) = (self.loc(own.span), a.name.name);
        let wrong = if own.places & at == 0 {
            Some((a.name.span, format!("`[{name}]` cannot stand before {}", words(at))))
        } else if a.args.len() != own.fields.len() {
            let plural = if own.fields.len() == 1 { "" } else { "s" };
            Some((a.span, format!("`[{name}]` takes {} argument{plural}", own.fields.len())))
        } else {
            None
        };
        if let Some((span, text)) = wrong {
            self.error(codes::E0220, span, text).labels.push((declared, "declared here".to_string()));
        }
    }

    fn placed_decls(&mut self, decls: &[Rc<Decl>], around: Around) {
        for d in decls {
            self.placed_decl(d, around);
        }
    }

    fn placed_decl(&mut self, d: &Decl, around: Around) {
        let at = match &d.kind {
            DeclKind::Func(f) if f.kind == FuncKind::Constructor => place::CONSTRUCTOR,
            DeclKind::Func(_) => place::FUNCTION,
            DeclKind::Struct(_) => place::STRUCT,
            DeclKind::Interface(_) => place::INTERFACE,
            DeclKind::Enum(_) => place::ENUM,
            DeclKind::AssocType(_) => place::ASSOCIATED_TYPE,
            DeclKind::Property(_) => place::PROPERTY,
            DeclKind::Subscript(_) => place::SUBSCRIPT,
            DeclKind::Typedef { .. } => place::ALIAS,
            DeclKind::Extension(_) => place::EXTENSION,
            DeclKind::Namespace { .. } => place::NAME_SPACE,
            DeclKind::CBuffer { .. } => place::VARIABLE | rows::GLOBAL,
            DeclKind::Var(_) => {
                place::VARIABLE
                    | match around {
                        Around::Module => rows::GLOBAL,
                        Around::Type | Around::Interface => rows::FIELD,
                        Around::Body => rows::LOCAL,
                    }
            }
            _ => return,
        };
        self.placed(&d.mods, at);
        self.check_attribute_values(d, around == Around::Interface);
        match &d.kind {
            DeclKind::Func(f) => {
                let nothing = f.ret.as_ref().is_some_and(|t| t.is_name(Name::new("void")));
                if let Some(word) = d.mods.words.iter().find(|w| nothing && w.name == *"no_diff") {
                    self.warn(codes::W0220, word.span, "`no_diff` changes nothing here: the function has no result");
                }
                for p in &f.params {
                    self.placed(&p.mods, place::VARIABLE | rows::PARAMETER);
                    self.placed_before_type(&p.mods, &p.ty);
                }
                self.placed_stmts(f.body.as_deref().unwrap_or_default());
            }
            DeclKind::Var(v) => {
                if let Some(ty) = &v.ty {
                    self.placed_before_type(&d.mods, ty);
                }
                if around == Around::Module {
                    self.placed_link(&d.mods, v);
                }
            }
            DeclKind::Struct(s) => self.placed_decls(&s.members, Around::Type),
            DeclKind::Interface(i) => {
                self.check_component_interface(d, i);
                self.placed_decls(&i.members, Around::Interface);
            }
            DeclKind::Extension(e) => self.placed_decls(&e.members, Around::Type),
            DeclKind::Namespace { members, .. } => self.placed_decls(members, around),
            DeclKind::CBuffer { members, .. } => self.placed_decls(members, Around::Type),
            DeclKind::Property(p) => self.placed_accessors(&p.accessors),
            DeclKind::Subscript(s) => self.placed_accessors(&s.accessors),
            _ => {}
        }
    }

    fn placed_accessors(&mut self, accessors: &[Accessor]) {
        for a in accessors {
            self.placed(&a.mods, place::ACCESSOR);
            self.placed(&a.param_mods, place::VARIABLE | rows::PARAMETER);
            self.placed_stmts(a.body.as_deref().unwrap_or_default());
        }
    }

    fn placed_stmts(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            self.placed_stmt(s);
        }
    }

    fn placed_stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Block(b) | StmtKind::Switch { body: b, .. } | StmtKind::TargetSwitch { body: b, .. } => {
                self.placed_stmts(b);
            }
            StmtKind::Decl(list) => self.placed_decls(list, Around::Body),
            StmtKind::If { then, other, .. } => {
                self.placed_stmt(then);
                if let Some(other) = other {
                    self.placed_stmt(other);
                }
            }
            StmtKind::For { body, attrs, .. }
            | StmtKind::While { body, attrs, .. }
            | StmtKind::DoWhile { body, attrs, .. } => {
                self.placed_attributes(attrs, place::LOOP);
                self.placed_stmt(body);
            }
            StmtKind::Defer(body) | StmtKind::Labeled { body, .. } | StmtKind::CompileFor { body, .. } => {
                self.placed_stmt(body);
            }
            StmtKind::Attributed { attrs, body } => {
                let at = match body.kind {
                    StmtKind::If { .. } => place::IF,
                    StmtKind::Switch { .. } => place::SWITCH,
                    StmtKind::CompileFor { .. } => place::LOOP,
                    _ => place::STATEMENT,
                };
                self.placed_attributes(attrs, at);
                self.placed_stmt(body);
            }
            StmtKind::DoCatch { body, handler, .. } => {
                self.placed_stmts(body);
                self.placed_stmts(handler);
            }
            _ => {}
        }
    }

    fn placed(&mut self, mods: &Modifiers, at: u32) {
        self.noted.any_deprecated |= mods.attr("deprecated").is_some();
        self.placed_attributes(&mods.attrs, at);
        for (i, w) in mods.words.iter().enumerate() {
            if let Some(first) = mods.words[..i].iter().find(|o| o.name == w.name) {
                let at = self.loc(first.span);
                let text = format!("`{}` stands here twice", w.name);
                let d = match rows::REPEATED.iter().any(|name| w.name == **name) {
                    true => self.warn(codes::W0220, w.span, text),
                    false => self.error(codes::E0283, w.span, text),
                };
                d.labels.push((at, "the first".to_string()));
            }
            let interpolates = |name: Name| rows::INTERPOLATION.iter().any(|word| name == **word);
            if interpolates(w.name)
                && let Some(first) = mods.words[..i].iter().find(|o| interpolates(o.name) && o.name != w.name)
            {
                let at = self.loc(first.span);
                let text = format!("`{}` and `{}` exclude each other", first.name, w.name);
                self.error(codes::E0283, w.span, text).labels.push((at, "the first".to_string()));
            }
            // The one is made by the threads, the other one by the host.
            if w.name == *"uniform" && at & place::VARIABLE != 0 && mods.has("static") {
                self.error(codes::E0283, w.span, "a variable cannot be both `static` and `uniform`")
                    .notes
                    .push("`static` is the program's own, `uniform` comes from the host".to_string());
            }
            let Some((_, places)) = rows::MODIFIERS.iter().find(|(name, _)| w.name == **name) else { continue };
            // A field is in the memory of its object.
            let in_object = w.name == *"groupshared" && at & rows::FIELD != 0 && !mods.has("static");
            if places & at == 0 || in_object {
                self.error(codes::E0283, w.span, format!("`{}` cannot stand before {}", w.name, words(at)));
            }
        }
    }

    /// Reports modifiers that a pointer cannot have, since they would apply to the type that it
    /// points to.
    fn placed_before_type(&mut self, mods: &Modifiers, ty: &ast::Expr) {
        if let Some(both) = mods.word("inout")
            && let Some(other) = mods.word("out")
        {
            let at = self.loc(both.span);
            self.error(codes::E0283, other.span, "`inout` says what `out` says")
                .labels
                .push((at, "the parameter is read and written".to_string()));
        }
        if !matches!(ty.kind, ast::ExprKind::PointerType(_)) {
            return;
        }
        for word in ["const", "globallycoherent"] {
            let Some(word) = mods.word(word) else { continue };
            let text = format!("`{}` cannot stand before a pointer that is written with `*`", word.name);
            let d = self.error(codes::E0283, word.span, text);
            if word.name == *"const" {
                d.notes.push("a pointer through which nothing is written is `Ptr<T, Access.Read>`".to_string());
                d.notes.push("a pointer that does not change is declared with `let`".to_string());
            }
        }
    }

    /// Checks `extern` and `export`: the value must be known at compile time or be a shader
    /// parameter.
    fn placed_link(&mut self, mods: &Modifiers, v: &ast::VarDecl) {
        let Some(link) = mods.word("extern").or(mods.word("export")) else { return };
        if mods.has("static") == mods.has("const") {
            return;
        }
        let text = format!("an `{}` variable is a constant", link.name);
        self.error(codes::E0283, v.name.span, text).notes.push(format!("write `{} static const`", link.name));
    }

    fn placed_attributes(&mut self, attrs: &[Attribute], at: u32) {
        for a in attrs {
            let Some(row) = rows::find(&a.name.name) else {
                match self.own_attributes.contains_key(&a.name.name) {
                    true => self.placed_own(a, at),
                    false => self.unknown_attribute(a),
                }
                continue;
            };
            if row.places & at == 0 {
                let text = format!("`[{}]` cannot stand before {}", row.name, words(at));
                self.error(codes::E0220, a.name.span, text)
                    .notes
                    .push(format!("it stands before {}", words(row.places)));
                continue;
            }
            if row.idle & at != 0 {
                let text = format!("`[{}]` changes nothing before {}", row.name, words(at));
                self.warn(codes::W0220, a.name.span, text);
            }
            self.check_arguments(a, row.takes);
        }
    }

    fn check_arguments(&mut self, a: &Attribute, takes: Takes) {
        let name = a.name.name;
        let is_text = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Str(_));
        match takes {
            Takes::Nothing => {
                if let Some(first) = a.args.first() {
                    self.error(codes::E0220, first.span, format!("`[{name}]` takes no arguments"));
                }
            }
            Takes::Integers(_) | Takes::Evaluated(_) | Takes::ValueSize => {
                let least = match takes {
                    Takes::Integers(least) | Takes::Evaluated(least) => least,
                    _ => 1,
                };
                if a.args.len() < least {
                    self.error(codes::E0220, a.span, format!("`[{name}]` takes a number"));
                }
                if let Some(text) = a.args.iter().find(|e| is_text(e)) {
                    self.error(codes::E0220, text.span, format!("`[{name}]` takes a number, and this is a string"));
                }
                if takes == Takes::ValueSize {
                    self.check_value_size(a);
                }
            }
            Takes::OneOf(known) if a.args.first().is_some_and(is_text) => self.check_word(a, known),
            Takes::Guid if a.args.first().is_some_and(is_text) => self.check_guid(a),
            Takes::Text if a.args.first().is_some_and(is_text) => {}
            Takes::Text | Takes::OneOf(_) | Takes::Guid => {
                let at = a.args.first().map_or(a.span, |e| e.span);
                let d = self.error(codes::E0220, at, format!("`[{name}]` takes a string"));
                if name == *"shader" {
                    d.notes.push("it names a stage, as in `[shader(\"compute\")]`".to_string());
                }
            }
            Takes::Prelude => {
                if !matches!(a.args.as_slice(), [target, text] if !is_text(target) && is_text(text)) {
                    let text = format!("`[{name}]` takes the name of a target and a string");
                    self.error(codes::E0220, a.span, text);
                }
            }
            Takes::Capabilities => self.check_requirement(a),
            Takes::Other => {}
        }
    }
}

/// The name of these kinds of declarations in messages.
fn words(places: u32) -> &'static str {
    let variables = [
        (rows::PARAMETER, "a parameter"),
        (rows::FIELD, "a field"),
        (rows::LOCAL, "a local variable"),
        (rows::GLOBAL, "a variable outside of functions"),
    ];
    let exact = place::WORDS.iter().chain(&variables).find(|(p, _)| *p == places);
    let one = || match places {
        place::CONSTRUCTOR => Some("a constructor"),
        place::PROPERTY => Some("a property"),
        place::SUBSCRIPT => Some("a subscript"),
        place::ALIAS => Some("a type alias"),
        place::EXTENSION => Some("an extension"),
        place::NAME_SPACE => Some("a name space"),
        place::ASSOCIATED_TYPE => Some("an associated type"),
        place::STATEMENT => Some("this statement"),
        _ => None,
    };
    let part = || variables.iter().chain(place::WORDS).find(|(p, _)| places & p == *p);
    exact.map(|(_, w)| *w).or_else(one).or_else(|| part().map(|(_, w)| *w)).unwrap_or("something else")
}
