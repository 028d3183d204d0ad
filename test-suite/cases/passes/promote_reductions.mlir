// RUN: caustic-opt --promote-reductions --canonicalize %s | FileCheck %s
// NOTE: What a loop adds to a place that all of its iterations share is summed up and added once behind it, of two loops around each other behind the outer one.
// Places that differ, places that are found in the loop, and additions in a loop that reads the buffer stay.
!In = !agg.buffer<f32, "ro">
!Sums = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @sums attributes {type = !Sums, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @leaves
// CHECK: %[[OUTER:.*]] = scf.for
// CHECK: scf.for
// CHECK-COUNT-2: arith.addf
// CHECK: scf.yield
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: agg.atomic_rmw "add" %[[OUTER]]
// CHECK-NOT: agg.atomic_rmw
func.func @leaves() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    scf.for %j = %c0 to %c9 step %c1 {
      %v = agg.buffer_load %in, %j[] {path = array<i64>} : (!In, index) -> f32
      %old = agg.atomic_rmw "add" %v, %sums, %c1[] {path = array<i64>} : (f32, !Sums, index) -> f32
      %p = arith.mulf %v, %v : f32
      %older = agg.atomic_rmw "add" %p, %sums, %c1[] {path = array<i64>} : (f32, !Sums, index) -> f32
      scf.yield
    }
    scf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: agg.atomic_rmw
// CHECK-NOT: scf.yield
func.func @stays() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c9 step %c1 {
    %old = agg.atomic_rmw "add" %one, %sums, %i[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  scf.for %i = %c0 to %c9 step %c1 {
    %v = agg.buffer_load %in, %i[] {path = array<i64>} : (!In, index) -> f32
    %n = arith.fptosi %v : f32 to i32
    %at = arith.index_cast %n : i32 to index
    %old = agg.atomic_rmw "add" %one, %sums, %at[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  scf.for %i = %c0 to %c9 step %c1 {
    %v = agg.buffer_load %sums, %i[] {path = array<i64>} : (!Sums, index) -> f32
    %old = agg.atomic_rmw "add" %v, %sums, %c1[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  func.return
}
