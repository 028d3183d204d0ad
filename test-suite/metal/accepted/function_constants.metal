// Function constants: one with a value, one without, and one that is made of another.
// CONSTANT(0): 3
// CONSTANT(4): true
// BUFFER(0): int 0*5
// EXPECT(0): int 3 1 0 6 11
#include <metal_stdlib>
using namespace metal;

constant int factor [[function_constant(0)]];
constant float scale [[function_constant(1)]];
constant bool flag [[function_constant(4)]];
constant int twice = factor * 2;
constant bool has_scale = is_function_constant_defined(scale);
constant float used = has_scale ? scale : 11.0f;

kernel void k(device int* out [[buffer(0)]]) {
    threadgroup int memory[4];
    memory[0] = factor;
    out[0] = memory[0];
    out[1] = is_function_constant_defined(factor) && flag;
    out[2] = has_scale;
    out[3] = twice;
    out[4] = int(used);
}
