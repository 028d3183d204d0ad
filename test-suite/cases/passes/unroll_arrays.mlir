// RUN: caustic-opt --unroll-arrays %s | FileCheck %s
// NOTE: Loops over the elements of an array are unrolled if only known indices are left then. One index from memory keeps the array in memory, so its loop
// stays; so does a loop that would become too long.
!In = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @at attributes {type = index, reflect = {name = "at", kind = "uniform", type = "u32"}}

// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: agg.insert {{.*}} {path = array<i64: -1>} : (f32, !agg.array<4, f32>
// The second array is read by an index that is not known.
// CHECK: scf.for
// CHECK: agg.insert {{.*}} !agg.array<8, f32>
// CHECK-COUNT-4: agg.extract {{.*}} : (!agg.array<4, f32>
// CHECK-NOT: agg.extract {{.*}} : (!agg.array<4, f32>
// CHECK: agg.extract {{.*}} : (!agg.array<8, f32>
// The third loop has a thousand iterations.
// CHECK: scf.for
// CHECK: agg.insert {{.*}} !agg.array<2000, f32>
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %at = agg.global @at : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c2000 = arith.constant 2000 : index
  %zero = arith.constant 0.0 : f32
  %few = agg.zero : !agg.array<4, f32>
  %eight = agg.zero : !agg.array<8, f32>
  %many = agg.zero : !agg.array<2000, f32>
  %a = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %few) -> (!agg.array<4, f32>) {
    %v = agg.buffer_load %in, %i[] {path = array<i64>} : (!In, index) -> f32
    %y = agg.insert %v, %x[%i] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
    scf.yield %y : !agg.array<4, f32>
  }
  %b = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %eight) -> (!agg.array<8, f32>) {
    %v = agg.buffer_load %in, %i[] {path = array<i64>} : (!In, index) -> f32
    %y = agg.insert %v, %x[%i] {path = array<i64: -1>} : (f32, !agg.array<8, f32>, index) -> !agg.array<8, f32>
    scf.yield %y : !agg.array<8, f32>
  }
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (f32) {
    %next = arith.addi %i, %c1 : index
    %v = agg.extract %a[%i] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
    %t = arith.addf %sum, %v : f32
    scf.yield %t : f32
  }
  %e = agg.extract %b[%at] {path = array<i64: -1>} : (!agg.array<8, f32>, index) -> f32
  %c = scf.for %i = %c0 to %c2000 step %c1 iter_args(%x = %many) -> (!agg.array<2000, f32>) {
    %v = agg.buffer_load %in, %i[] {path = array<i64>} : (!In, index) -> f32
    %y = agg.insert %v, %x[%i] {path = array<i64: -1>} : (f32, !agg.array<2000, f32>, index) -> !agg.array<2000, f32>
    scf.yield %y : !agg.array<2000, f32>
  }
  %l = agg.extract %c[%c1] {path = array<i64: -1>} : (!agg.array<2000, f32>, index) -> f32
  %r = arith.addf %s, %e : f32
  %r2 = arith.addf %r, %l : f32
  agg.buffer_store %r2, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
