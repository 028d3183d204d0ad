//! Textures in memory, and how a command line writes them:
//! `FORMAT:DIMS[:cube][:array=N][:samples=N][:mips=N]:v,v,…`.
//!
//! Components are kept as wide as they are computed with, rounded to the format when they are
//! written, each in an atomic word, so that all threads of a dispatch can read and write them. The
//! order of the texels: by layer, level, z, y, x; the samples of a texel count as z.

#![warn(missing_docs)]

use caustic_dialects::reflect::Scalar;
use caustic_dialects::tex::{Shape, TextureType};
use caustic_ir::attr::{round_to, sign_extend};
use caustic_ir::eval::Val;
use caustic_ir::texels::{Addressing, Sampler, Texel, Texels};
use caustic_ir::{FloatKind, nearest};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Bytes that a kernel on a device is given for a texture ([`Texture::description`]).
pub const TEXTURE_BYTES: u64 = 32;
/// Bytes that it is given for a sampler ([`sampler_description`]).
pub const SAMPLER_BYTES: u64 = 8;

/// Whether a sampler is linear and what becomes of coordinates outside (0 they wrap, 1 mirror, 2
/// clamp, 3 there is nothing), a byte each, and nothing.
pub fn sampler_description(sampler: Sampler) -> [u8; SAMPLER_BYTES as usize] {
    let mut out = [0; SAMPLER_BYTES as usize];
    out[..2].copy_from_slice(&[u8::from(sampler.linear), sampler.addressing as u8]);
    out
}

/// What a component of a texel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    Float(FloatKind),
    /// From 0 to 1 in steps of 1/255.
    Unit,
    Signed(u32),
    Unsigned(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Format {
    components: usize,
    component: Component,
}

impl Format {
    /// `rgba32f` and the like.
    fn parse(text: &str) -> Option<Format> {
        let digits = text.find(|c: char| c.is_ascii_digit())?;
        let components = match &text[..digits] {
            "r" => 1,
            "rg" => 2,
            "rgba" => 4,
            _ => return None,
        };
        let kind = text.chars().last()?;
        let bits: u32 = text.get(digits..text.len() - 1)?.parse().ok()?;
        let component = match (kind, bits) {
            ('f', 8) => Component::Unit,
            ('f', 16) => Component::Float(FloatKind::F16),
            ('f', 32) => Component::Float(FloatKind::F32),
            ('f', 64) => Component::Float(FloatKind::F64),
            ('i', 8 | 16 | 32 | 64) => Component::Signed(bits),
            ('u', 8 | 16 | 32 | 64) => Component::Unsigned(bits),
            _ => return None,
        };
        Some(Format { components, component })
    }

    /// The word for a component with this value.
    fn word(self, value: &Val) -> u64 {
        let float = || match value {
            Val::Float(v) => *v,
            other => other.as_int() as f64,
        };
        let int = || match value {
            Val::Float(v) => *v as i64,
            other => other.as_int(),
        };
        match self.component {
            Component::Float(kind) => round_to(float(), kind).to_bits(),
            Component::Unit => {
                let steps = (float().clamp(0.0, 1.0) * 255.0).round();
                round_to(if steps.is_nan() { 0.0 } else { steps / 255.0 }, FloatKind::F32).to_bits()
            }
            Component::Signed(bits) => sign_extend(int(), bits) as u64,
            Component::Unsigned(bits) => int() as u64 & (u64::MAX >> (64 - bits)),
        }
    }

    /// Its number in a description, and bits.
    fn coded(self) -> (u32, u32) {
        match self.component {
            Component::Unit => (0, 8),
            Component::Float(FloatKind::F16) => (1, 16),
            Component::Float(FloatKind::F32) => (2, 32),
            Component::Float(FloatKind::F64) => (3, 64),
            Component::Signed(bits) => (bits.ilog2() + 1, bits),
            Component::Unsigned(bits) => (bits.ilog2() + 5, bits),
        }
    }

    /// A component as it lies in memory: its bits, of which the low ones count.
    fn bits_of(self, word: u64) -> u64 {
        let float = f64::from_bits(word);
        match self.component {
            Component::Unit => (float * 255.0).round() as u64,
            Component::Float(FloatKind::F16) => {
                u64::from(half::f16::from_f64(round_to(float, FloatKind::F16)).to_bits())
            }
            Component::Float(FloatKind::F32) => u64::from((float as f32).to_bits()),
            _ => word,
        }
    }

    fn word_of(self, bits: u64) -> u64 {
        match self.component {
            Component::Unit => self.word(&Val::Float(bits as f64 / 255.0)),
            Component::Float(FloatKind::F16) => half::f16::from_bits(bits as u16).to_f64().to_bits(),
            Component::Float(FloatKind::F32) => f64::from(f32::from_bits(bits as u32)).to_bits(),
            Component::Float(FloatKind::F64) => bits,
            Component::Signed(_) | Component::Unsigned(_) => self.word(&Val::Int(bits as i64)),
        }
    }

    fn is_float(self) -> bool {
        matches!(self.component, Component::Float(_) | Component::Unit)
    }

    fn value(self, word: u64) -> Val {
        if self.is_float() { Val::Float(f64::from_bits(word)) } else { Val::Int(word as i64) }
    }
}

/// The contents of a texture, as a text says them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureContents {
    format: Format,
    /// As many as are written.
    dims: Vec<u32>,
    cube: bool,
    array: Option<u32>,
    samples: Option<u32>,
    levels: u32,
    /// Of one texel, or of all.
    words: Vec<u64>,
}

