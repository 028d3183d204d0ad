//! The meaning of a program about memory: a second evaluator, which shares nothing with the
//! compiler. Memory is bytes, a pointer is a number, and every access goes to memory.
//!
//! Behaviour that the language does not define ends the evaluation: reading padding, reading a
//! pointer's bytes as a number, accessing a variable that no longer exists, or two threads that
//! access one byte without a barrier between them. Such programs are not compared.

use super::layout::POINTER;
use super::tree::{Arg, Compare, Expr, Func, Kind, Mode, Num, Op, Place, Program, Stmt, Ty};
use std::collections::HashMap;

/// The most statements and loop iterations of a program.
const STEPS: usize = 100_000;
/// The deepest nesting of calls.
const CALLS: usize = 64;
/// The number of bits of a pointer that are the offset in an object.
const OFFSET_BITS: u32 = 40;

/// A byte of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    Byte(u8),
    /// A byte of a pointer, whose numeric value is not defined.
    Pointer(u8),
    /// Padding that was written as a part of something.
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The language does not define the result.
    Open(&'static str),
    /// The program takes too long.
    Steps,
    /// The tree is no program, because an edit removed something that it needs.
    Nonsense,
}

/// The final state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The contents of bound global variables; empty for others.
    pub globals: Vec<Vec<Cell>>,
    /// The sums of the threads.
    pub sums: Vec<u32>,
    /// The number of accesses that were out of range.
    pub outside: usize,
}

type Value = Vec<Cell>;
type Done<T> = Result<T, Stop>;

/// The threads that accessed a byte since the last barrier.
#[derive(Clone, Copy, Default)]
struct Seen {
    writer: Option<usize>,
    reader: Option<usize>,
    readers: bool,
}

struct Object {
    cells: Vec<Cell>,
    alive: bool,
    writable: bool,
    /// For memory that several threads see.
    seen: Option<Vec<Seen>>,
}

#[derive(Clone, Copy)]
enum Location {
    Nowhere,
    /// An object, and the offset in it.
    At(usize, i64),
}

enum Flow {
    Next,
    Break,
    Continue,
    /// Leaves the function with this result.
    Leave(Option<Value>),
}

#[derive(Default)]
struct Thread {
    number: usize,
    sum: u32,
    /// The objects of variables.
    vars: HashMap<usize, usize>,
    statics: HashMap<usize, usize>,
}

struct Judge<'p> {
    p: &'p Program,
    objects: Vec<Object>,
    /// The objects of the global variables that all threads see.
    globals: HashMap<usize, usize>,
    shared: HashMap<usize, usize>,
    thread: Thread,
    steps: usize,
    calls: usize,
    outside: usize,
}

/// Runs all threads.
pub fn judge(p: &Program) -> Done<End> {
    let mut j = Judge {
        p,
        objects: Vec::new(),
        globals: HashMap::new(),
        shared: HashMap::new(),
        thread: Thread::default(),
        steps: 0,
        calls: 0,
        outside: 0,
    };
    for (g, global) in p.globals.iter().enumerate() {
        let writable = !matches!(global.kind, Kind::Structured(false) | Kind::Bytes(false));
        if !matches!(global.kind, Kind::Shared | Kind::Static) {
            let cells: Vec<Cell> = global.contents.iter().map(|&b| Cell::Byte(b)).collect();
            let seen = Some(vec![Seen::default(); cells.len()]);
            j.objects.push(Object { cells, alive: true, writable, seen });
            j.globals.insert(g, j.objects.len() - 1);
        }
    }
    let mut sums = Vec::new();
    for group in 0..p.groups {
        for (g, global) in p.globals.iter().enumerate().filter(|(_, g)| g.kind == Kind::Shared) {
            let object = j.variable(&global.ty, None);
            j.objects[object].seen = Some(vec![Seen::default(); j.objects[object].cells.len()]);
            j.shared.insert(g, object);
        }
        let mut threads: Vec<Thread> = Vec::new();
        for t in 0..p.threads {
            let mut thread = Thread { number: group * p.threads + t, ..Thread::default() };
            for (g, global) in p.globals.iter().enumerate().filter(|(_, g)| g.kind == Kind::Static) {
                thread.statics.insert(g, j.variable(&global.ty, None));
            }
            threads.push(thread);
        }
        for phase in p.main.chunk_by(|a, _| !matches!(a, Stmt::Barrier(_))) {
            for thread in &mut threads {
                std::mem::swap(thread, &mut j.thread);
                let mut scope = Vec::new();
                let flow = j.stmts(phase, &mut scope);
                std::mem::swap(thread, &mut j.thread);
                flow?;
            }
            if let Some(Stmt::Barrier(all)) = phase.last() {
                j.pass(*all);
            }
        }
        sums.extend(threads.iter().map(|t| t.sum));
    }
    let globals = (0..p.globals.len()).map(|g| match j.globals.get(&g) {
        Some(&object) => j.objects[object].cells.clone(),
        None => Vec::new(),
    });
    Ok(End { globals: globals.collect(), sums, outside: j.outside })
}

