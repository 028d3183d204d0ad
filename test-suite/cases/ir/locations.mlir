// RUN: caustic-opt --mlir-print-debuginfo %s | FileCheck %s
// NOTE: Spans, names and aliases of locations; an op without one is where it stands in this file.

// CHECK: func.func @f(%x: f32)
func.func @f(%x: f32) -> f32 {
  // CHECK: arith.addf %x, %x : f32 loc("a.slang":3:5)
  %0 = arith.addf %x, %x : f32 loc("a.slang":3:5)
  // CHECK: arith.mulf {{.*}} loc(fused["a.slang":3:5, "a.slang":3:9])
  %1 = arith.mulf %0, %x : f32 loc("a.slang":3:5 to :9)
  // CHECK: arith.subf {{.*}} loc("inlined"("b.slang":1:2))
  %2 = arith.subf %1, %x : f32 loc("inlined"(#place))
  // CHECK: arith.divf {{.*}} loc(unknown)
  %3 = arith.divf %2, %x : f32 loc(unknown)
  // CHECK: arith.negf {{.*}} loc("a.slang":7:1)
  %4 = arith.negf %3 : f32 loc(callsite("a.slang":7:1 at "a.slang":8:1))
  // CHECK: func.return {{.*}} loc(fused["{{.*}}locations.mlir":[[#]]:3, "{{.*}}locations.mlir":[[#]]:14])
  func.return %4 : f32
} loc("a.slang":1:1)
// CHECK: } loc("a.slang":1:1)
#place = loc("b.slang":1:2)
