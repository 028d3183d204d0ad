//! Generates statements and functions.

use super::super::tree::{Arg, Compare, Expr, Func, Kind, Mode, Num, Op, Place, Stmt, Ty, UINT};
use super::expr::Use;
use super::{Generator, Seen};

/// The depth of expressions.
const DEPTH: usize = 3;

impl Generator {
    fn fresh(&mut self, ty: Ty) -> usize {
        self.p.vars.push(ty);
        self.p.vars.len() - 1
    }

    fn see(&mut self, var: usize) {
        self.scope.push(Seen { var, writable: true, addressable: true });
    }

    /// A type for a variable.
    fn variable_ty(&mut self) -> Ty {
        match self.rng.below(10) {
            0..=3 => Ty::pointer(&self.data()),
            4 => Ty::Array(Box::new(self.data()), 2 + self.rng.below(3)),
            5 => Ty::Array(Box::new(Ty::pointer(&self.data())), 2),
            _ => self.data(),
        }
    }

    pub(super) fn declare(&mut self, out: &mut Vec<Stmt>) {
        let ty = self.variable_ty();
        let leads = self.p.holds(&ty, &|t| matches!(t, Ty::Ptr(_)));
        let bare = self.rng.one_in(5) && !(self.tame && leads);
        let value = if bare { None } else { self.expr(&ty, DEPTH) };
        if self.tame && leads && value.is_none() {
            return;
        }
        let var = self.fresh(ty.clone());
        let bare = value.is_none();
        out.push(Stmt::Let(var, value));
        self.see(var);
        if bare && self.rng.one_in(2) {
            self.fill(Place::Var(var), &ty, out);
        }
    }

    /// Sets a random part of a variable.
    fn fill(&mut self, place: Place, ty: &Ty, out: &mut Vec<Stmt>) {
        let (place, ty) = match ty {
            Ty::Array(elem, count) => {
                let at = Expr::Lit(Num::I32, self.rng.below(*count) as u64);
                (Place::Index(Box::new(place), Box::new(at)), (**elem).clone())
            }
            Ty::Struct(s) => {
                let field = self.rng.below(self.p.fields(*s).len());
                (Place::Field(Box::new(place), field), self.p.fields(*s)[field].clone())
            }
            ty => (place, ty.clone()),
        };
        if let Some(value) = self.expr(&ty, DEPTH) {
            out.push(Stmt::Store(place, value));
        }
    }

    /// A type for a value that is written.
    fn written_ty(&mut self) -> Ty {
        match self.rng.below(8) {
            0 => Ty::pointer(&self.data()),
            1 | 2 => Ty::Num(self.num()),
            _ => self.data(),
        }
    }

    /// Shows a value at the end of the program. Functions have no sum.
    pub(super) fn note(&mut self, out: &mut Vec<Stmt>) {
        if !self.in_main {
            return;
        }
        let num = if self.rng.one_in(3) { self.num() } else { Num::U32 };
        if let Some(place) = self.place(&Ty::Num(num), Use::Read, DEPTH) {
            self.show(num, Expr::Load(Box::new(place)), out);
        }
    }

    fn block(&mut self, most: usize) -> Vec<Stmt> {
        let (mut out, seen) = (Vec::new(), self.scope.len());
        for _ in 0..1 + self.rng.below(most) {
            self.stmt(&mut out);
        }
        self.scope.truncate(seen);
        out
    }

    fn looped(&mut self) -> Vec<Stmt> {
        self.loops += 1;
        let out = self.block(3);
        self.loops -= 1;
        out
    }

    fn counter(&mut self) -> usize {
        let var = self.fresh(super::super::tree::INT);
        self.scope.push(Seen { var, writable: false, addressable: false });
        var
    }

