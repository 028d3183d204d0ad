//! Cubes: which face a direction meets, and the texels beyond the edges of a face.

use super::{
    Corners, Level, Made, Sampled, Writer, addf, and, branch, call, compared, divf, extents, float_of, i32_of,
    int_to_float, integer_of, maxf, mulf, select, subf, texel,
};
use caustic_dialects::arith::{self as a, FloatPredicate as Fp, IntPredicate as Ip};
use caustic_dialects::math;
use caustic_ir::{Type, ValueId};

fn negated(b: &mut Writer<'_>, x: ValueId) -> ValueId {
    a::NegF::build(b, x, &[])
}

/// The face that a direction meets (i32), and where.
pub fn face(made: &mut Made, b: &mut Writer<'_>, direction: &[ValueId]) -> Vec<ValueId> {
    let float = b.float();
    let results = [Type::i32(), float, float];
    let callee = made.get("face", &[float; 3], &results, String::new(), b.loc, &mut |_, b, args| {
        let [x, y, z] = [args[0], args[1], args[2]];
        let [ax, ay, az] = [x, y, z].map(|v| math::AbsF::build(b, v, &[]));
        let none = float_of(b, 0.0);
        let at_least = |b: &mut Writer<'_>, v: ValueId, w: ValueId| a::cmpf(b, Fp::Oge, v, w);
        let (zx, zy) = (at_least(b, az, ax), at_least(b, az, ay));
        let along_z = and(b, zx, zy);
        let along_y = at_least(b, ay, ax);
        let [px, py, pz] = [x, y, z].map(|v| at_least(b, v, none));
        let [nx, ny, nz] = [x, y, z].map(|v| negated(b, v));
        // Number, s and t of the two faces along each axis.
        let axis = |b: &mut Writer<'_>, positive: ValueId, first: i64, s: [ValueId; 2], t: [ValueId; 2]| {
            let (one, other) = (i32_of(b, first), i32_of(b, first + 1));
            [select(b, positive, one, other), select(b, positive, s[0], s[1]), select(b, positive, t[0], t[1])]
        };
        let of_z = axis(b, pz, 4, [x, nx], [ny, ny]);
        let of_y = axis(b, py, 2, [x, x], [z, nz]);
        let of_x = axis(b, px, 0, [nz, z], [ny, ny]);
        let mut chosen: Vec<ValueId> = Vec::new();
        for i in 0..3 {
            let rest = select(b, along_y, of_y[i], of_x[i]);
            chosen.push(select(b, along_z, of_z[i], rest));
        }
        let major = select(b, along_y, ay, ax);
        let major = select(b, along_z, az, major);
        let (positive, one, half) = (a::cmpf(b, Fp::Ogt, major, none), float_of(b, 1.0), float_of(b, 0.5));
        for value in &mut chosen[1..] {
            let at = divf(b, *value, major);
            let at = addf(b, at, one);
            let at = mulf(b, at, half);
            *value = select(b, positive, at, half);
        }
        chosen
    });
    call(b, callee, direction, &results)
}

/// How far a step of the direction goes on a face, in texels.
pub fn step(b: &mut Writer<'_>, direction: &[ValueId], step: &[ValueId], extent: ValueId) -> ValueId {
    let (none, half) = (float_of(b, 0.0), float_of(b, 0.5));
    let mut major = none;
    for &x in direction {
        let size = math::AbsF::build(b, x, &[]);
        major = maxf(b, major, size);
    }
    let mut sum = None;
    for &x in step {
        let square = mulf(b, x, x);
        sum = Some(sum.map_or(square, |sum| addf(b, sum, square)));
    }
    let length = math::Sqrt::build(b, sum.unwrap_or(none), &[]);
    let length = divf(b, length, major);
    let length = mulf(b, length, half);
    let length = mulf(b, length, extent);
    let positive = a::cmpf(b, Fp::Ogt, major, none);
    select(b, positive, length, none)
}

/// Whether a coordinate is beyond an edge.
fn outside(b: &mut Writer<'_>, at: ValueId, extent: ValueId) -> ValueId {
    a::cmpi(b, Ip::Uge, at, extent)
}

