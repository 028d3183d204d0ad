// RUN: caustic-opt --warp-reduce-atomics %s | FileCheck %s
// NOTE: What stands beside each other and goes to one place for all lanes is added by one op, past what has nothing to do with the buffer. What is read
// NOTE: in between, or whose old value somebody wants, or that goes to a place of each lane's own, is added as before. The second wave has 16 lanes only,
// NOTE: so that waves are asked whether they are whole.
!Buffer = !agg.buffer<f32, "rw">
agg.resource @sums attributes {type = !Buffer, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}
agg.resource @read attributes {type = !Buffer, reflect = {name = "read", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK: %[[W:.*]] = agg.atomic_rmw "add" %x, %sums, %c1[] {path = array<i64>}
// CHECK: agg.buffer_store %[[W]], %read
// CHECK: simt.wave_vote "any"
// CHECK: %[[ALL:.*]] = simt.wave_ballot
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[ALL]],
// CHECK: scf.if %[[WHOLE]] {
// CHECK: %[[SUM:.*]] = simt.wave_sums %x, %y, %x {complete} : (f32, f32, f32) -> f32
// CHECK: agg.atomic_rmw "add" %[[SUM]], %sums, %{{.*}}[] {path = array<i64>, gathered}
// CHECK: } else {
// CHECK: %[[HERE:.*]]:4 = simt.wave_sums_by_key %{{.*}}, %{{.*}}, %x, %y, %x : (i1, i32, f32, f32, f32) -> (i1, f32, f32, f32)
// CHECK: scf.if %[[HERE]]#0 {
// CHECK: agg.atomic_rmw "add" %[[HERE]]#1, %sums, %c0[] {path = array<i64>, gathered}
// CHECK: agg.atomic_rmw "add" %x, %sums, %thread[] {path = array<i64>}
// CHECK: simt.wave_sums %x {complete} : (f32) -> f32
// CHECK: agg.buffer_load %read
// CHECK: simt.wave_sums %y {complete} : (f32) -> f32
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 48, 1, 1>}} {
  %sums = agg.global @sums : !Buffer
  %read = agg.global @read : !Buffer
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %thread = gpu.thread_id x
  %x = arith.constant 1.5 : f32
  %y = arith.constant 2.5 : f32
  %wanted = agg.atomic_rmw "add" %x, %sums, %c1[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %a = agg.atomic_rmw "add" %x, %sums, %c0[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %b = agg.atomic_rmw "add" %y, %sums, %c1[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  agg.buffer_store %wanted, %read, %thread[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  %c = agg.atomic_rmw "add" %x, %sums, %c2[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %d = agg.atomic_rmw "add" %x, %sums, %thread[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %e = agg.atomic_rmw "add" %x, %read, %c0[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  %now = agg.buffer_load %read, %c0[] {path = array<i64>} : (!Buffer, index) -> f32
  gpu.printf "%f" %now : f32
  %f = agg.atomic_rmw "add" %y, %read, %c0[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  func.return
}
