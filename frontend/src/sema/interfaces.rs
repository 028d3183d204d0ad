//! Interfaces: what they require, what they inherit, and associated types.
//!
//! An interface is a generic declaration whose last parameter, `This`, is the conforming type. Its
//! requirements are functions of that declaration; one with a body has a default implementation.

use super::bounds::Bound;
use super::generics::Subst;
use super::types::{Args, GArg, InterfaceId, InterfaceRef, ParamId, TyKind};
use super::*;
use ast::DeclKind;
use caustic_ir::codes;

/// `IDifferentiable`. Every differential that the compiler makes meets its requirements.
pub(crate) const DIFFERENTIABLE: InterfaceId = InterfaceId(0);

pub struct InterfaceInfo {
    pub name: Name,
    pub decl: Option<Rc<ast::Decl>>,
    pub span: Span,
    pub ns: NsId,
    /// The interface's own parameters, without `This`.
    pub gens: Option<GenId>,
    /// The conforming type.
    pub this: ParamId,
    /// The interfaces that it inherits from, in terms of its parameters.
    bases: Vec<(Bound, Span)>,
    state: State,
}

impl InterfaceInfo {
    pub(crate) fn is_resolved(&self) -> bool {
        self.state == State::Done
    }
}

/// An associated type as declared.
pub struct AssocInfo {
    pub name: ast::Ident,
    pub interface: InterfaceId,
    bounds: Vec<ast::Expr>,
    clauses: Vec<Clause>,
    ns: NsId,
}

/// A `where` clause of an associated type `E` that is more than a bound of `E`.
#[derive(Clone)]
struct Clause {
    /// The clause is about `E.member`, an associated type of an interface that `E` conforms to, or
    /// else about `E` itself.
    member: Option<Name>,
    says: Says,
}

#[derive(Clone)]
enum Says {
    Is(ast::Expr),
    Conforms(ast::Expr),
}

/// What is not supported, in words.
const CLAUSE: &str = "this `where` clause of an associated type";

