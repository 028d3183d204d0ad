//! Whether threads of a group come to their barriers together, as far as a compiler of WGSL sees:
//! control flow is uniform where no condition on the way to it differs between threads.
//!
//! A value is uniform if what it is computed of is: literals, the group's number, what memory holds
//! that nobody writes, and variables that were assigned uniform values in uniform control flow. It
//! is the language's own analysis without its finer points, so that what is taken here is taken
//! there. Exchanges between lanes may have barriers in them. Where they have none, it is only said
//! which lanes are active, and not when they come together again: lanes exchange nothing in loops
//! that they leave apart.

use super::super::Printer;
use crate::lang::Exchange;
use crate::tree::{Arg, Buffer, Expr, Function, Id, Kind, Place, Root, Stmt, Var, each_expr};
use caustic_ir::{Diagnostic, Loc, Name};
use rustc_hash::{FxHashMap, FxHashSet};

const BARRIER: &str = "a barrier";
const EXCHANGE: &str = "an exchange between lanes";
const IN_LOOP: &str = "an exchange between lanes in a loop that they may leave apart";

/// What is known of the functions of a program.
struct Known<'f> {
    /// Resources that are written.
    written: &'f FxHashSet<Name>,
    entry: Name,
    /// Functions in which something differs between threads whatever they are given.
    varying: FxHashSet<Name>,
    /// Functions that come to a barrier, and to an exchange without one.
    waiting: FxHashSet<Name>,
    exchanging: FxHashSet<Name>,
    /// Whether exchanges have barriers in them.
    by_barriers: bool,
    /// Parameters that are given values that differ between threads, by number.
    given: FxHashMap<Name, FxHashSet<usize>>,
}

/// What not all threads come to: where it is, or what is called for it.
#[derive(Clone, Copy)]
struct Apart {
    at: Result<Loc, Name>,
    what: &'static str,
}

/// A function while it is followed.
struct Flow<'k, 'f> {
    known: &'k mut Known<'f>,
    in_entry: bool,
    /// Variables whose values may differ.
    varying: FxHashSet<Var>,
    /// Whether threads may have returned, or left the loop around, apart.
    returned: bool,
    left: bool,
    /// Barriers and exchanges that not all threads may come to.
    apart: Vec<Apart>,
    /// Whether it is in a loop that threads may leave apart.
    looped: bool,
}

