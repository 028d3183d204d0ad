// RUN: caustic run %s --texture t=r32f:4:1 --texture c=r32f:2x2:1 --sampler t=point --buffer s=u32:1
// EXPECT-ERROR: <command-line>:1:1 E0802 the contents do not suit the texture `t`: it has 2 dimensions, not 1
// EXPECT-ERROR: <command-line>:1:1 E0802 the contents do not suit the texture `c`: it is a cube, so it needs `:cube`
// EXPECT-ERROR: <command-line>:1:1 E0802 `t` is not a sampler
// EXPECT-ERROR: <command-line>:1:1 E0802 `s` is a sampler, not a buffer
module {
  agg.resource @t attributes {type = !tex.texture<"2d", f32, "ro">, reflect = {name = "t", kind = "texture", type = "f32"}}
  agg.resource @c attributes {type = !tex.texture<"cube", f32, "ro">, reflect = {name = "c", kind = "texture", type = "f32"}}
  agg.resource @s attributes {type = !tex.sampler, reflect = {name = "s", kind = "sampler", type = "u32"}}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    return
  }
}
