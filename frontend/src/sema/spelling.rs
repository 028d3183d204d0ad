//! Suggestions for names that are not declared: the most similar declared name, or the name here
//! for a word of other languages. Names in text that could not be parsed are not reported, because
//! the error in that text causes their absence.

use super::*;
use caustic_ir::codes;
use caustic_ir::nearest::nearest;

/// The number of undeclared names in a program for which a similar name is searched.
pub(super) const MAX_SUGGESTIONS: u32 = 32;

/// Names of C++ and other shading languages, with the corresponding names here.
const ELSEWHERE: [(&str, &str); 46] = [
    ("auto", "var"),
    ("vec2", "float2"),
    ("vec3", "float3"),
    ("vec4", "float4"),
    ("dvec2", "double2"),
    ("dvec3", "double3"),
    ("dvec4", "double4"),
    ("ivec2", "int2"),
    ("ivec3", "int3"),
    ("ivec4", "int4"),
    ("uvec2", "uint2"),
    ("uvec3", "uint3"),
    ("uvec4", "uint4"),
    ("bvec2", "bool2"),
    ("bvec3", "bool3"),
    ("bvec4", "bool4"),
    ("mat2", "float2x2"),
    ("mat3", "float3x3"),
    ("mat4", "float4x4"),
    ("mix", "lerp"),
    ("fract", "frac"),
    ("inversesqrt", "rsqrt"),
    ("dFdx", "ddx"),
    ("dFdy", "ddy"),
    ("imageLoad", "image[at]"),
    ("texture", "texture.Sample(sampler, at)"),
    ("gl_GlobalInvocationID", "a parameter with the semantic SV_DispatchThreadID"),
    ("gl_LocalInvocationID", "a parameter with the semantic SV_GroupThreadID"),
    ("gl_WorkGroupID", "a parameter with the semantic SV_GroupID"),
    ("i32", "int"),
    ("f32", "float"),
    ("f64", "double"),
    ("short", "int16_t"),
    ("long", "int64_t"),
    ("ushort", "uint16_t"),
    ("ulong", "uint64_t"),
    ("dword", "uint"),
    ("unsigned", "uint"),
    ("unsigned int", "uint"),
    ("unsigned short", "uint16_t"),
    ("unsigned long", "uint64_t"),
    ("unsigned char", "uint8_t"),
    ("char", "int8_t"),
    ("min16float", "half"),
    ("min16int", "int16_t"),
    ("min16uint", "uint16_t"),
];

/// Types with names that are not declared anywhere, as candidates for misspelt names.
const TYPES: [&str; 15] = [
    "void", "bool", "int", "uint", "half", "float", "double", "float2", "float3", "float4", "float3x3", "float4x4",
    "int2", "int3", "int4",
];

/// Operators on functions, which are no declarations either.
const OPERATORS: [&str; 4] = ["fwd_diff", "bwd_diff", "no_diff", "__apply"];

impl Checker<'_> {
    /// The visible name that is most similar to `name`, if one is similar enough.
    fn nearest_name(&self, name: &str) -> Option<String> {
        let mut candidates: Vec<Name> = self.cx.names.iter().filter(|(_, s)| !s.is_empty()).map(|(n, _)| *n).collect();
        let mut at = Some(self.current_ns());
        while let Some(id) = at {
            let space = &self.namespaces[id.0 as usize];
            candidates.extend(space.names.keys());
            at = space.parent;
        }
        candidates.extend(self.prelude.names());
        most_like(name, candidates.iter().map(|n| &**n).chain(TYPES).chain(OPERATORS))
    }

    pub(crate) fn undeclared(&mut self, name: &ast::Ident) {
        // What a type is whose name was refused is not known either, nor what it has.
        if self.is_broken(name.name) || self.cx.this_ty.is_some_and(|this| this.is_error()) {
            return;
        }
        // Words that the grammar leaves to names where what belongs to them is missing.
        let instead = match name.name.as_str() {
            "throw" => Some("syntax error: `throw` needs the error that it throws"),
            "let" | "var" => Some("syntax error: a declaration names one variable, and has no patterns"),
            _ => None,
        };
        if let Some(text) = instead {
            self.error(codes::E0100, name.span, text);
            return;
        }
        let elsewhere = ELSEWHERE.iter().find(|(word, _)| *word == &*name.name);
        // Each search looks at all names. A program with many undeclared names has not misspelt
        // them.
        let near = match (elsewhere, self.suggestions.checked_sub(1)) {
            (None, Some(left)) => {
                self.suggestions = left;
                self.nearest_name(&name.name)
            }
            _ => None,
        };
        let d = self.error(codes::E0201, name.span, format!("`{}` is not declared", name.name));
        d.label = "not found in this scope".to_string();
        d.notes.extend(near.map(|near| format!("there is `{near}`, with a similar name")));
        d.notes.extend(elsewhere.map(|(word, here)| format!("what `{word}` is elsewhere is `{here}` here")));
    }

    /// Whether the name may be declared in text that could not be parsed.
    pub(crate) fn is_broken(&self, name: Name) -> bool {
        self.broken.contains(&name)
    }
}

/// The candidate that is most similar to `name`; the first in alphabetical order if there are
/// several.
pub(super) fn most_like<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    // Internal names of the library are no help.
    let mut candidates: Vec<&str> =
        candidates.filter(|c| *c != name && !c.is_empty() && (name.starts_with('_') || !c.starts_with("__"))).collect();
    candidates.sort_unstable();
    nearest(name, candidates).map(str::to_string)
}
