static const float PI = 3.14159265f, LUMA[3] = {0.2126f, 0.7152f, 0.0722f};

struct Vec
{
    V x, y, z;
};
static inline V dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline Vec unit(Vec a)
{
    V s = 1 / vsqrt(dot(a, a));
    return {a.x * s, a.y * s, a.z * s};
}

template <bool DERIVE>
static inline void both(const float* shared, const float* own, float* result, int t)
{
    const float* in = own + t * 8;
    float* out = result + t * 5;
    V base[3] = {load(in, 8), load(in + 1, 8), load(in + 2, 8)}, r = load(in + 3, 8), metal = load(in + 4, 8);
    V zero = r * 0;
    Vec n = unit({load(in + 5, 8), load(in + 6, 8), zero + 1}), v = unit({load(in + 7, 8), zero + 0.1f, zero + 1});
    Vec l = unit({zero + shared[0], zero + shared[1], zero + 1}), h = unit({v.x + l.x, v.y + l.y, v.z + l.z});
    V nl = vmax(dot(n, l), zero + 1e-4f), nv = vmax(dot(n, v), zero + 1e-4f);
    V nh = vmax(dot(n, h), zero), vh = vmax(dot(v, h), zero);
    V alpha = r * r, a2 = alpha * alpha, d = nh * nh * (a2 - 1) + 1, D = a2 / (PI * d * d);
    V k = (r + 1) * (r + 1) / 8, gl = nl * (1 - k) + k, gv = nv * (1 - k) + k, G = nl * nv / (gl * gv);
    V m = 1 - vh, m5 = m * m * (m * m) * m, scale = D * G / (4 * nl * nv), sum = zero;
    V dscale = zero, dmetal = zero, dbase[3];
    for (int c = 0; c < 3; c++)
    {
        V f0 = 0.04f * (1 - metal) + base[c] * metal, F = f0 + (1 - f0) * m5, rest = (1 - metal) / PI;
        sum += LUMA[c] * (F * scale + (1 - F) * base[c] * rest) * nl;
        if (DERIVE)
        {
            V g = LUMA[c] * nl, dF = g * (scale - base[c] * rest), df0 = dF * (1 - m5);
            dscale += g * F;
            dbase[c] = g * (1 - F) * rest + df0 * metal;
            dmetal += df0 * (base[c] - 0.04f) - g * (1 - F) * base[c] / PI;
        }
    }
    if (!DERIVE)
    {
        store(out, 5, sum);
        return;
    }
    V common = dscale / (4 * nl * nv), dD = common * G, dG = common * D;
    V da2 = dD * (1 / (PI * d * d) - 2 * a2 * nh * nh / (PI * d * d * d));
    V dk = -dG * G * ((1 - nl) / gl + (1 - nv) / gv);
    for (int c = 0; c < 3; c++)
        store(out + c, 5, dbase[c]);
    store(out + 3, 5, da2 * 4 * alpha * r + dk * (r + 1) / 4);
    store(out + 4, 5, dmetal);
}

void primal(const float* shared, const float* own, float* result, int t) { both<false>(shared, own, result, t); }
void reverse(const float* shared, const float* own, float* result, int t) { both<true>(shared, own, result, t); }
