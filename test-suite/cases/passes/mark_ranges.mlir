// RUN: caustic-opt --mark-ranges %s | FileCheck %s
// NOTE: Accesses that are inside for sure need no check; loops that never run often are not worth several iterations at once.

// NOTE: A counter that walks through the upper triangle of a matrix, by as much as a row is long.
// CHECK-LABEL: func.func @triangle
func.func @triangle(%a: !agg.array<45, f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %sum, %end = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %zero, %at = %c0) -> (f32, index) {
    %row = arith.subi %c9, %i : index
    %next = arith.addi %at, %row : index
    // CHECK: scf.for
    // CHECK: scf.for
    // CHECK: agg.extract {{.*}}inside
    // CHECK: few
    %t = scf.for %j = %c0 to %row step %c1 iter_args(%u = %s) -> (f32) {
      %k = arith.addi %at, %j : index
      %x = agg.extract %a[%k] {path = array<i64: -1>} : (!agg.array<45, f32>, index) -> f32
      %v = arith.addf %u, %x : f32
      scf.yield %v : f32
    }
    scf.yield %t, %next : f32, index
  }
  return %sum : f32
}

// NOTE: One element too few.
// CHECK-LABEL: func.func @short
func.func @short(%a: !agg.array<44, f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %sum, %end = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %zero, %at = %c0) -> (f32, index) {
    %row = arith.subi %c9, %i : index
    %next = arith.addi %at, %row : index
    // CHECK: agg.extract
    // CHECK-NOT: inside
    // CHECK: return
    %t = scf.for %j = %c0 to %row step %c1 iter_args(%u = %s) -> (f32) {
      %k = arith.addi %at, %j : index
      %x = agg.extract %a[%k] {path = array<i64: -1>} : (!agg.array<44, f32>, index) -> f32
      %v = arith.addf %u, %x : f32
      scf.yield %v : f32
    }
    scf.yield %t, %next : f32, index
  }
  return %sum : f32
}

// NOTE: What was stored in every element of an array lies where all that was stored lies; an index that may be outside reads a zero.
// CHECK-LABEL: func.func @stored
func.func @stored(%a: !agg.array<16, f32>, %p: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %empty = agg.zero : !agg.array<4, index>
  %kept = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %empty) -> (!agg.array<4, index>) {
    %x = arith.addi %i, %c6 : index
    %l = agg.insert %x, %k[%i] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
    scf.yield %l : !agg.array<4, index>
  }
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) {
    %x = agg.extract %kept[%i] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
    %y = arith.subi %x, %c6 : index
    // CHECK: agg.extract %a{{.*}}inside
    %z = agg.extract %a[%y] {path = array<i64: -1>} : (!agg.array<16, f32>, index) -> f32
    %t = arith.addf %s, %z : f32
    scf.yield %t : f32
  }
  %x = agg.extract %kept[%p] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
  %y = arith.subi %x, %c6 : index
  // CHECK: agg.extract %a
  // CHECK-NOT: inside
  // CHECK: return
  %z = agg.extract %a[%y] {path = array<i64: -1>} : (!agg.array<16, f32>, index) -> f32
  return %r, %z : f32, f32
}
