//! Reduces failing programs about memory by edits of the tree after which they still fail.

use super::check::{Seen, check};
use super::print::print;
use super::tree::{Arg, Expr, Place, Program, Stmt};
use crate::oracle::Failure;
use crate::shrink::signature;
use crate::soak::Running;
use std::time::{Duration, Instant};

/// A smaller program that fails in the same way.
pub(crate) fn shrink(
    program: &Program,
    seed: u64,
    failure: Failure,
    time: Duration,
    running: &Running,
) -> (Program, Failure) {
    let (mut best, mut last, name) = (program.clone(), failure, signature_of(program, seed));
    let Some((name, way)) = name else { return (best, last) };
    let start = Instant::now();
    let mut progress = true;
    while progress {
        progress = false;
        let mut n = 0;
        // After an edit is accepted, another edit has its number.
        while let Some(next) = edited(&best, n) {
            if start.elapsed() > time {
                return (best, last);
            }
            if let Some(p) = &next {
                running.is(seed, || print(p).0);
            }
            match next.map(|p| (check(&p, seed, Some(way)), p)) {
                Some((Err(f), p)) if signature(&f) == name => {
                    (best, last, progress) = (p, f, true);
                }
                _ => n += 1,
            }
        }
    }
    (best, last)
}

/// The signature of a failure, and the way that shows it alone.
fn signature_of(program: &Program, seed: u64) -> Option<(String, &'static str)> {
    super::check::WAYS.iter().find_map(|w| match check(program, seed, Some(w.name)) {
        Err(f) => Some((signature(&f), w.name)),
        Ok(Seen::Open(_) | Seen::Compared { .. }) => None,
    })
}

/// The program after its `n`-th edit; `Some(None)` if the edit changes nothing, and `None` after
/// the last edit.
pub(crate) fn edited(program: &Program, n: usize) -> Option<Option<Program>> {
    let mut p = program.clone();
    let mut edit = Edit { left: n, done: false, changed: false };
    let mut main = std::mem::take(&mut p.main);
    edit.stmts(&mut main, &p);
    for f in 0..p.funcs.len() {
        let mut func = p.funcs[f].clone();
        edit.stmts(&mut func.body, &p);
        if let Some(result) = &mut func.result {
            edit.expr(result, &p);
        }
        p.funcs[f] = func;
    }
    p.main = main;
    if edit.take() {
        // A single thread.
        edit.changed = p.threads * p.groups > 1;
        (p.threads, p.groups) = (1, 1);
    }
    for g in 0..p.globals.len() {
        let contents = p.globals[g].contents.clone();
        if edit.take() {
            edit.changed = contents.iter().any(|b| *b != 0);
            p.globals[g].contents.fill(0);
        }
    }
    if edit.done { Some(edit.changed.then_some(p)) } else { None }
}

/// Counts the places where something can be removed, and removes it at one of them.
struct Edit {
    left: usize,
    done: bool,
    changed: bool,
}

impl Edit {
    /// Whether this is the place to edit.
    fn take(&mut self) -> bool {
        if self.done {
            return false;
        }
        if self.left == 0 {
            self.done = true;
            return true;
        }
        self.left -= 1;
        false
    }

