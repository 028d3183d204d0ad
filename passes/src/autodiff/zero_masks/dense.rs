//! Which parts of an aggregate's cotangent are surely dense, as paths from the whole. The empty
//! path alone is the whole.
//!
//! A part is dense where a cotangent has surely flowed to all of it: a zero in it was computed. Any
//! other part may be an exact zero. The set has a limit. Past it, parts are left out: that is safe,
//! since less is known then.

use caustic_dialects::agg;
use caustic_ir::Type;

/// The most paths that are kept of one cotangent, and the most parts of one aggregate that are told
/// apart.
const MAX_PARTS: usize = 64;

/// The parts that are surely dense. No path is the beginning of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseParts(Vec<Vec<i64>>);

/// The parts of a type, if they are few.
fn parts(ty: Type) -> Option<i64> {
    let count = if ty.is_vector() { *ty.shape().first()? as usize } else { agg::num_parts(ty) };
    (1..=MAX_PARTS).contains(&count).then_some(count as i64)
}

impl DenseParts {
    /// No part is known to be dense.
    pub fn none() -> DenseParts {
        DenseParts(Vec::new())
    }

    pub fn whole() -> DenseParts {
        DenseParts(vec![Vec::new()])
    }

    pub fn is_whole(&self) -> bool {
        self.0.iter().any(Vec::is_empty)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, path: &[i64]) -> bool {
        self.0.iter().any(|known| path.starts_with(known))
    }

    /// Adds a part of a value of type `ty`. If that completes an aggregate, the aggregate takes the
    /// place of its parts.
    pub fn add(&mut self, ty: Type, path: &[i64]) {
        if path.iter().any(|&step| step < 0) || self.has(path) || self.0.len() >= MAX_PARTS {
            return;
        }
        self.0.retain(|known| !known.starts_with(path));
        self.0.push(path.to_vec());
        let Some((_, above)) = path.split_last() else { return };
        let Some(count) = agg::type_at_path(ty, above).and_then(parts) else { return };
        let one = |i: i64| self.has(&[above, &[i]].concat());
        if (0..count).all(one) {
            self.add(ty, above);
        }
    }

    /// The dense parts of the part at `path`.
    pub fn part(&self, path: &[i64]) -> DenseParts {
        if self.has(path) {
            return DenseParts::whole();
        }
        DenseParts(self.0.iter().filter_map(|known| Some(known.strip_prefix(path)?.to_vec())).collect())
    }

    /// Adds the dense parts of the part at `path`, whose whole is of type `ty`.
    pub fn put(&mut self, ty: Type, path: &[i64], part: &DenseParts) {
        for below in &part.0 {
            self.add(ty, &[path, below].concat());
        }
    }

    /// The dense parts but for those within the part at `path`.
    pub fn without(&self, ty: Type, path: &[i64]) -> DenseParts {
        let apart = |known: &&Vec<i64>| known.iter().zip(path).any(|(&x, &y)| y >= 0 && x != y);
        let mut left = DenseParts(self.0.iter().filter(apart).cloned().collect());
        let Some(whole) = self.0.iter().find(|known| path.starts_with(known)) else { return left };
        for depth in whole.len()..path.len() {
            // The siblings of the path, on each level.
            let Some(count) = agg::type_at_path(ty, &path[..depth]).and_then(parts).filter(|_| path[depth] >= 0) else {
                break;
            };
            for beside in (0..count).filter(|&i| i != path[depth]) {
                left.add(ty, &[&path[..depth], &[beside]].concat());
            }
        }
        left
    }

    /// The parts that are dense in both.
    pub fn both(&self, ty: Type, other: &DenseParts) -> DenseParts {
        let mut all = DenseParts::none();
        for (x, y) in [(self, other), (other, self)] {
            x.0.iter().filter(|path| y.has(path)).for_each(|path| all.add(ty, path));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::DenseParts;
    use caustic_ir::Type;

    #[test]
    fn all_parts_are_the_whole() {
        let ty = Type::vector(&[2, 3], Type::f32());
        let mut dense = DenseParts::none();
        for i in 0..3 {
            dense.add(ty, &[0, i]);
        }
        assert!(dense.has(&[0]) && !dense.is_whole() && !dense.has(&[1, 2]));
        dense.add(ty, &[-1]);
        assert!(!dense.is_whole());
        dense.add(ty, &[1]);
        assert!(dense.is_whole());
    }

    #[test]
    fn a_part_is_taken_away() {
        let ty = Type::vector(&[2, 3], Type::f32());
        let left = DenseParts::whole().without(ty, &[1, 2]);
        assert!(left.has(&[0]) && left.has(&[1, 0]) && left.has(&[1, 1]) && !left.has(&[1, 2]) && !left.has(&[1]));
        assert_eq!(left.part(&[0, 1]), DenseParts::whole());
        let mut again = DenseParts::none();
        again.put(ty, &[1], &left.part(&[1]));
        again.add(ty, &[1, 2]);
        assert!(again.has(&[1]) && again.both(ty, &left).has(&[1, 0]) && !again.both(ty, &left).has(&[1, 2]));
        // A part whose index varies may be any of them: none stays.
        assert!(DenseParts::whole().without(ty, &[-1, 0]).is_empty() && left.without(ty, &[-1]).is_empty());
    }
}
