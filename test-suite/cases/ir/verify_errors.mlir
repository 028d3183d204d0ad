// RUN: caustic-opt --split-input-file --verify-diagnostics %s
// NOTE: All diagnostics of the verifier are reported, each at its op.

// expected-error@+1 [E9001] {{its arguments are (f32), its type says (i32)}}
"func.func"() ({
^bb0(%x: f32):
  func.return
}) {sym_name = "f", function_type = (i32) -> ()} : () -> ()
// -----
func.func @types(%x: f32, %i: i32, %c: i1) -> f32 {
  // expected-error@+1 {{operand `rhs` has type i32, but must be f32}}
  %0 = "arith.addf"(%x, %i) : (f32, i32) -> f32
  // expected-error@+1 {{result `result` has type f64, but must be f32}}
  %1 = "arith.mulf"(%x, %x) : (f32, f32) -> f64
  // expected-error@+1 {{has 1 operands instead of 2}}
  %2 = "arith.subf"(%x) : (f32) -> f32
  // expected-error@+1 {{attribute `predicate` is missing}}
  %3 = "arith.cmpi"(%i, %i) : (i32, i32) -> i1
  // expected-error@+1 {{attribute `predicate` is "lt", but must be an integer}}
  %4 = "arith.cmpi"(%i, %i) {predicate = "lt"} : (i32, i32) -> i1
  // expected-error@+1 {{there is no symbol `@nobody`}}
  func.call @nobody() : () -> ()
  // expected-error@+1 {{passes (i32) to a function of (f32, i32, i1)}}
  %5 = func.call @types(%i) : (i32) -> f32
  // expected-error@+1 {{has 0 regions instead of 2}}
  "scf.if"(%c) : (i1) -> ()
  // expected-error@+1 {{returns (i32), the function's type says (f32)}}
  func.return %i : i32
}
// -----
func.func @structure(%n: index, %x: f32, %c: i1) {
  // expected-error@+1 {{its results must have the types of the values it starts with}}
  %0 = "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%i: index, %a: f32):
    scf.yield %a : f32
  }) : (index, index, index, f32) -> i32
  %1 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    // expected-error@+1 {{gives (index), but scf.for needs (f32)}}
    scf.yield %i : index
  }
  // expected-error@+1 {{region `otherwise` is empty}}
  %2 = scf.if %c -> (f32) {
    scf.yield %x : f32
  }
  // expected-error@+1 {{has a case twice}}
  scf.index_switch %n
  case 1 {
  }
  case 1 {
  }
  default {
  }
  // expected-error@+1 {{has a region of several blocks}}
  "scf.if"(%c) ({
    scf.yield
  ^bb1:
    scf.yield
  }, {
  }) : (i1) -> ()
  // expected-error@+1 {{ends a block, but other ops follow}}
  func.return
  // expected-error@+1 {{stands last in a block of func.func @structure, but is no terminator}}
  %3 = arith.addf %x, %x : f32
}
// -----
hl.func @early() {
  // expected-error@+1 {{stands in no loop}}
  hl.continue
}
