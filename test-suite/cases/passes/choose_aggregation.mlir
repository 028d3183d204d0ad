// RUN: caustic-opt --choose-aggregation=lockstep=true %s | FileCheck %s
// NOTE: Where the target runs waves in step: one addition for a wave with one index, none where indices differ or come from memory that is written.
// RUN: caustic-opt --choose-aggregation %s | FileCheck %s --check-prefix=ALONE
!Buffer = !agg.buffer<f32, "rw">
!Indices = !agg.buffer<index, "rw">
agg.resource @into attributes {type = !Buffer, reflect = {name = "into", kind = "rw_buffer", type = "f32"}}
agg.resource @indices attributes {type = !Indices, reflect = {name = "indices", kind = "rw_buffer", type = "index"}}

// CHECK-LABEL: func.func @main
// CHECK: %together = arith.constant true
// CHECK: %some_lanes = arith.constant true
// CHECK: %own = arith.constant false
// CHECK: %some = arith.constant false
// ALONE-LABEL: func.func @main
// ALONE-NOT: arith.constant true
// ALONE: %some = arith.constant false
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %b = agg.global @into : !Buffer
  %i = agg.global @indices : !Indices
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %group = gpu.block_id x
  %thread = gpu.thread_id x
  scf.for %k = %c0 to %c4 step %c1 {
    %at = arith.addi %group, %k : index
    %together = gpu.aggregation "wave" %b[%at] : (!Buffer, index) -> i1
    gpu.printf "in a loop" %together : i1
    scf.yield
  }
  %first = arith.cmpi eq, %thread, %c0 : index
  scf.if %first {
    %some_lanes = gpu.aggregation "wave" %b[%group] : (!Buffer, index) -> i1
    gpu.printf "not by all" %some_lanes : i1
    scf.yield
  }
  %own = gpu.aggregation "wave" %b[%thread] : (!Buffer, index) -> i1
  gpu.printf "each its own" %own : i1
  %read = agg.buffer_load %i, %group[] {path = array<i64>} : (!Indices, index) -> index
  %some = gpu.aggregation "wave" %b[%read] : (!Buffer, index) -> i1
  gpu.printf "who knows where" %some : i1
  agg.buffer_store %read, %i, %c0[] {path = array<i64>} : (index, !Indices, index) -> ()
  func.return
}
