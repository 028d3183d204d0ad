enum { D = 10, K = 25 };

template <bool DERIVE>
static inline void both(const float* shared, const float* own, float* result, int t)
{
    V x[D], terms[K], most = load(own, 0) * 0 - 1e30f;
    for (int i = 0; i < D; i++)
        x[i] = load(own + t * D + i, D);
    for (int k = 0; k < K; k++)
    {
        const float* p = shared + k * (1 + 2 * D);
        V s = most * 0;
        for (int i = 0; i < D; i++)
        {
            V y = (x[i] - p[1 + i]) * p[1 + D + i];
            s += y * y;
        }
        terms[k] = p[0] - 0.5f * s;
        most = vmax(most, terms[k]);
    }
    V sum = most * 0;
    for (int k = 0; k < K; k++)
        sum += terms[k] = vexp(terms[k] - most);
    if (!DERIVE)
    {
        store(result + t * D, D, vlog(sum) + most);
        return;
    }
    V dx[D];
    for (int i = 0; i < D; i++)
        dx[i] = sum * 0;
    for (int k = 0; k < K; k++)
    {
        const float* p = shared + k * (1 + 2 * D);
        V w = terms[k] / sum;
        for (int i = 0; i < D; i++)
            dx[i] -= w * ((x[i] - p[1 + i]) * p[1 + D + i]) * p[1 + D + i];
    }
    for (int i = 0; i < D; i++)
        store(result + t * D + i, D, dx[i]);
}

void primal(const float* shared, const float* own, float* result, int t) { both<false>(shared, own, result, t); }
void reverse(const float* shared, const float* own, float* result, int t) { both<true>(shared, own, result, t); }
