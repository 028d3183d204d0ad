// RUN: caustic-opt --pass-pipeline='builtin.module(version-loops{together=true})' %s | FileCheck %s
// NOTE: For threads that run as one, reads at places of their own look for themselves. A loop that counts back to zero has a greatest index too: 15 - 0 + 1.
!Buffer = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @near attributes {type = !Buffer, reflect = {name = "near", kind = "buffer", type = "f32"}}
agg.resource @row attributes {type = !Buffer, reflect = {name = "row", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK-NOT: scf.if
// CHECK: agg.buffer_load %near, %at[] {path = array<i64>} :
// CHECK: agg.buffer_load %near, %next[] {path = array<i64>} :
// CHECK: %[[MOST:.*]] = arith.constant 16 : index
// CHECK: %[[FITS:.*]] = arith.cmpi ult, %[[MOST]],
// CHECK: scf.if %[[FITS]]
// CHECK: agg.buffer_load %row, %{{.*}} {path = array<i64>, inside}
// CHECK: } else {
// CHECK: agg.buffer_load %row, %{{.*}} {path = array<i64>} :
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %near = agg.global @near : !Buffer
  %row = agg.global @row : !Buffer
  %out = agg.global @out : !Out
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %thread = gpu.global_id x
  %me = arith.index_castui %thread : index to i32
  %more = arith.addi %me, %c2_i32 : i32
  %at = arith.index_castui %me : i32 to index
  %a = agg.buffer_load %near, %at[] {path = array<i64>} : (!Buffer, index) -> f32
  %next = arith.index_castui %more : i32 to index
  %b = agg.buffer_load %near, %next[] {path = array<i64>} : (!Buffer, index) -> f32
  %ab = arith.addf %a, %b : f32
  %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %ab) -> (f32) {
    %back = arith.subi %c15, %k : index
    %i = arith.index_cast %back : index to i32
    %plus = arith.addi %i, %c1_i32 : i32
    %to = arith.index_cast %plus : i32 to index
    %x = agg.buffer_load %row, %to[] {path = array<i64>} : (!Buffer, index) -> f32
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  agg.buffer_store %sum, %out, %at[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
