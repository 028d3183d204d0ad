// RUN: caustic-opt --verify-roundtrip %s | FileCheck %s
// RUN: caustic-opt --mlir-print-op-generic %s | caustic-opt - | FileCheck %s
// RUN: caustic-opt --mlir-print-debuginfo %s | caustic-opt - | FileCheck %s
// NOTE: Upstream's syntax is read and printed; the generic form and the form with locations mean the same.

!Ray = !agg.struct<"Ray", "self", [["origin", vector<3xf32>, false], ["direction", vector<3xf32>, false]]>

// CHECK: !Ray = !agg.struct<"Ray"
// CHECK-NEXT: module @shapes attributes {made.by = "hand"} {
module @shapes attributes {made.by = "hand"} {
  // CHECK-NEXT: func.func private @outside(f32 {x.name = "a"}, !Ray) -> (f32, !Ray)
  func.func private @outside(f32 {x.name = "a"}, !Ray) -> (f32, !Ray)

  // CHECK-NEXT: func.func @constants() -> (f32, i1, vector<2x2xf32>, i64) {
  func.func @constants() -> (f32, i1, vector<2x2xf32>, i64) {
    // CHECK-NEXT: %cst = arith.constant 0x7F800000 : f32
    %0 = arith.constant 0x7F800000 : f32
    // CHECK-NEXT: %true = arith.constant true
    %1 = arith.constant true
    // CHECK-NEXT: %cst_0 = arith.constant dense<{{\[\[}}1.0, 2.0], [-0.5, 1.0e-10]]> : vector<2x2xf32>
    %2 = arith.constant dense<[[1.0, 2.0], [-5.0e-1, 0.0000000001]]> : vector<2x2xf32>
    // CHECK-NEXT: %c-1_i64 = arith.constant -1 : i64
    %3 = arith.constant 0xFFFFFFFFFFFFFFFF : i64
    // CHECK-NEXT: func.return %cst, %true, %cst_0, %c-1_i64 : f32, i1, vector<2x2xf32>, i64
    return %0, %1, %2, %3 : f32, i1, vector<2x2xf32>, i64
  }

  // CHECK: func.func @control(%n: index, %x: f32, %ray: !Ray) -> (f32, !Ray) {
  func.func @control(%n: index, %x: f32, %ray: !Ray) -> (f32, !Ray) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: %sum, %product = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (f32, f32) {
    %sum, %product = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (f32, f32) {
      // CHECK: %less = arith.cmpf olt, %a, %b : f32
      %less = arith.cmpf olt, %a, %b : f32
      // CHECK-NEXT: %pair:2 = scf.if %less -> (f32, f32) {
      %pair:2 = scf.if %less -> (f32, f32) {
        %t = arith.addf %a, %x : f32
        scf.yield %t, %b : f32, f32
      } else {
        // A name may be used again in another region.
        %t = arith.mulf %a, %x : f32
        scf.yield %t, %a : f32, f32
      }
      // CHECK: scf.yield %pair#0, %pair#1 : f32, f32
      scf.yield %pair#0, %pair#1 : f32, f32
    } {max_iters = 8}
    // CHECK: } {max_iters = 8}
    // CHECK-NEXT: %w = scf.while (%v = %sum) : (f32) -> f32 {
    %w = scf.while (%v = %sum) : (f32) -> f32 {
      %more = arith.cmpf ogt, %v, %product : f32
      scf.condition(%more) %v : f32
    } do {
    // CHECK: ^bb0(%v_{{[0-9]+}}: f32):
    ^bb0(%v: f32):
      scf.yield %v : f32
    }
    // CHECK: %s = scf.index_switch %n -> f32
    // CHECK-NEXT: case 3 {
    %s = scf.index_switch %n -> f32
    case 3 {
      scf.yield %w : f32
    }
    default {
      scf.yield %x : f32
    }
    // CHECK: scf.if %{{.*}} {
    // CHECK-NEXT: func.call @log() : () -> ()
    // CHECK-NEXT: }
    %positive = arith.cmpi sgt, %n, %c0 : index
    scf.if %positive {
      func.call @log() : () -> ()
    }
    // CHECK: %r:2 = func.call @outside(%s, %ray) : (f32, !Ray) -> (f32, !Ray)
    %r:2 = func.call @outside(%s, %ray) : (f32, !Ray) -> (f32, !Ray)
    return %r#0, %r#1 : f32, !Ray
  }

  func.func private @log()

  // CHECK: module @inner {
  // CHECK-NEXT: }
  module @inner {
  }
}