/// The components of a texel of a face, or of the face that lies beyond its edge there.
pub fn texel_beyond(
    made: &mut Made,
    b: &mut Writer<'_>,
    sampled: &Sampled,
    at: [ValueId; 2],
    layer: ValueId,
    level: ValueId,
    of: Type,
) -> Vec<ValueId> {
    let args = [sampled.texture, at[0], at[1], layer, level];
    let types = args.map(|v| b.ty(v));
    let results = [of; 4];
    let ty = sampled.ty;
    let callee = made.get("beyond", &types, &results, String::new(), b.loc, &mut |made, b, args| {
        let [x, y, layer, level] = [args[1], args[2], args[3], args[4]];
        let extent = extents(b, ty, args[0], level);
        let (left, above) = (outside(b, x, extent[0]), outside(b, y, extent[1]));
        let away = a::OrI::build(b, left, above, &[]);
        let word = b.integer();
        let place = branch(
            b,
            away,
            &[word, word, Type::i32()],
            |b| {
                let six = i32_of(b, 6);
                let from = a::RemSI::build(b, layer, six, &[]);
                let on_plane = |b: &mut Writer<'_>, v: ValueId, n: ValueId| {
                    let (v, n) = (int_to_float(b, v), int_to_float(b, n));
                    let (half, one, two) = (float_of(b, 0.5), float_of(b, 1.0), float_of(b, 2.0));
                    let v = addf(b, v, half);
                    let v = divf(b, v, n);
                    let v = mulf(b, two, v);
                    subf(b, v, one)
                };
                let (s, t) = (on_plane(b, x, extent[0]), on_plane(b, y, extent[1]));
                let direction = direction(b, from, s, t);
                let met = face(made, b, &direction);
                let onto = |b: &mut Writer<'_>, v: ValueId, n: ValueId| {
                    let count = int_to_float(b, n);
                    let v = mulf(b, v, count);
                    let v = a::FPToSI::build(b, v, word, &[]);
                    let (zero, one) = (integer_of(b, 0), integer_of(b, 1));
                    let last = a::SubI::build(b, n, one, &[]);
                    let v = a::MaxSI::build(b, v, zero, &[]);
                    a::MinSI::build(b, v, last, &[])
                };
                let (u, v) = (onto(b, met[1], extent[0]), onto(b, met[2], extent[1]));
                let first = a::SubI::build(b, layer, from, &[]);
                vec![u, v, a::AddI::build(b, first, met[0], &[])]
            },
            |_| vec![x, y, layer],
        );
        texel(b, ty, args[0], &place[..2], place[2], level, of)
    });
    call(b, callee, &args, &results)
}

/// The direction to a place on the plane of a face; the opposite of [`face`].
fn direction(b: &mut Writer<'_>, face: ValueId, s: ValueId, t: ValueId) -> Vec<ValueId> {
    let (one, less) = (float_of(b, 1.0), float_of(b, -1.0));
    let (ns, nt) = (negated(b, s), negated(b, t));
    let faces = [[one, nt, ns], [less, nt, s], [s, one, t], [s, less, nt], [s, nt, one], [ns, nt, less]];
    let mut chosen = faces[5].to_vec();
    for (number, face_direction) in faces[..5].iter().enumerate() {
        let number = i32_of(b, number as i64);
        let is = a::cmpi(b, Ip::Eq, face, number);
        for (value, &other) in chosen.iter_mut().zip(face_direction) {
            *value = select(b, is, other, *value);
        }
    }
    chosen
}

/// A corner of what is filtered: beyond a corner of the face, where there is no texel, the mean of
/// the three that meet.
pub fn corner(of: &Level, made: &mut Made, b: &mut Writer<'_>, corners: &Corners, mask: usize) -> Vec<ValueId> {
    let place = |mask: usize| [0, 1].map(|i| if mask >> i & 1 == 1 { corners.high[i] } else { corners.low[i] });
    let float = b.float();
    let color = |made: &mut Made, b: &mut Writer<'_>, mask: usize| -> Vec<ValueId> {
        let all = texel_beyond(made, b, &of.sampled, place(mask), of.layer, of.level, float);
        match of.reference {
            Some(reference) => vec![compared(b, reference, all[0])],
            None => all[..of.count].to_vec(),
        }
    };
    let at = place(mask);
    let (left, above) = (outside(b, at[0], corners.extent[0]), outside(b, at[1], corners.extent[1]));
    let beyond = and(b, left, above);
    let types = vec![float; of.count];
    let made = std::cell::RefCell::new(made);
    branch(
        b,
        beyond,
        &types,
        |b| {
            let three = float_of(b, 3.0);
            let mut sum = vec![float_of(b, 0.0); of.count];
            for other in (0..4).filter(|m| *m != mask) {
                let color = color(&mut made.borrow_mut(), b, other);
                for (sum, value) in sum.iter_mut().zip(color) {
                    let part = divf(b, value, three);
                    *sum = addf(b, *sum, part);
                }
            }
            sum
        },
        |b| color(&mut made.borrow_mut(), b, mask),
    )
}
