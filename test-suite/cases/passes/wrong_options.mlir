// Options that a pass does not take, and rows that there are not, are a wrong command line; nothing runs.
// RUN: caustic-opt %s --egraph=only=mul-constant 2>&1 | FileCheck %s --check-prefix=ROW
// EXIT: 2
// ROW: <pass-pipeline>:1:7: error[E0011]: `egraph`: no row is called `mul-constant`
// ROW: did you mean `mul-constants`?
// RUN: caustic-opt %s --pass-pipeline='any(egraph{without=mul-constants|zzzzzzzzz})' 2>&1 | FileCheck %s --check-prefix=NONE
// EXIT: 2
// NONE: no row is called `zzzzzzzzz`
// NONE: docs/rewrites.md has them all
// RUN: caustic-opt %s --egraph=explain=here 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXIT: 2
// EXPLAIN: `egraph`: `here` is neither a value, as `%v`, nor a line
// RUN: caustic-opt %s --egraph=ulps=-3 2>&1 | FileCheck %s --check-prefix=ULPS
// EXIT: 2
// ULPS: `egraph`: `ulps` is at least 0, not -3
// RUN: caustic-opt %s --egraph=gain=101 2>&1 | FileCheck %s --check-prefix=GAIN
// EXIT: 2
// GAIN: `egraph`: `gain` is at most 100, not 101
// RUN: caustic-opt %s --egraph=rounds=some 2>&1 | FileCheck %s --check-prefix=KIND
// EXIT: 2
// KIND: `some` is no value of `rounds`, which is int
// RUN: caustic-opt %s --egraph=round=1 2>&1 | FileCheck %s --check-prefix=NAME
// EXIT: 2
// NAME: `egraph` has no option `round`
// NAME: did you mean `rounds`?
// RUN: caustic-opt %s --egraph='only=mul-constants rounds=2 ulps=none'
func.func @f(%x: f32) -> f32 {
  func.return %x : f32
}
