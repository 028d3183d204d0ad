// UNDEFINED: threads of a group wait at different barriers
// BUFFER(0): int 0
// THREADS: 4
#include <metal_stdlib>
using namespace metal;
kernel void k(device int* p [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    if (i < 2) threadgroup_barrier(mem_flags::mem_device);
    else threadgroup_barrier(mem_flags::mem_device);
    p[0] = 1;
}
