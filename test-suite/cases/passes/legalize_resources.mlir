// RUN: caustic-opt --legalize-resources --canonicalize --cse --dce %s | FileCheck %s
// NOTE: An access to an element of an array of resources is a switch with an access to each; a resource that a branch chooses is a number. The array's elements are resources,
// NOTE: and functions that are handed one or give one stay as they are.
!In = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @kept attributes {type = !In, count = 2, reflect = {name = "kept", kind = "buffer", type = "f32"}}
agg.resource @many attributes {type = !In, count = 2, reflect = {name = "many", kind = "buffer", type = "f32"}}
agg.resource @other attributes {type = !In, reflect = {name = "other", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK: agg.resource @"many[0]"
// CHECK-SAME: name = "many[0]"
// CHECK: agg.resource @"many[1]"
// CHECK-NOT: count
// CHECK-LABEL: func.func @element
// CHECK: %[[N:[a-z0-9_]+]] = arith.minui %i, %{{.*}} : index
// CHECK: scf.index_switch %[[N]]
// CHECK: case 0 {
// CHECK: agg.buffer_load
// CHECK: default {
// CHECK: agg.buffer_load
func.func @element(%i: index) -> f32 {
  %b = agg.global_element @many %i : index, !In
  %c0 = arith.constant 0 : index
  %x = agg.buffer_load %b, %c0[] {path = array<i64>} : (!In, index) -> f32
  func.return %x : f32
}

// CHECK-LABEL: func.func @branch
// CHECK: %[[C:[a-z0-9_]+]] = arith.select %c, %{{.*}}, %{{.*}} : index
// CHECK: scf.index_switch %[[C]]
// CHECK: agg.buffer_len
// CHECK: agg.buffer_len
func.func @branch(%c: i1) -> index {
  %c1 = arith.constant 1 : index
  %n = scf.if %c -> (!In) {
    %a = agg.global @other : !In
    scf.yield %a : !In
  } else {
    %b = agg.global_element @many %c1 : index, !In
    scf.yield %b : !In
  }
  %len = agg.buffer_len %n : !In
  func.return %len : index
}

// CHECK-LABEL: func.func @given
// CHECK: scf.if %c -> (!agg.buffer<f32, "ro">) {
func.func @given(%c: i1, %b: !In) -> index {
  %one = scf.if %c -> (!In) {
    %a = agg.global @other : !In
    scf.yield %a : !In
  } else {
    scf.yield %b : !In
  }
  %len = agg.buffer_len %one : !In
  func.return %len : index
}

// CHECK-LABEL: func.func @gives
// CHECK: agg.global_element @kept %i : index
func.func @gives(%i: index) -> !In {
  %b = agg.global_element @kept %i : index, !In
  func.return %b : !In
}
