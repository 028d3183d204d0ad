// RUN: caustic-opt --pass-pipeline='drop-dead-pointers,any(dce)' %s | FileCheck %s
// NOTE: A struct of pointers that is handed on and never looked at goes from the signatures. One of which a field is read stays.
// CHECK-LABEL: func.func @main
// CHECK: func.call @outer(%{{[a-z0-9]+}}) : (f32) -> f32
// CHECK: func.call @looks(%
// CHECK-LABEL: func.func @outer(%x: f32) -> f32
// CHECK: func.call @inner(%x) : (f32) -> f32
// CHECK-LABEL: func.func @inner(%x: f32) -> f32
// CHECK-LABEL: func.func @looks(%a: !
!pair = !agg.struct<"Pair", 0, [["v", i64], ["d", i64]]>
module {
  func.func @main() -> (f32, i64) attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %c4 = arith.constant 4 : i64
    %x = arith.constant 1.0 : f32
    %a = agg.make %c4, %c4 : (i64, i64) -> !pair
    %y = func.call @outer(%a, %x) : (!pair, f32) -> f32
    %z = func.call @looks(%a) : (!pair) -> i64
    func.return %y, %z : f32, i64
  }
  func.func @outer(%a: !pair, %x: f32) -> f32 attributes {params = [{name = "a", dir = "in"}, {name = "x", dir = "in"}]} {
    %c5 = arith.constant 5 : i64
    %b = agg.insert %c5, %a[] {path = array<i64: 0>} : (i64, !pair) -> !pair
    %y = func.call @inner(%x, %b) : (f32, !pair) -> f32
    func.return %y : f32
  }
  func.func @inner(%x: f32, %a: !pair) -> f32 attributes {params = [{name = "x", dir = "in"}, {name = "a", dir = "in"}]} {
    func.return %x : f32
  }
  func.func @looks(%a: !pair) -> i64 attributes {params = [{name = "a", dir = "in"}]} {
    %v = agg.extract %a[] {path = array<i64: 0>} : (!pair) -> i64
    func.return %v : i64
  }
}
