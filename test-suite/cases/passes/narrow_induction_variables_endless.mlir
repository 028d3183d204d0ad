// RUN: caustic-opt --narrow-induction-variables %s | FileCheck %s
// NOTE: Where a choice says that a loop never ends, a loop that goes on for ever stands for it; without results there would be nothing to keep that one.
!Out = !agg.buffer<f32, "rw">
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @n attributes {type = i32, reflect = {name = "n", kind = "uniform", type = "int"}}

// CHECK-LABEL: func.func @main
// CHECK: scf.if %endless -> (f32) {
// CHECK: scf.while
// CHECK: %[[ON:.*]] = arith.constant true
// CHECK: scf.condition(%[[ON]]) %[[S:.*]] : f32
// CHECK: } else {
// CHECK: scf.for {{.*}} : i32 {
// CHECK: scf.for {{.*}} step %c1 {
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Out
  %n = agg.global @n : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %greatest = arith.constant 2147483647 : i32
  %never = arith.constant 9223372036854775807 : i64
  %x = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %more = arith.maxsi %n, %zero : i32
  %wide = arith.extsi %more : i32 to i64
  %endless = arith.cmpi eq, %n, %greatest : i32
  %chosen = arith.select %endless, %never, %wide : i64
  %to = arith.index_cast %chosen : i64 to index
  %a = scf.for %i = %c0 to %to step %c1 iter_args(%s = %x) -> (f32) {
    %t = arith.addf %s, %one : f32
    scf.yield %t : f32
  }
  scf.for %i = %c0 to %to step %c1 {
    agg.buffer_store %a, %out, %i[] {path = array<i64>} : (f32, !Out, index) -> ()
    scf.yield
  }
  func.return
}
