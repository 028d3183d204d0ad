//! Generates values and places of a given type from what is in scope.

use super::super::tree::{Compare, Expr, INT, Kind, Num, Op, Place, Ty};
use super::{BYTES, Generator, SLICE, Seen};

/// The use of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
    Address,
}

const ALL_OPS: [Op; 8] = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Shl, Op::Shr];

impl Generator {
    pub(super) fn op(&mut self, num: Num) -> Op {
        ALL_OPS[self.rng.below(if num == Num::F32 { 3 } else { ALL_OPS.len() })]
    }

    pub(super) fn literal(&mut self, num: Num) -> Expr {
        let bits = self.bits(num);
        Expr::Lit(num, bits)
    }

    fn small(n: usize) -> Expr {
        Expr::Lit(Num::I32, n as u64)
    }

    fn plus(a: Expr, b: Expr) -> Expr {
        Expr::Bin(Op::Add, Box::new(a), Box::new(b))
    }

    /// A number below a power of two that is not a constant.
    fn varying(&mut self, below: usize, depth: usize) -> Expr {
        let number = self.expr(&INT, depth.saturating_sub(1)).unwrap_or(Expr::Thread);
        Expr::Bin(Op::And, Box::new(number), Box::new(Self::small(below - 1)))
    }

    /// An index into something with `count` elements; sometimes out of range, unless `inside` is
    /// set.
    fn index(&mut self, count: usize, depth: usize, inside: bool) -> Expr {
        if !inside && !self.tame && self.rng.one_in(12) {
            // The index is no constant, because the compiler would report it.
            return match self.rng.below(3) {
                0 => Self::plus(Expr::Thread, Self::small(count + self.rng.below(3))),
                1 => Expr::Bin(Op::Sub, Box::new(Self::small(0)), Box::new(Self::plus(Expr::Thread, Self::small(1)))),
                _ => Self::plus(Expr::Thread, Expr::Lit(Num::I32, 0x7fff_0000)),
            };
        }
        if count.is_power_of_two() && depth > 0 && self.rng.one_in(2) {
            return self.varying(count, depth);
        }
        Self::small(self.rng.below(count))
    }

    /// An index into the thread's slice of a global variable, or far outside of all slices.
    fn slot(&mut self, all: usize, depth: usize, inside: bool) -> Expr {
        if !inside && !self.tame && self.rng.one_in(16) {
            return self.index(all, depth, false);
        }
        let within = if depth > 0 && self.rng.one_in(3) {
            self.varying(SLICE, depth)
        } else {
            Self::small(self.rng.below(SLICE))
        };
        if self.is_single() {
            return within;
        }
        Self::plus(Expr::Bin(Op::Mul, Box::new(Expr::Thread), Box::new(Self::small(SLICE))), within)
    }

    fn holds(&self, ty: &Ty, wanted: &Ty) -> bool {
        self.p.holds(ty, &|t| t == wanted || matches!((t, wanted), (Ty::Vec(n, _), Ty::Num(m)) if n == m))
    }

