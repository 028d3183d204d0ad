// IR may print what has no scalars; the front end never asks for it.
// RUN: caustic run %s --backend cranelift
// EXPECT-ERROR: @+6:3 E0851 printf cannot print a value of type !agg.buffer<f32, "rw">
!Buffer = !agg.buffer<f32, "rw">
agg.resource @b attributes {type = !Buffer, reflect = {name = "b", kind = "rw_buffer", type = "f32"}}
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %h = agg.global @b : !Buffer
  // The front end would refuse it.
  gpu.printf "%d" %h : !Buffer
  func.return
}
