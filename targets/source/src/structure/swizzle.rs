//! Components that are taken together, where a language has swizzles: `v.xyz` in the place of the
//! vector `(v.x, v.y, v.z)`, and vectors that are made of smaller ones.
//!
//! Invariant: what is put together is read of one place that nothing changes in between, or is one
//! value; it stands where its components stood.
//!
//! This module must not know: any language.

use crate::tree::{
    Expr, Function, Kind, Named, Place, Root, Step, Stmt, UNNAMED, Var, each_expr, each_list, handed_over, visit_all,
};
use crate::types::{BOOL, Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};

/// Writes swizzles; a vector is one of the language's if `native` says so.
pub fn swizzle(function: &mut Function, part: &dyn Fn(&Place, &[Step]) -> Option<Ty>, native: &dyn Fn(&Ty) -> bool) {
    let mut taken = FxHashSet::default();
    each_expr(&mut function.body, &mut |e| gather(e, part, native, &mut taken));
    if taken.is_empty() {
        return;
    }
    write_again(function);
    write_once(function, &taken);
}

/// The place whose component an expression reads, and which.
fn component(e: &Expr) -> Option<(&Place, usize)> {
    let Kind::Read(place) = &e.kind else { return None };
    let plain = matches!(place.root, Root::Var(_) | Root::Uniform(_, None));
    let Some((Step::Part(k), before)) = place.steps.split_last() else { return None };
    (plain && *k < 4 && before.iter().all(|step| matches!(step, Step::Part(_)))).then_some((place, *k))
}

/// Whether two components are of one vector.
fn is_one(a: &Place, b: &Place) -> bool {
    let steps = |place: &Place| -> Vec<usize> {
        place.steps[..place.steps.len() - 1]
            .iter()
            .filter_map(|s| if let Step::Part(k) = s { Some(*k) } else { None })
            .collect()
    };
    let roots = match (&a.root, &b.root) {
        (Root::Var(a), Root::Var(b)) => a == b,
        (Root::Uniform(a, None), Root::Uniform(b, None)) => a == b,
        _ => false,
    };
    roots && steps(a) == steps(b)
}

fn gather(
    e: &mut Expr,
    part: &dyn Fn(&Place, &[Step]) -> Option<Ty>,
    native: &dyn Fn(&Ty) -> bool,
    taken: &mut FxHashSet<Var>,
) {
    let ty = e.ty.clone();
    let Kind::Make(parts) = &mut e.kind else { return };
    if !native(&ty) || !ty.is_vector() || ty.scalar() == BOOL.scalar() {
        return;
    }
    convert_together(parts, &ty);
    if let [one] = &mut parts[..]
        && one.ty.is_vector()
        && let Kind::Convert(inner) = &mut one.kind
    {
        gather(inner, part, native, taken);
    }
    let (mut out, mut at) = (Vec::new(), 0);
    while at < parts.len() {
        let (count, whole) = run(&parts[at..], part, native);
        match whole {
            Some(whole) if count > 1 => {
                let numbers: Vec<usize> = parts[at..at + count].iter().filter_map(|e| Some(component(e)?.1)).collect();
                if let Kind::Read(Place { root: Root::Var(var), .. }) = whole.kind {
                    taken.insert(var);
                }
                out.push(swizzled(whole, numbers));
                at += count;
            }
            // Fields of a struct, too.
            _ => {
                out.push(parts[at].clone());
                at += 1;
            }
        }
    }
    *parts = out;
    if let [one] = &parts[..]
        && one.ty == ty
    {
        *e = one.clone();
    }
}

/// How many of the first parts are components of one vector, and that vector.
fn run(
    parts: &[Expr],
    part: &dyn Fn(&Place, &[Step]) -> Option<Ty>,
    native: &dyn Fn(&Ty) -> bool,
) -> (usize, Option<Expr>) {
    let Some((first, _)) = component(&parts[0]) else { return (1, None) };
    let same = |e: &Expr| component(e).is_some_and(|(place, _)| is_one(place, first));
    let count = parts.iter().take_while(|e| same(e)).count();
    let steps = first.steps[..first.steps.len() - 1].to_vec();
    let whole = part(first, &steps).filter(|of| of.is_vector() && native(of) && of.scalar() == parts[0].ty.scalar());
    let read = |of: Ty| {
        let place = Place { root: first.root.clone(), steps, of: first.of.clone() };
        Expr::new(of, Kind::Read(place))
    };
    (count, whole.map(read))
}

/// Components of a vector; all of them are the vector.
fn swizzled(whole: Expr, numbers: Vec<usize>) -> Expr {
    if whole.ty.len() == Some(numbers.len() as u64) && numbers.iter().enumerate().all(|(k, n)| k == *n) {
        return whole;
    }
    let elem = whole.ty.scalar().unwrap_or(Scalar::F32);
    let ty = Ty::Vector { shape: vec![numbers.len() as u32], elem };
    Expr::new(ty, Kind::Swizzle(Box::new(whole), numbers))
}

/// Words that are converted one by one from words of one type are converted together.
fn convert_together(parts: &mut Vec<Expr>, ty: &Ty) {
    let word = |s: Scalar| is_integer(s) && s.size() == 4;
    let from = |e: &Expr| match &e.kind {
        Kind::Convert(inner) if inner.ty.is_scalar() && e.ty.scalar() == ty.scalar() => inner.ty.scalar(),
        _ => None,
    };
    let Some(first) = parts.first().and_then(from) else { return };
    if parts.len() < 2
        || !word(first)
        || !ty.scalar().is_some_and(word)
        || !parts.iter().all(|e| from(e) == Some(first))
    {
        return;
    }
    let inner = |e: Expr| if let Kind::Convert(inner) = e.kind { *inner } else { e };
    let all: Vec<Expr> = std::mem::take(parts).into_iter().map(inner).collect();
    let made = Expr::new(ty.with_scalar(first), Kind::Make(all));
    parts.push(Expr::new(ty.clone(), Kind::Convert(Box::new(made))));
}

