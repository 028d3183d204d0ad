//! Makes instances of generic functions for a gradient check, which the program itself does not
//! use. The arguments are `float` and small numbers where the bounds allow them, and conforming
//! types of the program otherwise.
//!
//! An instance can have errors of its own (a static assertion, a size that does not fit). Then
//! other arguments are tried, and the errors are not reported. A function without an instance is
//! recorded, with the reason.

use super::generics::Subst;
use super::types::{Args, GArg, ParamId, TyKind, Val};
use super::*;

/// A differentiable function of which no instance was made: its name, its location, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsampled {
    pub name: Name,
    pub loc: Loc,
    pub why: String,
}

/// The most lists of arguments that are tried for one function.
const MOST_TRIES: usize = 48;
/// The numbers that are tried for value parameters, in this order.
const NUMBERS: [i64; 5] = [2, 3, 4, 1, 8];

/// The builtin types that are tried for type parameters, in this order.
fn builtin_types() -> impl Iterator<Item = Ty> {
    use types::Scalar::{F16, F32, F64};
    let vectors = [3, 2, 4].map(|n| Ty::vector(F32, n));
    let floats = [F64, F16].map(Ty::scalar);
    let array = Ty::new(TyKind::Array(Ty::float(), Some(2)));
    [Ty::float()].into_iter().chain(vectors).chain([Ty::int(), Ty::uint(), Ty::bool()]).chain(floats).chain([array])
}

