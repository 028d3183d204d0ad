// A program in C++ that fits a surface to what was measured of it, by the gradient of surface.slang. The header is made by
//     caustic emit surface.slang --target cpp --library --function loss --derivatives bwd -o surface.h
#include "surface.h"
#include <cstdio>

int main()
{
    using namespace surface;
    const Surface real = {{0.7f, 0.5f, 0.3f}, 0.45f};
    Surface s = {{0.2f, 0.2f, 0.2f}, 0.8f};
    const float3 n = {0.0f, 0.0f, 1.0f}, v = {0.0f, 0.28f, 0.96f};
    const float3 lights[] = {{0.0f, 0.0f, 1.0f}, {0.6f, 0.0f, 0.8f}, {0.0f, -0.6f, 0.8f}, {-0.28f, 0.0f, 0.96f}};
    float total = 0.0f;
    for (int step = 0; step <= 2000; step++) {
        total = 0.0f;
        Surface gradient = {};
        for (const float3& l : lights) {
            const float measured = brightness(real, n, l, v);
            DifferentialPair_Surface pair = {s, {}};
            bwd_diff_loss(pair, n, l, v, measured, 1.0f);
            total += loss(s, n, l, v, measured);
            gradient.albedo = gradient.albedo + pair.d.albedo;
            gradient.roughness += pair.d.roughness;
        }
        s.albedo = s.albedo - 0.05f * gradient.albedo;
        s.roughness -= gradient.roughness * 0.01f;
    }
    std::printf("loss %.6f, roughness %.3f\n", double(total), double(s.roughness));
}
