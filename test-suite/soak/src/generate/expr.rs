//! Generates expressions. The tables list texts by where they are smooth. Each of `$0` and so on
//! stands for a child and occurs once, so that the text does not grow faster than the tree.

use super::Generator;
use crate::tree::{FuncKind, Kind, Mode, Node, READ, Ty};

/// Functions of one real that are smooth, and small for every argument within a few units.
const UNARY: [&str; 18] = [
    "sin($0)",
    "cos($0)",
    "tanh($0)",
    "atan($0)",
    "sqrt(real(1.5) + sin($0))",
    "rsqrt(real(2) + cos($0))",
    "log(real(2.5) + sin($0))",
    "exp(real(0.5) * sin($0))",
    "exp2(cos($0))",
    "log2(real(3) + cos($0))",
    "log10(real(3) + sin($0))",
    "asin(real(0.5) * sin($0))",
    "acos(real(0.5) * cos($0))",
    "tan(real(0.5) * cos($0))",
    "sinh(real(0.5) * tanh($0))",
    "cosh(tanh($0))",
    "-$0",
    "real(1) / (real(2) + sin($0))",
];

const BINARY: [&str; 12] = [
    "real(0.5) * ($0 + $1)",
    "real(0.5) * ($0 - $1)",
    "real(0.5) * $0 * $1",
    "$0 + real(0.25) * $1",
    "$0 / (real(2) + cos($1))",
    "pow(real(1.5) + real(0.5) * sin($0), real(0.5) * $1)",
    "atan2($0, real(2.5) + sin($1))",
    "sin($0 * $1)",
    "lerp($0, $1, real(0.25))",
    "mad($0, real(0.5), $1)",
    "$0 * real(0.5) - cos($1)",
    "lerp(real(0.5), $0, saturate($1))",
];

/// Functions with kinks or jumps, which the oracles detect.
const KINKED: [&str; 9] = [
    "abs($0)",
    "max($0, $1)",
    "min($0, $1)",
    "clamp($0, real(-0.5), real(0.75))",
    "saturate($0)",
    "fmod($0, real(3) + cos($1))",
    "smoothstep(real(-1), real(1.5), $0)",
    "step($0, $1)",
    "$0 + floor($1) * real(0.125)",
];

const VECTOR: [&str; 16] = [
    "select($0 > $1, $0, real(0.5) * $1)",
    "select($0 < real(0.25), $0, $1)",
    "sin($0)",
    "cos($0) * $1",
    "real(0.5) * ($0 + $1)",
    "real(0.5) * $0 * $1",
    "$0 - real(0.5) * $1",
    "tanh($0)",
    "lerp($0, $1, real(0.25))",
    "max($0, $1)",
    "sqrt(real(2) + sin($0))",
    "$0 / (real(2) + cos($1))",
    "normalize($0 + real(3))",
    "exp(-abs($0)) + $1",
    "reflect($0, normalize($1 + real(3)))",
    "clamp($0, -real(1), real(1))",
];

/// The deepest nesting of calls in arguments of calls.
const MAX_OPEN_CALLS: usize = 16;

const BOOLEAN: [&str; 3] = ["&&", "||", "&&"];

impl Generator {
    /// A value of type `ty`; `None` if no expression has one.
    pub(super) fn value(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        Some(match ty {
            Ty::Real => self.real(depth),
            Ty::Low => {
                let value = self.real(depth);
                Node::new(Kind::Cast, Ty::Low, vec![value])
            }
            Ty::Int => self.small_int(depth),
            Ty::Uint => {
                let value = self.small_int(depth);
                Node::new(Kind::Cast, Ty::Uint, vec![value])
            }
            Ty::Bool => self.boolean(depth),
            Ty::Vec(n) => self.vector(*n, depth),
            Ty::Mat(r, c) => self.matrix(*r, *c, depth),
            Ty::Array(..) | Ty::Struct(_) => match self.rng.below(3) {
                0 => self.call(ty, depth, false).or_else(|| self.place(ty, false))?,
                _ => self.place(ty, false).or_else(|| self.call(ty, depth, false))?,
            },
            Ty::Void => return None,
        })
    }

