//! How textures are sampled: the software sampler, which is the reference semantics and what
//! targets on the CPU call.
//!
//! Coordinates of a sample count the texture as 1; texel centres are at halves. As in D3D: a linear
//! sampler interpolates the two nearest texels of each dimension and the two nearest levels. As on
//! GPUs a cube has no seams: beyond the edge of a face lie the texels of the next one, and at a
//! corner, where there is none, the mean of the three that meet.

use super::{Shape, TextureType};
use caustic_ir::eval::Val;
use caustic_ir::texels::{Addressing, Sampler, Texel, Texels};

/// A sample point on an image: the layer, and the coordinates within it.
#[derive(Clone, Copy, Debug)]
struct Point {
    layer: u32,
    at: [f64; 3],
}

/// A texture that is sampled, with everything that all samples share.
pub(super) struct Sampled<'a> {
    pub ty: TextureType,
    pub texels: &'a dyn Texels,
    pub sampler: Sampler,
    pub offset: [i64; 3],
}

/// The four components as floats.
type Color = [f64; 4];

fn mix(a: Color, b: Color, t: f64) -> Color {
    if t == 0.0 {
        return a;
    }
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

impl Sampled<'_> {
    /// What lies beyond the edges of a cube's face is not for a sampler to say.
    fn addressing(&self) -> Addressing {
        if self.ty.shape == Shape::Cube { Addressing::Clamp } else { self.sampler.addressing }
    }

    fn point(&self, coords: &[f64]) -> Point {
        let get = |i: usize| coords.get(i).copied().unwrap_or(0.0);
        let layers = self.texels.layers().max(1);
        let nearest_layer =
            |value: f64, count: u32| (value + 0.5).floor().clamp(0.0, count.saturating_sub(1) as f64) as u32;
        let last = get(self.ty.shape.coords());
        if self.ty.shape == Shape::Cube {
            let (face, u, v) = cube_face([get(0), get(1), get(2)]);
            let cube = if self.ty.array { nearest_layer(last, (layers / 6).max(1)) } else { 0 };
            return Point { layer: cube * 6 + face, at: [u, v, 0.0] };
        }
        let layer = if self.ty.array { nearest_layer(last, layers) } else { 0 };
        let mut at = [0.0; 3];
        for (i, x) in at.iter_mut().enumerate().take(self.ty.shape.coords()) {
            *x = get(i);
        }
        Point { layer, at }
    }

    /// The texel at `at` after addressing; `None` is the border.
    fn texel(&self, layer: u32, level: u32, at: [i64; 3]) -> Option<[Val; 4]> {
        let extent = self.texels.extent_of(level);
        let mut place = Texel { layer, level, at: [0; 3] };
        if self.ty.shape == Shape::Cube && is_outside(at, extent) {
            let (face, u, v) = cube_face(direction(layer % 6, [0, 1].map(|i| (at[i] as f64 + 0.5) / extent[i] as f64)));
            let onto = |x: f64, n: u32| ((x * n as f64) as i64).clamp(0, n as i64 - 1) as u32;
            place.layer = layer - layer % 6 + face;
            place.at = [onto(u, extent[0]), onto(v, extent[1]), 0];
            return Some(self.texels.load(place));
        }
        for i in 0..3 {
            place.at[i] = address(at[i], extent[i] as i64, self.addressing())?;
        }
        Some(self.texels.load(place))
    }

    fn color(&self, layer: u32, level: u32, at: [i64; 3], convert: &dyn Fn(f64) -> f64) -> Color {
        let texel = self.texel(layer, level, at);
        texel.map_or([0.0; 4], |t| t.each_ref().map(|v| convert(number(v))))
    }

    /// One level, filtered; `convert` is applied to the components before.
    fn level(&self, point: Point, level: u32, convert: &dyn Fn(f64) -> f64) -> Color {
        let extent = self.texels.extent_of(level);
        let dims = self.ty.shape.dims();
        let (mut base, mut part) = ([0i64; 3], [0.0; 3]);
        for i in 0..dims {
            let x = point.at[i] * extent[i] as f64 - if self.sampler.linear { 0.5 } else { 0.0 };
            base[i] = (x.floor() as i64).saturating_add(self.offset[i]);
            part[i] = if self.sampler.linear && x.is_finite() { x - x.floor() } else { 0.0 };
            if self.ty.shape == Shape::Cube && !self.sampler.linear {
                base[i] = base[i].clamp(0, extent[i] as i64 - 1);
            }
        }
        let texel =
            |mask: usize| -> [i64; 3] { std::array::from_fn(|i| base[i].saturating_add((mask >> i & 1) as i64)) };
        let beyond = |mask: usize| self.ty.shape == Shape::Cube && is_beyond_corner(texel(mask), extent);
        let corner = |mask: usize| -> Color {
            if !beyond(mask) {
                return self.color(point.layer, level, texel(mask), convert);
            }
            let others = (0..4).filter(|m| *m != mask).map(|m| self.color(point.layer, level, texel(m), convert));
            others.fold([0.0; 4], |sum, c| std::array::from_fn(|i| sum[i] + c[i] / 3.0))
        };
        self.interpolate(&corner, &part, dims, 0)
    }

    fn interpolate(&self, corner: &dyn Fn(usize) -> Color, part: &[f64; 3], dims: usize, mask: usize) -> Color {
        let Some(dim) = dims.checked_sub(1) else { return corner(mask) };
        let low = self.interpolate(corner, part, dim, mask);
        // What has no weight is not read, so that it cannot give a NaN.
        if part[dim] == 0.0 {
            return low;
        }
        mix(low, self.interpolate(corner, part, dim, mask | 1 << dim), part[dim])
    }

    pub fn sample(&self, coords: &[f64], level: f64, convert: &dyn Fn(f64) -> f64) -> Color {
        let point = self.point(coords);
        let last = self.texels.levels().saturating_sub(1) as f64;
        let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, last) };
        if !self.sampler.linear {
            return self.level(point, (level + 0.5).floor().min(last) as u32, convert);
        }
        let low = self.level(point, level.floor() as u32, convert);
        if level.fract() == 0.0 {
            return low;
        }
        mix(low, self.level(point, level.floor() as u32 + 1, convert), level.fract())
    }

    /// Of the four texels that a linear sampler would take in level 0 one component each, around
    /// from the lower left one.
    pub fn gather(&self, coords: &[f64], component: usize) -> [Val; 4] {
        let point = self.point(coords);
        let extent = self.texels.extent();
        let base: [i64; 3] = std::array::from_fn(|i| {
            if i >= 2 {
                return 0;
            }
            ((point.at[i] * extent[i] as f64 - 0.5).floor() as i64).saturating_add(self.offset[i])
        });
        [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(x, y)| {
            let at = [base[0].saturating_add(x), base[1].saturating_add(y), 0];
            let texel = self.texel(point.layer, 0, at);
            texel.and_then(|t| t.get(component).cloned()).unwrap_or(Val::Float(0.0))
        })
    }

    /// The level for coordinates that change by `ddx` and `ddy` from one pixel to the next.
    pub fn level_of_gradients(&self, coords: &[f64], ddx: &[f64], ddy: &[f64]) -> f64 {
        let extent = self.texels.extent();
        let length = |d: &[f64]| -> f64 {
            if self.ty.shape == Shape::Cube {
                // On the face, a step of the direction is a step of it divided by the major
                // coordinate, over both halves.
                let major = coords.iter().take(3).fold(0.0f64, |m, x| m.max(x.abs()));
                let step = d.iter().take(3).map(|x| x * x).sum::<f64>().sqrt();
                return if major > 0.0 { step / major * 0.5 * extent[0] as f64 } else { 0.0 };
            }
            let dims = self.ty.shape.dims();
            d.iter().zip(extent).take(dims).map(|(x, n)| (x * n as f64).powi(2)).sum::<f64>().sqrt()
        };
        let longest = length(ddx).max(length(ddy));
        if longest > 0.0 { longest.log2() } else { 0.0 }
    }
}

