//! The random numbers behind random programs: a seed gives the same program everywhere.

/// The generator SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n`, which must not be zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n.max(1) as u64) as usize
    }
    /// Returns true once in `n` times on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }
    /// A number that is uniform in [low, high).
    pub fn float(&mut self, low: f64, high: f64) -> f64 {
        low + (self.draw() >> 11) as f64 / (1u64 << 53) as f64 * (high - low)
    }
    /// A multiple of 1/16 within ±2, never zero: it is exact in every type.
    pub fn literal(&mut self) -> f64 {
        let v = self.below(32) as f64 / 16.0 + 1.0 / 16.0;
        if self.one_in(3) { -v } else { v }
    }
}

/// A number of the seed and a name. Who draws every n-th case by it keeps its choice when cases are
/// added.
pub fn of_name(name: &str, seed: u64) -> u64 {
    name.bytes().fold(seed, |s, b| Rng::new(s ^ u64::from(b)).draw())
}
