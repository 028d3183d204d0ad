// RUN: caustic-opt --guard-zero-slices --canonicalize --cse --dce %s | FileCheck %s
// NOTE: What is zero unless a condition holds is computed where it holds: selected values, and what is made of such zeros. A product of a zero with an unknown number, which
// may be infinite, is no zero and stays behind; little work stays where it is, and so does what is needed elsewhere.

// CHECK-LABEL: func.func @skipped
// CHECK-NOT: math
// CHECK: %gated, %sum = scf.if %c
// CHECK: math.exp
// CHECK: math.sin
// CHECK: scf.yield
// CHECK: } else {
// CHECK: scf.yield %cst, %cst
// CHECK: arith.negf %gated
// CHECK: arith.mulf %sum, %y
func.func @skipped(%c: i1, %d: i1, %x: f32, %y: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %e = math.exp %x : f32
  %s = math.sin %e : f32
  %q = arith.divf %s, %y : f32
  %gated = arith.select %c, %q, %zero : f32
  %both = arith.andi %c, %d : i1
  %other = arith.mulf %e, %s : f32
  %more = arith.select %both, %other, %zero : f32
  %n = arith.negf %gated : f32
  %sum = arith.addf %gated, %more : f32
  %p = arith.mulf %sum, %y : f32
  func.return %n, %p : f32, f32
}

// CHECK-LABEL: func.func @needed
// CHECK-NOT: scf.if
func.func @needed(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %e = math.exp %x : f32
  %s = math.sin %e : f32
  %q = arith.divf %s, %y : f32
  %gated = arith.select %c, %s, %zero : f32
  func.return %gated, %q : f32, f32
}

// CHECK-LABEL: func.func @little
// CHECK-NOT: scf.if
func.func @little(%c: i1, %x: f32, %y: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %q = arith.mulf %x, %y : f32
  %gated = arith.select %c, %q, %zero : f32
  func.return %gated : f32
}

// CHECK-LABEL: func.func @otherwise
// CHECK-NOT: scf.if
func.func @otherwise(%c: i1, %x: f32, %y: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -0.0 : f32
  %e = math.exp %x : f32
  %s = math.sin %e : f32
  %t = math.sin %s : f32
  %a = arith.select %c, %t, %minus : f32
  %b = arith.select %c, %t, %one : f32
  %q = arith.mulf %a, %b : f32
  func.return %q : f32
}
