// RUN: caustic-opt --warp-reduce-atomics %s | FileCheck %s
// NOTE: In groups of whole waves, where nothing around an addition differs between lanes, nobody asks which lanes are there; in a branch by the lane's number they are asked.
!Buffer = !agg.buffer<f32, "rw">
agg.resource @sums attributes {type = !Buffer, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK: scf.for
// CHECK: simt.wave_vote "any"
// CHECK-NOT: simt.wave_ballot
// CHECK: simt.wave_sums %x {complete} : (f32) -> f32
// CHECK-NOT: simt.wave_sums_by_key
// CHECK: scf.if %few
// CHECK: simt.wave_ballot
// CHECK: simt.wave_sums_by_key
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %sums = agg.global @sums : !Buffer
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %thread = gpu.thread_id x
  %few = arith.cmpi ult, %thread, %c9 : index
  %x = arith.constant 1.5 : f32
  scf.for %i = %c0 to %c9 step %c1 {
    %a = agg.atomic_rmw "add" %x, %sums, %c0[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  }
  scf.if %few {
    %b = agg.atomic_rmw "add" %x, %sums, %c1[] {path = array<i64>} : (f32, !Buffer, index) -> f32
  } else {
  }
  func.return
}
