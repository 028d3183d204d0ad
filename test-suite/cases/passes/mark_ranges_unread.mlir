// RUN: caustic-opt --mark-ranges %s | FileCheck %s
// NOTE: Of a zero whose elements a loop replaces one after the other nothing is read.

// CHECK-LABEL: func.func @whole
func.func @whole(%x: f32) -> !agg.array<4, f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = agg.zero : !agg.array<4, f32>
  // CHECK: %[[ZERO:.*]] = agg.zero {unread}
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
  %all = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (!agg.array<4, f32>) {
    %at = arith.index_cast %i : index to i32
    %b = agg.insert %x, %a[%at] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, i32) -> !agg.array<4, f32>
    scf.yield %b : !agg.array<4, f32>
  }
  return %all : !agg.array<4, f32>
}

// NOTE: The last element stays a zero; in the second loop elements are read, in the third only some are replaced, and in the fourth not by the counter.
// CHECK-LABEL: func.func @not
// CHECK-NOT: unread
func.func @not(%x: f32, %often: i1, %one: i32) -> !agg.array<4, f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = agg.zero : !agg.array<4, f32>
  %a0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %zero) -> (!agg.array<4, f32>) {
    %b = agg.insert %x, %a[%i] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
    scf.yield %b : !agg.array<4, f32>
  }
  %a1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (!agg.array<4, f32>) {
    %y = agg.extract %a[%i] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
    %z = arith.addf %x, %y : f32
    %b = agg.insert %z, %a[%i] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
    scf.yield %b : !agg.array<4, f32>
  }
  %a2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (!agg.array<4, f32>) {
    %b = scf.if %often -> (!agg.array<4, f32>) {
      %c = agg.insert %x, %a[%i] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
      scf.yield %c : !agg.array<4, f32>
    } else {
      scf.yield %a : !agg.array<4, f32>
    }
    scf.yield %b : !agg.array<4, f32>
  }
  %a3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (!agg.array<4, f32>) {
    %b = agg.insert %x, %a[%one] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, i32) -> !agg.array<4, f32>
    scf.yield %b : !agg.array<4, f32>
  }
  %s0 = agg.extract %a0[] {path = array<i64: 3>} : (!agg.array<4, f32>) -> f32
  %s1 = agg.insert %s0, %a1[] {path = array<i64: 0>} : (f32, !agg.array<4, f32>) -> !agg.array<4, f32>
  %s2 = agg.extract %a2[] {path = array<i64: 1>} : (!agg.array<4, f32>) -> f32
  %s3 = agg.insert %s2, %s1[] {path = array<i64: 1>} : (f32, !agg.array<4, f32>) -> !agg.array<4, f32>
  %s4 = agg.extract %a3[] {path = array<i64: 2>} : (!agg.array<4, f32>) -> f32
  %s5 = agg.insert %s4, %s3[] {path = array<i64: 2>} : (f32, !agg.array<4, f32>) -> !agg.array<4, f32>
  return %s5 : !agg.array<4, f32>
}
