// RUN: caustic run %s --backend %backend --dispatch 8,1,1 --buffer in=u32:5,6,7,8,9 --counter in=4 --buffer out=zero:40 --buffer n=zero:4 --counter out=2 --read out --read n --format json
// NOTE: Each of 8 groups consumes an element and appends its double: 4 are there, so that the counter ends at 4 - 8, and the numbers below
// NOTE: zero find nothing and append 0. The out counter begins at 2 and ends at 10. Threads of groups race, so only sums are compared.
// EXPECT-JSON: {"out": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "n": [52]}
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @in attributes {type = !buffer, reflect = {name = "in", kind = "consume_buffer", type = "u32"}}
  agg.resource @out attributes {type = !buffer, reflect = {name = "out", kind = "append_buffer", type = "u32"}}
  agg.resource @n attributes {type = !buffer, reflect = {name = "n", kind = "rw_buffer", type = "u32"}}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %in = agg.global @in : !buffer
    %out = agg.global @out : !buffer
    %n = agg.global @n : !buffer
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %none = arith.constant 0 : i32
    %count = agg.buffer_count %in {delta = -1} : !buffer
    %last = arith.subi %count, %one : i32
    %from = arith.index_cast %last : i32 to index
    %x = agg.buffer_load %in, %from[] {path = []} : (!buffer, index) -> i32
    %y = arith.addi %x, %x : i32
    %slot = agg.buffer_count %out {delta = 1} : !buffer
    %to = arith.index_cast %slot : i32 to index
    agg.buffer_store %y, %out, %to[] {path = []} : (i32, !buffer, index) -> ()
    %back = agg.buffer_load %out, %to[] {path = []} : (!buffer, index) -> i32
    %old = agg.atomic_rmw "add" %back, %n, %zero[] {path = []} : (i32, !buffer, index) -> i32
    agg.buffer_store %none, %out, %to[] {path = []} : (i32, !buffer, index) -> ()
    return
  }
}
