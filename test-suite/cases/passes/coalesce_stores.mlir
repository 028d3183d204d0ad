// RUN: caustic-opt --coalesce-stores %s | FileCheck %s
// NOTE: Seven words of each thread, stored in any order around what has nothing to do with the buffer, are stored in rows where all lanes are there and
// NOTE: the buffer is long enough. Six words are not, nor a word that is stored twice, nor what is read in between.
!Buffer = !agg.buffer<f32, "rw">
agg.resource @out attributes {type = !Buffer, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @other attributes {type = !Buffer, reflect = {name = "other", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @rows
// CHECK: agg.buffer_store %{{.*}}, %other
// CHECK: %[[LANE:.*]] = gpu.lane_id
// CHECK: agg.buffer_len %{{.*}} :
// CHECK: %[[HERE:.*]] = simt.wave_ballot
// CHECK: %[[ALL:.*]] = arith.cmpi eq, %[[HERE]],
// CHECK: scf.if %[[ALL]] {
// CHECK: %[[ROW:.*]]:7 = simt.wave_transpose %a, %b, %a, %b, %a, %b, %a {complete}
// CHECK: agg.buffer_store %[[ROW]]#0, %out, %{{.*}}[] {path = array<i64>, inside}
// CHECK: agg.buffer_store %[[ROW]]#6, %out, %{{.*}}[] {path = array<i64>, inside}
// CHECK: } else {
// CHECK-COUNT-7: agg.buffer_store %{{[ab]}}, %out, %{{.*}}[] {path = array<i64>} :
// CHECK: }
// CHECK-NEXT: func.return
func.func @rows() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Buffer
  %other = agg.global @other : !Buffer
  %id = gpu.global_id x
  %c7 = arith.constant 7 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %a = arith.constant 1.5 : f32
  %b = arith.constant 2.5 : f32
  %0 = arith.muli %id, %c7 : index
  %1 = arith.addi %0, %c1 : index
  %2 = arith.addi %0, %c2 : index
  %3 = arith.addi %0, %c3 : index
  %4 = arith.addi %0, %c4 : index
  %5 = arith.addi %0, %c5 : index
  %6 = arith.addi %0, %c6 : index
  agg.buffer_store %a, %out, %2[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %0[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %b, %out, %1[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %other, %0[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %b, %out, %3[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %4[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %b, %out, %5[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %6[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT: simt.wave_transpose
func.func @few() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Buffer
  %id = gpu.global_id x
  %c7 = arith.constant 7 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = arith.constant 1.5 : f32
  %0 = arith.muli %id, %c7 : index
  %1 = arith.addi %0, %c1 : index
  %2 = arith.addi %0, %c2 : index
  %3 = arith.addi %0, %c3 : index
  %4 = arith.addi %0, %c4 : index
  %5 = arith.addi %0, %c5 : index
  agg.buffer_store %a, %out, %0[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %1[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %2[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %3[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %4[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %5[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @apart
// CHECK-NOT: simt.wave_transpose
func.func @apart() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Buffer
  %id = gpu.global_id x
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %a = arith.constant 1.5 : f32
  %0 = arith.muli %id, %c8 : index
  %1 = arith.addi %0, %c1 : index
  %2 = arith.addi %0, %c2 : index
  %3 = arith.addi %0, %c3 : index
  %4 = arith.addi %0, %c4 : index
  %5 = arith.addi %0, %c5 : index
  %6 = arith.addi %0, %c6 : index
  agg.buffer_store %a, %out, %0[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %1[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %2[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %3[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  %now = agg.buffer_load %out, %c1[] {path = array<i64>} : (!Buffer, index) -> f32
  agg.buffer_store %now, %out, %4[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %5[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %6[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @twice
// CHECK-NOT: simt.wave_transpose
func.func @twice() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Buffer
  %id = gpu.global_id x
  %c7 = arith.constant 7 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %a = arith.constant 1.5 : f32
  %b = arith.constant 2.5 : f32
  %0 = arith.muli %id, %c7 : index
  %1 = arith.addi %0, %c1 : index
  %2 = arith.addi %0, %c2 : index
  %3 = arith.addi %0, %c3 : index
  %4 = arith.addi %0, %c4 : index
  %5 = arith.addi %0, %c5 : index
  %6 = arith.addi %0, %c6 : index
  agg.buffer_store %a, %out, %0[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %1[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %2[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %3[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %4[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %5[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %a, %out, %6[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  agg.buffer_store %b, %out, %6[] {path = array<i64>} : (f32, !Buffer, index) -> ()
  func.return
}
