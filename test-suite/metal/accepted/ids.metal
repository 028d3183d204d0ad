// The ids of threads in groups of 3x2x2, of which there are 2x1x2, in all their types.
// GROUPS: 2 1 2
// THREADS: 3 2 2
// BUFFER(0): uint 0*96
// BUFFER(1): uint 0*13
// EXPECT(0): uint 0 0 1001 100 2002 200 3 1 1004 101 2005 201 10010 300 11011 400 12012 500 10013 301 11014 401 12015 501
// EXPECT(0): uint 100100 600 101101 700 102102 800 100103 601 101104 701 102105 801 110110 900 111111 1000 112112 1100 110113 901 111114 1001 112115 1101
// EXPECT(0): uint 200 10 1201 110 2202 210 203 11 1204 111 2205 211 10210 310 11211 410 12212 510 10213 311 11214 411 12215 511
// EXPECT(0): uint 100300 610 101301 710 102302 810 100303 611 101304 711 102305 811 110310 910 111311 1010 112312 1110 110313 911 111314 1011 112315 1111
// EXPECT(1): uint 3 2 2 2 1 2 6 2 4 32 1 3 2
#include <metal_stdlib>
using namespace metal;

struct Sizes {
    uint3 threads, groups, all;
};

void told(Sizes s, uint lanes, uint simdgroups, device uint* out) {
    for (uint i = 0; i < 3; i++) {
        out[i] = s.threads[i];
        out[3 + i] = s.groups[i];
        out[6 + i] = s.all[i];
    }
    out[9] = lanes;
    out[10] = simdgroups;
}

kernel void k(device uint2* out [[buffer(0)]], device uint* sizes [[buffer(1)]], uint3 p [[thread_position_in_grid]],
              ushort3 t [[thread_position_in_threadgroup]], uint3 g [[threadgroup_position_in_grid]],
              ushort index [[thread_index_in_threadgroup]], uint3 threads [[threads_per_threadgroup]],
              uint3 groups [[threadgroups_per_grid]], uint3 all_ [[threads_per_grid]],
              uint lanes [[threads_per_simdgroup]], ushort simdgroups [[simdgroups_per_threadgroup]],
              ushort3 dispatched [[dispatch_threads_per_threadgroup]]) {
    const uint n = (p.z * 2 + p.y) * 6 + p.x;
    out[n].x = p.x + 10 * p.y + 100 * p.z + 1000u * t.x + 10000u * t.y + 100000u * t.z;
    out[n].y = g.x + 10 * g.z + 100u * index + g.y;
    if (n != 0) return;
    told(Sizes{threads, groups, all_}, lanes, simdgroups, sizes);
    sizes[11] = dispatched.x;
    sizes[12] = dispatched.z;
}
