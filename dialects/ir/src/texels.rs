//! Textures and samplers as an evaluating op sees them: memory of texels behind a trait, and how to
//! filter it.
//!
//! What a host binds implements [`Texels`]; the rows that read textures work on it. Nothing here
//! knows how texels are stored.

#![warn(missing_docs)]

use crate::eval::Val;

/// The place of a texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texel {
    /// Of an array; a cube has six in a row.
    pub layer: u32,
    /// Of smaller and smaller ones; 0 is the largest.
    pub level: u32,
    /// Column, row and slice within the level.
    pub at: [u32; 3],
}

/// What is bound to a texture parameter.
pub trait Texels {
    /// Width, height and depth of level 0; 1 in dimensions that the texture does not have.
    fn extent(&self) -> [u32; 3];
    /// The number of layers; a cube has six for each element of an array.
    fn layers(&self) -> u32;
    /// The number of levels.
    fn levels(&self) -> u32;
    /// The four components, floats or integers as the format is; those that it lacks are 0, 0,
    /// 0, 1. Zero if there is no such texel.
    fn load(&self, texel: Texel) -> [Val; 4];
    /// Writes the components that the format has; does nothing if there is no such texel.
    fn store(&self, texel: Texel, value: &[Val; 4]);
    /// Reads the first component and writes what `change` makes of it, if anything, so that no
    /// other thread comes between; gives what was read. Zero if there is no such texel.
    fn update(&self, texel: Texel, change: &mut dyn FnMut(&Val) -> Option<Val>) -> Val;

    /// Width, height and depth of a level.
    fn extent_of(&self, level: u32) -> [u32; 3] {
        self.extent().map(|n| n.checked_shr(level).unwrap_or(0).max(1))
    }
}

/// What becomes of a coordinate outside of the texture.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addressing {
    /// It begins anew on the other side.
    #[default]
    Wrap,
    /// It goes back.
    Mirror,
    /// It stays at the edge.
    Clamp,
    /// Zero outside.
    Border,
}

/// What is bound to a sampler parameter. Compiled code reads the two bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Whether neighbouring texels and levels are interpolated; else the nearest counts.
    pub linear: bool,
    /// What it finds outside of the texture.
    pub addressing: Addressing,
}

impl Sampler {
    /// As one number: 1 if it is linear, and twice the addressing's.
    pub fn state(self) -> i64 {
        i64::from(self.linear) | (self.addressing as i64) << 1
    }
}

impl Default for Sampler {
    fn default() -> Sampler {
        Sampler { linear: true, addressing: Addressing::default() }
    }
}
