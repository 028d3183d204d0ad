// The derivative of `churnMany` of array.slang in C++: a sweep that has stored what each step overwrote.
static float start[SIZE], gradientOf[SIZE];
#ifdef COUNTED
#include <vector>
static int STEPS;
static std::vector<float> before;
#else
enum { STEPS = 100000 };
static float before[STEPS];
#endif

__attribute__((noinline)) static void gradient()
{
    float a[SIZE];
#ifdef COUNTED
    before.resize(STEPS);
#endif
    for (int i = 0; i < SIZE; i++)
        a[i] = start[i];
    for (int i = 0; i < STEPS; i++)
    {
        int at = (i * 7) % SIZE;
        before[i] = a[at];
        a[at] = a[at] * 0.5f + a[(at + 1) % SIZE] * a[at];
    }
    for (int i = 0; i < SIZE; i++)
        gradientOf[i] = 0;
    gradientOf[0] += 1;
    gradientOf[SIZE - 1] += 1;
    for (int i = STEPS - 1; i >= 0; i--)
    {
        int at = (i * 7) % SIZE, next = (at + 1) % SIZE;
        a[at] = before[i];
        float d = gradientOf[at];
        gradientOf[at] = d * (0.5f + a[next]);
        gradientOf[next] += d * a[at];
    }
}

static void take(const float *parameters, const float *)
{
    for (int i = 0; i < SIZE; i++)
        start[i] = parameters[i];
#ifdef COUNTED
    STEPS = int(parameters[SIZE]);
#endif
}

static void give(float *result)
{
    for (int i = 0; i < SIZE; i++)
        result[i] = gradientOf[i];
}