impl Checker<'_> {
    /// Declares `IDifferentiable`, which the prelude does not declare.
    pub(crate) fn declare_differentiable(&mut self) {
        let ns = self.new_namespace(ROOT, None, "IDifferentiable");
        let this = self.new_param(Name::new("This"), Span::default(), None, None);
        self.interfaces.push(InterfaceInfo {
            name: Name::new("IDifferentiable"),
            decl: None,
            span: Span::default(),
            ns,
            gens: None,
            this,
            bases: Vec::new(),
            state: State::Done,
        });
    }

    pub(crate) fn collect_interface(&mut self, decl: &Rc<ast::Decl>, i: &ast::InterfaceDecl, ns: NsId) {
        let name = i.name;
        let outer = self.declare_generics(&i.generics, &i.constraints, ns);
        let id = InterfaceId(self.interfaces.len() as u32);
        let inner = self.new_namespace(outer, Some(Owner::Interface(id)), &name.name);
        if self.loading_prelude && name.name == *"IDifferentiablePtrType" {
            self.pointer_interface = Some(id);
        }
        if self.loading_prelude && name.name == *"__EnumType" {
            self.enum_interface = Some(id);
        }
        let gens = self.namespaces[outer.0 as usize].gens;
        let this = self.new_param(Name::new("This"), name.span, None, None);
        self.implicit_generics(inner, this);
        self.interfaces.push(InterfaceInfo {
            name: name.name,
            decl: Some(decl.clone()),
            span: name.span,
            ns: inner,
            gens,
            this,
            bases: Vec::new(),
            state: State::New,
        });
        self.define(ns, name.name, Entry::Interface(id));
        let me = InterfaceRef { id, args: Args::new(self.identity_args(gens)) };
        self.assume_lazily(Ty::new(TyKind::Param(this)), me);
        let mut elsewhere = Vec::new();
        for m in &i.members {
            match &m.kind {
                DeclKind::AssocType(a) => {
                    let (mut bounds, mut clauses) = (a.bounds.clone(), Vec::new());
                    for w in &a.constraints {
                        match clause_of(w) {
                            Some(c) if c.of == a.name.name => c.add_to(&mut bounds, &mut clauses),
                            Some(c) => elsewhere.push((c, w.span)),
                            None => self.unsupported(w.span, CLAUSE),
                        }
                    }
                    if !self.unique(inner, a.name) {
                        continue;
                    }
                    let at = AssocId(self.assocs.len() as u32);
                    self.assocs.push(AssocInfo { name: a.name, interface: id, bounds, clauses, ns: inner });
                    self.define(inner, a.name.name, Entry::Assoc(at));
                }
                // That a type has no such member is no other mistake.
                _ if !self.loading_prelude && !self.may_be_required(m) => {
                    self.broken.extend(m.name().map(|n| n.name));
                }
                _ => {
                    self.check_visibility(m, inner, Some(Owner::Interface(id)));
                    self.collect_one(m, inner, Some(Owner::Interface(id)));
                }
            }
        }
        // A clause may stand at one associated type and speak of another one.
        for (clause, span) in elsewhere {
            match self.find_assoc(id, clause.of) {
                Some(a) => {
                    let info = &mut self.assocs[a.0 as usize];
                    clause.add_to(&mut info.bounds, &mut info.clauses);
                }
                None => self.unsupported(span, CLAUSE),
            }
        }
    }

    /// Records `This : I` before the interface is resolved. What it inherits from is added when it
    /// is.
    fn assume_lazily(&mut self, ty: Ty, i: InterfaceRef) {
        let facts = bounds::Facts { interfaces: vec![i], ..bounds::Facts::default() };
        self.facts.insert(ty, Rc::new(facts));
    }

    pub(crate) fn interface_params(&self, id: InterfaceId) -> Vec<ParamId> {
        let info = &self.interfaces[id.0 as usize];
        let mut params = self.all_params(info.gens);
        params.push(info.this);
        params
    }

    /// The arguments of an interface's parameters where `ty` conforms to it.
    pub(crate) fn interface_subst(&self, i: InterfaceRef, ty: Ty) -> Subst {
        let params = self.interface_params(i.id);
        let mut args = i.args.to_vec();
        args.push(GArg::Ty(ty));
        Subst::new(&params, &args)
    }

    pub(crate) fn ensure_interface(&mut self, id: InterfaceId) {
        let info = &mut self.interfaces[id.0 as usize];
        match info.state {
            State::Done => return,
            State::Busy => {
                let (name, span) = (info.name, info.span);
                self.error(codes::E0209, span, format!("interface `{name}` inherits from itself"));
                self.interfaces[id.0 as usize].state = State::Done;
                return;
            }
            State::New => info.state = State::Busy,
        }
        let (decl, ns, gens, this) = (info.decl.clone(), info.ns, info.gens, info.this);
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        let mut bases = Vec::new();
        if let Some(DeclKind::Interface(i)) = decl.as_deref().map(|d| &d.kind) {
            let outer = std::mem::take(&mut self.cx);
            self.cx.ns = self.namespaces[ns.0 as usize].parent;
            self.cx.this_ty = Some(Ty::new(TyKind::Param(this)));
            for b in &i.bases {
                for bound in self.resolve_bounds(b) {
                    self.check_sealed(bound, b.span);
                    if let Bound::Interface(base) = bound {
                        self.ensure_interface(base.id);
                    }
                    bases.push((bound, b.span));
                }
            }
            self.cx = outer;
        }
        let info = &mut self.interfaces[id.0 as usize];
        info.bases = bases.clone();
        info.state = State::Done;
        let ty = Ty::new(TyKind::Param(this));
        for (b, _) in bases {
            self.assume(ty, b);
        }
    }

    /// The bounds of `ty` that follow directly from its conformance to `i`: one step of
    /// inheritance.
    pub(crate) fn interface_bases(&mut self, i: InterfaceRef, ty: Ty) -> Vec<Bound> {
        self.ensure_interface(i.id);
        let s = self.interface_subst(i, ty);
        let bases: Vec<Bound> = self.interfaces[i.id.0 as usize].bases.iter().map(|(b, _)| *b).collect();
        bases.into_iter().map(|b| self.subst_bound(b, &s)).collect()
    }

    /// An interface and everything that it inherits from, for `ty`.
    pub(crate) fn with_bases(&mut self, i: InterfaceRef, ty: Ty) -> Vec<Bound> {
        let mut out = vec![Bound::Interface(i)];
        let mut next = 0;
        while next < out.len() {
            if let Bound::Interface(i) = out[next] {
                for b in self.interface_bases(i, ty) {
                    if !out.contains(&b) {
                        out.push(b);
                    }
                }
            }
            next += 1;
        }
        out
    }

    /// The associated type of an interface that is called `name`.
    pub(crate) fn find_assoc(&self, id: InterfaceId, name: Name) -> Option<AssocId> {
        let ns = self.interfaces[id.0 as usize].ns;
        self.namespaces[ns.0 as usize].names.get(&name)?.iter().find_map(|e| match e {
            Entry::Assoc(a) => Some(*a),
            _ => None,
        })
    }

    /// The bounds of an associated type.
    pub(crate) fn assoc_bounds(&mut self, base: Ty, i: InterfaceRef, name: Name) -> Vec<Bound> {
        let Some(a) = self.find_assoc(i.id, name) else { return Vec::new() };
        let written = self.assocs[a.0 as usize].bounds.clone();
        let mut bounds = self.bounds_for(a, &written, i, base);
        // Clauses about a type that is itself a member of an associated type.
        if let TyKind::Assoc { base: outer, interface, name: of } = *base.kind()
            && let Some(a) = self.find_assoc(interface.id, of)
        {
            let said: Vec<ast::Expr> = (self.assocs[a.0 as usize].clauses.iter())
                .filter_map(|c| match &c.says {
                    Says::Conforms(b) if c.member == Some(name) => Some(b.clone()),
                    _ => None,
                })
                .collect();
            bounds.extend(self.bounds_for(a, &said, interface, outer));
            bounds.extend(self.bounds_of_equals(Ty::new(TyKind::Assoc { base, interface: i, name }), interface, outer));
        }
        bounds
    }

    /// The bounds of the associated types of an interface that clauses equate with this type.
    fn bounds_of_equals(&mut self, ty: Ty, i: InterfaceRef, outer: Ty) -> Vec<Bound> {
        let mut found = Vec::new();
        for k in 0..self.assocs.len() {
            let info = &self.assocs[k];
            let equated = info.clauses.iter().any(|c| c.member.is_none() && matches!(c.says, Says::Is(_)));
            if info.interface != i.id || !equated || info.bounds.is_empty() {
                continue;
            }
            let (a, bounds) = (AssocId(k as u32), info.bounds.clone());
            if self.said_to_be(a, None, i, outer) == Some(ty) {
                found.extend(self.bounds_for(a, &bounds, i, outer));
            }
        }
        found
    }

    /// Resolves bounds that are written at an associated type, for a type that conforms to its
    /// interface.
    fn bounds_for(&mut self, a: AssocId, written: &[ast::Expr], i: InterfaceRef, ty: Ty) -> Vec<Bound> {
        let ns = self.assocs[a.0 as usize].ns;
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let bounds: Vec<Bound> = written.iter().flat_map(|b| self.resolve_bounds(b)).collect();
        self.cx = outer;
        let s = self.interface_subst(i, ty);
        bounds.into_iter().map(|b| self.subst_bound(b, &s)).collect()
    }

    /// The type that a clause states to equal the associated type `name` or its member.
    fn said_to_be(&mut self, a: AssocId, member: Option<Name>, i: InterfaceRef, ty: Ty) -> Option<Ty> {
        let info = &self.assocs[a.0 as usize];
        let ns = info.ns;
        let other = info.clauses.iter().find_map(|c| match &c.says {
            Says::Is(other) if c.member == member => Some(other.clone()),
            _ => None,
        })?;
        // Clauses may be circular.
        if self.search_depth > generics::MAX_INSTANCE_DEPTH {
            return None;
        }
        self.search_depth += 1;
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let other = self.resolve_type(&other);
        self.cx = outer;
        let s = self.interface_subst(i, ty);
        let other = self.subst(other, &s);
        self.search_depth -= 1;
        Some(other)
    }

    /// The constraints that the clauses of an associated type put on the type that a conformance
    /// provides for it, each with its subject.
    pub(crate) fn assoc_clauses(&mut self, ty: Ty, i: InterfaceRef, name: Name, found: Ty) -> Vec<(Ty, Bound)> {
        let Some(a) = self.find_assoc(i.id, name) else { return Vec::new() };
        let mut out = Vec::new();
        for clause in self.assocs[a.0 as usize].clauses.clone() {
            let about = match clause.member {
                None => Some(found),
                Some(member) => {
                    let members = self.type_members(found, member);
                    let ident = ast::Ident { name: member, span: Span::default() };
                    members.into_iter().find_map(|m| self.member_type(&m, ident, None))
                }
            };
            let Some(about) = about else { continue };
            match &clause.says {
                Says::Is(_) => {
                    out.extend(self.said_to_be(a, clause.member, i, ty).map(|t| (about, Bound::Equals(t))));
                }
                Says::Conforms(b) => {
                    let bounds = self.bounds_for(a, std::slice::from_ref(b), i, ty);
                    out.extend(bounds.into_iter().map(|b| (about, b)));
                }
            }
        }
        out
    }

    /// The associated type `name` that `base` has because it conforms to `i`.
    pub(crate) fn assoc(&mut self, base: Ty, i: InterfaceRef, name: Name) -> Ty {
        if base.is_error() {
            return base;
        }
        if i.id == DIFFERENTIABLE {
            return self.differential(base).unwrap_or(Ty::error());
        }
        if !matches!(base.kind(), TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. })
            && let Some(found) = self.assoc_of(base, i, name)
        {
            return found;
        }
        // What a type does not provide is reported at its conformance.
        if base.as_struct().is_some()
            && matches!(self.find_conformance(base, i), Some(conform::Found::Declared))
            && self.own_members(base, name).is_empty()
        {
            return Ty::error();
        }
        if self.interface_type(base).is_some()
            && let Some(found) = self.assoc_of_interface(base, i, name)
        {
            return found;
        }
        if let Some(a) = self.find_assoc(i.id, name)
            && let Some(same) = self.said_to_be(a, None, i, base)
        {
            return self.canonical(same);
        }
        if let TyKind::Assoc { base: outer, interface, name: of } = *base.kind()
            && let Some(a) = self.find_assoc(interface.id, of)
            && let Some(same) = self.said_to_be(a, Some(name), interface, outer)
        {
            return self.canonical(same);
        }
        self.canonical(Ty::new(TyKind::Assoc { base, interface: i, name }))
    }
}

