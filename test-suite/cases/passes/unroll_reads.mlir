// RUN: caustic-opt --unroll-reads %s | FileCheck %s
// NOTE: A short loop that reads at places which are known before it runs becomes straight-line code; one that reads little, whose places follow from what was read, or that computes much, stays.
!In = !agg.buffer<f32, "ro">
!Steps = !agg.buffer<i32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @steps attributes {type = !Steps, reflect = {name = "steps", kind = "buffer", type = "i32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @levels
// CHECK-NOT: scf.for
// CHECK: func.return
func.func @levels() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) {
    %level = arith.muli %k, %c256 : index
    %at = arith.addi %level, %id : index
    %next = arith.addi %at, %c1 : index
    %x = agg.buffer_load %in, %at[] {path = array<i64>} : (!In, index) -> f32
    %y = agg.buffer_load %in, %next[] {path = array<i64>} : (!In, index) -> f32
    %next2 = arith.addi %next, %c1 : index
    %x2 = agg.buffer_load %in, %next2[] {path = array<i64>} : (!In, index) -> f32
    %next3 = arith.addi %next2, %c1 : index
    %x3 = agg.buffer_load %in, %next3[] {path = array<i64>} : (!In, index) -> f32
    %next4 = arith.addi %next3, %c1 : index
    %x4 = agg.buffer_load %in, %next4[] {path = array<i64>} : (!In, index) -> f32
    %next5 = arith.addi %next4, %c1 : index
    %x5 = agg.buffer_load %in, %next5[] {path = array<i64>} : (!In, index) -> f32
    %d1 = arith.subf %y, %x : f32
    %d2 = arith.addf %d1, %x2 : f32
    %d3 = arith.subf %d2, %x3 : f32
    %d4 = arith.addf %d3, %x4 : f32
    %d = arith.subf %d4, %x5 : f32
    %t = arith.addf %s, %d : f32
    scf.yield %t : f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @chain
// CHECK: scf.for
func.func @chain() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %steps = agg.global @steps : !Steps
  %out = agg.global @out : !Out
  %id = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %at, %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%i = %id, %s = %zero) -> (index, f32) {
    %x = agg.buffer_load %in, %i[] {path = array<i64>} : (!In, index) -> f32
    %t = arith.addf %s, %x : f32
    %by = agg.buffer_load %steps, %i[] {path = array<i64>} : (!Steps, index) -> i32
    %next = arith.index_cast %by : i32 to index
    scf.yield %next, %t : index, f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @few
// CHECK: scf.for
func.func @few() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) {
    %at = arith.addi %k, %id : index
    %x = agg.buffer_load %in, %at[] {path = array<i64>} : (!In, index) -> f32
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @work
// CHECK: scf.for
func.func @work() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) {
    %at = arith.addi %k, %id : index
    %next = arith.addi %at, %c1 : index
    %x = agg.buffer_load %in, %at[] {path = array<i64>} : (!In, index) -> f32
    %y = agg.buffer_load %in, %next[] {path = array<i64>} : (!In, index) -> f32
    %u = agg.buffer_load %in, %k[] {path = array<i64>} : (!In, index) -> f32
    %v = agg.buffer_load %in, %id[] {path = array<i64>} : (!In, index) -> f32
    %two = arith.addi %next, %c1 : index
    %w = agg.buffer_load %in, %two[] {path = array<i64>} : (!In, index) -> f32
    %three = arith.addi %two, %c1 : index
    %z = agg.buffer_load %in, %three[] {path = array<i64>} : (!In, index) -> f32
    %a = math.sin %x : f32
    %b0 = math.powf %y, %a : f32
    %b1 = math.powf %b0, %u : f32
    %b2 = math.powf %b1, %v : f32
    %b3 = math.powf %b2, %w : f32
    %b = math.powf %b3, %z : f32
    %c = arith.divf %b, %x : f32
    %t = arith.addf %s, %c : f32
    scf.yield %t : f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
