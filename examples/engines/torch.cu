// An extension for PyTorch: the loss of a surface beside what was measured, with its gradient from surface.slang (torch.py builds and
// calls it). The header is made by
//     caustic emit surface.slang --target cuda --library --function loss --derivatives bwd -o surface.cuh
#include <torch/extension.h>
#include "surface.cuh"

__global__ void pixel_gradients(const float* pixels, const float* parameters, float* losses, float* gradients, int count)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count)
        return;
    const float* p = pixels + 10 * id;
    const auto direction = [&](int at) { return surface::float3{p[at], p[at + 1], p[at + 2]}; };
    surface::DifferentialPair_Surface s{};
    s.p = {{parameters[0], parameters[1], parameters[2]}, parameters[3]};
    losses[id] = surface::loss(s.p, direction(0), direction(3), direction(6), p[9]);
    surface::bwd_diff_loss(s, direction(0), direction(3), direction(6), p[9], 1.0f);
    atomicAdd(gradients + 0, s.d.albedo.x);
    atomicAdd(gradients + 1, s.d.albedo.y);
    atomicAdd(gradients + 2, s.d.albedo.z);
    atomicAdd(gradients + 3, s.d.roughness);
}

std::vector<torch::Tensor> loss_and_gradient(torch::Tensor pixels, torch::Tensor parameters)
{
    TORCH_CHECK(pixels.is_cuda() && pixels.is_contiguous() && pixels.dtype() == torch::kFloat32);
    const int count = int(pixels.size(0));
    auto losses = torch::empty({count}, pixels.options());
    auto gradients = torch::zeros({4}, pixels.options());
    pixel_gradients<<<(count + 63) / 64, 64>>>(pixels.data_ptr<float>(), parameters.data_ptr<float>(),
                                               losses.data_ptr<float>(), gradients.data_ptr<float>(), count);
    return {losses.sum(), gradients};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("loss_and_gradient", &loss_and_gradient, "the sum of the pixels' losses, and its gradient by the parameters");
}
