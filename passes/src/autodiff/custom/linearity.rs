//! Whether a custom forward derivative is linear in its tangents, told from its code.
//!
//! A reverse derivative is the transpose of a forward one, and only what is linear has a transpose.
//! Each value gets a class: it does not depend on tangents, is zero, or is linear in them; structs
//! by their parts. An op keeps linearity if its row says so: data movement does, and an elementwise
//! op whose partials do not speak of what is linear and which is zero where that is. All else that
//! meets a tangent ends the proof, and so does what would lose its derivative: a call of a function
//! without one, `detach`, a write to memory.
//!
//! Invariant: classes only rise (zero, then constant or linear), so the walk over loops ends. What
//! this does not follow is no proof.

use crate::analysis::access::is_zero;
use crate::autodiff::{mirror, partials};
use caustic_dialects::agg::StructType;
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, branch_ends};
use caustic_dialects::signature::{DIFFERENTIABLE, Signature, ZERO};
use caustic_dialects::{ad, func};
use caustic_ir::eval::{Eval, ScalarTypes, Val};
use caustic_ir::{AdRule, BlockId, Body, Loc, Mirror, Module, OpId, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;

/// Calls in calls that are followed, and rounds of one loop.
const MAX_DEPTH: usize = 24;
const MAX_ROUNDS: usize = 24;

/// What ends the proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    pub loc: Loc,
    pub why: String,
}

type Proof<T> = Result<T, Broken>;

#[derive(Clone, Debug, PartialEq)]
enum Class {
    Zero,
    /// Depends on no tangent.
    Constant,
    Linear,
    /// Of a struct whose fields differ.
    Parts(Vec<Class>),
}

impl Class {
    fn holds_tangent(&self) -> bool {
        match self {
            Class::Linear => true,
            Class::Parts(parts) => parts.iter().any(Class::holds_tangent),
            Class::Zero | Class::Constant => false,
        }
    }

