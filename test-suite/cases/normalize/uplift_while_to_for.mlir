// RUN: caustic-opt --uplift-while-to-for --dce %s | FileCheck %s
// NOTE: Loops that count become scf.for; the counter is computed from the index.

// CHECK-LABEL: func.func @down
func.func @down(%n: i32, %x: f32) -> (f32, i32) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %r:2 = scf.while (%i = %n, %a = %x) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%c) %i, %a : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    %b = arith.mulf %a, %x : f32
    %j = arith.subi %i, %c2 : i32
    scf.yield %j, %b : i32, f32
  }
  return %r#1, %r#0 : f32, i32
}
// CHECK-NOT: scf.while
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %x) -> (f32)
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: scf.yield
// NOTE: The counter's last value.
// CHECK: arith.muli
// CHECK: arith.addi %n

// CHECK-LABEL: func.func @endless
func.func @endless(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %x) : (i32) -> i32 {
    %c = arith.cmpi uge, %i, %c0 : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.muli %i, %c1 : i32
    scf.yield %j : i32
  }
  return %r : i32
}
// CHECK: scf.while

// NOTE: A condition that reads memory is carried: it is asked before the loop and at the end of each iteration.
// CHECK-LABEL: func.func @carried
func.func @carried(%n: i32, %x: f32) -> (f32, i1, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.cmpi sgt, %n, %c0 : i32
  %r:3 = scf.while (%go = %first, %i = %c0, %a = %x) : (i1, i32, f32) -> (i1, i32, f32) {
    scf.condition(%go) %go, %i, %a : i1, i32, f32
  } do {
  ^bb0(%go: i1, %i: i32, %a: f32):
    %b = arith.mulf %a, %x : f32
    %j = arith.addi %i, %c1 : i32
    %again = arith.cmpi slt, %j, %n : i32
    scf.yield %again, %j, %b : i1, i32, f32
  }
  return %r#2, %r#0, %r#1 : f32, i1, i32
}
// CHECK: arith.maxsi
// CHECK-NOT: scf.while
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %x) -> (f32)
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: scf.yield

// NOTE: Not where it starts as something else.
// CHECK-LABEL: func.func @otherwise
func.func @otherwise(%n: i32, %m: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.cmpi sgt, %m, %c0 : i32
  %r:3 = scf.while (%go = %first, %i = %c0, %a = %x) : (i1, i32, f32) -> (i1, i32, f32) {
    scf.condition(%go) %go, %i, %a : i1, i32, f32
  } do {
  ^bb0(%go: i1, %i: i32, %a: f32):
    %b = arith.mulf %a, %x : f32
    %j = arith.addi %i, %c1 : i32
    %again = arith.cmpi slt, %j, %n : i32
    scf.yield %again, %j, %b : i1, i32, f32
  }
  return %r#2 : f32
}
// CHECK: scf.while
