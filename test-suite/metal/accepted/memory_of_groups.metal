// Memory of a group is not zero at the beginning, whether declared or handed over, in each group.
// GROUPS: 2
// THREADGROUP(3): 16
// BUFFER(0): uint 0*4
// EXPECT(0): uint 1 1 1 1
#include <metal_stdlib>
using namespace metal;

kernel void k(device uint* out [[buffer(0)]], threadgroup uint* given [[threadgroup(3)]],
              uint g [[threadgroup_position_in_grid]]) {
    threadgroup uint own[4];
    out[2 * g] = own[3] != 0;
    out[2 * g + 1] = given[3] != 0;
    own[3] = 0;
    given[3] = 0;
}
