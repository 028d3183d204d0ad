// What cannot be differentiated, where no front end has refused it before.
// RUN: caustic-opt --split-input-file --verify-diagnostics --differentiate %s
!P = !ad.pair<f32>
// expected-error@+1 [E0602] {{'outside' has no body to differentiate}}
func.func @outside(%x: f32) -> f32 attributes {differentiable = "both"}
ad.derivative @"fwd_diff(outside)" attributes {of = @outside, mode = "fwd", function_type = (!P) -> !P, params = [{name = "x", dir = "in"}]}
// -----
!P = !ad.pair<f32>
// expected-error@+1 [E0601] {{cannot differentiate the recursive function 'again'}}
func.func @again(%x: f32) -> f32 attributes {differentiable = "both"} {
  %0 = func.call @again(%x) : (f32) -> f32
  func.return %0 : f32
}
ad.derivative @"fwd_diff(again)" attributes {of = @again, mode = "fwd", function_type = (!P) -> !P, params = [{name = "x", dir = "in"}]}
// -----
!P = !ad.pair<f32>
func.func @itself(%x: f32) -> f32 attributes {differentiable = "both"} {
  %one = arith.constant 1.0 : f32
  %p = ad.make_pair %x, %one : (f32, f32) -> !P
  %q = func.call @"fwd_diff(itself)"(%p) : (!P) -> !P
  %0 = ad.differential %q : (!P) -> f32
  func.return %0 : f32
}
// expected-error@+1 [E0604] {{'fwd_diff(itself)' needs its own derivative}}
ad.derivative @"fwd_diff(itself)" attributes {of = @itself, mode = "fwd", function_type = (!P) -> !P, params = [{name = "x", dir = "in"}]}
// -----
!P = !ad.pair<f32>
func.func @shared(%x: f32) -> f32 attributes {differentiable = "both"} {
  // expected-error@+1 [E0603] {{cannot differentiate through gpu.subgroup_reduce}}
  %0 = gpu.subgroup_reduce add %x : (f32) -> f32
  func.return %0 : f32
}
ad.derivative @"fwd_diff(shared)" attributes {of = @shared, mode = "fwd", function_type = (!P) -> !P, params = [{name = "x", dir = "in"}]}
