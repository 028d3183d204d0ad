//! Warns about variables that are used before they are set, and about functions that end without
//! setting what they give their caller. Such a variable is zero.
//!
//! The check is one pass over a body in the order of execution. It warns only where nothing was
//! assigned on any way: a variable that some way sets, or a part of which is set, counts as set. At
//! the head of a loop everything that the loop sets counts as set.

use super::flow::Flow;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;

type Locals = SmallVec<[LocalId; 8]>;

/// A warning that is given if the program has no errors.
pub(super) struct Late {
    code: codes::Code,
    span: Span,
    text: String,
    declared: Option<Span>,
    /// A function that gets the variable, and as which parameter: it may not read it.
    passed_to: Option<(FuncId, usize)>,
}

/// The most levels of structs and arrays that are looked into.
const MOST_LEVELS: usize = 8;

struct Walk<'c, 'a> {
    checker: &'c mut Checker<'a>,
    locals: &'c [Local],
    /// Variables that are declared without a value.
    watched: &'c [LocalId],
    /// The `out` parameters that must be set.
    outs: Locals,
    /// By enclosing loop or switch: what is unset at the jumps out of it.
    breaks: Vec<Option<Locals>>,
    reported: Locals,
    /// In a loop before it is walked: only what it sets is wanted.
    dry: bool,
    written: Locals,
    /// The fields of the object that a constructor sets; `None` if it may have set all.
    fields: Option<Vec<u32>>,
    object: Option<LocalId>,
    name: Name,
}

