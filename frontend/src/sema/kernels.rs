//! CUDA kernels and the host code around them, as programs for PyTorch have them.
//!
//! `[CUDAKernel]` makes an entry point. A differentiable kernel `k` has two more, `k_fwd_diff` and
//! `k_bwd_diff` (slangtorch's names), which are made if the command line names them. Host code is
//! checked and never lowered: functions marked `[TorchEntryPoint]`, functions that take or return a
//! host tensor, and functions that launch a kernel.

use super::expr::Res;
use super::*;
use ast::{DeclKind, ExprKind as E, FuncDecl};
use caustic_ir::codes;

/// The suffixes of derivative kernels, with the operators that make them.
const DERIVATIVES: [(&str, &str); 2] = [("_fwd_diff", "fwd_diff"), ("_bwd_diff", "bwd_diff")];

/// The prelude's view of a tensor, and its method that returns the position of an element in the
/// buffer.
const VIEW: &str = "TensorView";
const POSITION: &str = "__at";

/// The host's tensor, in the prelude.
const HOST_TENSOR: &str = "TorchTensor";

impl Checker<'_> {
    /// Replaces an element of a tensor's view in a place by the element of the view's buffer, which
    /// other threads see.
    pub(crate) fn in_tensor(&mut self, mut place: Expr) -> Expr {
        match &mut place.kind {
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => {
                let inner = std::mem::replace(&mut **base, Expr::error(place.span));
                **base = self.in_tensor(inner);
                place
            }
            ExprKind::Access(a) if a.has_this => {
                let [view, indices @ ..] = a.args.as_slice() else { return place };
                let (view, indices) = (view.clone(), indices.to_vec());
                if self.prelude_argument(VIEW, view.ty).is_none() {
                    return place;
                }
                let data = view.ty.as_struct().and_then(|id| self.fields(id).first().map(|f| f.ty));
                let name = ast::Ident { name: Name::new(POSITION), span: place.span };
                let written = ast::Expr { span: place.span, kind: E::Name { name, args: None } };
                let (Some(ty), Res::Funcs(group)) =
                    (data, self.member_of(Res::Val(view.clone()), name, None, &written))
                else {
                    return place;
                };
                let index = self.call_group(group, indices, place.span);
                let buffer = Expr { ty, span: place.span, kind: ExprKind::Field { base: view.into(), index: 0 } };
                let kind = ExprKind::BufferElem { buffer: buffer.into(), index: index.into() };
                Expr { kind, ..place }
            }
            _ => place,
        }
    }

    /// Declares the derivative of a kernel, if the command line asks for it and the program
    /// declares nothing of its name.
    pub(crate) fn declare_derivative_kernel(&mut self, module: &crate::modules::Module) {
        let Some(wanted) = self.entry.clone() else { return };
        let ns = self.main_ns();
        if self.namespaces[ns.0 as usize].names.contains_key(&Name::new(&wanted)) {
            return;
        }
        let made = module.decls.iter().find_map(|decl| {
            let DeclKind::Func(f) = &decl.kind else { return None };
            let (_, operator) = DERIVATIVES
                .iter()
                .find(|(suffix, _)| wanted.strip_suffix(suffix).is_some_and(|kernel| f.name.name == *kernel))?;
            FuncAttrs::is_kernel(&decl.mods).then(|| derivative_kernel(decl, f, operator, &wanted))
        });
        if let Some(decl) = made {
            self.collect_one(&decl, ns, None);
        }
    }

    /// Marks host code, and reports it if it would have to run.
    pub(crate) fn check_host(&mut self, attrs: &mut FuncAttrs, params: &[Param], ret: Ty, f: &FuncDecl) {
        let types = params.iter().map(|p| p.ty).chain([ret]);
        attrs.host |= types.into_iter().any(|ty| self.prelude_argument(HOST_TENSOR, ty).is_some());
        if attrs.host {
            self.refuse_host(f.name, attrs.entry.is_some());
        }
        if !attrs.kernel || !attrs.differentiable {
            return;
        }
        // The derivatives are kernels that a host calls, and the host has tensors but no pairs to
        // hold derivatives.
        for p in params.iter().filter(|p| !p.no_diff) {
            if !p.ty.is_error() && self.is_differentiable_type(p.ty) {
                let d = self.error(
                    codes::E0223,
                    p.span,
                    format!("`{}` of a differentiable kernel has nowhere to put its derivative", p.name),
                );
                d.notes.push("make it `no_diff`, or read it from a `DiffTensorView`".to_string());
            }
        }
    }

    /// Reports a function with host tensors that the command line names or that is a kernel.
    fn refuse_host(&mut self, name: ast::Ident, is_entry: bool) {
        if is_entry {
            self.error(
                codes::E0223,
                name.span,
                format!("`{}` is an entry point, and does what only the host can", name.name),
            )
            .notes
            .push("a `TorchTensor` and the launch of a kernel belong into a `[TorchEntryPoint]`".to_string());
            return;
        }
        if self.entry.as_ref().is_some_and(|entry| name.name == **entry) {
            let text = format!(
                "`{}` is code of the host: it can be checked, and its kernels run, each by its name",
                name.name
            );
            self.error(codes::E0223, name.span, text);
        }
    }

    /// Marks a function as host code if its checked body does something that only the host can.
    pub(crate) fn note_host(&mut self, f: FuncId) {
        let is_host = std::mem::take(&mut self.cx.is_host);
        let info = &mut self.funcs[f.0 as usize];
        if !is_host || std::mem::replace(&mut info.attrs.host, true) {
            return;
        }
        let is_entry = info.attrs.entry.is_some();
        if let Some(name) = self.funcs[f.0 as usize].decl.name() {
            self.refuse_host(name, is_entry);
        }
    }

    /// `__dispatch_kernel(kernel, groups, threads)`, whose result is then called with the kernel's
    /// arguments.
    pub(crate) fn check_launch(&mut self, args: &[ast::Expr], span: Span) -> Res {
        let [kernel, sizes @ ..] = args else {
            self.error(
                codes::E0204,
                span,
                "`__dispatch_kernel` takes a kernel, the number of groups and that of threads",
            );
            return Res::Val(Expr::error(span));
        };
        if sizes.len() != 2 {
            self.error(
                codes::E0204,
                span,
                "`__dispatch_kernel` takes a kernel, the number of groups and that of threads",
            );
            return Res::Val(Expr::error(span));
        }
        let size = Ty::vector(types::Scalar::U32, 3);
        for e in sizes {
            let value = self.check_value(e);
            if value.ty.is_error() {
                return Res::Val(Expr::error(span));
            }
            self.coerce(value, size);
        }
        self.cx.is_host = true;
        match self.resolve(kernel) {
            Res::Funcs(group) => Res::Funcs(group),
            Res::Val(v) if v.ty.is_error() => Res::Val(v),
            _ => {
                self.error(codes::E0213, kernel.span, "`__dispatch_kernel` takes the name of a kernel");
                Res::Val(Expr::error(span))
            }
        }
    }
}

