//! Names of C++, CUDA and other shading languages, with what they are called here.

use super::types;

/// Names, and the names here.
const NAMES: [(&str, &str); 85] = [
    ("static_cast", "T(value)"),
    ("reinterpret_cast", "bit_cast<T>(value)"),
    ("auto", "var"),
    ("mix", "lerp"),
    ("fract", "frac"),
    ("inversesqrt", "rsqrt"),
    ("inverseSqrt", "rsqrt"),
    ("roundEven", "rint"),
    ("matrixCompMult", "*"),
    ("dFdx", "ddx"),
    ("dFdy", "ddy"),
    ("dpdx", "ddx"),
    ("dpdy", "ddy"),
    ("dFdxFine", "ddx_fine"),
    ("dFdyFine", "ddy_fine"),
    ("dFdxCoarse", "ddx_coarse"),
    ("dFdyCoarse", "ddy_coarse"),
    ("lessThan", "<"),
    ("lessThanEqual", "<="),
    ("greaterThan", ">"),
    ("greaterThanEqual", ">="),
    ("equal", "=="),
    ("notEqual", "!="),
    ("bitCount", "countbits"),
    ("popcount", "countbits"),
    ("__popc", "countbits"),
    ("findLSB", "firstbitlow"),
    ("findMSB", "firstbithigh"),
    ("bitfieldReverse", "reversebits"),
    ("floatBitsToInt", "asint"),
    ("floatBitsToUint", "asuint"),
    ("intBitsToFloat", "asfloat"),
    ("uintBitsToFloat", "asfloat"),
    ("barrier", "GroupMemoryBarrierWithGroupSync"),
    ("workgroupBarrier", "GroupMemoryBarrierWithGroupSync"),
    ("__syncthreads", "GroupMemoryBarrierWithGroupSync"),
    ("memoryBarrierShared", "GroupMemoryBarrier"),
    ("memoryBarrier", "AllMemoryBarrier"),
    ("atomicAdd", "InterlockedAdd"),
    ("atomicMin", "InterlockedMin"),
    ("atomicMax", "InterlockedMax"),
    ("atomicAnd", "InterlockedAnd"),
    ("atomicOr", "InterlockedOr"),
    ("atomicXor", "InterlockedXor"),
    ("atomicExchange", "InterlockedExchange"),
    ("atomicExch", "InterlockedExchange"),
    ("atomicCompSwap", "InterlockedCompareExchange"),
    ("atomicCAS", "InterlockedCompareExchange"),
    ("imageLoad", "image[at]"),
    ("imageStore", "image[at] = value"),
    ("texture", "texture.Sample(sampler, at)"),
    ("textureSample", "texture.Sample(sampler, at)"),
    ("tex2D", "texture.Sample(sampler, at)"),
    ("textureLod", "texture.SampleLevel(sampler, at, level)"),
    ("tex2Dlod", "texture.SampleLevel(sampler, at, level)"),
    ("textureGrad", "texture.SampleGrad(sampler, at, x, y)"),
    ("textureSize", "texture.GetDimensions(width, height)"),
    ("texelFetch", "texture.Load(at)"),
    ("fabs", "abs"),
    ("fabsf", "abs"),
    ("fmaxf", "max"),
    ("fminf", "min"),
    ("expf", "exp"),
    ("logf", "log"),
    ("powf", "pow"),
    ("sqrtf", "sqrt"),
    ("rsqrtf", "rsqrt"),
    ("sinf", "sin"),
    ("cosf", "cos"),
    ("tanhf", "tanh"),
    ("floorf", "floor"),
    ("i32", "int"),
    ("u32", "uint"),
    ("i64", "int64_t"),
    ("u64", "uint64_t"),
    ("f16", "half"),
    ("f32", "float"),
    ("f64", "double"),
    ("short", "int16_t"),
    ("long", "int64_t"),
    ("ushort", "uint16_t"),
    ("ulong", "uint64_t"),
    ("unsigned", "uint"),
    ("char", "int8_t"),
    ("uchar", "uint8_t"),
];

