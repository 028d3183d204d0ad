//! Replaces bit fields. Adjacent bit fields share an integer, the first one in its lowest bits, and
//! each becomes a property that reads and writes its bits.
//!
//! A shared integer is unsigned and as wide as the widest type of its fields. A field that does not
//! fit begins a new one.

use super::types::Scalar;
use super::*;
use ast::{BinOp, DeclKind, ExprKind as E, UnOp};
use caustic_ir::codes;

/// Fields that share an integer.
struct Shared {
    /// The fields, each with its type and its number of bits.
    members: Vec<(Rc<ast::Decl>, Scalar, u32)>,
    used: u32,
    width: u32,
}

impl Checker<'_> {
    /// The struct with integers and properties in place of its bit fields; `None` if it has no bit
    /// fields.
    pub(crate) fn without_bit_fields(
        &mut self,
        decl: &ast::Decl,
        s: &ast::StructDecl,
        ns: NsId,
    ) -> Option<Rc<ast::Decl>> {
        let width = |m: &ast::Decl| match &m.kind {
            DeclKind::Var(v) => v.bits,
            _ => None,
        };
        s.members.iter().find_map(|m| width(m))?;
        let mut members = Vec::new();
        let mut open: Option<Shared> = None;
        for m in &s.members {
            let DeclKind::Var(v) = &m.kind else {
                members.push(m.clone());
                continue;
            };
            let Some(bits) = v.bits else {
                open.take().into_iter().for_each(|g| close(g, &mut members));
                members.push(m.clone());
                continue;
            };
            let Some(scalar) = self.bit_field_type(v, bits, &s.members, ns) else {
                // Its uses are no other mistakes.
                if v.ty.as_ref().is_some_and(|t| self.written_scalar(t, &s.members, ns).is_some()) {
                    let var = ast::VarDecl { bits: None, ..v.clone() };
                    let (span, mods) = (m.span, m.mods.clone());
                    members.push(Rc::new(ast::Decl { span, mods, kind: DeclKind::Var(var) }));
                } else {
                    self.broken.insert(v.name.name);
                }
                continue;
            };
            let of = scalar.bits();
            let bits = bits.clamp(1, of);
            let fits = |g: &Shared| g.used + bits <= g.width.max(of);
            if !open.as_ref().is_some_and(fits) {
                open.take().into_iter().for_each(|g| close(g, &mut members));
            }
            let group = open.get_or_insert(Shared { members: Vec::new(), used: 0, width: 0 });
            group.members.push((m.clone(), scalar, bits));
            group.used += bits;
            group.width = group.width.max(of);
        }
        open.into_iter().for_each(|g| close(g, &mut members));
        let kind = DeclKind::Struct(ast::StructDecl { members, ..s.clone() });
        Some(Rc::new(ast::Decl { span: decl.span, mods: decl.mods.clone(), kind }))
    }

    /// The scalar that a type names, directly or through aliases. This follows the syntax, since
    /// names are not resolved yet and an alias may be declared later.
    fn written_scalar(&self, ty: &ast::Expr, members: &[Rc<ast::Decl>], ns: NsId) -> Option<Scalar> {
        let (mut written, mut ns) = (ty, ns);
        // The path to a name space that is declared later, in which the alias stands.
        let mut ahead = String::new();
        // At most as many steps as there are aliases, because aliases can form a cycle.
        for _ in 0..=self.written_aliases.len() + members.len() {
            let (name, alias) = match &written.kind {
                E::Name { name, args: None } => {
                    let own = members.iter().find_map(|m| match &m.kind {
                        DeclKind::Typedef { name: own, ty, .. } if own.name == name.name => Some((ty, ns)),
                        _ => None,
                    });
                    let own = own.filter(|_| ahead.is_empty());
                    (*name, own.or_else(|| self.written_alias(ns, name.name).filter(|_| ahead.is_empty())))
                }
                E::Member { base, name, args: None } => {
                    let space = self.written_space(base, ns).filter(|_| ahead.is_empty());
                    let known = space.and_then(|at| Some((self.written_aliases.get(&(at, name.name))?, at)));
                    if known.is_none() && self.alias_ahead(ns, &ahead, written).is_none() {
                        return None;
                    }
                    (*name, known)
                }
                _ => return None,
            };
            if alias.is_none()
                && let Some((next, at, path)) = self.alias_ahead(ns, &ahead, written)
            {
                (written, ns, ahead) = (next, at, path);
                continue;
            }
            match alias {
                Some(next) => (written, ns) = next,
                None => return types::builtin_type(&name.name).and_then(|t| t.as_scalar()),
            }
        }
        None
    }

    /// Notes the aliases of a name space and of those in it.
    pub(super) fn note_aliases_ahead(&mut self, decl: &ast::Decl, ns: NsId, outer: &str) {
        let DeclKind::Namespace { path, members } = &decl.kind else { return };
        let path = path.iter().fold(outer.to_string(), |path, name| format!("{path}{}.", name.name));
        for member in members {
            match &member.kind {
                DeclKind::Typedef { name, generics, ty, .. } if generics.is_empty() => {
                    self.aliases_ahead.insert((ns, format!("{path}{}", name.name)), ty.clone());
                }
                _ => self.note_aliases_ahead(member, ns, &path),
            }
        }
    }

    /// The alias that a path names in a name space which is not known yet, seen from the name space
    /// `ns` and there from the path `from`: its type, and where that stands.
    fn alias_ahead(&self, ns: NsId, from: &str, path: &ast::Expr) -> Option<(&ast::Expr, NsId, String)> {
        let path = dotted(path)?;
        let mut from = from;
        loop {
            let full = format!("{from}{path}");
            let mut at = Some(ns);
            while let Some(id) = at {
                if let Some(ty) = self.aliases_ahead.get(&(id, full.clone())) {
                    let space = full.rfind('.').map_or("", |end| &full[..=end]);
                    return Some((ty, id, space.to_string()));
                }
                at = self.namespaces[id.0 as usize].parent;
            }
            if from.is_empty() {
                return None;
            }
            from = from[..from.len() - 1].rfind('.').map_or("", |end| &from[..=end]);
        }
    }

    /// The alias of this name that is seen from a name space, and the name space that it is in.
    fn written_alias(&self, ns: NsId, name: Name) -> Option<(&ast::Expr, NsId)> {
        let mut at = Some(ns);
        while let Some(id) = at {
            if let Some(ty) = self.written_aliases.get(&(id, name)) {
                return Some((ty, id));
            }
            at = self.namespaces[id.0 as usize].parent;
        }
        None
    }

    /// The name space that a path names.
    fn written_space(&self, path: &ast::Expr, ns: NsId) -> Option<NsId> {
        let inside = |id: NsId, name: Name| {
            self.names_in(id, name).into_iter().find_map(|e| match e {
                Entry::Namespace(inner) => Some(inner),
                _ => None,
            })
        };
        match &path.kind {
            E::Name { name, args: None } => {
                let mut at = Some(ns);
                while let Some(id) = at {
                    if let Some(found) = inside(id, name.name) {
                        return Some(found);
                    }
                    at = self.namespaces[id.0 as usize].parent;
                }
                None
            }
            E::Member { base, name, args: None } => inside(self.written_space(base, ns)?, name.name),
            _ => None,
        }
    }

    /// Returns the scalar type of a bit field, or `None` after it reported why there is none. A
    /// wrong number of bits is reported, too.
    fn bit_field_type(&mut self, v: &ast::VarDecl, bits: u32, members: &[Rc<ast::Decl>], ns: NsId) -> Option<Scalar> {
        let scalar = v.ty.as_ref().and_then(|t| self.written_scalar(t, members, ns));
        let Some(s) = scalar.filter(|s| s.is_int()) else {
            self.error(
                codes::E0207,
                v.name.span,
                format!("the bit field `{}` must be of an integer type", v.name.name),
            );
            return None;
        };
        if bits == 0 || bits > s.bits() {
            let text = format!("a bit field of type `{}` has 1 to {} bits, not {bits}", s.name(), s.bits());
            self.error(codes::E0207, v.name.span, text);
        }
        if let Some(init) = &v.init {
            self.error(codes::E0206, init.span, "a bit field cannot have a default value");
        }
        Some(s)
    }
}

