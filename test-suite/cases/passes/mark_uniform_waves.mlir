// RUN: caustic-opt --mark-uniform-waves --split-input-file %s | FileCheck %s
// NOTE: All lanes of a wave come to what stands in no branch, in branches and loops by what a wave agrees on, and by the row of threads where rows are whole waves; not to
// NOTE: what stands in a branch or a loop by the number of the lane, or in groups that are no whole waves.

// CHECK-LABEL: func.func @rows
// CHECK: simt.wave_vote "any" %odd {complete}
// CHECK: simt.wave_vote "all" %odd {complete}
// CHECK: simt.wave_ballot %odd {complete}
// CHECK: simt.wave_elect{{$}}
// CHECK: simt.wave_vote "any" %odd{{$}}
// CHECK: simt.wave_vote "all" %odd{{$}}
func.func @rows() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 32, 2, 1>}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %odd = arith.cmpi ult, %c5, %x : index
  %any = simt.wave_vote "any" %odd
  %row = arith.cmpi ult, %y, %c1 : index
  scf.if %any {
    scf.for %i = %c0 to %c5 step %c1 {
      scf.if %row {
        %all = simt.wave_vote "all" %odd
      } else {
        %lanes = simt.wave_ballot %odd
      }
    }
  } else {
  }
  scf.if %odd {
    %first = simt.wave_elect
  } else {
  }
  scf.for %i = %c0 to %x step %c1 {
    %b = simt.wave_vote "any" %odd
  }
  %end = scf.while (%n = %x) : (index) -> index {
    %less = arith.cmpi ult, %n, %c5 : index
    scf.condition(%less) %n : index
  } do {
  ^bb0(%n: index):
    %d = simt.wave_vote "all" %odd
    %next = arith.addi %n, %c1 : index
    scf.yield %next : index
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @squares
// CHECK: simt.wave_elect {complete}
// CHECK: simt.wave_elect{{$}}
func.func @squares() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 8, 8, 1>}} {
  %c1 = arith.constant 1 : index
  %y = gpu.thread_id y
  %row = arith.cmpi ult, %y, %c1 : index
  %all = simt.wave_elect
  scf.if %row {
    %some = simt.wave_elect
  } else {
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @parts
// CHECK-NOT: complete
func.func @parts() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 48, 1, 1>}} {
  %first = simt.wave_elect
  func.return
}
