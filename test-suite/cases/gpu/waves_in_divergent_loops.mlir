// RUN: caustic run %s --backend %backend --buffer r=zero:48 --read r --format json
// NOTE: Lanes that execute an op in the same iteration belong together, however they got there: thread i takes part in the
// NOTE: iterations k with (k + i) even, and leaves the loop after i of them. In iteration k those are the i > k of k's parity.
// NOTE: Thread i sums the counts of its iterations. After the loop all 6 lanes meet again, for a total of 6.
// EXPECT-JSON: {"r": [0, 0, 2, 2, 3, 3, 6, 6, 6, 6, 6, 6]}
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  func.func @count() -> i32 {
    %one = arith.constant 1 : i32
    %n = gpu.subgroup_reduce add %one : (i32) -> i32
    return %n : i32
  }
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 6, 1, 1>}} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %none = arith.constant 0 : i32
    %six = arith.constant 6 : index
    %i = gpu.thread_id x
    %sum = scf.for %k = %zero to %i step %one iter_args(%s = %none) -> (i32) {
      %ki = arith.addi %k, %i : index
      %bit = arith.andi %ki, %one : index
      %even = arith.cmpi eq, %bit, %zero : index
      %next = scf.if %even -> (i32) {
        %n = func.call @count() : () -> i32
        %t = arith.addi %s, %n : i32
        scf.yield %t : i32
      } else {
        scf.yield %s : i32
      }
      scf.yield %next : i32
    }
    %all = func.call @count() : () -> i32
    %r = agg.global @r : !buffer
    agg.buffer_store %sum, %r, %i[] {path = []} : (i32, !buffer, index) -> ()
    %at = arith.addi %i, %six : index
    agg.buffer_store %all, %r, %at[] {path = []} : (i32, !buffer, index) -> ()
    return
  }
}
