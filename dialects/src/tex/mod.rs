//! `tex`: textures and samplers.
//!
//! A texture is a resource whose texels are read by place or sampled through a sampler. Coordinates
//! and places are one operand, a scalar or vector, with the layer of an array as the last component
//! (and for places in a cube the face: six layers for each cube). What an op gives is a function of
//! the texels, the sampler and the operands ([`TextureOp::eval`]): the reference semantics, which
//! targets on the CPU call. Where there are no neighbouring pixels, implicit derivatives are zero.

mod access;
mod filter;
mod ops;
mod types;

pub use access::{Kind, TextureOp};
pub use ops::*;
pub use types::*;

use caustic_ir::Dialect;

pub static DIALECT: Dialect = Dialect {
    name: "tex",
    doc: "Textures and samplers.",
    ops: &[TEX_OPS],
    types: &[
        (
            "texture",
            "`!tex.texture<\"1d\" | \"2d\" | \"3d\" | \"cube\", type, \"ro\" | \"rw\">`, with a fourth parameter `\"array\"` if it has layers: texels that are read as values of the type, a scalar or a vector of up to four.",
        ),
        ("sampler", "`!tex.sampler`: how a texture is filtered, and what lies outside of it."),
    ],
};
