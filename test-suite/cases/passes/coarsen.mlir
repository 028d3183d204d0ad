// RUN: caustic-opt --coarsen --cse --dce %s | FileCheck %s
// NOTE: Four threads become one, which reads what is the same for all of them once and makes one addition of four. A kernel whose threads add to places of their own,
// and one with a barrier, stay as they are. Below a guard four threads run in step where all come, else one after the other; a switch is one for all.
!In = !agg.buffer<f32, "ro">
!Sums = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @sums attributes {type = !Sums, reflect = {name = "sums", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @together
// CHECK-SAME: numthreads = array<i64: 32, 1, 1>, covers = array<i64: 128, 1, 1>
// CHECK: gpu.thread_id x
// CHECK: scf.for
// CHECK: agg.buffer_load %in, %arg0[]
// CHECK-COUNT-4: arith.mulf
// CHECK-COUNT-3: arith.addf
// CHECK: agg.atomic_rmw "add"
// CHECK-NOT: agg.atomic_rmw
func.func @together() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  scf.for %k = %c0 to %c8 step %c1 {
    %v = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
    %p = arith.mulf %v, %own : f32
    %old = agg.atomic_rmw "add" %p, %sums, %k[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @apart
// CHECK-SAME: numthreads = array<i64: 128, 1, 1>}
func.func @apart() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  %old = agg.atomic_rmw "add" %own, %sums, %id[] {path = array<i64>} : (f32, !Sums, index) -> f32
  func.return
}

// CHECK-LABEL: func.func @barrier
// CHECK-SAME: numthreads = array<i64: 128, 1, 1>}
func.func @barrier() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  gpu.barrier
  %old = agg.atomic_rmw "add" %own, %sums, %c0[] {path = array<i64>} : (f32, !Sums, index) -> f32
  func.return
}

// CHECK-LABEL: func.func @guarded
// CHECK-SAME: numthreads = array<i64: 32, 1, 1>, covers = array<i64: 128, 1, 1>
// CHECK-COUNT-4: arith.cmpi ult
// CHECK-COUNT-3: arith.andi
// CHECK: scf.if
// CHECK: scf.for
// CHECK-COUNT-4: arith.mulf
// CHECK: agg.atomic_rmw "add"
// CHECK: } else {
// CHECK-COUNT-4: scf.for
func.func @guarded() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  %guard = arith.cmpi ult, %id, %c1000 : index
  scf.if %guard {
    %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
    scf.for %k = %c0 to %c8 step %c1 {
      %v = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
      %p = arith.mulf %v, %own : f32
      %old = agg.atomic_rmw "add" %p, %sums, %k[] {path = array<i64>} : (f32, !Sums, index) -> f32
      scf.yield
    }
    scf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @switch
// CHECK: scf.index_switch
// CHECK-COUNT-4: arith.mulf
// CHECK: agg.atomic_rmw "add"
// CHECK-NOT: scf.index_switch
func.func @switch() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 128, 1, 1>}} {
  %in = agg.global @in : !In
  %sums = agg.global @sums : !Sums
  %id = gpu.global_id x
  %c0 = arith.constant 0 : index
  %group = gpu.block_id x
  %own = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
  scf.index_switch %group
  case 1 {
    %p = arith.mulf %own, %own : f32
    %old = agg.atomic_rmw "add" %p, %sums, %c0[] {path = array<i64>} : (f32, !Sums, index) -> f32
    scf.yield
  }
  default {
    scf.yield
  }
  func.return
}
