// NOTE: What cannot be unrolled is an error at the loop.
// RUN: caustic-opt --unroll %s
func.func @f(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // EXPECT-ERROR: @+1:8 E0402 this loop cannot be unrolled
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
    %b = arith.mulf %a, %x : f32
    scf.yield %b : f32
  } {unroll = "force"}
  return %r : f32
}
