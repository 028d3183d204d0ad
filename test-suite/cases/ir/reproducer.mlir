// caustic-opt --pass-pipeline='builtin.module(any(cse))'
// RUN: caustic-opt --run-reproducer %s | FileCheck %s
// NOTE: A file made on an internal error names the pipeline that shows it.

// CHECK: func.func @f
// CHECK-NEXT: arith.addf
// CHECK-NEXT: func.return
func.func @f(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  %1 = arith.addf %x, %x : f32
  func.return %1 : f32
}
