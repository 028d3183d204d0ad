//! The types of generated IR, with their texts and their numbers of scalars.

use caustic_test_suite::random::Rng;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// An integer with this many bits.
    Int(u8),
    Index,
    Float(u8),
    /// A vector or a matrix of scalars.
    Vector(Vec<u8>, Box<Ty>),
    Array(u8, Box<Ty>),
    /// The only struct: `f64`, `vector<2xf32>`, `i32`.
    Struct,
}

/// The text of [`Ty::Struct`].
pub const STRUCT: &str = "!agg.struct<\"S\", 0, [[\"a\", f64], [\"b\", vector<2xf32>], [\"n\", i32]]>";

pub const I1: Ty = Ty::Int(1);
pub const F64: Ty = Ty::Float(64);

impl Ty {
    pub fn text(&self) -> String {
        match self {
            Ty::Int(bits) => format!("i{bits}"),
            Ty::Index => "index".into(),
            Ty::Float(bits) => format!("f{bits}"),
            Ty::Vector(shape, elem) => {
                let sizes: String = shape.iter().map(|n| format!("{n}x")).collect();
                format!("vector<{sizes}{}>", elem.text())
            }
            Ty::Array(n, elem) => format!("!agg.array<{n}, {}>", elem.text()),
            Ty::Struct => STRUCT.into(),
        }
    }
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Index | Ty::Float(_))
    }
    /// The operand type of arithmetic: a scalar, or the scalar of each lane.
    pub fn lane(&self) -> Option<&Ty> {
        match self {
            Ty::Vector(_, elem) => Some(elem),
            Ty::Array(..) | Ty::Struct => None,
            scalar => Some(scalar),
        }
    }
    /// A type with the same shape and other lanes.
    pub fn with_lane(&self, lane: Ty) -> Ty {
        match self {
            Ty::Vector(shape, _) => Ty::Vector(shape.clone(), Box::new(lane)),
            _ => lane,
        }
    }
    pub fn lanes(&self) -> usize {
        match self {
            Ty::Vector(shape, _) => shape.iter().map(|n| usize::from(*n)).product(),
            _ => 1,
        }
    }
    /// The types of the direct parts of an aggregate.
    pub fn parts(&self) -> Vec<Ty> {
        match self {
            Ty::Array(n, elem) => vec![(**elem).clone(); usize::from(*n)],
            Ty::Struct => vec![F64, Ty::Vector(vec![2], Box::new(Ty::Float(32))), Ty::Int(32)],
            _ => Vec::new(),
        }
    }
    pub fn scalars(&self) -> usize {
        match self {
            Ty::Array(..) | Ty::Struct => self.parts().iter().map(Ty::scalars).sum(),
            other => other.lanes(),
        }
    }
}

pub fn scalar(rng: &mut Rng) -> Ty {
    match rng.below(10) {
        0 => I1,
        1 => Ty::Int([8, 16][rng.below(2)]),
        2 | 3 => Ty::Int(32),
        4 => Ty::Int(64),
        5 => Ty::Index,
        6 => Ty::Float(16),
        7 => Ty::Float(32),
        _ => F64,
    }
}

/// A random type of data.
pub fn data(rng: &mut Rng, depth: usize) -> Ty {
    match rng.below(if depth == 0 { 8 } else { 11 }) {
        0..=4 => scalar(rng),
        5..=7 => {
            let lane = match scalar(rng) {
                Ty::Index => Ty::Int(32),
                lane => lane,
            };
            let matrix = matches!(lane, Ty::Float(_)) && rng.one_in(3);
            let shape = (0..1 + usize::from(matrix)).map(|_| 2 + rng.below(3) as u8).collect();
            Ty::Vector(shape, Box::new(lane))
        }
        8 | 9 => Ty::Array(1 + rng.below(4) as u8, Box::new(data(rng, depth - 1))),
        _ => Ty::Struct,
    }
}
