// RUN: caustic-opt --privatize-atomics %s | FileCheck %s
// NOTE: Additions to a buffer that a group's threads all make to one element go through the group's memory, and to the buffer when it ends. A buffer that is read too,
// one whose sums somebody wants, and one in which each thread has an element of its own are added to as before.
!Buffer = !agg.buffer<f32, "rw">
agg.resource @sums attributes {type = !Buffer, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}
agg.resource @read attributes {type = !Buffer, reflect = {name = "read", kind = "rw_buffer", type = "f32"}}
agg.resource @wanted attributes {type = !Buffer, reflect = {name = "wanted", kind = "rw_buffer", type = "f32"}}
agg.resource @own attributes {type = !Buffer, reflect = {name = "own", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK: scf.for %k =
// CHECK: %[[IN:.*]] = arith.cmpi ult, %k, %{{.*}} : index
// CHECK: scf.if %[[IN]] {
// CHECK: %[[TILE:.*]] = agg.global @sums.tile
// CHECK: agg.atomic_rmw "add" %x, %[[TILE]], %{{.*}}[%k]
// CHECK: } else {
// CHECK: agg.atomic_rmw "add" %x, %sums, %k[]
// CHECK: agg.atomic_rmw "add" %x, %read, %k[]
// CHECK: %old = agg.atomic_rmw "add" %x, %wanted, %k[]
// CHECK: agg.atomic_rmw "add" %x, %own, %thread[]
// CHECK: gpu.barrier {memory = "group"}
// CHECK-NOT: .tile
// CHECK: agg.global @sums.tile
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = agg.buffer_load
// CHECK: arith.cmpf une, %[[SUM]]
// CHECK: agg.atomic_rmw "add" %[[SUM]],
// CHECK: agg.resource @sums.tile attributes {type = !{{.*}}, groupshared}
// CHECK-NOT: .tile
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %sums = agg.global @sums : !Buffer
  %read = agg.global @read : !Buffer
  %wanted = agg.global @wanted : !Buffer
  %own = agg.global @own : !Buffer
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %thread = gpu.thread_id x
  %x = arith.constant 1.5 : f32
  scf.for %k = %c0 to %c4 step %c1 {
    %a = agg.atomic_rmw "add" %x, %sums, %k[] {path = array<i64>} : (f32, !Buffer, index) -> f32
    %b = agg.atomic_rmw "add" %x, %read, %k[] {path = array<i64>} : (f32, !Buffer, index) -> f32
    %old = agg.atomic_rmw "add" %x, %wanted, %k[] {path = array<i64>} : (f32, !Buffer, index) -> f32
    gpu.printf "%f" %old : f32
    %c = agg.atomic_rmw "add" %x, %own, %thread[] {path = array<i64>} : (f32, !Buffer, index) -> f32
    scf.yield
  }
  %now = agg.buffer_load %read, %c0[] {path = array<i64>} : (!Buffer, index) -> f32
  gpu.printf "%f" %now : f32
  func.return
}