/// Components of one texture, at most.
const MOST_WORDS: u64 = 1 << 28;

impl TextureContents {
    /// Parses the text after `NAME=`; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<TextureContents, String> {
        let form = || format!("`{text}` is not of the form FORMAT:DIMS[:cube][:array=N][:samples=N][:mips=N]:v,v,…");
        let (shape, values) = text.rsplit_once(':').ok_or_else(form)?;
        let mut out = TextureContents::of_shape(shape, &form)?;
        if !values.trim().is_empty() {
            out.words = values.split(',').map(|v| parse_component(out.format, v.trim())).collect::<Result<_, _>>()?;
        }
        out.checked()
    }

    /// A texture of a shape `FORMAT:DIMS[:cube][:array=N][:samples=N][:mips=N]` with these
    /// components: those of one texel, which fills all of it, or of all texels, for each layer,
    /// level, z, y and x. They are rounded to the format. No components are zeros.
    ///
    /// # Errors
    /// What is wrong with the shape, or with the number of components.
    pub fn of_floats(shape: &str, components: &[f64]) -> Result<TextureContents, String> {
        TextureContents::of_values(shape, components.iter().map(|&v| Val::Float(v)))
    }

    /// The same with integers.
    ///
    /// # Errors
    /// What is wrong with the shape, or with the number of components.
    pub fn of_ints(shape: &str, components: &[i64]) -> Result<TextureContents, String> {
        TextureContents::of_values(shape, components.iter().map(|&v| Val::Int(v)))
    }

    fn of_values(shape: &str, values: impl Iterator<Item = Val>) -> Result<TextureContents, String> {
        let form = || format!("`{shape}` is not of the form FORMAT:DIMS[:cube][:array=N][:samples=N][:mips=N]");
        let mut out = TextureContents::of_shape(shape, &form)?;
        out.words = values.map(|v| out.format.word(&v)).collect();
        out.checked()
    }

    /// Without components.
    fn of_shape(shape: &str, form: &dyn Fn() -> String) -> Result<TextureContents, String> {
        let parts: Vec<&str> = shape.split(':').collect();
        let [format, dims, options @ ..] = parts.as_slice() else { return Err(form()) };
        let no_format =
            || format!("unknown format `{format}`; formats are r, rg or rgba, then 8, 16, 32 or 64, then f, u or i");
        let format = Format::parse(format).ok_or_else(no_format)?;
        let positive = |n: &str| n.parse::<u32>().ok().filter(|n| *n > 0);
        let extents: Option<Vec<u32>> = dims.split('x').map(positive).collect();
        let extents = extents.filter(|d| d.len() <= 3).ok_or_else(|| format!("`{dims}` is not W, WxH or WxHxD"))?;
        let mut out = TextureContents {
            format,
            dims: extents,
            cube: false,
            array: None,
            samples: None,
            levels: 1,
            words: Vec::new(),
        };
        for option in options {
            let count = |n: &str| positive(n).ok_or_else(|| format!("`{n}` is not a count"));
            match option.split_once('=') {
                None if *option == "cube" => out.cube = true,
                Some(("array", n)) => out.array = Some(count(n)?),
                Some(("samples", n)) => out.samples = Some(count(n)?),
                Some(("mips", n)) => out.levels = count(n)?,
                _ => return Err(form()),
            }
        }
        if out.cube && out.dims.len() != 2 {
            return Err(format!("a cube has faces of WxH, not {dims}"));
        }
        if out.samples.is_some() && (out.dims.len() != 2 || out.cube || out.levels > 1) {
            return Err("only a texture of WxH without mips has samples".to_string());
        }
        let most = out.extent().iter().max().map_or(1, |n| 32 - n.leading_zeros());
        if out.levels > most {
            return Err(format!("a texture of {dims} has {most} levels at most"));
        }
        let all = out.all_components();
        if all > MOST_WORDS {
            return Err(format!("the texture is too large: {all} components"));
        }
        Ok(out)
    }

    fn all_components(&self) -> u64 {
        let texels = layer_texels(self.extent(), self.levels).saturating_mul(self.layers() as u64);
        texels.saturating_mul(self.format.components as u64)
    }

    /// With as many components as the shape asks for.
    fn checked(self) -> Result<TextureContents, String> {
        let (given, one, all) = (self.words.len() as u64, self.format.components, self.all_components());
        if given != 0 && given != one as u64 && given != all {
            return Err(format!("{given} values are given; one texel has {one}, all have {all}"));
        }
        Ok(self)
    }

    fn extent(&self) -> [u32; 3] {
        let samples = [1, 1, self.samples.unwrap_or(1)];
        std::array::from_fn(|i| self.dims.get(i).copied().unwrap_or(samples[i]))
    }

    fn layers(&self) -> u32 {
        self.array.unwrap_or(1).saturating_mul(if self.cube { 6 } else { 1 })
    }

    /// What is wrong with binding this to a parameter of that type.
    pub fn misfit(&self, ty: TextureType) -> Option<String> {
        let cube = ty.shape == Shape::Cube;
        if cube != self.cube {
            let (is, needs) = if cube { ("a cube", "`:cube`") } else { ("no cube", "no `:cube`") };
            return Some(format!("it is {is}, so it needs {needs}"));
        }
        let dims = if ty.shape == Shape::Samples { 2 } else { ty.shape.dims() };
        if self.dims.len() != dims {
            return Some(format!("it has {dims} dimensions, not {}", self.dims.len()));
        }
        if self.samples.is_some() && ty.shape != Shape::Samples {
            return Some("it has one sample a texel".to_string());
        }
        if self.levels > 1 && ty.shape == Shape::Samples {
            return Some("it has no mips".to_string());
        }
        (self.array.is_some() && !ty.array).then(|| "it has no layers".to_string())
    }
}

