// Runs a kernel that was compiled with the headers beside this file, on data in a file. The threads
// of a group are fibers, which run until they wait for each other; groups run one after the other.
//
//     PROGRAM NUMBER FILE
//
// FILE is that of the hosts of the other languages (`source/host.rs`), and is written back; NUMBER
// means nothing here. Which buffer of the text has which of its data says the plan, which `msl.py`
// makes of a description: a line for each piece, see `Plan`.
//
// It is strict: what Metal leaves undefined and can be seen here ends the program with a message
// and status 3. Memory of a group is not zero when a group begins, a buffer ends at a page that
// may not be touched, threads have to wait at one barrier, a lane may not read one that is not
// active, and operations without a result (as clang's sanitizer tells them) end the program.
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "include/metal_shim/run.h"

extern "C" {
extern const char metal_shim_plan[];
void metal_shim_run(const metal_shim_resources*, const metal_shim_ids*);
// The memory of groups, where the linker's script puts it.
extern char metal_shim_group_begin[], metal_shim_group_end[];
}

namespace {
constexpr unsigned lanes = 32;
constexpr size_t stack_bytes = size_t(8) << 20;
constexpr int unset_memory = 0xcd;

[[noreturn]] void fail(const std::string& why) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(3);
}

// Memory that ends at a page that nobody may touch.
char* guarded(size_t bytes) {
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    const size_t rounded = (bytes + page - 1) / page * page;
    void* at = mmap(nullptr, rounded + page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED || mprotect(static_cast<char*>(at) + rounded, page, PROT_NONE) != 0) {
        fail("no memory");
    }
    return static_cast<char*>(at) + rounded - bytes;
}

// Threads.

enum State { ready, at_barrier, at_exchange, ended };

struct Fiber {
    ucontext_t context;
    metal_shim_ids ids;
    State state;
    // The calls that lead to where it waits, the outermost first.
    std::vector<uintptr_t> path;
    uint64_t brought;
    // Of its simdgroup: who takes part in an exchange, and what each brought.
    uint32_t active;
    uint64_t found[lanes];
};

ucontext_t scheduler;
std::vector<Fiber> fibers;
std::vector<char*> stacks;
size_t current;
const metal_shim_resources* resources;

// Texts are compiled with frame pointers.
void note_path(std::vector<uintptr_t>& path, const void* frame) {
    path.clear();
    const char* end = stacks[current] + stack_bytes;
    for (auto at = static_cast<const uintptr_t*>(frame);
         at && reinterpret_cast<const char*>(at + 2) <= end && reinterpret_cast<const char*>(at) >= stacks[current];
         at = reinterpret_cast<const uintptr_t*>(at[0])) {
        path.insert(path.begin(), at[1]);
        if (path.size() > 1000) break;
    }
}

void wait(State state, const void* frame) {
    Fiber& f = fibers[current];
    f.state = state;
    if (frame) note_path(f.path, frame);
    swapcontext(&f.context, &scheduler);
}

void run_fiber() {
    metal_shim_run(resources, &fibers[current].ids);
    wait(ended, nullptr);
}

// Lets those lanes of a simdgroup go on that wait at one exchange. Where they wait at several,
// it is the one that the program comes to first, so that the others are met later.
bool release_lanes(size_t first) {
    const size_t end = std::min(first + lanes, fibers.size());
    const Fiber* chosen = nullptr;
    for (size_t i = first; i < end; i++) {
        if (fibers[i].state == at_exchange && (!chosen || fibers[i].path < chosen->path)) chosen = &fibers[i];
    }
    if (!chosen) return false;
    const std::vector<uintptr_t> path = chosen->path;
    uint32_t active = 0;
    uint64_t brought[lanes] = {};
    for (size_t i = first; i < end; i++) {
        if (fibers[i].state == at_exchange && fibers[i].path == path) {
            active |= 1u << (i - first);
            brought[i - first] = fibers[i].brought;
        }
    }
    for (size_t i = first; i < end; i++) {
        if (!(active >> (i - first) & 1)) continue;
        fibers[i].active = active;
        std::memcpy(fibers[i].found, brought, sizeof brought);
        fibers[i].state = ready;
    }
    return true;
}

bool release() {
    bool any = false;
    for (size_t first = 0; first < fibers.size(); first += lanes) any = release_lanes(first) || any;
    if (any) return true;
    const Fiber* at = nullptr;
    for (const Fiber& f : fibers) {
        if (f.state != at_barrier) continue;
        if (at && at->path != f.path) fail("threads of a group wait at different barriers");
        at = &f;
    }
    if (!at) return false;
    for (Fiber& f : fibers) {
        if (f.state == ended) fail("a thread ends and others of its group wait at a barrier");
        f.state = ready;
    }
    return true;
}

