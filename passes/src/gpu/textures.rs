//! `filter-textures`: samples become code that reads texels one by one and filters them, for
//! machines whose own filtering gives other numbers.
//!
//! The code does what `TextureOp::eval` does, op by op and in f64 (unless the machine has none),
//! so that every target gives the same numbers: what is left of textures are texels, sizes and what
//! a sampler is. Each sort of sample becomes a function, which is not inlined: a kernel with ten
//! samples has the code once.
//!
//! Texels of no weight are not read. Coordinates and indices are signed numbers of 64 bits (else of
//! 32) that stop at their ends, as in the reference.

use crate::analysis::stage::new_func;
use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::arith::{self as a, FloatPredicate as Fp, IntPredicate as Ip};
use caustic_dialects::tex::{self, Kind, Shape, TextureOp, TextureType};
use caustic_dialects::{func, math, scf, vector};
use caustic_ir::{Attr, Body, Builder, Loc, Module, Name, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{Deref, DerefMut};

mod cube;

passes! {
    /// Replaces ops that sample textures by functions that read texels and filter them.
    pub static FILTER_TEXTURES: "filter-textures" {
        level: module,
        options: FilterOptions {
            single: bool = "false", "The code computes in f32 and i32, for machines without f64.";
        },
        before: "func scf arith strong math vector agg gpu simt tex", after: "the same, of `tex` only what reads and writes texels, sizes and states of samplers",
        statistics: [("samples", "samples that became calls"), ("functions", "functions that they call")],
        run: |module: &mut Module, options: &FilterOptions, report: &mut PassReport| run(module, options.single, report),
    }
}

fn run(module: &mut Module, single: bool, report: &mut PassReport) -> PassResult {
    let names: Vec<Name> = module.symbols().iter().map(|s| s.name).collect();
    let taken = names.iter().copied().collect();
    let mut made = Made { functions: FxHashMap::default(), names: FxHashMap::default(), taken, single };
    let mut changed = false;
    for name in names {
        let Some(symbol) = module.get(name) else { continue };
        let samples: Vec<(OpId, TextureOp)> = symbol
            .body
            .walk_all()
            .into_iter()
            .filter_map(|op| Some((op, TextureOp::of(&symbol.body, op)?)))
            .filter(|(_, access)| access.samples)
            .collect();
        for (op, access) in samples {
            let Some(symbol) = module.get(name) else { continue };
            let callee = made.function(&symbol.body, op, &access);
            let Some(body) = module.get_mut(name).map(|s| &mut s.body) else { continue };
            replace(body, op, callee);
            report.count("samples", 1);
            changed = true;
        }
    }
    report.count("functions", made.functions.len() as u64);
    for (_, symbol) in made.functions {
        module.put(symbol);
    }
    Ok(Changed::from(changed))
}

fn replace(body: &mut Body, op: OpId, callee: Name) {
    let operands = body.operands(op).to_vec();
    let types: Vec<Type> = body.results(op).iter().map(|&r| body.ty(r)).collect();
    let old = body.results(op).to_vec();
    let Some(mut b) = Builder::before(body, op) else { return };
    let call = call(&mut b, callee, &operands, &types);
    for (old, new) in old.into_iter().zip(call) {
        body.replace_uses(old, new);
    }
    body.erase_op(op);
}

fn call(b: &mut Builder<'_>, callee: Name, operands: &[ValueId], results: &[Type]) -> Vec<ValueId> {
    let op = b.create(func::Call::DEF, operands, results, &[("callee", Attr::symbol(callee))], 0);
    b.body.results(op).to_vec()
}

/// What makes one function of this pass differ from another.
type Key = (&'static str, Vec<Type>, Vec<Type>, String);

/// The functions made so far.
struct Made {
    functions: FxHashMap<Name, caustic_ir::SymbolOp>,
    names: FxHashMap<Key, Name>,
    /// Symbols of the module and those made so far.
    taken: FxHashSet<Name>,
    /// Whether they compute in f32 and i32.
    single: bool,
}

/// A builder that knows which numbers the code computes in.
struct Writer<'a> {
    b: Builder<'a>,
    single: bool,
}

impl<'a> Deref for Writer<'a> {
    type Target = Builder<'a>;

    fn deref(&self) -> &Builder<'a> {
        &self.b
    }
}

