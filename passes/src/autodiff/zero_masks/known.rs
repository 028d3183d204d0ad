//! What is known of the parts of an aggregate's cotangent: which are surely dense, and which are
//! surely exact zeros.
//!
//! A part is dense where a cotangent has surely flowed to all of it: a zero in it was computed. It
//! is absent where none flows to it, whatever happens. Any other part may be an exact zero. Sets of
//! parts have a limit. Past it, parts are left out: that is safe, since less is known then.

use crate::analysis::derivative_links::{Form, MOST_LEAVES};
use crate::mutants::{Site, mutant};
use caustic_dialects::agg;
use caustic_ir::{Attr, Type};

/// The most paths that are kept of one cotangent, and the most parts of one aggregate that are told
/// apart.
const MAX_PARTS: usize = 64;

/// Parts, as paths from the whole: the empty path alone is the whole. No path is the beginning of
/// another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts(Vec<Vec<i64>>);

/// The parts of a type, if they are few.
fn parts(ty: Type) -> Option<i64> {
    let count = if ty.is_vector() { *ty.shape().first()? as usize } else { agg::num_parts(ty) };
    (1..=MAX_PARTS).contains(&count).then_some(count as i64)
}

impl Parts {
    pub fn none() -> Parts {
        Parts(Vec::new())
    }

