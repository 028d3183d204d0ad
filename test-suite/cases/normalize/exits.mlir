// RUN: caustic-opt --normalize-exits %s | FileCheck %s
// NOTE: Early exits become flags and branches; a flag appears only where a branch alone does not do.

// CHECK-LABEL: hl.func @early_return
hl.func @early_return(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi slt, %n, %zero : i32
  hl.if %c : (i1) -> () {
    hl.return %zero : i32
  } {
    hl.yield
  }
  %d = arith.addi %n, %n : i32
  hl.return %d : i32
}
// CHECK: %result = hl.var
// CHECK-NOT: i1>
// CHECK: hl.if
// CHECK-NEXT: hl.store %zero, %result
// CHECK-NEXT: hl.yield
// CHECK-NEXT: } {
// CHECK-NEXT: arith.addi
// CHECK-NEXT: hl.store %{{.*}}, %result
// CHECK-NEXT: hl.yield
// CHECK: %[[R:.*]] = hl.load %result
// CHECK-NEXT: hl.return %[[R]] : i32

// CHECK-LABEL: hl.func @return_in_loops
hl.func @return_in_loops(%c: i1) {
  %true = arith.constant true
  hl.loop {test_first = true} {
    hl.condition %true
  } {
    hl.loop {test_first = true} {
      hl.condition %true
    } {
      hl.if %c : (i1) -> () {
        hl.return
      } {
        hl.yield
      }
      gpu.printf "inner" %c : i1
      hl.yield
    } {
      gpu.printf "step" %c : i1
      hl.yield
    }
    gpu.printf "outer" %c : i1
    hl.yield
  } {
    hl.yield
  }
  gpu.printf "end" %c : i1
  hl.return
}
// CHECK: %returned = hl.var
// CHECK: %stop = hl.var
// CHECK: hl.loop
// CHECK: %[[S:.*]] = hl.load %stop
// CHECK: arith.xori %[[S]]
// CHECK: %[[INNER:stop_.*]] = hl.var
// CHECK: hl.if %c
// CHECK-DAG: hl.store %{{.*}}, %[[INNER]]
// CHECK-DAG: hl.store %{{.*}}, %stop
// CHECK-DAG: hl.store %{{.*}}, %returned
// CHECK: "inner"
// CHECK: hl.load %[[INNER]]
// CHECK: "step"
// CHECK: hl.load %stop
// CHECK: "outer"
// CHECK: hl.load %returned
// CHECK: "end"
// CHECK: hl.return
// CHECK-NOT: hl.return