impl Checker<'_> {
    /// Checks a body. `watched` are the variables that are declared without a value.
    pub(crate) fn check_untouched(&mut self, f: FuncId, body: &Body, watched: &[LocalId]) {
        let info = &self.funcs[f.0 as usize];
        if info.is_prelude || body.unavailable.is_some() {
            return;
        }
        let (name, span, is_constructor) = (info.name, info.decl.name().map(|n| n.span), info.is_constructor);
        let (params, ret) = (info.params.clone(), info.ret);
        let object = is_constructor.then(|| body.locals.iter().position(|l| l.name == *"this")).flatten();
        let object = object.map(|at| LocalId(at as u32));
        let watched: Locals =
            watched.iter().filter(|l| self.is_plain(body.locals[l.0 as usize].ty, MOST_LEVELS)).copied().collect();
        let set = |c: &mut Self, p: &Param| p.dir == Dir::Out && c.is_plain(p.ty, MOST_LEVELS);
        let outs: Locals = body.params.iter().zip(&params).filter(|(_, p)| set(self, p)).map(|(l, _)| *l).collect();
        if watched.is_empty() && outs.is_empty() && object.is_none() {
            return;
        }
        let mut walk = Walk {
            checker: self,
            locals: &body.locals,
            watched: &watched,
            outs: outs.clone(),
            breaks: Vec::new(),
            reported: Locals::new(),
            dry: false,
            written: Locals::new(),
            fields: Some(Vec::new()),
            object,
            name,
        };
        if let Some(end) = walk.stmts(&body.stmts, Some(outs)) {
            walk.leaves(&end);
        }
        if let (Some(set), Some(_), Some(id)) = (walk.fields, object, ret.as_struct()) {
            self.warn_unset_fields(id, &set, span.unwrap_or_default());
        }
    }

    /// Warns about a constructor that sets some fields and not others.
    fn warn_unset_fields(&mut self, id: StructId, set: &[u32], span: Span) {
        let fields = self.fields(id).to_vec();
        let mut unset: Vec<String> = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            let given = f.default.is_some() || f.name == *inherit::BASE_FIELD || set.contains(&(i as u32));
            if !given && self.is_plain(f.ty, MOST_LEVELS) && !self.begins_initialized(f.ty) {
                unset.push(format!("`{}`", f.name));
            }
        }
        if !unset.is_empty() {
            let shown = self.show(Ty::new(TyKind::Struct(id)));
            let text = format!("this constructor of `{shown}` sets no {}", unset.join(" and no "));
            self.noted.late.push(Late { code: codes::W0249, span, text, declared: None, passed_to: None });
        }
    }

    /// Warns later, once all bodies are checked, about what is never run.
    pub(super) fn warn_never_run(&mut self, span: Span) {
        let text = "this is never run: what stands before it goes elsewhere".to_string();
        self.noted.late.push(Late { code: codes::W0242, span, text, declared: None, passed_to: None });
    }

    /// Gives the warnings that have waited.
    pub(super) fn give_late_warnings(&mut self) {
        if !self.failed() {
            self.check_endless_calls();
        }
        let mut said: rustc_hash::FxHashSet<Span> = Default::default();
        for late in std::mem::take(&mut self.noted.late) {
            if late.declared.is_some_and(|at| said.contains(&at))
                || self.failed()
                || late.passed_to.is_some_and(|(f, i)| !self.reads_parameter(f, i, &mut Vec::new()))
            {
                continue;
            }
            said.extend(late.declared);
            let at = late.declared.map(|s| self.loc(s));
            let d = self.warn(late.code, late.span, late.text);
            d.labels.extend(at.map(|at| (at, "declared without a value".to_string())));
            if late.code == codes::W0249 {
                d.notes.push("what is not set is zero".to_string());
            }
        }
    }

    /// Whether a function reads its parameter, and does not only hand it on to functions that do
    /// not.
    fn reads_parameter(&self, f: FuncId, index: usize, seen: &mut Vec<(FuncId, usize)>) -> bool {
        if seen.contains(&(f, index)) {
            return false;
        }
        seen.push((f, index));
        let info = &self.funcs[f.0 as usize];
        // What provides a requirement may need nothing of its object.
        let Some(body) = &info.body else { return info.is_prelude };
        let Some(local) = body.params.get(index).copied() else { return true };
        let mut found = false;
        body.stmts.iter().for_each(|s| s.for_each_expr(&mut |e| found = found || self.reads(e, local, seen)));
        found
    }

    fn reads(&self, e: &Expr, local: LocalId, seen: &mut Vec<(FuncId, usize)>) -> bool {
        let is_it = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == local);
        match &e.kind {
            ExprKind::Local(_) => is_it(e),
            // The first argument only says which function is called.
            ExprKind::CallOn { args, .. } => args.iter().skip(1).any(|a| self.reads(a, local, seen)),
            ExprKind::Call { func, args } => args.iter().enumerate().any(|(i, a)| match is_it(a) {
                true => self.reads_parameter(func.func, i, seen),
                false => self.reads(a, local, seen),
            }),
            _ => {
                let mut found = false;
                e.for_each_part(&mut |part| found = found || self.reads(part, local, seen));
                found
            }
        }
    }

    /// Whether a value consists of numbers that have to be set: not of resources, nor of what has a
    /// default value.
    fn is_plain(&mut self, ty: Ty, levels: usize) -> bool {
        match *ty.kind() {
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix(..) | TyKind::Enum(_) => true,
            TyKind::Array(of, Some(1..)) | TyKind::Pair(of) if levels > 0 => self.is_plain(of, levels - 1),
            TyKind::Struct(id) if levels > 0 => {
                let known = self.has_defaults(ty) || self.begins_initialized(ty);
                // Values of interfaces have a check of their own (`unset.rs`).
                if known || self.is_optional(ty) || self.misses_interface(ty, levels) {
                    return false;
                }
                let fields: Vec<Ty> = self.fields(id).iter().map(|f| f.ty).collect();
                fields.into_iter().any(|f| self.is_plain(f, levels - 1))
            }
            _ => false,
        }
    }
}

/// The variable that a place is a part of, or all of.
fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(l) => Some(*l),
        ExprKind::Field { base, .. }
        | ExprKind::Index { base, .. }
        | ExprKind::Swizzle { base, .. }
        | ExprKind::PairPart { base, .. }
        | ExprKind::Assign { place: base, .. }
        | ExprKind::Convert(base)
        | ExprKind::Retype(base) => root(base),
        _ => None,
    }
}

/// The field of a variable that a place is a part of.
fn outermost_field(place: &Expr) -> Option<u32> {
    match &place.kind {
        ExprKind::Field { base, index } => match base.kind {
            ExprKind::Local(_) => Some(*index),
            _ => outermost_field(base),
        },
        ExprKind::Index { base, .. }
        | ExprKind::Swizzle { base, .. }
        | ExprKind::PairPart { base, .. }
        | ExprKind::Convert(base)
        | ExprKind::Retype(base) => outermost_field(base),
        _ => None,
    }
}

impl Flow for Walk<'_, '_> {
    /// What is unset.
    type State = Locals;

