// Around code by hand: gives it its input, prints the best time of a call in nanoseconds, writes its results.
#include <chrono>
#include <cstdio>
#include <vector>

static std::vector<float> contents(const char *name)
{
    std::vector<float> all;
    if (FILE *file = std::fopen(name, "rb"))
    {
        for (float f; std::fread(&f, sizeof f, 1, file) == 1;)
            all.push_back(f);
        std::fclose(file);
    }
    return all;
}

int main()
{
    using clock = std::chrono::steady_clock;
    take(contents("parameters").data(), contents("points").data());
    double best = 1e30;
    int calls = 1;
    for (auto start = clock::now(); clock::now() - start < std::chrono::milliseconds(1000);)
    {
        auto before = clock::now();
        for (int n = 0; n < calls; n++)
        {
            gradient();
            // Nothing may be taken from one call to the next.
            asm volatile("" ::: "memory");
        }
        double time = std::chrono::duration<double, std::nano>(clock::now() - before).count() / calls;
        best = time < best ? time : best;
        calls = best > 300000 ? 1 : best < 10000 ? 32 : int(300000 / best);
    }
    std::printf("%f\n", best);
    std::vector<float> result(1 << 16);
    give(result.data());
    FILE *file = std::fopen("result", "wb");
    std::fwrite(result.data(), sizeof(float), result.size(), file);
    std::fclose(file);
}
