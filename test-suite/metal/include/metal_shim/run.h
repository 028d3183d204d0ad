// What a kernel is handed, as the driver fills it in and the generated launcher reads it: plain
// data that C++ and the text's own language lay out alike. Addresses are numbers.
#pragma once
#pragma clang system_header

// Slots of the argument tables (MSL 5.2.1).
#define METAL_SHIM_BUFFERS 31
#define METAL_SHIM_TEXTURES 128
#define METAL_SHIM_SAMPLERS 16

struct metal_shim_resources {
    unsigned long buffers[METAL_SHIM_BUFFERS];
    unsigned long threadgroups[METAL_SHIM_BUFFERS];
    unsigned long textures[METAL_SHIM_TEXTURES];
    unsigned long samplers[METAL_SHIM_SAMPLERS];
};
// MSL 5.2.3.6, by the attributes' names.
struct metal_shim_ids {
    unsigned thread_position_in_grid[3];
    unsigned thread_position_in_threadgroup[3];
    unsigned threadgroup_position_in_grid[3];
    unsigned threads_per_threadgroup[3];
    unsigned dispatch_threads_per_threadgroup[3];
    unsigned threadgroups_per_grid[3];
    unsigned threads_per_grid[3];
    unsigned thread_index_in_threadgroup;
    unsigned thread_index_in_simdgroup;
    unsigned simdgroup_index_in_threadgroup;
    unsigned threads_per_simdgroup;
    unsigned simdgroups_per_threadgroup;
    unsigned dispatch_simdgroups_per_threadgroup;
    unsigned thread_execution_width;
};
struct metal_shim_image {
    // The texels, each as four numbers of 32 bits: what the format converts to and from is done
    // by who fills them in.
    unsigned long texels;
    unsigned width, height, depth, layers, levels, kind;
};
