//! Checks `a.b`: fields, methods, swizzles, parts of pairs, names in types and namespaces.

use super::expr::{Group, Res};
use super::members::Member;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    pub(crate) fn resolve_member(
        &mut self,
        base: &ast::Expr,
        name: ast::Ident,
        args: Option<&[ast::Expr]>,
        e: &ast::Expr,
    ) -> Res {
        let base = self.resolve(base);
        self.member_of(base, name, args, e)
    }

    /// Member `name` of what stands before the dot; `e` is the whole expression.
    pub(crate) fn member_of(&mut self, base: Res, name: ast::Ident, args: Option<&[ast::Expr]>, e: &ast::Expr) -> Res {
        match base {
            Res::Val(v) if v.ty.is_error() => Res::Val(Expr::error(e.span)),
            Res::Val(v) => self.value_member(v, name, args, e.span),
            Res::Ty(t) => self.type_member(t, name, args, e),
            Res::Ns(ns) => match self.seen_in(ns, name.name) {
                entries if !entries.is_empty() => {
                    let found =
                        entries.into_iter().map(|e| Member { brought: !self.declares(ns, e), ..Member::global(e) });
                    let found = found.collect();
                    self.resolve_members(found, name, args, e, true)
                }
                _ => {
                    let (path, near) = (self.namespaces[ns.0 as usize].path.clone(), self.similar_in(ns, name.name));
                    let d = self.error(codes::E0201, name.span, format!("`{path}` has no `{}`", name.name));
                    d.notes.extend(near);
                    Res::Val(Expr::error(e.span))
                }
            },
            // `f.fwd_diff(…)` means `fwd_diff(f)(…)`.
            Res::Funcs(mut group) if derivative_operator(&name.name).is_some() && args.is_none() => {
                group.modes.extend(derivative_operator(&name.name));
                group.span = e.span;
                Res::Funcs(group)
            }
            Res::Funcs(_) => {
                self.error(codes::E0217, e.span, "a function has no members");
                Res::Val(Expr::error(e.span))
            }
        }
    }

    fn type_member(&mut self, ty: Ty, name: ast::Ident, args: Option<&[ast::Expr]>, e: &ast::Expr) -> Res {
        if ty.is_error() {
            return Res::Val(Expr::error(e.span));
        }
        if name.name == *"Differential"
            && let Some(d) = self.differential_member(ty, e.span)
        {
            return Res::Ty(d);
        }
        let mut found = self.type_members(ty, name.name);
        self.keep_called(&mut found, e.span);
        if !found.is_empty() {
            return self.resolve_members(found, name, args, e, true);
        }
        if name.name == *"Handle" && self.is_described(ty) {
            return Res::Ty(ty);
        }
        if let Some(value) = self.descriptor_member(ty, name.name, e.span) {
            return Res::Val(descriptors::of_texels(e, value));
        }
        if let Some(id) = ty.as_struct()
            && self.fields(id).iter().any(|f| f.name == name.name)
        {
            self.error(codes::E0214, name.span, format!("field `{}` needs an object", name.name));
            return Res::Val(Expr::error(e.span));
        }
        if self.may_have_any_member(ty) || self.is_broken(name.name) {
            return Res::Val(Expr::error(e.span));
        }
        if self.is_pack(ty) {
            let shown = self.show(ty);
            self.error(codes::E0217, name.span, format!("`{shown}` is a pack, and has no member `{}`", name.name))
                .notes
                .push(format!("that of each of its types is `(each {shown}).{}`, within `expand`", name.name));
            return Res::Val(Expr::error(e.span));
        }
        let (shown, note) = (self.show(ty), self.extension_not_imported(ty, name.name));
        let note = note.or_else(|| Self::similar(name.name, &self.names_of_type(ty)));
        let d = self.error(codes::E0217, name.span, format!("`{shown}` has no member `{}`", name.name));
        d.notes.extend(note);
        Res::Val(Expr::error(e.span))
    }

    /// Whether an extension gave a pointer itself this member, and the type that it points to has
    /// no member of that name.
    fn is_member_of_pointer(&mut self, ty: Ty, name: Name) -> bool {
        let Some(to) = self.pointee(ty) else { return false };
        if self.type_members(ty, name).is_empty() || !self.type_members(to, name).is_empty() {
            return false;
        }
        let Some(id) = to.as_struct() else { return true };
        self.resolve_fields(id);
        !self.structs[id.0 as usize].field_index.contains_key(&name)
    }

    fn value_member(&mut self, base: Expr, name: ast::Ident, args: Option<&[ast::Expr]>, span: Span) -> Res {
        let base = self.read_uniform(base);
        if name.name == *"__init" && !self.cx.in_prelude {
            let shown = self.show(base.ty);
            self.error(codes::E0217, name.span, "a constructor is no member of a value")
                .notes
                .push(format!("a new value is made by `{shown}(…)`"));
            return Res::Val(Expr::error(span));
        }
        let own = self.is_member_of_pointer(base.ty, name.name);
        let base = match self.followed(&base, base.span).filter(|_| !own) {
            Some(place) if place.ty.is_error() => return Res::Val(place),
            Some(place) => place,
            None => base,
        };
        let methods =
            self.is_called(span) && self.type_members(base.ty, name.name).iter().any(|m| m.as_func().is_some());
        if let TyKind::Struct(id) = base.ty.kind()
            && !methods
        {
            let id = *id;
            self.resolve_fields(id);
            let info = &self.structs[id.0 as usize];
            if let Some(&index) = info.field_index.get(&name.name) {
                let ty = info.fields[index as usize].ty;
                if !self.may_name_field(id, name) {
                    return Res::Val(Expr::error(span));
                }
                return Res::Val(Expr { ty, span, kind: ExprKind::Field { base: base.into(), index } });
            }
        }
        if !methods && let Some(field) = self.inherited_field(&base, name.name) {
            return Res::Val(self.seen_field(Expr { span, ..field }, name));
        }
        let mut found = self.type_members(base.ty, name.name);
        self.keep_called(&mut found, span);
        if let Some(first) = found.first().cloned() {
            let explicit = match args.map(|a| self.generic_args(a)) {
                Some(None) => return Res::Val(Expr::error(span)),
                Some(g) => g,
                None => None,
            };
            if !matches!(first.entry, Entry::Func(_) | Entry::Property(_)) && !self.may_name(first.entry, name) {
                return Res::Val(Expr::error(span));
            }
            match first.entry {
                Entry::Func(_) => {
                    let this = Some(Box::new(base));
                    let group =
                        Group { name, members: found, this, through_type: false, explicit, modes: Vec::new(), span };
                    return Res::Funcs(group);
                }
                Entry::Const(c) => {
                    if let Some(held) = self.constant_of_held(c, &base, &first, span) {
                        return Res::Val(held);
                    }
                    return Res::Val(self.constant(c, &first, span));
                }
                Entry::Static(id) => return Res::Val(self.static_place(id, &first.subst, span)),
                Entry::Case(id, case) => return Res::Val(self.enum_case(id, case, span)),
                Entry::Property(_) => return Res::Val(self.property(&first, Some(base), span)),
                _ => {}
            }
        }
        if let Some(parts) = self.tuple_swizzle(&base, &name.name) {
            return Res::Val(Expr { span, ..parts });
        }
        if let Some(parts) = self.small_swizzle(&base, &name.name, span) {
            return Res::Val(parts);
        }
        // What a resource is, its type says.
        if let Some(value) = self.descriptor_member(base.ty, name.name, span) {
            return Res::Val(value);
        }
        if let TyKind::Struct(_) = base.ty.kind() {
            return Res::Val(self.no_member(&base, name, span));
        }
        Res::Val(match self.builtin_member(base, name, span) {
            Ok(e) => e,
            Err(base) => self.no_member(&base, name, span),
        })
    }

    /// Several components of a vector of small floats, which is a struct of the prelude: one of its
    /// subscripts with several indices, the first of them `true` if one is named twice.
    fn small_swizzle(&mut self, base: &Expr, name: &str, span: Span) -> Option<Expr> {
        let TyKind::Struct(id) = base.ty.kind() else { return None };
        let (of, args) = self.structs[id.0 as usize].instance_of?;
        let [types::GArg::Ty(_), types::GArg::Val(n)] = args[..] else { return None };
        let n = u32::try_from(n.as_int()?).ok()?;
        let parts = swizzle(name, n).filter(|parts| parts.len() > 1)?;
        if self.prelude_struct("__SmallVector") != Some(of) {
            return None;
        }
        let twice = (1..parts.len()).any(|k| parts[..k].contains(&parts[k]));
        let first = twice.then(|| Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(true)) });
        let places = parts.iter().map(|&part| Expr::int(i64::from(part), Ty::int(), span));
        let args: Vec<Expr> = first.into_iter().chain(places).collect();
        self.subscript(base, &args, span)
    }

    /// Whether the expression with this span is what a call calls, or a derivative operator takes.
    pub(crate) fn is_called(&self, span: Span) -> bool {
        self.cx.callee == Some(span)
    }

    /// An extension may add a function that has the name of a field, a property or a constant: a
    /// call means the function, and everything else means the other one.
    pub(crate) fn keep_called(&self, found: &mut Vec<Member>, span: Span) {
        let functions = found.iter().filter(|m| m.as_func().is_some()).count();
        if 0 < functions && functions < found.len() {
            let called = self.is_called(span);
            found.retain(|m| m.as_func().is_some() == called);
        }
    }

    /// A part of a value of builtin type. Returns the value as an error if it has no such part.
    fn builtin_member(&mut self, base: Expr, name: ast::Ident, span: Span) -> Result<Expr, Expr> {
        match base.ty.kind() {
            TyKind::Pair(t) => {
                let differential = match name.name.as_str() {
                    "p" | "v" => false,
                    "d" => true,
                    _ => return Err(base),
                };
                let ty = match self.differential(*t) {
                    Some(d) if differential => d,
                    _ => *t,
                };
                Ok(Expr { ty, span, kind: ExprKind::PairPart { base: base.into(), differential } })
            }
            TyKind::Scalar(s) => match swizzle(&name.name, 1) {
                Some(comps) if comps.len() == 1 => Ok(Expr { span, ..base }),
                Some(comps) => {
                    let ty = Ty::vector(*s, comps.len() as u32);
                    Ok(Expr { ty, span, kind: ExprKind::Splat(base.into()) })
                }
                None => Err(base),
            },
            TyKind::VectorOf(t, n) if n.as_int().is_some() => {
                let count = n.as_int().unwrap_or(0) as u32;
                let Some(comps) = swizzle(&name.name, count) else { return Err(base) };
                let ty = if comps.len() == 1 { *t } else { Ty::vector_of(*t, types::Val::int(comps.len() as i64)) };
                Ok(Expr { ty, span, kind: ExprKind::Swizzle { base: base.into(), comps } })
            }
            TyKind::Vector(s, _) | TyKind::Matrix(s, ..) => {
                let comps = match base.ty.kind() {
                    TyKind::Matrix(_, r, c) => matrix_swizzle(&name.name, *r, *c),
                    TyKind::Vector(_, n) => swizzle(&name.name, *n),
                    _ => None,
                };
                let Some(comps) = comps else { return Err(base) };
                let ty = if comps.len() == 1 { Ty::scalar(*s) } else { Ty::vector(*s, comps.len() as u32) };
                Ok(Expr { ty, span, kind: ExprKind::Swizzle { base: base.into(), comps } })
            }
            _ => Err(base),
        }
    }

    /// Reports a member of a pack, which `each` turns into that of its elements.
    fn member_of_pack(&mut self, pack: &Expr, name: ast::Ident, span: Span) -> Expr {
        let shown = match pack.kind {
            ExprKind::Local(id) => self.cx.locals.get(id.0 as usize).map(|l| l.name),
            _ => None,
        };
        let (named, written) = match shown {
            Some(pack) => (format!("`{pack}`"), pack.to_string()),
            None => ("this".to_string(), "…".to_string()),
        };
        let text = format!("{named} is a pack, and has no member `{}`", name.name);
        self.error(codes::E0217, name.span, text)
            .notes
            .push(format!("that of each element is `(each {written}).{}`, within `expand`", name.name));
        Expr::error(span)
    }

    fn no_member(&mut self, base: &Expr, name: ast::Ident, span: Span) -> Expr {
        let shown = self.show(base.ty);
        let mut note = None;
        match base.ty.kind() {
            TyKind::Pair(_) => note = Some("a pair has `.p` (primal) and `.d` (differential)".to_string()),
            TyKind::Vector(_, n) => {
                note = Some(format!("components are `{}` or `{}`", &"xyzw"[..*n as usize], &"rgba"[..*n as usize]));
            }
            TyKind::Matrix(..) => note = Some("elements are `_m00` (row, column from 0) or `_11` (from 1)".to_string()),
            _ => {}
        }
        note = Self::similar(name.name, &self.names_of_type(base.ty)).or(note);
        if self.is_broken(name.name) || self.may_have_any_member(base.ty) {
            return Expr::error(span);
        }
        if self.is_pack(base.ty) {
            return self.member_of_pack(base, name, span);
        }
        note = self.extension_not_imported(base.ty, name.name).or(note);
        self.error(codes::E0217, name.span, format!("`{shown}` has no member `{}`", name.name)).notes.extend(note);
        Expr::error(span)
    }
}

