// REJECTED: lambda (1.5.4)
// FAULT: a lambda expression
#include <metal_stdlib>
using namespace metal;
int f(int n) { auto g = [](int x) { return x; }; return g(n); }