/// Names that the grammar makes of several words.
const SEVERAL: [(&str, &str); 5] = [
    ("unsigned int", "uint"),
    ("unsigned short", "uint16_t"),
    ("unsigned long", "uint64_t"),
    ("unsigned char", "uint8_t"),
    ("dword", "uint"),
];

/// Variables that hold what parameters with a semantic hold here.
const SEMANTICS: [(&str, &str); 12] = [
    ("gl_GlobalInvocationID", "SV_DispatchThreadID"),
    ("gl_LocalInvocationID", "SV_GroupThreadID"),
    ("gl_LocalInvocationIndex", "SV_GroupIndex"),
    ("gl_WorkGroupID", "SV_GroupID"),
    ("gl_VertexID", "SV_VertexID"),
    ("gl_VertexIndex", "SV_VertexID"),
    ("gl_InstanceID", "SV_InstanceID"),
    ("gl_InstanceIndex", "SV_InstanceID"),
    ("gl_FragCoord", "SV_Position"),
    ("gl_PrimitiveID", "SV_PrimitiveID"),
    ("threadIdx", "SV_GroupThreadID"),
    ("blockIdx", "SV_GroupID"),
];

/// Scalars, by what names of vectors of them begin with.
const SCALARS: [(&str, &str); 13] = [
    ("vec", "float"),
    ("dvec", "double"),
    ("ivec", "int"),
    ("uvec", "uint"),
    ("bvec", "bool"),
    ("f16vec", "half"),
    ("i64vec", "int64_t"),
    ("u64vec", "uint64_t"),
    ("min16float", "half"),
    ("min10float", "half"),
    ("min16int", "int16_t"),
    ("min12int", "int16_t"),
    ("min16uint", "uint16_t"),
];

/// What `word`, which is not declared, is called here, as it stands in a message.
pub(super) fn meaning(word: &str) -> Option<String> {
    let named = NAMES.iter().chain(&SEVERAL).find(|(w, _)| *w == word).map(|(_, here)| format!("`{here}`"));
    let held = || {
        let (_, semantic) = SEMANTICS.iter().find(|(w, _)| *w == word)?;
        Some(format!("a parameter with the semantic `{semantic}`"))
    };
    named.or_else(held).or_else(|| shaped(word).map(|here| format!("`{here}`")))
}

/// The name of a scalar, a vector or a matrix: `vec3`, `vec3f`, `mat4`, `min16float3x3`.
fn shaped(word: &str) -> Option<String> {
    if let Some(size) = word.strip_prefix("mat").filter(|size| matches!(*size, "2" | "3" | "4")) {
        return Some(format!("float{size}x{size}"));
    }
    // As WGSL has them.
    let wgsl = [("f", "float"), ("h", "half"), ("i", "int"), ("u", "uint")].into_iter().find_map(|(end, scalar)| {
        let size = word.strip_prefix("vec")?.strip_suffix(end).filter(|n| matches!(*n, "2" | "3" | "4"))?;
        Some(format!("{scalar}{size}"))
    });
    let other = || {
        SCALARS.iter().find_map(|(begin, scalar)| {
            let shape = word.strip_prefix(begin)?;
            let here = format!("{scalar}{shape}");
            let alone = shape.is_empty() && !begin.ends_with("vec");
            let of_shape = shape.starts_with(|c: char| c.is_ascii_digit());
            (alone || of_shape && types::builtin_type(&here).is_some()).then_some(here)
        })
    };
    wgsl.or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_languages_have_a_meaning() {
        assert_eq!(meaning("min16float3x3").as_deref(), Some("`half3x3`"));
        assert_eq!(meaning("min16int").as_deref(), Some("`int16_t`"));
        assert_eq!(meaning("vec3h").as_deref(), Some("`half3`"));
        assert_eq!(meaning("uvec2").as_deref(), Some("`uint2`"));
        assert_eq!(meaning("vec"), None);
        assert_eq!(meaning("vec9"), None);
    }
}
