//! What the ops of `tex` give.

use super::filter::{Sampled, number};
use super::{
    AtomicCas, AtomicRmw, Gather, GatherCompare, Load, Sample, SampleCompare, SampleGrad, SampleLevel, Shape, Size,
    Store, Texel as TexelOp, TextureType,
};
use crate::combine::combine;
use caustic_ir::eval::{Val, normalize};
use caustic_ir::texels::{Sampler, Texel, Texels};
use caustic_ir::{Body, OpDef, OpId, Type};

/// A well-formed op of `tex`, as far as it is known before it runs.
#[derive(Clone, Debug)]
pub struct TextureOp {
    pub kind: Kind,
    pub texture: TextureType,
    /// Of the result; of a store the texture's.
    pub elem: Type,
    /// Where the texture is among the operands; the sampler, if there is one, stands behind it.
    pub texture_at: usize,
    pub samples: bool,
}

/// What sort of access it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The operand behind the coordinates is the level, or what is added to it.
    Level,
    Gradients,
    /// Reference value and level follow.
    Compare,
    Gather(usize),
    GatherCompare,
    Load,
    /// All components, as numbers of any type.
    Texel,
    Store,
    /// An atomic update of this kind.
    Update(&'static str),
    Exchange,
    Size,
}

/// Where no texture has a texel.
const NOWHERE: Texel = Texel { layer: u32::MAX, level: u32::MAX, at: [u32::MAX; 3] };

/// The scalars of a scalar or vector.
fn scalars(value: Option<&Val>) -> &[Val] {
    match value {
        Some(v @ Val::Agg(_)) => v.parts(),
        Some(v) => std::slice::from_ref(v),
        None => &[],
    }
}

fn floats(value: Option<&Val>) -> Vec<f64> {
    scalars(value).iter().map(number).collect()
}

impl TextureOp {
    /// What `op` is, if it is a well-formed op of this dialect.
    pub fn of(body: &Body, op: OpId) -> Option<TextureOp> {
        let is = |def: &'static OpDef| body.is(op, def);
        let kind = match () {
            _ if is(Sample::DEF) || is(SampleLevel::DEF) => Kind::Level,
            _ if is(SampleGrad::DEF) => Kind::Gradients,
            _ if is(SampleCompare::DEF) => Kind::Compare,
            _ if is(Gather::DEF) => {
                let component = body.attr(op, "component").and_then(|a| a.as_int())?;
                Kind::Gather(usize::try_from(component).ok().filter(|c| *c < 4)?)
            }
            _ if is(GatherCompare::DEF) => Kind::GatherCompare,
            _ if is(Load::DEF) => Kind::Load,
            _ if is(TexelOp::DEF) => Kind::Texel,
            _ if is(Store::DEF) => Kind::Store,
            _ if is(AtomicRmw::DEF) => Kind::Update(crate::agg::atomic_kind(body, op)?),
            _ if is(AtomicCas::DEF) => Kind::Exchange,
            _ if is(Size::DEF) => Kind::Size,
            _ => return None,
        };
        let texture_at = match kind {
            Kind::Store | Kind::Update(_) => 1,
            Kind::Exchange => 2,
            _ => 0,
        };
        let types: Vec<Type> = body.operands(op).iter().map(|&v| body.ty(v)).collect();
        let texture = TextureType::of(*types.get(texture_at)?)?;
        let samples =
            !matches!(kind, Kind::Load | Kind::Texel | Kind::Store | Kind::Update(_) | Kind::Exchange | Kind::Size);
        let result = body.results(op).first().map(|&r| body.ty(r));
        let found = TextureOp { kind, texture, elem: result.unwrap_or(texture.elem), texture_at, samples };
        found.fits(&types, result).then_some(found)
    }

