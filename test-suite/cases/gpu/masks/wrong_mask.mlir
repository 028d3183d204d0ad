// RUN: caustic run %s --entry main --backend interp --buffer r=zero:24
// EXPECT-TRAP: 18:10 simt.wave_ballot is for the lanes 0x0000000f, and 0x0000003f come to it
// RUN: caustic run %s --entry main --schedule 1 --buffer r=zero:24
// EXPECT-TRAP: 18:10 comes to a wave operation that is for the lanes 0x0000000f
// RUN: caustic run %s --entry missed --schedule 1 --buffer r=zero:24
// EXPECT-TRAP: 30:12 a wave operation waits for the lanes 0x0000003f, of which some do not come to it
// NOTE: A mask that does not say which lanes come to an op is found by the reference evaluator, in any order.
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 6, 1, 1>}} {
    %r = agg.global @r : !buffer
    %i = gpu.thread_id x
    %n = arith.constant 3 : index
    %mask = arith.constant 15 : i32
    %low = arith.cmpi ult, %i, %n : index
    %first = simt.wave_elect
    %b = simt.wave_ballot %low mask %mask {masked}
    agg.buffer_store %b, %r, %i[] {path = []} : (i32, !buffer, index) -> ()
    return
  }
  func.func @missed() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 6, 1, 1>}} {
    %r = agg.global @r : !buffer
    %i = gpu.thread_id x
    %n = arith.constant 3 : index
    %mask = arith.constant 63 : i32
    %low = arith.cmpi ult, %i, %n : index
    // Those that are not low wait elsewhere.
    scf.if %low {
      %b = simt.wave_ballot %low mask %mask {masked}
      agg.buffer_store %b, %r, %i[] {path = []} : (i32, !buffer, index) -> ()
    }
    gpu.barrier
    return
  }
}