fn parse_component(format: Format, text: &str) -> Result<u64, String> {
    let scalar = if format.is_float() { Scalar::F64 } else { Scalar::I64 };
    let mut bytes = Vec::with_capacity(8);
    crate::value::parse_scalar(scalar, text, &mut bytes)?;
    let word = <[u8; 8]>::try_from(bytes.as_slice()).map_or(0, u64::from_le_bytes);
    let value = if format.is_float() { Val::Float(f64::from_bits(word)) } else { Val::Int(word as i64) };
    Ok(format.word(&value))
}

fn extent_of(extent: [u32; 3], level: u32) -> [u32; 3] {
    extent.map(|n| n.checked_shr(level).unwrap_or(0).max(1))
}

fn texels_of(extent: [u32; 3]) -> u64 {
    extent.iter().fold(1u64, |n, &x| n.saturating_mul(x as u64))
}

fn layer_texels(extent: [u32; 3], levels: u32) -> u64 {
    (0..levels).fold(0, |n, level| n.saturating_add(texels_of(extent_of(extent, level))))
}

/// A texture that is bound to a parameter.
#[derive(Debug)]
pub struct Texture {
    format: Format,
    extent: [u32; 3],
    layers: u32,
    levels: u32,
    words: Box<[AtomicU64]>,
}