void begin_fiber(unsigned i, const unsigned group[3], const unsigned groups[3], const unsigned threads[3]) {
    Fiber& f = fibers[i];
    const unsigned place[3] = {i % threads[0], i / threads[0] % threads[1], i / (threads[0] * threads[1])};
    const unsigned all = threads[0] * threads[1] * threads[2];
    for (int k = 0; k < 3; k++) {
        f.ids.thread_position_in_grid[k] = group[k] * threads[k] + place[k];
        f.ids.thread_position_in_threadgroup[k] = place[k];
        f.ids.threadgroup_position_in_grid[k] = group[k];
        f.ids.threads_per_threadgroup[k] = threads[k];
        f.ids.dispatch_threads_per_threadgroup[k] = threads[k];
        f.ids.threadgroups_per_grid[k] = groups[k];
        f.ids.threads_per_grid[k] = groups[k] * threads[k];
    }
    f.ids.thread_index_in_threadgroup = i;
    f.ids.thread_index_in_simdgroup = i % lanes;
    f.ids.simdgroup_index_in_threadgroup = i / lanes;
    f.ids.threads_per_simdgroup = lanes;
    f.ids.thread_execution_width = lanes;
    f.ids.simdgroups_per_threadgroup = (all + lanes - 1) / lanes;
    f.ids.dispatch_simdgroups_per_threadgroup = f.ids.simdgroups_per_threadgroup;
    f.state = ready;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = stacks[i];
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, run_fiber, 0);
}

void run_group(const unsigned group[3], const unsigned groups[3], const unsigned threads[3]) {
    const unsigned all = threads[0] * threads[1] * threads[2];
    fibers.resize(all);
    while (stacks.size() < all) stacks.push_back(guarded(stack_bytes));
    for (unsigned i = 0; i < all; i++) begin_fiber(i, group, groups, threads);
    // With the variable set, the last thread goes first.
    static const bool backwards = std::getenv("MSL_BACKWARDS") != nullptr;
    do {
        for (size_t i = 0; i < fibers.size(); i++) {
            current = backwards ? fibers.size() - 1 - i : i;
            if (fibers[current].state == ready) swapcontext(&scheduler, &fibers[current].context);
        }
    } while (release());
}

// A buffer ends at a page that may not be touched.
void on_fault(int) {
    static const char why[] = "memory is touched that is in no buffer\n";
    if (write(2, why, sizeof why - 1) < 0) _exit(4);
    _exit(3);
}

void catch_faults() {
    static char stack[65536];
    stack_t other = {};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    struct sigaction action = {};
    action.sa_handler = on_fault;
    action.sa_flags = SA_ONSTACK;
    if (sigaltstack(&other, nullptr) || sigaction(SIGSEGV, &action, nullptr) || sigaction(SIGBUS, &action, nullptr)) {
        fail("faults cannot be caught");
    }
}

// Data.

struct Kept {
    std::vector<char> bytes;
    uint64_t count;
    uint32_t counter, mark;
};

// A line of the plan. The first is `threads X Y Z`, the others are
//     storage BUFFER PARAMETER MULTIPLE
//     uniform BUFFER PARAMETER MULTIPLE OFFSET SIZE
//     counter BUFFER PARAMETER
//     length BUFFER OFFSET OF STRIDE       how many elements buffer OF has
//     texture SLOT PARAMETER
//     sampler SLOT BITS
//     memory SLOT BYTES                    of a group
// A buffer has a MULTIPLE of bytes.
struct Line {
    std::string kind;
    unsigned long numbers[5];
};

struct Plan {
    unsigned threads[3] = {1, 1, 1};
    std::vector<Line> lines;
};

Plan read_plan() {
    Plan plan;
    for (const char* at = metal_shim_plan; *at;) {
        const std::string text(at, std::strcspn(at, "\n"));
        at += text.size() + (at[text.size()] == '\n');
        char kind[16];
        Line line = {};
        if (std::sscanf(text.c_str(), "%15s %lu %lu %lu %lu %lu", kind, &line.numbers[0], &line.numbers[1],
                        &line.numbers[2], &line.numbers[3], &line.numbers[4]) < 1) {
            fail("no plan");
        }
        line.kind = kind;
        if (line.kind == "threads") {
            for (int k = 0; k < 3; k++) plan.threads[k] = unsigned(line.numbers[k]);
        } else {
            plan.lines.push_back(line);
        }
    }
    return plan;
}

