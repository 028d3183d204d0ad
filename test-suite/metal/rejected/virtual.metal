// REJECTED: virtual (1.5.4)
// FAULT: `virtual` is not
#include <metal_stdlib>
using namespace metal;
struct S { virtual void f(); };
