// RUN: caustic-opt --version-loops %s | FileCheck %s
// NOTE: Reads whose indices are the same but for constants and factors are looked at once; a small loop whose indices have known bounds is made twice, and is looked at before it
// begins. A single read whose index follows from the thread, and one of a product that may be less than zero, look for themselves.
!Buffer = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @near attributes {type = !Buffer, reflect = {name = "near", kind = "buffer", type = "f32"}}
agg.resource @row attributes {type = !Buffer, reflect = {name = "row", kind = "buffer", type = "f32"}}
agg.resource @single attributes {type = !Buffer, reflect = {name = "single", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}

// CHECK-LABEL: func.func @main
// CHECK: %[[BOTH:.*]] = arith.cmpi ult,
// CHECK: scf.if %[[BOTH]]
// CHECK: agg.buffer_load %near, %{{.*}} {path = array<i64>, inside}
// CHECK: agg.buffer_load %near, %{{.*}} {path = array<i64>, inside}
// CHECK: } else {
// CHECK: agg.buffer_load %near, %at[] {path = array<i64>} :
// CHECK: agg.buffer_load %near, %next[] {path = array<i64>} :
// CHECK: agg.buffer_load %single, %before[] {path = array<i64>} :
// The greatest index of the loop is 3 * 7 + 2.
// CHECK: %[[MOST:.*]] = arith.constant 23 : index
// CHECK: %[[FITS:.*]] = arith.cmpi ult, %[[MOST]],
// CHECK: scf.if %[[FITS]]
// CHECK: scf.for
// CHECK: agg.buffer_load %row, %{{.*}} {path = array<i64>, inside}
// CHECK: } else {
// CHECK: scf.for
// CHECK: agg.buffer_load %row, %{{.*}} {path = array<i64>} :
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %near = agg.global @near : !Buffer
  %row = agg.global @row : !Buffer
  %single = agg.global @single : !Buffer
  %out = agg.global @out : !Out
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c2_i32 = arith.constant 2 : i32
  %c3_i32 = arith.constant 3 : i32
  %thread = gpu.global_id x
  %me = arith.index_castui %thread : index to i32
  %more = arith.addi %me, %c2_i32 : i32
  %at = arith.index_castui %me : i32 to index
  %a = agg.buffer_load %near, %at[] {path = array<i64>} : (!Buffer, index) -> f32
  %next = arith.index_castui %more : i32 to index
  %b = agg.buffer_load %near, %next[] {path = array<i64>} : (!Buffer, index) -> f32
  %less = arith.subi %me, %c2_i32 : i32
  %before = arith.index_cast %less : i32 to index
  %c = agg.buffer_load %single, %before[] {path = array<i64>} : (!Buffer, index) -> f32
  %ab = arith.addf %a, %b : f32
  %abc = arith.addf %ab, %c : f32
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %abc) -> (f32) {
    %i = arith.index_cast %k : index to i32
    %times = arith.muli %i, %c3_i32 : i32
    %plus = arith.addi %times, %c2_i32 : i32
    %to = arith.index_cast %plus : i32 to index
    %x = agg.buffer_load %row, %to[] {path = array<i64>} : (!Buffer, index) -> f32
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  agg.buffer_store %sum, %out, %at[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// Planes of one buffer: the last one tells for all, and of the second factor the greatest.
// CHECK-LABEL: func.func @planes
// CHECK: %[[LAST:.*]] = arith.constant 2 : index
// CHECK: arith.muli %{{.*}}, %[[LAST]] : index
// CHECK: %[[ALL:.*]] = arith.cmpi ult,
// CHECK: scf.if %[[ALL]]
// CHECK-COUNT-3: inside}
// CHECK: } else {
// CHECK-NOT: scf.if
func.func @planes() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %near = agg.global @near : !Buffer
  %row = agg.global @row : !Buffer
  %out = agg.global @out : !Out
  %c0 = arith.constant 0 : index
  %c2_i32 = arith.constant 2 : i32
  %size = agg.buffer_len %row : !Buffer
  %count = arith.index_cast %size : index to i32
  %id = gpu.global_id x
  %i = arith.index_castui %id : index to i32
  %i1 = arith.addi %i, %count : i32
  %twice = arith.muli %count, %c2_i32 : i32
  %i2 = arith.addi %i, %twice : i32
  %at1 = arith.index_castui %i1 : i32 to index
  %at2 = arith.index_castui %i2 : i32 to index
  %a = agg.buffer_load %near, %id[] {path = array<i64>} : (!Buffer, index) -> f32
  %b = agg.buffer_load %near, %at1[] {path = array<i64>} : (!Buffer, index) -> f32
  %c = agg.buffer_load %near, %at2[] {path = array<i64>} : (!Buffer, index) -> f32
  %ab = arith.addf %a, %b : f32
  %abc = arith.addf %ab, %c : f32
  agg.buffer_store %abc, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
