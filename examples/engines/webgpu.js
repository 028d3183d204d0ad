// Runs webgpu.wgsl in a browser (or with three.js, whose renderer's `backend.device` is such a device): the gradient of each pixel's
// loss by the surface's four parameters, behind which `parameters` has the number of pixels.
export async function pixelGradients(device, pixels, parameters) {
    const text = async (name) => (await fetch(name)).text();
    const code = (await text("surface.wgsl")) + (await text("webgpu.wgsl"));
    const pipeline = await device.createComputePipelineAsync({
        layout: "auto",
        compute: { module: device.createShaderModule({ code }), entryPoint: "main" },
    });
    const buffer = (numbers, usage) => {
        const made = device.createBuffer({ size: numbers.byteLength, usage, mappedAtCreation: true });
        new Float32Array(made.getMappedRange()).set(numbers);
        made.unmap();
        return made;
    };
    const count = pixels.length / 10;
    const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    const gradients = buffer(new Float32Array(count * 4), STORAGE | COPY_SRC);
    const bound = [buffer(pixels, STORAGE), buffer(parameters, STORAGE), gradients];
    const entries = bound.map((made, binding) => ({ binding, resource: { buffer: made } }));
    const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    const result = device.createBuffer({ size: gradients.size, usage: COPY_DST | MAP_READ });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(count / 64));
    pass.end();
    encoder.copyBufferToBuffer(gradients, 0, result, 0, gradients.size);
    device.queue.submit([encoder.finish()]);
    await result.mapAsync(GPUMapMode.READ);
    return new Float32Array(result.getMappedRange().slice(0));
}
