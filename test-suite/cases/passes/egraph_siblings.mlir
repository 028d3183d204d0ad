// A value outside of two loops that equals a sum of what one of them computes: the other's code is not made of it.
// RUN: caustic-opt %s --egraph | FileCheck %s
// CHECK: scf.while
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: scf.yield %[[C0]]
// CHECK: scf.for
// CHECK: %[[NEGATIVE:.*]] = arith.subi
// CHECK: arith.cmpi sgt, %{{.*}}, %[[NEGATIVE]] : index
module {
  func.func @siblings(%n: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = scf.while (%x = %n) : (index) -> (index) {
      %more = arith.cmpi sgt, %x, %c1 : index
      scf.condition(%more) %x : index
    } do {
    ^bb0(%x: index):
      %negative = arith.subi %c0, %x : index
      %sum = arith.addi %x, %negative : index
      scf.yield %sum : index
    }
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%least = %c0) -> (index) {
      %negative = arith.subi %c0, %i : index
      %less = arith.cmpi sgt, %least, %negative : index
      %next = arith.select %less, %negative, %least : index
      scf.yield %next : index
    }
    func.return %a, %b : index, index
  }
}
