template <class K, class B> void dispatch(vec<uint, 3> groups, vec<uint, 3> size, B begin, K kernel) {
    thread.groups = groups;
    thread.size = size;
    for (uint z = 0; z < groups.z; z++)
        for (uint y = 0; y < groups.y; y++)
            for (uint x = 0; x < groups.x; x++) {
                begin();
                for (uint i = 0; i < size.x * size.y * size.z; i++) {
                    thread.index = i;
                    thread.group = {x, y, z};
                    thread.local = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
                    thread.global = {x * size.x + thread.local.x, y * size.y + thread.local.y, z * size.z + thread.local.z};
                    kernel();
                }
            }
}
