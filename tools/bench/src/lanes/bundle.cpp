// The Jacobian from the geometry: the derivative by the turned point, by the point through the transposed rotation, by the rotation through its
// axis and its angle.
struct Vec
{
    V x, y, z;
};
static inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vec operator*(Vec a, V s) { return {a.x * s, a.y * s, a.z * s}; }
static inline V dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline Vec cross(Vec a, Vec b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <bool DERIVE>
static inline void both(const float* shared, const float* own, float* result, int t)
{
    int count = int(shared[0]);
    auto plane = [&](int n) { return load(own + t + n * count, 1); };
    auto put = [&](int row, int n, V v) { store(result + t + (row * 15 + n) * count, 1, v); };
    auto put3 = [&](int row, int n, Vec v) {
        put(row, n, v.x);
        put(row, n + 1, v.y);
        put(row, n + 2, v.z);
    };
    Vec turn = {plane(0), plane(1), plane(2)}, center = {plane(3), plane(4), plane(5)};
    V focal = plane(6), px = plane(7), py = plane(8), k1 = plane(9), k2 = plane(10);
    Vec x = Vec{plane(11), plane(12), plane(13) + 4.0f} - center;
    V weight = plane(14), seenx = plane(15), seeny = plane(16), zero = focal * 0;
    // No turn is a tiny one.
    V angle = vsqrt(vmax(dot(turn, turn), zero + 1e-30f)), c = vcos(angle), s = vsin(angle), c1 = 1 - c, per = 1 / angle;
    Vec a = turn * per, k = cross(a, x);
    V along = dot(a, x);
    Vec p = x * c + k * s + a * (along * c1);
    V pz = 1 / p.z, fx = p.x * pz, fy = p.y * pz, r2 = fx * fx + fy * fy, D = 1 + k1 * r2 + k2 * r2 * r2;
    V ix = fx * D * focal + px - seenx, iy = fy * D * focal + py - seeny;
    if (!DERIVE)
    {
        put(0, 0, ix * weight);
        put(0, 1, iy * weight);
        return;
    }
    V wf = weight * focal, dD = 2 * (k1 + 2 * k2 * r2) * wf, one = wf * D;
    Vec by_angle = k * c - x * s + a * (along * s);
    for (int row = 0; row < 2; row++)
    {
        V f = row ? fy : fx, jx = f * dD * fx, jy = f * dD * fy;
        (row ? jy : jx) += one;
        Vec g = {jx * pz, jy * pz, -(jx * fx + jy * fy) * pz};
        V ga = dot(a, g);
        Vec point = g * c - cross(a, g) * s + a * (ga * c1), h = cross(x, g) * s + (g * along + x * ga) * c1;
        put3(row, 0, a * (dot(g, by_angle) - dot(a, h) * per) + h * per);
        put3(row, 3, point * -(zero + 1));
        put(row, 6, weight * f * D);
        put(row, 7, row ? zero : weight);
        put(row, 8, row ? weight : zero);
        put(row, 9, wf * f * r2);
        put(row, 10, wf * f * r2 * r2);
        put3(row, 11, point);
        put(row, 14, row ? iy : ix);
    }
}

void primal(const float* shared, const float* own, float* result, int t) { both<false>(shared, own, result, t); }
void reverse(const float* shared, const float* own, float* result, int t) { both<true>(shared, own, result, t); }
