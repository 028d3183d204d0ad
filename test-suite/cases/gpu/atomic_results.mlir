// RUN: caustic run %s --backend %backend --buffer r=i32:5,7,3 --buffer f=f32:1.5 --buffer o=zero:32 --read r --read f --read o --format json
// NOTE: An atomic update gives what was there before, and zero out of range; a product has no machine instruction.
// EXPECT-JSON: {"r": [9, 7, 12], "f": [8.0], "o": [5, 7, 3, 0, 1069547520, 0, 0, 0]}
!ints = !agg.buffer<i32, "rw">
!floats = !agg.buffer<f32, "rw">
module {
  agg.resource @r attributes {type = !ints, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  agg.resource @f attributes {type = !floats, reflect = {name = "f", kind = "rw_buffer", type = "f32"}}
  agg.resource @o attributes {type = !ints, reflect = {name = "o", kind = "rw_buffer", type = "i32"}}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %four = arith.constant 4 : i32
    %nine = arith.constant 9 : i32
    %eight = arith.constant 8.0 : f32
    %r = agg.global @r : !ints
    %f = agg.global @f : !floats
    %o = agg.global @o : !ints
    %a = agg.atomic_rmw "exchange" %nine, %r, %i0[] {path = []} : (i32, !ints, index) -> i32
    %b = agg.atomic_cas %four, %nine, %r, %i1[] {path = []} : (i32, i32, !ints, index) -> i32
    %c = agg.atomic_rmw "mul" %four, %r, %i2[] {path = []} : (i32, !ints, index) -> i32
    %d = agg.atomic_rmw "add" %four, %r, %i3[] {path = []} : (i32, !ints, index) -> i32
    %e = agg.atomic_rmw "exchange" %eight, %f, %i0[] {path = []} : (f32, !floats, index) -> f32
    %bits = arith.bitcast %e : f32 to i32
    agg.buffer_store %a, %o, %i0[] {path = []} : (i32, !ints, index) -> ()
    agg.buffer_store %b, %o, %i1[] {path = []} : (i32, !ints, index) -> ()
    agg.buffer_store %c, %o, %i2[] {path = []} : (i32, !ints, index) -> ()
    agg.buffer_store %d, %o, %i3[] {path = []} : (i32, !ints, index) -> ()
    agg.buffer_store %bits, %o, %i4[] {path = []} : (i32, !ints, index) -> ()
    return
  }
}
