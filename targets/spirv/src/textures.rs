//! Textures: words in a buffer, first what a texture is, then its texels. Samples have become reads
//! of texels before, so that a sample has the same bits everywhere.
//!
//! The first eight words: two that nobody reads, width, height and depth, layers, levels, and the
//! format (how many components a texel has, and times 256 what each is: 0 a byte from 0 to 1, 1 to
//! 3 a float of 16, 32 or 64 bits, 4 to 7 an integer of 8 to 64 bits, 8 to 11 one without sign).
//! The texels follow by layer, level, z, y and x. A sampler is two words: whether it is linear in
//! the first byte, and what becomes of coordinates outside in the second.

use crate::assembly::{Id, Operand};
use crate::emit::{Emit, Helper};
use crate::grammar::{Op, std450};
use caustic_dialects::agg::resource_name;
use caustic_dialects::tex::{self, Kind, Shape, TextureType};
use caustic_ir::{Diagnostic, Name, OpId, Type, ValueId};

/// Where no texture has a texel.
pub const NOWHERE: u32 = u32::MAX;

/// Words of the description.
const SIZES: u32 = 2;
const LAYERS: u32 = 5;
const LEVELS: u32 = 6;
pub const FORMAT: u32 = 7;
/// Bytes before the texels.
const HEAD: u32 = 32;

