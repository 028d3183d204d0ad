// References to variables, to elements of arrays, and to what lies in each address space.
// BUFFER(0): float 10 0 0 0
// THREADS: 2
// EXPECT(0): float 11 2 3 1
#include <metal_stdlib>
using namespace metal;

void exchange(thread float& x, thread array<float, 3>& a) {
    const float old = x;
    x = a[1];
    a[1] = old;
}
void count(device float& x) { x += 0.5f; }
void set(threadgroup array<float, 2>& a, uint i) { a[i] = float(i) + 1; }
float get(threadgroup const float& a) { return a; }

kernel void k(device float* p [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    threadgroup array<float, 2> all;
    float x = 3;
    array<float, 3> a = {1, 2, 3};
    exchange(x, a);
    exchange(a[0], a);
    count(p[0]);
    set(all, i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == 1) {
        p[1] = get(all[1]);
        p[2] = a[0];
        p[3] = a[1];
    }
}