impl Judge<'_> {
    /// Records that all threads of a group have reached a barrier.
    fn pass(&mut self, all: bool) {
        let mut ordered: Vec<usize> = self.shared.values().copied().collect();
        if all && self.p.groups == 1 {
            ordered.extend(self.globals.values());
        }
        for object in ordered {
            if let Some(seen) = &mut self.objects[object].seen {
                seen.fill(Seen::default());
            }
        }
    }

    /// Makes an object for a new variable.
    fn variable(&mut self, ty: &Ty, value: Option<Value>) -> usize {
        let cells = value.unwrap_or_else(|| self.zero(ty));
        self.objects.push(Object { cells, alive: true, writable: true, seen: None });
        self.objects.len() - 1
    }

    fn zero(&self, ty: &Ty) -> Value {
        self.whole(ty, &vec![Cell::Byte(0); self.p.layout(ty).size])
    }

    /// The bytes of a value that a copy transfers: all except padding.
    fn whole(&self, ty: &Ty, cells: &[Cell]) -> Value {
        let mut out = vec![Cell::Unknown; cells.len()];
        for (at, leaf) in self.leaves(ty) {
            let size = self.p.layout(&leaf).size;
            out[at..at + size].copy_from_slice(&cells[at..at + size]);
        }
        out
    }

    fn leaves(&self, ty: &Ty) -> Vec<(usize, Ty)> {
        let mut out = Vec::new();
        self.p.leaves(ty, 0, &mut out);
        out
    }

    /// The range of bytes of an access; `None` if it is out of range.
    fn access(&mut self, at: Location, size: usize, write: bool) -> Done<Option<(usize, usize)>> {
        let Location::At(object, offset) = at else {
            self.outside += 1;
            return Ok(None);
        };
        let Some(o) = self.objects.get_mut(object) else { return Ok(None) };
        let there = |from: i64, to: i64| from >= 0 && to <= o.cells.len() as i64;
        if !there(offset, offset + size as i64) {
            self.outside += 1;
            return Ok(None);
        }
        if !o.alive {
            return Err(Stop::Open("a variable that is gone"));
        }
        if write && !o.writable {
            return Err(Stop::Nonsense);
        }
        let (from, me) = (offset as usize, self.thread.number);
        for seen in o.seen.iter_mut().flat_map(|s| &mut s[from..from + size]) {
            let other = |who: Option<usize>| who.is_some_and(|w| w != me);
            if other(seen.writer) || write && (other(seen.reader) || seen.readers) {
                return Err(Stop::Open("threads that do not wait for each other"));
            }
            if write {
                seen.writer = Some(me);
            } else {
                seen.readers |= other(seen.reader);
                seen.reader = Some(me);
            }
        }
        Ok(Some((object, from)))
    }

    /// The bytes at a location, without counting as an access.
    fn raw(&self, at: Location, ty: &Ty) -> Option<Value> {
        let Location::At(object, offset) = at else { return None };
        let from = usize::try_from(offset).ok()?;
        self.objects.get(object)?.cells.get(from..from + self.p.layout(ty).size).map(<[Cell]>::to_vec)
    }

    fn load(&mut self, at: Location, ty: &Ty) -> Done<Value> {
        let size = self.p.layout(ty).size;
        let Some((object, from)) = self.access(at, size, false)? else { return Ok(self.zero(ty)) };
        let cells = self.objects[object].cells[from..from + size].to_vec();
        for (at, leaf) in self.leaves(ty) {
            let part = &cells[at..at + self.p.layout(&leaf).size];
            let byte = |c: &Cell| matches!(c, Cell::Byte(_));
            match leaf {
                Ty::Ptr(_) if part.iter().all(|c| matches!(c, Cell::Pointer(_))) => {}
                Ty::Ptr(_) if part.iter().all(|c| *c == Cell::Byte(0)) => {}
                Ty::Ptr(_) => return Err(Stop::Open("a number as a pointer")),
                Ty::Num(Num::Bool) if part[0] != Cell::Byte(0) && part[0] != Cell::Byte(1) => {
                    return Err(Stop::Open("a bool that is neither"));
                }
                _ if part.iter().all(byte) => {}
                _ => return Err(Stop::Open("padding or a pointer as a number")),
            }
        }
        Ok(self.whole(ty, &cells))
    }

    fn store(&mut self, at: Location, value: &[Cell]) -> Done<()> {
        if let Some((object, from)) = self.access(at, value.len(), true)? {
            self.objects[object].cells[from..from + value.len()].copy_from_slice(value);
        }
        Ok(())
    }

    fn place(&mut self, place: &Place) -> Done<Location> {
        let whole = |object: Option<&usize>| match object {
            Some(&o) => Ok(Location::At(o, 0)),
            None => Err(Stop::Nonsense),
        };
        match place {
            Place::Var(v) => whole(self.thread.vars.get(v)),
            Place::Global(g) => whole(self.shared.get(g).or(self.thread.statics.get(g))),
            Place::Element(g, at) => {
                let (index, stride) = (self.index(at)?, self.p.layout(&self.ty_of(place)?).size as i64);
                let &object = self.globals.get(g).ok_or(Stop::Nonsense)?;
                let count = self.objects[object].cells.len() as i64 / stride.max(1);
                let inside = (0..count).contains(&index);
                Ok(if inside { Location::At(object, index * stride) } else { Location::Nowhere })
            }
            Place::Deref(p) => Ok(follow(self.pointer(p)?)),
            Place::At(p, at) => {
                let size = self.p.layout(&self.ty_of(place)?).size;
                let address = self.pointer(p)?.wrapping_add((self.index(at)? as u64).wrapping_mul(size as u64));
                Ok(follow(address))
            }
            Place::Field(of, n) => {
                let Ty::Struct(s) = self.ty_of(of)? else { return Err(Stop::Nonsense) };
                let at = self.place(of)?;
                Ok(moved(at, self.p.field_offset(s, *n)))
            }
            Place::Index(of, at) => {
                let stride = self.p.layout(&self.ty_of(place)?).size;
                let count = match self.ty_of(of)? {
                    // An array without a size ends where the bound data end.
                    Ty::Array(_, 0) => i64::from(i32::MAX),
                    Ty::Array(_, count) | Ty::Vec(_, count) => count as i64,
                    _ => return Err(Stop::Nonsense),
                };
                let (of, index) = (self.place(of)?, self.index(at)?);
                Ok(if (0..count).contains(&index) { moved(of, index as usize * stride) } else { Location::Nowhere })
            }
        }
    }

    fn ty_of(&self, place: &Place) -> Done<Ty> {
        self.p.place_ty(place).ok_or(Stop::Nonsense)
    }
    fn expr_ty(&self, expr: &Expr) -> Done<Ty> {
        self.p.expr_ty(expr).ok_or(Stop::Nonsense)
    }
    fn num_ty(&self, expr: &Expr) -> Done<Num> {
        self.expr_ty(expr)?.num().ok_or(Stop::Nonsense)
    }

    /// The bits of a number.
    fn bits(&mut self, expr: &Expr) -> Done<u64> {
        let value = self.expr(expr)?;
        number(&value).ok_or(Stop::Nonsense)
    }
    fn index(&mut self, expr: &Expr) -> Done<i64> {
        match self.num_ty(expr)? {
            Num::I32 => Ok(i64::from(self.bits(expr)? as i32)),
            Num::U32 => Ok(self.bits(expr)? as i64),
            _ => Err(Stop::Nonsense),
        }
    }
    fn truth(&mut self, expr: &Expr) -> Done<bool> {
        Ok(self.bits(expr)? != 0)
    }
    fn pointer(&mut self, expr: &Expr) -> Done<u64> {
        let value = self.expr(expr)?;
        Ok(value.iter().rev().fold(0, |sum, c| match c {
            Cell::Byte(b) | Cell::Pointer(b) => sum << 8 | u64::from(*b),
            Cell::Unknown => sum << 8,
        }))
    }

    fn expr(&mut self, expr: &Expr) -> Done<Value> {
        Ok(match expr {
            Expr::Lit(num, bits) => number_cells(*num, *bits),
            Expr::Thread => number_cells(Num::I32, self.thread.number as u64),
            Expr::Load(place) => {
                let ty = self.ty_of(place)?;
                let at = self.place(place)?;
                self.load(at, &ty)?
            }
            Expr::Param(g) => pointer_cells(address(*self.globals.get(g).ok_or(Stop::Nonsense)?, 0)),
            Expr::Bin(op, a, b) => {
                let ty = self.expr_ty(a)?;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                computed(*op, &ty, &a, &b).ok_or(Stop::Nonsense)?
            }
            Expr::Compare(how, a, b) => {
                let num = self.num_ty(a)?;
                let (a, b) = (self.bits(a)?, self.bits(b)?);
                number_cells(Num::Bool, u64::from(compared(*how, num, a, b)))
            }
            Expr::Choose(c, a, b) => {
                let chosen = if self.truth(c)? { a } else { b };
                self.expr(chosen)?
            }
            Expr::Cast(to, e) => {
                let (from, bits) = (self.num_ty(e)?, self.bits(e)?);
                if from == Num::F32 && !fits(*to, f32::from_bits(bits as u32)) {
                    return Err(Stop::Open("a number that an integer type does not hold"));
                }
                number_cells(*to, cast(*to, from, bits))
            }
            Expr::Bits(to, e) => number_cells(*to, self.bits(e)?),
            Expr::New(s, args) => {
                let mut whole = self.zero(&Ty::Struct(*s));
                let fields = self.p.fields(*s);
                let Some(Ty::Struct(base)) = fields.first() else { return Err(Stop::Nonsense) };
                for (n, bits) in self.p.structs.get(*base).iter().flat_map(|b| b.defaults.iter().enumerate()) {
                    if let (Some(bits), Some(num)) = (bits, self.p.fields(*base)[n].num()) {
                        put(&mut whole, self.p.field_offset(*base, n), &number_cells(num, *bits));
                    }
                }
                for (n, arg) in args.iter().enumerate() {
                    let value = self.expr(arg)?;
                    put(&mut whole, self.p.field_offset(*s, n + 1), &value);
                }
                whole
            }
            Expr::Make(_, parts) => {
                let mut out = Vec::new();
                for part in parts {
                    out.extend(self.expr(part)?);
                }
                out
            }
            Expr::AddressOf(place) => match self.place(place)? {
                Location::At(object, offset) => pointer_cells(address(object, offset)),
                Location::Nowhere => return Err(Stop::Open("the address of what is not there")),
            },
            Expr::Step(p, by) => {
                let ty = self.expr_ty(p)?;
                let size = self.p.layout(ty.pointee().ok_or(Stop::Nonsense)?).size as u64;
                let by = self.index(by)? as u64;
                let from = self.pointer(p)?;
                if from >> OFFSET_BITS == 0 {
                    return Err(Stop::Open("a null pointer that moves"));
                }
                pointer_cells(from.wrapping_add(by.wrapping_mul(size)))
            }
            Expr::PointerCast(_, p) => self.expr(p)?,
            Expr::Null(_) => vec![Cell::Byte(0); POINTER],
            Expr::SamePointer(a, b) => {
                let same = self.pointer(a)? == self.pointer(b)?;
                number_cells(Num::Bool, u64::from(same))
            }
            Expr::Bytes(g, ty, at) => {
                let at = self.bits(at)? as u32;
                let at = self.bytes(*g, ty, at)?;
                self.load(at, ty)?
            }
        })
    }

    /// The location of a value in a byte-address buffer.
    fn bytes(&self, g: usize, ty: &Ty, at: u32) -> Done<Location> {
        let &object = self.globals.get(&g).ok_or(Stop::Nonsense)?;
        let layout = self.p.layout(ty);
        if !(at as usize).is_multiple_of(layout.align) {
            return Err(Stop::Open("a value that is not aligned in a byte-address buffer"));
        }
        let (from, there) = (at as usize, self.objects[object].cells.len());
        if from < there && from + layout.size > there {
            return Err(Stop::Open("a value that is there in part"));
        }
        Ok(Location::At(object, i64::from(at)))
    }

    fn step(&mut self) -> Done<()> {
        self.steps += 1;
        if self.steps > STEPS { Err(Stop::Steps) } else { Ok(()) }
    }

    fn stmts(&mut self, stmts: &[Stmt], scope: &mut Vec<usize>) -> Done<Flow> {
        for stmt in stmts {
            self.step()?;
            match self.stmt(stmt, scope)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// Executes a block, whose variables end with it.
    fn block(&mut self, stmts: &[Stmt]) -> Done<Flow> {
        let mut scope = Vec::new();
        let flow = self.stmts(stmts, &mut scope);
        self.end(&scope);
        flow
    }

    fn end(&mut self, scope: &[usize]) {
        scope.iter().for_each(|&o| self.objects[o].alive = false);
    }

    fn declare(&mut self, v: usize, value: Option<Value>, scope: &mut Vec<usize>) -> Done<usize> {
        let ty = self.p.vars.get(v).ok_or(Stop::Nonsense)?;
        let object = self.variable(ty, value);
        self.thread.vars.insert(v, object);
        scope.push(object);
        Ok(object)
    }

    fn stmt(&mut self, stmt: &Stmt, scope: &mut Vec<usize>) -> Done<Flow> {
        match stmt {
            Stmt::Let(v, value) => {
                let value = value.as_ref().map(|e| self.expr(e)).transpose()?;
                self.declare(*v, value, scope)?;
            }
            Stmt::Store(to, value) => {
                let (to, value) = (self.place(to)?, self.expr(value)?);
                self.store(to, &value)?;
            }
            Stmt::Update(op, to, value) => {
                let ty = self.ty_of(to)?;
                let (to, value) = (self.place(to)?, self.expr(value)?);
                let old = self.load(to, &ty)?;
                let new = computed(*op, &ty, &old, &value).ok_or(Stop::Nonsense)?;
                self.store(to, &new)?;
            }
            Stmt::StoreBytes(g, ty, at, value) => {
                let (at, value) = (self.bits(at)? as u32, self.expr(value)?);
                let at = self.bytes(*g, ty, at)?;
                self.store(at, &value)?;
            }
            Stmt::Atomic(to, value, old) => {
                let ty = self.ty_of(to)?;
                let (to, value) = (self.place(to)?, self.expr(value)?);
                // The low bits of an address are ignored if it is not a multiple of the number's
                // size.
                let size = self.p.layout(&ty).size;
                let to = match (to, self.access(to, size, true)?) {
                    (Location::At(object, at), Some(_)) => Location::At(object, at - at.rem_euclid(size as i64)),
                    _ => to,
                };
                let before = self.load(to, &ty)?;
                let new = computed(Op::Add, &ty, &before, &value).ok_or(Stop::Nonsense)?;
                self.store(to, &new)?;
                self.declare(*old, Some(before), scope)?;
            }
            Stmt::If(condition, yes, no) => {
                let branch = if self.truth(condition)? { yes } else { no };
                return self.block(branch);
            }
            Stmt::For(v, count, body) => {
                let mut own = Vec::new();
                let counter = self.declare(*v, None, &mut own)?;
                let flow = self.iterations(counter, *count, None, body)?;
                self.end(&own);
                return Ok(flow);
            }
            Stmt::While(condition, v, count, body) => {
                let counter = self.declare(*v, None, scope)?;
                return self.iterations(counter, *count, Some(condition), body);
            }
            Stmt::Break(condition) => {
                if self.truth(condition)? {
                    return Ok(Flow::Break);
                }
            }
            Stmt::Continue(condition) => {
                if self.truth(condition)? {
                    return Ok(Flow::Continue);
                }
            }
            Stmt::Leave(condition, value) => {
                if self.truth(condition)? {
                    return Ok(Flow::Leave(value.as_ref().map(|e| self.expr(e)).transpose()?));
                }
            }
            Stmt::Call(to, f, args) => {
                let f = self.p.funcs.get(*f).ok_or(Stop::Nonsense)?;
                let result = self.call(f, args)?;
                if let (Some(v), Some(value)) = (to, result) {
                    self.declare(*v, Some(value), scope)?;
                }
            }
            Stmt::Barrier(_) => {}
            Stmt::Note(value) => {
                let value = self.bits(value)? as u32;
                self.thread.sum = self.thread.sum.wrapping_mul(31).wrapping_add(value);
            }
        }
        Ok(Flow::Next)
    }

    /// A loop of at most `count` iterations. If it has a condition, the counter is incremented
    /// before the body.
    fn iterations(&mut self, counter: usize, count: usize, condition: Option<&Expr>, body: &[Stmt]) -> Done<Flow> {
        for i in 0..count {
            self.step()?;
            if let Some(condition) = condition
                && !self.truth(condition)?
            {
                break;
            }
            let number = i as u64 + u64::from(condition.is_some());
            self.objects[counter].cells = number_cells(Num::I32, number);
            match self.block(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                leave => return Ok(leave),
            }
        }
        Ok(Flow::Next)
    }

    fn call(&mut self, f: &Func, args: &[Arg]) -> Done<Option<Value>> {
        if self.calls >= CALLS {
            return Err(Stop::Steps);
        }
        self.calls += 1;
        let called = self.called(f, args);
        self.calls -= 1;
        called
    }

    /// Calls a function. Arguments are copied in from left to right, and copied out in the same
    /// order, to the places that they had before the call.
    fn called(&mut self, f: &Func, args: &[Arg]) -> Done<Option<Value>> {
        let (mut scope, mut values, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for (&(v, mode), arg) in f.params.iter().zip(args) {
            let ty = self.p.vars.get(v).ok_or(Stop::Nonsense)?;
            values.push(match arg {
                Arg::In(e) => Some(self.expr(e)?),
                Arg::To(place) => {
                    let at = self.place(place)?;
                    back.push((at, v, ty, self.raw(at, ty)));
                    if mode == Mode::InOut { Some(self.load(at, ty)?) } else { None }
                }
            });
        }
        // Which part of the later one goes back is not defined where two lie in the same memory.
        let bytes = |(at, _, ty, _): &(Location, _, &Ty, _)| match *at {
            Location::At(object, from) => Some((object, from, from + self.p.layout(ty).size as i64)),
            Location::Nowhere => None,
        };
        let taken: Vec<_> = back.iter().filter_map(bytes).collect();
        let overlap =
            |(n, a): (usize, &(usize, i64, i64))| taken[..n].iter().any(|b| a.0 == b.0 && a.1 < b.2 && b.1 < a.2);
        if taken.iter().enumerate().any(overlap) {
            return Err(Stop::Open("two arguments of a call in the same memory"));
        }
        for (&(v, _), value) in f.params.iter().zip(values) {
            self.declare(v, value, &mut scope)?;
        }
        let result = match self.stmts(&f.body, &mut scope)? {
            Flow::Leave(value) => value,
            _ => f.result.as_ref().map(|e| self.expr(e)).transpose()?,
        };
        // The result of copying out is not defined if another name changed the argument during the
        // call.
        if back.iter().any(|(at, _, ty, before)| self.raw(*at, ty) != *before) {
            return Err(Stop::Open("an argument of an inout parameter that another name changes"));
        }
        for (at, v, ty, _) in back {
            let from = *self.thread.vars.get(&v).ok_or(Stop::Nonsense)?;
            let value = self.load(Location::At(from, 0), ty)?;
            self.store(at, &value)?;
        }
        self.end(&scope);
        Ok(result)
    }
}

fn put(whole: &mut [Cell], at: usize, part: &[Cell]) {
    if let Some(place) = whole.get_mut(at..at + part.len()) {
        place.copy_from_slice(part);
    }
}

fn moved(at: Location, by: usize) -> Location {
    match at {
        Location::At(object, offset) => Location::At(object, offset + by as i64),
        Location::Nowhere => Location::Nowhere,
    }
}

/// The location that a pointer points to.
fn follow(address: u64) -> Location {
    let Some(object) = (address >> OFFSET_BITS).checked_sub(1) else { return Location::Nowhere };
    let offset = (address & ((1 << OFFSET_BITS) - 1)) as i64;
    Location::At(object as usize, offset)
}

fn address(object: usize, offset: i64) -> u64 {
    ((object as u64 + 1) << OFFSET_BITS).wrapping_add(offset as u64)
}

fn number_cells(num: Num, bits: u64) -> Value {
    bits.to_le_bytes().iter().take(num.size()).map(|&b| Cell::Byte(b)).collect()
}

fn pointer_cells(address: u64) -> Value {
    address.to_le_bytes().iter().map(|&b| Cell::Pointer(b)).collect()
}

fn number(cells: &[Cell]) -> Option<u64> {
    cells.iter().rev().try_fold(0, |sum, c| match c {
        Cell::Byte(b) => Some(sum << 8 | u64::from(*b)),
        _ => None,
    })
}

/// The number as a wider signed number.
fn extended(num: Num, bits: u64) -> i128 {
    let unused = 64 - 8 * num.size() as u32;
    if num.is_signed() { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits << unused >> unused) }
}

fn computed(op: Op, ty: &Ty, a: &[Cell], b: &[Cell]) -> Option<Value> {
    match ty {
        Ty::Num(n) => Some(number_cells(*n, arithmetic(op, *n, number(a)?, number(b)?)?)),
        Ty::Vec(n, _) if *n != Num::F32 => {
            let parts = a.chunks(n.size()).zip(b.chunks(n.size()));
            let parts: Option<Vec<Value>> = parts.map(|(a, b)| computed(op, &Ty::Num(*n), a, b)).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

fn arithmetic(op: Op, num: Num, a: u64, b: u64) -> Option<u64> {
    if num == Num::F32 {
        let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let value = match op {
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            _ => return None,
        };
        return Some(u64::from(if value.is_nan() { 0.25f32.to_bits() } else { value.to_bits() }));
    }
    let amount = b as u32 & (8 * num.size() as u32 - 1);
    Some(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => a << amount,
        Op::Shr => (extended(num, a) >> amount) as u64,
    })
}

fn compared(how: Compare, num: Num, a: u64, b: u64) -> bool {
    if num == Num::F32 {
        let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        return match how {
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
        };
    }
    let (a, b) = (extended(num, a), extended(num, b));
    match how {
        Compare::Less => a < b,
        Compare::LessEqual => a <= b,
        Compare::Equal => a == b,
        Compare::NotEqual => a != b,
    }
}

/// Whether a type can hold the integer part of a number. If it cannot, a computed conversion
/// saturates and one of a constant wraps.
fn fits(to: Num, from: f32) -> bool {
    match to {
        Num::I32 => (-2147483648.0..2147483648.0).contains(&from),
        Num::U32 => from > -1.0 && from < 4294967296.0,
        _ => !to.is_integer(),
    }
}

fn cast(to: Num, from: Num, bits: u64) -> u64 {
    let float = f32::from_bits(bits as u32);
    match (to, from) {
        (Num::F32, Num::F32) => bits,
        (Num::F32, _) => u64::from((extended(from, bits) as f32).to_bits()),
        (Num::Bool, Num::F32) => u64::from(float != 0.0),
        (Num::Bool, _) => u64::from(extended(from, bits) != 0),
        (_, Num::F32) => float as i64 as u64,
        _ => extended(from, bits) as u64,
    }
}
