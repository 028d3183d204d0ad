// RUN: caustic-opt --legalize-total %s | FileCheck %s
// RUN: caustic-opt --legalize-total='division=false shifts=false conversions=false extremes=false products=false bits=false' %s | FileCheck %s --check-prefix=NONE
// NOTE: A machine that lacks nothing is given the ops as they are. A quotient by a number that is no zero stays in any case.

// CHECK-LABEL: func.func @f
// CHECK: %[[DIVISOR:.*]] = arith.select %{{.*}}, %{{.*}}, %b : i32
// CHECK: %[[QUOTIENT:.*]] = arith.divsi %a, %[[DIVISOR]] : i32
// CHECK: %{{.*}} = arith.select %{{.*}}, %{{.*}}, %[[QUOTIENT]] : i32
// CHECK: arith.divsi %a, %c3
// CHECK: arith.andi %b, %{{.*}} : i32
// CHECK: arith.shli
// CHECK: arith.mulf %x, %y : f32
// CHECK-NOT: strong.mulf
// CHECK-NOT: math.ctpop
// CHECK-NOT: arith.maxnumf
// NONE-LABEL: func.func @f
// NONE: arith.divsi %a, %b
// NONE: arith.divsi %a, %c3
// NONE: arith.shli %a, %b
// NONE: strong.mulf %x, %y
// NONE: math.ctpop %a
// NONE: arith.maxnumf %x, %y
// NONE: arith.fptosi %x
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32) -> (i32, i32, i32, f32, i32, f32, i32) {
  %c3 = arith.constant 3 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.divsi %a, %c3 : i32
  %2 = arith.shli %a, %b : i32
  %3 = strong.mulf %x, %y : f32
  %4 = math.ctpop %a : i32
  %5 = arith.maxnumf %x, %y : f32
  %6 = arith.fptosi %x : f32 to i32
  func.return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, f32, i32, f32, i32
}
