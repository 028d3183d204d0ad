// REJECTED: goto (1.5.4)
// FAULT: `goto` is not
#include <metal_stdlib>
using namespace metal;
int f(int n) { again: if (n > 3) { n--; goto again; } return n; }
