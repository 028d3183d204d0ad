//! Methods that provide a requirement although their signature is not the requirement's: what they
//! take and return converts, further parameters have default values, or the object is not used. A
//! function with the signature of the requirement calls them. The same for custom derivatives.

use super::deriv::Sig;
use super::generics::Subst;
use super::members::Member;
use super::types::{Args, GArg, ParamId};
use super::*;

/// The method that provides a requirement, seen from the conforming type.
struct Near {
    func: FuncId,
    /// The parameters and the result.
    params: Vec<(Ty, Dir)>,
    ret: Ty,
    /// The arguments of the outer generics; the method's own parameters stand for themselves.
    subst: Subst,
    /// The method's own generic parameters.
    own: Vec<ParamId>,
}

/// What its arguments cost to convert, and its further parameters.
type Rank = (u32, usize);

/// What the requirement asks for, in the generic parameters of the method.
struct Asked {
    params: Vec<(Ty, Dir)>,
    ret: Ty,
}

impl Checker<'_> {
    /// Makes a function for a requirement that calls a method whose signature differs but that
    /// accepts the requirement's arguments after conversions.
    pub(super) fn compatible(&mut self, ty: Ty, required: FuncId, want: &[(Ty, Dir)], want_ret: Ty) -> Option<FuncRef> {
        let near = self.nearly(ty, required, want, want_ret);
        near.or_else(|| self.default_constructor(ty, required))
    }

    /// The same, of methods alone. Of several the one that a call with the requirement's arguments
    /// chooses; none if these do not decide.
    pub(super) fn nearly(&mut self, ty: Ty, required: FuncId, want: &[(Ty, Dir)], want_ret: Ty) -> Option<FuncRef> {
        let own = self.own_of(required);
        let name = self.funcs[required.0 as usize].name;
        let mut found: Vec<(Rank, Near, Asked)> = Vec::new();
        for m in self.own_members(ty, name) {
            let Some(near) = self.near(&m, required, &own, want) else { continue };
            // The same in both directions: the method's parameters for those of the requirement.
            let theirs: Vec<_> = near.own.iter().map(|p| self.param_arg(*p)).collect();
            let back = Subst::new(&own, &theirs);
            let params = want.iter().map(|(ty, dir)| (self.subst(*ty, &back), *dir)).collect();
            let asked = Asked { params, ret: self.subst(want_ret, &back) };
            if let Some(rank) = self.calls_fit(&near, required, &asked) {
                found.push((rank, near, asked));
            }
        }
        let least = found.iter().map(|f| f.0).min()?;
        found.retain(|f| f.0 == least);
        let [(_, near, asked)] = found.as_slice() else { return None };
        // What was found of further parameters may name the first ones.
        let here = Subst::new(&near.own, &own.iter().map(|q| self.param_arg(*q)).collect::<Vec<_>>());
        let mut s = near.subst.clone();
        for p in self.own_of(near.func) {
            if let Some(arg) = near.subst.get(p) {
                s.set(p, self.subst_arg(arg, &here));
            }
        }
        let gens = self.funcs[near.func.0 as usize].gens;
        // Whether the declaration conforms is all that is asked of an open type. Calls know it.
        if self.is_open(ty) {
            return Some(FuncRef { func: near.func, args: self.args_of(gens, &s) });
        }
        // One method may meet a requirement of several instances of an interface.
        let types = asked.params.iter().map(|p| p.0).chain([asked.ret]).collect();
        let key = (ty, required, types);
        let known = self.near_wrappers.get(&key).copied();
        let args = if own.is_empty() { Args::none() } else { self.args_of(gens, &s) };
        let func = known.unwrap_or_else(|| {
            let made = self.wrapper(near, required, asked);
            self.near_wrappers.insert(key, made);
            self.wrapped.insert(made, near.func);
            made
        });
        Some(FuncRef { func, args })
    }

    /// Whether generic parameters are a part of the type.
    fn is_open(&self, ty: Ty) -> bool {
        let declared = |id: StructId| {
            let info = &self.structs[id.0 as usize];
            info.gens.is_some() && info.instance_of.is_none()
        };
        self.is_dependent(ty) || ty.as_struct().is_some_and(declared)
    }

    /// The member, if it has the generic parameters of the requirement, and maybe others behind
    /// them that a call finds from its arguments.
    fn near(&mut self, m: &Member, required: FuncId, own: &[ParamId], want: &[(Ty, Dir)]) -> Option<Near> {
        let func = m.as_func()?;
        self.ensure_signature(func);
        let all = self.own_of(func);
        if func == required || all.len() < own.len() {
            return None;
        }
        let (theirs, further) = all.split_at(own.len());
        let mut s = m.subst.clone();
        for (p, q) in theirs.iter().zip(own) {
            s.set(*p, self.param_arg(*q));
        }
        let mut subst = m.subst.clone();
        for p in theirs {
            subst.set(*p, self.param_arg(*p));
        }
        if !further.is_empty() {
            let back = Subst::new(own, &theirs.iter().map(|p| self.param_arg(*p)).collect::<Vec<_>>());
            let given: Vec<GArg> =
                theirs.iter().filter(|p| !self.params[p.0 as usize].added).map(|p| self.param_arg(*p)).collect();
            // The object is no argument, of the requirement as of the method.
            let skip = |f: &FuncInfo| usize::from(f.this.is_some());
            let (of, to) = (&self.funcs[required.0 as usize], &self.funcs[func.0 as usize]);
            let patterns: Vec<Ty> = to.params[skip(to)..].iter().map(|p| p.ty).collect();
            let want = want[skip(of)..].to_vec();
            let args: Vec<Ty> = want.iter().map(|(ty, _)| self.subst(*ty, &back)).collect();
            let found = self.infer(func, &m.subst, &given, &patterns, &args).ok()?;
            for p in further {
                let arg = found.get(*p)?;
                s.set(*p, arg);
                subst.set(*p, arg);
            }
        }
        let found = &self.funcs[func.0 as usize];
        let (params, ret, gens) = (found.params.clone(), found.ret, found.gens);
        // It must not require more of generic arguments than the requirement does.
        let same_kinds = theirs.iter().zip(own).all(|(p, q)| self.takes_value(*p) == self.takes_value(*q));
        if !same_kinds || !own.is_empty() && self.broken_constraint(gens, &s).is_some() {
            return None;
        }
        let params = params.iter().map(|p| (self.subst(p.ty, &subst), p.dir)).collect();
        let ret = self.subst(ret, &subst);
        Some(Near { func, params, ret, subst, own: theirs.to_vec() })
    }

    /// How well the method can be called with what the requirement's callers give, if it can.
    fn calls_fit(&mut self, near: &Near, required: FuncId, asked: &Asked) -> Option<Rank> {
        let (found, info) = (&self.funcs[near.func.0 as usize], &self.funcs[required.0 as usize]);
        let (this, span) = (info.this, info.decl.span);
        // A static method takes no object, and parameters with a default value need no argument.
        let ignores_object = found.this.is_none() && this.is_some();
        let want = &asked.params[usize::from(ignores_object)..];
        let methods = usize::from(this.is_some() && !ignores_object);
        let rest = found.params.get(want.len()..);
        if found.this.is_some() && this.is_none()
            || !rest.is_some_and(|rest| rest.iter().all(|p| p.default.is_some()))
            || found.this == Some(Dir::InOut) && this != Some(Dir::InOut)
        {
            return None;
        }
        let further = near.params.len() - want.len();
        let value = |ty: Ty| Expr { ty, span, kind: ExprKind::Zero };
        let mut cost = 0;
        for ((have, have_dir), (ty, dir)) in near.params.iter().zip(want).skip(methods) {
            if have != ty {
                cost += self.conversion_cost(&value(*ty), *have).filter(|_| *dir == Dir::In)?;
            }
            // A parameter that is not changed, or only set, can provide one that may be changed.
            if have_dir != dir && *dir != Dir::InOut {
                return None;
            }
        }
        // A method that never throws can provide one that may.
        let asked_ret =
            self.thrown(asked.ret).map_or(asked.ret, |t| if near.ret == t.value { t.value } else { asked.ret });
        let fits = near.ret == asked_ret || self.conversion_cost(&value(near.ret), asked.ret).is_some();
        fits.then_some((cost, further))
    }

    /// Whether an argument of type `from` converts to a parameter that is only read.
    pub(super) fn converts_to_parameter(&mut self, from: Ty, to: Ty, dir: Dir, span: Span) -> bool {
        let value = Expr { ty: from, span, kind: ExprKind::Zero };
        dir == Dir::In && self.conversion_cost(&value, to).is_some()
    }

    /// A function with the signature of a derivative of `primal`, in whose generic parameters it
    /// calls `target` after conversions.
    pub(super) fn converting_derivative(&mut self, primal: FuncId, target: FuncRef, wanted: &Sig) -> FuncRef {
        let have = self.funcs[target.func.0 as usize].clone();
        let of = &self.funcs[primal.0 as usize];
        let (gens, declares_generics, span) = (of.gens, of.declares_generics, have.decl.span);
        let s = Subst::new(&self.all_params(have.gens), &target.args);
        let made = self.new_synthesized(have.name, wanted.params.clone(), wanted.ret, span);
        let mut body = Body::default();
        let mut args = self.param_locals(made, &mut body);
        for (v, p) in args.iter_mut().zip(&have.params) {
            let ty = self.subst(p.ty, &s);
            if v.ty != ty {
                *v = self.convert(v.clone(), ty);
            }
        }
        let call = Expr { ty: wanted.ret, span, kind: ExprKind::Call { func: target, args } };
        let kind = if wanted.ret.is_void() { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) };
        body.stmts.push(Stmt { span, kind });
        self.need_body(target.func);
        let info = &mut self.funcs[made.0 as usize];
        (info.this, info.ret_no_diff) = (have.this, wanted.ret_no_diff);
        (info.gens, info.declares_generics) = (gens, declares_generics);
        info.attrs.differentiable = have.attrs.differentiable;
        info.attrs.forward_only = have.attrs.forward_only;
        (info.body, info.state) = (Some(Rc::new(body)), State::Done);
        FuncRef { func: made, args: self.args_of(gens, &Subst::default()) }
    }

    fn wrapper(&mut self, near: &Near, required: FuncId, asked: &Asked) -> FuncId {
        let info = &self.funcs[required.0 as usize];
        let (name, this, span) = (info.name, info.this, info.decl.span);
        let have = self.funcs[near.func.0 as usize].clone();
        let params = info_params(&self.funcs[required.0 as usize].params, &asked.params);
        let made = self.new_synthesized(name, params, asked.ret, span);
        let mut body = Body::default();
        let mut values = self.param_locals(made, &mut body);
        if have.this.is_none() && this.is_some() {
            values.remove(0);
        }
        let given = values.len();
        let args = values.into_iter().zip(&near.params);
        let mut args: Vec<Expr> = args.map(|(v, (ty, _))| if v.ty == *ty { v } else { self.convert(v, *ty) }).collect();
        let func = FuncRef { func: near.func, args: self.args_of(have.gens, &near.subst) };
        for (p, (ty, _)) in have.params[given..].iter().zip(&near.params[given..]) {
            if let Some(default) = p.default.clone() {
                args.push(self.default_argument(func, &default, *ty));
            }
        }
        let call = Expr { ty: near.ret, span, kind: ExprKind::Call { func, args } };
        let kind = match self.thrown(asked.ret).filter(|t| t.value == near.ret) {
            Some(t) if t.value.is_void() => {
                body.stmts.push(Stmt { span, kind: StmtKind::Expr(call) });
                StmtKind::Return(Some(t.done(None, span)))
            }
            Some(t) => StmtKind::Return(Some(t.done(Some(call), span))),
            None if asked.ret.is_void() => StmtKind::Expr(call),
            None => StmtKind::Return(Some(if near.ret == asked.ret { call } else { self.convert(call, asked.ret) })),
        };
        body.stmts.push(Stmt { span, kind });
        self.need_body(near.func);
        let info = &mut self.funcs[made.0 as usize];
        if !near.own.is_empty() {
            (info.gens, info.declares_generics) = (have.gens, true);
        }
        info.this = this;
        info.attrs.differentiable = have.attrs.differentiable;
        info.attrs.forward_only = have.attrs.forward_only;
        (info.body, info.state) = (Some(Rc::new(body)), State::Done);
        made
    }
}

/// The parameters of a requirement, with their types for a conforming type.
fn info_params(params: &[Param], types: &[(Ty, Dir)]) -> Vec<Param> {
    params.iter().zip(types).map(|(p, (ty, _))| Param { ty: *ty, ..p.clone() }).collect()
}
