// RUN: caustic run %s --backend %backend --dispatch 3,1,1 --buffer r=zero:768 --read r --format json
// NOTE: A tree sum in groupshared memory: a barrier in each iteration of a uniform loop, and inside a function.
// NOTE: Group g sums g * 64 + i for i in 0 to 63: 64 g * 64 + 2016. Each thread reads the sum.
// EXPECT-JSON: {"r": [2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 2016, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 6112, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208, 10208]}
!tile = !agg.buffer<!agg.array<64, i32>, "rw">
module {
  agg.resource @r attributes {type = !agg.buffer<i32, "rw">, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  agg.resource @tile attributes {type = !tile, groupshared}
  func.func @sync() {
    gpu.barrier
    return
  }
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %start = arith.constant 32 : index
    %t = agg.global @tile : !tile
    %i = gpu.thread_id x
    %n = gpu.global_id x
    %x = arith.index_cast %n : index to i32
    agg.buffer_store %x, %t, %zero[%i] {path = [-1]} : (i32, !tile, index, index) -> ()
    func.call @sync() : () -> ()
    %end = scf.while (%half = %start) : (index) -> index {
      %more = arith.cmpi sgt, %half, %zero : index
      scf.condition(%more) %half : index
    } do {
    ^bb0(%half: index):
      %low = arith.cmpi slt, %i, %half : index
      scf.if %low {
        %j = arith.addi %i, %half : index
        %a = agg.buffer_load %t, %zero[%i] {path = [-1]} : (!tile, index, index) -> i32
        %b = agg.buffer_load %t, %zero[%j] {path = [-1]} : (!tile, index, index) -> i32
        %s = arith.addi %a, %b : i32
        agg.buffer_store %s, %t, %zero[%i] {path = [-1]} : (i32, !tile, index, index) -> ()
      }
      gpu.barrier
      %next = arith.divui %half, %two : index
      scf.yield %next : index
    }
    %sum = agg.buffer_load %t, %zero[%zero] {path = [-1]} : (!tile, index, index) -> i32
    %r = agg.global @r : !agg.buffer<i32, "rw">
    agg.buffer_store %sum, %r, %n[] {path = []} : (i32, !agg.buffer<i32, "rw">, index) -> ()
    return
  }
}