/// A path with dots between its names.
fn dotted(path: &ast::Expr) -> Option<String> {
    match &path.kind {
        E::Name { name, args: None } => Some(name.name.to_string()),
        E::Member { base, name, args: None } => Some(format!("{}.{}", dotted(base)?, name.name)),
        _ => None,
    }
}

/// Adds the integer that the fields of a group share, and a property for each.
fn close(group: Shared, members: &mut Vec<Rc<ast::Decl>>) {
    let word = [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64]
        .into_iter()
        .find(|s| s.bits() == group.width)
        .unwrap_or(Scalar::U32);
    let Some((first, ..)) = group.members.first() else { return };
    let (span, Some(name)) = (first.span, first.name()) else { return };
    let word = named(word.name(), span);
    let holder = ast::Ident { name: Name::new(&format!("(bits of {})", name.name)), span };
    let var = ast::VarDecl {
        name: holder,
        ty: Some(word.clone()),
        is_let: false,
        semantic: None,
        register: None,
        access: Vec::new(),
        bits: None,
        init: None,
    };
    members.push(Rc::new(ast::Decl { span, mods: ast::Modifiers::default(), kind: DeclKind::Var(var) }));
    let mut at = 0;
    for (m, scalar, bits) in &group.members {
        if let DeclKind::Var(ast::VarDecl { name, ty: Some(ty), .. }) = &m.kind {
            let field = Part { holder, word: &word, ty, scalar: *scalar, at, bits: *bits, width: group.width };
            let kind = DeclKind::Property(field.property(*name));
            members.push(Rc::new(ast::Decl { span: m.span, mods: m.mods.clone(), kind }));
        }
        at += bits;
    }
}

