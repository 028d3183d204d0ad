//! Evaluates the arguments of attributes that nothing else evaluates: those of attributes that the
//! program declares, by the types of their fields, and numbers by the rows of `attribute_rows`.

use super::attribute_rows::{self as rows, Takes};
use super::types::TyKind;
use super::*;
use ast::{Attribute, DeclKind};
use caustic_ir::codes;

/// The attributes of constants that a pipeline sets.
const SPECIALIZED: [&str; 3] = ["vk::constant_id", "vk::specialization_constant", "SpecializationConstant"];

impl Checker<'_> {
    /// Notes the attributes of a declaration whose arguments are evaluated once all names are
    /// known.
    pub(crate) fn note_attributes(&mut self, decl: &Rc<ast::Decl>, ns: NsId) {
        if self.loading_prelude {
            return;
        }
        let params = match &decl.kind {
            DeclKind::Func(f) => f.params.as_slice(),
            _ => &[],
        };
        let has = |c: &Self, mods: &ast::Modifiers| mods.attrs.iter().any(|a| c.is_evaluated(a));
        if has(self, &decl.mods) || params.iter().any(|p| has(self, &p.mods)) {
            self.pending.push((Pending::Attributes, decl.clone(), ns));
        }
    }

    fn is_evaluated(&self, a: &Attribute) -> bool {
        let specialized = SPECIALIZED.iter().any(|name| a.name.name == **name);
        let numbers = || {
            let takes = rows::find(&a.name.name).map(|r| r.takes);
            matches!(takes, Some(Takes::Integers(_) | Takes::ValueSize))
        };
        let recomputes = a.name.name == *"PreferRecompute";
        specialized || !a.args.is_empty() && (self.own_attributes.contains_key(&a.name.name) || recomputes || numbers())
    }

    /// Evaluates the arguments of a declaration's attributes.
    pub(crate) fn evaluate_attributes(&mut self, decl: &ast::Decl) {
        let params = match &decl.kind {
            DeclKind::Func(f) => f.params.as_slice(),
            _ => &[],
        };
        let all = decl.mods.attrs.iter().chain(params.iter().flat_map(|p| &p.mods.attrs));
        for a in all.filter(|a| self.is_evaluated(a)).collect::<Vec<_>>() {
            let own = self.own_attributes.get(&a.name.name);
            if let Some((fields, ns)) = own.and_then(|own| Some((own.fields.clone(), own.ns?))) {
                self.evaluate_own(a, &fields, ns);
                continue;
            }
            for arg in a.args.iter().filter(|e| !matches!(e.kind, ast::ExprKind::Str(_))) {
                if a.name.name == *"PreferRecompute" {
                    self.check_value(arg);
                    continue;
                }
                let what = match a.name.name.as_str() {
                    "layout" => "a value in `layout(…)`".to_string(),
                    name => format!("the argument of `[{name}]`"),
                };
                self.const_int(arg, &what);
            }
            if let (true, DeclKind::Var(v)) = (SPECIALIZED.iter().any(|name| a.name.name == **name), &decl.kind) {
                self.check_specialized(a, v);
            }
        }
    }

    /// Checks the arguments of an attribute that the program declares.
    fn evaluate_own(&mut self, a: &Attribute, fields: &[ast::Expr], declared: NsId) {
        for (arg, field) in a.args.iter().zip(fields) {
            let ns = self.cx.ns.replace(declared);
            let ty = self.resolve_type(field);
            self.cx.ns = ns;
            // As in slangc, only an integer has to be known.
            let counts = matches!(ty.kind(), TyKind::Enum(_)) || ty.as_scalar().is_some_and(|s| !s.is_float());
            let outer = std::mem::replace(&mut self.cx.const_only, counts);
            let value = self.check_value(arg);
            self.cx.const_only = outer;
            if ty.is_error() || value.ty.is_error() {
                continue;
            }
            // As in slangc, a number stands for a case.
            let value = if matches!(ty.kind(), TyKind::Enum(_)) { self.enum_to_int(value) } else { value };
            let ty = if let TyKind::Enum(id) = ty.kind() { self.enum_base(*id) } else { ty };
            if matches!((value.ty.kind(), ty.kind()), (TyKind::Str, TyKind::Str)) {
                continue;
            }
            let known = !counts || self.fold(&value).is_some();
            let value = self.coerce(value, ty);
            if !known && !value.ty.is_error() {
                let text = format!("the argument of `[{}]` must be known at compile time", a.name.name);
                self.error(codes::E0261, arg.span, text);
            }
        }
    }

    /// Checks that a constant that a pipeline sets is one number.
    fn check_specialized(&mut self, a: &Attribute, v: &ast::VarDecl) {
        let Some(ty) = v.ty.as_ref().and_then(|t| self.try_type(t)) else { return };
        if ty.is_error() || ty.as_scalar().is_some() || matches!(ty.kind(), TyKind::Enum(_)) || self.is_dependent(ty) {
            return;
        }
        let shown = self.show(ty);
        self.error(codes::E0220, a.name.span, format!("`[{}]` is for a number, and this is `{shown}`", a.name.name));
    }
}
