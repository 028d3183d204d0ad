// A compiler that fuses products and sums itself is given none that are fused.
// RUN: caustic-opt %s --pass-pipeline='any(egraph{class=contract costs=gpu},dce)' | FileCheck %s --check-prefix=OURS
// RUN: caustic-opt %s --pass-pipeline='any(egraph{class=contract costs=gpu fuse=false},dce)' | FileCheck %s --check-prefix=THEIRS
// OURS: math.fma
// THEIRS-NOT: math.fma
// THEIRS: arith.mulf
// THEIRS: arith.subf
func.func @sum(%x: f32, %y: f32, %z: f32) -> f32 {
  %n = arith.negf %x : f32
  %p = arith.mulf %n, %y : f32
  %s = arith.subf %z, %p : f32
  return %s : f32
}
