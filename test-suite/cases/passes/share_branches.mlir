// RUN: caustic-opt --share-branches --dce %s | FileCheck %s
// NOTE: What a branch gives is taken where the branch of the same side under the same condition computes it again, also if it is made of values that the
// first branch does not give. The other side, another condition, and what is not given compute for themselves.

// CHECK-LABEL: func.func @same
// CHECK: %[[FIRST:.*]]:2 = scf.if %c
// CHECK: scf.if %c
// CHECK-NOT: math.sqrt
// CHECK-NOT: arith.divf
// CHECK: arith.addf %[[FIRST]]#1, %[[FIRST]]#0
// CHECK: } else {
// CHECK: math.sqrt
func.func @same(%c: i1, %x: f32, %y: f32) -> f32 attributes {params = [{name = "c", dir = "in"}, {name = "x", dir = "in"}, {name = "y", dir = "in"}]} {
  %a:2 = scf.if %c -> (f32, f32) {
    %r = math.sqrt %x : f32
    %d = arith.addf %r, %r : f32
    %q = arith.divf %y, %d : f32
    scf.yield %r, %q : f32, f32
  } else {
    scf.yield %x, %y : f32, f32
  }
  %b = scf.if %c -> (f32) {
    %r = math.sqrt %x : f32
    %d = arith.addf %r, %r : f32
    %q = arith.divf %y, %d : f32
    %s = arith.addf %q, %r : f32
    scf.yield %s : f32
  } else {
    %r = math.sqrt %x : f32
    scf.yield %r : f32
  }
  func.return %b : f32
}

// CHECK-LABEL: func.func @others
// CHECK: scf.if %c
// CHECK: math.sqrt
// CHECK: scf.if %other
// CHECK: math.sqrt
// CHECK: scf.if %c
// CHECK: math.exp
func.func @others(%c: i1, %other: i1, %x: f32) -> f32 attributes {params = [{name = "c", dir = "in"}, {name = "other", dir = "in"}, {name = "x", dir = "in"}]} {
  %a = scf.if %c -> (f32) {
    %e = math.exp %x : f32
    %r = math.sqrt %e : f32
    scf.yield %r : f32
  } else {
    scf.yield %x : f32
  }
  %b = scf.if %other -> (f32) {
    %r = math.sqrt %x : f32
    scf.yield %r : f32
  } else {
    scf.yield %a : f32
  }
  %d = scf.if %c -> (f32) {
    %e = math.exp %x : f32
    scf.yield %e : f32
  } else {
    scf.yield %b : f32
  }
  func.return %d : f32
}