    fn fits(&self, types: &[Type], result: Option<Type>) -> bool {
        let t = self.texture;
        let count = |ty: Option<&Type>, n: usize, float: bool| {
            ty.is_some_and(|ty| {
                let shaped = if n == 1 { ty.is_scalar() } else { ty.is_vector() && ty.shape().len() == 1 };
                shaped && ty.num_elements() == n && ty.elem().is_float() == float
            })
        };
        let rest = &types[self.texture_at + 1..];
        // An offset, if there is one, has a number for each dimension.
        let offset = |fixed: usize| match rest.get(fixed..) {
            Some([]) => true,
            Some([offset]) => count(Some(offset), t.shape.dims(), false),
            _ => false,
        };
        let coords = || count(rest.get(1), t.coords(), true) && !t.writable && t.shape != Shape::Samples;
        let scalar = |at: usize| count(rest.get(at), 1, true);
        let vec4 = |elem: Type| Some(Type::vector(&[4], elem)) == result;
        match self.kind {
            Kind::Level => coords() && scalar(2) && offset(3) && result == Some(t.elem),
            Kind::Gradients => {
                let gradient = |at: usize| count(rest.get(at), t.shape.coords(), true);
                coords() && gradient(2) && gradient(3) && offset(4) && result == Some(t.elem)
            }
            Kind::Compare => coords() && scalar(2) && scalar(3) && offset(4) && result == Some(Type::f32()),
            Kind::Gather(_) => coords() && t.shape.dims() == 2 && offset(2) && vec4(t.elem.elem()),
            Kind::GatherCompare => coords() && t.shape.dims() == 2 && scalar(2) && offset(3) && vec4(Type::f32()),
            Kind::Load => {
                count(rest.first(), t.indices(), false)
                    && count(rest.get(1), 1, false)
                    && offset(2)
                    && result == Some(t.elem)
            }
            Kind::Texel => {
                let result = result.filter(|r| r.is_vector() && r.shape() == [4]).map(|r| r.elem());
                let number = result.is_some_and(|e| e.is_float() || (e.is_int_or_index() && !e.is_index()));
                number && count(rest.first(), t.indices(), false) && count(rest.get(1), 1, false) && rest.len() == 2
            }
            Kind::Store => {
                t.writable && types[0] == t.elem && count(rest.first(), t.indices(), false) && rest.len() == 1
            }
            Kind::Update(_) | Kind::Exchange => {
                t.writable && types[0] == t.elem && count(rest.first(), t.indices(), false) && rest.len() == 1
            }
            Kind::Size => {
                count(rest.first(), 1, false) && rest.len() == 1 && result == Some(Type::vector(&[4], Type::i32()))
            }
        }
    }

