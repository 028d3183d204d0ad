// RUN: caustic-opt --pass-pipeline='builtin.module(func.func(cse,dce))' %s | FileCheck %s
// RUN: caustic-opt --cse --dce --threads=3 %s | FileCheck %s
// RUN: caustic-opt --canonicalize='stop-after=0' --print-ir-before=cse --print-ir-after-change --cse --dce %s 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: caustic-opt --pass-pipeline='any(cse,dec)' %s 2>&1 | FileCheck %s --check-prefix=NAME
// EXIT: 2
// RUN: caustic-opt --cse='stop=1' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// EXIT: 2
// RUN: caustic-opt --pass-pipeline='cse,funcc.func(dce)' %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
// EXIT: 2
// RUN: caustic-opt --threads=no %s 2>&1 | FileCheck %s --check-prefix=THREADS
// EXIT: 2

// CHECK: func.func @f
// CHECK-NEXT: %0 = arith.addf %x, %x
// CHECK-NEXT: func.return %0
func.func @f(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  %1 = arith.addf %x, %x : f32
  %2 = arith.mulf %x, %1 : f32
  func.return %1 : f32
}

// DUMP: // -----// IR Dump Before cse //----- //
// DUMP-NEXT: module {
// DUMP: arith.addf
// DUMP: arith.addf
// DUMP: // -----// IR Dump After cse //----- //
// DUMP: arith.mulf
// DUMP: // -----// IR Dump After dce //----- //
// DUMP-NOT: arith.mulf

// NAME: <pass-pipeline>:1:9: error[E0011]: there is no pass `dec`
// NAME: did you mean `dce`?
// OPTION: `cse` has no option `stop`
// THREADS: in `--threads`: `no` is not a value for it
// ANCHOR: <pass-pipeline>:1:5: error[E0011]: there is no op `funcc.func` whose symbols passes could run on
// ANCHOR: did you mean `func.func`?