/// A component as a float.
pub(super) fn number(value: &Val) -> f64 {
    match value {
        Val::Float(v) => *v,
        other => other.as_int() as f64,
    }
}

fn address(at: i64, extent: i64, mode: Addressing) -> Option<u32> {
    let inside = match mode {
        Addressing::Wrap => at.rem_euclid(extent),
        Addressing::Clamp => at.clamp(0, extent - 1),
        Addressing::Border => (0..extent).contains(&at).then_some(at)?,
        Addressing::Mirror => {
            let twice = at.rem_euclid(2 * extent);
            if twice < extent { twice } else { 2 * extent - 1 - twice }
        }
    };
    u32::try_from(inside).ok()
}

fn is_outside(at: [i64; 3], extent: [u32; 3]) -> bool {
    (0..2).any(|i| !(0..extent[i] as i64).contains(&at[i]))
}

/// Whether a texel of a face lies beyond two of its edges, where no face is.
fn is_beyond_corner(at: [i64; 3], extent: [u32; 3]) -> bool {
    (0..2).all(|i| !(0..extent[i] as i64).contains(&at[i]))
}

/// The direction to a place on the plane of a face; the opposite of [`cube_face`].
fn direction(face: u32, at: [f64; 2]) -> [f64; 3] {
    let [s, t] = at.map(|x| 2.0 * x - 1.0);
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// The face that a direction meets, and where.
fn cube_face([x, y, z]: [f64; 3]) -> (u32, f64, f64) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, major, s, t) = if az >= ax && az >= ay {
        if z >= 0.0 { (4, az, x, -y) } else { (5, az, -x, -y) }
    } else if ay >= ax {
        if y >= 0.0 { (2, ay, x, z) } else { (3, ay, x, -z) }
    } else if x >= 0.0 {
        (0, ax, -z, -y)
    } else {
        (1, ax, z, -y)
    };
    let onto = |v: f64| if major > 0.0 { (v / major + 1.0) * 0.5 } else { 0.5 };
    (face, onto(s), onto(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_outside() {
        let all = |mode| (-3..6).map(|x| address(x, 3, mode)).collect::<Vec<_>>();
        let some = |list: [u32; 9]| list.map(Some).to_vec();
        assert_eq!(all(Addressing::Wrap), some([0, 1, 2, 0, 1, 2, 0, 1, 2]));
        assert_eq!(all(Addressing::Clamp), some([0, 0, 0, 0, 1, 2, 2, 2, 2]));
        assert_eq!(all(Addressing::Mirror), some([2, 1, 0, 0, 1, 2, 2, 1, 0]));
        assert_eq!(all(Addressing::Border)[2..7], [None, Some(0), Some(1), Some(2), None]);
    }

    #[test]
    fn faces_of_a_cube() {
        assert_eq!(cube_face([2.0, 0.0, 0.0]), (0, 0.5, 0.5));
        assert_eq!(cube_face([-1.0, 0.5, 0.0]), (1, 0.5, 0.25));
        assert_eq!(cube_face([0.0, 1.0, 0.5]), (2, 0.5, 0.75));
        assert_eq!(cube_face([0.5, -1.0, 0.0]).0, 3);
        assert_eq!(cube_face([0.5, 0.0, 1.0]), (4, 0.75, 0.5));
        assert_eq!(cube_face([0.5, 0.0, -1.0]), (5, 0.25, 0.5));
        assert_eq!(cube_face([0.0; 3]), (4, 0.5, 0.5));
    }
}
