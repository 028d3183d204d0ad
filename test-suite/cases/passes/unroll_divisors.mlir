// RUN: caustic-opt --unroll-divisors --canonicalize --dce %s | FileCheck %s
// NOTE: A short loop that divides by a number of its counter is unrolled, so that it divides by constants, and one that takes a function of it. A loop that divides
// its counter by something else stays, and so does one that would become too long.
!Out = !agg.buffer<f32, "rw">
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @x attributes {type = f32, reflect = {name = "x", kind = "uniform", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK-NOT: scf.for
// CHECK-COUNT-3: arith.divf
// CHECK-NOT: math.sqrt
// CHECK: scf.for
// CHECK: arith.divf
// CHECK: scf.for
// CHECK: arith.divf
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !Out
  %x = agg.global @x : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c500 = arith.constant 500 : index
  %a = scf.for %i = %c5 to %c8 step %c1 iter_args(%t = %x) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %d = arith.sitofp %n : i32 to f32
    %q = arith.divf %t, %d : f32
    scf.yield %q : f32
  }
  %b = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %a) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %d = arith.sitofp %n : i32 to f32
    %r = math.sqrt %d : f32
    %q = arith.addf %t, %r : f32
    scf.yield %q : f32
  }
  %c = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %b) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %d = arith.sitofp %n : i32 to f32
    %r = arith.divf %d, %x : f32
    %q = arith.addf %t, %r : f32
    scf.yield %q : f32
  }
  %e = scf.for %i = %c1 to %c500 step %c1 iter_args(%t = %c) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %d = arith.sitofp %n : i32 to f32
    %q = arith.divf %t, %d : f32
    scf.yield %q : f32
  }
  agg.buffer_store %e, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
