// The threads of a group, each on a stack of its own: they run until they wait for each other.
struct Fiber {
    ucontext_t context;
    std::vector<char> stack;
    ThreadIds ids;
    // The loops and calls that it is in, with their iterations; where it waits, and for whom.
    std::vector<std::pair<int64_t, uint64_t>> in, at;
    enum { ready, waits_for_wave, waits_for_group, ended } state;
    std::vector<char> brought;
    std::vector<std::pair<uint, std::vector<char>>> found;
};
static thread_local Fiber* fiber;
static thread_local ucontext_t scheduler;
static thread_local void (*fiber_kernel)();
inline void wait_here(int64_t instance, bool for_group) {
    fiber->at = fiber->in;
    fiber->at.emplace_back(instance, 0);
    fiber->state = for_group ? Fiber::waits_for_group : Fiber::waits_for_wave;
    swapcontext(&fiber->context, &scheduler);
}
inline void run_fiber() {
    fiber_kernel();
    fiber->state = Fiber::ended;
    swapcontext(&fiber->context, &scheduler);
}
// Lets go those that wait for each other; whether there are any.
inline bool release(std::vector<Fiber>& fibers) {
    bool any = false, all_wait = true;
    for (size_t first = 0; first < fibers.size(); first += 32) {
        const size_t last = first + 32 < fibers.size() ? first + 32 : fibers.size();
        const std::vector<std::pair<int64_t, uint64_t>>* least = nullptr;
        for (size_t i = first; i < last; i++)
            if (fibers[i].state == Fiber::waits_for_wave && (!least || fibers[i].at < *least)) least = &fibers[i].at;
        if (!least) continue;
        const auto at = *least;
        std::vector<std::pair<uint, std::vector<char>>> found;
        for (size_t i = first; i < last; i++)
            if (fibers[i].state == Fiber::waits_for_wave && fibers[i].at == at) found.emplace_back(uint(i - first), fibers[i].brought);
        for (size_t i = first; i < last; i++)
            if (fibers[i].state == Fiber::waits_for_wave && fibers[i].at == at) {
                fibers[i].found = found;
                fibers[i].state = Fiber::ready;
            }
        any = true;
    }
    for (const Fiber& f : fibers) all_wait = all_wait && f.state == Fiber::waits_for_group && f.at == fibers[0].at;
    if (all_wait)
        for (Fiber& f : fibers) f.state = Fiber::ready;
    return any || all_wait;
}
inline void barrier(int64_t instance) { wait_here(instance, true); }
template <class K, class B> void dispatch_together(vec<uint, 3> groups, vec<uint, 3> size, B begin, K kernel, size_t stack) {
    std::vector<Fiber> fibers(size.x * size.y * size.z);
    fiber_kernel = kernel;
    for (uint g = 0; g < groups.x * groups.y * groups.z; g++) {
        begin();
        for (uint i = 0; i < fibers.size(); i++) {
            Fiber& f = fibers[i];
            f.stack.reserve(stack);
            f.ids.size = size;
            f.ids.groups = groups;
            f.ids.index = i;
            f.ids.group = {g % groups.x, g / groups.x % groups.y, g / (groups.x * groups.y)};
            f.ids.local = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
            for (int k = 0; k < 3; k++) f.ids.global[k] = f.ids.group[k] * size[k] + f.ids.local[k];
            f.in.clear();
            f.state = Fiber::ready;
            getcontext(&f.context);
            f.context.uc_stack.ss_sp = f.stack.data();
            f.context.uc_stack.ss_size = f.stack.capacity();
            f.context.uc_link = nullptr;
            makecontext(&f.context, run_fiber, 0);
        }
        do
            for (Fiber& f : fibers)
                if (f.state == Fiber::ready) {
                    fiber = &f;
                    thread = f.ids;
                    swapcontext(&scheduler, &f.context);
                }
        while (release(fibers));
        for (const Fiber& f : fibers)
            if (f.state != Fiber::ended) std::abort();
    }
}
