# Builds torch.cu and uses it as a function of PyTorch that has a gradient.
import torch
from torch.utils.cpp_extension import load

surface = load(name="surface", sources=["torch.cu"], extra_cuda_cflags=["-std=c++17"])


class SurfaceLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pixels, parameters):
        loss, gradient = surface.loss_and_gradient(pixels.contiguous(), parameters.contiguous())
        ctx.save_for_backward(gradient)
        return loss

    @staticmethod
    def backward(ctx, result_d):
        (gradient,) = ctx.saved_tensors
        return None, result_d * gradient


def reference(pixels, parameters):
    n, l, v, measured = pixels[:, 0:3], pixels[:, 3:6], pixels[:, 6:9], pixels[:, 9]
    h = torch.nn.functional.normalize(l + v, dim=1)
    nl, nh = (n * l).sum(1).clamp(min=0), (n * h).sum(1).clamp(min=0)
    a2 = parameters[3] ** 2
    d = nh * nh * (a2 - 1) + 1
    luminance = (parameters[:3] * torch.tensor([0.2126, 0.7152, 0.0722], device=pixels.device)).sum()
    return ((nl * (luminance + a2 / (4 * d * d)) - measured) ** 2).sum()


if __name__ == "__main__":
    torch.manual_seed(1)
    directions = torch.nn.functional.normalize(torch.rand(4096, 3, 3, device="cuda") + 0.1, dim=2)
    pixels = torch.cat([directions.reshape(4096, 9), torch.rand(4096, 1, device="cuda")], 1)
    parameters = torch.tensor([0.4, 0.5, 0.6, 0.7], device="cuda", requires_grad=True)
    gradients = []
    for function in [SurfaceLoss.apply, reference]:
        parameters.grad = None
        function(pixels, parameters).backward()
        gradients.append(parameters.grad.clone())
    error = ((gradients[0] - gradients[1]).abs() / gradients[1].abs()).max().item()
    print(f"gradient {gradients[0].tolist()}, relative difference from PyTorch's own {error:.1e}")
    assert error < 1e-4
