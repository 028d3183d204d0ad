// A branch in a branch that yields what the outer one says something of stays in it, and a value of the code is still there to be chosen.
// RUN: caustic-opt %s --egraph | FileCheck %s
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: scf.if
// CHECK: vector.from_elements %[[SUM]],
module {
  func.func @f(%p17: f64, %p18: f64, %p17_d: f64, %p18_d: f64) -> (f64, f64) {
    %cst = arith.constant 0.0 : f64
    %0 = arith.mulf %p18_d, %p18 : f64
    %1 = arith.mulf %0, %cst : f64
    %p17_d_2 = arith.addf %p17_d, %1 : f64
    %2 = arith.cmpf olt, %p17, %p18 : f64
    %p18_2, %p18_d_2 = scf.if %2 -> (f64, f64) {
      %false = arith.constant false
      %v20, %v20_d = scf.if %false -> (vector<2xf64>, vector<2xf64>) {
        %3 = vector.broadcast %p17 : f64 to vector<2xf64>
        %4 = vector.broadcast %p17_d_2 : f64 to vector<2xf64>
        scf.yield %3, %4 : vector<2xf64>, vector<2xf64>
      } else {
        %cst_0 = arith.constant dense<0.0> : vector<2xf64>
        %5 = vector.from_elements %p17_d_2, %p18_d : vector<2xf64>
        scf.yield %cst_0, %5 : vector<2xf64>, vector<2xf64>
      }
      %c0 = arith.constant 0 : index
      %6 = vector.extract %v20_d[%c0] : f64 from vector<2xf64>
      scf.yield %p18, %p18_d : f64, f64
    } else {
      scf.yield %p18, %p18_d : f64, f64
    }
    func.return %p17, %p17_d_2 : f64, f64
  }
}
