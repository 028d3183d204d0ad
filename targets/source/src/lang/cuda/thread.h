// The number of this thread in its group.
$fn inline uint thread_index() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