    fn literal(&mut self) -> Node {
        Node::lit(self.rng.literal())
    }

    fn leaf(&mut self) -> Node {
        if !self.rng.one_in(8)
            && let Some(place) = self.place(&Ty::Real, false)
        {
            return place;
        }
        match self.rng.below(7) {
            0 | 1 => {
                let index = self.small_int(0);
                Node::spell(READ, Ty::Real, vec![index])
            }
            2 => {
                let value = self.small_int(0);
                Node::spell("real($0 & 7) * real(0.125)", Ty::Real, vec![value])
            }
            3 => match self.place(&Ty::Low, false) {
                Some(low) => Node::new(Kind::Cast, Ty::Real, vec![low]),
                None => self.literal(),
            },
            _ => self.literal(),
        }
    }

    pub(super) fn real(&mut self, depth: usize) -> Node {
        if depth == 0 || self.rng.one_in(6) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.rng.below(22) {
            0..=4 => {
                let op = UNARY[self.rng.below(UNARY.len())];
                let a = self.real(d);
                Node::spell(op, Ty::Real, vec![a])
            }
            5..=10 => {
                let op = BINARY[self.rng.below(BINARY.len())];
                let (a, b) = (self.real(d), self.real(d));
                Node::spell(op, Ty::Real, vec![a, b])
            }
            11 => {
                let op = KINKED[self.rng.below(KINKED.len())];
                let kids = if op.contains("$1") { vec![self.real(d), self.real(d)] } else { vec![self.real(d)] };
                Node::spell(op, Ty::Real, kids)
            }
            12 => {
                let condition = self.boolean(d.min(1));
                let (a, b) = (self.real(d), self.real(d));
                Node::new(Kind::Cond, Ty::Real, vec![condition, a, b])
            }
            13 | 14 => {
                let n = 2 + self.rng.below(3) as u8;
                match self.rng.below(4) {
                    0 => {
                        let (a, b) = (self.vector(n, d), self.vector(n, d));
                        Node::spell("real(0.25) * dot($0, $1)", Ty::Real, vec![a, b])
                    }
                    1 => {
                        let a = self.vector(n, d);
                        Node::spell("real(0.5) * length($0 + real(0.125))", Ty::Real, vec![a])
                    }
                    2 => {
                        let a = self.vector(n, d);
                        let letter = self.swizzle(n, 1, true);
                        Node::new(Kind::Swizzle(letter), Ty::Real, vec![a])
                    }
                    _ => {
                        let (a, k) = (self.matrix(2, 2, d), self.rng.below(2));
                        let op = ["real(0.25) * determinant($0)", "real(0.5) * ($0)[1][0]"][k];
                        Node::spell(op, Ty::Real, vec![a])
                    }
                }
            }
            15 if self.detaches => {
                let value = self.real(d);
                Node::spell("real(0.5) * detach($0)", Ty::Real, vec![value])
            }
            16 => {
                let value = self.real(d);
                Node::spell("real(low($0))", Ty::Real, vec![value])
            }
            17 if self.is_generic() => {
                let (x, k) = (self.real(d), self.small_int(1));
                Node::spell("o.part($0, $1)", Ty::Real, vec![x, k])
            }
            _ => match self.call(&Ty::Real, d, false) {
                Some(call) => Node::spell("sin($0)", Ty::Real, vec![call]),
                None => self.leaf(),
            },
        }
    }

    fn is_generic(&self) -> bool {
        self.current.generic
    }

