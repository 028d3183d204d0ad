// RUN: caustic-opt --coarsen --cse --dce %s | FileCheck %s
// NOTE: Of threads that divide by one number, a loop's counter, four become one, which computes what it needs of that number once; behind an early return too, where none of them returns.
// A loop whose work is each thread's own is left alone, and so is one that each thread leaves when it likes.
!In = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @series
// CHECK-SAME: numthreads = array<i64: 32, 1, 1>, covers = array<i64: 128, 1, 1>
// CHECK: scf.for
// CHECK-COUNT-1: arith.index_cast
// CHECK: arith.sitofp
// CHECK-NOT: arith.sitofp
// CHECK-COUNT-4: arith.divf
func.func @series() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %own) -> (f32) {
    %i = arith.index_cast %k : index to i32
    %f = arith.sitofp %i : i32 to f32
    %q = arith.divf %own, %f : f32
    %t = arith.addf %s, %q : f32
    scf.yield %t : f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @returns
// CHECK-SAME: numthreads = array<i64: 32, 1, 1>, covers = array<i64: 128, 1, 1>
// CHECK-COUNT-4: arith.cmpi uge
// CHECK-COUNT-3: arith.ori
// CHECK: scf.if
// CHECK-COUNT-4: scf.for
// CHECK: } else {
// CHECK: scf.for
// CHECK-COUNT-4: arith.divf
// CHECK-NOT: scf.for
func.func @returns() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  %outside = arith.cmpi uge, %id, %c1000 : index
  scf.if %outside {
    scf.yield
  } else {
    %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
    %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %own) -> (f32) {
      %v = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
      %q = arith.divf %own, %v : f32
      %t = arith.addf %s, %q : f32
      scf.yield %t : f32
    }
    agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
    scf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @own
// CHECK-SAME: numthreads = array<i64: 128, 1, 1>}
func.func @own() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %own) -> (f32) {
    %q = arith.divf %own, %s : f32
    %t = math.sin %q : f32
    scf.yield %t : f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @leaves
// CHECK-SAME: numthreads = array<i64: 128, 1, 1>}
func.func @leaves() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 100.0 : f32
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  %r:2 = scf.while (%k = %c0, %s = %own) : (index, f32) -> (index, f32) {
    %more = arith.cmpf olt, %s, %limit : f32
    scf.condition(%more) %k, %s : index, f32
  } do {
  ^bb0(%k: index, %s: f32):
    %v = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
    %q = arith.divf %own, %v : f32
    %t = arith.addf %s, %q : f32
    %next = arith.addi %k, %c1 : index
    scf.yield %next, %t : index, f32
  }
  agg.buffer_store %r#1, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
