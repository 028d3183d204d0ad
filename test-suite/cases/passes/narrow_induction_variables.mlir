// RUN: caustic-opt --narrow-induction-variables %s | FileCheck %s
// NOTE: A loop up to an `i32` counts in 32 bits, and its counter is an index where one is asked for. Loops with constant bounds, those up to a number that may be larger, and
// those that may count on past the greatest integer stay.
!Out = !agg.buffer<f32, "rw">
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @n attributes {type = i32, reflect = {name = "n", kind = "uniform", type = "int"}}
agg.resource @m attributes {type = i64, reflect = {name = "m", kind = "uniform", type = "int64_t"}}

// CHECK-LABEL: func.func @main
// CHECK: %[[TO:.*]] = arith.index_cast %to : index to i32
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[TO]] step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32) : i32 {
// CHECK-NEXT: arith.index_castui %[[I]] : i32 to index
// CHECK: scf.for {{.*}} -> (f32) {
// CHECK: scf.for {{.*}} -> (f32) {
// CHECK: scf.for {{.*}} -> (f32) {
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Out
  %n = agg.global @n : i32
  %m = agg.global @m : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i32
  %x = arith.constant 0.0 : f32
  %more = arith.maxsi %n, %zero : i32
  %to = arith.index_cast %more : i32 to index
  %far = arith.index_cast %m : i64 to index
  %a = scf.for %i = %c0 to %to step %c1 iter_args(%s = %x) -> (f32) {
    %v = agg.buffer_load %out, %i[] {path = array<i64>} : (!Out, index) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  %b = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %a) -> (f32) {
    %v = agg.buffer_load %out, %i[] {path = array<i64>} : (!Out, index) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  %c = scf.for %i = %c0 to %far step %c1 iter_args(%s = %b) -> (f32) {
    %v = agg.buffer_load %out, %i[] {path = array<i64>} : (!Out, index) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  %d = scf.for %i = %c0 to %to step %c2 iter_args(%s = %c) -> (f32) {
    %v = agg.buffer_load %out, %i[] {path = array<i64>} : (!Out, index) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  agg.buffer_store %d, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
