//! Twins: other programs with the same results. Some are other trees, some the same tree in another
//! style.

use super::idioms::IDIOMS;
use super::print::Style;
use super::{Func, FuncKind, Kind, Mode, Node, Param, Program, Ty, names};
use caustic_test_suite::random::Rng;
use caustic_test_suite::rename::traps::Traps;

/// A way to make a twin; `None` if it would change nothing in the program.
pub type Twin = fn(&Program, &mut Rng) -> Option<(Program, Style)>;

/// All ways, by name.
pub const TWINS: [(&str, Twin); 14] = [
    ("other names", |p, _| Some((p.clone(), Style { other_names: true, same_bits: true, ..Style::default() }))),
    ("functions in a struct", |p, r| housed(p, false, r)),
    ("functions in a name space", |p, r| housed(p, true, r)),
    ("updates spread", |p, _| Some((p.clone(), Style { spread_updates: true, ..Style::default() }))),
    ("functions inlined", |p, _| Some((p.clone(), Style { inline: true, ..Style::default() }))),
    ("while for for", |p, _| Some((p.clone(), Style { while_loops: true, ..Style::default() }))),
    ("unrolled by attribute", |p, _| Some((p.clone(), Style { unroll: true, ..Style::default() }))),
    ("bounds declared", |p, _| Some((p.clone(), Style { bounds: true, ..Style::default() }))),
    ("scalar parameters", |p, _| Some((p.clone(), Style { flat: true, ..Style::default() }))),
    ("result in place", |p, _| Some((p.clone(), Style { in_place: true, ..Style::default() }))),
    ("threads in groups", |p, _| grouped(p)),
    ("unrolled", |p, _| unrolled(p).map(plain)),
    ("outlined", |p, r| outlined(p, r).map(plain)),
    ("vectors as scalars", |p, _| scalars(p).map(plain)),
];

/// Moves all functions that can be moved into one struct or namespace, under names that are
/// suffixes of derivatives' symbols.
fn housed(p: &Program, is_space: bool, rng: &mut Rng) -> Option<(Program, Style)> {
    let (mut out, all) = (p.clone(), Vec::from_iter(0..p.funcs.len()));
    let mut traps = Traps::new(rng.draw(), names::of_homes(p).map(str::to_string).collect());
    out.house(is_space, &all, &mut traps).then(|| (out, Style { same_bits: true, ..Style::default() }))
}

fn plain(p: Program) -> (Program, Style) {
    (p, Style::default())
}

/// Programs with group memory are excluded, because their threads would share it.
fn grouped(p: &Program) -> Option<(Program, Style)> {
    let shares = |f: &Func| matches!(f.kind, FuncKind::Idiom(row) if IDIOMS[row].1.contains("groupshared"));
    if p.functions().any(shares) {
        return None;
    }
    Some((p.clone(), Style { grouped: true, ..Style::default() }))
}

/// Unrolls loops with a constant number of iterations and without jumps.
fn unrolled(p: &Program) -> Option<Program> {
    let mut out = p.clone();
    let mut any = false;
    for f in out.funcs.iter_mut().flatten() {
        f.body.change(&mut |n| {
            let (Kind::For(name), [Node { kind: Kind::Int(count), .. }, body]) = (&n.kind, &n.kids[..]) else { return };
            if jumps(body) || body.size() * *count as usize > 400 {
                return;
            }
            let rounds = (0..*count).map(|i| {
                let counter = Node::new(Kind::Decl(name.clone()), Ty::Void, vec![Node::int(i)]);
                Node::block([vec![counter], body.kids.clone()].concat())
            });
            any = true;
            *n = Node::block(rounds.collect());
        });
    }
    any.then_some(out)
}

/// Whether a loop's body contains a `break` or a `continue` of that loop.
fn jumps(body: &Node) -> bool {
    body.kids.iter().any(|s| match s.kind {
        Kind::Continue | Kind::Break => true,
        Kind::For(_) | Kind::While(_) | Kind::Do(_) => false,
        _ => jumps(s),
    })
}

/// Moves some expressions to functions of the variables that they read.
fn outlined(p: &Program, rng: &mut Rng) -> Option<Program> {
    let mut out = p.clone();
    let mut made: Vec<Func> = Vec::new();
    let first = out.funcs.len();
    for f in out.funcs.iter_mut().flatten() {
        // Generic code reads its object, which the tree does not name.
        if f.kind == FuncKind::Generic {
            continue;
        }
        f.body.change(&mut |n| {
            let takes = matches!(n.kind, Kind::Spell(_) | Kind::Cond) && matches!(n.ty, Ty::Real | Ty::Vec(_));
            if !takes || n.kids.is_empty() || made.len() > 6 || !rng.one_in(4) {
                return;
            }
            let mut params: Vec<Param> = Vec::new();
            n.walk(&mut |k| {
                if let Kind::Var(name) = &k.kind
                    && params.iter().all(|p| p.name != *name)
                {
                    params.push(Param { name: name.clone(), ty: k.ty.clone(), mode: Mode::In });
                }
            });
            let args = params.iter().map(|p| Node::var(&p.name, p.ty.clone())).collect();
            let call = Node::new(Kind::Call(first + made.len()), n.ty.clone(), args);
            let value = std::mem::replace(n, call);
            made.push(Func {
                name: format!("outlined{}", made.len()),
                home: None,
                kind: FuncKind::Free,
                params,
                ret: value.ty.clone(),
                body: Node::block(vec![Node::new(Kind::Return, Ty::Void, vec![value])]),
                attrs: Vec::new(),
            });
        });
    }
    if made.is_empty() {
        return None;
    }
    out.funcs.extend(made.into_iter().map(Some));
    Some(out)
}

/// Replaces functions of vectors that work by component by vectors of functions of components.
fn scalars(p: &Program) -> Option<Program> {
    let mut out = p.clone();
    let mut any = false;
    for f in out.funcs.iter_mut().flatten() {
        f.body.change(&mut |n| {
            let (Kind::Spell(text), Ty::Vec(count)) = (&n.kind, &n.ty) else { return };
            let mixes = ["normalize", "reflect", "cross", "mul"].iter().any(|w| text.contains(w));
            if mixes || n.kids.iter().any(|k| k.size() > 6) {
                return;
            }
            let parts = ["x", "y", "z", "w"].iter().take(*count as usize).map(|letter| {
                let kids = n.kids.iter().map(|k| match k.ty {
                    Ty::Vec(_) => Node::new(Kind::Swizzle(letter.to_string()), Ty::Real, vec![k.clone()]),
                    _ => k.clone(),
                });
                Node::spell(text, Ty::Real, kids.collect())
            });
            *n = Node::new(Kind::Make, n.ty.clone(), parts.collect());
            any = true;
        });
    }
    any.then_some(out)
}
