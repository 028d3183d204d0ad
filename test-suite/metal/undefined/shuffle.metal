// UNDEFINED: a lane reads from one that is not active
// BUFFER(0): int 0
// THREADS: 4
#include <metal_stdlib>
using namespace metal;
kernel void k(device int* p [[buffer(0)]], ushort i [[thread_index_in_simdgroup]]) {
    if (i > 1) p[0] = simd_shuffle(int(i), ushort(i - 2));
}
