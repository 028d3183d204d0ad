// Which thread runs.
struct ThreadIds {
    vec<uint, 3> local, group, global, size, groups;
    uint index;
};
static thread_local ThreadIds thread;
