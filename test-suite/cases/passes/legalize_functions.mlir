// RUN: caustic-opt --legalize-functions %s | FileCheck %s
// RUN: caustic-opt --legalize-functions='doubles=false rare=false' %s | FileCheck %s --check-prefix=SOME
// NOTE: Functions of doubles become functions of the program, each of which is added once with what it calls; a vector is computed number by number, and halves as floats. A sine of floats
// stays, and so do roots of doubles.

// CHECK-LABEL: func.func @f
// CHECK-COUNT-2: func.call @caustic.math.exp_f64
// CHECK: vector.from_elements
// CHECK: math.sin %y : f32
// CHECK: math.sqrt %x : f64
// CHECK: %[[WIDE:.*]] = arith.extf %h : f16 to f32
// CHECK: %[[POWER:.*]] = func.call @caustic.math.powf_f32(%[[WIDE]], %{{.*}}) : (f32, f32) -> f32
// CHECK: arith.truncf %[[POWER]] : f32 to f16
// CHECK: func.call @caustic.math.remf_f32(%y, %y)
// CHECK: func.func private @caustic.math.exp_f64
// CHECK-NOT: func.func private @caustic.math.sine
// SOME-LABEL: func.func @f
// SOME: math.exp %v : vector<2xf64>
// SOME: math.powf %h, %h : f16
// SOME: func.call @caustic.math.remf_f32
func.func @f(%v: vector<2xf64>, %x: f64, %y: f32, %h: f16) -> (vector<2xf64>, f32, f64, f16, f32) {
  %0 = math.exp %v : vector<2xf64>
  %1 = math.sin %y : f32
  %2 = math.sqrt %x : f64
  %3 = math.powf %h, %h : f16
  %4 = arith.remf %y, %y : f32
  func.return %0, %1, %2, %3, %4 : vector<2xf64>, f32, f64, f16, f32
}
