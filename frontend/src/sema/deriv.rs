//! Signatures of derivative functions (appendix E of the paper; the reference section of the user
//! guide).

use super::*;
use caustic_ir::codes;

/// A signature while derivative operators are applied to it.
#[derive(Clone, Debug)]
pub(crate) struct Sig {
    pub params: Vec<Param>,
    pub ret: Ty,
    pub ret_no_diff: bool,
}

impl Checker<'_> {
    /// The signature of the derivative of a function with signature `sig`.
    pub(crate) fn derive(&mut self, sig: &Sig, mode: Mode) -> Sig {
        match mode {
            Mode::Forward => self.derive_forward(sig),
            Mode::Backward => self.derive_backward(sig),
        }
    }

    /// The signature of `f` after derivative operators, of which the innermost comes first.
    pub(crate) fn derived_signature(&mut self, f: FuncId, modes: &[Mode]) -> Sig {
        let info = &self.funcs[f.0 as usize];
        let sig = Sig { params: info.params.clone(), ret: info.ret, ret_no_diff: info.ret_no_diff };
        modes.iter().fold(sig, |sig, mode| self.derive(&sig, *mode))
    }

    fn is_active(&mut self, p: &Param) -> bool {
        !p.no_diff && self.is_differentiable_type(p.ty)
    }

    fn paired_pointer(&mut self, p: &Param) -> Option<Ty> {
        if p.no_diff || p.dir != Dir::In { None } else { self.pointer_pair(p.ty) }
    }

    fn derive_forward(&mut self, sig: &Sig) -> Sig {
        let mut params = Vec::with_capacity(sig.params.len());
        for p in &sig.params {
            let mut q = p.clone();
            q.default = None;
            if self.is_active(p) {
                q.ty = Ty::pair(p.ty);
            } else if let Some(pair) = self.paired_pointer(p) {
                q.ty = pair;
            }
            params.push(q);
        }
        let active = !sig.ret_no_diff && !sig.ret.is_void() && self.is_differentiable_type(sig.ret);
        let pointer = if sig.ret_no_diff || sig.ret.is_void() { None } else { self.pointer_pair(sig.ret) };
        let ret = match pointer {
            _ if active => Ty::pair(sig.ret),
            Some(pair) => pair,
            None => sig.ret,
        };
        Sig { params, ret, ret_no_diff: sig.ret_no_diff }
    }

    /// The type of the cotangent of the result, which is the last parameter; `None` if there is
    /// none.
    fn result_cotangent(&mut self, sig: &Sig) -> Option<Ty> {
        if sig.ret_no_diff || sig.ret.is_void() { None } else { self.differential(sig.ret) }
    }

    /// Whether the backward derivative of `f` takes the cotangent of a result.
    pub(crate) fn has_result_cotangent(&mut self, f: FuncId) -> bool {
        let sig = self.derived_signature(f, &[]);
        self.result_cotangent(&sig).is_some()
    }

    fn derive_backward(&mut self, sig: &Sig) -> Sig {
        let mut params = Vec::with_capacity(sig.params.len() + 1);
        for p in &sig.params {
            let mut q = p.clone();
            q.default = None;
            match (self.is_active(p), p.dir) {
                (true, Dir::In | Dir::InOut) => {
                    q.ty = Ty::pair(p.ty);
                    q.dir = Dir::InOut;
                }
                (true, Dir::Out) => {
                    q.ty = self.differential(p.ty).unwrap_or(Ty::error());
                    q.dir = Dir::In;
                }
                (false, Dir::Out) => continue,
                (false, _) => {
                    q.dir = Dir::In;
                    if let Some(pair) = self.paired_pointer(p) {
                        q.ty = pair;
                    }
                }
            }
            params.push(q);
        }
        if let Some(d) = self.result_cotangent(sig) {
            params.push(Param {
                name: Name::new("dResult"),
                ty: d,
                dir: Dir::In,
                no_diff: false,
                span: Span::default(),
                semantic: None,
                uniform: false,
                by_reference: false,
                default: None,
                layout: None,
            });
        }
        Sig { params, ret: Ty::void(), ret_no_diff: false }
    }

    /// Returns whether `f` has a derivative of this kind; reports it otherwise.
    pub(crate) fn require_differentiable(&mut self, f: FuncId, modes: &[Mode], span: Span) -> bool {
        let info = &self.funcs[f.0 as usize];
        let (name, decl) = (info.name, self.loc(info.decl.name().map_or(info.decl.span, |n| n.span)));
        let operator = match modes.last() {
            Some(Mode::Backward) => "bwd_diff",
            _ => "fwd_diff",
        };
        let is_prelude = info.is_prelude;
        if !info.is_differentiable() {
            // A custom derivative that was refused is one mistake.
            if self.misdeclared.contains(&f) {
                return false;
            }
            let d = self.error(codes::E0302, span, format!("`{operator}` of `{name}`, which is not differentiable"));
            if !is_prelude {
                d.labels.push((decl, "declared here".to_string()));
                d.notes.push(format!("mark `{name}` with `[Differentiable]`"));
            }
            return false;
        }
        let info = &self.funcs[f.0 as usize];
        for (mode, operator, other) in
            [(Mode::Forward, "fwd_diff", "backward"), (Mode::Backward, "bwd_diff", "forward")]
        {
            if modes.contains(&mode) && !info.has_derivative(mode) {
                self.error(
                    codes::E0302,
                    span,
                    format!("`{operator}` of `{name}`, which only has a {other} derivative"),
                )
                .labels
                .push((decl, "declared here".to_string()));
                return false;
            }
        }
        true
    }
}
