//! Values of an interface's type from a number and data: `createDynamicObject`.
//!
//! The functions made here choose the conforming type by the number that the host knows it by; a number that is none means the last. Their
//! bodies are written last, when all conforming types are known.

use super::types::{Args, GArg, InterfaceRef, TyKind};
use super::*;

impl Checker<'_> {
    /// `createDynamicObject<I, T>(id, data)`; `T` may be left to the argument.
    pub(crate) fn create_dynamic_object(&mut self, args: &[ast::Expr], given: &[ast::Expr], span: Span) -> Expr {
        let Some(generic) = self.generic_args(args) else { return Expr::error(span) };
        let (interface, data_ty) = match generic.as_slice() {
            [GArg::Ty(i)] => (*i, None),
            [GArg::Ty(i), GArg::Ty(t)] => (*i, Some(*t)),
            _ => {
                self.error("E0208", span, "`createDynamicObject` takes an interface and the type of the data");
                return Expr::error(span);
            }
        };
        if self.interface_type(interface).is_none() {
            let shown = self.show(interface);
            self.error("E0234", span, format!("`{shown}` is not an interface"));
            return Expr::error(span);
        }
        let [id, data] = given else {
            self.error("E0204", span, "`createDynamicObject` takes the number of the type and the data");
            return Expr::error(span);
        };
        let (id, data) = (self.check_value(id), self.check_value(data));
        let data = self.read_uniform(data);
        let data = match data_ty {
            Some(t) => self.coerce(data, t),
            None => data,
        };
        let id = self.coerce(id, Ty::uint());
        if id.ty.is_error() || data.ty.is_error() {
            return Expr::error(span);
        }
        Expr { ty: interface, span, kind: ExprKind::MakeDynamic(vec![id, data]) }
    }

    /// The function that makes a value of the interface's type from a number and data of type `data`.
    pub(super) fn maker(&mut self, i: InterfaceRef, data: Ty, span: Span) -> FuncId {
        if let Some(known) = self.existentials.makers.iter().find(|m| m.interface == i && m.data == data) {
            return known.func;
        }
        let name = format!("createDynamicObject.{}", self.show_ref(i));
        let params = vec![param("id", Ty::uint(), span), param("data", data, span)];
        let func = self.new_synthesized(Name::new(&name), params, Ty::new(TyKind::Interface(i)), span);
        self.conformers(i);
        self.existentials.makers.push(existentials::Maker { func, interface: i, data, span });
        func
    }

    /// Writes the bodies of the functions that make values, once nothing more can conform.
    pub(crate) fn complete_makers(&mut self) {
        for at in 0..self.existentials.makers.len() {
            let m = &self.existentials.makers[at];
            let (func, interface, data, span) = (m.func, m.interface, m.data, m.span);
            let Some(body) = self.maker_body(func, interface, span) else {
                let shown = self.show(data);
                self.error("E0203", span, format!("`{shown}` is not plain data"));
                continue;
            };
            self.funcs[func.0 as usize].body = Some(Rc::new(body));
        }
    }

    fn maker_body(&mut self, func: FuncId, i: InterfaceRef, span: Span) -> Option<Body> {
        let ret = Ty::new(TyKind::Interface(i));
        let mut body = Body::default();
        let values = self.param_locals(func, &mut body);
        let [id, data] = values.as_slice() else { return None };
        let mut pieces = Vec::new();
        self.pieces(data.clone(), 0, &mut pieces)?;
        let count = self.size_and_align(data.ty).0.div_ceil(4);
        let words = self.words(&pieces, count, span);
        let list = self.conformers(i).to_vec();
        let mut groups = Vec::new();
        for (k, c) in list.iter().enumerate() {
            let value = self.from_words(&words, 0, c.ty, span)?;
            let value = Expr { ty: ret, span, kind: ExprKind::Upcast(value.into()) };
            let stmt = Stmt { span, kind: StmtKind::Return(Some(value)) };
            // A number that is none means the last type.
            groups.push(SwitchGroup { labels: vec![c.id], is_default: k + 1 == list.len(), body: vec![stmt] });
        }
        if !groups.is_empty() {
            body.stmts.push(Stmt { span, kind: StmtKind::Switch { value: id.clone(), groups } });
        }
        let zero = Expr { ty: ret, span, kind: ExprKind::Zero };
        body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(zero)) });
        Some(body)
    }

    pub(super) fn call_maker(&mut self, i: InterfaceRef, args: Vec<Expr>, span: Span) -> ExprKind {
        let data = args.get(1).map_or(Ty::error(), |d| d.ty);
        let func = self.maker(i, data, span);
        ExprKind::Call { func: FuncRef { func, args: Args::none() }, args }
    }
}

fn param(name: &str, ty: Ty, span: Span) -> Param {
    Param {
        name: Name::new(name),
        ty,
        dir: Dir::In,
        no_diff: false,
        span,
        semantic: None,
        uniform: false,
        default: None,
    }
}
