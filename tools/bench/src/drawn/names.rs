//! Names as users choose them, each given once in a program.
//!
//! No name here is a keyword, an intrinsic function, or the name of an entry point.

use super::random::Random;
use std::collections::HashSet;

const LOCALS: &[&str] = &[
    "a", "b", "d", "t", "s", "k", "w", "h", "u", "f", "weight", "falloff", "blend", "energy", "scaled", "offset",
    "delta", "term", "contrib", "base", "gain", "bias", "ratio", "sharp", "level", "soft", "curve", "mixed",
    "response", "spread", "tone", "shaped", "amount", "decay", "factor", "inner", "outer", "part", "warp", "edge",
    "density", "signal", "along", "lobe", "ramp", "slope", "local", "fade", "cov", "strength",
];

const FUNCTIONS: &[&str] = &[
    "falloffOf",
    "softBlend",
    "shapeTerm",
    "remap",
    "squash",
    "tonemap",
    "attenuation",
    "smoothMix",
    "profile",
    "penalty",
    "kernelWeight",
    "evalTerm",
    "applyCurve",
    "softness",
    "response",
    "fresnelTerm",
    "warpBy",
    "bump",
    "spreadOf",
    "gainOf",
    "foldIn",
    "encode",
    "decodeTerm",
    "visibility",
    "lobeWeight",
    "potential",
    "couple",
];

/// The names that a program has used.
#[derive(Clone, Debug, Default)]
pub struct Names {
    used: HashSet<String>,
}

impl Names {
    /// One of these words, or one of them with a number.
    pub fn one_of(&mut self, random: &mut Random, words: &[&str]) -> String {
        for _ in 0..4 {
            let word = random.pick(words);
            if self.used.insert(word.to_string()) {
                return word.to_string();
            }
        }
        let word = random.pick(words);
        (2..).map(|n| format!("{word}{n}")).find(|name| self.used.insert(name.clone())).unwrap_or_default()
    }
    pub fn local(&mut self, random: &mut Random) -> String {
        self.one_of(random, LOCALS)
    }
    pub fn function(&mut self, random: &mut Random) -> String {
        self.one_of(random, FUNCTIONS)
    }
    pub fn has(&self, name: &str) -> bool {
        self.used.contains(name)
    }
    /// Keeps names that are written as they are from being given.
    pub fn keep_all(&mut self, names: &[&str]) {
        self.used.extend(names.iter().map(|name| name.to_string()));
    }
    /// Keeps a name that is written as it is from being given.
    pub fn keep(&mut self, name: &str) -> String {
        self.used.insert(name.to_string());
        name.to_string()
    }
}
