// RUN: caustic-opt --mark-convergence %s | FileCheck %s
// NOTE: Loops and calls in which threads meet are marked, what surrounds no meeting is left alone; a second run changes nothing.
// RUN: caustic-opt --mark-convergence --mark-convergence %s | FileCheck %s

// CHECK-LABEL: func.func @meets(){{.*}}convergent
// CHECK-NEXT: gpu.barrier {instance = 0
func.func @meets() {
  gpu.barrier
  return
}

// CHECK-LABEL: func.func @plain
// CHECK-NOT: gpu.instance
func.func @plain(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    gpu.printf "%d" %i : index
  }
  return
}

// CHECK-LABEL: func.func @loops{{.*}}convergent
// CHECK: simt.instance_begin {number = [[LOOP:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: simt.instance_next
// CHECK: scf.if
// CHECK-NEXT: simt.instance_begin {number
// CHECK-NEXT: call @meets
// CHECK-NEXT: simt.instance_end
// CHECK: simt.instance_end
// CHECK-NEXT: simt.wave_ballot %{{.*}} {instance
// CHECK-NOT: gpu.instance
// CHECK: return
func.func @loops(%n: index, %p: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %p {
      func.call @meets() : () -> ()
    }
  }
  %m = simt.wave_ballot %p
  func.call @plain(%n) : (index) -> ()
  return %m : i32
}
