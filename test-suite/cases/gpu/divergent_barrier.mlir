// RUN: caustic run %s --backend %backend
// EXPECT-TRAP: 11:7 a barrier in divergent control flow: 2 of the group's 4 threads wait here
module {
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 4, 1, 1>}} {
    %two = arith.constant 2 : index
    %i = gpu.thread_id x
    %c = arith.cmpi slt, %i, %two : index
    gpu.barrier
    scf.if %c {
      // NOTE: Only half of the threads come here, and the others have ended.
      gpu.barrier
    }
    return
  }
}
