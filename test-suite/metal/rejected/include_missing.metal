// REJECTED: functions without their header (1.4)
// FAULT: no header
using namespace metal;
kernel void k(device float* p [[buffer(0)]]) { p[0] = 1; }
