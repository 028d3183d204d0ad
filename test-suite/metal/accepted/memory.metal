// CHECKED: what is handed over, references into each memory, structs in structs
#include <metal_stdlib>
using namespace metal;
struct Node {
    array<float3, 2> p;
    array<atomic_uint, 4> counts;
    float3x3 m;
    float2x4 n;
    bool flag;
    uchar b;
    ushort2 us;
};
struct U {
    float4x4 view;
    float3 eye;
    uint count;
    array<array<float, 3>, 2> nested;
    packed_float4 pf;
};
struct Ctx {
    device float* out;
    constant U* u;
    threadgroup float* mem;
    uint3 id;
};
struct Wrap {
    device Node& node;
    thread float* loc;
};
float3 of(constant U& u) {
    return u.eye * u.view[1].xyz + float3(u.pf[1]);
}
float of2(thread const Ctx& c) {
    return c.out[0] + c.u->eye.x + c.mem[c.id.x];
}
void change(thread Ctx* c) {
    c->id.x += 1;
    c->out += 1;
}
float3 rows(float3x3 m, float3 v) {
    return v * m + m[2];
}
float deep(thread array<array<float, 3>, 2>& a) {
    a[1][2] += 1;
    return a[1][2];
}
float part(device array<float3, 2>& a) {
    a[1].x = 3;
    return a[1].x;
}
float cpart(device const array<float3, 2>& a) {
    return a[1].x;
}
float4 four(float x, float2 y) {
    return float4(x, y, 1);
}
float ifs(float x, bool b) {
    if (x > 0 && b) {
        return x;
    }
    else if (!b) return -x;
    return 0;
}
uint bits(uint x) {
    return ((x & 0xffu) << 3 ^ x >> 2) | (~x);
}
uint hash(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    return x;
}
struct Pair {
    float first;
    float3 second;
};
Pair pair(float x) {
    Pair r;
    r.first = x;
    r.second = float3(x);
    return r;
}
Pair pair2(float x) {
    return Pair{x, float3(x)};
}
Pair pair3(float x) {
    return {x, x};
}
kernel void k(device Node* nodes [[buffer(0)]], constant U& u [[buffer(1)]],
        device float* out [[buffer(2)]], device atomic_float* sums [[buffer(3)]],
        device array<packed_float3, 3>* rowsb [[buffer(4)]], device uchar* flags [[buffer(5)]],
        threadgroup float* mem [[threadgroup(0)]], constant uint& n [[buffer(6)]],
        device packed_half3* ph [[buffer(7)]], device half* hh [[buffer(8)]],
        uint3 id [[thread_position_in_grid]], uint3 tid [[thread_position_in_threadgroup]],
        uint3 group [[threadgroup_position_in_grid]], uint3 groups [[threadgroups_per_grid]],
        uint3 size [[threads_per_threadgroup]], uint3 all_ [[threads_per_grid]]) {
    Ctx c = {out, &u, mem, id};
    change(&c);
    Ctx d;
    d.out = out;
    d.u = &u;
    d.mem = mem;
    d.id = tid;
    float loc = 1;
    Wrap w = {nodes[0], &loc};
    w.node.p[0] = float3(1);
    *w.loc = 2;
    if (id.x >= n) return;
    device Node& node = nodes[id.x];
    atomic_fetch_add_explicit(&node.counts[id.y & 3], 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(&nodes[1].counts[0], 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(&sums[3], node.p[1].x, memory_order_relaxed);
    float old = atomic_load_explicit(&sums[1], memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&sums[1], &old, max(old, 3.0f),
            memory_order_relaxed, memory_order_relaxed)) {
    }
    node.m[1] = node.p[0];
    node.m[1].y = 3;
    node.n = float2x4(1, 2, 3, 4, 5, 6, 7, 8);
    node.flag = id.x > 2;
    node.us = ushort2(id.xy);
    node.b = uchar(id.x);
    node.m = node.m * node.m;
    node.m *= 2.0f;
    node.m[0] += node.p[1];
    rowsb[0][1] = packed_float3(node.p[1]);
    rowsb[0][2] = node.p[0];
    rowsb[0][0].y = 4;
    float3 rr = rowsb[0][1];
    float3 r2 = float3(rowsb[0][1]) + rr;
    ph[0] = packed_half3(half3(rr));
    ph[1] = half3(1);
    half3 h = ph[1];
    hh[0] = h.x + half(1) * hh[1];
    hh[2] = half(out[0]);
    flags[0] = uchar(out[0] > 1);
    bool set = flags[1] != 0;
    flags[2] |= 3;
    flags[3]++;
    float3x3 rot = float3x3(rr, r2, float3(0, 0, 1));
    float3 x = rows(rot, rr);
    float2 y = node.n[0].xy;
    x = rot * x;
    array<array<float, 3>, 2> nested = u.nested;
    float e = deep(nested) + u.nested[1][2] + part(node.p) + cpart(node.p) + cpart(nodes[1].p);
    array<float3x3, 2> ms;
    ms[0] = rot;
    ms[1] = ms[0] + rot;
    ms[1][2][0] = 4;
    ms[0][1] = ms[1][0];
    float3 f = set ? x : rr;
    float g = set ? 1.0f : x.x;
    int i = int(x.x) + (set ? 1 : 0) + int(set);
    Pair p1 = pair(1), p2 = pair2(2), p3 = pair3(3);
    p1 = p2;
    float3 v = p1.second;
    v[id.x % 3] = 2;
    out[v.x > 1 ? 0 : 1] = v[i & 1];
    uint q = bits(id.x) + hash(tid.x) + group.x + groups.x + size.x + all_.x;
    int neg = -i;
    neg = ~neg;
    uint3 u3 = id * size + tid;
    int3 s3 = int3(id) - int3(1);
    s3 = -s3;
    float4 b = float4(1, x);
    b = float4(x.xy, y);
    b = float4(b.x, x.yz, 1);
    b = float4(rr, 1.0);
    b.w = 2;
    b = four(1, y);
    mem[tid.x] = of2(c) + of(u).x + ifs(x.x, set) + of2(d);
    out[id.x] += mem[0] + e + f.x + g + q + float(neg) + u3.x + s3.x + b.x + p3.first + loc
            + abs(s3).x + float(popcount(u3).x) + min(id.x, 3u) + max(i, 0) + clamp(i, 0, 3)
            + trunc(x).x + step(0.5f, x).x + smoothstep(0.0f, 1.0f, x).x + sign(x.x) + fmod(x,
            2.0f).x + atan2(x, rr).x + normalize(x).x + cross(x, rr).y + distance(x, rr)
            + reflect(x, rr).z + any(x > rr) + all(x == rr) + isnan(x).x + determinant(rot)
            + rsqrt(x.x) + exp2(x.y) + saturate(x).x;
}