/// Components by name. `xyzw` and `rgba` may be mixed.
fn swizzle(text: &str, n: u32) -> Option<SmallVec<[u8; 4]>> {
    if text.is_empty() || text.len() > 4 {
        return None;
    }
    let component = |c: char| ["xyzw", "rgba"].iter().find_map(|set| set.find(c)).map(|i| i as u8);
    text.chars().map(|c| component(c).filter(|&i| (i as u32) < n)).collect()
}

/// `_m00_m12` or `_11_23`.
fn matrix_swizzle(text: &str, rows: u32, cols: u32) -> Option<SmallVec<[u8; 4]>> {
    let from_zero = text.starts_with("_m");
    let mut out = SmallVec::new();
    for part in text.strip_prefix('_')?.split('_') {
        let digits = if from_zero { part.strip_prefix('m')? } else { part };
        let [r, c] = digits.as_bytes() else { return None };
        let first = if from_zero { b'0' } else { b'1' };
        let (r, c) = (r.checked_sub(first)? as u32, c.checked_sub(first)? as u32);
        if r >= rows || c >= cols {
            return None;
        }
        out.push((r * cols + c) as u8);
    }
    (1..=4).contains(&out.len()).then_some(out)
}

/// The mode of a derivative operator that is written as a member of its function.
fn derivative_operator(name: &str) -> Option<Mode> {
    match name {
        "fwd_diff" => Some(Mode::Forward),
        "bwd_diff" => Some(Mode::Backward),
        _ => None,
    }
}
