// RUN: caustic-opt --legalize-64bit --canonicalize --cse --dce %s | FileCheck %s
// NOTE: A loop up to an `i32` counts in 32 bits, the comparison of its trip count is one of 32 bits, and so is the index. What may be larger stays.
!Out = !agg.buffer<f32, "rw">
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @f
// CHECK: %[[TO:.*]] = arith.maxsi %n, %{{.*}} : i32
// CHECK: arith.cmpi sgt, %[[TO]], %{{.*}} : i32
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[TO]] step %{{.*}} : i32 {
// CHECK: %[[AT:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK: agg.buffer_store %x, %out, %[[AT]][]
// CHECK: scf.for %{{.*}} = %{{.*}} to %m step %{{.*}} : i64 {
// CHECK: arith.cmpi slt, %m, %{{.*}} : i64
func.func @f(%n: i32, %m: i64, %x: f32) -> (i1, i1) {
  %out = agg.global @out : !Out
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %wide = arith.extsi %n : i32 to i64
  %more = arith.maxsi %wide, %zero : i64
  %to = arith.index_cast %more : i64 to index
  %any = arith.cmpi sgt, %to, %c0 : index
  scf.for %i = %c0 to %to step %c1 {
    agg.buffer_store %x, %out, %i[] {path = array<i64>} : (f32, !Out, index) -> ()
    scf.yield
  }
  scf.for %j = %zero to %m step %one : i64 {
    %k = arith.index_cast %j : i64 to index
    agg.buffer_store %x, %out, %k[] {path = array<i64>} : (f32, !Out, index) -> ()
    scf.yield
  }
  %below = arith.cmpi slt, %m, %one : i64
  func.return %any, %below : i1, i1
}