impl Texture {
    /// A texture with these contents.
    pub fn new(contents: &TextureContents) -> Texture {
        let (extent, layers, levels) = (contents.extent(), contents.layers(), contents.levels);
        let count = layer_texels(extent, levels) as usize * layers as usize * contents.format.components;
        let word = |i: usize| contents.words.get(i % contents.words.len().max(1)).copied().unwrap_or(0);
        let words = (0..count).map(|i| AtomicU64::new(word(i))).collect();
        Texture { format: contents.format, extent, layers, levels, words }
    }

    /// One texel of zeros.
    pub fn empty(ty: TextureType) -> Texture {
        let format = Format { components: 4, component: Component::Float(FloatKind::F64) };
        let layers = if ty.shape == Shape::Cube { 6 } else { 1 };
        let words = (0..4 * layers).map(|_| AtomicU64::new(0)).collect();
        Texture { format, extent: [1; 3], layers, levels: 1, words }
    }

    /// The texels as they lie in a device's memory: in their order, each component as wide as the
    /// format says.
    pub fn to_texels(&self) -> Vec<u8> {
        let size = self.format.coded().1 as usize / 8;
        let bits = self.words.iter().map(|w| self.format.bits_of(w.load(Relaxed)).to_le_bytes());
        bits.flat_map(|bytes| bytes.into_iter().take(size)).collect()
    }

    /// The largest level as an array of numbers: what its components are, and the texels as they
    /// lie in a device's memory, by layers (if it has several), depth (if it has one), rows,
    /// columns and components.
    pub fn array(&self) -> (Scalar, Vec<usize>, Vec<u8>) {
        let scalar = match self.format.component {
            Component::Unit | Component::Unsigned(8) => Scalar::U8,
            Component::Float(FloatKind::F16) => Scalar::F16,
            Component::Float(FloatKind::F32) => Scalar::F32,
            Component::Float(FloatKind::F64) => Scalar::F64,
            Component::Signed(8) => Scalar::I8,
            Component::Signed(16) => Scalar::I16,
            Component::Signed(32) => Scalar::I32,
            Component::Signed(_) => Scalar::I64,
            Component::Unsigned(16) => Scalar::U16,
            Component::Unsigned(32) => Scalar::U32,
            Component::Unsigned(_) => Scalar::U64,
        };
        let [width, height, depth] = self.extent.map(|n| n as usize);
        let all = self.to_texels();
        let layer = all.len() / (self.layers as usize).max(1);
        let level = width * height * depth * self.format.components * scalar.size();
        let bytes = all.chunks(layer.max(1)).flat_map(|texels| texels.iter().take(level).copied()).collect();
        let outer = [self.layers as usize, depth].into_iter().filter(|n| *n > 1);
        (scalar, outer.chain([height, width, self.format.components]).collect(), bytes)
    }

    /// Takes over texels that were changed in a device's memory.
    pub fn set_texels(&self, texels: &[u8]) {
        let size = self.format.coded().1 as usize / 8;
        for (word, bytes) in self.words.iter().zip(texels.chunks_exact(size)) {
            let mut whole = [0; 8];
            whole[..size].copy_from_slice(bytes);
            word.store(self.format.word_of(u64::from_le_bytes(whole)), Relaxed);
        }
    }

    /// What a kernel on a device is given for the texture, whose texels are at that address: the
    /// address, then as numbers of 32 bits width, height, depth (or samples), layers (six of each
    /// cube), levels, and the format: components, and times 256 what each is: 0 a byte from 0 to 1,
    /// 1 to 3 a float of 16, 32 or 64 bits, 4 to 7 an integer of 8 to 64 bits, 8 to 11 one without
    /// sign.
    pub fn description(&self, texels: u64) -> [u8; TEXTURE_BYTES as usize] {
        let format = self.format.coded().0 << 8 | self.format.components as u32;
        let [width, height, depth] = self.extent;
        let mut out = [0; TEXTURE_BYTES as usize];
        out[..8].copy_from_slice(&texels.to_le_bytes());
        for (i, number) in [width, height, depth, self.layers, self.levels, format].into_iter().enumerate() {
            out[8 + 4 * i..12 + 4 * i].copy_from_slice(&number.to_le_bytes());
        }
        out
    }

