// RUN: caustic-opt --coarsen --cse --dce %s | FileCheck %s
// NOTE: Of what a thread keeps until it adds, all copies take 256 bytes at most: of 100 bytes there are two, of 200 none. What is the same for all threads does not count.
!In = !agg.buffer<vector<24xf32>, "ro">
!Large = !agg.buffer<vector<50xf32>, "ro">
!Sums = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @large attributes {type = !Large, reflect = {name = "large", kind = "buffer", type = "f32"}}
agg.resource @sums attributes {type = !Sums, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @two
// CHECK-SAME: numthreads = array<i64: 64, 1, 1>, covers = array<i64: 128, 1, 1>
func.func @two() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %same = agg.buffer_load %in, %c0[] {path = array<i64>} : (!In, index) -> vector<24xf32>
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> vector<24xf32>
  %a = vector.extract %own[3] : f32 from vector<24xf32>
  %b = vector.extract %same[4] : f32 from vector<24xf32>
  %ab = arith.mulf %a, %b : f32
  %old = agg.atomic_rmw "add" %ab, %sums, %c0[] {path = array<i64>} : (f32, !Sums, index) -> f32
  func.return
}

// CHECK-LABEL: func.func @none
// CHECK-SAME: numthreads = array<i64: 128, 1, 1>}
func.func @none() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %large = agg.global @large : !Large
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %own = agg.buffer_load %large, %id[] {path = array<i64>} : (!Large, index) -> vector<50xf32>
  %a = vector.extract %own[3] : f32 from vector<50xf32>
  %old = agg.atomic_rmw "add" %a, %sums, %c0[] {path = array<i64>} : (f32, !Sums, index) -> f32
  func.return
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK-SAME: numthreads = array<i64: 64, 1, 1>, covers = array<i64: 128, 1, 1>
func.func @in_a_loop() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> vector<24xf32>
  scf.for %k = %c0 to %c9 step %c1 {
    %a = vector.extract %own[%k] : f32 from vector<24xf32>
    %b = arith.mulf %a, %a : f32
    %old = agg.atomic_rmw "add" %b, %sums, %k[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  func.return
}