// What is bound to buffers and in which memory it is.
struct Bound {
    std::vector<char> bytes[METAL_SHIM_BUFFERS];
    bool used[METAL_SHIM_BUFFERS] = {};
    char* at[METAL_SHIM_BUFFERS] = {};
};

template <class T> void put(std::vector<char>& bytes, size_t offset, const T* from, size_t size) {
    if (bytes.size() < offset + size) bytes.resize(offset + size);
    std::memcpy(bytes.data() + offset, from, size);
}

Kept& of_param(std::vector<Kept>& params, unsigned long number) {
    if (number >= params.size()) fail("the plan names a parameter that has no data");
    return params[number];
}

unsigned long slot(unsigned long number, unsigned long end) {
    if (number >= end) fail("the plan names a slot that is not there");
    return number;
}

void fill(const Plan& plan, std::vector<Kept>& params, Bound& bound) {
    for (const Line& line : plan.lines) {
        const auto& n = line.numbers;
        const bool parameter = line.kind == "storage" || line.kind == "uniform" || line.kind == "counter";
        if (!parameter) continue;
        auto& bytes = bound.bytes[slot(n[0], METAL_SHIM_BUFFERS)];
        bound.used[n[0]] = true;
        Kept& kept = of_param(params, n[1]);
        if (line.kind == "storage") {
            bytes = kept.bytes;
        } else if (line.kind == "uniform") {
            kept.bytes.resize(std::max<size_t>(kept.bytes.size(), n[4]));
            put(bytes, n[3], kept.bytes.data(), n[4]);
        } else {
            put(bytes, 0, &kept.counter, 4);
        }
    }
    // What is put behind the data does not count.
    for (const Line& line : plan.lines) {
        if (line.kind != "length") continue;
        const auto& n = line.numbers;
        const uint32_t count = uint32_t(bound.bytes[slot(n[2], METAL_SHIM_BUFFERS)].size() / (n[3] ? n[3] : 1));
        bound.used[slot(n[0], METAL_SHIM_BUFFERS)] = true;
        put(bound.bytes[n[0]], n[1], &count, 4);
    }
    for (const Line& line : plan.lines) {
        if (line.kind != "storage" && line.kind != "uniform") continue;
        auto& bytes = bound.bytes[line.numbers[0]];
        const size_t multiple = std::max(line.numbers[2], 1ul);
        bytes.resize((bytes.size() + multiple - 1) / multiple * multiple);
    }
}

// A texture's data are six numbers of 32 bits (width, height, depth, layers, levels, kind), and
// its texels, each as four numbers of 32 bits.
metal_shim_image* image(Kept& kept) {
    constexpr size_t head = 24;
    auto* made = new metal_shim_image{};
    if (kept.bytes.size() < head) fail("no texture");
    std::memcpy(&made->width, kept.bytes.data(), head);
    char* texels = guarded(kept.bytes.size() - head);
    std::memcpy(texels, kept.bytes.data() + head, kept.bytes.size() - head);
    made->texels = reinterpret_cast<unsigned long>(texels);
    return made;
}

size_t group_bytes() { return size_t(metal_shim_group_end - metal_shim_group_begin); }

// What a device has at least (the limits of the families of GPUs).
void check_limits(const Plan& plan, const std::vector<std::pair<char*, size_t>>& memory) {
    size_t bytes = group_bytes();
    for (auto [at, size] : memory) bytes += size;
    if (bytes > 32768) fail("a group has more than 32 KB of memory");
    if (size_t(plan.threads[0]) * plan.threads[1] * plan.threads[2] > 1024) fail("a group has more than 1024 threads");
}

