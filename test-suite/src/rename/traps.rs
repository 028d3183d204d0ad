//! Names that may be confused with others. All generators of programs draw names from here.
//!
//! A name must not affect results. These names are the most likely to do so: suffixes that the
//! compiler itself appends, prefixes of each other, names of builtin functions, words of the
//! languages in which code is emitted, symbols of libraries. Each is valid as a name anywhere in a
//! program, so words that cannot be the name of a type, such as modifiers, are excluded.

use crate::random::Rng;
use std::collections::BTreeSet;

/// Suffixes that passes append to a symbol after a dot. A function with such a name, in a struct or
/// a namespace, has a symbol that a pass could have made.
pub const BEHIND_A_POINT: &[&str] = &[
    "jvp",
    "rev",
    "fwd",
    "bwd",
    "primal",
    "known0",
    "unsure",
    "instance",
    "kept_alive",
    "paired",
    "orders",
    "of0",
    "of1",
    "of00",
    "of01",
    "of10",
    "of11",
    "of100",
    "of110",
    "of111",
    "wrt0",
    "wrt1",
    "wrt00",
    "wrt01",
    "wrt10",
    "wrt11",
    "wrt100",
    "wrt110",
    "wrt111",
];

/// Suffixes and prefixes that passes and targets add to names.
pub const OWN: &[&str] = &[
    "primalp",
    "jvpp",
    "context",
    "Context",
    "kept_alive_bwd",
    "custom",
    "reverse",
    "forward",
    "backward",
    "transposed",
    "of",
    "wrt",
    "get",
    "set",
    "key",
    "stage",
    "paired",
    "value",
    "statics",
    "Differential",
    "differential",
    "exact",
    "fast",
    "tile",
    "far",
    "sync",
    "x8",
    "lanes",
    "masked",
    "group",
    "entry",
    "arguments",
    "primal_H",
    "f_d",
    "fwd_diff_f",
    "space",
    "init",
    "caustic",
    "math",
    "sin_f32",
];

/// Prefixes of each other, digits at the end, underscores, various lengths.
pub const ALIKE: &[&str] = &[
    "f",
    "f1",
    "f_1",
    "f1_",
    "f_1_1",
    "ff",
    "fff",
    "F",
    "f0",
    "f00",
    "f01",
    "x1",
    "x1_1",
    "x_1",
    "_x",
    "_x_",
    "__x",
    "x__",
    "x__x",
    "_0",
    "_1x",
    "S0",
    "S_0",
    "S_",
    "T_1",
    "arg0",
    "v0",
    "bb0",
    "o",
    "O0",
    "l1I",
    "a_name_that_is_longer_than_what_fits_into_a_line_of_text_or_a_symbol_of_an_old_linker_or_the_buffer_of_an_assembler_and_then_some_more_0",
    "a_name_that_is_longer_than_what_fits_into_a_line_of_text_or_a_symbol_of_an_old_linker_or_the_buffer_of_an_assembler_and_then_some_more_1",
];

/// Words of the IR: dialects, ops, attributes, types.
pub const OF_THE_IR: &[&str] = &[
    "scf", "ad", "hl", "agg", "arith", "memref", "builtin", "gpu", "simt", "strong", "tex", "call", "yield", "index",
    "i32", "f32", "f64", "loc", "dense", "unit", "ptr", "struct_", "resource", "instance", "link",
];

/// Reserved in C++, CUDA, HLSL, GLSL, WGSL or Metal, and not in Slang.
pub const OF_OTHERS: &[&str] = &[
    "register",
    "template",
    "fn",
    "device",
    "kernel",
    "half4x4_",
    "main",
    "new",
    "delete",
    "class_",
    "union",
    "auto",
    "goto",
    "asm",
    "long",
    "short",
    "signed",
    "char",
    "friend",
    "virtual",
    "typeid",
    "and",
    "or",
    "not",
    "xor",
    "threadIdx",
    "blockIdx",
    "warpSize",
    "__global__",
    "__shared__",
    "__restrict__",
    "vec3",
    "mat4",
    "attribute",
    "varying",
    "gl_Position",
    "loop",
    "fallthrough",
    "thread",
    "threadgroup",
    "constant",
    "fragment",
    "null",
    "NULL",
    "nan",
    "inf",
    "std",
    "self",
    "super",
    "match",
    "type",
    "impl",
];