    fn words_of(&self, texel: Texel) -> Option<&[AtomicU64]> {
        let extent = extent_of(self.extent, texel.level);
        let inside = texel.at.iter().zip(extent).all(|(x, n)| *x < n);
        if !inside || texel.layer >= self.layers || texel.level >= self.levels {
            return None;
        }
        let [x, y, z] = texel.at.map(u64::from);
        let before =
            texel.layer as u64 * layer_texels(self.extent, self.levels) + layer_texels(self.extent, texel.level);
        let number = before + (z * extent[1] as u64 + y) * extent[0] as u64 + x;
        let start = number as usize * self.format.components;
        self.words.get(start..start + self.format.components)
    }
}

impl Texels for Texture {
    fn extent(&self) -> [u32; 3] {
        self.extent
    }
    fn layers(&self) -> u32 {
        self.layers
    }
    fn levels(&self) -> u32 {
        self.levels
    }
    fn load(&self, texel: Texel) -> [Val; 4] {
        let number = |v: i64| if self.format.is_float() { Val::Float(v as f64) } else { Val::Int(v) };
        let Some(words) = self.words_of(texel) else { return std::array::from_fn(|_| number(0)) };
        std::array::from_fn(|i| match words.get(i) {
            Some(word) => self.format.value(word.load(Relaxed)),
            None => number((i == 3) as i64),
        })
    }
    fn update(&self, texel: Texel, change: &mut dyn FnMut(&Val) -> Option<Val>) -> Val {
        let Some(word) = self.words_of(texel).and_then(|words| words.first()) else {
            return if self.format.is_float() { Val::Float(0.0) } else { Val::Int(0) };
        };
        let next = |bits: u64| change(&self.format.value(bits)).map(|v| self.format.word(&v));
        self.format.value(word.fetch_update(Relaxed, Relaxed, next).unwrap_or_else(|bits| bits))
    }
    fn store(&self, texel: Texel, value: &[Val; 4]) {
        for (word, value) in self.words_of(texel).into_iter().flatten().zip(value) {
            word.store(self.format.word(value), Relaxed);
        }
    }
}

