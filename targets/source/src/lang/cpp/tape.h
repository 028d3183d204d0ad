// An array that grows when it is written behind its end.
template <class T> struct tape {
    struct cell {
        T value;
    };
    std::vector<cell> cells;
    int64_t size() const { return int64_t(cells.size()); }
    T read(int64_t i) const { return uint64_t(i) < cells.size() ? cells[uint64_t(i)].value : T{}; }
    T& operator[](int64_t i) {
        if (uint64_t(i) >= cells.size()) cells.resize(uint64_t(i) + 1, cell{T{}});
        return cells[uint64_t(i)].value;
    }
};