/// A clause of an associated type, and of which one it speaks.
struct Written<'e> {
    of: Name,
    member: Option<Name>,
    conforms: &'e [ast::Expr],
    is: Option<&'e ast::Expr>,
}

impl Written<'_> {
    fn add_to(&self, bounds: &mut Vec<ast::Expr>, clauses: &mut Vec<Clause>) {
        match self.member {
            None => bounds.extend(self.conforms.iter().cloned()),
            Some(_) => clauses.extend(self.conforms.iter().map(|b| self.clause(Says::Conforms(b.clone())))),
        }
        clauses.extend(self.is.map(|other| self.clause(Says::Is(other.clone()))));
    }

    fn clause(&self, says: Says) -> Clause {
        Clause { member: self.member, says }
    }
}

/// What a clause says of the associated type `E`, of `This.E`, or of a member of it.
fn clause_of(w: &ast::Constraint) -> Option<Written<'_>> {
    let of_this = |e: &ast::Expr| match &e.kind {
        ast::ExprKind::Name { name, args: None } => Some(name.name),
        ast::ExprKind::Member { base, name, args: None } if base.is_name(Name::new("This")) => Some(name.name),
        _ => None,
    };
    let subject = |e: &ast::Expr| match &e.kind {
        _ if of_this(e).is_some() => of_this(e).map(|of| (of, None)),
        ast::ExprKind::Member { base, name, args: None } => of_this(base).map(|of| (of, Some(name.name))),
        _ => None,
    };
    match &w.kind {
        ast::ConstraintKind::Conforms { subject: about, bounds, optional: false, .. } => {
            let (of, member) = subject(about)?;
            Some(Written { of, member, conforms: bounds, is: None })
        }
        ast::ConstraintKind::Equals(about, other) => {
            let (of, member) = subject(about)?;
            Some(Written { of, member, conforms: &[], is: Some(other) })
        }
        _ => None,
    }
}
