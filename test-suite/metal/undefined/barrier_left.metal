// UNDEFINED: a thread ends and others of its group wait at a barrier
// BUFFER(0): int 0
// THREADS: 4
#include <metal_stdlib>
using namespace metal;
kernel void k(device int* p [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    if (i == 3) return;
    threadgroup_barrier(mem_flags::mem_none);
    p[0] = 1;
}
