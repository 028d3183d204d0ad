// RUN: caustic-opt --split-input-file --hoist-atomics --canonicalize %s | FileCheck %s
// NOTE: Additions to one place leave branches that differ between threads, and add zero for threads that do not come; both branches make one. What all threads
// decide alike, places that differ, places that are found in the branch, and additions before a read of their buffer stay.
!In = !agg.buffer<f32, "ro">
!Sums = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @sums attributes {type = !Sums, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @leaves
// CHECK: %[[SUM:.*]] = scf.if
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: scf.yield %[[ZERO]]
// CHECK: agg.atomic_rmw "add" %[[SUM]]
func.func @leaves() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c3 = arith.constant 3 : index
  %guard = arith.cmpi ult, %id, %c3 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  scf.if %guard {
    %p = arith.mulf %own, %own : f32
    %old = agg.atomic_rmw "add" %p, %sums, %c3[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @both
// CHECK: agg.atomic_rmw
// CHECK-NOT: agg.atomic_rmw
func.func @both() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c3 = arith.constant 3 : index
  %guard = arith.cmpi ult, %id, %c3 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  scf.if %guard {
    %p = arith.mulf %own, %own : f32
    %old = agg.atomic_rmw "add" %p, %sums, %c3[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  } else {
    %old = agg.atomic_rmw "add" %own, %sums, %c3[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @stays
// CHECK-COUNT-4: scf.if
// CHECK-NOT: scf.yield %
func.func @stays() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c3 = arith.constant 3 : index
  %guard = arith.cmpi ult, %id, %c3 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  %same = agg.buffer_load %in, %c3[] {path = array<i64>} : (!In, index) -> f32
  %zero = arith.constant 0.0 : f32
  %all = arith.cmpf olt, %same, %zero : f32
  scf.if %all {
    %old = agg.atomic_rmw "add" %own, %sums, %c3[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  scf.if %guard {
    %old = agg.atomic_rmw "add" %own, %sums, %id[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  scf.if %guard {
    %place = arith.addi %c3, %c3 : index
    %other = arith.muli %place, %id : index
    %old = agg.atomic_rmw "add" %own, %sums, %other[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  scf.if %guard {
    %old = agg.atomic_rmw "add" %own, %sums, %c3[] {path = array<i64>} : (f32, !Sums, index) -> f32
    %now = agg.buffer_load %sums, %id[] {path = array<i64>} : (!Sums, index) -> f32
    agg.buffer_store %now, %sums, %id[] {path = array<i64>} : (f32, !Sums, index) -> ()
    scf.yield
  }
  func.return
}

// -----
// NOTE: To a buffer that gets a copy in the memory of the group, lanes with places of their own add together: these leave the branch, too.
!In = !agg.buffer<f32, "ro">
!Sums = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @sums attributes {type = !Sums, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @own
// CHECK: %[[OWN:.*]] = scf.if
// CHECK: agg.atomic_rmw "add" %[[OWN]], %sums, %id
func.func @own() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c3 = arith.constant 3 : index
  %guard = arith.cmpi ult, %id, %c3 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  %all = agg.atomic_rmw "add" %own, %sums, %c3[] {path = array<i64>} : (f32, !Sums, index) -> f32
  scf.if %guard {
    %p = arith.mulf %own, %own : f32
    %old = agg.atomic_rmw "add" %p, %sums, %id[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  func.return
}
