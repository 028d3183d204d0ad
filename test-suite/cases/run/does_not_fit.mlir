// A value that no memory holds is refused by the back ends, each in its way; the front end does not let it come so far.
// RUN: caustic run %s --backend cranelift
// EXPECT-ERROR: 11:8 E0852 a value of type !agg.array<4000000000, !agg.array<4000000000, f32>> does not fit into memory
// RUN: caustic run %s --backend interp
// EXPECT-TRAP: 14:8 agg.zero: a value of 16000000000000000000 scalars is too large to run
!A = !agg.array<4000000000, f32>
!B = !agg.array<4000000000, !A>
!In = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "rw_buffer", type = "f32"}}
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %h = agg.global @in : !In
  %i = arith.constant 5 : index
  %x = agg.buffer_load %h, %i[] {path = array<i64>} : (!In, index) -> f32
  %z = agg.zero : !B
  %n = arith.fptosi %x : f32 to i32
  %j = arith.index_cast %n : i32 to index
  %y = agg.insert %x, %z[%j, %j] {path = array<i64: -1, -1>} : (f32, !B, index, index) -> !B
  %e = agg.extract %y[%i, %j] {path = array<i64: -1, -1>} : (!B, index, index) -> f32
  gpu.printf "%d" %e : f32
  func.return
}
