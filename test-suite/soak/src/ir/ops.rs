//! Generates ops without regions: for each type, ways to make a value of it from the values in
//! scope.

use super::generate::Generator;
use super::types::{F64, I1, Ty};

const INT_BINARY: [&str; 16] = [
    "addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "andi", "ori", "xori", "shli", "shrsi", "shrui",
    "minsi", "maxsi", "minui",
];
const FLOAT_BINARY: [&str; 9] = ["addf", "subf", "mulf", "divf", "remf", "minimumf", "maximumf", "minnumf", "maxnumf"];
const FLOAT_UNARY: [&str; 7] =
    ["math.absf", "math.sqrt", "math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc"];
const INT_PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const FLOAT_PREDICATES: [&str; 14] =
    ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"];
/// Numbers at which results of ops change.
const INTS: [i64; 12] = [0, 1, -1, 2, 3, 7, 31, 32, 63, 127, -128, 64];
const FLOATS: [&str; 14] =
    ["0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "-2.5", "3.0", "1.0e-3", "65504.0", "1.0e30", "inf", "-inf", "nan"];

impl Generator {
    /// A value of the type: an existing one, or a new one of ops that are nested at most `depth`
    /// deep.
    pub fn value(&mut self, ty: &Ty, depth: usize) -> String {
        let there: Vec<usize> = (0..self.scope.len()).filter(|&i| self.scope[i].1 == *ty).collect();
        if let Some(&i) = self.rng.pick(&there)
            && (depth == 0 || !self.rng.one_in(3))
        {
            // Later values are read more often, so that less code is dead.
            let late = there.len() / 2 + self.rng.below(there.len().div_ceil(2));
            let i = if self.rng.one_in(3) { i } else { there.get(late).copied().unwrap_or(i) };
            return self.scope[i].0.clone();
        }
        self.operation(ty, depth)
    }

    /// A new value of the type.
    pub fn operation(&mut self, ty: &Ty, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        if depth > 0 && self.rng.one_in(8) && ty.lane().is_some() {
            let (c, a, b) = (self.value(&I1, d), self.value(ty, d), self.value(ty, d));
            return self.emit(ty, &format!("arith.select {c}, {a}, {b} : {}", ty.text()));
        }
        if depth > 0
            && self.rng.one_in(6)
            && let Some(op) = self.part(ty)
        {
            return self.emit(ty, &op);
        }
        match ty {
            Ty::Array(..) | Ty::Struct => self.aggregate(ty, depth),
            Ty::Vector(..) if depth == 0 || self.rng.one_in(3) => self.vector(ty, d),
            _ if depth == 0 => self.constant(ty),
            _ => match ty.lane() {
                Some(Ty::Float(_)) if self.smooth => self.smooth_op(ty, d),
                Some(Ty::Float(bits)) => self.float_op(ty, *bits, d),
                Some(Ty::Int(1)) => self.bool_op(ty, d),
                _ => self.int_op(ty, d),
            },
        }
    }

    /// A value of the type that is an element of an array, a field or a component.
    fn part(&mut self, ty: &Ty) -> Option<String> {
        let whole = |t: &Ty| t.parts().contains(ty) || matches!(t, Ty::Vector(_, e) if **e == *ty);
        let there: Vec<(String, Ty)> = self.scope.iter().filter(|(_, t)| whole(t)).cloned().collect();
        let (value, from) = self.rng.pick(&there)?.clone();
        Some(match &from {
            Ty::Vector(shape, _) => {
                let at = self.position(shape);
                format!("vector.extract {value}[{at}] : {} from {}", ty.text(), from.text())
            }
            Ty::Array(n, _) if self.rng.one_in(2) => {
                let i = self.index(*n);
                format!(
                    "agg.extract {value}[{i}] {{path = array<i64: -1>}} : ({}, index) -> {}",
                    from.text(),
                    ty.text()
                )
            }
            _ => {
                let parts = from.parts();
                let k = parts.iter().position(|t| t == ty)?;
                format!("agg.extract {value}[] {{path = array<i64: {k}>}} : ({}) -> {}", from.text(), ty.text())
            }
        })
    }

    /// An index, mostly below `n`.
    fn index(&mut self, n: u8) -> String {
        if self.rng.one_in(4) && !self.smooth {
            return self.value(&Ty::Index, 1);
        }
        let from = self.value(&Ty::Int(32), 0);
        let count = self.quiet(&format!("arith.constant {n} : i32"));
        let rest = self.quiet(&format!("arith.remui {from}, {count} : i32"));
        self.quiet(&format!("arith.index_cast {rest} : i32 to index"))
    }

    fn position(&mut self, shape: &[u8]) -> String {
        let steps: Vec<String> = shape
            .iter()
            .map(|n| if self.rng.one_in(3) { self.index(*n) } else { self.rng.below(usize::from(*n)).to_string() })
            .collect();
        steps.join(", ")
    }

    fn aggregate(&mut self, ty: &Ty, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        let parts = ty.parts();
        if depth == 0 && self.rng.one_in(2) {
            return self.emit(ty, &format!("agg.zero : {}", ty.text()));
        }
        if depth == 0 || self.rng.one_in(2) {
            let values: Vec<String> = parts.iter().map(|t| self.value(t, d)).collect();
            let texts: Vec<String> = parts.iter().map(Ty::text).collect();
            return self.emit(ty, &format!("agg.make {} : ({}) -> {}", values.join(", "), texts.join(", "), ty.text()));
        }
        let (from, k) = (self.value(ty, d), self.rng.below(parts.len()));
        let value = self.value(&parts[k], d);
        match ty {
            Ty::Array(n, elem) if self.rng.one_in(2) => {
                let i = self.index(*n);
                let op = format!(
                    "agg.insert {value}, {from}[{i}] {{path = array<i64: -1>}} : ({}, {}, index) -> {}",
                    elem.text(),
                    ty.text(),
                    ty.text()
                );
                self.emit(ty, &op)
            }
            _ => {
                let op = format!(
                    "agg.insert {value}, {from}[] {{path = array<i64: {k}>}} : ({}, {}) -> {}",
                    parts[k].text(),
                    ty.text(),
                    ty.text()
                );
                self.emit(ty, &op)
            }
        }
    }

    fn vector(&mut self, ty: &Ty, depth: usize) -> String {
        let Ty::Vector(shape, lane) = ty else { return self.constant(ty) };
        let text = ty.text();
        match self.rng.below(5) {
            0 => {
                let s = self.value(lane, depth);
                self.emit(ty, &format!("vector.broadcast {s} : {} to {text}", lane.text()))
            }
            1 => {
                let (s, v) = (self.value(lane, depth), self.value(ty, 0));
                let at = self.position(shape);
                self.emit(ty, &format!("vector.insert {s}, {v} [{at}] : {} into {text}", lane.text()))
            }
            2 if matches!(shape[..], [_, _]) => {
                let from = Ty::Vector(vec![shape[1], shape[0]], lane.clone());
                let m = self.value(&from, depth);
                self.emit(ty, &format!("vector.transpose {m}, [1, 0] : {} to {text}", from.text()))
            }
            3 if matches!(shape[..], [_, _]) => {
                let from = Ty::Vector(vec![shape[0] * shape[1]], lane.clone());
                let v = self.value(&from, 0);
                self.emit(ty, &format!("vector.shape_cast {v} : {} to {text}", from.text()))
            }
            _ => {
                let values: Vec<String> = (0..ty.lanes()).map(|_| self.value(lane, 0)).collect();
                self.emit(ty, &format!("vector.from_elements {} : {text}", values.join(", ")))
            }
        }
    }

    fn constant(&mut self, ty: &Ty) -> String {
        let text = ty.text();
        let number = match ty {
            Ty::Int(1) => {
                let value = self.rng.one_in(2);
                return self.emit(ty, &format!("arith.constant {value}"));
            }
            Ty::Int(bits) => {
                let least = i64::MIN >> (64 - bits);
                match self.rng.below(8) {
                    0 => least.to_string(),
                    1 => (-(least + 1)).to_string(),
                    _ => INTS[self.rng.below(if *bits == 8 { 11 } else { 12 })].to_string(),
                }
            }
            Ty::Index => INTS[self.rng.below(6)].to_string(),
            Ty::Float(bits) if !self.smooth => match FLOATS[self.rng.below(FLOATS.len())] {
                "inf" => ["0x7C00", "0x7F800000", "0x7FF0000000000000"][width(*bits)].into(),
                "-inf" => ["0xFC00", "0xFF800000", "0xFFF0000000000000"][width(*bits)].into(),
                "nan" => ["0x7E00", "0x7FC00000", "0x7FF8000000000000"][width(*bits)].into(),
                "1.0e30" if *bits == 16 => "100.0".into(),
                number => number.into(),
            },
            _ => format!("{:?}", self.rng.literal()),
        };
        self.emit(ty, &format!("arith.constant {number} : {text}"))
    }

    fn int_op(&mut self, ty: &Ty, depth: usize) -> String {
        let text = ty.text();
        match self.rng.below(if self.smooth { 9 } else { 16 }) {
            0 | 1 if ty.is_scalar() => self.constant(ty),
            0..=8 => {
                let op = INT_BINARY[self.rng.below(INT_BINARY.len())];
                let (a, b) = (self.value(ty, depth), self.value(ty, depth));
                self.emit(ty, &format!("arith.{op} {a}, {b} : {text}"))
            }
            9 | 10 if matches!(ty.lane(), Some(Ty::Int(_))) => {
                let from = ty.with_lane(Ty::Float([16, 32, 64][self.rng.below(3)]));
                let (op, a) = (["fptosi", "fptoui"][self.rng.below(2)], self.value(&from, depth));
                self.emit(ty, &format!("arith.{op} {a} : {} to {text}", from.text()))
            }
            11 if matches!(ty.lane(), Some(Ty::Int(_))) => {
                let op = ["ctpop", "ctlz", "cttz", "absi"][self.rng.below(4)];
                let a = self.value(ty, depth);
                self.emit(ty, &format!("math.{op} {a} : {text}"))
            }
            12 if matches!(ty, Ty::Int(_)) => {
                let from = Ty::Vector(vec![2 + self.rng.below(3) as u8], Box::new(ty.clone()));
                let kind = ["add", "mul", "and", "or", "xor", "minsi", "minui", "maxsi", "maxui"][self.rng.below(9)];
                let v = self.value(&from, depth);
                self.emit(ty, &format!("vector.reduction <{kind}>, {v} : {} into {text}", from.text()))
            }
            _ => self.int_cast(ty, depth),
        }
    }

    /// An integer that is converted from another width.
    fn int_cast(&mut self, ty: &Ty, depth: usize) -> String {
        let text = ty.text();
        let bits = match ty.lane() {
            Some(Ty::Int(bits)) => *bits,
            _ => {
                let from = Ty::Int([8, 32, 64][self.rng.below(3)]);
                let (op, a) = (["index_cast", "index_castui"][self.rng.below(2)], self.value(&from, depth));
                return self.emit(ty, &format!("arith.{op} {a} : {} to {text}", from.text()));
            }
        };
        let widths: Vec<u8> = [1, 8, 16, 32, 64].into_iter().filter(|w| *w != bits).collect();
        let other = widths[self.rng.below(widths.len())];
        if ty.is_scalar() && self.rng.one_in(5) {
            let (op, a) = (["index_cast", "index_castui"][self.rng.below(2)], self.value(&Ty::Index, depth));
            return self.emit(ty, &format!("arith.{op} {a} : index to {text}"));
        }
        let from = ty.with_lane(Ty::Int(other));
        let a = self.value(&from, depth);
        let op = if other > bits { "trunci" } else { ["extsi", "extui"][self.rng.below(2)] };
        self.emit(ty, &format!("arith.{op} {a} : {} to {text}", from.text()))
    }

    fn bool_op(&mut self, ty: &Ty, depth: usize) -> String {
        let text = ty.text();
        match self.rng.below(6) {
            0 => {
                let op = ["andi", "ori", "xori"][self.rng.below(3)];
                let (a, b) = (self.value(ty, depth), self.value(ty, depth));
                self.emit(ty, &format!("arith.{op} {a}, {b} : {text}"))
            }
            1 if ty.is_scalar() => self.constant(ty),
            2 | 3 => {
                let lane = if self.smooth { F64 } else { Ty::Float([16, 32, 64][self.rng.below(3)]) };
                let of = ty.with_lane(lane);
                let p = FLOAT_PREDICATES[self.rng.below(FLOAT_PREDICATES.len())];
                let (a, b) = (self.value(&of, depth), self.value(&of, depth));
                self.emit(ty, &format!("arith.cmpf {p}, {a}, {b} : {}", of.text()))
            }
            _ => {
                let lane = match self.scalar_ty() {
                    Ty::Float(_) | Ty::Int(1) => Ty::Int(32),
                    Ty::Index if !ty.is_scalar() => Ty::Int(64),
                    other => other,
                };
                let of = ty.with_lane(lane);
                let p = INT_PREDICATES[self.rng.below(INT_PREDICATES.len())];
                let (a, b) = (self.value(&of, depth), self.value(&of, depth));
                self.emit(ty, &format!("arith.cmpi {p}, {a}, {b} : {}", of.text()))
            }
        }
    }

    fn float_op(&mut self, ty: &Ty, bits: u8, depth: usize) -> String {
        let text = ty.text();
        match self.rng.below(14) {
            0 if ty.is_scalar() => self.constant(ty),
            1 => {
                let a = self.value(ty, depth);
                self.emit(ty, &format!("arith.negf {a} : {text}"))
            }
            2 | 3 => {
                let (op, a) = (FLOAT_UNARY[self.rng.below(FLOAT_UNARY.len())], self.value(ty, depth));
                self.emit(ty, &format!("{op} {a} : {text}"))
            }
            4 => {
                let (a, b, c) = (self.value(ty, depth), self.value(ty, depth), self.value(ty, depth));
                self.emit(ty, &format!("math.fma {a}, {b}, {c} : {text}"))
            }
            5 | 6 => {
                let widths: Vec<u8> = [16, 32, 64].into_iter().filter(|w| *w != bits).collect();
                let other = widths[self.rng.below(2)];
                let from = ty.with_lane(Ty::Float(other));
                let a = self.value(&from, depth);
                let op = if other > bits { "truncf" } else { "extf" };
                self.emit(ty, &format!("arith.{op} {a} : {} to {text}", from.text()))
            }
            7 | 8 => {
                let from = ty.with_lane(Ty::Int([1, 8, 16, 32, 64][self.rng.below(5)]));
                let (op, a) = (["sitofp", "uitofp"][self.rng.below(2)], self.value(&from, depth));
                self.emit(ty, &format!("arith.{op} {a} : {} to {text}", from.text()))
            }
            9 if ty.is_scalar() => {
                let from = Ty::Vector(vec![2 + self.rng.below(3) as u8], Box::new(ty.clone()));
                let v = self.value(&from, depth);
                self.emit(ty, &format!("vector.reduction <add>, {v} : {} into {text}", from.text()))
            }
            _ => {
                let op = FLOAT_BINARY[self.rng.below(FLOAT_BINARY.len())];
                let (a, b) = (self.value(ty, depth), self.value(ty, depth));
                self.emit(ty, &format!("arith.{op} {a}, {b} : {text}"))
            }
        }
    }

    /// An op that is smooth, unless a comparison chooses it, and small for small arguments.
    fn smooth_op(&mut self, ty: &Ty, depth: usize) -> String {
        let text = ty.text();
        let a = self.value(ty, depth);
        match self.rng.below(9) {
            0 | 1 => {
                let op = ["sin", "cos", "tanh", "atan"][self.rng.below(4)];
                self.emit(ty, &format!("math.{op} {a} : {text}"))
            }
            2 => {
                let low = self.quiet(&format!("math.sin {a} : {text}"));
                let op = ["exp", "sinh", "cosh", "asinh"][self.rng.below(4)];
                self.emit(ty, &format!("math.{op} {low} : {text}"))
            }
            3 => {
                // 1 + x² is positive.
                let square = self.quiet(&format!("arith.mulf {a}, {a} : {text}"));
                let one = self.quiet("arith.constant 1.0 : f64");
                let one = self.spread(&one, ty);
                let sum = self.quiet(&format!("arith.addf {one}, {square} : {text}"));
                let op = ["math.sqrt", "math.log", "math.rsqrt"][self.rng.below(3)];
                self.emit(ty, &format!("{op} {sum} : {text}"))
            }
            4 => {
                let b = self.value(ty, depth);
                let cosine = self.quiet(&format!("math.cos {b} : {text}"));
                let two = self.quiet("arith.constant 2.0 : f64");
                let two = self.spread(&two, ty);
                let below = self.quiet(&format!("arith.addf {two}, {cosine} : {text}"));
                self.emit(ty, &format!("arith.divf {a}, {below} : {text}"))
            }
            5 if ty.is_scalar() => {
                let from = Ty::Vector(vec![2 + self.rng.below(3) as u8], Box::new(ty.clone()));
                let v = self.value(&from, depth);
                self.emit(ty, &format!("vector.reduction <add>, {v} : {} into {text}", from.text()))
            }
            6 if ty.is_scalar() && self.rng.one_in(2) => {
                let i = self.value(&Ty::Int(32), depth);
                let mask = self.quiet("arith.constant 3 : i32");
                let low = self.quiet(&format!("arith.andi {i}, {mask} : i32"));
                self.emit(ty, &format!("arith.sitofp {low} : i32 to f64"))
            }
            7 => {
                let b = self.value(ty, depth);
                let product = self.quiet(&format!("arith.mulf {a}, {b} : {text}"));
                self.emit(ty, &format!("math.sin {product} : {text}"))
            }
            _ => {
                let b = self.value(ty, depth);
                let op = ["addf", "subf"][self.rng.below(2)];
                let sum = self.quiet(&format!("arith.{op} {a}, {b} : {text}"));
                let half = self.quiet("arith.constant 0.5 : f64");
                let half = self.spread(&half, ty);
                self.emit(ty, &format!("arith.mulf {sum}, {half} : {text}"))
            }
        }
    }

    /// A value with the scalar in every lane.
    fn spread(&mut self, scalar: &str, ty: &Ty) -> String {
        if ty.is_scalar() {
            return scalar.to_string();
        }
        self.quiet(&format!("vector.broadcast {scalar} : f64 to {}", ty.text()))
    }
}

fn width(bits: u8) -> usize {
    usize::from(bits > 16) + usize::from(bits > 32)
}
