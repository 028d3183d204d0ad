// RUN: caustic-opt --privatize-atomics %s | FileCheck %s
// NOTE: Floats of structs that a group's threads all add to go through the group's memory, a copy of each float, and at the end to the buffer seen as floats. A buffer
// NOTE: of which an element is read, and one that is added to both by elements and by floats, are added to as before.
!Pair = !agg.struct<"Pair", 1, [["a", vector<2xf32>], ["b", f32]]>
!Buffer = !agg.buffer<!Pair, "rw">
!Floats = !agg.buffer<f32, "rw">
agg.resource @sums attributes {type = !Buffer, reflect = {name = "sums", kind = "rw_buffer", type = "Pair"}}
agg.resource @read attributes {type = !Buffer, reflect = {name = "read", kind = "rw_buffer", type = "Pair"}}
agg.resource @mixed attributes {type = !Buffer, reflect = {name = "mixed", kind = "rw_buffer", type = "Pair"}}

// CHECK-LABEL: func.func @main
// CHECK: scf.for %k =
// CHECK: arith.cmpi ult, %k, %{{.*}} : index
// CHECK: %[[TILE:.*]] = agg.global @sums.tile
// CHECK: agg.atomic_rmw "add" %x, %[[TILE]], %{{.*}}[%k]
// CHECK: } else {
// CHECK: agg.atomic_rmw "add" %x, %sums, %k[]
// CHECK: agg.atomic_rmw "add" %x, %read, %k[]
// CHECK: agg.atomic_rmw "add" %x, %mixed, %k[]
// CHECK: gpu.barrier {memory = "group"}
// CHECK: %[[ALL:.*]] = agg.global @sums :
// CHECK: %[[FLOATS:.*]] = agg.view %[[ALL]]
// CHECK: agg.buffer_len %[[FLOATS]]
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = agg.buffer_load
// CHECK: agg.atomic_rmw "add" %[[SUM]], %[[FLOATS]],
// CHECK: agg.resource @sums.tile attributes {type = !{{.*}}, groupshared}
// CHECK-NOT: .tile
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %wholeSums = agg.global @sums : !Buffer
  %wholeRead = agg.global @read : !Buffer
  %wholeMixed = agg.global @mixed : !Buffer
  %sums = agg.view %wholeSums : !Buffer -> !Floats
  %read = agg.view %wholeRead : !Buffer -> !Floats
  %mixed = agg.view %wholeMixed : !Buffer -> !Floats
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1.5 : f32
  scf.for %k = %c0 to %c4 step %c1 {
    %a = agg.atomic_rmw "add" %x, %sums, %k[] {path = array<i64>} : (f32, !Floats, index) -> f32
    %b = agg.atomic_rmw "add" %x, %read, %k[] {path = array<i64>} : (f32, !Floats, index) -> f32
    %c = agg.atomic_rmw "add" %x, %mixed, %k[] {path = array<i64>} : (f32, !Floats, index) -> f32
    scf.yield
  }
  %d = agg.atomic_rmw "add" %x, %wholeMixed, %c0[] {path = array<i64: 1>} : (f32, !Buffer, index) -> f32
  %now = agg.buffer_load %wholeRead, %c0[] {path = array<i64: 1>} : (!Buffer, index) -> f32
  gpu.printf "%f" %now : f32
  func.return
}
