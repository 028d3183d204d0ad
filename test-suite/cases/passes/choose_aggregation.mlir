// RUN: caustic-opt --choose-aggregation %s | FileCheck %s
// NOTE: An addition is plain where each thread has a place of its own, under the condition that the dispatch has one row; not where a group adds to one place,
// NOTE: nor where the place comes from memory.
!Buffer = !agg.buffer<f32, "rw">
!Indices = !agg.buffer<index, "rw">
agg.resource @into attributes {type = !Buffer, reflect = {name = "into", kind = "rw_buffer", type = "f32"}}
agg.resource @shared attributes {type = !Buffer, reflect = {name = "shared", kind = "rw_buffer", type = "f32"}}
agg.resource @found attributes {type = !Buffer, reflect = {name = "found", kind = "rw_buffer", type = "f32"}}
agg.resource @indices attributes {type = !Indices, reflect = {name = "indices", kind = "rw_buffer", type = "index"}}

// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[ROWS:.*]] = gpu.grid_dim y
// CHECK: arith.cmpi
// CHECK: gpu.printf "each its own" %[[OWN:.*]] : i1
// CHECK: %together = arith.constant false
// CHECK: %some = arith.constant false
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %b = agg.global @into : !Buffer
  %s = agg.global @shared : !Buffer
  %f = agg.global @found : !Buffer
  %i = agg.global @indices : !Indices
  %c0 = arith.constant 0 : index
  %group = gpu.block_id x
  %thread = gpu.global_id x
  %own = simt.aggregation "exclusive" %b[%thread] : (!Buffer, index) -> i1
  gpu.printf "each its own" %own : i1
  %together = simt.aggregation "exclusive" %s[%group] : (!Buffer, index) -> i1
  gpu.printf "one for a group" %together : i1
  %read = agg.buffer_load %i, %group[] {path = array<i64>} : (!Indices, index) -> index
  %some = simt.aggregation "exclusive" %f[%read] : (!Buffer, index) -> i1
  gpu.printf "who knows where" %some : i1
  agg.buffer_store %read, %i, %c0[] {path = array<i64>} : (index, !Indices, index) -> ()
  func.return
}
