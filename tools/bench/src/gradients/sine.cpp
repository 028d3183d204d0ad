// The derivative of sine.slang in C++: one tangent carried forward.
enum { COUNT = 64 };
static float argument[COUNT], derivative[COUNT];
static int terms;

__attribute__((noinline)) static void gradient()
{
    for (int n = 0; n < COUNT; n++)
    {
        float x = argument[n];
        float term = x, dTerm = 1, dSum = 0;
        for (int i = 1; i < terms; i++)
        {
            dSum += dTerm;
            float by = 1 / float((2 * i) * (2 * i + 1));
            float factor = -x * x * by;
            dTerm = dTerm * factor - term * (2 * x * by);
            term *= factor;
        }
        derivative[n] = dSum;
    }
}

static void take(const float *parameters, const float *)
{
    terms = int(parameters[0]);
    for (int n = 0; n < COUNT; n++)
        argument[n] = parameters[1 + n];
}

static void give(float *result)
{
    for (int n = 0; n < COUNT; n++)
        result[n] = derivative[n];
}
