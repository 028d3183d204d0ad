// RUN: caustic-opt --legalize-small %s | FileCheck %s
// RUN: caustic-opt --legalize-small='floats=false integers=false' %s | FileCheck %s --check-prefix=NONE
// NOTE: Operands are widened as the op reads them, shifts count modulo the width that there was, and results are cut or rounded.

// CHECK-LABEL: func.func @f
// CHECK: %[[A:.*]] = arith.extui %a : i8 to i32
// CHECK: %[[SUM:.*]] = arith.addi %[[A]], %{{.*}} : i32
// CHECK: arith.trunci %[[SUM]] : i32 to i8
// CHECK: %[[S:.*]] = arith.extsi %a : i8 to i32
// CHECK: arith.divsi %[[S]], %{{.*}} : i32
// CHECK: %[[AMOUNT:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK: arith.shli %{{.*}}, %[[AMOUNT]] : i32
// CHECK: %[[X:.*]] = arith.extf %x : vector<2xf16> to vector<2xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %{{.*}} : vector<2xf32>
// CHECK: arith.truncf %[[P]] : vector<2xf32> to vector<2xf16>
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: arith.minsi
// CHECK-NOT: : i8{{$}}
// NONE: arith.addi %a, %b : i8
// NONE: arith.mulf %x, %x : vector<2xf16>
func.func @f(%a: i8, %b: i8, %x: vector<2xf16>, %y: f32) -> (i8, i8, i8, vector<2xf16>, i1, i8) {
  %0 = arith.addi %a, %b : i8
  %1 = arith.divsi %a, %b : i8
  %2 = arith.shli %a, %b : i8
  %3 = arith.mulf %x, %x : vector<2xf16>
  %4 = arith.cmpi slt, %a, %b : i8
  %5 = arith.fptosi %y : f32 to i8
  func.return %0, %1, %2, %3, %4, %5 : i8, i8, i8, vector<2xf16>, i1, i8
}

// A reduction is cut or rounded at each step.
// CHECK-LABEL: func.func @reduced
// CHECK: %[[FIRST:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: arith.addf %[[FIRST]], %{{.*}} : f32
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK: arith.extf %[[ROUNDED]] : f16 to f32
// CHECK-NOT: vector.reduction
// CHECK: arith.maxsi %{{.*}}, %{{.*}} : i32
// NONE: vector.reduction <add>, %x : vector<3xf16> into f16
func.func @reduced(%x: vector<3xf16>, %a: vector<2xi8>) -> (f16, i8) {
  %0 = vector.reduction <add>, %x : vector<3xf16> into f16
  %1 = vector.reduction <maxsi>, %a : vector<2xi8> into i8
  func.return %0, %1 : f16, i8
}
