// RUN: caustic run %s --backend %backend --buffer r=zero:480 --read r --format json
// NOTE: A group of 40 threads: a whole wave, and one of 8 lanes. The key is the thread's number modulo 3, every fifth thread takes no part. The first lane of each key
// NOTE: that takes part has the sums of 1 and of its number; all others have nothing.
// EXPECT-JSON: {"r": [0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 9, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 2, 0, 0, 0, 0, 0, 0, 141, 130, 120, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 70, 108, 71, 0, 0, 0, 0, 0]}
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 40, 1, 1>}} {
    %r = agg.global @r : !buffer
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %five = arith.constant 5 : i32
    %c40 = arith.constant 40 : index
    %c80 = arith.constant 80 : index
    %key = arith.remui %n, %three : i32
    %rest = arith.remui %n, %five : i32
    %takes = arith.cmpi ne, %rest, %zero : i32
    %first, %count, %sum = simt.wave_sums_by_key %takes, %key, %one, %n : (i1, i32, i32, i32) -> (i1, i32, i32)
    %f = arith.extui %first : i1 to i32
    agg.buffer_store %f, %r, %i[] {path = []} : (i32, !buffer, index) -> ()
    %j = arith.addi %i, %c40 : index
    agg.buffer_store %count, %r, %j[] {path = []} : (i32, !buffer, index) -> ()
    %k = arith.addi %i, %c80 : index
    agg.buffer_store %sum, %r, %k[] {path = []} : (i32, !buffer, index) -> ()
    return
  }
}
