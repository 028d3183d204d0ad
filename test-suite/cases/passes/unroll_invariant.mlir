// RUN: caustic-opt --unroll-invariant --simplify %s | FileCheck %s
// NOTE: The work of a short loop that is the same each time that it runs moves in front of the loop around; a loop that mostly does what differs stays.
!In = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @n attributes {type = index, reflect = {name = "n", kind = "uniform", type = "uint"}}

// CHECK-LABEL: func.func @march
// CHECK-COUNT-3: math.sin
// CHECK: scf.for
// CHECK-NOT: math.sin
func.func @march() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %n = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %step = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %t) -> (f32) {
      %x = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
      %s = math.sin %x : f32
      %next = arith.mulf %u, %s : f32
      scf.yield %next : f32
    }
    scf.yield %r : f32
  }
  agg.buffer_store %sum, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// What reads moves only if the outer loop runs for sure.
// CHECK-LABEL: func.func @may_not_run
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-1: math.sin
// CHECK-NOT: math.sin
func.func @may_not_run() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %n = agg.global @n : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %step = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %t) -> (f32) {
      %x = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
      %s = math.sin %x : f32
      %next = arith.mulf %u, %s : f32
      scf.yield %next : f32
    }
    scf.yield %r : f32
  }
  agg.buffer_store %sum, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @differs
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-1: math.sin
// CHECK-NOT: math.sin
func.func @differs() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %n = agg.global @n : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %step = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %t) -> (f32) {
      %x = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
      %y = arith.mulf %x, %u : f32
      %s = math.sin %y : f32
      %next = arith.mulf %u, %s : f32
      scf.yield %next : f32
    }
    scf.yield %r : f32
  }
  agg.buffer_store %sum, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// A branch that only computes moves with the rest.
// CHECK-LABEL: func.func @branches
// CHECK-COUNT-3: math.sin
// CHECK: scf.for
// CHECK-NOT: math.sin
func.func @branches() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %n = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %step = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %t) -> (f32) {
      %x = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
      %is_zero = arith.cmpf oeq, %x, %zero : f32
      %y = scf.if %is_zero -> (f32) {
        scf.yield %zero : f32
      } else {
        %q = arith.divf %x, %x : f32
        scf.yield %q : f32
      }
      %s = math.sin %y : f32
      %next = arith.mulf %u, %s : f32
      scf.yield %next : f32
    }
    scf.yield %r : f32
  }
  agg.buffer_store %sum, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
