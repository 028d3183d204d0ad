// RUN: caustic-opt --pass-pipeline='trim-signatures,any(canonicalize,dce)' %s | FileCheck %s
// NOTE: What one caller knows is none of another's: a parameter that is given different constants stays.
// CHECK-LABEL: func.func @main
// CHECK: func.call @differ(%x, %{{.*}}) : (f32, i1) -> f32
// CHECK: func.call @differ(%x, %{{.*}}) : (f32, i1) -> f32
// CHECK: func.call @same(%x) : (f32) -> f32
// CHECK: func.call @same(%{{.*}}) : (f32) -> f32
// CHECK: func.func private @differ(%x: f32, %given: i1) -> f32
// CHECK: func.func private @same(%x: f32) -> f32
module {
  func.func @main(%x: f32) -> (f32, f32, f32) attributes {params = [{name = "x", dir = "in"}]} {
    %yes = arith.constant 1 : i1
    %no = arith.constant 0 : i1
    %a = func.call @differ(%x, %yes) : (f32, i1) -> f32
    %b = func.call @differ(%x, %no) : (f32, i1) -> f32
    %c = func.call @same(%x, %yes) : (f32, i1) -> f32
    %d = func.call @same(%c, %yes) : (f32, i1) -> f32
    func.return %a, %b, %d : f32, f32, f32
  }
  func.func private @differ(%x: f32, %given: i1) -> f32 {
    %two = arith.constant 2.0 : f32
    %y = arith.select %given, %x, %two : f32
    %s = math.sin %y : f32
    func.return %s : f32
  }
  func.func private @same(%x: f32, %given: i1) -> f32 {
    %two = arith.constant 2.0 : f32
    %y = arith.select %given, %x, %two : f32
    %s = math.sin %y : f32
    func.return %s : f32
  }
}