    /// The op on these texels: `args` are the operands without texture and sampler. A store has no
    /// result.
    pub fn eval(&self, texels: &dyn Texels, sampler: Sampler, args: &[Val]) -> Option<Val> {
        let ty = self.texture;
        let offset_at = match self.kind {
            Kind::Gather(_) => 1,
            Kind::Level | Kind::Load | Kind::GatherCompare => 2,
            Kind::Gradients | Kind::Compare => 3,
            Kind::Texel | Kind::Store | Kind::Update(_) | Kind::Exchange | Kind::Size => usize::MAX,
        };
        let mut offset = [0; 3];
        for (to, from) in offset.iter_mut().zip(scalars(args.get(offset_at))) {
            *to = from.as_int();
        }
        let sampled = Sampled { ty, texels, sampler, offset };
        let coords = || floats(args.first());
        let value = |at: usize| args.get(at).map_or(0.0, number);
        // As in D3D, the reference is compared with each texel before these are filtered.
        let compared = |reference: f64| move |texel: f64| if reference < texel { 1.0 } else { 0.0 };
        let same = |texel: f64| texel;
        Some(match self.kind {
            Kind::Level => self.result(&sampled.sample(&coords(), value(1), &same).map(Val::Float)),
            Kind::Gradients => {
                let (coords, ddx, ddy) = (coords(), floats(args.get(1)), floats(args.get(2)));
                let level = sampled.level_of_gradients(&coords, &ddx, &ddy);
                self.result(&sampled.sample(&coords, level, &same).map(Val::Float))
            }
            Kind::Compare => self.result(&sampled.sample(&coords(), value(2), &compared(value(1))).map(Val::Float)),
            Kind::Gather(component) => self.result(&sampled.gather(&coords(), component)),
            Kind::GatherCompare => {
                let compare = compared(value(1));
                self.result(&sampled.gather(&coords(), 0).map(|v| Val::Float(compare(number(&v)))))
            }
            Kind::Load | Kind::Texel => {
                let level = args.get(1).map_or(0, |v| v.as_int());
                match self.place(&sampled, args.first(), level) {
                    Some(texel) => self.result(&texels.load(texel)),
                    None => self.result(&[0.0; 4].map(Val::Float)),
                }
            }
            Kind::Store => {
                if let Some(texel) = self.place(&sampled, args.get(1), 0) {
                    let mut whole = [0.0; 4].map(Val::Float);
                    for (to, from) in whole.iter_mut().zip(scalars(args.first())) {
                        *to = from.clone();
                    }
                    texels.store(texel, &whole);
                }
                return None;
            }
            Kind::Update(kind) => {
                let texel = self.place(&sampled, args.get(1), 0).unwrap_or(NOWHERE);
                let new = args.first().cloned().unwrap_or(Val::Int(0));
                let old = texels.update(texel, &mut |old| {
                    if kind == crate::agg::EXCHANGE {
                        return Some(new.clone());
                    }
                    // Kept as wide as the format, combined as the type.
                    combine(kind, ty.elem, &normalize(old.clone(), ty.elem), &new)
                });
                self.result(&[old.clone(), old.clone(), old.clone(), old])
            }
            Kind::Exchange => {
                let texel = self.place(&sampled, args.get(2), 0).unwrap_or(NOWHERE);
                let bits = |v: &Val| normalize(v.clone(), ty.elem).to_attr(ty.elem);
                let (expected, new) = (args.first().and_then(bits), args.get(1).cloned());
                let old = texels.update(texel, &mut |old| if bits(old) == expected { new.clone() } else { None });
                self.result(&[old.clone(), old.clone(), old.clone(), old])
            }
            Kind::Size => {
                let level = u32::try_from(args.first().map_or(0, |v| v.as_int())).unwrap_or(0);
                let [width, height, depth] = texels.extent_of(level);
                let cubes = if ty.shape == Shape::Cube { 6 } else { 1 };
                let third = if ty.shape == Shape::D3 { depth } else { texels.layers() / cubes };
                let last = if ty.shape == Shape::Samples { depth } else { texels.levels() };
                Val::agg([width, height, third, last].map(|n| Val::Int(n as i64)).to_vec())
            }
        })
    }

    /// A texel by its place; `None` if a component is negative or there is no such level or layer.
    fn place(&self, sampled: &Sampled<'_>, place: Option<&Val>, level: i64) -> Option<Texel> {
        let dims = self.texture.shape.dims();
        let place = scalars(place);
        let mut texel = Texel { level: u32::try_from(level).ok()?, ..Texel::default() };
        for i in 0..dims {
            texel.at[i] = u32::try_from(place.get(i)?.as_int().checked_add(sampled.offset[i])?).ok()?;
        }
        if let Some(layer) = place.get(dims) {
            texel.layer = u32::try_from(layer.as_int()).ok()?;
        }
        Some(texel)
    }

    /// As many components as the result has, in its type.
    fn result(&self, components: &[Val; 4]) -> Val {
        let elem = self.elem.elem();
        let convert = |v: &Val| match v {
            Val::Float(x) if !elem.is_float() => normalize(Val::Int(*x as i64), elem),
            v if elem.is_float() => normalize(Val::Float(number(v)), elem),
            v => normalize(v.clone(), elem),
        };
        if self.elem.is_vector() {
            return Val::agg(components.iter().take(self.elem.num_elements()).map(convert).collect());
        }
        convert(&components[0])
    }
}
