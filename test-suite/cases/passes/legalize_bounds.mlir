// RUN: caustic-opt --legalize-bounds %s | FileCheck %s
// NOTE: What only reads a value is read at index 0 and chosen, a buffer is read and written in a branch. A number that is inside needs no check.
!Out = !agg.buffer<f32, "rw">
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @f
// CHECK: %[[IN:.*]] = arith.cmpi ult, %n, %{{.*}} : i32
// CHECK: %[[AT:.*]] = arith.select %[[IN]], %n, %{{.*}} : i32
// CHECK: %[[INDEX:.*]] = arith.index_castui %[[AT]] : i32 to index
// CHECK: vector.extract %v[%[[INDEX]]] {inside}
// CHECK: %[[X:.*]] = arith.select %[[IN]]
// CHECK: %[[LENGTH:.*]] = agg.buffer_len %out
// CHECK: %[[CUT:.*]] = arith.index_castui %[[LENGTH]] : index to i32
// CHECK: %[[FITS:.*]] = arith.cmpi ult, %n, %[[CUT]] : i32
// CHECK: scf.if %[[FITS]] -> (f32) {
// CHECK-NEXT: agg.buffer_load %out, %i[] {path = array<i64>, inside}
// CHECK: } else {
// CHECK: agg.zero : f32
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: agg.buffer_store %[[X]], %out, %i[] {path = array<i64>, inside}
func.func @f(%v: vector<3xf32>, %n: i32) -> (f32, f32) {
  %out = agg.global @out : !Out
  %i = arith.index_cast %n : i32 to index
  %x = vector.extract %v[%i] : f32 from vector<3xf32>
  %y = agg.buffer_load %out, %i[] {path = array<i64>} : (!Out, index) -> f32
  agg.buffer_store %x, %out, %i[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return %x, %y : f32, f32
}