/// Variables that nothing changes after their declaration.
fn unchanged(function: &Function) -> FxHashSet<Var> {
    let mut given: FxHashMap<Var, usize> = FxHashMap::default();
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    params.iter().for_each(|var| *given.entry(*var).or_default() += 1);
    each_list(&mut function.body.clone(), &mut |list| {
        for var in list.iter().filter_map(Stmt::gives) {
            *given.entry(var).or_default() += 1;
        }
    });
    let handed = handed_over(&function.body);
    given.into_iter().filter(|(var, times)| *times == 1 && !handed.contains(var)).map(|(var, _)| var).collect()
}

/// Components of what nothing changes are written wherever a variable without a name holds them.
fn write_again(function: &mut Function) {
    let fixed = unchanged(function);
    let mut held: FxHashMap<Var, Expr> = FxHashMap::default();
    each_list(&mut function.body.clone(), &mut |list| {
        for stmt in list.iter() {
            let Stmt::Declare(var, Some(value)) = stmt else { continue };
            let of = match &value.kind {
                Kind::Swizzle(inner, _) => inner,
                _ => continue,
            };
            let Kind::Read(Place { root, .. }) = &of.kind else { continue };
            let stays = matches!(root, Root::Var(of) if fixed.contains(of)) || matches!(root, Root::Uniform(_, None));
            if stays && fixed.contains(var) && function.vars[var.0].name == UNNAMED {
                held.insert(*var, value.clone());
            }
        }
    });
    // A variable of which more is read than components stays.
    each_expr(&mut function.body, &mut |e| {
        if let Kind::Read(Place { root: Root::Var(var), steps, .. }) = &e.kind
            && !matches!(steps[..], [] | [Step::Part(_)])
        {
            held.remove(var);
        }
    });
    if held.is_empty() {
        return;
    }
    each_expr(&mut function.body, &mut |e| {
        let Kind::Read(Place { root: Root::Var(var), steps, .. }) = &e.kind else { return };
        let Some(value) = held.get(var) else { return };
        match (&steps[..], &value.kind) {
            ([Step::Part(k)], Kind::Swizzle(of, numbers)) => {
                if let (Kind::Read(of), Some(number)) = (&of.kind, numbers.get(*k)) {
                    let mut place = of.clone();
                    place.steps.push(Step::Part(*number));
                    e.kind = Kind::Read(place);
                }
            }
            _ => e.kind = value.kind.clone(),
        }
    });
    each_list(&mut function.body, &mut |list| {
        list.retain(|stmt| !matches!(stmt, Stmt::Declare(var, _) if held.contains_key(var)));
    });
}

/// A value whose components were read one by one, and that is read once now, stands where it is
/// read, if that is the next statement.
fn write_once(function: &mut Function, taken: &FxHashSet<Var>) {
    let mut reads: FxHashMap<Var, usize> = FxHashMap::default();
    visit_all(&mut function.body, &mut |named| {
        if let Named::Var(var) = named {
            *reads.entry(*var).or_default() += 1;
        }
    });
    let fixed = unchanged(function);
    let once = |var: Var| taken.contains(&var) && fixed.contains(&var) && reads.get(&var) == Some(&1);
    let vars = &function.vars;
    each_list(&mut function.body, &mut |list| {
        for at in (1..list.len()).rev() {
            let Stmt::Declare(var, Some(value)) = &list[at - 1] else { continue };
            let (var, value) = (*var, value.clone());
            if !once(var) || vars[var.0].name != UNNAMED {
                continue;
            }
            let reader = std::slice::from_mut(&mut list[at]);
            let own = match &mut reader[0] {
                Stmt::Declare(_, Some(e)) | Stmt::Assign(_, e) | Stmt::Return(Some(e)) | Stmt::Do(e) => e,
                _ => continue,
            };
            if !own.reads(var) || own.acts() && (value.acts() || reads_memory(&value) || !is_fixed(&value, &fixed)) {
                continue;
            }
            own.each_mut(&mut |e| put(e, var, &value));
            list.remove(at - 1);
        }
    });
}

/// Puts a value in the place of the variable that holds it.
fn put(e: &mut Expr, var: Var, value: &Expr) {
    let Kind::Read(Place { root: Root::Var(of), steps, .. }) = &e.kind else { return };
    if *of != var {
        return;
    }
    e.kind = match steps.is_empty() {
        true => value.kind.clone(),
        false => Kind::Part(Box::new(value.clone()), steps.clone()),
    };
}

fn reads_memory(e: &Expr) -> bool {
    let mut found = false;
    e.each(&mut |e| {
        found |= match &e.kind {
            Kind::Read(place) => !matches!(place.root, Root::Var(_) | Root::Uniform(_, None)),
            Kind::Texture { .. } | Kind::Wave { .. } => true,
            _ => false,
        }
    });
    found
}

/// Whether an expression reads no variables but these.
fn is_fixed(e: &Expr, fixed: &FxHashSet<Var>) -> bool {
    let mut all = true;
    e.clone().visit(&mut |named| all &= !matches!(named, Named::Var(var) if !fixed.contains(var)));
    all
}