    fn stmts(&mut self, stmts: &mut Vec<Stmt>, p: &Program) {
        // Long ranges first.
        let mut size = stmts.len();
        while size >= 1 {
            for from in (0..stmts.len()).step_by(size) {
                if self.take() {
                    let to = (from + size).min(stmts.len());
                    stmts.drain(from..to);
                    self.changed = true;
                    return;
                }
            }
            size /= 2;
        }
        for at in 0..stmts.len() {
            // Replaces a statement by a block in it.
            let blocks: Vec<Vec<Stmt>> = match &stmts[at] {
                Stmt::If(_, yes, no) => vec![yes.clone(), no.clone()],
                Stmt::For(_, _, body) | Stmt::While(_, _, _, body) => vec![body.clone()],
                _ => Vec::new(),
            };
            for block in blocks {
                if self.take() {
                    stmts.splice(at..=at, block);
                    self.changed = true;
                    return;
                }
            }
        }
        for stmt in stmts {
            self.stmt(stmt, p);
            if self.done {
                return;
            }
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt, p: &Program) {
        match stmt {
            Stmt::Let(_, value) => {
                if self.take() {
                    self.changed = value.take().is_some();
                } else if let Some(value) = value {
                    self.expr(value, p);
                }
            }
            Stmt::Store(to, value) | Stmt::Update(_, to, value) | Stmt::Atomic(to, value, _) => {
                self.place(to, p);
                self.expr(value, p);
            }
            Stmt::StoreBytes(_, _, at, value) => {
                self.expr(at, p);
                self.expr(value, p);
            }
            Stmt::If(condition, yes, no) => {
                self.expr(condition, p);
                self.stmts(yes, p);
                self.stmts(no, p);
            }
            Stmt::For(_, count, body) => {
                if self.take() {
                    self.changed = *count > 1;
                    *count = (*count).saturating_sub(1).max(1);
                }
                self.stmts(body, p);
            }
            Stmt::While(condition, _, _, body) => {
                self.expr(condition, p);
                self.stmts(body, p);
            }
            Stmt::Break(e) | Stmt::Continue(e) | Stmt::Note(e) => self.expr(e, p),
            Stmt::Leave(condition, value) => {
                self.expr(condition, p);
                if let Some(value) = value {
                    self.expr(value, p);
                }
            }
            Stmt::Call(_, _, args) => {
                for arg in args {
                    match arg {
                        Arg::In(e) => self.expr(e, p),
                        Arg::To(place) => self.place(place, p),
                    }
                }
            }
            Stmt::Barrier(_) => {}
        }
    }

    fn place(&mut self, place: &mut Place, p: &Program) {
        match place {
            Place::Var(_) | Place::Global(_) => {}
            Place::Element(_, at) => self.expr(at, p),
            Place::Deref(pointer) => self.expr(pointer, p),
            Place::At(pointer, at) => {
                self.expr(pointer, p);
                self.expr(at, p);
            }
            Place::Field(of, _) => self.place(of, p),
            Place::Index(of, at) => {
                self.place(of, p);
                self.expr(at, p);
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr, p: &Program) {
        let ty = p.expr_ty(expr);
        if let Some(num) = ty.as_ref().and_then(|t| t.num())
            && !matches!(expr, Expr::Lit(_, 0 | 1))
        {
            for bits in [0, 1] {
                if self.take() {
                    *expr = Expr::Lit(num, bits);
                    self.changed = true;
                    return;
                }
            }
        }
        // Replaces an expression by a part of the same type.
        let inner: Vec<Expr> = match &*expr {
            Expr::Bin(_, a, b) | Expr::Choose(_, a, b) => vec![(**a).clone(), (**b).clone()],
            Expr::Step(a, _) | Expr::PointerCast(_, a) | Expr::Cast(_, a) | Expr::Bits(_, a) => vec![(**a).clone()],
            _ => Vec::new(),
        };
        for kid in inner.into_iter().filter(|k| p.expr_ty(k) == ty) {
            if self.take() {
                *expr = kid;
                self.changed = true;
                return;
            }
        }
        match expr {
            Expr::Lit(..) | Expr::Thread | Expr::Param(_) | Expr::Null(_) => {}
            Expr::Load(place) | Expr::AddressOf(place) => self.place(place, p),
            Expr::Bin(_, a, b) | Expr::Compare(_, a, b) | Expr::SamePointer(a, b) | Expr::Step(a, b) => {
                self.expr(a, p);
                self.expr(b, p);
            }
            Expr::Choose(c, a, b) => {
                self.expr(c, p);
                self.expr(a, p);
                self.expr(b, p);
            }
            Expr::Cast(_, e) | Expr::Bits(_, e) | Expr::PointerCast(_, e) | Expr::Bytes(_, _, e) => self.expr(e, p),
            Expr::New(_, parts) | Expr::Make(_, parts) => parts.iter_mut().for_each(|e| self.expr(e, p)),
        }
    }
}
