// RUN: caustic run %s --backend %backend --dispatch 4,1,1 --buffer r=zero:16 --read r --format json
// NOTE: Every group has memory of its own that is zero at first, also where no thread waits for another.
// EXPECT-JSON: {"r": [3, 3, 3, 3]}
!count = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !count, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  agg.resource @shared attributes {type = !count, groupshared}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 3, 1, 1>}} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %s = agg.global @shared : !count
    %r = agg.global @r : !count
    %g = gpu.block_id x
    %a = agg.atomic_rmw "add" %one, %s, %zero[] {path = []} : (i32, !count, index) -> i32
    %b = arith.addi %a, %one : i32
    %c = agg.atomic_rmw "maxsi" %b, %r, %g[] {path = []} : (i32, !count, index) -> i32
    return
  }
}