    pub(super) fn vector(&mut self, n: u8, depth: usize) -> Node {
        let ty = Ty::Vec(n);
        if depth == 0 || self.rng.one_in(4) {
            if let Some(place) = self.place(&ty, false) {
                return place;
            }
            let one = self.leaf();
            return Node::new(Kind::Make, ty, vec![one]);
        }
        let d = depth - 1;
        match self.rng.below(12) {
            0..=4 => {
                let op = VECTOR[self.rng.below(VECTOR.len())];
                let kids = if op.contains("$1") {
                    vec![self.vector(n, d), self.vector(n, d)]
                } else {
                    vec![self.vector(n, d)]
                };
                Node::spell(op, ty, kids)
            }
            5 | 6 => {
                let kids = (0..n).map(|_| self.real(d.min(1))).collect();
                Node::new(Kind::Make, ty, kids)
            }
            7 => {
                let of = 2 + self.rng.below(3) as u8;
                let (base, letters) = (self.vector(of, d), self.swizzle(of, n, false));
                Node::new(Kind::Swizzle(letters), ty, vec![base])
            }
            8 if n == 3 => {
                let (a, b) = (self.vector(3, d), self.vector(3, d));
                Node::spell("real(0.5) * cross($0, $1)", ty, vec![a, b])
            }
            8 | 9 if n < 4 => {
                let c = 2 + self.rng.below(2) as u8;
                let (a, b) = (self.matrix(n, c, d), self.vector(c, d));
                Node::spell("real(0.25) * mul($0, $1)", ty, vec![a, b])
            }
            10 => {
                let condition = self.boolean(0);
                let (a, b) = (self.vector(n, d), self.vector(n, d));
                Node::new(Kind::Cond, ty, vec![condition, a, b])
            }
            _ => match self.call(&ty, d, false) {
                Some(call) => call,
                None => {
                    let (a, s) = (self.vector(n, d), self.real(d.min(1)));
                    Node::spell("$0 * (real(0.5) * $1)", ty, vec![a, s])
                }
            },
        }
    }

    fn matrix(&mut self, r: u8, c: u8, depth: usize) -> Node {
        let ty = Ty::Mat(r, c);
        if depth > 0 {
            let d = depth - 1;
            match self.rng.below(7) {
                0 => {
                    let a = self.matrix(c, r, d);
                    return Node::spell("transpose($0)", ty, vec![a]);
                }
                1 => {
                    let k = 2 + self.rng.below(2) as u8;
                    let (a, b) = (self.matrix(r, k, d), self.matrix(k, c, d));
                    return Node::spell("real(0.25) * mul($0, $1)", ty, vec![a, b]);
                }
                2 => {
                    let (a, b) = (self.matrix(r, c, d), self.real(d));
                    return Node::spell("$0 * (real(0.5) * $1)", ty, vec![a, b]);
                }
                3 => {
                    let (a, b) = (self.matrix(r, c, d), self.matrix(r, c, d));
                    return Node::spell("real(0.5) * ($0 - $1)", ty, vec![a, b]);
                }
                4 => {
                    if let Some(call) = self.call(&ty, d, false) {
                        return call;
                    }
                }
                _ => {}
            }
        }
        if let Some(place) = self.place(&ty, false) {
            return place;
        }
        let kids = (0..r * c).map(|_| self.leaf()).collect();
        Node::new(Kind::Make, ty, kids)
    }

    /// A small integer, which may be negative.
    pub(super) fn small_int(&mut self, depth: usize) -> Node {
        let leaf = |g: &mut Generator| match g.place(&Ty::Int, false) {
            Some(place) if !g.rng.one_in(5) => place,
            _ => Node::int(g.rng.below(6) as i64),
        };
        if depth == 0 || self.rng.one_in(3) {
            return leaf(self);
        }
        let a = leaf(self);
        match self.rng.below(8) {
            0..=4 => {
                let (b, op) = (leaf(self), ["+", "*", "-", "^", "+"][self.rng.below(5)]);
                Node::new(Kind::Bin(op), Ty::Int, vec![a, b])
            }
            5 => {
                let (condition, b) = (self.boolean(0), leaf(self));
                Node::new(Kind::Cond, Ty::Int, vec![condition, a, b])
            }
            6 => {
                let x = self.leaf();
                Node::spell("int(no_diff(floor($0 * real(2))))", Ty::Int, vec![x])
            }
            _ => Node::spell("$0 * 3 + 1", Ty::Int, vec![a]),
        }
    }