    fn meet(mut a: Locals, b: &Locals) -> Locals {
        a.retain(|l| b.contains(l));
        a
    }

    fn breaks(&mut self) -> &mut Vec<Option<Locals>> {
        &mut self.breaks
    }

    fn stmt(&mut self, s: &Stmt, mut at: Locals) -> Option<Locals> {
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::Assert { cond: e, .. } => self.expr(e, &mut at),
            StmtKind::Var { local, init } => {
                init.iter().for_each(|e| self.expr(e, &mut at));
                if init.is_none() && self.watched.contains(local) && !at.contains(local) {
                    at.push(*local);
                }
            }
            StmtKind::Block(b) => return self.stmts(b, Some(at)),
            StmtKind::Unroll { body, .. } => {
                let at = self.without_written(at, |w, at| drop(w.stmts(body, Some(at))));
                self.breaks.push(None);
                self.stmts(body, Some(at.clone()));
                self.breaks.pop();
                return Some(at);
            }
            StmtKind::If { cond, then, other } => return self.branch(cond, [then, other], at),
            StmtKind::Loop { init, cond, step, body, .. } => {
                let at = self.stmts(init, Some(at))?;
                let parts = |w: &mut Self, mut at: Locals| {
                    cond.iter().for_each(|c| w.expr(c, &mut at));
                    w.breaks.push(None);
                    let end = w.stmts(body, Some(at));
                    if let (Some(mut end), Some(step)) = (end, step) {
                        w.expr(step, &mut end);
                    }
                    w.breaks.pop();
                };
                let at = self.without_written(at, parts);
                if !self.dry {
                    parts(self, at.clone());
                }
                let endless = !reach::falls_through(std::slice::from_ref(s));
                return (!endless).then_some(at);
            }
            StmtKind::Switch { value, groups } => return self.switch(value, groups, at),
            StmtKind::Break => {
                self.leave(at);
                return None;
            }
            StmtKind::Continue => return None,
            StmtKind::Return(value) => {
                match value {
                    // The end of a constructor.
                    Some(Expr { kind: ExprKind::Local(l), .. }) if self.object == Some(*l) => {}
                    Some(e) => self.expr(e, &mut at),
                    None => {}
                }
                if !value.as_ref().is_some_and(is_failure) {
                    self.leaves(&at);
                }
                return None;
            }
        }
        Some(at)
    }

    fn expr(&mut self, e: &Expr, at: &mut Locals) {
        match &e.kind {
            ExprKind::Local(l) => {
                self.read(*l, e.span, None, at);
                if self.object == Some(*l) {
                    self.fields = None;
                }
            }
            ExprKind::Field { base, .. } if let ExprKind::Local(l) = base.kind => self.read(l, e.span, None, at),
            ExprKind::Assign { place, value } => {
                self.expr(value, at);
                self.set(place, at);
            }
            ExprKind::CompoundAssign { place, value, .. } | ExprKind::Update { place, value, .. } => {
                self.expr(value, at);
                self.expr(place, at);
                self.set(place, at);
            }
            ExprKind::IncDec { place, .. } => {
                self.expr(place, at);
                self.set(place, at);
            }
            ExprKind::Atomic { place, args, .. } => {
                args.iter().for_each(|a| self.expr(a, at));
                self.set(place, at);
            }
            ExprKind::Ternary { cond, then, other } => {
                self.expr(cond, at);
                let mut on_other = at.clone();
                self.expr(then, at);
                self.expr(other, &mut on_other);
                at.retain(|l| on_other.contains(l));
            }
            ExprKind::Call { func, args } => {
                let dirs: Vec<Dir> = self.checker.funcs[func.func.0 as usize].params.iter().map(|p| p.dir).collect();
                for (i, (a, dir)) in args.iter().zip(dirs).enumerate() {
                    match a.kind {
                        ExprKind::Local(l) if dir == Dir::In && self.object != Some(l) => {
                            self.read(l, a.span, Some((func.func, i)), at);
                        }
                        _ => self.passed(a, dir, at),
                    }
                }
            }
            ExprKind::CallDeriv { args, dirs, .. } => {
                for (a, dir) in args.iter().zip(dirs) {
                    self.passed(a, *dir, at);
                }
            }
            ExprKind::Access(access) => {
                for (i, a) in access.args.iter().enumerate() {
                    // A getter may change its object.
                    let get = access.get.map(|g| self.checker.funcs[g.func.0 as usize].this);
                    let changes = i == 0 && access.has_this && get != Some(Some(Dir::In));
                    self.passed(a, if changes { Dir::InOut } else { Dir::In }, at);
                }
            }
            // The op may write to a variable through its address.
            ExprKind::Intrinsic { args, .. } => {
                for a in args {
                    match root(a) {
                        Some(_) => self.set(a, at),
                        None => self.expr(a, at),
                    }
                }
            }
            _ => {
                let mut parts = std::mem::take(at);
                e.for_each_part(&mut |p| self.expr(p, &mut parts));
                *at = parts;
            }
        }
    }
}

