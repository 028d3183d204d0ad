// How many elements a tape holds is known in storage, too.
// RUN: caustic run %s --backend %backend --buffer out=zero:16 --read out --format json
// EXPECT-JSON: {"out": [0, 3, 5, 0]}
!Tape = !ad.tape<f32>
!Out = !agg.buffer<i32, "rw">
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "i32"}}
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %out = agg.global @out : !Out
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1.5 : f32
  %none = agg.zero : !Tape
  %n0 = agg.length %none : !Tape
  %i0 = arith.index_cast %n0 : index to i32
  agg.buffer_store %i0, %out, %c0[] {path = array<i64>} : (i32, !Out, index) -> ()
  %three = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %none) -> (!Tape) {
    %longer = agg.insert %x, %t[%k] {path = array<i64: -1>} : (f32, !Tape, index) -> !Tape
    scf.yield %longer : !Tape
  }
  %n3 = agg.length %three : !Tape
  %i3 = arith.index_cast %n3 : index to i32
  agg.buffer_store %i3, %out, %c1[] {path = array<i64>} : (i32, !Out, index) -> ()
  %five = agg.insert %x, %three[%c4] {path = array<i64: -1>} : (f32, !Tape, index) -> !Tape
  %n5 = agg.length %five : !Tape
  %i5 = arith.index_cast %n5 : index to i32
  agg.buffer_store %i5, %out, %c2[] {path = array<i64>} : (i32, !Out, index) -> ()
  func.return
}
