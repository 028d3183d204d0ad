// RUN: caustic-opt --pass-pipeline='tidy,symbol-dce' %s | FileCheck %s --check-prefix=CODE
// RUN: caustic-opt --pass-pipeline='tidy,symbol-dce' --dump-pass-pipeline %s 2>&1 | FileCheck %s
// RUN: caustic-opt --tidy --symbol-dce --dump-pass-pipeline %s 2>&1 | FileCheck %s
// RUN: caustic-opt --pass-pipeline='func.func(tidy)' %s 2>&1 | FileCheck %s --check-prefix=FUNCTION
// EXIT: 2
// RUN: caustic-opt --pass-pipeline='tody' %s 2>&1 | FileCheck %s --check-prefix=NEAR
// EXIT: 2
// RUN: caustic-opt --pass-pipeline='differentiate{machine=tpu}' %s 2>&1 | FileCheck %s --check-prefix=CHOICE
// EXIT: 2
// RUN: caustic-opt --pass-pipeline='normalize,differentiate{snapshots=8 singular=ieee machine=gpu},cse' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=OPTIONS

// CHECK: Pass Manager with 4 passes:
// CHECK-NEXT: builtin.module(any(canonicalize,cse,dce),symbol-dce)
// CODE: func.func @f
// CODE-NEXT: func.return %x
// FUNCTION: `tidy` is a pipeline of modules and cannot run on `func.func`
// NEAR: there is no pass `tody`
// NEAR: did you mean `tidy`?
// CHOICE: `tpu` is no value of `machine`, which is cpu|gpu
// OPTIONS: verify-normalized,differentiate{machine=gpu snapshots=8 singular=ieee},any(cse))
func.func @f(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  func.return %x : f32
}
