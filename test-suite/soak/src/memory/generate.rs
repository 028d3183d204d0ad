//! Generates random programs that write memory and read it again by other names.
//!
//! Every thread has a slice of each global variable, and mostly stays in it. The judge finds
//! threads that access the same bytes. The generator does not know the results of a program.

mod expr;
mod stmt;

use super::tree::{Global, Kind, Num, Program, Stmt, Struct, Ty};
use caustic_test_suite::random::Rng;

/// The number of elements of a global variable that belong to a thread; a power of two.
const SLICE: usize = 4;

struct Generator {
    rng: Rng,
    p: Program,
    /// The types of data.
    pool: Vec<Ty>,
    scope: Vec<Seen>,
    /// The number of statements that may still be generated.
    budget: usize,
    /// The number of loops around.
    loops: usize,
    in_main: bool,
    /// The type of the function's result.
    ret: Option<Ty>,
    /// Whether all accesses stay within bounds, so that programs can be compared with other
    /// compilers.
    tame: bool,
    /// The struct that inherits, and the struct that ends with an array without a size.
    inheriting: Option<usize>,
    tailed: Option<usize>,
}

/// A variable in scope.
#[derive(Clone, Debug)]
struct Seen {
    var: usize,
    writable: bool,
    addressable: bool,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut g = Generator {
        rng: Rng::new(seed ^ 0x3e30_12f7),
        p: Program::default(),
        pool: Vec::new(),
        scope: Vec::new(),
        budget: 0,
        loops: 0,
        in_main: false,
        ret: None,
        tame: false,
        inheriting: None,
        tailed: None,
    };
    g.tame = g.rng.one_in(3);
    (g.p.threads, g.p.groups) = match g.rng.below(5) {
        0 => (4, 1),
        1 => (20, 1),
        2 => (8, 2),
        _ => (1, 1),
    };
    g.types();
    g.globals();
    for _ in 0..g.rng.below(4) {
        g.budget = 2 + g.rng.below(6);
        g.function();
    }
    g.main();
    g.p
}

impl Generator {
    fn is_single(&self) -> bool {
        self.p.threads * self.p.groups == 1
    }

    fn num(&mut self) -> Num {
        const NARROW: [Num; 6] = [Num::I8, Num::U8, Num::I16, Num::U16, Num::I64, Num::U64];
        match self.rng.below(10) {
            0..=2 => Num::I32,
            3 | 4 => Num::U32,
            5 | 6 => Num::F32,
            n => NARROW[(n + self.rng.below(6)) % 6],
        }
    }

    fn types(&mut self) {
        for num in [Num::I32, Num::U32, Num::F32] {
            self.pool.push(Ty::Num(num));
        }
        for _ in 0..1 + self.rng.below(2) {
            let num = self.num();
            self.pool.push(Ty::Num(num));
        }
        let vectors = [Num::I32, Num::U32, Num::F32];
        for _ in 0..1 + self.rng.below(2) {
            let ty = Ty::Vec(vectors[self.rng.below(3)], 2 + self.rng.below(3));
            self.pool.push(ty);
        }
        for _ in 0..1 + self.rng.below(3) {
            let fields: Vec<Ty> = (0..1 + self.rng.below(4)).map(|_| self.field()).collect();
            self.p.structs.push(Struct { fields, ..Struct::default() });
            self.pool.push(Ty::Struct(self.p.structs.len() - 1));
        }
        if !self.tame {
            self.inherited();
            self.unsized_tail();
        }
    }

    /// Adds a struct with defaults, and a struct that inherits it. Data do not have these types,
    /// since they are not zero without an initial value.
    fn inherited(&mut self) {
        let numbers = |g: &mut Self, most| (0..1 + g.rng.below(most)).map(|_| Ty::Num(g.num())).collect::<Vec<_>>();
        let fields = numbers(self, 3);
        let defaults = fields.iter().map(|ty| ty.num().filter(|_| self.rng.below(3) > 0).map(|num| self.bits(num)));
        let defaults = defaults.collect();
        self.p.structs.push(Struct { fields, inherits: false, defaults });
        let mut fields = vec![Ty::Struct(self.p.structs.len() - 1)];
        fields.extend(numbers(self, 2));
        self.p.structs.push(Struct { fields, inherits: true, defaults: Vec::new() });
        self.inheriting = Some(self.p.structs.len() - 1);
    }

