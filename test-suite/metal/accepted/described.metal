// What a description binds: a block of two uniforms, a buffer that is padded, one with a counter,
// one that nothing in the text reads, and how many elements
// buffers have: whole ones of what is bound, without what stands behind it to be a multiple.
// DESCRIPTION: {"numthreads": [2, 1, 1], "names": {"in_": "in", "all_": "all"}, "bindings": [
// DESCRIPTION: {"name": "in", "kind": "storage", "parameter": 0, "binding": 1, "stride": 4, "multiple": 4},
// DESCRIPTION: {"name": "all", "kind": "storage", "parameter": 2, "binding": 0, "stride": 8, "multiple": 1},
// DESCRIPTION: {"name": "all", "kind": "counter", "parameter": 2, "binding": 3, "stride": 4},
// DESCRIPTION: {"name": "scale", "kind": "uniform", "parameter": 1, "binding": 2, "offset": 0, "size": 4},
// DESCRIPTION: {"name": "more", "kind": "uniform", "parameter": 3, "binding": 2, "offset": 8, "size": 4, "multiple": 16},
// DESCRIPTION: {"name": "unread", "kind": "unused", "parameter": 4},
// DESCRIPTION: {"name": "lengths", "kind": "lengths", "binding": 4, "of": ["all_", "in_"]},
// DESCRIPTION: {"name": "lengths2", "kind": "lengths", "binding": 5, "of": [1]}]}
// BUFFER(0): uchar 1 2 3 4 5
// BUFFER(1): float 2.5
// BUFFER(2): uint 0*6
// BUFFER(3): float 10
// BUFFER(4): int 7
// COUNTER(2): 5
// COUNTED(2): 7
// EXPECT(0): uchar 1 2 3 4 5
// EXPECT(2): uint 0x04030201 5 3 1 1 12
// EXPECT(4): int 7
#include <metal_stdlib>
using namespace metal;

struct Uniforms {
    float scale;
    float unused;
    packed_float2 more;
};
struct Lengths {
    uint all_;
    uint in_;
};

kernel void k(device uint* out [[buffer(0)]], device const uint* in_ [[buffer(1)]], constant Uniforms& u [[buffer(2)]],
              device atomic_uint& counter [[buffer(3)]], constant Lengths& lengths [[buffer(4)]],
              constant uint& length [[buffer(5)]], uint i [[thread_position_in_grid]]) {
    atomic_fetch_add_explicit(&counter, 1u, memory_order_relaxed);
    if (i != 1) return;
    out[0] = in_[0];
    out[1] = in_[1];
    out[2] = lengths.all_;
    out[3] = lengths.in_;
    out[4] = length;
    out[5] = uint(u.scale + u.more.x + u.more.y);
}