/// Symbols that machine code calls or defines.
pub const OF_LIBRARIES: &[&str] = &[
    "llvm",
    "printf",
    "vprintf",
    "memcpy",
    "memset",
    "memmove",
    "malloc",
    "free",
    "exit",
    "abort",
    "sinf",
    "cosf",
    "expf",
    "sqrtf",
    "powf",
    "fmod",
    "fmodf",
    "tgamma",
    "_start",
    "__nv_sinf",
    "__chkstk",
    "_GLOBAL_OFFSET_TABLE_",
    "vr0",
    "r1",
    "rd1",
    "tid",
    "ntid",
    "ctaid",
    "param0",
    "sin",
    "max",
    "min",
    "dot",
    "lerp",
    "length",
    "select",
    "clamp",
    "any",
    "mul",
    "detach",
    "abs",
];

/// All traps.
pub fn all() -> impl Iterator<Item = &'static str> {
    [BEHIND_A_POINT, OWN, ALIKE, OF_THE_IR, OF_OTHERS, OF_LIBRARIES].into_iter().flatten().copied()
}

/// Draws traps without repeating one.
#[derive(Clone, Debug)]
pub struct Traps {
    seed: u64,
    given: BTreeSet<String>,
}

impl Traps {
    /// A source of traps that excludes those in `taken`.
    pub fn new(seed: u64, taken: BTreeSet<String>) -> Traps {
        Traps { seed, given: taken }
    }

    /// The trap for a name. If it is not taken, it depends on the name and the seed only, so that
    /// it stays the same while a program is made smaller.
    pub fn draw(&mut self, name: &str) -> String {
        let lists = [BEHIND_A_POINT, OWN, ALIKE, OF_THE_IR, OF_OTHERS, OF_LIBRARIES];
        // Suffixes that the compiler itself appends are the most dangerous, so they are drawn more
        // often.
        self.draw_by(name, |rng| match rng.below(4) {
            0 => BEHIND_A_POINT,
            1 => OWN,
            _ => lists[rng.below(lists.len())],
        })
    }

    /// Like [`Self::draw`], for a function in a struct or a namespace.
    pub fn draw_member(&mut self, name: &str) -> String {
        self.draw_by(name, |rng| if rng.one_in(4) { OWN } else { BEHIND_A_POINT })
    }

    fn draw_by(&mut self, name: &str, list: impl Fn(&mut Rng) -> &'static [&'static str]) -> String {
        let mut rng = Rng::new(name.bytes().fold(self.seed, |s, b| s.wrapping_mul(0x100_0000_01b3) ^ u64::from(b)));
        for _ in 0..4 {
            let list = list(&mut rng);
            let name = list[rng.below(list.len())];
            if self.given.insert(name.to_string()) {
                return name.to_string();
            }
        }
        // More traps are made by joining two.
        loop {
            let all: Vec<&str> = all().collect();
            let (first, second) = (all[rng.below(all.len())], all[rng.below(all.len())]);
            let name = format!("{first}_{second}");
            if self.given.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut traps = Traps::new(1, BTreeSet::from(["of1".to_string()]));
        let drawn: Vec<String> = (0..600).map(|i| traps.draw(&i.to_string())).collect();
        assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), drawn.len());
        assert!(!drawn.contains(&"of1".to_string()));
        let word = |n: &String| {
            n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !n.starts_with(|c: char| c.is_ascii_digit())
        };
        assert!(drawn.iter().all(word));
    }
}
