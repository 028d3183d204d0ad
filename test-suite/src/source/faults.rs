//! Faults that are planted in emitted text: what a wrong row, a wrong layout or a forgotten barrier
//! would make of it. Each has to be found by what judges texts: the language's compiler, or a run
//! that is compared with the interpreter. A fault that is not found, or of which no text has a
//! trace any more, is a failure: the first says that the judge is too weak, the second that the row
//! below is out of date.

use super::{Job, LANGUAGES, Language, Outcome, Run, runs, try_texts};
use crate::Suite;
use std::sync::Arc;

/// The cases whose texts have faults planted in them.
const CASES: [&str; 4] = ["arithmetic", "memory", "flow", "derivative"];

/// What goes wrong in a language, and how: text, and what stands for it.
type Fault = (&'static str, &'static str, &'static str, &'static str);

const FAULTS: [Fault; 72] = [
    ("cpp", "cosine for sine", "= sin(", "= cos("),
    ("cpp", "the quotient of C++", "= div(i_2, zero)", "= i_2 / (zero == 0 ? 1 : zero)"),
    ("cpp", "the quotient for the remainder", "= mod(", "= div("),
    ("cpp", "a comparison with signs", "uint(i_9) > uint(i_2)", "i_9 > i_2"),
    ("cpp", "a shift without a sign", "= shr(i_9, i_6)", "= int(shr(uint(i_9), uint(i_6)))"),
    ("cpp", "a conversion that does not saturate", "saturate_to<uint>(f_1)", "uint(int(f_1))"),
    ("cpp", "the greater number for the less", "min(max(f_0, f_7), f_5)", "max(max(f_0, f_7), f_5)"),
    ("cpp", "no barrier", "barrier(23);", ""),
    (
        "cpp",
        "the matrix transposed",
        "float2{dot_float_3(x[0], y), dot_float_3(x[1], y)}",
        "float2{dot_float_3(x[1], y), dot_float_3(x[0], y)}",
    ),
    ("cpp", "a field forgotten in a struct", "    float2 uv;\n", ""),
    ("cuda", "cosine for sine", "= sin(", "= cos("),
    ("cuda", "rounding half to even", "round_away(f_0)", "(round_away(f_0) - 1.0f)"),
    ("cuda", "the remainder of floor", "= fmod(f_1, f_5", "= f_5 + fmod(f_1, f_5"),
    ("cuda", "no barrier", "__syncthreads();", ""),
    ("cuda", "the group's number forgotten", "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x"),
    ("cuda", "an update that is none", "atomic_max<uint>(", "atomic_add<uint>("),
    (
        "cuda",
        "the matrix transposed",
        "float2{dot_float_3(x[0], y), dot_float_3(x[1], y)}",
        "float2{dot_float_3(x[1], y), dot_float_3(x[0], y)}",
    ),
    ("glsl", "cosine for sine", "= sin(", "= cos("),
    ("glsl", "the remainder of GLSL", "= rem(", "= int(uint(i_0) % uint(i_1)) + rem("),
    ("glsl", "the quotient of GLSL", "= div(i_2, zero)", "= i_2 / zero - 1"),
    ("glsl", "a comparison with signs", "uint(i_9) > uint(i_2)", "i_9 > i_2"),
    ("glsl", "a conversion that does not saturate", "saturate_to_uint(f_1)", "uint(int(f_1))"),
    ("glsl", "what is no number is taken", "= min_num(f_0, nan)", "= nan + f_0"),
    (
        "glsl",
        "the layout std430",
        "layout(scalar, set = 0, binding = 0) readonly",
        "layout(std430, set = 0, binding = 0) readonly",
    ),
    ("glsl", "an offset of a uniform", "layout(offset = 4) vec3 offset", "layout(offset = 16) vec3 offset"),
    ("glsl", "no barrier", "    memoryBarrier();\n    barrier();\n", ""),
    ("glsl", "an index one too high", "shared_[31u - local]", "shared_[30u - local]"),
    (
        "glsl",
        "the matrix transposed",
        "vec2(dot_float_3(x[0], y), dot_float_3(x[1], y))",
        "vec2(dot_float_3(x[1], y), dot_float_3(x[0], y))",
    ),
    (
        "glsl",
        "an update that is lost",
        "uint old = atomicAdd(counts[i], value)",
        "uint old = counts[i]; counts[i] = old + value * 2u",
    ),
    ("glsl", "a name of the language's own", "float f_0 = ", "float sample = "),
    ("hlsl", "cosine for sine", "= sin(", "= cos("),
    ("hlsl", "an integer without a sign shifted", "= shr(i_9, i_6)", "= int(shr(uint(i_9), uint(i_6)))"),
    ("hlsl", "a comparison with signs", "uint(i_9) > uint(i_2)", "i_9 > i_2"),
    ("hlsl", "the sign of 64 bits", "wide_less_signed(wide", "!wide_less_signed(wide"),
    ("hlsl", "a carry forgotten", "wide_add(wide_mul", "wide_mul(wide_mul"),
    ("hlsl", "a component of a vector", "a.yzx", "a.yxz"),
    ("hlsl", "two resources at one place", "vk::binding(1, 0)", "vk::binding(0, 0)"),
    ("hlsl", "no barrier", "AllMemoryBarrierWithGroupSync();", ""),
    ("hlsl", "an update that is none", "InterlockedMax(", "InterlockedAdd("),
    ("hlsl", "a break forgotten", "break;", ";"),
    ("hlsl", "the other side of a branch", "> 2.0f", "< 2.0f"),
    ("wgsl", "the quotient of WGSL", "if (b == 0) { return 0; }", ""),
    ("wgsl", "a comparison with signs", "u32(i_9) > u32(i_2)", "i_9 > i_2"),
    ("wgsl", "cosine for sine", "= sin(", "= cos("),
    (
        "wgsl",
        "a float3 of 16 bytes",
        "struct packed_float3 { x: f32, y: f32, z: f32 }",
        "struct packed_float3 { x: f32, y: f32, z: f32, w: f32 }",
    ),
    ("wgsl", "an implicit conversion", "f32(group.x)", "group.x"),
    ("wgsl", "no barrier", "    storageBarrier();\n    workgroupBarrier();\n    let other", "    let other"),
    ("wgsl", "a binding of another group", "@group(0) @binding(4)", "@group(0) @binding(3)"),
    ("wgsl", "the greater for the less", "let low = a.x + b.x;", "let low = a.x | b.x;"),
    ("metal", "cosine for sine", "= sin(", "= cos("),
    ("metal", "a comparison with signs", "uint(i_9) > uint(i_2)", "i_9 > i_2"),
    ("metal", "a shift without a sign", "= shr(i_9, i_6)", "= int(shr(uint(i_9), uint(i_6)))"),
    ("metal", "a conversion that does not saturate", "saturate_to_uint(f_1)", "uint(int(f_1))"),
    ("metal", "a float3 of 16 bytes", "    packed_float3 ", "    float3 "),
    ("metal", "no barrier", "    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);\n", ""),
    ("metal", "two resources at one place", "[[buffer(1)]]", "[[buffer(0)]]"),
    ("metal", "a reference without an address space", "(thread DifferentialPair_", "(DifferentialPair_"),
    ("metal", "memory of the group as a thread's", "threadgroup array<float, 32> shared", "array<float, 32> shared"),
    ("metal", "the length of another buffer", "lengths.few", "lengths.r"),
    ("metal", "an update that is none", "atomic_fetch_max_explicit(", "atomic_fetch_add_explicit("),
    (
        "metal",
        "the matrix transposed",
        "float2(dot_float_3(x[0], y), dot_float_3(x[1], y))",
        "float2(dot_float_3(x[1], y), dot_float_3(x[0], y))",
    ),
    ("spirv", "a comparison with signs", "OpUGreaterThan ", "OpSGreaterThan "),
    ("spirv", "a shift without a sign", "OpShiftRightArithmetic ", "OpShiftRightLogical "),
    ("spirv", "cosine for sine", " Sin ", " Cos "),
    ("spirv", "a stride of 16 bytes", "ArrayStride 12", "ArrayStride 16"),
    (
        "spirv",
        "an offset of a uniform",
        "OpMemberDecorate %Uniforms 1 Offset 4",
        "OpMemberDecorate %Uniforms 1 Offset 16",
    ),
    ("spirv", "no barrier", "OpControlBarrier %uint_2 %uint_2 %uint_264", "OpNop"),
    ("spirv", "a product for a sum", "OpFAdd ", "OpFMul "),
    ("spirv", "the other way to round", " Floor ", " Ceil "),
    ("spirv", "an update that is none", "OpAtomicUMax ", "OpAtomicIAdd "),
    ("spirv", "the other side of a branch", "OpFOrdGreaterThan ", "OpFOrdLessThan "),
    ("spirv", "two resources at one place", "OpDecorate %r Binding 2", "OpDecorate %r Binding 0"),
];