    pub(super) fn boolean(&mut self, depth: usize) -> Node {
        match self.rng.below(if depth == 0 { 8 } else { 11 }) {
            0 => {
                let (a, b) = (self.real(depth.min(1)), self.leaf());
                let op = ["<", ">", "<=", ">="][self.rng.below(4)];
                Node::new(Kind::Bin(op), Ty::Bool, vec![a, b])
            }
            n if n <= 7 => {
                let a = self.small_int(1);
                let op = ["($0 & 1) == 0", "($0 & 3) != 1", "$0 > 2", "($0 & 2) != 0", "$0 < 5"][self.rng.below(5)];
                Node::spell(op, Ty::Bool, vec![a])
            }
            8 if self.rng.one_in(3) => {
                let (a, b) = (self.vector(2, 0), self.vector(2, 0));
                Node::spell("any($0 > $1)", Ty::Bool, vec![a, b])
            }
            8 => {
                let a = self.boolean(depth - 1);
                Node::new(Kind::Un("!"), Ty::Bool, vec![a])
            }
            _ => {
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                Node::new(Kind::Bin(BOOLEAN[self.rng.below(3)]), Ty::Bool, vec![a, b])
            }
        }
    }

    /// A call whose result has type `ty`; as a statement it may change its arguments. `None` if
    /// calls are nested too deeply, which happens because a value that only one function returns
    /// may be an argument of that function.
    pub(super) fn call(&mut self, ty: &Ty, depth: usize, statement: bool) -> Option<Node> {
        if self.open_calls >= MAX_OPEN_CALLS {
            return None;
        }
        self.open_calls += 1;
        let call = self.call_of(ty, depth, statement);
        self.open_calls -= 1;
        call
    }

    fn call_of(&mut self, ty: &Ty, depth: usize, statement: bool) -> Option<Node> {
        let writes = |m: Mode| matches!(m, Mode::Out | Mode::InOut);
        let candidates: Vec<usize> = (0..self.program.funcs.len())
            .filter(|&i| {
                let Some(f) = &self.program.funcs[i] else { return false };
                let effects = f.params.iter().any(|p| writes(p.mode)) || matches!(f.kind, FuncKind::Method(_, true));
                let fits = self.rounds[i].saturating_mul(self.current.around) <= self.limits.rounds;
                f.ret == *ty && (statement || !effects) && fits
            })
            .collect();
        let &number = self.rng.pick(&candidates)?;
        let f = self.program.funcs[number].clone()?;
        let mut kids = Vec::new();
        // The result is undefined if two arguments that are written are names of one variable.
        let mut taken: Vec<String> = Vec::new();
        let receiver = match f.kind {
            FuncKind::Method(owner, mutating) => Some((owner, mutating)),
            FuncKind::Interface(owner) => Some((owner, false)),
            _ => None,
        };
        if let Some((owner, mutating)) = receiver {
            let object = self.place(&Ty::Struct(owner), mutating)?;
            taken.extend(root(&object));
            kids.push(object);
        }
        for p in &f.params {
            let arg = if writes(p.mode) {
                let place = self.place(&p.ty, true)?;
                let name = root(&place)?;
                if taken.contains(&name) {
                    return None;
                }
                taken.push(name);
                place
            } else if f.kind == FuncKind::Generic && p.name == "o" {
                let parts: Vec<usize> =
                    (0..self.program.structs.len()).filter(|&s| self.program.structs[s].conforms).collect();
                let &part = self.rng.pick(&parts)?;
                self.place(&Ty::Struct(part), false)?
            } else {
                self.value(&p.ty, depth.min(2))?
            };
            kids.push(arg);
        }
        self.current.most = self.current.most.max(self.rounds[number].saturating_mul(self.current.around));
        Some(Node::new(Kind::Call(number), ty.clone(), kids))
    }
}

/// The variable that a place is a part of.
fn root(place: &Node) -> Option<String> {
    match &place.kind {
        Kind::Var(name) => Some(name.clone()),
        _ => root(place.kids.first()?),
    }
}