impl<'a> DerefMut for Writer<'a> {
    fn deref_mut(&mut self) -> &mut Builder<'a> {
        &mut self.b
    }
}

impl Writer<'_> {
    /// The type of coordinates, weights and colors.
    fn float(&self) -> Type {
        if self.single { Type::f32() } else { Type::f64() }
    }

    /// The type of coordinates of texels.
    fn integer(&self) -> Type {
        Type::int(if self.single { 32 } else { 64 })
    }
}

/// The code of a function: from its parameters to its results.
type Write<'a> = &'a mut dyn FnMut(&mut Made, &mut Writer<'_>, &[ValueId]) -> Vec<ValueId>;

impl Made {
    /// The function of this sort, which `write` writes where there is none.
    fn get(
        &mut self,
        sort: &'static str,
        inputs: &[Type],
        results: &[Type],
        detail: String,
        loc: Loc,
        write: Write<'_>,
    ) -> Name {
        let key = (sort, inputs.to_vec(), results.to_vec(), detail);
        if let Some(name) = self.names.get(&key) {
            return *name;
        }
        let mut number = self.names.len();
        let mut name = Name::new(&format!("tex.{sort}.{number}"));
        while !self.taken.insert(name) {
            number += 1;
            name = Name::new(&format!("tex.{sort}.{number}"));
        }
        self.names.insert(key, name);
        let mut symbol = new_func(name, inputs, results, loc);
        symbol.set_attr(func::NO_INLINE, Attr::unit());
        if let Some(entry) = symbol.body.entry() {
            let args = symbol.body.args(entry).to_vec();
            let b = Builder::at_end(&mut symbol.body, entry, loc);
            let mut b = Writer { b, single: self.single };
            let values = write(self, &mut b, &args);
            func::Return::build(&mut b, &values, &[]);
        }
        self.functions.insert(name, symbol);
        name
    }

    /// The function that does what a sample does.
    fn function(&mut self, body: &Body, op: OpId, access: &TextureOp) -> Name {
        let inputs: Vec<Type> = body.operands(op).iter().map(|&v| body.ty(v)).collect();
        let results: Vec<Type> = body.results(op).iter().map(|&v| body.ty(v)).collect();
        let detail = format!("{:?}", access.kind);
        let loc = body.loc(op);
        let sort = body.op(op).def.name.trim_start_matches("tex.");
        self.get(sort, &inputs, &results, detail, loc, &mut |made, b, args| vec![sample(made, b, access, args)])
    }
}

// ----- writing code

fn float_of(b: &mut Writer<'_>, value: f64) -> ValueId {
    let ty = b.float();
    a::float(b, value, ty)
}

fn i32_of(b: &mut Writer<'_>, value: i64) -> ValueId {
    a::int(b, value, Type::i32())
}

fn integer_of(b: &mut Writer<'_>, value: i64) -> ValueId {
    let ty = b.integer();
    a::int(b, value, ty)
}

macro_rules! binary {
    ($($name:ident = $def:ty;)*) => {
        $(fn $name(b: &mut Writer<'_>, x: ValueId, y: ValueId) -> ValueId { <$def>::build(b, x, y, &[]) })*
    };
}

binary! {
    addf = a::AddF;
    subf = a::SubF;
    mulf = a::MulF;
    divf = a::DivF;
    maxf = a::MaxNumF;
    minf = a::MinNumF;
    addi = a::AddI;
    subi = a::SubI;
    and = a::AndI;
}

fn select(b: &mut Writer<'_>, condition: ValueId, x: ValueId, y: ValueId) -> ValueId {
    a::Select::build(b, condition, x, y, &[])
}

/// One side or the other, each with as many values as there are types.
fn branch(
    b: &mut Writer<'_>,
    condition: ValueId,
    types: &[Type],
    then: impl FnOnce(&mut Writer<'_>) -> Vec<ValueId>,
    other: impl FnOnce(&mut Writer<'_>) -> Vec<ValueId>,
) -> Vec<ValueId> {
    let op = b.create(scf::If::DEF, &[condition], types, &[], 2);
    fn side(b: &mut Writer<'_>, op: OpId, index: usize, write: impl FnOnce(&mut Writer<'_>) -> Vec<ValueId>) {
        let block = b.add_block(op, index, &[]);
        let single = b.single;
        let mut inner = Writer { b: b.at(block), single };
        let values = write(&mut inner);
        scf::Yield::build(&mut inner, &values, &[]);
    }
    side(b, op, 0, then);
    side(b, op, 1, other);
    b.body.results(op).to_vec()
}

/// The scalars of a scalar or vector.
fn scalars(b: &mut Writer<'_>, value: ValueId) -> Vec<ValueId> {
    let ty = b.ty(value);
    if !ty.is_vector() {
        return vec![value];
    }
    (0..ty.num_elements() as i64).map(|i| vector::extract(b, value, &[i])).collect()
}

fn to_float(b: &mut Writer<'_>, value: ValueId) -> ValueId {
    let to = b.float();
    match b.ty(value) {
        ty if ty == to => value,
        ty if ty == Type::f64() => a::TruncF::build(b, value, to, &[]),
        _ => a::ExtF::build(b, value, to, &[]),
    }
}

fn to_integer(b: &mut Writer<'_>, value: ValueId) -> ValueId {
    let (ty, to) = (b.ty(value), b.integer());
    match () {
        _ if ty == to => value,
        _ if ty.is_index() => a::IndexCast::build(b, value, to, &[]),
        _ if ty == Type::int(64) => a::TruncI::build(b, value, to, &[]),
        _ => a::ExtSI::build(b, value, to, &[]),
    }
}

fn to_i32(b: &mut Writer<'_>, value: ValueId) -> ValueId {
    if b.single { value } else { a::TruncI::build(b, value, Type::i32(), &[]) }
}

fn int_to_float(b: &mut Writer<'_>, value: ValueId) -> ValueId {
    let to = b.float();
    a::SIToFP::build(b, value, to, &[])
}

/// The sum of two coordinates of texels, which stops at the ends.
fn sat_add(b: &mut Writer<'_>, x: ValueId, y: ValueId) -> ValueId {
    let sum = addi(b, x, y);
    let (zero, most, least) = {
        let (most, least) = if b.single { (i32::MAX.into(), i32::MIN.into()) } else { (i64::MAX, i64::MIN) };
        (integer_of(b, 0), integer_of(b, most), integer_of(b, least))
    };
    let (up, down) = (a::cmpi(b, Ip::Sgt, y, zero), a::cmpi(b, Ip::Slt, y, zero));
    let (below, above) = (a::cmpi(b, Ip::Slt, sum, x), a::cmpi(b, Ip::Sgt, sum, x));
    let (over, under) = (and(b, up, below), and(b, down, above));
    let sum = select(b, over, most, sum);
    select(b, under, least, sum)
}

/// Width, height, depth or layers, and levels (samples of a texel) as i32.
fn size(b: &mut Writer<'_>, texture: ValueId, level: ValueId) -> Vec<ValueId> {
    let size = tex::Size::build(b, texture, level, Type::vector(&[4], Type::i32()), &[]);
    scalars(b, size)
}

/// The components of a texel at a place that is in the texture: its coordinates, and the layer
/// where it has layers.
fn texel(
    b: &mut Writer<'_>,
    ty: TextureType,
    texture: ValueId,
    at: &[ValueId],
    layer: ValueId,
    level: ValueId,
    of: Type,
) -> Vec<ValueId> {
    let mut place: Vec<ValueId> = at.iter().map(|&x| to_i32(b, x)).collect();
    if ty.indices() > place.len() {
        place.push(layer);
    }
    let place = match place[..] {
        [one] => one,
        _ => vector::from_elements(b, &place, Type::vector(&[place.len() as u32], Type::i32())),
    };
    let whole = tex::Texel::build(b, texture, place, level, Type::vector(&[4], of), &[]);
    scalars(b, whole)
}

// ----- samples

/// What all code of a sample knows.
#[derive(Clone, Copy)]
struct Sampled {
    ty: TextureType,
    texture: ValueId,
    linear: ValueId,
    /// What becomes of coordinates outside.
    mode: ValueId,
}

/// A function's code: what the sample with these operands gives.
fn sample(made: &mut Made, b: &mut Writer<'_>, access: &TextureOp, args: &[ValueId]) -> ValueId {
    let ty = access.texture;
    let (texture, sampler, rest) = (args[0], args[1], &args[2..]);
    let state = tex::SamplerState::build(b, sampler, Type::i32(), &[]);
    let one = i32_of(b, 1);
    let bit = and(b, state, one);
    let linear = a::cmpi(b, Ip::Eq, bit, one);
    let mode = a::ShRUI::build(b, state, one, &[]);
    let sampled = Sampled { ty, texture, linear, mode };
    let coords = floats(b, rest[0]);
    let (layer, at) = point(made, b, &sampled, &coords);
    let fixed = match access.kind {
        Kind::Gather(_) => 1,
        Kind::Level | Kind::GatherCompare => 2,
        _ => 3,
    };
    let zero = integer_of(b, 0);
    let mut offset = vec![zero; ty.shape.dims()];
    if let Some(&given) = rest.get(fixed) {
        offset = scalars(b, given).into_iter().map(|x| to_integer(b, x)).collect();
    }
    match access.kind {
        Kind::Gather(_) | Kind::GatherCompare => {
            let result = access.elem;
            let of = if access.kind == Kind::GatherCompare { b.float() } else { result.elem() };
            let mut found = gather(made, b, &sampled, &at, layer, &offset, of, access.kind);
            if access.kind == Kind::GatherCompare {
                let reference = to_float(b, rest[1]);
                found = found.into_iter().map(|v| compared(b, reference, v)).collect();
                return to_result(b, found, result);
            }
            vector::from_elements(b, &found, result)
        }
        kind => {
            let (level, reference) = match kind {
                Kind::Gradients => {
                    let (ddx, ddy) = (floats(b, rest[1]), floats(b, rest[2]));
                    (level_of_gradients(b, &sampled, &coords, &ddx, &ddy), None)
                }
                Kind::Compare => (to_float(b, rest[2]), Some(to_float(b, rest[1]))),
                _ => (to_float(b, rest[1]), None),
            };
            let count = if access.elem.is_vector() { access.elem.num_elements() } else { 1 };
            let colors = levels(made, b, &sampled, (&at, layer), &offset, level, reference, count);
            to_result(b, colors, access.elem)
        }
    }
}

fn floats(b: &mut Writer<'_>, value: ValueId) -> Vec<ValueId> {
    scalars(b, value).into_iter().map(|x| to_float(b, x)).collect()
}

/// Colors as a result of this type, converted as the reference does.
fn to_result(b: &mut Writer<'_>, values: Vec<ValueId>, ty: Type) -> ValueId {
    let elem = ty.elem();
    let mut convert = |v: ValueId| match () {
        _ if elem == b.ty(v) => v,
        _ if elem == Type::f64() => a::ExtF::build(b, v, elem, &[]),
        _ if elem.is_float() => a::TruncF::build(b, v, elem, &[]),
        _ => {
            let int = a::FPToSI::build(b, v, Type::int(64), &[]);
            if elem == Type::int(64) { int } else { a::TruncI::build(b, int, elem, &[]) }
        }
    };
    let values: Vec<ValueId> = values.into_iter().map(&mut convert).collect();
    if ty.is_vector() { vector::from_elements(b, &values, ty) } else { values[0] }
}

/// 1 if the reference is less than the texel, as D3D compares.
fn compared(b: &mut Writer<'_>, reference: ValueId, texel: ValueId) -> ValueId {
    let less = a::cmpf(b, Fp::Olt, reference, texel);
    let (one, zero) = (float_of(b, 1.0), float_of(b, 0.0));
    select(b, less, one, zero)
}

/// The layer, and the coordinates within it.
fn point(made: &mut Made, b: &mut Writer<'_>, sampled: &Sampled, coords: &[ValueId]) -> (ValueId, Vec<ValueId>) {
    let Sampled { ty, texture, .. } = *sampled;
    let zero = i32_of(b, 0);
    let mut layer = zero;
    if ty.array {
        // The nearest that there is.
        let count = size(b, texture, zero)[2];
        let one = i32_of(b, 1);
        let last = subi(b, count, one);
        let last = int_to_float(b, last);
        let (half, none) = (float_of(b, 0.5), float_of(b, 0.0));
        let value = addf(b, coords[ty.shape.coords()], half);
        let value = math::Floor::build(b, value, &[]);
        let value = maxf(b, value, none);
        let value = minf(b, value, last);
        layer = a::FPToSI::build(b, value, Type::i32(), &[]);
    }
    if ty.shape == Shape::Cube {
        let face = cube::face(made, b, &coords[..3]);
        let six = i32_of(b, 6);
        let first = a::MulI::build(b, layer, six, &[]);
        return (addi(b, first, face[0]), face[1..].to_vec());
    }
    (layer, coords[..ty.shape.coords()].to_vec())
}

/// The level for coordinates that change by `ddx` and `ddy` from one pixel to the next.
fn level_of_gradients(
    b: &mut Writer<'_>,
    sampled: &Sampled,
    coords: &[ValueId],
    ddx: &[ValueId],
    ddy: &[ValueId],
) -> ValueId {
    let level = i32_of(b, 0);
    let extent: Vec<ValueId> = size(b, sampled.texture, level)[..3].iter().map(|&n| int_to_float(b, n)).collect();
    let zero = float_of(b, 0.0);
    let dims = sampled.ty.shape.dims();
    let mut length = |d: &[ValueId]| -> ValueId {
        if sampled.ty.shape == Shape::Cube {
            return cube::step(b, &coords[..3], &d[..3], extent[0]);
        }
        let mut sum = None;
        for (&x, &n) in d.iter().zip(&extent).take(dims) {
            let step = mulf(b, x, n);
            let square = mulf(b, step, step);
            sum = Some(sum.map_or(square, |sum| addf(b, sum, square)));
        }
        let sum = sum.unwrap_or(zero);
        math::Sqrt::build(b, sum, &[])
    };
    let (x, y) = (length(ddx), length(ddy));
    let longest = maxf(b, x, y);
    let positive = a::cmpf(b, Fp::Ogt, longest, zero);
    let level = math::Log2::build(b, longest, &[]);
    select(b, positive, level, zero)
}

fn mix(b: &mut Writer<'_>, low: &[ValueId], high: &[ValueId], part: ValueId) -> Vec<ValueId> {
    let pairs = low.iter().zip(high);
    pairs
        .map(|(&x, &y)| {
            let difference = subf(b, y, x);
            let step = mulf(b, difference, part);
            addf(b, x, step)
        })
        .collect()
}

/// The color between two levels, or of the nearest one.
fn levels(
    made: &mut Made,
    b: &mut Writer<'_>,
    sampled: &Sampled,
    (at, layer): (&[ValueId], ValueId),
    offset: &[ValueId],
    level: ValueId,
    reference: Option<ValueId>,
    count: usize,
) -> Vec<ValueId> {
    let (one, zero, none, half) = (i32_of(b, 1), i32_of(b, 0), float_of(b, 0.0), float_of(b, 0.5));
    let last = size(b, sampled.texture, zero)[3];
    let last = subi(b, last, one);
    let last = int_to_float(b, last);
    // Without a number it is level 0.
    let level = maxf(b, level, none);
    let level = minf(b, level, last);
    let floor = math::Floor::build(b, level, &[]);
    let nearest = addf(b, level, half);
    let nearest = math::Floor::build(b, nearest, &[]);
    let nearest = minf(b, nearest, last);
    let base = select(b, sampled.linear, floor, nearest);
    let part = subf(b, level, floor);
    let part = select(b, sampled.linear, part, none);
    let base = a::FPToSI::build(b, base, Type::i32(), &[]);

    let mut args = vec![sampled.texture, sampled.linear, sampled.mode, layer];
    args.extend(at);
    args.extend(offset);
    args.extend(reference);
    let types: Vec<Type> = args.iter().map(|&v| b.ty(v)).chain([Type::i32()]).collect();
    let results = vec![b.float(); count];
    let (ty, dims, compares) = (sampled.ty, at.len(), reference.is_some());
    let callee = made.get("level", &types, &results, String::new(), b.loc, &mut |made, b, args| {
        let sampled = Sampled { ty, texture: args[0], linear: args[1], mode: args[2] };
        let (at, offset) = (&args[4..4 + dims], &args[4 + dims..4 + 2 * dims]);
        let level = args[args.len() - 1];
        let reference = compares.then(|| args[args.len() - 2]);
        Level { sampled, layer: args[3], level, reference, count }.color(made, b, at, offset)
    });
    let of = |b: &mut Writer<'_>, level: ValueId| {
        let mut args = args.clone();
        args.push(level);
        call(b, callee, &args, &results)
    };
    let low = of(b, base);
    let between = a::cmpf(b, Fp::Une, part, none);
    branch(
        b,
        between,
        &results,
        |b| {
            let next = addi(b, base, one);
            let high = of(b, next);
            mix(b, &low, &high, part)
        },
        |_| low.clone(),
    )
}

/// A coordinate of texels after addressing, and whether there is one.
type Index = (ValueId, ValueId);

/// Where a coordinate outside leads.
fn address(made: &mut Made, b: &mut Writer<'_>, at: ValueId, extent: ValueId, mode: ValueId) -> Index {
    let (word, flag) = (b.integer(), Type::i1());
    let callee =
        made.get("address", &[word, word, Type::i32()], &[word, flag], String::new(), b.loc, &mut |_, b, args| {
            let (at, extent, mode) = (args[0], args[1], args[2]);
            let (zero, one) = (integer_of(b, 0), integer_of(b, 1));
            let is = |b: &mut Writer<'_>, which: caustic_ir::texels::Addressing| {
                let which = i32_of(b, which as i64);
                a::cmpi(b, Ip::Eq, mode, which)
            };
            use caustic_ir::texels::Addressing::{Border, Clamp, Mirror};
            let (mirrors, clamps, border) = (is(b, Mirror), is(b, Clamp), is(b, Border));
            // It repeats after the texture, or after the texture and its mirror image.
            let twice = addi(b, extent, extent);
            let period = select(b, mirrors, twice, extent);
            let rest = a::RemSI::build(b, at, period, &[]);
            let negative = a::cmpi(b, Ip::Slt, rest, zero);
            let up = addi(b, rest, period);
            let rest = select(b, negative, up, rest);
            let within = a::cmpi(b, Ip::Slt, rest, extent);
            let last = subi(b, period, one);
            let back = subi(b, last, rest);
            let repeated = select(b, within, rest, back);
            let last = subi(b, extent, one);
            let before = a::cmpi(b, Ip::Slt, at, zero);
            let clamped = select(b, before, zero, last);
            let value = select(b, clamps, clamped, repeated);
            let is_no = a::bool(b, true);
            vec![value, a::XOrI::build(b, border, is_no, &[])]
        });
    let inside = a::cmpi(b, Ip::Ult, at, extent);
    let found = branch(
        b,
        inside,
        &[word, flag],
        |b| vec![at, a::bool(b, true)],
        |b| call(b, callee, &[at, extent, mode], &[word, flag]),
    );
    (found[0], found[1])
}

/// Width and height (and depth) of a level.
fn extents(b: &mut Writer<'_>, ty: TextureType, texture: ValueId, level: ValueId) -> Vec<ValueId> {
    let size = size(b, texture, level);
    size[..ty.shape.dims()].iter().map(|&n| to_integer(b, n)).collect()
}

/// One level of a texture, filtered.
struct Level {
    sampled: Sampled,
    layer: ValueId,
    level: ValueId,
    reference: Option<ValueId>,
    /// Components.
    count: usize,
}

/// Where the texels of a level are that are filtered.
struct Corners {
    /// Of each dimension the lower and the upper coordinate, and how far it is to the upper.
    low: Vec<ValueId>,
    high: Vec<ValueId>,
    part: Vec<ValueId>,
    /// After addressing; of a cube nothing.
    indices: Vec<[Index; 2]>,
    extent: Vec<ValueId>,
}

impl Level {
    fn color(&self, made: &mut Made, b: &mut Writer<'_>, at: &[ValueId], offset: &[ValueId]) -> Vec<ValueId> {
        let Sampled { ty, linear, mode, .. } = self.sampled;
        let extent = extents(b, ty, self.sampled.texture, self.level);
        let (half, none, infinite) = (float_of(b, 0.5), float_of(b, 0.0), float_of(b, f64::INFINITY));
        let (zero, one) = (integer_of(b, 0), integer_of(b, 1));
        let mut corners = Corners { low: vec![], high: vec![], part: vec![], indices: vec![], extent: extent.clone() };
        for (i, &n) in extent.iter().enumerate() {
            let count = int_to_float(b, n);
            let x = mulf(b, at[i], count);
            let back = select(b, linear, half, none);
            let x = subf(b, x, back);
            let floor = math::Floor::build(b, x, &[]);
            let word = b.integer();
            let base = a::FPToSI::build(b, floor, word, &[]);
            let mut base = sat_add(b, base, offset[i]);
            let size = math::AbsF::build(b, x, &[]);
            let finite = a::cmpf(b, Fp::Olt, size, infinite);
            let between = and(b, linear, finite);
            let part = subf(b, x, floor);
            let part = select(b, between, part, none);
            if ty.shape == Shape::Cube {
                let last = subi(b, n, one);
                let clamped = a::MaxSI::build(b, base, zero, &[]);
                let clamped = a::MinSI::build(b, clamped, last, &[]);
                base = select(b, linear, base, clamped);
            }
            let next = addi(b, base, one);
            if ty.shape != Shape::Cube {
                corners.indices.push([base, next].map(|x| address(made, b, x, n, mode)));
            }
            corners.low.push(base);
            corners.high.push(next);
            corners.part.push(part);
        }
        self.interpolate(made, b, &corners, extent.len(), 0)
    }

    fn interpolate(
        &self,
        made: &mut Made,
        b: &mut Writer<'_>,
        corners: &Corners,
        dims: usize,
        mask: usize,
    ) -> Vec<ValueId> {
        let Some(dim) = dims.checked_sub(1) else { return self.corner(made, b, corners, mask) };
        let low = self.interpolate(made, b, corners, dim, mask);
        let (part, none) = (corners.part[dim], float_of(b, 0.0));
        let between = a::cmpf(b, Fp::Une, part, none);
        let types = vec![b.float(); self.count];
        branch(
            b,
            between,
            &types,
            |b| {
                let high = self.interpolate(made, b, corners, dim, mask | 1 << dim);
                mix(b, &low, &high, part)
            },
            |_| low.clone(),
        )
    }

    /// The texel of one corner, compared if it is to be; zero outside of a border.
    fn corner(&self, made: &mut Made, b: &mut Writer<'_>, corners: &Corners, mask: usize) -> Vec<ValueId> {
        if self.sampled.ty.shape == Shape::Cube {
            return cube::corner(self, made, b, corners, mask);
        }
        let chosen: Vec<Index> = corners.indices.iter().enumerate().map(|(i, pair)| pair[mask >> i & 1]).collect();
        let mut exists = chosen[0].1;
        for index in &chosen[1..] {
            exists = and(b, exists, index.1);
        }
        let types = vec![b.float(); self.count];
        branch(
            b,
            exists,
            &types,
            |b| {
                let at: Vec<ValueId> = chosen.iter().map(|index| index.0).collect();
                let Sampled { ty, texture, .. } = self.sampled;
                let float = b.float();
                let all = texel(b, ty, texture, &at, self.layer, self.level, float);
                self.converted(b, &all)
            },
            |b| vec![float_of(b, 0.0); self.count],
        )
    }

    fn converted(&self, b: &mut Writer<'_>, all: &[ValueId]) -> Vec<ValueId> {
        let wanted = all[..self.count].to_vec();
        match self.reference {
            Some(reference) => wanted.into_iter().map(|v| compared(b, reference, v)).collect(),
            None => wanted,
        }
    }
}

/// Of the four texels that a linear sampler would take in level 0 one component each, around from
/// the lower left one.
fn gather(
    made: &mut Made,
    b: &mut Writer<'_>,
    sampled: &Sampled,
    at: &[ValueId],
    layer: ValueId,
    offset: &[ValueId],
    of: Type,
    kind: Kind,
) -> Vec<ValueId> {
    let component = if let Kind::Gather(component) = kind { component } else { 0 };
    let (level, half, one) = (i32_of(b, 0), float_of(b, 0.5), integer_of(b, 1));
    let extent = extents(b, sampled.ty, sampled.texture, level);
    let mut pairs: Vec<[ValueId; 2]> = Vec::new();
    for (i, &n) in extent.iter().enumerate() {
        let count = int_to_float(b, n);
        let x = mulf(b, at[i], count);
        let x = subf(b, x, half);
        let floor = math::Floor::build(b, x, &[]);
        let word = b.integer();
        let base = a::FPToSI::build(b, floor, word, &[]);
        let base = sat_add(b, base, offset[i]);
        pairs.push([base, sat_add(b, base, one)]);
    }
    let places = [(0, 1), (1, 1), (1, 0), (0, 0)];
    if sampled.ty.shape == Shape::Cube {
        let found = |b: &mut Writer<'_>, made: &mut Made, (x, y): (usize, usize)| {
            cube::texel_beyond(made, b, sampled, [pairs[0][x], pairs[1][y]], layer, level, of)[component]
        };
        return places.map(|place| found(b, made, place)).to_vec();
    }
    let indices: Vec<[Index; 2]> =
        pairs.iter().zip(&extent).map(|(pair, &n)| pair.map(|x| address(made, b, x, n, sampled.mode))).collect();
    places
        .map(|(x, y)| {
            let ((x, has_x), (y, has_y)) = (indices[0][x], indices[1][y]);
            let exists = and(b, has_x, has_y);
            let found = branch(
                b,
                exists,
                &[of],
                |b| vec![texel(b, sampled.ty, sampled.texture, &[x, y], layer, level, of)[component]],
                |b| vec![a::zero(b, of)],
            );
            found[0]
        })
        .to_vec()
}
