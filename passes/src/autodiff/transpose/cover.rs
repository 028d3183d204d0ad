//! Which parts of an aggregate's cotangent have come for sure, as paths from the whole. The empty path alone is the whole.
//!
//! It forgets where it is told too much: fewer parts are known then, never too many.

use caustic_dialects::agg;
use caustic_ir::Type;

/// Paths that are kept of one cotangent, and parts of one aggregate that are told apart.
const MOST: usize = 64;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cover(Vec<Vec<i64>>);

/// The parts of a type, if they are few.
fn parts(ty: Type) -> Option<i64> {
    let count = if ty.is_vector() { *ty.shape().first()? as usize } else { agg::num_parts(ty) };
    (1..=MOST).contains(&count).then_some(count as i64)
}

impl Cover {
    pub(super) fn whole() -> Cover {
        Cover(vec![Vec::new()])
    }

    pub(super) fn is_whole(&self) -> bool {
        self.0.iter().any(Vec::is_empty)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, path: &[i64]) -> bool {
        self.0.iter().any(|known| path.starts_with(known))
    }

    /// One part more of a value of type `ty`; where that completes an aggregate, the aggregate.
    pub(super) fn add(&mut self, ty: Type, path: &[i64]) {
        if path.iter().any(|&step| step < 0) || self.has(path) || self.0.len() >= MOST {
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

    /// What is known of the part at `path`.
    pub(super) fn part(&self, path: &[i64]) -> Cover {
        if self.has(path) {
            return Cover::whole();
        }
        Cover(self.0.iter().filter_map(|known| Some(known.strip_prefix(path)?.to_vec())).collect())
    }

    /// What is known of the whole, if this is known of its part at `path`.
    pub(super) fn put(&mut self, ty: Type, path: &[i64], part: &Cover) {
        for below in &part.0 {
            self.add(ty, &[path, below].concat());
        }
    }

    /// What is left where the part at `path` is taken away.
    pub(super) fn without(&self, ty: Type, path: &[i64]) -> Cover {
        let apart = |known: &&Vec<i64>| known.iter().zip(path).any(|(&x, &y)| y >= 0 && x != y);
        let mut left = Cover(self.0.iter().filter(apart).cloned().collect());
        let Some(whole) = self.0.iter().find(|known| path.starts_with(known)) else { return left };
        for depth in whole.len()..path.len() {
            // What stands beside the way, on each level.
            let Some(count) = agg::type_at_path(ty, &path[..depth]).and_then(parts).filter(|_| path[depth] >= 0) else {
                break;
            };
            for beside in (0..count).filter(|&i| i != path[depth]) {
                left.add(ty, &[&path[..depth], &[beside]].concat());
            }
        }
        left
    }

    /// What both know.
    pub(super) fn both(&self, ty: Type, other: &Cover) -> Cover {
        let mut all = Cover::default();
        for (x, y) in [(self, other), (other, self)] {
            x.0.iter().filter(|path| y.has(path)).for_each(|path| all.add(ty, path));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Cover;
    use caustic_ir::Type;

    #[test]
    fn all_parts_are_the_whole() {
        let ty = Type::vector(&[2, 3], Type::f32());
        let mut cover = Cover::default();
        for i in 0..3 {
            cover.add(ty, &[0, i]);
        }
        assert!(cover.has(&[0]) && !cover.is_whole() && !cover.has(&[1, 2]));
        cover.add(ty, &[-1]);
        assert!(!cover.is_whole());
        cover.add(ty, &[1]);
        assert!(cover.is_whole());
    }

    #[test]
    fn what_is_taken_away_leaves_the_rest() {
        let ty = Type::vector(&[2, 3], Type::f32());
        let left = Cover::whole().without(ty, &[1, 2]);
        assert!(left.has(&[0]) && left.has(&[1, 0]) && left.has(&[1, 1]) && !left.has(&[1, 2]) && !left.has(&[1]));
        assert_eq!(left.part(&[0, 1]), Cover::whole());
        let mut again = Cover::default();
        again.put(ty, &[1], &left.part(&[1]));
        again.add(ty, &[1, 2]);
        assert!(again.has(&[1]) && again.both(ty, &left).has(&[1, 0]) && !again.both(ty, &left).has(&[1, 2]));
        // Of a part that only a number tells nothing stays.
        assert!(Cover::whole().without(ty, &[-1, 0]).is_empty() && left.without(ty, &[-1]).is_empty());
    }
}
