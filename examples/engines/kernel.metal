// A compute kernel of Metal that uses the gradient of surface.slang. The file that it includes is made by
//     caustic emit surface.slang --target metal --library --function loss --derivatives bwd -o surface.metal
#include <metal_stdlib>
#include "surface.metal"
using namespace metal;

static float3 direction(device const float* pixels, uint at)
{
    return float3(pixels[at], pixels[at + 1], pixels[at + 2]);
}

kernel void pixelGradients(device const float* pixels [[buffer(0)]],
                           device const float* parameters [[buffer(1)]],
                           device float* gradients [[buffer(2)]],
                           uint id [[thread_position_in_grid]])
{
    if (id >= uint(parameters[4]))
        return;
    uint i = id * 10;
    DifferentialPair_Surface s = {};
    s.p.albedo = float3(parameters[0], parameters[1], parameters[2]);
    s.p.roughness = parameters[3];
    bwd_diff_loss(s, direction(pixels, i), direction(pixels, i + 3), direction(pixels, i + 6), pixels[i + 9], 1.0);
    gradients[id * 4] = s.d.albedo.x;
    gradients[id * 4 + 1] = s.d.albedo.y;
    gradients[id * 4 + 2] = s.d.albedo.z;
    gradients[id * 4 + 3] = s.d.roughness;
}
