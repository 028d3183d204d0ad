// RUN: caustic-opt --inline='small=2' --symbol-dce %s | FileCheck %s

// NOTE: Small, forced, and private with one caller; not what is large or recursive.
// CHECK-LABEL: func.func @main
func.func @main(%x: f32) -> (f32, f32, f32, f32, f32) {
  // CHECK: math.sin
  // CHECK: math.cos
  // CHECK: math.exp
  // CHECK: math.log
  // CHECK: func.call @large
  // CHECK: func.call @recursive
  %a = func.call @small(%x) : (f32) -> f32
  %b = func.call @forced(%a) : (f32) -> f32
  %c = func.call @once(%b) : (f32) -> f32
  %d = func.call @large(%c) : (f32) -> f32
  %e = func.call @recursive(%d) : (f32) -> f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}
// CHECK: func.func @small
func.func @small(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}
// CHECK: func.func @forced
func.func @forced(%x: f32) -> f32 attributes {force_inline} {
  %y = math.cos %x : f32
  %z = arith.mulf %y, %x : f32
  return %z : f32
}
// NOTE: Private functions go when nobody calls them any more.
// CHECK-NOT: @once
func.func private @once(%x: f32) -> f32 {
  %y = math.exp %x : f32
  %z = func.call @deeper(%y) : (f32) -> f32
  return %z : f32
}
// CHECK-NOT: @deeper
func.func private @deeper(%x: f32) -> f32 {
  %y = math.log %x : f32
  %z = arith.mulf %y, %x : f32
  return %z : f32
}
// CHECK: func.func @large
func.func @large(%x: f32) -> f32 {
  %y = math.tan %x : f32
  %z = arith.mulf %y, %x : f32
  return %z : f32
}
// CHECK: func.func private @recursive
func.func private @recursive(%x: f32) -> f32 {
  %y = func.call @other(%x) : (f32) -> f32
  return %y : f32
}
// CHECK: func.func private @other
func.func private @other(%x: f32) -> f32 {
  %y = func.call @recursive(%x) : (f32) -> f32
  return %y : f32
}