/// A test for each language: all of its faults are found.
pub fn jobs(suite: &Arc<Suite>) -> Vec<Job> {
    let job = |language: Language| -> Job {
        let suite = suite.clone();
        (format!("source/faults/{}", language.target), Box::new(move || all_found(&suite, language)))
    };
    LANGUAGES.into_iter().map(job).collect()
}

fn all_found(suite: &Suite, language: Language) -> Result<(), String> {
    let cases = CASES.map(|name| format!("test-suite/cases/source/faults/{name}.slang"));
    let runs = runs(suite, &cases);
    let mut wrong = String::new();
    for (_, what, from, to) in FAULTS.iter().filter(|(target, ..)| *target == language.target) {
        if let Err(why) = found(suite, language, &runs, (from, to)) {
            wrong += &format!("{what} (`{from}`): {why}\n");
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Whether a fault is found in one of the texts that it can be planted in.
fn found(suite: &Suite, language: Language, runs: &[Run], (from, to): (&str, &str)) -> Result<(), String> {
    let planted = std::cell::Cell::new(0);
    for run in runs {
        let before = planted.get();
        let edit = |text: String| {
            planted.set(planted.get() + usize::from(text.contains(from)));
            text.replace(from, to)
        };
        let outcomes = try_texts(suite, std::slice::from_ref(run), language, "g++", &edit)?;
        let caught = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Failed(_)));
        if planted.get() > before && caught {
            return Ok(());
        }
    }
    match planted.get() {
        0 => Err("no text has it".to_string()),
        _ => Err("it is not found".to_string()),
    }
}
