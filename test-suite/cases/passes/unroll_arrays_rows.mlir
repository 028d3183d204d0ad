// RUN: caustic-opt --unroll-arrays %s | FileCheck %s
// NOTE: A vector that each row of a matrix is multiplied by has known indices while the loop over the rows runs, though the rows' results go to an index that is
// not known: only the loop over a row is unrolled. A vector that the rows change at an index of theirs stays in memory, and so does the loop over it.
!In = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @rows attributes {type = index, reflect = {name = "rows", kind = "uniform", type = "u32"}}
agg.resource @at attributes {type = index, reflect = {name = "at", kind = "uniform", type = "u32"}}

// CHECK-LABEL: func.func @main
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-4: agg.extract
// CHECK: scf.for
// CHECK: scf.for
// CHECK: agg.extract
// CHECK: agg.insert
// CHECK: scf.yield
// CHECK-COUNT-2: agg.extract
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %rows = agg.global @rows : index
  %at = agg.global @at : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %empty = agg.zero : !agg.array<4, f32>
  %v = agg.buffer_load %in, %c0[] {path = array<i64>} : (!In, index) -> f32
  %vector = agg.insert %v, %empty[%at] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
  %a = scf.for %row = %c0 to %rows step %c1 iter_args(%product = %empty) -> (!agg.array<4, f32>) {
    %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (f32) {
      %x = agg.extract %vector[%i] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
      %t = arith.addf %sum, %x : f32
      scf.yield %t : f32
    }
    %y = agg.insert %s, %product[%row] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
    scf.yield %y : !agg.array<4, f32>
  }
  %b = scf.for %row = %c0 to %rows step %c1 iter_args(%changed = %vector) -> (!agg.array<4, f32>) {
    %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (f32) {
      %x = agg.extract %changed[%i] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
      %t = arith.addf %sum, %x : f32
      scf.yield %t : f32
    }
    %y = agg.insert %s, %changed[%row] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
    scf.yield %y : !agg.array<4, f32>
  }
  %x = agg.extract %a[%at] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
  %y = agg.extract %b[%at] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
  %both = arith.addf %x, %y : f32
  agg.buffer_store %both, %out, %c0[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
