enum { N = 16 };

template <bool DERIVE>
static inline void both(const float* shared, const float* own, float* result, int t)
{
    V h[3][N];
    for (int i = 0; i < N; i++)
        h[0][i] = load(own + t * N + i, N);
    for (int layer = 0; layer < 2; layer++)
        for (int i = 0; i < N; i++)
        {
            V s = h[0][0] * 0 + shared[2 * N * N + N + layer * N + i];
            for (int j = 0; j < N; j++)
                s += shared[(layer * N + i) * N + j] * h[layer][j];
            h[layer + 1][i] = vtanh(s);
        }
    const float* last = shared + 2 * N * N;
    if (!DERIVE)
    {
        V s = h[0][0] * 0;
        for (int j = 0; j < N; j++)
            s += last[j] * h[2][j];
        store(result + t * N, N, s);
        return;
    }
    V d[N];
    for (int j = 0; j < N; j++)
        d[j] = h[0][0] * 0 + last[j];
    for (int layer = 1; layer >= 0; layer--)
    {
        V before[N];
        for (int j = 0; j < N; j++)
            before[j] = d[0] * 0;
        for (int i = 0; i < N; i++)
        {
            V ds = d[i] * (1 - h[layer + 1][i] * h[layer + 1][i]);
            for (int j = 0; j < N; j++)
                before[j] += shared[(layer * N + i) * N + j] * ds;
        }
        for (int j = 0; j < N; j++)
            d[j] = before[j];
    }
    for (int j = 0; j < N; j++)
        store(result + t * N + j, N, d[j]);
}

void primal(const float* shared, const float* own, float* result, int t) { both<false>(shared, own, result, t); }
void reverse(const float* shared, const float* own, float* result, int t) { both<true>(shared, own, result, t); }
