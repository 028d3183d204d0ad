// CHECKED: what a program declares, and expressions of each sort
#include <metal_stdlib>
using namespace metal;
#if __METAL_VERSION__ < 300
#error old
#endif
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
constexpr constant int N = 4;
constant constexpr float K[2][2] = {{1, 2}, {3, 4}};
static constant float single_ = 2.0;
constant const float other = 3;
namespace inner {
    constant float3 offset = float3(1, 2, 3);
    struct T {
        float3 v;
        packed_half2 h;
    };
    constant T all[2] = {{float3(1), half2(2)}, {{1, 2, 3}, {4, 5}}};
}
enum class Mode : uint {
    one, two
};
enum Plain {
    first = 1, second
};
typedef float3 Color;
using Pair = float2;
template <typename T> T square(T x) {
    return x * x;
}
template <class T, int M> T total(array<T, M> a) {
    T s = 0;
    for (int i = 0; i < M; i++) s += a[i];
    return s;
}
struct S {
    float a;
    float3 v;
    static constexpr constant int count = 3;
    S() = default;
    S(float x) : a(x), v(x) {
    }
    float sum() const {
        return a + v.x;
    }
    void scale(float by) {
        a *= by;
        v *= by;
    }
    float get() const device {
        return a;
    }
    void put(float x) device {
        a = x;
    }
    S operator+(S o) const {
        S r;
        r.a = a + o.a;
        r.v = v + o.v;
        return r;
    }
};
float over(device const float* p) {
    return *p;
}
float over(constant float* p) {
    return *p;
}
float over(thread const float* p) {
    return *p;
}
float over(threadgroup const float* p) {
    return *p;
}
void fill(thread float (&a)[3]) {
    for (thread float& x : a) x = 1;
}
void tg(threadgroup float (&s)[8], uint i) {
    s[i] = 1;
}
inline float with_default(float3 v = float3(0)) {
    return v.x;
}
static inline half halved(half x) {
    return x * 0.5h;
}
array<float, 3> made(float x) {
    return {x, x, x};
}
struct P {
    packed_float3 n;
    float w;
    int q[2];
};
[[kernel]] void k(const device float* const p [[buffer(0)]], float device* o [[buffer(1)]],
        constant P* ps [[buffer(2)]], device S* s [[buffer(3)]], device P* dp [[buffer(4)]],
        ushort3 gid [[thread_position_in_grid]], uint lid [[thread_index_in_threadgroup]],
        uint lanes [[threads_per_simdgroup]]) {
    threadgroup float mem[8];
    threadgroup atomic_uint counters[16];
    threadgroup S shared;
    if (lid == 0) shared.a = 1;
    atomic_store_explicit(&counters[lid % 16], 0, memory_order_relaxed);
    tg(mem, lid % 8);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float3 v = {1, 2, 3};
    Color c{1, 2, 3};
    Pair two(1, 2);
    auto w = float4(v, 1);
    v.x++;
    ++v.y;
    v[2] = 4;
    v.xy = v.yx;
    v += 1;
    v = -v;
    v.z -= 2;
    v.xy *= 2;
    v.rgb = c.bgr;
    int4 i4 = int4(w);
    uint4 u4 = uint4(i4) >> 2;
    i4 = i4 % 3;
    u4 |= 1u;
    bool4 b4 = i4 == int4(1);
    b4 = !b4 && (i4 > 0);
    half4 h4 = half4(w);
    h4 *= 2.0h;
    float4 back = float4(h4);
    packed_float3 q = v;
    v = q;
    q.x = 1;
    q[1] = 2;
    q += v;
    float3 r = q * 2.0;
    r = q + q;
    r = 2.0f * q;
    bool eq = all(q == r);
    float2x2 m(1, 2, 3, 4);
    m[0] = float2(1);
    m[1][0] = 2;
    float2x2 m2 = m * m;
    m *= 2.0f;
    float2 mv = m2 * two;
    mv = two * m;
    float3x3 id = float3x3(1.0f);
    id = transpose(id) * 2.0f;
    array<float, 3> a = {1, 2, 3};
    array<float, 3> z{};
    z[0] = total<float, 3>(a);
    z = made(z[1]);
    float c3[3] = {};
    fill(c3);
    thread float* at = &c3[1];
    *at = 3;
    thread const float* cat = c3;
    S local = S(2.0f);
    local.scale(2);
    S zero{};
    S more = local + zero;
    S fromdev = s[0];
    s[1] = fromdev;
    s[0].put(s[1].get());
    device S& ref = s[2];
    ref.a = 1;
    ref.v.xy = two;
    thread S& tref = local;
    tref.a = 2;
    constant P& cp = ps[1];
    P pp = cp;
    pp.q[1] = 3;
    dp[0] = pp;
    dp->n = v;
    dp[1].n.x += 2;
    dp[1].n.xy = two;
    P init = {float3(1), 2, {3, 4}};
    P init2{{1, 2, 3}, 2, {3, 4}};
    float sum = over(p) + over(&K[0][1]) + over(cat) + over(mem) + square(2.0f) + square(v).x
            + with_default() + float(halved(1.0h));
    sum += dot(cp.n, v) + length(float3(dp[0].n)) + inner::offset.x + inner::all[1].v.y
            + float(inner::all[0].h.x) + single_ + other + S::count;
    sum += max(v, 0).x + clamp(v, 0.0f, 1.0f).x + pow(v, 2.0).x + mix(v, c, 0.5).y + select(v, c,
            v > c).x + fma(v, c, r).x + metal::sin(sum) + precise::cos(sum) + fast::exp(sum);
    sum += as_type<float>(as_type<uint>(1.0f)) + float(as_type<ushort2>(7u).x) + M_PI_F + FLT_MAX
            + float(INT_MAX) + float(sizeof(float3));
    Mode mode = lid > 3 ? Mode::one : Mode::two;
    Plain plain = second;
    switch (mode) {
        case Mode::one: sum += 1;
        break;
        default: sum += 2;
    }
    do {
        sum -= 1;
    } while (sum > 100);
    #pragma unroll
    for (int i = 0; i < N; ++i) {
        if (i == 2) continue;
        sum += i;
    }
    uint64_t big = 1ul << 40;
    int8_t tiny = -1;
    size_t size = a.size();
    uchar4 uc = uchar4(1);
    long l = big;
    constexpr int M = N * 2;
    float sized[M];
    sized[0] = 1;
    float s1 = simd_sum(sum);
    float4 s4 = simd_sum(w);
    uint vote = uint(static_cast<ulong>(simd_ballot(lid > 2)));
    uint vote2 = (uint)(simd_vote::vote_t)simd_ballot(true);
    float x2 = simd_shuffle_xor(sum, 1);
    half hs = simd_max(h4.x);
    S chosen = lid > 1 ? local : S(3.0f);
    chosen = lid > 1 ? s[0] : lid > 2 ? S{} : more;
    float3 opposite = lid > 2 ? v : -v;
    opposite = lid > 2 ? packed_float3(1) : lid > 3 ? dp[0].n : cp.n;
    array<float, 3> either = lid > 2 ? a : array<float, 3>{{1, 2, 3}};
    sum += chosen.a + opposite.x + either[1];
    const bool ok = (eq && any(b4)) || isnan(sum);
    float3 cond = ok ? v : c;
    cond = ok ? v : 0;
    mem_flags flags = mem_flags::mem_device | mem_flags::mem_threadgroup;
    threadgroup_barrier(flags);
    constant float* table = &K[0][0];
    table = table + 1;
    auto dq = o + 1;
    device auto* dq2 = o + 2;
    *dq = *dq2;
    if (uint old = atomic_fetch_add_explicit(&counters[1], 1u,
            memory_order_relaxed); old > 3) sum += 1;
    o[gid.x] = sum + s1 + s4.x + vote + vote2 + x2 + float(hs) + cond.x + tiny + size + uc.x + l
            + sized[0] + table[0] + mv.x + id[0].x + float(plain) + init.w + init2.w + more.sum()
            + pp.w + back.x + u4.x + r.x + lanes + z[1] + shared.a;
}