void run(const Plan& plan, std::vector<Kept>& params, const unsigned groups[3]) {
    Bound bound;
    metal_shim_resources all = {};
    fill(plan, params, bound);
    for (size_t i = 0; i < METAL_SHIM_BUFFERS; i++) {
        if (!bound.used[i]) continue;
        bound.at[i] = guarded(bound.bytes[i].size());
        std::memcpy(bound.at[i], bound.bytes[i].data(), bound.bytes[i].size());
        all.buffers[i] = reinterpret_cast<unsigned long>(bound.at[i]);
    }
    std::vector<std::pair<char*, size_t>> memory;
    for (const Line& line : plan.lines) {
        const auto& n = line.numbers;
        if (line.kind == "texture") {
            auto* made = image(of_param(params, n[1]));
            all.textures[slot(n[0], METAL_SHIM_TEXTURES)] = reinterpret_cast<unsigned long>(made);
        } else if (line.kind == "sampler") {
            all.samplers[slot(n[0], METAL_SHIM_SAMPLERS)] = n[1];
        } else if (line.kind == "memory") {
            memory.emplace_back(guarded(n[1]), n[1]);
            all.threadgroups[slot(n[0], METAL_SHIM_BUFFERS)] = reinterpret_cast<unsigned long>(memory.back().first);
        }
    }
    check_limits(plan, memory);
    resources = &all;
    unsigned group[3];
    for (group[2] = 0; group[2] < groups[2]; group[2]++)
        for (group[1] = 0; group[1] < groups[1]; group[1]++)
            for (group[0] = 0; group[0] < groups[0]; group[0]++) {
                std::memset(metal_shim_group_begin, unset_memory, group_bytes());
                for (auto [at, size] : memory) std::memset(at, unset_memory, size);
                run_group(group, groups, plan.threads);
            }
    for (const Line& line : plan.lines) {
        const auto& n = line.numbers;
        if (line.kind == "texture") {
            auto* made = reinterpret_cast<metal_shim_image*>(all.textures[n[0]]);
            auto& bytes = params[n[1]].bytes;
            std::memcpy(bytes.data() + 24, reinterpret_cast<void*>(made->texels), bytes.size() - 24);
        } else if (line.kind == "storage" && !params[n[1]].bytes.empty()) {
            std::memcpy(params[n[1]].bytes.data(), bound.at[n[0]], params[n[1]].bytes.size());
        } else if (line.kind == "counter") {
            std::memcpy(&params[n[1]].counter, bound.at[n[0]], 4);
        }
    }
}

template <class T> void read(FILE* file, T* to, size_t count) {
    if (count && std::fread(to, sizeof(T), count, file) != count) fail("the data end too soon");
}
}  // namespace

extern "C" {
// Called by the headers.
__attribute__((noinline)) void metal_shim_barrier() { wait(at_barrier, __builtin_frame_address(0)); }
// What the active lanes of the simdgroup brought, and which these are.
__attribute__((noinline)) const uint64_t* metal_shim_exchange(uint64_t value, uint32_t* active) {
    fibers[current].brought = value;
    wait(at_exchange, __builtin_frame_address(0));
    *active = fibers[current].active;
    return fibers[current].found;
}
__attribute__((noinline)) void metal_shim_simd_barrier() { wait(at_exchange, __builtin_frame_address(0)); }
void metal_shim_shared(unsigned long) {}
unsigned metal_shim_lane() { return fibers[current].ids.thread_index_in_simdgroup; }
void metal_shim_fail(const char* why) { fail(why); }

// Called where an operation has no result (`-fsanitize-minimal-runtime`).
#define UNDEFINED(name, why) \
    void __ubsan_handle_##name##_minimal() { fail(why); } \
    void __ubsan_handle_##name##_minimal_abort() { fail(why); }
UNDEFINED(add_overflow, "a sum of signed integers overflows")
UNDEFINED(sub_overflow, "a difference of signed integers overflows")
UNDEFINED(mul_overflow, "a product of signed integers overflows")
UNDEFINED(negate_overflow, "a negated integer overflows")
UNDEFINED(divrem_overflow, "a quotient of integers overflows, or is by zero")
UNDEFINED(float_cast_overflow, "an integer cannot hold the float that becomes one")
UNDEFINED(out_of_bounds, "an index is out of its array's bounds")
UNDEFINED(builtin_unreachable, "a function does not return")
UNDEFINED(missing_return, "a function gives no value")
}

int main(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "PROGRAM NUMBER FILE\n");
        return 2;
    }
    FILE* file = std::fopen(words[2], "rb");
    if (!file) fail("no data");
    uint32_t head[4];
    read(file, head, 4);
    std::vector<Kept> params(head[3]);
    for (Kept& kept : params) {
        uint64_t sizes[2];
        read(file, sizes, 2);
        kept.count = sizes[1];
        kept.bytes.resize(sizes[0]);
        read(file, &kept.counter, 1);
        read(file, &kept.mark, 1);
        read(file, kept.bytes.data(), kept.bytes.size());
    }
    std::fclose(file);
    std::vector<size_t> given;
    for (const Kept& kept : params) given.push_back(kept.bytes.size());
    catch_faults();
    run(read_plan(), params, head);
    std::fflush(stdout);
    file = std::fopen(words[2], "wb");
    if (!file) fail("the data cannot be written back");
    for (size_t i = 0; i < params.size(); i++) {
        std::fwrite(&params[i].counter, 4, 1, file);
        std::fwrite(params[i].bytes.data(), 1, given[i], file);
    }
    return std::fclose(file);
}
