// A branch that is never taken says what is false; that changes no constant elsewhere: the loop still ends after one iteration.
// RUN: caustic-opt %s --egraph | FileCheck %s
// CHECK: scf.while
// CHECK: } do {
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT: scf.yield %[[FALSE]]
// CHECK: } else {
// CHECK: arith.constant true
// CHECK-NEXT: arith.constant false
// CHECK-NEXT: scf.yield {{%[a-z_0-9]+, %[a-z_0-9]+, %true[_0-9]*, %false[_0-9]* :}}
module {
  func.func @dead() -> (f64, f64, i1, i1) {
    %powf = arith.constant 0 : i32
    %f32 = arith.constant 1 : i32
    %true = arith.constant true
    %length = arith.constant 0.5 : f64
    %2 = arith.cmpi ne, %powf, %f32 : i32
    %false = arith.constant false
    %3 = arith.xori %2, %true : i1
    %a, %b, %c, %d = scf.if %2 -> (f64, f64, i1, i1) {
      %cst = arith.constant 0.0 : f64
      %43, %s, %44 = scf.while (%arg0 = %true, %t = %cst, %arg1 = %false) : (i1, f64, i1) -> (i1, f64, i1) {
        scf.condition(%arg0) %arg0, %t, %arg1 : i1, f64, i1
      } do {
      ^bb0(%arg4: i1, %u: f64, %arg5: i1):
        %47 = arith.addf %u, %length : f64
        %false_0 = arith.constant false
        scf.yield %false_0, %47, %arg5 : i1, f64, i1
      }
      scf.yield %s, %s, %false, %false : f64, f64, i1, i1
    } else {
      %z = arith.constant 0.0 : f64
      %48 = arith.cmpf une, %length, %z : f64
      %false_1 = arith.constant false
      scf.yield %length, %z, %48, %false_1 : f64, f64, i1, i1
    }
    func.return %a, %b, %c, %d : f64, f64, i1, i1
  }
}
