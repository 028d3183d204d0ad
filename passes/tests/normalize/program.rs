//! Random programs: a small language with every exit and access path, its meaning stated directly,
//! and a generator.

/// A deterministic source of choices.
pub struct Choices(u64);

impl Choices {
    pub fn new(seed: u64) -> Choices {
        Choices(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Number of scalar variables; the first two are the parameters' copies.
pub const SCALARS: usize = 5;
pub const ELEMENTS: usize = 4;

#[derive(Clone, Debug)]
pub enum Place {
    Scalar(usize),
    /// `array[index]`; the index may be outside.
    Element(Box<Expr>),
    /// `pair.count`
    Count,
    /// `pair.v[index]`
    Component(Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Expr {
    Const(i32),
    Read(Place),
    /// The counter of the enclosing loop `n` levels out.
    Counter(usize),
    Binary(u8, Box<Expr>, Box<Expr>),
    Choose(Box<Cond>, Box<Expr>, Box<Expr>),
    /// `place = value`, as an expression.
    Assign(Place, Box<Expr>),
    /// `bump(inout place, value, out place)`
    Bump(Place, Box<Expr>, Place),
}

#[derive(Clone, Debug)]
pub enum Cond {
    Compare(u8, Expr, Expr),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

#[derive(Clone, Debug)]
pub struct LoopStmt {
    pub test_first: bool,
    pub start: i32,
    pub limit: i32,
    pub step: i32,
    pub inclusive: bool,
    /// The counter moves in the step region, else at the beginning of the body.
    pub in_step: bool,
    pub extra: Option<Cond>,
    /// Declares a scalar of its own, shadowing this one.
    pub own: Option<usize>,
    pub unroll: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Do(Expr),
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    Loop(LoopStmt),
    /// Default, then cases 0, 1, …
    Switch(Expr, Vec<Vec<Stmt>>),
    Break,
    Continue,
    Return(Expr),
}

// ----- meaning

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub scalars: [i32; SCALARS],
    pub array: [i32; ELEMENTS],
    pub count: i32,
    pub v: [i32; 2],
}

pub struct Run {
    pub state: State,
    counters: Vec<i32>,
    fuel: u32,
}

pub enum Flow {
    Next,
    Break,
    Continue,
    Return(i32),
    OutOfFuel,
}

enum Address {
    Scalar(usize),
    Element(i32),
    Count,
    Component(i32),
}

impl Run {
    pub fn new(state: State) -> Run {
        Run { state, counters: vec![], fuel: 3000 }
    }
    fn address(&mut self, place: &Place) -> Address {
        match place {
            Place::Scalar(k) => Address::Scalar(*k),
            Place::Element(i) => Address::Element(self.expr(i)),
            Place::Count => Address::Count,
            Place::Component(i) => Address::Component(self.expr(i)),
        }
    }
    fn read(&self, a: &Address) -> i32 {
        let at = |slice: &[i32], i: i32| usize::try_from(i).ok().and_then(|i| slice.get(i)).copied().unwrap_or(0);
        match *a {
            Address::Scalar(k) => self.state.scalars[k],
            Address::Element(i) => at(&self.state.array, i),
            Address::Count => self.state.count,
            Address::Component(i) => at(&self.state.v, i),
        }
    }
    fn write(&mut self, a: &Address, value: i32) {
        let slot = match *a {
            Address::Scalar(k) => Some(&mut self.state.scalars[k]),
            Address::Element(i) => usize::try_from(i).ok().and_then(|i| self.state.array.get_mut(i)),
            Address::Count => Some(&mut self.state.count),
            Address::Component(i) => usize::try_from(i).ok().and_then(|i| self.state.v.get_mut(i)),
        };
        if let Some(slot) = slot {
            *slot = value;
        }
    }
    pub fn expr(&mut self, e: &Expr) -> i32 {
        match e {
            Expr::Const(c) => *c,
            Expr::Read(p) => {
                let a = self.address(p);
                self.read(&a)
            }
            Expr::Counter(n) => self.counters.iter().rev().nth(*n).copied().unwrap_or(0),
            Expr::Binary(op, l, r) => {
                let (l, r) = (self.expr(l), self.expr(r));
                match op {
                    0 => l.wrapping_add(r),
                    1 => l.wrapping_sub(r),
                    2 => l.wrapping_mul(r),
                    _ => l & r,
                }
            }
            Expr::Choose(c, a, b) => {
                if self.cond(c) {
                    self.expr(a)
                } else {
                    self.expr(b)
                }
            }
            Expr::Assign(p, e) => {
                let a = self.address(p);
                let value = self.expr(e);
                self.write(&a, value);
                value
            }
            Expr::Bump(p, e, out) => {
                let a = self.address(p);
                let value = self.expr(e);
                let b = self.address(out);
                let (x, z, result) = bump(self.read(&a), value);
                self.write(&a, x);
                self.write(&b, z);
                result
            }
        }
    }
    pub fn cond(&mut self, c: &Cond) -> bool {
        match c {
            Cond::Compare(p, l, r) => {
                let (l, r) = (self.expr(l), self.expr(r));
                match p {
                    0 => l < r,
                    1 => l == r,
                    _ => l >= r,
                }
            }
            Cond::And(a, b) => self.cond(a) && self.cond(b),
            Cond::Or(a, b) => self.cond(a) || self.cond(b),
        }
    }
    pub fn stmts(&mut self, list: &[Stmt]) -> Flow {
        for s in list {
            if self.fuel == 0 {
                return Flow::OutOfFuel;
            }
            self.fuel -= 1;
            let flow = match s {
                Stmt::Do(e) => {
                    self.expr(e);
                    Flow::Next
                }
                Stmt::If(c, a, b) => {
                    let arm = if self.cond(c) { a } else { b };
                    self.stmts(arm)
                }
                Stmt::Loop(l) => self.looped(l),
                Stmt::Switch(e, arms) => {
                    let v = self.expr(e);
                    let arm = usize::try_from(v).ok().filter(|&v| v + 1 < arms.len()).map_or(0, |v| v + 1);
                    match self.stmts(&arms[arm]) {
                        Flow::Break => Flow::Next,
                        other => other,
                    }
                }
                Stmt::Break => Flow::Break,
                Stmt::Continue => Flow::Continue,
                Stmt::Return(e) => Flow::Return(self.expr(e)),
            };
            if !matches!(flow, Flow::Next) {
                return flow;
            }
        }
        Flow::Next
    }
    fn looped(&mut self, l: &LoopStmt) -> Flow {
        self.counters.push(l.start);
        let depth = self.counters.len() - 1;
        let mut first = true;
        let result = loop {
            if self.fuel == 0 {
                break Flow::OutOfFuel;
            }
            self.fuel -= 1;
            if (l.test_first || !first) && !self.goes_on(l, depth) {
                break Flow::Next;
            }
            first = false;
            let hidden = l.own.map(|k| (k, std::mem::take(&mut self.state.scalars[k])));
            if !l.in_step {
                self.counters[depth] = self.counters[depth].wrapping_add(l.step);
            }
            let flow = self.stmts(&l.body);
            if let Some((k, value)) = hidden {
                self.state.scalars[k] = value;
            }
            match flow {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break Flow::Next,
                other => break other,
            }
            if l.in_step {
                self.counters[depth] = self.counters[depth].wrapping_add(l.step);
            }
        };
        self.counters.pop();
        result
    }
    fn goes_on(&mut self, l: &LoopStmt, depth: usize) -> bool {
        let i = self.counters[depth];
        let counts = match (l.step > 0, l.inclusive) {
            (true, false) => i < l.limit,
            (true, true) => i <= l.limit,
            (false, false) => i > l.limit,
            (false, true) => i >= l.limit,
        };
        counts && l.extra.as_ref().is_none_or(|c| self.cond(c))
    }
}

/// int bump(inout int x, int y, out int z) { if (y < 0) return 7; x += y; z = x * 2; return x - 1;
/// }
fn bump(x: i32, y: i32) -> (i32, i32, i32) {
    if y < 0 {
        return (x, 0, 7);
    }
    let x = x.wrapping_add(y);
    (x, x.wrapping_mul(2), x.wrapping_sub(1))
}

// ----- generator

pub struct Generator {
    pub choices: Choices,
    loops: usize,
    /// Enclosing loops and switches, innermost last; true for loops.
    targets: Vec<bool>,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { choices: Choices::new(seed), loops: 0, targets: vec![] }
    }
    pub fn program(&mut self) -> Vec<Stmt> {
        let depth = 1 + self.choices.below(4) as usize;
        let mut body = self.stmts(depth);
        if !ends(&body) {
            let e = self.expr(2);
            body.push(Stmt::Return(e));
        }
        body
    }
    fn place(&mut self, depth: usize) -> Place {
        match self.choices.below(6) {
            0 => Place::Element(Box::new(self.index(depth))),
            1 => Place::Count,
            2 => Place::Component(Box::new(self.index(depth))),
            _ => Place::Scalar(self.choices.below(SCALARS as u64) as usize),
        }
    }
    fn index(&mut self, depth: usize) -> Expr {
        if self.choices.one_in(2) {
            Expr::Const(self.choices.below(5) as i32 - 1)
        } else {
            self.expr(depth.saturating_sub(1))
        }
    }
    fn expr(&mut self, depth: usize) -> Expr {
        let pick = if depth == 0 { self.choices.below(4) } else { self.choices.below(12) };
        match pick {
            0 => Expr::Const(self.choices.below(9) as i32 - 3),
            1 if self.loops > 0 => Expr::Counter(self.choices.below(self.loops as u64) as usize),
            1..=3 => Expr::Read(if depth == 0 {
                Place::Scalar(self.choices.below(SCALARS as u64) as usize)
            } else {
                self.place(depth - 1)
            }),
            4..=8 => {
                let op = self.choices.below(4) as u8;
                Expr::Binary(op, Box::new(self.expr(depth - 1)), Box::new(self.expr(depth - 1)))
            }
            9 => Expr::Choose(
                Box::new(self.cond(depth - 1)),
                Box::new(self.expr(depth - 1)),
                Box::new(self.expr(depth - 1)),
            ),
            10 => Expr::Assign(self.place(depth - 1), Box::new(self.expr(depth - 1))),
            _ => Expr::Bump(self.place(depth - 1), Box::new(self.expr(depth - 1)), self.place(depth - 1)),
        }
    }
    fn cond(&mut self, depth: usize) -> Cond {
        match if depth == 0 { 9 } else { self.choices.below(6) } {
            0 => Cond::And(Box::new(self.cond(depth - 1)), Box::new(self.cond(depth - 1))),
            1 => Cond::Or(Box::new(self.cond(depth - 1)), Box::new(self.cond(depth - 1))),
            _ => Cond::Compare(self.choices.below(3) as u8, self.expr(depth), self.expr(depth)),
        }
    }
    fn stmts(&mut self, depth: usize) -> Vec<Stmt> {
        let mut list = Vec::new();
        for _ in 0..1 + self.choices.below(4) {
            let s = self.stmt(depth);
            let done = matches!(s, Stmt::Break | Stmt::Continue | Stmt::Return(_));
            list.push(s);
            if done {
                break;
            }
        }
        list
    }
    fn stmt(&mut self, depth: usize) -> Stmt {
        match if depth == 0 { self.choices.below(7) } else { self.choices.below(13) } {
            0 if !self.targets.is_empty() => Stmt::Break,
            1 if self.targets.contains(&true) => Stmt::Continue,
            2 if self.choices.one_in(2) => Stmt::Return(self.expr(2)),
            7..=9 => {
                let c = self.cond(2);
                let a = self.stmts(depth - 1);
                let b = if self.choices.one_in(2) { self.stmts(depth - 1) } else { vec![] };
                Stmt::If(c, a, b)
            }
            10 | 11 => Stmt::Loop(self.looped(depth)),
            12 => {
                let e = self.expr(1);
                self.targets.push(false);
                let arms = (0..2 + self.choices.below(2)).map(|_| self.stmts(depth - 1)).collect();
                self.targets.pop();
                Stmt::Switch(e, arms)
            }
            _ => Stmt::Do(match self.choices.below(3) {
                0 => self.expr(3),
                _ => Expr::Assign(self.place(2), Box::new(self.expr(3))),
            }),
        }
    }
    fn looped(&mut self, depth: usize) -> LoopStmt {
        let up = !self.choices.one_in(3);
        let (start, distance) = (self.choices.below(5) as i32 - 2, self.choices.below(6) as i32 - 1);
        let size = 1 + self.choices.below(3) as i32;
        let limit = if up { start + distance } else { start - distance };
        self.loops += 1;
        let extra = if self.choices.one_in(3) { Some(self.cond(2)) } else { None };
        self.targets.push(true);
        let body = self.stmts(depth - 1);
        self.targets.pop();
        self.loops -= 1;
        LoopStmt {
            test_first: !self.choices.one_in(3),
            start,
            limit,
            step: if up { size } else { -size },
            inclusive: self.choices.one_in(2),
            in_step: !self.choices.one_in(4),
            unroll: extra.is_none() && self.choices.one_in(4),
            extra,
            own: self.choices.one_in(3).then(|| self.choices.below(SCALARS as u64) as usize),
            body,
        }
    }
}

/// Whether nothing can stand behind the list.
fn ends(list: &[Stmt]) -> bool {
    matches!(list.last(), Some(Stmt::Break | Stmt::Continue | Stmt::Return(_)))
}
