// RUN: caustic-opt --unnest-branches='most=4' %s | FileCheck %s
// RUN: caustic-opt --unnest-branches %s | FileCheck %s --check-prefix=NONE
// NOTE: A branch inside of too many runs behind them; what stands behind it in each of them runs after that, where control came there.

// CHECK-LABEL: func.func @f
// CHECK: %here_2, %[[X:[0-9]+]], {{.*}} = scf.if %a
// CHECK: scf.if %d
// CHECK: %[[DEEP:[0-9]+]] = scf.if %[[HERE:here_[0-9]+]] -> (i32) {
// CHECK-NEXT: scf.if %e
// CHECK: arith.addi %[[X]], %x : i32
// CHECK: scf.if %here ->
// CHECK: scf.if %[[HERE]] ->
// CHECK-NEXT: arith.muli %[[DEEP]], %[[X]] : i32
// NONE: scf.if %e
func.func @f(%a: i1, %b: i1, %c: i1, %d: i1, %e: i1, %x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %0 = scf.if %a -> (i32) {
    %1 = arith.muli %x, %x : i32
    %2 = scf.if %b -> (i32) {
      %3 = scf.if %c -> (i32) {
        %4 = scf.if %d -> (i32) {
          %5 = scf.if %e -> (i32) {
            %6 = arith.addi %1, %x : i32
            scf.yield %6 : i32
          } else {
            scf.yield %one : i32
          }
          %7 = arith.muli %5, %1 : i32
          scf.yield %7 : i32
        } else {
          scf.yield %x : i32
        }
        scf.yield %4 : i32
      } else {
        scf.yield %x : i32
      }
      scf.yield %3 : i32
    } else {
      scf.yield %x : i32
    }
    %8 = arith.addi %2, %1 : i32
    scf.yield %8 : i32
  } else {
    scf.yield %one : i32
  }
  func.return %0 : i32
}
