// RUN: caustic-opt --wave-masks --split-input-file %s | FileCheck %s
// NOTE: All lanes of a whole wave come to an op, or those of a mask: a ballot where a branch is taken by some, which the other branch has the rest of; one that goes along with a
// NOTE: loop whose number of iterations differs; the mask around where all lanes do the same.

// CHECK-LABEL: func.func @branches
// CHECK: simt.wave_vote "any" %odd {complete}
// CHECK: %[[TAKEN:.*]] = simt.wave_ballot %odd {complete}
// CHECK: %[[ALL:.*]] = arith.constant -1 : i32
// CHECK: %[[REST:.*]] = arith.xori %[[ALL]], %[[TAKEN]] : i32
// CHECK: scf.if %odd {
// CHECK: simt.wave_elect mask %[[TAKEN]] {masked}
// CHECK: scf.if %same {
// CHECK: simt.wave_elect mask %[[TAKEN]] {masked}
// CHECK: } else {
// CHECK: simt.wave_sums %f, %f, %[[REST]] {masked} : (f32, f32, i32) -> f32
// CHECK-NOT: simt.wave_ballot
// CHECK: scf.if %odd {
// CHECK: %[[CASE:.*]] = arith.cmpi eq, %x, %{{.*}} : index
// CHECK: %[[SECOND:.*]] = simt.wave_ballot %[[CASE]] {complete}
// CHECK: scf.index_switch %x
// CHECK: case 7 {
// CHECK: gpu.subgroup_reduce add %f mask %[[SECOND]] {masked} : (f32, i32) -> f32
func.func @branches() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %f = arith.constant 1.0 : f32
  %c5 = arith.constant 5 : index
  %x = gpu.thread_id x
  %odd = arith.cmpi ult, %c5, %x : index
  %any = simt.wave_vote "any" %odd
  scf.if %odd {
    %first = simt.wave_elect
    %one = gpu.block_id x
    %same = arith.cmpi ult, %c5, %one : index
    scf.if %same {
      %second = simt.wave_elect
    }
  } else {
    %sum = simt.wave_sums %f, %f : (f32, f32) -> f32
  }
  scf.if %odd {
    %nothing = arith.addi %x, %x : index
  }
  scf.index_switch %x
  case 3 {
    scf.yield
  }
  case 7 {
    %sum = gpu.subgroup_reduce add %f : (f32) -> f32
    scf.yield
  }
  default {
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @loops
// CHECK: %[[ENTERS:.*]] = arith.cmpi slt, %c0, %x : index
// CHECK: %[[FIRST:.*]] = simt.wave_ballot %[[ENTERS]] {complete}
// CHECK: scf.for %i = %c0 to %x step %c1 iter_args(%[[HERE:.*]] = %[[FIRST]]) -> (i32)
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1 {
// CHECK: simt.wave_vote "any" %odd mask %[[HERE]] {masked}
// CHECK: arith.addi %{{.*}}, %[[HERE]] : i32
// CHECK: %[[NEXT:.*]] = arith.addi %i, %c1 : index
// CHECK: %[[AGAIN:.*]] = arith.cmpi slt, %[[NEXT]], %x : index
// CHECK: %[[LEFT:.*]] = simt.wave_ballot %[[AGAIN]] mask %[[HERE]] {masked}
// CHECK: scf.yield %[[LEFT]] : i32
// CHECK: %[[BIG:.*]] = arith.cmpi slt, %j, %{{.*}} : index
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[BIG]] : i1
// CHECK: simt.wave_ballot %[[BOTH]] mask %{{.*}} {masked}
// CHECK: scf.while (%n = %x, %[[B:.*]] = %{{.*}}) : (index, i32) -> (index, i32) {
// CHECK: %[[GOES:.*]] = simt.wave_ballot %less mask %[[B]] {masked}
// CHECK: scf.condition(%less) %n, %[[GOES]] : index, i32
// CHECK: ^bb0(%{{.*}}: index, %[[A:.*]]: i32):
// CHECK: simt.wave_elect mask %[[A]] {masked}
// CHECK: scf.yield %{{.*}}, %[[A]] : index, i32
func.func @loops() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 32, 1, 1>}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %yes = arith.constant true
  %x = gpu.thread_id x
  %odd = arith.cmpi ult, %c5, %x : index
  scf.for %i = %c0 to %x step %c1 {
    scf.for %k = %c0 to %c5 step %c1 {
      %any = simt.wave_vote "any" %odd
    }
    // Who is here is the mask itself.
    %all = simt.wave_ballot %yes
    %sum = arith.addi %all, %all : i32
  }
  scf.for %j = %c0 to %x step %c3 {
    %first = simt.wave_elect
  }
  %end = scf.while (%n = %x) : (index) -> index {
    %less = arith.cmpi ult, %n, %c5 : index
    scf.condition(%less) %n : index
  } do {
  ^bb0(%m: index):
    %first = simt.wave_elect
    %next = arith.addi %m, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----

// The last wave of a group may lack lanes, and a function takes those that call it. What is said already stays.
// CHECK-LABEL: func.func @first
// CHECK-SAME: (%odd: i1, %[[M:.*]]: i32) -> i1 attributes {masked}
// CHECK: simt.wave_ballot %odd mask %[[M]] {masked}
// CHECK: simt.wave_elect {complete}
// CHECK-LABEL: func.func @short
// CHECK: %[[FEW:.*]] = arith.constant 255 : i32
// CHECK: %[[WAVE:.*]] = gpu.subgroup_id : index
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[WAVE]], %[[ONE]] : index
// CHECK: %[[LANES:.*]] = arith.select %[[LAST]], %[[FEW]], %{{.*}} : i32
// CHECK: %[[SOME:.*]] = simt.wave_ballot %odd mask %[[LANES]] {masked}
// CHECK: scf.if %odd
// CHECK: func.call @first(%odd, %[[SOME]]) : (i1, i32) -> i1
func.func @first(%odd: i1) -> i1 {
  %some = simt.wave_ballot %odd
  %first = simt.wave_elect {complete}
  return %first : i1
}
func.func @short() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 8, 5, 1>}} {
  %c5 = arith.constant 5 : index
  %x = gpu.thread_id x
  %odd = arith.cmpi ult, %c5, %x : index
  scf.if %odd {
    %first = func.call @first(%odd) : (i1) -> i1
  }
  return
}