impl Printer<'_> {
    /// Refuses barriers that are not in uniform control flow.
    pub(super) fn uniform_barriers(&mut self, functions: &[Function]) -> Result<(), Diagnostic> {
        let (mut waiting, mut exchanging, mut varying) = <(FxHashSet<_>, FxHashSet<_>, FxHashSet<_>)>::default();
        let by_barriers = matches!(self.shader()?.lanes.exchange, Exchange::Memory);
        let entry = self.module.interface.entry;
        let shared = self.module.interface.shared.iter().map(|s| s.symbol);
        let written = &self.shading.written.iter().copied().chain(shared).collect();
        // Callees come first.
        for function in functions {
            let mut all = Vec::new();
            statements(&function.body, &mut all);
            let mut calls = Vec::new();
            let (mut differs, mut waits, mut exchanges) = (false, false, false);
            let mut body = function.body.clone();
            each_expr(&mut body, &mut |e| match &e.kind {
                Kind::Call(callee, _) => calls.push(*callee),
                _ if exchange(e).is_some() => (exchanges, differs) = (true, true),
                _ => differs |= is_varying(e, written, function.symbol == entry),
            });
            waits |= all.iter().any(|s| matches!(s, Stmt::Barrier { .. })) || exchanges && by_barriers;
            if waits || calls.iter().any(|c| waiting.contains(c)) {
                waiting.insert(function.symbol);
            }
            if exchanges || calls.iter().any(|c| exchanging.contains(c)) {
                exchanging.insert(function.symbol);
            }
            if differs || calls.iter().any(|c| varying.contains(c)) {
                varying.insert(function.symbol);
            }
        }
        let given = FxHashMap::default();
        let mut known = Known { written, entry, varying, waiting, exchanging, by_barriers, given };
        // Callers before what they call.
        let follows = |f: &&Function| known.waiting.contains(&f.symbol) || known.exchanging.contains(&f.symbol);
        let followed: Vec<&Function> = functions.iter().rev().filter(follows).collect();
        for function in followed {
            let given = known.given.get(&function.symbol).cloned().unwrap_or_default();
            let params = function.params.iter().enumerate().filter(|(k, _)| given.contains(k));
            let in_entry = function.symbol == known.entry;
            let varying = params.map(|(_, (var, _))| *var).collect();
            let (returned, left, looped, apart) = (false, false, false, Vec::new());
            let mut flow = Flow { known: &mut known, in_entry, varying, returned, left, apart, looped };
            // What is assigned late in a loop is read early in it.
            loop {
                let before = flow.varying.len();
                (flow.returned, flow.left) = (false, false);
                flow.apart.clear();
                flow.block(&function.body, true);
                if flow.varying.len() == before {
                    break;
                }
            }
            if let Some(&Apart { at, what }) = flow.apart.first() {
                let calls = |callee: Name| self.place_of(&|body, op| body.callee(op) == Some(callee));
                self.loc = at.or_else(|callee| calls(callee).ok_or(callee)).unwrap_or(function.loc);
                let whom = if what == IN_LOOP { "" } else { " that not all threads of a group may come to" };
                return Err(self.refuse(format!("{what}{whom}")));
            }
        }
        Ok(())
    }
}

fn statements<'s>(body: &'s [Stmt], all: &mut Vec<&'s Stmt>) {
    for stmt in body {
        all.push(stmt);
        stmt.bodies().for_each(|inner| statements(inner, all));
    }
}

/// Where lanes exchange values, if an expression does that itself.
fn exchange(e: &Expr) -> Option<Loc> {
    match &e.kind {
        Kind::Wave { args, masked, loc, .. } => (args.len() > usize::from(*masked)).then_some(*loc),
        _ => None,
    }
}

/// Whether an expression differs between threads, whatever it is computed of.
fn is_varying(e: &Expr, written: &FxHashSet<Name>, in_entry: bool) -> bool {
    match &e.kind {
        Kind::Id(Id::GroupSize, _) => false,
        Kind::Id(Id::Group | Id::Groups, _) => !in_entry,
        Kind::Id(..) | Kind::Atomic { .. } | Kind::Count(..) | Kind::Wave { .. } => true,
        Kind::TexelUpdate { .. } | Kind::Texture { .. } => true,
        Kind::Read(Place { root: Root::Element { buffer, .. }, .. }) => match buffer {
            Buffer::Resource(name, None) => written.contains(name),
            other => other.resource().is_none_or(|name| written.contains(&name)),
        },
        _ => false,
    }
}

impl Flow<'_, '_> {
    fn is_uniform(&self, e: &Expr) -> bool {
        let mut uniform = true;
        e.each(&mut |inner| {
            uniform &= match &inner.kind {
                Kind::Read(Place { root: Root::Var(var), .. }) => !self.varying.contains(var),
                Kind::Call(callee, args) => {
                    let places = args.iter().filter_map(|a| if let Arg::Place(p) = a { Some(p) } else { None });
                    let mut vars = places.filter_map(|p| if let Root::Var(var) = p.root { Some(var) } else { None });
                    !self.known.varying.contains(callee) && !vars.any(|var| self.varying.contains(&var))
                }
                _ => !is_varying(inner, self.known.written, self.in_entry),
            };
        });
        uniform
    }