impl Checker<'_> {
    /// Makes instances of the generic functions of the main module that have derivatives.
    /// Everything that the program needs must have been instantiated.
    pub(crate) fn sample_generics(&mut self) {
        let main = self.module_of(self.main_ns());
        let known = self.funcs.len();
        for i in 0..known {
            let info = &self.funcs[i];
            let own = !info.is_prelude && info.instance_of.is_none() && self.module_of(info.ns) == main;
            if !own || info.gens.is_none() || !info.is_differentiable() || info.attrs.entry.is_some() {
                continue;
            }
            if self.cancel.is_cancelled() {
                return;
            }
            if let Err(why) = self.sample_generic(FuncId(i as u32)) {
                let (name, span) = (self.symbol_of(FuncId(i as u32)), self.entry_span(Entry::Func(FuncId(i as u32))));
                let loc = self.loc(span.unwrap_or_default());
                self.unsampled.push(Unsampled { name, loc, why });
            }
        }
    }

    fn sample_generic(&mut self, f: FuncId) -> Result<(), String> {
        let (gens, has_body) = (self.funcs[f.0 as usize].gens, self.funcs[f.0 as usize].has_body);
        if !has_body {
            let Some(Owner::Interface(interface)) = self.funcs[f.0 as usize].owner else {
                return Err("it has no body".to_string());
            };
            // The functions that conforming types provide are checked themselves.
            return match self.conformances.iter().any(|c| c.interface.id == interface) {
                true => Ok(()),
                false => Err("it is required, and no type of the program provides it".to_string()),
            };
        }
        let mut why = None;
        for args in self.argument_lists(gens) {
            let call = FuncRef { func: f, args: Args::new(args) };
            if self.instances.contains_key(&call) {
                // The program uses this instance, so it exists.
                let made = self.instances[&call];
                self.funcs[made.0 as usize].sampled = true;
                return Ok(());
            }
            let (first, known) = (self.funcs.len(), self.diags.len());
            let made = self.new_instance(call, 0);
            self.specialize_from(first);
            let errors = self.diags[known..].iter().filter(|d| d.severity == caustic_ir::Severity::Error);
            let wrong = errors.map(|d| d.message.clone()).next();
            self.diags.truncate(known);
            let Some(wrong) = wrong else {
                self.funcs[made.0 as usize].sampled = true;
                return Ok(());
            };
            why = why.or(Some(format!("with `{}`: {wrong}", self.show_args(call.args))));
            self.forget_from(first);
        }
        // One with arguments that are not looked for, such as packs.
        let is_used = |call: &FuncRef| call.func == f && !self.args_dependent(call.args);
        let used = self.instances.iter().filter(|(call, _)| is_used(call)).map(|(_, made)| *made).min();
        if let Some(made) = used {
            self.funcs[made.0 as usize].sampled = true;
            return Ok(());
        }
        Err(why.unwrap_or_else(|| match self.shown_bounds(gens) {
            bounds if bounds.is_empty() => "it is generic, and no arguments for it were found".to_string(),
            bounds => format!("it is generic, and the program has no types with {bounds}"),
        }))
    }

    /// Removes the functions from number `first` on from all tables, because a body among them is
    /// wrong.
    fn forget_from(&mut self, first: usize) {
        let gone = |f: FuncId| f.0 as usize >= first;
        self.instances.retain(|_, made| !gone(*made));
        self.wrappers.retain(|_, made| !gone(*made));
        self.near_wrappers.retain(|_, made| !gone(*made));
        self.wrapped.retain(|made, _| !gone(*made));
        self.adapters.retain(|_, made| !gone(*made));
        self.called_entries.retain(|_, made| !gone(*made));
        for f in &mut self.funcs[first..] {
            f.body = None;
        }
    }

    fn show_args(&self, args: Args) -> String {
        args.iter().map(|a| self.show_arg(*a)).collect::<Vec<_>>().join(", ")
    }

    fn shown_bounds(&mut self, gens: Option<GenId>) -> String {
        let mut out = Vec::new();
        let mut at = gens;
        while let Some(g) = at {
            self.ensure_generics(g);
            for c in self.generics[g.0 as usize].constraints.clone() {
                out.push(format!("`{} : {}`", self.show(c.ty), self.show_bound(c.bound)));
            }
            at = self.generics[g.0 as usize].outer;
        }
        out.join(", ")
    }

    /// Lists of arguments for all parameters in force that satisfy their bounds.
    fn argument_lists(&mut self, gens: Option<GenId>) -> Vec<Vec<GArg>> {
        let params = self.all_params(gens);
        let candidates: Vec<Vec<GArg>> = params.iter().map(|p| self.sample_candidates(*p, gens)).collect();
        let mut out = Vec::new();
        // The last parameter varies fastest.
        let mut at = vec![0; params.len()];
        for _ in 0..4096 {
            let list: Option<Vec<GArg>> = at.iter().zip(&candidates).map(|(i, c)| c.get(*i).copied()).collect();
            let Some(list) = list else { break };
            let subst = Subst::new(&params, &list);
            let known = self.diags.len();
            if self.all_hold(gens, &subst) && self.diags.len() == known {
                out.push(list);
            }
            self.diags.truncate(known);
            let Some(next) = (0..at.len()).rev().find(|&i| at[i] + 1 < candidates[i].len()) else { break };
            at[next] += 1;
            at[next + 1..].fill(0);
            if out.len() == MOST_TRIES {
                break;
            }
        }
        out
    }

    fn all_hold(&mut self, gens: Option<GenId>, subst: &Subst) -> bool {
        let mut at = gens;
        while let Some(g) = at {
            if self.broken_constraint(Some(g), subst).is_some() {
                return false;
            }
            at = self.generics[g.0 as usize].outer;
        }
        true
    }

    /// The arguments that satisfy the bounds of a parameter alone; the simplest come first.
    fn sample_candidates(&mut self, p: ParamId, gens: Option<GenId>) -> Vec<GArg> {
        let info = &self.params[p.0 as usize];
        let (value, variadic) = (info.value, info.variadic);
        let two = |arg: GArg| GArg::Ty(Ty::new(TyKind::Pack(Args::new(vec![arg, arg]))));
        if value.is_some() {
            let numbers = NUMBERS.map(|n| GArg::Val(Val::int(n)));
            if variadic {
                return numbers[..2].iter().map(|n| two(*n)).collect();
            }
            let default = self.default_arg(p, gens, &Subst::default()).filter(|a| matches!(a, GArg::Val(_)));
            return match value.is_some_and(|t| t == Ty::bool()) {
                true => [1, 0].map(|n| GArg::Val(Val::int(n))).to_vec(),
                false => default.into_iter().chain(numbers).collect(),
            };
        }
        if variadic {
            return vec![two(GArg::Ty(Ty::float()))];
        }
        let mut types = vec![Ty::float()];
        types.extend(self.concrete_structs());
        types.extend(builtin_types().skip(1));
        let all = self.bounds_of(p, gens);
        let fits = |c: &mut Self, t: Ty| all.iter().all(|bound| c.satisfies(t, *bound));
        types.into_iter().filter(|t| fits(self, *t)).map(GArg::Ty).collect()
    }

    /// The bounds of a parameter that mention no other parameter.
    fn bounds_of(&mut self, p: ParamId, gens: Option<GenId>) -> Vec<bounds::Bound> {
        let of = Ty::new(TyKind::Param(p));
        let (mut out, mut at) = (Vec::new(), gens);
        while let Some(g) = at {
            self.ensure_generics(g);
            for c in self.generics[g.0 as usize].constraints.clone() {
                let alone = match c.bound {
                    bounds::Bound::Interface(i) => !self.args_dependent(i.args),
                    bounds::Bound::Builtin(_) | bounds::Bound::Differentiable | bounds::Bound::Default => true,
                    _ => false,
                };
                if c.ty == of && alone {
                    out.push(c.bound);
                }
            }
            at = self.generics[g.0 as usize].outer;
        }
        out
    }

    /// The structs of the program's main module, and instances of its generic structs with simple
    /// arguments.
    fn concrete_structs(&mut self) -> Vec<Ty> {
        let mut out = Vec::new();
        for i in 0..self.structs.len() {
            let info = &self.structs[i];
            if info.decl.is_none() || info.synthesized || self.module_of(info.ns).is_none() {
                continue;
            }
            let is_declaration = info.instance_of.is_none_or(|(of, _)| of.0 as usize == i);
            match info.gens {
                None if is_declaration => out.push(Ty::new(TyKind::Struct(StructId(i as u32)))),
                Some(gens) if is_declaration => {
                    let params = self.all_params(Some(gens));
                    let simple = |c: &mut Self, p: ParamId, ty: Ty| match c.takes_value(p) {
                        true => GArg::Val(Val::int(NUMBERS[0])),
                        false => GArg::Ty(ty),
                    };
                    if params.iter().any(|p| self.params[p.0 as usize].variadic) {
                        continue;
                    }
                    let known = self.diags.len();
                    // The simplest that conforms: extensions may say it of any.
                    for ty in builtin_types() {
                        let args: Vec<GArg> = params.iter().map(|p| simple(self, *p, ty)).collect();
                        if self.all_hold(Some(gens), &Subst::new(&params, &args)) {
                            let id = self.struct_instance(StructId(i as u32), Args::new(args));
                            out.push(Ty::new(TyKind::Struct(id)));
                            break;
                        }
                    }
                    self.diags.truncate(known);
                }
                _ => {}
            }
        }
        out
    }
}
