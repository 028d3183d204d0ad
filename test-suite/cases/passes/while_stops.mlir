// RUN: caustic-opt --canonicalize %s | FileCheck %s

// NOTE: In the body of a loop its condition holds; what only the condition asks of need not be right once another reason ends the loop.
// CHECK-LABEL: func.func @stops
func.func @stops(%x: f32, %n: i32) -> f32 {
  // CHECK: scf.condition
  // CHECK: %large = arith.cmpf ogt
  // CHECK-NOT: scf.if
  // CHECK: arith.addi
  // CHECK-NEXT: scf.yield {{.*}} %large : f32, i32, i1
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %limit = arith.constant 8.0 : f32
  %r:3 = scf.while (%s = %x, %i = %zero, %stop = %false) : (f32, i32, i1) -> (f32, i32, i1) {
    %less = arith.cmpi slt, %i, %n : i32
    %go = arith.xori %stop, %true : i1
    %both = arith.andi %less, %go : i1
    scf.condition(%both) %s, %i, %stop : f32, i32, i1
  } do {
  ^bb0(%s: f32, %i: i32, %stop: i1):
    %t = arith.mulf %s, %s : f32
    %large = arith.cmpf ogt, %t, %limit : f32
    %stopped = arith.select %large, %true, %stop : i1
    %next = scf.if %stopped -> (i32) {
      scf.yield %i : i32
    } else {
      %more = arith.addi %i, %one : i32
      scf.yield %more : i32
    }
    scf.yield %t, %next, %stopped : f32, i32, i1
  }
  return %r#0 : f32
}

// NOTE: A counter that is asked for after the loop stays what it is.
// CHECK-LABEL: func.func @counts
func.func @counts(%x: f32, %n: i32) -> i32 {
  // CHECK: arith.select %large, %i_0, %more : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %limit = arith.constant 8.0 : f32
  %r:3 = scf.while (%s = %x, %i = %zero, %stop = %false) : (f32, i32, i1) -> (f32, i32, i1) {
    %less = arith.cmpi slt, %i, %n : i32
    %go = arith.xori %stop, %true : i1
    %both = arith.andi %less, %go : i1
    scf.condition(%both) %s, %i, %stop : f32, i32, i1
  } do {
  ^bb0(%s: f32, %i: i32, %stop: i1):
    %t = arith.mulf %s, %s : f32
    %large = arith.cmpf ogt, %t, %limit : f32
    %more = arith.addi %i, %one : i32
    %next = arith.select %large, %i, %more : i1, i32
    scf.yield %t, %next, %large : f32, i32, i1
  }
  return %r#1 : i32
}