/// `[CUDAKernel] void k_bwd_diff(A a, B b) { bwd_diff(k)(a, b); }` for a kernel with these
/// parameters.
fn derivative_kernel(decl: &ast::Decl, f: &FuncDecl, operator: &str, name: &str) -> Rc<ast::Decl> {
    let span = f.name.span;
    let named =
        |name: Name, span: Span| ast::Expr { span, kind: E::Name { name: ast::Ident { name, span }, args: None } };
    let call =
        |callee: ast::Expr, args: Vec<ast::Expr>| ast::Expr { span, kind: E::Call { callee: callee.into(), args } };
    let derivative = call(named(Name::new(operator), span), vec![named(f.name.name, span)]);
    let arguments = f.params.iter().filter_map(|p| Some(named(p.name?.name, p.span))).collect();
    let body = ast::Stmt { span, kind: ast::StmtKind::Expr(call(derivative, arguments)) };
    let mut made = f.clone();
    made.name.name = Name::new(name);
    made.body = Some(vec![body]);
    let mut mods = decl.mods.clone();
    // Of the kernel's attributes, keep those that tell how it is launched.
    mods.attrs.retain(|a| FuncAttrs::says_launch(&a.name.name));
    Rc::new(ast::Decl { span: decl.span, mods, kind: DeclKind::Func(made) })
}
