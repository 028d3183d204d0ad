// The option `ulps`: without a bound nothing changes but what is equal to the last bit; each row fits, or a path of rows.
// RUN: caustic-opt %s --pass-pipeline='any(egraph{class=fast costs=gpu-fast ulps=0},dce)' | FileCheck %s --check-prefix=NONE
// RUN: caustic-opt %s --pass-pipeline='any(egraph{class=fast costs=gpu-fast ulps=1},dce)' | FileCheck %s --check-prefix=ONE
// RUN: caustic-opt %s --pass-pipeline='any(egraph{class=fast costs=gpu-fast ulps=3},dce)' | FileCheck %s --check-prefix=THREE

// Shared, and that is all.
// NONE-LABEL: func.func @sum
// NONE: arith.negf
// NONE: arith.mulf
// NONE: arith.mulf
// NONE: arith.addf
// NONE: arith.addf
// ONE-LABEL: func.func @sum
// ONE: math.fma
// ONE-NOT: math.fma
// ONE: arith.mulf
// ONE-LABEL: func.func @quotients
// THREE-LABEL: func.func @sum
// THREE: math.fma
// THREE: math.fma
func.func @sum(%x: f32, %y: f32, %z: f32, %w: f32) -> f32 {
  %n = arith.negf %x : f32
  %p = arith.mulf %n, %y : f32
  %q = arith.mulf %z, %w : f32
  %s = arith.addf %p, %q : f32
  %t = arith.addf %s, %x : f32
  %c = arith.mulf %t, %t : f32
  %r = arith.addf %c, %y : f32
  return %r : f32
}

// Two quotients by products are off by four units, which is more than three: one of them stays.
// NONE-LABEL: func.func @quotients
// NONE-COUNT-4: arith.divf
// THREE-LABEL: func.func @quotients
// THREE-COUNT-3: arith.divf
// THREE-NOT: arith.divf
func.func @quotients(%x: f32, %y: f32, %z: f32, %w: f32, %u: f32, %v: f32) -> (f32, f32) {
  %a = arith.divf %x, %y : f32
  %b = arith.divf %a, %z : f32
  %c = arith.divf %w, %u : f32
  %d = arith.divf %c, %v : f32
  return %b, %d : f32, f32
}
