// CUDA's words on a CPU, for tests without a GPU. The threads of a group are fibers of one thread of the host, which run until they wait
// for each other. Exchanges between lanes are strict: they go on when exactly the lanes of the mask have come to the same exchange with
// the same mask; if nobody can go on, the program ends with an error. Functions of floats round what `double` gives.
#include <sys/mman.h>
#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#define __CUDA_ARCH__ 800
#define __device__
#define __global__
#define __shared__
#define __grid_constant__
#define __launch_bounds__(n)

namespace shim {
struct Dim {
    unsigned x, y, z;
};
enum State { ready, at_barrier, at_exchange, ended };
struct Fiber {
    ucontext_t context;
    Dim index;
    State state;
    unsigned mask;
    int what;
    uint64_t brought, found[32];
};
constexpr size_t stack_bytes = size_t(8) << 20;
inline ucontext_t scheduler;
inline std::vector<Fiber> fibers;
inline std::vector<char*> stacks;
inline size_t current;
inline void (*body)(void*);
inline void* argument;
[[noreturn]] inline void fail(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    std::exit(3);
}
}  // namespace shim
inline shim::Dim threadIdx, blockIdx, blockDim, gridDim;

namespace shim {
inline void wait(State state) {
    Fiber& f = fibers[current];
    f.state = state;
    swapcontext(&f.context, &scheduler);
}
inline const uint64_t* exchange(int what, unsigned mask, uint64_t value) {
    Fiber& f = fibers[current];
    if (!(mask >> current % 32 & 1)) fail("a lane is not in its mask");
    f.mask = mask;
    f.what = what;
    f.brought = value;
    wait(at_exchange);
    return fibers[current].found;
}
inline void run_fiber() {
    body(argument);
    wait(ended);
}
// Lets lanes go on that have all come to an exchange.
inline bool release_lanes(size_t first) {
    bool any = false;
    for (size_t i = first; i < first + 32 && i < fibers.size(); i++) {
        if (fibers[i].state != at_exchange) continue;
        const unsigned mask = fibers[i].mask;
        bool all = true;
        for (size_t k = 0; k < 32 && all; k++)
            if (mask >> k & 1) {
                if (first + k >= fibers.size() || fibers[first + k].state == ended) fail("a lane of a mask never comes");
                const Fiber& f = fibers[first + k];
                all = f.state == at_exchange && f.mask == mask && f.what == fibers[i].what;
            }
        if (!all) continue;
        for (size_t k = 0; k < 32; k++)
            if (mask >> k & 1) {
                for (size_t n = 0; n < 32; n++) fibers[first + k].found[n] = mask >> n & 1 ? fibers[first + n].brought : 0;
            }
        for (size_t k = 0; k < 32; k++)
            if (mask >> k & 1) fibers[first + k].state = ready;
        any = true;
    }
    return any;
}
inline bool release() {
    bool any = false, waiting = false;
    for (size_t first = 0; first < fibers.size(); first += 32) any = release_lanes(first) || any;
    if (any) return true;
    for (const Fiber& f : fibers) {
        if (f.state == at_exchange) fail("lanes wait for each other for ever");
        waiting = waiting || f.state == at_barrier;
    }
    for (Fiber& f : fibers)
        if (f.state == at_barrier) f.state = ready;
    return waiting;
}
inline void run_group(unsigned threads) {
    fibers.resize(threads);
    while (stacks.size() < threads) {
        void* memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) fail("no memory for a stack");
        stacks.push_back(static_cast<char*>(memory));
    }
    for (unsigned i = 0; i < threads; i++) {
        Fiber& f = fibers[i];
        f.index = {i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y)};
        f.state = ready;
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = stacks[i];
        f.context.uc_stack.ss_size = stack_bytes;
        f.context.uc_link = nullptr;
        makecontext(&f.context, run_fiber, 0);
    }
    do
        for (current = 0; current < fibers.size(); current++)
            if (fibers[current].state == ready) {
                threadIdx = fibers[current].index;
                swapcontext(&scheduler, &fibers[current].context);
            }
    while (release());
}
template <class... P, size_t... I> void call(void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
    (void)arguments;
    kernel(*static_cast<std::remove_reference_t<P>*>(arguments[I])...);
}
// A kernel with addresses of its parameters, as the driver launches it.
template <class... P> void launch(void (*kernel)(P...), void** arguments, Dim groups, Dim threads) {
    auto one = [&] { call(kernel, arguments, std::index_sequence_for<P...>{}); };
    argument = &one;
    body = [](void* f) { (*static_cast<decltype(one)*>(f))(); };
    gridDim = groups;
    blockDim = threads;
    for (unsigned z = 0; z < groups.z; z++)
        for (unsigned y = 0; y < groups.y; y++)
            for (unsigned x = 0; x < groups.x; x++) {
                blockIdx = {x, y, z};
                run_group(threads.x * threads.y * threads.z);
            }
}
template <class T, class V, class F> T update(T* at, V value, F f) {
    const T old = *at;
    *at = f(old, T(value));
    return old;
}
}  // namespace shim

