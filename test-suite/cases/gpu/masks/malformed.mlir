// RUN: caustic-opt --verify-diagnostics --split-input-file %s
// NOTE: An op that says that it has a mask has one, which is an i32, and no other op has.
func.func @none(%p: i1) -> i32 {
  // expected-error@+1 [E9001] {{the last operand of an op that is `masked`, and of no other, is a mask}}
  %b = simt.wave_ballot %p {masked}
  return %b : i32
}

// -----

func.func @not_said(%p: i1, %m: i32) -> i32 {
  // expected-error@+1 [E9001] {{the last operand of an op that is `masked`, and of no other, is a mask}}
  %b = simt.wave_ballot %p mask %m
  return %b : i32
}

// -----

func.func @number(%x: f32) -> f32 {
  // expected-error@+1 [E9001] {{the last operand of an op that is `masked`, and of no other, is a mask}}
  %s = simt.wave_sums %x, %x {masked} : (f32, f32) -> f32
  return %s : f32
}