/// Parses `linear|point[,compare][,wrap|mirror|clamp|border]`. Whether a sampler compares is for
/// the program to say; here it changes nothing.
pub fn parse_sampler(text: &str) -> Result<Sampler, String> {
    let mut sampler = Sampler::default();
    let known = ["linear", "point", "compare", "wrap", "mirror", "clamp", "border"];
    for word in text.split(',') {
        match word.trim() {
            "linear" => sampler.linear = true,
            "point" => sampler.linear = false,
            "compare" => {}
            "wrap" => sampler.addressing = Addressing::Wrap,
            "mirror" => sampler.addressing = Addressing::Mirror,
            "clamp" => sampler.addressing = Addressing::Clamp,
            "border" => sampler.addressing = Addressing::Border,
            other => {
                let near = nearest::nearest(other, known.iter().copied());
                let hint = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                return Err(format!("`{other}` is none of {}{hint}", known.join(", ")));
            }
        }
    }
    Ok(sampler)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(text: &str) -> Texture {
        Texture::new(&TextureContents::parse(text).unwrap())
    }

    fn floats(texture: &Texture, layer: u32, level: u32, at: [u32; 3]) -> Vec<f64> {
        texture.load(Texel { layer, level, at }).iter().map(|v| v.as_float()).collect()
    }

    #[test]
    fn texels_stand_by_layer_level_and_row() {
        // Two layers; level 0 has 2x2, level 1 has one texel.
        let all: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        let t = texture(&format!("r32f:2x2:array=2:mips=2:{}", all.join(",")));
        assert_eq!((t.extent(), t.layers(), t.levels()), ([2, 2, 1], 2, 2));
        assert_eq!(floats(&t, 0, 0, [1, 1, 0]), [3.0, 0.0, 0.0, 1.0]);
        assert_eq!(floats(&t, 0, 1, [0, 0, 0]), [4.0, 0.0, 0.0, 1.0]);
        assert_eq!(floats(&t, 1, 0, [0, 1, 0]), [7.0, 0.0, 0.0, 1.0]);
        assert_eq!(floats(&t, 1, 1, [0, 0, 0])[0], 9.0);
        for outside in [(2, 0, [0, 0, 0]), (0, 2, [0, 0, 0]), (0, 1, [1, 0, 0]), (0, 0, [0, 0, 1])] {
            assert_eq!(floats(&t, outside.0, outside.1, outside.2), [0.0; 4]);
        }
    }

    #[test]
    fn the_largest_level_is_an_array() {
        let all: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        let t = texture(&format!("r8u:2x2:array=2:mips=2:{}", all.join(",")));
        assert_eq!(t.array(), (Scalar::U8, vec![2, 2, 2, 1], vec![0, 1, 2, 3, 5, 6, 7, 8]));
        assert_eq!(texture("rg8f:2x1:0,1").array(), (Scalar::U8, vec![1, 2, 2], vec![0, 255, 0, 255]));
    }

    #[test]
    fn numbers_are_as_their_text() {
        let text = TextureContents::parse("rg32f:2x1:0.5,1,2,4").unwrap();
        assert_eq!(TextureContents::of_floats("rg32f:2x1", &[0.5, 1.0, 2.0, 4.0]), Ok(text));
        let text = TextureContents::parse("r8i:4:-1").unwrap();
        assert_eq!(TextureContents::of_ints("r8i:4", &[-1]), Ok(text.clone()));
        assert_eq!(TextureContents::of_ints("r8i:4", &[255]), Ok(text));
        assert!(TextureContents::of_floats("r32f:4", &[1.0; 3]).unwrap_err().contains("3 values are given"));
        assert!(TextureContents::of_floats("r32f", &[]).unwrap_err().contains("is not of the form"));
    }

    #[test]
    fn formats_round() {
        let t = texture("rgba8f:1:0.5,2,-1,1");
        assert_eq!(floats(&t, 0, 0, [0; 3])[1..], [1.0, 0.0, 1.0]);
        assert!((floats(&t, 0, 0, [0; 3])[0] - 128.0 / 255.0).abs() < 1e-7);
        let t = texture("rg8i:1:255,-129");
        assert_eq!(format!("{:?}", t.load(Texel::default())), "[-1, 127, 0, 1]");
        t.store(Texel::default(), &[300, 5, 6, 7].map(Val::Int));
        assert_eq!(format!("{:?}", t.load(Texel::default())), "[44, 5, 0, 1]");
        assert_eq!(texture("r16f:1:0.1").load(Texel::default())[0].as_float(), half::f16::from_f64(0.1).to_f64());
    }

    #[test]
    fn texels_lie_as_their_format_says() {
        for (text, bytes) in [
            ("rg8f:2x1:0,1,0.5,0.2", &[0, 255, 128, 51][..]),
            ("r16f:2:1,-2", &[0, 0x3c, 0, 0xc0]),
            ("r32f:1:1", &[0, 0, 0x80, 0x3f]),
            ("rg8i:1:-1,5", &[255, 5]),
            ("r16u:2:65535,1", &[255, 255, 1, 0]),
            ("r64f:1:1", &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
        ] {
            let t = texture(text);
            assert_eq!(t.to_texels(), bytes, "{text}");
            let before = format!("{:?}", t.load(Texel::default()));
            t.set_texels(bytes);
            assert_eq!(format!("{:?}", t.load(Texel::default())), before, "{text}");
        }
        let t = texture("rgba16i:4x2:array=3:mips=2:0,0,0,0");
        let numbers: Vec<u32> =
            t.description(7)[8..].chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        assert_eq!(numbers, [4, 2, 1, 3, 2, 5 << 8 | 4]);
        assert_eq!(sampler_description(parse_sampler("point,clamp").unwrap())[..2], [0, 2]);
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text| TextureContents::parse(text).unwrap_err();
        for (text, part) in [
            ("rgb32f:2:1,2,3", "unknown format `rgb32f`"),
            ("r32f", "not of the form"),
            ("r32f:2x0:1", "`2x0`"),
            ("r32f:2x2:1,2,3", "3 values are given; one texel has 1, all have 4"),
            ("r32f:2x2:flat:1", "not of the form"),
            ("r32f:4:cube:1", "a cube"),
            ("r32f:4:mips=4:1", "3 levels at most"),
            ("r32f:4:samples=4:1", "only a texture of WxH"),
            ("r32f:100000x100000:1", "too large"),
            ("r32u:1:1.5", "1.5"),
        ] {
            assert!(message(text).contains(part), "{text}: {}", message(text));
        }
        assert!(parse_sampler("linar").unwrap_err().contains("did you mean `linear`"));
        assert_eq!(
            parse_sampler("point,compare,clamp").map(|s| (s.linear, s.addressing)),
            Ok((false, Addressing::Clamp))
        );
    }
}
