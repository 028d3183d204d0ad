// RUN: caustic-opt --warp-aggregate-atomics %s | FileCheck %s
// NOTE: Lanes with the same place add together: places that differ by constants share one op, one of another base has its own. An addition to one place for all
// NOTE: lanes, places that follow the threads' numbers, and integers stay.
!In = !agg.buffer<f32, "ro">
!Buffer = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @sums attributes {type = !Buffer, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}
agg.resource @counts attributes {type = !agg.buffer<i32, "rw">, reflect = {name = "counts", kind = "rw_buffer", type = "i32"}}

// CHECK-LABEL: func.func @main
// CHECK: agg.atomic_rmw "add" %x, %sums, %c1[] {path = array<i64>}
// CHECK: agg.atomic_rmw "add" %x, %sums, %id
// CHECK: agg.atomic_rmw "add" %n, %counts, %p
// CHECK: simt.wave_vote "any" %[[TAKES:.*]]
// CHECK: %[[OF:.*]]:3 = simt.wave_sums_by_key %[[TAKES]], %at, %x, %y : (i1, i32, f32, f32) -> (i1, f32, f32)
// CHECK: scf.if %[[OF]]#0 {
// CHECK: agg.atomic_rmw "add" %[[OF]]#1, %sums, %p
// CHECK: agg.atomic_rmw "add" %[[OF]]#2, %sums, %q
// CHECK: simt.wave_sums_by_key %{{.*}}, %other, %y : (i1, index, f32) -> (i1, f32)
// CHECK: agg.atomic_rmw "add" %{{.*}}, %sums, %other
// CHECK-NOT: simt.wave_sums_by_key
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Buffer
  %counts = agg.global @counts : !agg.buffer<i32, "rw">
  %id = gpu.global_id x
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %n = arith.index_cast %id : index to i32
  %at = arith.remui %n, %three : i32
  %next = arith.addi %at, %one : i32
  %p = arith.index_castui %at : i32 to index
  %q = arith.index_castui %next : i32 to index
  %other = arith.muli %id, %id : index
  %x = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  %y = arith.mulf %x, %x : f32
  %o1 = agg.atomic_rmw "add" %x, %sums, %c1[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %o2 = agg.atomic_rmw "add" %x, %sums, %p[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %o0 = agg.atomic_rmw "add" %x, %sums, %id[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %o3 = agg.atomic_rmw "add" %n, %counts, %p[] {path = array<i64>} : (i32, !agg.buffer<i32, "rw">, index) -> i32
  %o4 = agg.atomic_rmw "add" %y, %sums, %q[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %o5 = agg.atomic_rmw "add" %y, %sums, %other[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  func.return
}