impl Walk<'_, '_> {
    /// What remains unset if `parts` are run any number of times.
    fn without_written(&mut self, mut at: Locals, parts: impl Fn(&mut Self, Locals)) -> Locals {
        let outermost = !self.dry;
        let outer = if outermost { std::mem::take(&mut self.written) } else { Locals::new() };
        self.dry = true;
        parts(self, Locals::new());
        if outermost {
            self.dry = false;
            let written = std::mem::replace(&mut self.written, outer);
            at.retain(|l| !written.contains(l));
        }
        at
    }

    /// Warns about `out` parameters that are not set where the function ends.
    fn leaves(&mut self, at: &Locals) {
        for l in self.outs.clone() {
            if self.dry || !at.contains(&l) || self.reported.contains(&l) {
                continue;
            }
            self.reported.push(l);
            let (out, span, name) = (self.locals[l.0 as usize].name, self.locals[l.0 as usize].span, self.name);
            let out = if out.is_empty() { "a parameter without a name".to_string() } else { format!("`{out}`") };
            let text = format!("`{name}` may end without setting {out}, which is `out`");
            self.checker.noted.late.push(Late { code: codes::W0249, span, text, declared: None, passed_to: None });
        }
    }

    /// A part of a variable, or all of it, has a value from here on.
    fn set(&mut self, place: &Expr, at: &mut Locals) {
        self.indices(place, at);
        let Some(l) = root(place) else { return };
        at.retain(|u| *u != l);
        self.written.push(l);
        if self.object == Some(l)
            && let Some(fields) = &mut self.fields
        {
            match outermost_field(place) {
                Some(index) => fields.push(index),
                None => self.fields = None,
            }
        }
    }

    /// What is evaluated to find a place.
    fn indices(&mut self, place: &Expr, at: &mut Locals) {
        match &place.kind {
            ExprKind::Local(_) => {}
            ExprKind::Index { base, index } => {
                self.expr(index, at);
                self.indices(base, at);
            }
            ExprKind::Field { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::PairPart { base, .. }
            | ExprKind::Convert(base)
            | ExprKind::Retype(base) => self.indices(base, at),
            // A setter may change its object.
            ExprKind::Access(access) => {
                let (object, rest) = access.args.split_at(usize::from(access.has_this).min(access.args.len()));
                rest.iter().for_each(|a| self.expr(a, at));
                object.iter().for_each(|o| self.set(o, at));
            }
            _ => self.expr(place, at),
        }
    }

    /// An argument, by how it is passed.
    fn passed(&mut self, arg: &Expr, dir: Dir, at: &mut Locals) {
        match dir {
            Dir::In => self.expr(arg, at),
            Dir::Out | Dir::InOut => self.set(arg, at),
        }
    }

    /// Warns about the use of a variable that nothing has set.
    fn read(&mut self, l: LocalId, span: Span, passed_to: Option<(FuncId, usize)>, at: &Locals) {
        if self.dry || !at.contains(&l) || self.reported.contains(&l) {
            return;
        }
        if passed_to.is_none() {
            self.reported.push(l);
        }
        let (name, declared) = (self.locals[l.0 as usize].name, Some(self.locals[l.0 as usize].span));
        let text = format!("`{name}` is used before it is set: it is zero");
        self.checker.noted.late.push(Late { code: codes::W0248, span, text, declared, passed_to });
    }
}

/// Whether this is what a function returns that has thrown.
fn is_failure(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Construct(parts) => {
            matches!(parts.last().map(|p| &p.kind), Some(ExprKind::Const(Const::Bool(true)))) && parts.len() > 1
        }
        _ => false,
    }
}
