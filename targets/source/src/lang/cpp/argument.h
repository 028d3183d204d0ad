// What is bound to a parameter: buffers by elements (pointers by bytes), uniforms by their bytes.
struct Argument {
    void* data;
    uint64_t count;
    uint32_t* counter;
};