/// Some bits of an integer.
struct Part<'a> {
    holder: ast::Ident,
    word: &'a ast::Expr,
    ty: &'a ast::Expr,
    scalar: Scalar,
    at: u32,
    bits: u32,
    width: u32,
}

impl Part<'_> {
    fn property(&self, name: ast::Ident) -> ast::PropertyDecl {
        let span = name.span;
        // The accessors are differentiable so that the object's other fields keep their
        // derivatives.
        let differentiable =
            ast::Attribute { span, name: ast::Ident { name: Name::new("Differentiable"), span }, args: Vec::new() };
        let mods = ast::Modifiers { attrs: vec![differentiable], ..ast::Modifiers::default() };
        let accessor = |kind, stmt: ast::StmtKind| ast::Accessor {
            span,
            mods: mods.clone(),
            kind,
            param: None,
            param_mods: ast::Modifiers::default(),
            body: Some(vec![ast::Stmt { span, kind: stmt }]),
            end: span,
        };
        let get = accessor(ast::AccessorKind::Get, ast::StmtKind::Return(Some(self.read(span))));
        let set = accessor(ast::AccessorKind::Set, ast::StmtKind::Expr(self.write(span)));
        ast::PropertyDecl { name, ty: self.ty.clone(), accessors: vec![get, set] }
    }

    /// `(T)(S(word << above) >> unused)`, where `S` has the sign of `T` and the width of the word.
    fn read(&self, span: Span) -> ast::Expr {
        let signed = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64].into_iter().find(|s| s.bits() == self.width);
        let through = match signed {
            Some(s) if self.scalar.is_signed_int() => named(s.name(), span),
            _ => self.word.clone(),
        };
        let above = binary(BinOp::Shl, self.holder(span), int(self.width - self.at - self.bits, span));
        let moved = binary(BinOp::Shr, cast(&through, above), int(self.width - self.bits, span));
        cast(self.ty, moved)
    }

    /// `word = (word & ~mask) | ((W)newValue << at & mask)`.
    fn write(&self, span: Span) -> ast::Expr {
        let ones = if self.bits == 64 { u64::MAX } else { (1 << self.bits) - 1 };
        let literal = E::Int { value: u128::from(ones << self.at), suffix: Name::new("ull"), radix: 16 };
        let mask = cast(self.word, ast::Expr { span, kind: literal });
        let inverse = E::Unary { op: UnOp::BitNot, arg: Box::new(mask.clone()) };
        let kept = binary(BinOp::And, self.holder(span), ast::Expr { span, kind: inverse });
        let value = cast(self.word, named("newValue", span));
        let new = binary(BinOp::And, binary(BinOp::Shl, value, int(self.at, span)), mask);
        let lhs = Box::new(self.holder(span));
        ast::Expr { span, kind: E::Assign { op: None, lhs, rhs: Box::new(binary(BinOp::Or, kept, new)) } }
    }

    fn holder(&self, span: Span) -> ast::Expr {
        ast::Expr { span, kind: E::Name { name: self.holder, args: None } }
    }
}

fn named(text: &str, span: Span) -> ast::Expr {
    ast::Expr { span, kind: E::Name { name: ast::Ident { name: Name::new(text), span }, args: None } }
}

fn int(n: u32, span: Span) -> ast::Expr {
    ast::Expr { span, kind: E::Int { value: u128::from(n), suffix: Name::new(""), radix: 10 } }
}

fn binary(op: BinOp, lhs: ast::Expr, rhs: ast::Expr) -> ast::Expr {
    let (span, at) = (lhs.span, lhs.span.hi);
    ast::Expr { span, kind: E::Binary { op, at, lhs: Box::new(lhs), rhs: Box::new(rhs) } }
}

fn cast(ty: &ast::Expr, arg: ast::Expr) -> ast::Expr {
    let span = arg.span;
    let arg = Box::new(ast::Expr { span, kind: E::Paren(Box::new(arg)) });
    ast::Expr { span, kind: E::Cast { ty: Box::new(ty.clone()), arg } }
}
