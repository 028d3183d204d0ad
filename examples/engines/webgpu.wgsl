// A compute shader for WebGPU that uses the gradient of surface.slang. WGSL has no includes: the host puts the library's text before
// this one (webgpu.js). The library is made by
//     caustic emit surface.slang --target wgsl --library --function loss --derivatives bwd -o surface.wgsl
@group(0) @binding(0) var<storage, read> pixels: array<f32>;
@group(0) @binding(1) var<storage, read> parameters: array<f32>;
@group(0) @binding(2) var<storage, read_write> gradients: array<f32>;

fn direction(at: u32) -> vec3f {
    return vec3f(pixels[at], pixels[at + 1], pixels[at + 2]);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= u32(parameters[4])) {
        return;
    }
    let i = id.x * 10;
    var s: DifferentialPair_Surface;
    s.p = Surface(vec3f(parameters[0], parameters[1], parameters[2]), parameters[3]);
    bwd_diff_loss(&s, direction(i), direction(i + 3), direction(i + 6), pixels[i + 9], 1.0);
    gradients[id.x * 4] = s.d.albedo.x;
    gradients[id.x * 4 + 1] = s.d.albedo.y;
    gradients[id.x * 4 + 2] = s.d.albedo.z;
    gradients[id.x * 4 + 3] = s.d.roughness;
}
