// What the bounds of a loop say of its counter is known in the loop, and there alone.
// RUN: caustic-opt %s --pass-pipeline='any(egraph{class=exact costs=cpu},canonicalize,cse,dce)' | FileCheck %s

// CHECK-LABEL: func.func @small
// CHECK: scf.for
// CHECK-NOT: arith.index_cast %{{.*}} : i32 to index
// CHECK-NOT: arith.cmpi
// CHECK: scf.yield
// The other function's bound is not known: a conversion may lose bits.
// CHECK-LABEL: func.func @any
// CHECK: arith.index_cast %{{.*}} : i32 to index
// CHECK: scf.yield
func.func @small(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %n) -> (index) {
    %narrow = arith.index_cast %i : index to i32
    %wide = arith.index_cast %narrow : i32 to index
    %below = arith.cmpi slt, %wide, %c100 : index
    %t = arith.addi %s, %wide : index
    %u = arith.muli %t, %wide : index
    %next = arith.select %below, %u, %s : index
    scf.yield %next : index
  }
  return %sum : index
}

func.func @any(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %m step %c1 iter_args(%s = %n) -> (index) {
    %narrow = arith.index_cast %i : index to i32
    %wide = arith.index_cast %narrow : i32 to index
    %t = arith.addi %s, %wide : index
    scf.yield %t : index
  }
  return %sum : index
}