inline void __syncthreads() { shim::wait(shim::at_barrier); }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline unsigned __shfl_sync(unsigned mask, unsigned value, int lane) {
    const uint64_t* all = shim::exchange(1, mask, value);
    if (!(mask >> (lane & 31) & 1)) shim::fail("a lane reads from one that is not in the mask");
    return unsigned(all[lane & 31]);
}
inline unsigned __ballot_sync(unsigned mask, int holds) {
    const uint64_t* all = shim::exchange(2, mask, holds != 0);
    unsigned found = 0;
    for (int i = 0; i < 32; i++) found |= unsigned(all[i]) << i;
    return found;
}
inline int __any_sync(unsigned mask, int holds) { return __ballot_sync(mask, holds) != 0; }
inline int __all_sync(unsigned mask, int holds) { return __ballot_sync(mask, holds) == mask; }
namespace shim {
template <class T, class F> T reduce(unsigned mask, T value, F f) {
    const uint64_t* all = exchange(3, mask, unsigned(value));
    T sum{};
    bool any = false;
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1) {
            sum = any ? f(sum, T(unsigned(all[i]))) : T(unsigned(all[i]));
            any = true;
        }
    return sum;
}
}  // namespace shim
template <class T> T __reduce_add_sync(unsigned mask, T value) {
    return shim::reduce(mask, value, [](T a, T b) { return T(unsigned(a) + unsigned(b)); });
}
template <class T> T __reduce_min_sync(unsigned mask, T value) {
    return shim::reduce(mask, value, [](T a, T b) { return b < a ? b : a; });
}
template <class T> T __reduce_max_sync(unsigned mask, T value) {
    return shim::reduce(mask, value, [](T a, T b) { return a < b ? b : a; });
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value) {
    return shim::reduce(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    return shim::reduce(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
    return shim::reduce(mask, value, [](unsigned a, unsigned b) { return a ^ b; });
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __float_as_int(float x) {
    int bits;
    std::memcpy(&bits, &x, 4);
    return bits;
}
template <class T> T atomicAdd(T* at, T value) {
    return shim::update(at, value, [](T a, T b) { return T(a + b); });
}
template <class T> T atomicMin(T* at, T value) {
    return shim::update(at, value, [](T a, T b) { return b < a ? b : a; });
}
template <class T> T atomicMax(T* at, T value) {
    return shim::update(at, value, [](T a, T b) { return a < b ? b : a; });
}
template <class T> T atomicAnd(T* at, T value) {
    return shim::update(at, value, [](T a, T b) { return T(a & b); });
}
template <class T> T atomicOr(T* at, T value) {
    return shim::update(at, value, [](T a, T b) { return T(a | b); });
}
template <class T> T atomicXor(T* at, T value) {
    return shim::update(at, value, [](T a, T b) { return T(a ^ b); });
}
template <class T> T atomicExch(T* at, T value) {
    return shim::update(at, value, [](T, T b) { return b; });
}
template <class T> T atomicCAS(T* at, T expected, T value) {
    return shim::update(at, value, [&](T a, T b) { return a == expected ? b : a; });
}

// Functions as the reference has them: of floats by `double`, of three there are formulas.
namespace shim {
inline double asinh(double x) {
    const double a = std::fabs(x);
    const double value = a > 1e150 ? std::log(a) + 0.6931471805599453 : std::log1p(a + a * a / (1.0 + std::sqrt(1.0 + a * a)));
    return std::copysign(value, x);
}
inline double acosh(double x) {
    const double t = x - 1.0;
    if (x < 1.0) return double(NAN);
    return x > 1e150 ? std::log(x) + 0.6931471805599453 : std::log1p(t + std::sqrt(t * (x + 1.0)));
}
inline double atanh(double x) {
    const double a = std::fabs(x);
    return std::copysign(0.5 * std::log1p(2.0 * a / (1.0 - a)), x);
}
}  // namespace shim
#define SHIM_FUNCTION(name, of) \
    inline float shim_##name(float x) { return float(of(double(x))); }
SHIM_FUNCTION(cbrtf, std::cbrt)
SHIM_FUNCTION(sinf, std::sin)
SHIM_FUNCTION(cosf, std::cos)
SHIM_FUNCTION(tanf, std::tan)
SHIM_FUNCTION(asinf, std::asin)
SHIM_FUNCTION(acosf, std::acos)
SHIM_FUNCTION(atanf, std::atan)
SHIM_FUNCTION(sinhf, std::sinh)
SHIM_FUNCTION(coshf, std::cosh)
SHIM_FUNCTION(tanhf, std::tanh)
SHIM_FUNCTION(asinhf, shim::asinh)
SHIM_FUNCTION(acoshf, shim::acosh)
SHIM_FUNCTION(atanhf, shim::atanh)
SHIM_FUNCTION(expf, std::exp)
SHIM_FUNCTION(exp2f, std::exp2)
SHIM_FUNCTION(expm1f, std::expm1)
SHIM_FUNCTION(logf, std::log)
SHIM_FUNCTION(log2f, std::log2)
SHIM_FUNCTION(log10f, std::log10)
SHIM_FUNCTION(log1pf, std::log1p)
// Two roundings, as the interpreter has them.
inline float shim_rsqrtf(float x) { return float(1.0 / double(std::sqrt(x))); }
inline float shim_atan2f(float y, float x) { return float(std::atan2(double(y), double(x))); }
inline float shim_powf(float x, float y) { return float(std::pow(double(x), double(y))); }
inline double shim_asinh(double x) { return shim::asinh(x); }
inline double shim_acosh(double x) { return shim::acosh(x); }
inline double shim_atanh(double x) { return shim::atanh(x); }
#define cbrtf shim_cbrtf
#define sinf shim_sinf
#define cosf shim_cosf
#define tanf shim_tanf
#define asinf shim_asinf
#define acosf shim_acosf
#define atanf shim_atanf
#define sinhf shim_sinhf
#define coshf shim_coshf
#define tanhf shim_tanhf
#define asinhf shim_asinhf
#define acoshf shim_acoshf
#define atanhf shim_atanhf
#define expf shim_expf
#define exp2f shim_exp2f
#define expm1f shim_expm1f
#define logf shim_logf
#define log2f shim_log2f
#define log10f shim_log10f
#define log1pf shim_log1pf
#define rsqrtf shim_rsqrtf
#define atan2f shim_atan2f
#define powf shim_powf
#define asinh shim_asinh
#define acosh shim_acosh
#define atanh shim_atanh