impl Emit<'_> {
    /// An access to a texture or the state of a sampler.
    pub fn texture_op(&mut self, op: OpId) -> Result<Option<Id>, Diagnostic> {
        let body = self.body;
        if let Some(v) = tex::SamplerState::cast(body, op) {
            let name = self.texture_name(v.sampler(body))?;
            let word = self.texture_word(name, 0)?;
            let (uint, mask) = (self.out.int(32), self.out.word(0xff));
            let (eight, one) = (self.out.word(8), self.out.word(1));
            let linear = self.op(Op::BitwiseAnd, uint, &[word, mask]);
            let outside = self.op(Op::ShiftRightLogical, uint, &[word, eight]);
            let outside = self.op(Op::BitwiseAnd, uint, &[outside, mask]);
            let outside = self.op(Op::ShiftLeftLogical, uint, &[outside, one]);
            return Ok(Some(self.op(Op::BitwiseOr, uint, &[linear, outside])));
        }
        let refused = self.refuse(format!("`{}`", body.op(op).def.name));
        let Some(access) = tex::TextureOp::of(body, op) else { return Err(refused) };
        let mut operands = body.operands(op).to_vec();
        let texture = operands.remove(access.texture_at);
        let ty = access.texture;
        match access.kind {
            Kind::Load | Kind::Texel => {
                let name = self.texture_name(texture)?;
                let [place, level, offset @ ..] = &operands[..] else {
                    return Err(self.internal("an access without a place"));
                };
                let (place, level) = (self.numbers(*place)?, self.number(*level)?);
                let offset = match offset.first() {
                    Some(&offset) => self.numbers(offset)?,
                    None => Vec::new(),
                };
                let texel = self.texel(name, ty, &place, level, &offset)?;
                self.texel_value(name, texel, body.ty(body.result(op, 0))).map(Some)
            }
            Kind::Size => {
                let name = self.texture_name(texture)?;
                self.texture_size(name, ty, operands[0], body.ty(body.result(op, 0))).map(Some)
            }
            Kind::Store | Kind::Update(_) | Kind::Exchange => self.texel_op(op, &access),
            _ => Err(refused),
        }
    }

    /// The texture or sampler that a value is.
    pub fn texture_name(&self, value: ValueId) -> Result<Name, Diagnostic> {
        let body = self.body;
        let op = body.def_op(value).filter(|&op| caustic_dialects::agg::Global::is(body, op));
        let name = op.and_then(|op| resource_name(body, op));
        name.ok_or_else(|| self.refuse("one of several textures"))
    }

    pub fn texture_word(&mut self, name: Name, word: u32) -> Result<Id, Diagnostic> {
        let word = self.out.word(word);
        let place = self.element((name, Type::i32()), word)?;
        self.load(place)
    }

    /// A number of 32 bits.
    fn number(&mut self, value: ValueId) -> Result<Id, Diagnostic> {
        match self.body.ty(value) == Type::i32() {
            true => self.value(value),
            false => Err(self.refuse("a place in a texture of such numbers")),
        }
    }

    /// The numbers of a place: the parts of a vector, or a number alone.
    pub fn numbers(&mut self, value: ValueId) -> Result<Vec<Id>, Diagnostic> {
        let ty = self.body.ty(value);
        if ty.elem() != Type::i32() {
            return Err(self.refuse("a place in a texture of such numbers"));
        }
        let id = self.value(value)?;
        self.scalars(id, ty)
    }

    /// The function that gives the size of a level in a direction, at least 1.
    fn size_function(&mut self, name: Name) -> Result<Helper, Diagnostic> {
        let uint = self.out.int(32);
        let title = format!("{}.size", self.resource_name(name));
        self.helper(format!("texture size {name}"), &title, (&[uint, uint], uint), |e, args| {
            let (bool, zero, one) = (e.out.bool(), e.out.word(0), e.out.word(1));
            let (first, width) = (e.out.word(SIZES), e.out.word(32));
            let at = e.op(Op::IAdd, uint, &[args[0], first]);
            let place = e.element((name, Type::i32()), at)?;
            let whole = e.load(place)?;
            let below = e.op(Op::SLessThan, bool, &[args[1], zero]);
            let fits = e.op(Op::ULessThan, bool, &[args[1], width]);
            let by = e.op(Op::Select, uint, &[fits, args[1], zero]);
            let part = e.op(Op::ShiftRightLogical, uint, &[whole, by]);
            let part = e.op(Op::Select, uint, &[fits, part, zero]);
            let size = e.op(Op::Select, uint, &[below, whole, part]);
            Ok(Some(e.std450(std450::U_MAX, uint, &[size, one])))
        })
    }

    /// The function that gives the bytes of a component.
    pub fn component_bytes(&mut self, name: Name) -> Result<Helper, Diagnostic> {
        let uint = self.out.int(32);
        let title = format!("{}.bytes", self.resource_name(name));
        self.helper(format!("texture bytes {name}"), &title, (&[], uint), |e, _| {
            let bool = e.out.bool();
            let [one, three, four, eight] = [1, 3, 4, 8].map(|n| e.out.word(n));
            let format = e.texture_word(name, FORMAT)?;
            let kind = e.op(Op::ShiftRightLogical, uint, &[format, eight]);
            let float = e.op(Op::ULessThan, bool, &[kind, four]);
            // A byte, a float by its number, an integer by its number modulo 4.
            let integer = e.op(Op::BitwiseAnd, uint, &[kind, three]);
            let by = e.op(Op::Select, uint, &[float, kind, integer]);
            Ok(Some(e.op(Op::ShiftLeftLogical, uint, &[one, by])))
        })
    }

    /// Where a texel is: the byte in the buffer.
    pub fn texel(
        &mut self,
        name: Name,
        ty: TextureType,
        place: &[Id],
        level: Id,
        offset: &[Id],
    ) -> Result<Id, Diagnostic> {
        let (uint, zero) = (self.out.int(32), self.out.word(0));
        let dims = ty.shape.dims();
        let mut args = Vec::new();
        for k in 0..3 {
            let at = match (place.get(k).filter(|_| k < dims), offset.get(k)) {
                (Some(&at), Some(&more)) => self.op(Op::IAdd, uint, &[at, more]),
                (Some(&at), None) => at,
                (None, _) => zero,
            };
            args.push(at);
        }
        let layer = place.get(dims).filter(|_| ty.indices() > dims).copied();
        args.extend([layer.unwrap_or(zero), level]);
        let function = self.texel_function(name, dims)?;
        Ok(self.call_helper(function, &args))
    }

    /// The function that finds a texel by x, y, z, layer and level.
    fn texel_function(&mut self, name: Name, dims: usize) -> Result<Helper, Diagnostic> {
        let uint = self.out.int(32);
        let title = format!("{}.texel", self.resource_name(name));
        self.helper(format!("texel {name}"), &title, (&[uint; 5], uint), |e, args| {
            let (bool, nowhere) = (e.out.bool(), e.out.word(NOWHERE));
            let (layer, level) = (args[3], args[4]);
            let (levels, layers) = (e.texture_word(name, LEVELS)?, e.texture_word(name, LAYERS)?);
            let mut inside = e.op(Op::ULessThan, bool, &[level, levels]);
            let one = e.op(Op::ULessThan, bool, &[layer, layers]);
            inside = e.op(Op::LogicalAnd, bool, &[inside, one]);
            for (axis, &at) in args[..dims].iter().enumerate() {
                let size = e.size_of(name, axis as u32, level)?;
                let one = e.op(Op::ULessThan, bool, &[at, size]);
                inside = e.op(Op::LogicalAnd, bool, &[inside, one]);
            }
            let found = e.value_if(inside, (uint, nowhere), &mut |e| e.texel_byte(name, args, levels))?;
            Ok(Some(found))
        })
    }

    fn size_of(&mut self, name: Name, axis: u32, level: Id) -> Result<Id, Diagnostic> {
        let (function, axis) = (self.size_function(name)?, self.out.word(axis));
        Ok(self.call_helper(function, &[axis, level]))
    }

    /// The byte of a texel that there is: behind those of whole layers, and of levels before.
    fn texel_byte(&mut self, name: Name, args: &[Id], levels: Id) -> Result<Id, Diagnostic> {
        let (uint, bool) = (self.out.int(32), self.out.bool());
        let [zero, one, head, mask] = [0, 1, HEAD, 0xff].map(|n| self.out.word(n));
        let (layer, level) = (args[3], args[4]);
        let (width, height) = (self.size_of(name, 0, level)?, self.size_of(name, 1, level)?);
        let row = self.op(Op::IMul, uint, &[args[2], height]);
        let row = self.op(Op::IAdd, uint, &[row, args[1]]);
        let at = self.op(Op::IMul, uint, &[row, width]);
        let at = self.op(Op::IAdd, uint, &[at, args[0]]);
        let number = self.variable(uint);
        self.run(Op::Store, &[number, at]);
        self.counted_loop((zero, levels, one), &mut |e, k| {
            let sizes = [e.size_of(name, 0, k)?, e.size_of(name, 1, k)?, e.size_of(name, 2, k)?];
            let texels = e.op(Op::IMul, uint, &sizes[..2]);
            let texels = e.op(Op::IMul, uint, &[texels, sizes[2]]);
            let before = e.op(Op::ULessThan, bool, &[k, level]);
            let more = e.op(Op::IAdd, uint, &[layer, one]);
            let times = e.op(Op::Select, uint, &[before, more, layer]);
            let texels = e.op(Op::IMul, uint, &[texels, times]);
            let sum = e.op(Op::Load, uint, &[number]);
            let sum = e.op(Op::IAdd, uint, &[sum, texels]);
            e.run(Op::Store, &[number, sum]);
            Ok(())
        })?;
        let number = self.op(Op::Load, uint, &[number]);
        let bytes = self.component_bytes(name)?;
        let bytes = self.call_helper(bytes, &[]);
        let format = self.texture_word(name, FORMAT)?;
        let components = self.op(Op::BitwiseAnd, uint, &[format, mask]);
        let size = self.op(Op::IMul, uint, &[bytes, components]);
        let at = self.op(Op::IMul, uint, &[number, size]);
        Ok(self.op(Op::IAdd, uint, &[at, head]))
    }

    fn texture_size(&mut self, name: Name, ty: TextureType, level: ValueId, to: Type) -> Result<Id, Diagnostic> {
        let (uint, level) = (self.out.int(32), self.number(level)?);
        let (width, height) = (self.size_of(name, 0, level)?, self.size_of(name, 1, level)?);
        let layers = self.texture_word(name, LAYERS)?;
        let third = match ty.shape {
            Shape::D3 => self.size_of(name, 2, level)?,
            Shape::Cube => {
                let six = self.out.word(6);
                self.op(Op::UDiv, uint, &[layers, six])
            }
            _ => layers,
        };
        let last = match ty.shape {
            Shape::Samples => self.size_of(name, 2, level)?,
            _ => self.texture_word(name, LEVELS)?,
        };
        let to = self.ty(to)?;
        Ok(self.op(Op::CompositeConstruct, to, &[width, height, third, last]))
    }

    /// A texel as a value.
    fn texel_value(&mut self, name: Name, texel: Id, ty: Type) -> Result<Id, Diagnostic> {
        let function = self.component_function(name, ty.elem())?;
        let mut parts = Vec::new();
        for k in 0..ty.num_elements() as u32 {
            let k = self.out.word(k);
            parts.push(self.call_helper(function, &[texel, k]));
        }
        self.of_scalars(&parts, ty)
    }

    /// The function that reads a component of a texel: of one that is not there 0, of those that
    /// the format lacks 0, 0, 0, 1.
    fn component_function(&mut self, name: Name, ty: Type) -> Result<Helper, Diagnostic> {
        if ty.is_i1() || !ty.is_scalar() {
            return Err(self.refuse("a texel of such a type"));
        }
        let (uint, held) = (self.out.int(32), self.ty(ty)?);
        let title = format!("{}.component.{ty}", self.resource_name(name));
        self.helper(format!("component {name} {ty}"), &title, (&[uint, uint], held), |e, args| {
            let bool = e.out.bool();
            let [three, eight, mask, nowhere] = [3, 8, 0xff, NOWHERE].map(|n| e.out.word(n));
            let zero = e.out.null(held);
            let one = if ty.is_float() { e.float_constant(1.0, ty)? } else { e.int_constant(1, ty)? };
            let format = e.texture_word(name, FORMAT)?;
            let components = e.op(Op::BitwiseAnd, uint, &[format, mask]);
            let is_last = e.op(Op::IEqual, bool, &[args[1], three]);
            let missing = e.op(Op::Select, held, &[is_last, one, zero]);
            let there = e.op(Op::INotEqual, bool, &[args[0], nowhere]);
            let has = e.op(Op::ULessThan, bool, &[args[1], components]);
            let missing = e.op(Op::Select, held, &[there, missing, zero]);
            let both = e.op(Op::LogicalAnd, bool, &[there, has]);
            let value = e.value_if(both, (held, missing), &mut |e| {
                let bytes = e.component_bytes(name)?;
                let bytes = e.call_helper(bytes, &[]);
                let at = e.op(Op::IMul, uint, &[args[1], bytes]);
                let at = e.op(Op::IAdd, uint, &[args[0], at]);
                let kind = e.op(Op::ShiftRightLogical, uint, &[format, eight]);
                e.component(name, (at, bytes, kind), ty)
            })?;
            Ok(Some(value))
        })
    }

    /// The bits of a component, which does not straddle words unless it has 64.
    fn component_bits(&mut self, name: Name, at: Id, bytes: Id) -> Result<[Id; 2], Diagnostic> {
        let (uint, bool) = (self.out.int(32), self.out.bool());
        let [one, two, three, eight, zero] = [1, 2, 3, 8, 0].map(|n| self.out.word(n));
        let [byte, half] = [0xff, 0xffff].map(|n| self.out.word(n));
        let index = self.op(Op::ShiftRightLogical, uint, &[at, two]);
        let place = self.element((name, Type::i32()), index)?;
        let word = self.load(place)?;
        let within = self.op(Op::BitwiseAnd, uint, &[at, three]);
        let shift = self.op(Op::IMul, uint, &[within, eight]);
        let moved = self.op(Op::ShiftRightLogical, uint, &[word, shift]);
        let (is_byte, is_half) = (self.op(Op::IEqual, bool, &[bytes, one]), self.op(Op::IEqual, bool, &[bytes, two]));
        let (as_byte, as_half) =
            (self.op(Op::BitwiseAnd, uint, &[moved, byte]), self.op(Op::BitwiseAnd, uint, &[moved, half]));
        let low = self.op(Op::Select, uint, &[is_half, as_half, word]);
        let low = self.op(Op::Select, uint, &[is_byte, as_byte, low]);
        let is_long = self.op(Op::IEqual, bool, &[bytes, eight]);
        let high = self.value_if(is_long, (uint, zero), &mut |e| {
            let next = e.op(Op::IAdd, uint, &[index, one]);
            let place = e.element((name, Type::i32()), next)?;
            e.load(place)
        })?;
        Ok([low, high])
    }

    /// A component as a number of a type.
    fn component(&mut self, name: Name, (at, bytes, kind): (Id, Id, Id), ty: Type) -> Result<Id, Diagnostic> {
        let (uint, bool) = (self.out.int(32), self.out.bool());
        let (float, double, long) = (self.ty(Type::f32())?, self.ty(Type::f64())?, self.ty(Type::i64())?);
        let [low, high] = self.component_bits(name, at, bytes)?;
        let [zero, one, three, four, five, eight, w16, w24] = [0, 1, 3, 4, 5, 8, 16, 24].map(|n| self.out.word(n));
        let is = |e: &mut Self, n: Id| e.op(Op::IEqual, bool, &[kind, n]);
        let pair_ty = self.out.vector(uint, 2);
        let pair = self.op(Op::CompositeConstruct, pair_ty, &[low, high]);
        // As a float: a byte from 0 to 1 is rounded to one of 32 bits.
        let whole = self.op(Op::ConvertUToF, double, &[low]);
        let most = self.float_constant(255.0, Type::f64())?;
        let unit = self.exact(Op::FDiv, double, &[whole, most]);
        let unit = self.op(Op::FConvert, float, &[unit]);
        let two_floats = self.out.vector(float, 2);
        let halves = self.std450(std450::UNPACK_HALF, two_floats, &[low]);
        let half = self.op_of(Op::CompositeExtract, float, vec![Operand::Id(halves), Operand::Literal(0)]);
        let single = self.op(Op::Bitcast, float, &[low]);
        let (is_half, is_unit, is_double) = (is(self, one), is(self, zero), is(self, three));
        let single = self.op(Op::Select, float, &[is_half, half, single]);
        let single = self.op(Op::Select, float, &[is_unit, unit, single]);
        let wide = self.op(Op::FConvert, double, &[single]);
        let as_double = self.op(Op::Bitcast, double, &[pair]);
        let real = self.op(Op::Select, double, &[is_double, as_double, wide]);
        // As an integer, of which signed ones are extended.
        let (is_i8, is_i16) = (is(self, four), is(self, five));
        let shift = self.op(Op::Select, uint, &[is_i16, w16, zero]);
        let shift = self.op(Op::Select, uint, &[is_i8, w24, shift]);
        let up = self.op(Op::ShiftLeftLogical, uint, &[low, shift]);
        let down = self.op(Op::ShiftRightArithmetic, uint, &[up, shift]);
        let (signed, unsigned) = (self.op(Op::SConvert, long, &[down]), self.op(Op::UConvert, long, &[low]));
        let is_signed = self.op(Op::ULessThan, bool, &[kind, eight]);
        let number = self.op(Op::Select, long, &[is_signed, signed, unsigned]);
        let width = self.op(Op::BitwiseAnd, uint, &[kind, three]);
        let is_wide = self.op(Op::IEqual, bool, &[width, three]);
        let as_long = self.op(Op::Bitcast, long, &[pair]);
        let number = self.op(Op::Select, long, &[is_wide, as_long, number]);
        let is_float = self.op(Op::ULessThan, bool, &[kind, four]);
        let to = self.ty(ty)?;
        if ty.is_float() {
            let of_int = self.op(Op::ConvertSToF, double, &[number]);
            let value = self.op(Op::Select, double, &[is_float, real, of_int]);
            return Ok(if ty == Type::f64() { value } else { self.op(Op::FConvert, to, &[value]) });
        }
        let near = self.nearest((real, Type::f64()), Type::i64(), true)?;
        let value = self.op(Op::Select, long, &[is_float, near, number]);
        Ok(if to == long { value } else { self.op(Op::UConvert, to, &[value]) })
    }
}