    pub fn whole() -> Parts {
        Parts(vec![Vec::new()])
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

    /// Whether each lane of a vector of type `ty` is one of them.
    pub fn lanes(&self, ty: Type) -> Option<Vec<bool>> {
        Some(leaves(ty, MAX_PARTS)?.iter().map(|path| self.has(path)).collect())
    }

    /// Those within the part at `path`, as paths from there.
    pub fn part(&self, path: &[i64]) -> Parts {
        if self.has(path) {
            return Parts::whole();
        }
        Parts(self.0.iter().filter_map(|known| Some(known.strip_prefix(path)?.to_vec())).collect())
    }

    /// Adds parts of the part at `path`, whose whole is of type `ty`.
    pub fn put(&mut self, ty: Type, path: &[i64], part: &Parts) {
        for below in &part.0 {
            self.add(ty, &[path, below].concat());
        }
    }

    /// The parts but for those within the part at `path`.
    pub fn without(&self, ty: Type, path: &[i64]) -> Parts {
        let apart = |known: &&Vec<i64>| known.iter().zip(path).any(|(&x, &y)| y >= 0 && x != y);
        let mut left = Parts(self.0.iter().filter(apart).cloned().collect());
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

    /// The parts that are in both.
    pub fn both(&self, ty: Type, other: &Parts) -> Parts {
        let mut all = Parts::none();
        for (x, y) in [(self, other), (other, self)] {
            x.0.iter().filter(|path| y.has(path)).for_each(|path| all.add(ty, path));
        }
        all
    }
}

/// The paths to the scalars of a type, if they are no more than `most`.
fn leaves(ty: Type, most: usize) -> Option<Vec<Vec<i64>>> {
    if !ty.is_vector() && agg::num_parts(ty) == 0 {
        return Some(vec![Vec::new()]);
    }
    let mut all = Vec::new();
    for i in 0..parts(ty)? {
        let part = agg::type_at_path(ty, &[i])?;
        let within = leaves(part, most - all.len())?;
        all.extend(within.into_iter().map(|path| [&[i], &path[..]].concat()));
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// What is known of a cotangent's parts, where its mask lets something through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub dense: Parts,
    /// These are exact zeros, whatever the mask says.
    pub absent: Parts,
}

impl From<Parts> for Known {
    /// These parts are dense; no more is known.
    fn from(dense: Parts) -> Known {
        Known { dense, absent: Parts::none() }
    }
}

impl Known {
    pub fn none() -> Known {
        Parts::none().into()
    }

    pub fn dense() -> Known {
        Parts::whole().into()
    }

    /// Nothing has come: what is said of all that came holds.
    pub fn nothing_came() -> Known {
        Known { dense: Parts::whole(), absent: Parts::whole() }
    }

    pub fn is_dense(&self) -> bool {
        self.dense.is_whole()
    }

    pub fn part(&self, path: &[i64]) -> Known {
        Known { dense: self.dense.part(path), absent: self.absent.part(path) }
    }

    /// After the part at `path` was replaced by an exact zero.
    pub fn cleared(&self, ty: Type, path: &[i64]) -> Known {
        let mut absent = self.absent.clone();
        absent.add(ty, path);
        Known { dense: self.dense.without(ty, path), absent }
    }

    /// Of a whole of type `ty` to which nothing came but this, to the part at `path`.
    pub fn at(&self, ty: Type, path: &[i64]) -> Known {
        let (mut dense, mut absent) = (Parts::none(), Parts::whole().without(ty, path));
        dense.put(ty, path, &self.dense);
        absent.put(ty, path, &self.absent);
        Known { dense, absent }
    }

    pub fn both(&self, ty: Type, other: &Known) -> Known {
        Known { dense: self.dense.both(ty, &other.dense), absent: self.absent.both(ty, &other.absent) }
    }

    /// Of a sum, from what is known of its terms; whether these stand behind one mask. If they do
    /// not, a part is dense that is in both.
    pub fn sum(&self, ty: Type, other: &Known, same_mask: bool) -> Known {
        let mut known = self.both(ty, other);
        if same_mask {
            known.dense = self.dense.clone();
            known.dense.put(ty, &[], &other.dense);
        }
        known
    }

    /// Whether each scalar is surely dense, or an exact zero.
    pub fn is_certain(&self, ty: Type) -> bool {
        let certain = |path: &Vec<i64>| self.dense.has(path) || self.absent.has(path);
        self.is_dense() || leaves(ty, MAX_PARTS).is_some_and(|all| all.iter().all(certain))
    }

    /// Two bits for each scalar, as in [`Form`]. Of more scalars than there are bits it is told
    /// only whether all are dense.
    fn bits(&self, ty: Type) -> [u64; 2] {
        let Some(all) = leaves(ty, MAX_PARTS - 1) else { return [if self.is_dense() { u64::MAX } else { 0 }, 0] };
        let of = |parts: &Parts| (0..).zip(&all).filter(|(_, path)| parts.has(path)).map(|(i, _)| 1 << i).sum();
        [of(&self.dense), of(&self.absent)]
    }

    fn from_bits(ty: Type, [dense, absent]: [u64; 2]) -> Known {
        let Some(all) = leaves(ty, MAX_PARTS - 1) else {
            return if dense == u64::MAX { Known::dense() } else { Known::none() };
        };
        let of = |bits: u64| {
            let mut parts = Parts::none();
            (0..).zip(&all).filter(|(i, _)| bits >> i & 1 != 0).for_each(|(_, path)| parts.add(ty, path));
            parts
        };
        Known { dense: of(dense), absent: of(absent) }
    }
}

/// What is known of a part of the cotangents that a linear half gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Wherever the part's reached flag is set.
    pub known: Known,
    /// It is set whenever the half is called.
    pub surely: bool,
}

impl Given {
    /// All that can be known.
    pub fn nothing_came() -> Given {
        Given { known: Known::nothing_came(), surely: true }
    }

    pub fn both(&self, ty: Type, other: &Given) -> Given {
        Given { known: self.known.both(ty, &other.known), surely: self.surely && other.surely }
    }

    /// What a half gives, part by part, as an attribute.
    pub fn to_attr(parts: &[(Type, Given)]) -> Attr {
        let bits = parts.iter().flat_map(|(ty, given)| {
            let [dense, absent] = given.known.bits(*ty);
            [dense as i64, absent as i64, given.surely.into()]
        });
        Attr::i64_array(&bits.collect::<Vec<_>>())
    }

    /// [`Self::to_attr`] read, for parts of these types.
    pub fn from_attr(attr: Attr, types: &[Type]) -> Option<Vec<Given>> {
        let bits = attr.as_i64_array().filter(|bits| bits.len() == 3 * types.len())?;
        let parts = types.iter().zip(bits.chunks_exact(3)).map(|(&ty, bits)| Given {
            known: Known::from_bits(ty, [bits[0] as u64, bits[1] as u64]),
            surely: bits[2] != 0,
        });
        Some(parts.collect())
    }
}

/// How many scalars the parts of these types have, if they are few enough to be told one by one.
fn places(types: &[Type]) -> Option<Vec<usize>> {
    let counts: Option<Vec<usize>> = types.iter().map(|&ty| Some(leaves(ty, MOST_LEAVES)?.len())).collect();
    counts.filter(|counts| counts.iter().sum::<usize>() <= MOST_LEAVES)
}

/// Whether there may be other forms than those that each instance names, for a half that takes
/// cotangents of these types.
pub fn has_other_forms(types: &[Type]) -> bool {
    places(types).is_some_and(|counts| counts.iter().sum::<usize>() > 1)
}

/// The form of a half that takes parts of which this is known.
#[mutant(Site::FormsParts => Form::UNSURE)]
pub fn form_of(parts: &[(Type, Known)]) -> Form {
    if parts.iter().all(|(_, known)| known.is_dense() && known.absent.is_empty()) {
        return Form::SURE;
    }
    let types: Vec<Type> = parts.iter().map(|(ty, _)| *ty).collect();
    let Some(counts) = places(&types) else {
        // Of parts to which nothing came a flag tells.
        return if parts.iter().all(|(_, known)| known.is_dense()) { Form::SURE } else { Form::UNSURE };
    };
    let (mut form, mut at) = (Form::UNSURE, 0);
    for ((ty, known), count) in parts.iter().zip(counts) {
        let [dense, absent] = known.bits(*ty);
        form.absent |= absent << at;
        form.dense |= (dense & !absent) << at;
        at += count;
    }
    form
}

/// What a form says of the parts that the half takes.
pub fn known_by(form: Form, types: &[Type]) -> Vec<Known> {
    match (form, places(types)) {
        (Form::SURE, _) => vec![Known::dense(); types.len()],
        (_, Some(counts)) => {
            let mut at = 0;
            let parts = types.iter().zip(counts).map(|(&ty, count)| {
                let mask = (1u64 << count) - 1;
                let known = Known::from_bits(ty, [form.dense >> at & mask, form.absent >> at & mask]);
                at += count;
                known
            });
            parts.collect()
        }
        _ => vec![Known::none(); types.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, Given, Known, Parts, form_of, has_other_forms, known_by};
    use caustic_ir::Type;

    #[test]
    fn all_parts_are_the_whole() {
        let ty = Type::vector(&[2, 3], Type::f32());
        let mut dense = Parts::none();
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
        let left = Parts::whole().without(ty, &[1, 2]);
        assert!(left.has(&[0]) && left.has(&[1, 0]) && left.has(&[1, 1]) && !left.has(&[1, 2]) && !left.has(&[1]));
        assert_eq!(left.part(&[0, 1]), Parts::whole());
        let mut again = Parts::none();
        again.put(ty, &[1], &left.part(&[1]));
        again.add(ty, &[1, 2]);
        assert!(again.has(&[1]) && again.both(ty, &left).has(&[1, 0]) && !again.both(ty, &left).has(&[1, 2]));
        // A part whose index varies may be any of them: none stays.
        assert!(Parts::whole().without(ty, &[-1, 0]).is_empty() && left.without(ty, &[-1]).is_empty());
    }

    #[test]
    fn a_form_says_what_is_known_of_each_scalar() {
        let (scalar, vector) = (Type::f32(), Type::vector(&[3], Type::f32()));
        let lane = Known::dense().at(vector, &[1]);
        assert!(lane.is_certain(vector) && !lane.is_dense());
        let form = form_of(&[(scalar, Known::dense()), (vector, lane.clone())]);
        assert_eq!(form, Form { dense: 0b101, absent: 0b1010 });
        assert_eq!(known_by(form, &[scalar, vector]), [Known::dense(), lane.clone()]);
        let given = [Given { known: lane, surely: false }, Given::nothing_came()];
        let attr = Given::to_attr(&[(vector, given[0].clone()), (scalar, given[1].clone())]);
        assert_eq!(Given::from_attr(attr, &[vector, scalar]), Some(given.to_vec()));
        assert_eq!(form_of(&[(vector, Known::none())]), Form::UNSURE);
        let one = form_of(&[(scalar, Known::nothing_came()), (vector, Known::dense())]);
        assert_eq!(one, Form { dense: 0b1110, absent: 0b1 });
        assert!(!has_other_forms(&[scalar]) && has_other_forms(&[vector]));
        assert!(!has_other_forms(&[Type::vector(&[4, 4], Type::f32()); 4]));
    }
}
