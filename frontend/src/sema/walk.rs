//! Walks over the checked tree, generated from its declaration.
//!
//! [`nodes!`] declares the kinds of nodes and generates three matches over them: a visit of a
//! node's parts, one that may change them, and a fold of the types that the node names itself. The
//! type of a field decides what the walks do with it ([`Part`]). So a new node is walked as soon as
//! it is declared, and a field of a new type does not compile until this file implements [`Part`]
//! for it. Parts are visited in the order of their declaration.
//!
//! This file must not know any kind of node.

use super::bounds::Bound;
use super::tree::*;
use super::types::{Args, InterfaceRef, PackPart, ParamId, Ty, Val};
use crate::ast::BinOp;
use caustic_ir::Name;
use smallvec::SmallVec;
use std::sync::Arc as Rc;

/// Visits the parts of a node. A closure over expressions visits all of them, also those in
/// statements inside.
pub trait Visitor {
    fn expr(&mut self, e: &Expr);
    fn stmt(&mut self, s: &Stmt);
}

/// Like [`Visitor`], for parts that may be changed.
pub trait VisitorMut {
    fn expr(&mut self, e: &mut Expr);
    fn stmt(&mut self, s: &mut Stmt);
}

/// Replaces the types that a node names.
pub trait TypeFolder {
    fn ty(&mut self, ty: Ty) -> Ty;
    fn val(&mut self, val: Val) -> Val;
    fn args(&mut self, args: Args) -> Args;
    fn interface(&mut self, interface: InterfaceRef) -> InterfaceRef;
    fn bound(&mut self, bound: Bound) -> Bound;
    /// A constant that several uses share. Each use folds it.
    fn shared(&mut self, value: &Expr) -> Expr;
}

impl<F: FnMut(&Expr) + ?Sized> Visitor for F {
    fn expr(&mut self, e: &Expr) {
        self(e);
    }
    fn stmt(&mut self, s: &Stmt) {
        s.kind.visit(self);
    }
}

impl<F: FnMut(&mut Expr) + ?Sized> VisitorMut for F {
    fn expr(&mut self, e: &mut Expr) {
        self(e);
    }
    fn stmt(&mut self, s: &mut Stmt) {
        s.kind.visit_mut(self);
    }
}

/// The field of a node, as the walks treat it.
pub trait Part {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V);
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V);
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, f: &mut F);
}

/// Declares an enum of nodes, and the walks over it.
macro_rules! nodes {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $(
                $(#[$doc:meta])*
                $variant:ident
                $( ( $first:ty $(, $second:ty)? ) )?
                $( { $( $(#[$field_doc:meta])* $field:ident : $of:ty ),* $(,)? } )?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        pub enum $name {
            $(
                $(#[$doc])*
                $variant
                $( ( $first $(, $second)? ) )?
                $( { $( $(#[$field_doc])* $field : $of ),* } )?
            ),*
        }

        impl $crate::sema::walk::Part for $name {
            fn visit<V: $crate::sema::walk::Visitor + ?Sized>(&self, v: &mut V) {
                $crate::sema::walk::nodes!(@walk visit, self, v, {
                    $( $variant $( ( $first $(, $second)? ) )? $( { $( $field : $of ),* } )? )*
                });
            }
            fn visit_mut<V: $crate::sema::walk::VisitorMut + ?Sized>(&mut self, v: &mut V) {
                $crate::sema::walk::nodes!(@walk visit_mut, self, v, {
                    $( $variant $( ( $first $(, $second)? ) )? $( { $( $field : $of ),* } )? )*
                });
            }
            fn fold_types<F: $crate::sema::walk::TypeFolder + ?Sized>(&mut self, f: &mut F) {
                $crate::sema::walk::nodes!(@walk fold_types, self, f, {
                    $( $variant $( ( $first $(, $second)? ) )? $( { $( $field : $of ),* } )? )*
                });
            }
        }
    };
    (@walk $method:ident, $node:ident, $with:ident, {
        $( $variant:ident $( ( $first:ty $(, $second:ty)? ) )? $( { $( $field:ident : $of:ty ),* } )? )*
    }) => {
        match $node {
            $(
                Self::$variant
                $( ( $crate::sema::walk::nodes!(@name a $first) $(, $crate::sema::walk::nodes!(@name b $second))? ) )?
                $( { $( $field ),* } )?
                => {
                    $(
                        <$first as $crate::sema::walk::Part>::$method(a, $with);
                        $( <$second as $crate::sema::walk::Part>::$method(b, $with); )?
                    )?
                    $( $( <$of as $crate::sema::walk::Part>::$method($field, $with); )* )?
                }
            )*
        }
    };
    (@name $name:ident $of:ty) => { $name };
}
pub(crate) use nodes;

impl Part for Expr {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V) {
        v.expr(self);
    }
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V) {
        v.expr(self);
    }
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, _: &mut F) {}
}

impl Part for Stmt {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V) {
        v.stmt(self);
    }
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V) {
        v.stmt(self);
    }
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, _: &mut F) {}
}

impl Part for SwitchGroup {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V) {
        self.body.visit(v);
    }
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V) {
        self.body.visit_mut(v);
    }
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, _: &mut F) {}
}

/// The statics are not parts: they are added last, and only lowering reads them.
impl Part for Access {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V) {
        self.args.visit(v);
    }
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V) {
        self.args.visit_mut(v);
    }
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, f: &mut F) {
        self.get.fold_types(f);
        self.set.fold_types(f);
    }
}

impl<T: Part> Part for Box<T> {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V) {
        (**self).visit(v);
    }
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V) {
        (**self).visit_mut(v);
    }
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, f: &mut F) {
        (**self).fold_types(f);
    }
}

