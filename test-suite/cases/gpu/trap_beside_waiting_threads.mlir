// RUN: caustic run %s --backend %backend --trap-oob --buffer r=zero:8
// NOTE: The others wait at a barrier when a thread traps: the trap is what is reported.
// EXPECT-TRAP: 16:7 index 2 is out of range: `r` has 2 elements (thread (2, 0, 0) of group (0, 0, 0))
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 8, 1, 1>}} {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : i32
    %i = gpu.thread_id x
    %c = arith.cmpi eq, %i, %two : index
    %r = agg.global @r : !buffer
    gpu.barrier
    scf.if %c {

      agg.buffer_store %one, %r, %i[] {path = []} : (i32, !buffer, index) -> ()
    }
    gpu.barrier
    return
  }
}