    /// The class of both; `None` if one is linear where the other is a constant.
    fn join(&self, other: &Class) -> Option<Class> {
        Some(match (self, other) {
            (Class::Zero, c) | (c, Class::Zero) => c.clone(),
            (Class::Constant, Class::Constant) => Class::Constant,
            (Class::Linear, Class::Linear) => Class::Linear,
            (Class::Parts(a), Class::Parts(b)) if a.len() == b.len() => {
                Class::Parts(a.iter().zip(b).map(|(a, b)| a.join(b)).collect::<Option<_>>()?)
            }
            (Class::Parts(parts), leaf) | (leaf, Class::Parts(parts)) => {
                Class::Parts(parts.iter().map(|p| p.join(leaf)).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// Of the part at `path` of a value of type `ty`.
    fn part(&self, ty: Type, path: &[i64]) -> Class {
        match (self, path) {
            (Class::Parts(_), []) => self.clone(),
            (Class::Parts(parts), [step, rest @ ..]) => {
                let inner = part_type(ty, *step);
                if is_struct(ty) {
                    let part = usize::try_from(*step).ok().and_then(|i| parts.get(i));
                    part.zip(inner).map_or_else(|| self.clone(), |(p, t)| p.part(t, rest))
                } else {
                    // Elements of an array have one class.
                    inner.map_or_else(|| self.clone(), |t| self.part(t, rest))
                }
            }
            (leaf, _) => leaf.clone(),
        }
    }

    /// With the part at `path` replaced; of an array's elements all become both.
    fn with_part(&self, ty: Type, path: &[i64], new: &Class) -> Option<Class> {
        let [step, rest @ ..] = path else { return Some(new.clone()) };
        let inner = part_type(ty, *step)?;
        if !is_struct(ty) {
            return self.join(&self.with_part(inner, rest, new)?);
        }
        let mut parts = match self {
            Class::Parts(parts) => parts.clone(),
            leaf => vec![leaf.clone(); parts_of(ty)],
        };
        let place = parts.get_mut(usize::try_from(*step).ok()?)?;
        *place = place.with_part(inner, rest, new)?;
        Some(Class::Parts(parts))
    }
}

fn is_struct(ty: Type) -> bool {
    StructType::of(ad::lower_pairs(ty)).is_some()
}

fn parts_of(ty: Type) -> usize {
    StructType::of(ad::lower_pairs(ty)).map_or(0, |s| s.fields().count())
}

fn part_type(ty: Type, step: i64) -> Option<Type> {
    let ty = ad::lower_pairs(ty);
    if ty.is_vector() {
        return Some(ty.elem());
    }
    caustic_dialects::agg::part_type(ty, step.max(0))
}

/// Proves that `given`, the forward derivative of `primal`, is linear in its tangents.
pub fn prove(module: &Module, primal: &SymbolOp, given: &SymbolOp) -> Result<(), Broken> {
    let broken = |why: &str| Broken { loc: given.loc, why: why.into() };
    let s = Signature::of(primal).ok_or_else(|| broken("its signature is not concrete"))?;
    let (inputs, results) = given.function_type().ok_or_else(|| broken("its signature is not concrete"))?;
    let of_input = |i: usize| match s.input_differential(i) {
        Some(d) if parts_of(inputs[i]) == 2 => Some(Class::Parts(vec![Class::Constant, of_tangent(d)])),
        Some(_) => None,
        None => Some(Class::Constant),
    };
    let classes: Option<Vec<Class>> = (0..inputs.len().min(s.inputs.len())).map(of_input).collect();
    let differentials = (0..s.inputs.len()).filter_map(|i| s.input_differential(i));
    let mut differentials = differentials.chain((0..s.results.len()).filter_map(|i| s.result_differential(i)));
    if !differentials.all(|d| ad::differential_type(d) == Some(d)) {
        return Err(broken("a differential type of its parameters has another one as its own differential"));
    }
    let fits = inputs.len() == s.inputs.len() && results.len() == s.results.len();
    let Some(classes) = classes.filter(|_| fits) else { return Err(broken("it takes more than values")) };
    let mut proof = Prover { module, of: primal.name, around: 0, running: Vec::new() };
    let found = proof.function(given, classes, given.loc)?;
    let mut any = false;
    for (i, class) in found.iter().enumerate() {
        let is_pair = s.result_differential(i).is_some();
        any |= is_pair;
        let tangent = if is_pair { class.part(results[i], &[1]) } else { Class::Zero };
        let value = if is_pair { class.part(results[i], &[0]) } else { class.clone() };
        if value.holds_tangent() {
            return Err(broken("a value that it returns depends on tangents"));
        }
        if s.result_differential(i).is_some_and(|d| has_constant(&tangent, d)) {
            return Err(broken("a derivative that it returns is not zero where all tangents are"));
        }
    }
    if any { Ok(()) } else { Err(broken("it returns no derivative")) }
}

/// The class of a tangent that comes in: all of it but its flags, which are those of values.
fn of_tangent(ty: Type) -> Class {
    match StructType::of(ad::lower_pairs(ty)).filter(|_| ad::has_presence(ty)) {
        Some(s) => Class::Parts(s.fields().map(|f| of_tangent(f.ty)).collect()),
        None if ty == Type::i1() => Class::Constant,
        None => Class::Linear,
    }
}

/// Whether a tangent of this type depends on none that came in. Flags may.
fn has_constant(class: &Class, ty: Type) -> bool {
    match (class, StructType::of(ad::lower_pairs(ty)).filter(|_| ad::has_presence(ty))) {
        (Class::Parts(parts), Some(s)) => parts.iter().zip(s.fields()).any(|(part, f)| has_constant(part, f.ty)),
        (Class::Parts(parts), None) => parts.iter().any(|part| has_constant(part, ty)),
        (Class::Constant, _) => ty != Type::i1(),
        (Class::Zero | Class::Linear, _) => false,
    }
}

struct Prover<'m> {
    module: &'m Module,
    /// The function that the derivative is of.
    of: caustic_ir::Name,
    /// Branches and loops around what is looked at.
    around: usize,
    running: Vec<caustic_ir::Name>,
}

/// Classes of the values of one body.
type Known = FxHashMap<ValueId, Class>;

impl Prover<'_> {
    fn function(&mut self, symbol: &SymbolOp, inputs: Vec<Class>, at: Loc) -> Proof<Vec<Class>> {
        let broken = |why: String| Broken { loc: at, why };
        let Some(entry) = symbol.body.entry() else {
            return Err(broken(format!("'{}' has no code to look at", symbol.name)));
        };
        if self.running.len() >= MAX_DEPTH || self.running.contains(&symbol.name) {
            return Err(broken(format!("'{}' calls itself, or is called too deep", symbol.name)));
        }
        self.running.push(symbol.name);
        let body = &symbol.body;
        let mut known: Known = body.args(entry).iter().copied().zip(inputs).collect();
        let found = self.block(body, entry, &mut known);
        self.running.pop();
        found?;
        let end = body.terminator(entry);
        Ok(end.map_or_else(Vec::new, |end| class_of_all(&known, body.operands(end))))
    }

    fn block(&mut self, body: &Body, block: BlockId, known: &mut Known) -> Proof<()> {
        let mut next = body.first_op(block);
        while let Some(op) = next {
            if !body.op(op).def.is_terminator() {
                self.op(body, op, known)?;
            }
            next = body.next_op(op);
        }
        Ok(())
    }

    fn op(&mut self, body: &Body, op: OpId, known: &mut Known) -> Proof<()> {
        let data = body.op(op);
        let classes = class_of_all(known, &data.operands);
        let tangent = classes.iter().any(Class::holds_tangent);
        let broken = |why: &str| Broken { loc: data.loc, why: why.to_string() };
        let found: Vec<Class> = match data.def.ad {
            _ if !data.regions.is_empty() => {
                self.around += 1;
                let found = self.regions(body, op, classes, known);
                self.around -= 1;
                return found;
            }
            AdRule::Mirror(kind) => vec![moved(body, op, kind, &classes)?],
            AdRule::Partials(texts) => vec![computed(body, op, texts, &classes)?],
            AdRule::Custom if func::Call::is(body, op) => self.call(body, op, classes)?,
            AdRule::Inactive if !tangent && data.results.len() == 1 && is_zero(body, data.results[0]) => {
                vec![Class::Zero]
            }
            _ if !tangent => vec![Class::Constant; data.results.len()],
            _ if data.results.is_empty() => return Err(broken("a tangent is written to memory or printed here")),
            _ => return Err(broken("this is not linear in the tangents")),
        };
        for (&r, class) in data.results.iter().zip(found) {
            known.insert(r, class);
        }
        Ok(())
    }

    fn call(&mut self, body: &Body, op: OpId, classes: Vec<Class>) -> Proof<Vec<Class>> {
        let data = body.op(op);
        let broken = |why: String| Broken { loc: data.loc, why };
        if !classes.iter().any(Class::holds_tangent) {
            return Ok(vec![Class::Constant; data.results.len()]);
        }
        let name = body.callee(op);
        let Some(callee) = name.and_then(|n| self.module.get(n)) else {
            return Err(broken("it is not known what is called here".into()));
        };
        if std::ptr::eq(callee.def, ad::Derivative::DEF) {
            return self.derivative(body, op, &classes);
        }
        // Under a condition it may end.
        if callee.name == self.of && self.around == 0 {
            let text = format!("'{}' is called on a tangent, and its backward derivative is this transpose", self.of);
            return Err(broken(text));
        }
        let differentiable = callee.attr(DIFFERENTIABLE).and_then(|a| a.as_str());
        if differentiable.is_none_or(|d| d == ZERO) || func::Call(op).no_diff(body) {
            let text =
                format!("'{}' is given a tangent and is not differentiable: mark it `[Differentiable]`", callee.name);
            return Err(broken(text));
        }
        self.function(callee, classes, data.loc)
    }

    /// A derivative that is yet to be made is linear in all differentials that go in.
    fn derivative(&mut self, body: &Body, op: OpId, classes: &[Class]) -> Proof<Vec<Class>> {
        let data = body.op(op);
        let broken = || Broken { loc: data.loc, why: "this is not linear in the tangents".to_string() };
        let mut sum = Class::Zero;
        for (&v, class) in data.operands.iter().zip(classes) {
            let ty = body.ty(v);
            let differential = match is_pair(ty) {
                true if class.part(ty, &[0]).holds_tangent() => return Err(broken()),
                true => class.part(ty, &[1]),
                // What stands alone may be a differential, and a value that is none holds no
                // tangent.
                false if class.holds_tangent() => class.clone(),
                false => continue,
            };
            let of = if is_pair(ty) { part_type(ty, 1).unwrap_or(ty) } else { ty };
            let is_constant = has_constant(&differential, of);
            let leaf = if is_constant { Class::Constant } else { Class::Linear };
            let leaf = if differential == Class::Zero { Class::Zero } else { leaf };
            sum = sum.join(&leaf).filter(|_| !(is_constant && differential.holds_tangent())).ok_or_else(broken)?;
        }
        let of = |&r: &ValueId| {
            if is_pair(body.ty(r)) { Class::Parts(vec![Class::Constant, sum.clone()]) } else { Class::Constant }
        };
        Ok(data.results.iter().map(of).collect())
    }

    fn regions(&mut self, body: &Body, op: OpId, classes: Vec<Class>, known: &mut Known) -> Proof<()> {
        let data = body.op(op);
        let mixed =
            || Broken { loc: data.loc, why: "what comes out is linear one way and constant another".to_string() };
        let joined = |a: Vec<Class>, b: &[Class]| -> Proof<Vec<Class>> {
            a.iter().zip(b).map(|(a, b)| a.join(b).ok_or_else(mixed)).collect()
        };
        if let Some(ends) = branch_ends(body, op) {
            let mut out = vec![Class::Zero; data.results.len()];
            for k in 0..data.regions.len() {
                if let Some(block) = body.region_block(op, k) {
                    self.block(body, block, known)?;
                }
            }
            for end in ends {
                out = joined(out, &class_of_all(known, body.operands(end)))?;
            }
            known.extend(data.results.iter().copied().zip(out));
            return Ok(());
        }
        let (blocks, first, skip) = match (ForParts::of(body, op), WhileParts::of(body, op)) {
            (Some(f), _) => (vec![(f.body, f.end)], BOUNDS, 1),
            (_, Some(w)) => (vec![(w.before, w.condition), (w.after, w.end)], 0, 0),
            _ if classes.iter().any(Class::holds_tangent) || is_linear_inside(body, op, known) => return Err(mixed()),
            _ => {
                known.extend(data.results.iter().map(|&r| (r, Class::Constant)));
                return Ok(());
            }
        };
        let mut carried = classes.get(first..).unwrap_or_default().to_vec();
        for _ in 0..MAX_ROUNDS {
            let mut state = carried.clone();
            let mut forwarded = state.clone();
            for (k, &(block, end)) in blocks.iter().enumerate() {
                let args = body.args(block);
                known.extend(args[..skip.min(args.len())].iter().map(|&a| (a, Class::Constant)));
                known.extend(args.iter().skip(skip).copied().zip(state));
                self.block(body, block, known)?;
                // The condition of a `while` is no value that goes on.
                let from = usize::from(blocks.len() == 2 && k == 0);
                state = class_of_all(known, &body.operands(end)[from..]);
                if k == 0 {
                    forwarded = state.clone();
                }
            }
            let next = joined(carried.clone(), &state)?;
            if next == carried {
                let results = if blocks.len() == 2 { forwarded } else { carried };
                known.extend(data.results.iter().copied().zip(results));
                return Ok(());
            }
            carried = next;
        }
        Err(mixed())
    }
}

fn is_linear_inside(body: &Body, op: OpId, known: &Known) -> bool {
    body.op(op).regions.iter().any(|&r| {
        body.walk(r).into_iter().any(|o| class_of_all(known, body.operands(o)).iter().any(Class::holds_tangent))
    })
}

fn is_pair(ty: Type) -> bool {
    let lowered = ad::lower_pairs(ty);
    let primal = StructType::of(lowered).and_then(|s| s.field(0));
    lowered != ty || primal.and_then(|p| ad::pair_struct(p.ty)) == Some(ty)
}

/// What was not met is what no tangent came into.
fn class_of_all(known: &Known, values: &[ValueId]) -> Vec<Class> {
    values.iter().map(|v| known.get(v).cloned().unwrap_or(Class::Constant)).collect()
}

/// The class of what a data-moving op gives.
fn moved(body: &Body, op: OpId, kind: Mirror, classes: &[Class]) -> Proof<Class> {
    let data = body.op(op);
    let broken = |why: &str| Broken { loc: data.loc, why: why.to_string() };
    let result = body.ty(data.results[0]);
    let path = || match () {
        () if ad::Primal::is(body, op) => vec![0],
        () if ad::Differential::is(body, op) => vec![1],
        () => mirror::path_of(body, op),
    };
    let mixed = || broken("a tangent stands beside values that are none");
    Ok(match kind {
        Mirror::Extract => classes[0].part(body.ty(data.operands[0]), &path()),
        Mirror::Insert => classes[1].with_part(result, &path(), &classes[0]).ok_or_else(mixed)?,
        Mirror::Make if is_struct(result) => Class::Parts(classes.to_vec()),
        Mirror::Make => classes.iter().try_fold(Class::Zero, |all, c| all.join(c)).ok_or_else(mixed)?,
        Mirror::Select => classes[1].join(&classes[2]).ok_or_else(mixed)?,
        Mirror::Detach if classes[0].holds_tangent() => return Err(broken("a tangent loses its derivative here")),
        _ if classes[0].holds_tangent() && mirror::refused(body, op, kind).is_some() => {
            return Err(broken("this is not linear in the tangents"));
        }
        _ => classes[0].clone(),
    })
}

/// Whether an expression speaks of one of these names.
fn speaks_of(e: &partials::Expr, names: &[&str]) -> bool {
    match e {
        partials::Expr::Number(_) => false,
        partials::Expr::Name(n) => names.contains(&n.as_str()),
        partials::Expr::Call(_, args) => args.iter().any(|a| speaks_of(a, names)),
    }
}

/// Scalars at which the ops on scalars are tried: of both signs and several sizes.
const TRIED: [f64; 6] = [0.371, -1.73, 2.59, -0.0427, 11.3, -5.21];

/// The class of what an elementwise op gives.
fn computed(body: &Body, op: OpId, texts: &'static [&'static str], classes: &[Class]) -> Proof<Class> {
    let data = body.op(op);
    let broken = || Broken { loc: data.loc, why: "this is not linear in the tangents".to_string() };
    let linear: Vec<bool> = classes.iter().map(Class::holds_tangent).collect();
    let Eval::Scalar(f) = data.def.eval else {
        return if linear.contains(&true) { Err(broken()) } else { Ok(Class::Constant) };
    };
    // Its value where what is linear is `scale` times what it was tried at, zero is zero, and
    // constants are as tried.
    let operands: Vec<Type> = data.operands.iter().map(|_| Type::f64()).collect();
    let types = ScalarTypes { operands: &operands, result: Type::f64(), attrs: &data.attrs };
    let at = |trial: usize, scale: f64| {
        let value = |(i, class): (usize, &Class)| match class {
            Class::Zero => 0.0,
            Class::Constant => TRIED[(trial + 2 * i) % TRIED.len()],
            _ => scale * TRIED[(trial * 5 + i + 1) % TRIED.len()],
        };
        let args: Vec<Val> = classes.iter().enumerate().map(value).map(Val::Float).collect();
        f(&args, &types).as_float()
    };
    if !linear.contains(&true) {
        let zero = (0..TRIED.len()).all(|t| at(t, 1.0) == 0.0) && classes.contains(&Class::Zero);
        return Ok(if zero { Class::Zero } else { Class::Constant });
    }
    let parsed = partials::of_row(texts).as_ref().map_err(|_| broken())?;
    let names = |i: &usize| data.def.operands.get(*i).map(|o| o.name);
    let mut spoken: Vec<&str> = (0..linear.len()).filter(|&i| linear[i]).filter_map(|i| names(&i)).collect();
    spoken.push("result");
    let rows_agree = parsed
        .iter()
        .zip(&linear)
        .all(|(partial, &is)| !is || partial.as_number() != Some(0.0) && !speaks_of(partial, &spoken));
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()));
    let homogeneous = (0..TRIED.len()).all(|t| at(t, 0.0) == 0.0 && close(at(t, 100.0), 100.0 * at(t, 1.0)));
    if rows_agree && homogeneous { Ok(Class::Linear) } else { Err(broken()) }
}
