// `byHand` of mlp.slang in C++. Prints the nanoseconds of a call.
#include <chrono>
#include <cmath>
#include <cstdio>

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

int main()
{
    for (int i = 0; i < N; i++)
        x[i] = 0.01f * i;
    for (int i = 0; i < WEIGHTS; i++)
        w[i] = 0.001f * (i % 101) - 0.05f;
    double best = 1e30;
    for (int n = 0; n < 20000; n++)
    {
        auto start = std::chrono::steady_clock::now();
        gradient();
        double time = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
        best = time < best ? time : best;
        w[n % WEIGHTS] += 1e-6f * dw[0];
    }
    std::printf("%f\n", best);
}
