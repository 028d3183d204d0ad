#version 460
// A compute shader for Vulkan that uses the gradient of surface.slang. The file that it includes is made by
//     caustic emit surface.slang --target glsl --library --function loss --derivatives bwd -o surface.glsl
#extension GL_GOOGLE_include_directive : require
#include "surface.glsl"

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Pixels { float pixels[]; };
layout(set = 0, binding = 1) readonly buffer Parameters { float parameters[]; };
layout(set = 0, binding = 2) writeonly buffer Gradients { float gradients[]; };

vec3 direction(uint at)
{
    return vec3(pixels[at], pixels[at + 1], pixels[at + 2]);
}

void main()
{
    uint id = gl_GlobalInvocationID.x;
    if (id >= uint(parameters[4]))
        return;
    uint i = id * 10;
    DifferentialPair_Surface s;
    s.p = Surface(vec3(parameters[0], parameters[1], parameters[2]), parameters[3]);
    s.d = Surface(vec3(0.0), 0.0);
    bwd_diff_loss(s, direction(i), direction(i + 3), direction(i + 6), pixels[i + 9], 1.0);
    gradients[id * 4] = s.d.albedo.x;
    gradients[id * 4 + 1] = s.d.albedo.y;
    gradients[id * 4 + 2] = s.d.albedo.z;
    gradients[id * 4 + 3] = s.d.roughness;
}