    /// Follows statements in control flow that is uniform or not.
    fn block(&mut self, stmts: &[Stmt], uniform: bool) {
        for stmt in stmts {
            self.stmt(stmt, uniform && !self.returned && !self.left);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, uniform: bool) {
        match stmt {
            Stmt::Declare(var, value) => {
                let same = value.as_ref().is_none_or(|value| self.value(value, uniform));
                self.assigned(*var, same && uniform);
            }
            Stmt::Assign(place, value) => {
                let same = self.value(value, uniform);
                if let Root::Var(var) = place.root {
                    self.assigned(var, same && uniform);
                }
            }
            Stmt::Do(value) => {
                self.value(value, uniform);
            }
            Stmt::If { condition, then, otherwise } => {
                let inner = uniform && self.value(condition, uniform);
                self.block(then, inner);
                let (returned, left) = (self.returned, self.left);
                self.block(otherwise, inner);
                (self.returned, self.left) = (self.returned || returned, self.left || left);
            }
            Stmt::Switch { value, .. } => {
                let inner = uniform && self.value(value, uniform);
                stmt.bodies().for_each(|body| self.block(body, inner));
            }
            Stmt::For { counter, from, below, step, body, .. } => {
                let same = [from, below, step].into_iter().all(|e| self.is_uniform(e));
                self.assigned(*counter, same && uniform);
                self.repeated(body, uniform && same);
            }
            Stmt::While { condition, body } => {
                let same = condition.as_ref().is_none_or(|c| self.value(c, uniform));
                self.repeated(body, uniform && same);
            }
            Stmt::Break => self.left |= !uniform,
            Stmt::Return(_) => self.returned |= !uniform,
            Stmt::Barrier { loc, .. } if !uniform => self.apart.push(Apart { at: Ok(*loc), what: BARRIER }),
            _ => {}
        }
    }

    /// A loop's body: threads that leave it apart are apart from its beginning on, and together
    /// again behind it.
    fn repeated(&mut self, body: &[Stmt], uniform: bool) {
        let (before, looped) = (std::mem::replace(&mut self.left, false), self.looped);
        self.looped |= !uniform;
        self.block(body, uniform);
        if self.left || self.returned {
            self.looped = true;
            self.block(body, false);
        }
        (self.left, self.looped) = (before, looped);
    }

    fn assigned(&mut self, var: Var, uniform: bool) {
        if !uniform {
            self.varying.insert(var);
        }
    }

    /// Whether a value is uniform; what its calls are given is noted.
    fn value(&mut self, e: &Expr, uniform: bool) -> bool {
        let same = self.is_uniform(e);
        let mut calls = Vec::new();
        e.each(&mut |inner| {
            if let Kind::Call(callee, args) = &inner.kind {
                calls.push((*callee, args.clone()));
            }
            match exchange(inner) {
                Some(loc) if self.known.by_barriers && !uniform => {
                    self.apart.push(Apart { at: Ok(loc), what: EXCHANGE })
                }
                Some(loc) if !self.known.by_barriers && self.looped => {
                    self.apart.push(Apart { at: Ok(loc), what: IN_LOOP })
                }
                _ => {}
            }
        });
        for (callee, args) in calls {
            if self.known.waiting.contains(&callee) && !uniform {
                let what = if self.known.exchanging.contains(&callee) { EXCHANGE } else { BARRIER };
                self.apart.push(Apart { at: Err(callee), what });
            }
            if self.known.exchanging.contains(&callee) && !self.known.by_barriers && self.looped {
                self.apart.push(Apart { at: Err(callee), what: IN_LOOP });
            }
            for (number, arg) in args.iter().enumerate() {
                let arg_same = match arg {
                    Arg::Value(value) => self.is_uniform(value),
                    Arg::Place(Place { root: Root::Var(var), .. }) => !self.varying.contains(var),
                    Arg::Place(_) => false,
                };
                if !arg_same || !uniform {
                    self.known.given.entry(callee).or_default().insert(number);
                }
                if let Arg::Place(Place { root: Root::Var(var), .. }) = arg {
                    self.assigned(*var, same && uniform);
                }
            }
        }
        same
    }
}
