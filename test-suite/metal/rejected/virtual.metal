// REJECTED: virtual (1.5.4)
#include <metal_stdlib>
using namespace metal;
struct S { virtual void f(); };
