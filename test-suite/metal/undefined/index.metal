// UNDEFINED: an index is out of its array's bounds
// BUFFER(0): int 4
#include <metal_stdlib>
using namespace metal;
kernel void k(device int* p [[buffer(0)]]) {
    array<int, 4> a = {1, 2, 3, 4};
    p[0] = a[p[0]];
}
