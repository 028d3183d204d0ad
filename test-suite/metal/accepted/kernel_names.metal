// Names of kernels that functions of the host have, in a name space too; one is chosen by its name.
// KERNEL: inner::write
// BUFFER(0): float 0
// EXPECT(0): float 2
#include <metal_stdlib>
using namespace metal;

kernel void malloc(device float* p [[buffer(0)]]) { p[0] = 1; }
namespace inner {
struct S {
    float write;
};
kernel void write(device float* p [[buffer(0)]]) {
    const S s = {2};
    p[0] = s.write;
}
}  // namespace inner
