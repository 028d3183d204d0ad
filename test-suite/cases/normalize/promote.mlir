// RUN: caustic-opt --normalize-exits --promote %s | FileCheck %s
// NOTE: Variables become values, out and inout parameters results, accesses one form each.

!P = !agg.struct<"P", 0, [["a", !agg.array<3, f32>], ["n", i32]]>

// CHECK-LABEL: func.func @parts(%p: {{.*}}, %i: i32) -> (f32, {{.*}})
hl.func @parts(%p: !hl.ref<!P>, %i: i32) -> f32
    attributes {params = [{name = "p", dir = "inout"}, {name = "i", dir = "in"}]} {
  %a = hl.field %p {index = 0} : (!hl.ref<!P>) -> !hl.ref<!agg.array<3, f32>>
  %one = arith.constant 1 : i32
  %x1 = hl.element %a[%one] : (!hl.ref<!agg.array<3, f32>>, i32) -> !hl.ref<f32>
  %xi = hl.element %a[%i] : (!hl.ref<!agg.array<3, f32>>, i32) -> !hl.ref<f32>
  %v = hl.load %x1 : (!hl.ref<f32>) -> f32
  hl.store %v, %xi : (f32, !hl.ref<f32>) -> ()
  hl.return %v : f32
}
// CHECK: %[[V:.*]] = agg.extract %p[] {path = array<i64: 0, 1>}
// CHECK: %[[P:.*]] = agg.insert %[[V]], %p[%i] {path = array<i64: 0, -1>}
// CHECK: return %[[V]], %[[P]]

// CHECK-LABEL: func.func @vectors
hl.func @vectors(%x: f32) -> vector<2xf32> {
  %v = hl.var {name = "v"} : !hl.ref<vector<2xf32>>
  %y = hl.field %v {index = 1} : (!hl.ref<vector<2xf32>>) -> !hl.ref<f32>
  hl.store %x, %y : (f32, !hl.ref<f32>) -> ()
  %r = hl.load %v : (!hl.ref<vector<2xf32>>) -> vector<2xf32>
  hl.return %r : vector<2xf32>
}
// CHECK: %[[R:.*]] = vector.insert %x, %v [1]
// CHECK: return %[[R]]

// CHECK-LABEL: func.func @sum_of
hl.func @sum_of(%s: !hl.ref<f32>, %n: !hl.ref<i32>, %x: f32)
    attributes {params = [{name = "s", dir = "inout"}, {name = "n", dir = "out"}, {name = "x", dir = "in"}]} {
  %old = hl.load %s : (!hl.ref<f32>) -> f32
  %new = arith.addf %old, %x : f32
  hl.store %new, %s : (f32, !hl.ref<f32>) -> ()
  hl.return
}
// CHECK-SAME: (%s: f32, %x: f32) -> (f32, i32)
// CHECK: %[[N:.*]] = arith.constant 0 : i32
// CHECK: return %{{.*}}, %[[N]] : f32, i32

// NOTE: A condition with an effect is carried: evaluated before the loop and at the end of each iteration.
// CHECK-LABEL: func.func @calls_in_condition
hl.func @calls_in_condition(%x: f32) -> f32 {
  %s = hl.var {name = "s"} : !hl.ref<f32>
  %k = hl.var {name = "k"} : !hl.ref<i32>
  hl.loop {test_first = true} {
    hl.call @sum_of(%s, %k, %x) : (!hl.ref<f32>, !hl.ref<i32>, f32) -> ()
    %v = hl.load %s : (!hl.ref<f32>) -> f32
    %ten = arith.constant 10.0 : f32
    %c = arith.cmpf olt, %v, %ten : f32
    hl.condition %c
  } {
    hl.yield
  } {
    hl.yield
  }
  %r = hl.load %s : (!hl.ref<f32>) -> f32
  hl.return %r : f32
}
// CHECK: call @sum_of
// CHECK: scf.while
// CHECK-NEXT: scf.condition
// CHECK: call @sum_of
// CHECK: scf.yield