    /// Adds a struct that ends with an array without a size.
    fn unsized_tail(&mut self) {
        let mut fields: Vec<Ty> = (0..1 + self.rng.below(2)).map(|_| Ty::Num(self.wide_num())).collect();
        fields.push(Ty::Array(Box::new(Ty::Num(self.wide_num())), 0));
        self.p.structs.push(Struct { fields, ..Struct::default() });
        self.tailed = Some(self.p.structs.len() - 1);
    }

    fn wide_num(&mut self) -> Num {
        [Num::I32, Num::U32, Num::F32][self.rng.below(3)]
    }

    fn field(&mut self) -> Ty {
        match self.rng.below(16) {
            0..=3 => Ty::Array(Box::new(self.data()), 2 + self.rng.below(3)),
            4 => Ty::Num(Num::Bool),
            5 | 6 if !self.tame => Ty::pointer(&self.data()),
            7..=9 => Ty::Num(self.num()),
            _ => self.data(),
        }
    }

    /// A type of data that is no array.
    fn data(&mut self) -> Ty {
        self.rng.pick(&self.pool).cloned().unwrap_or(super::tree::INT)
    }

    fn globals(&mut self) {
        let all = self.p.threads * self.p.groups;
        for _ in 0..1 + self.rng.below(3) {
            let (ty, writable) = (self.data(), !self.rng.one_in(5));
            self.buffer(Kind::Structured(writable), ty, all * SLICE);
        }
        for _ in 0..1 + self.rng.below(2) {
            let mut ty = self.data();
            while !self.p.is_plain(&ty) {
                ty = self.data();
            }
            // The bound data need not be a whole number of elements.
            let count = all * SLICE;
            self.buffer(Kind::Pointer, ty, count);
            if !self.tame && self.rng.one_in(2) {
                let cut = self.rng.below(24);
                let contents = self.p.globals.last_mut().map(|g| &mut g.contents);
                contents.into_iter().for_each(|c| c.truncate(c.len().saturating_sub(cut).max(4)));
            }
        }
        if self.rng.one_in(2) {
            let writable = !self.rng.one_in(4);
            self.buffer(Kind::Bytes(writable), super::tree::UINT, all * BYTES / 4);
        }
        for _ in 0..self.rng.below(3) {
            let ty = Ty::Array(Box::new(self.data()), self.p.threads * SLICE);
            self.p.globals.push(Global { kind: Kind::Shared, ty, contents: Vec::new() });
        }
        for _ in 0..self.rng.below(3) {
            let ty = self.data();
            self.p.globals.push(Global { kind: Kind::Static, ty, contents: Vec::new() });
        }
    }

    fn buffer(&mut self, kind: Kind, ty: Ty, count: usize) {
        let size = self.p.layout(&ty).size;
        let mut contents = vec![0; size * count];
        let mut leaves = Vec::new();
        (0..count).for_each(|i| self.p.leaves(&ty, i * size, &mut leaves));
        for (at, leaf) in leaves {
            if let Ty::Num(num) = leaf {
                let bits = self.bits(num);
                contents[at..at + num.size()].copy_from_slice(&bits.to_le_bytes()[..num.size()]);
            }
        }
        self.p.globals.push(Global { kind, ty, contents });
    }

    /// The bits of a number, which is small more often than not.
    fn bits(&mut self, num: Num) -> u64 {
        match num {
            Num::Bool => self.rng.below(2) as u64,
            // A number with few digits, or its neighbour.
            Num::F32 => u64::from((self.rng.literal() as f32).to_bits() | u32::from(self.rng.one_in(3))),
            Num::I64 if self.rng.one_in(4) => i64::MIN as u64,
            _ if self.rng.one_in(6) => self.rng.draw(),
            _ => (self.rng.below(9) as u64).wrapping_sub(2),
        }
    }

    fn main(&mut self) {
        self.in_main = true;
        self.scope.clear();
        self.budget = 8 + self.rng.below(20);
        let mut out = Vec::new();
        for _ in 0..2 + self.rng.below(3) {
            self.declare(&mut out);
        }
        while self.budget > 0 {
            self.stmt(&mut out);
            let waits = self.p.threads > 1 && self.rng.one_in(5);
            if waits {
                let all = self.rng.one_in(2);
                out.push(Stmt::Barrier(all));
            }
        }
        for _ in 0..3 {
            self.note(&mut out);
        }
        // The values that remain in variables are shown.
        for seen in self.scope.clone() {
            self.show_part(seen.var, &mut out);
        }
        self.p.main = out;
    }
}

/// The number of bytes in a byte-address buffer that belong to a thread.
const BYTES: usize = 64;
