// RUN: caustic-opt --wave-masks --split-input-file %s | FileCheck %s
// NOTE: All lanes of a whole wave come to an op, or those of a mask: a ballot where a branch is taken by some, which the other branch has the rest of; one that goes along with a
// NOTE: loop whose number of iterations differs; the mask around where all lanes do the same.

// CHECK-LABEL: func.func @branches
// CHECK: gpu.subgroup_vote "any" %odd {complete}
// CHECK: %[[TAKEN:.*]] = gpu.ballot %odd {complete}
// CHECK: %[[ALL:.*]] = arith.constant -1 : i32
// CHECK: %[[REST:.*]] = arith.xori %[[ALL]], %[[TAKEN]] : i32
// CHECK: scf.if %odd {
// CHECK: gpu.subgroup_elect mask %[[TAKEN]] {masked}
// CHECK: scf.if %same {
// CHECK: gpu.subgroup_elect mask %[[TAKEN]] {masked}
// CHECK: } else {
// CHECK: gpu.subgroup_sums %f, %f, %[[REST]] {masked} : (f32, f32, i32) -> f32
// CHECK-NOT: gpu.ballot
// CHECK: scf.if %odd {
// CHECK: %[[CASE:.*]] = arith.cmpi eq, %x, %{{.*}} : index
// CHECK: %[[SECOND:.*]] = gpu.ballot %[[CASE]] {complete}
// CHECK: scf.index_switch %x
// CHECK: case 7 {
// CHECK: gpu.subgroup_reduce add %f mask %[[SECOND]] {masked} : (f32, i32) -> f32
func.func @branches() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %f = arith.constant 1.0 : f32
  %c5 = arith.constant 5 : index
  %x = gpu.thread_id x
  %odd = arith.cmpi ult, %c5, %x : index
  %any = gpu.subgroup_vote "any" %odd
  scf.if %odd {
    %first = gpu.subgroup_elect
    %one = gpu.block_id x
    %same = arith.cmpi ult, %c5, %one : index
    scf.if %same {
      %second = gpu.subgroup_elect
    }
  } else {
    %sum = gpu.subgroup_sums %f, %f : (f32, f32) -> f32
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
// CHECK: %[[FIRST:.*]] = gpu.ballot %[[ENTERS]] {complete}
// CHECK: scf.for %i = %c0 to %x step %c1 iter_args(%[[HERE:.*]] = %[[FIRST]]) -> (i32)
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1 {
// CHECK: gpu.subgroup_vote "any" %odd mask %[[HERE]] {masked}
// CHECK: arith.addi %{{.*}}, %[[HERE]] : i32
// CHECK: %[[NEXT:.*]] = arith.addi %i, %c1 : index
// CHECK: %[[AGAIN:.*]] = arith.cmpi slt, %[[NEXT]], %x : index
// CHECK: %[[LEFT:.*]] = gpu.ballot %[[AGAIN]] mask %[[HERE]] {masked}
// CHECK: scf.yield %[[LEFT]] : i32
// CHECK: %[[BIG:.*]] = arith.cmpi slt, %j, %{{.*}} : index
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[BIG]] : i1
// CHECK: gpu.ballot %[[BOTH]] mask %{{.*}} {masked}
// CHECK: scf.while (%n = %x, %[[B:.*]] = %{{.*}}) : (index, i32) -> (index, i32) {
// CHECK: %[[GOES:.*]] = gpu.ballot %less mask %[[B]] {masked}
// CHECK: scf.condition(%less) %n, %[[GOES]] : index, i32
// CHECK: ^bb0(%{{.*}}: index, %[[A:.*]]: i32):
// CHECK: gpu.subgroup_elect mask %[[A]] {masked}
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
      %any = gpu.subgroup_vote "any" %odd
    }
    // Who is here is the mask itself.
    %all = gpu.ballot %yes
    %sum = arith.addi %all, %all : i32
  }
  scf.for %j = %c0 to %x step %c3 {
    %first = gpu.subgroup_elect
  }
  %end = scf.while (%n = %x) : (index) -> index {
    %less = arith.cmpi ult, %n, %c5 : index
    scf.condition(%less) %n : index
  } do {
  ^bb0(%m: index):
    %first = gpu.subgroup_elect
    %next = arith.addi %m, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----

// The last wave of a group may lack lanes, and a function takes those that call it. What is said already stays.
// CHECK-LABEL: func.func @first
// CHECK-SAME: (%odd: i1, %[[M:.*]]: i32) -> i1 attributes {masked}
// CHECK: gpu.ballot %odd mask %[[M]] {masked}
// CHECK: gpu.subgroup_elect {complete}
// CHECK-LABEL: func.func @short
// CHECK: %[[FEW:.*]] = arith.constant 255 : i32
// CHECK: %[[WAVE:.*]] = gpu.subgroup_id : index
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[WAVE]], %[[ONE]] : index
// CHECK: %[[LANES:.*]] = arith.select %[[LAST]], %[[FEW]], %{{.*}} : i32
// CHECK: %[[SOME:.*]] = gpu.ballot %odd mask %[[LANES]] {masked}
// CHECK: scf.if %odd
// CHECK: func.call @first(%odd, %[[SOME]]) : (i1, i32) -> i1
func.func @first(%odd: i1) -> i1 {
  %some = gpu.ballot %odd
  %first = gpu.subgroup_elect {complete}
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
