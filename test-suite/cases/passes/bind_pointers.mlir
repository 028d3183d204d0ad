// RUN: caustic-opt --pass-pipeline='bind-pointers' %s | FileCheck %s
// NOTE: Functions know the resources whose addresses they are always given. A function that is given another one becomes two; its custom derivative goes with each. A sum leads into the resource that it begins with, at its distance.
// CHECK-LABEL: func.func @main
// CHECK: func.call @load(%{{.*}}, %
// CHECK: func.call @load.q(
// CHECK: func.call @open(
// CHECK-LABEL: func.func @load(
// CHECK-SAME: backward_derivative = @add
// CHECK: agg.global @p
// CHECK: agg.global @dp
// CHECK-LABEL: func.func @add(
// CHECK: agg.global @p
// CHECK: agg.global @dp
// CHECK-LABEL: func.func @open(
// CHECK: agg.global @p
// CHECK: %[[BEGIN:.*]] = agg.address
// CHECK: %[[DISTANCE:.*]] = arith.subi %p, %[[BEGIN]]
// CHECK: arith.addi %[[BEGIN]], %[[DISTANCE]]
// CHECK-LABEL: func.func @load.q(
// CHECK-SAME: backward_derivative = @add.q
// CHECK: agg.global @q
// CHECK-LABEL: func.func @add.q(
// CHECK: agg.global @q
!pair = !agg.struct<"Pair", 0, [["v", i64], ["d", i64]]>
module {
  agg.resource @p attributes {type = !agg.buffer<i8, "rw">, reflect = {name = "p", kind = "pointer", type = "f32"}}
  agg.resource @dp attributes {type = !agg.buffer<i8, "rw">, reflect = {name = "dp", kind = "pointer", type = "f32"}}
  agg.resource @q attributes {type = !agg.buffer<i8, "rw">, reflect = {name = "q", kind = "pointer", type = "f32"}}
  func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %c4 = arith.constant 4 : i64
    %p = agg.global @p : !agg.buffer<i8, "rw">
    %dp = agg.global @dp : !agg.buffer<i8, "rw">
    %q = agg.global @q : !agg.buffer<i8, "rw">
    %0 = agg.address %p : !agg.buffer<i8, "rw">
    %1 = agg.address %dp : !agg.buffer<i8, "rw">
    %2 = agg.address %q : !agg.buffer<i8, "rw">
    %a = agg.make %0, %1 : (i64, i64) -> !pair
    %b = agg.insert %2, %a[] {path = array<i64: 0>} : (i64, !pair) -> !pair
    %x = func.call @load(%a, %c4) : (!pair, i64) -> f32
    %y = func.call @load(%b, %c4) : (!pair, i64) -> f32
    %next = arith.addi %0, %c4 : i64
    %z = func.call @open(%next) : (i64) -> f32
    func.return
  }
  func.func @load(%a: !pair, %k: i64) -> f32 attributes {params = [{name = "a", dir = "in"}, {name = "k", dir = "in"}], differentiable = "custom", backward_derivative = @add} {
    %zero = arith.constant 0 : index
    %v = agg.extract %a[] {path = array<i64: 0>} : (!pair) -> i64
    %at = arith.addi %v, %k : i64
    %b = agg.pointee %at : !agg.buffer<f32, "rw", "parts">
    %x = agg.buffer_load %b, %zero[] {path = array<i64>} : (!agg.buffer<f32, "rw", "parts">, index) -> f32
    func.return %x : f32
  }
  func.func @add(%a: !pair, %k: i64, %d: f32) attributes {params = [{name = "a", dir = "in"}, {name = "k", dir = "in"}, {name = "d", dir = "in"}]} {
    %zero = arith.constant 0 : index
    %v = agg.extract %a[] {path = array<i64: 1>} : (!pair) -> i64
    %at = arith.addi %v, %k : i64
    %b = agg.pointee %at : !agg.buffer<f32, "rw", "parts">
    %x = agg.atomic_rmw "add" %d, %b, %zero[] {path = array<i64>} : (f32, !agg.buffer<f32, "rw", "parts">, index) -> f32
    func.return
  }
  func.func @open(%p: i64) -> f32 attributes {params = [{name = "p", dir = "in"}]} {
    %zero = arith.constant 0 : index
    %b = agg.pointee %p : !agg.buffer<f32, "rw", "parts">
    %x = agg.buffer_load %b, %zero[] {path = array<i64>} : (!agg.buffer<f32, "rw", "parts">, index) -> f32
    func.return %x : f32
  }
}
