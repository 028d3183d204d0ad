// RUN: caustic-opt --canonicalize %s | FileCheck %s
// NOTE: A choice of which only a choice under the same condition is made takes nothing else; one that is read elsewhere, or whose other operand leads there, stays, and so does one that other threads read.

// CHECK-LABEL: func.func @covered
// CHECK-NEXT: arith.mulf %a, %y
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.select %c
// CHECK-NEXT: func.return
func.func @covered(%c: i1, %a: f32, %y: f32, %z: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %first = arith.select %c, %a, %zero : f32
  %p = arith.mulf %first, %y : f32
  %s = arith.addf %p, %first : f32
  %last = arith.select %c, %s, %z : f32
  func.return %last : f32
}

// CHECK-LABEL: func.func @read
// CHECK: arith.select %c
// CHECK: arith.select %c
func.func @read(%c: i1, %a: f32, %y: f32, %z: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %first = arith.select %c, %a, %zero : f32
  %p = arith.mulf %first, %y : f32
  %last = arith.select %c, %p, %z : f32
  func.return %last, %p : f32, f32
}

// CHECK-LABEL: func.func @other
// CHECK: arith.select %c
// CHECK: arith.select %c
func.func @other(%c: i1, %a: f32, %y: f32, %z: f32) -> f32 {
  %first = arith.select %c, %a, %z : f32
  %p = arith.mulf %first, %y : f32
  %last = arith.select %c, %z, %p : f32
  func.return %last : f32
}

// CHECK-LABEL: func.func @lanes
// CHECK: arith.select %c
// CHECK: gpu.subgroup_reduce
// CHECK: arith.select %c
func.func @lanes(%c: i1, %a: f32, %z: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %first = arith.select %c, %a, %zero : f32
  %sum = gpu.subgroup_reduce add %first : (f32) -> f32
  %last = arith.select %c, %sum, %z : f32
  func.return %last : f32
}
