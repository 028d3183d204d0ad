// RUN: caustic-opt --version-loops --canonicalize --cse --dce %s | FileCheck %s
// NOTE: Where reads have to look they are a loop that fills an array, if their indices follow each other at one distance, in any order: what they read is taken from there.
!In = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK: scf.if
// CHECK-COUNT-7: agg.buffer_load {{.*}}inside
// CHECK: else
// CHECK: %[[ALL:.*]] = scf.for %[[N:.*]] = %c0 to %c7 step %c1 iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (!agg.array<7, f32>)
// CHECK: %[[FURTHER:.*]] = arith.muli %{{.*}}, %c2_i32
// CHECK: %[[START:.*]] = arith.addi %first, %c4_i32
// CHECK: arith.addi %[[START]], %[[FURTHER]]
// CHECK: %[[READ:.*]] = agg.buffer_load %in
// CHECK: agg.insert %[[READ]], %[[SO_FAR]][%[[N]]]
// CHECK: cold
// CHECK: agg.extract %[[ALL]][] {path = array<i64: 6>}
// CHECK-NOT: agg.buffer_load
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.global_id x
  %id_32 = arith.index_castui %id : index to i32
  %c20_i32 = arith.constant 20 : i32
  %first = arith.muli %id_32, %c20_i32 : i32
  %n0 = arith.constant 6 : i32
  %i0 = arith.addi %first, %n0 : i32
  %at0 = arith.index_castui %i0 : i32 to index
  %v0 = agg.buffer_load %in, %at0[] {path = array<i64>} : (!In, index) -> f32
  %n1 = arith.constant 4 : i32
  %i1 = arith.addi %first, %n1 : i32
  %at1 = arith.index_castui %i1 : i32 to index
  %v1 = agg.buffer_load %in, %at1[] {path = array<i64>} : (!In, index) -> f32
  %s1 = arith.addf %v0, %v1 : f32
  %n2 = arith.constant 8 : i32
  %i2 = arith.addi %first, %n2 : i32
  %at2 = arith.index_castui %i2 : i32 to index
  %v2 = agg.buffer_load %in, %at2[] {path = array<i64>} : (!In, index) -> f32
  %s2 = arith.addf %s1, %v2 : f32
  %n3 = arith.constant 10 : i32
  %i3 = arith.addi %first, %n3 : i32
  %at3 = arith.index_castui %i3 : i32 to index
  %v3 = agg.buffer_load %in, %at3[] {path = array<i64>} : (!In, index) -> f32
  %s3 = arith.addf %s2, %v3 : f32
  %n4 = arith.constant 12 : i32
  %i4 = arith.addi %first, %n4 : i32
  %at4 = arith.index_castui %i4 : i32 to index
  %v4 = agg.buffer_load %in, %at4[] {path = array<i64>} : (!In, index) -> f32
  %s4 = arith.addf %s3, %v4 : f32
  %n5 = arith.constant 14 : i32
  %i5 = arith.addi %first, %n5 : i32
  %at5 = arith.index_castui %i5 : i32 to index
  %v5 = agg.buffer_load %in, %at5[] {path = array<i64>} : (!In, index) -> f32
  %s5 = arith.addf %s4, %v5 : f32
  %n6 = arith.constant 16 : i32
  %i6 = arith.addi %first, %n6 : i32
  %at6 = arith.index_castui %i6 : i32 to index
  %v6 = agg.buffer_load %in, %at6[] {path = array<i64>} : (!In, index) -> f32
  %s6 = arith.addf %s5, %v6 : f32
  agg.buffer_store %s6, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
