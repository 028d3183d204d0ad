// `byHand` of gmm.slang in C++.
#include <algorithm>
#include <cmath>

enum { D = 10, K = 25, L = D * (D + 1) / 2, POINTS = 40 };
static float points[POINTS * D], weight[K], mean[K * D], factor[K * L], dWeight[K], dMean[K * D], dFactor[K * L];

__attribute__((noinline)) static void gradient()
{
    for (int i = 0; i < K * D; i++)
        dMean[i] = 0;
    for (int i = 0; i < K * L; i++)
        dFactor[i] = 0;
    float diagonal[K * D], logDeterminant[K], dTerm[K], dDiagonal[K * D], centred[K * D], scaled[K * D];
    for (int k = 0; k < K; k++)
    {
        float s = 0;
        for (int i = 0; i < D; i++)
        {
            s += factor[k * L + i];
            diagonal[k * D + i] = std::exp(factor[k * L + i]);
            dDiagonal[k * D + i] = 0;
        }
        logDeterminant[k] = s;
        dTerm[k] = 0;
    }
    for (int p = 0; p < POINTS; p++)
    {
        float term[K], m = 0;
        for (int k = 0; k < K; k++)
        {
            for (int i = 0; i < D; i++)
            {
                float c = points[p * D + i] - mean[k * D + i];
                centred[k * D + i] = c;
                scaled[k * D + i] = diagonal[k * D + i] * c;
            }
            int at = k * L + D;
            for (int i = 0; i < D; i++)
            {
                float c = centred[k * D + i];
                for (int j = i + 1; j < D; j++)
                    scaled[k * D + j] += factor[at++] * c;
            }
            float square = 0;
            for (int i = 0; i < D; i++)
                square += scaled[k * D + i] * scaled[k * D + i];
            term[k] = weight[k] + logDeterminant[k] - 0.5f * square;
            m = k == 0 ? term[k] : std::fmax(m, term[k]);
        }
        float sum = 0;
        for (int k = 0; k < K; k++)
        {
            term[k] = std::exp(term[k] - m);
            sum += term[k];
        }
        for (int k = 0; k < K; k++)
        {
            float d = term[k] / sum;
            dTerm[k] += d;
            int at = k * L + D;
            for (int i = 0; i < D; i++)
            {
                float c = centred[k * D + i];
                float s = -d * scaled[k * D + i];
                dDiagonal[k * D + i] += s * c;
                float g = s * diagonal[k * D + i];
                for (int j = i + 1; j < D; j++)
                {
                    float t = -d * scaled[k * D + j];
                    g += t * factor[at];
                    dFactor[at++] += t * c;
                }
                dMean[k * D + i] -= g;
            }
        }
    }
    float m = weight[0], sum = 0;
    for (int k = 1; k < K; k++)
        m = std::fmax(m, weight[k]);
    for (int k = 0; k < K; k++)
        sum += std::exp(weight[k] - m);
    for (int k = 0; k < K; k++)
    {
        dWeight[k] = dTerm[k] - POINTS * std::exp(weight[k] - m) / sum;
        for (int i = 0; i < D; i++)
        {
            float q = diagonal[k * D + i];
            dFactor[k * L + i] = (dDiagonal[k * D + i] + q) * q + dTerm[k] - 1;
        }
        for (int i = D; i < L; i++)
            dFactor[k * L + i] += factor[k * L + i];
    }
}

static void take(const float *parameters, const float *p)
{
    std::copy(p, p + POINTS * D, points);
    std::copy(parameters, parameters + K, weight);
    std::copy(parameters + K, parameters + K + K * D, mean);
    std::copy(parameters + K + K * D, parameters + K + K * D + K * L, factor);
}

static void give(float *result)
{
    std::copy(dWeight, dWeight + K, result);
    std::copy(dMean, dMean + K * D, result + K);
    std::copy(dFactor, dFactor + K * L, result + K + K * D);
}
