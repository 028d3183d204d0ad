// RUN: caustic-opt --pass-pipeline='trim-signatures,any(canonicalize,dce)' %s | FileCheck %s
// NOTE: A private function without parameters of the program's loses what its callers know: constants, what nobody reads, and what it only hands back. Others stay.
// CHECK-LABEL: func.func @main
// CHECK: func.call @made(%x) : (f32) -> f32
// CHECK: func.call @written(
// CHECK-SAME: (f32, i1) -> (f32, i1)
// CHECK: func.return
// CHECK-LABEL: func.func private @made(%x: f32) -> f32
// CHECK-LABEL: func.func private @written(%x: f32, %given: i1) -> (f32, i1)
module {
  func.func @main(%x: f32) -> (f32, i1, f32, f32) attributes {params = [{name = "x", dir = "in"}]} {
    %yes = arith.constant 1 : i1
    %a:4 = func.call @made(%x, %yes) : (f32, i1) -> (f32, i1, f32, f32)
    %b:2 = func.call @written(%x, %yes) : (f32, i1) -> (f32, i1)
    func.return %a#0, %a#1, %a#2, %b#0 : f32, i1, f32, f32
  }
  func.func private @made(%x: f32, %given: i1) -> (f32, i1, f32, f32) {
    %yes = arith.constant 1 : i1
    %two = arith.constant 2.0 : f32
    %y = arith.select %given, %x, %two : f32
    %s = math.sin %y : f32
    %unread = math.cos %y : f32
    func.return %s, %yes, %x, %unread : f32, i1, f32, f32
  }
  func.func private @written(%x: f32, %given: i1) -> (f32, i1) attributes {params = [{name = "x", dir = "in"}, {name = "given", dir = "in"}]} {
    %yes = arith.constant 1 : i1
    %s = math.sin %x : f32
    func.return %s, %yes : f32, i1
  }
}
