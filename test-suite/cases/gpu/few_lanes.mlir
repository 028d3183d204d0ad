// RUN: caustic run %s --backend %backend --buffer r=zero:320 --read r --format json
// NOTE: A group of eight threads, so that machines with narrow waves run it. Of lanes 0 to 5, in a branch: two sums, of 1 and of their number; sums by key (the number
// NOTE: modulo 3, lane 2 takes no part): whether it leads, and both sums; the value of the lane above, and whether it is there; the same by `xor` 2 in rows of 4, by
// NOTE: `up` 1 in rows of 3, and of lane 7, which is not in the branch.
// EXPECT-JSON: {"r": [6, 6, 6, 6, 6, 6, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 2, 2, 0, 0, 0, 1, 0, 0, 3, 5, 0, 0, 0, 5, 0, 0, 11, 12, 13, 14, 15, 5, 0, 0, 12, 13, 10, 11, 4, 5, 0, 0, 0, 10, 11, 3, 13, 14, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  func.func @put(%row: index, %v: i32) {
    %r = agg.global @r : !buffer
    %i = gpu.thread_id x
    %eight = arith.constant 8 : index
    %base = arith.muli %row, %eight : index
    %at = arith.addi %base, %i : index
    agg.buffer_store %v, %r, %at[] {path = []} : (i32, !buffer, index) -> ()
    return
  }
  func.func @put_if(%row: index, %v: i32, %there: i1) {
    %ten = arith.constant 10 : i32
    %more = arith.addi %v, %ten : i32
    %found = arith.select %there, %more, %v : i32
    func.call @put(%row, %found) : (index, i32) -> ()
    return
  }
  func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 8, 1, 1>}} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i32
    %six = arith.constant 6 : i32
    %inside = arith.cmpi ult, %n, %six : i32
    scf.if %inside {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %four = arith.constant 4 : i32
      %seven = arith.constant 7 : i32
      %width = arith.constant 32 : i32
      %r0 = arith.constant 0 : index
      %r1 = arith.constant 1 : index
      %r2 = arith.constant 2 : index
      %r3 = arith.constant 3 : index
      %r4 = arith.constant 4 : index
      %r5 = arith.constant 5 : index
      %r6 = arith.constant 6 : index
      %r7 = arith.constant 7 : index
      %r8 = arith.constant 8 : index
      %sum = simt.wave_sums %one, %n : (i32, i32) -> i32
      func.call @put(%r0, %sum) : (index, i32) -> ()
      %key = arith.remui %n, %three : i32
      %takes = arith.cmpi ne, %n, %two : i32
      %first, %count, %total = simt.wave_sums_by_key %takes, %key, %one, %n : (i1, i32, i32, i32) -> (i1, i32, i32)
      %f = arith.extui %first : i1 to i32
      func.call @put(%r1, %f) : (index, i32) -> ()
      func.call @put(%r2, %count) : (index, i32) -> ()
      func.call @put(%r3, %total) : (index, i32) -> ()
      %v4, %ok4 = "gpu.shuffle"(%n, %one, %width) {mode = #gpu<shuffle_mode down>} : (i32, i32, i32) -> (i32, i1)
      func.call @put_if(%r4, %v4, %ok4) : (index, i32, i1) -> ()
      %v5, %ok5 = "gpu.shuffle"(%n, %two, %four) {mode = #gpu<shuffle_mode xor>} : (i32, i32, i32) -> (i32, i1)
      func.call @put_if(%r5, %v5, %ok5) : (index, i32, i1) -> ()
      %v6, %ok6 = "gpu.shuffle"(%n, %one, %three) {mode = #gpu<shuffle_mode up>} : (i32, i32, i32) -> (i32, i1)
      func.call @put_if(%r6, %v6, %ok6) : (index, i32, i1) -> ()
      %v7, %ok7 = "gpu.shuffle"(%n, %seven, %width) {mode = #gpu<shuffle_mode idx>} : (i32, i32, i32) -> (i32, i1)
      func.call @put_if(%r7, %v7, %ok7) : (index, i32, i1) -> ()
      %v8, %ok8 = "gpu.shuffle"(%one, %one, %width) {mode = #gpu<shuffle_mode down>} : (i32, i32, i32) -> (i32, i1)
      %there = arith.extui %ok8 : i1 to i32
      func.call @put(%r8, %there) : (index, i32) -> ()
      scf.yield
    }
    return
  }
}
