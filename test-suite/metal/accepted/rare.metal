// CHECKED: what few programs use: unions, casts of pointers, traits, packs, pointers to rows
#include <metal_stdlib>
using namespace metal;
struct S {
    float a;
    float f() const threadgroup {
        return a;
    }
    void g() thread {
        a = 1;
    }
    float f() const device {
        return a;
    }
    float f() const {
        return a;
    }
};
struct Args {
    device float* a [[id(0)]];
    constant float* b [[id(1)]];
    texture2d<float> t [[id(2)]];
};
struct Arr {
    packed_float3 p[3];
    float m[4][3];
    bool b;
    char c;
};
union Bits {
    uint u;
    float f;
};
template <typename T, enable_if_t<is_floating_point<T>::value, int> = 0> T only_real(T x) {
    return x;
}
template <typename T, typename... R> T sum_all(T a, R... r) {
    if constexpr (sizeof...(R) == 0) return a;
    else return a + sum_all(r...);
}
template <typename... R> float folded(R... r) {
    return (0.0f + ... + float(r));
}
namespace n {
    kernel void inner(device float* p [[buffer(0)]]) {
        p[0] = 1;
    }
}
uchar low(uint x) {
    return uchar(x & 255);
}
bool same(thread const float3& a, float3 b) {
    return all(a == b);
}
void swap_(thread float& a, thread float& b) {
    const float t = a;
    a = b;
    b = t;
}
constant uint2 pairs[] = {{1, 2}, {3, 4}};
constant Arr consts = {{{1, 2, 3}, {}, {}}, {}, true, 'a'};
constant float3x3 ident = float3x3(1, 0, 0, 0, 1, 0, 0, 0, 1);
__attribute__((noinline)) float slow(float x) {
    return x;
}
kernel void k(constant Args& args [[buffer(0)]], device Arr* arr [[buffer(1)]],
        device float (*rows)[4] [[buffer(2)]], device ulong* wide [[buffer(3)]],
        device bool* bools [[buffer(4)]], device atomic_bool* ab [[buffer(5)]],
        device const uint* words [[buffer(6)]], ushort2 i [[thread_position_in_grid]],
        texture2d<half, access::read_write> tex [[texture(0)]]) {
    threadgroup S shared;
    shared.a = 2;
    S own;
    own.g();
    float x = static_cast<float>(i.x), y = (float)i.y;
    device uint* as_words = reinterpret_cast<device uint*>(&arr[0].p[1]);
    as_words[0] = 3;
    device atomic_uint* at = (device atomic_uint*)as_words;
    atomic_fetch_or_explicit(at + 1, 4u, memory_order_relaxed);
    (void)atomic_exchange_explicit(ab, true, memory_order_relaxed);
    rows[1][2] = 3;
    arr->m[3][2] = rows[0][0];
    arr[1].p[2] = {1, 2, 3};
    arr[1].p[2] = -arr[1].p[2];
    float3 v(arr[1].p[2]);
    float4 w(arr[1].p[2], 1);
    float3 z = arr[1].p[2].zyx;
    v.yz += 2;
    v.xyz = w.xyz;
    half3x3 hm = half3x3(1.0h);
    float3x3 m = float3x3(hm);
    m = -m - ident;
    m[1][2] += 1;
    m = 2 * m;
    bool eq = m == ident;
    float4x4 four = float4x4(w, w, w, w);
    matrix<float, 3, 3> same_ = m;
    half2x2 hh(1);
    hh = hh * hh;
    uint3 bits = as_type<uint3>(v);
    v = as_type<float3>(bits ^ 1u);
    half2 packed = as_type<half2>(words[0]);
    float4 un = unpack_unorm4x8_to_float(words[0]);
    uint pk = pack_float_to_unorm4x8(un);
    uint s16 = pack_float_to_snorm2x16(un.xy);
    half2 uh = unpack_unorm2x16_to_half(s16);
    Bits b;
    b.f = 1.0f;
    b.u |= 1;
    float e = 1e3 + 0x1p3f + 1.f + .5f + 1.0h;
    half h = 1.0;
    h += 1;
    float mixed = h * 2.0f;
    wide[0] = ulong(x) * 0x100000001ul + (ulong(words[1]) << 32);
    long signed_ = long(wide[1]);
    signed_ >>= 3;
    long2 l2 = long2(signed_);
    bools[0] = !bools[1] && arr->b;
    if (args.a != nullptr) args.a[0] = args.b[1];
    swap_(x, y);
    constant Arr& c = consts;
    thread float* px = &x;
    *px += c.p[0].x;
    const thread float* cpx = px;
    float total = sum_all(x, y, 1.0f) + folded(1, 2.0f) + only_real(x) + slow(y) + shared.f()
            + own.f() + numeric_limits<float>::max()  + *cpx;
    if (same(v, float3(0)) || eq) total += 1;
    uint n = 0;
    while (true) {
        if (++n > 4) break;
    }
    tex.write(half4(h, mixed, 0, 1), uint2(i));
    total += tex.read(i).x + args.t.read(uint2(i)).x + tex.get_width();
    int q = -5 >> 1;
    uint sh = 1u << (n & 31);
    q = int(n) - 1;
    char ch = char(q);
    short sx = short(ch * 2);
    ushort us = ushort(sx);
    us += 1;
    ch++;
    switch (n) {
        case 1: case 2: {
            total += 1;
            break;
        }
        default: break;
    }
    float2 pr = float2(pairs[0]) * 2;
    pr = max(pr, 0.0f);
    pr = min(pr, float2(1));
    pr = clamp(pr, 0, 1);
    pr = fma(pr, pr, pr);
    pr = mix(pr, pr, 0.5f);
    pr.x = mix(pr.x, pr.y, 0.5);
    bool3 lt = v < z;
    lt = !lt;
    bool any_ = any(lt && (v == z));
    v = select(v, z, lt);
    int3 iv = int3(v) / 2;
    iv = abs(iv) % 3;
    iv <<= 1;
    uint3 uv = uint3(iv) >> uint3(1);
    args.a[1] = total + e + four[0].x + same_[0].x + float(hh[0].x) + float(packed.x) + un.x + pk
            + float(uh.x) + b.f + float(l2.x) + sh + us + pr.x + any_ + uv.x + low(n) + float(ch);
}
