// RUN: caustic run %s --backend interp --buffer r=zero:8 --read r --format json
// NOTE: Nobody reads of a zero that is `unread`; the interpreter gives who does it after all what no result can hide, so that the cases see a promise that is not kept.
// EXPECT-JSON: {"r": [NaN, 0.0]}
!buffer = !agg.buffer<f32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "f32"}}
  func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %r = agg.global @r : !buffer
    %i = arith.constant 0 : index
    %j = arith.constant 1 : index
    %unread = agg.zero {unread} : !agg.array<4, f32>
    %zero = agg.zero : !agg.array<4, f32>
    %x = agg.extract %unread[%i] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
    %y = agg.extract %zero[%i] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
    agg.buffer_store %x, %r, %i[] {path = []} : (f32, !buffer, index) -> ()
    agg.buffer_store %y, %r, %j[] {path = []} : (f32, !buffer, index) -> ()
    return
  }
}
