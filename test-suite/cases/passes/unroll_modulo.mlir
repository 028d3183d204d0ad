// RUN: caustic-opt --unroll-modulo --canonicalize --dce %s | FileCheck %s
// NOTE: A loop of which every second iteration is another becomes one of pairs. What is left of a number of iterations that is odd follows it; of one that is not known, as a loop.
!Out = !agg.buffer<f32, "rw">
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @count attributes {type = index, reflect = {name = "count", kind = "uniform", type = "u32"}}

// CHECK-LABEL: func.func @main
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: scf.for {{.*}} step %[[TWO]]
// CHECK-NOT: scf.if
// CHECK: arith.addf
// CHECK-NOT: scf.if
// CHECK: arith.mulf
// CHECK-NOT: arith.addf
// CHECK: %[[SIX:.*]] = arith.constant 6 : index
// CHECK: scf.for {{.*}} to %[[SIX]] step
// CHECK-NOT: scf.if
// CHECK: scf.yield
// CHECK: arith.addf
// CHECK: %[[REST:.*]] = arith.remui
// CHECK: %[[END:.*]] = arith.subi {{.*}}, %[[REST]]
// CHECK: scf.for {{.*}} to %[[END]] step
// CHECK-NOT: scf.if
// CHECK: {{%.*}} = scf.for %{{[a-z_0-9]+}} = %[[END]] to %count
// CHECK: scf.if
// CHECK: max_iters = 2
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Out
  %count = agg.global @count : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3.0 : f32
  %two = arith.constant 2.0 : f32
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %a = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %three) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %bit = arith.andi %n, %one : i32
    %even = arith.cmpi eq, %bit, %none : i32
    %y = scf.if %even -> (f32) {
      %s = arith.addf %x, %two : f32
      scf.yield %s : f32
    } else {
      %p = arith.mulf %x, %two : f32
      scf.yield %p : f32
    }
    scf.yield %y : f32
  }
  %b = scf.for %i = %c0 to %c7 step %c1 iter_args(%x = %a) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %bit = arith.andi %n, %one : i32
    %even = arith.cmpi eq, %bit, %none : i32
    %y = scf.if %even -> (f32) {
      %s = arith.addf %x, %two : f32
      scf.yield %s : f32
    } else {
      %p = arith.mulf %x, %two : f32
      scf.yield %p : f32
    }
    scf.yield %y : f32
  }
  %c = scf.for %i = %c0 to %count step %c1 iter_args(%x = %b) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %bit = arith.andi %n, %one : i32
    %even = arith.cmpi eq, %bit, %none : i32
    %y = scf.if %even -> (f32) {
      %s = arith.addf %x, %two : f32
      scf.yield %s : f32
    } else {
      %p = arith.mulf %x, %two : f32
      scf.yield %p : f32
    }
    scf.yield %y : f32
  }
  agg.buffer_store %c, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