    /// A place of the type, if there is one.
    pub(super) fn place(&mut self, wanted: &Ty, what: Use, depth: usize) -> Option<Place> {
        // Through a pointer as often as by a name.
        if depth > 0 && self.rng.one_in(2) {
            let mut through: Vec<Ty> = self.pool.iter().filter(|t| self.holds(t, wanted)).cloned().collect();
            if through.is_empty() {
                through.push(wanted.clone());
            }
            let ty = if self.rng.one_in(3) { wanted.clone() } else { self.rng.pick(&through)?.clone() };
            if !matches!(ty, Ty::Array(..))
                && let Some(pointer) = self.pointer(&ty, depth - 1)
            {
                let place = if self.rng.one_in(4) && !matches!(pointer, Expr::Null(_)) {
                    let by = if self.is_single() && !self.tame { self.rng.below(3) } else { 0 };
                    Place::At(Box::new(pointer), Box::new(Self::small(by)))
                } else {
                    Place::Deref(Box::new(pointer))
                };
                return self.inside(place, &ty, wanted, depth, what == Use::Address);
            }
        }
        let roots = self.roots(wanted, what);
        let (place, ty) = self.rng.pick(&roots)?.clone();
        let (place, ty) = match (place, ty) {
            (Place::Element(g, _), ty) => {
                let size = self.p.layout(&ty).size.max(1);
                let at = self.slot(self.p.globals[g].contents.len() / size, depth, what == Use::Address);
                (Place::Element(g, Box::new(at)), ty)
            }
            (Place::Global(g), Ty::Array(elem, count)) if self.p.globals[g].kind == Kind::Shared => {
                // A thread's number within its group starts at 0.
                let at = self.slot(count, depth, what == Use::Address);
                let at = if self.p.groups > 1 {
                    Expr::Bin(Op::And, Box::new(at), Box::new(Self::small(count - 1)))
                } else {
                    at
                };
                (Place::Index(Box::new(Place::Global(g)), Box::new(at)), *elem)
            }
            other => other,
        };
        self.inside(place, &ty, wanted, depth, what == Use::Address)
    }

    /// Variables and buffers that contain something of the given type; buffers are without an
    /// index.
    fn roots(&self, wanted: &Ty, what: Use) -> Vec<(Place, Ty)> {
        let mut out = Vec::new();
        let fits = |v: &&Seen| match what {
            Use::Read => true,
            Use::Write => v.writable,
            Use::Address => v.addressable,
        };
        for v in self.scope.iter().filter(fits) {
            out.push((Place::Var(v.var), self.p.vars[v.var].clone()));
        }
        for (g, global) in self.p.globals.iter().enumerate() {
            let place = match global.kind {
                Kind::Structured(writable) if writable || what == Use::Read => {
                    Place::Element(g, Box::new(Self::small(0)))
                }
                Kind::Shared => Place::Global(g),
                Kind::Static if what != Use::Address || self.in_main => Place::Global(g),
                _ => continue,
            };
            out.push((place, global.ty.clone()));
        }
        out.retain(|(_, ty)| self.holds(ty, wanted));
        out
    }

    /// Extends a place to a part of it that has the given type.
    fn inside(&mut self, place: Place, ty: &Ty, wanted: &Ty, depth: usize, inside: bool) -> Option<Place> {
        if ty == wanted {
            return Some(place);
        }
        match ty {
            Ty::Struct(s) => {
                let fields = self.p.fields(*s).to_vec();
                let fitting: Vec<usize> = (0..fields.len()).filter(|&f| self.holds(&fields[f], wanted)).collect();
                let &field = self.rng.pick(&fitting)?;
                self.inside(Place::Field(Box::new(place), field), &fields[field], wanted, depth, inside)
            }
            Ty::Array(elem, count) => {
                let at = self.index(*count, depth, inside);
                self.inside(Place::Index(Box::new(place), Box::new(at)), elem, wanted, depth, inside)
            }
            Ty::Vec(num, count) if *wanted == Ty::Num(*num) => {
                let at = self.index(*count, depth, inside);
                Some(Place::Index(Box::new(place), Box::new(at)))
            }
            _ => None,
        }
    }

