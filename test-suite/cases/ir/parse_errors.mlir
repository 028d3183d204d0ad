// RUN: caustic-opt --split-input-file --verify-diagnostics %s
// NOTE: After an error the parser goes on with the next op; what depends on a broken op is passed over in silence.

func.func @several(%x: f32) -> f32 {
  // expected-error@+1 {{did you mean `arith.addf`?}}
  %0 = arith.addff %x, %x : f32
  %1 = arith.mulf %0, %x : f32
  // expected-error@+1 {{expected `,`, found `%x`}}
  %2 = arith.mulf %x %x : f32
  // expected-error@+1 {{`%y` is not defined here}}
  %3 = arith.mulf %x, %y : f32
  %4 = arith.mulf %y, %y : f32
  // expected-error@+1 {{operand 0 has type f32, but i32 is written for it}}
  func.return %x : i32
}
// expected-error@+1 {{there is no type `f33`}}
func.func @type(%x: f33) {
  func.return
}
func.func @twice() {
  func.return
}
// expected-error@+1 {{symbol `@twice` is defined twice}}
func.func @twice() {
  func.return
}
// -----
func.func @names(%x: f32, %c: i1) {
  scf.if %c {
    %inner = arith.addf %x, %x : f32
  }
  // expected-error@+1 {{`%inner` is not defined here}}
  %0 = arith.addf %inner, %x : f32
  // expected-error@+1 {{`%x` is defined twice}}
  %x = arith.addf %x, %x : f32
  // expected-error@+1 {{the op has 1 results, but another number is named}}
  %a, %b = arith.addf %x, %x : f32
  // expected-error@+1 {{no predicate of f32 is called `slt`}}
  %1 = arith.cmpf slt, %x, %x : f32
  // expected-error@+1 {{expected `:`, found `to`}}
  %2 = arith.fptoui %x to i32
  func.return
}
// -----
func.func @numbers() {
  // expected-error@+1 {{this number does not fit in i8}}
  %0 = arith.constant 256 : i8
  // expected-error@+1 {{a float is no value of type i32}}
  %1 = arith.constant 1.5 : i32
  // expected-error@+1 {{these bits do not fit in f16}}
  %2 = arith.constant 0x12345 : f16
  // expected-error@+1 {{not in the shape of vector<2xf32>}}
  %3 = arith.constant dense<[1.0, 2.0, 3.0]> : vector<2xf32>
  // expected-error@+1 {{rows of a dense constant differ in shape}}
  %4 = arith.constant dense<[[1.0], [2.0, 3.0]]> : vector<2x2xf32>
  // expected-error@+1 {{a vector's dimensions are positive}}
  %5 = arith.constant dense<1.0> : vector<0xf32>
  // expected-error@+1 {{a string that is not closed}}
  gpu.printf "open
  func.return
}
// -----
// expected-error@+1 {{there is no alias `!Rya`}}
func.func private @alias(!Rya)
// expected-error@+1 {{`!Self` is defined by itself}}
!Self = !agg.array<4, !Self>
// -----
module {
  // expected-error@+1 {{did you mean `func.func`?}}
  func.fnc @f() {
    func.return
  }
  // expected-error@+1 {{only ops that define symbols stand in a module}}
  %0 = arith.constant 1 : i32
  // expected-error@+1 {{expected `}`, found the end of the text}}
