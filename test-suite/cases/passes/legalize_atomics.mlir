// RUN: caustic-opt --legalize-atomics %s | FileCheck %s
// RUN: caustic run %s --backend %backend --buffer f=f32:1,2 --buffer n=i32:3,5 --buffer o=zero:24 --read f --read n --read o --format json
// NOTE: Updates of floats, and products, are loops that compare and exchange; sums of integers stay. What is out of range is left alone, and gives zero.
// EXPECT-JSON: {"f": [31.0, -4.0], "n": [96, 35], "o": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]}
!F = !agg.buffer<f32, "rw">
!N = !agg.buffer<i32, "rw">
agg.resource @f attributes {type = !F, reflect = {name = "f", kind = "rw_buffer", type = "f32"}}
agg.resource @n attributes {type = !N, reflect = {name = "n", kind = "rw_buffer", type = "i32"}}
agg.resource @o attributes {type = !F, reflect = {name = "o", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK: %[[FIRST:.*]] = agg.buffer_load %f, %c0[]
// CHECK: scf.while (%{{[a-z0-9]+}} = %[[FIRST]], %{{[a-z0-9]+}} = %true)
// CHECK: ^bb0(%[[OLD:[a-z0-9]+]]: f32, %{{[a-z0-9]+}}: i1):
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %x : f32
// CHECK: %[[SEEN:.*]] = agg.atomic_cas %[[OLD]], %[[NEW]], %f, %c0[]
// CHECK: scf.yield %[[SEEN]]
// CHECK: scf.while
// CHECK: arith.minnumf
// CHECK: scf.while
// CHECK: arith.muli
// CHECK: agg.atomic_rmw "add" %one
// CHECK-NOT: agg.atomic_rmw
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 30, 1, 1>}} {
  %f = agg.global @f : !F
  %n = agg.global @n : !N
  %o = agg.global @o : !F
  %id = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %x = arith.constant 1.0 : f32
  %y = arith.constant -4.0 : f32
  %last = arith.cmpi ult, %id, %c5 : index
  %a = agg.atomic_rmw "add" %x, %f, %c0[] {path = array<i64>} : (f32, !F, index) -> f32
  %b = agg.atomic_rmw "minnumf" %y, %f, %c1[] {path = array<i64>} : (f32, !F, index) -> f32
  scf.if %last {
    %c = agg.atomic_rmw "mul" %two, %n, %c0[] {path = array<i64>} : (i32, !N, index) -> i32
    scf.yield
  }
  %d = agg.atomic_rmw "add" %one, %n, %c1[] {path = array<i64>} : (i32, !N, index) -> i32
  %e = agg.atomic_rmw "add" %x, %f, %c9[] {path = array<i64>} : (f32, !F, index) -> f32
  agg.buffer_store %e, %o, %id[] {path = array<i64>} : (f32, !F, index) -> ()
  func.return
}