    pub(super) fn stmt(&mut self, out: &mut Vec<Stmt>) {
        if self.budget == 0 {
            return self.note(out);
        }
        self.budget -= 1;
        match self.rng.below(30) {
            0..=3 => self.declare(out),
            4..=9 => {
                let ty = self.written_ty();
                if let Some(to) = self.place(&ty, Use::Write, DEPTH)
                    && let Some(value) = self.expr(&ty, DEPTH)
                {
                    out.push(Stmt::Store(to, value));
                }
            }
            10..=12 => {
                let mut num = self.num();
                while !num.computes() {
                    num = self.num();
                }
                if let Some(to) = self.place(&Ty::Num(num), Use::Write, DEPTH) {
                    let op = self.op(num);
                    // Only expressions have shifts by an amount.
                    let op = if matches!(op, Op::Shl | Op::Shr) { Op::Add } else { op };
                    let value = self.expr(&Ty::Num(num), DEPTH - 1);
                    out.extend(value.map(|v| Stmt::Update(op, to, v)));
                }
            }
            13 => {
                let ty = self.data();
                if self.p.is_plain(&ty)
                    && let Some((g, at)) = self.bytes(&ty, true, DEPTH)
                    && let Some(value) = self.expr(&ty, DEPTH)
                {
                    out.push(Stmt::StoreBytes(g, ty, at, value));
                }
            }
            14 => {
                let ty = if self.rng.one_in(2) { UINT } else { super::super::tree::INT };
                // Local variables have no atomic updates.
                if let Some(to) = self.place(&ty, Use::Write, DEPTH).filter(|p| self.p.is_shared(p))
                    && let Some(value) = self.expr(&ty, DEPTH - 1)
                {
                    let old = self.fresh(ty);
                    out.push(Stmt::Atomic(to, value, old));
                    self.see(old);
                }
            }
            15 | 16 if self.loops < 2 => {
                let condition = self.condition(DEPTH);
                let yes = self.block(3);
                let no = if self.rng.one_in(2) { self.block(2) } else { Vec::new() };
                out.push(Stmt::If(condition, yes, no));
            }
            17 | 18 if self.loops < 2 => {
                let (seen, count) = (self.scope.len(), 1 + self.rng.below(4));
                let var = self.counter();
                let body = self.looped();
                self.scope.truncate(seen);
                out.push(Stmt::For(var, count, body));
            }
            19 | 20 if self.loops < 2 => {
                let condition = self.condition(DEPTH);
                let count = 2 + self.rng.below(4);
                let var = self.counter();
                let body = self.looped();
                out.push(Stmt::While(condition, var, count, body));
            }
            21 if self.loops > 0 => {
                let condition = self.condition(DEPTH - 1);
                out.push(if self.rng.one_in(2) { Stmt::Break(condition) } else { Stmt::Continue(condition) });
            }
            21 | 22 => self.call(out),
            23..=25 => self.alias(out),
            27 => self.constructed(out),
            28 if self.is_single() => self.tail(out),
            26 if !self.in_main => {
                let value = self.ret.clone().map(|ty| self.expr(&ty, 2));
                if value != Some(None) {
                    let condition = self.condition(2);
                    out.push(Stmt::Leave(condition, value.flatten()));
                }
            }
            _ => self.note(out),
        }
    }

    /// A variable of the struct that inherits, with its initial value.
    fn constructed(&mut self, out: &mut Vec<Stmt>) {
        let Some(s) = self.inheriting else { return };
        let own = self.p.fields(s)[1..].to_vec();
        let args: Option<Vec<Expr>> = own.iter().map(|ty| self.expr(ty, DEPTH - 1)).collect();
        let Some(args) = args else { return };
        let var = self.fresh(Ty::Struct(s));
        out.push(Stmt::Let(var, Some(Expr::New(s, args))));
        self.see(var);
        self.show_part(var, out);
    }

    /// Elements of an array without a size, in the memory behind a pointer of the program.
    fn tail(&mut self, out: &mut Vec<Stmt>) {
        let pointers = |g: &usize| self.p.globals[*g].kind == Kind::Pointer;
        let pointers: Vec<usize> = (0..self.p.globals.len()).filter(pointers).collect();
        let (Some(s), Some(&g)) = (self.tailed, self.rng.pick(&pointers)) else { return };
        let last = self.p.fields(s).len() - 1;
        let Some(Ty::Array(elem, _)) = self.p.fields(s).last().cloned() else { return };
        let Some(num) = elem.num() else { return };
        let pointer = Expr::PointerCast(Ty::Struct(s), Box::new(Expr::Param(g)));
        let array = Place::Field(Box::new(Place::Deref(Box::new(pointer))), last);
        for _ in 0..1 + self.rng.below(3) {
            let at = Box::new(Expr::Lit(Num::I32, self.rng.below(6) as u64));
            let place = Place::Index(Box::new(array.clone()), at);
            match self.rng.below(3) {
                0 => {
                    let value = self.expr(&elem, DEPTH - 1);
                    out.extend(value.map(|v| Stmt::Store(place, v)));
                }
                _ => self.show(num, Expr::Load(Box::new(place)), out),
            }
        }
    }

