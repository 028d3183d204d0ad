// RUN: caustic run %s --backend %backend --buffer b=u32:1,1065353216,1073741824,1077936128,7 --buffer o=zero:40 --read b --read o --format json
// NOTE: Typed access at byte offsets: a float3 at 4, a word at an odd offset, a store and an atomic, and what does not fit reads zero
// NOTE: or is dropped: the last byte of a word at 17 is missing, and so is the end of the float3 at 12.
// EXPECT-JSON: {"b": [1, 1065353216, 1073741824, 1077936128, 12], "o": [1065353216, 1073741824, 1077936128, 2147483648, 0, 0, 7, 20, 0, 0]}
!bytes = !agg.buffer<i8, "rw">
!words = !agg.buffer<i32, "rw", "bytes">
!points = !agg.buffer<vector<3xf32>, "ro", "bytes">
!out = !agg.buffer<i32, "rw">
module {
  agg.resource @b attributes {type = !bytes, reflect = {name = "b", kind = "rw_byte_address_buffer", type = "u32"}}
  agg.resource @o attributes {type = !out, reflect = {name = "o", kind = "rw_buffer", type = "u32"}}
  func.func @put(%at: index, %v: i32) {
    %o = agg.global @o : !out
    agg.buffer_store %v, %o, %at[] {path = []} : (i32, !out, index) -> ()
    return
  }
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %b = agg.global @b : !bytes
    %w = agg.view %b : !bytes -> !words
    %p = agg.view %b : !bytes -> !points
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i12 = arith.constant 12 : index
    %i16 = arith.constant 16 : index
    %i17 = arith.constant 17 : index
    %i-1 = arith.constant -1 : index
    %five = arith.constant 5 : i32
    %v = agg.buffer_load %p, %i4[] {path = []} : (!points, index) -> vector<3xf32>
    %bits = arith.bitcast %v : vector<3xf32> to vector<3xi32>
    %x = agg.extract %bits[] {path = [0]} : (vector<3xi32>) -> i32
    %y = agg.extract %bits[] {path = [1]} : (vector<3xi32>) -> i32
    %z = agg.extract %bits[] {path = [2]} : (vector<3xi32>) -> i32
    func.call @put(%i0, %x) : (index, i32) -> ()
    func.call @put(%i1, %y) : (index, i32) -> ()
    func.call @put(%i2, %z) : (index, i32) -> ()
    // NOTE: Bytes 3 to 6: the last of 1, then 0 0 128.
    %odd = agg.buffer_load %w, %i3[] {path = []} : (!words, index) -> i32
    func.call @put(%i3, %odd) : (index, i32) -> ()
    %far = agg.buffer_load %p, %i12[] {path = [1]} : (!points, index) -> f32
    %farbits = arith.bitcast %far : f32 to i32
    func.call @put(%i4, %farbits) : (index, i32) -> ()
    %before = agg.buffer_load %w, %i-1[] {path = []} : (!words, index) -> i32
    func.call @put(%i5, %before) : (index, i32) -> ()
    agg.buffer_store %five, %w, %i17[] {path = []} : (i32, !words, index) -> ()
    %old = agg.atomic_rmw "add" %five, %w, %i16[] {path = []} : (i32, !words, index) -> i32
    func.call @put(%i6, %old) : (index, i32) -> ()
    %len = agg.buffer_len %b : !bytes
    %n = arith.index_cast %len : index to i32
    func.call @put(%i7, %n) : (index, i32) -> ()
    return
  }
}
