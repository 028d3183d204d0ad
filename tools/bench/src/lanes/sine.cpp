void primal(const float* shared, const float* own, float* result, int t)
{
    V x = load(own + t, 1), sum = x * 0, term = x;
    int terms = int(shared[0]);
    for (int i = 1; i < terms; i++)
    {
        sum += term;
        term *= -x * x / float((2 * i) * (2 * i + 1));
    }
    store(result + t, 1, sum);
}

// The tangent goes along, with as little as can be between one iteration's and the next.
void reverse(const float* shared, const float* own, float* result, int t)
{
    V x = load(own + t, 1), d = x * 0, term = x, dterm = x * 0 + 1, square = -x * x, twice = -2 * x;
    int terms = int(shared[0]);
    for (int i = 1; i < terms; i++)
    {
        d += dterm;
        float f = 1 / float((2 * i) * (2 * i + 1));
        V factor = square * f;
        dterm = dterm * factor + term * (twice * f);
        term *= factor;
    }
    store(result + t, 1, d);
}