    /// One place under two names, which are written and read in turn.
    fn alias(&mut self, out: &mut Vec<Stmt>) {
        let num = [Num::I32, Num::U32, Num::F32][self.rng.below(3)];
        let ty = Ty::Num(num);
        let Some(place) = self.place(&ty, Use::Address, 2) else { return };
        let pointer = self.fresh(Ty::pointer(&ty));
        out.push(Stmt::Let(pointer, Some(Expr::AddressOf(Box::new(place.clone())))));
        self.see(pointer);
        let behind = Place::Deref(Box::new(Expr::Load(Box::new(Place::Var(pointer)))));
        let names = [place, behind];
        for _ in 0..2 + self.rng.below(4) {
            let read = Expr::Load(Box::new(names[self.rng.below(2)].clone()));
            // A place with an address can be written.
            let to = names[self.rng.below(2)].clone();
            match self.rng.below(5) {
                0 | 1 => self.show(num, read, out),
                2 => {
                    let value = self.expr(&ty, 2);
                    out.extend(value.map(|v| Stmt::Store(to, v)));
                }
                3 if self.loops < 2 => {
                    let (limit, by) =
                        (self.literal(num), Expr::Lit(num, if num == Num::F32 { 0x3f80_0000 } else { 1 }));
                    let seen = self.scope.len();
                    let (var, count) = (self.counter(), 3 + self.rng.below(4));
                    let mut body = vec![Stmt::Update(Op::Add, to, by)];
                    if self.rng.one_in(3) {
                        self.loops += 1;
                        self.stmt(&mut body);
                        self.loops -= 1;
                    }
                    self.scope.truncate(seen + 1);
                    let condition = Expr::Compare(Compare::LessEqual, Box::new(read), Box::new(limit));
                    out.push(Stmt::While(condition, var, count, body));
                }
                _ => {
                    let by = self.literal(num);
                    out.push(Stmt::Update(Op::Add, to, by));
                }
            }
        }
        let read = Expr::Load(Box::new(names[self.rng.below(2)].clone()));
        self.show(num, read, out);
    }

    /// Shows a number in a variable, if there is one.
    pub(super) fn show_part(&mut self, var: usize, out: &mut Vec<Stmt>) {
        let (mut place, mut ty) = (Place::Var(var), self.p.vars[var].clone());
        loop {
            (place, ty) = match ty {
                Ty::Num(num) => return self.show(num, Expr::Load(Box::new(place)), out),
                Ty::Ptr(_) => return,
                Ty::Struct(s) => {
                    let field = self.rng.below(self.p.fields(s).len());
                    (Place::Field(Box::new(place), field), self.p.fields(s)[field].clone())
                }
                Ty::Array(elem, count) => (self.part(place, count), *elem),
                Ty::Vec(num, count) => (self.part(place, count), Ty::Num(num)),
            };
        }
    }

    fn part(&mut self, of: Place, count: usize) -> Place {
        Place::Index(Box::new(of), Box::new(Expr::Lit(Num::I32, self.rng.below(count) as u64)))
    }

    /// Makes a number count: in the sum, or in a function by storing it somewhere.
    fn show(&mut self, num: Num, value: Expr, out: &mut Vec<Stmt>) {
        if self.in_main {
            let value = Box::new(value);
            out.push(Stmt::Note(match num {
                Num::U32 => *value,
                Num::F32 => Expr::Bits(Num::U32, value),
                _ => Expr::Cast(Num::U32, value),
            }));
        } else if let Some(to) = self.place(&Ty::Num(num), Use::Write, 1) {
            out.push(Stmt::Store(to, value));
        }
    }

    fn call(&mut self, out: &mut Vec<Stmt>) {
        let Some(f) = (0..self.p.funcs.len()).nth(self.rng.below(self.p.funcs.len())) else { return };
        let (params, ret) = (self.p.funcs[f].params.clone(), self.p.funcs[f].ret.clone());
        let mut args = Vec::new();
        for (v, mode) in params {
            let ty = self.p.vars[v].clone();
            let arg = match mode {
                Mode::In => self.expr(&ty, DEPTH).map(Arg::In),
                _ => self.place(&ty, Use::Write, DEPTH - 1).map(Arg::To),
            };
            match arg {
                Some(arg) => args.push(arg),
                None => return,
            }
        }
        let to = ret.map(|ty| self.fresh(ty));
        out.push(Stmt::Call(to, f, args));
        to.into_iter().for_each(|v| self.see(v));
    }

    pub(super) fn function(&mut self) {
        self.in_main = false;
        self.scope.clear();
        let mut params = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let ty = if self.rng.one_in(2) { Ty::pointer(&self.data()) } else { self.variable_ty() };
            let mode = match self.rng.below(5) {
                0 if !self.tame => Mode::Out,
                1 => Mode::InOut,
                _ => Mode::In,
            };
            let var = self.fresh(ty);
            params.push((var, mode));
            self.scope.push(Seen { var, writable: true, addressable: mode == Mode::In });
        }
        let ret = match self.rng.below(4) {
            0 => None,
            1 => Some(Ty::pointer(&self.data())),
            _ => Some(self.data()),
        };
        // If no value of the type can be made, the function has no result.
        let first = ret.as_ref().and_then(|ty| self.expr(ty, DEPTH));
        let ret = first.as_ref().and(ret);
        self.ret = ret.clone();
        let mut body = Vec::new();
        while self.budget > 0 {
            self.stmt(&mut body);
        }
        let result = ret.as_ref().and_then(|ty| self.expr(ty, DEPTH)).or(first);
        self.p.funcs.push(Func { params, ret, body, result });
    }
}
