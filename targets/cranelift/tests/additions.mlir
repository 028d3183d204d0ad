// Additions of 70 threads a group, two complete waves and a part of one: three beside each other, one in a divergent branch, one to an element for each
// thread, one to memory that is read in between, and integers in a loop.
!Floats = !agg.buffer<f32, "rw">
!Ints = !agg.buffer<i32, "rw">
agg.resource @sums attributes {type = !Floats, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}
agg.resource @counts attributes {type = !Ints, reflect = {name = "counts", kind = "rw_buffer", type = "i32"}}
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 70, 1, 1>}} {
  %sums = agg.global @sums : !Floats
  %counts = agg.global @counts : !Ints
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %far = arith.constant 5000 : index
  %thread = gpu.thread_id x
  %group = gpu.block_id x
  %n = arith.index_castui %thread : index to i32
  %x = arith.uitofp %n : i32 to f32
  %y = arith.mulf %x, %x : f32
  %half = arith.constant 0.5 : f32
  %a = agg.atomic_rmw "add" %x, %sums, %c0[] {path = array<i64>} : (f32, !Floats, index) -> f32
  %b = agg.atomic_rmw "add" %y, %sums, %c1[] {path = array<i64>} : (f32, !Floats, index) -> f32
  %few = arith.cmpi ult, %thread, %c8 : index
  scf.if %few {
    %c = agg.atomic_rmw "add" %half, %sums, %c2[] {path = array<i64>} : (f32, !Floats, index) -> f32
    scf.yield
  } else {
    scf.yield
  }
  %d = agg.atomic_rmw "add" %half, %sums, %far[] {path = array<i64>} : (f32, !Floats, index) -> f32
  %zero = arith.constant 0.0 : f32
  %e = agg.atomic_rmw "add" %zero, %sums, %c3[] {path = array<i64>} : (f32, !Floats, index) -> f32
  scf.for %k = %c0 to %c3 step %c1 {
    %at = arith.addi %k, %group : index
    %f = agg.atomic_rmw "add" %n, %counts, %at[] {path = array<i64>} : (i32, !Ints, index) -> i32
    %own = arith.addi %thread, %c8 : index
    %g = agg.atomic_rmw "add" %n, %counts, %own[] {path = array<i64>} : (i32, !Ints, index) -> i32
    scf.yield
  }
  func.return
}