impl<T: Part> Part for Vec<T> {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V) {
        self.iter().for_each(|part| part.visit(v));
    }
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V) {
        self.iter_mut().for_each(|part| part.visit_mut(v));
    }
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, f: &mut F) {
        self.iter_mut().for_each(|part| part.fold_types(f));
    }
}

impl<T: Part> Part for Option<T> {
    fn visit<V: Visitor + ?Sized>(&self, v: &mut V) {
        self.iter().for_each(|part| part.visit(v));
    }
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, v: &mut V) {
        self.iter_mut().for_each(|part| part.visit_mut(v));
    }
    fn fold_types<F: TypeFolder + ?Sized>(&mut self, f: &mut F) {
        self.iter_mut().for_each(|part| part.fold_types(f));
    }
}

/// Fields without expressions inside: how a fold of types changes them.
macro_rules! types {
    ($( $of:ty: |$field:ident, $folder:ident| $fold:expr; )*) => {$(
        impl Part for $of {
            fn visit<V: Visitor + ?Sized>(&self, _: &mut V) {}
            fn visit_mut<V: VisitorMut + ?Sized>(&mut self, _: &mut V) {}
            fn fold_types<F: TypeFolder + ?Sized>(&mut self, $folder: &mut F) {
                let $field = self;
                $fold
            }
        }
    )*};
}

types! {
    Ty: |ty, f| *ty = f.ty(*ty);
    Val: |val, f| *val = f.val(*val);
    Args: |args, f| *args = f.args(*args);
    FuncRef: |func, f| func.args = f.args(func.args);
    InterfaceRef: |interface, f| *interface = f.interface(*interface);
    Bound: |bound, f| *bound = f.bound(*bound);
    LoopAttrs: |attrs, f| attrs.max_iters.fold_types(f);
    Copies: |copies, f| match copies {
        Copies::Numbers { from, to, .. } => {
            from.fold_types(f);
            to.fold_types(f);
        }
        Copies::Elements(of) => of.fold_types(f),
    };
    // A shared value is not a part of its uses.
    Rc<Expr>: |value, f| *value = Rc::new(f.shared(value));
}

/// Fields that no walk looks at.
macro_rules! leaves {
    ($( $of:ty ),* $(,)?) => {$(
        impl Part for $of {
            fn visit<V: Visitor + ?Sized>(&self, _: &mut V) {}
            fn visit_mut<V: VisitorMut + ?Sized>(&mut self, _: &mut V) {}
            fn fold_types<F: TypeFolder + ?Sized>(&mut self, _: &mut F) {}
        }
    )*};
}

leaves! {
    bool, u32, Const, Name, Rc<str>, Rc<Missing>, LocalId, GlobalId, StaticId, ParamId,
    UnaryOp, BinOp, AtomicOp, PackPart, Mode, Dir, SmallVec<[u8; 4]>,
}

impl Expr {
    /// Calls `f` for every direct subexpression.
    pub fn for_each_part(&self, f: &mut dyn FnMut(&Expr)) {
        self.kind.visit(f);
    }

    /// Like `for_each_part`, but `f` may change the expressions.
    pub fn for_each_part_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.kind.visit_mut(f);
    }
}

impl Stmt {
    /// Calls `f` for every expression of the statement and of the statements inside of it.
    pub fn for_each_expr(&self, f: &mut dyn FnMut(&Expr)) {
        self.kind.visit(f);
    }

    /// Like `for_each_expr`, but `f` may change the expressions.
    pub fn for_each_expr_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.kind.visit_mut(f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn int(n: i64) -> Expr {
        Expr::int(n, Ty::int(), Span::default())
    }

    fn of(kind: ExprKind) -> Expr {
        Expr::new(Ty::int(), Span::default(), kind)
    }

    fn numbers(visit: impl FnOnce(&mut dyn FnMut(&Expr))) -> Vec<i64> {
        let mut found = Vec::new();
        visit(&mut |e| {
            if let ExprKind::Const(Const::Int(n)) = e.kind {
                found.push(n);
            }
        });
        found
    }

    #[test]
    fn parts_are_visited_in_order_and_no_deeper() {
        let inner = of(ExprKind::Comma(vec![int(9)]));
        let call = of(ExprKind::Construct(vec![int(1), inner, int(2)]));
        assert_eq!(numbers(|f| call.for_each_part(f)), [1, 2]);
        let [cond, then, other] = [3, 4, 5].map(|n| Box::new(int(n)));
        let choice = of(ExprKind::Ternary { cond, then, other });
        assert_eq!(numbers(|f| choice.for_each_part(f)), [3, 4, 5]);
        // A shared value is not a part of its uses.
        assert_eq!(numbers(|f| of(ExprKind::Shared(Rc::new(int(6)), Name::new("c"))).for_each_part(f)), [0; 0]);
    }

    #[test]
    fn expressions_of_statements_inside_are_visited() {
        let stmt = |kind| Stmt { span: Span::default(), kind };
        let body = vec![stmt(StmtKind::Return(Some(int(3)))), stmt(StmtKind::Break)];
        let group = SwitchGroup { labels: Vec::new(), is_default: true, body };
        let switch = stmt(StmtKind::Switch { value: int(2), groups: vec![group] });
        let mut all =
            stmt(StmtKind::If { cond: int(1), then: vec![switch], other: vec![stmt(StmtKind::Expr(int(4)))] });
        assert_eq!(numbers(|f| all.for_each_expr(f)), [1, 2, 3, 4]);
        all.for_each_expr_mut(&mut |e| *e = int(7));
        assert_eq!(numbers(|f| all.for_each_expr(f)), [7; 4]);
    }
}
