// UNDEFINED: lanes want different lanes
// BUFFER(0): int 0
// THREADS: 4
#include <metal_stdlib>
using namespace metal;
kernel void k(device int* p [[buffer(0)]], ushort i [[thread_index_in_simdgroup]]) { p[0] = simd_broadcast(int(i), i); }
