// RUN: caustic run %s --backend %backend --buffer r=zero:160 --read r --format json
// NOTE: A group of 40 threads: a whole wave, and one of 8 lanes, sum 1, their number in the wave, and 100. Eight lanes beside each other get each sum, the last eight
// NOTE: nothing; in the second wave there are only lanes of the first sum.
// EXPECT-JSON: {"r": [32, 32, 32, 32, 32, 32, 32, 32, 496, 496, 496, 496, 496, 496, 496, 496, 3200, 3200, 3200, 3200, 3200, 3200, 3200, 3200, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8]}
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 40, 1, 1>}} {
    %r = agg.global @r : !buffer
    %i = gpu.thread_id x
    %lane = gpu.lane_id
    %n = arith.index_cast %lane : index to i32
    %one = arith.constant 1 : i32
    %hundred = arith.constant 100 : i32
    %sum = simt.wave_sums %one, %n, %hundred : (i32, i32, i32) -> i32
    agg.buffer_store %sum, %r, %i[] {path = []} : (i32, !buffer, index) -> ()
    return
  }
}
