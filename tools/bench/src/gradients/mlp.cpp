// `byHand` of mlp.slang in C++.
#include <algorithm>
#include <cmath>

enum { N = 32, OUT = 3, WEIGHTS = 2 * N * N + OUT * N, BIASES = 2 * N + OUT };
static float x[N], w[WEIGHTS], b[BIASES], dw[WEIGHTS], db[BIASES], dh[N];

__attribute__((noinline)) static void gradient()
{
    float h[3 * N];
    for (int i = 0; i < N; i++)
        h[i] = x[i];
    for (int layer = 0; layer < 2; layer++)
        for (int i = 0; i < N; i++)
        {
            float s = b[layer * N + i];
            for (int j = 0; j < N; j++)
                s += w[(layer * N + i) * N + j] * h[layer * N + j];
            h[(layer + 1) * N + i] = std::tanh(s);
        }
    for (int j = 0; j < N; j++)
        dh[j] = 0;
    for (int i = 0; i < OUT; i++)
    {
        float s = b[2 * N + i];
        for (int j = 0; j < N; j++)
            s += w[(2 * N + i) * N + j] * h[2 * N + j];
        float d = 2 * (s - 0.25f * float(i));
        db[2 * N + i] = d;
        for (int j = 0; j < N; j++)
        {
            dw[(2 * N + i) * N + j] = d * h[2 * N + j];
            dh[j] += d * w[(2 * N + i) * N + j];
        }
    }
    for (int layer = 1; layer >= 0; layer--)
    {
        float before[N] = {};
        for (int i = 0; i < N; i++)
        {
            float y = h[(layer + 1) * N + i];
            float d = dh[i] * (1 - y * y);
            db[layer * N + i] = d;
            for (int j = 0; j < N; j++)
            {
                dw[(layer * N + i) * N + j] = d * h[layer * N + j];
                before[j] += d * w[(layer * N + i) * N + j];
            }
        }
        for (int j = 0; j < N; j++)
            dh[j] = before[j];
    }
}

static void take(const float *parameters, const float *)
{
    std::copy(parameters, parameters + N, x);
    std::copy(parameters + N, parameters + N + WEIGHTS, w);
    std::copy(parameters + N + WEIGHTS, parameters + N + WEIGHTS + BIASES, b);
}

static void give(float *result)
{
    std::copy(dh, dh + N, result);
    std::copy(dw, dw + WEIGHTS, result + N);
    std::copy(db, db + BIASES, result + N + WEIGHTS);
}