    /// A pointer to something of the type.
    pub(super) fn pointer(&mut self, to: &Ty, depth: usize) -> Option<Expr> {
        let wanted = Ty::pointer(to);
        for _ in 0..6 {
            let found = match self.rng.below(16) {
                0..=4 => {
                    let of_scope = |s: &Self| {
                        let fits = s.scope.iter().filter(|v| s.p.vars[v.var] == wanted);
                        fits.map(|v| Place::Var(v.var)).collect::<Vec<_>>()
                    };
                    let known = of_scope(self);
                    self.rng.pick(&known).cloned().map(|p| Expr::Load(Box::new(p)))
                }
                5..=8 => self.place(to, Use::Address, depth.min(1)).map(|p| Expr::AddressOf(Box::new(p))),
                9 | 10 => {
                    let params = |g: &usize| self.p.globals[*g].kind == Kind::Pointer && self.p.globals[*g].ty == *to;
                    let fitting: Vec<usize> = (0..self.p.globals.len()).filter(params).collect();
                    self.rng.pick(&fitting).copied().map(|g| self.param(g, depth))
                }
                11..=13 if self.p.is_plain(to) => {
                    // The same memory with another type.
                    let params: Vec<usize> =
                        (0..self.p.globals.len()).filter(|g| self.p.globals[*g].kind == Kind::Pointer).collect();
                    let from = match self.rng.pick(&params).copied() {
                        Some(g) if self.rng.one_in(2) && (!self.tame || self.fits(g, to)) => Some(self.param(g, depth)),
                        _ => {
                            let other = self.data();
                            let plain = self.p.is_plain(&other) && other != *to && depth > 0;
                            let plain = plain && (!self.tame || self.p.layout(&other).size >= self.p.layout(to).size);
                            if plain { self.pointer(&other, depth - 1) } else { None }
                        }
                    };
                    from.map(|e| Expr::PointerCast(to.clone(), Box::new(e)))
                }
                14 if depth > 0 && self.is_single() && !self.tame => {
                    let by = self.rng.below(4) as u64;
                    let from = self.pointer(to, depth - 1)?;
                    let null = matches!(from, Expr::Null(_));
                    let by = Box::new(Expr::Lit(Num::I32, by.wrapping_sub(1)));
                    if null { None } else { Some(Expr::Step(Box::new(from), by)) }
                }
                15 if depth > 0 => match self.rng.below(12) {
                    0 if !self.tame => Some(Expr::Null(to.clone())),
                    1..=4 => {
                        let (c, a, b) = (
                            self.expr(&Ty::Num(Num::Bool), 1)?,
                            self.pointer(to, depth - 1)?,
                            self.pointer(to, depth - 1)?,
                        );
                        Some(Expr::Choose(Box::new(c), Box::new(a), Box::new(b)))
                    }
                    _ => self.place(&wanted, Use::Read, depth - 1).map(|p| Expr::Load(Box::new(p))),
                },
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether the memory behind such a pointer is large enough for the type.
    fn fits(&self, g: usize, to: &Ty) -> bool {
        self.p.layout(&self.p.globals[g].ty).size >= self.p.layout(to).size
    }

    /// A pointer parameter of the program, moved to the thread's slice.
    fn param(&mut self, g: usize, depth: usize) -> Expr {
        if self.is_single() && self.rng.one_in(2) {
            return Expr::Param(g);
        }
        let at = self.slot(SLICE, depth, true);
        Expr::Step(Box::new(Expr::Param(g)), Box::new(at))
    }

    /// A value of the type, if there is one.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        match ty {
            Ty::Ptr(to) => self.pointer(to, depth),
            Ty::Num(num) => Some(self.number(*num, depth)),
            Ty::Vec(num, count) => {
                let (num, count) = (*num, *count);
                match self.rng.below(8) {
                    0 if depth > 0 => Some(Expr::Make(num, (0..count).map(|_| self.number(num, depth - 1)).collect())),
                    1 if depth > 0 && num != Num::F32 => {
                        let (op, a, b) = (self.op(num), self.expr(ty, depth - 1)?, self.expr(ty, depth - 1)?);
                        // The amount of a shift is a single number.
                        let op = if matches!(op, Op::Shl | Op::Shr) { Op::Xor } else { op };
                        Some(Expr::Bin(op, Box::new(a), Box::new(b)))
                    }
                    2 => self.read_of_bytes(ty, depth),
                    _ => None,
                }
                .or_else(|| self.place(ty, Use::Read, depth).map(|p| Expr::Load(Box::new(p))))
                .or_else(|| Some(Expr::Make(num, (0..count).map(|_| self.literal(num)).collect())))
            }
            Ty::Struct(_) => {
                let bytes =
                    if self.p.is_plain(ty) && self.rng.one_in(6) { self.read_of_bytes(ty, depth) } else { None };
                bytes.or_else(|| self.place(ty, Use::Read, depth).map(|p| Expr::Load(Box::new(p))))
            }
            Ty::Array(..) => self.place(ty, Use::Read, depth).map(|p| Expr::Load(Box::new(p))),
        }
    }

    /// An offset into the thread's bytes of a byte-address buffer.
    pub(super) fn bytes(&mut self, ty: &Ty, write: bool, depth: usize) -> Option<(usize, Expr)> {
        let fits = |g: &usize| match self.p.globals[*g].kind {
            Kind::Bytes(writable) => writable || !write,
            _ => false,
        };
        let fitting: Vec<usize> = (0..self.p.globals.len()).filter(fits).collect();
        let &g = self.rng.pick(&fitting)?;
        let layout = self.p.layout(ty);
        if layout.size > BYTES {
            return None;
        }
        let places = (BYTES - layout.size) / layout.align + 1;
        let within = if depth > 0 && self.rng.one_in(3) {
            let number = self.varying(1 << places.ilog2(), depth);
            Expr::Bin(Op::Mul, Box::new(number), Box::new(Self::small(layout.align)))
        } else {
            Self::small(self.rng.below(places) * layout.align)
        };
        let slice = Expr::Bin(Op::Mul, Box::new(Expr::Thread), Box::new(Self::small(BYTES)));
        Some((g, if self.is_single() { within } else { Self::plus(slice, within) }))
    }

    fn read_of_bytes(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let (g, at) = self.bytes(ty, false, depth)?;
        Some(Expr::Bytes(g, ty.clone(), Box::new(at)))
    }

    fn number(&mut self, num: Num, depth: usize) -> Expr {
        let ty = Ty::Num(num);
        if num == Num::Bool && depth > 0 {
            return self.condition(depth);
        }
        let found = match self.rng.below(14) {
            0..=5 => None,
            6..=8 if num.computes() && depth > 0 => {
                let (op, a, b) = (self.op(num), self.number(num, depth - 1), self.number(num, depth - 1));
                Some(Expr::Bin(op, Box::new(a), Box::new(b)))
            }
            9 | 10 if depth > 0 => {
                let from = self.num();
                // Narrow integers are made from wide ones, to which floats are converted first.
                let fits = from != num && (from != Num::F32 || matches!(num, Num::I32 | Num::U32));
                if fits { Some(Expr::Cast(num, Box::new(self.number(from, depth - 1)))) } else { None }
            }
            11 if matches!(num, Num::I32 | Num::U32 | Num::F32) && depth > 0 => {
                let from = if num == Num::F32 { Num::U32 } else { Num::F32 };
                Some(Expr::Bits(num, Box::new(self.number(from, depth - 1))))
            }
            12 if depth > 0 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.number(num, depth - 1), self.number(num, depth - 1));
                Some(Expr::Choose(Box::new(condition), Box::new(a), Box::new(b)))
            }
            13 if num != Num::Bool => self.read_of_bytes(&ty, depth),
            _ => return self.literal(num),
        };
        found
            .or_else(|| self.place(&ty, Use::Read, depth).map(|p| Expr::Load(Box::new(p))))
            .unwrap_or_else(|| self.literal(num))
    }

    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        let hows = [Compare::Less, Compare::LessEqual, Compare::Equal, Compare::NotEqual];
        if depth > 0 && self.rng.one_in(8) {
            let to = self.data();
            if let (Some(a), Some(b)) = (self.pointer(&to, depth - 1), self.pointer(&to, depth - 1)) {
                return Expr::SamePointer(Box::new(a), Box::new(b));
            }
        }
        let num = if self.rng.one_in(4) { Num::F32 } else { Num::I32 };
        let how = hows[self.rng.below(4)];
        let (a, b) = (self.number(num, depth.max(1)), self.number(num, depth.saturating_sub(1)));
        Expr::Compare(how, Box::new(a), Box::new(b))
    }
}
