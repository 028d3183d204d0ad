// RUN: caustic-opt --warp-reduce-atomics %s | FileCheck %s
// NOTE: Additions to the floats of structs are put together as those to elements that are numbers: all that count floats, and apart from what counts elements. What adds a
// NOTE: zero that is written down goes. A read of an element in between keeps additions to its floats apart.
!Pair = !agg.struct<"Pair", 1, [["a", vector<2xf32>], ["b", f32]]>
!Buffer = !agg.buffer<!Pair, "rw">
!Floats = !agg.buffer<f32, "rw">
agg.resource @sums attributes {type = !Buffer, reflect = {name = "sums", kind = "rw_buffer", type = "Pair"}}

// CHECK-LABEL: func.func @main
// CHECK-NOT: agg.atomic_rmw
// CHECK: simt.wave_vote "any"
// CHECK: simt.wave_sums %x, %y {complete} : (f32, f32) -> f32
// CHECK: simt.wave_vote "any"
// CHECK: simt.wave_sums %y {complete} : (f32) -> f32
// CHECK: {path = array<i64: 1>, gathered}
// CHECK: agg.buffer_load %sums
// CHECK: simt.wave_sums %x {complete} : (f32) -> f32
// CHECK-NOT: simt.wave_sums %
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %sums = agg.global @sums : !Buffer
  %floats = agg.view %sums : !Buffer -> !Floats
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.5 : f32
  %y = arith.constant 2.5 : f32
  %zero = arith.constant 0.0 : f32
  %a = agg.atomic_rmw "add" %x, %floats, %c0[] {path = array<i64>} : (f32, !Floats, index) -> f32
  %b = agg.atomic_rmw "add" %zero, %floats, %c1[] {path = array<i64>} : (f32, !Floats, index) -> f32
  %c = agg.atomic_rmw "add" %y, %floats, %c2[] {path = array<i64>} : (f32, !Floats, index) -> f32
  %d = agg.atomic_rmw "add" %y, %sums, %c2[] {path = array<i64: 1>} : (f32, !Buffer, index) -> f32
  %now = agg.buffer_load %sums, %c0[] {path = array<i64: 1>} : (!Buffer, index) -> f32
  gpu.printf "%f" %now : f32
  %e = agg.atomic_rmw "add" %x, %floats, %c0[] {path = array<i64>} : (f32, !Floats, index) -> f32
  func.return
}
